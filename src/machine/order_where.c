// The bytes of a race in words: the buffer, space, fifo or pointer that has them, with the windows
// or placed buffers that lie there. Used by order_race.c alone.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/span.h"
#include "machine/order_state.h"

// Buffers that one message names.
enum { NAMED = 3 };

typedef struct line {
    char *text;
    size_t size;
    size_t used;
} line;

HOIST_PRINTF(2, 3) static void append(line *l, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int size = vsnprintf(l->text + l->used, l->size - l->used, format, values);
    va_end(values);
    // Names are cut and few, so that the longest text fits HOIST_ORDER_BYTES_SIZE.
    HOIST_ASSERT(size >= 0 && (size_t)size < l->size - l->used);
    l->used += (size_t)size;
}

// Bytes of a buffer, or of a space.
typedef struct spot {
    bool in_space;
    hoist_ref of;
    uint64_t at;
} spot;

// Where in buffer `index` the spot is; false when it is not in it. Windows of a buffer, or buffers
// that are no windows.
static bool is_inside(const hoist_program *p, const spot *s, hoist_ref index, bool windows,
                      uint64_t *out_offset)
{
    const hoist_prog_buffer *b = &p->buffers[index];
    uint64_t start = 0;
    const hoist_ref root = hoist_prog_root(p, index, &start);
    const hoist_prog_buffer *r = &p->buffers[root];
    // Windows lie where their root lies: in the same buffer, or at its address in the space.
    if (windows != (root != index) ||
        (s->in_space ? !r->placed || r->space != s->of : root != s->of)) {
        return false;
    }
    start += s->in_space ? r->address : 0;
    *out_offset = s->at - start; // wraps when it is below the start; not used then
    return s->at >= start && *out_offset < b->size;
}

// Writes " (byte 4 of 'a', byte 0 of 'b')" of the buffers that lie there; how many they are.
static uint32_t name_buffers(const hoist_program *p, const spot *s, bool windows, line *l)
{
    uint32_t count = 0;
    for (hoist_ref i = 0; i < p->buffer_count; i++) {
        uint64_t offset = 0;
        if (is_inside(p, s, i, windows, &offset) && count++ < NAMED) {
            append(l, "%sbyte %" PRIu64 " of '%.*s'", count > 1 ? ", " : " (", offset,
                   hoist_name_shown(p->buffers[i].name), p->buffers[i].name.data);
        }
    }
    if (count > NAMED) {
        append(l, ", and %" PRIu32 " more", count - NAMED);
    }
    if (count > 0) {
        append(l, ")");
    }
    return count;
}

void hoist_order_name_bytes(const hoist_order *o, const hoist_order_range *range, uint64_t begin,
                            char out[HOIST_ORDER_BYTES_SIZE])
{
    const hoist_ref index = (hoist_ref)(range->memory & UINT32_MAX);
    const hoist_program *p = o->program;
    const spot s = {range->memory >> 56 == HOIST_ORDER_SPACE, index, begin};
    line l = {.text = out, .size = HOIST_ORDER_BYTES_SIZE};
    switch ((hoist_order_memory)(range->memory >> 56)) {
    case HOIST_ORDER_BUFFER:
        append(&l, "byte %" PRIu64 " of buffer '%.*s'", begin,
               hoist_name_shown(p->buffers[index].name), p->buffers[index].name.data);
        (void)name_buffers(p, &s, true, &l);
        break;
    case HOIST_ORDER_SPACE:
        append(&l, "address 0x%" PRIx64 " of space '%.*s'", begin,
               hoist_name_shown(p->spaces[index].name), p->spaces[index].name.data);
        // Windows are more exact than the buffers that they are windows of.
        if (name_buffers(p, &s, true, &l) == 0) {
            (void)name_buffers(p, &s, false, &l);
        }
        break;
    case HOIST_ORDER_FIFO:
        // Ranges of a private fifo count bytes from its first slot.
        append(&l, "slot %" PRIu64 " of fifo '%.*s'", begin / p->fifos[index].slot_bytes,
               hoist_name_shown(p->fifos[index].name), p->fifos[index].name.data);
        break;
    case HOIST_ORDER_POINTER:
        // The index is 4 * fifo + pointer.
        append(&l, "the pointers of fifo '%.*s'", hoist_name_shown(p->fifos[index / 4].name),
               p->fifos[index / 4].name.data);
        break;
    }
}
