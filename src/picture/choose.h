// picture/choose.h - a part of a picture as a picture of its own: graphs of a name, ops of a name
// with what they are connected to, or what has parts of its name in common as one.
#ifndef HOIST_SRC_PICTURE_CHOOSE_H
#define HOIST_SRC_PICTURE_CHOOSE_H

#include "base/picture.h"

// What is chosen. All members zero: everything.
typedef struct hoist_picture_choice {
    const char *graph; // only graphs of that name; NULL: all
    const char *op;    // only nodes of that name, and those at the other ends of their edges
    bool by_depth;     // nodes whose names have the first `depth` parts in common are one
    int depth;         // 0: graphs are nodes
    hoist_deadline *deadline;
} hoist_picture_choice;

// Adds the chosen rows of `picture` to `out`, which is empty; they borrow from `picture`. Memory
// that is of no graph is left out unless everything is chosen. `*out_found`: of what is chosen by
// name there is some. HOIST_OK, HOIST_NO_MEMORY, or the deadline's status.
HOIST_NODISCARD hoist_status hoist_picture_choose(const hoist_picture *picture,
                                                  const hoist_picture_choice *choice,
                                                  hoist_picture *out, bool *out_found);

#endif // HOIST_SRC_PICTURE_CHOOSE_H
