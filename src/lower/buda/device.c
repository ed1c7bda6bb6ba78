// Ops in the numerics `device` (hoist/lower.h): what the vendor's compiler makes of an op's formats
// and fidelity, as steps of ops/compute_device.h. In: values of inputs as function.c has moved
// them, which are of their declared formats. Out: the value in out_df. The entries: properties
// that no op may have, then the part (device.h) that lowers each family. An op that is not known to
// the bit is refused (RUN-045). Facts: docs/formats/buda-device.md.
#include "lower/buda/device.h"

#include <string.h>

#include "base/span.h"

// Once per netlist; the location is the file's.
bool buda_lower_has_device(buda_lower_job *l)
{
    const bool is_known = l->net.arch == BUDA_WORMHOLE_B0 || l->net.arch == BUDA_BLACKHOLE;
    if (!is_known) {
        buda_lower_refuse(
            l, RUN_045, (hoist_pos){0},
            "the device is a %s, whose arithmetic is not public: expected wormhole_b0 "
            "or blackhole",
            buda_arch_name(l->net.arch));
    }
    return is_known;
}

// Matmul ------------------------------------------------------------------------------------------

// The sums, which are in memory, plus row 0 of each tile of the bias.
static buda_lower_value biased(const buda_device *d, buda_lower_value sums, buda_lower_value bias,
                               const hoist_device_source *source)
{
    const buda_lower_value operands[] = {sums, bias};
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    attrs.value[HOIST_DEVICE_ROW].integer = 1;
    return buda_lower_compute(d->c, HOIST_DEVICE_ADD, &attrs, operands, 2);
}

// False: nothing follows a matmul in the vector unit. What else than gelu could is refused.
static bool has_function(const buda_op_view *view)
{
    return buda_attr_find(&view->op->attributes, HOIST_ATTR_SFPU_OP) &&
           !buda_attr_is(&view->op->attributes, HOIST_ATTR_SFPU_OP, "invalid");
}

// Features of a matmul without a known order of roundings; NULL: none is used.
static const char *unknown_matmul(const buda_op_view *view)
{
    return view->requant || view->dequant ? "scales"
           : has_function(view) && !buda_attr_is(&view->op->attributes, HOIST_ATTR_SFPU_OP, "gelu")
               ? "functions of the vector unit"
               : NULL;
}

// Where sums are after a block. With l1_acc the packer adds blocks in memory; the last one, too,
// where a bias follows, or where memory of sums and of results is the same and nothing else is
// done to them (hlks/matmul/matmul_u.cpp). Of a sparse matmul memory is the result in these cases
// whether the packer adds or not: ublocks without tiles are left alone (matmul_ident.cpp).
static hoist_device_sums sums_of(const buda_op_view *view)
{
    const bool is_shared = view->intermed_df == view->out_df &&
                           !buda_attr_bool(&view->op->attributes, HOIST_ATTR_RELU_EN) &&
                           !has_function(view);
    const bool keeps = view->bias || is_shared;
    if (view->l1_acc) {
        return keeps ? HOIST_DEVICE_SUMS_KEPT : HOIST_DEVICE_SUMS_ADDED;
    }
    return keeps && view->identity ? HOIST_DEVICE_SUMS_STORED : HOIST_DEVICE_SUMS_RELOADED;
}

// What sums over memory need; false when it is refused.
static bool has_sums(const buda_device *d, hoist_device_sums sums,
                     const hoist_device_source *source, hoist_device_source *out_spill)
{
    const buda_op_view *view = &d->c->view;
    if (!buda_device_spill_source(d, source[0], out_spill)) {
        return false;
    }
    if (hoist_device_keeps(sums) && !view->bias && view->op->untilize_output.value) {
        (void)buda_device_refuse(d, view->op->untilize_output.pos,
                                 "sums in memory that are untilized");
        return false;
    }
    if (hoist_device_adds(sums) &&
        !hoist_device_accumulates(buda_formats[view->intermed_df].dtype)) {
        (void)buda_device_refuse(d, view->op->intermed_df.pos, "sums in memory of such a format");
        return false;
    }
    return true;
}

