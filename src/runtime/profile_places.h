// runtime/profile_places.h - where in its program a data step is, for rows of a profile: in which
// function (a netlist's graph), and of which op.
#ifndef HOIST_SRC_RUNTIME_PROFILE_PLACES_H
#define HOIST_SRC_RUNTIME_PROFILE_PLACES_H

#include "base/arena.h"
#include "program/program.h"

// Whether a step moves or computes data.
bool hoist_profile_is_data(const hoist_prog_step *step);

// Numbers among the rows of places: those of functions first, then those of ops. HOIST_NO_REF: the
// step is in none.
typedef struct hoist_profile_place {
    const hoist_prog_step *step; // borrowed from the program
    hoist_ref function;
    hoist_ref op;
} hoist_profile_place;

typedef struct hoist_profile_places {
    hoist_profile_place *at; // arena: ascending by step
    size_t count;
    hoist_str *names; // arena: of the rows
    size_t functions;
    size_t name_count; // functions, then ops
} hoist_profile_places;

// Ops are the labels of compute steps; other data steps that have the label of one are part of it.
HOIST_NODISCARD hoist_status hoist_profile_places_find(const hoist_program *program,
                                                       hoist_arena *arena,
                                                       hoist_profile_places *out_places);

// The place of a data step.
hoist_profile_place hoist_profile_places_of(const hoist_profile_places *places,
                                            const hoist_prog_step *step);

#endif // HOIST_SRC_RUNTIME_PROFILE_PLACES_H
