// What a caller may name, and as what.
#include <string.h>

#include "runtime/ports.h"
#include "runtime/runtime_testing.h"

#define BEGIN "program p\nspace m\nbuffer q.memory in m size 65536 lifetime session\n"
#define TILES " in [q.memory] slot_bytes 4128 tile_alignment 32"

// The last port of the program.
static const struct {
    const char *name;
    const char *text;
    size_t count;
    hoist_port port;
} ports[] = {
    {"a queue that the host fills",
     "fifo q queue of bf16 tiled(ublock 1x2) slots 4" TILES " host_push\n",
     1,
     {.name = {"q", 1},
      .input = true,
      .is_queue = true,
      .slots = 4,
      .dtype = HOIST_DTYPE_BF16,
      .host_dtype = HOIST_DTYPE_BF16,
      .rank = 3,
      .shape = {1, 32, 64}}},
    {"a block float is a 16-bit float to the caller",
     "fifo q queue of tt-bfp8b tiled(t 3) slots 1" TILES " host_pop\n",
     1,
     {.name = {"q", 1},
      .output = true,
      .is_queue = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_TT_BFP8B,
      .host_dtype = HOIST_DTYPE_BF16,
      .rank = 3,
      .shape = {3, 32, 32}}},
    {"a ram of a grid",
     "buffer r in m size 65536 lifetime session\nfifo q ram of f32 tiled(grid 2x1 tile 16x32) "
     "slots "
     "2 in [q.memory, r] slot_bytes 4128 tile_alignment 32 host_push host_pop\n",
     1,
     {.name = {"q", 1},
      .input = true,
      .output = true,
      .slots = 2,
      .dtype = HOIST_DTYPE_F32,
      .host_dtype = HOIST_DTYPE_F32,
      .rank = 3,
      .shape = {1, 32, 32}}},
    {"a queue of elements",
     "fifo q queue of u8[2, 3] slots 5 in [q.memory] slot_bytes 6 host_push\n",
     1,
     {.name = {"q", 1},
      .input = true,
      .is_queue = true,
      .slots = 5,
      .dtype = HOIST_DTYPE_U8,
      .host_dtype = HOIST_DTYPE_U8,
      .rank = 2,
      .shape = {2, 3}}},
    {"what the caller gives has its own shape",
     "fifo q queue of f32 tiled() slots 1" TILES
     " host_push push_shape [2, 64, 32] push_tiles [3]\n",
     1,
     {.name = {"q", 1},
      .input = true,
      .is_queue = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_F32,
      .host_dtype = HOIST_DTYPE_F32,
      .rank = 3,
      .shape = {2, 64, 32}}},
    {"a queue inside the program is a port as well",
     "fifo q queue of f32[1] slots 1 in [q.memory] slot_bytes 4\n",
     1,
     {.name = {"q", 1},
      .is_queue = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_F32,
      .host_dtype = HOIST_DTYPE_F32,
      .rank = 1,
      .shape = {1}}},
    {"a buffer that the caller fills is its bytes",
     "buffer x in m size 12 lifetime run contents caller\n",
     1,
     {.name = {"x", 1},
      .input = true,
      .is_buffer = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_U8,
      .host_dtype = HOIST_DTYPE_U8,
      .rank = 1,
      .shape = {12}}},
    {"a buffer with a type is its elements",
     "buffer x in m size 12 of bf16[2, 3] lifetime run output contents caller\n",
     1,
     {.name = {"x", 1},
      .input = true,
      .output = true,
      .is_buffer = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_BF16,
      .host_dtype = HOIST_DTYPE_BF16,
      .rank = 2,
      .shape = {2, 3}}},
    {"a view is its elements",
     "port a in q.memory of bf16[2, 3] by [64, 4] result note \"buffer 4\"\n"
     "port \"1\" in q.memory of i32[] offset 4\nneed a from 0 to 4\n",
     2,
     {.name = {"1", 1},
      .input = true,
      .output = true,
      .is_buffer = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_I32,
      .host_dtype = HOIST_DTYPE_I32,
      .is_view = true}},
    {"a view that is needed, and a result",
     "buffer x in m size 12 lifetime run contents caller\n"
     "port \"1\" in q.memory of i32[] offset 4\n"
     "port a in q.memory of bf16[2, 3] by [64, 4] result note \"buffer 4\"\n"
     "need a from 0 to 4\n",
     3,
     {.name = {"a", 1},
      .input = true,
      .output = true,
      .is_buffer = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_BF16,
      .host_dtype = HOIST_DTYPE_BF16,
      .rank = 2,
      .shape = {2, 3},
      .is_view = true,
      .required = true,
      .result = true,
      .note = {"buffer 4", 8}}},
    {"fifos come first, then buffers to take",
     "buffer x in m size 8 lifetime run output\nbuffer y in m size 3 lifetime session\n"
     "fifo q queue of f32[1] slots 1 in [q.memory] slot_bytes 4\n",
     2,
     {.name = {"x", 1},
      .output = true,
      .is_buffer = true,
      .slots = 1,
      .dtype = HOIST_DTYPE_U8,
      .host_dtype = HOIST_DTYPE_U8,
      .rank = 1,
      .shape = {8}}},
};

