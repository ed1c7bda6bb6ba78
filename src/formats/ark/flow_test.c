// Needs, results and state of small models, by bytes; random views against a byte for each byte;
// and how much work large models are.
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/flow.h"
#include "formats/ark/sketch_testing.h"

// "0 by n0: 0-96 | 3 | " : needs with the first tensor and operator, results, state, by ids.
static hoist_str shown(hoist_test *t, const ark_graph *graph, const ark_flow *flow)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (uint32_t i = 0; i < flow->need_count; i++) {
        const ark_need *const need = &flow->needs[i];
        hoist_buffer_format(&out, "%s%" PRId64 " ", i ? ", " : "", graph->values[need->value].id);
        hoist_buffer_str(&out, need->step == ARK_NONE ? HOIST_STR("unread")
                                                      : graph->steps[need->step].op->name.text);
        for (uint32_t k = 0; k < need->range_count; k++) {
            hoist_buffer_format(&out, " %" PRIu64 "-%" PRIu64, need->ranges[k].begin,
                                need->ranges[k].end);
        }
    }
    hoist_buffer_c(&out, " |");
    for (uint32_t i = 0; i < flow->result_count; i++) {
        hoist_buffer_format(&out, " %" PRId64, graph->values[flow->results[i].value].id);
    }
    hoist_buffer_c(&out, " |");
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        if (flow->is_state[i]) {
            hoist_buffer_format(&out, " %" PRId64, graph->memories[i].id);
        }
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} flows[] = {
    {"input to output", "Relu 0=0:4x6 > 1=1:4x6 > 2=1:4x6", "0 n0 0-96 | 2 |"},
    {"a chain", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 2 > 3=2:4 > 4=2:4\nSqrt 4 > 5=3:4 > 6=3:4",
     "0 n0 0-16 | 6 |"},
    {"two readers, the first is the name", "Relu 0=0:4 > 1=1:4 > 2=1:4\nAdd 2 0 > 3=2:4 > 4=2:4",
     "0 n0 0-16 | 4 |"},
    {"in place is state", "ScalarAdd 0=0:4 > 0 > 1=0:4 {\"Factor\":{\"FLOAT\":1.0}}",
     "0 n0 0-16 | 1 | 0"},
    {"in place, then read elsewhere", "Relu 0=0:4 > 0 > 1=0:4\nExp 1 > 2=1:4 > 3=1:4",
     "0 n0 0-16 | 3 |"},
    {"written before it is read", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 9=1:4 > 3=2:4 > 4=2:4",
     "0 n0 0-16 | 4 |"},
    {"a part is written before",
     "ScalarAssign - > 1=0:2x2/2x4 > 2=0:2x2/2x4\nRelu 0=0:2x4 > 3=1:2x4 > 4=1:2x4",
     "0 n1 8-16 24-32 | 4 |"},
    {"views of one buffer are one need",
     "Relu 0=0:4x2/4x6 > 10=1:4x2 > 11=1:4x2\nRelu 1=0:4x2/4x6+0,2 > 12=2:4x2 > 13=2:4x2",
     "0 n0 0-16 24-40 48-64 72-88 | 11 13 |"},
    {"columns that touch are one range",
     "Relu 0=0:4x2/4x4 > 10=1:4x2 > 11=1:4x2\nRelu 1=0:4x2/4x4+0,2 > 12=2:4x2 > 13=2:4x2",
     "0 n0 0-64 | 11 13 |"},
    {"views by bytes and not by boxes",
     // Elements 0 to 3 of rows of 12 bytes, then bytes 4 to 8 of rows of 8.
     "ScalarAssign - > 0=0:4x1/4x3 > 1=0:4x1/4x3\nRelu 2=0:6x1/6x2+0,1 > 3=1:6x1 > 4=1:6x1",
     "2 n1 4-8 20-24 28-32 44-48 | 4 |"},
    {"views of other element sizes",
     "ScalarAssign - > 0=0:b3 > 1=0:b3\nRelu 2=0:h4 > 3=1:h4 > 4=1:h4", "2 n1 3-8 | 4 |"},
    {"shards make an output each",
     "Relu 0=0:2x2 > 1=1:2x2/2x4 > 2=1:2x2/2x4\nExp 0 > 3=1:2x2/2x4+0,2 > 4=1:2x2/2x4+0,2",
     "0 n0 0-16 | 2 4 |"},
    {"overwritten in part, it stays", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 3=0:2/4 > 4=1:2/4 > 5=1:2/4",
     "0 n0 0-16 | 2 5 |"},
    {"overwritten by one", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 0 > 1 > 5=1:4", "0 n0 0-16 | 5 |"},
    {"overwritten by two",
     "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 3=0:2/4 > 4=1:2/4 > 5=1:2/4\n"
     "Exp 3 > 6=1:2/4+2 > 7=1:2/4+2",
     "0 n0 0-16 | 5 7 |"},
    {"one byte of it is read", "Relu 0=0:4 > 1=1:4 > 2=1:4\nRelu 3=1:b1/16+15 > 4=2:b1 > 5=2:b1",
     "0 n0 0-16 | 5 |"},
    {"Noop reads nothing", "Relu 0=0:4 > 1=1:4 > 2=1:4\nNoop 2 > - > -\nNoop 9=9:4 > - > -",
     "0 n0 0-16 | 2 |"},
    {"virtual operators do nothing",
     "Tensor - > - > 0=0:4\nTensor 0 > - > 1=0:2x2\nRelu 1 > 2=1:2x2 > 3=1:2x2\n"
     "Tensor 3 > - > 4=1:4",
     "1 n2 0-16 | 3 |"},
    {"padding is not needed", "Relu 0=0:2x3/4x8+1,2 > 1=1:2x3 > 2=1:2x3", "0 n0 40-52 72-84 | 2 |"},
    {"no operator", "Tensor - > - > 0=0:4", " | |"},
    {"a step that is not valid has no effects", "Relu 0=0:4 1=1:4 > 2=2:4 > 3=2:4", " | |"},
    {"external memory is needed", "Relu 0=0!:4 > 1=1!:4 > 2=1!:4",
     "0 n0 0-16, 1 unread 0-16 | 2 | 1"},
    {"all of external memory", "Relu 0=0!:2/8+2 > 1=1:2 > 2=1:2\nRelu 3=0!:4/8 > 4=2:4 > 5=2:4",
     "0 n0 0-32 | 2 5 |"},
    {"external memory that is written first",
     "Relu 0=0:4 > 1=1!:4 > 2=1!:4\nRelu 2 > 3=2:4 > 4=2:4", "0 n0 0-16, 2 n1 0-16 | 4 |"},

    {"Send reads",
     "rank 0 of 2\nSend 0=0s1,5:4 > 1=1@1r-1,5:4 > 2=1@1r-1,5:4\nSendDone 2 > - > 3=1@1r-1,5:4",
     "0 n0 0-16 | |"},
    {"Recv writes", "rank 0 of 2\nRecv 0=0@1s-1,5:4 > 1=1r1,5:4 > 2=1r1,5:4", " | 2 |"},
    {"what Recv writes is not needed",
     "rank 0 of 2\nRecv 0=0@1s-1,5:4 > 1=1r1,5:4 > 2=1r1,5:4\nRelu 2 > 3=2:4 > 4=2:4", " | 4 |"},
    {"own rank is local", "rank 1 of 2\nRelu 0=0@1:4 > 1=1@0:4 > 2=1@0:4", "0 n0 0-16 | |"},
    {"packets come from others",
     "rank 0 of 2\nRecvPacket 0=0@1:u32 1=1r1,5:u32 > 2=2:4 > 3=2:4\nRelu 4=1r1,5:u32 > 5=3:u32 > "
     "6=3:u32",
     " | 3 6 |"},
    {"reduced are the own input and what others wrote",
     "rank 0 of 2\nRecvReduceSend 0=0:4 1=1r1,5:4 > 0 2=2@1r-1,6:4 > 3=0:4", "0 n0 0-16 | 3 | 0"},
    {"DeviceSync passes its input on",
     "rank 0 of 2\nRelu 0=0:4 > 1=1:4 > 2=1:4\nDeviceSync 2 > 3=1:4 > 4=1:4", "0 n0 0-16 | 4 |"},
    {"DeviceSync needs its input", "rank 0 of 2\nDeviceSync 0=0:4 > 1=0:4 > 2=0:4",
     "0 n0 0-16 | 2 | 0"},
};

HOIST_TEST_TABLE(bytes_decide, flows)
{
    ark_test_file file;
    ark_flow flow;
    HOIST_EXPECT_EQ(
        t, ark_test_open(ark_sketch(t, row->sketch), hoist_allocator_system(), NULL, &file),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_flow_find(&file.graph, &file.arena, &flow), HOIST_OK);
    HOIST_EXPECT_STR(t, shown(t, &file.graph, &flow), row->wanted);
    ark_test_close(&file);
}

// Against a byte for each byte -------------------------------------------------------------------

enum { BUFFERS = 3, BYTES = 96, STEPS = 12, TENSORS = 3 * STEPS };

typedef struct bytes_state {
    bool is_known[BUFFERS][BYTES], is_needed[BUFFERS][BYTES];
    bool is_read[BUFFERS][BYTES], is_gone[BUFFERS][BYTES];
} bytes_state;

// Calls for each byte of a tensor; how many are set, and sets them.
static int visit_bytes(const ark_graph *graph, uint32_t value, bool flags[BUFFERS][BYTES],
                       bool sets)
{
    const ark_value *const v = &graph->values[value];
    const int64_t id = graph->memories[v->memory].id;
    int count = 0;
    for (int64_t a = 0; a < v->shape[0]; a++) {
        for (int64_t b = 0; b < v->shape[1] * v->stride[1]; b++) {
            bool *const flag = &flags[id][v->offset + (uint64_t)(a * v->stride[0] + b)];
            count += *flag;
            *flag = *flag || sets;
        }
    }
    return count;
}

static void add_view(hoist_buffer *out, uint64_t *seed, int id)
{
    static const char dtypes[] = "b\0h\0f";
    static const int sizes[] = {1, 2, 4};
    const size_t type = hoist_test_random(seed) % 3;
    const int elements = BYTES / sizes[type];
    const int columns = 2 + (int)(hoist_test_random(seed) % 7);
    const int rows = elements / columns;
    const int row = (int)(hoist_test_random(seed) % (uint64_t)rows);
    const int column = (int)(hoist_test_random(seed) % (uint64_t)columns);
    const int height = 1 + (int)(hoist_test_random(seed) % (uint64_t)(rows - row));
    const int width = 1 + (int)(hoist_test_random(seed) % (uint64_t)(columns - column));
    hoist_buffer_format(
        out, "%d=%d:%s%dx%d/%dx%d+%d,%d", id, (int)(hoist_test_random(seed) % BUFFERS),
        type == 2 ? "" : &dtypes[2 * type], height, width, rows, columns, row, column);
}

static void expect_bytes(hoist_test *t, const ark_graph *graph, const ark_flow *flow)
{
    bytes_state s = {0};
    bool needed[BUFFERS][BYTES] = {{false}};
    bool is_result[STEPS] = {false};
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const uint32_t read = graph->steps[i].reads.items[0];
        bytes_state before = s;
        visit_bytes(graph, read, s.is_known, true);
        for (int b = 0; b < BUFFERS; b++) {
            for (int k = 0; k < BYTES; k++) {
                s.is_needed[b][k] |= s.is_known[b][k] != before.is_known[b][k];
            }
        }
        visit_bytes(graph, graph->steps[i].writes.items[0], s.is_known, true);
    }
    for (uint32_t i = graph->step_count; i-- > 0;) {
        const uint32_t result = graph->steps[i].results.items[0];
        const ark_value *const v = &graph->values[result];
        const int all = (int)((int64_t)v->count * v->stride[v->rank - 1]);
        is_result[i] = visit_bytes(graph, result, s.is_read, false) == 0 &&
                       visit_bytes(graph, result, s.is_gone, false) < all;
        visit_bytes(graph, graph->steps[i].writes.items[0], s.is_gone, true);
        visit_bytes(graph, graph->steps[i].reads.items[0], s.is_read, true);
    }
    for (uint32_t i = 0; i < flow->need_count; i++) {
        const ark_need *const need = &flow->needs[i];
        for (uint32_t k = 0; k < need->range_count; k++) {
            HOIST_EXPECT(t, k == 0 || need->ranges[k - 1].end < need->ranges[k].begin);
            memset(&needed[graph->memories[need->memory].id][need->ranges[k].begin], true,
                   need->ranges[k].end - need->ranges[k].begin);
        }
    }
    HOIST_EXPECT(t, memcmp(needed, s.is_needed, sizeof(needed)) == 0);
    uint32_t at = 0;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const bool has = at < flow->result_count && flow->results[at].step == i;
        HOIST_EXPECT_EQ(t, has, is_result[i]);
        at += has;
    }
}

