// Rules that take running a program's control side: buda-netlist reference sections 2.3 to 2.8 and
// 5.2, worked cases of section 10 by their numbers.
#include "formats/buda/netlist_testing.h"
#include "formats/buda/simulate.h"

#define P PROGRAM_P
#define LINE PROGRAM_LINE
#define EXECUTE PROGRAM_EXECUTE
#define A00 PROGRAM_A00
#define ALL PROGRAM_ALL
#define SET(name, local, global) name ": {rd_ptr_local: " local ", rd_ptr_global: " global "}"
#define RAM(name, rd, wr) name ": {rd_ptr_global: " rd ", wr_ptr_global: " wr "}"

static const buda_program_row variables[] = {
    {"C10 undeclared destination", P LINE("varinst: [@$u, set, 3]"), "BUDA-031d"},
    {"undeclared destination, once",
     P LINE("loop: 1000") LINE("varinst: [@$u, inc, 3]") LINE("endloop"), "BUDA-031d"},
    {"C10 undeclared source", P LINE("var: [$l]") LINE("varinst: [$l, set, @$w]"), "BUDA-031b"},
    {"undeclared loop count", P LINE("loop: @$n") LINE("endloop"), "BUDA-031b"},
    {"undeclared pointer", P EXECUTE("g", SET("a", "0", "@$g")), "BUDA-031b"},
    {"declared too late", P LINE("loop: @$n") LINE("endloop") LINE("var: [$n]"), "BUDA-031b"},
    {"declared in another program",
     P LINE("staticvar: [$n]") PROGRAM_R LINE("loop: @$n") LINE("endloop"), "BUDA-031b"},
    {"initial value from a variable", P LINE("var: {$a: 1}") LINE("var: {$b: $a}"), NULL},
    {"initial value from nothing", P LINE("var: {$b: @$a}"), "BUDA-031b"},
    {"all dollars are stripped", P LINE("var: {$a$b: 1}") LINE("loop: $$ab") LINE("endloop"), NULL},
    {"C11 var in a loop", P LINE("loop: 2") LINE("var: {@$m: 1}") LINE("endloop"), "BUDA-031e"},
    {"var in a loop of one turn", P LINE("loop: 1") LINE("var: {$m: 1}") LINE("endloop"), NULL},
    {"var in a loop of unknown count",
     P LINE("param: [$p_n]") LINE("loop: $p_n") LINE("var: {$m: 1}") LINE("endloop"), NULL},
    {"var twice in a list", P LINE("var: [$m, @$m]"), "BUDA-031e"},
    {"var of a param", P LINE("param: [$p]") LINE("var: [@$p]"), "BUDA-031e"},
    {"staticvar of a var", P LINE("var: [$m]") LINE("staticvar: [@$m]"), "BUDA-031e"},
    {"var of a static", P LINE("staticvar: [$m]") LINE("var: [@$m]"), "BUDA-031e"},
    {"staticvar of a static", P LINE("staticvar: [$m]") LINE("staticvar: [$m]"), NULL},
    {"staticvar in a loop", P LINE("loop: 2") LINE("staticvar: [$m]") LINE("endloop"), NULL},
    {"the same name in two programs", P LINE("var: [$m]") PROGRAM_R LINE("var: [$m]"), NULL},
};

