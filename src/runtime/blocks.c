// Blocks of groups (blocks.h): a block's number in, for each step a call on the block's part of
// every view, made with the kernels that do complete steps. Values that are not stored are in the
// worker's memory, at the same distances as in their buffers.
#include "runtime/blocks.h"

#include <string.h>

#include "base/assert.h"
#include "kernels/ark_walk.h"
#include "kernels/elements.h"
#include "os/thread.h"
#include "plan/walk.h"

// Lines -----------------------------------------------------------------------------------------

// The dimensions of a view, among those that cut its step into parts, that have several indices.
typedef struct part_dims {
    int count;
    int64_t extent[HOIST_MAX_RANK];
    int64_t stride[HOIST_MAX_RANK];
} part_dims;

static part_dims part_dims_of(const hoist_view *view, int lead)
{
    part_dims dims = {.count = 0};
    for (int i = 0; i < lead && i < view->shape.rank; i++) {
        if (view->shape.dim[i] > 1) {
            dims.extent[dims.count] = view->shape.dim[i];
            dims.stride[dims.count++] = view->stride[i];
        }
    }
    return dims;
}

// Joins a view's dimensions behind `axis` to one of even steps. False: there is none.
static bool join_dims(const part_dims *dims, int axis, uint64_t *out_parts, int64_t *out_step)
{
    const int last = dims->count - 1;
    int64_t parts = 1;
    *out_step = dims->stride[last];
    for (int i = last; i > axis; i--) {
        if (dims->stride[i] != *out_step * parts) {
            return false;
        }
        parts *= dims->extent[i]; // of elements that a view counts
    }
    *out_parts = (uint64_t)parts;
    return true;
}

// Elements of a copy, as bytes.
static void copy_lines(const hoist_compute_form *form, const hoist_compute_line *line)
{
    size_t size = 0;
    memcpy(&size, form->state, sizeof size);
    if (line->step[0] == (int64_t)size && line->step[1] == (int64_t)size) {
        memcpy(line->at[1], line->at[0], line->count * size);
        return;
    }
    hoist_ark_copy(line->at[1], line->step[1], line->at[0], line->step[0], line->count, size);
}

// The lines of the blocks of a step. Without any `out->form` has nothing to run.
static void find_lines(const hoist_compute_kernels *kernels, const hoist_group *group,
                       const hoist_block_step *step, hoist_block_lines *out)
{
    const size_t operands = step->call.input_count + HOIST_COMPUTE_MAX_OUTPUTS;
    const int rank = step->views[0].shape.rank;
    const int lead =
        step->copies ? rank : hoist_compute_lead(step->call.op, &step->call.attrs, rank);
    hoist_compute_call call = step->call;
    call.views = step->views;
    *out = (hoist_block_lines){.parts = 0};
    for (size_t i = 0; i < operands; i++) {
        const part_dims dims = part_dims_of(&step->views[i], lead);
        uint64_t parts = 0;
        if (operands > HOIST_COMPUTE_LINE_OPERANDS || dims.count <= group->axis ||
            !join_dims(&dims, group->axis, &parts, &out->step[i]) ||
            (i > 0 && parts != out->parts)) {
            return;
        }
        out->parts = parts;
    }
    if (step->copies) {
        const size_t size = hoist_element_size(step->views[0].dtype);
        out->form.run = copy_lines;
        memcpy(out->form.state, &size, sizeof size);
    } else if (!hoist_compute_form_of(kernels, &call, out->step, &out->form)) {
        out->form.run = NULL;
    }
}

// Blocks ----------------------------------------------------------------------------------------

// A block at hand.
typedef struct block {
    hoist_group_box box;
    const hoist_compute_product *product; // that it is part of; NULL: none
    bool stores;                          // without memory of its own: all values are stored
} block;

// Where the elements of a block are.
typedef struct place {
    hoist_mut_bytes memory;
    int64_t offset; // of the first one
    int64_t row;    // bytes from an index of the axis to the next
} place;

