// What the cache gives is what is computed anew, whatever the filter says and however many steps
// share an entry.
#include "base/arena.h"
#include "base/span.h"
#include "cost/cost_cache.h"
#include "program/program_testing.h"

static const hoist_cost_model chip = {.device = {"wormhole_b0", 11}};
static const hoist_cost_model cpu = {
    .device = {"cpu", 3}, .level = "baseline", .cores = 1, .operations = 2, .memory = 4};

#define SLOT "read(q) f32[4], "
#define NINE SLOT SLOT SLOT SLOT SLOT SLOT SLOT SLOT "read(q) f32[4]"

// clang-format off
static const struct {
    const char *name;
    const char *step;
} steps[] = {
    {"no slot", "move copy from [x f32[8]] to y f32[8]"},
    {"a slot is read", "move copy from [read(q) f32[4]] to y f32[4]"},
    {"a slot is written", "move copy from [x f32[4]] to write(p) f32[4]"},
    {"two are read, one of them once for all", "move add from [read(q) f32[4], read(k) f32[4] by [0]] to write(p) f32[4]"},
    {"an operation", "compute ark.add from [read(q) f32[4], read(k) f32[4]] to [write(p) f32[4]]"},
    {"more than an entry has", "move add from [" NINE "] to write(p) f32[4]"},
};
// clang-format on

// Counts the slots whose bits are set, in the order in which it is asked.
typedef struct choice {
    unsigned bits;
    unsigned asked;
} choice;

static bool counts(void *self, hoist_ref view)
{
    choice *const c = self;
    (void)view;
    return c->bits >> c->asked++ & 1;
}

static hoist_program *program_of(hoist_test *t, const char *lines)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "program p\nspace m\nbuffer x in m size 64 lifetime session contents zero\n"
        "buffer y in m size 64 lifetime session contents zero\nbuffer r in m size 32\n"
        "buffer o in m size 32\nbuffer w in m size 16\n"
        "fifo q queue of f32[4] slots 2 in [r] slot_bytes 16 host_push\n"
        "fifo p queue of f32[4] slots 2 in [o] slot_bytes 16 host_pop\n"
        "fifo k ram of f32[4] slots 1 in [w] slot_bytes 16 host_push\n"
        "thread a {\n%s}\nentry run {\n start a\n}\n",
        lines);
    return hoist_test_program(t, text, HOIST_OK);
}

static void expect_same(hoist_test *t, const hoist_cost *got, const hoist_cost *want)
{
    HOIST_EXPECT_EQ(t, got->amount.bytes, want->amount.bytes);
    HOIST_EXPECT_EQ(t, got->amount.slots, want->amount.slots);
    HOIST_EXPECT_EQ(t, got->amount.operations, want->amount.operations);
    HOIST_EXPECT_EQ(t, got->is_timed, want->is_timed);
    HOIST_EXPECT_EQ(t, got->resource, want->resource);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        HOIST_EXPECT(t, hoist_cost_seconds(got, (hoist_case)i) ==
                            hoist_cost_seconds(want, (hoist_case)i));
    }
}

// Asks cache and model for one choice of slots.
static void compare(hoist_test *t, hoist_cost_cache *cache, const hoist_prog_step *step,
                    unsigned bits)
{
    choice fresh = {.bits = bits};
    choice kept = {.bits = bits};
    const hoist_slot_filter fresh_filter = {counts, &fresh};
    const hoist_slot_filter kept_filter = {counts, &kept};
    const hoist_amount amount = hoist_amount_of(cache->program, step, &fresh_filter);
    const hoist_cost want = hoist_cost_of(cache->model, cache->program, step, &amount);
    expect_same(t, hoist_cost_cache_find(cache, step, &kept_filter), &want);
    HOIST_EXPECT_EQ(t, kept.asked, fresh.asked);
}

HOIST_TEST_TABLE(any_choice_of_slots, steps)
{
    const char *const lines = hoist_arena_format(&t->arena, " %s\n", row->step).data;
    hoist_program *program = program_of(t, lines);
    const hoist_cost_model *const models[] = {&chip, &cpu};
    for (size_t m = 0; program && m < HOIST_COUNT_OF(models); m++) {
        hoist_cost_cache cache;
        HOIST_EXPECT_EQ(t, hoist_cost_cache_init(&cache, models[m], program, &t->arena), HOIST_OK);
        for (unsigned bits = 0; bits < 512; bits++) {
            compare(t, &cache, &program->threads[0].code.steps[0], bits * 5 % 512);
        }
    }
    hoist_program_destroy(program);
}

// More steps than the cache of their program has entries, as a program beyond 2^15 steps has.
HOIST_TEST(steps_that_share_an_entry)
{
    enum { LENGTHS = 32, TIMES = 64 };
    const char *lines = "";
    for (int i = 1; i <= LENGTHS; i++) {
        lines =
            hoist_arena_format(&t->arena, "%s move copy from [x u8[%d]] to y u8[%d]\n", lines, i, i)
                .data;
    }
    hoist_program *program = program_of(t, lines);
    hoist_prog_step *const steps_of_all =
        hoist_arena_array(&t->arena, (size_t)TIMES * LENGTHS, sizeof(*steps_of_all));
    hoist_cost_cache cache;
    HOIST_EXPECT_EQ(t, hoist_cost_cache_init(&cache, &cpu, program, &t->arena), HOIST_OK);
    HOIST_EXPECT(t, 1 << cache.bits < TIMES * LENGTHS);
    for (size_t i = 0; program && i < (size_t)TIMES * LENGTHS; i++) {
        steps_of_all[i] = program->threads[0].code.steps[i % LENGTHS];
        compare(t, &cache, &steps_of_all[i], 0);
        compare(t, &cache, &steps_of_all[i / 2], 0);
    }
    hoist_program_destroy(program);
}

// Work of a device behind a link: the filter is not asked.
HOIST_TEST(work_of_a_device)
{
    const hoist_prog_work work = {.device = {"edgetpu", 7}, .bytes = 1000000};
    const hoist_program program = {.works = &work, .work_count = 1};
    const hoist_prog_step step = {.kind = HOIST_STEP_OPAQUE, .work = 1};
    const hoist_cost_model model = {.link = "usb3"};
    hoist_cost_cache cache;
    choice none = {.bits = 0};
    const hoist_slot_filter filter = {counts, &none};
    HOIST_EXPECT_EQ(t, hoist_cost_cache_init(&cache, &model, &program, &t->arena), HOIST_OK);
    const hoist_cost want = hoist_cost_of(&model, &program, &step, NULL);
    expect_same(t, hoist_cost_cache_find(&cache, &step, &filter), &want);
    HOIST_EXPECT_EQ(t, none.asked, 0U);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(any_choice_of_slots), HOIST_TEST_ROW(steps_that_share_an_entry),
                HOIST_TEST_ROW(work_of_a_device))
