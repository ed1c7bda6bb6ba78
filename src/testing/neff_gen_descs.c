// Descriptors: ops, dtypes, patterns.
#include <string.h>

#include "base/span.h"
#include "testing/neff_gen.h"

enum { OP_COPY, OP_CAST, OP_FMA, OP_ADD, OP_MIN, OP_MAX, OP_TRANSPOSE, OPS };
static const char *const ops[OPS] = {"copy", "cast", "fma", "add", "min", "max", "transpose"};

enum { MOST_DIMENSIONS = 8, ROOM = 8192 }; // of each descriptor in its variable
enum { STEPS_POSITIVE, STEPS_ZERO, STEPS_NEGATIVE, STEPS_OVERLAP };

// Where a descriptor has its space.
typedef struct desc_place {
    const char *from; // variables
    const char *to;
    int64_t base; // bytes
} desc_place;

// What both sides move: extents in elements, innermost first.
typedef struct desc_shape {
    size_t count;
    int64_t sizes[MOST_DIMENSIONS];
    int64_t elements;
} desc_shape;

static desc_shape draw_shape(neff_gen *g)
{
    enum { USUAL = 4, CONTENT_DIMENSIONS = 4 };
    const bool many = g->generation != 1 && gen_chance(g, 10);
    desc_shape shape = {.elements = 1};
    shape.count = many ? USUAL + 1 + gen_pick(g, 4) : 1 + gen_pick(g, USUAL);
    gen_mark(g, CELL_DIMENSIONS + shape.count - 1);
    if (many) {
        gen_mark(g, CELL_CONTENT + CONTENT_DIMENSIONS);
    }
    for (size_t i = 0; i < shape.count; i++) {
        shape.sizes[i] = i == 0 ? 2 + 2 * (int64_t)gen_pick(g, 4) : 1 + (int64_t)gen_pick(g, 2);
        shape.elements *= shape.sizes[i];
    }
    return shape;
}

// A pattern of the shape's elements, `base` bytes into the variable or a little after.
static hoist_neff_pattern pattern_of(neff_gen *g, const char *variable, const desc_shape *shape,
                                     int64_t element, int64_t base, size_t kind)
{
    int64_t sizes[MOST_DIMENSIONS] = {shape->sizes[0] * element};
    int64_t steps[MOST_DIMENSIONS] = {1};
    int64_t extent = sizes[0];
    int64_t off = base;
    const size_t special = shape->count > 1 ? 1 + gen_pick(g, shape->count - 1) : 0;
    for (size_t i = 1; i < shape->count; i++) {
        sizes[i] = shape->sizes[i];
        steps[i] = extent + (gen_chance(g, 30) ? 8 : 0);
        if (i == special && kind == STEPS_ZERO) {
            steps[i] = 0;
        } else if (i == special && kind == STEPS_OVERLAP) {
            steps[i] = element;
        }
        extent += (sizes[i] - 1) * steps[i];
        if (i == special && kind == STEPS_NEGATIVE) {
            off += (sizes[i] - 1) * steps[i];
            steps[i] = -steps[i];
        }
    }
    return (hoist_neff_pattern){.variable = variable,
                                .off = off,
                                .sizes = gen_ints(g, sizes, shape->count),
                                .steps = gen_ints(g, steps, shape->count)};
}

// The same number of elements in a row.
static desc_shape flat(const desc_shape *shape)
{
    return (desc_shape){.count = 1, .sizes = {shape->elements}, .elements = shape->elements};
}

static hoist_neff_pattern source_of(neff_gen *g, const char *variable, const desc_shape *shape,
                                    int64_t element, int64_t base)
{
    const size_t kind = shape->count > 1 ? gen_draw(g, CELL_STEPS_POSITIVE, 4) : STEPS_POSITIVE;
    return pattern_of(g, variable, shape, element, base, kind);
}

static hoist_neff_pattern target_of(neff_gen *g, const char *variable, const desc_shape *shape,
                                    int64_t element, int64_t base)
{
    const bool other = gen_draw(g, CELL_SHAPES_EQUAL, 2) && shape->count > 1;
    const desc_shape row = flat(shape);
    return pattern_of(g, variable, other ? &row : shape, element, base, STEPS_POSITIVE);
}

// Ops --------------------------------------------------------------------------------------------

static void draw_copy(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from,
                      const desc_place *at)
{
    const desc_shape shape = draw_shape(g);
    const size_t dtype = gen_draw(g, CELL_OP_DTYPE + OP_COPY * GEN_DTYPES, GEN_DTYPES);
    const bool typed = g->generation != 1 && gen_chance(g, 50);
    const int64_t element = typed ? neff_gen_dtypes[dtype].bytes : 1;
    *from = source_of(g, at->from, &shape, element, at->base);
    d->to = target_of(g, at->to, &shape, element, at->base);
    from->dtype = d->to.dtype = typed ? neff_gen_dtypes[dtype].name : NULL;
    d->op = g->generation != 1 && gen_chance(g, 50) ? ops[OP_COPY] : NULL;
}

