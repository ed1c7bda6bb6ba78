// Models in other dialects (ark reference section 2). In: a module. Out: the text of the same model
// as ARK wrote it at another time: keys in the order of that time, one operator to a node from D3
// on
// ("Op"), "Pads" or "PaddedShape", and the arguments of Matmul that D1 repeats from the shapes.
// Only the rows that change are copied; names and lists of numbers stay those of the module.
#include <string.h>

#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/graph.h"

enum { MOST_DIMS = 4, REDUNDANT_ARGS = 4 };

typedef struct conversion {
    hoist_arena *arena;
    ark_dialect to;      // that of the text
    hoist_status status; // HOIST_OK until memory runs out
} conversion;

// An array in the arena; NULL when memory runs out, which the status keeps. No caller stops for
// it: lists without an array are empty, and the conversion fails at its end.
static void *array_of(conversion *c, size_t count, size_t size)
{
    void *const items = hoist_arena_array(c->arena, count, size);
    c->status = items ? c->status : HOIST_NO_MEMORY;
    return items;
}

// Tensors ----------------------------------------------------------------------------------------

// Multiples that give the padded shape from the shape, or the other way round. A padded extent is
// the least multiple of itself that holds the shape. The way to Pads keeps a padded extent exact; 1
// stands for no padding. Shape 5 with PaddedShape 8 has Pads 8, which give 8 again.
static hoist_rec_ints converted_padding(conversion *c, const ark_tensor *tensor, bool to_pads)
{
    const hoist_rec_ints *const shape = &tensor->shape;
    const hoist_rec_ints *const from = to_pads ? &tensor->padded : &tensor->pads;
    hoist_rec_ints list = {.pos = tensor->pos};
    hoist_rec_int *const items = array_of(c, from->count, sizeof(*items));
    list.items = items;
    for (size_t i = 0; items && i < from->count; i++) {
        const int64_t value = from->items[i].value;
        const int64_t extent = i < shape->count ? shape->items[i].value : value;
        // What the last multiple has of the extent; 0: all of it. An extent that would overflow
        // stays as it is.
        const int64_t over = !to_pads && value > 0 ? extent % value : 0;
        const int64_t padded = to_pads ? value
                               : over > 0 && extent <= INT64_MAX - (value - over)
                                   ? extent + value - over
                                   : extent;
        items[i] = (hoist_rec_int){to_pads && value == extent ? 1 : padded, tensor->pos};
        list.count++;
    }
    return list;
}

// Order and external flag are of the dialect: the new text has ARK's own order of keys.
static ark_tensor converted_tensor(conversion *c, const ark_tensor *from)
{
    const bool to_pads = c->to <= ARK_D1;
    ark_tensor tensor = *from;
    tensor.order = NULL;
    tensor.buffer.order = NULL;
    if (c->to != ARK_D4) {
        tensor.buffer.external.pos.line = 0;
    }
    if (to_pads && !from->pads.pos.line) {
        tensor.pads = converted_padding(c, from, true);
    } else if (!to_pads && !from->padded.pos.line) {
        tensor.padded = converted_padding(c, from, false);
    }
    return tensor;
}

// Each occurrence is converted alone, so occurrences stay equal.
static ark_tensors converted_tensors(conversion *c, const ark_tensors *from)
{
    ark_tensor *const items = array_of(c, from->count, sizeof(*items));
    for (size_t i = 0; items && i < from->count; i++) {
        items[i] = converted_tensor(c, &from->items[i]);
    }
    return (ark_tensors){items, items ? from->count : 0};
}

// Arguments --------------------------------------------------------------------------------------

// The extent of dimension `back` from the end; 1 where the tensor has fewer.
static int64_t extent_of(const hoist_rec_ints *list, size_t back)
{
    return back < list->count ? list->items[list->count - 1 - back].value : 1;
}

// Positions are those of the operator: the argument is in no file.
static ark_arg dims_arg(conversion *c, const ark_op *op, const char *name, const int64_t *dims,
                        size_t count)
{
    hoist_rec_int *const items = array_of(c, count, sizeof(*items));
    for (size_t i = 0; items && i < count; i++) {
        items[i] = (hoist_rec_int){dims[i], op->pos};
    }
    return (ark_arg){.name = {hoist_str_from(name), op->pos},
                     .pos = op->pos,
                     .kind = ARK_ARG_DIMS,
                     .dims = {.items = items, .count = items ? count : 0, .pos = op->pos},
                     .present = 1U << ARK_ARG_DIMS};
}

// By name: they say what the tensors say, so a dialect without them loses nothing.
static bool is_redundant(hoist_str name)
{
    return hoist_str_equal_c(name, "InputDimNC") || hoist_str_equal_c(name, "OtherDimNC") ||
           hoist_str_equal_c(name, "ShapeMNK") || hoist_str_equal_c(name, "StridesACDB");
}

