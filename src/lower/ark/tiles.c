// The work of an operator, cut into the tiles that a plan executes (ark reference sections 9.2 and
// 9.3). In: operands whose dimensions name the axis of the tiles that cuts them. Out: a step for
// all of a model's operator; of a plan's, for each box of consecutive tiles.

#include "base/assert.h"
#include "lower/ark/state.h"

// Boxes -----------------------------------------------------------------------------------------

// All tiles of the padded extents; callers set `at` and `end` to execute a part.
ark_lower_tiles ark_lower_tiles_of(const ark_lower_work *work)
{
    ark_lower_tiles tiles = {.work = work, .total = 1};
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        HOIST_ASSERT(work->tile[i] >= 1 && work->padded[i] >= work->extent[i]);
        tiles.grid[i] = (work->padded[i] - 1) / work->tile[i] + 1;
        // Elements of a tensor can be counted, those of its padding too.
        tiles.total *= tiles.grid[i];
    }
    tiles.end = tiles.total;
    return tiles;
}

// The longest stretch from `at` on along one axis: complete along all axes after it. Tiles 1 to 4
// of a grid of 2 by 3 are two boxes: columns 1 and 2 of row 0, columns 0 and 1 of row 1.
static ark_lower_box next_tiles(ark_lower_tiles *tiles)
{
    ark_lower_box box;
    int64_t unit = 1; // tiles of one index of the axis
    int axis = ARK_LOWER_AXES - 1;
    while (axis > 0 && tiles->at % (unit * tiles->grid[axis]) == 0 &&
           tiles->end - tiles->at >= unit * tiles->grid[axis]) {
        unit *= tiles->grid[axis--];
    }
    const int64_t first = tiles->at / unit % tiles->grid[axis];
    const int64_t wanted = (tiles->end - tiles->at) / unit;
    const int64_t left = tiles->grid[axis] - first;
    int64_t index = tiles->at / unit / tiles->grid[axis];
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        box.begin[i] = 0;
        box.count[i] = tiles->grid[i];
    }
    box.begin[axis] = first;
    box.count[axis] = wanted < left ? wanted : left;
    for (int i = axis - 1; i >= 0; i--) {
        box.begin[i] = index % tiles->grid[i];
        box.count[i] = 1;
        index /= tiles->grid[i];
    }
    tiles->at += box.count[axis] * unit;
    return box;
}

// Tiles as elements; false: none of them are in the result. A tile at the edge is cut off, and one
// in the padding has no elements.
static bool clip(const ark_lower_work *work, ark_lower_box *box)
{
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        const int64_t extent = work->extent[i];
        const int64_t tile = work->tile[i];
        // No product leaves int64_t: it is at most one tile beyond the padded extent.
        if (box->begin[i] > (extent - 1) / tile) {
            return false;
        }
        const int64_t begin = box->begin[i] * tile;
        const int64_t left = extent - begin;
        box->count[i] = box->count[i] > (left - 1) / tile ? left : box->count[i] * tile;
        box->begin[i] = begin;
    }
    return true;
}

// Boxes ascend. Those in the padding are skipped.
bool ark_lower_next_box(ark_lower_tiles *tiles, ark_lower_box *out_box)
{
    while (tiles->at < tiles->end) {
        *out_box = next_tiles(tiles);
        if (clip(tiles->work, out_box)) {
            return true;
        }
    }
    return false;
}

// Steps -----------------------------------------------------------------------------------------

// Dimensions that no axis cuts stay whole.
static hoist_lower_view cut(const ark_lower_operand *operand, const ark_lower_box *box)
{
    hoist_lower_view view = operand->view;
    for (int i = 0; i < operand->view.shape.rank; i++) {
        const int axis = operand->axis[i];
        if (axis >= 0) {
            view = hoist_lower_view_part(
                &view, i, (hoist_lower_range){box->begin[axis], 1, box->count[axis]});
        }
    }
    return view;
}

