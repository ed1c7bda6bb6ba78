// Default plans: the configuration and the processors of each kind of operator.
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "testing/test.h"

// clang-format off
#define TENSOR(dtype, dims) "{\"Id\":0,\"DataType\":\"" dtype "\",\"Shape\":" dims ",\"Strides\":" dims ",\"Offsets\":[0,0],\"PaddedShape\":" dims ",\"Buffer\":{\"Id\":0,\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}}"
#define OP(type, reads, result, args) "{\"Type\":\"" type "\",\"Name\":\"n\",\"IsVirtual\":false,\"ReadTensors\":[" reads "],\"WriteTensors\":[],\"ResultTensors\":[" result "],\"Args\":{" args "}}"
#define NODE(op) "{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Op\":" op "}"
#define MODEL(nodes) "{\"Rank\":1,\"WorldSize\":2,\"Nodes\":[" nodes "]}"
#define ONE(type, dims) MODEL(NODE(OP(type, "", TENSOR("FP32", dims), "")))
#define REDUCE(dims, axis, result) MODEL(NODE(OP("ReduceSum", TENSOR("FP32", dims), TENSOR("FP32", result), "\"Axis\":{\"INT\":" axis "}")))
#define MATMUL(dtype, a, b, y, transposed) MODEL(NODE(OP("Matmul", TENSOR(dtype, a) "," TENSOR(dtype, b), TENSOR(dtype, y), "\"TransposeInput\":{\"BOOL\":" transposed "}")))

#define GROUP(processors, warps, sram, tasks) \
    "{\"ProcessorRange\":[0," processors "],\"ResourceGroups\":[{\"ProcessorRange\":[0," processors "],\"WarpRange\":[0," warps "],\"SramRange\":[0," sram "],\"TaskGroups\":[{\"TaskId\":0,\"TaskRange\":[0," tasks "],\"Granularity\":1}]}]}"
#define HEAD(processors, warps) "{\"Rank\":1,\"WorldSize\":2,\"Architecture\":\"CUDA_80\",\"NumProcessors\":" processors ",\"NumWarpsPerProcessor\":" warps ","

