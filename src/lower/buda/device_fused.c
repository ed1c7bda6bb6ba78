// Sub-ops of a fused op in the numerics `device` (device.c): operands are in memory or in the
// register, where the sub-op before left its result. In: a buda_lower_sub_op of fused.c. Out: the
// register, or what is packed of it. Steps are those of device_source.c, device_vector.c and
// device_matrix.c.
#include "base/span.h"
#include "lower/buda/device.h"

enum { MAX_FUSED_INPUTS = 8 }; // formats of more are configured elsewhere

// Operands in memory are unpacked as the first input of the op is: the sources of a fused op are
// of one kind, with 8 bits of exponent.
static bool has_sources(const buda_device *d, const buda_lower_sub_op *s)
{
    hoist_device_source first = HOIST_DEVICE_SOURCE_F16;
    bool has = buda_device_source_of(d, d->inputs[0], &first) && first != HOIST_DEVICE_SOURCE_F16;
    for (size_t i = 0; i < s->count; i++) {
        hoist_device_source source = first;
        has = has && (s->formats[i] == BUDA_DF_NONE ||
                      (s->formats[i] != BUDA_BFP2_B &&
                       buda_device_source_of(d, s->formats[i], &source) && source == first));
    }
    return has;
}

// Sums of 16 bits are packed as those of the first input are, which must not be a Float32.
static bool has_single(const buda_device *d)
{
    bool has = d->c->view.intermed_df == BUDA_FLOAT32;
    for (size_t i = 0; i < d->c->view.input_count; i++) {
        has = has || d->inputs[i] == BUDA_FLOAT32;
    }
    return has;
}

static bool is_copied(hoist_op op)
{
    return op == HOIST_OP_NOP || op == HOIST_OP_DATACOPY;
}

// True of a matmul whose sums go over memory.
static bool goes_over_memory(const buda_sub_op *sub)
{
    return sub->op == HOIST_OP_MATMUL && buda_attr_int(&sub->attributes, HOIST_ATTR_M_K, 1) > 1;
}

// What the sub-op needs of the register and the packer; NULL: nothing unknown.
static const char *unknown_moves(const buda_device *d, const buda_lower_sub_op *s)
{
    const bool has_relu = buda_attr_bool(s->relu, HOIST_ATTR_RELU_EN);
    const bool has_blocks = goes_over_memory(s->sub);
    const bool first = s->formats[0] == BUDA_DF_NONE;
    const bool second = s->count == 2 && s->formats[1] == BUDA_DF_NONE;
    const bool reads = first || second;
    // The words of 16 bits go to a source as they are (tensix.cpp 686-800).
    const bool has_move = buda_device_is_combined(s->sub->op) && !(first && second) &&
                          d->dest == HOIST_DEVICE_DEST_BF16;
    if (s->count == 2 && reads && !has_move) {
        return "such an operand in the register";
    }
    return reads != s->from_register                 ? "a register that is read later"
           : has_relu && s->target == BUDA_DF_NONE   ? "relu in the register"
           : has_relu && has_blocks                  ? "relu of each block"
           : has_blocks && s->target == BUDA_DF_NONE ? "sums over several blocks in the register"
                                                     : NULL;
}

// What is packed is unpacked as the first input is.
static bool can_spill(const buda_device *d, buda_df df)
{
    hoist_device_source first = HOIST_DEVICE_SOURCE_BF16;
    hoist_device_source source = HOIST_DEVICE_SOURCE_F16;
    return buda_device_source_of(d, d->inputs[0], &first) &&
           buda_device_source_of(d, df, &source) && source == first;
}

// Of the second source of an addition or product the core reads one row, column or element of each
// tile (ttsim tensix.cpp 1644; tt-llk llk_math_eltwise_binary.h).
static bool has_known_broadcasts(const buda_lower_sub_op *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const buda_input_keys *keys = buda_input_keys_find(s->sub->input_keys, i);
        for (size_t k = 0; keys && k < keys->tms.count; k++) {
            if (keys->tms.items[k].kind == BUDA_TM_TILE_BROADCAST &&
                (i != 1 || !buda_device_is_combined(s->sub->op) || s->formats[i] == BUDA_DF_NONE)) {
                return false;
            }
        }
    }
    return true;
}

