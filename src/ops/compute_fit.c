// ops/compute_fit.c - a step against its row: attributes in their ranges, element types, shapes by
// the patterns of the operands (compute.h), then the rules of the row.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"
#include "ops/compute_quant.h"

#define MAX_EXTENT INT32_MAX // of a letter, so that the product of two of them fits an int64_t

typedef struct checker {
    hoist_compute_case c;
    char *why;
} checker;

// Says what does not fit; returns false.
static bool HOIST_PRINTF(2, 3) fail(checker *k, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(k->why, HOIST_COMPUTE_WHY, format, args);
    va_end(args);
    return false;
}

// Adds text after what `text`, of `size` bytes, has.
static void HOIST_PRINTF(3, 4) append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + length, size - length, format, args);
    va_end(args);
}

// Attributes and types ----------------------------------------------------------------------------

static bool check_ranges(checker *k)
{
    for (uint8_t i = 0; i < k->c.def->attr_count; i++) {
        const hoist_compute_attr_def *attr = &k->c.def->attrs[i];
        const hoist_compute_value value = k->c.attrs->value[i];
        if (attr->kind == HOIST_COMPUTE_INT &&
            (value.integer < attr->min || value.integer > attr->max)) {
            return fail(k, "%s is %" PRId64 ", expected %" PRId64 " to %" PRId64, attr->name,
                        value.integer, attr->min, attr->max);
        }
        if (attr->kind == HOIST_COMPUTE_DTYPE &&
            ((uint32_t)value.dtype >= HOIST_DTYPE_COUNT || value.dtype == HOIST_DTYPE_NONE)) {
            return fail(k, "%s is no element type", attr->name);
        }
    }
    return true;
}

static bool check_types(checker *k)
{
    const hoist_compute_operand_def *defs = k->c.def->operands;
    size_t like = k->c.def->inputs; // the first operand that others have to be like
    for (size_t i = 0; i <= k->c.def->inputs; i++) {
        const hoist_dtype dtype = k->c.operands[i].dtype;
        const char *type = hoist_dtype_get(dtype)->name;
        if (!(defs[i].types >> dtype & 1)) {
            char types[64] = "";
            for (int t = 0; t < HOIST_DTYPE_COUNT; t++) {
                if (defs[i].types >> t & 1) {
                    append(types, sizeof types, "%s%s", types[0] ? " or " : "",
                           hoist_dtype_get((hoist_dtype)t)->name);
                }
            }
            return fail(k, "%s is %s, expected %s", defs[i].name, type, types);
        }
        like = defs[i].alike && i < like ? i : like;
        if (defs[i].alike && dtype != k->c.operands[like].dtype) {
            return fail(k, "%s is %s, %s is %s", defs[i].name, type, defs[like].name,
                        hoist_dtype_get(k->c.operands[like].dtype)->name);
        }
    }
    return true;
}

// Attributes that are numbers of an operand's type.
static bool check_integers(checker *k)
{
    for (size_t i = 0; i <= k->c.def->inputs; i++) {
        const hoist_compute_operand_def *def = &k->c.def->operands[i];
        const hoist_dtype dtype = k->c.operands[i].dtype;
        for (uint8_t a = 0; a < k->c.def->attr_count; a++) {
            const int64_t value = k->c.attrs->value[a].integer;
            if (def->integers >> a & 1 && k->c.def->attrs[a].kind == HOIST_COMPUTE_INT &&
                (value < hoist_quant_least(dtype) || value > hoist_quant_greatest(dtype))) {
                return fail(k, "%s is %" PRId64 ", and %s is %s", k->c.def->attrs[a].name, value,
                            def->name, hoist_dtype_get(dtype)->name);
            }
        }
    }
    return true;
}

// Shapes ------------------------------------------------------------------------------------------

static bool is_run(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

// The letters that attributes give.
static void begin_letters(checker *k)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(k->c.run); i++) {
        k->c.run[i].rank = -1;
    }
    for (uint8_t i = 0; i < k->c.def->attr_count; i++) {
        const char letter = k->c.def->attrs[i].letter;
        if (is_run(letter)) {
            k->c.run[letter - 'a'].rank = (int)k->c.attrs->value[i].integer;
        } else if (letter) {
            k->c.extent[letter - 'A'] = k->c.attrs->value[i].integer;
        }
    }
}

