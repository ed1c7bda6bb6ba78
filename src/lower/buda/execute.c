// Executes: one posted function each, which gives the settings to the queues, calls the function of
// the graphs once per input, and puts local pointers back (buda-netlist reference sections 2.6 to
// 2.8).
// In: launches of program_code.c, with settings bound to queues. Out: functions of the builder and
// actions of the thread (control.h).
#include "base/span.h"
#include "lower/buda/control.h"

// The values of one queue's setting while a function is built: first as the thread sees them, then
// as the function does.
typedef struct given {
    const buda_bound *bound; // NULL: no setting
    bool is_last;            // of the execute that completed the epoch
    hoist_prog_value values[BUDA_S_COUNT];
} given;

typedef struct execute {
    buda_lower_thread *t; // posts and registers go here
    buda_lower_group *group;
    given *given;                // per use of the group; scratch
    hoist_prog_value *arguments; // registers of the thread; arena
    size_t argument_count;
    size_t argument_capacity;
    size_t temporaries; // registers of the function so far, for their names
} execute;

static bool is_ram(const buda_lower_job *l, size_t queue)
{
    return l->net.queues[queue].queue->type.value == BUDA_RAM;
}

// Settings ------------------------------------------------------------------------------------

// Operands are taken over now: capture() copies those that change before the epoch is complete.
static buda_lower_member *new_member(buda_lower_thread *t, const buda_launch *launch)
{
    buda_lower_job *l = t->l;
    buda_lower_member *member = hoist_lower_array(&l->c, 1, sizeof *member);
    hoist_prog_value(*values)[BUDA_S_COUNT] =
        hoist_lower_array(&l->c, launch->bound_count, sizeof *values);
    if (!member || !values) {
        return NULL;
    }
    for (size_t i = 0; i < launch->bound_count; i++) {
        const buda_bound *bound = &launch->bound[i];
        for (int key = 0; key < BUDA_S_COUNT; key++) {
            values[i][key] = buda_lower_operand(
                &bound->fields[key],
                buda_setting_default(is_ram(l, bound->queue), (buda_setting_key)key));
        }
        // In the arena: members wait for their epoch over several instructions.
    }
    *member = (buda_lower_member){.launch = launch, .values = values, .at = t->at};
    return member;
}

// True when an instruction from `at` to the one at hand changes variable `v`; there is no loop
// between. A loop between would have been refused (RUN-006).
// By the instructions in between, which are few: members of an epoch follow each other closely.
static bool is_changed(const buda_lower_thread *t, size_t at, size_t v)
{
    for (size_t i = at; i < t->at; i++) {
        const buda_step *step = &t->code->steps[i];
        if (step->instr->kind == BUDA_I_VARINST && step->variables[0] == v) {
            return true;
        }
    }
    return false;
}

// What a graph was given before the epoch was complete is kept where variables have changed since.
// Such a variable gets a register that is set where the graph was executed.
static void capture(buda_lower_thread *t, buda_lower_member *member)
{
    for (size_t i = 0; i < member->launch->bound_count; i++) {
        for (int key = 0; key < BUDA_S_COUNT; key++) {
            hoist_prog_value *value = &member->values[i][key];
            if (value->reg == HOIST_NO_REF || !is_changed(t, member->at, value->reg)) {
                continue;
            }
            const hoist_str name = hoist_lower_format(&t->l->c, "given.%zu", t->register_count);
            const hoist_ref copy = buda_lower_new_register(t, name, HOIST_LIFETIME_RUN, 0);
            buda_lower_act(t, member->at, // at the earlier instruction
                           &(buda_lower_action){
                               .destination = copy, .value = *value, .function = HOIST_NO_REF});
            value->reg = copy;
        }
    }
}

// The posted function sees variables as parameters; each register is passed once.
// Arguments -----------------------------------------------------------------------------------

