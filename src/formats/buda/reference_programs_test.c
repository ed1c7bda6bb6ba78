// Every row and clause of buda-netlist reference section 5.2 in its order, then those of
// sections 5.7 and 8.5 that are about programs (97 to 102, 104 to 106). A row is named by the rule
// and names what is wrong; a reader who has the reference open finds the Bad column's own inputs
// marked "Bad".
//
// Not here: 31f, for a check has no params (simulate_test.c gives some), 36c, which is no finding,
// and "allocate of a static queue" of 29b: naming a queue in allocate_queue makes it dynamic.
#include "formats/buda/netlist_testing.h"

#define P REF_P
#define R REF_R
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define A00 "a: {rd_ptr_local: 0, rd_ptr_global: 0}"
#define RUN EXECUTE("g", A00)

// a -> g (x) -> o, one entry an execute.
#define HOST_A REF_QUEUE("a", "HOST", "4", "0x10100000")
#define GRAPHS_G "graphs:\n" REF_GRAPH("g", "1") REF_NOP("x", "a")
#define ONE "queues:\n" HOST_A REF_QUEUE("o", "x", "4", "0x10200000") GRAPHS_G
// The same with entries of `a` and an input_count.
#define STREAM(entries, input_count)                                                               \
    "queues:\n" REF_QUEUE("a", "HOST", entries, "0x10100000")                                      \
        REF_QUEUE("o", "x", "64", "0x10200000") "graphs:\n" REF_GRAPH("g", input_count)            \
            REF_NOP("x", "a")
