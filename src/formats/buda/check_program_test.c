// Rules of programs that take no running: buda-netlist reference section 5.2, worked cases of
// section 10 by their numbers.
#include "formats/buda/netlist_testing.h"

#define P PROGRAM_P
#define LINE PROGRAM_LINE
#define EXECUTE PROGRAM_EXECUTE
#define A00 PROGRAM_A00

static const buda_program_row immediates[] = {
    {"numbers", P LINE("var: {$a: 7, $b: -7, $c: +7, $d: true, $e: FALSE}"), NULL},
    {"largest", P LINE("var: {$a: 2147483647, $b: -2147483648}"), NULL},
    {"bad value", P LINE("var: {$a: @abc}"), "BUDA-031c"},
    {"bad operand", P LINE("var: [$a]") LINE("varinst: [$a, set, @abc]"), "BUDA-031c"},
    {"sign only", P LINE("var: {$a: @-}"), "BUDA-031c"},
    {"empty", P LINE("var: {$a: @''}"), "BUDA-031c"},
    {"bad count", P LINE("loop: @many") LINE("endloop"), "BUDA-031c"},
    {"too large", P LINE("var: {$a: @2147483648}"), "BUDA-031c"},
    {"too small", P LINE("var: {$a: @-2147483649}"), "BUDA-031c"},
    {"far too large", P LINE("var: {$a: @99999999999999999999999999}"), "BUDA-031c"},
    {"bad setting", P EXECUTE("g", "a: {rd_ptr_local: @yes, rd_ptr_global: 0}"), "BUDA-031c"},
    {"C17 hexadecimal", P LINE("var: [$a]") LINE("varinst: [$a, set, @0x10]"), "BUDA-036b"},
    {"C17 trailing text", P LINE("var: [$a]") LINE("varinst: [$a, set, @12abc]"), "BUDA-036b"},
    {"C17 true", P LINE("var: [$a]") LINE("varinst: [$a, set, true]"), NULL},
    {"fraction", P LINE("var: {$a: @1.5}"), "BUDA-036b"},
    {"hexadecimal setting", P EXECUTE("g", "a: {rd_ptr_local: @0x0, rd_ptr_global: 0}"),
     "BUDA-036b"},
    {"read_only is a yaml bool",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: no}"), NULL},
};

static const buda_program_row loops[] = {
    {"C56 both endloops",
     P LINE("loop: 2") EXECUTE("g", A00) LINE("endloop:") LINE("loop: 1") LINE("endloop"), NULL},
    {"C13 nested",
     P LINE("var: {$n: 2}") LINE("loop: $n") LINE("varinst: [$n, inc, 1]") LINE("loop: 2")
         LINE("endloop") LINE("endloop"),
     NULL},
    {"never closed", P LINE("@loop: 2") EXECUTE("g", A00), "BUDA-031h"},
    {"outer never closed", P LINE("@loop: 2") LINE("loop: 2") LINE("endloop"), "BUDA-031h"},
    {"never opened", P LINE("loop: 2") LINE("endloop") LINE("@endloop"), "BUDA-031h"},
    {"ends before it begins", P LINE("@endloop:"), "BUDA-031h"},
    {"C54 constant in a loop",
     P LINE("var: {$c_k: 1}") LINE("loop: 2") LINE("varinst: [@$c_k, inc, 1]") LINE("endloop"),
     "BUDA-030a"},
    {"constant set twice",
     P LINE("var: [$c_k]") LINE("varinst: [$c_k, set, 1]") LINE("varinst: [@$c_k, set, 2]"),
     "BUDA-030a"},
    {"constant worked out",
     P LINE("var: {$c_k: 2}") LINE("varinst: [$c_k, mul, $c_k, 3]")
         LINE("varinst: [$c_k, mul, $c_k, 4]"),
     NULL},
    {"constant of each program",
     P LINE("var: [$c_k]") LINE("varinst: [$c_k, set, 1]") PROGRAM_R LINE("var: [$c_k]")
         LINE("varinst: [$c_k, set, 1]"),
     NULL},
    {"no constant by its name",
     P LINE("var: {$count: 1}") LINE("loop: 2") LINE("varinst: [$count, inc, 1]") LINE("endloop"),
     NULL},
};

