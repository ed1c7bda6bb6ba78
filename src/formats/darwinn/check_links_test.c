// Field offsets: rules 39 to 48. The holes of a plain package are at words 2 and 3 (image), 28 and
// 29 (grid), 37 and 38 (scores); the low half comes first.
#include "formats/darwinn/package_testing.h"

#define FIELDS "executables/0/instruction_bitstreams/0/field_offsets/"

// clang-format off
static const dwn_case links[] = {
    {"before the chunk", DWN_PLAIN, {{FIELDS "0/offset_bit", -1, NULL}}, "DWN-039 DWN-058", FIELDS "0:offset_bit"},
    {"one bit too far", DWN_PLAIN, {{FIELDS "5/offset_bit", 61 * 128 - 31, NULL}}, "DWN-039 DWN-058", FIELDS "5:offset_bit"},
    {"far behind", DWN_PLAIN, {{FIELDS "5/offset_bit", INT32_MAX, NULL}}, "DWN-039 DWN-058", FIELDS "5:offset_bit"},
    {"no meta", DWN_PLAIN, {{FIELDS "1/meta", 0, NULL}}, "DWN-040 DWN-046 DWN-058", FIELDS "1:offset_bit"},
    {"unknown desc", DWN_PLAIN, {{FIELDS "1/meta/desc", 4, NULL}}, "DWN-040 DWN-046 DWN-046 DWN-058", FIELDS "1:offset_bit"},
    {"unknown position", DWN_PLAIN, {{FIELDS "1/meta/position", 2, NULL}}, "DWN-040", FIELDS "1:offset_bit"},
    {"no such input", DWN_PLAIN, {{FIELDS "0/meta/name", 0, "imag"}}, "DWN-041 DWN-046 DWN-046", FIELDS "0:offset_bit"},
    {"an input is no output", DWN_PLAIN, {{FIELDS "3/meta/desc", DWN_DESC_INPUT, NULL}}, "DWN-041 DWN-046 DWN-046 DWN-058",
     FIELDS "3:offset_bit"},
    {"no name", DWN_PLAIN, {{FIELDS "0/meta/name", -1, NULL}}, "DWN-041 DWN-046 DWN-046", FIELDS "0:offset_bit"},
    {"parameters with a name", DWN_ALONE, {{FIELDS "0/meta/name", 0, "p"}, {FIELDS "1/meta/name", 0, "p"}}, "DWN-042 DWN-042",
     FIELDS "0:offset_bit"},
    {"scratch with a name", DWN_ALONE, {{FIELDS "6/meta/name", 0, "s"}}, "DWN-042", FIELDS "6:offset_bit"},
    {"batch too high", DWN_ALONE, {{FIELDS "2/meta/batch", 2, NULL}, {FIELDS "3/meta/batch", 2, NULL}}, "DWN-043 DWN-043 DWN-058",
     FIELDS "2:offset_bit"},
    {"batch below 0", DWN_PLAIN, {{FIELDS "0/meta/batch", -1, NULL}, {FIELDS "1/meta/batch", -1, NULL}},
     "DWN-043 DWN-043 DWN-058", FIELDS "0:offset_bit"},
    {"scratch of a batch", DWN_ALONE, {{FIELDS "6/meta/batch", 1, NULL}, {FIELDS "7/meta/batch", 1, NULL}}, "DWN-043 DWN-043",
     FIELDS "6:offset_bit"},
    {"parameters have no batch", DWN_ALONE, {{FIELDS "0/meta/batch", 9, NULL}, {FIELDS "1/meta/batch", 9, NULL}}, "", NULL},
    {"bit 71", DWN_PLAIN, {{FIELDS "0/offset_bit", 2 * 128 + 71, NULL}}, "DWN-044 DWN-058", FIELDS "0:offset_bit"},
    {"in a send", DWN_PLAIN, {{FIELDS "0/offset_bit", 6 * 128 + 70, NULL}}, "DWN-045 DWN-058", FIELDS "0:offset_bit"},
    {"inside a tensor operation", DWN_PLAIN, {{FIELDS "0/offset_bit", 12 * 128 + 70, NULL}}, "DWN-045 DWN-058",
     FIELDS "0:offset_bit"},
    {"linked already", DWN_PLAIN, {{"executables/0/instruction_bitstreams/0/bitstream/44", 1, NULL}}, "DWN-045", FIELDS "0:offset_bit"},
    {"a size is no hole", DWN_PLAIN, {{FIELDS "0/offset_bit", 4 * 128 + 70, NULL}}, "DWN-045 DWN-058", FIELDS "0:offset_bit"},
    {"no high half", DWN_PLAIN, {{FIELDS "5/meta/position", 0, NULL}}, "DWN-046 DWN-058", FIELDS "4:offset_bit"},
    {"one field less", DWN_PLAIN, {{"executables/0/instruction_bitstreams/0/field_offsets", 5, NULL}}, "DWN-046 DWN-058",
     FIELDS "4:offset_bit"},
    {"one place twice", DWN_PLAIN, {{FIELDS "1/offset_bit", 2 * 128 + 70, NULL}}, "DWN-047 DWN-058", FIELDS "1:offset_bit"},
    {"31 bits further", DWN_PLAIN, {{FIELDS "1/offset_bit", 2 * 128 + 70 + 31, NULL}}, "DWN-044 DWN-047 DWN-058", FIELDS "1:offset_bit"},
    {"an output without a field", DWN_PLAIN, {{"executables/0/instruction_bitstreams/0/field_offsets", 4, NULL}},
     "DWN-048 DWN-058", "executables/0:instruction_bitstreams"},
    {"an input without a field", DWN_PLAIN, {{"executables/0/input_layers/0/name", 0, "picture"}},
     "DWN-041 DWN-041 DWN-048 DWN-055 DWN-060", FIELDS "0:offset_bit"},
    {"no fields at all", DWN_PLAIN, {{"executables/0/instruction_bitstreams/0/field_offsets", -1, NULL}},
     "DWN-048 DWN-048 DWN-048 DWN-058", "executables/0:instruction_bitstreams"},
};
// clang-format on

HOIST_TEST_TABLE(check_links, links)
{
    dwn_test_case(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_links))
