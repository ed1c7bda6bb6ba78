// Records from the maps of a text. YAML's scalars are texts, quoted or not, from which the kind
// that is asked for is read; JSON's have kinds of their own.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "codec/record.h"

// Nodes ------------------------------------------------------------------------------------------

bool hoist_rec_is_map(const hoist_rec_node *node)
{
    return node->yaml ? node->yaml->kind == HOIST_YAML_MAP
                      : hoist_json_kind_of(node->json, node->at) == HOIST_JSON_OBJECT;
}

bool hoist_rec_is_list(const hoist_rec_node *node)
{
    return node->yaml ? node->yaml->kind == HOIST_YAML_LIST
                      : hoist_json_kind_of(node->json, node->at) == HOIST_JSON_ARRAY;
}

hoist_pos hoist_rec_pos(hoist_rec_reader *r, const hoist_rec_node *node)
{
    return node->yaml
               ? node->yaml->pos
               : hoist_json_place(&r->cursor, node->json->text, node->json->tokens[node->at].start);
}

hoist_pos hoist_rec_key_pos(hoist_rec_reader *r, const hoist_rec_node *node)
{
    return node->yaml ? node->yaml->key->pos
                      : hoist_json_place(&r->cursor, node->json->text,
                                         node->json->tokens[node->key].start);
}

// A string of a JSON text.
// Strings without escapes are slices of the text.
static hoist_str json_string(hoist_rec_reader *r, const hoist_json *json, hoist_json_index at)
{
    const hoist_str text = hoist_json_string(json, at, r->arena);
    if (!text.data) {
        r->status = HOIST_NO_MEMORY;
        return HOIST_STR("");
    }
    return text;
}

hoist_str hoist_rec_key(hoist_rec_reader *r, const hoist_rec_node *node)
{
    return node->yaml ? node->yaml->key->text : json_string(r, node->json, node->key);
}

void *hoist_rec_array(hoist_rec_reader *r, size_t count, size_t size)
{
    void *const items = hoist_arena_array(r->arena, count, size);
    if (!items) {
        r->status = HOIST_NO_MEMORY;
    }
    return items;
}

// Items of a list or entries of a map.
typedef struct item_walk {
    hoist_rec_node node; // at hand, unless there are no more
    hoist_yaml_items yaml;
    uint32_t left;
    bool named;
} item_walk;

// The items of a YAML value go on over later entries with an equal key (hoist_yaml_items); a
// value of another kind has none.
static item_walk items_begin(const hoist_rec_node *node, bool named)
{
    item_walk it = {.named = named};
    if (node->yaml) {
        it.yaml = hoist_yaml_items_begin(node->yaml, named ? HOIST_YAML_MAP : HOIST_YAML_LIST);
        it.node.yaml = it.yaml.item;
    } else if (named ? hoist_rec_is_map(node) : hoist_rec_is_list(node)) {
        it.left = hoist_json_size(node->json, node->at);
        it.node = (hoist_rec_node){.json = node->json, .at = node->at + 1, .key = node->at + 1};
        it.node.at += named ? 1 : 0; // a key is one token
    }
    return it;
}

static bool items_more(const item_walk *it)
{
    return it->node.yaml || it->left;
}

static void items_next(item_walk *it)
{
    if (it->node.yaml) {
        hoist_yaml_items_next(&it->yaml);
        it->node.yaml = it->yaml.item;
        return;
    }
    // In an object the next token is the next key, and its value the one after.
    it->left--;
    it->node.key = hoist_json_next(it->node.json, it->node.at);
    it->node.at = it->node.key + (it->named ? 1 : 0);
}

// For memory that is taken once for all items.
static size_t items_count(const hoist_rec_node *node, bool named)
{
    if (node->yaml) {
        return hoist_yaml_items_count(node->yaml, named ? HOIST_YAML_MAP : HOIST_YAML_LIST);
    }
    return items_begin(node, named).left;
}

// Findings ---------------------------------------------------------------------------------------

void hoist_rec_report(hoist_rec_reader *r, uint16_t rule, const hoist_rec_node *node,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(r->diag, &r->style->rules->rules[rule], hoist_loc_pos(hoist_rec_pos(r, node)),
                  format, args);
    va_end(args);
}

