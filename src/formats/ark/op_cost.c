// Costs of operators (formats/ark/op_cost.h): operations from the compute row of each type, bytes
// from its effects. Formulas: ark reference sections 5.1 to 5.7 and 8.1.
#include "formats/ark/op_cost.h"

#include "base/checked.h"
#include "ops/compute_ark.h"

// The compute row whose operations a type takes (ops/compute.h); of a type without one nothing is
// computed: bytes are moved, and possibly converted.
typedef struct cost_row {
    bool computes;
    bool each_peer; // for each of its peers
    hoist_compute_op op;
} cost_row;

static const cost_row rows[ARK_OP_TYPE_COUNT] = {
    [ARK_ADD] = {true, false, HOIST_ARK_ADD},
    [ARK_SUB] = {true, false, HOIST_ARK_SUBTRACT},
    [ARK_MUL] = {true, false, HOIST_ARK_MULTIPLY},
    [ARK_DIV] = {true, false, HOIST_ARK_DIVIDE},
    [ARK_SCALAR_ADD] = {true, false, HOIST_ARK_ADD},
    [ARK_SCALAR_MUL] = {true, false, HOIST_ARK_MULTIPLY},
    [ARK_EXP] = {true, false, HOIST_ARK_EXP},
    [ARK_SQRT] = {true, false, HOIST_ARK_SQRT},
    [ARK_RELU] = {true, false, HOIST_ARK_RELU},
    [ARK_RSQRT] = {true, false, HOIST_ARK_RSQRT},
    [ARK_SIGMOID] = {true, false, HOIST_ARK_SIGMOID},
    [ARK_GELU] = {true, false, HOIST_ARK_GELU},
    [ARK_ROPE] = {true, false, HOIST_ARK_ROPE},
    [ARK_REDUCE_SUM] = {true, false, HOIST_ARK_REDUCE_SUM},
    [ARK_REDUCE_MEAN] = {true, false, HOIST_ARK_REDUCE_MEAN},
    [ARK_REDUCE_MAX] = {true, false, HOIST_ARK_REDUCE_MAX},
    [ARK_MATMUL] = {true, false, HOIST_ARK_MATMUL},
    [ARK_RECV_REDUCE_SEND] = {true, true, HOIST_ARK_ADD},
    [ARK_RECV_REDUCE_SEND_PACKET] = {true, true, HOIST_ARK_ADD},
};

// UINT64_MAX when it does not fit.
static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    return hoist_ckd_mul(&result, a, b) ? UINT64_MAX : result;
}

// Likewise: a sum that is UINT64_MAX stays it.
static void add(uint64_t *sum, uint64_t item)
{
    *sum = hoist_ckd_add(sum, *sum, item) ? UINT64_MAX : *sum;
}

// Of the logical elements.
static uint64_t bytes_of(const ark_value *value)
{
    return product(value->count, (uint64_t)value->stride[value->rank - 1]);
}

// Operands are shapes and element types only: no data is needed for a cost.
static hoist_compute_operand operand_of(const ark_graph *graph, uint32_t value)
{
    const ark_value *const v = &graph->values[value];
    hoist_compute_operand operand = {.dtype = v->dtype, .shape = {.rank = v->rank}};
    for (int i = 0; i < v->rank; i++) {
        operand.shape.dim[i] = v->shape[i];
    }
    return operand;
}

// The compute row counts by the operands in its order: inputs, then the output.
static uint64_t flops_of(const ark_graph *graph, const ark_step *step)
{
    const cost_row *const row = &rows[step->type];
    const uint32_t inputs = row->computes ? hoist_compute_get(row->op)->inputs : 0;
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS] = {0};
    hoist_compute_attrs attrs = {0};
    if (!row->computes) {
        return 0;
    }
    for (uint32_t i = 0; i < inputs && i < step->reads.count; i++) {
        operands[i] = operand_of(graph, step->reads.items[i]);
    }
    operands[inputs] = operand_of(graph, step->writes.items[0]);
    const ark_arg *const arg = ark_find_arg(step->op, "TransposeInput", ARK_ARG_BOOL);
    if (row->op == HOIST_ARK_MATMUL) {
        attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_A].integer = arg && arg->boolean.value;
    }
    return product(hoist_compute_flops(row->op, &attrs, operands),
                   row->each_peer ? step->writes.count - 1 : 1);
}

// Bytes are those of effects, so a view that is read twice counts twice.
ark_cost ark_step_cost(const ark_graph *graph, const ark_effects *effects, uint32_t index)
{
    const ark_step *const step = &graph->steps[index];
    ark_cost cost = {.flops = step->valid ? flops_of(graph, step) : 0};
    for (uint32_t i = effects->first[index]; i < effects->first[index + 1]; i++) {
        const ark_effect *const effect = &effects->items[i];
        // Only the rows that are looked up are read.
        const bool is_table = step->type == ARK_EMBEDDING && effect->operand == 1;
        if (effect->kind == ARK_EFFECT_WRITE) {
            add(&cost.written_bytes, bytes_of(&graph->values[effect->value]));
        } else if (effect->kind != ARK_EFFECT_PASS) {
            const uint32_t value = is_table ? step->writes.items[0] : effect->value;
            add(&cost.read_bytes, bytes_of(&graph->values[value]));
        }
    }
    // What is sent goes into tensors of other ranks, which have no effects here.
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
