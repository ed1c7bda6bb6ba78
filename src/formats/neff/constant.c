// Members of `file` variables as constants: in goes a member, out come its bytes and, of an .npy,
// the header (codec/npy_header.h) or the reason why it has none (neff reference 6.1, 6.2). Used by
// check_constants.c, recover.c, visit.c, dump.c and lower/neff.
#include "formats/neff/constant.h"

#include "base/checked.h"
#include "base/span.h"

// Bytes of all elements; true when they do not fit 63 bits. An array with an extent of 0 has none,
// whatever the others are: {0, 2^62, 4} must not overflow.
static bool array_size(const hoist_npy_header *header, uint64_t *out_size)
{
    bool empty = false;
    *out_size = header->item_size; // descr's size, above 0
    for (uint32_t i = 0; i < header->rank; i++) {
        empty = empty || header->shape[i] == 0;
    }
    for (uint32_t i = 0; i < header->rank && !empty; i++) {
        if (hoist_ckd_mul(out_size, *out_size, (uint64_t)header->shape[i]) ||
            *out_size > INT64_MAX) {
            return true;
        }
    }
    *out_size = empty ? 0 : *out_size;
    return false;
}

// Why the header was refused, in words: "... (NPY-003, byte 8)". Without data when out of memory.
static hoist_str refusal(const hoist_diag *found, hoist_arena *arena)
{
    if (hoist_diag_kept(found) == 0 || hoist_diag_incomplete(found)) {
        return (hoist_str){0};
    }
    const hoist_finding *const f = hoist_diag_at(found, 0);
    return hoist_arena_format(arena, "%.*s (%s, byte %llu)", HOIST_STR_ARGS(f->message),
                              f->rule->id, (unsigned long long)f->loc.offset);
}

// The codec's findings become one sentence, which callers report under a rule of their own (31a).
static hoist_status read_header(const neff_module *module, hoist_bytes file, hoist_arena *arena,
                                neff_constant *constant)
{
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(module->base.alloc, NULL, &found));
    if (hoist_npy_header_read(file, 0, found, &constant->header) != HOIST_OK) {
        constant->problem = refusal(found, arena);
    } else if (constant->header.item_size == 0) {
        constant->problem = hoist_arena_format(arena, "descr '%.*s' has no size of an element",
                                               HOIST_STR_ARGS(constant->header.descr));
    } else if (array_size(&constant->header, &constant->size)) {
        constant->problem = hoist_arena_format(arena, "the size of the array does not fit 63 bits");
    } else {
        constant->problem = HOIST_STR("");
    }
    hoist_diag_destroy(found);
    return constant->problem.data ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status neff_constant_read(const neff_module *module, uint32_t member, hoist_arena *arena,
                                neff_constant *out_constant)
{
    const hoist_bytes file = module->members[member].bytes;
    *out_constant = (neff_constant){.data = file, .size = file.size};
    out_constant->is_npy = hoist_str_ends_with(module->members[member].name, ".npy");
    if (!out_constant->is_npy) {
        return HOIST_OK;
    }
    HOIST_TRY(read_header(module, file, arena, out_constant));
    // The header's size is within the file: reading it has made sure.
    out_constant->data = (hoist_bytes){NULL, 0};
    if (out_constant->problem.size == 0) {
        const uint64_t at = out_constant->header.data_offset;
        const uint64_t left = file.size - at;
        const uint64_t size = left < out_constant->size ? left : out_constant->size;
        out_constant->data = (hoist_bytes){file.data + at, (size_t)size};
    }
    return HOIST_OK;
}

bool neff_constant_is_big_endian(const neff_constant *constant)
{
    const hoist_npy_header *const header = &constant->header;
    // '>V2' and one-byte types have no order.
    return constant->is_npy && constant->problem.size == 0 && header->item_size > 1 &&
           header->descr.data[0] == '>' && header->descr.data[1] != 'V';
}

bool neff_constant_is_fortran(const neff_constant *constant)
{
    const hoist_npy_header *const header = &constant->header;
    // Of one long extent both orders are the same.
    uint32_t wide = 0;
    for (uint32_t i = 0; i < header->rank; i++) {
        wide += header->shape[i] > 1;
    }
    return constant->is_npy && constant->problem.size == 0 && header->is_fortran && wide > 1;
}
