// formats/neff/show.h - what the documents of a NEFF share: info, dump, drawing.
#ifndef HOIST_SRC_FORMATS_NEFF_SHOW_H
#define HOIST_SRC_FORMATS_NEFF_SHOW_H

#include "base/checked.h"
#include "formats/neff/header.h"
#include "formats/neff/neff.h"

// Sums and products of sizes that come from files; what does not fit is UINT64_MAX.
static inline uint64_t neff_sum(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return hoist_ckd_add(&sum, a, b) ? UINT64_MAX : sum;
}
static inline uint64_t neff_product(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return hoist_ckd_mul(&product, a, b) ? UINT64_MAX : product;
}
// A size as a file says it; one below 0 counts as 0.
static inline uint64_t neff_size(int64_t size)
{
    return size > 0 ? (uint64_t)size : 0;
}

// The bytes without zeros at the end. show.c
hoist_bytes neff_trimmed(const uint8_t *bytes, size_t size);
// Bytes as hexadecimal digits. show.c
void neff_send_hex(hoist_tree_sink *sink, const char *key, hoist_bytes bytes);
// The value of a header's field. show.c
void neff_send_header_field(hoist_tree_sink *sink, const neff_header *header,
                            neff_header_field field);
// A list of integers on one line. show.c
void neff_send_ints(hoist_tree_sink *sink, const char *key, neff_ints ints);
// The name of a member; null for NEFF_NONE. show.c
void neff_send_member(hoist_tree_sink *sink, const char *key, const neff_module *module,
                      uint32_t member);
// What a role is called: "engine". show.c
const char *neff_role_name(neff_role role);

// The scratchpad of one area (4.1): slices that overlap on purpose.
typedef struct neff_scratchpad {
    int32_t fabric;       // neff_fabric
    hoist_str buffer;     // backing_buf
    uint32_t count;       // of slices
    const uint32_t *vars; // indices, by ascending start and end
    uint64_t extent;      // where the last slice ends
    uint64_t sum;         // of their sizes
    uint64_t covered;     // bytes that are in a slice
} neff_scratchpad;

// The scratchpads of a subgraph, by area; slices that no 64 bits hold are left out. Tables live in
// `arena`. HOIST_NO_MEMORY. scratchpads.c
HOIST_NODISCARD hoist_status neff_scratchpads(const neff_subgraph *subgraph, hoist_arena *arena,
                                              const neff_scratchpad **out_pads,
                                              uint32_t *out_count);

// What transfers move, added up.
typedef struct neff_moved {
    uint64_t blocks;
    uint64_t descs;
    uint64_t bytes;      // written
    uint64_t ring_bytes; // estimate of 7.2
} neff_moved;

enum { NEFF_FLOW_KEY = 12 };
typedef struct neff_flow { // from variable to variable
    uint32_t from;         // NEFF_NONE: undeclared
    uint32_t to;
    uint64_t descs;
    uint64_t bytes;             // read
    uint8_t engines;            // bit: in the JSON of that engine
    uint32_t queue;             // by queue set; else NEFF_NONE
    uint8_t key[NEFF_FLOW_KEY]; // of the map of flows
} neff_flow;

typedef struct neff_queue_use {
    neff_moved moved;
    bool main; // has variables of that area
    bool alt;
} neff_queue_use;

// The DMA of a subgraph, from one pass over its descriptors.
typedef struct neff_traffic {
    neff_queue_use *queues; // arena; by queue set
    neff_moved engines[NEFF_ENGINE_COUNT];
    neff_moved all;
    uint64_t op_count[NEFF_OP_COUNT + 1]; // the last: unknown
    neff_flow **flows;                    // arena; by queue set, most bytes first
    uint32_t flow_count;
} neff_traffic;

// With `by_queue` the flows through different queue sets are different ones. HOIST_NO_MEMORY.
// traffic.c
HOIST_NODISCARD hoist_status neff_traffic_read(const neff_subgraph *subgraph, bool by_queue,
                                               hoist_allocator alloc, hoist_arena *arena,
                                               neff_traffic *out_traffic);

// What variables are in memory.
typedef enum neff_use {
    NEFF_USE_ON_CHIP = 0,
    NEFF_USE_TENSORS,
    NEFF_USE_CONSTANTS,
    NEFF_USE_BUFFERS,
    NEFF_USE_TABLES,
    NEFF_USE_SCRATCHPAD,
    NEFF_USE_OTHER,
    NEFF_USE_COUNT,
} neff_use;

typedef struct neff_area { // of memory
    bool used;             // has variables
    uint64_t bytes[NEFF_USE_COUNT];
} neff_area;

// The bytes that a subgraph takes in each area: the scratchpad as far as it reaches. memory_use.c
void neff_areas(const neff_subgraph *subgraph, const neff_scratchpad *pads, uint32_t pad_count,
                neff_area out_areas[NEFF_FABRIC_COUNT]);

#endif // HOIST_SRC_FORMATS_NEFF_SHOW_H
