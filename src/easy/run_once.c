// One run of a job with arrays by name: inputs are pushed and outputs popped in turn while it goes
// on, so that queues may be shorter than what passes through them.
#include <string.h>

#include "hoist/easy.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "easy/easy_rules.h"

// Seconds to wait when nothing can be pushed or popped.
// Short enough for queues of a few entries, long enough to leave the core to the workers.
static const double NAP = 0.002;

// A port with its array, or with what came out of it.
typedef struct run_port {
    hoist_port port;
    const char *name;         // arena
    const hoist_array *array; // of an input that is given; NULL: it is not
    uint64_t entries;         // of the array; 1 without an extent for their number
    uint64_t next;            // that is pushed next
    bool ended;               // hoist_session_end_input() was called: no more will come
    hoist_dtype dtype;        // of an output's elements
    hoist_buffer out;
    uint64_t popped;
} run_port;

typedef struct run {
    hoist_run_once_options options;
    hoist_diag *diag;
    hoist_program *program; // owned
    hoist_session *session; // owned; NULL until it is open
    hoist_arena arena;
    run_port *ports; // arena
    size_t count;
    // By port, as hoist_program_missing() takes and gives them.
    bool *given;
    bool *missing;
    hoist_array_set *set; // owned; the caller's when all went well
    hoist_array_set *own; // owned: what the container of the job's file holds; NULL: it has none
    hoist_array *arrays;  // arena: of `own`
} run;

static uint64_t elements_of(const hoist_port *port)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (uint64_t)port->shape[i];
    }
    return count;
}

// Inputs -----------------------------------------------------------------------------------------

static const hoist_rule *rule_of(hoist_easy_rule rule)
{
    return &hoist_easy_rules.rules[rule];
}

// One entry, or the number of entries as the first extent; a ram has no more than its slots.
static bool fits(const run_port *p)
{
    const hoist_array *const a = p->array;
    const hoist_port *const port = &p->port;
    const bool is_one = a->rank == port->rank;
    // 0: block floats, which arrays of files do not have.
    const size_t size = hoist_array_element_size(a->dtype);
    return (a->dtype == port->host_dtype || a->dtype == HOIST_DTYPE_F32) &&
           (is_one || a->rank == port->rank + 1) && size &&
           // The extents of the entry, after that of the number.
           memcmp(&a->shape[is_one ? 0 : 1], port->shape, port->rank * sizeof(port->shape[0])) ==
               0 &&
           a->data.size / size == p->entries * elements_of(port) &&
           (port->is_queue || p->entries <= port->slots);
}

// Gives an input its array. HOIST_NOT_FOUND and HOIST_INVALID with a finding.
static hoist_status bind(run *r, const hoist_named_array *input)
{
    size_t index = 0;
    if (!hoist_program_find_port(r->program, hoist_str_from(input->name), &index) ||
        !r->ports[index].port.input) {
        hoist_report(r->diag, rule_of(HOIST_EASY_001), hoist_loc_none(),
                     "the program has no input '%s'", input->name);
        return HOIST_NOT_FOUND;
    }
    run_port *const p = &r->ports[index];
    p->array = input->array;
    // Not checked yet: fits() does.
    p->entries = input->array->rank == p->port.rank ? 1 : (uint64_t)input->array->shape[0];
    r->given[index] = true;
    if (!fits(p)) {
        hoist_report(r->diag, rule_of(HOIST_EASY_002), hoist_loc_none(),
                     "the array for '%s' has another type or shape than the input", input->name);
        return HOIST_INVALID;
    }
    return HOIST_OK;
}

// Adds an array of the container to `own` with elements that the input takes: other floats become
// float32, signed integers the bits of a queue of bit patterns.
static hoist_status keep_own(run *r, const run_port *p, hoist_array array)
{
    const bool is_raw = hoist_dtype_get(p->port.host_dtype)->kind == HOIST_CLASS_RAW;
    const size_t size = hoist_array_element_size(array.dtype);
    if (is_raw && size == hoist_array_element_size(p->port.host_dtype)) {
        array.dtype = p->port.host_dtype;
    }
    if (array.dtype == p->port.host_dtype || array.dtype == HOIST_DTYPE_F32) {
        return hoist_array_set_add(r->own, p->port.name, &array);
    }
    const size_t count = array.data.size / size;
    float *const floats = hoist_alloc(r->options.alloc, count * sizeof(float));
    HOIST_TRY_MEMORY(floats || !count);
    hoist_status status = hoist_array_floats(&array, floats);
    array.dtype = HOIST_DTYPE_F32;
    array.data = (hoist_bytes){(const uint8_t *)floats, count * sizeof(float)};
    status = status == HOIST_OK ? hoist_array_set_add(r->own, p->port.name, &array) : status;
    hoist_free(r->options.alloc, floats, count * sizeof(float));
    return status;
}

