// Ids, edges and order of nodes: each rule with files that break it, and with files that do not.
#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/check_testing.h"

// clang-format off
#define T(id, buffer) ARK_T1(id, "FP32", "4", buffer)
// A node that reads one tensor, and writes buffer 9 as another.
#define N(id, producers, consumers, in, result) \
    ARK_NODE(id, producers, consumers, ARK_OP("Relu", in, T("90", "9"), T(result, "9"), ""))
// A node without tensors: edges alone count.
#define E(id, producers, consumers) \
    ARK_NODE(id, producers, consumers, ARK_OP_TEXT("Tensor", "true", "", "", "", ""))
#define M(nodes) ARK_MODEL(nodes)
#define OP_OF(is_virtual, type) M(ARK_NODE("0", "", "", ARK_OP_TEXT(type, is_virtual, "", "", "", "")))

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    {"nothing",                M(""), ""},
    {"a chain",                M(E("0", "", "1") ",\n" E("1", "0", "2") ",\n" E("2", "1", "")), ""},
    // Ids.
    {"id twice",               M(E("0", "", "") ",\n" E("0", "", "")), "7:7 M30a; 7:7 M30b"},
    {"ids from 10 on",         M(E("10", "", "11") ",\n" E("11", "10", "")), "2:7 M30b"},
    {"ids change places",      M(E("1", "", "") ",\n" E("0", "", "")), "2:7 M30b"},
    // Edges at one end.
    {"producer is no node",    M(E("0", "7", "")), "2:28 M31"},
    {"consumer is no node",    M(E("0", "", "7")), "2:49 M31"},
    {"its own producer",       M(E("0", "0", "0")), "2:28 M31; 2:50 M31"},
    {"only the producer has it", M(E("0", "", "1") ",\n" E("1", "", "")), "2:49 M31"},
    {"only the consumer has it", M(E("0", "", "") ",\n" E("1", "0", "")), "7:28 M31"},
    {"the edge twice",         M(E("0", "", "1,1") ",\n" E("1", "0,0", "")), ""},
    {"other edges",            M(E("0", "", "2") ",\n" E("1", "0", "") ",\n" E("2", "", "")), "2:49 M31; 7:28 M31"},
    {"list absent",            M(E("0", "", "1") ",\n{\"Id\":1,\"ConsumerNodeIds\":[],\"Op\":"
                                 ARK_OP_TEXT("Tensor", "true", "", "", "", "") "}"), "7:1 M02"},
    // Cycles, and order.
    {"two in a cycle",         M(E("0", "1", "1") ",\n" E("1", "0", "0")), "2:1 M32"},
    {"three in a cycle",       M(E("0", "2", "1") ",\n" E("1", "0", "2") ",\n" E("2", "1", "0")), "2:1 M32"},
    {"a cycle behind a node",  M(E("0", "", "1") ",\n" E("1", "0,2", "2") ",\n" E("2", "1", "1")), "7:1 M32"},
    {"a node behind a cycle",  M(E("0", "1", "1") ",\n" E("1", "0", "0,2") ",\n" E("2", "1", "")), "2:1 M32"},
    {"two cycles",             M(E("0", "1", "1") ",\n" E("1", "0", "0") ",\n" E("2", "3", "3") ",\n" E("3", "2", "2")),
                               "2:1 M32; 12:1 M32"},
    {"two cycles in one",      M(E("0", "1,2", "1,2") ",\n" E("1", "0", "0") ",\n" E("2", "0", "0")), "2:1 M32"},
    {"cycle and wrong order",  M(E("0", "1,2", "1") ",\n" E("1", "0", "0") ",\n" E("2", "", "0")), "2:1 M32; 2:1 M33"},
    {"producer comes after",   M(E("0", "1", "") ",\n" E("1", "", "0")), "2:1 M33"},
    {"two producers after",    M(E("0", "1,2", "") ",\n" E("1", "", "0") ",\n" E("2", "", "0")), "2:1 M33"},
    // Tensors and edges.
    {"with its edge",          M(N("0", "", "1", T("1", "1"), "2") ",\n" N("1", "0", "", T("2", "9"), "3")), ""},
    {"without any edge",       M(N("0", "", "", T("1", "1"), "2") ",\n" N("1", "", "", T("2", "9"), "3")),
                               "8:16 M35; 8:16 M41"},
    {"by a path",              M(N("0", "", "1", T("1", "1"), "2") ",\n" N("1", "0", "2", T("2", "9"), "3") ",\n"
                                 N("2", "1", "", T("2", "9"), "4")), "13:16 M41"},
    {"tensors of one producer", M(N("0", "", "", T("1", "1"), "2") ",\n" N("1", "", "", T("2", "9") "," T("2", "9"), "3")),
                               "8:16 M35; 8:16 M41"},
    {"one with, one without a path", M(N("0", "", "1", T("1", "1"), "2") ",\n" N("1", "0", "3", T("2", "9"), "3") ",\n"
                                 N("2", "", "", T("1", "1"), "4") ",\n" N("3", "1", "", T("2", "9") "," T("4", "9"), "5")),
                               "18:16 M41; 18:157 M35; 18:157 M41"},
    {"a path from elsewhere",  M(N("0", "", "2", T("1", "1"), "2") ",\n" N("1", "", "", T("1", "1"), "3") ",\n"
                                 N("2", "0", "", T("2", "9") "," T("3", "9"), "4")), "13:157 M35; 13:157 M41"},
    {"written without an edge", M(N("0", "", "", T("1", "1"), "90") ",\n" N("1", "", "", T("1", "1"), "3")),
                               "5:18 M36; 9:17 M35; 9:17 M41"},
    {"read before its producer", M(N("0", "", "", T("3", "9"), "2") ",\n" N("1", "", "", T("1", "1"), "3")), "3:16 M35"},
    {"no operator makes it",   M(N("0", "", "", T("1", "1"), "2") ",\n" N("1", "", "", T("1", "1"), "3")), ""},
    {"two operators of a node", "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],"
                               "\"Ops\":[" ARK_OP("Relu", T("1", "1"), T("90", "9"), T("2", "9"), "") ","
                               ARK_OP("Relu", T("2", "9"), T("90", "9"), T("3", "9"), "") "]}]}", ""},
    {"in the wrong order",     "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],"
                               "\"Ops\":[" ARK_OP("Relu", T("2", "9"), T("90", "9"), T("3", "9"), "") ","
                               ARK_OP("Relu", T("1", "1"), T("90", "9"), T("2", "9"), "") "]}]}", "2:16 M35"},
    // Operators by themselves.
    {"result is read",         M(N("0", "", "", T("1", "1"), "2")), ""},
    {"result is also read",    M(N("0", "", "", T("2", "9"), "2")), "5:18 M36"},
    {"Relu is virtual",        OP_OF("true", "Relu"), "2:93 M40"},
    {"Relu is not",            OP_OF("false", "Relu"), ""},
    {"Tensor is not virtual",  OP_OF("false", "Tensor"), "2:95 M40"},
    {"Reshape is virtual",     OP_OF("true", "Reshape"), ""},
    {"Placeholder is virtual", OP_OF("true", "Placeholder"), ""},
    {"no known type",          OP_OF("true", "Conv"), "2:64 M08"},
};
// clang-format on

