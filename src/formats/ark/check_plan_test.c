// Rules of plans: each with plans that break it, and with plans that do not. P15 and P17, which
// need several files, too.
#include "formats/ark/plan_testing.h"

// clang-format off
#define NEXT ",\n"
#define RELU PLAN_TASK("0", PLAN_RELU("1", "2", "2"))
#define RUN PLAN_RUN("0,2", "0", "2")
#define TASK PLAN_TASK
#define OP PLAN_OP
// One task of an operator with a configuration that is executed as a whole.
#define CONFIG(...) PLAN(TASK("0", OP(__VA_ARGS__)), PLAN_RUN("0,1", "0", "1"))
#define ONE(id) PLAN_F(id, id)
#define UNARY ONE("1"), ONE("2"), PLAN_F("3", "2")
// [8,8] x [8,8]
#define SQUARE(id, buffer) ARK_T2(id, "FP32", "8,8", buffer)
#define MATMUL(tile, tasks) PLAN(TASK("0", OP("Matmul", SQUARE("1", "1") "," SQUARE("2", "2"), SQUARE("3", "3"), \
    SQUARE("4", "3"), "\"TransposeInput\":{\"BOOL\":false},\"TransposeOther\":{\"BOOL\":true}", \
    "\"NumTasks\":" tasks ",\"TileShapeMNK\":[" tile "]")), PLAN_RUN("0,8", "0", tasks))
#define SUM(axis, impl) PLAN(TASK("0", OP("ReduceSum", SQUARE("1", "1"), ARK_T2("2", "FP32", "1,8", "2"), \
    ARK_T2("3", "FP32", "1,8", "2"), "\"Axis\":{\"INT\":" axis "},\"KeepDim\":{\"BOOL\":true}", \
    "\"NumTasks\":8,\"ImplType\":\"" impl "\"")), PLAN_RUN("0,8", "0", "8"))
#define RANGED(range) PLAN(RELU, PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", range))))
#define PARTS(group, part, warps) PLAN(RELU, PLAN_GROUP(group, PLAN_PART(part, warps, "0,0", PLAN_USE("0", "0,2"))))
#define HEAVY(warps, sram, have_warps, have_sram) PLAN("{\"Id\":0,\"NumWarps\":" warps ",\"SramBytes\":" sram ",\"Ops\":[" \
    PLAN_RELU("1", "2", "2") "]}", PLAN_GROUP("0,2", PLAN_PART("0,2", "0," have_warps, "0," have_sram, PLAN_USE("0", "0,2"))))
