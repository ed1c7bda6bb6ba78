// Accesses of the same bytes that nothing orders, and reads of uninitialized bytes.
//
// The bytes of one memory are cut where a range begins or ends. Each cell keeps the accesses that a
// later one could conflict with: an access drops those that come before it and conflict with no
// more than it does, so that the lists stay as short as the processes are few.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/block.h"
#include "base/order.h"
#include "base/progress.h"
#include "base/span.h"
#include "machine/order_state.h"
#include "program/rules.h"

#define MAX_FINDINGS 100

typedef struct access_node {
    uint32_t range;
    uint32_t next; // HOIST_ORDER_NONE
} access_node;

typedef struct cell {
    uint32_t reads; // access_node, the newest first
    uint32_t writes;
    bool written; // or supplied by the caller before the run
} cell;

// One memory at a time.
typedef struct sweep {
    hoist_order *o;
    const hoist_order_range *ranges; // of this memory, in the order of events
    size_t count;
    uint64_t *cuts; // owned; ascending, each once
    size_t cut_count;
    cell *cells; // owned; cells[i] is cuts[i] ... cuts[i + 1]
    hoist_order_list nodes;
    uint32_t free_node;
    bool defined;  // its contents are, before any step writes
    size_t places; // of cuts and cells
} sweep;

// A pair of steps that was reported.
typedef struct reported_pair {
    const hoist_prog_step *a;
    const hoist_prog_step *b;
} reported_pair;

// By memory, then by event: each sweep sees one memory in the order of the recorded run.
static int by_memory(const void *a, const void *b)
{
    const hoist_order_range *x = a;
    const hoist_order_range *y = b;
    int order = hoist_order_u64(x->memory, y->memory);
    order = order ? order : hoist_order_u64(x->call, y->call);
    order = order ? order : hoist_order_u64(x->event, y->event);
    order = order ? order : (int)x->write - (int)y->write; // an event reads, then writes
    return order ? order : hoist_order_u64(x->begin, y->begin);
}

