// The processes of the other homes: when messages go and come, how runs begin and end with them,
// and whether they are still there (remote.h). The messages are remote_messages.c.
#include <time.h>

#include "base/alloc.h"
#include "machine/schedule.h"
#include "program/run_rules.h"
#include "runtime/remote_state.h"

enum { YIELDS = 300, NAP_NS = 30000 };
static const double LOOK_SECONDS = 0.1; // between two looks at whether the others are alive

// What the transport could not do ends the run; without memory there is nothing to report with.
static void fail_comm(hoist_session *s, hoist_status status)
{
    if (status == HOIST_NO_MEMORY) {
        hoist_remote_leave(s->remote, status);
    } else if (!s->remote->leaves) {
        hoist_remote_fail(s, status, "the processes of the other ranks cannot be reached");
    }
}

bool hoist_remote_pump(hoist_session *session)
{
    hoist_remote *r = session->remote;
    if (!r || r->pumping || !session->running) {
        return false;
    }
    bool moved = false;
    // Other threads go on with their work, but not in here.
    r->pumping = true;
    hoist_status status = hoist_remote_send_all(session, &moved);
    // Bytes move without the lock, which what computes needs.
    (void)pthread_mutex_unlock(&session->lock);
    const bool polled = r->comm->calls->poll(r->comm);
    (void)pthread_mutex_lock(&session->lock);
    // The run may have ended while the lock was away.
    if (status == HOIST_OK && session->running) {
        status = hoist_remote_take_all(session, &moved);
    }
    status = status == HOIST_OK ? r->comm->calls->failure(r->comm) : status;
    if (status != HOIST_OK && session->running) {
        fail_comm(session, status);
    }
    if (!session->running) {
        (void)hoist_remote_flush(r); // that this run has failed
    }
    r->pumping = false;
    // Rounds without anything are counted: who finds nothing for long sleeps longer.
    r->idle = moved || polled ? 0 : r->idle + 1;
    if (moved || !session->running) {
        hoist_session_wake(session);
        (void)pthread_cond_broadcast(&session->ended);
    }
    return moved || polled;
}

// The first process that has ended before its time; count: none.
static uint32_t find_dead(hoist_remote *r)
{
    uint32_t i = 0;
    while (i < r->count && (i == r->home || r->comm->calls->is_alive(r->comm, i))) {
        i++;
    }
    return i;
}

// With what this process was doing.
static void report_dead(hoist_session *s, uint32_t dead)
{
    const hoist_rule *rule = hoist_runtime_rule_row(HOIST_RUNTIME_PEER);
    const bool is_done = hoist_machine_is_done(s->machine);
    hoist_report(s->diag, rule, hoist_loc_none(),
                 "the process of rank %u has ended before the run%s", dead,
                 is_done ? ", when this rank had done all of its steps" : "");
    hoist_report_waits(s->machine, rule, s->diag);
}

bool hoist_remote_wait(hoist_session *session)
{
    hoist_remote *r = session->remote;
    if (!r || r->pumping || !session->running) {
        return false;
    }
    if (hoist_remote_pump(session) || !session->running || r->leaves) {
        return true;
    }
    const double now = hoist_now();
    // Asking the system costs more than a round.
    if (now - r->looked >= LOOK_SECONDS) {
        r->looked = now;
        const uint32_t dead = find_dead(r);
        if (dead < r->count) {
            report_dead(session, dead);
            hoist_remote_leave(r, HOIST_IO);
            return true;
        }
    }
    // At first only the core is given up, then some time.
    const struct timespec nap = {.tv_nsec = r->idle < YIELDS ? 0 : NAP_NS};
    (void)pthread_mutex_unlock(&session->lock);
    (void)nanosleep(&nap, NULL);
    (void)pthread_mutex_lock(&session->lock);
    return true;
}

// A session of one process never leaves for others.
bool hoist_remote_leaves(const hoist_remote *remote, hoist_status *out_why)
{
    *out_why = remote ? remote->why : HOIST_OK;
    return remote && remote->leaves;
}

bool hoist_remote_is_busy(const hoist_remote *remote)
{
    return remote && remote->pumping;
}

// Forgets what was known in the run before; what came early for this one stays in the transport.
void hoist_remote_begin_run(hoist_remote *remote)
{
    if (!remote) {
        return;
    }
    remote->run++;
    remote->is_announced = false;
    remote->leaves = false;
    remote->still_since = 0;
    remote->idle = 0;
    hoist_remote_free_operands(remote, SIZE_MAX);
    for (size_t i = 0; i < remote->process_count; i++) {
        remote->gave[i] = false;
    }
    for (uint32_t i = 0; i < remote->count; i++) {
        remote->peers[i].is_still = false;
        remote->peers[i].has_ended = false;
    }
}

// A launcher ends all processes when one has died: then that is the reason.
static hoist_status explain(hoist_session *s, hoist_status status)
{
    const uint32_t dead = status == HOIST_CANCELLED ? find_dead(s->remote) : s->remote->count;
    if (dead == s->remote->count) {
        return status;
    }
    report_dead(s, dead);
    return HOIST_IO;
}

hoist_status hoist_remote_end_run(hoist_session *session, hoist_status status)
{
    hoist_remote *r = session->remote;
    if (!r) {
        return status;
    }
    const hoist_status why = explain(session, status);
    for (uint32_t i = 0; why != HOIST_OK && i < r->count; i++) {
        // They end with this status, too, instead of waiting for what never comes.
        const hoist_comm_head head = {.kind = HOIST_REMOTE_FAILED, .count = (uint64_t)why};
        if (i != r->home && hoist_remote_post(r, i, head, NULL) != HOIST_OK) {
            break; // they see that this process has left
        }
    }
    // Others may still wait for the counts of this process.
    if (!r->pumping) {
        (void)hoist_remote_flush(r);
    }
    return why;
}

