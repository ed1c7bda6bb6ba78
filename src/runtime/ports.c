// The ports of a program as hoist/program.h describes them: each fifo, each buffer that a caller
// fills or fetches, each view, with type, shape and direction.
#include "runtime/ports.h"

#include "base/assert.h"
#include "tensor/host.h"

// Three tables one after the other; hoist_port_find() says which one a number is in.
size_t hoist_program_port_count(const hoist_program *program)
{
    return (size_t)program->fifo_count + program->index.buffer_count + program->port_count;
}

bool hoist_program_find_port(const hoist_program *program, hoist_str name, size_t *out_index)
{
    return hoist_map_find(&program->index.port_names, name, out_index);
}

hoist_port_at hoist_port_find(const hoist_program *program, size_t index)
{
    // Two of the three stay empty.
    hoist_port_at found = {index, HOIST_NO_REF, HOIST_NO_REF, HOIST_NO_REF};
    size_t at = index;
    if (at < program->fifo_count) {
        found.fifo = (hoist_ref)at;
        return found;
    }
    at -= program->fifo_count;
    if (at < program->index.buffer_count) {
        found.buffer = program->index.buffers[at];
        return found;
    }
    at -= program->index.buffer_count;
    found.view = at < program->port_count ? (hoist_ref)at : HOIST_NO_REF;
    return found;
}

hoist_queue_layout hoist_port_layout(const hoist_program *program, hoist_ref fifo)
{
    HOIST_ASSERT(fifo < program->fifo_count);
    const hoist_prog_fifo *row = &program->fifos[fifo];
    const hoist_prog_layout *layout = &program->layouts[row->layout];
    return (hoist_queue_layout){.tiling = layout->tiling,
                                .dtype = row->dtype,
                                .alignment = row->tile_alignment,
                                .flat = layout->flat};
}

// Slices, rows and columns of an entry in elements.
static void shape_of_tiled(const hoist_prog_layout *layout, hoist_port *port)
{
    HOIST_ASSERT(layout->kind == HOIST_LAYOUT_TILED);
    const hoist_tiling *t = &layout->tiling;
    port->rank = 3;
    port->shape[0] = t->t;
    port->shape[1] = (int64_t)t->grid_rows * t->mblock_m * t->ublock_rt * t->tile_height;
    port->shape[2] = (int64_t)t->grid_cols * t->mblock_n * t->ublock_ct * t->tile_width;
}

// The shape of a port is that of the row that has it.
static void set_shape(const hoist_shape *shape, hoist_port *port)
{
    port->rank = (uint32_t)shape->rank;
    for (uint32_t i = 0; i < port->rank; i++) {
        port->shape[i] = shape->dim[i];
    }
}

// A queue or ram: callers push and pop entries, or write and read slots.
static hoist_port port_of_fifo(const hoist_program *program, hoist_ref fifo)
{
    const hoist_prog_fifo *row = &program->fifos[fifo];
    const hoist_prog_layout *layout = &program->layouts[row->layout];
    hoist_port port = {.name = row->name,
                       .input = row->host_push,
                       .output = row->host_pop,
                       .is_queue = row->kind == HOIST_FIFO_QUEUE,
                       .slots = row->slots,
                       .dtype = row->dtype,
                       .host_dtype = row->dtype,
                       .required = row->host_push,
                       .result = row->host_pop};
    if (layout->kind == HOIST_LAYOUT_TILED) {
        const hoist_dtype host = hoist_host_dtype(row->dtype);
        // Types that no host has are given and taken as float32.
        port.host_dtype = host == HOIST_DTYPE_NONE ? HOIST_DTYPE_F32 : host;
        shape_of_tiled(layout, &port);
    } else {
        set_shape(&layout->shape, &port);
    }
    // The caller gives the tensor before the edge's TM chain.
    if (row->push_tiles) {
        set_shape(&row->push_shape, &port);
    }
    return port;
}

// A buffer without a type is its bytes.
static hoist_port port_of_buffer(const hoist_program *program, const hoist_prog_buffer *row)
{
    hoist_port port = {.name = row->name,
                       .input = row->contents == HOIST_CONTENTS_CALLER,
                       .output = row->output,
                       .is_buffer = true,
                       .slots = 1,
                       .dtype = row->typed ? row->dtype : HOIST_DTYPE_U8,
                       .rank = 1,
                       .shape = {(int64_t)row->size},
                       .required = row->contents == HOIST_CONTENTS_CALLER,
                       .result = row->output,
                       .home = program->spaces[row->space].home};
    port.host_dtype = port.dtype;
    // With a type the layout says the shape; `size` counts bytes.
    if (row->typed) {
        set_shape(&program->layouts[row->layout].shape, &port);
    }
    return port;
}

// A part of a buffer that has a name of its own, to be written and read.
static hoist_port port_of_view(const hoist_program *program, hoist_ref view)
{
    const hoist_prog_port *row = &program->ports[view];
    hoist_port port = {.name = row->name,
                       .input = true,
                       .output = true,
                       .is_buffer = true,
                       .slots = 1,
                       .dtype = row->dtype,
                       .host_dtype = row->dtype,
                       .is_view = true,
                       .required = program->index.needed[view],
                       .result = row->result,
                       .note = row->note,
                       .home = program->spaces[program->buffers[row->buffer].space].home};
    set_shape(&program->layouts[row->layout].shape, &port);
    return port;
}

// The port of a number below hoist_program_port_count().
hoist_port hoist_program_port(const hoist_program *program, size_t index)
{
    const hoist_port_at at = hoist_port_find(program, index);
    HOIST_ASSERT(at.fifo != HOIST_NO_REF || at.buffer != HOIST_NO_REF || at.view != HOIST_NO_REF);
    return at.fifo != HOIST_NO_REF     ? port_of_fifo(program, at.fifo)
           : at.buffer != HOIST_NO_REF ? port_of_buffer(program, &program->buffers[at.buffer])
                                       : port_of_view(program, at.view);
}
