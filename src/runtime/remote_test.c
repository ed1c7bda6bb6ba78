// Sessions of one program in threads, a rank in each, over a comm of one process: the bits are
// those of one session that has all ranks, and what goes wrong in one ends all.
#include <string.h>

#include "base/alloc.h"
#include "comm/inproc_testing.h"
#include "program/text.h"
#include "runtime/ports.h"
#include "runtime/routes.h"
#include "runtime/runtime_testing.h"

enum { MOST_RANKS = 4, MOST_PORTS = 16, MOST_BYTES = 4096 };

static const runtime_mode modes[] = RUNTIME_MODES;

// Contents that callers fetch, by port.
typedef struct contents {
    uint8_t bytes[MOST_PORTS][MOST_BYTES];
} contents;

typedef struct rank_run {
    const hoist_program *program;
    const runtime_mode *mode;
    hoist_comm *comm; // NULL: all ranks
    int iterations;
    double seconds; // before which a run has to end; negative: for ever
    int kill_after; // iterations after which this rank is as if it were killed; -1: none
    int fail_after; // iterations after which it gives up, and closes its session; -1: none
    hoist_status opened;
    hoist_status status;
    hoist_diag *diag; // owned
    contents contents;
    bool known[MOST_PORTS]; // by port: this rank has it
} rank_run;

static uint32_t home_of(const hoist_program *p, size_t port)
{
    const hoist_port_at at = hoist_port_find(p, port);
    const hoist_ref buffer = at.view != HOIST_NO_REF ? p->ports[at.view].buffer : at.buffer;
    return p->spaces[p->buffers[buffer].space].home;
}

// A port's name as a C string.
typedef struct port_name {
    char text[16];
} port_name;

static port_name name_of(hoist_str name)
{
    port_name copy = {{0}};
    memcpy(copy.text, name.data, name.size < sizeof copy.text ? name.size : sizeof copy.text - 1);
    return copy;
}

static void write_inputs(rank_run *r, hoist_session *session)
{
    for (size_t i = 0; i < hoist_program_port_count(r->program); i++) {
        const hoist_port port = hoist_program_port(r->program, i);
        float values[MOST_BYTES / sizeof(float)];
        const size_t size = runtime_port_size(&port);
        for (size_t k = 0; k < size / sizeof(float); k++) {
            values[k] = (float)(i + 1) * 0.3f - (float)k * 0.7f;
        }
        if (port.input && r->status == HOIST_OK) {
            r->status = hoist_session_write(session, name_of(port.name).text, 0, port.host_dtype,
                                            (hoist_bytes){(const uint8_t *)values, size});
        }
    }
}

static void read_outputs(rank_run *r, hoist_session *session)
{
    for (size_t i = 0; i < hoist_program_port_count(r->program); i++) {
        const hoist_port port = hoist_program_port(r->program, i);
        r->known[i] = port.output && (!r->comm || home_of(r->program, i) == r->comm->rank);
        if (r->known[i] && r->status == HOIST_OK) {
            r->status = hoist_session_read(
                session, name_of(port.name).text, 0, port.host_dtype,
                (hoist_mut_bytes){r->contents.bytes[i], runtime_port_size(&port)});
        }
    }
}

static void *run_rank(void *self)
{
    rank_run *r = self;
    hoist_session *session = NULL;
    hoist_deadline *deadline = NULL;
    if (r->seconds >= 0 &&
        hoist_deadline_create(hoist_allocator_system(), r->seconds, &deadline) != HOIST_OK) {
        return NULL;
    }
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = r->mode->threads,
                                           .sequential = r->mode->sequential,
                                           .deadline = deadline,
                                           .comm = r->comm};
    r->opened = hoist_session_open(r->program, &options, r->diag, &session);
    r->status = r->opened;
    if (r->opened == HOIST_OK) {
        write_inputs(r, session);
    }
    for (int i = 0; i < r->iterations && r->status == HOIST_OK; i++) {
        if (i == r->kill_after) {
            hoist_comm_inproc_kill(r->comm);
            r->status = HOIST_INTERNAL;
        } else if (i == r->fail_after) {
            r->status = HOIST_INTERNAL;
        } else {
            r->status = runtime_run(session, "e");
        }
    }
    if (session) {
        hoist_session_report(session, r->diag);
    }
    if (r->status == HOIST_OK) {
        read_outputs(r, session);
    }
    if (r->comm && r->kill_after < 0) { // as the command: it leaves with its result
        uint64_t all[MOST_RANKS];
        bool there[MOST_RANKS];
        const hoist_status agreed = hoist_comm_agree(r->comm, (uint64_t)r->status, 10, all, there);
        r->status = r->status == HOIST_OK && agreed == HOIST_NO_MEMORY ? agreed : r->status;
    }
    hoist_session_close(session);
    hoist_deadline_destroy(deadline);
    return NULL;
}

