// Golden topk (buda-ops reference section 5.10): the k largest of each row, by the reference's
// bitonic network. The network is not a stable sort, so that ties and NaN come out right only when
// every comparison is made.
//
// The reference works on whole rows level by level: all sequences of k elements are sorted, then
// merged in pairs, the pairs in pairs, and so on. A pair needs nothing but its two halves, so here
// the levels run depth first and at most one sequence per level is kept: the scratch memory does
// not grow with the row. Sequences behind the last power of two are never merged into the first, by
// the reference's own count, and are left out.
#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "os/pages.h"

extern const hoist_compute_group hoist_topk_group;

#define MAX_K HOIST_TOPK_MAX_K
#define NEAR_LEVELS 8 // that are kept on the stack
#define ROWS 4

typedef float rows __attribute__((vector_size(4 * ROWS)));

// k elements of four rows.
typedef struct sequence {
    rows value[MAX_K];
    rows index[MAX_K];
} sequence;

typedef struct network {
    const hoist_compute_call *call;
    size_t k;
    unsigned log_k;
    bool is_sorted; // kreduce: sequences come sorted, upwards and downwards by turns
    uint64_t count; // sequences of a row that count, a power of two
} network;

// Rows `first` to `first` + 3 of a row of tiles.
typedef struct place {
    uint64_t tile; // the first tile
    size_t row;
} place;

// Exchanges lanes where the mask is set.
static inline void swap(rows *a, rows *b, hoist_i32x4 where)
{
    const hoist_u32x4 change = ((hoist_u32x4)*a ^ (hoist_u32x4)*b) & (hoist_u32x4)where;
    *a = (rows)((hoist_u32x4)*a ^ change);
    *b = (rows)((hoist_u32x4)*b ^ change);
}