// The pattern of an operand, as the attributes choose it.
static hoist_str pattern_of(const checker *k, size_t operand)
{
    const hoist_compute_operand_def *def = &k->c.def->operands[operand];
    const char *at = def->dims;
    if (strchr(at, '|')) {
        for (int64_t n = k->c.attrs->value[def->by].integer; n > 0; n--) {
            at = strchr(at, '|') + 1;
        }
    }
    return (hoist_str){at, strcspn(at, "|")};
}

// "x has 3 dimensions, expected [N, H, W, C]"; shapes that are known by their extents.
static bool fail_rank(checker *k, size_t operand, hoist_str pattern)
{
    char dims[64] = "";
    for (size_t i = 0; i < pattern.size; i++) {
        const char letter = pattern.data[i];
        const bool run = is_run(letter);
        const int64_t *known = run ? k->c.run[letter - 'a'].dim : NULL;
        for (int d = 0; known && d < k->c.run[letter - 'a'].rank; d++) {
            append(dims, sizeof dims, "%s%" PRId64, dims[0] ? ", " : "", known[d]);
        }
        if (!known) {
            append(dims, sizeof dims, "%s%c%s", dims[0] ? ", " : "", letter, run ? "..." : "");
        }
    }
    return fail(k, "%s has %d dimensions, expected [%s]", k->c.def->operands[operand].name,
                k->c.operands[operand].shape.rank, dims);
}

// One dimension: the first with a letter says its extent, and the others have to agree.
static bool match_extent(checker *k, size_t operand, int dim, char letter)
{
    const char *name = k->c.def->operands[operand].name;
    const int64_t found = k->c.operands[operand].shape.dim[dim];
    if (found < 1 || found > MAX_EXTENT) {
        return fail(k, "dimension %d of %s is %" PRId64 ", expected 1 to %" PRId32, dim, name,
                    found, MAX_EXTENT);
    }
    if (letter >= '0' && letter <= '9') {
        return found == letter - '0' ||
               fail(k, "dimension %d of %s is %" PRId64 ", expected %c", dim, name, found, letter);
    }
    int64_t *extent = &k->c.extent[letter - 'A'];
    *extent = *extent ? *extent : found;
    return found == *extent ||
           fail(k, "dimension %d of %s is %" PRId64 ", expected %" PRId64 " (%c)", dim, name, found,
                *extent, letter);
}

// The dimensions of a run, from `dim` on; its rank is known.
static bool match_run(checker *k, size_t operand, int dim, char letter)
{
    const char *name = k->c.def->operands[operand].name;
    const int64_t *found = k->c.operands[operand].shape.dim + dim;
    const int64_t **expected = &k->c.run[letter - 'a'].dim;
    for (int i = 0; i < k->c.run[letter - 'a'].rank; i++) {
        if (found[i] < 1) {
            return fail(k, "dimension %d of %s is 0, expected 1 or more", dim + i, name);
        }
        if (*expected && found[i] != (*expected)[i]) {
            return fail(k, "dimension %d of %s is %" PRId64 ", expected %" PRId64, dim + i, name,
                        found[i], (*expected)[i]);
        }
    }
    *expected = *expected ? *expected : found;
    return true;
}

static bool match_count(checker *k, size_t operand)
{
    const int64_t found = hoist_shape_count(&k->c.operands[operand].shape);
    const int64_t expected = hoist_shape_count(&k->c.operands[0].shape);
    return found == expected ||
           fail(k, "%s has %" PRId64 " elements, %s has %" PRId64, k->c.def->operands[operand].name,
                found, k->c.def->operands[0].name, expected);
}

// Finds the rank of the run in a pattern that has one of unknown rank, as what others leave over.
static bool match_rank(checker *k, size_t operand, hoist_str pattern)
{
    int left = k->c.operands[operand].shape.rank;
    char open = 0;
    for (size_t i = 0; i < pattern.size; i++) {
        const bool run = is_run(pattern.data[i]);
        const int rank = run ? k->c.run[pattern.data[i] - 'a'].rank : 1;
        open = rank < 0 ? pattern.data[i] : open;
        left -= rank < 0 ? 0 : rank;
    }
    if (left < 0 || (left > 0 && !open)) {
        return fail_rank(k, operand, pattern);
    }
    if (open) {
        k->c.run[open - 'a'].rank = left;
    }
    return true;
}

