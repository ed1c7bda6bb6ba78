// The hand-written schemas of dump and info against the tables of fields, words and attributes.
#include "base/alloc.h"
#include "base/span.h"
#include "codec/json.h"
#include "formats/buda/fields.h"
#include "testing/test.h"

// One object of a schema on its way through the checks.
typedef struct schema {
    hoist_test *t;
    hoist_json json;
} schema;

static schema open_schema(hoist_test *t, const char *name)
{
    schema s = {.t = t};
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/schemas/hoist.%s-1.schema.json", HOIST_SOURCE_DIR, name);
    const hoist_bytes text = hoist_test_file(t, path.data);
    HOIST_EXPECT_EQ(t, hoist_json_read(text, NULL, hoist_allocator_system(), t->diag, &s.json),
                    HOIST_OK);
    return s;
}

// The value that a path of keys, separated by blanks, leads to from `from`; false with a failure
// when there is none.
static bool follow(const schema *s, hoist_json_index from, const char *path, hoist_json_index *out)
{
    *out = from;
    hoist_str rest = hoist_str_from(path);
    while (rest.size) {
        size_t size = 0;
        while (size < rest.size && rest.data[size] != ' ') {
            size++;
        }
        if (!hoist_json_find(&s->json, *out, hoist_str_slice(rest, 0, size), out)) {
            hoist_test_fail(s->t, __FILE__, __LINE__, "no %s", path);
            return false;
        }
        rest = hoist_str_slice(rest, size + 1, rest.size);
    }
    return true;
}

static hoist_str text_of(const schema *s, hoist_json_index at, const char *key)
{
    hoist_json_index value = 0;
    return hoist_json_find(&s->json, at, hoist_str_from(key), &value)
               ? hoist_json_string(&s->json, value, &s->t->arena)
               : (hoist_str){"", 0};
}

// From the schema of a placed value, written out or named by $ref, to that of the value itself.
static bool value_schema(const schema *s, hoist_json_index at, hoist_json_index *out)
{
    static const hoist_str prefix = {"#/$defs/", 8};
    hoist_json_index ignored = 0;
    if (!hoist_json_find(&s->json, at, HOIST_STR("properties"), &ignored)) {
        const hoist_str ref = text_of(s, at, "$ref");
        const hoist_str name = hoist_str_slice(ref, prefix.size, ref.size);
        const hoist_str path = hoist_arena_format(&s->t->arena, "$defs %.*s", HOIST_STR_ARGS(name));
        if (!follow(s, 0, path.data, &at)) {
            return false;
        }
    }
    return follow(s, at, "properties value", out);
}

static bool list_has(const schema *s, hoist_json_index list, const char *text)
{
    hoist_json_index at = hoist_json_first(&s->json, list);
    for (uint32_t i = 0; i < hoist_json_size(&s->json, list); i++) {
        if (hoist_str_equal_c(hoist_json_string(&s->json, at, &s->t->arena), text)) {
            return true;
        }
        at = hoist_json_next(&s->json, at);
    }
    return false;
}

static void expect_range(const schema *s, hoist_json_index value, int64_t min, int64_t max)
{
    hoist_json_index at = 0;
    int64_t number = 0;
    if (follow(s, value, "minimum", &at)) {
        HOIST_EXPECT(s->t, hoist_json_i64(&s->json, at, &number));
        HOIST_EXPECT_EQ(s->t, number, min);
    }
    if (follow(s, value, "maximum", &at)) {
        HOIST_EXPECT(s->t, hoist_json_i64(&s->json, at, &number));
        HOIST_EXPECT_EQ(s->t, number, max);
    }
}

