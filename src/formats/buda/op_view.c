// Views of ops for the rules of check_op.c and its parts: attributes and formats with their
// defaults, and findings with the op's name. fused_view.c has the same for sub-ops.
#include "formats/buda/op_view.h"

#include <stdio.h>

#include "base/span.h"
#include "formats/buda/frames.h"

// Bytes of a finding without the op's name. The diag cuts longer messages anyway.
enum { MAX_TEXT = 2048 };

// Backwards: of duplicate keys the last one holds (section 1.1).
const buda_attribute *buda_attr_find(const buda_attributes *attributes, hoist_attr which)
{
    for (size_t i = attributes->count; i > 0; i--) {
        if (attributes->items[i - 1].attr == which) {
            return &attributes->items[i - 1];
        }
    }
    return NULL;
}

int64_t buda_attr_int(const buda_attributes *attributes, hoist_attr which, int64_t absent)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute ? attribute->integer : absent;
}

double buda_attr_float(const buda_attributes *attributes, hoist_attr which)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute ? attribute->number : 0.0;
}

bool buda_attr_bool(const buda_attributes *attributes, hoist_attr which)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute && attribute->boolean;
}

bool buda_attr_is(const buda_attributes *attributes, hoist_attr which, const char *word)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute && hoist_str_equal_c(attribute->text, word);
}

hoist_pos buda_attr_pos(const buda_attributes *attributes, hoist_attr which, hoist_pos otherwise)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute ? attribute->pos : otherwise;
}

// The list ascends by input number, so that the search can stop early.
const buda_input_keys *buda_input_keys_find(const buda_input_keys *keys, size_t input)
{
    while (keys && (size_t)keys->input < input) {
        keys = keys->next;
    }
    return keys && (size_t)keys->input == input ? keys : NULL;
}

hoist_pos buda_input_pos(const buda_op *op, size_t i)
{
    return buda_op_pos(op, i < op->inputs.count ? op->inputs.items[i].pos : op->inputs.pos);
}

buda_df buda_input_df(const buda_op *op, size_t i)
{
    return i < op->in_df.count ? (buda_df)op->in_df.items[i].value : BUDA_DF_NONE;
}

hoist_pos buda_input_df_pos(const buda_op *op, size_t i)
{
    return buda_op_pos(op, i < op->in_df.count ? op->in_df.items[i].pos : op->in_df.pos);
}

// The count and not a flag: two transposes cancel each other (buda_input_tile).
size_t buda_tms_transposes(const buda_tms *tms, hoist_pos *out_pos)
{
    size_t count = 0;
    for (size_t i = 0; i < tms->count; i++) {
        if (tms->items[i].kind != BUDA_TM_TRANSPOSE) {
            continue;
        }
        if (count == 0 && out_pos) {
            *out_pos = tms->items[i].pos;
        }
        count++;
    }
    return count;
}

bool buda_tms_has(const buda_tms *tms, buda_tm_kind kind)
{
    for (size_t i = 0; i < tms->count; i++) {
        if (tms->items[i].kind == kind) {
            return true;
        }
    }
    return false;
}

// A tile_dim that the queue or op does not write is 32x32.
bool buda_source_tile(const buda_op_view *view, size_t i, buda_pair *out_tile)
{
    const buda_net *net = view->check->net;
    const buda_source none = {BUDA_SOURCE_NONE, 0};
    const buda_source source = i < view->op->inputs.count ? view->node->inputs[i] : none;
    *out_tile = (buda_pair){0};
    if (source.kind == BUDA_SOURCE_NONE) {
        return false;
    }
    *out_tile =
        buda_tile_dim(source.kind == BUDA_SOURCE_QUEUE ? net->queues[source.index].queue->tile_dim
                                                       : net->ops[source.index].op->tile_dim);
    return true;
}

bool buda_input_tile(const buda_op_view *view, size_t i, buda_pair *out_tile)
{
    const buda_input_keys *keys = buda_input_keys_find(view->op->input_keys, i);
    if (!buda_source_tile(view, i, out_tile)) {
        return false;
    }
    // Only the tile's own rows and columns are exchanged here; shape.c exchanges those of the
    // tensor.
    if (keys && buda_tms_transposes(&keys->tms, NULL) % 2 == 1) {
        const int64_t h = out_tile->r;
        out_tile->r = out_tile->c;
        out_tile->c = h;
    }
    return true;
}

hoist_pos buda_op_pos(const buda_op *op, hoist_pos at)
{
    return buda_has(at) ? at : op->name.pos;
}

// Model values come from reading; BUDA_DF_NONE and anything out of range have no row.
static const buda_format_row *format_row(buda_df df)
{
    return df >= 0 && df < BUDA_DF_COUNT ? &buda_formats[df] : NULL;
}

const char *buda_df_name(buda_df df)
{
    const buda_format_row *row = format_row(df);
    return row ? row->name : "an unknown format";
}

