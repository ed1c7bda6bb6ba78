// The summary of small models and of a plan, event by event.
#include <string.h>

#include "base/buffer.h"
#include "formats/ark/ark.h"
#include "formats/ark/sketch_testing.h"
#include "testing/trace.h"

static hoist_module *read_text(hoist_test *t, const char *text)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_str all = hoist_str_from(text);
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(
        t, ark_read((hoist_bytes){(const uint8_t *)all.data, all.size}, &options, t->diag, &module),
        HOIST_OK);
    return module;
}

static hoist_str info_of(hoist_test *t, const char *json)
{
    hoist_module *const module = read_text(t, json);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, ark_info(module, NULL, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    ark_destroy(module);
    return copy;
}

#define COST(flops, read, written, sent)                                                           \
    "flops: uint " flops "\nread_bytes: uint " read "\nwritten_bytes: uint " written               \
    "\nsent_bytes: uint " sent "\n"
#define TENSOR(id, buffer, type, shape)                                                            \
    "map\ntensor: int " id "\nbuffer: int " buffer "\ntype: str " type "\nshape: list\n" shape     \
    "end\n"
#define BUFFER(id, on_rank, external, size, tensors)                                               \
    "map\nbuffer: int " id "\non_rank: " on_rank "\nexternal: " external "\nsize_bytes: " size     \
    "\ntensors: uint " tensors "\nend\n"

// clang-format off
static const char chain[] = "Matmul 0=0:2x5 1=1:h5x3/6x3 > 2=2:2x3 > 3=2:2x3\n"
                            "Relu 3 > 3 > 4=2:2x3\n"
                            "ScalarMul 5=5:4 > 5 > 6=5:4";
static const char chain_info[] =
    "model: map\n"
    "kind: str 5 model\n"
    "dialect: str 2 d3\n"
    "rank: int 0\n"
    "world_size: int 1\n"
    "nodes: uint 3\n"
    "operators: uint 3\n"
    "tensors: uint 7\n"
    "buffers: uint 4\n"
    "memory_bytes: uint 116\n" // 40 and 36, of Strides, and 24 and 16
    COST("70", "110", "64", "0")
    "end\n"
    "inputs: list\n"
    TENSOR("0", "0", "4 FP32", "int 2\nint 5\n")
    "needed_bytes: uint 40\nfirst_read_by: str 2 n0\nstate: false\nend\n"
    TENSOR("1", "1", "4 FP16", "int 5\nint 3\n")
    "needed_bytes: uint 30\nfirst_read_by: str 2 n0\nstate: false\nend\n"
    TENSOR("5", "5", "4 FP32", "int 4\n")
    "needed_bytes: uint 16\nfirst_read_by: str 2 n2\nstate: true\nend\n"
    "end\n"
    "outputs: list\n"
    TENSOR("4", "2", "4 FP32", "int 2\nint 3\n")
    "written_by: str 2 n1\nstate: false\nend\n"
    TENSOR("6", "5", "4 FP32", "int 4\n")
    "written_by: str 2 n2\nstate: true\nend\n"
    "end\n"
    "operators: list\n"
    "map\ntype: str 6 Matmul\ncount: uint 1\n" COST("60", "70", "24", "0") "end\n"
    "map\ntype: str 4 Relu\ncount: uint 1\n" COST("6", "24", "24", "0") "end\n"
    "map\ntype: str 9 ScalarMul\ncount: uint 1\n" COST("4", "16", "16", "0") "end\n"
    "end\n"
    "buffers: list\n"
    BUFFER("0", "null", "false", "uint 40", "1")
    BUFFER("1", "null", "false", "uint 36", "1")
    BUFFER("2", "null", "false", "uint 24", "3")
    BUFFER("5", "null", "false", "uint 16", "2")
    "end\n"
    "peers: list\n"
    "end\n";

static const char messages[] = "rank 1 of 2\n"
                               "Send 0=0s0,7:4 > 1=1@0r-1,7:4 > 2=1@0r-1,7:4\n"
                               "Recv 3=3@0s-1,8:4 > 4=4r0,8:4 > 5=4r0,8:4";
static const char messages_info[] =
    "peers: list\n"
    "map\nrank: int 0\ndirection: str 4 send\ntag: int 7\nbuffer: int 1\nend\n"
    "map\nrank: int 0\ndirection: str 7 receive\ntag: int 8\nbuffer: int 4\nend\n"
    "end\n";
static const char messages_buffers[] =
    "buffers: list\n"
    BUFFER("0", "null", "false", "uint 16", "1")
    BUFFER("1", "int 0", "false", "uint 16", "2")
    BUFFER("3", "int 0", "false", "uint 16", "1")
    BUFFER("4", "null", "false", "uint 16", "2")
    "end\n";
// clang-format on

static const struct {
    const char *name;
    const char *sketch;
    const char *part;
} parts[] = {
    {"all of a chain", chain, chain_info},
    {"peers", messages, messages_info},
    {"buffers of other ranks", messages, messages_buffers},
    {"bytes that are sent", messages, COST("0", "16", "16", "16")},
    {"memory of this rank", messages, "memory_bytes: uint 32\n"},
    {"the other rank", messages, "rank: int 1\nworld_size: int 2\n"},
    {"memory of the caller", "Relu 0=0:4 > 1=1!:4 > 2=1!:4",
     "needed_bytes: uint 16\nfirst_read_by: null\nstate: true\nend\n"},
    {"an external buffer", "Relu 0=0:4 > 1=1!:4 > 2=1!:4",
     BUFFER("1", "null", "true", "uint 16", "2")},
    {"a tensor beyond its buffer", "Relu 0=0:4/4+1 > 1=1:4 > 2=1:4",
     BUFFER("0", "null", "false", "null", "1")},
    {"no effects, no inputs", "Relu 0=0:4/4+1 > 1=1:4 > 2=1:4",
     "inputs: list\nend\noutputs: list\nend\n"},
};

HOIST_TEST_TABLE(info_has_all_parts, parts)
{
    const hoist_str info = info_of(t, ark_sketch(t, row->sketch));
    if (!hoist_str_contains(info, row->part)) {
        HOIST_EXPECT_STR(t, info, row->part);
    }
}

#define BUFFER_TEXT(id) "\"Buffer\":{\"Id\":" id ",\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}}"
#define T4(id, buffer)                                                                             \
    "{\"Id\":" id ",\"DataType\":\"FP32\",\"Shape\":[4],\"Strides\":[4],\"Offsets\":[0],"          \
    "\"PaddedShape\":[4]," BUFFER_TEXT(buffer)
// clang-format off
static const char plan[] =
    "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"CUDA_80\","
    "\"NumProcessors\":8,"
    "\"NumWarpsPerProcessor\":4,\"TaskInfos\":[{\"Id\":7,\"NumWarps\":1,"
    "\"SramBytes\":0,\"Ops\":["
    "{\"Type\":\"Relu\",\"Name\":\"relu\",\"IsVirtual\":false,"
    "\"ReadTensors\":[" T4("0", "0") "],\"WriteTensors\":[" T4("1", "1") "],\"ResultTensors\":[" T4(
        "2", "1") "],\"Args\":{},"
                  "\"Config\":{\"NumWarps\":1,"
                  "\"SramBytes\":0,\"NumTasks\":"
                  "2,\"Tile\":[2]}}]}],"
                  "\"ProcessorGroups\":[{"
                  "\"ProcessorRange\":[0,6,2],"
                  "\"ResourceGroups\":[{"
                  "\"ProcessorRange\":[0,6],"
                  "\"WarpRange\":[0,4],"
                  "\"SramRange\":[0,0],"
                  "\"TaskGroups\":["
                  "{\"TaskId\":7,\"TaskRange\":["
                  "0,1],\"Granularity\":1},"
                  "{\"TaskId\":7,\"TaskRange\":["
                  "1,2],\"Granularity\":1}]}]}]}";
static const char plan_info[] =
    "operators: uint 1\n"
    "tensors: uint 3\n"
    "buffers: uint 2\n"
    "memory_bytes: uint 32\n" COST("4", "16", "16",
                                   "0") "end\n"
                                        "plan: map\n"
                                        "architecture: str 7 CUDA_80\n"
                                        "processors: int 8\n"
                                        "warps_per_processor: int 4\n"
                                        "tasks: uint 1\n"
                                        "end\n"
                                        "processor_groups: list\n"
                                        "map\n"
                                        "processors: list\nint 0\nint 6\nint 2\nend\n"
                                        "resource_groups: uint 1\n"
                                        "tasks: list\nint 7\nint 7\nend\n"
                                        "end\n"
                                        "end\n"
                                        "inputs: list\n" TENSOR(
                                            "0", "0", "4 FP32",
                                            "int 4\n") "needed_bytes: uint 16\nfirst_read_by: str "
                                                       "4 relu\nstate: false\nend\nend\n";
// clang-format on

HOIST_TEST(plans_have_processors)
{
    const hoist_str info = info_of(t, plan);
    HOIST_EXPECT(t, hoist_str_starts_with(info, "model: map\nkind: str 4 plan\n"));
    HOIST_EXPECT(t, hoist_str_contains(info, "nodes: null\n"));
    if (!hoist_str_contains(info, plan_info)) {
        HOIST_EXPECT_STR(t, info, plan_info);
    }
}

// The key of the first buffer is misspelled: its tensor counts for no buffer.
HOIST_TEST(tensors_may_lack_a_buffer)
{
    char text[sizeof(plan)];
    memcpy(text, plan, sizeof(plan));
    memcpy(strstr(text, "Buffer"), "buffer", strlen("buffer"));
    const hoist_str info = info_of(t, text);
    const char *const buffers =
        "buffers: list\n" BUFFER("1", "null", "false", "uint 16", "2") "end\n";
    if (!hoist_str_contains(info, buffers)) {
        HOIST_EXPECT_STR(t, info, buffers);
    }
}

static hoist_status run(hoist_allocator alloc, const void *self)
{
    hoist_module copy = *(const hoist_module *)self;
    ark_module module = *ark_module_of(self);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    copy.alloc = alloc;
    module.base = copy;
    const hoist_status status = ark_info(&module.base, NULL, NULL, &sink);
    hoist_buffer_deinit(&text);
    return status;
}

HOIST_TEST(time_and_memory_run_out)
{
    static const hoist_rule rule = {.id = "T-1", .severity = HOIST_ERROR};
    const hoist_check_options options = {.limit_rule = &rule};
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    hoist_module *const module = read_text(t, ark_sketch(t, chain));
    hoist_test_starve(t, run, module);
    module->deadline = hoist_test_deadline(t, 0);
    HOIST_EXPECT_EQ(t, ark_info(module, &options, t->diag, &sink), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_deadline_destroy(module->deadline);
    ark_destroy(module);
    hoist_module *const large =
        read_text(t, ark_sketch(t, "Relu 0=0:1048577x1/1048577x2 > 1=1:4 > 2=1:4"));
    HOIST_EXPECT_EQ(t, ark_info(large, &options, t->diag, &sink), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "T-1");
    ark_destroy(large);
    hoist_buffer_deinit(&text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(info_has_all_parts), HOIST_TEST_ROW(plans_have_processors),
                HOIST_TEST_ROW(tensors_may_lack_a_buffer), HOIST_TEST_ROW(time_and_memory_run_out))
