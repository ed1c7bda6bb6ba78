// Rules 49 to 57 and 64 of descriptors: each clause with a bad file, its place and its object, and
// good files near by. 58 to 61 and 63: check_extras_test.c.
#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define BASE                                                                                       \
    "{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1],\n"          \
    "        \"to\": \"output\", \"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1]}"
// The descriptor, and variables after the two that there are.
#define DESC(text)                                                                                 \
    {                                                                                              \
        SP, BASE, "{" text "}"                                                                     \
    }
#define EDIT(find, put)                                                                            \
    {                                                                                              \
        SP, find, put                                                                              \
    }
#define VARS(text)                                                                                 \
    {                                                                                              \
        DEF, "\"size\": 64}\n  }", "\"size\": 64},\n    " text "\n  }"                             \
    }
#define FROM(var, off, sizes, steps)                                                               \
    "\"from\": \"" var "\", \"from_off\": " off ", \"from_sizes\": " sizes                         \
    ", \"from_steps\": " steps
#define TO(var, off, sizes, steps)                                                                 \
    "\"to\": \"" var "\", \"to_off\": " off ", \"to_sizes\": " sizes ", \"to_steps\": " steps
#define INPUT FROM("input", "0", "[64]", "[1]")
#define OUTPUT TO("output", "0", "[64]", "[1]")
#define F32_INPUT INPUT ", \"from_dtype\": \"float32\""
#define F32_OUTPUT OUTPUT ", \"to_dtype\": \"float32\""
#define ADD "\"op\": \"add\", "
#define ARR(items) "\"from_arr\": [" items "], "
#define S1 "{" F32_INPUT "}"
#define S4 S1 ", " S1 ", " S1 ", " S1
#define S16 S4 ", " S4 ", " S4 ", " S4
#define SB "\"SB\": {\"type\": \"state-buffer\", \"var_id\": 2}"
#define DIMS8 "[8, 2, 2, 2, 1, 1, 1, 1]"
#define STEPS8 "[1, 8, 16, 32, 0, 0, 0, 0]"
#define D0 "dma/0/desc/0"
#define I15 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
#define I75 I15 "," I15 "," I15 "," I15 "," I15
#define I255 I75 "," I75 "," I75 "," I15 "," I15
#define I300 I75 "," I75 "," I75 "," I75

