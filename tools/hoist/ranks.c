// Ranks in processes of their own. Every process does the same until a run has ended; then all give
// each other their exit codes, and one of them has its messages printed.
// Input: how each process ended. Output: one exit code and one set of messages, whatever the
// launcher does with the others. run_files.c calls this around all of `run` and `bench`.
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/span.h"
#include "parse.h"
#include "run.h"

// Seconds that a process which has failed waits for the others, that one waits for who prints,
// and that is left for printing under --timeout.
static const double GRACE = 0.9;
static const double PRINTING = 0.3;
static const double REST = 1.7;

// Beginning ---------------------------------------------------------------------------------------

// What launchers say to each process: mpirun of Open MPI, and those that speak PMIx (srun).
static bool is_launched(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < HOIST_COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) {
            return true;
        }
    }
    return false;
}

// FNV-1a, with the end of the text.
// "\1" for an absent value keeps it apart from an empty one; the NUL at the end of each text is
// hashed, so "ab" + "c" differs from "a" + "bc".
static uint64_t add_text(uint64_t hash, const char *text)
{
    const char *at = text ? text : "\1";
    do {
        hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    } while (*at++);
    return hash;
}

// Of the command line, without the order of its options.
// A hash instead of the texts: one number goes through the agreement.
static uint64_t hash_options(const tool *t)
{
    uint64_t hash = add_text(UINT64_C(0xcbf29ce484222325), t->command->name);
    for (size_t i = 0; i < OPT_COUNT; i++) {
        hash = add_text(hash, t->values[i]);
    }
    for (size_t i = 0; i < t->repeated_count; i++) {
        hash = add_text(hash, tool_options[t->repeated[i].id].name);
        hash = add_text(hash, t->repeated[i].value);
    }
    for (size_t i = 0; i < t->argument_count; i++) {
        hash = add_text(hash, t->arguments[i]);
    }
    return hash;
}

// What is left of --timeout, and a moment; negative: no limit.
static double patience(const tool *t)
{
    const double seconds = tool_number_of(t, OPT_TIMEOUT, -1);
    return seconds < 0 ? -1 : seconds + GRACE;
}

// Processes with different files or options would wait for messages that never come.
static tool_exit compare_options(ranks *r, tool *t)
{
    const hoist_status status =
        hoist_comm_agree(r->comm, hash_options(t), patience(t), r->values, r->there);
    if (status == HOIST_LIMIT) {
        return TOOL_LIMIT; // ranks_end() names who did not answer
    }
    for (uint32_t i = 1; status == HOIST_OK && i < hoist_comm_count(r->comm); i++) {
        if (r->values[i] != r->values[0]) {
            tool_complain(t,
                          "rank %u was given other options or files than rank 0, expected the "
                          "same for all",
                          i);
            return TOOL_USAGE;
        }
    }
    return tool_exit_of(status);
}

// From here on messages go to a file that no one else sees.
// A file rather than memory: messages survive where memory ran out, and have no limit.
static bool keep_messages(ranks *r, tool *t)
{
    FILE *file = tmpfile();
    const int fd = file ? dup(fileno(file)) : -1;
    if (file) {
        (void)fclose(file);
    }
    if (fd < 0) {
        return false;
    }
    hoist_output_init(&r->kept, fd);
    r->shown = t->err;
    t->err = &r->kept;
    return true;
}

tool_exit ranks_begin(ranks *r, tool *t)
{
    *r = (ranks){.code = TOOL_OK};
    t->ranks = r;
    if (!is_launched()) {
        return TOOL_OK;
    }
    if (t->deadline) { // the processes have one terminal
        hoist_deadline_watch(t->deadline, NULL, NULL);
    }
    const double seconds = tool_number_of(t, OPT_TIMEOUT, -1);
    // The watch ends this process even if others never answer.
    if (seconds >= 0) {
        tool_watch_time(t, seconds + REST);
    }
    const char *why = NULL;
    const hoist_status status = hoist_comm_open_mpi(t->alloc, NULL, &why, &r->comm);
    if (status != HOIST_OK) {
        tool_complain(t, "the ranks cannot run in processes of their own: %s", why);
        return tool_exit_of(status);
    }
    const uint32_t count = hoist_comm_count(r->comm);
    r->values = hoist_alloc_zero(t->alloc, count, sizeof(r->values[0]));
    r->there = hoist_alloc_zero(t->alloc, count, sizeof(r->there[0]));
    if (!r->values || !r->there || !keep_messages(r, t)) {
        hoist_comm_abort(r->comm, TOOL_LIMIT);
        return TOOL_LIMIT;
    }
    return compare_options(r, t);
}

