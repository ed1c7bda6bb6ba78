// Rules 58 to 61: the keys that few descriptors have (neff reference 4.4, 4.5.3 to 4.5.5). In goes
// a descriptor of check_descs.c, out come findings at its keys.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/desc_check.h"

// Rule 60a: exactly 4 axes, elements up to 8 bytes.
enum { TRANSPOSE_DIMS = 4, MAX_TRANSPOSE_ELEMENT = 8 };

// True when the key has a value of its kind.
static bool has(const neff_desc_extra *extra, const char *key)
{
    return neff_has(&neff_extra_table, extra->present, key);
}

// Only for ops that are known.
static const char *op_name(const neff_desc_check *d)
{
    return neff_ops.names[d->desc->op];
}

// Keys that the descriptor has although its op ignores them: 58a, 59b, 60b. An unknown op ignores
// nothing that is known.
static void check_ignored(neff_desc_check *d, const neff_desc_extra *extra, neff_rule rule,
                          const char *const *keys, size_t count)
{
    for (size_t i = 0; d->desc->op >= 0 && i < count; i++) {
        if (has(extra, keys[i])) {
            neff_engine_report(d->e, rule, neff_desc_spot(d, keys[i]), "'%s' on the op %s", keys[i],
                               op_name(d));
        }
    }
}

// Rule 58 -----------------------------------------------------------------------------------------

// Rule 58a, of a scale next to from_arr and of one in an item of it: readers accept both.
static void check_scales(neff_desc_check *d, const neff_desc_extra *extra)
{
    static const char *const keys[] = {"scale"};
    if (d->desc->op == NEFF_OP_FMA) {
        return;
    }
    check_ignored(d, extra, NEFF_058a, keys, HOIST_COUNT_OF(keys));
    for (uint32_t i = 0; d->desc->op >= 0 && d->desc->has_from_arr && i < d->source_count; i++) {
        if (neff_desc_source(d, i)->present & NEFF_HAS_SCALE) {
            neff_engine_spot spot = neff_desc_spot(d, "scale");
            spot.source = i;
            neff_engine_report(d->e, NEFF_058a, spot, "'scale' on the op %s, expected fma",
                               op_name(d));
        }
    }
}

// Rules 58a and 58b: float32 is the only type, and the specification has it next to every fma.
static void check_scale_dtype(neff_desc_check *d, const neff_desc_extra *extra)
{
    const neff_engine_spot spot = neff_desc_spot(d, "scale_dtype");
    if (has(extra, "scale_dtype")) {
        if (!hoist_str_equal_c(extra->scale_dtype, "float32")) {
            neff_engine_report(d->e, NEFF_058a, spot, "'scale_dtype' is '%.*s', expected 'float32'",
                               HOIST_STR_ARGS(extra->scale_dtype));
        }
        // Absent, not of another kind.
    } else if (d->desc->op == NEFF_OP_FMA && neff_engine_lacks(d->e, spot)) {
        neff_engine_report(d->e, NEFF_058b, spot, "fma without 'scale_dtype', expected 'float32'");
    }
}

// Rule 59 -----------------------------------------------------------------------------------------

// Types in which min and max start with a constant; other types have none.
static bool is_constant_dtype(hoist_str name)
{
    static const char *const names[] = {"float32", "int32", "uint32"};
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        if (hoist_str_equal_c(name, names[i])) {
            return true;
        }
    }
    return false;
}

// Rule 59: a constant counts only with its type, and only for min and max.
static void check_constant(neff_desc_check *d, const neff_desc_extra *extra)
{
    static const char *const keys[] = {"constant_dtype", "constant"};
    const bool compares = d->desc->op == NEFF_OP_MIN || d->desc->op == NEFF_OP_MAX;
    const neff_engine_spot dtype = neff_desc_spot(d, keys[0]);
    const neff_engine_spot constant = neff_desc_spot(d, keys[1]);
    if (has(extra, "constant_dtype")) {
        if (!is_constant_dtype(extra->constant_dtype)) {
            neff_engine_report(
                d->e, NEFF_059a, dtype,
                "'constant_dtype' is '%.*s', expected 'float32', 'int32' or 'uint32'",
                HOIST_STR_ARGS(extra->constant_dtype));
        }
        if (!has(extra, "constant") && neff_engine_lacks(d->e, constant)) {
            neff_engine_report(d->e, NEFF_059a, dtype, "'constant_dtype' without 'constant'");
        }
    } else if (compares && has(extra, "constant") && neff_engine_lacks(d->e, dtype)) {
        neff_engine_report(d->e, NEFF_059b, constant,
                           "'constant' without 'constant_dtype', which has no effect");
    }
    if (!compares) {
        check_ignored(d, extra, NEFF_059b, keys, HOIST_COUNT_OF(keys));
    }
}