hoist_str hoist_rec_shown_json(const hoist_rec_node *node, char text[HOIST_REC_SHOWN_SIZE])
{
    (void)text;
    return hoist_rec_is_list(node)  ? HOIST_STR("a list")
           : hoist_rec_is_map(node) ? HOIST_STR("an object")
                                    : hoist_json_text(node->json, node->at);
}

void hoist_rec_report_missing(hoist_rec_reader *r, const hoist_rec_table *table,
                              const hoist_rec_field *field, const hoist_rec_node *node)
{
    hoist_rec_report(r, field->missing, node, "%s without '%s'", table->what, field->key);
}

void hoist_rec_expected(hoist_rec_reader *r, uint16_t rule, const char *what,
                        const hoist_rec_node *node, const char *expected)
{
    char text[HOIST_REC_SHOWN_SIZE];
    const char *const quote = r->style->quote;
    if (rule != HOIST_REC_NONE) {
        r->style->report(r, rule, node, "%s%s%s is %.*s, expected %s", quote, what, quote,
                         HOIST_STR_ARGS(r->style->shown(node, text)), expected);
    }
}

// A value out of range is reported and kept: it is what the file says.
static void check_range(hoist_rec_reader *r, const hoist_rec_field *field, const char *what,
                        const hoist_rec_node *node, int64_t value)
{
    // A row without a range has zeros.
    const bool any = field->min == 0 && field->max == 0;
    const char *const quote = r->style->quote;
    if (!any && (value < field->min || value > field->max)) {
        const bool low = value < field->min;
        r->style->report(r, field->wrong, node, "%s%s%s is %" PRId64 ", expected %" PRId64 " or %s",
                         quote, what, quote, value, low ? field->min : field->max,
                         low ? "more" : "less");
    }
}

// Values -----------------------------------------------------------------------------------------

// In YAML also 0x and digits in quotes, as yaml-cpp converts them.
static bool take_int(const hoist_rec_node *node, int64_t *out_value)
{
    return node->yaml ? node->yaml->kind == HOIST_YAML_SCALAR &&
                            hoist_str_to_i64(node->yaml->text, true, out_value)
                      : hoist_json_i64(node->json, node->at, out_value);
}

static bool take_float(const hoist_rec_node *node, double *out_value)
{
    return node->yaml ? node->yaml->kind == HOIST_YAML_SCALAR &&
                            hoist_str_to_f64(node->yaml->text, out_value)
                      : hoist_json_f64(node->json, node->at, out_value);
}

static bool take_bool(const hoist_rec_node *node, bool *out_value)
{
    if (node->yaml) {
        return node->yaml->kind == HOIST_YAML_SCALAR &&
               hoist_yaml_to_bool(node->yaml->text, out_value);
    }
    const hoist_json_kind kind = hoist_json_kind_of(node->json, node->at);
    *out_value = kind == HOIST_JSON_TRUE;
    return kind == HOIST_JSON_TRUE || kind == HOIST_JSON_FALSE;
}

// A text; YAML's null is one only where a word is asked for.
// `*out_text` is never without data, so that an absent text and an empty one differ.
static bool take_str(hoist_rec_reader *r, const hoist_rec_node *node, bool word,
                     hoist_str *out_text)
{
    const hoist_yaml_node *const yaml = node->yaml;
    bool right = false;
    *out_text = HOIST_STR("");
    if (yaml) {
        right = yaml->kind == HOIST_YAML_SCALAR && (word || !hoist_yaml_is_null(yaml));
        *out_text = right ? yaml->text : *out_text;
    } else {
        right = hoist_json_kind_of(node->json, node->at) == HOIST_JSON_STRING;
        *out_text = right ? json_string(r, node->json, node->at) : *out_text;
    }
    return right && r->status == HOIST_OK;
}

bool hoist_rec_integer(hoist_rec_reader *r, const hoist_rec_field *field, const char *what,
                       const hoist_rec_node *node, int64_t *out_value)
{
    int64_t value = 0;
    if (!take_int(node, &value)) {
        hoist_rec_expected(r, field->wrong, what, node, r->style->expected[HOIST_REC_INT]);
        return false;
    }
    *out_value = value;
    check_range(r, field, what, node, value);
    return true;
}

