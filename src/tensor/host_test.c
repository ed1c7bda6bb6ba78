#include <string.h>

#include "base/reader.h"
#include "tensor/float_bits.h"
#include "tensor/host.h"
#include "testing/test.h"

#define TILE 1024

static hoist_queue_layout one_tile(hoist_dtype dtype)
{
    return (hoist_queue_layout){
        .tiling = {1, 1, 1, 1, 1, 1, 1, false, 32, 32}, .dtype = dtype, .alignment = 32};
}

// The first datum of a tile (the rest zero): host bits -> float32 bits.
// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t host;
    uint32_t out;
} pushes[] = {
    {"float32 nan as is",        HOIST_DTYPE_F32,       0x7f800001, 0x7f800001},
    {"bfloat16",                 HOIST_DTYPE_BF16,      0x3fc0,     0x3fc00000},
    {"half",                     HOIST_DTYPE_TT_F16,    0x3e00,     0x3fc00000},
    {"half inf saturates",       HOIST_DTYPE_TT_F16,    0xfc00,     0xc7ffe000},
    {"half nan saturates",       HOIST_DTYPE_TT_F16,    0x7e01,     0x47ffe000},
    {"half denormal is flushed", HOIST_DTYPE_TT_F16,    0x0200,     0x00000000},
    {"half to Bfp8",             HOIST_DTYPE_TT_BFP8A,  0x3c01,     0x3f800000},
    {"half denormal to Bfp8",    HOIST_DTYPE_TT_BFP8A,  0x0200,     0x38000000},
    {"bfloat16 to Bfp2_b",       HOIST_DTYPE_TT_BFP2B,  0x3fc0,     0x3f800000},
    {"Int8 -128 becomes -127",   HOIST_DTYPE_TT_I8,     0x80,       0xc2fe0000},
    {"Int8 -1",                  HOIST_DTYPE_TT_I8,     0xff,       0xbf800000},
    {"UInt8",                    HOIST_DTYPE_U8,        0xff,       0x437f0000},
    {"UInt16",                   HOIST_DTYPE_U16,       0xffff,     0x477fff00},
    {"Int32",                    HOIST_DTYPE_TT_I32,    0xfffffffe, 0xc0000000},
    {"RawUInt8",                 HOIST_DTYPE_TT_RAW8,   0xfe,       0x000000fe},
    {"RawUInt32",                HOIST_DTYPE_TT_RAW32,  0x7f800001, 0x7f800001},
};

static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t in;
    uint32_t host;
} pops[] = {
    {"float32",                  HOIST_DTYPE_F32,       0xff800001, 0xff800001},
    {"bfloat16 truncates",       HOIST_DTYPE_BF16,      0x3fffffff, 0x3fff    },
    {"Bfp8_b is not rounded",    HOIST_DTYPE_TT_BFP8B,  0x3fffffff, 0x3fff    },
    {"half saturates",           HOIST_DTYPE_TT_F16,    0x7f800000, 0x7fff    },
    {"Bfp4 gives halves",        HOIST_DTYPE_TT_BFP4A,  0x3fffffff, 0x3fff    },
    {"Int8 tie to even",         HOIST_DTYPE_TT_I8,     0x40200000, 0x02      },
    {"Int8 -128",                HOIST_DTYPE_TT_I8,     0xc3000000, 0x80      },
    {"Int8 200",                 HOIST_DTYPE_TT_I8,     0x43480000, 0x7f      },
    {"Int8 nan",                 HOIST_DTYPE_TT_I8,     0x7fc00000, 0x80      },
    {"Int8 beyond int32",        HOIST_DTYPE_TT_I8,     0x4f000000, 0x80      },
    {"UInt8 negative",           HOIST_DTYPE_U8,        0xbf800000, 0x00      },
    {"UInt8 300",                HOIST_DTYPE_U8,        0x43960000, 0xff      },
    {"UInt8 32767",              HOIST_DTYPE_U8,        0x46fffe00, 0xff      },
    {"UInt8 32768 wraps",        HOIST_DTYPE_U8,        0x47000000, 0x00      },
    {"UInt16 70000",             HOIST_DTYPE_U16,       0x4788b800, 0xffff    },
    {"UInt16 2.5",               HOIST_DTYPE_U16,       0x40200000, 0x0002    },
    {"Int32",                    HOIST_DTYPE_TT_I32,    0xc0000000, 0xfffffffe},
    {"Int32 overflow",           HOIST_DTYPE_TT_I32,    0x4f000000, 0x80000000},
    {"Int32 nan",                HOIST_DTYPE_TT_I32,    0xffc00000, 0x80000000},
    {"RawUInt16",                HOIST_DTYPE_TT_RAW16,  0xdeadbeef, 0xbeef    },
};
// clang-format on

