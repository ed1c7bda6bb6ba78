// Models and plans as pictures: operators in order with what they read, inputs, outputs and memory.
#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/sketch_testing.h"
#include "testing/drawing.h"
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

static hoist_str text_of(hoist_test *t, const char *json)
{
    hoist_module *const module = read_text(t, json);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_drawing_text(&hoist_ark_format, module, NULL, t->diag, 80, &out),
                    HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    ark_destroy(module);
    return copy;
}

// clang-format off
static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} pictures[] = {
    {"a chain",
     "Matmul 0=0:h2x5 1=1:h5x3 > 2=2:h2x3 > 3=2:h2x3\nRelu 3 > 3 > 4=2:h2x3\nMul 4 4 > 5=3:h2x3 > 6=3:h2x3",
     "rank 0\n"
     "======\n"
     "  3 operators\n"
     "\n"
     "     name        reads  operator  type  shape  size\n"
     "  a  tensor 0                     FP16  2x5    20 B\n"
     "  b  tensor 1                     FP16  5x3    30 B\n"
     "  0  n0          a b    Matmul    FP16  2x3    12 B\n"
     "  1  n1          0      Relu      FP16  2x3    12 B\n"
     "  2  n2          1      Mul       FP16  2x3    12 B\n"
     "  c  tensor 6    2                FP16  2x3    12 B\n"
     "\n"
     "  memory rank, 74 B\n"
     "    inputs, state        |###########################################|    50 B\n"
     "    outputs              |###########                                |    12 B\n"
     "    others               |###########                                |    12 B\n"},
    {"views by the bytes of their writers",
     "Relu 0=0:2x2 > 1=1:2x2/2x4 > 2=1:2x2/2x4\nExp 0 > 3=1:2x2/2x4+0,2 > 4=1:2x2/2x4+0,2\n"
     "Tensor 2 4 > - > 5=1:8\nSqrt 5 > 6=2:8 > 7=2:8",
     "     name        reads  operator  type  shape  size\n"
     "  a  tensor 0                     FP32  2x2    16 B\n"
     "  0  n0          a      Relu      FP32  2x2    16 B\n"
     "  1  n1          a      Exp       FP32  2x2    16 B\n"
     "  2  n3          0 1    Sqrt      FP32  8      32 B\n"
     "  b  tensor 7    2                FP32  8      32 B\n"},
    {"virtual operators are counted", "Tensor - > - > 0=0:4\nRelu 0 > 1=1:4 > 2=1:4",
     "  1 operator, 1 virtual operator\n"},
    {"partly written, partly an input",
     "ScalarAssign - > 1=0:2/4 > 2=0:2/4\nRelu 0=0:4 > 3=1:4 > 4=1:4",
     "  a  tensor 0                         FP32  4      16 B\n"
     "  0  n0                 ScalarAssign  FP32  2       8 B\n"
     "  1  n1          0 a    Relu          FP32  4      16 B\n"},
    {"messages, done and synchronised",
     "rank 0 of 2\nSend 0=0s1,5:4 > 1=1@1r-1,5:4 > 2=1@1r-1,5:4\nSendDone 2 > - > 3=1@1r-1,5:4\n"
     "Recv 4=4@1s-1,6:4 > 5=5r1,6:4 > 6=5r1,6:4\nDeviceSync 6 > 7=5r1,6:4 > 8=5r1,6:4",
     "     name        reads  operator    type  shape  size\n"
     "  a  tensor 0                       FP32  4      16 B\n"
     "  0  n0          a      Send        FP32  4      16 B\n"
     "  1  n1          0      SendDone    FP32  4      16 B\n"
     "  2  n2                 Recv        FP32  4      16 B\n"
     "  3  n3          2      DeviceSync  FP32  4      16 B\n"
     "  b  tensor 8    3                  FP32  4      16 B\n"},
    {"an operator that is not valid", "Relu 0=0:4 0 > 1=1:4 > 2=1:4\nNoop 1 > - > -",
     "     name        reads  operator  type  shape  size\n"
     "  0  n0                 Relu      ?     ?         ?\n"
     "  1  n1                 Noop      FP32  4      16 B\n"},
};

#define T4(id, buffer)                                                                             \
    "{\"Id\":" id ",\"DataType\":\"FP32\",\"Shape\":[4],\"Strides\":[4],\"Offsets\":[0],"          \
    "\"PaddedShape\":[4],\"Buffer\":{\"Id\":" buffer ",\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}}"
