// base/reader.h - the only way to touch the bytes of a binary file.
//
// A read past the end sets the sticky `failed` flag and yields zero, so that a record is read
// straight through and tested once.
#ifndef HOIST_SRC_BASE_READER_H
#define HOIST_SRC_BASE_READER_H

#include "hoist/base.h"

typedef struct hoist_reader {
    hoist_bytes bytes; // borrowed
    uint64_t pos;      // of the next byte; at most bytes.size
    bool failed;       // a read went past the end
} hoist_reader;

hoist_reader hoist_reader_init(hoist_bytes bytes);
uint64_t hoist_reader_left(const hoist_reader *r);
// Moves to `pos`; past the end sets `failed`.
void hoist_reader_seek(hoist_reader *r, uint64_t pos);

uint8_t hoist_read_u8(hoist_reader *r);
uint16_t hoist_read_u16le(hoist_reader *r);
uint32_t hoist_read_u32le(hoist_reader *r);
uint64_t hoist_read_u64le(hoist_reader *r);
// `size` bytes, borrowed from the file; empty and `failed` when fewer are left.
hoist_bytes hoist_read_bytes(hoist_reader *r, uint64_t size);

// Little-endian loads and stores of unaligned memory that is known to be long enough.
uint16_t hoist_load_u16le(const uint8_t *p);
uint32_t hoist_load_u32le(const uint8_t *p);
uint64_t hoist_load_u64le(const uint8_t *p);
void hoist_store_u16le(uint8_t *p, uint16_t v);
void hoist_store_u32le(uint8_t *p, uint32_t v);
void hoist_store_u64le(uint8_t *p, uint64_t v);

// Whether this machine keeps numbers as files do.
bool hoist_is_little_endian(void);

#endif // HOIST_SRC_BASE_READER_H
