// Shapes and element types of operators: each rule from both sides.
#include "base/span.h"
#include "formats/ark/check_testing.h"

// clang-format off
#define A1(shape) ARK_T1("0", "FP32", shape, "0")
#define A2(shape) ARK_T2("0", "FP32", shape, "0")
#define A3(shape) ARK_T3("0", "FP32", shape, "0")
#define A4(shape) ARK_T4("0", "FP32", shape, "0")
#define B1(shape) "," ARK_T1("1", "FP32", shape, "1")
#define B2(shape) "," ARK_T2("1", "FP32", shape, "1")
#define B3(shape) "," ARK_T3("1", "FP32", shape, "1")
#define B4(shape) "," ARK_T4("1", "FP32", shape, "1")
// Output and result.
#define O1(shape) ARK_T1("2", "FP32", shape, "2"), ARK_T1("3", "FP32", shape, "2")
#define O2(shape) ARK_T2("2", "FP32", shape, "2"), ARK_T2("3", "FP32", shape, "2")
#define O3(shape) ARK_T3("2", "FP32", shape, "2"), ARK_T3("3", "FP32", shape, "2")
#define O4(shape) ARK_T4("2", "FP32", shape, "2"), ARK_T4("3", "FP32", shape, "2")
#define TYPED(dtype) ARK_T2("2", dtype, "2,4", "2"), ARK_T2("3", dtype, "2,4", "2")
#define EXPAND(type, reads, ...) ARK_SINGLE(type, reads, __VA_ARGS__)
#define ADD(reads, ...) ARK_SINGLE("Add", reads, __VA_ARGS__, "")
#define EXP(reads, ...) EXPAND("Exp", reads, __VA_ARGS__, "")
#define CAST(reads, ...) EXPAND("Cast", reads, __VA_ARGS__, "")
#define ROPE(reads, ...) EXPAND("Rope", reads, __VA_ARGS__, "")
#define SUM(axis, keep, reads, ...) \
    EXPAND("ReduceSum", reads, __VA_ARGS__, "\"Axis\":{\"INT\":" axis "},\"KeepDim\":{\"BOOL\":" keep "}")
