// Ports that are views at the command line: names with colons, what is missing, what `*` fills,
// files of outputs. The programs are made by hand.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "base/reader.h"
#include "parse.h"
#include "program/text.h"
#include "run.h"
#include "testing/test.h"

enum { MOST_WORDS = 16 };

#define BEGIN                                                                                      \
    "program p\nspace m\nbuffer x in m size 64 lifetime session contents zero\n"                   \
    "buffer y in m size 4 lifetime session contents zero\n"
#define END                                                                                        \
    "thread main {\nmove fma from [x f32[16] scale 2] to x f32[16]\n}\nentry run {\nstart "        \
    "main\n}\n"

static const char tensors[] = BEGIN
    "port \"12\" in x of f32[4, 4] result note \"buffer 4, FP32 [4,4], first read by matmul\"\n"
    "port \"13\" in x of f32[2, 4]\nport \"14\" in x of f32[2, 4] offset 32\n"
    "port \"op:matmul_1\" in y of bf16[2] note \"buffer 3, BF16 [2]\"\n"
    "port \"buffer:3\" in y of u8[4] result\n"
    "port op in x of f32[1]\nport \"op:f32\" in x of f32[1]\n"
    "need \"12\" from 0 to 64\nneed \"op:matmul_1\" from 0 to 4\n" END;
static const char ranks[] = BEGIN
    "port \"rank0/12\" in x of f32[4] result note \"buffer 1\"\n"
    "port \"rank1/12\" in x of f32[4] offset 16 result\nport \"rank1/op:f16\" in x of f16[1]\n"
    "need \"rank0/12\" from 0 to 16\nneed \"rank1/12\" from 16 to 32\n" END;
static const char shards[] =
    BEGIN "port a in x of f32[4] note \"first\"\nport b in x of f32[4] offset 16 note \"second\"\n"
          "port c in x of f32[4] offset 32\nneed a from 0 to 48\n" END;
static const char uncovered[] =
    BEGIN "port a in x of f32[4] note \"first\"\nport b in y of f32[1]\nneed a from 0 to 17\n"
          "need b from 0 to 4\n" END;
static const char alike[] = BEGIN
    "port \"a:b\" in x of f32[1] result\nport a_b in x of f32[1] result\n"
    "port \"rank1/a/b\" in x of f32[1] result\nport \"rank1/c:d\" in x of f32[1] result\n" END;

// A command line with its program, as far as the parts of `run` need them.
typedef struct scene {
    tool t;
    hoist_output err;
    const char *arguments[MOST_WORDS];
    tool_value repeated[MOST_WORDS];
    tool_input file;
    run r;
} scene;

static const run_command command = {.iterations = 1};

static void open_scene(hoist_test *t, const char *text, const char *line, scene *s)
{
    static char hoist[] = "hoist";
    static char verb[] = "run";
    static char file[] = "p";
    char *argv[MOST_WORDS] = {hoist, verb, file};
    int argc = 3;
    char *rest = hoist_arena_alloc(&t->arena, strlen(line) + 1);
    memcpy(rest, line, strlen(line) + 1);
    for (char *word = strtok(rest, " "); word && argc < MOST_WORDS; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    memset(s, 0, sizeof(*s));
    hoist_output_init(&s->err, -1);
    s->t = (tool){.commands = tool_commands,
                  .command_count = tool_command_count,
                  .alloc = hoist_allocator_system(),
                  .err = &s->err,
                  .arguments = s->arguments,
                  .repeated = s->repeated};
    HOIST_EXPECT_EQ(t, tool_parse(&s->t, argc, argv), TOOL_OK);
    s->file = (tool_input){.path = file, .diag = t->diag};
    s->r = (run){.t = &s->t, .command = &command, .file = &s->file};
    hoist_arena_init(&s->r.arena, s->t.alloc);
    hoist_folder_output_init(&s->r.folder, s->t.alloc);
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, file, NULL, t->diag, &s->file.job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, s->t.alloc, t->diag, &s->r.program), HOIST_OK);
}

static void close_scene(scene *s)
{
    hoist_session_close(s->r.session);
    run_close_outputs(&s->r);
    hoist_folder_output_drop(&s->r.folder);
    run_close_inputs(&s->r);
    hoist_program_destroy(s->r.program);
    hoist_job_close(s->file.job);
    hoist_arena_deinit(&s->r.arena);
    hoist_free(s->t.alloc, s->t.inputs, s->t.input_capacity * sizeof(s->t.inputs[0]));
}

