// Fifos, units, semaphores and entries: PRG-011 to PRG-015, PRG-037.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Fifos.
    {"slots", "fifo r ram of f32[1] slots 1 in [x] slot_bytes 4\n",
     "fifo r ram of f32[1] slots 0 in [x] slot_bytes 4\n",
     "1:1 fifos/r: 0 slots over 1 parts, expected 1 or more [PRG-011]"},
    {"parts", "fifo r ram of f32[1] slots 1 in [x] slot_bytes 4\n",
     "fifo r ram of f32[1] slots 1 in [] slot_bytes 4\n",
     "1:1 fifos/r: 1 slots over 0 parts, expected 1 or more [PRG-011]"},
    {"the size of a part", "fifo r ram of f32[1] slots 16 in [c] slot_bytes 4\n",
     "fifo r ram of f32[1] slots 17 in [c] slot_bytes 4\n",
     "1:1 fifos/r: part 'c' has 64 bytes, header and 17 slots of 4 need 68 [PRG-011]"},
    {"the header of a part", "fifo r ram of f32[1] slots 15 in [c] header 4 slot_bytes 4\n",
     "fifo r ram of f32[1] slots 15 in [c] header 5 slot_bytes 4\n",
     "1:1 fifos/r: part 'c' has 64 bytes, header and 15 slots of 4 need 65 [PRG-011]"},
    {"slots that wrap", "fifo r ram of f32[1] slots 1 in [x] slot_bytes 4096\n",
     "fifo r ram of f32[1] slots 4294967295 in [x] slot_bytes 18446744073709551615\n",
     "1:1 fifos/r: header and 4294967295 slots of 18446744073709551615 bytes need more "
     "than 2^64 [PRG-011]"},
    {"a header that wraps", "fifo r ram of f32[1] slots 1 in [x] header 4092 slot_bytes 4\n",
     "fifo r ram of f32[1] slots 1 in [x] header 18446744073709551615 slot_bytes 4\n",
     "1:1 fifos/r: header and 1 slots of 4 bytes need more than 2^64 [PRG-011]"},
    {"parts of one size",
     "fifo r ram of tt-bfp8b tiled(grid 1x2) slots 1 in [x, y] slot_bytes 1088 "
     "tile_alignment 32\n",
     "fifo r ram of tt-bfp8b tiled(grid 1x2) slots 1 in [x, t] slot_bytes 1088 "
     "tile_alignment 32\n",
     "1:1 fifos/r: part 't' has 65536 bytes, the first one 4096 [PRG-011]"},
    {"the second part is too small",
     "fifo r ram of tt-bfp8b tiled(grid 1x2) slots 3 in [x, y] slot_bytes 1088 "
     "tile_alignment 32\n",
     "fifo r ram of tt-bfp8b tiled(grid 1x2) slots 3 in [x, c] slot_bytes 1088 "
     "tile_alignment 32\n",
     "1:1 fifos/r: part 'c' has 64 bytes, header and 3 slots of 1088 need 3264 [PRG-011]"},
    {"one part for each field of the grid",
     "fifo r ram of tt-bfp8b tiled(grid 2x1) slots 1 in [x, y] slot_bytes 1088 "
     "tile_alignment 32\n",
     "fifo r ram of tt-bfp8b tiled(grid 2x1) slots 1 in [x] slot_bytes 1088 "
     "tile_alignment 32\n",
     "1:1 fifos/r: 1 parts, the grid of an entry has 2 [PRG-012]"},
    {"more parts than the grid has",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x] slot_bytes 1088 tile_alignment 64\n",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x, y] slot_bytes 1088 tile_alignment 64\n",
     "1:1 fifos/r: 2 parts, the grid of an entry has 1 [PRG-012]"},
    {"tiles are aligned",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x] slot_bytes 1088 tile_alignment 32\n",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x] slot_bytes 1088\n",
     "1:1 fifos/r: tile_alignment is 0, expected 32 or 64 [PRG-012]"},
    {"to 32 or 64 bytes",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x] slot_bytes 1088 tile_alignment 64\n",
     "fifo r ram of tt-bfp8b tiled() slots 1 in [x] slot_bytes 1088 tile_alignment 128\n",
     "1:1 fifos/r: tile_alignment is 128, expected 32 or 64 [PRG-012]"},
    {"a strided entry lies in its slot",
     "fifo r ram of f32[3] by [8] slots 1 in [x] slot_bytes 20\n",
     "fifo r ram of f32[3] by [8] slots 1 in [x] slot_bytes 19\n",
     "1:1 fifos/r: an entry covers bytes 0 to 20 of one part, a slot has 19 [PRG-012]"},
    {"a strided entry begins in its slot",
     "fifo r ram of f32[2] by [4] slots 1 in [x] slot_bytes 64\n",
     "fifo r ram of f32[2] by [-4] slots 1 in [x] slot_bytes 64\n",
     "1:1 fifos/r: an entry covers bytes -4 to 4 of one part, a slot has 64 [PRG-012]"},
    {"a strided entry lies in one part", "fifo r ram of f32[2] slots 1 in [x] slot_bytes 64\n",
     "fifo r ram of f32[2] slots 1 in [x, y] slot_bytes 64\n",
     "1:1 fifos/r: 2 parts, a strided entry lies in one [PRG-012]"},
    {"an entry of nothing", "fifo r ram of f32[0] slots 1 in [x] slot_bytes 1\n",
     "fifo r ram of f32[1] slots 1 in [x] slot_bytes 1\n",
     "1:1 fifos/r: an entry covers bytes 0 to 4 of one part, a slot has 1 [PRG-012]"},
    {"an entry whose end wraps", "fifo r ram of f32[2] by [4092] slots 1 in [x] slot_bytes 4096\n",
     "fifo r ram of f32[2] by [9223372036854775807] slots 1 in [x] slot_bytes 4096\n",
     "1:1 fifos/r: an entry covers bytes 0 to 9223372036854775807 of one part, a slot has "
     "4096 [PRG-012]"},
    {"the layout of an entry",
     "fifo r ram of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32\n",
     "fifo r ram of f32 tiled(t 0) slots 1 in [t] slot_bytes 4224 tile_alignment 32\n",
     "1:1 fifos/r: the tiling has a count of 0, tiles that do not exist, or more than "
     "2^40 elements [PRG-016]"},
    // Push tables.
    {"a tile for each tile of an entry",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [1, 32, 32] push_tiles [0, -1]\n",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [1, 32, 32] push_tiles [0]\n",
     "1:1 fifos/r: the table has 1 tiles; expected a tiled fifo that the host pushes, a "
     "push_shape of 3 dimensions, and 2 tiles [PRG-013]"},
    {"the caller's tiles",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [1, 33, 32] push_tiles [1, 0]\n",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [1, 32, 32] push_tiles [1, 0]\n",
     "1:1 fifos/r: item 0 is tile 1 of 1 [PRG-013]"},
    {"the caller's tiles across",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [2, 32, 33] push_tiles [3, 0]\n",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 "
     "host_push push_shape [2, 32, 33] push_tiles [4, 0]\n",
     "1:1 fifos/r: item 0 is tile 4 of 4 [PRG-013]"},
    {"half tiles count",
     "fifo r queue of f32 tiled(tile 16x32) slots 1 in [t] slot_bytes 4224 tile_alignment "
     "32 host_push push_shape [1, 32, 32] push_tiles [1]\n",
     "fifo r queue of f32 tiled(tile 16x32) slots 1 in [t] slot_bytes 4224 tile_alignment "
     "32 host_push push_shape [1, 32, 32] push_tiles [2]\n",
     "1:1 fifos/r: item 0 is tile 2 of 2 [PRG-013]"},
    {"the host pushes",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [1, 32, 32] push_tiles [0]\n",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "push_shape [1, 32, 32] push_tiles [0]\n",
     "1:1 fifos/r: the table has 1 tiles; expected a tiled fifo that the host pushes, a "
     "push_shape of 3 dimensions, and 1 tiles [PRG-013]"},
    {"an entry has tiles", "fifo r queue of f32[4] slots 1 in [x] slot_bytes 64 host_push\n",
     "fifo r queue of f32[4] slots 1 in [x] slot_bytes 64 host_push push_shape [1, 32, "
     "32] push_tiles [0]\n",
     "1:1 fifos/r: the table has 1 tiles; expected a tiled fifo that the host pushes, a "
     "push_shape of 3 dimensions, and 0 tiles [PRG-013]"},
    {"a shape of three dimensions",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [1, 1, 1] push_tiles [0]\n",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [32, 32] push_tiles [0]\n",
     "1:1 fifos/r: the table has 1 tiles; expected a tiled fifo that the host pushes, a "
     "push_shape of 3 dimensions, and 1 tiles [PRG-013]"},
    {"a shape of nothing",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [1, 1, 1] push_tiles [-1]\n",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [1, 0, 1] push_tiles [-1]\n",
     "1:1 fifos/r: the table has 1 tiles; expected a tiled fifo that the host pushes, a "
     "push_shape of 3 dimensions, and 1 tiles [PRG-013]"},
    {"a shape that cannot be counted",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [1, 9223372036854775776, 1] push_tiles [0]\n",
     "fifo r queue of f32 tiled() slots 1 in [t] slot_bytes 4224 tile_alignment 32 "
     "host_push push_shape [9223372036854775807, 9223372036854775776, 64] push_tiles [0]\n",
     "1:1 fifos/r: the tiles of push_shape cannot be counted [PRG-013]"},
    // Units and semaphores.
    {"a unit holds a call", "unit v depth 1\n", "unit v depth 0\n",
     "1:1 units/v: the depth is 0, expected 1 or more [PRG-014]"},
    {"a semaphore begins at 0 or more", "semaphore r initial 0\n", "semaphore r initial -1\n",
     "1:1 semaphores/r: initial is -1 and maximum 0 [PRG-015]"},
    {"a maximum is 0 or more", "semaphore r maximum 1\n", "semaphore r maximum -1\n",
     "1:1 semaphores/r: initial is 0 and maximum -1 [PRG-015]"},
    {"a semaphore begins at its maximum or below", "semaphore r initial 2 maximum 2\n",
     "semaphore r initial 3 maximum 2\n", "1:1 semaphores/r: initial is 3 and maximum 2 [PRG-015]"},
    {"without a maximum", "semaphore r initial 9223372036854775807\n",
     "semaphore r initial 9223372036854775807 maximum 1\n",
     "1:1 semaphores/r: initial is 9223372036854775807 and maximum 1 [PRG-015]"},
    // Entries.
    {"an entry starts a thread", "thread w {\n}\nentry e {\nstart w\n}\n", "entry e {\n}\n",
     "1:1 entries/e: the entry starts no thread [PRG-037]"},
    {"each thread once", "thread v {\n}\nthread w {\n}\nentry e {\nstart v\nstart w\n}\n",
     "thread v {\n}\nthread w {\n}\nentry e {\nstart v\nstart w\nstart v\n}\n",
     "5:1 entries/e: thread 'v' is started twice [PRG-037]"},
    {"once in each entry", "thread w {\n}\nentry e {\nstart w\n}\nentry g {\nstart w\n}\n",
     "thread w {\n}\nentry e {\nstart w\n}\nentry g {\nstart w\nstart w\n}\n",
     "6:1 entries/g: thread 'w' is started twice [PRG-037]"},
    {"a parameter for a thread that is started",
     "thread v {\n}\nthread w {\nregister k\n}\nentry e {\nstart w\n"
     "parameter p thread w register k\n}\n",
     "thread v {\n}\nthread w {\nregister k\n}\nentry e {\nstart v\n"
     "parameter p thread w register k\n}\n",
     "6:1 entries/e: parameter 'p' is for a thread that the entry does not start [PRG-037]"},
    {"by this entry, not by the one before",
     "thread v {\n}\nthread w {\nregister k\n}\nentry d {\nstart w\n}\n"
     "entry e {\nstart v\nstart w\nparameter p thread w register k\n}\n",
     "thread v {\n}\nthread w {\nregister k\n}\nentry d {\nstart w\n}\n"
     "entry e {\nstart v\nparameter p thread w register k\n}\n",
     "9:1 entries/e: parameter 'p' is for a thread that the entry does not start [PRG-037]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
