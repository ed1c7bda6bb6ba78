// The worked cases of buda-netlist reference section 10, by name: what `check` says of each. A case
// without a finding runs to its end in the reference, or stops for something that no file holds:
// what the host pushes (C03, C06, C07, C31 to C33) or the params that a caller gives (C15, C16);
// such a row says so. The data in the tables of the section is no matter of a check.
#include "formats/buda/netlist_testing.h"

#define P REF_P
#define R REF_R
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define A00 "a: {rd_ptr_local: 0, rd_ptr_global: 0}"

#define BASE(entries, out_entries, input_count)                                                    \
    "queues:\n" REF_QUEUE("a", "HOST", entries, "0x10100000")                                      \
        REF_QUEUE("o", "x", out_entries, "0x10200000") "graphs:\n" REF_GRAPH("g", input_count)     \
            REF_NOP("x", "a")
#define HOST_A REF_QUEUE("a", "HOST", "4", "0x10100000")
#define GRADIENT                                                                                   \
    "queues:\n" HOST_A REF_RAM("w", "x", "1", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")        \
        REF_OP("x", "nop", "a", "Float32", ", t: 1, gradient_op: true")
#define HOST_RAM                                                                                   \
    "queues:\n" HOST_A REF_RAM("w", "HOST", "2", "0x10200000")                                     \
        REF_QUEUE("o", "x", "4", "0x10300000") "graphs:\n" REF_GRAPH("g", "2")                     \
            REF_OP("x", "add", "a, w", "Float32, Float32", ", t: 1")
#define OP_RAM                                                                                     \
    "queues:\n" HOST_A REF_RAM("w", "x", "4", "0x10200000") "graphs:\n" REF_GRAPH("g", "2")        \
        REF_NOP("x", "a")
#define ALIAS                                                                                      \
    "queues:\n" HOST_A REF_RAM("w", "x", "4", "0x10200000")                                        \
        REF_STORE("r", "ram", "HOST", "1", "0", "0x10200000", ", t: 4, alias: w") REF_STORE(       \
            "o", "queue", "y", "1", "0", "0x10400000", ", t: 4") "graphs:\n" REF_GRAPH("g", "1")   \
            REF_NOP("x", "a") REF_GRAPH("h", "1") REF_OP("y", "nop", "r", "Float32", ", t: 4")
// y, an op of graph `second`, reads x.
#define CHIPS(second)                                                                              \
    "queues:\n" REF_QUEUE("a", "HOST", "2", "0x10100000") REF_STORE(                               \
        "o", "queue", "y", "2", "1", "0x10200000", ", t: 1") "graphs:\n" REF_GRAPH("g0", "1")      \
        REF_NOP("x", "a") REF_GRAPH_ON("1", second, "1")
#define PIPE                                                                                       \
    "queues:\n" HOST_A REF_QUEUE("m", "x", "4", "0x10200000")                                      \
        REF_QUEUE("o", "y", "4", "0x10300000") "graphs:\n" REF_GRAPH("g", "2") REF_NOP("x", "a")   \
            REF_GRAPH("h", "2") REF_NOP("y", "m")
#define TWO_READERS                                                                                \
    "queues:\n" HOST_A REF_QUEUE("o", "x", "4", "0x10200000")                                      \
        REF_QUEUE("u", "y", "4", "0x10300000") "graphs:\n" REF_GRAPH("g", "1") REF_NOP("x", "a")   \
            REF_GRAPH("h", "1") REF_NOP("y", "a")
#define DYNAMIC                                                                                    \
    "queues:\n" HOST_A REF_QUEUE("d", "x", "2", "0x20000000")                                      \
        REF_QUEUE("e", "y", "2", "0x20000000")                                                     \
            REF_QUEUE("o", "z", "4", "0x10200000") "graphs:\n" REF_GRAPH("g", "1")                 \
                REF_NOP("x", "a") REF_GRAPH("h", "1") REF_NOP("y", "a") REF_GRAPH("k", "1")        \
                    REF_NOP("z", "e")
#define LIST_FORM                                                                                  \
    "queues:\n" REF_STORE("a", "queue", "HOST", "2", "[0, 1]", "0x10100000", ", t: 1")             \
        REF_STORE("o", "queue", "x", "2", "[0, 1]", "0x10200000",                                  \
                  ", t: 1") "graphs:\n" REF_GRAPH_ON("[0, 1]", "g", "1") REF_NOP("x", "a")

static const buda_reference_row c01_to_c20[] = {
    {"C01 execute alone pops nothing", BASE("4", "4", "1"),
     P LINE("var: {$l: 0}") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}"),
     NULL},
    {"C02 pop at varinst (section 2.9)", BASE("4", "4", "2"),
     P LINE("var: {$g: 0, $l: 0}") LINE("loop: 2") EXECUTE(
         "g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}") LINE("varinst: [$g, incwrap, 2, 8]")
         LINE("varinst: [$l, incwrap, 2, 8]") LINE("endloop"),
     NULL},
    {"C03 underflow: third turn (the underflow of `a` takes host pushes)", BASE("4", "4", "2"),
     P LINE("var: {$g: 0, $l: 0}") LINE("loop: 3") EXECUTE(
         "@g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}") LINE("varinst: [$g, incwrap, 2, 8]")
         LINE("varinst: [$l, incwrap, 2, 8]") LINE("endloop"),
     "BUDA-101b"},
    {"C04 statics over runs, wrap of rd and wr", BASE("2", "8", "1"),
     P LINE("staticvar: {$s: 0}") EXECUTE("g", "a: {rd_ptr_local: $s, rd_ptr_global: $s}")
         LINE("varinst: [$s, incwrap, 1, 4]"),
     NULL},
    {"C05 host push and pop: wr = 2E, then 0", BASE("2", "2", "1"),
     P LINE("var: {$l: 0}") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}"), NULL},
    {"C06 crossing, nothing left over: everything is popped (takes host pushes)",
     BASE("4", "4", "1"),
     P LINE("var: {$l: 0, $g: 0}") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}")
         LINE("varinst: [$g, set, 5]"),
     NULL},
    {"C07 crossing with entries left over (takes host pushes)", BASE("4", "4", "1"),
     P LINE("var: {$l: 3, $g: 0}") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}")
         LINE("varinst: [$g, set, 3]") LINE("varinst: [$g, set, 5]"),
     NULL},
    {"C08 varinst before the first execute; unrelated variable", BASE("4", "4", "1"),
     P LINE("var: {$l: 0, $g: 0, $u: 0}") LINE("varinst: [$g, inc, 1]")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}") LINE("varinst: [$u, inc, 1]")
             LINE("varinst: [$g, set, 1]") LINE("varinst: [$g, inc, 1]"),
     NULL},
    {"C09 statics are per program; the settings table is per run", BASE("4", "4", "1"),
     P LINE("staticvar: {$g: 0}") LINE("var: {$l: 0}") EXECUTE(
         "g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}") LINE("varinst: [$g, incwrap, 1, 8]")
         R LINE("staticvar: {$g: 0}") LINE("varinst: [$g, incwrap, 1, 8]")
             EXECUTE("g", "a: {rd_ptr_local: $g, rd_ptr_global: $g}"),
     NULL},
    {"C10 undeclared destination: created and survives; undeclared source: error",
     BASE("4", "4", "1"),
     P LINE("var: {$l: 0}") LINE("varinst: [@$u, set, 3]")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}") R LINE("var: {$l: 0}") LINE(
             "varinst: [@$u, set, @$w]") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}"),
     "BUDA-031d BUDA-031d BUDA-031b"},
    {"C11 var inside a loop: error on the second turn", BASE("4", "4", "1"),
     P LINE("var: {$l: 0}") LINE("loop: 2") LINE("var: {@$m: 1}") LINE("endloop")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}"),
     "BUDA-031e"},
    {"C12 loop 0 is refused", BASE("4", "4", "1"),
     P LINE("var: {$l: 0, $n: 0}") LINE("loop: @$n")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}") LINE("endloop"),
     "BUDA-031a"},
    {"C13 nested loops; the count is read once", BASE("4", "4", "1"),
     P LINE("var: {$i: 0, $n: 2}") LINE("loop: $n") LINE("varinst: [$n, inc, 1]") LINE("loop: 2")
         LINE("varinst: [$i, inc, 1]") LINE("endloop") LINE("endloop") EXECUTE("g", A00),
     NULL},
    {"C14 param given", BASE("4", "4", "1"),
     P LINE("param: [$p_n]") LINE("var: {$l: 0}") LINE("varinst: [$l, set, $p_n]")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: 0}"),
     NULL},
    {"C15 param missing (takes a caller)", BASE("4", "4", "1"),
     P LINE("param: [$p_n]") LINE("var: {$l: 0}") LINE("varinst: [$l, set, $p_n]")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: 0}"),
     NULL},
    {"C16 param that is not an immediate (takes a caller)", BASE("4", "4", "1"),
     P LINE("param: [$p_n]") LINE("var: {$l: 0}") LINE("varinst: [$l, set, $p_n]")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: 0}"),
     NULL},
    {"C17 immediates in programs", BASE("4", "4", "1"),
     P LINE("var: {$a: 7, $b: 7, $c: 7}") LINE("varinst: [$a, set, @0x10]")
         LINE("varinst: [$b, set, @12abc]") LINE("varinst: [$c, set, true]") EXECUTE("g", A00),
     "BUDA-036b BUDA-036b"},
    {"C18 incwrap with negative steps, mul, add", BASE("4", "4", "1"),
     P LINE("var: {$v: 1, $w: 1, $x: 3, $y: -6}") LINE("varinst: [$v, incwrap, -3, 4]")
         LINE("varinst: [$w, incwrap, -1, 4]") LINE("varinst: [$x, incwrap, 5, 4]")
             LINE("varinst: [$y, incwrap, 1, 4]") LINE("varinst: [$v, mul, $v, $x]")
                 LINE("varinst: [$v, add, $v, -5]") EXECUTE("g", A00),
     NULL},
    {"C19 gradient op: zero once, prologue and epilogue", GRADIENT,
     P LINE("var: {$z: 1, $l: 0}") LINE("loop: 3")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}, w: {prologue: true, epilogue: "
                      "true, zero: $z, rd_ptr_global: 0, wr_ptr_global: 0}")
             LINE("varinst: [$z, set, 0]") LINE("varinst: [$l, incwrap, 1, 8]") LINE("endloop"),
     NULL},
    {"C20 prologue ram: one slot for all inputs", HOST_RAM,
     P LINE("var: {$r: 1}") EXECUTE(
         "g", A00
         ", w: {prologue: true, epilogue: false, zero: false, rd_ptr_global: $r, wr_ptr_global: 0}")
         LINE("varinst: [$r, set, 0]"),
     NULL},
};