static const buda_program_row names[] = {
    {"no such graph", P LINE("execute: {graph_name: @nowhere}"), "BUDA-024"},
    {"no such queue", P EXECUTE("g", A00 ", @zz: {rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-024"},
    {"queue of another graph", P EXECUTE("g", A00 ", @a6: {rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-024"},
    {"output queue", P EXECUTE("g", A00 ", o: {rd_ptr_local: 0, rd_ptr_global: 0}"), NULL},
    {"C45 list form", P EXECUTE("l", "al: {rd_ptr_local: 0, rd_ptr_global: 0}"), NULL},
    {"list form, other queue",
     P EXECUTE("l",
               "al: {rd_ptr_local: 0, rd_ptr_global: 0}, @a: {rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-024"},
    {"C52 no setting", P LINE("execute: {graph_name: @g}"), "BUDA-028"},
    {"setting for another", P EXECUTE("@g", "o: {rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-028"},
    {"gradient ram without setting", P EXECUTE("@d1", A00), "BUDA-028"},
    {"missing in the second execute", P EXECUTE("g", A00) LINE("execute: {graph_name: @g}"),
     "BUDA-028"},
    {"host ram needs none", P EXECUTE("w2", A00), NULL},
    {"op-fed queue needs none", P LINE("execute: {graph_name: n2}"), NULL},
    {"allocate no queue", P LINE("allocate_queue: [@nothing]"), "BUDA-029a"},
    {"deallocate no queue", P LINE("deallocate_queue: [@nothing]"), "BUDA-029a"},
    {"allocate a list-form queue", P LINE("allocate_queue: [ol]") LINE("deallocate_queue: [ol]"),
     NULL},
};

static const buda_program_row fields[] = {
    {"queue without local", P EXECUTE("g", "@a: {rd_ptr_global: 0}"), "BUDA-025"},
    {"queue without global", P EXECUTE("g", "@a: {rd_ptr_local: 0}"), "BUDA-025"},
    {"C42 queue with write pointer",
     P EXECUTE("g", "a: {rd_ptr_local: 0, rd_ptr_global: 0, wr_ptr_global: @0}"), "BUDA-025"},
    {"ram without global", P EXECUTE("v2", A00 ", @v: {wr_ptr_global: 0}"), "BUDA-025"},
    {"ram without write pointer", P EXECUTE("v2", A00 ", @v: {rd_ptr_global: 0}"), "BUDA-025"},
    {"ram with local",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, rd_ptr_local: @0}"),
     "BUDA-025"},
    {"C53 epilogue on an op-fed queue",
     P EXECUTE("g", A00 ", o: {epilogue: @true, rd_ptr_local: 0, rd_ptr_global: 0}"), "BUDA-026"},
    {"no epilogue on an op-fed queue",
     P EXECUTE("g", A00 ", o: {epilogue: false, rd_ptr_local: 0, rd_ptr_global: 0}"), NULL},
    {"C51 autoincs differ",
     P EXECUTE(
         "g",
         "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: @1, rd_ptr_autoinc: 2}"),
     "BUDA-027"},
    {"autoincs of equal value and other text",
     P LINE("var: {$k: 1}") EXECUTE(
         "g",
         "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: @1, rd_ptr_autoinc: $k}"),
     "BUDA-027"},
    {"C28 one autoinc",
     P EXECUTE("g2", "a: {rd_ptr_local: 0, rd_ptr_global: 0, global_rdptr_autoinc: 1}"), NULL},
    {"C55 autoincs of zero",
     P EXECUTE(
         "g2",
         "a: {rd_ptr_local: 0, rd_ptr_global: 0, rd_ptr_autoinc: 2, global_rdptr_autoinc: 0}"),
     NULL},
    {"C41 prologue of a param",
     P LINE("param: [$p_b]")
         EXECUTE("g", "a: {prologue: @$p_b, rd_ptr_local: 0, rd_ptr_global: 0}"),
     "BUDA-034c"},
    {"epilogue of a param",
     P LINE("param: [$p_b]") EXECUTE(
         "d1", A00
         ", dw: {prologue: true, epilogue: @$p_b, zero: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-034c"},
    {"zero of a param",
     P LINE("param: [$p_z]") EXECUTE(
         "d1", A00
         ", dw: {prologue: true, epilogue: true, zero: $p_z, rd_ptr_global: 0, wr_ptr_global: 0}"),
     NULL},
    {"C41 prologue of a variable",
     P LINE("var: {$b: 1}") EXECUTE("g", "a: {prologue: $b, rd_ptr_local: 0, rd_ptr_global: 0}"),
     NULL},
    {"read_only differs",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: true}")
         EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: @false}"),
     "BUDA-030b"},
    {"read_only left out",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: true}")
         PROGRAM_R EXECUTE("v2", A00 ", @v: {rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-030b"},
    {"read_only the same",
     P EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: True}")
         EXECUTE("v2", A00 ", v: {rd_ptr_global: 0, wr_ptr_global: 0, read_only: true}"),
     NULL},
    {"C58 gradient ram never zeroed",
     P EXECUTE("d1",
               A00 ", @dw: {prologue: true, epilogue: true, rd_ptr_global: 0, wr_ptr_global: 0}"),
     "BUDA-106"},
    {"gradient ram zeroed elsewhere",
     P EXECUTE("d1",
               A00 ", dw: {prologue: true, epilogue: true, rd_ptr_global: 0, wr_ptr_global: 0}")
         PROGRAM_R EXECUTE("d1", A00 ", dw: {prologue: true, epilogue: true, zero: true, "
                                     "rd_ptr_global: 0, wr_ptr_global: 0}"),
     NULL},
};

HOIST_TEST_TABLE(checks_immediates, immediates)
{
    buda_test_program_row(t, row);
}

HOIST_TEST_TABLE(checks_loops, loops)
{
    buda_test_program_row(t, row);
}

HOIST_TEST_TABLE(checks_names, names)
{
    buda_test_program_row(t, row);
}

HOIST_TEST_TABLE(checks_fields, fields)
{
    buda_test_program_row(t, row);
}

typedef struct value_case {
    const char *name; // the text
    buda_immediate kind;
    int32_t value;
} value_case;

static const value_case values[] = {
    {"0", BUDA_IMMEDIATE_PLAIN, 0},     {"-12", BUDA_IMMEDIATE_PLAIN, -12},
    {"007", BUDA_IMMEDIATE_PLAIN, 7},   {"True", BUDA_IMMEDIATE_PLAIN, 1},
    {"false", BUDA_IMMEDIATE_PLAIN, 0}, {"-2147483648", BUDA_IMMEDIATE_PLAIN, INT32_MIN},
    {"0x10", BUDA_IMMEDIATE_PREFIX, 0}, {"12abc", BUDA_IMMEDIATE_PREFIX, 12},
    {"truth", BUDA_IMMEDIATE_BAD, 0},   {"", BUDA_IMMEDIATE_BAD, 0},
    {"--1", BUDA_IMMEDIATE_BAD, 0},
};

HOIST_TEST_TABLE(reads_immediates, values)
{
    int32_t value = -1;
    HOIST_EXPECT_EQ(t, buda_immediate_read(hoist_str_from(row->name), &value), row->kind);
    HOIST_EXPECT_EQ(t, value, row->value);
}

HOIST_TEST(names_the_instruction)
{
    const hoist_bytes text = buda_test_programs(t, P LINE("var: {$a: 1}") LINE("loop: 2")).text;
    HOIST_EXPECT_EQ(t, buda_test_check_programs(text, hoist_allocator_system(), t->diag, t->diag),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "programs/p/1");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, "loop without endloop");
}

