// Diagnostics: collects findings with severity, rule, location and the frames of the callers, up
// to a limit; counts the rest. report/findings.c prints them.
#include "base/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/buffer.h"
#include "base/options.h"
#include "base/order.h"
#include "base/span.h"

enum {
    DEFAULT_MAX_FINDINGS = 10000,
    // Of one finding, so that ten thousand of them stay small however long the names in a file are.
    MAX_MESSAGE = 2048,
    MAX_SEGMENT = 256, // of a name in the object path and the context
};

typedef struct kept_finding {
    hoist_finding finding;
    size_t number; // order of report, the last sort key
} kept_finding;

struct hoist_diag {
    hoist_allocator alloc;
    hoist_diag_options options;
    hoist_arena arena;  // owns the strings of the findings
    kept_finding *kept; // owned
    size_t kept_count;
    size_t kept_capacity;
    size_t counts[3];            // by severity
    const hoist_frame *frames;   // borrowed, innermost first
    const hoist_frame *below;    // borrowed: those that it began with
    hoist_source source;         // arena
    const hoist_source *sources; // borrowed; of hoist_loc.source
    size_t source_count;
    bool incomplete;
    uint64_t lack; // bytes up to which something refers; 0: no more than there are
};

hoist_status hoist_diag_create(hoist_allocator alloc, const hoist_diag_options *options,
                               hoist_diag **out_diag)
{
    *out_diag = NULL;
    hoist_diag_options own;
    HOIST_TRY(hoist_options_read(options, &own, sizeof(own)));
    hoist_diag *diag = hoist_alloc_zero(alloc, 1, sizeof(*diag));
    if (!diag) {
        return HOIST_NO_MEMORY;
    }
    diag->alloc = alloc;
    diag->options = own;
    if (diag->options.max_findings == 0) {
        diag->options.max_findings = DEFAULT_MAX_FINDINGS;
    }
    hoist_arena_init(&diag->arena, alloc);
    *out_diag = diag;
    return HOIST_OK;
}

void hoist_diag_destroy(hoist_diag *diag)
{
    if (!diag) {
        return;
    }
    HOIST_ASSERT(diag->frames == diag->below); // each was popped
    hoist_arena_deinit(&diag->arena);
    hoist_free(diag->alloc, diag->kept, diag->kept_capacity * sizeof(diag->kept[0]));
    hoist_free(diag->alloc, diag, sizeof(*diag));
}

void hoist_diag_push(hoist_diag *diag, hoist_frame *frame, const char *doing, hoist_str name,
                     hoist_str path)
{
    if (diag) {
        *frame = (hoist_frame){doing, name, path, -1, diag->frames};
        diag->frames = frame;
    }
}

void hoist_diag_push_item(hoist_diag *diag, hoist_frame *frame, const char *list, uint32_t index)
{
    hoist_diag_push(diag, frame, NULL, HOIST_STR(""), hoist_str_from(list));
    frame->item = index;
}

void hoist_diag_pop(hoist_diag *diag, const hoist_frame *frame)
{
    HOIST_ASSERT(!diag || diag->frames == frame);
    if (diag) {
        diag->frames = frame->below;
    }
}

// A copy of `text` in the diag's arena; remembers when memory runs out.
static hoist_str diag_copy(hoist_diag *diag, hoist_str text)
{
    if (text.size == 0) {
        return (hoist_str){"", 0};
    }
    const hoist_str copy = hoist_arena_str(&diag->arena, text);
    diag->incomplete = diag->incomplete || !copy.data;
    return copy;
}

void hoist_diag_source(hoist_diag *diag, hoist_str file, hoist_str member)
{
    if (!diag) {
        return;
    }
    if (!hoist_str_equal(diag->source.file, file)) {
        diag->source.file = diag_copy(diag, file);
    }
    if (!hoist_str_equal(diag->source.member, member)) {
        diag->source.member = diag_copy(diag, member);
    }
}

void hoist_diag_sources(hoist_diag *diag, const hoist_source *sources, size_t count)
{
    HOIST_ASSERT(sources || count == 0);
    if (diag) {
        diag->sources = sources;
        diag->source_count = count;
    }
}

hoist_source hoist_diag_enter(hoist_diag *diag, hoist_str file)
{
    const hoist_source before = diag ? diag->source : (hoist_source){{"", 0}, {"", 0}, 0};
    hoist_diag_source(diag, file, HOIST_STR(""));
    return before;
}

void hoist_diag_leave(hoist_diag *diag, hoist_source before)
{
    if (diag) {
        diag->source = before; // of the arena
    }
}

hoist_str hoist_diag_file(const hoist_diag *diag)
{
    return diag ? diag->source.file : (hoist_str){"", 0};
}

hoist_str hoist_diag_member(const hoist_diag *diag)
{
    return diag ? diag->source.member : (hoist_str){"", 0};
}

