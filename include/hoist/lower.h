// hoist/lower.h - options of lowering a file to a program: hoist_job_lower() and, for some of them,
// hoist_job_check_order() in hoist/load.h. A value outside its enum or range is HOIST_INVALID. An
// option that means nothing to the job's format is ignored.
#ifndef HOIST_LOWER_H
#define HOIST_LOWER_H

#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

// Arithmetic of the program.
typedef enum hoist_numerics {
    HOIST_NUMERICS_REFERENCE = 0, // the format's own reference, bit for bit
    // BUDA: the reference's arithmetic, each result rounded to the format that the netlist
    // declares: acc_df, intermed_df, out_df, a queue's df; dropout as its seed says.
    HOIST_NUMERICS_DECLARED,
    // BUDA: as Wormhole b0 and Blackhole compute, bit for bit; what is not known of them is
    // refused.
    HOIST_NUMERICS_DEVICE,
    // ARK: products of bfloat16 by the instructions that this CPU has for them, in any order,
    // within a bound (docs/formats/ark.md); hoist_fast_products() in hoist/runtime.h says which.
    // All else, and all of other formats: as HOIST_NUMERICS_REFERENCE.
    HOIST_NUMERICS_FAST,
} hoist_numerics;

// BUDA: when a queue is full or empty.
typedef enum hoist_queue_mode {
    HOIST_QUEUES_STRICT = 0, // as on devices: a queue of E entries holds E
    HOIST_QUEUES_GOLDEN,     // as in the BUDA reference model, whose queues may hold up to 2 E
} hoist_queue_mode;

// Ranks of a job at most; more are HOIST_LIMIT.
enum { HOIST_MAX_RANKS = 1024 };

// TFLite, Edge TPU: how sums of quantised layers are scaled to numbers of the output.
typedef enum hoist_requantization {
    HOIST_REQUANTIZE_DOUBLE = 0, // in integers, rounded twice, as TFLite's reference kernels do
    // The same, but sums of convolutions and dense layers of int8 numbers are rounded once, and
    // MEAN and SOFTMAX are computed in part in float32, as TFLite's optimised kernels do.
    HOIST_REQUANTIZE_SINGLE,
    // In float32, as the fields of an Edge TPU's instructions are, ties to even; layers that are
    // not of an Edge TPU are rounded twice.
    HOIST_REQUANTIZE_FLOAT,
} hoist_requantization;

// Edge TPU: the driver's way of sending work to the device.
typedef enum hoist_driver {
    HOIST_DRIVER_PCIE = 0,     // all instructions in order; the chip fetches the rest itself
    HOIST_DRIVER_USB,          // by the hints of the file
    HOIST_DRIVER_USB_NO_HINTS, // the first instructions, then what the chip requests
    HOIST_DRIVER_NONE,         // no transfers: layers work on the caller's tensors
} hoist_driver;

// Inferences of a run at most; more are HOIST_INVALID.
enum { HOIST_MAX_BATCH = 4096 };

// Choices for hoist_job_lower().
typedef struct hoist_lower_options {
    size_t struct_size;          // sizeof(hoist_lower_options)
    hoist_numerics numerics;     // arithmetic of the program
    hoist_queue_mode queue_mode; // BUDA: capacity of queues
    // NEFF: ranks that run the job, at most HOIST_MAX_RANKS; of several files exactly one for each.
    // 0: one for each file; of one file as many as it names.
    uint32_t ranks;
    // Instructions whose meaning is not public: the file is refused, or they become opaque steps.
    hoist_unknown on_unknown;
    bool control_only; // constants are taken as zeros: the program is checked, not run
    // NEFF: steps of an engine when its calls are unrolled; more are HOIST_LIMIT unless all of them
    // are in the file. 0: only the built-in limits.
    uint64_t max_steps;
    hoist_requantization requantization; // TFLite, Edge TPU
    hoist_driver driver;                 // Edge TPU
    // TFLite, Edge TPU: inferences of a run, at most HOIST_MAX_BATCH: the first dimension of inputs
    // and outputs is that many times the file's. 0: one.
    uint32_t batch;
    // TFLite, Edge TPU: tensors between operators and layers can be read after a run, as outputs;
    // of several inferences those of the last. Layer M of operator N's package is
    // "edgetpu/N/layer/M".
    bool layers;
    // Edge TPU, with `layers` and HOIST_DRIVER_NONE: layers do not read the results of layer M but
    // "edgetpu/N/given/M", an input of its type and shape: each is computed alone.
    bool layers_alone;
    // Edge TPU: a note counts the multipliers of 24 bits (RUN-044).
    bool notes_multipliers;
} hoist_lower_options;

#ifdef __cplusplus
}
#endif

#endif // HOIST_LOWER_H
