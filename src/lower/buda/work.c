// The work of an op on its cores, for estimates of time: cycles by the vendor's model
// (cost/tensix.h), and bytes that come from other cores. In: the op at hand. Out: the work of its
// steps (hoist_builder_work). Neighbour: function.c.
#include <math.h>

#include "base/span.h"
#include "cost/tensix.h"
#include "lower/buda/state.h"

enum { TILE_DIM = 32 }; // sides of the tiles that the model counts

// The model has weights for classes of formats, not for formats.
static unsigned trait_of(buda_df df)
{
    switch (df) {
    case BUDA_FLOAT16:
    case BUDA_FLOAT16_B:
        return HOIST_TENSIX_FLOAT16;
    case BUDA_FLOAT32:
    case BUDA_TF32:
        return HOIST_TENSIX_FLOAT32;
    case BUDA_INT8:
        return HOIST_TENSIX_INT8;
    case BUDA_INT32:
        return HOIST_TENSIX_INT32;
    default:
        return buda_df_bfp_bits(df) ? HOIST_TENSIX_BFP : 0;
    }
}

// What the model distinguishes apart from sizes.
static unsigned traits_of(const buda_op_view *view)
{
    static const struct {
        hoist_attr attribute;
        const char *word;
        unsigned trait;
    } words[] = {{HOIST_ATTR_VECTOR, "r", HOIST_TENSIX_ROWS},
                 {HOIST_ATTR_VECTOR, "c", HOIST_TENSIX_COLUMNS},
                 {HOIST_ATTR_DIM, "c", HOIST_TENSIX_DIM_C}};
    const buda_attributes *const attributes = &view->op->attributes;
    // The format that weights are kept by; of what has floats after it, the one before.
    const bool is_before =
        view->op->op == HOIST_OP_DEQUANTIZATION || view->op->op == HOIST_OP_REQUANTIZATION;
    unsigned traits = trait_of(is_before ? buda_input_df(view->op, 0) : view->out_df);
    for (size_t i = 0; i < HOIST_COUNT_OF(words); i++) {
        traits |= buda_attr_is(attributes, words[i].attribute, words[i].word) ? words[i].trait : 0;
    }
    traits |=
        buda_attr_bool(attributes, HOIST_ATTR_APPROXIMATE_MODE) ? HOIST_TENSIX_APPROXIMATE : 0;
    return traits | (view->l1_acc ? HOIST_TENSIX_L1 : 0u);
}

// Phases of math_fidelity, as in device_source.c; unknown words count as LoFi.
static uint32_t phases_of(const buda_op *op)
{
    switch (op->math_fidelity.value) {
    case BUDA_HIFI2:
    case BUDA_HIFI2_A:
    case BUDA_HIFI2_B:
        return 2;
    case BUDA_HIFI3:
        return 3;
    case BUDA_HIFI4:
        return 4;
    default:
        return 1;
    }
}

// Missing sizes are 0: the model then has no estimate.
static uint64_t extent(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

// Sizes of one core: all cores of the grid do the same at the same time.
static hoist_tensix_op tensix_of(const buda_op_view *view)
{
    const buda_op *const op = view->op;
    const bool is_z =
        op->op == HOIST_OP_REDUCE && buda_attr_is(&op->attributes, HOIST_ATTR_DIM, "z");
    return (hoist_tensix_op){.type = op->type.text,
                             .traits = traits_of(view),
                             .phases = phases_of(op),
                             .t = extent(op->t.value),
                             .mblock_m = extent(op->mblock.r),
                             .mblock_n = extent(op->mblock.c),
                             .ublock_rt = extent(op->ublock.r),
                             .ublock_ct = extent(op->ublock.c),
                             .mblock_k = extent(view->m_k),
                             .ublock_kt = extent(view->u_kt),
                             .z = is_z ? extent(buda_attr_int(&op->attributes, HOIST_ATTR_Z, 1))
                                       : 0}; // 0: no reduction over z
}

// Bytes

// The part of an input that each core has: a product's first input is split by rows, its second by
// columns; other inputs by both.
// Rounded up: the core with most.
static uint64_t tiles_of_core(const buda_op_view *view, size_t i, const buda_shape *shape)
{
    const bool is_product = view->family == HOIST_FAMILY_MATMUL && i < 2;
    const buda_pair grid = view->op->grid_size;
    const int64_t rows = !is_product || i == 0 ? grid.r : 1;
    const int64_t cols = !is_product || i == 1 ? grid.c : 1;
    if (rows < 1 || cols < 1) {
        return 0;
    }
    return buda_lower_tiles((hoist_tile_shape){extent(shape->z),
                                               extent((shape->r + rows - 1) / rows),
                                               extent((shape->c + cols - 1) / cols)});
}

// Only what other ops send: queues are in the device's memory, and may stay where they were read.
static uint64_t bytes_of_core(const buda_lower_code *c)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < c->view.input_count; i++) {
        buda_shape shape = {0};
        const buda_df df = buda_input_df(c->view.op, i);
        if (c->node->inputs[i].kind == BUDA_SOURCE_OP && df != BUDA_DF_NONE &&
            buda_input_shape(&c->view, i, &shape)) {
            bytes += tiles_of_core(&c->view, i, &shape) *
                     buda_tile_bytes(df, TILE_DIM, TILE_DIM, true, c->l->net.arch);
        }
    }
    return bytes;
}

// Estimates are doubles; counts of cycles are integers of at least 1.
static uint64_t rounded(double cycles)
{
    return cycles < 1 ? 1 : cycles < 1e18 ? (uint64_t)llround(cycles) : UINT64_C(1) << 60;
}

buda_lower_op_work buda_lower_work_of(const buda_lower_code *c)
{
    const char *const arch = buda_arch_name((int)c->l->net.arch);
    const hoist_tensix_op op = tensix_of(&c->view);
    hoist_tensix_cycles cycles;
    // The count of a sparse matrix' tiles is in the constants, not in the netlist.
    if (!arch || c->view.identity || !hoist_tensix_estimate(hoist_str_from(arch), &op, &cycles)) {
        return (buda_lower_op_work){.known = false};
    }
    return (buda_lower_op_work){.known = true,
                                .work = {.device = hoist_str_from(arch),
                                         .cycles = rounded(cycles.cycles),
                                         .has_cores = true,
                                         .least_cycles = rounded(cycles.low),
                                         .most_cycles = rounded(cycles.high),
                                         .core_bytes = bytes_of_core(c)}};
}

// Steps that prepare inputs belong to the op, but cost nothing extra.
void buda_lower_begin_inputs(const buda_lower_code *c, const buda_lower_op_work *work)
{
    // Unpacking is part of the op's cycles.
    const hoist_prog_work none = {.device = work->work.device, .has_cores = true};
    if (work->known) {
        hoist_builder_work(c->l->c.b, &none);
    }
}

// The whole estimate goes to the next step; the steps after it until end_work() are parts of it.
void buda_lower_begin_work(const buda_lower_code *c, const buda_lower_op_work *work)
{
    if (work->known) {
        hoist_builder_work(c->l->c.b, &work->work);
    }
}

// NULL ends the attribution: later steps have none.
void buda_lower_end_work(const buda_lower_code *c, uint32_t begin)
{
    // An op that copies only has no step where its result is its input's.
    if (hoist_builder_next_step(c->l->c.b) == begin) {
        hoist_builder_leave_out(c->l->c.b, c->label);
    }
    hoist_builder_work(c->l->c.b, NULL);
}