static const buda_program_row loops[] = {
    {"C12 count of 0", P LINE("var: {$n: 0}") LINE("loop: @$n") LINE("endloop"), "BUDA-031a"},
    {"immediate 0", P LINE("loop: @0") LINE("endloop"), "BUDA-031a"},
    {"false", P LINE("loop: @false") LINE("endloop"), "BUDA-031a"},
    {"negative", P LINE("loop: @-1") LINE("endloop"), "BUDA-031a"},
    {"worked out to 0",
     P LINE("var: {$n: 3}") LINE("varinst: [$n, mul, $n, 0]") LINE("loop: @$n") LINE("endloop"),
     "BUDA-031a"},
    {"C14 param", P LINE("param: [$p_n]") LINE("loop: $p_n") LINE("endloop"), NULL},
    {"from a param",
     P LINE("param: [$p_n]") LINE("var: [$n]") LINE("varinst: [$n, add, $p_n, -1]") LINE("loop: $n")
         LINE("endloop"),
     NULL},
    {"C13 count is read once",
     P LINE("var: {$i: 1, $n: 2}") LINE("loop: $n") LINE("varinst: [$n, set, 0]")
         LINE("varinst: [$i, inc, -1]") LINE("endloop") LINE("loop: @$n") LINE("endloop"),
     "BUDA-031a"},
    {"C13 nested loops multiply",
     P LINE("var: {$i: 0}") LINE("loop: 2") LINE("loop: 2") LINE("varinst: [$i, inc, 1]")
         LINE("endloop") LINE("endloop") LINE("varinst: [$i, inc, -4]") LINE("loop: @$i")
             LINE("endloop"),
     "BUDA-031a"},
    {"unknown after a loop of unknown count",
     P LINE("param: [$p_n]") LINE("var: {$i: 1}") LINE("loop: $p_n") LINE("varinst: [$i, inc, -1]")
         LINE("endloop") LINE("loop: $i") LINE("endloop"),
     NULL},
    {"in the first turn of an unknown count",
     P LINE("param: [$p_n]") LINE("var: {$i: 1}") LINE("loop: $p_n") LINE("varinst: [$i, inc, -1]")
         LINE("loop: @$i") LINE("endloop") LINE("endloop"),
     "BUDA-031a"},
    {"more turns than are walked",
     P LINE("var: {$i: 0}") LINE("loop: 1000000000") LINE("varinst: [$i, inc, 1]") LINE("@endloop")
         LINE("loop: 0") LINE("endloop"),
     "BUDA-903"},
};

// A loop over the result is refused exactly when the result is 0.
#define IS_ZERO(result) LINE("varinst: [$v, add, $v, " result "]") LINE("loop: @$v") LINE("endloop")

static const buda_program_row arithmetic[] = {
    {"C18 incwrap of a negative step",
     P LINE("var: {$v: 1}") LINE("varinst: [$v, incwrap, -3, 4]") IS_ZERO("-2"), "BUDA-031a"},
    {"C18 incwrap to 0", P LINE("var: {$v: 1}") LINE("varinst: [$v, incwrap, -1, 4]") IS_ZERO("0"),
     "BUDA-031a"},
    {"C18 incwrap beyond the wrap",
     P LINE("var: {$v: 3}") LINE("varinst: [$v, incwrap, 5, 4]") IS_ZERO("0"), "BUDA-031a"},
    {"C18 remainder of a negative",
     P LINE("var: {$v: -6}") LINE("varinst: [$v, incwrap, 1, 4]") IS_ZERO("1"), "BUDA-031a"},
    {"C18 mul and add",
     P LINE("var: {$v: 2, $x: 3}") LINE("varinst: [$v, mul, $v, $x]") IS_ZERO("-6"), "BUDA-031a"},
    {"32 bits wrap",
     P LINE("var: {$v: 2147483647}") LINE("varinst: [$v, inc, 1]")
         LINE("varinst: [$v, inc, -2147483648]") IS_ZERO("0"),
     "BUDA-031a"},
    {"C57 wrap 0", P LINE("var: {$a: 1}") LINE("varinst: [$a, incwrap, 1, @0]"), "BUDA-031g"},
    {"wrap of a variable that is 0",
     P LINE("var: {$a: 1, $w: 0}") LINE("varinst: [$a, incwrap, 1, @$w]"), "BUDA-031g"},
    {"wrap of a param",
     P LINE("param: [$p_w]") LINE("var: {$a: 1}") LINE("varinst: [$a, incwrap, 1, $p_w]"), NULL},
};

