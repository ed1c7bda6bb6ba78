// Arithmetic that the reference does not define: the first of a step is that of the lowest unit, of
// a process that of its earliest step, of a run that of the lowest process, so that neither workers
// nor their pace choose it. program/origin.h finds the operators that lead there.
#include "runtime/undefined.h"

#include <math.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/span.h"
#include "program/origin.h"
#include "program/run_rules.h"

enum { MOST_STEPS = 12 }; // of a chain, in a message

void hoist_undefined_note(hoist_undefined_seen *seen, const hoist_prog_step *step, uint64_t unit,
                          const hoist_compute_fault *fault)
{
    if (!fault->what) {
        return;
    }
    // All are counted; of the places only the first one is kept.
    seen->count += fault->count;
    if (!seen->step || unit < seen->unit) {
        seen->step = step;
        seen->unit = unit;
        seen->fault = *fault;
    }
}

void hoist_undefined_add(hoist_undefined_seen *seen, hoist_undefined_seen *later)
{
    if (!later->step) { // of nearly all steps
        return;
    }
    const uint64_t count = seen->count + later->count;
    if (!seen->step) {
        *seen = *later;
    }
    seen->count = count;
    *later = (hoist_undefined_seen){.count = 0};
}

// "'q' -> add_1 (add) -> sqrt_1 (sqrt)"
static void write_chain(const hoist_origin *origin, hoist_buffer *out)
{
    // Of a long chain the last steps, which are nearest to where it happened.
    const size_t skipped = origin->count > MOST_STEPS ? origin->count - MOST_STEPS : 0;
    hoist_buffer_format(out, "'%.*s'", HOIST_STR_ARGS(origin->input));
    if (skipped) {
        hoist_buffer_format(out, " -> %zu more", skipped);
    }
    for (size_t i = skipped; i < origin->count; i++) {
        const hoist_prog_step *step = origin->steps[i];
        hoist_buffer_format(out, " -> %.*s", HOIST_STR_ARGS(step->label));
        if (step->kind == HOIST_STEP_COMPUTE) {
            hoist_buffer_format(out, " (%s)", hoist_compute_get(step->as.compute->op)->name);
        }
    }
}

void hoist_undefined_report(hoist_undefined_seen *seen, const hoist_program *program,
                            hoist_diag *diag, hoist_allocator alloc)
{
    const hoist_prog_step *step = seen->step;
    const hoist_compute_fault *fault = &seen->fault;
    if (!step) {
        return;
    }
    char value[32] = "NaN"; // whose sign is the machine's
    if (!isnan(fault->value)) {
        (void)snprintf(value, sizeof value, "%g", fault->value);
    }
    // Without memory for the chain the warning goes without.
    hoist_buffer chain;
    hoist_origin origin;
    hoist_frame code;
    hoist_frame label;
    hoist_buffer_init(&chain, alloc);
    if (hoist_origin_find(program, step, alloc, &origin) == HOIST_OK && origin.input.size) {
        write_chain(&origin, &chain);
    }
    hoist_diag_push(diag, &code, NULL, HOIST_STR(""), origin.code);
    hoist_diag_push(diag, &label, NULL, HOIST_STR(""), step->label);
    const hoist_str text = hoist_buffer_text(&chain);
    hoist_report(diag, hoist_runtime_rule_row(HOIST_RUNTIME_UNDEFINED), step->loc,
                 "step '%.*s': %s: %s at [%llu, %llu, %llu], the first of %llu elements at which "
                 "the reference stops; the run went on with IEEE 754's values%s%.*s",
                 HOIST_STR_ARGS(step->label), fault->what, value, (unsigned long long)fault->z,
                 (unsigned long long)fault->row, (unsigned long long)fault->col,
                 (unsigned long long)seen->count, text.size ? "; nearest input: " : "",
                 HOIST_STR_ARGS(text));
    hoist_diag_pop(diag, &label);
    hoist_diag_pop(diag, &code);
    hoist_origin_deinit(&origin, alloc);
    hoist_buffer_deinit(&chain);
    // A later run has a warning of its own.
    *seen = (hoist_undefined_seen){.count = 0};
}
