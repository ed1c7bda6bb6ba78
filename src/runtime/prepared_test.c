// Which steps get a prepared form, and that calls find it. The kernels are made for the test: they
// expect the first byte of the weights twice over.
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute_table.h"
#include "runtime/prepared.h"
#include "runtime/runtime_testing.h"

static size_t size_wanted(const hoist_compute_call *call)
{
    return call->attrs.value[0].integer == 9 ? 0 : 2 + (size_t)call->views[1].shape.dim[0];
}

static bool prepare(const hoist_compute_call *call, uint8_t *prepared)
{
    const uint8_t *weights = call->views[1].memory.data + call->views[1].offset;
    memset(prepared, weights[0], size_wanted(call));
    return weights[0] != 0xee;
}

static hoist_status run(const hoist_compute_call *call, size_t begin, size_t end,
                        hoist_compute_fault *out_fault)
{
    (void)call;
    (void)begin;
    (void)end;
    (void)out_fault;
    return HOIST_OK;
}

static const hoist_compute_row rows[] = {
    [HOIST_TFLITE_DENSE] = {.run = run, .prepared_size = size_wanted, .prepare = prepare},
    [HOIST_TFLITE_SOFTMAX] = {.run = run},
    [HOIST_IEEE_ADD] = {.run = run},
};
static const hoist_compute_group group = {.count = HOIST_COUNT_OF(rows), .rows = rows};
static const hoist_compute_kernels kernels = {.groups = {&group}};

#define BUFFERS                                                                                    \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 64 lifetime session output\n"                                              \
    "buffer w in m size 64 lifetime constant contents bytes data 1122334455667788\n"               \
    "buffer bad in m size 64 lifetime constant contents bytes data ee\n"                           \
    "buffer k in m size 64 lifetime constant contents zero\n"                                      \
    "buffer window in m size 8 window w offset 4 lifetime constant\n"                              \
    "buffer given in m size 64 lifetime constant contents caller\n"                                \
    "buffer part in m size 64 lifetime constant contents zero\n"                                   \
    "buffer of_part in m size 8 window part lifetime constant\n"                                   \
    "fifo q queue of u8[4] slots 2 in [part] slot_bytes 4\n"
#define DENSE(weights, bias, requant)                                                              \
    "compute tflite.dense(high 255) from [x u8[1, 2], " weights ", " bias ", " requant             \
    "] to [x u8[1, 1] + 8]\n"
#define PROGRAM(steps) BUFFERS "thread t {\nregister r\n" steps "}\nentry e {\nstart t\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    int first[2]; // byte of the form of each step; -1: none
} cases[] = {
    {"constants", PROGRAM(DENSE("w u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {0x11, -1}},
    {"two steps", PROGRAM(DENSE("w u8[1, 2]", "k i32[1]", "k i32[1, 2]") DENSE("w u8[1, 2] + 2", "k i32[1]", "k i32[1, 2]")), {0x11, 0x33}},
    {"a window of a constant", PROGRAM(DENSE("window u8[1, 2] + 1", "k i32[1]", "k i32[1, 2]")), {0x66, -1}},
    {"weights that a register moves", PROGRAM(DENSE("w u8[1, 2] + r * 1", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"weights that are computed", PROGRAM(DENSE("x u8[1, 2] + 16", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"a bias that is computed", PROGRAM(DENSE("w u8[1, 2]", "x i32[1] + 16", "k i32[1, 2]")), {-1, -1}},
    {"weights of the caller", PROGRAM(DENSE("given u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"a slot", PROGRAM(DENSE("read(q) u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"memory of a fifo", PROGRAM(DENSE("of_part u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"addresses", PROGRAM("move copy from [x u8[1]] to space(m) u8[1] + r * 1\n" DENSE("w u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {-1, -1}},
    {"kernels that want nothing", PROGRAM("compute tflite.dense(zero_in 9, high 255) from [x u8[1, 2], w u8[1, 2], k i32[1], k i32[1, 2]] to [x u8[1, 1] + 8]\n"), {-1, -1}},
    {"operands that cannot be prepared", PROGRAM(DENSE("bad u8[1, 2]", "k i32[1]", "k i32[1, 2]") DENSE("w u8[1, 2]", "k i32[1]", "k i32[1, 2]")), {-1, 0x11}},
    {"rows without operands of their own", PROGRAM("compute ieee.add from [w f32[4], k f32[4]] to [x f32[4]]\n"), {-1, -1}},
    {"rows without a form", PROGRAM("compute tflite.softmax from [w u8[4]] to [x u8[4]]\n"), {-1, -1}},
};
// clang-format on

// What step `i` of the only thread has, over a store that has contents.
static void expect_first(hoist_test *t, const hoist_prepared *prepared,
                         const hoist_program *program, uint32_t i, int expected)
{
    const hoist_prog_code *code = &program->threads[0].code;
    const uint8_t *bytes =
        i < code->step_count ? hoist_prepared_of(prepared, &code->steps[i]) : NULL;
    HOIST_EXPECT_EQ(t, bytes ? bytes[0] : -1, expected);
    HOIST_EXPECT(t, !bytes || (bytes[2] == expected && (uintptr_t)bytes % 64 == 0));
}

HOIST_TEST_TABLE(what_is_prepared, cases)
{
    hoist_program *program = runtime_program(t, row->text);
    hoist_store store;
    hoist_prepared prepared;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_prepared_init(&prepared, &store, &kernels), HOIST_OK);
    expect_first(t, &prepared, program, 0, row->first[0]);
    expect_first(t, &prepared, program, 1, row->first[1]);
    HOIST_EXPECT(t, hoist_prepared_of(&prepared, NULL) == NULL);
    hoist_prepared_deinit(&prepared);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

static hoist_status open_and_close(hoist_allocator alloc, const void *self)
{
    hoist_store store;
    hoist_prepared prepared = {.alloc = alloc};
    hoist_status status = hoist_store_init(&store, self, alloc, 0);
    if (status == HOIST_OK) {
        status = hoist_prepared_init(&prepared, &store, &kernels);
    }
    hoist_prepared_deinit(&prepared);
    hoist_store_deinit(&store);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_program *program = runtime_program(t, cases[1].text);
    if (program) {
        hoist_test_starve(t, open_and_close, program);
    }
    hoist_program_destroy(program);
}

// Two forms of 3 bytes, the second at a multiple of 64.
static const struct {
    const char *name;
    uint64_t bytes; // that the program takes
    uint64_t more;  // up to the limit; 0: none
    int first[2];
} rooms[] = {
    {"no limit", 17, 0, {0x11, 0x33}},       {"four times as much", 16, 0, {0x11, -1}},
    {"much less", 0, 0, {-1, -1}},           {"a limit", 4096, 67, {0x11, 0x33}},
    {"a limit below", 4096, 66, {0x11, -1}}, {"a limit below the first", 4096, 2, {-1, -1}},
};

HOIST_TEST_TABLE(room_for_forms, rooms)
{
    hoist_program *program = runtime_program(t, cases[1].text);
    hoist_store store;
    hoist_prepared prepared;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    store.bytes = row->bytes;
    store.limit = row->more ? row->bytes + row->more : 0;
    HOIST_EXPECT_EQ(t, hoist_prepared_init(&prepared, &store, &kernels), HOIST_OK);
    expect_first(t, &prepared, program, 0, row->first[0]);
    expect_first(t, &prepared, program, 1, row->first[1]);
    hoist_prepared_deinit(&prepared);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_prepared), HOIST_TEST_ROW(memory_runs_out),
                HOIST_TEST_ROW(room_for_forms))
