// Moves between random access patterns against a slow evaluator: move_patterns COUNT [SEED].
//
// The evaluator is written from the NEFF reference (sections 4.5 and 4.6) alone: it lists the byte
// addresses of each pattern, reads all sources, computes, and writes byte by byte. Every pattern is
// moved by the kernels of every level of this machine, as a whole, in single units backwards, and
// past the caches as large moves are, and the memory must be equal bit for bit.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/move.h"

enum {
    MEMORY = 1 << 18,
    MOST = 6000, // elements
    DIMS = HOIST_MAX_RANK,
    SOURCES = HOIST_MOVE_MAX_VIEWS,
};

// The types -------------------------------------------------------------------------------------

typedef enum kind { SMALL_FLOAT, BRAIN, SINGLE, DOUBLE, SIGNED, UNSIGNED, TRUTH } kind;

typedef struct element_type {
    hoist_dtype dtype;
    kind kind;
    int bytes;
    int e, m; // SMALL_FLOAT: bits of the exponent and the mantissa
    bool fn;  // no infinity
} element_type;

// clang-format off
static const element_type types[] = {
    {HOIST_DTYPE_F32,      SINGLE,      4, 0, 0,  false},
    {HOIST_DTYPE_BF16,     BRAIN,       2, 0, 0,  false},
    {HOIST_DTYPE_F16,      SMALL_FLOAT, 2, 5, 10, false},
    {HOIST_DTYPE_F8E5M2,   SMALL_FLOAT, 1, 5, 2,  false},
    {HOIST_DTYPE_F8E4M3,   SMALL_FLOAT, 1, 4, 3,  false},
    {HOIST_DTYPE_F8E4M3FN, SMALL_FLOAT, 1, 4, 3,  true },
    {HOIST_DTYPE_F8E3M4,   SMALL_FLOAT, 1, 3, 4,  false},
    {HOIST_DTYPE_I8,       SIGNED,      1, 0, 0,  false},
    {HOIST_DTYPE_U8,       UNSIGNED,    1, 0, 0,  false},
    {HOIST_DTYPE_I16,      SIGNED,      2, 0, 0,  false},
    {HOIST_DTYPE_U16,      UNSIGNED,    2, 0, 0,  false},
    {HOIST_DTYPE_I32,      SIGNED,      4, 0, 0,  false},
    {HOIST_DTYPE_U32,      UNSIGNED,    4, 0, 0,  false},
    {HOIST_DTYPE_I64,      SIGNED,      8, 0, 0,  false},
    {HOIST_DTYPE_U64,      UNSIGNED,    8, 0, 0,  false},
    {HOIST_DTYPE_F64,      DOUBLE,      8, 0, 0,  false},
    {HOIST_DTYPE_BOOL,     TRUTH,       1, 0, 0,  false},
};
// clang-format on
enum { TYPES = sizeof types / sizeof types[0] };

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The value of a small float as float32 bits. NaNs keep sign and payload.
static uint32_t read_small(const element_type *t, uint64_t bits)
{
    const int bias = (1 << (t->e - 1)) - 1;
    const uint32_t mantissa = (uint32_t)bits & ((1u << t->m) - 1);
    const int field = (int)(bits >> t->m) & ((1 << t->e) - 1);
    const uint32_t sign = (uint32_t)(bits >> (t->e + t->m)) & 1;
    const bool top = field == (1 << t->e) - 1;
    if (top && (!t->fn || mantissa == (1u << t->m) - 1)) {
        return sign << 31 | 0x7f800000 | mantissa << (23 - t->m);
    }
    const double magnitude = field ? ldexp(1.0 + ldexp(mantissa, -t->m), field - bias)
                                   : ldexp(mantissa, 1 - bias - t->m);
    return bits_of((float)(sign ? -magnitude : magnitude));
}

