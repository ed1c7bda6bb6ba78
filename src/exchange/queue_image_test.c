#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "exchange/queue_image.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

#define ONE_TILE                                                                                   \
    {                                                                                              \
        1, 1, 1, 1, 1, 1, 1, false, 32, 32                                                         \
    }

// Bytes of one tile ------------------------------------------------------------------------------

// Elements of the tile that are not 0, where the tile has them; the last one is its last.
static const struct {
    uint32_t row;
    uint32_t col;
    uint32_t number; // bits of 1, -2, 0.5, 3 and -0.75
    uint32_t raw;    // of types without a value
} elements[] = {
    {0, 0, 0x3f800000, 0x00000001},   {0, 1, 0xc0000000, 0x00000102},
    {0, 16, 0x3f000000, 0x12345678},  {16, 0, 0x40400000, 0x0000ffff},
    {31, 31, 0xbf400000, 0x80000080},
};

// By hand from buda-ops reference sections 1 and 2: OFFSET:BYTES of the tile, all others are zero.
// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t height, width, alignment;
    const char *bytes;
} tiles[] = {
    {"Float32",        HOIST_DTYPE_F32,      32, 32, 32, "0:0201 16:0000803f000000c0 1040:0000003f 2064:00004040 4108:000040bf"},
    {"Float16_b",      HOIST_DTYPE_BF16,     32, 32, 32, "0:82 16:803f00c0 528:003f 1040:4040 2062:40bf"},
    {"Float16_b, 64",  HOIST_DTYPE_BF16,     32, 32, 64, "0:84 16:803f00c0 528:003f 1040:4040 2062:40bf"},
    {"Float16_b 16x32", HOIST_DTYPE_BF16,    16, 32, 32, "0:42 16:803f00c0 528:003f 1038:40bf"},
    {"Float16_b 32x16", HOIST_DTYPE_BF16,    32, 16, 32, "0:42 16:803f00c0 528:4040 1038:40bf"},
    {"Float16",        HOIST_DTYPE_TT_F16,   32, 32, 32, "0:82 16:003c00c0 528:0038 1040:0042 2062:00ba"},
    {"Bfp8_b",         HOIST_DTYPE_TT_BFP8B, 32, 32, 32, "0:46 16:80 32:7e 48:80 79:7e 80:20c0 336:40 592:60 1103:e0"},
    {"Bfp8_b, 64",     HOIST_DTYPE_TT_BFP8B, 32, 32, 64, "0:48 16:80 32:7e 48:80 79:7e 80:20c0 336:40 592:60 1103:e0"},
    {"Bfp8_b 1x32",    HOIST_DTYPE_TT_BFP8B,  1, 32, 32, "0:04 16:807e 32:20c0 48:40 63:e0"},
    {"Bfp8",           HOIST_DTYPE_TT_BFP8A, 32, 32, 32, "0:46 16:10 32:0e 48:10 79:0e 80:20c0 336:40 592:60 1103:e0"},
    {"Bfp4_b",         HOIST_DTYPE_TT_BFP4B, 32, 32, 32, "0:26 16:80 32:7e 48:80 79:7e 80:c2 208:04 336:06 591:e0"},
    {"Bfp4",           HOIST_DTYPE_TT_BFP4A, 32, 32, 32, "0:26 16:10 32:0e 48:10 79:0e 80:c2 208:04 336:06 591:e0"},
    {"Bfp2_b",         HOIST_DTYPE_TT_BFP2B, 32, 32, 32, "0:16 16:80 32:7e 48:80 79:7e 80:0d 144:01 208:01 335:c0"},
    {"Bfp2",           HOIST_DTYPE_TT_BFP2A, 32, 32, 32, "0:16 16:10 32:0e 48:10 79:0e 80:0d 144:01 208:01 335:c0"},
    {"Lf8",            HOIST_DTYPE_TT_LF8,   32, 32, 32, "0:42 16:3cc0 272:38 528:42 1039:ba"},
    {"Int8",           HOIST_DTYPE_TT_I8,    32, 32, 32, "0:42 16:0182 272:01 528:03 1039:81"},
    {"UInt8",          HOIST_DTYPE_U8,       32, 32, 32, "0:42 16:01 272:01 528:03"},
    {"UInt16",         HOIST_DTYPE_U16,      32, 32, 32, "0:82 16:01 528:01 1040:03"},
    {"Int32",          HOIST_DTYPE_TT_I32,   32, 32, 32, "0:0201 16:0100000002000080 2064:03 4108:01000080"},
    {"RawUInt8",       HOIST_DTYPE_TT_RAW8,  32, 32, 32, "0:42 16:0102 32:78 528:ff 1039:80"},
    {"RawUInt16",      HOIST_DTYPE_TT_RAW16, 32, 32, 32, "0:82 16:01000201 48:7856 1040:ffff 2062:8000"},
    {"RawUInt32",      HOIST_DTYPE_TT_RAW32, 32, 32, 32, "0:0201 16:0100000002010000 80:78563412 2064:ffff0000 4108:80000080"},
};
// clang-format on

