// formats/darwinn/info.h - what the sources of the summary share.
#ifndef HOIST_SRC_FORMATS_DARWINN_INFO_H
#define HOIST_SRC_FORMATS_DARWINN_INFO_H

#include "formats/darwinn/recover.h"

// Bytes of parameters that the chip keeps: 16 tiles of 512 KiB, of which the compiler leaves a
// model about 7.7 MiB (section 6). [inferred]
enum { DWN_CHIP_PARAMETERS = 16 * 512 * 1024 };

// The lists "executables", what each has of instructions, and "steps", what the driver does for
// each. info_executables.c
void dwn_send_executables(const dwn_contents *contents, hoist_tree_sink *sink);
// What was recovered of the program: the map "recovered", the lists "on_chip" by kind and "layers";
// nothing where there is no program to run, or it is above the limits of recovery. HOIST_OK,
// HOIST_NO_MEMORY, or the sink's status. info_layers.c
HOIST_NODISCARD hoist_status dwn_send_recovered(const dwn_contents *contents, hoist_allocator alloc,
                                                hoist_tree_sink *sink);
// Multiply-accumulates of one run of a layer with weights. False, with 0, for all other kinds, or
// when they are too many to count. info_layers.c
bool dwn_layer_macs(const dwn_recovered *layer, uint64_t *out_macs);

#endif // HOIST_SRC_FORMATS_DARWINN_INFO_H
