#include "base/block.h"
#include "base/buffer.h"
#include "testing/test.h"

static const struct {
    const char *name;
    hoist_block block;
    uint64_t count;
    const char *normal; // rank, size and offset, then count x stride
    const char *ranges; // in the order of the walk over the normal form
} blocks[] = {
    {"a range", {7, 5, 0, {0}, {0}}, 1, "0 5 7", "7-12"},
    {"no bytes", {7, 0, 1, {3}, {9}}, 0, "0 0 0", ""},
    {"no rows", {7, 5, 2, {3, 0}, {9, 9}}, 0, "0 0 0", ""},
    {"one dense array", {4, 4, 2, {3, 5}, {20, 4}}, 15, "0 60 4", "4-64"},
    {"rows of a wider array", {4, 4, 2, {3, 2}, {20, 4}}, 6, "1 8 4 3x20", "4-12 24-32 44-52"},
    {"a column", {8, 4, 2, {3, 1}, {20, 4}}, 3, "1 4 8 3x20", "8-12 28-32 48-52"},
    {"planes that continue",
     {0, 2, 3, {2, 3, 1}, {15, 5, 2}},
     6,
     "1 2 0 6x5",
     "0-2 5-7 10-12 15-17 20-22 25-27"},
    {"planes with a gap",
     {0, 2, 3, {2, 2, 1}, {15, 5, 2}},
     4,
     "2 2 0 2x15 2x5",
     "0-2 5-7 15-17 20-22"},
    {"ones everywhere", {9, 3, 4, {1, 1, 1, 1}, {1, 2, 3, 4}}, 1, "0 3 9", "9-12"},
    {"four that do not continue",
     {0, 1, 4, {2, 2, 2, 2}, {100, 40, 10, 3}},
     16,
     "4 1 0 2x100 2x40 2x10 2x3",
     "0-1 3-4 10-11 13-14 40-41 43-44 50-51 53-54 100-101 103-104 110-111 113-114 140-141 143-144 "
     "150-151 153-154"},
    {"the same again", {5, 2, 1, {9}, {0}}, 9, "0 2 5", "5-7"},
    {"smaller strides outside",
     {0, 2, 2, {2, 2}, {4, 8}},
     4,
     "2 2 0 2x4 2x8",
     "0-2 8-10 4-6 12-14"},
    {"up to the last byte",
     {UINT64_MAX - 11, 1, 1, {2}, {10}},
     2,
     "1 1 18446744073709551604 2x10",
     "18446744073709551604-18446744073709551605 18446744073709551614-18446744073709551615"},
    {"an extent beyond 64 bits",
     {0, 1, 2, {2, 3}, {UINT64_C(2553255926290448384), UINT64_C(7000000000000000000)}},
     6,
     "2 1 0 2x2553255926290448384 3x7000000000000000000",
     "0-1 7000000000000000000-7000000000000000001 14000000000000000000-14000000000000000001 "
     "2553255926290448384-2553255926290448385 9553255926290448384-9553255926290448385 "
     "16553255926290448384-16553255926290448385"},
    {"more than can be counted",
     {0, 1, 3, {UINT64_C(1) << 30, UINT64_C(1) << 30, 1 << 10}, {0, 0, 0}},
     UINT64_MAX,
     "0 1 0",
     "0-1"},
};

HOIST_TEST_TABLE(blocks_have_few_ranges, blocks)
{
    const hoist_block normal = hoist_block_normal(&row->block);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_block_count(&row->block), row->count);
    hoist_buffer_format(&out, "%d %llu %llu", normal.rank, (unsigned long long)normal.size,
                        (unsigned long long)normal.offset);
    for (int i = 0; i < normal.rank; i++) {
        hoist_buffer_format(&out, " %llux%llu", (unsigned long long)normal.count[i],
                            (unsigned long long)normal.stride[i]);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->normal);
    hoist_buffer_deinit(&out);
    hoist_block_walk walk = {.block = &normal};
    uint64_t end = 0;
    for (hoist_run run; hoist_block_next(&walk, &run);) {
        hoist_buffer_format(&out, "%s%llu-%llu", out.size ? " " : "", (unsigned long long)run.begin,
                            (unsigned long long)run.end);
        end = run.end > end ? run.end : end;
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->ranges);
    HOIST_EXPECT(t, row->count == 0 || hoist_block_end(&row->block) == end);
    HOIST_EXPECT_EQ(t, hoist_block_end(&normal), row->count ? end : 0);
    HOIST_EXPECT(t, row->count || hoist_block_end(&row->block) == row->block.offset);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(blocks_have_few_ranges))
