// An engine's JSON into rows, in one pass: the codec passes on the blocks of `dma` one by one, and
// of each only the rows of module.h stay. What few files have is left in the text. In goes the file
// that def_read.c found, out come the tables of neff_engine; engine_desc.c reads descriptors,
// engine_rows.c has the tables, engine_report.c the findings.
//
// Nothing here checks meaning: values of the wrong kind are reported, and blocks that are no blocks
// (NEFF-045); all else is checked from the rows (check_blocks.c, check_descs.c).
#include "formats/neff/engine_read.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/neff/tape.h"

// Blocks -----------------------------------------------------------------------------------------

// The names in a block, until all of its keys are read: function_start may follow `queue`.
typedef struct block_names {
    hoist_str queue; // data NULL: absent
    hoist_str instance;
    hoist_str function;
} block_names;

// NEFF_NONE for an absent name, too.
static uint32_t find_name(const hoist_map *names, hoist_str name)
{
    size_t index = 0;
    return name.data && hoist_map_find(names, name, &index) ? (uint32_t)index : NEFF_NONE;
}

// Index of a function's name, which is added when it is new; NEFF_NONE for the main program, "".
static hoist_status function_index(neff_engine_reader *e, hoist_str name, uint32_t *out_index)
// Functions are few and named often: an index each, so that blocks compare numbers.
{
    *out_index = name.size ? find_name(&e->function_names, name) : NEFF_NONE;
    if (name.size == 0 || *out_index != NEFF_NONE) {
        return HOIST_OK;
    }
    *out_index = (uint32_t)e->engine->function_count;
    HOIST_TRY(hoist_map_add(&e->function_names, name, *out_index, NULL));
    return neff_add_function(e->alloc, e->engine, &name) ? HOIST_OK : HOIST_NO_MEMORY;
}

// Queue set, instance and function of a block: a function_start holds for the following blocks of
// the queue set, too.
static hoist_status resolve_names(neff_engine_reader *e, const block_names *names,
                                  neff_block *block)
{
    const neff_subgraph *s = e->subgraph;
    // An instance goes before a queue set. One that is not declared gives no queue at all: rule
    // 46a.
    block->instance = find_name(&s->instance_names, names->instance);
    if (block->instance != NEFF_NONE) {
        block->queue = s->instances[block->instance].queue;
    } else if (!names->instance.data) {
        block->queue = find_name(&s->queue_names, names->queue);
    }
    // A block without a queue set has no section to begin or to be in.
    neff_engine_section none = {0};
    neff_engine_section *section = block->queue != NEFF_NONE ? &e->sections[block->queue] : &none;
    if (names->function.data) {
        // The section knows which `dma` began it: one of an earlier array of the same key counts no
        // more.
        section->dma = e->dma;
        HOIST_TRY(function_index(e, names->function, &section->function));
    }
    block->function = section->dma == e->dma ? section->function : NEFF_NONE;
    return HOIST_OK;
}

// The descriptors of a block: a list, or one alone, as the vendor's text can be read.
// HOIST_INVALID: neither, which was reported.
static hoist_status read_descs(neff_engine_reader *e, hoist_json_index at, neff_block *block)
{
    const hoist_json_kind kind = hoist_json_kind_of(e->json, at);
    if (kind != HOIST_JSON_ARRAY && kind != HOIST_JSON_OBJECT) {
        neff_engine_wanted(e, NEFF_045, at, "desc", "a list of objects");
        return HOIST_INVALID;
    }
    block->desc_is_object = kind == HOIST_JSON_OBJECT; // written the same way again
    block->desc_count = block->desc_is_object ? 1 : hoist_json_size(e->json, at);
    hoist_json_index item = block->desc_is_object ? at : at + 1;
    for (uint32_t i = 0; i < block->desc_count; i++) {
        e->place.desc = i;
        HOIST_TRY(neff_read_desc(e, item));
        item = hoist_json_next(e->json, item);
    }
    e->place.desc = NEFF_NONE;
    return HOIST_OK;
}

// Takes the string `at` as `*name`; HOIST_INVALID when it is none.
static hoist_status take_name(neff_engine_reader *e, hoist_json_index at, hoist_str *name)
{
    *name = (hoist_str){0};
    if (hoist_json_kind_of(e->json, at) != HOIST_JSON_STRING) {
        return HOIST_INVALID;
    }
    *name = hoist_json_string(e->json, at, e->r->arena);
    return name->data ? HOIST_OK : HOIST_NO_MEMORY;
}

// Where the name of a row goes; NULL for other rows.
static hoist_str *name_of_row(const neff_engine_reader *e, int row, block_names *names)
{
    return row == e->keys.queue      ? &names->queue
           : row == e->keys.instance ? &names->instance
           : row == e->keys.function ? &names->function
                                     // Three rows have no slot: what they name is resolved when the
                                     // block is complete.
                                     : NULL;
}

