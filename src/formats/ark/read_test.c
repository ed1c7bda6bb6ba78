// Texts to models and plans: findings with their places, what is kept, dialects, and that each text
// is written again as it was. Texts are models of one operator, of which a row replaces a part.
#include <string.h>

#include "base/span.h"
#include "formats/ark/ark.h"
#include "testing/test.h"

// clang-format off
#define BUFFER "{\"Id\":0,\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}"
#define LISTS "\"Shape\":[2],\"Strides\":[2],\"Offsets\":[0]"
#define TENSOR                                                                                     \
    "{\"Id\":0,\"DataType\":\"FP32\"," LISTS ",\"PaddedShape\":[2],\"Buffer\":" BUFFER "}"
#define TENSOR_OLD "{\"Id\":0,\"DataType\":\"FP32\",\"Buffer\":" BUFFER "," LISTS ",\"Pads\":[1]}"
#define OPERANDS(tensor) "\"ReadTensors\":[" tensor "],\"WriteTensors\":[],\"ResultTensors\":[]"
#define OP_OF(tensor, args)                                                                        \
    "{\"Type\":\"Noop\",\"Name\":\"n\",\"IsVirtual\":false," OPERANDS(tensor) ",\"Args\":{" args   \
                                                                              "}}"
// The tensor, the argument and so on begin at column 1 of a line of their own.
#define NODE(ops) "{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[]," ops "}"
#define MODEL(nodes) "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[" nodes "]}"
#define WITH_OP(op) MODEL(NODE("\"Op\":\n" op))
#define WITH_TENSOR(tensor) WITH_OP(OP_OF("\n" tensor, ""))
#define WITH_BUFFER(buffer)                                                                        \
    WITH_TENSOR("{\"Id\":0,\"DataType\":\"FP32\"," LISTS                                           \
                ",\"PaddedShape\":[2],\"Buffer\":\n" buffer "}")
#define WITH_ARG(arg) WITH_OP(OP_OF(TENSOR, "\n" arg))
#define GOOD WITH_OP(OP_OF(TENSOR, ""))

#define GROUP(range) "{\"TaskId\":0,\"TaskRange\":" range ",\"Granularity\":1}"
#define RESOURCE(groups)                                                                           \
    "{\"ProcessorRange\":[0,1],\"WarpRange\":[0,1],\"SramRange\":[0,0],\"TaskGroups\":[" groups "]}"
#define PLAN(head, tasks, groups)                                                                  \
    "{\"Rank\":0,\"WorldSize\":1," head                                                            \
    "\"NumProcessors\":1,\"NumWarpsPerProcessor\":1,\"TaskInfos\":[" tasks                         \
    "],\"ProcessorGroups\":[" groups "]}"
#define ANY "\"Architecture\":\"ANY\","
#define PLAN_OP(config)                                                                            \
    "{\"Type\":\"Noop\",\"Name\":\"n\",\"IsVirtual\":false," OPERANDS(                             \
        TENSOR) ",\"Args\":{},\"Config\":" config "}"
