// machine/fifo.h - the pointers of one fifo: pure functions on a small state.
//
// Facts: buda-netlist reference section 2.8 (pointers), 5.7 rules 97 to 102, and the traces of
// section 10. A queue of E slots counts its pointers in 0 ... 2E, where 0 and 2E are one place; the
// golden policy distinguishes them in its test for "full", as the reference model does. A ram
// counts in 0 ... E-1, is never full and never empty.
//
// Which slots were written is the caller's bitmap, one bit per slot.
#ifndef HOIST_SRC_MACHINE_FIFO_H
#define HOIST_SRC_MACHINE_FIFO_H

#include "machine/machine.h"

typedef struct hoist_fifo {
    const hoist_prog_fifo *def; // borrowed from the program
    hoist_fifo_state state;
    bool begun;       // HOIST_POINTER_BEGIN was set in this run
    uint8_t *written; // owned by the machine: (slots + 7) / 8 bytes
} hoist_fifo;

typedef enum hoist_fifo_answer {
    HOIST_FIFO_DONE = 0,
    HOIST_FIFO_WAIT, // not now; nothing has changed
    HOIST_FIFO_WRONG,
} hoist_fifo_answer;

typedef struct hoist_fifo_result {
    hoist_fifo_answer answer;
    const char *fault; // WRONG; static
} hoist_fifo_result;

// As a program finds it: pointers 0, alive unless it is dynamic.
void hoist_fifo_init(hoist_fifo *fifo, const hoist_prog_fifo *def, uint8_t *written);
// A run begins: pointers stay where they are.
void hoist_fifo_begin_run(hoist_fifo *fifo);

// Entries pushed and not popped; of a queue.
uint64_t hoist_fifo_occupancy(const hoist_fifo *fifo);
bool hoist_fifo_is_empty(const hoist_fifo *fifo);
bool hoist_fifo_is_full(const hoist_fifo *fifo); // by the fifo's policy
bool hoist_fifo_was_written(const hoist_fifo *fifo, uint32_t slot);

// The slots that views of a data step mean.
uint32_t hoist_fifo_read_slot(const hoist_fifo *fifo);
uint32_t hoist_fifo_write_slot(const hoist_fifo *fifo);

// The tests: DONE when the step may go on. They change nothing.
hoist_fifo_result hoist_fifo_reserve(const hoist_fifo *fifo);
hoist_fifo_result hoist_fifo_await(const hoist_fifo *fifo);

// The moves. `count` is a step's value: negative ones are wrong.
hoist_fifo_result hoist_fifo_push(hoist_fifo *fifo, int64_t count);
hoist_fifo_result hoist_fifo_advance(hoist_fifo *fifo, int64_t count);
hoist_fifo_result hoist_fifo_pop(hoist_fifo *fifo, int64_t count);
hoist_fifo_result hoist_fifo_set_pointer(hoist_fifo *fifo, hoist_fifo_pointer pointer,
                                         int64_t value);
hoist_fifo_result hoist_fifo_zero(const hoist_fifo *fifo);
hoist_fifo_result hoist_fifo_allocate(hoist_fifo *fifo);
hoist_fifo_result hoist_fifo_free(hoist_fifo *fifo);
// The host filled slot `slot` of a ram.
void hoist_fifo_put(hoist_fifo *fifo, uint32_t slot);
// The host took the entry at the read pointer; reading goes on after it.
hoist_fifo_result hoist_fifo_host_pop(hoist_fifo *fifo);

#endif // HOIST_SRC_MACHINE_FIFO_H
