#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hoist/load.h"

#include "base/buffer.h"
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

static hoist_bytes text_bytes(const char *text)
{
    return (hoist_bytes){(const uint8_t *)text, strlen(text)};
}

static const struct {
    const char *name;
    const char *text;
    const char *format; // --format, or NULL to sniff
    hoist_status want;
    const char *want_rule;
} cases[] = {
    {"empty", "", NULL, HOIST_INVALID, "LOAD-001"},
    {"unknown", "\x7f\x45LF nothing we know", NULL, HOIST_INVALID, "LOAD-001"},
    {"unknown format name", netlist, "onnx", HOIST_NOT_FOUND, "LOAD-003"},
    {"empty format name", netlist, "", HOIST_NOT_FOUND, "LOAD-003"},
    {"netlist", netlist, NULL, HOIST_OK, NULL},
    {"named format", netlist, "buda", HOIST_OK, NULL},
    {"malformed", "queues: [\n", "buda", HOIST_INVALID, "YAML-001"},
};

// Drawings as documents: what is asked for, and what is refused.
static const struct {
    const char *name;
    hoist_draw_options options;
    hoist_status want;
    const char *rule;
    const char *begins;
} drawings[] = {
    {"all defaults", {.struct_size = sizeof(hoist_draw_options)}, HOIST_OK, NULL, "<svg "},
    {"DOT",
     {.struct_size = sizeof(hoist_draw_options), .form = HOIST_DRAW_FORM_DOT},
     HOIST_OK,
     NULL,
     "digraph "},
    {"a graph",
     {.struct_size = sizeof(hoist_draw_options),
      .graph = "g",
      .by_depth = true,
      .depth = UINT32_MAX},
     HOIST_OK,
     NULL,
     "<svg "},
    {"no such graph",
     {.struct_size = sizeof(hoist_draw_options), .graph = "h"},
     HOIST_NOT_FOUND,
     "LOAD-003",
     ""},
    {"no options", {.struct_size = 1}, HOIST_INVALID, "LOAD-003", ""},
};

HOIST_TEST_TABLE(drawing, drawings)
{
    hoist_job *job = NULL;
    hoist_mut_bytes text;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "name", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_draw_markup(job, &row->options, t->diag, &text), row->want);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, text.data != NULL, row->want == HOIST_OK);
    const hoist_str start = {(const char *)text.data, text.data ? strlen(row->begins) : 0};
    HOIST_EXPECT_STR(t, start, row->begins);
    hoist_job_free_text(job, text);
    hoist_job_close(job);
}

HOIST_TEST_TABLE(opening, cases)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .format = row->format};
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(row->text), "name", &options, t->diag, &job);
    HOIST_EXPECT_EQ(t, status, row->want);
    HOIST_EXPECT_EQ(t, job != NULL, row->want == HOIST_OK);
    HOIST_EXPECT_RULE(t, row->want_rule);
    hoist_job_close(job);
}

// The options of a caller that was compiled for another version.
static const struct {
    const char *name;
    size_t size;     // struct_size
    uint8_t surplus; // a byte beyond what this library knows
    hoist_status want;
    const char *want_message;
} versions[] = {
    {"ours", sizeof(hoist_open_options), 0, HOIST_NOT_FOUND,
     "there is no format 'onnx', this build knows 'buda', 'neff', 'tflite', 'darwinn', "
     "'darwinn-stream', 'ark', 'program', 'tti'"},
    {"before there was a format", offsetof(hoist_open_options, format), 0, HOIST_OK, NULL},
    {"newer, nothing new asked", sizeof(hoist_open_options) + 8, 0, HOIST_NOT_FOUND,
     "there is no format 'onnx', this build knows 'buda', 'neff', 'tflite', 'darwinn', "
     "'darwinn-stream', 'ark', 'program', 'tti'"},
    {"newer, the new asked", sizeof(hoist_open_options) + 8, 1, HOIST_UNSUPPORTED,
     "the caller's options set a field that this library does not know"},
    {"forgotten", 0, 0, HOIST_INVALID,
     "the caller's options have a struct_size of 0, expected the size of a hoist_open_options"},
};