// In the arena, because the action keeps the pointer; old arrays stay there.
static bool grow_arguments(execute *e)
{
    if (e->argument_count < e->argument_capacity) {
        return true;
    }
    const size_t capacity = e->argument_capacity ? 2 * e->argument_capacity : 8;
    hoist_prog_value *more = hoist_lower_array(&e->t->l->c, capacity, sizeof *more);
    for (size_t i = 0; more && i < e->argument_count; i++) {
        more[i] = e->arguments[i];
    }
    e->arguments = more ? more : e->arguments;
    e->argument_capacity = more ? capacity : e->argument_capacity;
    return more != NULL;
}

// `value` of the thread as the function has it: a number, or the parameter that brings it.
static hoist_prog_value as_parameter(execute *e, hoist_prog_value value)
{
    if (value.reg == HOIST_NO_REF) {
        return value;
    }
    for (size_t i = 0; i < e->argument_count; i++) {
        // Few arguments, so a linear search.
        if (e->arguments[i].reg == value.reg) {
            return hoist_lower_register((hoist_ref)i);
        }
    }
    if (!grow_arguments(e)) {
        return hoist_lower_number(0);
    }
    e->arguments[e->argument_count] = value;
    return hoist_lower_register((hoist_ref)e->argument_count++);
}

// Collects the settings that the group's queues were given, and the arguments they need. A later
// member's setting of the same queue replaces the earlier: rule 35c has reported different ones.
static void collect(execute *e, const buda_lower_member *member, bool is_last)
{
    for (size_t i = 0; i < member->launch->bound_count; i++) {
        const buda_bound *bound = &member->launch->bound[i];
        const buda_lower_use *use = buda_lower_use_of(e->group, bound->queue);
        // Queues of other groups of the epoch have functions of their own.
        if (!use || e->t->l->fifos[bound->queue] == HOIST_NO_REF) {
            continue;
        }
        given *g = &e->given[use - e->group->uses];
        *g = (given){.bound = bound, .is_last = is_last};
        for (int key = 0; key < BUDA_S_COUNT; key++) {
            g->values[key] = as_parameter(e, member->values[i][key]);
        }
    }
}

// Steps of the posted function, labelled with the graph's name.
// Steps ---------------------------------------------------------------------------------------

static hoist_prog_step step_of(const execute *e, hoist_step_kind kind)
{
    const buda_instr *instr = e->t->code->steps[e->t->at].instr;
    return (hoist_prog_step){
        .kind = kind, .loc = hoist_loc_pos(instr->pos), .label = instr->graph.text};
}

// A new register of the function with `op` of `a` and `with`.
static hoist_prog_value alu(execute *e, hoist_alu_op op, hoist_prog_value a, hoist_prog_value with)
{
    hoist_builder *b = e->t->l->c.b;
    hoist_prog_step step = step_of(e, HOIST_STEP_ALU);
    step.as.alu.op = op;
    step.as.alu.destination = hoist_builder_register(
        b, &(hoist_prog_register){.name = hoist_lower_format(&e->t->l->c, "t%zu", e->temporaries++),
                                  .lifetime = HOIST_LIFETIME_CALL});
    step.as.alu.a = a;
    step.as.alu.b = with;
    (void)hoist_builder_step(b, &step);
    return hoist_lower_register(step.as.alu.destination);
}

// Zeroing: always, never, or by a parameter and then behind a branch.
static void zero(const execute *e, size_t queue, hoist_prog_value flag)
{
    hoist_builder *b = e->t->l->c.b;
    if (flag.reg == HOIST_NO_REF) {
        if (flag.number) {
            buda_lower_fifo_step(e->t, HOIST_STEP_ZERO, queue, hoist_lower_number(0));
        }
        return;
    }
    hoist_prog_step skip = step_of(e, HOIST_STEP_BRANCH);
    skip.as.branch.a = flag;
    skip.as.branch.b = hoist_lower_number(0);
    skip.as.branch.compare = HOIST_CMP_EQ;
    const uint32_t at = hoist_builder_step(b, &skip);
    buda_lower_fifo_step(e->t, HOIST_STEP_ZERO, queue, hoist_lower_number(0));
    hoist_builder_set_target(b, at, hoist_builder_next_step(b));
}

