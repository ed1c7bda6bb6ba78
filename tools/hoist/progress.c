// Progress of a command (progress.h): the reports of the deadline that all its calls have
// (hoist_deadline_watch) become a line on the terminal, rewritten in place, or lines of JSON. Both
// outputs of the command are watched: the line is gone before anything else is written.
#include "progress.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size_text.h"
#include "base/span.h"
#include "os/term.h"

static const double FIRST = 0.5; // seconds until a command is long
static const double PERIOD = 0.1;
static const double LONGEST = 1e6; // that is worth saying
enum { LINE = 256, DEFAULT_WIDTH = 80 };

// A signal handler has no other way to it.
static atomic_bool line_is_shown;

// Lines -------------------------------------------------------------------------------------------

// Only what fits, as one write: other processes have the terminal, too. A failure of standard error
// cannot be reported anywhere.
// write(2) directly: stdio and hoist_output have buffers that a signal handler must not touch.
static void write_text(const char *text, size_t size)
{
    const ssize_t written = write(STDERR_FILENO, text, size);
    (void)written;
}

// The exchange makes one caller the one that wipes, also when a signal comes in between. "\r"
// goes to the first column, "\033[K" (EL) clears to the end of the line.
void tool_progress_wipe(void)
{
    static const char wipe[] = "\r\033[K";
    if (atomic_exchange(&line_is_shown, false)) {
        write_text(wipe, sizeof(wipe) - 1);
    }
}

// "12,345" with its digits in groups.
// Written from the right end of `text`, whose first characters may stay unused: 2^64 has 26
// with its commas.
static const char *grouped(uint64_t number, char text[32])
{
    char *at = text + 31;
    *at = '\0';
    for (unsigned digits = 0; digits == 0 || number; digits++) {
        if (digits && digits % 3 == 0) {
            *--at = ',';
        }
        *--at = (char)('0' + number % 10);
        number /= 10;
    }
    return at;
}

static void write_count(uint64_t count, bool is_bytes, char out[48])
{
    char digits[32];
    if (is_bytes) {
        const hoist_size_text size = hoist_size_text_of(count);
        (void)snprintf(out, 48, "%s %s", size.number, size.unit);
    } else {
        (void)snprintf(out, 48, "%s", grouped(count, digits));
    }
}

static void write_time(double seconds, char out[48])
{
    const uint64_t whole = (uint64_t)(seconds + 0.5);
    if (whole < 60) {
        (void)snprintf(out, 48, "%" PRIu64 " s", whole);
    } else if (whole < 3600) {
        (void)snprintf(out, 48, "%" PRIu64 " min %" PRIu64 " s", whole / 60, whole % 60);
    } else {
        (void)snprintf(out, 48, "%" PRIu64 " h %" PRIu64 " min", whole / 3600, whole / 60 % 60);
    }
}

// Seconds until the stage ends when it goes on as it has so far; below 0: that cannot be said yet.
// Linear in what is done. Nothing is said in the first half second of a stage, nor of more than
// eleven days, which is what a first slow item suggests.
static double time_left(const tool_progress *p, const hoist_progress *progress, double now)
{
    const double seconds = now - p->stage_began;
    const uint64_t done = progress->done - p->first;
    if (!done || progress->done >= progress->total || seconds < FIRST) {
        return -1;
    }
    const double left = seconds * (double)(progress->total - progress->done) / (double)done;
    return left < LONGEST ? left : -1;
}

// "opening: 12.0 MiB of 1.2 GiB, 1 %, 7 s left", as much of it as fits. One of one is no news.
// Parts that do not fit are left out from the end: name, counts, time.
static size_t write_line(const hoist_progress *progress, double left, size_t width, char line[LINE])
{
    const bool is_bytes = strcmp(progress->unit, "bytes") == 0;
    const char *const between = is_bytes ? "" : " ";
    const char *const unit = is_bytes ? "" : progress->unit;
    char done[48];
    char rest[48];
    char counts[2 * sizeof(done) + 32] = "";
    char time[sizeof(rest) + 16] = "";
    write_count(progress->done, is_bytes, done);
    if (progress->total > 1) {
        write_count(progress->total, is_bytes, rest);
        (void)snprintf(counts, sizeof(counts), ": %s of %s%s%s, %d %%", done, rest, between, unit,
                       (int)((double)progress->done / (double)progress->total * 100));
    } else if (progress->done > 0 && !progress->total) {
        (void)snprintf(counts, sizeof(counts), ": %s%s%s", done, between, unit);
    }
    if (left >= 0) {
        write_time(left, rest);
        (void)snprintf(time, sizeof(time), ", %s left", rest);
    }
    const char *const parts[] = {progress->name, counts, time};
    size_t size = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        const size_t more = strlen(parts[i]);
        if (size + more > width || size + more > LINE) {
            break;
        }
        memcpy(line + size, parts[i], more);
        size += more;
    }
    return size;
}

