// Images: what PNG and JPEG files hold, what is wrong with them, limits; and resizing by tables.
// PNG files are made here, chunk by chunk; builds without the libraries refuse all in one way.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "codec/gzip.h"
#include "exchange/image.h"
#include "testing/test.h"

// PNG --------------------------------------------------------------------------------------------

static void add_u32(hoist_buffer *out, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                              (uint8_t)value};
    hoist_buffer_add(out, (hoist_bytes){bytes, 4});
}

static void add_chunk(hoist_buffer *out, const char *type, hoist_bytes data)
{
    const size_t begin = out->size + 4;
    add_u32(out, (uint32_t)data.size);
    hoist_buffer_c(out, type);
    hoist_buffer_add(out, data);
    add_u32(out, hoist_crc32((hoist_bytes){out->data + begin, out->size - begin}));
}

// What zlib calls a stored stream of up to 65,535 bytes.
static hoist_bytes stored(hoist_test *t, hoist_bytes bytes)
{
    uint32_t a = 1;
    uint32_t b = 0;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const uint8_t head[] = {0x78,
                            1,
                            1,
                            (uint8_t)bytes.size,
                            (uint8_t)(bytes.size >> 8),
                            (uint8_t)~bytes.size,
                            (uint8_t)(~bytes.size >> 8)};
    hoist_buffer_add(&out, (hoist_bytes){head, sizeof(head)});
    hoist_buffer_add(&out, bytes);
    for (size_t i = 0; i < bytes.size; i++) {
        a = (a + bytes.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    add_u32(&out, b << 16 | a);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, out.size);
    memcpy(copy, out.data, out.size);
    const hoist_bytes stream = {copy, out.size};
    hoist_buffer_deinit(&out);
    return stream;
}

enum { GRAY = 0, RGB = 2, RGBA = 6 };

// A PNG file whose lines are `lines`, each after its filter, 0.
static hoist_bytes png_of(hoist_test *t, uint32_t width, uint32_t height, uint8_t color,
                          hoist_bytes lines)
{
    hoist_buffer head;
    hoist_buffer out;
    hoist_buffer_init(&head, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    add_u32(&head, width);
    add_u32(&head, height);
    const uint8_t rest[] = {8, color, 0, 0, 0};
    hoist_buffer_add(&head, (hoist_bytes){rest, sizeof(rest)});
    hoist_buffer_c(&out, "\x89PNG\r\n\x1a\n");
    add_chunk(&out, "IHDR", hoist_buffer_bytes(&head));
    add_chunk(&out, "IDAT", stored(t, lines));
    add_chunk(&out, "IEND", (hoist_bytes){NULL, 0});
    uint8_t *const copy = hoist_arena_alloc(&t->arena, out.size);
    memcpy(copy, out.data, out.size);
    const hoist_bytes file = {copy, out.size};
    hoist_buffer_deinit(&head);
    hoist_buffer_deinit(&out);
    return file;
}

static hoist_status read_image(hoist_test *t, hoist_bytes file, hoist_array *out_image)
{
    return hoist_image_read(hoist_test_exact(t, file), NULL, hoist_allocator_system(), t->diag,
                            out_image);
}

// A build without the library refuses what the tests read.
static bool is_built_in(hoist_test *t, hoist_bytes file)
{
    hoist_array image;
    const hoist_status status =
        hoist_image_read(file, NULL, hoist_allocator_system(), t->diag, &image);
    hoist_array_deinit(&image, hoist_allocator_system());
    if (status == HOIST_UNSUPPORTED) {
        HOIST_EXPECT_RULE(t, "RAW-013");
    }
    return status == HOIST_OK;
}

static const uint8_t two_colors[] = {0, 1, 2, 3, 250, 251, 252}; // a line of two pixels, RGB

static hoist_bytes small_png(hoist_test *t)
{
    return png_of(t, 2, 1, RGB, (hoist_bytes){two_colors, sizeof(two_colors)});
}

HOIST_TEST(png_is_read)
{
    static const struct {
        uint8_t color;
        uint8_t line[9];
        size_t size;
        uint8_t expected[6];
    } rows[] = {
        {RGB, {0, 1, 2, 3, 250, 251, 252}, 7, {1, 2, 3, 250, 251, 252}},
        {GRAY, {0, 7, 200}, 3, {7, 7, 7, 200, 200, 200}},
        {RGBA, {0, 1, 2, 3, 255, 4, 5, 6, 0}, 9, {1, 2, 3, 0, 0, 0}}, // over black
    };
    for (size_t i = 0; is_built_in(t, small_png(t)) && i < HOIST_COUNT_OF(rows); i++) {
        hoist_array image;
        const hoist_bytes file =
            png_of(t, 2, 1, rows[i].color, (hoist_bytes){rows[i].line, rows[i].size});
        HOIST_EXPECT_EQ(t, read_image(t, file, &image), HOIST_OK);
        HOIST_EXPECT(t, image.rank == 3 && image.shape[0] == 1 && image.shape[1] == 2 &&
                            image.shape[2] == 3 && image.dtype == HOIST_DTYPE_U8);
        HOIST_EXPECT(t, image.data.size == 6 && memcmp(image.data.data, rows[i].expected, 6) == 0);
        hoist_array_deinit(&image, hoist_allocator_system());
    }
}

HOIST_TEST(png_that_is_too_large_or_empty_is_refused)
{
    static const struct {
        uint32_t width, height;
        hoist_status status;
    } rows[] = {
        {0, 1, HOIST_INVALID},     {60000, 60000, HOIST_INVALID},  {1 << 30, 2, HOIST_INVALID},
        {400, 400, HOIST_INVALID}, {UINT32_MAX, 1, HOIST_INVALID},
    };
    for (size_t i = 0; is_built_in(t, small_png(t)) && i < HOIST_COUNT_OF(rows); i++) {
        hoist_array image;
        const hoist_bytes file = png_of(t, rows[i].width, rows[i].height, RGB,
                                        (hoist_bytes){two_colors, sizeof(two_colors)});
        HOIST_EXPECT_EQ(t, read_image(t, file, &image), rows[i].status);
        HOIST_EXPECT(t, !image.owned);
        HOIST_EXPECT_RULE(t, "RAW-011");
    }
}

HOIST_TEST(pixels_are_limited)
{
    hoist_array image;
    const hoist_image_reader reader = {.alloc = hoist_allocator_system(), .diag = t->diag};
    HOIST_EXPECT_EQ(t, hoist_image_begin(&reader, 1 << 13, (1 << 13) + 1, &image), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "RAW-012");
    HOIST_EXPECT_EQ(t, hoist_image_begin(&reader, UINT64_MAX, UINT64_MAX, &image), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_image_begin(&reader, 1 << 13, 1 << 13, &image), HOIST_OK);
    hoist_array_deinit(&image, hoist_allocator_system());
}

// JPEG -------------------------------------------------------------------------------------------

// 8 x 8 pixels of (200, 100, 50), baseline, quality 100.
static const uint8_t jpeg[] = {
    // clang-format off
    0xff, 0xd8, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0xff, 0xdb, 0x00, 0x43, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
    0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0xff, 0xc0, 0x00, 0x11,
    0x08, 0x00, 0x08, 0x00, 0x08, 0x03, 0x01, 0x22, 0x00, 0x02, 0x11, 0x01, 0x03, 0x11, 0x01, 0xff,
    0xc4, 0x00, 0x15, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x06, 0xff, 0xc4, 0x00, 0x14, 0x10, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xc4, 0x00, 0x14,
    0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x09, 0xff, 0xc4, 0x00, 0x14, 0x11, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xda, 0x00, 0x0c, 0x03, 0x01, 0x00, 0x02,
    0x11, 0x03, 0x11, 0x00, 0x3f, 0x00, 0x9f, 0x00, 0x57, 0x9b, 0x07, 0xff, 0xd9,
    // clang-format on
};

HOIST_TEST(jpeg_is_read)
{
    const hoist_bytes file = {jpeg, sizeof(jpeg)};
    hoist_array image;
    if (!is_built_in(t, file)) {
        return;
    }
    HOIST_EXPECT_EQ(t, read_image(t, file, &image), HOIST_OK);
    HOIST_EXPECT(t, image.rank == 3 && image.shape[0] == 8 && image.shape[1] == 8);
    for (size_t i = 0; i < image.data.size; i++) {
        static const int color[] = {200, 100, 50};
        const int off = image.data.data[i] - color[i % 3];
        HOIST_EXPECT(t, off >= -1 && off <= 1);
    }
    hoist_array_deinit(&image, hoist_allocator_system());
}

// Both
// ---------------------------------------------------------------------------------------------

// Cut anywhere, or with a byte changed, a file is an image or refused, and nothing else.
static void expect_sound(hoist_test *t, hoist_bytes file)
{
    hoist_array image;
    const hoist_status status = read_image(t, file, &image);
    HOIST_EXPECT(t, status == HOIST_OK || status == HOIST_INVALID || status == HOIST_LIMIT ||
                        status == HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, (status == HOIST_OK) == (image.owned != NULL));
    hoist_array_deinit(&image, hoist_allocator_system());
}

HOIST_TEST(damaged_images_are_refused)
{
    const hoist_bytes files[] = {small_png(t), {jpeg, sizeof(jpeg)}};
    for (size_t f = 0; f < HOIST_COUNT_OF(files); f++) {
        uint8_t copy[512];
        for (size_t i = 0; i < files[f].size; i++) {
            expect_sound(t, (hoist_bytes){files[f].data, i});
            memcpy(copy, files[f].data, files[f].size);
            copy[i] ^= 0x15;
            expect_sound(t, (hoist_bytes){copy, files[f].size});
            copy[i] = 0xff;
            expect_sound(t, (hoist_bytes){copy, files[f].size});
        }
    }
    hoist_array image;
    HOIST_EXPECT_EQ(t, read_image(t, (hoist_bytes){jpeg, sizeof(jpeg) - 20}, &image),
                    is_built_in(t, files[1]) ? HOIST_INVALID : HOIST_UNSUPPORTED);
}

HOIST_TEST(what_is_no_image_is_refused)
{
    static const uint8_t gif[] = "GIF89a";
    hoist_array image;
    HOIST_EXPECT(t, !hoist_image_is((hoist_bytes){gif, sizeof(gif)}));
    HOIST_EXPECT(t, !hoist_image_is((hoist_bytes){gif, 0}));
    HOIST_EXPECT_EQ(t, read_image(t, (hoist_bytes){gif, sizeof(gif)}, &image), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "RAW-011");
}

typedef struct read_case {
    hoist_bytes file;
    hoist_deadline *deadline;
} read_case;

static hoist_status read_alone(hoist_allocator alloc, const void *self)
{
    const read_case *const c = self;
    hoist_array image;
    hoist_array small;
    hoist_status status = hoist_image_read(c->file, c->deadline, alloc, NULL, &image);
    if (status == HOIST_OK) {
        status = hoist_image_resize(&image, 3, 3, c->deadline, alloc, &small);
        hoist_array_deinit(&small, alloc);
    }
    hoist_array_deinit(&image, alloc);
    return status;
}

HOIST_TEST(memory_and_time_may_end)
{
    const hoist_bytes files[] = {small_png(t), {jpeg, sizeof(jpeg)}};
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), -1, &deadline), HOIST_OK);
    hoist_deadline_cancel(deadline);
    for (size_t f = 0; f < HOIST_COUNT_OF(files) && is_built_in(t, files[f]); f++) {
        read_case c = {.file = files[f]};
        hoist_test_starve(t, read_alone, &c);
        c.deadline = deadline;
        HOIST_EXPECT_EQ(t, read_alone(hoist_allocator_system(), &c), HOIST_CANCELLED);
    }
    hoist_deadline_destroy(deadline);
}

