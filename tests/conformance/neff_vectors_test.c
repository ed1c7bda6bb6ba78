// The vectors A1 to A12 of the neff reference's Appendix A: each is built as a whole file, opened,
// checked, lowered and run in sessions, and the bytes of its outputs are compared.
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/neff.h"
#include "hoist/runtime.h"

#include "base/span.h"
#include "formats/neff/pack.h"
#include "testing/test.h"

enum { MAX_VARS = 8, MAX_LIST = 2 };
#define SECONDS 20.0

// Bytes are in hexadecimal: of an input what it gets, of an output what it must have.
typedef struct vector_var {
    const char *name;
    const char *type;
    const char *bytes; // NULL: there are `size`
    int64_t size;
    int64_t var_id;         // 0: as counted
    int64_t at;             // backing_variable_off or referenced_var_id
    int64_t list[MAX_LIST]; // of a table
} vector_var;

typedef struct vector {
    const char *name;
    vector_var vars[MAX_VARS];
    const char *blocks; // sp's dma
    const char *code;   // of sp; NULL: triggers block 3 and waits for semaphore 5
    int64_t queues;     // of queue set q0; 0: 1
    const char *rule;   // found by check, and saying `says`; NULL: no error
    const char *says;
    hoist_status status; // of the run
} vector;

#define SIDE(side, variable, off, sizes, steps)                                                    \
    "\"" side "\": \"" variable "\", \"" side "_off\": " off ", \"" side "_sizes\": " sizes        \
    ", \"" side "_steps\": " steps
#define DTYPES(from, to) ", \"from_dtype\": \"" from "\", \"to_dtype\": \"" to "\""
#define FLAT(side, variable, off, size) SIDE(side, variable, off, "[" size "]", "[1]")
#define DESC(from, to) "{" from ", " to "}"
#define BLOCK(id, descs)                                                                           \
    "{\"id\": " id ", \"queue\": \"q0\", \"semaphore\": 5, \"desc\": [" descs "]}"
#define CAST(from, to, from_size, to_size)                                                         \
    BLOCK("3", "{\"op\": \"cast\", " FLAT("from", "src", "0", from_size) ", " FLAT(                \
                   "to", "dst", "0", to_size) DTYPES(from, to) "}")
// Eight bytes of float32, as an item of from_arr.
#define SOURCE(variable, scale)                                                                    \
    "{" FLAT("from", variable, "0", "8") ", \"from_dtype\": \"float32\"" scale "}"
#define SUM "\"to_dtype\": \"float32\", " FLAT("to", "d", "0", "8")

#define BYTES_12 "00 01 02 03 04 05 06 07 08 09 0A 0B"
#define TRIGGER(id) "PSEUDO_DMA_TRIGGER q0 block_id=" id ";\n"
#define WAIT(text) "EVENT_SEMAPHORE $S" text ";\n"
#define EXIT "PSEUDO_INST EXIT;\n"
// Blocks 3 and 4, one after the other.
#define BOTH TRIGGER("3") WAIT("[5]>0") TRIGGER("4") WAIT("[5]>1") EXIT

// A semaphore counts 2 when the one block on two queues is complete.
#define TWO_QUEUES                                                                                 \
    {                                                                                              \
        {.name = "src", .type = "input", .bytes = "01 02 03 04"},                                  \
        {                                                                                          \
            .name = "dst", .type = "output", .bytes = "01 02 03 04"                                \
        }                                                                                          \
    }
#define TWO_QUEUES_BLOCK                                                                           \
    "{\"id\": 3, \"queue\": \"q0\", \"semaphore\": 7, \"desc\": [" DESC(                           \
        FLAT("from", "src", "0", "4"), FLAT("to", "dst", "0", "4")) "]}"

