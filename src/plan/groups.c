// Groups of steps that are done block by block (groups.h). Input: the codes of a program, a step
// after the other. A step joins the group before it when there is a number of leading dimensions by
// which no byte goes from one part to another (walk.h); the more dimensions, the smaller the parts,
// so the largest number is taken. locals.c then finds what need not be stored.
#include "plan/groups.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/order.h"
#include "base/span.h"
#include "plan/locals.h"
#include "plan/walk.h"
#include "program/run_rules.h"

// Of one group: each step has an input or output view for each walk.
enum { MOST_WALKS = HOIST_GROUP_STEPS * (HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS) };

typedef struct planner {
    const hoist_program *program;
    hoist_group_plan *plan;
    hoist_group group; // that may grow; count 0: none
    hoist_walk *walks; // of its steps
    size_t walk_count;
    hoist_walk matrices[2]; // that its product reads, which are not cut
    hoist_ref fifo;         // whose message it receives; HOIST_NO_REF: none
} planner;

// Steps -----------------------------------------------------------------------------------------

// The walks of one step, before it is known whether it joins.
typedef struct step_walks {
    hoist_walk walks[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    size_t count;
    int lead; // dimensions that cut it into parts
} step_walks;

// The number of leading dimensions that all walks have alike, at most `lead`.
static int common_lead(const hoist_walk *walks, size_t count, int lead)
{
    for (size_t i = 0; i < count; i++) {
        lead = walks[i].rank < lead ? walks[i].rank : lead;
        for (int k = 0; k < lead; k++) {
            lead = walks[i].count[k] == walks[0].count[k] ? lead : k;
        }
    }
    return lead;
}

// Fills in the walks of a step's views; false when the step cannot be cut: no compute step, or
// views that are not evenly spaced.
static bool walk_step(const hoist_program *program, const hoist_prog_step *step, step_walks *out)
{
    if (step->kind != HOIST_STEP_COMPUTE) {
        return false;
    }
    const hoist_prog_compute *compute = step->as.compute;
    const hoist_ref first = compute->inputs[0];
    const int rank = program->layouts[program->views[first].layout].shape.rank;
    const int lead = hoist_compute_lead(compute->op, &compute->attrs, rank);
    out->count = 0;
    // Outputs are written, inputs are read; the order of views does not matter.
    for (uint32_t i = 0; i < compute->input_count + compute->output_count; i++) {
        const bool is_input = i < compute->input_count;
        const hoist_ref view =
            is_input ? compute->inputs[i] : compute->outputs[i - compute->input_count];
        if (lead < 1 || !hoist_walk_init(program, view, !is_input, &out->walks[out->count++])) {
            return false;
        }
    }
    out->lead = common_lead(out->walks, out->count, hoist_walk_lead(program, first, lead));
    return true;
}

static bool is_product(const hoist_prog_step *step)
{
    return step->kind == HOIST_STEP_COMPUTE &&
           hoist_compute_get(step->as.compute->op)->parts == HOIST_PARTS_PRODUCT;
}

// The same of a product, whose parts are the elements of its output; what it multiplies is walked
// apart.
static bool walk_product(const hoist_program *program, const hoist_prog_step *step,
                         hoist_walk *matrices, step_walks *out)
{
    const hoist_prog_compute *compute = step->as.compute;
    HOIST_ASSERT(compute->input_count == 2);
    out->count = 1;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        if (!hoist_walk_init(program, compute->inputs[i], false, &matrices[i])) {
            return false;
        }
    }
    if (!hoist_walk_init(program, compute->outputs[0], true, &out->walks[0])) {
        return false;
    }
    out->lead = out->walks[0].rank;
    return true;
}