// Gives one setting to its queue.
static void apply(const execute *e, const given *g)
{
    const size_t queue = g->bound->queue;
    buda_lower_set_pointer(e->t, queue, HOIST_POINTER_BEGIN, g->values[BUDA_S_RD_PTR_GLOBAL]);
    if (!is_ram(e->t->l, queue)) {
        buda_lower_set_pointer(e->t, queue, HOIST_POINTER_LOCAL, g->values[BUDA_S_RD_PTR_LOCAL]);
    } else if (!g->values[BUDA_S_READ_ONLY].number) {
        buda_lower_set_pointer(e->t, queue, HOIST_POINTER_WRITE, g->values[BUDA_S_WR_PTR_GLOBAL]);
    }
    zero(e, queue, g->values[BUDA_S_ZERO]);
}

// The step of a read pointer: none for what is read once before all inputs. As numbers where the
// setting is written out, else computed at run time: step * (prologue == 0) * (epilogue == 0).
static hoist_prog_value read_step(execute *e, const given *g, bool ram)
{
    const buda_setting_key key = ram ? BUDA_S_GLOBAL_RDPTR_AUTOINC : BUDA_S_RD_PTR_AUTOINC;
    hoist_prog_value step = g->values[key];
    static const buda_setting_key held[] = {BUDA_S_PROLOGUE, BUDA_S_EPILOGUE};
    for (size_t i = 0; i < HOIST_COUNT_OF(held); i++) {
        const hoist_prog_value flag = g->values[held[i]];
        if (flag.reg != HOIST_NO_REF) {
            const hoist_prog_value off = alu(e, HOIST_ALU_EQ, flag, hoist_lower_number(0));
            step = alu(e, HOIST_ALU_MUL, off, step);
        } else if (flag.number) {
            return hoist_lower_number(0); // no later flag can make it move
        }
    }
    return step;
}

// The value of an amount of use `i` in this execute. Without a setting the defaults of section 2.6
// hold.
static hoist_prog_value amount(execute *e, size_t i, buda_lower_amount_kind kind)
{
    const buda_lower_use *use = &e->group->uses[i];
    const given *g = &e->given[i];
    const bool ram = is_ram(e->t->l, use->queue);
    if (!g->bound) {
        const buda_setting_key key = kind == BUDA_LOWER_FRESH        ? BUDA_S_ZERO
                                     : kind == BUDA_LOWER_WRITE_STEP ? BUDA_S_GLOBAL_WRPTR_AUTOINC
                                     : ram                           ? BUDA_S_GLOBAL_RDPTR_AUTOINC
                                                                     : BUDA_S_RD_PTR_AUTOINC;
        return hoist_lower_number(buda_setting_default(ram, key));
    }
    switch (kind) {
    case BUDA_LOWER_READ_STEP:
        return read_step(e, g, ram);
    case BUDA_LOWER_WRITE_STEP:
        return g->values[BUDA_S_GLOBAL_WRPTR_AUTOINC];
    case BUDA_LOWER_FRESH:
    case BUDA_LOWER_AMOUNT_COUNT:
        break;
    }
    // In a register of its own: the first input takes it away.
    return alu(e, HOIST_ALU_SET, g->values[BUDA_S_ZERO], hoist_lower_number(0));
}

// The arguments of the graphs' function, by its parameters; `*out_count` of them. Amounts that are
// equal in all executes are constants of the graphs' function and no arguments.
static hoist_prog_argument *call_arguments(execute *e, size_t *out_count)
{
    buda_lower_job *l = e->t->l;
    hoist_prog_argument *arguments = hoist_lower_scratch(
        &l->c, e->group->use_count * BUDA_LOWER_AMOUNT_COUNT, sizeof *arguments);
    // One loop over uses and kinds, in the order of add_parameters() in function.c.
    *out_count = 0;
    for (size_t i = 0; arguments && i < e->group->use_count; i++) {
        for (int kind = 0; kind < BUDA_LOWER_AMOUNT_COUNT; kind++) {
            if (e->group->uses[i].amounts[kind].varies) {
                arguments[(*out_count)++] = (hoist_prog_argument){
                    .value = amount(e, i, (buda_lower_amount_kind)kind), .view = HOIST_NO_REF};
            }
        }
    }
    return arguments;
}

