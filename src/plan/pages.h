// plan/pages.h - which buffers and fifos of a program have memory of their own in a session, and
// which are in the memory of others.
//
// Memory of a call is planned by calls.h. A fifo of tiles is held as tiles of float32, and the
// buffers that it is in are then no bytes. Everything else that a view, port or content names has
// its bytes; constants with the same bytes of the program have them once. Where it is known what
// the caller reads, messages stay where they are (stays.h), and values of a thread that never live
// together share bytes (reuse.h).
#ifndef HOIST_SRC_PLAN_PAGES_H
#define HOIST_SRC_PLAN_PAGES_H

#include "plan/reuse.h"

#define HOIST_PAGE_TILE_BYTES ((uint64_t)4096) // of a tile in memory: 1,024 float32

// The reason why the memory of a program cannot be taken.
typedef struct hoist_page_refusal {
    hoist_str name; // of the buffer or fifo; borrowed from the program
    hoist_loc loc;
    const char *why; // static; NULL: nothing was refused
} hoist_page_refusal;

// What a buffer with memory of its own is to the tiled fifos on it. The first fifo on a set of
// buffers leads: it takes memory for all of them. Others must be cut into the same parts, since
// only then a tile of one is a tile of the other.
typedef struct hoist_page_root {
    hoist_ref leader;    // HOIST_NO_REF: no tiled fifo is on this buffer
    uint32_t part;       // of the leader
    uint64_t part_tiles; // part 0: the most tiles that any fifo on it has in one part
} hoist_page_root;

typedef struct hoist_page_plan_options {
    hoist_allocator alloc;
    // Per row of the program's ports: whether the caller may read it after a run. NULL: any, and
    // slots of fifos, too.
    const bool *is_read;
    const hoist_group_plan *groups; // NULL: there are none
    hoist_ref home;                 // that has its threads here; HOIST_NO_REF: all have
    hoist_deadline *deadline;       // NULL: none
} hoist_page_plan_options;

typedef struct hoist_page_plan {
    hoist_allocator alloc;
    const hoist_program *program; // borrowed
    bool *needed;                 // per buffer that is no window: it has bytes
    bool *constant;               // per buffer: it may share them with equal constants
    uint64_t *held;               // per buffer: bytes of it that are held, if it has any
    hoist_ref *equal;             // per buffer: in whose memory it is then; else itself
    hoist_page_root *roots;       // per buffer
    hoist_stay_plan stays;        // fifos whose memory is not needed
    hoist_reuse_plan reuse;       // buffers that are in the memory of their thread
    hoist_page_refusal refused;
} hoist_page_plan;

// HOIST_OK; HOIST_UNSUPPORTED with `refused`: fifos of tiles that share memory without being cut
// into the same parts, contents or names outside of a call for memory of one call; HOIST_LIMIT:
// more than 2^64 tiles, or the deadline; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_page_plan_build(const hoist_program *program,
                                                   const hoist_page_plan_options *options,
                                                   hoist_page_plan *out_plan);
// `refused` stays.
void hoist_page_plan_deinit(hoist_page_plan *plan);

// The root of part 0 of a fifo.
const hoist_page_root *hoist_page_root_of(const hoist_page_plan *plan, hoist_ref fifo);
// Tiles that a tiled fifo takes memory for; 0: another one leads. False: more than can be counted.
bool hoist_page_fifo_tiles(const hoist_page_plan *plan, hoist_ref fifo, uint64_t *out_tiles);
// Bytes of all that has memory of its own. False: more than can be counted.
bool hoist_page_plan_bytes(const hoist_page_plan *plan, uint64_t *out_bytes);
// Tiles of an entry in one part.
uint64_t hoist_page_entry_tiles(const hoist_prog_layout *layout);

#endif // HOIST_SRC_PLAN_PAGES_H
