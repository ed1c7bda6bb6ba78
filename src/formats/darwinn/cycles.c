// Cycles of layers: the steps of tensor operations on the tile that has the most of them. In: the
// instructions of an executable and its recovered layers. Out: a number for each layer, and for
// what comes after the last. Neighbours: stream_tensor.h (loops), recover.h (which instructions a
// layer has).
#include "formats/darwinn/cycles.h"

#include "base/span.h"
#include "formats/darwinn/stream_tensor.h"

enum { TILES = 16 }; // a grid of 4 x 4

typedef struct counter {
    const dwn_image *image;
    const dwn_recovery *recovery;
    uint32_t **owners; // arena; by chunk and word: number of a layer, from 1; 0: of none
} counter;

// Tables of all words, so that the second pass is linear. Layers may share instructions: the last
// one has them.
static hoist_status mark_owners(counter *c, hoist_arena *arena)
{
    const dwn_image *const image = c->image;
    c->owners = hoist_arena_array(arena, image->chunk_count, sizeof(c->owners[0]));
    for (uint32_t i = 0; c->owners && i < image->chunk_count; i++) {
        c->owners[i] =
            hoist_arena_array(arena, image->chunks[i].stream.words, sizeof(c->owners[0][0]));
        if (!c->owners[i]) {
            return HOIST_NO_MEMORY;
        }
    }
    for (uint32_t i = 0; c->owners && i < c->recovery->count; i++) {
        const dwn_recovered *const layer = &c->recovery->layers[i];
        for (uint32_t k = 0; k < layer->word_count; k++) {
            const dwn_words *const w = &layer->words[k];
            c->owners[w->chunk][w->word] = i + 1;
        }
    }
    return c->owners ? HOIST_OK : HOIST_NO_MEMORY;
}

// Steps of an instruction: the product of its loops, a number per cycle on each tile; 0: it is no
// tensor operation.
static uint64_t steps_of(const dwn_stream *stream, const dwn_instruction *instruction)
{
    const dwn_opcode *const row = dwn_opcode_find(instruction->opcode);
    return row && row->fields->rows == dwn_tensor_rows
               ? dwn_master_product(dwn_instruction_bytes(stream, instruction), DWN_MASTER_ALL)
               : 0;
}

// Tiles work at the same time, so the busiest one decides.
static void find_busiest(const counter *c, dwn_cycles *out)
{
    uint64_t totals[TILES] = {0};
    for (uint32_t i = 0; i < c->image->chunk_count; i++) {
        const dwn_stream *const stream = &c->image->chunks[i].stream;
        for (size_t k = 0; k < stream->count; k++) {
            // Without loops it takes no part in the count.
            const uint64_t steps = steps_of(stream, &stream->instructions[k]);
            for (uint32_t t = 0; t < TILES && steps; t++) {
                if (stream->instructions[k].tiles >> t & 1) {
                    totals[t] = dwn_plus(totals[t], steps);
                }
            }
        }
    }
    for (uint32_t t = 1; t < TILES; t++) {
        out->tile = totals[t] > totals[out->tile] ? t : out->tile;
    }
    out->total = totals[out->tile];
}

// Cycles between two layers count for the later one, which they prepare.
hoist_status dwn_count_cycles(const dwn_image *image, const dwn_recovery *recovery,
                              hoist_arena *arena, dwn_cycles *out_cycles)
{
    counter c = {.image = image, .recovery = recovery};
    uint64_t *const layers = hoist_arena_array(arena, (size_t)recovery->count + 1, sizeof *layers);
    *out_cycles = (dwn_cycles){.layers = layers};
    HOIST_TRY(mark_owners(&c, arena));
    if (!layers) {
        return HOIST_NO_MEMORY;
    }
    find_busiest(&c, out_cycles);
    uint64_t pending = 0; // of operations that are of no layer, since the last that is
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        const dwn_stream *const stream = &image->chunks[i].stream;
        for (size_t k = 0; k < stream->count; k++) {
            const dwn_instruction *const instruction = &stream->instructions[k];
            const uint32_t owner = c.owners[i][instruction->word];
            if (instruction->tiles >> out_cycles->tile & 1) {
                pending = dwn_plus(pending, steps_of(stream, instruction));
            }
            if (owner) {
                layers[owner - 1] = dwn_plus(layers[owner - 1], pending);
                pending = 0;
            }
        }
    }
    out_cycles->rest = pending;
    return HOIST_OK;
}
