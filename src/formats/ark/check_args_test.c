// Arguments of operators: missing, of another type, under a former name, unknown; in old dialects.
#include "base/span.h"
#include "formats/ark/check_testing.h"

// clang-format off
#define OP(type, args) ARK_SINGLE(type, "", "", "", args)
#define FLAGS "\"TransposeInput\":{\"BOOL\":false},\"TransposeOther\":{\"BOOL\":true}"

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    {"none needed",           OP("Add", ""), ""},
    {"unknown argument",      OP("Add", "\"Alpha\":{\"FLOAT\":1.0}"), "6:9 M11"},
    {"both there",            OP("ReduceSum", "\"Axis\":{\"INT\":0},\"KeepDim\":{\"BOOL\":true}"), ""},
    {"one missing",           OP("ReduceSum", "\"KeepDim\":{\"BOOL\":true}"), "2:56 M10a"},
    {"both missing",          OP("ReduceMax", ""), "2:56 M10a; 2:56 M10a"},
    {"of another type",       OP("ReduceSum", "\"Axis\":{\"UINT32\":0},\"KeepDim\":{\"BOOL\":true}"), "6:16 M10a"},
    {"of no type",            OP("ReduceSum", "\"Axis\":{\"REAL\":0},\"KeepDim\":{\"BOOL\":true}"), "6:17 M09"},
    {"Factor",                OP("ScalarAdd", "\"Factor\":{\"FLOAT\":1.0}"), ""},
    {"Value instead",         OP("ScalarMul", "\"Value\":{\"FLOAT\":1.0}"), "6:9 M10b"},
    {"Value instead, of another type", OP("ScalarMul", "\"Value\":{\"INT\":1}"), "6:9 M10b; 6:17 M10a"},
    {"both Factor and Value", OP("ScalarAdd", "\"Factor\":{\"FLOAT\":1.0},\"Value\":{\"FLOAT\":1.0}"), ""},
    {"neither",               OP("ScalarAdd", ""), "2:56 M10a"},
    {"Value of ScalarAssign", OP("ScalarAssign", "\"Value\":{\"FLOAT\":1.0}"), ""},
    {"Factor of ScalarAssign", OP("ScalarAssign", "\"Factor\":{\"FLOAT\":1.0}"), "2:56 M10a; 6:9 M11"},
    {"flags of Matmul",       OP("Matmul", FLAGS), ""},
    {"Matmul of old files",   OP("Matmul", FLAGS ",\"ShapeMNK\":{\"DIMS\":[1,1,1]},\"InputDimNC\":{\"DIMS\":[1,1]}"), ""},
    {"one flag of Matmul",    OP("Matmul", "\"TransposeInput\":{\"BOOL\":false}"), "2:56 M10a"},
    {"Matmul of the first files", OP("Matmul", "\"IsInputColumnMajor\":{\"BOOL\":false},\"IsOtherColumnMajor\":{\"BOOL\":false}"), ""},
    {"one flag of those",     OP("Matmul", "\"IsInputColumnMajor\":{\"BOOL\":false}"), "2:56 M10a"},
    {"Permutation",           OP("Transpose", "\"Permutation\":{\"DIMS\":[1,0]}"), ""},
    {"no Permutation",        OP("Transpose", ""), "2:56 M10a"},
    {"Flag",                  OP("SendPacket", "\"Flag\":{\"UINT32\":1}"), ""},
    {"no Flag",               OP("RecvPacket", ""), "2:56 M10a"},
    {"peers",                 OP("RecvReduceSend", "\"NPeers\":{\"UINT32\":1},\"Rank\":{\"INT\":0}"), ""},
    {"no peers",              OP("RecvReduceSendPacket", ""), "2:56 M10a; 2:56 M10a; 2:56 M10a"},
    {"DeviceSync",            OP("DeviceSync", "\"PeerNum\":{\"INT\":1},\"Rank\":{\"INT\":0}"), ""},
    {"Send has none",         OP("Send", "\"Tag\":{\"INT\":1}"), "6:9 M11"},
    {"unknown operator",      OP("Conv", "\"Axis\":{\"INT\":1}"), "2:64 M08"},
    {"no Args at all",        ARK_MODEL("{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Op\":{\"Type\":\"ReduceSum\","
                              "\"Name\":\"\",\"IsVirtual\":false,\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":[]}}"),
                              "2:56 M03"},
};
// clang-format on

HOIST_TEST_TABLE(args_rules, cases)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_args), row->findings);
}

HOIST_TEST(args_messages)
{
    (void)ark_test_findings(t, OP("ReduceSum", "\"Axis\":{\"UINT32\":0}"), ark_check_args);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 2);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message,
                     "ReduceSum without the argument 'KeepDim' of type BOOL");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->message,
                     "'Axis' is of type UINT32, expected INT");
}

HOIST_TEST(args_limits)
{
    ark_test_cancel(t, cases[0].text, ark_check_args);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(args_rules), HOIST_TEST_ROW(args_messages),
                HOIST_TEST_ROW(args_limits))
