// lower/darwinn_drive.h - the driver's walk as program: what its parts share (darwinn reference
// sections 3, 4 and 6).
//
// The thread that makes requests is the driver. Units beside it:
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

#include "lower/darwinn_border.h"
#include "lower/darwinn_tokens.h"

enum {
    HOIST_DARWINN_PAGE = 4096,         // of host memory as the chip sees it
    HOIST_DARWINN_MAX_ITEMS = 65536,   // of an executable
    HOIST_DARWINN_MAX_CALLS = 65536,   // of the layers' function in a run
    HOIST_DARWINN_MAX_LINKS = 1048576, // of an executable
    HOIST_DARWINN_MAX_STEPS = 4194304, // of a request, about; and of what the chip does
    HOIST_DARWINN_UNIT_DEPTH = 8,      // transfers that wait
    HOIST_DARWINN_INTERRUPTS = 4,
};

// Bytes that both sides have: a layer's, the parameters, scratch. What is transferred lands at the
// offset from which it was sent.
typedef struct hoist_darwinn_twin {
    hoist_ref host; // buffers of `count` * `stride` bytes
    hoist_ref chip;
    uint64_t reach;  // bytes of an element that transfers may touch
    uint64_t stride; // from one element of a batch to the next
    uint32_t count;  // elements
} hoist_darwinn_twin;

typedef enum hoist_darwinn_item_kind {
    HOIST_DARWINN_CHUNK = 0,
    HOIST_DARWINN_TRANSFER,
    HOIST_DARWINN_INTERRUPT,
    HOIST_DARWINN_FENCE,
} hoist_darwinn_item_kind;

// What is counted when it is complete; also the unit that does it.
typedef enum hoist_darwinn_path {
    HOIST_DARWINN_IN = 0,
    HOIST_DARWINN_OUT,
    HOIST_DARWINN_PARAMETERS,
    HOIST_DARWINN_PATHS,
} hoist_darwinn_path;

typedef struct hoist_darwinn_item {
    hoist_darwinn_item_kind kind;
    hoist_darwinn_path path; // TRANSFER
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
} hoist_darwinn_item;

// An executable and how it is run.
typedef struct hoist_darwinn_walk {
    hoist_darwinn_model *model;
    const dwn_image *image;
    const dwn_executable *rows;
    const char *role; // "main", "caching": of names
    hoist_loc loc;
    uint32_t batch;            // elements of a run
    hoist_darwinn_twin *twins; // arena; input layers, output layers, parameters, scratch
    uint32_t twin_count;
    hoist_ref *chunk_buffers;  // arena; by chunk: what the driver sends
    hoist_ref code;            // what the chip has of the chunk at hand
    hoist_darwinn_item *items; // arena
    uint32_t count;
    // Counters, which only grow in a run: chunks, and transfers by path, that are complete;
    // announcements of the chip; its interrupts.
    hoist_ref chunks;
    hoist_ref paths[HOIST_DARWINN_PATHS];
    hoist_ref asked;
    hoist_ref interrupts[HOIST_DARWINN_INTERRUPTS];
    // By how much one run of the executable raises them.
    uint32_t chunk_total;
    uint32_t path_total[HOIST_DARWINN_PATHS];
    uint32_t asked_total;
    uint32_t interrupt_total[HOIST_DARWINN_INTERRUPTS];
    hoist_ref program; // function: what the chip does; its parameter is the number of runs before
} hoist_darwinn_walk;

// What a model has for its requests.
typedef struct hoist_darwinn_drive {
    hoist_darwinn_walk main;
    hoist_darwinn_walk caching;    // where the model has one
    uint32_t token;                // its number for hoist_darwinn_tokens_enter()
    hoist_darwinn_border *borders; // arena; of input layers, output layers
    hoist_ref *numbers;            // arena; by output layer: what the layers made, in the user's
                                   // order; HOIST_NO_REF: they make them where they belong
    uint64_t boxes;                // of all borders
    uint32_t thread;               // that was built last; in it
    int64_t runs;                  // of the main executable so far
} hoist_darwinn_drive;

// The list of items of an executable whose twins there are, as the chosen schedule has them. False:
// it was reported why it cannot be run (RUN-037, RUN-038, RUN-008), or chip->status says what
// failed. darwinn_drive_items.c
bool hoist_darwinn_walk_list(hoist_darwinn_walk *walk);
// Judges the order of the items of the executable with the layers: all inputs of an element come
// before its first output, and all of both is transferred. RUN-039. darwinn_drive_judge.c
bool hoist_darwinn_walk_judge(hoist_darwinn_walk *walk, const hoist_darwinn_border *borders);

// The places of links and transfers, in the order of the twins; after it dwn_places_deinit().
// HOIST_OK or HOIST_NO_MEMORY. darwinn_drive_items.c
HOIST_NODISCARD hoist_status hoist_darwinn_walk_places(const hoist_darwinn_walk *walk,
                                                       dwn_places *out_places);

// Twins, chunks and their links. False as above. darwinn_drive_memory.c
bool hoist_darwinn_walk_memory(hoist_darwinn_walk *walk);
// A new buffer called after the executable; `row` without a name. HOIST_NO_REF: chip->status, or
// that of the builder, says why. darwinn_drive_memory.c
hoist_ref hoist_darwinn_walk_buffer(hoist_darwinn_walk *walk, const char *part,
                                    hoist_prog_buffer row);

// Counters, the functions of all items, and that of the chip; `drive` NULL: it has no layers.
// False: chip->status says what failed. darwinn_drive_chip.c
bool hoist_darwinn_walk_functions(hoist_darwinn_walk *walk, const hoist_darwinn_drive *drive);

// Adds the run of an executable to the thread at hand. `runs`: how often it was run before in this
// run of the program; `spare`: a register to work with. darwinn_drive.c
void hoist_darwinn_walk_run(hoist_darwinn_walk *walk, hoist_prog_value runs, hoist_ref spare);

// What is common to code of all kinds. darwinn_drive_chip.c
//
// A counter's number when it has gone up by `upto` in the run of an executable that raises it by
// `total` and was run `runs` times before; adds steps that work it out in `spare` where `runs` is a
// register.
hoist_prog_value hoist_darwinn_target(hoist_darwinn_walk *walk, hoist_prog_value runs,
                                      hoist_ref spare, uint32_t total, uint32_t upto);
// Waits until the counter is there.
void hoist_darwinn_await(hoist_darwinn_walk *walk, hoist_ref counter, hoist_prog_value target,
                         const char *label);

static inline hoist_prog_value hoist_darwinn_number(int64_t number)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = number};
}

// Keeps the first failure.
static inline void hoist_darwinn_fail(hoist_darwinn_model *model, hoist_status status)
{
    if (model->chip->status == HOIST_OK) {
        model->chip->status = status;
    }
}

#endif // HOIST_SRC_LOWER_DARWINN_DRIVE_H
