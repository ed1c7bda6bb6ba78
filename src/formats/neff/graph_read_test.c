// neff.json and kelfs as they differ among writers, hostile ones, and the corpus.
#include "base/buffer.h"
#include "formats/neff/graph.h"
#include "formats/neff/neff_testing.h"
#include "formats/neff/tape.h"

#define GRAPH "neff.json"
#define KELF "kelf-0.json"

// clang-format off
// One change to the graph of the copy program, and the names of its two entries.
static const struct {
    const char *name;
    const char *find;
    const char *put;
    const char *output;
} writers[] = {
    {"a string",             "\"output_names\": \"output\"", "\"output_names\": \"output\"",         "output"},
    {"another key",          "\"output_names\"",             "\"output\"",                           "output"},
    {"a list",               "\"output_names\": \"output\"", "\"output_names\": [\"out\\u0070ut\"]", "output"},
    {"several in a string",  "\"output_names\": \"output\"", "\"output_names\": \" a b , c,\"",      "a b"},
    {"an empty string",      "\"output_names\": \"output\"", "\"output_names\": \"\"",               "sg0"},
    {"an empty list",        "\"output_names\": \"output\"", "\"output_names\": []",                 "sg0"},
    {"no key",               "\"output_names\"",             "\"#output_names\"",                    "sg0"},
    {"a number",             "\"output_names\": \"output\"", "\"output_names\": 3",                  "sg0"},
};
// clang-format on

static neff_module *read_with(hoist_test *t, const char *member, const char *find, const char *put)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "v3", &neff);
    neff_test_edit(t, &neff, member, find, put);
    return neff_test_read(t, &neff);
}

HOIST_TEST_TABLE(names_of_outputs, writers)
{
    neff_module *const module = read_with(t, GRAPH, row->find, row->put);
    const neff_graph *const graph = &module->graph;
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, graph->entry_count, 2);
    HOIST_EXPECT_STR(t, graph->entries[0].name, "input");
    HOIST_EXPECT_STR(t, graph->entries[1].name, row->output);
    neff_test_destroy(module);
}

HOIST_TEST(graphs_have_nodes_entries_and_subgraphs)
{
    neff_module *const module = read_with(t, GRAPH, "[[16]", "[[2, 8]");
    const neff_graph *const graph = &module->graph;
    HOIST_EXPECT_EQ(t, graph->node_count, 2);
    HOIST_EXPECT_EQ(t, graph->nodes[0].is_null, true);
    HOIST_EXPECT_EQ(t, graph->nodes[1].is_kelf, true);
    HOIST_EXPECT_STR(t, graph->nodes[1].kelf, KELF);
    const neff_entry *const e = graph->entries;
    HOIST_EXPECT_EQ(t, e[0].is_input, true);
    HOIST_EXPECT_EQ(t, e[0].is_output, false);
    HOIST_EXPECT_EQ(t, e[0].shape.count, 2);
    HOIST_EXPECT_EQ(t, e[0].shape.items[1], 8);
    HOIST_EXPECT_STR(t, hoist_str_from(neff_dtypes[e[0].dtype].name), "float32");
    HOIST_EXPECT_EQ(t, e[1].is_output, true);
    HOIST_EXPECT_EQ(t, e[1].is_input, false);
    HOIST_EXPECT_EQ(t, e[1].node, 1);
    HOIST_EXPECT_EQ(t, module->kelf_count, 1);
    HOIST_EXPECT_STR(t, module->kelfs[0].version, "0.5");
    HOIST_EXPECT_EQ(t, module->kelfs[0].generation, NEFF_GEN3);
    HOIST_EXPECT_EQ(t, module->kelfs[0].node, 1);
    HOIST_EXPECT_EQ(t, module->subgraph_count, 1);
    HOIST_EXPECT_STR(t, module->subgraphs[0].name, "sg00");
    HOIST_EXPECT_STR(t, module->subgraphs[0].folder, "sg00/");
    const uint32_t def = neff_member_find(module, HOIST_STR("sg00/def.json"));
    HOIST_EXPECT_EQ(t, module->subgraphs[0].def.member, def);
    HOIST_EXPECT_EQ(t, module->members[def].role, NEFF_ROLE_DEF);
    neff_test_destroy(module);
}

