// Every allocation of reading, checking, showing and writing a netlist fails once, alone and with
// all later ones: it is reported, nothing crashes, and all memory comes back.
#include <inttypes.h>

#include "formats/buda/netlist_testing.h"
#include "testing/drawing.h"
#include "testing/netlist_generator.h"
#include "testing/trace.h"

enum { SEEDS = HOIST_TEST_ROUNDS(6) };

// All that can be done with a netlist; the worst status. HOIST_NO_MEMORY also when the findings or
// the texts are incomplete.
static hoist_status do_all(hoist_allocator alloc, const void *text)
{
    const hoist_check_options options = {.resources = true};
    const hoist_read_options read_options = {.alloc = alloc};
    hoist_module *module = NULL;
    hoist_diag *diag = NULL;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth); // only the producer's failures show
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    hoist_status status = hoist_diag_create(alloc, NULL, &diag);
    if (status == HOIST_OK) {
        hoist_diag_source(diag, HOIST_STR("netlist.yaml"), HOIST_STR(""));
        status = hoist_buda_format.read(*(const hoist_bytes *)text, &read_options, diag, &module);
    }
    if (status == HOIST_OK) {
        status = hoist_buda_format.check(module, &options, diag);
    }
    if (status == HOIST_OK) {
        status = hoist_buda_format.info(module, &options, diag, &sink);
    }
    if (status == HOIST_OK) {
        status = hoist_drawing_text(&hoist_buda_format, module, &options, diag, 80, &out);
    }
    if (status == HOIST_OK) {
        status = hoist_buda_format.visit(module, NULL, &sink);
    }
    if (status == HOIST_OK) {
        status = hoist_buda_format.write(module, &out);
    }
    if (status == HOIST_OK && (out.failed || hoist_diag_incomplete(diag))) {
        status = HOIST_NO_MEMORY;
    }
    hoist_buffer_deinit(&out);
    hoist_buda_format.destroy(module);
    hoist_diag_destroy(diag);
    return status;
}

HOIST_TEST(generated_netlists_survive)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %" PRIu64, seed).data);
        const hoist_netlist_options options = {.seed = seed, .ops = 4 + seed % 3};
        const hoist_bytes text = buda_test_written(t, hoist_netlist_generate(&t->arena, &options));
        hoist_test_starve(t, do_all, &text);
    }
}

static const struct {
    const char *name;
    hoist_status (*part)(const buda_check *);
} parts[] = {
    {"structure", buda_check_structure}, {"ops", buda_check_ops},
    {"fused ops", buda_check_fused},     {"shapes", buda_check_shapes},
    {"memory", buda_check_memory},       {"programs", buda_check_programs},
};

HOIST_TEST_TABLE(parts_survive, parts)
{
    const hoist_netlist_options options = {.seed = 3, .ops = 4};
    buda_test_starve(t, buda_test_written(t, hoist_netlist_generate(&t->arena, &options)),
                     row->part);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(generated_netlists_survive), HOIST_TEST_ROW(parts_survive))
