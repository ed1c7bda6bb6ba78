// formats/neff/module.h - the typed model of a NEFF (neff reference; "Work with NEFF Files").
//
// The bytes of the file stay alive as long as the module (hoist_read_options.keep); members are
// slices of them, or of the inflated archive. JSON members keep their text; small ones their tape
// too, so every key is there, known or not. Engine files can have hundreds of megabytes: of those
// only the rows below are kept, each with the place of its text, from which everything else can be
// read again (neff_engine_fragment). Nothing is dropped.
//
// Integers are as written; a key that is absent or has a value of the wrong kind has its row's
// fallback and its bit in `present` clear. Lists and names live in the arena or in the text.
#ifndef HOIST_SRC_FORMATS_NEFF_MODULE_H
#define HOIST_SRC_FORMATS_NEFF_MODULE_H

#include "base/arena.h"
#include "base/map.h"
#include "codec/json.h"
#include "codec/tar.h"
#include "formats/format.h"
#include "formats/neff/words.h"

#define NEFF_NONE UINT32_MAX
#define NEFF_HEADER_SIZE 1024

// Container --------------------------------------------------------------------------------------

// The header (1.1), field by field; integers little-endian in the file.
typedef struct neff_header {
    uint64_t pkg_version;
    uint64_t header_size;
    uint64_t data_size;
    uint64_t version_major;
    uint64_t version_minor;
    uint8_t build_version[128]; // NUL-padded text
    uint32_t num_tpb;
    uint8_t hash[32];
    uint8_t uuid[16];
    uint8_t name[256]; // NUL-padded text
    uint32_t requested_tpb_count;
    uint8_t tpb_per_node[64];
    uint64_t feature_bits;
    uint32_t lnc_size;
    uint8_t pad[468];
} neff_header;

// What refers to a member, for rule 19 and for listings.
typedef enum neff_role {
    NEFF_ROLE_UNKNOWN = 0, // nothing does
    NEFF_ROLE_GRAPH,       // neff.json
    NEFF_ROLE_KELF,
    NEFF_ROLE_DEF,
    NEFF_ROLE_ENGINE,   // engine JSON
    NEFF_ROLE_STREAM,   // instructions
    NEFF_ROLE_CONSTANT, // of a `file` variable
    NEFF_ROLE_TABLE,    // activation and DVE tables, act_info
    NEFF_ROLE_LIBRARY,  // custom ops, CPU nodes
    NEFF_ROLE_METADATA, // known names that nothing has to refer to (2.4)
    NEFF_ROLE_COUNT,
} neff_role;

typedef struct neff_member {
    hoist_str name; // without a leading "./"
    hoist_bytes bytes;
    const hoist_tar_member *tar; // as stored; NULL in a module that was built
    neff_role role;
} neff_member;

// JSON -------------------------------------------------------------------------------------------

// A JSON member. Places are byte offsets in its text; 0 is "absent" (the root is no value of a
// key).
typedef struct neff_text {
    uint32_t member; // NEFF_NONE: there is none
    hoist_json json; // owned; the tape; count 0: not read, no JSON, or only its rows are kept
} neff_text;

typedef HOIST_REC_BARE_LIST(int64_t) neff_ints;
typedef HOIST_REC_BARE_LIST(hoist_str) neff_strs;

// neff.json (3.2).
typedef struct neff_node {
    hoist_str name;
    hoist_str op;
    uint32_t at;
    bool is_kelf;
    bool is_null;
    hoist_str kelf; // attrs.kelf
} neff_node;

typedef struct neff_entry { // an output of a node: data that flows
    hoist_str name;
    uint32_t node;
    uint32_t output;
    int dtype; // index into neff_dtypes; -1: unknown
    neff_ints shape;
    bool is_input; // of the graph
    bool is_output;
} neff_entry;

typedef struct neff_graph {
    neff_text text;
    neff_node *nodes; // arena
    uint32_t node_count;
    neff_entry *entries; // arena
    uint32_t entry_count;
} neff_graph;

// Subgraphs --------------------------------------------------------------------------------------

typedef struct neff_var {
    hoist_str name;
    uint32_t at;      // of its object in def.json
    uint64_t present; // bit i: row i of neff_var_table is there, with a value of its kind
    int32_t type;     // neff_var_type; -1: unknown
    int32_t fabric;   // neff_fabric; -1: unknown
    hoist_str type_text;
    int64_t var_id;
    int64_t size; // bytes
    int64_t alignment;
    hoist_str file_name;
    int64_t backing_variable_off; // bytes
    int64_t referenced_var_id;
    neff_ints list; // var_ids
    hoist_str backing_buf;
    hoist_str prefix; // folder of the payload
    int64_t element_size;
    neff_ints internal_shape;
    neff_ints shape;
    neff_ints framework_shape;
    hoist_str dtype;
    // What follows from it, when reading is done.
    uint32_t member;     // `file`: the payload; NEFF_NONE: missing
    uint32_t referenced; // index of the variable that a pointer is to; NEFF_NONE
    bool is_aliased;     // `input`: an output may share its buffer, so it may be written
    uint32_t alias;      // that output, where it is named; NEFF_NONE
} neff_var;

typedef struct neff_queue_set {
    hoist_str name;
    uint32_t at;
    uint64_t present;
    int32_t type;   // neff_queue_type; -1
    int32_t owner;  // neff_engine_id; -1: unknown or absent
    int32_t fabric; // neff_fabric; -1
    hoist_str type_text;
    hoist_str owner_text;
    int64_t num_queues;
    bool pinned;
    neff_strs instances;
    uint32_t first_instance; // in neff_subgraph.instances
    neff_ints semaphore_set;
    int64_t semaphore;
} neff_queue_set;

