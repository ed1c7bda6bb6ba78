// Rule M76: memory that a Send reads is overwritten before its SendDone. In: the events and steps
// of a rank in the order of execution. hoist keeps a copy of what it sends, so this is about ARK
// only.
#include "base/span.h"
#include "formats/ark/check_job.h"
#include "formats/ark/effects.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// The Sends whose data have not left, by the memory that they read: a list for each memory.
typedef struct pending {
    uint32_t step;  // of the Send
    uint32_t value; // its input
    uint32_t next;  // ARK_NONE: the last
} pending;

typedef struct sent_check {
    ark_job_check *c;
    const ark_graph *graph;
    pending *sends; // by the order of Sends
    uint32_t count;
    uint32_t *first;   // by memory
    uint32_t *send_of; // by step: the Send of that step
} sent_check;

// At the Send: that is where a SendDone is missing.
static void report(const sent_check *s, const pending *send, const ark_step *writer)
{
    const ark_step *const step = &s->graph->steps[send->step];
    ark_place place;
    ark_enter_step(s->c->diag, s->graph, step, &place);
    ark_report(s->c->diag, ARK_M76, step->op->pos,
               "%.*s: %.*s overwrites what it sends, before a SendDone",
               HOIST_STR_ARGS(ark_step_title(step, s->c->arena)),
               HOIST_STR_ARGS(ark_step_title(writer, s->c->arena)));
    ark_leave(s->c->diag, &place);
}

// Takes the Sends off the list whose input `value` overwrites, and reports them. Each Send is
// reported once.
static void overwrite(sent_check *s, const ark_step *writer, uint32_t value)
{
    uint32_t *link = &s->first[s->graph->values[value].memory];
    while (*link != ARK_NONE) {
        pending *const send = &s->sends[*link];
        const ark_value *const input = &s->graph->values[send->value];
        if (ark_values_overlap(input, &s->graph->values[value]) == ARK_OVERLAP) {
            report(s, send, writer);
            *link = send->next;
        } else {
            link = &send->next;
        }
    }
}

// Notes a Send, whose input must stay until its SendDone.
static void begin(sent_check *s, uint32_t step)
{
    const uint32_t value = s->graph->steps[step].reads.items[0];
    uint32_t *const first = &s->first[s->graph->values[value].memory];
    s->sends[s->count] = (pending){step, value, *first};
    s->send_of[step] = s->count;
    *first = s->count++;
}

// Takes the Send off the list that `done` names by its result. SendDone reads the result of its
// Send (8.1). One that names no Send ends none.
static void end(sent_check *s, const ark_step *done)
{
    const uint32_t producer = s->graph->values[done->reads.items[0]].producer;
    const uint32_t send = producer == ARK_NONE ? ARK_NONE : s->send_of[producer];
    if (send == ARK_NONE) {
        return;
    }
    uint32_t *link = &s->first[s->graph->values[s->sends[send].value].memory];
    while (*link != ARK_NONE && *link != send) {
        link = &s->sends[*link].next;
    }
    if (*link == send) {
        *link = s->sends[send].next;
    }
}

// Writes first: a Send does not overwrite its own input.
static void check_step(sent_check *s, uint32_t index)
{
    const ark_step *const step = &s->graph->steps[index];
    if (!step->valid) {
        return;
    }
    const uint32_t writes = ark_touches_memory(step->type) ? step->writes.count : 0;
    for (uint32_t i = 0; i < writes; i++) {
        overwrite(s, step, step->writes.items[i]);
    }
    if (step->type == ARK_SEND && step->reads.count) {
        begin(s, index);
    } else if (step->type == ARK_SEND_DONE && step->reads.count) {
        end(s, step);
    }
}

// Lists are linked through `sends`, so taking one out moves nothing.
hoist_status ark_check_sent(ark_job_check *c, const ark_rank *rank)
{
    sent_check s = {.c = c, .graph = rank->graph};
    const ark_graph *const graph = rank->graph;
    s.sends = hoist_arena_array(c->arena, rank->event_count, sizeof *s.sends);
    s.first = hoist_arena_array(c->arena, graph->memory_count, sizeof *s.first);
    s.send_of = hoist_arena_array(c->arena, graph->step_count, sizeof *s.send_of);
    HOIST_TRY_MEMORY(s.sends && s.first && s.send_of);
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        s.first[i] = ARK_NONE;
    }
    for (uint32_t i = 0; i < graph->step_count; i++) {
        s.send_of[i] = ARK_NONE;
    }
    for (uint32_t i = 0; i < graph->step_count; i++) {
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        check_step(&s, i);
    }
    return HOIST_OK;
}
