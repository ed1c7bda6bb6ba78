// Memory of a rank: its space, a buffer for each local memory, constants and temporary results, and
// tensors as views of them (ark reference section 4). In: the graph of the rank's file. Out: rows
// of the program; views are rows only when a step uses them (views.h).
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/ark/overlap.h"
#include "lower/ark/state.h"
#include "tensor/convert.h"

// Buffers of an arena are aligned to this: a line of the cache, and any vector. ARK's own arena
// aligns no buffers.
enum { ALIGNMENT = 64 };

// Zero at first, then what the last run left: buffers are the state of a session (section 4).
static hoist_ref add_buffer(ark_lower_job *j, const ark_lower_rank *rank, uint32_t index)
{
    const ark_memory *memory = &rank->graph->memories[index];
    const hoist_str name = hoist_lower_name(&j->c, rank->prefix, "buffer:%" PRId64, memory->id);
    hoist_loc loc = hoist_loc_pos(memory->row->pos);
    loc.source = rank->source;
    return hoist_builder_buffer(j->c.b, &(hoist_prog_buffer){.name = name,
                                                             .loc = loc,
                                                             .space = rank->space,
                                                             .size = memory->size,
                                                             .alignment = ALIGNMENT,
                                                             .window_of = HOIST_NO_REF,
                                                             .contents = HOIST_CONTENTS_ZERO,
                                                             .lifetime = HOIST_LIFETIME_SESSION,
                                                             .layout = HOIST_NO_REF});
}

// Proxies have no buffer here, nor has memory without a valid tensor.
void ark_lower_memory(ark_lower_job *j, ark_lower_rank *rank)
{
    const ark_graph *graph = rank->graph;
    rank->space = hoist_builder_space(
        j->c.b, &(hoist_prog_space){.name = hoist_lower_format(&j->c, "rank%" PRIu32, rank->number),
                                    .loc = hoist_loc_none(),
                                    .alignment = ALIGNMENT,
                                    .home = rank->number});
    rank->buffers = hoist_lower_array(&j->c, (size_t)graph->memory_count + 1, sizeof(hoist_ref));
    for (uint32_t i = 0; rank->buffers && i < graph->memory_count; i++) {
        const ark_memory *memory = &graph->memories[i];
        const bool is_here = memory->valid && memory->local && memory->size > 0;
        rank->buffers[i] = is_here ? add_buffer(j, rank, i) : HOIST_NO_REF;
    }
}

// Tensors ---------------------------------------------------------------------------------------

// False of proxies.
bool ark_lower_is_here(const ark_lower_rank *rank, uint32_t value)
{
    HOIST_ASSERT(value < rank->graph->value_count);
    return rank->buffers[rank->graph->values[value].memory] != HOIST_NO_REF;
}

// What is not certain counts as an overlap: it costs a temporary result and is right either way.
bool ark_lower_overlap(const ark_lower_rank *rank, uint32_t a, uint32_t b)
{
    HOIST_ASSERT(a < rank->graph->value_count && b < rank->graph->value_count);
    const ark_value *values = rank->graph->values;
    return ark_values_overlap(&values[a], &values[b]) != ARK_APART;
}

// Geometry is the sender's, also in memory of another rank (section 8.1).
hoist_lower_view ark_lower_view_at(const ark_lower_rank *rank, uint32_t value,
                                   const ark_lower_rank *owner, uint32_t memory)
{
    HOIST_ASSERT(value < rank->graph->value_count && memory < owner->graph->memory_count);
    const ark_value *v = &rank->graph->values[value];
    const bool is_char = v->row->dtype.value == ARK_BYTE;
    hoist_lower_view view = {.base = HOIST_VIEW_BUFFER,
                             .of = owner->buffers[memory],
                             .dtype = is_char ? HOIST_DTYPE_I8 : v->dtype,
                             .shape = {.rank = v->rank},
                             .offset = (int64_t)v->offset};
    for (int i = 0; i < v->rank; i++) {
        view.shape.dim[i] = v->shape[i];
        view.stride[i] = v->stride[i];
    }
    return view;
}

hoist_lower_view ark_lower_view(const ark_lower_rank *rank, uint32_t value)
{
    HOIST_ASSERT(value < rank->graph->value_count);
    return ark_lower_view_at(rank, value, rank, rank->graph->values[value].memory);
}

