#include "formats/buda/netlist_testing.h"

#include "base/alloc.h"
#include "formats/buda/words.h"

const char buda_test_full_netlist[] =
    "devices:\n"
    "  arch: [wormhole_b0, blackhole]\n"
    "queues:\n"
    "  qa: {type: queue, input: HOST, entries: 4, grid_size: [1, 2], t: 3, mblock: [2, 5],"
    " ublock: [6, 7], ublock_order: c, tile_dim: [16, 32], df: Bfp8_b, layout: flat,"
    " target_device: 0, loc: dram, dram: [[0, 0x10000000], [1, 0x10001000]]}\n"
    "  qb: {type: ram, input: opa, entries: 8, grid_size: [1, 1], t: 1, mblock: [1, 1],"
    " ublock: [1, 1], df: Float16, target_device: [0, 1], loc: host, host: [0x2000],"
    " alias: qc, input_tms: [hslice: 9], read_ports: [1], write_ports: [2]}\n"
    "graphs:\n"
    "  ga:\n"
    "    target_device: 1\n"
    "    input_count: 2\n"
    "    opa: {type: matmul, grid_loc: [3, 4], grid_size: [1, 2], grid_transpose: true,"
    " inputs: [qa, qx], t: 2, mblock: [1, 3], ublock: [2, 2], buf_size_mb: 4, overlay_size: 64,"
    " input_buf_min_size_tiles: [0, 11], input_dram_io_buf_size_tiles: [12, 0],"
    " forked_dram_inputs: [qa: opb], ublock_order: r, in_df: [Float32, Bfp2_b],"
    " out_df: Int8, intermed_df: Float16_b, acc_df: Int32, math_fidelity: HiFi2_A,"
    " untilize_output: yes, gradient_op: False, tile_dim: [32, 32],"
    " attributes: {m_k: 010, u_kt: 2, bias: true, relu_threshold: 1.5, relu_mode: max,"
    " kernel_broadcast: {input_1: 5}, ingress_channels: [1, 2], fused_op_id: 0, sfpu_op: gelu},"
    " input_1_tms: [broadcast: {r: 5}, transpose , pad: [0, 1, 2.5], tile_broadcast: rc],"
    " input_0_pad: {rt: 1, ct: 2, pad_value: -1.0}, input_0_unpad: {rt: 3, ct: 0}}\n"
    "    opb: {type: ethernet_datacopy, grid_size: [1, 1], inputs: [opa], t: 1, mblock: [1, 1],"
    " ublock: [1, 1], buf_size_mb: 2, in_df: [Float32], out_df: Float32, intermed_df: Float32,"
    " acc_df: Float32, math_fidelity: LoFi}\n"
    "fused_ops:\n"
    "  0:\n"
    "    inputs: 2\n"
    "    intermediates: 1\n"
    "    custom_kernel_path: a/b\n"
    "    schedules:\n"
    "      - - sa: {type: multiply, inputs: [input0, input1], mblock: [8, 9], ublock: [4, 3],"
    " zero_point: 0.5, attributes: {vector: r}, output: intermed0}\n"
    "        - sb: {type: exp, inputs: [intermed0], mblock: [8, 9], ublock: [4, 3],"
    " pop: [intermed0], pop_last: [], output: output}\n"
    "programs:\n"
    "  - pa:\n"
    "      - param: [$p_x]\n"
    "      - var: {$v: 5, $w: 6}\n"
    "      - staticvar: [$s]\n"
    "      - loop: $p_x\n"
    "      - allocate_queue: [qb]\n"
    "      - execute: {graph_name: ga, queue_settings: {qa: {prologue: false, rd_ptr_local: $v,"
    " rd_ptr_global: 0}}}\n"
    "      - varinst: [$v, incwrap, 1, 12]\n"
    "      - deallocate_queue: [qb]\n"
    "      - endloop\n"
    "test-config: {comparison-config: {type: Exact}}\n"
    "performance-check: {config-0: {graph-name: ga}}\n"
    "pipegen: 7\n";

#define SHOW_OP                                                                                    \
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [2, 2]"