HOIST_TEST_TABLE(what_callers_see, ports)
{
    hoist_program *program =
        runtime_program(t, hoist_arena_format(&t->arena, BEGIN "%s", row->text).data);
    HOIST_EXPECT_EQ(t, hoist_program_port_count(program), row->count);
    const hoist_port port = hoist_program_port(program, row->count - 1);
    const hoist_port *expected = &row->port;
    HOIST_EXPECT(t, hoist_str_equal(port.name, expected->name));
    HOIST_EXPECT_EQ(t, port.input, expected->input);
    HOIST_EXPECT_EQ(t, port.output, expected->output);
    HOIST_EXPECT_EQ(t, port.is_queue, expected->is_queue);
    HOIST_EXPECT_EQ(t, port.is_buffer, expected->is_buffer);
    HOIST_EXPECT_EQ(t, port.slots, expected->slots);
    HOIST_EXPECT_EQ(t, port.dtype, expected->dtype);
    HOIST_EXPECT_EQ(t, port.host_dtype, expected->host_dtype);
    HOIST_EXPECT_EQ(t, port.is_view, expected->is_view);
    HOIST_EXPECT_EQ(t, port.required, port.is_view ? expected->required : port.input);
    HOIST_EXPECT_EQ(t, port.result, port.is_view ? expected->result : port.output);
    HOIST_EXPECT(t, hoist_str_equal(port.note, expected->note));
    HOIST_EXPECT_EQ(t, port.rank, expected->rank);
    for (uint32_t i = 0; i < port.rank; i++) {
        HOIST_EXPECT_EQ(t, port.shape[i], expected->shape[i]);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(ports_that_are_not_there)
{
    hoist_program *program = runtime_program(t, BEGIN "buffer x in m size 8 lifetime run output\n");
    HOIST_EXPECT_EQ(t, hoist_port_find(program, 0).buffer, 1);
    const hoist_port_at none = hoist_port_find(program, 1);
    HOIST_EXPECT_EQ(t, none.fifo, HOIST_NO_REF);
    HOIST_EXPECT_EQ(t, none.buffer, HOIST_NO_REF);
    HOIST_EXPECT_EQ(t, none.view, HOIST_NO_REF);
    hoist_program_destroy(program);
}

// Fifos count before buffers; what no caller touches has no number, and what runs once no name.
HOIST_TEST(names_lead_to_ports_and_entries)
{
    hoist_program *program = runtime_program(
        t, BEGIN "buffer x in m size 8 lifetime run output\nbuffer y in m size 8 lifetime run\n"
                 "buffer z in m size 8 lifetime run contents caller\n"
                 "fifo q queue of f32[1] slots 1 in [q.memory] slot_bytes 4\n"
                 "thread main {\n}\nentry begin once {\nstart main\n}\n"
                 "entry run {\nstart main\n}\nentry again {\nstart main\n}\n");
    static const char *const names[] = {"q", "x", "z"};
    size_t at = 9;
    for (size_t i = 0; i < 3; i++) {
        HOIST_EXPECT(t, hoist_program_find_port(program, hoist_str_from(names[i]), &at));
        HOIST_EXPECT_EQ(t, at, i);
    }
    HOIST_EXPECT(t, !hoist_program_find_port(program, HOIST_STR("y"), &at));
    HOIST_EXPECT_EQ(t, hoist_program_entry_count(program), 2);
    HOIST_EXPECT(t, hoist_program_find_entry(program, HOIST_STR("again"), &at));
    HOIST_EXPECT_EQ(t, at, 1);
    HOIST_EXPECT(t, !hoist_program_find_entry(program, HOIST_STR("begin"), &at));
    HOIST_EXPECT_EQ(t, at, 0);
    hoist_program_destroy(program);
}

// Elements of a buffer come and go as they are, or as float32.
HOIST_TEST(buffers_with_a_type_convert)
{
    static const char text[] =
        BEGIN "buffer x in m size 4 of bf16[2] lifetime run contents caller\n"
              "buffer y in m size 4 of bf16[2] lifetime run output\n"
              "buffer z in m size 4 lifetime run output\n"
              "thread main {\nmove copy from [x bf16[2]] to y bf16[2]\n"
              "move copy from [x bf16[2]] to z bf16[2]\n}\nentry run {\nstart main\n}\n";
    static const uint8_t bits[4] = {0x80, 0x3f, 0x00, 0xc0};
    const float given[2] = {1, -2};
    float floats[2];
    uint8_t bytes[4];
    hoist_program *program = runtime_program(t, text);
    hoist_session *s = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    const hoist_bytes in = {(const uint8_t *)given, sizeof(given)};
    const hoist_mut_bytes out = {(uint8_t *)floats, sizeof(floats)};
    const hoist_mut_bytes raw = {bytes, sizeof(bytes)};
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "x", 0, HOIST_DTYPE_F32, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "x", 0, HOIST_DTYPE_U8, in), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "x", 1, HOIST_DTYPE_F32, in), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "y", 0, HOIST_DTYPE_F32, out), HOIST_OK);
    HOIST_EXPECT(t, floats[0] == given[0] && floats[1] == given[1]);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "y", 0, HOIST_DTYPE_BF16, raw), HOIST_OK);
    HOIST_EXPECT_EQ(t, memcmp(bytes, bits, sizeof(bits)), 0);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "z", 0, HOIST_DTYPE_U8, raw), HOIST_OK);
    HOIST_EXPECT_EQ(t, memcmp(bytes, bits, sizeof(bits)), 0);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "z", 0, HOIST_DTYPE_F32, out), HOIST_INVALID);
    hoist_session_close(s);
    hoist_program_destroy(program);
}

