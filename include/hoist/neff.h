// hoist/neff.h - makes NEFF files (AWS Neuron executables) from their parts: for compilers, tests
// and tools. hoist/load.h reads, checks and runs the files.
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
// Files" explains; docs/rules.md lists the rules about them. The builder checks none of these
// rules: it can make a file that breaks one, and hoist_job_check() reports that. Keys that are not
// fields, and values that do not fit theirs, are given as hoist_neff_key.
//
// The same calls give the same bytes, with the same zlib. All arguments are borrowed during the
// call and copied. A text that is NULL, a list that is empty, a number that is 0 and a flag that is
// false leave their key out of the JSON where the field's comment is without "always". A field
// that may be 0 on purpose has a flag next to it, has_..., which is true when it is given.
//
// Statuses of every call, next to those that its comment names: HOIST_OK; HOIST_INVALID: an index
// that is out of range, a name or type that is missing, a key whose JSON is none, a number that is
// not finite (which JSON cannot have), or a struct_size that is out of range; HOIST_UNSUPPORTED: a
// struct of a newer library; HOIST_NO_MEMORY. After a failure the file lacks the addition, where a
// comment does not say otherwise. One thread at a time uses a builder.
#ifndef HOIST_NEFF_H
#define HOIST_NEFF_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A NEFF that is being built.
typedef struct hoist_neff hoist_neff; // owned by the caller: hoist_neff_destroy

// Engines of a core, in the loader's order.
typedef enum hoist_neff_engine {
    HOIST_NEFF_PE = 0, // tensor engine, "pe"
    HOIST_NEFF_ACT,    // scalar engine, "act"
    HOIST_NEFF_POOL,   // GpSimd engine, "pool"
    HOIST_NEFF_DVE,    // vector engine, "dve"
    HOIST_NEFF_SP,     // sync engine, "sp"
    HOIST_NEFF_ENGINE_COUNT,
} hoist_neff_engine;

// Order of the keys of each JSON object.
typedef enum hoist_neff_order {
    HOIST_NEFF_ORDER_OWN = 0,  // known keys in the order of hoist's tables, then others as given
    HOIST_NEFF_ORDER_SORTED,   // by the bytes of the key
    HOIST_NEFF_ORDER_REVERSED, // of OWN
} hoist_neff_order;

// A key of a JSON object that is given as JSON text: a comment ("#file-name"), one that hoist does
// not know, or a known one, which then has this value in place of the field's.
typedef struct hoist_neff_key {
    const char *key;  // not NULL
    const char *json; // its value as JSON text; NULL: the key is left out, even if its field is set
} hoist_neff_key;

// A list of keys.
typedef struct hoist_neff_keys {
    const hoist_neff_key *items; // borrowed; may be NULL when `count` is 0
    size_t count;                // of `items`
} hoist_neff_keys;

// A list of numbers.
typedef struct hoist_neff_ints {
    const int64_t *items; // borrowed; may be NULL when `count` is 0
    size_t count;         // of `items`
} hoist_neff_ints;

// A list of names.
typedef struct hoist_neff_names {
    const char *const *items; // borrowed; may be NULL when `count` is 0; none is NULL
    size_t count;             // of `items`
} hoist_neff_names;

// The file --------------------------------------------------------------------------------------