static uint32_t read_signed(const element_type *t, uint64_t bits)
{
    const int shift = 64 - 8 * t->bytes;
    const bool minus = bits << shift >> 63;
    const uint64_t magnitude = minus ? (~(bits << shift) >> shift) + 1 : bits;
    const float value = (float)magnitude; // 64 bits to 24 at once
    return bits_of(minus ? -value : value);
}

static uint32_t read_double(uint64_t bits)
{
    const double value = double_of(bits);
    if (isnan(value)) {
        return (uint32_t)(bits >> 63) << 31 | 0x7fc00000 | ((uint32_t)(bits >> 29) & 0x7fffff);
    }
    return bits_of((float)value);
}

// An element as float32 bits.
static uint32_t read_value(const element_type *t, uint64_t bits)
{
    switch (t->kind) {
    case SMALL_FLOAT:
        return read_small(t, bits);
    case BRAIN:
        return (uint32_t)bits << 16;
    case SINGLE:
        return (uint32_t)bits;
    case DOUBLE:
        return read_double(bits);
    case SIGNED:
        return read_signed(t, bits);
    case UNSIGNED:
        return bits_of((float)bits);
    case TRUTH:
        return bits_of(bits ? 1.0F : 0.0F);
    }
    return 0;
}

// `wide`: float32 bits that are no NaN; the nearest with `m` mantissa bits, ties to even.
static uint64_t write_small(int e, int m, bool fn, uint32_t wide)
{
    const int bias = (1 << (e - 1)) - 1;
    const uint64_t sign = (uint64_t)(wide >> 31) << (e + m);
    const double magnitude = fabs((double)float_of(wide));
    const uint64_t infinity = (uint64_t)((1 << e) - 1) << m;
    const uint64_t too_much = fn ? infinity | 7 : infinity;
    if (magnitude == 0) {
        return sign;
    }
    if (isinf(magnitude)) {
        return sign | too_much;
    }
    int exponent = 0;
    (void)frexp(magnitude, &exponent);
    exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    const double whole = nearbyint(ldexp(magnitude, m - exponent));
    const uint64_t fields = ((uint64_t)(exponent - 1 + bias) << m) + (uint64_t)whole;
    return sign | (fields >= too_much ? too_much : fields);
}

static uint64_t write_integer(const element_type *t, uint32_t wide)
{
    const double value = (double)float_of(wide);
    const int width = 8 * t->bytes - (t->kind == SIGNED);
    const double limit = ldexp(1, width);
    const uint64_t most = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    if (isnan(value)) {
        return 0;
    }
    const double whole = nearbyint(value);
    if (whole >= limit) {
        return most;
    }
    if (whole < 0 && t->kind == UNSIGNED) {
        return 0;
    }
    if (whole < -limit) {
        return most + 1;
    }
    return whole < 0 ? ~(uint64_t)(-whole) + 1 : (uint64_t)whole;
}

static uint64_t write_float(const element_type *t, uint32_t wide)
{
    const bool nan = (wide & 0x7fffffff) > 0x7f800000;
    const int e = t->kind == BRAIN ? 8 : t->e;
    const int m = t->kind == BRAIN ? 7 : t->m;
    if (!nan) {
        return write_small(e, m, t->fn, wide);
    }
    const uint64_t top = (uint64_t)((1 << e) - 1) << m;
    const uint64_t payload = t->fn ? 7 : (wide & 0x7fffff) >> (23 - m) | 1u << (m - 1);
    return (uint64_t)(wide >> 31) << (e + m) | top | payload;
}

static uint64_t write_double(uint32_t wide)
{
    const double value = (double)float_of(wide);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value)) {
        bits = (uint64_t)(wide >> 31) << 63 | (uint64_t)0x7ff8 << 48 |
               (uint64_t)(wide & 0x7fffff) << 29;
    }
    return bits;
}

