// Rules 58 to 61 and 63 of descriptors: each clause with a bad file, its place and its object, and
// good files near by.
#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define BASE                                                                                       \
    "{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1],\n"          \
    "        \"to\": \"output\", \"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1]}"
// The descriptor, and variables after the two that there are.
#define DESC(text)                                                                                 \
    {                                                                                              \
        SP, BASE, "{" text "}"                                                                     \
    }
#define DESCS(first, second)                                                                       \
    {                                                                                              \
        SP, BASE, "{" first "},\n{" second "}"                                                     \
    }
#define VARS(text)                                                                                 \
    {                                                                                              \
        DEF, "\"size\": 64}\n  }", "\"size\": 64},\n    " text "\n  }"                             \
    }
#define FROM(var, off, sizes, steps)                                                               \
    "\"from\": \"" var "\", \"from_off\": " off ", \"from_sizes\": " sizes                         \
    ", \"from_steps\": " steps
#define TO(var, off, sizes, steps)                                                                 \
    "\"to\": \"" var "\", \"to_off\": " off ", \"to_sizes\": " sizes ", \"to_steps\": " steps
#define INPUT FROM("input", "0", "[64]", "[1]")
#define OUTPUT TO("output", "0", "[64]", "[1]")
#define COPY INPUT ", " OUTPUT
#define F32_INPUT INPUT ", \"from_dtype\": \"float32\""
#define F32_OUTPUT OUTPUT ", \"to_dtype\": \"float32\""
#define ARR(items) "\"from_arr\": [" items "], "
#define SOURCES ARR("{" F32_INPUT "}") F32_OUTPUT
#define SCALED ARR("{" F32_INPUT ", \"scale\": 2}") F32_OUTPUT
#define FMA "\"op\": \"fma\", \"scale_dtype\": \"float32\", "
#define ADD "\"op\": \"add\", "
#define MIN "\"op\": \"min\", "
#define MAX "\"op\": \"max\", "
#define XPOSE "\"op\": \"transpose\", "
#define D0 "dma/0/desc/0"