// Choices for the file.
typedef struct hoist_neff_options {
    size_t struct_size;    // sizeof(hoist_neff_options)
    hoist_allocator alloc; // of the builder and its file; resize NULL: the system's

    // The header.
    uint32_t pkg_version;         // 1: a plain tar and SHA-256, 2: gzip and MD5; 0: 2
    bool has_level;               // `level` is given
    int level;                    // of gzip, 0 (stored) ... 9; not given: 1, the vendor's
    uint64_t version_major;       // 0: 2 when there are feature bits, else 1
    uint64_t version_minor;       // of the file format; default 0
    uint64_t feature_bits;        // added to those that follow from the content
    const char *name;             // at most 255 bytes; NULL: "file.neff"
    const char *build_version;    // at most 128 bytes; NULL: "0"
    const uint8_t *uuid;          // 16 bytes; NULL: from the digest of the content
    uint32_t num_tpb;             // cores needed for efficient execution; 0: 1
    uint32_t requested_tpb_count; // cores requested at compile time; 0: 1
    const uint8_t *tpb_per_node;  // 64 bytes: cores of each kelf node; NULL: zeros
    bool has_lnc_size;            // `lnc_size` is given
    uint32_t lnc_size;            // cores of a logical core; not given: 2 for two subgraphs, else 1

    // The JSON members.
    bool compact;           // without line breaks; else indented by 2
    hoist_neff_order order; // of the keys

    // The graph and the kelf.
    const char *target; // of the kelf: "sunda"; also the generation of instructions; NULL: "*"
    bool output_key;    // output names are under "output", else under "output_names"
    bool output_list;   // output names are a list, else one text with commas
    bool wrapped;       // the graph is inside an object with "graphs", "version", "target_arch"
} hoist_neff_options;

// Creates a builder with an empty file. `options` may be NULL. Free with hoist_neff_destroy. Also
// HOIST_INVALID: a value is out of its range.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_create(const hoist_neff_options *options,
                                                         hoist_neff **out_neff);
// Frees a builder with all bytes that it made. NULL is allowed.
HOIST_API void hoist_neff_destroy(hoist_neff *neff);

// Makes the file. `*out_bytes` is borrowed from `neff` until the next hoist_neff_finish() or
// hoist_neff_destroy(). `neff` stays as it is: more may be added and the file be made again. Its
// members are neff.json, kelf-0.json, then def.json of each subgraph, engine files, streams, and
// added members, each group by path. `diag` may be NULL. Also HOIST_INVALID: a member's path leads
// out of its folder (a rule of PACK, which is reported); HOIST_UNSUPPORTED: this build has no
// digest of that kind.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_finish(hoist_neff *neff, hoist_diag *diag,
                                                         hoist_bytes *out_bytes);

// Members ---------------------------------------------------------------------------------------

// Gives the bytes of a member by its path, "sg00/def.json", as it is now. `*out_bytes` is borrowed
// from `neff`: until hoist_neff_destroy(), but those of an instruction stream until the next call
// that adds to it. Also HOIST_NOT_FOUND: there is no such member.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_member(hoist_neff *neff, const char *path,
                                                         hoist_bytes *out_bytes);
// Adds a member to those that are made: a constant, a table, a library. Also HOIST_BUSY: there is
// one of that path.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_member(hoist_neff *neff, const char *path,
                                                             hoist_bytes bytes);
// Sets a member: adds it, or replaces the one of that path, which does not change with later calls
// any more. Statuses as above.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_set_member(hoist_neff *neff, const char *path,
                                                             hoist_bytes bytes);
// Leaves out a member that is made or was added. Also HOIST_NOT_FOUND: there is no such member.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_drop_member(hoist_neff *neff, const char *path);
// Adds keys at the top level of a JSON member that is made, "sg00/def.json", to those of earlier
// calls. Also HOIST_NOT_FOUND: no JSON member of that path is made, or hoist_neff_set_member() has
// replaced it.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_keys(hoist_neff *neff, const char *path,
                                                           hoist_neff_keys keys);

// The graph -------------------------------------------------------------------------------------

// An input or output of the graph, or a node that is neither. Without any, the graph has the inputs
// and outputs of the first subgraph: in one dimension where they have no shape, as bytes where they
// have no dtype or one that does not divide their size.
typedef struct hoist_neff_entry {
    size_t struct_size;    // sizeof(hoist_neff_entry)
    const char *name;      // not NULL
    const char *dtype;     // "float32"; NULL: "uint8"
    hoist_neff_ints shape; // extents in elements, outermost first; always
    bool is_output;        // false: an input, or a node with `cpu_op`
    const char *cpu_op;    // op of a node in place of an input, "cpu_softmax"; NULL: none
    hoist_neff_keys keys;  // attributes of the node of an input or op
} hoist_neff_entry;

