// formats/ark/plan_testing.h - small plans for tests: a task or a group of processors a line.
//
// The plan has a line for its keys, then one for each task, "],", and one for each group.
#ifndef HOIST_SRC_FORMATS_ARK_PLAN_TESTING_H
#define HOIST_SRC_FORMATS_ARK_PLAN_TESTING_H

#include "formats/ark/job_testing.h"

// clang-format off
// 8 processors with 16 warps.
#define PLAN_RANK(rank, world, arch, tasks, groups) \
    "{\"Rank\":" rank ",\"WorldSize\":" world ",\"Architecture\":\"" arch "\",\"NumProcessors\":8," \
    "\"NumWarpsPerProcessor\":16,\"TaskInfos\":[\n" tasks "\n],\"ProcessorGroups\":[\n" groups "\n]}"
#define PLAN(tasks, groups) PLAN_RANK("0", "1", "ANY", tasks, groups)
#define PLAN_OP(type, reads, writes, results, args, config) \
    "{\"Type\":\"" type "\",\"Name\":\"\",\"IsVirtual\":false,\"ReadTensors\":[" reads \
    "],\"WriteTensors\":[" writes "],\"ResultTensors\":[" results "],\"Args\":{" args \
    "},\"Config\":{\"NumWarps\":1,\"SramBytes\":0," config "}}"
#define PLAN_TASK(id, ops) "{\"Id\":" id ",\"NumWarps\":1,\"SramBytes\":0,\"Ops\":[" ops "]}"
#define PLAN_USE(task, range) "{\"TaskId\":" task ",\"TaskRange\":[" range "],\"Granularity\":1}"
#define PLAN_PART(processors, warps, sram, uses) \
    "{\"ProcessorRange\":[" processors "],\"WarpRange\":[" warps "],\"SramRange\":[" sram \
    "],\"TaskGroups\":[" uses "]}"
#define PLAN_GROUP(processors, parts) \
    "{\"ProcessorRange\":[" processors "],\"ResourceGroups\":[" parts "]}"
// A group that executes all `tasks` of a task on its processors.
#define PLAN_RUN(processors, task, tasks) \
    PLAN_GROUP(processors, PLAN_PART(processors, "0,16", "0,0", PLAN_USE(task, "0," tasks)))
// Relu of 8 float32, with tiles of 4: two tasks. Tensors have the ids of their buffers, and 10 more.
#define PLAN_F(id, buffer) ARK_T1(id, "FP32", "8", buffer)
#define PLAN_RELU(from, to, tasks) PLAN_OP("Relu", PLAN_F("1" from, from), PLAN_F("1" to, to), \
    PLAN_F("2" to, to), "", "\"NumTasks\":" tasks ",\"Tile\":[4]")
// clang-format on

#endif // HOIST_SRC_FORMATS_ARK_PLAN_TESTING_H
