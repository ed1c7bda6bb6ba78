// Random trees of hostile texts come back from the YAML writer and reader, and writing what was
// read gives the same bytes.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "codec/yaml_writer.h"
#include "testing/test.h"

enum { SEEDS = HOIST_TEST_ROUNDS(10000), MOST_DEPTH = 4, MOST_CHILDREN = 5, MOST_PIECES = 4 };

// What texts are made of: all that means something to YAML, and what it cannot print.
static const char *const pieces[] = {
    "",
    " ",
    "  ",
    "\n",
    "\t",
    "\r",
    ":",
    ": ",
    " #",
    "#",
    "-",
    "- ",
    "?",
    "? ",
    "'",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "~",
    "null",
    "true",
    "0x1f",
    "1.5",
    "=",
    "...",
    "---",
    "a",
    "word",
    "\x01",
    "\x1b",
    "\x7f",
    "é",
    "€",
    "😀",
    "\xc2\x85",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "<",
};

typedef struct maker {
    hoist_test *t;
    uint64_t random;
    hoist_tree_sink *sink;
    hoist_buffer *expected; // the same tree in a form that is easy to compare
} maker;

static size_t pick(maker *m, size_t count)
{
    return (size_t)(hoist_test_random(&m->random) % count);
}

static hoist_str random_text(maker *m)
{
    hoist_str text = HOIST_STR("");
    const size_t count = pick(m, MOST_PIECES + 1);
    for (size_t i = 0; i < count; i++) {
        text = hoist_arena_format(&m->t->arena, "%s%s", text.data,
                                  pieces[pick(m, HOIST_COUNT_OF(pieces))]);
    }
    return text;
}

// A text with its size in front needs no quotes to be separated from its neighbours.
static void put_text(hoist_buffer *out, hoist_str text)
{
    hoist_buffer_format(out, "%zu'", text.size);
    hoist_buffer_str(out, text);
}

static void make_value(maker *m, hoist_str key, size_t depth)
{
    const size_t roll = pick(m, depth ? 4 : 1);
    hoist_tree_event event = {.kind = HOIST_TREE_STR, .key = key};
    if (roll < 2) {
        event.str = random_text(m);
        put_text(m->expected, event.str);
        hoist_tree_send(m->sink, &event);
        return;
    }
    const bool map = roll == 2;
    const size_t count = pick(m, MOST_CHILDREN + 1);
    event.kind = map ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    event.inline_hint = pick(m, 3) == 0;
    hoist_tree_send(m->sink, &event);
    hoist_buffer_char(m->expected, map ? '{' : '[');
    for (size_t i = 0; i < count; i++) {
        const hoist_str name = map ? random_text(m) : HOIST_STR("");
        if (map) {
            put_text(m->expected, name);
        }
        make_value(m, name, depth - 1);
    }
    hoist_buffer_char(m->expected, map ? '}' : ']');
    hoist_tree_end(m->sink);
}

// The tree that was read in the form of `expected`.
static void show(const hoist_yaml_node *node, hoist_buffer *out)
{
    if (node->kind == HOIST_YAML_SCALAR) {
        put_text(out, node->text);
        return;
    }
    const bool map = node->kind == HOIST_YAML_MAP;
    hoist_buffer_char(out, map ? '{' : '[');
    for (const hoist_yaml_node *child = node->first; child; child = child->next) {
        if (map) {
            put_text(out, child->key->text);
        }
        show(child, out);
    }
    hoist_buffer_char(out, map ? '}' : ']');
}

static void expect_same(hoist_test *t, const hoist_buffer *got, const hoist_buffer *expected,
                        const char *what)
{
    if (!hoist_str_equal(hoist_buffer_text(got), hoist_buffer_text(expected))) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s: got\n%.*s\nwanted\n%.*s", what,
                        HOIST_STR_ARGS(hoist_buffer_text(got)),
                        HOIST_STR_ARGS(hoist_buffer_text(expected)));
    }
}

static void round_trip(hoist_test *t, uint64_t seed)
{
    hoist_buffer buffers[4]; // expected tree, text, tree, text again
    for (size_t i = 0; i < HOIST_COUNT_OF(buffers); i++) {
        hoist_buffer_init(&buffers[i], hoist_allocator_system());
    }
    hoist_yaml_writer w;
    hoist_yaml_writer_init(&w, &buffers[1]);
    hoist_tree_sink sink = hoist_yaml_writer_sink(&w);
    maker m = {.t = t, .random = seed, .sink = &sink, .expected = &buffers[0]};
    make_value(&m, HOIST_STR(""), MOST_DEPTH);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    hoist_yaml_writer_deinit(&w);

    const hoist_yaml_node *root = NULL;
    HOIST_EXPECT_EQ(
        t, hoist_yaml_read(hoist_buffer_bytes(&buffers[1]), NULL, false, &t->arena, t->diag, &root),
        HOIST_OK);
    if (root) {
        show(root, &buffers[2]);
        hoist_yaml_writer_init(&w, &buffers[3]);
        HOIST_EXPECT_EQ(t, hoist_yaml_write_node(&w, root), HOIST_OK);
        hoist_yaml_writer_deinit(&w);
    }
    expect_same(t, &buffers[2], &buffers[0], "read back");
    expect_same(t, &buffers[3], &buffers[1], "written again");
    for (size_t i = 0; i < HOIST_COUNT_OF(buffers); i++) {
        hoist_buffer_deinit(&buffers[i]);
    }
}

HOIST_TEST(random_trees_round_trip)
{
    for (uint64_t seed = 0; seed < SEEDS && t->failures < 5; seed++) {
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %" PRIu64, seed).data);
        round_trip(t, seed);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(random_trees_round_trip))
