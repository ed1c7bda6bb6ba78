// Rules 11 and 21 to 25: each clause with a bad file and its place, and good files near by.
#include "formats/neff/neff_testing.h"

#define GRAPH "neff.json"
#define KELF "kelf-0.json"

// clang-format off
static const neff_test_row cases[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    // 21
    {"no graph", {{GRAPH, NULL, NULL}}, "NEFF-021a", "", NULL, "no 'neff.json'", NULL},
    {"graph is no JSON", {{GRAPH, "\"arg_nodes\": [0]", "\"arg_nodes\": [0"}}, "NEFF-021a", NULL, "^: [[1, 0, 0]]", "no JSON", NULL},
    {"kelf is no JSON", {{KELF, "\"0.5\"", "0.5.1"}}, "NEFF-021a", NULL, "0.5^.1", "no JSON", NULL},
    {"def is no JSON", {{"sg00/def.json", "\"name\"", "name"}}, "NEFF-021a", NULL, "^name", "no JSON", NULL},
    {"key twice", {{KELF, "\"version\"", "\"target\": \"v2\",\n  \"version\""}}, "NEFF-021b", NULL, "^\"target\": \"*\"", "the last one counts", NULL},
    {"legacy name", {{GRAPH, NULL, NULL}, {"kelp.json", NULL, "{\"nodes\": [{\"op\": \"__kelf\", \"name\": \"k\", "
     "\"attrs\": {\"kelf\": \"kelf-0.json\"}}], \"arg_nodes\": [], \"heads\": [], \"node_row_ptr\": [0, 0], "
     "\"attrs\": {\"dltype\": [\"list_str\", []], \"shape\": [\"list_shape\", []]}}"}}, NULL, NULL, NULL, NULL, NULL},
    // 22: what has to be there
    {"no nodes", {{GRAPH, "\"nodes\"", "\"knots\""}}, "NEFF-022", NULL, "^{\n  \"knots\"", "no 'nodes'", NULL},
    {"no arg_nodes", {{GRAPH, "\"arg_nodes\"", "\"args\""}}, "NEFF-022", NULL, "^{\n  \"nodes\"", "no 'arg_nodes'", NULL},
    {"no heads", {{GRAPH, "\"heads\"", "\"head\""}}, "NEFF-022", NULL, "^{\n  \"nodes\"", "no 'heads'", NULL},
    {"no rows", {{GRAPH, "\"node_row_ptr\"", "\"rows\""}}, "NEFF-022", NULL, "^{\n  \"nodes\"", "no 'node_row_ptr'", NULL},
    {"no types", {{GRAPH, "\"dltype\"", "\"dtype\""}}, "NEFF-022", NULL, "^{\n    \"shape\"", "no 'attrs.dltype'", NULL},
    {"no shapes", {{GRAPH, "\"shape\": [", "\"shapes\": ["}}, "NEFF-022", NULL, "^{\n    \"shapes\"", "no 'attrs.shape'", NULL},
    {"heads are a number", {{GRAPH, "[[1, 0, 0]]", "1"}}, "NEFF-022", NULL, "\"heads\": ^1", "'heads' is no list", NULL},
    {"types without a word", {{GRAPH, "[\"list_str\", [\"float32\", \"float32\"]]", "[\"float32\"]"}}, "NEFF-022", NULL, "^[\"float32\"]", "no pair", NULL},
    // 22: indices
    {"arg beyond", {{GRAPH, "\"arg_nodes\": [0]", "\"arg_nodes\": [0, 2]"}}, "NEFF-022", NULL, "[0, ^2]", "names node 2, expected one of the 2", NULL},
    {"last arg", {{GRAPH, "\"arg_nodes\": [0]", "\"arg_nodes\": [0, 1]"}}, NULL, NULL, NULL, NULL, NULL},
    {"arg below", {{GRAPH, "\"arg_nodes\": [0]", "\"arg_nodes\": [-1]"}}, "NEFF-022", NULL, "[^-1]", "names node -1", NULL},
    {"head beyond", {{GRAPH, "[[1, 0, 0]]", "[[2, 0, 0]]"}}, "NEFF-022", NULL, "[[^2, 0, 0]]", "'heads' names node 2", NULL},
    {"head's output beyond", {{GRAPH, "[[1, 0, 0]]", "[[1, 1, 0]]"}}, "NEFF-022", NULL, "[[1, ^1, 0]]", "names output 1 of node 1", NULL},
    {"head is a number", {{GRAPH, "[[1, 0, 0]]", "[1]"}}, "NEFF-022", NULL, "\"heads\": [^1]", "expected [node, output, version]", NULL},
    {"input beyond", {{GRAPH, "\"inputs\": [[0, 0, 0]]", "\"inputs\": [[7, 0, 0]]"}}, "NEFF-022", NULL, "[[^7, 0, 0]]", "'inputs' names node 7", "nodes/sg0"},
    // 22: rows
    {"rows too few", {{GRAPH, "[0, 1, 2]", "[0, 2]"}}, "NEFF-022", NULL, "^[0, 2]", "has 2 items, 2 nodes need 3", NULL},
    {"rows fall", {{GRAPH, "[0, 1, 2]", "[0, 2, 1]"}}, "NEFF-022", NULL, "[0, 2, ^1]", "item 2 of 'node_row_ptr' is 1", NULL},
    {"rows begin at 1", {{GRAPH, "[0, 1, 2]", "[1, 1, 2]"}}, "NEFF-022", NULL, "[^1, 1, 2]", "item 0", NULL},
    {"rows are words", {{GRAPH, "[0, 1, 2]", "[0, \"1\", 2]"}}, "NEFF-022", NULL, "[0, ^\"1\", 2]", "item 1", NULL},
    {"rows may stand still", {{GRAPH, "[0, 1, 2]", "[0, 2, 2]"}, {GRAPH, "[[1, 0, 0]]", "[[0, 1, 0]]"}}, NULL, NULL, NULL, NULL, NULL},
    // 23
    {"kelf is missing", {{KELF, NULL, NULL}}, "NEFF-023a", GRAPH, "^{\"op\": \"tvm_op\"", "'kelf-0.json', which is not in the archive", "nodes/sg0"},
    {"kelf without a name", {{GRAPH, "\"kelf\": ", "\"no-kelf\": "}}, "NEFF-023a", NULL, "^{\"op\": \"tvm_op\"", "names no kelf", "nodes/sg0"},
    {"op __kelf", {{GRAPH, "tvm_op", "__kelf"}, {GRAPH, "\"func_name\": \"__kelf\", ", ""}}, NULL, NULL, NULL, NULL, NULL},
    {"a node for the CPU", {{GRAPH, "\"null\"", "\"cpu_op\""}}, "NEFF-023b", NULL, "\"op\": ^\"cpu_op\"", "has op 'cpu_op'", "nodes/input"},
    // 24
    {"no subgraph", {{KELF, "[\n    {\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}\n  ]", "[]"}}, "NEFF-024a", NULL, "^[]", "no graphs", NULL},
    {"no list of subgraphs", {{KELF, "\"graphs\"", "\"graph\""}}, "NEFF-024a", NULL, "^{\n  \"graph\"", "no graphs", NULL},
    {"definition is missing", {{"sg00/def.json", NULL, NULL}}, "NEFF-024a", KELF, "\"definition\": ^\"", "'sg00/def.json' is not in the archive", NULL},
    {"no definition", {{KELF, "\"definition\"", "\"define\""}}, "NEFF-024a", NULL, "^{\"define\"", "has no definition", NULL},
    {"unknown target", {{KELF, "\"*\"", "\"trainium\""}}, "NEFF-024a", NULL, "^\"trainium\"", "target 'trainium' is not known", NULL},
    {"target is a number", {{KELF, "\"*\"", "2"}}, "NEFF-024a", NULL, "\"target\": ^2", "expected a string", NULL},
    {"no target", {{KELF, ",\n  \"target\": \"*\"", ""}}, NULL, NULL, NULL, NULL, NULL},
    {"version without a dot", {{KELF, "\"0.5\"", "\"5\""}}, "NEFF-024b", NULL, "^\"5\"", "version '5' has no '.'", NULL},
    {"no version", {{KELF, "\"version\"", "\"revision\""}}, "NEFF-024b", NULL, "^{\n  \"graphs\"", "has no '.'", NULL},
    {"version with a suffix", {{KELF, "\"0.5\"", "\"0.6-rc1\""}}, NULL, NULL, NULL, NULL, NULL},
    // 25
    {"unknown type", {{GRAPH, "\"float32\", \"float32\"", "\"float32\", \"float31\""}}, "NEFF-025", NULL, "^\"float31\"", "the type of 'output' is \"float31\"", NULL},
    {"type of no graph", {{GRAPH, "\"float32\", \"float32\"", "\"float32r\", \"float32\""}}, "NEFF-025", NULL, "^\"float32r\"", "the loader does not know", NULL},
    {"size differs", {{GRAPH, "[[16]", "[[17]"}}, "NEFF-025", NULL, "[^[17]", "'input' has 68 bytes of float32, its variable in 'sg00' 64", NULL},
    {"another type, same size", {{GRAPH, "[[16]", "[[8, 4]"}, {GRAPH, "\"float32\", \"float32\"", "\"bfloat16\", \"float32\""}}, NULL, NULL, NULL, NULL, NULL},
    {"shape overflows", {{GRAPH, "[[16]", "[[4294967296, 4294967296]"}}, "NEFF-025", NULL, "[^[4294967296", "fit 63 bits", NULL},
    {"shape is negative", {{GRAPH, "[[16]", "[[-1, 0]"}}, "NEFF-025", NULL, "[^[-1", "expected extents", NULL},
    {"an empty extent", {{GRAPH, "[[16]", "[[9223372036854775807, 9223372036854775807, 0]"}}, "NEFF-025", NULL, "[^[9223", "has 0 bytes", NULL},
};

