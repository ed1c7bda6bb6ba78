// Tree events that several documents of a NEFF share: info.c and its parts, visit.c, dump.c. Values
// that a file may lack or have in a wrong form are sent as null or unknown, never left out, so that
// the documents have one form.
#include "formats/neff/show.h"

#include <stdio.h>

#include "base/tree.h"

void neff_send_hex(hoist_tree_sink *sink, const char *key, hoist_bytes bytes)
{
    enum { MOST = 468 }; // the header's pad
    char text[2 * MOST + 1] = "";
    const size_t size = bytes.size < MOST ? bytes.size : MOST;
    for (size_t i = 0; i < size; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", bytes.data[i]);
    }
    hoist_tree_str(sink, key, (hoist_str){text, 2 * size});
}

// Fields of fixed size end in zeros that mean nothing.
hoist_bytes neff_trimmed(const uint8_t *bytes, size_t size)
{
    while (size && bytes[size - 1] == 0) {
        size--;
    }
    return (hoist_bytes){bytes, size};
}

// By the kind of the field; `manifest.c` has a form of its own, from which packing reads.
void neff_send_header_field(hoist_tree_sink *sink, const neff_header *header,
                            neff_header_field field)
{
    const neff_header_row *const row = &neff_header_rows[field];
    if (row->kind == NEFF_HEADER_U64 || row->kind == NEFF_HEADER_U32) {
        hoist_tree_uint(sink, row->name, neff_header_number(header, field),
                        // Bits are hexadecimal.
                        field == NEFF_H_FEATURE_BITS ? HOIST_UNIT_ADDRESS : HOIST_UNIT_NONE);
        return;
    }
    const uint8_t *const bytes = neff_header_bytes(header, field);
    if (row->kind == NEFF_HEADER_TEXT) {
        hoist_tree_str(sink, row->name, neff_header_text(bytes, row->size));
    } else if (row->kind == NEFF_HEADER_BYTES) {
        neff_send_hex(sink, row->name,
                      // Hash and uuid keep zeros at the end: they are digits.
                      field == NEFF_H_PAD ? neff_trimmed(bytes, row->size)
                                          : (hoist_bytes){bytes, row->size});
    } else {
        const hoist_bytes list = neff_trimmed(bytes, row->size);
        hoist_tree_short_list(sink, row->name);
        for (size_t i = 0; i < list.size; i++) {
            hoist_tree_uint(sink, "", list.data[i], HOIST_UNIT_NONE);
        }
        hoist_tree_end(sink);
    }
}

// On one line in text: the lists are short.
void neff_send_ints(hoist_tree_sink *sink, const char *key, neff_ints ints)
{
    hoist_tree_short_list(sink, key);
    for (uint32_t i = 0; i < ints.count; i++) {
        hoist_tree_int(sink, "", ints.items[i]);
    }
    hoist_tree_end(sink);
}

void neff_send_member(hoist_tree_sink *sink, const char *key, const neff_module *module,
                      uint32_t member)
{
    hoist_tree_maybe_str(sink, key,
                         member != NEFF_NONE ? module->members[member].name : (hoist_str){NULL, 0});
}

const char *neff_role_name(neff_role role)
{
    static const char *const names[NEFF_ROLE_COUNT] = {
        [NEFF_ROLE_UNKNOWN] = "unknown",   [NEFF_ROLE_GRAPH] = "graph",
        [NEFF_ROLE_KELF] = "kelf",         [NEFF_ROLE_DEF] = "definition",
        [NEFF_ROLE_ENGINE] = "engine",     [NEFF_ROLE_STREAM] = "instructions",
        [NEFF_ROLE_CONSTANT] = "constant", [NEFF_ROLE_TABLE] = "table",
        [NEFF_ROLE_LIBRARY] = "library",   [NEFF_ROLE_METADATA] = "metadata",
    };
    return names[role];
}
