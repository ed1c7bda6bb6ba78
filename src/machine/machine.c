// A machine from its creation to its end: tables, the start of a run, whether a run is done, and
// the host's side of fifos. Steps are in step.c, calls in calls.c, places of views in place.c,
// sleeping and waking in waiting.c.
#include "machine/machine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "machine/state.h"

// One of `thread` and `unit` is HOIST_NO_REF. `meeting` of a zeroed state would name process 0.
static void begin_process(hoist_process *p, hoist_ref thread, hoist_ref unit)
{
    p->thread = thread;
    p->unit = unit;
    p->meeting = SIZE_MAX;
}

// Takes the tables that stay as large as they are from the arena; false: no memory. `bitmap_bytes`
// hold which slots were written, of all fifos.
static bool create_tables(hoist_machine *m, size_t bitmap_bytes)
{
    const hoist_program *program = m->program;
    size_t registers = 1; // spare: a value that a step does not use may name register 0
    for (uint32_t i = 0; i < program->thread_count; i++) {
        registers += program->threads[i].code.register_count;
    }
    // The entry with most threads sets the size: a later start only moves states around.
    size_t threads = 0;
    for (uint32_t i = 0; i < program->entry_count; i++) {
        const size_t count = program->entries[i].thread_count;
        threads = count > threads ? count : threads;
    }
    m->process_capacity = threads + program->unit_count;
    m->fifos = hoist_arena_array(&m->tables, program->fifo_count, sizeof *m->fifos);
    m->written = hoist_arena_array(&m->tables, bitmap_bytes, 1);
    m->semaphores = hoist_arena_array(&m->tables, program->semaphore_count, sizeof *m->semaphores);
    m->thread_first = hoist_arena_array(&m->tables, program->thread_count, sizeof *m->thread_first);
    m->thread_registers = hoist_arena_array(&m->tables, registers, sizeof *m->thread_registers);
    m->processes = hoist_arena_array(&m->tables, m->process_capacity, sizeof *m->processes);
    return m->fifos && m->written && m->semaphores && m->thread_first && m->thread_registers &&
           m->processes;
}

static void fill_tables(hoist_machine *m)
{
    const hoist_program *program = m->program;
    uint8_t *written = m->written;
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        hoist_fifo_init(&m->fifos[i], &program->fifos[i], written);
        // Each fifo begins a new byte, so that its bitmap is read without the others' bits.
        written += ((size_t)program->fifos[i].slots + 7) / 8;
    }
    for (uint32_t i = 0; i < program->semaphore_count; i++) {
        m->semaphores[i] = program->semaphores[i].initial;
    }
    // Threads keep their registers at fixed places, whichever entry runs: those of lifetime SESSION
    // outlive a run.
    size_t registers = 0;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        const hoist_prog_code *code = &program->threads[i].code;
        m->thread_first[i] = registers;
        for (uint32_t k = 0; k < code->register_count; k++) {
            m->thread_registers[registers++] = code->registers[k].initial;
        }
    }
    // No entry runs yet: units alone are there, for the first start to move behind its threads.
    m->process_count = program->unit_count;
    for (uint32_t i = 0; i < program->unit_count; i++) {
        begin_process(&m->processes[i], HOIST_NO_REF, i);
    }
}

hoist_status hoist_machine_create(const hoist_program *program,
                                  const hoist_machine_options *options, hoist_machine **out_machine)
{
    *out_machine = NULL;
    uint64_t slots = 0;
    // Bounds the bitmaps before anything is allocated: the slots of a program come from a file.
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        slots += (uint64_t)program->fifos[i].slots + 7; // whole bytes of a bitmap
    }
    if (slots > HOIST_MACHINE_MAX_SLOTS) {
        return HOIST_LIMIT;
    }
    hoist_machine *m = hoist_alloc_zero(options->alloc, 1, sizeof *m);
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    m->alloc = options->alloc;
    m->program = program;
    m->max_steps = options->max_steps;
    m->unit_depth = options->unit_depth;
    m->outside = options->outside;
    hoist_arena_init(&m->tables, options->alloc);
    hoist_status status = HOIST_NO_MEMORY;
    if (create_tables(m, (size_t)(slots / 8) + program->fifo_count)) {
        fill_tables(m);
        status = hoist_waits_init(m);
    }
    if (status != HOIST_OK) {
        hoist_machine_destroy(m);
        return status;
    }
    *out_machine = m;
    return HOIST_OK;
}