#define TASK(ops) "{\"Id\":0,\"NumWarps\":1,\"SramBytes\":0,\"Ops\":[" ops "]}"
#define CONFIG "{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":1}"
#define GOOD_PLAN                                                                                  \
    PLAN(ANY, TASK(PLAN_OP(CONFIG)),                                                               \
         "{\"ProcessorRange\":[0,1],\"ResourceGroups\":[" RESOURCE(GROUP("[0,1]")) "]}")

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    {"a model", GOOD, ""},
    {"a plan", GOOD_PLAN, ""},
    {"keys in another order", "{\"Nodes\":[],\"WorldSize\":2,\"Rank\":1}", ""},
    // Structure.
    {"M01: no keys", "{}",
     "1:1: error: a model without 'Rank' [ARK-M01]\n"
     "1:1: error: a model without 'WorldSize' [ARK-M01]\n"
     "1:1: error: a model without 'Nodes' [ARK-M01]\n"},
    {"M01: no object", "[]", "1:1: error: 'a model' is a list, expected a map [ARK-M01]\n"},
    {"M01: nodes", "{\"Rank\":0,\"WorldSize\":1,\n\"Nodes\":{}}",
     "2:9: error: 'Nodes' is an object, expected a list of objects [ARK-M01]\n"},
    {"M02: a node without keys", MODEL("\n{\"Op\":" OP_OF(TENSOR, "") "}"),
     "2:1: error: a node without 'Id' [ARK-M02]\n"
     "2:1: error: a node without 'ProducerNodeIds' [ARK-M02]\n"
     "2:1: error: a node without 'ConsumerNodeIds' [ARK-M02]\n"},
    {"M02: neither Op nor Ops", MODEL(NODE("\"x\":\n0")),
     "1:34: error: a node with neither 'Op' nor 'Ops' [ARK-M02]\n"
     "1:84: warning: 'x' is no key of a node, and is kept [ARK-M11]\n"},
    {"M02: both", MODEL("\n" NODE("\"Ops\":[" OP_OF(TENSOR, "") "],\"Op\":" OP_OF(TENSOR, ""))),
     "2:1: error: a node with both 'Op' and 'Ops', expected one of them [ARK-M02]\n"},
    {"M02: no operator", MODEL("\n" NODE("\"Ops\":[]")),
     "2:1: error: 'Ops' is an empty list, expected an operator [ARK-M02]\n"},
    {"M02: an operator that is a list", MODEL(NODE("\"Op\":\n[]")),
     "2:1: error: 'Op' is a list, expected an object [ARK-M02]\n"},
    {"M02: ids that are no list", MODEL("{\"Id\":0,\"ConsumerNodeIds\":[],\"Op\":" OP_OF(TENSOR, "") ",\"ProducerNodeIds\":\n3}"),
     "2:1: error: 'ProducerNodeIds' is 3, expected a list of integers [ARK-M02]\n"},
    {"M03: an operator without keys", WITH_OP("{}"),
     "2:1: error: an operator without 'Type' [ARK-M03]\n"
     "2:1: error: an operator without 'Name' [ARK-M03]\n"
     "2:1: error: an operator without 'IsVirtual' [ARK-M03]\n"
     "2:1: error: an operator without 'ReadTensors' [ARK-M03]\n"
     "2:1: error: an operator without 'WriteTensors' [ARK-M03]\n"
     "2:1: error: an operator without 'ResultTensors' [ARK-M03]\n"
     "2:1: error: an operator without 'Args' [ARK-M03]\n"},
    {"M04: a tensor without keys", WITH_TENSOR("{}"),
     "3:1: error: a tensor without 'Id' [ARK-M04]\n"
     "3:1: error: a tensor without 'DataType' [ARK-M04]\n"
     "3:1: error: a tensor without 'Shape' [ARK-M04]\n"
     "3:1: error: a tensor without 'Strides' [ARK-M04]\n"
     "3:1: error: a tensor without 'Offsets' [ARK-M04]\n"
     "3:1: error: a tensor without 'Buffer' [ARK-M04]\n"
     "3:1: error: a tensor with neither 'PaddedShape' nor 'Pads' [ARK-M04]\n"},
    {"M04: both paddings", WITH_TENSOR("{\"Id\":0,\"DataType\":\"FP32\"," LISTS ",\"Pads\":[1],\"PaddedShape\":[2],\"Buffer\":" BUFFER "}"),
     "3:1: error: a tensor with both 'PaddedShape' and 'Pads', expected one of them [ARK-M04]\n"},
    {"M04: a shape that is no list", WITH_TENSOR("{\"Id\":0,\"DataType\":\"FP32\",\"Strides\":[2],\"Offsets\":[0],\"PaddedShape\":[2],\"Buffer\":" BUFFER ",\"Shape\":\n2}"),
     "4:1: error: 'Shape' is 2, expected a list of integers [ARK-M04]\n"},
    {"M05: a buffer without keys", WITH_BUFFER("{}"),
     "4:1: error: a buffer without 'Id' [ARK-M05]\n"
     "4:1: error: a buffer without 'Rank' [ARK-M05]\n"
     "4:1: error: a buffer without 'SendTags' [ARK-M05]\n"
     "4:1: error: a buffer without 'RecvTags' [ARK-M05]\n"},
    {"M05: tags", WITH_BUFFER("{\"Id\":0,\"Rank\":-1,\"RecvTags\":[[1,2]],\"SendTags\":[\n[1],\n2,\n[1,-2147483648]]}"),
     "5:1: error: 'SendTags' has a list of another length, expected [rank, tag] [ARK-M05]\n"
     "6:1: error: 'SendTags' has a value that is no list, expected [rank, tag] [ARK-M05]\n"},
    {"M05: tags that are no list", WITH_BUFFER("{\"Id\":0,\"Rank\":-1,\"RecvTags\":[],\"SendTags\":\n1}"),
     "5:1: error: 'SendTags' is 1, expected a list of [rank, tag] [ARK-M05]\n"},
    {"M05: a buffer that is a number", WITH_BUFFER("7"),
     "4:1: error: 'a buffer' is 7, expected a map [ARK-M05]\n"},
    // Kinds of values.
    {"M06: scalars", WITH_OP("{\"Type\":\n1,\"Name\":\n2,\"IsVirtual\":\n3," OPERANDS(TENSOR) ",\"Args\":{}}"),
     "3:1: error: 'Type' is 1, expected a string [ARK-M06]\n"
     "4:1: error: 'Name' is 2, expected a string [ARK-M06]\n"
     "5:1: error: 'IsVirtual' is 3, expected true or false [ARK-M06]\n"},
    {"M06: items of lists", WITH_TENSOR("{\"Id\":\n1.5,\"DataType\":\"FP32\",\"Shape\":[2,\n4.0],\"Strides\":[\n\"2\"],\"Offsets\":[\n1e1],\"PaddedShape\":[2],\"Buffer\":" BUFFER "}"),
     "4:1: error: 'Id' is 1.5, expected an integer of 64 bits [ARK-M06]\n"
     "5:1: error: 'Shape[1]' is 4.0, expected an integer of 64 bits [ARK-M06]\n"
     "6:1: error: 'Strides[0]' is \"2\", expected an integer of 64 bits [ARK-M06]\n"
     "7:1: error: 'Offsets[0]' is 1e1, expected an integer of 64 bits [ARK-M06]\n"},
    {"M06: an id below 0", WITH_BUFFER("{\"Id\":\n-1,\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}"),
     "5:1: error: 'Id' is -1, expected 0 or more [ARK-M06]\n"},
    {"M06: a tag beyond 32 bits", WITH_BUFFER("{\"Id\":0,\"Rank\":-1,\"RecvTags\":[],\"SendTags\":[[1,\n2147483648]]}"),
     "5:1: error: 'a tag' is 2147483648, expected 2147483647 or less [ARK-M06]\n"},
    {"M07: no ranks", "{\"Rank\":0,\"WorldSize\":\n0,\"Nodes\":[]}", "2:1: error: WorldSize is 0, expected 1 or more [ARK-M07]\n"},
    {"M07: a rank beyond", "{\"Rank\":\n2,\"WorldSize\":2,\"Nodes\":[]}", "2:1: error: Rank is 2, expected 0 to 1 [ARK-M07]\n"},
    {"M07: a rank below", "{\"Rank\":\n-1,\"WorldSize\":2,\"Nodes\":[]}", "2:1: error: Rank is -1, expected 0 to 1 [ARK-M07]\n"},
    {"M08: a type", WITH_OP("{\"Type\":\n\"LeakyRelu\",\"Name\":\"\",\"IsVirtual\":false," OPERANDS(TENSOR) ",\"Args\":{}}"),
     "3:1: error: 'LeakyRelu' is no type of operators that ARK has [ARK-M08]\n"},
    // Arguments.
    {"M09: every type", WITH_ARG("\"a\":{\"INT\":-2147483648},\"b\":{\"UINT32\":4294967295},\"c\":{\"INT64\":-9223372036854775808},"
        "\"d\":{\"UINT64\":18446744073709551615},\"e\":{\"BOOL\":true},\"f\":{\"FLOAT\":0.5},\"g\":{\"DIMS\":[1,2,3,4]},"
        "\"h\":{\"TENSOR\":" TENSOR "},\"i\":{\"OFFSET\":{\"BufferId\":0,\"Value\":4}}"), ""},
    {"M09: out of range", WITH_ARG("\"a\":{\"INT\":\n2147483648},\"b\":{\"UINT32\":\n-1},\"d\":{\"UINT64\":\n-1},\"f\":{\"FLOAT\":\n1e39}"),
     "4:1: error: 'INT' is 2147483648, expected 2147483647 or less [ARK-M09]\n"
     "5:1: error: 'UINT32' is -1, expected 0 or more [ARK-M09]\n"
     "6:1: error: 'UINT64' is -1, expected an integer from 0 to 18446744073709551615 [ARK-M09]\n"
     "7:1: error: 'FLOAT' is 1e39, expected a number of float32's range [ARK-M09]\n"},
    {"M09: null, which ARK writes for infinities", WITH_ARG("\"f\":{\"FLOAT\":\nnull}"),
     "4:1: error: 'FLOAT' is null, expected a number of float32's range [ARK-M09]\n"},
    {"M09: two types", WITH_ARG("\"f\":\n{\"INT\":1,\"BOOL\":true}"),
     "4:1: error: argument 'f' has 2 types, expected one: {\"INT\": 1} or the like [ARK-M09]\n"},
    {"M09: no type", WITH_ARG("\"f\":\n{}"),
     "4:1: error: argument 'f' has 0 types, expected one: {\"INT\": 1} or the like [ARK-M09]\n"},
    {"M09: an unknown type", WITH_ARG("\"f\":{\n\"DOUBLE\":1}"),
     "4:1: error: 'DOUBLE' is no type of an argument [ARK-M09]\n"},
    {"M09: no object", WITH_ARG("\"f\":\n1"), "4:1: error: 'an argument' is 1, expected a map [ARK-M09]\n"},
    {"M09: five dimensions", WITH_ARG("\"f\":\n{\"DIMS\":[1,2,3,4,5]}"),
     "4:1: error: argument 'f' has 5 dimensions, expected 4 at most [ARK-M09]\n"},
    // Keys and dialects.
    {"M11: keys that are not known", "{\"Rank\":0,\n\"Note\":1,\"WorldSize\":1,\"Nodes\":[]}",
     "2:1: warning: 'Note' is no key of a model, and is kept [ARK-M11]\n"},
    {"M12: operators", MODEL(NODE("\"Op\":" OP_OF(TENSOR, "")) ",\n" NODE("\"Ops\":[" OP_OF(TENSOR, "") "]") ",\n" NODE("\"Ops\":[" OP_OF(TENSOR, "") "]")),
     "2:1: warning: a node has 'Ops', others before it have 'Op' [ARK-M12]\n"},
    {"M12: padding", WITH_OP(OP_OF(TENSOR_OLD ",\n" TENSOR, "")),
     "3:1: warning: a tensor has 'PaddedShape', others before it have 'Pads' [ARK-M12]\n"},
    {"M13: a key that occurs twice", "{\"Rank\":0,\"WorldSize\":1,\n\"Rank\":0,\"Nodes\":[]}",
     "2:1: error: key \"Rank\" occurs twice in its object [ARK-M13]\n"},
    // Plans.
    {"P01a: a plan without keys", "{\"TaskInfos\":[]}",
     "1:1: error: a plan without 'Rank' [ARK-P01a]\n"
     "1:1: error: a plan without 'WorldSize' [ARK-P01a]\n"
     "1:1: warning: a plan without 'Architecture' [ARK-P01b]\n"
     "1:1: error: a plan without 'NumProcessors' [ARK-P01a]\n"
     "1:1: error: a plan without 'NumWarpsPerProcessor' [ARK-P01a]\n"
     "1:1: error: a plan without 'ProcessorGroups' [ARK-P01a]\n"},
    {"P01a: parts without keys", PLAN(ANY, "\n{}", "\n{},{\"ProcessorRange\":[0,1],\"ResourceGroups\":[\n{},{\"ProcessorRange\":\n0,\"WarpRange\":[],\"SramRange\":[],\"TaskGroups\":[\n{}]}]}"),
     "2:1: error: a task without 'Id' [ARK-P01a]\n"
     "2:1: error: a task without 'NumWarps' [ARK-P01a]\n"
     "2:1: error: a task without 'SramBytes' [ARK-P01a]\n"
     "2:1: error: a task without 'Ops' [ARK-P01a]\n"
     "3:1: error: a processor group without 'ProcessorRange' [ARK-P01a]\n"
     "3:1: error: a processor group without 'ResourceGroups' [ARK-P01a]\n"
     "4:1: error: a resource group without 'ProcessorRange' [ARK-P01a]\n"
     "4:1: error: a resource group without 'WarpRange' [ARK-P01a]\n"
     "4:1: error: a resource group without 'SramRange' [ARK-P01a]\n"
     "4:1: error: a resource group without 'TaskGroups' [ARK-P01a]\n"
     "5:1: error: 'ProcessorRange' is 0, expected a list of integers [ARK-P01a]\n"
     "6:1: error: a task group without 'TaskId' [ARK-P01a]\n"
     "6:1: error: a task group without 'TaskRange' [ARK-P01a]\n"
     "6:1: error: a task group without 'Granularity' [ARK-P01a]\n"},
    {"P02: no configuration", PLAN(ANY, TASK("\n" OP_OF(TENSOR, "")), ""),
     "2:1: error: an operator of a plan without 'Config' [ARK-P02]\n"},
    {"P02: a configuration that is no object", PLAN(ANY, TASK(PLAN_OP("\n[]")), ""),
     "2:1: error: 'a configuration' is a list, expected a map [ARK-P02]\n"},
    {"P03: a configuration", PLAN(ANY, TASK(PLAN_OP("\n{\"NumTasks\":\n-1,\"Tile\":\n3}")), ""),
     "2:1: error: a configuration without 'NumWarps' [ARK-P03]\n"
     "2:1: error: a configuration without 'SramBytes' [ARK-P03]\n"
     "3:1: error: 'NumTasks' is -1, expected 0 or more [ARK-P03]\n"
     "4:1: error: 'Tile' is 3, expected a list of integers [ARK-P03]\n"},
    // No JSON: the codec's finding, then how far the file is understood.
    {"SYN: cut off", "{\"Rank\":0,\n\"WorldSize\":",
     "2:13: error: the text ends before a member's value [JSON-002]\n"
     "2:13: error: the file is understood up to line 2, expected one JSON text [ARK-SYN]\n"},
};
// clang-format on