bool buda_df_is_integer(buda_df df)
{
    const buda_format_row *row = format_row(df);
    return row && row->integer;
}

char buda_df_family(buda_df df)
{
    const buda_format_row *row = format_row(df);
    return row ? row->family : 0;
}

int buda_df_bfp_bits(buda_df df)
{
    const buda_format_row *row = format_row(df);
    return row && row->bfp ? hoist_dtype_get(row->dtype)->bits : 0;
}

bool buda_df_in(buda_df df, const buda_df *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (set[i] == df) {
            return true;
        }
    }
    return false;
}

// All of in_df and not just the inputs that exist: rule 14 reports a list that is too long.
static bool has_integer_input(const buda_op *op)
{
    for (size_t i = 0; i < op->in_df.count; i++) {
        if (buda_df_is_integer(buda_input_df(op, i))) {
            return true;
        }
    }
    return false;
}

// Missing attributes give the reference's defaults here, in one place, so that no rule repeats
// them.
buda_op_view buda_op_view_of(const buda_check *check, const buda_net_graph *graph,
                             const buda_net_op *node)
{
    const buda_op *op = node->op;
    const buda_attributes *attributes = &op->attributes;
    return (buda_op_view){
        .check = check,
        .node = node,
        .graph = graph,
        .op = op,
        .family = hoist_op_get(op->op)->family,
        .input_count = op->inputs.count < BUDA_MAX_INPUTS ? op->inputs.count : BUDA_MAX_INPUTS,
        .out_df = (buda_df)op->out_df.value,
        .intermed_df = (buda_df)op->intermed_df.value,
        .acc_df = (buda_df)op->acc_df.value,
        .m_k = buda_attr_int(attributes, HOIST_ATTR_M_K, 0),
        .u_kt = buda_attr_int(attributes, HOIST_ATTR_U_KT, 0),
        .bias = buda_attr_bool(attributes, HOIST_ATTR_BIAS),
        .identity = buda_attr_bool(attributes, HOIST_ATTR_IDENTITY),
        .accumulate = buda_attr_bool(attributes, HOIST_ATTR_ACCUMULATE),
        .requant = buda_attr_bool(attributes, HOIST_ATTR_REQUANT),
        .dequant = buda_attr_bool(attributes, HOIST_ATTR_DEQUANT),
        .l1_acc = buda_attr_bool(attributes, HOIST_ATTR_L1_ACC),
        .integer_input = has_integer_input(op),
        .gradient = op->gradient_op.value,
    };
}

// Copies follow each other in the net, so that the graph before decides.
bool buda_net_graph_is_first(const buda_net *net, size_t graph)
{
    return graph == 0 || net->graphs[graph - 1].graph != net->graphs[graph].graph;
}

void buda_op_checks_run(const buda_op_check *checks, size_t count, const buda_op_view *view)
{
    for (size_t i = 0; i < count; i++) {
        if (checks[i].families == 0 || (checks[i].families & HOIST_FAMILY_BIT(view->family))) {
            checks[i].run(view);
        }
    }
}

void buda_op_checks_run_all(const buda_op_check *checks, size_t count, const buda_check *check)
{
    const buda_net *net = check->net;
    // Op by op rather than rule by rule: findings come grouped by op, and the frames are pushed
    // once for each.
    for (size_t g = 0; g < net->graph_count; g++) {
        const buda_net_graph *graph = &net->graphs[g];
        for (size_t i = 0; i < graph->op_count && buda_net_graph_is_first(net, g); i++) {
            if (hoist_deadline_look(check->module->base.deadline) != HOIST_OK) {
                return;
            }
            const buda_net_op *node = &net->ops[graph->first_op + i];
            const buda_op_view view = buda_op_view_of(check, graph, node);
            buda_frames frames;
            buda_enter_op(check->diag, &frames, graph->graph, node->op);
            buda_op_checks_run(checks, count, &view);
            buda_leave(check->diag, &frames);
        }
    }
}

bool buda_op_is_quantization(hoist_op op)
{
    return op == HOIST_OP_QUANTIZATION || op == HOIST_OP_REQUANTIZATION ||
           op == HOIST_OP_DEQUANTIZATION;
}

void buda_report_named(const buda_check *check, buda_rule rule, hoist_pos at, buda_named subject,
                       const char *format, va_list args)
// Formats the sentence first: buda_report() takes one format, and the subject precedes the
// caller's arguments.
{
    char text[MAX_TEXT];
    (void)vsnprintf(text, sizeof(text), format, args);
    buda_report(check->diag, rule, buda_has(at) ? at : subject.name->pos, "%s '%.*s' %s",
                subject.kind, HOIST_STR_ARGS(subject.name->text), text);
}

void buda_report_op(const buda_op_view *view, buda_rule rule, hoist_pos at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buda_report_named(view->check, rule, at, (buda_named){"op", &view->op->name}, format, args);
    va_end(args);
}
