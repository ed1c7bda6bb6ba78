// Sessions from many threads, for ThreadSanitizer: some sessions stand in a row, and each of eight
// threads takes one by chance and does something to it: pushes, pops, writes, reads, runs, waits,
// cancels, or closes it and opens another, of another file and with other options.
//
//     session_stress SECONDS SEED FILE...
//
// The seed fixes what each thread wants, not when it comes to it. Files are what hoist opens, or
// texts of programs (*.hoist). Ends with 1 when a call gave a status that it may not give, or
// when nothing ever ran.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hoist/hoist.h"

#include "base/alloc.h"
#include "base/span.h"
#include "program/text.h"
#include "runtime/runtime_testing.h"

enum { THREADS = 8, SESSIONS = 5, MOST_PARAMETERS = 16, PATIENCE_MS = 20 };

static const double PATIENCE = PATIENCE_MS / 1000.0; // seconds that a call waits

typedef struct port {
    hoist_port row;
    char *name;
    size_t size; // bytes of an entry
} port;

// What a file was lowered to: shared by all threads, and immutable.
typedef struct model {
    hoist_program *program;
    port *ports;
    size_t port_count;
} model;

typedef struct place {
    pthread_rwlock_t users; // who writes closes and opens; guards `session` and `model`
    pthread_mutex_t runner; // who runs, waits, is at a slot or asks what happened: one at a time
    hoist_session *session;
    const model *model;
} place;

typedef struct stress {
    model *models;
    size_t model_count;
    place places[SESSIONS];
    struct timespec end;
    _Atomic uint64_t done[16]; // of each action
    _Atomic uint64_t begun;    // runs
    atomic_bool has_failed;
} stress;

typedef struct worker {
    stress *s;
    uint64_t state; // of its random numbers
    uint8_t *bytes; // as many as the largest entry
    hoist_diag *diag;
    pthread_t thread;
} worker;

