// Splice as one move of tiles: buda-ops reference section 5.6. In: the attributes input<N>: [index,
// length, stride] of each input. Out: a table of tiles (table.c) over all inputs. The move copies
// tiles of all inputs at once; nothing is computed.
#include "base/span.h"
#include "lower/buda/state.h"

enum { MAX_INPUTS = 8 }; // the attributes input0 to input7

// input<N>: [index, length, stride], in units. Each turn skips `index` units, copies `length` of
// them and skips `stride`.
typedef struct pattern {
    uint64_t index;
    uint64_t length;
    uint64_t stride;
    uint64_t offset; // of the stream so far
} pattern;

// `table` is filled in the order of the stream, unit by unit.
typedef struct splice {
    buda_lower_code *c;
    const buda_lower_value *inputs;
    size_t count;
    pattern patterns[MAX_INPUTS];
    uint64_t first_tile[MAX_INPUTS]; // of each input among all joined
    hoist_tile_shape shape;          // of the output
    int32_t *table;
    bool by_column; // order of ublocks
} splice;

// The later of duplicates holds. Wrong triples are left out and reported as missing.
static bool read_patterns(splice *s)
{
    const buda_attributes *attributes = &s->c->view.op->attributes;
    for (size_t i = 0; i < attributes->count; i++) {
        const buda_attribute *a = &attributes->items[i];
        // The reader has checked the form of the key.
        if (a->attr != HOIST_ATTR_INPUT || a->input < 0 || a->input >= MAX_INPUTS ||
            a->ints.count != 3) {
            continue;
        }
        const buda_int *items = a->ints.items;
        if (items[0].value >= 0 && items[1].value > 0 && items[2].value > 0) {
            s->patterns[a->input] = (pattern){(uint64_t)items[0].value, (uint64_t)items[1].value,
                                              (uint64_t)items[2].value, 0};
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->patterns[i].length == 0) {
            buda_lower_refuse(s->c->l, RUN_002, attributes->pos,
                              "splice '%.*s' has no attribute input%zu",
                              HOIST_STR_ARGS(s->c->label), i);
            return false;
        }
    }
    return true;
}

static bool refuse(splice *s, size_t input)
{
    buda_lower_refuse(s->c->l, RUN_003, buda_input_pos(s->c->view.op, input),
                      "input %zu of splice '%.*s' has not the tiles that its pattern needs", input,
                      HOIST_STR_ARGS(s->c->label));
    return false;
}

// What streams are made of: `units` of the output's, each `limit[i]` of input i's. Streams run
// over ublocks of one core's part of a slice, or over whole slices (granularity t).
typedef struct stream {
    uint64_t units;
    uint64_t limits[MAX_INPUTS];
    // Copies unit `from` of input `i` to unit `to`.
    void (*copy)(splice *s, size_t i, uint64_t from, uint64_t to, const void *where);
    const void *where;
} stream;

// Fills the output from the inputs in turn, until it is full. Every turn copies at least one unit,
// as lengths are above 0.
static bool run_stream(splice *s, const stream *in)
{
    uint64_t done = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->patterns[i].offset = 0;
    }
    while (done < in->units) {
        for (size_t i = 0; i < s->count && done < in->units; i++) {
            pattern *p = &s->patterns[i];
            p->offset += p->index;
            for (uint64_t k = 0; k < p->length && done < in->units; k++) {
                // Both are bounded: offsets grow by file values, and the first one beyond the
                // input ends the stream.
                if (p->offset + k >= in->limits[i]) {
                    return refuse(s, i);
                }
                in->copy(s, i, p->offset + k, done++, in->where);
            }
            p->offset += p->stride;
        }
    }
    return true;
}

// Row-major within a slice; slices follow each other.
static uint64_t tile_at(hoist_tile_shape shape, uint64_t z, uint64_t row, uint64_t col)
{
    return (z * shape.rows + row) * shape.cols + col;
}

// A slice of the output has the shape of a slice of each input.
static void copy_slice(splice *s, size_t i, uint64_t from, uint64_t to, const void *where)
{
    (void)where;
    const uint64_t tiles = s->shape.rows * s->shape.cols;
    for (uint64_t t = 0; t < tiles; t++) {
        s->table[to * tiles + t] = (int32_t)(s->first_tile[i] + from * tiles + t);
    }
}

// Numbers of slices may differ from input to input.
static bool by_slices(splice *s)
{
    stream in = {.units = s->shape.z, .copy = copy_slice};
    for (size_t i = 0; i < s->count; i++) {
        in.limits[i] = s->inputs[i].shape.z;
        if (s->inputs[i].shape.rows != s->shape.rows || s->inputs[i].shape.cols != s->shape.cols) {
            return refuse(s, i);
        }
    }
    return run_stream(s, &in);
}

// One core's part of one slice: cores do not exchange tiles.
typedef struct core {
    uint64_t z;
    uint64_t row; // of the grid
    uint64_t col;
} core;

// Tile row and column of ublock `unit` of a tensor's part, in the order of ublocks that the op
// writes.
static void ublock_at(const splice *s, const core *part, hoist_tile_shape shape, uint64_t unit,
                      uint64_t out_at[2])
{
    const buda_op *op = s->c->view.op;
    const uint64_t rows = shape.rows / (uint64_t)op->grid_size.r;
    const uint64_t cols = shape.cols / (uint64_t)op->grid_size.c;
    const uint64_t down = rows / (uint64_t)op->ublock.r;
    const uint64_t across = cols / (uint64_t)op->ublock.c;
    const uint64_t row = s->by_column ? unit % down : unit / across;
    const uint64_t col = s->by_column ? unit / down : unit % across;
    out_at[0] = part->row * rows + row * (uint64_t)op->ublock.r;
    out_at[1] = part->col * cols + col * (uint64_t)op->ublock.c;
}

