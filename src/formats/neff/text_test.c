// Fields of JSON members by table: values, fallbacks, and what is reported where.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/neff/neff_testing.h"
#include "formats/neff/text.h"

// One member of that text, read as a tape.
typedef struct opened {
    neff_texts neff;
    neff_module *module;
    hoist_read_options options;
    neff_reader reader;
    neff_text text;
    hoist_status status;
} opened;

static void open_text(hoist_test *t, hoist_str text, size_t max_nodes, opened *o)
{
    *o = (opened){.options = {.alloc = hoist_allocator_system(), .max_nodes = max_nodes}};
    neff_test_put(t, &o->neff, "a.json", text);
    o->module = neff_test_module(t, &o->neff, o->options.alloc);
    o->reader = (neff_reader){
        .module = o->module, .diag = t->diag, .options = &o->options, .arena = &o->module->arena};
    o->status = neff_text_read(&o->reader, 0, NEFF_ROLE_METADATA, &o->text);
}

static void close_text(opened *o)
{
    neff_text_free(&o->text);
    neff_test_destroy(o->module);
}

// Texts ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text;
    size_t max_nodes;
    hoist_status status;
    const char *findings;
} texts[] = {
    {"good", "{\"a\": [1, NaN, -Infinity]}", 0, HOIST_OK, ""},
    {"no value", " \n", 0, HOIST_INVALID, "1:1: error: no JSON: the text holds no value (JSON-001) [NEFF-021a]\n"},
    {"cut", "{\"a\":", 0, HOIST_TRUNCATED,
     "1:6: error: no JSON: the text ends before a member's value (JSON-002) [NEFF-021a]\n"},
    {"a comma too many", "{\n \"a\": 1,\n}", 0, HOIST_INVALID,
     "3:1: error: no JSON: found '}', expected a key in double quotes (JSON-011) [NEFF-021a]\n"},
    {"keys twice", "{\"a\": 1,\n \"a\": 2, \"b\": {\"c\": 1, \"c\": 2}}", 0, HOIST_OK,
     "2:2: warning: key \"a\" occurs twice in its object; the last one counts [NEFF-021b]\n"
     "2:24: warning: key \"c\" occurs twice in its object; the last one counts [NEFF-021b]\n"},
    {"keys twice and an error", "[{\"a\": 1, \"a\": 2},]", 0, HOIST_INVALID,
     "1:11: warning: key \"a\" occurs twice in its object; the last one counts [NEFF-021b]\n"
     "1:19: error: no JSON: found ']', expected a value (JSON-009) [NEFF-021a]\n"},
    {"a limit", "[1, 2, 3]", 2, HOIST_LIMIT, "1:6: error: more than 2 values and keys [JSON-015]\n"},
    {"within the limit", "[1, 2, 3]", 4, HOIST_OK, ""},
};
// clang-format on

HOIST_TEST_TABLE(findings_of_the_codec_are_ours, texts)
{
    opened o;
    open_text(t, hoist_str_from(row->text), row->max_nodes, &o);
    HOIST_EXPECT_EQ(t, o.status, row->status);
    HOIST_EXPECT_EQ(t, o.text.json.count > 0, row->status == HOIST_OK);
    HOIST_EXPECT_EQ(t, o.text.member, 0);
    HOIST_EXPECT_EQ(t, o.module->members[0].role, NEFF_ROLE_METADATA);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, i)->member, "a.json");
    }
    close_text(&o);
}

HOIST_TEST(many_keys_twice_are_counted)
{
    opened o;
    hoist_str text = HOIST_STR("{\"a\": 0");
    for (unsigned i = 0; i < 103; i++) {
        text = hoist_arena_format(&t->arena, "%s,\n\"a\": 1", text.data);
    }
    open_text(t, hoist_arena_format(&t->arena, "%s}", text.data), 0, &o);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 101);
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-021b"), 101);
    HOIST_EXPECT(
        t, hoist_str_contains(hoist_test_findings(t), "3 more keys occur twice in their objects"));
    close_text(&o);
}

// Fields -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const hoist_rec_table *table;
    const char *required; // keys that keep the object from missing others
} tables[] = {
    {"variable",  &neff_var_table,   "\"type\": \"input\", \"var_id\": 0, "},
    {"queue set", &neff_queue_table, "\"type\": \"in\", \"owner\": \"sp\", "},
    {"engine",    &neff_engine_table, ""},
    {"extra",     &neff_extra_table, ""},
};

