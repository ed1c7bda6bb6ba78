// formats/darwinn/usb_stream.h - a run as bytes for the bulk-out endpoint of an Edge TPU's USB
// device, in single-endpoint mode, by the hints of a package (darwinn reference sections 4.1, 4.2
// and 4.4).
#ifndef HOIST_SRC_FORMATS_DARWINN_USB_STREAM_H
#define HOIST_SRC_FORMATS_DARWINN_USB_STREAM_H

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/rules.h"

enum {
    DWN_USB_HEADER = 8,       // bytes before the data of each transfer: length, tag
    DWN_USB_PIECE = 1 << 20,  // bytes of a write
    DWN_MAX_STREAM = 1 << 30, // bytes of all
    DWN_MEMORY_PAGE = 4096,   // of the chip's addresses
    DWN_USB_INTERRUPTS = 4,
};

// Where what the driver allocates begins: the chip's extended range, 4 GiB (section 3).
// Bit 63 of an address selects it.
#define DWN_EXTENDED_RANGE UINT64_C(0x8000000000000000)

// A buffer of an executable, for the whole batch.
typedef struct dwn_usb_buffer {
    const dwn_layer *layer; // NULL: parameters or scratch
    uint64_t size;          // bytes of one element
    uint64_t *addresses;    // arena; of the elements
    hoist_bytes bytes;      // what is sent, `count` times `size`; data NULL: zeros, or nothing
    uint32_t count;         // elements of the batch
} dwn_usb_buffer;

// A run in the making: steps and bytes grow together, executable by executable.
typedef struct dwn_usb {
    const dwn_module *module;
    const hoist_stream_options *options;
    hoist_diag *diag;
    hoist_arena *arena;
    hoist_buffer *out;
    size_t start;       // of the stream in `out`
    uint64_t next;      // address that is free
    bool *is_used;      // arena; by address, then by input: there is such a buffer
    hoist_buffer steps; // of hoist_stream_step
    // Of the executable at hand.
    uint32_t index;
    const dwn_image *image;
    size_t hint;             // at hand
    dwn_place *items;        // arena
    dwn_usb_buffer *buffers; // arena; one for each of `items`
    dwn_places places;
} dwn_usb;

// The byte of the file where a layer of the executable at hand is.
static inline hoist_loc dwn_usb_layer(const dwn_usb *u, const dwn_layer *layer)
{
    return DWN_FIELD_PLACE(u->module, u->image->bytes, layer, layer, name);
}

// Makes the buffers of the executable at hand, with addresses and inputs; dwn_places_deinit() of
// `places` after HOIST_OK. Else HOIST_NOT_FOUND, HOIST_INVALID, HOIST_LIMIT, with findings;
// HOIST_NO_MEMORY. usb_buffers.c
HOIST_NODISCARD hoist_status dwn_usb_enter(dwn_usb *u);

#endif // HOIST_SRC_FORMATS_DARWINN_USB_STREAM_H
