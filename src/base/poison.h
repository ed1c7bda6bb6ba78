// base/poison.h - marks for AddressSanitizer the bytes of a block that are not allocated yet, so
// that reading them is a report. Without it nothing is done, and there are no red zones.
#ifndef HOIST_SRC_BASE_POISON_H
#define HOIST_SRC_BASE_POISON_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define HOIST_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOIST_POISONS 1
#endif
#endif
#ifndef HOIST_POISONS
#define HOIST_POISONS 0
#endif

#if HOIST_POISONS
#include <sanitizer/asan_interface.h>
#endif

// Bytes between the pieces of a block that belong to none.
enum { HOIST_RED_ZONE = HOIST_POISONS ? 16 : 0 };

// These bytes are not to be touched until they are unpoisoned. `memory` is aligned to 8, or they
// follow bytes that are not poisoned.
static inline void hoist_poison(const void *memory, size_t size)
{
#if HOIST_POISONS
    __asan_poison_memory_region(memory, size);
#else
    (void)memory;
    (void)size;
#endif
}

static inline void hoist_unpoison(const void *memory, size_t size)
{
#if HOIST_POISONS
    __asan_unpoison_memory_region(memory, size);
#else
    (void)memory;
    (void)size;
#endif
}

static inline bool hoist_is_poisoned(const void *byte)
{
#if HOIST_POISONS
    return __asan_address_is_poisoned(byte) != 0;
#else
    (void)byte;
    return false;
#endif
}

// Unpoisons the first `size` bytes of a block whose poisoned ones are its last: in the time that
// their number takes, however large the block is.
static inline void hoist_unpoison_up_to(const void *block, size_t size)
{
    enum { GRANULE = 8 }; // poisoned or not together, from some byte on
    const char *const bytes = block;
    size_t from = size;
    while (from > 0 && hoist_is_poisoned(bytes + from - 1)) {
        from -= from % GRANULE ? from % GRANULE : GRANULE;
    }
    if (from < size) { // then there is a block
        hoist_unpoison(bytes + from, size - from);
    }
}

#endif // HOIST_SRC_BASE_POISON_H
