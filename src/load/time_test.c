// Estimates of jobs as events: totals and rows that are worked out by hand, two jobs together, and
// options and jobs that are refused.
#include <string.h>

#include "hoist/load.h"

#include "base/buffer.h"
#include "base/span.h"
#include "testing/test.h"

enum { DEEPEST = 8 };

// Events as lines, "rows/0/name conv".
typedef struct writer {
    hoist_buffer out;
    struct {
        hoist_str key; // arena
        bool is_list;
        unsigned count; // of items so far
    } open[DEEPEST];
    size_t depth;
    hoist_arena *arena;
    hoist_tree_sink sink;
} writer;

static void begin(writer *w, const hoist_tree_event *event)
{
    const hoist_str key = w->depth && w->open[w->depth - 1].is_list
                              ? hoist_arena_format(w->arena, "%u", w->open[w->depth - 1].count++)
                              : hoist_arena_str(w->arena, event->key);
    w->open[w->depth].key = key;
    w->open[w->depth].count = 0;
    w->open[w->depth++].is_list = event->kind == HOIST_TREE_LIST;
}

static hoist_status write_event(void *self, const hoist_tree_event *event)
{
    writer *const w = self;
    if (event->kind == HOIST_TREE_END) {
        w->depth--;
        return HOIST_OK;
    }
    if (w->depth == DEEPEST) {
        return HOIST_LIMIT;
    }
    begin(w, event);
    if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST ||
        event->audience == HOIST_TREE_FOR_PEOPLE) {
        w->depth -= event->kind != HOIST_TREE_MAP && event->kind != HOIST_TREE_LIST;
        return HOIST_OK;
    }
    for (size_t i = 0; i < w->depth; i++) {
        hoist_buffer_format(&w->out, "%s%s", i ? "/" : "", w->open[i].key.data);
    }
    w->depth--;
    if (event->kind == HOIST_TREE_FLOAT) {
        hoist_buffer_format(&w->out, " %.6g\n", event->number);
    } else if (event->kind == HOIST_TREE_UINT) {
        hoist_buffer_format(&w->out, " %llu\n", (unsigned long long)event->uinteger);
    } else {
        hoist_buffer_format(&w->out, " %.*s\n", HOIST_STR_ARGS(event->str));
    }
    return HOIST_OK;
}

static void open_writer(hoist_test *t, writer *w)
{
    *w = (writer){.arena = &t->arena, .sink = {.self = w, .event = write_event}};
    hoist_buffer_init(&w->out, hoist_allocator_system());
}

static hoist_job *open_example(hoist_test *t, const char *name)
{
    const hoist_str path = hoist_arena_format(&t->arena, "%s/examples/%s", HOIST_SOURCE_DIR, name);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path.data, NULL, t->diag, &job), HOIST_OK);
    return job;
}

enum { SIZE = sizeof(hoist_time_options) };

static const hoist_time_options by_bytes = {
    .struct_size = SIZE, .cores = 1, .flops = 1e30, .bandwidth = 9600};
static const hoist_time_options by_operations = {
    .struct_size = SIZE, .cores = 1, .flops = 1024, .bandwidth = 1e30};
static const hoist_time_options level = {
    .struct_size = SIZE, .cores = 1, .cpu_level = "x86-64-v3", .bandwidth = 9600};
static const hoist_time_options usb2 = {.struct_size = SIZE, .host = "usb2"};
static const hoist_time_options pcie = {.struct_size = SIZE, .host = "pcie"};
static const hoist_time_options batch = {.struct_size = SIZE, .batch = 2};

