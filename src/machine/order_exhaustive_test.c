// Small generated programs of threads that signal and wait in all ways, against an explorer of its
// own that goes through all interleavings: what is said to be clean or bad is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "machine/order.h"
#include "program/text.h"
#include "testing/test.h"

// The quick tier; the long one runs more.
static size_t programs = 12000;

enum { THREADS = 4, STEPS = 7, SEMAPHORES = 3, VARIABLES = 2, STATES = 1 << 16, SLOTS = 1 << 17 };

typedef enum step_kind { ACCESS, SIGNAL, WAIT } step_kind;

typedef struct small_step {
    step_kind kind;
    int object; // variable or semaphore
    bool write;
    hoist_signal_op op;
    hoist_compare compare;
    hoist_wait_then then;
    int value;
    int then_value;
} small_step;

// What programs are made of.
typedef enum program_style { MIXED, COUNTING, EVENTS, STYLES } program_style;

typedef struct small_program {
    small_step steps[THREADS][STEPS];
    int counts[THREADS];
    int threads;
    program_style style;
    int maximum[SEMAPHORES]; // 0: none
} small_program;

// Making programs -------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int below(uint64_t *state, int limit)
{
    return (int)(next_random(state) % (uint64_t)limit);
}

static bool passes(const small_step *s, int count)
{
    switch (s->compare) {
    case HOIST_CMP_EQ:
        return count == s->value;
    case HOIST_CMP_NE:
        return count != s->value;
    case HOIST_CMP_LT:
        return count < s->value;
    case HOIST_CMP_LE:
        return count <= s->value;
    case HOIST_CMP_GT:
        return count > s->value;
    default:
        return count >= s->value;
    }
}

// The count after a step that can be made.
static int count_after(const small_step *s, int count)
{
    if (s->kind == SIGNAL) {
        return s->op == HOIST_SIGNAL_ADD   ? count + s->value
               : s->op == HOIST_SIGNAL_SUB ? count - s->value
                                           : s->value;
    }
    switch (s->then) {
    case HOIST_THEN_SUBTRACT:
        return count - s->then_value;
    case HOIST_THEN_CLEAR:
        return 0;
    case HOIST_THEN_SET:
        return s->then_value;
    default:
        return count;
    }
}

// Of counts nothing is set; events are 0 or 1.
static void keep_style(uint64_t *random, program_style style, small_step *s, int count)
{
    if (style == COUNTING && s->kind == SIGNAL && s->op == HOIST_SIGNAL_SET) {
        s->op = count > 0 ? HOIST_SIGNAL_SUB : HOIST_SIGNAL_ADD;
        s->value = 1;
    } else if (style == COUNTING && s->kind == WAIT && s->then > HOIST_THEN_SUBTRACT) {
        s->then = HOIST_THEN_SUBTRACT;
        s->then_value = count > 0 ? 1 : 0;
    } else if (style == EVENTS && s->kind == SIGNAL) {
        s->op = HOIST_SIGNAL_SET;
        s->value = below(random, 4) > 0 ? 1 - count : count;
    } else if (style == EVENTS && s->kind == WAIT) {
        s->compare = HOIST_CMP_EQ;
        s->value = count;
        s->then = below(random, 2) == 0 ? HOIST_THEN_NOTHING : HOIST_THEN_SET;
        s->then_value = 1 - count;
    }
}

// A step that could be made when the semaphores have these counts.
static small_step random_step(uint64_t *random, program_style style, const int *counts)
{
    static const hoist_compare compares[] = {HOIST_CMP_GE, HOIST_CMP_EQ, HOIST_CMP_GE,
                                             HOIST_CMP_EQ, HOIST_CMP_GT, HOIST_CMP_LE,
                                             HOIST_CMP_LT, HOIST_CMP_NE};
    small_step s = {.kind = (step_kind)below(random, 3)};
    s.object = below(random, s.kind == ACCESS ? VARIABLES : SEMAPHORES);
    const int count = counts[s.object];
    if (s.kind == ACCESS) {
        s.write = below(random, 2) == 0;
    } else if (s.kind == SIGNAL) {
        const int op = below(random, 8);
        s.op = op < 4                 ? HOIST_SIGNAL_ADD
               : op < 7 || count == 0 ? HOIST_SIGNAL_SET
                                      : HOIST_SIGNAL_SUB;
        s.value = s.op == HOIST_SIGNAL_SET ? below(random, 3) : 1 + below(random, 8) / 7;
        s.value = s.op == HOIST_SIGNAL_SUB && s.value > count ? count : s.value;
    } else {
        s.compare = compares[below(random, 8)];
        s.value = count + (s.compare == HOIST_CMP_GT ? -1 : s.compare == HOIST_CMP_LT);
        s.value += s.compare == HOIST_CMP_NE ? (below(random, 2) ? 1 : -1) : 0;
        s.value = s.value < 0 ? 0 : s.value;
        s.then = (hoist_wait_then)(below(random, 2) ? below(random, 4) : HOIST_THEN_NOTHING);
        s.then_value = s.then == HOIST_THEN_SUBTRACT ? count : below(random, 2);
    }
    keep_style(random, style, &s, count);
    return s;
}