static void draw_cast(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from,
                      const desc_place *at)
{
    const desc_shape shape = draw_shape(g);
    const size_t pair = gen_draw(g, CELL_CAST, (size_t)GEN_DTYPES * GEN_DTYPES);
    const neff_gen_dtype *const a = &neff_gen_dtypes[pair / GEN_DTYPES];
    const neff_gen_dtype *const b = &neff_gen_dtypes[pair % GEN_DTYPES];
    gen_mark(g, CELL_OP_DTYPE + OP_CAST * GEN_DTYPES + pair / GEN_DTYPES);
    *from = source_of(g, at->from, &shape, a->bytes, at->base);
    d->to = target_of(g, at->to, &shape, b->bytes, at->base);
    from->dtype = a->name;
    d->to.dtype = b->name;
    d->op = ops[OP_CAST];
}

static void draw_scales(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from)
{
    d->scale_dtype = "float32";
    switch (gen_draw(g, CELL_SCALE_NONE, 3)) {
    case 1:
        for (size_t i = 0; i < d->from_count; i++) {
            from[i].has_scale = true;
            from[i].scale = 0.5 * (double)(1 + gen_pick(g, 8));
        }
        break;
    case 2: {
        static const hoist_neff_key scale = {"scale", "0.25"};
        d->keys = (hoist_neff_keys){&scale, 1};
        break;
    }
    default:
        break;
    }
}

static void draw_constant(neff_gen *g, hoist_neff_desc *d)
{
    static const char *const dtypes[] = {NULL, "float32", "int32", "uint32"};
    d->constant_dtype = dtypes[gen_draw(g, CELL_CONSTANT, 4)];
    if (d->constant_dtype) {
        d->has_constant = true;
        d->constant = (double)gen_pick(g, 9);
    }
}

static void draw_sources(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from, size_t op,
                         const desc_place *at)
{
    const desc_shape shape = draw_shape(g);
    const size_t dtype = gen_draw(g, CELL_OP_DTYPE + op * GEN_DTYPES, GEN_DTYPES);
    const neff_gen_dtype *const row = &neff_gen_dtypes[dtype];
    d->op = ops[op];
    d->from_arr = true;
    // Sixteen sources are long texts: small files have few of those.
    const bool roomy = g->size != NEFF_FILE_SMALL || (g->subgraphs == 1 && g->sides < 8);
    d->from_count = 1 + gen_draw(g, CELL_SOURCES, roomy ? 16 : 3);
    d->to = target_of(g, at->to, &shape, row->bytes, at->base);
    d->to.dtype = row->name;
    for (size_t i = 0; i < d->from_count; i++) {
        from[i] = source_of(g, at->from, &shape, row->bytes, at->base);
        from[i].dtype = row->name;
        from[i].keys = gen_keys(g, LEVEL_SOURCE);
    }
    if (gen_chance(g, 30)) {
        gen_mark(g, CELL_IN_PLACE);
        from[0] = d->to;
    }
    if (op == OP_FMA) {
        draw_scales(g, d, from);
    } else if (op != OP_ADD) {
        draw_constant(g, d);
    }
}

static void draw_transpose(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from,
                           const desc_place *at)
{
    const size_t dtype = gen_draw(g, CELL_OP_DTYPE + OP_TRANSPOSE * GEN_DTYPES, GEN_DTYPES);
    const neff_gen_dtype *const row = &neff_gen_dtypes[dtype];
    const bool square = gen_draw(g, CELL_TRANSPOSE_SQUARE, 2) == 0;
    const int64_t lines = 4;
    const int64_t columns = square ? lines : 2;
    const desc_shape shape = {.count = 1, .sizes = {lines * columns}, .elements = lines * columns};
    const int64_t extents[] = {columns, 1, 1, lines};
    *from = source_of(g, at->from, &shape, row->bytes, at->base);
    d->to = target_of(g, at->to, &shape, row->bytes, at->base);
    from->dtype = d->to.dtype = row->name;
    d->op = ops[OP_TRANSPOSE];
    d->transpose_shape = gen_ints(g, extents, HOIST_COUNT_OF(extents));
    d->transpose_element_size = row->bytes;
}

// Rows of a tile in as many partitions of the state buffer (neff reference 4.1.1).
enum { LINE = 64, LINES_OF_BLOCK = 5 };
static void draw_tile(neff_gen *g, hoist_neff_desc *d, hoist_neff_pattern *from, const char *source,
                      int64_t base)
{
    enum { PARTITION = 0x40000, FIRST = 0x2000 };
    const int64_t partitions = 2 + (int64_t)gen_pick(g, 3);
    const int64_t sizes[] = {LINE, partitions};
    const int64_t linear[] = {1, LINE};
    const int64_t strided[] = {1, PARTITION};
    gen_mark(g, CELL_STATE_BUFFER);
    *from = (hoist_neff_pattern){.variable = source,
                                 .off = base,
                                 .sizes = gen_ints(g, sizes, 2),
                                 .steps = gen_ints(g, linear, 2)};
    d->to = (hoist_neff_pattern){
        .variable = "sb",
        // Lines of their own for every block and descriptor.
        .off = FIRST + LINE * (LINES_OF_BLOCK * (int64_t)(g->blocks % 300) + base / ROOM),
        .sizes = gen_ints(g, sizes, 2),
        .steps = gen_ints(g, strided, 2)};
}

