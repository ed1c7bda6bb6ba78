// hoist/neff.h - makes NEFF files (AWS Neuron executables) from their parts: for compilers, tests
// and tools. What is made is read, checked and run with hoist/load.h.
//
//     hoist_neff *neff = NULL;
//     HOIST_TRY(hoist_neff_create(NULL, &neff));
//     HOIST_TRY(hoist_neff_add_subgraph(neff, NULL));
//     const hoist_neff_variable input = {
//         .struct_size = sizeof(input), .name = "x", .type = "input", .size = 64};
//     HOIST_TRY(hoist_neff_add_variable(neff, 0, &input));
//     ...
//     HOIST_TRY(hoist_neff_add_code(neff, 0, HOIST_NEFF_SP, "PSEUDO_INST EXIT;\n", diag));
//     HOIST_TRY(hoist_neff_finish(neff, diag, &bytes)); // borrowed from `neff`
//     ...
//     hoist_neff_destroy(neff);
//
// Fields have the names of the JSON keys that they become, which the vendor's page "Work with NEFF
// Files" explains; docs/rules.md lists what is judged of them. Nothing is judged here: whoever
// wants a file that breaks a rule may make one, and hoist_job_check() tells. Keys that are not
// fields, and values that do not fit theirs, are given as hoist_neff_key.
//
// The same calls give the same bytes, with the same zlib. All that is given is copied. Statuses,
// where nothing else is said: HOIST_OK; HOIST_INVALID: an index that is out of range, a name or
// type that is missing, a key whose JSON is none, a number that is not finite (which no JSON can
// say), or a struct_size that cannot be one; HOIST_UNSUPPORTED: a struct of a newer library;
// HOIST_NO_MEMORY. After a failure the file lacks what the call was to add. One thread at a time.
#ifndef HOIST_NEFF_H
#define HOIST_NEFF_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hoist_neff hoist_neff; // owned by the caller: hoist_neff_destroy

// Engines of a core, in the loader's order.
typedef enum hoist_neff_engine {
    HOIST_NEFF_PE = 0,
    HOIST_NEFF_ACT,
    HOIST_NEFF_POOL,
    HOIST_NEFF_DVE,
    HOIST_NEFF_SP,
    HOIST_NEFF_ENGINE_COUNT,
} hoist_neff_engine;

// The order of the keys of each JSON object.
typedef enum hoist_neff_order {
    HOIST_NEFF_ORDER_OWN = 0, // known keys in the order of hoist's tables, then others as given
    HOIST_NEFF_ORDER_SORTED,
    HOIST_NEFF_ORDER_REVERSED, // of OWN
} hoist_neff_order;

// A key of a JSON object beside its fields: a comment ("#file-name"), one that hoist does not know,
// or a known one, which then has this value in place of the field's.
typedef struct hoist_neff_key {
    const char *key;
    const char *json; // its value as JSON text; NULL: the key is left out, even if its field is set
} hoist_neff_key;

typedef struct hoist_neff_keys {
    const hoist_neff_key *items;
    size_t count;
} hoist_neff_keys;

typedef struct hoist_neff_ints {
    const int64_t *items;
    size_t count;
} hoist_neff_ints;

typedef struct hoist_neff_names {
    const char *const *items;
    size_t count;
} hoist_neff_names;

// The file --------------------------------------------------------------------------------------

typedef struct hoist_neff_options {
    size_t struct_size;    // sizeof(hoist_neff_options)
    hoist_allocator alloc; // resize NULL: the system's

    // The header.
    uint32_t pkg_version;   // 1: a plain tar and SHA-256, 2: gzip and MD5; 0: 2
    bool has_level;         // of gzip
    int level;              // 0 (stored) ... 9; not given: 1, the vendor's
    uint64_t version_major; // 0: 2 when there are feature bits, else 1
    uint64_t version_minor;
    uint64_t feature_bits;        // beside those that follow from the content
    const char *name;             // at most 255 bytes; NULL: "file.neff"
    const char *build_version;    // at most 128 bytes; NULL: "0"
    const uint8_t *uuid;          // 16 bytes; NULL: from the digest of the content
    uint32_t num_tpb;             // 0: 1
    uint32_t requested_tpb_count; // 0: 1
    const uint8_t *tpb_per_node;  // 64 bytes; NULL: zeros
    bool has_lnc_size;
    uint32_t lnc_size; // cores of a logical core; not given: 2 for two subgraphs, else 1

    // The JSON members.
    bool compact; // without line breaks; else indented by 2
    hoist_neff_order order;

    // The graph and the kelf.
    const char *target; // of the kelf: "sunda"; NULL: "*"
    bool output_key;    // output names are under "output", else under "output_names"
    bool output_list;   // as a list, else as one text with commas
    bool wrapped;       // the graph stands in an object with "graphs", "version", "target_arch"
} hoist_neff_options;

