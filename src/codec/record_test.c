// Records on a small file format: operators with tensors in them, as graph compilers write them as
// JSON, in two spellings. The values of netlists and NEFFs are tested with their formats.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "codec/record.h"
#include "testing/test.h"

typedef struct buffer {
    uint64_t present;
    int64_t id;
    int64_t rank;
} buffer;

typedef struct tensor {
    uint64_t present;
    int64_t id;
    int32_t dtype;
    HOIST_REC_BARE_LIST(int64_t) shape;
    HOIST_REC_BARE_LIST(int64_t) padded;
    buffer buffer;
} tensor;

typedef struct argument { // {"name": {"INT": 3}}: one of the rows is there
    hoist_str name;
    uint64_t present;
    int64_t integer;
    bool boolean;
    double number;
    tensor tensor;
} argument;

typedef struct op {
    uint64_t present;
    hoist_str type;
    hoist_rec_list reads; // of tensor
    hoist_rec_list args;  // of argument
    hoist_rec_extra *extra;
    const hoist_rec_order *order;
} op;

enum { OLD = 1, NEW = 2 }; // spellings

enum { RULE_KIND, RULE_MISSING, RULE_UNKNOWN, RULE_ITEM, RULE_COUNT };
static const hoist_rule rules[RULE_COUNT] = {
    {"REC-1", HOIST_ERROR, false, true, 0, "kind", "", ""},
    {"REC-2", HOIST_ERROR, false, true, 0, "missing", "", ""},
    {"REC-3", HOIST_WARNING, false, true, 0, "unknown", "", ""},
    {"REC-4", HOIST_ERROR, false, true, 0, "item", "", ""},
};
static const hoist_rule_set rule_set = {"rec", "records", rules, RULE_COUNT};

// clang-format off
#define KEY HOIST_REC_KEY
#define AT HOIST_REC_AT
#define NEEDED .need = HOIST_REC_REQUIRED, .missing = RULE_MISSING
#define BARE(type) .size = sizeof(type), .present_at = offsetof(type, present), .rule = HOIST_REC_NONE, .place_at = HOIST_REC_NONE
#define ROWS(rows) .fields = (rows), .count = HOIST_COUNT_OF(rows)

static const hoist_rec_field buffer_rows[] = {
    {KEY("Id"), HOIST_REC_INT, AT(buffer, id), NEEDED},
    {KEY("Rank"), HOIST_REC_INT, AT(buffer, rank), .fallback = -1},
};
static const hoist_rec_table buffer_table = {"a buffer", ROWS(buffer_rows), BARE(buffer), .extra_at = HOIST_REC_NONE};

static const char *const dtypes[] = {"FP32", "BF16"};
static const hoist_rec_words dtype_words = {.what = "type", .names = dtypes, .stride = sizeof(dtypes[0]), .count = 2};

static const hoist_rec_field tensor_rows[] = {
    {KEY("Id"), HOIST_REC_INT, AT(tensor, id), NEEDED},
    {KEY("DataType"), HOIST_REC_WORD, AT(tensor, dtype), .words = &dtype_words, .fallback = -1},
    {KEY("Buffer"), HOIST_REC_TABLE, AT(tensor, buffer), .table = &buffer_table, .forms = OLD},
    {KEY("Shape"), HOIST_REC_INTS, AT(tensor, shape), .min = 1, .max = INT64_MAX, .item_wrong = RULE_ITEM},
    {KEY("Pads"), HOIST_REC_INTS, AT(tensor, padded), .forms = OLD},
    {KEY("PaddedShape"), HOIST_REC_INTS, AT(tensor, padded), .forms = NEW},
    {KEY("Buffer"), HOIST_REC_TABLE, AT(tensor, buffer), .table = &buffer_table, .forms = NEW},
};
static const hoist_rec_table tensor_table = {"a tensor", ROWS(tensor_rows), BARE(tensor), .extra_at = HOIST_REC_NONE};