// Faults that break other clauses too.
static const neff_test_row crowded[] = {
    {"rows end beyond", {{GRAPH, "[0, 1, 2]", "[0, 1, 3]"}}, "NEFF-022", NULL, "[0, 1, ^3]", "ends with 3, 'attrs.dltype' has 2", NULL},
    {"more rows than entries", {{GRAPH, "[0, 1, 2]", "[0, 1, 4294967296]"}}, "NEFF-022", NULL, "[0, 1, ^4", "ends with 4294967296", NULL},
    {"no kelf node", {{GRAPH, "__kelf", "__cpu"}}, "NEFF-023a", NULL, "\"nodes\": ^[", "none of the 2 nodes is a kelf", NULL},
};

// --target against the kelf's.
static const struct {
    const char *name;
    const char *target;
    const char *asked;
    const char *rule;
    const char *says;
} targets[] = {
    {"same",                  "sunda",   "trn1",  NULL,        NULL},
    {"same by another name",  "v2",      "inf2",  NULL,        NULL},
    {"any",                   "*",       "trn3",  NULL,        NULL},
    {"not asked",             "mariana", NULL,    NULL,        NULL},
    {"older",                 "sunda",   "trn2",  "NEFF-024c", "target 'sunda' is trn1, asked for is trn2"},
    {"newer",                 "v4",      "inf1",  "NEFF-024c", "target 'v4' is trn3, asked for is inf1"},
    {"empty is generation 2", "",        "trn2",  "NEFF-024c", "target '' is trn1"},
    {"no such target",        "sunda",   "trn9",  "NEFF-024c", "'trn9' is no target"},
};

