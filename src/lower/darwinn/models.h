// lower/darwinn/models.h - files of models that are loaded together: one program, whose entry `run`
// runs them in order. Where there are several, each has an entry of its own, too, which is called
// as its file is, without folder and ending; what it has is called "STEM/NAME". But where a driver
// has to remember which parameters are on the chip there is `run` alone: a thread remembers for
// itself.
#ifndef HOIST_SRC_LOWER_DARWINN_MODELS_H
#define HOIST_SRC_LOWER_DARWINN_MODELS_H

#include "lower/darwinn/model.h"

typedef struct darwinn_lower_models {
    hoist_lower_context c;
    hoist_ref host; // space of what callers give and get, and of operators on the CPU
    darwinn_lower_chip chip;
    const hoist_file *file; // at hand
    hoist_str prefix;       // of its names: empty, or "STEM/"
    uint32_t source;        // of its places: hoist_loc.source of rows and steps
} darwinn_lower_models;

// Lowers files of the format `name`; the space of the host is called `space`. Statuses as
// hoist_job_lower().
typedef struct darwinn_lower_models_kind {
    const char *name;
    const char *space;
    // Makes what runs of the file at hand need, before there is code. NULL: there is nothing, which
    // was reported, or the context's status says why.
    void *(*prepare)(darwinn_lower_models *m);
    // Adds the steps of a run of a file that was prepared to the thread being built.
    void (*run)(darwinn_lower_models *m, void *prepared);
} darwinn_lower_models_kind;
HOIST_NODISCARD hoist_status darwinn_lower_models_lower(const darwinn_lower_models_kind *kind,
                                                        const hoist_file *files, size_t count,
                                                        const hoist_lower_options *options,
                                                        hoist_diag *diag,
                                                        hoist_program **out_program);

// A name for a buffer after the file's prefix: `name` where it is not empty and no buffer is
// called so, else `otherwise`, else "OTHERWISE/0" and so on. Data NULL: out of memory.
hoist_str darwinn_lower_models_name(darwinn_lower_models *m, hoist_str name, hoist_str otherwise);
// Inferences of a run.
uint32_t darwinn_lower_models_batch(const darwinn_lower_models *m);
// Adds the call of a function; one that has a parameter is given the number of the element.
void darwinn_lower_models_call(darwinn_lower_models *m, hoist_ref function, hoist_str label,
                               const hoist_prog_value *element);

#endif // HOIST_SRC_LOWER_DARWINN_MODELS_H
