// custom_options of an Edge TPU operator: a FlexBuffer map that holds packages (darwinn reference
// section 1.2). In: the bytes of the map; out: dwn_custom and the packages of keys 4 and 7
// (read_package.c). Packages that share their bytes are read once.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "codec/flexbuffer.h"
#include "formats/darwinn/read.h"

// Whether the bytes end as a FlexBuffer does whose root is a map, for instance in 26 01. A map's
// packed type is 9 << 2 | log2 of its width; the width of the root is one byte. It is a guess for
// the format's probe; dwn_read_custom() parses.
bool dwn_is_custom(hoist_bytes bytes)
{
    if (bytes.size < 3) {
        return false;
    }
    const uint8_t packed = bytes.data[bytes.size - 2];
    const uint8_t width = bytes.data[bytes.size - 1];
    return packed >> 2 == HOIST_FLEX_MAP && width >= 1 && width <= 8 && (width & (width - 1)) == 0;
}

// A member of the map that is a string; data NULL: there is none, or it is something else.
static hoist_str text_of(const hoist_flex_value *map, const char *key)
{
    hoist_flex_value value;
    if (hoist_flex_find(map, key, &value) != HOIST_OK || value.kind != HOIST_FLEX_STRING) {
        return (hoist_str){NULL, 0};
    }
    return hoist_flex_text(&value);
}

// A member of the map that is an integer; `fallback` where there is none, or it is something else.
static int64_t number_of(const hoist_flex_value *map, const char *key, int64_t fallback)
{
    hoist_flex_value value;
    int64_t number = 0;
    const bool found =
        hoist_flex_find(map, key, &value) == HOIST_OK && hoist_flex_i64(&value, &number);
    return found ? number : fallback;
}

// FlexBuffers point backwards: `at` is where the value itself is, not where the map refers to it.
static hoist_loc place_of(const dwn_reader *r, const hoist_flex_value *value)
{
    return hoist_loc_byte(r->module->base_offset + value->at);
}

// Key 6: a chip for each package. Absent or null is the older form with a single package. A wrong
// number of items is reported, and the items are kept for `hoist dump`.
static hoist_status read_chip_numbers(dwn_reader *r, const hoist_flex_value *map, uint64_t packages)
{
    dwn_custom *const custom = &r->module->custom;
    hoist_flex_value list;
    if (hoist_flex_find(map, "6", &list) != HOIST_OK || list.kind == HOIST_FLEX_NULL) {
        return HOIST_OK;
    }
    if (list.kind != HOIST_FLEX_VECTOR || list.count != packages) {
        dwn_report(r->diag, DWN_008, place_of(r, &list),
                   "key 6 has %" PRIu64 " items, and there are %" PRIu64 " packages",
                   list.kind == HOIST_FLEX_VECTOR ? list.count : 0, packages);
    }
    if (list.kind != HOIST_FLEX_VECTOR) {
        return HOIST_OK;
    }
    custom->chips = hoist_arena_array(r->arena, list.count, sizeof(*custom->chips));
    if (!custom->chips) {
        return HOIST_NO_MEMORY;
    }
    custom->chip_count = (uint32_t)list.count; // bounded by the bytes of the vector
    for (uint32_t i = 0; i < custom->chip_count; i++) {
        hoist_flex_value item;
        if (hoist_flex_at(&list, i, &item) != HOIST_OK ||
            !hoist_flex_i64(&item, &custom->chips[i])) {
            dwn_report(r->diag, DWN_008, place_of(r, &list),
                       "item %" PRIu32 " of key 6 is no integer", i);
        }
    }
    return HOIST_OK;
}

// Reads package `index` from a string of the map, so that findings have "packages[index]" in their
// path. The string is binary; its terminating NUL is not part of it.
static hoist_status read_at(dwn_reader *r, hoist_str text, uint32_t index)
{
    hoist_frame frame;
    hoist_diag_push_item(r->diag, &frame, "packages", index);
    const hoist_status status =
        dwn_read_package(r, dwn_text_bytes(text), 0, &r->module->packages[index]);
    hoist_diag_pop(r->diag, &frame);
    return status;
}

// The packages of key 4 and, where it is a vector, of key 7.
static hoist_status read_packages(dwn_reader *r, const hoist_flex_value *map, hoist_str first)
{
    dwn_module *const m = r->module;
    hoist_flex_value more;
    const bool has_more =
        hoist_flex_find(map, "7", &more) == HOIST_OK && more.kind == HOIST_FLEX_VECTOR;
    const uint64_t count = 1 + (has_more ? more.count : 0); // key 4 is the first
    HOIST_TRY(read_chip_numbers(r, map, count));
    m->packages = hoist_arena_array(r->arena, count, sizeof(*m->packages));
    if (!m->packages) {
        return HOIST_NO_MEMORY;
    }
    m->package_count = (uint32_t)count;
    if (count > 1) {
        dwn_report(r->diag, DWN_009, place_of(r, &more), "there are %" PRIu64 " packages", count);
    }
    HOIST_TRY(read_at(r, first, 0));
    // The packages of key 7. `left` is what the packages before leave of the file: they are
    // disjoint, so strings that need more share bytes.
    size_t left = r->module->bytes.size - first.size;
    for (uint32_t i = 1; i < r->module->package_count; i++) {
        hoist_flex_value item;
        const bool is_text =
            hoist_flex_at(&more, i - 1, &item) == HOIST_OK && item.kind == HOIST_FLEX_STRING;
        if (!is_text || item.count > left) {
            dwn_report(r->diag, DWN_006, place_of(r, &more),
                       is_text ? "item %" PRIu32 " of key 7 shares its bytes with others"
                               : "item %" PRIu32 " of key 7 is no string",
                       i - 1);
            continue; // the others are still read
        }
        left -= (size_t)item.count;
        HOIST_TRY(read_at(r, hoist_flex_text(&item), i));
    }
    return HOIST_OK;
}

// Fails only where nothing could be loaded: no map, or no key 4. All else is reported as findings,
// and what can be read is read.
hoist_status dwn_read_custom(dwn_reader *r)
{
    dwn_module *const m = r->module;
    hoist_flex flex = {.bytes = m->bytes, .base_offset = m->base_offset, .diag = r->diag};
    const hoist_loc begin = hoist_loc_byte(m->base_offset);
    hoist_flex_value map;
    if (hoist_flex_root(&flex, &map) != HOIST_OK || map.kind != HOIST_FLEX_MAP) {
        return dwn_fail(r->diag, HOIST_INVALID, DWN_005, begin,
                        "custom_options of %zu bytes are no FlexBuffer map", m->bytes.size);
    }
    m->custom = (dwn_custom){.version = number_of(&map, "1", 0),
                             .chip_name = text_of(&map, "2"),
                             .legacy = text_of(&map, "3"),
                             .preference = number_of(&map, "5", -1)};
    if (m->custom.legacy.data) {
        dwn_report(r->diag, DWN_007, dwn_place_in_file(m, m->custom.legacy.data),
                   "key 3 holds %zu bytes, which the runtime ignores", m->custom.legacy.size);
    }
    const hoist_str first = text_of(&map, "4");
    if (!first.data) {
        return dwn_fail(r->diag, HOIST_INVALID, DWN_006, begin, "the map has no string with key 4");
    }
    return read_packages(r, &map, first);
}
