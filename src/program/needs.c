// Which ports a caller has still to supply: the needed bytes of a program without the bytes of all
// ports that are given. What is needed is a set (base/runs.h), from which one port after the other
// is subtracted, both in ascending order. A port has up to eight dimensions, and its runs of bytes
// are too many to be listed: they are stepped over here.
#include "program/needs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"
#include "base/runs.h"

// Bytes of a port in the memory that it is in: runs of one size, in ascending order.
typedef struct runs {
    uint64_t first; // begin of the first run
    uint64_t begin; // of the run at hand
    uint64_t size;
    bool ended;
    int rank; // of the dimensions that the runs are apart in, outermost first
    uint64_t dim[HOIST_MAX_RANK];
    uint64_t stride[HOIST_MAX_RANK];
    uint64_t index[HOIST_MAX_RANK];
} runs;

// A port that is bytes, by the buffer with memory of its own that they are in.
typedef struct source {
    hoist_ref root;
    uint32_t port; // number among all ports
} source;

typedef struct finder {
    const hoist_program *program;
    const bool *given;
    bool *missing;
    source *sources; // owned; by root, then port
    size_t source_count;
    hoist_runs left;  // needed and not yet subtracted
    hoist_runs after; // the same after the next port
} finder;

// Numbers of ports: fifos, then buffers of the index, then views.
static uint32_t first_view(const hoist_program *p)
{
    return p->fifo_count + p->index.buffer_count;
}

static hoist_ref buffer_of(const hoist_program *p, uint32_t port)
{
    HOIST_ASSERT(port >= p->fifo_count && port < first_view(p) + p->port_count);
    return port < first_view(p) ? p->index.buffers[port - p->fifo_count]
                                : p->ports[port - first_view(p)].buffer;
}

// Elements lie apart (PRG-042), so that runs ascend when the longest stride is the outermost.
// Insertion by the length of the stride; a negative one begins at its lowest byte.
static void add_dimension(runs *r, uint64_t dim, int64_t stride)
{
    const uint64_t size = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    int at = r->rank++;
    r->begin -= stride < 0 ? size * (dim - 1) : 0;
    for (; at > 0 && r->stride[at - 1] < size; at--) {
        r->stride[at] = r->stride[at - 1];
        r->dim[at] = r->dim[at - 1];
    }
    r->stride[at] = size;
    r->dim[at] = dim;
}

// A buffer is one run; elements that follow one another without a gap are joined.
static runs runs_of(const hoist_program *p, uint32_t port)
{
    uint64_t offset = 0;
    const hoist_ref buffer = buffer_of(p, port);
    (void)hoist_prog_root(p, buffer, &offset);
    if (port < first_view(p)) {
        return (runs){.begin = offset, .size = p->buffers[buffer].size};
    }
    const hoist_prog_port *row = &p->ports[port - first_view(p)];
    const hoist_prog_layout *layout = &p->layouts[row->layout];
    runs r = {.begin = offset + row->offset, .size = hoist_dtype_get(row->dtype)->bits / 8};
    for (int i = 0; i < layout->shape.rank; i++) {
        // A dimension of 1 never steps, whatever its stride.
        if (layout->shape.dim[i] > 1) {
            add_dimension(&r, (uint64_t)layout->shape.dim[i], layout->stride[i]);
        }
    }
    while (r.rank > 0 && r.stride[r.rank - 1] == r.size) {
        r.size *= r.dim[--r.rank];
    }
    r.first = r.begin;
    return r;
}

// An odometer: the innermost dimension that can step does, those inside it start over.
static void next_run(runs *r)
{
    int at = r->rank;
    while (at > 0 && r->index[at - 1] + 1 == r->dim[at - 1]) {
        at--;
        r->begin -= r->index[at] * r->stride[at];
        r->index[at] = 0;
    }
    r->ended = at == 0;
    if (at > 0) {
        r->begin += r->stride[at - 1];
        r->index[at - 1]++;
    }
}

// Goes to the first run that ends after `at`. A stride steps over all that the shorter ones cover,
// so that the run is found from the outermost dimension on.
static void seek(runs *r, uint64_t at)
{
    if (r->ended || r->begin + r->size > at) {
        return;
    }
    r->begin = r->first;
    for (int i = 0; i < r->rank; i++) {
        // The run that contains `at`, or the last one before it; next_run() then goes to the
        // one behind.
        const uint64_t steps = r->stride[i] ? (at - r->begin) / r->stride[i] : 0;
        r->index[i] = steps < r->dim[i] ? steps : r->dim[i] - 1;
        r->begin += r->index[i] * r->stride[i];
    }
    if (r->begin + r->size <= at) {
        next_run(r);
    }
}

// Takes the bytes of the port from f->left.
// Both are in ascending order, so one pass over both is enough.
static void subtract(finder *f, uint32_t port)
{
    runs r = runs_of(f->program, port);
    hoist_run needed;
    for (hoist_runs_cursor at = {0}; hoist_runs_next(&f->left, &at, &needed);) {
        uint64_t begin = needed.begin;
        seek(&r, begin);
        while (!r.ended && r.begin < needed.end) {
            // Nothing is added where begin == r.begin.
            hoist_runs_add(&f->after, begin, r.begin);
            begin = r.begin + r.size;
            if (begin > needed.end) {
                break; // the run may go on in the next range
            }
            next_run(&r);
        }
        hoist_runs_add(&f->after, begin, needed.end);
    }
    // The two sets change places; the old one is emptied.
    const hoist_runs left = f->after;
    hoist_runs_deinit(&f->left);
    f->after = f->left;
    f->left = left;
}