// The same of a copy of a message from its slot.
static bool walk_receipt(const hoist_program *program, const hoist_prog_step *step, step_walks *out)
{
    enum { MOST_BITS = 32 }; // of elements that other steps of a group have
    if (step->kind != HOIST_STEP_MOVE) {
        return false;
    }
    const hoist_prog_move *move = step->as.move;
    const hoist_prog_view *from = &program->views[move->sources[0].view];
    const hoist_prog_view *to = &program->views[move->destination];
    if (move->op != HOIST_MOVE_COPY || move->source_count != 1 || move->transpose_rank != 0 ||
        move->table || from->dtype != to->dtype || hoist_dtype_get(to->dtype)->bits > MOST_BITS ||
        !hoist_shape_equal(&program->layouts[from->layout].shape,
                           &program->layouts[to->layout].shape) ||
        !hoist_walk_init_slot(program, move->sources[0].view, &out->walks[0]) ||
        !hoist_walk_init(program, move->destination, true, &out->walks[1])) {
        return false;
    }
    out->count = 2;
    out->lead = out->walks[0].rank;
    return true;
}

// Joining ---------------------------------------------------------------------------------------

// True when no step of the group uses bytes in one part that another step, or itself, writes in
// another part. Pairs below `old` are known to be apart.
static bool is_apart(const planner *p, size_t count, size_t old, int lead)
{
    for (size_t i = old; i < count; i++) {
        for (size_t k = 0; k <= i; k++) {
            const hoist_walk *a = &p->walks[i];
            const hoist_walk *b = &p->walks[k];
            if ((a->written || b->written) && !hoist_walks_apart(a, b, lead)) {
                return false;
            }
        }
    }
    return true;
}

// The same of a group with a product, for its new walks: it reads its matrices as long as other
// steps write, and all others have the elements of its output as their parts.
static bool fits_product(const planner *p, size_t count, size_t old)
{
    for (size_t i = old; p->group.is_product && i < count; i++) {
        const hoist_walk *walk = &p->walks[i];
        for (size_t k = 0; k < HOIST_COUNT_OF(p->matrices); k++) {
            if (walk->written && !hoist_walks_disjoint(walk, &p->matrices[k])) {
                return false;
            }
        }
        if (walk->rank != p->walks[0].rank) {
            return false;
        }
    }
    return true;
}

// The same of a group that receives a message, whose slot is read as long as other steps write. Of
// a slot that is memory of its sender, stays.h looks at these steps: they are before its pop.
static bool keeps_message(const planner *p, size_t count, size_t old)
{
    if (p->fifo == HOIST_NO_REF) {
        return true;
    }
    const hoist_prog_fifo *fifo = &p->program->fifos[p->fifo];
    for (size_t i = old; i < count; i++) {
        for (uint32_t k = 0; p->walks[i].written && k < fifo->part_count; k++) {
            if (hoist_prog_root(p->program, fifo->parts[k], NULL) == p->walks[i].root) {
                return false;
            }
        }
    }
    return true;
}

// The largest value of a part decides how many parts a block has.
static uint64_t part_bytes(const planner *p, size_t count, int lead)
{
    uint64_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bytes = hoist_walk_part_bytes(&p->walks[i], lead);
        most = bytes > most ? bytes : most;
    }
    return most;
}

// Makes the step the group's last; false when it is not possible, and the group is as before.
static bool join(planner *p, const step_walks *step)
{
    const size_t old = p->walk_count;
    const size_t count = old + step->count;
    hoist_group *g = &p->group;
    if (g->count == HOIST_GROUP_STEPS) {
        return false;
    }
    HOIST_ASSERT(count <= MOST_WALKS);
    for (size_t i = 0; i < step->count; i++) {
        p->walks[old + i] = step->walks[i];
    }
    const int least = g->is_product ? p->walks[0].rank : 1;
    int lead = g->count && g->lead < step->lead ? g->lead : step->lead;
    for (lead = common_lead(p->walks, count, lead); lead >= least && lead > 0; lead--) {
        // A smaller number of dimensions makes larger parts, for which the old pairs have to be
        // compared again.
        const bool as_before = g->count && lead == g->lead;
        if (is_apart(p, count, as_before ? old : 0, lead)) {
            break;
        }
    }
    if (lead == 0 || lead < least || part_bytes(p, count, lead) > HOIST_GROUP_PART ||
        !fits_product(p, count, old) || !keeps_message(p, count, old)) {
        return false;
    }
    g->lead = lead;
    g->count++;
    p->walk_count = count;
    return true;
}