static const buda_reference_row c21_to_c39[] = {
    {"C21 ram with global_rdptr_autoinc: steps per input and wraps", HOST_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: 0, global_rdptr_autoinc: 1}")
         EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: 0, global_rdptr_autoinc: 1}"),
     NULL},
    {"C22 ram autoinc: write pointer", OP_RAM,
     P LINE("var: {$wr: 3}") EXECUTE(
         "g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: $wr, global_wrptr_autoinc: 1}")
         EXECUTE("g", "a: {rd_ptr_local: 2, rd_ptr_global: 0}, w: {rd_ptr_global: 0, "
                      "wr_ptr_global: $wr, global_wrptr_autoinc: 1}") LINE("varinst: [$wr, set, 1]")
             EXECUTE("g",
                     A00 ", w: {rd_ptr_global: 0, wr_ptr_global: $wr, global_wrptr_autoinc: 1}"),
     NULL},
    {"C23 ram without autoinc: last input wins", OP_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: 2}"), NULL},
    {"C24 ram autoinc with prologue is refused", OP_RAM,
     P EXECUTE("g", A00 ", w: {prologue: @true, epilogue: false, zero: false, rd_ptr_global: 0, "
                        "wr_ptr_global: 0, global_wrptr_autoinc: @1}"),
     "BUDA-034b BUDA-033"},
    {"C25 ram pointer out of range", OP_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_global: 0, wr_ptr_global: @4}"), "BUDA-100a"},
    {"C26 alias: writer with 4 entries of t 1, reader with 1 entry of t 4", ALIAS,
     P LINE("var: {$i: 0, $j: 0}") LINE("loop: 4") EXECUTE(
         "g", "a: {rd_ptr_local: $i, rd_ptr_global: $i}, w: {rd_ptr_global: 0, wr_ptr_global: $j}")
         LINE("varinst: [$i, incwrap, 1, 8]") LINE("varinst: [$j, incwrap, 1, 4]") LINE("endloop")
             EXECUTE("h", "r: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: true}"),
     NULL},
    {"C27 cross-graph input: one temporal epoch", CHIPS("g1") REF_NOP("y", "x"),
     P EXECUTE("g0", A00) LINE("execute: {graph_name: g1}"), NULL},
    {"C27b cross-graph: the same sub-graph twice", CHIPS("@g1") REF_NOP("y", "x"),
     P EXECUTE("g0", A00) EXECUTE("@g0", A00), "BUDA-020b BUDA-035d"},
    {"C28 global_rdptr_autoinc on a queue", BASE("4", "4", "2"),
     P LINE("var: {$g: 0}")
         EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: $g, global_rdptr_autoinc: 1}")
             EXECUTE("g", "a: {rd_ptr_local: 2, rd_ptr_global: $g, global_rdptr_autoinc: 1}"),
     NULL},
    {"C29 rd_ptr_autoinc 0 and 2", BASE("4", "8", "2"),
     P EXECUTE("g", "a: {rd_ptr_local: 1, rd_ptr_global: 0, rd_ptr_autoinc: @0}")
         EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: 2}"),
     "BUDA-036e"},
    {"C30 streaming queue: entries must be a multiple of input_count", BASE("6", "4", "4"),
     P EXECUTE("g", "@a: {rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-032b"},
    {"C31 a slot that was never pushed (takes host pushes)", BASE("4", "4", "2"),
     P EXECUTE("g", A00), NULL},
    {"C32 a stale slot behind wr (takes host pushes)", BASE("4", "4", "1"),
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 2}"), NULL},
    {"C33 overflow: golden holds more than E (takes host pushes)", BASE("2", "4", "1"),
     P EXECUTE("g", A00), NULL},
    {"C34 op-fed queue between two graphs", PIPE,
     P LINE("var: {$g: 0}") EXECUTE("g", A00) EXECUTE(
         "h", "m: {rd_ptr_local: $g, rd_ptr_global: $g}") LINE("varinst: [$g, incwrap, 2, 8]"),
     NULL},
    {"C35 two readers of one queue, each with its own local pointer", TWO_READERS,
     P LINE("var: {$l: 0, $m: 2, $g: 0}") EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $g}")
         EXECUTE("h", "a: {rd_ptr_local: $m, rd_ptr_global: $g}") LINE("varinst: [$l, inc, 1]")
             LINE("varinst: [$m, inc, 1]") LINE("varinst: [$g, inc, 1]"),
     NULL},
    {"C36 allocate and deallocate: two queues at one address, one after the other", DYNAMIC,
     P LINE("allocate_queue: [d]") EXECUTE("g", A00) LINE("deallocate_queue: [d]")
         LINE("allocate_queue: [e]") EXECUTE("h", "a: {rd_ptr_local: 1, rd_ptr_global: 0}")
             EXECUTE("k", "e: {rd_ptr_local: 0, rd_ptr_global: 0}") LINE("deallocate_queue: [e]"),
     NULL},
    {"C37 allocate: overlap of two live queues", DYNAMIC,
     P LINE("allocate_queue: [d]") LINE("allocate_queue: [@e]") EXECUTE("g", A00) EXECUTE("h", A00)
         EXECUTE("k", "e: {rd_ptr_local: 0, rd_ptr_global: 0}") LINE("deallocate_queue: [d, e]"),
     "BUDA-079b"},
    {"C38 allocate twice", DYNAMIC,
     P LINE("allocate_queue: [@d]") LINE("allocate_queue: [@d]") EXECUTE("g", A00) EXECUTE("h", A00)
         EXECUTE("k", "e: {rd_ptr_local: 0, rd_ptr_global: 0}") LINE("deallocate_queue: [@e]"),
     "BUDA-029d BUDA-029b BUDA-029c"},
    {"C39 deallocate of a queue that was never allocated", BASE("4", "4", "1"),
     P LINE("var: {$l: 0}") EXECUTE("g", A00) LINE("deallocate_queue: [@o]"), "BUDA-029c"},
};