const char buda_test_show_netlist[] =
    "devices: {arch: [wormhole_b0, grayskull]}\n"
    "queues:\n"
    "  in: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [2, 1], "
    "ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "  w: {type: ram, input: HOST, entries: 1, grid_size: [1, 2], t: 1, mblock: [1, 1], "
    "ublock: [2, 2], df: Bfp8_b, target_device: 0, loc: dram, "
    "dram: [[0, 0x31000000], [1, 0x31000000]]}\n"
    "  out: {type: queue, input: act, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [2, 2], df: Float16, target_device: 0, loc: host, host: [0x1000]}\n"
    "graphs:\n"
    "  fwd:\n    target_device: 0\n    input_count: 2\n"
    "    mm: {type: matmul, grid_loc: [0, 0], grid_size: [2, 2], inputs: [in, w], "
    "in_df: [Float16, Bfp8_b], attributes: {m_k: 2, u_kt: 1}, " SHOW_OP "}\n"
    "    act: {type: fused_op, grid_loc: [0, 2], grid_size: [2, 1], grid_transpose: true, "
    "inputs: [mm, mm], in_df: [Float16, Float16], attributes: {fused_op_id: f0}, " SHOW_OP "}\n"
    "  side:\n    target_device: 1\n    input_count: 2\n"
    "    copy: {type: nop, grid_loc: [9, 7], grid_size: [1, 1], inputs: [mm], "
    "in_df: [Float16], " SHOW_OP "}\n"
    "programs:\n"
    "  - run:\n"
    "      - param: [$p_loops]\n"
    "      - loop: $p_loops\n"
    "      - execute: {graph_name: fwd}\n"
    "      - execute: {graph_name: side}\n"
    "      - endloop\n"
    "fused_ops:\n"
    "  f0:\n    inputs: 2\n    intermediates: 1\n    schedules:\n"
    "      - - mul: {type: multiply, inputs: [input0, input1], mblock: [1, 1], ublock: [2, 2], "
    "output: dest}\n"
    "        - exp0: {type: exp, inputs: [dest], mblock: [1, 1], ublock: [2, 2], "
    "output: output}\n"
    "test-config:\n  comparison-config: {type: AllClose}\n";

// Texts ------------------------------------------------------------------------------------------

static hoist_bytes bytes_of(hoist_str text)
{
    return (hoist_bytes){(const uint8_t *)text.data, text.size};
}

hoist_bytes buda_test_patched(hoist_test *t, const char *base, const char *find, const char *put)
{
    const char *at = find ? strstr(base, find) : NULL;
    if (!at) {
        HOIST_EXPECT(t, find == NULL);
        return bytes_of(hoist_str_from(base));
    }
    return bytes_of(
        hoist_arena_format(&t->arena, "%.*s%s%s", (int)(at - base), base, put, at + strlen(find)));
}

// Place of the byte at `offset`.
static hoist_pos place_of(const uint8_t *text, size_t offset)
{
    hoist_pos pos = {1, 1};
    for (size_t i = 0; i < offset; i++) {
        pos.column = text[i] == '\n' ? 1 : pos.column + 1;
        pos.line += text[i] == '\n';
    }
    return pos;
}

hoist_pos buda_test_place(hoist_test *t, hoist_bytes text, const char *at)
{
    const char *mark = strchr(at, '^');
    const size_t before = mark ? (size_t)(mark - at) : 0;
    const hoist_str needle =
        hoist_arena_format(&t->arena, "%.*s%s", (int)before, at, mark ? mark + 1 : at);
    const uint8_t *found = memmem(text.data, text.size, needle.data, needle.size);
    return found ? place_of(text.data, (size_t)(found - text.data) + before) : (hoist_pos){0, 0};
}

// What `buffer` holds, in the test's arena; frees it.
static hoist_bytes finished(hoist_test *t, hoist_buffer *buffer)
{
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(buffer));
    HOIST_EXPECT(t, text.data && !buffer->failed);
    hoist_buffer_deinit(buffer);
    return bytes_of(text);
}

hoist_bytes buda_test_written(hoist_test *t, const hoist_text_node *root)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_text_write(root, &out);
    return finished(t, &out);
}

// Reading and checking ----------------------------------------------------------------------------