static void expect_words(const schema *s, hoist_json_index value, const hoist_rec_words *set)
{
    hoist_json_index list = 0;
    if (!follow(s, value, "enum", &list)) {
        return;
    }
    uint32_t accepted = 0;
    for (int i = 0; i < (int)set->count; i++) {
        if (!set->accepted || set->accepted(i)) {
            accepted++;
            HOIST_EXPECT(s->t, list_has(s, list, hoist_rec_word_name(set, i)));
        }
    }
    HOIST_EXPECT_EQ(s->t, hoist_json_size(&s->json, list), accepted);
}

// The schema of one field: its text, and for the kinds that have them its range and its words.
static void expect_field(const schema *s, hoist_json_index at, const hoist_rec_field *field)
{
    HOIST_EXPECT_STR(s->t, text_of(s, at, "description"), field->summary);
    hoist_json_index value = 0;
    hoist_json_index items = 0;
    if (!value_schema(s, at, &value)) {
        return;
    }
    if (field->kind == HOIST_REC_WORDS &&
        (!follow(s, value, "items", &items) || !value_schema(s, items, &value))) {
        return;
    }
    if (field->kind == HOIST_REC_INT) {
        expect_range(s, value, field->min, field->max);
    } else if (field->kind == BUDA_KIND_PAIR && follow(s, value, "items", &items)) {
        expect_range(s, items, field->min, field->max);
    } else if (field->kind == HOIST_REC_WORD || field->kind == HOIST_REC_WORDS) {
        expect_words(s, value, field->words);
    }
}

// clang-format off
static const struct {
    const char *name; // of the definition
    const hoist_rec_table *table;
    uint32_t others; // keys that no table has: extra, schedules, queue_settings
} objects[] = {
    {"buda_queue",         &buda_queue_table,   1},
    {"buda_graph",         &buda_graph_table,   0},
    {"buda_op",            &buda_op_table,      1},
    {"buda_pad",           &buda_pad_table,     0},
    {"buda_unpad",         &buda_unpad_table,   0},
    {"buda_fused_op",      &buda_fused_table,   2},
    {"buda_sub_op",        &buda_sub_op_table,  1},
    {"buda_queue_setting", &buda_setting_table, 1},
    {"buda_execute",       &buda_execute_table, 2},
};
// clang-format on

HOIST_TEST_TABLE(objects_have_the_keys_of_their_tables, objects)
{
    schema s = open_schema(t, "dump");
    hoist_json_index object = 0;
    hoist_json_index keys = 0;
    hoist_json_index required = 0;
    const hoist_str path = hoist_arena_format(&t->arena, "$defs %s", row->name);
    if (follow(&s, 0, path.data, &object) && follow(&s, object, "properties", &keys)) {
        HOIST_EXPECT_EQ(t, hoist_json_size(&s.json, keys), row->table->count + row->others);
        const bool some = hoist_json_find(&s.json, object, HOIST_STR("required"), &required);
        for (size_t i = 0; i < row->table->count; i++) {
            const hoist_rec_field *const field = &row->table->fields[i];
            hoist_json_index at = 0;
            if (follow(&s, keys, field->key, &at)) {
                expect_field(&s, at, field);
            }
            HOIST_EXPECT_EQ(t, some && list_has(&s, required, field->key),
                            field->need == HOIST_REC_REQUIRED);
        }
    }
    hoist_json_free(&s.json);
}

HOIST_TEST(keys_of_inputs)
{
    schema s = open_schema(t, "dump");
    static const char *const paths[] = {"$defs buda_op patternProperties",
                                        "$defs buda_sub_op patternProperties"};
    for (size_t i = 0; i < HOIST_COUNT_OF(paths) * buda_input_keys_table.count; i++) {
        const hoist_rec_field *const field =
            &buda_input_keys_table.fields[i / HOIST_COUNT_OF(paths)];
        const hoist_str path =
            hoist_arena_format(&t->arena, "%s ^input_[0-9]+_%s$", paths[i % 2], field->key);
        hoist_json_index at = 0;
        if (follow(&s, 0, path.data, &at)) {
            expect_field(&s, at, field);
        }
    }
    hoist_json_free(&s.json);
}