// Where rows and columns of a group's product are among its dimensions; NO_DIMENSION: there is one
// index.
enum { NO_DIMENSION = -1 };
typedef struct product_dims {
    int rows, columns;
} product_dims;

static product_dims product_dims_of(const hoist_blocks *b)
{
    const hoist_shape *y = &b->steps[0].views[2].shape;
    const bool has_columns = y->dim[y->rank - 1] > 1;
    const bool has_rows = y->dim[y->rank - 2] > 1;
    const int last = b->group->lead - 1;
    return (product_dims){has_rows ? last - has_columns : NO_DIMENSION,
                          has_columns ? last : NO_DIMENSION};
}

// In memory of the product's kernel, which has more than the block.
static place place_in_product(const hoist_blocks *b, const hoist_block_operand *operand,
                              const block *k, int64_t size)
{
    const hoist_compute_product *p = k->product;
    HOIST_ASSERT(p);
    const product_dims dims = product_dims_of(b);
    const int64_t last =
        (p->rows - 1) * p->row_step + (p->columns - 1) * p->column_step + operand->place + size;
    place at = {{p->first, (size_t)last}, operand->place, p->column_step};
    if (dims.rows != NO_DIMENSION) {
        at.offset += ((int64_t)k->box.begin[dims.rows] - p->row) * p->row_step;
        at.row = p->row_step;
    }
    if (dims.columns != NO_DIMENSION) {
        at.offset += ((int64_t)k->box.begin[dims.columns] - p->column) * p->column_step;
    }
    return at;
}

static place place_of(const hoist_blocks *b, const hoist_block_step *step, size_t operand,
                      const block *k)
{
    const hoist_block_operand *o = &step->operands[operand];
    const hoist_view *view = &step->views[operand];
    if (o->is_local && !k->stores) {
        return o->is_product ? place_in_product(b, o, k, (int64_t)hoist_element_size(view->dtype))
                             : (place){b->scratch, o->place, o->row};
    }
    place at = {view->memory, view->offset, o->index[b->group->axis]};
    for (int i = 0; i < b->group->lead; i++) {
        at.offset += (int64_t)k->box.begin[i] * o->index[i];
    }
    return at;
}

static void run_lines(const hoist_blocks *b, const hoist_block_step *step, const block *k)
{
    const hoist_block_lines *lines = &step->lines;
    const hoist_group *group = b->group;
    const size_t operands = step->call.input_count + HOIST_COMPUTE_MAX_OUTPUTS;
    const bool cuts_lines = group->is_product && group->axis < group->lead - 1;
    hoist_compute_line line = {.count = (size_t)lines->parts};
    if (cuts_lines) {
        line.count = (size_t)k->box.count[group->axis + 1];
    }
    uint64_t indices = k->box.count[group->axis];
    int64_t row[HOIST_COMPUTE_LINE_OPERANDS];
    bool is_one = true;
    for (size_t i = 0; i < operands; i++) {
        const place at = place_of(b, step, i, k);
        line.at[i] = at.memory.data + at.offset;
        line.step[i] = lines->step[i];
        row[i] = at.row;
        is_one = is_one && at.row == line.step[i] * (int64_t)line.count;
    }
    if (is_one) {
        line.count *= (size_t)indices;
        indices = 1;
    }
    lines->form.run(&lines->form, &line);
    for (uint64_t n = 1; n < indices; n++) {
        for (size_t i = 0; i < operands; i++) {
            line.at[i] += row[i];
        }
        lines->form.run(&lines->form, &line);
    }
}

// Steps -----------------------------------------------------------------------------------------

hoist_ref hoist_block_view(const hoist_prog_step *step, size_t operand)
{
    if (step->kind == HOIST_STEP_MOVE) {
        return operand == 0 ? step->as.move->sources[0].view : step->as.move->destination;
    }
    const hoist_prog_compute *compute = step->as.compute;
    return operand < compute->input_count ? compute->inputs[operand] : compute->outputs[0];
}

