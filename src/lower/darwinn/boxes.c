// Layers as boxes: elements that lie in constant strides on both sides. In: layout or slices of an
// output layer (formats/darwinn/layout.h). Out: a few boxes in place of one move per element;
// border.c makes the moves.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/layout.h"
#include "lower/darwinn/border.h"
#include "lower/quant_steps.h"

// Boxes of a layer in the making.
typedef struct maker {
    darwinn_lower_model *model;
    const dwn_layer *layer;
    int64_t element;          // bytes
    int64_t elements;         // that fit into size_bytes
    darwinn_lower_box *boxes; // owned
    size_t count;
    size_t capacity;
} maker;

// RUN_036, with the layer and the reason.
static bool refuse(const maker *m, const char *why)
{
    return darwinn_lower_refuse(m->model, RUN_036, "the elements of layer '%.*s' have no order: %s",
                                HOIST_STR_ARGS(m->layer->name), why);
}

// A new box, which lives until the next call; NULL: there are too many, which was reported, or no
// memory.
static darwinn_lower_box *add_box(maker *m)
{
    if (m->count >= DARWINN_LOWER_MAX_BOXES) {
        darwinn_lower_refuse(m->model, RUN_008, "the order of layer '%.*s' has more than %d pieces",
                             HOIST_STR_ARGS(m->layer->name), DARWINN_LOWER_MAX_BOXES);
        return NULL;
    }
    if (!hoist_grow(m->model->c->arena.alloc, (void **)&m->boxes, &m->capacity, m->count + 1,
                    sizeof *m->boxes)) {
        hoist_lower_fail(m->model->c, HOIST_NO_MEMORY);
        return NULL;
    }
    darwinn_lower_box *const box = &m->boxes[m->count++];
    *box = (darwinn_lower_box){.user = 0};
    return box;
}

// Layouts ---------------------------------------------------------------------------------------

// Pixels of a row that follow each other in constant steps, and those that lie likewise in rows
// below: they become a box. In elements.
typedef struct strip {
    int64_t x, columns, step;
    int64_t y, rows, drop;
    int64_t first; // of pixel (y, x)
    int64_t last;  // of the same pixel of the last row
} strip;

// The longest strip in row y from column x on. The first step decides; the strip ends where another
// comes. False: a pixel is outside the buffer.
static bool strip_at(const maker *m, const dwn_output_layout *layout, int64_t y, int64_t x,
                     strip *out_strip)
{
    strip s = {.x = x, .columns = 1, .y = y, .rows = 1};
    int64_t before = s.first = s.last = dwn_layout_index(layout, y, x);
    bool inside = s.first <= m->elements - m->layer->z_dim;
    for (int64_t at = x + 1; inside && at < m->layer->x_dim; at++) {
        const int64_t next = dwn_layout_index(layout, y, at);
        if (s.columns > 1 && next - before != s.step) {
            break;
        }
        inside = next <= m->elements - m->layer->z_dim;
        s.step = next - before;
        before = next;
        s.columns++;
    }
    *out_strip = s;
    return inside;
}

// The strip of the row below continues it: the same columns and step, and the distance of rows so
// far.
static bool goes_on(const strip *s, const strip *below)
{
    return s->x == below->x && s->columns == below->columns && s->step == below->step &&
           (s->rows == 1 || below->first - s->last == s->drop);
}

// In bytes: user's elements are packed, [rows, columns, z] of both sides.
static bool add_strip(maker *m, const strip *s)
{
    const int64_t z = m->layer->z_dim;
    const int64_t e = m->element;
    darwinn_lower_box *const box = add_box(m);
    if (!box) {
        return false;
    }
    box->shape = (hoist_shape){.rank = 3, .dim = {s->rows, s->columns, z}};
    box->user = (s->y * m->layer->x_dim + s->x) * z * e;
    box->chip = s->first * e;
    const int64_t user[] = {m->layer->x_dim * z * e, z * e, e};
    const int64_t chip[] = {s->drop * e, s->step * e, e};
    memcpy(box->user_stride, user, sizeof user);
    memcpy(box->chip_stride, chip, sizeof chip);
    return true;
}