// The whole graph in an object of a newer writer.
HOIST_TEST(wrapped_graphs)
{
    static const char *const wraps[] = {
        "{\"version\": \"0.5\", \"target_arch\": \"v3\", \"graphs\": [%s]}",
        "{\"revision\": \"0.5\", \"graphs\": %s}",
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(wraps); i++) {
        neff_texts neff;
        hoist_buffer text;
        neff_test_base(t, NEFF_TEST_COPY, "v3", &neff);
        const hoist_str inner = neff_test_text(t, &neff, GRAPH);
        hoist_buffer_init(&text, hoist_allocator_system());
        for (const char *c = wraps[i]; *c; c++) {
            if (c[0] == '%') {
                hoist_buffer_str(&text, inner);
                c++;
            } else {
                hoist_buffer_char(&text, *c);
            }
        }
        neff_test_put(t, &neff, GRAPH, hoist_buffer_text(&text));
        hoist_buffer_deinit(&text);
        neff_module *const module = neff_test_read(t, &neff);
        neff_test_check(t, module, NULL, neff_check_graph);
        HOIST_EXPECT_RULE(t, NULL);
        HOIST_EXPECT_EQ(t, module->graph.entry_count, 2);
        HOIST_EXPECT_EQ(t, module->subgraph_count, 1);
        neff_test_destroy(module);
    }
}

// Names without their own: the folder's.
HOIST_TEST(subgraphs_without_a_name)
{
    neff_module *const module = read_with(t, KELF, ", \"name\": \"sg00\"", "");
    HOIST_EXPECT_STR(t, module->subgraphs[0].name, "sg00");
    neff_test_destroy(module);
}

HOIST_TEST(definitions_are_of_one_subgraph)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "v3", &neff);
    neff_test_edit(t, &neff, KELF, "\"sg00\"}",
                   "\"sg00\"},\n{\"definition\": \"./sg00/def.json\", \"name\": \"sg01\"}");
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_EQ(t, module->subgraph_count, 2);
    HOIST_EXPECT_EQ(t, module->subgraphs[1].def.member, NEFF_NONE);
    HOIST_EXPECT_EQ(t, module->subgraphs[1].var_count, 0);
    neff_test_expect(t, &neff, "NEFF-024a", KELF, "^\"./sg00", "is that of another subgraph");
    neff_test_destroy(module);
}

HOIST_TEST(two_nodes_share_a_kelf)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "v3", &neff);
    neff_test_edit(t, &neff, GRAPH, "\"op\": \"null\"", "\"op\": \"__kelf\"");
    neff_test_edit(t, &neff, GRAPH, "\"is_param\": \"0\"", "\"kelf\": \"kelf-0.json\"");
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, module->graph.nodes[0].is_kelf && module->graph.nodes[1].is_kelf, true);
    HOIST_EXPECT_EQ(t, module->kelf_count, 1);
    HOIST_EXPECT_EQ(t, module->kelfs[0].node, 0);
    HOIST_EXPECT_EQ(t, module->subgraph_count, 1);
    neff_test_destroy(module);
}

// Nothing that a file says makes tables that it has no text for.
HOIST_TEST(numbers_make_no_tables)
{
    static const char *const rows[] = {
        "[0, 1, 4294967295]",
        "[0, 4294967295, 4294967296]",
        "[0, -1, 2]",
        "[0, 1.0, 2]",
        "[]",
        "[0]",
        "{}",
        "7",
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        neff_module *const module = read_with(t, GRAPH, "[0, 1, 2]", rows[i]);
        HOIST_EXPECT_EQ(t, module->graph.entry_count, 0);
        HOIST_EXPECT_EQ(t, module->subgraph_count, 1);
        neff_test_destroy(module);
    }
}