// Blocks ----------------------------------------------------------------------------------------

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// As many parts in a block as its bytes allow, of the last dimensions first: their elements are
// next to each other in memory.
static void cut_parts(hoist_group *g, uint64_t bytes)
{
    g->axis = g->lead - 1;
    while (g->axis > 0 && g->extent[g->axis] <= HOIST_GROUP_BLOCK / bytes) {
        bytes *= g->extent[g->axis];
        g->most[g->axis] = g->extent[g->axis];
        g->axis--;
    }
    // At least one, even of a part larger than a block.
    g->most[g->axis] = least_of(g->extent[g->axis], most_of(HOIST_GROUP_BLOCK / bytes, 1));
}

// Blocks of a product have long lines of columns and as many rows as fit. Batches, and rows or
// columns of which there is one, are not cut.
static void cut_product(const hoist_program *program, hoist_group *g, uint64_t bytes)
{
    const hoist_ref y = g->steps[0].as.compute->outputs[0];
    const hoist_shape *shape = &program->layouts[program->views[y].layout].shape;
    const uint64_t rows = (uint64_t)shape->dim[shape->rank - 2];
    const uint64_t columns = (uint64_t)shape->dim[shape->rank - 1];
    const uint64_t all = HOIST_GROUP_BLOCK / bytes; // elements
    int next = g->lead - 1;
    const uint64_t line = least_of(columns, most_of(all / rows, HOIST_GROUP_COLUMNS));
    g->axis = next;
    if (columns > 1) {
        g->most[next--] = line;
    }
    if (rows > 1) {
        g->axis = next;
        g->most[next] = least_of(rows, most_of(all / line, 1)); // elements may be large
    }
}

// Sizes of blocks, and how many there are.
static void cut(planner *p)
{
    hoist_group *g = &p->group;
    const uint64_t bytes = part_bytes(p, p->walk_count, g->lead);
    for (int i = 0; i < g->lead; i++) {
        g->extent[i] = p->walks[0].count[i];
        g->most[i] = 1;
    }
    if (g->is_product) {
        cut_product(p->program, g, bytes);
    } else {
        cut_parts(g, bytes);
    }
    g->blocks = 1;
    for (int i = 0; i < g->lead; i++) {
        g->blocks *= (g->extent[i] - 1) / g->most[i] + 1; // of elements that a view counts
    }
}

// The reverse of the numbering: the axis counts fastest, then the dimensions before it.
hoist_group_box hoist_group_box_of(const hoist_group *group, uint64_t block)
{
    hoist_group_box box = {{0}, {0}};
    const uint64_t extent = group->extent[group->axis];
    const uint64_t most = group->most[group->axis];
    const uint64_t pieces = (extent - 1) / most + 1;
    const uint64_t begin = block % pieces * most;
    HOIST_ASSERT(block < group->blocks && !group->is_product);
    box.begin[group->axis] = begin;
    box.count[group->axis] = least_of(extent - begin, most);
    block /= pieces;
    for (int i = group->axis - 1; i >= 0; i--) {
        box.begin[i] = block % group->extent[i];
        box.count[i] = 1;
        block /= group->extent[i];
    }
    return box;
}

// Codes -----------------------------------------------------------------------------------------

// Keeps the group if it has two steps or more, and begins with none.
static hoist_status close(planner *p)
{
    hoist_group_plan *plan = p->plan;
    if (p->group.count > 1) {
        if (!hoist_grow(plan->alloc, (void **)&plan->groups, &plan->capacity, plan->count + 1,
                        sizeof *plan->groups)) {
            return HOIST_NO_MEMORY;
        }
        cut(p);
        plan->groups[plan->count++] = p->group;
    }
    p->group.count = 0;
    p->walk_count = 0;
    return HOIST_OK;
}

// The buffer of a view; HOIST_NO_REF: it is of none.
static hoist_ref root_of(const hoist_program *program, hoist_ref view)
{
    const hoist_prog_view *row = &program->views[view];
    return row->base == HOIST_VIEW_BUFFER ? hoist_prog_root(program, row->of, NULL) : HOIST_NO_REF;
}

