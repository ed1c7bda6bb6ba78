// Descriptors into rows: the hot part of reading, run for nearly every byte of a large engine file.
// In goes the object of a descriptor, out come rows of neff_desc, neff_source, numbers and, for
// few, neff_desc_extra. engine_read.c calls neff_read_desc for each item of `desc`.
//
// A value of a wrong kind is reported and then absent; of equal keys the last wins; unknown keys
// are left in the text.
#include <string.h>

#include "base/span.h"
#include "formats/neff/engine_read.h"

// Kept of a list of sizes or steps; 8 dimensions are the most that rule 52a allows.
enum { MOST_NUMBERS = UINT8_MAX };

// A descriptor while its keys are read.
typedef struct desc_state {
    neff_desc desc;
    neff_source source; // of the `from*` keys next to `to`; unused with from_arr
    bool has_source;    // one of those keys occurs
    bool has_extra;
    neff_desc_extra extra;
} desc_state;

// Values -----------------------------------------------------------------------------------------

// A list of sizes or steps, appended to the engine's numbers: index and count, the latter 255 for
// longer lists. HOIST_INVALID: no list of integers of 64 bits; nothing is appended then.
static hoist_status read_numbers(neff_engine_reader *e, hoist_json_index at, uint32_t *out_index,
                                 uint8_t *out_count)
{
    const hoist_json *json = e->json;
    if (hoist_json_kind_of(json, at) != HOIST_JSON_ARRAY) {
        return HOIST_INVALID;
    }
    const uint32_t size = hoist_json_size(json, at);
    const uint32_t count = size < MOST_NUMBERS ? size : MOST_NUMBERS; // the rest is not kept
    *out_count = 0;
    if (count == 0) {
        return HOIST_OK;
    }
    const size_t index = e->engine->number_count;
    int64_t *numbers = neff_add_numbers(e->alloc, e->engine, count);
    HOIST_TRY_MEMORY(numbers);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!hoist_json_i64(json, item, &numbers[i])) {
            e->engine->number_count = index; // drops what was appended
            return HOIST_INVALID;
        }
        item = hoist_json_next(json, item);
    }
    *out_index = (uint32_t)index;
    *out_count = (uint8_t)count;
    return HOIST_OK;
}