// Arrays that the container holds for inputs that were not given, in `own`.
static hoist_status list_own(run *r, const hoist_array_set *held)
{
    for (size_t i = 0; i < hoist_array_set_count(held); i++) {
        hoist_array array;
        size_t index = 0;
        const hoist_str name = hoist_array_set_at(held, i, &array);
        if (hoist_program_find_port(r->program, name, &index) && r->ports[index].port.input &&
            !r->given[index]) {
            HOIST_TRY(keep_own(r, &r->ports[index], array));
        }
    }
    return HOIST_OK;
}

// What is not given comes from the container of the file: the constants of a device image.
static hoist_status bind_own(run *r, const hoist_job *job)
{
    hoist_array_set *held = NULL;
    if (!hoist_job_container(job)) {
        return HOIST_OK;
    }
    HOIST_TRY(hoist_array_set_create(r->options.alloc, &r->own));
    HOIST_TRY(hoist_job_arrays(job, r->options.alloc, r->diag, &held));
    const hoist_status status = list_own(r, held);
    hoist_array_set_destroy(held);
    HOIST_TRY(status);
    r->arrays = hoist_arena_array(&r->arena, hoist_array_set_count(r->own), sizeof(r->arrays[0]));
    HOIST_TRY_MEMORY(r->arrays);
    for (size_t i = 0; i < hoist_array_set_count(r->own); i++) {
        const hoist_str name = hoist_array_set_at(r->own, i, &r->arrays[i]);
        const hoist_named_array input = {hoist_arena_str(&r->arena, name).data, &r->arrays[i]};
        HOIST_TRY_MEMORY(input.name);
        HOIST_TRY(bind(r, &input));
    }
    return HOIST_OK;
}

// Entry `index` of the input's array.
static hoist_bytes entry_at(const run_port *p, uint64_t index)
{
    // An array of 0 entries has no bytes.
    const size_t size = p->array->data.size / (size_t)(p->entries ? p->entries : 1);
    return (hoist_bytes){p->array->data.data + index * size, size};
}

// Writes rams and tensors; queues are filled while the program runs.
static hoist_status write_inputs(run *r)
{
    for (size_t i = 0; i < r->count; i++) {
        run_port *const p = &r->ports[i];
        for (uint64_t k = 0; p->array && !p->port.is_queue && k < p->entries; k++) {
            HOIST_TRY(hoist_session_write(r->session, p->name, (uint32_t)k, p->array->dtype,
                                          entry_at(p, k)));
        }
    }
    return HOIST_OK;
}

// Pushes what there is space for. `*moved`: something was.
static hoist_status push_some(run *r, run_port *p, bool *moved)
{
    // As many as have space, so that a push never waits: it would keep outputs from being popped.
    while (p->next < p->entries && hoist_session_available(r->session, p->name) < p->port.slots) {
        const hoist_status status =
            hoist_session_push(r->session, p->name, p->array->dtype, entry_at(p, p->next), 0);
        if (status == HOIST_LIMIT || status == HOIST_BUSY) {
            return HOIST_OK; // full after all
        }
        HOIST_TRY(status);
        p->next++;
        *moved = true;
    }
    // After the last entry: a program that waits for more ends with a finding instead of for ever.
    if (p->next == p->entries && !p->ended) {
        hoist_session_end_input(r->session, p->name);
        p->ended = true;
    }
    return HOIST_OK;
}

// Outputs ----------------------------------------------------------------------------------------

// Makes space for an entry at the end of `out`.
static bool take_space(run_port *p, hoist_mut_bytes *out_entry)
{
    const size_t size = (size_t)elements_of(&p->port) * hoist_array_element_size(p->dtype);
    const size_t begin = p->out.size;
    hoist_buffer_fill(&p->out, '\0', size);
    *out_entry = (hoist_mut_bytes){p->out.failed ? NULL : p->out.data + begin, size};
    return !p->out.failed;
}

static hoist_status pop_some(run *r, run_port *p, bool *moved)
{
    while (hoist_session_available(r->session, p->name) > 0) {
        hoist_mut_bytes entry;
        if (!take_space(p, &entry)) {
            return HOIST_NO_MEMORY;
        }
        const hoist_status status = hoist_session_pop(r->session, p->name, p->dtype, entry, 0);
        if (status != HOIST_OK) {
            p->out.size -= entry.size; // no entry was there after all
            return status == HOIST_LIMIT || status == HOIST_BUSY ? HOIST_OK : status;
        }
        p->popped++;
        *moved = true;
    }
    return HOIST_OK;
}

