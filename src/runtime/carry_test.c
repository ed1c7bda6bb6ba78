// Entries between callers and memory: what fits, and where the elements go.
#include <string.h>

#include "runtime/carry.h"
#include "runtime/runtime_testing.h"

enum { MOST = 8192 };

#define BEGIN "program p\nspace m\nbuffer a in m size 65536 lifetime session\n"
#define END " slots 2 in [a] slot_bytes 8448 tile_alignment 32 host_push host_pop"
#define BYTES " slots 2 in [a] slot_bytes 64 host_push host_pop"

// clang-format off
static const struct {
    const char *name;
    const char *fifo;
    hoist_dtype dtype;
    size_t size;
    bool push;
    hoist_status status;
} checks[] = {
    {"the host's type", "queue of bf16 tiled()" END, HOIST_DTYPE_BF16, 2048, true, HOIST_OK},
    {"float32 is taken too", "queue of bf16 tiled()" END, HOIST_DTYPE_F32, 4096, true, HOIST_OK},
    {"and given", "queue of bf16 tiled()" END, HOIST_DTYPE_F32, 4096, false, HOIST_OK},
    {"another type", "queue of bf16 tiled()" END, HOIST_DTYPE_F16, 2048, true, HOIST_INVALID},
    {"no type at all", "queue of bf16 tiled()" END, HOIST_DTYPE_NONE, 0, true, HOIST_INVALID},
    {"a type that does not exist", "queue of bf16 tiled()" END, (hoist_dtype)1000, 2048, true, HOIST_INVALID},
    {"nothing", "queue of bf16 tiled()" END, HOIST_DTYPE_BF16, 0, true, HOIST_INVALID},
    {"a byte less", "queue of bf16 tiled()" END, HOIST_DTYPE_BF16, 2047, true, HOIST_INVALID},
    {"a byte more", "queue of bf16 tiled()" END, HOIST_DTYPE_BF16, 2049, true, HOIST_INVALID},
    {"small tiles have few elements", "queue of f32 tiled(tile 16x32)" END, HOIST_DTYPE_F32, 2048, true, HOIST_OK},
    {"elements of their own type only", "queue of u8[3]" BYTES, HOIST_DTYPE_F32, 12, true, HOIST_INVALID},
    {"elements", "queue of u8[3]" BYTES, HOIST_DTYPE_U8, 3, true, HOIST_OK},
    {"the caller's shape when pushed", "queue of f32 tiled()" END " push_shape [2, 32, 32] push_tiles [1]", HOIST_DTYPE_F32, 8192, true, HOIST_OK},
    {"the entry's when popped", "queue of f32 tiled()" END " push_shape [2, 32, 32] push_tiles [1]", HOIST_DTYPE_F32, 4096, false, HOIST_OK},
    {"not the other's", "queue of f32 tiled()" END " push_shape [2, 32, 32] push_tiles [1]", HOIST_DTYPE_F32, 8192, false, HOIST_INVALID},
    {"a shape that wraps to nothing", "queue of f32 tiled()" END " push_shape [4294967296, 4294967296, 32] push_tiles [-1]", HOIST_DTYPE_F32, 0, true, HOIST_INVALID},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *fifo)
{
    return runtime_program(t, hoist_arena_format(&t->arena, BEGIN "fifo f %s\n", fifo).data);
}

HOIST_TEST_TABLE(what_fits, checks)
{
    hoist_program *program = program_of(t, row->fifo);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_carry_check(program, 0, row->push, row->dtype, row->size),
                        row->status);
    }
    hoist_program_destroy(program);
}

// An entry of 0, 1, 2 ... goes in; one element of it is looked for in the memory of the slot, and
// the entry comes out as it was, or with what the push table says.
// clang-format off
static const struct {
    const char *name;
    const char *fifo;
    uint32_t slot;
    size_t given;  // float32 elements
    size_t taken;
    size_t at;     // an element of what is taken,
    float value;   // what it is
    size_t memory; // and the float32 of the memory that has it
} carried[] = {
    {"one tile", "queue of f32 tiled()" END, 0, 1024, 1024, 33, 33, 33},
    {"another slot", "queue of f32 tiled()" END, 1, 1024, 1024, 33, 33, 1024 + 33},
    {"the second tile of a row", "queue of f32 tiled(ublock 1x2)" END, 0, 2048, 2048, 64 + 32, 96, 1024 + 32},
    {"blocks that go down", "queue of f32 tiled(mblock 2x2 column_major)" " slots 1 in [a] slot_bytes 16896 tile_alignment 32 host_push host_pop", 0, 4096, 4096, 32, 32, 2048},
    {"a slice", "queue of f32 tiled(t 2)" END, 1, 2048, 2048, 1024, 1024, 3072},
    {"rows of a low tile", "queue of f32 tiled(tile 16x32)" END, 0, 512, 512, 511, 511, 511},
    {"a tile that is not as wide", "queue of f32 tiled(tile 32x16)" END, 0, 512, 512, 16, 16, 32},
    {"rounded to the type of the queue", "queue of bf16 tiled()" END, 0, 1024, 1024, 257, 256, 257},
    {"a tile of the caller's", "queue of f32 tiled()" END " push_shape [2, 32, 32] push_tiles [1]", 0, 2048, 1024, 5, 1029, 5},
    {"a tile of zeros", "queue of f32 tiled(t 2)" END " push_shape [1, 32, 32] push_tiles [-1, 0]", 0, 1024, 2048, 7, 0, 7},
    {"and what stands behind it", "queue of f32 tiled(t 2)" END " push_shape [1, 32, 32] push_tiles [-1, 0]", 0, 1024, 2048, 1031, 7, 1031},
    {"the last tile across", "queue of f32 tiled()" END " push_shape [1, 32, 96] push_tiles [2]", 0, 3072, 1024, 33, 161, 33},
    {"elements", "queue of f32[3, 2]" BYTES, 0, 6, 6, 5, 5, 5},
    {"elements of a later slot", "queue of f32[3, 2]" BYTES, 1, 6, 6, 5, 5, 21},
    {"elements with gaps", "queue of f32[2, 2] by [16, 4]" BYTES, 0, 4, 4, 2, 2, 4},
};
// clang-format on

