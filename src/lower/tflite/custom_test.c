// Operators of TFLite models that are compiled for an Edge TPU: which tensors are whose (RUN-034).
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/tflite/tflite.h"
#include "lower/darwinn/job_testing.h"
#include "lower/tflite/job_testing.h"
#include "program/text.h"
#include "program/verify.h"

// clang-format off
// 1 x 1 x 8 to 4
#define LAYER(n, c, z) {.name = (n), .extent = {1, 1, c}, .zero = (z)}
#define DENSE {.reduction = 2, .input_zero = 3, .output_zero = 5, .low = -1, .high = 100, .a = {{2, 1}}, .b_base = 1000}
#define PLAN {.inputs = {LAYER("t0", 8, 3)}, .outputs = {LAYER("t1", 4, 5)}, .sketches = {DENSE}, .cached = 128, .fill = 1}

typedef struct row_of_tensors {
    const char *name;
    const char *tensors;
    const char *message; // part of it; NULL: it can be run
} row_of_tensors;

static const row_of_tensors rows[] = {
    {"as the layers are", "u8 1x8 0.5 3 > u8 1x4 0.5 5", NULL},
    {"of another rank", "u8 1x2x2x2 0.5 3 > u8 4 0.5 5", NULL},
    {"too many inputs", "u8 1x8 0.5 3, u8 1x8 0.5 3 > u8 1x4 0.5 5", "operator 0 has 2 inputs, its package has 1"},
    {"too many outputs", "u8 1x8 0.5 3 > u8 1x4 0.5 5, u8 1x4 0.5 5", "operator 0 has 2 outputs, its package has 1"},
    {"no input", "none > u8 1x4 0.5 5", "operator 0: input 0 is left out"},
    {"no output", "u8 1x8 0.5 3 > none", "operator 0: output 0 is left out"},
    {"another type", "i8 1x8 0.5 3 > u8 1x4 0.5 5", "the tensor 't0' has 8 elements of i8, the layer 't0' 8 of u8"},
    {"another size", "u8 1x8 0.5 3 > u8 1x5 0.5 5", "the tensor 't1' has 5 elements of u8, the layer 't1' 4 of u8"},
};
// clang-format on

static const hoist_lower_options usual = {.struct_size = sizeof usual, .driver = HOIST_DRIVER_NONE};

// What is lowered: `count` files of one model with one package.
typedef struct job {
    const darwinn_job_plan *plan; // NULL: the operator's package is of no known format
    const char *tensors;
    const hoist_lower_options *options;
    size_t count;
} job;

// `plan`, `options` and `count` as those of a job.
static hoist_status lower_model(hoist_test *t, const tflite_model *model,
                                const darwinn_job_plan *plan, const hoist_lower_options *options,
                                size_t count, hoist_program **out_program)
{
    static const char *const names[] = {"one.tflite", "two.tflite"};
    const hoist_payload payload = {.kind = HOIST_STR("edgetpu-custom-op"),
                                   .path = HOIST_STR("subgraphs/0/operators/0")};
    dwn_module *package = NULL;
    tflite_module *module = tflite_test_open(t, tflite_test_write(t, model));
    if (plan) {
        HOIST_EXPECT_EQ(t, dwn_test_read(t, darwinn_job_package(t, plan), &package), HOIST_OK);
    }
    const hoist_nested nested = {payload, package ? &package->base : NULL};
    hoist_file files[2];
    for (size_t i = 0; i < 2; i++) {
        files[i] = (hoist_file){.module = &module->base,
                                .name = hoist_str_from(names[i]),
                                .nested = &nested,
                                .nested_count = 1};
    }
    const hoist_status status = tflite_lower(files, count, NULL, options, t->diag, out_program);
    dwn_destroy(package ? &package->base : NULL);
    tflite_destroy(&module->base);
    return status;
}

static hoist_status lower_job(hoist_test *t, const job *j, hoist_program **out_program)
{
    const tflite_model *model = tflite_job_model(t, TFLITE_OP_CUSTOM, j->tensors, NULL);
    return lower_model(t, model, j->plan, j->options, j->count, out_program);
}