// clang-format off
static const vector vectors[] = {
    {.name = "A1 strided gather copy",
     .vars = {{"src", "input", .bytes = BYTES_12}, {"dst", "output", .bytes = "01 02 05 06 09 0A"}},
     .blocks = BLOCK("3", DESC(SIDE("from", "src", "1", "[2, 3]", "[1, 4]"), FLAT("to", "dst", "0", "6")))},
    {.name = "A2 negative step",
     .vars = {{"src", "input", .bytes = BYTES_12}, {"dst", "output", .bytes = "08 09 0A 0B 04 05 06 07 00 01 02 03"}},
     .blocks = BLOCK("3", DESC(SIDE("from", "src", "8", "[4, 3]", "[1, -4]"), FLAT("to", "dst", "0", "12")))},
    {.name = "A3 broadcast",
     .vars = {{"src", "input", .bytes = BYTES_12}, {"dst", "output", .bytes = "02 03 02 03 02 03"}},
     .blocks = BLOCK("3", DESC(SIDE("from", "src", "2", "[2, 3]", "[1, 0]"), FLAT("to", "dst", "0", "6")))},
    {.name = "A4 cast to bfloat16, above half",
     .vars = {{"src", "input", .bytes = "00 00 80 3F 01 80 80 3F"}, {"dst", "output", .bytes = "80 3F 81 3F"}},
     .blocks = CAST("float32", "bfloat16", "8", "4")},
    {.name = "A4 cast to bfloat16, ties to even",
     .vars = {{"src", "input", .bytes = "00 80 80 3F 00 80 81 3F"}, {"dst", "output", .bytes = "80 3F 82 3F"}},
     .blocks = CAST("float32", "bfloat16", "8", "4")},
    {.name = "A5 int32 through float32",
     .vars = {{"src", "input", .bytes = "01 00 00 01"}, {"mid", "tmp-buf", .size = 4}, {"dst", "output", .bytes = "00 00 00 01"}},
     .blocks = BLOCK("3", "{\"op\": \"cast\", " FLAT("from", "src", "0", "4") ", " FLAT("to", "mid", "0", "4") DTYPES("int32", "float32") "}") ", "
               BLOCK("4", "{\"op\": \"cast\", " FLAT("from", "mid", "0", "4") ", " FLAT("to", "dst", "0", "4") DTYPES("float32", "int32") "}"),
     .code = BOTH},
    {.name = "A5 int32 to int32 in one cast",
     .vars = {{"src", "input", .bytes = "01 00 00 01"}, {"dst", "output", .bytes = "00 00 00 01"}},
     .blocks = CAST("int32", "int32", "4", "4")},
    {.name = "A6 fma of three sources",
     .vars = {{"a", "input", .bytes = "00 00 80 3F 00 00 00 40"}, {"b", "input", .bytes = "00 00 20 41 00 00 A0 41"},
              {"c", "input", .bytes = "00 00 C8 42 00 00 48 43"}, {"d", "output", .bytes = "00 00 D6 42 00 00 56 43"}},
     .blocks = BLOCK("3", "{\"op\": \"fma\", \"scale_dtype\": \"float32\", \"from_arr\": ["
                          SOURCE("a", ", \"scale\": 2.0") ", " SOURCE("b", ", \"scale\": 0.5") ", " SOURCE("c", ", \"scale\": 1.0") "], " SUM "}")},
    {.name = "A7 max with constant",
     .vars = {{"a", "input", .bytes = "00 00 80 3F 00 00 00 40"}, {"b", "input", .bytes = "00 00 00 00 00 00 40 40"},
              {"d", "output", .bytes = "00 00 C0 3F 00 00 40 40"}},
     .blocks = BLOCK("3", "{\"op\": \"max\", \"constant_dtype\": \"float32\", \"constant\": 1.5, \"from_arr\": [" SOURCE("a", "") ", " SOURCE("b", "") "], " SUM "}")},
    {.name = "A8 partition-strided load",
     .vars = {{"x", "input", .bytes = "11 12 13 14 21 22 23 24"}, {"SB", .type = "state-buffer"}, {"y", "output", .bytes = "11 12 13 14 21 22 23 24"}},
     .blocks = BLOCK("3", DESC(FLAT("from", "x", "0", "8"), SIDE("to", "SB", "64", "[4, 2]", "[1, 262144]"))) ", "
               BLOCK("4", DESC(FLAT("from", "SB", "64", "4"), FLAT("to", "y", "0", "4")) ", "
                          DESC(FLAT("from", "SB", "262208", "4"), FLAT("to", "y", "4", "4"))),
     .code = BOTH},
    {.name = "A9 two queues, completion at 2",
     .vars = TWO_QUEUES, .blocks = TWO_QUEUES_BLOCK, .queues = 2,
     .code = TRIGGER("3") WAIT("[7]==2") EXIT},
    {.name = "A9 two queues, never more than 2",
     .vars = TWO_QUEUES, .blocks = TWO_QUEUES_BLOCK, .queues = 2,
     .code = TRIGGER("3") WAIT("[7]>2") EXIT, .rule = "NEFF-072a", .says = "semaphore", .status = HOIST_INVALID},
    // From 0x1000000000 on, by rising var_id, each at a multiple of 64.
    {.name = "A10 pointer and table",
     .vars = {{"p_out", "output", .bytes = "80 00 00 00 10 00 00 00"}, {"t_out", "output", .bytes = "80 00 00 00 10 00 00 00 00 01 00 00 10 00 00 00"},
              {"a", "tmp-buf", .size = 100}, {"b", "tmp-buf", .size = 8},
              {"p", "pointer", .size = 8, .var_id = 9, .at = 2}, {"t", "dge-table", .size = 16, .var_id = 10, .list = {2, 3}}},
     .blocks = BLOCK("3", DESC(FLAT("from", "p", "0", "8"), FLAT("to", "p_out", "0", "8")) ", "
                          DESC(FLAT("from", "t", "0", "16"), FLAT("to", "t_out", "0", "16")))},
    {.name = "A11 scratchpad",
     .vars = {{"x", "input", .bytes = "01 02 03 04"}, {"y", "output", .bytes = "01 02 03 04"}, {"first", "virtual", .size = 512, .at = 0},
              {"second", "virtual", .size = 512, .at = 256}, {"third", "virtual", .size = 128, .at = 1024}},
     .blocks = BLOCK("3", DESC(FLAT("from", "x", "0", "4"), FLAT("to", "first", "508", "4"))) ", "
               BLOCK("4", DESC(FLAT("from", "second", "252", "4"), FLAT("to", "y", "0", "4"))),
     .code = BOTH, .rule = "NEFF-032c", .says = "1152"},
};
// clang-format on

