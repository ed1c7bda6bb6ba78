// Reads options structs of callers that were built against older or newer headers, by their
// struct_size.
#include "base/options.h"

#include <string.h>

hoist_status hoist_options_read(const void *options, void *out_options, size_t own_size)
{
    memset(out_options, 0, own_size);
    memcpy(out_options, &own_size, sizeof(own_size));
    if (!options) {
        return HOIST_OK;
    }
    size_t size = 0;
    memcpy(&size, options, sizeof(size));
    if (size < sizeof(size) || size > HOIST_OPTIONS_MAX) {
        return HOIST_INVALID;
    }
    for (size_t i = own_size; i < size; i++) {
        if (((const uint8_t *)options)[i]) {
            return HOIST_UNSUPPORTED;
        }
    }
    const size_t common = size < own_size ? size : own_size;
    memcpy((uint8_t *)out_options + sizeof(size), (const uint8_t *)options + sizeof(size),
           common - sizeof(size));
    return HOIST_OK;
}
