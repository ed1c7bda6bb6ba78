#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "codec/yaml_scalar.h"
#include "codec/yaml_writer.h"
#include "testing/test.h"

static hoist_str text_of(hoist_test *t, const hoist_buffer *out)
{
    HOIST_EXPECT(t, !out->failed);
    return hoist_arena_str(&t->arena, hoist_buffer_text(out));
}

static const hoist_yaml_node *parse(hoist_test *t, hoist_str text)
{
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, hoist_yaml_read(bytes, NULL, false, &t->arena, t->diag, &root), HOIST_OK);
    return root;
}

// The tree of `text` written again.
static hoist_str rewritten(hoist_test *t, hoist_str text)
{
    const hoist_yaml_node *const root = parse(t, text);
    hoist_buffer out;
    hoist_yaml_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_yaml_writer_init(&w, &out);
    if (root) {
        HOIST_EXPECT_EQ(t, hoist_yaml_write_node(&w, root), HOIST_OK);
    }
    const hoist_str result = text_of(t, &out);
    hoist_yaml_writer_deinit(&w);
    hoist_buffer_deinit(&out);
    return result;
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want;
} trees[] = {
    {"block map",            "a: 1\nb: x\n",              "a: 1\nb: x\n"},
    {"flow map",             "{a: 1,b: [2 , 3]}",         "{a: 1, b: [2, 3]}\n"},
    {"flow in block",        "a: {b: 1}\nc: [1]\n",       "a: {b: 1}\nc: [1]\n"},
    {"nested block",         "a:\n    b:\n        c: 1",  "a:\n  b:\n    c: 1\n"},
    {"list under a key",     "a:\n- 1\n- 2\n",            "a:\n  - 1\n  - 2\n"},
    {"list of lists",        "- - 1\n  - 2\n- - 3\n",     "- - 1\n  - 2\n- - 3\n"},
    {"list of maps",         "- a: 1\n  b: 2\n- c: 3\n",  "- a: 1\n  b: 2\n- c: 3\n"},
    {"map in list in map",   "p:\n- q:\n  - r: 1\n",      "p:\n  - q:\n      - r: 1\n"},
    {"empty map and list",   "a: {}\nb: []\n",            "a: {}\nb: []\n"},
    {"empty in list",        "- {}\n- []\n",              "- {}\n- []\n"},
    {"null as nothing",      "a:\nb: 1\n",                "a: null\nb: 1\n"},
    {"null in list",         "- \n- 1\n",                 "- null\n- 1\n"},
    {"tilde",                "a: ~\n",                    "a: ~\n"},
    {"numbers as written",   "a: 0x10\nb: 1.50\nc: 010\n","a: 0x10\nb: 1.50\nc: 010\n"},
    {"quoted number",        "a: '12'\n",                 "a: \"12\"\n"},
    {"quoted boolean",       "a: 'yes'\n",                "a: \"yes\"\n"},
    {"quoted null",          "a: ''\nb: 'null'\n",        "a: \"\"\nb: \"null\"\n"},
    {"needless quotes",      "a: 'b c'\n",                "a: b c\n"},
    {"quoted key",           "'a: b': 1\n",               "\"a: b\": 1\n"},
    {"empty key",            "'': 1\n",                   "\"\": 1\n"},
    {"null as key",          "~: 1\n",                    "\"~\": 1\n"},
    {"literal block",        "a: |\n  x\n  y\n",          "a: \"x\\ny\\n\"\n"},
    {"comment",              "a: 1 # why\n",              "a: 1\n"},
    {"alias",                "a: &x [1]\nb: *x\n",        "a: [1]\nb: [1]\n"},
    {"duplicate keys",       "{a: 1, a: 2}",              "{a: 1, a: 2}\n"},
    {"pairs in a list",      "[{a: 4}, {b: {c: 3}}, d]",  "[a: 4, b: {c: 3}, d]\n"},
    {"pairs as written",     "[a: 4, b: [c: 3]]",         "[a: 4, b: [c: 3]]\n"},
    {"pair without a value", "[{a: }, {'': 1}]",          "[a: null, \"\": 1]\n"},
    {"maps of other counts", "[{}, {a: 1, b: 2}]",        "[{}, {a: 1, b: 2}]\n"},
    {"pair in a map",        "{a: {b: 1}}",               "{a: {b: 1}}\n"},
    {"pair in a block list", "- {a: 1}\n",                "- {a: 1}\n"},
    {"pair in pairs",        "[{a: [{b: [{c: 1}]}]}]",    "[a: [b: [c: 1]]]\n"},
};

