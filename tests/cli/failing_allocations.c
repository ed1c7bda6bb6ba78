// Runs one command line again and again in this process, failing the n-th allocation, n = 1, 2, ...
// until a run makes none fail. Every run must end with an exit code of the list, never crash, and
// give all memory back. Prints how many allocations were failed.
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

int main(int argc, char **argv)
{
    const int report = dup(STDOUT_FILENO);
    if (report < 0 || !silence(STDOUT_FILENO) || !silence(STDERR_FILENO)) {
        return 1;
    }
    hoist_failing failing;
    hoist_allocator alloc = hoist_failing_allocator(&failing, 0);
    const int wanted = tool_main(argc, argv, alloc);
    size_t failed = 0;
    for (size_t n = 1;; n = next(n)) {
        alloc = hoist_failing_allocator(&failing, n);
        const int code = tool_main(argc, argv, alloc);
        const bool hit = failing.requests >= n;
        if (failing.live != 0) {
            (void)dprintf(report, "allocation %zu: %zu bytes were not freed\n", n, failing.live);
            return 1;
        }
        if (code != (hit ? TOOL_LIMIT : wanted)) {
            (void)dprintf(report, "allocation %zu: exit %d, wanted %d\n", n, code,
                          hit ? TOOL_LIMIT : wanted);
            return 1;
        }
        if (!hit) {
            break;
        }
        failed++;
    }
    (void)dprintf(report, "%zu allocations failed\n", failed);
    return 0;
}
