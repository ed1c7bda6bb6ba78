// The tensors of operators: numbers of them, results, views, remote memory, types without a kernel.
// Shapes: check_shapes_test.c.
#include "base/span.h"
#include "formats/ark/check_testing.h"

// clang-format off
#define T(id, dtype, buffer) ARK_T1(id, dtype, "4", buffer)
#define F(id, buffer) T(id, "FP32", buffer)
#define OP(type, reads, writes, results) ARK_SINGLE(type, reads, writes, results, "")
#define VIEW(reads, results) \
    ARK_MODEL(ARK_NODE("0", "", "", ARK_OP_TEXT("Tensor", "true", reads, "", results, "")))
#define FAR(id, buffer) ARK_TENSOR(id, "FP32", "4", "4", "0", "4", ARK_BUFFER_AT(buffer, "1", "", ""))
// In the array [4,8], result 2 and what it should be a copy of.
#define CUT(id, shape, strides, offsets, padded) \
    ARK_TENSOR(id, "FP32", shape, strides, offsets, padded, ARK_BUFFER("1"))
#define RESULT(result) OP("Exp", CUT("0", "2,2", "4,8", "0,0", "2,3"), CUT("1", "2,2", "4,8", "1,2", "2,3"), result)

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} counts[] = {
    {"one of each",            OP("Exp", F("0", "0"), F("1", "1"), F("2", "1")), ""},
    {"no read",                OP("Exp", "", F("1", "1"), F("2", "1")), "2:56 M50"},
    {"two reads",              OP("Exp", F("0", "0") "," F("3", "0"), F("1", "1"), F("2", "1")), "2:56 M50"},
    {"nothing",                OP("Exp", "", "", ""), "2:56 M50; 2:56 M50; 2:56 M50"},
    {"two results",            OP("Exp", F("0", "0"), F("1", "1"), F("2", "1") "," F("3", "1")), "2:56 M50"},
    {"a list is missing",      ARK_MODEL("{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Op\":{\"Type\":\"Noop\","
                               "\"Name\":\"\",\"IsVirtual\":false,\"WriteTensors\":[],\"ResultTensors\":[],\"Args\":{}}}"),
                               "2:56 M03"},
    {"Add has two reads",      OP("Add", F("0", "0"), F("1", "1"), F("2", "1")), "2:56 M50"},
    {"Noop reads",             OP("Noop", F("0", "0"), "", ""), ""},
    {"Noop writes",            OP("Noop", F("0", "0"), F("1", "1"), ""), "2:56 M50"},
    {"Noop results",           OP("Noop", F("0", "0"), "", F("1", "0")), "2:56 M50"},
    {"SendDone writes",        OP("SendDone", FAR("0", "0"), F("1", "1"), FAR("2", "0")), "2:56 M50"},
    {"two packets",            OP("RecvPacket", FAR("0", "0") "," F("1", "1"), F("2", "2"), F("3", "2")), ""},
    {"no scratch",             OP("RecvPacket", FAR("0", "0"), F("2", "2"), F("3", "2")), "2:56 M50"},
    {"one peer",               OP("RecvReduceSend", F("0", "0") "," F("1", "1"), F("2", "2") "," FAR("4", "4"), F("3", "2")), ""},
    {"three peers",            OP("RecvReduceSendPacket", F("0", "0") "," F("1", "1"), F("2", "2") "," FAR("4", "4") "," FAR("5", "5")
                               "," FAR("6", "6"), F("3", "2")), ""},
    {"no peer",                OP("RecvReduceSend", F("0", "0") "," F("1", "1"), F("2", "2"), F("3", "2")), "2:56 M50"},
    {"a tensor",               VIEW("", F("0", "0")), ""},
    {"after two others",       VIEW(F("0", "0") "," F("1", "1") "," F("2", "2"), F("3", "0")), ""},
    {"a tensor is none",       VIEW("", ""), "2:56 M50"},
    {"Reshape of nothing",     ARK_MODEL(ARK_NODE("0", "", "", ARK_OP_TEXT("Reshape", "true", "", "", F("0", "0"), ""))), "2:56 M50"},
    {"Placeholder of one",     ARK_MODEL(ARK_NODE("0", "", "", ARK_OP_TEXT("Placeholder", "true", F("1", "1"), "", F("0", "0"), ""))),
                               "2:56 M50"},
};

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} places[] = {
    // Results.
    {"a copy",                 RESULT(CUT("2", "2,2", "4,8", "1,2", "2,3")), ""},
    {"another buffer",         OP("Exp", F("0", "0"), F("1", "1"), F("2", "2")), "5:18 M59"},
    {"another type",           OP("Exp", F("0", "0"), F("1", "1"), T("2", "INT32", "1")), "5:18 M59; 5:37 M28"},
    {"another rank",           RESULT(CUT("2", "4", "32", "0", "4")), "5:18 M59"},
    {"another shape",          RESULT(CUT("2", "2,1", "4,8", "1,2", "2,3")), "5:18 M59"},
    {"another array",          RESULT(CUT("2", "2,2", "8,8", "1,2", "2,3")), "5:18 M59"},
    {"another offset",         RESULT(CUT("2", "2,2", "4,8", "1,1", "2,3")), "5:18 M59"},
    {"another padding",        RESULT(CUT("2", "2,2", "4,8", "1,2", "2,2")), "5:18 M59"},
    {"SendDone",               OP("SendDone", FAR("0", "0"), "", FAR("1", "0")), ""},
    {"SendDone of another",    OP("SendDone", FAR("0", "0"), "", FAR("1", "1")), "5:18 M59"},
    // Views.
    {"same buffer",            VIEW(F("0", "0"), ARK_T2("1", "FP32", "2,2", "0")), ""},
    {"other buffer",           VIEW(F("0", "0"), F("1", "1")), "5:18 M60"},
    {"second read elsewhere",  VIEW(F("0", "0") "," F("1", "1"), F("2", "0")), ""},
    {"as bytes",               VIEW(F("0", "0"), ARK_T1("1", "BYTE", "16", "0")), "5:37 M28"},
    {"from bytes",             VIEW(ARK_T1("1", "BYTE", "16", "0"), F("0", "0")), "5:37 M28"},
    {"as integers",            VIEW(F("0", "0"), T("1", "INT32", "0")), "5:18 M60; 5:37 M28"},
    {"UINT8 is not BYTE",      VIEW(F("0", "0"), ARK_T1("1", "UINT8", "16", "0")), "5:18 M60; 5:37 M28"},
    {"Reshape elsewhere",      ARK_MODEL(ARK_NODE("0", "", "", ARK_OP_TEXT("Reshape", "true", F("0", "0"), "", F("1", "1"), ""))),
                               "5:18 M60"},
    // Memory of other ranks.
    {"remote input",           OP("Add", F("0", "0") "," FAR("1", "1"), F("2", "2"), F("3", "2")), "3:157 M62"},
    {"remote output",          OP("Exp", F("0", "0"), FAR("2", "2"), FAR("3", "2")), "4:17 M62"},
    {"own rank by its number", OP("Exp", ARK_TENSOR("0", "FP32", "4", "4", "0", "4", ARK_BUFFER_AT("0", "0", "", "")), F("1", "1"),
                                  F("2", "1")), ""},
    {"Noop after a message",   OP("Noop", FAR("0", "0"), "", ""), ""},
    {"view of a proxy",        VIEW(FAR("0", "0"), FAR("1", "0")), ""},
    {"a message",              OP("Send", F("0", "0"), FAR("1", "1"), FAR("2", "1")), ""},
};

