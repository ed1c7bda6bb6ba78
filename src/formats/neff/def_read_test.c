// Variables, queue sets and what follows from them: files, pointers, names, aliases.
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define VARS "\"var\": {"
#define Q0 "{\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}"

static const neff_var *var_of(const neff_module *module, const char *name)
{
    size_t index = 0;
    const bool found =
        hoist_map_find(&module->subgraphs[0].var_names, hoist_str_from(name), &index);
    return found ? &module->subgraphs[0].vars[index] : NULL;
}

static neff_module *read_with(hoist_test *t, const char *find, const char *put)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, DEF, find, put);
    return neff_test_read(t, &neff);
}

HOIST_TEST(variables_have_all_keys)
{
    neff_module *const module = read_with(
        t, VARS,
        VARS
        "\"a\": {\"type\": \"virtual\", \"var_id\": 2, \"size\": 4294967296, \"alignment\": 64,"
        " \"fabric_path\": \"alt\", \"backing_variable_off\": 17108992, \"backing_buf\": "
        "\"shared\", \"element_size\": 4, \"internal_shape\": [1, 2], \"shape\": [3],"
        " \"framework_shape\": [4, 5, 6], \"dtype\": \"float32\", \"prefix\": \"sg00\","
        " \"ops\": [], \"#own\": {}, \"list\": [7]},");
    const neff_var *const v = var_of(module, "a");
    HOIST_EXPECT_EQ(t, v->type, NEFF_VAR_VIRTUAL);
    HOIST_EXPECT_EQ(t, v->fabric, NEFF_FABRIC_ALT);
    HOIST_EXPECT_EQ(t, v->size, INT64_C(4294967296));
    HOIST_EXPECT_EQ(t, v->alignment, 64);
    HOIST_EXPECT_EQ(t, v->backing_variable_off, 17108992);
    HOIST_EXPECT_STR(t, v->backing_buf, "shared");
    HOIST_EXPECT_EQ(t, v->element_size, 4);
    HOIST_EXPECT_EQ(t, v->internal_shape.count, 2);
    HOIST_EXPECT_EQ(t, v->shape.items[0], 3);
    HOIST_EXPECT_EQ(t, v->framework_shape.items[2], 6);
    HOIST_EXPECT_STR(t, v->dtype, "float32");
    HOIST_EXPECT_EQ(t, v->list.count, 1);
    HOIST_EXPECT_RULE(t, NULL);
    neff_test_destroy(module);
}

HOIST_TEST(absent_keys_have_fallbacks)
{
    neff_module *const module =
        read_with(t, VARS, VARS "\"a\": {\"type\": \"odd\", \"var_id\": 9},");
    const neff_var *const v = var_of(module, "a");
    HOIST_EXPECT_EQ(t, v->type, -1);
    HOIST_EXPECT_STR(t, v->type_text, "odd");
    HOIST_EXPECT_EQ(t, v->fabric, NEFF_FABRIC_MAIN);
    HOIST_EXPECT_EQ(t, v->size, 0);
    HOIST_EXPECT_EQ(t, neff_has(&neff_var_table, v->present, "size"), false);
    HOIST_EXPECT_EQ(t, neff_has(&neff_var_table, v->present, "var_id"), true);
    HOIST_EXPECT_EQ(t, v->member, NEFF_NONE);
    HOIST_EXPECT_EQ(t, v->referenced, NEFF_NONE);
    HOIST_EXPECT_EQ(t, v->alias, NEFF_NONE);
    neff_test_destroy(module);
}

HOIST_TEST(variables_are_found_by_id)
{
    neff_module *const module = read_with(
        t, VARS,
        VARS "\"z\": {\"type\": \"tmp-buf\", \"var_id\": -5, \"size\": 1}, \"y\": {\"type\": "
             "\"tmp-buf\", \"size\": 1}, \"x\": {\"type\": \"tmp-buf\", \"var_id\": 1, \"size\": 1}"
             ", \"w\": {\"type\": \"pointer\", \"var_id\": 7, \"size\": 8, \"referenced_var_id\": "
             "1},");
    const neff_subgraph *const s = &module->subgraphs[0];
    static const char *const order[] = {"z", "input", "x", "output", "w", "y"};
    HOIST_EXPECT_EQ(t, s->var_count, HOIST_COUNT_OF(order));
    for (uint32_t i = 0; i < s->var_count; i++) {
        HOIST_EXPECT_STR(t, s->vars[s->by_id[i]].name, order[i]);
    }
    HOIST_EXPECT_STR(t, s->vars[neff_var_by_id(s, 1)].name, "x"); // first of equals
    HOIST_EXPECT_STR(t, s->vars[neff_var_by_id(s, -5)].name, "z");
    HOIST_EXPECT_EQ(t, neff_var_by_id(s, -1), NEFF_NONE); // what an absent one falls back to
    HOIST_EXPECT_EQ(t, neff_var_by_id(s, 8), NEFF_NONE);
    HOIST_EXPECT_EQ(t, neff_var_by_id(s, INT64_MAX), NEFF_NONE);
    HOIST_EXPECT_EQ(t, var_of(module, "w")->referenced, neff_var_by_id(s, 1));
    neff_test_destroy(module);
}

