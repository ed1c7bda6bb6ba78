// lower/darwinn/drive.h - the driver's walk as program: what its parts share (darwinn reference
// sections 3, 4 and 6).
//
// The thread that makes requests is the driver. Its units:
//
//     infeed, outfeed, parameter_path    transfers in the order in which they were started
//     cores                              the chip: waits for what it needs, announces each transfer
//                                        that its instructions ask for, calls the layers
//
// What the chip does is one list of items, in its order. The schedules differ in who starts a
// transfer when:
//
//     PCIe            the driver gives all chunks; each transfer begins when the chip announces it
//     USB             the driver starts all that the file's hints list, unasked; a fence waits for
//                     all that was started; what comes from the chip begins when it announces it
//     USB, no hints   the driver gives chunk 0, then waits for each announcement and starts that
//
// Requests do not overlap: at the end of each all units are empty, which is the global fence of
// programs that are not fully deterministic.
#ifndef HOIST_SRC_LOWER_DARWINN_DRIVE_H
#define HOIST_SRC_LOWER_DARWINN_DRIVE_H

#include "lower/darwinn/border.h"
#include "lower/darwinn/tokens.h"

enum {
    DARWINN_LOWER_PAGE = 4096,         // of host memory as the chip sees it
    DARWINN_LOWER_MAX_ITEMS = 65536,   // of an executable
    DARWINN_LOWER_MAX_CALLS = 65536,   // of the layers' function in a run
    DARWINN_LOWER_MAX_LINKS = 1048576, // of an executable
    DARWINN_LOWER_MAX_STEPS = 4194304, // of a request, about; and of what the chip does
    DARWINN_LOWER_UNIT_DEPTH = 8,      // transfers that wait
    DARWINN_LOWER_INTERRUPTS = 4,
};

// Bytes that both sides have: a layer's, the parameters, scratch. What is transferred lands at the
// offset from which it was sent.
typedef struct darwinn_lower_twin {
    hoist_ref host; // buffers of `count` * `stride` bytes
    hoist_ref chip;
    uint64_t reach;  // bytes of an element that transfers may touch
    uint64_t stride; // from one element of a batch to the next
    uint32_t count;  // elements
} darwinn_lower_twin;

typedef enum darwinn_lower_item_kind {
    DARWINN_LOWER_CHUNK = 0,
    DARWINN_LOWER_TRANSFER,
    DARWINN_LOWER_INTERRUPT,
    DARWINN_LOWER_FENCE,
} darwinn_lower_item_kind;

// What is counted when it is complete; also the unit that does it.
typedef enum darwinn_lower_path {
    DARWINN_LOWER_IN = 0,
    DARWINN_LOWER_OUT,
    DARWINN_LOWER_PARAMETERS,
    DARWINN_LOWER_PATHS,
} darwinn_lower_path;

typedef struct darwinn_lower_item {
    darwinn_lower_item_kind kind;
    darwinn_lower_path path; // TRANSFER
    int16_t desc;            // TRANSFER: dwn_desc
    bool is_hinted;          // the driver does not wait to be asked
    uint32_t index;          // CHUNK, INTERRUPT: its number; TRANSFER: the element of the batch
    uint32_t twin;           // TRANSFER
    uint32_t asked;          // how many announcements there are with this one; 0: it has none
    uint64_t offset;         // TRANSFER: bytes of the element
    uint64_t size;
    hoist_loc loc;      // of what asks for it
    hoist_str label;    // "input 'image' [0, +64] infeed"; arena
    hoist_ref function; // that transfers; FENCE, INTERRUPT: HOIST_NO_REF
} darwinn_lower_item;

