// What of a NEFF cannot be run, each reason by name and at its place, and what waits and updates
// become.
#include <string.h>

#include "base/span.h"
#include "lower/neff/job_testing.h"
#include "lower/neff/state.h"
#include "lower/program_text_testing.h"
#include "program/text.h"
#include "program/verify.h"

#define QUEUE(type) "\"q0\": {\"type\": \"" type "\", \"owner\": \"sp\", \"semaphore\": 1}"
#define SIDE(side, name, sizes, steps)                                                             \
    "\"" side "\": \"" name "\", \"" side "_off\": 0, \"" side "_sizes\": " sizes ", \"" side      \
    "_steps\": " steps
#define COPY SIDE("from", "input", "[64]", "[1]") ", " SIDE("to", "output", "[64]", "[1]")
#define BLOCK(desc) "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{" desc "}]}"
#define SEVEN "0, 0, 0, 0, 0, 0, 0"
#define REMOTE                                                                                     \
    SEVEN ", " SEVEN ", " SEVEN ", " SEVEN ", " SEVEN ", " SEVEN ", " SEVEN ", " SEVEN ", " SEVEN
#define SOURCE "{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1]}"
#define TWO_SOURCES "\"from_arr\": [" SOURCE ", " SOURCE "]"
#define TRIGGER "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
#define NOP "a4 10\n"
#define EXIT "df 10 00 00 00 00 00 00 00 00 00 00 01\n"
#define CALL "d3 10 00 00 00 00 00 00 00 00 00 00 'f'\n"
#define TRANSPOSE(more, sizes)                                                                     \
    BLOCK("\"op\": \"transpose\", " more SIDE("from", "input", sizes, "[1, 8]") ", " SIDE(         \
        "to", "output", sizes, "[1, 8]"))