#define ADD(dtype) OP("Add", T("0", dtype, "0") "," T("1", dtype, "1"), T("2", dtype, "2"), T("3", dtype, "2"))
#define COPY(dtype) OP("Copy", T("0", dtype, "0"), T("2", dtype, "2"), T("3", dtype, "2"))
#define REDUCE(type, dtype, shape, axis, to) ARK_SINGLE(type, ARK_T2("0", dtype, shape, "0"), ARK_T2("1", dtype, to, "1"), \
    ARK_T2("2", dtype, to, "1"), "\"Axis\":{\"INT\":" axis "},\"KeepDim\":{\"BOOL\":true}")
#define MAX(dtype, value) ARK_MODEL( \
    ARK_NODE("0", "", "1", ARK_OP("ScalarAssign", "", T("0", dtype, "0"), T("1", dtype, "0"), "\"Value\":{\"FLOAT\":" value "}")) ",\n" \
    ARK_NODE("1", "0", "", ARK_OP("ReduceMax", T("1", dtype, "0"), ARK_T1("2", dtype, "1", "1"), ARK_T1("3", dtype, "1", "1"), \
    "\"Axis\":{\"INT\":0},\"KeepDim\":{\"BOOL\":true}")))
#define PLANNED(type, reads, tasks) "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"ANY\",\"NumProcessors\":1," \
    "\"NumWarpsPerProcessor\":1,\"TaskInfos\":[{\"Id\":0,\"NumWarps\":1,\"SramBytes\":0,\"Ops\":[{\"Type\":\"" type "\"," \
    "\"Name\":\"\",\"IsVirtual\":false,\"ReadTensors\":[" reads "],\"WriteTensors\":[],\"ResultTensors\":[" reads "],\"Args\":{},\n" \
    "\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":" tasks "}}]}],\"ProcessorGroups\":[{\"ProcessorRange\":[0,1]," \
    "\"ResourceGroups\":[{\"ProcessorRange\":[0,1],\"WarpRange\":[0,1],\"SramRange\":[0,0],\"TaskGroups\":[" \
    "{\"TaskId\":0,\"TaskRange\":[0,1],\"Granularity\":1}]}]}]}"

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} numbers[] = {
    {"FP32 is added",          ADD("FP32"), ""},
    {"BF16 is added",          ADD("BF16"), ""},
    {"INT32 is added",         ADD("INT32"), ""},
    {"UINT32 is added",        ADD("UINT32"), ""},
    {"INT8 has no kernel",     ADD("INT8"), "4:17 M63"},
    {"UINT8 has no kernel",    ADD("UINT8"), "4:17 M63"},
    {"BYTE has no kernel",     ADD("BYTE"), "4:17 M63"},
    {"INT8 is copied",         COPY("INT8"), ""},
    {"tasks",                  PLANNED("SendDone", FAR("0", "0"), "1"), ""},
    {"no tasks",               PLANNED("SendDone", FAR("0", "0"), "0"), "2:49 M63"},
    {"Noop has none",          "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"ANY\",\"NumProcessors\":1,\"NumWarpsPerProcessor\":1,"
                               "\"TaskInfos\":[],\"ProcessorGroups\":[]}", ""},
    {"mean of 65504",          REDUCE("ReduceMean", "FP16", "65504,2", "0", "1,2"), ""},
    {"mean of 65505",          REDUCE("ReduceMean", "FP16", "65505,2", "0", "1,2"), "3:16 M61"},
    {"sum of 65505",           REDUCE("ReduceSum", "FP16", "2,65505", "-1", "2,1"), "3:16 M61; 6:16 M55b"},
    {"max of 65505",           REDUCE("ReduceMax", "FP16", "65505,2", "0", "1,2"), ""},
    {"mean of 65505 along 2",  REDUCE("ReduceMean", "FP16", "65505,2", "1", "65505,1"), ""},
    {"mean of 65505 in BF16",  REDUCE("ReduceMean", "BF16", "65505,2", "0", "1,2"), ""},
    {"mean of no axis",        REDUCE("ReduceMean", "FP16", "65505,2", "2", "65505,1"), "6:16 M55a"},
    {"max of -65504",          MAX("FP16", "-65504.0"), ""},
    {"max of -65519, which is rounded", MAX("FP16", "-65519.0"), ""},
    {"max of -inf",            MAX("FP16", "-65520.0"), "8:16 M61"},
    {"max of inf",             MAX("FP16", "65520.0"), ""},
    {"max of less in FP32",    MAX("FP32", "-65520.0"), ""},
    {"max of -inf in BF16",    MAX("BF16", "-3.4e38"), "8:16 M61"},
    {"max of integers",        MAX("INT32", "-3.4e38"), ""},
};
// clang-format on

