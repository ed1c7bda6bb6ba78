// What netlists become, as the text of their programs.
#include <string.h>

#include "lower/buda/job_testing.h"
#include "program/rules.h"
#include "program/text.h"

#define P REF_P
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define QUEUES                                                                                     \
    "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000")
#define GRAPH "graphs:\n" REF_GRAPH("g", "1")
#define SET_A REF_SET("a", "0", "0")
#define RUN P EXECUTE("g", SET_A)
#define TILED "f32 tiled()"
#define ROUND(from, to)                                                                            \
    "x: compute golden.quantize(dtype tf32, height 32, width 32) from [" from " " TILED            \
    "] to [" to " " TILED "]\n"
#define STORE(from, to) "x: move copy from [" from " " TILED "] to write(" to ") " TILED "\n"
#define PUSH "x: reserve o\n" STORE("x/0", "o") "x: push o by 1\n"

// A queue whose entries are made of what the caller pushes by input_tms, read into one of its
// shape.
#define SHAPED(t, mblock) "grid_size: [1, 1], t: " t ", mblock: [" mblock "], ublock: [1, 1]"
#define PUSHED(t, mblock, tms)                                                                     \
    "queues:\n  a: {type: queue, input: HOST, entries: 4, " SHAPED(                                \
        t, mblock) ", df: Float32, target_device: 0, loc: dram, dram: [[0, 0x10100000]], "         \
                   "input_tms: [" tms "]}\n  o: {type: queue, input: x, entries: 4, " SHAPED(      \
                       t, mblock) ", df: Float32, target_device: 0, loc: dram, dram: [[0, "        \
                                  "0x10200000]]}\n" GRAPH                                          \
                                  "    x: {type: nop, grid_loc: [0, 0], inputs: [a], in_df: "      \
                                  "[Float32], acc_df: Float32, "                                   \
                                  "out_df: Float32, intermed_df: Float32, ublock_order: r, "       \
                                  "buf_size_mb: 2, "                                               \
                                  "math_fidelity: HiFi3, " SHAPED(t, mblock) "}\n",                \
        RUN

typedef struct lower_row {
    const char *name;
    const char *arch;
    const char *head;
    const char *programs;
    const char *wanted; // lines of the program
} lower_row;

// clang-format off
static const lower_row memory[] = {
    {"a buffer per grid part, at its address", "wormhole_b0", QUEUES GRAPH REF_NOP("x", "a"), RUN,
     "buffer \"a[0]\" in chip0.dram0 size 16544 at 0x10100000 lifetime session contents zero\n"
     "buffer \"o[0]\" in chip0.dram0 size 16544 at 0x10200000 lifetime session contents zero\n"},
    {"a blackhole has longer headers", "blackhole", QUEUES GRAPH REF_NOP("x", "a"), RUN,
     "fifo a queue of f32 tiled() slots 4 in [\"a[0]\"] header 64 slot_bytes 4160 tile_alignment 64 host_push\n"},
    {"a ram that an op feeds can be looked at", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "2", "0x10200000") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", SET_A ", " REF_RAM_SET("o", "0", "1")),
     "fifo o ram of f32 tiled() slots 2 in [\"o[0]\"] header 32 slot_bytes 4128 tile_alignment 32 host_pop\n"},
    {"an alias is a window", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "4", "0x10200000")
     REF_STORE("r", "ram", "HOST", "1", "0", "0x10200000", ", t: 4, alias: o") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", SET_A ", " REF_RAM_SET("o", "0", "1")),
     "window \"o[0]\""},
    {"the caller pushes what input_tms slice into columns", "grayskull", PUSHED("4", "1, 1", "hslice: 4"), "push_shape [1, 32, 128] push_tiles [0..3]\n"},
    {"what they slice into rows", "grayskull", PUSHED("4", "1, 1", "vslice: 4"), "push_shape [1, 128, 32] push_tiles [0..3]\n"},
    {"what they stack in columns", "grayskull", PUSHED("1", "1, 4", "hstack: 4"), "push_shape [4, 32, 32] push_tiles [0..3]\n"},
    {"what they stack in rows", "grayskull", PUSHED("1", "4, 1", "vstack: 4"), "push_shape [4, 32, 32] push_tiles [0..3]\n"},
    {"one tile of those that they broadcast", "grayskull", PUSHED("1", "1, 4", "broadcast: {c: 4}"), "push_shape [1, 32, 32] push_tiles [0x4]\n"},
    {"two rows of those that they broadcast", "grayskull", PUSHED("1", "4, 1", "broadcast: {r: 2}"), "push_shape [1, 64, 32] push_tiles [0, 1, 0, 1]\n"},
    {"two of t that they broadcast", "grayskull", PUSHED("4", "1, 1", "broadcast: {z: 2}"), "push_shape [2, 32, 32] push_tiles [0, 1, 0, 1]\n"},
    {"what is in front of a chain", "grayskull", PUSHED("2", "1, 2", "broadcast: {c: 4}, hslice: 2"), "push_shape [1, 32, 32] push_tiles [0x4]\n"},
};

