// The op model: each formula against sums by hand, the choice of rows, what has none.
#include "base/span.h"
#include "cost/tensix.h"
#include "testing/test.h"

#define OP(name, set, ...)                                                                         \
    {                                                                                              \
        .type = {name, sizeof(name) - 1}, .traits = (set), __VA_ARGS__                             \
    }
#define BLOCK .t = 2, .mblock_m = 3, .mblock_n = 4, .ublock_rt = 2, .ublock_ct = 2
#define WORMHOLE "wormhole_b0"

static const struct {
    const char *name;
    const char *device;
    hoist_tensix_op op;
    double cycles; // 0: no weights
} estimates[] = {
    {"ublocks and tiles", WORMHOLE, OP("nop", HOIST_TENSIX_BFP, BLOCK), 2 * (12 * 305 + 48 * 56)},
    {"another name of the device", "wormhole", OP("nop", HOIST_TENSIX_BFP, BLOCK),
     2 * (12 * 305 + 48 * 56)},
    {"the next device has the same", "blackhole", OP("nop", HOIST_TENSIX_BFP, BLOCK),
     2 * (12 * 305 + 48 * 56)},
    {"extents that are 0", WORMHOLE, OP("nop", 0, .t = 0), 305 + 56},
    {"a format of its own", WORMHOLE, OP("nop", HOIST_TENSIX_INT8, .t = 1), 300.795 + 31.639},
    {"approximate", WORMHOLE, OP("exp", HOIST_TENSIX_APPROXIMATE, .t = 1), 10.2144 + 812.812},
    {"approximate, in rows", WORMHOLE,
     OP("exp", HOIST_TENSIX_APPROXIMATE | HOIST_TENSIX_ROWS, .t = 1), 94.6572 + 129.132},
    {"in rows", WORMHOLE, OP("exp", HOIST_TENSIX_ROWS, .t = 1), 29.9093 + 255.082},
    {"no rows of its own", "grayskull", OP("exp", HOIST_TENSIX_ROWS, .t = 1), 2666},
    {"two inputs", WORMHOLE, OP("add", HOIST_TENSIX_BFP, BLOCK), 2 * (12 * 234.254 + 48 * 49.6022)},
    {"two inputs of 16 bits", WORMHOLE, OP("add", HOIST_TENSIX_FLOAT16, BLOCK),
     2 * (12 * 234.254 + 48 * 49.6022 * 2)},
    {"two inputs of 32 bits", WORMHOLE, OP("add", HOIST_TENSIX_FLOAT32, BLOCK),
     2 * (12 * 234.254 + 48 * 49.6022 * 4)},
    {"the greater of two takes as long in all", "grayskull",
     OP("maximum", HOIST_TENSIX_FLOAT16, .t = 1), 30.7432 + 260.328},
    {"a product", WORMHOLE,
     OP("matmul", HOIST_TENSIX_FLOAT16, BLOCK, .mblock_k = 5, .ublock_kt = 3, .phases = 4),
     2 * (60 * 12 * 4 * 15.5161 + 4 * 12 * 4 * 47.701 + 60 * 93.197 + 60 * 18 * 3.3329)},
    {"a product that accumulates in L1", WORMHOLE,
     OP("matmul", HOIST_TENSIX_BFP | HOIST_TENSIX_L1, .t = 1, .phases = 1),
     14.0376 + 70.0133 + 2 * 4.6642},
    {"a product of Grayskull", "grayskull",
     OP("matmul", HOIST_TENSIX_BFP, BLOCK, .mblock_k = 5, .ublock_kt = 3, .phases = 2),
     2 * (4 * 1321 + 60 * 56 + 60 * 12 * 36 * 2)},
    {"a sum", WORMHOLE, OP("reduce", HOIST_TENSIX_BFP, .t = 1), 76 + 59},
    {"a sum of columns", WORMHOLE, OP("reduce", HOIST_TENSIX_BFP | HOIST_TENSIX_DIM_C, .t = 1), 91},
    {"the first slice along z is copied", WORMHOLE, OP("reduce", HOIST_TENSIX_BFP, BLOCK, .z = 4),
     2 * (3 * (48 * 287 + 268) + 12 * 305 + 48 * 56)},
    {"one slice along z is a copy of its format", WORMHOLE,
     OP("reduce", HOIST_TENSIX_INT8, .t = 1, .z = 1), 300.795 + 31.639},
    {"slices of Grayskull", "grayskull", OP("reduce", HOIST_TENSIX_BFP, .t = 1, .z = 2),
     287 + 268 + 305 + 56},
    {"sine takes twice its columns", WORMHOLE, OP("sine", HOIST_TENSIX_BFP, .t = 1),
     23.4269 + 2 * 874.371},
    // Strips, ublocks and tiles that are not zero are 6, 9 and 21; the block is that of 2 x 2 x 4.
    // Two of the strips are the first ones, which take three of the ublocks.
    {"a sparse product by stages", WORMHOLE,
     OP("matmul", HOIST_TENSIX_BFP, BLOCK, .mblock_k = 5, .ublock_kt = 4, .phases = 1,
        .is_sparse = true, .nz_tiles = 21, .nz_ublocks = 9, .nz_strips = 6),
     6 * 3 * 80 + 9 * 80 + 6 * 100 + 21 * 4 * 2 * 26 + 6 * 4 * 4 * 50 + 2 * 4 * 3 * 4 * 50},
    {"a sparse product of first strips alone", WORMHOLE,
     OP("matmul", HOIST_TENSIX_BFP, BLOCK, .mblock_k = 5, .ublock_kt = 4, .phases = 1,
        .is_sparse = true, .nz_tiles = 7, .nz_ublocks = 3, .nz_strips = 2),
     2 * 3 * 80 + 3 * 80 + 2 * 100 + 7 * 4 * 2 * 26 + 2 * 4 * 3 * 4 * 50},
    {"a sparse product by tiles alone", "grayskull",
     OP("matmul", HOIST_TENSIX_BFP, .t = 1, .mblock_k = 1, .phases = 1, .is_sparse = true,
        .nz_tiles = 1),
     36 + (20 + 40) + 50 + 12 * 3 + 8 + 8},
    {"no such op", WORMHOLE, OP("topk", HOIST_TENSIX_BFP, .t = 1), 0},
    {"no such op on the device", "grayskull", OP("cosine", HOIST_TENSIX_BFP, .t = 1), 0},
    {"no such device", "edgetpu", OP("nop", HOIST_TENSIX_BFP, .t = 1), 0},
    {"no device", "", OP("nop", HOIST_TENSIX_BFP, .t = 1), 0},
};