// z slices that are summed, next to each other as one inner dimension: columns of the first factor,
// rows of the second one.
static buda_lower_value side_by_side(const buda_device *d, buda_lower_value from, uint64_t z,
                                     bool is_first)
{
    const hoist_tile_shape in = from.shape;
    buda_lower_job *l = d->c->l;
    buda_lower_table table = buda_lower_table_of(in);
    table.shape = (hoist_tile_shape){in.z / z, is_first ? in.rows : in.rows * z,
                                     is_first ? in.cols * z : in.cols};
    const uint64_t count = buda_lower_tiles(in);
    buda_lower_spend(l, count, d->c->view.op->name.pos);
    table.tiles = hoist_lower_scratch(&l->c, count, sizeof *table.tiles);
    if (l->c.status != HOIST_OK || !table.tiles) {
        return buda_lower_none();
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t row = i / table.shape.cols % table.shape.rows;
        const uint64_t slice = i / (in.rows * in.cols * z) * z;
        const uint64_t at = i % table.shape.cols / in.cols; // of the first factor
        table.tiles[i] =
            (int32_t)(is_first ? ((slice + at) * in.rows + row) * in.cols + i % in.cols : i);
    }
    return buda_lower_moved(d->c, from, &table);
}

// The factors with the inner dimension that the op sums over; false when it is refused.
static bool factors(const buda_device *d, const buda_lower_value *inputs, buda_lower_value *out)
{
    const buda_op_view *view = &d->c->view;
    const int64_t z = buda_attr_int(&view->op->attributes, HOIST_ATTR_Z, 0);
    memcpy(out, inputs, 2 * sizeof *out);
    if (!view->accumulate) {
        return true;
    }
    const uint64_t block = view->u_kt > 0 ? (uint64_t)view->u_kt : 1;
    if (z < 1 || inputs[0].shape.z % (uint64_t)z != 0 || inputs[1].shape.z != inputs[0].shape.z ||
        inputs[0].shape.cols % block != 0 || inputs[1].shape.rows != inputs[0].shape.cols) {
        (void)buda_device_refuse(d, view->op->name.pos, "another number of slices or blocks");
        return false;
    }
    out[0] = side_by_side(d, inputs[0], (uint64_t)z, true);
    out[1] = side_by_side(d, inputs[1], (uint64_t)z, false);
    return out[0].view != HOIST_NO_REF && out[1].view != HOIST_NO_REF;
}

// The product of both factors: blocks of the inner dimension, of one slice each, go over memory.
static buda_lower_value product(const buda_device *d, const buda_lower_value *inputs,
                                const hoist_device_source *source, hoist_device_source spill,
                                hoist_device_sums sums)
{
    const buda_op_view *view = &d->c->view;
    const bool spills = view->m_k > 1 || view->accumulate;
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    // Larger than any inner dimension: one block.
    attrs.value[HOIST_DEVICE_BLOCK].integer = spills && view->u_kt > 0 ? view->u_kt : 1 << 30;
    attrs.value[HOIST_DEVICE_SPILL].dtype =
        spills ? buda_formats[view->intermed_df].dtype : HOIST_DTYPE_F32;
    attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = spills ? spill : source[0];
    attrs.value[HOIST_DEVICE_SUMS].integer = sums;
    return buda_lower_compute(d->c, HOIST_DEVICE_MATMUL, &attrs, inputs, 2);
}

// What follows the sums: the bias, the function, the packer.
static buda_lower_value finished(const buda_device *d, buda_lower_value sums, bool is_packed,
                                 const buda_lower_value *bias, const hoist_device_source *source)
{
    const buda_op_view *view = &d->c->view;
    if (bias) {
        sums = is_packed ? sums : buda_device_packed(d, sums, view->intermed_df, NULL);
        sums = biased(d, sums, *bias, source);
        is_packed = false;
    }
    if (has_function(view)) {
        sums = buda_device_applied(d, HOIST_OP_GELU, sums);
    }
    return is_packed ? sums : buda_device_packed(d, sums, view->out_df, &view->op->attributes);
}