HOIST_TEST(values_of_other_kinds)
{
    // clang-format off
    static const char *const texts[] = {
        "7",
        "[]",
        "{}",
        "null",
        "{\"nodes\": 3}",
        "{\"nodes\": [1, null, [], {}]}",
        "{\"nodes\": [{\"op\": 1, \"name\": 2, \"attrs\": 3}], \"heads\": [[]], \"arg_nodes\": [{}]}",
        "{\"graphs\": []}",
        "{\"graphs\": [7]}",
        "{\"graphs\": {\"nodes\": {}}}",
        "{\"nodes\": [{\"op\": \"__kelf\"}, {\"op\": \"__kelf\", \"attrs\": {\"kelf\": [1]}}]}",
        "{\"nodes\": [], \"node_row_ptr\": [0], \"attrs\": {\"dltype\": [1, 2], \"shape\": []}}",
        "{\"nodes\": [{}], \"node_row_ptr\": [0, 1], \"attrs\": {\"dltype\": [1, [2]], \"shape\": [1, [3]]}}",
    };
    // clang-format on
    for (size_t i = 0; i < HOIST_COUNT_OF(texts); i++) {
        neff_texts neff;
        neff_test_base(t, NEFF_TEST_COPY, "v3", &neff);
        neff_test_put(t, &neff, GRAPH, hoist_str_from(texts[i]));
        neff_module *const module = neff_test_read(t, &neff);
        neff_test_check(t, module, NULL, neff_check_graph);
        HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0);
        neff_test_destroy(module);
        hoist_test_row(t, texts[i]); // a fresh diag
    }
}

HOIST_TEST(tapes_find_the_last)
{
    hoist_json json;
    const hoist_str text = HOIST_STR("{\"a\": 1, \"b\": [5, 6], \"a\": {\"\\u0063\": \"x\"}}");
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    neff_cursor cursor = {0};
    hoist_str word;
    HOIST_EXPECT_EQ(t, hoist_json_read(bytes, NULL, hoist_allocator_system(), NULL, &json), 0);
    const hoist_json_index a = neff_tape_find(&json, 0, "a");
    HOIST_EXPECT_EQ(t, neff_tape_is(&json, a, HOIST_JSON_OBJECT), true);
    HOIST_EXPECT_EQ(t, neff_tape_find(&json, 0, "c"), 0);
    HOIST_EXPECT(t, neff_tape_find(&json, a, "c") > 0);
    HOIST_EXPECT_EQ(t, neff_tape_find(&json, neff_tape_find(&json, 0, "b"), "a"), 0);
    HOIST_EXPECT_EQ(t, neff_tape_str(&json, a, "c", &t->arena, &word), HOIST_OK);
    HOIST_EXPECT_STR(t, word, "x");
    HOIST_EXPECT_EQ(t, neff_tape_at(&json, json.tokens[a].start), a);
    HOIST_EXPECT_EQ(t, neff_tape_at(&json, 3), 0);
    HOIST_EXPECT_EQ(t, neff_key_loc(&cursor, &json, 0, "b").pos.column, 15);
    HOIST_EXPECT_EQ(t, neff_key_loc(&cursor, &json, 0, "z").pos.column, 1);
    HOIST_EXPECT_EQ(t, neff_key_there(&json, json.tokens[a].start, "c"), true);
    HOIST_EXPECT_EQ(t, neff_key_there(&json, json.tokens[a].start, "d"), false);
    hoist_json_free(&json);
}

