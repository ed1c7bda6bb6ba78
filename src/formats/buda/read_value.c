// Values of netlists. Conversions are yaml-cpp's (buda-netlist reference section 1.1): integers in
// decimal, 0x hexadecimal and leading-0 octal, quoted or not; a scalar where a list is expected is
// an empty list.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/read.h"

void *buda_reader_array(buda_reader *r, size_t count, size_t size)
{
    void *const items = hoist_arena_array(r->arena, count, size);
    if (!items) {
        r->status = HOIST_NO_MEMORY;
    }
    return items;
}

const char *buda_shown(const hoist_yaml_node *node, char text[BUDA_SHOWN_SIZE])
{
    if (node->kind == HOIST_YAML_LIST) {
        return node->count ? "a list" : "an empty list";
    }
    if (node->kind == HOIST_YAML_MAP) {
        return node->count ? "a map" : "an empty map";
    }
    if (node->text.size == 0) {
        return "empty";
    }
    const size_t size = hoist_str_cut(node->text, 64);
    (void)snprintf(text, BUDA_SHOWN_SIZE, "'%.*s%s'", (int)size, node->text.data,
                   size < node->text.size ? "..." : "");
    return text;
}

hoist_str buda_key(const hoist_yaml_node *entry)
{
    return entry->key->text;
}

hoist_pos buda_key_pos(const hoist_yaml_node *entry)
{
    return entry->key->pos;
}

buda_name buda_key_name(const hoist_yaml_node *entry)
{
    return (buda_name){buda_key(entry), buda_key_pos(entry)};
}

// The first item of `entry` or of a later entry with its key.
static void settle(buda_items *it)
{
    while (it->entry && !it->item) {
        it->entry = it->entry->key->first;
        it->item = it->entry && it->entry->kind == it->kind ? it->entry->first : NULL;
    }
}

buda_items buda_items_begin(const hoist_yaml_node *entry, hoist_yaml_kind kind)
{
    buda_items it = {entry, entry->kind == kind ? entry->first : NULL, kind};
    settle(&it);
    return it;
}

void buda_items_next(buda_items *it)
{
    it->item = it->item->next;
    settle(it);
}

size_t buda_items_count(const hoist_yaml_node *entry, hoist_yaml_kind kind)
{
    size_t count = 0;
    for (buda_items it = buda_items_begin(entry, kind); it.item; buda_items_next(&it)) {
        count++;
    }
    return count;
}

bool buda_read_text(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                    hoist_str *out_text)
{
    *out_text = (hoist_str){"", 0};
    if (node->kind != HOIST_YAML_SCALAR || hoist_yaml_is_null(node)) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, rule, node->pos, "%s is %s, wanted a name", what,
                    buda_shown(node, shown));
        return false;
    }
    *out_text = node->text;
    return true;
}

bool buda_read_integer(buda_reader *r, const buda_field *field, const char *what,
                       const hoist_yaml_node *node, int64_t *out_value)
{
    char shown[BUDA_SHOWN_SIZE];
    int64_t value = 0;
    if (node->kind != HOIST_YAML_SCALAR || !hoist_str_to_i64(node->text, true, &value)) {
        buda_report(r->diag, field->rule, node->pos, "%s is %s, wanted an integer", what,
                    buda_shown(node, shown));
        return false;
    }
    *out_value = value;
    if (value < field->min) {
        buda_report(r->diag, field->rule, node->pos,
                    "%s is %" PRId64 ", wanted %" PRId64 " or more", what, value, field->min);
    } else if (value > field->max) {
        buda_report(r->diag, field->rule, node->pos,
                    "%s is %" PRId64 ", wanted %" PRId64 " or less", what, value, field->max);
    }
    return true;
}

