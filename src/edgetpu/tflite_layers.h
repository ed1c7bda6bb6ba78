// edgetpu/tflite_layers.h - recovered layers as operators of a TFLite graph.
//
// Activations are of one type, int8 or uint8 (dwn_scales.is_signed); weights have TFLite's layouts.
// A convolution whose padding is neither SAME nor VALID gets a PAD before it.
#ifndef HOIST_SRC_EDGETPU_TFLITE_LAYERS_H
#define HOIST_SRC_EDGETPU_TFLITE_LAYERS_H

#include "edgetpu/tflite_maker.h"
#include "formats/darwinn/recover_scales.h"

enum { HOIST_EDGETPU_WHY = 160 };

// State while one package is written; `executable` is the one that is run, whose layers are the
// border.
typedef struct hoist_edgetpu_layers {
    hoist_edgetpu_maker *m;
    const dwn_recovery *recovery; // complete
    const dwn_scales *scales;
    const dwn_executable *executable;
    const uint32_t *inputs;  // tensors of the graph, by the executable's input layers
    const uint32_t *outputs; // the same of its output layers
    const char *prefix;      // of names of tensors
    uint32_t *values;        // arena: tensor of each layer's output; of int8 or uint8
    uint32_t *read;          // arena: the same of each input
    char why[HOIST_EDGETPU_WHY];
    uint32_t refused; // layer that `why` is about
} hoist_edgetpu_layers;

// Adds all layers to the open list of operators. HOIST_OK (memory may have run out, which the maker
// says); HOIST_UNSUPPORTED: a layer is none that TFLite has, `why` says which and why not.
HOIST_NODISCARD hoist_status hoist_edgetpu_layers_add(hoist_edgetpu_layers *l);

// One layer, by the part that makes it. tflite_products.c
HOIST_NODISCARD hoist_status hoist_edgetpu_add_products(hoist_edgetpu_layers *l, uint32_t index);

// What the parts share. tflite_values.c

// Makes the lists of tensors, and those of the inputs.
void hoist_edgetpu_layers_begin(hoist_edgetpu_layers *l);
// Says in `why` what is wrong with a layer. HOIST_UNSUPPORTED.
HOIST_NODISCARD hoist_status hoist_edgetpu_layers_refuse(hoist_edgetpu_layers *l, uint32_t index,
                                                         const char *what);
// The tensor that a layer reads, in the shape; a RESHAPE is added where it has another.
uint32_t hoist_edgetpu_layers_input(hoist_edgetpu_layers *l, uint32_t index, uint32_t input,
                                    const hoist_edgetpu_shape *shape);
// Of a layer, or of an input of the model.
float hoist_edgetpu_layers_scale(const hoist_edgetpu_layers *l, uint32_t source);
dwn_extent hoist_edgetpu_layers_extent(const hoist_edgetpu_layers *l, uint32_t source);
hoist_edgetpu_shape hoist_edgetpu_image(dwn_extent extent); // [1, h, w, c]
hoist_edgetpu_shape hoist_edgetpu_row(dwn_extent extent);   // [1, n]
// Adds the operator of a layer, whose output has the shape: where that is an output of the model,
// the model's own tensor, or a RESHAPE and a QUANTIZE to it.
void hoist_edgetpu_layers_finish(hoist_edgetpu_layers *l, uint32_t index,
                                 const hoist_edgetpu_step *step, const hoist_edgetpu_shape *shape);
// A name of the arena: "layers/3/weights".
hoist_str hoist_edgetpu_layers_name(hoist_edgetpu_layers *l, uint32_t index, const char *what);
// The activation of a layer; false: TFLite has none with these clamps.
bool hoist_edgetpu_layers_activation(const hoist_edgetpu_layers *l, uint32_t index,
                                     int8_t *out_activation);

#endif // HOIST_SRC_EDGETPU_TFLITE_LAYERS_H
