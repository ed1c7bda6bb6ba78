#include <string.h>

#include "runtime/cache.h"
#include "testing/test.h"

// Functions are asked for in the order of the text, a digit each.
static const struct {
    const char *name;
    uint32_t slots;
    const char *preload;
    const char *asked;
    uint64_t hits, misses, evictions;
} cases[] = {
    {"nothing", 2, "", "", 0, 0, 0},
    {"the first time is a miss", 2, "", "0", 0, 1, 0},
    {"the second a hit", 2, "", "00", 1, 1, 0},
    {"two fit", 2, "", "010101", 4, 2, 0},
    {"three do not", 2, "", "012012", 0, 6, 4},
    {"the least recently used goes", 2, "", "010201", 2, 4, 2},
    {"one slot", 1, "", "0011", 2, 2, 1},
    {"preloaded are hits", 2, "01", "01", 2, 0, 0},
    {"what does not fit is not preloaded", 2, "012", "012", 2, 1, 1},
};

HOIST_TEST_TABLE(counts, cases)
{
    hoist_binary_cache cache;
    HOIST_EXPECT_EQ(t, hoist_binary_cache_init(&cache, row->slots, hoist_allocator_system()),
                    HOIST_OK);
    size_t loaded = 0;
    for (const char *p = row->preload; *p; p++) {
        loaded += hoist_binary_cache_preload(&cache, (hoist_ref)(*p - '0'));
    }
    const size_t wanted = strlen(row->preload);
    HOIST_EXPECT_EQ(t, loaded, wanted < row->slots ? wanted : (wanted > 0 ? row->slots : 0));
    for (const char *p = row->asked; *p; p++) {
        hoist_binary_cache_ask(&cache, (hoist_ref)(*p - '0'));
    }
    HOIST_EXPECT_EQ(t, cache.hits, row->hits);
    HOIST_EXPECT_EQ(t, cache.misses, row->misses);
    HOIST_EXPECT_EQ(t, cache.evictions, row->evictions);
    hoist_binary_cache_deinit(&cache, hoist_allocator_system());
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(counts))