// True when the port has bytes of f->left.
static bool helps(const finder *f, uint32_t port)
{
    runs r = runs_of(f->program, port);
    hoist_run needed;
    for (hoist_runs_cursor at = {0}; hoist_runs_next(&f->left, &at, &needed);) {
        seek(&r, needed.begin);
        if (!r.ended && r.begin < needed.end) {
            return true;
        }
    }
    return false;
}

static bool root_is_before(const void *one, const void *root)
{
    return ((const source *)one)->root < *(const hoist_ref *)root;
}

// The first source in the memory `root`.
static size_t first_source(const finder *f, hoist_ref root)
{
    return hoist_order_first(f->sources, f->source_count, sizeof *f->sources, root_is_before,
                             &root);
}

// The first port of that memory that is not given and has bytes of f->left; `own`: there is none.
// The port that a message names when the need's own is given already.
static uint32_t find_helper(const finder *f, hoist_ref root, uint32_t own)
{
    for (size_t i = first_source(f, root); i < f->source_count && f->sources[i].root == root; i++) {
        if (!f->given[f->sources[i].port] && helps(f, f->sources[i].port)) {
            return f->sources[i].port;
        }
    }
    return own;
}

// f->left is what is needed under the name of port `own`; it is empty afterwards.
static hoist_status find_port(finder *f, uint32_t own)
{
    const hoist_ref root = hoist_prog_root(f->program, buffer_of(f->program, own), NULL);
    for (size_t i = first_source(f, root);
         f->left.count && !f->left.failed && i < f->source_count && f->sources[i].root == root;
         i++) {
        if (f->given[f->sources[i].port]) {
            subtract(f, f->sources[i].port);
        }
    }
    if (f->left.failed) {
        return HOIST_NO_MEMORY;
    }
    if (f->left.count) {
        // One port for each need, as a message for each byte range would help nobody.
        f->missing[f->given[own] ? find_helper(f, root, own) : own] = true;
    }
    hoist_runs_deinit(&f->left);
    return HOIST_OK;
}

// Buffers that the caller fills are needed, all of each.
static hoist_status find_buffers(finder *f)
{
    const hoist_program *p = f->program;
    for (uint32_t i = p->fifo_count; i < first_view(p); i++) {
        uint64_t offset = 0;
        const hoist_ref buffer = buffer_of(p, i);
        (void)hoist_prog_root(p, buffer, &offset);
        if (!f->given[i] && p->buffers[buffer].contents == HOIST_CONTENTS_CALLER) {
            hoist_runs_add(&f->left, offset, offset + p->buffers[buffer].size);
            HOIST_TRY(find_port(f, i));
        }
    }
    return HOIST_OK;
}

// Rows of one port that follow each other and ascend, as rows of a matrix do, are one set.
static hoist_status find_views(finder *f)
{
    const hoist_program *p = f->program;
    for (uint32_t i = 0; i < p->need_count;) {
        const hoist_ref port = p->needs[i].port;
        uint64_t offset = 0;
        uint64_t end = 0;
        (void)hoist_prog_root(p, p->ports[port].buffer, &offset);
        // A need that does not ascend begins another set.
        for (; i < p->need_count && p->needs[i].port == port && p->needs[i].begin >= end; i++) {
            end = p->needs[i].end;
            hoist_runs_add(&f->left, offset + p->needs[i].begin, offset + end);
        }
        HOIST_TRY(find_port(f, first_view(p) + port));
    }
    return HOIST_OK;
}

static int compare_sources(const void *a, const void *b)
{
    const source *x = a;
    const source *y = b;
    const int root = hoist_order_u64(x->root, y->root);
    return root ? root : hoist_order_u64(x->port, y->port);
}

static void list_sources(finder *f)
{
    const hoist_program *p = f->program;
    for (uint32_t i = 0; i < f->source_count; i++) {
        const uint32_t port = p->fifo_count + i;
        f->sources[i] = (source){hoist_prog_root(p, buffer_of(p, port), NULL), port};
    }
    qsort(f->sources, f->source_count, sizeof *f->sources, compare_sources);
}

hoist_status hoist_prog_find_missing(const hoist_program *program, hoist_allocator alloc,
                                     const bool *given, bool *out_missing)
{
    const size_t count = (size_t)program->index.buffer_count + program->port_count;
    finder f = {.program = program, .given = given, .missing = out_missing};
    for (uint32_t i = 0; i < program->fifo_count + count; i++) {
        out_missing[i] = i < program->fifo_count && program->fifos[i].host_push && !given[i];
    }
    if (count == 0) {
        return HOIST_OK;
    }
    f.sources = hoist_alloc_zero(alloc, count, sizeof *f.sources);
    if (!f.sources) {
        return HOIST_NO_MEMORY;
    }
    f.source_count = count;
    hoist_runs_init(&f.left, alloc);
    hoist_runs_init(&f.after, alloc);
    list_sources(&f);
    hoist_status status = find_buffers(&f);
    status = status == HOIST_OK ? find_views(&f) : status;
    hoist_free(alloc, f.sources, count * sizeof *f.sources);
    hoist_runs_deinit(&f.left);
    return status;
}

hoist_status hoist_program_missing(const hoist_program *program, const bool *given,
                                   bool *out_missing)
{
    return hoist_prog_find_missing(program, program->arena.alloc, given, out_missing);
}