static size_t host_bytes(hoist_dtype dtype)
{
    return hoist_dtype_get(hoist_host_dtype(dtype))->bits / 8;
}

static hoist_status load_and_quantize(const hoist_queue_layout *layout, hoist_bytes host,
                                      float *tensor)
{
    HOIST_TRY(hoist_host_load(layout, host, tensor));
    return layout->dtype == HOIST_DTYPE_F32 ? HOIST_OK : hoist_queue_quantize(layout, tensor);
}

HOIST_TEST_TABLE(push, pushes)
{
    const hoist_queue_layout layout = one_tile(row->dtype);
    uint8_t host[4 * TILE] = {0};
    hoist_store_u32le(host, row->host);
    float tensor[TILE];
    const hoist_bytes bytes = {host, TILE * host_bytes(row->dtype)};
    HOIST_EXPECT_EQ(t, load_and_quantize(&layout, bytes, tensor), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tensor[0]), row->out);
}

HOIST_TEST_TABLE(pop, pops)
{
    const hoist_queue_layout layout = one_tile(row->dtype);
    float tensor[TILE] = {0};
    tensor[TILE - 1] = hoist_f32_from_bits(row->in);
    uint8_t host[4 * TILE + 4] = {0};
    const size_t size = host_bytes(row->dtype);
    HOIST_EXPECT_EQ(t, hoist_host_pop(&layout, tensor, (hoist_mut_bytes){host, TILE * size}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(host + (TILE - 1) * size), row->host);
}

// clang-format off
static const struct {
    const char *name;
    size_t size;
    hoist_dtype dtype;
    hoist_status status;
} refusals[] = {
    {"good",           1024,     HOIST_DTYPE_TT_I8, HOIST_OK         },
    {"too short",      1023,     HOIST_DTYPE_TT_I8, HOIST_INVALID    },
    {"too long",       1025,     HOIST_DTYPE_TT_I8, HOIST_INVALID    },
    {"bytes for half", 1024,  HOIST_DTYPE_TT_BFP8A, HOIST_INVALID    },
    {"Lf8",            1024,    HOIST_DTYPE_TT_LF8, HOIST_UNSUPPORTED},
    {"Tf32",           4096,      HOIST_DTYPE_TF32, HOIST_UNSUPPORTED},
    {"int64",          8192,       HOIST_DTYPE_I64, HOIST_UNSUPPORTED},
};
// clang-format on

HOIST_TEST_TABLE(refuses, refusals)
{
    const hoist_queue_layout layout = one_tile(row->dtype);
    uint8_t host[8192] = {0};
    float tensor[TILE] = {0};
    HOIST_EXPECT_EQ(t, load_and_quantize(&layout, (hoist_bytes){host, row->size}, tensor),
                    row->status);
    HOIST_EXPECT_EQ(t, hoist_host_pop(&layout, tensor, (hoist_mut_bytes){host, row->size}),
                    row->status);
}

// Two tiles side by side: raw data fill the first one, then the second.
HOIST_TEST(raw_queues_fill_tile_by_tile)
{
    hoist_queue_layout layout = one_tile(HOIST_DTYPE_TT_RAW16);
    layout.tiling.mblock_n = 2;
    layout.tiling.t = 2;
    uint8_t host[2 * 4 * TILE];
    for (size_t i = 0; i < sizeof host / 2; i++) {
        hoist_store_u16le(host + 2 * i, (uint16_t)i);
    }
    float tensor[4 * TILE];
    HOIST_EXPECT_EQ(t, load_and_quantize(&layout, (hoist_bytes){host, sizeof host}, tensor),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tensor[32]), 1024);   // row 0, second tile
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tensor[64]), 32);     // row 1, first tile
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tensor[2048]), 2048); // second slice
    uint8_t back[sizeof host];
    HOIST_EXPECT_EQ(t, hoist_host_pop(&layout, tensor, (hoist_mut_bytes){back, sizeof back}),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(host, back, sizeof back) == 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(push), HOIST_TEST_ROW(pop), HOIST_TEST_ROW(refuses),
                HOIST_TEST_ROW(raw_queues_fill_tile_by_tile))
