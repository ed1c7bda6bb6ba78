// Variables of NEFFs as buffers: their addresses by area, what they begin with, scratchpads,
// pointers, types, cores and ranks (neff reference section 4.1).
#include "lower/neff/job_testing.h"
#include "lower/program_text_testing.h"

#define VAR(name, type, id, size, more)                                                            \
    "\"" name "\": {\"type\": \"" type "\", \"var_id\": " id ", \"size\": " size more "}"
#define PORTS VAR("input", "input", "0", "64", "") ", " VAR("output", "output", "1", "64", "")
#define ALT ", \"fabric_path\": \"alt\""
#define PAD(buf, off) ", \"backing_variable_off\": " off ", \"backing_buf\": \"" buf "\""
#define BARE_PAD(off) ", \"backing_variable_off\": " off
#define NOP "a4 10\n"
#define TRIGGER "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
#define MEMORY "space |buffer |reloc"
#define AT(side, name)                                                                             \
    "\"" side "\": \"" name "\", \"" side "_off\": 0, \"" side "_sizes\": [4], \"" side            \
    "_steps\": [1]"
#define BLOCK(from, to)                                                                            \
    "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{" AT("from", from) ", " AT("to", to) "}]}"

// clang-format off
static const neff_job_case cases[] = {
    {"by rising id, each at the next multiple of 64",
     {.records = NOP, .vars = VAR("c", "tmp-buf", "5", "1", "") ", " VAR("output", "output", "2", "65", "") ", " VAR("input", "input", "7", "64", "") ", " VAR("b", "tmp-buf", "3", "128", "")},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer output in main size 65 alignment 64 at 0x1000000000 lifetime run output\n"
     "buffer b in main size 128 alignment 64 at 0x1000000080 lifetime run\n"
     "buffer c in main size 1 alignment 64 at 0x1000000100 lifetime run\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000140 lifetime run contents caller\n"},
    {"an alignment that is larger is kept",
     {.records = NOP, .vars = PORTS ", " VAR("a", "tmp-buf", "2", "1", ", \"alignment\": 4096") ", " VAR("b", "tmp-buf", "3", "1", ", \"alignment\": 32") ", " VAR("c", "tmp-buf", "4", "1", ", \"alignment\": 128") ", " VAR("d", "tmp-buf", "5", "1", ", \"alignment\": 96") ", " VAR("e", "tmp-buf", "6", "1", "")},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer a in main size 1 alignment 4096 at 0x1000001000 lifetime run\n"
     "buffer b in main size 1 alignment 64 at 0x1000001040 lifetime run\n"
     "buffer c in main size 1 alignment 128 at 0x1000001080 lifetime run\n"
     "buffer d in main size 1 alignment 64 at 0x10000010c0 lifetime run\n"
     "buffer e in main size 1 alignment 64 at 0x1000001100 lifetime run\n"},
    {"the other area begins elsewhere",
     {.records = NOP, .vars = PORTS ", " VAR("x", "tmp-buf", "2", "100", ALT) ", " VAR("y", "tmp-buf", "3", "100", "") ", " VAR("z", "tmp-buf", "4", "100", ALT)},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space alt alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer y in main size 100 alignment 64 at 0x1000000080 lifetime run\n"
     "buffer x in alt size 100 alignment 64 at 0x2000000000 lifetime run\n"
     "buffer z in alt size 100 alignment 64 at 0x2000000080 lifetime run\n"},
    {"scratchpads come first, rounded to 64 KiB",
     {.records = NOP, .vars = PORTS ", " VAR("v", "virtual", "2", "16", BARE_PAD("100")) ", " VAR("w", "virtual", "3", "200", BARE_PAD("0"))},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer scratchpad.main in main size 200 alignment 64 at 0x1000000000 lifetime run\n"
     "buffer v in main size 16 at 0x1000000064 window scratchpad.main offset 100 lifetime run\n"
     "buffer w in main size 200 at 0x1000000000 window scratchpad.main lifetime run\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000010000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000010040 lifetime run output\n"},
    {"one for each backing buffer and area",
     {.records = NOP, .vars = PORTS ", " VAR("v", "virtual", "2", "16", PAD("one", "8")) ", " VAR("w", "virtual", "3", "70000", PAD("two", "0")) ", " VAR("x", "virtual", "4", "8", PAD("one", "64")) ", " VAR("y", "virtual", "5", "8", PAD("one", "0") ALT)},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space alt alignment 64\n"
     "space chip\n"
     "buffer scratchpad.main.one in main size 72 alignment 64 at 0x1000000000 lifetime run\n"
     "buffer scratchpad.main.two in main size 70000 alignment 64 at 0x1000010000 lifetime run\n"
     "buffer v in main size 16 at 0x1000000008 window scratchpad.main.one offset 8 lifetime run\n"
     "buffer w in main size 70000 at 0x1000010000 window scratchpad.main.two lifetime run\n"
     "buffer x in main size 8 at 0x1000000040 window scratchpad.main.one offset 64 lifetime run\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000030000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000030040 lifetime run output\n"
     "buffer scratchpad.alt.one in alt size 8 alignment 64 at 0x2000000000 lifetime run\n"
     "buffer y in alt size 8 at 0x2000000000 window scratchpad.alt.one lifetime run\n"},
    {"their names are not those of variables",
     {.records = NOP, .vars = PORTS ", " VAR("scratchpad.main", "tmp-buf", "2", "8", "") ", " VAR("scratchpad.main'", "tmp-buf", "3", "8", "") ", " VAR("v", "virtual", "4", "16", BARE_PAD("0"))},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer \"scratchpad.main''\" in main size 16 alignment 64 at 0x1000000000 lifetime run\n"
     "buffer v in main size 16 at 0x1000000000 window \"scratchpad.main''\" lifetime run\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000010000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000010040 lifetime run output\n"
     "buffer scratchpad.main in main size 8 alignment 64 at 0x1000010080 lifetime run\n"
     "buffer \"scratchpad.main'\" in main size 8 alignment 64 at 0x10000100c0 lifetime run\n"},
    {"no memory for what has no bytes or no place",
     {.records = NOP, .vars = PORTS ", " VAR("v", "virtual", "2", "0", BARE_PAD("0")) ", " VAR("w", "virtual", "3", "8", BARE_PAD("-1")) ", " VAR("p", "pipe", "4", "8", "") ", " VAR("t", "tmp-buf", "5", "0", "")},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"},
    {"pointers and tables are filled with addresses",
     {.records = NOP, .vars = PORTS ", " VAR("p", "pointer", "2", "8", ", \"referenced_var_id\": 1") ", " VAR("t", "dge-table", "3", "24", ", \"list\": [0, 2, 1]")},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer p in main size 8 alignment 64 at 0x1000000080 lifetime session contents zero\n"
     "buffer t in main size 24 alignment 64 at 0x10000000c0 lifetime session contents zero\n"
     "relocation p bit 0 gets whole of output\n"
     "relocation t bit 0 gets whole of input\n"
     "relocation t bit 64 gets whole of p\n"
     "relocation t bit 128 gets whole of output\n"},
    {"the chip is one buffer of state and sums",
     {.records = NOP, .vars = PORTS ", " VAR("SB", "state-buffer", "2", "64", "")},
     .heads = MEMORY, .text = "space main alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer chip in chip size 35651584 at 0x0 lifetime run\n"
     "buffer SB in chip size 35651584 at 0x0 window chip lifetime run\n"},
    {"with pinned queues it stays for the session",
     {.queues = "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"pinned\": true}", .blocks = BLOCK("input", "SB"), .records = NOP, .vars = PORTS ", " VAR("SB", "state-buffer", "2", "64", "")},
     .heads = MEMORY "thread sg|thread load|entry ", .text = "space main alignment 64\n"
     "space chip\n"
     "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer chip in chip size 35651584 at 0x0 lifetime session\n"
     "buffer SB in chip size 35651584 at 0x0 window chip lifetime session\n"
     "thread load {\n"
     "post q0 sp/dma/0\n"
     "}\n"
     "entry load once {\n"
     "start load\n"
     "}\n"
     "entry run {\n"
     "start pe\n"
     "start act\n"
     "start pool\n"
     "start dve\n"
     "start sp\n"
     "}\n"},
    {"inputs and outputs of cores are shared",
     {.records = NOP, .vars = PORTS ", " VAR("t", "tmp-buf", "2", "8", "") ", " VAR("v", "virtual", "3", "8", BARE_PAD("0"))}, .cores = 2,
     .heads = MEMORY, .text = "space sg00/main alignment 64\n"
     "space sg00/chip\n"
     "space sg01/main alignment 64\n"
     "space sg01/chip\n"
     "buffer sg00/scratchpad.main in sg00/main size 8 alignment 64 at 0x1000000000 lifetime run\n"
     "buffer sg00/v in sg00/main size 8 at 0x1000000000 window sg00/scratchpad.main lifetime run\n"
     "buffer input in sg00/main size 64 of f32[16] alignment 64 at 0x1000010000 lifetime run contents caller\n"
     "buffer output in sg00/main size 64 of f32[16] alignment 64 at 0x1000010040 lifetime run output\n"
     "buffer sg00/t in sg00/main size 8 alignment 64 at 0x1000010080 lifetime run\n"
     "buffer sg01/scratchpad.main in sg01/main size 8 alignment 64 at 0x11000000000 lifetime run\n"
     "buffer sg01/v in sg01/main size 8 at 0x11000000000 window sg01/scratchpad.main lifetime run\n"
     "buffer sg01/t in sg01/main size 8 alignment 64 at 0x11000010000 lifetime run\n"},
    {"of ranks nothing is shared",
     {.records = NOP, .vars = PORTS ", " VAR("x", "tmp-buf", "2", "8", ALT)}, .ranks = 2,
     .heads = MEMORY, .text = "space rank0/main alignment 64\n"
     "space rank0/alt alignment 64\n"
     "space rank0/chip\n"
     "space rank1/main alignment 64\n"
     "space rank1/alt alignment 64\n"
     "space rank1/chip\n"
     "buffer rank0/input in rank0/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer rank0/output in rank0/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer rank0/x in rank0/alt size 8 alignment 64 at 0x2000000000 lifetime run\n"
     "buffer rank1/input in rank1/main size 64 of f32[16] alignment 64 at 0x101000000000 lifetime run contents caller\n"
     "buffer rank1/output in rank1/main size 64 of f32[16] alignment 64 at 0x101000000040 lifetime run output\n"
     "buffer rank1/x in rank1/alt size 8 alignment 64 at 0x102000000000 lifetime run\n"},
    {"cores of ranks",
     {.records = NOP, .vars = PORTS ", " VAR("t", "tmp-buf", "2", "8", "")}, .ranks = 2, .cores = 2,
     .heads = MEMORY, .text = "space rank0/sg00/main alignment 64\n"
     "space rank0/sg00/chip\n"
     "space rank0/sg01/main alignment 64\n"
     "space rank0/sg01/chip\n"
     "space rank1/sg00/main alignment 64\n"
     "space rank1/sg00/chip\n"
     "space rank1/sg01/main alignment 64\n"
     "space rank1/sg01/chip\n"
     "buffer rank0/input in rank0/sg00/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer rank0/output in rank0/sg00/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer rank0/sg00/t in rank0/sg00/main size 8 alignment 64 at 0x1000000080 lifetime run\n"
     "buffer rank0/sg01/t in rank0/sg01/main size 8 alignment 64 at 0x11000000000 lifetime run\n"
     "buffer rank1/input in rank1/sg00/main size 64 of f32[16] alignment 64 at 0x101000000000 lifetime run contents caller\n"
     "buffer rank1/output in rank1/sg00/main size 64 of f32[16] alignment 64 at 0x101000000040 lifetime run output\n"
     "buffer rank1/sg00/t in rank1/sg00/main size 8 alignment 64 at 0x101000000080 lifetime run\n"
     "buffer rank1/sg01/t in rank1/sg01/main size 8 alignment 64 at 0x111000000000 lifetime run\n"},
};
// clang-format on

HOIST_TEST_TABLE(variables_are_buffers, cases)
{
    neff_job_expect(t, row);
}

// Types of ports ---------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *shapes; // of input and output
    const char *dtypes;
    const char *buffers;
} types[] = {
    {"elements of four bytes", "[[16], [16]]", "\"float32\", \"int32\"", "buffer input in main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of i32[16] alignment 64 at 0x1000000040 lifetime run output\n"},
    {"a shape of several dimensions", "[[2, 4, 2], [4, 4]]", "\"float32\", \"float32\"", "buffer input in main size 64 of f32[2, 4, 2] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[4, 4] alignment 64 at 0x1000000040 lifetime run output\n"},
    {"elements of two and one", "[[4, 8], [8, 8]]", "\"bfloat16\", \"int8\"", "buffer input in main size 64 of bf16[4, 8] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of i8[8, 8] alignment 64 at 0x1000000040 lifetime run output\n"},
    {"as many elements as bytes, but larger ones", "[[64], [64]]", "\"float32\", \"float16\"", "buffer input in main size 64 alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 alignment 64 at 0x1000000040 lifetime run output\n"},
    {"an element too few, and one too many", "[[15], [17]]", "\"float32\", \"float32\"", "buffer input in main size 64 alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 alignment 64 at 0x1000000040 lifetime run output\n"},
    {"a type that is not known", "[[16], [16]]", "\"float33\", \"float32\"", "buffer input in main size 64 alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"},
    {"a dimension of nothing", "[[0], [16]]", "\"float32\", \"float32\"", "buffer input in main size 64 alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"},
};
// clang-format on

