#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "codec/yaml.h"
#include "testing/test.h"

// A tree as one line: scalars as they are or in quotes, lists and maps in brackets, those written
// in block style with a `_` before the bracket, `!` after a duplicate entry, and positions as
// `@line:column` when asked for.
static void render(hoist_buffer *out, const hoist_yaml_node *node, bool positions)
{
    if (node->kind == HOIST_YAML_SCALAR) {
        hoist_buffer_c(out, node->plain ? "" : "\"");
        hoist_buffer_str(out, node->text);
        hoist_buffer_c(out, node->plain ? "" : "\"");
    } else {
        hoist_buffer_c(out, node->flow ? "" : "_");
        hoist_buffer_c(out, node->kind == HOIST_YAML_LIST ? "[" : "{");
        for (const hoist_yaml_node *child = node->first; child; child = child->next) {
            if (child->key) {
                render(out, child->key, positions);
                hoist_buffer_c(out, ": ");
            }
            render(out, child, positions);
            hoist_buffer_c(out, child->duplicate ? "!" : "");
            hoist_buffer_c(out, child->next ? ", " : "");
        }
        hoist_buffer_c(out, node->kind == HOIST_YAML_LIST ? "]" : "}");
    }
    if (positions) {
        hoist_buffer_format(out, "@%u:%u", node->pos.line, node->pos.column);
    }
}

static hoist_status read_text(hoist_test *t, hoist_bytes text, const hoist_yaml_limits *limits,
                              const hoist_yaml_node **out_root)
{
    return hoist_yaml_read(hoist_test_exact(t, text), limits, true, &t->arena, t->diag, out_root);
}

static hoist_bytes bytes_of(const char *text)
{
    return (hoist_bytes){(const uint8_t *)text, strlen(text)};
}

static void expect_tree(hoist_test *t, const char *text, const char *want, bool positions)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of(text), NULL, &root), HOIST_OK);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (root) {
        render(&out, root, positions);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), want);
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want;
} shapes[] = {
    {"empty stream",           "",                                ""},
    {"only a comment",         "# nothing\n",                     ""},
    {"empty document",         "---\n",                           ""},
    {"byte order mark only",   "\xef\xbb\xbf",                    ""},
    {"scalar",                 "abc",                             "abc"},
    {"scalar without newline", "a: b",                            "_{a: b}"},
    {"block map and list",     "a: 1\nb:\n  - x\n  - y\n",        "_{a: 1, b: _[x, y]}"},
    {"indentless list",        "a:\n- x\n- y\n",                  "_{a: _[x, y]}"},
    {"flow",                   "{a: [1, 2], b: {}}",              "{a: [1, 2], b: {}}"},
    {"flow over lines",        "q: {a: 1,\n  b: [0,\n 1], c: 2}", "_{q: {a: 1, b: [0, 1], c: 2}}"},
    {"single pair in a list",  "[a: 1, b]",                       "[{a: 1}, b]"},
    {"empty value",            "a:\nb: ~\n",                      "_{a: , b: ~}"},
    {"empty list item",        "-\n- x\n",                        "_[, x]"},
    {"empty quoted",           "a: ''\nb: \"\"\n",                "_{a: \"\", b: \"\"}"},
    {"quoted keys",            "'a b': 1\n\"c\\t\": 2\n",         "_{\"a b\": 1, \"c\t\": 2}"},
    {"single quote escape",    "a: 'it''s'\n",                    "_{a: \"it's\"}"},
    {"double quote escapes",   "a: \"\\u20ac\\n\\x41\"\n",        "_{a: \"\xe2\x82\xac\nA\"}"},
    {"folded plain",           "a: one\n  two\n",                 "_{a: one two}"},
    {"folded quoted",          "a: 'one\n  two'\n",               "_{a: \"one two\"}"},
    {"literal block",          "a: |\n  x\n   y\n",               "_{a: \"x\n y\n\"}"},
    {"folded block",           "a: >-\n  x\n  y\n",               "_{a: \"x y\"}"},
    {"values with colons",     "a: b:c\nd: $x\n",                 "_{a: b:c, d: $x}"},
    {"numbers stay text",      "a: 0x10\nb: 1.50\nc: y\n",        "_{a: 0x10, b: 1.50, c: y}"},
    {"comments",               "a: 1 # one\n# two\nb: c#d\n",     "_{a: 1, b: c#d}"},
    {"carriage returns",       "a: 1\r\nb:\r\n  - c\r\n",         "_{a: 1, b: _[c]}"},
    {"explicit key",           "? a\n: b\n",                      "_{a: b}"},
    {"document marks",         "--- \na: 1\n...\n",               "_{a: 1}"},
    {"version directive",      "%YAML 1.1\n---\na: 1\n",          "_{a: 1}"},
    {"alias of a scalar",      "a: &x 1\nb: *x\n",                "_{a: 1, b: 1}"},
    {"alias of a quoted one",  "a: &x '1'\nb: *x\n",              "_{a: \"1\", b: \"1\"}"},
    {"alias of a list",        "a: &x [1, 2]\nb: *x\n",           "_{a: [1, 2], b: [1, 2]}"},
    {"alias of a map",         "a: &x\n  k: v\nb: *x\n",          "_{a: _{k: v}, b: _{k: v}}"},
    {"alias as a key",         "a: &x k\n*x : v\n",               "_{a: k, k: v}"},
    {"alias of an alias",      "- &a [1]\n- &b [*a, *a]\n- *b\n", "_[[1], [[1], [1]], [[1], [1]]]"},
    {"anchor named again",     "- &a 1\n- *a\n- &a 2\n- *a\n",    "_[1, 1, 2, 2]"},
    {"anchor hidden by inner", "- &a [&a 1, *a]\n- *a\n",         "_[[1, 1], 1]"},
    {"unicode",                "\xc3\xa4: \xe2\x82\xac\n",        "_{\xc3\xa4: \xe2\x82\xac}"},
};
// clang-format on

