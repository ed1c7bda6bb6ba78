// Channels that operators of the source only move: CONCATENATION, SPLIT, SPLIT_V, SLICE and
// STRIDED_SLICE along the last axis. The compiler joins and cuts as it likes, so that such
// operators and the layers that do the same are compared by what their outputs consist of: runs of
// channels of tensors that something computes, or of layers.
#include "base/span.h"
#include "edgetpu/source.h"
#include "formats/tflite/options.h"

// Bounds of time: parts of a route, tensors or layers that it goes through, and in how many levels.
enum { PARTS = 16, STEPS = 256, DEPTH = 32, LOOK_AHEAD = 4096, MAX_RANK = 8 };

// Channels of a tensor, by its number, or of a layer, as dwn_recovered.inputs.
typedef struct part {
    uint32_t from, first, count;
} part;

typedef struct route {
    part parts[PARTS];
    uint32_t count;
    uint32_t steps, depth; // that are left
    bool is_unknown;
} route;

// A step further. False: there are none left, or a level too many.
static bool step(route *r)
{
    r->is_unknown = r->is_unknown || r->steps == 0 || r->depth == 0;
    r->steps -= r->steps > 0;
    return !r->is_unknown;
}

// Another route, a level deeper.
static route deeper(const route *r)
{
    return (route){.count = 0, .steps = r->steps, .depth = r->depth - 1};
}

// Runs that go on where the one before ended are one.
static void add_part(route *r, part p)
{
    part *const last = r->count > 0 ? &r->parts[r->count - 1] : NULL;
    if (last && last->from == p.from && last->first + last->count == p.first) {
        last->count += p.count;
    } else if (r->count == PARTS) {
        r->is_unknown = true;
    } else {
        r->parts[r->count++] = p;
    }
    r->is_unknown = r->is_unknown || p.count == 0;
}

// Adds some of the channels of another route.
static void add_some(route *r, const route *all, uint32_t first, uint32_t count)
{
    uint64_t at = 0;
    const uint64_t end = (uint64_t)first + count;
    for (uint32_t i = 0; i < all->count; i++) {
        const part *p = &all->parts[i];
        const uint64_t from = first > at ? first - at : 0;
        const uint64_t to = end > at ? end - at : 0;
        const uint64_t last = to < p->count ? to : p->count;
        if (from < last) {
            add_part(r, (part){p->from, p->first + (uint32_t)from, (uint32_t)(last - from)});
        }
        at += p->count;
    }
    r->is_unknown = r->is_unknown || all->is_unknown || end > at;
    r->steps = all->steps;
}

// The source -------------------------------------------------------------------------------------

// A list of int32 that the file has.
static hoist_bytes ints_of(const hoist_edgetpu_source_pair *s, const tflite_operator *op,
                           uint32_t input)
{
    const tflite_tensor *tensor = hoist_edgetpu_source_tensor(s, op->inputs, input);
    return tensor && tensor->type == TFLITE_INT32 ? tflite_buffer_data(s->module, tensor->buffer)
                                                  : (hoist_bytes){NULL, 0};
}

// The extent of the last axis; 0: there is none.
static uint32_t channels_of(const tflite_tensor *tensor)
{
    const uint32_t rank = tensor ? tflite_count(tensor->shape) : 0;
    const int32_t extent = rank > 0 ? hoist_fb_i32(tensor->shape, rank - 1) : 0;
    return extent > 0 ? (uint32_t)extent : 0;
}

// Whether both have the same numbers, and the same extents but for the last.
static bool is_like(const tflite_tensor *a, const tflite_tensor *b)
{
    const uint32_t rank = a && b ? tflite_count(a->shape) : 0;
    bool is_so = rank > 0 && rank <= MAX_RANK && rank == tflite_count(b->shape) &&
                 hoist_edgetpu_source_is_same_quantity(a, b);
    for (uint32_t i = 0; i + 1 < rank && is_so; i++) {
        is_so = hoist_fb_i32(a->shape, i) == hoist_fb_i32(b->shape, i);
    }
    return is_so;
}

static bool is_last_axis(const hoist_bytes axis, const tflite_tensor *tensor)
{
    const int32_t rank = tensor ? (int32_t)tflite_count(tensor->shape) : 0;
    const int32_t at = tflite_count(axis) == 1 ? hoist_fb_i32(axis, 0) : 0;
    return tflite_count(axis) == 1 && (at == rank - 1 || at == -1);
}