// Queues are popped while the run goes on; rams and tensors are read after it.
static bool is_popped(const run_port *p)
{
    return p->port.output && p->port.is_queue;
}

// All slots of a ram, written or not; a tensor has one.
static hoist_status read_slots(run *r, run_port *p)
{
    for (uint32_t slot = 0; slot < p->port.slots; slot++) {
        hoist_mut_bytes entry;
        if (!take_space(p, &entry)) {
            return HOIST_NO_MEMORY;
        }
        HOIST_TRY(hoist_session_read(r->session, p->name, slot, p->dtype, entry));
        p->popped++;
    }
    return HOIST_OK;
}

// Adds the array of an output: its entries in the order in which they came, or its slots.
static hoist_status give_output(run *r, run_port *p)
{
    if (!is_popped(p)) {
        HOIST_TRY(read_slots(r, p));
    }
    hoist_array array = {.dtype = p->dtype, .data = hoist_buffer_bytes(&p->out)};
    const uint32_t own = p->port.is_buffer ? 0 : 1; // a tensor has no entries
    array.rank = p->port.rank + own;
    array.shape[0] = (int64_t)p->popped; // overwritten below where `own` is 0
    memcpy(&array.shape[own], p->port.shape, p->port.rank * sizeof(array.shape[0]));
    return hoist_array_set_add(r->set, p->port.name, &array);
}

// The run ----------------------------------------------------------------------------------------

static hoist_status move_some(run *r, bool *moved)
{
    *moved = false;
    for (size_t i = 0; i < r->count; i++) {
        run_port *const p = &r->ports[i];
        if (p->array && p->port.is_queue) {
            HOIST_TRY(push_some(r, p, moved));
        }
        // Queues that are full of results would stop the program as well as empty inputs.
        if (is_popped(p)) {
            HOIST_TRY(pop_some(r, p, moved));
        }
    }
    return HOIST_OK;
}

// Pushes and pops until the entry has ended. A failure to push is that of the run, which says more,
// but where memory ran out here: then the run is cancelled for that.
static hoist_status drive(run *r)
{
    hoist_status driven = HOIST_OK;
    for (;;) {
        bool moved = false;
        // After a failed push the outputs are popped all the same, until the run has ended by
        // itself.
        driven = driven == HOIST_NO_MEMORY ? driven : move_some(r, &moved);
        const hoist_status status = hoist_session_wait_idle(r->session, 0);
        if (status != HOIST_BUSY) {
            // Once more: what the last steps pushed is still in the queues.
            return status == HOIST_OK && driven == HOIST_OK          ? move_some(r, &moved)
                   : status == HOIST_OK || driven == HOIST_NO_MEMORY ? driven
                                                                     : status;
        }
        if (driven == HOIST_NO_MEMORY || hoist_deadline_look(r->options.deadline) != HOIST_OK) {
            hoist_session_cancel(r->session);
        }
        moved = moved || hoist_session_wait_idle(r->session, NAP) == HOIST_OK; // or a nap
    }
}

// True when the entry has the parameter, given with its `$` or without: shells take `$` away.
static bool has_parameter(const run *r, size_t entry, hoist_str given)
{
    bool found = false;
    for (size_t k = 0; k < hoist_program_parameter_count(r->program, entry) && !found; k++) {
        const hoist_str has = hoist_program_parameter_name(r->program, entry, k);
        const bool is_bare = has.size && has.data[0] == '$' &&
                             hoist_str_equal(given, hoist_str_slice(has, 1, has.size - 1));
        found = is_bare || hoist_str_equal(given, has);
    }
    return found;
}

// The parameters of the options that the entry has, in the order given: the last of a name counts.
static hoist_status run_entry(run *r, size_t entry)
{
    hoist_parameter *const own =
        hoist_arena_array(&r->arena, r->options.parameter_count, sizeof(*own));
    const char *const name =
        hoist_arena_str(&r->arena, hoist_program_entry_name(r->program, entry)).data;
    size_t used = 0; // of `own`
    if (!own || !name) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < r->options.parameter_count; i++) {
        // Options are for all entries of a run: each takes its own of them.
        if (has_parameter(r, entry, hoist_str_from(r->options.parameters[i].name))) {
            own[used++] = r->options.parameters[i];
        }
    }
    HOIST_TRY(hoist_session_run(r->session, name, own, used));
    return drive(r);
}