HOIST_TEST_TABLE(reads_shapes, shapes)
{
    expect_tree(t, row->text, row->want, false);
    HOIST_EXPECT_RULE(t, NULL);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want;
} places[] = {
    {"block",           "a: 1\nbb:\n  - x\n",     "_{a@1:1: 1@1:4, bb@2:1: _[x@3:5]@3:3}@1:1"},
    {"flow",            "{a: [1, 22, 3]}",        "{a@1:2: [1@1:6, 22@1:9, 3@1:13]@1:5}@1:1"},
    {"flow over lines", "{a: 1,\n  b: [2,\n3]}",  "{a@1:2: 1@1:5, b@2:3: [2@2:7, 3@3:1]@2:6}@1:1"},
    {"quotes",          "'a': \"b\"",             "_{\"a\"@1:1: \"b\"@1:6}@1:1"},
    {"empty value",     "a:\nb: 1\n",             "_{a@1:1: @1:3, b@2:1: 1@2:4}@1:1"},
    {"crlf",            "a: 1\r\nb: 2\r\n",       "_{a@1:1: 1@1:4, b@2:1: 2@2:4}@1:1"},
    {"cr alone",        "a: 1\rb: 2\r",           "_{a@1:1: 1@1:4, b@2:1: 2@2:4}@1:1"},
    {"two bytes",       "\xc3\xa4: [\xc3\xa4, b]",
     "_{\xc3\xa4@1:1: [\xc3\xa4@1:6, b@1:10]@1:5}@1:1"},
    {"behind a wide line", "# \xf0\x9f\x98\x80\n- a\n- \xe2\x82\xac: b\n",
     "_[a@2:3, _{\xe2\x82\xac@3:3: b@3:8}@3:3]@2:1"},
    {"wide line break", "a: b # \xe2\x80\xa8" "c: d\n", "_{a@1:1: b@1:4, c@2:1: d@2:4}@1:1"},
    {"next-line character", "a: b # \xc2\x85" "c: d\n", "_{a@1:1: b@1:4, c@2:1: d@2:4}@1:1"},
    {"byte order mark", "\xef\xbb\xbf" "a: 1\n",  "_{a@1:1: 1@1:4}@1:1"},
    {"byte order mark and wide", "\xef\xbb\xbf\xc3\xa4: \xc3\xa4\n",
     "_{\xc3\xa4@1:1: \xc3\xa4@1:5}@1:1"},
    {"alias",           "- &a [1]\n- *a\n",       "_[[1@1:7]@1:3, [1@1:7]@2:3]@1:1"},
    {"tabs",            "a:\t1\n",                "_{a@1:1: 1@1:4}@1:1"},
};
// clang-format on