// An empty file. `options` may be NULL. Also HOIST_INVALID: a value is out of its range.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_create(const hoist_neff_options *options,
                                                         hoist_neff **out_neff);
HOIST_API void hoist_neff_destroy(hoist_neff *neff); // NULL is allowed

// Makes the file. `*out_bytes` is borrowed from `neff` until the next call with it. `neff` stays as
// it is: more may be added and the file be made again. Members: neff.json, kelf-0.json, then
// def.json of each subgraph, engine files, streams, and what was added, by name. Also
// HOIST_INVALID (a rule of PACK is broken, which `diag`, if not NULL, is told), HOIST_UNSUPPORTED:
// this build has no digest of that kind.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_finish(hoist_neff *neff, hoist_diag *diag,
                                                         hoist_bytes *out_bytes);

// Members ---------------------------------------------------------------------------------------

// A member by its path, as it is now. Borrowed until hoist_neff_destroy(). HOIST_NOT_FOUND.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_member(hoist_neff *neff, const char *path,
                                                         hoist_bytes *out_bytes);
// A member beside those that are made: a constant, a table, a library. HOIST_BUSY: there is one of
// that path.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_member(hoist_neff *neff, const char *path,
                                                             hoist_bytes bytes);
// The same, but what was there or would be made gives way: that member does not change any more.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_set_member(hoist_neff *neff, const char *path,
                                                             hoist_bytes bytes);
// Leaves out a member that is made or was added. HOIST_NOT_FOUND.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_drop_member(hoist_neff *neff, const char *path);
// Keys at the top level of a JSON member that is made: "sg00/def.json". They add to those of
// earlier calls. HOIST_NOT_FOUND: none of that path is made, or hoist_neff_set_member() has put
// another in its place.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_keys(hoist_neff *neff, const char *path,
                                                           hoist_neff_keys keys);

// The graph -------------------------------------------------------------------------------------

// An input or output of the graph, or a node that is neither. Without any, the graph has the inputs
// and outputs of the first subgraph: in one dimension where they say no shape, as bytes where they
// say no dtype or one that does not divide their size.
typedef struct hoist_neff_entry {
    size_t struct_size; // sizeof(hoist_neff_entry)
    const char *name;
    const char *dtype; // "float32"; NULL: "uint8"
    hoist_neff_ints shape;
    bool is_output;       // else an input
    const char *cpu_op;   // a node of this op in place of an input ("cpu_softmax"); NULL: none
    hoist_neff_keys keys; // of the attributes of the node of an input or op
} hoist_neff_entry;

HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_entry(hoist_neff *neff,
                                                            const hoist_neff_entry *entry);

// Subgraphs -------------------------------------------------------------------------------------

typedef struct hoist_neff_subgraph {
    size_t struct_size; // sizeof(hoist_neff_subgraph)
    const char *name;   // also its folder; NULL: "sg00", "sg01", ...
    // Names of the members of each engine without ".json" and ".bin"; NULL: "pe", "act", ...
    const char *engine_files[HOIST_NEFF_ENGINE_COUNT];
    bool absent[HOIST_NEFF_ENGINE_COUNT]; // engines without members
} hoist_neff_subgraph;

// The next subgraph, counted from 0. `subgraph` may be NULL.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_subgraph(hoist_neff *neff,
                                                               const hoist_neff_subgraph *subgraph);