// A name, or the beginning of a long one and three dots.
static void add_segment(hoist_buffer *out, hoist_str name)
{
    hoist_buffer_str(out, hoist_str_slice(name, 0, hoist_str_cut(name, MAX_SEGMENT)));
    hoist_buffer_c(out, name.size > MAX_SEGMENT ? "..." : "");
}

// Outermost first: each frame's path after that of the frames below it.
static void render_path(hoist_buffer *out, const hoist_frame *frame)
{
    if (!frame) {
        return;
    }
    render_path(out, frame->below);
    if (frame->path.size) {
        hoist_buffer_c(out, out->size ? "/" : "");
        add_segment(out, frame->path);
    }
    if (frame->item >= 0) {
        hoist_buffer_format(out, "%s%" PRId64, out->size ? "/" : "", frame->item);
    }
}

static void render_context(hoist_buffer *out, const hoist_frame *frame)
{
    for (; frame; frame = frame->below) {
        if (!frame->doing) {
            continue;
        }
        hoist_buffer_c(out, out->size ? ", while " : "while ");
        hoist_buffer_c(out, frame->doing);
        if (frame->name.size) {
            hoist_buffer_c(out, " '");
            add_segment(out, frame->name);
            hoist_buffer_char(out, '\'');
        }
    }
}

