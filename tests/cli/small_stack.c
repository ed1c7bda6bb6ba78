// small_stack BYTES FILE...: everything that the library does with a file, each call in a thread
// whose stack has BYTES bytes and no more; 0: HOIST_LEAST_STACK. Prints how many of them were used
// at most, and by which call; with SMALL_STACK_EACH in the environment, by each.
//
// A call that needs more ends the process with SIGSEGV: below the stack is a page that nobody may
// touch.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hoist/hoist.h"

enum { PAINT = 0xa5, MOST_NAME = 256 };

typedef struct subject {
    const char *path;
    hoist_diag *diag;
    hoist_job *job;
    hoist_program *program;
    hoist_session *session;
    hoist_status status; // of the last call
} subject;

// Sinks that take everything --------------------------------------------------------------------

static hoist_status take_event(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

static hoist_status take_piece(void *self, hoist_str text)
{
    (void)self;
    (void)text;
    return HOIST_OK;
}

static hoist_status take_part(void *self, const hoist_part *part)
{
    (void)self;
    (void)part;
    return HOIST_OK;
}

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    (void)self;
    (void)array;
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

static hoist_tree_sink tree_sink(void)
{
    return (hoist_tree_sink){.event = take_event};
}

// Calls -------------------------------------------------------------------------------------------

static hoist_status open_file(subject *s)
{
    return hoist_job_open(s->path, NULL, s->diag, &s->job);
}

static hoist_status check(subject *s)
{
    return hoist_job_check(s->job, s->diag);
}

static hoist_status check_order(subject *s)
{
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    return hoist_job_check_order(s->job, NULL, s->diag, &verdict);
}

static hoist_status info(subject *s)
{
    hoist_tree_sink sink = tree_sink();
    return hoist_job_info(s->job, true, s->diag, &sink);
}

static hoist_status dump(subject *s)
{
    hoist_tree_sink sink = tree_sink();
    return hoist_job_dump(s->job, NULL, true, &sink);
}

static hoist_status dump_text(subject *s)
{
    const hoist_piece_sink sink = {NULL, take_piece};
    return hoist_job_text(s->job, &sink);
}

static hoist_status free_text(const subject *s, hoist_status status, hoist_mut_bytes text)
{
    hoist_job_free_text(s->job, text);
    return status;
}

static hoist_status draw(subject *s)
{
    hoist_mut_bytes text = {NULL, 0};
    const hoist_status status = hoist_job_draw(s->job, 80, s->diag, &text);
    return free_text(s, status, text);
}

static hoist_status graph(subject *s)
{
    hoist_tree_sink sink = tree_sink();
    return hoist_job_graph(s->job, s->diag, &sink);
}

static hoist_status write_file(subject *s)
{
    hoist_mut_bytes text = {NULL, 0};
    const hoist_status status = hoist_job_write(s->job, &text);
    return free_text(s, status, text);
}

static hoist_status disasm(subject *s)
{
    hoist_mut_bytes text = {NULL, 0};
    const hoist_status status = hoist_job_disasm(s->job, NULL, s->diag, &text);
    return free_text(s, status, text);
}

static hoist_status disasm_tree(subject *s)
{
    hoist_tree_sink sink = tree_sink();
    return hoist_job_disasm_tree(s->job, NULL, s->diag, &sink);
}

static hoist_status unpack(subject *s)
{
    hoist_part_sink sink = {NULL, take_part};
    return hoist_job_unpack(s->job, NULL, s->diag, &sink);
}

static hoist_status verify(subject *s)
{
    bool is_right = false;
    return hoist_job_verify(s->job, s->diag, &is_right);
}

static hoist_status recover(subject *s)
{
    const hoist_recovery_sink sink = {NULL, take_array, take_missing};
    return hoist_job_recover(s->job, s->diag, &sink);
}

static hoist_status recover_layers(subject *s)
{
    hoist_tree_sink sink = tree_sink();
    uint64_t gaps = 0;
    return hoist_job_layers(s->job, s->diag, &sink, &gaps);
}

static hoist_status recover_model(subject *s)
{
    hoist_mut_bytes bytes = {NULL, 0};
    const hoist_status status = hoist_job_recover_model(s->job, s->diag, &bytes);
    return free_text(s, status, bytes);
}

static hoist_status lower(subject *s)
{
    return hoist_job_lower(s->job, NULL, s->diag, &s->program);
}

static hoist_status write_program(subject *s)
{
    hoist_mut_bytes text = {NULL, 0};
    const hoist_status status = hoist_program_write(s->program, &text);
    if (status == HOIST_OK) {
        hoist_program_free_text(s->program, text);
    }
    return status;
}

static hoist_status open_session(subject *s)
{
    // All on this thread: the stacks of workers are the system's.
    const hoist_session_options options = {.struct_size = sizeof(options), .sequential = true};
    return hoist_session_open(s->program, &options, s->diag, &s->session);
}

static hoist_status fill(subject *s)
{
    for (size_t i = 0; i < hoist_program_port_count(s->program); i++) {
        const hoist_port port = hoist_program_port(s->program, i);
        char name[MOST_NAME];
        size_t count = 1;
        (void)snprintf(name, sizeof(name), "%.*s", (int)port.name.size, port.name.data);
        for (uint32_t k = 0; k < port.rank; k++) {
            count *= (size_t)port.shape[k];
        }
        float *const elements = calloc(count, sizeof(float));
        const hoist_bytes bytes = {(const uint8_t *)elements, count * sizeof(float)};
        hoist_status status = elements ? HOIST_OK : HOIST_NO_MEMORY;
        for (uint32_t slot = 0; status == HOIST_OK && port.input && slot < port.slots; slot++) {
            status = port.is_queue
                         ? hoist_session_push(s->session, name, HOIST_DTYPE_F32, bytes, 0)
                         : hoist_session_write(s->session, name, slot, HOIST_DTYPE_F32, bytes);
        }
        free(elements);
        HOIST_TRY(status);
    }
    hoist_session_end_input(s->session, NULL);
    return HOIST_OK;
}

static hoist_status run(subject *s)
{
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < hoist_program_entry_count(s->program) && status == HOIST_OK; i++) {
        const hoist_str entry = hoist_program_entry_name(s->program, i);
        char name[MOST_NAME];
        (void)snprintf(name, sizeof(name), "%.*s", (int)entry.size, entry.data);
        const hoist_parameter loops = {"p_loop_count", 1};
        const size_t count = hoist_program_parameter_count(s->program, i) ? 1 : 0;
        status = hoist_session_run(s->session, name, &loops, count);
        status = status == HOIST_OK ? hoist_session_wait_idle(s->session, HOIST_FOREVER) : status;
    }
    hoist_session_report(s->session, s->diag);
    return status;
}