static const hoist_rec_field argument_rows[] = {
    {KEY("INT"), HOIST_REC_INT, AT(argument, integer)},
    {KEY("BOOL"), HOIST_REC_BOOL, AT(argument, boolean)},
    {KEY("FLOAT"), HOIST_REC_FLOAT, AT(argument, number)},
    {KEY("TENSOR"), HOIST_REC_TABLE, AT(argument, tensor), .table = &tensor_table},
};
static const hoist_rec_table argument_table = {"an argument", ROWS(argument_rows), BARE(argument), .extra_at = HOIST_REC_NONE};

static const hoist_rec_field op_rows[] = {
    {KEY("Type"), HOIST_REC_STR, AT(op, type), NEEDED},
    {KEY("ReadTensors"), HOIST_REC_TABLES, AT(op, reads), .table = &tensor_table, NEEDED},
    {KEY("Args"), HOIST_REC_NAMED, AT(op, args), .table = &argument_table},
};
static const hoist_rec_table op_table = {"an op", ROWS(op_rows), BARE(op), .extra_at = offsetof(op, extra),
                                         .order_at = 1 + offsetof(op, order)};
// clang-format on

static void unknown(hoist_rec_reader *r, const hoist_rec_table *table, const hoist_rec_node *node)
{
    hoist_rec_report(r, RULE_UNKNOWN, node, "%s has no key '%.*s'", table->what,
                     HOIST_STR_ARGS(hoist_rec_key(r, node)));
}

static const hoist_rec_style style = {
    .expected = {[HOIST_REC_INT] = "an integer",
                 [HOIST_REC_FLOAT] = "a number",
                 [HOIST_REC_BOOL] = "true or false",
                 [HOIST_REC_STR] = "a string",
                 [HOIST_REC_INTS] = "a list of integers",
                 [HOIST_REC_TABLES] = "a list",
                 [HOIST_REC_NAMED] = "an object"},
    .quote = "'",
    .rules = &rule_set,
    .report = hoist_rec_report,
    .shown = hoist_rec_shown_json,
    .missing = hoist_rec_report_missing,
    .unknown = unknown,
};

// What is kept as a node is an integer in these tests.
static void send_kept(const hoist_rec_walk *walk, const hoist_rec_node *node)
{
    int64_t value = 0;
    const hoist_str key = hoist_json_text(node->json, node->key);
    (void)hoist_json_i64(node->json, node->at, &value);
    hoist_rec_send_int(walk, hoist_str_slice(key, 1, key.size - 2), value, (hoist_pos){0, 0});
}

// Reads `text` as an op; the spellings that it may be of.
static uint8_t read_op(hoist_test *t, const char *text, op *out, hoist_json *json)
{
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    HOIST_EXPECT_EQ(t, hoist_json_read(bytes, NULL, t->arena.alloc, t->diag, json), HOIST_OK);
    hoist_rec_reader r = {.style = &style, .arena = &t->arena, .diag = t->diag, .forms = OLD | NEW};
    const hoist_rec_node node = hoist_rec_json(json, 0);
    *out = (op){.present = 0};
    const uint64_t present = hoist_rec_read(&r, &op_table, &node, out);
    HOIST_EXPECT_EQ(t, present, out->present);
    HOIST_EXPECT_EQ(t, r.status, HOIST_OK);
    return r.forms;
}

static hoist_str write_op(hoist_test *t, const op *from, uint8_t forms)
{
    hoist_buffer out;
    hoist_json_writer writer;
    hoist_buffer_init(&out, t->arena.alloc);
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    const hoist_rec_walk walk = {.sink = &sink, .forms = forms, .tree = send_kept};
    hoist_tree_map(&sink, NULL);
    hoist_rec_send_all(&walk, &op_table, from);
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
    return text;
}

static const char in_new[] =
    "{\"Type\":\"Matmul\",\"ReadTensors\":[{\"Id\":0,\"DataType\":\"FP32\",\"Shape\":[7,11],"
    "\"PaddedShape\":[8,11],\"Buffer\":{\"Id\":4,\"Rank\":-1}},{\"Id\":1,\"Shape\":[],"
    "\"PaddedShape\":[1],\"Buffer\":{\"Id\":5}}],\"Args\":{\"Axis\":{\"INT\":-3},"
    "\"KeepDim\":{\"BOOL\":true},\"Factor\":{\"FLOAT\":0.5},"
    "\"Scale\":{\"TENSOR\":{\"Id\":9,\"DataType\":\"BF16\"}}},\"More\":17}";