// Elements i of `a` and j of `b`. `inverted`: swaps exactly when they would stay.
static inline void compare(sequence *a, size_t i, sequence *b, size_t j, bool descending,
                           bool inverted)
{
    const rows left = a->value[i];
    const rows right = b->value[j];
    hoist_i32x4 where;
    if (descending) {
        where = (right > left) | ((right < 0) & (left < 0) & (right == left));
    } else {
        where = (right < left) | ((right >= 0) & (left >= 0) & (right == left));
    }
    where = inverted ? ~where : where;
    swap(&a->value[i], &b->value[j], where);
    swap(&a->index[i], &b->index[j], where);
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
        // Sorted ones of up to 16 are left as they are, as the device does.
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

// Only the first k of either.
static void copy_sequence(const network *net, const sequence *from, sequence *to)
{
    memcpy(to->value, from->value, net->k * sizeof *to->value);
    memcpy(to->index, from->index, net->k * sizeof *to->index);
}

// One column of four rows.
static rows load_rows(const float *tile, size_t at)
{
    rows v = {0};
    for (size_t i = 0; i < ROWS; i++) {
        v[i] = tile[at + i * HOIST_TILE_DIM];
    }
    return v;
}

// k columns of values and of indices.
static void load_sequence(const network *net, place from, uint64_t number, sequence *out_s)
{
    for (size_t i = 0; i < net->k; i++) {
        const uint64_t col = number * net->k + i;
        const uint64_t n = from.tile + col / HOIST_TILE_DIM;
        const size_t at = from.row * HOIST_TILE_DIM + col % HOIST_TILE_DIM;
        out_s->value[i] = load_rows(hoist_tile_in(&net->call->inputs[0], n), at);
        out_s->index[i] = load_rows(hoist_tile_in(&net->call->inputs[1], n), at);
    }
}

// Sequences that are kept at once: one of each level.
static size_t count_levels(const network *net)
{
    size_t levels = 1;
    while (net->count >> levels) {
        levels++;
    }
    return levels;
}

// The largest k of each row; one of `levels`.
static const sequence *run_network(const network *net, place from, sequence *levels)
{
    for (uint64_t number = 0;; number++) {
        sequence current;
        load_sequence(net, from, number, &current);
        sort_sequence(net, number, &current);
        unsigned level = 0;
        // Each 1 at the end of the number is a half that waits for this one.
        for (; number >> level & 1; level++) {
            sequence *left = &levels[level];
            for (size_t j = 0; j < net->k; j++) {
                compare(left, j, &current, j, true, false);
            }
            pass(left, 0, net->log_k, (number >> (level + 1)) % 2 == 0, false);
            copy_sequence(net, left, &current);
        }
        copy_sequence(net, &current, &levels[level]);
        if (number + 1 == net->count) {
            return &levels[level];
        }
    }
}

// What the reference's conversion to a 32-bit integer makes of an index, as a float again.
static float whole(float index)
{
    return index >= -0x1p31F && index < 0x1p31F ? (float)(int32_t)index : -0x1p31F;
}

// The k results, then zeros up to the end of the last tile.
static void store_rows(const network *net, const sequence *s, place to)
{
    const bool argmax = net->call->attrs.value[HOIST_TOPK_ARGMAX].integer != 0;
    const size_t tiles = (net->k + HOIST_TILE_DIM - 1) / HOIST_TILE_DIM;
    for (size_t col = 0; col < tiles * HOIST_TILE_DIM; col++) {
        float *tile = hoist_tile_out(&net->call->output, to.tile + col / HOIST_TILE_DIM);
        float *at = tile + to.row * HOIST_TILE_DIM + col % HOIST_TILE_DIM;
        for (size_t i = 0; i < ROWS; i++) {
            float result = 0;
            if (col < net->k) {
                result = argmax ? whole(s->index[col][i]) : s->value[col][i];
            }
            at[i * HOIST_TILE_DIM] = result;
        }
    }
}

// Cores next to each other have rows of their own.
static uint64_t grid_cols_of(const hoist_compute_call *call)
{
    return (uint64_t)call->attrs.value[HOIST_TOPK_GRID_COLS].integer;
}

// A unit is a row of tiles of one grid column.
static size_t topk_work(const hoist_compute_call *call)
{
    const hoist_tile_shape *in = &call->inputs[0].shape;
    return (size_t)(in->z * in->rows * grid_cols_of(call));
}

// Attributes of a call, and how many sequences its rows have.
static network make_network(const hoist_compute_call *call)
{
    network net = {.call = call,
                   .k = (size_t)call->attrs.value[HOIST_TOPK_K].integer,
                   .is_sorted = call->attrs.value[HOIST_TOPK_KREDUCE].integer != 0,
                   .count = 1};
    while ((size_t)2 << net.log_k <= net.k) {
        net.log_k++;
    }
    const uint64_t elements = call->inputs[0].shape.cols / grid_cols_of(call) * HOIST_TILE_DIM;
    while (2 * net.count <= elements / net.k) {
        net.count *= 2;
    }
    return net;
}

static hoist_status topk(const hoist_compute_call *call, size_t begin, size_t end,
                         hoist_compute_fault *out_fault)
{
    (void)out_fault;
    const network net = make_network(call);
    const uint64_t in_cols = call->inputs[0].shape.cols / grid_cols_of(call);
    const uint64_t out_cols = call->output.shape.cols / grid_cols_of(call);
    sequence near[NEAR_LEVELS];
    const size_t levels = count_levels(&net);
    const bool is_far = levels > NEAR_LEVELS;
    const hoist_mut_bytes pages = hoist_pages_alloc(is_far ? levels * sizeof(sequence) : 0);
    if (is_far && !pages.data) {
        return HOIST_NO_MEMORY;
    }
    // Only very long rows have more levels than the stack has space for.
    sequence *const kept = is_far ? (sequence *)(void *)pages.data : near;
    for (size_t unit = begin; unit < end; unit++) {
        for (size_t row = 0; row < HOIST_TILE_DIM; row += ROWS) {
            const sequence *s = run_network(&net, (place){unit * in_cols, row}, kept);
            store_rows(&net, s, (place){unit * out_cols, row});
        }
    }
    hoist_pages_free(pages);
    return HOIST_OK;
}

enum { FIRST = HOIST_GOLDEN_TOPK };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_TOPK - FIRST] = {.work = topk_work, .run = topk},
};
const hoist_compute_group hoist_topk_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
