// Bytes that are read before they are written: PRG-038.
#include "program/program_testing.h"

// Bytes of `own` with gaps between them, the largest one second, the least one third: more pieces
// than are kept apart.
#define BYTE(at) "move copy from [x u8[1]] to own u8[1] + " at "\n"
// clang-format off
#define PIECES \
    BYTE("30") BYTE("60") BYTE("2") BYTE("5") BYTE("8") BYTE("11") BYTE("14") BYTE("17") BYTE("20") \
    BYTE("23") BYTE("26") BYTE("33") BYTE("36") BYTE("39") BYTE("42") BYTE("45") BYTE("48")
// clang-format on

static const hoist_verify_case cases[] = {
    {"more pieces than are kept apart are one",
     HOIST_STEPS(PIECES "move copy from [own u8[59] + 2] to y u8[59]\n"),
     HOIST_STEPS(PIECES "move copy from [own u8[60] + 2] to y u8[60]\n"),
     "20:1 threads/main/steps/17: bytes 2 to 62 of 'own' are read before they are written "
     "[PRG-038]"},
    // Order.
    {"a write before the read",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4]] to x f32[4]\n"
                 "move copy from [x f32[4]] to own f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"half of it",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[4]] to y f32[4]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[5]] to y f32[5]\n"),
     "4:1 threads/main/steps/1: bytes 0 to 20 of 'own' are read before they are written "
     "[PRG-038]"},
    {"two halves, the last one first",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4] + 16\n"
                 "move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[8]] to y f32[8]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4] + 20\n"
                 "move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[8]] to y f32[8]\n"),
     "5:1 threads/main/steps/2: bytes 0 to 32 of 'own' are read before they are written "
     "[PRG-038]"},
    {"bytes behind what was written",
     HOIST_STEPS("move copy from [x f32[8]] to own f32[8]\n"
                 "move copy from [own f32[4] + 16] to y f32[4]\n"),
     HOIST_STEPS("move copy from [x f32[8]] to own f32[8]\n"
                 "move copy from [own f32[4] + 32] to y f32[4]\n"),
     "4:1 threads/main/steps/1: bytes 32 to 48 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a view with gaps that meets a write",
     HOIST_STEPS("move copy from [x f32[1]] to own f32[1] + 8\n"
                 "move copy from [own f32[2] by [8]] to y f32[2]\n"),
     HOIST_STEPS("move copy from [x f32[1]] to own f32[1] + 12\n"
                 "move copy from [own f32[2] by [8]] to y f32[2]\n"),
     "4:1 threads/main/steps/1: bytes 0 to 12 of 'own' are read before they are written "
     "[PRG-038]"},
    {"what was written with gaps",
     HOIST_STEPS("move copy from [x f32[2]] to own f32[2] by [8]\n"
                 "move copy from [own f32[3]] to y f32[3]\n"),
     HOIST_STEPS("move copy from [x f32[2]] to own f32[2] by [8]\n"
                 "move copy from [own f32[4]] to y f32[4]\n"),
     "4:1 threads/main/steps/1: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a register writes anywhere",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4] + i * 4\n"
                 "move copy from [own f32[16]] to y f32[16]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] + i * 4\n"
                 "move copy from [own f32[16]] to y f32[16]\n"),
     "4:1 threads/main/steps/1: bytes 0 to 64 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a register reads anywhere", HOIST_STEPS("move copy from [own f32[4] + i * 4] to y f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4] + 4] to y f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 4 to 20 of 'own' are read before they are written "
     "[PRG-038]"},
    {"nothing is read", HOIST_STEPS("move copy from [own f32[0]] to y f32[0]\n"),
     HOIST_STEPS("move copy from [own f32[1]] to y f32[1]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 4 of 'own' are read before they are written "
     "[PRG-038]"},
    {"one finding for each read",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4]] to x f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]\n"
     "4:1 threads/main/steps/1: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    // Which buffers.
    {"zeros",
     "buffer b in m size 16 contents zero\nthread main {\n"
     "move copy from [b f32[4]] to x f32[4]\n}\n",
     "buffer b in m size 16\nthread main {\n"
     "move copy from [b f32[4]] to x f32[4]\n}\n",
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'b' are read before they are written "
     "[PRG-038]"},
    {"a run's",
     "buffer b in m size 16 lifetime run\nthread main {\n"
     "move copy from [b f32[4]] to x f32[4]\n}\n",
     "buffer b in m size 16 lifetime call\nthread main {\n"
     "move copy from [b f32[4]] to x f32[4]\n}\n",
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'b' are read before they are written "
     "[PRG-038]"},
    {"a window with contents",
     "buffer w in m size 16 window own contents zero\nthread main {\n"
     "move copy from [w f32[4]] to x f32[4]\n}\n",
     "buffer w in m size 16 window own\nthread main {\n"
     "move copy from [w f32[4]] to x f32[4]\n}\n",
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a write through a window",
     "buffer w in m size 32 window own offset 16\nthread main {\n"
     "move copy from [x f32[4]] to w f32[4]\n"
     "move copy from [own f32[4] + 16] to x f32[4]\n}\n",
     "buffer w in m size 32 window own offset 16\nthread main {\n"
     "move copy from [x f32[4]] to w f32[4]\n"
     "move copy from [own f32[4] + 12] to x f32[4]\n}\n",
     "4:1 threads/main/steps/1: bytes 12 to 28 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a read through a window",
     "buffer w in m size 32 window own offset 16\nthread main {\n"
     "move copy from [x f32[4]] to own f32[4] + 20\n"
     "move copy from [w f32[4] + 4] to x f32[4]\n}\n",
     "buffer w in m size 32 window own offset 16\nthread main {\n"
     "move copy from [x f32[4]] to own f32[4] + 20\n"
     "move copy from [w f32[4]] to x f32[4]\n}\n",
     "4:1 threads/main/steps/1: bytes 16 to 32 of 'own' are read before they are written "
     "[PRG-038]"},
    {"the part of a fifo",
     "fifo r ram of f32[4] slots 1 in [own] slot_bytes 16\nthread main {\n"
     "move copy from [own f32[4]] to x f32[4]\n}\n",
     "fifo r ram of f32[4] slots 1 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [own f32[4]] to x f32[4]\n}\n",
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"tiles",
     "buffer b in host size 8192\nthread main {\n"
     "move copy from [t f32 tiled()] to b f32 tiled() + 1\n"
     "move copy from [b f32 tiled() + 1] to t f32 tiled()\n}\n",
     "buffer b in host size 8192\nthread main {\n"
     "move copy from [t f32 tiled()] to b f32 tiled()\n"
     "move copy from [b f32 tiled() + 1] to t f32 tiled()\n}\n",
     "4:1 threads/main/steps/1: bytes 4096 to 8192 of 'b' are read before they are "
     "written [PRG-038]"},
    // Which steps.
    {"an input",
     HOIST_STEPS("move copy from [x f32[4]] to own f32[4]\n"
                 "compute ieee.relu from [own f32[4]] to [x f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [own f32[4]] to [x f32[4]]\n"
                 "move copy from [x f32[4]] to own f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"an output",
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [own f32[4]]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("compute ieee.relu from [own f32[4]] to [own f32[4]]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a collective",
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[4] to own f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from own f32[4] to x f32[4]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a record", HOIST_STEPS("opaque k writes [own f32[4]]\n"),
     HOIST_STEPS("opaque k reads [own f32[4]]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a call", HOIST_STEPS("call f with [1, x f32[4], own f32[4]]\n"),
     HOIST_STEPS("call f with [1, own f32[4], x f32[4]]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a post",
     HOIST_STEPS("post u f with [1, x f32[4], own f32[4]]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("post u f with [1, own f32[4], x f32[4]]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a table may leave elements out",
     HOIST_STEPS("move copy from [own f32[4]] to x f32[1] table [-1]\n"),
     HOIST_STEPS("move copy from [own f32[1]] to x f32[1]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 4 of 'own' are read before they are written "
     "[PRG-038]"},
    // How far.
    {"behind a branch nothing is known",
     HOIST_STEPS("branch i == 0 to 1\nmove copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4]] to x f32[4]\nbranch i == 0 to 2\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"behind a call neither",
     HOIST_STEPS("call f with [1, x f32[4], y f32[4]]\n"
                 "move copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4]] to x f32[4]\n"
                 "call f with [1, x f32[4], y f32[4]]\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"nor behind a record", HOIST_STEPS("opaque k\nmove copy from [own f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [own f32[4]] to x f32[4]\nopaque k\n"),
     "3:1 threads/main/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"the first turn of a loop",
     HOIST_STEPS("loop 2\nmove copy from [x f32[4]] to own f32[4]\n"
                 "move copy from [own f32[4]] to x f32[4]\nend\n"),
     HOIST_STEPS("loop 2\nmove copy from [own f32[4]] to x f32[4]\n"
                 "move copy from [x f32[4]] to own f32[4]\nend\n"),
     "4:1 threads/main/steps/1: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"a function's own",
     "function g {\n move copy from [x f32[4]] to own f32[4]\n"
     " move copy from [own f32[4]] to x f32[4]\n}\n",
     "function g {\n move copy from [own f32[4]] to x f32[4]\n"
     " move copy from [x f32[4]] to own f32[4]\n}\n",
     "2:2 functions/g/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
    {"each code begins anew",
     "thread v {\nmove copy from [x f32[4]] to own f32[4]\n"
     "move copy from [own f32[4]] to x f32[4]\n}\nthread w {\n"
     "move copy from [x f32[4]] to own f32[4]\n"
     "move copy from [own f32[4]] to x f32[4]\n}\n",
     "thread v {\nmove copy from [x f32[4]] to own f32[4]\n"
     "move copy from [own f32[4]] to x f32[4]\n}\nthread w {\n"
     "move copy from [own f32[4]] to x f32[4]\n}\n",
     "6:1 threads/w/steps/0: bytes 0 to 16 of 'own' are read before they are written "
     "[PRG-038]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
