// Netlists as programs, the whole text of what comes of queues, graphs, executes and instructions
// (buda-netlist reference sections 2.1 to 2.8, buda-ops reference sections 4 to 6).
#include "lower/buda/job_testing.h"
#include "lower/program_text_testing.h"

#define P REF_P
#define R REF_R
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define SET REF_SET
#define RAM_SET REF_RAM_SET
#define QUEUES                                                                                     \
    "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000")
#define GRAPH "graphs:\n" REF_GRAPH("g", "1")
#define TWICE "graphs:\n" REF_GRAPH("g", "2")
#define NOP QUEUES GRAPH REF_NOP("x", "a")
#define RUN P EXECUTE("g", SET("a", "0", "0"))
#define STORE REF_STORE
#define FULL(name, type, input, grid, t, mblock, ublock, df, device, more)                         \
    "  " name ": {type: " type ", input: " input ", entries: 2, grid_size: [" grid "], t: " t      \
    ", mblock: [" mblock "], ublock: [" ublock "], df: " df ", target_device: " device more "}\n"
#define FULL_OP(name, type, inputs, formats, grid, t, mblock, ublock, more)                        \
    "    " name ": {type: " type ", grid_loc: [0, 0], grid_size: [" grid "], inputs: [" inputs     \
    "], in_df: [" formats "], acc_df: Float32, intermed_df: Float32, buf_size_mb: 2, "             \
    "math_fidelity: HiFi3, t: " t ", mblock: [" mblock "], ublock: [" ublock "]" more "}\n"
#define DRAM(list) ", loc: dram, dram: [" list "]"
#define HOST(list) ", loc: host, host: [" list "]"
#define OUT(df) ", out_df: " df ", ublock_order: r"
#define MEMORY "space |buffer |fifo "
#define CODE "function |thread |entry "

typedef struct buda_case {
    const char *name;
    const char *arch;
    const char *head;
    const char *programs;
    const char *heads;
    const char *text;
} buda_case;

