// load/tflite_layers.h - recovered layers as operators of a TFLite graph.
//
// Activations are of one type, int8 or uint8 (dwn_scales.is_signed); weights have TFLite's layouts.
// A convolution whose padding is neither SAME nor VALID gets a PAD before it.
#ifndef HOIST_SRC_LOAD_TFLITE_LAYERS_H
#define HOIST_SRC_LOAD_TFLITE_LAYERS_H

#include "formats/darwinn/recover_scales.h"
#include "load/tflite_maker.h"

enum { HOIST_TFLITE_WHY = 160 };

typedef struct hoist_tflite_layers {
    hoist_tflite_maker *m;
    const dwn_recovery *recovery; // complete
    const dwn_scales *scales;
    const dwn_executable *executable;
    const uint32_t *inputs;  // tensors of the graph, by the executable's input layers
    const uint32_t *outputs; // the same of its output layers
    const char *prefix;      // of names of tensors
    uint32_t *values;        // arena: tensor of each layer's output; of int8 or uint8
    uint32_t *read;          // arena: the same of each input
    char why[HOIST_TFLITE_WHY];
    uint32_t refused; // layer that `why` is about
} hoist_tflite_layers;

// Adds all layers to the open list of operators. HOIST_OK (memory may have run out, which the maker
// says); HOIST_UNSUPPORTED: a layer is none that TFLite has, `why` says which and why not.
HOIST_NODISCARD hoist_status hoist_tflite_layers_add(hoist_tflite_layers *l);

// One layer, by the part that makes it. tflite_products.c
HOIST_NODISCARD hoist_status hoist_tflite_add_products(hoist_tflite_layers *l, uint32_t index);

// What the parts share. tflite_layers.c

// Says in `why` what is wrong with a layer. HOIST_UNSUPPORTED.
HOIST_NODISCARD hoist_status hoist_tflite_layers_refuse(hoist_tflite_layers *l, uint32_t index,
                                                        const char *what);
// The tensor that a layer reads, in the shape; a RESHAPE is added where it has another.
uint32_t hoist_tflite_layers_input(hoist_tflite_layers *l, uint32_t index, uint32_t input,
                                   const hoist_tflite_shape *shape);
float hoist_tflite_layers_scale(const hoist_tflite_layers *l, uint32_t source);
// [1, h, w, c].
hoist_tflite_shape hoist_tflite_image(dwn_extent extent);
// Adds the operator of a layer, whose output has the shape: where that is an output of the model,
// the model's own tensor, or a RESHAPE and a QUANTIZE to it.
void hoist_tflite_layers_finish(hoist_tflite_layers *l, uint32_t index,
                                const hoist_tflite_step *step, const hoist_tflite_shape *shape);
// A name of the arena: "layers/3/weights".
hoist_str hoist_tflite_layers_name(hoist_tflite_layers *l, uint32_t index, const char *what);
// The activation of a layer; false: TFLite has none with these clamps.
bool hoist_tflite_layers_activation(const hoist_tflite_layers *l, uint32_t index,
                                    int8_t *out_activation);

#endif // HOIST_SRC_LOAD_TFLITE_LAYERS_H