static void begin(hoist_test *t, rank_run *r, const hoist_program *program,
                  const runtime_mode *mode, int iterations)
{
    *r = (rank_run){.program = program,
                    .mode = mode,
                    .iterations = iterations,
                    .seconds = -1,
                    .kill_after = -1,
                    .fail_after = -1};
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &r->diag), HOIST_OK);
}

// Runs all ranks, each in a thread.
static void run_all(hoist_test *t, rank_run *ranks, uint32_t count)
{
    hoist_comm *ends[MOST_RANKS];
    pthread_t threads[MOST_RANKS];
    HOIST_EXPECT_EQ(t, hoist_comm_inproc(hoist_allocator_system(), count, ends), HOIST_OK);
    for (uint32_t i = 0; i < count; i++) {
        ranks[i].comm = ends[i];
        HOIST_EXPECT_EQ(t, pthread_create(&threads[i], NULL, run_rank, &ranks[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    for (uint32_t i = 0; i < count; i++) {
        hoist_comm_close(ends[i]);
    }
}

static bool has_rule(const rank_run *r, const char *rule, const char *text)
{
    for (size_t i = 0; i < hoist_diag_kept(r->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(r->diag, i);
        if (strcmp(finding->rule->id, rule) == 0 && hoist_str_contains(finding->message, text)) {
            return true;
        }
    }
    return false;
}

// Programs ----------------------------------------------------------------------------------------

#define SPACES "space r0\nspace r1 home 1\nspace r2 home 2\nspace wire\n"

// Values go round once in each iteration, through one slot between neighbours.
#define RING                                                                                       \
    "program p\n" SPACES "buffer x0 in r0 size 4000 lifetime session output contents caller\n"     \
    "buffer x1 in r1 size 4000 lifetime session output contents zero\n"                            \
    "buffer x2 in r2 size 4000 lifetime session output contents zero\n"                            \
    "buffer m0 in wire size 4000 lifetime run\nbuffer m1 in wire size 4000 lifetime run\n"         \
    "buffer m2 in wire size 4000 lifetime run\n"                                                   \
    "fifo a queue of f32[1000] slots 1 in [m0] slot_bytes 4000\n"                                  \
    "fifo b queue of f32[1000] slots 1 in [m1] slot_bytes 4000\n"                                  \
    "fifo c queue of f32[1000] slots 1 in [m2] slot_bytes 4000\n"                                  \
    "thread t0 {\nloop 5\n"                                                                        \
    "reserve a\nmove copy from [x0 f32[1000]] to write(a) f32[1000]\npush a by 1\n"                \
    "await c\ncompute ieee.add from [read(c) f32[1000], x0 f32[1000]] to [x0 f32[1000]]\n"         \
    "advance c by 1\npop c by 1\nend\n}\n"                                                         \
    "thread t1 home 1 {\nloop 5\n"                                                                 \
    "await a\ncompute ieee.add from [read(a) f32[1000], x1 f32[1000]] to [x1 f32[1000]]\n"         \
    "advance a by 1\npop a by 1\n"                                                                 \
    "reserve b\nmove copy from [x1 f32[1000]] to write(b) f32[1000]\npush b by 1\nend\n}\n"        \
    "thread t2 home 2 {\nloop 5\n"                                                                 \
    "await b\nmove copy from [read(b) f32[1000]] to x2 f32[1000]\nadvance b by 1\npop b by 1\n"    \
    "reserve c\nmove copy from [x2 f32[1000]] to write(c) f32[1000]\npush c by 1\nend\n}\n"        \
    "entry e {\nstart t0\nstart t1\nstart t2\n}\n"

// A sender that is far faster than its receiver: 100 entries through two slots.
#define BOUNDED                                                                                    \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer x in r0 size 16 lifetime session output contents caller\n"                             \
    "buffer y in r1 size 16 lifetime session output contents zero\n"                               \
    "buffer m in wire size 32 lifetime run\n"                                                      \
    "fifo a queue of f32[4] slots 2 in [m] slot_bytes 16\n"                                        \
    "thread t0 {\nloop 100\ncompute ieee.add from [x f32[4], x f32[4]] to [x f32[4]]\n"            \
    "reserve a\nmove copy from [x f32[4]] to write(a) f32[4]\npush a by 1\nend\n}\n"               \
    "thread t1 home 1 {\nloop 100\nawait a\n"                                                      \
    "compute ieee.add from [read(a) f32[4], y f32[4]] to [y f32[4]]\n"                             \
    "advance a by 1\npop a by 1\nend\n}\n"                                                         \
    "entry e {\nstart t0\nstart t1\n}\n"

// An entry that is never read stays for the next run.
#define SURPLUS                                                                                    \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer x in r0 size 16 lifetime session output contents caller\n"                             \
    "buffer y in r1 size 16 lifetime session output contents zero\n"                               \
    "buffer m in wire size 128 lifetime session\n"                                                 \
    "fifo a queue of f32[4] slots 8 in [m] slot_bytes 16\n"                                        \
    "thread t0 {\nloop 2\nreserve a\nmove copy from [x f32[4]] to write(a) f32[4]\npush a by 1\n"  \
    "compute ieee.add from [x f32[4], x f32[4]] to [x f32[4]]\nend\n}\n"                           \
    "thread t1 home 1 {\nawait a\nmove copy from [read(a) f32[4]] to y f32[4]\n"                   \
    "advance a by 1\npop a by 1\n}\n"                                                              \
    "entry e {\nstart t0\nstart t1\n}\n"

#define MEMBER(n, op, from, to)                                                                    \
    "collective " op " group 7 members 3 rank " #n " from x" #n " f32[" from "] to y" #n           \
    " f32[" to "]\n"
#define MEETING(op, from, to)                                                                      \
    "program p\n" SPACES "buffer x0 in r0 size 24 lifetime session output contents caller\n"       \
    "buffer x1 in r1 size 24 lifetime session output contents caller\n"                            \
    "buffer x2 in r2 size 24 lifetime session output contents caller\n"                            \
    "buffer y0 in r0 size 72 lifetime session output contents zero\n"                              \
    "buffer y1 in r1 size 72 lifetime session output contents zero\n"                              \
    "buffer y2 in r2 size 72 lifetime session output contents zero\n"                              \
    "thread t0 {\nloop 3\n" MEMBER(                                                                \
        0, op, from, to) "move copy from [y0 f32[2]] to x0 f32[2]\nend\n}\n"                       \
                         "thread t1 home 1 {\nloop 3\n" MEMBER(                                    \
                             1, op, from,                                                          \
                             to) "end\n}\n"                                                        \
                                 "thread t2 home 2 {\nloop 3\n" MEMBER(                            \
                                     2, op, from,                                                  \
                                     to) "end\n}\n"                                                \
                                         "entry e {\nstart t0\nstart t1\nstart t2\n}\n"

// Two threads of one home and one of another meet.
#define PAIRS                                                                                      \
    "program p\nspace r0\nspace r1 home 1\n"                                                       \
    "buffer x0 in r0 size 8 lifetime session output contents caller\n"                             \
    "buffer x1 in r0 size 8 lifetime session output contents caller\n"                             \
    "buffer x2 in r1 size 8 lifetime session output contents caller\n"                             \
    "thread t0 {\nloop 20\ncollective all_reduce add group 1 members 3 rank 2 from x0 f32[2] to "  \
    "x0 f32[2]\nend\n}\n"                                                                          \
    "thread t1 {\nloop 20\ncollective all_reduce add group 1 members 3 rank 0 from x1 f32[2] to "  \
    "x1 f32[2]\nend\n}\n"                                                                          \
    "thread t2 home 1 {\nloop 20\ncollective all_reduce add group 1 members 3 rank 1 from x2 "     \
    "f32[2] to x2 f32[2]\n"                                                                        \
    "collective barrier group 2 members 1 rank 0\nend\n}\n"                                        \
    "entry e {\nstart t0\nstart t1\nstart t2\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    uint32_t ranks;
    int iterations;
} programs[] = {
    {"a ring of one slot each",        RING,                                          3, 1},
    {"a ring, again and again",        RING,                                          3, 4},
    {"a sender that has to wait",      BOUNDED,                                       2, 2},
    {"an entry that is left",          SURPLUS,                                       2, 3},
    {"sums",                           MEETING("all_reduce add", "6", "6"),           3, 2},
    {"products",                       MEETING("all_reduce mul", "6", "6"),           3, 1},
    {"greatest",                       MEETING("all_reduce max", "6", "6"),           3, 1},
    {"all parts",                      MEETING("all_gather", "6", "18"),              3, 1},
    {"a share of the sums",            MEETING("reduce_scatter add", "6", "2"),       3, 1},
    {"of the first one",               MEETING("broadcast", "6", "6"),                3, 1},
    {"two members in one process",     PAIRS,                                         2, 2},
};
// clang-format on

static void expect_same(hoist_test *t, const rank_run *one, const rank_run *ranks, uint32_t count)
{
    for (size_t i = 0; i < hoist_program_port_count(one->program); i++) {
        const hoist_port port = hoist_program_port(one->program, i);
        uint32_t known = 0;
        for (uint32_t k = 0; k < count; k++) {
            known += ranks[k].known[i];
            HOIST_EXPECT(t, !ranks[k].known[i] ||
                                memcmp(one->contents.bytes[i], ranks[k].contents.bytes[i],
                                       runtime_port_size(&port)) == 0);
        }
        HOIST_EXPECT_EQ(t, known, one->known[i] ? 1 : 0);
    }
}

HOIST_TEST_TABLE(ranks_give_the_bits_of_one_process, programs)
{
    for (size_t m = 0; m < HOIST_COUNT_OF(modes); m++) {
        hoist_program *program = runtime_program(t, row->text);
        rank_run *runs = hoist_alloc_zero(hoist_allocator_system(), MOST_RANKS + 1, sizeof *runs);
        begin(t, &runs[MOST_RANKS], program, &modes[m], row->iterations);
        (void)run_rank(&runs[MOST_RANKS]);
        HOIST_EXPECT_EQ(t, runs[MOST_RANKS].status, HOIST_OK);
        for (uint32_t i = 0; i < row->ranks; i++) {
            begin(t, &runs[i], program, &modes[m], row->iterations);
        }
        run_all(t, runs, row->ranks);
        for (uint32_t i = 0; i < row->ranks; i++) {
            HOIST_EXPECT_EQ(t, runs[i].status, HOIST_OK);
        }
        expect_same(t, &runs[MOST_RANKS], runs, row->ranks);
        for (uint32_t i = 0; i <= MOST_RANKS; i++) {
            hoist_diag_destroy(runs[i].diag);
        }
        hoist_free(hoist_allocator_system(), runs, (MOST_RANKS + 1) * sizeof *runs);
        hoist_program_destroy(program);
    }
}

HOIST_TEST(the_example_of_two_ranks)
{
    hoist_program *program = runtime_example(t, "ark_ranks");
    HOIST_EXPECT_EQ(t, hoist_routes_homes(program), 2);
    hoist_program_destroy(program);
}

// What goes wrong ---------------------------------------------------------------------------------

// t1 waits for what t0 sends after it got something from t1.
#define CROSSED                                                                                    \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer m in wire size 16 lifetime run\nbuffer n in wire size 16 lifetime run\n"               \
    "fifo a queue of f32[4] slots 1 in [m] slot_bytes 16\n"                                        \
    "fifo b queue of f32[4] slots 1 in [n] slot_bytes 16\n"                                        \
    "thread t0 {\nfirst: await b\nadvance b by 1\npop b by 1\nreserve a\npush a by 1\n}\n"         \
    "thread t1 home 1 {\nsecond: await a\nadvance a by 1\npop a by 1\nreserve b\npush b by 1\n}\n" \
    "entry e {\nstart t0\nstart t1\n}\n"

// t1 has ended when t0 waits for its second entry.
#define MISSING                                                                                    \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer m in wire size 16 lifetime run\n"                                                      \
    "fifo a queue of f32[4] slots 1 in [m] slot_bytes 16\n"                                        \
    "thread t0 {\nloop 2\nlast: await a\nadvance a by 1\npop a by 1\nend\n}\n"                     \
    "thread t1 home 1 {\nreserve a\npush a by 1\n}\n"                                              \
    "entry e {\nstart t0\nstart t1\n}\n"

// t1 calls outside its table while t0 waits for it.
#define FAULTY                                                                                     \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer m in wire size 16 lifetime run\n"                                                      \
    "fifo a queue of f32[4] slots 1 in [m] slot_bytes 16\n"                                        \
    "thread t0 {\nawait a\nadvance a by 1\npop a by 1\n}\n"                                        \
    "thread t1 home 1 {\nregister n lifetime run initial 0\nloop n must_run\nend\n"                \
    "reserve a\npush a by 1\n}\n"                                                                  \
    "entry e {\nstart t0\nstart t1\n}\n"

#define DIFFERENT                                                                                  \
    "program p\nspace r0\nspace r1 home 1\n"                                                       \
    "thread t0 {\ncollective barrier group 0 members 2 rank 0\n}\n"                                \
    "thread t1 home 1 {\ncollective barrier group 0 members 2 rank 0\n}\n"                         \
    "entry e {\nstart t0\nstart t1\n}\n"

#define OTHERWISE                                                                                  \
    "program p\nspace r0\nspace r1 home 1\n"                                                       \
    "thread t0 {\ncollective barrier group 0 members 2 rank 0\n}\n"                                \
    "thread t1 home 1 {\ncollective barrier group 0 members 3 rank 1\n}\n"                         \
    "entry e {\nstart t0\nstart t1\n}\n"

#define SHARED                                                                                     \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer m in wire size 16 lifetime run\n"                                                      \
    "fifo a queue of f32[4] slots 1 in [m] slot_bytes 16\n"                                        \
    "thread t0 {\nreserve a\npush a by 1\n}\n"                                                     \
    "thread t1 home 1 {\nreserve a\npush a by 1\nawait a\nadvance a by 1\npop a by 1\n}\n"         \
    "entry e {\nstart t0\nstart t1\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    uint32_t processes;
    int kill_after; // of rank 1
    int fail_after;
    double seconds;
    hoist_status first;  // of rank 0
    const char *rule;    // that rank 0 or 1 reports
    const char *found;   // in the message
} failures[] = {
    {"crossed waits",                  CROSSED,   2, -1, -1, -1,  HOIST_INVALID,     "PRG-102", "waits for ever"},
    {"the other one has ended",        MISSING,   2, -1, -1, -1,  HOIST_INVALID,     "PRG-102", "'last'"},
    {"a fault of the other one",       FAULTY,    2, -1, -1, -1,  HOIST_INVALID,     "RUN-102", "count"},
    {"the same rank twice",            DIFFERENT, 2, -1, -1, -1,  HOIST_INVALID,     "RUN-102", "same rank"},
    {"members disagree",               OTHERWISE, 2, -1, -1, -1,  HOIST_INVALID,     "RUN-102", "disagree"},
    {"a fifo that two fill",           SHARED,    2, -1, -1, -1,  HOIST_UNSUPPORTED, "RUN-103", "'a' cannot be between"},
    {"a rank is killed",               BOUNDED,   2,  0, -1, -1,  HOIST_IO,          "RUN-109", "rank 1 has ended"},
    {"a rank is killed later",         BOUNDED,   2,  2, -1, -1,  HOIST_IO,          "RUN-109", "rank 1 has ended"},
    {"a rank gives up",                BOUNDED,   2, -1,  1, -1,  HOIST_IO,          NULL,      NULL},
    {"a rank is silent",               CROSSED,   2, -1, -1, 0.0, HOIST_LIMIT,       "RUN-104", "time limit"},
    {"more processes than ranks",      BOUNDED,   3, -1, -1, -1,  HOIST_NOT_FOUND,   "RUN-109", "3 processes, expected one for each of the 2 ranks"},
    {"less processes than ranks",      RING,      2, -1, -1, -1,  HOIST_NOT_FOUND,   "RUN-109", "2 processes, expected one for each of the 3 ranks"},
};
// clang-format on

HOIST_TEST_TABLE(what_fails_in_one_ends_all, failures)
{
    for (size_t m = 0; m < HOIST_COUNT_OF(modes); m++) {
        hoist_program *program = runtime_program(t, row->text);
        rank_run *runs = hoist_alloc_zero(hoist_allocator_system(), MOST_RANKS, sizeof *runs);
        for (uint32_t i = 0; i < row->processes; i++) {
            begin(t, &runs[i], program, &modes[m], 3);
            runs[i].seconds = row->seconds;
        }
        runs[1].kill_after = row->kill_after;
        runs[1].fail_after = row->fail_after;
        run_all(t, runs, row->processes);
        HOIST_EXPECT_EQ(t, runs[0].status, row->first);
        HOIST_EXPECT(t, runs[1].status != HOIST_OK);
        HOIST_EXPECT(t, !row->rule || has_rule(&runs[0], row->rule, row->found) ||
                            has_rule(&runs[1], row->rule, row->found));
        for (uint32_t i = 0; i < row->processes; i++) {
            hoist_diag_destroy(runs[i].diag);
        }
        hoist_free(hoist_allocator_system(), runs, MOST_RANKS * sizeof *runs);
        hoist_program_destroy(program);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ranks_give_the_bits_of_one_process),
                HOIST_TEST_ROW(the_example_of_two_ranks),
                HOIST_TEST_ROW(what_fails_in_one_ends_all))