HOIST_TEST(random_views_are_those_of_a_bitmap)
{
    uint64_t seed = 5;
    const int rounds = HOIST_TEST_ROUNDS(150);
    for (int round = 0; round < rounds; round++) {
        hoist_buffer out;
        ark_test_file file;
        ark_flow flow;
        hoist_buffer_init(&out, hoist_allocator_system());
        for (int i = 0; i < STEPS; i++) {
            hoist_buffer_c(&out, i ? "\nRelu " : "Relu ");
            add_view(&out, &seed, 2 * i);
            hoist_buffer_c(&out, " > ");
            add_view(&out, &seed, 2 * i + 1);
            hoist_buffer_format(&out, " > %d", 2 * i + 1);
        }
        hoist_buffer_char(&out, 0);
        HOIST_EXPECT_EQ(t,
                        ark_test_open(ark_sketch(t, (const char *)out.data),
                                      hoist_allocator_system(), NULL, &file),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, ark_flow_find(&file.graph, &file.arena, &flow), HOIST_OK);
        expect_bytes(t, &file.graph, &flow);
        ark_test_close(&file);
        hoist_buffer_deinit(&out);
    }
}

// Size -------------------------------------------------------------------------------------------

enum { MANY = 10000, SIDE = 16384 };

// A chain of operators over column blocks of matrices of a gigabyte.
static ark_graph large_graph(hoist_arena *arena, const ark_module *module)
{
    static const ark_op op;
    ark_memory *const memories = hoist_arena_array(arena, MANY + 1, sizeof(*memories));
    ark_value *const values = hoist_arena_array(arena, 4 * MANY + 4, sizeof(*values));
    ark_step *const steps = hoist_arena_array(arena, MANY, sizeof(*steps));
    uint32_t *const ids = hoist_arena_array(arena, 4 * MANY + 4, sizeof(*ids));
    for (uint32_t i = 0; i < 4 * MANY + 4; i++) {
        const uint32_t block = i % 4; // of the columns of matrix i / 4
        memories[i / 4] = (ark_memory){.local = true, .valid = true, .whole = i};
        values[i] = (ark_value){.memory = i / 4,
                                .valid = true,
                                .rank = 2,
                                .shape = {SIDE, SIDE / 4},
                                .stride = {(int64_t)4 * SIDE, 4},
                                .offset = (uint64_t)SIDE * block,
                                .count = (uint64_t)SIDE * SIDE / 4};
        ids[i] = i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        steps[i] = (ark_step){.op = &op,
                              .type = ARK_RELU,
                              .valid = true,
                              .owner = i,
                              .reads = {ids + (size_t)4 * i, 4},
                              .writes = {ids + (size_t)4 * i + 4, 4},
                              .results = {ids + (size_t)4 * i + 4, 4}};
    }
    return (ark_graph){module, memories, MANY + 1, values, 4 * MANY + 4, steps, MANY};
}

