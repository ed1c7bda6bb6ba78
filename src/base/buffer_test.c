#include <string.h>
#include <wchar.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "testing/test.h"

HOIST_TEST(text_grows_piece_by_piece)
{
    hoist_buffer b;
    hoist_buffer_init(&b, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_buffer_bytes(&b).size, 0);
    hoist_buffer_c(&b, "one");
    hoist_buffer_char(&b, ' ');
    hoist_buffer_str(&b, HOIST_STR("two"));
    hoist_buffer_fill(&b, '.', 3);
    hoist_buffer_fill(&b, 'x', 0);
    hoist_buffer_c(&b, NULL);
    hoist_buffer_add(&b, (hoist_bytes){NULL, 0});
    hoist_buffer_format(&b, "%d", 4);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&b), "one two...4");
    HOIST_EXPECT(t, !b.failed);
    hoist_buffer_deinit(&b);
    HOIST_EXPECT_EQ(t, b.size, 0);
}

// Under AddressSanitizer the space after a piece is poisoned.
HOIST_TEST(a_character_follows_a_piece)
{
    hoist_buffer b;
    hoist_buffer_init(&b, hoist_allocator_system());
    hoist_buffer_c(&b, "ab");
    HOIST_EXPECT(t, b.capacity > b.size);
    hoist_buffer_char(&b, 'c');
    HOIST_EXPECT_STR(t, hoist_buffer_text(&b), "abc");
    hoist_buffer_deinit(&b);
}

HOIST_TEST(many_pieces_equal_one_string)
{
    enum { SIZE = 20000 };
    char *wanted = hoist_arena_alloc(&t->arena, SIZE);
    hoist_buffer b;
    hoist_buffer_init(&b, hoist_allocator_system());
    uint64_t seed = 7;
    for (size_t at = 0; at < SIZE;) {
        size_t size = (size_t)(hoist_test_random(&seed) % 300) + 1;
        size = size < SIZE - at ? size : SIZE - at;
        memset(wanted + at, 'a' + (int)(at % 26), size);
        hoist_buffer_str(&b, (hoist_str){wanted + at, size});
        at += size;
    }
    HOIST_EXPECT_EQ(t, b.size, SIZE);
    HOIST_EXPECT(t, memcmp(b.data, wanted, SIZE) == 0);
    hoist_buffer_deinit(&b);
}

// Around the size of the stack buffer that short texts go through.
static const struct {
    const char *name;
    int width;
} widths[] = {{"empty", 0},     {"one", 1},         {"below", 255},
              {"exactly", 256}, {"one above", 257}, {"far above", 5000}};

HOIST_TEST_TABLE(formats_of_any_length, widths)
{
    hoist_buffer b;
    hoist_buffer_init(&b, hoist_allocator_system());
    hoist_buffer_c(&b, "<");
    hoist_buffer_format(&b, "%*s", row->width, "");
    hoist_buffer_c(&b, ">");
    HOIST_EXPECT_EQ(t, b.size, row->width + 2);
    HOIST_EXPECT_EQ(t, b.data[b.size - 1], '>');
    for (int i = 0; i < row->width; i++) {
        HOIST_EXPECT_EQ(t, b.data[i + 1], ' ');
    }
    hoist_buffer_deinit(&b);
}

HOIST_TEST(too_much_fails_and_sticks)
{
    hoist_buffer b;
    hoist_buffer_init(&b, hoist_allocator_system());
    hoist_buffer_c(&b, "kept");
    hoist_buffer_fill(&b, 'x', SIZE_MAX - 2);
    HOIST_EXPECT(t, b.failed);
    hoist_buffer_c(&b, "ignored");
    HOIST_EXPECT_STR(t, hoist_buffer_text(&b), "kept");
    hoist_buffer_deinit(&b);
    HOIST_EXPECT(t, !b.failed);
    // The "C" locale has no euro sign.
    hoist_buffer_format(&b, "%lc", (wint_t)0x20ac);
    HOIST_EXPECT(t, b.failed);
    hoist_buffer_deinit(&b);
}

HOIST_TEST(hands_over_what_it_holds)
{
    hoist_failing failing;
    hoist_buffer b;
    hoist_mut_bytes bytes;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, 0);
    hoist_buffer_init(&b, alloc);
    HOIST_EXPECT_EQ(t, hoist_buffer_take(&b, &bytes), HOIST_OK);
    HOIST_EXPECT(t, !bytes.data && bytes.size == 0);
    hoist_buffer_c(&b, "text");
    HOIST_EXPECT_EQ(t, hoist_buffer_take(&b, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes.size, 4);
    HOIST_EXPECT_EQ(t, failing.live, 4);
    HOIST_EXPECT(t, !b.data && b.size == 0);
    hoist_free(alloc, bytes.data, bytes.size);
    failing.fail_at = failing.requests + 2;
    hoist_buffer_c(&b, "text");
    hoist_buffer_c(&b, "that finds no room");
    HOIST_EXPECT_EQ(t, hoist_buffer_take(&b, &bytes), HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST(survives_every_failed_allocation)
{
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        hoist_failing failing;
        hoist_buffer b;
        hoist_buffer_init(&b, hoist_failing_allocator(&failing, n));
        hoist_buffer_c(&b, "ten bytes.");
        hoist_buffer_format(&b, "%300s", "");
        hoist_buffer_fill(&b, 'x', 1000);
        failed = b.failed;
        HOIST_EXPECT_EQ(t, failed, failing.requests >= n);
        HOIST_EXPECT(t, failed || b.size == 1310);
        hoist_buffer_deinit(&b);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    HOIST_EXPECT_EQ(t, n, 5);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(text_grows_piece_by_piece),
                HOIST_TEST_ROW(a_character_follows_a_piece),
                HOIST_TEST_ROW(many_pieces_equal_one_string), HOIST_TEST_ROW(formats_of_any_length),
                HOIST_TEST_ROW(too_much_fails_and_sticks), HOIST_TEST_ROW(hands_over_what_it_holds),
                HOIST_TEST_ROW(survives_every_failed_allocation))
