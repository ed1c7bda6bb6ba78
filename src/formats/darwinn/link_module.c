// Linking all executables of a module (`hoist link`): addresses that the user gives by the names of
// buffers go into a copy of the file's bytes. link.c fills the holes of one chunk.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/rules.h"

typedef struct linker {
    const dwn_module *module;
    const hoist_link_options *options;
    hoist_diag *diag;
    hoist_mut_bytes bytes; // copy of the module's
    hoist_arena arena;     // scratch
    bool *used;            // by the index of an address: there is such a buffer
    hoist_link_result *result;
} linker;

// "parameters", "scratch", "input:NAME", "output:NAME", or NAME alone, which may be of either side.
bool dwn_link_means(const char *buffer, int16_t desc, hoist_str name)
{
    const hoist_str text = hoist_str_from(buffer);
    const char *const prefix = desc == DWN_DESC_INPUT ? "input:" : "output:";
    switch (desc) {
    case DWN_DESC_PARAMETER:
        return hoist_str_equal_c(text, "parameters");
    case DWN_DESC_SCRATCH:
        return hoist_str_equal_c(text, "scratch");
    default:
        return hoist_str_equal(text, name) ||
               (hoist_str_starts_with(text, prefix) &&
                hoist_str_equal(hoist_str_slice(text, hoist_str_from(prefix).size, text.size),
                                name));
    }
}

// Binds a place to the addresses that name it: all elements of its batch have one, or none has.
static hoist_status bind(linker *l, dwn_place *place)
{
    uint64_t *const addresses = hoist_arena_array(&l->arena, place->count, sizeof(*addresses));
    bool *const given = hoist_arena_array(&l->arena, place->count, sizeof(*given));
    uint32_t found = 0;
    if (!addresses || !given) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < l->options->address_count; i++) {
        const hoist_link_address *const a = &l->options->addresses[i];
        if (dwn_link_means(a->buffer, place->desc, place->name) && a->batch < place->count) {
            l->used[i] = true;
            found += !given[a->batch];
            given[a->batch] = true;
            addresses[a->batch] = a->address;
        }
    }
    if (found && found < place->count) {
        return dwn_fail(l->diag, HOIST_NOT_FOUND, DWN_085, hoist_loc_none(),
                        "%" PRIu32 " of %" PRIu32 " elements of %s '%.*s' have an address", found,
                        place->count, dwn_desc_name(place->desc), HOIST_STR_ARGS(place->name));
    }
    place->addresses = found ? addresses : NULL;
    return HOIST_OK;
}

// Fills or empties the holes of one chunk in the copy, and counts those without an address.
static hoist_status link_chunk(linker *l, const dwn_chunk *chunk, const dwn_places *places)
{
    const hoist_bytes stored = chunk->stream.bytes;
    if (!chunk->link_count) {
        return HOIST_OK;
    }
    const hoist_mut_bytes bytes = {l->bytes.data + (stored.data - l->module->bytes.data),
                                   stored.size};
    const hoist_status status =
        l->options->undo ? dwn_link_undo(bytes, chunk->links, chunk->link_count)
                         : dwn_link_apply(bytes, chunk->links, chunk->link_count, places);
    if (status == HOIST_INVALID) {
        return dwn_fail(l->diag, status, DWN_039, dwn_place_in_file(l->module, stored.data),
                        "a field offset is outside its chunk, or its batch beyond the layer's");
    }
    for (size_t i = 0; i < chunk->link_count; i++) {
        const dwn_place *const place = dwn_place_of(places, &chunk->links[i]);
        const bool filled = l->options->undo || (place && place->addresses);
        l->result->filled += filled;
        l->result->skipped += !filled;
    }
    return status;
}

// Places are made for each executable, as names of layers are its own.
static hoist_status link_image(linker *l, const dwn_image *image)
{
    size_t count = 0;
    dwn_place *const items = dwn_places_of(image->rows, &l->arena, &count);
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(bind(l, &items[i]));
    }
    dwn_places places;
    hoist_status status = dwn_places_init(&places, items, count, l->arena.alloc);
    for (uint32_t i = 0; i < image->chunk_count && status == HOIST_OK; i++) {
        status = link_chunk(l, &image->chunks[i], &places);
    }
    dwn_places_deinit(&places);
    return status;
}

// Broken executables are passed over; the check reports them.
static hoist_status link_contents(linker *l, const dwn_contents *contents)
{
    for (uint32_t i = 0; i < contents->image_count; i++) {
        HOIST_TRY(contents->images[i].rows ? link_image(l, &contents->images[i]) : HOIST_OK);
    }
    for (uint32_t i = 0; i < contents->chip_count; i++) {
        const dwn_contents *const chip = &contents->chips[i];
        for (uint32_t k = 0; k < chip->image_count; k++) {
            HOIST_TRY(chip->images[k].rows ? link_image(l, &chip->images[k]) : HOIST_OK);
        }
    }
    return HOIST_OK;
}

// A name without a buffer is a typing error of the user, which must not be ignored.
hoist_status dwn_link_check_used(const hoist_link_address *addresses, const bool *used,
                                 size_t count, hoist_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        if (!used[i]) {
            return dwn_fail(diag, HOIST_NOT_FOUND, DWN_085, hoist_loc_none(),
                            "there is no buffer '%s' with an element %" PRIu32, addresses[i].buffer,
                            addresses[i].batch);
        }
    }
    return HOIST_OK;
}

hoist_status dwn_link_module(const hoist_module *module, const hoist_link_options *options,
                             hoist_diag *diag, hoist_mut_bytes bytes, hoist_link_result *result)
{
    linker l = {.module = dwn_of(module),
                .options = options,
                .diag = diag,
                .bytes = bytes,
                .result = result};
    hoist_arena_init(&l.arena, module->alloc);
    l.used = hoist_arena_array(&l.arena, options->address_count, sizeof(*l.used));
    hoist_status status = l.used ? HOIST_OK : HOIST_NO_MEMORY;
    for (uint32_t i = 0; i < l.module->package_count && status == HOIST_OK; i++) {
        status = link_contents(&l, &l.module->packages[i]);
    }
    if (status == HOIST_OK) {
        status = dwn_link_check_used(options->addresses, l.used, options->address_count, diag);
    }
    hoist_arena_deinit(&l.arena);
    return status;
}
