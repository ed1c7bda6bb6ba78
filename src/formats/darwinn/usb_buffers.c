// The buffers of a run for USB: their addresses, and the bytes of those that are sent. Inputs of
// the user go through relayout.h into the order of the chip; inputs that are not given are zeros.
// usb_stream.c sends them.
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/relayout.h"
#include "formats/darwinn/usb_stream.h"

// Behind what was allocated before, at a page of its own.
static uint64_t allocate(dwn_usb *u, uint64_t size)
{
    const uint64_t address = u->next;
    u->next += (size / DWN_MEMORY_PAGE + 1) * DWN_MEMORY_PAGE; // no buffer ends at the next one
    return address;
}

// Addresses of all elements: of the user where given, else allocated behind each other. An address
// that is given may be for any element of the batch.
static hoist_status give_addresses(dwn_usb *u, const dwn_place *place, dwn_usb_buffer *buffer)
{
    buffer->addresses = hoist_arena_array(u->arena, buffer->count, sizeof(uint64_t));
    if (!buffer->addresses) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < buffer->count; i++) {
        buffer->addresses[i] = allocate(u, buffer->size);
    }
    for (size_t i = 0; i < u->options->address_count; i++) {
        const hoist_link_address *const a = &u->options->addresses[i];
        if (dwn_link_means(a->buffer, place->desc, place->name) && a->batch < buffer->count) {
            u->is_used[i] = true;
            buffer->addresses[a->batch] = a->address;
        }
    }
    return HOIST_OK;
}

// The bytes of an input as the chip takes them, from those of the user, zeros where there are none.
// Sizes come from the file, so they are compared with DWN_MAX_STREAM before memory is asked for.
static hoist_status fill_input(dwn_usb *u, dwn_usb_buffer *buffer, hoist_bytes given)
{
    const uint64_t actual = (uint64_t)dwn_layer_actual(buffer->layer) * buffer->count;
    const uint64_t padded = buffer->size * buffer->count;
    if (given.data && given.size != actual) {
        return dwn_fail(u->diag, HOIST_NOT_FOUND, DWN_086, dwn_usb_layer(u, buffer->layer),
                        "input '%.*s' takes %" PRIu64 " bytes, and is given %zu",
                        HOIST_STR_ARGS(buffer->layer->name), actual, given.size);
    }
    if (actual > DWN_MAX_STREAM || padded > DWN_MAX_STREAM) {
        return HOIST_LIMIT;
    }
    const hoist_mut_bytes chip = {hoist_arena_alloc(u->arena, (size_t)padded), (size_t)padded};
    uint8_t *const zeros = given.data ? NULL : hoist_arena_alloc(u->arena, (size_t)actual);
    if (!chip.data || (!given.data && !zeros)) {
        return HOIST_NO_MEMORY;
    }
    buffer->bytes = (hoist_bytes){chip.data, chip.size};
    // Zeros take the same way as given bytes, so that those of signed types are flipped.
    const hoist_bytes user = given.data ? given : (hoist_bytes){zeros, (size_t)actual};
    const hoist_status status = dwn_to_chip(buffer->layer, user, u->arena, chip);
    return status == HOIST_INVALID
               ? dwn_fail(u->diag, HOIST_INVALID, DWN_086, dwn_usb_layer(u, buffer->layer),
                          "input '%.*s' has a size or layout that cannot be filled",
                          HOIST_STR_ARGS(buffer->layer->name))
               : status;
}

// Looks for the input that the user gave; the last one of a name counts.
static hoist_status find_input(dwn_usb *u, const dwn_place *place, dwn_usb_buffer *buffer)
{
    hoist_bytes given = {NULL, 0};
    for (size_t i = 0; i < u->options->input_count; i++) {
        const hoist_stream_input *const input = &u->options->inputs[i];
        if (dwn_link_means(input->layer, place->desc, place->name)) {
            u->is_used[u->options->address_count + i] = true;
            given = input->bytes;
        }
    }
    return fill_input(u, buffer, given);
}

// The buffer of one layer for the whole batch. `items` and `buffers` have the same indices.
static hoist_status make_layer(dwn_usb *u, const dwn_layer *layer, size_t index)
{
    const int64_t size = dwn_layer_padded(layer);
    dwn_usb_buffer *const buffer = &u->buffers[index];
    dwn_place *const place = &u->items[index];
    const uint32_t batch = place->count;
    *buffer = (dwn_usb_buffer){.layer = layer, .size = (uint64_t)size, .count = batch};
    if (size < 0 || dwn_layer_actual(layer) < 0) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086, dwn_usb_layer(u, layer),
                        "layer '%.*s' has no size", HOIST_STR_ARGS(place->name));
    }
    // The second limit is that of the addresses, 8 bytes an element.
    if ((uint64_t)size > DWN_MAX_STREAM || batch > DWN_MAX_STREAM / (sizeof(uint64_t) * 8)) {
        return HOIST_LIMIT;
    }
    HOIST_TRY(give_addresses(u, place, buffer));
    place->addresses = buffer->addresses;
    return place->desc == DWN_DESC_INPUT ? find_input(u, place, buffer) : HOIST_OK;
}

// Parameters and scratch: one element, whatever the batch is.
static hoist_status make_plain(dwn_usb *u, hoist_bytes bytes, size_t index)
{
    dwn_usb_buffer *const buffer = &u->buffers[index];
    dwn_place *const place = &u->items[index];
    *buffer = (dwn_usb_buffer){.size = bytes.size, .count = 1, .bytes = bytes};
    HOIST_TRY(give_addresses(u, place, buffer));
    place->addresses = buffer->addresses;
    return HOIST_OK;
}

// In the order of dwn_places_of(): parameters, scratch, inputs, outputs.
static hoist_status make_all(dwn_usb *u)
{
    const dwn_executable *const e = u->image->rows;
    const int32_t scratch = e->scratch_size_bytes;
    if (e->batch_size < 1) {
        return dwn_fail(u->diag, HOIST_INVALID, DWN_086,
                        DWN_FIELD_PLACE(u->module, u->image->bytes, executable, e, batch_size),
                        "batch_size is %" PRId32, e->batch_size);
    }
    HOIST_TRY(make_plain(u, e->parameters, DWN_PLACE_PARAMETERS));
    // The chip spills to scratch, so that nothing of it is there at first.
    HOIST_TRY(
        make_plain(u, (hoist_bytes){NULL, scratch > 0 ? (size_t)scratch : 0}, DWN_PLACE_SCRATCH));
    size_t next = DWN_PLACE_LAYERS;
    for (uint32_t i = 0; i < e->input_layers.count; i++) {
        HOIST_TRY(make_layer(u, &e->input_layers.items[i], next++));
    }
    for (uint32_t i = 0; i < e->output_layers.count; i++) {
        HOIST_TRY(make_layer(u, &e->output_layers.items[i], next++));
    }
    return HOIST_OK;
}

// After a failure the places hold nothing; buffers are the arena's.
hoist_status dwn_usb_enter(dwn_usb *u)
{
    size_t count = 0;
    u->items = dwn_places_of(u->image->rows, u->arena, &count);
    u->buffers = hoist_arena_array(u->arena, count, sizeof(u->buffers[0]));
    if (!u->items || !u->buffers) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(make_all(u));
    const hoist_status status = dwn_places_init(&u->places, u->items, count, u->arena->alloc);
    if (status != HOIST_OK) {
        dwn_places_deinit(&u->places);
    }
    return status;
}