HOIST_TEST(large_models_are_quick)
{
    ark_module module = {.base = {.alloc = hoist_allocator_system()}};
    ark_graph graph = large_graph(&t->arena, &module);
    ark_flow flow;
    module.base.deadline = hoist_test_deadline(t, 20); // without sanitizers a tenth of a second
    HOIST_EXPECT_EQ(t, ark_flow_find(&graph, &t->arena, &flow), HOIST_OK);
    HOIST_EXPECT_EQ(t, flow.need_count, 1);
    HOIST_EXPECT_EQ(t, flow.needs[0].range_count, 1);
    HOIST_EXPECT_EQ(t, flow.needs[0].ranges[0].end, (uint64_t)4 * SIDE * SIDE);
    HOIST_EXPECT_EQ(t, flow.result_count, 1);
    hoist_deadline_destroy(module.base.deadline);
    module.base.deadline = hoist_test_deadline(t, 0);
    HOIST_EXPECT_EQ(t, ark_flow_find(&graph, &t->arena, &flow), HOIST_LIMIT);
    hoist_deadline_destroy(module.base.deadline);
}

// An operator that reads `count` tensors of one buffer.
static hoist_status find_reads(hoist_test *t, const ark_value *values, uint32_t count)
{
    static const ark_op op;
    const ark_memory memory = {.local = true, .valid = true};
    uint32_t *const ids = hoist_arena_array(&t->arena, count, sizeof(*ids));
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = i;
    }
    const ark_step step = {.op = &op, .type = ARK_RELU, .valid = true, .reads = {ids, count}};
    ark_module module = {.base = {.alloc = hoist_allocator_system()}};
    const ark_graph graph = {&module, &memory, 1, values, count, &step, 1};
    ark_flow flow;
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    const hoist_status status = ark_flow_find(&graph, &arena, &flow);
    HOIST_EXPECT_EQ(t, flow.need_count, status == HOIST_OK);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(too_many_ranges_are_a_limit)
{
    ark_value column = {.valid = true, .rank = 2, .shape = {1 << 20, 1}, .stride = {8, 4}};
    HOIST_EXPECT_EQ(t, find_reads(t, &column, 1), HOIST_OK);
    column.shape[0]++;
    HOIST_EXPECT_EQ(t, find_reads(t, &column, 1), HOIST_LIMIT);
}