// `fresh` counts for the first input of an execute; later ones add to the sum.
static void clear_fresh(const execute *e, const hoist_prog_argument *arguments)
{
    // Walks the arguments in the order in which call_arguments() made them.
    size_t next = 0;
    for (size_t i = 0; i < e->group->use_count; i++) {
        for (int kind = 0; kind < BUDA_LOWER_AMOUNT_COUNT; kind++) {
            if (!e->group->uses[i].amounts[kind].varies) {
                continue;
            }
            const hoist_prog_value value = arguments[next++].value;
            if (kind == BUDA_LOWER_FRESH && value.reg != HOIST_NO_REF) {
                hoist_prog_step step = step_of(e, HOIST_STEP_ALU);
                step.as.alu.op = HOIST_ALU_SET;
                step.as.alu.destination = value.reg;
                step.as.alu.a = hoist_lower_number(0);
                step.as.alu.b = hoist_lower_number(0);
                (void)hoist_builder_step(e->t->l->c.b, &step);
            }
        }
    }
}

// global_rdptr_autoinc of queues: that many pops after each input. Rams have no pops: their read
// pointer steps in the graphs' function.
static void pop(const execute *e)
{
    for (size_t i = 0; i < e->group->use_count; i++) {
        const given *g = &e->given[i];
        const hoist_prog_value count = g->values[BUDA_S_GLOBAL_RDPTR_AUTOINC];
        if (g->bound && !is_ram(e->t->l, g->bound->queue) &&
            (count.reg != HOIST_NO_REF || count.number != 0)) {
            buda_lower_fifo_step(e->t, HOIST_STEP_POP, g->bound->queue, count);
        }
    }
}

// input_count calls of the graphs' function; a single one needs no loop.
static void call_for_each_input(execute *e)
{
    hoist_builder *b = e->t->l->c.b;
    size_t count = 0;
    const hoist_prog_argument *arguments = call_arguments(e, &count);
    if (!arguments) {
        return;
    }
    const bool looped = e->group->inputs != 1;
    if (looped) {
        hoist_prog_step loop = step_of(e, HOIST_STEP_LOOP);
        loop.as.loop.count = hoist_lower_number(e->group->inputs);
        (void)hoist_builder_step(b, &loop);
    }
    hoist_prog_step call = step_of(e, HOIST_STEP_CALL);
    call.as.call.target.function = e->group->function;
    call.as.call.target.arguments = arguments;
    call.as.call.target.argument_count = (uint32_t)count;
    call.as.call.unit = HOIST_NO_REF; // on the same unit
    (void)hoist_builder_step(b, &call);
    clear_fresh(e, arguments);
    pop(e);
    if (looped) {
        const hoist_prog_step end = step_of(e, HOIST_STEP_END);
        (void)hoist_builder_step(b, &end);
    }
}

// Local pointers of the queues that the completing execute named go back to their settings (C27).
// An earlier member's local pointers stay: the golden model puts back the last execute's only.
static void put_back(const execute *e)
{
    for (size_t i = 0; i < e->group->use_count; i++) {
        const given *g = &e->given[i];
        if (g->bound && g->is_last && !is_ram(e->t->l, g->bound->queue)) {
            buda_lower_set_pointer(e->t, g->bound->queue, HOIST_POINTER_LOCAL,
                                   g->values[BUDA_S_RD_PTR_LOCAL]);
        }
    }
}

// A group is posted once per epoch, by the completing execute.
// Groups --------------------------------------------------------------------------------------