HOIST_TEST_TABLE(callers_of_other_versions, versions)
{
    struct {
        hoist_open_options known;
        uint8_t newer[8];
    } options = {.known = {.struct_size = row->size, .format = "onnx"}, .newer = {row->surplus}};
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options.known, t->diag, &job);
    HOIST_EXPECT_EQ(t, status, row->want);
    HOIST_EXPECT_RULE(t, row->want_message ? "LOAD-003" : NULL);
    if (row->want_message) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->want_message);
        HOIST_EXPECT_EQ(t, hoist_job_open("/nonexistent", &options.known, NULL, &job), row->want);
    }
    hoist_job_close(job);
}

HOIST_TEST(a_job_checks_and_writes)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), "buda");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "BUDA-031h");
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_write(job, &text), HOIST_OK);
    HOIST_EXPECT(t,
                 hoist_str_contains((hoist_str){(char *)text.data, text.size}, "input_count: 1"));
    hoist_job_free_text(job, text);
    hoist_job_close(job);
}

// Who chooses what a file is checked for: buda-netlist reference section 1.3.
static const struct {
    const char *name;
    const char *file; // what it names
    const char *option;
    const char *fallback;
    hoist_target want;
} targets[] = {
    {"the file alone", "grayskull", "blackhole", "blackhole", {"grayskull", "file"}},
    {"a list of one", "[grayskull]", NULL, NULL, {"grayskull", "file"}},
    {"the first", "[grayskull, blackhole]", NULL, "", {"grayskull", "first listed"}},
    {"the environment", "[grayskull, blackhole]", NULL, "BLACKHOLE", {"blackhole", "environment"}},
    {"the option", "[grayskull, blackhole]", "blackhole", "grayskull", {"blackhole", "option"}},
    {"none that fits", "[grayskull, blackhole]", "wormhole", NULL, {NULL, NULL}},
    {"none that is known", "neptune", NULL, NULL, {NULL, NULL}},
};

HOIST_TEST_TABLE(targets_have_a_source, targets)
{
    const hoist_str text = hoist_arena_format(&t->arena, "devices: {arch: %s}\n%s", row->file,
                                              strchr(netlist, '\n') + 1);
    const hoist_open_options options = {
        .struct_size = sizeof(options), .arch = row->option, .arch_fallback = row->fallback};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(text.data), "n", &options, NULL, &job),
                    HOIST_OK);
    if (job) {
        const hoist_target got = hoist_job_target(job);
        HOIST_EXPECT_STR(t, hoist_str_from(got.arch), row->want.arch ? row->want.arch : "");
        HOIST_EXPECT_STR(t, hoist_str_from(got.source), row->want.source ? row->want.source : "");
    }
    hoist_job_close(job);
}

HOIST_TEST(files_that_cannot_be_read)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open("/nonexistent/file", NULL, t->diag, &job), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "OS-001");
    const hoist_open_options options = {.struct_size = sizeof(options), .soc_path = "/nonexistent"};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, t->diag, &job),
                    HOIST_NOT_FOUND);
}

// A file of the test's own; its path.
static const char *written_file(hoist_test *t, const char *name, const char *text)
{
    const char *const path =
        hoist_arena_format(&t->arena, "/tmp/hoist-load-test-%d-%s", (int)getpid(), name).data;
    FILE *file = fopen(path, "wb");
    HOIST_EXPECT(t, file && fputs(text, file) >= 0);
    HOIST_EXPECT(t, file && fclose(file) == 0);
    return path;
}

HOIST_TEST(files_open_by_path)
{
    const char *const path = written_file(t, "n.yaml", netlist);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), "buda");
    HOIST_EXPECT(t, strstr(hoist_job_format_title(job), "netlist") != NULL);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, path);
    hoist_job_close(job);
    const hoist_open_options small = {.struct_size = sizeof(small), .max_bytes = 100};
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &small, t->diag, &job), HOIST_LIMIT);
    HOIST_EXPECT(t, job == NULL);
    (void)remove(path);
}