// Wiping and text are one write, so the line does not flicker.
static void show_line(const hoist_progress *progress, double left)
{
    static const char wipe[] = "\r\033[K";
    char text[LINE + sizeof(wipe)];
    const size_t start = sizeof(wipe) - 1;
    const size_t given = hoist_term_width(STDERR_FILENO);
    // The last column stays free: a terminal would go on to the next line.
    const size_t width = (given ? given : DEFAULT_WIDTH) - 1;
    memcpy(text, wipe, start);
    const size_t size = write_line(progress, left, width, text + start);
    atomic_store(&line_is_shown, true);
    write_text(text, start + size);
}

// `name` and `unit` are words of the library without quotes or backslashes: nothing is escaped.
static void show_json(const tool_progress *p, const hoist_progress *progress, double left,
                      double now)
{
    char total[32] = "null";
    char rest[32] = "null";
    char text[LINE];
    if (progress->total) {
        (void)snprintf(total, sizeof(total), "%" PRIu64, progress->total);
    }
    if (left >= 0) {
        (void)snprintf(rest, sizeof(rest), "%.1f", left);
    }
    const int size =
        snprintf(text, sizeof(text),
                 "{\"schema\":\"hoist.progress/1\",\"stage\":\"%s\",\"unit\":\"%s\","
                 "\"done\":%" PRIu64 ",\"total\":%s,\"elapsed_seconds\":%.1f,"
                 "\"left_seconds\":%s}\n",
                 progress->name, progress->unit, progress->done, total, now - p->began, rest);
    write_text(text, (size_t)size);
}

// Reports -----------------------------------------------------------------------------------------

// A count that goes back is a new stage of the same name, as for the next file.
static void note_stage(tool_progress *p, const hoist_progress *progress, double now)
{
    if (progress->stage != p->stage || progress->done < p->done) {
        p->stage = progress->stage;
        p->stage_began = now;
        p->first = progress->done;
    }
    p->done = progress->done;
}

static void show(tool_progress *p, const hoist_progress *progress, double now)
{
    const double left = time_left(p, progress, now);
    p->next = now + PERIOD;
    if (p->json) {
        show_json(p, progress, left, now);
    } else {
        show_line(progress, left);
    }
}

// From any thread that works, which does not wait for one that writes.
static void on_report(void *self, const hoist_progress *progress)
{
    tool_progress *const p = self;
    // A report that is missed is no loss: the next one comes within a tenth of a second.
    if (pthread_mutex_trylock(&p->lock) != 0) {
        return;
    }
    const double now = hoist_now();
    note_stage(p, progress, now);
    if (progress->stage == HOIST_STAGE_NONE) {
        tool_progress_wipe();
    } else if (now >= p->next && !p->is_over && !p->is_inside_line) {
        // Not into a line of output that has no end yet, and not once results are on the terminal.
        show(p, progress, now);
    }
    (void)pthread_mutex_unlock(&p->lock);
}

// Outputs -----------------------------------------------------------------------------------------

// Whether two descriptors are open on the same terminal, pipe or file.
static bool is_same(int a, int b)
{
    struct stat first;
    struct stat second;
    return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Whether output that goes there cannot come to the terminal: a pipe may lead to a pager.
static bool is_apart(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

// The lock is held until after_write(): no line appears between wiping and the output.
static void before_write(void *self, const hoist_output *out)
{
    tool_progress *const p = self;
    (void)pthread_mutex_lock(&p->lock);
    tool_progress_wipe();
    p->is_over = p->is_over || (!p->json && out == p->t->out && !is_apart(out->fd));
}

static void after_write(void *self, const hoist_output *out, hoist_bytes bytes)
{
    tool_progress *const p = self;
    if (out != p->t->out || is_same(out->fd, STDERR_FILENO)) {
        // Output is never written in pieces of no bytes.
        p->is_inside_line = bytes.data[bytes.size - 1] != '\n';
    }
    (void)pthread_mutex_unlock(&p->lock);
}

// The command -------------------------------------------------------------------------------------

// "dumb" terminals, such as those inside editors, cannot rewrite a line.
bool tool_progress_is_asked(const tool *t)
{
    const char *const how = t->values[OPT_PROGRESS];
    const char *const term = getenv("TERM");
    if (how && strcmp(how, "auto") != 0) {
        return strcmp(how, "json") == 0;
    }
    return tool_takes(t->command, OPT_PROGRESS) && !tool_given(t, OPT_QUIET) &&
           hoist_term_is_tty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

// A deadline without a limit exists for its reports alone (run_in_time()).
void tool_progress_begin(tool_progress *p, tool *t)
{
    const char *const how = t->values[OPT_PROGRESS];
    const double now = hoist_now();
    *p = (tool_progress){.t = t,
                         .shows = t->deadline && tool_progress_is_asked(t),
                         .json = how && strcmp(how, "json") == 0,
                         .watch = {p, before_write, after_write},
                         .began = now,
                         .next = now + FIRST};
    if (p->shows) {
        (void)pthread_mutex_init(&p->lock, NULL);
        t->out->watch = &p->watch;
        t->err->watch = &p->watch;
        hoist_deadline_watch(t->deadline, on_report, p);
    }
}

void tool_progress_end(tool_progress *p)
{
    if (p->shows) {
        tool_progress_wipe();
        p->t->out->watch = NULL;
        p->t->err->watch = NULL;
        (void)pthread_mutex_destroy(&p->lock);
    }
}
