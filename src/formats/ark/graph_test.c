// The graph of small files: tensors and buffers, each once, with their places; operators in the
// order of execution; and each rule of geometry and identity with its neighbour that breaks none.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/graph.h"

// clang-format off
#define IN  ARK_T2("0", "FP32", "2,3", "0")
#define OUT ARK_T2("1", "FP32", "2,3", "1")
#define RES ARK_T2("2", "FP32", "2,3", "1")
#define RELU(in, out, result) ARK_SINGLE("Relu", in, out, result, "")
// A file whose first tensor, at 3:17, is this one.
#define FIRST(tensor) RELU(tensor, OUT, RES)
#define VIEW(shape, strides, offsets, padded) \
    FIRST(ARK_TENSOR("0", "FP32", shape, strides, offsets, padded, ARK_BUFFER("0")))
#define ALONE(strides) \
    ARK_SINGLE("Noop", ARK_TENSOR("0", "FP32", "1,1", strides, "0,0", "1,1", ARK_BUFFER("0")), "", "", "")
#define PADS(pads) "{\"Id\":0,\"DataType\":\"FP32\",\"Buffer\":" ARK_BUFFER("0") \
    ",\"Shape\":[4,3],\"Strides\":[4,8],\"Offsets\":[0,0],\"Pads\":[" pads "]}"
