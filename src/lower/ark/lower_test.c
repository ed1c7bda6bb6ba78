// A job as a program: memory, ports and needs; places and labels of steps; which files there have
// to be; memory and time that run out.
#include "base/alloc.h"
#include "formats/ark/ark.h"
#include "formats/ark/rules.h"
#include "lower/ark/job_testing.h"
#include "lower/ark/lower.h"
#include "program/program.h"

// clang-format off
#define FACTOR(value) "{\"Factor\":{\"FLOAT\":" value "}}"
#define FLAGS "{\"TransposeInput\":{\"BOOL\":false},\"TransposeOther\":{\"BOOL\":true}}"

static const struct {
    const char *name;
    const char *ops[ARK_JOB_MAX_FILES];
    const char *text; // all but threads
} rows[] = {
    {"an input, something between, a result", {"Exp:e f32[2,3]@4 > f32[2,3]@5;Relu:r f32[2,3]@5 > f32[2,3]@6"},
     "space rank0 alignment 64\n"
     "buffer b4 in rank0 size 24 alignment 64 lifetime session contents zero\n"
     "buffer b5 in rank0 size 24 alignment 64 lifetime session contents zero\n"
     "buffer b6 in rank0 size 24 alignment 64 lifetime session contents zero\n"
     "port 0 in b4 of f32[2, 3] note buffer 4, FP32 [2,3], first read by e\n"
     "port 1 in b5 of f32[2, 3] note buffer 5, FP32 [2,3]\n"
     "port 100 in b5 of f32[2, 3] note buffer 5, FP32 [2,3]\n"
     "port 2 in b6 of f32[2, 3] note buffer 6, FP32 [2,3]\n"
     "port 101 in b6 of f32[2, 3] result note buffer 6, FP32 [2,3]\n"
     "port op:e in b5 of f32[2, 3] note buffer 5, FP32 [2,3]\n"
     "port op:r in b6 of f32[2, 3] note buffer 6, FP32 [2,3]\n"
     "port b4 in b4 of f32[6]\n"
     "port b5 in b5 of f32[6]\n"
     "port b6 in b6 of f32[6]\n"
     "need 0 from 0 to 24\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"parts of a buffer", {"Exp f16[2,2:4,8+1,2]@0 > f16[2,2]@1"},
     "space rank0 alignment 64\n"
     "buffer b0 in rank0 size 64 alignment 64 lifetime session contents zero\n"
     "buffer b1 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "port 0 in b0 of f16[2, 2] by [16, 2] offset 20 note buffer 0, FP16 [2,2], first read by Exp\n"
     "port 1 in b1 of f16[2, 2] note buffer 1, FP16 [2,2]\n"
     "port 100 in b1 of f16[2, 2] result note buffer 1, FP16 [2,2]\n"
     "port b0 in b0 of f16[32]\n"
     "port b1 in b1 of f16[4]\n"
     "need 0 from 20 to 24\n"
     "need 0 from 36 to 40\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"state, and a name for two", {"Exp:e f32[2]@0 > f32[2]@0;Exp:e f32[2]@0 > f32[2]@1;Relu:r f32[2]@2 > f32[2]@3"},
     "space rank0 alignment 64\n"
     "buffer b0 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b1 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b2 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b3 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "port 0 in b0 of f32[2] note buffer 0, FP32 [2], first read by e\n"
     "port 100 in b0 of f32[2] note buffer 0, FP32 [2]\n"
     "port 1 in b1 of f32[2] note buffer 1, FP32 [2]\n"
     "port 101 in b1 of f32[2] result note buffer 1, FP32 [2]\n"
     "port 2 in b2 of f32[2] note buffer 2, FP32 [2], first read by r\n"
     "port 3 in b3 of f32[2] note buffer 3, FP32 [2]\n"
     "port 102 in b3 of f32[2] result note buffer 3, FP32 [2]\n"
     "port op:r in b3 of f32[2] note buffer 3, FP32 [2]\n"
     "port b0 in b0 of f32[2]\n"
     "port b1 in b1 of f32[2]\n"
     "port b2 in b2 of f32[2]\n"
     "port b3 in b3 of f32[2]\n"
     "need 0 from 0 to 8\n"
     "need 2 from 0 to 8\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"memory of the caller that nothing reads", {"buffer 1 external;Exp f32[2]@0 > f32[2]@1"},
     "space rank0 alignment 64\n"
     "buffer b0 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b1 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "port 0 in b0 of f32[2] note buffer 0, FP32 [2], first read by Exp\n"
     "port 1 in b1 of f32[2] note buffer 1, FP32 [2]\n"
     "port 100 in b1 of f32[2] result note buffer 1, FP32 [2]\n"
     "port b0 in b0 of f32[2]\n"
     "port b1 in b1 of f32[2]\n"
     "need 0 from 0 to 8\n"
     "need 1 from 0 to 8\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"bytes, and another type over them", {"Copy byte[8]@0 > byte[8]@1;Copy f32[2]@1 > f32[2]@2"},
     "space rank0 alignment 64\n"
     "buffer b0 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b1 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b2 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "port 0 in b0 of u8[8] note buffer 0, BYTE [8], first read by Copy\n"
     "port 1 in b1 of u8[8] note buffer 1, BYTE [8]\n"
     "port 100 in b1 of u8[8] note buffer 1, BYTE [8]\n"
     "port 2 in b1 of f32[2] note buffer 1, FP32 [2]\n"
     "port 3 in b2 of f32[2] note buffer 2, FP32 [2]\n"
     "port 101 in b2 of f32[2] result note buffer 2, FP32 [2]\n"
     "port b0 in b0 of u8[8]\n"
     "port b1 in b1 of u8[8]\n"
     "port b2 in b2 of f32[2]\n"
     "need 0 from 0 to 8\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"constants and temporary memory", {"ScalarAdd f32[2]@0 > f32[2]@1 " FACTOR("0.5") ";ScalarAdd i32[2]@2 > i32[2]@3 " FACTOR("2.5") ";Exp f32[3:4]@1 > f32[3:4+1]@1"},
     "space rank0 alignment 64\n"
     "buffer b0 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b1 in rank0 size 16 alignment 64 lifetime session contents zero\n"
     "buffer b2 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer b3 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer constant/0 in rank0 size 4 alignment 64 lifetime constant contents bytes data 0000003f\n"
     "buffer constant/1 in rank0 size 4 alignment 64 lifetime constant contents bytes data 02000000\n"
     "buffer temporary/0 in rank0 size 12 alignment 64 lifetime run\n"
     "port 0 in b0 of f32[2] note buffer 0, FP32 [2], first read by ScalarAdd\n"
     "port 1 in b1 of f32[2] note buffer 1, FP32 [2]\n"
     "port 100 in b1 of f32[2] note buffer 1, FP32 [2]\n"
     "port 2 in b2 of i32[2] note buffer 2, INT32 [2], first read by ScalarAdd\n"
     "port 3 in b3 of i32[2] note buffer 3, INT32 [2]\n"
     "port 101 in b3 of i32[2] result note buffer 3, INT32 [2]\n"
     "port 4 in b1 of f32[3] note buffer 1, FP32 [3], first read by Exp\n"
     "port 5 in b1 of f32[3] offset 4 note buffer 1, FP32 [3]\n"
     "port 102 in b1 of f32[3] offset 4 result note buffer 1, FP32 [3]\n"
     "port b0 in b0 of f32[2]\n"
     "port b1 in b1 of f32[4]\n"
     "port b2 in b2 of i32[2]\n"
     "port b3 in b3 of i32[2]\n"
     "need 0 from 0 to 8\n"
     "need 2 from 0 to 8\n"
     "need 4 from 8 to 12\n"
     "entry run {\n"
     "start rank0\n"
     "}\n"},
    {"two ranks", {
        "buffer 0 send 1#7;Send:s f32[2]@0 > f32[2]@9>1#7",
        "buffer 3 recv 0#7;Recv:r f32[2]@8<0#7 > f32[2]@3"},
     "space rank0 alignment 64\n"
     "space rank1 alignment 64 home 1\n"
     "space wires alignment 64\n"
     "buffer rank0/b0 in rank0 size 8 alignment 64 lifetime session contents zero\n"
     "buffer rank1/b3 in rank1 size 8 alignment 64 lifetime session contents zero\n"
     "buffer rank0-rank1/7.memory in wires size 64 alignment 64 lifetime run\n"
     "port rank0/0 in rank0/b0 of f32[2] note buffer 0, FP32 [2], first read by s\n"
     "port rank0/b0 in rank0/b0 of f32[2]\n"
     "port rank1/1 in rank1/b3 of f32[2] note buffer 3, FP32 [2]\n"
     "port rank1/100 in rank1/b3 of f32[2] result note buffer 3, FP32 [2]\n"
     "port rank1/op:r in rank1/b3 of f32[2] note buffer 3, FP32 [2]\n"
     "port rank1/b3 in rank1/b3 of f32[2]\n"
     "need rank0/0 from 0 to 8\n"
     "fifo rank0-rank1/7 queue of u8[8] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "entry run {\n"
     "start rank0\n"
     "start rank1\n"
     "}\n"},
};
// clang-format on

HOIST_TEST_TABLE(memory_has_ports, rows)
{
    const ark_job_text job = {.ops = {row->ops[0], row->ops[1]}};
    ark_job_expect(t, &job, "space|buffer|port|need|fifo|entry", row->text);
}

HOIST_TEST(constants_are_zeros_where_only_control_counts)
{
    static const ark_job_text job = {.ops = {"ScalarAdd f32[2]@0 > f32[2]@1 " FACTOR("0.5")}};
    const hoist_lower_options options = {.struct_size = sizeof options, .control_only = true};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, &options, &program), HOIST_OK);
    if (program) {
        const hoist_prog_buffer *last = &program->buffers[program->buffer_count - 1];
        HOIST_EXPECT_STR(t, last->name, "constant/0");
        HOIST_EXPECT_EQ(t, last->contents, HOIST_CONTENTS_ZERO);
    }
    hoist_program_destroy(program);
}