// The item of the last axis with which a list of begins of all axes begins; where a mask has its
// bit, 0.
static bool begin_of(hoist_bytes begins, const tflite_tensor *from, int32_t mask, int64_t *out)
{
    const uint32_t rank = tflite_count(from->shape);
    if (tflite_count(begins) != rank || rank == 0 || rank > MAX_RANK) {
        return false;
    }
    const int64_t begin = mask >> (rank - 1) & 1 ? 0 : hoist_fb_i32(begins, rank - 1);
    *out = begin < 0 ? begin + channels_of(from) : begin;
    return true;
}

// Whether a STRIDED_SLICE keeps its axes, and steps from one item to the next.
static bool is_plain(const hoist_edgetpu_source_pair *s, const tflite_operator *op,
                     int32_t *out_mask)
{
    const hoist_fb_union *any = &op->builtin_options;
    const tflite_strided_slice_options *o =
        any->type == TFLITE_OPTIONS_StridedSlice ? any->value : NULL;
    const hoist_bytes steps = ints_of(s, op, 3);
    bool is_so = o && tflite_count(steps) > 0 && o->shrink_axis_mask == 0 &&
                 o->new_axis_mask == 0 && o->ellipsis_mask == 0;
    for (uint32_t i = 0; i < tflite_count(steps); i++) {
        is_so = is_so && hoist_fb_i32(steps, i) == 1;
    }
    *out_mask = is_so ? o->begin_mask : 0;
    return is_so;
}

// Channels of an operand that are an output of an operator.
typedef struct cut {
    const tflite_tensor *from;
    int64_t first;
} cut;

// Where an output of an operator that splits begins: after those before it.
static bool find_split(const hoist_edgetpu_source_pair *s, const tflite_operator *op,
                       uint32_t output, bool has_sizes, cut *out)
{
    out->from = hoist_edgetpu_source_tensor(s, op->inputs, has_sizes ? 0 : 1);
    for (uint32_t i = 0; i < output; i++) {
        out->first += channels_of(hoist_edgetpu_source_tensor(s, op->outputs, i));
    }
    return is_last_axis(ints_of(s, op, has_sizes ? 2 : 0), out->from);
}

// Extents of all axes but the last are those of the operand, so that these are not cut. False: the
// operator cuts nothing, or along another axis.
static bool find_cut(const hoist_edgetpu_source_pair *s, const tflite_operator *op, uint32_t output,
                     cut *out)
{
    const tflite_tensor *made = hoist_edgetpu_source_tensor(s, op->outputs, output);
    int32_t mask = 0;
    bool is_found = false;
    *out = (cut){hoist_edgetpu_source_tensor(s, op->inputs, 0), 0};
    switch (hoist_edgetpu_source_code(s->module, op)) {
    case TFLITE_OP_SPLIT:
        is_found = find_split(s, op, output, false, out);
        break;
    case TFLITE_OP_SPLIT_V:
        is_found = find_split(s, op, output, true, out);
        break;
    case TFLITE_OP_SLICE:
        is_found = out->from && begin_of(ints_of(s, op, 1), out->from, 0, &out->first);
        break;
    case TFLITE_OP_STRIDED_SLICE:
        is_found = out->from && is_plain(s, op, &mask) &&
                   begin_of(ints_of(s, op, 1), out->from, mask, &out->first);
        break;
    default:
        break;
    }
    return is_found && is_like(out->from, made) && out->first >= 0 &&
           out->first + channels_of(made) <= channels_of(out->from);
}

// Whether an operator joins channels as they are.
static bool joins_channels(const hoist_edgetpu_source_pair *s, const tflite_operator *op)
{
    const hoist_fb_union *any = &op->builtin_options;
    const tflite_concatenation_options *o =
        any->type == TFLITE_OPTIONS_Concatenation ? any->value : NULL;
    const tflite_tensor *made = hoist_edgetpu_source_tensor(s, op->outputs, 0);
    const int32_t rank = made ? (int32_t)tflite_count(made->shape) : 0;
    bool is_so = hoist_edgetpu_source_code(s->module, op) == TFLITE_OP_CONCATENATION && o &&
                 o->fused_activation_function == TFLITE_ACTIVATION_NONE &&
                 (o->axis == rank - 1 || o->axis == -1);
    for (uint32_t i = 0; i < tflite_count(op->inputs) && is_so; i++) {
        is_so = i < PARTS && is_like(hoist_edgetpu_source_tensor(s, op->inputs, i), made);
    }
    return is_so;
}

