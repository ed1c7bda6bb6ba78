// runtime/work.h - a data step made ready: what is to be computed, cut into units that any thread
// may do in any order with the same bits.
#ifndef HOIST_SRC_RUNTIME_WORK_H
#define HOIST_SRC_RUNTIME_WORK_H

#include "kernels/move.h"
#include "machine/machine.h"
#include "plan/calls.h"
#include "runtime/blocks.h"
#include "runtime/collective.h"
#include "runtime/prepared.h"
#include "runtime/reshapes.h"
#include "runtime/store.h"

typedef enum hoist_work_kind {
    HOIST_WORK_NONE = 0, // nothing is to be done
    HOIST_WORK_COMPUTE,
    HOIST_WORK_TILE_MOVE,
    HOIST_WORK_VIEW_MOVE,
    HOIST_WORK_ZERO,
    HOIST_WORK_COLLECTIVE,
    HOIST_WORK_GROUP, // units are blocks: hoist_blocks_run()
} hoist_work_kind;

typedef struct hoist_work {
    hoist_work_kind kind;
    const hoist_prog_step *step;
    size_t units; // 1 or more
    hoist_compute_call call;
    hoist_view views[HOIST_MOVE_MAX_VIEWS + 1]; // sources, then the destination
    float scales[HOIST_MOVE_MAX_VIEWS];
    hoist_tiles tiles[HOIST_MOVE_MAX_VIEWS]; // sources of a tile move
    hoist_tile_move tile_move;
    hoist_move_plan view_move;
    hoist_ref fifo; // ZERO
    // COLLECTIVE; owned, and kept for the next one: hoist_work_deinit().
    hoist_collective_member *members;
    size_t member_count;
    size_t member_capacity;
    size_t *processes; // of the members
    size_t process_capacity;
    // GROUP; owned, as above.
    const hoist_group *group;
    hoist_block_step *steps; // of the group
    size_t step_capacity;
} hoist_work;

typedef struct hoist_remote hoist_remote; // remote.h
typedef struct hoist_work_context hoist_work_context;

// What steps are made ready with.
struct hoist_work_context {
    const hoist_program *program;
    const hoist_call_plan *plan;
    const hoist_group_plan *groups;
    const hoist_reshape_tables *reshapes; // of `plan`
    hoist_store *store;
    const hoist_machine *machine;
    const hoist_compute_kernels *kernels;
    const hoist_prepared *prepared; // of these kernels
    const hoist_move_kernels *moves;
    hoist_allocator alloc;
    uint8_t *const *call_memory; // per process: memory of its calls, deepest last
    hoist_remote *remote;        // other homes, in other processes; NULL: none
    // Of a session that has them: the members of a collective, those of other homes, too.
    hoist_status (*members)(const hoist_work_context *context, size_t process, hoist_work *work);
    hoist_move_stop *stop;   // of the work at hand; NULL: it goes on to its end
    bool goes_on;            // over arithmetic that the reference does not define
    hoist_mut_bytes scratch; // of the worker; {NULL, 0}: kernels go without
};

bool hoist_work_is_tiled(const hoist_work_context *context, hoist_ref view);
// Where the elements of a strided view, or the tiles of a tiled one, are for `process`. False: it
// leads outside its memory.
bool hoist_work_view(const hoist_work_context *context, size_t process, hoist_ref view,
                     hoist_view *out_view);
bool hoist_work_tiles(const hoist_work_context *context, size_t process, hoist_ref view,
                      hoist_tiles *out_tiles);

// Resolves the views of `step`, at which `process` is, into `*out_work`, which was zeros or
// made ready before. HOIST_OK; HOIST_INVALID: a view leads outside its memory; HOIST_UNSUPPORTED:
// this kind of step, a mixture of layouts, or an output in the memory of an input that is read
// at another offset, has no kernel; HOIST_NO_MEMORY. `*out_why` (static) says which.
HOIST_NODISCARD hoist_status hoist_work_prepare(const hoist_work_context *context, size_t process,
                                                const hoist_prog_step *step, hoist_work *out_work,
                                                const char **out_why);

// The same for the steps of `group`, the first of which `process` is at. `*out_step`: the one that
// fails.
HOIST_NODISCARD hoist_status hoist_work_prepare_group(const hoist_work_context *context,
                                                      size_t process, const hoist_group *group,
                                                      hoist_work *out_work,
                                                      const hoist_prog_step **out_step,
                                                      const char **out_why);

void hoist_work_deinit(hoist_work *work, hoist_allocator alloc);

// Does units [begin, end) of any work but that of a group. Statuses as hoist_compute_run() and
// hoist_move_run().
HOIST_NODISCARD hoist_status hoist_work_run(const hoist_work_context *context,
                                            const hoist_work *work, size_t begin, size_t end,
                                            hoist_compute_fault *out_fault);

#endif // HOIST_SRC_RUNTIME_WORK_H
