// The rules of memory: input and output of one operator (M38), and the note of what a file needs
// and leaves (M39). check_conflicts.c has those of two operators (M37).
#include "formats/ark/check_memory.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/flow.h"
#include "formats/ark/ops_table.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// One operator -----------------------------------------------------------------------------------

// Whether two tensors are the same elements, one by one, when they are aligned at the last
// dimension: [512] and [1,512] may be. Element types may differ, sizes not. Elements that are the
// same one by one are replaced in place; everything else that overlaps is a race on a GPU, though
// well-defined by the order of this program: inputs are read first (section 6.5).
static bool are_same_elements(const ark_value *a, const ark_value *b)
{
    const int rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 1; i <= rank; i++) {
        const int64_t shape_a = i <= a->rank ? a->shape[a->rank - i] : 1;
        const int64_t shape_b = i <= b->rank ? b->shape[b->rank - i] : 1;
        if (shape_a != shape_b ||
            (shape_a > 1 && a->stride[a->rank - i] != b->stride[b->rank - i])) {
            return false;
        }
    }
    return a->offset == b->offset && a->stride[a->rank - 1] == b->stride[b->rank - 1];
}

// Whether Permutation is 0, 1, 2 ...; false without the argument.
static bool is_identity(const ark_op *op)
{
    const ark_arg *const arg = ark_find_arg(op, "Permutation", ARK_ARG_DIMS);
    for (size_t i = 0; arg && i < arg->dims.count; i++) {
        if (arg->dims.items[i].value != (int64_t)i) {
            return false;
        }
    }
    return arg != NULL;
}

// Whether each element of the output follows from the same element of the inputs, which it may then
// replace. Messages count as such.
static bool may_replace(const ark_step *step, ark_effect_kind kind)
{
    const ark_op_def *const def = ark_op_def_of((int)step->type);
    return kind == ARK_EFFECT_READ &&
           (def->class == ARK_CLASS_MESSAGE || def->shape == ARK_SHAPE_PAIR ||
            def->shape == ARK_SHAPE_INTO || def->shape == ARK_SHAPE_ROPE ||
            (step->type == ARK_TRANSPOSE && is_identity(step->op)));
}

// Lists of pieces are ascending. So one walk along both finds it, in a time that is their sum.
static bool have_common_piece(const ark_operands *a, const ark_operands *b)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (k < b->count && b->items[k] < a->items[i]) {
            k++;
        }
        if (k < b->count && b->items[k] == a->items[i]) {
            return true;
        }
    }
    return false;
}

// A pair is fine when it shares no piece, or when it is the same elements of an operator that may
// replace them.
static void check_pair(const ark_memory_check *c, const ark_step *step, const ark_effect *read,
                       const ark_effect *write)
{
    const ark_value *const input = &c->graph->values[read->value];
    const ark_value *const output = &c->graph->values[write->value];
    const bool is_same = are_same_elements(input, output);
    if (input->memory != output->memory ||
        !have_common_piece(&c->pieces->of[read->value], &c->pieces->of[write->value]) ||
        (is_same && may_replace(step, read->kind))) {
        return;
    }
    ark_place place;
    hoist_frame frame;
    ark_enter_step(c->diag, c->graph, step, &place);
    ark_enter_tensor(c->diag, ARK_READS, read->operand, &frame);
    ark_report(c->diag, ARK_M38, ark_operand_pos(step, ARK_READS, read->operand),
               "tensor %" PRId64 " has bytes of buffer %" PRId64
               " that %.*s also writes, as tensor "
               "%" PRId64 ": expected %s",
               input->id, c->graph->memories[input->memory].id, HOIST_STR_ARGS(step->op->type.text),
               output->id,
               may_replace(step, read->kind) ? "the same elements, or none of them"
                                             : "an input apart from the output");
    hoist_diag_pop(c->diag, &frame);
    ark_leave(c->diag, &place);
}