static uint64_t write_value(const element_type *t, uint32_t wide)
{
    switch (t->kind) {
    case SMALL_FLOAT:
    case BRAIN:
        return write_float(t, wide);
    case SINGLE:
        return wide;
    case DOUBLE:
        return write_double(wide);
    case SIGNED:
    case UNSIGNED:
        return write_integer(t, wide);
    case TRUTH:
        return float_of(wide) != 0;
    }
    return 0;
}

// Patterns --------------------------------------------------------------------------------------

// Dimension 0 is the innermost, as in the reference; sizes count elements, which stand in
// consecutive bytes.
typedef struct pattern {
    const element_type *type;
    int64_t offset;
    int dims;
    int64_t size[DIMS];
    int64_t step[DIMS];
} pattern;

typedef struct move {
    hoist_move_kernel op;
    pattern to;
    size_t source_count;
    pattern from[SOURCES];
    float scale[SOURCES];
    const element_type *integers; // MIN, MAX
    bool has_start;
    double start;
    int axes; // 0: no transpose
    uint8_t axis[DIMS];
    int64_t count;
} move;

// Byte addresses of the first byte of each element, in order.
static void list_addresses(const pattern *p, int64_t count, int64_t *addresses)
{
    int64_t index[DIMS] = {0};
    for (int64_t k = 0; k < count; k++) {
        addresses[k] = p->offset;
        for (int j = 0; j < p->dims; j++) {
            addresses[k] += index[j] * p->step[j];
        }
        for (int j = 0; j < p->dims && ++index[j] == p->size[j]; j++) {
            index[j] = 0;
        }
    }
}

static uint64_t load(const uint8_t *memory, int64_t address, int bytes)
{
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++) {
        bits |= (uint64_t)memory[address + i] << (8 * i);
    }
    return bits;
}

static void store(uint8_t *memory, int64_t address, int bytes, uint64_t bits)
{
    for (int i = 0; i < bytes; i++) {
        memory[address + i] = (uint8_t)(bits >> (8 * i) & 0xff);
    }
}

// Axis i of the result is axis [i] of the source; axis 0 is the outermost.
static pattern transposed(const move *m)
{
    pattern p = m->from[0];
    for (int i = 0; i < m->axes; i++) {
        p.size[m->axes - 1 - i] = m->from[0].size[m->axes - 1 - m->axis[i]];
        p.step[m->axes - 1 - i] = m->from[0].step[m->axes - 1 - m->axis[i]];
    }
    return p;
}

static int64_t integer_of(const element_type *t, uint64_t bits)
{
    return t->kind == SIGNED ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
}

static uint64_t fold_integers(const move *m, const uint64_t *operands)
{
    const element_type *t = m->integers;
    const double low = t->kind == SIGNED ? -2147483648.0 : 0;
    const double high = t->kind == SIGNED ? 2147483647.0 : 4294967295.0;
    int64_t r = integer_of(t, operands[0]);
    if (m->has_start) {
        const double whole = nearbyint(m->start);
        r = isnan(whole) ? 0 : (int64_t)(whole < low ? low : whole > high ? high : whole);
    }
    for (size_t i = m->has_start ? 0 : 1; i < m->source_count; i++) {
        const int64_t x = integer_of(t, operands[i]);
        r = (m->op == HOIST_KERNEL_MIN) == (x < r) ? x : r;
    }
    return (uint64_t)r & 0xffffffff;
}

static float fold_two(hoist_move_kernel op, float r, float x)
{
    if (op == HOIST_KERNEL_MIN || op == HOIST_KERNEL_MAX) {
        const bool better = op == HOIST_KERNEL_MIN ? x < r : x > r;
        return isnan(r) ? r : isnan(x) || better ? x : r;
    }
    return r + x;
}

static uint64_t fold_floats(const move *m, const uint64_t *operands)
{
    float r = (float)m->start;
    for (size_t i = 0; i < m->source_count; i++) {
        volatile float x = float_of(read_value(m->from[i].type, operands[i]));
        if (m->op == HOIST_KERNEL_FMA) {
            x = m->scale[i] * x; // rounded before it is added
        }
        r = i == 0 && !m->has_start ? x : fold_two(m->op, r, x);
    }
    return write_value(m->to.type, isnan(r) ? 0x7fc00000 : bits_of(r));
}