bool buda_read_number(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                      double *out_value)
{
    char shown[BUDA_SHOWN_SIZE];
    double value = 0.0;
    if (node->kind == HOIST_YAML_SCALAR && hoist_str_to_f64(node->text, &value)) {
        *out_value = value;
        return true;
    }
    buda_report(r->diag, rule, node->pos, "%s is %s, wanted a number", what,
                buda_shown(node, shown));
    return false;
}

static void read_name(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      void *slot)
{
    buda_name *const name = slot;
    name->pos = node->pos;
    (void)buda_read_text(r, field->rule, field->key, node, &name->text);
}

// `interm<N>` is the specification's word for what the parser calls `intermed<N>` (section 8.5).
static hoist_str operand_name(buda_reader *r, hoist_str text, hoist_pos pos)
{
    static const char old[] = "interm";
    const size_t skip = sizeof(old) - 1;
    int64_t number = 0;
    if (!hoist_str_starts_with(text, old) || text.size == skip || text.data[skip] < '0' ||
        text.data[skip] > '9' ||
        !hoist_str_to_i64(hoist_str_slice(text, skip, text.size), false, &number)) {
        return text;
    }
    buda_report(r->diag, BUDA_104, pos, "'%.*s' is read as 'intermed%" PRId64 "'",
                HOIST_STR_ARGS(text), number);
    const hoist_str renamed = hoist_arena_format(r->arena, "intermed%" PRId64, number);
    if (!renamed.data) {
        r->status = HOIST_NO_MEMORY;
    }
    return renamed;
}

static void read_operand(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                         void *slot)
{
    buda_name *const name = slot;
    read_name(r, field, node, slot);
    name->text = operand_name(r, name->text, name->pos);
}

static void read_token(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                       void *slot)
{
    buda_token *const token = slot;
    *token = (buda_token){.text = {"", 0}, .pos = node->pos};
    if (node->kind == HOIST_YAML_SCALAR) {
        token->text = node->text;
        return;
    }
    token->refused = true;
    char shown[BUDA_SHOWN_SIZE];
    buda_report(r->diag, field->rule, node->pos, "%s is %s, wanted a value or a variable",
                field->key, buda_shown(node, shown));
}

static void read_int(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                     void *slot)
{
    buda_int *const number = slot;
    *number = (buda_int){field->fallback, node->pos};
    (void)buda_read_integer(r, field, field->key, node, &number->value);
}

static void read_float(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                       void *slot)
{
    buda_float *const number = slot;
    *number = (buda_float){0.0, node->pos};
    (void)buda_read_number(r, field->rule, field->key, node, &number->value);
}

static void read_bool(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      void *slot)
{
    buda_bool *const flag = slot;
    *flag = (buda_bool){false, node->pos};
    if (node->kind != HOIST_YAML_SCALAR || !hoist_yaml_to_bool(node->text, &flag->value)) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->rule, node->pos, "%s is %s, wanted true or false", field->key,
                    buda_shown(node, shown));
    }
}

static void report_word(buda_reader *r, const buda_field *field, const hoist_yaml_node *node)
{
    char shown[BUDA_SHOWN_SIZE];
    hoist_buffer list;
    hoist_buffer_init(&list, r->arena->alloc);
    buda_word_list(field->words, &list);
    buda_report(r->diag, field->rule, node->pos, "%s is %s, wanted a %s: %.*s", field->key,
                buda_shown(node, shown), field->words->what,
                HOIST_STR_ARGS(hoist_buffer_text(&list)));
    r->status = list.failed ? HOIST_NO_MEMORY : r->status;
    hoist_buffer_deinit(&list);
}

static void read_word(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      void *slot)
{
    buda_word *const word = slot;
    const bool scalar = node->kind == HOIST_YAML_SCALAR;
    *word = (buda_word){-1, scalar ? node->text : (hoist_str){"", 0}, node->pos};
    word->value = scalar ? buda_word_find(field->words, node->text) : -1;
    if (word->value < 0) {
        report_word(r, field, node);
    }
}

