// Operands that are views against what their row wants of them: types, extents, numbers.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ops/compute_quant.h"

#define MAX_EXTENT INT32_MAX // so that the product of two of them fits an int64_t

static size_t operand_count(const hoist_compute_def *def)
{
    return (size_t)def->max_inputs + HOIST_COMPUTE_MAX_OUTPUTS;
}

int64_t hoist_quant_least(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_SIGNED ? -(INT64_C(1) << (info->bits - 1)) : 0;
}

int64_t hoist_quant_greatest(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return (INT64_C(1) << (info->bits - (info->kind == HOIST_CLASS_SIGNED))) - 1;
}

// "u8 or i8"
static void name_types(uint64_t types, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < HOIST_DTYPE_COUNT; i++) {
        if (types >> i & 1 && length < size) {
            const int n = snprintf(text + length, size - length, "%s%s", length ? " or " : "",
                                   hoist_dtype_get((hoist_dtype)i)->name);
            length += n > 0 ? (size_t)n : 0;
        }
    }
}

static hoist_compute_fit fit_types(const hoist_compute_def *def,
                                   const hoist_compute_operand *operands, char *why)
{
    size_t like = operand_count(def); // the first operand that others have to be like
    for (size_t i = 0; i < operand_count(def); i++) {
        const hoist_compute_operand_def *wanted = &def->operands[i];
        const char *type = hoist_dtype_get(operands[i].dtype)->name;
        char types[64];
        if (!(wanted->types >> operands[i].dtype & 1)) {
            name_types(wanted->types, types, sizeof types);
            (void)snprintf(why, HOIST_COMPUTE_WHY, "%s is %s, wanted %s", wanted->name, type,
                           types);
            return HOIST_FIT_TYPES;
        }
        like = wanted->alike && i < like ? i : like;
        if (wanted->alike && operands[i].dtype != operands[like].dtype) {
            (void)snprintf(why, HOIST_COMPUTE_WHY, "%s is %s, %s is %s", wanted->name, type,
                           def->operands[like].name, hoist_dtype_get(operands[like].dtype)->name);
            return HOIST_FIT_TYPES;
        }
    }
    return HOIST_FIT_OK;
}

static hoist_compute_fit fit_numbers(const hoist_compute_def *def, const hoist_compute_attrs *attrs,
                                     const hoist_compute_operand *operands, char *why)
{
    for (size_t i = 0; i < operand_count(def); i++) {
        for (uint8_t a = 0; a < def->attr_count; a++) {
            const int64_t value = attrs->value[a].integer;
            if (def->operands[i].numbers >> a & 1 &&
                (value < hoist_quant_least(operands[i].dtype) ||
                 value > hoist_quant_greatest(operands[i].dtype))) {
                (void)snprintf(why, HOIST_COMPUTE_WHY, "%s is %" PRId64 ", and %s is %s",
                               def->attrs[a].name, value, def->operands[i].name,
                               hoist_dtype_get(operands[i].dtype)->name);
                return HOIST_FIT_ATTRIBUTES;
            }
        }
    }
    return HOIST_FIT_OK;
}

// One dimension: the first with a letter says its extent, and the others have to agree.
static bool fit_extent(const hoist_compute_operand_def *wanted, size_t dim, int64_t found,
                       hoist_compute_extents *extents, char *why)
{
    const char letter = wanted->dims[dim];
    if (found < 1 || found > MAX_EXTENT) {
        (void)snprintf(why, HOIST_COMPUTE_WHY,
                       "dimension %zu of %s is %" PRId64 ", wanted 1 to %" PRId32, dim,
                       wanted->name, found, MAX_EXTENT);
        return false;
    }
    if (letter >= '0' && letter <= '9') {
        (void)snprintf(why, HOIST_COMPUTE_WHY, "dimension %zu of %s is %" PRId64 ", wanted %c", dim,
                       wanted->name, found, letter);
        return found == letter - '0';
    }
    int64_t *extent = &extents->of[letter - 'A'];
    *extent = *extent ? *extent : found;
    (void)snprintf(why, HOIST_COMPUTE_WHY,
                   "dimension %zu of %s is %" PRId64 ", wanted %" PRId64 " (%c)", dim, wanted->name,
                   found, *extent, letter);
    return found == *extent;
}

// "[N, H, W, C]"
static void name_dims(const char *dims, char *text, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; dims[i] && length < size; i++) {
        const int n = snprintf(text + length, size - length, "%s%c", i ? ", " : "[", dims[i]);
        length += n > 0 ? (size_t)n : 0;
    }
    (void)snprintf(text + length, size - length, "]");
}

static bool fit_dims(const hoist_compute_operand_def *wanted, const hoist_shape *shape,
                     hoist_compute_extents *extents, char *why)
{
    char dims[32];
    if ((size_t)shape->rank != strlen(wanted->dims)) {
        name_dims(wanted->dims, dims, sizeof dims);
        (void)snprintf(why, HOIST_COMPUTE_WHY, "%s has %d dimensions, wanted %s", wanted->name,
                       shape->rank, dims);
        return false;
    }
    for (int i = 0; i < shape->rank; i++) {
        if (!fit_extent(wanted, (size_t)i, shape->dim[i], extents, why)) {
            return false;
        }
    }
    return true;
}

// Any shape, that of the first operand.
static bool fit_same(const hoist_compute_def *def, size_t i, const hoist_compute_operand *operands,
                     char *why)
{
    const hoist_shape *shape = &operands[i].shape;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dim[d] < 1) {
            (void)snprintf(why, HOIST_COMPUTE_WHY, "dimension %d of %s is 0, wanted 1 or more", d,
                           def->operands[i].name);
            return false;
        }
    }
    (void)snprintf(why, HOIST_COMPUTE_WHY, "%s and %s differ in shape", def->operands[0].name,
                   def->operands[i].name);
    return hoist_shape_equal(shape, &operands[0].shape);
}

hoist_compute_fit hoist_compute_fits(hoist_compute_op op, const hoist_compute_attrs *attrs,
                                     const hoist_compute_operand *operands, char *why)
{
    const hoist_compute_def *def = hoist_compute_get(op);
    hoist_compute_extents extents = {{0}};
    const hoist_compute_fit types = fit_types(def, operands, why);
    if (types != HOIST_FIT_OK) {
        return types;
    }
    for (size_t i = 0; i < operand_count(def); i++) {
        const hoist_compute_operand_def *wanted = &def->operands[i];
        if (wanted->dims[0] == '*' ? !fit_same(def, i, operands, why)
                                   : !fit_dims(wanted, &operands[i].shape, &extents, why)) {
            return HOIST_FIT_SHAPES;
        }
    }
    const hoist_compute_fit numbers = fit_numbers(def, attrs, operands, why);
    if (numbers != HOIST_FIT_OK) {
        return numbers;
    }
    const char *wanted = def->fit ? def->fit(attrs, operands, &extents) : NULL;
    if (wanted) {
        (void)snprintf(why, HOIST_COMPUTE_WHY, "%s wants %s", def->name, wanted);
        return HOIST_FIT_SHAPES;
    }
    why[0] = '\0';
    return HOIST_FIT_OK;
}
