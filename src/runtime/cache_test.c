// Caches of units: what is kept, and what sessions count of it; and the kernels of a session.
#include <string.h>

#include "runtime/runtime_testing.h"

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
    const size_t expected = strlen(row->preload);
    HOIST_EXPECT_EQ(t, loaded, expected < row->slots ? expected : (expected > 0 ? row->slots : 0));
    uint64_t found[HOIST_BINARY_EVICTED + 1] = {0};
    for (const char *p = row->asked; *p; p++) {
        found[hoist_binary_cache_ask(&cache, (hoist_ref)(*p - '0'))]++;
    }
    HOIST_EXPECT_EQ(t, found[HOIST_BINARY_HIT], row->hits);
    HOIST_EXPECT_EQ(t, found[HOIST_BINARY_MISS] + found[HOIST_BINARY_EVICTED], row->misses);
    HOIST_EXPECT_EQ(t, found[HOIST_BINARY_EVICTED], row->evictions);
    hoist_binary_cache_deinit(&cache, hoist_allocator_system());
}

// Calls and caches of a session: of each unit, with functions that work on data; preloaded are the
// first that compute, in the order of the program.
static const struct {
    const char *name;
    uint32_t slots; // 0: as many as there are by default
    bool preload;
    const char
        *posts; // a letter each, of a unit that its case names; with + the next comes at once
    uint64_t calls, hits, misses, evictions;
} sessions[] = {
    {"one function again", 0, false, "aaa", 3, 2, 1, 0},
    {"one that waits for the other", 0, false, "a+a+a", 3, 2, 1, 0},
    {"functions of two units", 0, false, "aAaA", 4, 2, 2, 0},
    {"units beside each other", 0, false, "a+A+a+A", 4, 2, 2, 0},
    {"more than one slot", 1, false, "aba", 3, 0, 3, 2},
    {"slots are of a unit", 1, false, "aBaB", 4, 2, 2, 0},
    {"a function without data is none", 1, false, "axa", 2, 1, 1, 0},
    {"nothing but control", 1, false, "x+xX", 0, 0, 0, 0},
    {"moves are data", 1, false, "ama", 3, 0, 3, 2},
    {"a call of several steps", 1, false, "l", 1, 0, 1, 0},
    {"two calls of several steps", 1, false, "l+l", 2, 1, 1, 0},
    {"the deepest call is asked for", 2, false, "c", 1, 1, 2, 0},
    {"the deepest call, in one slot", 1, false, "c", 1, 0, 3, 2},
    {"the same function within and alone", 2, false, "c+a", 2, 2, 2, 0},
    {"what only calls is not asked for", 1, false, "y+y", 2, 1, 1, 0},
    {"two slots", 2, false, "abab", 4, 2, 2, 0},
    {"preloaded", 2, true, "ab", 2, 2, 0, 0},
    {"preloaded for each unit", 2, true, "aB", 2, 2, 0, 0},
    {"functions that do not compute are not preloaded", 2, true, "m", 1, 0, 1, 1},
    {"those for which there is space", 1, true, "ab", 2, 1, 1, 1},
    {"more slots than functions", UINT32_MAX, true, "abm", 3, 2, 1, 0},
};