static hoist_status lower(hoist_test *t, const row_of_tensors *row, hoist_program **out_program)
{
    static const darwinn_job_plan plan = PLAN;
    const job j = {&plan, row->tensors, &usual, 1};
    return lower_job(t, &j, out_program);
}

HOIST_TEST_TABLE(tensors, rows)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower(t, row, &program), row->message ? HOIST_UNSUPPORTED : HOIST_OK);
    if (row->message) {
        HOIST_EXPECT_RULE(t, "RUN-034");
        HOIST_EXPECT(t, hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->message));
    } else {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    hoist_program_destroy(program);
}

// Steps -----------------------------------------------------------------------------------------

// clang-format off
typedef struct steps_row {
    const char *name;
    darwinn_job_plan plan;
    const char *tensors;
    hoist_lower_options options;
    const char *steps;  // of the function `graph`
    const char *thread; // of the thread `main`, after its label
} steps_row;

static const steps_row cases[] = {
    {"one element", PLAN, "u8 1x8 0.5 3 > u8 1x4 0.5 5", {.driver = HOIST_DRIVER_NONE},
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8], t1 u8[1, 1, 1, 4]]", "graph: call graph\n"},
    {"a batch of the package", {.inputs = {LAYER("t0", 8, 3)}, .outputs = {LAYER("t1", 4, 5)}, .sketches = {DENSE}, .cached = 128, .fill = 1, .batch = 2},
     "u8 2x8 0.5 3 > u8 2x4 0.5 5", {.driver = HOIST_DRIVER_NONE},
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8], t1 u8[1, 1, 1, 4]]\n"
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8] + 8, t1 u8[1, 1, 1, 4] + 4]", "graph: call graph\n"},
    {"a batch of the run", PLAN, "u8 1x8 0.5 3 > u8 1x4 0.5 5", {.driver = HOIST_DRIVER_NONE, .batch = 2},
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8] + element * 8, t1 u8[1, 1, 1, 4] + element * 4]",
     "graph: call graph with [0]\n    graph: call graph with [1]\n"},
    {"tensors in the order of names", {.inputs = {LAYER("t1", 8, 3), LAYER("t0", 8, 4)}, .outputs = {LAYER("t2", 4, 5)}, .sketches = {DENSE}, .cached = 128, .fill = 1},
     "u8 1x8 0.5 3, u8 1x8 0.5 3 > u8 1x4 0.5 5", {.driver = HOIST_DRIVER_NONE},
     "edgetpu/0: call edgetpu/0/layers with [t1 u8[1, 1, 1, 8], t0 u8[1, 1, 1, 8], t2 u8[1, 1, 1, 4]]", "graph: call graph\n"},
    {"tensors in their own order", {.inputs = {LAYER("a", 8, 3), LAYER("t0", 8, 4)}, .outputs = {LAYER("b", 4, 5)}, .sketches = {DENSE}, .cached = 128, .fill = 1},
     "u8 1x8 0.5 3, u8 1x8 0.5 3 > u8 1x4 0.5 5", {.driver = HOIST_DRIVER_NONE},
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8], t1 u8[1, 1, 1, 8], t2 u8[1, 1, 1, 4]]", "graph: call graph\n"},
    {"a state goes back to its input", {.inputs = {LAYER("t0", 8, 3), LAYER("t1", 4, 6)}, .outputs = {LAYER("t2", 4, 5), LAYER("t1_variable_output", 4, 6)},
      .sketches = {DENSE, {.reduction = 2, .input_zero = 3, .output_zero = 6, .low = -1, .high = 100, .a_base = 500, .b_base = 2000, .a = {{2, 1}}}}, .cached = 256, .fill = 1},
     "u8 1x8 0.5 3, u8 1x4 0.5 6 > u8 1x4 0.5 5", {.driver = HOIST_DRIVER_NONE},
     "edgetpu/0: call edgetpu/0/layers with [t0 u8[1, 1, 1, 8], t1 u8[1, 1, 1, 4], t2 u8[1, 1, 1, 4], edgetpu/0/8 u8[1, 1, 1, 4]]\n"
     "edgetpu/0: move copy from [edgetpu/0/8 u8[1, 1, 1, 4]] to t1 u8[1, 1, 1, 4]", "graph: call graph\n"},
};
// clang-format on