static uint64_t draw(worker *w, uint64_t below)
{
    w->state += 0x9e3779b97f4a7c15u;
    uint64_t z = w->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

// HOIST_INTERNAL is a mistake of ours in any case, and so is a memory that is out here.
static void expect(worker *w, hoist_status status, const char *what)
{
    if (status == HOIST_INTERNAL || status == HOIST_NO_MEMORY || status == HOIST_IO) {
        (void)fprintf(stderr, "%s: %s\n", what, hoist_status_name(status));
        atomic_store(&w->s->has_failed, true);
    }
}

// Actions on a session, which stays open meanwhile ---------------------------------------------

typedef void action(worker *w, place *p);

static const port *any_port(worker *w, const place *p)
{
    return p->model->port_count ? &p->model->ports[draw(w, p->model->port_count)] : NULL;
}

static void push(worker *w, place *p)
{
    const port *const to = any_port(w, p);
    if (to) {
        memset(w->bytes, (int)draw(w, 3), to->size);
        expect(w,
               hoist_session_push(p->session, to->name, to->row.host_dtype,
                                  (hoist_bytes){w->bytes, to->size}, PATIENCE),
               "push");
    }
}

static void pop(worker *w, place *p)
{
    const port *const from = any_port(w, p);
    if (from) {
        expect(w,
               hoist_session_pop(p->session, from->name, from->row.host_dtype,
                                 (hoist_mut_bytes){w->bytes, from->size}, PATIENCE),
               "pop");
        (void)hoist_session_available(p->session, from->name);
    }
}

// A slot of what is no queue: one thread at a time, as hoist/runtime.h wants it.
static const port *begin_slot(worker *w, place *p)
{
    const port *const at = any_port(w, p);
    return at && !at->row.is_queue && pthread_mutex_trylock(&p->runner) == 0 ? at : NULL;
}

static void write_slot(worker *w, place *p)
{
    const port *const to = begin_slot(w, p);
    if (to) {
        memset(w->bytes, (int)draw(w, 3), to->size);
        expect(w,
               hoist_session_write(p->session, to->name, (uint32_t)draw(w, to->row.slots + 1),
                                   to->row.host_dtype, (hoist_bytes){w->bytes, to->size}),
               "write");
        (void)pthread_mutex_unlock(&p->runner);
    }
}

static void read_slot(worker *w, place *p)
{
    const port *const from = begin_slot(w, p);
    if (from) {
        const uint32_t slot = (uint32_t)draw(w, from->row.slots + 1);
        uint64_t unknown = 0;
        expect(w,
               hoist_session_read(p->session, from->name, slot, from->row.host_dtype,
                                  (hoist_mut_bytes){w->bytes, from->size}),
               "read");
        expect(w, hoist_session_unknown(p->session, from->name, slot, &unknown), "unknown");
        (void)pthread_mutex_unlock(&p->runner);
    }
}

// Inputs are filled first, or few programs would ever run.
static void run(worker *w, place *p)
{
    const hoist_program *const program = p->model->program;
    const size_t entries = hoist_program_entry_count(program);
    const size_t entry = entries ? draw(w, entries) : 0;
    const size_t count = entries ? hoist_program_parameter_count(program, entry) : 0;
    char names[MOST_PARAMETERS + 1][128];
    hoist_parameter parameters[MOST_PARAMETERS];
    if (entries == 0 || count > MOST_PARAMETERS || pthread_mutex_trylock(&p->runner) != 0) {
        return;
    }
    for (size_t i = 0; i < p->model->port_count; i++) {
        const port *const to = &p->model->ports[i];
        memset(w->bytes, 1, to->size);
        if (to->row.input && !to->row.is_queue) {
            expect(w,
                   hoist_session_write(p->session, to->name, 0, to->row.host_dtype,
                                       (hoist_bytes){w->bytes, to->size}),
                   "write");
        }
    }
    for (size_t i = 0; i < count; i++) {
        const hoist_str name = hoist_program_parameter_name(program, entry, i);
        (void)snprintf(names[i], sizeof(names[i]), "%.*s", HOIST_STR_ARGS(name));
        parameters[i] = (hoist_parameter){names[i], 1 + (int64_t)draw(w, 3)};
    }
    (void)snprintf(names[MOST_PARAMETERS], sizeof(names[0]), "%.*s",
                   HOIST_STR_ARGS(hoist_program_entry_name(program, entry)));
    // Not while something runs, which would be waited for as long as it takes.
    if (hoist_session_wait_idle(p->session, 0) == HOIST_OK) {
        const hoist_status status =
            hoist_session_run(p->session, names[MOST_PARAMETERS], parameters, count);
        expect(w, status, "run");
        atomic_fetch_add(&w->s->begun, status == HOIST_OK ? 1 : 0);
    }
    (void)pthread_mutex_unlock(&p->runner);
}

static void wait_idle(worker *w, place *p)
{
    hoist_session_counts counts = {.struct_size = sizeof(counts)};
    if (pthread_mutex_trylock(&p->runner) == 0) {
        expect(w, hoist_session_wait_idle(p->session, draw(w, 2) ? PATIENCE : 0), "wait");
        hoist_session_report(p->session, w->diag);
        hoist_session_count(p->session, &counts);
        (void)pthread_mutex_unlock(&p->runner);
    }
}

static void end_input(worker *w, place *p)
{
    const port *const of = any_port(w, p);
    hoist_session_end_input(p->session, of && draw(w, 2) ? of->name : NULL);
}

static void cancel(worker *w, place *p)
{
    (void)w;
    hoist_session_cancel(p->session);
}

static void profile(worker *w, place *p)
{
    hoist_profile_row row = {.struct_size = sizeof(row)};
    if (draw(w, 8) == 0) {
        const hoist_status status = hoist_session_profile_begin(p->session);
        expect(w, status, "profile");
    }
    for (size_t i = 0; i < hoist_session_profile_count(p->session); i++) {
        (void)hoist_session_profile_at(p->session, i, &row);
    }
}

// Sessions -------------------------------------------------------------------------------------

static void open_another(worker *w, place *p)
{
    const hoist_session_options options = {.struct_size = sizeof(options),
                                           .threads = 1 + (uint32_t)draw(w, 4),
                                           .sequential = draw(w, 8) == 0,
                                           .max_steps = 100000,
                                           .binary_slots = 1 + (uint32_t)draw(w, 3),
                                           .preload = draw(w, 2) == 0,
                                           .on_unknown = HOIST_UNKNOWN_POISON};
    p->model = &w->s->models[draw(w, w->s->model_count)];
    expect(w, hoist_session_open(p->model->program, &options, w->diag, &p->session), "open");
}

static const struct {
    const char *name;
    unsigned weight; // of 100
    action *act;     // NULL: the session is closed and another opened
} actions[] = {
    {"push", 22, push},          {"pop", 22, pop},      {"write", 8, write_slot},
    {"read", 8, read_slot},      {"run", 12, run},      {"wait", 14, wait_idle},
    {"end input", 4, end_input}, {"cancel", 2, cancel}, {"profile", 4, profile},
    {"open", 4, NULL},
};

static size_t choose(worker *w)
{
    uint64_t left = draw(w, 100);
    size_t i = 0;
    for (; left >= actions[i].weight; i++) {
        left -= actions[i].weight;
    }
    return i;
}

static void act_once(worker *w)
{
    place *const p = &w->s->places[draw(w, SESSIONS)];
    const size_t i = choose(w);
    if (!actions[i].act) {
        (void)pthread_rwlock_wrlock(&p->users);
        hoist_session_close(p->session);
        p->session = NULL;
        open_another(w, p);
    } else {
        (void)pthread_rwlock_rdlock(&p->users);
        if (p->session) {
            actions[i].act(w, p);
        }
    }
    (void)pthread_rwlock_unlock(&p->users);
    atomic_fetch_add(&w->s->done[i], 1);
}

static bool is_over(const stress *s)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec >= s->end.tv_sec || atomic_load(&s->has_failed);
}

