// Any bytes as the def.json of a subgraph: read with its engines and judged, for any generation and
// for each that --target names. What it asks for is freed, and what it finds has a place.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/neff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_MEMORY = 256 << 20 };

// What a def.json can refer to.
static const struct {
    const char *name;
    const char *text;
} others[] = {
    {"neff.json", "{\"nodes\": [{\"op\": \"null\", \"name\": \"input\"}, {\"op\": \"__kelf\", "
                  "\"name\": \"sg\", \"attrs\": {\"kelf\": \"kelf-0.json\", \"output\": "
                  "\"output\"}, \"inputs\": [[0, 0, 0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, "
                  "0]], \"node_row_ptr\": [0, 1, 2], \"attrs\": {\"dltype\": [\"list_str\", "
                  "[\"float32\", \"uint8\"]], \"shape\": [\"list_shape\", [[2, 8], [64]]]}}"},
    {"kelf-0.json", "{\"graphs\": [{\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}], "
                    "\"version\": \"0.5\", \"target\": \"*\"}"},
    {"sg00/sp.json",
     "{\"instr\": \"sp.bin\", \"dma\": [{\"id\": 0, \"queue\": \"q0\", \"desc\": [{\"from\": \"w\","
     " \"from_off\": 0, \"from_sizes\": [4, 128], \"from_steps\": [1, 4], \"to\": \"SB\", "
     "\"to_off\": 0, \"to_sizes\": [4, 128], \"to_steps\": [1, 262144]}]}, {\"id\": 1, "
     "\"instance_name\": \"a\", \"desc\": [{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": "
     "[8], \"from_steps\": [1], \"to\": \"SB\", \"to_off\": 3, \"to_sizes\": [2, 4], \"to_steps\": "
     "[-3, 64]}]}]}"},
    {"sg00/pe.json", "{\"dma\": []}"},
    {"sg00/w.bin", "twelve bytes"},
    {"sg00/w.npy", "\x93NUMPY\x01"},
};

// Triggers of q0, as generation 1 and as later ones write the name.
static const uint8_t stream[2 * 64] = {
    [0] = 0xc1, [1] = 0x10, [8] = 'q', [9] = '0', [64] = 0xc1, [65] = 0x10, [76] = 'q', [77] = '0'};

static void fuzz_require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static hoist_status add_member(neff_module *module, const char *name, hoist_bytes bytes)
{
    neff_member *const member = &module->members[module->member_count];
    *member = (neff_member){.name = hoist_str_from(name), .bytes = bytes};
    return hoist_map_add(&module->member_names, member->name, module->member_count++, NULL);
}

static hoist_status add_members(neff_module *module, hoist_bytes def)
{
    const size_t count = HOIST_COUNT_OF(others) + 2;
    module->members = hoist_arena_array(&module->arena, count, sizeof(neff_member));
    if (!module->members) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(others); i++) {
        const hoist_str text = hoist_str_from(others[i].text);
        const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
        HOIST_TRY(add_member(module, others[i].name, bytes));
    }
    HOIST_TRY(add_member(module, "sg00/sp.bin", (hoist_bytes){stream, sizeof(stream)}));
    return add_member(module, "sg00/def.json", def);
}

static void judge(neff_module *module, hoist_diag *diag, const char *target)
{
    static hoist_status (*const parts[])(neff_check *) = {neff_check_graph, neff_check_def,
                                                          neff_check_queues};
    const hoist_check_options options = {.arch = hoist_str_from(target)};
    neff_check check = {.module = module, .diag = diag, .options = &options};
    check.generation = neff_generation_for(module, &options, &check.target_given);
    hoist_arena_init(&check.arena, module->base.alloc);
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        const hoist_status status = parts[i](&check);
        fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY || status == HOIST_LIMIT);
    }
    hoist_arena_deinit(&check.arena);
}

// What the checks rely on.
static void check_tables(const neff_subgraph *s)
{
    for (uint32_t i = 0; i < s->var_count; i++) {
        const neff_var *const var = &s->vars[i];
        const uint32_t same = neff_var_by_id(s, var->var_id);
        fuzz_require(s->by_id[i] < s->var_count);
        fuzz_require(!neff_has(&neff_var_table, var->present, "var_id") ||
                     (same != NEFF_NONE && s->vars[same].var_id == var->var_id));
        fuzz_require(var->referenced == NEFF_NONE || var->referenced < s->var_count);
    }
    for (uint32_t i = 0; i < s->instance_count; i++) {
        fuzz_require(s->instances[i].queue < s->queue_count);
    }
}

static void read_and_judge(neff_module *module, hoist_diag *diag)
{
    static const char *const targets[] = {NULL, "inf1", "trn1", "trn2", "trn3"};
    const hoist_read_options options = {.alloc = module->base.alloc, .keep = true};
    neff_reader reader = {
        .module = module, .diag = diag, .options = &options, .arena = &module->arena};
    const hoist_status status = neff_read_members(&reader);
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY || status == HOIST_LIMIT);
    if (status == HOIST_OK) {
        check_tables(&module->subgraphs[0]);
        for (size_t i = 0; i < HOIST_COUNT_OF(targets); i++) {
            judge(module, diag, targets[i]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_diag *diag = NULL;
    neff_module *const module = neff_module_create(alloc, (hoist_bytes){0});
    if (module && hoist_diag_create(alloc, NULL, &diag) == HOIST_OK &&
        add_members(module, (hoist_bytes){data, size}) == HOIST_OK) {
        read_and_judge(module, diag);
    }
    if (module) {
        neff_graph_deinit(module);
    }
    neff_module_free(module);
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