static hoist_status open_with(hoist_allocator alloc, const void *self)
{
    hoist_open_options options = *(const hoist_open_options *)self;
    options.alloc = alloc;
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, NULL, &job);
    hoist_job_close(job);
    return status;
}

HOIST_TEST(descriptors_and_archs_are_kept)
{
    const char *const soc = written_file(t, "soc.yaml", "arch_name: grayskull\n");
    const char *const cluster = written_file(t, "cluster.yaml", "chips: {}\n");
    const hoist_open_options options = {.struct_size = sizeof(options),
                                        .arch = "grayskull",
                                        .arch_fallback = "blackhole",
                                        .soc_path = soc,
                                        .cluster_path = cluster};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, NULL, &job),
                    HOIST_OK);
    // What the descriptors lack is found in their own files.
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "[SOC-"));
    hoist_job_close(job);
    hoist_test_starve(t, open_with, &options);
    (void)remove(soc);
    (void)remove(cluster);
}

HOIST_TEST(every_failed_allocation_is_survived)
{
    hoist_test_starve(t, open_with,
                      &(hoist_open_options){.struct_size = sizeof(hoist_open_options)});
}

// Results of calls that fail are empty, whatever was there before.
HOIST_TEST(texts_of_failed_calls_are_empty)
{
    uint8_t byte = 0;
    hoist_job *job = NULL;
    hoist_mut_bytes text = {&byte, 1};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", NULL, NULL, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_convert(job, "none", t->diag, &text), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, !text.data && text.size == 0);
    HOIST_EXPECT_RULE(t, "LOAD-004");
    text = (hoist_mut_bytes){&byte, 1};
    HOIST_EXPECT_EQ(t, hoist_job_plan(job, NULL, NULL, &text), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, !text.data && text.size == 0);
    hoist_job_close(job);
}

// What is wrong with a model is reported by the planner, which checks it first.
HOIST_TEST(plans_report_what_is_wrong)
{
    static const char model[] =
        "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[{\"Id\":0,\"ProducerNodeIds\":[7],"
        "\"ConsumerNodeIds\":[],\"Op\":{\"Type\":\"Noop\",\"Name\":\"n\",\"IsVirtual\":false,"
        "\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":[],\"Args\":{}}}]}";
    hoist_job *job = NULL;
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(model), "r.json", NULL, NULL, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_plan(job, NULL, t->diag, &text), HOIST_INVALID);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "[ARK-M31]"));
    HOIST_EXPECT(t, !text.data);
    hoist_job_close(job);
}

// An operator without a type has been reported when the model was opened: there is nothing to plan.
HOIST_TEST(plans_need_what_was_read)
{
    static const char model[] =
        "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[{\"Id\":0,\"ProducerNodeIds\":[],"
        "\"ConsumerNodeIds\":[],\"Op\":{\"Tipe\":\"Noop\",\"Name\":\"n\",\"IsVirtual\":false,"
        "\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":[],\"Args\":{}}}]}";
    hoist_job *job = NULL;
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(model), "r.json", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0);
    HOIST_EXPECT_EQ(t, hoist_job_plan(job, NULL, NULL, &text), HOIST_INVALID);
    HOIST_EXPECT(t, !text.data);
    hoist_job_close(job);
}

HOIST_TEST(tables_of_formats_and_rules)
{
    size_t of_lowering = 0;
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_format_name(0)), "buda");
    HOIST_EXPECT(t, hoist_format_name(hoist_format_count()) == NULL);
    HOIST_EXPECT(t, hoist_rule_set_at(hoist_rule_set_count()) == NULL);
    for (size_t i = 0; i < hoist_rule_set_count(); i++) {
        const hoist_rule_set *set = hoist_rule_set_at(i);
        of_lowering += set == hoist_rule_set_of_lowering();
        for (size_t r = 0; r < set->count; r++) {
            HOIST_EXPECT(t, set->rules[r].id && set->rules[r].title && *set->rules[r].title);
        }
    }
    HOIST_EXPECT_EQ(t, of_lowering, 1);
}