static const char *unknown_sub_op(const buda_device *d, const buda_lower_sub_op *s)
{
    const hoist_op op = s->sub->op;
    const bool is_pair = buda_device_is_combined(op) || op == HOIST_OP_MATMUL;
    const bool is_function = hoist_op_get(op)->family == HOIST_FAMILY_SFPU;
    if (d->c->view.input_count > MAX_FUSED_INPUTS) {
        return "more than 8 inputs";
    }
    if (!is_pair && !is_function && !is_copied(op)) {
        return "a kernel that is not known to the bit";
    }
    if (s->count != (is_pair ? 2 : 1)) {
        return "another number of inputs";
    }
    if (!has_known_broadcasts(s)) {
        return "tile_broadcast of such an operand";
    }
    if (!has_sources(d, s) || (d->dest != HOIST_DEVICE_DEST_F32 && has_single(d))) {
        return "formats of several kinds";
    }
    const char *unknown = unknown_moves(d, s);
    if (!unknown && goes_over_memory(s->sub) &&
        !(buda_device_packs(d, s->target) && can_spill(d, s->target))) {
        return "a format of sums over several blocks that is not known";
    }
    return unknown ? unknown : is_function ? buda_device_unknown_function(d, op) : NULL;
}

// Blocks of the inner dimension go over the buffer that the result is packed to.
static buda_lower_value multiplied(const buda_device *d, const buda_lower_sub_op *s,
                                   const hoist_device_source *source)
{
    const buda_attributes *attributes = &s->sub->attributes;
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    const bool spills = goes_over_memory(s->sub);
    const int64_t block = buda_attr_int(attributes, HOIST_ATTR_U_KT, 1);
    attrs.value[HOIST_DEVICE_BLOCK].integer = spills && block > 0 ? block : 1 << 30;
    attrs.value[HOIST_DEVICE_SPILL].dtype =
        spills ? buda_formats[s->target].dtype : HOIST_DTYPE_F32;
    attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = source[0];
    return buda_lower_compute(d->c, HOIST_DEVICE_MATMUL, &attrs, s->inputs, 2);
}

// The register after the sub-op.
static buda_lower_value in_register(const buda_device *d, const buda_lower_sub_op *s)
{
    const hoist_op op = s->sub->op;
    hoist_device_source source[2] = {HOIST_DEVICE_SOURCE_BF16, HOIST_DEVICE_SOURCE_BF16};
    for (size_t i = 0; i < s->count; i++) {
        if (s->formats[i] != BUDA_DF_NONE) {
            (void)buda_device_source_of(d, s->formats[i], &source[i]);
        }
    }
    if (op == HOIST_OP_MATMUL) {
        return multiplied(d, s, source);
    }
    if (buda_device_is_combined(op)) {
        return buda_device_combined(d, op, source, s->inputs);
    }
    const buda_lower_value from = s->formats[0] == BUDA_DF_NONE
                                      ? s->inputs[0]
                                      : buda_device_moved(d, source[0], s->inputs[0]);
    return is_copied(op) ? from : buda_device_applied(d, op, from);
}

buda_lower_value buda_lower_device_sub_op(buda_lower_code *c, const buda_lower_sub_op *s)
{
    buda_device d = buda_device_of(c);
    d.attributes = &s->sub->attributes;
    const char *unknown = unknown_sub_op(&d, s);
    if (unknown) {
        buda_lower_refuse(c->l, RUN_045, s->sub->type.pos,
                          "sub-op '%.*s' (%.*s) of op '%.*s' needs %s, which numerics 'device' "
                          "does not have",
                          HOIST_STR_ARGS(s->sub->name.text), HOIST_STR_ARGS(s->sub->type.text),
                          HOIST_STR_ARGS(c->label), unknown);
        return buda_lower_none();
    }
    const buda_lower_value result = in_register(&d, s);
    return s->target == BUDA_DF_NONE || result.view == HOIST_NO_REF
               ? result
               : buda_device_packed(&d, result, s->target, s->relu);
}