// Adds an input, output or node to the graph. HOIST_INVALID: `name` is NULL, or another of the
// common statuses.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_entry(hoist_neff *neff,
                                                            const hoist_neff_entry *entry);

// Subgraphs -------------------------------------------------------------------------------------

// A subgraph: the work of one core.
typedef struct hoist_neff_subgraph {
    size_t struct_size; // sizeof(hoist_neff_subgraph)
    const char *name;   // also its folder; NULL: "sg00", "sg01", ...
    // Names of the members of each engine without ".json" and ".bin"; NULL: "pe", "act", ...
    const char *engine_files[HOIST_NEFF_ENGINE_COUNT];
    bool absent[HOIST_NEFF_ENGINE_COUNT]; // true: the engine has no members
} hoist_neff_subgraph;

// Adds the next subgraph; calls below name it by its number, from 0. `subgraph` may be NULL. Also
// HOIST_INVALID: a member of one of its paths exists. After a failure the file may have parts of
// the subgraph; the builder is then good for hoist_neff_destroy() only.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_subgraph(hoist_neff *neff,
                                                               const hoist_neff_subgraph *subgraph);

// A variable of a subgraph: memory with a name.
typedef struct hoist_neff_variable {
    size_t struct_size;           // sizeof(hoist_neff_variable)
    const char *name;             // not NULL
    const char *type;             // "input", "output", "file", "tmp-buf", "virtual", ...; not NULL
    bool has_var_id;              // `var_id` is given
    int64_t var_id;               // not given: the number of variables before it
    int64_t size;                 // bytes; always, but of a "state-buffer" not when it is 0
    int64_t alignment;            // bytes, a power of two
    const char *fabric_path;      // "main" or "alt"
    const char *file_name;        // of a "file": its member, in the folder of the subgraph
    int64_t backing_variable_off; // bytes from the start of the scratchpad; always of a "virtual"
    int64_t referenced_var_id;    // whose address a "pointer" holds; always of that type
    hoist_neff_ints list;         // var_ids of the addresses in a "dge-table"; always of that type
    int64_t element_size;         // bytes
    hoist_neff_ints shape;        // extents in elements, outermost first
    const char *dtype;            // of the elements, "float32"
    const char *backing_buf; // scratchpad of a "virtual": "main", "sharded", "local" or "shared"
    hoist_neff_keys keys;    // of the variable's object
} hoist_neff_variable;

// Adds a variable to subgraph number `subgraph`. HOIST_INVALID: there is no such subgraph, `name`
// or `type` is NULL, or another of the common statuses.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_variable(hoist_neff *neff, size_t subgraph,
                                                               const hoist_neff_variable *variable);

// A set of DMA queues of a subgraph.
typedef struct hoist_neff_queue_set {
    size_t struct_size;               // sizeof(hoist_neff_queue_set)
    const char *name;                 // not NULL
    const char *type;                 // "in", "out", "data", ...; not NULL
    int64_t num_queues;               // 1 ... 16
    const char *owner;                // engine that triggers it: "pe", "act", "pool", "dve" or "sp"
    bool pinned;                      // Inferentia 1: fills the state buffer when the model starts
    hoist_neff_names queue_instances; // rings that can be swapped in while the program runs
    hoist_neff_ints semaphore_set; // semaphores of its queues that rise on completion, at most 32
    bool has_semaphore;            // `semaphore` is given
    int64_t semaphore;             // of a single queue: rises on completion; 0 ... 255
    const char *fabric_path;       // "main" or "alt"
    hoist_neff_keys keys;          // of the set's object
} hoist_neff_queue_set;

// Adds a queue set to subgraph number `subgraph`. HOIST_INVALID: there is no such subgraph, `name`
// or `type` is NULL, or another of the common statuses.
HOIST_API HOIST_NODISCARD hoist_status
hoist_neff_add_queue_set(hoist_neff *neff, size_t subgraph, const hoist_neff_queue_set *queue_set);

