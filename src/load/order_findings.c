// The findings of the order check in the words of the format: those of the program under the file
// and member that they are in, and the reason of an unknown verdict as a note. In: diags of a
// question (question.h). Out: findings of the caller's diag. order.c decides when.
#include "base/diag.h"
#include "base/span.h"
#include "load/question.h"
#include "lower/lower.h"

// True for a finding about lowering (RUN-...): a reason for an unknown verdict, not a fault of the
// file.
static bool is_reason(const hoist_finding *f)
{
    for (size_t i = 0; i < hoist_lower_rules.count; i++) {
        if (f->rule == &hoist_lower_rules.rules[i]) {
            return true;
        }
    }
    return false;
}

// True when the same was found before: a fault that stops one program is found again before the
// next one. Quadratic in the findings kept, of which a diag has a bounded number.
static bool is_reported(const hoist_diag *found, size_t index)
{
    const hoist_finding *f = hoist_diag_at(found, index);
    for (size_t i = 0; i < index; i++) {
        const hoist_finding *g = hoist_diag_at(found, i);
        if (f->rule == g->rule && hoist_loc_order(f->loc, g->loc) == 0 &&
            hoist_str_equal(f->member, g->member) && hoist_str_equal(f->file, g->file) &&
            hoist_str_equal(f->message, g->message)) {
            return true;
        }
    }
    return false;
}

size_t hoist_question_hand_over(hoist_question *q, const hoist_diag *found)
{
    // With instructions left out, reads of bytes that only these write look uninitialised.
    const hoist_rule *unwritten = hoist_job_rule(q->job, HOIST_PRG_104);
    size_t count = 0;
    // `handed` is a position in the diag: each finding is looked at once over all calls.
    for (; q->handed < hoist_diag_kept(found); q->handed++) {
        const hoist_finding *f = hoist_diag_at(found, q->handed);
        if (is_reason(f) || (q->incomplete && f->rule == unwritten) ||
            is_reported(found, q->handed)) {
            continue;
        }
        hoist_diag_add(q->diag, f);
        count++;
    }
    return count;
}

// The subgraph that a finding is in: the folder of its member, with its slash.
static hoist_str subgraph_of(const hoist_finding *f)
{
    size_t size = f->member.size;
    while (size > 0 && f->member.data[size - 1] != '/') {
        size--;
    }
    return hoist_str_slice(f->member, 0, size);
}

// One note for each subgraph, at the first refusal. Findings come one subgraph after the other.
void hoist_question_report_refusals(const hoist_question *q)
{
    const hoist_finding *last = NULL;
    for (size_t i = 0; i < hoist_diag_kept(q->refused); i++) {
        const hoist_finding *f = hoist_diag_at(q->refused, i);
        hoist_frame frame;
        if (f->severity != HOIST_ERROR || !is_reason(f) ||
            (last && hoist_str_equal(last->file, f->file) &&
             hoist_str_equal(subgraph_of(last), subgraph_of(f)))) {
            continue;
        }
        last = f;
        hoist_diag_source(q->diag, f->file, f->member);
        hoist_diag_push(q->diag, &frame, NULL, HOIST_STR(""), f->object);
        // PRG-107 under the format's id, with the refusal's own sentence.
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_107), f->loc,
                     "orders cannot be checked: %.*s", (int)f->message.size, f->message.data);
        hoist_diag_pop(q->diag, &frame);
    }
    hoist_job_source(q->job, q->diag);
}

// Two notes at most, without a place: the doubt is about the program.
void hoist_question_report_doubts(const hoist_question *q)
{
    if (q->why_ends) {
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_105), hoist_loc_none(),
                     "not proved that every run ends: %s", q->why_ends);
    }
    if (q->why_ordered) {
        hoist_report(q->diag, hoist_job_rule(q->job, HOIST_PRG_106), hoist_loc_none(),
                     "not proved that accesses to common bytes are ordered: %s", q->why_ordered);
    }
}