// clang-format off
static const struct {
    const char *name;
    const char *file;
    const hoist_time_options *options;
    const char *lines[8]; // of the events, among others
} estimated[] = {
    // Three products of 4 x 16 by 16 x 24, of 2,176 bytes each with what they write; sigmoid and
    // two products of elements in 96 float32.
    {"bytes of a model", "ark/swiglu.json", &by_bytes,
     {"device cpu", "cores 1", "total/typical_seconds 1", "first_run/high_seconds 1", "bound memory", "rows/0/bytes 2176",
      "rows/1/bytes 768", "rows/2/begin_seconds 0.306667"}},
    {"its operations", "ark/swiglu.json", &by_operations,
     {"rows/0/operations 3072", "rows/0/typical_seconds 3", "rows/0/bound compute", "rows/2/operations 96", "bound compute", "notes/2/note operations per second are those that the caller gave"}},
    {"by a level", "ark/swiglu.json", &level, {"cpu_level x86-64-v3", "assumptions/0/typical 32", "assumptions/0/at_best 64"}},
    // 1,920 bytes of instructions, 64 of input, 656 of outputs; 179 steps of the busiest tile.
    {"an Edge TPU", "tflite/layers_edgetpu.tflite", NULL,
     {"device edgetpu", "host usb3", "total/typical_seconds 0.000260933", "total/high_seconds 0.000303573", "bound request",
      "rows/4/cycles 160", "rows/4/function edgetpu/0/main/program0", "rows/4/device edgetpu"}},
    {"on a slower link", "tflite/layers_edgetpu.tflite", &usb2, {"host usb2", "total/typical_seconds 0.000344659", "devices/0/device usb2"}},
    {"on a faster one", "tflite/layers_edgetpu.tflite", &pcie, {"host pcie", "total/low_seconds 5.638e-06"}},
    // up, act, down of each of two inputs, and sum: 4,382 + 4,343 + 2 x 8,009 + 2,056 cycles at 1 GHz.
    {"netlists have ops with cores of their own", "buda/feed_forward.yaml", NULL,
     {"device wormhole_b0", "total/typical_seconds 2.6799e-05", "rows/0/name up", "rows/0/cycles 4382", "rows/0/bound compute", "rows/2/cycles 8009"}},
    {"plain TFLite", "tflite/classifier.tflite", &batch, {"device cpu", "rows/0/name CONV_2D/0"}},
};
// clang-format on

static void expect_line(hoist_test *t, const writer *w, const char *line)
{
    const hoist_str all = {(const char *)w->out.data, w->out.size};
    const hoist_str found = hoist_arena_format(&t->arena, "%s\n", line);
    HOIST_EXPECT(t, hoist_str_contains(all, found.data));
    if (!hoist_str_contains(all, found.data)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no line '%s' in:\n%.*s", line, HOIST_STR_ARGS(all));
    }
}

HOIST_TEST_TABLE(jobs_have_times, estimated)
{
    hoist_job *job = open_example(t, row->file);
    writer w;
    open_writer(t, &w);
    HOIST_EXPECT_EQ(t, hoist_job_time(job, row->options, t->diag, &w.sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, w.depth, 0);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->lines) && row->lines[i]; i++) {
        expect_line(t, &w, row->lines[i]);
    }
    hoist_buffer_deinit(&w.out);
    hoist_job_close(job);
}

HOIST_TEST(two_jobs)
{
    hoist_job *job = open_example(t, "tflite/layers_edgetpu.tflite");
    hoist_job *other = open_example(t, "tflite/small_edgetpu.tflite");
    const hoist_time_options options = {.struct_size = SIZE, .compared = other};
    writer w;
    open_writer(t, &w);
    HOIST_EXPECT_EQ(t, hoist_job_time(job, &options, t->diag, &w.sink), HOIST_OK);
    expect_line(t, &w, "compared/rows/0/name chunk 0");
    // Of both, of the first alone, and of the other alone.
    expect_line(t, &w, "compared/rows/0/seconds 0.00025768");
    expect_line(t, &w, "compared/rows/0/other_seconds 0.00025448");
    expect_line(t, &w, "compared/rows/0/change_percent -1.24185");
    expect_line(t, &w, "compared/rows/3/name dense/1");
    expect_line(t, &w, "compared/rows/3/seconds 3.33333e-07");
    expect_line(t, &w, "compared/rows/3/other_seconds ");
    expect_line(t, &w, "compared/rows/3/change_percent ");
    expect_line(t, &w, "compared/rows/7/name unknown/0");
    expect_line(t, &w, "compared/rows/7/seconds ");
    expect_line(t, &w, "compared/rows/7/other_seconds 2.08333e-09");
    expect_line(t, &w, "compared/change_percent -1.30866");
    hoist_buffer_deinit(&w.out);
    hoist_job_close(other);
    hoist_job_close(job);
}

