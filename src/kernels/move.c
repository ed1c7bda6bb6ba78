#include "kernels/move.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "tensor/convert.h"
#include "tensor/element.h"

enum { CHUNK = 256 }; // elements on the way at a time

#define CHUNK_BYTES ((size_t)CHUNK * HOIST_ELEMENT_MAX_SIZE)

// A move with its sources transposed: elements in linear order on both sides.
typedef struct mover {
    const hoist_view_move *move;
    hoist_view sources[HOIST_MOVE_MAX_VIEWS];
    uint64_t count; // elements of the destination
    bool exact;     // minimum or maximum of integers: no floats between
    bool through;   // float32 also between equal types
} mover;

static hoist_view transposed(const hoist_view *view, size_t rank, const uint8_t *axes)
{
    hoist_view turned = *view;
    for (size_t i = 0; i < rank; i++) {
        turned.shape.dim[i] = view->shape.dim[axes[i]];
        turned.stride[i] = view->stride[axes[i]];
    }
    return turned;
}

static uint64_t count_of(const hoist_view *view)
{
    return (uint64_t)hoist_shape_count(&view->shape);
}

// Elements [begin, begin + count) of a view as float32.
static void read_values(const hoist_view *view, uint64_t begin, size_t count, float *values)
{
    uint8_t line[CHUNK_BYTES];
    hoist_elements_read(view, begin, count, line);
    hoist_elements_to_f32(view->dtype, line, count, values);
}

// Elements [begin, begin + count) of a view as elements of `dtype`.
static void read_as(const hoist_view *view, uint64_t begin, size_t count, hoist_dtype dtype,
                    uint8_t *line)
{
    float values[CHUNK];
    read_values(view, begin, count, values);
    hoist_elements_from_f32(dtype, values, count, line);
}

static void read_copy(const mover *m, uint64_t begin, size_t count, uint8_t *line)
{
    const hoist_dtype dtype = m->move->destination.dtype;
    if (m->sources[0].dtype == dtype && !m->through) {
        hoist_elements_read(&m->sources[0], begin, count, line);
    } else {
        read_as(&m->sources[0], begin, count, dtype, line);
    }
}

// Element `at` of the sources joined; it exists.
static void read_joined(const mover *m, uint64_t at, hoist_dtype dtype, uint8_t *element)
{
    const hoist_view *source = m->sources;
    for (; at >= count_of(source); source++) {
        at -= count_of(source);
    }
    if (source->dtype == dtype) {
        hoist_elements_read(source, at, 1, element);
    } else {
        read_as(source, at, 1, dtype, element);
    }
}

static void gather_by_table(const mover *m, uint64_t begin, size_t count, uint8_t *line)
{
    const hoist_dtype dtype = m->move->destination.dtype;
    const size_t size = hoist_element_size(dtype);
    for (size_t i = 0; i < count; i++) {
        const int32_t at = m->move->table[begin + i];
        if (at < 0) {
            hoist_elements_from_f32(dtype, &m->move->fill, 1, line + i * size);
        } else {
            read_joined(m, (uint64_t)at, dtype, line + i * size);
        }
    }
}

// `sum` and the next operand. NaN: either gives NaN.
static float fold(hoist_move_kernel op, float sum, float next)
{
    switch (op) {
    case HOIST_KERNEL_MIN:
        return next < sum || isnan(next) ? next : sum;
    case HOIST_KERNEL_MAX:
        return next > sum || isnan(next) ? next : sum;
    default:
        return sum + next;
    }
}

static void fold_values(const mover *m, uint64_t begin, size_t count, uint8_t *line)
{
    const hoist_view_move *move = m->move;
    float sum[CHUNK];
    float next[CHUNK];
    for (size_t i = 0; i < count; i++) {
        sum[i] = (float)move->start;
    }
    for (size_t s = 0; s < move->source_count; s++) {
        read_values(&m->sources[s], begin, count, next);
        for (size_t i = 0; i < count; i++) {
            next[i] = move->op == HOIST_KERNEL_FMA ? move->scales[s] * next[i] : next[i];
            sum[i] = s == 0 && !move->has_start ? next[i] : fold(move->op, sum[i], next[i]);
        }
    }
    hoist_elements_from_f32(move->destination.dtype, sum, count, line);
}

// A 32-bit integer element as a number.
static int64_t integer_of(hoist_dtype dtype, const uint8_t *element)
{
    const uint32_t bits = hoist_load_u32le(element);
    return dtype == HOIST_DTYPE_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
}

static void fold_integers(const mover *m, uint64_t begin, size_t count, uint8_t *line)
{
    const hoist_view_move *move = m->move;
    const hoist_dtype dtype = move->destination.dtype;
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    const uint32_t start = (uint32_t)hoist_from_f64(dtype, move->start, nearest);
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(line + 4 * i, start);
    }
    for (size_t s = 0; s < move->source_count; s++) {
        uint8_t next[CHUNK_BYTES];
        hoist_elements_read(&m->sources[s], begin, count, next);
        for (size_t i = 0; i < count; i++) {
            const int64_t a = integer_of(dtype, line + 4 * i);
            const int64_t b = integer_of(dtype, next + 4 * i);
            const bool first = s == 0 && !move->has_start;
            if (first || (move->op == HOIST_KERNEL_MIN ? b < a : b > a)) {
                memcpy(line + 4 * i, next + 4 * i, 4);
            }
        }
    }
}

