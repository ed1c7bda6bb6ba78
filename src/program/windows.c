// Windows of buffers: the buffer with memory of its own under a chain of windows, and the offset
// in it.
// Of programs that verify: chains end, and offsets do not overflow.
#include "program/program.h"

hoist_ref hoist_prog_root(const hoist_program *program, hoist_ref buffer, uint64_t *out_offset)
{
    uint64_t offset = 0;
    while (program->buffers[buffer].window_of != HOIST_NO_REF) {
        offset += program->buffers[buffer].window_offset;
        buffer = program->buffers[buffer].window_of;
    }
    if (out_offset) {
        *out_offset = offset;
    }
    return buffer;
}