HOIST_TEST(the_last_of_equal_names_counts)
{
    neff_module *const module =
        read_with(t, VARS, VARS "\"output\": {\"type\": \"tmp-buf\", \"var_id\": 5, \"size\": 1},");
    HOIST_EXPECT_EQ(t, module->subgraphs[0].var_count, 2);
    HOIST_EXPECT_EQ(t, var_of(module, "output")->type, NEFF_VAR_OUTPUT);
    HOIST_EXPECT_EQ(t, var_of(module, "output")->var_id, 1);
    HOIST_EXPECT_RULE(t, "NEFF-021b");
    neff_test_destroy(module);
}

HOIST_TEST(queue_sets_and_instances)
{
    neff_module *const module = read_with(
        t, Q0,
        Q0 ", \"q1\": {\"type\": \"dynamic\", \"num_queues\": 16, \"queue_instances\": [\"a\", "
           "\"b\"], \"semaphore_set\": [3, 4], \"fabric_path\": \"alt\"}, \"q2\": {\"type\": "
           "\"in\", \"owner\": \"cpu\", \"pinned\": true, \"queue_instances\": [\"b\", \"c\"]}");
    const neff_subgraph *const s = &module->subgraphs[0];
    const neff_queue_set *const q = s->queues;
    size_t index = 0;
    HOIST_EXPECT_EQ(t, s->queue_count, 3);
    HOIST_EXPECT_EQ(t, q[0].type, NEFF_QUEUE_DATA);
    HOIST_EXPECT_EQ(t, q[0].owner, NEFF_SP);
    HOIST_EXPECT_EQ(t, q[0].num_queues, 1);
    HOIST_EXPECT_EQ(t, q[0].semaphore, 1);
    HOIST_EXPECT_EQ(t, q[1].num_queues, 16);
    HOIST_EXPECT_EQ(t, q[1].owner, -1);
    HOIST_EXPECT_EQ(t, q[1].semaphore_set.items[1], 4);
    HOIST_EXPECT_EQ(t, q[1].fabric, NEFF_FABRIC_ALT);
    HOIST_EXPECT_EQ(t, q[2].pinned, true);
    HOIST_EXPECT_STR(t, q[2].owner_text, "cpu");
    HOIST_EXPECT_EQ(t, s->instance_count, 4);
    HOIST_EXPECT_EQ(t, q[2].first_instance, 2);
    HOIST_EXPECT_STR(t, s->instances[3].name, "c");
    HOIST_EXPECT_EQ(t, s->instances[3].queue, 2);
    HOIST_EXPECT(t, hoist_map_find(&s->instance_names, HOIST_STR("b"), &index));
    HOIST_EXPECT_EQ(t, index, 1); // the first that has the name
    HOIST_EXPECT(t, hoist_map_find(&s->queue_names, HOIST_STR("q2"), &index));
    neff_test_destroy(module);
}

HOIST_TEST(constants_are_members)
{
    static const char vars[] =
        VARS "\"a\": {\"type\": \"file\", \"var_id\": 2, \"size\": 1, \"file_name\": \"w\"},"
             "\"b\": {\"type\": \"file\", \"var_id\": 3, \"size\": 1, \"file_name\": \"w\", "
             "\"prefix\": \"lib/\"},"
             "\"c\": {\"type\": \"file\", \"var_id\": 4, \"size\": 1, \"file_name\": \"w\", "
             "\"prefix\": \"nowhere\"},"
             "\"d\": {\"type\": \"tmp-buf\", \"var_id\": 5, \"size\": 1, \"file_name\": \"w\"},";
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/w", HOIST_STR("1"));
    neff_test_put(t, &neff, "lib/w", HOIST_STR("2"));
    neff_test_edit(t, &neff, DEF, VARS, vars);
    neff_module *const module = neff_test_read(t, &neff);
    const uint32_t own = neff_member_find(module, HOIST_STR("sg00/w"));
    const uint32_t other = neff_member_find(module, HOIST_STR("lib/w"));
    HOIST_EXPECT_EQ(t, var_of(module, "a")->member, own);
    HOIST_EXPECT_EQ(t, var_of(module, "b")->member, other);
    HOIST_EXPECT_EQ(t, var_of(module, "c")->member, own);
    HOIST_EXPECT_EQ(t, var_of(module, "d")->member, NEFF_NONE);
    HOIST_EXPECT_EQ(t, module->members[other].role, NEFF_ROLE_CONSTANT);
    neff_test_destroy(module);
}