// clang-format off
static const struct {
    const char *name;
    neff_job_parts parts;
    const char *rule;
    const char *object;
    const char *says;
} refusals[] = {
    {"an instruction that computes", {.records = NOP "02 10\n"}, "RUN-011", "record 1", "opcode 0x02 MATMUL computes; run --on-unknown=skip passes over it (record 1)"},
    {"an activation", {.records = "21 10\n"}, "RUN-011", "record 0", "ACTIVATE"},
    {"a vector operation", {.records = "41 10\n"}, "RUN-011", "record 0", "TENSOR_TENSOR_ARITH_OP"},
    {"a high opcode", {.records = "e7 10\n"}, "RUN-011", "record 0", "INDIRECT_COPY"},
    {"a table of activation functions", {.records = "c6 10\n"}, "RUN-011", "record 0", "PSEUDO_LOAD_ACT_FUNC_SET"},
    {"a branch", {.records = "a9 10 00 00 00 00 00 00 00 00 00 00 03 08 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 f0 ff\n"}, "RUN-012", "record 0", "displacement 0xfff0"},
    {"a label", {.records = "cc 10\n"}, "RUN-012", "record 0", "PSEUDO_BRANCH_LABEL"},
    {"a hint at a branch", {.records = "b5 10\n"}, "RUN-012", "record 0", "BRANCH_PREFETCH_HINT"},
    {"the pseudo hint", {.records = "dd 10\n"}, "RUN-012", "record 0", "displacement 0x0"},
    {"a copy with its own descriptor", {.records = "b8 10\n"}, "RUN-013", "record 0", "DMAMEMCPY"},
    {"the same as pseudo", {.records = "d4 10\n"}, "RUN-013", "record 0", "PSEUDO_DMA_DIRECT2D"},
    {"an indirect copy", {.records = "bb 10\n"}, "RUN-013", "record 0", "DMA_INDIRECT"},
    {"a full indirect copy", {.records = "c4 10\n"}, "RUN-013", "record 0", "PSEUDO_DMAMEMCPY_FULL_IND"},
    {"a transpose of its own", {.records = "bd 10\n"}, "RUN-013", "record 0", "DMA_TRANSPOSE"},
    {"a gather", {.records = "f1 10\n"}, "RUN-013", "record 0", "DMA_GATHER_TRANSPOSE"},
    {"between state buffers", {.records = "bf 10\n"}, "RUN-013", "record 0", "SB2SB_COLLECTIVE"},
    {"a swap of instances", {.records = "cf 10\n"}, "RUN-014", "record 0", "PSEUDO_DMASWAP_QUEUE_SET"},
    {"a semaphore that is set", {.records = "c5 10\n"}, "RUN-014", "record 0", "PSEUDO_SEMAPHORE_SET"},
    {"an address", {.records = "c9 10\n"}, "RUN-014", "record 0", "PSEUDO_READ_VAR_ADDR"},
    {"a load", {.records = "aa 10\n"}, "RUN-014", "record 0", "TENSOR_LOAD"},
    {"a store", {.records = "ab 10\n"}, "RUN-014", "record 0", "TENSOR_STORE"},
    {"a clear of many", {.records = "b0 10\n"}, "RUN-014", "record 0", "EVENT_SEMAPHORE_RANGE_CLEAR"},
    {"a poll", {.records = "b3 10\n"}, "RUN-014", "record 0", "POLL_SEM"},
    {"a test", {.records = "b4 10\n"}, "RUN-014", "record 0", "TEST_EVENT_SEM"},
    {"a write", {.records = "a5 10\n"}, "RUN-014", "record 0", "WRITE"},
    {"an opcode of nobody", {.records = "3f 10\n"}, "RUN-014", "record 0", "opcode 0x3f unassigned"},
    {"an instruction without a name", {.records = "df 10 00 00 00 00 00 00 00 00 00 00 07\n"}, "RUN-014", "record 0", "sub-opcode 7"},
    {"another kind of collective", {.records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 04\n"}, "RUN-015", "record 0", "kind 4"},
    {"a reduction of another operation", {.records = "c8 10 00 00 00 00 00 00 00 00 00 00 05 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "RUN-015", "record 0", "SUB (5)"},
    {"elements of no type", {.records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "RUN-015", "record 0", "type code 0"},
    {"no elements", {.records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 01\n"}, "RUN-015", "record 0", "0 elements"},
    {"a second form of collective", {.records = "d9 10\n"}, "RUN-015", "record 0", "PSEUDO_TRIGGER_COLLECTIVE2"},
    {"a permutation with a name", {.blocks = TRANSPOSE("\"transpose_op\": \"WZXY\", ", "[8, 8]"), .records = TRIGGER}, "RUN-016", "dma/0/desc/0", "transpose_op is 'WZXY', expected none: what names mean is not public (descriptor 0 of the block with id 0)"},
    {"a transpose without a shape", {.blocks = TRANSPOSE("", "[4, 8]"), .records = TRIGGER}, "RUN-016", "dma/0/desc/0", "8 by 4"},
    {"a shape of other bytes", {.blocks = TRANSPOSE("\"transpose_shape\": [8, 1, 1, 9], ", "[8, 8]"), .records = TRIGGER}, "RUN-016", "dma/0/desc/0", "64 bytes"},
    {"elements too large to transpose", {.blocks = TRANSPOSE("\"transpose_element_size\": 9, ", "[8, 8]"), .records = TRIGGER}, "RUN-016", "dma/0/desc/0", "9 bytes"},
    {"an embedding update", {.queues = QUEUE("embedding_update"), .records = TRIGGER}, "RUN-017", "record 0", "queue set 'q0' has type embedding_update; its execution is not public"},
    {"a dynamic set", {.queues = QUEUE("dynamic"), .records = TRIGGER}, "RUN-017", "record 0", "'q0' is dynamic"},
    {"a raw count", {.records = "c1 10 00 00 00 00 00 00 00 00 00 00 'q0' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 05\n"}, "RUN-017", "record 0", "5 ring entries"},
    {"one trigger too many", {.records = TRIGGER TRIGGER}, "RUN-017", "record 1", "no block with id 0 left"},
    {"more signals than a step has", {.blocks = "{\"id\": 0, \"queue\": \"q0\", \"remote_semaphores\": [" REMOTE "], \"desc\": [{" SIDE("from", "input", "[8]", "[1]") ", " SIDE("to", "output", "[8]", "[1]") "}]}", .records = TRIGGER}, "RUN-017", "record 0", "63 remote semaphores, expected at most 62"},
    {"a library of operations", {.records = "df 10 00 00 00 00 00 00 00 00 00 00 02\n"}, "RUN-018", "record 0", "library"},
    {"a wait of no known code", {.records = "a4 10 00 00 08 01 00 00\n"}, "RUN-019", "record 0", "08 01 00 00"},
    {"an update of no known code", {.records = "a4 10 00 00 00 00 08 01\n"}, "RUN-019", "record 0", "00 00 08 01"},
    {"division", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 07 08 01\n"}, "RUN-021", "record 0", "DIV (0x07)"},
    {"a power", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 1a 08 01\n"}, "RUN-021", "record 0", "POW (0x1a)"},
    {"a remainder", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 1b 08 01\n"}, "RUN-021", "record 0", "MOD (0x1b)"},
    {"a checksum", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 1c 09 01\n"}, "RUN-021", "record 0", "CRC32 (0x1c)"},
    {"a root", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 1d 08 01\n"}, "RUN-021", "record 0", "RSQRT (0x1d)"},
    {"arithmetic on floats", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 04 0a 01\n"}, "RUN-021", "record 0", "type code 10"},
    {"a move from half an address", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 01 08 00 00 80\n"}, "RUN-021", "record 0", "register 128 is read, the lower half of the instruction's address, which instructions have on devices alone (record 0)"},
    {"a move to half an address", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 01 08 01 00 00 00 00 00 00 00 00 00 81\n"}, "RUN-021", "record 0", "register 129 is written, the upper half of the instruction's address, which can only be read (record 0)"},
    {"a move to a register that is not there", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 01 08 01 00 00 00 00 00 00 00 00 00 82\n"}, "RUN-021", "record 0", "register 130 is written, expected 0 to 63"},
    {"a sum of a register that is not there", {.records = "a8 10 00 00 00 00 00 00 00 00 00 00 04 08 01 00 40\n"}, "RUN-021", "record 0", "register 64 is read, expected 0 to 63"},
    {"nine moves", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 09 08 01\n"}, "RUN-021", "record 0", "9 moves"},
    {"a move of a byte", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 01 02 01\n"}, "RUN-021", "record 0", "MOVE has the dtype 0x02 (int8), expected int32"},
    {"a move of another kind", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 01 08 02\n"}, "RUN-021", "record 0", "MOVE has sources of kind 2"},
    {"a move to one register twice", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 02 08 01\n"}, "RUN-021", "record 0", "MOVE writes $R[0] twice"},
    {"an exchange", {.records = "a7 10 00 00 00 00 00 00 00 00 00 00 02 08 00 00 02 01 00 00 00 00 00 00 01 02\n"}, "RUN-021", "record 0", "MOVE reads and writes $R[1]"},
    {"a wait for a register that is not there", {.records = "a4 10 00 00 85 01 00 00 40 00 00 00\n"}, "RUN-021", "record 0", "register 64 is read, expected 0 to 63"},
    {"a function that calls itself", {.records = "d3 10 00 00 00 00 00 00 00 00 00 00 'f'\nd1 10 00 00 00 00 00 00 00 00 00 00 'f'\nd3 10 00 00 00 00 00 00 00 00 00 00 'f'\n"}, "NEFF-072a", "record 2", "calls itself"},
    {"functions that call each other", {.records = "d3 10 00 00 00 00 00 00 00 00 00 00 'f'\nd1 10 00 00 00 00 00 00 00 00 00 00 'f'\nd3 10 00 00 00 00 00 00 00 00 00 00 'g'\nd1 10 00 00 00 00 00 00 00 00 00 00 'g'\nd3 10 00 00 00 00 00 00 00 00 00 00 'f'\n"}, "NEFF-072a", "record 4", "calls itself"},
    {"a group with a rank too many", {.groups = "[[0, 7]]", .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "RUN-023", "record 0", "rank 7, expected 0 to 0: there is 1 rank (record 0)"},
    {"a variable without memory", {.vars = "\"input\": {\"type\": \"pipe\", \"var_id\": 0, \"size\": 64}, \"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}", .records = TRIGGER}, "RUN-024", "dma/0/desc/0", "'input', has no memory"},
    {"more bytes than an area has", {.vars = "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, \"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 68719476737}", .records = NOP}, "RUN-024", "var/output", "68719476736 bytes of their area"},
    {"a pointer to nothing", {.vars = "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, \"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}, \"p\": {\"type\": \"dge-table\", \"var_id\": 2, \"size\": 8, \"list\": [9]}", .records = NOP}, "RUN-024", "var/p", "without memory"},
    {"more dimensions than views have", {.blocks = BLOCK(SIDE("from", "input", "[1,1,1,1,1,1,1,1,64]", "[1,1,1,1,1,1,1,1,1]") ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "'from_sizes' has 9 items, 'from_steps' has 9, expected as many, 1 to 8 (descriptor 0 of the block with id 0)"},
    {"a size of 0", {.blocks = BLOCK(SIDE("from", "input", "[64, 0]", "[1, 1]") ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "item 1 of 'from_sizes' is 0, expected 1 or more (descriptor"},
    {"a size and no step", {.blocks = BLOCK(SIDE("from", "input", "[64]", "[]") ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "'from_sizes' has 1 item, 'from_steps' has 0, expected as many"},
    {"an operation of nobody", {.blocks = BLOCK("\"op\": \"xor\", " COPY), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "not known"},
    {"bytes that are no elements", {.blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"float32\", " SIDE("from", "input", "[6]", "[1]") ", " SIDE("to", "output", "[6]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "6 bytes"},
    {"a copy of two sources", {.blocks = BLOCK("\"op\": \"copy\", " TWO_SOURCES ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "2 sources, expected one"},
    {"a cast of two sources", {.blocks = BLOCK("\"op\": \"cast\", " TWO_SOURCES ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "2 sources, expected one"},
    {"a transpose of two sources", {.blocks = BLOCK("\"op\": \"transpose\", " TWO_SOURCES ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "2 sources, expected one"},
    {"elements of a type that is not known", {.blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"float33\", " COPY), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "the element type of 'from' is not known"},
    {"results of a type that is not known", {.blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"float32\", \"to_dtype\": \"float33\", " COPY), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "the element type of 'to' is not known"},
    {"more bytes than can be counted", {.blocks = BLOCK(SIDE("from", "input", "[4294967296, 4294967296]", "[0, 0]") ", " SIDE("to", "output", "[64]", "[1]")), .records = TRIGGER}, "RUN-025", "dma/0/desc/0", "the bytes of 'from' are more than can be counted"},
    {"a collective to no variable", {.groups = "[[0]]", .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 09 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "RUN-024", "record 0", "variable 9 has no memory"},
    {"a collective of a variable without memory", {.vars = "\"input\": {\"type\": \"pipe\", \"var_id\": 0, \"size\": 64}, \"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}", .groups = "[[0]]", .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "RUN-024", "record 0", "variable 0 has no memory"},
    {"a rank in no group", {.groups = "[[1, 2]]", .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "NEFF-071a", "record 0", "in no group"},
    {"a group that is not there", {.groups = "[[0]]", .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 01 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 00 00 01\n"}, "NEFF-071a", "record 0", "group_id 1"},
    {"a trigger of a pinned set", {.queues = "\"q0\": {\"type\": \"data\", \"pinned\": true}", .records = TRIGGER}, "NEFF-039d", "record 0", "pinned"},
    {"a trigger of no set", {.records = "c1 10 00 00 00 00 00 00 00 00 00 00 'q7'\n"}, "NEFF-068a", "record 0", "'q7'"},
};
// clang-format on

static bool has_finding(const hoist_test *t, const char *rule, const char *object, const char *says)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (strcmp(f->rule->id, rule) == 0 && hoist_str_equal_c(f->object, object) &&
            hoist_str_contains(f->message, says)) {
            return true;
        }
    }
    return false;
}

HOIST_TEST_TABLE(what_cannot_run_is_refused_by_name, refusals)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = 1};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &row->parts, &neff);
    const hoist_status status = neff_job_lower(t, &neff, 1, &options, &program);
    const bool own = strncmp(row->rule, "RUN", 3) == 0;
    HOIST_EXPECT_EQ(t, status, own ? HOIST_UNSUPPORTED : HOIST_INVALID);
    HOIST_EXPECT(t, program == NULL);
    if (!has_finding(t, row->rule, row->object, row->says)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no %s of %s: %s", row->rule, row->object,
                        hoist_test_findings(t).data);
    }
}

#define EIGHT(last) "[1,1,1,1,1,1,1," last "]"

HOIST_TEST(patterns_have_as_many_dimensions_as_views)
{
    static const neff_job_parts parts = {
        .blocks = BLOCK(SIDE("from", "input", EIGHT("64"),
                             EIGHT("1")) ", " SIDE("to", "output", EIGHT("64"), EIGHT("1"))),
        .records = TRIGGER};
    const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

// Functions each of which calls the next; how many may be in each other.
static const struct {
    const char *name;
    int count;
    bool fits;
} depths[] = {{"one", 1, true},
              {"as many as may be", NEFF_LOWER_MAX_DEPTH, true},
              {"one more", NEFF_LOWER_MAX_DEPTH + 1, false}};

HOIST_TEST_TABLE(calls_are_nested_so_deep, depths)
{
    const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    hoist_buffer records;
    neff_texts neff;
    hoist_buffer_init(&records, hoist_allocator_system());
    hoist_buffer_c(&records, "d3 10 00 00 00 00 00 00 00 00 00 00 'f1'\n" EXIT);
    for (int i = 1; i <= row->count; i++) {
        hoist_buffer_format(&records, "d1 10 00 00 00 00 00 00 00 00 00 00 'f%d'\n", i);
        hoist_buffer_format(
            &records, i < row->count ? "d3 10 00 00 00 00 00 00 00 00 00 00 'f%d'\n" : NOP, i + 1);
    }
    hoist_buffer_char(&records, '\0');
    const neff_job_parts parts = {.records = hoist_buffer_text(&records).data};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program),
                    row->fits ? HOIST_OK : HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, row->fits ? NULL : "RUN-022");
    hoist_program_destroy(program);
    hoist_buffer_deinit(&records);
}

// clang-format off
static const neff_job_parts overwriting = {.blocks = BLOCK(SIDE("from", "input", "[1, 2000000000]", "[1, 0]") ", " SIDE("to", "output", "[1, 2000000000]", "[1, 0]")), .records = TRIGGER};
// clang-format on

// What would take too long ends as other limits do.
HOIST_TEST(limits_end_the_lowering)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = 1};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &overwriting, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), HOIST_LIMIT);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT(t, has_finding(t, "RUN-025", "dma/0/desc/0", "bytes are written over each other"));
    HOIST_EXPECT(
        t, has_finding(t, "RUN-025", "dma/0/desc/0", " (descriptor 0 of the block with id 0)"));
}

#define FIVE_TIMES "d1 10 00 00 00 00 00 00 00 00 00 00 'f'\n" NOP NOP NOP NOP NOP

static const struct {
    const char *name;
    const char *records;
    uint64_t max_steps;
    hoist_status status;
} given_limits[] = {
    {"none", CALL CALL CALL EXIT FIVE_TIMES, 0, HOIST_OK},
    {"as many as there are", CALL CALL CALL EXIT FIVE_TIMES, 19, HOIST_OK},
    {"one less", CALL CALL CALL EXIT FIVE_TIMES, 18, HOIST_LIMIT},
    {"less than the file has", CALL CALL CALL EXIT FIVE_TIMES, 1, HOIST_LIMIT},
    {"all are in the file", NOP NOP NOP EXIT, 1, HOIST_OK},
};

HOIST_TEST_TABLE(a_given_limit_ends_the_lowering, given_limits)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .max_steps = row->max_steps};
    const neff_job_parts parts = {.records = row->records};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), row->status);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->status == HOIST_LIMIT);
    if (row->max_steps == 18) {
        HOIST_EXPECT(t, has_finding(t, "RUN-022", "record 3",
                                    "unrolling the functions that the engine calls takes more than "
                                    "18 steps, the limit that was given (record 3)"));
    }
    hoist_program_destroy(program);
}

#define TOO_FAR                                                                                    \
    "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 11 00 00 00 00 00 "   \
    "00 00 01\n"

// What reads or writes beyond a variable names it.
HOIST_TEST(bounds_of_collectives_name_the_variable)
{
    const neff_job_parts parts = {
        .records = TOO_FAR,
        .vars = "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 128},"
                "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_RULE(t, "NEFF-055");
    HOIST_EXPECT(t, has_finding(t, "NEFF-055", "record 0",
                                "bytes 0 to 68 of buffer 'output', which has 64"));
    hoist_program_destroy(program);
}

// A number of ranks that is not readable is not 1.
static const struct {
    const char *name;
    const char *size;
    uint32_t ranks;
    hoist_status status;
} worlds[] = {
    {"a number", "2", 0, HOIST_OK},
    {"a word", "\"2\"", 0, HOIST_UNSUPPORTED},
    {"none", "0", 0, HOIST_UNSUPPORTED},
    {"null", "null", 0, HOIST_UNSUPPORTED},
    {"a word, and the caller says it", "\"2\"", 2, HOIST_OK},
};

HOIST_TEST_TABLE(the_size_of_a_world_is_a_number, worlds)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = row->ranks};
    const hoist_str said =
        hoist_arena_format(&t->arena, "[[]],\n\"#rank_world_size\": %s", row->size);
    const neff_job_parts parts = {.groups = said.data, .records = NOP};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), row->status);
    if (row->status != HOIST_OK) {
        HOIST_EXPECT_RULE(t, "RUN-023");
        neff_test_expect(t, &neff, "RUN-023", "sg00/def.json", "\"#rank_world_size\": ^",
                         "expected a number of ranks");
    }
    hoist_program_destroy(program);
}

// Of several files each says what hinders it, and what is to be known of it.
HOIST_TEST(each_file_says_why)
{
    static const neff_job_parts parts[] = {
        {.blocks = TRANSPOSE("", "[8, 8]"), .records = "02 10\n" TRIGGER},
        {.blocks = TRANSPOSE("", "[8, 8]"), .records = "21 10\n" TRIGGER},
        {.records = "d3 10 00 00 00 00 00 00 00 00 00 00 'f'\n"},
        {.records = "d3 10 00 00 00 00 00 00 00 00 00 00 'g'\n"},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i += 2) {
        hoist_program *program = NULL;
        neff_texts neff[2];
        neff_job_texts(t, &parts[i], &neff[0]);
        neff_job_texts(t, &parts[i + 1], &neff[1]);
        HOIST_EXPECT_EQ(t, neff_job_lower(t, neff, 2, NULL, &program),
                        i ? HOIST_INVALID : HOIST_UNSUPPORTED);
    }
    HOIST_EXPECT(t, has_finding(t, "RUN-011", "record 0", "MATMUL"));
    HOIST_EXPECT(t, has_finding(t, "RUN-011", "record 0", "ACTIVATE"));
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "RUN-027"), 2);
    HOIST_EXPECT(t, has_finding(t, "NEFF-070a", "record 0", "'f'"));
    HOIST_EXPECT(t, has_finding(t, "NEFF-070a", "record 0", "'g'"));
}

// A record that is refused does not hide those after it.
HOIST_TEST(each_record_says_why)
{
    static const neff_job_parts parts = {.records = "02 10\n21 10\n" NOP "3f 10\n"};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, has_finding(t, "RUN-011", "record 0", "MATMUL"));
    HOIST_EXPECT(t, has_finding(t, "RUN-011", "record 1", "ACTIVATE"));
    HOIST_EXPECT(t, has_finding(t, "RUN-014", "record 3", "unassigned"));
}

// clang-format off
static const neff_job_parts crowded = {.queues = "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 16}", .blocks = "{\"id\": 0, \"queue\": \"q0\", \"remote_semaphores\": [" REMOTE "], \"desc\": [{" SIDE("from", "input", "[8]", "[1]") ", " SIDE("to", "output", "[8]", "[1]") "}]}", .records = TRIGGER};
// clang-format on

// What stops all rings of a block is reported once.
HOIST_TEST(a_block_is_refused_once)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = 1};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &crowded, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
}

// Whole files ------------------------------------------------------------------------------------

#define HOST_NODE "{\"op\": \"cpu\", \"name\": \"h\", \"inputs\": []},\n  {\"op\": \"null\""

// clang-format off
static const struct {
    const char *name;
    uint32_t lnc_size;
    uint64_t feature_bits;
    const char *target;
    const char *find, *put; // in neff.json
    const char *records;
    const char *rule;
    const char *object;
    const char *says;
} whole_files[] = {
    {"two cores with one subgraph", 2, 0, NULL, NULL, NULL, NOP, "RUN-018", "", "lnc_size is 2, there is 1 subgraph"},
    {"a node of the host", 1, 0, NULL, "{\"op\": \"null\"", HOST_NODE, NOP, "RUN-018", "", "node 'h' is a 'cpu'"},
    {"a bit without a name", 1, UINT64_C(1) << 40, NULL, NULL, NULL, NOP, "RUN-020", "", "feature bit 40"},
    {"the lowest bit", 1, 1, NULL, NULL, NULL, NOP, "RUN-020", "", "feature bit 0"},
    {"events of generation 1", 1, 0, "tonga", NULL, NULL, "68 10 00 00 01 02 03 04\n", "RUN-019", "record 0", "01 02 03 04"},
};
// clang-format on

HOIST_TEST_TABLE(whole_files_are_refused_by_name, whole_files)
{
    static const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, row->target, &neff);
    neff_test_stream(t, &neff, "sg00/sp.bin", row->records);
    if (row->find) {
        neff_test_edit(t, &neff, "neff.json", row->find, row->put);
    }
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
        module->header.lnc_size = row->lnc_size;
        module->header.feature_bits = row->feature_bits;
        HOIST_EXPECT_EQ(t, neff_lower(&file, 1, NULL, &options, t->diag, &program),
                        HOIST_UNSUPPORTED);
    }
    if (!has_finding(t, row->rule, row->object, row->says)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no %s: %s", row->rule, hoist_test_findings(t).data);
    }
    neff_test_destroy(module);
}

// Rules ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_program_rule program;
    const char *neff; // NULL: there is none
} rules[] = {
    {"bounds", HOIST_PRG_018, "NEFF-055"},
    {"reads of what was never written", HOIST_PRG_038, "NEFF-063"},
    {"the same in some order", HOIST_PRG_104, "NEFF-063"},
    {"a run that does not end", HOIST_PRG_102, "NEFF-072a"},
    {"one of which it is not known", HOIST_PRG_105, "NEFF-072b"},
    {"what nobody waits for", HOIST_PRG_108, "NEFF-072c"},
    {"a race", HOIST_PRG_101, "NEFF-075a"},
    {"one that is not known", HOIST_PRG_106, "NEFF-075b"},
    {"one that cannot be told", HOIST_PRG_107, "NEFF-075c"},
    {"a rule of programs alone", HOIST_PRG_013, NULL},
    {"the first of all", HOIST_PRG_001, NULL},
};
// clang-format on

HOIST_TEST_TABLE(rules_of_programs_are_those_of_files, rules)
{
    const hoist_rule *rule = neff_lower_rule(row->program);
    HOIST_EXPECT_STR(t, hoist_str_from(rule ? rule->id : "none"), row->neff ? row->neff : "none");
}

// Programs of nothing ----------------------------------------------------------------------------

// Streams without a record are no threads; an entry has one.
HOIST_TEST(without_a_record_nothing_runs)
{
    static const char *const streams[] = {"sg00/pe.bin", "sg00/act.bin", "sg00/pool.bin",
                                          "sg00/dve.bin", "sg00/sp.bin"};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &(neff_job_parts){0}, &neff);
    for (size_t i = 0; i < HOIST_COUNT_OF(streams); i++) {
        neff_test_put(t, &neff, streams[i], HOIST_STR(""));
    }
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    lower_test_expect_piece(t, program, "thread |entry ",
                            "thread nothing {\n"
                            "}\n"
                            "entry run {\n"
                            "start nothing\n"
                            "}\n");
    hoist_program_destroy(program);
}

// Cores of a file --------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    uint32_t cores, lnc_size;
    const char *member; // one more
    const char *says;   // NULL: it runs
} counts[] = {
    {"one of one", 1, 1, NULL, NULL},
    {"two of one logical core", 2, 2, NULL, NULL},
    {"two logical cores of one", 2, 1, NULL, NULL},
    {"a logical core of three with two subgraphs", 2, 3, NULL, "lnc_size is 3, there are 2 subgraphs [RUN-018]\n"},
    {"two with one subgraph", 1, 2, NULL, "lnc_size is 2, there is 1 subgraph [RUN-018]\n"},
    {"no subgraph", 0, 1, NULL, "there is no subgraph [RUN-018]\n"},
    {"no subgraph at all", 0, 0, NULL, "there is no subgraph [RUN-018]\n"},
    {"a library", 1, 1, "cpu.so", "member 'cpu.so' is a library of custom operations [RUN-018]\n"},
    {"a member that is no library", 1, 1, "cpu.sol", NULL},
};
// clang-format on

HOIST_TEST_TABLE(cores_and_members_are_counted, counts)
{
    static const hoist_lower_options options = {.struct_size = sizeof options};
    const neff_job_parts parts = {.records = NOP};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    neff_job_cores(t, &neff, row->cores);
    if (row->member) {
        neff_test_put(t, &neff, row->member, HOIST_STR("x"));
    }
    neff_module *module = neff_test_read(t, &neff);
    if (!module) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
        return;
    }
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
    const uint32_t subgraphs = module->subgraph_count;
    module->header.lnc_size = row->lnc_size;
    module->subgraph_count = row->cores;
    for (uint32_t i = 0; i < module->member_count; i++) {
        neff_member *member = &module->members[i];
        member->role = neff_known_role(member->name); // as a container's reader does
    }
    const hoist_status status = neff_lower(&file, 1, NULL, &options, t->diag, &program);
    HOIST_EXPECT_EQ(t, status, row->says ? HOIST_UNSUPPORTED : HOIST_OK);
    HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t), row->says ? row->says : ""));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->says ? 1 : 0);
    module->subgraph_count = subgraphs;
    hoist_program_destroy(program);
    neff_test_destroy(module);
}

// All 16 are the same subgraph under names of their own; the 17th is one too many.
HOIST_TEST(a_file_has_up_to_16_cores)
{
    static const hoist_lower_options options = {.struct_size = sizeof options};
    for (int count = NEFF_LOWER_MAX_CORES; count <= NEFF_LOWER_MAX_CORES + 1; count++) {
        hoist_program *program = NULL;
        neff_texts neff;
        neff_job_texts(t, &(neff_job_parts){.records = NOP}, &neff);
        for (int i = 1; i < count; i++) {
            neff_test_edit(t, &neff, "kelf-0.json", "{\"definition\"",
                           hoist_arena_format(&t->arena,
                                              "{\"definition\": \"sg00/def.json\", \"name\": "
                                              "\"s%d\"}, {\"definition\"",
                                              i)
                               .data);
        }
        HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program),
                        count > NEFF_LOWER_MAX_CORES ? HOIST_UNSUPPORTED : HOIST_OK);
        hoist_program_destroy(program);
    }
    HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t),
                                        "17 subgraphs, expected at most 16 [RUN-018]\n"));
}

// A bit that has a name does not hinder a run: its records do.
HOIST_TEST(bits_with_names_are_let_pass)
{
    static const hoist_lower_options options = {.struct_size = sizeof options};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
        module->header.feature_bits = UINT64_C(1) << 2 | UINT64_C(1) << 12;
        HOIST_EXPECT_EQ(t, neff_lower(&file, 1, NULL, &options, t->diag, &program), HOIST_OK);
    }
    hoist_program_destroy(program);
    neff_test_destroy(module);
}

// A note only: the program is there.
HOIST_TEST(activation_tables_are_noted)
{
    hoist_program *program = NULL;
    neff_texts neff;
    const neff_job_parts parts = {.queues = QUEUE("act_load"), .records = TRIGGER};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    HOIST_EXPECT(t, has_finding(t, "RUN-026", "record 0", "at once"));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    hoist_program_destroy(program);
}

// A note for the first one alone, and none for other moves.
HOIST_TEST(transposes_are_unverified)
{
    static const char *const blocks[] = {
        BLOCK(COPY),
        TRANSPOSE("", "[8, 8]"),
        TRANSPOSE("", "[8, 8]") ", " TRANSPOSE("", "[8, 8]"),
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(blocks); i++) {
        hoist_program *program = NULL;
        neff_texts neff;
        const neff_job_parts parts = {.blocks = blocks[i],
                                      .records = i < 2 ? TRIGGER : TRIGGER TRIGGER};
        const size_t before = hoist_diag_count(t->diag, HOIST_NOTE);
        neff_job_texts(t, &parts, &neff);
        HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), before + (i > 0));
        hoist_program_destroy(program);
    }
    HOIST_EXPECT(t, has_finding(t, "RUN-027", "dma/0/desc/0", "unverified"));
}