static bool match(checker *k, size_t operand)
{
    const hoist_str pattern = pattern_of(k, operand);
    if (hoist_str_equal_c(pattern, "#")) {
        return match_count(k, operand);
    }
    if (!match_rank(k, operand, pattern)) {
        return false;
    }
    int dim = 0;
    for (size_t i = 0; i < pattern.size; i++) {
        const char letter = pattern.data[i];
        const bool run = is_run(letter);
        if (run ? !match_run(k, operand, dim, letter) : !match_extent(k, operand, dim, letter)) {
            return false;
        }
        dim += run ? k->c.run[letter - 'a'].rank : 1;
    }
    return true;
}

// The shape of the output, as the letters say.
static bool build_output(checker *k, hoist_shape *shape)
{
    const hoist_str pattern = pattern_of(k, k->c.def->inputs);
    if (hoist_str_equal_c(pattern, "#")) {
        *shape = k->c.operands[0].shape;
        return true;
    }
    *shape = (hoist_shape){.rank = 0};
    for (size_t i = 0; i < pattern.size; i++) {
        const char letter = pattern.data[i];
        const bool run = is_run(letter);
        const int64_t digit = letter - '0';
        const int64_t *from = run                        ? k->c.run[letter - 'a'].dim
                              : digit >= 0 && digit <= 9 ? &digit
                                                         : &k->c.extent[letter - 'A'];
        const int rank = run ? k->c.run[letter - 'a'].rank : 1;
        if (!from || (rank == 1 && *from == 0) || shape->rank + rank > HOIST_MAX_RANK) {
            return fail(k, "the shape of %s does not follow from the inputs",
                        k->c.def->operands[k->c.def->inputs].name);
        }
        for (int d = 0; d < rank; d++) {
            shape->dim[shape->rank++] = from[d];
        }
    }
    return true;
}

// `output`: where the shape of the output goes, which is then the last operand's; NULL: it is
// there.
static hoist_compute_fit check(checker *k, hoist_shape *output)
{
    const hoist_compute_def *def = k->c.def;
    if (!check_ranges(k)) {
        return HOIST_FIT_ATTRIBUTES;
    }
    if (!check_types(k)) {
        return HOIST_FIT_TYPES;
    }
    begin_letters(k);
    for (size_t i = 0; i < def->inputs; i++) {
        if (!match(k, i)) {
            return HOIST_FIT_SHAPES;
        }
    }
    const char *expected = def->derive ? def->derive(&k->c) : NULL;
    if (!expected && !(output ? build_output(k, output) : match(k, def->inputs))) {
        return HOIST_FIT_SHAPES;
    }
    if (!expected && !check_integers(k)) {
        return HOIST_FIT_ATTRIBUTES;
    }
    expected = !expected && def->rule ? def->rule(&k->c) : expected;
    if (expected) {
        (void)fail(k, "%s expects %s", def->name, expected);
        return HOIST_FIT_SHAPES;
    }
    k->why[0] = '\0';
    return HOIST_FIT_OK;
}

static checker checker_of(hoist_compute_op op, const hoist_compute_attrs *attrs,
                          const hoist_compute_operand *operands, char *why)
{
    return (checker){.c = {.def = hoist_compute_get(op), .attrs = attrs, .operands = operands},
                     .why = why};
}

hoist_compute_fit hoist_compute_fits(hoist_compute_op op, const hoist_compute_attrs *attrs,
                                     const hoist_compute_operand *operands, char *why)
{
    checker k = checker_of(op, attrs, operands, why);
    return check(&k, NULL);
}

hoist_compute_fit hoist_compute_infer(hoist_compute_op op, const hoist_compute_attrs *attrs,
                                      hoist_compute_operand *operands, char *why)
{
    checker k = checker_of(op, attrs, operands, why);
    return check(&k, &operands[k.c.def->inputs].shape);
}

hoist_compute_operand hoist_compute_tiles(hoist_tile_shape shape)
{
    return (hoist_compute_operand){
        HOIST_DTYPE_F32, {3, {(int64_t)shape.z, (int64_t)shape.rows, (int64_t)shape.cols}}};
}