static void *work(void *self)
{
    worker *const w = self;
    while (!is_over(w->s)) {
        act_once(w);
    }
    return NULL;
}

// Files ----------------------------------------------------------------------------------------

static hoist_program *read_program(const char *path, hoist_diag *diag)
{
    hoist_program *program = NULL;
    uint8_t *const bytes = malloc(1 << 20);
    FILE *const file = fopen(path, "rb");
    const size_t size = file && bytes ? fread(bytes, 1, 1 << 20, file) : 0;
    if (hoist_program_parse((hoist_bytes){bytes, size}, hoist_allocator_system(), diag, &program) !=
        HOIST_OK) {
        program = NULL;
    }
    if (file) {
        (void)fclose(file);
    }
    free(bytes);
    return program;
}

static hoist_program *lower_file(const char *path, hoist_diag *diag)
{
    const hoist_lower_options options = {.struct_size = sizeof(options),
                                         .on_unknown = HOIST_UNKNOWN_POISON};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    if (hoist_job_open(path, NULL, diag, &job) == HOIST_OK &&
        hoist_job_lower(job, &options, diag, &program) != HOIST_OK) {
        program = NULL;
    }
    hoist_job_close(job);
    return program;
}

static bool load(model *m, const char *path, hoist_diag *diag)
{
    const size_t size = strlen(path);
    m->program = size > 6 && strcmp(path + size - 6, ".hoist") == 0 ? read_program(path, diag)
                                                                    : lower_file(path, diag);
    m->port_count = m->program ? hoist_program_port_count(m->program) : 0;
    m->ports = calloc(m->port_count + 1, sizeof(port));
    for (size_t i = 0; m->ports && i < m->port_count; i++) {
        port *const to = &m->ports[i];
        to->row = hoist_program_port(m->program, i);
        to->size = runtime_port_size(&to->row);
        to->name = calloc(to->row.name.size + 1, 1);
        if (to->name) {
            memcpy(to->name, to->row.name.data, to->row.name.size);
        }
    }
    return m->program && m->ports;
}

static void unload(model *m)
{
    for (size_t i = 0; i < m->port_count; i++) {
        free(m->ports[i].name);
    }
    free(m->ports);
    hoist_program_destroy(m->program);
}

// The whole ------------------------------------------------------------------------------------

static size_t largest_entry(const stress *s)
{
    size_t size = 1;
    for (size_t i = 0; i < s->model_count; i++) {
        for (size_t k = 0; k < s->models[i].port_count; k++) {
            const size_t other = s->models[i].ports[k].size;
            size = other > size ? other : size;
        }
    }
    return size;
}

static void run_all(stress *s, uint64_t seed)
{
    static worker workers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.s = s, .state = seed * THREADS + i};
        workers[i].bytes = calloc(largest_entry(s), 1);
        const hoist_status status =
            hoist_diag_create(hoist_allocator_system(), NULL, &workers[i].diag);
        if (!workers[i].bytes || status != HOIST_OK) {
            abort();
        }
    }
    for (size_t i = 0; i < SESSIONS; i++) {
        (void)pthread_rwlock_init(&s->places[i].users, NULL);
        (void)pthread_mutex_init(&s->places[i].runner, NULL);
        open_another(&workers[0], &s->places[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            abort();
        }
    }
    for (size_t i = 0; i < THREADS; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        hoist_diag_destroy(workers[i].diag);
        free(workers[i].bytes);
    }
    for (size_t i = 0; i < SESSIONS; i++) {
        hoist_session_close(s->places[i].session);
        (void)pthread_mutex_destroy(&s->places[i].runner);
        (void)pthread_rwlock_destroy(&s->places[i].users);
    }
}

int main(int argc, char **argv)
{
    static stress s;
    hoist_diag *diag = NULL;
    if (argc < 4 || hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        (void)fprintf(stderr, "usage: session_stress SECONDS SEED FILE...\n");
        return 2;
    }
    s.model_count = (size_t)argc - 3;
    s.models = calloc(s.model_count, sizeof(model));
    bool is_loaded = s.models != NULL;
    for (size_t i = 0; is_loaded && i < s.model_count; i++) {
        is_loaded = load(&s.models[i], argv[3 + i], diag);
        if (!is_loaded) {
            (void)fprintf(stderr, "%s: cannot be lowered\n", argv[3 + i]);
        }
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &s.end);
    s.end.tv_sec += strtol(argv[1], NULL, 10);
    if (is_loaded) {
        run_all(&s, strtoull(argv[2], NULL, 10));
    }
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        (void)printf("%-10s%10llu\n", actions[i].name, (unsigned long long)s.done[i]);
    }
    (void)printf("%-10s%10llu\n", "runs", (unsigned long long)s.begun);
    for (size_t i = 0; s.models && i < s.model_count; i++) {
        unload(&s.models[i]);
    }
    free(s.models);
    hoist_diag_destroy(diag);
    return is_loaded && s.begun > 0 && !atomic_load(&s.has_failed) ? 0 : 1;
}
