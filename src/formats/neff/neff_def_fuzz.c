// Any bytes as the def.json of a subgraph: read with its engines and checked, for any generation
// and for each that --target names. What it asks for is freed, and what it finds has a place.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/neff_fuzz_testing.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20 };

// Triggers of q0, as generation 1 and as later ones write the name.
static const uint8_t stream[2 * 64] = {
    [0] = 0xc1, [1] = 0x10, [8] = 'q', [9] = '0', [64] = 0xc1, [65] = 0x10, [76] = 'q', [77] = '0'};

// What a def.json can refer to, and itself.
static hoist_status add_members(neff_module *module, hoist_bytes def)
{
    const neff_fuzz_member members[] = {
        neff_fuzz_graph,
        neff_fuzz_kelf,
        NEFF_FUZZ_TEXT(
            "sg00/sp.json",
            "{\"instr\": \"sp.bin\", \"dma\": [{\"id\": 0, \"queue\": \"q0\", \"desc\": "
            "[{\"from\": \"w\","
            " \"from_off\": 0, \"from_sizes\": [4, 128], \"from_steps\": [1, 4], \"to\": \"SB\", "
            "\"to_off\": 0, \"to_sizes\": [4, 128], \"to_steps\": [1, 262144]}]}, {\"id\": 1, "
            "\"instance_name\": \"a\", \"desc\": [{\"from\": \"input\", \"from_off\": 0, "
            "\"from_sizes\": "
            "[8], \"from_steps\": [1], \"to\": \"SB\", \"to_off\": 3, \"to_sizes\": [2, 4], "
            "\"to_steps\": "
            "[-3, 64]}]}]}"),
        NEFF_FUZZ_TEXT("sg00/pe.json", "{\"dma\": []}"),
        NEFF_FUZZ_TEXT("sg00/w.bin", "twelve bytes"),
        NEFF_FUZZ_TEXT("sg00/w.npy", "\x93NUMPY\x01"),
        {"sg00/sp.bin", {stream, sizeof(stream)}},
        {"sg00/def.json", def},
    };
    return neff_fuzz_add_members(module, members, HOIST_COUNT_OF(members));
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

static void read_and_check(neff_module *module, hoist_diag *diag)
{
    static neff_fuzz_part *const parts[] = {neff_check_graph, neff_check_def, neff_check_queues};
    static const char *const targets[] = {NULL, "inf1", "trn1", "trn2", "trn3"};
    const hoist_read_options options = {.alloc = module->base.alloc, .keep = true};
    neff_reader reader = {
        .module = module, .diag = diag, .options = &options, .arena = &module->arena};
    if (fuzz_came(neff_read_members(&reader))) {
        check_tables(&module->subgraphs[0]);
        for (size_t i = 0; i < HOIST_COUNT_OF(targets); i++) {
            neff_fuzz_check(module, diag, targets[i], parts, HOIST_COUNT_OF(parts));
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
        read_and_check(module, diag);
    }
    if (module) {
        neff_graph_deinit(module);
    }
    neff_module_free(module);
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
