// Rules 26 to 35, 43 and 44: each clause with a bad file and its place, and good files near by.
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define OUT "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"
// One more variable, the third.
#define MORE(text)                                                                                 \
    {                                                                                              \
        DEF, OUT, OUT ",\n    \"x\": {\"var_id\": 2, " text "}"                                    \
    }
#define X "^{\"var_id\": 2"
#define PATH "var/x"

// clang-format off
static const neff_test_row cases[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    // 26
    {"no var", {{DEF, "\"var\"", "\"vars\""}}, "NEFF-026a", NULL, "^{\n  \"name\"", "without 'var'", NULL},
    {"no var_id", {{DEF, "\"var_id\": 0, ", ""}}, "NEFF-026a", NULL, "\"input\": ^{", "without 'var_id'", "var/input"},
    {"no size", {{DEF, ", \"size\": 64", ""}}, "NEFF-026a", NULL, "\"input\": ^{", "without 'size'", "var/input"},
    {"state-buffer without size", {MORE("\"type\": \"state-buffer\"")}, NULL, NULL, NULL, NULL, NULL},
    {"negative size", {MORE("\"type\": \"tmp-buf\", \"size\": -1")}, "NEFF-026a", NULL, "\"size\": ^-1", "'size' is -1, expected 0 or more", PATH},
    {"size 0", {MORE("\"type\": \"tmp-buf\", \"size\": 0")}, NULL, NULL, NULL, NULL, NULL},
    {"size is a word", {MORE("\"type\": \"tmp-buf\", \"size\": \"8\"")}, "NEFF-026a", NULL, "\"size\": ^\"8\"", "expected an integer", PATH},
    {"no queue sets", {{DEF, "\"dma_queue\"", "\"queues\""}}, "NEFF-026b", NULL, "^{\n  \"name\"", "without 'dma_queue'", NULL},
    // 27
    {"unknown type", {MORE("\"type\": \"tmp_buf\", \"size\": 8")}, "NEFF-027a", NULL, "^\"tmp_buf\"", "type 'tmp_buf' is not known", PATH},
    {"undocumented type", {MORE("\"type\": \"shared\", \"size\": 8")}, "NEFF-027b", NULL, "^\"shared\"", "type 'shared' is known to the loader", PATH},
    // 28
    {"not dense", {{DEF, "\"var_id\": 1", "\"var_id\": 2"}}, "NEFF-028b", NULL, "\"var\": ^{", "2 variables have var_ids from 0 to 2, expected 0 to 1", NULL},
    {"negative var_id", {{DEF, "\"var_id\": 0", "\"var_id\": -1"}}, "NEFF-028b", NULL, "\"var\": ^{", "from -1 to 1", NULL},
    {"largest var_id", {{DEF, "\"var_id\": 1", "\"var_id\": 9223372036854775807"}}, "NEFF-028b", NULL, "\"var\": ^{", "to 9223372036854775807", NULL},
    {"dense in another order", {{DEF, "\"var_id\": 0", "\"var_id\": 2"}, {DEF, OUT, OUT ", \"x\": {\"type\": \"tmp-buf\", \"size\": 4, \"var_id\": 0}"}}, NULL, NULL, NULL, NULL, NULL},
    // 29
    {"alignment 3", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"alignment\": 3")}, "NEFF-029", NULL, "\"alignment\": ^3", "'alignment' is 3, expected 0 or a power of two", PATH},
    {"alignment -4", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"alignment\": -4")}, "NEFF-029", NULL, "^-4", "'alignment' is -4", PATH},
    {"least of 64 bits", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"alignment\": -9223372036854775808")}, "NEFF-029", NULL, "^-9", NULL, PATH},
    {"alignment 0", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"alignment\": 0")}, NULL, NULL, NULL, NULL, NULL},
    {"alignment 4096", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"alignment\": 4096")}, NULL, NULL, NULL, NULL, NULL},
    // 30 (queue sets: check_queues_test.c)
    {"unknown area", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"fabric_path\": \"side\"")}, "NEFF-030", NULL, "^\"side\"", "neither 'main' nor 'alt'", PATH},
    {"area is a number", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"fabric_path\": 1")}, "NEFF-030", NULL, "\"fabric_path\": ^1", "expected a string", PATH},
    {"other area", {MORE("\"type\": \"tmp-buf\", \"size\": 8, \"fabric_path\": \"alt\"")}, NULL, NULL, NULL, NULL, NULL},
    // 31 (arrays: check_constants_test.c)
    {"file without a name", {MORE("\"type\": \"file\", \"size\": 3")}, "NEFF-031a", NULL, X, "a file without 'file_name'", PATH},
    {"file is missing", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"w.bin\"")}, "NEFF-031a", NULL, "^\"w.bin\"", "'w.bin' is not in the archive", PATH},
    {"file has no name", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"\"")}, "NEFF-031a", NULL, "\"file_name\": ^\"\"", "'' is not in the archive", PATH},
    {"file is longer", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"w.bin\""), {"sg00/w.bin", NULL, "abcd"}}, "NEFF-031a", DEF, "\"size\": ^3", "'size' is 3, 'w.bin' has 4 bytes", PATH},
    {"file is shorter", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"w.bin\""), {"sg00/w.bin", NULL, "a"}}, "NEFF-031a", DEF, "\"size\": ^3", "'w.bin' has 1 byte", PATH},
    {"file fits", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"w.bin\""), {"sg00/w.bin", NULL, "abc"}}, NULL, NULL, NULL, NULL, NULL},
    {"file elsewhere", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"./w.bin\", \"prefix\": \"lib\""), {"lib/w.bin", NULL, "abc"}}, NULL, NULL, NULL, NULL, NULL},
    {"file_name on an input", {{DEF, "\"size\": 64", "\"size\": 64, \"file_name\": \"pe.bin\""}}, "NEFF-031b", NULL, "^\"pe.bin\"", "'file_name' on a variable of type 'input', expected on 'file' only", "var/input"},
    // 32
    {"a folder that is a number", {MORE("\"type\": \"file\", \"size\": 3, \"file_name\": \"w.bin\", \"prefix\": 7"), {"sg00/w.bin", NULL, "abc"}}, "NEFF-031a", DEF, "\"prefix\": ^7", "'prefix' is 7, expected a string", NULL},
    {"a scratchpad that is a number", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 0, \"backing_buf\": 7")}, "NEFF-032a", DEF, "\"backing_buf\": ^7", "'backing_buf' is 7, expected a string", NULL},
    {"virtual nowhere", {MORE("\"type\": \"virtual\", \"size\": 8")}, "NEFF-032a", NULL, X, "without 'backing_variable_off'", PATH},
    {"virtual below 0", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": -8")}, "NEFF-032a", NULL, "^-8", "'backing_variable_off' is -8", PATH},
    {"virtual beyond 63 bits", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 9223372036854775800")}, "NEFF-032a", NULL, "^92", "beyond 63 bits", PATH},
    {"empty virtual nowhere", {MORE("\"type\": \"virtual\", \"size\": 0")}, "NEFF-032b", NULL, X, "without 'backing_variable_off'", PATH},
    {"empty virtual below 0", {MORE("\"type\": \"virtual\", \"size\": 0, \"backing_variable_off\": -8")}, "NEFF-032b", NULL, "^-8", NULL, PATH},
    {"offset on an output", {{DEF, OUT, "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64, \"backing_variable_off\": 4}"}}, "NEFF-032b", NULL, "\"backing_variable_off\": ^4", "expected on 'virtual' only", "var/output"},
    {"one virtual", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 16")}, "NEFF-032c", NULL, "\"var\": ^{", "area 'main' has 24 bytes: 1 virtual variable, of which 0 share", ""},
    {"virtuals share", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 16}, \"y\": {\"var_id\": 3, \"type\": \"virtual\", \"size\": 1, \"backing_variable_off\": 23}, \"z\": {\"var_id\": 4, \"type\": \"virtual\", \"size\": 9, \"backing_variable_off\": 24")}, "NEFF-032c", NULL, "\"var\": ^{", "has 33 bytes: 3 virtual variables, of which 2 share bytes", NULL},
    {"virtuals of two areas", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 16}, \"y\": {\"var_id\": 3, \"fabric_path\": \"alt\", \"type\": \"virtual\", \"size\": 1, \"backing_variable_off\": 16")}, "NEFF-032c", NULL, "\"var\": ^{", "area 'alt' has 17 bytes: 1 virtual variable, of which 0", NULL},
    {"virtuals of two buffers", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 16}, \"y\": {\"var_id\": 3, \"backing_buf\": \"shared\", \"type\": \"virtual\", \"size\": 1, \"backing_variable_off\": 16")}, "NEFF-032c", NULL, "\"var\": ^{", "area 'main/shared' has 17 bytes", NULL},
    {"an empty one between", {MORE("\"type\": \"virtual\", \"size\": 8, \"backing_variable_off\": 0}, \"y\": {\"var_id\": 3, \"type\": \"virtual\", \"size\": 0, \"backing_variable_off\": 1}, \"z\": {\"var_id\": 4, \"type\": \"virtual\", \"size\": 2, \"backing_variable_off\": 2")}, "NEFF-032c", NULL, "\"var\": ^{", "has 8 bytes: 3 virtual variables, of which 2 share", NULL},
    // 33
    {"pointer of 4 bytes", {MORE("\"type\": \"pointer\", \"size\": 4, \"referenced_var_id\": 0")}, "NEFF-033a", NULL, "\"size\": ^4", "'size' of a pointer is 4, expected 8", PATH},
    {"pointer to nothing", {MORE("\"type\": \"pointer\", \"size\": 8")}, "NEFF-033a", NULL, X, "without 'referenced_var_id'", PATH},
    {"pointer to a stranger", {MORE("\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 7")}, "NEFF-033a", NULL, "\"referenced_var_id\": ^7", "is 7, which no variable has", PATH},
    {"pointer to a word", {MORE("\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": \"input\"")}, "NEFF-033a", NULL, "\"referenced_var_id\": ^\"", "expected an integer", PATH},
    {"reference on an input", {{DEF, "\"size\": 64", "\"size\": 64, \"referenced_var_id\": 1"}}, "NEFF-033b", NULL, "\"referenced_var_id\": ^1", "expected on 'pointer' only", "var/input"},
    {"pointer to itself", {MORE("\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 2")}, "NEFF-033b", NULL, "\"referenced_var_id\": ^2", "a pointer to 'x', which is a pointer", PATH},
    {"pointer", {MORE("\"type\": \"pointer\", \"size\": 8, \"referenced_var_id\": 1")}, NULL, NULL, NULL, NULL, NULL},
    // 34
    {"table without a list", {MORE("\"type\": \"dge-table\", \"size\": 8")}, "NEFF-034a", NULL, X, "without 'list'", PATH},
    {"table of a stranger", {MORE("\"type\": \"dge-table\", \"size\": 16, \"list\": [0, 9]")}, "NEFF-034a", NULL, "[0, ^9]", "item 1 of 'list' is 9", PATH},
    {"table too small", {MORE("\"type\": \"dge-table\", \"size\": 15, \"list\": [0, 1]")}, "NEFF-034a", NULL, "\"size\": ^15", "the list of 2 needs 16 bytes", PATH},
    {"table of words", {MORE("\"type\": \"dge-table\", \"size\": 16, \"list\": [0, \"1\"]")}, "NEFF-034a", NULL, "[0, ^\"1\"]", "'list[1]' is", PATH},
    {"list on an input", {{DEF, "\"size\": 64", "\"size\": 64, \"list\": []"}}, "NEFF-034b", NULL, "\"list\": ^[", "expected on 'dge-table' only", "var/input"},
    {"table", {MORE("\"type\": \"dge-table\", \"size\": 17, \"list\": [0, 0]")}, NULL, NULL, NULL, NULL, NULL},
    // 35
    {"no output", {{DEF, "\"type\": \"output\"", "\"type\": \"tmp-buf\""}}, "NEFF-035a", NULL, "\"var\": ^{", "no variable is an output", NULL},
    {"no input", {{DEF, "\"type\": \"input\"", "\"type\": \"tmp-buf\""}}, "NEFF-035b", NULL, "\"var\": ^{", "no variable is an input", NULL},
    // 43
    {"engine is missing", {{"sg00/dve.json", NULL, NULL}}, "NEFF-043a", DEF, "^\"dve.json\"", "the file of engine 'dve', \"dve.json\", is not in the archive", NULL},
    {"engine is a number", {{DEF, "\"pool.json\"", "7"}}, "NEFF-043a", NULL, "\"pool\": ^7", "expected a string", NULL},
    {"engine is absent", {{DEF, "\"act\": \"act.json\", ", ""}}, "NEFF-043b", NULL, "^{\n  \"name\"", "engine 'act' has no file", NULL},
    {"no engine", {{DEF, "\"pe\": \"pe.json\", \"act\": \"act.json\", \"pool\": \"pool.json\",\n  \"dve\": \"dve.json\", \"sp\": \"sp.json\",\n", ""}}, "NEFF-043b", NULL, "^{\n  \"name\"", "no engine has a file", NULL},
};