HOIST_TEST_TABLE(gives_places, places)
{
    expect_tree(t, row->text, row->want, true);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want; // the findings
} findings[] = {
    {"duplicate key",     "a: 1\nb: 2\na: 3\n",
     "3:1: warning: key 'a' occurs again in its map, first on line 1 [YAML-005]\n"},
    {"duplicate of a quoted key", "{'a': 1, a: 2}",
     "1:10: warning: key 'a' occurs again in its map, first on line 1 [YAML-005]\n"},
    {"same key elsewhere", "a: {a: 1}\nb: {a: 1}\n", ""},
    {"second document",   "a: 1\n---\nb: [\n",
     "2:1: warning: a second document begins here, it is not read [YAML-006]\n"},
    {"merge key",         "a: &x {k: 1}\nb:\n  <<: *x\n",
     "3:3: note: the merge key '<<' is kept as a plain key, nothing is merged [YAML-009]\n"},
    {"quoted merge key",  "'<<': 1\n", ""},
    {"tag of a scalar",   "a: !!str 1\n",
     "1:4: note: the tag 'tag:yaml.org,2002:str' is not applied [YAML-011]\n"},
    {"tag of a list",     "a: !x [1]\n", "1:4: note: the tag '!x' is not applied [YAML-011]\n"},
    {"tag of a map",      "!m {}\n",     "1:1: note: the tag '!m' is not applied [YAML-011]\n"},
};
// clang-format on