static bool is_true(const ark_op *op, const char *name)
{
    const ark_arg *const arg = ark_find_arg(op, name, ARK_ARG_BOOL);
    return arg && arg->boolean.value;
}

// What D1 says of a Matmul once more: batches, extents, and the row pitches of A, C, D and B. None
// for an operator that lacks tensors (M50). `out` has REDUNDANT_ARGS elements.
static size_t redundant_args(conversion *c, const ark_op *op, ark_arg *out)
{
    if (op->reads.count != 2 || op->writes.count != 1) {
        return 0;
    }
    const ark_tensor *const a = &op->reads.items[0];
    const ark_tensor *const b = &op->reads.items[1];
    const ark_tensor *const y = &op->writes.items[0];
    const bool transposes = is_true(op, "TransposeInput");
    const int64_t m = extent_of(&a->shape, transposes ? 0 : 1);
    const int64_t k = extent_of(&a->shape, transposes ? 1 : 0);
    // A vector on the right is a column.
    const bool is_row = (b->shape.count > 1) == is_true(op, "TransposeOther");
    const int64_t n = extent_of(&b->shape, is_row ? 1 : 0);
    const int64_t pitch = extent_of(&y->strides, 0);
    out[0] = dims_arg(c, op, "InputDimNC",
                      (int64_t[]){extent_of(&a->shape, 3), extent_of(&a->shape, 2)}, 2);
    out[1] = dims_arg(c, op, "OtherDimNC",
                      (int64_t[]){extent_of(&b->shape, 3), extent_of(&b->shape, 2)}, 2);
    out[2] = dims_arg(c, op, "ShapeMNK", (int64_t[]){m, n, k}, 3);
    out[3] = dims_arg(
        c, op, "StridesACDB",
        (int64_t[]){extent_of(&a->strides, 0), pitch, pitch, extent_of(&b->strides, 0)}, 4);
    return REDUNDANT_ARGS;
}

// Of a Matmul the repeated arguments of the file are left out and, for D1, made anew, first in the
// list, whose names stay in ascending order.
static ark_args converted_args(conversion *c, const ark_op *op)
{
    ark_arg *const items = array_of(c, op->args.count + REDUNDANT_ARGS, sizeof(*items));
    const bool is_matmul = op->type.value == ARK_MATMUL;
    size_t count = items && is_matmul && c->to == ARK_D1 ? redundant_args(c, op, items) : 0;
    for (size_t i = 0; items && i < op->args.count; i++) {
        if (is_matmul && is_redundant(op->args.items[i].name.text)) {
            continue;
        }
        items[count] = op->args.items[i];
        items[count].order = NULL;
        if (items[count].tensor) {
            ark_tensor *const tensor = array_of(c, 1, sizeof(*tensor));
            if (tensor) {
                *tensor = converted_tensor(c, items[count].tensor);
            }
            items[count].tensor = tensor;
        }
        count++;
    }
    return (ark_args){items, count};
}

// Placeholder is a type of D4; as Tensor it declares the same memory.
static ark_op converted_op(conversion *c, const ark_op *from)
{
    ark_op op = *from;
    op.order = NULL;
    op.reads = converted_tensors(c, &from->reads);
    op.writes = converted_tensors(c, &from->writes);
    op.results = converted_tensors(c, &from->results);
    op.args = converted_args(c, from);
    if (op.type.value == ARK_PLACEHOLDER && c->to != ARK_D4) {
        op.type.value = ARK_TENSOR;
    }
    return op;
}

static ark_ops converted_ops(conversion *c, const ark_ops *from)
{
    ark_op *const items = array_of(c, from->count, sizeof(*items));
    for (size_t i = 0; items && i < from->count; i++) {
        items[i] = converted_op(c, &from->items[i]);
    }
    return (ark_ops){items, items ? from->count : 0};
}

// Nodes ------------------------------------------------------------------------------------------

// Nodes that are made of each node, when nodes with several operators become several. Their
// operators have the ids first to last in the new file.
typedef struct node_range {
    int64_t first, last;
} node_range;

// The ids in `list`, as they are in the new file: of the last node that comes of a producer, of the
// first of a consumer. Ids that no node has stay as they are. A node's operators are executed in
// order, so its first is the one that waits and its last the one that others wait for.
static hoist_rec_ints renumbered(conversion *c, const hoist_rec_ints *list, const ark_module *from,
                                 const node_range *ranges, bool producers)
{
    hoist_rec_int *const items = array_of(c, list->count, sizeof(*items));
    hoist_rec_ints result = *list;
    for (size_t i = 0; items && i < list->count; i++) {
        const uint64_t id = (uint64_t)list->items[i].value;
        items[i] = list->items[i];
        if (id < from->nodes.count) {
            items[i].value = producers ? ranges[id].last : ranges[id].first;
        }
    }
    result.items = items;
    result.count = items ? list->count : 0;
    return result;
}

