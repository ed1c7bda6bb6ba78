// formats/darwinn/stream_testing.h - chunks made for tests, and those of the golden model.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_TESTING_H

#include "formats/darwinn/scalar_hints.h"
#include "testing/test.h"

enum { DWN_TEST_WORDS = 4096 };

// A chunk in the making: a start word, then what is added.
typedef struct dwn_maker {
    uint8_t bytes[DWN_TEST_WORDS * DWN_WORD_SIZE];
    uint32_t words;
    uint16_t next_id;
} dwn_maker;

void dwn_make_begin(dwn_maker *m); // keeps `next_id`: 0 for the first chunk of a program
// Adds an instruction of that opcode, of the tiles with the next id and tile 0; the rest is 0.
hoist_mut_bytes dwn_make_add(dwn_maker *m, uint8_t opcode);
void dwn_make_set(hoist_mut_bytes instruction, const dwn_field *field, size_t index, uint32_t bits);
void dwn_make_bundle(dwn_maker *m, const dwn_bundle *bundle);
// Register `to` = immediate; the bit of the immediate in the chunk.
int32_t dwn_make_movi(dwn_maker *m, uint8_t to, uint32_t immediate);
// Four bundles that write the descriptor from registers 10 to 13, and one that sends it.
void dwn_make_send(dwn_maker *m);
// Adds halt, empty bundles and end, and sets the start word's count. The bytes are the maker's.
hoist_bytes dwn_make_end(dwn_maker *m, bool has_successor);

// The chunk parsed with no chunk before it, from a copy of exactly its bytes.
dwn_stream dwn_test_stream(hoist_test *t, hoist_bytes bytes);
// Its first fault, or DWN_FAULT_COUNT where it has none.
dwn_fault_code dwn_test_first(const dwn_stream *stream);

// The chunk of an executable of the golden model (darwinn reference section 15): 0 EXECUTION_ONLY,
// 1 PARAMETER_CACHING, with its links. Empty when the corpus is absent.
dwn_chunk dwn_golden_chunk(hoist_test *t, size_t executable);

// zlib's CRC-32.
uint32_t dwn_test_crc(hoist_bytes bytes);

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_TESTING_H
