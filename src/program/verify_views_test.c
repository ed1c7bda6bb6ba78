// Layouts and the bounds of views: PRG-016 to PRG-018.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Layouts.
    {"a dimension below 0", HOIST_STEPS("move copy from [x f32[1] by [4]] to y f32[1]\n"),
     HOIST_STEPS("move copy from [x f32[-1] by [4]] to y f32[1]\n"),
     "3:1 threads/main/steps/0: the shape has a dimension below 0, more than 8 of them, "
     "or elements that cannot be counted [PRG-016]"},
    {"elements that cannot be counted",
     HOIST_STEPS("move copy from [x f32[4294967296, 0] by [0, 0]] to y f32[0]\n"),
     HOIST_STEPS("move copy from [x f32[4294967296, 4294967296] by [0, 0]] to y f32[1]\n"),
     "3:1 threads/main/steps/0: the shape has a dimension below 0, more than 8 of them, "
     "or elements that cannot be counted [PRG-016]"},
    {"a stride that reaches beyond all numbers",
     HOIST_STEPS("move copy from [x f32[2] by [4]] to y f32[2]\n"),
     HOIST_STEPS("move copy from [x f32[3] by [9223372036854775807]] to y f32[3]\n"),
     "3:1 threads/main/steps/0: the shape has a dimension below 0, more than 8 of them, "
     "or elements that cannot be counted [PRG-016]"},
    {"strides that do so together",
     HOIST_STEPS("move copy from [x f32[2, 2] by [4, 8]] to y f32[4]\n"),
     HOIST_STEPS("move copy from [x f32[2, 2] by [9223372036854775807, 9223372036854775807]] to y "
                 "f32[4]\n"),
     "3:1 threads/main/steps/0: the shape has a dimension below 0, more than 8 of them, "
     "or elements that cannot be counted [PRG-016]"},
    {"a tiling of nothing", HOIST_STEPS("move copy from [t f32 tiled(t 1)] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t f32 tiled(t 0)] to t f32 tiled() + 1\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"a grid of nothing",
     HOIST_STEPS("move copy from [t f32 tiled(grid 1x1)] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t f32 tiled(grid 0x1)] to t f32 tiled() + 1\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"a macro block of nothing",
     HOIST_STEPS("move copy from [t f32 tiled(mblock 1x2)] to t f32 tiled(t 2) + 2\n"),
     HOIST_STEPS("move copy from [t f32 tiled(mblock 1x0)] to t f32 tiled(t 2) + 2\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"a micro block of nothing",
     HOIST_STEPS("move copy from [t f32 tiled(ublock 2x1)] to t f32 tiled(t 2) + 2\n"),
     HOIST_STEPS("move copy from [t f32 tiled(ublock 0x1)] to t f32 tiled(t 2) + 2\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"a tile that does not exist",
     HOIST_STEPS("move copy from [t f32 tiled(tile 16x32)] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t f32 tiled(tile 3x3)] to t f32 tiled() + 1\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"too many tiles", HOIST_STEPS("move copy from [t f32 tiled(t 8)] to t f32 tiled(t 8) + 8\n"),
     HOIST_STEPS(
         "move copy from [t f32 tiled(t 4294967295 grid 4294967295x1)] to t f32 tiled(t 8) + "
         "8\n"),
     "3:1 threads/main/steps/0: the tiling has a count of 0, tiles that do not exist, or "
     "more than 2^40 elements [PRG-016]"},
    {"the layout of a parameter", "function g {\n parameter a view f32 tiled(tile 32x32)\n}\n",
     "function g {\n parameter a view f32 tiled(tile 32x5)\n}\n",
     "1:1 functions/g: the tiling has a count of 0, tiles that do not exist, or more than "
     "2^40 elements [PRG-016]"},
    // Element types.
    {"block floats without tiles",
     HOIST_STEPS("move copy from [t tt-bfp8b tiled()] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [x tt-bfp8b[1] by [4]] to y f32[1]\n"),
     "3:1 threads/main/steps/0: a strided view has elements of type tt-bfp8b [PRG-017]"},
    {"nothing without tiles", HOIST_STEPS("move copy from [x u8[1]] to y f32[1]\n"),
     HOIST_STEPS("move copy from [x none[1] by [4]] to y f32[1]\n"),
     "3:1 threads/main/steps/0: a strided view has elements of type none [PRG-017]"},
    {"tiles of nothing", HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t none tiled()] to t f32 tiled() + 1\n"),
     "3:1 threads/main/steps/0: a tiled view has elements of type none [PRG-017]"},
    // Buffers.
    {"the end of a buffer", HOIST_STEPS("move copy from [c f32[4] + 48] to y f32[4]\n"),
     HOIST_STEPS("move copy from [c f32[4] + 49] to y f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 49 to 65 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"the beginning of a buffer", HOIST_STEPS("move copy from [c f32[4]] to y f32[4]\n"),
     HOIST_STEPS("move copy from [c f32[4] + -1] to y f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes -1 to 15 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"elements backwards", HOIST_STEPS("move copy from [c f32[4] by [-4] + 12] to y f32[4]\n"),
     HOIST_STEPS("move copy from [c f32[4] by [-4] + 11] to y f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes -1 to 15 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"gaps", HOIST_STEPS("move copy from [c u8[4] by [21]] to y u8[4]\n"),
     HOIST_STEPS("move copy from [c u8[5] by [16]] to y u8[5]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 0 to 65 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"a stride of 0", HOIST_STEPS("move copy from [c f32[1000] by [0] + 60] to y f32[1000]\n"),
     HOIST_STEPS("move copy from [c f32[1000] by [0] + 61] to y f32[1000]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 61 to 65 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"two dimensions", HOIST_STEPS("move copy from [c f32[4, 4]] to y f32[16]\n"),
     HOIST_STEPS("move copy from [c f32[4, 4] by [16, 5]] to y f32[16]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 0 to 67 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"a dimension each way",
     HOIST_STEPS("move copy from [c f32[2, 2] by [-32, 4] + 32] to y f32[4]\n"),
     HOIST_STEPS("move copy from [c f32[2, 2] by [-32, 4] + 31] to y f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes -1 to 39 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"the size of an element", HOIST_STEPS("move copy from [c u16[32]] to y u16[32]\n"),
     HOIST_STEPS("move copy from [c u16[32] + 1] to y u16[32]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 1 to 65 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"an offset that wraps", HOIST_STEPS("move copy from [c f32[1] + 60] to y f32[1]\n"),
     HOIST_STEPS("move copy from [c f32[1] + 9223372036854775807] to y f32[1]\n"),
     "3:1 threads/main/steps/0: bytes of the view, at offset 9223372036854775807, are "
     "beyond all addresses [PRG-018]"},
    {"a low end that wraps", HOIST_STEPS("move copy from [c f32[2] by [-4] + 4] to y f32[2]\n"),
     HOIST_STEPS("move copy from [c f32[2] by [-4] + -9223372036854775808] to y f32[2]\n"),
     "3:1 threads/main/steps/0: bytes of the view, at offset -9223372036854775808, are "
     "beyond all addresses [PRG-018]"},
    {"nothing lies anywhere", HOIST_STEPS("move copy from [c f32[0] + 4096] to y f32[0]\n"),
     HOIST_STEPS("move copy from [c f32[1] + 4096] to y f32[1]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 4096 to 4100 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"an offset of a register is not known",
     HOIST_STEPS("move copy from [c f32[4] + 4096 + i * 4] to y f32[4]\n"),
     HOIST_STEPS("move copy from [c f32[4] + 4096] to y f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 4096 to 4112 "
     "of buffer 'c', which has 64 [PRG-018]"},
    {"the last tile of a buffer",
     HOIST_STEPS("move copy from [t f32 tiled() + 15] to t f32 tiled()\n"),
     HOIST_STEPS("move copy from [t f32 tiled() + 16] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: the view covers 1 tile from 16 on, "
     "of buffer 't', which has 16 [PRG-018]"},
    {"tiles before a buffer", HOIST_STEPS("move copy from [t f32 tiled() + 1] to t f32 tiled()\n"),
     HOIST_STEPS("move copy from [t f32 tiled() + -1] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: the view covers 1 tile from -1 on, "
     "of buffer 't', which has 16 [PRG-018]"},
    {"tiles are 4096 bytes, whatever their type",
     HOIST_STEPS(
         "move copy from [t tt-bfp8b tiled(t 16)] to space(host) f32 tiled(t 16) + i * 1\n"),
     HOIST_STEPS(
         "move copy from [t tt-bfp8b tiled(t 17)] to space(host) f32 tiled(t 17) + i * 1\n"),
     "3:1 threads/main/steps/0: the view covers 17 tiles from 0 on, "
     "of buffer 't', which has 16 [PRG-018]"},
    {"a window has its own end",
     "buffer w in m size 8 window c offset 8\nthread main {\n    register i\n"
     "move copy from [w f32[2]] to y f32[2]\n}\n",
     "buffer w in m size 8 window c offset 8\nthread main {\n    register i\n"
     "move copy from [w f32[3]] to y f32[3]\n}\n",
     "4:1 threads/main/steps/0: the view covers bytes 0 to 12 "
     "of buffer 'w', which has 8 [PRG-018]"},
    // Slots and spaces.
    {"the tiles of a slot",
     HOIST_STEPS("move copy from [read(q) f32 tiled() + 1] to t f32 tiled()\n"),
     HOIST_STEPS("move copy from [read(q) f32 tiled() + 2] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: the view covers 1 tile from 2 on, of a slot "
     "of fifo 'q', which has 2 [PRG-018]"},
    {"the tiles of a slot that is written",
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to write(q) f32 tiled(t 2)\n"),
     HOIST_STEPS("move copy from [t f32 tiled(t 3)] to write(q) f32 tiled(t 3)\n"),
     "3:1 threads/main/steps/0: the view covers 3 tiles from 0 on, of a slot "
     "of fifo 'q', which has 2 [PRG-018]"},
    {"a strided view of tiles",
     HOIST_STEPS("move copy from [read(q) f32 tiled(t 2)] to t f32 tiled(t 2)\n"),
     HOIST_STEPS("move copy from [read(q) f32[4]] to y f32[4]\n"),
     "3:1 threads/main/steps/0: a strided view of a slot with tiled entries [PRG-018]"},
    {"a tiled view of elements",
     "fifo r ram of f32[4] slots 1 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [read(r) f32[4]] to y f32[4]\n}\n",
     "fifo r ram of f32[4] slots 1 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [read(r) f32 tiled()] to t f32 tiled()\n}\n",
     "3:1 threads/main/steps/0: a tiled view of a slot with strided entries [PRG-018]"},
    {"the bytes of a slot",
     "fifo r ram of f32[4] slots 2 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [read(r) f32[2] + 8] to y f32[2]\n}\n",
     "fifo r ram of f32[4] slots 2 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [read(r) f32[2] + 12] to y f32[2]\n}\n",
     "3:1 threads/main/steps/0: the view covers bytes 12 to 20 of a slot "
     "of fifo 'r', which has 16 [PRG-018]"},
    {"the end of a space", HOIST_STEPS("move copy from [space(m) f32[4] + 65520] to x f32[4]\n"),
     HOIST_STEPS("move copy from [space(m) f32[4] + 65528] to x f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes 65528 to 65544 "
     "of space 'm', which has 65536 [PRG-018]"},
    {"the beginning of a space",
     HOIST_STEPS("move copy from [space(m) f32[4] + i * 1] to x f32[4]\n"),
     HOIST_STEPS("move copy from [space(m) f32[4] + -1] to x f32[4]\n"),
     "3:1 threads/main/steps/0: the view covers bytes -1 to 15 "
     "of space 'm', which has 65536 [PRG-018]"},
    {"a space without an end",
     HOIST_STEPS("move copy from [space(host) f32[1] + 9223372036854775803] to y f32[1]\n"),
     HOIST_STEPS("move copy from [space(host) f32[1] + 9223372036854775804] to y f32[1]\n"),
     "3:1 threads/main/steps/0: bytes of the view, at offset 9223372036854775804, are "
     "beyond all addresses [PRG-018]"},
    // Parameters.
    {"the end of a parameter",
     "function g {\n parameter a view f32[4]\n"
     " move copy from [param(a) f32[3] + 4] to x f32[3]\n}\n",
     "function g {\n parameter a view f32[4]\n"
     " move copy from [param(a) f32[4] + 4] to x f32[4]\n}\n",
     "3:2 functions/g/steps/0: the view covers bytes 4 to 20 of parameter 'a', which has "
     "0 to 16 [PRG-018]"},
    {"the beginning of a parameter",
     "function g {\n parameter a view f32[4] by [-4]\n"
     " move copy from [param(a) f32[4] + -12] to x f32[4]\n}\n",
     "function g {\n parameter a view f32[4] by [-4]\n"
     " move copy from [param(a) f32[4] + -16] to x f32[4]\n}\n",
     "3:2 functions/g/steps/0: the view covers bytes -16 to 0 of parameter 'a', which has "
     "-12 to 4 [PRG-018]"},
    {"a parameter of nothing",
     "function g {\n parameter a view f32[0]\n"
     " move copy from [param(a) f32[0]] to x f32[0]\n}\n",
     "function g {\n parameter a view f32[0]\n"
     " move copy from [param(a) f32[1]] to x f32[1]\n}\n",
     "3:2 functions/g/steps/0: the view covers bytes 0 to 4 of parameter 'a', which has 0 "
     "to 0 [PRG-018]"},
    {"bytes of a parameter",
     "function g {\n parameter a view f32[1]\n"
     " move copy from [param(a) u8[4]] to x u8[4]\n}\n",
     "function g {\n parameter a view f32[1]\n"
     " move copy from [param(a) u8[5]] to x u8[5]\n}\n",
     "3:2 functions/g/steps/0: the view covers bytes 0 to 5 of parameter 'a', which has 0 "
     "to 4 [PRG-018]"},
    {"tiles of a parameter",
     "function g {\n parameter a view f32 tiled(t 2)\n"
     " move copy from [param(a) f32 tiled() + 1] to t f32 tiled()\n}\n",
     "function g {\n parameter a view f32 tiled(t 2)\n"
     " move copy from [param(a) f32 tiled() + 2] to t f32 tiled()\n}\n",
     "3:2 functions/g/steps/0: the view covers 1 tile from 2 on, "
     "of parameter 'a', which has 2 [PRG-018]"},
    {"a tiled view of a strided parameter",
     "function g {\n parameter a view f32 tiled()\n"
     " move copy from [param(a) f32 tiled()] to t f32 tiled()\n}\n",
     "function g {\n parameter a view f32[1024]\n"
     " move copy from [param(a) f32 tiled()] to t f32 tiled()\n}\n",
     "3:2 functions/g/steps/0: a tiled view of parameter 'a', which is strided [PRG-018]"},
    {"a strided view of a tiled parameter",
     "function g {\n parameter a view f32[1]\n"
     " move copy from [param(a) f32[1]] to x f32[1]\n}\n",
     "function g {\n parameter a view f32 tiled()\n"
     " move copy from [param(a) f32[1]] to x f32[1]\n}\n",
     "3:2 functions/g/steps/0: a strided view of parameter 'a', which is tiled [PRG-018]"},
    {"one view of two functions' parameters",
     "function g {\n parameter a view f32[4]\n"
     " move copy from [param(a) f32[4]] to x f32[4]\n}\nfunction h {\n"
     " parameter a view f32[5]\n"
     " move copy from [param(a) f32[4]] to x f32[4]\n}\n",
     "function g {\n parameter a view f32[4]\n"
     " move copy from [param(a) f32[4]] to x f32[4]\n}\nfunction h {\n"
     " parameter a view f32[3]\n"
     " move copy from [param(a) f32[4]] to x f32[4]\n}\n",
     "7:2 functions/h/steps/0: the view covers bytes 0 to 16 of parameter 'a', which has "
     "0 to 12 [PRG-018]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
