// hoist/lower.h - choices when a file is lowered to a program (hoist_job_lower in hoist/load.h).
#ifndef HOIST_LOWER_H
#define HOIST_LOWER_H

#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hoist_numerics {
    HOIST_NUMERICS_REFERENCE = 0, // the format's own reference, bit for bit
} hoist_numerics;

typedef enum hoist_queue_mode {
    HOIST_QUEUES_STRICT = 0, // as devices: a queue of E entries holds E
    HOIST_QUEUES_GOLDEN,     // as the BUDA reference model
} hoist_queue_mode;

enum { HOIST_MAX_RANKS = 1024 }; // of a job

// How sums of quantised layers that were recovered from a compiled file become numbers; other files
// say it themselves.
typedef enum hoist_requantization {
    HOIST_REQUANTIZE_INTEGER = 0, // as TFLite's reference kernels
    HOIST_REQUANTIZE_FLOAT,       // in float32, as the fields of the instructions are; half to even
} hoist_requantization;

// How a driver brings an Edge TPU its work.
typedef enum hoist_driver {
    HOIST_DRIVER_PCIE = 0,     // all instructions in order; the chip fetches the rest itself
    HOIST_DRIVER_USB,          // by the hints of the file
    HOIST_DRIVER_USB_NO_HINTS, // the first instructions, then what the chip asks for
    HOIST_DRIVER_NONE,         // no transfers: layers work on the caller's tensors
} hoist_driver;

enum { HOIST_MAX_BATCH = 4096 };

typedef struct hoist_lower_options {
    size_t struct_size; // sizeof(hoist_lower_options)
    hoist_numerics numerics;
    hoist_queue_mode queue_mode;
    uint32_t
        ranks; // that run the job, at most HOIST_MAX_RANKS; 0: one for each file, else what it says
    hoist_unknown on_unknown;
    bool control_only; // constants are taken as zeros: the program is judged, not run
    // Steps of an engine, its calls unrolled; more are HOIST_LIMIT unless they all stand in the
    // file. 0: only the built-in limits.
    uint64_t max_steps;
    hoist_requantization requantization;
    hoist_driver driver;
    // Inferences of a run, at most HOIST_MAX_BATCH: the first dimension of inputs and outputs is
    // that many times the file's. 0: one.
    uint32_t batch;
} hoist_lower_options;

#ifdef __cplusplus
}
#endif

#endif // HOIST_LOWER_H