// Each thread's steps are in the file of its rank, but those of puts that nothing receives: they
// are in that of the sender.
HOIST_TEST(steps_have_the_place_and_name_of_their_operator)
{
    static const ark_job_text job = {
        .ops = {"buffer 0 send 1#7;Exp f32[2]@1 > f32[2]@0;Send:s f32[2]@0 > f32[2]@9>1#7",
                "buffer 3 recv 0#7;Exp:e f32[2]@3 > f32[2]@4"}};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, NULL, &program), HOIST_OK);
    HOIST_EXPECT(t, program && program->thread_count == 2 && program->source_count == 2);
    if (program) {
        const hoist_prog_code *sender = &program->threads[0].code;
        const hoist_prog_code *receiver = &program->threads[1].code;
        HOIST_EXPECT_STR(t, program->file, "0.json");
        HOIST_EXPECT_EQ(t, sender->steps[0].loc.pos.line, 2);
        HOIST_EXPECT_EQ(t, sender->steps[0].label.size, 0);
        HOIST_EXPECT_EQ(t, sender->steps[1].loc.pos.line, 3);
        HOIST_EXPECT_STR(t, sender->steps[1].label, "s");
        HOIST_EXPECT_STR(t, receiver->steps[0].label, "e");
        HOIST_EXPECT_STR(t, program->sources[receiver->steps[0].loc.source - 1].file, "1.json");
        HOIST_EXPECT_STR(t, receiver->steps[1].label, "s");
        HOIST_EXPECT_STR(t, program->sources[receiver->steps[1].loc.source - 1].file, "0.json");
        HOIST_EXPECT_EQ(t, receiver->steps[1].loc.pos.line, 3);
    }
    hoist_program_destroy(program);
}

