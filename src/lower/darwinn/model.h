// lower/darwinn/model.h - Edge TPU packages as parts of a program: the layers that were recovered
// as what the chip computes, and the driver's walk around them (darwinn reference sections 4 to 6
// and 16).
//
// A model is prepared before code is built: that makes its buffers, units and functions. Then the
// code being built may make requests of it, as often as it likes.
//
//     user's tensor -> sign flip, padding -> input buffer -> infeed -> chip
//         -> layers -> the chip's output order -> outfeed -> output buffer -> relayout, sign flip
//
// With HOIST_DRIVER_NONE there is nothing between the layers and the user's tensors.
#ifndef HOIST_SRC_LOWER_DARWINN_MODEL_H
#define HOIST_SRC_LOWER_DARWINN_MODEL_H

#include "base/span.h"
#include "formats/darwinn/cycles.h"
#include "formats/darwinn/module.h"
#include "formats/darwinn/recover.h"
#include "lower/context.h"
#include "lower/quant.h"

#define DARWINN_LOWER_MAX_BYTES (INT64_C(1) << 40) // of a tensor

enum { DARWINN_LOWER_MAX_EXECUTIONS = 4096 }; // of layers for one inference

// One chip, which all models of a program share.
typedef struct darwinn_lower_chip {
    hoist_lower_context *c; // borrowed: that of the job
    uint32_t source;        // hoist_loc.source of the next model's steps
    uint32_t thread;        // number of the thread being built, which has registers of its own
    hoist_ref host;         // space of what the caller gives and gets
    bool is_made;           // what follows, which the first model makes; else zeros
    hoist_ref memory;       // space
    hoist_ref infeed, outfeed, path,
        cores;                           // units; HOIST_NO_REF until the driver's walk makes them
    hoist_ref middles[2];                // constants: what flipping adds to numbers of one byte and
                                         // of two; HOIST_NO_REF until a layer has some
    uint64_t next_range;                 // of 4 GiB, of the host's addresses as the chip sees them
    struct darwinn_lower_tokens *tokens; // what the driver remembers of parameters; arena
} darwinn_lower_chip;

// A package that is run.
typedef struct darwinn_lower_model {
    darwinn_lower_chip *chip;
    hoist_lower_context *c; // the chip's
    uint64_t errors;        // of the job before the model was prepared
    const dwn_module *module;
    const dwn_contents *contents;
    dwn_roles roles;
    const dwn_executable *main;    // rows of the executable that is run
    const dwn_executable *caching; // NULL: none
    hoist_str name;                // of the model, for names of objects; unique in the program
    dwn_recovery recovery;
    dwn_cycles cycles; // of a run of the main executable
    hoist_requantization requantization;
    uint32_t source;                   // hoist_loc.source of its steps
    uint32_t executions;               // of the layers for one inference
    hoist_ref layers;                  // function: the layers of one element of a batch (layers.c)
    struct darwinn_lower_drive *drive; // arena; NULL with HOIST_DRIVER_NONE (drive.c)
} darwinn_lower_model;

// Recovers the layers and makes what requests need. False: it was reported why it cannot be run,
// or the context's status says what failed. No code is being built. model.c
bool darwinn_lower_prepare(darwinn_lower_chip *chip, const dwn_module *module, hoist_str name,
                           darwinn_lower_model *out_model);

// Elements of a request: input layer i of element e is tensors[e * inputs + i], in the order of the
// executable's layers; of the layer's type and size, whatever the rank. The output that is the
// state of an input may have that input's tensor.
typedef struct darwinn_lower_request {
    const hoist_lower_view *inputs;
    const hoist_lower_view *outputs;
    uint32_t elements;
} darwinn_lower_request;

// Elements of a layer in all executions, as the user's tensor has them; -1: there are too many.
// model.c
int64_t darwinn_lower_elements(const dwn_layer *layer);

// Adds the steps of a request to the code being built. With a driver that is a thread, the same one
// for all requests of all models: only threads post to units, and only their registers remember
// which parameters are on the chip. With HOIST_DRIVER_NONE it is a function. model.c
void darwinn_lower_run(darwinn_lower_model *model, const darwinn_lower_request *request);

// The same with HOIST_DRIVER_NONE. plain.c
void darwinn_lower_plain_run(darwinn_lower_model *model, const darwinn_lower_request *request);

// Work of the chip for steps that follow: cycles of a run of the main executable, which executes
// the layers `executions` times for each element of its batch. work.c
hoist_prog_work darwinn_lower_cycles(const darwinn_lower_model *model, uint64_t cycles);
// Work of the device by itself.
#define DARWINN_LOWER_DEVICE HOIST_STR("edgetpu")

// The function of the layers, for one execution of one element (a layer that is executed several
// times for an inference has that many times its bytes, and the function is called that often). Its
// parameters are views, input layers then output layers, as the
// chip has their numbers: unsigned, [1, y, x, z], dense. Numbers that no layer of the recovery
// makes are what `on_unknown` says, else the model is refused. HOIST_NO_REF: refused or failed.
// layers.c
hoist_ref darwinn_lower_layers(darwinn_lower_model *model);

// How often the layers are executed for one inference, in model->executions. False: not all of them
// as often, which was reported. model.c
bool darwinn_lower_count_executions(darwinn_lower_model *model);

// The driver's walk. drive.c
bool darwinn_lower_drive_prepare(darwinn_lower_model *model);
void darwinn_lower_drive_run(darwinn_lower_model *model, const darwinn_lower_request *request);

// Reports what a rule says about a package, at the place of the executable, or at one of its file.
// If it is an error, there will be no program. Both give false. report.c
bool darwinn_lower_refuse(darwinn_lower_model *model, hoist_lower_rule_id rule, const char *format,
                          ...) HOIST_PRINTF(3, 4);
bool darwinn_lower_refuse_at(darwinn_lower_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                             const char *format, ...) HOIST_PRINTF(4, 5);
// Reports which limit of dwn_program_execute() an executable is beyond. report.c
void darwinn_lower_refuse_program(darwinn_lower_model *model, const dwn_image *image,
                                  const char *role);
// A buffer for all of a dense view, which lives as long as a call, in the memory of the chip;
// HOIST_NO_REF: the status of the context, or that of the builder, says why. report.c
hoist_ref darwinn_lower_memory(darwinn_lower_model *model, const hoist_lower_view *view);

#endif // HOIST_SRC_LOWER_DARWINN_MODEL_H
