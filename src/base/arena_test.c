#include <string.h>
#include <wchar.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/poison.h"
#include "base/span.h"
#include "testing/test.h"

// Fills `size` bytes with a pattern of their place, after looking that they were clear.
static void claim(hoist_test *t, uint8_t *memory, size_t size, uint8_t mark)
{
    HOIST_EXPECT(t, memory && (uintptr_t)memory % 16 == 0);
    for (size_t i = 0; memory && i < size; i++) {
        HOIST_EXPECT_EQ(t, memory[i], 0);
        memory[i] = mark;
    }
}

HOIST_TEST(pieces_are_clear_aligned_and_apart)
{
    enum { PIECES = 600 };
    hoist_failing failing;
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_failing_allocator(&failing, 0));
    uint8_t *pieces[PIECES];
    size_t sizes[PIECES];
    uint64_t seed = 1;
    for (size_t i = 0; i < PIECES; i++) {
        const uint64_t roll = hoist_test_random(&seed);
        // Mostly small, some larger than any block so far.
        sizes[i] = roll % 16 == 0 ? roll % 9000 : roll % 70;
        pieces[i] = hoist_arena_alloc(&arena, sizes[i]);
        claim(t, pieces[i], sizes[i], (uint8_t)(i % 251 + 1));
    }
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t at = 0; at < sizes[i]; at++) {
            HOIST_EXPECT_EQ(t, pieces[i][at], i % 251 + 1);
        }
    }
    HOIST_EXPECT_EQ(t, failing.live, arena.total);
    HOIST_EXPECT(t, failing.requests < PIECES / 4);
    hoist_arena_deinit(&arena);
    HOIST_EXPECT_EQ(t, failing.live, 0);
    HOIST_EXPECT_EQ(t, arena.total, 0);
}

HOIST_TEST(blocks_stop_doubling)
{
    for (int is_large = 0; is_large < 2; is_large++) {
        hoist_arena arena;
        hoist_arena_init(&arena, hoist_allocator_system());
        arena.has_large_pages = is_large;
        size_t largest = 0;
        for (size_t before = 0; arena.total < 8u << 20; before = arena.total) {
            HOIST_EXPECT(t, hoist_arena_alloc(&arena, 1024) != NULL);
            largest = arena.total - before > largest ? arena.total - before : largest;
        }
        HOIST_EXPECT_EQ(t, largest, is_large ? 2u << 20 : 1u << 20);
        hoist_arena_deinit(&arena);
    }
}

static const struct {
    const char *name;
    size_t count;
    size_t size;
    bool served;
} arrays[] = {
    {"no items", 0, 8, true},
    {"items of no size", 8, 0, true},
    {"some items", 3, 40, true},
    {"product overflows", SIZE_MAX / 2, 3, false},
    {"product is the largest size", SIZE_MAX, 1, false},
    {"no room for the block's header", SIZE_MAX - 15, 1, false},
};

