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