// A name of a variable to its index; an undeclared one is NEFF_NONE, which rule 51 reports.
static hoist_status read_var(neff_engine_reader *e, hoist_json_index at, uint32_t *out_var)
{
    if (hoist_json_kind_of(e->json, at) != HOIST_JSON_STRING) {
        return HOIST_INVALID;
    }
    const hoist_str name = hoist_json_string(e->json, at, e->r->arena);
    size_t var = 0;
    *out_var = hoist_map_find(&e->subgraph->var_names, name, &var) ? (uint32_t)var : NEFF_NONE;
    return name.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// A word of a closed set: nearly always the one that this row had before, which saves the search.
// -1: not in the set.
static hoist_status read_word(neff_engine_reader *e, int row, hoist_json_index at, int8_t *out_word)
{
    if (hoist_json_kind_of(e->json, at) != HOIST_JSON_STRING) {
        return HOIST_INVALID;
    }
    const hoist_str text = hoist_json_string(e->json, at, e->r->arena);
    const neff_words *words = neff_desc_table.fields[row].words;
    int word = e->words[row];
    HOIST_TRY_MEMORY(text.data);
    if (!hoist_str_equal_c(text, hoist_rec_word_name(words, word))) {
        word = hoist_rec_word_find(words, text);
        // An unknown word is not remembered.
        e->words[row] = (uint8_t)(word >= 0 ? word : e->words[row]);
    }
    *out_word = (int8_t)word;
    return HOIST_OK;
}

// Reads a value into the slot of a row of neff_desc_table. HOIST_INVALID: it is of another kind.
// memcpy, because slots are found by offset and have the type of the row's kind.
static hoist_status read_slot(neff_engine_reader *e, int row, hoist_json_index at, void *object)
{
    const hoist_rec_field *field = &neff_desc_table.fields[row];
    uint8_t *slot = (uint8_t *)object + field->at;
    hoist_status status = HOIST_OK;
    uint32_t index = 0;
    int64_t integer = 0;
    int8_t word = 0;
    switch (field->kind) {
    case NEFF_KIND_SIZES:
        status = read_numbers(e, at, &index, (uint8_t *)object + field->text_at);
        memcpy(slot, &index, sizeof(index));
        break;
    case NEFF_KIND_VAR:
        status = read_var(e, at, &index);
        memcpy(slot, &index, sizeof(index));
        break;
    case HOIST_REC_INT:
        status = hoist_json_i64(e->json, at, &integer) ? HOIST_OK : HOIST_INVALID;
        memcpy(slot, &integer, sizeof(integer));
        break;
    case HOIST_REC_SMALL_WORD:
        status = read_word(e, row, at, &word);
        memcpy(slot, &word, sizeof(word));
        break;
    default:
        break; // no row of a descriptor has it
    }
    return status;
}

// Reads a value, or reports it and clears its slot; `present` are the keys of its pattern.
// HOIST_INVALID does not get out of here.
static hoist_status read_row(neff_engine_reader *e, int row, hoist_json_index at, void *object,
                             uint8_t *present)
{
    const hoist_rec_field *field = &neff_desc_table.fields[row];
    const hoist_status status = read_slot(e, row, at, object);
    if (status == HOIST_OK) {
        *present |= field->has;
        return status;
    }
    if (status != HOIST_INVALID) {
        return status;
    }
    *present &= (uint8_t)~field->has; // a later value of a wrong kind takes it back
    hoist_rec_clear_field(neff_kinds, field, object);
    neff_engine_wrong(e, field, at);
    return HOIST_OK;
}

// Sources ----------------------------------------------------------------------------------------

// The rows from, from_off, from_sizes, from_steps and from_dtype; not from_arr, which has no slot.
static bool is_source_row(const neff_engine_reader *e, int row)
{
    return row >= 0 && (e->source_rows >> row & 1);
}

// The `scale` of an item of from_arr, which wins over one next to the list.
static hoist_status read_scale(neff_engine_reader *e, hoist_json_index at, neff_source *source)
{
    if (hoist_json_f64(e->json, at, &source->scale)) {
        source->from.present |= NEFF_HAS_SCALE;
        return HOIST_OK;
    }
    source->scale = e->no_source.scale;
    source->from.present &= (uint8_t)~NEFF_HAS_SCALE;
    neff_engine_wrong(e, &neff_extra_table.fields[e->keys.scale], at);
    return HOIST_OK;
}

// Adds an item of from_arr: one row even when it is no object, so that numbers of paths stay right.
static hoist_status read_source(neff_engine_reader *e, hoist_json_index at)
{
    const bool is_object = hoist_json_kind_of(e->json, at) == HOIST_JSON_OBJECT;
    const uint32_t count = is_object ? hoist_json_size(e->json, at) : 0;
    neff_source source = e->no_source;
    hoist_json_index key = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_str name = hoist_json_string(e->json, key, e->r->arena);
        HOIST_TRY_MEMORY(name.data);
        const int row = hoist_rec_find(&neff_desc_table, name, 0);
        if (is_source_row(e, row)) {
            HOIST_TRY(read_row(e, row, key + 1, &source, &source.from.present));
            // keys.scale is never -1, so that an unknown key of neither table does not match.
        } else if (hoist_rec_find(&neff_extra_table, name, 0) == e->keys.scale) {
            HOIST_TRY(read_scale(e, key + 1, &source));
        }
        key = hoist_json_next(e->json, key + 1);
    }
    if (!is_object) {
        neff_engine_wanted(e, neff_desc_table.fields[e->keys.from_arr].wrong, at, "from_arr",
                           "objects");
    }
    return neff_add_source(e->alloc, e->engine, &source) ? HOIST_OK : HOIST_NO_MEMORY;
}

// The sources of `from_arr`, in place of those of another one. They are the last in the table while
// their descriptor is read, so going back drops only them.
static hoist_status read_sources(neff_engine_reader *e, hoist_json_index at, neff_desc *desc)
{
    e->engine->source_count = desc->sources; // none at first; those of an earlier from_arr after it
    desc->source_count = 0;
    desc->has_from_arr = hoist_json_kind_of(e->json, at) == HOIST_JSON_ARRAY;
    if (!desc->has_from_arr) {
        neff_engine_wanted(e, neff_desc_table.fields[e->keys.from_arr].wrong, at, "from_arr",
                           "a list of objects");
        return HOIST_OK;
    }
    const uint32_t size = hoist_json_size(e->json, at);
    // More than 16 are an error (rule 50a), so those beyond 65,535 need no rows.
    desc->source_count = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < desc->source_count; i++) {
        e->place.source = i;
        HOIST_TRY(read_source(e, item));
        item = hoist_json_next(e->json, item);
    }
    e->place.source = NEFF_NONE;
    return HOIST_OK;
}

// Descriptors ------------------------------------------------------------------------------------

