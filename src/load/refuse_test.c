// Calls that a format has no meaning for, and options of no version of the library: each call
// refuses them with one finding, and gives nothing.
#include <string.h>

#include "hoist/load.h"

#include "testing/test.h"

static const char netlist[] =
    "devices: {arch: grayskull}\n"
    "queues:\n"
    "  q: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "graphs:\n"
    "  g: {target_device: 0, input_count: 1}\n"
    "programs:\n"
    "  - p: [endloop]\n";

// Each call sets its result to something else before, so that a result that is left alone shows.
static const uint8_t untouched[] = "untouched";

static hoist_status call_disasm(hoist_test *t, const hoist_job *job)
{
    hoist_mut_bytes text = {(uint8_t *)(uintptr_t)untouched, 1};
    const hoist_status status = hoist_job_disasm(job, NULL, t->diag, &text);
    HOIST_EXPECT(t, !text.data && text.size == 0);
    return status;
}

static hoist_status count_event(void *self, const hoist_tree_event *event)
{
    (void)event;
    *(size_t *)self += 1;
    return HOIST_OK;
}

static hoist_status call_disasm_tree(hoist_test *t, const hoist_job *job)
{
    size_t events = 0;
    hoist_tree_sink sink = {.self = &events, .event = count_event};
    const hoist_status status = hoist_job_disasm_tree(job, NULL, t->diag, &sink);
    HOIST_EXPECT_EQ(t, events, 0);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    return status;
}

static hoist_status call_link(hoist_test *t, const hoist_job *job)
{
    hoist_mut_bytes linked = {(uint8_t *)(uintptr_t)untouched, 1};
    hoist_link_result result = {7, 7};
    const hoist_status status = hoist_job_link(job, NULL, t->diag, &linked, &result);
    HOIST_EXPECT(t, !linked.data && linked.size == 0);
    HOIST_EXPECT_EQ(t, result.filled, 0);
    HOIST_EXPECT_EQ(t, result.skipped, 0);
    return status;
}

static hoist_status call_exchange(hoist_test *t, const hoist_job *job)
{
    hoist_mut_bytes made = {(uint8_t *)(uintptr_t)untouched, 1};
    const hoist_status status = hoist_job_exchange(job, NULL, 0, t->diag, &made);
    HOIST_EXPECT(t, !made.data && made.size == 0);
    return status;
}

static hoist_status call_stream(hoist_test *t, const hoist_job *job)
{
    hoist_stream *stream = (hoist_stream *)(uintptr_t)untouched;
    const hoist_status status = hoist_job_stream(job, NULL, t->diag, &stream);
    HOIST_EXPECT(t, !stream);
    return status;
}

// clang-format off
static const struct {
    const char *name;
    hoist_status (*call)(hoist_test *t, const hoist_job *job);
    const char *want;
} calls[] = {
    {"disasm",      call_disasm,      "files of the format 'buda' cannot be disassembled"},
    {"disasm_tree", call_disasm_tree, "files of the format 'buda' cannot be disassembled"},
    {"link",        call_link,        "files of the format 'buda' cannot be linked"},
    {"exchange",    call_exchange,    "files of the format 'buda' cannot be given other parameters"},
    {"stream",      call_stream,      "files of the format 'buda' cannot be sent to a device"},
};
// clang-format on

HOIST_TEST_TABLE(refused_calls, calls)
{
    const hoist_bytes bytes = {(const uint8_t *)netlist, strlen(netlist)};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "net.yaml", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, row->call(t, job), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "LOAD-004");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->want);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, "net.yaml");
    hoist_job_close(job);
}

// Options whose size is 0 ------------------------------------------------------------------------

#define SET_TEXT(name, type, call)                                                                 \
    static hoist_status name(hoist_job *job, hoist_diag *diag)                                     \
    {                                                                                              \
        const type options = {.struct_size = 0};                                                   \
        hoist_mut_bytes out = {NULL, 0};                                                           \
        return call;                                                                               \
    }

#define SET_SINK(name, type, call)                                                                 \
    static hoist_status name(hoist_job *job, hoist_diag *diag)                                     \
    {                                                                                              \
        const type options = {.struct_size = 0};                                                   \
        size_t events = 0;                                                                         \
        hoist_tree_sink sink = {.self = &events, .event = count_event};                            \
        const hoist_status status = call;                                                          \
        return events ? HOIST_INTERNAL : status;                                                   \
    }

SET_TEXT(set_disasm, hoist_disasm_options, hoist_job_disasm(job, &options, diag, &out))
SET_TEXT(set_draw, hoist_draw_options, hoist_job_draw_markup(job, &options, diag, &out))
SET_TEXT(set_plan, hoist_plan_options, hoist_job_plan(job, &options, diag, &out))
SET_TEXT(set_link, hoist_link_options,
         hoist_job_link(job, &options, diag, &out, &(hoist_link_result){0, 0}))
SET_TEXT(set_pack, hoist_pack_options, ((void)job, hoist_pack(NULL, 0, &options, diag, &out)))
SET_SINK(set_disasm_tree, hoist_disasm_options, hoist_job_disasm_tree(job, &options, diag, &sink))
SET_SINK(set_time, hoist_time_options, hoist_job_time(job, &options, diag, &sink))

static hoist_status set_unpack(hoist_job *job, hoist_diag *diag)
{
    const hoist_unpack_options options = {.struct_size = 0};
    hoist_part_sink sink = {NULL, NULL}; // no part is sent
    return hoist_job_unpack(job, &options, diag, &sink);
}

static hoist_status set_stream(hoist_job *job, hoist_diag *diag)
{
    const hoist_stream_options options = {.struct_size = 0};
    hoist_stream *stream = NULL;
    return hoist_job_stream(job, &options, diag, &stream);
}

static hoist_status set_lower(hoist_job *job, hoist_diag *diag)
{
    const hoist_lower_options options = {.struct_size = 0};
    hoist_program *program = NULL;
    return hoist_job_lower(job, &options, diag, &program);
}

static hoist_status set_order(hoist_job *job, hoist_diag *diag)
{
    const hoist_order_check options = {.struct_size = 0};
    hoist_verdict verdict = HOIST_VERDICT_NONE;
    return hoist_job_check_order(job, &options, diag, &verdict);
}

static hoist_status set_program(hoist_job *job, hoist_diag *diag)
{
    const hoist_program_read_options options = {.struct_size = 0};
    hoist_program *program = NULL;
    (void)job;
    return hoist_program_read((hoist_bytes){NULL, 0}, &options, diag, &program);
}

static const struct {
    const char *name;
    hoist_status (*call)(hoist_job *job, hoist_diag *diag);
} sets[] = {
    {"disasm", set_disasm}, {"disasm_tree", set_disasm_tree},
    {"draw", set_draw},     {"plan", set_plan},
    {"link", set_link},     {"pack", set_pack},
    {"time", set_time},     {"unpack", set_unpack},
    {"stream", set_stream}, {"lower", set_lower},
    {"order", set_order},   {"program", set_program},
};

HOIST_TEST_TABLE(options_of_no_version, sets)
{
    const hoist_bytes bytes = {(const uint8_t *)netlist, strlen(netlist)};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "net.yaml", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, row->call(job, t->diag), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "LOAD-003");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(refused_calls), HOIST_TEST_ROW(options_of_no_version))
