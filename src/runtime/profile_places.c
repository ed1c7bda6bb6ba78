// The functions and ops of a program's data steps, found once when a profile begins, so that a step
// finds its own by a search. profile.c adds the times.
#include "runtime/profile_places.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/span.h"

bool hoist_profile_is_data(const hoist_prog_step *step)
{
    return step->kind >= HOIST_STEP_ZERO && step->kind < HOIST_STEP_COUNT;
}

// A compute step's label is the name of its op.
static bool has_op(const hoist_prog_step *step)
{
    return step->kind == HOIST_STEP_COMPUTE && step->label.size;
}

static int by_name(const void *a, const void *b)
{
    return hoist_str_compare(*(const hoist_str *)a, *(const hoist_str *)b);
}

// By address: the order says nothing, but it is one.
static int by_step(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const hoist_profile_place *)a)->step;
    const uintptr_t y = (uintptr_t)((const hoist_profile_place *)b)->step;
    return (x > y) - (x < y);
}

// How many rows the tables need at most.
static void count_steps(const hoist_program *program, size_t *out_data, size_t *out_ops)
{
    *out_data = *out_ops = 0;
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, i);
        for (uint32_t k = 0; k < code->step_count; k++) {
            *out_data += hoist_profile_is_data(&code->steps[k]);
            *out_ops += has_op(&code->steps[k]);
        }
    }
}

// Names of functions, then one of each op in the order of names.
static void name_rows(const hoist_program *program, hoist_profile_places *places)
{
    hoist_str *ops = places->names + program->function_count;
    size_t count = 0;
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, i);
        for (uint32_t k = 0; k < code->step_count; k++) {
            if (has_op(&code->steps[k])) {
                ops[count++] = code->steps[k].label;
            }
        }
    }
    // Sorted, so that equal names are neighbours and a step finds its own.
    qsort(ops, count, sizeof(*ops), by_name);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !hoist_str_equal(ops[i], ops[i - 1])) {
            ops[kept++] = ops[i];
        }
    }
    for (uint32_t i = 0; i < program->function_count; i++) {
        places->names[i] = program->functions[i].name;
    }
    places->functions = program->function_count;
    places->name_count = places->functions + kept;
}

// The number of the op that a step belongs to by its label.
static hoist_ref op_of(const hoist_profile_places *places, const hoist_prog_step *step)
{
    const hoist_str *ops = places->names + places->functions;
    const hoist_str *found =
        bsearch(&step->label, ops, places->name_count - places->functions, sizeof(*ops), by_name);
    return found ? (hoist_ref)(found - places->names) : HOIST_NO_REF;
}

hoist_status hoist_profile_places_find(const hoist_program *program, hoist_arena *arena,
                                       hoist_profile_places *out_places)
{
    size_t data = 0;
    size_t ops = 0;
    count_steps(program, &data, &ops);
    *out_places = (hoist_profile_places){0};
    out_places->names =
        hoist_arena_array(arena, program->function_count + ops, sizeof(out_places->names[0]));
    out_places->at = hoist_arena_array(arena, data, sizeof(out_places->at[0]));
    if (!out_places->names || !out_places->at) {
        return HOIST_NO_MEMORY;
    }
    name_rows(program, out_places);
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, i);
        // Code of functions comes first; what follows is code of threads.
        const hoist_ref function = i < out_places->functions ? (hoist_ref)i : HOIST_NO_REF;
        for (uint32_t k = 0; k < code->step_count; k++) {
            const hoist_prog_step *step = &code->steps[k];
            if (hoist_profile_is_data(step)) {
                out_places->at[out_places->count++] =
                    (hoist_profile_place){step, function, op_of(out_places, step)};
            }
        }
    }
    qsort(out_places->at, out_places->count, sizeof(out_places->at[0]), by_step);
    return HOIST_OK;
}

hoist_profile_place hoist_profile_places_of(const hoist_profile_places *places,
                                            const hoist_prog_step *step)
{
    const hoist_profile_place key = {.step = step};
    const hoist_profile_place *found =
        bsearch(&key, places->at, places->count, sizeof(key), by_step);
    HOIST_ASSERT(found);
    return *found;
}