// Two operators, of buffers 1 and 2 and of others, and where they run.
#define PAIR(second, groups) PLAN(RELU NEXT TASK("1", second), groups)
#define READER PLAN_RELU("2", "3", "2")
#define WRITER PLAN_RELU("4", "1", "2")
#define SIBLING PLAN_RELU("1", "3", "2")
#define SIDE(processors, warps, task) PLAN_PART(processors, warps, "0,0", PLAN_USE(task, "0,2"))
#define BLOCK(processors, parts) PLAN_GROUP(processors, parts)

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    {"nothing", PLAN("", ""), ""},
    {"an operator", PLAN(RELU, RUN), ""},
    // P03.
    {"without a tile", CONFIG("Relu", UNARY, "", "\"NumTasks\":1"), "2:579 P03 the Config of Relu is without 'Tile'"},
    {"an operator without tiles", CONFIG("Noop", ONE("1"), "", "", "", "\"NumTasks\":1"), ""},
    // P04.
    {"an Id twice", PLAN(RELU NEXT TASK("0", PLAN_RELU("3", "4", "2")), RUN), "3:7 P04a tasks 0 and 1 both have the Id 0"},
    {"a task that there is not", PLAN(RELU, RUN NEXT PLAN_RUN("0,2", "1", "2")), "5:128 P04a TaskId is 1, and no task has that Id"},
    {"Ids from 5 on", PLAN(TASK("5", PLAN_RELU("1", "2", "2")), PLAN_RUN("0,2", "5", "2")), "2:7 P04b task 0 has the Id 5"},
    // P05.
    {"one number", RANGED("0"), "4:142 P05a TaskRange is [0], expected [begin, end] or [begin, end, step] with 0 <= begin <= end and a step of 1 or more"},
    {"four numbers", RANGED("0,2,1,1"), "4:142 P05a TaskRange is [0,2,1,1], expected [begin, end] or [begin, end, step] with 0 <= begin <= end and a step of 1 or more"},
    {"end before begin", RANGED("2,1"), "4:142 P05a TaskRange is [2,1], expected [begin, end] or [begin, end, step] with 0 <= begin <= end and a step of 1 or more"},
    {"below 0", RANGED("-1,2"), "4:142 P05a TaskRange is [-1,2], expected [begin, end] or [begin, end, step] with 0 <= begin <= end and a step of 1 or more"},
    {"step 0", RANGED("0,2,0"), "4:142 P05a TaskRange is [0,2,0], expected [begin, end] or [begin, end, step] with 0 <= begin <= end and a step of 1 or more"},
    {"step 1", RANGED("0,2,1"), ""},
    {"step 2", PLAN(RELU, PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "0,2,2") "," PLAN_USE("0", "1,2")))), "4:142 P05b TaskRange has the step 2, which ARK ignores"},
    // P06.
    {"all processors and warps", PARTS("0,8", "0,8", "0,16"), ""},
    {"too many processors", PARTS("0,9", "0,8", "0,16"), "4:19 P06 ProcessorRange is [0, 9], expected a part of [0, 8]"},
    {"outside of its group", PARTS("1,4", "0,4", "0,16"), "4:61 P06 ProcessorRange is [0, 4], expected a part of [1, 4]"},
    {"behind its group", PARTS("0,4", "0,5", "0,16"), "4:61 P06 ProcessorRange is [0, 5], expected a part of [0, 4]"},
    {"too many warps", PARTS("0,4", "0,4", "0,17"), "4:79 P06 WarpRange is [0, 17], expected a part of [0, 16]"},
    // P07.
    {"enough", HEAVY("4", "64", "4", "64"), ""},
    {"not enough warps", HEAVY("5", "64", "4", "64"), "4:118 P07 task 0 takes 5 warps, and its resource group has 4"},
    {"not enough SRAM", HEAVY("4", "65", "4", "64"), "4:118 P07 task 0 takes 65 bytes of SRAM, and its resource group has 64"},
    // P08.
    {"granularity", PLAN(RELU, PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0",
        "{\"TaskId\":0,\"TaskRange\":[0,2],\"Granularity\":0}"))), "4:162 P08 Granularity is 0, expected 1 or more"},
    // P09.
    {"the last task is missing", RANGED("0,1"), "2:621 P09b task 1 of 2 is not executed"},
    {"the first task is missing", RANGED("1,2"), "2:621 P09b task 0 of 2 is not executed"},
    {"tasks that there are not", RANGED("0,3"), ""},
    {"a task twice", PLAN(RELU, RUN NEXT PLAN_RUN("0,2", "0", "1")), "2:621 P09b task 0 of 2 is executed more than once"},
    {"a task twice, in place", PLAN(TASK("0", PLAN_RELU("1", "1", "2")), RUN NEXT PLAN_RUN("0,2", "0", "1")), "2:621 P09a task 0 of 2 is executed more than once, and changes what it reads"},
    {"two halves", PLAN(RELU, PLAN_RUN("0,2", "0", "1") NEXT PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "1,2")))), ""},
    {"by steps, twice", PLAN(RELU, PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "0,2,2") "," PLAN_USE("0", "0,1")))), "2:621 P09b task 0 of 2 is executed more than once; 4:142 P05b TaskRange has the step 2, which ARK ignores"},
    {"by steps, not all", RANGED("0,2,2"), "2:621 P09b task 1 of 2 is not executed; 4:142 P05b TaskRange has the step 2, which ARK ignores"},
    {"in no group", PLAN(RELU, ""), "2:1 P09b no group executes task 0"},
    // P10.
    {"two numbers of tasks", PLAN(TASK("0", PLAN_RELU("1", "2", "2") "," PLAN_RELU("2", "3", "1")), RUN), "2:1214 P11b NumTasks is 1, expected 2, the number of tiles; 2:1214 P10 NumTasks is 1, expected 2 as of the first operator of the task"},
    // P11.
    {"tiles of 4 by 4", MATMUL("4,4,8", "4"), ""},
    {"K is not divided", MATMUL("4,4,3", "4"), "2:877 P11a the tile has 3 along K, which does not divide 8"},
    {"N is not divided", MATMUL("4,3,8", "4"), "2:875 P11a the tile has 3 along N, which does not divide 8"},
    {"a tile of 0", MATMUL("0,4,8", "4"), "2:873 P11a the tile has 0 along M, which does not divide 8"},
    {"two entries", MATMUL("4,4", "4"), "2:872 P11a TileShapeMNK has 2 entries, expected 3"},
    {"a task more than tiles", MATMUL("4,4,8", "5"), "2:855 P11b NumTasks is 5, expected 4, the number of tiles"},
    {"fewer tasks than tiles", PLAN(TASK("0", PLAN_RELU("1", "2", "1")), PLAN_RUN("0,2", "0", "1")), "2:621 P11b NumTasks is 1, expected 2, the number of tiles"},
    // P12.
    {"warps on the last axis", SUM("1", "WarpWise"), ""},
    {"warps on the first axis", SUM("0", "WarpWise"), "2:700 P12 ImplType is WarpWise and Axis is 0, expected 1, the last"},
    {"elements on the first axis", SUM("0", "ElementWise"), ""},
    // P13.
    {"one after the other", PAIR(READER, RUN NEXT PLAN_RUN("0,2", "1", "2")), ""},
    {"on other processors", PAIR(READER, RUN NEXT PLAN_RUN("2,4", "1", "2")), "3:43 P13 Relu (group 1) reads buffer 2 while Relu (group 0) may still write it"},
    {"writes what is read", PAIR(WRITER, RUN NEXT PLAN_RUN("2,4", "1", "2")), "3:43 P13 Relu (group 1) writes buffer 1 while Relu (group 0) may still read it"},
    {"writes what is written", PAIR(PLAN_OP("Relu", PLAN_F("14", "4"), PLAN_F("12", "2"),
        PLAN_F("32", "2"), "", "\"NumTasks\":2,\"Tile\":[4]"), RUN NEXT PLAN_RUN("2,4", "1", "2")), "3:43 P13 Relu (group 1) writes buffer 2 while Relu (group 0) may still write it"},
    {"reads what is read", PAIR(SIBLING, RUN NEXT PLAN_RUN("2,4", "1", "2")), ""},
    {"other processors of one group", PAIR(READER, BLOCK("0,4", SIDE("0,2", "0,16", "0") "," SIDE("2,4", "0,16", "1"))), "3:43 P13 Relu (group 0) reads buffer 2 while Relu (group 0) may still write it"},
    {"other warps of one group", PAIR(READER, BLOCK("0,4", SIDE("0,2", "0,8", "0") "," SIDE("0,2", "8,16", "1"))), "3:43 P13 Relu (group 0) reads buffer 2 while Relu (group 0) may still write it"},
    {"one warp in common", PAIR(READER, BLOCK("0,4", SIDE("0,2", "0,9", "0") "," SIDE("1,3", "8,16", "1"))), ""},
    {"joined by a third", PLAN(RELU NEXT TASK("1", PLAN_RELU("5", "6", "2")) NEXT TASK("2", READER),
        RUN NEXT PLAN_RUN("1,3", "1", "2") NEXT PLAN_RUN("2,4", "2", "2")), ""},
    {"not joined by a third", PLAN(RELU NEXT TASK("1", PLAN_RELU("5", "6", "2")) NEXT TASK("2", READER),
        RUN NEXT PLAN_RUN("2,3", "1", "2") NEXT PLAN_RUN("2,4", "2", "2")), "4:43 P13 Relu (group 2) reads buffer 2 while Relu (group 0) may still write it"},
    {"after a barrier of others", PLAN(TASK("0", PLAN_RELU("5", "6", "2")) NEXT TASK("1", PLAN_RELU("1", "2", "2")) NEXT TASK("2", READER),
        PLAN_RUN("0,4", "0", "2") NEXT PLAN_RUN("0,2", "1", "2") NEXT PLAN_RUN("2,4", "2", "2")), "4:43 P13 Relu (group 2) reads buffer 2 while Relu (group 1) may still write it"},
    {"what was before the barrier", PLAN(TASK("0", PLAN_RELU("1", "2", "2")) NEXT TASK("1", PLAN_RELU("5", "6", "2")) NEXT TASK("2", READER),
        PLAN_RUN("0,4", "0", "2") NEXT PLAN_RUN("0,2", "1", "2") NEXT PLAN_RUN("2,4", "2", "2")), ""},
    {"two halves of one task", PLAN(TASK("0", PLAN_RELU("1", "1", "2")), PLAN_RUN("0,2", "0", "1") NEXT
        PLAN_GROUP("2,4", PLAN_PART("2,4", "0,16", "0,0", PLAN_USE("0", "1,2")))), ""},
    {"half of what is read", PAIR(READER, PLAN_RUN("0,2", "0", "1") NEXT PLAN_RUN("2,4", "1", "2") NEXT
        PLAN_GROUP("0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "1,2")))), "2:43 P13 Relu (group 2) writes buffer 2 while Relu (group 1) may still read it; 3:43 P13 Relu (group 1) reads buffer 2 while Relu (group 0) may still write it"},
    // P14.
    {"channels", CONFIG("SendDone", JOB_F("2", "16", JOB_TO("1", "4")), "", JOB_F("3", "16", JOB_TO("1", "4")), "",
        "\"NumTasks\":1,\"ChannelType\":\"SecondaryProxy\""), ""},
    {"another channel", CONFIG("SendDone", JOB_F("2", "16", JOB_TO("1", "4")), "", JOB_F("3", "16", JOB_TO("1", "4")), "",
        "\"NumTasks\":1,\"ChannelType\":\"sm\""), "2:518 P14 ChannelType is 'sm', expected Proxy, SecondaryProxy or Sm"},
    {"SendDone on Sm", CONFIG("SendDone", JOB_F("2", "16", JOB_TO("1", "4")), "", JOB_F("3", "16", JOB_TO("1", "4")), "",
        "\"NumTasks\":1,\"ChannelType\":\"Sm\""), "2:518 P14 SendDone has no effect on the channel Sm"},
    {"another packet", CONFIG("SendPacket", JOB_F("1", "16", ARK_BUFFER("1")), JOB_PACKETS("2", JOB_TO("1", "4")),
        JOB_PACKETS("3", JOB_TO("1", "4")), JOB_FLAG("1"), "\"NumTasks\":1,\"Tile\":[1,128],\"PacketType\":\"LL8\""), "2:704 P14 PacketType is 'LL8', expected mscclpp::LL8Packet or mscclpp::LL16Packet"},
    {"a packet", CONFIG("SendPacket", JOB_F("1", "16", ARK_BUFFER("1")), JOB_PACKETS("2", JOB_TO("1", "4")),
        JOB_PACKETS("3", JOB_TO("1", "4")), JOB_FLAG("1"), "\"NumTasks\":1,\"Tile\":[1,128],\"PacketType\":\"mscclpp::LL8Packet\""), ""},
    // P16.
    {"an architecture", PLAN_RANK("0", "1", "CUDA_80", RELU, RUN), ""},
    {"another architecture", PLAN_RANK("0", "1", "CUDA_81", RELU, RUN), "1:40 P16 Architecture is 'CUDA_81', expected ANY, CUDA, ROCM or one of their versions"},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    HOIST_EXPECT_STR(t, ark_test_sentences(t, row->text, ark_check_plan), row->findings);
}

#define RICH                                                                                       \
    PAIR(READER, RUN NEXT PLAN_RUN("2,4", "1", "2") NEXT PLAN_GROUP(                               \
                     "0,2", PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "0,2,2"))))

HOIST_TEST(memory)
{
    ark_test_starve(t, RICH, ark_check_plan);
}

HOIST_TEST(time_is_over)
{
    ark_test_cancel(t, RICH, ark_check_plan);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(memory), HOIST_TEST_ROW(time_is_over))
