// formats/darwinn/link.h - linking: the holes of an instruction chunk are filled with halves of
// buffer addresses, or emptied again (darwinn reference section 3).
#ifndef HOIST_SRC_FORMATS_DARWINN_LINK_H
#define HOIST_SRC_FORMATS_DARWINN_LINK_H

#include "base/map.h"
#include "formats/darwinn/stream.h"

typedef enum dwn_desc { // which buffer; as stored
    DWN_DESC_OUTPUT = 0,
    DWN_DESC_INPUT,
    DWN_DESC_PARAMETER,
    DWN_DESC_SCRATCH,
    DWN_DESC_COUNT,
} dwn_desc;

enum { DWN_POSITION_LOW = 0, DWN_POSITION_HIGH = 1, DWN_LINK_BITS = 32, DWN_LINK_PHASE = 70 };
enum { DWN_MAX_LINKS = 1 << 24, DWN_MAX_NAMES = 1 << 26 };

// A field offset: a hole of 32 bits. Numbers are as stored, whatever they are.
typedef struct dwn_link {
    hoist_str name;     // of the layer; empty for PARAMETER and SCRATCH; borrowed
    int32_t batch;      // element; of PARAMETER without a meaning
    int32_t offset_bit; // in the chunk
    int16_t desc;       // dwn_desc
    int16_t position;   // DWN_POSITION_LOW or _HIGH half
    bool has_meta;      // false: the fields above but offset_bit are not stored
} dwn_link;

// Whether buffers of that kind are layers, which have names and batches.
static inline bool dwn_desc_is_layer(int64_t desc)
{
    return desc == DWN_DESC_INPUT || desc == DWN_DESC_OUTPUT;
}

// What can be linked to: a layer, the parameters or the scratch buffer.
typedef struct dwn_place {
    hoist_str name;            // of a layer, else empty; borrowed
    int16_t desc;              // dwn_desc
    uint32_t count;            // elements of a batch; of parameters and scratch 1
    const uint64_t *addresses; // of each element; borrowed; NULL: not bound, stays as it is
} dwn_place;

// Places, found by their names.
typedef struct dwn_places {
    const dwn_place *items; // borrowed
    size_t count;
    hoist_map by_name[DWN_DESC_COUNT];
} dwn_places;

// The first of several places with one kind and name counts. HOIST_OK or HOIST_NO_MEMORY, after
// either dwn_places_deinit().
HOIST_NODISCARD hoist_status dwn_places_init(dwn_places *places, const dwn_place *items,
                                             size_t count, hoist_allocator alloc);
void dwn_places_deinit(dwn_places *places);
// The place that a link means; NULL: none, or no meta. A name counts for layers only.
const dwn_place *dwn_place_of(const dwn_places *places, const dwn_link *link);

typedef struct dwn_chunk { // with its holes
    dwn_stream stream;
    const dwn_link *links; // borrowed
    size_t link_count;
} dwn_chunk;

// What can be wrong with links (link_faults.inc).
typedef enum dwn_link_code {
#define DWN_LINK_FAULT(code, ...) DWN_LINK_##code,
#include "formats/darwinn/link_faults.inc"
    DWN_LINK_CODES,
} dwn_link_code;

typedef struct dwn_link_fault {
    dwn_link_code code;
    uint32_t chunk;
    uint32_t link; // index in its chunk
    int64_t found;
} dwn_link_fault;

typedef struct dwn_link_faults {
    const dwn_link_fault *items; // arena
    size_t count;
} dwn_link_faults;

// Checks the links of a program's chunks against the places that there are. Faults come in order of
// chunks and links, then overlaps and missing halves, then unused layers. HOIST_OK, however many;
// HOIST_LIMIT as dwn_links_count(); HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_link_check(const dwn_chunk *chunks, size_t count,
                                            const dwn_places *places, hoist_arena *arena,
                                            dwn_link_faults *out_faults);

// Fills the holes of a chunk's copy `bytes`, as long as the chunk, whose place is bound; others
// stay. HOIST_OK; HOIST_INVALID: a hole outside the bytes, or a batch element that the place does
// not have: then the bytes hold anything.
HOIST_NODISCARD hoist_status dwn_link_apply(hoist_mut_bytes bytes, const dwn_link *links,
                                            size_t count, const dwn_places *places);
// Empties all holes: what was before linking. HOIST_OK; HOIST_INVALID: a hole outside the bytes.
HOIST_NODISCARD hoist_status dwn_link_undo(hoist_mut_bytes bytes, const dwn_link *links,
                                           size_t count);

// Links of all chunks. False: they, or the bytes of their names, are more than DWN_MAX_LINKS and
// DWN_MAX_NAMES, as only a file has that means to cost time.
bool dwn_links_count(const dwn_chunk *chunks, size_t count, size_t *out_links);
// Orders links by the buffer and batch element that they mean; 0: they mean the same.
int dwn_link_compare(const dwn_link *a, const dwn_link *b);

// Whether all 32 bits are inside `size` bytes.
bool dwn_link_is_inside(const dwn_link *link, size_t size);

// Writes into `buffer` what is wrong, as a sentence without a period.
void dwn_link_fault_text(const dwn_link_fault *fault, char *buffer, size_t size);
const char *dwn_link_fault_name(dwn_link_code code); // a word
// "output", "input", "parameter", "scratch"; NULL: no such.
const char *dwn_desc_name(int64_t desc);
const char *dwn_position_name(int64_t position); // "low", "high"; NULL: no such

#endif // HOIST_SRC_FORMATS_DARWINN_LINK_H
