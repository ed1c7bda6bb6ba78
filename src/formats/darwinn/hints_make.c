// Hints made again from the instructions (darwinn reference sections 4.3 and 8.5), and hints as
// rows of the schema. In: the chunks of an executable; out: the hints that its scalar core sends
// (scalar_hints.h). package_hints.c puts them into a package whose instructions were changed.
#include "base/assert.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/stream_rows.h"

// The chunks up to the first branch, whose target is not known to be taken; `*out_count` of them.
// NULL: out of memory.
static dwn_chunk *cut_chunks(const dwn_image *image, hoist_arena *arena, uint32_t *out_count,
                             bool *out_whole)
{
    dwn_chunk *const chunks = hoist_arena_array(arena, image->chunk_count, sizeof(*chunks));
    *out_whole = true;
    *out_count = 0;
    while (chunks && *out_count < image->chunk_count && *out_whole) {
        dwn_chunk *const chunk = &chunks[(*out_count)++];
        *chunk = image->chunks[*out_count - 1];
        // Instructions of a chunk before its first branch.
        size_t straight = 0;
        while (straight < chunk->stream.count &&
               chunk->stream.instructions[straight].opcode != DWN_OP_BRANCH) {
            straight++;
        }
        HOIST_ASSERT(straight <= chunk->stream.count);
        *out_whole = straight == chunk->stream.count;
        chunk->stream.count = straight;
    }
    return chunks;
}

// A run that is cut at a branch ends with its last instruction, which is no fault (UNPARSED).
hoist_status dwn_hints_make(const dwn_image *image, hoist_arena *arena, dwn_program_run *out_run,
                            bool *out_whole)
{
    uint32_t count = 0;
    const dwn_chunk *const chunks = cut_chunks(image, arena, &count, out_whole);
    *out_run = (dwn_program_run){0};
    if (!chunks) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_program_execute(chunks, count, arena, out_run));
    const bool ended =
        *out_whole ? out_run->run.end == DWN_SCALAR_DONE
                   : out_run->run.end == DWN_SCALAR_DONE || out_run->run.end == DWN_SCALAR_UNPARSED;
    return ended && out_run->unknown == 0 && image->chunk_count ? HOIST_OK : HOIST_INVALID;
}

// Out of memory: false, here and below.
static bool store_dma(const dwn_hint *hint, hoist_arena *arena, dwn_stored_hint *out)
{
    dwn_dma_hint *const dma = hoist_arena_alloc(arena, sizeof(*dma));
    dwn_meta *const meta = hoist_arena_alloc(arena, sizeof(*meta));
    if (!dma || !meta) {
        return false;
    }
    *meta = (dwn_meta){.desc = hint->desc,
                       .batch = hint->batch,
                       .name = hint->name.data ? hint->name : (hoist_str){"", 0}};
    *dma = (dwn_dma_hint){.meta = meta,
                          .offset_in_bytes = (int32_t)hint->offset,
                          .size_in_bytes = (int32_t)hint->size};
    out->any_hint.value = dma;
    out->direction = hint->direction;
    return true;
}

// One table per hint, as the schema has it; a fence has no fields.
static bool store_hint(const dwn_hint *hint, hoist_arena *arena, dwn_stored_hint *out)
{
    *out = (dwn_stored_hint){.any_hint = {.type = (uint8_t)hint->kind}};
    if (hint->kind == DWN_HINT_DMA) {
        return store_dma(hint, arena, out);
    }
    if (hint->kind == DWN_HINT_INSTRUCTION) {
        dwn_instruction_hint *const value = hoist_arena_alloc(arena, sizeof(*value));
        out->any_hint.value = value;
        if (value) {
            value->instruction_chunk_index = hint->index;
        }
    } else if (hint->kind == DWN_HINT_INTERRUPT) {
        dwn_interrupt_hint *const value = hoist_arena_alloc(arena, sizeof(*value));
        out->any_hint.value = value;
        if (value) {
            value->type = (int16_t)hint->index;
        }
    } else {
        out->any_hint.value = hoist_arena_alloc(arena, sizeof(dwn_fence_hint));
    }
    return out->any_hint.value != NULL;
}

// The schema stores int32; the core computes 64-bit offsets and sizes.
static bool fits(const dwn_hint *hint)
{
    return hint->kind != DWN_HINT_NONE && hint->offset >= INT32_MIN && hint->offset <= INT32_MAX &&
           hint->size >= 0 && hint->size <= INT32_MAX;
}

// The rows belong to the arena, names to the links of the chunks.
hoist_status dwn_hints_store(const dwn_hint *hints, size_t count, bool is_whole, hoist_arena *arena,
                             dwn_hints **out_rows)
{
    dwn_hints *const rows = hoist_arena_alloc(arena, sizeof(*rows));
    *out_rows = rows;
    if (!rows) {
        return HOIST_NO_MEMORY;
    }
    rows->fully_deterministic = is_whole;
    rows->hints.items = hoist_arena_array(arena, count, sizeof(rows->hints.items[0]));
    rows->hints.count = (uint32_t)count;
    if (!rows->hints.items) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (!fits(&hints[i])) {
            return HOIST_INVALID;
        }
        if (!store_hint(&hints[i], arena, &rows->hints.items[i])) {
            return HOIST_NO_MEMORY;
        }
    }
    return HOIST_OK;
}
