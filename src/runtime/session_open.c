// Sessions are opened and closed: options checked, the program verified, kernels and schedule
// chosen, memory taken, workers started; and all of it given back.

#include "base/alloc.h"
#include "base/checked.h"
#include "base/options.h"
#include "base/reader.h"
#include "os/pages.h"
#include "plan/lanes.h"
#include "program/verify.h"
#include "runtime/ports.h"
#include "runtime/run_end.h"
#include "runtime/session.h"

enum { DEFAULT_BINARY_SLOTS = 32, CLOSE_SECONDS = 5, MAX_THREADS = 1024 };

// Opening -------------------------------------------------------------------------------------

// Memory of calls for each process, as deep as its calls can be.
static hoist_status take_call_memory(hoist_session *s, const hoist_lane_plan *plan)
{
    hoist_status status = HOIST_OK;
    for (size_t i = 0; status == HOIST_OK && i < s->lane_count; i++) {
        status = hoist_store_take(&s->store, plan->bytes[i], &s->lanes[i].call_memory);
        s->call_memory[i] = s->lanes[i].call_memory.data;
    }
    return status;
}

// Tables by process, fifo and port.
static hoist_status take_lanes(hoist_session *s, const hoist_lane_plan *plan)
{
    s->lane_count = plan->count;
    HOIST_TRY(hoist_process_set_init(&s->busy, s->alloc, s->lane_count));
    s->lanes = hoist_alloc_zero(s->alloc, s->lane_count, sizeof *s->lanes);
    s->call_memory = hoist_alloc_zero(s->alloc, s->lane_count, sizeof *s->call_memory);
    s->input_ended = hoist_alloc_zero(s->alloc, (size_t)s->program->fifo_count + 1, sizeof(bool));
    s->given = hoist_alloc_zero(s->alloc, hoist_program_port_count(s->program) + 1, sizeof(bool));
    s->host_sides = hoist_alloc_zero(s->alloc, (size_t)s->program->fifo_count + 1, 1);
    if (!s->lanes || !s->call_memory || !s->input_ended || !s->given || !s->host_sides) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < s->lane_count; i++) {
        s->lanes[i].function = HOIST_NO_REF;
    }
    // A session that does one step at a time takes no more in its runs.
    hoist_open_step *const first = hoist_open_steps_take(&s->open_steps, s->alloc);
    if (!first) {
        return HOIST_NO_MEMORY;
    }
    hoist_open_steps_give(&s->open_steps, first);
    return take_call_memory(s, plan);
}

// Plans all memory before any is taken, so that a limit is met with the complete need.
static hoist_status take_memory(hoist_session *s)
{
    const hoist_page_plan_options pages = {
        .alloc = s->alloc,
        .is_read = s->is_read,
        .groups = &s->groups,
        .home = s->options.comm ? hoist_comm_rank(s->options.comm) : HOIST_NO_REF,
        .deadline = s->options.deadline};
    hoist_lane_plan lanes;
    uint64_t calls = 0;
    HOIST_TRY(hoist_lane_plan_build(s->program, &s->plan, s->alloc, &lanes));
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < lanes.count; i++) {
        status = hoist_ckd_add(&calls, calls, lanes.bytes[i]) ? HOIST_LIMIT : status;
    }
    status = status == HOIST_OK ? hoist_store_init_with(&s->store, s->program, &pages, calls,
                                                        s->options.max_memory)
                                : status;
    status = status == HOIST_OK ? take_lanes(s, &lanes) : status;
    hoist_lane_plan_deinit(&lanes);
    return status;
}

// Whether code has a step that a device's core would run.
static bool computes(const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_COMPUTE) {
            return true;
        }
    }
    return false;
}

// The first functions that compute, in the program's order, as a loader fills the cache.
static void preload(hoist_session *s, hoist_binary_cache *cache)
{
    for (uint32_t i = 0; i < s->program->function_count; i++) {
        if (computes(&s->program->functions[i].code) && !hoist_binary_cache_preload(cache, i)) {
            return;
        }
    }
}

// A cache of functions for each unit, as large as the device's or the caller's number.
static hoist_status take_caches(hoist_session *s)
{
    const uint32_t requested =
        s->options.binary_slots ? s->options.binary_slots : DEFAULT_BINARY_SLOTS;
    const uint32_t functions = s->program->function_count + 1;
    const uint32_t slots =
        requested < functions ? requested : functions; // more would never be used
    s->caches = hoist_alloc_zero(s->alloc, (size_t)s->program->unit_count + 1, sizeof *s->caches);
    if (!s->caches) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < s->program->unit_count; i++) {
        HOIST_TRY(hoist_binary_cache_init(&s->caches[i], slots, s->alloc));
        if (s->options.preload) {
            preload(s, &s->caches[i]);
        }
    }
    return HOIST_OK;
}