// clang-format off
static const buda_case memory[] = {
    {"a part of each core, row by row", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "2, 2", "3", "1, 2", "2, 1", "Float16_b", "0", DRAM("[0, 0x10000000], [1, 0x10000000], [2, 0x10000000], [3, 0x10000000]"))
     FULL("o", "queue", "x", "2, 2", "3", "1, 2", "2, 1", "Float16_b", "0", DRAM("[0, 0x11000000], [0, 0x12000000], [0, 0x13000000], [0, 0x14000000]"))
     GRAPH FULL_OP("x", "nop", "a", "Float16_b", "2, 2", "3", "1, 2", "2, 1", OUT("Float16_b")), RUN, MEMORY "|unit ", "space chip0.dram0 capacity 1073741824\n"
     "space chip0.dram1 capacity 1073741824\n"
     "space chip0.dram2 capacity 1073741824\n"
     "space chip0.dram3 capacity 1073741824\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 49952 at 0x10000000 lifetime session contents zero\n"
     "buffer \"a[1]\" in chip0.dram1 size 49952 at 0x10000000 lifetime session contents zero\n"
     "buffer \"a[2]\" in chip0.dram2 size 49952 at 0x10000000 lifetime session contents zero\n"
     "buffer \"a[3]\" in chip0.dram3 size 49952 at 0x10000000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 49952 at 0x11000000 lifetime session contents zero\n"
     "buffer \"o[1]\" in chip0.dram0 size 49952 at 0x12000000 lifetime session contents zero\n"
     "buffer \"o[2]\" in chip0.dram0 size 49952 at 0x13000000 lifetime session contents zero\n"
     "buffer \"o[3]\" in chip0.dram0 size 49952 at 0x14000000 lifetime session contents zero\n"
     "fifo a queue of bf16 tiled(t 3 grid 2x2 mblock 1x2 ublock 2x1) slots 2 in [\"a[0]\", \"a[1]\", \"a[2]\", \"a[3]\"] header 32 slot_bytes 24960 tile_alignment 32 host_push\n"
     "fifo o queue of bf16 tiled(t 3 grid 2x2 mblock 1x2 ublock 2x1) slots 2 in [\"o[0]\", \"o[1]\", \"o[2]\", \"o[3]\"] header 32 slot_bytes 24960 tile_alignment 32 host_pop\n"
     "unit chip0 depth 32\n"},
    {"in memory of the host", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", HOST("[0, 0x100]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", HOST("[0, 0x10000]"))
     GRAPH REF_NOP("x", "a"), RUN, MEMORY, "space chip0.host0 capacity 1073741824\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.host0 size 8288 at 0x100 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.host0 size 8288 at 0x10000 lifetime session contents zero\n"
     "fifo a queue of f32 tiled() slots 2 in [\"a[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_push\n"
     "fifo o queue of f32 tiled() slots 2 in [\"o[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_pop\n"},
    {"blocks column by column where the op says so", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "2, 2", "1, 1", "Float32", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "2, 2", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "nop", "a", "Float32", "1, 1", "1", "2, 2", "1, 1", ", out_df: Float32, ublock_order: c"), RUN, MEMORY, "space chip0.dram0 capacity 1073741824\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 33056 at 0x10000000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 33056 at 0x11000000 lifetime session contents zero\n"
     "fifo a queue of f32 tiled(mblock 2x2) slots 2 in [\"a[0]\"] header 32 slot_bytes 16512 tile_alignment 32 host_push\n"
     "fifo o queue of f32 tiled(mblock 2x2 column_major) slots 2 in [\"o[0]\"] header 32 slot_bytes 16512 tile_alignment 32 host_pop\n"},
    {"rows of elements where the op untilizes", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]") ", layout: flat")
     GRAPH FULL_OP("x", "nop", "a", "Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Float32") ", untilize_output: true"), RUN, MEMORY, "space chip0.dram0 capacity 1073741824\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 8288 at 0x10000000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 8224 at 0x11000000 lifetime session contents zero\n"
     "fifo a queue of f32 tiled() slots 2 in [\"a[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_push\n"
     "fifo o queue of f32 tiled(flat) slots 2 in [\"o[0]\"] header 32 slot_bytes 4096 tile_alignment 32 host_pop\n"},
    {"block formats", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Bfp8_b", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Bfp4_b", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "nop", "a", "Bfp8_b", "1, 1", "1", "1, 1", "1, 1", OUT("Bfp4_b")), RUN, MEMORY, "space chip0.dram0 capacity 1073741824\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 2272 at 0x10000000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 1248 at 0x11000000 lifetime session contents zero\n"
     "buffer x/0 in chip0.l1 size 4096\n"
     "fifo a queue of tt-bfp8b tiled() slots 2 in [\"a[0]\"] header 32 slot_bytes 1120 tile_alignment 32 host_push\n"
     "fifo o queue of tt-bfp4b tiled() slots 2 in [\"o[0]\"] header 32 slot_bytes 608 tile_alignment 32 host_pop\n"},
    {"addresses of a Blackhole are aligned", "blackhole", NOP, RUN, MEMORY, "space chip0.dram0 capacity 4294967296 alignment 64\n"
     "space chip0.l1 alignment 64\n"
     "buffer \"a[0]\" in chip0.dram0 size 16704 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 16704 at 0x10200000 lifetime session contents zero\n"
     "fifo a queue of f32 tiled() slots 4 in [\"a[0]\"] header 64 slot_bytes 4160 tile_alignment 64 host_push\n"
     "fifo o queue of f32 tiled() slots 4 in [\"o[0]\"] header 64 slot_bytes 4160 tile_alignment 64 host_pop\n"},
    {"of other chips, at their channels", "wormhole_b0",
     "queues:\n" STORE("a", "queue", "HOST", "4", "1", "0x10100000", ", t: 1") STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH_ON("1", "g", "1") REF_NOP("x", "a"), RUN, MEMORY "|unit ", "space chip1.dram0 capacity 2147483648\n"
     "space chip1.l1\n"
     "buffer \"a[0]\" in chip1.dram0 size 16544 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip1.dram0 size 16544 at 0x10200000 lifetime session contents zero\n"
     "buffer x/0 in chip1.l1 size 4096\n"
     "fifo a queue of f32 tiled() slots 4 in [\"a[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_push\n"
     "fifo o queue of f32 tiled() slots 4 in [\"o[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_pop\n"
     "unit chip1 depth 32\n"},
    {"an alias of a part", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "4", "0x10200000")
     STORE("r", "ram", "HOST", "2", "0", "0x10200000", ", t: 1, alias: o") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", SET("a", "0", "0") ", " RAM_SET("o", "0", "1")), MEMORY, "space chip0.dram0 capacity 2147483648\n"
     "space chip0.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 16544 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 16544 at 0x10200000 lifetime session contents zero\n"
     "buffer \"r[0]\" in chip0.dram0 size 8288 at 0x10200000 window \"o[0]\" lifetime session contents zero\n"
     "buffer x/0 in chip0.l1 size 4096\n"
     "fifo a queue of f32 tiled() slots 4 in [\"a[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_push\n"
     "fifo o ram of f32 tiled() slots 4 in [\"o[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_pop\n"
     "fifo r ram of f32 tiled() slots 2 in [\"r[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_push\n"},
};