HOIST_TEST_TABLE(reports_what_is_suspicious, findings)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of(row->text), NULL, &root), HOIST_OK);
    HOIST_EXPECT(t, root != NULL);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    hoist_pos pos;
    const char *rule;
} malformed[] = {
    {"list never ends",         "a: [1, 2\n",             {2, 1},  "YAML-001"},
    {"map never ends",          "{a: 1, b\n",             {2, 1},  "YAML-001"},
    {"wrong bracket",           "a: [1, 2}\n",            {1, 9},  "YAML-001"},
    {"surplus bracket",         "a: 1\n]\n",              {2, 1},  "YAML-001"},
    {"quote never ends",        "a: \"bc\n",              {2, 1},  "YAML-001"},
    {"unknown escape",          "a: \"\\q\"\n",           {1, 5},  "YAML-001"},
    {"two colons",              "a: b: c\n",              {1, 5},  "YAML-001"},
    {"wrong indentation",       "a:\n    b: 1\n  c: 2\n", {3, 3},  "YAML-001"},
    {"list item beside key",    "a: 1\n- b\n",            {2, 1},  "YAML-001"},
    {"key beside list item",    "- a\nb: 1\n",            {2, 1},  "YAML-001"},
    {"tab indents",             "a:\n\tb: 1\n",           {2, 1},  "YAML-001"},
    {"forbidden start",         "a: @b\n",                {1, 4},  "YAML-001"},
    {"key without colon",       "a: 1\nb\nc: 2\n",        {3, 1},  "YAML-001"},
    {"percent value",           "a: %b\n",                {1, 4},  "YAML-001"},
    {"undefined tag handle",    "a: !x!y 1\n",            {1, 4},  "YAML-001"},
    {"YAML 3",                  "%YAML 3.0\n---\na\n",    {1, 1},  "YAML-001"},
    {"behind wide text",        "\xc3\xa4: [\xc3\xa4}\n", {1, 8},  "YAML-001"},
    {"alias without anchor",    "a: *b\n",                {1, 4},  "YAML-007"},
    {"alias before its anchor", "a: *b\nc: &b 1\n",       {1, 4},  "YAML-007"},
    {"list as key in flow",     "{[a, b]: c}",            {1, 2},  "YAML-008"},
    {"map as key in flow",      "x: {{T}}\n",             {1, 5},  "YAML-008"},
    {"list as key in block",    "? [a]\n: c\n",           {1, 3},  "YAML-008"},
    {"alias of a list as key",  "a: &x [1]\n*x : c\n",    {2, 1},  "YAML-008"},
    {"control character",       "a: 1\nb: \x01\n",        {2, 4},  "YAML-010"},
    {"not UTF-8",               "a: 1\nb: x\xff\n",       {2, 5},  "YAML-010"},
    {"overlong UTF-8",          "a: \xc0\x80\n",          {1, 4},  "YAML-010"},
    {"surrogate",               "\xed\xa0\x80",           {1, 1},  "YAML-010"},
    {"UTF-8 cut off",           "\r\na: \xe2\x82",        {2, 4},  "YAML-010"},
    {"UTF-16 LE",               "\xff\xfe" "a",           {1, 1},  "YAML-010"},
    {"UTF-16 BE",               "\xfe\xff",               {1, 1},  "YAML-010"},
    {"list holds itself",       "a: &x [*x]\n",           {1, 8},  "YAML-012"},
    {"map holds itself",        "a: &x\n  b:\n    - *x\n", {3, 7}, "YAML-012"},
};
// clang-format on

HOIST_TEST_TABLE(refuses_malformed, malformed)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of(row->text), NULL, &root), HOIST_INVALID);
    HOIST_EXPECT(t, !root);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_EQ(t, f->loc.pos.line, row->pos.line);
    HOIST_EXPECT_EQ(t, f->loc.pos.column, row->pos.column);
}

HOIST_TEST(malformed_says_where_it_began)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of("x:\n  y: [1\nz: 2"), NULL, &root), HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "3:2: error: expected ',' or ']' here (while parsing a flow sequence that "
                     "begins at 2:6) [YAML-001]\n");
}

// The library below would take UTF-16.
static const struct {
    const char *name;
    const char *text;
    size_t size;
} utf16[] = {
    {"little-endian",
     "\xff\xfe"
     "a\0:\0 \0"
     "1\0",
     10},
    {"big-endian",
     "\xfe\xff\0a\0:\0 \0"
     "1",
     10},
};

HOIST_TEST_TABLE(utf16_is_refused, utf16)
{
    const hoist_yaml_node *root = NULL;
    const hoist_bytes text = {(const uint8_t *)row->text, row->size};
    HOIST_EXPECT_EQ(t, read_text(t, text, NULL, &root), HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "1:1: error: the text is UTF-16, expected UTF-8 [YAML-010]\n");
}

HOIST_TEST(nul_is_refused_by_its_offset)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, (hoist_bytes){(const uint8_t *)"a: 1\n\0", 6}, NULL, &root),
                    HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "2:1: error: control characters are not allowed (byte offset 5) [YAML-010]\n");
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    hoist_yaml_limits limits;
    hoist_status want;
    const char *rule;
} caps[] = {
    {"bytes at the limit",    "a: 1\n",        {.max_bytes = 5},     HOIST_OK,      NULL},
    {"bytes beyond",          "a: 1\n",        {.max_bytes = 4},     HOIST_LIMIT,   "YAML-003"},
    {"depth at the cap",      "[{a: [1]}]",    {.max_depth = 3},     HOIST_OK,      NULL},
    {"depth beyond",          "[{a: [[1]]}]",  {.max_depth = 3},     HOIST_INVALID, "YAML-002"},
    {"depth through an alias", "- &a [[1]]\n- [*a]\n", {.max_depth = 3}, HOIST_INVALID, "YAML-002"},
    {"nodes at the limit",    "{a: 1}",        {.max_nodes = 3},     HOIST_OK,      NULL},
    {"nodes beyond",          "{a: 1}",        {.max_nodes = 2},     HOIST_LIMIT,   "YAML-004"},
    {"expansion at the limit", "[&a [1, 2], *a]", {.max_expanded = 7}, HOIST_OK,    NULL},
    {"expansion beyond",      "[&a [1, 2], *a]", {.max_expanded = 6}, HOIST_LIMIT,  "YAML-004"},
};
// clang-format on