static hoist_mut_bytes bytes_of(hoist_test *t, const char *hex)
{
    hoist_mut_bytes bytes = {hoist_arena_alloc(&t->arena, strlen(hex) / 2 + 1), 0};
    for (char *end; *hex; hex = end) {
        bytes.data[bytes.size++] = (uint8_t)strtoul(hex, &end, 16);
    }
    return bytes;
}

static bool is(const vector_var *var, const char *type)
{
    return strcmp(var->type, type) == 0;
}

// The file ---------------------------------------------------------------------------------------

static void add_variable(hoist_test *t, hoist_neff *neff, const vector_var *var)
{
    hoist_neff_variable row = {.struct_size = sizeof(row),
                               .name = var->name,
                               .type = var->type,
                               .has_var_id = var->var_id > 0,
                               .var_id = var->var_id,
                               .size = var->size,
                               .backing_variable_off = var->at,
                               .referenced_var_id = var->at,
                               .list = {var->list, var->list[0] ? MAX_LIST : 0}};
    if (var->bytes) {
        row.size = (int64_t)bytes_of(t, var->bytes).size;
    }
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &row), HOIST_OK);
}

static hoist_neff *build(hoist_test *t, const vector *row)
{
    const hoist_neff_queue_set queue = {.struct_size = sizeof(queue),
                                        .name = "q0",
                                        .type = "data",
                                        .num_queues = row->queues,
                                        .owner = "sp"};
    const hoist_neff_key dma = {"dma", hoist_arena_format(&t->arena, "[%s]", row->blocks).data};
    const char *code = row->code ? row->code : TRIGGER("3") WAIT("[5]>0") EXIT;
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    for (const vector_var *var = row->vars; var < row->vars + MAX_VARS && var->name; var++) {
        add_variable(t, neff, var);
    }
    HOIST_EXPECT_EQ(t, hoist_neff_add_queue_set(neff, 0, &queue), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, "sg00/sp.json", (hoist_neff_keys){&dma, 1}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_code(neff, 0, HOIST_NEFF_SP, code, t->diag), HOIST_OK);
    return neff;
}