// A key that is not in neff_desc_table: a rare one, or unknown and left in the text.
static hoist_status read_extra(neff_engine_reader *e, hoist_str name, hoist_json_index at,
                               desc_state *s)
{
    const int row = hoist_rec_find(&neff_extra_table, name, 0);
    if (row < 0) {
        return HOIST_OK;
    }
    if (!s->has_extra) { // few descriptors have any of these keys
        s->extra = e->no_extra;
        s->has_extra = true;
    }
    const hoist_rec_field *field = &neff_extra_table.fields[row];
    const uint64_t bit = (uint64_t)1 << row;
    const hoist_status status = neff_read_value(e->r, field, e->json, at, &s->extra);
    if (status != HOIST_INVALID) {
        s->extra.present |= bit;
        return status;
        // A value that reading refused gives its fallback back, as if the key were absent.
    }
    s->extra.present &= ~bit;
    hoist_rec_clear_field(neff_kinds, field, &s->extra);
    neff_engine_wrong(e, field, at);
    return HOIST_OK;
}

static hoist_status read_key(neff_engine_reader *e, hoist_json_index key, desc_state *s)
{
    const hoist_str name = hoist_json_string(e->json, key, e->r->arena);
    HOIST_TRY_MEMORY(name.data);
    const int row = hoist_rec_find(&neff_desc_table, name, 0);
    if (row < 0) {
        return read_extra(e, name, key + 1, s);
    }
    if (row == e->keys.from_arr) {
        return read_sources(e, key + 1, &s->desc);
    }
    if (is_source_row(e, row)) {
        s->has_source = true;
        // The key `from` itself, not from_off alone.
        s->desc.has_from = s->desc.has_from || row == e->keys.from;
        return read_row(e, row, key + 1, &s->source, &s->source.from.present);
    }
    return read_row(e, row, key + 1, &s->desc, &s->desc.to.present);
}

// Descriptor, source and extras are built on the stack and added at the end: rows of a table follow
// each other, and from_arr has added its own in between.
hoist_status neff_read_desc(neff_engine_reader *e, hoist_json_index at)
{
    desc_state s = {.desc = e->no_desc, .source = e->no_source};
    s.desc.at = e->json->tokens[at].start;
    s.desc.sources = (uint32_t)e->engine->source_count;
    const bool is_object = hoist_json_kind_of(e->json, at) == HOIST_JSON_OBJECT;
    const uint32_t count = is_object ? hoist_json_size(e->json, at) : 0;
    hoist_json_index key = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(read_key(e, key, &s));
        key = hoist_json_next(e->json, key + 1);
    }
    if (!is_object) {
        neff_engine_wanted(e, NEFF_045, at, "desc", "objects");
    }
    // A pattern next to `to` counts only without from_arr, whose items have replaced it.
    neff_engine *engine = e->engine;
    bool added = true;
    if (s.has_source && !s.desc.has_from_arr) {
        s.desc.source_count = 1;
        added = neff_add_source(e->alloc, engine, &s.source);
    }
    if (s.has_extra) {
        s.desc.extra = (uint32_t)engine->extra_count;
        added = added && neff_add_extra(e->alloc, engine, &s.extra);
    }
    return added && neff_add_desc(e->alloc, engine, &s.desc) ? HOIST_OK : HOIST_NO_MEMORY;
}

// Of a key that the table has, by name, so that row numbers are written nowhere.
static int row_of(const hoist_rec_table *table, const char *key)
{
    return hoist_rec_find(table, hoist_str_from(key), 0);
}

// Every block and descriptor begins as a copy of these: the fallbacks of all rows at once.
void neff_desc_defaults(neff_engine_reader *e)
{
    e->keys = (neff_engine_keys){
        .queue = row_of(&neff_block_table, "queue"),
        .instance = row_of(&neff_block_table, "instance_name"),
        .function = row_of(&neff_block_table, "function_start"),
        .desc = row_of(&neff_block_table, "desc"),
        .from = row_of(&neff_desc_table, "from"),
        .from_arr = row_of(&neff_desc_table, "from_arr"),
        .scale = row_of(&neff_extra_table, "scale"),
    };
    e->no_block = (neff_block){.queue = NEFF_NONE, .instance = NEFF_NONE, .function = NEFF_NONE};
    e->no_desc = (neff_desc){.extra = NEFF_NONE};
    e->no_source = (neff_source){.scale = 1};
    hoist_rec_clear(neff_kinds, &neff_block_table, &e->no_block);
    hoist_rec_clear(neff_kinds, &neff_extra_table, &e->no_extra);
    for (size_t i = 0; i < neff_desc_table.count; i++) {
        // By the key's first letters: the rows of a source are those that items of from_arr may
        // have.
        const hoist_rec_field *field = &neff_desc_table.fields[i];
        const bool source = hoist_str_starts_with(hoist_str_from(field->key), "from");
        if (field->at != HOIST_REC_NONE) {
            e->source_rows |= source ? 1u << i : 0;
            hoist_rec_clear_field(neff_kinds, field,
                                  source ? (void *)&e->no_source : (void *)&e->no_desc);
        }
    }
}