static bool has_fast_steps(const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if (step->kind == HOIST_STEP_COMPUTE &&
            hoist_compute_get(step->as.compute->op)->profile == HOIST_PROFILE_FAST) {
            return true;
        }
    }
    return false;
}

// The best kernels of this machine, or those up to the level that the caller allows.
static void choose_kernels(hoist_session *s)
{
    s->level = hoist_cpu_detect();
    const uint32_t requested = s->options.max_cpu_level;
    if (requested && requested - 1 < (uint32_t)s->level) {
        s->level = (hoist_cpu_level)(requested - 1);
    }
    s->kernels = hoist_compute_kernels_at(s->level);
    s->moves = hoist_move_kernels_at(s->level);
    s->store.level = s->level;
    for (size_t i = 0; i < hoist_prog_code_count(s->program) && !s->has_fast; i++) {
        s->has_fast = has_fast_steps(hoist_prog_code_at(s->program, i));
    }
}

// A caller who does everything alone is one.
static void count_workers(hoist_session *s)
{
    const uint32_t given = s->options.threads ? s->options.threads : hoist_core_count();
    s->options.threads = s->options.sequential ? 1 : given < MAX_THREADS ? given : MAX_THREADS;
}

// Workers that could be had; none at all is a failure.
static hoist_status start_workers(hoist_session *s)
{
    if (s->options.sequential) {
        return HOIST_OK;
    }
    const uint32_t requested = s->options.threads;
    s->workers = hoist_alloc_zero(s->alloc, requested, sizeof *s->workers);
    if (!s->workers) {
        return HOIST_NO_MEMORY;
    }
    // Who spins must not keep the core from one that works, or that messages come to.
    const uint32_t cores = hoist_core_count();
    s->may_spin = cores > 1 && requested <= cores && !s->options.comm;
    // Workers begin at once, and wait for the lock until all are there.
    (void)pthread_mutex_lock(&s->lock);
    while (s->worker_count < requested &&
           pthread_create(&s->workers[s->worker_count], NULL, hoist_session_worker, s) == 0) {
        s->worker_count++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return s->worker_count ? HOIST_OK : HOIST_NO_MEMORY;
}

// A schedule chooses the process of each step: no worker may.
static void choose_schedule(hoist_session *s)
{
    static const hoist_schedule_kind kinds[] = {
        [HOIST_RUN_AS_IT_COMES] = HOIST_SCHEDULE_IN_ORDER,
        [HOIST_RUN_IN_ORDER] = HOIST_SCHEDULE_IN_ORDER,
        [HOIST_RUN_RANDOM] = HOIST_SCHEDULE_RANDOM,
        [HOIST_RUN_ADVERSARIAL] = HOIST_SCHEDULE_ADVERSARIAL,
    };
    const hoist_schedule schedule = {kinds[s->options.schedule], s->options.seed};
    s->chooser = hoist_chooser_init(schedule);
    s->options.sequential = s->options.sequential || s->options.schedule != HOIST_RUN_AS_IT_COMES;
}

// Steps that are done block by block.
static hoist_status plan_groups(hoist_session *s)
{
    const hoist_group_options options = {
        .alloc = s->alloc, .is_read = s->is_read, .deadline = s->options.deadline};
    s->groups = (hoist_group_plan){.alloc = s->alloc};
    return s->options.no_fusion ? HOIST_OK
                                : hoist_group_plan_build(s->program, &options, &s->groups);
}

// Makes all that runs need, each part on what came before it; closing frees what there is.
static hoist_status prepare(hoist_session *s, hoist_diag *diag)
{
    hoist_machine_options machine = {.alloc = s->alloc,
                                     .max_steps = s->options.max_steps,
                                     .unit_depth = s->options.command_slots};
    HOIST_TRY(plan_groups(s));
    HOIST_TRY(hoist_call_plan_build(s->program, &s->groups, s->alloc, &s->plan));
    HOIST_TRY(take_memory(s));
    HOIST_TRY(hoist_reshape_tables_init(&s->reshapes, &s->plan, &s->store));
    HOIST_TRY(take_caches(s));
    if (s->options.comm) {
        HOIST_TRY(hoist_remote_create(s, diag, &s->remote));
    }
    machine.outside = hoist_remote_outside(s->remote);
    HOIST_TRY(hoist_machine_create(s->program, &machine, &s->machine));
    HOIST_TRY(hoist_session_create_diag(s, &s->diag));
    choose_kernels(s);
    choose_schedule(s);
    count_workers(s);
    HOIST_TRY(
        hoist_scratch_init(&s->scratch, &s->store, s->kernels, &s->groups, s->options.threads));
    HOIST_TRY(hoist_prepared_init(&s->prepared, &s->store, s->kernels));
    // Last of all: workers use everything above.
    return start_workers(s);
}

// Says why a session could not be opened, where the caller can do something about it.
static hoist_status report_open(hoist_session *s, hoist_status status, hoist_diag *diag)
{
    const hoist_page_refusal *refused = &s->store.refused;
    const hoist_rule *memory = hoist_runtime_rule_row(HOIST_RUNTIME_MEMORY);
    if (hoist_deadline_look(s->options.deadline) == HOIST_LIMIT) {
        hoist_report(diag, hoist_runtime_rule_row(HOIST_RUNTIME_TIME), hoist_loc_none(),
                     "the time limit was reached while the program was made ready to run");
    } else if (status == HOIST_LIMIT && s->store.needed) {
        hoist_report(diag, memory, hoist_loc_none(),
                     "the program needs at least %llu bytes of memory, more than its limit of "
                     "%llu: raise max_memory (--max-memory)",
                     (unsigned long long)s->store.needed,
                     (unsigned long long)s->options.max_memory);
    } else if (status == HOIST_LIMIT) {
        hoist_report(diag, memory, hoist_loc_none(),
                     "the program has more slots or tiles than can be held");
    } else if (status == HOIST_UNSUPPORTED && refused->why) {
        hoist_report(diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), refused->loc, "'%.*s': %s",
                     HOIST_STR_ARGS(refused->name), refused->why);
    } else if (status == HOIST_INVALID) {
        hoist_report(diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), hoist_loc_none(),
                     "a thread names a buffer of one call");
    }
    return status;
}