static void read_pair(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      void *slot)
{
    buda_pair *const pair = slot;
    *pair = (buda_pair){field->fallback, field->fallback, node->pos};
    if (node->kind != HOIST_YAML_LIST || node->count != 2) {
        char shown[BUDA_SHOWN_SIZE];
        if (node->kind == HOIST_YAML_LIST) {
            buda_report(r->diag, field->rule, node->pos,
                        "%s has %" PRIu32 " %s, wanted two integers", field->key, node->count,
                        hoist_plural(node->count, "item", "items"));
        } else {
            buda_report(r->diag, field->rule, node->pos, "%s is %s, wanted a list of two integers",
                        field->key, buda_shown(node, shown));
        }
        return;
    }
    (void)buda_read_integer(r, field, field->key, node->first, &pair->r);
    (void)buda_read_integer(r, field, field->key, node->first->next, &pair->c);
}

static void read_tile_dim(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                          void *slot)
{
    const buda_pair *const pair = slot;
    read_pair(r, field, node, slot);
    if (pair->r >= 1 && pair->c >= 1 && !buda_tile_dim_exists(pair->r, pair->c)) {
        buda_report(r->diag, field->rule, node->pos,
                    "%s is [%" PRId64 ", %" PRId64 "], and there are no such tiles", field->key,
                    pair->r, pair->c);
    }
}

typedef void value_reader(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                          void *slot);

// Reads the items of a collecting value, each with `read_item`; a map where a list belongs is
// reported. NULL and a count of 0 when memory runs out.
static void *read_list(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                       size_t item_size, value_reader *read_item, size_t *out_count)
{
    if (entry->kind == HOIST_YAML_MAP) {
        buda_report(r->diag, field->rule, entry->pos, "%s is a map, wanted a list", field->key);
    }
    const size_t count = buda_items_count(entry, HOIST_YAML_LIST);
    char *const items = buda_reader_array(r, count, item_size);
    *out_count = items ? count : 0;
    buda_items it = buda_items_begin(entry, HOIST_YAML_LIST);
    for (size_t i = 0; i < *out_count && it.item; i++, buda_items_next(&it)) {
        read_item(r, field, it.item, items + i * item_size);
    }
    return items;
}

static void read_ints(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                      void *slot)
{
    buda_ints *const ints = slot;
    *ints = (buda_ints){.pos = entry->pos};
    ints->items = read_list(r, field, entry, sizeof(buda_int), read_int, &ints->count);
}

static void read_devices(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                         void *slot)
{
    buda_ints *const ints = slot;
    if (node->kind == HOIST_YAML_LIST) {
        // Only this entry's items: a later duplicate overwrites.
        hoist_yaml_node key = *node->key;
        hoist_yaml_node alone = *node;
        key.first = NULL;
        alone.key = &key;
        read_ints(r, field, &alone, slot);
        if (node->count == 0) {
            buda_report(r->diag, field->rule, node->pos, "%s is empty, wanted a chip", field->key);
        }
        return;
    }
    buda_int *const item = buda_reader_array(r, 1, sizeof(*item));
    *ints = (buda_ints){.items = item, .count = item ? 1 : 0, .pos = node->pos, .scalar = true};
    if (item) {
        item->pos = node->pos;
        (void)buda_read_integer(r, field, field->key, node, &item->value);
    }
}

static void read_names(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                       void *slot)
{
    buda_names *const names = slot;
    value_reader *const read_item = field->kind == BUDA_KIND_OPERANDS ? read_operand : read_name;
    *names = (buda_names){.pos = entry->pos};
    names->items = read_list(r, field, entry, sizeof(buda_name), read_item, &names->count);
}

static void read_words(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                       void *slot)
{
    buda_words *const words = slot;
    *words = (buda_words){.pos = entry->pos, .scalar = entry->kind == HOIST_YAML_SCALAR};
    words->items = read_list(r, field, entry, sizeof(buda_word), read_word, &words->count);
}