#define PADDED(pads) ARK_SINGLE("Relu", PADS(pads), PADS(pads), "", "")

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} geometry[] = {
    {"right",                   FIRST(IN), ""},
    {"unknown type",            FIRST(ARK_T2("0", "FP64", "2,3", "0")), "3:35 M20"},
    {"type is a number",        FIRST("{\"Id\":0,\"DataType\":5,\"Shape\":[2],\"Strides\":[2],\"Offsets\":[0],"
                                      "\"PaddedShape\":[2],\"Buffer\":" ARK_BUFFER("0") "}"), "3:35 M06"},
    {"no dimension",            VIEW("", "", "", ""), "3:50 M21"},
    {"4 dimensions",            FIRST(ARK_T4("0", "FP32", "1,1,2,3", "0")), ""},
    {"5 dimensions",            VIEW("1,1,1,2,3", "1,1,1,2,3", "0,0,0,0,0", "1,1,1,2,3"), "3:50 M21"},
    {"Strides shorter",         VIEW("2,3", "6", "0,0", "2,3"), "3:66 M21"},
    {"all lists of other size", VIEW("2,3", "6", "0", "6"), "3:66 M21; 3:80 M21; 3:98 M21"},
    {"extent 1",                VIEW("1,3", "1,3", "0,0", "1,3"), ""},
    {"extent 0",                VIEW("0,3", "1,3", "0,0", "1,3"), "3:51 M22"},
    {"extent and offset below", VIEW("-1,3", "1,3", "0,-1", "1,3"), "3:51 M22; 3:86 M22"},
    {"padding below the shape", VIEW("2,3", "2,3", "0,0", "2,2"), "3:105 M23"},
    {"part of an array",        VIEW("2,3", "4,8", "2,4", "2,4"), ""},
    {"beyond the array",        VIEW("2,3", "4,8", "2,5", "2,4"), "3:69 M23"},
    {"end wraps around",        VIEW("2,3", "4,8", "9223372036854775807,0", "2,3"), "3:67 M23"},
    {"just below 2^63",         ALONE("1,2305843009213693951"), ""},
    {"2^63 bytes",              ALONE("1,2305843009213693952"), "3:66 M24"},
    {"two of 2^62 bytes",       RELU(ARK_T1("0", "BYTE", "4611686018427387904", "0"),
                                     ARK_T1("1", "BYTE", "4611686018427387904", "1"), ""), "4:164 M24"},
    {"two just below",          RELU(ARK_T1("0", "BYTE", "4611686018427387904", "0"),
                                     ARK_T1("1", "BYTE", "4611686018427387903", "1"), ""), ""},
    {"the other is remote",     RELU(ARK_T1("0", "BYTE", "4611686018427387904", "0"),
                                     ARK_TENSOR("1", "BYTE", "4611686018427387904", "4611686018427387904", "0",
                                                "4611686018427387904", ARK_BUFFER_AT("1", "1", "", "")), ""), ""},
    {"pads of 1",               PADDED("1,1"), ""},
    {"pads of 0, once",         PADDED("1,0"), "3:154 M29a"},
    {"pads of 8, once",         PADDED("1,8"), "3:154 M29b"},
    {"pads beyond the array",   PADDED("1,9"), "3:125 M23; 3:154 M29b"},
};

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} identity[] = {
    {"same tensor twice",       RELU(IN, IN, RES), ""},
    {"other type",              RELU(IN, ARK_T2("0", "FP16", "2,3", "0"), RES), "4:36 M25"},
    {"other shape, once",       RELU(IN "," ARK_T2("0", "FP32", "3,2", "0") "," ARK_T2("0", "FP32", "1,2", "0"), OUT, RES),
                                "3:199 M25"},
    {"other rank",              RELU(IN, ARK_T1("0", "FP32", "6", "0"), RES), "4:51 M25"},
    {"other strides",           RELU(IN, ARK_TENSOR("0", "FP32", "2,3", "2,4", "0,0", "2,3", ARK_BUFFER("0")), RES), "4:67 M25"},
    {"other offsets",           RELU(ARK_TENSOR("0", "FP32", "2,3", "2,4", "0,0", "2,3", ARK_BUFFER("0")),
                                     ARK_TENSOR("0", "FP32", "2,3", "2,4", "0,1", "2,3", ARK_BUFFER("0")), RES), "4:83 M25"},
    {"other padding",           RELU(ARK_TENSOR("0", "FP32", "2,3", "2,4", "0,0", "2,3", ARK_BUFFER("0")),
                                     ARK_TENSOR("0", "FP32", "2,3", "2,4", "0,0", "2,4", ARK_BUFFER("0")), RES), "4:103 M25"},
    {"other buffer",            RELU(IN, ARK_T2("0", "FP32", "2,3", "1"), RES), "4:124 M25"},
    {"other spelling",          RELU(PADS("1,1"), ARK_TENSOR("0", "FP32", "4,3", "4,8", "0,0", "4,3", ARK_BUFFER("0")), ""),
                                "4:17 M12"},
    {"other spelling, other",   RELU(PADS("1,8"), ARK_TENSOR("0", "FP32", "4,3", "4,8", "0,0", "4,3", ARK_BUFFER("0")), ""),
                                "3:154 M29b; 4:17 M12; 4:103 M25"},
    {"other rank of a buffer",  RELU(IN, ARK_TENSOR("1", "FP32", "2,3", "2,3", "0,0", "2,3", ARK_BUFFER_AT("0", "1", "", "")), ""),
                                "4:133 M26"},
    {"own rank is not -1",      RELU(IN, ARK_TENSOR("1", "FP32", "2,3", "2,3", "0,0", "2,3", ARK_BUFFER_AT("0", "0", "", "")), ""),
                                "4:133 M26"},
    {"other tags",              RELU(IN, ARK_TENSOR("1", "FP32", "2,3", "2,3", "0,0", "2,3", ARK_BUFFER_AT("0", "-1", "[1,2]", "")), ""),
                                "4:147 M26"},
    {"other received tags",     RELU(ARK_TENSOR("0", "FP32", "2,3", "2,3", "0,0", "2,3", ARK_BUFFER_AT("0", "-1", "", "[1,2]")),
                                     ARK_TENSOR("1", "FP32", "2,3", "2,3", "0,0", "2,3", ARK_BUFFER_AT("0", "-1", "", "[1,3]")), ""),
                                "4:161 M26"},
    {"external or not",         RELU(IN, ARK_TENSOR("1", "FP32", "2,3", "2,3", "0,0", "2,3",
                                     "{\"Id\":0,\"Rank\":-1,\"IsExternal\":true,\"SendTags\":[],\"RecvTags\":[]}"), ""),
                                "4:149 M26"},
    {"bytes of floats",         RELU(IN, ARK_T1("1", "BYTE", "24", "0"), ARK_T1("2", "BYTE", "24", "0")), "4:36 M28"},
    {"two results",             RELU(IN, OUT, RES "," RES), "5:167 M34"},
    {"one result each",         RELU(IN, OUT, RES "," ARK_T2("3", "FP32", "2,3", "1")), ""},
};
// clang-format on