// Whether the next step goes over lines of what this one gives. The two are then done together, and
// not this one with the product before it: its result would be stored for the lines.
static bool is_for_lines(const hoist_program *program, const hoist_prog_code *code, uint32_t step)
{
    const hoist_prog_step *next = &code->steps[step + 1];
    if (step + 1 == code->step_count || next->kind != HOIST_STEP_COMPUTE) {
        return false;
    }
    const hoist_prog_compute *compute = next->as.compute;
    const hoist_ref given = root_of(program, code->steps[step].as.compute->outputs[0]);
    const int rank = program->layouts[program->views[compute->inputs[0]].layout].shape.rank;
    const int lead = hoist_compute_lead(compute->op, &compute->attrs, rank);
    bool reads = false;
    for (uint32_t i = 0; i < compute->input_count; i++) {
        reads = reads || root_of(program, compute->inputs[i]) == given;
    }
    return reads && lead > 0 && lead < rank;
}

// A step that does not join the group begins the next one.
static hoist_status add_step(planner *p, const hoist_prog_code *code, uint32_t number,
                             uint32_t step)
{
    step_walks walks;
    const hoist_prog_step *const row = &code->steps[step];
    const bool multiplies = is_product(row);
    const bool receives = walk_receipt(p->program, row, &walks);
    const bool cuts = receives || (multiplies ? walk_product(p->program, row, p->matrices, &walks)
                                              : walk_step(p->program, row, &walks));
    if (!cuts) {
        return close(p);
    }
    const bool joins =
        !multiplies && !receives && !(p->group.is_product && is_for_lines(p->program, code, step));
    if (joins && p->group.count && join(p, &walks)) {
        return HOIST_OK;
    }
    HOIST_TRY(close(p));
    p->group = (hoist_group){.code = number, .first = step, .steps = row, .is_product = multiplies};
    p->fifo = receives ? p->program->views[row->as.move->sources[0].view].of : HOIST_NO_REF;
    (void)join(p, &walks); // or the step is in no group
    return HOIST_OK;
}

// `targets`: steps that branches go to, which would leave out the first steps of a group.
static hoist_status add_code(planner *p, uint32_t number, const hoist_prog_code *code,
                             const bool *targets, hoist_deadline *deadline)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (i % 1024 == 0) {
            HOIST_TRY(hoist_deadline_look(deadline));
        }
        if (targets[i]) {
            HOIST_TRY(close(p));
        }
        HOIST_TRY(add_step(p, code, number, i));
    }
    return close(p);
}

// Groups end at the target of a branch; loops end them anyway, as their steps are control.
static hoist_status group_code(planner *p, uint32_t number, const hoist_prog_code *code,
                               hoist_deadline *deadline)
{
    // One more: a branch may go behind the last step.
    const size_t count = (size_t)code->step_count + 1;
    bool *targets = hoist_alloc_zero(p->plan->alloc, count, sizeof *targets);
    if (!targets) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_BRANCH) {
            targets[code->steps[i].as.branch.target_step] = true;
        }
    }
    const hoist_status status = add_code(p, number, code, targets, deadline);
    hoist_free(p->plan->alloc, targets, count * sizeof *targets);
    return status;
}

static hoist_status group_all(planner *p, hoist_deadline *deadline)
{
    const hoist_program *program = p->program;
    for (uint32_t i = 0; i < program->function_count; i++) {
        HOIST_TRY(group_code(p, i, &program->functions[i].code, deadline));
    }
    for (uint32_t i = 0; i < program->thread_count; i++) {
        const uint32_t number = program->function_count + i;
        HOIST_TRY(group_code(p, number, &program->threads[i].code, deadline));
    }
    return HOIST_OK;
}

// Names of fifos and buffers are accepted and change nothing: only views can be left unstored.
hoist_status hoist_group_choose_reads(const hoist_program *program, const char *const *names,
                                      size_t count, hoist_diag *diag, hoist_allocator alloc,
                                      bool **out_is_read)
{
    bool *is_read = hoist_alloc_zero(alloc, (size_t)program->port_count + 1, sizeof *is_read);
    const size_t before = (size_t)program->fifo_count + program->index.buffer_count; // of views
    *out_is_read = is_read;
    for (size_t i = 0; is_read && i < count; i++) {
        const hoist_str name = hoist_str_from(names[i]);
        size_t port = 0;
        if (!hoist_map_find(&program->index.port_names, name, &port)) {
            return hoist_fail(diag, HOIST_INVALID, hoist_runtime_rule_row(HOIST_RUNTIME_OPTIONS),
                              hoist_loc_none(),
                              "the caller's options name the port '%.*s' among `reads`, expected a "
                              "port of the program",
                              HOIST_STR_ARGS(name));
        }
        if (port >= before) { // views of the program
            is_read[port - before] = true;
        }
    }
    return is_read ? HOIST_OK : HOIST_NO_MEMORY;
}