// At most eight missing settings of one execute are listed, and a missing setting once per place.
HOIST_TEST(limits_missing_settings)
{
    const hoist_bytes text =
        buda_test_programs(t, P LINE("loop: 2") LINE("execute: {graph_name: l}") LINE("endloop"))
            .text;
    HOIST_EXPECT_EQ(t, buda_test_check_programs(text, hoist_allocator_system(), t->diag, t->diag),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, "BUDA-028");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 2); // al.0, al.1
}

// A setting for each device of a list, more than there is space for.
HOIST_TEST(limits_settings_times_devices)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_format(&text, "devices: {arch: wormhole_b0}\nqueues:\n");
    for (int i = 0; i < 2; i++) {
        hoist_buffer_format(&text, "  q%d: {type: queue, input: HOST, entries: 1, target_device: [",
                            i);
        for (int k = 0; k < 1000; k++) {
            hoist_buffer_format(&text, "%d, ", k);
        }
        hoist_buffer_format(&text, "1000]}\n");
    }
    hoist_buffer_format(&text,
                        "graphs:\n  g: {target_device: 0, input_count: 1}\nprograms:\n  - p:\n");
    for (int i = 0; i < 1000; i++) {
        hoist_buffer_format(&text, LINE("allocate_queue: [q0]"));
    }
    const hoist_str all = hoist_buffer_text(&text);
    const hoist_bytes bytes = {(const uint8_t *)all.data, all.size};
    HOIST_EXPECT_EQ(t, buda_test_check_programs(bytes, hoist_allocator_system(), NULL, NULL),
                    HOIST_LIMIT);
    hoist_buffer_deinit(&text);
}

static hoist_status check_with(hoist_allocator alloc, const void *text)
{
    return buda_test_check_programs(*(const hoist_bytes *)text, alloc, NULL, NULL);
}

// Every allocation that fails is noticed, and nothing is lost.
HOIST_TEST(survives_lack_of_memory)
{
    static const char programs[] =
        P LINE("param: [$p_n]") LINE("staticvar: {$l: 0}") LINE("loop: $p_n")
            EXECUTE("m2", PROGRAM_ALL) EXECUTE("n2", "m: {rd_ptr_local: $l, rd_ptr_global: $l}")
                EXECUTE("l", "al: {rd_ptr_local: 0, rd_ptr_global: 0x0}")
                    LINE("varinst: [$l, incwrap, 2, 8]") LINE("endloop")
                        LINE("allocate_queue: [kd]");
    const hoist_bytes text = buda_test_programs(t, programs).text;
    hoist_test_starve(t, check_with, &text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(checks_immediates), HOIST_TEST_ROW(checks_loops),
                HOIST_TEST_ROW(checks_names), HOIST_TEST_ROW(checks_fields),
                HOIST_TEST_ROW(reads_immediates), HOIST_TEST_ROW(names_the_instruction),
                HOIST_TEST_ROW(limits_missing_settings),
                HOIST_TEST_ROW(limits_settings_times_devices),
                HOIST_TEST_ROW(survives_lack_of_memory))