static uint8_t hex_byte(const char *text)
{
    const char digits[] = {text[0], text[1], '\0'};
    return (uint8_t)strtoul(digits, NULL, 16);
}

// Sets the bytes that `text` names.
static void set_bytes(const char *text, uint8_t *tile)
{
    while (*text) {
        char *end = NULL;
        size_t at = (size_t)strtoul(text, &end, 10);
        for (text = end + 1; *text && *text != ' '; text += 2) {
            tile[at++] = hex_byte(text);
        }
        text += *text == ' ';
    }
}

static void make_tensor(hoist_dtype dtype, uint32_t height, uint32_t width, float *tensor)
{
    const bool is_raw = hoist_dtype_get(dtype)->kind == HOIST_CLASS_RAW;
    for (size_t i = 0; i < HOIST_COUNT_OF(elements); i++) {
        const bool is_last = i + 1 == HOIST_COUNT_OF(elements);
        const uint32_t r = is_last ? height - 1 : elements[i].row;
        const uint32_t c = is_last ? width - 1 : elements[i].col;
        if (r < height && c < width) {
            tensor[r * width + c] =
                hoist_f32_from_bits(is_raw ? elements[i].raw : elements[i].number);
        }
    }
}

HOIST_TEST_TABLE(one_tile, tiles)
{
    hoist_queue_image image = {.entry = {ONE_TILE, row->dtype, row->alignment, false, false},
                               .slots = 1};
    image.entry.tiling.tile_height = row->height;
    image.entry.tiling.tile_width = row->width;
    hoist_queue_image_size size;
    const char *reason = NULL;
    HOIST_EXPECT_EQ(t, hoist_queue_image_measure(&image, &size, &reason), HOIST_OK);
    HOIST_EXPECT_EQ(t, size.header, row->alignment);
    float tensor[1024] = {0};
    make_tensor(row->dtype, row->height, row->width, tensor);
    uint8_t *wanted = hoist_arena_array(&t->arena, size.bytes, 1);
    wanted[4] = 1; // the write pointer
    set_bytes(row->bytes, wanted + size.header);
    uint8_t *got = hoist_arena_alloc(&t->arena, size.bytes);
    memset(got, 0xa5, size.bytes);
    hoist_queue_image_begin(&image, &size, (hoist_queue_pointers){0, 1}, got);
    hoist_queue_image_put(&image, &size, 0, 0, tensor, got);
    size_t at = 0;
    while (at < size.bytes && got[at] == wanted[at]) {
        at++;
    }
    HOIST_EXPECT_EQ(t, at, size.bytes); // else the first byte that differs
    hoist_queue_pointers pointers;
    HOIST_EXPECT_EQ(t,
                    hoist_queue_image_check(&image, &size, (hoist_bytes){got, size.bytes}, NULL,
                                            t->diag, &pointers),
                    HOIST_OK);
    HOIST_EXPECT(t, pointers.read == 0 && pointers.write == 1);
    HOIST_EXPECT_EQ(t, hoist_queue_image_count(&image, &size, got), 1);
}

