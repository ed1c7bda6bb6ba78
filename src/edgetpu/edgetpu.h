// edgetpu/edgetpu.h - TFLite models and Edge TPU packages together: one is compiled into the other,
// and holds it then.
#ifndef HOIST_SRC_EDGETPU_EDGETPU_H
#define HOIST_SRC_EDGETPU_EDGETPU_H

#include "formats/format.h"

extern const hoist_family hoist_edgetpu_family;

// Its members, by file.

// Compares a model with what was compiled from it; `is_source_old` says which of the files comes
// first. As hoist_family.compare. source.c
HOIST_NODISCARD hoist_status hoist_edgetpu_source_compare(const hoist_file *source,
                                                          const hoist_file *compiled,
                                                          bool is_source_old, hoist_tree_sink *sink,
                                                          size_t *out_count);
// Sends the layers of what was compiled from a model with their operators. As hoist_family.match.
// source.c
HOIST_NODISCARD hoist_status hoist_edgetpu_source_each(const hoist_file *source,
                                                       const hoist_file *compiled,
                                                       bool is_source_old,
                                                       hoist_layer_match_call take, void *self);
// Compares the programs of two files that hold some. The same. compiled.c
HOIST_NODISCARD hoist_status hoist_edgetpu_compiled_compare(const hoist_file *old,
                                                            const hoist_file *now,
                                                            hoist_tree_sink *sink,
                                                            size_t *out_count);
// Writes a TFLite model with the layers that were recovered in place of compiled operators. As
// hoist_family.recover_as. recover_tflite.c
HOIST_NODISCARD hoist_status hoist_edgetpu_recover(const hoist_file *file, const hoist_rule *rule,
                                                   hoist_diag *diag, hoist_buffer *out);

#endif // HOIST_SRC_EDGETPU_EDGETPU_H