HOIST_TEST_TABLE(formulas, estimates)
{
    hoist_tensix_cycles got;
    const bool found = hoist_tensix_estimate(hoist_str_from(row->device), &row->op, &got);
    HOIST_EXPECT_EQ(t, found, row->cycles > 0);
    HOIST_EXPECT_EQ(t, got.row != NULL, found);
    HOIST_EXPECT(t, got.low <= got.cycles && got.cycles <= got.high);
    HOIST_EXPECT(t,
                 got.cycles >= row->cycles * (1 - 1e-9) && got.cycles <= row->cycles * (1 + 1e-9));
}

// Measurements are near the estimates, and no row hides another.
HOIST_TEST(rows_have_ranges)
{
    size_t count = 0;
    size_t measured = 0;
    for (const hoist_tensix_row *r; (r = hoist_tensix_row_at(count)); count++) {
        HOIST_EXPECT(t, r->measured ? r->low > 0.2 && r->low <= r->high && r->high < 5
                                    : r->low == 0 && r->high == 0);
        HOIST_EXPECT(t, r->type[0] != '\0');
        measured += r->measured;
    }
    HOIST_EXPECT_EQ(t, count, 109);
    HOIST_EXPECT_EQ(t, measured, 2641 + 6725);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(formulas), HOIST_TEST_ROW(rows_have_ranges))