// Reads the value `at` of a row of neff_block_table. HOIST_INVALID: of another kind, reported.
static hoist_status read_block_value(neff_engine_reader *e, int row, hoist_json_index at,
                                     neff_block *block, block_names *names)
{
    if (row == e->keys.desc) {
        return read_descs(e, at, block);
    }
    const hoist_rec_field *field = &neff_block_table.fields[row];
    hoist_str *name = name_of_row(e, row, names);
    const hoist_status status =
        name ? take_name(e, at, name) : neff_read_value(e->r, field, e->json, at, block);
    if (status == HOIST_INVALID) {
        neff_engine_wrong(e, field, at);
        if (!name) {
            hoist_rec_clear_field(neff_kinds, field, block);
        }
    }
    return status;
}

static hoist_status read_block_keys(neff_engine_reader *e, hoist_json_index at, neff_block *block)
{
    const neff_row_counts mark = neff_rows_mark(e->engine);
    const uint32_t count = hoist_json_size(e->json, at);
    block_names names = {0};
    uint64_t seen = 0; // keys that occur, also with values of another kind: those are not missing
    hoist_json_index key = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_str name = hoist_json_string(e->json, key, e->r->arena);
        // -1: unknown, stays in the text.
        const int row = hoist_rec_find(&neff_block_table, name, 0);
        HOIST_TRY_MEMORY(name.data);
        if (row >= 0) {
            if (row == e->keys.desc) { // of two the last wins: rows of the first are dropped
                neff_rows_back(e->engine, mark);
                block->desc_count = 0;
            }
            const hoist_status status = read_block_value(e, row, key + 1, block, &names);
            if (status != HOIST_OK && status != HOIST_INVALID) {
                return status;
            }
            const uint32_t bit = 1u << row;
            seen |= bit;
            // A later value of another kind takes the key's bit back: the last one counts.
            block->present = status == HOIST_OK ? block->present | bit : block->present & ~bit;
        }
        key = hoist_json_next(e->json, key + 1);
    }
    neff_engine_missing(e, at, seen);
    return resolve_names(e, &names, block);
}

// Forgets the blocks so far: another `dma` has followed, or there is none.
static void forget_blocks(neff_engine_reader *e)
{
    neff_rows_clear(e->engine);
    hoist_map_deinit(&e->function_names);
}

// Called by the codec for each item of each `dma` at the top, while the text is parsed. Tokens of
// an item are dropped after the call, so nothing may point at them.
static hoist_status take_block(void *self, const hoist_json *json, hoist_json_index array,
                               hoist_json_index item)
{
    neff_engine_reader *e = self;
    if (array != e->dma) { // "dma" occurs again: the last wins
        forget_blocks(e);
        e->dma = array;
    }
    e->json = json;
    // A block that is no object has its row, too, so that row numbers are those of the file.
    neff_block block = e->no_block;
    block.at = e->json->tokens[item].start;
    block.descs = (uint32_t)e->engine->desc_count;
    e->place = (neff_engine_place){(uint32_t)e->engine->block_count, NEFF_NONE, NEFF_NONE};
    if (hoist_json_kind_of(e->json, item) == HOIST_JSON_OBJECT) {
        HOIST_TRY(read_block_keys(e, item, &block));
    } else {
        neff_engine_wanted(e, NEFF_045, item, "dma", "objects");
    }
    return neff_add_block(e->alloc, e->engine, &block) ? HOIST_OK : HOIST_NO_MEMORY;
}

// Engines ----------------------------------------------------------------------------------------

// The member that a name in the engine's file means, with its role; NEFF_NONE when there is none.
static hoist_status find_member(neff_engine_reader *e, hoist_str name, neff_role role,
                                uint32_t *out_member)
{
    neff_module *module = e->r->module;
    *out_member = NEFF_NONE;
    if (name.size == 0) {
        return HOIST_OK;
    }
    HOIST_TRY(neff_member_resolve(module, e->r->arena, e->subgraph->folder, name, out_member));
    if (*out_member != NEFF_NONE) {
        module->members[*out_member].role = role;
    }
    return HOIST_OK;
}

// The tables of the vector engine: a list of objects whose values are names of members.
static hoist_status mark_tables(neff_engine_reader *e, const hoist_json *json)
{
    const hoist_json_index tables = neff_tape_find(json, 0, "dve_tables");
    if (!neff_tape_is(json, tables, HOIST_JSON_ARRAY)) {
        return HOIST_OK;
    }
    // Strings at any depth: the keys are not documented completely, every value is a member's name.
    const hoist_json_index end = hoist_json_next(json, tables);
    for (hoist_json_index at = tables + 1; at < end; at++) {
        uint32_t member = NEFF_NONE;
        if (hoist_json_kind_of(json, at) == HOIST_JSON_STRING) {
            const hoist_str name = hoist_json_string(json, at, e->r->arena);
            HOIST_TRY(name.data ? find_member(e, name, NEFF_ROLE_TABLE, &member) : HOIST_NO_MEMORY);
        }
    }
    return HOIST_OK;
}

