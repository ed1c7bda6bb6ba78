// codec/flatbuffer_writer.h - appending tables, strings and vectors to a FlatBuffer.
// For flatbuffer_write.c, which makes whole buffers, and flatbuffer_rewrite.c, which appends to
// a copy of one. Failures stay in the writer and its buffer; no function needs a check in
// between.
#ifndef HOIST_SRC_CODEC_FLATBUFFER_WRITER_H
#define HOIST_SRC_CODEC_FLATBUFFER_WRITER_H

#include "codec/flatbuffer_internal.h"

enum { FB_KEPT_VTABLES = 32 }; // that later tables may share

typedef struct fb_writer {
    hoist_buffer *out;
    size_t start;                      // of the buffer in `out`
    uint32_t vtables[FB_KEPT_VTABLES]; // places of those written last, in a ring
    uint32_t vtable_count;             // of all that were written
    hoist_status status;               // HOIST_LIMIT; `out` remembers that memory ran out
} fb_writer;

// Where the next byte goes, from the start of the buffer.
uint32_t fb_writer_at(const fb_writer *w);
// Appends zeros until the place that is `after` bytes further is a multiple of `alignment`.
void fb_writer_align(fb_writer *w, size_t alignment, size_t behind);
// Stores the offset at `field`, which leads to `target` after it.
void fb_writer_link(fb_writer *w, uint32_t field, uint32_t target);

// Each appends something and gives its place.
uint32_t fb_write_table(fb_writer *w, const hoist_fb_type *type, const void *object);
// What the member of a field that is not a scalar refers to; it is there.
uint32_t fb_write_child(fb_writer *w, const hoist_fb_field *field, const void *member);

// Whether a field of an object is to be stored: as hoist_fb_write() says.
bool fb_is_stored(const hoist_fb_type *type, size_t row, const void *object);

// What an object was read from, in a buffer without faults. flatbuffer_differ.c ------------------

// What the offset stored at `at` leads to.
uint32_t fb_target(hoist_bytes buffer, uint32_t at);
// The bytes of the string or vector that the offset at `at` leads to; data NULL when `at` is 0.
hoist_bytes fb_stored_bytes(hoist_bytes buffer, const hoist_fb_field *field, uint32_t at);
// The same of a member.
hoist_bytes fb_member_bytes(const hoist_fb_field *field, const void *member);
// Equal, and both there or both absent.
bool fb_same_bytes(hoist_bytes a, hoist_bytes b);
// Whether an object that was read, or one below it, has changed since.
bool fb_differs(hoist_bytes buffer, const hoist_fb_type *type, const void *object);

#endif // HOIST_SRC_CODEC_FLATBUFFER_WRITER_H
