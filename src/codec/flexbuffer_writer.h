// codec/flexbuffer_writer.h - builds FlexBuffers as the public builder does: each value as narrow
// as it can be, keys stored once.
//
//     hoist_flex_writer w;
//     hoist_flex_writer_init(&w, &out);
//     const size_t map = hoist_flex_open(&w);
//     hoist_flex_put_key(&w, HOIST_STR("1"));
//     hoist_flex_put_int(&w, 0);
//     hoist_flex_close(&w, map, HOIST_FLEX_MAP);
//     status = hoist_flex_finish(&w);
//
// A failure is remembered, and hoist_flex_finish() returns it.
#ifndef HOIST_SRC_CODEC_FLEXBUFFER_WRITER_H
#define HOIST_SRC_CODEC_FLEXBUFFER_WRITER_H

#include "base/buffer.h"
#include "base/map.h"
#include "codec/flexbuffer.h"

typedef struct hoist_flex_cell { // a value whose slot is not written yet
    uint8_t type;                // hoist_flex_type
    uint8_t bits;                // log2 of its width: of the number, or of what the offset leads to
    uint64_t raw;                // of a number its bits (a float's as double); else where it lies
} hoist_flex_cell;

typedef struct hoist_flex_writer {
    hoist_buffer *out;      // borrowed
    size_t start;           // of the buffer in `out`
    hoist_flex_cell *cells; // owned
    size_t count;
    size_t capacity;
    hoist_map keys;      // where each key lies
    hoist_status status; // the first failure; nothing is written after it
} hoist_flex_writer;

// Appends to `out`; offsets and alignments count from its present end. Ends with
// hoist_flex_finish().
void hoist_flex_writer_init(hoist_flex_writer *w, hoist_buffer *out);
// Writes the one value that is left as the root, and frees what the writer has. HOIST_OK,
// HOIST_NO_MEMORY, or what hoist_flex_put_value() failed with.
HOIST_NODISCARD hoist_status hoist_flex_finish(hoist_flex_writer *w);

void hoist_flex_put_null(hoist_flex_writer *w);
void hoist_flex_put_string(hoist_flex_writer *w, hoist_bytes bytes); // any bytes
void hoist_flex_put_blob(hoist_flex_writer *w, hoist_bytes bytes);
// Before each member of a map, or as a value of its own. `key` holds no NUL and is borrowed until
// the end.
void hoist_flex_put_key(hoist_flex_writer *w, hoist_str key);
// A number that is at least 1 << cell.bits bytes wide, which must hold it; one of an indirect type
// lies where it is put.
void hoist_flex_put_cell(hoist_flex_writer *w, hoist_flex_cell cell);
// log2 of the bytes that a number needs; a float of 2 bytes is never made.
uint8_t hoist_flex_bits_of_uint(uint64_t number);
uint8_t hoist_flex_bits_of_int(int64_t number);
uint8_t hoist_flex_bits_of_float(double number);

// What is put from here on becomes the items of the vector or map that hoist_flex_close() makes,
// as a value of `type`: MAP (whose keys differ), VECTOR, or a typed one that the items are of.
size_t hoist_flex_open(const hoist_flex_writer *w);
void hoist_flex_close(hoist_flex_writer *w, size_t mark, hoist_flex_type type);

// A value that was read, with all below it, of a buffer in which hoist_flex_check() found no fault,
// and which lives until the end. Types are kept, and members go in the order in which their keys
// lie in the buffer: what the public builder made comes out byte for byte, unless maps with
// different members share keys. Fails with HOIST_INVALID when a rule is broken all the same,
// HOIST_LIMIT when it is nested too deep.
void hoist_flex_put_value(hoist_flex_writer *w, const hoist_flex_value *value);

#endif // HOIST_SRC_CODEC_FLEXBUFFER_WRITER_H
