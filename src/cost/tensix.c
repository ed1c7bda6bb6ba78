// The op model of Tenstorrent's compiler, in formulas of our own. In: an op's type, format and
// extents. Out: cycles and the row of weights. Facts: tensix_weights.inc. Neighbours:
// lower/buda/work.c asks, model.c makes times of it.
#include "cost/tensix.h"

#include <string.h>

#include "base/span.h"

#define GRAYSKULL 1u
// Blackhole's file of weights is Wormhole's.
#define WORMHOLE 2u

// The formulas that rows have weights for.
typedef enum form {
    EACH,   // ublocks, tiles
    BINARY, // the same, by the bytes of the format
    SLICES, // what each slice along z after the first takes: ublocks, tiles, once more
    PLAIN,  // products of Grayskull: steps of the inner dimension, ublocks, tiles
    MATMUL, // products: phases of tiles, spills, unpacked ublocks and tiles
    SPARSE,
} form;

enum { MOST_WEIGHTS = 12, LOFI = 1, HIFI2 = 2 };

#define BFP HOIST_TENSIX_BFP
#define INT8 HOIST_TENSIX_INT8
#define INT32 HOIST_TENSIX_INT32
#define APPROXIMATE HOIST_TENSIX_APPROXIMATE
#define ROWS HOIST_TENSIX_ROWS
#define COLUMNS HOIST_TENSIX_COLUMNS
#define L1 HOIST_TENSIX_L1
#define DIM_C HOIST_TENSIX_DIM_C

typedef struct weights {
    unsigned devices;
    form form;
    double value[MOST_WEIGHTS];
    hoist_tensix_row row;
} weights;

// Cycles of the stages of a sparse product, by the smallest block that they hold for.
typedef struct stages {
    uint32_t phases;
    uint8_t ublock_rt;
    uint8_t ublock_ct;
    uint8_t ublock_kt;
    uint16_t product; // of a tile, which is decoded
    uint16_t reload;
    uint16_t pack;
} stages;

// Places of the weights of SPARSE.
enum {
    TILE,
    RELOAD,
    RELOAD_CONFIG,
    RELOAD_WAIT,
    PACK_WAIT,
    PACK,
    UBLOCK,
    NZ_UBLOCK,
    NZ_TILE,
    STAGE_UBLOCK,
    STAGE_NZ_UBLOCK,
    STAGE_NZ_STRIP,
};

#define ROW(devices, type, traits, form, low, high, measured, ...)                                 \
    {devices, form, {__VA_ARGS__}, {type, traits, low, high, measured}},
static const weights table[] = {
#include "cost/tensix_weights.inc"
};

#define STAGES(...) {__VA_ARGS__},
static const stages blocks[] = {
#include "cost/tensix_stages.inc"
};

const char hoist_tensix_source[] = "tenstorrent/tt-budabackend 98e4252d, perf_lib/op_model: params "
                                   "(the vendor's fit to its measurements), "
                                   "scripts/perf_data (nine of ten measurements lie in the "
                                   "range); hlks (what kernels leave out)";

// Rows ----------------------------------------------------------------------------------------

static unsigned device_bit(hoist_str device)
{
    return hoist_str_equal_c(device, "grayskull") ? GRAYSKULL
           : hoist_str_equal_c(device, "wormhole") || hoist_str_equal_c(device, "wormhole_b0") ||
                   hoist_str_equal_c(device, "blackhole")
               ? WORMHOLE
               : 0;
}

// The type that weights are kept under: two kernels have types of their own.
static hoist_str type_of(const hoist_tensix_op *op)
{
    return op->is_sparse ? HOIST_STR("matmul_sparse") : op->z ? HOIST_STR("reduce_z") : op->type;
}

// The most special row comes last.
static const weights *find(unsigned device, const hoist_tensix_op *op)
{
    const hoist_str type = type_of(op);
    const weights *found = NULL;
    for (size_t i = 0; i < HOIST_COUNT_OF(table); i++) {
        const weights *const w = &table[i];
        if ((w->devices & device) && hoist_str_equal_c(type, w->row.type) &&
            (w->row.traits & op->traits) == w->row.traits) {
            found = w;
        }
    }
    return found;
}

// Formulas ------------------------------------------------------------------------------------

typedef struct extents {
    double t, m, n, k;    // blocks
    double rt, ct, kt, z; // tiles in each
    double phases;
} extents;

static double at_least_1(uint64_t extent)
{
    return extent ? (double)extent : 1;
}

static extents extents_of(const hoist_tensix_op *op)
{
    return (extents){
        at_least_1(op->t),         at_least_1(op->mblock_m),  at_least_1(op->mblock_n),
        at_least_1(op->mblock_k),  at_least_1(op->ublock_rt), at_least_1(op->ublock_ct),
        at_least_1(op->ublock_kt), at_least_1(op->z),         at_least_1(op->phases)};
}

static double each(const double *w, const extents *e, double bytes)
{
    const double ublocks = e->m * e->n;
    return e->t * (ublocks * w[0] + ublocks * e->rt * e->ct * w[1] * bytes);
}

// Departs from the vendor's, which takes as long for the first slice: its kernel only copies that
// one (hlks/reduce/reduce_z_dim_max_stream.cpp).
static double slices(unsigned device, const weights *w, const hoist_tensix_op *op, const extents *e)
{
    hoist_tensix_op copy = *op;
    copy.type = HOIST_STR("nop");
    copy.z = 0;
    const weights *const first = find(device, &copy);
    const double later = each(w->value, e, 1) + e->t * w->value[2];
    return (e->z - 1) * later + (first ? each(first->value, e, 1) : 0);
}

