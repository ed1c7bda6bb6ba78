// formats/buda/op_netlist_test.h - for tests of op rules: a netlist of one op that breaks no rule,
// and rows that change it key by key.
//
// A row's edits are "object.key: value" joined by " | ": the key's line of queue a, b, d or o, or
// of op x or y, is replaced or added; "object.key!" takes it away. Op y is there only when edited.
// The edit "p.o: {...}" replaces the setting of queue o in the only execute.
#ifndef HOIST_SRC_FORMATS_BUDA_OP_NETLIST_TEST_H
#define HOIST_SRC_FORMATS_BUDA_OP_NETLIST_TEST_H

#include "base/buffer.h"
#include "formats/buda/netlist_test.h"

typedef struct buda_op_row {
    const char *name;
    const char *arch;  // NULL: wormhole_b0
    const char *edits; // NULL: none
    const char *rule;  // NULL: no finding of warning or error
    const char *at;    // text where the finding stands, ^ before its first byte
    const char *says;  // part of the message; NULL: any
} buda_op_row;

typedef struct buda_test_line {
    const char *key;
    const char *value;
} buda_test_line;

// clang-format off
#define BUDA_TEST_QUEUE(from, address)                                                             \
    {{"type", "queue"}, {"input", from}, {"entries", "4"}, {"grid_size", "[1, 1]"}, {"t", "1"},      \
     {"mblock", "[1, 1]"}, {"ublock", "[1, 1]"}, {"df", "Float16"}, {"target_device", "0"},         \
     {"loc", "dram"}, {"dram", "[[0, " address "]]"}}
static const struct {
    const char *name;
    buda_test_line lines[12];
} buda_test_queues[] = {
    {"a", BUDA_TEST_QUEUE("HOST", "0x10000000")}, {"b", BUDA_TEST_QUEUE("HOST", "0x11000000")},
    {"d", BUDA_TEST_QUEUE("HOST", "0x12000000")}, {"o", BUDA_TEST_QUEUE("x", "0x13000000")},
};
static const buda_test_line buda_test_op[] = {
    {"type", "nop"}, {"grid_loc", "[0, 0]"}, {"grid_size", "[1, 1]"}, {"inputs", "[a]"},
    {"in_df", "[Float16]"}, {"out_df", "Float16"}, {"intermed_df", "Float16"},
    {"acc_df", "Float16"}, {"math_fidelity", "HiFi4"}, {"buf_size_mb", "2"}, {"t", "1"},
    {"mblock", "[1, 1]"}, {"ublock", "[1, 1]"},
};
// clang-format on

// The next "object.key: value" of `*rest`; false at the end.
static inline bool buda_test_next_edit(hoist_str *rest, hoist_str *out_edit)
{
    size_t end = 0;
    while (end < rest->size &&
           !hoist_str_starts_with(hoist_str_slice(*rest, end, rest->size), " | ")) {
        end++;
    }
    *out_edit = hoist_str_slice(*rest, 0, end);
    *rest = hoist_str_slice(*rest, end + 3, rest->size);
    return out_edit->size > 0;
}

// The part of the edit behind "object."; empty when it is another object's.
static inline hoist_str buda_test_edit_of(hoist_str edit, const char *object)
{
    const size_t size = strlen(object);
    const bool mine =
        hoist_str_starts_with(edit, object) && edit.size > size && edit.data[size] == '.';
    return mine ? hoist_str_slice(edit, size + 1, edit.size) : (hoist_str){NULL, 0};
}

// True when `line` ("key: value" or "key!") is about `key`.
static inline bool buda_test_is_key(hoist_str line, const char *key)
{
    const size_t size = strlen(key);
    return hoist_str_starts_with(line, key) && line.size > size &&
           (line.data[size] == ':' || line.data[size] == '!');
}

// True when an edit of `rest` is about the same key as `line`: the last one holds.
static inline bool buda_test_is_edited_again(hoist_str rest, const char *name, hoist_str line)
{
    size_t size = 0;
    while (size < line.size && line.data[size] != ':' && line.data[size] != '!') {
        size++;
    }
    hoist_str edit;
    while (buda_test_next_edit(&rest, &edit)) {
        const hoist_str other = buda_test_edit_of(edit, name);
        if (other.size > size &&
            hoist_str_equal(hoist_str_slice(other, 0, size), hoist_str_slice(line, 0, size)) &&
            (other.data[size] == ':' || other.data[size] == '!')) {
            return true;
        }
    }
    return false;
}

static inline void buda_test_object(hoist_buffer *out, const char *name, const char *indent,
                                    const buda_test_line *lines, size_t count, hoist_str edits)
{
    hoist_buffer_format(out, "%s%s:\n", indent, name);
    hoist_str edit;
    for (size_t i = 0; i < count && lines[i].key; i++) {
        bool edited = false;
        for (hoist_str rest = edits; buda_test_next_edit(&rest, &edit);) {
            edited = edited || buda_test_is_key(buda_test_edit_of(edit, name), lines[i].key);
        }
        if (!edited) {
            hoist_buffer_format(out, "%s  %s: %s\n", indent, lines[i].key, lines[i].value);
        }
    }
    for (hoist_str rest = edits; buda_test_next_edit(&rest, &edit);) {
        const hoist_str line = buda_test_edit_of(edit, name);
        if (line.size > 0 && line.data[line.size - 1] != '!' &&
            !buda_test_is_edited_again(rest, name, line)) {
            hoist_buffer_format(out, "%s  %.*s\n", indent, HOIST_STR_ARGS(line));
        }
    }
}