HOIST_TEST_TABLE(graph_geometry, geometry)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, NULL), row->findings);
}

HOIST_TEST_TABLE(graph_identity, identity)
{
    HOIST_EXPECT_STR(t, ark_test_findings(t, row->text, NULL), row->findings);
}

// Graphs as text ---------------------------------------------------------------------------------

static void show_list(hoist_buffer *out, const char *name, const ark_operands *list)
{
    hoist_buffer_format(out, " %s", name);
    for (uint32_t i = 0; i < list->count; i++) {
        hoist_buffer_format(out, "%s%" PRIu32, i ? "," : " ", list->items[i]);
    }
}

static void show_values(hoist_buffer *out, const ark_graph *g)
{
    for (uint32_t i = 0; i < g->memory_count; i++) {
        const ark_memory *const m = &g->memories[i];
        hoist_buffer_format(out, "memory %" PRId64 "%s%s%s: %" PRIu64 " bytes, tensor %d\n", m->id,
                            m->valid ? "" : " invalid", m->local ? "" : " remote",
                            m->external ? " external" : "", m->size,
                            m->whole == ARK_NONE ? -1 : (int)m->whole);
    }
    for (uint32_t i = 0; i < g->value_count; i++) {
        const ark_value *const v = &g->values[i];
        hoist_buffer_format(out, "tensor %" PRId64 "%s: memory %" PRId32, v->id,
                            v->valid ? "" : " invalid", (int32_t)v->memory);
        for (int k = 0; v->valid && k < v->rank; k++) {
            hoist_buffer_format(out, "%s%" PRId64 "/%" PRId64 " by %" PRId64, k ? ", " : " ",
                                v->shape[k], v->padded[k], v->stride[k]);
        }
        hoist_buffer_format(out, " at %" PRIu64 "-%" PRIu64 ", %" PRIu64 " of step %" PRId32 "\n",
                            v->offset, v->end, v->count, (int32_t)v->producer);
    }
}

