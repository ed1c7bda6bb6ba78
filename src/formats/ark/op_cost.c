// Costs of operators (formats/ark/op_cost.h), from a row for each type that computes. Formulas: ark
// reference sections 5.1 to 5.7 and 8.1.
#include "formats/ark/op_cost.h"

#include "base/checked.h"
#include "formats/ark/ops_table.h"

// What a number of operations is for each of.
typedef enum cost_basis {
    COST_NOTHING = 0, // bytes are moved, and possibly converted
    COST_OUTPUT,      // element of write 0
    COST_INPUT,       // element of read 0
    COST_PRODUCTS,    // product of Matmul
    COST_PEERS,       // element of write 0 and peer
} cost_basis;

typedef struct cost_row {
    cost_basis basis;
    uint8_t flops;
} cost_row;

// A function such as exp counts as one operation, whatever a machine makes of it.
static const cost_row rows[ARK_OP_TYPE_COUNT] = {
    [ARK_ADD] = {COST_OUTPUT, 1},
    [ARK_SUB] = {COST_OUTPUT, 1},
    [ARK_MUL] = {COST_OUTPUT, 1},
    [ARK_DIV] = {COST_OUTPUT, 1},
    [ARK_SCALAR_ADD] = {COST_OUTPUT, 1},
    [ARK_SCALAR_MUL] = {COST_OUTPUT, 1},
    [ARK_EXP] = {COST_OUTPUT, 1},
    [ARK_SQRT] = {COST_OUTPUT, 1},
    [ARK_RELU] = {COST_OUTPUT, 1},    // a maximum
    [ARK_RSQRT] = {COST_OUTPUT, 2},   // root and reciprocal
    [ARK_SIGMOID] = {COST_OUTPUT, 4}, // negation, exp, sum, reciprocal
    // 0.5 x (1 + tanh(a (x + b x x x))): two sums, six products, tanh.
    [ARK_GELU] = {COST_OUTPUT, 9},
    [ARK_ROPE] = {COST_OUTPUT, 3},       // two products and a sum
    [ARK_REDUCE_SUM] = {COST_INPUT, 1},  // n sums, with the start
    [ARK_REDUCE_MEAN] = {COST_INPUT, 1}, // the same; the division counts as the start
    [ARK_REDUCE_MAX] = {COST_INPUT, 1},  // n maxima, with the start
    [ARK_MATMUL] = {COST_PRODUCTS, 2},   // a product and a sum
    [ARK_RECV_REDUCE_SEND] = {COST_PEERS, 1},
    [ARK_RECV_REDUCE_SEND_PACKET] = {COST_PEERS, 1},
};

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    return hoist_ckd_mul(&result, a, b) ? UINT64_MAX : result;
}

static void add(uint64_t *sum, uint64_t item)
{
    *sum = hoist_ckd_add(sum, *sum, item) ? UINT64_MAX : *sum;
}

static uint64_t bytes_of(const ark_value *value)
{
    return product(value->count, (uint64_t)value->stride[value->rank - 1]);
}

// Products that are summed up for each element of the output of a Matmul.
static uint64_t inner_extent(const ark_graph *graph, const ark_step *step)
{
    const ark_value *const a = &graph->values[step->reads.items[0]];
    const ark_arg *const arg = ark_find_arg(step->op, "TransposeInput", ARK_ARG_BOOL);
    if (!arg || !arg->boolean.value) {
        return (uint64_t)a->shape[a->rank - 1];
    }
    return a->rank > 1 ? (uint64_t)a->shape[a->rank - 2] : 1;
}

static uint64_t flops_of(const ark_graph *graph, const ark_step *step)
{
    const cost_row *const row = &rows[step->type];
    if (row->basis == COST_NOTHING) {
        return 0;
    }
    const uint64_t output = graph->values[step->writes.items[0]].count;
    switch (row->basis) {
    case COST_NOTHING:
    case COST_OUTPUT:
        break;
    case COST_INPUT:
        return product(row->flops, graph->values[step->reads.items[0]].count);
    case COST_PRODUCTS:
        return product(product(row->flops, output), inner_extent(graph, step));
    case COST_PEERS:
        return product(product(row->flops, output), step->writes.count - 1);
    }
    return product(row->flops, output);
}

ark_cost ark_step_cost(const ark_graph *graph, const ark_effects *effects, uint32_t index)
{
    const ark_step *const step = &graph->steps[index];
    ark_cost cost = {.flops = step->valid ? flops_of(graph, step) : 0};
    for (uint32_t i = effects->first[index]; i < effects->first[index + 1]; i++) {
        const ark_effect *const effect = &effects->items[i];
        const bool is_table = step->type == ARK_EMBEDDING && effect->operand == 1;
        if (effect->kind == ARK_EFFECT_WRITE) {
            add(&cost.written_bytes, bytes_of(&graph->values[effect->value]));
        } else if (effect->kind != ARK_EFFECT_PASS) {
            const uint32_t value = is_table ? step->writes.items[0] : effect->value;
            add(&cost.read_bytes, bytes_of(&graph->values[value]));
        }
    }
    for (uint32_t i = 0; step->valid && i < step->writes.count; i++) {
        const ark_value *const value = &graph->values[step->writes.items[i]];
        if (!graph->memories[value->memory].local) {
            add(&cost.sent_bytes, bytes_of(value));
        }
    }
    return cost;
}

void ark_cost_add(ark_cost *sum, const ark_cost *cost)
{
    add(&sum->flops, cost->flops);
    add(&sum->read_bytes, cost->read_bytes);
    add(&sum->written_bytes, cost->written_bytes);
    add(&sum->sent_bytes, cost->sent_bytes);
}