#define TRANSPOSE(order, reads, ...) EXPAND("Transpose", reads, __VA_ARGS__, "\"Permutation\":{\"DIMS\":[" order "]}")
#define EMBED(index, table, ...) EXPAND("Embedding", index "," table, __VA_ARGS__, "")
#define I1(shape) ARK_T1("0", "INT32", shape, "0")
#define I2(shape) ARK_T2("0", "INT32", shape, "0")
#define I3(shape) ARK_T3("0", "INT32", shape, "0")
#define I4(shape) ARK_T4("0", "INT32", shape, "0")
#define TABLE(shape) ARK_T2("1", "FP32", shape, "1")

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    // Two inputs.
    {"equal shapes",           ADD(A2("2,4") B2("2,4"), O2("2,4")), ""},
    {"row and column",         ADD(A2("2,1") B2("1,4"), O2("2,4")), ""},
    {"fewer dimensions",       ADD(A1("4") B3("3,2,4"), O3("3,2,4")), ""},
    {"a scalar",               ADD(A4("2,2,2,2") B1("1"), O4("2,2,2,2")), ""},
    {"not to be broadcast",    ADD(A2("2,4") B2("2,3"), O2("2,4")), "3:165 M51"},
    {"not aligned",            ADD(A2("2,4") B1("2"), O2("2,4")), "3:165 M51"},
    {"output too small",       ADD(A2("2,4") B2("2,4"), O2("2,1")), "4:17 M51"},
    {"output of other rank",   ADD(A2("2,4") B2("2,4"), O3("1,2,4")), "4:17 M51"},
    {"output of other type",   ADD(A2("2,4") B2("2,4"), TYPED("FP16")), "3:16 M51; 3:165 M51"},
    {"one input of other type", ADD(A2("2,4") "," ARK_T2("1", "FP16", "2,4", "1"), O2("2,4")), "3:165 M51"},
    // One input.
    {"same shape",             EXP(A2("2,4"), O2("2,4")), ""},
    {"input is extended",      EXP(A1("4"), O2("2,4")), ""},
    {"input has more",         EXP(A2("2,4"), O2("1,4")), "4:17 M52"},
    {"input has more dimensions", EXP(A3("1,2,4"), O2("2,4")), "4:17 M52"},
    {"input does not fit",     EXP(A2("2,3"), O2("2,4")), "4:17 M52"},
    {"other type",             EXP(A2("2,4"), TYPED("BF16")), "3:16 M52"},
    {"Cast to another type",   CAST(A2("2,4"), TYPED("BF16")), ""},
    {"Cast to another shape",  CAST(A2("2,4"), O2("4,2")), "4:17 M52"},
    {"Copy to another type",   EXPAND("Copy", A2("2,4"), TYPED("INT32"), ""), "3:16 M52"},
    {"ScalarAdd",              EXPAND("ScalarAdd", A2("1,4"), O2("2,4"), "\"Factor\":{\"FLOAT\":1.0}"), ""},
    {"ScalarMul of no fit",    EXPAND("ScalarMul", A2("3,4"), O2("2,4"), "\"Factor\":{\"FLOAT\":1.0}"), "4:17 M52"},
    {"ScalarAssign",           EXPAND("ScalarAssign", "", O2("2,4"), "\"Value\":{\"FLOAT\":1.0}"), ""},
    // Rope.
    {"Rope",                   ROPE(A2("2,4") B2("1,4"), O2("2,4")), ""},
    {"odd",                    ROPE(A2("2,3") B2("2,3"), O2("2,3")), "4:17 M58"},
    {"extended along the last", ROPE(A2("2,4") B2("2,1"), O2("2,4")), "3:165 M58"},
    {"Rope of no fit",         ROPE(A2("2,4") B2("3,4"), O2("2,4")), "3:165 M51"},
    {"Rope of another type",   ROPE(A2("2,4") B2("2,4"), TYPED("FP16")), "3:16 M51; 3:165 M51"},
    // Reductions.
    {"first axis, kept",       SUM("0", "true", A2("2,4"), O2("1,4")), ""},
    {"last axis, kept",        SUM("1", "true", A2("2,4"), O2("2,1")), ""},
    {"last axis, left out",    SUM("1", "false", A2("2,4"), O1("2")), ""},
    {"the only axis",          SUM("0", "false", A1("4"), O1("1")), ""},
    {"the only axis, kept",    SUM("0", "true", A1("4"), O1("1")), ""},
    {"kept, but left out",     SUM("1", "true", A2("2,4"), O1("2")), "4:17 M55a"},
    {"left out, but kept",     SUM("1", "false", A2("2,4"), O2("2,1")), "4:17 M55a"},
    {"another axis",           SUM("0", "true", A2("2,4"), O2("2,1")), "4:17 M55a"},
    {"axis beyond",            SUM("2", "true", A2("2,4"), O2("2,1")), "6:16 M55a"},
    {"axis -1",                SUM("-1", "true", A2("2,4"), O2("2,1")), "6:16 M55b"},
    {"axis -2",                SUM("-2", "true", A2("2,4"), O2("1,4")), "6:16 M55b"},
    {"axis -3",                SUM("-3", "true", A2("2,4"), O2("1,4")), "6:16 M55a"},
    {"sum of another type",    SUM("0", "true", A2("1,4"), ARK_T2("2", "FP16", "1,4", "2"), ARK_T2("3", "FP16", "1,4", "2")),
                               "3:16 M55a"},
    {"onto the input",         ARK_SINGLE("ReduceSum", A2("1,4"), A2("1,4"), ARK_T2("3", "FP32", "1,4", "0"),
                                          "\"Axis\":{\"INT\":0},\"KeepDim\":{\"BOOL\":true}"), "4:17 M55a"},
    {"no KeepDim, so no shape", EXPAND("ReduceSum", A2("2,4"), O2("9,9"), "\"Axis\":{\"INT\":0}"), ""},
    // Transpose.
    {"two dimensions",         TRANSPOSE("1,0", A2("2,4"), O2("4,2")), ""},
    {"four dimensions",        TRANSPOSE("3,0,1,2", A4("1,2,3,4"), O4("4,1,2,3")), ""},
    {"the inverse order",      TRANSPOSE("3,0,1,2", A4("1,2,3,4"), O4("2,3,4,1")), "4:17 M56"},
    {"identity",               TRANSPOSE("0,1", A2("2,4"), O2("2,4")), ""},
    {"too short",              TRANSPOSE("0", A2("2,4"), O2("2,4")), "6:31 M56"},
    {"too long",               TRANSPOSE("0,1,2", A2("2,4"), O2("2,4")), "6:31 M56"},
    {"twice the same",         TRANSPOSE("1,1", A2("2,4"), O2("4,4")), "6:31 M56"},
    {"below 0",                TRANSPOSE("-1,0", A2("2,4"), O2("4,2")), "6:31 M56"},
    {"no such dimension",      TRANSPOSE("2,0", A2("2,4"), O2("4,2")), "6:31 M56"},
    {"transposed to another type", TRANSPOSE("0,1", A2("2,4"), TYPED("BF16")), "3:16 M56"},
    // Embedding.
    {"of 4 dimensions",        EMBED(I1("5"), TABLE("9,8"), O4("1,1,5,8")), ""},
    {"index and row",          EMBED(I2("5,6"), TABLE("9,8"), O3("5,6,8")), ""},
    {"three dimensions",       EMBED(I3("3,5,6"), TABLE("9,8"), O4("3,5,6,8")), ""},
    {"index has 4",            EMBED(I4("1,1,1,6"), TABLE("9,8"), O4("1,1,6,8")), "3:16 M57a"},
    {"rows joined",            EMBED(I2("5,6"), TABLE("9,8"), O2("30,8")), "4:17 M57a"},
    {"too few rows",           EMBED(I1("5"), TABLE("9,8"), O2("4,8")), "4:17 M57a"},
    {"rows too short",         EMBED(I1("5"), TABLE("9,8"), O2("5,7")), "4:17 M57a"},
    {"table has 1",            EMBED(I1("5"), ARK_T1("1", "FP32", "9", "1"), O2("5,8")), "3:158 M57a"},
    {"table of another type",  EMBED(I1("2"), ARK_T2("1", "FP16", "9,4", "1"), O2("2,4")), "4:17 M57a"},
    {"index UINT32",           EMBED(ARK_T1("0", "UINT32", "2", "0"), TABLE("9,4"), O2("2,4")), "3:16 M57b"},
};

