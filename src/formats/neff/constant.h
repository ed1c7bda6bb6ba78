// formats/neff/constant.h - constants of `file` variables (neff reference 6.1, 6.2).
#ifndef HOIST_SRC_FORMATS_NEFF_CONSTANT_H
#define HOIST_SRC_FORMATS_NEFF_CONSTANT_H

#include "codec/npy_header.h"
#include "formats/neff/module.h"

// What a member gives to the variables that name it.
typedef struct neff_constant {
    hoist_bytes data; // the elements of an .npy array as they are stored, else the whole member
    uint64_t size;    // bytes that it should have; more than `data` has where the member is cut off
    bool is_npy;      // its name ends in .npy
    hoist_npy_header header; // of an .npy
    hoist_str problem; // arena: why it is no .npy array; empty when it is one. Then `data` is empty
} neff_constant;

// Reads the header of a member that is an .npy; others are bytes. HOIST_OK also with a problem;
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_constant_read(const neff_module *module, uint32_t member,
                                                hoist_arena *arena, neff_constant *out_constant);
// True when its elements are big-endian, and that matters.
bool neff_constant_is_big_endian(const neff_constant *constant);
// True when its elements are in Fortran order, and that matters.
bool neff_constant_is_fortran(const neff_constant *constant);

#endif // HOIST_SRC_FORMATS_NEFF_CONSTANT_H
