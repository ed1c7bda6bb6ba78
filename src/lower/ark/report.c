// Findings in ARK files at their operators, and steps with the place and name of the operator that
// they are made of. Used by all other parts; context.h has what formats share.

#include "base/span.h"
#include "lower/ark/state.h"

// The location of an operator, with its title before the text; without an operator that of the
// file.
static hoist_lower_place place_of(ark_lower_job *j, const ark_lower_rank *rank,
                                  const ark_step *step)
{
    hoist_lower_place place = {.loc = hoist_loc_none(), .file = rank->file->name};
    if (step) {
        const hoist_str title = ark_step_title(step, &j->c.arena);
        hoist_lower_fail(&j->c, title.data ? HOIST_OK : HOIST_NO_MEMORY);
        place.loc = hoist_loc_pos(step->op->pos);
        place.front = hoist_lower_format(&j->c, "%.*s: ", HOIST_STR_ARGS(title));
    }
    return place;
}

void ark_lower_refuse(ark_lower_job *j, hoist_lower_rule_id rule, const ark_lower_rank *rank,
                      const ark_step *step, const char *format, ...)
{
    const hoist_lower_place place = place_of(j, rank, step);
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(&j->c, hoist_lower_rule(rule), &place, format, args);
    va_end(args);
}

// The number of steps is bounded, since plans may cut operators into any number of tiles.
void ark_lower_step(const ark_lower_op *op, hoist_prog_step step)
{
    ark_lower_job *j = op->job;
    step.loc = hoist_loc_pos(op->step->op->pos);
    step.loc.source = op->rank->source;
    step.label = op->step->op->name.text;
    if (++j->steps > ARK_LOWER_MAX_STEPS) {
        ark_lower_refuse(j, RUN_008, op->rank, op->step, "the program has more than %d steps",
                         ARK_LOWER_MAX_STEPS);
        hoist_lower_fail(&j->c, HOIST_LIMIT);
        return;
    }
    (void)hoist_builder_step(j->c.b, &step);
}

// Types and shapes are the caller's to compare.
void ark_lower_move(const ark_lower_op *op, const hoist_lower_view *from,
                    const hoist_lower_view *to)
{
    hoist_builder *b = op->job->c.b;
    const hoist_move_source source = {.view = hoist_lower_view_ref(b, from), .scale = 1};
    const hoist_prog_move move = {.op = HOIST_MOVE_COPY,
                                  .destination = hoist_lower_view_ref(b, to),
                                  .sources = &source,
                                  .source_count = 1};
    ark_lower_step(op, (hoist_prog_step){.kind = HOIST_STEP_MOVE, .as.move = &move});
}