// A finding of the row's rule that says what it should; no other error.
static void expect_findings(hoist_test *t, const vector *row)
{
    bool found = row->rule == NULL;
    size_t errors = 0;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        const bool wanted = row->rule && strcmp(f->rule->id, row->rule) == 0 &&
                            hoist_str_contains(f->message, row->says);
        found = found || wanted;
        errors += !wanted && f->severity == HOIST_ERROR;
    }
    if (!found || errors > 0) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "expected %s alone, findings are:\n%.*s",
                        row->rule ? row->rule : "no error", HOIST_STR_ARGS(all));
    }
}

static hoist_program *lower(hoist_test *t, const vector *row)
{
    const hoist_open_options options = {.struct_size = sizeof(options)};
    hoist_neff *neff = build(t, row);
    hoist_bytes file = {NULL, 0};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    const hoist_status opened = hoist_job_open_bytes(file, "vector", &options, t->diag, &job);
    HOIST_EXPECT_EQ(t, opened, HOIST_OK);
    hoist_neff_destroy(neff);
    if (opened == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
        expect_findings(t, row);
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, NULL, t->diag, &program), HOIST_OK);
    }
    hoist_job_close(job);
    return program;
}

// The run ----------------------------------------------------------------------------------------

static void write_inputs(hoist_test *t, hoist_session *session, const vector *row)
{
    for (const vector_var *var = row->vars; var < row->vars + MAX_VARS && var->name; var++) {
        if (is(var, "input")) {
            const hoist_mut_bytes bytes = bytes_of(t, var->bytes);
            HOIST_EXPECT_EQ(t,
                            hoist_session_write(session, var->name, 0, HOIST_DTYPE_U8,
                                                (hoist_bytes){bytes.data, bytes.size}),
                            HOIST_OK);
        }
    }
}

static void expect_outputs(hoist_test *t, hoist_session *session, const vector *row)
{
    for (const vector_var *var = row->vars; var < row->vars + MAX_VARS && var->name; var++) {
        if (is(var, "output")) {
            const hoist_mut_bytes wanted = bytes_of(t, var->bytes);
            uint8_t *got = hoist_arena_alloc(&t->arena, wanted.size);
            HOIST_EXPECT_EQ(t,
                            hoist_session_read(session, var->name, 0, HOIST_DTYPE_U8,
                                               (hoist_mut_bytes){got, wanted.size}),
                            HOIST_OK);
            HOIST_EXPECT(t, memcmp(got, wanted.data, wanted.size) == 0);
        }
    }
}

static void run(hoist_test *t, const vector *row, const hoist_program *program, uint32_t threads)
{
    const hoist_session_options options = {
        .struct_size = sizeof(options), .threads = threads, .sequential = threads == 0};
    hoist_session *session = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    if (session) {
        write_inputs(t, session, row);
        HOIST_EXPECT_EQ(t, hoist_session_run(session, "run", NULL, 0), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, SECONDS), row->status);
        if (row->status == HOIST_OK) {
            expect_outputs(t, session, row);
        }
        hoist_session_close(session);
    }
}

