// The chunks of an executable: parsed into instructions (stream.h), their field offsets as links
// (link.h). Chunks that share bytes of the file are read once, so that a small file cannot mean
// much work.
#include <inttypes.h>

#include "formats/darwinn/read.h"

// A field offset of the schema as a link. Without a Meta nothing says which buffer is meant; such a
// link is kept, so that DWN-040 can report it and linking can refuse it.
static dwn_link link_of(const dwn_field_offset *offset)
{
    const dwn_meta *const meta = offset->meta;
    dwn_link link = {.offset_bit = offset->offset_bit, .has_meta = meta != NULL};
    if (meta) {
        link.name = meta->name;
        link.batch = meta->batch;
        link.desc = meta->desc;
        link.position = meta->position;
    }
    return link;
}

// Parses one chunk. Faults of its instructions are part of the stream and no failure: only memory
// and the limit of words end the reading.
static hoist_status read_chunk(dwn_reader *r, const dwn_bitstream *bitstream, bool has_successor,
                               dwn_image *image, dwn_chunk *chunk)
{
    // Ids count on from chunk to chunk.
    const dwn_stream_options options = {.has_successor = has_successor, .first_id = image->next_id};
    HOIST_TRY(
        dwn_stream_read(bitstream->bitstream, &options, r->arena, &chunk->stream, &image->next_id));
    const uint32_t count = bitstream->field_offsets.count;
    dwn_link *const links = hoist_arena_array(r->arena, count, sizeof(*links));
    if (!links) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        links[i] = link_of(&bitstream->field_offsets.items[i]);
    }
    chunk->links = links;
    chunk->link_count = count;
    return HOIST_OK;
}

hoist_status dwn_read_chunks(dwn_reader *r, dwn_image *image)
{
    const uint32_t count = image->rows->instruction_bitstreams.count;
    image->chunks = hoist_arena_array(r->arena, count, sizeof(*image->chunks));
    if (!image->chunks) {
        return HOIST_NO_MEMORY;
    }
    // The chunks of an executable that was written by a compiler are disjoint, so their sizes sum
    // up to no more than its bytes. FlatBuffer offsets of a hostile file may all lead to the same
    // 256 KiB, thousands of times.
    size_t left = image->bytes.size;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_bytes bytes = image->rows->instruction_bitstreams.items[i].bitstream;
        if (bytes.size > left) {
            dwn_report(r->diag, DWN_018, dwn_place_in_file(r->module, bytes.data),
                       "chunk %" PRIu32 " shares its %zu bytes with others: it is not read", i,
                       bytes.size);
            break;
        }
        left -= bytes.size;
        image->chunk_count++; // only chunks that were read
        HOIST_TRY(read_chunk(r, &image->rows->instruction_bitstreams.items[i], i + 1 < count, image,
                             &image->chunks[i]));
    }
    return HOIST_OK;
}
