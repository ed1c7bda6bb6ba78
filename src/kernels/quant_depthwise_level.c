// 8-bit depthwise convolutions: each output channel has one input channel.
//
// Per output position there is a pointer to the pixel under each tap, or to a row of zero points
// where the window leaves the image; strips of channels share them. Where channels are no whole
// strips, and positions next to each other are so in memory, strips go over several positions
// (without that the first layers of MobileNet, with 8 to 32 channels, took half the time of all
// depthwise ones).
#include "kernels/quant_outcome.h"
#include "kernels/quant_strip.h"
#include "kernels/quant_table.h"

#define TAPS HOIST_DEPTHWISE_TAPS

typedef struct job {
    const hoist_quant_conv *conv;
    const uint8_t *prepared;
    hoist_quant_prepared layout;
    hoist_quant_outcome outcome;
    size_t multiple;   // outputs of a channel
    int64_t positions; // that strips go over together
    uint8_t flip;
    uint32_t zero_weight;
    const uint8_t *zeros; // zero points, as in x; of all input channels
} job;

// Pixels under the taps of a window, and zero points behind them.
typedef struct window {
    const uint8_t *taps[TAPS + HOIST_WORD_TAPS];
} window;

// A part of the channels of y, and the taps under it.
typedef struct strip {
    const uint8_t *const *taps;
    size_t offset; // of x behind each tap
    size_t place;  // among prepared channels
    size_t count;  // HOIST_STRIP or fewer
} strip;

// Sums of a strip, of `steps` words of taps. `is_full`: of HOIST_STRIP channels.
HOIST_QUANT_INLINE hoist_strip strip_sums(const job *j, const strip *s, const size_t steps,
                                          const bool is_full)
{
    const uint8_t *words =
        j->prepared + j->layout.words + HOIST_WORD_SIZE * s->place * j->layout.steps;
    hoist_strip sums;
    hoist_strip factors;
    hoist_strip ones = {{{0}}};
    for (size_t v = 0; v < HOIST_WORD_TAPS; v++) {
        sums.at[v] = hoist_lanes_load(j->prepared, s->place + v * HOIST_LANES);
    }
    for (size_t step = 0; step < steps; step++) {
        for (size_t v = 0; v < HOIST_WORD_TAPS; v++) {
            const uint8_t *x = s->taps[step * HOIST_WORD_TAPS + v] + s->offset;
            factors.at[v] = is_full ? hoist_strip_load(x, j->flip)
                                    : hoist_strip_load_part(x, s->count, j->flip);
        }
        const hoist_strip x = hoist_strip_words(&factors);
        for (size_t v = 0; v < HOIST_WORD_TAPS; v++) {
            const hoist_u32s w =
                hoist_lanes_load(words, (step * HOIST_WORD_TAPS + v) * HOIST_LANES);
            sums.at[v] = hoist_words_dot(sums.at[v], x.at[v], w);
        }
        // The sum of the factors themselves, by weights of 1.
        for (size_t v = 0; v < HOIST_WORD_TAPS && HOIST_WORD_TAPS == 4 && j->zero_weight != 0;
             v++) {
            ones.at[v] = hoist_words_dot(ones.at[v], x.at[v], hoist_lanes_all(0x01010101));
        }
    }
    for (size_t v = 0; v < HOIST_WORD_TAPS && HOIST_WORD_TAPS == 4 && j->zero_weight != 0; v++) {
        sums.at[v] -= ones.at[v] * j->zero_weight;
    }
    return sums;
}

// Results of sums. The kind of scale is known after inlining: asked for each vector, it took a
// tenth of the time of layers with few channels.
HOIST_QUANT_INLINE hoist_strip scaled(const hoist_quant_outcome *out, const bool is_float,
                                      const bool is_single, size_t place, const hoist_strip *sums)
{
    hoist_strip results;
    for (size_t v = 0; v < HOIST_WORD_TAPS; v++) {
        const size_t at = place + v * HOIST_LANES;
        results.at[v] = (is_float ? hoist_quant_f32(out, at, sums->at[v])
                                  : hoist_quant_i32(out, is_single, at, sums->at[v])) &
                        0xff;
    }
    return results;
}