static uint64_t result_of(const move *m, const uint64_t *operands)
{
    switch (m->op) {
    case HOIST_KERNEL_COPY:
        if (m->from[0].type == m->to.type) {
            return operands[0];
        }
        return write_value(m->to.type, read_value(m->from[0].type, operands[0]));
    case HOIST_KERNEL_CAST:
        return write_value(m->to.type, read_value(m->from[0].type, operands[0]));
    default:
        return m->integers ? fold_integers(m, operands) : fold_floats(m, operands);
    }
}

static void evaluate(const move *m, uint8_t *memory)
{
    static int64_t addresses[SOURCES + 1][MOST];
    static uint64_t results[MOST];
    for (size_t i = 0; i < m->source_count; i++) {
        const pattern p = m->axes ? transposed(m) : m->from[i];
        list_addresses(&p, m->count, addresses[i]);
    }
    list_addresses(&m->to, m->count, addresses[SOURCES]);
    for (int64_t k = 0; k < m->count; k++) {
        uint64_t operands[SOURCES];
        for (size_t i = 0; i < m->source_count; i++) {
            operands[i] = load(memory, addresses[i][k], m->from[i].type->bytes);
        }
        results[k] = result_of(m, operands);
    }
    for (int64_t k = 0; k < m->count; k++) {
        store(memory, addresses[SOURCES][k], m->to.type->bytes, results[k]);
    }
}

// Chance ----------------------------------------------------------------------------------------

static uint64_t state;

static uint64_t next64(void)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int64_t pick(int64_t count)
{
    return (int64_t)(next64() % (uint64_t)count);
}

static bool once_in(int64_t count)
{
    return pick(count) == 0;
}

// Memory of values that are at home in some type, side by side.
static void fill(uint8_t *memory)
{
    static const uint32_t special[] = {0x7f800001, 0xffc12345, 0x7f800000, 0xff800000, 0x80000000,
                                       0x00000001, 0x807fffff, 0x4f000000, 0xcf000000, 0x4f7fffff,
                                       0x477fe000, 0x477ff000, 0x33000000, 0x3effffff, 0x4b7fffff};
    for (int64_t i = 0; i < MEMORY; i += 4) {
        const uint64_t x = next64();
        uint32_t bits = (uint32_t)x;
        switch (x >> 60) {
        case 0:
            bits = special[(x >> 32) % (sizeof special / sizeof special[0])];
            break;
        case 1:
        case 2:
        case 3: // about the ranges of 8 and 16 bits, with halves
            bits = bits_of((float)((double)(int32_t)bits / (double)(1 << (11 + (x >> 32) % 18))));
            break;
        case 4: // a pair of f16 about 1
            bits = (bits & 0x87ff87ff) | 0x38003800;
            break;
        case 5:
            bits = (bits & 0x3ff) - 512;
            break;
        default:
            break;
        }
        store(memory, i, 4, bits);
    }
}

// Factors of `count`, in `dims` dimensions.
static void choose_sizes(pattern *p, int64_t count, int dims)
{
    p->dims = dims;
    for (int j = 0; j < dims; j++) {
        p->size[j] = 1;
    }
    for (int64_t f = 2; count > 1; f = f * f > count ? count : f + 1) {
        while (count % f == 0) {
            p->size[pick(dims)] *= f;
            count /= f;
        }
    }
}

// Steps of a memory without shared bytes: the dimensions in some order, with gaps.
static void choose_steps(pattern *p, bool plain)
{
    int order[DIMS] = {0};
    int64_t step = p->type->bytes;
    for (int j = 0; j < p->dims; j++) {
        const int at = plain ? j : (int)pick(j + 1);
        order[j] = order[at];
        order[at] = j;
    }
    for (int j = 0; j < p->dims; j++) {
        const int64_t gap = plain || pick(3) ? 0 : pick(4) * (once_in(2) ? p->type->bytes : 1);
        step += step * p->size[order[j]] < MEMORY / 16 ? gap : 0;
        p->step[order[j]] = !plain && once_in(8) ? -step : step;
        step *= p->size[order[j]];
    }
}