#define OP(type, name, read, write, result)                                                        \
    "{\"Type\":\"" type "\",\"Name\":\"" name "\",\"IsVirtual\":false,\"ReadTensors\":[" read      \
    "],\"WriteTensors\":[" write "],\"ResultTensors\":[" result "],\"Args\":{},"                   \
    "\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":2,\"Tile\":[2]}}"
#define TASK(id, op) "{\"Id\":" id ",\"NumWarps\":1,\"SramBytes\":0,\"Ops\":[" op "]}"
#define GROUP(processors, tasks)                                                                   \
    "{\"ProcessorRange\":[0,9],\"ResourceGroups\":[{\"ProcessorRange\":" processors                \
    ",\"WarpRange\":[0,4],\"SramRange\":[0,0],\"TaskGroups\":[" tasks "]}]}"
#define PART(task, range) "{\"TaskId\":" task ",\"TaskRange\":" range ",\"Granularity\":1}"
static const char plan[] =
    "{\"Rank\":3,\"WorldSize\":4,\"Architecture\":\"ANY\",\"NumProcessors\":9,"
    "\"NumWarpsPerProcessor\":4,\"TaskInfos\":["
    TASK("7", OP("Relu", "", T4("0", "0"), T4("1", "1"), T4("2", "1"))) ","
    TASK("8", OP("Exp", "exp", T4("2", "1"), T4("3", "3"), T4("4", "3"))) ","
    TASK("9", OP("Sqrt", "sqrt", T4("4", "3"), T4("5", "5"), T4("6", "5")))
    "],\"ProcessorGroups\":["
    GROUP("[0,9]", PART("7", "[0,1]") "," PART("7", "[1,2]")) ","
    GROUP("[10,18]", PART("8", "[0,1]")) "," GROUP("[0,18]", PART("8", "[1,2]")) ","
    GROUP("[0,1000000000000]", PART("9", "[0,1]")) ","
    GROUP("[1,1000000000000]", PART("9", "[1,2]")) "," GROUP("[5,5]", PART("9", "[1,2]"))
    "]}";
static const char plan_text[] =
    "rank 3\n"
    "======\n"
    "  3 operators\n"
    "\n"
    "     name        reads  operator  type  shape  size  processors\n"
    "  a  tensor 0                     FP32  4      16 B\n"
    "  0  Relu        a      Relu      FP32  4      16 B  0-8\n"
    "  1  exp         0      Exp       FP32  4      16 B  10-17, 0-17\n"
    "  2  sqrt        1      Sqrt      FP32  4      16 B  0-999..999999, ...\n"
    "  b  tensor 6    2                FP32  4      16 B\n";
// clang-format on

HOIST_TEST_TABLE(operators_are_listed_in_order, pictures)
{
    const hoist_str text = text_of(t, ark_sketch(t, row->sketch));
    if (!hoist_str_contains(text, row->wanted)) {
        HOIST_EXPECT_STR(t, text, row->wanted);
    }
}

HOIST_TEST(operators_of_plans_have_processors)
{
    const hoist_str text = text_of(t, plan);
    if (!hoist_str_starts_with(text, plan_text)) {
        HOIST_EXPECT_STR(t, text, plan_text);
    }
}

static hoist_status run(hoist_allocator alloc, const void *self)
{
    ark_module module = *ark_module_of(self);
    hoist_picture picture;
    module.base.alloc = alloc;
    hoist_picture_init(&picture, alloc);
    const hoist_status status = ark_picture(&module.base, NULL, NULL, &picture);
    hoist_picture_deinit(&picture);
    return status;
}

HOIST_TEST(time_and_memory_run_out)
{
    hoist_module *const module = read_text(t, plan);
    hoist_picture picture;
    hoist_test_starve(t, run, module);
    module->deadline = hoist_test_deadline(t, 0);
    hoist_picture_init(&picture, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, ark_picture(module, NULL, t->diag, &picture), HOIST_LIMIT);
    hoist_picture_deinit(&picture);
    hoist_deadline_destroy(module->deadline);
    ark_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operators_are_listed_in_order),
                HOIST_TEST_ROW(operators_of_plans_have_processors),
                HOIST_TEST_ROW(time_and_memory_run_out))
