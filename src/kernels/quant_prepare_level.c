// Constants of 8-bit convolutions in the form of quant_prepared.h: weights interleaved for the dot
// products of the level, and sums of weights for the zero point of the input.
#include "kernels/quant_prepared.h"
#include "kernels/quant_table.h"

// Zero points come from the file, and words have no space for others.
static bool fits_type(const hoist_quant_conv *conv, int32_t zero)
{
    return conv->is_signed ? zero >= INT8_MIN && zero <= INT8_MAX : zero >= 0 && zero <= UINT8_MAX;
}

// Left to the reference: convolutions in groups, which are rare, and depthwise ones with more taps
// and channels than the kernel has space for.
static bool is_wanted(const hoist_quant_conv *conv)
{
    const bool shape = conv->is_depthwise ? conv->kw <= HOIST_DEPTHWISE_TAPS &&
                                                conv->kh <= HOIST_DEPTHWISE_TAPS / conv->kw &&
                                                conv->c <= HOIST_DEPTHWISE_CHANNELS
                                          : conv->i == conv->c;
    return shape && fits_type(conv, conv->zero_in) && fits_type(conv, conv->zero_weight);
}

size_t HOIST_LEVEL_NAME(hoist_quant_prepared_size)(const hoist_quant_conv *conv)
{
    return is_wanted(conv) ? hoist_quant_prepared_of(conv).size : 0;
}

// Where what belongs to the channel of a place is.
static size_t place_of(const hoist_quant_conv *conv, size_t place)
{
    return conv->is_depthwise ? hoist_strip_place(place) : place;
}

// The word of channel place `place` that has tap `tap`.
static size_t word_of(const hoist_quant_conv *conv, const hoist_quant_prepared *layout,
                      size_t place, size_t tap)
{
    const size_t block = conv->is_depthwise ? HOIST_STRIP : HOIST_QUANT_BLOCK;
    const size_t first = place / block * block;
    // The last block may be narrower.
    const size_t width = layout->channels - first < block ? layout->channels - first : block;
    return first * layout->steps + tap / HOIST_WORD_TAPS * width + (place - first);
}

// Writes the words of the channel at `place`; returns the sum of what it wrote.
static int64_t prepare_words(const hoist_quant_conv *conv, const hoist_quant_prepared *layout,
                             size_t place, uint8_t *words)
{
    // Behind the channels of one position come those of the next, in depthwise strips of several.
    const size_t o = place % (size_t)conv->o;
    const size_t step = conv->is_depthwise ? (size_t)conv->o : 1;
    const uint8_t *weights = conv->weights + (conv->is_depthwise ? o : o * layout->taps);
    // What the words take off here; the rest is taken off the sums.
    const int32_t zero = conv->zero_weight - hoist_quant_zero_weight(conv);
    int64_t sum = 0;
    for (size_t tap = 0; tap < layout->taps; tap++) {
        const uint8_t byte = weights[tap * step];
        const int32_t factor = (conv->is_signed ? (int8_t)byte : byte) - zero;
        uint8_t *p = words + HOIST_WORD_SIZE * word_of(conv, layout, place_of(conv, place), tap) +
                     tap % HOIST_WORD_TAPS * HOIST_FACTOR_SIZE;
#if HOIST_FACTOR_SIZE == 1
        *p = (uint8_t)factor;
#else
        hoist_store_u16le(p, (uint16_t)factor);
#endif
        sum += factor;
    }
    return sum;
}

// Writes everything of the channel at `place`.
static void prepare_channel(const hoist_quant_conv *conv, const hoist_quant_prepared *layout,
                            size_t place, uint8_t *prepared)
{
    const size_t o = place % (size_t)conv->o;
    const int64_t sum = prepare_words(conv, layout, place, prepared + layout->words);
    const uint32_t zero_in = (uint32_t)hoist_quant_zero_in(conv);
    // All modulo 2^32, as the sums are.
    const uint32_t both = zero_in * (uint32_t)hoist_quant_zero_weight(conv);
    const uint32_t bias = hoist_load_u32le(conv->bias + (int64_t)o * conv->bias_stride);
    const uint32_t start =
        bias - zero_in * (uint32_t)sum + both * (uint32_t)(layout->steps * HOIST_WORD_TAPS);

    const hoist_quant_scale *scale = &conv->scale;
    const uint8_t *pair = scale->numbers + (scale->count == 1 ? 0 : (int64_t)o * scale->stride[0]);
    const int32_t shift = scale->is_float ? 0 : (int32_t)hoist_load_u32le(pair + scale->stride[1]);
    const uint32_t parts[] = {
        [HOIST_QUANT_START] = start,
        [HOIST_QUANT_MULTIPLIER] = hoist_load_u32le(pair),
        [HOIST_QUANT_RIGHT] = shift < 0 ? (uint32_t)-shift - 1 : 0,
        [HOIST_QUANT_ONCE] = shift < 0,
        [HOIST_QUANT_SIGN] = shift < 0 && !scale->is_single ? UINT32_MAX : 0,
        [HOIST_QUANT_LEFT] = (uint32_t)(shift > 0 ? shift : 0),
    };
    for (size_t i = 0; i < HOIST_QUANT_PARTS; i++) {
        uint8_t *part = prepared + hoist_quant_part(layout, i);
        hoist_store_u32le(part + HOIST_WORD_SIZE * place_of(conv, place), parts[i]);
    }
}

void HOIST_LEVEL_NAME(hoist_quant_prepare)(const hoist_quant_conv *conv, uint8_t *prepared)
{
    const hoist_quant_prepared layout = hoist_quant_prepared_of(conv);
    // Taps and channels that do not exist have weights of 0.
    memset(prepared, 0, layout.size);
    const size_t places = hoist_quant_period(conv) ? layout.channels : (size_t)conv->o;
    for (size_t place = 0; place < places; place++) {
        prepare_channel(conv, &layout, place, prepared);
    }
}
