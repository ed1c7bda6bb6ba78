// Paths between nodes against a matrix of all pairs, in models of more nodes than one set has.
#include "formats/ark/paths.h"
#include "testing/test.h"

enum { NODES = 2600 };

HOIST_TEST(random_paths_are_those_of_a_matrix)
{
    static bool reaches[NODES][NODES];
    static uint32_t starts[NODES + 1], producers[2 * NODES];
    static ark_path paths[20000];
    uint64_t seed = 3;
    for (uint32_t i = 0; i < NODES; i++) {
        const uint64_t kind = i ? hoist_test_random(&seed) % 50 : 0;
        starts[i + 1] = starts[i];
        for (int k = kind == 0 ? 0 : kind < 10 ? 2 : 1; k > 0; k--) {
            const uint64_t most = hoist_test_random(&seed) % 200 ? 3 : 400;
            const uint64_t back = 1 + hoist_test_random(&seed) % most;
            const uint32_t from = back > i ? 0 : i - (uint32_t)back;
            producers[starts[i + 1]++] = from;
            reaches[from][i] = true;
            for (uint32_t a = 0; a < from; a++) {
                reaches[a][i] = reaches[a][i] || reaches[a][from];
            }
        }
    }
    size_t exist = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(paths); i++) {
        const uint32_t to = 1 + (uint32_t)(hoist_test_random(&seed) % (NODES - 1));
        const uint32_t from = (uint32_t)(hoist_test_random(&seed) % to);
        paths[i] = (ark_path){from, to, false};
        exist += reaches[from][to];
    }
    HOIST_EXPECT(t, exist > 1000 && exist < 19000);
    ark_module module = {.base = {.alloc = hoist_allocator_system()}};
    const ark_node_edges edges = {NODES, starts, producers, NULL};
    HOIST_EXPECT_EQ(t, ark_paths_find(&module, &edges, paths, HOIST_COUNT_OF(paths)), HOIST_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(paths); i++) {
        wrong += paths[i].exists != reaches[paths[i].from][paths[i].to];
    }
    HOIST_EXPECT_EQ(t, wrong, 0);
    module.base.deadline = hoist_test_deadline(t, 0);
    HOIST_EXPECT_EQ(t, ark_paths_find(&module, &edges, paths, 1), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, ark_paths_find(&module, &edges, paths, 0), HOIST_OK);
    hoist_deadline_destroy(module.base.deadline);
}

// 0 needs 2, which comes later, and itself; 1 needs 0 and 2; 2 needs 1.
static const ark_node_edges back = {3, (const uint32_t[]){0, 2, 4, 5},
                                    (const uint32_t[]){0, 2, 0, 2, 1}, NULL};

HOIST_TEST(edges_that_go_back_are_passed_over)
{
    const ark_module module = {.base = {.alloc = hoist_allocator_system()}};
    ark_path paths[] = {{0, 1, false}, {0, 2, false}, {1, 2, false}};
    HOIST_EXPECT_EQ(t, ark_paths_find(&module, &back, paths, 3), HOIST_OK);
    HOIST_EXPECT(t, paths[0].exists && paths[1].exists && paths[2].exists);
    const ark_node_edges none = {3, (const uint32_t[]){0, 1, 2, 2}, (const uint32_t[]){2, 2}, NULL};
    HOIST_EXPECT_EQ(t, ark_paths_find(&module, &none, paths, 3), HOIST_OK);
    HOIST_EXPECT(t, !paths[0].exists && !paths[1].exists && !paths[2].exists);
}

static hoist_status find(hoist_allocator alloc, const void *self)
{
    (void)self;
    const ark_module module = {.base = {.alloc = alloc}};
    ark_path path = {0, 2, false};
    const hoist_status status = ark_paths_find(&module, &back, &path, 1);
    return status == HOIST_OK && !path.exists ? HOIST_INTERNAL : status;
}

HOIST_TEST(memory_that_runs_out_is_reported)
{
    hoist_test_starve(t, find, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(random_paths_are_those_of_a_matrix),
                HOIST_TEST_ROW(edges_that_go_back_are_passed_over),
                HOIST_TEST_ROW(memory_that_runs_out_is_reported))
