// hoist/lower.h - choices when a file is lowered to a program (hoist_job_lower in hoist/load.h).
#ifndef HOIST_LOWER_H
#define HOIST_LOWER_H

#include "hoist/base.h"

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

// What becomes of an instruction that computes, where the format's numerics are not public.
typedef enum hoist_unknown {
    HOIST_UNKNOWN_STOP = 0, // the file is refused
    HOIST_UNKNOWN_SKIP,     // it waits and signals, and changes no data
    HOIST_UNKNOWN_POISON,   // the same, and what it may have written is unknown from then on
} hoist_unknown;

typedef struct hoist_lower_options {
    size_t struct_size; // sizeof(hoist_lower_options)
    hoist_numerics numerics;
    hoist_queue_mode queue_mode;
    uint32_t ranks; // that run the job; 0: one for each of its files, else what the file says
    hoist_unknown on_unknown;
    bool control_only; // constants are taken as zeros: the program is judged, not run
} hoist_lower_options;

#ifdef __cplusplus
}
#endif

#endif // HOIST_LOWER_H
