// Steps made ready and done: one function is called, its one data step works on buffers whose
// bytes are looked at.
#include <inttypes.h>
#include <string.h>

#include "runtime/runtime_testing.h"

// x: 4 tiles that begin with 1, y: 4 tiles of zeros, b: 16 bytes 0 to 15; r is a register.
#define BEGIN                                                                                      \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 16384 lifetime session contents pattern data 0000803f\n"                   \
    "buffer y in m size 16384 lifetime session output contents zero\n"                             \
    "buffer shifted in m size 4096 window x offset 4 lifetime session\n"                           \
    "buffer b in m size 16 at 0x100 lifetime session output contents bytes data "                  \
    "000102030405060708090a0b0c0d0e0f\n"                                                           \
    "buffer q.memory in m size 16384 lifetime session\nbuffer r.memory in m size 8256 lifetime "   \
    "session\n"                                                                                    \
    "fifo q queue of f32 tiled(t 2) slots 1 in [q.memory] slot_bytes 8448 tile_alignment 32\n"     \
    "fifo k ram of f32 tiled() slots 2 in [r.memory] slot_bytes 4128 tile_alignment 32\n"          \
    "buffer c1 in m size 16384\nbuffer c2 in m size 16384\nbuffer c3 in m size 16384\n"            \
    "function f {\nparameter tiles view f32 tiled(t 2) written\nparameter r\n"