// Inputs, then the output: all are views of their parts of the box.
static void add_compute(const ark_lower_op *op, const ark_lower_work *work,
                        const hoist_lower_view *views)
{
    hoist_ref refs[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    for (uint32_t i = 0; i <= work->inputs; i++) {
        refs[i] = hoist_lower_view_ref(op->job->c.b, &views[i]);
    }
    const hoist_prog_compute compute = {.op = work->op,
                                        .attrs = work->attrs,
                                        .inputs = refs,
                                        .input_count = work->inputs,
                                        .outputs = refs + work->inputs,
                                        .output_count = 1};
    ark_lower_step(op, (hoist_prog_step){.kind = HOIST_STEP_COMPUTE, .as.compute = &compute});
}

// No tiles and no temporary result.
void ark_lower_add_complete(const ark_lower_op *op, const ark_lower_work *work)
{
    hoist_lower_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    for (uint32_t i = 0; i <= work->inputs; i++) {
        views[i] = work->operands[i].view;
    }
    add_compute(op, work, views);
}

// The part of each operand that a box needs.
static void add_box(const ark_lower_op *op, const ark_lower_work *work, const ark_lower_box *box)
{
    hoist_lower_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    for (uint32_t i = 0; i <= work->inputs; i++) {
        views[i] = cut(&work->operands[i], box);
    }
    if (work->copies) {
        ark_lower_move(op, &views[0], &views[1]);
    } else {
        add_compute(op, work, views);
    }
}

// A box is one step, however many tiles it has.
static void add_tiles(const ark_lower_op *op, const ark_lower_work *work, ark_lower_tiles tiles)
{
    ark_lower_box box;
    while (hoist_lower_goes_on(&op->job->c) && ark_lower_next_box(&tiles, &box)) {
        add_box(op, work, &box);
    }
}

// Tasks begin, begin + step ... of the grid: consecutive ones together. With a step each task is a
// box of its own.
static void add_range(const ark_lower_op *op, const ark_lower_work *work, ark_task_range range)
{
    ark_lower_tiles tiles = ark_lower_tiles_of(work);
    const int64_t end = range.end < tiles.total ? range.end : tiles.total;
    const bool is_dense = range.step == 1;
    // There are no tasks below 0.
    int64_t at = range.begin % range.step;
    at = range.begin >= 0 ? range.begin : at < 0 ? at + range.step : at;
    while (at < end && hoist_lower_goes_on(&op->job->c)) {
        const int64_t step = is_dense ? end - at : range.step;
        tiles.at = at;
        tiles.end = is_dense ? end : at + 1;
        add_tiles(op, work, tiles);
        at = step < end - at ? at + step : end;
    }
}

// Ranges that follow each other are one. So they are cut into fewer boxes.
static void add_ranges(const ark_lower_op *op, const ark_lower_work *work)
{
    const ark_task_range *ranges = op->step->ranges;
    const uint32_t count = op->step->range_count;
    for (uint32_t i = 0; i < count;) {
        ark_task_range range = ranges[i++];
        while (i < count && range.step == 1 && ranges[i].step == 1 &&
               ranges[i].begin == range.end) {
            range.end = ranges[i++].end;
        }
        add_range(op, work, range);
    }
}

// Ranges of a step of 1 that follow each other from 0 on.
bool ark_lower_is_complete(const ark_lower_op *op, const ark_lower_work *work)
{
    const int64_t total = ark_lower_tiles_of(work).total;
    int64_t end = 0;
    bool is_in_order = true;
    for (uint32_t i = 0; is_in_order && i < op->step->range_count && end < total; i++) {
        const ark_task_range range = op->step->ranges[i];
        is_in_order = range.step == 1 && range.begin == end;
        end = range.end;
    }
    return !op->rank->graph->module->is_plan || (is_in_order && end >= total);
}

// Models have no tiles: everything is one box.
static void add_all(const ark_lower_op *op, const ark_lower_work *work)
{
    if (op->rank->graph->module->is_plan) {
        add_ranges(op, work);
    } else {
        add_tiles(op, work, ark_lower_tiles_of(work));
    }
}

// Whether the row takes these operands; reported otherwise. Copies need no row.
static bool check_fit(const ark_lower_op *op, const ark_lower_work *work)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    HOIST_ASSERT(work->inputs == hoist_compute_get(work->op)->inputs);
    for (uint32_t i = 0; i <= work->inputs; i++) {
        const hoist_lower_view *view = &work->operands[i].view;
        operands[i] = (hoist_compute_operand){view->dtype, view->shape};
    }
    if (hoist_compute_fits(work->op, &work->attrs, operands, why) == HOIST_FIT_OK) {
        return true;
    }
    ark_lower_refuse(op->job, RUN_043, op->rank, op->step, "%s", why);
    return false;
}

// Through memory: first all of the result to temporary memory, then from there to its destination.
void ark_lower_add_work(const ark_lower_op *op, ark_lower_work *work)
{
    if (!work->copies && !check_fit(op, work)) {
        return;
    }
    if (!work->through_memory) {
        add_all(op, work);
        return;
    }
    ark_lower_work store = *work;
    ark_lower_operand *result = &work->operands[work->inputs];
    store.copies = true;
    store.inputs = 1;
    store.operands[1] = *result;
    result->view = ark_lower_temporary(op, &result->view);
    store.operands[0] = *result;
    add_all(op, work);
    add_all(op, &store);
}