static const lower_row ops[] = {
    {"a grayskull rounds no Float32", "grayskull", QUEUES GRAPH REF_NOP("x", "a"), RUN,
     "function g {\nx: await a\nx: reserve o\n" STORE("read(a)", "o") "x: push o by 1\na: advance a by 1\n}\n"},
    {"a Wormhole rounds it where it is read", "wormhole_b0", QUEUES GRAPH REF_NOP("x", "a"), RUN,
     "function g {\nx: await a\n" ROUND("read(a)", "x/0") PUSH "a: advance a by 1\n}\n"},
    {"and never again: labels are those of the first input", "wormhole_b0",
     QUEUES GRAPH REF_NOP("w", "a") REF_NOP("x", "w"), RUN,
     "function g {\nw: await a\n"
     "w: compute golden.quantize(dtype tf32, height 32, width 32) from [read(a) f32 tiled()] to [w/0 f32 tiled()]\n"
     "x: reserve o\n" STORE("w/0", "o") "x: push o by 1\na: advance a by 1\n}\n"},
    {"a queue that is read twice is awaited once", "grayskull",
     QUEUES GRAPH REF_OP("x", "add", "a, a", "Float32, Float32", ", t: 1"), RUN,
     "function g {\nx: await a\nx: compute golden.add from [read(a) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"},
    {"a chain of TMs is one table", "grayskull",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000")
     REF_STORE("o", "queue", "x", "4", "0", "0x10200000", ", t: 4")
     GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 4, input_0_tms: [broadcast: {c: 4}, hslice: 4]"), RUN,
     "table [0x4]"},
    {"TMs that change nothing are no move", "grayskull",
     QUEUES GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [broadcast: {c: 1}, hslice: 1]"), RUN,
     "x: await a\nx: reserve o\n"},
    {"a transpose turns the tiles, too", "grayskull",
     QUEUES GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [transpose]"), RUN,
     "x: compute golden.transpose_tile from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"},
    {"two transposes are none", "grayskull",
     QUEUES GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [transpose, transpose]"), RUN,
     "x: await a\nx: reserve o\n"},
    {"bias and gelu follow a matmul", "grayskull",
     QUEUES GRAPH REF_OP("x", "matmul", "a, a, a", "Float32, Float32, Float32",
     ", t: 1, attributes: {m_k: 1, u_kt: 1, bias: true, sfpu_op: gelu}"), RUN,
     "x: compute golden.matmul from [read(a) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(a) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.gelu(vector 0) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"},
    {"the last scale of a dequantizing matmul", "grayskull",
     QUEUES GRAPH REF_OP("x", "matmul", "a, a, a", "Float32, Float32, Float32",
     ", t: 1, attributes: {m_k: 1, u_kt: 1, dequant: true, zero_point: 2.0}"), RUN,
     "x: compute golden.add_scalar(value -2) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(a) f32 tiled()] to [x/2 f32 tiled()]\n"},
    {"relu comes last", "grayskull",
     QUEUES GRAPH REF_OP("x", "exp", "a", "Float32", ", t: 1, attributes: {vector: r, relu_en: true, relu_mode: max, relu_threshold: 0.5}"), RUN,
     "x: compute golden.exp(vector 1) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_max(threshold 0.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"},
    {"a splice is one move", "grayskull",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000")
     REF_STORE("o", "queue", "x", "4", "0", "0x10200000", ", t: 2")
     GRAPH REF_OP("x", "splice", "a, a", "Float32, Float32", ", t: 2, attributes: {granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]}"), RUN,
     "x: move copy from [read(a) f32 tiled(), read(a) f32 tiled()] to x/0 f32 tiled(t 2) table [0, 1]\n"},
    {"sub-ops of a fused op stand one after another", "grayskull",
     QUEUES GRAPH REF_OP("x", "fused_op", "a, a", "Float32, Float32", ", t: 1, attributes: {fused_op_id: 0}")
     "fused_ops:\n  0:\n    inputs: 2\n    intermediates: 1\n    schedules:\n"
     "      - - m: {type: multiply, inputs: [input0, input1], mblock: [1, 1], ublock: [1, 1], output: dest}\n"
     "        - e: {type: exp, inputs: [dest], mblock: [1, 1], ublock: [1, 1], output: intermed0}\n"
     "        - s: {type: subtract, inputs: [intermed0, input1], input_1_tms: [tile_broadcast: r], pop: [intermed0], mblock: [1, 1], ublock: [1, 1], output: output}\n",
     RUN,
     "x: compute golden.multiply from [read(a) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.exp(vector 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.broadcast_tile(axis 0) from [read(a) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.subtract from [x/1 f32 tiled(), x/2 f32 tiled()] to [x/3 f32 tiled()]\n"},
    {"a gradient op keeps its sum", "grayskull",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "1", "0x10200000")
     GRAPH REF_OP("x", "nop", "a", "Float32", ", t: 1, gradient_op: true"),
     P EXECUTE("g", SET_A ", o: {prologue: true, epilogue: true, zero: false, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "x: compute golden.add from [x/sum0 f32 tiled(), read(a) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to x/sum0 f32 tiled()\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"
     "x: push o by 0\n"},
};

static const lower_row programs[] = {
    {"a setting is two pointers, and the local one goes back", "grayskull", QUEUES GRAPH REF_NOP("x", "a"), RUN,
     "function p/0/0 {\nexecute: set_pointer a begin = 0\nexecute: set_pointer a local = 0\ng: call g\n"
     "execute: set_pointer a local = 0\n}\n"},
    {"input_count is a loop", "grayskull", QUEUES "graphs:\n" REF_GRAPH("g", "2") REF_NOP("x", "a"),
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: 1}"),
     "g: loop 2\ng: call g\nexecute: pop a by 1\ng: end\n"},
    {"what is read once does not step", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", "a: {prologue: true, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "x: push o by 1\n}\n"},
    {"steps that differ are a parameter", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", "a: {prologue: true, rd_ptr_local: 0, rd_ptr_global: 0}") EXECUTE("g", SET_A),
     "function g {\nparameter a.step\n"},
    {"a flag that is a variable", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$f: 1}") EXECUTE("g", "a: {prologue: $f, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "g: alu t0 = eq p0 0\ng: alu t1 = mul t0 1\ng: call g with [t1]\n"},
    {"a zero that is a variable", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$f: 1}") EXECUTE("g", "a: {prologue: true, zero: $f, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "execute: zero a\n"},
    {"variables are registers", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("param: [$p_n]") LINE("var: {$v: 3}") LINE("staticvar: {$s: 4}") LINE("loop: $p_n")
     LINE("varinst: [$v, add, $s, 1]") LINE("varinst: [$s, incwrap, 1, 8]") LINE("endloop"),
     "register $p_n lifetime run\nregister $v lifetime run initial 3\nregister $s lifetime session initial 4\n"
     "loop: loop $p_n must_run\nvarinst: alu $v = add $s 1\nvarinst: alu $v = wrap32 $v\n"
     "varinst: alu $s = incwrap 1 8\nendloop: end\n}\n"
     "entry p {\nstart p\nparameter $p_n thread p register $p_n\n}\n"},
    {"a varinst posts what its variable is bound to", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$l: 0}") EXECUTE("g", REF_SET("a", "$l", "$l")) LINE("varinst: [$l, inc, 1]"),
     "varinst: alu $l = wrap32 $l\nvarinst: post chip0 p/2/0 with [$l]\n}\n"},
    {"and nothing before the first execute", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$l: 0}") LINE("varinst: [$l, inc, 1]") EXECUTE("g", REF_SET("a", "$l", "$l")),
     "varinst: alu $l = wrap32 $l\nexecute: post chip0 p/2/0 with [$l]\n}\n"},
    {"in a loop a register remembers the setting", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$l: 0}") LINE("loop: 2") LINE("varinst: [$l, inc, 1]")
     EXECUTE("g", REF_SET("a", "$l", "$l")) LINE("endloop"),
     "varinst: branch a.setting != 1 to "},
    {"the other setting of the queue was executed last", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$l: 0, $m: 0}") EXECUTE("g", REF_SET("a", "$l", "$l")) EXECUTE("g", REF_SET("a", "$m", "$m"))
     LINE("varinst: [$l, inc, 1]"), "varinst: alu $l = wrap32 $l\n}\n"},
    {"graphs on two chips that share an op are posted together", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH_ON("1", "h", "1") REF_NOP("x", "w"),
     P EXECUTE("g", SET_A) LINE("execute: {graph_name: h}"),
     "thread p {\nexecute: post chip0 p/1/0\nexecute: post chip1 p/1/1\n}\n"},
    {"before both what either of them needs is done", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("m", "y", "4", "0x10300000")
     REF_STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1") REF_STORE("n", "queue", "v", "4", "1", "0x10400000", ", t: 1")
     "graphs:\n" REF_GRAPH("k", "1") REF_NOP("y", "a") REF_GRAPH_ON("1", "g", "1") REF_NOP("w", "a") REF_NOP("v", "w")
     REF_GRAPH("h", "1") REF_NOP("x", "w") REF_GRAPH_ON("1", "i", "1") REF_NOP("z", "m"),
     P EXECUTE("k", SET_A) EXECUTE("g", SET_A) LINE("execute: {graph_name: h}"),
     "execute: drain chip0\nexecute: post chip1 p/2/0\nexecute: post chip0 p/2/1\n}\n"},
    {"unless they take different numbers of inputs", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH_ON("1", "h", "2") REF_NOP("x", "w"),
     P EXECUTE("g", SET_A) LINE("execute: {graph_name: h}"),
     "thread p {\nexecute: post chip0 p/1/0\n}\n"},
    {"a chip that gives and takes does so in the order of both", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "z", "4", "0x10200000")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("z", "x") REF_NOP("w", "a") REF_GRAPH_ON("1", "h", "1") REF_NOP("x", "w"),
     P EXECUTE("g", SET_A) LINE("execute: {graph_name: h}"),
     "w: push \"w to chip1\" by 1\nz: await \"x to chip0\"\n"},
    {"values of an execute that waits are kept when they change", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH_ON("1", "h", "1") REF_NOP("x", "w"),
     P LINE("var: {$l: 0}") EXECUTE("g", REF_SET("a", "$l", "$l")) LINE("varinst: [$l, inc, 1]") LINE("execute: {graph_name: h}"),
     "execute: alu given.1 = set $l\n"},
    {"another chip that touches the queue is drained", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("m", "w", "4", "0x10300000")
     REF_STORE("o", "queue", "x", "4", "1", "0x10200000", ", t: 1")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH("k", "1") REF_NOP("y", "a")
     REF_GRAPH_ON("1", "h", "1") REF_NOP("x", "m"),
     P EXECUTE("g", SET_A) EXECUTE("k", SET_A) "  - r:\n" EXECUTE("h", REF_SET("m", "0", "0")),
     "thread r {\nexecute: drain chip0\nexecute: post chip1 r/0/0\n}\n"},
    {"memory that another chip's queue had", "wormhole_b0",
     "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("d", "w", "1", "0x10200000")
     REF_QUEUE("e", "y", "1", "0x10200000") REF_QUEUE("o", "x", "1", "0x10300000")
     "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH("k", "1") REF_NOP("x", "d")
     REF_GRAPH_ON("1", "h", "1") REF_NOP("y", "a"),
     P LINE("allocate_queue: [d]") EXECUTE("g", SET_A) EXECUTE("k", REF_SET("d", "0", "0")) LINE("deallocate_queue: [d]")
     "  - r:\n" LINE("allocate_queue: [e]") EXECUTE("h", SET_A),
     "thread r {\nallocate_queue: drain chip0\nallocate_queue: post chip1 r/0/0\n"},
    {"dynamic queues live on the chip", "grayskull", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("allocate_queue: [o]") EXECUTE("g", SET_A) LINE("deallocate_queue: [o]"),
     "function p/0/0 {\nallocate_queue: allocate o\n}\n"},
};
// clang-format on