const hoist_buda_module *buda_test_read(hoist_test *t, hoist_bytes text)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    const hoist_status status = hoist_buda_format.read(text, &options, t->diag, &module);
    HOIST_EXPECT_EQ(t, status == HOIST_OK, module != NULL);
    return (const hoist_buda_module *)module;
}

// The module as its owner has it.
static hoist_module *owned(const hoist_buda_module *module)
{
    union {
        const hoist_buda_module *from;
        hoist_module *to;
    } cast = {.from = module};
    return cast.to;
}

void buda_test_destroy(const hoist_buda_module *module)
{
    hoist_buda_format.destroy(owned(module));
}

void buda_test_check(hoist_test *t, hoist_bytes text, const hoist_check_options *options)
{
    const hoist_buda_module *module = buda_test_read(t, text);
    if (module) {
        HOIST_EXPECT_EQ(t, hoist_buda_format.check(owned(module), options, t->diag), HOIST_OK);
        buda_test_destroy(module);
    }
}

bool buda_test_open(hoist_test *t, hoist_bytes text, const char *arch, buda_opened *out)
{
    *out = (buda_opened){.module = buda_test_read(t, text)};
    if (!out->module) {
        return false;
    }
    const buda_arch chosen = (buda_arch)hoist_rec_word_find(
        &buda_arch_words, hoist_str_from(arch ? arch : "wormhole_b0"));
    HOIST_EXPECT_EQ(t, buda_net_build(out->module, chosen, &out->net), HOIST_OK);
    out->check = (buda_check){.module = out->module,
                              .net = &out->net,
                              .diag = t->diag,
                              .scratch = &t->arena,
                              .arch = chosen};
    return true;
}

void buda_test_close(buda_opened *opened)
{
    buda_net_deinit(&opened->net);
    buda_test_destroy(opened->module);
}

typedef struct part_run {
    buda_check check;
    hoist_status (*part)(const buda_check *);
    size_t fill; // bytes of scratch memory that are in use before
} part_run;

static hoist_status run_part(hoist_allocator alloc, const void *self)
{
    part_run run = *(const part_run *)self;
    hoist_arena scratch;
    hoist_arena_init(&scratch, alloc);
    run.check.scratch = &scratch;
    run.check.diag = NULL;
    const hoist_status status =
        hoist_arena_alloc(&scratch, run.fill) ? run.part(&run.check) : HOIST_NO_MEMORY;
    hoist_arena_deinit(&scratch);
    return status;
}

void buda_test_starve(hoist_test *t, hoist_bytes text, hoist_status (*part)(const buda_check *))
{
    buda_opened opened;
    if (buda_test_open(t, text, NULL, &opened)) {
        // An arena asks for blocks: with more and more in use its requests fall on every piece.
        for (size_t fill = 1; fill < 4096; fill += 48) {
            hoist_test_starve(t, run_part, &(part_run){opened.check, part, fill});
        }
        buda_test_close(&opened);
    }
}

// Findings ---------------------------------------------------------------------------------------

// How many findings of rule `id` at `pos` say `says` (NULL: anything).
static size_t count_at(const hoist_diag *diag, hoist_str id, hoist_pos pos, const char *says)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        count += hoist_str_equal_c(id, finding->rule->id) && finding->loc.pos.line == pos.line &&
                 finding->loc.pos.column == pos.column &&
                 (!says || hoist_str_contains(finding->message, says));
    }
    return count;
}

void buda_test_expect(hoist_test *t, const char *id, uint32_t line, uint32_t column,
                      const char *says)
{
    if (!count_at(t->diag, hoist_str_from(id), (hoist_pos){line, column}, says)) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "expected %s at %u:%u saying '%s', got\n%.*s", id,
                        line, column, says ? says : "", HOIST_STR_ARGS(all));
    }
}

const hoist_finding *buda_test_find(const hoist_diag *diag, const char *id)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        if (strcmp(hoist_diag_at(diag, i)->rule->id, id) == 0) {
            return hoist_diag_at(diag, i);
        }
    }
    return NULL;
}

size_t buda_test_count(const hoist_diag *diag, const char *prefix)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        count += strncmp(hoist_diag_at(diag, i)->rule->id, prefix, strlen(prefix)) == 0;
    }
    return count;
}