static const buda_reference_row c40_to_c58[] = {
    {"C40 zero without prologue", BASE("4", "4", "1"),
     P EXECUTE(
         "g",
         "a: {prologue: false, epilogue: false, zero: @true, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-030c"},
    {"C41 prologue bound to a param", BASE("4", "4", "1"),
     P LINE("param: [$p_b]") EXECUTE(
         "g",
         "a: {prologue: @$p_b, epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-034c"},
    {"C42 wr_ptr_global on a queue", BASE("4", "4", "1"),
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, wr_ptr_global: @0}"), "BUDA-025"},
    {"C43 local pointer of 2E and more", BASE("4", "4", "1"),
     P EXECUTE("g", "a: {rd_ptr_local: 9, rd_ptr_global: 0}"), NULL},
    {"C44 negative pointer", BASE("4", "4", "1"),
     P EXECUTE("g", "a: {rd_ptr_local: @-1, rd_ptr_global: 0}"), "BUDA-100b"},
    {"C45 list-form target_device", LIST_FORM,
     P LINE("var: {$g: 0}") EXECUTE("g", "a: {rd_ptr_local: $g, rd_ptr_global: $g}")
         LINE("varinst: [$g, inc, 1]"),
     NULL},
    {"C46 settings that differ within one temporal epoch",
     CHIPS("g1") REF_OP("y", "add", "x, a", "Float32, Float32", ", t: 1"),
     P EXECUTE("g0", A00) EXECUTE("g1", "a: {rd_ptr_local: @1, rd_ptr_global: 0}"), "BUDA-035c"},
    {"C47 prologue on a queue", BASE("4", "4", "2"),
     P EXECUTE(
         "g",
         "a: {prologue: true, epilogue: false, zero: false, rd_ptr_local: 1, rd_ptr_global: 0}"),
     NULL},
    {"C48 ram without prologue and without autoinc", HOST_RAM,
     P EXECUTE("g", A00 ", w: {rd_ptr_global: 1, wr_ptr_global: 0}"), NULL},
    {"C49 zero on a HOST ram with prologue", HOST_RAM,
     P EXECUTE(
         "g", A00
         ", w: {prologue: true, epilogue: false, zero: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     NULL},
    {"C50 op-fed queue overflows", BASE("4", "1", "1"),
     P LINE("var: {$l: 0}") LINE("loop: 3") EXECUTE("@g", "a: {rd_ptr_local: $l, rd_ptr_global: 0}")
         LINE("varinst: [$l, inc, 1]") LINE("endloop"),
     "BUDA-101b"},
    {"C51 local and global autoinc that differ", BASE("4", "4", "2"),
     P EXECUTE(
         "g",
         "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: @1, rd_ptr_autoinc: 2}"),
     "BUDA-027"},
    {"C52 HOST queue input without a setting", BASE("4", "4", "1"),
     P LINE("execute: {graph_name: @g}"), "BUDA-028"},
    {"C53 epilogue on an op-fed queue", BASE("4", "4", "1"),
     P EXECUTE(
         "g", A00
         ", o: {prologue: false, epilogue: @true, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-026"},
    {"C54 a $c_ constant changed in a loop", BASE("4", "4", "1"),
     P LINE("var: {$c_k: 1}") LINE("loop: 2") LINE("varinst: [@$c_k, inc, 1]") LINE("endloop")
         EXECUTE("g", A00),
     "BUDA-030a"},
    {"C55 autoinc 0 written out", BASE("4", "4", "2"),
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: @0, "
                    "global_rdptr_autoinc: 0, global_wrptr_autoinc: 0}, o: {rd_ptr_local: 0, "
                    "rd_ptr_global: 0, global_wrptr_autoinc: 0}"),
     "BUDA-036e"},
    {"C56 empty input_count and loop immediate; endloop with null", BASE("4", "4", "1"),
     P LINE("loop: 2") EXECUTE("g", A00) LINE("endloop:"), NULL},
    {"C57 wrap 0", BASE("4", "4", "1"),
     P LINE("var: {$a: 1}") LINE("varinst: [$a, incwrap, 1, @0]") EXECUTE("g", A00), "BUDA-031g"},
    {"C58 gradient op without zero: what the host wrote is not used", GRADIENT,
     P LINE("var: {$l: 0}") LINE("loop: 2")
         EXECUTE("g", "a: {rd_ptr_local: $l, rd_ptr_global: $l}, @w: {prologue: true, epilogue: "
                      "true, zero: false, rd_ptr_global: 0, wr_ptr_global: 0}")
             LINE("varinst: [$l, incwrap, 1, 8]") LINE("endloop"),
     "BUDA-106"},
};

HOIST_TEST_TABLE(queues_and_variables, c01_to_c20)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(rams_and_epochs, c21_to_c39)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_TABLE(settings_and_overflows, c40_to_c58)
{
    buda_test_reference_row(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queues_and_variables), HOIST_TEST_ROW(rams_and_epochs),
                HOIST_TEST_ROW(settings_and_overflows))
