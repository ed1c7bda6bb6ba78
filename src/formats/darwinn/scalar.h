// formats/darwinn/scalar.h - the scalar core: instruction chunks in, DMA descriptors out (darwinn
// reference sections 8.4 and 8.5).
//
// The core has 32 registers, 8 predicates and a memory of 32-bit words, all 0 at the start, which
// last from chunk to chunk. All slots of a bundle see what was before it; a loaded value is there
// two bundles later. The value of a special load is unknown; so is every value computed from it,
// and both are reported as unknown.
#ifndef HOIST_SRC_FORMATS_DARWINN_SCALAR_H
#define HOIST_SRC_FORMATS_DARWINN_SCALAR_H

#include "formats/darwinn/stream.h"

enum {
    DWN_REGISTERS = 32,
    DWN_PREDICATES = 8,
    DWN_SCALAR_WORDS = 8192, // of memory, as many as an address of 13 bits names
    DWN_DESCRIPTOR_WORDS = 4,
    DWN_LOAD_DELAY = 2, // bundles
};

// Codes as the fields BUNDLE_LOAD and BUNDLE_STORE have them.
typedef enum dwn_load {
    DWN_LOAD_NONE = 0,
    DWN_LOAD_DIRECT,
    DWN_LOAD_BY_REGISTER,
    DWN_LOAD_SPECIAL, // a queue or counter of the chip
} dwn_load;

typedef enum dwn_store {
    DWN_STORE_NONE = 0,
    DWN_STORE_DIRECT,
    DWN_STORE_BY_REGISTER,
    DWN_STORE_SPECIAL,
    DWN_STORE_PUSH,       // a word to the output port
    DWN_STORE_DESCRIPTOR, // a word of the descriptor
    DWN_STORE_SEND,       // the descriptor
    DWN_STORE_COUNT,      // codes from here on are unknown
} dwn_store;

// What a bundle makes of a float32 in a slot of its own [inferred from the softmax of models of
// early compilers].
typedef enum dwn_function {
    DWN_FUNCTION_NONE = 0,
    DWN_FUNCTION_RECIPROCAL = 2,
    DWN_FUNCTION_EXP2 = 3,
} dwn_function;

// A scalar bundle, decoded.
// Slots that are not used have the code 0 in `load`, `store`, `alu` and `function`; what else they
// hold has no meaning then.
typedef struct dwn_bundle {
    bool predicated;    // false: always carried out
    uint8_t predicate;  // 0 to 7
    bool sense;         // carried out where the predicate is this
    uint8_t load;       // dwn_load
    uint8_t load_to;    // register, as are *_from and *_of below
    uint16_t load_from; // word; BY_REGISTER: low 5 bits, a register
    uint8_t store;      // dwn_store, or more
    uint16_t store_to;  // word or register as of a load; DESCRIPTOR: 0 to 3
    uint8_t store_from;
    uint8_t alu;       // code of scalar_alu.h
    bool by_immediate; // the operand is `immediate`, not the register of its low 5 bits
    uint8_t to;        // register; of comparisons a predicate
    uint8_t first;     // first source register
    uint32_t immediate;
    uint8_t function; // dwn_function, or more
    uint8_t function_to;
    uint8_t function_of;
} dwn_bundle;

dwn_bundle dwn_bundle_of(hoist_bytes instruction);
// Whether it sets a register to its immediate, whatever else it does: linking requires it (3).
bool dwn_bundle_moves_immediate(const dwn_bundle *bundle);

typedef struct dwn_branch {
    bool conditional; // false: always
    uint8_t predicate;
    bool sense;
    int32_t offset; // words
    uint8_t form;   // 2: relative; others are unknown
} dwn_branch;

dwn_branch dwn_branch_of(hoist_bytes instruction);

// A DMA descriptor that the core sent, or an interrupt: a tag of 4 or more, no bytes, address 0.
typedef struct dwn_descriptor {
    uint32_t chunk;
    uint32_t word;                        // of the bundle that sent it
    uint32_t words[DWN_DESCRIPTOR_WORDS]; // address low and high, bytes, tag
    uint8_t known;                        // bit i: word i is known
} dwn_descriptor;

enum { DWN_DESCRIPTOR_KNOWN = (1 << DWN_DESCRIPTOR_WORDS) - 1 };

// How a run ended.
// DONE: every chunk was run to its halt or its last word. All others stop the run early; what was
// sent before is valid.
typedef enum dwn_scalar_end {
    DWN_SCALAR_DONE = 0,
    DWN_SCALAR_UNPARSED,          // at the end of what could be parsed of a chunk
    DWN_SCALAR_UNKNOWN_ALU,       // an ALU operation that has no row
    DWN_SCALAR_UNKNOWN_STORE,     // a code from DWN_STORE_COUNT on
    DWN_SCALAR_UNKNOWN_PREDICATE, // whether to do something hangs on an unknown value
    DWN_SCALAR_UNKNOWN_ADDRESS,   // a store to a word that is not known
    DWN_SCALAR_BAD_ADDRESS,       // outside the memory
    DWN_SCALAR_BAD_DESCRIPTOR,    // a descriptor has no such word
    DWN_SCALAR_BAD_PREDICATE,     // a comparison names none of the 8
    DWN_SCALAR_ENDS,
} dwn_scalar_end;

typedef struct dwn_scalar_run {
    const dwn_descriptor *sent; // arena
    size_t count;
    dwn_scalar_end end;
    uint32_t chunk; // where it ended
    uint32_t word;
} dwn_scalar_run;

// Runs the chunks of a program, in order. Branches and loops do nothing: each bundle is carried out
// once. So the hints of every deterministic program come out, and of others those before the first
// branch. HOIST_OK, however the run ends; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_scalar_execute(const dwn_stream *chunks, size_t count,
                                                hoist_arena *arena, dwn_scalar_run *out_run);

// A sentence without a period: "it reached ...".
const char *dwn_scalar_end_text(dwn_scalar_end end);

#endif // HOIST_SRC_FORMATS_DARWINN_SCALAR_H