// Ending ------------------------------------------------------------------------------------------

// What a process gives the others: its exit code, and whether it has messages about it.
enum { CODE = 0xFF, HAS_TEXT = 0x100 };

static bool has_text(ranks *r)
{
    return hoist_output_flush(&r->kept) == HOIST_OK && lseek(r->kept.fd, 0, SEEK_END) > 0;
}

// The worst code, and the lowest rank that has something to say about it.
// Every rank computes the same from the same values, so exactly one of them prints.
static void choose(ranks *r)
{
    const uint32_t count = hoist_comm_count(r->comm);
    uint32_t printer = UINT32_MAX;
    tool_exit all = TOOL_OK;
    tool_exit explained = TOOL_OK;
    for (uint32_t i = 0; i < count; i++) {
        const tool_exit code = r->there[i] ? (tool_exit)(r->values[i] & CODE) : TOOL_OK;
        const bool has = r->there[i] && (r->values[i] & HAS_TEXT) && code != TOOL_OK;
        all = tool_worse(all, code);
        explained = has ? tool_worse(explained, code) : explained;
        printer = has && printer == UINT32_MAX ? i : printer;
    }
    // Without messages the lowest rank that is there; notes and warnings of others are dropped.
    for (uint32_t i = 0; i < count && printer == UINT32_MAX; i++) {
        printer = r->there[i] ? i : printer;
    }
    // Ranks that ended because another one did have no reason of their own.
    r->code = explained != TOOL_OK ? explained : all;
    r->prints = printer == hoist_comm_rank(r->comm);
}

// A process that has messages of its own needs no second one that it has ended.
static void complain_of_missing(ranks *r, tool *t)
{
    for (uint32_t i = 0; i < hoist_comm_count(r->comm); i++) {
        if (!r->there[i] && hoist_comm_is_alive(r->comm, i)) {
            tool_complain(t, "rank %u does not answer", i);
        } else if (!r->there[i] && !has_text(r)) {
            tool_complain(t, "the process of rank %u has ended", i);
        }
    }
}

// After a failure the others get GRACE only: they may be stuck in a run that needs this rank.
tool_exit ranks_agree(ranks *r, tool *t, tool_exit code)
{
    if (!r->comm || r->agreed) {
        return r->comm ? r->code : code;
    }
    r->agreed = true;
    const double seconds = code == TOOL_OK ? patience(t) : GRACE;
    const uint64_t mine =
        (uint64_t)code | (code == TOOL_LIMIT || has_text(r) ? (uint64_t)HAS_TEXT : 0);
    const hoist_status status = hoist_comm_agree(r->comm, mine, seconds, r->values, r->there);
    r->complete = status == HOIST_OK;
    choose(r);
    if (!r->complete) {
        r->code = r->code == TOOL_OK ? TOOL_UNREADABLE : r->code;
        complain_of_missing(r, t);
    }
    return r->code;
}

static void print_kept(ranks *r)
{
    uint8_t bytes[4096];
    ssize_t size = 0;
    (void)hoist_output_flush(&r->kept);
    (void)lseek(r->kept.fd, 0, SEEK_SET);
    while ((size = read(r->kept.fd, bytes, sizeof(bytes))) > 0) {
        hoist_output_add(r->shown, (hoist_bytes){bytes, (size_t)size});
    }
    (void)hoist_output_flush(r->shown);
}

// hoist_comm_abort() ends all processes, also the one that prints.
static void wait_for_printer(void)
{
    const struct timespec time = {.tv_nsec = (long)(PRINTING * 1e9)};
    (void)nanosleep(&time, NULL);
}

tool_exit ranks_end(ranks *r, tool *t, tool_exit code)
{
    t->ranks = NULL;
    if (!r->comm) {
        return code;
    }
    const uint32_t count = hoist_comm_count(r->comm);
    code = ranks_agree(r, t, code);
    t->err = r->shown;
    t->limit_explained = true;
    if (r->prints) {
        print_kept(r);
    }
    (void)hoist_output_flush(t->out);
    (void)close(r->kept.fd);
    // Nobody leaves before that: a launcher may end the others when one has failed.
    r->complete =
        r->complete && hoist_comm_agree(r->comm, 0, GRACE, r->values, r->there) == HOIST_OK;
    if (r->complete) {
        hoist_comm_close(r->comm);
    } else {
        wait_for_printer();
        hoist_comm_abort(r->comm, (int)code);
    }
    hoist_free(t->alloc, r->values, count * sizeof(r->values[0]));
    hoist_free(t->alloc, r->there, count * sizeof(r->there[0]));
    tool_watch_time(NULL, -1);
    return code;
}