// Life --------------------------------------------------------------------------------------------

// A fifo that the transport cannot carry is a limit, and no defect of the program.
static hoist_status refuse(const hoist_program *p, hoist_ref fifo, hoist_diag *diag)
{
    return hoist_fail(
        diag, HOIST_UNSUPPORTED, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), p->fifos[fifo].loc,
        "fifo '%.*s' cannot be between processes: expected one home that fills it and "
        "one that empties it, and slots of its own",
        HOIST_STR_ARGS(p->fifos[fifo].name));
}

// Memory for peers, fifos and counts. The counts of all peers are one block of rows.
static hoist_status take_tables(hoist_remote *r)
{
    const size_t pair = 2 * (size_t)r->count;
    r->fifos = hoist_alloc_zero(r->alloc, r->routes.fifo_count + 1, sizeof *r->fifos);
    r->gave = hoist_alloc_zero(r->alloc, r->process_count + 1, sizeof *r->gave);
    r->peers = hoist_alloc_zero(r->alloc, r->count, sizeof *r->peers);
    r->counts = hoist_alloc_zero(r->alloc, r->count * pair, sizeof *r->counts);
    r->coming = hoist_alloc_zero(r->alloc, r->count * pair, sizeof *r->coming);
    if (!r->fifos || !r->gave || !r->peers || !r->counts || !r->coming) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->peers[i].sent = &r->counts[i * pair];
        r->peers[i].received = r->peers[i].sent + r->count;
    }
    for (size_t i = 0; i < r->routes.fifo_count; i++) {
        const hoist_route *route = &r->routes.fifos[i];
        const bool fills = route->writer == r->home;
        // Fifos between two other homes do not concern this one.
        if (fills || route->reader == r->home) {
            r->fifos[r->fifo_count++] =
                (hoist_remote_fifo){.fifo = route->fifo,
                                    .other = fills ? route->reader : route->writer,
                                    .fills = fills};
        }
    }
    return HOIST_OK;
}

hoist_status hoist_remote_create(hoist_session *session, hoist_diag *diag,
                                 hoist_remote **out_remote)
{
    const hoist_program *p = session->program;
    hoist_comm *comm = session->options.comm;
    const uint32_t homes = hoist_routes_homes(p);
    *out_remote = NULL;
    // More processes would have nothing to do, fewer would leave homes out.
    if (homes != comm->count) {
        return hoist_fail(diag, HOIST_NOT_FOUND, hoist_runtime_rule_row(HOIST_RUNTIME_PEER),
                          hoist_loc_none(),
                          "there are %u processes, expected one for each of the %u %s", comm->count,
                          homes, hoist_plural(homes, "rank", "ranks"));
    }
    hoist_remote *r = hoist_alloc_zero(session->alloc, 1, sizeof *r);
    if (!r) {
        return HOIST_NO_MEMORY;
    }
    *r = (hoist_remote){.comm = comm,
                        .alloc = session->alloc,
                        .program = p,
                        .home = comm->rank,
                        .count = comm->count,
                        .process_count = session->lane_count};
    // The list of letters is empty: the next one goes where it begins.
    r->last = &r->first;
    *out_remote = r;
    const hoist_status status = hoist_routes_init(&r->routes, p, r->alloc);
    if (status == HOIST_UNSUPPORTED) {
        return refuse(p, r->routes.refused, diag);
    }
    HOIST_TRY(status);
    return take_tables(r);
}

void hoist_remote_destroy(hoist_remote *remote)
{
    if (!remote) {
        return;
    }
    const hoist_allocator alloc = remote->alloc;
    const size_t counts = 2 * (size_t)remote->count * remote->count;
    while (remote->first) {
        hoist_remote_letter *letter = remote->first;
        remote->first = letter->next;
        // Letters that were never sent.
        hoist_free(remote->comm->alloc, letter->body, (size_t)letter->head.size);
        hoist_free(alloc, letter, sizeof *letter);
    }
    hoist_remote_free_operands(remote, SIZE_MAX);
    for (uint32_t i = 0; remote->peers && i < remote->count; i++) {
        hoist_free(alloc, remote->peers[i].body, (size_t)remote->peers[i].head.size);
    }
    hoist_free(alloc, remote->fifos, (remote->routes.fifo_count + 1) * sizeof *remote->fifos);
    hoist_free(alloc, remote->gave, (remote->process_count + 1) * sizeof *remote->gave);
    hoist_free(alloc, remote->peers, remote->count * sizeof *remote->peers);
    hoist_free(alloc, remote->counts, counts * sizeof *remote->counts);
    hoist_free(alloc, remote->coming, counts * sizeof *remote->coming);
    hoist_routes_deinit(&remote->routes);
    hoist_free(alloc, remote, sizeof *remote);
}

bool hoist_remote_has(const hoist_remote *remote, hoist_ref buffer)
{
    const hoist_program *p = remote ? remote->program : NULL;
    // In one process all memory is here.
    return !remote || p->spaces[p->buffers[buffer].space].home == remote->home;
}

hoist_machine_outside hoist_remote_outside(hoist_remote *remote)
{
    return remote ? (hoist_machine_outside){.home = remote->home,
                                            .members = hoist_remote_count_members,
                                            .self = remote}
                  : (hoist_machine_outside){.members = NULL};
}