#define FLAGS(a, b) "\"TransposeInput\":{\"BOOL\":" a "},\"TransposeOther\":{\"BOOL\":" b "}"
#define MATMUL(a, b, reads, ...) EXPAND("Matmul", reads, __VA_ARGS__, FLAGS(a, b))
#define NN(reads, ...) MATMUL("false", "false", reads, __VA_ARGS__)
#define NT(reads, ...) MATMUL("false", "true", reads, __VA_ARGS__)
#define TN(reads, ...) MATMUL("true", "false", reads, __VA_ARGS__)
#define TT(reads, ...) MATMUL("true", "true", reads, __VA_ARGS__)
#define PADDED(id, shape, padded, buffer) ARK_TENSOR(id, "FP32", shape, padded, "0,0", padded, ARK_BUFFER(buffer))
#define BOTH(id, result, shape, padded) PADDED(id, shape, padded, "2"), PADDED(result, shape, padded, "2")
#define HIGH(id, shape, strides, buffer) ARK_TENSOR(id, "FP32", shape, strides, "0,0,0", shape, ARK_BUFFER(buffer))
#define HIGH4(id, shape, strides, buffer) ARK_TENSOR(id, "FP32", shape, strides, "0,0,0,0", shape, ARK_BUFFER(buffer))
#define OLD(name, dims) EXPAND("Matmul", A2("2,3") B2("3,4"), O2("2,4"), \
    FLAGS("false", "false") ",\"" name "\":{\"DIMS\":[" dims "]}")