static int by_value(const void *a, const void *b)
{
    return hoist_order_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

// Messages --------------------------------------------------------------------------------------

static void name_event(const hoist_order *o, const hoist_order_event *e,
                       char out[HOIST_STEP_NAME_SIZE])
{
    if (e->at.step) {
        hoist_step_name(o->program, e->at, out);
    } else {
        (void)snprintf(out, HOIST_STEP_NAME_SIZE, "the host");
    }
}

static void report_at(hoist_order *o, hoist_program_rule rule, const hoist_order_event *e,
                      const char *text)
{
    hoist_step_report(o->program, e->at, hoist_program_rule_of(o->program, rule), o->diag, "%s",
                      text);
    o->reported++;
}

// At the limit no more is reported; the search then ends at the next memory.
static bool is_full(const hoist_order *o)
{
    const uint32_t max = o->options->max_findings > 0 ? o->options->max_findings : MAX_FINDINGS;
    return o->reported >= max;
}

// False when this pair was reported before, or one of the same places.
static bool is_new(hoist_order *o, hoist_order_list *pairs, const hoist_prog_step *a,
                   const hoist_prog_step *b)
{
    const reported_pair *all = pairs->items;
    for (size_t i = 0; i < pairs->count; i++) {
        // A pair the other way round is the same race; `b` is NULL for a read of undefined bytes.
        if ((hoist_step_is_copy(all[i].a, a) && hoist_step_is_copy(all[i].b, b)) ||
            (b && hoist_step_is_copy(all[i].a, b) && hoist_step_is_copy(all[i].b, a))) {
            return false;
        }
    }
    const reported_pair pair = {a, b};
    return hoist_order_add(o, pairs, &pair);
}

static void report_race(hoist_order *o, const hoist_order_range *a, const hoist_order_range *b,
                        uint64_t begin)
{
    const hoist_order_event *first = hoist_order_event_at(o, a->event);
    const hoist_order_event *second = hoist_order_event_at(o, b->event);
    char one[HOIST_STEP_NAME_SIZE];
    char two[HOIST_STEP_NAME_SIZE];
    char where[HOIST_ORDER_BYTES_SIZE];
    char text[2 * HOIST_STEP_NAME_SIZE + HOIST_ORDER_BYTES_SIZE + 64];
    name_event(o, first, one);
    name_event(o, second, two);
    hoist_order_name_bytes(o, b, begin, where);
    (void)snprintf(text, sizeof text, "%s %s %s and %s %s it, and no wait orders them", one,
                   a->write ? "writes" : "reads", where, two, b->write ? "writes" : "reads");
    // At the later step; the host has none, so that its race is shown at the other one.
    report_at(o, HOIST_PRG_101, second->at.step ? second : first, text);
    hoist_order_send_race(o, a, b, text);
}

static void report_undefined(hoist_order *o, const hoist_order_range *r, uint64_t begin)
{
    const hoist_order_event *e = hoist_order_event_at(o, r->event);
    char name[HOIST_STEP_NAME_SIZE];
    char where[HOIST_ORDER_BYTES_SIZE];
    char text[HOIST_STEP_NAME_SIZE + HOIST_ORDER_BYTES_SIZE + 64];
    name_event(o, e, name);
    hoist_order_name_bytes(o, r, begin, where);
    (void)snprintf(text, sizeof text, "%s reads %s, which no step before it writes", name, where);
    report_at(o, HOIST_PRG_104, e, text);
}

// Sweep -----------------------------------------------------------------------------------------

// The bytes that need number `index` names, when they are of this memory.
static bool find_need(const sweep *s, uint32_t index, hoist_run *out_run)
{
    const hoist_program *p = s->o->program;
    const hoist_prog_need *need = &p->needs[index];
    uint64_t offset = 0;
    const uint64_t root = hoist_prog_root(p, p->ports[need->port].buffer, &offset);
    *out_run = (hoist_run){offset + need->begin, offset + need->end};
    // Needs name bytes of buffers, never of slots or addresses.
    return s->ranges[0].memory == ((uint64_t)HOIST_ORDER_BUFFER << 56 | root);
}

static bool cut(sweep *s)
{
    const uint32_t needs = s->defined ? 0 : s->o->program->need_count;
    size_t count = 0;
    s->places = 2 * (s->count + needs); // two ends for each range and need
    s->cuts = hoist_alloc_zero(s->o->alloc, s->places, sizeof *s->cuts);
    s->cells = hoist_alloc_zero(s->o->alloc, s->places, sizeof *s->cells);
    if (!s->cuts || !s->cells) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->cuts[count++] = s->ranges[i].begin;
        s->cuts[count++] = s->ranges[i].end;
    }
    for (uint32_t i = 0; i < needs; i++) {
        hoist_run run;
        if (find_need(s, i, &run)) {
            s->cuts[count++] = run.begin;
            s->cuts[count++] = run.end;
        }
    }
    qsort(s->cuts, count, sizeof *s->cuts, by_value);
    // Each cut once; cells begin at their cut, and the last cut's cell stays empty.
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || s->cuts[i] != s->cuts[s->cut_count - 1]) {
            s->cuts[s->cut_count] = s->cuts[i];
            s->cells[s->cut_count++] = (cell){HOIST_ORDER_NONE, HOIST_ORDER_NONE, false};
        }
    }
    return true;
}

static bool cut_is_before(const void *cut, const void *begin)
{
    return *(const uint64_t *)cut < *(const uint64_t *)begin;
}

// The first cut at `begin` or after it; every range begins at one.
static size_t cell_of(const sweep *s, uint64_t begin)
{
    return hoist_order_first(s->cuts, s->cut_count, sizeof *s->cuts, cut_is_before, &begin);
}

// What the caller has to supply before a run (hoist_program_missing()) is no uninitialized read.
static void supply(sweep *s)
{
    const uint32_t needs = s->defined ? 0 : s->o->program->need_count;
    for (uint32_t i = 0; i < needs; i++) {
        hoist_run run;
        if (find_need(s, i, &run)) {
            // The end of the run is a cut, so that the loop stops there.
            for (size_t k = cell_of(s, run.begin); s->cuts[k] < run.end; k++) {
                if (!hoist_order_visit(s->o)) {
                    return;
                }
                s->cells[k].written = true;
            }
        }
    }
}

