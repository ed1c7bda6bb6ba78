// kernels/quant_gather.h - output positions of a convolution, and the factors under them in one
// piece.
//
// Gathering is done for every block of output channels anew: it costs about one instruction per 32
// bytes and position, the products of a full block one or two per byte. Only short windows, such
// as the first layer's 27 bytes in three lines, need a way of their own: with a store for each line
// that layer took twice as long, as the products then read words that two stores had written.
#ifndef HOIST_SRC_KERNELS_QUANT_GATHER_H
#define HOIST_SRC_KERNELS_QUANT_GATHER_H

#include "kernels/quant_prepared.h"

// Bytes that may be written behind gathered factors.
#define HOIST_GATHER_SLACK 64

typedef struct hoist_gather {
    const hoist_quant_conv *conv;
    size_t taps;
    bool has_whole_lines; // pixels of a line of the window follow each other without gaps
    uint8_t flip;
    uint8_t zero; // what is outside the image, as in x
} hoist_gather;

// An output position.
typedef struct hoist_spot {
    int64_t image;
    int64_t row;
    int64_t col;
    int64_t top; // of the window; may be outside the image
    int64_t left;
    int64_t corner; // bytes from x to top and left
    uint8_t *y;
} hoist_spot;

static inline hoist_gather hoist_gather_of(const hoist_quant_conv *conv,
                                           const hoist_quant_prepared *layout)
{
    return (hoist_gather){
        .conv = conv,
        .taps = layout->taps,
        .has_whole_lines = conv->kw == 1 || (conv->dilation_w == 1 && conv->x_stride[2] == conv->c),
        .flip = hoist_quant_flip(conv),
        .zero = (uint8_t)conv->zero_in,
    };
}

// The first position of row `row` of all images' output rows.
static inline hoist_spot hoist_spot_at(const hoist_quant_conv *conv, int64_t row)
{
    const int64_t *step = conv->x_stride;
    hoist_spot s = {.image = row / conv->oh, .row = row % conv->oh};
    s.top = s.row * conv->stride_h - conv->pad_top;
    s.left = -conv->pad_left;
    s.corner = s.image * step[0] + s.top * step[1] + s.left * step[2];
    s.y = conv->y + s.image * conv->y_stride[0] + s.row * conv->y_stride[1];
    return s;
}

// The position to the right, or the first one of the next row.
static inline void hoist_spot_next(const hoist_quant_conv *conv, hoist_spot *s)
{
    if (++s->col == conv->ow) {
        const int64_t row = s->image * conv->oh + s->row + 1;
        // There is nothing behind the last one.
        *s = row < conv->n * conv->oh ? hoist_spot_at(conv, row) : (hoist_spot){0};
        return;
    }
    s->left += conv->stride_w;
    s->corner += conv->stride_w * conv->x_stride[2];
    s->y += conv->y_stride[2];
}

#if HOIST_WORD_TAPS == 2 && defined(__SSE2__)

// Eight bytes as factors of 16 bits.
static inline void hoist_gather_eight(const hoist_gather *g, uint8_t *out, const uint8_t *x)
{
    const __m128i bytes =
        _mm_xor_si128(_mm_loadl_epi64((const __m128i *)x), _mm_set1_epi8((char)g->flip));
    _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi8(bytes, _mm_setzero_si128()));
}

// As many as a vector has factors.
enum { HOIST_GATHER_VECTOR = 2 * HOIST_LANES };

static inline void hoist_gather_vector(const hoist_gather *g, uint8_t *out, const uint8_t *x)
{
#if defined(__AVX512BW__)
    const __m256i bytes =
        _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)x), _mm256_set1_epi8((char)g->flip));
    _mm512_storeu_si512(out, _mm512_cvtepu8_epi16(bytes));
#elif defined(__AVX2__)
    const __m128i bytes =
        _mm_xor_si128(_mm_loadu_si128((const __m128i *)x), _mm_set1_epi8((char)g->flip));
    _mm256_storeu_si256((__m256i *)out, _mm256_cvtepu8_epi16(bytes));
