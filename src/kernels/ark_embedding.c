// Rows of a table by index (ops/compute_ark.h): a row of the output after the other, elements as
// they are stored.
#include "kernels/ark_elements.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/plain_numbers.h"

extern const hoist_compute_group hoist_ark_embedding_group;

enum { LINE = 512 }; // elements that are copied at a time

// A unit for each index, which is a row of the output.
static size_t work(const hoist_compute_call *call)
{
    return (size_t)hoist_shape_count(&call->views[0].shape);
}

// The row that index `number` names; HOIST_INVALID: none.
static hoist_status row_of(const hoist_compute_call *call, uint64_t number, int64_t *out_row,
                           hoist_compute_fault *out_fault)
{
    const hoist_view *indices = &call->views[0];
    const int64_t rows = call->views[1].shape.dim[0];
    uint8_t element[HOIST_ELEMENT_MAX_SIZE];
    hoist_elements_read(indices, number, 1, element);
    const int64_t index = hoist_plain_load(indices->dtype, element);
    // Negative indices count from the end of the table.
    *out_row = index < 0 ? index + rows : index;
    if (*out_row >= 0 && *out_row < rows) {
        return HOIST_OK;
    }
    const uint64_t last =
        indices->shape.rank > 0 ? (uint64_t)indices->shape.dim[indices->shape.rank - 1] : 1;
    *out_fault = (hoist_compute_fault){.what = "an index outside of the table",
                                       .row = number / last,
                                       .col = number % last,
                                       .value = (double)index,
                                       .operand = 1};
    return HOIST_INVALID;
}

// Copies the rows of some indices; one that is outside stops the step.
static hoist_status embedding(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    const hoist_view *weight = &call->views[1];
    const uint64_t width = (uint64_t)weight->shape.dim[1];
    for (size_t unit = begin; unit < end; unit++) {
        int64_t row = 0;
        HOIST_TRY(row_of(call, unit, &row, out_fault));
        // Through a line, as neither side need be without gaps.
        for (uint64_t at = 0; at < width; at += LINE) {
            uint8_t line[LINE * HOIST_ELEMENT_MAX_SIZE];
            const size_t count = width - at < LINE ? (size_t)(width - at) : LINE;
            hoist_elements_read(weight, (uint64_t)row * width + at, count, line);
            hoist_elements_write(hoist_ark_output(call), unit * width + at, count, line);
        }
    }
    return HOIST_OK;
}

enum { FIRST = HOIST_ARK_EMBEDDING };

static const hoist_compute_row group_rows[] = {
    [HOIST_ARK_EMBEDDING - FIRST] = {.work = work, .run = embedding},
};
const hoist_compute_group hoist_ark_embedding_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                       group_rows};
