// Files of models that are loaded together: names of entries and of what each file has, and what an
// entry runs. Batches call what is made for one element for each of them.
#include "base/span.h"
#include "lower/program_text_testing.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

enum { MAX_FILES = 6 };

// Lowers as many copies of a model of one sum as there are names.
static hoist_status lower_files(hoist_test *t, const char *const names[MAX_FILES],
                                const hoist_lower_options *options, hoist_program **out_program)
{
    static const tflite_add_options plain = {0};
    tflite_module *modules[MAX_FILES];
    hoist_file files[MAX_FILES] = {0};
    size_t count = 0;
    for (; count < MAX_FILES && names[count]; count++) {
        const tflite_model *model =
            tflite_job_model(t, TFLITE_OP_ADD, "f32 2, f32 2 > f32 2", &plain);
        modules[count] = tflite_test_open(t, tflite_test_write(t, model));
        files[count] =
            (hoist_file){.module = &modules[count]->base, .name = hoist_str_from(names[count])};
    }
    const hoist_status status = tflite_lower(files, count, NULL, options, t->diag, out_program);
    for (size_t i = 0; i < count; i++) {
        tflite_destroy(&modules[i]->base);
    }
    return status;
}

// clang-format off
static const struct {
    const char *name;
    const char *files[MAX_FILES];
    uint32_t batch;
    const char *heads;
    const char *text;
} cases[] = {
    {"one file has no prefix", {"a.tflite"}, 0, "space |buffer |function |thread |entry ", "space memory\n"
     "buffer t0 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer t1 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer t2 in memory size 8 of f32[2] lifetime session output\n"
     "function graph {\n"
     "ADD/0: compute tflite.add_f32(low -3.4028235e38, high 3.4028235e38) from [t0 f32[2], t1 f32[2]] to [t2 f32[2]]\n"
     "}\n"
     "thread main {\n"
     "graph: call graph\n"
     "}\n"
     "entry run {\n"
     "start main\n"
     "}\n"},
    {"two files, one after the other and each for itself", {"a.tflite", "b.tflite"}, 0, "space |buffer |function |thread |entry ", "space memory\n"
     "buffer a/t0 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer a/t1 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer a/t2 in memory size 8 of f32[2] lifetime session output\n"
     "buffer b/t0 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer b/t1 in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer b/t2 in memory size 8 of f32[2] lifetime session output\n"
     "function a/graph {\n"
     "ADD/0: compute tflite.add_f32(low -3.4028235e38, high 3.4028235e38) from [a/t0 f32[2], a/t1 f32[2]] to [a/t2 f32[2]]\n"
     "}\n"
     "function b/graph {\n"
     "ADD/0: compute tflite.add_f32(low -3.4028235e38, high 3.4028235e38) from [b/t0 f32[2], b/t1 f32[2]] to [b/t2 f32[2]]\n"
     "}\n"
     "thread main {\n"
     "graph: call a/graph\n"
     "graph: call b/graph\n"
     "}\n"
     "thread a {\n"
     "graph: call a/graph\n"
     "}\n"
     "thread b {\n"
     "graph: call b/graph\n"
     "}\n"
     "entry run {\n"
     "start main\n"
     "}\n"
     "entry a {\n"
     "start a\n"
     "}\n"
     "entry b {\n"
     "start b\n"
     "}\n"},
    {"names without folders and endings", {"x/y/a.b.tflite", "c\\d.tflite", "plain"}, 0, "entry ", "entry run {\n"
     "start main\n"
     "}\n"
     "entry a.b {\n"
     "start a.b\n"
     "}\n"
     "entry d {\n"
     "start d\n"
     "}\n"
     "entry plain {\n"
     "start plain\n"
     "}\n"},
    {"one name of several files", {"a.tflite", "b/a.tflite", "a", "c/a.x"}, 0, "entry ", "entry run {\n"
     "start main\n"
     "}\n"
     "entry a {\n"
     "start a\n"
     "}\n"
     "entry a-2 {\n"
     "start a-2\n"
     "}\n"
     "entry a-3 {\n"
     "start a-3\n"
     "}\n"
     "entry a-4 {\n"
     "start a-4\n"
     "}\n"},
    {"one that has the name of all", {"run.tflite", "run-2.tflite", "main.tflite"}, 0, "thread |entry ", "thread main {\n"
     "graph: call run-2/graph\n"
     "graph: call run-2-2/graph\n"
     "graph: call main-2/graph\n"
     "}\n"
     "thread run-2 {\n"
     "graph: call run-2/graph\n"
     "}\n"
     "thread run-2-2 {\n"
     "graph: call run-2-2/graph\n"
     "}\n"
     "thread main-2 {\n"
     "graph: call main-2/graph\n"
     "}\n"
     "entry run {\n"
     "start main\n"
     "}\n"
     "entry run-2 {\n"
     "start run-2\n"
     "}\n"
     "entry run-2-2 {\n"
     "start run-2-2\n"
     "}\n"
     "entry main-2 {\n"
     "start main-2\n"
     "}\n"},
    {"endings that are all there is", {".tflite", "", "x/"}, 0, "entry ", "entry run {\n"
     "start main\n"
     "}\n"
     "entry \".tflite\" {\n"
     "start \".tflite\"\n"
     "}\n"
     "entry model {\n"
     "start model\n"
     "}\n"
     "entry model-2 {\n"
     "start model-2\n"
     "}\n"},
    {"a batch", {"a.tflite"}, 3, "buffer |function |thread ", "buffer t0 in memory size 24 of f32[6] lifetime session contents caller\n"
     "buffer t1 in memory size 24 of f32[6] lifetime session contents caller\n"
     "buffer t2 in memory size 24 of f32[6] lifetime session output\n"
     "function graph {\n"
     "parameter element\n"
     "ADD/0: compute tflite.add_f32(low -3.4028235e38, high 3.4028235e38) from [t0 f32[2] + element * 8, t1 f32[2] + element * 8] to [t2 f32[2] + element * 8]\n"
     "}\n"
     "thread main {\n"
     "graph: call graph with [0]\n"
     "graph: call graph with [1]\n"
     "graph: call graph with [2]\n"
     "}\n"},
    {"a batch of two files", {"a.tflite", "b.tflite"}, 2, "thread ", "thread main {\n"
     "graph: call a/graph with [0]\n"
     "graph: call a/graph with [1]\n"
     "graph: call b/graph with [0]\n"
     "graph: call b/graph with [1]\n"
     "}\n"
     "thread a {\n"
     "graph: call a/graph with [0]\n"
     "graph: call a/graph with [1]\n"
     "}\n"
     "thread b {\n"
     "graph: call b/graph with [0]\n"
     "graph: call b/graph with [1]\n"
     "}\n"},
};
// clang-format on

