// The ops of a graph, one function per family: buda-ops reference section 5. In: values of the
// inputs as function.c has moved them. Out: the value of the output. The plain families are in
// simple.c, fused ops in fused.c, splice in splice.c. Every function returns buda_lower_none()
// after a refusal.

#include "base/span.h"
#include "lower/buda/state.h"

// Short names for the op's attributes.
static const buda_attributes *attributes_of(const buda_lower_code *c)
{
    return &c->view.op->attributes;
}

static int64_t attribute(const buda_lower_code *c, hoist_attr which, int64_t absent)
{
    return buda_attr_int(attributes_of(c), which, absent);
}

static bool flag(const buda_lower_code *c, hoist_attr which)
{
    return buda_attr_bool(attributes_of(c), which);
}

// Inputs that the op does not have are an empty value, which the next step passes on.
static buda_lower_value input_or_none(const buda_lower_code *c, const buda_lower_value *inputs,
                                      size_t i)
{
    return i < c->view.input_count ? inputs[i] : buda_lower_none();
}

// Tiles with a side of 16 or less have no vector modes: `vector` is ignored there.
static bool has_whole_tiles(const buda_lower_code *c)
{
    buda_pair in = buda_tile_dim(c->view.op->tile_dim);
    const buda_pair out = in;
    (void)buda_input_tile(&c->view, 0, &in);
    return in.r <= 16 || in.c <= 16 || out.r <= 16 || out.c <= 16;
}

static buda_lower_simple simple_of(const buda_lower_code *c)
{
    return (buda_lower_simple){
        .op = c->view.op->op,
        .attributes = attributes_of(c),
        .zero_point = (float)buda_attr_float(attributes_of(c), HOIST_ATTR_ZERO_POINT),
        .whole_tiles = has_whole_tiles(c),
        .pos = c->view.op->type.pos,
    };
}

// Zeros outside the smaller of the tiles of input 0 and of the output.
static buda_lower_value cleared_to_smaller(buda_lower_code *c, buda_lower_value from)
{
    const buda_pair out = buda_tile_dim(c->view.op->tile_dim);
    buda_pair tile = out;
    (void)buda_input_tile(&c->view, 0, &tile);
    tile.r = tile.r < out.r ? tile.r : out.r;
    tile.c = tile.c < out.c ? tile.c : out.c;
    return buda_lower_zeroed(c, from, tile);
}

// Elementwise ops keep the padding of tiny tiles at zero.
static buda_lower_value tilewise(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_lower_simple simple = simple_of(c);
    return cleared_to_smaller(c, buda_lower_simple_op(c, &simple, inputs, c->view.input_count));
}

// A reduction fills tiles of its own and needs no zeroing.
static buda_lower_value reduce(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_lower_simple simple = simple_of(c);
    return buda_lower_simple_op(c, &simple, inputs, c->view.input_count);
}

// ethernet_datacopy: the move between chips is the queue's or the edge's, see memory.c.
static buda_lower_value copy(buda_lower_code *c, const buda_lower_value *inputs)
{
    return cleared_to_smaller(c, input_or_none(c, inputs, 0));
}

// Rows were made tiles when they were read: the input's view is flat.
static buda_lower_value tilizer(buda_lower_code *c, const buda_lower_value *inputs)
{
    return buda_lower_zeroed(c, input_or_none(c, inputs, 0), buda_tile_dim(c->view.op->tile_dim));
}

// Matmul --------------------------------------------------------------------------------------

// Padding of tiny tiles is zeroed, as it takes part in the product.
static buda_lower_value dense(buda_lower_code *c, const buda_lower_value *inputs)
{
    buda_lower_value operands[2];
    for (size_t i = 0; i < 2; i++) {
        buda_pair tile = buda_tile_dim((buda_pair){0});
        (void)buda_input_tile(&c->view, i, &tile);
        operands[i] = buda_lower_zeroed(c, inputs[i], tile);
    }
    const buda_lower_value product = buda_lower_matmul(c, attributes_of(c), operands, 2);
    // z slices of the product are summed in groups.
    if (!flag(c, HOIST_ATTR_ACCUMULATE)) {
        return product;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_SUM_Z_GROUP].integer = attribute(c, HOIST_ATTR_Z, 0);
    return buda_lower_compute1(c, HOIST_GOLDEN_SUM_Z, &attrs, product);
}

// Row 0 of each tile of the bias goes to all rows; integers are added as they are. In declared
// numerics the sum has gone over memory by then.
static buda_lower_value add_bias(buda_lower_code *c, buda_lower_value sum, buda_lower_value bias)
{
    const bool is_integer = buda_df_is_integer(buda_input_df(c->view.op, 0));
    sum = buda_lower_declared(c, sum, c->view.intermed_df);
    return buda_lower_compute2(c, is_integer ? HOIST_GOLDEN_ADD : HOIST_GOLDEN_ADD_ROW, sum, bias);
}

// The unary function that `sfpu_op` names. Only gelu is known to follow a matmul in the reference.
static buda_lower_value fused_unary(buda_lower_code *c, buda_lower_value from)
{
    const buda_attribute *name = buda_attr_find(attributes_of(c), HOIST_ATTR_SFPU_OP);
    // A real netlist has the reference's own word for none.
    if (!name || hoist_str_equal_nocase(name->text, HOIST_STR("invalid"))) {
        return from;
    }
    if (hoist_op_find(name->text) != HOIST_OP_GELU) {
        buda_lower_refuse(c->l, RUN_002, name->pos,
                          "sfpu_op of op '%.*s' is '%.*s', only gelu can follow a matmul",
                          HOIST_STR_ARGS(c->label), HOIST_STR_ARGS(name->text));
        return buda_lower_none();
    }
    const buda_lower_simple simple = simple_of(c);
    return buda_lower_unary(c, &simple, HOIST_OP_GELU, from);
}

