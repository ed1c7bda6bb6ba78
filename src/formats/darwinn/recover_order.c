// How outputs are written: whether where consumers look for them, pixel after pixel and channel
// after channel, and how far apart pixels are. In: the loops over the output of an operation; in
// all known files they have that order. [observed]
#include "base/checked.h"
#include "formats/darwinn/recover_operation.h"

// The loops so far, from the inside.
typedef struct written {
    uint64_t channels; // words of a pixel
    uint32_t loops;    // over pixels
    int64_t pixel;     // from one to the next, by the first of these
    int64_t row;       // all pixels of the first
} written;

static bool goes_on(written *w, const dwn_loop *loop, uint32_t words)
{
    if (loop->stride <= 0) {
        return false;
    }
    if (loop->stride < words) {
        const bool is_next = (uint64_t)loop->stride == w->channels;
        return is_next && !hoist_ckd_mul(&w->channels, w->channels, loop->count);
    }
    w->loops++;
    if (w->loops == 1) {
        w->pixel = loop->stride;
        return !hoist_ckd_mul_i64(&w->row, loop->stride, (int64_t)loop->count);
    }
    return w->loops == 2 && loop->stride >= w->row && loop->stride % w->pixel == 0;
}

bool dwn_writes_in_order(const dwn_operation *op, uint32_t words)
{
    written w = {.channels = 1};
    bool is_in_order = true;
    for (size_t i = 0; i < DWN_LOOPS && is_in_order; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        is_in_order = loop->count == 1 || goes_on(&w, loop, words);
    }
    return is_in_order;
}

int64_t dwn_pitch_of(const dwn_operation *op, uint32_t words)
{
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        if (loop->count > 1 && loop->stride >= words) {
            return loop->stride;
        }
    }
    return words;
}
