// How operators of plans are cut: the keys that each type has, numbers of tiles, words. Findings of
// operators with good and with broken configurations; the other rules of plans are in
// check_plan_test.c.
#include <string.h>

#include "base/span.h"
#include "formats/ark/plan_testing.h"

// clang-format off
#define TASK(op) PLAN(PLAN_TASK("0", op), PLAN_RUN("0,1", "0", "1"))
#define TASKS(count, op) PLAN(PLAN_TASK("0", op), PLAN_RUN("0,8", "0", count))

// Types by the keys of their configurations that ARK reads.
static const struct {
    const char *name;
    const char *keys;
} types[] = {
    {"Add", "Tile"}, {"Cast", "Tile"}, {"Copy", "Tile"}, {"Div", "Tile"}, {"Exp", "Tile"}, {"Gelu", "Tile"},
    {"Mul", "Tile"}, {"Relu", "Tile"}, {"Rope", "Tile"}, {"Rsqrt", "Tile"}, {"ScalarAdd", "Tile"},
    {"ScalarAssign", "Tile"}, {"ScalarMul", "Tile"}, {"Sigmoid", "Tile"}, {"Sqrt", "Tile"}, {"Sub", "Tile"},
    {"Transpose", "Tile"}, {"RecvReduceSend", "Tile"},
    {"Matmul", "TileShapeMNK"},
    {"ReduceMax", "ImplType"}, {"ReduceMean", "ImplType"}, {"ReduceSum", "ImplType"},
    {"Send", "ChannelType Signal"}, {"Recv", "ChannelType Wait"}, {"SendDone", "ChannelType"}, {"DeviceSync", "ChannelType"},
    {"SendPacket", "PacketType Tile"}, {"RecvPacket", "PacketType Tile"}, {"RecvReduceSendPacket", "PacketType Tile"},
    {"Embedding", ""}, {"Noop", ""},
};
static const char *const keys[][2] = {
    {"Tile", "\"Tile\":[1]"}, {"TileShapeMNK", "\"TileShapeMNK\":[1,1,1]"}, {"ImplType", "\"ImplType\":\"ElementWise\""},
    {"ChannelType", "\"ChannelType\":\"Proxy\""}, {"PacketType", "\"PacketType\":\"mscclpp::LL8Packet\""},
    {"Signal", "\"Signal\":true"}, {"Wait", "\"Wait\":true"},
};
// clang-format on

static bool has_word(const char *words, const char *word)
{
    hoist_str rest = hoist_str_from(words);
    bool found = false;
    while (rest.size && !found) {
        const char *const space = memchr(rest.data, ' ', rest.size);
        const size_t size = space ? (size_t)(space - rest.data) : rest.size;
        found = hoist_str_equal_c((hoist_str){rest.data, size}, word);
        rest = hoist_str_slice(rest, size + (space != NULL), rest.size);
    }
    return found;
}

// A plan of one operator without tensors; its configuration has the keys of `words`, but
// `left_out`.
static hoist_str plan_of(hoist_test *t, const char *type, const char *words, size_t left_out)
{
    hoist_str config = HOIST_STR("\"NumTasks\":1");
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        if (i != left_out && has_word(words, keys[i][0])) {
            config = hoist_arena_format(&t->arena, "%.*s,%s", HOIST_STR_ARGS(config), keys[i][1]);
        }
    }
    return hoist_arena_format(
        &t->arena,
        "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"ANY\",\"NumProcessors\":8,"
        "\"NumWarpsPerProcessor\":16,\"TaskInfos\":[{\"Id\":0,\"NumWarps\":1,\"SramBytes\":0,"
        "\"Ops\":[{\"Type\":\"%s\",\"Name\":\"\",\"IsVirtual\":false,\"ReadTensors\":[],"
        "\"WriteTensors\":[],\"ResultTensors\":[],\"Args\":{},\"Config\":{\"NumWarps\":1,"
        "\"SramBytes\":0,%.*s}}]}],\"ProcessorGroups\":[%s]}",
        type, HOIST_STR_ARGS(config), PLAN_RUN("0,1", "0", "1"));
}

HOIST_TEST_TABLE(each_type_has_its_keys, types)
{
    // With all of them there is no finding; without one there is one, if it is the type's.
    for (size_t left_out = 0; left_out <= HOIST_COUNT_OF(keys); left_out++) {
        hoist_test_row(t, row->name); // findings of the one before are gone
        const hoist_str text = plan_of(t, row->name, row->keys, left_out);
        const hoist_str found = ark_test_sentences(t, text.data, ark_check_plan);
        const bool misses =
            left_out < HOIST_COUNT_OF(keys) && has_word(row->keys, keys[left_out][0]);
        const hoist_str expected =
            misses ? hoist_arena_format(&t->arena, "P03 the Config of %s is without '%s'",
                                        row->name, keys[left_out][0])
                   : HOIST_STR("");
        HOIST_EXPECT(t, found.size >= expected.size);
        if (found.size >= expected.size) {
            const size_t from = misses ? found.size - expected.size : 0;
            HOIST_EXPECT_STR(t, hoist_str_slice(found, from, found.size), expected.data);
        }
    }
}

// clang-format off
#define SHAPED(id, shape, dims, buffer) ARK_TENSOR(id, "FP32", shape, dims, "0,0,0", shape, ARK_BUFFER(buffer))
#define CUBE(id, shape, buffer) SHAPED(id, shape, shape, buffer)
#define PRODUCT(a, b, y, transposed, config) PLAN_OP("Matmul", CUBE("1", a, "1") "," CUBE("2", b, "2"), CUBE("3", y, "3"), CUBE("4", y, "3"), \
    "\"TransposeInput\":{\"BOOL\":" transposed "},\"TransposeOther\":{\"BOOL\":false}", config)
