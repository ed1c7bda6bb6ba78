// Moves: PRG-027 to PRG-031.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Moves.
    {"sources", HOIST_STEPS("move add from [x f32[4]] to y f32[4]\n"),
     HOIST_STEPS("move add from [] to y f32[4]\n"),
     "3:1 threads/main/steps/0: 0 sources, expected 1 to 16 [PRG-027]"},
    {"at most 16",
     HOIST_STEPS("move add from [x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x "
                 "f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x "
                 "f32[4], x f32[4]] to y f32[4]\n"),
     HOIST_STEPS("move add from [x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x "
                 "f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x f32[4], x "
                 "f32[4], x f32[4], x f32[4]] to y f32[4]\n"),
     "3:1 threads/main/steps/0: 17 sources, expected 1 to 16 [PRG-027]"},
    {"a table may stand without sources",
     HOIST_STEPS("move copy from [] to y f32[2] table [-1x2]\n"),
     HOIST_STEPS("move copy from [] to y f32[2]\n"),
     "3:1 threads/main/steps/0: 0 sources, expected 1 to 16 [PRG-027]"},
    {"several sources have a table",
     HOIST_STEPS("move copy from [x f32[2], x f32[2]] to y f32[4] table [0..3]\n"),
     HOIST_STEPS("move copy from [x f32[2], x f32[2]] to y f32[4]\n"),
     "3:1 threads/main/steps/0: a copy of several sources has no table [PRG-027]"},
    {"sums have none", HOIST_STEPS("move add from [x f32[4]] to y f32[4]\n"),
     HOIST_STEPS("move add from [x f32[4]] to y f32[4] table [0..3]\n"),
     "3:1 threads/main/steps/0: only copies have a table [PRG-027]"},
    {"min has a start", HOIST_STEPS("move min from [x f32[4]] to y f32[4] start 1\n"),
     HOIST_STEPS("move add from [x f32[4]] to y f32[4] start 1\n"),
     "3:1 threads/main/steps/0: only min and max have a start value [PRG-027]"},
    {"max has a start", HOIST_STEPS("move max from [x f32[4]] to y f32[4] start 1\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] start 1\n"),
     "3:1 threads/main/steps/0: only min and max have a start value [PRG-027]"},
    {"a copy transposes",
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0]\n"),
     HOIST_STEPS("move max from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0]\n"),
     "3:1 threads/main/steps/0: only the copy or cast of one strided source transposes [PRG-027]"},
    {"without a table",
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0]\n"),
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0] table [0..3]\n"),
     "3:1 threads/main/steps/0: only the copy or cast of one strided source transposes [PRG-027]"},
    {"without tiles", HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled() + 1 transpose [0]\n"),
     "3:1 threads/main/steps/0: only the copy or cast of one strided source transposes [PRG-027]"},
    {"a cast has one source", HOIST_STEPS("move cast from [x f32[4]] to y bf16[4]\n"),
     HOIST_STEPS("move cast from [x f32[4], x f32[4]] to y bf16[4]\n"),
     "3:1 threads/main/steps/0: 2 sources, a cast has one [PRG-027]"},
    {"and no table", HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..3]\n"),
     HOIST_STEPS("move cast from [x f32[4]] to y f32[4] table [0..3]\n"),
     "3:1 threads/main/steps/0: only copies have a table [PRG-027]"},
    {"a cast transposes",
     HOIST_STEPS("move cast from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0]\n"),
     HOIST_STEPS("move fma from [x f32[2, 2]] to y f32[2, 2] transpose [1, 0]\n"),
     "3:1 threads/main/steps/0: only the copy or cast of one strided source transposes [PRG-027]"},
    {"min compares integers", HOIST_STEPS("move min from [x i32[4]] to y i32[4] in i32\n"),
     HOIST_STEPS("move add from [x i32[4]] to y i32[4] in i32\n"),
     "3:1 threads/main/steps/0: only min and max compare integers [PRG-027]"},
    {"sources of the type", HOIST_STEPS("move max from [x u32[4], x u32[4]] to y u32[4] in u32\n"),
     HOIST_STEPS("move max from [x u32[4], x i32[4]] to y u32[4] in u32\n"),
     "3:1 threads/main/steps/0: operand 1 is i32, computed in u32 [PRG-027]"},
    {"a destination of the type",
     HOIST_STEPS("move max from [x i32[4]] to y i32[4] in i32 start 7\n"),
     HOIST_STEPS("move max from [x i32[4]] to y f32[4] in i32 start 7\n"),
     "3:1 threads/main/steps/0: operand 1 is f32, computed in i32 [PRG-027]"},
    {"tiles are only copied", HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move add from [t f32 tiled()] to t f32 tiled() + 1\n"),
     "3:1 threads/main/steps/0: tiled views are only copied [PRG-027]"},
    {"elements to tiles", HOIST_STEPS("move copy from [x f32[1024]] to y f32[1024]\n"),
     HOIST_STEPS("move copy from [x f32[1024]] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: source 0 is strided, the destination tiled [PRG-027]"},
    {"tiles to elements", HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled() + 1\n"),
     HOIST_STEPS("move copy from [t f32 tiled()] to y f32[1024]\n"),
     "3:1 threads/main/steps/0: source 0 is tiled, the destination strided [PRG-027]"},
    {"the second source has tiles",
     HOIST_STEPS("move copy from [x f32[1], x f32[1]] to y f32[2] table [0, 1]\n"),
     HOIST_STEPS("move copy from [x f32[1], t f32 tiled()] to y f32[2] table [0, 1]\n"),
     "3:1 threads/main/steps/0: source 1 is tiled, the destination strided [PRG-027]"},
    {"as many elements", HOIST_STEPS("move copy from [x f32[2, 3]] to y f32[6]\n"),
     HOIST_STEPS("move copy from [x f32[2, 3]] to y f32[5]\n"),
     "3:1 threads/main/steps/0: source 0 has 6 elements, the destination 5 [PRG-028]"},
    {"of every source", HOIST_STEPS("move add from [x f32[4], x f32[2, 2]] to y f32[4]\n"),
     HOIST_STEPS("move add from [x f32[4], x f32[2, 3]] to y f32[4]\n"),
     "3:1 threads/main/steps/0: source 1 has 6 elements, the destination 4 [PRG-028]"},
    {"as many tiles",
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled(ublock 1x2) + 2\n"),
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled(ublock 1x3) + 2\n"),
     "3:1 threads/main/steps/0: source 0 has 2 tiles, the destination 3 [PRG-028]"},
    {"a number for each element",
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..3]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..2]\n"),
     "3:1 threads/main/steps/0: the table has 3 items, the destination 4 [PRG-029]"},
    {"not more than elements", HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [3x4]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [3x5]\n"),
     "3:1 threads/main/steps/0: the table has 5 items, the destination 4 [PRG-029]"},
    {"numbers of all sources",
     HOIST_STEPS("move copy from [x f32[2], x f32[2]] to y f32[4] table [0..3]\n"),
     HOIST_STEPS("move copy from [x f32[2], x f32[2]] to y f32[4] table [0..2, 4]\n"),
     "3:1 threads/main/steps/0: item 3 is 4, the sources have 4 [PRG-029]"},
    {"-1 and no number below it",
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..2, -1]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..2, -2]\n"),
     "3:1 threads/main/steps/0: item 3 is -2, the sources have 4 [PRG-029]"},
    {"numbers of tiles",
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled() + 2 table [1]\n"),
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled() + 2 table [2]\n"),
     "3:1 threads/main/steps/0: item 0 is 2, the sources have 2 [PRG-029]"},
    {"sources that cannot be counted together",
     HOIST_STEPS(
         "move copy from [x u8[4611686018427387904] by [0], x u8[4611686018427387904] by [0], "
         "x u8[4611686018427387904] by [0], x u8[4611686018427387904] by [0]] to y u8[1] "
         "table [2147483647]\n"),
     HOIST_STEPS(
         "move copy from [x u8[4611686018427387904] by [0], x u8[4611686018427387904] by [0], "
         "x u8[4611686018427387904] by [0], x u8[4611686018427387904] by [0]] to y u8[1] "
         "table [-2]\n"),
     "3:1 threads/main/steps/0: item 0 is -2, the sources have 18446744073709551615 "
     "[PRG-029]"},
    {"every axis",
     HOIST_STEPS("move copy from [x f32[2, 3, 4]] to y f32[24] transpose [2, 0, 1]\n"),
     HOIST_STEPS("move copy from [x f32[2, 3, 4]] to y f32[24] transpose [2, 0]\n"),
     "3:1 threads/main/steps/0: the axes are no permutation of the 3 of the source "
     "[PRG-030]"},
    {"once", HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[4] transpose [0, 1]\n"),
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[4] transpose [1, 1]\n"),
     "3:1 threads/main/steps/0: the axes are no permutation of the 2 of the source "
     "[PRG-030]"},
    {"of the source", HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[4] transpose [1, 0]\n"),
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[4] transpose [0, 2]\n"),
     "3:1 threads/main/steps/0: the axes are no permutation of the 2 of the source "
     "[PRG-030]"},
    {"not more than the source has",
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] transpose [0]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] transpose [0, 1]\n"),
     "3:1 threads/main/steps/0: the axes are no permutation of the 1 of the source "
     "[PRG-030]"},
    {"tiles behind each other",
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled(t 2) + 2\n"),
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled(t 2) + 1\n"),
     "3:1 threads/main/steps/0: source 0 has tiles of the destination [PRG-031]"},
    {"tiles of the second source",
     HOIST_STEPS(
         "move copy from [t f32 tiled(), t f32 tiled() + 2] to t f32 tiled() + 1 table [0]\n"),
     HOIST_STEPS(
         "move copy from [t f32 tiled(), t f32 tiled() + 1] to t f32 tiled() + 1 table [0]\n"),
     "3:1 threads/main/steps/0: source 1 has tiles of the destination [PRG-031]"},
    {"tiles through a window",
     "buffer w in host size 8192 window t offset 4096 lifetime session\n"
     "thread main {\nmove copy from [w f32 tiled() + 1] to t f32 tiled() + 1\n"
     "}\n",
     "buffer w in host size 8192 window t offset 4096 lifetime session\n"
     "thread main {\nmove copy from [w f32 tiled()] to t f32 tiled() + 1\n}\n",
     "3:1 threads/main/steps/0: source 0 has tiles of the destination [PRG-031]"},
    {"tiles that hang on a register",
     HOIST_STEPS("move copy from [t f32 tiled() + i * 1] to t f32 tiled()\n"),
     HOIST_STEPS("move copy from [t f32 tiled()] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: source 0 has tiles of the destination [PRG-031]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
