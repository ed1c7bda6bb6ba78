// formats/darwinn/module.h - the typed model of a DarwiNN package (darwinn reference sections 1 and
// 2): the custom_options of an Edge TPU operator, or a bare package.
//
// The bytes of the file stay alive as long as the module (hoist_read_options.keep): vectors and
// texts are slices of them. Buffers are nested in each other and are all slices of the file, so a
// place in any of them is a place in the file.
#ifndef HOIST_SRC_FORMATS_DARWINN_MODULE_H
#define HOIST_SRC_FORMATS_DARWINN_MODULE_H

#include "base/arena.h"
#include "formats/darwinn/scalar_hints.h"
#include "formats/darwinn/schema.h"
#include "formats/format.h"

#define DWN_NONE UINT32_MAX

enum { DWN_PAGE = 4096 }; // bytes; alignment of all large parts, from the start of the package

// An executable of a package.
// Reading keeps going where parts are broken: a NULL of `rows` is a part that was reported, and all
// other code passes over it.
typedef struct dwn_image {
    dwn_executable *rows; // arena; NULL: the buffer cannot be read
    hoist_bytes bytes;    // its buffer
    dwn_chunk *chunks;    // arena; one per instruction bitstream
    uint32_t chunk_count;
    uint16_t next_id; // of tiles' instructions, after the last chunk
} dwn_image;

// A package, and what is nested in it.
typedef struct dwn_contents {
    dwn_package *rows;           // arena; NULL: the buffer cannot be read
    hoist_bytes bytes;           // its buffer
    dwn_multi_executable *multi; // arena; NULL: there is none, or it cannot be read
    dwn_image *images;           // arena; in the order of `multi`
    uint32_t image_count;
    struct dwn_contents *chips; // arena; the packages of a bundle
    uint32_t chip_count;
} dwn_contents;

// The map that custom_options hold (1.2).
typedef struct dwn_custom {
    int64_t version;     // "1"
    hoist_str chip_name; // "2", deprecated; data NULL: absent
    hoist_str legacy;    // "3": an executable, ignored; data NULL: absent
    int64_t preference;  // "5"; -1 when absent
    int64_t *chips;      // "6"; arena; NULL: absent
    uint32_t chip_count;
} dwn_custom;

typedef struct dwn_module {
    hoist_module base; // allocator and deadline; first, so that pointers convert
    hoist_arena arena;
    hoist_bytes bytes;            // all; borrowed
    uint64_t base_offset;         // of them in the file
    const hoist_payload *payload; // that the bytes are; borrowed; NULL: a file of their own
    bool is_custom;               // custom_options; else a bare package
    dwn_custom custom;
    dwn_contents *packages; // arena; one, or those of keys "4" and "7"
    uint32_t package_count;
} dwn_module;

static inline const dwn_module *dwn_of(const hoist_module *module)
{
    return (const dwn_module *)module;
}

// The bytes of a text: the schema stores executables as strings.
static inline hoist_bytes dwn_text_bytes(hoist_str text)
{
    return (hoist_bytes){(const uint8_t *)text.data, text.size};
}

// The byte of the file where a slice of it begins.
static inline hoist_loc dwn_place_in_file(const dwn_module *module, const void *slice)
{
    const size_t at = (size_t)((const uint8_t *)slice - module->bytes.data);
    return (hoist_loc){.kind = HOIST_LOC_BYTE, .offset = module->base_offset + at};
}
// The byte of the file where a member of the C struct `object` of `type` is stored, else where its
// table is. `buffer` is the one that holds it. read_package.c
hoist_loc dwn_field_place(const dwn_module *module, hoist_bytes buffer, const hoist_fb_type *type,
                          const void *object, size_t member);
// The same of a dwn_package for `what` package, and so on.
#define DWN_FIELD_PLACE(module, buffer, what, object, member)                                      \
    dwn_field_place((module), (buffer), &dwn_##what##_rows, (object), offsetof(dwn_##what, member))

// Which executable of a package the driver runs, and which it runs once before that to fill the
// chip's memory with parameters; DWN_NONE: there is none (2.1, item 8). read_package.c
typedef struct dwn_roles {
    uint32_t main;
    uint32_t caching;
    const dwn_image *main_image; // NULL: there is none; else its rows are there, as below
    const dwn_image *caching_image;
} dwn_roles;
dwn_roles dwn_roles_of(const dwn_contents *contents);
// The parameters of either of them; {NULL, 0}: there is no such executable. read_package.c
hoist_bytes dwn_parameters_of(const dwn_contents *contents, bool is_cached);

// The token of the executable that the driver runs: files with the same one may keep their
// parameters on the chip together (section 6); 0: it has none. read_package.c
uint64_t dwn_token_of(const dwn_contents *contents);

extern const hoist_format hoist_darwinn_format;
extern const hoist_format hoist_darwinn_stream_format; // bare.c

#endif // HOIST_SRC_FORMATS_DARWINN_MODULE_H