HOIST_TEST_TABLE(nodes_rules, cases)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, ark_check_nodes), row->findings);
}

// Messages name cycles by their ids, a long one by its begin.
static const struct {
    const char *name;
    const char *text;
    const char *message;
} messages[] = {
    {"cycle", M(E("0", "", "1") ",\n" E("1", "0,2", "2") ",\n" E("2", "1", "1")),
     "nodes depend on each other: 1 needs 2 needs 1"},
    {"long cycle",
     M(E("0", "8", "1") ",\n" E("1", "0", "2") ",\n" E("2", "1", "3") ",\n" E(
         "3", "2", "4") ",\n" E("4", "3",
                                "5") ",\n" E("5", "4",
                                             "6") ",\n" E("6", "5",
                                                          "7") ",\n" E("7", "6",
                                                                       "8") ",\n" E("8", "7", "0")),
     "nodes depend on each other: 0 needs 8 needs 7 needs 6 needs 5 needs 4 needs 3 needs 2 needs "
     "1 ..."},
    {"cycle of eight",
     M(E("0", "7", "1") ",\n" E("1", "0", "2") ",\n" E("2", "1", "3") ",\n" E(
         "3", "2", "4") ",\n" E("4", "3", "5") ",\n" E("5", "4", "6") ",\n" E("6", "5",
                                                                              "7") ",\n" E("7", "6",
                                                                                           "0")),
     "nodes depend on each other: 0 needs 7 needs 6 needs 5 needs 4 needs 3 needs 2 needs 1 needs "
     "0"},
    {"ids from 10 on", M(E("10", "", "11") ",\n" E("11", "10", "")),
     "Id is 10, expected the position 0; 2 of 2 nodes differ"},
    {"no producer", M(E("0", "", "") ",\n" E("1", "0", "")),
     "node 1 has node 0 as producer, which does not have it as consumer"},
};

HOIST_TEST_TABLE(nodes_messages, messages)
{
    (void)ark_test_findings(t, row->text, ark_check_nodes);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->message);
}

// A cycle as long as the file: neither the search for cycles nor that for paths recurses.
HOIST_TEST(nodes_many)
{
    enum { NODES = 20000 };
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[");
    for (int i = 0; i < NODES; i++) {
        hoist_buffer_format(&text,
                            "%s{\"Id\":%d,\"ProducerNodeIds\":[%d],\"ConsumerNodeIds\":[%d],"
                            "\"Op\":{\"Type\":\"Tensor\",\"Name\":\"\",\"IsVirtual\":true,"
                            "\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":[],"
                            "\"Args\":{}}}",
                            i ? "," : "", i, (i + NODES - 1) % NODES, (i + 1) % NODES);
    }
    hoist_buffer_c(&text, "]}");
    hoist_buffer_char(&text, 0);
    const char *const all = hoist_buffer_text(&text).data;
    HOIST_EXPECT_STR(t, ark_test_findings(t, all, ark_check_nodes), "1:34 M32");
    hoist_buffer_deinit(&text);
}

HOIST_TEST(nodes_limits)
{
    ark_test_starve(t, cases[HOIST_COUNT_OF(cases) - 1].text, ark_check_nodes);
    ark_test_starve(t,
                    M(N("0", "", "", T("1", "1"), "2") ",\n" N(
                        "1", "2", "2", T("2", "9"), "3") ",\n" N("2", "1", "1", T("2", "9"), "4")),
                    ark_check_nodes);
    ark_test_cancel(t, cases[1].text, ark_check_nodes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(nodes_rules), HOIST_TEST_ROW(nodes_messages),
                HOIST_TEST_ROW(nodes_many), HOIST_TEST_ROW(nodes_limits))
