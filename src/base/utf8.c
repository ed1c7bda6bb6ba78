// UTF-8 by RFC 3629: sizes, decoding, encoding, and the characters that terminals show as they
// are.
#include "base/utf8.h"

#include "base/assert.h"
#include "base/span.h"

// One row per range of first bytes: how long the sequence is and what its second byte may be. The
// narrowed ranges exclude overlong forms, surrogates and code points above U+10FFFF (RFC 3629
// section 4).
typedef struct lead_range {
    uint8_t first;
    uint8_t last;
    uint8_t size;
    uint8_t second_first;
    uint8_t second_last;
} lead_range;

static const lead_range leads[] = {
    {0x00, 0x7f, 1, 0x00, 0x00}, {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

static const lead_range *find_lead(uint8_t byte)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(leads); i++) {
        if (byte >= leads[i].first && byte <= leads[i].last) {
            return &leads[i];
        }
    }
    return NULL;
}

size_t hoist_utf8_size(hoist_str text, size_t at)
{
    const lead_range *lead = at < text.size ? find_lead((uint8_t)text.data[at]) : NULL;
    if (!lead || text.size - at < lead->size) {
        return 0;
    }
    if (lead->size > 1) {
        const uint8_t second = (uint8_t)text.data[at + 1];
        if (second < lead->second_first || second > lead->second_last) {
            return 0;
        }
    }
    for (size_t i = 2; i < lead->size; i++) {
        if (((uint8_t)text.data[at + i] & 0xc0u) != 0x80u) {
            return 0;
        }
    }
    return lead->size;
}

bool hoist_utf8_is_text(hoist_str text)
{
    size_t at = 0;
    size_t step = 1;
    while (at < text.size && step > 0) {
        step = text.data[at] ? hoist_utf8_size(text, at) : 0;
        at += step;
    }
    return step > 0;
}

size_t hoist_utf8_encode(uint32_t code_point, char out[4])
{
    HOIST_ASSERT(code_point <= 0x10ffff && (code_point < 0xd800 || code_point > 0xdfff));
    static const uint8_t marks[5] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    const size_t size = code_point < 0x80      ? 1
                        : code_point < 0x800   ? 2
                        : code_point < 0x10000 ? 3
                                               : 4;
    for (size_t i = size; i-- > 1;) {
        out[i] = (char)(0x80u | (code_point & 0x3fu));
        code_point >>= 6;
    }
    out[0] = (char)(marks[size] | code_point);
    return size;
}

uint32_t hoist_utf8_decode(hoist_str text, size_t at, size_t size)
{
    static const uint8_t masks[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    HOIST_ASSERT(size >= 1 && size <= 4 && at + size <= text.size);
    uint32_t code = (uint8_t)text.data[at] & masks[size];
    for (size_t i = 1; i < size; i++) {
        code = code << 6 | ((uint8_t)text.data[at + i] & 0x3fu);
    }
    return code;
}

// The general categories Cc, Cf, Zl and Zp, in order.
static const struct {
    uint32_t first;
    uint32_t last;
} hidden[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x0600, 0x0605},
    {0x061c, 0x061c},   {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},
    {0x08e2, 0x08e2},   {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x2064},   {0x2066, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},
    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f},
};

bool hoist_utf8_is_shown(uint32_t code_point)
{
    size_t i = 0;
    while (i < HOIST_COUNT_OF(hidden) && code_point > hidden[i].last) {
        i++;
    }
    return i == HOIST_COUNT_OF(hidden) || code_point < hidden[i].first;
}

size_t hoist_utf8_shown_size(hoist_str text, size_t at)
{
    const size_t size = hoist_utf8_size(text, at);
    return size && hoist_utf8_is_shown(hoist_utf8_decode(text, at, size)) ? size : 0;
}
