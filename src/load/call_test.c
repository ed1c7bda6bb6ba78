// Calls on jobs whose deadline is over: all of them end with it and give nothing.
#include <string.h>

#include "hoist/load.h"

#include "load/job.h"
#include "testing/test.h"
#include "testing/trace.h"

typedef hoist_status call(hoist_job *job, hoist_diag *diag);

// HOIST_INTERNAL when a call that failed gave bytes.
static hoist_status check_bytes(hoist_status status, const hoist_job *job, hoist_mut_bytes bytes)
{
    const bool wrong = status != HOIST_OK && bytes.data;
    hoist_job_free_text(job, bytes);
    return wrong ? HOIST_INTERNAL : status;
}

static hoist_status check_orders(hoist_job *job, hoist_diag *diag)
{
    hoist_verdict verdict = HOIST_VERDICT_CLEAN;
    const hoist_status status = hoist_job_check_order(job, NULL, diag, &verdict);
    return status != HOIST_OK && verdict != HOIST_VERDICT_NONE ? HOIST_INTERNAL : status;
}

static hoist_status info(hoist_job *job, hoist_diag *diag)
{
    hoist_tree_sink sink = hoist_dropping_tree();
    return hoist_job_info(job, true, diag, &sink);
}

static hoist_status dump(hoist_job *job, hoist_diag *diag)
{
    (void)diag;
    hoist_tree_sink sink = hoist_dropping_tree();
    return hoist_job_dump(job, NULL, true, &sink);
}

static hoist_status draw(hoist_job *job, hoist_diag *diag)
{
    hoist_mut_bytes text;
    return check_bytes(hoist_job_draw(job, 80, diag, &text), job, text);
}

static hoist_status draw_markup(hoist_job *job, hoist_diag *diag)
{
    hoist_mut_bytes text;
    return check_bytes(hoist_job_draw_markup(job, NULL, diag, &text), job, text);
}

static hoist_status graph(hoist_job *job, hoist_diag *diag)
{
    hoist_tree_sink sink = hoist_dropping_tree();
    return hoist_job_graph(job, diag, &sink);
}

static hoist_status layout(hoist_job *job, hoist_diag *diag)
{
    hoist_tree_sink sink = hoist_dropping_tree();
    return hoist_job_layout(job, diag, &sink);
}

static hoist_status write_file(hoist_job *job, hoist_diag *diag)
{
    (void)diag;
    hoist_mut_bytes text;
    return check_bytes(hoist_job_write(job, &text), job, text);
}

static hoist_status text(hoist_job *job, hoist_diag *diag)
{
    (void)diag;
    const hoist_piece_sink sink = hoist_dropping_sink();
    return hoist_job_text(job, &sink);
}

static hoist_status disasm(hoist_job *job, hoist_diag *diag)
{
    hoist_mut_bytes out;
    return check_bytes(hoist_job_disasm(job, NULL, diag, &out), job, out);
}

static hoist_status unpack(hoist_job *job, hoist_diag *diag)
{
    hoist_part_sink sink = hoist_dropping_parts();
    return hoist_job_unpack(job, NULL, diag, &sink);
}

static hoist_status recover(hoist_job *job, hoist_diag *diag)
{
    const hoist_recovery_sink sink = hoist_dropping_recovery();
    return hoist_job_recover(job, diag, &sink);
}

static hoist_status layers(hoist_job *job, hoist_diag *diag)
{
    hoist_tree_sink sink = hoist_dropping_tree();
    uint64_t gaps = 0;
    return hoist_job_layers(job, diag, &sink, &gaps);
}

static hoist_status recover_model(hoist_job *job, hoist_diag *diag)
{
    hoist_mut_bytes out;
    return check_bytes(hoist_job_recover_model(job, diag, &out), job, out);
}

static hoist_status link(hoist_job *job, hoist_diag *diag)
{
    const hoist_link_options options = {.struct_size = sizeof options, .undo = true};
    hoist_mut_bytes out;
    hoist_link_result result;
    return check_bytes(hoist_job_link(job, &options, diag, &out, &result), job, out);
}

static hoist_status make_stream(hoist_job *job, hoist_diag *diag)
{
    hoist_stream *stream = NULL;
    const hoist_status status = hoist_job_stream(job, NULL, diag, &stream);
    const bool wrong = status != HOIST_OK && stream;
    hoist_stream_destroy(stream);
    return wrong ? HOIST_INTERNAL : status;
}

static hoist_status lower(hoist_job *job, hoist_diag *diag)
{
    hoist_program *program = NULL;
    const hoist_status status = hoist_job_lower(job, NULL, diag, &program);
    const bool wrong = status != HOIST_OK && program;
    hoist_program_destroy(program);
    return wrong ? HOIST_INTERNAL : status;
}

static hoist_status compare(hoist_job *job, hoist_diag *diag)
{
    (void)diag;
    hoist_tree_sink sink = hoist_dropping_tree();
    size_t count = 0;
    return hoist_job_compare(job, job, &sink, &count);
}