static void fill(float *elements, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        elements[i] = (float)i;
    }
}

HOIST_TEST_TABLE(where_elements_go, carried)
{
    hoist_program *program = program_of(t, row->fifo);
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    static float in[MOST];
    static float out[MOST];
    fill(in, MOST);
    memset(out, 0xff, sizeof out);
    const hoist_bytes given =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)in, row->given * sizeof(float)});
    HOIST_EXPECT_EQ(t, hoist_carry_in(&store, 0, row->slot, HOIST_DTYPE_F32, given), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    hoist_carry_out(&store, 0, row->slot, HOIST_DTYPE_F32,
                                    (hoist_mut_bytes){(uint8_t *)out, row->taken * sizeof(float)}),
                    HOIST_OK);
    float there = 0;
    memcpy(&there, store.fifos[0].base + row->memory * sizeof(float), sizeof there);
    HOIST_EXPECT_EQ(t, out[row->at], row->value);
    HOIST_EXPECT_EQ(t, there, row->value);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

HOIST_TEST(positions_outside_a_small_tile_are_zero)
{
    hoist_program *program = program_of(t, "queue of f32 tiled(tile 16x32)" END);
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    float *memory = (float *)(void *)store.fifos[0].base;
    fill(memory, 1024);
    static float in[512];
    HOIST_EXPECT_EQ(
        t, hoist_carry_in(&store, 0, 0, HOIST_DTYPE_F32, (hoist_bytes){(uint8_t *)in, sizeof in}),
        HOIST_OK);
    for (size_t i = 0; i < 1024; i++) {
        HOIST_EXPECT_EQ(t, memory[i], 0);
    }
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

// As an array of an archive may be.
HOIST_TEST(elements_may_begin_at_any_address)
{
    hoist_program *program = program_of(t, "queue of bf16 tiled(ublock 1x2)" END);
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    static float in[2048];
    static uint8_t bytes[sizeof in + 1];
    fill(in, 2048);
    memcpy(bytes + 1, in, sizeof in);
    const hoist_bytes given[] = {{(const uint8_t *)in, sizeof in}, {bytes + 1, sizeof in}};
    for (uint32_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, hoist_carry_in(&store, 0, i, HOIST_DTYPE_F32, given[i]), HOIST_OK);
    }
    const uint8_t *const base = store.fifos[0].base;
    HOIST_EXPECT(t, memcmp(base, base + store.fifos[0].slot_bytes, sizeof in) == 0);
    HOIST_EXPECT_EQ(t, ((const float *)(const void *)base)[1024 + 5], 37);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

static hoist_status carry_both(hoist_allocator alloc, const void *self)
{
    hoist_store store = *(const hoist_store *)self;
    store.alloc = alloc;
    static float in[2048];
    const hoist_status status =
        hoist_carry_in(&store, 0, 0, HOIST_DTYPE_F32, (hoist_bytes){(uint8_t *)in, sizeof in});
    return status != HOIST_OK ? status
                              : hoist_carry_out(&store, 0, 0, HOIST_DTYPE_F32,
                                                (hoist_mut_bytes){(uint8_t *)in, 4096});
}

HOIST_TEST(no_memory_is_said)
{
    hoist_program *program =
        program_of(t, "queue of bf16 tiled()" END " push_shape [2, 32, 32] push_tiles [1]");
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    hoist_test_starve(t, carry_both, &store);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_fits), HOIST_TEST_ROW(where_elements_go),
                HOIST_TEST_ROW(positions_outside_a_small_tile_are_zero),
                HOIST_TEST_ROW(elements_may_begin_at_any_address),
                HOIST_TEST_ROW(no_memory_is_said))
