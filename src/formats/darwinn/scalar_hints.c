// The DMA hints of a program, from a run of its scalar core (darwinn reference sections 4.3 and
// 8.5). In: chunks with links; out: transfers and hints. Copies of the chunks are linked with an
// address for each buffer whose high half is the number of the buffer, so that a descriptor says
// which buffer it is for.
#include "formats/darwinn/scalar_hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"

enum { LOW_HALF = 0x10000000, FIRST_NUMBER = 1 }; // of the made-up addresses

// A place of 32 bits in a copy that linking fills in.
typedef struct hole {
    const dwn_link *link;
    hoist_mut_bytes bytes; // of the chunk's copy
} hole;

typedef struct maker {
    const dwn_chunk *chunks;
    size_t chunk_count;
    hoist_arena *arena;
    const dwn_link **buffers; // one of the links of each; number - FIRST_NUMBER is the index; arena
    size_t buffer_count;
    dwn_stream *streams; // copies, linked; arena
    dwn_hint *hints;     // arena
    size_t hint_count;
} maker;

bool dwn_transfer_is_interrupt(const dwn_transfer *transfer)
{
    return transfer->tag >= DWN_TAG_INTERRUPT && transfer->tag < DWN_TAG_COUNT;
}

// Buffers ----------------------------------------------------------------------------------------

// Order of qsort(): holes of one buffer and name are neighbours then.
static int by_meaning(const void *a, const void *b)
{
    const hole *x = a;
    const hole *y = b;
    return dwn_link_compare(x->link, y->link);
}

// Copies of the chunks, whose holes are listed.
static hoist_status copy_chunks(maker *m, hole *out_holes, size_t *out_count)
{
    for (size_t i = 0; i < m->chunk_count; i++) {
        const dwn_chunk *chunk = &m->chunks[i];
        const size_t size = chunk->stream.bytes.size;
        uint8_t *copy = hoist_arena_alloc(m->arena, size);
        if (!copy) {
            return HOIST_NO_MEMORY;
        }
        if (size > 0) {
            memcpy(copy, chunk->stream.bytes.data, size);
        }
        m->streams[i] = chunk->stream;
        m->streams[i].bytes = (hoist_bytes){copy, size};
        for (size_t k = 0; k < chunk->link_count; k++) {
            const dwn_link *link = &chunk->links[k];
            if (link->has_meta && dwn_desc_name(link->desc) && dwn_link_is_inside(link, size)) {
                // Links that lead outside, or to no kind of buffer, are left 0: DWN-039 and 040
                // report them.
                out_holes[(*out_count)++] = (hole){link, {copy, size}};
            }
        }
    }
    return HOIST_OK;
}

// Numbers the buffers: holes of one meaning are neighbours after sorting and get one number. It
// goes into the high halves, LOW_HALF into all low ones, so that an offset below 0 borrows nothing
// from the number.
static hoist_status link_chunks(maker *m, size_t link_count)
{
    hole *holes = hoist_arena_array(m->arena, link_count, sizeof(*holes));
    m->buffers = hoist_arena_array(m->arena, link_count, sizeof(const dwn_link *));
    size_t count = 0;
    if (!holes || !m->buffers) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(copy_chunks(m, holes, &count));
    if (count > 1) {
        qsort(holes, count, sizeof(*holes), by_meaning);
    }
    for (size_t i = 0; i < count; i++) {
        const dwn_link *link = holes[i].link;
        if (i == 0 || by_meaning(&holes[i - 1], &holes[i]) != 0) {
            m->buffers[m->buffer_count++] = link;
        }
        const uint32_t number = FIRST_NUMBER + (uint32_t)(m->buffer_count - 1);
        dwn_bits_store(holes[i].bytes, (uint64_t)link->offset_bit, DWN_LINK_BITS,
                       link->position == DWN_POSITION_LOW ? LOW_HALF : number);
    }
    return HOIST_OK;
}

// Transfers --------------------------------------------------------------------------------------

// Whether a buffer is transferred under that tag. Scratch has no tag of its own: it goes out as an
// output and comes back as an input.
static bool fits(int16_t desc, uint32_t tag)
{
    switch (tag) {
    case DWN_TAG_INPUT:
        return desc == DWN_DESC_INPUT || desc == DWN_DESC_SCRATCH;
    case DWN_TAG_PARAMETER:
        return desc == DWN_DESC_PARAMETER;
    case DWN_TAG_OUTPUT:
        return desc == DWN_DESC_OUTPUT || desc == DWN_DESC_SCRATCH;
    default:
        return false;
    }
}