HOIST_TEST_TABLE(run_as_the_reference_says, vectors)
{
    static const uint32_t ways[] = {0, 1, 4}; // threads; 0: sequentially
    hoist_program *program = lower(t, row);
    for (size_t i = 0; program && i < HOIST_COUNT_OF(ways); i++) {
        run(t, row, program, ways[i]);
    }
    hoist_program_destroy(program);
}

// The header -------------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t at;
    const char *bytes;
} header_cases[] = {
    {"A12 pkg_version", 0, "02 00 00 00 00 00 00 00"},
    {"A12 header_size", 8, "00 04 00 00 00 00 00 00"},
    {"A12 data_size", 16, "AD 06 00 00 00 00 00 00"},
    {"A12 neff_version_major", 24, "02 00 00 00 00 00 00 00"},
    {"A12 neff_version_minor", 32, "00 00 00 00 00 00 00 00"},
    {"A12 num_tpb", 0xA8, "01 00 00 00"},
    {"A12 requested_tpb_count", 0x1DC, "01 00 00 00"},
    {"A12 lnc_size", 0x228, "01 00 00 00"},
};

enum { A12_DATA = 1709 }; // bytes

// A file of version 2.0 with a payload of exactly A12_DATA bytes: a small archive and zeros.
static hoist_bytes a12_file(hoist_test *t, hoist_buffer *out)
{
    hoist_neff *neff = build(t, &vectors[0]);
    hoist_bytes small = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &small), HOIST_OK);
    HOIST_EXPECT(t, small.size > NEFF_HEADER_SIZE && small.size < NEFF_HEADER_SIZE + A12_DATA);
    uint8_t *payload = hoist_arena_alloc(&t->arena, A12_DATA);
    memset(payload, 0, A12_DATA);
    memcpy(payload, small.data + NEFF_HEADER_SIZE, small.size - NEFF_HEADER_SIZE);
    hoist_neff_destroy(neff);
    neff_header header = {.pkg_version = 2,
                          .header_size = NEFF_HEADER_SIZE,
                          .version_major = 2,
                          .num_tpb = 1,
                          .requested_tpb_count = 1,
                          .lnc_size = 1};
    const hoist_bytes bytes = {payload, A12_DATA};
    header.data_size = A12_DATA;
    HOIST_EXPECT_EQ(t, hoist_hash(HOIST_HASH_MD5, bytes, NULL, header.hash), HOIST_OK);
    hoist_buffer_fill(out, '\0', NEFF_HEADER_SIZE);
    neff_write_header(&header, out->data);
    hoist_buffer_add(out, bytes);
    return (hoist_bytes){out->data, out->size};
}

HOIST_TEST_TABLE(header_bytes, header_cases)
{
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    const hoist_bytes file = a12_file(t, &buffer);
    const hoist_mut_bytes wanted = bytes_of(t, row->bytes);
    HOIST_EXPECT_EQ(t, file.size, NEFF_HEADER_SIZE + A12_DATA);
    HOIST_EXPECT(t, file.size > row->at + wanted.size &&
                        memcmp(file.data + row->at, wanted.data, wanted.size) == 0);
    hoist_buffer_deinit(&buffer);
}

HOIST_TEST(a12_file_is_opened)
{
    const hoist_open_options options = {.struct_size = sizeof(options)};
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    hoist_job *job = NULL;
    hoist_test_row(t, "A12");
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(a12_file(t, &buffer), "A12", &options, t->diag, &job),
                    HOIST_OK);
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    hoist_job_close(job);
    hoist_buffer_deinit(&buffer);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(run_as_the_reference_says), HOIST_TEST_ROW(header_bytes),
                HOIST_TEST_ROW(a12_file_is_opened))