// Lowest byte and the one behind the highest, from the offset.
static void extent_of(const pattern *p, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = p->type->bytes;
    for (int j = 0; j < p->dims; j++) {
        const int64_t reach = (p->size[j] - 1) * p->step[j];
        *(reach < 0 ? low : high) += reach;
    }
}

// False when the pattern is too long. `half`: 0 the lower, 1 the upper, 2 anywhere.
static bool place(pattern *p, int half)
{
    int64_t low = 0;
    int64_t high = 0;
    extent_of(p, &low, &high);
    const int64_t room = half == 2 ? 8192 : MEMORY / 2;
    const int64_t slack = (high - low < room ? room : MEMORY / 2) - (high - low);
    if (slack < 0) {
        return false;
    }
    p->offset = (half == 1 ? MEMORY / 2 : 0) - low + pick(slack + 1);
    return true;
}

static pattern choose_pattern(const element_type *type, int64_t count, const pattern *like)
{
    pattern p = {.type = type};
    if (like && pick(3)) {
        p.dims = like->dims;
        memcpy(p.size, like->size, sizeof p.size);
    } else {
        choose_sizes(&p, count, 1 + (int)pick(once_in(5) ? DIMS : 4));
    }
    choose_steps(&p, once_in(3));
    return p;
}

// Some patterns share bytes: a step of 0, or any.
static void spoil_steps(pattern *p)
{
    const int j = (int)pick(p->dims);
    p->step[j] = once_in(2) ? 0 : pick(9) - 4;
}

static void choose_transpose(move *m)
{
    const pattern *p = &m->from[0];
    if ((m->op != HOIST_KERNEL_COPY && m->op != HOIST_KERNEL_CAST) || pick(3)) {
        return;
    }
    m->axes = p->dims;
    for (int i = 0; i < m->axes; i++) {
        const int at = (int)pick(i + 1);
        m->axis[i] = m->axis[at];
        m->axis[at] = (uint8_t)i;
    }
    if (m->axes == 4 && once_in(2)) { // outermost and innermost change places
        memcpy(m->axis, (const uint8_t[]){3, 1, 2, 0}, 4);
    }
}

static void choose_operation(move *m)
{
    m->op = (hoist_move_kernel)pick(HOIST_KERNEL_MOVE_COUNT);
    const bool folds = m->op > HOIST_KERNEL_CAST;
    const bool extremum = m->op == HOIST_KERNEL_MIN || m->op == HOIST_KERNEL_MAX;
    m->source_count = folds ? 1 + (size_t)pick(once_in(3) ? SOURCES : 3) : 1;
    m->has_start = extremum && once_in(2);
    m->start =
        m->has_start ? (double)(pick(100000) - 50000) / 8 * (double)(pick(5) ? 1 : 1000000) : 0;
    if (extremum && once_in(3)) {
        m->integers = &types[once_in(2) ? 11 : 12];
    }
}

// Places the patterns; sources may be in the destination's place or lie across it.
static bool choose_places(move *m)
{
    const int64_t mode = pick(4);
    bool ok = place(&m->to, mode == 3 ? 2 : 1);
    for (size_t i = 0; ok && i < m->source_count; i++) {
        pattern *p = &m->from[i];
        if (mode == 2 && once_in(2) && !m->axes && p->type->bytes == m->to.type->bytes) {
            const element_type *type = p->type;
            *p = m->to;
            p->type = type;
        } else {
            ok = place(p, mode == 3 ? 2 : 0);
        }
    }
    return ok;
}