static void expect_row(hoist_test *t, const lower_row *row)
{
    const char *text =
        lower_test_print(t, lower_test_netlist(t, row->arch, row->head, row->programs));
    lower_test_expect(t, text, row->wanted);
}

HOIST_TEST_TABLE(queues_are_fifos, memory)
{
    expect_row(t, row);
}

HOIST_TEST_TABLE(graphs_are_functions, ops)
{
    expect_row(t, row);
}

HOIST_TEST_TABLE(programs_are_threads, programs)
{
    expect_row(t, row);
}

// The netlist with two names that are the same for `same` bytes, and then `ends`.
static hoist_str long_names(hoist_test *t, size_t same, const char *const ends[2])
{
    char *names[2];
    for (int i = 0; i < 2; i++) {
        const size_t size = same + strlen(ends[i]);
        names[i] = hoist_arena_alloc(&t->arena, size + 1);
        memset(names[i], 'n', same);
        memcpy(names[i] + same, ends[i], strlen(ends[i]));
    }
    static const char store[] = "  \"%s\": {type: queue, input: %s, entries: 4, grid_size: [1, 1], "
                                "mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: 0, "
                                "loc: dram, dram: [[0, 0x10%d00000]], t: 1}\n";
    const char *first = hoist_arena_format(&t->arena, store, names[0], "HOST", 1).data;
    const char *second = hoist_arena_format(&t->arena, store, names[1], "HOST", 2).data;
    const char *head =
        hoist_arena_format(&t->arena,
                           "queues:\n%s%s" REF_QUEUE("o", "x", "4", "0x10300000") GRAPH
                           "    x: {type: add, grid_loc: [0, 0], grid_size: [1, 1], "
                           "inputs: [\"%s\", \"%s\"], in_df: [Float32, Float32], acc_df: "
                           "Float32, out_df: Float32, intermed_df: Float32, ublock_order: "
                           "r, buf_size_mb: 2, math_fidelity: HiFi3, mblock: [1, 1], "
                           "ublock: [1, 1], t: 1}\n",
                           first, second, names[0], names[1])
            .data;
    const char *run = hoist_arena_format(
                          &t->arena,
                          P LINE("execute: {graph_name: g, queue_settings: {\"%s\": {rd_ptr_local: "
                                 "0, rd_ptr_global: 0}, \"%s\": {rd_ptr_local: 0, "
                                 "rd_ptr_global: 0}}}"),
                          names[0], names[1])
                          .data;
    return lower_test_netlist(t, "grayskull", head, run);
}