// The keys next to `dma`.
static hoist_status read_head(neff_engine_reader *e)
{
    neff_engine *engine = e->engine;
    const hoist_json *json = &engine->text.json;
    uint64_t present = 0;
    uint32_t member = NEFF_NONE;
    if (hoist_json_kind_of(json, 0) != HOIST_JSON_OBJECT) {
        neff_report_value(e->r, NEFF_045, json, 0, "dma", "an object with it");
        return HOIST_OK;
    }
    HOIST_TRY(neff_read_fields(e->r, &neff_engine_table, json, 0, engine, &present));
    HOIST_TRY(find_member(e, engine->act_info, NEFF_ROLE_TABLE, &member));
    HOIST_TRY(mark_tables(e, json));
    const hoist_json_index dma = neff_tape_find(json, 0, "dma");
    // The array that was streamed last is not the value of `dma` when that is no array.
    if (dma != e->dma) {
        forget_blocks(e);
    }
    if (dma && hoist_json_kind_of(json, dma) != HOIST_JSON_ARRAY) {
        neff_report_value(e->r, NEFF_045, json, dma, "dma", "a list of objects");
    }
    return HOIST_OK;
}

static hoist_status read_json(neff_engine_reader *e, uint32_t member)
{
    neff_engine *engine = e->engine;
    // Its items do not enter the tape.
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = take_block, .self = e};
    engine->text.member = member;
    hoist_status status = neff_json_read(e->r, member, &stream, &engine->text.json);
    if (status == HOIST_OK) {
        status = read_head(e);
    } else if (status == HOIST_INVALID || status == HOIST_TRUNCATED) {
        forget_blocks(e);  // a text that is no JSON has no blocks
        status = HOIST_OK; // it was reported
    }
    // Tables were grown by half more than needed; large files are kept open for long.
    neff_rows_shrink(e->alloc, engine);
    return status;
}

// The stream that the engine's file names, or else def.json.
static hoist_status find_stream(neff_engine_reader *e)
{
    neff_engine *engine = e->engine;
    const hoist_json *def = &e->subgraph->def.json;
    // `instr` of the engine's own file goes before.
    if (engine->instr_name.size == 0 && def->count > 0) {
        HOIST_TRY(neff_tape_str(def, 0, neff_engines[engine->id].instr_key, e->r->arena,
                                &engine->instr_name));
    }
    return find_member(e, engine->instr_name, NEFF_ROLE_STREAM, &engine->instr);
}

// A stream is looked for even without a file of the engine: def.json may name it.
static hoist_status read_engine(neff_engine_reader *e, hoist_str file)
{
    uint32_t member = NEFF_NONE;
    HOIST_TRY(find_member(e, file, NEFF_ROLE_ENGINE, &member));
    if (member != NEFF_NONE) {
        HOIST_TRY(read_json(e, member));
    }
    return find_stream(e);
}

hoist_status neff_read_engine(neff_reader *r, neff_subgraph *subgraph, neff_engine *engine,
                              hoist_str file)
{
    const hoist_allocator alloc = r->module->base.alloc;
    *engine = (neff_engine){.id = (neff_engine_id)(engine - subgraph->engines),
                            .text = {.member = NEFF_NONE, .json = {.alloc = alloc}},
                            .instr = NEFF_NONE};
    hoist_rec_clear(neff_kinds, &neff_engine_table, engine);
    neff_engine_reader e = {.r = r, .subgraph = subgraph, .engine = engine, .alloc = alloc};
    hoist_map_init(&e.function_names, alloc);
    neff_desc_defaults(&e);
    // One state per queue set: its `function_start` holds until the next one of the set.
    const size_t queues = subgraph->queue_count;
    e.sections = hoist_alloc_zero(alloc, queues, sizeof(e.sections[0]));
    hoist_status status = HOIST_NO_MEMORY;
    if (e.sections || queues == 0) { // an allocator may give NULL for 0 bytes
        status = read_engine(&e, file);
    }
    hoist_free(alloc, e.sections, queues * sizeof(e.sections[0]));
    hoist_map_deinit(&e.function_names);
    return status;
}

void neff_engine_deinit(neff_module *module, neff_engine *engine)
{
    neff_text_free(&engine->text);
    neff_rows_free(module->base.alloc, engine);
}