// clang-format off
static const neff_test_row cases[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    // 45, which reading reports
    {"a descriptor is a number", {EDIT(BASE, "5")}, "NEFF-045", NULL, "[\n       ^5", "object", D0},
    // 49a
    {"unknown op", {DESC("\"op\": \"sub\", " INPUT ", " OUTPUT)}, "NEFF-049a", NULL, "^\"sub\"", "op 'sub' is not known", D0 "/op"},
    {"op is a number", {DESC("\"op\": 1, " INPUT ", " OUTPUT)}, "NEFF-049a", NULL, "\"op\": ^1", "expected a string", D0 "/op"},
    {"op is said", {DESC("\"op\": \"copy\", " INPUT ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"transpose", {DESC("\"op\": \"transpose\", " INPUT ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    // 50a
    {"no to", {DESC(INPUT)}, "NEFF-050a", NULL, "[\n       ^{\"from\"", "without 'to'", D0},
    {"to is a number", {EDIT("\"to\": \"output\"", "\"to\": 1")}, "NEFF-050a", NULL, "\"to\": ^1", "expected the name of a variable", D0 "/to"},
    {"no from", {DESC(OUTPUT)}, "NEFF-050a", NULL, "[\n       ^{\"to\"", "copy without 'from'", D0},
    {"no from of cast", {DESC("\"op\": \"cast\", " OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "cast without 'from'", D0},
    {"no from of transpose", {DESC("\"op\": \"transpose\", " OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "transpose without 'from'", D0},
    {"no from, but a list", {DESC(ARR(S1) F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"from_arr\"", "copy without 'from'", D0},
    {"no list of fma", {DESC("\"op\": \"fma\", \"scale_dtype\": \"float32\", " F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "fma without 'from_arr'", D0},
    {"no list of add", {DESC(ADD F32_INPUT ", " F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "add without 'from_arr'", D0},
    {"no list of min", {DESC("\"op\": \"min\", " F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "min without 'from_arr'", D0},
    {"no list of max", {DESC("\"op\": \"max\", " F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"op\"", "max without 'from_arr'", D0},
    {"a list that is none", {DESC(ADD "\"from_arr\": 3, " F32_OUTPUT)}, "NEFF-050a", NULL, "\"from_arr\": ^3", "expected a list", D0},
    {"an empty list", {DESC(ADD ARR("") F32_OUTPUT)}, "NEFF-050a", NULL, "^[]", "'from_arr' is empty, expected 1 to 16", D0 "/from_arr"},
    {"one source", {DESC(ADD ARR(S1) F32_OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"16 sources", {DESC(ADD ARR(S16) F32_OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"17 sources", {DESC(ADD ARR(S16 ", " S1) F32_OUTPUT)}, "NEFF-050a", NULL, "\"from_arr\": ^[", "has 17 sources, expected at most 16", D0 "/from_arr"},
    {"a source without from", {DESC(ADD ARR(S1 ", {\"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1], \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-050a", NULL, "^{\"from_off\"", "a source without 'from'", D0 "/from_arr/1"},
    {"an empty source", {DESC(ADD ARR(S1 ", {}") F32_OUTPUT)}, "NEFF-050a", NULL, "^{}", "a source without 'from'", D0 "/from_arr/1"},
    // 50b
    {"from and list", {DESC(ADD F32_INPUT ", " ARR(S1) F32_OUTPUT)}, "NEFF-050b", NULL, "^\"input\"", "both 'from' and 'from_arr'", D0 "/from"},
    {"a copy with both", {DESC(INPUT ", " ARR("{" INPUT "}") OUTPUT)}, "NEFF-050b", NULL, "^\"input\"", "both", D0 "/from"},
    // 51
    {"undeclared from", {EDIT("\"from\": \"input\"", "\"from\": \"inputs\"")}, "NEFF-051", NULL, "^\"inputs\"", "variable 'inputs' is not declared", D0 "/from"},
    {"undeclared to", {EDIT("\"to\": \"output\"", "\"to\": \"out\\tput\"")}, "NEFF-051", NULL, "^\"out\\", "variable 'out\tput'", D0 "/to"},
    {"undeclared source", {DESC(ADD ARR(S1 ", {" FROM("x", "0", "[64]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-051", NULL, "^\"x\"", "'x'", D0 "/from_arr/1/from"},
    // 52a
    {"5 steps for 4 sizes", {DESC(FROM("input", "0", "[16, 2, 2, 1]", "[1, 16, 32, 64, 0]") ", " OUTPUT)}, "NEFF-052a", NULL, "^[1, 16, 32", "'from_steps' has 5 items, 'from_sizes' has 4", D0 "/from_steps"},
    {"2 steps for 1 size", {DESC(INPUT ", " TO("output", "0", "[64]", "[1, 64]"))}, "NEFF-052a", NULL, "^[1, 64]", "'to_steps' has 2 items, 'to_sizes' has 1", D0 "/to_steps"},
    {"no dimensions", {DESC(FROM("input", "0", "[]", "[]") ", " OUTPUT)}, "NEFF-052a", NULL, "\"from_sizes\": ^[]", "'from_sizes' is empty", D0 "/from_sizes"},
    {"9 dimensions", {DESC(INPUT ", " TO("output", "0", "[64,1,1,1,1,1,1,1,1]", "[1,0,0,0,0,0,0,0,0]"))}, "NEFF-052a", NULL, "^[64,1", "'to_sizes' has 9 items, expected at most 8", D0 "/to_sizes"},
    {"300 sizes", {DESC(FROM("input", "0", "[" I300 "]", "[1]") ", " OUTPUT)}, "NEFF-052a", NULL, "from_steps\": ^[1]", "'from_steps' has 1 item, 'from_sizes' has 300, expected as many", D0 "/from_steps"},
    {"300 steps", {DESC(INPUT ", " TO("output", "0", "[64]", "[" I300 "]"))}, "NEFF-052a", NULL, "to_steps\": ^[", "'to_steps' has 300 items, 'to_sizes' has 1, expected as many", D0 "/to_steps"},
    {"300 dimensions", {DESC(FROM("input", "0", "[" I300 "]", "[" I300 "]") ", " OUTPUT)}, "NEFF-052a", NULL, "from_sizes\": ^[", "'from_sizes' has 300 items, expected at most 8", D0 "/from_sizes"},
    {"300 sizes of a source", {DESC(ADD ARR(S1 ", {" FROM("input", "0", "[" I300 "]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-052a", NULL, "from_steps\": ^[1], \"from_dtype\": \"float32\"}]", "'from_sizes' has 300", D0 "/from_arr/1/from_steps"},
    {"255 dimensions", {DESC(FROM("input", "0", "[" I255 "]", "[" I255 "]") ", " OUTPUT)}, "NEFF-052a", NULL, "from_sizes\": ^[", "'from_sizes' has 255 items, expected at most 8", D0 "/from_sizes"},
    {"sizes are a number", {DESC(FROM("input", "0", "64", "[1]") ", " OUTPUT)}, "NEFF-052a", NULL, "\"from_sizes\": ^64", "expected a list", D0 "/from_sizes"},
    {"a size is a fraction", {DESC(FROM("input", "0", "[64.0]", "[1]") ", " OUTPUT)}, "NEFF-052a", NULL, "[^64.0", "expected an integer", D0 "/from_sizes"},
    {"from_off is a word", {DESC(FROM("input", "\"8\"", "[32]", "[1]") ", " TO("output", "0", "[32]", "[1]"))}, "NEFF-052a", NULL, "\"from_off\": ^\"8\"", "'from_off' is \"8\", expected an integer", D0 "/from_off"},
    {"to_off is a fraction", {DESC(INPUT ", " TO("output", "0.0", "[64]", "[1]"))}, "NEFF-052a", NULL, "\"to_off\": ^0.0", "'to_off' is 0.0, expected an integer", D0 "/to_off"},
    {"to_off is null", {DESC(INPUT ", " TO("output", "null", "[64]", "[1]"))}, "NEFF-052a", NULL, "\"to_off\": ^null", "'to_off' is null, expected an integer", D0 "/to_off"},
    {"an offset of 65 bits", {DESC(INPUT ", " TO("output", "18446744073709551616", "[64]", "[1]"))}, "NEFF-052a", NULL, "\"to_off\": ^1844", "expected an integer of 64 bits", D0 "/to_off"},
    {"the offset of a source", {DESC(ADD ARR(S1 ", {" FROM("input", "true", "[64]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-052a", NULL, "\"from_off\": ^true", "'from_off' is true, expected an integer", D0 "/from_arr/1/from_off"},
    // 52b
    {"8 dimensions", {DESC(FROM("input", "0", DIMS8, STEPS8) ", " OUTPUT)}, "NEFF-052b", NULL, "^" DIMS8, "has 8 items, more than 4 need feature bit 9", D0 "/from_sizes"},
    {"5 dimensions", {DESC(INPUT ", " TO("output", "0", "[64, 1, 1, 1, 1]", "[1, 0, 0, 0, 0]"))}, "NEFF-052b", NULL, "^[64, 1", "has 5 items", D0 "/to_sizes"},
    {"4 dimensions", {DESC(FROM("input", "0", "[8, 2, 2, 2]", "[1, 8, 16, 32]") ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    // 53
    {"a size of 0", {DESC(FROM("input", "0", "[64, 0]", "[1, 0]") ", " OUTPUT)}, "NEFF-053", NULL, "[64, ^0]", "item 1 of 'from_sizes' is 0, expected 1 or more", D0 "/from_sizes"},
    {"a size below 0", {DESC(INPUT ", " TO("output", "0", "[-64]", "[1]"))}, "NEFF-053", NULL, "[^-64]", "item 0 of 'to_sizes' is -64", D0 "/to_sizes"},
    // 54
    {"no from_off", {DESC("\"from\": \"input\", \"from_sizes\": [64], \"from_steps\": [1], " OUTPUT)}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'from_off'", D0},
    {"no from_sizes", {DESC("\"from\": \"input\", \"from_off\": 0, \"from_steps\": [1], " OUTPUT)}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'from_sizes'", D0},
    {"no from_steps", {DESC("\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], " OUTPUT)}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'from_steps'", D0},
    {"no to_off", {DESC(INPUT ", \"to\": \"output\", \"to_sizes\": [64], \"to_steps\": [1]")}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'to_off'", D0},
    {"no to_sizes", {DESC(INPUT ", \"to\": \"output\", \"to_off\": 0, \"to_steps\": [1]")}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'to_sizes'", D0},
    {"no to_steps", {DESC(INPUT ", \"to\": \"output\", \"to_off\": 0, \"to_sizes\": [64]")}, "NEFF-054", NULL, "[\n       ^{\"from\"", "without 'to_steps'", D0},
    {"a source without offset", {DESC(ADD ARR(S1 ", {\"from\": \"input\", \"from_sizes\": [64], \"from_steps\": [1], \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-054", NULL, ", ^{\"from\": \"input\", \"from_sizes\"", "a source without 'from_off'", D0 "/from_arr/1"},
    // 55
    {"one byte too far", {DESC(FROM("input", "1", "[64]", "[1]") ", " OUTPUT)}, "NEFF-055", NULL, "^[64]", "bytes 1 to 64 of 'input', which has 64", D0 "/from_sizes"},
    {"to the last byte", {DESC(FROM("input", "32", "[32]", "[1]") ", " TO("output", "32", "[32]", "[1]"))}, NULL, NULL, NULL, NULL, NULL},
    {"a size more", {DESC(INPUT ", " TO("output", "0", "[32, 2]", "[1, 33]"))}, "NEFF-055", NULL, "^[32, 2]", "bytes 0 to 64 of 'output'", D0 "/to_sizes"},
    {"an offset below 0", {DESC(FROM("input", "-1", "[64]", "[1]") ", " OUTPUT)}, "NEFF-055", NULL, "^-1", "bytes -1 to 62 of 'input'", D0 "/from_off"},
    {"an offset behind the end", {DESC(INPUT ", " TO("output", "64", "[64]", "[1]"))}, "NEFF-055", NULL, "\"to_off\": ^64", "bytes 64 to 127", D0 "/to_off"},
    {"a step back too far", {DESC(FROM("input", "31", "[2, 32]", "[1, -1]") ", " TO("output", "0", "[64]", "[1]"))}, NULL, NULL, NULL, NULL, NULL},
    {"a step back farther", {DESC(FROM("input", "30", "[2, 32]", "[1, -1]") ", " OUTPUT)}, "NEFF-055", NULL, "^[1, -1]", "bytes -1 to 31", D0 "/from_steps"},
    {"steps that overflow", {DESC(FROM("input", "0", "[32, 2]", "[1, 9223372036854775807]") ", " OUTPUT)}, "NEFF-055", NULL, "^[32, 2]", "beyond 64 bits", D0 "/from_sizes"},
    {"the end of the window", {DESC(INPUT ", " TO("SB", "33554368", "[64]", "[1]")), VARS(SB)}, NULL, NULL, NULL, NULL, NULL},
    {"behind the window", {DESC(INPUT ", " TO("SB", "33554369", "[64]", "[1]")), VARS(SB)}, "NEFF-055", NULL, "^[64], \"to_steps\"", "of 'SB', which has 33554432", D0 "/to_sizes"},
    {"a source too far", {DESC(ADD ARR(S1 ", {" FROM("input", "4", "[64]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-055", NULL, "4, \"from_sizes\": ^[64]", "bytes 4 to 67", D0 "/from_arr/1/from_sizes"},
    // 56
    {"8 bytes to 7", {DESC(FROM("input", "0", "[8]", "[1]") ", " TO("output", "0", "[7]", "[1]"))}, "NEFF-056", NULL, "^[8]", "8 bytes are read and 7 written", D0 "/from_sizes"},
    {"another shape of 64", {DESC(INPUT ", " TO("output", "0", "[4, 16]", "[1, 4]"))}, NULL, NULL, NULL, NULL, NULL},
    {"bytes of transpose", {DESC("\"op\": \"transpose\", " FROM("input", "0", "[8]", "[1]") ", " OUTPUT)}, "NEFF-056", NULL, "^[8]", "8 bytes are read and 64 written", D0 "/from_sizes"},
    {"elements of cast", {DESC("\"op\": \"cast\", " F32_INPUT ", " OUTPUT ", \"to_dtype\": \"bfloat16\"")}, "NEFF-056", NULL, "^[64]", "16 elements are read and 32 written", D0 "/from_sizes"},
    {"as many elements", {DESC("\"op\": \"cast\", " F32_INPUT ", " TO("output", "0", "[32]", "[1]") ", \"to_dtype\": \"bfloat16\"")}, NULL, NULL, NULL, NULL, NULL},
    {"elements of a source", {DESC(ADD ARR(S1 ", {" FROM("input", "0", "[32]", "[1]") ", \"from_dtype\": \"float32\"}") F32_OUTPUT)}, "NEFF-056", NULL, "^[32]", "8 elements are read and 16 written", D0 "/from_arr/1/from_sizes"},
    {"more bytes than 64 bits count", {DESC(FROM("input", "0", "[64, 9223372036854775807]", "[1, 0]") ", " OUTPUT)}, "NEFF-056", NULL, "^[64, 9", "more bytes than 64 bits can count", D0 "/from_sizes"},
    // 57a
    {"unknown type", {DESC(INPUT ", \"from_dtype\": \"float\", " OUTPUT)}, "NEFF-057a", NULL, "^\"float\"", "'from_dtype' 'float' is not known", D0 "/from_dtype"},
    {"type is a number", {DESC(INPUT ", " OUTPUT ", \"to_dtype\": 4")}, "NEFF-057a", NULL, "\"to_dtype\": ^4", "expected a string", D0 "/to_dtype"},
    {"two types of a copy", {DESC(F32_INPUT ", " OUTPUT ", \"to_dtype\": \"int32\"")}, "NEFF-057a", NULL, "^\"int32\"", "a copy from float32 to int32", D0 "/to_dtype"},
    {"one type of a copy", {DESC(F32_INPUT ", " F32_OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"two names of a type", {DESC(F32_INPUT ", " OUTPUT ", \"to_dtype\": \"float32r\"")}, NULL, NULL, NULL, NULL, NULL},
    {"half an element", {DESC(FROM("input", "0", "[2, 2]", "[1, 2]") ", \"from_dtype\": \"float32\", " TO("output", "0", "[4]", "[1]"))}, "NEFF-057a", NULL, "[^2, 2]", "item 0 of 'from_sizes' is 2, expected a multiple of the 4 bytes of float32", D0 "/from_sizes"},
    {"half an element of cast", {DESC("\"op\": \"cast\", " F32_INPUT ", " TO("output", "0", "[7]", "[1]") ", \"to_dtype\": \"float16\"")}, "NEFF-057a", NULL, "[^7]", "is 7, expected a multiple of the 2 bytes of float16", D0 "/to_sizes"},
    // 57b
    {"to without type", {DESC(ADD ARR(S1) TO("output", "0", "[16]", "[1]"))}, "NEFF-057b", NULL, "^{\"op\"", "add without 'to_dtype'", D0},
    {"source without type", {DESC(ADD ARR(S1 ", {" FROM("input", "0", "[16]", "[1]") "}") F32_OUTPUT)}, "NEFF-057b", NULL, "}, ^{\"from\"", "add without 'from_dtype'", D0 "/from_arr/1"},
    {"bytes of elements apart", {DESC(FROM("input", "0", "[4, 8]", "[2, 4]") ", \"from_dtype\": \"float32\", " TO("output", "0", "[32]", "[1]"))}, "NEFF-057b", NULL, "[^2, 4]", "item 0 of 'from_steps' is 2", D0 "/from_steps"},
    {"bytes apart", {DESC(FROM("input", "0", "[4, 8]", "[2, 4]") ", " TO("output", "0", "[32]", "[1]"))}, NULL, NULL, NULL, NULL, NULL},
    // 64
    {"in a pointer", {DESC(FROM("p", "4", "[4]", "[1]") ", " TO("output", "0", "[4]", "[1]")), VARS("\"p\": {\"type\": \"pointer\", \"var_id\": 2, \"size\": 8, \"referenced_var_id\": 0}")}, "NEFF-064", NULL, "\"from_off\": ^4", "'from_off' is 4 in the pointer 'p', expected 0", D0 "/from_off"},
    {"a whole pointer", {DESC(FROM("p", "0", "[8]", "[1]") ", " TO("output", "0", "[8]", "[1]")), VARS("\"p\": {\"type\": \"pointer\", \"var_id\": 2, \"size\": 8, \"referenced_var_id\": 0}")}, NULL, NULL, NULL, NULL, NULL},
    // Objects and places of the second descriptor, and of one alone.
    {"the second descriptor", {EDIT(BASE, BASE ",\n{" FROM("input", "0", "[8]", "[1]") ", " TO("output", "0", "[7]", "[1]") "}")}, "NEFF-056", NULL, "^[8]", "8 bytes", "dma/0/desc/1/from_sizes"},
    {"one alone", {EDIT("\"desc\": [\n       " BASE "]", "\"desc\": {" FROM("input", "0", "[8]", "[1]") ", " TO("output", "0", "[7]", "[1]") "}")}, "NEFF-056", NULL, "^[8]", "8 bytes", "dma/0/desc/0/from_sizes"},
};

// Appendix A: patterns and ops that are right.
#define HBM(name, id, size) "\"" name "\": {\"type\": \"tmp-buf\", \"var_id\": " id ", \"size\": " size "}"
#define A1_VARS VARS(HBM("src", "2", "12") ", " HBM("dst", "3", "12"))
#define CASES_VARS VARS(HBM("a", "2", "8") ", " HBM("b", "3", "8") ", " HBM("c", "4", "8") ", " HBM("d", "5", "8") ", " SB_5)
#define SB_5 "\"SB\": {\"type\": \"state-buffer\", \"var_id\": 6}"
#define F32(name) "{" FROM(name, "0", "[8]", "[1]") ", \"from_dtype\": \"float32\""
#define TO_D TO("d", "0", "[8]", "[1]") ", \"to_dtype\": \"float32\""
static const neff_test_row vectors[] = {
    {"A1", {DESC(FROM("src", "1", "[2, 3]", "[1, 4]") ", " TO("dst", "0", "[6]", "[1]")), A1_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A2", {DESC(FROM("src", "8", "[4, 3]", "[1, -4]") ", " TO("dst", "0", "[12]", "[1]")), A1_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A3", {DESC(FROM("src", "2", "[2, 3]", "[1, 0]") ", " TO("dst", "0", "[6]", "[1]")), A1_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A4", {DESC("\"op\": \"cast\", " FROM("a", "0", "[8]", "[1]") ", \"from_dtype\": \"float32\", " TO("d", "0", "[4]", "[1]") ", \"to_dtype\": \"bfloat16\""), CASES_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A5", {DESC("\"op\": \"cast\", " FROM("a", "0", "[8]", "[1]") ", \"from_dtype\": \"int32\", " TO_D), CASES_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A6", {DESC("\"op\": \"fma\", \"scale_dtype\": \"float32\", " ARR(F32("a") ", \"scale\": 2.0}, " F32("b") ", \"scale\": 0.5}, " F32("c") ", \"scale\": 1.0}") TO_D), CASES_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A7", {DESC("\"op\": \"max\", \"constant_dtype\": \"float32\", \"constant\": 1.5, " ARR(F32("a") "}, " F32("b") "}") TO_D), CASES_VARS}, NULL, NULL, NULL, NULL, NULL},
    {"A8", {DESC(FROM("a", "0", "[8]", "[1]") ", " TO("SB", "64", "[4, 2]", "[1, 262144]")), CASES_VARS}, NULL, NULL, NULL, NULL, NULL},
};

static const neff_test_row inf1[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    {"cast", {DESC("\"op\": \"cast\", " INPUT ", " OUTPUT)}, "NEFF-049b", NULL, "^\"cast\"", "op cast on inf1, which only copies", D0 "/op"},
    {"copy", {DESC("\"op\": \"copy\", " INPUT ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"from_dtype", {DESC(INPUT ", \"from_dtype\": \"uint8\", " OUTPUT)}, "NEFF-049b", NULL, "^\"uint8\"", "'from_dtype' is not there on inf1", D0 "/from_dtype"},
    {"to_dtype", {DESC(INPUT ", " OUTPUT ", \"to_dtype\": \"uint8\"")}, "NEFF-049b", NULL, "^\"uint8\"", "'to_dtype'", D0 "/to_dtype"},
    {"from_arr", {DESC("\"op\": \"sub\", " ARR("{" INPUT "}") OUTPUT)}, "NEFF-049b", NULL, "\"from_arr\": ^[", "'from_arr'", D0 "/from_arr"},
};

static const neff_test_row any[] = {
    {"cast", {DESC("\"op\": \"cast\", " INPUT ", " OUTPUT)}, NULL, NULL, NULL, NULL, NULL},
    {"to_dtype", {DESC(INPUT ", " OUTPUT ", \"to_dtype\": \"uint8\"")}, NULL, NULL, NULL, NULL, NULL},
};
// clang-format on

HOIST_TEST_TABLE(desc_rules, cases)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, row, true);
}

HOIST_TEST_TABLE(test_vectors_are_right, vectors)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, row, true);
}

HOIST_TEST_TABLE(desc_rules_of_inf1, inf1)
{
    const bool alone = !row->object || !hoist_str_ends_with(hoist_str_from(row->object), "_arr");
    neff_test_run_row(t, NEFF_TEST_COPY, "tonga", neff_check_descs, row, alone);
}

HOIST_TEST_TABLE(desc_rules_of_any, any)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "*", neff_check_descs, row, true);
}

HOIST_TEST(all_reduce_is_right)
{
    static const neff_test_row row = {.name = "all-reduce"};
    neff_test_run_row(t, NEFF_TEST_ALL_REDUCE, "sunda", neff_check_descs, &row, true);
}

// Patterns of variables whose size is wrong or absent are not measured.
HOIST_TEST(sizes_that_are_not_known)
{
    static const char *const sizes[] = {"\"size\": -1", "\"size\": \"64\"", "\"size_\": 64"};
    for (size_t i = 0; i < HOIST_COUNT_OF(sizes); i++) {
        const neff_test_row row = {
            "size",
            {{DEF, "\"var_id\": 1, \"size\": 64", ""}, EDIT("\"to_off\": 0", "\"to_off\": 1000")},
            NULL,
            NULL,
            NULL,
            NULL,
            NULL};
        neff_test_row one = row;
        one.changes[0].put = hoist_arena_format(&t->arena, "\"var_id\": 1, %s", sizes[i]).data;
        neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_descs, &one, false);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-055"), 0);
    }
}

// --strict
// -----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    neff_test_row row;
    hoist_severity severity; // under --strict
} strict_cases[] = {
    {"no offset",
     {"", {EDIT("\"to_off\": 0, ", "")}, "NEFF-054", NULL, NULL, NULL, NULL},
     HOIST_ERROR},
    {"no type",
     {"",
      {DESC(ADD ARR(S1) TO("output", "0", "[16]", "[1]"))},
      "NEFF-057b",
      NULL,
      NULL,
      NULL,
      NULL},
     HOIST_ERROR},
    {"bytes of elements apart",
     {"",
      {DESC(FROM("input", "0", "[4, 8]",
                 "[2, 4]") ", \"from_dtype\": \"float32\", " TO("output", "0", "[32]", "[1]"))},
      "NEFF-057b",
      NULL,
      NULL,
      NULL,
      NULL},
     HOIST_WARNING},
};

HOIST_TEST_TABLE(strictness, strict_cases)
{
    const hoist_diag_options options = {.struct_size = sizeof(options), .strict = true};
    hoist_diag *const usual = t->diag;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), &options, &t->diag), HOIST_OK);
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, SP, row->row.changes[0].find, row->row.changes[0].put);
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_descs);
    neff_test_destroy(module);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    if (hoist_diag_kept(t->diag) == 1) {
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_diag_at(t->diag, 0)->rule->id), row->row.rule);
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->severity, row->severity);
    }
    hoist_diag_destroy(t->diag);
    t->diag = usual;
}

// Memory
// -------------------------------------------------------------------------------------------

static hoist_status check_starved(hoist_allocator alloc, const void *self)
{
    neff_module *module = (neff_module *)(uintptr_t)self;
    neff_check check = {.module = module, .generation = NEFF_GEN2};
    const hoist_allocator own = module->base.alloc;
    hoist_diag *diag = NULL;
    hoist_status status = hoist_diag_create(hoist_allocator_system(), NULL, &diag);
    module->base.alloc = alloc;
    check.diag = diag;
    hoist_arena_init(&check.arena, alloc);
    status = status == HOIST_OK ? neff_check_descs(&check) : status;
    hoist_arena_deinit(&check.arena);
    module->base.alloc = own;
    hoist_diag_destroy(diag);
    return status;
}

HOIST_TEST(lack_of_memory_is_told)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, SP, "\"to\": \"output\"", "\"to\": \"input\"");
    neff_test_edit(t, &neff, SP, "\"from\": \"input\"", "\"from\": \"output\"");
    neff_module *module = neff_test_read(t, &neff);
    hoist_test_starve(t, check_starved, module);
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(desc_rules), HOIST_TEST_ROW(test_vectors_are_right),
                HOIST_TEST_ROW(desc_rules_of_inf1), HOIST_TEST_ROW(desc_rules_of_any),
                HOIST_TEST_ROW(all_reduce_is_right), HOIST_TEST_ROW(sizes_that_are_not_known),
                HOIST_TEST_ROW(strictness), HOIST_TEST_ROW(lack_of_memory_is_told))
