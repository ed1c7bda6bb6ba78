// Runs one command line again and again in this process, failing the n-th allocation (once with all
// later ones, once alone) until a run has no n-th. Every failed run must exit 5 and give all memory
// back.
//
// failing_allocations COUNT ARGUMENT... (as after `hoist`)
//
// COUNT: how many allocations fail, spread over all of them; 0: the first 2,000, then every 17th.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../tools/hoist/tool.h"
#include "base/alloc.h"
#include "testing/test.h"

static bool silence(int fd)
{
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return null >= 0 && dup2(null, fd) == fd && close(null) == 0;
}

typedef struct sweep {
    int argc;
    char **argv;
    int wanted;    // exit code of a run in which nothing fails
    size_t stride; // between the allocations that fail; 0: as `next` says
    int report;    // where messages go
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
        (void)dprintf(s->report, "allocation %zu%s: exit %d, expected %d\n", n,
                      once ? " alone" : "", code, wanted);
        return false;
    }
    return true;
}

// Runs the command with nothing failing; gives the allocations that it makes.
static size_t run_whole(sweep *s)
{
    hoist_failing failing;
    s->wanted = tool_main(s->argc, s->argv, hoist_failing_allocator(&failing, 0));
    return failing.requests;
}

// The stride of 17 hits another part of each loop on every turn.
static size_t next(const sweep *s, size_t n)
{
    return s->stride ? n + s->stride : n < 2000 ? n + 1 : n + 17;
}

int main(int argc, char **argv)
{
    // The tool takes no notice of its own name.
    sweep s = {.argc = argc - 1, .argv = argv + 1, .report = dup(STDOUT_FILENO)};
    if (argc < 2 || s.report < 0 || !silence(STDOUT_FILENO) || !silence(STDERR_FILENO)) {
        return 1;
    }
    const size_t count = strtoul(argv[1], NULL, 10);
    const size_t requests = run_whole(&s);
    s.stride = count ? requests / count + 1 : 0;
    bool hit = true;
    for (size_t n = 1; hit; n = next(&s, n)) {
        if (!run_failing(&s, n, false, &hit) || !run_failing(&s, n, true, &hit)) {
            return 1;
        }
    }
    (void)dprintf(s.report, "%zu runs with failed allocations\n", s.failed);
    return 0;
}
