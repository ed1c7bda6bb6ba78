// Ports and needs: PRG-042 to PRG-044.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Memory.
    {"a buffer of a session", "port a in x of f32[4]\n", "port a in c of f32[4]\n",
     "1:1 ports/a: buffer 'c' is of one call or a constant, expected lifetime run or session "
     "[PRG-042]"},
    {"a buffer of a run", "buffer b in m size 4 lifetime run\nport a in b of f32[1]\n",
     "buffer b in m size 4\nport a in b of f32[1]\n",
     "2:1 ports/a: buffer 'b' is of one call or a constant, expected lifetime run or session "
     "[PRG-042]"},
    {"a window of a buffer that stays",
     "buffer w in m size 4 window x lifetime session\nport a in w of f32[1]\n",
     "buffer w in m size 4 window own lifetime session\nport a in w of f32[1]\n",
     "2:1 ports/a: buffer 'w' is of one call or a constant, expected lifetime run or session "
     "[PRG-042]"},
    // Elements.
    {"strided elements", "port a in t of f32[32, 32]\n", "port a in t of f32 tiled()\n",
     "1:1 ports/a: tiled elements of type f32, expected strided ones of complete bytes [PRG-042]"},
    {"elements of whole bytes", "port a in x of u8[4]\n", "port a in x of tt-bfp8b[4]\n",
     "1:1 ports/a: strided elements of type tt-bfp8b, expected strided ones of complete bytes "
     "[PRG-042]"},
    {"one element", "port a in x of f32[]\n", "port a in x of f32[2, 0]\n",
     "1:1 ports/a: the port has no elements [PRG-042]"},
    {"a shape", "port a in x of f32[1]\n", "port a in x of f32[-1] by [4]\n",
     "1:1 ports/a: the shape has a dimension below 0, more than 8 of them, or elements that cannot "
     "be counted [PRG-016]"},
    {"elements that lie apart", "port a in x of f32[2, 2] by [12, 4]\n",
     "port a in x of f32[2, 2] by [7, 4]\n",
     "1:1 ports/a: elements of the port share bytes [PRG-042]"},
    {"no broadcast", "port a in x of f32[1, 2] by [0, 4]\n", "port a in x of f32[2, 2] by [0, 4]\n",
     "1:1 ports/a: elements of the port share bytes [PRG-042]"},
    // Bounds.
    {"the end of the buffer", "port a in x of f32[2] by [8] offset 4084\n",
     "port a in x of f32[2] by [8] offset 4085\n",
     "1:1 ports/a: the port covers bytes 4085 to 4097 of buffer 'x', which has 4096 [PRG-042]"},
    {"its beginning", "port a in x of f32[2] by [-8] offset 8\n",
     "port a in x of f32[2] by [-8] offset 7\n",
     "1:1 ports/a: the port covers bytes -1 to 11 of buffer 'x', which has 4096 [PRG-042]"},
    {"an offset beyond all addresses", "port a in x of u8[1] offset 4095\n",
     "port a in x of u8[1] offset 9223372036854775808\n",
     "1:1 ports/a: bytes of the port, at offset 9223372036854775808, are beyond all addresses "
     "[PRG-042]"},
    {"an end beyond all addresses", "port a in x of u8[1] offset 0\n",
     "port a in x of u8[1] offset 9223372036854775807\n",
     "1:1 ports/a: bytes of the port, at offset 9223372036854775807, are beyond all addresses "
     "[PRG-042]"},
    // Names.
    {"a name that no fifo has", "port r in x of f32[1]\n", "port q in x of f32[1]\n",
     "1:1 ports/q: a fifo that callers name has the same name [PRG-043]"},
    {"a name that no buffer of a caller has",
     "port y in x of f32[1]\n", // no caller names y
     "buffer b in m size 4 lifetime session output\nport b in x of f32[1]\n",
     "2:1 ports/b: a buffer that callers name has the same name [PRG-043]"},
    {"nor one that a caller fills",
     "buffer b in m size 4 lifetime session\nport b in x of f32[1]\n",
     "buffer b in m size 4 lifetime session contents caller\nport b in x of f32[1]\n",
     "2:1 ports/b: a buffer that callers name has the same name [PRG-043]"},
    // Needs.
    {"needed bytes", "port a in x of f32[1]\nneed a from 0 to 1\n",
     "port a in x of f32[1]\nneed a from 1 to 1\n",
     "2:1 ports/a: bytes 1 to 1 are needed of buffer 'x', which has 4096 [PRG-044]"},
    {"up to the end of the buffer", "port a in x of f32[1]\nneed a from 4095 to 4096\n",
     "port a in x of f32[1]\nneed a from 4095 to 4097\n",
     "2:1 ports/a: bytes 4095 to 4097 are needed of buffer 'x', which has 4096 [PRG-044]"},
    {"of a run without contents",
     "buffer b in m size 4 lifetime run contents caller\nport a in b of f32[1]\nneed a from 0 to "
     "4\n",
     "buffer b in m size 4 lifetime run contents zero\nport a in b of f32[1]\nneed a from 0 to "
     "4\n",
     "3:1 ports/a: the contents of buffer 'b', of lifetime run, would replace the bytes that are "
     "needed [PRG-044]"},
    {"of memory of a session, which keeps what it has",
     "buffer b in m size 4 lifetime session contents zero\nport a in b of f32[1]\nneed a from 0 to "
     "4\n",
     "buffer b in m size 4 lifetime run contents zero\n"
     "buffer w in m size 4 window b lifetime session\nport a in w of f32[1]\nneed a from 0 to 4\n",
     "4:1 ports/a: the contents of buffer 'b', of lifetime run, would replace the bytes that are "
     "needed [PRG-044]"},
};

HOIST_TEST_TABLE(ports_and_needs, cases)
{
    hoist_expect_verified(t, row);
}

// References of both lines.
static const hoist_verify_case references[] = {
    {"the buffer of a port", "port a in x of f32[1]\n", "port a in @99 of f32[1]\n",
     "1:1 ports/a: buffer 99 does not exist, there are 6 [PRG-001]"},
    {"the layout of a port", "port a in x of f32[1]\n", "port a in x of f32 @99\n",
     "1:1 ports/a: layout 99 does not exist, there are 2 [PRG-001]"},
    {"the port of a need", "port a in x of f32[1]\nneed a from 0 to 4\n", "need @9 from 0 to 4\n",
     "1:1 ports: port 9 does not exist, there are 0 [PRG-001]"},
};

HOIST_TEST_TABLE(references_of_ports, references)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ports_and_needs), HOIST_TEST_ROW(references_of_ports))
