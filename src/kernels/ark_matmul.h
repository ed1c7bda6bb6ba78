// kernels/ark_matmul.h - products of matrices as all their kernels see them, and their units of
// work: small blocks of the output. Units that follow each other make larger blocks, so that
// threads get equal shares of any matrix and yet pack as little as one alone.
#ifndef HOIST_SRC_KERNELS_ARK_MATMUL_H
#define HOIST_SRC_KERNELS_ARK_MATMUL_H

#include "kernels/compute_table.h"

// Multiples of what the vector kernels of any level do at a time, so that they meet the end of a
// row or column only at that of the matrix.
enum {
    HOIST_ARK_ROW_STEP = 42,
    HOIST_ARK_COLUMN_STEP = 96,
    HOIST_ARK_MOST_ROWS = 16 * HOIST_ARK_ROW_STEP, // of a block
};

// A matrix: its first element, and bytes from one row and one column to the next.
typedef struct hoist_ark_matrix {
    uint8_t *first;
    int64_t row;
    int64_t column;
} hoist_ark_matrix;

// y[m, n] = sum over k of a[m, k] * b[k, n], whichever is stored transposed.
typedef struct hoist_ark_product {
    int64_t rows, columns, terms;
    int64_t unit_rows, unit_columns; // at most
    size_t row_units, column_units;
    uint64_t batches;
} hoist_ark_product;

// A block of the output of one batch: units that are done together.
typedef struct hoist_ark_block {
    hoist_ark_matrix a, b, y; // from the block's first row and column on
    uint64_t batch;
    int64_t row, column; // of the batch: the first
    int64_t rows, columns;
    size_t units;
} hoist_ark_block;

// At most `rows` and `columns` of a block, from those of these numbers on.
static inline hoist_ark_block hoist_ark_part(const hoist_ark_block *block, int64_t row,
                                             int64_t column, int64_t rows, int64_t columns)
{
    hoist_ark_block part = *block;
    part.a.first += row * part.a.row;
    part.b.first += column * part.b.column;
    part.y.first += row * part.y.row + column * part.y.column;
    part.row += row;
    part.column += column;
    part.rows = block->rows - row < rows ? block->rows - row : rows;
    part.columns = block->columns - column < columns ? block->columns - column : columns;
    return part;
}

// Passes a block whose elements are complete to who goes on with it.
static inline void hoist_ark_finish(const hoist_compute_finish *finish,
                                    const hoist_ark_block *block)
{
    const hoist_compute_product done = {.batch = block->batch,
                                        .row = block->row,
                                        .column = block->column,
                                        .rows = block->rows,
                                        .columns = block->columns,
                                        .first = block->y.first,
                                        .row_step = block->y.row,
                                        .column_step = block->y.column};
    finish->run(finish->self, &done);
}

hoist_ark_product hoist_ark_product_of(const hoist_compute_call *call);

// The block that begins with unit `begin`, of as many units before `end` as make one.
hoist_ark_block hoist_ark_block_at(const hoist_compute_call *call, const hoist_ark_product *product,
                                   size_t begin, size_t end);

size_t hoist_ark_matmul_work(const hoist_compute_call *call);

// The definition, for what a level has no vectors for.
void hoist_ark_matmul_reference(const hoist_compute_call *call, size_t begin, size_t end);

#endif // HOIST_SRC_KERNELS_ARK_MATMUL_H