// clang-format off
static const struct {
    const char *name;
    const char *ops[ARK_JOB_MAX_FILES];
    uint32_t world;
    bool control_only;
    hoist_status status;
    const char *rule; // NULL: no finding
    const char *says;
} worlds[] = {
    {"all are there", {"Exp f32[2]@0 > f32[2]@1", "Noop f32[1]@0"}, 2, false, HOIST_OK, NULL, ""},
    {"one of two", {"Exp f32[2]@0 > f32[2]@1"}, 2, false, HOIST_NOT_FOUND, "RUN-042", "the job has 2 ranks; the files of these are missing: 1"},
    {"two of eight", {NULL, "Noop f32[1]@0", NULL, "Noop f32[1]@0"}, 8, false, HOIST_NOT_FOUND, "RUN-042", "the job has 8 ranks; the files of these are missing: 0, 2, 4 to 7"},
    {"for a check of orders", {"Exp f32[2]@0 > f32[2]@1"}, 2, true, HOIST_UNSUPPORTED, "RUN-042", "the job has 2 ranks; the files of these are missing: 1"},
    {"a message without a tag", {"Send f32[2]@0 > f32[2]@9>1", "Noop f32[1]@0"}, 2, false, HOIST_UNSUPPORTED, "RUN-042", "messages of the 2 ranks have no certain peer or tag"},
    {"as many as there may be", {"Noop f32[1]@0"}, 1024, false, HOIST_NOT_FOUND, "RUN-042", "the job has 1024 ranks; the files of these are missing: 1 to 1023"},
    {"more", {"Noop f32[1]@0"}, 1025, false, HOIST_LIMIT, "RUN-023", "1025 ranks, expected at most 1024"},
};
// clang-format on

