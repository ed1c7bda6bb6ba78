// Prepared constants: for each compute step whose weights nothing writes, the form that its kernel
// asks for (kernels/compute.h), made once and shared by all runs. Steps are visited in the order of
// the program until the limit on memory is reached.
#include "runtime/prepared.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "os/pages.h"
#include "runtime/form.h"

enum {
    ALIGNMENT = 64, // of prepared forms
    MOST_TIMES = 4, // as much memory as the program takes itself: many steps may name one constant
};

// While it is being made.
typedef struct maker {
    hoist_prepared *prepared;
    hoist_store *store;
    const hoist_compute_kernels *kernels;
    bool *fixed;     // per buffer: what it holds stays as it is
    uint64_t budget; // bytes
} maker;

// Buffers whose memory is a constant that callers do not give. Memory of a fifo is the host's to
// write, and an address may lead anywhere.
static void find_fixed(const hoist_program *program, bool *fixed)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        fixed[i] =
            row->lifetime == HOIST_LIFETIME_CONSTANT && row->contents != HOIST_CONTENTS_CALLER;
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        for (uint32_t k = 0; k < program->fifos[i].part_count; k++) {
            fixed[hoist_prog_root(program, program->fifos[i].parts[k], &offset)] = false;
        }
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) { // callers write under a window's name
        if (program->buffers[i].contents == HOIST_CONTENTS_CALLER) {
            fixed[hoist_prog_root(program, i, &offset)] = false;
        }
    }
    for (uint32_t i = 0; i < program->view_count; i++) {
        // One address is enough to lose all: nobody knows where it leads before the run.
        if (program->views[i].base == HOIST_VIEW_SPACE) {
            memset(fixed, 0, program->buffer_count * sizeof *fixed);
        }
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        fixed[i] = fixed[hoist_prog_root(program, i, &offset)];
    }
}

// A view whose place no register moves, of a buffer that stays as it is.
static bool is_fixed_view(const maker *m, hoist_ref ref)
{
    HOIST_ASSERT(ref < m->store->program->view_count);
    const hoist_prog_view *view = &m->store->program->views[ref];
    return view->base == HOIST_VIEW_BUFFER && view->reg == HOIST_NO_REF && m->fixed[view->of];
}

// A call of `step` with the data of its constants: its inputs but the first. False: it cannot be
// prepared. `views` has space for all operands.
static bool call_of(const maker *m, const hoist_prog_step *step, hoist_view *views,
                    hoist_compute_call *out_call)
{
    const hoist_program *program = m->store->program;
    if (!hoist_form_of_step(program, step, views, out_call)) {
        return false;
    }
    const hoist_prog_compute *compute = step->as.compute;
    bool is_constant = true;
    for (uint32_t i = 1; is_constant && i < compute->input_count; i++) {
        is_constant = is_fixed_view(m, compute->inputs[i]);
    }
    for (uint32_t i = 1; is_constant && i < compute->input_count; i++) {
        const hoist_prog_view *row = &program->views[compute->inputs[i]];
        const hoist_prog_layout *layout = &program->layouts[row->layout];
        is_constant = hoist_view_init(m->store->buffers[row->of], row->dtype, &layout->shape,
                                      row->offset, layout->stride, &views[i]) == HOIST_OK;
    }
    return is_constant;
}

// Gives `step` a place after the others, when it asks for one and there is space.
static hoist_status add_step(const maker *m, const hoist_prog_step *step)
{
    hoist_prepared *p = m->prepared;
    hoist_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    hoist_compute_call call;
    const size_t size =
        call_of(m, step, views, &call) ? hoist_compute_prepared_size(m->kernels, &call) : 0;
    if (size == 0) {
        return HOIST_OK;
    }
    hoist_prepared_step next = {step, 0, size};
    // Without space the step goes unprepared; later ones that are smaller may still fit.
    uint64_t end = 0;
    if (hoist_ckd_align(&next.offset, p->bytes, ALIGNMENT) ||
        hoist_ckd_add(&end, next.offset, size) || end > m->budget) {
        return HOIST_OK;
    }
    if (!hoist_grow(p->alloc, (void **)&p->steps, &p->capacity, p->count + 1, sizeof *p->steps)) {
        return HOIST_NO_MEMORY;
    }
    p->steps[p->count++] = next;
    p->bytes = end;
    return HOIST_OK;
}

