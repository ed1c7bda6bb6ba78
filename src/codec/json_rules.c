#include "codec/json_parser.h"

#define RFC "RFC 8259 section "

// clang-format off
static const hoist_rule rules[JSON_RULE_COUNT] = {
    [JSON_EMPTY] = {"JSON-001", HOIST_ERROR, false, true, "a JSON text holds a value",
        "The file is empty or holds only white space.", RFC "2"},
    [JSON_CUT] = {"JSON-002", HOIST_ERROR, false, true, "a JSON text is complete",
        "The file ends inside a value: the copy or the program that wrote it was cut short.",
        RFC "2"},
    [JSON_BOM] = {"JSON-003", HOIST_ERROR, false, true, "a JSON text has no byte order mark",
        "Save it as UTF-8 without a mark; UTF-16 and UTF-32 are no encodings of JSON files.",
        RFC "8.1"},
    [JSON_UTF8] = {"JSON-004", HOIST_ERROR, false, true, "strings are well-formed UTF-8",
        "Readers disagree about such names, so two of them may see different files.",
        RFC "8.1; RFC 3629 section 4"},
    [JSON_CONTROL] = {"JSON-005", HOIST_ERROR, false, true,
        "control characters in strings are escaped",
        "A line break inside a string often means that a closing quote is missing.", RFC "7"},
    [JSON_SURROGATE] = {"JSON-006", HOIST_ERROR, false, true,
        "surrogates are escaped in pairs, high then low",
        "One half of a pair is no character and cannot be written as UTF-8.", RFC "7 and 8.2"},
    [JSON_ESCAPE] = {"JSON-007", HOIST_ERROR, false, true,
        "a backslash starts one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        "A backslash that stands for itself is written twice.", RFC "7"},
    [JSON_NUMBER] = {"JSON-008", HOIST_ERROR, false, true,
        "numbers are written [-] digits [. digits] [e [+-] digits], without leading zeros",
        "NaN, Infinity, hexadecimal and bare decimal points are no JSON.", RFC "6"},
    [JSON_VALUE] = {"JSON-009", HOIST_ERROR, false, true,
        "a value is an object, array, string, number, true, false or null",
        "Words are lower case; comments, single quotes and unquoted words are no JSON.", RFC "3"},
    [JSON_STRUCTURE] = {"JSON-010", HOIST_ERROR, false, true,
        "values are separated by commas, keys followed by colons, brackets matched",
        "", RFC "4 and 5"},
    [JSON_KEY] = {"JSON-011", HOIST_ERROR, false, true, "the keys of an object are strings",
        "A comma after the last member is not allowed either.", RFC "4"},
    [JSON_TRAILING] = {"JSON-012", HOIST_ERROR, false, true,
        "nothing but white space follows the value",
        "Several values in one file (JSON lines) are read one at a time by other tools.", RFC "2"},
    [JSON_DEPTH] = {"JSON-013", HOIST_ERROR, false, true,
        "arrays and objects are nested at most 1,024 deep",
        "A cap of ours: no format nests deeper than a dozen levels.", RFC "9; ours"},
    [JSON_DUPLICATE] = {"JSON-014", HOIST_ERROR, false, true, "a key occurs once in its object",
        "Readers take the first, the last or all of them, so they see different files.", RFC "4"},
    [JSON_LIMIT] = {"JSON-015", HOIST_ERROR, false, true,
        "a text is smaller than 4 GiB and no limit of the caller is exceeded", "", "ours"},
};
// clang-format on

const hoist_rule_set hoist_json_rules = {"json", "JSON text", rules, JSON_RULE_COUNT};