#define ZEROS_7 "00 00 00 00 00 00 00 "
#define FUNCTION(resets)                                                                           \
    "d1 10 00 00 00 00 00 00 00 00 00 00 'f' " ZEROS_7 ZEROS_7 ZEROS_7 ZEROS_7 ZEROS_7 resets "\n"

// A note for the first one that is called.
HOIST_TEST(semaphores_that_are_not_reset)
{
    static const struct {
        const char *records;
        size_t notes;
    } rows[] = {{CALL CALL EXIT FUNCTION("03"), 1},
                {CALL EXIT FUNCTION("00"), 0},
                {EXIT FUNCTION("03"), 0}};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_program *program = NULL;
        neff_texts neff;
        const neff_job_parts parts = {.records = rows[i].records};
        const size_t before = hoist_diag_count(t->diag, HOIST_NOTE);
        neff_job_texts(t, &parts, &neff);
        HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), before + rows[i].notes);
        hoist_program_destroy(program);
    }
    HOIST_EXPECT(t, has_finding(t, "RUN-028", "record 3", "function 'f' is 3"));
}

HOIST_TEST(memory_of_our_own_has_a_name_of_its_own)
{
    hoist_program *program = NULL;
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff);
    neff_test_edit(t, &neff, "sg00/def.json", "\"SB\"", "\"chip\"");
    neff_test_edit(t, &neff, "sg00/def.json", "\"gradient_in\": {", "\"chip'\": {");
    neff_test_edit(t, &neff, "sg00/pool.json", "\"gradient_in\"", "\"chip'\"");
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    HOIST_EXPECT_STR(t, program ? program->spaces[program->space_count - 1].name : HOIST_STR(""),
                     "chip''");
    hoist_program_destroy(program);
}

