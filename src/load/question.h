// load/question.h - one question about the orders in which a job may run; for the sources of
// hoist_job_check_order() only.
#ifndef HOIST_SRC_LOAD_QUESTION_H
#define HOIST_SRC_LOAD_QUESTION_H

#include "base/arena.h"
#include "load/job.h"
#include "program/program.h"

// What one question needs.
typedef struct hoist_question {
    const hoist_job *job;
    const hoist_order_check *options;
    hoist_diag *diag;
    hoist_diag *refused;    // owned: why the job cannot be lowered completely
    hoist_diag *found;      // owned: of its program
    size_t handed;          // findings of `found` that were looked at
    hoist_program *program; // owned
    hoist_arena arena;
    bool incomplete;         // not all of the job was lowered
    const char *why_ends;    // why it is not known whether every run ends; NULL: it is
    const char *why_ordered; // the same of accesses
    hoist_verdict verdict;
} hoist_question;

// order_findings.c. Hands over to `diag` what was found since the last call, but for the reasons of
// lowering, and but for what an instruction that was left out may have written. Returns how many
// findings were.
size_t hoist_question_hand_over(hoist_question *q, const hoist_diag *found);
// Reports where it becomes unknown what happens: the first place in each subgraph.
void hoist_question_report_refusals(const hoist_question *q);
// Reports why the verdict is unknown.
void hoist_question_report_doubts(const hoist_question *q);

// order_signals.c. Finds signals that no thread waits for: once for all ranks that have the place.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_question_note_signals(hoist_question *q);

// Entries in their order, with their parameters.
typedef struct hoist_order_sequence {
    hoist_ref *entries;         // of the question's arena
    const int64_t **parameters; // of the same
    uint32_t count;
} hoist_order_sequence;

// order_sequence.c. What runs: the entries that the options name, else all. HOIST_OK,
// HOIST_NOT_FOUND (a name is not there), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_question_choose(hoist_question *q, hoist_order_sequence *all);

#endif // HOIST_SRC_LOAD_QUESTION_H