HOIST_TEST_TABLE(ports_have_the_types_of_the_graph, types)
{
    hoist_program *program = NULL;
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_edit(t, &neff, "neff.json", "[\"list_shape\", [[16], [16]]]",
                   hoist_arena_format(&t->arena, "[\"list_shape\", %s]", row->shapes).data);
    neff_test_edit(t, &neff, "neff.json", "\"float32\", \"float32\"", row->dtypes);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    lower_test_expect_piece(t, program, "buffer ", row->buffers);
    hoist_program_destroy(program);
}

// Constants --------------------------------------------------------------------------------------

#define FILE_VAR(size)                                                                             \
    "\"k\": {\"type\": \"file\", \"var_id\": 2, \"size\": " size ", \"file_name\": \"k.bin\"}"
#define KEPT PORTS ", " FILE_VAR("4")
#define BUFFER_K "buffer k in main size 4 alignment 64 at 0x1000000080 "

// clang-format off
static const struct {
    const char *name;
    const char *vars;
    const char *member; // k.bin; NULL: there is none
    const char *blocks; // NULL: those of the base
    bool control_only;
    const char *buffer;   // NULL: refused
    const char *findings; // of a refusal
} constants[] = {
    {"the bytes of a member", KEPT, "\x01\x02\x03\xff", NULL, false, BUFFER_K "lifetime constant contents bytes data 010203ff\n", NULL},
    {"zeros where only control counts", KEPT, "\x01\x02\x03\xff", NULL, true, BUFFER_K "lifetime constant contents zero\n", NULL},
    {"read by a transfer", KEPT, "\x01\x02\x03\xff", BLOCK("k", "output"), false, BUFFER_K "lifetime constant contents bytes data 010203ff\n", NULL},
    {"written by a transfer it is no constant", KEPT, "\x01\x02\x03\xff", BLOCK("input", "k"), false, BUFFER_K "lifetime session contents bytes data 010203ff\n", NULL},
    {"a member that is not there", KEPT, NULL, NULL, false, NULL, "the constant's member is missing [NEFF-031a]\n"},
    {"a byte less than the variable", KEPT, "\x01\x02\x03", NULL, false, NULL, "the constant has 3 bytes, the variable 4 [NEFF-031a]\n"},
    {"a byte more", KEPT, "\x01\x02\x03\x04\x05", NULL, false, NULL, "the constant has 5 bytes, the variable 4 [NEFF-031a]\n"},
    {"no memory for a constant of no bytes", PORTS ", \"k\": {\"type\": \"file\", \"var_id\": 2, \"size\": 0, \"file_name\": \"k.bin\"}", NULL, NULL, false, "", NULL},
};
// clang-format on

