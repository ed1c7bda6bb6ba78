// cost/model.h - times of data steps: amounts of work by the rates of the device that does it.
#ifndef HOIST_SRC_COST_MODEL_H
#define HOIST_SRC_COST_MODEL_H

#include "cost/amount.h"
#include "cost/rates.h"

// What takes the time of a step.
typedef enum hoist_bound {
    HOIST_BOUND_REQUEST = 0, // round trips between host and device
    HOIST_BOUND_TRANSFER,    // instructions, inputs, outputs; data between memories
    HOIST_BOUND_PARAMETERS,  // that are sent in every run
    HOIST_BOUND_COMPUTE,
    HOIST_BOUND_MEMORY,  // what computing reads and writes
    HOIST_BOUND_NETWORK, // data between cores
    HOIST_BOUND_COUNT,
} hoist_bound;

const char *hoist_bound_name(hoist_bound bound); // "request", "transfer", ...

typedef struct hoist_cost_model {
    hoist_str device;  // of steps without work; empty: their times are not known
    const char *link;  // between host and device: "usb3"; NULL: there is none
    const char *level; // of the CPU, as its rows have it; NULL: none
    uint32_t cores;    // of the CPU, 1 or more
    double operations; // per second of the CPU as measured; 0: as the rows have it
    double memory;     // bytes per second of the CPU as measured; 0: the same
} hoist_cost_model;

// Resources of the clock, which one step has at a time.
typedef enum hoist_resource {
    HOIST_RESOURCE_LINK = 0,
    HOIST_RESOURCE_CHIP,
    HOIST_RESOURCE_CPU,
    HOIST_RESOURCE_QUEUE, // of its process alone
    HOIST_RESOURCE_COUNT,
} hoist_resource;

typedef struct hoist_cost {
    bool is_timed;    // else there is no public time of it
    bool is_bound;    // only the low time is known
    hoist_str device; // that does it; empty: not known
    hoist_resource resource;
    hoist_amount amount; // of steps with work: bytes over the link
    uint64_t cycles;
    bool at_once; // its kinds of time pass at the same time: the longest counts
    double seconds[HOIST_CASE_COUNT][HOIST_BOUND_COUNT];
} hoist_cost;

// Whether the step's cost rests on its amount, and not on work of a device behind a link alone.
static inline bool hoist_cost_has_amount(const hoist_program *program, const hoist_prog_step *step)
{
    return !step->work || program->works[step->work - 1].has_cores;
}
// What `step` of a verified program takes; `amount` NULL: hoist_amount_of() with all slots.
hoist_cost hoist_cost_of(const hoist_cost_model *model, const hoist_program *program,
                         const hoist_prog_step *step, const hoist_amount *amount);
double hoist_cost_seconds(const hoist_cost *cost, hoist_case of); // of all its parts
// Of these parts, one for each bound: their sum, or the longest where they pass at once.
double hoist_bounds_seconds(const double *parts, bool at_once);
// Whether cores of a device do some of the program's work each for itself (hoist_prog_work).
bool hoist_program_has_cores(const hoist_program *program);

// The row, by `by` of the model, that times of the device rest on; NULL: none.
const hoist_rate *hoist_cost_rate(const hoist_cost_model *model, hoist_str device,
                                  hoist_rate_kind kind);

#endif // HOIST_SRC_COST_MODEL_H
