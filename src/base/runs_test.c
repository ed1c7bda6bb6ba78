#include <string.h>

#include "base/buffer.h"
#include "base/runs.h"
#include "testing/test.h"

static void add_text(hoist_buffer *out, const hoist_runs *runs)
{
    hoist_runs_cursor cursor = {0, 0};
    for (hoist_run run; hoist_runs_next(runs, &cursor, &run);) {
        hoist_buffer_format(out, "%s%llu-%llu", out->size ? " " : "", (unsigned long long)run.begin,
                            (unsigned long long)run.end);
    }
}

static hoist_str text_of(hoist_test *t, const hoist_runs *runs)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    add_text(&out, runs);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// From 10-20, 30-40 and 50-60.
static const struct {
    const char *name;
    uint64_t begin, end;
    const char *joined;
} changes[] = {
    {"empty range", 25, 25, "10-20 30-40 50-60"},
    {"end before begin", 26, 25, "10-20 30-40 50-60"},
    {"before all", 0, 9, "0-9 10-20 30-40 50-60"},
    {"touches the first", 0, 10, "0-20 30-40 50-60"},
    {"inside one", 12, 13, "10-20 30-40 50-60"},
    {"in a gap", 22, 28, "10-20 22-28 30-40 50-60"},
    {"fills a gap", 20, 30, "10-40 50-60"},
    {"joins all", 15, 51, "10-60"},
    {"covers all", 0, 100, "0-100"},
    {"longer at the end", 59, 70, "10-20 30-40 50-70"},
    {"touches the last", 60, 61, "10-20 30-40 50-61"},
    {"behind all", 61, 62, "10-20 30-40 50-60 61-62"},
    {"the last byte", UINT64_MAX - 1, UINT64_MAX,
     "10-20 30-40 50-60 18446744073709551614-18446744073709551615"},
};

HOIST_TEST_TABLE(ranges_join, changes)
{
    hoist_runs runs;
    hoist_runs_init(&runs, hoist_allocator_system());
    hoist_runs_add(&runs, 30, 40);
    hoist_runs_add(&runs, 50, 60);
    hoist_runs_add(&runs, 10, 20);
    hoist_runs_add(&runs, row->begin, row->end);
    HOIST_EXPECT_STR(t, text_of(t, &runs), row->joined);
    hoist_runs_deinit(&runs);
}

// Against a byte for each byte -------------------------------------------------------------------

enum { BYTES = 3000 };

static hoist_block random_block(uint64_t *seed)
{
    hoist_block block = {.size = hoist_test_random(seed) % 6,
                         .rank = (int)(hoist_test_random(seed) % 5)};
    block.offset = hoist_test_random(seed) % (BYTES / 3);
    uint64_t left = BYTES - block.offset - 6;
    for (int i = 0; i < block.rank; i++) {
        // Sometimes dense, so that dimensions join.
        const uint64_t tight = i ? block.count[i - 1] * block.stride[i - 1] : block.size;
        const bool is_dense = hoist_test_random(seed) % 3 == 0 && tight <= left;
        block.stride[i] = is_dense ? tight : hoist_test_random(seed) % (left / 3 + 1);
        block.count[i] = 1 + hoist_test_random(seed) % (left / (block.stride[i] + 1) + 1) % 40;
        left -= (block.count[i] - 1) * block.stride[i];
    }
    for (int i = 0; i < block.rank / 2; i++) { // outermost first
        const uint64_t count = block.count[i];
        const uint64_t stride = block.stride[i];
        block.count[i] = block.count[block.rank - 1 - i];
        block.stride[i] = block.stride[block.rank - 1 - i];
        block.count[block.rank - 1 - i] = count;
        block.stride[block.rank - 1 - i] = stride;
    }
    return block;
}

static void mark(uint8_t bytes[BYTES], const hoist_block *block)
{
    hoist_block_walk walk = {.block = block};
    for (hoist_run run; hoist_block_next(&walk, &run);) {
        memset(&bytes[run.begin], 1, run.end - run.begin);
    }
}

