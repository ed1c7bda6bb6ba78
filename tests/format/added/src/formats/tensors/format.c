// The row of the format, its rules and words; recognising, checking and writing texts of tensors,
// and what people and programs see of them.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/picture.h"
#include "base/reader.h"
#include "base/rules.h"
#include "base/span.h"
#include "codec/number.h"
#include "formats/tensors/module.h"

static const hoist_rule rules[] = {
#define TEN_RULE(number, ...) HOIST_RULE("TEN-" #number, __VA_ARGS__, "the format's description"),
#include "formats/tensors/rules.inc"
};

static const hoist_rule_set rule_set = {"tensors", "Texts of tensors", rules, TEN_RULE_COUNT};

const hoist_rule *tensors_rule(ten_rule rule)
{
    return &rules[rule];
}

// clang-format off
const tensors_kind_row tensors_kinds[TENSORS_KIND_COUNT] = {
    //                  word      name   shape  data  operands
    [TENSORS_INPUT]  = {"input",  true,  true,  false, 0, HOIST_COMPUTE_COUNT},
    [TENSORS_CONST]  = {"const",  true,  true,  true,  0, HOIST_COMPUTE_COUNT},
    [TENSORS_MATMUL] = {"matmul", true,  false, false, 2, HOIST_ARK_MATMUL},
    [TENSORS_ADD]    = {"add",    true,  false, false, 2, HOIST_IEEE_ADD},
    [TENSORS_OUTPUT] = {"output", false, false, false, 1, HOIST_COMPUTE_COUNT},
};
// clang-format on

static bool is_op(const tensors_statement *s)
{
    return s->kind->op != HOIST_COMPUTE_COUNT;
}

static int sniff(hoist_bytes head, hoist_str file_name)
{
    const hoist_str text = {(const char *)head.data, head.size};
    return hoist_str_starts_with(text, TENSORS_HEAD "\n") ? 100
           : hoist_str_ends_with(file_name, ".tensors")   ? 10
                                                          : 0;
}

// The one rule that needs the whole file: reading has checked all others.
static hoist_status check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag)
{
    (void)options;
    const tensors_module *m = tensors_of(module);
    bool *used = hoist_alloc_zero(module->alloc, m->count + 1, sizeof(*used));
    if (!used) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = m->count; i-- > 0;) { // users are below what they use
        const tensors_statement *s = &m->statements[i];
        for (size_t k = 0; k < s->kind->operands; k++) {
            used[s->operands[k]] = true;
        }
        if (s->kind->has_name && !used[i]) {
            hoist_report(diag, tensors_rule(TEN_005), s->loc,
                         "'%.*s' is neither an operand nor an output", HOIST_STR_ARGS(s->name));
        }
    }
    hoist_free(module->alloc, used, (m->count + 1) * sizeof(*used));
    return HOIST_OK;
}

// Element `at` / 4 of the data of a const.
static double element_at(const tensors_statement *s, size_t at)
{
    const uint32_t bits = hoist_load_u32le(s->data.data + at);
    float element = 0;
    memcpy(&element, &bits, sizeof(element));
    return (double)element;
}

// Sending ---------------------------------------------------------------------------------------

static void send_tensor(const tensors_statement *s, hoist_tree_sink *sink)
{
    hoist_tree_str(sink, "name", s->name);
    hoist_tree_short_list(sink, "shape");
    for (int i = 0; i < s->shape.rank; i++) {
        hoist_tree_int(sink, "", s->shape.dim[i]);
    }
    hoist_tree_end(sink);
}

static void send_statement(const tensors_module *m, const tensors_statement *s,
                           hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "statement", s->kind->word);
    send_tensor(s, sink);
    hoist_tree_short_list(sink, "data");
    for (size_t i = 0; i < s->data.size && sink->status == HOIST_OK; i += sizeof(float)) {
        hoist_tree_float(sink, "", element_at(s, i), HOIST_UNIT_NONE);
    }
    hoist_tree_end(sink);
    hoist_tree_short_list(sink, "operands");
    for (size_t i = 0; i < s->kind->operands; i++) {
        hoist_tree_str(sink, "", m->statements[s->operands[i]].name);
    }
    hoist_tree_end(sink);
}

static hoist_status visit(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink)
{
    const tensors_module *m = tensors_of(module);
    hoist_tree_map(sink, options->key ? options->key : "");
    hoist_tree_list(sink, "statements");
    for (size_t i = 0; i < m->count && sink->status == HOIST_OK; i++) {
        const tensors_statement *s = &m->statements[i];
        const hoist_pos pos = options->positions ? s->loc.pos : (hoist_pos){0, 0};
        hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_MAP, .pos = pos});
        send_statement(m, s, sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    return sink->status;
}