static const char *const no_program[] = {"none"};
static const hoist_parameter no_parameter[] = {{"none", 1}};

// clang-format off
static const struct {
    const char *name;
    hoist_time_options options;
    hoist_status status;
    const char *rule;
} refused[] = {
    {"a link that does not exist", {.struct_size = SIZE, .host = "usb4"}, HOIST_INVALID, "LOAD-003"},
    {"a level that does not exist", {.struct_size = SIZE, .cpu_level = "x86-64-v9"}, HOIST_INVALID, "LOAD-003"},
    {"fewer operations than none", {.struct_size = SIZE, .flops = -1}, HOIST_INVALID, "LOAD-003"},
    {"bytes without an end", {.struct_size = SIZE, .bandwidth = 1e308 * 10}, HOIST_INVALID, "LOAD-003"},
    {"too large a batch", {.struct_size = SIZE, .batch = HOIST_MAX_BATCH + 1}, HOIST_INVALID, "LOAD-003"},
    {"a program that is not there", {.struct_size = SIZE, .programs = no_program, .program_count = 1}, HOIST_NOT_FOUND, "LOAD-003"},
    {"a parameter that is not there", {.struct_size = SIZE, .parameters = no_parameter, .parameter_count = 1}, HOIST_NOT_FOUND, "LOAD-003"},
    {"too few steps", {.struct_size = SIZE, .max_steps = 3}, HOIST_LIMIT, "RUN-104"},
    {"options of no version", {.struct_size = 1}, HOIST_INVALID, "LOAD-003"},
};
// clang-format on

HOIST_TEST_TABLE(what_is_refused, refused)
{
    hoist_job *job = open_example(t, "buda/feed_forward.yaml");
    writer w;
    open_writer(t, &w);
    HOIST_EXPECT_EQ(t, hoist_job_time(job, &row->options, t->diag, &w.sink), row->status);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, w.out.size, 0); // no part of a document
    hoist_buffer_deinit(&w.out);
    hoist_job_close(job);
}

HOIST_TEST(a_deadline_ends_it)
{
    hoist_job *job = open_example(t, "tflite/layers_edgetpu.tflite");
    hoist_deadline *over = NULL;
    writer w;
    open_writer(t, &w);
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &over), HOIST_OK);
    hoist_job_limit(job, over);
    HOIST_EXPECT_EQ(t, hoist_job_time(job, NULL, t->diag, &w.sink), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "LOAD-006");
    hoist_job_limit(job, NULL);
    hoist_deadline_destroy(over);
    hoist_buffer_deinit(&w.out);
    hoist_job_close(job);
}

