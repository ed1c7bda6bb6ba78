// Every netlist of the corpus that runs in the reference: its program reads back from its text as
// it was, and no order that its waits permit is wrong. Programs of a netlist are judged in the
// order of the file, each after all before it. Those that are not clean are named here, with the
// reason.
#include <string.h>

#include "base/alloc.h"
#include "machine/order.h"
#include "netlists.h"
#include "program/text.h"

enum { MAX_PARAMETERS = 64, MAX_ENTRIES = 16 };

// clang-format off
static const struct {
    const char *path; // its end
    hoist_verdict verdict;
    const char *why; // shown where the verdict is another one
} exceptions[] = {
    {"netlist_train.yaml", HOIST_VERDICT_BAD,
     "the backward program goes back to what the forward one has popped, where the host may push"},
    {"gptr_multiple_side_effects.yaml", HOIST_VERDICT_UNKNOWN, "a read pointer goes back"},
};
// clang-format on

// What a netlist's verdict should be; `*out_why` when it is not clean.
static hoist_verdict wanted_of(const netlist *n, const char **out_why)
{
    *out_why = "";
    const hoist_str path = hoist_str_from(n->row->path);
    for (size_t i = 0; i < HOIST_COUNT_OF(exceptions); i++) {
        if (hoist_str_ends_with(path, exceptions[i].path)) {
            *out_why = exceptions[i].why;
            return exceptions[i].verdict;
        }
    }
    return HOIST_VERDICT_CLEAN;
}

static hoist_str print(const netlist *n, const hoist_program *program)
{
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    HOIST_EXPECT_EQ(n->t, hoist_program_print(program, &buffer), HOIST_OK);
    const hoist_str text = hoist_arena_str(&n->t->arena, hoist_buffer_text(&buffer));
    hoist_buffer_deinit(&buffer);
    return text;
}

static void expect_round_trip(const netlist *n)
{
    const hoist_str text = print(n, n->program);
    hoist_program *read = NULL;
    HOIST_EXPECT_EQ(n->t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text.data, text.size},
                                        hoist_allocator_system(), n->t->diag, &read),
                    HOIST_OK);
    HOIST_EXPECT(n->t, read && hoist_str_equal(print(n, read), text));
    hoist_program_destroy(read);
}

static hoist_verdict judge(const netlist *n, hoist_ref entry)
{
    hoist_ref before[MAX_ENTRIES];
    int64_t parameters[MAX_PARAMETERS];
    const hoist_prog_entry *e = &n->program->entries[entry];
    HOIST_EXPECT(n->t, entry <= MAX_ENTRIES && e->parameter_count <= MAX_PARAMETERS);
    for (hoist_ref i = 0; i < entry && i < MAX_ENTRIES; i++) {
        before[i] = i;
    }
    for (uint32_t i = 0; i < e->parameter_count && i < MAX_PARAMETERS; i++) {
        parameters[i] = netlist_parameter(n, e->parameters[i].name);
    }
    const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                         .parameters = parameters,
                                         .before = before,
                                         .before_count = entry};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    HOIST_EXPECT_EQ(n->t,
                    hoist_program_check_order(n->program, entry, &options, n->t->diag, &verdict),
                    HOIST_OK);
    return verdict;
}

static void check_netlist(const netlist *n)
{
    if (!netlist_runs(n)) {
        return;
    }
    expect_round_trip(n);
    hoist_verdict worst = HOIST_VERDICT_CLEAN;
    for (hoist_ref i = 0; i < n->program->entry_count && worst == HOIST_VERDICT_CLEAN; i++) {
        worst = judge(n, i);
    }
    const char *why = NULL;
    const hoist_verdict wanted = wanted_of(n, &why);
    if (worst != wanted) {
        const hoist_str all = hoist_test_findings(n->t);
        hoist_test_fail(n->t, __FILE__, __LINE__, "the verdict is %d, expected %d (%s)\n%.*s",
                        (int)worst, (int)wanted, why, HOIST_STR_ARGS(all));
    }
}

HOIST_TEST(no_order_of_a_netlist_is_wrong)
{
    netlists_each(t, "buda", check_netlist);
}

HOIST_TEST(no_order_of_a_large_netlist_is_wrong)
{
    netlists_each(t, "buda-large", check_netlist);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(no_order_of_a_netlist_is_wrong),
                HOIST_TEST_ROW(no_order_of_a_large_netlist_is_wrong))