// clang-format off
static const struct {
    const char *name;
    size_t same;
    const char *ends[2];
} names[] = {
    {"short ones",        1,    {"a", "b"}},
    {"of 511 bytes",      510,  {"a", "b"}},
    {"of 512 bytes",      511,  {"a", "b"}},
    {"of 513 bytes",      512,  {"a", "b"}},
    {"of 1,001 bytes",    1000, {"a", "b"}},
    {"nuls inside",       1,    {"\\0a", "\\0b"}},
    {"one is a front",    600,  {"", "\\0"}},
};
// clang-format on

// No name is cut, so that no two become the same: the program's text reads back.
HOIST_TEST_TABLE(names_stay_whole, names)
{
    const char *text = lower_test_print(t, long_names(t, row->same, row->ends));
    hoist_program *program = NULL;
    if (text) {
        const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
        HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                        HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
    }
    hoist_program_destroy(program);
}

static hoist_status lower_row_with(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *text = self;
    hoist_program *program = NULL;
    const hoist_status status = lower_test_netlist_with(*text, alloc, NULL, &program);
    hoist_program_destroy(program);
    return status;
}

static const struct {
    const char *name;
    hoist_program_rule rule;
} netlist_rules[] = {
    {"BUDA-079c", HOIST_PRG_006},
    {"BUDA-079a", HOIST_PRG_007},
    {"BUDA-019", HOIST_PRG_008},
    {"PRG-012", HOIST_PRG_012},
};

HOIST_TEST_TABLE(rules_of_programs_are_those_of_netlists, netlist_rules)
{
    const hoist_str text =
        lower_test_netlist(t, programs[6].arch, ops[0].head, programs[9].programs);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    lower_test_netlist_with((hoist_bytes){(const uint8_t *)text.data, text.size},
                                            hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_program_rule_of(program, row->rule)->id),
                         row->name);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    const hoist_str text =
        lower_test_netlist(t, programs[6].arch, ops[0].head, programs[9].programs);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    hoist_test_starve(t, lower_row_with, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queues_are_fifos), HOIST_TEST_ROW(graphs_are_functions),
                HOIST_TEST_ROW(programs_are_threads), HOIST_TEST_ROW(names_stay_whole),
                HOIST_TEST_ROW(rules_of_programs_are_those_of_netlists),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
