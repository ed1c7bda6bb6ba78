// Operands of random ARK models (ark_generator.h): shapes, views of memory that is there, and new
// memory. In: what an operator needs. Out: a tensor that fits, in a buffer that is large enough.
#include "testing/ark_generator_state.h"

bool gen_is_float(ark_dtype dtype)
{
    return dtype == ARK_FP32 || dtype == ARK_FP16 || dtype == ARK_BF16;
}

size_t gen_size(ark_dtype dtype)
{
    switch (dtype) {
    case ARK_FP16:
    case ARK_BF16:
        return 2;
    case ARK_INT8:
    case ARK_UINT8:
    case ARK_BYTE:
        return 1;
    default:
        return 4;
    }
}

ark_dtype gen_float(gen *g)
{
    static const ark_dtype floats[] = {ARK_FP32, ARK_FP32, ARK_FP16, ARK_BF16};
    return floats[gen_number(g, 4)];
}

ark_dtype gen_dtype(gen *g)
{
    return gen_chance(g, 65) ? gen_float(g) : (ark_dtype)gen_number(g, ARK_DTYPE_COUNT);
}

// Extents are small, the last one sometimes as long as the vectors of a kernel and more.
size_t gen_shape(gen *g, size_t least_rank, int64_t *shape)
{
    const size_t rank = least_rank + (size_t)gen_number(g, GEN_DIMS + 1 - least_rank);
    for (size_t k = 0; k < rank; k++) {
        shape[k] = 1 + (int64_t)gen_number(g, 4);
    }
    if (gen_chance(g, 30)) {
        shape[rank - 1] = 1 + (int64_t)gen_number(g, 40);
    }
    return rank;
}

size_t gen_narrow(gen *g, size_t rank, const int64_t *shape, bool *kept, int64_t *out)
{
    size_t first = 0;
    // Dimensions at the front may be missing, and each may be 1, unless the other operand needs it.
    while (first + 1 < rank && !kept[first] && gen_chance(g, 25)) {
        first++;
    }
    for (size_t k = 0; k < rank; k++) {
        const bool narrow = k < first || (!kept[k] && gen_chance(g, 20));
        kept[k] = narrow && shape[k] > 1; // by the other one
        if (k >= first) {
            out[k - first] = narrow ? 1 : shape[k];
        }
    }
    return rank - first;
}

// Geometry ---------------------------------------------------------------------------------------

// Puts a tensor somewhere in an array with space around it.
static void place(gen *g, gen_tensor *t, bool padding)
{
    for (size_t k = 0; k < t->rank; k++) {
        t->padded[k] = t->shape[k] + (padding && gen_chance(g, 25) ? (int64_t)gen_number(g, 3) : 0);
        t->offsets[k] = gen_chance(g, 40) ? (int64_t)gen_number(g, 3) : 0;
        t->dims[k] =
            t->offsets[k] + t->padded[k] + (gen_chance(g, 30) ? (int64_t)gen_number(g, 3) : 0);
    }
}

static gen_tensor *fresh(gen *g, gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                         bool padding)
{
    gen_tensor *const t = gen_new_tensor(r, dtype, rank, shape, gen_new_buffer(r, -1, dtype));
    if (gen_chance(g, 35)) {
        place(g, t, padding);
    }
    t->buffer->is_external = g->is_d4 && gen_chance(g, 50);
    t->buffer->memory.size = gen_bytes_of(t);
    return t;
}

// A view of a buffer that is there, of its type or, rarely, of another one; NULL: none was found.
static gen_tensor *view(gen *g, gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                        bool padding)
{
    enum { TRIES = 4 };
    const bool other_type = gen_chance(g, 6);
    for (int i = 0; i < TRIES && r->buffer_count; i++) {
        gen_buffer *const b = &r->buffers[gen_number(g, r->buffer_count)];
        gen_tensor t = {.dtype = dtype, .rank = rank, .buffer = b};
        for (size_t k = 0; k < rank; k++) {
            t.shape[k] = shape[k];
        }
        place(g, &t, padding);
        if (b->is_local && !b->is_fixed && (b->memory.dtype == dtype || other_type) &&
            gen_bytes_of(&t) <= b->memory.size) {
            t.id = r->next_tensor;
            gen_tensor *const out = gen_new_tensor(r, dtype, rank, shape, b);
            *out = t;
            return out;
        }
    }
    return NULL;
}

static bool same_shape(const gen_tensor *t, size_t rank, const int64_t *shape)
{
    bool same = t->rank == rank;
    for (size_t k = 0; same && k < rank; k++) {
        same = t->shape[k] == shape[k];
    }
    return same;
}

static bool is_padded(const gen_tensor *t)
{
    bool padded = false;
    for (size_t k = 0; k < t->rank; k++) {
        padded = padded || t->padded[k] != t->shape[k];
    }
    return padded;
}

// Operands ---------------------------------------------------------------------------------------

const gen_tensor *gen_input(gen *g, gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                            bool padding)
{
    const gen_tensor *found = NULL;
    size_t fits = 0;
    for (size_t i = 0; i < r->pool_count; i++) {
        const gen_tensor *const t = r->pool[i];
        if (t->dtype == dtype && same_shape(t, rank, shape) && (padding || !is_padded(t)) &&
            gen_number(g, ++fits) == 0) {
            found = t;
        }
    }
    if (found && gen_chance(g, 85)) {
        return found;
    }
    const gen_tensor *t = gen_chance(g, 50) ? view(g, r, dtype, rank, shape, padding) : NULL;
    t = t ? t : fresh(g, r, dtype, rank, shape, padding);
    gen_add_to_pool(r, t);
    return t;
}

const gen_tensor *gen_any(gen *g, gen_rank *r, ark_dtype dtype)
{
    const gen_tensor *found = NULL;
    int64_t shape[GEN_DIMS];
    size_t fits = 0;
    for (size_t i = 0; i < r->pool_count; i++) {
        if (r->pool[i]->dtype == dtype && gen_number(g, ++fits) == 0) {
            found = r->pool[i];
        }
    }
    if (found && gen_chance(g, 85)) {
        return found;
    }
    const size_t rank = gen_shape(g, 1, shape);
    return gen_input(g, r, dtype, rank, shape, true);
}

const gen_tensor *gen_output(gen *g, gen_rank *r, ark_dtype dtype, size_t rank,
                             const int64_t *shape, const gen_tensor *in_place)
{
    if (in_place && in_place->dtype == dtype && same_shape(in_place, rank, shape) &&
        !in_place->buffer->is_fixed && gen_chance(g, 35)) {
        return in_place;
    }
    const gen_tensor *const t = gen_chance(g, 25) ? view(g, r, dtype, rank, shape, true) : NULL;
    return t ? t : fresh(g, r, dtype, rank, shape, true);
}

const gen_tensor *gen_exact_output(gen *g, gen_rank *r, ark_dtype dtype, size_t rank,
                                   const int64_t *shape)
{
    const gen_tensor *const t = gen_chance(g, 25) ? view(g, r, dtype, rank, shape, false) : NULL;
    return t ? t : fresh(g, r, dtype, rank, shape, false);
}
