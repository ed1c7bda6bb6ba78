// The reader of fused ops: one place of the full netlist changed per
// row, the finding that must come of it, and the text that it must point at.
#include "formats/buda/netlist_testing.h"

// clang-format off
static const buda_finding_row fused_cases[] = {
    {"fused_ops a list", "fused_ops:\n", "fused_ops: [1]\nold:\n",
     "BUDA-006", "[1]\nold", "expected a map"},
    {"a fused op that is a number", "  0:\n", "  1: 5\n  0:\n",
     "BUDA-006", "5\n  0:", "expected a map"},
    {"id twice", "programs:",
     "  ? \"0\"\n  : {inputs: 1, intermediates: 0, schedules: []}\nprograms:",
     "BUDA-004b", "\"0\"", "again"},
    {"inputs missing", "    inputs: 2\n", "", "BUDA-006", "0:\n    inter", "inputs is missing"},
    {"intermediates missing", "    intermediates: 1\n", "",
     "BUDA-006", "0:\n    inputs", "intermediates is missing"},
    {"inputs negative", "    inputs: 2\n", "    inputs: -2\n",
     "BUDA-006", "-2", "expected 0 or more"},
    {"schedules missing", "schedules:", "schedule:",
     "BUDA-006", "0:\n    inputs", "schedules is missing"},
    {"schedules a map", "    schedules:\n", "    schedules: {a: b}\n    rest:\n",
     "BUDA-006", "{a: b}", "list of lists"},
    {"a schedule that is a word", "      - - sa", "      - none\n      - - sa",
     "BUDA-006", "none", "expected a list of sub-ops"},
    {"a step that is a word", "        - sb:", "        - none\n        - sb:",
     "BUDA-006", "none", "expected one name: sub-op"},
    {"a sub-op that is a number", "        - sb:", "        - sc: 4\n        - sb:",
     "BUDA-006", "4\n", "expected a map"},
    {"sub-op type unknown", "type: exp,", "type: expo,", "BUDA-006", "expo", "no op type 'expo'"},
    {"sub-op key unknown", "zero_point: 0.5", "zero: 0.5",
     "BUDA-006", "zero: 0.5", "a sub-op has no key"},
    {"sub-op type missing", "type: exp, ", "", "BUDA-006", "sb:", "type is missing"},
    {"sub-op inputs missing", "inputs: [intermed0], ", "", "BUDA-006", "sb:", "inputs is missing"},
    {"sub-op output missing", ", output: output", "", "BUDA-006", "sb:", "output is missing"},
    {"sub-op mblock 0", "[8, 9]", "[0, 9]", "BUDA-016a", "0, 9", "mblock is 0"},
    {"sub-op ublock missing", "ublock: [4, 3], zero", "zero",
     "BUDA-006", "sa:", "ublock is missing"},
    {"zero_point text", "zero_point: 0.5", "zero_point: x",
     "BUDA-006", "x, attr", "expected a number"},
    {"sub-op key twice", "zero_point: 0.5", "zero_point: 0, zero_point: 1",
     "BUDA-004b", "zero_point: 1", "again"},
    {"interm in inputs", "inputs: [intermed0]", "inputs: [interm0]",
     "BUDA-104", "interm0]", "read as 'intermed0'"},
    {"interm as output", "output: intermed0", "output: interm0",
     "BUDA-104", "interm0}", "read as 'intermed0'"},
    {"interm in pop", "pop: [intermed0]", "pop: [interm0]",
     "BUDA-104", "interm0]", "read as 'intermed0'"},
};
// clang-format on

HOIST_TEST_TABLE(fused_ops, fused_cases)
{
    buda_test_finding_row(t, row, true);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(fused_ops))