static hoist_status ignore(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

// A file, and what is made of its job.
typedef struct starving {
    const char *path;
    hoist_status (*use)(hoist_job *job);
} starving;

static hoist_status use_once(hoist_allocator alloc, const void *self)
{
    const starving *const s = self;
    const hoist_open_options open = {.struct_size = sizeof open, .alloc = alloc};
    hoist_job *job = NULL;
    hoist_status status = hoist_job_open(s->path, &open, NULL, &job);
    status = status == HOIST_OK ? s->use(job) : status;
    hoist_job_close(job);
    return status;
}

static hoist_status time_it(hoist_job *job)
{
    const hoist_time_options own = {.struct_size = SIZE, .cores = 1, .cpu_level = "baseline"};
    hoist_tree_sink sink = {.event = ignore};
    return hoist_job_time(job, &own, NULL, &sink);
}

static const hoist_draw_options shares = {.struct_size = sizeof(shares), .shares = true};

static hoist_status share_it(hoist_job *job)
{
    hoist_tree_sink sink = {.event = ignore};
    return hoist_job_graph_part(job, &shares, NULL, &sink);
}

static hoist_status draw_it(hoist_job *job)
{
    hoist_mut_bytes text = {NULL, 0};
    const hoist_status status = hoist_job_draw_markup(job, &shares, NULL, &text);
    hoist_job_free_text(job, text);
    return status;
}

#define EXAMPLE(name) HOIST_SOURCE_DIR "/examples/" name

static const starving starved[] = {
    {EXAMPLE("ark/swiglu.json"), time_it},
    {EXAMPLE("tflite/layers_edgetpu.tflite"), share_it},
    {EXAMPLE("ark/swiglu.json"), draw_it},
};

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(starved); i++) {
        hoist_test_starve(t, use_once, &starved[i]);
    }
}

// Shares -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *file;
    const char *lines[4]; // of the picture with shares, among others
    const char *line_of_none; // that no step has
} shared[] = {
    // 4,382 x 2 of 26,799 cycles; down has 8,009 x 2.
    {"ops by name", "buda/feed_forward.yaml",
     {"graphs/0/nodes/0/share_percent 32.7027", "graphs/0/nodes/2/share_percent 59.7709"}, "graphs/0/nodes/4/share_percent"},
    {"layers by name and number", "tflite/layers_edgetpu.tflite",
     {"graphs/1/nodes/0/share_percent 0.0151699", "graphs/1/nodes/1/share_percent 0.127747"}, "graphs/0/nodes/0/share_percent"},
};
// clang-format on

HOIST_TEST_TABLE(steps_have_shares, shared)
{
    hoist_job *job = open_example(t, row->file);
    writer w;
    open_writer(t, &w);
    HOIST_EXPECT_EQ(t, hoist_job_graph_part(job, &shares, t->diag, &w.sink), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->lines) && row->lines[i]; i++) {
        expect_line(t, &w, row->lines[i]);
    }
    hoist_buffer_char(&w.out, 0);
    HOIST_EXPECT(t, !strstr((const char *)w.out.data, row->line_of_none));
    hoist_buffer_deinit(&w.out);
    hoist_job_close(job);
}

// clang-format off
static const struct {
    const char *name;
    const char *file;
    const char *parts[4]; // of the drawing with times, among others
} lives[] = {
    {"steps that follow each other in time", "ark/swiglu.json",
     {"memory that the steps of rank0 share, over the estimated time", "<title>buffer:6\n384 B at 0\n0 ns to 290 ns</title>",
      "<title>buffer:8\n384 B at 384\n", ">768 B<"}},
    {"ops at the same time", "buda/feed_forward.yaml",
     {"memory that the steps of feed_forward share, step by step", "<title>act/0\n256.0 KiB at 0\nstep 4 to step 6</title>", ">step 10<"}},
};
// clang-format on

HOIST_TEST_TABLE(memory_is_drawn_over_time, lives)
{
    hoist_job *job = open_example(t, row->file);
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_draw_markup(job, &shares, t->diag, &text), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->parts) && row->parts[i]; i++) {
        const hoist_str all = {(const char *)text.data, text.size};
        HOIST_EXPECT(t, hoist_str_contains(all, row->parts[i]));
    }
    hoist_job_free_text(job, text);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(jobs_have_times),

                HOIST_TEST_ROW(memory_is_drawn_over_time), HOIST_TEST_ROW(steps_have_shares),
                HOIST_TEST_ROW(two_jobs), HOIST_TEST_ROW(what_is_refused),
                HOIST_TEST_ROW(a_deadline_ends_it),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