// What a format has no meaning for is refused before the deadline is looked at.
static const struct {
    const char *name;
    call *call;
    bool reports; // has a diag, which gets LOAD-006
    bool refused[3];
} calls[] = {
    {"check", hoist_job_check, true, {false, false, false}},
    {"check orders", check_orders, true, {false, false, false}},
    {"info", info, true, {false, false, false}},
    {"dump", dump, false, {false, false, false}},
    {"draw", draw, true, {false, false, false}},
    {"draw markup", draw_markup, true, {false, false, false}},
    {"graph", graph, true, {false, false, false}},
    {"layout", layout, true, {false, false, false}},
    {"write", write_file, false, {false, false, false}},
    {"text", text, false, {false, false, false}},
    {"disasm", disasm, true, {false, false, false}},
    {"unpack", unpack, true, {true, false, false}},
    {"recover", recover, true, {false, false, false}},
    {"layers", layers, true, {false, false, false}},
    {"recover model", recover_model, true, {true, false, false}},
    {"link", link, true, {false, false, false}},
    {"stream", make_stream, true, {false, false, false}},
    {"lower", lower, true, {false, false, false}},
    {"compare", compare, false, {false, false, false}},
};

static const char *const files[] = {"buda/feed_forward.yaml", "tflite/small_edgetpu.tflite",
                                    "tflite/classifier.tflite"};

static hoist_job *open_example(hoist_test *t, const char *name)
{
    hoist_job *job = NULL;
    const hoist_str path = hoist_arena_format(&t->arena, "%s/examples/%s", HOIST_SOURCE_DIR, name);
    HOIST_EXPECT_EQ(t, hoist_job_open(path.data, NULL, t->diag, &job), HOIST_OK);
    return job;
}

HOIST_TEST_TABLE(a_call_ends_with_the_time, calls)
{
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        hoist_test_row(t, row->name);
        hoist_job *const job = open_example(t, files[i]);
        hoist_job_limit(job, over);
        const hoist_status status = row->call(job, t->diag);
        HOIST_EXPECT_EQ(t, status, row->refused[i] ? HOIST_UNSUPPORTED : HOIST_LIMIT);
        HOIST_EXPECT_RULE(t, row->refused[i] ? "LOAD-004" : row->reports ? "LOAD-006" : NULL);
        hoist_job_limit(job, NULL);
        HOIST_EXPECT(t, row->call(job, NULL) != HOIST_LIMIT);
        hoist_job_close(job);
    }
    hoist_deadline_destroy(over);
}

HOIST_TEST_TABLE(a_call_ends_when_it_is_cancelled, calls)
{
    hoist_deadline *const over = hoist_test_deadline(t, -1);
    hoist_deadline_cancel(over);
    hoist_job *const job = open_example(t, files[0]);
    hoist_job_limit(job, over);
    HOIST_EXPECT_EQ(t, row->call(job, NULL), row->refused[0] ? HOIST_UNSUPPORTED : HOIST_CANCELLED);
    hoist_job_close(job);
    hoist_deadline_destroy(over);
}

static const struct {
    const char *name;
} examples[] = {
    {"buda/feed_forward.yaml"}, {"tflite/small_edgetpu.tflite"}, {"tflite/classifier.tflite"}};

HOIST_TEST_TABLE(opening_ends_with_the_time, examples)
{
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    const hoist_open_options options = {.struct_size = sizeof options, .deadline = over};
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/%s", HOIST_SOURCE_DIR, row->name);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path.data, &options, t->diag, &job), HOIST_LIMIT);
    HOIST_EXPECT(t, job == NULL);
    HOIST_EXPECT_RULE(t, "LOAD-006");
    hoist_deadline_destroy(over);
}

// Opened with a deadline, a job keeps it for what comes later.
HOIST_TEST(the_deadline_of_opening_is_that_of_the_job)
{
    hoist_deadline *const deadline = hoist_test_deadline(t, -1);
    const hoist_open_options options = {.struct_size = sizeof options, .deadline = deadline};
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/%s", HOIST_SOURCE_DIR, files[1]);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path.data, &options, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_CANCELLED);
    hoist_job_close(job);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(packing_ends_with_the_time)
{
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    const hoist_pack_options options = {
        .struct_size = sizeof options, .format = "neff", .deadline = over};
    hoist_mut_bytes bytes = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_pack(NULL, 0, &options, t->diag, &bytes), HOIST_LIMIT);
    HOIST_EXPECT(t, bytes.data == NULL);
    HOIST_EXPECT_RULE(t, "LOAD-006");
    hoist_deadline_destroy(over);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_call_ends_with_the_time),
                HOIST_TEST_ROW(a_call_ends_when_it_is_cancelled),
                HOIST_TEST_ROW(opening_ends_with_the_time),
                HOIST_TEST_ROW(the_deadline_of_opening_is_that_of_the_job),
                HOIST_TEST_ROW(packing_ends_with_the_time))