// a -> g -> ram w of 4 entries.
#define TO_RAM "queues:\n" HOST_A REF_RAM("w", "x", "4", "0x10200000") GRAPHS_G
// a -> g -> gradient ram w.
#define GRADIENT                                                                                   \
    "queues:\n" HOST_A REF_RAM("w", "x", "1", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")        \
        REF_OP("x", "nop", "a", "Float32", ", t: 1, gradient_op: true")
// a -> g -> o and b -> h -> u.
#define APART                                                                                      \
    "queues:\n" HOST_A REF_QUEUE("b", "HOST", "4", "0x10300000")                                   \
        REF_QUEUE("o", "x", "4", "0x10200000") REF_QUEUE("u", "y", "4", "0x10400000")              \
            GRAPHS_G REF_GRAPH("h", "1") REF_NOP("y", "b")
// a -> g -> m of 4 entries -> h -> o, `count` entries an execute.
#define PIPE(count)                                                                                \
    "queues:\n" HOST_A REF_QUEUE("m", "x", "4", "0x10300000")                                      \
        REF_QUEUE("o", "y", "64", "0x10200000") "graphs:\n" REF_GRAPH("g", count)                  \
            REF_NOP("x", "a") REF_GRAPH("h", count) REF_NOP("y", "m")
#define FILL RUN
#define DRAIN(local, global) EXECUTE("h", REF_SET("m", local, global))
// A table and indices for an embedding.
#define LOOKUP                                                                                     \
    "queues:\n" REF_RAM("tab", "HOST", "1", "0x10100000")                                          \
        REF_QUEUE("idx", "HOST", "4", "0x10300000")                                                \
            REF_QUEUE("o", "x", "4", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")                 \
                REF_OP("x", "embedding", "tab, idx", "Float32, Float32",                           \
                       ", t: 1, attributes: {num_indices: 32}")
// g0 on chip 0 and g1 on chip 1 are one temporal epoch, for the op of g1 reads x.
#define CHIPS(second, input_count)                                                                 \
    "queues:\n" REF_QUEUE("a", "HOST", "2", "0x10100000") REF_STORE(                               \
        "o", "queue", "y", "2", "1", "0x10200000", ", t: 1") "graphs:\n" REF_GRAPH("g0", "1")      \
        REF_NOP("x", "a") REF_GRAPH_ON("1", second, input_count)
#define EPOCH CHIPS("g1", "1") REF_NOP("y", "x")
// Section 1.9: `a` on chips 0 and 1; a graph on both, or one on chip 0 that reads some copies.
#define COPIES_A REF_STORE("a", "queue", "HOST", "2", "[0, 1]", "0x10100000", ", t: 1")
#define ON_BOTH                                                                                    \
    "queues:\n" COPIES_A REF_STORE("o", "queue", "x", "2", "[0, 1]", "0x10200000",                 \
                                   ", t: 1") "graphs:\n" REF_GRAPH_ON("[0, 1]", "g", "1")          \
        REF_NOP("x", "a")
#define READS_COPIES(op)                                                                           \
    "queues:\n" COPIES_A REF_QUEUE("o", "x", "2", "0x10200000") "graphs:\n" REF_GRAPH("g", "1") op
#define G0 EXECUTE("g0", A00)
#define G1 LINE("execute: {graph_name: g1}")

static const buda_reference_row shape[] = {
    {"21 Bad: halt", ONE, P LINE("@halt") RUN, "BUDA-021"},
    {"21 Bad: a map with two keys", ONE, P LINE("@{var: [$a], loop: 2}") RUN, "BUDA-021"},
    {"21 no such instruction", ONE, P LINE("@halt: 1") RUN, "BUDA-021"},
    {"21 instruction is a list", ONE, P LINE("@[var]") RUN, "BUDA-021"},
    {"21 bare word of a map", ONE, P LINE("@var") RUN, "BUDA-021"},
    {"21 list item with two keys", ONE, "  - @p:\n" RUN "    r:\n" RUN, "BUDA-021"},
    {"21 list item is a word", ONE, "  - @p\n" R RUN, "BUDA-021"},
    {"21 program is a map", ONE, P RUN "  - r: @{loop: 1}\n", "BUDA-021"},
    {"21 program is a word", ONE, P RUN "  - r: @3\n", "BUDA-021"},
    {"21 endprogram before the end", ONE, P LINE("@endprogram") RUN, "BUDA-021"},
    {"21 endloop with a value", ONE, P LINE("loop: 1") RUN LINE("endloop: @3"), "BUDA-021"},
    {"21 loop of a list", ONE, P LINE("loop: @[2]") RUN LINE("endloop"), "BUDA-021"},
    {"21 var of a word", ONE, P LINE("var: @$v") RUN, "BUDA-021"},
    {"21 var without a dollar", ONE, P LINE("var: [@v]") RUN, "BUDA-021"},
    {"21 staticvar with a list", ONE, P LINE("staticvar: {$v: @[1]}") RUN, "BUDA-021"},
    {"21 allocate_queue of a word", ONE, P LINE("allocate_queue: @o") RUN, "BUDA-021"},
    {"22 Bad: param after var", ONE, P LINE("var: [$v]") LINE("@param: [$p]") RUN, "BUDA-022"},
    {"22 param twice", ONE, P LINE("param: [$p]") LINE("@param: [$q]") RUN, "BUDA-022"},
    {"22 param as a map", ONE, P LINE("param: @{$p: 1}") RUN, "BUDA-022"},
    {"22 param as a word", ONE, P LINE("param: @$p") RUN, "BUDA-022"},
    {"22 param without a dollar", ONE, P LINE("param: [@p]") RUN, "BUDA-022"},
    {"23 Bad: incwrap with one operand", ONE,
     P LINE("var: [$a]") LINE("varinst: [$a, @incwrap, 1]") RUN, "BUDA-023"},
    {"23 one field", ONE, P LINE("var: [$a]") LINE("varinst: @[$a]") RUN, "BUDA-023"},
    {"23 no list", ONE, P LINE("var: [$a]") LINE("varinst: @$a set 1") RUN, "BUDA-023"},
    {"23 unknown operation", ONE, P LINE("var: [$a]") LINE("varinst: [$a, @sub, 1]") RUN,
     "BUDA-023"},
    {"23 set with two operands", ONE, P LINE("var: [$a]") LINE("varinst: [$a, @set, 1, 2]") RUN,
     "BUDA-023"},
    {"23 inc without operand", ONE, P LINE("var: [$a]") LINE("varinst: [$a, @inc]") RUN,
     "BUDA-023"},
    {"23 operand is a list", ONE, P LINE("var: [$a]") LINE("varinst: [$a, set, @[1]]") RUN,
     "BUDA-023"},
    {"23 destination is a list", ONE, P LINE("varinst: [@[$a], set, 1]") RUN, "BUDA-023"},
    {"23 destination is a number", ONE, P LINE("varinst: [@5, set, 1]") RUN, "BUDA-023"},
};

static const buda_reference_row executes[] = {
    {"24 another key", ONE,
     P LINE("execute: {graph_name: g, @colour: red, queue_settings: {" A00 "}}"), "BUDA-024"},
    {"24 no graph_name", ONE, P RUN LINE("@execute: {queue_settings: {" A00 "}}"), "BUDA-024"},
    {"24 no such graph", ONE, P RUN LINE("execute: {graph_name: @nowhere}"), "BUDA-024"},
    {"24 execute of a word", ONE, P RUN LINE("execute: @g"), "BUDA-024"},
    {"24 settings in a list", ONE, P LINE("execute: {graph_name: g, queue_settings: @[a]}"),
     "BUDA-024"},
    {"24 no such queue", ONE, P EXECUTE("g", A00 ", " REF_SET("@zz", "0", "0")), "BUDA-024"},
    {"24 queue of another graph", APART,
     P EXECUTE("g", A00 ", " REF_SET("@b", "0", "0")) EXECUTE("h", REF_SET("b", "0", "0")),
     "BUDA-024"},
    {"25 unknown key", ONE, P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, @colour: red}"),
     "BUDA-025"},
    {"25 setting is a word", ONE, P EXECUTE("g", "a: @3"), "BUDA-025"},
    {"25 value is a list", ONE,
     P EXECUTE("g", "a: {prologue: @[true], rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-025"},
    {"25 queue without rd_ptr_global", ONE, P EXECUTE("g", "@a: {rd_ptr_local: 0}"), "BUDA-025"},
    {"25 queue without rd_ptr_local", ONE, P EXECUTE("g", "@a: {rd_ptr_global: 0}"), "BUDA-025"},
    {"25 queue with wr_ptr_global (C42)", ONE,
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, wr_ptr_global: @0}"), "BUDA-025"},
    {"25 ram without rd_ptr_global", TO_RAM, P EXECUTE("g", A00 ", @w: {wr_ptr_global: 0}"),
     "BUDA-025"},
    {"25 ram without wr_ptr_global", TO_RAM, P EXECUTE("g", A00 ", @w: {rd_ptr_global: 0}"),
     "BUDA-025"},
    {"25 Bad: ram with rd_ptr_local", TO_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_local: @0, rd_ptr_global: 0, wr_ptr_global: 0}"), "BUDA-025"},
    {"26 op-fed queue with epilogue (C53)", ONE,
     P EXECUTE("g", A00 ", o: {epilogue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-026"},
    {"27 Bad: 1 and 2 (C51)", ONE,
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: @1, "
                    "rd_ptr_autoinc: 2}"),
     "BUDA-027"},
    {"27 2, and 1 by default", ONE,
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: @2}"),
     "BUDA-027"},
    {"28 host-fed input without setting (C52)", ONE, P LINE("execute: {graph_name: @g}"),
     "BUDA-028"},
    {"28 gradient ram without setting in the second execute", GRADIENT,
     P EXECUTE("g", A00 ", w: {prologue: true, epilogue: true, zero: true, rd_ptr_global: 0, "
                        "wr_ptr_global: 0}") EXECUTE("@g", A00),
     "BUDA-028"},
    {"29a allocate", ONE, P LINE("allocate_queue: [@zz]") RUN, "BUDA-029a"},
    {"29a deallocate", ONE, P LINE("deallocate_queue: [@zz]") RUN, "BUDA-029a"},
    {"29b allocated twice (C38)", ONE,
     P LINE("allocate_queue: [o]") LINE("allocate_queue: [@o]") RUN LINE("deallocate_queue: [o]"),
     "BUDA-029b"},
    {"29c never allocated (C39)", ONE, P RUN LINE("deallocate_queue: [@o]"), "BUDA-029c"},
    {"29d never deallocated", ONE, P LINE("allocate_queue: [@o]") RUN, "BUDA-029d"},
    {"29e in host memory (section 2.8)",
     "queues:\n" HOST_A "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: 1, mblock: "
     "[1, 1], ublock: [1, 1], df: Float32, target_device: 0, loc: host, host: "
     "[0x100000]}\n" GRAPHS_G,
     P LINE("allocate_queue: [@o]") RUN LINE("deallocate_queue: [@o]"), "BUDA-029e BUDA-029e"},
    {"30a Bad: constant in a loop (C54)", ONE,
     P LINE("var: {$c_k: 1}") LINE("loop: 2") LINE("varinst: [@$c_k, inc, 1]") LINE("endloop") RUN,
     "BUDA-030a"},
    {"30a constant set twice", ONE,
     P LINE("var: [$c_k]") LINE("varinst: [$c_k, set, 1]") LINE("varinst: [@$c_k, set, 2]") RUN,
     "BUDA-030a"},
    {"30b read_only differs", TO_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: true}")
         EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: @false}"),
     "BUDA-030b"},
    {"30c zero without prologue (C40)", ONE,
     P EXECUTE("g", "a: {prologue: false, zero: @true, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-030c"},
};