HOIST_TEST_TABLE(a_job_has_all_its_ranks, worlds)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .control_only = row->control_only};
    ark_job_text job = {.world = row->world};
    hoist_program *program = NULL;
    for (int i = 0; i < ARK_JOB_MAX_FILES; i++) {
        job.ops[i] = row->ops[i];
    }
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, &options, &program), row->status);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->rule && hoist_diag_kept(t->diag)) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->says);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(all_that_cannot_be_run_is_reported_in_one_go)
{
    static const ark_job_text job = {
        .ops = {"Exp i32[2]@0 > i32[2]@1;Relu f32[2]@2 > f32[2]@3;Sqrt i32[2]@1 > i32[2]@4",
                "Exp:e u8[2]@0 > u8[2]@1"}};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 3);
    if (hoist_diag_kept(t->diag) == 3) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->file, "0.json");
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 1)->loc.pos.line, 4);
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 2)->file, "1.json");
    }
}

HOIST_TEST(findings_of_programs_are_those_of_files)
{
    HOIST_EXPECT(t, ark_lower_rule(HOIST_PRG_102) == ark_rule_row(ARK_X03));
    HOIST_EXPECT(t, ark_lower_rule(HOIST_PRG_018) == ark_rule_row(ARK_X06));
    HOIST_EXPECT(t, ark_lower_rule(HOIST_PRG_101) == ark_rule_row(ARK_M37a));
    HOIST_EXPECT(t, !ark_lower_rule(HOIST_PRG_001));
}

// Memory and time -------------------------------------------------------------------------------

static const ark_job_text everything = {
    .ops = {"buffer 0 send 1#7;buffer 5 recv 1#8;ScalarAdd:a f32[2]@1 > f32[2]@0 " FACTOR(
                "0.5") ";"
                       "Exp f32[3:4]@2 > f32[3:4+1]@2;Matmul:m f32[2,2]@3 f32[2,2]@4 > "
                       "f32[2,2]@6 " FLAGS ";Send:s f32[2]@0 > f32[2]@9>1#7",
            "buffer 3 recv 0#7;Recv:r f32[2]@8<0#7 > f32[2]@3"}};

typedef struct files {
    hoist_file rows[2];
} files;

static hoist_status lower_with(hoist_allocator alloc, const void *self)
{
    const files *given = self;
    const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_module modules[2];
    hoist_program *program = NULL;
    hoist_status status = HOIST_OK;
    for (int i = 0; i < 2; i++) {
        hoist_module *module = (hoist_module *)(uintptr_t)given->rows[i].module;
        modules[i] = *module;
        module->alloc = alloc;
    }
    status = ark_lower(given->rows, 2, NULL, &options, NULL, &program);
    hoist_program_destroy(program);
    for (int i = 0; i < 2; i++) {
        *(hoist_module *)(uintptr_t)given->rows[i].module = modules[i];
    }
    return status;
}

static files open_files(hoist_test *t)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    files f = {0};
    for (uint32_t i = 0; i < 2; i++) {
        const hoist_str text = hoist_str_from(ark_job_json(t, &everything, i));
        hoist_module *module = NULL;
        HOIST_EXPECT_EQ(t,
                        ark_read((hoist_bytes){(const uint8_t *)text.data, text.size}, &options,
                                 t->diag, &module),
                        HOIST_OK);
        f.rows[i] = (hoist_file){.module = module, .name = HOIST_STR("x.json")};
    }
    return f;
}

static void close_files(files *f)
{
    for (int i = 0; i < 2; i++) {
        ark_destroy((hoist_module *)(uintptr_t)f->rows[i].module);
    }
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    files f = open_files(t);
    hoist_test_starve(t, lower_with, &f);
    close_files(&f);
}

HOIST_TEST(lowering_ends_when_its_time_is_over)
{
    files f = open_files(t);
    hoist_module *module = (hoist_module *)(uintptr_t)f.rows[0].module;
    const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    module->deadline = hoist_test_deadline(t, 0);
    HOIST_EXPECT_EQ(t, ark_lower(f.rows, 2, NULL, &options, t->diag, &program), HOIST_LIMIT);
    HOIST_EXPECT(t, !program);
    hoist_deadline_destroy(module->deadline);
    module->deadline = NULL;
    close_files(&f);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(memory_has_ports),
                HOIST_TEST_ROW(constants_are_zeros_where_only_control_counts),
                HOIST_TEST_ROW(steps_have_the_place_and_name_of_their_operator),
                HOIST_TEST_ROW(a_job_has_all_its_ranks),
                HOIST_TEST_ROW(all_that_cannot_be_run_is_reported_in_one_go),
                HOIST_TEST_ROW(findings_of_programs_are_those_of_files),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory),
                HOIST_TEST_ROW(lowering_ends_when_its_time_is_over))