#define MIXED "move copy from [x f32 tiled()] to c1 f32 tiled(t 4) table [-1, 0, 0, 0] fill 2\n"
#define END                                                                                        \
    "}\nthread t {\ncall f with [y f32 tiled(t 2) + 2, %" PRId64 "]\n}\nentry e {\nstart t\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *step;
    int64_t r;
    hoist_status status;
    const char *why;  // of what the session says; NULL: nothing
    const char *of;   // the buffer that is looked at
    size_t at;        // byte
    uint8_t value;
} steps[] = {
    {"a tile", "move copy from [x f32 tiled()] to y f32 tiled()", 0, HOIST_OK, NULL, "y", 4095, 0x3f},
    {"a tile by a register", "move copy from [x f32 tiled()] to y f32 tiled() + r * 1", 3, HOIST_OK, NULL, "y", 16383, 0x3f},
    {"one tile behind the end", "move copy from [x f32 tiled()] to y f32 tiled() + r * 1", 4, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a tile before the start", "move copy from [x f32 tiled()] to y f32 tiled() + r * 1", -1, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"an offset whose bytes wrap", "move copy from [x f32 tiled()] to y f32 tiled() + r * 1", INT64_C(4503599627370495), HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"the largest offset", "move copy from [x f32 tiled()] to y f32 tiled() + r * 1", INT64_MAX, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a window that is not aligned", "move copy from [shifted f32 tiled()] to y f32 tiled()", 0, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a parameter", "move copy from [x f32 tiled(t 2)] to param(tiles) f32 tiled(t 2)", 0, HOIST_OK, NULL, "y", 8195, 0x3f},
    {"a parameter in other blocks", "move copy from [x f32 tiled()] to param(tiles) f32 tiled() + r * 1", 1, HOIST_OK, NULL, "y", 12291, 0x3f},
    {"a parameter behind its end", "move copy from [x f32 tiled()] to param(tiles) f32 tiled() + r * 1", 2, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"blocks of a parameter", "move copy from [x f32 tiled(mblock 2x1)] to param(tiles) f32 tiled(mblock 2x1 column_major)", 0, HOIST_OK, NULL, "y", 8195, 0x3f},
    {"a slot", "move copy from [x f32 tiled(t 2)] to write(q) f32 tiled(t 2)", 0, HOIST_OK, NULL, "y", 0, 0},
    {"a part of a slot", "move copy from [x f32 tiled()] to write(q) f32 tiled()", 0, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a slot with an offset", "move copy from [x f32 tiled(t 2)] to write(q) f32 tiled(t 2) + r * 1", 1, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a slot onto itself", "move copy from [read(k) f32 tiled()] to write(k) f32 tiled()", 0, HOIST_OK, NULL, "y", 0, 0},
    {"a slot onto itself by a table", "move copy from [read(k) f32 tiled()] to write(k) f32 tiled() table [0]", 0, HOIST_UNSUPPORTED, "not in place", "y", 0, 0},
    {"tile by tile in place", "compute golden.add from [read(k) f32 tiled(), x f32 tiled()] to [write(k) f32 tiled()]", 0, HOIST_OK, NULL, "y", 0, 0},
    {"a product in place", "compute golden.matmul from [read(k) f32 tiled(), x f32 tiled()] to [write(k) f32 tiled()]", 0, HOIST_UNSUPPORTED, "not in place", "y", 0, 0},
    {"bytes", "move copy from [b u8[4] + 4] to b u8[4]", 0, HOIST_OK, NULL, "b", 3, 7},
    {"bytes by a register", "move copy from [b u8[4]] to b u8[4] + r * 4", 3, HOIST_OK, NULL, "b", 15, 3},
    {"a byte behind the end", "move copy from [b u8[4]] to b u8[4] + r * 1", 13, HOIST_INVALID, "outside its memory", "b", 15, 15},
    {"bytes before the start", "move copy from [b u8[4]] to b u8[4] + r * 1", -1, HOIST_INVALID, "outside its memory", "b", 0, 0},
    {"an offset of bytes that wraps", "move copy from [b u8[4]] to b u8[4] + r * 2", INT64_MAX, HOIST_INVALID, "outside its memory", "b", 0, 0},
    {"an address", "move copy from [b u8[4]] to space(m) u8[4] + r * 1", 0x10c, HOIST_OK, NULL, "b", 12, 0},
    {"an address where nothing is", "move copy from [b u8[4]] to space(m) u8[4] + r * 1", 0x110, HOIST_INVALID, "outside its memory", "b", 0, 0},
    {"an address below", "move copy from [b u8[4]] to space(m) u8[4] + r * 1", 0xff, HOIST_INVALID, "outside its memory", "b", 0, 0},
    {"an address whose last bytes are not there", "move copy from [b u8[4]] to space(m) u8[4] + r * 1", 0x10d, HOIST_INVALID, "outside its memory", "b", 15, 15},
    {"a negative address", "move copy from [b u8[4]] to space(m) u8[4] + r * 1", -4, HOIST_INVALID, "outside its memory", "b", 0, 0},
    {"element by element in place", "compute tflite.requantize(multiplier 1073741824, shift 2) from [b u8[4] + r * 4] to [b u8[4]]", 0, HOIST_OK, NULL, "b", 3, 6},
    {"element by element beside it", "compute tflite.requantize(multiplier 1073741824, shift 2) from [b u8[4] + r * 1] to [b u8[4]]", 1, HOIST_UNSUPPORTED, "not in place", "b", 3, 3},
    {"element by element elsewhere", "compute tflite.requantize(multiplier 1073741824, shift 2) from [b u8[4] + r * 4] to [b u8[4]]", 1, HOIST_OK, NULL, "b", 3, 14},
    {"rows in place", "compute tflite.softmax from [b u8[4] + r * 4] to [b u8[4]]", 0, HOIST_UNSUPPORTED, "not in place", "b", 3, 3},
    {"between each other", "compute tflite.requantize(multiplier 1073741824, shift 2) from [b u8[4] by [2] + r * 1] to [b u8[4] by [2]]", 1, HOIST_OK, NULL, "b", 6, 14},
    {"a reduction of tiles", "collective all_reduce add group 0 members 1 rank 0 from x f32 tiled() to y f32 tiled()", 0, HOIST_UNSUPPORTED, "there is no kernel", "y", 0, 0},
    {"a reduction of elements", "collective all_reduce add group 0 members 1 rank 0 from x f32[4] to y f32[4]", 0, HOIST_OK, NULL, "y", 15, 0x3f},
    {"a reduction before the start", "collective all_reduce add group 0 members 1 rank 0 from x f32[4] + r * 4 to y f32[4]", -1, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a reduction to behind the end", "collective all_reduce add group 0 members 1 rank 0 from x f32[4] to y f32[4] + r * 4", 4093, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"two tiles by a table", "move copy from [x f32 tiled(), x f32 tiled()] to y f32 tiled(t 2) table [1, -1] fill 2", 0, HOIST_OK, NULL, "y", 4095, 0x3f},
    {"an op of tiles from behind the end", "compute golden.exp from [x f32 tiled() + r * 1] to [y f32 tiled()]", 4, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"an op of the last tile", "compute golden.add from [x f32 tiled() + r * 1, x f32 tiled()] to [y f32 tiled()]", 3, HOIST_OK, NULL, "y", 3, 0x40},
    {"an op of tiles to behind the end", "compute golden.exp from [x f32 tiled()] to [y f32 tiled() + r * 1]", 4, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"an op of elements from behind the end", "compute ieee.add from [x f32[4], x f32[4] + r * 4] to [y f32[4]]", 4093, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"an op of the last elements", "compute ieee.add from [x f32[4], x f32[4] + r * 4] to [y f32[4]]", 4092, HOIST_OK, NULL, "y", 15, 0x40},
    {"an op of elements to before the start", "compute ieee.add from [x f32[4], x f32[4]] to [y f32[4] + r * 4]", -1, HOIST_INVALID, "outside its memory", "y", 0, 0},
    {"a product of a tile and itself", "compute golden.matmul from [x f32 tiled(), x f32 tiled()] to [y f32 tiled()]", 0, HOIST_OK, NULL, "y", 3, 0x42},
    // Of reshapes (plan/reshapes.h): c1 has a tile of 2 and three of 1.
    {"tiles by a table", MIXED "move copy from [c1 f32 tiled(t 4)] to c2 f32 tiled(t 4) table [3, 2, 1, 0]\nmove copy from [c2 f32 tiled(t 4)] to y f32 tiled(t 4)", 0, HOIST_OK, NULL, "y", 12291, 0x40},
    {"tiles by a table and in other blocks", MIXED "move copy from [c1 f32 tiled(mblock 4x1)] to c2 f32 tiled(mblock 2x2 column_major) table [1, 2, 0, 3]\nmove copy from [c2 f32 tiled(mblock 2x2 column_major)] to y f32 tiled(mblock 2x2)", 0, HOIST_OK, NULL, "y", 8195, 0x40},
    {"tiles in other blocks", MIXED "move copy from [c1 f32 tiled(mblock 1x4)] to c2 f32 tiled(mblock 2x2) table [2, 1, 0, 3]\ncompute golden.add from [c2 f32 tiled(mblock 2x2), c2 f32 tiled(mblock 2x2)] to [y f32 tiled(mblock 2x2)]", 0, HOIST_OK, NULL, "y", 8195, 0x40},
    {"tiles of which the source changes", MIXED "move copy from [c1 f32 tiled(t 4)] to c2 f32 tiled(t 4) table [0, 0, 0, 0]\nmove copy from [x f32 tiled(t 4)] to c1 f32 tiled(t 4)\ncompute golden.add from [c1 f32 tiled(t 4), c2 f32 tiled(t 4)] to [y f32 tiled(t 4)]", 0, HOIST_OK, NULL, "y", 16382, 0x40},
    {"tiles by two tables", MIXED "move copy from [c1 f32 tiled(t 4)] to c2 f32 tiled(t 4) table [1, 0, 2, 3]\nmove copy from [c2 f32 tiled(t 4)] to c3 f32 tiled(t 4) table [0, 2, 1, 3]\nmove copy from [c3 f32 tiled(t 4)] to y f32 tiled(t 4)", 0, HOIST_OK, NULL, "y", 8195, 0x40},
    {"a slot's tile, repeated", "move copy from [x f32 tiled()] to write(k) f32 tiled()\nmove copy from [read(k) f32 tiled()] to c2 f32 tiled(t 4) table [0, 0, 0, 0]\ncompute golden.add from [c2 f32 tiled(t 4), c2 f32 tiled(t 4)] to [c3 f32 tiled(t 4)]\nmove copy from [c3 f32 tiled(t 4)] to y f32 tiled(t 4)", 0, HOIST_OK, NULL, "y", 16383, 0x40},
    {"a slot that is written meanwhile", "move copy from [x f32 tiled()] to write(k) f32 tiled()\nmove copy from [read(k) f32 tiled()] to c2 f32 tiled(t 4) table [0, 0, 0, 0]\ncompute golden.add from [read(k) f32 tiled(), x f32 tiled()] to [write(k) f32 tiled()]\nmove copy from [c2 f32 tiled(t 4)] to y f32 tiled(t 4)", 0, HOIST_OK, NULL, "y", 16383, 0x3f},
    {"zeros", "zero k", 0, HOIST_OK, NULL, "y", 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(what_steps_do, steps)
{
    const hoist_str text = hoist_arena_format(&t->arena, BEGIN "%s\n" END, row->step, row->r);
    hoist_program *program = runtime_program(t, text.data);
    hoist_session *session =
        program ? runtime_open(t, program, &(runtime_mode){"", 2, false}) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), row->status);
        hoist_session_report(session, t->diag);
        HOIST_EXPECT_RULE(t, row->why ? "RUN-103" : NULL);
        HOIST_EXPECT(t, !row->why || hoist_str_contains(hoist_test_findings(t), row->why));
        static uint8_t bytes[16384];
        const hoist_mut_bytes to = {bytes, strcmp(row->of, "y") == 0 ? 16384 : 16};
        HOIST_EXPECT_EQ(t, hoist_session_read(session, row->of, 0, HOIST_DTYPE_U8, to), HOIST_OK);
        HOIST_EXPECT_EQ(t, bytes[row->at], row->value);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Nested calls have memory of their own each, and a caller's goes with it as an argument; so does a
// window that says that it lives longer.
HOIST_TEST(calls_keep_their_memory)
{
    static const char text[] =
        "program p\nspace m\n"
        "buffer one in m size 4 lifetime session contents bytes data 01010101\n"
        "buffer two in m size 4 lifetime session contents bytes data 02020202\n"
        "buffer y in m size 12 lifetime session output contents zero\n"
        "buffer mine in m size 64\nbuffer part in m size 4 window mine offset 8 lifetime session\n"
        "buffer theirs in m size 64\n"
        "buffer piece in m size 4 window theirs offset 8 lifetime session\n"
        "function inner {\nparameter from view u8[4]\n"
        "move copy from [two u8[4]] to piece u8[4]\n"
        "move copy from [param(from) u8[4]] to y u8[4]\n"
        "move copy from [piece u8[4]] to y u8[4] + 4\n}\n"
        "function outer {\nmove copy from [one u8[4]] to part u8[4]\ncall inner with [part u8[4]]\n"
        "move copy from [part u8[4]] to y u8[4] + 8\n}\n"
        "thread t {\ncall outer\n}\nentry e {\nstart t\n}\n";
    hoist_program *program = runtime_program(t, text);
    hoist_session *session =
        program ? runtime_open(t, program, &(runtime_mode){"", 1, false}) : NULL;
    if (session) {
        uint8_t y[12];
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        HOIST_EXPECT_EQ(
            t, hoist_session_read(session, "y", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){y, sizeof y}),
            HOIST_OK);
        HOIST_EXPECT(t, memcmp(y, "\1\1\1\1\2\2\2\2\1\1\1\1", sizeof y) == 0);
        HOIST_EXPECT_EQ(t, session->plan.bytes[0], 64);
        hoist_session_counts counts = {.struct_size = sizeof counts};
        hoist_session_count(session, &counts);
        HOIST_EXPECT_EQ(t, counts.memory_bytes, 4 + 4 + 12 + 128);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Moves that are cut into units, and those that must not be: the second writes each byte often.
// clang-format off
static const struct {
    const char *name;
    const char *step;
} large_moves[] = {
    {"a copy", "move copy from [x u8[4194304]] to y u8[4194304]"},
    {"a transpose", "move copy from [x f32[32, 32, 32, 32]] to y f32[32, 32, 32, 32] transpose [3, 1, 2, 0]"},
    {"rows", "move copy from [x u8[128, 512] by [32768, 1]] to y u8[128, 512] by [32768, 1]"},
    {"a cast", "move cast from [x f32[1048576]] to y bf16[1048576]"},
    {"a sum in place", "move fma from [x f32[1048576] scale 0.5, y f32[1048576] scale 2] to y f32[1048576]"},
    {"integers", "move max from [x i32[1048576], y i32[1048576]] to y i32[1048576] in i32"},
    {"other shapes", "move cast from [x u8[6, 100000] by [1, 6]] to y f32[4, 150000] by [4, 16]"},
    {"one byte for all", "move copy from [x u8[1000000]] to y u8[1000000] by [0]"},
    {"across its source", "move copy from [y u8[1000, 1000] by [2000, 1]] to y u8[1000, 1000] by [1000, 1] + 1"},
};
// clang-format on

HOIST_TEST_TABLE(large_moves_are_the_same_in_all_ways, large_moves)
{
    enum { SIZE = 4 << 20 };
    static const runtime_mode modes[] = RUNTIME_MODES;
    static uint8_t bytes[2][SIZE];
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "program p\nspace m\n"
        "buffer x in m size 4194304 lifetime session contents pattern data 0100803f07a1c2\n"
        "buffer y in m size 4194304 lifetime session output contents pattern data 03d45e3f20\n"
        "thread t {\n%s\n}\nentry e {\nstart t\n}\n",
        row->step);
    hoist_program *program = runtime_program(t, text.data);
    for (size_t m = 0; program && m < HOIST_COUNT_OF(modes); m++) {
        hoist_session *session = runtime_open(t, program, &modes[m]);
        const hoist_mut_bytes out = {bytes[m > 0], SIZE};
        HOIST_EXPECT_EQ(t, session ? runtime_run(session, "e") : HOIST_INTERNAL, HOIST_OK);
        HOIST_EXPECT_EQ(
            t, session ? hoist_session_read(session, "y", 0, HOIST_DTYPE_U8, out) : HOIST_INTERNAL,
            HOIST_OK);
        HOIST_EXPECT(t, memcmp(bytes[0], bytes[m > 0], SIZE) == 0);
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

// x: zeros; y: 2^30 and 32; z: 2^30 + 1 and 32.
#define STOP_BUFFERS                                                                               \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 64 lifetime session output contents zero\n"                                \
    "buffer y in m size 8 lifetime constant contents bytes data 0000004020000000\n"                \
    "buffer z in m size 8 lifetime constant contents bytes data 0100004020000000\n"

// clang-format off
// What only a run can check stops it, with the place and, where the kernel knows it, the operand.
static const struct {
    const char *name;
    const char *code; // of thread t
    const char *found;
} stops[] = {
    {"a scale", "thread t {\nlayer: compute tflite.dense(high 255) from [x u8[1, 2], x u8[1, 2] + 8, x i32[1] + 16, y i32[1, 2]] to [x u8[1, 1] + 32]\n}\n",
     "step 'layer': a shift outside of -31 to 30: 32 at [0, 0, 1]"},
    {"numbers that differ", "thread t {\nsame: compute tflite.same_i32 from [y i32[2], z i32[2]] to [x i32[2]]\n}\n",
     "step 'same': a number differs: 1073741824 at [0, 0, 0] of input 0 'y', expected 1073741825"},
    {"an operand of the caller", "function f {\nparameter v view i32[2]\nsame: compute tflite.same_i32 from [param(v) i32[2], z i32[2]] to [x i32[2]]\n}\nthread t {\ncall f with [y i32[2]]\n}\n",
     "step 'same': a number differs: 1073741824 at [0, 0, 0] of input 0, expected 1073741825"},
    {"a divisor", "thread t {\nhalf: compute tflite.floor_divide_i32 from [y i32[2], x i32[2]] to [x i32[2] + 8]\n}\n",
     "step 'half': a division by 0: 0 at [0, 0, 0] of input 1 'x'"},
};
// clang-format on

// However many workers there are.
HOIST_TEST_TABLE(operands_that_stop_a_run, stops)
{
    static const runtime_mode modes[] = RUNTIME_MODES;
    const hoist_str text =
        hoist_arena_format(&t->arena, STOP_BUFFERS "%sentry e {\nstart t\n}\n", row->code);
    hoist_program *program = runtime_program(t, text.data);
    for (size_t m = 0; program && m < HOIST_COUNT_OF(modes); m++) {
        hoist_session *session = runtime_open(t, program, &modes[m]);
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_INVALID);
        hoist_session_report(session, t->diag);
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->found));
        hoist_session_close(session);
    }
    HOIST_EXPECT_RULE(t, "RUN-101");
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_steps_do), HOIST_TEST_ROW(operands_that_stop_a_run),
                HOIST_TEST_ROW(calls_keep_their_memory),
                HOIST_TEST_ROW(large_moves_are_the_same_in_all_ways))