// Does one strip; y is that of the first prepared channel.
HOIST_QUANT_INLINE void run_strip(const job *j, const strip *s, uint8_t *y, const size_t steps,
                                  const bool is_full)
{
    const hoist_strip sums = strip_sums(j, s, steps, is_full);
    const hoist_quant_outcome *out = &j->outcome;
    const hoist_strip results = out->is_float    ? scaled(out, true, false, s->place, &sums)
                                : out->is_single ? scaled(out, false, true, s->place, &sums)
                                                 : scaled(out, false, false, s->place, &sums);
    if (is_full) {
        hoist_strip_narrow(y + s->place, &results);
    } else {
        hoist_strip_narrow_part(y + s->place, s->count, &results);
    }
}

// Channels that have several outputs: the bytes under a strip are copied out first.
static void run_multiple(const job *j, const window *w, uint8_t *y)
{
    uint8_t copy[TAPS + HOIST_WORD_TAPS][HOIST_STRIP];
    const uint8_t *taps[TAPS + HOIST_WORD_TAPS];
    for (size_t tap = 0; tap < TAPS + HOIST_WORD_TAPS; tap++) {
        taps[tap] = copy[tap];
    }
    strip s = {.taps = taps};
    const size_t channels = (size_t)j->conv->o;
    for (; s.place < channels; s.place += HOIST_STRIP) {
        s.count = channels - s.place < HOIST_STRIP ? channels - s.place : HOIST_STRIP;
        for (size_t tap = 0; tap < j->layout.steps * HOIST_WORD_TAPS; tap++) {
            for (size_t i = 0; i < s.count; i++) {
                // Each input channel once for each of its outputs.
                copy[tap][i] = w->taps[tap][(s.place + i) / j->multiple];
            }
        }
        run_strip(j, &s, y, j->layout.steps, false);
    }
}

// `channels` of one output position, or of several as if they were channels; `steps` is known for
// common windows.
HOIST_QUANT_INLINE void run_channels(const job *j, const window *w, uint8_t *y, size_t channels,
                                     const size_t steps)
{
    strip s = {.taps = w->taps, .count = HOIST_STRIP};
    for (; s.place + HOIST_STRIP <= channels; s.place += HOIST_STRIP) {
        s.offset = s.place;
        run_strip(j, &s, y, steps, true);
    }
    if (s.place < channels) {
        s.offset = s.place;
        s.count = channels - s.place;
        run_strip(j, &s, y, steps, false);
    }
}

#define STEPS_3X3 ((9 + HOIST_WORD_TAPS - 1) / HOIST_WORD_TAPS)

// Windows of 3 x 3 have their number of steps as a constant.
static void run_window(const job *j, const window *w, uint8_t *y, size_t channels)
{
    if (j->multiple > 1) {
        run_multiple(j, w, y);
    } else if (j->layout.taps == 9) {
        run_channels(j, w, y, channels, STEPS_3X3);
    } else {
        run_channels(j, w, y, channels, j->layout.steps);
    }
}

// Pointers for the output position (oy, ox) of an image.
static void find_taps(const job *j, const uint8_t *image, int64_t oy, int64_t ox, window *out)
{
    const hoist_quant_conv *conv = j->conv;
    size_t tap = 0;
    for (int64_t ky = 0; ky < conv->kh; ky++) {
        const int64_t y = oy * conv->stride_h - conv->pad_top + conv->dilation_h * ky;
        const bool has_row = y >= 0 && y < conv->h;
        for (int64_t kx = 0; kx < conv->kw; kx++) {
            const int64_t x = ox * conv->stride_w - conv->pad_left + conv->dilation_w * kx;
            const bool is_inside = has_row && x >= 0 && x < conv->w;
            out->taps[tap++] =
                is_inside ? image + y * conv->x_stride[1] + x * conv->x_stride[2] : j->zeros;
        }
    }
}