// Writes the slot in any case: the value, or the fallback where the kind is wrong.
static bool read_scalar(hoist_rec_reader *r, const hoist_rec_field *field,
                        const hoist_rec_node *node, void *slot)
{
    int64_t integer = 0;
    double number = 0.0;
    bool boolean = false;
    bool right = false;
    switch ((hoist_rec_kind)field->kind) {
    case HOIST_REC_INT:
        right = take_int(node, &integer);
        if (right) {
            check_range(r, field, field->key, node, integer);
        }
        *(int64_t *)slot = right ? integer : field->fallback;
        break;
    case HOIST_REC_FLOAT:
        right = take_float(node, &number);
        *(double *)slot = right ? number : (double)field->fallback;
        break;
    case HOIST_REC_BOOL:
        right = take_bool(node, &boolean);
        *(bool *)slot = right ? boolean : field->fallback != 0;
        break;
    default:
        right = take_str(r, node, false, slot);
        break;
    }
    if (field->places) {
        const hoist_pos pos = hoist_rec_pos(r, node);
        memcpy((char *)slot + hoist_rec_place_at(NULL, field), &pos, sizeof(pos));
    }
    return right;
}

// A word with its place. In sets that say what they are, other words are wrong.
// The text is kept as written, known or not: a writer gives it back.
static bool read_word(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot)
{
    hoist_str text;
    const bool is_text = take_str(r, node, true, &text);
    const int value = is_text ? hoist_rec_word_find(field->words, text) : -1;
    *(hoist_rec_word *)slot = (hoist_rec_word){value, text, hoist_rec_pos(r, node)};
    return is_text && (value >= 0 || !field->words->what);
}

// Value and text have slots of their own, so it takes the record.
static bool read_bare_word(hoist_rec_reader *r, const hoist_rec_field *field,
                           const hoist_rec_node *node, void *record)
{
    hoist_str text;
    if (!take_str(r, node, true, &text)) {
        return false;
    }
    const int32_t value = hoist_rec_word_find(field->words, text);
    char *const slot = (char *)record + field->at;
    if (field->kind == HOIST_REC_WORD) {
        memcpy(slot, &value, sizeof(value));
    } else {
        *slot = (char)value;
    }
    if (field->text_at != HOIST_REC_NONE) {
        memcpy((char *)record + field->text_at, &text, sizeof(text));
    }
    return value >= 0 || !field->words->what;
}

// Lists ------------------------------------------------------------------------------------------

// The row of a list's items.
// A row like the list's, whose kind is that of one item; the rule of items is their own where
// they have one.
static hoist_rec_field item_of(const hoist_rec_field *field, unsigned list)
{
    hoist_rec_field item = *field;
    item.kind = list == HOIST_REC_INTS   ? HOIST_REC_INT
                : list == HOIST_REC_STRS ? HOIST_REC_STR
                                         : HOIST_REC_WORD;
    item.at = 0;
    item.wrong = field->item_wrong ? field->item_wrong : field->wrong;
    return item;
}

// A word is reported with all that are accepted.
static void report_value(hoist_rec_reader *r, const hoist_rec_field *field, const char *what,
                         const hoist_rec_node *node)
{
    const unsigned kind = field->kind;
    if (kind == HOIST_REC_WORD && field->words->what) {
        hoist_buffer expected;
        hoist_buffer_init(&expected, r->arena->alloc);
        hoist_buffer_format(&expected, "a %s: ", field->words->what);
        hoist_rec_word_list(field->words, &expected);
        hoist_buffer_char(&expected, '\0');
        if (expected.failed) {
            r->status = HOIST_NO_MEMORY;
        } else {
            hoist_rec_expected(r, field->wrong, field->key, node, (const char *)expected.data);
        }
        hoist_buffer_deinit(&expected);
    } else {
        hoist_rec_expected(r, field->wrong, what, node,
                           kind < HOIST_REC_OWN ? r->style->expected[kind]
                                                : r->style->own[kind - HOIST_REC_OWN].expected);
    }
}

// The items of a list; false: one is wrong where wrong ones are not kept, or no memory.
static bool read_items(hoist_rec_reader *r, const hoist_rec_field *field,
                       const hoist_rec_node *node, size_t item_size,
                       hoist_rec_read_value *read_item, hoist_rec_list *out_list)
{
    char *const items = hoist_rec_array(r, items_count(node, false), item_size);
    *out_list = (hoist_rec_list){items, 0};
    for (item_walk it = items_begin(node, false); items && items_more(&it); items_next(&it)) {
        if (!read_item(r, field, &it.node, items + out_list->count * item_size)) {
            // One wrong item makes the list wrong; hoist_rec_wrong() then finds which.
            if (!r->style->keeps_wrong) {
                return false;
            }
            report_value(r, field, field->key, &it.node);
        }
        out_list->count++;
    }
    return items;
}