#define SUM(axis, config) PLAN_OP("ReduceSum", ARK_T2("1", "FP32", "3,4", "1"), ARK_T2("2", "FP32", "3,1", "2"), \
    ARK_T2("3", "FP32", "3,1", "2"), "\"Axis\":{\"INT\":" axis "},\"KeepDim\":{\"BOOL\":true}", config)
#define EACH(shape, config) PLAN_OP("Relu", CUBE("1", shape, "1"), CUBE("2", shape, "2"), CUBE("3", shape, "2"), "", config)
#define WORDS(type, config) TASK(PLAN_OP(type, "", "", "", "", "\"NumTasks\":1," config))
#define CHANNEL(type, word, more) WORDS(type, "\"ChannelType\":\"" word "\"" more)
#define PACKET(word) WORDS("SendPacket", "\"Tile\":[1],\"PacketType\":\"" word "\"")
#define LISTED "expected Proxy, SecondaryProxy or Sm"

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    // Tiles of products: batches times M times N.
    {"a product in batches",     TASKS("8", PRODUCT("2,4,6", "2,6,2", "2,4,2", "false", "\"NumTasks\":8,\"TileShapeMNK\":[2,1,3]")), ""},
    {"one batch of tasks only",  TASKS("4", PRODUCT("2,4,6", "2,6,2", "2,4,2", "false", "\"NumTasks\":4,\"TileShapeMNK\":[2,1,3]")),
     "2:888 P11b NumTasks is 4, expected 8, the number of tiles"},
    {"K of the transposed",      TASKS("2", PRODUCT("1,6,4", "1,6,2", "1,4,2", "true", "\"NumTasks\":2,\"TileShapeMNK\":[2,2,6]")), ""},
    {"rows of the transposed",   TASKS("2", PRODUCT("1,6,4", "1,6,2", "1,4,2", "true", "\"NumTasks\":2,\"TileShapeMNK\":[2,2,4]")),
     "2:909 P11a the tile has 4 along K, which does not divide 6"},
    {"four entries",             TASKS("2", PRODUCT("1,4,6", "1,6,2", "1,4,2", "false", "\"NumTasks\":2,\"TileShapeMNK\":[2,2,6,1]")),
     "2:905 P11a TileShapeMNK has 4 entries, expected 3"},
    {"the Tile of D4",           TASKS("5", PRODUCT("1,4,6", "1,6,2", "1,4,2", "false", "\"NumTasks\":5,\"Tile\":[3,2]")), ""},
    // Tiles of elements: rounded up, along each dimension that the tile has.
    {"tiles along two",          TASKS("6", EACH("1,3,5", "\"NumTasks\":6,\"Tile\":[2,2]")), ""},
    {"one tile too few",         TASKS("5", EACH("1,3,5", "\"NumTasks\":5,\"Tile\":[2,2]")), "2:666 P11b NumTasks is 5, expected 6, the number of tiles"},
    {"a row each",               TASKS("6", EACH("2,3,5", "\"NumTasks\":6,\"Tile\":[5]")), ""},
    {"more entries than extents", TASKS("4", EACH("1,4,2", "\"NumTasks\":4,\"Tile\":[7,1,1,2]")), ""},
    {"a tile of nothing",        TASKS("4", EACH("1,4,2", "\"NumTasks\":4,\"Tile\":[0,2]")), ""},
    {"a list of nothing",        TASKS("4", EACH("1,4,2", "\"NumTasks\":4,\"Tile\":[]")), ""},
    // Reductions: a task for each element of the result.
    {"an element each",          TASKS("3", SUM("1", "\"NumTasks\":3,\"ImplType\":\"WarpWise\"")), ""},
    {"a task too many",          TASKS("4", SUM("1", "\"NumTasks\":4,\"ImplType\":\"WarpWise\"")), "2:687 P11b NumTasks is 4, expected 3, the number of tiles"},
    {"the last from the end",    TASKS("3", SUM("-1", "\"NumTasks\":3,\"ImplType\":\"WarpWise\"")), ""},
    {"another implementation",   TASKS("3", SUM("1", "\"NumTasks\":3,\"ImplType\":\"Warp\"")), ""},
    // Words.
    {"Proxy",                    CHANNEL("Send", "Proxy", ",\"Signal\":true"), ""},
    {"SecondaryProxy",           CHANNEL("Recv", "SecondaryProxy", ",\"Wait\":false"), ""},
    {"Sm",                       CHANNEL("DeviceSync", "Sm", ""), ""},
    {"Sm of a SendDone",         CHANNEL("SendDone", "Sm", ""), "2:218 P14 SendDone has no effect on the channel Sm"},
    {"no channel",               CHANNEL("DeviceSync", "", ""), "2:220 P14 ChannelType is '', " LISTED},
    {"a longer word",            CHANNEL("DeviceSync", "Proxy2", ""), "2:220 P14 ChannelType is 'Proxy2', " LISTED},
    {"packets of 8",             PACKET("mscclpp::LL8Packet"), ""},
    {"packets of 16",            PACKET("mscclpp::LL16Packet"), ""},
    {"packets of 4",             PACKET("mscclpp::LL4Packet"), "2:230 P14 PacketType is 'mscclpp::LL4Packet', expected mscclpp::LL8Packet or mscclpp::LL16Packet"},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    HOIST_EXPECT_STR(t, ark_test_sentences(t, row->text, ark_check_plan), row->findings);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_type_has_its_keys), HOIST_TEST_ROW(findings))