static hoist_str diag_render(hoist_diag *diag, void (*render)(hoist_buffer *, const hoist_frame *))
{
    hoist_buffer text;
    hoist_buffer_init(&text, diag->alloc);
    render(&text, diag->frames);
    diag->incomplete = diag->incomplete || text.failed;
    const hoist_str copy = diag_copy(diag, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

// The sentence, cut when it is too long; {NULL, 0} when out of memory.
HOIST_PRINTF(2, 0)
static hoist_str diag_message(hoist_diag *diag, const char *format, va_list args)
{
    char text[MAX_MESSAGE + sizeof("...")];
    const int size = vsnprintf(text, MAX_MESSAGE + 1, format, args);
    if (size <= MAX_MESSAGE) {
        return hoist_arena_str(&diag->arena, (hoist_str){text, size > 0 ? (size_t)size : 0});
    }
    const size_t end = hoist_str_cut((hoist_str){text, MAX_MESSAGE}, MAX_MESSAGE - 1);
    memcpy(text + end, "...", sizeof("..."));
    return hoist_arena_str(&diag->arena, (hoist_str){text, end + 3});
}

// Where `loc` is, which is of that source alone then.
static hoist_source source_of(hoist_diag *diag, hoist_loc *loc)
{
    if (loc->source == 0 || loc->source > diag->source_count) {
        return diag->source;
    }
    const hoist_source *known = &diag->sources[loc->source - 1];
    loc->source = 0;
    return (hoist_source){diag_copy(diag, known->file), diag_copy(diag, known->member),
                          known->record_size};
}

// The record that holds `loc`, else the path that the frames give.
static hoist_str object_of(hoist_diag *diag, const hoist_source *source, hoist_loc loc)
{
    char text[32];
    if (source->record_size == 0 || loc.kind != HOIST_LOC_BYTE) {
        return diag_render(diag, render_path);
    }
    (void)snprintf(text, sizeof text, "record %" PRIu64, loc.offset / source->record_size);
    return diag_copy(diag, hoist_str_from(text));
}

static hoist_severity severity_of(const hoist_diag *diag, const hoist_rule *rule)
{
    if (!diag || !rule) {
        return HOIST_NOTE; // not reported
    }
    return diag->options.strict && rule->strict_error ? HOIST_ERROR : rule->severity;
}

// Counts a finding. False when it is not kept.
static bool reserve(hoist_diag *diag, hoist_severity severity)
{
    HOIST_ASSERT(severity <= HOIST_ERROR);
    diag->counts[severity]++;
    if (diag->kept_count >= diag->options.max_findings) {
        return false;
    }
    void *items = diag->kept;
    if (!hoist_grow(diag->alloc, &items, &diag->kept_capacity, diag->kept_count + 1,
                    sizeof(diag->kept[0]))) {
        diag->incomplete = true;
        return false;
    }
    diag->kept = items;
    return true;
}

// `finding` has texts of the diag's.
static void keep(hoist_diag *diag, hoist_finding finding)
{
    HOIST_ASSERT(diag->kept_count < diag->kept_capacity && finding.rule);
    diag->kept[diag->kept_count] = (kept_finding){finding, diag->kept_count};
    diag->kept_count++;
}

HOIST_PRINTF(5, 0)
static void diag_add(hoist_diag *diag, const hoist_rule *rule, hoist_severity severity,
                     hoist_loc loc, const char *format, va_list args)
{
    if (!diag || !rule || !reserve(diag, severity)) {
        return;
    }
    const hoist_str message = diag_message(diag, format, args);
    const hoist_source source = source_of(diag, &loc);
    diag->incomplete = diag->incomplete || !message.data;
    keep(diag, (hoist_finding){.rule = rule,
                               .severity = severity,
                               .file = source.file,
                               .member = source.member,
                               .loc = loc,
                               .object = object_of(diag, &source, loc),
                               .message = message,
                               .context = diag_render(diag, render_context)});
}

void hoist_diag_add(hoist_diag *diag, const hoist_finding *finding)
{
    if (!diag) {
        return;
    }
    const bool by_rule = finding->severity == finding->rule->severity;
    hoist_finding copy = *finding;
    copy.severity = by_rule ? severity_of(diag, finding->rule) : finding->severity;
    if (reserve(diag, copy.severity)) {
        copy.file = diag_copy(diag, finding->file);
        copy.member = diag_copy(diag, finding->member);
        copy.object = diag_copy(diag, finding->object);
        copy.message = diag_copy(diag, finding->message);
        copy.context = diag_copy(diag, finding->context);
        keep(diag, copy);
    }
}

hoist_status hoist_diag_create_like(hoist_allocator alloc, const hoist_diag *diag,
                                    hoist_diag **out_diag)
{
    HOIST_TRY(hoist_diag_create(alloc, diag ? &diag->options : NULL, out_diag));
    if (diag) {
        (*out_diag)->frames = (*out_diag)->below = diag->frames;
        hoist_diag_source(*out_diag, diag->source.file, diag->source.member);
    }
    return HOIST_OK;
}

void hoist_diag_add_all(hoist_diag *diag, const hoist_diag *other, const char *word,
                        const char *name)
{
    if (!diag || !other) {
        return;
    }
    size_t kept[HOIST_ERROR + 1] = {0};
    for (size_t i = 0; i < other->kept_count; i++) {
        hoist_finding finding = other->kept[i].finding;
        char context[64];
        if (word) {
            (void)snprintf(context, sizeof(context), "%s %s", word, name);
            finding.context = hoist_str_from(context);
        }
        kept[finding.severity]++;
        hoist_diag_add(diag, &finding);
    }
    for (size_t i = 0; i <= HOIST_ERROR; i++) {
        diag->counts[i] += other->counts[i] - kept[i];
    }
    diag->incomplete = diag->incomplete || other->incomplete;
}

void hoist_vreport(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format,
                   va_list args)
{
    diag_add(diag, rule, severity_of(diag, rule), loc, format, args);
}

void hoist_report(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add(diag, rule, severity_of(diag, rule), loc, format, args);
    va_end(args);
}

void hoist_warn(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add(diag, rule, HOIST_WARNING, loc, format, args);
    va_end(args);
}

hoist_status hoist_fail(hoist_diag *diag, hoist_status status, const hoist_rule *rule,
                        hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add(diag, rule, severity_of(diag, rule), loc, format, args);
    va_end(args);
    return status;
}

size_t hoist_diag_count(const hoist_diag *diag, hoist_severity severity)
{
    return diag ? diag->counts[severity] : 0;
}

size_t hoist_diag_kept(const hoist_diag *diag)
{
    return diag ? diag->kept_count : 0;
}

const hoist_finding *hoist_diag_at(const hoist_diag *diag, size_t index)
{
    HOIST_ASSERT(index < diag->kept_count);
    return &diag->kept[index].finding;
}

bool hoist_diag_incomplete(const hoist_diag *diag)
{
    return diag && diag->incomplete;
}

int hoist_loc_order(hoist_loc a, hoist_loc b)
{
    int order = hoist_order_u64(a.source, b.source);
    order = order ? order : hoist_order_u64(a.kind, b.kind);
    order = order ? order : hoist_order_u64(a.pos.line, b.pos.line);
    order = order ? order : hoist_order_u64(a.pos.column, b.pos.column);
    return order ? order : hoist_order_u64(a.offset, b.offset);
}

static int compare_findings(const void *left, const void *right)
{
    const kept_finding *a = left;
    const kept_finding *b = right;
    int order = hoist_str_compare(a->finding.file, b->finding.file);
    order = order ? order : hoist_str_compare(a->finding.member, b->finding.member);
    const hoist_loc x = a->finding.loc;
    const hoist_loc y = b->finding.loc;
    order = order ? order : hoist_order_u64(x.pos.line, y.pos.line);
    order = order ? order : hoist_order_u64(x.pos.column, y.pos.column);
    order = order ? order : hoist_order_u64(x.offset, y.offset);
    return order ? order : hoist_order_u64(a->number, b->number);
}

void hoist_diag_sort(hoist_diag *diag)
{
    if (diag && diag->kept_count) {
        qsort(diag->kept, diag->kept_count, sizeof(diag->kept[0]), compare_findings);
    }
}

void hoist_diag_lacks(hoist_diag *diag, uint64_t size)
{
    if (diag && diag->source.member.size == 0 && size > diag->lack) {
        diag->lack = size;
    }
}

uint64_t hoist_diag_take_lack(hoist_diag *diag)
{
    const uint64_t lack = diag ? diag->lack : 0;
    if (diag) {
        diag->lack = 0;
    }
    return lack;
}
