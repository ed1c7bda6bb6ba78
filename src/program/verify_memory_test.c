// Spaces, buffers, windows, overlap and relocations: PRG-004 to PRG-010.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Alignment, size, place.
    {"alignment of a space", "space n alignment 2\n", "space n alignment 3\n",
     "1:1 spaces/n: the alignment is 3, expected a power of two [PRG-004]"},
    {"alignment 0 of a space", "space n alignment 1\n", "space n alignment 0\n",
     "1:1 spaces/n: the alignment is 0, expected a power of two [PRG-004]"},
    {"the greatest alignment", "space n alignment 2147483648\n", "space n alignment 4294967295\n",
     "1:1 spaces/n: the alignment is 4294967295, expected a power of two [PRG-004]"},
    {"alignment of a buffer", "buffer b in m size 4 alignment 4\n",
     "buffer b in m size 4 alignment 6\n",
     "1:1 buffers/b: the alignment is 6, expected a power of two [PRG-004]"},
    {"alignment 0 of a buffer", "buffer b in m size 4 alignment 1\n",
     "buffer b in m size 4 alignment 0\n",
     "1:1 buffers/b: the alignment is 0, expected a power of two [PRG-004]"},
    {"no bytes", "buffer b in m size 1\n", "buffer b in m size 0\n",
     "1:1 buffers/b: a buffer of 0 bytes cannot hold 1 [PRG-005]"},
    {"contents of a buffer's size", "buffer b in m size 3 contents bytes data 010203\n",
     "buffer b in m size 2 contents bytes data 010203\n",
     "1:1 buffers/b: a buffer of 2 bytes cannot hold 3 [PRG-005]"},
    {"a pattern of a buffer's size", "buffer b in m size 2 contents pattern data 0102\n",
     "buffer b in m size 1 contents pattern data 0102\n",
     "1:1 buffers/b: a buffer of 1 bytes cannot hold 2 [PRG-005]"},
    {"the end of a space", "buffer b in m size 64 at 0xffc0\n", "buffer b in m size 65 at 0xffc0\n",
     "1:1 buffers/b: 65 bytes at 0xffc0 go beyond the end of 'm', which has 65536 "
     "[PRG-006]"},
    {"beyond a space", "buffer b in m size 32 at 0xffe0\n", "buffer b in m size 32 at 0x10000\n",
     "1:1 buffers/b: 32 bytes at 0x10000 go beyond the end of 'm', which has 65536 "
     "[PRG-006]"},
    {"a space without a limit", "buffer b in host size 1 at 0xfffffffffffffffe\n",
     "buffer b in host size 2 at 0xffffffffffffffff\n",
     "1:1 buffers/b: 2 bytes at 0xffffffffffffffff go beyond all addresses [PRG-006]"},
    {"the alignment of the space", "buffer b in m size 4 at 0x20\n",
     "buffer b in m size 4 at 0x10\n",
     "1:1 buffers/b: address 0x10 is not a multiple of 32 [PRG-006]"},
    {"the alignment of the buffer", "buffer b in m size 4 alignment 64 at 0x40\n",
     "buffer b in m size 4 alignment 64 at 0x20\n",
     "1:1 buffers/b: address 0x20 is not a multiple of 64 [PRG-006]"},
    {"a window has its own alignment only",
     "buffer b in m size 64 at 0x40\n"
     "buffer w in m size 8 alignment 4 at 0x44 window b offset 4\n",
     "buffer b in m size 64 at 0x40\n"
     "buffer w in m size 8 alignment 8 at 0x44 window b offset 4\n",
     "2:1 buffers/w: address 0x44 is not a multiple of 8 [PRG-006]"},
    // Overlap.
    {"a buffer behind another", "buffer b1 in m size 32 at 0x0\nbuffer b2 in m size 64 at 0x20\n",
     "buffer b1 in m size 33 at 0x0\nbuffer b2 in m size 64 at 0x20\n",
     "2:1 buffers/b2: the buffer at 0x20 begins inside 'b1', which ends at 0x21 [PRG-007]"},
    {"a buffer before another", "buffer b1 in m size 64 at 0x20\nbuffer b2 in m size 32 at 0x0\n",
     "buffer b1 in m size 64 at 0x20\nbuffer b2 in m size 33 at 0x0\n",
     "1:1 buffers/b1: the buffer at 0x20 begins inside 'b2', which ends at 0x21 [PRG-007]"},
    {"two at one address", "buffer b1 in m size 1 at 0x0\nbuffer b2 in host size 1 at 0x0\n",
     "buffer b1 in m size 1 at 0x0\nbuffer b2 in m size 1 at 0x0\n",
     "2:1 buffers/b2: the buffer at 0x0 begins inside 'b1', which ends at 0x1 [PRG-007]"},
    {"one inside another, behind a third",
     "buffer b1 in m size 256 at 0x0\nbuffer b2 in m size 32 at 0x100\n"
     "buffer b3 in m size 32 at 0x120\n",
     "buffer b1 in m size 512 at 0x0\nbuffer b2 in host size 32 at 0x20\n"
     "buffer b3 in m size 32 at 0x120\n",
     "3:1 buffers/b3: the buffer at 0x120 begins inside 'b1', which ends at 0x200 "
     "[PRG-007]"},
    {"each of two inside a big one",
     "buffer b1 in m size 32 at 0x0\nbuffer b2 in m size 32 at 0x20\n"
     "buffer b3 in m size 32 at 0x40\n",
     "buffer b1 in m size 96 at 0x0\nbuffer b2 in m size 32 at 0x20\n"
     "buffer b3 in m size 32 at 0x40\n",
     "2:1 buffers/b2: the buffer at 0x20 begins inside 'b1', which ends at 0x60 "
     "[PRG-007]\n"
     "3:1 buffers/b3: the buffer at 0x40 begins inside 'b1', which ends at 0x60 [PRG-007]"},
    {"dynamic fifos share memory with each other only",
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x0\n"
     "fifo d1 queue of f32[1] slots 1 in [b1] slot_bytes 4 dynamic\n"
     "fifo d2 queue of f32[1] slots 1 in [b2] slot_bytes 4 dynamic\n",
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x0\n"
     "fifo d1 queue of f32[1] slots 1 in [b1] slot_bytes 4 dynamic\n"
     "fifo d2 queue of f32[1] slots 1 in [b2] slot_bytes 4\n",
     "2:1 buffers/b2: the buffer at 0x0 begins inside 'b1', which ends at 0x40 [PRG-007]"},
    {"a static buffer behind a dynamic one",
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x40\n"
     "fifo d1 queue of f32[1] slots 1 in [b1] slot_bytes 4 dynamic\n",
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x20\n"
     "fifo d1 queue of f32[1] slots 1 in [b1] slot_bytes 4 dynamic\n",
     "2:1 buffers/b2: the buffer at 0x20 begins inside 'b1', which ends at 0x40 [PRG-007]"},
    {"a dynamic fifo in a window",
     "buffer b1 in m size 64 at 0x0\nbuffer w in m size 4 window b1\n"
     "buffer b2 in m size 64 at 0x0\n"
     "fifo d1 queue of f32[1] slots 1 in [w] slot_bytes 4 dynamic\n"
     "fifo d2 queue of f32[1] slots 1 in [b2] slot_bytes 4 dynamic\n",
     "buffer b1 in m size 64 at 0x0\nbuffer w in m size 4 window b1\n"
     "buffer b2 in m size 64 at 0x0\n"
     "fifo d1 queue of f32[1] slots 1 in [w] slot_bytes 4\n"
     "fifo d2 queue of f32[1] slots 1 in [b2] slot_bytes 4 dynamic\n",
     "3:1 buffers/b2: the buffer at 0x0 begins inside 'b1', which ends at 0x40 [PRG-007]"},
    // Windows.
    {"the end of the buffer", "buffer w in m size 4095 window x offset 1\n",
     "buffer w in m size 4096 window x offset 1\n",
     "1:1 buffers/w: 4096 bytes at offset 1 go beyond the end of 'x', which has 4096 "
     "[PRG-008]"},
    {"an offset that wraps", "buffer w in m size 8 window x offset 4088\n",
     "buffer w in m size 8 window x offset 18446744073709551615\n",
     "1:1 buffers/w: 8 bytes at offset 18446744073709551615 go beyond the end of 'x', "
     "which has 4096 [PRG-008]"},
    {"the space of the buffer", "buffer w in m size 4 window x\n",
     "buffer w in host size 4 window x\n", "1:1 buffers/w: 'x' lies in another space [PRG-008]"},
    {"the address of the buffer's bytes",
     "buffer b in m size 64 at 0x40\n"
     "buffer w in m size 4 at 0x60 window b offset 32\n",
     "buffer b in m size 64 at 0x40\n"
     "buffer w in m size 4 at 0x40 window b offset 32\n",
     "2:1 buffers/w: the window is at 0x40, its bytes of 'b' are not [PRG-008]"},
    {"an address in a buffer without one",
     "buffer b in m size 64\nbuffer w in m size 4 window b offset 32\n",
     "buffer b in m size 64\nbuffer w in m size 4 at 0x20 window b offset 32\n",
     "2:1 buffers/w: the window is at 0x20, its bytes of 'b' are not [PRG-008]"},
    {"a window of a window",
     "buffer v in m size 16 window x offset 8\n"
     "buffer w in m size 8 window v offset 8\n",
     "buffer v in m size 16 window x offset 8\n"
     "buffer w in m size 9 window v offset 8\n",
     "2:1 buffers/w: 9 bytes at offset 8 go beyond the end of 'v', which has 16 [PRG-008]"},
    {"a window of itself", "buffer w in m size 4\n", "buffer w in m size 4 window w\n",
     "1:1 buffers/w: no buffer with memory of its own within 64 windows [PRG-008]"},
    {"windows in a circle", "buffer w in m size 4 window v\nbuffer v in m size 4 window x\n",
     "buffer w in m size 4 window v\nbuffer v in m size 4 window w\n",
     "1:1 buffers/w: no buffer with memory of its own within 64 windows [PRG-008]\n"
     "2:1 buffers/v: no buffer with memory of its own within 64 windows [PRG-008]"},
    // Relocations.
    {"the last 64 bits", "relocation c bit 448 gets whole of x\n",
     "relocation c bit 449 gets whole of x\n",
     "1:1 buffers/c: 64 bits at bit 449 go beyond the 64 bytes of the buffer [PRG-009]"},
    {"the last 32 bits, low", "relocation c bit 480 gets low32 of x\n",
     "relocation c bit 481 gets low32 of x\n",
     "1:1 buffers/c: 32 bits at bit 481 go beyond the 64 bytes of the buffer [PRG-009]"},
    {"the last 32 bits, high", "relocation c bit 480 gets high32 of x plus -8\n",
     "relocation c bit 512 gets high32 of x plus -8\n",
     "1:1 buffers/c: 32 bits at bit 512 go beyond the 64 bytes of the buffer [PRG-009]"},
    {"a bit that wraps", "relocation c bit 0 gets low32 of x\n",
     "relocation c bit 18446744073709551600 gets low32 of x\n",
     "1:1 buffers/c: 32 bits at bit 18446744073709551600 go beyond the 64 bytes of the "
     "buffer [PRG-009]"},
    {"fields behind each other",
     "relocation c bit 5 gets low32 of x\n"
     "relocation c bit 37 gets high32 of x\n",
     "relocation c bit 6 gets low32 of x\n"
     "relocation c bit 37 gets high32 of x\n",
     "2:1 buffers/c: the field at bit 37 begins inside the one before it [PRG-010]"},
    {"fields in any order",
     "relocation c bit 64 gets whole of x\n"
     "relocation c bit 0 gets whole of y\n",
     "relocation c bit 63 gets whole of x\n"
     "relocation c bit 0 gets whole of y\n",
     "1:1 buffers/c: the field at bit 63 begins inside the one before it [PRG-010]"},
    {"one field twice", "relocation c bit 0 gets whole of x\nrelocation x bit 0 gets whole of x\n",
     "relocation c bit 0 gets whole of x\nrelocation c bit 0 gets whole of x\n",
     "2:1 buffers/c: the field at bit 0 begins inside the one before it [PRG-010]"},
    {"fields of a window",
     "buffer w in m size 8 window x offset 8\n"
     "relocation w bit 0 gets whole of x\n"
     "relocation x bit 128 gets low32 of x\n",
     "buffer w in m size 8 window x offset 8\n"
     "relocation w bit 0 gets whole of x\n"
     "relocation x bit 127 gets low32 of x\n",
     "3:1 buffers/x: the field at bit 127 begins inside the one before it [PRG-010]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
