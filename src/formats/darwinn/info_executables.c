// Executables in figures: instructions by the unit that carries them out, and the steps of the
// driver by kind with the bytes that they transfer.
#include <inttypes.h>

#include "base/tree.h"
#include "formats/darwinn/info.h"
#include "formats/darwinn/stream_listing.h"

// Steps of the driver by kind, and bytes by buffer; hints of unknown kinds are not counted.
static void send_steps(const dwn_executable *executable, hoist_tree_sink *sink)
{
    static const char *const kinds[] = {NULL, "dma", "chunks", "irqs", "fences"};
    static const char *const buffers[] = {"output", "input", "parameters", "scratch"};
    const dwn_hints *const hints = executable->dma_hints;
    uint64_t steps[DWN_HINT_KINDS] = {0};
    uint64_t bytes[DWN_DESC_COUNT] = {0};
    // Of the file, so that sums may be anything.
    for (uint32_t i = 0; hints && i < hints->hints.count; i++) {
        const hoist_fb_union *const any = &hints->hints.items[i].any_hint;
        if (any->value && any->type < DWN_HINT_KINDS) {
            steps[any->type]++;
        }
        const dwn_dma_hint *const dma = any->type == DWN_HINT_DMA ? any->value : NULL;
        if (dma && dma->meta && dma->meta->desc >= 0 && dma->meta->desc < DWN_DESC_COUNT &&
            dma->size_in_bytes > 0) {
            bytes[dma->meta->desc] += (uint64_t)dma->size_in_bytes;
        }
    }
    for (int kind = DWN_HINT_DMA; kind < DWN_HINT_KINDS; kind++) {
        // Two columns for people.
        sink->audience = kind == DWN_HINT_DMA || kind == DWN_HINT_FENCE ? HOIST_TREE_FOR_ALL
                                                                        : HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_uint(sink, kinds[kind], steps[kind], HOIST_UNIT_NONE);
    }
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_bool(sink, "all", hints && hints->fully_deterministic);
    for (int desc = 0; desc < DWN_DESC_COUNT; desc++) {
        hoist_tree_uint(sink, buffers[desc], bytes[desc], HOIST_UNIT_BYTES);
    }
}

static void send_type(const dwn_executable *executable, hoist_tree_sink *sink)
{
    const char *const type = hoist_fb_word_name(dwn_executable_types, executable->type);
    if (type) {
        hoist_tree_c(sink, "type", type);
    } else {
        hoist_tree_int(sink, "type", executable->type);
    }
}

// What an executable consists of.
// Instructions by the unit that carries them out (stream_rows.c).
static void send_program(const dwn_image *image, hoist_tree_sink *sink)
{
    static const char *const units[DWN_UNIT_COUNT] = {
        [DWN_UNIT_FRAME] = "frame",          [DWN_UNIT_TENSOR] = "tensor",
        [DWN_UNIT_TILE_DMA] = "tile_dma",    [DWN_UNIT_MESH] = "mesh",
        [DWN_UNIT_TILE_SYNC] = "tile_sync",  [DWN_UNIT_SCALAR] = "scalar",
        [DWN_UNIT_SCALAR_DMA] = "scalar_dma"};
    const dwn_listing listing = {.chunks = image->chunks, .count = image->chunk_count};
    const dwn_totals totals = dwn_listing_totals(&listing);
    uint64_t by_unit[DWN_UNIT_COUNT] = {0};
    const dwn_opcode *row = NULL;
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        by_unit[row->unit] += totals.by_opcode[row->code];
    }
    hoist_tree_uint(sink, "chunks", image->chunk_count, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "instructions", totals.instructions, HOIST_UNIT_NONE);
    for (int unit = DWN_UNIT_TENSOR; unit < DWN_UNIT_COUNT; unit++) {
        // The others would make the table wider than a window.
        sink->audience = unit <= DWN_UNIT_MESH ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_uint(sink, units[unit], by_unit[unit], HOIST_UNIT_NONE);
    }
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_int(sink, "tiles", __builtin_popcount(totals.tiles));
}

// One of the two lists: what executables consist of, or the driver's steps.
static void send_list(const dwn_contents *contents, const char *key, bool steps,
                      hoist_tree_sink *sink)
{
    hoist_tree_list(sink, key);
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_image *const image = &contents->images[i];
        if (image->rows) {
            hoist_tree_map(sink, "");
            send_type(image->rows, sink);
            if (steps) {
                send_steps(image->rows, sink);
            } else {
                send_program(image, sink);
            }
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

void dwn_send_executables(const dwn_contents *contents, hoist_tree_sink *sink)
{
    send_list(contents, "executables", false, sink);
    send_list(contents, "steps", true, sink);
}