// What was said; or the inputs that are filled, each with its number.
static hoist_str inputs_of(hoist_test *t, scene *s)
{
    hoist_str text = hoist_arena_str(&t->arena, (hoist_str){(char *)s->err.buffer, s->err.used});
    for (size_t i = 0; !s->err.used && i < s->r.input_count; i++) {
        text = hoist_arena_format(&t->arena, "%.*s%s%s=%g", HOIST_STR_ARGS(text), i ? " " : "",
                                  s->r.inputs[i].name, s->r.inputs[i].number);
    }
    return text;
}

#define HINT "hoist: give each with --input, or all others with --input '*=random:1'\n"
#define NO_12 "hoist: input is missing: 12 (buffer 4, FP32 [4,4], first read by matmul)\n"
#define NO_OP "hoist: input is missing: op:matmul_1 (buffer 3, BF16 [2])\n"

static const struct {
    const char *name;
    const char *text;
    const char *line;
    tool_exit code;
    const char *expected;
} cases[] = {
    {"nothing is given", tensors, "", TOOL_USAGE, NO_12 NO_OP HINT},
    {"one is given", tensors, "-i 12=1", TOOL_USAGE, NO_OP HINT},
    {"the rest is what is needed", tensors, "-i *=7", TOOL_OK, "12=7 op:matmul_1=7"},
    {"the rest of one", tensors, "-i 12=1 -i *=7", TOOL_OK, "op:matmul_1=7 12=1"},
    {"two halves are all", tensors, "-i 13=1 -i 14=2 -i *=7", TOOL_OK, "op:matmul_1=7 13=1 14=2"},
    {"one half is not", tensors, "-i 13=1 -i op:matmul_1=2", TOOL_USAGE, NO_12 HINT},
    {"the rest with a half", tensors, "-i 13=1 -i *=7", TOOL_OK, "12=7 op:matmul_1=7 13=1"},
    {"the rest comes first", tensors, "-i 12=1 -i buffer:3=3 -i op=4 -i 13=2", TOOL_OK,
     "12=1 buffer:3=3 op=4 13=2"},
    {"then what is named, in order", tensors, "-i op=4 -i *=7 -i 13=2", TOOL_OK,
     "12=7 op:matmul_1=7 op=4 13=2"},
    {"a rank's own is named before", ranks, "-i rank0/12=3 -i 12=2 -i op:f16=1", TOOL_OK,
     "rank0/12=3 rank1/12=2 rank1/op:f16=1"},
    {"all bytes under another name", tensors, "-i 12=1 -i buffer:3=2", TOOL_OK, "12=1 buffer:3=2"},
    {"more than is needed", tensors, "-i *=7 -i op=1", TOOL_OK, "12=7 op:matmul_1=7 op=1"},
    {"a name before a type", tensors, "-i *=7 -i op:matmul_1:bf16=2", TOOL_OK,
     "12=7 op:matmul_1=2"},
    {"a name that ends in a type", tensors, "-i *=7 -i op:f32=2", TOOL_OK,
     "12=7 op:matmul_1=7 op:f32=2"},
    {"and a type behind it", tensors, "-i *=7 -i op:f32:f32=2", TOOL_OK,
     "12=7 op:matmul_1=7 op:f32=2"},
    {"another type is none of the name", tensors, "-i *=7 -i op:f16=2", TOOL_OK,
     "12=7 op:matmul_1=7 op=2"},
    {"no such name", tensors, "-i buffer:4=2", TOOL_USAGE,
     "hoist: p has no input 'buffer:4'; there are: '12', '13', '14', 'op:matmul_1', 'buffer:3', "
     "'op', 'op:f32'\n"},
    {"twice", tensors, "-i 12=2 -i 12=3", TOOL_USAGE, "hoist: input '12' is given twice\n"},
    {"all ranks", ranks, "-i 12=2", TOOL_OK, "rank0/12=2 rank1/12=2"},
    {"one rank, and the others", ranks, "-i 12=2 -i rank1/12=3", TOOL_OK, "rank0/12=2 rank1/12=3"},
    {"one rank", ranks, "-i rank1/12=3", TOOL_USAGE,
     "hoist: input is missing: rank0/12 (buffer 1)\n" HINT},
    {"the other one, which has no note", ranks, "-i rank0/12=3", TOOL_USAGE,
     "hoist: input 'rank1/12' is missing: a tensor of [4] of f32\n" HINT},
    {"a rank's name that ends in a type", ranks, "-i 12=1 -i op:f16=2", TOOL_OK,
     "rank0/12=1 rank1/12=1 rank1/op:f16=2"},
    {"shards are filled one after the other", shards, "-i *=7", TOOL_OK, "a=7 b=7 c=7"},
    {"the second one is missing", shards, "-i a=1 -i c=1", TOOL_USAGE,
     "hoist: input is missing: b (second)\n" HINT},
    {"bytes of no port", uncovered, "-i *=1", TOOL_USAGE,
     "hoist: input is not complete: a (first)\n" HINT},
};

