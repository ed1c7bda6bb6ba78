// Products of matrices (ops/compute_ark.h): how the output is cut into units of work and blocks,
// and the definition, an element of the output after the other: blocks of its terms as floats, a
// fused sum of each, the sum of these. Slow.
#include "kernels/ark_matmul.h"

#include <math.h>

#include "kernels/ark_elements.h"
#include "kernels/elements.h"
#include "ops/compute_ark.h"
#include "tensor/element.h"

enum {
    UNIT_PRODUCTS = 1 << 16, // of a unit, at least: fewer are not worth the way to another thread
    LEAST_UNITS = 32,        // for some threads
    LEAST_ROWS = 4 * HOIST_ARK_ROW_STEP, // of a unit that is made smaller for them
};

// Whether side 0, a, or 1, b, is stored with its rows as columns.
static bool is_transposed(const hoist_compute_call *call, int side)
{
    return call->attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_A + side].integer != 0;
}

// Parts of `by` that hold `value`.
static size_t divided_up(int64_t value, int64_t by)
{
    return (size_t)((value + by - 1) / by);
}

// The next multiple of `step`.
static int64_t rounded_up(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

hoist_ark_product hoist_ark_product_of(const hoist_compute_call *call)
{
    const hoist_shape *const a = &call->views[0].shape;
    const hoist_shape *const y = &hoist_ark_output(call)->shape;
    hoist_ark_product p = {.rows = y->dim[y->rank - 2],
                           .columns = y->dim[y->rank - 1],
                           .terms = a->dim[a->rank - 1 - (is_transposed(call, 0) ? 1 : 0)],
                           .batches = 1};
    for (int i = 0; i < y->rank - 2; i++) {
        // All dimensions before the last two are one.
        p.batches *= (uint64_t)y->dim[i];
    }
    // Columns that make a unit worth its way, with as many rows as a block may have.
    const int64_t least = UNIT_PRODUCTS / p.terms / least_of(p.rows, HOIST_ARK_MOST_ROWS);
    p.unit_columns = rounded_up(least + 1, HOIST_ARK_COLUMN_STEP);
    p.column_units = divided_up(p.columns, p.unit_columns);
    p.row_units = divided_up(p.rows, HOIST_ARK_MOST_ROWS);
    // Few units of many rows become more units of fewer rows.
    while (p.batches * p.column_units * p.row_units < LEAST_UNITS &&
           p.row_units < divided_up(p.rows, LEAST_ROWS)) {
        p.row_units++;
    }
    p.unit_rows = rounded_up((int64_t)divided_up(p.rows, (int64_t)p.row_units), HOIST_ARK_ROW_STEP);
    p.row_units = divided_up(p.rows, p.unit_rows);
    return p;
}

// Batches times the units of each.
size_t hoist_ark_matmul_work(const hoist_compute_call *call)
{
    const hoist_ark_product p = hoist_ark_product_of(call);
    return (size_t)p.batches * p.row_units * p.column_units;
}

// The matrix of operand `number` at a batch.
static hoist_ark_matrix matrix_of(const hoist_compute_call *call, int number, uint64_t batch)
{
    const hoist_view *const view = &call->views[number];
    const int batches = view->shape.rank - 2;
    const int transposed = number < 2 && is_transposed(call, number) ? 1 : 0;
    int64_t offset = view->offset;
    for (int i = batches - 1; i >= 0; i--) {
        const uint64_t extent = (uint64_t)view->shape.dim[i];
        // An input that has one matrix for all batches has a dimension of 1 there, and stays at 0.
        offset += (int64_t)(batch % extent) * view->stride[i];
        batch /= extent;
    }
    return (hoist_ark_matrix){view->memory.data + offset, view->stride[batches + transposed],
                              view->stride[batches + 1 - transposed]};
}

hoist_ark_block hoist_ark_block_at(const hoist_compute_call *call, const hoist_ark_product *product,
                                   size_t begin, size_t end)
{
    const hoist_ark_product *const p = product;
    const size_t of_batch = p->row_units * p->column_units;
    const uint64_t batch = begin / of_batch;
    const size_t row_unit = begin % of_batch / p->column_units;
    const size_t column_unit = begin % p->column_units;
    // Units of a row of them follow each other; where they are alone in it, those of the rows
    // below.
    const bool is_down = p->column_units == 1;
    const size_t in_line = is_down ? p->row_units - row_unit : p->column_units - column_unit;
    const int64_t down = HOIST_ARK_MOST_ROWS / p->unit_rows;
    size_t units = end - begin < in_line ? end - begin : in_line;
    // A block has no more rows than kernels pack at a time.
    units = is_down && units > (size_t)down ? (size_t)down : units;
    const int64_t row = (int64_t)row_unit * p->unit_rows;
    const int64_t column = (int64_t)column_unit * p->unit_columns;
    const int64_t rows = is_down ? (int64_t)units * p->unit_rows : p->unit_rows;
    const int64_t columns = is_down ? p->unit_columns : (int64_t)units * p->unit_columns;
    const hoist_ark_block all = {.a = matrix_of(call, 0, batch),
                                 .b = matrix_of(call, 1, batch),
                                 .y = matrix_of(call, 2, batch),
                                 .batch = batch,
                                 .rows = p->rows,
                                 .columns = p->columns,
                                 .units = units};
    // From here on the block's own first row and column.
    return hoist_ark_part(&all, row, column, rows, columns);
}

// The definition ---------------------------------------------------------------------------------

// Terms of a row or column as floats.
static void load(hoist_dtype dtype, const uint8_t *first, int64_t stride, int64_t count,
                 float *values)
{
    const size_t size = hoist_element_size(dtype);
    for (int64_t i = 0; i < count; i++) {
        values[i] = hoist_to_f32(dtype, hoist_element_load(first + i * stride, size));
    }
}

// The sum of one element: blocks of terms, each summed from 0, then added up in their order.
static float sum_of(hoist_dtype dtype, const uint8_t *a, int64_t a_stride, const uint8_t *b,
                    int64_t b_stride, int64_t terms)
{
    float x[HOIST_ARK_MATMUL_BLOCK];
    float y[HOIST_ARK_MATMUL_BLOCK];
    float total = 0;
    for (int64_t k = 0; k < terms; k += HOIST_ARK_MATMUL_BLOCK) {
        const int64_t left = terms - k;
        const int64_t count = left < HOIST_ARK_MATMUL_BLOCK ? left : HOIST_ARK_MATMUL_BLOCK;
        load(dtype, a + k * a_stride, a_stride, count, x);
        load(dtype, b + k * b_stride, b_stride, count, y);
        float sum = 0;
        for (int64_t i = 0; i < count; i++) {
            sum = fmaf(x[i], y[i], sum);
        }
        // 0 + sum would make -0 a +0.
        total = k == 0 ? sum : total + sum;
    }
    return total;
}

static void fill(hoist_dtype dtype, int64_t terms, const hoist_ark_block *block)
{
    const size_t size = hoist_element_size(dtype);
    for (int64_t at = 0; at < block->rows * block->columns; at++) {
        const int64_t row = at / block->columns;
        const int64_t column = at % block->columns;
        float sum = hoist_ark_settle(
            sum_of(dtype, block->a.first + row * block->a.row, block->a.column,
                   block->b.first + column * block->b.column, block->b.row, terms));
        uint8_t element[HOIST_ELEMENT_MAX_SIZE];
        hoist_elements_from_f32(dtype, &sum, 1, element);
        hoist_element_store(block->y.first + row * block->y.row + column * block->y.column, size,
                            hoist_element_load(element, size));
    }
}

// Parts of a block, each passed on, and in memory of its own where the output has none.
static void fill_parts(const hoist_compute_call *call, int64_t terms, const hoist_ark_block *block)
{
    enum { ROWS = 16, COLUMNS = 64 };
    const hoist_dtype dtype = hoist_ark_output(call)->dtype;
    const int64_t size = (int64_t)hoist_element_size(dtype);
    uint8_t own[ROWS * COLUMNS * sizeof(float)];
    for (int64_t row = 0; row < block->rows; row += ROWS) {
        for (int64_t column = 0; column < block->columns; column += COLUMNS) {
            hoist_ark_block part = hoist_ark_part(block, row, column, ROWS, COLUMNS);
            if (!call->finish->is_stored) {
                part.y = (hoist_ark_matrix){own, COLUMNS * size, size};
            }
            fill(dtype, terms, &part);
            hoist_ark_finish(call->finish, &part);
        }
    }
}

void hoist_ark_matmul_reference(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_ark_product p = hoist_ark_product_of(call);
    while (begin < end) {
        const hoist_ark_block block = hoist_ark_block_at(call, &p, begin, end);
        begin += block.units;
        if (call->finish) {
            fill_parts(call, p.terms, &block);
        } else {
            fill(hoist_ark_output(call)->dtype, p.terms, &block);
        }
    }
}