static const buda_case graphs[] = {
    {"ops in the order in which they need each other", "grayskull",
     QUEUES GRAPH REF_NOP("x", "y") REF_NOP("y", "z") REF_NOP("z", "a"), RUN, "function g", "function g {\n"
     "z: await a\n"
     "x: reserve o\n"
     "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"the reader of a queue that the graph feeds comes later", "grayskull",
     QUEUES REF_QUEUE("m", "z", "4", "0x10300000") GRAPH REF_NOP("x", "m") REF_NOP("z", "a"),
     P EXECUTE("g", SET("a", "0", "0") ", " SET("m", "0", "0")), "function g", "function g {\n"
     "z: await a\n"
     "z: reserve m\n"
     "z: move copy from [read(a) f32 tiled()] to write(m) f32 tiled()\n"
     "z: push m by 1\n"
     "x: await m\n"
     "x: move copy from [read(m) f32 tiled()] to x/0 f32 tiled()\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "m: advance m by 1\n"
     "}\n"},
    {"unless the queue is part of a circle", "grayskull",
     QUEUES REF_RAM("m", "z", "2", "0x10300000") GRAPH REF_OP("x", "add", "a, m", "Float32, Float32", ", t: 1") REF_NOP("z", "x"),
     P EXECUTE("g", SET("a", "0", "0") ", " RAM_SET("m", "0", "1")), "function g", "function g {\n"
     "x: await a\n"
     "x: move copy from [read(m) f32 tiled()] to x/0 f32 tiled()\n"
     "x: compute golden.add from [read(a) f32 tiled(), x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "z: move copy from [x/1 f32 tiled()] to write(m) f32 tiled()\n"
     "z: push m by 0\n"
     "a: advance a by 1\n"
     "}\n"},
    {"a result goes to all queues that it feeds", "grayskull",
     QUEUES REF_QUEUE("n", "x", "4", "0x10300000") REF_RAM("m", "x", "4", "0x10400000") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", SET("a", "0", "0") ", " RAM_SET("m", "0", "0")), "function |thread ", "function g {\n"
     "x: await a\n"
     "x: reserve o\n"
     "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "x: reserve n\n"
     "x: move copy from [read(a) f32 tiled()] to write(n) f32 tiled()\n"
     "x: push n by 1\n"
     "x: move copy from [read(a) f32 tiled()] to write(m) f32 tiled()\n"
     "x: push m by 0\n"
     "a: advance a by 1\n"
     "}\n"
     "function p/0/0 {\n"
     "execute: set_pointer a begin = 0\n"
     "execute: set_pointer a local = 0\n"
     "execute: set_pointer m begin = 0\n"
     "execute: set_pointer m write = 0\n"
     "g: call g\n"
     "execute: set_pointer a local = 0\n"
     "}\n"
     "thread p {\n"
     "execute: post chip0 p/0/0\n"
     "}\n"},
    {"two graphs of an epoch that read a queue, and one that does not", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000") STORE("q", "queue", "y", "4", "1", "0x10200000", ", t: 1")
     REF_QUEUE("b", "HOST", "4", "0x10400000") STORE("s", "queue", "z", "4", "2", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH_ON("1", "h", "1") REF_NOP("y", "a") REF_GRAPH("g", "1") REF_NOP("x", "a") REF_GRAPH_ON("2", "k", "1") REF_NOP("z", "b"),
     P EXECUTE("h", SET("a", "0", "0")) EXECUTE("g", SET("a", "0", "0")) EXECUTE("k", SET("b", "0", "0")), CODE "|unit ", "unit chip0 depth 32\n"
     "unit chip1 depth 32\n"
     "unit chip2 depth 32\n"
     "function h {\n"
     "a: await a\n"
     "a: reserve \"a to g\"\n"
     "a: move copy from [read(a) f32 tiled()] to write(\"a to g\") f32 tiled()\n"
     "a: push \"a to g\" by 1\n"
     "y: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [y/0 f32 tiled()]\n"
     "y: reserve q\n"
     "y: move copy from [y/0 f32 tiled()] to write(q) f32 tiled()\n"
     "y: push q by 1\n"
     "a: advance a by 1\n"
     "}\n"
     "function g {\n"
     "x: await \"a to g\"\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(\"a to g\") f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance \"a to g\" by 1\n"
     "a: pop \"a to g\" by 1\n"
     "}\n"
     "function k {\n"
     "z: await b\n"
     "z: compute golden.quantize(dtype tf32, height 32, width 32) from [read(b) f32 tiled()] to [z/0 f32 tiled()]\n"
     "z: reserve s\n"
     "z: move copy from [z/0 f32 tiled()] to write(s) f32 tiled()\n"
     "z: push s by 1\n"
     "b: advance b by 1\n"
     "}\n"
     "function p/2/0 {\n"
     "execute: set_pointer a begin = 0\n"
     "execute: set_pointer a local = 0\n"
     "k: call h\n"
     "}\n"
     "function p/2/1 {\n"
     "k: call g\n"
     "}\n"
     "function p/2/2 {\n"
     "execute: set_pointer b begin = 0\n"
     "execute: set_pointer b local = 0\n"
     "k: call k\n"
     "execute: set_pointer b local = 0\n"
     "}\n"
     "thread p {\n"
     "execute: post chip1 p/2/0\n"
     "execute: post chip0 p/2/1\n"
     "execute: post chip2 p/2/2\n"
     "}\n"
     "entry p {\n"
     "start p\n"
     "}\n"},
    {"one of them writes what the other one reads", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000") STORE("q", "queue", "y", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH_ON("1", "h", "1") REF_NOP("y", "a") REF_GRAPH("g", "1") REF_NOP("x", "q"),
     P EXECUTE("h", SET("a", "0", "0")) EXECUTE("g", SET("q", "0", "0")), "thread p {|execute: post", "thread p {\n"
     "execute: post chip0 p/1/0\n"
     "}\n"},
    {"three that exchange results run side by side", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") STORE("o", "queue", "z", "4", "2", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH_ON("1", "g", "1") REF_NOP("x", "a") REF_GRAPH_ON("0", "h", "1") REF_NOP("y", "x") REF_GRAPH_ON("2", "k", "1") REF_NOP("z", "y"),
     P EXECUTE("g", SET("a", "0", "0")) LINE("execute: {graph_name: h}") LINE("execute: {graph_name: k}"), CODE "|unit |buffer |space ", "space chip0.dram0 capacity 2147483648\n"
     "space chip2.dram0 capacity 2147483648\n"
     "space chip0.l1\n"
     "space chip1.l1\n"
     "space chip2.l1\n"
     "buffer \"a[0]\" in chip0.dram0 size 16544 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip2.dram0 size 16544 at 0x10200000 lifetime session contents zero\n"
     "buffer \"x to chip0\" in chip0.l1 size 8192 lifetime session contents zero\n"
     "buffer \"y to chip2\" in chip2.l1 size 8192 lifetime session contents zero\n"
     "buffer x/0 in chip1.l1 size 4096\n"
     "unit chip0 depth 32\n"
     "unit chip1 depth 32\n"
     "unit chip2 depth 32\n"
     "function g {\n"
     "x: await a\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve \"x to chip0\"\n"
     "x: move copy from [x/0 f32 tiled()] to write(\"x to chip0\") f32 tiled()\n"
     "x: push \"x to chip0\" by 1\n"
     "a: advance a by 1\n"
     "}\n"
     "function h {\n"
     "y: await \"x to chip0\"\n"
     "y: reserve \"y to chip2\"\n"
     "y: move copy from [read(\"x to chip0\") f32 tiled()] to write(\"y to chip2\") f32 tiled()\n"
     "y: push \"y to chip2\" by 1\n"
     "x: advance \"x to chip0\" by 1\n"
     "x: pop \"x to chip0\" by 1\n"
     "}\n"
     "function k {\n"
     "z: await \"y to chip2\"\n"
     "z: reserve o\n"
     "z: move copy from [read(\"y to chip2\") f32 tiled()] to write(o) f32 tiled()\n"
     "z: push o by 1\n"
     "y: advance \"y to chip2\" by 1\n"
     "y: pop \"y to chip2\" by 1\n"
     "}\n"
     "function p/2/0 {\n"
     "execute: set_pointer a begin = 0\n"
     "execute: set_pointer a local = 0\n"
     "k: call g\n"
     "}\n"
     "function p/2/1 {\n"
     "k: call h\n"
     "}\n"
     "function p/2/2 {\n"
     "k: call k\n"
     "}\n"
     "thread p {\n"
     "execute: post chip1 p/2/0\n"
     "execute: post chip0 p/2/1\n"
     "execute: post chip2 p/2/2\n"
     "}\n"
     "entry p {\n"
     "start p\n"
     "}\n"},
    {"read and then written: what is read is copied first", "grayskull",
     "queues:\n" REF_RAM("m", "x", "4", "0x10100000") GRAPH REF_NOP("x", "m"),
     P EXECUTE("g", RAM_SET("m", "0", "0")), "function g", "function g {\n"
     "x: move copy from [read(m) f32 tiled()] to x/0 f32 tiled()\n"
     "x: move copy from [x/0 f32 tiled()] to write(m) f32 tiled()\n"
     "x: push m by 0\n"
     "}\n"},
    {"a gradient is fresh where the queue is zeroed", "grayskull",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "1", "0x10200000") TWICE REF_OP("x", "nop", "a", "Float32", ", t: 1, gradient_op: true"),
     P LINE("var: {$z: 1}") EXECUTE("g", SET("a", "0", "0") ", o: {prologue: true, epilogue: true, zero: $z, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "buffer |function |thread ", "buffer \"a[0]\" in chip0.dram0 size 16544 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 4160 at 0x10200000 lifetime session contents zero\n"
     "buffer x/sum0 in chip0.l1 size 4096 lifetime session contents pattern data 00000080\n"
     "buffer x/1 in chip0.l1 size 4096\n"
     "function g {\n"
     "parameter o.fresh\n"
     "x: await a\n"
     "x: branch o.fresh != 0 to 4\n"
     "x: compute golden.add from [x/sum0 f32 tiled(), read(a) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: branch 0 == 0 to 5\n"
     "x: move copy from [read(a) f32 tiled()] to x/1 f32 tiled()\n"
     "x: move copy from [x/1 f32 tiled()] to x/sum0 f32 tiled()\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 0\n"
     "a: advance a by 1\n"
     "}\n"
     "function p/1/0 {\n"
     "parameter p0\n"
     "register t0\n"
     "execute: set_pointer a begin = 0\n"
     "execute: set_pointer a local = 0\n"
     "execute: set_pointer o begin = 0\n"
     "execute: set_pointer o write = 0\n"
     "g: branch p0 == 0 to 6\n"
     "execute: zero o\n"
     "g: alu t0 = set p0\n"
     "g: loop 2\n"
     "g: call g with [t0]\n"
     "g: alu t0 = set 0\n"
     "g: end\n"
     "execute: set_pointer a local = 0\n"
     "}\n"
     "thread p {\n"
     "register $z lifetime run initial 1\n"
     "execute: post chip0 p/1/0 with [$z]\n"
     "}\n"},
    {"and where it always is", "grayskull",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "1", "0x10200000") GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 1, gradient_op: true"),
     P EXECUTE("g", SET("a", "0", "0") ", o: {prologue: true, epilogue: true, zero: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "function |thread ", "function g {\n"
     "parameter o.fresh\n"
     "x: await a\n"
     "x: branch o.fresh != 0 to 4\n"
     "x: compute golden.add from [x/sum0 f32 tiled(), read(a) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: branch 0 == 0 to 5\n"
     "x: move copy from [read(a) f32 tiled()] to x/1 f32 tiled()\n"
     "x: move copy from [x/1 f32 tiled()] to x/sum0 f32 tiled()\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 0\n"
     "a: advance a by 1\n"
     "}\n"
     "function p/0/0 {\n"
     "register t0\n"
     "execute: set_pointer a begin = 0\n"
     "execute: set_pointer a local = 0\n"
     "execute: set_pointer o begin = 0\n"
     "execute: set_pointer o write = 0\n"
     "execute: zero o\n"
     "g: alu t0 = set 1\n"
     "g: call g with [t0]\n"
     "g: alu t0 = set 0\n"
     "execute: set_pointer a local = 0\n"
     "}\n"
     "thread p {\n"
     "execute: post chip0 p/0/0\n"
     "}\n"},
};

static const buda_case labels[] = {
    {"a Wormhole reads Float32 as TF32 and keeps it", "wormhole_b0", NOP, RUN, "function g", "function g {\n"
     "x: await a\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"small blocks are rounded where they are read", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Bfp4_b", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "nop", "a", "Bfp4_b", "1, 1", "1", "1, 1", "1, 1", OUT("Float32")), RUN, "function g", "function g {\n"
     "x: await a\n"
     "x: compute golden.quantize(dtype tt-bfp4b, height 32, width 32) from [read(a) tt-bfp4b tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"and where they are written", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float16", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Bfp2", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "nop", "a", "Float16", "1, 1", "1", "1, 1", "1, 1", OUT("Bfp2")), RUN, "function g", "function g {\n"
     "x: await a\n"
     "x: compute golden.quantize(dtype tt-bfp2a, height 32, width 32) from [read(a) tt-f16 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) tt-bfp2a tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"a label follows first inputs, through queues", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Bfp4_b", "0", DRAM("[0, 0x10000000]")) FULL("b", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x10800000]"))
     FULL("m", "queue", "y", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x12000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("y", "add", "a, b", "Bfp4_b, Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Float32")) FULL_OP("x", "add", "m, b", "Float32, Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Float32")),
     P EXECUTE("g", SET("a", "0", "0") ", " SET("b", "0", "0") ", " SET("m", "0", "0")), "function g", "function g {\n"
     "y: await a\n"
     "y: compute golden.quantize(dtype tt-bfp4b, height 32, width 32) from [read(a) tt-bfp4b tiled()] to [y/0 f32 tiled()]\n"
     "y: await b\n"
     "y: compute golden.add from [y/0 f32 tiled(), read(b) f32 tiled()] to [y/1 f32 tiled()]\n"
     "y: reserve m\n"
     "y: move copy from [y/1 f32 tiled()] to write(m) f32 tiled()\n"
     "y: push m by 1\n"
     "x: await m\n"
     "x: move copy from [read(m) f32 tiled()] to x/0 f32 tiled()\n"
     "x: compute golden.quantize(dtype tt-bfp4b, height 32, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.add from [x/1 f32 tiled(), read(b) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "m: advance m by 1\n"
     "}\n"},
    {"not through the second ones", "grayskull",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Bfp2_b", "0", DRAM("[0, 0x10000000]")) FULL("b", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x10800000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("y", "add", "b, a", "Float32, Bfp2_b", "1, 1", "1", "1, 1", "1, 1", OUT("Float32")) FULL_OP("x", "nop", "y", "Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Float32")),
     P EXECUTE("g", SET("a", "0", "0") ", " SET("b", "0", "0")), "function g", "function g {\n"
     "y: await b\n"
     "y: await a\n"
     "y: compute golden.quantize(dtype tt-bfp2b, height 32, width 32) from [read(a) tt-bfp2b tiled()] to [y/0 f32 tiled()]\n"
     "y: compute golden.add from [read(b) f32 tiled(), y/0 f32 tiled()] to [y/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [y/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"},
    {"integers", "wormhole_b0",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Int8", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Int32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "add", "a, a", "Int8, Int8", "1, 1", "1", "1, 1", "1, 1", OUT("Int32")), RUN, "function g", "function g {\n"
     "x: await a\n"
     "x: compute golden.add from [read(a) tt-i8 tiled(), read(a) tt-i8 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i32, height 32, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) tt-i32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"what is quantized is Int8, whatever the op says", "wormhole_b0",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x10000000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Int32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "quantization", "a, a", "Float32, Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Int32") ", attributes: {zero_point: 3.0}"), RUN, "function g", "function g {\n"
     "x: await a\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/0 f32 tiled(), x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 3) from [x/2 f32 tiled()] to [x/3 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i8, height 32, width 32) from [x/3 f32 tiled()] to [x/4 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/4 f32 tiled()] to write(o) tt-i32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"},
    {"what is dequantized is not", "wormhole_b0",
     "queues:\n" FULL("a", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Int32", "0", DRAM("[0, 0x10000000]")) FULL("b", "queue", "HOST", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x10800000]"))
     FULL("o", "queue", "x", "1, 1", "1", "1, 1", "1, 1", "Float32", "0", DRAM("[0, 0x11000000]"))
     GRAPH FULL_OP("x", "dequantization", "a, b", "Int32, Float32", "1, 1", "1", "1, 1", "1, 1", OUT("Float32") ", attributes: {zero_point: 3.0}"),
     P EXECUTE("g", SET("a", "0", "0") ", " SET("b", "0", "0")), "function g", "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.quantize(dtype tf32, height 32, width 32) from [read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -3) from [read(a) tt-i32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), x/0 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"},
};

#define OPS(out_t, out_block, ops) "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("b", "HOST", "4", "0x10200000") REF_QUEUE("c", "HOST", "4", "0x10300000") \
    FULL("o", "queue", "x", "1, 1", out_t, out_block, "1, 1", "Float32", "0", DRAM("[0, 0x11000000]")) GRAPH ops
#define ONE_OP(type, inputs, formats, more) OPS("1", "1, 1", REF_OP("x", type, inputs, formats, ", t: 1" more))
#define F1 "Float32"
#define F2 F1 ", " F1
#define F3 F2 ", " F1
#define ALL3 P EXECUTE("g", SET("a", "0", "0") ", " SET("b", "0", "0") ", " SET("c", "0", "0"))
#define OP_ROW(name, net, expected) {name, "grayskull", net, ALL3, "function g", expected}
#define SUB(name, type, inputs, more, output) "{" name ": {type: " type ", inputs: [" inputs "]" more ", mblock: [1, 1], ublock: [1, 1], output: " output "}}"
#define FUSED(inputs, count, schedule) ONE_OP("fused_op", inputs, F3, ", attributes: {fused_op_id: 0}") "fused_ops:\n  0:\n    inputs: " count "\n    intermediates: 2\n    schedules:\n      - [" schedule "]\n"

static const buda_case ops[] = {
    OP_ROW("subtract", ONE_OP("subtract", "a, b", F2, ""), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.subtract from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("maximum", ONE_OP("maximum", "b, a", F2, ""), "function g {\n"
     "x: await b\n"
     "x: await a\n"
     "x: compute golden.maximum from [read(b) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("a unary function of all of a tile", ONE_OP("sqrt", "a", F1, ""), "function g {\n"
     "x: await a\n"
     "x: compute golden.sqrt(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("of its first row", ONE_OP("sigmoid", "a", F1, ", attributes: {vector: r}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.sigmoid(vector 1) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("of its first column", ONE_OP("tanh", "a", F1, ", attributes: {vector: c}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.tanh(vector 2) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("a power", ONE_OP("power", "a", F1, ", attributes: {exp: 3}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.power(vector 0, exponent 3) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("lrelu has a slope", ONE_OP("lrelu", "a", F1, ", attributes: {slope: 0.25}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.lrelu(vector 0, slope 0.25) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("or 0.01", ONE_OP("lrelu", "a", F1, ""), "function g {\n"
     "x: await a\n"
     "x: compute golden.lrelu(vector 0, slope 0.01) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("dropout", ONE_OP("dropout", "a", F1, ", attributes: {p: 0.5, seed: 1}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.dropout(vector 0, p 0.5) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("a reduction of rows", ONE_OP("reduce", "a", F1, ", attributes: {dim: r, type: max, m_k: 1, u_kt: 1}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.reduce(dim 0, group 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("of columns", ONE_OP("reduce", "a", F1, ", attributes: {dim: c, type: max, m_k: 1, u_kt: 1}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.reduce(dim 1, group 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("of slices", ONE_OP("reduce", "a", F1, ", attributes: {dim: z, z: 1, type: max, m_k: 1, u_kt: 1}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.reduce(dim 3, group 1) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("relu of the least", ONE_OP("nop", "a", F1, ", attributes: {relu_en: true, relu_mode: min, relu_threshold: 0.25}"), "function g {\n"
     "x: await a\n"
     "x: compute golden.relu_min(threshold 0.25) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("relu that is off", ONE_OP("nop", "a", F1, ", attributes: {relu_en: false, relu_mode: max, relu_threshold: 0.25}"), "function g {\n"
     "x: await a\n"
     "x: reserve o\n"
     "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("a matmul", ONE_OP("matmul", "a, b", F2, ", attributes: {m_k: 1, u_kt: 1}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("a matmul with bias", ONE_OP("matmul", "a, b, c", F3, ", attributes: {m_k: 1, u_kt: 1, bias: true}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("that accumulates", ONE_OP("matmul", "a, b", F2, ", attributes: {m_k: 1, u_kt: 1, accumulate: true, z: 1}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.sum_z(group 1) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("that requantizes", ONE_OP("matmul", "a, b, c", F3, ", attributes: {m_k: 1, u_kt: 1, requant: true, zero_point: 2.0}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.multiply from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 2) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("a depthwise product", ONE_OP("depthwise", "a, b", F2, ", attributes: {m_k: 1, u_kt: 1}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.depthwise(m_k 1) from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("with bias", ONE_OP("depthwise", "a, b, c", F3, ", attributes: {m_k: 1, u_kt: 1, bias: true}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.depthwise(m_k 1) from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("small tiles are zeroed outside", OPS("1", "1, 1", REF_OP("x", "exp", "a", F1, ", t: 1, tile_dim: [16, 32], attributes: {vector: r}")), "function g {\n"
     "x: await a\n"
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 16, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("topk", ONE_OP("topk", "a, b", F2, ", attributes: {k: 32, sort: max}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.topk(k 32, argmax 0, kreduce 0, grid_cols 1) from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("argmax", ONE_OP("topk", "a, b", F2, ", attributes: {k: 32, sort: argmax}"), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: compute golden.topk(k 32, argmax 1, kreduce 0, grid_cols 1) from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "}\n"),
    OP_ROW("a copy by ethernet", ONE_OP("ethernet_datacopy", "a", F1, ""), "function g {\n"
     "x: await a\n"
     "x: reserve o\n"
     "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "}\n"),
    OP_ROW("a fused dequantization, its tensor in the register", FUSED("a, b, c", "3", SUB("m", "multiply", "input0, input1", "", "dest") ", " SUB("d", "dequantization", "input2, dest", ", zero_point: 2.0", "output")), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -2) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(c) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("its tensor first", FUSED("a, b, c", "3", SUB("d", "dequantization", "input0, input2", ", zero_point: 2.0", "output")), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.add_scalar(value -2) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.multiply from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("a fused broadcast of a column", FUSED("a, b, c", "3", SUB("m", "add", "input0, input1", ", input_1_tms: [tile_broadcast: c]", "dest") ", " SUB("s", "subtract", "dest, input2", "", "output")), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.broadcast_tile(axis 1) from [read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add from [read(a) f32 tiled(), x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.subtract from [x/1 f32 tiled(), read(c) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
    OP_ROW("intermediates are kept apart", FUSED("a, b, c", "3", SUB("m", "add", "input0, input1", "", "intermed0") ", " SUB("n", "multiply", "input0, input2", "", "intermed1") ", " SUB("s", "subtract", "intermed1, intermed0", "", "output")), "function g {\n"
     "x: await a\n"
     "x: await b\n"
     "x: await c\n"
     "x: compute golden.add from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.multiply from [read(a) f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.subtract from [x/1 f32 tiled(), x/0 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: reserve o\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 1\n"
     "a: advance a by 1\n"
     "b: advance b by 1\n"
     "c: advance c by 1\n"
     "}\n"),
};
// clang-format on

static void expect(hoist_test *t, const buda_case *row)
{
    hoist_program *program =
        lower_test_lower(t, lower_test_netlist(t, row->arch, row->head, row->programs));
    lower_test_expect_piece(t, program, row->heads, row->text);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(queues_are_fifos_over_buffers, memory)
{
    expect(t, row);
}

HOIST_TEST_TABLE(graphs_that_share_are_one_function, graphs)
{
    expect(t, row);
}

HOIST_TEST_TABLE(inputs_are_rounded_as_their_labels_say, labels)
{
    expect(t, row);
}

HOIST_TEST_TABLE(each_kind_of_op_is_its_steps, ops)
{
    expect(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queues_are_fifos_over_buffers),
                HOIST_TEST_ROW(graphs_that_share_are_one_function),
                HOIST_TEST_ROW(inputs_are_rounded_as_their_labels_say),
                HOIST_TEST_ROW(each_kind_of_op_is_its_steps))