// Dense, with an optional bias. Sums go over memory after each block when there are several, and
// before the bias.
static buda_lower_value dense(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const bool spills = view->m_k > 1 || view->accumulate;
    const hoist_device_sums sums = spills ? sums_of(view) : HOIST_DEVICE_SUMS_RELOADED;
    hoist_device_source source[3] = {HOIST_DEVICE_SOURCE_BF16};
    hoist_device_source spill = HOIST_DEVICE_SOURCE_BF16;
    buda_lower_value both[2];
    if (!buda_device_sources(d, view->bias ? 3 : 2, source) ||
        ((view->bias || spills) && !has_sums(d, sums, source, &spill)) ||
        !factors(d, inputs, both)) {
        return buda_lower_none();
    }
    return finished(d, product(d, both, source, spill, sums), hoist_device_keeps(sums),
                    view->bias ? &inputs[2] : NULL, (hoist_device_source[]){spill, source[2]});
}

// The reason why a sparse matmul is refused; NULL: it is known. What a Float32 is unpacked to
// depends on the formats of all inputs, of which the encoding is one.
static const char *unknown_sparse(const buda_device *d)
{
    const buda_op_view *view = &d->c->view;
    for (size_t i = 0; i < view->input_count; i++) {
        if (d->inputs[i] == BUDA_FLOAT32) {
            return "Float32 next to an encoding";
        }
    }
    return buda_attr_int(&view->op->attributes, HOIST_ATTR_SPARSE_TILE_PTR_BITS, 0) < 1
               ? "an encoding of an older form"
           : view->accumulate || has_function(view)
               ? "a sparse matmul with sums over z or a function"
               : NULL;
}

// Strips of the encoding are the blocks. Inputs are the tiles, the activations, the encoding, the
// bias.
static buda_lower_value sparse(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const char *unknown = unknown_sparse(d);
    const hoist_device_sums sums = sums_of(view);
    hoist_device_source source[4] = {HOIST_DEVICE_SOURCE_BF16};
    hoist_device_source spill = HOIST_DEVICE_SOURCE_BF16;
    if (unknown) {
        return buda_device_refuse(d, view->op->name.pos, unknown);
    }
    if (!buda_device_sources(d, 2, source) ||
        (view->bias && !buda_device_source_at(d, 3, source)) ||
        !has_sums(d, sums, source, &spill)) {
        return buda_lower_none();
    }
    hoist_compute_attrs attrs = buda_device_attrs(d, source);
    attrs.value[HOIST_DEVICE_SPILL].dtype = buda_formats[view->intermed_df].dtype;
    attrs.value[HOIST_DEVICE_SPILL_SOURCE].integer = spill;
    attrs.value[HOIST_DEVICE_SUMS].integer = sums;
    buda_lower_sparse_attrs(d->c, attrs.value + HOIST_DEVICE_SPARSE);
    return finished(d, buda_lower_compute(d->c, HOIST_DEVICE_SPARSE_MATMUL, &attrs, inputs, 3),
                    hoist_device_keeps(sums), view->bias ? &inputs[3] : NULL,
                    (hoist_device_source[]){spill, source[3]});
}

static buda_lower_value matmul(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const char *unknown = unknown_matmul(view);
    const size_t count = (view->identity ? 3 : 2) + (size_t)view->bias;
    if (unknown || view->input_count != count) {
        return buda_device_refuse(d, view->op->name.pos,
                                  unknown ? unknown : "another number of inputs");
    }
    return view->identity ? sparse(d, inputs) : dense(d, inputs);
}

// Ops ---------------------------------------------------------------------------------------------

// True when smaller tiles are no matter: each element is computed by itself, wherever it is.
static bool is_element_wise(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    return view->family == HOIST_FAMILY_BINARY || view->family == HOIST_FAMILY_UNARY ||
           (view->family == HOIST_FAMILY_SFPU &&
            !buda_attr_is(attributes, HOIST_ATTR_VECTOR, "r") &&
            !buda_attr_is(attributes, HOIST_ATTR_VECTOR, "c"));
}