static access_node *node_at(const sweep *s, uint32_t node)
{
    HOIST_ASSERT(s->nodes.items);
    return (access_node *)s->nodes.items + node;
}

// Nodes that were dropped are used first: lists of a long run stay as long as the conflicts.
static void add_node(sweep *s, uint32_t *list, uint32_t range)
{
    const access_node node = {range, *list};
    if (s->free_node != HOIST_ORDER_NONE) {
        *list = s->free_node;
        s->free_node = node_at(s, *list)->next;
        *node_at(s, *list) = node;
    } else if (hoist_order_add(s->o, &s->nodes, &node)) {
        *list = (uint32_t)(s->nodes.count - 1);
    }
}

static void drop_node(sweep *s, uint32_t *link)
{
    const uint32_t freed = *link;
    access_node *node = node_at(s, freed);
    *link = node->next;
    node->next = s->free_node;
    s->free_node = freed;
}

static bool is_before(const sweep *s, const access_node *a, const hoist_order_range *b)
{
    return hoist_order_is_before(s->o, s->ranges[a->range].event, b->event);
}

static bool conflicts(const hoist_order *o, const hoist_order_range *a, const hoist_order_range *b)
{
    // Members of one collective do not race with each other: it orders what they read and write.
    const uint32_t meeting = hoist_order_event_at(o, a->event)->meeting;
    return (a->write || b->write) &&
           (meeting == 0 || meeting != hoist_order_event_at(o, b->event)->meeting);
}

static void check_pair(sweep *s, const hoist_order_range *a, const hoist_order_range *b,
                       uint64_t begin, hoist_order_list *pairs)
{
    // Bytes that may not be touched are no proof of a race: the verdict is UNKNOWN.
    if (!a->exact || !b->exact) {
        s->o->inexact = true;
        return;
    }
    const hoist_prog_step *one = hoist_order_event_at(s->o, a->event)->at.step;
    const hoist_prog_step *two = hoist_order_event_at(s->o, b->event)->at.step;
    if (!is_full(s->o) && is_new(s->o, pairs, one, two)) {
        report_race(s->o, a, b, begin);
    }
}

// Whether range `r` races with one of the list.
static bool has_race(const sweep *s, uint32_t list, const hoist_order_range *r)
{
    for (uint32_t i = list; i != HOIST_ORDER_NONE; i = node_at(s, i)->next) {
        const access_node *node = node_at(s, i);
        if (conflicts(s->o, &s->ranges[node->range], r) && !is_before(s, node, r)) {
            return true;
        }
    }
    return false;
}

// Drops reads that come before later ones of the list: who races with them races with these.
// Only when a race is found: the scan is quadratic in the list.
static void drop_earlier(sweep *s, uint32_t list)
{
    for (uint32_t i = list; i != HOIST_ORDER_NONE; i = node_at(s, i)->next) {
        const hoist_order_range *later = &s->ranges[node_at(s, i)->range];
        uint32_t *link = &node_at(s, i)->next;
        while (later->exact && *link != HOIST_ORDER_NONE) {
            if (is_before(s, node_at(s, *link), later)) {
                drop_node(s, link);
            } else {
                link = &node_at(s, *link)->next;
            }
        }
    }
}

// Compares range `r` with those of the list, and drops what comes before it where nothing conflicts
// with that only.
static void meet(sweep *s, uint32_t *link, const hoist_order_range *r, uint64_t begin,
                 hoist_order_list *pairs)
{
    while (*link != HOIST_ORDER_NONE) {
        const access_node *node = node_at(s, *link);
        const hoist_order_range *old = &s->ranges[node->range];
        const bool before = is_before(s, node, r);
        if (!before && conflicts(s->o, old, r)) {
            check_pair(s, old, r, begin, pairs);
        }
        // An exact write conflicts with all that comes later, so that it represents what came
        // before it.
        if (before && r->exact && r->write) {
            drop_node(s, link);
        } else {
            link = &node_at(s, *link)->next;
        }
    }
}

