// formats/darwinn/scalar_hints.h - the DMA hints of a program, made again from what its scalar core
// sends (darwinn reference sections 4.3 and 8.5).
//
// Each buffer gets a number of its own for the high half of its address and the same low half; so a
// descriptor says whose it is, and names are compared, too.
#ifndef HOIST_SRC_FORMATS_DARWINN_SCALAR_HINTS_H
#define HOIST_SRC_FORMATS_DARWINN_SCALAR_HINTS_H

#include "formats/darwinn/link.h"
#include "formats/darwinn/scalar.h"

enum { // tags of descriptors
    DWN_TAG_INSTRUCTIONS = 0,
    DWN_TAG_INPUT,
    DWN_TAG_PARAMETER,
    DWN_TAG_OUTPUT,
    DWN_TAG_INTERRUPT, // and three more
    DWN_TAG_COUNT = DWN_TAG_INTERRUPT + 4,
};

// What a descriptor transfers.
// Made from a dwn_descriptor and the links: the buffer is found by the number in the address.
typedef struct dwn_transfer {
    uint32_t chunk;
    uint32_t word;  // of the bundle that sends it
    uint32_t tag;   // 1 input or scratch, 2 parameters, 3 output or scratch, 4 ... 7 interrupt
    int16_t desc;   // dwn_desc
    int32_t batch;  // of INPUT and OUTPUT
    hoist_str name; // of the layer; borrowed from the links
    int64_t offset; // bytes from the start of the buffer, may be negative
    uint32_t size;  // bytes
    bool is_known;  // false: of no linked buffer, or of one that the tag does not fit
} dwn_transfer;

bool dwn_transfer_is_interrupt(const dwn_transfer *transfer);

typedef enum dwn_hint_kind { // as in the union AnyHint; 0 is none
    DWN_HINT_NONE = 0,
    DWN_HINT_DMA,
    DWN_HINT_INSTRUCTION,
    DWN_HINT_INTERRUPT,
    DWN_HINT_FENCE,
    DWN_HINT_KINDS,
} dwn_hint_kind;

enum { DWN_INFEED = 0, DWN_OUTFEED = 1 };

// A step of the driver, from a file or from a run: only the members of its kind have a meaning, and
// dwn_hint_equal() compares no others.
typedef struct dwn_hint {
    int16_t kind;      // dwn_hint_kind
    int16_t desc;      // DMA: dwn_desc
    int16_t direction; // DMA: host to device, or back
    int32_t batch;     // DMA of INPUT and OUTPUT
    int32_t index;     // INSTRUCTION: chunk; INTERRUPT: number
    hoist_str name;    // DMA of INPUT and OUTPUT; borrowed
    int64_t offset;    // DMA: bytes
    int64_t size;      // DMA: bytes
} dwn_hint;

enum { DWN_MAX_PROGRAM = 1 << 25 }; // bytes of all chunks; real ones have less than 2 MiB

typedef struct dwn_program_run {
    dwn_scalar_run run;
    const dwn_transfer *transfers; // arena; one per descriptor
    size_t transfer_count;
    size_t unknown;        // transfers that are not known; they make hints of kind NONE
    const dwn_hint *hints; // arena
    size_t hint_count;
} dwn_program_run;

// Runs the scalar core over copies of the chunks, linked for the purpose, and makes its hints:
// descriptors that go on where the one before ended are one; a chunk comes before the first
// descriptor that it sends, a fence before each transfer from scratch to the device. HOIST_OK,
// however the run ends; HOIST_LIMIT as dwn_links_count(), or more than DWN_MAX_PROGRAM bytes;
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_program_execute(const dwn_chunk *chunks, size_t count,
                                                 hoist_arena *arena, dwn_program_run *out_run);

// The hint of a transfer alone; of one that is not known, kind NONE.
dwn_hint dwn_hint_of(const dwn_transfer *transfer);

bool dwn_hint_equal(const dwn_hint *a, const dwn_hint *b);

// Compares the hints of a run with those of a file: `*out_at` is the first that differs, or what
// they have in common. When `is_prefix` (the file's are not deterministic) the run may have more.
bool dwn_hints_agree(const dwn_program_run *run, const dwn_hint *hints, size_t count,
                     bool is_prefix, size_t *out_at);

// "input 'image' [0, +256] infeed", "chunk 0", "interrupt 0", "fence", "unknown transfer".
void dwn_hint_text(const dwn_hint *hint, char *buffer, size_t size);

#endif // HOIST_SRC_FORMATS_DARWINN_SCALAR_HINTS_H
