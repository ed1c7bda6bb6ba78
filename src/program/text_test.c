#include <string.h>

#include "program/fields.h"
#include "program/text.h"
#include "testing/test.h"

static hoist_program *read_text(hoist_test *t, hoist_str text, hoist_status wanted)
{
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size});
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_read(bytes, hoist_allocator_system(), t->diag, &program),
                    wanted);
    HOIST_EXPECT_EQ(t, program != NULL, wanted == HOIST_OK);
    return program;
}

// The text of `program` in the test's arena.
static hoist_str print(hoist_test *t, const hoist_program *program)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &out), HOIST_OK);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// Every line of every kind, as it is printed.
static const char canonical[] =
    "program all\n"
    "space hbm capacity 1048576 alignment 64\n"
    "space host\n"
    "buffer x in hbm size 128 alignment 64 at 0x8000000000000040 lifetime session output "
    "contents bytes data 00ff12\n"
    "buffer \"a b\" in hbm size 64 window x offset 32\n"
    "buffer tiles in host size 16384 lifetime run contents zero\n"
    "buffer q0 in hbm size 8352 lifetime constant contents caller\n"
    "relocation x bit 70 gets low32 of q0 plus -4\n"
    "relocation x bit 0 gets whole of x\n"
    "fifo q queue of tt-bfp8b tiled(t 2 mblock 1x2 ublock 2x1 column_major tile 16x32 "
    "flat) slots 4 in [q0, @77] header 32 slot_bytes 2080 tile_alignment 32 dynamic host_push "
    "host_pop push_shape [2, 32, 64] push_tiles [0..3, -1x2, 5, 6]\n"
    "fifo r ram policy golden of f32[2, 3] slots 2 in [q0] slot_bytes 64\n"
    "unit u depth 32\n"
    "semaphore s initial 2 maximum 3\n"
    "semaphore done\n"
    "function f {\n"
    "    parameter in view f32[4, 4]\n"
    "    parameter n\n"
    "    parameter out view f32[4, 4] by [4, 16] written\n"
    "    register i initial -3\n"
    "    loop n\n"
    "        move copy from [param(in) f32[4, 4] + 4 + i * 64] to param(out) f32[4, 4] by [4, 16]\n"
    "        alu i = incwrap 1 8\n"
    "    end\n"
    "    move fma from [x f32[4] scale 1, x f32[4] scale 0.1] to x f32[4] + -4\n"
    "    move max from [x bf16[2]] to x bf16[2] start -inf\n"
    "    move copy from [x f32[2, 3]] to x f32[3, 2] transpose [1, 0]\n"
    "    move copy from [tiles f32 tiled(t 4)] to tiles f32 tiled(t 4) + 4 table [0..2, -1] "
    "fill 1e-20\n"
    "    \"the product\": compute golden.matmul from [read(q) f32 tiled(), write(r) f32 tiled()] "
    "to [tiles f32 tiled()]\n"
    "    compute golden.quantize(dtype tt-bfp8b, height 32, width 16) from [tiles f32 tiled()] "
    "to [tiles f32 tiled() + 1]\n"
    "    compute golden.add_scalar(value nan_7fc00001) from [tiles f32 tiled()] "
    "to [space(host) f32 tiled() + i * 1]\n"
    "    opaque PE_01 record 0100ff reads [x u8[8]] writes [view(@99)]\n"
    "    opaque nothing\n"
    "}\n"
    "function g {\n"
    "}\n"
    "thread main {\n"
    "    register n lifetime session initial 7\n"
    "    register m lifetime run\n"
    "    alu n = set 5\n"
    "    alu n = add n -1\n"
    "    branch n < 4 to 0\n"
    "    call f with [x f32[4, 4], n, x f32[4, 4]]\n"
    "    post u [f, g] at n with [12] then [s add 1, done set n]\n"
    "    drain u\n"
    "    wait s >= 4 then subtract 4\n"
    "    wait s == n\n"
    "    wait s > 0 then clear\n"
    "    signal s sub 1\n"
    "    reserve q\n"
    "    push q by 1\n"
    "    await q\n"
    "    advance q by n\n"
    "    pop q by 2\n"
    "    set_pointer q local = n\n"
    "    allocate q\n"
    "    free q\n"
    "    zero r\n"
    "    collective barrier group 0 members 2 rank 1\n"
    "    collective all_reduce add group 1 members 2 rank 0 from x f32[4] to x f32[4] + 16\n"
    "}\n"
    "entry run {\n"
    "    start main\n"
    "    parameter $p_loop thread main register m\n"
    "}\n";

static void expect_round_trip(hoist_test *t, hoist_str text)
{
    hoist_program *first = read_text(t, text, HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (!first) {
        return;
    }
    const hoist_str once = print(t, first);
    hoist_program_destroy(first);
    hoist_program *second = read_text(t, once, HOIST_OK);
    if (second) {
        HOIST_EXPECT(t, hoist_str_equal(print(t, second), once));
        hoist_program_destroy(second);
    }
}

HOIST_TEST(every_line_comes_back)
{
    hoist_program *program = read_text(t, hoist_str_from(canonical), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (program) {
        HOIST_EXPECT_STR(t, print(t, program), canonical);
        hoist_program_destroy(program);
    }
    expect_round_trip(t, hoist_str_from(canonical));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_line_comes_back))
