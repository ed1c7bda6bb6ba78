// Views of sub-ops for the rules of check_fused.c and its parts: what an operand's name denotes,
// its state and format, and findings with the sub-op's name. op_view.c has the same for ops.
#include "formats/buda/fused_view.h"

#include "base/span.h"

// "input0", "intermed3": a decimal number and nothing behind it; "input" or "input-1" is unknown.
buda_operand buda_operand_of(hoist_str name)
{
    static const struct {
        const char *prefix;
        size_t size;
        buda_operand_kind kind;
    } numbered[] = {
        {"input", 5, BUDA_OPERAND_INPUT},
        {"intermed", 8, BUDA_OPERAND_INTERMED},
        {"interm", 6, BUDA_OPERAND_INTERMED}, // the word of the specification (rule 104)
    };
    if (hoist_str_equal_c(name, "dest")) {
        return (buda_operand){BUDA_OPERAND_DEST, 0};
    }
    if (hoist_str_equal_c(name, "output")) {
        return (buda_operand){BUDA_OPERAND_OUTPUT, 0};
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(numbered); i++) {
        int64_t number = 0;
        if (hoist_str_starts_with(name, numbered[i].prefix) &&
            hoist_str_to_i64(hoist_str_slice(name, numbered[i].size, name.size), false, &number) &&
            number >= 0) {
            return (buda_operand){numbered[i].kind, number};
        }
    }
    return (buda_operand){BUDA_OPERAND_UNKNOWN, 0};
}

// An intermed number beyond the limit has no state: rule 64 reports it, and indexing must not
// follow the file.
buda_operand_state *buda_operand_state_of(buda_fused_view *view, buda_operand operand)
{
    if (operand.kind == BUDA_OPERAND_DEST) {
        return &view->dest;
    }
    if (operand.kind == BUDA_OPERAND_INTERMED && operand.number < BUDA_MAX_INTERMEDIATES) {
        return &view->intermed[operand.number];
    }
    return NULL;
}

// Each kind of operand has one format in the op that uses the definition; BUDA_DF_NONE when the op
// has not that many inputs.
buda_df buda_operand_df(const buda_op_view *user, buda_operand operand)
{
    switch (operand.kind) {
    case BUDA_OPERAND_INPUT:
        return buda_input_df(user->op, (size_t)operand.number);
    case BUDA_OPERAND_INTERMED:
        return user->intermed_df;
    case BUDA_OPERAND_DEST:
        return user->acc_df;
    case BUDA_OPERAND_OUTPUT:
        return user->out_df;
    case BUDA_OPERAND_UNKNOWN:
        break;
    }
    return BUDA_DF_NONE;
}

// True when any user of the definition has it so: the same definition may serve ops of different
// formats.
static bool adds_int32(const buda_fused_view *view)
{
    for (size_t u = 0; u < view->user_count; u++) {
        for (size_t i = 0; i < view->op->inputs.count; i++) {
            const buda_operand operand = buda_operand_of(view->op->inputs.items[i].text);
            if (buda_operand_df(&view->users[u], operand) == BUDA_INT32) {
                return true;
            }
        }
    }
    return false;
}

// The vector unit has no broadcast of tiles and other rules of formats than the matrix unit:
// check_fused_shape.c, check_fused_format.c.
bool buda_is_vector_binary(const buda_fused_view *view)
{
    switch (view->op->op) {
    case HOIST_OP_QUANTIZATION:
    case HOIST_OP_REQUANTIZATION:
    case HOIST_OP_DEQUANTIZATION:
    case HOIST_OP_MAXIMUM:
        return true;
    case HOIST_OP_ADD:
        return adds_int32(view);
    default:
        return false;
    }
}

void buda_report_sub_op(const buda_fused_view *view, buda_rule rule, hoist_pos at,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const buda_named subject = {"sub-op", &view->op->name};
    buda_report_named(view->check, rule, at, subject, format, args);
    va_end(args);
}