// lnc_size and the number of subgraphs.
static const struct {
    const char *name;
    const char *target;
    uint32_t lnc_size;
    unsigned subgraphs;
    const char *rule;
    const char *says;
} cores[] = {
    {"one",              "cayman", 1, 1, NULL,        NULL},
    {"two",              "cayman", 2, 2, NULL,        NULL},
    {"three cores",      "cayman", 3, 3, "NEFF-011a", "lnc_size is 3, expected 1 or 2"},
    {"second missing",   "cayman", 2, 1, "NEFF-011a", "lnc_size is 2, the file has 1 subgraph"},
    {"second too many",  "cayman", 1, 2, "NEFF-011b", "lnc_size is 1, the file has 2 subgraphs"},
    {"second on INF1",   "tonga",  1, 2, NULL,        NULL},
    {"old writer",       "cayman", 0, 1, "NEFF-011c", "lnc_size is 0, 1 is taken"},
};
// clang-format on

HOIST_TEST_TABLE(graph_rules, cases)
{
    neff_test_run_row(t, NEFF_TEST_COPY, NULL, neff_check_graph, row, true);
}

HOIST_TEST_TABLE(graph_rules_crowded, crowded)
{
    neff_test_run_row(t, NEFF_TEST_COPY, NULL, neff_check_graph, row, false);
}

static void expect_one(hoist_test *t, const char *rule, const char *says)
{
    HOIST_EXPECT_RULE(t, rule);
    if (rule && hoist_diag_kept(t->diag) > 0) {
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
        HOIST_EXPECT(t, hoist_str_contains(hoist_diag_at(t->diag, 0)->message, says));
    }
}

HOIST_TEST_TABLE(targets_are_compared, targets)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, row->target, &neff);
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, row->asked, neff_check_graph);
    neff_test_destroy(module);
    expect_one(t, row->rule, row->says);
    if (row->rule) {
        neff_test_expect(t, &neff, row->rule, KELF, "\"target\": ^\"", NULL);
    }
}

HOIST_TEST_TABLE(cores_have_subgraphs, cores)
{
    static const char *const names[] = {"sg01", "sg02"};
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, row->target, &neff);
    for (unsigned i = 0; i < HOIST_COUNT_OF(names) && i + 1 < row->subgraphs; i++) {
        const hoist_str item = hoist_arena_format(
            &t->arena, "\"sg00\"},\n    {\"definition\": \"%s/def.json\", \"name\": \"%s\"}",
            names[i], names[i]);
        const hoist_str member = hoist_arena_format(&t->arena, "%s/def.json", names[i]);
        neff_test_edit(t, &neff, KELF, "\"sg00\"}", item.data);
        neff_test_put(t, &neff, member.data, neff_test_text(t, &neff, "sg00/def.json"));
    }
    neff_module *const module = neff_test_read(t, &neff);
    module->header.lnc_size = row->lnc_size;
    neff_test_check(t, module, NULL, neff_check_graph);
    neff_test_destroy(module);
    expect_one(t, row->rule, row->says);
    if (row->rule) {
        const hoist_finding *const f = hoist_diag_at(t->diag, 0);
        HOIST_EXPECT_EQ(t, f->loc.kind, HOIST_LOC_BYTE);
        HOIST_EXPECT_EQ(t, f->loc.offset, 0x228);
        HOIST_EXPECT_STR(t, f->member, "");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(graph_rules), HOIST_TEST_ROW(graph_rules_crowded),
                HOIST_TEST_ROW(targets_are_compared), HOIST_TEST_ROW(cores_have_subgraphs))
