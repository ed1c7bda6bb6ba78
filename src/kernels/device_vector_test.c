// The multiply-add of the vector unit of a Tensix core, where the chips differ.
#include "kernels/device_vector.h"
#include "testing/test.h"

#define INF 0x7f800000U
#define NAN_BITS 0x7fc00000U
#define NEG 0x80000000U
#define ONE 0x3f800000U

// clang-format off
static const struct {
    const char *name;
    uint32_t a, b, c;
    uint32_t wormhole, blackhole;
} sums[] = {
    {"one and one",                ONE,        ONE,        ONE,        0x40000000, 0x40000000},
    {"ties go to even",            ONE,        0x33800000, ONE,        ONE,        ONE},
    {"a product loses its low bits",               0x3f800001, 0x3f800001, 0xbf800002, 0x32800000, 0x32800000},
    {"a zero of two signs",        NEG | ONE,  ONE,        ONE,        0,          0},
    {"two negative zeros",         NEG,        ONE,        NEG,        0,          NEG},
    {"a denormal is a zero",       0x007fffff, ONE,        0,          0,          0},
    {"an underflow keeps a sign",  0x80800000, 0x3f000000, 0,          0,          NEG},
    {"an overflow",                0x7f7fffff, 0x40000000, 0,          INF,        INF},
    {"infinity less an overflow",  0x7f7fffff, 0x40000000, NEG | INF,  0x7fffffff, NEG | INF},
    {"infinity times 0",           INF,        0,          ONE,        0x7f800001, NAN_BITS},
    {"bits get into a NaN",        INF,        0,          0x3fc00000, 0x7fc00001, NAN_BITS},
    {"a NaN",                      ONE,        ONE,        0xff812345, 0xff800001, NAN_BITS},
};
// clang-format on

HOIST_TEST_TABLE(multiply_add, sums)
{
    HOIST_EXPECT_EQ(t, hoist_device_fma(HOIST_DEVICE_WORMHOLE_B0, row->a, row->b, row->c),
                    row->wormhole);
    HOIST_EXPECT_EQ(t, hoist_device_fma(HOIST_DEVICE_BLACKHOLE, row->a, row->b, row->c),
                    row->blackhole);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(multiply_add))
