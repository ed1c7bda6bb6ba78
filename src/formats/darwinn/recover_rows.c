// Values whose pixels lie after each other as rows of one: the concatenation of a detector's boxes
// and scores, of feature maps of several sizes. In: what the words in the memories of tiles are
// (recover_trace.c), where a group reads them or where they are copied out for an output of the
// model; out: one more layer, of the values in the order in which their words lie.
//
// The words are all of each value, once, from its first to its last, tile after tile. A row has
// whole words, so that a value with several rows in a pixel has channels that fill the last word of
// each: rows of weights that are nothing but zero points, in all values at the same places.
#include "base/checked.h"
#include "formats/darwinn/recover_copied.h"
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

// PARTS bounds the list of values, which is on the stack.
enum {
    PARTS = 64,
    MAPPED = 4, // layers on single numbers after one with weights; bounds time
};

typedef struct chain {
    uint32_t values[PARTS];
    uint32_t count;
    uint64_t next;  // word of the last value
    uint64_t words; // in all
} chain;

// The next word. False: it is not the next one of a value, or the first of another.
static bool add_word(const dwn_walk *w, chain *c, dwn_held place)
{
    if (place.value <= w->input_count) { // unknown, or an input of the model
        return false;
    }
    if (c->next == 0) {
        for (uint32_t i = 0; i < c->count; i++) {
            if (c->values[i] == place.value - 1) {
                return false; // a value comes once
            }
        }
        if (c->count == PARTS) {
            return false;
        }
        c->values[c->count++] = place.value - 1;
    }
    const uint32_t value = c->values[c->count - 1];
    const bool is_next = value == place.value - 1 && place.word == c->next;
    c->words++;
    c->next = c->next + 1 == dwn_value_words(&w->values[value]) ? 0 : c->next + 1;
    return is_next;
}

// Whether a row is so many words of each of them, and all have that zero point.
static bool are_rows(const dwn_walk *w, const chain *c, uint64_t row, uint8_t zero)
{
    bool is_so = c->count > 0 && c->next == 0 && row > 0 && c->words % row == 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const dwn_value *value = &w->values[c->values[i]];
        is_so = is_so && value->zero == zero && dwn_words_of(value->extent.c) % row == 0;
    }
    return is_so;
}

// Channels ---------------------------------------------------------------------------------------

// The layer with weights that makes a value, past those that compute each number alone; DWN_NONE:
// it is another.
static uint32_t maker_of(const dwn_walk *w, uint32_t value)
{
    for (uint32_t i = 0; i <= MAPPED && value >= w->input_count; i++) {
        const uint32_t layer = value - w->input_count;
        const dwn_layer_kind kind = w->layers[layer].kind;
        if (kind == DWN_KIND_CONVOLUTION || kind == DWN_KIND_DENSE) {
            return layer;
        }
        // These two keep channels in their places.
        if (kind != DWN_KIND_QUANTIZE && kind != DWN_KIND_LOGISTIC) {
            break;
        }
        value = dwn_value_of(w, w->layers[layer].inputs[0]);
    }
    return DWN_NONE;
}

// Channels at the end of each row that none of the values has: at most as many as fill a word.
static uint32_t padding_of(dwn_walk *w, const chain *c, uint32_t row)
{
    uint32_t least = DWN_WORD_CHANNELS - 1;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t layer = maker_of(w, c->values[i]);
        const dwn_recovered *l = layer == DWN_NONE ? NULL : &w->layers[layer];
        const bool is_stored = l && l->piece_count > 0 &&
                               l->block.rows % (row * DWN_WORD_CHANNELS) == 0 &&
                               dwn_trace_spend(w, l->pieces[0].size);
        const uint32_t found =
            is_stored ? dwn_block_padding(&l->block, dwn_block_bytes(&w->sources, &l->pieces[0]),
                                          row * DWN_WORD_CHANNELS, l->weight_zero)
                      : 0;
        least = found < least ? found : least;
    }
    return least;
}

// Leaves those out of the layers that make a value.
static hoist_status drop_padding(dwn_walk *w, uint32_t value, uint32_t row, uint32_t padding)
{
    const uint32_t maker = maker_of(w, value);
    dwn_recovered *const l = &w->layers[maker];
    l->block.period = row * DWN_WORD_CHANNELS;
    l->block.kept = l->block.period - padding;
    l->heuristics |= 1u << DWN_GUESS_ROWS;
    HOIST_TRY(dwn_block_read(&l->block, dwn_block_bytes(&w->sources, &l->pieces[0]),
                             l->block_channels, w->arena, l));
    for (uint32_t layer = value - w->input_count; layer != maker;
         layer = dwn_value_of(w, w->layers[layer].inputs[0]) - w->input_count) {
        w->layers[layer].input.c = w->layers[layer].output.c = l->rows;
        w->values[w->input_count + layer].extent.c = l->rows;
    }
    l->output.c = l->rows;
    w->values[w->input_count + maker].extent.c = l->rows;
    return HOIST_OK;
}

