// Links: which buffer a field offset is for, and filling its 32 bits with half of an address
// (darwinn reference section 3). In: chunks, and the buffers with their addresses; out: the changed
// bytes. link_check.c checks links, link_module.c links all executables of a file.
#include "formats/darwinn/link.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/order.h"
#include "base/span.h"

// Compared by subtraction from the size: offset_bit + 32 may overflow an int32.
bool dwn_link_is_inside(const dwn_link *link, size_t size)
{
    const uint64_t bits = 8 * (uint64_t)size;
    return link->offset_bit >= 0 && bits >= DWN_LINK_BITS &&
           (uint64_t)link->offset_bit <= bits - DWN_LINK_BITS;
}

// The limits are far above files of compilers; shared names count each time.
bool dwn_links_count(const dwn_chunk *chunks, size_t count, size_t *out_links)
{
    uint64_t names = 0;
    *out_links = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < chunks[i].link_count; k++) {
            names += chunks[i].links[k].name.size;
            if (++*out_links > DWN_MAX_LINKS || names > DWN_MAX_NAMES) {
                return false;
            }
        }
    }
    return true;
}

// An order for sorting: links with meta first, then by kind, and of layers by element and name.
int dwn_link_compare(const dwn_link *a, const dwn_link *b)
{
    int order = (int)b->has_meta - (int)a->has_meta;
    order = order ? order : hoist_order_i64(a->desc, b->desc);
    if (order != 0 || !dwn_desc_is_layer(a->desc)) {
        return order;
    }
    order = hoist_order_i64(a->batch, b->batch);
    return order ? order : hoist_str_compare(a->name, b->name);
}

// The key of a map by kind: parameters and scratch have one place each, whatever name is stored.
static hoist_str key_of(int16_t desc, hoist_str name)
{
    return dwn_desc_is_layer(desc) && name.size > 0 ? name : HOIST_STR("");
}

// HOIST_BUSY: an earlier place has the name, and keeps it.
hoist_status dwn_places_init(dwn_places *places, const dwn_place *items, size_t count,
                             hoist_allocator alloc)
{
    *places = (dwn_places){.items = items, .count = count};
    for (size_t i = 0; i < DWN_DESC_COUNT; i++) {
        hoist_map_init(&places->by_name[i], alloc);
    }
    for (size_t i = 0; i < count; i++) {
        const int16_t desc = items[i].desc;
        HOIST_ASSERT(desc >= 0 && desc < DWN_DESC_COUNT);
        const hoist_status status =
            hoist_map_add(&places->by_name[desc], key_of(desc, items[i].name), i, NULL);
        if (status != HOIST_OK && status != HOIST_BUSY) {
            return status;
        }
    }
    return HOIST_OK;
}

void dwn_places_deinit(dwn_places *places)
{
    for (size_t i = 0; i < DWN_DESC_COUNT; i++) {
        hoist_map_deinit(&places->by_name[i]);
    }
}

// A kind that is out of range has no place, which link_check.c reports.
const dwn_place *dwn_place_of(const dwn_places *places, const dwn_link *link)
{
    size_t index = 0;
    if (!link->has_meta || link->desc < 0 || link->desc >= DWN_DESC_COUNT ||
        !hoist_map_find(&places->by_name[link->desc], key_of(link->desc, link->name), &index)) {
        return NULL;
    }
    return &places->items[index];
}

// In the order of the file: where holes overlap the last one wins, as in the driver.
hoist_status dwn_link_apply(hoist_mut_bytes bytes, const dwn_link *links, size_t count,
                            const dwn_places *places)
{
    for (size_t i = 0; i < count; i++) {
        const dwn_link *link = &links[i];
        const dwn_place *place = dwn_place_of(places, link);
        if (!dwn_link_is_inside(link, bytes.size)) {
            return HOIST_INVALID;
        }
        if (!place || !place->addresses) {
            continue;
        }
        // The element whose address is meant: parameters are not asked for one.
        const int64_t element = link->desc == DWN_DESC_PARAMETER ? 0 : link->batch;
        if (element < 0 || element >= place->count) {
            return HOIST_INVALID;
        }
        // As the driver: what is not the low half is the high one.
        const uint64_t address = place->addresses[element];
        HOIST_ASSERT(place->desc == link->desc);
        const bool is_low = link->position == DWN_POSITION_LOW;
        dwn_bits_store(bytes, (uint64_t)link->offset_bit, DWN_LINK_BITS,
                       (uint32_t)(is_low ? address : address >> 32));
    }
    return HOIST_OK;
}

// What the compiler left: zeros.
hoist_status dwn_link_undo(hoist_mut_bytes bytes, const dwn_link *links, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!dwn_link_is_inside(&links[i], bytes.size)) {
            return HOIST_INVALID;
        }
        dwn_bits_store(bytes, (uint64_t)links[i].offset_bit, DWN_LINK_BITS, 0);
    }
    return HOIST_OK;
}

// Words ------------------------------------------------------------------------------------------

// Of link_faults.inc: "#" in a sentence stands for the number found.
static const struct {
    const char *name;
    const char *text;
} fault_rows[DWN_LINK_CODES] = {
#define DWN_LINK_FAULT(code, rule, ...) {__VA_ARGS__},
#include "formats/darwinn/link_faults.inc"
};

const char *dwn_link_fault_name(dwn_link_code code)
{
    HOIST_ASSERT(code < DWN_LINK_CODES);
    return fault_rows[code].name;
}

void dwn_link_fault_text(const dwn_link_fault *fault, char *buffer, size_t size)
{
    HOIST_ASSERT(size > 0 && fault->code < DWN_LINK_CODES);
    const hoist_str text = hoist_str_from(fault_rows[fault->code].text);
    size_t at = 0;
    while (at < text.size && text.data[at] != '#') {
        at++;
    }
    if (at == text.size) {
        (void)snprintf(buffer, size, "%s", text.data);
    } else {
        (void)snprintf(buffer, size, "%.*s%" PRId64 "%s", (int)at, text.data, fault->found,
                       text.data + at + 1);
    }
}

const char *dwn_desc_name(int64_t desc)
{
    static const char *const names[DWN_DESC_COUNT] = {
        [DWN_DESC_OUTPUT] = "output",
        [DWN_DESC_INPUT] = "input",
        [DWN_DESC_PARAMETER] = "parameter",
        [DWN_DESC_SCRATCH] = "scratch",
    };
    return desc >= 0 && desc < DWN_DESC_COUNT ? names[desc] : NULL;
}

const char *dwn_position_name(int64_t position)
{
    return position == DWN_POSITION_LOW ? "low" : position == DWN_POSITION_HIGH ? "high" : NULL;
}