static bool read_list(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      size_t item_size, hoist_rec_read_value *read_item, void *slot)
{
    // The members that every list has in common.
    hoist_rec_ints list = {.scalar = node->yaml && node->yaml->kind == HOIST_YAML_SCALAR};
    hoist_rec_list items = {.count = 0};
    const bool keeps_wrong = r->style->keeps_wrong;
    if (keeps_wrong && hoist_rec_is_map(node)) {
        r->style->report(r, field->wrong, node, "%s is a map, expected a list", field->key);
    }
    const bool right = (keeps_wrong || hoist_rec_is_list(node)) &&
                       read_items(r, field, node, item_size, read_item, &items);
    if (right) {
        list.items = items.items;
        list.count = items.count;
    }
    if (field->places) {
        list.pos = hoist_rec_pos(r, node);
    }
    // Bare lists are the first two members of all lists.
    memcpy(slot, &list, field->places ? sizeof(list) : sizeof(items));
    return right;
}

void hoist_rec_read_list(hoist_rec_reader *r, const hoist_rec_field *field,
                         const hoist_rec_node *node, size_t item_size,
                         hoist_rec_read_value *read_item, void *slot)
{
    (void)read_list(r, field, node, item_size, read_item, slot);
}

static bool read_plain_list(hoist_rec_reader *r, const hoist_rec_field *field,
                            const hoist_rec_node *node, void *slot)
{
    const hoist_rec_field item = item_of(field, field->kind);
    const size_t size = hoist_rec_slot_size(&item);
    return read_list(r, &item, node, size, item.kind == HOIST_REC_WORD ? read_word : read_scalar,
                     slot);
}

// Reads a list once more to name its first wrong item: "key[3]". No state is kept for errors.
void hoist_rec_wrong(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node)
{
    const bool ints =
        field->kind >= HOIST_REC_OWN && r->style->own[field->kind - HOIST_REC_OWN].ints;
    const bool list = ints || field->kind == HOIST_REC_INTS || field->kind == HOIST_REC_STRS;
    const hoist_rec_field item = item_of(field, ints ? HOIST_REC_INTS : field->kind);
    unsigned index = 0;
    for (item_walk it = items_begin(node, false); list && items_more(&it); items_next(&it)) {
        hoist_rec_str slot;
        if (!read_scalar(r, &item, &it.node, &slot)) {
            char name[64];
            (void)snprintf(name, sizeof(name), "%s[%u]", field->key, index);
            report_value(r, &item, name, &it.node);
            return;
        }
        index++;
    }
    report_value(r, field, field->key, node);
}

// Records ----------------------------------------------------------------------------------------

// Hooks that are NULL, for tables without any: callers test single functions only.
static const hoist_rec_hooks *hooks_of(const hoist_rec_reader *r, const hoist_rec_table *table)
{
    static const hoist_rec_hooks none = {.begin = NULL};
    return table->hooks ? r->style->hooks[table->hooks] : &none;
}

hoist_rec_list hoist_rec_read_records(hoist_rec_reader *r, const hoist_rec_table *table,
                                      const hoist_rec_node *node, bool named, const char *path)
{
    const hoist_rec_hooks *const hooks = hooks_of(r, table);
    hoist_rec_list list = {.count = 0};
    char *const items = hoist_rec_array(r, items_count(node, named), table->size);
    hoist_frame outer;
    hoist_frame inner;
    if (path) {
        hoist_diag_push(r->diag, &outer, NULL, HOIST_STR(""), hoist_str_from(path));
    }
    item_walk it = items_begin(node, named);
    for (; items && items_more(&it) && r->status == HOIST_OK; items_next(&it)) {
        char *const record = items + list.count++ * table->size;
        const hoist_str name = named ? hoist_rec_key(r, &it.node) : HOIST_STR("");
        // By convention the first row of a named record is its name.
        if (named && table->fields[0].places) {
            *(hoist_rec_str *)(void *)record =
                (hoist_rec_str){name, hoist_rec_key_pos(r, &it.node)};
        } else if (named) {
            *(hoist_str *)(void *)record = name;
        }
        if (hooks->begin) {
            hooks->begin(r, &it.node, record);
        }
        if (path && named) {
            hoist_diag_push(r->diag, &inner, NULL, HOIST_STR(""), name);
        } else if (path) {
            hoist_diag_push_item(r->diag, &inner, "", (uint32_t)(list.count - 1));
        }
        (void)hoist_rec_read(r, table, &it.node, record);
        if (path) {
            hoist_diag_pop(r->diag, &inner);
        }
    }
    if (path) {
        hoist_diag_pop(r->diag, &outer);
    }
    list.items = items;
    return list;
}