// Strips that may still go on, in the order of their columns.
typedef struct open_strips {
    strip *items; // owned: one for each column
    size_t count;
} open_strips;

// One row: strips that continue one from above are joined with it, those from above that do not go
// on become boxes. Both lists are in the order of columns, so one pass over each is enough, and
// each holds x_dim strips at most.
static bool walk_row(maker *m, const dwn_output_layout *layout, int64_t y, const open_strips *above,
                     open_strips *out_row)
{
    size_t at = 0;
    out_row->count = 0;
    for (int64_t x = 0; x < m->layer->x_dim;) {
        strip *const s = &out_row->items[out_row->count++];
        if (!strip_at(m, layout, y, x, s)) {
            return refuse(m, "a pixel is outside the buffer");
        }
        x += s->columns;
        while (at < above->count && above->items[at].x < s->x) {
            if (!add_strip(m, &above->items[at++])) {
                return false;
            }
        }
        if (at < above->count && goes_on(&above->items[at], s)) {
            strip merged = above->items[at++];
            merged.drop = s->first - merged.last;
            merged.last = s->first;
            merged.rows++;
            *s = merged;
        }
    }
    while (at < above->count) {
        if (!add_strip(m, &above->items[at++])) {
            return false;
        }
    }
    return true;
}

// Rows from top to bottom; the two lists change places.
static bool walk_layout(maker *m, const dwn_output_layout *layout, open_strips lists[2])
{
    int now = 0;
    for (int64_t y = 0; y < m->layer->y_dim; y++, now = !now) {
        if (!walk_row(m, layout, y, &lists[!now], &lists[now])) {
            return false;
        }
    }
    for (size_t i = 0; i < lists[!now].count; i++) {
        if (!add_strip(m, &lists[!now].items[i])) {
            return false;
        }
    }
    return true;
}

// Outputs with a layout (reference 5.1): pixel (y, x) is at dwn_layout_index(), its channels behind
// each other. Work is bounded by pixels, memory by columns.
static bool add_layout(maker *m, const dwn_output_layout *layout)
{
    const hoist_allocator alloc = m->model->c->arena.alloc;
    const size_t columns = (size_t)m->layer->x_dim;
    if (!layout || !dwn_layout_is_complete(layout, m->layer)) {
        return refuse(m, "its layout is not complete");
    }
    if ((int64_t)m->layer->y_dim * m->layer->x_dim > DARWINN_LOWER_MAX_PIXELS) {
        return darwinn_lower_refuse(m->model, RUN_008,
                                    "layer '%.*s' has %" PRId32 " x %" PRId32
                                    " pixels, at most %d in all",
                                    HOIST_STR_ARGS(m->layer->name), m->layer->y_dim,
                                    m->layer->x_dim, (int)DARWINN_LOWER_MAX_PIXELS);
    }
    strip *const strips = hoist_alloc_zero(alloc, 2 * columns, sizeof *strips);
    if (!strips) {
        hoist_lower_fail(m->model->c, HOIST_NO_MEMORY);
        return false;
    }
    open_strips lists[2] = {{.items = strips}, {.items = strips + columns}};
    const bool done = walk_layout(m, layout, lists);
    hoist_free(alloc, strips, 2 * columns * sizeof *strips);
    return done;
}

// Slices ----------------------------------------------------------------------------------------