static hoist_rec_ints one_id(conversion *c, int64_t id, hoist_pos pos)
{
    hoist_rec_int *const item = array_of(c, 1, sizeof(*item));
    if (item) {
        *item = (hoist_rec_int){id, pos};
    }
    return (hoist_rec_ints){.items = item, .count = item ? 1 : 0, .pos = pos};
}

// The nodes of one node: a chain, each with one of its operators. The node's own producers come
// before the first, its consumers after the last.
static void split_node(conversion *c, const ark_module *from, const node_range *ranges,
                       size_t index, ark_node *out)
{
    const ark_node *const node = &from->nodes.items[index];
    const ark_ops ops = converted_ops(c, &node->ops);
    for (size_t i = 0; i < ops.count; i++) {
        const int64_t id = ranges[index].first + (int64_t)i;
        const bool is_last = i + 1 == ops.count;
        out[i] = *node;
        out[i].id.value = id;
        out[i].producers = i == 0 ? renumbered(c, &node->producers, from, ranges, true)
                                  : one_id(c, id - 1, node->pos);
        out[i].consumers = is_last ? renumbered(c, &node->consumers, from, ranges, false)
                                   : one_id(c, id + 1, node->pos);
        out[i].ops = (ark_ops){&ops.items[i], 1};
    }
}

// Ids of new nodes are numbers from 0, as ARK gives them. A file whose nodes have one operator
// each keeps its ids.
static void convert_nodes(conversion *c, const ark_module *from, ark_module *to)
{
    size_t count = 0;
    node_range *const ranges = array_of(c, from->nodes.count, sizeof(*ranges));
    for (size_t i = 0; ranges && i < from->nodes.count; i++) {
        const size_t ops = from->nodes.items[i].ops.count;
        ranges[i] = (node_range){(int64_t)count, (int64_t)(count + ops) - 1};
        count += ops;
    }
    // Nothing is split for D1 and D2, whose nodes have lists, nor where each node has one
    // operator.
    const bool splits = c->to >= ARK_D3 && count != from->nodes.count;
    ark_node *const nodes = array_of(c, splits ? count : from->nodes.count, sizeof(*nodes));
    for (size_t i = 0, at = 0; nodes && c->status == HOIST_OK && i < from->nodes.count; i++) {
        if (splits) {
            split_node(c, from, ranges, i, &nodes[at]);
            at += from->nodes.items[i].ops.count;
        } else {
            nodes[i] = from->nodes.items[i];
            nodes[i].ops = converted_ops(c, &nodes[i].ops);
        }
    }
    to->nodes.items = nodes;
    to->nodes.count = !nodes ? 0 : splits ? count : from->nodes.count;
    for (size_t i = 0; i < to->nodes.count; i++) {
        nodes[i].order = NULL;
        nodes[i].present = UINT64_MAX; // both rows of the operators
    }
}

// Tasks may have any number of operators in all dialects.
static void convert_tasks(conversion *c, const ark_module *from, ark_module *to)
{
    ark_task *const tasks = array_of(c, from->tasks.count, sizeof(*tasks));
    for (size_t i = 0; tasks && i < from->tasks.count; i++) {
        tasks[i] = from->tasks.items[i];
        tasks[i].order = NULL;
        tasks[i].ops = converted_ops(c, &tasks[i].ops);
    }
    to->tasks.items = tasks;
    to->tasks.count = tasks ? from->tasks.count : 0;
}

// D0, D2A and D4 are read only.
const char *const ark_written_dialects[] = {"d1", "d2", "d3", NULL};

// Out: a module whose rows are in `arena` or in `from`.
hoist_status ark_in_dialect(const ark_module *from, ark_dialect to, hoist_arena *arena,
                            ark_module *out_module)
{
    conversion c = {.arena = arena, .to = to};
    *out_module = *from;
    if (to == from->dialect) {
        return HOIST_OK;
    }
    out_module->dialect = to;
    out_module->order = NULL;
    convert_nodes(&c, from, out_module);
    convert_tasks(&c, from, out_module);
    return c.status;
}

// In: one of the names above. Out: the text, as the writer of that dialect has it.
hoist_status ark_convert(const hoist_module *base, const char *dialect, hoist_buffer *out)
{
    static const ark_dialect written[] = {ARK_D1, ARK_D2, ARK_D3};
    ark_dialect to = ARK_D3;
    for (size_t i = 0; ark_written_dialects[i]; i++) {
        to = strcmp(dialect, ark_written_dialects[i]) == 0 ? written[i] : to;
    }
    hoist_arena arena;
    ark_module module;
    hoist_arena_init(&arena, base->alloc);
    hoist_status status = ark_in_dialect(ark_module_of(base), to, &arena, &module);
    if (status == HOIST_OK) {
        status = ark_write(&module.base, out);
    }
    hoist_arena_deinit(&arena);
    return status;
}
