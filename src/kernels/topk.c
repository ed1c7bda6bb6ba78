// Golden topk (buda-ops reference section 5.10): the k largest of each row, by the reference's
// bitonic network. The network is not a stable sort, so that ties and NaN come out right only when
// every comparison is made.
//
// The reference works on whole rows level by level: all sequences of k elements are sorted, then
// merged in pairs, the pairs in pairs, and so on. A pair needs nothing but its two halves, so here
// the levels run depth first and at most one sequence per level is kept: the scratch memory does
// not grow with the row. Sequences behind the last power of two are never merged into the first, by
// the reference's own count, and are left out.
#include <string.h>

#include "kernels/compute_table.h"

extern const hoist_compute_row hoist_topk_rows[HOIST_COMPUTE_COUNT];

#define MAX_K HOIST_TOPK_MAX_K
#define MAX_LEVELS 64

typedef struct sequence {
    float value[MAX_K];
    float index[MAX_K];
} sequence;

typedef struct network {
    size_t k;
    unsigned log_k;
    bool is_sorted; // kreduce: sequences come sorted, upwards and downwards by turns
} network;

static bool must_swap(bool descending, float left, float right)
{
    if (descending) {
        return right > left || (right < 0 && left < 0 && right == left);
    }
    return right < left || (right >= 0 && left >= 0 && right == left);
}

static void swap(float *a, float *b)
{
    const float c = *a;
    *a = *b;
    *b = c;
}

// Elements i of `a` and j of `b`. `inverted`: swaps exactly when they would stay.
static void compare(sequence *a, size_t i, sequence *b, size_t j, bool descending, bool inverted)
{
    if (must_swap(descending, a->value[i], b->value[j]) != inverted) {
        swap(&a->value[i], &b->value[j]);
        swap(&a->index[i], &b->index[j]);
    }
}

// One bitonic pass over elements [base, base + (1 << steps)).
static void pass(sequence *s, size_t base, unsigned steps, bool descending, bool inverted)
{
    for (unsigned step = steps; step > 0; step--) {
        const size_t distance = (size_t)1 << (step - 1);
        for (size_t i = 0; i < (size_t)1 << steps; i += 2 * distance) {
            for (size_t j = 0; j < distance; j++) {
                const size_t left = base + i + j;
                compare(s, left, s, left + distance, descending, inverted);
            }
        }
    }
}

// Sorts sequence `number` of its row, as the device does; the directions alternate.
static void sort_sequence(const network *net, uint64_t number, sequence *s)
{
    if (net->is_sorted) {
        if (net->k > 16) {
            pass(s, 0, net->log_k, number % 2 == 0, false);
        }
        return;
    }
    for (unsigned phase = 0; phase < net->log_k; phase++) {
        const size_t size = (size_t)2 << phase;
        for (size_t base = 0; base < net->k; base += size) {
            const uint64_t at = number * net->k + base;
            const bool inverted = net->k >= 64 && phase >= 3 && phase < 5 && at % 128 >= 64;
            pass(s, base, phase + 1, at / size % 2 == 0, inverted);
        }
    }
}

// Sequence `number` of row `r` of the tiles from input tile `first_tile`.
static void load_sequence(const hoist_compute_call *call, const network *net, uint64_t first_tile,
                          size_t r, uint64_t number, sequence *out_s)
{
    for (size_t i = 0; i < net->k; i++) {
        const uint64_t at = number * net->k + i;
        const uint64_t n = first_tile + at / HOIST_TILE_DIM;
        const size_t place = r * HOIST_TILE_DIM + at % HOIST_TILE_DIM;
        out_s->value[i] = hoist_tile_in(&call->inputs[0], n)[place];
        out_s->index[i] = hoist_tile_in(&call->inputs[1], n)[place];
    }
}

// The largest k of `count` sequences (a power of two) into levels[log2 count].
static const sequence *run_network(const hoist_compute_call *call, const network *net,
                                   uint64_t first_tile, size_t r, uint64_t count,
                                   sequence levels[MAX_LEVELS])
{
    sequence *kept = levels;
    for (uint64_t number = 0; number < count; number++) {
        sequence current;
        load_sequence(call, net, first_tile, r, number, &current);
        sort_sequence(net, number, &current);
        unsigned level = 0;
        for (; number >> level & 1; level++) {
            sequence *left = &levels[level];
            for (size_t j = 0; j < net->k; j++) {
                compare(left, j, &current, j, true, false);
            }
            pass(left, 0, net->log_k, (number >> (level + 1)) % 2 == 0, false);
            current = *left;
        }
        kept = &levels[level];
        *kept = current;
    }
    return kept;
}

// What the reference's conversion to a 32-bit integer makes of an index, as a float again.
static float whole(float index)
{
    return index >= -0x1p31F && index < 0x1p31F ? (float)(int32_t)index : -0x1p31F;
}

static uint64_t grid_cols_of(const hoist_compute_call *call)
{
    return (uint64_t)call->attrs.value[HOIST_TOPK_GRID_COLS].integer;
}

// Row `r` of the output tiles from `first_tile`: the k results, then zeros.
static void store_row(const hoist_compute_call *call, const network *net, const sequence *s,
                      uint64_t first_tile, size_t r)
{
    const bool argmax = call->attrs.value[HOIST_TOPK_ARGMAX].integer != 0;
    const size_t tiles = (net->k + HOIST_TILE_DIM - 1) / HOIST_TILE_DIM;
    for (size_t i = 0; i < tiles * HOIST_TILE_DIM; i++) {
        float *tile = hoist_tile_out(&call->output, first_tile + i / HOIST_TILE_DIM);
        float result = 0;
        if (i < net->k) {
            result = argmax ? whole(s->index[i]) : s->value[i];
        }
        tile[r * HOIST_TILE_DIM + i % HOIST_TILE_DIM] = result;
    }
}

// A unit is a row of tiles of one grid column.
static size_t topk_work(const hoist_compute_call *call)
{
    const hoist_tile_shape *in = &call->inputs[0].shape;
    return (size_t)(in->z * in->rows * grid_cols_of(call));
}

static hoist_status topk(const hoist_compute_call *call, size_t begin, size_t end,
                         hoist_compute_fault *out_fault)
{
    (void)out_fault;
    network net = {.k = (size_t)call->attrs.value[HOIST_TOPK_K].integer,
                   .is_sorted = call->attrs.value[HOIST_TOPK_KREDUCE].integer != 0};
    while ((size_t)2 << net.log_k <= net.k) {
        net.log_k++;
    }
    const uint64_t grid_cols = grid_cols_of(call);
    const uint64_t in_cols = call->inputs[0].shape.cols / grid_cols;
    const uint64_t out_cols = call->output.shape.cols / grid_cols;
    uint64_t count = 1; // sequences that count: the largest power of two
    while (2 * count * net.k <= in_cols * HOIST_TILE_DIM) {
        count *= 2;
    }
    sequence levels[MAX_LEVELS];
    for (size_t unit = begin; unit < end; unit++) {
        for (size_t r = 0; r < HOIST_TILE_DIM; r++) {
            const sequence *s = run_network(call, &net, unit * in_cols, r, count, levels);
            store_row(call, &net, s, unit * out_cols, r);
        }
    }
    return HOIST_OK;
}

const hoist_compute_row hoist_topk_rows[HOIST_COMPUTE_COUNT] = {
    [HOIST_GOLDEN_TOPK] = {topk_work, topk},
};
