// Runs one command line again and again in this process, failing the n-th allocation, n = 1, 2, ...
// (once with all later ones, once alone) until a run has no n-th. Every failed run must exit 5 and
// give all memory back.
//
// failing_allocations ARGUMENT... (as after `hoist`)
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "../../tools/hoist/tool.h"
#include "base/alloc.h"
#include "testing/test.h"

// Failing each of the first 2,000 and then every 17th keeps big files affordable; the stride hits
// another part of each loop on every turn.
static size_t next(size_t n)
{
    return n < 2000 ? n + 1 : n + 17;
}

static bool silence(int fd)
{
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return null >= 0 && dup2(null, fd) == fd && close(null) == 0;
}

typedef struct sweep {
    int argc;
    char **argv;
    int wanted; // exit code of a run in which nothing fails
    int report; // where messages go
    size_t failed;
} sweep;

// One run in which allocation `n` fails, alone or with all later ones. False when something is
// wrong; `*out_hit` says whether there was an n-th allocation.
static bool run_failing(sweep *s, size_t n, bool once, bool *out_hit)
{
    hoist_failing failing;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, n);
    failing.once = once;
    const int code = tool_main(s->argc, s->argv, alloc);
    *out_hit = failing.requests >= n;
    s->failed += *out_hit;
    if (failing.live != 0) {
        (void)dprintf(s->report, "allocation %zu: %zu bytes were not freed\n", n, failing.live);
        return false;
    }
    const int wanted = *out_hit ? TOOL_LIMIT : s->wanted;
    if (code != wanted) {
        (void)dprintf(s->report, "allocation %zu%s: exit %d, wanted %d\n", n, once ? " alone" : "",
                      code, wanted);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    sweep s = {.argc = argc, .argv = argv, .report = dup(STDOUT_FILENO)};
    if (s.report < 0 || !silence(STDOUT_FILENO) || !silence(STDERR_FILENO)) {
        return 1;
    }
    s.wanted = tool_main(argc, argv, hoist_allocator_system());
    bool hit = true;
    for (size_t n = 1; hit; n = next(n)) {
        if (!run_failing(&s, n, false, &hit) || !run_failing(&s, n, true, &hit)) {
            return 1;
        }
    }
    (void)dprintf(s.report, "%zu runs with failed allocations\n", s.failed);
    return 0;
}