// A value of the wrong kind has no records, and is reported by the caller.
static bool read_records(hoist_rec_reader *r, const hoist_rec_field *field,
                         const hoist_rec_node *node, void *slot)
{
    const bool named = field->kind == HOIST_REC_NAMED;
    const bool right = named ? hoist_rec_is_map(node) : hoist_rec_is_list(node);
    const hoist_rec_list list = hoist_rec_read_records(r, field->table, node, named, field->key);
    memcpy(slot, &list, sizeof(list));
    return right;
}

// A record in place.
static bool read_table(hoist_rec_reader *r, const hoist_rec_field *field,
                       const hoist_rec_node *node, void *slot)
{
    memset(slot, 0, field->table->size);
    (void)hoist_rec_read(r, field->table, node, slot);
    return true; // what is wrong was reported
}

// A value that has no slot; only its kind counts.
typedef union no_slot {
    hoist_rec_ints list;
    hoist_rec_word word;
} no_slot;

bool hoist_rec_value(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *record)
{
    // The value is still read, for the findings.
    no_slot none;
    void *const slot = field->at == HOIST_REC_NONE ? (void *)&none : (char *)record + field->at;
    switch ((hoist_rec_kind)field->kind) {
    case HOIST_REC_INT:
    case HOIST_REC_FLOAT:
    case HOIST_REC_BOOL:
    case HOIST_REC_STR:
        return read_scalar(r, field, node, slot);
    case HOIST_REC_WORD:
        return field->places ? read_word(r, field, node, slot)
                             : read_bare_word(r, field, node, record);
    case HOIST_REC_SMALL_WORD:
        return read_bare_word(r, field, node, record);
    case HOIST_REC_INTS:
    case HOIST_REC_STRS:
    case HOIST_REC_WORDS:
        return read_plain_list(r, field, node, slot);
    case HOIST_REC_TABLE:
        return read_table(r, field, node, slot);
    case HOIST_REC_TABLES:
    case HOIST_REC_NAMED:
        return read_records(r, field, node, slot);
    case HOIST_REC_ANY:
        return true;
    case HOIST_REC_OWN:
        break;
    }
    return r->style->readers[field->kind - HOIST_REC_OWN](r, field, node, slot);
}

// Lists of YAML maps go on over equal keys, as in netlists.
static bool collects(const hoist_rec_style *style, const hoist_rec_field *field)
{
    return field->kind >= HOIST_REC_OWN
               ? style->own[field->kind - HOIST_REC_OWN].collects
               : field->kind >= HOIST_REC_INTS && field->kind <= HOIST_REC_WORDS;
}

bool hoist_rec_read_field(hoist_rec_reader *r, const hoist_rec_field *field,
                          const hoist_rec_node *node, void *record)
{
    // A collecting value was read as a whole at its first key.
    if (node->yaml && node->yaml->duplicate && collects(r->style, field)) {
        return true;
    }
    if (hoist_rec_value(r, field, node, record)) {
        return true;
    }
    if (r->status == HOIST_OK) {
        hoist_rec_wrong(r, field, node);
        if (!r->style->keeps_wrong) {
            hoist_rec_clear_field(r->style->own, field, record);
        }
    }
    return false;
}

// The keys of a record at hand.
typedef struct record_state {
    const hoist_rec_table *table;
    const hoist_rec_hooks *hooks;
    void *record;
    hoist_rec_extra **tail; // of unknown keys; NULL: they are not kept
    hoist_rec_order *order; // NULL: not kept
    unsigned guess;         // at the row of the next key
    uint64_t seen;          // rows, also with values of another kind
    uint64_t present;
} record_state;

