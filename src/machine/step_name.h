// machine/step_name.h - how messages name steps.
#ifndef HOIST_SRC_MACHINE_STEP_NAME_H
#define HOIST_SRC_MACHINE_STEP_NAME_H

#include "base/diag.h"
#include "program/program.h"

// A step and the code that it is in.
typedef struct hoist_step_at {
    hoist_ref function; // HOIST_NO_REF: of `thread`
    hoist_ref thread;   // HOIST_NO_REF: of `function`
    const hoist_prog_step *step;
} hoist_step_at;

// Bytes that a name needs at most.
#define HOIST_STEP_NAME_SIZE 384

// Size for "%.*s" of a name in a message: cut at 64 bytes, so that four of them fit one.
static inline int hoist_name_shown(hoist_str name)
{
    return name.size > 64 ? 64 : (int)name.size;
}

// "threads/main/steps/3", cut when it is too long.
void hoist_step_path(const hoist_program *program, hoist_step_at at,
                     char out[HOIST_STEP_NAME_SIZE]);
// "move 'm' (threads/main/steps/3, 12:5)"; of a file with members "sg00/pool.json:12:5".
void hoist_step_name(const hoist_program *program, hoist_step_at at,
                     char out[HOIST_STEP_NAME_SIZE]);

// Reports at the step, with its path; at no place where `at.step` is NULL.
void hoist_step_report(const hoist_program *program, hoist_step_at at, const hoist_rule *rule,
                       hoist_diag *diag, const char *format, ...) HOIST_PRINTF(5, 6);

// Whether both are copies of one step of the source, as those of the ranks that run one file do:
// the same step, or steps of a kind that have one place. NULL is a copy of NULL only.
bool hoist_step_is_copy(const hoist_prog_step *a, const hoist_prog_step *b);

#endif // HOIST_SRC_MACHINE_STEP_NAME_H