// One side of a transfer: byte addresses off + sum of i[j] * steps[j], i[j] in 0 ... sizes[j] - 1,
// dimension 0 innermost and in bytes.
typedef struct hoist_neff_pattern {
    const char *variable;  // its name
    int64_t off;           // bytes from the start of the variable; always
    hoist_neff_ints sizes; // extents, dimension 0 in bytes, others in counts; always
    hoist_neff_ints steps; // bytes; as many as sizes; always
    const char *dtype;     // of the elements, "float32"
    bool has_scale;        // `scale` is given; sources only
    double scale;          // factor of "fma"
    hoist_neff_keys keys;  // of items of from_arr
} hoist_neff_pattern;

// A DMA descriptor.
typedef struct hoist_neff_desc {
    size_t struct_size; // sizeof(hoist_neff_desc)
    const char *op;     // "copy", "cast", "fma", "add", "min", "max" or "transpose"
    // The sources. A single one is written as the keys from, from_off ...; with `from_arr`, or when
    // there are more, they are the items of from_arr.
    const hoist_neff_pattern *from;
    size_t from_count;               // of `from`
    bool from_arr;                   // a single source is an item of from_arr, too
    hoist_neff_pattern to;           // the destination
    const char *scale_dtype;         // of the scales: "float32"
    const char *constant_dtype;      // of `constant`: "float32", "int32" or "uint32"
    bool has_constant;               // `constant` is given
    double constant;                 // start value of "min" and "max"
    hoist_neff_ints transpose_shape; // 4 extents in elements, outermost first
    int64_t transpose_element_size;  // bytes, 1 ... 8
    bool has_num_tiling_dimensions;  // `num_tiling_dimensions` is given
    int64_t num_tiling_dimensions;   // dimensions that form one tile; changes no result
    hoist_neff_keys keys;            // of the descriptor's object
} hoist_neff_desc;

// A descriptor block of an engine.
typedef struct hoist_neff_block {
    size_t struct_size;         // sizeof(hoist_neff_block)
    int64_t id;                 // number by which instructions trigger the block; always
    const char *queue;          // name of the queue set
    const char *instance_name;  // name of an instance of a queue set; goes before `queue`
    const char *function_start; // name of the function that triggers this and the following blocks
                                // of the queue set
    bool section_start_desc;    // the block goes to the first queue of the set
    bool has_event;             // `event` is given
    int64_t event;              // event that is set on completion, 0 ... 255
    bool has_semaphore;         // `semaphore` is given
    int64_t semaphore;          // rises by num_queues on completion; 0 ... 255
    hoist_neff_ints remote_semaphores; // semaphores of the other core of a logical core
    const hoist_neff_desc *desc;       // one after another, each with its struct_size; always
    size_t desc_count;                 // of `desc`
    bool desc_is_object;               // a single one is written without brackets
    hoist_neff_keys keys;              // of the block's object
} hoist_neff_block;

// Adds a block to the file of `engine` in subgraph number `subgraph`, after those that are there.
// HOIST_INVALID: there is no such subgraph or engine, or another of the common statuses.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_block(hoist_neff *neff, size_t subgraph,
                                                            hoist_neff_engine engine,
                                                            const hoist_neff_block *block);

// Adds instructions as text, one per line in the form of `hoist disasm`, after those that are
// there: docs/formats/neff-instructions.md has the grammar and the mnemonics. Opcodes are those of
// the target's generation. `diag` may be NULL. Also HOIST_INVALID: a line is wrong; each such line
// is reported with line and column, and none of the text is added.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_code(hoist_neff *neff, size_t subgraph,
                                                           hoist_neff_engine engine,
                                                           const char *text, hoist_diag *diag);
// Adds instructions as they are stored, 64 bytes each, after those that are there; any other
// number of bytes is added as it is. HOIST_INVALID: there is no such subgraph or engine, or another
// of the common statuses.
HOIST_API HOIST_NODISCARD hoist_status hoist_neff_add_record(hoist_neff *neff, size_t subgraph,
                                                             hoist_neff_engine engine,
                                                             hoist_bytes records);

#ifdef __cplusplus
}
#endif

#endif // HOIST_NEFF_H
