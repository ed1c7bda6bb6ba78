// formats/tflite/metadata.h - the tables of a model's metadata that are read, as far as they are: a
// FlatBuffer of its own (TFLite's metadata_schema.fbs) in the buffer called TFLITE_METADATA.
#ifndef HOIST_SRC_FORMATS_TFLITE_METADATA_H
#define HOIST_SRC_FORMATS_TFLITE_METADATA_H

#include "formats/tflite/schema.h"

#define TFLITE_METADATA_NAME "TFLITE_METADATA" // of the metadata row whose buffer it is

enum {
    TFLITE_META_AXIS_LABELS = 2,   // tflite_meta_file.type: TENSOR_AXIS_LABELS
    TFLITE_META_NORMALIZATION = 1, // tflite_meta_unit.options.type: NormalizationOptions
};

// Of a file in the ZIP archive that follows the model (AssociatedFile).
typedef struct tflite_meta_file {
    hoist_fb_table table;
    hoist_str name;
    uint8_t type;
} tflite_meta_file;

// NormalizationOptions: a float input is (pixel - mean) / std.
typedef struct tflite_meta_normalization {
    hoist_fb_table table;
    hoist_bytes mean; // float
    hoist_bytes std;  // float
} tflite_meta_normalization;

// One step before or after the model (ProcessUnit).
typedef struct tflite_meta_unit {
    hoist_fb_table table;
    hoist_fb_union options;
} tflite_meta_unit;

// Of one input or output (TensorMetadata).
typedef struct tflite_meta_tensor {
    hoist_fb_table table;
    HOIST_FB_LIST(tflite_meta_unit) process_units;
    HOIST_FB_LIST(tflite_meta_file) associated_files;
} tflite_meta_tensor;

typedef HOIST_FB_LIST(tflite_meta_tensor) tflite_meta_tensors;

// Ports in the order of the subgraph's inputs and outputs (SubGraphMetadata).
typedef struct tflite_meta_graph {
    hoist_fb_table table;
    tflite_meta_tensors input_tensor_metadata;
    tflite_meta_tensors output_tensor_metadata;
} tflite_meta_graph;

// The root (ModelMetadata). Fields without a row here are passed over.
typedef struct tflite_meta_model {
    hoist_fb_table table;
    HOIST_FB_LIST(tflite_meta_graph) subgraph_metadata;
} tflite_meta_model;

extern const hoist_fb_type tflite_meta_model_type;

#endif // HOIST_SRC_FORMATS_TFLITE_METADATA_H