// Of a smaller tile the other elements have no place in the register, and none in another tile.
static bool has_known_tiles(const buda_op_view *view)
{
    const buda_pair own = buda_tile_dim(view->op->tile_dim);
    bool is_known = buda_tile_is(own, 32, 32) || is_element_wise(view);
    for (size_t i = 0; i < view->input_count; i++) {
        buda_pair tile = buda_tile_dim((buda_pair){0});
        is_known = is_known && buda_source_tile(view, i, &tile) && buda_tile_is(tile, own.r, own.c);
    }
    return is_known;
}

// What no op of these numerics may have; NULL: nothing.
static const char *unknown_in(const buda_device *d)
{
    const buda_op_view *view = &d->c->view;
    const buda_attributes *attributes = &view->op->attributes;
    if (buda_attr_bool(attributes, HOIST_ATTR_SRND_FPU_EN) ||
        (buda_attr_find(attributes, HOIST_ATTR_STOCH_RND_MODE) &&
         !buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "none"))) {
        return "stochastic rounding";
    }
    if (view->gradient) {
        return "a sum over executes";
    }
    // math_fidelity below 0 is an unknown word.
    return !has_known_tiles(view)              ? "tiles that are not 32x32"
           : view->op->math_fidelity.value < 0 ? "a math_fidelity that is not written"
                                               : NULL;
}

// A core of the Ethernet has streams only: they carry the tiles as they are.
static buda_lower_value carried(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    return view->input_count == 1 && d->inputs[0] == view->out_df
               ? inputs[0]
               : buda_device_refuse(d, view->op->type.pos,
                                    "another format on the way to another chip");
}

static buda_lower_value computed(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const size_t count = view->input_count;
    const size_t expected = view->family == HOIST_FAMILY_BINARY ? 2 : 1;
    if (view->family == HOIST_FAMILY_MATMUL) {
        return matmul(d, inputs);
    }
    if (view->family == HOIST_FAMILY_SPLICE) {
        return buda_device_splice(d, inputs);
    }
    if (view->family == HOIST_FAMILY_REDUCE) {
        return count == 1 ? buda_device_reduce(d, inputs)
                          : buda_device_refuse(d, (hoist_pos){0}, "another number of inputs");
    }
    if (view->family != HOIST_FAMILY_BINARY && view->family != HOIST_FAMILY_UNARY &&
        view->family != HOIST_FAMILY_SFPU) {
        return buda_device_refuse(d, view->op->type.pos, "a kernel that is not known to the bit");
    }
    if (count != expected) {
        return buda_device_refuse(d, (hoist_pos){0}, "another number of inputs");
    }
    const buda_lower_value result =
        view->family == HOIST_FAMILY_BINARY  ? buda_device_binary(d, inputs)
        : view->family == HOIST_FAMILY_UNARY ? buda_device_copy(d, inputs)
                                             : buda_device_unary(d, inputs);
    return result.view == HOIST_NO_REF
               ? result
               : buda_lower_zeroed(d->c, result, buda_tile_dim(view->op->tile_dim));
}

buda_lower_value buda_lower_device(buda_lower_code *c, const buda_lower_value *inputs)
{
    buda_device d = buda_device_of(c);
    if (c->view.family == HOIST_FAMILY_ETHERNET) {
        return carried(&d, inputs);
    }
    const char *unknown = unknown_in(&d);
    return unknown ? buda_device_refuse(&d, c->view.op->name.pos, unknown) : computed(&d, inputs);
}

bool buda_lower_device_has(buda_lower_code *c)
{
    const buda_device d = buda_device_of(c);
    const char *unknown = unknown_in(&d);
    if (unknown) {
        (void)buda_device_refuse(&d, c->view.op->name.pos, unknown);
    }
    return !unknown;
}

// Sub-ops -----------------------------------------------------------------------------------------

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