static hoist_status read_text(hoist_test *t, const char *text, hoist_module **out_module)
{
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    const hoist_read_options options = {.alloc = t->arena.alloc, .keep = true};
    return ark_read(bytes, &options, t->diag, out_module);
}

HOIST_TEST_TABLE(findings, cases)
{
    hoist_module *module = NULL;
    (void)read_text(t, row->text, &module);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    ark_destroy(module);
}

// Findings name the object: lists by index.
HOIST_TEST(findings_have_a_path)
{
    hoist_module *module = NULL;
    (void)read_text(t, WITH_BUFFER("{\"Id\":0,\"Rank\":-1,\"SendTags\":[]}"), &module);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "Nodes/0/ReadTensors/0");
    ark_destroy(module);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    ark_dialect dialect;
} dialects[] = {
    {"D0", MODEL(NODE("\"Ops\":[" OP_OF(TENSOR_OLD, "\"StridesMNK\":{\"DIMS\":[1,1,1]}") "]")), ARK_D0},
    {"D0 by its flags", MODEL(NODE("\"Ops\":[" OP_OF(TENSOR_OLD, "\"IsInputColumnMajor\":{\"BOOL\":true}") "]")), ARK_D0},
    {"D1", MODEL(NODE("\"Ops\":[" OP_OF(TENSOR_OLD, "") "]")), ARK_D1},
    {"D2A", MODEL(NODE("\"Ops\":[" OP_OF("{\"Id\":0,\"DataType\":\"FP32\",\"Buffer\":" BUFFER "," LISTS ",\"PaddedShape\":[2]}", "") "]")), ARK_D2A},
    {"D2", MODEL(NODE("\"Ops\":[" OP_OF(TENSOR, "") "]")), ARK_D2},
    {"D3", GOOD, ARK_D3},
    {"D4", WITH_BUFFER("{\"Id\":0,\"Rank\":-1,\"IsExternal\":false,\"SendTags\":[],\"RecvTags\":[]}"), ARK_D4},
    {"nothing to know it by", MODEL(""), ARK_D3},
    {"a plan", GOOD_PLAN, ARK_D3},
};
// clang-format on

