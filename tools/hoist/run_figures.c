// hoist run: figures that sum up an output (least, greatest, mean, FNV-1a checksum), for people
// and for comparing two runs without keeping their data.
#include <math.h>

#include "run.h"

// FNV-1a, 64 bits, by its offset basis and prime: no cryptographic hash, but one that anyone
// can write in three lines to compare.
static uint64_t checksum(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

enum { CHUNK = 4096 }; // elements that are looked at together

// Sums and limits of the elements so far.
typedef struct running {
    double least;
    double greatest;
    double sum;
    uint64_t not_numbers; // NaN
} running;

// Infinities count as numbers, so they show in the greatest and the mean.
static void add_values(running *so_far, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double value = (double)values[i];
        if (isnan(value)) {
            so_far->not_numbers++;
            continue;
        }
        so_far->least = value < so_far->least ? value : so_far->least;
        so_far->greatest = value > so_far->greatest ? value : so_far->greatest;
        so_far->sum += value;
    }
}

// Adds all elements, without a second array of them. False: they have no values.
static bool add_all(const run_output *output, running *so_far)
{
    const size_t element = hoist_array_element_size(output->dtype);
    const size_t count = output->size / element;
    float values[CHUNK];
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t some = count - at < CHUNK ? count - at : CHUNK;
        const hoist_array array = {.dtype = output->dtype,
                                   .data = {output->data + at * element, some * element}};
        if (hoist_array_floats(&array, values) != HOIST_OK) {
            return false;
        }
        add_values(so_far, values, some);
    }
    return true;
}

void run_figures_of(const run_output *output, run_figures *out_figures)
{
    const size_t count = output->size / hoist_array_element_size(output->dtype);
    running all = {.least = INFINITY, .greatest = -INFINITY};
    *out_figures = (run_figures){.checksum = checksum(output->data, output->size)};
    if (count > 0 && add_all(output, &all)) {
        // Without any number least and greatest are infinite and not reported.
        out_figures->known = count > all.not_numbers;
        out_figures->least = all.least;
        out_figures->greatest = all.greatest;
        out_figures->not_numbers = all.not_numbers;
        out_figures->mean = all.sum / (double)(count - all.not_numbers);
    }
}
