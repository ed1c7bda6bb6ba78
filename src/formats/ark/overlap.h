// formats/ark/overlap.h - whether two tensors of one buffer have bytes in common, exactly (ark
// reference section 4).
#ifndef HOIST_SRC_FORMATS_ARK_OVERLAP_H
#define HOIST_SRC_FORMATS_ARK_OVERLAP_H

#include "formats/ark/graph.h"

typedef enum ark_overlap {
    ARK_APART = 0,
    ARK_OVERLAP,         // bytes in common are certain
    ARK_OVERLAP_UNKNOWN, // they interleave in more pieces than are compared
} ark_overlap;

// Of two valid tensors, whose logical elements count and not their padding. Tensors of different
// buffers are apart.
ark_overlap ark_values_overlap(const ark_value *a, const ark_value *b);

// Whether two valid tensors are the same bytes of their buffers, whatever their shapes.
bool ark_values_coincide(const ark_value *a, const ark_value *b);

#endif // HOIST_SRC_FORMATS_ARK_OVERLAP_H