// Resizing
// -----------------------------------------------------------------------------------------

HOIST_TEST(images_are_resized)
{
    // Lines of gray. By hand: twice as large is 1/4 and 3/4 of neighbours, the ends as they are;
    // half as large is 1/8, 3/8, 3/8, 1/8, without what is outside.
    static const struct {
        int64_t from, to;
        uint8_t pixels[8];
        uint8_t expected[8];
    } rows[] = {
        {2, 2, {10, 200}, {10, 200}},
        {2, 4, {0, 100}, {0, 25, 75, 100}},
        {1, 3, {77}, {77, 77, 77}},
        {4, 2, {0, 0, 80, 80}, {11, 69}}, // (3/8 + 3/8) of 0 and 1/8 of 80, by 7/8: 80/7
        {8, 1, {255, 255, 255, 255, 255, 255, 255, 255}, {255}},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        for (int upright = 0; upright < 2; upright++) {
            const int64_t from[2] = {upright ? rows[i].from : 1, upright ? 1 : rows[i].from};
            const int64_t to[2] = {upright ? rows[i].to : 1, upright ? 1 : rows[i].to};
            const hoist_array line = {.dtype = HOIST_DTYPE_U8,
                                      .rank = 3,
                                      .shape = {from[0], from[1], 1},
                                      .data = {rows[i].pixels, (size_t)rows[i].from}};
            hoist_array out;
            HOIST_EXPECT_EQ(
                t, hoist_image_resize(&line, to[0], to[1], NULL, hoist_allocator_system(), &out),
                HOIST_OK);
            HOIST_EXPECT_EQ(t, out.data.size, (size_t)rows[i].to);
            HOIST_EXPECT(t, memcmp(out.data.data, rows[i].expected, (size_t)rows[i].to) == 0);
            hoist_array_deinit(&out, hoist_allocator_system());
        }
    }
}