// Faults that break other clauses too.
static const neff_test_row crowded[] = {
    {"var is a list", {{DEF, NULL, "{\"dma_queue\": {}, \"var\": []}"}}, "NEFF-026a", NULL, "^[]", "'var' is a list, expected an object", NULL},
    {"var of a number", {{DEF, OUT, OUT ", \"x\": 1"}}, "NEFF-026a", NULL, "\"x\": ^1", "a variable without 'type'", PATH},
    {"no type", {{DEF, "\"type\": \"input\", ", ""}}, "NEFF-026a", NULL, "^{\"var_id\": 0", "without 'type'", "var/input"},
    {"queue sets are a list", {{DEF, NULL, "{\"dma_queue\": [], \"var\": {}}"}}, "NEFF-026b", NULL, "^[]", "'dma_queue' is a list", NULL},
    {"var_id twice", {{DEF, "\"var_id\": 1", "\"var_id\": 0"}}, "NEFF-028a", NULL, "\"output\", \"var_id\": ^0", "'var_id' is 0, as of 'input'", "var/output"},
};

static const struct {
    const char *name;
    const char *target;
    bool reservation;
    const char *rule;
} generations[] = {
    {"generation 3",      "cayman",  true,  NULL      },
    {"generation 3, none", "cayman", false, "NEFF-044"},
    {"generation 2, none", "sunda",  false, NULL      },
    {"generation 4, none", "mariana", false, NULL     },
    {"any, none",          "*",      false, NULL      },
};
// clang-format on

HOIST_TEST_TABLE(def_rules, cases)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_def, row, true);
}

HOIST_TEST_TABLE(def_rules_crowded, crowded)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_def, row, false);
}

HOIST_TEST_TABLE(reservations_are_wanted, generations)
{
    static const char list[] = "  \"runtime_statebuffer_reservation\": [],\n";
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, row->target, &neff);
    if (!row->reservation) {
        neff_test_edit(t, &neff, DEF, list, "");
    }
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_def);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->rule) {
        neff_test_expect(t, &neff, row->rule, DEF, "^{\n  \"name\"",
                         "no 'runtime_statebuffer_reservation', which trn2 wants");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(def_rules), HOIST_TEST_ROW(def_rules_crowded),
                HOIST_TEST_ROW(reservations_are_wanted))
