#include "vectors.h"

#include "base/reader.h"
#include "exchange/npy.h"
#include "tensor/float_bits.h"

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
} formats[] = {
    {"Float32",   HOIST_DTYPE_F32      }, {"Tf32",      HOIST_DTYPE_TF32     },
    {"Float16",   HOIST_DTYPE_TT_F16   }, {"Float16_b", HOIST_DTYPE_BF16     },
    {"Lf8",       HOIST_DTYPE_TT_LF8   }, {"Fp8_e4m3",  HOIST_DTYPE_TT_F8E4M3},
    {"Bfp8",      HOIST_DTYPE_TT_BFP8A }, {"Bfp8_b",    HOIST_DTYPE_TT_BFP8B },
    {"Bfp4",      HOIST_DTYPE_TT_BFP4A }, {"Bfp4_b",    HOIST_DTYPE_TT_BFP4B },
    {"Bfp2",      HOIST_DTYPE_TT_BFP2A }, {"Bfp2_b",    HOIST_DTYPE_TT_BFP2B },
    {"Int8",      HOIST_DTYPE_TT_I8    }, {"Int32",     HOIST_DTYPE_TT_I32   },
    {"UInt8",     HOIST_DTYPE_U8       }, {"UInt16",    HOIST_DTYPE_U16      },
    {"RawUInt8",  HOIST_DTYPE_TT_RAW8  }, {"RawUInt16", HOIST_DTYPE_TT_RAW16 },
    {"RawUInt32", HOIST_DTYPE_TT_RAW32 },
};
// clang-format on

hoist_dtype vectors_dtype(hoist_str name)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(formats); i++) {
        if (hoist_str_equal_c(name, formats[i].name)) {
            return formats[i].dtype;
        }
    }
    return HOIST_DTYPE_NONE;
}

hoist_bytes vectors_npy(hoist_test *t, const char *path)
{
    const hoist_bytes file = hoist_test_file(t, path);
    hoist_array array;
    if (!file.data || hoist_npy_read(file, hoist_allocator_system(), t->diag, &array) != HOIST_OK) {
        return (hoist_bytes){0};
    }
    // All vectors are little-endian and in C order: the data stand in the file.
    HOIST_EXPECT(t, !array.owned);
    return array.data;
}

float *vectors_floats(hoist_test *t, const char *path, size_t count)
{
    const hoist_bytes data = vectors_npy(t, path);
    float *values = hoist_arena_array(&t->arena, count, sizeof *values);
    if (!data.data || data.size != count * sizeof *values || !values) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = hoist_f32_from_bits(hoist_load_u32le(data.data + 4 * i));
    }
    return values;
}

size_t vectors_compare(hoist_test *t, const char *what, hoist_bytes got, hoist_bytes wanted)
{
    if (got.size != wanted.size) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s: %zu bytes, expected %zu", what, got.size,
                        wanted.size);
        return 1;
    }
    size_t differing = 0;
    for (size_t i = 0; i < got.size; i++) {
        if (got.data[i] != wanted.data[i] && differing++ == 0) {
            hoist_test_fail(t, __FILE__, __LINE__, "%s: byte %zu is %02x, expected %02x", what, i,
                            got.data[i], wanted.data[i]);
        }
    }
    return differing;
}

size_t vectors_compare_floats(hoist_test *t, const char *what, const float *got,
                              const float *wanted, size_t count)
{
    size_t differing = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = hoist_f32_to_bits(got[i]);
        const uint32_t b = hoist_f32_to_bits(wanted[i]);
        if (a != b && differing++ == 0) {
            hoist_test_fail(t, __FILE__, __LINE__, "%s: element %zu is %08x, expected %08x", what,
                            i, a, b);
        }
    }
    return differing;
}
