#include "codec/utf8.h"

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
