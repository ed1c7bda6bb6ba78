// One move between two strided arrays, for move_numpy.py: a shared object that it loads, so that
// both sides run in one process on the same arrays.
#include "bench/move_peer.h"

#include "base/span.h"
#include "kernels/move.h"

static hoist_status view_of(const bench_array *array, hoist_view *out_view)
{
    const hoist_mut_bytes memory = {array->memory, (size_t)array->size};
    hoist_shape shape;
    HOIST_TRY(hoist_shape_init(array->shape, (size_t)array->rank, &shape));
    return hoist_view_init(memory, hoist_dtype_find(hoist_str_from(array->dtype)), &shape,
                           array->offset, array->stride, out_view);
}

int bench_move(const char *level_name, const bench_array *to, const bench_array *from, int repeat)
{
    hoist_cpu_level level = HOIST_CPU_BASELINE;
    hoist_view source;
    hoist_view_move move = {.op = HOIST_KERNEL_COPY, .sources = &source, .source_count = 1};
    if (!hoist_cpu_level_find(hoist_str_from(level_name), &level) ||
        view_of(from, &source) != HOIST_OK || view_of(to, &move.destination) != HOIST_OK) {
        return 1;
    }
    const hoist_move_kernels *kernels = hoist_move_kernels_at(level);
    hoist_status status = HOIST_OK;
    for (int i = 0; i < repeat && status == HOIST_OK; i++) {
        status = hoist_move_views(kernels, &move, hoist_allocator_system());
    }
    return status != HOIST_OK;
}