// [channel, address], or for host queues a bare address (channel 0).
static void read_place(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                       void *slot)
{
    buda_place *const place = slot;
    place->pos = node->pos;
    const hoist_yaml_node *address = node;
    if (node->kind == HOIST_YAML_LIST && node->count == 2) {
        place->channel.pos = node->first->pos;
        (void)buda_read_integer(r, field, "channel", node->first, &place->channel.value);
        address = node->first->next;
    } else if (node->kind == HOIST_YAML_LIST || field->kind == BUDA_KIND_PLACES) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->rule, node->pos, "%s holds %s, wanted [channel, address]",
                    field->key, buda_shown(node, shown));
        return;
    }
    if (buda_read_integer(r, field, "address", address, &place->address.value)) {
        place->address.pos = address->pos;
    }
}

static void read_places(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                        void *slot)
{
    buda_places *const places = slot;
    *places = (buda_places){.pos = entry->pos};
    places->items = read_list(r, field, entry, sizeof(buda_place), read_place, &places->count);
}

static void read_fork(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      void *slot)
{
    buda_fork *const fork = slot;
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->rule, node->pos, "%s holds %s, wanted one queue: op",
                    field->key, buda_shown(node, shown));
        return;
    }
    fork->queue = buda_key_name(node->first);
    read_name(r, field, node->first, &fork->op);
}

static void read_forks(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                       void *slot)
{
    buda_op *const op = slot;
    op->forked_pos = entry->pos;
    op->forked_dram_inputs =
        read_list(r, field, entry, sizeof(buda_fork), read_fork, &op->forked_count);
}

static void read_pad(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                     void *slot)
{
    const buda_table *const table =
        field->kind == BUDA_KIND_UNPAD ? &buda_unpad_table : &buda_pad_table;
    buda_pad *const pad = slot;
    *pad = (buda_pad){.pos = node->pos};
    buda_read_object(r, table, node, pad, NULL);
    if (node->kind == HOIST_YAML_MAP) {
        buda_report_missing(r, table, pad, node->pos, NULL);
    }
}

static void read_tms(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                     void *slot)
{
    buda_read_tms(r, field, entry, slot);
}

static void read_attributes(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                            void *slot)
{
    (void)field;
    buda_read_attributes(r, entry, slot);
}

static value_reader *const readers[BUDA_KIND_COUNT] = {
    [BUDA_KIND_NAME] = read_name,         [BUDA_KIND_OPERAND] = read_operand,
    [BUDA_KIND_TOKEN] = read_token,       [BUDA_KIND_INT] = read_int,
    [BUDA_KIND_FLOAT] = read_float,       [BUDA_KIND_BOOL] = read_bool,
    [BUDA_KIND_WORD] = read_word,         [BUDA_KIND_PAIR] = read_pair,
    [BUDA_KIND_TILE_DIM] = read_tile_dim, [BUDA_KIND_DEVICES] = read_devices,
    [BUDA_KIND_PAD] = read_pad,           [BUDA_KIND_UNPAD] = read_pad,
    [BUDA_KIND_INTS] = read_ints,         [BUDA_KIND_NAMES] = read_names,
    [BUDA_KIND_OPERANDS] = read_names,    [BUDA_KIND_WORDS] = read_words,
    [BUDA_KIND_PLACES] = read_places,     [BUDA_KIND_HOST_PLACES] = read_places,
    [BUDA_KIND_TMS] = read_tms,           [BUDA_KIND_ATTRIBUTES] = read_attributes,
    [BUDA_KIND_FORKS] = read_forks,
};

void buda_read_field(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                     void *object)
{
    // A collecting value was read as a whole at its first key.
    if (entry->duplicate && field->kind >= BUDA_KIND_INTS) {
        return;
    }
    readers[field->kind](r, field, entry, buda_slot(object, field));
}
