#include "page/rows.h"
#include "testing/test.h"

static void send_row(hoist_tree_sink *sink, const char *name, double low)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "name", name);
    hoist_tree_c(sink, "device", "core");
    hoist_tree_uint(sink, "steps", 7, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", 64, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "begin_seconds", 0.5, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "low_seconds", low, HOIST_UNIT_NONE);
    hoist_tree_null(sink, "high_seconds");
    hoist_tree_end(sink);
}

// What is for people repeats rows in other words; members of deeper maps are not those of the
// estimate.
static void send(hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "device", "wormhole_b0");
    hoist_tree_map(sink, "totals");
    hoist_tree_c(sink, "device", "another");
    hoist_tree_c(sink, "host", "another");
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_c(sink, "host", "for people");
    hoist_tree_list(sink, "rows");
    sink->audience = HOIST_TREE_FOR_ALL;
    send_row(sink, "for people", 9);
    hoist_tree_end(sink);
    hoist_tree_c(sink, "host", "pcie");
    hoist_tree_list(sink, "rows");
    send_row(sink, "matmul", 0.25);
    send_row(sink, "copy", 0);
    hoist_tree_end(sink);
    hoist_tree_list(sink, "assumptions");
    send_row(sink, "no row", 1);
    hoist_tree_end(sink);
}

HOIST_TEST(rows_are_those_of_the_list)
{
    timing_rows rows;
    timing_rows_init(&rows, hoist_allocator_system());
    send(&rows.sink);
    HOIST_EXPECT_STR(t, rows.device, "wormhole_b0");
    HOIST_EXPECT_STR(t, rows.host, "pcie");
    HOIST_EXPECT_EQ(t, rows.count, 2);
    HOIST_EXPECT_STR(t, rows.rows[0].name, "matmul");
    HOIST_EXPECT_STR(t, rows.rows[0].device, "core");
    HOIST_EXPECT(t, rows.rows[0].steps == 7 && rows.rows[0].bytes == 64);
    HOIST_EXPECT(t, rows.rows[0].begin == 0.5 && rows.rows[0].low == 0.25);
    HOIST_EXPECT(t, rows.rows[0].high == -1 && timing_row_is_shown(&rows.rows[0]));
    HOIST_EXPECT_STR(t, rows.rows[1].name, "copy");
    HOIST_EXPECT(t, !timing_row_is_shown(&rows.rows[1]));
    timing_rows_deinit(&rows);
}

static hoist_status take_rows(hoist_allocator alloc, const void *self)
{
    timing_rows rows;
    (void)self;
    timing_rows_init(&rows, alloc);
    send(&rows.sink);
    const hoist_status status = rows.sink.status;
    timing_rows_deinit(&rows);
    return status;
}

HOIST_TEST(rows_need_memory)
{
    hoist_test_starve(t, take_rows, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_are_those_of_the_list), HOIST_TEST_ROW(rows_need_memory))