void buda_test_finding_row(hoist_test *t, const buda_finding_row *row, bool alone)
{
    const hoist_bytes text = buda_test_patched(t, buda_test_full_netlist, row->find, row->put);
    const hoist_buda_module *module = buda_test_read(t, text);
    const hoist_pos pos = row->at ? buda_test_place(t, text, row->at) : (hoist_pos){0, 0};
    HOIST_EXPECT(t, module != NULL);
    HOIST_EXPECT_EQ(t, pos.line != 0, row->at != NULL);
    buda_test_expect(t, row->rule, pos.line, pos.column, row->says);
    HOIST_EXPECT(t, !alone || hoist_diag_kept(t->diag) == 1);
    buda_test_destroy(module);
}

buda_marked buda_test_marked(hoist_test *t, hoist_str text)
{
    buda_marked marked = {.count = 0};
    uint8_t *const to = hoist_arena_alloc(&t->arena, text.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '@' && marked.count < BUDA_TEST_MARKS) {
            marked.marks[marked.count++] = place_of(to, size);
        } else {
            to[size++] = (uint8_t)text.data[i];
        }
    }
    to[size] = 0;
    marked.text = (hoist_bytes){to, size};
    return marked;
}

void buda_test_expect_marked(hoist_test *t, const char *rules, const buda_marked *marked)
{
    size_t count = 0;
    for (const char *from = rules ? rules : ""; *from && count < marked->count; count++) {
        const hoist_str id = {from, strcspn(from, " ")};
        const hoist_pos pos = marked->marks[count];
        if (count_at(t->diag, id, pos, NULL) != 1) {
            hoist_test_fail(t, __FILE__, __LINE__, "expected %.*s at %u:%u", HOIST_STR_ARGS(id),
                            pos.line, pos.column);
        }
        from += id.size + (from[id.size] == ' ');
    }
    HOIST_EXPECT_EQ(t, count, marked->count);
    HOIST_EXPECT_EQ(t, count > 0, rules != NULL);
    if (hoist_diag_kept(t->diag) != count) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "expected %zu findings, got\n%.*s", count,
                        HOIST_STR_ARGS(all));
    }
}

// Rows of op rules -------------------------------------------------------------------------------

typedef struct member {
    const char *key;
    const char *value;
} member;

// clang-format off
#define OP_QUEUE(from, address)                                                             \
    {{"type", "queue"}, {"input", from}, {"entries", "4"}, {"grid_size", "[1, 1]"}, {"t", "1"},      \
     {"mblock", "[1, 1]"}, {"ublock", "[1, 1]"}, {"df", "Float16"}, {"target_device", "0"},         \
     {"loc", "dram"}, {"dram", "[[0, " address "]]"}}
static const struct {
    const char *name;
    member lines[12];
} op_queues[] = {
    {"a", OP_QUEUE("HOST", "0x10000000")}, {"b", OP_QUEUE("HOST", "0x11000000")},
    {"d", OP_QUEUE("HOST", "0x12000000")}, {"o", OP_QUEUE("x", "0x13000000")},
};
static const member op_members[] = {
    {"type", "nop"}, {"grid_loc", "[0, 0]"}, {"grid_size", "[1, 1]"}, {"inputs", "[a]"},
    {"in_df", "[Float16]"}, {"out_df", "Float16"}, {"intermed_df", "Float16"},
    {"acc_df", "Float16"}, {"math_fidelity", "HiFi4"}, {"buf_size_mb", "2"}, {"t", "1"},
    {"mblock", "[1, 1]"}, {"ublock", "[1, 1]"},
};
// clang-format on

// The next "object.key: value" of `*rest`; false at the end.
static bool next_edit(hoist_str *rest, hoist_str *out_edit)
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

// The part of the edit after "object."; empty when it is another object's.
static hoist_str edit_of(hoist_str edit, const char *object)
{
    const size_t size = strlen(object);
    const bool mine =
        hoist_str_starts_with(edit, object) && edit.size > size && edit.data[size] == '.';
    return mine ? hoist_str_slice(edit, size + 1, edit.size) : (hoist_str){NULL, 0};
}

