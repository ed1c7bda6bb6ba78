// Any bytes as an engine's file: read into rows and checked. The rows refer to each other inside
// their tables, have the places of their text, and are those that the whole tape shows.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/neff_fuzz_testing.h"
#include "formats/neff/tape.h"
#include "testing/fuzz.h"

enum {
    FUZZ_MEMORY = 256 << 20,
    FUZZ_SHOWN = 200, // rows whose text is read again
};

// What an engine's file can refer to, and itself.
static hoist_status add_members(neff_module *module, hoist_bytes engine)
{
    const neff_fuzz_member members[] = {
        neff_fuzz_graph,
        neff_fuzz_kelf,
        NEFF_FUZZ_TEXT(
            "sg00/def.json",
            "{\"sp\": \"sp.json\", \"dma_queue\": {\"q0\": {\"type\": \"data\", \"owner\": "
            "\"sp\"}, "
            "\"q1\": {\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"i0\", "
            "\"i1\"]}}, "
            "\"var\": {\"SB\": {\"type\": \"state-buffer\", \"var_id\": 0}, \"input\": {\"type\": "
            "\"input\", \"var_id\": 1, \"size\": 64}, \"output\": {\"type\": \"output\", "
            "\"var_id\": 2, "
            "\"size\": 64}, \"a\": {\"type\": \"tmp-buf\", \"var_id\": 3, \"size\": 8}}}"),
        {"sg00/sp.json", engine},
    };
    return neff_fuzz_add_members(module, members, HOIST_COUNT_OF(members));
}

// Rows -------------------------------------------------------------------------------------------

static void check_numbers(const neff_engine *engine, uint32_t at, size_t count)
{
    fuzz_require(count == 0 || (at <= engine->number_count && engine->number_count - at >= count));
}

static void check_pattern(const neff_engine *engine, const neff_pattern *p, uint32_t vars)
{
    fuzz_require(p->var == NEFF_NONE || p->var < vars);
    fuzz_require(p->dtype >= -1 && p->dtype < NEFF_DTYPE_COUNT);
    check_numbers(engine, p->sizes, p->size_count);
    check_numbers(engine, p->steps, p->step_count);
    fuzz_require((p->present & NEFF_HAS_VAR) || p->var == NEFF_NONE);
    fuzz_require((p->present & NEFF_HAS_SIZES) || p->size_count == 0);
    fuzz_require((p->present & NEFF_HAS_STEPS) || p->step_count == 0);
}

static void check_desc(const neff_subgraph *s, const neff_engine *engine, const neff_desc *d)
{
    fuzz_require(d->op >= -1 && d->op < NEFF_OP_COUNT);
    fuzz_require(d->extra == NEFF_NONE || d->extra < engine->extra_count);
    fuzz_require(d->sources <= engine->source_count &&
                 engine->source_count - d->sources >= d->source_count);
    check_pattern(engine, &d->to, s->var_count);
    for (uint32_t i = 0; i < d->source_count; i++) {
        check_pattern(engine, &engine->sources[d->sources + i].from, s->var_count);
    }
}

static void check_block(const neff_subgraph *s, const neff_engine *engine, const neff_block *b)
{
    fuzz_require(b->queue == NEFF_NONE || b->queue < s->queue_count);
    fuzz_require(b->instance == NEFF_NONE || b->instance < s->instance_count);
    fuzz_require(b->function == NEFF_NONE || b->function < engine->function_count);
    fuzz_require(b->descs <= engine->desc_count && engine->desc_count - b->descs >= b->desc_count);
    for (uint32_t i = 0; i < b->desc_count; i++) {
        check_desc(s, engine, &engine->descs[b->descs + i]);
    }
}

// Blocks, and their descriptors one after the other.
static void check_rows(const neff_subgraph *s, const neff_engine *engine)
{
    uint32_t descs = 0;
    for (size_t i = 0; i < engine->block_count; i++) {
        fuzz_require(engine->blocks[i].descs == descs);
        descs += engine->blocks[i].desc_count;
        check_block(s, engine, &engine->blocks[i]);
    }
    fuzz_require(descs == engine->desc_count);
}

// Against the tape of the whole text.
static void compare(const neff_module *module, const neff_engine *engine)
{
    const hoist_json_limits limits = {.nonfinite = true};
    hoist_json all;
    const hoist_status status = hoist_json_read(module->members[engine->text.member].bytes, &limits,
                                                hoist_allocator_system(), NULL, &all);
    if (status != HOIST_OK) {
        fuzz_require(engine->text.json.count == 0 && engine->block_count == 0);
        return;
    }
    const hoist_json_index dma = neff_tape_find(&all, 0, "dma");
    const bool list = neff_tape_is(&all, dma, HOIST_JSON_ARRAY);
    fuzz_require(engine->block_count == (list ? hoist_json_size(&all, dma) : 0));
    hoist_json_index item = dma + 1;
    for (size_t i = 0; i < engine->block_count && i < FUZZ_SHOWN; i++) {
        hoist_json block;
        int64_t id = -1;
        const hoist_json_index value = neff_tape_find(&all, item, "id");
        fuzz_require(engine->blocks[i].at == all.tokens[item].start);
        fuzz_require(engine->blocks[i].id == (value && hoist_json_i64(&all, value, &id) ? id : -1));
        const hoist_status again =
            neff_engine_fragment(module, engine, engine->blocks[i].at, &block);
        fuzz_require(again == HOIST_OK || again == HOIST_NO_MEMORY);
        fuzz_require(again != HOIST_OK || block.count == hoist_json_next(&all, item) - item);
        hoist_json_free(&block);
        item = hoist_json_next(&all, item);
    }
    hoist_json_free(&all);
}

static void read_all(neff_module *module, hoist_bytes bytes, hoist_diag *diag)
{
    static neff_fuzz_part *const parts[] = {neff_check_blocks, neff_check_descs};
    static const char *const targets[] = {NULL, "inf1", "trn2"};
    const hoist_read_options options = {.alloc = module->base.alloc, .keep = true};
    neff_reader reader = {
        .module = module, .diag = diag, .options = &options, .arena = &module->arena};
    if (add_members(module, bytes) != HOIST_OK || neff_read_members(&reader) != HOIST_OK) {
        return;
    }
    const neff_subgraph *s = &module->subgraphs[0];
    check_rows(s, &s->engines[NEFF_SP]);
    compare(module, &s->engines[NEFF_SP]);
    for (size_t i = 0; i < HOIST_COUNT_OF(targets); i++) {
        neff_fuzz_check(module, diag, targets[i], parts, HOIST_COUNT_OF(parts));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_diag *diag = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return 0;
    }
    neff_module *module = neff_module_create(alloc, (hoist_bytes){0});
    if (module) {
        read_all(module, (hoist_bytes){data, size}, diag);
        neff_graph_deinit(module);
        neff_module_free(module);
    }
    fuzz_require(budget.used == 0);
    hoist_diag_destroy(diag);
    return 0;
}