static const struct {
    const char *text;
    uint32_t kinds; // that take it
} values[] = {
    {"null", 0},
    {"false", 1u << HOIST_REC_BOOL},
    {"-17", 1u << HOIST_REC_INT | 1u << HOIST_REC_FLOAT},
    {"9223372036854775808", 1u << HOIST_REC_FLOAT},
    {"1e3", 1u << HOIST_REC_FLOAT},
    {"\"text\"", 1u << HOIST_REC_STR | 1u << HOIST_REC_WORD | 1u << HOIST_REC_SMALL_WORD},
    {"[]", 1u << HOIST_REC_INTS | 1u << HOIST_REC_STRS},
    {"{}", 0},
};
// clang-format on

typedef union any_object {
    neff_var var;
    neff_queue_set queue;
    neff_engine engine;
    neff_desc_extra extra;
} any_object;

static void try_value(hoist_test *t, size_t table, size_t row, size_t value)
{
    const hoist_rec_field *field = &tables[table].table->fields[row];
    opened o;
    any_object object;
    memset(&object, 0, sizeof(object));
    uint64_t present = 0;
    const hoist_str text = hoist_arena_format(&t->arena, "{%s\n\"%s\": %s}", tables[table].required,
                                              field->key, values[value].text);
    open_text(t, text, 0, &o);
    HOIST_EXPECT_EQ(
        t, neff_read_fields(&o.reader, tables[table].table, &o.text.json, 0, &object, &present),
        HOIST_OK);
    const bool right = field->kind == HOIST_REC_ANY || values[value].kinds >> field->kind & 1;
    HOIST_EXPECT_EQ(t, neff_has(tables[table].table, present, field->key), right);
    const size_t twice = neff_test_count(t->diag, "NEFF-021b");
    if (right || field->wrong == HOIST_REC_NONE) {
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), twice);
    } else {
        const hoist_str at = hoist_arena_format(&t->arena, "\n\"%s\": ^", field->key);
        neff_test_expect(t, &o.neff, neff_rule_row((neff_rule)field->wrong)->id, "a.json", at.data,
                         values[value].text[0] == '{' ? "is an object, expected" : ", expected");
    }
    close_text(&o);
}

HOIST_TEST_TABLE(every_field_refuses_other_kinds, tables)
{
    const size_t table = (size_t)(row - tables);
    for (size_t i = 0; i < row->table->count; i++) {
        for (size_t v = 0; v < HOIST_COUNT_OF(values); v++) {
            hoist_test_row(t, row->table->fields[i].key);
            try_value(t, table, i, v);
        }
    }
}

HOIST_TEST(values_go_to_their_slots)
{
    opened o;
    neff_var var = {0};
    uint64_t present = 0;
    open_text(
        t,
        HOIST_STR(
            "{\"type\": \"virt\\u0075al\", \"var_id\": 7, \"size\": 9007199254740993, \"#x\": 1, "
            "\"fabric_path\": \"alt\", \"list\": [1, -2], \"file_name\": \"f.npy\", \"ops\": []}"),
        0, &o);
    HOIST_EXPECT_EQ(
        t, neff_read_fields(&o.reader, &neff_var_table, &o.text.json, 0, &var, &present), HOIST_OK);
    HOIST_EXPECT_EQ(t, var.type, NEFF_VAR_VIRTUAL);
    HOIST_EXPECT_STR(t, var.type_text, "virtual");
    HOIST_EXPECT_EQ(t, var.var_id, 7);
    HOIST_EXPECT_EQ(t, var.size, 9007199254740993);
    HOIST_EXPECT_EQ(t, var.fabric, NEFF_FABRIC_ALT);
    HOIST_EXPECT_EQ(t, var.list.count, 2);
    HOIST_EXPECT_EQ(t, var.list.items[1], -2);
    HOIST_EXPECT_STR(t, var.file_name, "f.npy");
    HOIST_EXPECT_EQ(t, __builtin_popcountll(present), 7);
    HOIST_EXPECT_RULE(t, NULL);
    close_text(&o);
}