static void read_key(hoist_rec_reader *r, record_state *s, const hoist_rec_node *node)
{
    const int row = hoist_rec_find(s->table, hoist_rec_key(r, node), s->guess);
    if (r->status != HOIST_OK ||
        (row < 0 && s->hooks->other && s->hooks->other(r, node, s->record))) {
        return;
    }
    if (r->style->twice) {
        r->style->twice(r, node);
    }
    if (s->order) {
        s->order->rows[s->order->count++] = row < 0 ? HOIST_REC_EXTRA_ROW : (uint8_t)row;
    }
    if (row < 0) {
        if (r->style->unknown && !s->table->lenient) {
            r->style->unknown(r, s->table, node);
        }
        hoist_rec_extra *const extra = s->tail ? hoist_rec_array(r, 1, sizeof(*extra)) : NULL;
        if (extra) {
            extra->node = *node;
            *s->tail = extra;
            s->tail = &extra->next;
        }
        return;
    }
    const hoist_rec_field *const field = &s->table->fields[row];
    const uint64_t bit = (uint64_t)1 << row;
    s->guess = (unsigned)row + 1;
    // Seen, also with a wrong value: then it is not missing.
    s->seen |= bit;
    // Which spelling a file has follows from the keys that only one of them has.
    r->forms &= field->forms ? field->forms : UINT8_MAX;
    const bool right = hoist_rec_read_field(r, field, node, s->record);
    // The last of several equal keys decides.
    s->present = right ? s->present | bit : s->present & ~bit;
}

// Where memory ended the reading, what is missing may only not have been read.
void hoist_rec_missing(hoist_rec_reader *r, const hoist_rec_table *table,
                       const hoist_rec_node *node, const void *record, uint64_t seen)
{
    const hoist_rec_hooks *const hooks = hooks_of(r, table);
    for (unsigned i = 0; i < table->count && r->status == HOIST_OK; i++) {
        const hoist_rec_field *const field = &table->fields[i];
        const bool needed = field->need < HOIST_REC_NEEDS
                                ? field->need == HOIST_REC_REQUIRED
                                : hooks->needed && hooks->needed(record, field);
        if (needed && !(seen >> i & 1)) {
            r->style->missing(r, table, field, node);
        }
    }
}

// What the record keeps of its map besides the values.
// The order has a row for each key of the map; keys without a row have their mark.
static void begin_record(hoist_rec_reader *r, record_state *s, const hoist_rec_node *node)
{
    const hoist_rec_table *const table = s->table;
    char *const record = s->record;
    if (table->place_at != HOIST_REC_NONE) {
        *(hoist_pos *)(void *)(record + table->place_at) = hoist_rec_pos(r, node);
    }
    if (table->extra_at != HOIST_REC_NONE) {
        s->tail = (hoist_rec_extra **)(void *)(record + table->extra_at);
    }
    if (table->order_at) {
        s->order = hoist_rec_array(r, sizeof(*s->order) + items_count(node, true), 1);
        *(hoist_rec_order **)(void *)(record + table->order_at - 1) = s->order;
    }
}

uint64_t hoist_rec_read(hoist_rec_reader *r, const hoist_rec_table *table,
                        const hoist_rec_node *node, void *record)
{
    record_state s = {.table = table, .hooks = hooks_of(r, table), .record = record};
    const bool is_map = hoist_rec_is_map(node);
    hoist_rec_clear(r->style->own, table, record);
    begin_record(r, &s, node);
    if (!is_map && table->rule != HOIST_REC_NONE) {
        hoist_rec_expected(r, table->rule, table->what, node, "a map");
        return 0;
    }
    r->status = r->status == HOIST_OK ? hoist_deadline_look(r->deadline) : r->status;
    // Not hoist_yaml_items, which would go on in another map of the same key.
    // The entries of this map alone.
    item_walk it = node->yaml ? (item_walk){.node.yaml = is_map ? node->yaml->first : NULL}
                              : items_begin(node, true);
    while (items_more(&it) && r->status == HOIST_OK) {
        read_key(r, &s, &it.node);
        if (it.node.yaml) {
            it.node.yaml = it.node.yaml->next;
        } else {
            items_next(&it);
        }
    }
    if (s.hooks->settle && r->status == HOIST_OK) {
        s.hooks->settle(r, node, record);
    }
    // After settle(), which may have decided what is needed.
    hoist_rec_missing(r, table, node, record, s.seen);
    if (table->present_at != HOIST_REC_NONE) {
        memcpy((char *)record + table->present_at, &s.present, sizeof(s.present));
    }
    if (s.hooks->end && r->status == HOIST_OK) {
        s.hooks->end(r, node, record);
    }
    return s.present;
}