// Source and target have ublocks of one size, in parts of different sizes.
static void copy_ublock(splice *s, size_t i, uint64_t from, uint64_t to, const void *where)
{
    const core *part = where;
    const buda_op *op = s->c->view.op;
    uint64_t source[2];
    uint64_t target[2];
    ublock_at(s, part, s->inputs[i].shape, from, source);
    ublock_at(s, part, s->shape, to, target);
    for (uint64_t r = 0; r < (uint64_t)op->ublock.r; r++) {
        for (uint64_t c = 0; c < (uint64_t)op->ublock.c; c++) {
            s->table[tile_at(s->shape, part->z, target[0] + r, target[1] + c)] =
                (int32_t)(s->first_tile[i] +
                          tile_at(s->inputs[i].shape, part->z, source[0] + r, source[1] + c));
        }
    }
}

// Ublocks of the output's shape in one core's part of a slice; 0 when it does not divide. Zero
// also means "no ublock", which no input may have.
static uint64_t ublocks(const splice *s, hoist_tile_shape shape)
{
    const buda_op *op = s->c->view.op;
    const uint64_t rows = (uint64_t)op->grid_size.r * (uint64_t)op->ublock.r;
    const uint64_t cols = (uint64_t)op->grid_size.c * (uint64_t)op->ublock.c;
    return shape.rows % rows || shape.cols % cols ? 0 : shape.rows / rows * (shape.cols / cols);
}

// The stream begins anew for each core and slice: patterns are per core.
static bool by_ublocks(splice *s)
{
    const buda_op *op = s->c->view.op;
    stream in = {.units = ublocks(s, s->shape), .copy = copy_ublock};
    for (size_t i = 0; i < s->count; i++) {
        in.limits[i] = ublocks(s, s->inputs[i].shape);
        if (in.limits[i] == 0 || s->inputs[i].shape.z < s->shape.z) {
            return refuse(s, i);
        }
    }
    core part = {0};
    in.where = &part; // copy_ublock() reads the part at hand
    for (part.z = 0; part.z < s->shape.z; part.z++) {
        for (part.row = 0; part.row < (uint64_t)op->grid_size.r; part.row++) {
            for (part.col = 0; part.col < (uint64_t)op->grid_size.c; part.col++) {
                if (!run_stream(s, &in)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// One source per input; the table numbers their tiles one after the other.
static buda_lower_value emit(splice *s)
{
    buda_lower_code *c = s->c;
    hoist_move_source sources[MAX_INPUTS];
    for (size_t i = 0; i < s->count; i++) {
        sources[i] = (hoist_move_source){.view = s->inputs[i].view, .scale = 1.0F};
    }
    const buda_lower_value result = buda_lower_tensor(c, s->shape, HOIST_LIFETIME_CALL);
    const hoist_prog_move move = {.op = HOIST_MOVE_COPY,
                                  .destination = result.view,
                                  .sources = sources,
                                  .source_count = (uint32_t)s->count,
                                  .table = s->table,
                                  .table_count = (uint32_t)buda_lower_tiles(s->shape)};
    buda_lower_spend(c->l, move.table_count, c->view.op->name.pos);
    hoist_prog_step step = buda_lower_step(c, HOIST_STEP_MOVE);
    step.as.move = &move;
    (void)hoist_builder_step(c->l->c.b, &step);
    return result;
}

// The number of tiles of all inputs bounds what a table entry may name.
buda_lower_value buda_lower_splice(buda_lower_code *c, const buda_lower_value *inputs)
{
    const buda_op *op = c->view.op;
    splice s = {.c = c,
                .inputs = inputs,
                .count = c->view.input_count,
                .by_column = op->ublock_order.value == BUDA_ORDER_C};
    buda_shape shape;
    if (s.count < 1 || s.count > MAX_INPUTS || !buda_shape_of_op(op, &shape)) {
        buda_lower_refuse(c->l, RUN_003, op->name.pos,
                          "splice '%.*s' has %zu inputs, expected 1 to 8", HOIST_STR_ARGS(c->label),
                          s.count);
        return buda_lower_none();
    }
    s.shape = (hoist_tile_shape){(uint64_t)shape.z, (uint64_t)shape.r, (uint64_t)shape.c};
    uint64_t tiles = 0;
    for (size_t i = 0; i < s.count; i++) {
        if (inputs[i].view == HOIST_NO_REF) {
            return buda_lower_none();
        }
        s.first_tile[i] = tiles; // as the move numbers tiles
        tiles += buda_lower_tiles(inputs[i].shape);
    }
    if (!buda_lower_fits(c->l, s.shape, op->name.pos, "the result") || !read_patterns(&s)) {
        return buda_lower_none();
    }
    s.table = hoist_lower_scratch(&c->l->c, (size_t)buda_lower_tiles(s.shape), sizeof(int32_t));
    if (!s.table) {
        return buda_lower_none();
    }
    const bool slices = buda_attr_is(&op->attributes, HOIST_ATTR_GRANULARITY, "t");
    return (slices ? by_slices(&s) : by_ublocks(&s)) ? emit(&s) : buda_lower_none();
}