HOIST_TEST(absent_keys_have_fallbacks)
{
    opened o;
    neff_var var = {0};
    neff_queue_set queue = {0};
    uint64_t present = 1;
    open_text(t, HOIST_STR("[{}, 5]"), 0, &o);
    HOIST_EXPECT_EQ(
        t, neff_read_fields(&o.reader, &neff_var_table, &o.text.json, 1, &var, &present), HOIST_OK);
    HOIST_EXPECT_EQ(t, var.type, -1);
    HOIST_EXPECT_EQ(t, var.var_id, -1);
    HOIST_EXPECT_EQ(t, var.fabric, NEFF_FABRIC_MAIN);
    HOIST_EXPECT_EQ(t, var.referenced_var_id, -1);
    HOIST_EXPECT_EQ(t, present, 0);
    HOIST_EXPECT_EQ(
        t, neff_read_fields(&o.reader, &neff_queue_table, &o.text.json, 2, &queue, &present),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, queue.num_queues, 1);
    HOIST_EXPECT_EQ(t, queue.semaphore, -1);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "1:2: error: a variable without 'type' [NEFF-026a]\n"
                     "1:2: error: a variable without 'var_id' [NEFF-026a]\n"
                     "1:6: error: a queue set without 'type' [NEFF-036a]\n"
                     "1:6: warning: a queue set without 'owner' [NEFF-037b]\n");
    close_text(&o);
}

HOIST_TEST(of_equal_keys_the_last_counts)
{
    opened o;
    neff_var var = {0};
    uint64_t present = 0;
    open_text(t,
              HOIST_STR("{\"type\": \"x\", \"type\": \"file\", \"var_id\": 1, \"var_id\": null, "
                        "\"list\": [1], \"list\": [2, 3], \"size\": true, \"size\": 4}"),
              0, &o);
    HOIST_EXPECT_EQ(
        t, neff_read_fields(&o.reader, &neff_var_table, &o.text.json, 0, &var, &present), HOIST_OK);
    HOIST_EXPECT_EQ(t, var.type, NEFF_VAR_FILE);
    HOIST_EXPECT_EQ(t, var.var_id, -1);
    HOIST_EXPECT(t, !neff_has(&neff_var_table, present, "var_id"));
    HOIST_EXPECT_EQ(t, var.list.count, 2);
    HOIST_EXPECT_EQ(t, var.size, 4);
    HOIST_EXPECT(t, neff_has(&neff_var_table, present, "size"));
    HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-026a"), 2); // no 'missing' for var_id
    close_text(&o);
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    const opened *o = self;
    neff_module *module = neff_module_create(alloc, (hoist_bytes){0});
    if (!module) {
        return HOIST_NO_MEMORY;
    }
    neff_member member = {
        .name = HOIST_STR("a.json"),
        .bytes = {(const uint8_t *)o->neff.members[0].text.data, o->neff.members[0].text.size}};
    module->members = &member;
    module->member_count = 1;
    neff_reader reader = {.module = module, .arena = &module->arena};
    neff_text text = {0};
    neff_var var = {0};
    uint64_t present = 0;
    hoist_status status = neff_text_read(&reader, 0, NEFF_ROLE_DEF, &text);
    if (status == HOIST_OK) {
        status = neff_read_fields(&reader, &neff_var_table, &text.json, 0, &var, &present);
    }
    neff_text_free(&text);
    neff_module_free(module);
    return status;
}

HOIST_TEST(reads_without_memory)
{
    opened o = {0};
    neff_test_put(
        t, &o.neff, "a.json",
        HOIST_STR("{\"typ\\u0065\": \"fil\\u0065\", \"type\": 1, \"var_id\": 1, \"list\": [1, 2], "
                  "\"a\": 1, \"a\": 2, \"file_name\": \"\\u0061\"}"));
    hoist_test_starve(t, read_starved, &o);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings_of_the_codec_are_ours),
                HOIST_TEST_ROW(many_keys_twice_are_counted),
                HOIST_TEST_ROW(every_field_refuses_other_kinds),
                HOIST_TEST_ROW(values_go_to_their_slots),
                HOIST_TEST_ROW(absent_keys_have_fallbacks),
                HOIST_TEST_ROW(of_equal_keys_the_last_counts), HOIST_TEST_ROW(reads_without_memory))
