// The buffers of a run: where they are, and what is in those that are sent.
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/relayout.h"
#include "formats/darwinn/usb_stream.h"

// Behind what was allocated before, at a page of its own.
static uint64_t allocate(dwn_usb *u, uint64_t size)
{
    const uint64_t address = u->next;
    u->next += (size / DWN_MEMORY_PAGE + 1) * DWN_MEMORY_PAGE; // no buffer ends at the next one
    return address;
}

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
static hoist_status fill_input(dwn_usb *u, dwn_usb_buffer *buffer, hoist_bytes given)
{
    const uint64_t actual = (uint64_t)dwn_layer_actual(buffer->layer) * buffer->count;
    const uint64_t padded = buffer->size * buffer->count;
    if (given.data && given.size != actual) {
        return dwn_usb_refuse(u, dwn_usb_layer(u, buffer->layer), HOIST_NOT_FOUND,
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
    const hoist_bytes user = given.data ? given : (hoist_bytes){zeros, (size_t)actual};
    const hoist_status status = dwn_to_chip(buffer->layer, user, u->arena, chip);
    return status == HOIST_INVALID
               ? dwn_usb_refuse(u, dwn_usb_layer(u, buffer->layer), HOIST_INVALID,
                                "input '%.*s' has a size or layout that cannot be filled",
                                HOIST_STR_ARGS(buffer->layer->name))
               : status;
}

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

static hoist_status make_layer(dwn_usb *u, const dwn_layer *layer, int16_t desc, size_t index)
{
    const int64_t size = dwn_layer_padded(layer);
    const uint32_t batch = (uint32_t)u->image->rows->batch_size;
    dwn_usb_buffer *const buffer = &u->buffers[index];
    dwn_place *const place = &u->items[index];
    *place = (dwn_place){
        .name = layer->name.data ? layer->name : HOIST_STR(""), .desc = desc, .count = batch};
    *buffer = (dwn_usb_buffer){.layer = layer, .size = (uint64_t)size, .count = batch};
    if (size < 0 || dwn_layer_actual(layer) < 0) {
        return dwn_usb_refuse(u, dwn_usb_layer(u, layer), HOIST_INVALID, "layer '%.*s' has no size",
                              HOIST_STR_ARGS(place->name));
    }
    if ((uint64_t)size > DWN_MAX_STREAM || batch > DWN_MAX_STREAM / (sizeof(uint64_t) * 8)) {
        return HOIST_LIMIT;
    }
    HOIST_TRY(give_addresses(u, place, buffer));
    place->addresses = buffer->addresses;
    return desc == DWN_DESC_INPUT ? find_input(u, place, buffer) : HOIST_OK;
}

static hoist_status make_plain(dwn_usb *u, int16_t desc, hoist_bytes bytes, size_t index)
{
    dwn_usb_buffer *const buffer = &u->buffers[index];
    dwn_place *const place = &u->items[index];
    *place = (dwn_place){.name = HOIST_STR(""), .desc = desc, .count = 1};
    *buffer = (dwn_usb_buffer){.size = bytes.size, .count = 1, .bytes = bytes};
    HOIST_TRY(give_addresses(u, place, buffer));
    place->addresses = buffer->addresses;
    return HOIST_OK;
}

static hoist_status make_all(dwn_usb *u)
{
    const dwn_executable *const e = u->image->rows;
    const int32_t scratch = e->scratch_size_bytes;
    if (e->batch_size < 1) {
        return dwn_usb_refuse(
            u, DWN_FIELD_PLACE(u->module, u->image->bytes, executable, e, batch_size),
            HOIST_INVALID, "batch_size is %" PRId32, e->batch_size);
    }
    HOIST_TRY(make_plain(u, DWN_DESC_PARAMETER, e->parameters, 0));
    HOIST_TRY(
        make_plain(u, DWN_DESC_SCRATCH, (hoist_bytes){NULL, scratch > 0 ? (size_t)scratch : 0}, 1));
    size_t next = 2;
    for (uint32_t i = 0; i < e->input_layers.count; i++) {
        HOIST_TRY(make_layer(u, &e->input_layers.items[i], DWN_DESC_INPUT, next++));
    }
    for (uint32_t i = 0; i < e->output_layers.count; i++) {
        HOIST_TRY(make_layer(u, &e->output_layers.items[i], DWN_DESC_OUTPUT, next++));
    }
    return HOIST_OK;
}

hoist_status dwn_usb_enter(dwn_usb *u)
{
    const dwn_executable *const e = u->image->rows;
    const size_t count = (size_t)2 + e->input_layers.count + e->output_layers.count;
    u->items = hoist_arena_array(u->arena, count, sizeof(u->items[0]));
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
