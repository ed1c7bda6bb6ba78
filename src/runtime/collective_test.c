#include <string.h>

#include "runtime/collective.h"
#include "testing/test.h"

enum { MOST = 4, ROOM = 16 };

// Three members with the sources {1 2}, {10 20}, {100 200}; `in_place`: the destination is the
// source.
// clang-format off
static const struct {
    const char *name;
    hoist_collective_kind kind;
    hoist_reduce_op op;
    size_t members;
    int64_t sources;      // elements of each
    int64_t destinations; // elements of each
    bool in_place;
    hoist_status status;
    float expected[MOST][ROOM];
} cases[] = {
    {"barrier", HOIST_COLLECTIVE_BARRIER, HOIST_REDUCE_ADD, 3, 2, 2, false, HOIST_OK, {{0}}},
    {"sum", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_ADD, 3, 2, 2, false, HOIST_OK, {{111, 222}, {111, 222}, {111, 222}}},
    {"sum in place", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_ADD, 3, 2, 2, true, HOIST_OK, {{111, 222}, {111, 222}, {111, 222}}},
    {"one member", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_ADD, 1, 2, 2, false, HOIST_OK, {{1, 2}}},
    {"least", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_MIN, 2, 2, 2, false, HOIST_OK, {{1, 2}, {1, 2}}},
    {"largest", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_MAX, 2, 2, 2, false, HOIST_OK, {{10, 20}, {10, 20}}},
    {"product", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_MUL, 3, 2, 2, false, HOIST_OK, {{1000, 8000}, {1000, 8000}, {1000, 8000}}},
    {"product in place", HOIST_COLLECTIVE_ALL_REDUCE, HOIST_REDUCE_MUL, 2, 2, 2, true, HOIST_OK, {{10, 40}, {10, 40}}},
    {"gather", HOIST_COLLECTIVE_ALL_GATHER, HOIST_REDUCE_ADD, 3, 2, 6, false, HOIST_OK, {{1, 2, 10, 20, 100, 200}, {1, 2, 10, 20, 100, 200}, {1, 2, 10, 20, 100, 200}}},
    {"gather into too little", HOIST_COLLECTIVE_ALL_GATHER, HOIST_REDUCE_ADD, 3, 2, 2, false, HOIST_INVALID, {{0}}},
    {"scatter", HOIST_COLLECTIVE_REDUCE_SCATTER, HOIST_REDUCE_ADD, 2, 2, 1, false, HOIST_OK, {{11}, {22}}},
    {"scatter that does not divide", HOIST_COLLECTIVE_REDUCE_SCATTER, HOIST_REDUCE_ADD, 3, 2, 1, false, HOIST_INVALID, {{0}}},
    {"broadcast", HOIST_COLLECTIVE_BROADCAST, HOIST_REDUCE_ADD, 3, 2, 2, false, HOIST_OK, {{1, 2}, {1, 2}, {1, 2}}},
    {"broadcast in place", HOIST_COLLECTIVE_BROADCAST, HOIST_REDUCE_ADD, 2, 2, 2, true, HOIST_OK, {{1, 2}, {1, 2}}},
};
// clang-format on

static const hoist_move_kernels *baseline(void)
{
    return hoist_move_kernels_at(HOIST_CPU_BASELINE);
}

static hoist_view view_of(hoist_test *t, float *memory, int64_t count)
{
    const hoist_shape shape = {.rank = 1, .dim = {count}};
    hoist_view view;
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){(uint8_t *)memory, ROOM * sizeof(float)},
                                    HOIST_DTYPE_F32, &shape, 0, NULL, &view),
                    HOIST_OK);
    return view;
}

HOIST_TEST_TABLE(what_members_get, cases)
{
    static const float given[MOST][2] = {{1, 2}, {10, 20}, {100, 200}};
    float sources[MOST][ROOM] = {{0}};
    float destinations[MOST][ROOM] = {{0}};
    hoist_collective_member members[MOST];
    for (size_t i = 0; i < row->members; i++) {
        memcpy(sources[i], given[i], sizeof given[i]);
        members[i].is_elsewhere = false;
        members[i].source = view_of(t, sources[i], row->sources);
        members[i].destination =
            view_of(t, row->in_place ? sources[i] : destinations[i], row->destinations);
    }
    const hoist_prog_collective step = {.kind = row->kind, .op = row->op};
    HOIST_EXPECT_EQ(
        t, hoist_collective_run(&step, members, row->members, baseline(), hoist_allocator_system()),
        row->status);
    for (size_t i = 0; i < row->members && row->status == HOIST_OK; i++) {
        const float *got = row->in_place ? sources[i] : destinations[i];
        for (int64_t k = 0; k < row->destinations; k++) {
            HOIST_EXPECT_EQ(t, got[k], row->expected[i][k]);
        }
    }
}

HOIST_TEST(no_memory_is_said)
{
    float memory[2][ROOM] = {{1, 2}};
    const hoist_collective_member member = {view_of(t, memory[0], 2), view_of(t, memory[1], 2),
                                            false};
    const hoist_prog_collective step = {.kind = HOIST_COLLECTIVE_ALL_REDUCE};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    HOIST_EXPECT_EQ(
        t,
        hoist_collective_run(&step, &member, 1, baseline(), hoist_failing_allocator(&failing, 1)),
        HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_members_get), HOIST_TEST_ROW(no_memory_is_said))