// `load` runs before the first run, and never again; no caller may run it.
HOIST_TEST(what_runs_once_runs_first)
{
    static const char text[] =
        BEGIN "buffer kept in m size 1 lifetime session contents zero\n"
              "buffer one in m size 1 lifetime constant contents bytes data 01\n"
              "buffer seen in m size 1 lifetime run output\n"
              "thread first {\nmove add from [kept u8[1], one u8[1]] to kept u8[1]\n}\n"
              "thread main {\nmove copy from [kept u8[1]] to seen u8[1]\n}\n"
              "entry load once {\nstart first\n}\nentry run {\nstart main\n}\n";
    static const runtime_mode modes[] = RUNTIME_MODES;
    hoist_program *program = runtime_program(t, text);
    HOIST_EXPECT_EQ(t, hoist_program_entry_count(program), 1);
    HOIST_EXPECT_STR(t, hoist_program_entry_name(program, 0), "run");
    for (size_t i = 0; i < HOIST_COUNT_OF(modes); i++) {
        hoist_session *s = runtime_open(t, program, &modes[i]);
        HOIST_EXPECT_EQ(t, runtime_run(s, "load"), HOIST_NOT_FOUND);
        for (int k = 0; k < 3; k++) {
            uint8_t seen = 0;
            HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
            HOIST_EXPECT_EQ(
                t, hoist_session_read(s, "seen", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){&seen, 1}),
                HOIST_OK);
            HOIST_EXPECT_EQ(t, seen, 1);
        }
        hoist_session_close(s);
    }
    hoist_program_destroy(program);
}

