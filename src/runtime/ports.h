// runtime/ports.h - what a caller gives and gets by name: the fifos, the named buffers and the
// views of a program.
#ifndef HOIST_SRC_RUNTIME_PORTS_H
#define HOIST_SRC_RUNTIME_PORTS_H

#include "program/program.h"
#include "tensor/queue.h"

// A port's row: one of the three.
typedef struct hoist_port_at {
    size_t index; // of the port
    hoist_ref fifo;
    hoist_ref buffer;
    hoist_ref view; // in the table of ports
} hoist_port_at;

// Port `index` of hoist_program_port_count(): fifos first, then buffers that a caller may touch,
// then views.
hoist_port_at hoist_port_find(const hoist_program *program, size_t index);

// The layout of an entry of a TILED fifo for tensor/host.h.
hoist_queue_layout hoist_port_layout(const hoist_program *program, hoist_ref fifo);

#endif // HOIST_SRC_RUNTIME_PORTS_H
