// base/buffer.h - a growing byte buffer: the writer's side of base/reader.h and of every text.
//
// Failure to grow sets the sticky `failed` flag; later appends do nothing. Test it once at the end.
#ifndef HOIST_SRC_BASE_BUFFER_H
#define HOIST_SRC_BASE_BUFFER_H

#include "hoist/base.h"

#include "base/poison.h"

typedef struct hoist_buffer {
    hoist_allocator alloc;
    uint8_t *data;   // owned
    size_t size;     // bytes in use
    size_t capacity; // bytes allocated
    bool failed;     // memory ran out
} hoist_buffer;

void hoist_buffer_init(hoist_buffer *b, hoist_allocator alloc);
void hoist_buffer_deinit(hoist_buffer *b);

void hoist_buffer_add(hoist_buffer *b, hoist_bytes bytes);
void hoist_buffer_str(hoist_buffer *b, hoist_str text);
void hoist_buffer_c(hoist_buffer *b, const char *text);
void hoist_buffer_fill(hoist_buffer *b, char c, size_t count);
// Inline where there is space: of a large document most appends are of one character. Growing keeps
// the rest of the space poisoned, and hoist_buffer_fill() unpoisons the byte.
static inline void hoist_buffer_char(hoist_buffer *b, char c)
{
    if (!b->failed && b->size < b->capacity && !hoist_is_poisoned(b->data + b->size)) {
        b->data[b->size++] = (uint8_t)c;
    } else {
        hoist_buffer_fill(b, c, 1);
    }
}
void hoist_buffer_format(hoist_buffer *b, const char *format, ...) HOIST_PRINTF(2, 3);
void hoist_buffer_vformat(hoist_buffer *b, const char *format, va_list args) HOIST_PRINTF(2, 0);

// Gives what `b` holds, in a block of exactly that size ({NULL, 0} for nothing), to be freed
// with its allocator. HOIST_OK or HOIST_NO_MEMORY (also when an append has failed); `b` is empty
// afterwards.
HOIST_NODISCARD hoist_status hoist_buffer_take(hoist_buffer *b, hoist_mut_bytes *out_bytes);

hoist_bytes hoist_buffer_bytes(const hoist_buffer *b);
hoist_str hoist_buffer_text(const hoist_buffer *b);

#endif // HOIST_SRC_BASE_BUFFER_H