HOIST_TEST(what_cannot_be_resized_is_invalid)
{
    static const uint8_t pixels[4] = {1, 2, 3, 4};
    const hoist_array image = {
        .dtype = HOIST_DTYPE_U8, .rank = 3, .shape = {2, 2, 1}, .data = {pixels, 4}};
    hoist_array out;
    hoist_array other = image;
    const hoist_allocator alloc = hoist_allocator_system();
    HOIST_EXPECT_EQ(t, hoist_image_resize(&image, 0, 1, NULL, alloc, &out), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_image_resize(&image, 1, -1, NULL, alloc, &out), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_image_resize(&image, INT64_MAX, INT64_MAX, NULL, alloc, &out),
                    HOIST_INVALID);
    other.rank = 2;
    HOIST_EXPECT_EQ(t, hoist_image_resize(&other, 1, 1, NULL, alloc, &out), HOIST_INVALID);
    other = image;
    other.dtype = HOIST_DTYPE_F32;
    HOIST_EXPECT_EQ(t, hoist_image_resize(&other, 1, 1, NULL, alloc, &out), HOIST_INVALID);
    other = image;
    other.data.size = 3;
    HOIST_EXPECT_EQ(t, hoist_image_resize(&other, 1, 1, NULL, alloc, &out), HOIST_INVALID);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(png_is_read),
                HOIST_TEST_ROW(png_that_is_too_large_or_empty_is_refused),
                HOIST_TEST_ROW(pixels_are_limited), HOIST_TEST_ROW(jpeg_is_read),
                HOIST_TEST_ROW(damaged_images_are_refused),
                HOIST_TEST_ROW(what_is_no_image_is_refused),
                HOIST_TEST_ROW(memory_and_time_may_end), HOIST_TEST_ROW(images_are_resized),
                HOIST_TEST_ROW(what_cannot_be_resized_is_invalid))
