// Differences as tree events: one map for each item, with the old and the new value. compiled.c and
// source.c find the differences.
#include "edgetpu/difference.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"

// People get as many digits as distinguish two float32, programs the double itself.
static void send_number(hoist_tree_sink *sink, const char *key, const dwn_number *number)
{
    char digits[32];
    if (number->word) {
        hoist_tree_c(sink, key, number->word);
    } else if (number->is_float) {
        (void)snprintf(digits, sizeof(digits), "%.9g", number->number);
        sink->audience = HOIST_TREE_FOR_PEOPLE;
        hoist_tree_c(sink, key, digits);
        sink->audience = HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_float(sink, key, number->number, HOIST_UNIT_NONE);
        sink->audience = HOIST_TREE_FOR_ALL;
    } else {
        hoist_tree_int(sink, key, (int64_t)number->number);
    }
}

// Opens the map of an item; false: no memory for its path. `count` grows here, so that the number
// of items is the number of maps.
static bool begin(hoist_edgetpu_difference_sender *s, hoist_str path, const char *kind)
{
    const hoist_str whole =
        hoist_arena_format(s->arena, "%.*s%.*s", HOIST_STR_ARGS(s->prefix), HOIST_STR_ARGS(path));
    if (!path.data || !whole.data) {
        return false;
    }
    s->count++;
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "path", whole);
    hoist_tree_c(s->sink, "kind", kind);
    return true;
}

static hoist_status end(hoist_edgetpu_difference_sender *s)
{
    hoist_tree_end(s->sink);
    return s->sink->status;
}

// Indices of values are swapped where the new file is the source: "old" is always the first file's.
hoist_status hoist_edgetpu_difference_of_values(hoist_edgetpu_difference_sender *s, hoist_str path,
                                                const dwn_number values[2], uint64_t elements,
                                                double largest)
{
    if (!begin(s, path, "changed")) {
        return HOIST_NO_MEMORY;
    }
    send_number(s->sink, "old", &values[s->is_swapped]);
    send_number(s->sink, "new", &values[!s->is_swapped]);
    hoist_tree_uint(s->sink, "elements", elements, HOIST_UNIT_NONE);
    hoist_tree_maybe_float(s->sink, "largest", !values[0].word, largest, HOIST_UNIT_NONE);
    return end(s);
}

// What send_constant() needs besides the difference.
typedef struct layer_sender {
    hoist_edgetpu_difference_sender *all;
    uint32_t layer; // of the compiled model; part of the path
} layer_sender;

// dwn_layer_sink.difference: "layers/3/bias[7]" of an array, "layers/3/multiplier" of a number.
static hoist_status send_constant(void *self, const dwn_layer_difference *d)
{
    const layer_sender *const s = self;
    const char *const name = dwn_constant_name(d->constant);
    const dwn_number values[2] = {d->old, d->now};
    const hoist_str path =
        d->count > 1 ? hoist_arena_format(s->all->arena, "layers/%" PRIu32 "/%s[%" PRIu64 "]",
                                          s->layer, name, d->first)
                     : hoist_arena_format(s->all->arena, "layers/%" PRIu32 "/%s", s->layer, name);
    return hoist_edgetpu_difference_of_values(s->all, path, values, d->elements, d->largest);
}

hoist_status hoist_edgetpu_difference_of_layers(hoist_edgetpu_difference_sender *s, uint32_t layer,
                                                const dwn_recovered *const layers[2],
                                                uint64_t constants, uint64_t *compared)
{
    layer_sender sender = {s, layer};
    const dwn_layer_sink sink = {&sender, send_constant};
    return dwn_layer_compare(layers[0], layers[1], constants, &sink, compared);
}

hoist_status hoist_edgetpu_difference_of_texts(hoist_edgetpu_difference_sender *s, hoist_str path,
                                               const hoist_str texts[2])
{
    if (!texts[0].data || !texts[1].data || !begin(s, path, "changed")) {
        return HOIST_NO_MEMORY;
    }
    hoist_tree_str(s->sink, "old", texts[s->is_swapped]);
    hoist_tree_str(s->sink, "new", texts[!s->is_swapped]);
    return end(s);
}

// An item of one side has one value, under the key of that side.
hoist_status hoist_edgetpu_difference_of_one(hoist_edgetpu_difference_sender *s, hoist_str path,
                                             bool is_old, hoist_str what)
{
    const bool removed = is_old != s->is_swapped;
    if (!begin(s, path, removed ? "removed" : "added")) {
        return HOIST_NO_MEMORY;
    }
    hoist_tree_str(s->sink, removed ? "old" : "new", what);
    return end(s);
}

// "input, layer 3": four at most, as concatenations may have very many; the text still differs
// where the first four do.
static hoist_str inputs_text(hoist_arena *arena, const uint32_t *inputs, uint32_t count)
{
    enum { MOST = 4 };
    hoist_str text = HOIST_STR("");
    for (uint32_t i = 0; i < count && i < MOST && text.data; i++) {
        const char *const comma = i > 0 ? ", " : "";
        if (inputs[i] & DWN_MODEL_INPUT) {
            text = hoist_arena_format(arena, "%.*s%sinput", HOIST_STR_ARGS(text), comma);
        } else {
            text = hoist_arena_format(arena, "%.*s%slayer %" PRIu32, HOIST_STR_ARGS(text), comma,
                                      inputs[i]);
        }
    }
    return text;
}

hoist_status hoist_edgetpu_difference_of_inputs(hoist_edgetpu_difference_sender *s, uint32_t layer,
                                                const uint32_t *const inputs[2],
                                                const uint32_t counts[2])
{
    const hoist_str texts[2] = {inputs_text(s->arena, inputs[0], counts[0]),
                                inputs_text(s->arena, inputs[1], counts[1])};
    return hoist_edgetpu_difference_of_texts(
        s, hoist_arena_format(s->arena, "layers/%" PRIu32 "/inputs", layer), texts);
}
