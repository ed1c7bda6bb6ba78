// formats/tti/module.h - a PyBuda device image: an archive with a netlist, its tensors and what the
// compiler made of it (docs/formats/buda-tti.md).
//
//     unzipped_tti/device.json                         what the image is: names, shapes, tensors
//     unzipped_tti/NAME.yaml                           the netlist
//     unzipped_tti/compile_and_runtime_config.json     variables of the environment
//     unzipped_tti/tensors/torch.Tensor.QUEUE.bin      a constant or parameter: .bin, .tbin or .pkl
//     unzipped_tti/backend_build_binaries/...          firmware, descriptors of the device
//     unzipped_tti/module_files/...                    sources of the model, in Python
#ifndef HOIST_SRC_FORMATS_TTI_MODULE_H
#define HOIST_SRC_FORMATS_TTI_MODULE_H

#include "base/arena.h"
#include "base/map.h"
#include "codec/record.h"
#include "codec/tar.h"
#include "formats/format.h"

extern const hoist_format hoist_tti_format;

// The file by which the folder of an image is found.
#define TTI_STATE_NAME "device.json"

// What a member is there for, by its name.
typedef enum tti_role {
    TTI_ROLE_STATE = 0, // device.json
    TTI_ROLE_CONFIG,
    TTI_ROLE_NETLIST, // those that device.json names: next to it, and of the binaries
    TTI_ROLE_TENSOR,
    TTI_ROLE_PICKLE, // a tensor or optimizer as Python keeps it
    TTI_ROLE_BINARY,
    TTI_ROLE_SOURCE,
    TTI_ROLE_OTHER,
    TTI_ROLE_COUNT,
} tti_role;

extern const char *const tti_role_names[TTI_ROLE_COUNT];

typedef struct tti_member {
    hoist_str name; // with its folders
    hoist_bytes bytes;
    const hoist_tar_member *tar;
    tti_role role;
} tti_member;

#define TTI_NONE UINT32_MAX // no member

// How a tensor is stored.
typedef enum tti_storage {
    TTI_STORED_NONE = 0, // in no way that is known
    TTI_STORED_ROWS,     // .bin: elements in C order
    TTI_STORED_TILES,    // .tbin: tiles as the queue has them
    TTI_STORED_PICKLE,   // .pkl
    TTI_STORAGE_COUNT,
} tti_storage;

extern const char *const tti_storage_names[TTI_STORAGE_COUNT];

// A constant or parameter, for the queue of its name.
typedef struct tti_tensor {
    hoist_str name;
    bool is_parameter;
    hoist_pos pos; // of its value in device.json
    tti_storage storage;
    uint32_t member;   // TTI_NONE: it is not in the archive
    hoist_dtype dtype; // of elements in C order; NONE: not known
    // As device.json has them; a pickle has `bin` alone.
    hoist_rec_str bin; // its file, from the folder of device.json on
    hoist_rec_str format;
    hoist_rec_int itemsize;
    hoist_rec_ints shape;
    hoist_rec_ints strides;
    hoist_rec_int num_buffers;
    hoist_rec_int buf_size_bytes;
} tti_tensor;

// compiled_graph_state.
typedef struct tti_graph {
    hoist_pos pos;
    hoist_rec_str name;
    hoist_rec_str netlist; // netlist_filename
    hoist_rec_int microbatch;
    hoist_rec_strs inputs;
    hoist_rec_strs outputs;
    hoist_rec_strs constants;
    hoist_rec_strs parameters;
} tti_graph;

// compiler_cfg.
typedef struct tti_settings {
    hoist_pos pos;
    hoist_rec_str cluster; // path of a descriptor
    hoist_rec_str device;  // path of a descriptor
    hoist_rec_str dump_format;
} tti_settings;

// device.json.
typedef struct tti_state {
    hoist_rec_str version;
    hoist_rec_str name;
    hoist_rec_str arch;    // "Wormhole_B0"
    hoist_rec_str backend; // devtype: "Silicon", "Golden"
    hoist_rec_ints chips;
    hoist_rec_ints grid;
    hoist_rec_ints harvested_rows;
    hoist_rec_bool training;
    hoist_rec_int microbatch_size;
    hoist_rec_int microbatch_count;
    hoist_rec_str pybuda_version;
    hoist_rec_str pybuda_commit;
    hoist_rec_str backend_commit;
    tti_settings settings;
    tti_graph graph;
} tti_state;

typedef struct tti_module {
    hoist_module base;
    hoist_arena arena;
    hoist_bytes file; // borrowed
    hoist_tar tar;
    tti_member *members; // arena; files only
    uint32_t member_count;
    hoist_map names;   // of members, to their indices
    hoist_str root;    // folder of device.json with its slash: "unzipped_tti/"
    uint32_t state_at; // members; TTI_NONE: there is none
    uint32_t config_at;
    uint32_t netlist_at;
    uint32_t built_at; // the netlist in backend_build_binaries
    uint32_t cluster_at;
    uint32_t device_at;
    hoist_json json; // device.json; no tokens: it cannot be read
    tti_state state;
    tti_tensor *tensors; // arena; constants first, in the order of device.json
    uint32_t tensor_count;
} tti_module;

// The one at `name`; TTI_NONE: there is none.
uint32_t tti_member_find(const tti_module *module, hoist_str name);

#endif // HOIST_SRC_FORMATS_TTI_MODULE_H
