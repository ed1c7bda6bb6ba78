#include "base/map.h"
#include "base/span.h"
#include "testing/test.h"

HOIST_TEST(the_first_of_a_name_is_kept)
{
    hoist_map map;
    hoist_map_init(&map, hoist_allocator_system());
    size_t value = 77;
    HOIST_EXPECT(t, !hoist_map_find(&map, HOIST_STR("a"), &value));
    HOIST_EXPECT_EQ(t, value, 0);
    HOIST_EXPECT_EQ(t, hoist_map_add(&map, HOIST_STR("a"), 5, &value), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_map_add(&map, HOIST_STR("a"), 6, &value), HOIST_BUSY);
    HOIST_EXPECT_EQ(t, value, 5);
    HOIST_EXPECT_EQ(t, hoist_map_add(&map, HOIST_STR("a"), 7, NULL), HOIST_BUSY);
    HOIST_EXPECT_EQ(t, map.count, 1);
    HOIST_EXPECT(t, hoist_map_find(&map, HOIST_STR("a"), &value));
    HOIST_EXPECT_EQ(t, value, 5);
    HOIST_EXPECT(t, !hoist_map_find(&map, HOIST_STR("A"), &value));
    hoist_map_deinit(&map);
}

HOIST_TEST(any_bytes_are_a_name)
{
    static const hoist_str names[] = {{NULL, 0},  {"\0", 1},   {"\0\0", 2}, {"a", 1},
                                      {"a\0", 2}, {"a\0b", 3}, {"\xff", 1}, {" a", 2}};
    hoist_map map;
    hoist_map_init(&map, hoist_allocator_system());
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        HOIST_EXPECT_EQ(t, hoist_map_add(&map, names[i], i + 100, NULL), HOIST_OK);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        size_t value = 0;
        HOIST_EXPECT(t, hoist_map_find(&map, names[i], &value));
        HOIST_EXPECT_EQ(t, value, i + 100);
    }
    hoist_map_deinit(&map);
}

HOIST_TEST(thousands_of_names_are_found)
{
    enum { NAMES = 5000 };
    hoist_failing failing;
    hoist_map map;
    hoist_map_init(&map, hoist_failing_allocator(&failing, 0));
    for (size_t i = 0; i < NAMES; i++) {
        const hoist_str name = hoist_arena_format(&t->arena, "queue_%zu", i);
        HOIST_EXPECT_EQ(t, hoist_map_add(&map, name, i, NULL), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, map.count, NAMES);
    HOIST_EXPECT(t, map.capacity * 2 >= (size_t)NAMES * 3 && map.capacity <= (size_t)NAMES * 4);
    for (size_t i = 0; i < NAMES; i++) {
        size_t value = 0;
        // Another copy of the name: found by its bytes.
        const hoist_str name = hoist_arena_format(&t->arena, "queue_%zu", i);
        HOIST_EXPECT(t, hoist_map_find(&map, name, &value) && value == i);
        const hoist_str absent = hoist_arena_format(&t->arena, "queue_%zu ", i);
        HOIST_EXPECT(t, !hoist_map_find(&map, absent, &value) && value == 0);
    }
    hoist_map_deinit(&map);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST(a_map_that_cannot_grow_keeps_what_it_has)
{
    hoist_failing failing;
    hoist_map map;
    hoist_map_init(&map, hoist_failing_allocator(&failing, 2));
    size_t added = 0;
    size_t value = 0;
    hoist_status status = HOIST_OK;
    while (status == HOIST_OK) {
        const hoist_str name = hoist_arena_format(&t->arena, "%zu", added);
        status = hoist_map_add(&map, name, added, &value);
        added += status == HOIST_OK;
    }
    HOIST_EXPECT_EQ(t, status, HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, added, 10); // two thirds of 16
    for (size_t i = 0; i < added; i++) {
        const hoist_str name = hoist_arena_format(&t->arena, "%zu", i);
        HOIST_EXPECT(t, hoist_map_find(&map, name, &value) && value == i);
    }
    hoist_map_deinit(&map);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_first_of_a_name_is_kept), HOIST_TEST_ROW(any_bytes_are_a_name),
                HOIST_TEST_ROW(thousands_of_names_are_found),
                HOIST_TEST_ROW(a_map_that_cannot_grow_keeps_what_it_has))
