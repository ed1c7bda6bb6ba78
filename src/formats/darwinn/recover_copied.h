// formats/darwinn/recover_copied.h - where tiles have the pixels of an output of the model that
// they copy out, by its layout.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_COPIED_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_COPIED_H

#include "formats/darwinn/recover_shares.h"

// What is copied out of each tile before an operation: the last of it.
typedef struct dwn_copied {
    const dwn_copy *of[DWN_TRACE_TILES];
} dwn_copied;

// A pixel that a tile copies out.
typedef struct dwn_copied_pixel {
    uint32_t tile;
    const dwn_copy *copy;
    uint64_t word; // of what is copied
} dwn_copied_pixel;

// Whether the layout of an output of bytes says where each of its pixels is.
bool dwn_may_be_copied(const dwn_layer *layer);
// Pixel (y, x) of such an output. False: no copy has it.
bool dwn_find_copied(const dwn_layer *layer, const dwn_copied *from, int32_t y, int32_t x,
                     dwn_copied_pixel *out_pixel);
// The address of a word that is copied out, by its number; -1: there is none.
int64_t dwn_copied_at(const dwn_copy *copy, uint64_t word);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_COPIED_H
