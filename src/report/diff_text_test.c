// How files differ as text: lines of differences, and what is around them.
#include <stdio.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/tree.h"
#include "report/diff_text.h"
#include "testing/test.h"

typedef struct item {
    const char *path;
    const char *old;
    const char *now;
    uint64_t elements; // 0: none is sent
    double largest;
} item;

static void send_items(hoist_tree_sink *sink, const char *key, const item *items)
{
    hoist_tree_list(sink, key);
    for (; items && items->path; items++) {
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "path", items->path);
        hoist_tree_c(sink, "kind", "changed");
        if (items->old) {
            hoist_tree_c(sink, "old", items->old);
        }
        if (items->now) {
            hoist_tree_c(sink, "new", items->now);
        }
        if (items->elements) {
            hoist_tree_uint(sink, "elements", items->elements, HOIST_UNIT_NONE);
            hoist_tree_maybe_float(sink, "largest", items->largest != 0, items->largest,
                                   HOIST_UNIT_NONE);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

typedef struct layout {
    const char *name;
    item first[4];
    item second[2];
    bool has_middle; // a table between the two lists
    const char *expected;
} layout;

static const layout layouts[] = {
    {"nothing differs",
     {{0}},
     {{0}},
     false,
     "old:         a\nnew:         b\ndifferences: none\ncount:       0\n"},
    {"changed, removed, added",
     {{"x/y", "1", "2", 0, 0}, {"z[0]", "'w'", NULL, 0, 0}, {"z[1]", NULL, "null", 0, 0}},
     {{0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  x/y: 1 -> 2\n  z[0]: only in the old file: 'w'\n"
     "  z[1]: only in the new file: null\n\ncount: 0\n"},
    {"without values",
     {{"tensors/t", NULL, NULL, 0, 0}},
     {{0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  tensors/t: differs\n\ncount: 0\n"},
    {"amounts",
     {{"p", "1", "2", 1, 1}, {"q", "1", "2", 864, 0.5}, {"r", "u", "v", 3, 0}},
     {{0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  p: 1 -> 2\n  q: 1 -> 2 (864 elements, by at\n      most "
     "0.5)\n"
     "  r: u -> v (3 elements)\n\ncount: 0\n"},
    {"two lists are one",
     {{"p", "1", "2", 0, 0}},
     {{"q", "3", "4", 0, 0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  p: 1 -> 2\n  q: 3 -> 4\n\ncount: 0\n"},
    {"the first is empty",
     {{0}},
     {{"q", "3", "4", 0, 0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  q: 3 -> 4\n\ncount: 0\n"},
    {"something between",
     {{"p", "1", "2", 0, 0}},
     {{"q", "3", "4", 0, 0}},
     true,
     "old: a\nnew: b\n\ndifferences\n  p: 1 -> 2\n\nlayers\n  layer\n      7\n\ndifferences\n"
     "  q: 3 -> 4\n\ncount: 0\n"},
    {"a long line",
     {{"a/path/of/some/length", "one two", "three four", 0, 0}},
     {{0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  a/path/of/some/length: one two ->\n      three four\n\n"
     "count: 0\n"},
    {"bytes that a terminal obeys",
     {{"p\x1b", "\x1b[1m", "\x07", 0, 0}},
     {{0}},
     false,
     "old: a\nnew: b\n\ndifferences\n  p\\x1b: \\x1b[1m -> \\x07\n\ncount: 0\n"},
};

static void produce(const layout *row, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "old", "a");
    hoist_tree_c(sink, "new", "b");
    send_items(sink, "differences", row->first);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    send_items(sink, "differences", layouts[1].first); // for others
    sink->audience = HOIST_TREE_FOR_ALL;
    if (row->has_middle) {
        hoist_tree_list(sink, "layers");
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "layer", 7, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
        hoist_tree_end(sink);
    }
    send_items(sink, "layer_differences", row->second);
    hoist_tree_uint(sink, "count", 0, HOIST_UNIT_NONE);
}

static hoist_status render(const layout *row, hoist_allocator alloc, hoist_output *out)
{
    static const hoist_document_style style = {.width = 40};
    hoist_diff_text text;
    hoist_diff_text_begin(&text, alloc, out, &style);
    produce(row, &text.sink);
    return hoist_diff_text_end(&text);
}

HOIST_TEST_TABLE(one_layout, layouts)
{
    enum { ROOM = 4096 };
    FILE *const file = tmpfile();
    if (!file) {
        hoist_test_skip(t, "no temporary file");
    }
    hoist_output out;
    hoist_output_init(&out, fileno(file));
    HOIST_EXPECT_EQ(t, render(row, hoist_allocator_system(), &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    rewind(file);
    char got[ROOM];
    const size_t size = fread(got, 1, sizeof(got), file);
    (void)fclose(file);
    HOIST_EXPECT_STR(t, ((hoist_str){got, size}), row->expected);
}

static hoist_status starved(hoist_allocator alloc, const void *self)
{
    hoist_output out;
    hoist_output_init(&out, -1);
    return render(self, alloc, &out);
}

HOIST_TEST(every_allocation_may_fail)
{
    hoist_test_starve(t, starved, &layouts[6]);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_layout), HOIST_TEST_ROW(every_allocation_may_fail))