static void free_process(hoist_allocator alloc, hoist_process *p)
{
    // Posted calls that were never taken own their blocks; a run that ended in a deadlock has some.
    for (size_t i = 0; i < p->waiting; i++) {
        const hoist_posted *posted = &p->ring[(p->first + i) % p->ring_capacity];
        hoist_free(alloc, posted->views, posted->block_size);
    }
    hoist_free(alloc, p->current.views, p->current.block_size);
    hoist_free(alloc, p->ring, p->ring_capacity * sizeof *p->ring);
    hoist_free(alloc, p->frames, p->frame_capacity * sizeof *p->frames);
    hoist_free(alloc, p->registers, p->register_capacity * sizeof *p->registers);
    hoist_free(alloc, p->loops, p->loop_capacity * sizeof *p->loops);
    hoist_free(alloc, p->views, p->view_capacity * sizeof *p->views);
}

void hoist_machine_destroy(hoist_machine *machine)
{
    if (!machine) {
        return;
    }
    const hoist_allocator alloc = machine->alloc;
    // Spare states count as well: an entry with more threads may have run and left its lists there.
    for (size_t i = 0; machine->processes && i < machine->process_capacity; i++) {
        free_process(alloc, &machine->processes[i]);
    }
    hoist_waits_deinit(machine);
    hoist_arena_deinit(&machine->tables);
    hoist_free(alloc, machine, sizeof *machine);
}

// Run -------------------------------------------------------------------------------------------

// Called for ready processes only: ready ones may have come to their end since they were asked.
static bool has_ended(const hoist_process *p)
{
    if (p->thread == HOIST_NO_REF) {
        return !p->running && p->waiting == 0;
    }
    const hoist_frame_state *top = hoist_process_top(p);
    // At the end of the thread's own code; functions that it called are unwound already.
    return !top || (p->frame_count == 1 && top->step >= top->code->step_count);
}

// Who is not ready and neither waits nor is busy has ended.
bool hoist_machine_is_done(const hoist_machine *machine)
{
    const size_t ready = hoist_process_set_count(&machine->ready);
    bool done = machine->waiting_count == 0 && machine->busy_count == 0;
    for (size_t i = 0; done && i < ready; i++) {
        done = has_ended(&machine->processes[hoist_process_set_at(&machine->ready, i)]);
    }
    return done;
}

// Threads that `entry` does not run keep their values; parameters are written last, over initial
// values.
static void reset_registers(hoist_machine *m, const hoist_prog_entry *entry,
                            const int64_t *parameters)
{
    for (uint32_t i = 0; i < entry->thread_count; i++) {
        const hoist_ref thread = entry->threads[i];
        const hoist_prog_code *code = &m->program->threads[thread].code;
        for (uint32_t k = 0; k < code->register_count; k++) {
            if (code->registers[k].lifetime != HOIST_LIFETIME_SESSION) {
                m->thread_registers[m->thread_first[thread] + k] = code->registers[k].initial;
            }
        }
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++) {
        const hoist_prog_entry_parameter *parameter = &entry->parameters[i];
        m->thread_registers[m->thread_first[parameter->thread] + parameter->reg] = parameters[i];
    }
}

static void reverse(hoist_process *first, hoist_process *end)
{
    for (; first < end; first++) {
        const hoist_process swapped = *--end;
        *end = *first;
        *first = swapped;
    }
}

// Moves the units after the threads of an entry with `threads` of them: from one end of the list
// to the other, since spare ones lie after the units. The states keep their memory: nothing is
// running.
static void arrange(hoist_machine *m, size_t threads)
{
    HOIST_ASSERT(m->process_capacity >= threads + m->program->unit_count);
    hoist_process *const end = m->processes + m->process_capacity;
    // What was at the end comes to the front, or what was at the front goes to the end.
    hoist_process *const middle = threads > m->thread_count
                                      ? end - (threads - m->thread_count)
                                      : m->processes + (m->thread_count - threads);
    // A rotation of the list is three reversals: no second list is needed, hence nothing fails.
    reverse(m->processes, middle);
    reverse(middle, end);
    reverse(m->processes, end);
    m->thread_count = threads;
    m->process_count = threads + m->program->unit_count;
}

static bool is_outside(const hoist_machine *m, hoist_ref thread)
{
    return m->outside.members && m->program->threads[thread].home != m->outside.home;
}

