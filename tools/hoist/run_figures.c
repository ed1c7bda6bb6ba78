// hoist run: figures that sum up an output (least, greatest, mean, FNV-1a checksum), for people
// and for comparing two runs without keeping their data.
#include <math.h>

#include "base/alloc.h"
#include "run.h"

static uint64_t checksum(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

hoist_status run_figures_of(const run *r, const run_output *output, run_figures *out_figures)
{
    *out_figures = (run_figures){.checksum = checksum(output->data, output->size)};
    const hoist_array array = {.dtype = output->dtype, .data = {output->data, output->size}};
    const size_t count = output->size / hoist_array_element_size(output->dtype);
    float *values = hoist_alloc(r->t->alloc, count * sizeof(float));
    if (!values) {
        return count ? HOIST_NO_MEMORY : HOIST_OK;
    }
    if (hoist_array_floats(&array, values) == HOIST_OK) {
        out_figures->least = INFINITY;
        out_figures->greatest = -INFINITY;
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            const double value = (double)values[i];
            if (isnan(value)) {
                out_figures->not_numbers++;
                continue;
            }
            out_figures->least = value < out_figures->least ? value : out_figures->least;
            out_figures->greatest = value > out_figures->greatest ? value : out_figures->greatest;
            sum += value;
        }
        out_figures->known = count > out_figures->not_numbers;
        out_figures->mean = sum / (double)(count - out_figures->not_numbers);
    }
    hoist_free(r->t->alloc, values, count * sizeof(float));
    return HOIST_OK;
}
