// cost/pipeline.h - times of a device on which each op has cores of its own: an op begins when its
// inputs are complete and its cores are done with the call before, so that calls follow each other
// through the ops.
//
// The program has the ops of a call one after the other. Their process gets the time by which the
// last of what it has done so far ends later, which leaves waiting between processes as the program
// has it.
#ifndef HOIST_SRC_COST_PIPELINE_H
#define HOIST_SRC_COST_PIPELINE_H

#include "base/arena.h"
#include "program/program.h"

// What a step uses; a time for each place that is known from the step alone.
typedef struct hoist_pipeline_uses {
    double **times; // of what it reads, then of what it writes
    uint32_t read_count, count;
    bool is_elsewhere; // it uses another place, which may be that of any other step
} hoist_pipeline_uses;

typedef struct hoist_pipeline {
    const hoist_program *program;
    double *buffers; // by buffer: when its bytes are complete; arena, as all
    double *fifos;   // by fifo: the same of its slots
    double *works;   // by work: when its cores are free
    size_t process_count;
    double *memory;              // by process: when the memory of its device is free
    double *floor;               // by process: when the function at hand began
    hoist_ref *functions;        // by process: that function
    const hoist_prog_step **ops; // by process: the step that was computed last
    hoist_pipeline_uses **uses;  // by function, then by thread: of each of its steps
} hoist_pipeline;

typedef struct hoist_pipeline_step {
    const hoist_prog_step *step;
    size_t process;
    hoist_ref function; // that the process is in, innermost; HOIST_NO_REF: its own code, a thread's
    double now;         // of the process
    double computing;   // seconds of its cores
    double moving;      // seconds of the device's memory
} hoist_pipeline_step;

typedef struct hoist_pipeline_span {
    double begin;
    double end;
} hoist_pipeline_span;

// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_pipeline_init(hoist_pipeline *pipeline,
                                                 const hoist_program *program, size_t process_count,
                                                 hoist_arena *arena);
void hoist_pipeline_reset(hoist_pipeline *pipeline); // a run begins at 0
// When the step begins and ends; the process goes on at `end` where that is later than `now`.
hoist_pipeline_span hoist_pipeline_pass(hoist_pipeline *pipeline, const hoist_pipeline_step *step);

#endif // HOIST_SRC_COST_PIPELINE_H
