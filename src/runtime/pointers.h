// runtime/pointers.h - the control side of a queue between runs, for memory images of it: what a
// device keeps in the queue's header, and which slots hold something.
#ifndef HOIST_SRC_RUNTIME_POINTERS_H
#define HOIST_SRC_RUNTIME_POINTERS_H

#include "hoist/runtime.h"

#include "program/program.h"

typedef struct hoist_fifo_pointers {
    uint32_t read; // of a queue both are below 2 * slots, of a ram below its slots
    uint32_t write;
} hoist_fifo_pointers;

// Fills `out_pointers`, and `out_written` for each slot of fifo `fifo` of the session's program:
// whether an entry was ever written to it. HOIST_OK, HOIST_BUSY (something runs).
HOIST_NODISCARD hoist_status hoist_session_pointers(hoist_session *session, hoist_ref fifo,
                                                    hoist_fifo_pointers *out_pointers,
                                                    bool *out_written);

#endif // HOIST_SRC_RUNTIME_POINTERS_H