static const struct {
    const char *name;
    const char *text;
    bool safe;
} plains[] = {
    {"word", "abc", true}, {"number", "12", true}, {"dots inside", "a.b.c", true},
    {"variable", "$p_x", true}, {"negative", "-1.5", true}, {"minus dot", "-.inf", true},
    {"path", "/a/b", true}, {"colons inside", "aten::add", true}, {"space inside", "a b", true},
    {"two spaces", "a  b", true}, {"apostrophe inside", "it's", true},
    {"wide", "gr\xc3\xbc\xc3\x9f" "e", true},
    {"regex", ".*\\.weight", true}, {"four bytes", "a\xf0\x9f\x98\x80", true},
    {"empty", "", false}, {"leading space", " a", false}, {"trailing space", "a ", false},
    {"dash", "-", false}, {"dash space", "- a", false}, {"document start", "---", false},
    {"document end", "...", false}, {"comma", "a,b", false}, {"brackets", "a[0]", false},
    {"braces", "{a}", false}, {"colon last", "a:", false}, {"colon space", "a: b", false},
    {"hash", "a #b", false}, {"comment", "#a", false}, {"anchor", "&a", false},
    {"alias", "*a", false}, {"tag", "!a", false}, {"literal", "|", false}, {"folded", ">", false},
    {"directive", "%a", false}, {"at", "@a", false}, {"quote", "\"a\"", false},
    {"apostrophe first", "'a'", false}, {"question", "? a", false}, {"new line", "a\nb", false},
    {"tab", "a\tb", false}, {"control", "a\x01", false}, {"delete", "a\x7f", false},
    {"next line", "a\xc2\x85", false}, {"line separator", "a\xe2\x80\xa8" "b", false},
    {"byte order mark", "\xef\xbb\xbf" "a", false}, {"override", "a\xe2\x80\xae", false},
    {"joiner", "a\xe2\x80\x8d" "b", false}, {"tag of a language", "a\xf3\xa0\x80\x81", false},
    {"no UTF-8", "a\xff", false},
    {"merge", "<<", false},
};

static const struct {
    const char *name;
    hoist_str text;
    const char *want;
} quotes[] = {
    {"plain",        {"a b", 3},               "\"a b\""},
    {"quote",        {"a\"b\\", 4},            "\"a\\\"b\\\\\""},
    {"lines",        {"\n\r\t", 3},            "\"\\n\\r\\t\""},
    {"controls",     {"\x00\x1f\x7f", 3},      "\"\\x00\\x1f\\x7f\""},
    {"next line",    {"\xc2\x85", 2},          "\"\\x85\""},
    {"separators",   {"\xe2\x80\xa8\xe2\x80\xa9", 6}, "\"\\u2028\\u2029\""},
    {"no character", {"\xef\xbf\xbf\xef\xbb\xbf", 6}, "\"\\uffff\\ufeff\""},
    {"direction",    {"\xd8\x9c\xe2\x80\xae", 5}, "\"\\u061c\\u202e\""},
    {"soft hyphen",  {"\xc2\xad", 2},          "\"\\xad\""},
    {"tags",         {"\xf3\xa0\x80\xa0", 4},  "\"\\U000e0020\""},
    {"wide",         {"\xc3\xbc\xf0\x9f\x98\x80", 6}, "\"\xc3\xbc\xf0\x9f\x98\x80\""},
    {"no UTF-8",     {"\xff\xc3", 2},          "\"\xef\xbf\xbd\xef\xbf\xbd\""},
};

static const struct {
    const char *name;
    const char *text;
    hoist_tree_kind kind;
} kinds[] = {
    {"empty", "", HOIST_TREE_NULL}, {"null", "Null", HOIST_TREE_NULL},
    {"true", "True", HOIST_TREE_BOOL}, {"false", "FALSE", HOIST_TREE_BOOL},
    {"int", "-12", HOIST_TREE_INT}, {"hex", "0x1f", HOIST_TREE_INT},
    {"float", "1e3", HOIST_TREE_FLOAT}, {"inf", "-.inf", HOIST_TREE_FLOAT},
    {"word", "yes", HOIST_TREE_STR}, {"mixed", "12a", HOIST_TREE_STR},
};
// clang-format on

HOIST_TEST_TABLE(writes_trees, trees)
{
    const hoist_str once = rewritten(t, hoist_str_from(row->text));
    HOIST_EXPECT_STR(t, once, row->want);
    HOIST_EXPECT_STR(t, rewritten(t, once), row->want);
}

// What is called safe reads back the same, as a key and a value, in block and in flow form.
HOIST_TEST_TABLE(knows_plain_texts, plains)
{
    const hoist_str text = hoist_str_from(row->text);
    HOIST_EXPECT_EQ(t, hoist_yaml_is_plain_safe(text), row->safe);
    if (!row->safe) {
        return;
    }
    const hoist_yaml_node *const root =
        parse(t, hoist_arena_format(&t->arena, "%s: {%s: %s, b: [%s]}\n", row->text, row->text,
                                    row->text, row->text));
    const hoist_yaml_node *const inner = root->first;
    HOIST_EXPECT_STR(t, inner->key->text, row->text);
    HOIST_EXPECT_STR(t, inner->first->key->text, row->text);
    HOIST_EXPECT_STR(t, inner->first->text, row->text);
    HOIST_EXPECT_STR(t, inner->first->next->first->text, row->text);
}