static void append(small_program *p, int thread, const small_step *s, int *counts)
{
    if (p->counts[thread] < STEPS) {
        p->steps[thread][p->counts[thread]++] = *s;
        if (s->kind != ACCESS) {
            counts[s->object] = count_after(s, counts[s->object]);
        }
    }
}

// One thread works, signals, and another one that waits for that goes on: mostly clean.
static void hand_over(uint64_t *random, small_program *p, int *active, int *counts)
{
    small_step s = {.kind = ACCESS, .object = below(random, VARIABLES), .write = true};
    s.write = below(random, 2) == 0;
    append(p, *active, &s, counts);
    do {
        s = random_step(random, p->style, counts);
    } while (s.kind != SIGNAL);
    append(p, *active, &s, counts);
    const int semaphore = s.object;
    *active = below(random, p->threads);
    do {
        s = random_step(random, p->style, counts);
    } while (s.kind != WAIT || s.object != semaphore ||
             (s.compare != HOIST_CMP_EQ && s.compare != HOIST_CMP_GE));
    append(p, *active, &s, counts);
}

static void generate(uint64_t seed, small_program *p)
{
    uint64_t random = seed;
    int counts[SEMAPHORES] = {0};
    *p = (small_program){.threads = 2 + below(&random, THREADS - 1),
                         .style = (program_style)below(&random, STYLES)};
    const int rounds = 1 + below(&random, 5);
    const int stray = below(&random, 4); // how many steps have nothing to do with the rest
    int active = 0;
    for (int i = 0; i < rounds; i++) {
        hand_over(&random, p, &active, counts);
        if (below(&random, 6) < stray) {
            const small_step s = random_step(&random, p->style, counts);
            append(p, below(&random, p->threads), &s, counts);
        }
    }
    for (int i = 0; i < SEMAPHORES; i++) {
        p->maximum[i] = below(&random, 4) == 0 ? 1 + below(&random, 3) : 0;
    }
}

static void put_step(hoist_buffer *b, int thread, const small_step *s)
{
    static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const ops[] = {"add", "sub", "set"};
    if (s->kind == ACCESS && s->write) {
        hoist_buffer_format(b, "move copy from [own%d f32[4]] to v%d f32[4]\n", thread, s->object);
    } else if (s->kind == ACCESS) {
        hoist_buffer_format(b, "move copy from [v%d f32[4]] to own%d f32[4]\n", s->object, thread);
    } else if (s->kind == SIGNAL) {
        hoist_buffer_format(b, "signal s%d %s %d\n", s->object, ops[s->op], s->value);
    } else {
        hoist_buffer_format(b, "wait s%d %s %d", s->object, compares[s->compare], s->value);
        if (s->then == HOIST_THEN_CLEAR) {
            hoist_buffer_format(b, " then clear");
        } else if (s->then != HOIST_THEN_NOTHING) {
            hoist_buffer_format(b, " then %s %d", s->then == HOIST_THEN_SET ? "set" : "subtract",
                                s->then_value);
        }
        hoist_buffer_format(b, "\n");
    }
}

static void put_program(hoist_buffer *b, const small_program *p)
{
    b->size = 0;
    hoist_buffer_format(b, "program p\nspace m\n");
    for (int i = 0; i < VARIABLES; i++) {
        hoist_buffer_format(b, "buffer v%d in m size 16 lifetime session contents zero\n", i);
    }
    for (int i = 0; i < SEMAPHORES; i++) {
        hoist_buffer_format(b, "semaphore s%d%s", i, p->maximum[i] > 0 ? " maximum " : "\n");
        if (p->maximum[i] > 0) {
            hoist_buffer_format(b, "%d\n", p->maximum[i]);
        }
    }
    for (int k = 0; k < p->threads; k++) {
        hoist_buffer_format(
            b, "buffer own%d in m size 16 lifetime session contents zero\nthread t%d {\n", k, k);
        for (int i = 0; i < p->counts[k]; i++) {
            put_step(b, k, &p->steps[k][i]);
        }
        hoist_buffer_format(b, "}\n");
    }
    hoist_buffer_format(b, "entry main {\n");
    for (int k = 0; k < p->threads; k++) {
        hoist_buffer_format(b, "start t%d\n", k);
    }
    hoist_buffer_format(b, "}\n");
}

// All interleavings -----------------------------------------------------------------------------

typedef struct state {
    uint8_t at[THREADS];
    uint8_t counts[SEMAPHORES];
} state;

typedef struct explorer {
    const small_program *p;
    state seen[STATES]; // of those to visit, and visited
    size_t count;
    uint32_t table[SLOTS]; // 1 + index in `seen`; 0: free
    size_t slots[STATES];  // of `table`, that are in use
    bool racy;
    bool stuck; // or a fault
} explorer;