// Elements [begin, begin + count) of the destination; at most CHUNK.
static void produce(const mover *m, uint64_t begin, size_t count, uint8_t *line)
{
    if (m->move->table) {
        gather_by_table(m, begin, count, line);
    } else if (m->move->op <= HOIST_KERNEL_CAST) {
        read_copy(m, begin, count, line);
    } else if (m->exact) {
        fold_integers(m, begin, count, line);
    } else {
        fold_values(m, begin, count, line);
    }
}

static bool is_exact(const hoist_view_move *move)
{
    return move->arithmetic == HOIST_DTYPE_I32 || move->arithmetic == HOIST_DTYPE_U32;
}

// Judges the sources: as many elements as the destination, or all that the table names.
static hoist_status check(const mover *m)
{
    const hoist_view_move *move = m->move;
    if (move->op <= HOIST_KERNEL_CAST && !move->table && move->source_count != 1) {
        return HOIST_INVALID;
    }
    uint64_t joined = 0;
    for (size_t i = 0; i < move->source_count; i++) {
        const uint64_t count = count_of(&move->sources[i]);
        if (!move->table && count != m->count) {
            return HOIST_INVALID;
        }
        joined += count;
    }
    for (uint64_t i = 0; move->table && i < m->count; i++) {
        if (move->table[i] >= 0 && (uint64_t)move->table[i] >= joined) {
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

static hoist_status init(const hoist_view_move *move, mover *m)
{
    *m = (mover){.move = move,
                 .count = count_of(&move->destination),
                 .exact = is_exact(move),
                 .through = move->op == HOIST_KERNEL_CAST};
    for (size_t i = 0; i < move->source_count; i++) {
        const hoist_view *view = &move->sources[i];
        if (move->transpose_rank > 0 && move->transpose_rank != (size_t)view->shape.rank) {
            return HOIST_INVALID;
        }
        m->sources[i] = transposed(view, move->transpose_rank, move->transpose_axes);
    }
    return check(m);
}

static size_t chunk_at(const mover *m, uint64_t at)
{
    return m->count - at < CHUNK ? (size_t)(m->count - at) : CHUNK;
}

static void move_directly(const mover *m)
{
    uint8_t line[CHUNK_BYTES];
    for (uint64_t at = 0; at < m->count; at += CHUNK) {
        const size_t count = chunk_at(m, at);
        produce(m, at, count, line);
        hoist_elements_write(&m->move->destination, at, count, line);
    }
}

// Where the destination lies on a source: the whole result first, then writes.
static hoist_status move_through_scratch(const mover *m, hoist_allocator alloc)
{
    const size_t size = hoist_element_size(m->move->destination.dtype);
    size_t bytes = 0;
    if (hoist_ckd_size_mul(&bytes, (size_t)m->count, size)) {
        return HOIST_NO_MEMORY;
    }
    uint8_t *scratch = hoist_alloc(alloc, bytes);
    if (!scratch) {
        return HOIST_NO_MEMORY;
    }
    for (uint64_t at = 0; at < m->count; at += CHUNK) {
        produce(m, at, chunk_at(m, at), scratch + at * size);
    }
    hoist_elements_write(&m->move->destination, 0, (size_t)m->count, scratch);
    hoist_free(alloc, scratch, bytes);
    return HOIST_OK;
}

hoist_status hoist_move_views(const hoist_view_move *move, hoist_allocator alloc)
{
    mover m;
    HOIST_TRY(init(move, &m));
    bool overlaps = false;
    for (size_t i = 0; i < move->source_count; i++) {
        overlaps = overlaps || hoist_elements_may_overlap(&move->destination, &move->sources[i]);
    }
    if (overlaps) {
        return move_through_scratch(&m, alloc);
    }
    move_directly(&m);
    return HOIST_OK;
}

static uint64_t tiles_of(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// Tile `at` of the sources joined; it exists.
static const float *joined_tile(const hoist_tile_move *move, uint64_t at)
{
    const hoist_tiles *source = move->sources;
    for (; at >= tiles_of(source); source++) {
        at -= tiles_of(source);
    }
    return hoist_tile_in(source, at);
}

static void fill_tile(float *tile, float value)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tile[i] = value;
    }
}

void hoist_move_tiles(const hoist_tile_move *move, size_t begin, size_t end)
{
    for (size_t n = begin; n < end; n++) {
        float *out = hoist_tile_out(&move->destination, n);
        if (move->table && move->table[n] < 0) {
            fill_tile(out, move->fill);
        } else {
            const uint64_t at = move->table ? (uint64_t)move->table[n] : n;
            memcpy(out, joined_tile(move, at), HOIST_TILE_FLOATS * sizeof *out);
        }
    }
}