// Inputs in order: the two factors; the encoding of an identity matmul; the bias; the scales.
static buda_lower_value matmul(buda_lower_code *c, const buda_lower_value *inputs)
{
    const bool identity = flag(c, HOIST_ATTR_IDENTITY);
    const bool scaled = flag(c, HOIST_ATTR_REQUANT) || flag(c, HOIST_ATTR_DEQUANT);
    size_t next = identity ? 3 : 2;
    // Counted before any input is used, so that `next` never leaves the array.
    const size_t expected = next + flag(c, HOIST_ATTR_BIAS) + scaled;
    if (c->view.input_count != expected) {
        buda_lower_refuse(c->l, RUN_003, c->view.op->name.pos,
                          "matmul '%.*s' has %zu inputs, its attributes need %zu",
                          HOIST_STR_ARGS(c->label), c->view.input_count, expected);
        return buda_lower_none();
    }
    buda_lower_value result = identity ? buda_lower_sparse(c, inputs) : dense(c, inputs);
    if (flag(c, HOIST_ATTR_BIAS)) {
        result = add_bias(c, result, inputs[next++]);
    }
    if (scaled) {
        const float zero_point = (float)buda_attr_float(attributes_of(c), HOIST_ATTR_ZERO_POINT);
        result =
            buda_lower_scaled(c, result, inputs[next], zero_point, flag(c, HOIST_ATTR_DEQUANT));
    }
    result = fused_unary(c, result);
    return buda_lower_zeroed(c, result, buda_tile_dim(c->view.op->tile_dim));
}

// A third input without `bias` would have been refused (rule 61).
static buda_lower_value depthwise(buda_lower_code *c, const buda_lower_value *inputs)
{
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DEPTHWISE_M_K].integer = attribute(c, HOIST_ATTR_M_K, 0);
    const bool bias = flag(c, HOIST_ATTR_BIAS) && c->view.input_count > 2;
    const buda_lower_value sum =
        buda_lower_compute(c, HOIST_GOLDEN_DEPTHWISE, &attrs, inputs, c->view.input_count - bias);
    return bias ? add_bias(c, sum, inputs[2]) : sum;
}

// Others --------------------------------------------------------------------------------------

// Indices select rows of the table; each row of cores makes a part of the output.
static buda_lower_value embedding(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_op *op = c->view.op;
    buda_shape shape = {0};
    hoist_compute_attrs attrs = {0};
    (void)buda_shape_of_op(op, &shape);
    attrs.value[HOIST_EMBEDDING_INDICES].integer = attribute(c, HOIST_ATTR_NUM_INDICES, 0);
    attrs.value[HOIST_EMBEDDING_GRID_ROWS].integer = op->grid_size.r;
    attrs.value[HOIST_EMBEDDING_ROWS].integer = shape.r;
    return buda_lower_compute(c, HOIST_GOLDEN_EMBEDDING, &attrs, inputs, c->view.input_count);
}

// kreduce: the ways in which partial results of cores are joined.
static buda_lower_value topk(buda_lower_code *c, const buda_lower_value *inputs)
{
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_TOPK_K].integer = attribute(c, HOIST_ATTR_K, 0);
    attrs.value[HOIST_TOPK_ARGMAX].integer =
        buda_attr_is(attributes_of(c), HOIST_ATTR_SORT, "argmax");
    attrs.value[HOIST_TOPK_KREDUCE].integer = flag(c, HOIST_ATTR_KREDUCE);
    attrs.value[HOIST_TOPK_GRID_COLS].integer = c->view.op->grid_size.c;
    return buda_lower_compute(c, HOIST_GOLDEN_TOPK, &attrs, inputs, c->view.input_count);
}

// By family; NULL: the reference does not run it (buffer, drainer).
// clang-format off
static buda_lower_value (*const families[HOIST_FAMILY_COUNT])(buda_lower_code *c, const buda_lower_value *inputs) = {
    [HOIST_FAMILY_BINARY]    = tilewise,
    [HOIST_FAMILY_UNARY]     = tilewise,
    [HOIST_FAMILY_SFPU]      = tilewise,
    [HOIST_FAMILY_MATMUL]    = matmul,
    [HOIST_FAMILY_DEPTHWISE] = depthwise,
    [HOIST_FAMILY_REDUCE]    = reduce,
    [HOIST_FAMILY_SPLICE]    = buda_lower_splice,
    [HOIST_FAMILY_FUSED]     = buda_lower_fused,
    [HOIST_FAMILY_ETHERNET]  = copy,
    [HOIST_FAMILY_TILIZER]   = tilizer,
    [HOIST_FAMILY_TOPK]      = topk,
    [HOIST_FAMILY_EMBEDDING] = embedding,
};
// clang-format on

// Inputs may be buda_lower_none(); steps pass that on.
buda_lower_value buda_lower_op(buda_lower_code *c, const buda_lower_value *inputs)
{
    if (!families[c->view.family]) {
        buda_lower_refuse(c->l, RUN_001, c->view.op->type.pos,
                          "op '%.*s' is a '%.*s', which the reference does not run",
                          HOIST_STR_ARGS(c->label), HOIST_STR_ARGS(c->view.op->type.text));
        return buda_lower_none();
    }
    return families[c->view.family](c, inputs);
}