hoist_status hoist_machine_start(hoist_machine *machine, hoist_ref entry, const int64_t *parameters)
{
    HOIST_ASSERT(entry < machine->program->entry_count);
    const hoist_prog_entry *row = &machine->program->entries[entry];
    // After a fault the control state is between two steps; nothing says how to go on from there.
    if (machine->faulted || (machine->started && !hoist_machine_is_done(machine))) {
        return HOIST_BUSY;
    }
    machine->started = false; // until nothing can fail any more
    for (size_t i = 0; i < machine->thread_count; i++) {
        machine->processes[i].frame_count = 0;
    }
    // Before the lists of waiting.c are emptied: those hold addresses of states.
    arrange(machine, row->thread_count);
    hoist_waits_begin(machine);
    for (uint32_t i = 0; i < row->thread_count; i++) {
        begin_process(&machine->processes[i], row->threads[i], HOIST_NO_REF);
        if (is_outside(machine, row->threads[i])) {
            continue; // it has no code here: it has ended
        }
        // HOIST_NO_MEMORY here leaves the machine not started, so that the caller may try again.
        HOIST_TRY(hoist_process_enter(machine, &machine->processes[i], HOIST_NO_REF,
                                      &machine->program->threads[row->threads[i]].code));
    }
    reset_registers(machine, row, parameters);
    for (uint32_t i = 0; i < machine->program->semaphore_count; i++) {
        machine->semaphores[i] = machine->program->semaphores[i].initial;
    }
    for (uint32_t i = 0; i < machine->program->fifo_count; i++) {
        hoist_fifo_begin_run(&machine->fifos[i]);
    }
    machine->steps = 0;
    machine->started = true;
    return HOIST_OK;
}

size_t hoist_machine_process_count(const hoist_machine *machine)
{
    return machine->process_count;
}

hoist_str hoist_machine_process_name(const hoist_machine *machine, size_t process)
{
    HOIST_ASSERT(process < machine->process_count);
    const hoist_process *p = &machine->processes[process];
    return p->thread == HOIST_NO_REF ? machine->program->units[p->unit].name
                                     : machine->program->threads[p->thread].name;
}

// Host and state --------------------------------------------------------------------------------

bool hoist_machine_host_push_begin(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot)
{
    HOIST_ASSERT(fifo < machine->program->fifo_count);
    const hoist_fifo *f = &machine->fifos[fifo];
    *out_slot = hoist_fifo_write_slot(f);
    return hoist_fifo_reserve(f).answer == HOIST_FIFO_DONE;
}

void hoist_machine_host_push_end(hoist_machine *machine, hoist_ref fifo)
{
    HOIST_ASSERT(fifo < machine->program->fifo_count);
    (void)hoist_fifo_push(&machine->fifos[fifo], 1);
    hoist_waits_wake(machine, HOIST_BLOCK_FIFO_EMPTY, fifo);
}

bool hoist_machine_host_pop_begin(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot)
{
    HOIST_ASSERT(fifo < machine->program->fifo_count);
    const hoist_fifo *f = &machine->fifos[fifo];
    // The global read pointer: the local one is the program's, which may read ahead of what it
    // pops.
    *out_slot = (uint32_t)(f->state.read % f->def->slots);
    return f->state.live && !hoist_fifo_is_empty(f);
}

void hoist_machine_host_pop_end(hoist_machine *machine, hoist_ref fifo)
{
    HOIST_ASSERT(fifo < machine->program->fifo_count);
    (void)hoist_fifo_host_pop(&machine->fifos[fifo]);
    hoist_waits_wake(machine, HOIST_BLOCK_FIFO_FULL, fifo);
}

uint64_t hoist_machine_host_available(const hoist_machine *machine, hoist_ref fifo)
{
    HOIST_ASSERT(fifo < machine->program->fifo_count);
    const hoist_fifo *f = &machine->fifos[fifo];
    return f->state.live && f->def->kind == HOIST_FIFO_QUEUE ? hoist_fifo_occupancy(f) : 0;
}

void hoist_machine_host_write(hoist_machine *machine, hoist_ref fifo, uint32_t slot)
{
    hoist_fifo_put(&machine->fifos[fifo], slot);
}

hoist_fifo_state hoist_machine_fifo(const hoist_machine *machine, hoist_ref fifo)
{
    return machine->fifos[fifo].state;
}

bool hoist_machine_slot_written(const hoist_machine *machine, hoist_ref fifo, uint32_t slot)
{
    return hoist_fifo_was_written(&machine->fifos[fifo], slot);
}

size_t hoist_machine_posted(const hoist_machine *machine, hoist_ref unit)
{
    HOIST_ASSERT(unit < machine->program->unit_count);
    // Units follow the threads of the running entry, in the program's order.
    const hoist_process *p = &machine->processes[machine->thread_count + unit];
    return p->waiting + (p->running ? 1 : 0);
}
