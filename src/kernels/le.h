// kernels/le.h - groups of 16 little-endian elements, in a form that compilers vectorise: a copy on
// a little-endian host, one helper call per element on others.
#ifndef HOIST_SRC_KERNELS_LE_H
#define HOIST_SRC_KERNELS_LE_H

#include <string.h>

#include "base/reader.h"

#define HOIST_RUN 16 // elements that kernels handle at a time: a row of a face, a block

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static inline void hoist_le_put32(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    memcpy(p, v, HOIST_RUN * sizeof *v);
}
static inline void hoist_le_put16(uint8_t *p, const uint16_t v[HOIST_RUN])
{
    memcpy(p, v, HOIST_RUN * sizeof *v);
}
static inline void hoist_le_get32(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    memcpy(v, p, HOIST_RUN * sizeof *v);
}
static inline void hoist_le_get16(const uint8_t *p, uint16_t v[HOIST_RUN])
{
    memcpy(v, p, HOIST_RUN * sizeof *v);
}
static inline uint64_t hoist_le_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void hoist_le_store64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

#else

static inline void hoist_le_put32(uint8_t *p, const uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        hoist_store_u32le(p + 4 * i, v[i]);
    }
}
static inline void hoist_le_put16(uint8_t *p, const uint16_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        hoist_store_u16le(p + 2 * i, v[i]);
    }
}
static inline void hoist_le_get32(const uint8_t *p, uint32_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = hoist_load_u32le(p + 4 * i);
    }
}
static inline void hoist_le_get16(const uint8_t *p, uint16_t v[HOIST_RUN])
{
    for (size_t i = 0; i < HOIST_RUN; i++) {
        v[i] = hoist_load_u16le(p + 2 * i);
    }
}
static inline uint64_t hoist_le_load64(const uint8_t *p)
{
    return hoist_load_u64le(p);
}
static inline void hoist_le_store64(uint8_t *p, uint64_t v)
{
    hoist_store_u64le(p, v);
}

#endif

#endif // HOIST_SRC_KERNELS_LE_H