void hoist_blocks_place(const hoist_program *program, const hoist_group_plan *plan,
                        const hoist_compute_kernels *kernels, const hoist_group *group,
                        const hoist_prog_step *step, hoist_block_step *out_step)
{
    for (size_t i = 0; i <= out_step->call.input_count; i++) {
        const hoist_ref view = hoist_block_view(step, i);
        hoist_walk walk = {.root = HOIST_NO_REF};
        const bool is_walk = hoist_walk_init(program, view, false, &walk) ||
                             hoist_walk_init_slot(program, view, &walk);
        HOIST_ASSERT(is_walk); // it is in a group
        const hoist_group_local *local =
            is_walk ? hoist_group_local_of(plan, group, walk.root) : NULL;
        hoist_block_operand *to = &out_step->operands[i];
        *to = (hoist_block_operand){.is_local = local != NULL};
        for (int k = 0; k < walk.rank; k++) {
            to->index[k] = walk.stride[k];
        }
        if (local) {
            // The value begins `base` bytes into its buffer, from which the view counts.
            to->place = (int64_t)local->offset + walk.offset - local->base;
            to->row = local->row;
            to->is_product = local->is_product;
        }
    }
    find_lines(kernels, group, out_step, &out_step->lines);
}

// The part of a view in a block.
static hoist_view cut(const hoist_blocks *b, const hoist_block_step *step, size_t operand,
                      const block *k)
{
    const hoist_group *group = b->group;
    const int last = group->is_product ? group->lead - 1 : group->axis;
    const place at = place_of(b, step, operand, k);
    hoist_view part = step->views[operand];
    int lead = 0; // dimensions of one index are not counted
    for (int i = 0; i < part.shape.rank && lead <= last; i++) {
        // A box has a range for each dimension that is longer than 1, up to the last that is cut.
        if (part.shape.dim[i] > 1) {
            part.shape.dim[i] = (int64_t)k->box.count[lead];
            part.stride[i] = lead == group->axis ? at.row : part.stride[i];
            lead++;
        }
    }
    part.memory = at.memory;
    part.offset = at.offset;
    return part;
}

// A line of the last dimension after the other.
static void copy_view(const hoist_view *from, const hoist_view *to)
{
    const int last = from->shape.rank - 1;
    const size_t size = hoist_element_size(from->dtype);
    const uint8_t *source = from->memory.data + from->offset;
    uint8_t *destination = to->memory.data + to->offset;
    int64_t index[HOIST_MAX_RANK] = {0};
    for (int i = last; i >= 0;) {
        hoist_ark_copy(destination, to->stride[last], source, from->stride[last],
                       (size_t)from->shape.dim[last], size);
        for (i = last - 1; i >= 0; i--) {
            source += from->stride[i];
            destination += to->stride[i];
            if (++index[i] < from->shape.dim[i]) {
                break;
            }
            source -= from->stride[i] * index[i];
            destination -= to->stride[i] * index[i];
            index[i] = 0;
        }
    }
}

static hoist_status run_step(const hoist_blocks *b, const hoist_block_step *step, const block *k)
{
    hoist_compute_fault fault; // rows that are cut have none
    hoist_view views[HOIST_BLOCK_VIEWS];
    const size_t own = k->stores ? 0 : (size_t)b->group->scratch;
    hoist_compute_call call = step->call;
    if (step->copies) {
        const hoist_view from = cut(b, step, 0, k);
        const hoist_view to = cut(b, step, 1, k);
        copy_view(&from, &to);
        return HOIST_OK;
    }
    HOIST_ASSERT(call.input_count <= HOIST_COMPUTE_MAX_INPUTS);
    for (size_t i = 0; i <= call.input_count; i++) {
        views[i] = cut(b, step, i, k);
    }
    call.views = views;
    // What the values of the block leave is the kernels', or that of the product.
    if (!k->product && b->scratch.size > own) {
        call.scratch = (hoist_mut_bytes){b->scratch.data + own, b->scratch.size - own};
    }
    return hoist_compute_run(b->kernels, &call, 0, hoist_compute_work(&call), &fault);
}

