// load/compare.h - what the sources of hoist_job_compare() share: differences as items of a list.
#ifndef HOIST_SRC_LOAD_COMPARE_H
#define HOIST_SRC_LOAD_COMPARE_H

#include "formats/darwinn/compare.h"
#include "load/job.h"

// Sends differences as items of the list that is open.
typedef struct hoist_difference_sender {
    hoist_tree_sink *sink;
    hoist_arena *arena; // of paths
    hoist_str prefix;   // of all paths
    bool is_swapped;    // what is called old is the new file's
    size_t count;       // so far
} hoist_difference_sender;

// Values at `path`, behind the prefix: `elements` of them differ, these are the first; `largest` as
// in dwn_layer_difference. HOIST_OK, HOIST_NO_MEMORY (also when path.data is NULL), or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_difference_of_values(hoist_difference_sender *s, hoist_str path,
                                                        const dwn_number values[2],
                                                        uint64_t elements, double largest);
// A constant of layer `layer`: "layers/3/bias[7]". The same.
HOIST_NODISCARD hoist_status hoist_difference_of_layer(hoist_difference_sender *s, uint32_t layer,
                                                       const dwn_layer_difference *difference);
// What texts say, the old and the new one. The same.
HOIST_NODISCARD hoist_status hoist_difference_of_texts(hoist_difference_sender *s, hoist_str path,
                                                       const hoist_str texts[2]);
// Something of one file that the other has nothing for. The same.
HOIST_NODISCARD hoist_status hoist_difference_of_one(hoist_difference_sender *s, hoist_str path,
                                                     bool is_old, hoist_str what);

// What layers read: "input, layer 3" with the layers' numbers or DWN_MODEL_INPUT; of at most four.
// data NULL: out of memory.
hoist_str hoist_difference_inputs(hoist_arena *arena, const uint32_t *inputs, uint32_t count);

// compiled.c. Compares the programs of two files that hold some, and sends the result as members of
// the map that is open; adds to `*count`. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY, or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_compiled_compare(const hoist_job *old, const hoist_job *now,
                                                    hoist_tree_sink *sink, size_t *out_count);

#endif // HOIST_SRC_LOAD_COMPARE_H