// Whether the only reader of what is dropped is what drops it: no other layer of the list reads the
// values, or those that they are made of.
static bool is_read_once(dwn_walk *w, uint32_t value)
{
    const uint32_t maker = maker_of(w, value);
    for (uint32_t layer = value - w->input_count; maker != DWN_NONE;
         layer = dwn_value_of(w, w->layers[layer].inputs[0]) - w->input_count) {
        uint32_t readers = layer == value - w->input_count;
        readers += w->layers[layer].output_layer != DWN_NONE;
        for (uint32_t i = 0; i < w->layer_count; i++) {
            for (uint32_t k = 0; k < w->layers[i].input_count; k++) {
                readers += w->layers[i].inputs[k] == layer;
            }
        }
        if (readers != 1 || layer == maker || !dwn_trace_spend(w, w->layer_count)) {
            return readers == 1 && layer == maker;
        }
    }
    return false;
}

// The layer ---------------------------------------------------------------------------------------

// What a concatenation is: rows of whole words, and channels that none of its values has.
typedef struct rows {
    uint32_t words, padding;
    dwn_extent extent;
    uint32_t group; // before which it comes
} rows;

// Adds the concatenation, without operations: the words are only read together.
static hoist_status add_rows(dwn_walk *w, const chain *c, const rows *r)
{
    uint32_t *inputs = hoist_arena_array(w->arena, c->count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        inputs[i] = w->values[c->values[i]].source;
        if (r->padding > 0) {
            HOIST_TRY(drop_padding(w, c->values[i], r->words, r->padding));
        }
    }
    dwn_add_join(w, &(dwn_join){inputs, c->count, r->extent, true}, r->group);
    return HOIST_OK;
}

// Whether all values are what they would be without the padding; of no padding they are.
static bool may_drop(dwn_walk *w, const chain *c, uint32_t padding)
{
    bool is_so = true;
    for (uint32_t i = 0; i < c->count && padding > 0; i++) {
        is_so = is_so && is_read_once(w, c->values[i]);
    }
    return is_so;
}

// A group reads them -----------------------------------------------------------------------------

// Whether the loops go through all words from the base on, in whichever order.
static bool is_block(const dwn_traversal *t, uint64_t *out_words)
{
    uint64_t words = 1;
    for (size_t found = 1; found > 0;) {
        found = 0;
        for (size_t i = 0; i < DWN_LOOPS; i++) {
            if (t->loops[i].count > 1 && t->loops[i].stride >= 0 &&
                (uint64_t)t->loops[i].stride == words) {
                words = dwn_times(words, t->loops[i].count);
                found++; // the next loop outwards
                break;
            }
        }
    }
    *out_words = words;
    return words == dwn_steps_of(0, t->loops, DWN_LOOPS).count;
}

// The words that the tiles read, from the first tile to the last.
static bool read_chain(dwn_walk *w, const dwn_group *group, chain *c)
{
    *c = (chain){.count = 0};
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        for (uint32_t i = 0; i < group->count; i++) {
            const dwn_operation *op = &w->operations.items[group->first + i];
            uint64_t words = 0;
            if (!(op->tiles >> tile & 1)) {
                continue;
            }
            if (op->is_elsewhere || !is_block(&op->a, &words) || words > DWN_TRACE_WORDS ||
                !dwn_trace_spend(w, words)) {
                return false;
            }
            for (uint64_t k = 0; k < words; k++) {
                if (!add_word(w, c, dwn_trace_at(w, tile, op->a.base + (int64_t)k))) {
                    return false;
                }
            }
        }
    }
    return true;
}

hoist_status dwn_reads_all(dwn_walk *w, const dwn_group *group, const uint32_t *values,
                           uint32_t count, bool *out_is_so)
{
    chain c;
    HOIST_TRY(dwn_trace_to(w, group->first));
    *out_is_so = read_chain(w, group, &c) && c.count == count && c.next == 0;
    for (uint32_t i = 0; i < count && *out_is_so; i++) {
        *out_is_so = c.values[i] == values[i];
    }
    return HOIST_OK;
}

// Words of a row: those that the innermost loop goes through.
static uint32_t row_of(const dwn_operation *op)
{
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        if (op->a.loops[i].count > 1 && op->a.loops[i].stride == 1) {
            return op->a.loops[i].count;
        }
    }
    return 1;
}

// The same of an output of the model that has all the words, where the loops do not say it: of
// outputs of one size the zero point decides.
static uint32_t row_of_output(const dwn_walk *w, const dwn_operation *op, uint64_t words)
{
    for (uint32_t i = 0; i < w->executable->output_layers.count; i++) {
        const dwn_layer *layer = &w->executable->output_layers.items[i];
        const uint32_t row = layer->z_dim > 0 ? dwn_words_of((uint32_t)layer->z_dim) : 0;
        const bool has_words =
            layer->y_dim > 0 && layer->x_dim > 0 &&
            dwn_times(dwn_times((uint64_t)layer->y_dim, (uint64_t)layer->x_dim), row) == words;
        if (has_words && layer->numerics &&
            (uint8_t)layer->numerics->zero_point == op->output_zero) {
            return row;
        }
    }
    return 0;
}

