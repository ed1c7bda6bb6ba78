// kernels/device_vectors.h - the inputs of the cases of device_vectors.inc and
// device_functions.inc, and the hash of their results. Shared by tests and by
// tests/ttsim/device_vectors.cpp, which made the tables; for C and C++.
#ifndef HOIST_SRC_KERNELS_DEVICE_VECTORS_H
#define HOIST_SRC_KERNELS_DEVICE_VECTORS_H

#include <stdint.h>

enum {
    DEVICE_VECTORS_ROUNDS = 64, // of a case
    DEVICE_VECTORS_SUMS = 128,  // of a round: 8 rows of 16
    DEVICE_VECTORS_PACKED = 64, // of a round of packing
};
#define DEVICE_VECTORS_BASIS UINT64_C(0xcbf29ce484222325)

typedef enum device_vector_kind {
    DEVICE_VECTOR_DOT = 0,
    DEVICE_VECTOR_MULTIPLY,
    DEVICE_VECTOR_ADD,
    DEVICE_VECTOR_PACK,
    DEVICE_VECTOR_ACCUMULATE, // pack, added to what memory holds
} device_vector_kind;

// Numbers as of ops/compute_device.h; `type`: 0 to 4 is float32, Float16, Float16_b, Bfp8_b,
// Bfp4_b.
typedef struct device_vector {
    const char *name;
    device_vector_kind kind;
    uint32_t arch, dest;
    uint32_t a, b, phase;           // of all other kinds
    uint32_t type, relu, threshold; // of pack and accumulate
    uint64_t seed;
    uint64_t hash; // of all results
} device_vector;

// A function of the vector unit, the row device.OP: of a round DEVICE_VECTORS_PACKED numbers of a
// register, each followed by one of the second operand, which only maximum has.
typedef struct device_function_vector {
    const char *op;
    uint32_t arch, dest;
    uint32_t approximate, parameter;
    uint64_t seed;
    uint64_t hash; // of all results
} device_function_vector;

static inline uint32_t device_vectors_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

static inline uint64_t device_vectors_mix(uint64_t hash, uint32_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

// A float32 of `least` to `least` + `span` - 1 as exponent; one of 8 is a zero, a denormal, a NaN,
// an infinity or any other pattern, one of 4 has few bits.
static inline uint32_t device_vectors_float(uint64_t *seed, uint32_t least, uint32_t span)
{
    static const uint32_t special[] = {0,          0x80000000, 0x007fffff, 0x7f800000,
                                       0xff800000, 0x7fc12345, 0x7f7fffff, 0x00800000};
    const uint32_t choice = device_vectors_random(seed);
    const uint32_t bits = device_vectors_random(seed);
    const uint32_t exponent = least + (choice >> 16) % span;
    const uint32_t mantissa = choice & 24 ? bits & 0x7fffff : bits & 0x700000;
    if ((choice & 7) == 0) {
        return choice & 64 ? special[choice >> 8 & 7] : bits;
    }
    return (bits & 0x80000000) | exponent << 23 | mantissa;
}

// The bits of the Float16 whose float32 is `f32`, which has no others.
static inline uint32_t device_vectors_half(uint32_t f32)
{
    const uint32_t sign = f32 >> 31 << 15;
    const uint32_t exponent = f32 >> 23 & 0xff;
    return sign | (exponent ? exponent - 112 : 0) << 10 | (f32 >> 13 & 0x3ff);
}

// A number of source `source` (hoist_device_source) as float32.
static inline uint32_t device_vectors_input(uint64_t *seed, uint32_t source)
{
    uint32_t f32 = device_vectors_float(seed, source == 0 ? 120 : 118, 16);
    if (source == 0) {
        const uint32_t exponent = f32 >> 23 & 0xff;
        if (exponent != 0 && (exponent < 113 || exponent > 143)) {
            f32 = (f32 & 0x807fffff) | (113 + exponent % 31) << 23;
        }
        return f32 & 0xffffe000;
    }
    return source == 1 ? f32 & 0xffff0000 : f32;
}

// A number of register `dest` (hoist_device_dest), as kernels/device_arith.h has it.
static inline uint32_t device_vectors_held(uint64_t *seed, uint32_t dest)
{
    const uint32_t f32 = device_vectors_float(seed, dest == 0 ? 8 : 118, 18);
    return dest == 0 ? f32 & 0x8fffe000 : dest == 1 ? f32 & 0xffff0000 : f32;
}

// A number in memory of type `type` (0 or 2), as float32.
static inline uint32_t device_vectors_memory(uint64_t *seed, uint32_t type)
{
    const uint32_t f32 = device_vectors_float(seed, 118, 18);
    return type == 0 ? f32 : f32 & 0xffff0000;
}

#endif // HOIST_SRC_KERNELS_DEVICE_VECTORS_H