static void choose_any(move *m)
{
    static const int64_t most[] = {40, 300, 300, 1500, MOST};
    *m = (move){.count = 1 + pick(most[pick(5)])};
    choose_operation(m);
    const bool one_type = m->op == HOIST_KERNEL_COPY && pick(4);
    const element_type *type = m->integers ? m->integers : &types[pick(TYPES)];
    m->to = choose_pattern(type, m->count, NULL);
    for (size_t i = 0; i < m->source_count; i++) {
        const element_type *own = m->integers || one_type ? type : &types[pick(TYPES)];
        m->from[i] = choose_pattern(own, m->count, &m->to);
        m->scale[i] = once_in(4) ? 1 : (float)((double)(pick(65536) - 32768) / 1000);
        if (once_in(10)) {
            spoil_steps(&m->from[i]);
        }
    }
    if (once_in(12)) {
        spoil_steps(&m->to);
    }
    choose_transpose(m);
}

// Long rows with gaps between them, to or from float32 or as they are, to a place without gaps.
static void choose_window(move *m)
{
    const element_type *type = &types[pick(TYPES)];
    *m = (move){.op = HOIST_KERNEL_COPY, .count = 1, .source_count = 1};
    m->to = (pattern){.type = once_in(3) ? type : &types[0], .dims = 2 + (int)pick(2)};
    for (int j = 0; j < m->to.dims; j++) {
        m->to.size[j] = j == 0 ? 12 + pick(100) : 1 + pick(7);
        m->count *= m->to.size[j];
    }
    m->from[0] = m->to;
    m->from[0].type = m->to.type == type && once_in(2) ? &types[0] : type;
    choose_steps(&m->to, true);
    int64_t step = m->from[0].type->bytes;
    for (int j = 0; j < m->to.dims; j++) {
        m->from[0].step[j] = step;
        step *= m->from[0].size[j] + (once_in(2) ? 0 : pick(9));
    }
}

// The innermost dimension of a source becomes the outermost, whose step is a multiple of 2048.
static void choose_turned(move *m)
{
    const element_type *type = &types[once_in(2) ? 0 : 13];
    const int64_t inner = 8 << pick(3);
    *m = (move){.op = HOIST_KERNEL_COPY, .source_count = 1};
    m->to = (pattern){.type = type, .dims = 3};
    m->to.size[0] = inner;
    m->to.size[1] = 2048 / type->bytes / inner;
    m->to.size[2] = 2 + pick(10);
    m->count = m->to.size[0] * m->to.size[1] * m->to.size[2];
    choose_steps(&m->to, true);
    m->from[0] = m->to;
    int64_t step = type->bytes;
    for (int j = 2; j >= 0; j--) {
        m->from[0].step[j] = step;
        step *= m->from[0].size[j] + (once_in(2) ? 0 : pick(3));
    }
}

static void choose_move(move *m)
{
    do {
        if (once_in(20)) {
            choose_turned(m);
        } else if (once_in(6)) {
            choose_window(m);
        } else {
            choose_any(m);
        }
    } while (!choose_places(m));
}

// The kernels -----------------------------------------------------------------------------------

static hoist_view view_of(const pattern *p, uint8_t *memory)
{
    hoist_shape shape = {.rank = p->dims};
    int64_t stride[DIMS] = {0};
    for (int j = 0; j < p->dims; j++) {
        shape.dim[p->dims - 1 - j] = p->size[j];
        stride[p->dims - 1 - j] = p->step[j];
    }
    hoist_view view;
    if (hoist_view_init((hoist_mut_bytes){memory, MEMORY}, p->type->dtype, &shape, p->offset,
                        stride, &view) != HOIST_OK) {
        (void)fprintf(stderr, "a pattern leads outside\n");
        exit(2);
    }
    return view;
}

typedef enum manner { WHOLE, IN_UNITS, STREAMED, MANNERS } manner;