HOIST_TEST_TABLE(keeps_limits, caps)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of(row->text), &row->limits, &root), row->want);
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST(hostile_nesting_ends_at_the_cap)
{
    static const char *const openings[] = {"[", "{", "- ", "? ", "{a: ", "[a, "};
    for (size_t i = 0; i < HOIST_COUNT_OF(openings); i++) {
        hoist_test_row(t, openings[i]);
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        for (size_t n = 0; n < 100000; n++) {
            hoist_buffer_c(&text, openings[i]);
        }
        const hoist_yaml_node *root = NULL;
        HOIST_EXPECT_EQ(t, read_text(t, hoist_buffer_bytes(&text), NULL, &root), HOIST_INVALID);
        hoist_buffer_deinit(&text);
    }
}

HOIST_TEST(billion_laughs_end_at_the_limit)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
        hoist_buffer_format(&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 9; k++) {
            hoist_buffer_format(&text, "%s*a%d", k ? ", " : "", i - 1);
        }
        hoist_buffer_c(&text, "]\n");
    }
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, hoist_buffer_bytes(&text), NULL, &root), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "YAML-004");
    hoist_buffer_deinit(&text);
}

// Maps on both sides of the border between comparing and hashing.
HOIST_TEST(big_maps_know_their_duplicates)
{
    for (unsigned count = 1; count < 40; count++) {
        hoist_test_row(t, "count");
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        for (unsigned i = 0; i < count; i++) {
            hoist_buffer_format(&text, "k%u: %u\n", i, i);
        }
        hoist_buffer_format(&text, "k%u: again\nlast: 1\n", count / 2);
        const hoist_yaml_node *root = NULL;
        HOIST_EXPECT_EQ(t, read_text(t, hoist_buffer_bytes(&text), NULL, &root), HOIST_OK);
        HOIST_EXPECT_EQ(t, root->count, count + 2);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 1);
        size_t flagged = 0;
        for (const hoist_yaml_node *e = root->first; e; e = e->next) {
            flagged += e->duplicate;
            HOIST_EXPECT(t, !e->duplicate || hoist_str_equal_c(e->text, "again"));
        }
        HOIST_EXPECT_EQ(t, flagged, 1);
        hoist_buffer_deinit(&text);
    }
}

HOIST_TEST(duplicates_are_flagged_in_silence_when_asked)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(
        t, hoist_yaml_read(bytes_of("{a: 1, a: 2}"), NULL, false, &t->arena, t->diag, &root),
        HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT(t, !root->first->duplicate && root->first->next->duplicate);
}

// Entries with an equal key are tied in order, in small maps and in big ones, after aliases too.
static void check_ties(hoist_test *t, hoist_arena *arena, const char *text, size_t expected)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_yaml_read((hoist_bytes){(const uint8_t *)text, strlen(text)}, NULL, false,
                                    arena, t->diag, &root),
                    HOIST_OK);
    const hoist_yaml_node *entry = hoist_yaml_find(root, "k");
    size_t count = 0;
    for (; entry; entry = entry->key->first) {
        HOIST_EXPECT_STR(t, entry->key->text, "k");
        HOIST_EXPECT_EQ(t, entry->duplicate, count > 0);
        HOIST_EXPECT_EQ(t, entry->count, count);
        count++;
    }
    HOIST_EXPECT_EQ(t, count, expected);
}