// Strides of dimensions with one element do not count.
bool ark_lower_is_same(const hoist_lower_view *a, const hoist_lower_view *b)
{
    bool same = a->of == b->of && a->offset == b->offset && a->shape.rank == b->shape.rank &&
                hoist_dtype_get(a->dtype)->bits == hoist_dtype_get(b->dtype)->bits;
    for (int i = 0; same && i < a->shape.rank; i++) {
        same = a->shape.dim[i] == b->shape.dim[i] &&
               (a->stride[i] == b->stride[i] || a->shape.dim[i] == 1);
    }
    return same;
}

// Constants and temporary memory ----------------------------------------------------------------

// A program of control only has zeros in place of the bytes.
static hoist_ref add_constant(const ark_lower_op *op, hoist_dtype dtype, uint64_t bits)
{
    hoist_lower_context *c = &op->job->c;
    const size_t size = hoist_dtype_get(dtype)->bits / 8;
    uint8_t bytes[sizeof bits];
    hoist_store_u64le(bytes, bits);
    const hoist_str name = hoist_lower_numbered(
        c, hoist_lower_joined(c, op->rank->prefix, HOIST_STR("constant")), &op->rank->constants);
    if (!name.data) {
        return HOIST_NO_REF;
    }
    const bool zero = c->options->control_only;
    return hoist_builder_buffer(
        c->b,
        &(hoist_prog_buffer){.name = name,
                             .loc = hoist_loc_none(),
                             .space = op->rank->space,
                             .size = size,
                             .alignment = ALIGNMENT,
                             .window_of = HOIST_NO_REF,
                             .contents = zero ? HOIST_CONTENTS_ZERO : HOIST_CONTENTS_BYTES,
                             .bytes = zero ? (hoist_bytes){NULL, 0} : (hoist_bytes){bytes, size},
                             .lifetime = HOIST_LIFETIME_CONSTANT,
                             .layout = HOIST_NO_REF});
}

// One buffer for each type and bits of a rank. So a program has few of them, however many operators
// use a number. The key is the number of the type and the bits in hexadecimal digits: "1 3f800000".
static hoist_ref find_constant(const ark_lower_op *op, hoist_dtype dtype, uint64_t bits)
{
    hoist_lower_context *c = &op->job->c;
    const hoist_str key = hoist_lower_format(c, "%d %" PRIx64, (int)dtype, bits);
    size_t found = 0;
    if (!key.data) {
        return HOIST_NO_REF;
    }
    if (hoist_map_find(&op->rank->constant_refs, key, &found)) {
        return (hoist_ref)found;
    }
    const hoist_ref ref = add_constant(op, dtype, bits);
    hoist_lower_fail(c, hoist_map_add(&op->rank->constant_refs, key, ref, NULL));
    return ref;
}

hoist_lower_view ark_lower_constant(const ark_lower_op *op, hoist_dtype dtype, double number,
                                    const hoist_shape *shape)
{
    const hoist_rounding nearest = {.mode = HOIST_ROUND_NEAREST};
    const hoist_shape one = {.rank = 0};
    const uint64_t bits = hoist_from_f64(dtype, number, nearest);
    const hoist_lower_view element =
        hoist_lower_view_dense(find_constant(op, dtype, bits), dtype, &one);
    hoist_lower_view view;
    (void)hoist_lower_view_broadcast(&element, shape, &view); // one element always can be
    return view;
}

// It grows by a new buffer where the old one is too small; steps before keep the old one.
hoist_lower_view ark_lower_temporary(const ark_lower_op *op, const hoist_lower_view *like)
{
    hoist_lower_context *c = &op->job->c;
    ark_lower_rank *rank = op->rank;
    // No more than the memory that the result is in: geometry is checked.
    const uint64_t size =
        (uint64_t)hoist_shape_count(&like->shape) * (hoist_dtype_get(like->dtype)->bits / 8);
    if (rank->temporary == HOIST_NO_REF || rank->temporary_size < size) {
        const hoist_str name = hoist_lower_numbered(
            c, hoist_lower_joined(c, rank->prefix, HOIST_STR("temporary")), &rank->temporaries);
        rank->temporary_size = size;
        rank->temporary =
            hoist_builder_buffer(c->b, &(hoist_prog_buffer){.name = name,
                                                            .loc = hoist_loc_none(),
                                                            .space = rank->space,
                                                            .size = size,
                                                            .alignment = ALIGNMENT,
                                                            .window_of = HOIST_NO_REF,
                                                            .contents = HOIST_CONTENTS_UNDEFINED,
                                                            .lifetime = HOIST_LIFETIME_RUN,
                                                            .layout = HOIST_NO_REF});
    }
    return hoist_lower_view_dense(rank->temporary, like->dtype, &like->shape);
}