// True when `line` ("key: value" or "key!") is about `key`.
static bool is_key(hoist_str line, const char *key)
{
    const size_t size = strlen(key);
    return hoist_str_starts_with(line, key) && line.size > size &&
           (line.data[size] == ':' || line.data[size] == '!');
}

// True when an edit of `rest` is about the same key as `line`: the last one holds.
static bool is_edited_again(hoist_str rest, const char *name, hoist_str line)
{
    size_t size = 0;
    while (size < line.size && line.data[size] != ':' && line.data[size] != '!') {
        size++;
    }
    hoist_str edit;
    while (next_edit(&rest, &edit)) {
        const hoist_str other = edit_of(edit, name);
        if (other.size > size &&
            hoist_str_equal(hoist_str_slice(other, 0, size), hoist_str_slice(line, 0, size)) &&
            (other.data[size] == ':' || other.data[size] == '!')) {
            return true;
        }
    }
    return false;
}

static void write_object(hoist_buffer *out, const char *name, const char *indent,
                         const member *lines, size_t count, hoist_str edits)
{
    hoist_buffer_format(out, "%s%s:\n", indent, name);
    hoist_str edit;
    for (size_t i = 0; i < count && lines[i].key; i++) {
        bool edited = false;
        for (hoist_str rest = edits; next_edit(&rest, &edit);) {
            edited = edited || is_key(edit_of(edit, name), lines[i].key);
        }
        if (!edited) {
            hoist_buffer_format(out, "%s  %s: %s\n", indent, lines[i].key, lines[i].value);
        }
    }
    for (hoist_str rest = edits; next_edit(&rest, &edit);) {
        const hoist_str line = edit_of(edit, name);
        if (line.size > 0 && line.data[line.size - 1] != '!' &&
            !is_edited_again(rest, name, line)) {
            hoist_buffer_format(out, "%s  %.*s\n", indent, HOIST_STR_ARGS(line));
        }
    }
}

static bool has_edits(hoist_str edits, const char *object)
{
    hoist_str edit;
    for (hoist_str rest = edits; next_edit(&rest, &edit);) {
        if (edit_of(edit, object).size > 0) {
            return true;
        }
    }
    return false;
}

hoist_bytes buda_test_op_netlist(hoist_test *t, const char *edits_text)
{
    const hoist_str edits = hoist_str_from(edits_text);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_format(&out, "devices: {arch: [grayskull, wormhole, wormhole_b0, blackhole]}\n"
                              "queues:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(op_queues); i++) {
        write_object(&out, op_queues[i].name, "  ", op_queues[i].lines, 12, edits);
    }
    hoist_buffer_format(&out, "graphs:\n  g:\n    target_device: 0\n    input_count: 1\n");
    write_object(&out, "x", "    ", op_members, HOIST_COUNT_OF(op_members), edits);
    if (has_edits(edits, "y")) {
        write_object(&out, "y", "    ", op_members, HOIST_COUNT_OF(op_members), edits);
    }
    hoist_str setting = HOIST_STR("o: {prologue: true, epilogue: true}");
    hoist_str edit;
    for (hoist_str rest = edits; next_edit(&rest, &edit);) {
        const hoist_str line = edit_of(edit, "p");
        setting = line.size > 0 ? line : setting;
    }
    hoist_buffer_format(&out,
                        "programs:\n  - p:\n      - execute: {graph_name: g, queue_settings: "
                        "{%.*s}}\n",
                        HOIST_STR_ARGS(setting));
    return finished(t, &out);
}

void buda_test_check_ops(hoist_test *t, hoist_bytes text, const char *arch,
                         const buda_cluster *cluster)
{
    buda_opened opened;
    if (buda_test_open(t, text, arch, &opened)) {
        opened.check.cluster = cluster;
        HOIST_EXPECT_EQ(t, buda_check_ops(&opened.check), HOIST_OK);
        HOIST_EXPECT_EQ(t, buda_check_fused(&opened.check), HOIST_OK);
        HOIST_EXPECT_EQ(t, buda_check_shapes(&opened.check), HOIST_OK);
        buda_test_close(&opened);
    }
}

void buda_test_expect_row(hoist_test *t, const buda_op_row *row, hoist_bytes text)
{
    if (!row->rule) {
        HOIST_EXPECT_RULE(t, NULL);
        return;
    }
    const hoist_pos pos = buda_test_place(t, text, row->at);
    HOIST_EXPECT(t, pos.line != 0);
    buda_test_expect(t, row->rule, pos.line, pos.column, row->says);
}

