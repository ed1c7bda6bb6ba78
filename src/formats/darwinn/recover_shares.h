// formats/darwinn/recover_shares.h - which words of a value each tile of a group makes.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_SHARES_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_SHARES_H

#include "formats/darwinn/recover_work.h"

enum { DWN_TRACE_TILES = DWN_GRID * DWN_GRID };

// How the tiles of a group have a value that it makes.
typedef struct dwn_shares {
    bool is_known;
    uint32_t words;                          // of a pixel
    uint64_t first[DWN_TRACE_TILES];         // number of the tile's first word
    uint32_t columns[DWN_TRACE_TILES];       // of pixels
    uint32_t channel_words[DWN_TRACE_TILES]; // that the tile makes of each
} dwn_shares;

// An input of the model that is laid out, by groups up to `until`.
typedef struct dwn_laid {
    uint32_t value; // DWN_NONE: none is
    uint32_t until;
    uint64_t pixels[DWN_TRACE_TILES]; // so far
    dwn_shares shares;
    uint32_t done; // bits of inputs that were laid out before
} dwn_laid;

// Pixels that a tile makes in an operation, and words of each: loops over pixels step over a pixel.
typedef struct dwn_made_part {
    uint64_t pixels, words; // UINT64_MAX: they do not fit
} dwn_made_part;
// Of an output whose pixels have so many words.
dwn_made_part dwn_part_made(const dwn_operation *op, uint32_t words);

// How tiles share the pixels of an image that a group makes, of so many words each. False: they
// have others than all of its rows and columns.
bool dwn_share_pixels(const dwn_operations *all, const dwn_group *group, dwn_extent extent,
                      dwn_shares *out_shares);
// The same of what a group makes of a layer's output, which is not known of strips.
void dwn_share_layer(const dwn_walk *w, const dwn_group *group, uint32_t layer,
                     dwn_shares *out_shares);
// The value of a multiplication whose product a group puts in order; DWN_NONE: it does not.
uint32_t dwn_folded_product(const dwn_walk *w, const dwn_group *group, dwn_shares *out_shares);
// The input of the model that groups from `first` on lay out next, with DWN_NONE where they lay out
// none or nothing says which; `laid` is the one before.
void dwn_find_laid(const dwn_walk *w, uint32_t first, dwn_laid *laid);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_SHARES_H