static const struct {
    const char *name;
    const char *model;
    const char *arch;
    uint32_t processors;
    const char *want[3]; // parts of the plan
} cases[] = {
    {"a tile along the last dimension", ONE("Exp", "[3,130]"), NULL, 0,
     {"\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"Tile\":[1,64],\"NumTasks\":9}", GROUP("9", "1", "0", "9"), HEAD("9", "1")}},
    {"along the one before it", ONE("Exp", "[2,65,64]"), NULL, 0,
     {"\"Tile\":[64,1],\"NumTasks\":256}", GROUP("108", "1", "0", "256"), HEAD("108", "1")}},
    {"both alike", ONE("Exp", "[64,64]"), NULL, 7, {"\"Tile\":[1,64],\"NumTasks\":64}", GROUP("7", "1", "0", "64"), HEAD("7", "1")}},
    {"transposes", ONE("Transpose", "[2,9,8]"), NULL, 0, {"\"Tile\":[8,8],\"NumTasks\":4}"}},
    {"reductions over the last axis", REDUCE("[4,5]", "1", "[4]"), NULL, 0,
     {"\"Config\":{\"NumWarps\":1,\"ImplType\":\"WarpWise\",\"SramBytes\":256,\"NumTasks\":4}", GROUP("4", "1", "256", "4")}},
    {"the last from the end", REDUCE("[4,5]", "-1", "[4]"), NULL, 0, {"\"ImplType\":\"WarpWise\""}},
    {"others", REDUCE("[4,5]", "0", "[5]"), NULL, 0, {"\"ImplType\":\"ElementWise\",\"SramBytes\":0,\"NumTasks\":5}"}},
    {"rows of an embedding", ONE("Embedding", "[2,3,4,100]"), NULL, 0, {"\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":24}"}},
    {"nothing", ONE("Noop", "[5]"), NULL, 0, {"\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":0}", GROUP("0", "1", "0", "0")}},
    {"sends", ONE("Send", "[5]"), NULL, 0, {"\"Config\":{\"ChannelType\":\"Proxy\",\"Signal\":true,\"NumTasks\":1,\"NumWarps\":1,\"SramBytes\":0}"}},
    {"receives", ONE("Recv", "[5]"), NULL, 0, {"\"Config\":{\"ChannelType\":\"Proxy\",\"NumTasks\":1,\"NumWarps\":1,\"SramBytes\":0,\"Wait\":true}"}},
    {"barriers", ONE("DeviceSync", "[5]"), NULL, 0, {"\"Config\":{\"ChannelType\":\"Proxy\",\"NumTasks\":1,\"NumWarps\":1,\"SramBytes\":0}"}},
    {"packets", ONE("SendPacket", "[1025]"), NULL, 0,
     {"\"Config\":{\"PacketType\":\"mscclpp::LL16Packet\",\"NumWarps\":1,\"SramBytes\":0,\"Tile\":[1,512],\"NumTasks\":3}"}},
    {"packets on another GPU", ONE("RecvPacket", "[128]"), "ROCM_942", 0,
     {"\"PacketType\":\"mscclpp::LL8Packet\",\"NumWarps\":1,\"SramBytes\":0,\"Tile\":[1,128],\"NumTasks\":1}"}},
    {"sums of what peers send", ONE("RecvReduceSend", "[129]"), NULL, 0, {"\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"Tile\":[1,128],\"NumTasks\":2}"}},
    // Matmuls: 128 x 256, or 256 x 128 where there are more rows than columns; halved until they divide.
    {"a wide matmul", MATMUL("FP32", "[2,128,96]", "[96,512]", "[2,128,512]", "false"), NULL, 0,
     {"\"Config\":{\"NumWarps\":8,\"SramBytes\":147456,\"TileShapeMNK\":[128,256,32],\"NumTasks\":4}", GROUP("4", "8", "147456", "4"), HEAD("4", "8")}},
    {"a tall one of 16-bit floats", MATMUL("FP16", "[512,64]", "[64,128]", "[512,128]", "false"), NULL, 0, {"\"TileShapeMNK\":[256,128,64],\"NumTasks\":2}"}},
    {"tiles are halved", MATMUL("FP32", "[48,6]", "[6,20]", "[48,20]", "false"), NULL, 0, {"\"TileShapeMNK\":[16,4,2],\"NumTasks\":15}"}},
    {"terms of a transposed input", MATMUL("FP32", "[16,8]", "[16,4]", "[8,4]", "true"), NULL, 0, {"\"TileShapeMNK\":[8,4,16],\"NumTasks\":1}"}},
    {"on another GPU", MATMUL("BF16", "[128,64]", "[64,256]", "[128,256]", "false"), "ROCM_942", 0,
     {"\"Config\":{\"NumWarps\":4,\"SramBytes\":24624,\"TileShapeMNK\":[128,256,32],\"NumTasks\":1}"}},
    {"float32 there", MATMUL("FP32", "[128,64]", "[64,256]", "[128,256]", "false"), "ROCM_942", 0,
     {"\"Config\":{\"NumWarps\":4,\"SramBytes\":24672,\"TileShapeMNK\":[128,256,16],\"NumTasks\":1}"}},
    {"without a name", ONE("Exp", "[5]"), "none", 0, {"{\"Rank\":1,\"WorldSize\":2,\"NumProcessors\":1,\"NumWarpsPerProcessor\":1,\"TaskInfos\":[{\"Id\":0,\"NumWarps\":1,\"SramBytes\":0,\"Ops\":["}},
    {"virtual operators are left out", MODEL(NODE("{\"Type\":\"Tensor\",\"Name\":\"\",\"IsVirtual\":true,\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":[],\"Args\":{}}")), NULL, 0,
     {"\"TaskInfos\":[],\"ProcessorGroups\":[]}", HEAD("0", "1")}},
    {"a model of another dialect", MODEL("{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Ops\":[{\"Type\":\"Exp\",\"Name\":\"n\",\"IsVirtual\":false,\"ReadTensors\":[],\"WriteTensors\":[],\"ResultTensors\":["
        "{\"Id\":0,\"DataType\":\"FP32\",\"Buffer\":{\"Id\":0,\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]},\"Shape\":[5],\"Strides\":[5],\"Offsets\":[0],\"Pads\":[1]}],\"Args\":{}}]}"), NULL, 0,
     {"\"Offsets\":[0],\"PaddedShape\":[5],\"Buffer\":{\"Id\":0,"}},
};
// clang-format on

static hoist_status plan(hoist_allocator alloc, const char *text, const hoist_plan_options *options,
                         hoist_diag *diag, hoist_buffer *out)
{
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    const hoist_read_options reading = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    HOIST_TRY(ark_read(bytes, &reading, NULL, &module));
    const hoist_status status = ark_plan(module, options, diag, out);
    ark_destroy(module);
    return status;
}

// The text without what lays it out.
static void compact(hoist_buffer *text)
{
    size_t size = 0;
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] != ' ' && text->data[i] != '\n') {
            text->data[size++] = text->data[i];
        }
    }
    text->size = size;
}

