// Twins of an executable: each buffer of the host, which the driver fills and reads, and the chip's
// copy; and the chunks with their links, which become relocations of the program.
#include <inttypes.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/span.h"
#include "lower/darwinn/drive.h"

// A buffer of the host lies within one range of 4 GiB, whose number is the high half of its
// address: the scalar core adds to low halves only (section 3).
#define RANGE (UINT64_C(1) << 32)

enum { STAGING = 16 }; // bytes of what the chip's side of scratch begins with

// Names -----------------------------------------------------------------------------------------

// "MODEL/ROLE/PART", where a buffer has it with a number from 1 on; data NULL: out of memory.
static hoist_str new_name(darwinn_lower_walk *walk, const char *part)
{
    hoist_lower_context *c = walk->model->c;
    uint64_t next = 1;
    const hoist_str name = hoist_lower_name(c, walk->model->name, "/%s/%s", walk->role, part);
    return hoist_lower_claim(c, name) ? name : hoist_lower_numbered(c, name, &next);
}

hoist_ref darwinn_lower_walk_buffer(darwinn_lower_walk *walk, const char *part,
                                    hoist_prog_buffer row)
{
    darwinn_lower_chip *const chip = walk->model->chip;
    row.name = new_name(walk, part);
    row.loc = walk->loc;
    row.window_of = HOIST_NO_REF;
    row.layout = HOIST_NO_REF;
    if (!row.name.data) {
        return HOIST_NO_REF;
    }
    if (row.space == chip->host) {
        row.placed = true;
        row.address = chip->next_range * RANGE;
        row.alignment = DARWINN_LOWER_PAGE;
        chip->next_range++;
    }
    return hoist_builder_buffer(chip->c->b, &row);
}

// Twins -----------------------------------------------------------------------------------------

// Offsets in a buffer are 32 bits: the core does not carry into the high half.
static bool refuse_size(darwinn_lower_walk *walk, const char *part)
{
    return darwinn_lower_refuse(
        walk->model, RUN_008,
        "buffer '%s' of the %s executable has 4 GiB or more for a batch of %" PRIu32, part,
        walk->role, walk->batch);
}

// Both sides of a buffer; of no bytes it has none (HOIST_NO_REF). The chip's side of scratch begins
// with a pattern, so that a read of what was never sent is seen.
static bool make_twin(darwinn_lower_walk *walk, const char *part, darwinn_lower_twin *twin,
                      hoist_bytes contents)
{
    static const uint8_t pattern[STAGING] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const darwinn_lower_chip *const chip = walk->model->chip;
    const bool is_scratch = twin == &walk->twins[walk->twin_count - 1];
    uint64_t size = 0;
    twin->host = twin->chip = HOIST_NO_REF;
    if (hoist_ckd_mul(&size, twin->stride, twin->count) || size >= RANGE) {
        return refuse_size(walk, part);
    }
    if (size == 0) {
        return true;
    }
    hoist_prog_buffer host = {.space = chip->host,
                              .size = size,
                              .contents = HOIST_CONTENTS_ZERO,
                              .lifetime = HOIST_LIFETIME_SESSION};
    hoist_prog_buffer device = host;
    device.space = chip->memory;
    device.alignment = 1;
    if (contents.size) {
        host.contents = HOIST_CONTENTS_BYTES;
        host.bytes = contents;
        host.lifetime = HOIST_LIFETIME_CONSTANT;
    }
    if (is_scratch) {
        device.contents = HOIST_CONTENTS_PATTERN;
        device.bytes = (hoist_bytes){pattern, sizeof pattern};
    }
    char path[64];
    (void)snprintf(path, sizeof path, "%s/chip", part);
    twin->host = darwinn_lower_walk_buffer(walk, part, host);
    twin->chip = darwinn_lower_walk_buffer(walk, path, device);
    return twin->host != HOIST_NO_REF && twin->chip != HOIST_NO_REF;
}

// Inputs have pages of their own, and the driver may read to the end of the last one; outputs are
// slices of one block (reference 4.1 and 4.4), so nothing after one may be written.
static bool make_layer(darwinn_lower_walk *walk, const dwn_layer *layer, bool is_input,
                       uint32_t index)
{
    const uint32_t inputs = walk->rows->input_layers.count;
    darwinn_lower_twin *const twin = &walk->twins[is_input ? index : inputs + index];
    const int64_t padded = dwn_layer_padded(layer);
    char part[32];
    (void)snprintf(part, sizeof part, "%s%" PRIu32, is_input ? "input" : "output", index);
    *twin = (darwinn_lower_twin){.count = walk->batch};
    if (padded < 1 || (uint64_t)padded >= RANGE) {
        return refuse_size(walk, part);
    }
    twin->reach = twin->stride = (uint64_t)padded;
    if (is_input) {
        (void)hoist_ckd_align(&twin->stride, (uint64_t)padded, DARWINN_LOWER_PAGE);
        twin->reach = twin->stride;
    }
    return make_twin(walk, part, twin, (hoist_bytes){NULL, 0});
}

