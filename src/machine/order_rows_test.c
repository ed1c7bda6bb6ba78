#include <string.h>

#include "machine/order_rows.h"
#include "testing/test.h"

enum { WIDTH = 300, KEPT = 40 };

static void expect_row(hoist_test *t, const hoist_rows *rows, hoist_row row, const uint32_t *want)
{
    uint32_t next = hoist_row_next(rows, row, 0);
    for (uint32_t i = 0; i < WIDTH; i++) {
        HOIST_EXPECT_EQ(t, hoist_row_get(rows, row, i), want[i]);
        HOIST_EXPECT_EQ(t, next == i, want[i] != 0);
        next = next == i ? hoist_row_next(rows, row, i + 1) : next;
    }
}

// Rows are made of others by joins and single numbers, as plain arrays are beside them.
HOIST_TEST(rows_are_arrays)
{
    static uint32_t plain[KEPT][WIDTH];
    uint64_t seed = 1;
    hoist_row kept[KEPT];
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), WIDTH);
    for (size_t i = 0; i < KEPT; i++) {
        hoist_row row = HOIST_ROW_ZERO;
        for (uint32_t k = 0; k < 12; k++) {
            const uint32_t at = (uint32_t)(hoist_test_random(&seed) % WIDTH);
            const uint32_t number = (uint32_t)(hoist_test_random(&seed) % 9);
            row = hoist_row_put(&rows, row, at, number);
            plain[i][at] = number;
        }
        for (uint32_t k = 0; i > 0 && k < 2; k++) {
            const size_t from = hoist_test_random(&seed) % i;
            row = hoist_row_join(&rows, row, kept[from]);
            for (size_t p = 0; p < WIDTH; p++) {
                plain[i][p] = plain[i][p] > plain[from][p] ? plain[i][p] : plain[from][p];
            }
        }
        kept[i] = row;
        hoist_row_keep(&rows);
    }
    for (size_t i = 0; i < KEPT; i++) {
        expect_row(t, &rows, kept[i], plain[i]);
        for (size_t k = 0; k < KEPT; k++) {
            const bool same = memcmp(plain[i], plain[k], sizeof plain[i]) == 0;
            HOIST_EXPECT_EQ(t, hoist_row_equal(&rows, kept[i], kept[k]), same);
        }
    }
    hoist_rows_deinit(&rows);
}

HOIST_TEST(full_rows_hold_everything)
{
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), WIDTH);
    hoist_row row = hoist_row_put(&rows, HOIST_ROW_ZERO, 7, 3);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, row, HOIST_ROW_FULL), HOIST_ROW_FULL);
    row = hoist_row_put(&rows, HOIST_ROW_FULL, 7, 3);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 7), 3);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 8), UINT32_MAX);
    HOIST_EXPECT(t, !hoist_row_equal(&rows, row, HOIST_ROW_FULL));
    row = hoist_row_put(&rows, row, 7, UINT32_MAX);
    HOIST_EXPECT(t, hoist_row_equal(&rows, row, HOIST_ROW_FULL));
    hoist_rows_deinit(&rows);
}

// A row that comes of another takes as many nodes as there are levels; one that is dropped, none.
HOIST_TEST(rows_share)
{
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), 100000);
    hoist_row row = HOIST_ROW_ZERO;
    for (uint32_t i = 0; i < 1000; i++) {
        row = hoist_row_put(&rows, row, i * 97, i + 1);
        hoist_row_keep(&rows);
    }
    HOIST_EXPECT(t, rows.count <= 2 + 1000 * 5);
    const size_t before = rows.count;
    (void)hoist_row_put(&rows, row, 5, 1);
    hoist_row_drop(&rows);
    HOIST_EXPECT_EQ(t, rows.count, before);
    hoist_rows_deinit(&rows);
}

HOIST_TEST(no_memory_stays)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_failing_allocator(&failing, 1), WIDTH);
    (void)hoist_row_put(&rows, HOIST_ROW_ZERO, 5, 1);
    HOIST_EXPECT_EQ(t, rows.status, HOIST_NO_MEMORY);
    hoist_rows_deinit(&rows);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_are_arrays), HOIST_TEST_ROW(full_rows_hold_everything),
                HOIST_TEST_ROW(rows_share), HOIST_TEST_ROW(no_memory_stays))
