// kernels/ark_pairs.h - lines of a matrix of bf16, packed as ark_pack.h packs those of float32,
// with two terms in place of one: the first in the low half of a word. For ark_product_level.c at
// levels that have products of pairs, which are little-endian.
#ifndef HOIST_SRC_KERNELS_ARK_PAIRS_H
#define HOIST_SRC_KERNELS_ARK_PAIRS_H

#include "kernels/ark_pack.h"

static inline uint32_t ark_half(const uint8_t *element)
{
    uint16_t bits = 0;
    memcpy(&bits, element, sizeof bits);
    return bits;
}

// Lines whose terms are adjacent: their pairs are, too.
static void ark_pair_along(const ark_lines *l, float *packed)
{
    const int64_t pairs = l->terms / 2;
    ark_pack_words(l, pairs, packed);
    for (int64_t i = 0; l->terms % 2 != 0 && i < l->count; i++) {
        const uint32_t last = ark_half(l->first + i * l->line + pairs * (int64_t)sizeof(float));
        memcpy(&packed[pairs * l->width + i], &last, sizeof last);
    }
}

// Lines of any strides, in vectors where they are adjacent themselves.
static void ark_pair_across(const ark_lines *l, float *packed)
{
    const bool are_adjacent = l->line == (int64_t)sizeof(uint16_t);
    for (int64_t term = 0; term < l->terms; term += 2) {
        const uint8_t *const low = l->first + term * l->term;
        const bool is_pair = term + 1 < l->terms;
        const uint8_t *const high = is_pair ? low + l->term : low;
        float *const to = packed + term / 2 * l->width;
        int64_t i = 0;
        for (; are_adjacent && is_pair && i + HOIST_LANES <= l->count; i += HOIST_LANES) {
            const hoist_u32s word = hoist_lanes_load16(low + i * l->line) |
                                    hoist_lanes_load16(high + i * l->line) << 16;
            memcpy(to + i, &word, sizeof word);
        }
        for (; i < l->count; i++) {
            const uint32_t word =
                ark_half(low + i * l->line) | (is_pair ? ark_half(high + i * l->line) << 16 : 0);
            memcpy(to + i, &word, sizeof word);
        }
    }
}

// Of an odd number of terms the last is paired with +0. (`terms`: at most two blocks.)
static void ark_pack_pairs(const ark_lines *l, float *packed)
{
    if (l->count < l->width) {
        memset(packed, 0, (size_t)((l->terms + 1) / 2 * l->width) * sizeof *packed);
    }
    if (l->term == (int64_t)sizeof(uint16_t)) {
        ark_pair_along(l, packed);
    } else {
        ark_pair_across(l, packed);
    }
}

#endif // HOIST_SRC_KERNELS_ARK_PAIRS_H
