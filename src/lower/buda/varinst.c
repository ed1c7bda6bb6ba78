// What a change of a variable does to pointers, and the life of dynamic queues.
//
// A varinst moves the pointers that its variable is bound to in the setting of each queue that was
// executed last in this run (buda-netlist reference section 2.8). Which setting that is follows
// from the order of instructions nearly always. Where it depends on the turn of a loop, a register
// holds the number of the setting, and the change is skipped when it is another one.

#include "base/span.h"
#include "lower/buda/control.h"

// The pointer that a field of a setting moves; false for other fields, whose values count at
// executes only.
// In: bindings of a variable (program_code.c). Out: actions with functions that set pointers.
static bool pointer_of(const buda_lower_job *l, const buda_binding *binding,
                       hoist_fifo_pointer *out_pointer)
{
    const bool ram = l->net.queues[binding->bound->queue].queue->type.value == BUDA_RAM;
    switch (binding->key) {
    case BUDA_S_RD_PTR_GLOBAL:
        *out_pointer = HOIST_POINTER_READ;
        return true;
    case BUDA_S_RD_PTR_LOCAL:
        *out_pointer = HOIST_POINTER_LOCAL;
        return !ram;
    // A ram that is read only keeps its write pointer. read_only is no variable here (RUN-007).
    case BUDA_S_WR_PTR_GLOBAL:
        *out_pointer = HOIST_POINTER_WRITE;
        return ram && binding->bound->fields[BUDA_S_READ_ONLY].value == 0;
    default:
        return false;
    }
}

// Settings ------------------------------------------------------------------------------------

// With a register its number becomes the setting's, so that later changes can ask.
void buda_lower_note_setting(buda_lower_thread *t, const buda_bound *bound)
{
    t->settings[bound->queue] = (buda_lower_setting){.bound = bound};
    if (t->last[bound->queue] != HOIST_NO_REF) {
        buda_lower_act(t, t->at,
                       &(buda_lower_action){.destination = t->last[bound->queue],
                                            .value = hoist_lower_number((int64_t)bound->number),
                                            .function = HOIST_NO_REF});
    }
}

// Notes the settings of a step without any action: for the search before the first pass.
static void pass(buda_lower_thread *t, const buda_step *step)
{
    for (size_t k = 0; k < step->launch_count; k++) {
        const buda_launch *launch = &step->launches[k];
        for (size_t b = 0; b < launch->bound_count; b++) {
            t->settings[launch->bound[b].queue] = (buda_lower_setting){.bound = &launch->bound[b]};
        }
    }
}

// For all queues that the body gives a setting, wherever it does.
void buda_lower_enter_loop(buda_lower_thread *t, size_t at)
{
    const size_t end = t->code->steps[at].match;
    // What the first turn finds comes from before the loop, what later ones find from the body.
    for (size_t i = at + 1; i < end; i++) {
        const buda_step *step = &t->code->steps[i];
        for (size_t k = 0; k < step->launch_count; k++) {
            for (size_t b = 0; b < step->launches[k].bound_count; b++) {
                buda_lower_setting *setting = &t->settings[step->launches[k].bound[b].queue];
                setting->unknown = true;
            }
        }
    }
}

// Gives `queue` a register for the number of its last setting; 0: none yet in this run.
static void need_register(buda_lower_thread *t, size_t queue)
{
    if (t->last[queue] == HOIST_NO_REF) {
        const hoist_str name =
            hoist_lower_joined(&t->l->c, t->l->net.queues[queue].name, HOIST_STR(".setting"));
        t->last[queue] = buda_lower_new_register(t, name, HOIST_LIFETIME_RUN, 0);
    }
}

// A walk ahead: registers have to exist before the first action needs them.
void buda_lower_find_settings(buda_lower_thread *t)
{
    const buda_code *code = t->code;
    for (size_t i = 0; i < code->count; i++) {
        const buda_step *step = &code->steps[i];
        if (step->instr->kind == BUDA_I_LOOP && step->match != BUDA_NO_INDEX) {
            buda_lower_enter_loop(t, i);
        }
        pass(t, step);
        if (step->instr->kind != BUDA_I_VARINST) {
            continue;
        }
        const size_t v = step->variables[0];
        for (size_t b = code->first_binding[v]; b < code->first_binding[v + 1]; b++) {
            hoist_fifo_pointer pointer;
            const size_t queue = code->bindings[b].bound->queue;
            if (t->settings[queue].unknown && pointer_of(t->l, &code->bindings[b], &pointer)) {
                need_register(t, queue);
            }
        }
    }
    buda_lower_forget(t, false); // the first pass starts from nothing
}

// Only entries that the program can have set: arrays are as long as the netlist's queues.
void buda_lower_forget(buda_lower_thread *t, bool registers)
{
    for (size_t i = 0; i < t->code->count; i++) {
        const buda_step *step = &t->code->steps[i];
        for (size_t k = 0; k < step->launch_count; k++) {
            for (size_t b = 0; b < step->launches[k].bound_count; b++) {
                const size_t queue = step->launches[k].bound[b].queue;
                t->settings[queue] = (buda_lower_setting){.bound = NULL};
                t->last[queue] = registers ? HOIST_NO_REF : t->last[queue];
            }
        }
        for (size_t k = 0; k < step->queue_count; k++) {
            t->settings[step->queues[k].queue] = (buda_lower_setting){.bound = NULL};
        }
    }
}

// One varinst may move several pointers on several units; each unit gets one function.
// Changes -------------------------------------------------------------------------------------