// Waits and updates ------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *record; // bytes 4 ... 11
    const char *steps;
} modes[] = {
    {"nothing", "00 00 00 00 00 00 00 00", ""},
    {"equal", "01 07 00 00 03 00 00 00", "wait s7 == 3"},
    {"less", "02 07 00 00 03 00 00 00", "wait s7 < 3"},
    {"less or equal", "03 07 00 00 03 00 00 00", "wait s7 <= 3"},
    {"greater", "04 07 00 00 ff ff ff ff", "wait s7 > 4294967295"},
    {"greater or equal", "05 07 00 00 03 00 00 00", "wait s7 >= 3"},
    {"set", "06 07 00 00 00 00 00 00", "wait e7 == 1"},
    {"set, then clear", "07 07 00 00 00 00 00 00", "wait e7 == 1 then clear"},
    {"clear", "0e 07 00 00 00 00 00 00", "wait e7 == 0"},
    {"clear, then set", "0f 07 00 00 00 00 00 00", "wait e7 == 0 then set 1"},
    {"equal to a register", "81 07 00 00 05 00 00 00", "wait s7 == r5"},
    {"greater or equal to a register", "85 07 00 00 05 00 00 00", "wait s7 >= r5"},
    {"unordered", "fe 00 00 00 00 00 00 00", ""},
    {"set at read", "00 00 01 09 00 00 00 00", "signal e9 set 1"},
    {"clear at read", "00 00 02 09 00 00 00 00", "signal e9 set 0"},
    {"one more at read", "00 00 03 09 00 00 00 00", "signal s9 add 1"},
    {"one less at read", "00 00 04 09 00 00 00 00", "signal s9 sub 1"},
    {"more at read", "00 00 05 09 06 00 00 00", "signal s9 add 6"},
    {"less at read", "00 00 07 09 06 00 00 00", "signal s9 sub 6"},
    {"written at read", "00 00 09 09 06 00 00 00", "signal s9 set 6"},
    {"set at completion", "00 00 11 09 00 00 00 00", "signal e9 set 1"},
    {"clear at completion", "00 00 12 09 00 00 00 00", "signal e9 set 0"},
    {"one more at completion", "00 00 13 09 00 00 00 00", "signal s9 add 1"},
    {"one less at completion", "00 00 14 09 00 00 00 00", "signal s9 sub 1"},
    {"more at completion", "00 00 15 09 06 00 00 00", "signal s9 add 6"},
    {"less at completion", "00 00 17 09 06 00 00 00", "signal s9 sub 6"},
    {"written at completion", "00 00 19 09 06 00 00 00", "signal s9 set 6"},
    {"a register written at completion", "00 00 99 09 06 00 00 00", "signal s9 set r6"},
    {"both", "04 07 13 09 00 00 00 00", "wait s7 > 0\n    signal s9 add 1"},
};
// clang-format on