static const buda_program_row settings[] = {
    {"C40 zero without prologue",
     P EXECUTE("g", "a: {zero: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-030c"},
    {"zero in the second turn",
     P LINE("var: {$z: 0}") LINE("loop: 2")
         EXECUTE("g", "a: {zero: @$z, rd_ptr_local: 0, rd_ptr_global: 0}")
             LINE("varinst: [$z, set, 1]") LINE("endloop"),
     "BUDA-030c"},
    {"C49 zero with prologue",
     P EXECUTE("w2", A00 ", w: {prologue: true, zero: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     NULL},
    {"zero of a param",
     P LINE("param: [$p_z]") EXECUTE("g", "a: {zero: $p_z, rd_ptr_local: 0, rd_ptr_global: 0}"),
     NULL},
    {"input_count beyond the entries", P EXECUTE("s8", "@" A00), "BUDA-032a"},
    {"C30 entries no multiple", P EXECUTE("s4", SET("@a6", "0", "0")), "BUDA-032b"},
    {"C30 with prologue",
     P EXECUTE("s4", "a6: {prologue: true, rd_ptr_local: 0, rd_ptr_global: 0}"), NULL},
    {"C30 with global autoinc",
     P EXECUTE("s4", "a6: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: 1}"), NULL},
    {"C30 without steps",
     P EXECUTE("s4", "a6: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: @0}"), "BUDA-036e"},
    {"C30 prologue unknown",
     P LINE("param: [$p]") LINE("var: [$b]") LINE("varinst: [$b, set, $p]")
         EXECUTE("s4", "a6: {prologue: $b, rd_ptr_local: 0, rd_ptr_global: 0}"),
     NULL},
    {"C24 autoinc with prologue",
     P EXECUTE("w2", A00 ", w: {prologue: true, rd_ptr_global: 0, wr_ptr_global: 0, "
                         "global_wrptr_autoinc: @1}"),
     "BUDA-033"},
    {"C22 autoinc without",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 3, "
                         "global_wrptr_autoinc: 1}"),
     NULL},
    {"epilogue of an input",
     P EXECUTE("g", "a: {epilogue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034a"},
    {"epilogue of an input, by a variable",
     P LINE("var: {$e: 1}") EXECUTE("g", "a: {epilogue: @$e, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-034a"},
    {"prologue of an output",
     P EXECUTE("v2", A00 ", v: {prologue: @true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-034b"},
    {"epilogue of an output",
     P EXECUTE("v2", A00 ", v: {epilogue: @true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-034b"},
    {"C19 gradient output",
     P LINE("var: {$z: 1, $l: 0}") LINE("loop: 3")
         EXECUTE("d1", ALL ", dw: {prologue: true, epilogue: true, zero: $z, rd_ptr_global: 0, "
                           "wr_ptr_global: 0}") LINE("varinst: [$z, set, 0]")
             LINE("varinst: [$l, incwrap, 1, 8]") LINE("endloop"),
     NULL},
    {"prologue of a table",
     P EXECUTE("e", SET("idx", "0", "0") ", tab: {prologue: @true, rd_ptr_global: 0, "
                                         "wr_ptr_global: 0}"),
     "BUDA-034d"},
    {"prologue of the indices",
     P EXECUTE("e", "idx: {prologue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034d"},
    {"table without", P EXECUTE("e", SET("idx", "0", "0") ", " RAM("tab", "0", "0")), NULL},
    {"prologue on another chip",
     P EXECUTE("f", "far: {prologue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-034e"},
    {"queue on another chip", P EXECUTE("f", SET("far", "0", "0")), NULL},
};

static const buda_program_row pointers[] = {
    {"C25 ram beyond its entries", P EXECUTE("v2", A00 ", " RAM("v", "0", "@4")), "BUDA-100a"},
    {"ram read pointer", P EXECUTE("w2", A00 ", " RAM("w", "@2", "0")), "BUDA-100a"},
    {"negative ram pointer", P EXECUTE("v2", A00 ", " RAM("v", "@-1", "0")), "BUDA-100a"},
    {"last slot", P EXECUTE("v2", A00 ", " RAM("v", "3", "3")), NULL},
    {"ram pointer stepped out",
     P LINE("var: {$w: 3}") EXECUTE("v2", A00 ", " RAM("v", "0", "$w"))
         LINE("varinst: [@$w, inc, 1]"),
     "BUDA-100a"},
    {"ram pointer wrapped",
     P LINE("var: {$w: 3}") EXECUTE("v2", A00 ", " RAM("v", "0", "$w"))
         LINE("varinst: [$w, incwrap, 1, 4]"),
     NULL},
    {"stepped before any execute",
     P LINE("var: {$w: 3}") LINE("varinst: [$w, inc, 1]") LINE("varinst: [$w, set, 0]")
         EXECUTE("v2", A00 ", " RAM("v", "0", "$w")),
     NULL},
    {"bound to the setting before the last",
     P LINE("var: {$w: 3}") EXECUTE("v2", A00 ", " RAM("v", "0", "$w"))
         EXECUTE("v2", A00 ", " RAM("v", "0", "0")) LINE("varinst: [$w, inc, 1]"),
     NULL},
    {"C44 negative local pointer", P EXECUTE("g", SET("a", "@-1", "0")), "BUDA-100b"},
    {"negative global pointer", P EXECUTE("g", SET("a", "0", "@-1")), "BUDA-100b"},
    {"C43 local pointer beyond 2E", P EXECUTE("g", SET("a", "9", "0")), NULL},
    {"pointer of a param", P LINE("param: [$p]") EXECUTE("v2", A00 ", " RAM("v", "0", "$p")), NULL},
    {"C20 prologue ram",
     P LINE("var: {$r: 1}")
         EXECUTE("w2", A00 ", w: {prologue: true, rd_ptr_global: $r, wr_ptr_global: 0}")
             LINE("varinst: [$r, set, 0]"),
     NULL},
    {"C09 the table of settings is per run",
     P LINE("var: {$w: 3}") EXECUTE("v2", A00 ", " RAM("v", "0", "$w"))
         PROGRAM_R LINE("var: {$w: 3}") LINE("varinst: [$w, inc, 1]"),
     NULL},
};

// m: E=4, two entries per execute of m2 and n2. q: E=4, one per execute of m1 and n1.
#define FILL EXECUTE("m2", A00)
#define DRAIN(local, global) EXECUTE("n2", SET("m", local, global))

static const buda_program_row queues[] = {
    {"C01 host-fed queues are not followed",
     P LINE("var: {$l: 0}") EXECUTE("g", ALL) EXECUTE("g", ALL), NULL},
    {"C02 C03 pops of host-fed queues",
     P LINE("var: {$g: 0, $l: 0}") LINE("loop: 2") EXECUTE("g2", SET("a", "$l", "$g"))
         LINE("varinst: [$g, incwrap, 2, 8]") LINE("varinst: [$l, incwrap, 2, 8]") LINE("endloop"),
     NULL},
    {"C04 statics",
     P LINE("staticvar: {$s: 0}") EXECUTE("g", SET("a", "$s", "$s"))
         LINE("varinst: [$s, incwrap, 1, 4]"),
     NULL},
    {"C34 one graph fills, another drains",
     P LINE("var: {$g: 0}") FILL DRAIN("$g", "$g") LINE("varinst: [$g, incwrap, 2, 8]"), NULL},
    {"many turns",
     P LINE("var: {$g: 0}") LINE("loop: 30") FILL DRAIN("$g", "$g")
         LINE("varinst: [$g, incwrap, 2, 8]") LINE("endloop"),
     NULL},
    {"never filled", P EXECUTE("n2", SET("@m", "0", "0")), "BUDA-097"},
    {"drained twice",
     P LINE("var: {$g: 0}") FILL LINE("loop: 2") EXECUTE("n2", SET("@m", "$g", "$g"))
         LINE("varinst: [$g, incwrap, 2, 8]") LINE("endloop"),
     "BUDA-097"},
    {"popped while empty",
     P EXECUTE("m1", A00)
         EXECUTE("n1", "@q: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: 2, "
                       "global_rdptr_autoinc: 2}"),
     "BUDA-097"},
    {"popped by each input",
     P LINE("var: {$g: 0}") LINE("loop: 5") EXECUTE("m1", A00)
         EXECUTE("n1", "q: {rd_ptr_local: $g, rd_ptr_global: $g, global_rdptr_autoinc: 1}")
             LINE("varinst: [$g, incwrap, 1, 8]") LINE("endloop"),
     NULL},
    {"C31 a slot that was never pushed", P EXECUTE("m1", A00) EXECUTE("n1", SET("@q", "1", "0")),
     "BUDA-098"},
    {"the second input was never pushed", P FILL EXECUTE("n2", SET("@m", "1", "0")), "BUDA-098"},
    {"C29 step of 0",
     P FILL EXECUTE("n2", "m: {rd_ptr_local: 1, rd_ptr_global: 0, "
                          "rd_ptr_autoinc: @0}"),
     "BUDA-036e"},
    {"C29 step of 2",
     P FILL FILL EXECUTE("n2", "m: {rd_ptr_local: 0, rd_ptr_global: 0, "
                               "rd_ptr_autoinc: 2}"),
     NULL},
    {"step of 2 beyond",
     P FILL EXECUTE("n2", "@m: {rd_ptr_local: 0, rd_ptr_global: 0, "
                          "rd_ptr_autoinc: 2}"),
     "BUDA-098"},
    {"C47 prologue reads one entry",
     P EXECUTE("m1", A00) EXECUTE("n1", "q: {prologue: true, rd_ptr_local: 0, rd_ptr_global: 0}"),
     NULL},
    {"C32 a popped slot",
     P LINE("var: {$g: 0}") FILL FILL DRAIN("0", "$g") LINE("varinst: [$g, set, 2]")
         EXECUTE("n2", SET("@m", "0", "$g")),
     "BUDA-099"},
    {"C35 two settings, two places",
     P LINE("var: {$l: 0, $m: 2, $g: 0}") FILL FILL DRAIN("$l", "$g") DRAIN("$m", "$g"), NULL},
    {"C43 a phase that does not matter",
     P LINE("var: {$l: 0}") FILL DRAIN("8", "$l") LINE("varinst: [$l, set, 2]")
         FILL DRAIN("2", "$l") FILL DRAIN("0", "2"),
     NULL},
    {"C50 nobody pops", P LINE("loop: 3") EXECUTE("@g1", A00) LINE("endloop"), "BUDA-101b"},
    {"C50 just full", P LINE("loop: 4") EXECUTE("g", A00) LINE("endloop"), NULL},
    {"C33 more than its entries", P FILL FILL EXECUTE("@m2", A00), "BUDA-101"},
    {"C50 in a loop of unknown count",
     P LINE("param: [$p]") LINE("loop: $p") EXECUTE("g1", A00) LINE("endloop") EXECUTE("g1", A00),
     NULL},
    {"in the first turn of an unknown count",
     P LINE("param: [$p]") EXECUTE("g1", A00) LINE("loop: $p") EXECUTE("@g1", A00) LINE("endloop"),
     "BUDA-101b"},
    {"C55 every output is pushed",
     P LINE("loop: 2")
         EXECUTE("@g1", A00 ", o1: {rd_ptr_local: 0, rd_ptr_global: 0, global_wrptr_autoinc: 0}")
             LINE("endloop"),
     "BUDA-101b"},
    {"another program may have drained", P FILL FILL FILL PROGRAM_R DRAIN("0", "0"), NULL},
    {"C06 past what is there",
     P LINE("var: {$g: 0}") FILL DRAIN("0", "$g") LINE("varinst: [@$g, set, 3]"), "BUDA-102"},
    {"C28 backwards",
     P FILL FILL EXECUTE("n2", "m: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: 1}")
         EXECUTE("n2", "m: {rd_ptr_local: 2, rd_ptr_global: @0, global_rdptr_autoinc: 1}"),
     "BUDA-102"},
    {"C08 unrelated variable",
     P LINE("var: {$g: 0, $u: 0}") FILL DRAIN("0", "$g") LINE("varinst: [$u, set, 7]"), NULL},
    {"C08 before the first execute",
     P LINE("var: {$g: 0}") LINE("varinst: [$g, set, 7]") LINE("varinst: [$g, set, 0]")
         FILL DRAIN("0", "$g"),
     NULL},
    {"wrap of E loses the phase",
     P LINE("var: {$g: 0}") LINE("loop: 3") FILL DRAIN("$g", "$g")
         LINE("varinst: [@$g, incwrap, 2, 4]") LINE("endloop"),
     "BUDA-102"},
    {"pointer of a param", P LINE("param: [$p]") FILL DRAIN("$p", "0") DRAIN("0", "$p") FILL FILL,
     NULL},
    {"read without a setting", P LINE("execute: {graph_name: n2}") FILL FILL FILL, NULL},
    {"more pushes than pops in a turn",
     P LINE("var: {$g: 0}") LINE("@loop: 2") FILL DRAIN("$g", "$g")
         LINE("varinst: [$g, incwrap, 1, 8]") LINE("endloop"),
     "BUDA-036d"},
    {"a turn fills, another loop drains",
     P LINE("var: {$g: 0}") LINE("loop: 2") FILL LINE("endloop") LINE("loop: 2") DRAIN("$g", "$g")
         LINE("varinst: [$g, incwrap, 2, 8]") LINE("endloop"),
     NULL},
};

static const buda_program_row live[] = {
    {"C36 one after the other",
     P LINE("allocate_queue: [kd]") EXECUTE("k", A00) LINE("deallocate_queue: [kd]")
         LINE("allocate_queue: [ke]") EXECUTE("h", A00) EXECUTE("r", SET("ke", "0", "0"))
             LINE("deallocate_queue: [ke]"),
     NULL},
    {"C37 both live",
     P LINE("allocate_queue: [kd]") LINE("allocate_queue: [@ke]")
         LINE("deallocate_queue: [kd, ke]"),
     "BUDA-079b"},
    {"C38 allocated twice",
     P LINE("allocate_queue: [kd]") LINE("allocate_queue: [@kd]") LINE("deallocate_queue: [kd]"),
     "BUDA-029b"},
    {"allocated in each turn",
     P LINE("loop: 2") LINE("allocate_queue: [@kd]") LINE("endloop") LINE("deallocate_queue: [kd]"),
     "BUDA-029b"},
    {"live since another program",
     P LINE("allocate_queue: [kd]") PROGRAM_R LINE("allocate_queue: [@kd]")
         LINE("deallocate_queue: [kd]"),
     "BUDA-029b"},
    {"C39 never allocated", P EXECUTE("g", A00) LINE("deallocate_queue: [@o]"), "BUDA-029c"},
    {"deallocated twice",
     P LINE("allocate_queue: [kd]") LINE("deallocate_queue: [kd]") LINE("deallocate_queue: [@kd]"),
     "BUDA-029c"},
    {"never deallocated", P LINE("allocate_queue: [@kd]"), "BUDA-029d"},
    {"deallocated by another program",
     P LINE("allocate_queue: [kd]") PROGRAM_R LINE("deallocate_queue: [kd]"), NULL},
    {"allocating empties",
     P LINE("allocate_queue: [kd]") LINE("loop: 2") EXECUTE("k", A00) LINE("endloop")
         LINE("deallocate_queue: [kd]") LINE("allocate_queue: [kd]") EXECUTE("k", A00)
             LINE("deallocate_queue: [kd]"),
     NULL},
    {"a program knows what it has allocated itself",
     P LINE("allocate_queue: [kd]") EXECUTE("k", A00) EXECUTE("k", A00) EXECUTE("@k", A00)
         LINE("deallocate_queue: [kd]") PROGRAM_R LINE("allocate_queue: [kd]")
             LINE("deallocate_queue: [kd]"),
     "BUDA-101b"},
    {"the slots may be another program's",
     P LINE("allocate_queue: [ke]") EXECUTE("h", A00) LINE("deallocate_queue: [ke]")
         PROGRAM_R LINE("allocate_queue: [ke]") EXECUTE("h", A00) EXECUTE("r", SET("@ke", "1", "0"))
             LINE("deallocate_queue: [ke]"),
     "BUDA-099"},
    {"the slots stay",
     P LINE("allocate_queue: [ke]") EXECUTE("h", A00) EXECUTE("h", A00)
         LINE("deallocate_queue: [ke]") LINE("allocate_queue: [ke]") EXECUTE("h", A00)
             EXECUTE("r", SET("@ke", "1", "0")) LINE("deallocate_queue: [ke]"),
     "BUDA-099"},
};

static const buda_program_row epochs[] = {
    {"C27 both graphs", P EXECUTE("c0", A00) LINE("execute: {graph_name: c1}"), NULL},
    {"C27b the same graph twice",
     P EXECUTE("c0", A00) EXECUTE("@c0", A00) LINE("execute: {graph_name: c1}"), "BUDA-035d"},
    {"C45 both devices at once",
     P LINE("var: {$g: 0}") EXECUTE("l", SET("al", "$g", "$g")) LINE("varinst: [$g, inc, 1]"),
     NULL},
    {"never completed", P EXECUTE("@c0", A00), "BUDA-035e"},
    {"completed by another program",
     P EXECUTE("c0", A00) LINE("execute: {graph_name: c1}") PROGRAM_R EXECUTE("@c0", A00),
     "BUDA-035e"},
    {"outputs come when it is complete",
     P LINE("loop: 3") EXECUTE("c0", A00) LINE("execute: {graph_name: @c1}") LINE("endloop"),
     "BUDA-101b"},
};

#define TABLE_TEST(test_name, cases)                                                               \
    HOIST_TEST_TABLE(test_name, cases)                                                             \
    {                                                                                              \
        buda_test_program_row(t, row);                                                             \
    }

TABLE_TEST(follows_variables, variables)
TABLE_TEST(follows_loops, loops)
TABLE_TEST(calculates, arithmetic)
TABLE_TEST(checks_settings, settings)
TABLE_TEST(checks_pointers, pointers)
TABLE_TEST(follows_queues, queues)
TABLE_TEST(follows_allocation, live)
TABLE_TEST(follows_epochs, epochs)

// Epochs of other netlists: two graphs on device 0 and 1, joined because g1 reads an op of g0.
typedef struct epoch_case {
    const char *name;
    const char *graphs;
    const char *rule;
    hoist_pos pos;
} epoch_case;

#define NOP(name, input)                                                                           \
    "    " name ": {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [" input "]}\n"

static const epoch_case epoch_cases[] = {
    {"equal",
     "  g0:\n    target_device: 0\n    input_count: 2\n" NOP(
         "x", "a") "  g1:\n    target_device: 1\n    input_count: 2\n" NOP("y", "x"),
     NULL,
     {0, 0}},
    {"input_count differs",
     "  g0:\n    target_device: 0\n    input_count: 2\n" NOP(
         "x", "a") "  g1:\n    target_device: 1\n    input_count: 4\n" NOP("y", "x"),
     "BUDA-035a",
     {11, 18}},
    {"device twice",
     "  g0:\n    target_device: 0\n    input_count: 2\n" NOP(
         "x",
         "a") "  g1:\n    target_device: 1\n    input_count: 2\n" NOP("y",
                                                                      "x") "  g2:\n    "
                                                                           "target_device: 0\n "
                                                                           "   input_count: "
                                                                           "2\n" NOP("z", "y"),
     "BUDA-035b",
     {14, 20}},
};

HOIST_TEST_TABLE(checks_groups, epoch_cases)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "devices: {arch: wormhole_b0}\nqueues:\n"
        "  a: {type: ram, input: HOST, entries: 4, target_device: 0}\ngraphs:\n%s"
        "programs:\n- p:\n    - var: [$l]\n",
        row->graphs);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    HOIST_EXPECT_EQ(t, buda_test_check_programs(bytes, hoist_allocator_system(), NULL, t->diag),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->rule != NULL);
    if (row->rule && hoist_diag_kept(t->diag)) {
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.pos.line, row->pos.line);
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.pos.column, row->pos.column);
    }
}

// Settings of one queue that differ within an epoch: c1 gets a setting for a queue of its own in
// this netlist, where both graphs read `a`.
typedef struct differing_case {
    const char *name;
    const char *second; // fields of the second setting of `a`
    const char *rule;
} differing_case;

static const differing_case differing[] = {
    {"the same", "{rd_ptr_local: 0, rd_ptr_global: 0}", NULL},
    {"C46 other local pointer", "{rd_ptr_local: 1, rd_ptr_global: 0}", "BUDA-035c"},
    {"default written out", "{prologue: false, rd_ptr_local: 0, rd_ptr_global: 0}", NULL},
    {"by a variable", "{rd_ptr_local: $one, rd_ptr_global: 0}", "BUDA-035c"},
    {"by a variable of the same value", "{rd_ptr_local: $zero, rd_ptr_global: 0}", NULL},
    {"by a param", "{rd_ptr_local: $p, rd_ptr_global: 0}", NULL},
};

HOIST_TEST_TABLE(compares_settings, differing)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "devices: {arch: wormhole_b0}\nqueues:\n"
        "  a: {type: queue, input: HOST, entries: 4, target_device: "
        "0}\ngraphs:\n"
        "  g0:\n    target_device: 0\n    input_count: 1\n" NOP(
            "x", "a") "  g1:\n    target_device: 1\n    input_count: "
                      "1\n" NOP("y", "x, a") "programs:\n- p:\n    - param: "
                                             "[$p]\n    - var: {$one: 1, $zero: "
                                             "0}\n"
                                             "    - execute: {graph_name: g0, "
                                             "queue_settings: {a: {rd_ptr_local: "
                                             "0, rd_ptr_global: 0}}}\n"
                                             "    - execute: {graph_name: g1, "
                                             "queue_settings: {a: %s}}\n",
        row->second);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    HOIST_EXPECT_EQ(t, buda_test_check_programs(bytes, hoist_allocator_system(), NULL, t->diag),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
}

// Params that the caller gives.
typedef struct param_case {
    const char *name;
    buda_param param;
    const char *rule;
} param_case;

static const param_case params[] = {
    {"C14 given", {{"$p_n", 4}, {"1", 1}}, NULL},
    {"C15 missing", {{"$p_m", 4}, {"1", 1}}, "BUDA-031f"},
    {"without its dollar", {{"p_n", 3}, {"1", 1}}, "BUDA-031f"},
    {"C16 no immediate", {{"$p_n", 4}, {"$x", 2}}, "BUDA-031f"},
    {"judged with its value", {{"$p_n", 4}, {"0", 1}}, "BUDA-031a"},
};

static hoist_status simulate_with(const buda_net *net, const buda_params *given, hoist_arena *arena,
                                  hoist_diag *diag)
{
    buda_index index;
    buda_reporter reporter;
    buda_code code = {0};
    buda_reporter_init(&reporter, diag, arena);
    hoist_status status = buda_index_build(net, arena, &index);
    if (status == HOIST_OK) {
        status = buda_code_build(&index, &net->module->programs[0], &code);
    }
    if (status == HOIST_OK) {
        status = buda_simulate(&index, &code, given, &reporter);
    }
    buda_reporter_deinit(&reporter);
    buda_index_deinit(&index);
    return status;
}

HOIST_TEST_TABLE(takes_params, params)
{
    const hoist_bytes text =
        buda_test_programs(t, P LINE("param: [$p_n]") LINE("loop: $p_n") LINE("endloop")).text;
    const buda_params given = {&row->param, 1};
    buda_opened opened;
    if (buda_test_open(t, text, NULL, &opened)) {
        HOIST_EXPECT_EQ(t, simulate_with(&opened.net, &given, &t->arena, t->diag), HOIST_OK);
        buda_test_close(&opened);
    }
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->rule != NULL);
}

// Deeper than any netlist: the simulation ends, the nesting itself is fine.
HOIST_TEST(gives_up_on_deep_nesting)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_format(&text, "%s", P);
    for (int i = 0; i < 100; i++) {
        hoist_buffer_format(&text, "%s", i == 65 ? LINE("@loop: 1") : LINE("loop: 1"));
    }
    hoist_buffer_format(&text, "%s", LINE("varinst: [$u, set, 1]"));
    for (int i = 0; i < 100; i++) {
        hoist_buffer_format(&text, "%s", LINE("endloop"));
    }
    const buda_program_row row = {
        .programs = hoist_arena_str(&t->arena, hoist_buffer_text(&text)).data, .rule = "BUDA-903"};
    hoist_buffer_deinit(&text);
    buda_test_program_row(t, &row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(follows_variables), HOIST_TEST_ROW(follows_loops),
                HOIST_TEST_ROW(calculates), HOIST_TEST_ROW(checks_settings),
                HOIST_TEST_ROW(checks_pointers), HOIST_TEST_ROW(follows_queues),
                HOIST_TEST_ROW(follows_allocation), HOIST_TEST_ROW(follows_epochs),
                HOIST_TEST_ROW(checks_groups), HOIST_TEST_ROW(compares_settings),
                HOIST_TEST_ROW(takes_params), HOIST_TEST_ROW(gives_up_on_deep_nesting))
