// formats/darwinn/check.h - what the checks share.
#ifndef HOIST_SRC_FORMATS_DARWINN_CHECK_H
#define HOIST_SRC_FORMATS_DARWINN_CHECK_H

#include "formats/darwinn/layer.h"
#include "formats/darwinn/rules.h"

typedef struct dwn_check {
    const dwn_module *module;
    hoist_diag *diag;
    const hoist_check_options *options;
    hoist_arena arena; // scratch of all checks
    int64_t pixels;    // of layouts that were looked at
    // What is being checked.
    const dwn_contents *contents;
    const dwn_image *image; // its rows are there
    dwn_places places;      // of the image: its buffers, by dwn_check_enter()
    // Of the images of the package that were checked: the first of them, and their types, a bit
    // each.
    const dwn_executable *first;
    uint8_t types[(UINT16_MAX + 1) / 8];
} dwn_check;

// Where a member of a dwn_layer, for `what` layer, and so on, of the image at hand is stored.
#define DWN_PLACE(c, what, object, member)                                                         \
    DWN_FIELD_PLACE((c)->module, (c)->image->bytes, what, object, member)

// The buffers of the image at hand, which is set: parameters, scratch, input layers, output layers.
// After either call dwn_check_leave(). HOIST_OK; HOIST_LIMIT, with a finding: names or field
// offsets have far more bytes than the file, by sharing them; HOIST_NO_MEMORY. check_places.c
HOIST_NODISCARD hoist_status dwn_check_enter(dwn_check *c);
void dwn_check_leave(dwn_check *c);
// batch_size, or 1 where it is none (19).
int32_t dwn_check_batch(const dwn_check *c);
// Index of a buffer in `places`, the first of its name; DWN_NONE: there is none.
uint32_t dwn_check_find(const dwn_check *c, int16_t desc, hoist_str name);
// The layer of a buffer; NULL: it is none, or `place` is DWN_NONE.
const dwn_layer *dwn_check_layer(const dwn_check *c, uint32_t place);
// Bytes of a buffer for one element of a batch; -1: unknown, or `place` is DWN_NONE.
int64_t dwn_check_size(const dwn_check *c, uint32_t place);

// The package at hand. check_package.c
void dwn_check_package(dwn_check *c);    // 12 to 14, 21, 28 to 30, 78, 79
void dwn_check_executable(dwn_check *c); // 19, 20, 22 to 27, 30 to 32, 77: one image

HOIST_NODISCARD hoist_status dwn_check_streams(dwn_check *c); // 32 to 38, 83, 84: check_streams.c
// Reports what is wrong with a chunk under its rule. check_streams.c
void dwn_report_fault(hoist_diag *diag, const dwn_fault *fault, hoist_loc loc);
HOIST_NODISCARD hoist_status dwn_check_links(dwn_check *c);  // 39 to 48: check_links.c
HOIST_NODISCARD hoist_status dwn_check_hints(dwn_check *c);  // 49 to 60, 81: check_hints.c
HOIST_NODISCARD hoist_status dwn_check_layers(dwn_check *c); // 61 to 68, 72: check_layers.c
// The layout or shape_info of an output layer, whose extents are not negative: 69 to 71.
// check_layout.c
HOIST_NODISCARD hoist_status dwn_check_layout(dwn_check *c, const dwn_layer *layer,
                                              const dwn_output_layer *output);
// The parameters of the package at hand: 82. check_parameters.c
HOIST_NODISCARD hoist_status dwn_check_parameters(dwn_check *c);
// The operator that the package is in: 4, 73 to 76. check_border.c
HOIST_NODISCARD hoist_status dwn_check_border(dwn_check *c);

#endif // HOIST_SRC_FORMATS_DARWINN_CHECK_H