static hoist_str text_of(hoist_test *t, const hoist_program *program)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &out), HOIST_OK);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// The steps of thread `sp` without their labels.
static hoist_str steps_of(hoist_test *t, const hoist_program *program)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const char *at = strstr(text_of(t, program).data, "thread sp {\n");
    const char *end = at ? strstr(at, "\n}") : NULL;
    for (at = at ? strchr(at, '\n') + 1 : NULL; at && at < end; at = strchr(at, '\n') + 1) {
        const char *line = at + strspn(at, " ");
        const size_t size = strcspn(line, "\n");
        const char *colon = memchr(line, ':', size);
        const char *step = colon ? colon + 2 : line;
        if (strncmp(line, "register", 8) != 0) {
            hoist_buffer_format(&out, "%s%.*s", out.size ? "\n    " : "", (int)(line + size - step),
                                step);
        }
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

HOIST_TEST_TABLE(each_wait_and_update_is_a_step, modes)
{
    hoist_program *program = NULL;
    neff_texts neff;
    const neff_job_parts parts = {
        .records = hoist_arena_format(&t->arena, "a4 10 00 00 %s\n", row->record).data};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, steps_of(t, program), row->steps);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
    }
    hoist_program_destroy(program);
}

// Both halves of EVENT_SEMAPHORE wait, then both update.
HOIST_TEST(both_halves_count)
{
    hoist_program *program = NULL;
    neff_texts neff;
    const neff_job_parts parts = {.records = "a0 10 00 00 04 01 13 02 00 00 00 00 00 00 00 00 00 "
                                             "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                                             "05 03 15 04 07 00 00 00 09 00 00 00\n"};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, steps_of(t, program),
                         "wait s1 > 0\n    wait s3 >= 7\n    signal s2 add 1\n    signal s4 add 9");
    }
    hoist_program_destroy(program);
}