// clang-format off
static const neff_test_row extras[] = {
    // 58
    {"fma", {DESC(FMA SCALED)}, NULL, NULL, NULL, NULL, NULL},
    {"scale beside the list", {DESC(FMA "\"scale\": 3, " SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"scale that is not finite", {DESC(FMA "\"scale\": -Infinity, " SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"scale of a copy", {DESC("\"scale\": 2.0, " COPY)}, "NEFF-058a", NULL, "^2.0", "'scale' on the op copy", D0 "/scale"},
    {"scale of add", {DESC(ADD "\"scale\": 2.0, " SOURCES)}, "NEFF-058a", NULL, "^2.0", "'scale' on the op add", D0 "/scale"},
    {"scale of a source of max", {DESC(MAX SCALED)}, "NEFF-058a", NULL, "\"scale\": ^2", "'scale' on the op max, expected fma", D0 "/from_arr/0/scale"},
    {"scale is a word", {DESC(FMA "\"scale\": \"2\", " SOURCES)}, "NEFF-058a", NULL, "^\"2\"", "expected a number", D0 "/scale"},
    {"scale_dtype bfloat16", {DESC("\"op\": \"fma\", \"scale_dtype\": \"bfloat16\", " SOURCES)}, "NEFF-058a", NULL, "^\"bfloat16\"", "'scale_dtype' is 'bfloat16', expected 'float32'", D0 "/scale_dtype"},
    {"no scale_dtype", {DESC("\"op\": \"fma\", " SOURCES)}, "NEFF-058b", NULL, "^{\"op\"", "fma without 'scale_dtype'", D0},
    {"scale_dtype is a number", {DESC("\"op\": \"fma\", \"scale_dtype\": 7, " SOURCES)}, "NEFF-058a", NULL, "\"scale_dtype\": ^7", "expected a string", D0 "/scale_dtype"},
    // 59
    {"min from a constant", {DESC(MIN "\"constant_dtype\": \"int32\", \"constant\": 3, " SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"max from a constant", {DESC(MAX "\"constant_dtype\": \"uint32\", \"constant\": 3, " SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"max from a float", {DESC(MAX "\"constant_dtype\": \"float32\", \"constant\": NaN, " SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"max from nothing", {DESC(MAX SOURCES)}, NULL, NULL, NULL, NULL, NULL},
    {"constant of bfloat16", {DESC(MIN "\"constant_dtype\": \"bfloat16\", \"constant\": 3, " SOURCES)}, "NEFF-059a", NULL, "^\"bfloat16\"", "'constant_dtype' is 'bfloat16', expected 'float32', 'int32' or 'uint32'", D0 "/constant_dtype"},
    {"type without constant", {DESC(MIN "\"constant_dtype\": \"int32\", " SOURCES)}, "NEFF-059a", NULL, "^\"int32\"", "without 'constant'", D0 "/constant_dtype"},
    {"constant is a word", {DESC(MIN "\"constant_dtype\": \"int32\", \"constant\": \"3\", " SOURCES)}, "NEFF-059a", NULL, "^\"3\"", "expected a number", D0 "/constant"},
    {"constant without type", {DESC(MAX "\"constant\": 3.5, " SOURCES)}, "NEFF-059b", NULL, "^3.5", "without 'constant_dtype', which has no effect", D0 "/constant"},
    {"constant of add", {DESC(ADD "\"constant\": 3.5, " SOURCES)}, "NEFF-059b", NULL, "^3.5", "'constant' on the op add", D0 "/constant"},
    // 60
    {"a shape", {DESC(XPOSE "\"transpose_shape\": [4, 1, 1, 8], \"transpose_element_size\": 2, " COPY)}, NULL, NULL, NULL, NULL, NULL},
    {"shape of 3", {DESC(XPOSE "\"transpose_shape\": [4, 2, 4], \"transpose_element_size\": 2, " COPY)}, "NEFF-060a", NULL, "^[4, 2, 4]", "'transpose_shape' has 3 items, expected 4", D0 "/transpose_shape"},
    {"shape of words", {DESC(XPOSE "\"transpose_shape\": [4, \"2\", 1, 4], \"transpose_element_size\": 2, " COPY)}, "NEFF-060a", NULL, "[4, ^\"2\"", "expected an integer", NULL},
    {"another product", {DESC(XPOSE "\"transpose_shape\": [4, 1, 1, 8], \"transpose_element_size\": 4, " COPY)}, "NEFF-060a", NULL, "^[4, 1, 1, 8]", "4 x 1 x 1 x 8 elements of 4 bytes are not the 64 bytes that are moved", D0 "/transpose_shape"},
    {"extents below 0", {DESC(XPOSE "\"transpose_shape\": [-4, 1, 1, -8], \"transpose_element_size\": 2, " COPY)}, "NEFF-060a", NULL, "^[-4", "are not the 64 bytes", D0 "/transpose_shape"},
    {"a product that overflows", {DESC(XPOSE "\"transpose_shape\": [4294967296, 4294967296, 64, 1], \"transpose_element_size\": 1, " COPY)}, "NEFF-060a", NULL, "^[4294967296", "are not the 64 bytes", D0 "/transpose_shape"},
    {"elements of 0 bytes", {DESC(XPOSE "\"transpose_element_size\": 0, " COPY)}, "NEFF-060a", NULL, "\"transpose_element_size\": ^0", "is 0, expected 1 to 8", D0 "/transpose_element_size"},
    {"elements of 9 bytes", {DESC(XPOSE "\"transpose_element_size\": 9, " COPY)}, "NEFF-060a", NULL, "\"transpose_element_size\": ^9", "is 9, expected 1 to 8", D0 "/transpose_element_size"},
    {"elements of 8 bytes", {DESC(XPOSE "\"transpose_element_size\": 8, " COPY)}, NULL, NULL, NULL, NULL, NULL},
    {"shape of a copy", {DESC("\"transpose_shape\": [4, 1, 1, 8], " COPY)}, "NEFF-060b", NULL, "^[4, 1", "'transpose_shape' on the op copy", D0 "/transpose_shape"},
    {"element size of a copy", {DESC("\"transpose_element_size\": 2, " COPY)}, "NEFF-060b", NULL, "\"transpose_element_size\": ^2", "on the op copy", D0 "/transpose_element_size"},
    {"permutation of a copy", {DESC("\"transpose_op\": \"WZXY\", " COPY)}, "NEFF-060b", NULL, "^\"WZXY\"", "'transpose_op' on the op copy", D0 "/transpose_op"},
    {"permutation", {DESC(XPOSE "\"transpose_op\": \"WZXY\", " COPY)}, NULL, NULL, NULL, NULL, NULL},
    // 61
    {"no tile", {DESC("\"num_tiling_dimensions\": 0, " COPY)}, NULL, NULL, NULL, NULL, NULL},
    {"a tile of all", {DESC("\"num_tiling_dimensions\": 1, " COPY)}, NULL, NULL, NULL, NULL, NULL},
    {"a tile of more", {DESC("\"num_tiling_dimensions\": 2, " COPY)}, "NEFF-061", NULL, "\"num_tiling_dimensions\": ^2", "is 2, expected 0 to 1", D0 "/num_tiling_dimensions"},
    {"a tile of the longer side", {DESC("\"num_tiling_dimensions\": 2, " FROM("input", "0", "[8, 8]", "[1, 8]") ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"a tile of -1", {DESC("\"num_tiling_dimensions\": -1, " COPY)}, "NEFF-061", NULL, "^-1", "is -1", D0 "/num_tiling_dimensions"},
    {"a tile that is a word", {DESC("\"num_tiling_dimensions\": \"1\", " COPY)}, "NEFF-052a", NULL, "^\"1\"", "expected an integer", D0 "/num_tiling_dimensions"},
};

#define TMP "\"tmp\": {\"type\": \"tmp-buf\", \"var_id\": 2, \"size\": 64}"
#define FILE_VAR "\"w\": {\"type\": \"file\", \"var_id\": 2, \"size\": 64, \"file_name\": \"w.bin\"}"
#define SB "\"SB\": {\"type\": \"state-buffer\", \"var_id\": 2}"
#define TWO_SB SB ", \"SB1\": {\"type\": \"state-buffer\", \"var_id\": 3}"
#define VIRTUAL(name, id, off, more) "\"" name "\": {\"type\": \"virtual\", \"var_id\": " id ", \"size\": 64, \"backing_variable_off\": " off more "}"
#define WITHIN(var, from, to) FROM(var, from, "[16]", "[1]") ", " TO(var, to, "[16]", "[1]")
static const neff_test_row effects[] = {
    // writes
    {"a constant", {DESC(INPUT ", " TO("w", "0", "[64]", "[1]")), VARS(FILE_VAR)}, "NEFF-063", NULL, "^\"w\"", "the constant 'w' is written", D0 "/to"},
    {"an input", {DESC(FROM("tmp", "0", "[64]", "[1]") ", " TO("input", "0", "[64]", "[1]")), VARS(TMP)}, "NEFF-063", NULL, "\"to\": ^\"input\"", "the input 'input' is written", D0 "/to"},
    {"an aliased input", {DESC(FROM("tmp", "0", "[64]", "[1]") ", " TO("input", "0", "[64]", "[1]")), VARS(TMP), {"sg00/tensor_map.json", NULL, "{\"alias_map\": [{\"output_name\": \"a\"}, {\"input_name\": \"input\", \"output_name\": \"output\"}]}"}}, NULL, NULL, NULL, NULL, NULL},
    {"another alias", {DESC(FROM("tmp", "0", "[64]", "[1]") ", " TO("input", "0", "[64]", "[1]")), VARS(TMP), {"sg00/tensor_map.json", NULL, "{\"alias_map\": [{\"input_name\": \"output\", \"output_name\": \"input\"}]}"}}, "NEFF-063", NULL, "\"to\": ^\"input\"", "no alias", NULL},
    {"an alias of the graph", {DESC(FROM("tmp", "0", "[64]", "[1]") ", " TO("input", "0", "[64]", "[1]")), VARS(TMP), {"neff.json", "\"is_param\": \"0\"", "\"must_alias\": \"1\""}}, NULL, NULL, NULL, NULL, NULL},
    // reads
    {"an output", {DESC(FROM("output", "0", "[64]", "[1]") ", " TO("tmp", "0", "[64]", "[1]")), VARS(TMP)}, "NEFF-063", NULL, "^\"output\"", "the output 'output' is read, and nothing writes it", D0 "/from"},
    {"a written output", {DESCS(FROM("output", "0", "[64]", "[1]") ", " TO("tmp", "0", "[64]", "[1]"), COPY), VARS(TMP)}, NULL, NULL, NULL, NULL, NULL},
    // overlaps
    {"apart", {DESC(WITHIN("tmp", "0", "16")), VARS(TMP)}, NULL, NULL, NULL, NULL, NULL},
    {"a common byte", {DESC(WITHIN("tmp", "0", "15")), VARS(TMP)}, "NEFF-063", NULL, "^\"tmp\"", "the bytes read from 'tmp' overlap those written to 'tmp'", D0 "/from"},
    {"in place", {DESC(WITHIN("tmp", "4", "4")), VARS(TMP)}, NULL, NULL, NULL, NULL, NULL},
    {"transposed in place", {DESC(XPOSE WITHIN("tmp", "4", "4")), VARS(TMP)}, "NEFF-063", NULL, "^\"tmp\"", "overlap", D0 "/from"},
    {"a sum in place", {DESC(ADD ARR("{" F32_INPUT "}, {" FROM("output", "0", "[64]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"a sum out of place", {DESC(ADD ARR("{" FROM("input", "0", "[16]", "[1]") ", \"from_dtype\": \"float32\"}, {" FROM("output", "4", "[16]", "[1]") ", \"from_dtype\": \"float32\"}") TO("output", "0", "[16]", "[1]") ", \"to_dtype\": \"float32\"")}, "NEFF-063", NULL, "^\"output\", \"from_off\": 4", "overlap", D0 "/from_arr/1/from"},
    {"reversed", {DESC(FROM("tmp", "15", "[1, 16]", "[1, -1]") ", " TO("tmp", "0", "[16]", "[1]")), VARS(TMP)}, "NEFF-063", NULL, "^\"tmp\"", "overlap", D0 "/from"},
    {"one window of two names", {DESC(FROM("SB", "0", "[16]", "[1]") ", " TO("SB1", "8", "[16]", "[1]")), VARS(TWO_SB)}, "NEFF-063", NULL, "^\"SB\"", "'SB' overlap those written to 'SB1'", D0 "/from"},
    {"columns of the window", {DESC(FROM("SB", "0", "[16, 4]", "[1, 262144]") ", " TO("SB1", "16", "[16, 4]", "[1, 262144]")), VARS(TWO_SB)}, NULL, NULL, NULL, NULL, NULL},
    {"slices of the scratchpad", {DESC(FROM("a", "0", "[64]", "[1]") ", " TO("b", "0", "[64]", "[1]")), VARS(VIRTUAL("a", "2", "0", "") ", " VIRTUAL("b", "3", "32", ""))}, "NEFF-063", NULL, "^\"a\"", "'a' overlap those written to 'b'", D0 "/from"},
    {"slices side by side", {DESC(FROM("a", "0", "[64]", "[1]") ", " TO("b", "0", "[64]", "[1]")), VARS(VIRTUAL("a", "2", "0", "") ", " VIRTUAL("b", "3", "64", ""))}, NULL, NULL, NULL, NULL, NULL},
    {"slices of two areas", {DESC(FROM("a", "0", "[64]", "[1]") ", " TO("b", "0", "[64]", "[1]")), VARS(VIRTUAL("a", "2", "0", "") ", " VIRTUAL("b", "3", "0", ", \"fabric_path\": \"alt\""))}, NULL, NULL, NULL, NULL, NULL},
    {"slices of two buffers", {DESC(FROM("a", "0", "[64]", "[1]") ", " TO("b", "0", "[64]", "[1]")), VARS(VIRTUAL("a", "2", "0", "") ", " VIRTUAL("b", "3", "0", ", \"backing_buf\": \"shared\""))}, NULL, NULL, NULL, NULL, NULL},
    {"slices beyond 64 bits", {DESC(FROM("a", "1", "[16]", "[1]") ", " TO("b", "1", "[16]", "[1]")), VARS(VIRTUAL("a", "2", "9223372036854775807", "") ", " VIRTUAL("b", "3", "9223372036854775807", ""))}, NULL, NULL, NULL, NULL, NULL},
    {"entangled", {DESC(FROM("SB", "0", "[1, 1048576]", "[1, 6]") ", " TO("SB", "1", "[1, 1048576]", "[1, 10]")), VARS(SB)}, "NEFF-063", NULL, "^\"SB\"", "may overlap", D0 "/from"},
};
// clang-format on

HOIST_TEST_TABLE(rare_keys, extras)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, row, true);
}

HOIST_TEST_TABLE(reads_and_writes, effects)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, row, true);
}

// Two keys of one descriptor, each with its finding.
HOIST_TEST(constant_of_a_copy)
{
    static const neff_test_row row = {
        "copy", {DESC("\"constant_dtype\": \"bool\", " COPY)}, NULL, NULL, NULL, NULL, NULL};
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, &row, false);
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-059a"), 2);
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-059b"), 1);
}

// Outputs that instructions write
// -------------------------------------------------------------------

static const struct {
    const char *name;
    const char *records;
    bool silent;
} streams[] = {
    {"nothing", "df 10 00 00 00 00 00 00 00 00 00 00 01\n", false},
    {"a collective to it",
     "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10\n", true},
    {"a collective to another",
     "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 02 00 00 00 10\n", false},
    {"a collective that does not say", "d9 10\n", true},
    {"descriptors made at run time", "b8 10\n", true},
};

HOIST_TEST_TABLE(outputs_of_instructions, streams)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, DEF, "\"size\": 64}\n  }", "\"size\": 64}, " TMP "}");
    neff_test_edit(t, &neff, SP, BASE,
                   "{" FROM("output", "0", "[64]", "[1]") ", " TO("tmp", "0", "[64]", "[1]") "}");
    neff_test_stream(t, &neff, "sg00/pe.bin", row->records);
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_descs);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, row->silent ? NULL : "NEFF-063");
}

// The other core of a pair may write it; of more subgraphs than two nothing is said.
HOIST_TEST(outputs_of_other_subgraphs)
{
    static const char *const kelfs[] = {"sg00/def.json\", \"name\": \"sg00\"}",
                                        ",{\"definition\": \"sg01/def.json\", \"name\": \"sg01\"}",
                                        ",{\"definition\": \"sg02/def.json\", \"name\": \"sg02\"}"};
    static const struct {
        size_t others;
        bool writes; // the other one of a pair
        size_t findings;
    } rows[] = {{0, false, 1}, {1, false, 2}, {1, true, 0}, {2, false, 0}};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_test_row(t, rows[i].writes ? "written" : "not written");
        neff_texts neff;
        neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
        const hoist_str copies = neff_test_text(t, &neff, SP);
        neff_test_edit(t, &neff, DEF, "\"size\": 64}\n  }", "\"size\": 64}, " TMP "}");
        neff_test_edit(
            t, &neff, SP, BASE,
            "{" FROM("output", "0", "[64]", "[1]") ", " TO("tmp", "0", "[64]", "[1]") "}");
        const hoist_str reads = neff_test_text(t, &neff, SP);
        neff_test_put(t, &neff, "sg01/def.json", neff_test_text(t, &neff, DEF));
        neff_test_put(t, &neff, "sg01/sp.json", rows[i].writes ? copies : reads);
        neff_test_put(t, &neff, "sg02/def.json", neff_test_text(t, &neff, DEF));
        neff_test_put(t, &neff, "sg02/sp.json", reads);
        const hoist_str graphs =
            hoist_arena_format(&t->arena, "%s%s%s", kelfs[0], rows[i].others > 0 ? kelfs[1] : "",
                               rows[i].others > 1 ? kelfs[2] : "");
        neff_test_edit(t, &neff, "kelf-0.json", kelfs[0], graphs.data);
        neff_module *module = neff_test_read(t, &neff);
        HOIST_EXPECT_EQ(t, module->subgraph_count, rows[i].others + 1);
        neff_test_check(t, module, NULL, neff_check_descs);
        neff_test_destroy(module);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-063"), rows[i].findings);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rare_keys), HOIST_TEST_ROW(reads_and_writes),
                HOIST_TEST_ROW(constant_of_a_copy), HOIST_TEST_ROW(outputs_of_instructions),
                HOIST_TEST_ROW(outputs_of_other_subgraphs))
