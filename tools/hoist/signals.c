// Unfinished files when a signal ends the command: SIGINT, SIGTERM and SIGHUP remove them
// (os/temporary.h) and end the process as they would have without this handler.
#include "signals.h"

#include <signal.h>
#include <stddef.h>

#include "progress.h"
#include "tool.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };

// A signal handler has no other way to them.
static _Atomic(hoist_temporaries *) unfinished;
static struct sigaction before[COUNT];

void tool_remove_temporaries(void)
{
    hoist_temporaries *const list = atomic_load(&unfinished);
    if (list) {
        hoist_temporaries_remove(list);
    }
}

// Ends the process by the same signal, so that a shell script that waits for it ends, too.
static void on_end(int number)
{
    tool_remove_temporaries();
    tool_progress_wipe();
    tool_pager_end(); // which has the terminal until it ends
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t mask;
    (void)sigaction(number, &plain, NULL);
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, number);
    (void)raise(number);
    (void)pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}

void tool_signals_begin(hoist_temporaries *list)
{
    struct sigaction action = {.sa_handler = on_end};
    (void)sigfillset(&action.sa_mask);
    atomic_store(&unfinished, list);
    for (size_t i = 0; i < COUNT; i++) {
        (void)sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
}

void tool_signals_end(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        (void)sigaction(numbers[i], &before[i], NULL);
    }
    atomic_store(&unfinished, NULL);
}
