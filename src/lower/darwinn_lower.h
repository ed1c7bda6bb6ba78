// lower/darwinn_lower.h - Edge TPU packages as parts of a program: the layers that were recovered
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
#ifndef HOIST_SRC_LOWER_DARWINN_LOWER_H
#define HOIST_SRC_LOWER_DARWINN_LOWER_H

#include "base/diag.h"
#include "formats/darwinn/module.h"
#include "formats/darwinn/recover.h"
#include "lower/lower.h"
#include "lower/lower_rules.h"
#include "lower/quant.h"

#define HOIST_DARWINN_MAX_BYTES (INT64_C(1) << 40) // of a tensor

enum { HOIST_DARWINN_MAX_EXECUTIONS = 4096 }; // of layers for one inference

// One chip, which all models of a program share.
typedef struct hoist_darwinn_chip {
    const hoist_lower_options *options;
    hoist_diag *diag;
    hoist_builder *b;
    hoist_arena *arena; // lives until the program is finished
    hoist_map *names;   // of buffers; keys live in the arena or the file
    uint32_t source;    // hoist_loc.source of the next model's steps
    uint32_t thread;    // number of the thread being built, which has registers of its own
    hoist_ref host;     // space of what the caller gives and gets
    bool is_made;       // what follows, which the first model makes; else zeros
    hoist_ref memory;   // space
    hoist_ref infeed, outfeed, path,
        cores;                           // units; HOIST_NO_REF until the driver's walk makes them
    hoist_ref middles[2];                // constants: what flipping adds to numbers of one byte and
                                         // of two; HOIST_NO_REF until a layer has some
    uint32_t constants;                  // names tried for constants so far
    uint64_t next_range;                 // of 4 GiB, of the host's addresses as the chip sees them
    struct hoist_darwinn_tokens *tokens; // what the driver remembers of parameters; arena
    hoist_status status;                 // HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_INTERNAL
    bool refused; // something was reported that keeps the program from being made
} hoist_darwinn_chip;

// A package that is run.
typedef struct hoist_darwinn_model {
    hoist_darwinn_chip *chip;
    const dwn_module *module;
    const dwn_contents *contents;
    dwn_roles roles;
    const dwn_executable *main;    // rows of the executable that is run
    const dwn_executable *caching; // NULL: none
    hoist_str name;                // of the model, for names of objects; unique in the program
    dwn_recovery recovery;
    hoist_requantization requantization;
    uint32_t source;     // hoist_loc.source of its steps
    uint32_t executions; // of the layers for one inference
    hoist_ref layers;    // function: the layers of one element of a batch (darwinn_layers.c)
    struct hoist_darwinn_drive *drive; // arena; NULL with HOIST_DRIVER_NONE (darwinn_drive.c)
} hoist_darwinn_model;

// Recovers the layers and makes what requests need. False: it was reported why it cannot be run
// (chip->refused), or chip->status says what failed. No code is being built. darwinn.c
bool hoist_darwinn_prepare(hoist_darwinn_chip *chip, const dwn_module *module, hoist_str name,
                           hoist_darwinn_model *out_model);

// Elements of a request: input layer i of element e is tensors[e * inputs + i], in the order of the
// executable's layers; of the layer's type and size, whatever the rank. The output that is the
// state of an input may have that input's tensor.
typedef struct hoist_darwinn_request {
    const hoist_quant_view *inputs;
    const hoist_quant_view *outputs;
    uint32_t elements;
} hoist_darwinn_request;

// Elements of a layer in all executions, as the user's tensor has them; -1: there are too many.
// darwinn.c
int64_t hoist_darwinn_elements(const dwn_layer *layer);

// Adds the steps of a request to the code being built. With a driver that is a thread, the same one
// for all requests of all models: only threads post to units, and only their registers remember
// which parameters are on the chip. With HOIST_DRIVER_NONE it is a function. darwinn.c
void hoist_darwinn_run(hoist_darwinn_model *model, const hoist_darwinn_request *request);

// The same with HOIST_DRIVER_NONE. darwinn_plain.c
void hoist_darwinn_plain_run(hoist_darwinn_model *model, const hoist_darwinn_request *request);

// The function of the layers, for one execution of one element (a layer that is executed several
// times for an inference has that many times its bytes, and the function is called that often). Its
// parameters are views, input layers then output layers, as the
// chip has their numbers: unsigned, [1, y, x, z], dense. Numbers that no layer of the recovery
// makes are what `on_unknown` says, else the model is refused. HOIST_NO_REF: refused or failed.
// darwinn_layers.c
hoist_ref hoist_darwinn_layers(hoist_darwinn_model *model);

// How often the layers are executed for one inference, in model->executions. False: not all of them
// as often, which was reported. darwinn.c
bool hoist_darwinn_count_executions(hoist_darwinn_model *model);

// The driver's walk. darwinn_drive.c
bool hoist_darwinn_drive_prepare(hoist_darwinn_model *model);
void hoist_darwinn_drive_run(hoist_darwinn_model *model, const hoist_darwinn_request *request);

// Reports what a rule says about a package, at the place of the executable, or at one of its file.
// If it is an error, there will be no program. darwinn.c
void hoist_darwinn_refuse(hoist_darwinn_model *model, hoist_lower_rule_id rule, const char *format,
                          ...) HOIST_PRINTF(3, 4);
void hoist_darwinn_refuse_at(hoist_darwinn_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                             const char *format, ...) HOIST_PRINTF(4, 5);
// Reports which limit of dwn_program_execute() an executable is beyond. darwinn.c
void hoist_darwinn_refuse_program(hoist_darwinn_model *model, const dwn_image *image,
                                  const char *role);
// Begins steps of a model whose constants are in `space`; and ends them: those that begin next do
// not try the names of their constants again. darwinn.c
void hoist_darwinn_begin_steps(const hoist_darwinn_chip *chip, hoist_ref space,
                               hoist_quant_layers *out_steps);
void hoist_darwinn_end_steps(hoist_darwinn_chip *chip, const hoist_quant_layers *steps);
// A buffer for all of a dense view, which lives as long as a call, in the memory of the chip;
// HOIST_NO_REF: chip->status, or that of the builder, says why. darwinn.c
hoist_ref hoist_darwinn_memory(hoist_darwinn_model *model, const hoist_quant_view *view);

#endif // HOIST_SRC_LOWER_DARWINN_LOWER_H