// Effects of a step are those of tensors that it reads, then of those that it writes (effects.h).
static hoist_status check_operators(const ark_memory_check *c)
{
    for (uint32_t i = 0; i < c->graph->step_count; i++) {
        const ark_effect *const end = &c->effects->items[c->effects->first[i + 1]];
        HOIST_TRY(hoist_deadline_look(c->graph->module->base.deadline));
        for (const ark_effect *r = &c->effects->items[c->effects->first[i]];
             r < end && r->kind != ARK_EFFECT_WRITE; r++) {
            for (const ark_effect *w = r + 1; w < end && r->kind != ARK_EFFECT_PASS; w++) {
                if (w->kind == ARK_EFFECT_WRITE) {
                    check_pair(c, &c->graph->steps[i], r, w);
                }
            }
        }
    }
    return HOIST_OK;
}

// The note ---------------------------------------------------------------------------------------

enum { MOST_NAMES = 8 };

// "; outputs: " before the first name, "none" or "and 3 more" after the last.
static void begin_names(hoist_buffer *out, const char *title)
{
    hoist_buffer_format(out, "%s%s: ", out->size ? "; " : "", title);
}

static void end_names(hoist_buffer *out, uint32_t count)
{
    if (count == 0) {
        hoist_buffer_c(out, "none");
    } else if (count > MOST_NAMES) {
        hoist_buffer_format(out, " and %" PRIu32 " more", count - MOST_NAMES);
    }
}

static void add_name(hoist_buffer *out, const ark_graph *graph, uint32_t index, uint32_t value)
{
    const ark_value *const v = &graph->values[value];
    const ark_dims_text shape = ark_dims_shown(v->shape, v->rank);
    hoist_buffer_format(out, "%s%" PRId64 " (buffer %" PRId64 ", %s %s)", index ? ", " : "", v->id,
                        graph->memories[v->memory].id, ark_dtype_shown(v->row->dtype.value),
                        shape.text);
}

// Buffers with needs and with results (flow.h).
static void add_state(hoist_buffer *out, const ark_graph *graph, const ark_flow *flow)
{
    uint32_t count = 0;
    begin_names(out, "state");
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        if (flow->is_state[i]) {
            if (count < MOST_NAMES) {
                hoist_buffer_format(out, "%sbuffer %" PRId64, count ? ", " : "",
                                    graph->memories[i].id);
            }
            count++;
        }
    }
    end_names(out, count);
}

// One finding per file, as: "inputs: 0 (buffer 0, FP32 [4,8]); outputs: 3 (buffer 2, FP32 [4]);
// state: none". Names beyond the limit are counted.
static hoist_status note_flow(const ark_memory_check *c)
{
    ark_flow flow;
    hoist_buffer out;
    HOIST_TRY(ark_flow_of_pieces(c->graph, c->effects, c->pieces, c->scratch, &flow));
    hoist_buffer_init(&out, c->graph->module->base.alloc);
    begin_names(&out, "inputs");
    for (uint32_t i = 0; i < flow.need_count && i < MOST_NAMES; i++) {
        add_name(&out, c->graph, i, flow.needs[i].value);
    }
    end_names(&out, flow.need_count);
    begin_names(&out, "outputs");
    for (uint32_t i = 0; i < flow.result_count && i < MOST_NAMES; i++) {
        add_name(&out, c->graph, i, flow.results[i].value);
    }
    end_names(&out, flow.result_count);
    add_state(&out, c->graph, &flow);
    ark_report(c->diag, ARK_M39, c->graph->module->pos, "%.*s", (int)out.size,
               (const char *)out.data);
    const hoist_status status = out.failed ? HOIST_NO_MEMORY : HOIST_OK;
    hoist_buffer_deinit(&out);
    return status;
}

// ------------------------------------------------------------------------------------------------

// Conflicts of a plan are a matter of its groups: P13 (check_races.c).
hoist_status ark_check_memory(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    ark_effects effects;
    ark_pieces pieces;
    HOIST_TRY(ark_effects_find(graph, scratch, &effects));
    HOIST_TRY(ark_pieces_find(graph, &effects, scratch, &pieces));
    const ark_memory_check c = {graph, &effects, &pieces, scratch, diag};
    if (!graph->module->is_plan) {
        HOIST_TRY(ark_check_conflicts(&c));
    }
    HOIST_TRY(check_operators(&c));
    return note_flow(&c);
}