// Adds what a tensor consists of.
static void add_tensor(const hoist_edgetpu_source_pair *s, uint32_t number, route *r)
{
    const tflite_tensor *tensor = &s->graph->tensors.items[number];
    const uint32_t writer = s->writers[number];
    const tflite_operator *op = writer == DWN_NONE ? NULL : s->operators[writer].op;
    cut c;
    if (!step(r)) {
        return;
    }
    if (op && joins_channels(s, op)) {
        r->depth--;
        for (uint32_t i = 0; i < tflite_count(op->inputs) && !r->is_unknown; i++) {
            const tflite_tensor *input = hoist_edgetpu_source_tensor(s, op->inputs, i);
            add_tensor(s, hoist_edgetpu_source_number(s, input), r);
        }
        r->depth++;
    } else if (op && find_cut(s, op, hoist_edgetpu_source_place(s, op, number), &c)) {
        route all = deeper(r);
        add_tensor(s, hoist_edgetpu_source_number(s, c.from), &all);
        add_some(r, &all, (uint32_t)c.first, channels_of(tensor));
    } else {
        add_part(r, (part){number, 0, channels_of(tensor)});
    }
}

static route route_of_tensor(const hoist_edgetpu_source_pair *s, uint32_t number)
{
    route r = {.steps = STEPS, .depth = DEPTH};
    add_tensor(s, number, &r);
    return r;
}

uint32_t hoist_edgetpu_source_place(const hoist_edgetpu_source_pair *s, const tflite_operator *op,
                                    uint32_t number)
{
    uint32_t place = 0;
    while (place < tflite_count(op->outputs) &&
           hoist_edgetpu_source_tensor(s, op->outputs, place) != &s->graph->tensors.items[number]) {
        place++;
    }
    return place;
}

bool hoist_edgetpu_source_cuts(const hoist_edgetpu_source_pair *s, const tflite_operator *op)
{
    cut c;
    bool is_so = tflite_count(op->outputs) > 0;
    for (uint32_t i = 0; i < tflite_count(op->outputs) && is_so; i++) {
        is_so = find_cut(s, op, i, &c);
    }
    return is_so;
}

bool hoist_edgetpu_source_moves_channels(const hoist_edgetpu_source_pair *s,
                                         const tflite_operator *op)
{
    return joins_channels(s, op) || hoist_edgetpu_source_cuts(s, op);
}

uint32_t hoist_edgetpu_source_whole(const hoist_edgetpu_source_pair *s, uint32_t number)
{
    const route r = route_of_tensor(s, number);
    const bool is_whole =
        !r.is_unknown && r.count == 1 && r.parts[0].first == 0 &&
        r.parts[0].count == channels_of(&s->graph->tensors.items[r.parts[0].from]);
    return is_whole ? r.parts[0].from : number;
}

// Layers -----------------------------------------------------------------------------------------

// Whether a layer only moves channels.
static bool is_moving(const dwn_recovered *layer)
{
    return layer->kind == DWN_KIND_SLICE ||
           (layer->kind == DWN_KIND_CONCATENATION && !layer->is_in_rows);
}

// The layer that is a source; NULL: an input of the model, or no layer of the model.
static const dwn_recovered *layer_of(const hoist_edgetpu_source_pair *s, uint32_t source)
{
    return source < s->layer_count ? &s->layers[source] : NULL;
}

// Channels of the only input of the model that a layer joins with layers; with several nothing says
// how many each has.
static uint32_t channels_left(const hoist_edgetpu_source_pair *s, const dwn_recovered *layer)
{
    uint32_t left = layer->output.c;
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t source = layer->inputs[i];
        const dwn_recovered *before = layer_of(s, source);
        const uint32_t own = before ? before->output.c : 0;
        inputs += source & DWN_MODEL_INPUT ? 1 : 0;
        left = own < left ? left - own : 0;
    }
    return inputs == 1 ? left : 0;
}

// Adds all channels of a source, of which an input of the model has `channels`.
static void add_layer(const hoist_edgetpu_source_pair *s, uint32_t source, uint32_t channels,
                      route *r)
{
    const dwn_recovered *layer = layer_of(s, source);
    r->is_unknown = r->is_unknown || (!layer && !(source & DWN_MODEL_INPUT));
    if (!step(r)) {
        return;
    }
    if (layer && layer->kind == DWN_KIND_SLICE) {
        route all = deeper(r);
        add_layer(s, layer->inputs[0], layer->input.c, &all);
        add_some(r, &all, layer->first, layer->output.c);
    } else if (layer && is_moving(layer)) {
        const uint32_t left = channels_left(s, layer);
        r->depth--;
        for (uint32_t i = 0; i < layer->input_count && !r->is_unknown; i++) {
            add_layer(s, layer->inputs[i], left, r);
        }
        r->depth++;
    } else {
        add_part(r, (part){source, 0, layer ? layer->output.c : channels});
    }
}