static double plain(const double *w, const extents *e)
{
    const double ublocks = e->k * e->m * e->n;
    return e->t * ((e->k - 1) * w[0] + ublocks * w[1] +
                   ublocks * e->kt * e->rt * e->ct * w[2] * e->phases);
}

static double product(const double *w, const extents *e)
{
    const double ublocks = e->k * e->m * e->n;
    const double spilled = (e->k - 1) * e->m * e->n * e->rt * e->ct;
    const double unpacked = ublocks * e->kt * e->rt * (1 + e->ct);
    return e->t * (ublocks * e->kt * e->rt * e->ct * e->phases * w[0] + spilled * w[1] +
                   ublocks * w[2] + unpacked * w[3]);
}

// Without the counts of what is not zero: from the tiles alone.
static double sparse(const double *w, const extents *e, double tiles)
{
    const double tile = e->ct * e->rt;
    const double full = tiles / (e->t * tile);
    const double all = full > e->t * e->k * e->m ? full : e->t * e->k * e->m;
    const double loaded = w[RELOAD_CONFIG] + w[RELOAD] * tile;
    const double reload = (all * w[RELOAD_WAIT] + full * loaded) * e->n +
                          (e->k > 1 ? e->m * e->t * loaded * e->n : 0);
    const double pack =
        w[PACK_WAIT] * (all - full) * e->n + w[PACK] * 2 * e->t * e->n * e->m * tile;
    const double decode = tiles * w[NZ_TILE] * (2 + e->n) + all * w[UBLOCK] + full * w[NZ_UBLOCK];
    return tiles * e->n * e->ct * w[TILE] * e->phases + reload + pack + decode;
}

// The greatest block that is no larger than the op's: of rows, then of columns, then of the inner
// dimension.
static const stages *find_stages(const hoist_tensix_op *op)
{
    const stages *found = NULL;
    for (size_t i = 0; i < HOIST_COUNT_OF(blocks); i++) {
        const stages *const s = &blocks[i];
        if ((s->phases == LOFI) == (op->phases == LOFI) && s->ublock_rt <= op->ublock_rt &&
            s->ublock_ct <= op->ublock_ct && s->ublock_kt <= op->ublock_kt) {
            found = s;
        }
    }
    return found;
}

static double sparse_by_stages(const double *w, const stages *s, const extents *e,
                               const hoist_tensix_op *op)
{
    // HiFi3 and HiFi4 are HiFi2, longer by these.
    static const double longer[] = {1, 1, 1, 1.2, 1.7};
    const double tile = e->ct * e->rt;
    const double strips = (double)op->nz_strips;
    const double ublocks = (double)op->nz_ublocks;
    const double decode =
        strips * e->m * w[STAGE_UBLOCK] + ublocks * w[STAGE_NZ_UBLOCK] + strips * w[STAGE_NZ_STRIP];
    const double products = (double)op->nz_tiles * e->n * e->ct * s->product *
                            longer[op->phases < HOIST_COUNT_OF(longer) ? op->phases : 1];
    // Departs from the vendor's, which reloads all: the kernel has nothing to reload for the first
    // strip of each t (hlks/matmul/matmul_ident.cpp). Strips have as many ublocks each on average.
    // Ublocks of zeros, which it reloads for the last strip where buffers are not shared, do not
    // count.
    const double later = strips > e->t ? ublocks * (strips - e->t) / strips : 0;
    const double reload = later * e->n * tile * s->reload;
    return decode + products + reload + e->t * e->n * e->m * tile * s->pack;
}

// The stages were measured for two pairs of format and phases.
static const stages *stages_of(const weights *w, const hoist_tensix_op *op)
{
    const bool is_measured = op->phases == LOFI ? (op->traits & HOIST_TENSIX_BFP) != 0
                                                : (op->traits & HOIST_TENSIX_FLOAT16) != 0;
    return w->value[STAGE_UBLOCK] > 0 && op->nz_ublocks && op->nz_strips && is_measured
               ? find_stages(op)
               : NULL;
}

static double cycles_of(unsigned device, const weights *w, const hoist_tensix_op *op)
{
    const extents e = extents_of(op);
    const stages *stage = NULL;
    switch (w->form) {
    case EACH:
        return each(w->value, &e, 1);
    case BINARY:
        return each(w->value, &e,
                    op->traits & HOIST_TENSIX_FLOAT32   ? 4
                    : op->traits & HOIST_TENSIX_FLOAT16 ? 2
                                                        : 1);
    case SLICES:
        return slices(device, w, op, &e);
    case PLAIN:
        return plain(w->value, &e);
    case MATMUL:
        return product(w->value, &e);
    case SPARSE:
        stage = stages_of(w, op);
        return stage ? sparse_by_stages(w->value, stage, &e, op)
                     : sparse(w->value, &e, (double)op->nz_tiles);
    }
    return 0;
}

bool hoist_tensix_estimate(hoist_str device, const hoist_tensix_op *op,
                           hoist_tensix_cycles *out_cycles)
{
    const unsigned bit = device_bit(device);
    const weights *const w = find(bit, op);
    *out_cycles = (hoist_tensix_cycles){0};
    if (w) {
        const double cycles = cycles_of(bit, w, op);
        const bool is_measured = w->row.measured > 0;
        const double low = is_measured ? w->row.low : 1 / 1.1;
        const double high = is_measured ? w->row.high : 1 / 0.8;
        *out_cycles = (hoist_tensix_cycles){cycles, cycles * (low < 1 ? low : 1),
                                            cycles * (high > 1 ? high : 1), &w->row};
    }
    return w != NULL;
}

const hoist_tensix_row *hoist_tensix_row_at(size_t index)
{
    return index < HOIST_COUNT_OF(table) ? &table[index].row : NULL;
}