typedef struct neff_instance { // of a queue set: a ring that can be swapped in
    hoist_str name;
    uint32_t queue;
} neff_instance;

// One side of a transfer (4.5.1).
typedef struct neff_pattern {
    uint32_t var;   // index into neff_subgraph.vars; NEFF_NONE: undeclared or absent
    uint32_t sizes; // index into neff_engine.numbers
    uint32_t steps;
    uint8_t size_count; // 255: that many or more
    uint8_t step_count;
    int8_t dtype;    // index into neff_dtypes; -1: unknown
    uint8_t present; // NEFF_HAS_...
    int64_t offset;  // bytes
} neff_pattern;
enum {
    NEFF_HAS_VAR = 1,
    NEFF_HAS_OFFSET = 2,
    NEFF_HAS_SIZES = 4,
    NEFF_HAS_STEPS = 8,
    NEFF_HAS_DTYPE = 16,
    NEFF_HAS_SCALE = 32, // sources
};

typedef struct neff_source {
    neff_pattern from;
    double scale; // 1.0 when absent
} neff_source;

// The keys that few descriptors have.
typedef struct neff_desc_extra {
    uint64_t present; // bit i: row i of neff_extra_table
    hoist_str scale_dtype;
    double scale; // next to from_arr
    hoist_str constant_dtype;
    double constant;
    neff_ints transpose_shape;
    int64_t transpose_element_size; // bytes
    int64_t num_tiling_dimensions;
    hoist_str transpose_op;
} neff_desc_extra;

typedef struct neff_desc {
    uint32_t at;      // of its object in the engine's text
    uint32_t sources; // index into neff_engine.sources
    // The items of from_arr; without one: 1 when there is any of the `from*` keys, else 0.
    uint16_t source_count;
    int8_t op;         // neff_op; -1: unknown
    bool has_from : 1; // the key `from` is there
    bool has_from_arr : 1;
    uint32_t extra; // index into neff_engine.extras; NEFF_NONE
    neff_pattern to;
} neff_desc;

typedef struct neff_block {
    uint32_t at;
    uint32_t descs; // index into neff_engine.descs
    uint32_t desc_count;
    uint32_t queue;    // index of the queue set (also through an instance); NEFF_NONE: undeclared
    uint32_t instance; // index into neff_subgraph.instances; NEFF_NONE: the set itself
    uint32_t function; // index into neff_engine.functions of the section it is in; NEFF_NONE: main
    uint32_t present;  // bit i: row i of neff_block_table
    bool section_start;
    bool desc_is_object; // written without brackets
    int64_t id;
    int64_t event;
    int64_t semaphore;
    neff_ints remote_semaphores;
} neff_block;

typedef struct neff_engine {
    neff_engine_id id;
    neff_text text;       // engine JSON; the tape is without the items of `dma`
    uint32_t instr;       // member of the instruction stream; NEFF_NONE
    hoist_str instr_name; // as written; empty: none is named
    hoist_str name;
    hoist_str act_info;
    int64_t act_semaphore; // -1: absent
    neff_strs function_sets;
    neff_block *blocks; // growing tables of their own, see engine_rows.h
    size_t block_count;
    neff_desc *descs;
    size_t desc_count;
    neff_source *sources;
    size_t source_count;
    int64_t *numbers; // sizes and steps
    size_t number_count;
    neff_desc_extra *extras;
    size_t extra_count;
    hoist_str *functions; // names of `function_start`, each once, in the order of appearance
    size_t function_count;
    size_t capacities[6]; // of the six tables above
} neff_engine;

typedef struct neff_subgraph {
    hoist_str name;   // "sg00"
    hoist_str folder; // of def.json: "sg00/", or ""
    uint32_t kelf;    // index into neff_module.kelfs
    neff_text def;
    neff_var *vars; // arena, in file order
    uint32_t var_count;
    hoist_map var_names;    // to index
    uint32_t *by_id;        // arena; variables in ascending var_id (first of equals)
    neff_queue_set *queues; // arena
    uint32_t queue_count;
    hoist_map queue_names;
    neff_instance *instances; // arena
    uint32_t instance_count;
    hoist_map instance_names;
    neff_engine engines[NEFF_ENGINE_COUNT];
} neff_subgraph;

typedef struct neff_kelf {
    neff_text text;
    uint32_t node; // of neff.json
    hoist_str version;
    hoist_str target;
    int generation; // neff_generation; -1: unknown spelling
} neff_kelf;

typedef struct neff_module {
    hoist_module base;
    hoist_arena arena;
    hoist_bytes file; // all of it; borrowed
    neff_header header;
    hoist_bytes payload;      // data_size bytes after the header, as stored
    hoist_mut_bytes inflated; // owned; empty when the payload is a raw tar
    hoist_bytes archive;      // the tar: the payload or `inflated`
    hoist_tar tar;
    bool gzip;
    hoist_str flaw;       // arena; the first error of reading, after the header; empty: none
    neff_member *members; // arena; files only, in archive order
    uint32_t member_count;
    hoist_map member_names; // first of equals
    neff_graph graph;
    neff_kelf *kelfs; // arena
    uint32_t kelf_count;
    neff_subgraph *subgraphs; // arena
    uint32_t subgraph_count;
} neff_module;

static inline const neff_module *neff_of(const hoist_module *module)
{
    return (const neff_module *)module;
}

// Index of the member of that name; NEFF_NONE.
uint32_t neff_member_find(const neff_module *module, hoist_str name);
// Index of the variable with that var_id; NEFF_NONE.
uint32_t neff_var_by_id(const neff_subgraph *subgraph, int64_t var_id);

extern const hoist_format hoist_neff_format;

#endif // HOIST_SRC_FORMATS_NEFF_MODULE_H
