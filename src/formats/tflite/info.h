// formats/tflite/info.h - what the sources of the summary share.
#ifndef HOIST_SRC_FORMATS_TFLITE_INFO_H
#define HOIST_SRC_FORMATS_TFLITE_INFO_H

#include "formats/tflite/tflite.h"

typedef struct tflite_info_writer {
    const tflite_module *module; // borrowed
    hoist_tree_sink *sink;       // of the caller; inside an open map
} tflite_info_writer;

// "shape": its extents; null where there are none stored. info_layers.c
void tflite_info_shape(const tflite_info_writer *w, hoist_bytes shape);
// A list of an entry for each kind of operator that is in use. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status tflite_info_operators(const tflite_info_writer *w); // info_layers.c
// A list of an entry for each operator. info_layers.c
void tflite_info_layers(const tflite_info_writer *w);
// A list of an entry for each custom operator, with its options where they are FlexBuffers; those
// that are compiled are payloads. HOIST_OK, HOIST_NO_MEMORY, HOIST_UNSUPPORTED. info_custom.c
HOIST_NODISCARD hoist_status tflite_info_custom(const tflite_info_writer *w);

#endif // HOIST_SRC_FORMATS_TFLITE_INFO_H
