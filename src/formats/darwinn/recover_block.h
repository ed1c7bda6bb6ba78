// formats/darwinn/recover_block.h - blocks of parameters: where a layer's is, and what it has.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_BLOCK_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_BLOCK_H

#include "formats/darwinn/recover_operation.h"

typedef struct dwn_source {
    hoist_bytes bytes; // borrowed
    uint64_t at;       // what comes before has been taken
} dwn_source;

// Parameters of the caching and of the main executable.
typedef struct dwn_sources {
    dwn_source cached;
    dwn_source streamed;
    const uint32_t *transfers; // sizes of the main executable's transfers of them; arena
    size_t transfer_count;
    size_t next;
} dwn_sources;

// Bytes without the padding at the end; 0: too many. recover_parameters.c
uint64_t dwn_block_size(const dwn_block_shape *shape);
// The next block of that size (without its padding). False: there is none of it.
bool dwn_block_find(const dwn_sources *s, uint64_t size, bool is_streamed, dwn_piece *out_piece);
hoist_bytes dwn_block_bytes(const dwn_sources *s, const dwn_piece *piece);
void dwn_block_take(dwn_sources *s, const dwn_piece *piece);
// Whether the runs that bring a block are its groups of rows, more than one: the last begins where
// the last group does.
bool dwn_block_is_supplied(const dwn_block_shape *shape, const dwn_supply *supply);
// How many rows at the end of each `period` rows of the block are nothing but zero points, at most
// three: the same of all of them.
uint32_t dwn_block_padding(const dwn_block_shape *shape, hoist_bytes block, uint32_t period,
                           uint8_t weight_zero);
// Whether all but the diagonals are zero points.
bool dwn_block_is_diagonal(const dwn_block_shape *shape, hoist_bytes block, uint8_t weight_zero);
// Whether what is beyond the channels is at the zero point: the bytes that fill the last words of
// each tap, or of a diagonal the rows.
bool dwn_block_is_filled(const dwn_block_shape *shape, hoist_bytes block, uint32_t channels,
                         uint8_t weight_zero);
// Whether row after row copies one channel: those of pixels with as many channels as the lists
// says, again and again, each padded to whole words. `block` has the block's size.
bool dwn_block_is_gather(const dwn_block_shape *shape, hoist_bytes block, const uint32_t *channels,
                         size_t count);
// Whether each row has one 1 among zeros, or nothing but zeros, and no bias: of each row the byte
// of the 1, or DWN_NONE. `block` has the block's size.
bool dwn_block_selects(const dwn_block_shape *shape, hoist_bytes block, uint32_t *out_from);
// The arrays of a block into the layer, whose weight_zero is set; `channels` of a pixel of the
// input: each tap, or pixel of a dense layer, has them in whole words. Rows of padding at the end
// are dropped. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_block_read(const dwn_block_shape *shape, hoist_bytes block,
                                            uint32_t channels, hoist_arena *arena,
                                            dwn_recovered *layer);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_BLOCK_H
