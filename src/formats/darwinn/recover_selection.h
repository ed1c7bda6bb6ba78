// formats/darwinn/recover_selection.h - operations whose weights only select numbers: each row has
// one 1 among zeros, or nothing but zeros, and numbers stay as they are. What such an operation
// writes are bytes of what it reads, in another order: the compiler transposes with them.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H

#include "formats/darwinn/recover_work.h"

// What all operations of a group select.
typedef struct dwn_selection {
    uint32_t groups;     // of rows, the outermost loop
    uint32_t full, last; // rows of a group, and of the last one
    // Of each row the byte that it selects, of those that one output is computed of; DWN_NONE:
    // none.
    const uint32_t *from; // scratch
    dwn_piece piece;      // its parameters; size 0: it has none
    uint32_t group;       // of operations
    struct dwn_selection
        *chain; // one that shares bytes with it, up to itself: they belong together
    struct dwn_selection *before; // that was found before it; NULL: it is the first
} dwn_selection;

// Whether a group is one, with the parameters that come next and that the instructions take to it;
// then its operations have it, and the parameters are taken. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_take_selection(dwn_walk *w, const dwn_group *group,
                                                bool *out_is_taken);

// The selection that stands for all that share bytes with one.
dwn_selection *dwn_selection_chain(dwn_selection *selection);

// Words that an operation writes on a tile.
uint64_t dwn_selected_words(const dwn_operation *op);
// Where an operation writes one of these, and how many bytes of it are rows; 0: none is written.
uint32_t dwn_selected_to(const dwn_operation *op, uint64_t word, int64_t *out_address);
// The word that a byte of it is of, and which byte of that. False: it is of none.
bool dwn_selected_from(const dwn_operation *op, uint64_t word, uint32_t byte, int64_t *out_address,
                       uint32_t *out_byte);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_SELECTION_H
