// Convolutions, dense layers and pools of one CPU level: the table of its kernels, and the rows
// that call them.
#include "kernels/compute_table.h"
#include "kernels/quant_table.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_quant_group);

#define KERNELS HOIST_LEVEL_NAME(hoist_quant_kernels)

const hoist_quant_kernels KERNELS = {
    .prepared_size = HOIST_LEVEL_NAME(hoist_quant_prepared_size),
    .prepare = HOIST_LEVEL_NAME(hoist_quant_prepare),
    .conv = HOIST_LEVEL_NAME(hoist_quant_conv),
    .depthwise = HOIST_LEVEL_NAME(hoist_quant_depthwise),
    .average_pool = HOIST_LEVEL_NAME(hoist_quant_average_pool),
    .max_pool = HOIST_LEVEL_NAME(hoist_quant_max_pool),
};

// Units by the output; they are the same at every level.
static size_t conv_work(const hoist_compute_call *call)
{
    const hoist_quant_conv conv = hoist_quant_conv_of(call);
    return hoist_quant_conv_units(&conv);
}

static size_t pool_work(const hoist_compute_call *call)
{
    const hoist_quant_pool pool = hoist_quant_pool_of(call);
    return hoist_quant_pool_units(&pool);
}

static hoist_status conv(const hoist_compute_call *call, size_t begin, size_t end,
                         hoist_compute_fault *out_fault)
{
    const hoist_quant_conv c = hoist_quant_conv_of(call);
    if (!hoist_quant_scale_is_good(&c.scale, out_fault)) {
        return HOIST_INVALID;
    }
    // Gaps, or another byte order: one output after the other.
    if (!hoist_quant_conv_is_plain(&c)) {
        (c.is_depthwise ? hoist_quant_depthwise_reference : hoist_quant_conv_reference)(&c, NULL,
                                                                                        begin, end);
        return HOIST_OK;
    }
    (c.is_depthwise ? KERNELS.depthwise : KERNELS.conv)(&c, call->prepared, begin, end);
    return HOIST_OK;
}

// Both pools by the level's kernel, or for views with gaps by the definition.
static void average_pool(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_quant_pool pool = hoist_quant_pool_of(call);
    (hoist_quant_pool_is_plain(&pool) ? KERNELS.average_pool
                                      : hoist_quant_average_pool_reference)(&pool, begin, end);
}

static void max_pool(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_quant_pool pool = hoist_quant_pool_of(call);
    (hoist_quant_pool_is_plain(&pool) ? KERNELS.max_pool
                                      : hoist_quant_max_pool_reference)(&pool, begin, end);
}

// Only plain calls have a prepared form.
static size_t prepared_size(const hoist_compute_call *call)
{
    const hoist_quant_conv c = hoist_quant_conv_of(call);
    return KERNELS.prepared_size && hoist_quant_conv_is_plain(&c) ? KERNELS.prepared_size(&c) : 0;
}

static bool prepare(const hoist_compute_call *call, uint8_t *prepared)
{
    const hoist_quant_conv c = hoist_quant_conv_of(call);
    hoist_compute_fault fault;
    // The run says why; here it is enough that nothing is prepared.
    if (!hoist_quant_scale_is_good(&c.scale, &fault)) {
        return false;
    }
    KERNELS.prepare(&c, prepared);
    return true;
}

enum { FIRST = HOIST_TFLITE_CONV };

// clang-format off
#define CONV {.work = conv_work, .run = conv, .prepared_size = prepared_size, .prepare = prepare}
static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_CONV - FIRST]         = CONV,
    [HOIST_TFLITE_DEPTHWISE - FIRST]    = CONV,
    [HOIST_TFLITE_DENSE - FIRST]        = CONV,
    [HOIST_TFLITE_CONV_SINGLE - FIRST]  = CONV,
    [HOIST_TFLITE_DENSE_SINGLE - FIRST] = CONV,
    [HOIST_TFLITE_AVERAGE_POOL - FIRST] = {.work = pool_work, .fill = average_pool},
    [HOIST_TFLITE_MAX_POOL - FIRST]     = {.work = pool_work, .fill = max_pool},
    [HOIST_EDGETPU_CONV - FIRST]        = CONV,
    [HOIST_EDGETPU_DEPTHWISE - FIRST]   = CONV,
    [HOIST_EDGETPU_DENSE - FIRST]       = CONV,
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_quant_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                 group_rows};