// Output positions [begin, end) of a row whose windows do not leave the image at the left and the
// right.
typedef struct span {
    int64_t begin;
    int64_t end;
} span;

static span inner_span(const hoist_quant_conv *conv)
{
    const int64_t reach = conv->dilation_w * (conv->kw - 1);
    const int64_t begin = (conv->pad_left + conv->stride_w - 1) / conv->stride_w;
    const int64_t last = conv->w - 1 - reach + conv->pad_left; // position times stride
    const int64_t end = last < 0 ? 0 : last / conv->stride_w + 1;
    return (span){begin, end < conv->ow ? end : conv->ow};
}

// Whether no window of a row of the output leaves the image at the top or the bottom.
static bool has_all_rows(const hoist_quant_conv *conv, int64_t oy)
{
    const int64_t top = oy * conv->stride_h - conv->pad_top;
    return top >= 0 && top + conv->dilation_h * (conv->kh - 1) < conv->h;
}

// All pointers on by as many bytes.
static void move_taps(const job *j, int64_t by, window *w)
{
    for (size_t tap = 0; tap < j->layout.taps; tap++) {
        w->taps[tap] += by;
    }
}

// A row of the output: inside the image pointers only move, at its edges they are found anew.
static void run_row(const job *j, int64_t image, int64_t oy)
{
    const hoist_quant_conv *conv = j->conv;
    const uint8_t *x = conv->x + image * conv->x_stride[0];
    uint8_t *y = conv->y + image * conv->y_stride[0] + oy * conv->y_stride[1];
    const span inner = inner_span(conv);
    const bool is_inner_row = has_all_rows(conv, oy);
    window w;
    for (size_t tap = 0; tap < TAPS + HOIST_WORD_TAPS; tap++) {
        w.taps[tap] = j->zeros; // those beyond the last stay
    }
    int64_t done = 1;
    for (int64_t ox = 0; ox < conv->ow; ox += done) {
        if (is_inner_row && ox - done >= inner.begin && ox < inner.end) {
            move_taps(j, done * conv->stride_w * conv->x_stride[2], &w);
        } else {
            find_taps(j, x, oy, ox, &w);
        }
        // Several positions together only where none of their windows leaves the image.
        done = ox >= inner.begin && ox + j->positions <= inner.end ? j->positions : 1;
        run_window(j, &w, y + ox * conv->y_stride[2], (size_t)(done * conv->o));
    }
}

// How many positions strips go over together.
static int64_t positions_of(const hoist_quant_conv *conv)
{
    const bool is_close =
        conv->stride_w == 1 && conv->x_stride[2] == conv->c && conv->y_stride[2] == conv->o;
    const int64_t period = (int64_t)hoist_quant_period(conv);
    return is_close && period > 0 ? period / conv->o : 1;
}

void HOIST_LEVEL_NAME(hoist_quant_depthwise)(const hoist_quant_conv *conv, const uint8_t *prepared,
                                             size_t begin, size_t end)
{
    if (!prepared) {
        hoist_quant_depthwise_reference(conv, NULL, begin, end);
        return;
    }
    uint8_t zeros[HOIST_DEPTHWISE_CHANNELS]; // those of a period are fewer
    const size_t channels = hoist_quant_round_up((size_t)conv->c, HOIST_STRIP);
    const size_t period = hoist_quant_period(conv);
    memset(zeros, (uint8_t)conv->zero_in, channels > period ? channels : period);
    job j = {
        .conv = conv,
        .prepared = prepared,
        .layout = hoist_quant_prepared_of(conv),
        .zeros = zeros,
        .multiple = (size_t)(conv->o / conv->c),
        .positions = positions_of(conv),
        .flip = hoist_quant_flip(conv),
        .zero_weight = (uint32_t)hoist_quant_zero_weight(conv),
    };
    j.outcome = hoist_quant_outcome_of(conv, &j.layout, prepared);
    for (size_t unit = begin; unit < end; unit++) {
        run_row(&j, (int64_t)unit / conv->oh, (int64_t)unit % conv->oh);
    }
}