// For hoist_group_at(), which a session asks for every step.
// By step ---------------------------------------------------------------------------------------

typedef struct entry {
    uintptr_t step;
    uint32_t group;
} entry; // of its first step; addresses of one array per code

static int by_step(const void *a, const void *b)
{
    return hoist_order_u64(((const entry *)a)->step, ((const entry *)b)->step);
}

static hoist_status sort(hoist_group_plan *plan)
{
    const size_t count = plan->count + 1;
    entry *entries = hoist_alloc_zero(plan->alloc, count, sizeof *entries);
    plan->order = hoist_alloc_zero(plan->alloc, count, sizeof *plan->order);
    for (size_t i = 0; entries && i < plan->count; i++) {
        entries[i] = (entry){(uintptr_t)plan->groups[i].steps, (uint32_t)i};
    }
    if (entries && plan->order) {
        qsort(entries, plan->count, sizeof *entries, by_step);
        for (size_t i = 0; i < plan->count; i++) {
            plan->order[i] = entries[i].group;
        }
    }
    const bool failed = !entries || !plan->order;
    hoist_free(plan->alloc, entries, count * sizeof *entries);
    return failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Binary search by address.
const hoist_group *hoist_group_at(const hoist_group_plan *plan, const hoist_prog_step *step)
{
    size_t low = 0;
    size_t high = plan->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const hoist_group *group = &plan->groups[plan->order[middle]];
        if (group->steps == step) {
            return group;
        }
        if ((uintptr_t)group->steps < (uintptr_t)step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const hoist_group_local *hoist_group_local_of(const hoist_group_plan *plan,
                                              const hoist_group *group, hoist_ref root)
{
    for (uint32_t i = 0; i < group->local_count; i++) {
        const hoist_group_local *local = &plan->locals[group->local_first + i];
        if (local->buffer == root) {
            return local;
        }
    }
    return NULL;
}

bool hoist_group_stores_product(const hoist_program *program, const hoist_group_plan *plan,
                                const hoist_group *group)
{
    HOIST_ASSERT(group->is_product);
    const hoist_ref root = root_of(program, group->steps[0].as.compute->outputs[0]);
    return !hoist_group_local_of(plan, group, root);
}

// Groups, then their locals, then the index.
hoist_status hoist_group_plan_build(const hoist_program *program,
                                    const hoist_group_options *options, hoist_group_plan *out_plan)
{
    *out_plan = (hoist_group_plan){.alloc = options->alloc};
    planner p = {.program = program,
                 .plan = out_plan,
                 .walks = hoist_alloc_zero(options->alloc, MOST_WALKS, sizeof *p.walks)};
    hoist_status status = p.walks ? group_all(&p, options->deadline) : HOIST_NO_MEMORY;
    status = status == HOIST_OK ? hoist_group_find_locals(program, options, out_plan) : status;
    status = status == HOIST_OK ? sort(out_plan) : status;
    hoist_free(options->alloc, p.walks, MOST_WALKS * sizeof *p.walks);
    if (status != HOIST_OK) {
        hoist_group_plan_deinit(out_plan);
    }
    return status;
}

// NULL arrays are allowed: a plan that was never built.
void hoist_group_plan_deinit(hoist_group_plan *plan)
{
    hoist_free(plan->alloc, plan->groups, plan->capacity * sizeof *plan->groups);
    hoist_free(plan->alloc, plan->locals, plan->local_capacity * sizeof *plan->locals);
    hoist_free(plan->alloc, plan->order, plan->order ? (plan->count + 1) * sizeof *plan->order : 0);
    *plan = (hoist_group_plan){.alloc = plan->alloc};
}