// Behind the head of `part` up to its end.
static hoist_str body_of(hoist_test *t, const hoist_program *program, const char *head)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
    hoist_buffer_char(&text, '\0');
    const char *at = strstr(hoist_buffer_text(&text).data, head);
    at = at ? at + strlen(head) : "";
    const hoist_str body = hoist_arena_str(&t->arena, (hoist_str){at, strcspn(at, "}")});
    hoist_buffer_deinit(&text);
    return body;
}

HOIST_TEST_TABLE(steps_of_operators, cases)
{
    hoist_lower_options options = row->options;
    hoist_program *program = NULL;
    options.struct_size = sizeof options;
    const job j = {&row->plan, row->tensors, &options, 1};
    HOIST_EXPECT_EQ(t, lower_job(t, &j, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_STR(t, darwinn_job_steps(t, program, "graph"), row->steps);
        HOIST_EXPECT_STR(t, body_of(t, program, "thread main {\n    "), row->thread);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(files_are_loaded_together)
{
    static const darwinn_job_plan plan = PLAN;
    const job j = {&plan, "u8 1x8 0.5 3 > u8 1x4 0.5 5", &usual, 2};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_job(t, &j, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, body_of(t, program, "thread main {\n"),
                     "    graph: call one/graph\n    graph: call two/graph\n");
    HOIST_EXPECT_STR(t, body_of(t, program, "thread two {\n"), "    graph: call two/graph\n");
    HOIST_EXPECT_STR(t, darwinn_job_steps(t, program, "two/graph"),
                     "two/edgetpu/0: call two/edgetpu/0/layers with [two/t0 u8[1, 1, 1, 8], "
                     "two/t1 u8[1, 1, 1, 4]]");
    hoist_program_destroy(program);
}

// States -----------------------------------------------------------------------------------------

// clang-format off
#define STATE_SKETCHES .sketches = {DENSE, \
    {.reduction = 2, .input_zero = 3, .output_zero = 6, .low = -1, .high = 100, .a_base = 500, .b_base = 2000, .a = {{2, 1}}}}, .cached = 256, .fill = 1
#define STATE_LAST {.inputs = {LAYER("t0", 8, 3), LAYER("t1", 4, 6)}, .outputs = {LAYER("t2", 4, 5), LAYER("t1_variable_output", 4, 6)}, STATE_SKETCHES}
#define STATE_FIRST {.inputs = {LAYER("t1", 8, 3), LAYER("t0", 4, 6)}, .outputs = {LAYER("t2", 4, 5), LAYER("t0_variable_output", 4, 6)}, STATE_SKETCHES}

static const struct {
    const char *name;
    darwinn_job_plan plan;
    const char *tensors; // t3 and t4 are made of the one that is reshaped
    int32_t reshaped;
    const char *copy; // NULL: the tensor itself is taken
} reshapes[] = {
    {"of a state", STATE_LAST, "u8 1x8 0.5 3, u8 1x4 0.5 6 > u8 1x4 0.5 5, u8 2x2 0.5 6, u8 4 0.5 6", 1,
     "move copy from [t1 u8[1, 4]] to t3 u8[2, 2]\n"},
    {"of a state that is the first tensor", STATE_FIRST, "u8 1x4 0.5 6, u8 1x8 0.5 3 > u8 1x4 0.5 5, u8 2x2 0.5 6, u8 4 0.5 6", 0,
     "move copy from [t0 u8[1, 4]] to t3 u8[2, 2]\n"},
    {"of an input beside a state", STATE_LAST, "u8 1x8 0.5 3, u8 1x4 0.5 6 > u8 1x4 0.5 5, u8 4x2 0.5 3, u8 8 0.5 3", 0, NULL},
    {"of an input behind a state", STATE_FIRST, "u8 1x4 0.5 6, u8 1x8 0.5 3 > u8 1x4 0.5 5, u8 4x2 0.5 3, u8 8 0.5 3", 1, NULL},
};
// clang-format on

// The reshape of a state is made before a request leaves other numbers in it.
HOIST_TEST_TABLE(a_reshape_of_a_state_is_a_copy, reshapes)
{
    tflite_model *model = tflite_job_model(t, TFLITE_OP_CUSTOM, row->tensors, NULL);
    tflite_subgraph *graph = model->subgraphs.items;
    tflite_operator_code codes[] = {model->operator_codes.items[0],
                                    {.builtin_code = TFLITE_OP_RESHAPE,
                                     .deprecated_builtin_code = TFLITE_OP_RESHAPE,
                                     .version = 1}};
    model->operator_codes.items = codes;
    model->operator_codes.count = HOIST_COUNT_OF(codes);
    tflite_operator steps[] = {
        graph->operators.items[0],
        {.opcode_index = 1, .inputs = TEST_INTS(&t->arena, 1), .outputs = TEST_INTS(&t->arena, 3)},
        {.opcode_index = 1, .inputs = TEST_INTS(&t->arena, 3), .outputs = TEST_INTS(&t->arena, 4)}};
    steps[0].outputs = TEST_INTS(&t->arena, 2);
    steps[1].inputs = TEST_INTS(&t->arena, row->reshaped);
    graph->operators.items = steps;
    graph->operators.count = HOIST_COUNT_OF(steps);
    graph->outputs = TEST_INTS(&t->arena, 2, 4);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_model(t, model, &row->plan, &usual, 1, &program), HOIST_OK);
    const hoist_str made = darwinn_job_steps(t, program, "graph");
    HOIST_EXPECT(t, row->copy ? hoist_str_contains(made, row->copy)
                              : !hoist_str_contains(made, "] to t3"));
    hoist_program_destroy(program);
}

// What does not fit its package is told once, whatever states that has.
HOIST_TEST(states_of_what_does_not_fit)
{
    static const darwinn_job_plan plan = STATE_LAST;
    const job j = {&plan, "u8 1x8 0.5 3 > u8 1x4 0.5 5", &usual, 1};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_job(t, &j, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
    HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t),
                                        "operator 0 has 1 input, its package has 2 [RUN-034]\n"));
}

