// Feature bits that the content of a module calls for (neff reference 1.5), with the first evidence
// of each in words: check_container.c compares them with the header, pack.c sets them. Only bits
// whose content is known and can be found without guessing have a row.
#include "formats/neff/features.h"

#include "base/span.h"
#include "formats/neff/stream.h"

#define BIT(n) (UINT64_C(1) << (n))

// clang-format off
// `exact`: the bit is set if and only if the content is there. Descriptors made at run time have
// two bits, either of which will do.
const neff_feature_bits neff_feature_table[NEFF_FEATURE_COUNT] = {
    [NEFF_FEATURE_INSTANCES]  = {BIT(NEFF_BIT_INSTANCES), NEFF_BIT_INSTANCES, true,
                                 "queue set with queue_instances"},
    [NEFF_FEATURE_FUNCTIONS]  = {BIT(NEFF_BIT_FUNCTIONS), NEFF_BIT_FUNCTIONS, true,
                                 "function"},
    [NEFF_FEATURE_ACT_LOAD]   = {BIT(NEFF_BIT_ACT_LOAD), NEFF_BIT_ACT_LOAD, true,
                                 "queue set of type act_load"},
    [NEFF_FEATURE_LNC]        = {BIT(NEFF_BIT_LNC), NEFF_BIT_LNC, true,
                                 "logical core of two"},
    [NEFF_FEATURE_REMOTE]     = {BIT(NEFF_BIT_REMOTE), NEFF_BIT_REMOTE, true,
                                 "block with remote_semaphores"},
    [NEFF_FEATURE_GENERATION] = {BIT(NEFF_BIT_DGE) | BIT(NEFF_BIT_HARDWARE_DGE), NEFF_BIT_DGE, false,
                                 "descriptor that is made at run time"},
};
// clang-format on

typedef struct finder {
    const neff_module *module;
    bool begins[256];    // by opcode: a function begins
    bool generates[256]; // by opcode: descriptors are made at run time
    hoist_arena *arena;
    neff_feature_facts *facts;
    bool no_memory;
} finder;

// Keeps the first evidence: "queue set 'q0' of sg00". One is enough for a finding.
static void keep(finder *f, neff_feature feature, const char *kind, hoist_str name,
                 hoist_str subgraph)
{
    hoist_str *const found = &f->facts->found[feature];
    if (found->size == 0) {
        *found = hoist_arena_format(f->arena, "%s '%.*s' of %.*s", kind, HOIST_STR_ARGS(name),
                                    HOIST_STR_ARGS(subgraph));
        f->no_memory = f->no_memory || !found->data;
    }
}

// What def.json shows by itself.
static void look_at_queues(finder *f, const neff_subgraph *subgraph)
{
    for (uint32_t i = 0; i < subgraph->queue_count; i++) {
        const neff_queue_set *const queue = &subgraph->queues[i];
        if (queue->instances.count) {
            keep(f, NEFF_FEATURE_INSTANCES, "queue set", queue->name, subgraph->name);
        }
        if (queue->type == NEFF_QUEUE_ACT_LOAD) {
            keep(f, NEFF_FEATURE_ACT_LOAD, "queue set", queue->name, subgraph->name);
        }
        if (queue->type == NEFF_QUEUE_DYNAMIC) {
            keep(f, NEFF_FEATURE_GENERATION, "queue set", queue->name, subgraph->name);
        }
    }
}

// What an engine's JSON and stream show.
static void look_at_engine(finder *f, const neff_subgraph *subgraph, const neff_engine *engine)
{
    const hoist_str name = hoist_str_from(neff_engines[engine->id].key);
    if (engine->function_count) {
        keep(f, NEFF_FEATURE_FUNCTIONS, "engine", name, subgraph->name);
    }
    for (size_t i = 0; i < engine->block_count; i++) {
        if (engine->blocks[i].remote_semaphores.count) {
            keep(f, NEFF_FEATURE_REMOTE, "engine", name, subgraph->name);
            break;
        }
    }
    // Only the opcode of each record is looked at, by a table of 256: streams may be large.
    if (engine->instr == NEFF_NONE || engine->instr >= f->module->member_count) {
        return;
    }
    const neff_member *const member = &f->module->members[engine->instr];
    for (size_t at = 0; at + NEFF_RECORD_SIZE <= member->bytes.size; at += NEFF_RECORD_SIZE) {
        const uint8_t code = member->bytes.data[at];
        if (f->begins[code]) {
            keep(f, NEFF_FEATURE_FUNCTIONS, "stream", member->name, subgraph->name);
        }
        if (f->generates[code]) {
            keep(f, NEFF_FEATURE_GENERATION, "stream", member->name, subgraph->name);
        }
    }
}

hoist_status neff_find_features(const neff_module *module, int generation, hoist_arena *arena,
                                neff_feature_facts *out_facts)
{
    *out_facts = (neff_feature_facts){0};
    finder f = {.module = module, .arena = arena, .facts = out_facts};
    // The generation decides what an opcode is; of "any" it is that of 2 to 5.
    for (unsigned code = 0; code < 256; code++) {
        const neff_opcode *const row = neff_opcode_find((uint8_t)code, generation);
        f.begins[code] = row && row->form == NEFF_FORM_FUNCTION_BEGIN;
        f.generates[code] = row && row->kind == NEFF_CLASS_DGE;
    }
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        look_at_queues(&f, &module->subgraphs[i]);
        for (size_t e = 0; e < NEFF_ENGINE_COUNT; e++) {
            look_at_engine(&f, &module->subgraphs[i], &module->subgraphs[i].engines[e]);
        }
    }
    if (module->header.lnc_size == 2) {
        out_facts->found[NEFF_FEATURE_LNC] = HOIST_STR("lnc_size is 2");
    }
    return f.no_memory ? HOIST_NO_MEMORY : HOIST_OK;
}
