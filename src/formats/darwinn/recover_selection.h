// formats/darwinn/recover_selection.h - operations whose weights only select numbers: each row has
// one 1 among zeros, or nothing but zeros, and numbers stay as they are. What such an operation
// writes are bytes of what it reads, in another order: the compiler transposes with them.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H

#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_work.h"

// What all operations of a group select.
typedef struct dwn_selection {
    uint32_t groups;     // of rows, the outermost loop
    uint32_t full, last; // rows of a group, and of the last one
    uint32_t rows;       // of all
    // Of each row the byte that it selects, of those that one output is computed of; DWN_NONE:
    // none.
    const uint32_t *from; // scratch
    // The same: words from the first one that the output is computed of to the one with the byte,
    // of the operation that is followed.
    int64_t *after;  // scratch
    dwn_piece piece; // its parameters; size 0: it has none
    uint32_t group;  // of operations
    // One that shares bytes with it, up to itself: they belong together.
    struct dwn_selection *chain;
    struct dwn_selection *before; // that was found before it; NULL: it is the first
} dwn_selection;

// Whether an operation may be one, by its kind and its numbers.
bool dwn_may_select(const dwn_operation *op);
// Whether a group is one, with the parameters that come next and that the instructions take to it;
// then its operations have it, and the parameters are taken. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_take_selection(dwn_walk *w, const dwn_group *group,
                                                bool *out_is_taken);

// The selection that stands for all that share bytes with one.
dwn_selection *dwn_selection_chain(dwn_selection *selection);

// Outputs of an operation on a tile, each of as many words as its rows of a group fill: those that
// the last group does not have are not written.
uint64_t dwn_selected_outputs(const dwn_operation *op);
// An output: the address of the first word that it is computed of, and its rows.
typedef struct dwn_selected {
    int64_t address;
    uint32_t first, rows;
} dwn_selected;
dwn_selected dwn_selection_at(const dwn_operation *op, uint64_t output, int64_t address);
// Sets `after` for an operation, and gives the addresses of its outputs, one after the other.
dwn_steps dwn_selection_begin(const dwn_operation *op);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H