HOIST_TEST(operators_without_a_package)
{
    const job j = {NULL, "u8 1x8 0.5 3 > u8 1x4 0.5 5", &usual, 1};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_job(t, &j, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-029");
    HOIST_EXPECT(t, program == NULL);
}

// Memory ----------------------------------------------------------------------------------------

typedef struct bytes_pair {
    hoist_bytes model, package;
} bytes_pair;

static hoist_status lower_starved(hoist_allocator alloc, const void *self)
{
    static const hoist_lower_options options = {
        .struct_size = sizeof options, .driver = HOIST_DRIVER_NONE, .batch = 2};
    const hoist_payload payload = {.kind = HOIST_STR("edgetpu-custom-op"),
                                   .path = HOIST_STR("subgraphs/0/operators/0")};
    const bytes_pair *bytes = self;
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    hoist_module *model = NULL;
    hoist_module *package = NULL;
    hoist_program *program = NULL;
    hoist_status status = tflite_read(bytes->model, &read, NULL, &model);
    status = status == HOIST_OK ? dwn_read(bytes->package, &read, NULL, &package) : status;
    const hoist_nested nested = {payload, package};
    const hoist_file files[2] = {
        {.module = model, .name = HOIST_STR("a.tflite"), .nested = &nested, .nested_count = 1},
        {.module = model, .name = HOIST_STR("b.tflite"), .nested = &nested, .nested_count = 1}};
    if (status == HOIST_OK) {
        status = tflite_lower(files, 2, NULL, &options, NULL, &program);
    }
    hoist_program_destroy(program);
    dwn_destroy(package);
    tflite_destroy(model);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    static const darwinn_job_plan plan = PLAN;
    const bytes_pair bytes = {
        tflite_test_write(
            t, tflite_job_model(t, TFLITE_OP_CUSTOM, "u8 1x8 0.5 3 > u8 1x4 0.5 5", NULL)),
        darwinn_job_package(t, &plan)};
    hoist_test_starve(t, lower_starved, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tensors), HOIST_TEST_ROW(steps_of_operators),
                HOIST_TEST_ROW(files_are_loaded_together),
                HOIST_TEST_ROW(a_reshape_of_a_state_is_a_copy),
                HOIST_TEST_ROW(states_of_what_does_not_fit),
                HOIST_TEST_ROW(operators_without_a_package), HOIST_TEST_ROW(memory_runs_out))