static hoist_str show(hoist_test *t, const ark_graph *g)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    show_values(&out, g);
    for (uint32_t i = 0; i < g->step_count; i++) {
        const ark_step *const s = &g->steps[i];
        const hoist_str title = ark_step_title(s, &t->arena);
        hoist_buffer_format(&out, "%.*s%s %" PRIu32 ".%" PRIu32, HOIST_STR_ARGS(title),
                            s->valid ? "" : " invalid", s->owner, s->index);
        show_list(&out, "reads", &s->reads);
        show_list(&out, "writes", &s->writes);
        show_list(&out, "results", &s->results);
        for (uint32_t k = 0; k < s->range_count; k++) {
            hoist_buffer_format(&out, " [%" PRId64 ",%" PRId64 ",%" PRId64 "]", s->ranges[k].begin,
                                s->ranges[k].end, s->ranges[k].step);
        }
        hoist_buffer_char(&out, '\n');
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// clang-format off
#define TASK(id, ops) "{\"Id\":" id ",\"NumWarps\":1,\"SramBytes\":0,\"Ops\":[" ops "]}"
#define NAMED(type, name, reads, writes, results) "{\"Type\":\"" type "\",\"Name\":\"" name \
    "\",\"IsVirtual\":false,\"ReadTensors\":[" reads "],\"WriteTensors\":[" writes "],\"ResultTensors\":[" \
    results "],\"Args\":{},\"Config\":{\"NumWarps\":1,\"SramBytes\":0,\"NumTasks\":4}}"
#define GROUP(task, range) "{\"TaskId\":" task ",\"TaskRange\":[" range "],\"Granularity\":1}"
#define GROUPS(groups) "{\"ProcessorRange\":[0,1],\"ResourceGroups\":[{\"ProcessorRange\":[0,1]," \
    "\"WarpRange\":[0,1],\"SramRange\":[0,0],\"TaskGroups\":[" groups "]}]}"
#define PLAN(tasks, groups) "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"ANY\",\"NumProcessors\":1," \
    "\"NumWarpsPerProcessor\":1,\"TaskInfos\":[" tasks "],\"ProcessorGroups\":[" groups "]}"

static const struct {
    const char *name;
    const char *text;
    const char *graph;
} graphs[] = {
    {"one operator", RELU(IN, OUT, RES),
     "memory 0: 24 bytes, tensor 0\nmemory 1: 24 bytes, tensor 1\n"
     "tensor 0: memory 0 2/2 by 12, 3/3 by 4 at 0-24, 6 of step -1\n"
     "tensor 1: memory 1 2/2 by 12, 3/3 by 4 at 0-24, 6 of step -1\n"
     "tensor 2: memory 1 2/2 by 12, 3/3 by 4 at 0-24, 6 of step 0\n"
     "Relu 0.0 reads 0 writes 1 results 2\n"},
    {"a part of an array", ARK_SINGLE("Noop", ARK_TENSOR("7", "FP32", "4,6", "8,12", "2,3", "5,6", ARK_BUFFER("3")), "", "", ""),
     "memory 3: 384 bytes, tensor 0\n"
     "tensor 7: memory 0 4/5 by 48, 6/6 by 4 at 108-276, 24 of step -1\n"
     "Noop 0.0 reads 0 writes results\n"},
    {"largest array, other types", ARK_SINGLE("Tensor", ARK_T1("0", "FP32", "6", "0") "," ARK_T1("1", "BYTE", "20", "0"), "",
                                              ARK_T1("2", "FP16", "7", "0"), ""),
     "memory 0: 24 bytes, tensor 1\n"
     "tensor 0: memory 0 6/6 by 4 at 0-24, 6 of step -1\n"
     "tensor 1: memory 0 20/20 by 1 at 0-20, 20 of step -1\n"
     "tensor 2: memory 0 7/7 by 2 at 0-14, 7 of step 0\n"
     "Tensor 0.0 reads 0,1 writes results 2\n"},
    {"local, remote, external", ARK_SINGLE("Tensor",
        ARK_TENSOR("0", "BYTE", "1", "1", "0", "1", ARK_BUFFER_AT("0", "0", "", "")) ","
        ARK_TENSOR("1", "BYTE", "1", "1", "0", "1", ARK_BUFFER_AT("1", "1", "", "")), "",
        ARK_TENSOR("2", "BYTE", "1", "1", "0", "1", "{\"Id\":2,\"Rank\":-1,\"IsExternal\":true,\"SendTags\":[],\"RecvTags\":[]}"), ""),
     "memory 0: 1 bytes, tensor 0\nmemory 1 remote: 1 bytes, tensor 1\nmemory 2 external: 1 bytes, tensor 2\n"
     "tensor 0: memory 0 1/1 by 1 at 0-1, 1 of step -1\n"
     "tensor 1: memory 1 1/1 by 1 at 0-1, 1 of step -1\n"
     "tensor 2: memory 2 1/1 by 1 at 0-1, 1 of step 0\n"
     "Tensor 0.0 reads 0,1 writes results 2\n"},
    {"invalid ones", ARK_SINGLE("Relu", ARK_T2("0", "FP32", "0,3", "0"), ARK_T2("1", "FP32", "2,3", "1"), "", ""),
     "memory 0: 0 bytes, tensor -1\nmemory 1: 24 bytes, tensor 1\n"
     "tensor 0 invalid: memory 0 at 0-0, 0 of step -1\n"
     "tensor 1: memory 1 2/2 by 12, 3/3 by 4 at 0-24, 6 of step -1\n"
     "Relu invalid 0.0 reads 0 writes 1 results\n"},
    {"tensors without ids", ARK_SINGLE("Noop", "{},{}", "", "", ""),
     "tensor 0 invalid: memory -1 at 0-0, 0 of step -1\ntensor 0 invalid: memory -1 at 0-0, 0 of step -1\n"
     "Noop invalid 0.0 reads 0,1 writes results\n"},
    {"two operators in a node", ARK_MODEL("{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Ops\":["
        NAMED("Relu", "relu", IN, OUT, RES) "," NAMED("Exp", "exp_1", RES, IN, "") "]}"),
     "memory 0: 24 bytes, tensor 0\nmemory 1: 24 bytes, tensor 1\n"
     "tensor 0: memory 0 2/2 by 12, 3/3 by 4 at 0-24, 6 of step -1\n"
     "tensor 1: memory 1 2/2 by 12, 3/3 by 4 at 0-24, 6 of step -1\n"
     "tensor 2: memory 1 2/2 by 12, 3/3 by 4 at 0-24, 6 of step 0\n"
     "relu (Relu) 0.0 reads 0 writes 1 results 2\nexp_1 (Exp) invalid 0.1 reads 2 writes 0 results\n"},
    {"plan", PLAN(TASK("5", NAMED("Noop", "a", ARK_T1("0", "BYTE", "1", "0"), "", "")) ","
                  TASK("6", NAMED("Noop", "b", ARK_T1("0", "BYTE", "1", "0"), "", "") ","
                            NAMED("Noop", "c", ARK_T1("1", "BYTE", "1", "0"), "", "")) ","
                  TASK("6", NAMED("Noop", "second", ARK_T1("0", "BYTE", "1", "0"), "", "")) ","
                  TASK("7", NAMED("Noop", "unused", ARK_T1("0", "BYTE", "1", "0"), "", "")),
                  GROUPS(GROUP("6", "0,2") "," GROUP("5", "0,4,2")) "," GROUPS(GROUP("9", "0,1") "," GROUP("6", "2,4") ","
                  GROUP("6", "4,2") "," GROUP("6", "1") "," GROUP("5", "0,4,0"))),
     "memory 0: 1 bytes, tensor 0\n"
     "tensor 0: memory 0 1/1 by 1 at 0-1, 1 of step -1\ntensor 1: memory 0 1/1 by 1 at 0-1, 1 of step -1\n"
     "b (Noop) 1.0 reads 0 writes results [0,2,1] [2,4,1]\nc (Noop) 1.1 reads 1 writes results [0,2,1] [2,4,1]\n"
     "a (Noop) 0.0 reads 0 writes results [0,4,2]\n"},
    {"nothing", ARK_MODEL(""), ""},
};
// clang-format on

HOIST_TEST_TABLE(graph_shown, graphs)
{
    ark_test_file file;
    HOIST_EXPECT_EQ(t, ark_test_open(row->text, hoist_allocator_system(), NULL, &file), HOIST_OK);
    HOIST_EXPECT_STR(t, show(t, &file.graph), row->graph);
    ark_test_close(&file);
}

// Findings name the tensor by its path, of nodes with one operator or several, and of plans.
static const struct {
    const char *name;
    const char *text;
    const char *object;
} paths[] = {
    {"node", RELU(IN, ARK_T2("1", "FP32", "0,3", "1"), ""), "nodes/0/op/write/0"},
    {"ops",
     ARK_MODEL("{\"Id\":0,\"ProducerNodeIds\":[],\"ConsumerNodeIds\":[],\"Ops\":[" NAMED(
         "Relu", "", IN, OUT, RES) "," NAMED("Exp", "", IN, OUT, RES) "]}"),
     "nodes/0/ops/1/result/0"},
    {"plan",
     PLAN(TASK("0", NAMED("Noop", "", ARK_T1("0", "BYTE", "1", "0"), "", "")) "," TASK(
              "1", NAMED("Noop", "", IN "," ARK_T1("1", "BYTE", "0", "1"), "", "")),
          ""),
     "tasks/1/ops/0/read/1"},
};

HOIST_TEST_TABLE(graph_paths, paths)
{
    (void)ark_test_findings(t, row->text, NULL);
    const size_t count = hoist_diag_kept(t->diag);
    HOIST_EXPECT(t, count > 0);
    HOIST_EXPECT_STR(t, count ? hoist_diag_at(t->diag, count - 1)->object : HOIST_STR(""),
                     row->object);
}

HOIST_TEST(graph_limits)
{
    ark_test_starve(t, graphs[0].text, NULL);
    ark_test_starve(t, graphs[HOIST_COUNT_OF(graphs) - 2].text, NULL);
    ark_test_cancel(t, graphs[0].text, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(graph_geometry), HOIST_TEST_ROW(graph_identity),
                HOIST_TEST_ROW(graph_shown), HOIST_TEST_ROW(graph_paths),
                HOIST_TEST_ROW(graph_limits))