HOIST_TEST(equal_keys_are_tied)
{
    check_ties(t, &t->arena, "{k: []}", 1);
    check_ties(t, &t->arena, "{k: [], a: 1, k: [1], a: 2, k: [1, 2], b: 3}", 3);
    check_ties(t, &t->arena,
               "{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, k: [], j: 1, k: [1], l: 1, "
               "k: [1, 2], k: [1, 2, 3]}",
               4);
    check_ties(t, &t->arena, "{x: &a k, *a : [], k: [1]}", 2);
}

// What many aliases of a long text expand to is limited as many aliases of a long list are.
HOIST_TEST(aliases_of_long_texts_end_at_the_limit)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "[&a ");
    hoist_buffer_fill(&text, 'n', 6400);
    for (int i = 0; i < 20; i++) {
        hoist_buffer_c(&text, ", *a");
    }
    hoist_buffer_c(&text, "]");
    const hoist_yaml_limits tight = {.max_expanded = 2000};
    const hoist_yaml_limits wide = {.max_expanded = 2200};
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(
        t, hoist_yaml_read(hoist_buffer_bytes(&text), &tight, false, &t->arena, t->diag, &root),
        HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "YAML-004");
    HOIST_EXPECT_EQ(
        t, hoist_yaml_read(hoist_buffer_bytes(&text), &wide, false, &t->arena, t->diag, &root),
        HOIST_OK);
    hoist_buffer_deinit(&text);
}

HOIST_TEST(finds_the_first_entry)
{
    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of("a: 1\nb: [x]\na: 2\n"), NULL, &root), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_yaml_find(root, "a")->text, "1");
    HOIST_EXPECT_EQ(t, hoist_yaml_find(root, "b")->count, 1);
    HOIST_EXPECT(t, !hoist_yaml_find(root, "c"));
    HOIST_EXPECT(t, !hoist_yaml_find(hoist_yaml_find(root, "b"), "x"));
    HOIST_EXPECT(t, !hoist_yaml_find(NULL, "x"));
}

HOIST_TEST(knows_null)
{
    const hoist_yaml_node *root = NULL;
    const char *text = "[~, null, Null, NULL, nULL, '', '~', x, [], {a: }]";
    HOIST_EXPECT_EQ(t, read_text(t, bytes_of(text), NULL, &root), HOIST_OK);
    size_t index = 0;
    const hoist_yaml_node *last = NULL;
    for (const hoist_yaml_node *e = root->first; e; e = e->next, index++) {
        HOIST_EXPECT_EQ(t, hoist_yaml_is_null(e), index < 4);
        last = e;
    }
    HOIST_EXPECT_EQ(t, index, 10);
    HOIST_EXPECT(t, hoist_yaml_is_null(hoist_yaml_find(last, "a")));
}

// clang-format off
static const struct {
    const char *name;
    int want; // 1, 0, or -1: no boolean
} booleans[] = {
    {"y", 1}, {"Y", 1}, {"n", 0}, {"N", 0}, {"yes", 1}, {"Yes", 1}, {"YES", 1}, {"no", 0},
    {"on", 1}, {"On", 1}, {"ON", 1}, {"off", 0}, {"OFF", 0}, {"true", 1}, {"True", 1},
    {"TRUE", 1}, {"false", 0}, {"False", 0}, {"FALSE", 0},
    {"", -1}, {"yES", -1}, {"YeS", -1}, {"oN", -1}, {"tRue", -1}, {"TRUe", -1}, {"1", -1},
    {"truee", -1}, {"t", -1},
};
// clang-format on

HOIST_TEST_TABLE(knows_booleans, booleans)
{
    bool value = true;
    HOIST_EXPECT_EQ(t, hoist_yaml_to_bool(hoist_str_from(row->name), &value), row->want >= 0);
    HOIST_EXPECT_EQ(t, value, row->want == 1);
}

