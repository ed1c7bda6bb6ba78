// formats/neff/words.h - the closed sets of words and numbers that NEFFs use: one table each.
#ifndef HOIST_SRC_FORMATS_NEFF_WORDS_H
#define HOIST_SRC_FORMATS_NEFF_WORDS_H

#include "hoist/tensor.h"

#include "codec/record.h"

// Engines of a core in the loader's order (neff reference 2.4).
typedef enum neff_engine_id {
    NEFF_PE = 0,
    NEFF_ACT,
    NEFF_POOL,
    NEFF_DVE,
    NEFF_SP,
    NEFF_ENGINE_COUNT,
} neff_engine_id;

typedef struct neff_engine_row {
    const char *key;       // of def.json: "pe"
    const char *instr_key; // "pe_instr"
    const char *title;     // "Tensor engine"
} neff_engine_row;
extern const neff_engine_row neff_engines[NEFF_ENGINE_COUNT];

// Types of variables (3.3, 4.1).
typedef enum neff_var_type {
    NEFF_VAR_STATE_BUFFER = 0,
    NEFF_VAR_INPUT,
    NEFF_VAR_OUTPUT,
    NEFF_VAR_FILE,
    NEFF_VAR_TMP_BUF,
    NEFF_VAR_VIRTUAL,
    NEFF_VAR_POINTER,
    NEFF_VAR_DGE_TABLE,
    NEFF_VAR_DOCUMENTED, // from here on: found in the loader, not documented
    NEFF_VAR_LIST = NEFF_VAR_DOCUMENTED,
    NEFF_VAR_REMOTE,
    NEFF_VAR_SHARED,
    NEFF_VAR_SHARDED,
    NEFF_VAR_LOCAL,
    NEFF_VAR_PIPE,
    NEFF_VAR_TYPE_COUNT,
} neff_var_type;

// Types of queue sets (4.2).
typedef enum neff_queue_type {
    NEFF_QUEUE_IN = 0,
    NEFF_QUEUE_OUT,
    NEFF_QUEUE_DATA,
    NEFF_QUEUE_EMBEDDING_UPDATE,
    NEFF_QUEUE_DYNAMIC,
    NEFF_QUEUE_ACT_LOAD,
    NEFF_QUEUE_TYPE_COUNT,
} neff_queue_type;

typedef enum neff_fabric { NEFF_FABRIC_MAIN = 0, NEFF_FABRIC_ALT, NEFF_FABRIC_COUNT } neff_fabric;

// Ops of a descriptor (4.4).
typedef enum neff_op {
    NEFF_OP_COPY = 0,
    NEFF_OP_CAST,
    NEFF_OP_FMA,
    NEFF_OP_ADD,
    NEFF_OP_MIN,
    NEFF_OP_MAX,
    NEFF_OP_TRANSPOSE,
    NEFF_OP_COUNT,
} neff_op;

// Closed sets as the files spell them; a value that is in none is -1.
typedef hoist_rec_words neff_words;
extern const neff_words neff_var_types;
extern const neff_words neff_queue_types;
extern const neff_words neff_fabrics;
extern const neff_words neff_ops;
extern const neff_words neff_engine_words; // keys of neff_engines
extern const neff_words neff_dtype_words;  // names of neff_dtypes

// Element types (4.6), in the order of the vendor's table; aliases after.
typedef struct neff_dtype_row {
    const char *name;     // as JSON spells it
    hoist_dtype dtype;    // hoist's own
    uint8_t bytes;        // of an element
    uint8_t isa_code;     // of instructions and of the API; 0: none (aliases)
    const char *mnemonic; // of disassembly (5.6)
    bool in_graph;        // the loader knows it in neff.json too (3.2)
} neff_dtype_row;
enum { NEFF_DTYPE_COUNT = 19 }; // 15 and the 4 aliases of 4.6
extern const neff_dtype_row neff_dtypes[NEFF_DTYPE_COUNT];
// The row with an ISA code of 1 ... 15; NULL for others.
const neff_dtype_row *neff_dtype_of_isa(unsigned code);
enum { NEFF_DTYPE_UINT8 = 2 }; // index of the default

// Generations and targets (3.1.1).
typedef enum neff_generation {
    NEFF_ANY_GENERATION = 0, // "*"
    NEFF_GEN1,               // Inferentia 1
    NEFF_GEN2,
    NEFF_GEN3,
    NEFF_GEN4,
    NEFF_GEN5, // disassembly only
    NEFF_GENERATION_COUNT,
} neff_generation;

typedef struct neff_generation_row {
    const char *target;       // of --target: "trn1"
    const char *alias;        // "inf2"; or NULL
    const char *spellings[4]; // in kelf files; NULL ends the list
    unsigned semaphores;      // of a core
    unsigned queues;          // of a queue set
    uint32_t partition_bytes; // of the state buffer; 0: not public
    bool remote_semaphores;   // exist
    bool reservation;         // runtime_statebuffer_reservation is required
} neff_generation_row;
extern const neff_generation_row neff_generations[NEFF_GENERATION_COUNT];
// By --target, or a spelling of a kelf file that is one generation's; -1: unknown. By the spelling
// in a kelf file (an empty one is generation 2, "*" any); -1: unknown.
int neff_generation_of_target(hoist_str target);
int neff_generation_of_spelling(hoist_str spelling);

// Feature bits (1.5): those that follow from content by a rule here.
typedef enum neff_feature_bit {
    NEFF_BIT_COLLECTIVE_OFFSET = 1,
    NEFF_BIT_INSTANCES = 4,
    NEFF_BIT_FUNCTIONS = 5,
    NEFF_BIT_ACT_LOAD = 6,
    NEFF_BIT_MANY_DIMENSIONS = 9,
    NEFF_BIT_LNC = 10,
    NEFF_BIT_DGE = 12,
    NEFF_BIT_REMOTE = 14,
    NEFF_BIT_HARDWARE_DGE = 21,
    NEFF_BIT_LARGE_TENSORS = 25,
} neff_feature_bit;

// A row without name and summary is a bit whose meaning is not known.
typedef struct neff_feature_row {
    const char *name;    // "neff_has_functions"; NULL: the bit has no known name
    bool in_json;        // the name is written to neff_features
    const char *summary; // what implies it; NULL: unknown
} neff_feature_row;
extern const neff_feature_row neff_features[64];

#endif // HOIST_SRC_FORMATS_NEFF_WORDS_H