// The caller's options, of this version or an older one, with each choice known.
static hoist_status read_options(const hoist_session_options *options, hoist_diag *diag,
                                 hoist_session_options *out_given)
{
    const hoist_rule *rule = hoist_runtime_rule_row(HOIST_RUNTIME_OPTIONS);
    const hoist_status status = hoist_options_read(options, out_given, sizeof *out_given);
    if (status == HOIST_INVALID) {
        return hoist_fail(diag, status, rule, hoist_loc_none(),
                          "the caller's options have a struct_size of %zu, expected the size of a "
                          "hoist_session_options",
                          options->struct_size);
    }
    if (status != HOIST_OK) {
        return hoist_fail(diag, status, rule, hoist_loc_none(),
                          "the caller's options set a field that this library does not know");
    }
    const struct {
        const char *name;
        unsigned value, most;
    } choices[] = {{"schedule", (unsigned)out_given->schedule, HOIST_RUN_ADVERSARIAL},
                   {"on_unknown", (unsigned)out_given->on_unknown, HOIST_UNKNOWN_POISON},
                   {"on_undefined", (unsigned)out_given->on_undefined, HOIST_UNDEFINED_NAN}};
    for (size_t i = 0; i < HOIST_COUNT_OF(choices); i++) {
        if (choices[i].value > choices[i].most) {
            return hoist_fail(diag, HOIST_INVALID, rule, hoist_loc_none(),
                              "the caller's options have %u as %s, expected 0 to %u",
                              choices[i].value, choices[i].name, choices[i].most);
        }
    }
    return HOIST_OK;
}

static hoist_status open_session(const hoist_program *program, const hoist_session_options *options,
                                 hoist_diag *diag, hoist_session **out_session)
{
    // Entries are little-endian bytes, tiles the machine's own floats; nothing swaps between them.
    if (!hoist_is_little_endian()) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, hoist_runtime_rule_row(HOIST_RUNTIME_STEP),
                          hoist_loc_none(), "programs run on little-endian machines only");
    }
    hoist_session_options given;
    HOIST_TRY(read_options(options, diag, &given));
    // An allocator of zeros is the system's.
    const hoist_allocator alloc = given.alloc.resize ? given.alloc : hoist_allocator_system();
    HOIST_TRY(hoist_program_verify_fully(program, diag, alloc));
    hoist_session *s = hoist_alloc_zero(alloc, 1, sizeof *s);
    if (!s) {
        return HOIST_NO_MEMORY;
    }
    s->program = program;
    s->options = given;
    s->alloc = alloc;
    s->store.program = program;
    s->close_seconds = CLOSE_SECONDS;
    s->deadline = -1;
    atomic_init(&s->cancel, false);
    atomic_init(&s->changes, 0);
    if (pthread_mutex_init(&s->lock, NULL) != 0 || !hoist_cond_init(&s->changed) ||
        !hoist_cond_init(&s->ended)) {
        hoist_free(alloc, s, sizeof *s);
        return HOIST_NO_MEMORY;
    }
    hoist_status status = HOIST_OK;
    if (given.reads) {
        status = hoist_group_choose_reads(program, given.reads, given.read_count, diag, alloc,
                                          &s->is_read);
    }
    s->options.reads = NULL; // borrowed until now
    const bool chosen = status == HOIST_OK;
    status = chosen ? prepare(s, diag) : status;
    const hoist_status stopped = hoist_deadline_look(s->options.deadline);
    status = stopped != HOIST_OK ? stopped : status;
    status = chosen || stopped != HOIST_OK ? report_open(s, status, diag) : status;
    if (status != HOIST_OK) {
        // Closing knows a session that is half open.
        hoist_session_close(s);
        return status;
    }
    *out_session = s;
    return HOIST_OK;
}