static hoist_status close_all(subject *s)
{
    hoist_session_close(s->session);
    hoist_program_destroy(s->program);
    hoist_job_close(s->job);
    return HOIST_OK;
}

typedef enum need { NEEDS_NOTHING = 0, NEEDS_JOB, NEEDS_PROGRAM, NEEDS_SESSION } need;

static const struct call {
    const char *name;
    hoist_status (*call)(subject *s);
    need needs;
} calls[] = {
    {"open", open_file, NEEDS_NOTHING},
    {"check", check, NEEDS_JOB},
    {"check order", check_order, NEEDS_JOB},
    {"info", info, NEEDS_JOB},
    {"dump", dump, NEEDS_JOB},
    {"dump as text", dump_text, NEEDS_JOB},
    {"draw", draw, NEEDS_JOB},
    {"graph", graph, NEEDS_JOB},
    {"write", write_file, NEEDS_JOB},
    {"disasm", disasm, NEEDS_JOB},
    {"disasm as a tree", disasm_tree, NEEDS_JOB},
    {"unpack", unpack, NEEDS_JOB},
    {"verify", verify, NEEDS_JOB},
    {"recover", recover, NEEDS_JOB},
    {"recover layers", recover_layers, NEEDS_JOB},
    {"recover a model", recover_model, NEEDS_JOB},
    {"lower", lower, NEEDS_JOB},
    {"write the program", write_program, NEEDS_PROGRAM},
    {"open a session", open_session, NEEDS_PROGRAM},
    {"fill", fill, NEEDS_SESSION},
    {"run", run, NEEDS_SESSION},
    {"close", close_all, NEEDS_NOTHING},
};

// Threads -----------------------------------------------------------------------------------------

typedef struct task {
    const struct call *call;
    subject *subject;
} task;

static void *execute(void *self)
{
    const task *const t = self;
    t->subject->status = t->call->call(t->subject);
    return NULL;
}

// A stack that grows down to a page which nobody may touch; NULL: there is no memory.
static uint8_t *make_stack(size_t size, size_t page)
{
    uint8_t *const all =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) != 0) {
        return NULL;
    }
    return all + page;
}

// Bytes of the stack that the call wrote to; SIZE_MAX: it could not be called.
static size_t measure(const struct call *call, subject *s, uint8_t *stack, size_t size)
{
    pthread_attr_t attr;
    pthread_t thread;
    task t = {call, s};
    memset(stack, PAINT, size);
    const bool made =
        pthread_attr_init(&attr) == 0 && pthread_attr_setstack(&attr, stack, size) == 0 &&
        pthread_create(&thread, &attr, execute, &t) == 0 && pthread_join(thread, NULL) == 0;
    (void)pthread_attr_destroy(&attr);
    size_t untouched = 0;
    while (untouched < size && stack[untouched] == PAINT) {
        untouched++;
    }
    return made ? size - untouched : SIZE_MAX;
}

static bool is_possible(const subject *s, need needs)
{
    return needs == NEEDS_NOTHING || (needs == NEEDS_JOB && s->job) ||
           (needs == NEEDS_PROGRAM && s->program) || (needs == NEEDS_SESSION && s->session);
}

// False: a thread could not be made, or nothing could be opened.
static bool use_file(const char *path, uint8_t *stack, size_t size)
{
    subject s = {.path = path};
    size_t most = 0;
    const char *name = "";
    if (hoist_diag_create(hoist_allocator_system(), NULL, &s.diag) != HOIST_OK) {
        return false;
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        const size_t used =
            is_possible(&s, calls[i].needs) ? measure(&calls[i], &s, stack, size) : 0;
        if (getenv("SMALL_STACK_EACH")) {
            (void)printf("    %6zu  %s: %s\n", used, calls[i].name, hoist_status_name(s.status));
        }
        name = used > most ? calls[i].name : name;
        most = used > most ? used : most;
    }
    const char *reached = s.session ? "run" : s.program ? "lowered" : s.job ? "opened" : "refused";
    (void)printf("%s: %s, %zu bytes (%s)\n", path, reached, most, name);
    (void)fflush(stdout);
    hoist_diag_destroy(s.diag);
    return most != SIZE_MAX;
}

int main(int argc, char **argv)
{
    const size_t given = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    const size_t size = given ? given : HOIST_LEAST_STACK;
    uint8_t *const stack = make_stack(size, (size_t)sysconf(_SC_PAGESIZE));
    bool done = argc > 2 && stack;
    for (int i = 2; done && i < argc; i++) {
        done = use_file(argv[i], stack, size);
    }
    return done ? 0 : 2;
}