// One twin for each layer, parameters and scratch.
static bool make_twins(darwinn_lower_walk *walk)
{
    const dwn_executable *const e = walk->rows;
    const uint64_t layers = (uint64_t)e->input_layers.count + e->output_layers.count;
    if (layers > DARWINN_LOWER_MAX_ITEMS) {
        return darwinn_lower_refuse(walk->model, RUN_008,
                                    "the %s executable has %" PRIu64 " layers", walk->role, layers);
    }
    walk->twin_count = (uint32_t)layers + 2;
    walk->twins = hoist_lower_array(walk->model->c, walk->twin_count, sizeof *walk->twins);
    if (!walk->twins) {
        return false;
    }
    for (uint32_t i = 0; i < e->input_layers.count; i++) {
        if (!make_layer(walk, &e->input_layers.items[i], true, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < e->output_layers.count; i++) {
        if (!make_layer(walk, &e->output_layers.items[i], false, i)) {
            return false;
        }
    }
    const uint64_t parameters = e->parameters.size;
    const uint64_t scratch = e->scratch_size_bytes > 0 ? (uint64_t)e->scratch_size_bytes : 0;
    darwinn_lower_twin *const last = &walk->twins[layers];
    last[0] = (darwinn_lower_twin){.reach = parameters, .stride = parameters, .count = 1};
    last[1] = (darwinn_lower_twin){.reach = scratch, .stride = scratch, .count = 1};
    return make_twin(walk, "parameters", &last[0], e->parameters) &&
           make_twin(walk, "scratch", &last[1], (hoist_bytes){NULL, 0});
}

// Chunks ----------------------------------------------------------------------------------------

// Relocations for the holes of a chunk whose buffer exists; others stay zero, as with the driver
// (reference section 3). A link that names no layer or element is a finding of the checks.
static void link_chunk(darwinn_lower_walk *walk, uint32_t chunk, const dwn_places *places)
{
    const dwn_chunk *const c = &walk->image->chunks[chunk];
    for (size_t i = 0; i < c->link_count; i++) {
        const dwn_link *const link = &c->links[i];
        const dwn_place *const place = dwn_place_of(places, link);
        const darwinn_lower_twin *const twin = place ? &walk->twins[place - places->items] : NULL;
        const int32_t element = link->desc == DWN_DESC_PARAMETER ? 0 : link->batch;
        if (!twin || twin->host == HOIST_NO_REF || element < 0 ||
            (uint32_t)element >= twin->count || !dwn_link_is_inside(link, c->stream.bytes.size)) {
            continue;
        }
        hoist_builder_relocation(
            walk->model->c->b,
            &(hoist_prog_relocation){.loc = walk->loc,
                                     .buffer = walk->chunk_buffers[chunk],
                                     .bit_offset = (uint64_t)link->offset_bit,
                                     // As the driver: what is not the low half is the high one.
                                     .kind = link->position == DWN_POSITION_LOW
                                                 ? HOIST_RELOCATION_LOW32
                                                 : HOIST_RELOCATION_HIGH32,
                                     .target = twin->host,
                                     .addend = (int64_t)((uint64_t)element * twin->stride)});
    }
}

// Bounded: each link is a relocation of the program.
static bool link_chunks(darwinn_lower_walk *walk)
{
    dwn_places places;
    size_t count = 0;
    if (!dwn_links_count(walk->image->chunks, walk->image->chunk_count, &count) ||
        count > DARWINN_LOWER_MAX_LINKS) {
        return darwinn_lower_refuse(walk->model, RUN_008,
                                    "the %s executable has more than %d links", walk->role,
                                    (int)DARWINN_LOWER_MAX_LINKS);
    }
    const hoist_status status = darwinn_lower_walk_places(walk, &places);
    for (uint32_t i = 0; status == HOIST_OK && i < walk->image->chunk_count; i++) {
        link_chunk(walk, i, &places);
    }
    dwn_places_deinit(&places);
    if (status != HOIST_OK) {
        hoist_lower_fail(walk->model->c, status);
    }
    return status == HOIST_OK;
}

// The driver's copies of the chunks, and one place of the chip that is as long as the longest.
static bool make_chunks(darwinn_lower_walk *walk)
{
    const darwinn_lower_chip *const chip = walk->model->chip;
    const uint32_t count = walk->image->chunk_count;
    size_t most = 0;
    if (count == 0) {
        return darwinn_lower_refuse(walk->model, RUN_037, "the %s executable has no instructions",
                                    walk->role);
    }
    walk->chunk_buffers = hoist_lower_array(chip->c, (size_t)count + 1, sizeof(hoist_ref));
    if (!walk->chunk_buffers) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const hoist_bytes bytes = walk->image->chunks[i].stream.bytes;
        char part[32];
        if (bytes.size == 0) {
            return darwinn_lower_refuse(walk->model, RUN_037,
                                        "chunk %" PRIu32 " of the %s executable is empty", i,
                                        walk->role);
        }
        (void)snprintf(part, sizeof part, "chunk%" PRIu32, i);
        walk->chunk_buffers[i] =
            darwinn_lower_walk_buffer(walk, part,
                                      (hoist_prog_buffer){.space = chip->host,
                                                          .size = bytes.size,
                                                          .contents = HOIST_CONTENTS_BYTES,
                                                          .bytes = bytes,
                                                          .lifetime = HOIST_LIFETIME_CONSTANT});
        most = bytes.size > most ? bytes.size : most;
        if (walk->chunk_buffers[i] == HOIST_NO_REF) {
            return false;
        }
    }
    walk->code = darwinn_lower_walk_buffer(walk, "code",
                                           (hoist_prog_buffer){.space = chip->memory,
                                                               .size = most,
                                                               .alignment = 1,
                                                               .contents = HOIST_CONTENTS_ZERO,
                                                               .lifetime = HOIST_LIFETIME_SESSION});
    return walk->code != HOIST_NO_REF;
}

bool darwinn_lower_walk_memory(darwinn_lower_walk *walk)
{
    return make_twins(walk) && make_chunks(walk) && link_chunks(walk);
}
