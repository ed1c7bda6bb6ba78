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
     {{"q", 1}, true, false, true, 4, HOIST_DTYPE_BF16, HOIST_DTYPE_BF16, 3, {1, 32, 64}}},
    {"a block float is a 16-bit float to the caller",
     "fifo q queue of tt-bfp8b tiled(t 3) slots 1" TILES " host_pop\n",
     1,
     {{"q", 1}, false, true, true, 1, HOIST_DTYPE_TT_BFP8B, HOIST_DTYPE_BF16, 3, {3, 32, 32}}},
    {"a ram of a grid",
     "buffer r in m size 65536 lifetime session\nfifo q ram of f32 tiled(grid 2x1 tile 16x32) "
     "slots "
     "2 in [q.memory, r] slot_bytes 4128 tile_alignment 32 host_push host_pop\n",
     1,
     {{"q", 1}, true, true, false, 2, HOIST_DTYPE_F32, HOIST_DTYPE_F32, 3, {1, 32, 32}}},
    {"a queue of elements",
     "fifo q queue of u8[2, 3] slots 5 in [q.memory] slot_bytes 6 host_push\n",
     1,
     {{"q", 1}, true, false, true, 5, HOIST_DTYPE_U8, HOIST_DTYPE_U8, 2, {2, 3}}},
    {"what the caller gives has its own shape",
     "fifo q queue of f32 tiled() slots 1" TILES
     " host_push push_shape [2, 64, 32] push_tiles [3]\n",
     1,
     {{"q", 1}, true, false, true, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, 3, {2, 64, 32}}},
    {"a queue inside the program is a port as well",
     "fifo q queue of f32[1] slots 1 in [q.memory] slot_bytes 4\n",
     1,
     {{"q", 1}, false, false, true, 1, HOIST_DTYPE_F32, HOIST_DTYPE_F32, 1, {1}}},
    {"a buffer that the caller fills is its bytes",
     "buffer x in m size 12 lifetime run contents caller\n",
     1,
     {{"x", 1}, true, false, false, 1, HOIST_DTYPE_U8, HOIST_DTYPE_U8, 1, {12}}},
    {"fifos come first, then buffers to take",
     "buffer x in m size 8 lifetime run output\nbuffer y in m size 3 lifetime session\n"
     "fifo q queue of f32[1] slots 1 in [q.memory] slot_bytes 4\n",
     2,
     {{"x", 1}, false, true, false, 1, HOIST_DTYPE_U8, HOIST_DTYPE_U8, 1, {8}}},
};

HOIST_TEST_TABLE(what_callers_see, ports)
{
    hoist_program *program =
        runtime_program(t, hoist_arena_format(&t->arena, BEGIN "%s", row->text).data);
    HOIST_EXPECT_EQ(t, hoist_program_port_count(program), row->count);
    const hoist_port port = hoist_program_port(program, row->count - 1);
    const hoist_port *wanted = &row->port;
    HOIST_EXPECT(t, hoist_str_equal(port.name, wanted->name));
    HOIST_EXPECT_EQ(t, port.input, wanted->input);
    HOIST_EXPECT_EQ(t, port.output, wanted->output);
    HOIST_EXPECT_EQ(t, port.is_queue, wanted->is_queue);
    HOIST_EXPECT_EQ(t, port.slots, wanted->slots);
    HOIST_EXPECT_EQ(t, port.dtype, wanted->dtype);
    HOIST_EXPECT_EQ(t, port.host_dtype, wanted->host_dtype);
    HOIST_EXPECT_EQ(t, port.rank, wanted->rank);
    for (uint32_t i = 0; i < port.rank; i++) {
        HOIST_EXPECT_EQ(t, port.shape[i], wanted->shape[i]);
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
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_callers_see), HOIST_TEST_ROW(ports_that_are_not_there))