HOIST_TEST_TABLE(impossible_arrays_are_refused, arrays)
{
    hoist_arena arena;
    hoist_failing failing;
    hoist_arena_init(&arena, hoist_failing_allocator(&failing, 0));
    HOIST_EXPECT_EQ(t, hoist_arena_array(&arena, row->count, row->size) != NULL, row->served);
    HOIST_EXPECT(t, row->served || failing.requests == 0);
    hoist_arena_deinit(&arena);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST(strings_are_copied_whole_and_terminated)
{
    char text[] = "a\0b";
    const hoist_str copy = hoist_arena_str(&t->arena, (hoist_str){text, 3});
    text[0] = 'x';
    HOIST_EXPECT_EQ(t, copy.size, 3);
    HOIST_EXPECT(t, memcmp(copy.data, "a\0b", 4) == 0);
    const hoist_str empty = hoist_arena_str(&t->arena, (hoist_str){NULL, 0});
    HOIST_EXPECT(t, empty.data && empty.data[0] == '\0' && empty.size == 0);
    HOIST_EXPECT(t, hoist_arena_str(&t->arena, (hoist_str){text, SIZE_MAX}).data == NULL);
}

HOIST_TEST(adopted_memory_is_freed_with_the_rest)
{
    enum { SIZE = 100 };
    for (size_t fails = 0; fails < 3; fails++) {
        hoist_failing failing;
        hoist_arena arena;
        hoist_allocator alloc = hoist_failing_allocator(&failing, fails);
        hoist_arena_init(&arena, alloc);
        void *const memory = hoist_alloc(alloc, SIZE); // fails: the first request
        const bool adopted = memory && hoist_arena_adopt(&arena, memory, SIZE);
        HOIST_EXPECT_EQ(t, adopted, fails == 0);
        if (!adopted) {
            hoist_free(alloc, memory, SIZE);
        }
        hoist_arena_deinit(&arena);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
}

HOIST_TEST(formats_print_all)
{
    HOIST_EXPECT_STR(t, hoist_arena_format(&t->arena, "%d-%s", -7, "x"), "-7-x");
    HOIST_EXPECT_EQ(t, hoist_arena_format(&t->arena, "%5000s", "").size, 5000);
    // The "C" locale has no euro sign.
    const hoist_str refused = hoist_arena_format(&t->arena, "%lc", (wint_t)0x20ac);
    HOIST_EXPECT(t, refused.data == NULL && refused.size == 0);
}

static const struct {
    const char *name;
    size_t size;
} pieces[] = {
    {"nothing", 0},    {"a byte", 1},           {"half a granule", 12},
    {"a granule", 16}, {"more than that", 100}, {"more than a first block", 9000},
};

// What AddressSanitizer would report: bytes before the piece, after it, and not given out yet.
HOIST_TEST_TABLE(only_bytes_of_pieces_may_be_touched, pieces)
{
    if (!HOIST_POISONS) {
        hoist_test_skip(t, "built without AddressSanitizer");
    }
    const uint8_t *const before = hoist_arena_alloc(&t->arena, 5);
    const uint8_t *const piece = hoist_arena_alloc(&t->arena, row->size);
    const uint8_t *const after = hoist_arena_alloc(&t->arena, 5);
    HOIST_EXPECT(t, before && piece && after);
    for (size_t i = 0; i < row->size; i++) {
        HOIST_EXPECT(t, !hoist_is_poisoned(piece + i));
    }
    for (size_t i = 0, zone = HOIST_RED_ZONE; i < zone; i++) {
        HOIST_EXPECT(t, hoist_is_poisoned(before + 5 + i));
        HOIST_EXPECT(t, hoist_is_poisoned(piece + row->size + i));
    }
    HOIST_EXPECT(t, t->arena.left == 0 || hoist_is_poisoned(t->arena.next));
    HOIST_EXPECT(t, t->arena.left == 0 || hoist_is_poisoned(t->arena.next + t->arena.left - 1));
}

HOIST_TEST(survives_every_failed_allocation)
{
    for (size_t n = 1;; n++) {
        hoist_failing failing;
        hoist_arena arena;
        hoist_arena_init(&arena, hoist_failing_allocator(&failing, n));
        bool served = hoist_arena_alloc(&arena, 5000) != NULL;
        served = hoist_arena_str(&arena, HOIST_STR("text")).data && served;
        served = hoist_arena_format(&arena, "%9000d", 1).data && served;
        HOIST_EXPECT_EQ(t, served, failing.requests < n);
        hoist_arena_deinit(&arena);
        HOIST_EXPECT_EQ(t, failing.live, 0);
        if (served) {
            HOIST_EXPECT(t, n > 2);
            break;
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pieces_are_clear_aligned_and_apart),
                HOIST_TEST_ROW(blocks_stop_doubling), HOIST_TEST_ROW(impossible_arrays_are_refused),
                HOIST_TEST_ROW(strings_are_copied_whole_and_terminated),
                HOIST_TEST_ROW(adopted_memory_is_freed_with_the_rest),
                HOIST_TEST_ROW(formats_print_all),
                HOIST_TEST_ROW(only_bytes_of_pieces_may_be_touched),
                HOIST_TEST_ROW(survives_every_failed_allocation))