bool gen_is_full(const neff_gen *g)
{
    enum { MOST_SIDES = 15 }; // for one subgraph; two have twice the members
    const size_t most = g->subgraphs == 2 ? MOST_SIDES / 3 * (g->subgraph + 1) / 2 : MOST_SIDES;
    return g->size == NEFF_FILE_SMALL && g->sides > most;
}

static void draw_desc(neff_gen *g, hoist_neff_desc *d, const char *from, const char *to,
                      int64_t base)
{
    enum { MOST_SOURCES = 16 };
    hoist_neff_pattern *const sources =
        hoist_arena_array(&g->arena, MOST_SOURCES, sizeof(sources[0]));
    gen_do(sources ? HOIST_OK : HOIST_NO_MEMORY);
    const desc_place at = {from, to, base};
    const size_t op = g->generation == 1 || gen_is_full(g) ? OP_COPY : gen_pick(g, OPS);
    *d = (hoist_neff_desc){.struct_size = sizeof(*d),
                           .from = sources,
                           .from_count = 1,
                           .keys = gen_keys(g, LEVEL_DESC)};
    if (op == OP_COPY && gen_chance(g, 20)) {
        draw_tile(g, d, sources, from, base);
    } else if (op == OP_COPY) {
        draw_copy(g, d, sources, &at);
    } else if (op == OP_CAST) {
        draw_cast(g, d, sources, &at);
    } else if (op == OP_TRANSPOSE) {
        draw_transpose(g, d, sources, &at);
    } else {
        draw_sources(g, d, sources, op, &at);
    }
    g->sides += d->from_count + 1;
    if (gen_draw(g, CELL_TILING_NONE, 2)) {
        d->has_num_tiling_dimensions = true;
        const size_t a = d->from[0].sizes.count;
        const size_t b = d->to.sizes.count;
        d->num_tiling_dimensions = (int64_t)gen_pick(g, (a < b ? a : b) + 1);
    }
}

hoist_neff_desc *gen_descs(neff_gen *g, const char *from, const char *to, size_t count)
{
    hoist_neff_desc *const descs = hoist_arena_array(&g->arena, count, sizeof(descs[0]));
    gen_do(descs ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < count; i++) {
        draw_desc(g, &descs[i], from, to, (int64_t)i * ROOM);
    }
    return descs;
}

// What writes `old` (or what was written there) writes `to`, or lines of the next block.
static hoist_neff_pattern moved(hoist_neff_pattern pattern, const char *old, const char *to)
{
    if (pattern.variable == old) {
        pattern.variable = to;
    } else {
        pattern.off += (int64_t)LINES_OF_BLOCK * LINE;
    }
    return pattern;
}

hoist_neff_desc *gen_again(neff_gen *g, const hoist_neff_desc *descs, size_t count, const char *old,
                           const char *to)
{
    hoist_neff_desc *const again = hoist_arena_array(&g->arena, count, sizeof(again[0]));
    gen_do(again ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < count; i++) {
        hoist_neff_pattern *const from =
            hoist_arena_array(&g->arena, descs[i].from_count, sizeof(from[0]));
        gen_do(from ? HOIST_OK : HOIST_NO_MEMORY);
        again[i] = descs[i];
        again[i].from = from;
        again[i].to = moved(descs[i].to, old, to);
        for (size_t k = 0; k < descs[i].from_count; k++) {
            const bool in_place = descs[i].from[k].variable == old;
            from[k] = in_place ? moved(descs[i].from[k], old, to) : descs[i].from[k];
        }
    }
    return again;
}

hoist_neff_desc *gen_copy(neff_gen *g, const char *from, const char *to, int64_t offset,
                          int64_t size)
{
    const int64_t one = 1;
    hoist_neff_desc *const desc = hoist_arena_alloc(&g->arena, sizeof(*desc));
    hoist_neff_pattern *const source = hoist_arena_alloc(&g->arena, sizeof(*source));
    gen_do(desc && source ? HOIST_OK : HOIST_NO_MEMORY);
    *source = (hoist_neff_pattern){
        .variable = from, .sizes = gen_ints(g, &size, 1), .steps = gen_ints(g, &one, 1)};
    *desc = (hoist_neff_desc){
        .struct_size = sizeof(*desc), .from = source, .from_count = 1, .to = *source};
    desc->to.variable = to;
    desc->to.off = offset;
    return desc;
}