static void check_undefined(sweep *s, const hoist_order_range *r, uint64_t begin,
                            hoist_order_list *pairs)
{
    const hoist_prog_step *step = hoist_order_event_at(s->o, r->event)->at.step;
    if (!r->exact) {
        s->o->inexact = true;
    } else if (is_new(s->o, pairs, step, NULL)) {
        report_undefined(s->o, r, begin);
    }
}

// Range `index` touches cell `c`, which begins at `begin`. Reads do not conflict, so that one meets
// the writes only.
static void visit(sweep *s, uint32_t index, cell *c, uint64_t begin, hoist_order_list *pairs)
{
    const hoist_order_range *r = &s->ranges[index];
    meet(s, &c->writes, r, begin, pairs);
    if (r->write) {
        if (has_race(s, c->reads, r)) {
            drop_earlier(s, c->reads);
        }
        meet(s, &c->reads, r, begin, pairs);
    } else if (r->exact && c->reads != HOIST_ORDER_NONE && is_before(s, node_at(s, c->reads), r)) {
        // The newest read only: of one process after another that keeps the list short at no cost.
        drop_node(s, &c->reads);
    }
    if (!r->write && !c->written && !s->defined && !is_full(s->o)) {
        check_undefined(s, r, begin, pairs);
    }
    // A write of unknown part counts, too: a report of undefined bytes has to be certain.
    c->written = c->written || r->write;
    add_node(s, r->write ? &c->writes : &c->reads, index);
}

// Whether bytes of this memory have a value before any step writes them.
static bool is_defined(const hoist_order *o, const hoist_order_range *r)
{
    const uint64_t index = r->memory & ((UINT64_C(1) << 56) - 1);
    const hoist_program *p = o->program;
    switch ((hoist_order_memory)(r->memory >> 56)) {
    case HOIST_ORDER_BUFFER:
        return o->filled[index] || p->buffers[index].contents != HOIST_CONTENTS_UNDEFINED;
    case HOIST_ORDER_FIFO: // its parts are no windows
        return o->filled[p->fifos[index].parts[0]] ||
               p->buffers[p->fifos[index].parts[0]].contents != HOIST_CONTENTS_UNDEFINED;
    case HOIST_ORDER_SPACE: // of several buffers: not checked
    case HOIST_ORDER_POINTER:
        break;
    }
    return true;
}

static void sweep_memory(hoist_order *o, const hoist_order_range *ranges, size_t count,
                         hoist_order_list *pairs)
{
    sweep s = {.o = o,
               .ranges = ranges,
               .count = count,
               .nodes = {.size = sizeof(access_node)},
               .free_node = HOIST_ORDER_NONE,
               .defined = is_defined(o, ranges)};
    if (cut(&s)) {
        supply(&s);
    } else {
        o->status = HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count && o->status == HOIST_OK; i++) {
        hoist_stage_add(o->options->deadline, HOIST_STAGE_ORDERS, 1);
        o->status = hoist_deadline_look(o->options->deadline);
        // All cells of the range: it begins and ends at cuts.
        for (size_t k = cell_of(&s, ranges[i].begin); s.cuts[k] < ranges[i].end; k++) {
            if (!hoist_order_visit(o)) {
                break;
            }
            visit(&s, i, &s.cells[k], s.cuts[k], pairs);
        }
    }
    hoist_free(o->alloc, s.cuts, s.places * sizeof *s.cuts);
    hoist_free(o->alloc, s.cells, s.places * sizeof *s.cells);
    hoist_order_free_list(o, &s.nodes);
}

hoist_status hoist_order_find_races(hoist_order *o)
{
    hoist_order_range *ranges = o->ranges.items;
    const size_t count = o->ranges.count;
    hoist_order_list pairs = {.size = sizeof(reported_pair)};
    if (count > 0) {
        qsort(ranges, count, sizeof *ranges, by_memory);
    }
    for (size_t first = 0; first < count && o->status == HOIST_OK && !is_full(o);) {
        size_t last = first + 1;
        while (last < count && ranges[last].memory == ranges[first].memory &&
               ranges[last].call == ranges[first].call) {
            last++;
        }
        sweep_memory(o, ranges + first, last - first, &pairs);
        first = last;
    }
    hoist_order_free_list(o, &pairs);
    return o->status;
}
