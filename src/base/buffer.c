// The growing byte buffer: appends, formatted text, and taking the result out. Growth doubles;
// failure is sticky.
#include "base/buffer.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/span.h"

void hoist_buffer_init(hoist_buffer *b, hoist_allocator alloc)
{
    *b = (hoist_buffer){.alloc = alloc};
}

void hoist_buffer_deinit(hoist_buffer *b)
{
    hoist_free(b->alloc, b->data, b->capacity);
    *b = (hoist_buffer){.alloc = b->alloc};
}

// Space for `size` more bytes, or NULL (and failed).
static uint8_t *buffer_reserve(hoist_buffer *b, size_t size)
{
    HOIST_ASSERT(b->size <= b->capacity && (b->data || b->capacity == 0));
    void *data = b->data;
    if (b->failed || size > SIZE_MAX - b->size ||
        !hoist_grow(b->alloc, &data, &b->capacity, b->size + size, 1)) {
        b->failed = true;
        return NULL;
    }
    b->data = data;
    return b->data + b->size;
}

void hoist_buffer_add(hoist_buffer *b, hoist_bytes bytes)
{
    if (bytes.size == 0) {
        return;
    }
    uint8_t *buffer = buffer_reserve(b, bytes.size);
    if (buffer) {
        memcpy(buffer, bytes.data, bytes.size);
        b->size += bytes.size;
    }
}

void hoist_buffer_str(hoist_buffer *b, hoist_str text)
{
    hoist_buffer_add(b, (hoist_bytes){(const uint8_t *)text.data, text.size});
}

void hoist_buffer_c(hoist_buffer *b, const char *text)
{
    hoist_buffer_str(b, hoist_str_from(text));
}

void hoist_buffer_fill(hoist_buffer *b, char c, size_t count)
{
    uint8_t *buffer = count ? buffer_reserve(b, count) : NULL;
    if (buffer) {
        memset(buffer, c, count);
        b->size += count;
    }
}

void hoist_buffer_vformat(hoist_buffer *b, const char *format, va_list args)
{
    char small[256];
    va_list again;
    va_copy(again, args);
    const int size = vsnprintf(small, sizeof(small), format, args);
    if (size < 0) {
        b->failed = true;
    } else if ((size_t)size < sizeof(small)) {
        hoist_buffer_add(b, (hoist_bytes){(const uint8_t *)small, (size_t)size});
    } else {
        uint8_t *buffer = buffer_reserve(b, (size_t)size + 1);
        if (buffer && vsnprintf((char *)buffer, (size_t)size + 1, format, again) == size) {
            b->size += (size_t)size;
        }
    }
    va_end(again);
}

void hoist_buffer_format(hoist_buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_buffer_vformat(b, format, args);
    va_end(args);
}

hoist_bytes hoist_buffer_bytes(const hoist_buffer *b)
{
    HOIST_ASSERT(b->size <= b->capacity);
    return (hoist_bytes){b->data, b->size};
}

hoist_str hoist_buffer_text(const hoist_buffer *b)
{
    HOIST_ASSERT(b->size <= b->capacity);
    return (hoist_str){(const char *)b->data, b->size};
}

hoist_status hoist_buffer_take(hoist_buffer *b, hoist_mut_bytes *out_bytes)
{
    HOIST_ASSERT(b->size <= b->capacity);
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    if (!b->failed && b->size) {
        void *const exact = hoist_resize(b->alloc, b->data, b->capacity, b->size);
        if (exact) {
            *out_bytes = (hoist_mut_bytes){exact, b->size};
            hoist_buffer_init(b, b->alloc);
            return HOIST_OK;
        }
        b->failed = true;
    }
    const hoist_status status = b->failed ? HOIST_NO_MEMORY : HOIST_OK;
    hoist_buffer_deinit(b);
    return status;
}