void buda_test_op_row(hoist_test *t, const buda_op_row *row)
{
    const hoist_bytes text = buda_test_op_netlist(t, row->edits);
    buda_test_check_ops(t, text, row->arch, NULL);
    buda_test_expect_row(t, row, text);
}

// Rows of program rules --------------------------------------------------------------------------

typedef struct program_queue {
    const char *name;
    const char *input;
    const char *type;
    int entries;
    const char *devices;
    unsigned address;
} program_queue;

// One op in a graph of its own.
typedef struct program_graph {
    const char *name;
    const char *devices;
    int input_count;
    const char *op;
    const char *type;
    const char *inputs;
    const char *extra; // further keys of the op
} program_graph;

// Which queues and graphs there are, after the worked cases of buda-netlist reference section 10.
// clang-format off
static const program_queue program_queues[] = {
    {"a",   "HOST", "queue", 4,  "0",      0x10000000},
    {"a6",  "HOST", "queue", 6,  "0",      0x10100000},
    {"w",   "HOST", "ram",   2,  "0",      0x10200000},
    {"al",  "HOST", "queue", 2,  "[0, 1]", 0x10300000},
    {"tab", "HOST", "ram",   1,  "0",      0x10400000},
    {"idx", "HOST", "queue", 4,  "0",      0x10500000},
    {"far", "HOST", "queue", 4,  "1",      0x10600000},
    {"o",   "x",    "queue", 4,  "0",      0x11000000},
    {"o1",  "x1",   "queue", 1,  "0",      0x11100000},
    {"o2",  "x2",   "queue", 8,  "0",      0x11200000},
    {"os",  "xs",   "queue", 8,  "0",      0x11300000},
    {"os8", "xs8",  "queue", 8,  "0",      0x11400000},
    {"ow",  "xw",   "queue", 8,  "0",      0x11500000},
    {"v",   "xv",   "ram",   4,  "0",      0x11600000}, // by an op
    {"dw",  "xd",   "ram",   1,  "0",      0x11700000}, // by a gradient op
    {"m",   "xm",   "queue", 4,  "0",      0x11800000}, // from m2 to n2
    {"on",  "xn",   "queue", 64, "0",      0x11900000},
    {"q",   "xm1",  "queue", 4,  "0",      0x11a00000}, // from m1 to n1
    {"on1", "xn1",  "queue", 64, "0",      0x11b00000},
    {"oc",  "y1",   "queue", 2,  "1",      0x11c00000},
    {"ol",  "xl",   "queue", 2,  "[0, 1]", 0x11d00000},
    {"oe",  "xe",   "queue", 4,  "0",      0x11e00000},
    {"of",  "xf",   "queue", 4,  "0",      0x11f00000},
    {"kd",  "xk",   "queue", 2,  "0",      0x20000000}, // dynamic, at one address with ke
    {"ke",  "xke",  "queue", 2,  "0",      0x20000000},
    {"kr",  "xkr",  "queue", 4,  "0",      0x12000000},
};

static const program_graph program_graphs[] = {
    {"g",  "0",      1, "x",   "nop", "a",  ""},
    {"g1", "0",      1, "x1",  "nop", "a",  ""},
    {"g2", "0",      2, "x2",  "nop", "a",  ""},
    {"s4", "0",      4, "xs",  "nop", "a6", ""},
    {"s8", "0",      8, "xs8", "nop", "a",  ""},
    {"w2", "0",      2, "xw",  "add", "a, w", ""},
    {"v2", "0",      2, "xv",  "nop", "a",  ""},
    {"d1", "0",      1, "xd",  "nop", "a",  ", gradient_op: true"},
    {"m2", "0",      2, "xm",  "nop", "a",  ""},
    {"n2", "0",      2, "xn",  "nop", "m",  ""},
    {"m1", "0",      1, "xm1", "nop", "a",  ""},
    {"n1", "0",      1, "xn1", "nop", "q",  ""},
    {"c0", "0",      1, "y0",  "nop", "a",  ""},
    {"c1", "1",      1, "y1",  "nop", "y0", ""}, // one temporal epoch with c0
    {"l",  "[0, 1]", 1, "xl",  "nop", "al", ""},
    {"e",  "0",      1, "xe",  "embedding", "tab, idx", ", attributes: {num_indices: 32}"},
    {"f",  "0",      1, "xf",  "nop", "far", ""},
    {"k",  "0",      1, "xk",  "nop", "a",  ""},
    {"h",  "0",      1, "xke", "nop", "a",  ""},
    {"r",  "0",      1, "xkr", "nop", "ke", ""},
};
// clang-format on