HOIST_TEST_TABLE(dialects_are_known, dialects)
{
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, row->text, &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_module_of(module)->dialect, row->dialect);
    HOIST_EXPECT_EQ(t, ark_module_of(module)->is_plan, strcmp(row->name, "a plan") == 0);
    ark_destroy(module);
}

HOIST_TEST(values_are_in_the_module)
{
    static const char text[] = WITH_ARG(
        "\"d\":{\"UINT64\":18446744073709551615},\"f\":{\"FLOAT\":0.1},\"g\":{\"DIMS\":[3,4]},"
        "\"h\":{\"TENSOR\":" TENSOR "},\"i\":{\"OFFSET\":{\"BufferId\":5,\"Value\":40}}");
    hoist_module *base = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, text, &base), HOIST_OK);
    const ark_module *const module = ark_module_of(base);
    HOIST_EXPECT_EQ(t, module->world_size.value, 1);
    HOIST_EXPECT_EQ(t, module->nodes.count, 1);
    const ark_op *const op = &module->nodes.items[0].ops.items[0];
    HOIST_EXPECT_EQ(t, op->type.value, ARK_NOOP);
    HOIST_EXPECT_EQ(t, op->reads.count, 1);
    HOIST_EXPECT_EQ(t, op->reads.items[0].dtype.value, ARK_FP32);
    HOIST_EXPECT_EQ(t, op->reads.items[0].padded.items[0].value, 2);
    HOIST_EXPECT_EQ(t, op->reads.items[0].buffer.rank.value, -1);
    HOIST_EXPECT_EQ(t, op->args.count, 5);
    const ark_arg *const args = op->args.items;
    HOIST_EXPECT_EQ(t, args[0].kind, ARK_ARG_UINT64);
    HOIST_EXPECT_EQ(t, (uint64_t)args[0].integer.value, UINT64_MAX);
    HOIST_EXPECT_EQ(t, args[1].kind, ARK_ARG_FLOAT);
    HOIST_EXPECT(t, args[1].number.value == (double)0.1F);
    HOIST_EXPECT_EQ(t, args[2].dims.items[1].value, 4);
    HOIST_EXPECT_EQ(t, args[3].kind, ARK_ARG_TENSOR);
    HOIST_EXPECT_EQ(t, args[3].tensor->shape.items[0].value, 2);
    HOIST_EXPECT_EQ(t, args[4].offset.value.value, 40);
    ark_destroy(base);
}