#else
    hoist_gather_eight(g, out, x);
#endif
}

#endif

// `count` bytes of x as factors.
static inline void hoist_gather_bytes(const hoist_gather *g, uint8_t *out, const uint8_t *x,
                                      size_t count)
{
#if HOIST_WORD_TAPS == 4
    // By masks: a call of memcpy costs more than what most lines hold.
    (void)g;
    for (size_t i = 0; i < count; i += 64) {
        const size_t left = count - i < 64 ? count - i : 64;
        const __mmask64 mask = ~UINT64_C(0) >> (64 - left);
        _mm512_storeu_si512(out + i, _mm512_maskz_loadu_epi8(mask, x + i));
    }
#else
    size_t i = 0;
#if defined(__SSE2__)
    // The last over those before it: one by one, lines of 9 bytes took a seventh of a small
    // network.
    for (; i + HOIST_GATHER_VECTOR <= count; i += HOIST_GATHER_VECTOR) {
        hoist_gather_vector(g, out + 2 * i, x + i);
    }
    for (; i + 8 <= count; i += 8) {
        hoist_gather_eight(g, out + 2 * i, x + i);
    }
    if (i < count && count > 8) {
        i = count;
        hoist_gather_eight(g, out + 2 * (count - 8), x + count - 8);
    }
#endif
    for (; i < count; i++) {
        const uint16_t factor = x[i] ^ g->flip;
        memcpy(out + 2 * i, &factor, sizeof factor);
    }
#endif
}

// What is outside the image: the zero point, which adds nothing.
static inline void hoist_gather_zeros(const hoist_gather *g, uint8_t *out, size_t count)
{
#if HOIST_WORD_TAPS == 4
    memset(out, g->zero, count);
#else
    for (size_t i = 0; i < count; i++) {
        const uint16_t factor = g->zero ^ g->flip;
        memcpy(out + 2 * i, &factor, sizeof factor);
    }
#endif
}

// Pixels of a line of the window that are inside the image: [begin, end).
typedef struct hoist_gather_span {
    int64_t begin;
    int64_t end;
} hoist_gather_span;

// x, or the limit that it is beyond.
static inline int64_t hoist_gather_clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

// Empty for a line above or below the image.
static inline hoist_gather_span hoist_gather_inside(const hoist_quant_conv *conv,
                                                    const hoist_spot *at, int64_t ky)
{
    const int64_t y = at->top + conv->dilation_h * ky;
    if (y < 0 || y >= conv->h) {
        return (hoist_gather_span){0, 0};
    }
    const int64_t begin = hoist_gather_clamp(-at->left, 0, conv->kw);
    return (hoist_gather_span){begin, hoist_gather_clamp(conv->w - at->left, begin, conv->kw)};
}

// A whole line whose pixels have no gaps: one piece, with zero points before and behind it.
static inline void hoist_gather_line(const hoist_gather *g, const hoist_spot *at, int64_t ky,
                                     uint8_t *out)
{
    const hoist_quant_conv *conv = g->conv;
    const hoist_gather_span in = hoist_gather_inside(conv, at, ky);
    const size_t before = (size_t)(in.begin * conv->c);
    const size_t count = (size_t)((in.end - in.begin) * conv->c);
    const size_t behind = (size_t)((conv->kw - in.end) * conv->c);
    hoist_gather_zeros(g, out, before);
    out += before * HOIST_FACTOR_SIZE;
    if (count > 0) {
        const int64_t offset =
            at->corner + conv->dilation_h * ky * conv->x_stride[1] + in.begin * conv->x_stride[2];
        hoist_gather_bytes(g, out, conv->x + offset, count);
    }
    hoist_gather_zeros(g, out + count * HOIST_FACTOR_SIZE, behind);
}