// Steps [first, last) one after the other, up to one that fails.
static hoist_status run_steps(const hoist_blocks *b, const block *k, uint32_t first, uint32_t last,
                              hoist_blocks_outcome *outcome, uint32_t *out_step)
{
    // The end of a step is the beginning of the next one: a clock is read once for both.
    double before = b->is_timed ? hoist_now() : 0;
    for (uint32_t i = first; i < last; i++) {
        hoist_status status = HOIST_OK;
        if (b->steps[i].lines.form.run) {
            run_lines(b, &b->steps[i], k);
        } else {
            status = run_step(b, &b->steps[i], k);
        }
        if (b->is_timed) {
            const double now = hoist_now();
            outcome->seconds[i] += now - before;
            before = now;
        }
        if (status != HOIST_OK) {
            *out_step = i;
            return status;
        }
    }
    return HOIST_OK;
}

// Products --------------------------------------------------------------------------------------

// What goes on with the parts of a product.
typedef struct follower {
    const hoist_blocks *blocks;
    hoist_blocks_outcome *outcome;
    bool stores;
    hoist_status status;
    uint32_t last; // steps from this one on are not done any more
} follower;

// The box of one batch, of whose dimensions those of one index are not counted.
static hoist_group_box batch_box(const hoist_group *group, const hoist_view *y, uint64_t batch)
{
    hoist_group_box box = {{0}, {0}};
    int at = group->lead - 1;
    for (int i = y->shape.rank - 1; i >= 0; i--) {
        const uint64_t extent = (uint64_t)y->shape.dim[i];
        const bool is_batch = i < y->shape.rank - 2;
        if (extent > 1) {
            box.begin[at] = is_batch ? batch % extent : 0;
            box.count[at--] = 1;
        }
        batch /= is_batch ? extent : 1;
    }
    return box;
}

// A part of a dimension that is done at a time.
typedef struct range {
    int dimension; // NO_DIMENSION: it has one index
    int64_t first, count;
    int64_t most; // at a time
} range;

static range range_of(const hoist_group *group, int dimension, int64_t first, int64_t count)
{
    const int64_t most = dimension == NO_DIMENSION ? 1 : (int64_t)group->most[dimension];
    return (range){dimension, first, count, most};
}

// Puts the indices from number `next` of the range on in a box.
static void set_range(hoist_group_box *box, const range *r, int64_t next)
{
    if (r->dimension != NO_DIMENSION) {
        box->begin[r->dimension] = (uint64_t)(r->first + next);
        box->count[r->dimension] =
            (uint64_t)(r->count - next < r->most ? r->count - next : r->most);
    }
}

// Asks for the part of an operand in a block if it is elsewhere than in the caches: its rows are
// too short for the machine to foresee the next one.
static void ask_for(const hoist_blocks *b, const hoist_block_step *step, size_t operand,
                    const block *k)
{
    enum { CACHE_LINE = 64 };
    const hoist_block_operand *o = &step->operands[operand];
    const hoist_group *group = b->group;
    const int last = group->lead - 1;
    const int64_t size = (int64_t)hoist_element_size(step->views[operand].dtype);
    if ((o->is_local && !k->stores) || o->index[last] != size) {
        return;
    }
    const place at = place_of(b, step, operand, k);
    const bool has_rows = group->axis < last;
    const uint8_t *row = at.memory.data + at.offset;
    for (uint64_t i = has_rows ? k->box.count[group->axis] : 1; i > 0; i--) {
        for (int64_t n = 0; n < (int64_t)k->box.count[last] * size; n += CACHE_LINE) {
            __builtin_prefetch(row + n, 1, 2);
        }
        row += at.row;
    }
}