static const buda_reference_row devices[] = {
    {"1.9 list-form graph, names as written (C45)", ON_BOTH, P RUN, NULL},
    {"1.9 each copy of a graph by itself", ON_BOTH,
     P EXECUTE("g.0", REF_SET("a.0", "0", "0")) EXECUTE("g.1", REF_SET("a.1", "0", "0")), NULL},
    {"1.9 list-form graph, names of copies", ON_BOTH,
     P EXECUTE("g", REF_SET("@a.0", "0", "0") ", " REF_SET("@a.1", "0", "0")), "BUDA-024 BUDA-024"},
    {"1.9 a copy of a graph, names as written", ON_BOTH,
     P EXECUTE("@g.0", REF_SET("@a", "0", "0")) EXECUTE("g.1", REF_SET("a.1", "0", "0")),
     "BUDA-028 BUDA-024"},
    {"1.9 no such copy", ON_BOTH, P RUN LINE("execute: {graph_name: @g.7}"), "BUDA-024"},
    {"1.9 a graph that reads both copies",
     READS_COPIES(REF_OP("x", "add", "a.0, a.1", "Float32, Float32", ", t: 1")), P RUN, NULL},
    {"1.9 the same by the names of copies",
     READS_COPIES(REF_OP("x", "add", "a.0, a.1", "Float32, Float32", ", t: 1")),
     P EXECUTE("g", REF_SET("a.0", "0", "0") ", " REF_SET("a.1", "0", "0")), NULL},
    {"1.9 one of both copies without setting",
     READS_COPIES(REF_OP("x", "add", "a.0, a.1", "Float32, Float32", ", t: 1")),
     P EXECUTE("@g", REF_SET("a.0", "0", "0")), "BUDA-028"},
};