// Short texts that stand for millions of objects: `parts` with the repeated units between them.
static const struct {
    const char *name;
    const char *parts[3];
    const char *units[2]; // "%d" is the number of the unit
    int counts[2];
    const char *want;
} limits[] = {
    {"objects",
     {"graphs: {g: {}}\nprograms: [p: []]\nqueues:\n  q: {dram: [[0, 0]", "], target_device: [0",
      "]}\n"},
     {", [0, 0]", ", %d"},
     {2000, 600},
     "the objects that lists of devices add are more than the limit of 1000000"},
    {"devices",
     {"queues: {q: {}}\nprograms: [p: []]\ngraphs: {g: {target_device: [0", "", "]}}\n"},
     {", %d", ""},
     {2000, 0},
     "the devices of all graphs are more than the limit of 1024"},
    {"executes",
     {"devices: {arch: wormhole_b0}\nqueues: {q: {}}\ngraphs: {g: {target_device: [0",
      "]}}\nprograms:\n- p:\n", ""},
     {", %d", "  - execute: {graph_name: g}\n"},
     {1000, 10000},
     "the graphs that the programs execute are more than the limit of 10000000"},
    {"a program",
     {"graphs: {g: {target_device: 0}}\nqueues: {q: {target_device: [0", "]}}\nprograms:\n- p:\n",
      ""},
     {", %d", "  - allocate_queue: [q]\n"},
     {1000, 1000},
     "the executes, settings and queue names that lists of devices add to a program are more than "
     "the limit of 1000000"},
    {"fused ops",
     {"queues: {q: {}}\nprograms: [p: []]\nfused_ops:\n  f:\n    schedules:\n    -\n",
      "graphs:\n  g:\n    target_device: 0\n", ""},
     {"      - s%d: {type: nop}\n", "    x%d: {type: fused_op, attributes: {fused_op_id: f}}\n"},
     {5000, 5000},
     "the sub-ops times the ops that use them are more than the limit of 20000000"},
};

static void add_units(hoist_buffer *text, const char *unit, int count)
{
    const char *const number = strstr(unit, "%d");
    for (int i = 1; i <= count; i++) {
        hoist_buffer_str(text, (hoist_str){unit, number ? (size_t)(number - unit) : strlen(unit)});
        if (number) {
            hoist_buffer_format(text, "%d%s", i, number + 2);
        }
    }
}

HOIST_TEST_TABLE(what_a_file_stands_for_has_limits, limits)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, row->parts[0]);
    for (size_t i = 0; i < 2; i++) {
        add_units(&text, row->units[i], row->counts[i]);
        hoist_buffer_c(&text, row->parts[i + 1]);
    }
    hoist_job *job = NULL;
    hoist_status status = hoist_job_open_bytes(hoist_buffer_bytes(&text), "many", NULL, NULL, &job);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    status = job ? hoist_job_check(job, t->diag) : status;
    HOIST_EXPECT_EQ(t, status, HOIST_LIMIT);
    const hoist_finding *last = NULL;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        last = strcmp(f->rule->id, "LOAD-002") == 0 ? f : last;
    }
    HOIST_EXPECT_STR(t, last ? last->message : HOIST_STR("no LOAD-002"), row->want);
    hoist_job_close(job);
    hoist_buffer_deinit(&text);
}

// Lowering ----------------------------------------------------------------------------------------

#define LOWERED                                                                                    \
    "devices: {arch: grayskull}\nqueues:\n"                                                        \
    "  a: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "        \
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x10000000]]}\n"         \
    "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "           \
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x11000000]]}\n"         \
    "graphs:\n  g:\n    target_device: 0\n    input_count: 1\n"                                    \
    "    x: {type: %s, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], "       \
    "acc_df: Float16, out_df: %s, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "         \
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"                                \
    "programs:\n- p:\n    - execute: {graph_name: g, queue_settings: {a: {prologue: false, "       \
    "epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}}}\n"