// Rule 60 -----------------------------------------------------------------------------------------

// Bytes of the shape; 0 when an extent is below 1 or the product is too large, which never equals
// what is moved. What the four extents are extents of is not public (4.5.4): only their product is
// checked.
static uint64_t bytes_of(const neff_desc_extra *extra)
{
    uint64_t bytes = (uint64_t)extra->transpose_element_size;
    bool overflow = false;
    for (uint32_t i = 0; i < extra->transpose_shape.count; i++) {
        const int64_t extent = extra->transpose_shape.items[i];
        overflow = overflow || extent < 1 || hoist_ckd_mul(&bytes, bytes, (uint64_t)extent);
    }
    return overflow ? 0 : bytes;
}

// The product with the element size is what the pattern moves.
static void check_product(neff_desc_check *d, const neff_desc_extra *extra)
{
    uint64_t moved = 0;
    if (d->desc->op != NEFF_OP_TRANSPOSE || !has(extra, "transpose_shape") || // other faults first
        !has(extra, "transpose_element_size") || extra->transpose_shape.count != TRANSPOSE_DIMS ||
        extra->transpose_element_size < 1 || d->to.dims == 0 ||
        !neff_access_bytes(&d->to, &moved)) {
        return;
    }
    const uint64_t bytes = bytes_of(extra);
    if (bytes != moved) {
        const int64_t *n = extra->transpose_shape.items;
        neff_engine_report(d->e, NEFF_060a, neff_desc_spot(d, "transpose_shape"),
                           "%" PRId64 " x %" PRId64 " x %" PRId64 " x %" PRId64
                           " elements of %" PRId64 " bytes are not the %" PRIu64
                           " bytes that are moved",
                           n[0], n[1], n[2], n[3], extra->transpose_element_size, moved);
    }
}

// Rule 60. transpose_op is undocumented: kept, and refused by a run.
static void check_transpose(neff_desc_check *d, const neff_desc_extra *extra)
{
    static const char *const keys[] = {"transpose_shape", "transpose_element_size", "transpose_op"};
    const neff_engine_spot spot = neff_desc_spot(d, "transpose_shape");
    if (has(extra, "transpose_shape") && extra->transpose_shape.count != TRANSPOSE_DIMS) {
        neff_engine_report(d->e, NEFF_060a, spot, "'transpose_shape' has %zu %s, expected %d",
                           extra->transpose_shape.count,
                           hoist_plural(extra->transpose_shape.count, "item", "items"),
                           TRANSPOSE_DIMS);
    }
    if (has(extra, "transpose_element_size") &&
        (extra->transpose_element_size < 1 ||
         extra->transpose_element_size > MAX_TRANSPOSE_ELEMENT)) {
        neff_engine_report(d->e, NEFF_060a, neff_desc_spot(d, "transpose_element_size"),
                           "'transpose_element_size' is %" PRId64 ", expected 1 to %d",
                           extra->transpose_element_size, MAX_TRANSPOSE_ELEMENT);
    }
    check_product(d, extra);
    if (d->desc->op != NEFF_OP_TRANSPOSE) {
        check_ignored(d, extra, NEFF_060b, keys, HOIST_COUNT_OF(keys));
    }
}

// Rule 61 -----------------------------------------------------------------------------------------

// Rules 58 to 60 by the functions above; rule 61 is here, since it needs the dimensions of all
// sides.
void neff_check_extras(neff_desc_check *d)
{
    static const neff_desc_extra none; // all bits of `present` clear
    const bool any = d->desc->extra != NEFF_NONE;
    const neff_desc_extra *extra = any ? &d->e->engine->extras[d->desc->extra] : &none;
    // Nothing to check, the usual case.
    if (!any && !neff_op_computes(d->desc->op) && !d->desc->has_from_arr) {
        return;
    }
    check_scales(d, extra);
    check_scale_dtype(d, extra);
    if (any) {
        check_constant(d, extra);
        check_transpose(d, extra);
        uint32_t dims = d->to.dims;
        for (uint32_t i = 0; i < d->source_count; i++) {
            dims = d->from[i].dims > dims ? d->from[i].dims : dims;
        }
        const int64_t tiling = extra->num_tiling_dimensions; // 0: no tiles
        if (has(extra, "num_tiling_dimensions") && dims > 0 && (tiling < 0 || tiling > dims)) {
            neff_engine_report(d->e, NEFF_061, neff_desc_spot(d, "num_tiling_dimensions"),
                               "'num_tiling_dimensions' is %" PRId64 ", expected 0 to %" PRIu32,
                               tiling, dims);
        }
    }
}
