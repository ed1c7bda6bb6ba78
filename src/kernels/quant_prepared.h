// kernels/quant_prepared.h - the prepared form of a convolution's constants, of one CPU level.
//
// With C channels (o, rounded up), each array of 32 bits:
//
//   start[C]        what sums start with: bias - zx sum w' + K zx zw (quant_words.h)
//   multiplier[C]   or the bits of the float scale
//   right[C]        the shift to the right less 1; 0 where there is none
//   once[C]         1; 0 where there is none
//   sign[C]         -1; 0 where there is none, or sums are rounded once
//   left[C]         the shift to the left
//   words           convolution: per block of HOIST_QUANT_BLOCK channels (the last may be narrower)
//                   [word of taps][channel of the block]; taps are in the order ky, kx, j.
//                   Depthwise: per strip of HOIST_STRIP channels [word of taps][channel], where
//                   channels are in the order of hoist_strip_place().
//
// Taps beyond the last and channels beyond o have weight 0. The former count among the K taps: x is
// its zero point there.
#ifndef HOIST_SRC_KERNELS_QUANT_PREPARED_H
#define HOIST_SRC_KERNELS_QUANT_PREPARED_H

#include "kernels/quant_words.h"

// Taps of a depthwise window at most.
#define HOIST_DEPTHWISE_TAPS 128
// Its input channels at most.
#define HOIST_DEPTHWISE_CHANNELS 8192

// The arrays of 32 bits that come before the words, in their order in memory.
enum {
    HOIST_QUANT_START,
    HOIST_QUANT_MULTIPLIER,
    HOIST_QUANT_RIGHT,
    HOIST_QUANT_ONCE,
    HOIST_QUANT_SIGN,
    HOIST_QUANT_LEFT,
    HOIST_QUANT_PARTS,
};

typedef struct hoist_quant_prepared {
    size_t channels; // rounded up
    size_t taps;     // of one output
    size_t steps;    // words of taps
    size_t words;    // where words start, in bytes
    size_t size;
} hoist_quant_prepared;

static inline size_t hoist_quant_round_up(size_t a, size_t to)
{
    return (a + to - 1) / to * to;
}

// Strips that a period has at most.
#define HOIST_PERIOD_STRIPS 16

// Channels of a depthwise convolution after which strips over neighbouring positions, each with all
// its channels, begin with the first channel again; 0: strips are of one position. The prepared
// form has as many channels then. Strips that are cut off after the last channel of a position
// cost as much as others: with 24 channels, of which PoseNet has 43,000 positions, a layer took
// twice as long as XNNPACK's at AVX-512 and four times at AVX2.
static inline size_t hoist_quant_period(const hoist_quant_conv *conv)
{
    const size_t most = (size_t)HOIST_PERIOD_STRIPS * HOIST_STRIP;
    const size_t channels = (size_t)conv->o;
    size_t period = channels;
    while (period % HOIST_STRIP != 0 && period < most) {
        period += channels;
    }
    const bool is_one = channels % HOIST_STRIP != 0 && period % HOIST_STRIP == 0 && period <= most;
    return is_one && conv->is_depthwise && conv->o == conv->c ? period : 0;
}

static inline hoist_quant_prepared hoist_quant_prepared_of(const hoist_quant_conv *conv)
{
    const size_t strip = conv->is_depthwise && HOIST_STRIP > HOIST_RUN ? HOIST_STRIP : HOIST_RUN;
    hoist_quant_prepared p;
    const size_t period = hoist_quant_period(conv);
    p.channels = hoist_quant_round_up(period ? period : (size_t)conv->o, strip);
    p.taps = (size_t)(conv->kh * conv->kw) * (conv->is_depthwise ? 1 : (size_t)conv->i);
    p.steps = (p.taps + HOIST_WORD_TAPS - 1) / HOIST_WORD_TAPS;
    p.words = p.channels * HOIST_QUANT_PARTS * HOIST_WORD_SIZE;
    p.size = p.words + HOIST_WORD_SIZE * p.channels * p.steps;
    return p;
}

// Where a channel of a depthwise convolution is: unpacking works on 16 bytes at a time, each of
// which gives 4 words to each of HOIST_WORD_TAPS vectors.
static inline size_t hoist_strip_place(size_t channel)
{
    const size_t strip = channel % HOIST_STRIP;
    const size_t part = strip / 4 / HOIST_WORD_TAPS;
    const size_t vector = strip / 4 % HOIST_WORD_TAPS;
    return channel - strip + vector * HOIST_LANES + part * 4 + strip % 4;
}

static inline size_t hoist_quant_part(const hoist_quant_prepared *p, size_t part)
{
    return HOIST_WORD_SIZE * p->channels * part;
}

#endif // HOIST_SRC_KERNELS_QUANT_PREPARED_H
