// formats/darwinn/recover_layers.h - a group of operations becomes a layer: a source for each
// family of layers, and what these share.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_LAYERS_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_LAYERS_H

#include "formats/darwinn/recover_work.h"

// Makes a layer of the group `index`, or of it and more up to `*out_next`; or sets `stopped`, as do
// all below. HOIST_OK, HOIST_NO_MEMORY, as of all below. recover_layers.c
HOIST_NODISCARD hoist_status dwn_take_group(dwn_walk *w, uint32_t index, uint32_t *out_next);
// ... of a group that moves the current value, with padding around it.
HOIST_NODISCARD hoist_status dwn_add_pad(dwn_walk *w, const dwn_group *group,
                                         const dwn_padded *padded);
// ... of a group that multiplies with weights. recover_products.c
HOIST_NODISCARD hoist_status dwn_take_products(dwn_walk *w, const dwn_group *group);
// The group goes on with a layer: more of its output, no parameters. Its output is the current
// value again.
HOIST_NODISCARD hoist_status dwn_take_strip(dwn_walk *w, const dwn_group *group, uint32_t layer);
// ... of a group that computes each number of a value alone. recover_unary.c
HOIST_NODISCARD hoist_status dwn_take_unary(dwn_walk *w, const dwn_group *group);
// ... of a group that repeats pixels. recover_nearest.c
HOIST_NODISCARD hoist_status dwn_take_nearest(dwn_walk *w, const dwn_group *group);
// ... of a group that takes the maximum of windows. recover_pools.c
HOIST_NODISCARD hoist_status dwn_take_max_pool(dwn_walk *w, const dwn_group *group);
// ... of a group that takes averages, or of two that do in passes. recover_averages.c
HOIST_NODISCARD hoist_status dwn_take_average(dwn_walk *w, uint32_t index, uint32_t *out_next);
// Whether the softmax that a group begins, or comes before, is whole: an identity may precede its
// maximum. `*out_end` is its last group. recover_softmax.c
bool dwn_begins_softmax(const dwn_walk *w, uint32_t index, uint32_t *out_end);
// ... of all groups from `first` to `end`.
HOIST_NODISCARD hoist_status dwn_take_softmax(dwn_walk *w, uint32_t first, uint32_t end);
// ... of a softmax that the scalar core carries out.
HOIST_NODISCARD hoist_status dwn_take_scalar_softmax(dwn_walk *w, const dwn_group *group);
// ... of a group that is not understood: it passes its input on, so that what comes after it can be
// looked at; if it may have changed numbers the walk is blind from there on. recover_unknown.c
HOIST_NODISCARD hoist_status dwn_take_unknown(dwn_walk *w, const dwn_group *group);

enum { DWN_ARRAY_WORD = 64 }; // bytes that an array has for 4 channels
// Whether an operation without a row of weights has arrays, and the block of them.
bool dwn_has_arrays(const dwn_operation *op);
bool dwn_find_arrays(const dwn_walk *w, const dwn_operation *op, dwn_piece *out);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_LAYERS_H