static hoist_status info(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)options;
    (void)diag;
    static const struct {
        const char *key;
        tensors_kind kind;
    } lists[] = {{"inputs", TENSORS_INPUT}, {"outputs", TENSORS_OUTPUT}};
    const tensors_module *m = tensors_of(module);
    uint64_t ops = 0;
    for (size_t i = 0; i < m->count; i++) {
        ops += is_op(&m->statements[i]);
    }
    hoist_tree_uint(sink, "ops", ops, HOIST_UNIT_NONE);
    for (size_t k = 0; k < HOIST_COUNT_OF(lists); k++) {
        hoist_tree_list(sink, lists[k].key);
        for (size_t i = 0; i < m->count; i++) {
            if (m->statements[i].kind == &tensors_kinds[lists[k].kind]) {
                hoist_tree_map(sink, "");
                send_tensor(&m->statements[i], sink);
                hoist_tree_end(sink);
            }
        }
        hoist_tree_end(sink);
    }
    return sink->status;
}

// A picture has its steps first. `nodes` is by statement.
static void add_nodes(hoist_picture *p, const tensors_module *m, bool steps, size_t *nodes)
{
    for (size_t i = 0; i < m->count; i++) {
        const tensors_statement *s = &m->statements[i];
        const hoist_picture_node node = {.kind = steps ? HOIST_PICTURE_OP : HOIST_PICTURE_TENSOR,
                                         .name = s->name};
        if (is_op(s) == steps) {
            nodes[i] = hoist_picture_add_node(p, &node);
            hoist_picture_str(p, "type", hoist_str_from(s->kind->word), HOIST_PICTURE_COLUMN);
            hoist_picture_list(p, "shape", s->shape.dim, (size_t)s->shape.rank,
                               HOIST_PICTURE_COLUMN);
        }
    }
}

static hoist_status picture(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_picture *p)
{
    (void)options;
    (void)diag;
    const tensors_module *m = tensors_of(module);
    const hoist_picture_graph graph = {
        .title = "graph", .name = HOIST_STR("tensors"), .is_list = true};
    size_t *nodes = hoist_arena_array(&p->arena, m->count, sizeof(*nodes));
    if (!nodes) {
        return HOIST_NO_MEMORY;
    }
    hoist_picture_begin_graph(p, &graph);
    add_nodes(p, m, true, nodes);
    add_nodes(p, m, false, nodes);
    for (size_t i = 0; i < m->count; i++) {
        const tensors_statement *s = &m->statements[i];
        for (size_t k = 0; k < s->kind->operands; k++) {
            const hoist_picture_edge edge = {.kind = is_op(s) ? HOIST_PICTURE_READS
                                                              : HOIST_PICTURE_WRITES,
                                             .from = nodes[s->operands[k]],
                                             .to = nodes[i],
                                             .number = k};
            hoist_picture_add_edge(p, &edge);
        }
    }
    hoist_picture_end_graph(p);
    return hoist_picture_status(p);
}

// Writing ---------------------------------------------------------------------------------------

// Blanks and digits of the file are not kept: the format fixes words, names and numbers.
static hoist_status write(const hoist_module *module, hoist_buffer *out)
{
    enum { DIGITS = 9 }; // enough for any float32
    const tensors_module *m = tensors_of(module);
    hoist_buffer_c(out, TENSORS_HEAD "\n");
    for (size_t i = 0; i < m->count; i++) {
        const tensors_statement *s = &m->statements[i];
        hoist_buffer_c(out, s->kind->word);
        if (s->kind->has_name) {
            hoist_buffer_char(out, ' ');
            hoist_buffer_str(out, s->name);
        }
        for (int k = 0; s->kind->has_shape && k < s->shape.rank; k++) {
            hoist_buffer_format(out, "%s%" PRId64, k ? "x" : " ", s->shape.dim[k]);
        }
        for (size_t k = 0; k < s->data.size; k += sizeof(float)) {
            hoist_buffer_char(out, ' ');
            hoist_number_write(out, element_at(s, k), DIGITS);
        }
        for (size_t k = 0; k < s->kind->operands; k++) {
            hoist_buffer_char(out, ' ');
            hoist_buffer_str(out, m->statements[s->operands[k]].name);
        }
        hoist_buffer_char(out, '\n');
    }
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static const hoist_rule_set *const rule_sets[] = {&rule_set, NULL};

const hoist_format hoist_tensors_format = {
    .name = "tensors",
    .title = "Text of tensors",
    .rule_sets = rule_sets,
    // Files of short lines take 26 times their size, and twice that just after a table has grown.
    .memory = {.base = (size_t)16 << 20, .factor = 64},
    .sniff = sniff,
    .read = tensors_read,
    .destroy = tensors_destroy,
    .check = check,
    .visit = visit,
    .info = info,
    .picture = picture,
    .write = write,
};
