// Sizes as people read them, rounded to tenths of a binary unit.
#include "base/size_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/span.h"

// Tenths of 2^shift bytes, shift up to 60.
static uint64_t tenths_of(uint64_t bytes, unsigned shift)
{
    const uint64_t rest = bytes & ((UINT64_C(1) << shift) - 1);
    const uint64_t half = UINT64_C(1) << (shift - 1);
    return (bytes >> shift) * 10 + ((rest * 10 + half) >> shift);
}

hoist_size_text hoist_size_text_of(uint64_t bytes)
{
    enum { FULL = 10240 }; // tenths that are one of the next unit
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    hoist_size_text text = {.unit = units[0]};
    if (bytes < 1024) {
        (void)snprintf(text.number, sizeof(text.number), "%u", (unsigned)bytes);
        return text;
    }
    unsigned power = 1;
    while (power + 1 < HOIST_COUNT_OF(units) && tenths_of(bytes, 10 * power) >= FULL) {
        power++;
    }
    const unsigned tenths = (unsigned)tenths_of(bytes, 10 * power) % FULL;
    (void)snprintf(text.number, sizeof(text.number), "%u.%u", tenths / 10, tenths % 10);
    text.unit = units[power];
    return text;
}