static hoist_status run(const move *m, const hoist_move_kernels *kernels, uint8_t *memory,
                        manner how)
{
    hoist_view sources[SOURCES];
    for (size_t i = 0; i < m->source_count; i++) {
        sources[i] = view_of(&m->from[i], memory);
    }
    const hoist_view_move v = {.op = m->op,
                               .destination = view_of(&m->to, memory),
                               .sources = sources,
                               .scales = m->scale,
                               .source_count = m->source_count,
                               .arithmetic = m->integers ? m->integers->dtype : HOIST_DTYPE_F32,
                               .has_start = m->has_start,
                               .start = m->start,
                               .transpose_rank = (size_t)m->axes,
                               .transpose_axes = m->axis};
    const hoist_allocator alloc = hoist_allocator_system();
    if (how == WHOLE) {
        return hoist_move_views(kernels, &v, alloc);
    }
    hoist_move_plan plan;
    HOIST_TRY(hoist_move_prepare(&v, &plan));
    if (how == STREAMED) {
        hoist_move_stream(&plan);
    }
    for (size_t unit = plan.units; unit-- > 0;) {
        HOIST_TRY(hoist_move_run(kernels, &plan, unit, unit + 1, alloc, NULL));
    }
    return HOIST_OK;
}

static void print_pattern(const char *what, const pattern *p)
{
    (void)fprintf(stderr, "  %s: %s + %" PRId64, what, hoist_dtype_get(p->type->dtype)->name,
                  p->offset);
    for (int j = 0; j < p->dims; j++) {
        (void)fprintf(stderr, " %" PRId64 " by %" PRId64, p->size[j], p->step[j]);
    }
    (void)fprintf(stderr, "\n");
}

static void print_failure(const move *m, uint64_t seed, const char *level, const uint8_t *got,
                          const uint8_t *wanted)
{
    int64_t at = 0;
    while (at < MEMORY - 1 && got[at] == wanted[at]) {
        at++;
    }
    (void)fprintf(stderr,
                  "seed %" PRIu64 ", level %s, operation %d: byte %" PRId64
                  " is %02x, expected %02x\n",
                  seed, level, (int)m->op, at, got[at], wanted[at]);
    print_pattern("to", &m->to);
    for (size_t i = 0; i < m->source_count; i++) {
        print_pattern("from", &m->from[i]);
    }
    for (int i = 0; i < m->axes; i++) {
        (void)fprintf(stderr, "  axis %d", m->axis[i]);
    }
    (void)fprintf(stderr, "  integers %d start %d %g\n", m->integers != NULL, m->has_start,
                  m->start);
}

// Moves the pattern of `seed` at every level; false when one differs.
static bool try_pattern(uint64_t seed, const uint8_t *memory)
{
    static uint8_t wanted[MEMORY];
    static uint8_t got[MEMORY];
    static move m;
    const hoist_cpu_level most = hoist_cpu_detect();
    state = seed;
    choose_move(&m);
    memcpy(wanted, memory, MEMORY);
    evaluate(&m, wanted);
    for (int level = 0; level <= (int)most && level <= (int)HOIST_CPU_X86_64_V4; level++) {
        const hoist_move_kernels *kernels = hoist_move_kernels_at((hoist_cpu_level)level);
        memcpy(got, memory, MEMORY);
        const manner how = (manner)((seed + (uint64_t)level) % MANNERS);
        const hoist_status status = run(&m, kernels, got, how);
        if (status != HOIST_OK || memcmp(got, wanted, MEMORY) != 0) {
            print_failure(&m, seed, hoist_cpu_level_name((hoist_cpu_level)level), got, wanted);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static uint8_t memory[MEMORY];
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t failures = 0;
    for (uint64_t i = 0; i < count && failures < 5; i++) {
        if (i % 64 == 0) {
            state = ~(first + i) / 64;
            fill(memory);
        }
        failures += !try_pattern(first + i, memory);
    }
    (void)printf("%" PRIu64 " patterns, %" PRIu64 " failures\n", count, failures);
    return failures != 0;
}