hoist_status dwn_join_rows(dwn_walk *w, const dwn_group *group, uint32_t *out_value)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    chain c;
    *out_value = DWN_NONE;
    HOIST_TRY(dwn_trace_to(w, group->first));
    if (!read_chain(w, group, &c)) {
        return HOIST_OK;
    }
    rows r = {.words = row_of(op), .group = (uint32_t)(group - w->operations.groups)};
    // How long a row is the loops say first, then an output of the model.
    if (!are_rows(w, &c, r.words, op->input_zero)) {
        r.words = row_of_output(w, op, c.words);
    }
    if (!are_rows(w, &c, r.words, op->input_zero) || c.words / r.words > DWN_MAX_EXTENT) {
        return HOIST_OK;
    }
    r.padding = padding_of(w, &c, r.words);
    // A column for each row: recovered extents have two dimensions beside the channels.
    r.extent =
        (dwn_extent){1, (uint32_t)(c.words / r.words), r.words * DWN_WORD_CHANNELS - r.padding};
    if (may_drop(w, &c, r.padding)) {
        HOIST_TRY(add_rows(w, &c, &r));
        *out_value = w->current;
    }
    return HOIST_OK;
}

// An output of the model --------------------------------------------------------------------------

// The words of an output, pixel by pixel, in the order of the user.
static bool read_output(dwn_walk *w, const dwn_layer *layer, const dwn_copied *from, chain *c)
{
    const uint32_t words = dwn_words_of((uint32_t)layer->z_dim);
    *c = (chain){.count = 0};
    for (int32_t y = 0; y < layer->y_dim; y++) {
        for (int32_t x = 0; x < layer->x_dim; x++) {
            dwn_copied_pixel p;
            if (!dwn_find_copied(layer, from, y, x, &p) || !dwn_trace_spend(w, words)) {
                return false;
            }
            for (uint32_t k = 0; k < words; k++) {
                const int64_t address = dwn_copied_at(p.copy, p.word + k);
                if (!add_word(w, c, dwn_trace_at(w, p.tile, address))) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Makes the layer of one output, if the words of all of its pixels are known and make whole values.
static hoist_status join_output(dwn_walk *w, uint32_t output, const dwn_copied *from,
                                bool *out_is_made)
{
    const dwn_layer *layer = &w->executable->output_layers.items[output];
    chain c;
    if (!read_output(w, layer, from, &c)) {
        return HOIST_OK;
    }
    const uint32_t channels = (uint32_t)layer->z_dim;
    rows r = {.words = dwn_words_of(channels),
              .extent = {(uint32_t)layer->y_dim, (uint32_t)layer->x_dim, channels},
              .group = 0};
    r.padding = r.words * DWN_WORD_CHANNELS - channels;
    if (!are_rows(w, &c, r.words, (uint8_t)layer->numerics->zero_point) ||
        padding_of(w, &c, r.words) < r.padding || !may_drop(w, &c, r.padding) ||
        dwn_is_sent(w, output, c.values, c.count) == DWN_WRITTEN_NOT_SO) {
        return HOIST_OK;
    }
    HOIST_TRY(add_rows(w, &c, &r));
    w->layers[w->layer_count - 1].output_layer = output;
    for (uint32_t i = 0; i < c.count; i++) {
        w->made[c.values[i] - w->input_count].has_reader = true;
    }
    *out_is_made = true;
    return HOIST_OK;
}

// The program is followed from its beginning once more, and at each copy out the outputs that are
// missing are tried.
hoist_status dwn_join_outputs(dwn_walk *w, const char **whys)
{
    const dwn_operations *all = &w->operations;
    const uint32_t outputs = w->executable->output_layers.count;
    bool *missing = hoist_arena_array(w->scratch, outputs, sizeof(*missing));
    uint32_t count = 0;
    for (uint32_t i = 0; missing && i < outputs; i++) {
        missing[i] = whys[i] && dwn_may_be_copied(&w->executable->output_layers.items[i]);
        count += missing[i];
    }
    if (!missing || count == 0 || all->copy_count == 0) {
        return missing ? HOIST_OK : HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_trace_begin(w));
    for (uint32_t next = 0; next < all->copy_count && count > 0;) {
        dwn_copied from = {.of = {NULL}};
        const uint32_t operation = all->copies[next].operation;
        for (; next < all->copy_count && all->copies[next].operation == operation; next++) {
            for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
                const bool is_of = all->copies[next].tiles >> tile & 1;
                // A later copy of a tile is what is sent.
                from.of[tile] = is_of ? &all->copies[next] : from.of[tile];
            }
        }
        HOIST_TRY(dwn_trace_to(w, operation));
        for (uint32_t i = 0; i < outputs && w->trace->left > 0; i++) {
            bool is_made = false;
            if (missing[i]) {
                HOIST_TRY(join_output(w, i, &from, &is_made));
            }
            if (is_made) {
                missing[i] = false;
                whys[i] = NULL;
                count--;
            }
        }
    }
    return HOIST_OK;
}
