// Reads little- and big-endian numbers and slices of a file's bytes, with a sticky failure past
// the end.
#include "base/reader.h"

#include "base/assert.h"
#include "base/span.h"

hoist_reader hoist_reader_init(hoist_bytes bytes)
{
    return (hoist_reader){.bytes = bytes};
}

uint64_t hoist_reader_left(const hoist_reader *r)
{
    HOIST_ASSERT(r->pos <= r->bytes.size);
    return r->bytes.size - r->pos;
}

void hoist_reader_seek(hoist_reader *r, uint64_t pos)
{
    if (pos > r->bytes.size) {
        r->failed = true;
        return;
    }
    r->pos = pos;
}

hoist_bytes hoist_read_bytes(hoist_reader *r, uint64_t size)
{
    if (r->failed || size > hoist_reader_left(r)) {
        r->failed = true;
        return (hoist_bytes){NULL, 0};
    }
    const hoist_bytes part = {r->bytes.data + r->pos, (size_t)size};
    r->pos += size;
    HOIST_ASSERT(r->pos <= r->bytes.size);
    return part;
}

uint8_t hoist_read_u8(hoist_reader *r)
{
    const hoist_bytes b = hoist_read_bytes(r, 1);
    return b.size ? b.data[0] : 0;
}

uint16_t hoist_read_u16le(hoist_reader *r)
{
    const hoist_bytes b = hoist_read_bytes(r, 2);
    return b.size ? hoist_load_u16le(b.data) : 0;
}

uint32_t hoist_read_u32le(hoist_reader *r)
{
    const hoist_bytes b = hoist_read_bytes(r, 4);
    return b.size ? hoist_load_u32le(b.data) : 0;
}

uint64_t hoist_read_u64le(hoist_reader *r)
{
    const hoist_bytes b = hoist_read_bytes(r, 8);
    return b.size ? hoist_load_u64le(b.data) : 0;
}

uint16_t hoist_load_u16le(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)(p[1] << 8));
}

uint32_t hoist_load_u32le(const uint8_t *p)
{
    return hoist_load_u16le(p) | ((uint32_t)hoist_load_u16le(p + 2) << 16);
}

uint64_t hoist_load_u64le(const uint8_t *p)
{
    return hoist_load_u32le(p) | ((uint64_t)hoist_load_u32le(p + 4) << 32);
}

void hoist_store_u16le(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)(v & 0xff);
    p[1] = (uint8_t)(v >> 8);
}

void hoist_store_u32le(uint8_t *p, uint32_t v)
{
    hoist_store_u16le(p, (uint16_t)(v & 0xffff));
    hoist_store_u16le(p + 2, (uint16_t)(v >> 16));
}

void hoist_store_u64le(uint8_t *p, uint64_t v)
{
    hoist_store_u32le(p, (uint32_t)(v & 0xffffffff));
    hoist_store_u32le(p + 4, (uint32_t)(v >> 32));
}

bool hoist_is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}
