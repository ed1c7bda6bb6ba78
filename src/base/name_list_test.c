#include "base/name_list.h"
#include "base/span.h"
#include "testing/test.h"

static const struct {
    const char *name;
    size_t count; // of names: "n0", "n1" ...
    const char *want;
} rows[] = {
    {"no name", 0, "none"},
    {"one", 1, "'n0'"},
    {"two", 2, "'n0', 'n1'"},
    {"as many as are written", 8, "'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'"},
    {"one more", 9, "'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7' and 1 more"},
    {"many", 1000, "'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7' and 992 more"},
};

static void fill(hoist_test *t, hoist_name_list *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hoist_name_list_add(list, hoist_arena_format(&t->arena, "n%zu", i));
    }
}

HOIST_TEST_TABLE(texts, rows)
{
    hoist_name_list list;
    hoist_name_list_init(&list, hoist_allocator_system());
    fill(t, &list, row->count);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_name_list_text(&list)), row->want);
    hoist_name_list_deinit(&list);
}

HOIST_TEST(memory_runs_out)
{
    hoist_failing failing;
    hoist_name_list list;
    hoist_name_list_init(&list, hoist_failing_allocator(&failing, 1));
    fill(t, &list, 2);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_name_list_text(&list)),
                     "names that no memory is left for");
    hoist_name_list_deinit(&list);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts), HOIST_TEST_ROW(memory_runs_out))