// A slice as one box: its dimensions of more than one element, each joined with the one inside it
// where neither side has a gap. False: more than a move can have.
static bool add_dimensions(maker *m, const dwn_slice *slice, darwinn_lower_box *box)
{
    const dwn_tensor_shape *const whole = m->layer->shape;
    int64_t stride = 1; // of the tensor, which is packed
    int rank = 0;       // innermost first
    box->chip = slice->offset;
    for (size_t i = slice->rank; i-- > 0;) {
        const dwn_range have = dwn_shape_range(whole, i);
        const dwn_range part = dwn_shape_range(slice->layout->shape, i);
        const int64_t extent = (int64_t)part.end - part.start + 1; // of both, ranges are inclusive
        const int64_t apart = hoist_fb_i32(slice->layout->stride, i);
        box->user += (part.start - (int64_t)have.start) * stride * m->element;
        if (extent > 1 && rank > 0 &&
            box->user_stride[rank - 1] * box->shape.dim[rank - 1] == stride * m->element &&
            box->chip_stride[rank - 1] * box->shape.dim[rank - 1] == apart * m->element) {
            box->shape.dim[rank - 1] *= extent;
        } else if (extent > 1 || (i == 0 && rank == 0)) {
            if (rank == HOIST_MAX_RANK - 1) {
                return false;
            }
            box->shape.dim[rank] = extent;
            box->user_stride[rank] = stride * m->element;
            box->chip_stride[rank++] = apart * m->element;
        }
        stride *= (int64_t)have.end - have.start + 1;
    }
    box->shape.rank = rank;
    return true;
}

static void swap(int64_t *a, int64_t *b)
{
    const int64_t kept = *a;
    *a = *b;
    *b = kept;
}

// Views have the outermost dimension first.
static void turn_round(darwinn_lower_box *box)
{
    for (int i = 0, k = box->shape.rank - 1; i < k; i++, k--) {
        swap(&box->shape.dim[i], &box->shape.dim[k]);
        swap(&box->user_stride[i], &box->user_stride[k]);
        swap(&box->chip_stride[i], &box->chip_stride[k]);
    }
}

// A slice has to be inside the tensor and the buffer: its offset and strides are numbers of the
// file.
static bool add_slice(maker *m, const dwn_shape_info *info, uint32_t index)
{
    dwn_slice slice;
    if (!dwn_slice_of(info, index, &slice) || slice.rank != dwn_shape_rank(m->layer->shape) ||
        slice.span < 0 || slice.offset < 0 || slice.offset % m->element ||
        !dwn_slice_is_inside(&slice, m->layer->shape) ||
        slice.span > m->elements - slice.offset / m->element) {
        return refuse(m, "a slice is not inside the tensor and the buffer");
    }
    darwinn_lower_box *const box = add_box(m);
    if (!box) {
        return false;
    }
    if (!add_dimensions(m, &slice, box)) {
        return refuse(m, "a slice has too many dimensions");
    }
    turn_round(box);
    return true;
}

// Outputs with shape_info (reference 5.2), which exclude several executions.
static bool add_slices(maker *m, const dwn_shape_info *info)
{
    const uint32_t count = info->slice_layout.count;
    if (!m->layer->shape || m->layer->execution_count_per_inference != 1 ||
        dwn_map_count(info->slice_offset) != count) {
        return refuse(m, "its slices do not fit it");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_slice(m, info, i)) {
            return false;
        }
    }
    return true;
}

// Layers ----------------------------------------------------------------------------------------

// One box: both sides have all elements in one order.
static bool add_row(maker *m, int64_t elements)
{
    darwinn_lower_box *const box = add_box(m);
    if (box) {
        box->shape = (hoist_shape){.rank = 1, .dim = {elements}};
        box->user_stride[0] = box->chip_stride[0] = m->element;
    }
    return box != NULL;
}

// An output's slices count before its layout; inputs are in a row always.
static bool add_boxes(maker *m, darwinn_lower_border *border)
{
    const dwn_layer *const layer = m->layer;
    const bool is_image = layer->y_dim > 1 || layer->x_dim > 1;
    const dwn_output_layer *const output =
        layer->any_layer.type == DWN_LAYER_OUTPUT ? layer->any_layer.value : NULL;
    if (output && output->shape_info) { // slices may overlap or leave gaps
        border->may_miss = true;
        return add_slices(m, output->shape_info);
    }
    if (output && is_image) {
        return add_layout(m, output->layout);
    }
    border->in_row = true;
    return add_row(m, border->elements);
}