// Not known: a word is unknown, the high half is no number that was given, or the tag contradicts
// the buffer.
static dwn_transfer transfer_of(const maker *m, const dwn_descriptor *d)
{
    dwn_transfer t = {
        .chunk = d->chunk, .word = d->word, .desc = -1, .size = d->words[2], .tag = d->words[3]};
    if (d->known != DWN_DESCRIPTOR_KNOWN) {
        return t;
    }
    if (dwn_transfer_is_interrupt(&t)) {
        t.is_known = true;
        return t;
    }
    const uint32_t number = d->words[1]; // the high half, if no carry came into it
    if (number < FIRST_NUMBER || number - FIRST_NUMBER >= m->buffer_count) {
        return t;
    }
    const dwn_link *buffer = m->buffers[number - FIRST_NUMBER];
    t.desc = buffer->desc;
    t.batch = dwn_desc_is_layer(buffer->desc) ? buffer->batch : 0;
    t.name = dwn_desc_is_layer(buffer->desc) ? buffer->name : (hoist_str){0};
    t.offset = (int64_t)d->words[0] - LOW_HALF;
    t.is_known = fits(t.desc, t.tag);
    return t;
}

// Hints ------------------------------------------------------------------------------------------

// finish() has allocated for the worst case: each transfer with a fence, and each chunk.
static void add_hint(maker *m, dwn_hint hint)
{
    m->hints[m->hint_count++] = hint;
}

dwn_hint dwn_hint_of(const dwn_transfer *t)
{
    if (!t->is_known) {
        return (dwn_hint){.kind = DWN_HINT_NONE};
    }
    if (dwn_transfer_is_interrupt(t)) {
        return (dwn_hint){.kind = DWN_HINT_INTERRUPT,
                          .index = (int32_t)(t->tag - DWN_TAG_INTERRUPT)};
    }
    return (dwn_hint){.kind = DWN_HINT_DMA,
                      .desc = t->desc,
                      .direction = t->tag == DWN_TAG_OUTPUT ? DWN_OUTFEED : DWN_INFEED,
                      .batch = t->batch,
                      .name = t->name,
                      .offset = t->offset,
                      .size = t->size};
}

// Whether `next` goes on where `last` ended. A buffer has one name, at one place.
static bool goes_on(const dwn_hint *last, const dwn_hint *next)
{
    return last->kind == DWN_HINT_DMA && next->kind == DWN_HINT_DMA && last->desc == next->desc &&
           last->direction == next->direction && last->batch == next->batch &&
           last->offset + last->size == next->offset && last->name.data == next->name.data;
}

// Hints for the chunks up to `end`, where they were not yet hinted.
static void add_chunks(maker *m, size_t *chunk, size_t end)
{
    for (; *chunk < end; (*chunk)++) {
        add_hint(m, (dwn_hint){.kind = DWN_HINT_INSTRUCTION, .index = (int32_t)*chunk});
    }
}

// Hints from transfers (section 8.5): pieces of one transfer become one hint, a chunk is hinted
// before the first transfer that it makes, a fence precedes scratch that is read. A fence comes
// after the chunk where both come before a transfer.
static void make_hints(maker *m, const dwn_program_run *run)
{
    size_t chunk = 0;
    for (size_t i = 0; i < run->transfer_count; i++) {
        const dwn_hint hint = dwn_hint_of(&run->transfers[i]);
        add_chunks(m, &chunk, run->transfers[i].chunk + (size_t)1);
        dwn_hint *last = &m->hints[m->hint_count - 1]; // there is one: chunk 0, at least
        if (goes_on(last, &hint)) {
            last->size += hint.size;
            continue;
        }
        if (hint.kind == DWN_HINT_DMA && hint.desc == DWN_DESC_SCRATCH &&
            hint.direction == DWN_INFEED) {
            add_hint(m, (dwn_hint){.kind = DWN_HINT_FENCE});
        }
        add_hint(m, hint);
    }
    add_chunks(m, &chunk, m->chunk_count);
}