// The steps after the product, on a part of it, block by block.
static void follow(void *self, const hoist_compute_product *done)
{
    follower *const f = self;
    const hoist_blocks *b = f->blocks;
    const product_dims dims = product_dims_of(b);
    const range rows = range_of(b->group, dims.rows, done->row, done->rows);
    const range columns = range_of(b->group, dims.columns, done->column, done->columns);
    block k = {batch_box(b->group, &b->steps[0].views[2], done->batch), done, f->stores};
    for (int64_t row = 0; row < done->rows; row += rows.most) {
        set_range(&k.box, &rows, row);
        for (int64_t column = 0; column < done->columns; column += columns.most) {
            uint32_t step = 0;
            set_range(&k.box, &columns, column);
            for (uint32_t i = 1; i < b->group->count; i++) {
                for (size_t n = 0; n <= b->steps[i].call.input_count; n++) {
                    ask_for(b, &b->steps[i], n, &k);
                }
            }
            const hoist_status found = run_steps(b, &k, 1, f->last, f->outcome, &step);
            if (found != HOIST_OK) {
                f->status = found;
                f->last = step;
                f->outcome->step = step;
            }
        }
    }
}

// Units of the product, whose kernel has what memory the values of blocks leave.
static hoist_status run_product(const hoist_blocks *b, uint64_t begin, uint64_t end,
                                hoist_blocks_outcome *outcome)
{
    hoist_compute_fault fault; // products have none
    follower f = {.blocks = b, .outcome = outcome, .last = b->group->count};
    hoist_compute_finish finish = {
        .run = follow, .self = &f, .is_stored = !b->steps[0].operands[2].is_local};
    hoist_compute_call call = b->steps[0].call;
    const double before = b->is_timed ? hoist_now() : 0;
    const size_t own = (size_t)b->group->scratch;
    call.views = b->steps[0].views;
    call.finish = &finish;
    const size_t need = finish.is_stored ? 0 : hoist_compute_scratch_size(b->kernels, &call);
    f.stores = b->scratch.size < own || b->scratch.size - own < need;
    finish.is_stored = finish.is_stored || f.stores;
    call.scratch = b->scratch;
    if (!f.stores && own > 0) {
        call.scratch = (hoist_mut_bytes){b->scratch.data + own, b->scratch.size - own};
    }
    outcome->block = begin;
    const hoist_status status =
        hoist_compute_run(b->kernels, &call, (size_t)begin, (size_t)end, &fault);
    if (b->is_timed) {
        outcome->seconds[0] = hoist_now() - before;
        for (uint32_t i = 1; i < b->group->count; i++) {
            outcome->seconds[0] -= outcome->seconds[i];
        }
    }
    outcome->step = status == HOIST_OK ? outcome->step : 0;
    return status == HOIST_OK ? f.status : status;
}

size_t hoist_blocks_units(const hoist_group *group, const hoist_block_step *steps)
{
    hoist_compute_call call = steps[0].call;
    call.views = steps[0].views;
    return group->is_product ? hoist_compute_work(&call) : (size_t)group->blocks;
}

hoist_status hoist_blocks_run(const hoist_blocks *blocks, uint64_t begin, uint64_t end,
                              hoist_blocks_outcome *out_outcome)
{
    hoist_status status = HOIST_OK;
    uint32_t last = blocks->group->count; // a later failure of the same step is not the first
    *out_outcome = (hoist_blocks_outcome){.step = 0};
    if (blocks->group->is_product) {
        return run_product(blocks, begin, end, out_outcome);
    }
    block k = {.stores = blocks->scratch.size < blocks->group->scratch};
    for (uint64_t i = begin; i < end; i++) {
        uint32_t step = 0;
        k.box = hoist_group_box_of(blocks->group, i);
        const hoist_status found = run_steps(blocks, &k, 0, last, out_outcome, &step);
        if (found != HOIST_OK) {
            status = found;
            last = step;
            out_outcome->step = step;
            out_outcome->block = i;
        }
    }
    return status;
}
