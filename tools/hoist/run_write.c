// hoist run and bench: before a run, arrays are written to the slots that they fill by several
// threads, since converting and tiling the weights of a network takes as long as running it.
// run_fill.c writes what is made up, and pushes.
#include "run.h"

// What the threads share.
typedef struct writes {
    run *r;
    atomic_size_t next; // input
    atomic_int status;  // a hoist_status: the first one that is not HOIST_OK
} writes;

// Views may share bytes, and what is made up shares the memory in which it is.
static bool is_apart(const run_input *input)
{
    return !input->port.is_queue && !input->port.is_view && input->elements.data;
}

// Step 0: one entry that was made before goes to every slot.
static hoist_status write_slots(run *r, run_input *input)
{
    const size_t step = input->source == RUN_SOURCE_ARRAY ? input->entry_size : 0;
    for (; input->next < input->entries; input->next++) {
        const hoist_bytes entry = {input->elements.data + input->next * step, input->entry_size};
        HOIST_TRY(hoist_session_write(r->session, input->name, (uint32_t)input->next, input->dtype,
                                      entry));
    }
    return HOIST_OK;
}

static void *write_some(void *shared)
{
    writes *w = shared;
    for (;;) {
        const size_t i = atomic_fetch_add(&w->next, 1);
        if (i >= w->r->input_count || atomic_load(&w->status) != HOIST_OK) {
            return NULL;
        }
        run_input *input = &w->r->inputs[i];
        const hoist_status status = is_apart(input) ? write_slots(w->r, input) : HOIST_OK;
        int none = HOIST_OK;
        if (status != HOIST_OK) {
            (void)atomic_compare_exchange_strong(&w->status, &none, (int)status);
        }
    }
}

hoist_status run_write_arrays(run *r)
{
    enum { MOST = 16 }; // threads besides this one: memory is not any faster for more
    hoist_session_counts counts = {.struct_size = sizeof(counts)};
    hoist_session_count(r->session, &counts);
    writes w = {.r = r};
    pthread_t threads[MOST];
    size_t count = 0;
    while (!r->alone && count < MOST && count + 1 < counts.threads &&
           pthread_create(&threads[count], NULL, write_some, &w) == 0) {
        count++;
    }
    (void)write_some(&w);
    for (size_t i = 0; i < count; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    return (hoist_status)atomic_load(&w.status);
}