HOIST_TEST_TABLE(ops_counts, counts)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_ops), row->findings);
}

HOIST_TEST_TABLE(ops_places, places)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_ops), row->findings);
}

HOIST_TEST_TABLE(ops_numbers, numbers)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_ops), row->findings);
}

static const struct {
    const char *name;
    const char *text;
    const char *message;
} messages[] = {
    {"too few", OP("Add", F("0", "0"), F("1", "1"), F("2", "1")),
     "Add has 1 ReadTensors, expected 2"},
    {"open end", OP("RecvReduceSend", F("0", "0") "," F("1", "1"), F("2", "2"), F("3", "2")),
     "RecvReduceSend has 1 WriteTensors, expected at least 2"},
    {"another result", RESULT(CUT("2", "2,2", "8,8", "1,2", "2,3")),
     "Strides of result 2 is not the one of tensor 1 in WriteTensors"},
    {"remote", OP("Noop", F("0", "0"), "", F("1", "0")), "Noop has 1 ResultTensors, expected 0"},
    {"view", VIEW(F("0", "3"), F("1", "4")), "a view in buffer 4 of tensor 0 in buffer 3"},
};

HOIST_TEST_TABLE(ops_messages, messages)
{
    (void)ark_test_findings(t, row->text, ark_check_ops);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->message);
}

static hoist_status check_all(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    (void)scratch;
    return ark_check((hoist_module *)(uintptr_t)graph->module, NULL, diag);
}

HOIST_TEST(ops_limits)
{
    ark_test_cancel(t, counts[0].text, ark_check_ops);
    ark_test_starve(t, MAX("FP16", "-65520.0"), check_all);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ops_counts), HOIST_TEST_ROW(ops_places), HOIST_TEST_ROW(ops_numbers),
                HOIST_TEST_ROW(ops_messages), HOIST_TEST_ROW(ops_limits))