// What is not known ------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_queue_image image;
    hoist_status status;
    const char *reason;
} refused[] = {
    {"e4m3", {{ONE_TILE, HOIST_DTYPE_TT_F8E4M3, 32, false, false}, 1, false}, HOIST_UNSUPPORTED, "the reference packs Fp8_e4m3 as the bits of Lf8"},
    {"flat raw", {{ONE_TILE, HOIST_DTYPE_TT_RAW32, 32, true, false}, 1, false}, HOIST_UNSUPPORTED, "the order of raw elements in a flat layout is not published"},
    {"flat block float", {{ONE_TILE, HOIST_DTYPE_TT_BFP8A, 32, true, false}, 1, true}, HOIST_UNSUPPORTED, "a flat layout of block floats is not published"},
    {"pointers", {{ONE_TILE, HOIST_DTYPE_BF16, 32, false, false}, 32768, false}, HOIST_UNSUPPORTED, "the pointers of its header have 16 bits, which more than 32,767 entries exceed"},
    {"as many as pointers can count", {{ONE_TILE, HOIST_DTYPE_BF16, 32, false, false}, 32767, false}, HOIST_OK, ""},
    {"a ram has no pointers", {{ONE_TILE, HOIST_DTYPE_BF16, 32, false, false}, 32768, true}, HOIST_OK, ""},
    {"no slots", {{ONE_TILE, HOIST_DTYPE_BF16, 32, false, false}, 0, true}, HOIST_INVALID, ""},
    {"no tiles of f64", {{ONE_TILE, HOIST_DTYPE_F64, 32, false, false}, 1, true}, HOIST_UNSUPPORTED, ""},
    {"alignment 16", {{ONE_TILE, HOIST_DTYPE_BF16, 16, false, false}, 1, true}, HOIST_INVALID, ""},
    {"too large", {{{1, 1, 1u << 29, 1, 1, 1, 1, false, 32, 32}, HOIST_DTYPE_F32, 32, false, false}, UINT32_MAX, true}, HOIST_LIMIT, ""},
};
// clang-format on

HOIST_TEST_TABLE(measure, refused)
{
    hoist_queue_image_size size;
    const char *reason = NULL;
    HOIST_EXPECT_EQ(t, hoist_queue_image_measure(&row->image, &size, &reason), row->status);
    HOIST_EXPECT_STR(t, hoist_str_from(reason ? reason : ""), row->reason);
    HOIST_EXPECT(t, (size.bytes > 0) == (row->status == HOIST_OK));
}

// Round trips ------------------------------------------------------------------------------------

static uint32_t small(uint64_t *state, uint32_t most)
{
    return 1 + (uint32_t)(hoist_test_random(state) >> 32) % most;
}

static hoist_queue_image random_image(uint64_t *state, hoist_dtype dtype)
{
    static const uint32_t dims[][2] = {{32, 32}, {16, 32}, {8, 32}, {4, 32},
                                       {2, 32},  {1, 32},  {32, 16}};
    const uint32_t *dim = dims[small(state, HOIST_COUNT_OF(dims)) - 1];
    const hoist_dtype_class kind = hoist_dtype_get(dtype)->kind;
    const bool can_be_flat = kind != HOIST_CLASS_RAW && kind != HOIST_CLASS_BLOCK;
    return (hoist_queue_image){
        .entry = {.tiling = {small(state, 2), small(state, 2), small(state, 2), small(state, 2),
                             small(state, 2), small(state, 2), small(state, 2),
                             small(state, 2) == 1, dim[0], dim[1]},
                  .dtype = dtype,
                  .alignment = small(state, 2) * 32,
                  .flat = can_be_flat && small(state, 3) == 1},
        .slots = small(state, 4),
        .is_ram = small(state, 2) == 1,
    };
}

// Any bits, also NaN, infinity and what is beyond a type; or numbers of a range that all have.
static void fill(uint64_t *state, bool any, float *tensor, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = hoist_test_random(state);
        tensor[i] =
            any ? hoist_f32_from_bits((uint32_t)(x >> 32)) : (float)(int32_t)(x >> 32) * 0x1p-24f;
    }
}

