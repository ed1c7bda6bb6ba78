// Operators and their tensors: as many as the type takes (ARK-M50), results that are the written
// memory (ARK-M59), views that stay in their buffer (ARK-M60), operands on this rank (ARK-M62).
// What follows from the type's own rules is in check_shapes.c, check_matmul.c and check_numbers.c.
#include "formats/ark/check_ops.h"

#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "formats/ark/check.h"

// Numbers of tensors -----------------------------------------------------------------------------

// A list that is missing altogether is M03, and no wrong number.
static void check_count(const ark_step *step, ark_role role, ark_arity arity, hoist_diag *diag)
{
    const size_t count = ark_role_rows(step->op, role)->count;
    if (!ark_arity_has(arity, count) && ark_op_has(step->op, ark_role_key(role))) {
        ark_report(diag, ARK_M50, step->op->pos, "%.*s has %zu %s, expected %s%u",
                   HOIST_STR_ARGS(step->op->type.text), count, ark_role_key(role),
                   arity.most == ARK_MANY ? "at least " : "", (unsigned)arity.least);
    }
}

// Results ----------------------------------------------------------------------------------------

// The key in which two tensors differ; NULL: in none. In the order in which files have them: the
// first is named.
static const char *difference(const ark_value *a, const ark_value *b)
{
    const size_t size = (size_t)a->rank * sizeof(*a->shape);
    if (a->memory != b->memory) {
        return "Buffer";
    }
    if (a->row->dtype.value != b->row->dtype.value) {
        return "DataType";
    }
    if (a->rank != b->rank || memcmp(a->shape, b->shape, size) != 0) {
        return "Shape";
    }
    if (memcmp(a->dims, b->dims, size) != 0) {
        return "Strides";
    }
    if (memcmp(a->offsets, b->offsets, size) != 0) {
        return "Offsets";
    }
    return memcmp(a->padded, b->padded, size) != 0 ? "PaddedShape" : NULL;
}

// SendDone writes nothing; its result is what it read. The result has a new Id, and is the same
// memory in all else.
static void check_result(const ark_op_check *c)
{
    const ark_role role = c->step->writes.count > 0 ? ARK_WRITES : ARK_READS;
    if (c->step->results.count == 0 || ark_role_operands(c->step, role).count == 0) {
        return;
    }
    const ark_value *const result = ark_checked_value(c, ARK_RESULTS, 0);
    const ark_value *const source = ark_checked_value(c, role, 0);
    const char *const key = difference(result, source);
    if (key) {
        ark_report_tensor(c, ARK_M59, ARK_RESULTS, 0,
                          "%s of result %" PRId64 " is not the one of tensor %" PRId64 " in %s",
                          key, result->id, source->id, ark_role_key(role));
    }
}

// A Tensor without inputs declares memory and views nothing. Elements may be cut out of the buffer
// in any way, so no geometry is compared.
static void check_view(const ark_op_check *c)
{
    if (c->step->reads.count == 0) {
        return;
    }
    const ark_value *const result = ark_checked_value(c, ARK_RESULTS, 0);
    const ark_value *const viewed = ark_checked_value(c, ARK_READS, 0);
    const int from = viewed->row->dtype.value;
    const int to = result->row->dtype.value;
    if (result->memory != viewed->memory) {
        ark_report_tensor(c, ARK_M60, ARK_RESULTS, 0,
                          "a view in buffer %" PRId64 " of tensor %" PRId64 " in buffer %" PRId64,
                          c->graph->memories[result->memory].id, viewed->id,
                          c->graph->memories[viewed->memory].id);
    }
    if (from != to && from != ARK_BYTE && to != ARK_BYTE) {
        ark_report_tensor(c, ARK_M60, ARK_RESULTS, 0,
                          "a view of %s as %s, expected BYTE on one side", ark_dtype_shown(from),
                          ark_dtype_shown(to));
    }
}

// Operands ---------------------------------------------------------------------------------------

// Communication is left out by the caller: its operands are on other ranks by design.
static void check_local(const ark_op_check *c, ark_role role)
{
    for (uint32_t i = 0; i < ark_role_operands(c->step, role).count; i++) {
        const ark_value *const value = ark_checked_value(c, role, i);
        const ark_memory *const memory = &c->graph->memories[value->memory];
        if (!memory->local) {
            ark_report_tensor(
                c, ARK_M62, role, i, "tensor %" PRId64 " of %.*s is in the memory of rank %" PRId64,
                value->id, HOIST_STR_ARGS(c->step->op->type.text), memory->row->rank.value);
        }
    }
}

// By class: views, communication, computation. Shapes are rules of computing operators alone.
static void check_valid(const ark_op_check *c)
{
    if (c->def->class == ARK_CLASS_VIRTUAL) {
        check_view(c);
        return;
    }
    check_result(c);
    if (c->def->class == ARK_CLASS_COMPUTE) {
        check_local(c, ARK_READS);
        check_local(c, ARK_WRITES);
        ark_check_shapes(c);
    }
    ark_check_numbers(c);
}

// Numbers of tensors are checked of all operators; the rest only of valid ones.
hoist_status ark_check_ops(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    (void)scratch;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        const ark_step *const step = &graph->steps[i];
        const ark_op_def *const def = ark_op_def_of(step->type);
        if (!def) {
            continue; // the reader reported the type
        }
        ark_place place;
        ark_enter_step(diag, graph, step, &place);
        check_count(step, ARK_READS, def->reads, diag);
        check_count(step, ARK_WRITES, def->writes, diag);
        check_count(step, ARK_RESULTS, def->results, diag);
        if (step->valid) {
            const ark_op_check c = {graph, step, def, diag};
            check_valid(&c);
        }
        ark_leave(diag, &place);
    }
    return HOIST_OK;
}