// Channels [from, from + count) of the line's kw x c taps, a pixel at a time.
static inline void hoist_gather_part(const hoist_gather *g, const hoist_spot *at, int64_t ky,
                                     size_t from, size_t count, uint8_t *out)
{
    const hoist_quant_conv *conv = g->conv;
    const size_t depth = (size_t)conv->c;
    const int64_t y = at->top + conv->dilation_h * ky;
    const int64_t line = at->corner + conv->dilation_h * ky * conv->x_stride[1];
    while (count > 0) {
        const int64_t kx = (int64_t)(from / depth);
        const size_t channel = from % depth;
        const size_t piece = depth - channel < count ? depth - channel : count;
        const int64_t x = at->left + conv->dilation_w * kx;
        if (y >= 0 && y < conv->h && x >= 0 && x < conv->w) {
            const int64_t pixel = line + conv->dilation_w * kx * conv->x_stride[2];
            hoist_gather_bytes(g, out, conv->x + pixel + channel, piece);
        } else {
            hoist_gather_zeros(g, out, piece);
        }
        out += piece * HOIST_FACTOR_SIZE;
        from += piece;
        count -= piece;
    }
}

// Taps [begin, end) under a position, then zero points up to a whole word.
static inline void hoist_gather_taps(const hoist_gather *g, const hoist_spot *at, size_t begin,
                                     size_t end, uint8_t *out)
{
    const size_t length = (size_t)(g->conv->kw * g->conv->c);
    const bool is_whole = g->has_whole_lines && end - begin == g->taps;
    int64_t ky = is_whole ? 0 : (int64_t)(begin / length);
    size_t from = is_whole ? 0 : begin % length;
    while (begin < end) {
        const size_t count = length - from < end - begin ? length - from : end - begin;
        if (is_whole) {
            hoist_gather_line(g, at, ky, out);
        } else {
            hoist_gather_part(g, at, ky, from, count, out);
        }
        out += count * HOIST_FACTOR_SIZE;
        begin += count;
        ky++;
        from = 0;
    }
    hoist_gather_zeros(g, out, (HOIST_WORD_TAPS - end % HOIST_WORD_TAPS) % HOIST_WORD_TAPS);
}

#if HOIST_WORD_TAPS == 4

// Whether no part of the window is outside the image.
static inline bool hoist_gather_is_inside(const hoist_quant_conv *conv, const hoist_spot *at)
{
    return at->top >= 0 && at->top + conv->dilation_h * (conv->kh - 1) < conv->h && at->left >= 0 &&
           at->left + conv->kw <= conv->w;
}

// Whole windows of whole lines with at most 64 taps; the rest of 64 bytes is zero points. Each line
// is loaded to where it belongs by a mask: bytes without one are not read, wherever they would be.
static inline __m512i hoist_gather_short(const hoist_gather *g, const hoist_spot *at)
{
    const hoist_quant_conv *conv = g->conv;
    __m512i bytes = _mm512_set1_epi8((char)g->zero);
    uintptr_t line = (uintptr_t)conv->x + (uintptr_t)at->corner;
    size_t start = 0;
    if (hoist_gather_is_inside(conv, at)) { // most are, and 8 outputs take less than the spans
        const size_t length = (size_t)(conv->kw * conv->c);
        const __mmask64 ones = ~UINT64_C(0) >> (64 - length);
        for (; start < g->taps; start += length) {
            bytes = _mm512_mask_loadu_epi8(bytes, ones << start, (const void *)(line - start));
            line += (uintptr_t)(conv->dilation_h * conv->x_stride[1]);
        }
        return bytes;
    }
    for (int64_t ky = 0; ky < conv->kh; ky++) {
        const hoist_gather_span in = hoist_gather_inside(conv, at, ky);
        const size_t count = (size_t)((in.end - in.begin) * conv->c);
        const size_t first = start + (size_t)(in.begin * conv->c);
        if (count > 0) {
            const __mmask64 mask = ~UINT64_C(0) >> (64 - count) << first;
            bytes = _mm512_mask_loadu_epi8(bytes, mask, (const void *)(line - start));
        }
        start += (size_t)(conv->kw * conv->c);
        line += (uintptr_t)(conv->dilation_h * conv->x_stride[1]);
    }
    return bytes;
}

#endif

#endif // HOIST_SRC_KERNELS_QUANT_GATHER_H
