// Findings in NEFFs, the places of steps, and the semaphores of a core: below all other parts of
// lower/neff. A finding names the file of the rank, the member in it and the object in that; a step
// keeps the same place, so that findings of a run are located alike.
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "lower/neff/state.h"

// Findings --------------------------------------------------------------------------------------

// The object path in its member, as the rules of the format name it: "record 12", "dma/3/desc/0",
// "var/input".
static hoist_str path_of(neff_lower_job *j, const neff_lower_place *place)
{
    switch (place->kind) {
    case NEFF_LOWER_IN_RECORD:
        return hoist_lower_format(&j->c, "record %" PRIu32, place->at);
    case NEFF_LOWER_IN_BLOCK:
        return hoist_lower_format(&j->c, "dma/%" PRIu32, place->at);
    case NEFF_LOWER_IN_DESC:
        return hoist_lower_format(&j->c, "dma/%" PRIu32 "/desc/%" PRIu32, place->at, place->desc);
    case NEFF_LOWER_IN_VAR:
        HOIST_ASSERT(place->core && place->core->subgraph);
        return hoist_lower_format(&j->c, "var/%.*s",
                                  HOIST_STR_ARGS(place->core->subgraph->vars[place->at].name));
    case NEFF_LOWER_IN_FILE:
        break;
    }
    return place->core && place->core->subgraph ? place->core->subgraph->name : HOIST_STR("");
}

// What a refusal is about, in words, as its place is a byte or a line only.
static hoist_str part_of(neff_lower_job *j, const neff_lower_place *place)
{
    switch (place->kind) {
    case NEFF_LOWER_IN_RECORD:
        return hoist_lower_format(&j->c, " (record %" PRIu32 ")", place->at);
    case NEFF_LOWER_IN_DESC:
        return hoist_lower_format(&j->c,
                                  " (descriptor %" PRIu32 " of the block with id %" PRId64 ")",
                                  place->desc, place->engine->blocks[place->at].id);
    case NEFF_LOWER_IN_BLOCK:
        return hoist_lower_format(&j->c, " (the block with id %" PRId64 ")",
                                  place->engine->blocks[place->at].id);
    case NEFF_LOWER_IN_VAR:
    case NEFF_LOWER_IN_FILE:
        break;
    }
    return HOIST_STR("");
}

// As lower/context.h has places; texts are in the arena.
static hoist_lower_place place_of(neff_lower_job *j, const neff_lower_place *place)
{
    const neff_lower_file *file = place->core ? place->core->file : NULL;
    return (hoist_lower_place){.loc = place->loc,
                               .file = file ? file->name : HOIST_STR(""),
                               .member = file && place->member != NEFF_NONE
                                             ? file->module->members[place->member].name
                                             : HOIST_STR(""),
                               .path = {path_of(j, place)},
                               .part = part_of(j, place)};
}

void neff_lower_refuse(neff_lower_job *j, hoist_lower_rule_id rule, const neff_lower_place *place,
                       const char *format, ...)
{
    const hoist_lower_place shown = place_of(j, place);
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(&j->c, hoist_lower_rule(rule), &shown, format, args);
    va_end(args);
}

// A finding by a rule of NEFFs: its message names the part already, and the job has errors.
void neff_lower_find(neff_lower_job *j, neff_rule rule, const neff_lower_place *place,
                     const char *format, ...)
{
    hoist_lower_place shown = place_of(j, place);
    va_list args;
    shown.part = HOIST_STR("");
    va_start(args, format);
    hoist_lower_vrefuse(&j->c, neff_rule_row(rule), &shown, format, args);
    va_end(args);
    j->c.invalid = true;
}

// Rows and steps --------------------------------------------------------------------------------

uint32_t neff_lower_source(neff_lower_job *j, const neff_lower_file *file, uint32_t member)
{
    HOIST_ASSERT(member == NEFF_NONE || member < file->module->member_count);
    if (member == NEFF_NONE) {
        return 0;
    }
    const neff_member *m = &file->module->members[member];
    // Streams are shown by record number: 64 bytes each.
    const uint32_t records = m->role == NEFF_ROLE_STREAM ? NEFF_RECORD_SIZE : 0;
    return hoist_builder_source(j->c.b, (hoist_source){file->name, m->name, records});
}

// The limit holds before the builder does: a file of a few kilobytes can unroll to any length.
void neff_lower_step(neff_lower_job *j, const neff_lower_place *place, const char *label,
                     hoist_prog_step step)
{
    step.loc = place->loc;
    step.label = hoist_str_from(label);
    if (++j->steps > NEFF_LOWER_MAX_STEPS) {
        neff_lower_exceed(j, RUN_022, place, "the program has more than %d steps",
                          NEFF_LOWER_MAX_STEPS);
        return;
    } // found at the place that asked for it
    (void)hoist_builder_step(j->c.b, &step);
}

// Made when first used, so that programs declare only what they need. `maximum` 0: none; an event
// is a semaphore that holds 0 or 1.
static hoist_ref semaphore(neff_lower_job *j, hoist_ref *slot, hoist_str name, int64_t maximum)
{
    if (*slot == HOIST_NO_REF) {
        *slot = hoist_builder_semaphore(j->c.b,
                                        &(hoist_prog_semaphore){.name = name, .maximum = maximum});
    }
    return *slot;
}

hoist_ref neff_lower_semaphore(neff_lower_job *j, const neff_lower_core *core, uint32_t number)
{
    HOIST_ASSERT(number < NEFF_LOWER_SEMAPHORES && core->number < j->core_count);
    neff_lower_core *own = &j->cores[core->number]; // `core` may be the peer, and is const
    const hoist_str name = hoist_lower_name(&j->c, core->prefix, "s%u", number);
    return semaphore(j, &own->semaphores[number], name, 0);
}

hoist_ref neff_lower_event(neff_lower_job *j, const neff_lower_core *core, uint32_t number)
{
    HOIST_ASSERT(number < NEFF_LOWER_SEMAPHORES && core->number < j->core_count);
    neff_lower_core *own = &j->cores[core->number];
    const hoist_str name = hoist_lower_name(&j->c, core->prefix, "e%u", number);
    return semaphore(j, &own->events[number], name, 1);
}