HOIST_TEST_TABLE(inputs_are_bound_by_name, cases)
{
    scene s;
    open_scene(t, row->text, row->line, &s);
    HOIST_EXPECT_EQ(t, run_open_inputs(&s.r), row->code);
    HOIST_EXPECT_STR(t, inputs_of(t, &s), row->expected);
    close_scene(&s);
}

static const struct {
    const char *name;
    const char *text;
    const char *line;
    const char *expected; // files; or what was said
} files[] = {
    {"results", tensors, "", "12.npy buffer_3.npy "},
    {"what is asked for", tensors, "--fetch op:matmul_1 --fetch 13", "13.npy op_matmul_1.npy "},
    {"no such name", tensors, "--fetch 15",
     "hoist: p has no queue or ram '15'; there are: '12', '13', '14', 'op:matmul_1', 'buffer:3', "
     "'op', 'op:f32'\n"},
    {"folders of ranks", ranks, "", "rank0/12.npy rank1/12.npy "},
    {"names that would be one file", alike, "",
     "a_b.npy a_b%~2.npy rank1/a%2Fb.npy rank1/c_d.npy "},
};

HOIST_TEST_TABLE(outputs_have_files, files)
{
    char folder[] = "/tmp/hoist-run-ports-XXXXXX";
    scene s;
    open_scene(t, row->text, row->line, &s);
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    hoist_str found = HOIST_STR("");
    const tool_exit code = run_open_outputs(&s.r);
    if (code == TOOL_OK) {
        HOIST_EXPECT_EQ(t, run_open_folder(&s.r, folder), TOOL_OK);
    }
    for (size_t i = 0; code == TOOL_OK && i < s.r.output_count; i++) {
        found = s.r.outputs[i].file ? hoist_arena_format(&t->arena, "%.*s%s ",
                                                         HOIST_STR_ARGS(found), s.r.outputs[i].file)
                                    : found;
    }
    found = s.err.used ? (hoist_str){(char *)s.err.buffer, s.err.used} : found;
    HOIST_EXPECT_STR(t, found, row->expected);
    close_scene(&s);
    HOIST_EXPECT_EQ(t, rmdir(folder), 0);
}

// What a view has from the first iteration on is the run's: it is not filled again.
HOIST_TEST(state_stays_over_iterations)
{
    if (!hoist_is_little_endian()) {
        hoist_test_skip(t, "sessions are for little-endian machines");
    }
    scene s;
    open_scene(t, tensors, "-i 12=1 -i buffer:3=0 --fetch 13", &s);
    const hoist_session_options options = {.struct_size = sizeof(options), .sequential = true};
    HOIST_EXPECT_EQ(t, run_open_inputs(&s.r), TOOL_OK);
    HOIST_EXPECT_EQ(t, run_open_outputs(&s.r), TOOL_OK);
    HOIST_EXPECT_EQ(t, hoist_session_open(s.r.program, &options, t->diag, &s.r.session), HOIST_OK);
    for (int i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, run_rewind_inputs(&s.r), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_run(s.r.session, "run", NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s.r.session, HOIST_FOREVER), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, run_read_rest(&s.r), HOIST_OK);
    const run_output *output = run_find_output(&s.r, HOIST_STR("13"));
    const hoist_array array = run_output_array(output);
    float first = 0;
    HOIST_EXPECT(t, array.rank == 2 && array.shape[0] == 2 && array.shape[1] == 4);
    HOIST_EXPECT_EQ(t, array.data.size, 32);
    memcpy(&first, array.data.data, sizeof(first));
    HOIST_EXPECT(t, first == 8);
    close_scene(&s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(inputs_are_bound_by_name), HOIST_TEST_ROW(outputs_have_files),
                HOIST_TEST_ROW(state_stays_over_iterations))