// Targets -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *target; // of the kelf; NULL: it is missing
    const char *asked;  // --target
    int generation;
    const char *arch;
    const char *source;
} targets[] = {
    {"of the file",    "cayman", NULL,   NEFF_GEN3,           "trn2", "file"  },
    {"any",            "*",      NULL,   NEFF_ANY_GENERATION, "*",    "file"  },
    {"asked for",      "*",      "inf1", NEFF_GEN1,           "inf1", "option"},
    {"by its alias",   "cayman", "inf2", NEFF_GEN2,           "inf2", "option"},
    {"unknown",        "x",      NULL,   NEFF_ANY_GENERATION, NULL,   NULL    },
    {"unknown, asked", "x",      "trn3", NEFF_GEN4,           "trn3", "option"},
    {"no such target", "cayman", "x",    NEFF_GEN3,           NULL,   NULL    },
    {"no kelf",        NULL,     NULL,   NEFF_ANY_GENERATION, NULL,   NULL    },
};
// clang-format on

HOIST_TEST_TABLE(targets_and_who_chose, targets)
{
    neff_texts neff;
    bool given = false;
    const hoist_check_options options = {.arch = hoist_str_from(row->asked)};
    neff_test_base(t, NEFF_TEST_COPY, row->target, &neff);
    if (!row->target) {
        neff_test_drop(t, &neff, KELF);
    }
    neff_module *const module = neff_test_read(t, &neff);
    const hoist_target target = neff_target(&module->base, &options);
    HOIST_EXPECT_EQ(t, neff_generation_for(module, &options, &given), row->generation);
    HOIST_EXPECT_EQ(t, given, row->source && row->source[0] == 'o');
    HOIST_EXPECT_STR(t, hoist_str_from(target.arch), row->arch);
    HOIST_EXPECT_STR(t, hoist_str_from(target.source), row->source);
    neff_test_destroy(module);
}

// Corpus ------------------------------------------------------------------------------------------

static const struct {
    const char *name;
} fixtures[] = {{"neff/tiny_allreduce_pkg1_pax.neff"}, {"neff/tiny_allreduce_pkg2_gnu.neff"}};

HOIST_TEST_TABLE(corpus_is_read_and_good, fixtures)
{
    static neff_test_part *const parts[] = {neff_check_graph, neff_check_def, neff_check_queues,
                                            neff_check_blocks, neff_check_descs};
    const char *const path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
    }
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *base = NULL;
    HOIST_EXPECT_EQ(t, neff_read(hoist_test_file(t, path), &options, t->diag, &base), HOIST_OK);
    neff_module *const module = (neff_module *)base;
    for (size_t i = 0; module && i < HOIST_COUNT_OF(parts); i++) {
        neff_test_check(t, module, NULL, parts[i]);
    }
    HOIST_EXPECT_RULE(t, NULL);
    if (!module) {
        return;
    }
    const neff_subgraph *const s = &module->subgraphs[0];
    HOIST_EXPECT_EQ(t, module->subgraph_count, 1);
    HOIST_EXPECT_EQ(t, s->var_count, 5);
    HOIST_EXPECT_EQ(t, s->queue_count, 2);
    HOIST_EXPECT_STR(t, s->vars[neff_var_by_id(s, 4)].name, "gradient_out");
    HOIST_EXPECT_EQ(t, s->queues[1].semaphore, 11);
    HOIST_EXPECT_EQ(t, s->queues[1].owner, NEFF_POOL);
    HOIST_EXPECT_STR(t, module->graph.entries[1].name, "output");
    HOIST_EXPECT_EQ(t, module->kelfs[0].generation, NEFF_ANY_GENERATION);
    neff_destroy(base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(names_of_outputs),
                HOIST_TEST_ROW(graphs_have_nodes_entries_and_subgraphs),
                HOIST_TEST_ROW(wrapped_graphs), HOIST_TEST_ROW(subgraphs_without_a_name),
                HOIST_TEST_ROW(definitions_are_of_one_subgraph),
                HOIST_TEST_ROW(two_nodes_share_a_kelf), HOIST_TEST_ROW(numbers_make_no_tables),
                HOIST_TEST_ROW(values_of_other_kinds), HOIST_TEST_ROW(tapes_find_the_last),
                HOIST_TEST_ROW(targets_and_who_chose), HOIST_TEST_ROW(corpus_is_read_and_good))