// All inputs of the model count as one.
static bool is_same_part(const hoist_edgetpu_source_pair *s, const part *tensor, const part *layer)
{
    const uint32_t maker = hoist_edgetpu_source_maker(s, &s->graph->tensors.items[tensor->from]);
    return maker != DWN_NONE && (maker == layer->from || (maker & layer->from & DWN_MODEL_INPUT)) &&
           tensor->first == layer->first && tensor->count == layer->count;
}

bool hoist_edgetpu_source_is_route(const hoist_edgetpu_source_pair *s, uint32_t number,
                                   const dwn_recovered *layer)
{
    const route expected = route_of_tensor(s, number);
    route found = {.steps = STEPS, .depth = DEPTH};
    add_layer(s, (uint32_t)(layer - s->layers), 0, &found);
    bool is_so = !expected.is_unknown && !found.is_unknown && expected.count == found.count;
    for (uint32_t i = 0; i < expected.count && is_so; i++) {
        is_so = is_same_part(s, &expected.parts[i], &found.parts[i]);
    }
    return is_so;
}

// A layer that gives the channels, the first free one if there is any; DWN_NONE: there is none.
static uint32_t find_layer(const hoist_edgetpu_source_pair *s, uint32_t number)
{
    const uint32_t first = s->first_free > LOOK_AHEAD ? s->first_free - LOOK_AHEAD : 0;
    uint32_t found = DWN_NONE;
    for (uint32_t i = first; i < s->layer_count && i - first < 2 * LOOK_AHEAD; i++) {
        const bool is_free = s->owners[i] == DWN_NONE;
        if (is_moving(&s->layers[i]) && (is_free || found == DWN_NONE) &&
            hoist_edgetpu_source_is_route(s, number, &s->layers[i])) {
            found = i;
            if (is_free) {
                break;
            }
        }
    }
    return found;
}

void hoist_edgetpu_source_take_cuts(hoist_edgetpu_source_pair *s, uint32_t index)
{
    hoist_edgetpu_source_operator *op = &s->operators[index];
    for (uint32_t i = 0; i < tflite_count(op->op->outputs); i++) {
        const tflite_tensor *tensor = hoist_edgetpu_source_tensor(s, op->op->outputs, i);
        const uint32_t number = tensor ? hoist_edgetpu_source_number(s, tensor) : DWN_NONE;
        if (!tensor || s->makers[number] != DWN_NONE ||
            hoist_edgetpu_source_whole(s, number) != number) {
            continue;
        }
        const uint32_t layer = find_layer(s, number);
        if (layer != DWN_NONE) {
            s->owners[layer] = s->owners[layer] == DWN_NONE ? index : s->owners[layer];
            op->compared++;
            hoist_edgetpu_source_own(s, tensor, layer);
        }
    }
}

void hoist_edgetpu_source_own_parts(hoist_edgetpu_source_pair *s)
{
    for (uint32_t i = s->layer_count; i-- > 0;) {
        const dwn_recovered *layer = &s->layers[i];
        const uint32_t count =
            s->owners[i] != DWN_NONE && is_moving(layer) ? layer->input_count : 0;
        for (uint32_t k = 0; k < count; k++) {
            const dwn_recovered *before = layer_of(s, layer->inputs[k]);
            if (before && s->owners[layer->inputs[k]] == DWN_NONE && is_moving(before)) {
                s->owners[layer->inputs[k]] = s->owners[i];
            }
        }
    }
}

bool hoist_edgetpu_source_has_moved(const hoist_edgetpu_source_pair *s, const tflite_operator *op)
{
    bool is_so = true;
    for (uint32_t i = 0; i < tflite_count(op->outputs) && is_so; i++) {
        const uint32_t number =
            hoist_edgetpu_source_number(s, hoist_edgetpu_source_tensor(s, op->outputs, i));
        is_so = !s->is_computed_with[number] || s->makers[number] != DWN_NONE ||
                hoist_edgetpu_source_whole(s, number) != number;
    }
    return is_so;
}
