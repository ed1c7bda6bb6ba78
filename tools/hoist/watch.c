// What ends a command that cannot end by itself: the file that it reads becomes shorter, or work
// goes on after the deadline. Handlers do only what is safe in them.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/span.h"
#include "base/utf8.h"
#include "progress.h"
#include "signals.h"
#include "tool.h"

// From the deadline, when the library ends what it does, to the end of the process.
static const double GRACE = 0.25;
// Longer ones need no timer.
static const double LONGEST = 1e8;

// What the handlers may look at.
static const char *_Atomic watched_file; // threads of --jobs store it
static const tool *volatile watched;

void tool_watch_file(const char *path)
{
    watched_file = path;
}

static void write_error(hoist_str text)
{
    // A failure of standard error cannot be reported anywhere.
    const ssize_t written = write(STDERR_FILENO, text.data, text.size);
    (void)written;
}

static void write_file(void)
{
    const char *const path = watched_file;
    write_error(HOIST_STR("hoist: "));
    // As hoist_plain_write(), which needs memory, writes it.
    const hoist_str text = hoist_str_from(path ? path : "a file");
    static const char digits[] = "0123456789abcdef";
    size_t i = 0;
    while (i < text.size) {
        const uint8_t byte = (uint8_t)text.data[i];
        const size_t size = hoist_utf8_shown_size(text, i);
        const char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        write_error(size ? hoist_str_slice(text, i, size) : (hoist_str){escape, sizeof(escape)});
        i += size ? size : 1;
    }
}

// A page of a mapped file is gone: another process made the file shorter.
static void on_bus_error(int number)
{
    (void)number;
    tool_remove_temporaries();
    tool_progress_wipe();
    write_file();
    write_error(HOIST_STR(": the file became shorter while it was read\n"));
    _exit(TOOL_UNREADABLE);
}

static void on_alarm(int number)
{
    (void)number;
    const tool *const t = watched;
    tool_remove_temporaries();
    tool_progress_wipe();
    write_file();
    write_error(HOIST_STR(": the time limit of --timeout was reached while "));
    write_error(hoist_str_from(t && t->doing ? t->doing : "reading"));
    write_error(HOIST_STR(" it\n"));
    _exit(TOOL_LIMIT);
}

void tool_watch_signals(void)
{
    const struct sigaction bus = {.sa_handler = on_bus_error};
    const struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    (void)sigaction(SIGBUS, &bus, NULL);
    (void)sigaction(SIGALRM, &alarm, NULL);
}

void tool_watch_time(const tool *t, double seconds)
{
    const bool watches = seconds >= 0 && seconds < LONGEST;
    const double last = watches ? seconds + GRACE : 0;
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)last,
                     .tv_usec = (suseconds_t)((last - (double)(time_t)last) * 1e6)}};
    watched = t;
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}