#define OLD_PADDED(dims) EXPAND("Matmul", PADDED("0", "2,3", "8,8", "0") "," PADDED("1", "3,4", "8,16", "1"), \
    BOTH("2", "3", "2,4", "8,16"), FLAGS("false", "false") ",\"ShapeMNK\":{\"DIMS\":[" dims "]}")

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} matmuls[] = {
    {"plain",                  NN(A2("2,3") B2("3,4"), O2("2,4")), ""},
    {"right one transposed",   NT(A2("2,3") B2("4,3"), O2("2,4")), ""},
    {"left one transposed",    TN(A2("3,2") B2("3,4"), O2("2,4")), ""},
    {"both transposed",        TT(A2("3,2") B2("4,3"), O2("2,4")), ""},
    {"inner extents",          NN(A2("2,3") B2("4,3"), O2("2,4")), "3:165 M53"},
    {"output transposed",      NN(A2("2,3") B2("3,4"), O2("4,2")), "4:17 M53"},
    {"row by matrix",          NN(A1("3") B2("3,4"), O2("1,4")), ""},
    {"row by matrix, squeezed", NN(A1("3") B2("3,4"), O1("4")), "4:17 M53"},
    {"matrix by column",       NN(A2("2,3") B1("3"), O2("2,1")), ""},
    {"row by column",          NN(A1("3") B1("3"), O2("1,1")), ""},
    {"column by row",          TT(A1("3") B1("4"), O2("3,4")), ""},
    {"batches",                NN(A3("5,2,3") B3("5,3,4"), O3("5,2,4")), ""},
    {"batches by one matrix",  NN(A3("5,2,3") B2("3,4"), O3("5,2,4")), ""},
    {"one matrix by batches",  NN(A2("2,3") B3("5,3,4"), O3("5,2,4")), ""},
    {"batches differ",         NN(A3("5,2,3") B3("4,3,4"), O3("5,2,4")), "3:173 M53"},
    {"3 by 4 dimensions",      NN(A3("5,2,3") B4("6,5,3,4"), O4("6,5,2,4")), ""},
    {"groups by one",          NN(A4("6,5,2,3") B4("6,1,3,4"), O4("6,5,2,4")), ""},
    {"output lacks a batch",   NN(A3("5,2,3") B2("3,4"), O2("2,4")), "4:17 M53"},
    {"output of 4 for 3",      NN(A3("5,2,3") B2("3,4"), O4("1,5,2,4")), "4:17 M53"},
    {"other type",             NN(A2("2,3") B2("3,4"), TYPED("FP16")), "3:16 M53; 3:165 M53"},
    {"integers",               NN(ARK_T2("0", "INT32", "2,3", "0") "," ARK_T2("1", "INT32", "3,4", "1"), TYPED("INT32")), "4:17 M53"},
    {"no flags, so no shape",  EXPAND("Matmul", A2("2,3") B2("2,4"), O2("9,9"), ""), ""},
    // Padding.
    {"padded",                 NN(PADDED("0", "2,3", "8,8", "0") "," PADDED("1", "3,4", "8,16", "1"), BOTH("2", "3", "2,4", "8,16")), ""},
    {"output not padded",      NN(PADDED("0", "2,3", "8,8", "0") "," PADDED("1", "3,4", "8,16", "1"), O2("2,4")), "4:17 M53"},
    {"inner padding differs",  NN(PADDED("0", "2,3", "2,8", "0") "," PADDED("1", "3,4", "4,4", "1"), O2("2,4")), "3:165 M53"},
    // Arguments of old files.
    {"ShapeMNK",               OLD("ShapeMNK", "2,4,3"), ""},
    {"ShapeMNK differs",       OLD("ShapeMNK", "2,3,4"), "6:92 M54a"},
    {"ShapeMNK is short",      OLD("ShapeMNK", "2,4"), "6:92 M54a"},
    {"ShapeMNK with padding",  OLD_PADDED("8,16,8"), ""},
    {"ShapeMNK without it",    OLD_PADDED("2,4,3"), ""},
    {"ShapeMNK half padded",   OLD_PADDED("8,16,3"), "6:92 M54a"},
    {"InputDimNC",             OLD("InputDimNC", "1,1"), ""},
    {"InputDimNC differs",     OLD("InputDimNC", "1,2"), "6:94 M54a"},
    {"OtherDimNC differs",     OLD("OtherDimNC", "2,1"), "6:94 M54a"},
    {"StridesACDB",            OLD("StridesACDB", "3,4,4,4"), ""},
    {"StridesACDB differs",    OLD("StridesACDB", "3,4,4,3"), "6:95 M54a"},
    // Batches as ARK's kernel finds them: rows of the left array, columns of the right one.
    {"left has more rows",     NN(HIGH("0", "5,2,3", "5,9,3", "0") B2("3,4"), O3("5,2,4")), "3:16 M54b"},
    {"so has the output",      NN(HIGH("0", "5,2,3", "5,9,3", "0") B2("3,4"), HIGH("2", "5,2,4", "5,9,4", "2"),
                                  HIGH("3", "5,2,4", "5,9,4", "2")), ""},
    {"left has longer rows",   NN(HIGH("0", "5,2,3", "5,2,9", "0") B2("3,4"), O3("5,2,4")), ""},
    {"of one batch",           NN(HIGH("0", "1,2,3", "1,9,3", "0") B3("5,3,4"), O3("5,2,4")), ""},
    {"right has longer rows",  NN(A3("5,2,3") "," HIGH("1", "5,3,4", "5,3,9", "1"), O3("5,2,4")), "3:173 M54b"},
    {"right has more rows",    NN(A3("5,2,3") "," HIGH("1", "5,3,4", "5,9,4", "1"), O3("5,2,4")), ""},
    {"left transposed",        TN(HIGH("0", "5,3,2", "5,3,9", "0") B2("3,4"), O3("5,2,4")), "3:16 M54b"},
    {"right transposed",       NT(A3("5,2,3") "," HIGH("1", "5,4,3", "5,9,3", "1"), O3("5,2,4")), "3:173 M54b"},
    {"gaps between groups",    NN(HIGH4("0", "6,5,2,3", "6,7,2,3", "0") B2("3,4"), O4("6,5,2,4")), "3:16 M54b"},
    {"one of each group",      NN(HIGH4("0", "6,1,2,3", "6,2,2,3", "0") "," ARK_T3("1", "FP32", "5,3,4", "1"), O4("6,5,2,4")), "3:16 M54b"},
    {"gaps in the output",     NN(A4("6,5,2,3") B2("3,4"), HIGH4("2", "6,5,2,4", "6,7,2,4", "2"),
                                  HIGH4("3", "6,5,2,4", "6,7,2,4", "2")), "4:17 M54b"},
};
// clang-format on