static hoist_status read_with(hoist_allocator alloc, const void *text)
{
    hoist_arena arena;
    const hoist_yaml_node *root = NULL;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_yaml_read(bytes_of(text), NULL, false, &arena, NULL, &root);
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && !root ? HOIST_INTERNAL : status;
}

// Every n-th allocation of ours fails; libyaml's own are out of reach.
HOIST_TEST(survives_every_failed_allocation)
{
    const char *text = "a: &x [1, \"\\n\"]\nb: *x\nc: {d: 1, d: 2, e: 3, f: 4, g: 5, h: 6, i: 7, "
                       "j: 8, k: 9, l: 10, m: 11}\nn: &y {o: [[[[[[[[[1]]]]]]]]]}\np: *y\n";
    hoist_test_starve(t, read_with, text);
}

// The head of the list: path, architecture, verdict or rules, separated by tabs.
static void read_corpus_line(hoist_test *t, const char *folder, hoist_str line)
{
    const char *tab = memchr(line.data, '\t', line.size);
    if (!tab || line.data[0] == '#' ||
        !hoist_str_ends_with((hoist_str){line.data, (size_t)(tab - line.data)}, ".yaml")) {
        return;
    }
    const int size = (int)(tab - line.data);
    const hoist_str path = hoist_arena_format(&t->arena, "%s/%.*s", folder, size, line.data);
    hoist_test_row(t, path.data);
    const char *full = hoist_test_corpus(t, path.data);
    const hoist_bytes text = full ? hoist_test_file(t, full) : (hoist_bytes){NULL, 0};
    HOIST_EXPECT(t, text.data != NULL);
    const hoist_yaml_node *root = NULL;
    const hoist_status status = read_text(t, text, NULL, &root);
    HOIST_EXPECT(t, hoist_str_contains(line, "BUDA-001") || status == HOIST_OK);
}

static void read_corpus(hoist_test *t, const char *folder)
{
    const hoist_str list = hoist_arena_format(&t->arena, "%s/expect.tsv", folder);
    const char *path = hoist_test_corpus(t, list.data);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes bytes = hoist_test_file(t, path);
    const char *text = (const char *)bytes.data;
    for (size_t i = 0; i < bytes.size;) {
        const char *end = memchr(text + i, '\n', bytes.size - i);
        const size_t size = end ? (size_t)(end - text) - i : bytes.size - i;
        read_corpus_line(t, folder, (hoist_str){text + i, size});
        i += size + 1;
    }
}

HOIST_TEST(reads_the_corpus)
{
    read_corpus(t, "buda");
}

HOIST_TEST(reads_the_large_corpus)
{
    read_corpus(t, "buda-large");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads_shapes), HOIST_TEST_ROW(gives_places),
                HOIST_TEST_ROW(reports_what_is_suspicious), HOIST_TEST_ROW(refuses_malformed),
                HOIST_TEST_ROW(malformed_says_where_it_began), HOIST_TEST_ROW(utf16_is_refused),
                HOIST_TEST_ROW(nul_is_refused_by_its_offset), HOIST_TEST_ROW(keeps_limits),
                HOIST_TEST_ROW(hostile_nesting_ends_at_the_cap),
                HOIST_TEST_ROW(billion_laughs_end_at_the_limit),
                HOIST_TEST_ROW(big_maps_know_their_duplicates),
                HOIST_TEST_ROW(duplicates_are_flagged_in_silence_when_asked),
                HOIST_TEST_ROW(equal_keys_are_tied),
                HOIST_TEST_ROW(aliases_of_long_texts_end_at_the_limit),
                HOIST_TEST_ROW(finds_the_first_entry), HOIST_TEST_ROW(knows_null),
                HOIST_TEST_ROW(knows_booleans), HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(reads_the_corpus), HOIST_TEST_ROW(reads_the_large_corpus))
