// Parts and frames of folders.
#include <string.h>

#include "base/alloc.h"
#include "formats/folder_parts.h"
#include "testing/test.h"

static const uint8_t file[] = "head AAAA tail BB end";
static const hoist_bytes whole = {file, sizeof(file) - 1};
static const hoist_bytes places[] = {{file + 5, 4}, {file + 15, 2}, {NULL, 0}};

HOIST_TEST(frames_have_zeros_and_take_members)
{
    static const hoist_bytes others[] = {
        {(const uint8_t *)"1234", 4}, {(const uint8_t *)"56", 2}, {NULL, 0}};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_frame_cut(whole, places, 3, &out);
    HOIST_EXPECT(t, out.size == whole.size &&
                        memcmp(out.data, "head \0\0\0\0 tail \0\0 end", 21) == 0);
    out.size = 0;
    HOIST_EXPECT(t, hoist_frame_fill(whole, places, others, 3, &out));
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "head 1234 tail 56 end");
    hoist_buffer_deinit(&out);
}

static const struct {
    const char *name;
    hoist_bytes member;
} misfits[] = {
    {"longer", {(const uint8_t *)"12345", 5}},
    {"shorter", {(const uint8_t *)"123", 3}},
    {"absent", {NULL, 0}},
};

HOIST_TEST_TABLE(other_sizes_do_not_fit, misfits)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT(t, !hoist_frame_fill(whole, places, &row->member, 1, &out));
    HOIST_EXPECT_EQ(t, out.size, 0);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(members_are_compared)
{
    static const hoist_bytes too_many[] = {{file, 20}, {file, 2}};
    static const hoist_bytes moved[] = {{file + 6, 4}, {file + 15, 2}, {NULL, 0}};
    static const uint8_t zeros[4] = {0};
    static const uint8_t late[4] = {0, 0, 1, 1};
    HOIST_EXPECT(t, hoist_frame_is_split(whole, places, 3));
    HOIST_EXPECT(t, !hoist_frame_is_split(whole, too_many, 2));
    HOIST_EXPECT(t, hoist_frame_same_places(whole, places, whole, places, 3));
    HOIST_EXPECT(t, !hoist_frame_same_places(whole, places, whole, moved, 3));
    HOIST_EXPECT(t, hoist_frame_same_bytes(places, places, 3));
    HOIST_EXPECT(t, !hoist_frame_same_bytes(places, moved, 3));
    HOIST_EXPECT(t, hoist_frame_is_hole((hoist_bytes){zeros, 4}));
    HOIST_EXPECT(t, hoist_frame_is_hole((hoist_bytes){zeros, 1}));
    HOIST_EXPECT(t, !hoist_frame_is_hole((hoist_bytes){zeros, 0}));
    HOIST_EXPECT(t, !hoist_frame_is_hole((hoist_bytes){late, 4}));
    HOIST_EXPECT(t, !hoist_frame_is_hole(places[0]));
}

HOIST_TEST(every_part_has_one_place)
{
    static const hoist_part items[] = {{.path = {"a", 1}}, {.path = {"b", 1}}, {.path = {"a", 1}}};
    hoist_parts parts;
    HOIST_EXPECT_EQ(t, hoist_parts_init(&parts, items, 2, t->arena.alloc, t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_parts_take(&parts, HOIST_STR("a")) == &items[0]);
    HOIST_EXPECT(t, hoist_parts_take(&parts, HOIST_STR("c")) == NULL);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_parts_check_rest(&parts), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FOLD-002");
    HOIST_EXPECT(t, hoist_parts_take(&parts, HOIST_STR("b")) == &items[1]);
    HOIST_EXPECT_EQ(t, hoist_parts_check_rest(&parts), HOIST_OK);
    hoist_parts_deinit(&parts, t->arena.alloc);
    HOIST_EXPECT_EQ(t, hoist_parts_init(&parts, items, 3, t->arena.alloc, t->diag), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FOLD-003");
    hoist_parts_deinit(&parts, t->arena.alloc);
}

static hoist_status keep(hoist_allocator alloc, const void *self)
{
    hoist_parts parts;
    hoist_arena arena;
    hoist_buffer buffer;
    hoist_bytes kept;
    hoist_status status = hoist_parts_init(&parts, self, 2, alloc, NULL);
    hoist_arena_init(&arena, alloc);
    hoist_buffer_init(&buffer, alloc);
    hoist_buffer_add(&buffer, whole);
    status = status == HOIST_OK ? hoist_buffer_keep(&buffer, &arena, &kept) : status;
    hoist_buffer_deinit(&buffer);
    hoist_arena_deinit(&arena);
    hoist_parts_deinit(&parts, alloc);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    static const hoist_part items[] = {{.path = {"a", 1}}, {.path = {"b", 1}}};
    hoist_test_starve(t, keep, items);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(frames_have_zeros_and_take_members),
                HOIST_TEST_ROW(other_sizes_do_not_fit), HOIST_TEST_ROW(members_are_compared),
                HOIST_TEST_ROW(every_part_has_one_place), HOIST_TEST_ROW(gives_memory_back))