static void meet(explorer *e, const state *s)
{
    uint64_t key = 0;
    memcpy(&key, s, sizeof *s);
    const uint64_t mixed = next_random(&key);
    size_t slot = (size_t)(mixed % SLOTS);
    while (e->table[slot] != 0) {
        if (memcmp(&e->seen[e->table[slot] - 1], s, sizeof *s) == 0) {
            return;
        }
        slot = (slot + 1) % SLOTS;
    }
    if (e->count == STATES) {
        abort();
    }
    e->slots[e->count] = slot;
    e->seen[e->count++] = *s;
    e->table[slot] = (uint32_t)e->count;
}

static const small_step *step_at(const explorer *e, const state *s, int thread)
{
    return s->at[thread] < e->p->counts[thread] ? &e->p->steps[thread][s->at[thread]] : NULL;
}

static bool conflict(const small_step *a, const small_step *b)
{
    return a && b && a->kind == ACCESS && b->kind == ACCESS && a->object == b->object &&
           (a->write || b->write);
}

static void expand(explorer *e, const state *s)
{
    bool moved = false;
    bool done = true;
    for (int k = 0; k < e->p->threads; k++) {
        const small_step *step = step_at(e, s, k);
        done = done && !step;
        for (int i = 0; i < k; i++) {
            e->racy = e->racy || conflict(step, step_at(e, s, i));
        }
        if (!step || (step->kind == WAIT && !passes(step, s->counts[step->object]))) {
            continue;
        }
        state next = *s;
        next.at[k]++;
        moved = true;
        if (step->kind != ACCESS) {
            const int count = count_after(step, s->counts[step->object]);
            const int maximum = e->p->maximum[step->object];
            const bool changes = step->kind == SIGNAL || step->then != HOIST_THEN_NOTHING;
            if (changes && (count < 0 || (maximum > 0 && count > maximum))) {
                e->stuck = true;
                continue;
            }
            next.counts[step->object] = (uint8_t)count;
        }
        meet(e, &next);
    }
    e->stuck = e->stuck || (!moved && !done);
}

static bool is_bad(const small_program *p)
{
    static explorer e;
    e.p = p;
    e.racy = e.stuck = false;
    while (e.count > 0) {
        e.table[e.slots[--e.count]] = 0;
    }
    meet(&e, &(state){.at = {0}});
    for (size_t i = 0; i < e.count; i++) {
        const state s = e.seen[i];
        expand(&e, &s);
    }
    e.p = NULL;
    return e.racy || e.stuck;
}

// The comparison --------------------------------------------------------------------------------

static hoist_verdict verdict_of(hoist_test *t, hoist_bytes text, uint32_t schedules)
{
    hoist_program *program = NULL;
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                         .max_schedules = schedules};
    HOIST_EXPECT_EQ(t, hoist_program_parse(text, options.alloc, t->diag, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, NULL, &verdict),
                        HOIST_OK);
    }
    hoist_program_destroy(program);
    return verdict;
}

// Programs, and those whose verdict is known: by whether they are bad.
typedef struct tally {
    size_t count[2];
    size_t known[2];
} tally;

static void compare(hoist_test *t, size_t seed, uint32_t schedules, tally *sum)
{
    static const hoist_verdict clean = HOIST_VERDICT_CLEAN;
    hoist_buffer text;
    small_program p;
    hoist_buffer_init(&text, hoist_allocator_system());
    generate(seed, &p);
    put_program(&text, &p);
    const hoist_verdict verdict = verdict_of(t, hoist_buffer_bytes(&text), schedules);
    const bool bad = is_bad(&p);
    sum->count[bad]++;
    sum->known[bad] += verdict != HOIST_VERDICT_UNKNOWN;
    if (verdict != HOIST_VERDICT_UNKNOWN && bad == (verdict == clean)) {
        hoist_test_fail(t, __FILE__, __LINE__, "seed %zu is %s, expected %s:\n%.*s", seed,
                        verdict == clean ? "clean" : "bad", bad ? "bad" : "clean",
                        HOIST_STR_ARGS(hoist_buffer_text(&text)));
    }
    hoist_buffer_deinit(&text);
}

// With one schedule most of what is found is found without one.
HOIST_TEST(verdicts_are_those_of_all_interleavings)
{
    tally sums[2] = {{.count = {0}}};
    for (size_t seed = 0; seed < HOIST_TEST_ROUNDS(programs) && t->failures == 0; seed++) {
        compare(t, seed, seed % 2, &sums[seed % 2]);
    }
    for (int i = 0; i < 2; i++) {
        printf("%s: clean, %zu of %zu known; bad, %zu of %zu known\n",
               i == 0 ? "all schedules" : "one schedule", sums[i].known[0], sums[i].count[0],
               sums[i].known[1], sums[i].count[1]);
        HOIST_EXPECT(t, sums[i].known[0] * 100 >= sums[i].count[0] * 85);
        HOIST_EXPECT(t, sums[i].known[1] * 100 >= sums[i].count[1] * (i == 0 ? 96 : 60));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        programs = (size_t)strtoul(argv[1], NULL, 10);
    }
    const struct CMUnitTest tests[] = {HOIST_TEST_ROW(verdicts_are_those_of_all_interleavings)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));
}