static bool same_floats(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

// The images of all buffers, with some slots that hold what the type makes of random tensors.
static void check_images(hoist_test *t, uint64_t *state, const hoist_queue_image *image, bool any)
{
    hoist_queue_image_size size;
    const char *reason = NULL;
    HOIST_EXPECT_EQ(t, hoist_queue_image_measure(image, &size, &reason), HOIST_OK);
    const size_t count = size.entry.tiling.elements;
    const size_t buffers = size.entry.tiling.buffers;
    const uint32_t written = small(state, image->slots);
    const hoist_queue_pointers pointers = {image->is_ram ? 0 : written - 1,
                                           image->is_ram ? 0 : written};
    float *held = hoist_arena_array(&t->arena, written * count, sizeof *held);
    uint8_t **bytes = hoist_arena_array(&t->arena, buffers, sizeof *bytes);
    fill(state, any, held, written * count);
    for (size_t b = 0; b < buffers; b++) {
        bytes[b] = hoist_arena_alloc(&t->arena, size.bytes);
        hoist_queue_image_begin(image, &size, pointers, bytes[b]);
    }
    for (uint32_t slot = 0; slot < written; slot++) {
        HOIST_EXPECT_EQ(t, hoist_queue_quantize(&image->entry, held + slot * count), HOIST_OK);
        for (size_t b = 0; b < buffers; b++) {
            hoist_queue_image_put(image, &size, b, slot, held + slot * count, bytes[b]);
        }
    }
    float *back = hoist_arena_array(&t->arena, count, sizeof *back);
    for (uint32_t slot = 0; slot < written; slot++) {
        for (size_t b = 0; b < buffers; b++) {
            const hoist_bytes exact = hoist_test_exact(t, (hoist_bytes){bytes[b], size.bytes});
            hoist_queue_pointers found;
            HOIST_EXPECT_EQ(t, hoist_queue_image_check(image, &size, exact, NULL, t->diag, &found),
                            HOIST_OK);
            HOIST_EXPECT(t, found.read == pointers.read && found.write == pointers.write);
            HOIST_EXPECT_EQ(t, hoist_queue_image_count(image, &size, exact.data),
                            image->entry.flat ? image->slots : written);
            hoist_queue_image_get(image, &size, b, slot, exact.data, back);
        }
        HOIST_EXPECT(t, same_floats(held + slot * count, back, count));
    }
}

static const struct {
    const char *name;
    hoist_dtype dtype;
} types[] = {
    {"Float32", HOIST_DTYPE_F32},        {"Float16_b", HOIST_DTYPE_BF16},
    {"Float16", HOIST_DTYPE_TT_F16},     {"Bfp8_b", HOIST_DTYPE_TT_BFP8B},
    {"Bfp8", HOIST_DTYPE_TT_BFP8A},      {"Bfp4_b", HOIST_DTYPE_TT_BFP4B},
    {"Bfp4", HOIST_DTYPE_TT_BFP4A},      {"Bfp2_b", HOIST_DTYPE_TT_BFP2B},
    {"Bfp2", HOIST_DTYPE_TT_BFP2A},      {"Lf8", HOIST_DTYPE_TT_LF8},
    {"Int8", HOIST_DTYPE_TT_I8},         {"UInt8", HOIST_DTYPE_U8},
    {"UInt16", HOIST_DTYPE_U16},         {"Int32", HOIST_DTYPE_TT_I32},
    {"RawUInt8", HOIST_DTYPE_TT_RAW8},   {"RawUInt16", HOIST_DTYPE_TT_RAW16},
    {"RawUInt32", HOIST_DTYPE_TT_RAW32},
};

HOIST_TEST_TABLE(round_trips, types)
{
    uint64_t state = (uint64_t)row->dtype;
    for (size_t n = 0; n < HOIST_TEST_ROUNDS(24); n++) {
        const hoist_queue_image image = random_image(&state, row->dtype);
        check_images(t, &state, &image, n % 2 == 0);
    }
}

// Damage -----------------------------------------------------------------------------------------

// Two slots of two tiles of Float16_b: 32 + 2 * 2 * 2080 bytes, of which slot 0 is written.
static const hoist_queue_image two_slots = {
    {{1, 1, 1, 1, 1, 1, 2, false, 32, 32}, HOIST_DTYPE_BF16, 32, false, false}, 2, false};
static const hoist_queue_image two_slots_of_a_ram = {
    {{1, 1, 1, 1, 1, 1, 2, false, 32, 32}, HOIST_DTYPE_BF16, 32, false, false}, 2, true};

// clang-format off
static const struct {
    const char *name;
    const hoist_queue_image *image;
    size_t bytes;         // of the file
    const char *change;   // as of tiles[].bytes
    hoist_status status;
    const char *findings;
} damaged[] = {
    {"sound", &two_slots, 8352, "4:01", HOIST_OK, ""},
    {"nothing waits", &two_slots, 8352, "0:01 4:01", HOIST_OK, ""},
    {"around the end", &two_slots, 8352, "0:03 4:03", HOIST_OK, ""},
    {"what follows a size in a tile header", &two_slots, 8352, "34:ffffffffffffffffffffffffffff 2098:01", HOIST_OK, ""},
    {"padding and unknown fields", &two_slots, 8352, "6:ffff 8:ffffffff 2096:ffff", HOIST_OK, ""},
    {"a ram's pointers are not known", &two_slots_of_a_ram, 8352, "0:ffff 4:ffff", HOIST_OK, ""},
    {"empty", &two_slots, 0, "", HOIST_TRUNCATED,
     "+0x0: error: the image has 0 bytes, expected 8352: a header of 32 and 2 entries of 4160 [RAW-014]\n"},
    {"truncated", &two_slots, 8351, "", HOIST_TRUNCATED,
     "+0x209f: error: the image has 8351 bytes, expected 8352: a header of 32 and 2 entries of 4160 [RAW-014]\n"},
    {"too large", &two_slots, 8353, "", HOIST_INVALID,
     "+0x20a0: error: the image has 8353 bytes, expected 8352: a header of 32 and 2 entries of 4160 [RAW-014]\n"},
    {"read pointer", &two_slots, 8352, "0:04", HOIST_INVALID,
     "+0x0: error: the read pointer is 4, expected less than 4, twice the entries [RAW-015]\n"},
    {"write pointer", &two_slots, 8352, "4:0001", HOIST_INVALID,
     "+0x4: error: the write pointer is 256, expected less than 4, twice the entries [RAW-015]\n"},
    {"more than fit", &two_slots, 8352, "0:01", HOIST_INVALID,
     "+0x4: error: 3 entries wait between the pointers 1 and 0, expected at most 2 [RAW-015]\n"},
    {"waiting in a slot without tiles", &two_slots, 8352, "4:02", HOIST_INVALID,
     "+0x1060: error: slot 1 holds no tiles, but an entry waits in it by the pointers 0 and 2 [RAW-015]\n"},
    {"tile size", &two_slots, 8352, "32:83", HOIST_INVALID,
     "+0x20: error: the header of tile 0 of slot 0 has a size of 131 units of 16 bytes, expected 130 [RAW-016]\n"},
    {"second tile", &two_slots, 8352, "2112:00", HOIST_INVALID,
     "+0x840: error: the header of tile 1 of slot 0 has a size of 0 units of 16 bytes, expected 130 [RAW-016]\n"},
    {"half a slot", &two_slots, 8352, "6272:82", HOIST_INVALID,
     "+0x1880: error: the header of tile 1 of slot 1 has a size of 130 units of 16 bytes, expected 0 as in the tiles before it [RAW-016]\n"},
};
// clang-format on

HOIST_TEST_TABLE(check, damaged)
{
    hoist_queue_image_size size;
    const char *reason = NULL;
    HOIST_EXPECT_EQ(t, hoist_queue_image_measure(row->image, &size, &reason), HOIST_OK);
    float tensor[2048] = {0};
    uint8_t *bytes = hoist_arena_array(&t->arena, size.bytes + 1, 1);
    hoist_queue_image_begin(row->image, &size, (hoist_queue_pointers){0}, bytes);
    hoist_queue_image_put(row->image, &size, 0, 0, tensor, bytes);
    set_bytes(row->change, bytes);
    hoist_queue_pointers pointers;
    const hoist_bytes exact = hoist_test_exact(t, (hoist_bytes){bytes, row->bytes});
    HOIST_EXPECT_EQ(t, hoist_queue_image_check(row->image, &size, exact, NULL, t->diag, &pointers),
                    row->status);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    const bool has_pointers = row->status == HOIST_OK && !row->image->is_ram;
    HOIST_EXPECT_EQ(t, pointers.write, has_pointers ? hoist_load_u16le(bytes + 4) : 0);
}

HOIST_TEST(images_of_a_queue_have_the_same_pointers)
{
    const hoist_queue_pointers first = {1, 2};
    HOIST_EXPECT_EQ(t, hoist_queue_image_agree(first, first, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_queue_image_agree(first, (hoist_queue_pointers){0, 2}, t->diag),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_queue_image_agree(first, (hoist_queue_pointers){1, 3}, t->diag),
                    HOIST_INVALID);
    HOIST_EXPECT_STR(
        t, hoist_test_findings(t),
        "+0x0: error: the read pointer is 0, expected 1 as in the queue's first image [RAW-015]\n"
        "+0x4: error: the write pointer is 3, expected 2 as in the queue's first image "
        "[RAW-015]\n");
}

HOIST_TEST(a_deadline_ends_a_check)
{
    hoist_queue_image_size size;
    const char *reason = NULL;
    HOIST_EXPECT_EQ(t, hoist_queue_image_measure(&two_slots, &size, &reason), HOIST_OK);
    const hoist_bytes bytes = {hoist_arena_array(&t->arena, size.bytes, 1), size.bytes};
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    hoist_queue_pointers pointers;
    HOIST_EXPECT_EQ(t,
                    hoist_queue_image_check(&two_slots, &size, bytes, deadline, t->diag, &pointers),
                    HOIST_LIMIT);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_tile), HOIST_TEST_ROW(measure), HOIST_TEST_ROW(round_trips),
                HOIST_TEST_ROW(check), HOIST_TEST_ROW(images_of_a_queue_have_the_same_pointers),
                HOIST_TEST_ROW(a_deadline_ends_a_check))