// An executable and how it is run.
typedef struct darwinn_lower_walk {
    darwinn_lower_model *model;
    const dwn_image *image;
    const dwn_executable *rows;
    const char *role; // "main", "caching": of names
    hoist_loc loc;
    uint32_t batch;            // elements of a run
    darwinn_lower_twin *twins; // arena; input layers, output layers, parameters, scratch
    uint32_t twin_count;
    hoist_ref *chunk_buffers;  // arena; by chunk: what the driver sends
    hoist_ref code;            // what the chip has of the chunk at hand
    darwinn_lower_item *items; // arena
    uint32_t count;
    // Counters, which only grow in a run: chunks, and transfers by path, that are complete;
    // announcements of the chip; its interrupts.
    hoist_ref chunks;
    hoist_ref paths[DARWINN_LOWER_PATHS];
    hoist_ref asked;
    hoist_ref interrupts[DARWINN_LOWER_INTERRUPTS];
    // By how much one run of the executable raises them.
    uint32_t chunk_total;
    uint32_t path_total[DARWINN_LOWER_PATHS];
    uint32_t asked_total;
    uint32_t interrupt_total[DARWINN_LOWER_INTERRUPTS];
    hoist_ref program; // function: what the chip does; its parameter is the number of runs before
} darwinn_lower_walk;

// What a model has for its requests.
typedef struct darwinn_lower_drive {
    darwinn_lower_walk main;
    darwinn_lower_walk caching;    // where the model has one
    uint32_t token;                // its number for darwinn_lower_tokens_enter()
    darwinn_lower_border *borders; // arena; of input layers, output layers
    hoist_ref *numbers;            // arena; by output layer: what the layers made, in the user's
                                   // order; HOIST_NO_REF: they make them where they belong
    uint64_t boxes;                // of all borders
    uint32_t thread;               // that was built last; in it
    int64_t runs;                  // of the main executable so far
} darwinn_lower_drive;

// The list of items of an executable whose twins there are, as the chosen schedule has them. False:
// it was reported why it cannot be run (RUN-037, RUN-038, RUN-008), or chip->c->status says what
// failed. drive_items.c
bool darwinn_lower_walk_list(darwinn_lower_walk *walk);
// Checks the order of the items of the executable with the layers: all inputs of an element come
// before its first output, and all of both is transferred. RUN-039. drive_check.c
bool darwinn_lower_walk_check(darwinn_lower_walk *walk, const darwinn_lower_border *borders);

// The places of links and transfers, in the order of the twins; after it dwn_places_deinit().
// HOIST_OK or HOIST_NO_MEMORY. drive_items.c
HOIST_NODISCARD hoist_status darwinn_lower_walk_places(const darwinn_lower_walk *walk,
                                                       dwn_places *out_places);

// Twins, chunks and their links. False as above. drive_memory.c
bool darwinn_lower_walk_memory(darwinn_lower_walk *walk);
// A new buffer called after the executable; `row` without a name. HOIST_NO_REF: chip->c->status, or
// that of the builder, says why. drive_memory.c
hoist_ref darwinn_lower_walk_buffer(darwinn_lower_walk *walk, const char *part,
                                    hoist_prog_buffer row);

// Counters, the functions of all items, and that of the chip; `drive` NULL: it has no layers.
// False: chip->c->status says what failed. drive_chip.c
bool darwinn_lower_walk_functions(darwinn_lower_walk *walk, const darwinn_lower_drive *drive);

// Adds the run of an executable to the thread at hand. `runs`: how often it was run before in this
// run of the program; `spare`: a register to work with. drive.c
void darwinn_lower_walk_run(darwinn_lower_walk *walk, hoist_prog_value runs, hoist_ref spare);

// What is common to code of all kinds. drive_chip.c
//
// A counter's number when it has gone up by `upto` in the run of an executable that raises it by
// `total` and was run `runs` times before; adds steps that work it out in `spare` where `runs` is a
// register.
hoist_prog_value darwinn_lower_target(darwinn_lower_walk *walk, hoist_prog_value runs,
                                      hoist_ref spare, uint32_t total, uint32_t upto);
// Waits until the counter is there.
void darwinn_lower_await(darwinn_lower_walk *walk, hoist_ref counter, hoist_prog_value target,
                         const char *label);

#endif // HOIST_SRC_LOWER_DARWINN_DRIVE_H