// All inputs that were never written are named, and no run begins; one write is enough for all
// runs.
HOIST_TEST(inputs_are_written_before_a_run)
{
    hoist_program *program = runtime_program(
        t, BEGIN
        "buffer x in m size 4 lifetime session contents caller\n"
        "buffer w in m size 4 of bf16[2] lifetime run contents caller\n"
        "buffer y in m size 4 lifetime run output\n"
        "thread main {\nmove copy from [x u8[4]] to y u8[4]\n}\nentry run {\nstart main\n}\n");
    hoist_session *s = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    const uint8_t bytes[4] = {1, 2, 3, 4};
    uint8_t seen[4] = {0};
    const hoist_bytes in = {bytes, sizeof bytes};
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_NOT_FOUND);
    hoist_session_report(s, t->diag);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "4:1: error: input 'x' was never written, expected its 4 bytes [RUN-108]\n"
                     "5:1: error: input 'w' was never written, expected its 4 bytes [RUN-108]\n");
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "x", 0, HOIST_DTYPE_U8, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_NOT_FOUND); // 'w' is still missing
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "w", 0, HOIST_DTYPE_BF16, in), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    }
    HOIST_EXPECT_EQ(
        t, hoist_session_read(s, "y", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){seen, sizeof seen}),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, memcmp(seen, bytes, sizeof seen), 0);
    hoist_session_close(s);
    hoist_program_destroy(program);
}

// Entries of queues, slots of rams that were ever written, and one of a buffer.
HOIST_TEST(what_is_there_to_take)
{
    hoist_program *program = runtime_program(
        t,
        BEGIN "buffer k.memory in m size 64 lifetime session\n"
              "buffer y in m size 4 lifetime run output\n"
              "fifo q queue of u8[4] slots 3 in [q.memory] slot_bytes 4 host_push\n"
              "fifo k ram of u8[4] slots 3 in [k.memory] slot_bytes 4 host_push host_pop\n"
              "thread main {\nset_pointer k write = 1\nmove copy from [y u8[4]] to write(k) u8[4]\n"
              "push k by 1\n}\nentry run {\nstart main\n}\n");
    hoist_session *s = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    const uint8_t bytes[4] = {1, 2, 3, 4};
    const hoist_bytes in = {bytes, sizeof bytes};
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "nothing"), 0);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "y"), 1);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "q"), 0);
    HOIST_EXPECT_EQ(t, hoist_session_push(s, "q", HOIST_DTYPE_U8, in, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "q"), 1);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "k"), 0);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "k", 2, HOIST_DTYPE_U8, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "k"), 1);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "k", 2, HOIST_DTYPE_U8, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "k"), 1);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, "k"), 2);
    hoist_session_close(s);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_callers_see), HOIST_TEST_ROW(ports_that_are_not_there),
                HOIST_TEST_ROW(names_lead_to_ports_and_entries),
                HOIST_TEST_ROW(buffers_with_a_type_convert),
                HOIST_TEST_ROW(what_runs_once_runs_first),
                HOIST_TEST_ROW(inputs_are_written_before_a_run),
                HOIST_TEST_ROW(what_is_there_to_take))
