#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "exchange/queue_image.h"
#include "testing/test.h"

static const hoist_tiling one = {1, 1, 1, 1, 1, 1, 1, false, 32, 32};

static uint8_t hex_byte(const char *text)
{
    const char digits[] = {text[0], text[1], '\0'};
    return (uint8_t)strtoul(digits, NULL, 16);
}

// Sets bytes by OFFSET:BYTES.
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

// What is not known ------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_queue_image image;
    hoist_status status;
    const char *reason;
} refused[] = {
    {"e4m3", {{one, HOIST_DTYPE_TT_F8E4M3, 32, false, false}, 1, false}, HOIST_UNSUPPORTED, "the reference packs Fp8_e4m3 as the bits of Lf8"},
    {"flat raw", {{one, HOIST_DTYPE_TT_RAW32, 32, true, false}, 1, false}, HOIST_UNSUPPORTED, "the order of raw elements in a flat layout is not published"},
    {"flat block float", {{one, HOIST_DTYPE_TT_BFP8A, 32, true, false}, 1, true}, HOIST_UNSUPPORTED, "a flat layout of block floats is not published"},
    {"pointers", {{one, HOIST_DTYPE_BF16, 32, false, false}, 32768, false}, HOIST_UNSUPPORTED, "the pointers of its header have 16 bits, which more than 32,767 entries exceed"},
    {"as many as pointers can count", {{one, HOIST_DTYPE_BF16, 32, false, false}, 32767, false}, HOIST_OK, ""},
    {"a ram has no pointers", {{one, HOIST_DTYPE_BF16, 32, false, false}, 32768, true}, HOIST_OK, ""},
    {"no slots", {{one, HOIST_DTYPE_BF16, 32, false, false}, 0, true}, HOIST_INVALID, ""},
    {"no tiles of f64", {{one, HOIST_DTYPE_F64, 32, false, false}, 1, true}, HOIST_UNSUPPORTED, ""},
    {"alignment 16", {{one, HOIST_DTYPE_BF16, 16, false, false}, 1, true}, HOIST_INVALID, ""},
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
    const char *change;   // OFFSET:BYTES
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

HOIST_TEST_MAIN(HOIST_TEST_ROW(measure), HOIST_TEST_ROW(check),
                HOIST_TEST_ROW(a_deadline_ends_a_check))