static const char in_old[] =
    "{\"Type\":\"Copy\",\"ReadTensors\":[{\"Id\":0,\"Buffer\":{\"Id\":4},\"Shape\":[7],"
    "\"Pads\":[1]}]}";

HOIST_TEST(reads_into_slots)
{
    op o;
    hoist_json json;
    HOIST_EXPECT_EQ(t, read_op(t, in_new, &o, &json), NEW);
    const tensor *const reads = o.reads.items;
    const argument *const args = o.args.items;
    HOIST_EXPECT_STR(t, o.type, "Matmul");
    HOIST_EXPECT_EQ(t, o.reads.count, 2);
    HOIST_EXPECT_EQ(t, reads[0].dtype, 0);
    HOIST_EXPECT_EQ(t, reads[1].dtype, -1);
    HOIST_EXPECT_EQ(t, reads[0].shape.count, 2);
    HOIST_EXPECT_EQ(t, reads[0].shape.items[1], 11);
    HOIST_EXPECT_EQ(t, reads[1].buffer.rank, -1);
    HOIST_EXPECT_EQ(t, o.args.count, 4);
    HOIST_EXPECT_STR(t, args[1].name, "KeepDim");
    HOIST_EXPECT(t, args[1].boolean);
    HOIST_EXPECT_EQ(t, args[1].present, 2);
    HOIST_EXPECT_EQ(t, args[3].tensor.dtype, 1);
    HOIST_EXPECT(t, o.extra && !o.extra->next);
    hoist_json_free(&json);
}

HOIST_TEST(writes_what_was_read)
{
    op o;
    hoist_json json;
    (void)read_op(t, in_new, &o, &json);
    HOIST_EXPECT_STR(t, write_op(t, &o, NEW), in_new);
    hoist_json_free(&json);
    HOIST_EXPECT_EQ(t, read_op(t, in_old, &o, &json), OLD);
    HOIST_EXPECT_STR(t, write_op(t, &o, OLD), in_old);
    hoist_json_free(&json);
}

// Also keys without a row, where they are, and a key whose value is of another kind: it is absent.
HOIST_TEST(keeps_the_order_of_keys)
{
    static const char mixed[] =
        "{\"More\":17,\"ReadTensors\":[],\"Most\":2,\"Type\":\"A\",\"Less\":3}";
    op o;
    hoist_json json;
    (void)read_op(t, mixed, &o, &json);
    HOIST_EXPECT_STR(t, write_op(t, &o, 0), mixed);
    o.order = NULL; // a record that was made otherwise
    HOIST_EXPECT_STR(t, write_op(t, &o, 0),
                     "{\"Type\":\"A\",\"ReadTensors\":[],\"More\":17,\"Most\":2,\"Less\":3}");
    hoist_json_free(&json);
    (void)read_op(t, "{\"Args\":{},\"Type\":1,\"ReadTensors\":[]}", &o, &json);
    HOIST_EXPECT_STR(t, write_op(t, &o, 0), "{\"Args\":{},\"ReadTensors\":[]}");
    hoist_json_free(&json);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *findings;
} faults[] = {
    {"none", "{\"Type\": \"A\", \"ReadTensors\": []}", ""},
    {"missing keys", "{}", "1:1: error: an op without 'Type' [REC-2]\n1:1: error: an op without 'ReadTensors' [REC-2]\n"},
    {"missing in a list", "{\"Type\": \"A\", \"ReadTensors\": [{}]}", "1:31: error: a tensor without 'Id' [REC-2]\n"},
    {"unknown key", "{\"Type\": \"A\", \"ReadTensors\": [], \"X\": 1}", "1:39: warning: an op has no key 'X' [REC-3]\n"},
    {"a number for a string", "{\"Type\": 1, \"ReadTensors\": []}", "1:10: error: 'Type' is 1, expected a string [REC-1]\n"},
    {"no list", "{\"Type\": \"A\", \"ReadTensors\": 1}", "1:30: error: 'ReadTensors' is 1, expected a list [REC-1]\n"},
    {"an item", "{\"Type\": \"A\", \"ReadTensors\": [{\"Id\": 1, \"Shape\": [1, \"x\"]}]}",
     "1:54: error: 'Shape[1]' is \"x\", expected an integer [REC-4]\n"},
    {"out of range", "{\"Type\": \"A\", \"ReadTensors\": [{\"Id\": 1, \"Shape\": [0]}]}",
     "1:51: error: 'Shape' is 0, expected 1 or more [REC-4]\n"},
    {"no list of integers", "{\"Type\": \"A\", \"ReadTensors\": [{\"Id\": 1, \"Shape\": 3}]}",
     "1:50: error: 'Shape' is 3, expected a list of integers [REC-1]\n"},
    {"no word", "{\"Type\": \"A\", \"ReadTensors\": [{\"Id\": 1, \"DataType\": \"F\"}]}",
     "1:53: error: 'DataType' is \"F\", expected a type: FP32, BF16 [REC-1]\n"},
    {"a wrong argument", "{\"Type\": \"A\", \"ReadTensors\": [], \"Args\": {\"a\": {\"BOOL\": 1}}}",
     "1:57: error: 'BOOL' is 1, expected true or false [REC-1]\n"},
};
// clang-format on