HOIST_TEST_TABLE(quotes_texts, quotes)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_yaml_write_quoted(&out, row->text);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    const hoist_yaml_node *const root = parse(t, text_of(t, &out));
    if (strcmp(row->name, "no UTF-8") != 0) {
        HOIST_EXPECT(t, hoist_str_equal(root->text, row->text));
    }
    hoist_buffer_deinit(&out);
}

HOIST_TEST_TABLE(tells_kinds, kinds)
{
    HOIST_EXPECT_EQ(t, hoist_yaml_plain_kind(hoist_str_from(row->text)), row->kind);
}

static void send_values(hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_int(sink, "i", -5);
    hoist_tree_uint(sink, "u", 7, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "a", 0x1234, HOIST_UNIT_ADDRESS);
    hoist_tree_float(sink, "f", 0.1, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "p", (double)INFINITY, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "m", -(double)INFINITY, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "n", (double)NAN, HOIST_UNIT_NONE);
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_FLOAT,
                                              .key = HOIST_STR("w"),
                                              .number = -18446744073709551616.0,
                                              .str = HOIST_STR("-18446744073709551617")});
    hoist_tree_bool(sink, "b", true);
    hoist_tree_null(sink, "z");
    hoist_tree_c(sink, "s", "null");
    hoist_tree_c(sink, "d", "12");
    hoist_tree_list(sink, "l");
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

HOIST_TEST(writes_values)
{
    hoist_buffer out;
    hoist_yaml_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_yaml_writer_init(&w, &out);
    hoist_tree_sink sink = hoist_yaml_writer_sink(&w);
    send_values(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, text_of(t, &out),
                     "i: -5\nu: 7\na: 0x00001234\nf: 0.1\np: .inf\nm: -.inf\nn: .nan\nw: "
                     "-18446744073709551617\nb: true\n"
                     "z: null\ns: \"null\"\nd: 12\nl: []\n");
    hoist_yaml_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

// libyaml refuses a simple key of more than 1024 bytes.
HOIST_TEST(writes_long_keys)
{
    char key[3000];
    memset(key, 'k', sizeof(key));
    const int size = (int)sizeof(key);
    const hoist_str block = hoist_arena_format(&t->arena, "? %.*s\n:\n  a: 1\n", size, key);
    const hoist_str flow = hoist_arena_format(&t->arena, "{? %.*s : 1}\n", size, key);
    const hoist_str pair = hoist_arena_format(&t->arena, "[{? %.*s : 1}]\n", size, key);
    HOIST_EXPECT(t, hoist_str_equal(rewritten(t, pair), pair));
    HOIST_EXPECT(t, hoist_str_equal(rewritten(t, block), block));
    HOIST_EXPECT(t, hoist_str_equal(rewritten(t, flow), flow));
}

// Integers that no event holds keep their digits.
static const struct {
    const char *name;
    const char *text;
    const char *digits;
} wide[] = {
    {"one more than 64 bits hold", "18446744073709551616", "18446744073709551616"},
    {"one more than 63 bits hold", "9223372036854775808", "9223372036854775808"},
    {"below 0", "-9223372036854775809", "-9223372036854775809"},
    {"with a sign", "+18446744073709551617", "18446744073709551617"},
    {"a fraction", "18446744073709551616.0", ""},
    {"an exponent", "1e99", ""},
    {"two signs", "+-18446744073709551617", ""},
    {"octal beyond 64 bits", "07777777777777777777777777", ""},
    {"decimal with a leading 0", "-018446744073709551617", ""},
    {"infinity", "-.inf", ""},
};

HOIST_TEST_TABLE(keeps_digits, wide)
{
    const hoist_yaml_node node = {
        .kind = HOIST_YAML_SCALAR, .plain = true, .text = hoist_str_from(row->text)};
    const hoist_tree_event event = hoist_yaml_scalar_event(&node);
    if (event.kind == HOIST_TREE_FLOAT) {
        HOIST_EXPECT_STR(t, event.str, row->digits);
    } else {
        HOIST_EXPECT(t, event.kind == HOIST_TREE_STR && *row->digits == '\0');
    }
}

static hoist_status write_with(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_buffer out;
    hoist_yaml_writer w;
    hoist_buffer_init(&out, alloc);
    hoist_yaml_writer_init(&w, &out);
    hoist_tree_sink sink = hoist_yaml_writer_sink(&w);
    send_values(&sink);
    hoist_yaml_writer_deinit(&w);
    hoist_buffer_deinit(&out);
    return sink.status;
}

HOIST_TEST(survives_failed_allocations)
{
    hoist_test_starve(t, write_with, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(writes_trees), HOIST_TEST_ROW(knows_plain_texts),
                HOIST_TEST_ROW(quotes_texts), HOIST_TEST_ROW(tells_kinds),
                HOIST_TEST_ROW(writes_values), HOIST_TEST_ROW(keeps_digits),
                HOIST_TEST_ROW(writes_long_keys), HOIST_TEST_ROW(survives_failed_allocations))