static void expect_attribute(const schema *s, hoist_json_index at, const hoist_attr_def *def)
{
    HOIST_EXPECT_STR(s->t, text_of(s, at, "description"), def->summary);
    hoist_json_index value = 0;
    hoist_json_index list = 0;
    if (!value_schema(s, at, &value)) {
        return;
    }
    if (def->kind == HOIST_ATTR_KIND_INT) {
        expect_range(s, value, (int64_t)def->min, (int64_t)def->max);
    } else if (def->kind == HOIST_ATTR_KIND_WORD && follow(s, value, "enum", &list)) {
        uint32_t count = 0;
        for (; def->words[count]; count++) {
            HOIST_EXPECT(s->t, list_has(s, list, def->words[count]));
        }
        HOIST_EXPECT_EQ(s->t, hoist_json_size(&s->json, list), count);
    }
}

HOIST_TEST(attributes)
{
    schema s = open_schema(t, "dump");
    hoist_json_index keys = 0;
    hoist_json_index at = 0;
    if (follow(&s, 0, "$defs buda_attributes properties", &keys)) {
        // All but HOIST_ATTR_NONE and input<N>, which is a pattern.
        HOIST_EXPECT_EQ(t, hoist_json_size(&s.json, keys), HOIST_ATTR_COUNT - 2);
        for (int attr = HOIST_ATTR_NONE + 1; attr < HOIST_ATTR_COUNT; attr++) {
            const hoist_attr_def *const def = hoist_attr_get((hoist_attr)attr);
            if (attr == HOIST_ATTR_INPUT
                    ? follow(&s, 0, "$defs buda_attributes patternProperties ^input[0-7]$", &at)
                    : follow(&s, keys, def->name, &at)) {
                expect_attribute(&s, at, def);
            }
        }
    }
    hoist_json_free(&s.json);
}

// clang-format off
static const struct {
    const char *name;
    const char *document;
    const char *path; // to what has the enum
    const hoist_rec_words *words;
} sets[] = {
    {"formats of a queue",  "info", "$defs queue properties df",           &buda_df_words},
    {"types of a queue",    "info", "$defs queue properties type",         &buda_queue_type_words},
    {"order of a queue",    "info", "$defs queue properties ublock_order", &buda_order_words},
    {"layout of a queue",   "info", "$defs queue properties layout",       &buda_layout_words},
    {"memory of a queue",   "info", "$defs queue properties memory",       &buda_loc_words},
    {"memory of a channel", "info", "$defs channel properties memory",     &buda_loc_words},
    {"architectures",       "dump", "$defs architecture properties value", &buda_arch_words},
};
// clang-format on

HOIST_TEST_TABLE(sets_of_words, sets)
{
    schema s = open_schema(t, row->document);
    hoist_json_index at = 0;
    if (follow(&s, 0, row->path, &at)) {
        expect_words(&s, at, row->words);
    }
    hoist_json_free(&s.json);
}

HOIST_TEST(kinds_of_instructions)
{
    schema s = open_schema(t, "info");
    hoist_json_index keys = 0;
    if (follow(&s, 0, "$defs program properties instruction_kinds properties", &keys)) {
        HOIST_EXPECT_EQ(t, hoist_json_size(&s.json, keys), BUDA_I_ENDPROGRAM + 1);
        for (int kind = BUDA_I_VAR; kind <= BUDA_I_ENDPROGRAM; kind++) {
            hoist_json_index ignored = 0;
            HOIST_EXPECT(t, follow(&s, keys, buda_instr_name((buda_instr_kind)kind), &ignored));
        }
    }
    hoist_json_free(&s.json);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(objects_have_the_keys_of_their_tables),
                HOIST_TEST_ROW(keys_of_inputs), HOIST_TEST_ROW(attributes),
                HOIST_TEST_ROW(sets_of_words), HOIST_TEST_ROW(kinds_of_instructions))