// The end of the last byte of the boxes, from the start of the buffer; strides may be negative,
// then the first element is the last byte.
static int64_t reach_of(const maker *m)
{
    int64_t reach = 0;
    for (size_t i = 0; i < m->count; i++) {
        const darwinn_lower_box *const box = &m->boxes[i];
        int64_t end = box->chip + m->element;
        for (int k = 0; k < box->shape.rank; k++) {
            const int64_t step = box->chip_stride[k];
            end += step > 0 ? (box->shape.dim[k] - 1) * step : 0;
        }
        reach = end > reach ? end : reach;
    }
    return reach;
}

// Boxes move to the arena; the reach covers all executions.
static bool finish(maker *m, darwinn_lower_border *border)
{
    darwinn_lower_box *const boxes = hoist_lower_array(m->model->c, m->count + 1, sizeof *boxes);
    if (!boxes) {
        return false;
    }
    if (m->count > 0) {
        memcpy(boxes, m->boxes, m->count * sizeof *boxes);
    }
    const int64_t executions = m->layer->execution_count_per_inference;
    border->boxes = boxes;
    border->count = (uint32_t)m->count;
    border->reach = (executions - 1) * m->layer->size_bytes + reach_of(m);
    return true;
}

// Flipping the top bit of n-bit numbers adds 2^(n-1) to signed ones. Float32 is exact for these up
// to 24 bits, so the flip can be part of a move.
static hoist_ref make_middle(darwinn_lower_model *model, float middle)
{
    darwinn_lower_chip *const chip = model->chip;
    uint8_t *const bytes = hoist_lower_array(chip->c, 1, sizeof middle);
    if (!bytes) {
        return HOIST_NO_REF;
    }
    uint32_t bits = 0;
    memcpy(&bits, &middle, sizeof bits);
    hoist_store_u32le(bytes, bits);
    hoist_quant_layers constants;
    hoist_quant_init(&constants, chip->c, chip->host);
    const hoist_ref constant =
        hoist_quant_constant(&constants, (hoist_bytes){bytes, sizeof middle});
    hoist_lower_fail(chip->c, hoist_builder_status(chip->c->b));
    return constant;
}

// All layers of a chip whose numbers have as many bytes share the constant.
static bool add_middle(darwinn_lower_model *model, darwinn_lower_border *border)
{
    const bool is_byte = border->type->size == 1;
    hoist_ref *const shared = &model->chip->middles[is_byte ? 0 : 1];
    if (*shared == HOIST_NO_REF) {
        *shared = make_middle(model, is_byte ? 0x80 : 0x8000);
    }
    border->middle = *shared;
    return border->middle != HOIST_NO_REF;
}

// Everything that boxes rely on is compared first: a type, at least one element, buffers that are
// large enough, and one count by dimensions and by shape.
bool darwinn_lower_border_of(darwinn_lower_model *model, const dwn_layer *layer,
                             darwinn_lower_border *out_border)
{
    darwinn_lower_border border = {.layer = layer,
                                   .type = dwn_type_of(layer->data_type),
                                   .elements = dwn_layer_elements(layer),
                                   .middle = HOIST_NO_REF};
    *out_border = border;
    maker m = {.model = model, .layer = layer, .element = border.type ? border.type->size : 1};
    m.elements = layer->size_bytes / m.element;
    if (!border.type || border.elements < 1 || border.elements > m.elements ||
        dwn_layer_plain(layer) != border.elements || layer->execution_count_per_inference < 1) {
        return refuse(&m, "its type, sizes or shape do not fit each other");
    }
    const bool done = add_boxes(&m, &border) && finish(&m, &border) &&
                      (!border.type->is_flipped || add_middle(model, &border));
    hoist_free(model->c->arena.alloc, m.boxes, m.capacity * sizeof *m.boxes);
    *out_border = border;
    return done;
}