// Policies ---------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_unknown on_unknown;
    bool control_only;
    const char *steps; // begin so
    const char *end;
} policies[] = {
    {"skip", HOIST_UNKNOWN_SKIP, false, "wait s3 > 0\n    opaque MATMUL record ", "] skip\n    signal s4 add 1"},
    {"skip where orders are judged", HOIST_UNKNOWN_SKIP, true, "wait s3 > 0\n    signal s4 add 1", ""},
    {"poison", HOIST_UNKNOWN_POISON, false, "wait s3 > 0\n    opaque MATMUL record ", "]\n    signal s4 add 1"},
    {"poison where orders are judged", HOIST_UNKNOWN_POISON, true, "wait s3 > 0\n    opaque MATMUL record ", "]\n    signal s4 add 1"},
};
// clang-format on

HOIST_TEST_TABLE(what_computes_waits_and_updates, policies)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .on_unknown = row->on_unknown,
                                         .control_only = row->control_only};
    hoist_program *program = NULL;
    neff_texts neff;
    const neff_job_parts parts = {.records = "02 10 00 00 04 03 13 04\n"};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT(t, hoist_str_starts_with(steps_of(t, program), row->steps));
        HOIST_EXPECT(t, hoist_str_ends_with(steps_of(t, program), row->end));
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
    }
    hoist_program_destroy(program);
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status lower_with(hoist_allocator alloc, const void *self)
{
    // The module is there; only lowering it asks for memory.
    neff_module *module = *(neff_module *const *)self;
    const hoist_allocator own = module->base.alloc;
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = 2};
    hoist_program *program = NULL;
    module->base.alloc = alloc;
    const hoist_status status = neff_lower(&file, 1, NULL, &options, NULL, &program);
    hoist_program_destroy(program);
    module->base.alloc = own;
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff);
    neff_module *module = neff_test_read(t, &neff);
    hoist_test_starve(t, lower_with, &module);
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(patterns_have_as_many_dimensions_as_views),
    HOIST_TEST_ROW(calls_are_nested_so_deep), HOIST_TEST_ROW(what_cannot_run_is_refused_by_name),
    HOIST_TEST_ROW(limits_end_the_lowering), HOIST_TEST_ROW(a_given_limit_ends_the_lowering),
    HOIST_TEST_ROW(bounds_of_collectives_name_the_variable), HOIST_TEST_ROW(each_file_says_why),
    HOIST_TEST_ROW(each_record_says_why), HOIST_TEST_ROW(the_size_of_a_world_is_a_number),
    HOIST_TEST_ROW(a_block_is_refused_once), HOIST_TEST_ROW(whole_files_are_refused_by_name),
    HOIST_TEST_ROW(rules_of_programs_are_those_of_files),
    HOIST_TEST_ROW(without_a_record_nothing_runs), HOIST_TEST_ROW(cores_and_members_are_counted),
    HOIST_TEST_ROW(a_file_has_up_to_16_cores), HOIST_TEST_ROW(bits_with_names_are_let_pass),
    HOIST_TEST_ROW(activation_tables_are_noted), HOIST_TEST_ROW(transposes_are_unverified),
    HOIST_TEST_ROW(semaphores_that_are_not_reset),
    HOIST_TEST_ROW(memory_of_our_own_has_a_name_of_its_own),
    HOIST_TEST_ROW(each_wait_and_update_is_a_step), HOIST_TEST_ROW(both_halves_count),
    HOIST_TEST_ROW(what_computes_waits_and_updates),
    HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
