#include <string.h>

#include "base/reader.h"
#include "testing/test.h"

static const uint8_t counting[] = {0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88,
                                   0x09, 0x8a, 0x0b, 0x8c, 0x0d, 0x8e, 0x0f};

HOIST_TEST(numbers_are_little_endian)
{
    hoist_reader r =
        hoist_reader_init(hoist_test_exact(t, (hoist_bytes){counting, sizeof(counting)}));
    HOIST_EXPECT_EQ(t, hoist_read_u8(&r), 0x01);
    HOIST_EXPECT_EQ(t, hoist_read_u16le(&r), 0x0382);
    HOIST_EXPECT_EQ(t, hoist_read_u32le(&r), 0x07860584);
    HOIST_EXPECT_EQ(t, hoist_read_u64le(&r), 0x0f8e0d8c0b8a0988);
    HOIST_EXPECT_EQ(t, hoist_reader_left(&r), 0);
    HOIST_EXPECT(t, !r.failed);
}

typedef enum read_kind { U8, U16, U32, U64, BYTES } read_kind;

static const struct {
    const char *name;
    read_kind kind;
    uint64_t bytes; // that the read takes
} reads[] = {
    {"u8", U8, 1}, {"u16", U16, 2}, {"u32", U32, 4}, {"u64", U64, 8}, {"five bytes", BYTES, 5}};

static uint64_t read_one(hoist_reader *r, read_kind kind)
{
    switch (kind) {
    case U8:
        return hoist_read_u8(r);
    case U16:
        return hoist_read_u16le(r);
    case U32:
        return hoist_read_u32le(r);
    case U64:
        return hoist_read_u64le(r);
    case BYTES:
        return hoist_read_bytes(r, 5).size;
    }
    return 0;
}

// With every number of bytes from none to enough.
HOIST_TEST_TABLE(reads_past_the_end_fail, reads)
{
    for (uint64_t size = 0; size <= row->bytes; size++) {
        const hoist_bytes file = hoist_test_exact(t, (hoist_bytes){counting, (size_t)size});
        hoist_reader r = hoist_reader_init(file);
        const uint64_t value = read_one(&r, row->kind);
        HOIST_EXPECT_EQ(t, r.failed, size < row->bytes);
        HOIST_EXPECT_EQ(t, value != 0, size == row->bytes);
        HOIST_EXPECT_EQ(t, r.pos, size < row->bytes ? 0 : size);
    }
}

HOIST_TEST(a_failure_sticks)
{
    hoist_reader r =
        hoist_reader_init(hoist_test_exact(t, (hoist_bytes){counting, sizeof(counting)}));
    HOIST_EXPECT(t, hoist_read_bytes(&r, sizeof(counting) + 1).data == NULL);
    HOIST_EXPECT(t, r.failed);
    HOIST_EXPECT_EQ(t, hoist_read_u8(&r), 0);
    HOIST_EXPECT_EQ(t, hoist_read_bytes(&r, 0).size, 0);
    HOIST_EXPECT(t, r.failed);
}

static const struct {
    const char *name;
    uint64_t to;
    bool failed;
} seeks[] = {
    {"start", 0, false},
    {"middle", 7, false},
    {"end", sizeof(counting), false},
    {"one past the end", sizeof(counting) + 1, true},
    {"far past the end", UINT64_MAX, true},
};

HOIST_TEST_TABLE(seeks_stay_in_the_file, seeks)
{
    hoist_reader r = hoist_reader_init((hoist_bytes){counting, sizeof(counting)});
    (void)hoist_read_u8(&r);
    hoist_reader_seek(&r, row->to);
    HOIST_EXPECT_EQ(t, r.failed, row->failed);
    HOIST_EXPECT_EQ(t, r.pos, row->failed ? 1 : row->to);
    HOIST_EXPECT_EQ(t, hoist_reader_left(&r), sizeof(counting) - r.pos);
    HOIST_EXPECT_EQ(t, hoist_read_u8(&r), row->failed || row->to == 15 ? 0 : counting[row->to]);
    // A size that would wrap around when added to the place is refused as well.
    HOIST_EXPECT_EQ(t, hoist_read_bytes(&r, UINT64_MAX).size, 0);
    HOIST_EXPECT(t, r.failed);
}

HOIST_TEST(stores_and_loads_agree_at_odd_places)
{
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        const uint64_t v = hoist_test_random(&seed);
        uint8_t bytes[11] = {0};
        uint8_t *at = bytes + 1 + v % 2;
        hoist_store_u64le(at, v);
        HOIST_EXPECT_EQ(t, hoist_load_u64le(at), v);
        HOIST_EXPECT_EQ(t, at[0], v & 0xff);
        HOIST_EXPECT_EQ(t, bytes[0] | bytes[10], 0);
        hoist_store_u32le(at, (uint32_t)(v >> 7));
        HOIST_EXPECT_EQ(t, hoist_load_u32le(at), (uint32_t)(v >> 7));
        HOIST_EXPECT_EQ(t, at[4], (v >> 32) & 0xff);
        hoist_store_u16le(at, (uint16_t)(v >> 9));
        HOIST_EXPECT_EQ(t, hoist_load_u16le(at), (uint16_t)(v >> 9));
    }
}

HOIST_TEST(the_machine_has_one_order)
{
    static const uint8_t bytes[] = {0x34, 0x12};
    uint16_t own = 0;
    memcpy(&own, bytes, sizeof(own));
    HOIST_EXPECT_EQ(t, hoist_is_little_endian(), own == 0x1234);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_machine_has_one_order),
                HOIST_TEST_ROW(numbers_are_little_endian), HOIST_TEST_ROW(reads_past_the_end_fail),
                HOIST_TEST_ROW(a_failure_sticks), HOIST_TEST_ROW(seeks_stay_in_the_file),
                HOIST_TEST_ROW(stores_and_loads_agree_at_odd_places))