static void run_group(buda_lower_thread *t, buda_lower_group *group, const buda_lower_epoch *epoch)
{
    buda_lower_job *l = t->l;
    const bool is_first = &l->groups[group->cluster] == group;
    execute e = {.t = t,
                 .group = group,
                 .given = hoist_lower_scratch(&l->c, group->use_count, sizeof(given))};
    if (!e.given) {
        return;
    }
    for (const buda_lower_member *m = epoch->first; m; m = m->next) {
        collect(&e, m, m == epoch->last);
    }
    // Order inside the function: settings, calls, pointers back.
    const hoist_ref function = buda_lower_begin(t, e.argument_count);
    for (size_t i = 0; i < group->use_count; i++) {
        if (e.given[i].bound) {
            apply(&e, &e.given[i]);
        }
    }
    call_for_each_input(&e);
    put_back(&e);
    hoist_builder_end_code(l->c.b);
    buda_lower_act(t, t->at,
                   &(buda_lower_action){.destination = HOIST_NO_REF,
                                        .when = HOIST_NO_REF,
                                        .function = function,
                                        .unit = group->unit,
                                        // Units that must have finished with the queues.
                                        .drains = is_first ? group->drains : NULL,
                                        .drain_count = is_first ? group->drain_count : 0,
                                        .arguments = e.arguments,
                                        .argument_count = e.argument_count});
}

// The groups of a cluster are posted one right after the other: each may wait for the others.
static void run_cluster(buda_lower_thread *t, size_t cluster, const buda_lower_epoch *epoch)
{
    size_t i = cluster;
    do {
        run_group(t, &t->l->groups[i], epoch);
        i = t->l->groups[i].sibling;
    } while (i != cluster && t->l->c.status == HOIST_OK);
}

// All graphs of the epoch have been executed: its groups run.
static void complete(buda_lower_thread *t, buda_lower_epoch *epoch)
{
    buda_lower_job *l = t->l;
    // The stamp tells groups that have been posted in this completion from others.
    const size_t stamp = ++l->stamp;
    for (buda_lower_member *m = epoch->first; m; m = m->next) {
        capture(t, m);
    }
    for (buda_lower_member *m = epoch->first; m && l->c.status == HOIST_OK; m = m->next) {
        const size_t cluster = l->groups[l->group_of[m->launch->graph]].cluster;
        if (l->groups[cluster].stamp != stamp) {
            l->groups[cluster].stamp = stamp;
            run_cluster(t, cluster, epoch);
        }
    }
    // After the posts: from here on a varinst changes the pointers of these settings.
    for (buda_lower_member *m = epoch->first; m; m = m->next) {
        for (size_t i = 0; i < m->launch->bound_count; i++) {
            buda_lower_note_setting(t, &m->launch->bound[i]);
        }
    }
    epoch->first = NULL;
    epoch->last = NULL;
    epoch->done = 0;
    t->pending--;
}

// One member of an epoch; the last one completes it.
static void start(buda_lower_thread *t, const buda_launch *launch)
{
    buda_lower_epoch *epoch = &t->epochs[t->l->net.graphs[launch->graph].temporal];
    buda_lower_member *member = new_member(t, launch);
    if (!member) {
        return;
    }
    t->pending += epoch->done == 0; // the first member begins the epoch
    *(epoch->last ? &epoch->last->next : &epoch->first) = member;
    epoch->last = member;
    if (++epoch->done == epoch->graph_count) {
        complete(t, epoch);
    }
}

// A list-form graph has several launches.
void buda_lower_execute(buda_lower_thread *t, const buda_step *step)
{
    const buda_instr *instr = step->instr;
    if (step->launch_count == 0) {
        buda_lower_refuse(t->l, RUN_007, instr->graph.pos, "there is no graph '%.*s'",
                          HOIST_STR_ARGS(instr->graph.text));
    }
    for (size_t i = 0; i < step->launch_count && t->l->c.status == HOIST_OK; i++) {
        start(t, &step->launches[i]);
    }
}