HOIST_TEST_TABLE(plans, cases)
{
    hoist_buffer out;
    const hoist_plan_options options = {.arch = row->arch, .processors = row->processors};
    hoist_buffer_init(&out, t->arena.alloc);
    HOIST_EXPECT_EQ(t, plan(t->arena.alloc, row->model, &options, t->diag, &out), HOIST_OK);
    compact(&out);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->want) && row->want[i]; i++) {
        if (!memmem(out.data, out.size, row->want[i], strlen(row->want[i]))) {
            HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want[i]);
        }
    }
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *arch;
    hoist_status status;
    const char *finding;
} refusals[] = {
    {"an architecture without defaults", ONE("Exp", "[5]"), "CUDA_90", HOIST_NOT_FOUND,
     "1:1: warning: no default plan is known for the architecture 'CUDA_90'; there are CUDA_80, ROCM_942 and none [ARK-P16]\n"},
    {"a plan", "{\"Rank\":0,\"WorldSize\":1,\"NumProcessors\":1,\"NumWarpsPerProcessor\":1,\"TaskInfos\":[],\"ProcessorGroups\":[]}", NULL, HOIST_UNSUPPORTED,
     "1:1: error: the file is a plan already, expected a model [ARK-P01a]\n"},
    {"as many tasks as fit", ONE("Embedding", "[2147483647,1]"), NULL, HOIST_OK, ""},
    {"more tasks", ONE("Embedding", "[2147483648,1]"), NULL, HOIST_LIMIT, "1:1: error: an operator has 2147483648 tasks or more, expected less [ARK-P03]\n"},
};
// clang-format on

HOIST_TEST_TABLE(refused, refusals)
{
    hoist_buffer out;
    const hoist_plan_options options = {.arch = row->arch};
    hoist_buffer_init(&out, t->arena.alloc);
    HOIST_EXPECT_EQ(t, plan(t->arena.alloc, row->text, &options, t->diag, &out), row->status);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->finding);
    hoist_buffer_deinit(&out);
}

static hoist_status plan_starved(hoist_allocator alloc, const void *text)
{
    hoist_buffer out;
    const hoist_plan_options options = {.arch = NULL};
    hoist_buffer_init(&out, alloc);
    const hoist_status status = plan(alloc, text, &options, NULL, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(without_memory)
{
    hoist_test_starve(t, plan_starved, ONE("Exp", "[3,130]"));
    hoist_test_starve(t, plan_starved, cases[HOIST_COUNT_OF(cases) - 1].model);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(plans), HOIST_TEST_ROW(refused), HOIST_TEST_ROW(without_memory))
