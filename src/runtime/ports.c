#include "runtime/ports.h"

#include "base/assert.h"
#include "tensor/host.h"

size_t hoist_program_port_count(const hoist_program *program)
{
    return (size_t)program->fifo_count + program->index.buffer_count;
}

bool hoist_program_find_port(const hoist_program *program, hoist_str name, size_t *out_index)
{
    return hoist_map_find(&program->index.port_names, name, out_index);
}

hoist_port_at hoist_port_find(const hoist_program *program, size_t index)
{
    if (index < program->fifo_count) {
        return (hoist_port_at){(hoist_ref)index, HOIST_NO_REF};
    }
    const size_t at = index - program->fifo_count;
    return (hoist_port_at){
        HOIST_NO_REF, at < program->index.buffer_count ? program->index.buffers[at] : HOIST_NO_REF};
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

static void shape_of_tiled(const hoist_prog_layout *layout, hoist_port *port)
{
    HOIST_ASSERT(layout->kind == HOIST_LAYOUT_TILED);
    const hoist_tiling *t = &layout->tiling;
    port->rank = 3;
    port->shape[0] = t->t;
    port->shape[1] = (int64_t)t->grid_rows * t->mblock_m * t->ublock_rt * t->tile_height;
    port->shape[2] = (int64_t)t->grid_cols * t->mblock_n * t->ublock_ct * t->tile_width;
}

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
                       .host_dtype = row->dtype};
    if (layout->kind == HOIST_LAYOUT_TILED) {
        const hoist_dtype host = hoist_host_dtype(row->dtype);
        port.host_dtype = host == HOIST_DTYPE_NONE ? HOIST_DTYPE_F32 : host;
        shape_of_tiled(layout, &port);
    } else {
        port.rank = (uint32_t)layout->shape.rank;
        for (uint32_t i = 0; i < port.rank; i++) {
            port.shape[i] = layout->shape.dim[i];
        }
    }
    if (row->push_tiles) {
        port.rank = (uint32_t)row->push_shape.rank;
        for (uint32_t i = 0; i < port.rank; i++) {
            port.shape[i] = row->push_shape.dim[i];
        }
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
                       .shape = {(int64_t)row->size}};
    port.host_dtype = port.dtype;
    if (row->typed) {
        const hoist_shape *shape = &program->layouts[row->layout].shape;
        port.rank = (uint32_t)shape->rank;
        for (uint32_t i = 0; i < port.rank; i++) {
            port.shape[i] = shape->dim[i];
        }
    }
    return port;
}

hoist_port hoist_program_port(const hoist_program *program, size_t index)
{
    const hoist_port_at at = hoist_port_find(program, index);
    HOIST_ASSERT(at.fifo != HOIST_NO_REF || at.buffer != HOIST_NO_REF);
    return at.fifo != HOIST_NO_REF ? port_of_fifo(program, at.fifo)
                                   : port_of_buffer(program, &program->buffers[at.buffer]);
}