HOIST_TEST_TABLE(constants_are_members, constants)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .control_only = row->control_only};
    const neff_job_parts parts = {
        .vars = row->vars, .blocks = row->blocks, .records = row->blocks ? TRIGGER : NOP};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    if (row->member) {
        neff_test_put(t, &neff, "sg00/k.bin", hoist_str_from(row->member));
    }
    const hoist_status status = neff_job_lower(t, &neff, 1, &options, &program);
    HOIST_EXPECT_EQ(t, status, row->buffer ? HOIST_OK : HOIST_INVALID);
    if (row->buffer) {
        lower_test_expect_piece(t, program, "buffer k", row->buffer);
    } else {
        HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t), row->findings));
    }
    hoist_program_destroy(program);
}

// Ports of two cores -----------------------------------------------------------------------------

#define IN(size) "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": " size "}"
#define OUT(size) "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": " size "}"

// clang-format off
static const struct {
    const char *name;
    const char *find, *put; // in the definition of the second core
    const char *buffers;    // NULL: refused
    const char *findings;   // what they end with
} shared[] = {
    {"both have them all", "\"size\": 64", "\"size\": 64", "buffer input in sg00/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in sg00/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n", ""},
    {"one is only the second one's", IN("64"), "\"more\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}", "buffer input in sg00/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in sg00/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer more in sg01/main size 64 alignment 64 at 0x11000000000 lifetime run contents caller\n", ""},
    {"what the first one writes the second one reads", "\"output\": {\"type\": \"output\"", "\"output\": {\"type\": \"input\"", "buffer input in sg00/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in sg00/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output contents caller\n", ""},
    {"memory of the same name is each core's own", OUT("64"), "\"output\": {\"type\": \"tmp-buf\", \"var_id\": 1, \"size\": 8}", "buffer input in sg00/main size 64 of f32[16] alignment 64 at 0x1000000000 lifetime run contents caller\n"
     "buffer output in sg00/main size 64 of f32[16] alignment 64 at 0x1000000040 lifetime run output\n"
     "buffer sg01/output in sg01/main size 8 alignment 64 at 0x11000000000 lifetime run\n", ""},
    {"smaller in the second one", IN("64"), IN("63"), NULL, "'input' has 63 bytes here, and 64 in 'sg00' [RUN-024]\n"},
    {"larger in the second one", OUT("64"), OUT("65"), NULL, "'output' has 65 bytes here, and 64 in 'sg00' [RUN-024]\n"},
};
// clang-format on

HOIST_TEST_TABLE(ports_of_cores_are_shared_by_name, shared)
{
    const neff_job_parts parts = {.records = NOP, .vars = IN("64") ", " OUT("64")};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    neff_job_cores(t, &neff, 2);
    neff_test_edit(t, &neff, "sg01/def.json", row->find, row->put);
    const hoist_status status = neff_job_lower(t, &neff, 1, NULL, &program);
    HOIST_EXPECT_EQ(t, status, row->buffers ? HOIST_OK : HOIST_UNSUPPORTED);
    if (row->buffers) {
        lower_test_expect_piece(t, program, "buffer ", row->buffers);
    }
    HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t), row->findings));
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(variables_are_buffers),
                HOIST_TEST_ROW(ports_have_the_types_of_the_graph),
                HOIST_TEST_ROW(constants_are_members),
                HOIST_TEST_ROW(ports_of_cores_are_shared_by_name))