// All code, functions before threads.
static hoist_status add_steps(const maker *m)
{
    const hoist_program *program = m->store->program;
    const uint32_t functions = program->function_count;
    for (uint32_t i = 0; i < functions + program->thread_count; i++) {
        const hoist_prog_code *code =
            i < functions ? &program->functions[i].code : &program->threads[i - functions].code;
        for (uint32_t s = 0; s < code->step_count; s++) {
            HOIST_TRY(add_step(m, &code->steps[s]));
        }
    }
    return HOIST_OK;
}

// Makes the forms, once the memory of all is there.
static void fill(const maker *m)
{
    for (size_t i = 0; i < m->prepared->count; i++) {
        hoist_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
        hoist_compute_call call;
        hoist_prepared_step *s = &m->prepared->steps[i];
        HOIST_ASSERT(s->offset + s->size <= m->prepared->pages.size);
        if (!call_of(m, s->step, views, &call) ||
            !hoist_compute_prepare(m->kernels, &call, m->prepared->pages.data + s->offset)) {
            // The kernel could not: the step goes without.
            s->size = 0;
        }
    }
}

static int by_step(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const hoist_prepared_step *)a)->step;
    const uintptr_t y = (uintptr_t)((const hoist_prepared_step *)b)->step;
    return (x > y) - (x < y);
}

// Bytes that forms may take: what the limit leaves, at most MOST_TIMES what the program takes.
static uint64_t budget_of(const hoist_store *store)
{
    const uint64_t left = store->limit ? store->limit - store->bytes : UINT64_MAX;
    uint64_t most = 0;
    return hoist_ckd_mul(&most, store->bytes, MOST_TIMES) || most > left ? left : most;
}

static hoist_status make(const maker *m)
{
    find_fixed(m->store->program, m->fixed);
    HOIST_TRY(add_steps(m));
    HOIST_TRY(hoist_store_take(m->store, m->prepared->bytes, &m->prepared->pages));
    fill(m);
    if (m->prepared->count) {
        // For the search by each call; the offsets stay as they are.
        qsort(m->prepared->steps, m->prepared->count, sizeof *m->prepared->steps, by_step);
    }
    return HOIST_OK;
}

hoist_status hoist_prepared_init(hoist_prepared *prepared, hoist_store *store,
                                 const hoist_compute_kernels *kernels)
{
    const size_t buffers = (size_t)store->program->buffer_count + 1;
    *prepared = (hoist_prepared){.alloc = store->alloc};
    const maker m = {prepared, store, kernels,
                     hoist_alloc_zero(store->alloc, buffers, sizeof(bool)), budget_of(store)};
    const hoist_status status = m.fixed ? make(&m) : HOIST_NO_MEMORY;
    hoist_free(store->alloc, m.fixed, buffers * sizeof(bool));
    return status;
}

void hoist_prepared_deinit(hoist_prepared *prepared)
{
    hoist_pages_free(prepared->pages);
    hoist_free(prepared->alloc, prepared->steps, prepared->capacity * sizeof *prepared->steps);
}

const uint8_t *hoist_prepared_of(const hoist_prepared *prepared, const hoist_prog_step *step)
{
    const hoist_prepared_step key = {.step = step};
    const hoist_prepared_step *found =
        prepared->count ? bsearch(&key, prepared->steps, prepared->count, sizeof key, by_step)
                        : NULL;
    return found && found->size ? prepared->pages.data + found->offset : NULL;
}