hoist_status hoist_session_open(const hoist_program *program, const hoist_session_options *options,
                                hoist_diag *diag, hoist_session **out_session)
{
    *out_session = NULL;
    const hoist_source before = hoist_diag_enter(diag, program->file);
    const hoist_status status = open_session(program, options, diag, out_session);
    hoist_diag_leave(diag, before);
    return status;
}

// Closing -------------------------------------------------------------------------------------

// Asks the workers to end. False when one is still at work after some seconds: a kernel that does
// not return. Its session is then left as it is.
static bool stop_workers(hoist_session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->stop = true;
    hoist_session_end_run(s, HOIST_CANCELLED);
    const double deadline = hoist_now() + s->close_seconds;
    // Kernels end soon after they are asked to; some seconds are enough for those that do.
    while (hoist_session_is_busy(s) && hoist_cond_wait(&s->changed, &s->lock, deadline)) {
    }
    const bool stuck = hoist_session_is_busy(s) && s->worker_count;
    (void)pthread_mutex_unlock(&s->lock);
    for (uint32_t i = 0; i < s->worker_count; i++) {
        // The worker and all that it uses stay behind; the process may end.
        if (stuck) {
            (void)pthread_detach(s->workers[i]);
        } else {
            (void)pthread_join(s->workers[i], NULL);
        }
    }
    return !stuck;
}

// Tables of lanes, fifos and ports, as far as they were taken.
static void free_tables(hoist_session *s)
{
    for (size_t i = 0; s->lanes && i < s->lane_count; i++) {
        hoist_pages_free(s->lanes[i].call_memory);
        hoist_opaque_free(s->lanes[i].opaque, s->alloc);
        hoist_open_steps_give(&s->open_steps, s->lanes[i].open);
    }
    hoist_open_steps_deinit(&s->open_steps, s->alloc);
    for (uint32_t i = 0; s->caches && i < s->program->unit_count; i++) {
        hoist_binary_cache_deinit(&s->caches[i], s->alloc);
    }
    hoist_process_set_deinit(&s->busy, s->alloc);
    hoist_free(s->alloc, s->lanes, s->lane_count * sizeof *s->lanes);
    hoist_free(s->alloc, s->input_ended, ((size_t)s->program->fifo_count + 1) * sizeof(bool));
    hoist_free(s->alloc, s->given, (hoist_program_port_count(s->program) + 1) * sizeof(bool));
    hoist_free(s->alloc, s->host_sides, (size_t)s->program->fifo_count + 1);
    hoist_free(s->alloc, s->is_read, ((size_t)s->program->port_count + 1) * sizeof(bool));
    hoist_free(s->alloc, s->call_memory, s->lane_count * sizeof *s->call_memory);
    hoist_free(s->alloc, s->caches, ((size_t)s->program->unit_count + 1) * sizeof *s->caches);
    hoist_free(s->alloc, s->workers, s->workers ? s->options.threads * sizeof *s->workers : 0);
}

void hoist_session_close(hoist_session *session)
{
    if (!session) {
        return;
    }
    hoist_session_cancel(session);
    if (!stop_workers(session)) {
        return;
    }
    hoist_machine_destroy(session->machine);
    hoist_remote_destroy(session->remote);
    hoist_diag_destroy(session->diag);
    hoist_diag_destroy(session->late);
    hoist_shadow_deinit(&session->shadow);
    hoist_profiler_deinit(&session->profile);
    free_tables(session);
    hoist_scratch_deinit(&session->scratch);
    hoist_reshape_tables_deinit(&session->reshapes);
    if (session->prepared.alloc.resize) {
        hoist_prepared_deinit(&session->prepared);
    }
    if (session->groups.alloc.resize) {
        hoist_group_plan_deinit(&session->groups);
    }
    if (session->plan.offset) {
        hoist_call_plan_deinit(&session->plan);
    }
    if (session->store.alloc.resize) {
        hoist_store_deinit(&session->store);
    }
    (void)pthread_cond_destroy(&session->changed);
    (void)pthread_cond_destroy(&session->ended);
    (void)pthread_mutex_destroy(&session->lock);
    hoist_free(session->alloc, session, sizeof *session);
}
