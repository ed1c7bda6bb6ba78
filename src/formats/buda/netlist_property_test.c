// Properties of netlists that a generator makes: they are clean, they come back from a round trip,
// and each single mistake put into them is reported under its rule.
#include <inttypes.h>

#include "formats/buda/netlist_testing.h"
#include "testing/netlist_generator.h"
#include "testing/trace.h"

enum { SEEDS = HOIST_TEST_ROUNDS(150) };

static hoist_text_node *generate(hoist_test *t, uint64_t seed)
{
    return hoist_netlist_generate(&t->arena, &(hoist_netlist_options){.seed = seed});
}

HOIST_TEST(generated_netlists_are_clean)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %" PRIu64, seed).data);
        buda_test_check(t, buda_test_written(t, generate(t, seed)), NULL);
        if (hoist_diag_count(t->diag, HOIST_ERROR) + hoist_diag_count(t->diag, HOIST_WARNING)) {
            const hoist_str all = hoist_test_findings(t);
            hoist_test_fail(t, __FILE__, __LINE__, "expected no finding, got\n%.*s",
                            HOIST_STR_ARGS(all));
        }
    }
}

// One netlist as events and as text again.
typedef struct forms {
    hoist_buffer events;
    hoist_buffer text;
} forms;

static void forms_init(hoist_test *t, forms *f, hoist_bytes bytes)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    hoist_buffer_init(&f->events, hoist_allocator_system());
    hoist_buffer_init(&f->text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(bytes, &options, t->diag, &module), HOIST_OK);
    if (module) {
        hoist_tree_sink sink = hoist_trace_sink(&f->events);
        HOIST_EXPECT_EQ(t, hoist_buda_format.visit(module, NULL, &sink), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_buda_format.write(module, &f->text), HOIST_OK);
    }
    hoist_buda_format.destroy(module);
}

static void forms_deinit(forms *f)
{
    hoist_buffer_deinit(&f->events);
    hoist_buffer_deinit(&f->text);
}

HOIST_TEST(generated_netlists_round_trip)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        forms first;
        forms second;
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %" PRIu64, seed).data);
        forms_init(t, &first, buda_test_written(t, generate(t, seed)));
        forms_init(t, &second, hoist_buffer_bytes(&first.text));
        HOIST_EXPECT(t, first.events.size > 0 && first.text.size > 0);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&first.events),
                                        hoist_buffer_text(&second.events)));
        HOIST_EXPECT(
            t, hoist_str_equal(hoist_buffer_text(&first.text), hoist_buffer_text(&second.text)));
        // What was written is as clean as what was read.
        buda_test_check(t, hoist_buffer_bytes(&first.text), NULL);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
        forms_deinit(&first);
        forms_deinit(&second);
    }
}

// The shape that a bench asks for: much of everything in one file.
HOIST_TEST(a_large_netlist_is_clean)
{
    const hoist_netlist_options options = {.seed = 5, .programs = 6, .graphs = 8, .ops = 60};
    const hoist_text_node *root = hoist_netlist_generate(&t->arena, &options);
    size_t ops = 0;
    for (const hoist_text_node *g = hoist_text_find(root, "graphs")->first; g; g = g->next) {
        ops += hoist_text_count(g) - 2;
    }
    HOIST_EXPECT(t, ops > 500);
    buda_test_check(t, buda_test_written(t, root), NULL);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(generated_netlists_are_clean),
                HOIST_TEST_ROW(generated_netlists_round_trip),
                HOIST_TEST_ROW(a_large_netlist_is_clean))
