// The buffers of an executable, found by kind and name. Hints and links look their buffer up here;
// a search through the layers for each would be quadratic, and a small file can have very many of
// both by sharing their tables.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/check.h"
#include "formats/darwinn/hints.h"

// Shared strings are counted once for each use: that is the work they cause.
static uint64_t layer_names(const dwn_layer *layers, uint32_t count)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += layers[i].name.size;
    }
    return bytes;
}

// Bytes of all names of layers and hints, which may share them.
static uint64_t count_names(const dwn_executable *e)
{
    uint64_t bytes = layer_names(e->input_layers.items, e->input_layers.count) +
                     layer_names(e->output_layers.items, e->output_layers.count);
    for (uint32_t i = 0; e->dma_hints && i < e->dma_hints->hints.count; i++) {
        const hoist_fb_union *const hint = &e->dma_hints->hints.items[i].any_hint;
        const dwn_dma_hint *const dma = hint->type == DWN_HINT_DMA ? hint->value : NULL;
        bytes += dma && dma->meta ? dma->meta->name.size : 0;
    }
    return bytes;
}

// The limit comes before the map is built.
hoist_status dwn_check_enter(dwn_check *c)
{
    size_t links = 0;
    const uint64_t names = count_names(c->image->rows);
    if (names > DWN_MAX_NAMES ||
        !dwn_links_count(c->image->chunks, c->image->chunk_count, &links)) {
        return hoist_fail(c->diag, HOIST_LIMIT, c->options->limit_rule,
                          dwn_place_in_file(c->module, c->image->bytes.data),
                          "names of layers, hints and field offsets have more than %d bytes, or "
                          "there are more than %d field offsets",
                          DWN_MAX_NAMES, DWN_MAX_LINKS);
    }
    size_t count = 0;
    const dwn_place *const items = dwn_places_of(c->image->rows, &c->arena, &count);
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = dwn_places_init(&c->places, items, count, c->arena.alloc);
    if (status != HOIST_OK) {
        dwn_check_leave(c);
    }
    return status;
}

void dwn_check_leave(dwn_check *c)
{
    dwn_places_deinit(&c->places);
    c->places = (dwn_places){0};
}

int32_t dwn_check_batch(const dwn_check *c)
{
    const int32_t batch = c->image->rows->batch_size;
    return batch > 0 ? batch : 1;
}

// A hint or link of that kind and name.
uint32_t dwn_check_find(const dwn_check *c, int16_t desc, hoist_str name)
{
    const dwn_link link = {.desc = desc, .name = name, .has_meta = true};
    const dwn_place *const place = dwn_place_of(&c->places, &link);
    return place ? (uint32_t)(place - c->places.items) : DWN_NONE;
}

// Parameters and scratch are no layers.
const dwn_layer *dwn_check_layer(const dwn_check *c, uint32_t place)
{
    const dwn_executable *const e = c->image->rows;
    if (place == DWN_NONE || place < DWN_PLACE_LAYERS) {
        return NULL;
    }
    const uint32_t index = place - DWN_PLACE_LAYERS;
    return index < e->input_layers.count ? &e->input_layers.items[index]
                                         : &e->output_layers.items[index - e->input_layers.count];
}

// Padded sizes, which transfers may fill.
int64_t dwn_check_size(const dwn_check *c, uint32_t place)
{
    const dwn_layer *const layer = dwn_check_layer(c, place);
    if (layer) {
        return dwn_layer_padded(layer);
    }
    switch (place) {
    case DWN_PLACE_PARAMETERS:
        return (int64_t)c->image->rows->parameters.size;
    case DWN_PLACE_SCRATCH:
        return c->image->rows->scratch_size_bytes;
    default:
        return -1;
    }
}