static hoist_status run_entries(run *r)
{
    const char *const only = r->options.entry;
    size_t entry = 0;
    if (only) {
        return hoist_program_find_entry(r->program, hoist_str_from(only), &entry)
                   ? run_entry(r, entry)
                   : HOIST_NOT_FOUND;
    }
    // In the order of the file: later entries use what earlier ones left.
    for (; entry < hoist_program_entry_count(r->program); entry++) {
        HOIST_TRY(run_entry(r, entry));
    }
    return HOIST_OK;
}

static hoist_status list_ports(run *r)
{
    r->count = hoist_program_port_count(r->program);
    r->ports = hoist_arena_array(&r->arena, r->count, sizeof(r->ports[0]));
    r->given = hoist_arena_array(&r->arena, r->count, sizeof(r->given[0]));
    r->missing = hoist_arena_array(&r->arena, r->count, sizeof(r->missing[0]));
    for (size_t i = 0; r->ports && i < r->count; i++) {
        run_port *const p = &r->ports[i];
        p->port = hoist_program_port(r->program, i);
        p->name = hoist_arena_str(&r->arena, p->port.name).data;
        const hoist_dtype_class kind = hoist_dtype_get(p->port.host_dtype)->kind;
        // Values of integers beyond 2^24 would not survive float32.
        const bool is_integer = kind == HOIST_CLASS_SIGNED || kind == HOIST_CLASS_UNSIGNED;
        const bool is_own = kind == HOIST_CLASS_RAW || (p->port.is_buffer && is_integer);
        p->dtype = is_own ? p->port.host_dtype : HOIST_DTYPE_F32;
        hoist_buffer_init(&p->out, r->options.alloc);
        if (!p->name) {
            return HOIST_NO_MEMORY;
        }
    }
    // The loop above does not run without `ports`.
    return r->ports && r->given && r->missing ? HOIST_OK : HOIST_NO_MEMORY;
}

// Reports each input that is missing.
static hoist_status check_given(run *r)
{
    hoist_status status = HOIST_OK;
    HOIST_TRY(hoist_program_missing(r->program, r->given, r->missing));
    for (size_t i = 0; i < r->count; i++) {
        if (r->missing[i]) {
            hoist_report(r->diag, rule_of(HOIST_EASY_001), hoist_loc_none(),
                         "no array is given for input '%s'", r->ports[i].name);
            status = HOIST_NOT_FOUND;
        }
    }
    return status;
}

static hoist_status execute(run *r, const hoist_job *job, const hoist_named_array *inputs,
                            size_t count)
{
    const hoist_session_options options = {.struct_size = sizeof(options),
                                           .alloc = r->options.alloc,
                                           .threads = r->options.threads,
                                           .deadline = r->options.deadline};
    HOIST_TRY(list_ports(r));
    // All arrays are checked before a session takes its memory.
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(bind(r, &inputs[i]));
    }
    HOIST_TRY(bind_own(r, job));
    HOIST_TRY(check_given(r));
    HOIST_TRY(hoist_session_open(r->program, &options, r->diag, &r->session));
    HOIST_TRY(write_inputs(r));
    HOIST_TRY(run_entries(r));
    HOIST_TRY(hoist_array_set_create(r->options.alloc, &r->set));
    for (size_t i = 0; i < r->count; i++) {
        if (r->ports[i].port.result) { // expected by a caller who names no output
            HOIST_TRY(give_output(r, &r->ports[i]));
        }
    }
    return HOIST_OK;
}

hoist_status hoist_run_once(hoist_job *job, const hoist_named_array *inputs, size_t input_count,
                            const hoist_run_once_options *options, hoist_diag *diag,
                            hoist_array_set **out_outputs)
{
    run r = {.diag = diag};
    *out_outputs = NULL;
    HOIST_TRY(hoist_options_read(options, &r.options, sizeof(r.options)));
    r.options.alloc = r.options.alloc.resize ? r.options.alloc : hoist_allocator_system();
    hoist_arena_init(&r.arena, r.options.alloc);
    hoist_status status = hoist_job_lower(job, NULL, diag, &r.program);
    status = status == HOIST_OK ? execute(&r, job, inputs, input_count) : status;
    // Also of a run that failed: the session has its findings.
    if (r.session) {
        hoist_session_report(r.session, diag);
    }
    hoist_session_close(r.session);
    for (size_t i = 0; r.ports && i < r.count; i++) {
        // Ports that list_ports() did not reach are zeros: nothing to free.
        hoist_buffer_deinit(&r.ports[i].out);
    }
    hoist_program_destroy(r.program);
    hoist_arena_deinit(&r.arena);
    hoist_array_set_destroy(r.own);
    if (status == HOIST_OK) {
        *out_outputs = r.set;
    } else {
        hoist_array_set_destroy(r.set);
    }
    return status;
}
