// edgetpu/difference.h - differences of two models as items of a list: what all comparisons send.
#ifndef HOIST_SRC_EDGETPU_DIFFERENCE_H
#define HOIST_SRC_EDGETPU_DIFFERENCE_H

#include "base/arena.h"
#include "base/tree.h"
#include "formats/darwinn/compare.h"

// Sends differences as items of the list that is open.
// Opened by a comparison; its paths and texts live in `arena` as long as the sink may refer to
// them.
typedef struct hoist_edgetpu_difference_sender {
    hoist_tree_sink *sink;
    hoist_arena *arena; // of paths
    hoist_str prefix;   // of all paths
    bool is_swapped;    // what is called old is the new file's
    size_t count;       // so far
} hoist_edgetpu_difference_sender;

// Values at `path`, after the prefix: `elements` of them differ, these are the first; `largest` as
// in dwn_layer_difference. HOIST_OK, HOIST_NO_MEMORY (also when path.data is NULL), or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_edgetpu_difference_of_values(hoist_edgetpu_difference_sender *s,
                                                                hoist_str path,
                                                                const dwn_number values[2],
                                                                uint64_t elements, double largest);
// Constants of layer `layer`, old and new, as dwn_layer_compare(): "layers/3/bias[7]". The same.
HOIST_NODISCARD hoist_status hoist_edgetpu_difference_of_layers(
    hoist_edgetpu_difference_sender *s, uint32_t layer, const dwn_recovered *const layers[2],
    uint64_t constants, uint64_t *compared);
// What texts say, the old and the new one. The same.
HOIST_NODISCARD hoist_status hoist_edgetpu_difference_of_texts(hoist_edgetpu_difference_sender *s,
                                                               hoist_str path,
                                                               const hoist_str texts[2]);
// Something of one file that the other has nothing for. The same.
HOIST_NODISCARD hoist_status hoist_edgetpu_difference_of_one(hoist_edgetpu_difference_sender *s,
                                                             hoist_str path, bool is_old,
                                                             hoist_str what);

// What layer `layer` reads, the old and the new one: "input, layer 3" with the layers' numbers or
// DWN_MODEL_INPUT; of at most four. The same.
HOIST_NODISCARD hoist_status hoist_edgetpu_difference_of_inputs(hoist_edgetpu_difference_sender *s,
                                                                uint32_t layer,
                                                                const uint32_t *const inputs[2],
                                                                const uint32_t counts[2]);

#endif // HOIST_SRC_EDGETPU_DIFFERENCE_H