HOIST_TEST_TABLE(shapes_rules, cases)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_ops), row->findings);
}

HOIST_TEST_TABLE(shapes_of_matmul, matmuls)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_ops), row->findings);
}

static const struct {
    const char *name;
    const char *text;
    const char *message;
} messages[] = {
    {"broadcast", ADD(A2("2,4") B2("2,3"), O2("2,4")),
     "shapes [2,4] and [2,3] cannot be broadcast"},
    {"output", ADD(A2("2,4") B2("2,4"), O2("2,1")), "the output of Add is [2,1], expected [2,4]"},
    {"inner extents", NN(A2("2,3") B2("4,3"), O2("2,4")),
     "the inner extents of Matmul by Shape are 3 and 4"},
    {"old argument", OLD("ShapeMNK", "2,3,4"), "ShapeMNK is [2,3,4], the tensors have [2,4,3]"},
    {"long list", TRANSPOSE("0,1,2", A2("2,4"), O2("2,4")),
     "Permutation is [0,1,2], expected each of 0 to 1 once"},
    {"axis", SUM("-1", "true", A2("2,4"), O2("2,1")), "Axis is -1, taken as 1"},
    {"rows", EMBED(I1("5"), TABLE("9,8"), O2("4,8")),
     "the output of Embedding is [4,8], expected [1,1,5,8]"},
};

HOIST_TEST_TABLE(shapes_messages, messages)
{
    (void)ark_test_findings(t, row->text, ark_check_ops);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->message);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(shapes_rules), HOIST_TEST_ROW(shapes_of_matmul),
                HOIST_TEST_ROW(shapes_messages))