// Each in the one before; n * n + 2 * n steps of the sweep.
HOIST_TEST(too_many_views_are_a_limit)
{
    enum { MOST = 4096 };
    ark_value *const views = hoist_arena_array(&t->arena, MOST, sizeof(*views));
    for (uint32_t i = 0; i < MOST; i++) {
        views[i] = (ark_value){.valid = true,
                               .rank = 1,
                               .offset = i,
                               .shape = {2 * (int64_t)(MOST - i)},
                               .stride = {1}};
    }
    HOIST_EXPECT_EQ(t, find_reads(t, views, MOST - 1), HOIST_OK);
    HOIST_EXPECT_EQ(t, find_reads(t, views, MOST), HOIST_LIMIT);
}

static hoist_status find(hoist_allocator alloc, const void *self)
{
    ark_test_file file;
    ark_flow flow;
    hoist_status status = ark_test_open(self, alloc, NULL, &file);
    status = status == HOIST_OK ? ark_flow_find(&file.graph, &file.arena, &flow) : status;
    ark_test_close(&file);
    return status;
}

HOIST_TEST(memory_that_runs_out_is_reported)
{
    hoist_test_starve(t, find,
                      ark_sketch(t, "ScalarAssign - > 0=0:4x1/4x3 > 1=0:4x1/4x3\n"
                                    "Relu 2=0:6x1/6x2+0,1 > 3=1:6x1 > 4=1:6x1"));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bytes_decide), HOIST_TEST_ROW(random_views_are_those_of_a_bitmap),
                HOIST_TEST_ROW(large_models_are_quick), HOIST_TEST_ROW(too_many_ranges_are_a_limit),
                HOIST_TEST_ROW(too_many_views_are_a_limit),
                HOIST_TEST_ROW(memory_that_runs_out_is_reported))
