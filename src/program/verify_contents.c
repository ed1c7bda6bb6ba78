// program/verify_contents.c - reads of bytes that nothing ever wrote, where no run is needed to see
// it: buffers of one call with undefined contents, in code before its first branch or call.
//
// The steps are taken in order. A loop's steps count once: what its first iteration reads must have
// been written above. Writes count for more than they are (all that lies between their first and
// last byte, the whole buffer when they hang on a register), so that nothing is reported that might
// be right; reads count only where they are sure.
#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "program/uses.h"
#include "program/verifier.h"

#define MAX_RANGES 16 // of one buffer; beyond them they are taken as one

// Bytes that were written, of one buffer.
typedef struct written written;
struct written {
    written *next; // of the code at hand, or spare
    hoist_ref buffer;
    uint32_t count;
    struct {
        uint64_t begin;
        uint64_t end;
    } ranges[MAX_RANGES];
};

// Lives as long as the verifier.
struct hoist_verify_contents {
    bool needed;       // there is a buffer to check
    written **buffers; // by index; NULL: nothing was written
    written *used;
    written *spare;
};

typedef struct contents {
    hoist_verifier *v;
    struct hoist_verify_contents *all;
    const hoist_prog_step *step;
} contents;

// The bounds of all of them: more counts as written than was.
static void join_all(written *w)
{
    for (uint32_t i = 1; i < w->count; i++) {
        w->ranges[0].begin =
            w->ranges[i].begin < w->ranges[0].begin ? w->ranges[i].begin : w->ranges[0].begin;
        w->ranges[0].end =
            w->ranges[i].end > w->ranges[0].end ? w->ranges[i].end : w->ranges[0].end;
    }
    w->count = 1;
}

// Adds a range; those that it touches become part of it.
// Ranges stay disjoint and unordered.
static void add_range(written *w, uint64_t begin, uint64_t end)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->ranges[i].begin <= end && begin <= w->ranges[i].end) {
            begin = w->ranges[i].begin < begin ? w->ranges[i].begin : begin;
            end = w->ranges[i].end > end ? w->ranges[i].end : end;
        } else {
            w->ranges[kept++] = w->ranges[i];
        }
    }
    w->count = kept;
    // After joining there is one range, so this ends with the second call.
    if (w->count == MAX_RANGES) {
        join_all(w);
        add_range(w, begin, end);
        return;
    }
    w->ranges[w->count].begin = begin;
    w->ranges[w->count++].end = end;
}

// Taken from the spare ones of the last code, so that memory does not grow with the number of
// functions.
static void begin_buffer(contents *c, hoist_ref root)
{
    struct hoist_verify_contents *all = c->all;
    written *w = all->spare ? all->spare : hoist_verifier_array(c->v, 1, sizeof *w);
    if (w) {
        all->spare = all->spare ? w->next : NULL;
        w->next = all->used;
        w->buffer = root;
        w->count = 0;
        all->used = w;
        all->buffers[root] = w;
    }
}

static void note_write(contents *c, hoist_ref view)
{
    const hoist_ref root = hoist_verifier_root(c->v, view);
    hoist_view_range range;
    if (root == HOIST_NO_REF) {
        return;
    }
    if (!hoist_verifier_range(c->v, view, &range)) {
        // A register decides where: anywhere.
        range = (hoist_view_range){.buffer = root, .begin = 0, .end = UINT64_MAX};
    }
    if (!c->all->buffers[root]) {
        begin_buffer(c, root);
    }
    if (c->all->buffers[root]) {
        add_range(c->all->buffers[root], range.begin, range.end);
    }
}

// True when no step before may have written what the view surely reads.
// A view without gaps must lie in one range; of one with gaps, whose bytes between the elements
// are not read, an overlap is taken as enough.
static bool is_unwritten(const written *w, const hoist_view_range *range)
{
    for (uint32_t i = 0; w && i < w->count; i++) {
        const bool all = w->ranges[i].begin <= range->begin && range->end <= w->ranges[i].end;
        const bool some = w->ranges[i].begin < range->end && range->begin < w->ranges[i].end;
        if (range->whole ? all : some) {
            return false;
        }
    }
    return range->begin < range->end;
}

// A table may leave out elements of its sources.
static bool reads_all(const hoist_prog_step *step)
{
    return step->kind != HOIST_STEP_MOVE || !step->as.move->table;
}

static void use_view(void *self, hoist_step_use use)
{
    contents *c = self;
    const hoist_program *p = c->v->program;
    const hoist_prog_view *view = &p->views[use.view];
    hoist_view_range range;
    if (use.written) {
        note_write(c, use.view);
        return;
    }
    // Slots, parameters and views with a register are not sure.
    if (view->base != HOIST_VIEW_BUFFER || !reads_all(c->step) ||
        !hoist_verifier_range(c->v, use.view, &range)) {
        return;
    }
    const hoist_prog_buffer *root = &p->buffers[range.buffer];
    const hoist_prog_buffer *buffer = &p->buffers[view->of];
    if (root->lifetime == HOIST_LIFETIME_CALL && root->contents == HOIST_CONTENTS_UNDEFINED &&
        buffer->contents == HOIST_CONTENTS_UNDEFINED && !c->v->roots[range.buffer].in_fifo &&
        is_unwritten(c->all->buffers[range.buffer], &range)) {
        (void)hoist_verifier_fail(c->v, HOIST_PRG_038,
                                  "bytes %" PRIu64 " to %" PRIu64 " of '%.*s' are read before they "
                                  "are written",
                                  range.begin, range.end, HOIST_STR_ARGS(root->name));
    }
}

// What comes after may not run, or others may have written by then.
// A callee may write anything; an opaque step, too.
static bool ends_the_line(const hoist_prog_step *step)
{
    return step->kind == HOIST_STEP_BRANCH || step->kind == HOIST_STEP_CALL ||
           step->kind == HOIST_STEP_OPAQUE;
}

static struct hoist_verify_contents *find_contents(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    struct hoist_verify_contents *all = v->contents;
    if (all) {
        return all;
    }
    all = hoist_verifier_array(v, 1, sizeof *all);
    written **buffers = hoist_verifier_array(v, p->buffer_count, sizeof(written *));
    if (!all || !buffers) {
        return NULL;
    }
    all->buffers = buffers;
    for (uint32_t i = 0; i < p->buffer_count && !all->needed; i++) {
        all->needed = p->buffers[i].lifetime == HOIST_LIFETIME_CALL &&
                      p->buffers[i].contents == HOIST_CONTENTS_UNDEFINED;
    }
    v->contents = all;
    return all;
}

// Per code: what one function has written says nothing about another.
static void forget(struct hoist_verify_contents *all)
{
    while (all->used) {
        written *w = all->used;
        all->used = w->next;
        all->buffers[w->buffer] = NULL;
        w->next = all->spare;
        all->spare = w;
    }
}

void hoist_verify_contents(hoist_verifier *v)
{
    contents c = {.v = v, .all = find_contents(v)};
    if (!c.all || !c.all->needed) {
        return;
    }
    for (uint32_t i = 0; !v->no_memory && i < v->code->step_count; i++) {
        c.step = &v->code->steps[i];
        v->step = i;
        v->loc = c.step->loc;
        hoist_step_uses(v->program, c.step, use_view, &c);
        if (ends_the_line(c.step)) {
            break;
        }
    }
    forget(c.all);
}