// From what the core sent to hints. The texts of names are borrowed from the links.
static hoist_status finish(maker *m, dwn_program_run *run)
{
    const size_t count = run->run.count;
    dwn_transfer *transfers = hoist_arena_array(m->arena, count, sizeof(*transfers));
    m->hints = hoist_arena_array(m->arena, 2 * count + m->chunk_count, sizeof(*m->hints));
    if (!transfers || !m->hints) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        transfers[i] = transfer_of(m, &run->run.sent[i]);
        run->unknown += !transfers[i].is_known;
    }
    run->transfers = transfers;
    run->transfer_count = count;
    make_hints(m, run);
    run->hints = m->hints;
    run->hint_count = m->hint_count;
    return HOIST_OK;
}

// Chunks may all be the same bytes of a file, and each is copied. The sum stops before it could
// overflow.
static bool is_of_real_size(const maker *m)
{
    uint64_t size = 0;
    for (size_t i = 0; i < m->chunk_count && size <= DWN_MAX_PROGRAM; i++) {
        size += m->chunks[i].stream.bytes.size;
    }
    return size <= DWN_MAX_PROGRAM;
}

hoist_status dwn_program_execute(const dwn_chunk *chunks, size_t count, hoist_arena *arena,
                                 dwn_program_run *out_run)
{
    *out_run = (dwn_program_run){0};
    maker m = {.chunks = chunks, .chunk_count = count, .arena = arena};
    dwn_program_run run = {0};
    size_t link_count = 0;
    if (!dwn_links_count(chunks, count, &link_count) || count > INT32_MAX || !is_of_real_size(&m)) {
        return HOIST_LIMIT;
    }
    m.streams = hoist_arena_array(arena, count, sizeof(*m.streams));
    if (!m.streams) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(link_chunks(&m, link_count));
    HOIST_TRY(dwn_scalar_execute(m.streams, count, arena, &run.run));
    HOIST_TRY(finish(&m, &run));
    *out_run = run;
    return HOIST_OK;
}

// Comparing --------------------------------------------------------------------------------------

bool dwn_hint_equal(const dwn_hint *a, const dwn_hint *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case DWN_HINT_DMA:
        return a->desc == b->desc && a->direction == b->direction && a->offset == b->offset &&
               a->size == b->size &&
               (!dwn_desc_is_layer(a->desc) ||
                (a->batch == b->batch && hoist_str_equal(a->name, b->name)));
    case DWN_HINT_INSTRUCTION:
    case DWN_HINT_INTERRUPT:
        return a->index == b->index;
    case DWN_HINT_FENCE:
        return true;
    default: // of an unknown kind
        return false;
    }
}

// Position by position; it does not align what is left out or put in.
bool dwn_hints_agree(const dwn_program_run *run, const dwn_hint *hints, size_t count,
                     bool is_prefix, size_t *out_at)
{
    size_t at = 0;
    while (at < count && at < run->hint_count && dwn_hint_equal(&run->hints[at], &hints[at])) {
        at++;
    }
    *out_at = at;
    return at == count && (is_prefix || at == run->hint_count);
}

// "input 'image' element 1 [0, +256] infeed"; of parameters and scratch without a name.
static void dma_text(const dwn_hint *hint, char *buffer, size_t size)
{
    const char *what = dwn_desc_name(hint->desc);
    const bool named = dwn_desc_is_layer(hint->desc);
    const char *quote = named ? "'" : "";
    char element[24] = "";
    if (named && hint->batch != 0) {
        (void)snprintf(element, sizeof(element), " element %" PRId32, hint->batch);
    }
    (void)snprintf(buffer, size, "%s%s%s%.*s%s%s [%" PRId64 ", +%" PRId64 "] %s",
                   what ? what : "buffer", named ? " " : "", quote,
                   HOIST_STR_ARGS(named ? hint->name : HOIST_STR("")), quote, element, hint->offset,
                   hint->size, hint->direction == DWN_OUTFEED ? "outfeed" : "infeed");
}

void dwn_hint_text(const dwn_hint *hint, char *buffer, size_t size)
{
    HOIST_ASSERT(size > 0);
    switch (hint->kind) {
    case DWN_HINT_DMA:
        dma_text(hint, buffer, size);
        break;
    case DWN_HINT_INSTRUCTION:
        (void)snprintf(buffer, size, "chunk %" PRId32, hint->index);
        break;
    case DWN_HINT_INTERRUPT:
        (void)snprintf(buffer, size, "interrupt %" PRId32, hint->index);
        break;
    case DWN_HINT_FENCE:
        (void)snprintf(buffer, size, "fence");
        break;
    default:
        (void)snprintf(buffer, size, "unknown transfer");
    }
}
