// The data step of a collective: its result is made in scratch memory from the members' sources and
// then given to their destinations. steps.c calls it once for all members.
#include "runtime/collective.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"

// What everything is done with.
typedef struct tools {
    const hoist_move_kernels *kernels;
    hoist_allocator alloc;
} tools;

// Elements that are one after the other in memory of our own.
typedef struct scratch {
    hoist_mut_bytes bytes; // owned
    hoist_dtype dtype;
    int64_t count;
} scratch;

static hoist_status scratch_take(scratch *s, hoist_dtype dtype, int64_t count, const tools *with)
{
    HOIST_ASSERT(count >= 0);
    const size_t size = hoist_dtype_get(dtype)->bits / 8;
    *s = (scratch){.dtype = dtype, .count = count};
    // One element more, so that no scratch is empty.
    s->bytes.data = hoist_alloc_zero(with->alloc, (size_t)count + 1, size);
    s->bytes.size = s->bytes.data ? ((size_t)count + 1) * size : 0;
    return s->bytes.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// Elements [first, first + count) of the scratch.
static hoist_status part(const scratch *s, int64_t first, int64_t count, hoist_view *out_view)
{
    HOIST_ASSERT(first >= 0 && count >= 0 && first + count <= s->count + 1);
    const hoist_shape shape = {.rank = 1, .dim = {count}};
    const int64_t size = hoist_dtype_get(s->dtype)->bits / 8;
    return hoist_view_init(s->bytes, s->dtype, &shape, first * size, NULL, out_view);
}

// The elements of a view into another one, in linear order, converted where the types differ.
static hoist_status copy(const hoist_view *from, const hoist_view *to, const tools *with)
{
    const hoist_view_move move = {.destination = *to, .sources = from, .source_count = 1};
    return hoist_move_views(with->kernels, &move, with->alloc);
}

// Products are no move; the second scratch has the source as float32.
static hoist_status multiply(const scratch *sum, const hoist_view *source, const tools *with)
{
    scratch other;
    hoist_view all;
    hoist_status status = scratch_take(&other, HOIST_DTYPE_F32, sum->count, with);
    if (status == HOIST_OK) {
        status = part(&other, 0, sum->count, &all);
    }
    if (status == HOIST_OK) {
        status = copy(source, &all, with);
    }
    float *to = (float *)(void *)sum->bytes.data;
    const float *from = (const float *)(const void *)other.bytes.data;
    for (int64_t i = 0; status == HOIST_OK && i < sum->count; i++) {
        to[i] *= from[i];
    }
    hoist_free(with->alloc, other.bytes.data, other.bytes.size);
    return status;
}

// sum (op) source -> sum.
static hoist_status fold(const hoist_view *sum, const hoist_view *source, hoist_reduce_op op,
                         const tools *with)
{
    HOIST_ASSERT(op < HOIST_REDUCE_COUNT && op != HOIST_REDUCE_MUL);
    static const hoist_move_kernel kernels[HOIST_REDUCE_COUNT] = {
        [HOIST_REDUCE_ADD] = HOIST_KERNEL_ADD,
        [HOIST_REDUCE_MIN] = HOIST_KERNEL_MIN,
        [HOIST_REDUCE_MAX] = HOIST_KERNEL_MAX,
    };
    const hoist_view sources[2] = {*sum, *source};
    const hoist_view_move move = {
        .op = kernels[op], .destination = *sum, .sources = sources, .source_count = 2};
    return hoist_move_views(with->kernels, &move, with->alloc);
}

// All sources into the scratch, in the order of ranks, which makes the sum the same everywhere.
static hoist_status reduce(const hoist_prog_collective *step,
                           const hoist_collective_member *members, size_t count, scratch *s,
                           const tools *with)
{
    HOIST_ASSERT(count > 0);
    hoist_view sum;
    HOIST_TRY(part(s, 0, s->count, &sum));
    HOIST_TRY(copy(&members[0].source, &sum, with));
    for (size_t i = 1; i < count; i++) {
        HOIST_TRY(step->op == HOIST_REDUCE_MUL ? multiply(s, &members[i].source, with)
                                               : fold(&sum, &members[i].source, step->op, with));
    }
    return HOIST_OK;
}

// The sources one after the other; a broadcast has one.
static hoist_status gather(const hoist_collective_member *members, size_t count, scratch *s,
                           const tools *with)
{
    int64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t size = hoist_shape_count(&members[i].source.shape);
        hoist_view slice;
        HOIST_TRY(part(s, at, size, &slice));
        HOIST_TRY(copy(&members[i].source, &slice, with));
        at += size;
    }
    return HOIST_OK;
}

// Elements that the scratch has to hold.
static int64_t scratch_count(const hoist_prog_collective *step,
                             const hoist_collective_member *members, size_t count)
{
    int64_t total = hoist_shape_count(&members[0].source.shape);
    for (size_t i = 1; step->kind == HOIST_COLLECTIVE_ALL_GATHER && i < count; i++) {
        // Too many: then the parts do not fit the scratch, and the first copy fails.
        if (hoist_ckd_add_i64(&total, total, hoist_shape_count(&members[i].source.shape))) {
            return 0;
        }
    }
    return total;
}

// The result, or of a scatter its part, to each member that is in this process.
static hoist_status give(const hoist_prog_collective *step, const hoist_collective_member *members,
                         size_t count, const scratch *s, const tools *with)
{
    const bool shared = step->kind == HOIST_COLLECTIVE_REDUCE_SCATTER;
    const int64_t size = shared ? s->count / (int64_t)count : s->count;
    // The elements cannot be shared equally.
    if (shared && size * (int64_t)count != s->count) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        hoist_view slice;
        if (members[i].is_elsewhere) {
            continue;
        }
        HOIST_TRY(part(s, shared ? size * (int64_t)i : 0, size, &slice));
        HOIST_TRY(copy(&slice, &members[i].destination, with));
    }
    return HOIST_OK;
}

hoist_status hoist_collective_run(const hoist_prog_collective *step,
                                  const hoist_collective_member *members, size_t count,
                                  const hoist_move_kernels *kernels, hoist_allocator alloc)
{
    const tools with = {kernels, alloc};
    if (step->kind == HOIST_COLLECTIVE_BARRIER || count == 0) {
        return HOIST_OK;
    }
    const bool reduces =
        step->kind == HOIST_COLLECTIVE_ALL_REDUCE || step->kind == HOIST_COLLECTIVE_REDUCE_SCATTER;
    scratch s;
    // Reductions are done in float32 whatever the operands are.
    HOIST_TRY(scratch_take(&s, reduces ? HOIST_DTYPE_F32 : members[0].source.dtype,
                           scratch_count(step, members, count), &with));
    hoist_status status = HOIST_OK;
    if (reduces) {
        status = reduce(step, members, count, &s, &with);
    } else {
        const bool all = step->kind == HOIST_COLLECTIVE_ALL_GATHER;
        status = gather(members, all ? count : 1, &s, &with);
    }
    if (status == HOIST_OK) {
        status = give(step, members, count, &s, &with);
    }
    hoist_free(alloc, s.bytes.data, s.bytes.size);
    return status;
}
