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

// Rows are made of others by joins and single numbers, as plain arrays are next to them.
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

static hoist_row row_of(hoist_rows *rows, uint32_t step)
{
    hoist_row row = HOIST_ROW_ZERO;
    for (uint32_t i = 0; i < 1000; i++) {
        row = hoist_row_put(rows, row, i * step, i + 1);
    }
    hoist_row_keep(rows);
    return row;
}

// A join that is one of its rows takes nothing; of equal rows it is the older one, whose parts the
// newer one then has.
HOIST_TEST(joins_share)
{
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), 100000);
    const hoist_row row = row_of(&rows, 97);
    const hoist_row equal = row_of(&rows, 97);
    const hoist_row more = hoist_row_put(&rows, row, 3, 7);
    hoist_row_keep(&rows);
    const size_t before = rows.count;
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, more, row), more);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, row, more), more);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, equal, more), more);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, equal, row), row);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, row, equal), row);
    HOIST_EXPECT_EQ(t, rows.count, before);
    HOIST_EXPECT(t, equal != row);
    for (size_t i = 0; i < HOIST_ROW_WIDTH; i++) {
        HOIST_EXPECT_EQ(t, rows.slots[equal * HOIST_ROW_WIDTH + i],
                        rows.slots[row * HOIST_ROW_WIDTH + i]);
    }
    const hoist_row both = hoist_row_join(&rows, more, row_of(&rows, 89));
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, both, 3), 7);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, both, 89), 2);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, both, 97), 2);
    hoist_rows_deinit(&rows);
}

// Few processes take nodes of as many numbers.
HOIST_TEST(narrow_rows_are_small)
{
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), 3);
    hoist_row row = hoist_row_put(&rows, HOIST_ROW_ZERO, 2, 9);
    hoist_row_keep(&rows);
    row = hoist_row_join(&rows, hoist_row_put(&rows, HOIST_ROW_ZERO, 0, 4), row);
    HOIST_EXPECT_EQ(t, rows.width, 3);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 0), 4);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 1), 0);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 2), 9);
    HOIST_EXPECT_EQ(t, hoist_row_next(&rows, row, 1), 2);
    HOIST_EXPECT_EQ(t, hoist_row_next(&rows, row, 3), UINT32_MAX);
    hoist_rows_deinit(&rows);
}

// Widths around the powers of 16, where levels begin: single numbers at both ends and next to each
// border of nodes, joined with a row that has others.
HOIST_TEST(rows_of_every_width)
{
    static const uint32_t widths[] = {0,   1,   2,   15,   16,   17,   31,
                                      255, 256, 257, 4095, 4096, 4097, 70000};
    for (size_t w = 0; w < HOIST_COUNT_OF(widths); w++) {
        const uint32_t width = widths[w];
        const uint32_t places[] = {0,   1,   14,   15,   16,        17,       254,
                                   255, 256, 4095, 4096, width - 2, width - 1};
        hoist_rows rows;
        hoist_rows_init(&rows, hoist_allocator_system(), width);
        HOIST_EXPECT_EQ(t, hoist_row_next(&rows, HOIST_ROW_ZERO, 0), UINT32_MAX);
        for (size_t i = 0; i < HOIST_COUNT_OF(places); i++) {
            for (size_t k = 0; places[i] < width && k < HOIST_COUNT_OF(places); k++) {
                if (places[k] >= width) {
                    continue;
                }
                const uint32_t a = places[i];
                const uint32_t b = places[k];
                const hoist_row one = hoist_row_put(&rows, HOIST_ROW_ZERO, a, 5);
                hoist_row_keep(&rows);
                const hoist_row other = hoist_row_put(&rows, HOIST_ROW_ZERO, b, 7);
                hoist_row_keep(&rows);
                const hoist_row both = hoist_row_join(&rows, one, other);
                hoist_row_keep(&rows);
                const uint32_t first = a < b ? a : b;
                const uint32_t last = a < b ? b : a;
                HOIST_EXPECT_EQ(t, hoist_row_get(&rows, both, a), a == b ? 7 : 5);
                HOIST_EXPECT_EQ(t, hoist_row_get(&rows, both, b), 7);
                HOIST_EXPECT_EQ(t, hoist_row_next(&rows, both, 0), first);
                HOIST_EXPECT_EQ(t, hoist_row_next(&rows, both, first + 1),
                                a == b ? UINT32_MAX : last);
                HOIST_EXPECT_EQ(t, hoist_row_next(&rows, both, last + 1), UINT32_MAX);
                HOIST_EXPECT_EQ(t, hoist_row_equal(&rows, one, other), false);
                HOIST_EXPECT_EQ(t, hoist_row_equal(&rows, both, other), a == b);
                HOIST_EXPECT_EQ(t, hoist_row_join(&rows, both, one), both);
            }
        }
        HOIST_EXPECT_EQ(t, rows.status, HOIST_OK);
        hoist_rows_deinit(&rows);
    }
}

// A put of the number that is there, and joins with fixed rows, make no node.
HOIST_TEST(what_changes_nothing_takes_nothing)
{
    hoist_rows rows;
    hoist_rows_init(&rows, hoist_allocator_system(), WIDTH);
    const hoist_row row = hoist_row_put(&rows, HOIST_ROW_ZERO, 100, 4);
    hoist_row_keep(&rows);
    const size_t before = rows.count;
    HOIST_EXPECT_EQ(t, hoist_row_put(&rows, row, 100, 4), row);
    HOIST_EXPECT_EQ(t, hoist_row_put(&rows, row, 99, 0), row);
    HOIST_EXPECT_EQ(t, hoist_row_put(&rows, HOIST_ROW_ZERO, 99, 0), HOIST_ROW_ZERO);
    HOIST_EXPECT_EQ(t, hoist_row_put(&rows, HOIST_ROW_FULL, 99, UINT32_MAX), HOIST_ROW_FULL);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, row, HOIST_ROW_ZERO), row);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, HOIST_ROW_ZERO, row), row);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, HOIST_ROW_FULL, row), HOIST_ROW_FULL);
    HOIST_EXPECT_EQ(t, hoist_row_join(&rows, row, row), row);
    HOIST_EXPECT_EQ(t, rows.count, before);
    // The row in the making is changed in place, one that is kept is not.
    const hoist_row next = hoist_row_put(&rows, row, 100, 6);
    HOIST_EXPECT(t, next != row);
    HOIST_EXPECT_EQ(t, hoist_row_put(&rows, next, 101, 8), next);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 100), 4);
    HOIST_EXPECT_EQ(t, hoist_row_get(&rows, row, 101), 0);
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
                HOIST_TEST_ROW(rows_share), HOIST_TEST_ROW(joins_share),
                HOIST_TEST_ROW(narrow_rows_are_small), HOIST_TEST_ROW(rows_of_every_width),
                HOIST_TEST_ROW(what_changes_nothing_takes_nothing), HOIST_TEST_ROW(no_memory_stays))