static hoist_status read_starved(hoist_allocator alloc, const void *text)
{
    const hoist_bytes bytes = {text, strlen(text)};
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    hoist_status status = ark_read(bytes, &options, NULL, &module);
    if (status == HOIST_OK) {
        status = ark_write(module, &out);
    }
    hoist_buffer_deinit(&out);
    ark_destroy(module);
    return status;
}

HOIST_TEST(without_memory)
{
    hoist_test_starve(t, read_starved,
                      WITH_ARG("\"h\":{\"TENSOR\":" TENSOR "},\"x\\u0041\":{\"INT\":1,\"B\":2}"));
    hoist_test_starve(t, read_starved, GOOD_PLAN);
}

HOIST_TEST(without_time)
{
    hoist_deadline *const deadline = hoist_test_deadline(t, 1000);
    hoist_deadline_cancel(deadline);
    const hoist_bytes bytes = {(const uint8_t *)GOOD, sizeof(GOOD) - 1};
    const hoist_read_options options = {
        .alloc = t->arena.alloc, .keep = true, .deadline = deadline};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, ark_read(bytes, &options, t->diag, &module), HOIST_CANCELLED);
    HOIST_EXPECT(t, module == NULL);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(findings_have_a_path),
                HOIST_TEST_ROW(dialects_are_known), HOIST_TEST_ROW(values_are_in_the_module),
                HOIST_TEST_ROW(without_memory), HOIST_TEST_ROW(without_time))