static inline bool buda_test_edits(hoist_str edits, const char *object)
{
    hoist_str edit;
    for (hoist_str rest = edits; buda_test_next_edit(&rest, &edit);) {
        if (buda_test_edit_of(edit, object).size > 0) {
            return true;
        }
    }
    return false;
}

// The netlist of `edits`, in the test's arena.
static inline hoist_bytes buda_test_op_netlist(hoist_test *t, const char *edits_text)
{
    const hoist_str edits = hoist_str_from(edits_text);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_format(&out, "devices: {arch: [grayskull, wormhole, wormhole_b0, blackhole]}\n"
                              "queues:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(buda_test_queues); i++) {
        buda_test_object(&out, buda_test_queues[i].name, "  ", buda_test_queues[i].lines, 12,
                         edits);
    }
    hoist_buffer_format(&out, "graphs:\n  g:\n    target_device: 0\n    input_count: 1\n");
    buda_test_object(&out, "x", "    ", buda_test_op, HOIST_COUNT_OF(buda_test_op), edits);
    if (buda_test_edits(edits, "y")) {
        buda_test_object(&out, "y", "    ", buda_test_op, HOIST_COUNT_OF(buda_test_op), edits);
    }
    hoist_str setting = HOIST_STR("o: {prologue: true, epilogue: true}");
    hoist_str edit;
    for (hoist_str rest = edits; buda_test_next_edit(&rest, &edit);) {
        const hoist_str line = buda_test_edit_of(edit, "p");
        setting = line.size > 0 ? line : setting;
    }
    hoist_buffer_format(&out,
                        "programs:\n  - p:\n      - execute: {graph_name: g, queue_settings: "
                        "{%.*s}}\n",
                        HOIST_STR_ARGS(setting));
    const hoist_str text =
        hoist_arena_str(&t->arena, (hoist_str){(const char *)out.data, out.size});
    hoist_buffer_deinit(&out);
    return (hoist_bytes){(const uint8_t *)text.data, text.size};
}

// Place of the text `at` (without its ^) in `text`; line 0 when it does not occur.
static inline hoist_pos buda_test_place(hoist_test *t, hoist_bytes text, const char *at)
{
    const char *mark = strchr(at, '^');
    const size_t before = mark ? (size_t)(mark - at) : 0;
    const hoist_str needle =
        hoist_arena_format(&t->arena, "%.*s%s", (int)before, at, mark ? mark + 1 : at);
    const char *found = strstr((const char *)text.data, needle.data);
    hoist_pos pos = {0, 0};
    if (found) {
        pos = (hoist_pos){1, 1};
        for (const char *p = (const char *)text.data; p < found + before; p++) {
            pos.column = *p == '\n' ? 1 : pos.column + 1;
            pos.line += *p == '\n';
        }
    }
    return pos;
}

// Reads `text` and runs the parts that judge ops, fused ops and shapes.
static inline void buda_test_judge_ops(hoist_test *t, hoist_bytes text, const char *arch_name,
                                       const buda_cluster *cluster)
{
    const hoist_check_options options = {.arch =
                                             hoist_str_from(arch_name ? arch_name : "wormhole_b0")};
    const hoist_buda_module *module = buda_test_read(t, text);
    if (!module) {
        return;
    }
    buda_net net;
    hoist_arena scratch;
    hoist_arena_init(&scratch, hoist_allocator_system());
    const buda_arch arch = buda_choose_arch(module, &options, NULL);
    HOIST_EXPECT_EQ(t, buda_net_build(module, arch, &net), HOIST_OK);
    const buda_check check = {.module = module,
                              .net = &net,
                              .cluster = cluster,
                              .options = &options,
                              .diag = t->diag,
                              .scratch = &scratch,
                              .arch = arch};
    HOIST_EXPECT_EQ(t, buda_check_ops(&check), HOIST_OK);
    HOIST_EXPECT_EQ(t, buda_check_fused(&check), HOIST_OK);
    HOIST_EXPECT_EQ(t, buda_check_shapes(&check), HOIST_OK);
    buda_net_deinit(&net);
    hoist_arena_deinit(&scratch);
    buda_test_destroy(module);
}

// Expects the row's finding at its place, or none at all.
static inline void buda_test_expect_row(hoist_test *t, const buda_op_row *row, hoist_bytes text)
{
    if (!row->rule) {
        HOIST_EXPECT_RULE(t, NULL);
        return;
    }
    const hoist_pos pos = buda_test_place(t, text, row->at);
    HOIST_EXPECT(t, pos.line != 0);
    buda_test_expect(t, row->rule, pos.line, pos.column, row->says);
}

static inline void buda_test_op_row(hoist_test *t, const buda_op_row *row)
{
    const hoist_bytes text = buda_test_op_netlist(t, row->edits);
    buda_test_judge_ops(t, text, row->arch, NULL);
    buda_test_expect_row(t, row, text);
}

#endif // HOIST_SRC_FORMATS_BUDA_OP_NETLIST_TEST_H
