// Bit fields of instructions, least significant bit first (darwinn reference section 3).
#include "formats/darwinn/stream_bits.h"

#include "base/assert.h"
#include "base/reader.h"

// Of the low `width` bits, at most 32.
static uint64_t mask_of(unsigned width)
{
    return (UINT64_C(1) << width) - 1;
}

// The up to 8 bytes that hold the field are one number; where fewer than 8 are left it begins
// earlier, so that most fields are one load.
uint32_t dwn_bits_load(hoist_bytes bytes, uint64_t bit, unsigned width)
{
    const uint64_t limit = 8 * (uint64_t)bytes.size;
    HOIST_ASSERT(width >= 1 && width <= 32 && bit <= limit && width <= limit - bit);
    size_t at = (size_t)(bit / 8);
    uint64_t number = 0;
    if (bytes.size >= 8) {
        at = at < bytes.size - 8 ? at : bytes.size - 8;
        number = hoist_load_u64le(bytes.data + at);
    } else {
        at = 0;
        for (size_t i = 0; i < bytes.size; i++) {
            number |= (uint64_t)bytes.data[i] << 8 * i;
        }
    }
    return (uint32_t)(number >> (bit - 8 * (uint64_t)at) & mask_of(width));
}

// Byte by byte, so that bytes that have no bit of the field are not touched.
void dwn_bits_store(hoist_mut_bytes bytes, uint64_t bit, unsigned width, uint32_t value)
{
    const uint64_t limit = 8 * (uint64_t)bytes.size;
    HOIST_ASSERT(width >= 1 && width <= 32 && bit <= limit && width <= limit - bit);
    const unsigned shift = (unsigned)(bit % 8);
    uint64_t mask = mask_of(width) << shift;
    uint64_t number = (uint64_t)value << shift & mask;
    for (size_t at = (size_t)(bit / 8); mask != 0; at++) {
        bytes.data[at] = (uint8_t)((bytes.data[at] & ~mask) | (number & 0xff));
        mask >>= 8;
        number >>= 8;
    }
}