static const struct {
    const char *name;
    const char *type;
    const char *format;
    size_t struct_size; // of the options; 0: none are given
    hoist_status status;
    const char *rule;
} lowered[] = {
    {"a netlist", "nop", "Float16", 0, HOIST_OK, NULL},
    {"with options", "nop", "Float16", sizeof(hoist_lower_options), HOIST_OK, NULL},
    {"options of no version", "nop", "Float16", 1, HOIST_INVALID, "LOAD-003"},
    {"what check refuses", "add", "Float16", 0, HOIST_INVALID, "BUDA-087"},
    {"what the reader refuses", "nop", "Float17", 0, HOIST_INVALID, "BUDA"},
    {"what cannot be run", "drainer", "Float16", 0, HOIST_UNSUPPORTED, "RUN-001"},
};

static const struct {
    const char *name;
    hoist_lower_options options;
    const char *says;
} choices[] = {
    {"numerics", {.numerics = (hoist_numerics)4}, "have 4 as numerics, expected 0 to 3"},
    {"queue_mode", {.queue_mode = (hoist_queue_mode)2}, "have 2 as queue_mode, expected 0 to 1"},
    {"on_unknown", {.on_unknown = (hoist_unknown)9}, "have 9 as on_unknown, expected 0 to 2"},
    {"requantization",
     {.requantization = (hoist_requantization)3},
     "have 3 as requantization, expected 0 to 2"},
    {"driver", {.driver = (hoist_driver)4}, "have 4 as driver, expected 0 to 3"},
    {"batch", {.batch = HOIST_MAX_BATCH + 1}, "have 4097 as batch, expected 0 to 4096"},
};

HOIST_TEST_TABLE(choices_that_there_are_not, choices)
{
    const hoist_str text = hoist_arena_format(&t->arena, LOWERED, "nop", "Float16");
    hoist_lower_options options = row->options;
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    options.struct_size = sizeof options;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(text.data), "n", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_lower(job, &options, t->diag, &program), HOIST_INVALID);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_RULE(t, "LOAD-003");
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->says));
    hoist_job_close(job);
}

HOIST_TEST_TABLE(jobs_are_lowered, lowered)
{
    const hoist_str text = hoist_arena_format(&t->arena, LOWERED, row->type, row->format);
    const hoist_lower_options options = {.struct_size = row->struct_size};
    // With and without a diag.
    for (int listening = 0; listening < 2; listening++) {
        hoist_diag *diag = listening ? t->diag : NULL;
        hoist_job *job = NULL;
        hoist_program *program = NULL;
        HOIST_EXPECT_EQ(t,
                        hoist_job_open_bytes((hoist_bytes){(const uint8_t *)text.data, text.size},
                                             "n", NULL, diag, &job),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, row->struct_size ? &options : NULL, diag, &program),
                        row->status);
        HOIST_EXPECT_EQ(t, program != NULL, row->status == HOIST_OK);
        hoist_program_destroy(program);
        hoist_job_close(job);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0, row->rule != NULL);
    bool found = row->rule == NULL;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        found = found ||
                strncmp(hoist_diag_at(t->diag, i)->rule->id, row->rule, strlen(row->rule)) == 0;
    }
    HOIST_EXPECT(t, found);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_a_file_stands_for_has_limits), HOIST_TEST_ROW(opening),
                HOIST_TEST_ROW(drawing), HOIST_TEST_ROW(callers_of_other_versions),
                HOIST_TEST_ROW(targets_have_a_source), HOIST_TEST_ROW(a_job_checks_and_writes),
                HOIST_TEST_ROW(files_that_cannot_be_read), HOIST_TEST_ROW(files_open_by_path),
                HOIST_TEST_ROW(descriptors_and_archs_are_kept),
                HOIST_TEST_ROW(every_failed_allocation_is_survived),
                HOIST_TEST_ROW(texts_of_failed_calls_are_empty),
                HOIST_TEST_ROW(plans_report_what_is_wrong),
                HOIST_TEST_ROW(plans_need_what_was_read),
                HOIST_TEST_ROW(tables_of_formats_and_rules),
                HOIST_TEST_ROW(choices_that_there_are_not), HOIST_TEST_ROW(jobs_are_lowered))