HOIST_TEST_TABLE(reports_faults, faults)
{
    op o;
    hoist_json json;
    (void)read_op(t, row->text, &o, &json);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_json_free(&json);
}

// A value of another kind counts as absent, whatever was there before.
HOIST_TEST(wrong_values_are_absent)
{
    static const hoist_rec_field rows[] = {
        {KEY("a"), HOIST_REC_INT, AT(buffer, id), .fallback = 7},
        {KEY("b"), HOIST_REC_INT, AT(buffer, rank)},
    };
    static const hoist_rec_table table = {"a map", ROWS(rows), BARE(buffer),
                                          .extra_at = HOIST_REC_NONE};
    static const char text[] = "{\"a\": 1, \"b\": 2, \"a\": \"x\"}";
    hoist_json json;
    buffer b = {.present = 0};
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    HOIST_EXPECT_EQ(t, hoist_json_read(bytes, NULL, t->arena.alloc, NULL, &json), HOIST_OK);
    hoist_rec_reader r = {.style = &style, .arena = &t->arena, .forms = UINT8_MAX};
    const hoist_rec_node node = hoist_rec_json(&json, 0);
    HOIST_EXPECT_EQ(t, hoist_rec_read(&r, &table, &node, &b), 2);
    HOIST_EXPECT_EQ(t, b.id, 7);
    HOIST_EXPECT_EQ(t, b.rank, 2);
    hoist_json_free(&json);
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    hoist_arena arena;
    hoist_json json;
    op o = {.present = 0};
    hoist_status status = hoist_json_read(*(const hoist_bytes *)self, NULL, alloc, NULL, &json);
    if (status != HOIST_OK) {
        return status;
    }
    hoist_arena_init(&arena, alloc);
    hoist_rec_reader r = {.style = &style, .arena = &arena, .forms = UINT8_MAX};
    const hoist_rec_node node = hoist_rec_json(&json, 0);
    (void)hoist_rec_read(&r, &op_table, &node, &o);
    hoist_arena_deinit(&arena);
    hoist_json_free(&json);
    return r.status;
}

HOIST_TEST(reads_without_memory)
{
    const hoist_bytes text = {(const uint8_t *)in_new, sizeof(in_new) - 1};
    hoist_test_starve(t, read_starved, &text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads_into_slots), HOIST_TEST_ROW(writes_what_was_read),
                HOIST_TEST_ROW(keeps_the_order_of_keys), HOIST_TEST_ROW(reports_faults),
                HOIST_TEST_ROW(wrong_values_are_absent), HOIST_TEST_ROW(reads_without_memory))
