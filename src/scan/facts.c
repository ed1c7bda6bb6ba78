// Facts out of a summary (facts.h): by the keys that summaries of all formats share. In: tree
// events; out: lines of text.
#include "scan/facts.h"

#include <inttypes.h>

#include "base/span.h"
#include "report/plain.h"

// Lists whose items say what loads the file: those with "loads" true, or all of plain texts.
static const struct {
    const char *key;
    const char *prefix; // of what an item is called
} loaders[] = {
    {"runtimes", "runtime "},
    {"devices", ""},
    {"listed", ""},
};

void hoist_scan_facts_init(hoist_scan_facts *facts, hoist_allocator alloc)
{
    *facts = (hoist_scan_facts){.depth = 0};
    hoist_buffer_init(&facts->versions, alloc);
    hoist_buffer_init(&facts->loads, alloc);
    hoist_buffer_init(&facts->target, alloc);
    hoist_buffer_init(&facts->item, alloc);
}

void hoist_scan_facts_deinit(hoist_scan_facts *facts)
{
    hoist_buffer_deinit(&facts->versions);
    hoist_buffer_deinit(&facts->loads);
    hoist_buffer_deinit(&facts->target);
    hoist_buffer_deinit(&facts->item);
}

static void add_value(hoist_buffer *out, const hoist_tree_event *event)
{
    if (event->kind == HOIST_TREE_STR) {
        hoist_plain_write(out, event->str);
    } else if (event->kind == HOIST_TREE_INT) {
        hoist_buffer_format(out, "%" PRId64, event->integer);
    } else if (event->kind == HOIST_TREE_UINT) {
        hoist_buffer_format(out, "%" PRIu64, event->uinteger);
    } else if (event->kind == HOIST_TREE_FLOAT) {
        hoist_buffer_format(out, "%.17g", event->number);
    }
}

static bool is_value(const hoist_tree_event *event)
{
    return event->kind == HOIST_TREE_STR || event->kind == HOIST_TREE_INT ||
           event->kind == HOIST_TREE_UINT || event->kind == HOIST_TREE_FLOAT;
}

// Ends an item: as a line where it loads the file.
static void end_loader(hoist_scan_facts *facts)
{
    if (facts->loads_it && facts->item.size) {
        hoist_buffer_str(&facts->loads, hoist_buffer_text(&facts->item));
        hoist_buffer_char(&facts->loads, '\n');
    }
    facts->item.size = 0;
}

// A value in the list of loaders: an item, or a member of one, whose first is its name. "loads"
// false takes an item back.
static void take_loader(hoist_scan_facts *facts, const hoist_tree_event *event)
{
    if (is_value(event) && facts->item.size == 0 &&
        (!event->key.size || facts->depth == facts->list_depth + 1)) {
        if (event->kind != HOIST_TREE_STR) { // a number alone is no name
            hoist_buffer_c(&facts->item, facts->prefix);
        }
        add_value(&facts->item, event);
        facts->loads_it = facts->depth == facts->list_depth;
    }
    if (event->kind == HOIST_TREE_BOOL && hoist_str_equal_c(event->key, "loads")) {
        facts->loads_it = event->boolean;
    }
    if (facts->depth == facts->list_depth) {
        end_loader(facts);
    }
}

// Keys that end in "version" are the same in summaries of all formats.
static void take_value(hoist_scan_facts *facts, const hoist_tree_event *event)
{
    if (is_value(event) && hoist_str_ends_with(event->key, "version")) {
        hoist_plain_write(&facts->versions, event->key);
        hoist_buffer_char(&facts->versions, ' ');
        add_value(&facts->versions, event);
        hoist_buffer_char(&facts->versions, '\n');
    } else if (is_value(event) && hoist_str_equal_c(event->key, "dialect")) {
        hoist_buffer_c(&facts->versions, "dialect ");
        add_value(&facts->versions, event);
        hoist_buffer_char(&facts->versions, '\n');
    } else if (event->kind == HOIST_TREE_STR && hoist_str_equal_c(event->key, "chip")) {
        facts->target.size = 0; // the last one counts
        hoist_plain_write(&facts->target, event->str);
    }
}

static void begin(hoist_scan_facts *facts, const hoist_tree_event *event)
{
    facts->depth++;
    if (facts->list_depth) { // within the list of loaders
        return;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(loaders) && event->kind == HOIST_TREE_LIST; i++) {
        if (hoist_str_equal_c(event->key, loaders[i].key)) {
            facts->list_depth = facts->depth;
            facts->prefix = loaders[i].prefix;
            return;
        }
    }
    // Other lists are about parts, "payloads" above all, which have an entry of their own.
    facts->skipped = event->kind == HOIST_TREE_LIST;
}

static void end(hoist_scan_facts *facts)
{
    if (facts->list_depth == facts->depth) {
        facts->list_depth = 0;
    }
    facts->depth--;
    // Back in the list: the map of an item has ended.
    if (facts->list_depth && facts->depth == facts->list_depth) {
        end_loader(facts);
    }
}

static hoist_status take(void *self, const hoist_tree_event *event)
{
    hoist_scan_facts *const facts = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    if (facts->skipped) {
        facts->skipped += opens;
        facts->skipped -= event->kind == HOIST_TREE_END;
        // begin() has counted the list in `depth`: its END takes that back.
        facts->depth -= facts->skipped == 0;
    } else if (opens) {
        begin(facts, event);
    } else if (event->kind == HOIST_TREE_END) {
        end(facts);
    } else if (facts->list_depth) {
        take_loader(facts, event);
    } else {
        take_value(facts, event);
    }
    return facts->versions.failed || facts->loads.failed || facts->item.failed ||
                   facts->target.failed
               ? HOIST_NO_MEMORY
               : HOIST_OK;
}

hoist_tree_sink hoist_scan_facts_sink(hoist_scan_facts *facts)
{
    return (hoist_tree_sink){.self = facts, .event = take};
}