static void expect_bytes(hoist_test *t, const hoist_runs *runs, const uint8_t bytes[BYTES])
{
    hoist_runs_cursor cursor = {0, 0};
    uint64_t at = 0;
    bool same = true;
    for (hoist_run run; hoist_runs_next(runs, &cursor, &run); at = run.end) {
        HOIST_EXPECT(t, run.begin < run.end && (at == 0 || run.begin > at));
        same = same && !memchr(&bytes[at], 1, run.begin - at) &&
               !memchr(&bytes[run.begin], 0, run.end - run.begin);
    }
    HOIST_EXPECT(t, same && !memchr(&bytes[at], 1, BYTES - at));
}

HOIST_TEST(random_blocks_are_those_of_a_bitmap)
{
    uint64_t seed = 11;
    const int rounds = HOIST_TEST_ROUNDS(60);
    for (int round = 0; round < rounds; round++) {
        hoist_runs runs;
        uint8_t bytes[BYTES] = {0};
        hoist_runs_init(&runs, hoist_allocator_system());
        for (int i = 0; i < 30; i++) {
            const hoist_block block = random_block(&seed);
            mark(bytes, &block);
            hoist_runs_add_block(&runs, &block);
            expect_bytes(t, &runs, bytes);
        }
        HOIST_EXPECT(t, !runs.failed);
        hoist_runs_deinit(&runs);
    }
}

// Size -------------------------------------------------------------------------------------------

enum { MANY = 50000 };

// Ascending ranges fill their chunks; in any other order chunks are half full at least.
HOIST_TEST(many_ranges_take_little_memory)
{
    for (int order = 0; order < 3; order++) {
        hoist_failing failing;
        hoist_runs runs;
        hoist_runs_init(&runs, hoist_failing_allocator(&failing, 0));
        for (uint64_t i = 0; i < MANY; i++) {
            // 7919 has no divisor in common with MANY, so each range comes once.
            const uint64_t at = order == 0 ? i : order == 1 ? MANY - 1 - i : i * 7919 % MANY;
            hoist_runs_add(&runs, 3 * at, 3 * at + 2);
        }
        HOIST_EXPECT_EQ(t, hoist_runs_count(&runs), MANY);
        HOIST_EXPECT(t, failing.live <= (order ? 48 : 20) * (size_t)MANY);
        for (uint64_t i = 0; i < MANY; i += 2) {
            hoist_runs_add(&runs, 3 * i + 2, 3 * i + 3);
        }
        HOIST_EXPECT_EQ(t, hoist_runs_count(&runs), MANY / 2);
        hoist_runs_add(&runs, 3, 3 * MANY - 10);
        HOIST_EXPECT_STR(t, text_of(t, &runs), "0-149993 149994-149999");
        hoist_runs_deinit(&runs);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
}

static hoist_status build(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_runs runs;
    hoist_runs_init(&runs, alloc);
    for (uint64_t i = 0; i < 300; i++) {
        hoist_runs_add(&runs, 10 * i, 10 * i + 8);
    }
    for (uint64_t i = 0; i < 300; i += 2) {
        hoist_runs_add(&runs, 10 * i + 3, 10 * i + 15);
    }
    const size_t count = hoist_runs_count(&runs);
    const hoist_status status = runs.failed ? HOIST_NO_MEMORY : HOIST_OK;
    hoist_runs_add(&runs, 5000, 5001);
    if (hoist_runs_count(&runs) != count + (status == HOIST_OK)) {
        hoist_runs_deinit(&runs);
        return HOIST_INTERNAL; // a failed set is left alone
    }
    hoist_runs_deinit(&runs);
    return status;
}

HOIST_TEST(memory_that_runs_out_sticks)
{
    hoist_test_starve(t, build, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ranges_join), HOIST_TEST_ROW(random_blocks_are_those_of_a_bitmap),
                HOIST_TEST_ROW(many_ranges_take_little_memory),
                HOIST_TEST_ROW(memory_that_runs_out_sticks))