// clang-format off
static const struct {
    const char *name;
    const char *map; // tensor_map.json; NULL: none
    const char *attr; // of the input's node
    bool is_aliased;
    bool is_named; // the output is
} aliases[] = {
    {"none",           NULL, "", false, false},
    {"a pair",         "{\"alias_map\": [{\"input_name\": \"input\", \"output_name\": \"output\"}]}", "", true, true},
    {"a pair in must_alias", "{\"must_alias\": [{\"input_name\": \"input\", \"output_name\": \"output\"}]}", "", true, true},
    {"a name alone",   "{\"must_alias\": [\"input\"]}", "", true, false},
    {"of no output",   "{\"alias_map\": [{\"input_name\": \"input\", \"output_name\": \"input\"}]}", "", true, false},
    {"of no input",    "{\"alias_map\": [{\"input_name\": \"output\", \"output_name\": \"output\"}, 7, null]}", "", false, false},
    {"another list",   "{\"inputs\": [\"input\"], \"alias_map\": {}}", "", false, false},
    {"no object",      "[]", "", false, false},
    {"the node may",   NULL, "\"may_alias\": \"1\", ", true, false},
    {"the node must",  NULL, "\"must_alias\": \"output\", ", true, false},
};
// clang-format on

HOIST_TEST_TABLE(inputs_have_aliases, aliases)
{
    neff_texts neff;
    const hoist_str attr = hoist_arena_format(&t->arena, "%s\"is_param\"", row->attr);
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, "neff.json", "\"is_param\"", attr.data);
    if (row->map) {
        neff_test_put(t, &neff, "sg00/tensor_map.json", hoist_str_from(row->map));
    }
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_RULE(t, NULL);
    const neff_var *const input = var_of(module, "input");
    HOIST_EXPECT_EQ(t, input->is_aliased, row->is_aliased);
    HOIST_EXPECT_EQ(t, input->alias != NEFF_NONE, row->is_named);
    if (input->alias != NEFF_NONE) {
        HOIST_EXPECT_STR(t, module->subgraphs[0].vars[input->alias].name, "output");
    }
    neff_test_destroy(module);
}

HOIST_TEST(a_map_that_is_no_json)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/tensor_map.json", HOIST_STR("{\"alias_map\": [}"));
    neff_test_destroy(neff_test_read(t, &neff));
    neff_test_expect(t, &neff, "NEFF-021a", "sg00/tensor_map.json", "[^}", "no JSON");
}

// Reads and checks the texts.
static hoist_status read_and_check(hoist_test *t, const neff_texts *neff, hoist_allocator alloc)
{
    static neff_test_part *const parts[] = {neff_check_graph, neff_check_def, neff_check_queues};
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    neff_module *const module = neff_test_module(t, neff, alloc);
    if (!module) {
        return HOIST_NO_MEMORY;
    }
    neff_reader reader = {.module = module, .options = &options, .arena = &module->arena};
    neff_check check = {.module = module};
    hoist_status status = neff_read_members(&reader);
    hoist_arena_init(&check.arena, alloc);
    for (size_t i = 0; i < HOIST_COUNT_OF(parts) && status == HOIST_OK; i++) {
        status = parts[i](&check);
    }
    hoist_arena_deinit(&check.arena);
    neff_test_destroy(module);
    return status;
}

HOIST_TEST(memory_may_end_anywhere)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/tensor_map.json", HOIST_STR("{\"must_alias\": [\"input\"]}"));
    neff_test_put(t, &neff, "sg00/w.npy", HOIST_STR("\x93NUMPY"));
    neff_test_edit(t, &neff, DEF, VARS,
                   VARS "\"a\": {\"type\": \"file\", \"var_id\": 5, \"size\": 1, \"file_name\": "
                        "\"w.npy\"}, \"b\": {\"type\": \"virtual\", \"var_id\": 6, \"size\": 1, "
                        "\"backing_variable_off\": 0},");
    neff_test_edit(t, &neff, DEF, "\"semaphore\": 10", "\"pinned\": true");
    neff_test_edit(t, &neff, DEF, "reservation\": []", "reservation\": [{}]");
    hoist_failing failing;
    bool refused = true;
    size_t n = 0;
    while (refused) {
        n++;
        const hoist_allocator alloc = hoist_failing_allocator(&failing, n);
        const hoist_status status = read_and_check(t, &neff, alloc);
        refused = failing.requests >= n;
        HOIST_EXPECT_EQ(t, status, refused ? HOIST_NO_MEMORY : HOIST_OK);
        HOIST_EXPECT_EQ(t, failing.live, 0);
        // Alone it may be one to give space back, which does no harm.
        const hoist_allocator again = hoist_failing_allocator(&failing, n);
        failing.once = true;
        const hoist_status alone = read_and_check(t, &neff, again);
        HOIST_EXPECT(t, alone == HOIST_NO_MEMORY || alone == HOIST_OK);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    HOIST_EXPECT(t, n > 30);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(variables_have_all_keys), HOIST_TEST_ROW(absent_keys_have_fallbacks),
                HOIST_TEST_ROW(variables_are_found_by_id),
                HOIST_TEST_ROW(the_last_of_equal_names_counts),
                HOIST_TEST_ROW(queue_sets_and_instances), HOIST_TEST_ROW(constants_are_members),
                HOIST_TEST_ROW(inputs_have_aliases), HOIST_TEST_ROW(a_map_that_is_no_json),
                HOIST_TEST_ROW(memory_may_end_anywhere))
