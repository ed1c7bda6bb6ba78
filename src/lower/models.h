// lower/models.h - files of models that are loaded together: one program, whose entry `run` runs
// them in order. Where there are several, each has an entry of its own, too, which is called as its
// file is, without folder and ending; what it has is called "STEM/NAME". But where a driver has to
// remember which parameters are on the chip there is `run` alone: a thread remembers for itself.
#ifndef HOIST_SRC_LOWER_MODELS_H
#define HOIST_SRC_LOWER_MODELS_H

#include "lower/darwinn_lower.h"

typedef struct hoist_models {
    const hoist_lower_options *options;
    hoist_diag *diag;
    hoist_builder *b;
    hoist_arena arena; // lives until the program is finished
    hoist_map names;   // owned: of buffers; keys live in the arena or the files
    hoist_ref host;    // space of what callers give and get, and of operators on the CPU
    hoist_darwinn_chip chip;
    const hoist_lower_file *file; // at hand
    hoist_str prefix;             // of its names: empty, or "STEM/"
    uint32_t source;              // of its places: hoist_loc.source of rows and steps
    hoist_status status;          // HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_INTERNAL
    bool refused;                 // something was reported that keeps the program from being made
} hoist_models;

// Lowers files of the format `name`; the space of the host is called `space`. Statuses as
// hoist_job_lower().
typedef struct hoist_models_kind {
    const char *name;
    const char *space;
    // Makes what runs of the file at hand need, before there is code. NULL: `refused` or `status`
    // says why there is nothing.
    void *(*prepare)(hoist_models *m);
    // Adds the steps of a run of a file that was prepared to the thread being built.
    void (*run)(hoist_models *m, void *prepared);
} hoist_models_kind;
HOIST_NODISCARD hoist_status hoist_models_lower(const hoist_models_kind *kind,
                                                const hoist_lower_file *files, size_t count,
                                                const hoist_lower_options *options,
                                                hoist_diag *diag, hoist_program **out_program);

// A name for a buffer: the file's prefix and `name`, where no buffer is called so; data NULL: one
// is, or there is no memory, which `status` says.
hoist_str hoist_models_name(hoist_models *m, hoist_str name);
// Inferences of a run.
uint32_t hoist_models_batch(const hoist_models *m);
// Adds the call of a function; one that has a parameter is given the number of the element.
void hoist_models_call(hoist_models *m, hoist_ref function, hoist_str label,
                       const hoist_prog_value *element);

#endif // HOIST_SRC_LOWER_MODELS_H
