// Chooses the entries of a program for the order check: which run, in which order, with which
// parameters. In: the options' names. Out: references and values for machine/order.h; time.c uses
// it for estimates.
#include "base/diag.h"
#include "base/name_list.h"
#include "load/load_rules.h"
#include "load/question.h"

// Reports a name that is not there, with those that are. `there` is freed. HOIST_NOT_FOUND,
// HOIST_NO_MEMORY.
static hoist_status refuse_name(const hoist_question *q, const char *what, const char *name,
                                hoist_name_list *there)
{
    const char *list = hoist_name_list_text(there);
    const bool whole = !there->text.failed;
    if (whole) {
        hoist_report(q->diag, hoist_load_rule(LOAD_003), hoist_loc_none(),
                     "there is no %s '%s'; there are: %s", what, name, list);
    }
    hoist_name_list_deinit(there);
    return whole ? HOIST_NOT_FOUND : HOIST_NO_MEMORY;
}

// What runs once is never chosen.
static hoist_status refuse_program(const hoist_question *q, const char *name)
{
    hoist_name_list there;
    hoist_name_list_init(&there, q->job->alloc);
    for (uint32_t i = 0; i < q->program->entry_count; i++) {
        if (!q->program->entries[i].once) {
            hoist_name_list_add(&there, q->program->entries[i].name);
        }
    }
    return refuse_name(q, "program", name, &there);
}

// Parameters of the programs that were chosen: others are of no use in this call.
static hoist_status refuse_parameter(const hoist_question *q, const hoist_order_sequence *all,
                                     const char *name)
{
    hoist_name_list there;
    hoist_name_list_init(&there, q->job->alloc);
    for (uint32_t i = 0; i < all->count; i++) {
        const hoist_prog_entry *entry = &q->program->entries[all->entries[i]];
        for (uint32_t k = 0; k < entry->parameter_count; k++) {
            hoist_name_list_add(&there, entry->parameters[k].name);
        }
    }
    return refuse_name(q, "parameter", name, &there);
}

// Parameters that the options do not give are 1, as in a run without them.
static hoist_status add_entry(hoist_question *q, hoist_order_sequence *all, hoist_ref index,
                              bool *used)
{
    const hoist_prog_entry *entry = &q->program->entries[index];
    int64_t *values = hoist_arena_array(&q->arena, entry->parameter_count, sizeof *values);
    if (!values) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++) {
        values[i] = 1; // as a run without parameters has it
    }
    for (size_t i = 0; i < q->options->parameter_count; i++) {
        const hoist_parameter *given = &q->options->parameters[i];
        // The count: it has none of that name.
        const uint32_t at = hoist_prog_find_parameter(entry, given->name);
        if (at < entry->parameter_count) {
            values[at] = given->value;
            used[i] = true;
        }
    }
    all->entries[all->count] = index;
    all->parameters[all->count++] = values;
    return HOIST_OK;
}

// Loaders run first in any case; all programs when none is named.
static hoist_status add_entries(hoist_question *q, hoist_order_sequence *all, bool *used)
{
    const hoist_order_check *options = q->options;
    for (uint32_t i = 0; i < q->program->entry_count; i++) {
        if (q->program->entries[i].once || !options->programs) {
            HOIST_TRY(add_entry(q, all, i, used));
        }
    }
    for (size_t i = 0; options->programs && i < options->program_count; i++) {
        const hoist_ref entry = hoist_prog_find_entry(q->program, options->programs[i]);
        if (entry == HOIST_NO_REF) {
            return refuse_program(q, options->programs[i]);
        }
        HOIST_TRY(add_entry(q, all, entry, used));
    }
    return HOIST_OK;
}

// An entry may be chosen twice, so there may be more than the program has.
hoist_status hoist_question_choose(hoist_question *q, hoist_order_sequence *all)
{
    const size_t most = q->program->entry_count + q->options->program_count;
    bool *used = hoist_arena_array(&q->arena, q->options->parameter_count, sizeof *used);
    all->entries = hoist_arena_array(&q->arena, most, sizeof *all->entries);
    all->parameters = hoist_arena_array(&q->arena, most, sizeof *all->parameters);
    if (!used || !all->entries || !all->parameters) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(add_entries(q, all, used));
    // A value that no entry takes is a mistake of the user.
    for (size_t i = 0; i < q->options->parameter_count; i++) {
        if (!used[i]) {
            return refuse_parameter(q, all, q->options->parameters[i].name);
        }
    }
    return HOIST_OK;
}