static const buda_reference_row values[] = {
    {"31a Bad: loop 0 (C12)", ONE, P LINE("loop: @0") RUN LINE("endloop"), "BUDA-031a"},
    {"31b not declared (C10)", ONE, P LINE("var: [$l]") LINE("varinst: [$l, set, @$w]") RUN,
     "BUDA-031b"},
    {"31c Bad: set, abc", ONE, P LINE("var: [$a]") LINE("varinst: [$a, set, @abc]") RUN,
     "BUDA-031c"},
    {"31c prologue is neither 0 nor 1", ONE,
     P EXECUTE("g", "a: {prologue: @2, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-031c"},
    {"31c empty", ONE, P LINE("loop:@") RUN LINE("endloop"), "BUDA-031c"},
    {"31d destination not declared (C10)", ONE, P LINE("varinst: [@$u, set, 3]") RUN, "BUDA-031d"},
    {"31e declared in each turn (C11)", ONE,
     P LINE("loop: 2") LINE("var: {@$m: 1}") LINE("endloop") RUN, "BUDA-031e"},
    {"31e staticvar of a static is fine", ONE,
     P LINE("staticvar: [$m]") LINE("staticvar: [$m]") RUN, NULL},
    {"31f at run only (C15, C16)", ONE, P LINE("param: [$p]") LINE("loop: $p") RUN LINE("endloop"),
     NULL},
    {"31g wrap 0 (C57)", ONE, P LINE("var: {$a: 1}") LINE("varinst: [$a, incwrap, 1, @0]") RUN,
     "BUDA-031g"},
    {"31h endloop without loop", ONE, P RUN LINE("@endloop"), "BUDA-031h"},
    {"31h loop without endloop", ONE, P LINE("@loop: 1") RUN, "BUDA-031h"},
    {"32a Bad: entries 2, input_count 4", STREAM("2", "4"), P EXECUTE("g", "@" A00), "BUDA-032a"},
    {"32b Bad: entries 6, input_count 4 (C30)", STREAM("6", "4"), P EXECUTE("g", "@" A00),
     "BUDA-032b"},
    {"32 rd_ptr_autoinc 0 streams nothing", STREAM("6", "4"),
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: @0}"), "BUDA-036e"},
    {"33 stepping ram with zero (C24)", TO_RAM,
     P EXECUTE("g", A00 ", w: {zero: @true, rd_ptr_global: 0, wr_ptr_global: 0, "
                        "global_wrptr_autoinc: @1}"),
     "BUDA-030c BUDA-033"},
    {"34a input with epilogue", ONE,
     P EXECUTE("g", "a: {epilogue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034a"},
    {"34b output with prologue", TO_RAM,
     P EXECUTE("g", A00 ", w: {prologue: @true, rd_ptr_global: 0, wr_ptr_global: 0}"), "BUDA-034b"},
    {"34b output with epilogue", TO_RAM,
     P EXECUTE("g", A00 ", w: {epilogue: @true, rd_ptr_global: 0, wr_ptr_global: 0}"), "BUDA-034b"},
    {"34c prologue of a param (C41)", ONE,
     P LINE("param: [$p_b]")
         EXECUTE("g", "a: {prologue: @$p_b, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-034c"},
    {"34d prologue of a table", LOOKUP,
     P EXECUTE("g", REF_SET("idx", "0", "0") ", tab: {prologue: @true, rd_ptr_global: 0, "
                                             "wr_ptr_global: 0}"),
     "BUDA-034d"},
    {"34d prologue of indices", LOOKUP,
     P EXECUTE("g", "idx: {prologue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034d"},
    {"34e prologue queue on another chip",
     "queues:\n" REF_STORE("a", "queue", "HOST", "4", "1", "0x10100000", ", t: 1")
         REF_QUEUE("o", "x", "4", "0x10200000") GRAPHS_G,
     P EXECUTE("g", "a: {prologue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034e"},
};

static const buda_reference_row epochs[] = {
    {"35a input_count differs", CHIPS("g1", "@2") REF_NOP("y", "x"), P G0 G1, "BUDA-035a"},
    {"35b the same device", EPOCH REF_GRAPH_ON("@0", "g2", "1") REF_NOP("z", "y"),
     P G0 G1 LINE("execute: {graph_name: g2}"), "BUDA-035b"},
    {"35c settings differ (C46)",
     CHIPS("g1", "1") REF_OP("y", "add", "x, a", "Float32, Float32", ", t: 1"),
     P G0 EXECUTE("g1", REF_SET("a", "@1", "0")), "BUDA-035c"},
    {"35d the same graph twice (C27b)", EPOCH, P G0 EXECUTE("@g0", A00) G1, "BUDA-035d"},
    {"35e never completed", CHIPS("@g1", "1") REF_NOP("y", "x"), P EXECUTE("@g0", A00),
     "BUDA-020b BUDA-035e"},
    {"36a endprogram at the end", ONE, P RUN LINE("@endprogram"), "BUDA-036a"},
    {"36a endprogram as a key", ONE, P RUN LINE("@endprogram:"), "BUDA-036a"},
    {"36b Bad: 0x10 (C17)", ONE, P LINE("var: [$a]") LINE("varinst: [$a, set, @0x10]") RUN,
     "BUDA-036b"},
    {"36b trailing text (C17)", ONE, P LINE("var: [$a]") LINE("varinst: [$a, set, @12abc]") RUN,
     "BUDA-036b"},
    {"36c is no finding", STREAM("2", "1"),
     P LINE("var: {$g: 0}") LINE("loop: 3") EXECUTE("g", REF_SET("a", "$g", "$g"))
         LINE("varinst: [$g, incwrap, 1, 2]") LINE("endloop"),
     NULL},
    {"36d more pushes than pops", PIPE("2"),
     P LINE("var: {$g: 0}") LINE("@loop: 2") FILL DRAIN("$g", "$g")
         LINE("varinst: [$g, incwrap, 1, 8]") LINE("endloop"),
     "BUDA-036d"},
};

static const buda_reference_row pointers[] = {
    {"97 read while empty (C03)", PIPE("1"), P EXECUTE("h", REF_SET("@m", "0", "0")) FILL,
     "BUDA-097"},
    {"97 pop while empty", PIPE("1"),
     P FILL EXECUTE("h", "@m: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: 2, "
                         "global_rdptr_autoinc: 2}"),
     "BUDA-097"},
    {"98 a slot never written (C31)", PIPE("2"), P FILL EXECUTE("h", REF_SET("@m", "1", "0")),
     "BUDA-098"},
    {"99 a slot popped already (C32)", PIPE("2"),
     P LINE("var: {$g: 0}") FILL FILL DRAIN("0", "$g") LINE("varinst: [$g, set, 2]")
         EXECUTE("h", REF_SET("@m", "0", "$g")),
     "BUDA-099"},
    {"100 ram pointer of E (C25)", TO_RAM, P EXECUTE("g", A00 ", " REF_RAM_SET("w", "0", "@4")),
     "BUDA-100a"},
    {"100 negative ram pointer", TO_RAM, P EXECUTE("g", A00 ", " REF_RAM_SET("w", "@-1", "0")),
     "BUDA-100a"},
    {"100 negative queue pointer (C44)", ONE, P EXECUTE("g", REF_SET("a", "@-1", "0")),
     "BUDA-100b"},
    {"101 pushed while full (C33, C50)", PIPE("2"), P FILL FILL EXECUTE("@g", A00) DRAIN("0", "0"),
     "BUDA-101"},
    {"101 a queue that the host pops (C50)",
     "queues:\n" HOST_A REF_QUEUE("o", "x", "1", "0x10200000") GRAPHS_G,
     P LINE("loop: 3") EXECUTE("@g", A00) LINE("endloop"), "BUDA-101b"},
    {"102 past what is there (C06)", PIPE("2"),
     P LINE("var: {$g: 0}") FILL DRAIN("0", "$g") LINE("varinst: [@$g, set, 3]"), "BUDA-102"},
    {"102 backwards (C07)", PIPE("2"),
     P LINE("var: {$g: 2}") FILL FILL DRAIN("2", "$g") LINE("varinst: [@$g, set, 1]"), "BUDA-102"},
};

#define FUSED_HEAD(interm)                                                                         \
    "fused_ops:\n  0:\n    inputs: 1\n    intermediates: 1\n    schedules:\n"                      \
    "      - - s0: {type: exp, inputs: [input0], mblock: [1, 1], ublock: [1, 1], output: " interm  \
    "}\n        - s1: {type: nop, inputs: [" interm "], pop: [" interm                             \
    "], mblock: [1, 1], ublock: [1, 1], output: output}\n"

static const buda_reference_row others[] = {
    {"104 interm<N>",
     FUSED_HEAD("@interm0") "queues:\n" HOST_A REF_QUEUE(
         "o", "x", "4", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")
         REF_OP("x", "fused_op", "a", "Float32", ", t: 1, attributes: {fused_op_id: 0}"),
     P RUN, "BUDA-104 BUDA-104 BUDA-104"},
    {"104 intermed<N> is the word",
     FUSED_HEAD("intermed0") "queues:\n" HOST_A REF_QUEUE(
         "o", "x", "4", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")
         REF_OP("x", "fused_op", "a", "Float32", ", t: 1, attributes: {fused_op_id: 0}"),
     P RUN, NULL},
    {"105 graphs before queues",
     "@" GRAPHS_G "queues:\n" HOST_A REF_QUEUE("o", "x", "4", "0x10200000"), P RUN, "BUDA-105"},
    {"106 gradient ram never zeroed (C58)", GRADIENT,
     P EXECUTE("g",
               A00 ", @w: {prologue: true, epilogue: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-106"},
};

HOIST_TEST_TABLE(shape_of_programs, shape)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(executes_and_queues, executes)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(lists_of_devices, devices)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(values_and_settings, values)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(epochs_and_warnings, epochs)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(queue_pointers, pointers)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(spellings_and_orders, others)
{
    buda_test_reference_row(t, row);
}

// 36b: `--strict` makes it an error.
HOIST_TEST(strict_immediates)
{
    static const buda_reference_row hexadecimal = {
        "36b", ONE, P LINE("var: [$a]") LINE("varinst: [$a, set, @0x10]") RUN, "BUDA-036b"};
    const hoist_diag_options options = {.struct_size = sizeof(options), .strict = true};
    hoist_diag *const lax = t->diag;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), &options, &t->diag), HOIST_OK);
    buda_test_reference_row(t, &hexadecimal);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
    hoist_diag_destroy(t->diag);
    t->diag = lax;
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(shape_of_programs), HOIST_TEST_ROW(executes_and_queues),
                HOIST_TEST_ROW(lists_of_devices), HOIST_TEST_ROW(values_and_settings),
                HOIST_TEST_ROW(epochs_and_warnings), HOIST_TEST_ROW(queue_pointers),
                HOIST_TEST_ROW(spellings_and_orders), HOIST_TEST_ROW(strict_immediates))