// Functions fa, fb ... by their letters, and the posts of thread t.
static hoist_str program_of_posts(hoist_test *t, const char *letters)
{
    hoist_str posts = HOIST_STR("");
    for (const char *p = letters; *p; p++) {
        const bool other = *p >= 'A' && *p <= 'Z';
        const bool waits = p[1] != '+';
        posts = hoist_arena_format(&t->arena, "%.*spost %s f%c\n%s", HOIST_STR_ARGS(posts),
                                   other ? "v" : "u", other ? *p - 'A' + 'a' : *p,
                                   waits ? "drain u\ndrain v\n" : "");
        p += !waits;
    }
    return hoist_arena_format(
        &t->arena,
        "program p\nspace m\nbuffer x in m size 16 lifetime session contents zero\n"
        "semaphore s\nunit u depth 4\nunit v depth 4\n"
        "function fm {\nmove copy from [x u8[4]] to x u8[4] + 4\n}\n"
        "function fx {\nsignal s add 1\n}\n"
        "function fa {\ncompute ieee.add from [x f32[1], x f32[1]] to [x f32[1]]\n}\n"
        "function fb {\ncompute ieee.add from [x f32[1], x f32[1]] to [x f32[1]]\n}\n"
        "function fl {\nloop 3\nmove copy from [x u8[4]] to x u8[4] + 4\nend\n"
        "signal s add 1\nmove copy from [x u8[4]] to x u8[4] + 4\n}\n"
        "function fc {\nmove copy from [x u8[4]] to x u8[4] + 4\ncall fa\n"
        "move copy from [x u8[4]] to x u8[4] + 4\n}\n"
        "function fy {\nsignal s add 1\ncall fa\nsignal s add 1\n}\n"
        "thread t {\n%.*s}\nentry e {\nstart t\n}\n",
        HOIST_STR_ARGS(posts));
}

HOIST_TEST_TABLE(sessions_count_what_their_units_load, sessions)
{
    hoist_program *program = runtime_program(t, program_of_posts(t, row->posts).data);
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = 1,
                                           .binary_slots = row->slots,
                                           .preload = row->preload};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    if (session) {
        hoist_session_counts counts = {.struct_size = sizeof counts};
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        hoist_session_count(session, &counts);
        HOIST_EXPECT_EQ(t, counts.calls, row->calls);
        HOIST_EXPECT_EQ(t, counts.cache_hits, row->hits);
        HOIST_EXPECT_EQ(t, counts.cache_misses, row->misses);
        HOIST_EXPECT_EQ(t, counts.cache_evictions, row->evictions);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A thread goes as far as it can before a unit does anything.
static const struct {
    const char *name;
    const char *posts;
    uint64_t commands, full_waits, idle_waits;
} commands[] = {
    {"none", "", 0, 0, 0},
    {"one", "x", 1, 0, 1},
    {"as many as the queue holds", "x+x+x+x", 4, 0, 1},
    {"two more", "x+x+x+x+x+m", 6, 1, 1},
    {"two units, the other of which is done meanwhile", "x+X", 2, 0, 1},
    {"one after the other", "xxx", 3, 0, 3},
};

HOIST_TEST_TABLE(sessions_count_commands_and_waits, commands)
{
    hoist_program *program = runtime_program(t, program_of_posts(t, row->posts).data);
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .schedule = HOIST_RUN_IN_ORDER};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    if (session) {
        hoist_session_counts counts = {.struct_size = sizeof counts};
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        hoist_session_count(session, &counts);
        HOIST_EXPECT_EQ(t, counts.commands, row->commands);
        HOIST_EXPECT_EQ(t, counts.full_waits, row->full_waits);
        HOIST_EXPECT_EQ(t, counts.idle_waits, row->idle_waits);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// The caller's limit of the CPU level, which counts from 1; 0 and more than there is are no limit.
HOIST_TEST(levels_have_a_limit)
{
    hoist_program *program =
        runtime_program(t, "program p\nthread t {\n}\nentry e {\nstart t\n}\n");
    const hoist_cpu_level most = hoist_cpu_detect();
    for (uint32_t limit = 0; limit <= (uint32_t)most + 2; limit++) {
        const hoist_session_options options = {
            .struct_size = sizeof options, .sequential = true, .max_cpu_level = limit};
        hoist_session *session = NULL;
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
        const hoist_cpu_level expected =
            limit > 0 && limit <= (uint32_t)most ? (hoist_cpu_level)(limit - 1) : most;
        HOIST_EXPECT_EQ(t, session->level, expected);
        HOIST_EXPECT(t, session->kernels == hoist_compute_kernels_at(expected));
        HOIST_EXPECT(t, session->moves == hoist_move_kernels_at(expected));
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(counts), HOIST_TEST_ROW(sessions_count_what_their_units_load),
                HOIST_TEST_ROW(sessions_count_commands_and_waits),
                HOIST_TEST_ROW(levels_have_a_limit))
