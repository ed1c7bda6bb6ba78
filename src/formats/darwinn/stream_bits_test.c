// Bits at any place: the worked example of darwinn reference section 3, straddling, short spans.
#include <string.h>

#include "formats/darwinn/stream_bits.h"
#include "testing/test.h"

static const struct {
    const char *name;
    uint64_t bit;
    unsigned width;
    uint32_t value;
    uint8_t filled; // before
    uint8_t want[6];
} stores[] = {
    // clang-format off
    {"the reference's example",  6,  32, UINT32_MAX, 0x00, {0xc0, 0xff, 0xff, 0xff, 0x3f, 0x00}},
    {"at a byte",                8,  32, 0x12345678, 0x00, {0x00, 0x78, 0x56, 0x34, 0x12, 0x00}},
    {"others stay",              6,  32, 0,          0xff, {0x3f, 0x00, 0x00, 0x00, 0xc0, 0xff}},
    {"one bit",                  15, 1,  1,          0x00, {0x00, 0x80, 0x00, 0x00, 0x00, 0x00}},
    {"inside a byte",            9,  3,  5,          0x00, {0x00, 0x0a, 0x00, 0x00, 0x00, 0x00}},
    {"high bits do not count",   9,  3,  0xfffffffd, 0x00, {0x00, 0x0a, 0x00, 0x00, 0x00, 0x00}},
    {"up to the last bit",       16, 32, UINT32_MAX, 0x00, {0x00, 0x00, 0xff, 0xff, 0xff, 0xff}},
    // clang-format on
};

HOIST_TEST_TABLE(bits_are_stored, stores)
{
    uint8_t bytes[6];
    memset(bytes, row->filled, sizeof(bytes));
    const hoist_bytes exact = hoist_test_exact(t, (hoist_bytes){bytes, sizeof(bytes)});
    uint8_t *writable = hoist_arena_alloc(&t->arena, sizeof(bytes));
    memcpy(writable, exact.data, sizeof(bytes));
    dwn_bits_store((hoist_mut_bytes){writable, sizeof(bytes)}, row->bit, row->width, row->value);
    HOIST_EXPECT(t, memcmp(writable, row->want, sizeof(bytes)) == 0);
    const uint32_t mask = row->width == 32 ? UINT32_MAX : (UINT32_C(1) << row->width) - 1;
    HOIST_EXPECT_EQ(t, dwn_bits_load((hoist_bytes){writable, sizeof(bytes)}, row->bit, row->width),
                    row->value & mask);
}

// Every place and width in spans of every size, against one bit at a time.
HOIST_TEST(loads_see_every_bit)
{
    uint64_t seed = 1;
    for (size_t size = 1; size <= 20; size++) {
        uint8_t *bytes = hoist_arena_alloc(&t->arena, size);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)hoist_test_random(&seed);
        }
        const hoist_bytes exact = hoist_test_exact(t, (hoist_bytes){bytes, size});
        for (uint64_t bit = 0; bit < 8 * size; bit++) {
            uint32_t want = 0;
            for (unsigned width = 1; width <= 32 && bit + width <= 8 * size; width++) {
                const uint64_t last = bit + width - 1;
                want |= (uint32_t)(bytes[last / 8] >> last % 8 & 1) << (width - 1);
                HOIST_EXPECT_EQ(t, dwn_bits_load(exact, bit, width), want);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bits_are_stored), HOIST_TEST_ROW(loads_see_every_bit))