HOIST_TEST_TABLE(files_have_entries, cases)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .batch = row->batch};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_files(t, row->files, &options, &program), HOIST_OK);
    lower_test_expect_piece(t, program, row->heads, row->text);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

// What cannot be run is told of each file under its name.
HOIST_TEST(each_file_says_what_it_lacks)
{
    const char *const names[] = {"a.tflite", "b.tflite"};
    tflite_module *modules[2];
    hoist_file files[2];
    const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        const tflite_model *model =
            tflite_job_model(t, TFLITE_OP_SPACE_TO_DEPTH, "f32 4 > f32 4", NULL);
        modules[i] = tflite_test_open(t, tflite_test_write(t, model));
        files[i] = (hoist_file){.module = &modules[i]->base, .name = hoist_str_from(names[i])};
    }
    HOIST_EXPECT_EQ(t, tflite_lower(files, 2, NULL, &options, t->diag, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 2);
    for (size_t i = 0; i < hoist_diag_kept(t->diag) && i < 2; i++) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, i)->file, names[i]);
    }
    HOIST_EXPECT_RULE(t, "RUN-029");
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        tflite_destroy(&modules[i]->base);
    }
}

// Limits of activations ---------------------------------------------------------------------------

// Steps of the output, rounded half away from zero, and never beyond the type.
// clang-format off
static const struct {
    const char *name;
    int8_t activation;
    const char *output; // type, shape, scale and zero point
    const char *limits;
} ranges[] = {
    {"none is all of int8",          TFLITE_ACTIVATION_NONE,         "i8 4 0.5 3",     "low -128, high 127"},
    {"none is all of uint8",         TFLITE_ACTIVATION_NONE,         "u8 4 0.5 3",     "low 0, high 255"},
    {"relu begins at the zero point", TFLITE_ACTIVATION_RELU,        "i8 4 0.5 -20",   "low -20, high 127"},
    {"relu of the least zero point", TFLITE_ACTIVATION_RELU,         "i8 4 0.5 -128",  "low -128, high 127"},
    {"relu6 ends 12 steps later",    TFLITE_ACTIVATION_RELU6,        "u8 4 0.5 100",   "low 100, high 112"},
    {"relu6 beyond the type",        TFLITE_ACTIVATION_RELU6,        "u8 4 0.01 100",  "low 100, high 255"},
    {"relu6 of coarse steps",        TFLITE_ACTIVATION_RELU6,        "i8 4 4 0",       "low 0, high 2"},
    {"relu6 of coarser steps",       TFLITE_ACTIVATION_RELU6,        "i8 4 16 5",      "low 5, high 5"},
    {"from -1 to 1",                 TFLITE_ACTIVATION_RELU_N1_TO_1, "i8 4 0.25 10",   "low 6, high 14"},
    {"half a step goes away from zero", TFLITE_ACTIVATION_RELU_N1_TO_1, "i8 4 2 10",   "low 9, high 11"},
    {"from the type's least",        TFLITE_ACTIVATION_RELU_N1_TO_1, "u8 4 0.25 2",    "low 0, high 6"},
};
// clang-format on

HOIST_TEST_TABLE(activations_are_limits, ranges)
{
    const tflite_fused_options options = {.fused_activation_function = row->activation};
    const char *type = row->output[0] == 'u' ? "u8" : "i8";
    const char *tensors =
        hoist_arena_format(&t->arena, "%s 4 0.5 0, %s 4 0.5 0 > %s", type, type, row->output).data;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(
        t,
        tflite_job_lower(t, tflite_job_model(t, TFLITE_OP_MUL, tensors, &options), NULL, &program),
        HOIST_OK);
    HOIST_EXPECT(t, program && hoist_str_contains(tflite_job_steps(t, program), row->limits));
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(files_have_entries), HOIST_TEST_ROW(each_file_says_what_it_lacks),
                HOIST_TEST_ROW(activations_are_limits))