// A pointer that a varinst moves, or a queue that is allocated or freed.
typedef struct change {
    size_t queue;
    size_t unit;
    const buda_bound *bound; // NULL: no setting is asked for
    hoist_fifo_pointer pointer;
    bool asks; // only when `bound` was the last setting
    bool done;
} change;

// True when change `b` can be made in one function with `a`, which comes before it: the same unit
// and the same condition.
static bool goes_with(const change *a, const change *b)
{
    return !b->done && a->unit == b->unit && a->asks == b->asks &&
           (!a->asks || a->bound == b->bound);
}

// Posts a function that makes changes[first] and all that go with it: sets pointers to register
// `variable`, or makes steps of `kind`. Without `value` the instruction is allocate_queue or
// deallocate_queue.
static void post_changes(buda_lower_thread *t, change *changes, size_t first, size_t count,
                         const hoist_prog_value *value)
{
    buda_lower_job *l = t->l;
    const change lead = changes[first];
    const buda_instr_kind instr = t->code->steps[t->at].instr->kind;
    // The value as its only parameter.
    const hoist_ref function = buda_lower_begin(t, value ? 1 : 0);
    for (size_t i = first; i < count; i++) {
        if (!goes_with(&lead, &changes[i])) {
            continue;
        }
        changes[i].done = true;
        // Memory that becomes a queue's may have been another one's until now.
        buda_lower_add_drains(l,
                              instr == BUDA_I_ALLOCATE
                                  ? l->memory_units[changes[i].queue]
                                  : l->queue_units[l->storage[changes[i].queue]],
                              lead.unit);
        if (value) {
            buda_lower_set_pointer(t, changes[i].queue, changes[i].pointer,
                                   hoist_lower_register(0));
        } else {
            buda_lower_fifo_step(t,
                                 instr == BUDA_I_ALLOCATE ? HOIST_STEP_ALLOCATE : HOIST_STEP_FREE,
                                 changes[i].queue, hoist_lower_number(0));
        }
    }
    hoist_builder_end_code(l->c.b);
    buda_lower_action action = {
        .destination = HOIST_NO_REF,
        // The thread compares the queue's register with the setting's number before it posts.
        .when = lead.asks ? t->last[lead.queue] : HOIST_NO_REF,
        .expected = lead.asks ? (int64_t)lead.bound->number : 0,
        .function = function,
        .unit = lead.unit,
        .arguments = value,
        .argument_count = value ? 1 : 0,
    };
    action.drains = buda_lower_take_drains(l, &action.drain_count);
    buda_lower_act(t, t->at, &action);
}

// In the order of the list; post_changes() marks all that it takes along.
static void post_all(buda_lower_thread *t, change *changes, size_t count,
                     const hoist_prog_value *value)
{
    for (size_t i = 0; i < count && t->l->c.status == HOIST_OK; i++) {
        if (!changes[i].done) {
            post_changes(t, changes, i, count, value);
        }
    }
}

// Bindings of all settings of the program are looked at; those whose setting is not the last one,
// or may not be, are skipped or asked for.
void buda_lower_varinst(buda_lower_thread *t, const buda_step *step)
{
    buda_lower_job *l = t->l;
    const buda_code *code = t->code;
    const size_t v = step->variables[0];
    const size_t most = code->first_binding[v + 1] - code->first_binding[v];
    change *changes = hoist_lower_scratch(&l->c, most, sizeof *changes);
    hoist_prog_value *value = hoist_lower_array(&l->c, 1, sizeof *value);
    size_t count = 0;
    if (!changes || !value) {
        return;
    }
    *value = hoist_lower_register((hoist_ref)v);
    for (size_t b = code->first_binding[v]; b < code->first_binding[v + 1]; b++) {
        const buda_binding *binding = &code->bindings[b];
        const size_t queue = binding->bound->queue;
        const buda_lower_setting *last = &t->settings[queue];
        change new = {.queue = queue, .bound = binding->bound, .asks = last->unknown};
        // A freed queue has no pointers; the next allocation sets them to 0.
        if (l->fifos[queue] == HOIST_NO_REF || last->freed ||
            !pointer_of(l, binding, &new.pointer) ||
            (!last->unknown && last->bound != binding->bound)) {
            continue;
        }
        // Where the setting's graph runs, or the group that reads the queue for it.
        new.unit = buda_lower_owner(l, &l->groups[l->group_of[binding->bound->graph]], queue)->unit;
        changes[count++] = new;
    }
    post_all(t, changes, count, value);
}

// The unit on which a queue comes and goes: the first that uses it, which the others know of.
// Units of other graphs are drained before (memory_units, queue_units).
static size_t unit_of_queue(const buda_lower_job *l, size_t queue)
{
    const buda_lower_list *list = &l->queue_units[l->storage[queue]];
    return list->count > 0 ? list->units[0] : 0;
}

void buda_lower_allocate(buda_lower_thread *t, const buda_step *step)
{
    buda_lower_job *l = t->l;
    change *changes = hoist_lower_scratch(&l->c, step->queue_count, sizeof *changes);
    size_t count = 0;
    for (size_t i = 0; changes && i < step->queue_count; i++) {
        const size_t queue = step->queues[i].queue;
        t->settings[queue].freed = step->instr->kind == BUDA_I_DEALLOCATE;
        // Without a unit nothing can use it.
        if (l->fifos[queue] != HOIST_NO_REF && l->unit_count > 0) {
            changes[count++] = (change){.queue = queue, .unit = unit_of_queue(l, queue)};
        }
    }
    if (!changes) {
        return;
    }
    post_all(t, changes, count, NULL);
}