static void program_frame(hoist_buffer *out)
{
    hoist_buffer_format(out, "devices: {arch: wormhole_b0}\nqueues:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(program_queues); i++) {
        const program_queue *q = &program_queues[i];
        hoist_buffer_format(out,
                            "  %s: {type: %s, input: %s, entries: %d, grid_size: [1, 1], t: 1, "
                            "mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: %s, "
                            "loc: dram, dram: [[0, 0x%x]]}\n",
                            q->name, q->type, q->input, q->entries, q->devices, q->address);
    }
    hoist_buffer_format(out, "graphs:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(program_graphs); i++) {
        const program_graph *g = &program_graphs[i];
        hoist_buffer_format(out,
                            "  %s:\n    target_device: %s\n    input_count: %d\n"
                            "    %s: {type: %s, grid_loc: [0, 0], grid_size: [1, 1], inputs: [%s], "
                            "in_df: [Float32%s], acc_df: Float32, out_df: Float32, "
                            "intermed_df: Float32, ublock_order: r, buf_size_mb: 2, "
                            "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]%s}\n",
                            g->name, g->devices, g->input_count, g->op, g->type, g->inputs,
                            strchr(g->inputs, ',') ? ", Float32" : "", g->extra);
    }
    hoist_buffer_format(out, "programs:\n");
}

buda_marked buda_test_programs(hoist_test *t, const char *programs)
{
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    program_frame(&buffer);
    hoist_buffer_c(&buffer, programs);
    const buda_marked marked = buda_test_marked(t, hoist_buffer_text(&buffer));
    hoist_buffer_deinit(&buffer);
    return marked;
}

hoist_status buda_test_check_programs(hoist_bytes text, hoist_allocator alloc,
                                      hoist_diag *read_diag, hoist_diag *diag)
{
    const hoist_read_options read_options = {.alloc = alloc};
    const hoist_check_options options = {0};
    hoist_module *base = NULL;
    hoist_status status = hoist_buda_format.read(text, &read_options, read_diag, &base);
    if (status != HOIST_OK) {
        return status;
    }
    const hoist_buda_module *module = (const hoist_buda_module *)base;
    buda_net net;
    status = buda_net_build(module, (buda_arch)module->arch.items[0].value, &net);
    hoist_arena scratch;
    hoist_arena_init(&scratch, alloc);
    const buda_check check = {.module = module,
                              .net = &net,
                              .options = &options,
                              .diag = diag,
                              .scratch = &scratch,
                              .arch = net.arch};
    if (status == HOIST_OK) {
        status = buda_check_programs(&check);
        buda_net_deinit(&net);
    }
    hoist_arena_deinit(&scratch);
    hoist_buda_format.destroy(base);
    return status;
}

void buda_test_program_row(hoist_test *t, const buda_program_row *row)
{
    const buda_marked marked = buda_test_programs(t, row->programs);
    const hoist_allocator alloc = hoist_allocator_system();
    HOIST_EXPECT_EQ(t, buda_test_check_programs(marked.text, alloc, t->diag, t->diag), HOIST_OK);
    buda_test_expect_marked(t, row->rule, &marked);
}

// Rows of the buda-netlist reference -------------------------------------------------------------

void buda_test_reference_row(hoist_test *t, const buda_reference_row *row)
{
    const buda_marked marked = buda_test_marked(
        t, hoist_arena_format(&t->arena, "devices:\n  arch: wormhole_b0\n%sprograms:\n%s",
                              row->head, row->programs));
    buda_test_check(t, marked.text, NULL);
    buda_test_expect_marked(t, row->rules, &marked);
}
