// formats/darwinn/recover_scales.h - scales of the values between recovered layers.
//
// A compiled model stores the scales of its inputs and outputs only. Others follow from clamps that
// cut off at a real number, from layers that keep the scale of what they read, and from the factors
// of additions and multiplications; what is left is chosen so that the reference's kernels have the
// multipliers of the file (darwinn reference sections 16.5 and 16.7). Each scale says which it is.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_SCALES_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_SCALES_H

#include "formats/darwinn/recover.h"
#include "formats/darwinn/recover_numbers.h"

// How far a quotient of two equal scales may be from 1: multipliers have 24 bits.
#define DWN_SAME_SCALE 1e-4

typedef enum dwn_scale_source {
    DWN_SCALE_NONE = 0, // it is not known: something before it is not
    DWN_SCALE_STORED,   // of an output of the model
    DWN_SCALE_SOFTMAX,  // what goes into a softmax, which states it, or comes out: 1/256
    DWN_SCALE_CLAMPS,   // follows from the clamps
    DWN_SCALE_SHARED,   // that of what it is made of, or of what is made of it
    DWN_SCALE_FACTORS, // by factors of an addition or multiplication and the scales of what goes in
    DWN_SCALE_FREE,    // chosen: others do as well
    DWN_SCALE_SOURCES,
} dwn_scale_source;

// Of a layer.
typedef struct dwn_layer_scales {
    float scale; // of its output; 0: not known
    dwn_scale_source source;
    dwn_activation activation;
    const float *weights; // arena; one, or one for each row; NULL: there are none, or not known
    uint32_t weight_count;
    uint32_t exact; // multipliers that the reference makes of these scales bit for bit
    uint32_t asked; // multipliers that it makes
} dwn_layer_scales;

typedef struct dwn_scales {
    bool is_signed;                 // the model is one of int8 (16.7), else of uint8
    const dwn_layer_scales *layers; // arena; one for each recovered layer
    uint32_t free;                  // that were chosen
} dwn_scales;

// The scales of a recovered model whose main executable is `executable`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_scales_of(const dwn_recovery *recovery,
                                           const dwn_executable *executable, hoist_arena *arena,
                                           dwn_scales *out_scales);

// How sources are written.
typedef struct dwn_scale_source_row {
    char letter;      // for tables
    const char *name; // "stored", "clamps"
    const char *meaning;
} dwn_scale_source_row;
extern const dwn_scale_source_row dwn_scale_sources[DWN_SCALE_SOURCES];
// "none", "relu6".
const char *dwn_activation_name(dwn_activation activation);

// How the reference makes the factors of a layer with weights.
dwn_rounding dwn_rounding_of(const dwn_recovered *layer, bool is_signed);
// Whether each row of the layer's weights has a scale of its own.
bool dwn_has_row_scales(const dwn_recovered *layer);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_SCALES_H
