// Cores that the ops of a graph take: rule 17 of the buda-netlist reference, section 5.1. Core
// (r, c) of an op is at [loc_row + r, loc_column + c] of the worker grid, with r and c of the sum
// exchanged when grid_transpose is set (section 1.5). Ethernet ops are on ethernet cores.
//
// Overlap is found on a canvas of the worker grid: each cell holds the last op that took it. An op
// marks cells until it meets a taken one, so a graph costs at most the canvas plus its ops. The
// same grid serves one graph after the other; graphs may share cores, as they run at different
// times.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

typedef struct rect { // inclusive on both ends
    int64_t row;      // first
    int64_t column;
    int64_t last_row;
    int64_t last_column;
} rect;

typedef struct canvas {
    int64_t rows;
    int64_t columns;
    const buda_op **taken; // by row * columns + column; NULL: free; scratch
} canvas;

// The cores of `op`; false when they are not known (rules 6 and 16a) or not on the worker grid.
// Positions below 0 and beyond the grid are kept: check_fit() reports them with their numbers.
static bool op_cores(const buda_op *op, rect *out_cores)
{
    *out_cores = (rect){0};
    if (op->op == HOIST_OP_ETHERNET_DATACOPY || !buda_has(op->grid_loc.pos) ||
        !buda_has(op->grid_size.pos) || op->grid_size.r < 1 || op->grid_size.c < 1) {
        return false;
    }
    const buda_pair grid = buda_op_cores(op);
    rect cores = {.row = op->grid_loc.r, .column = op->grid_loc.c};
    // Beyond 64 bits is beyond every grid.
    if (hoist_ckd_add_i64(&cores.last_row, cores.row, grid.r - 1)) {
        cores.last_row = INT64_MAX;
    }
    if (hoist_ckd_add_i64(&cores.last_column, cores.column, grid.c - 1)) {
        cores.last_column = INT64_MAX;
    }
    *out_cores = cores;
    return true;
}

// One finding per op, for the core range as a whole.
static void check_fit(const buda_check *check, const buda_op *op, const rect *cores,
                      const canvas *grid)
{
    if (cores->row >= 0 && cores->column >= 0 && cores->last_row < grid->rows &&
        cores->last_column < grid->columns) {
        return;
    }
    buda_report(check->diag, BUDA_017, op->grid_loc.pos,
                "op '%.*s' takes cores [%" PRId64 ", %" PRId64 "] to [%" PRId64 ", %" PRId64
                "], the worker grid of %s has %" PRId64 " %s and %" PRId64 " %s",
                HOIST_STR_ARGS(op->name.text), cores->row, cores->column, cores->last_row,
                cores->last_column, buda_arch_name((int)check->arch), grid->rows,
                hoist_plural((uint64_t)grid->rows, "row", "rows"), grid->columns,
                hoist_plural((uint64_t)grid->columns, "column", "columns"));
}

// Marks the cores of `op` that lie on the grid; stops at the first that another op has. Stopping
// keeps the cost of a graph at one visit per cell plus one per op, whatever grid sizes the file
// claims.
static void take_cores(hoist_diag *diag, const buda_op *op, const rect *cores, canvas *grid)
{
    // Clipped to the canvas before the loop: a grid_size of 2^31 must not cost 2^31 steps.
    const int64_t last_row = cores->last_row < grid->rows ? cores->last_row : grid->rows - 1;
    const int64_t last_column =
        cores->last_column < grid->columns ? cores->last_column : grid->columns - 1;
    for (int64_t r = cores->row > 0 ? cores->row : 0; r <= last_row; r++) {
        for (int64_t c = cores->column > 0 ? cores->column : 0; c <= last_column; c++) {
            const buda_op **cell = &grid->taken[r * grid->columns + c];
            if (*cell) {
                buda_report(diag, BUDA_017, op->grid_loc.pos,
                            "op '%.*s' takes core [%" PRId64 ", %" PRId64
                            "], which op '%.*s' (line %u) has",
                            HOIST_STR_ARGS(op->name.text), r, c, HOIST_STR_ARGS((*cell)->name.text),
                            (*cell)->name.pos.line);
                return;
            }
            *cell = op;
        }
    }
}

// BUDA_ARCH_NONE has grayskull's canvas: overlap is an error on any grid, being outside is not
// checked then.
static void check_graph(const buda_check *check, const buda_graph *graph, canvas *grid)
{
    for (int64_t i = 0; i < grid->rows * grid->columns; i++) {
        grid->taken[i] = NULL;
    }
    for (size_t i = 0; i < graph->op_count; i++) {
        const buda_op *op = &graph->ops[i];
        rect cores;
        if (!op_cores(op, &cores)) {
            continue;
        }
        buda_frames frames;
        buda_enter_op(check->diag, &frames, graph, op);
        if (check->arch != BUDA_ARCH_NONE) {
            check_fit(check, op, &cores, grid);
        }
        take_cores(check->diag, op, &cores, grid);
        buda_leave(check->diag, &frames);
    }
}

// net->soc may be a descriptor's, with any grid of workers; hence the checked product.
hoist_status buda_check_cores(const buda_structure *s)
{
    const buda_check *check = s->check;
    const buda_soc *soc = check->net->soc;
    if (!soc) {
        return HOIST_OK;
    }
    canvas grid = {.rows = soc->row_count, .columns = soc->column_count};
    size_t cells = 0;
    if (hoist_ckd_size_mul(&cells, (size_t)grid.rows, (size_t)grid.columns)) {
        return HOIST_NO_MEMORY;
    }
    grid.taken = hoist_arena_array(check->scratch, cells, sizeof(buda_op *));
    HOIST_TRY_MEMORY(grid.taken);
    for (size_t i = 0; i < check->module->graph_count; i++) {
        check_graph(check, &check->module->graphs[i], &grid);
    }
    return HOIST_OK;
}