// Optional fields are left out of the JSON when they are 0, false, empty or NULL, where nothing
// else is said.
typedef struct hoist_neff_variable {
    size_t struct_size; // sizeof(hoist_neff_variable)
    const char *name;
    const char *type; // "input", "output", "file", "tmp-buf", "virtual", "state-buffer", ...
    bool has_var_id;
    int64_t var_id;               // not given: the number of variables before it
    int64_t size;                 // bytes; left out when it is 0 and the type "state-buffer"
    int64_t alignment;            // bytes, a power of two
    const char *fabric_path;      // "main" or "alt"
    const char *file_name;        // of a "file": its member, in the folder of the subgraph
    int64_t backing_variable_off; // bytes; there when the type is "virtual", or it is not 0
    int64_t referenced_var_id;    // there when the type is "pointer"
    hoist_neff_ints list;         // var_ids; there when the type is "dge-table"
    int64_t element_size;         // bytes
    hoist_neff_ints shape;
    const char *dtype;
    const char *backing_buf;
    hoist_neff_keys keys;
} hoist_neff_variable;

HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_variable(hoist_neff *neff, size_t subgraph,
                                                               const hoist_neff_variable *variable);

typedef struct hoist_neff_queue_set {
    size_t struct_size; // sizeof(hoist_neff_queue_set)
    const char *name;
    const char *type;   // "in", "out", "data", ...
    int64_t num_queues; // 1 ... 16
    const char *owner;  // "pe", "act", "pool", "dve" or "sp"
    bool pinned;
    hoist_neff_names queue_instances;
    hoist_neff_ints semaphore_set;
    bool has_semaphore;
    int64_t semaphore; // 0 ... 255
    const char *fabric_path;
    hoist_neff_keys keys;
} hoist_neff_queue_set;

HOIST_API HOIST_NODISCARD hoist_status
hoist_neff_add_queue_set(hoist_neff *neff, size_t subgraph, const hoist_neff_queue_set *queue_set);

// One side of a transfer: byte addresses off + sum of i[j] * steps[j], i[j] in 0 ... sizes[j] - 1,
// dimension 0 innermost and in bytes.
typedef struct hoist_neff_pattern {
    const char *variable; // NULL: left out
    int64_t off;          // bytes
    hoist_neff_ints sizes;
    hoist_neff_ints steps; // bytes; as many as sizes
    const char *dtype;
    bool has_scale; // sources in from_arr
    double scale;
    hoist_neff_keys keys; // of items of from_arr
} hoist_neff_pattern;

typedef struct hoist_neff_desc {
    size_t struct_size; // sizeof(hoist_neff_desc)
    const char *op;     // "copy", "cast", "fma", "add", "min", "max", "transpose"; NULL: left out
    // One source is written as the keys from, from_off ...; with `from_arr`, or when there are
    // more, they are the items of from_arr.
    const hoist_neff_pattern *from;
    size_t from_count;
    bool from_arr;
    hoist_neff_pattern to;
    const char *scale_dtype;
    const char *constant_dtype;
    bool has_constant;
    double constant;
    hoist_neff_ints transpose_shape;
    int64_t transpose_element_size; // bytes
    bool has_num_tiling_dimensions;
    int64_t num_tiling_dimensions;
    hoist_neff_keys keys;
} hoist_neff_desc;

// A descriptor block.
typedef struct hoist_neff_block {
    size_t struct_size; // sizeof(hoist_neff_block)
    int64_t id;
    const char *queue;
    const char *instance_name;
    const char *function_start;
    bool section_start_desc;
    bool has_event;
    int64_t event;
    bool has_semaphore;
    int64_t semaphore;
    hoist_neff_ints remote_semaphores;
    const hoist_neff_desc *desc; // items of this struct's own size
    size_t desc_count;
    bool desc_is_object; // a single one is written without brackets
    hoist_neff_keys keys;
} hoist_neff_block;

// A block in the file of `engine`, behind those that are there.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_block(hoist_neff *neff, size_t subgraph,
                                                            hoist_neff_engine engine,
                                                            const hoist_neff_block *block);

// Instructions as text, one per line in the form of `hoist disasm`, behind those that are there:
// docs/formats/neff-instructions.md has its grammar and the mnemonics. Opcodes are those of the
// target's generation. Also HOIST_INVALID: a line is wrong, and `diag` is told line and column of
// every such line; none of the text is added.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_code(hoist_neff *neff, size_t subgraph,
                                                           hoist_neff_engine engine,
                                                           const char *text, hoist_diag *diag);
// Instructions as they are stored: 64 bytes each. Another size is taken, too.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_record(hoist_neff *neff, size_t subgraph,
                                                             hoist_neff_engine engine,
                                                             hoist_bytes records);

#ifdef __cplusplus
}
#endif

#endif // HOIST_NEFF_H
