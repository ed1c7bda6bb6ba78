// Names of words of values that were joined or cut, and of what is computed of single numbers
// (recover_trace.h). In: a word that a tile has, under the name of the value that made it; out: its
// number in another value.
#include "formats/darwinn/recover_memory.h"

uint64_t dwn_value_words(const dwn_value *value)
{
    return (uint64_t)value->extent.h * value->extent.w * dwn_words_of(value->extent.c);
}

// A word of one of the values that were joined to another, as a word of that. `before` are the
// words of the values before it: of all their pixels, or of one.
static uint32_t joined_word(const dwn_walk *w, uint32_t value, uint32_t part, uint32_t word,
                            uint64_t before)
{
    if (w->layers[value - w->input_count].is_in_rows) {
        return (uint32_t)(before + word);
    }
    const uint32_t own = dwn_words_of(w->values[part].extent.c);
    const uint32_t all = dwn_words_of(w->values[value].extent.c);
    return (uint32_t)((uint64_t)word / own * all + before + word % own);
}

// Where a word of a value is in what is made of it, by the kind of that; `depth` bounds joins of
// joins. False: it is none of it.
static bool find_word(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t depth,
                      uint32_t *out_word);

// The word of one of the values that were joined, the first of them that has it.
static bool find_joined(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t depth,
                        uint32_t *out_word)
{
    const dwn_recovered *layer = &w->layers[value - w->input_count];
    uint64_t before = 0;
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t part = dwn_value_of(w, layer->inputs[i]);
        if (find_word(w, part, held, depth, out_word)) {
            *out_word = joined_word(w, value, part, *out_word, before);
            return true;
        }
        before += layer->is_in_rows ? dwn_value_words(&w->values[part])
                                    : dwn_words_of(w->values[part].extent.c);
    }
    return false;
}

// A slice of whole words has those of its channels of each pixel.
static bool find_sliced(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t depth,
                        uint32_t *out_word)
{
    const dwn_recovered *layer = &w->layers[value - w->input_count];
    const uint32_t all = dwn_words_of(layer->input.c);
    const uint32_t own = dwn_words_of(layer->output.c);
    const uint32_t first = layer->first / DWN_WORD_BYTES;
    if (layer->first % DWN_WORD_BYTES != 0 ||
        !find_word(w, dwn_value_of(w, layer->inputs[0]), held, depth, out_word) ||
        *out_word % all < first || *out_word % all - first >= own) {
        return false;
    }
    *out_word = *out_word / all * own + *out_word % all - first;
    return true;
}

static bool find_word(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t depth,
                      uint32_t *out_word)
{
    *out_word = held.word;
    if (held.value == value + 1 || !dwn_has_other_names(w, value) || depth == 0) {
        return held.value == value + 1;
    }
    return w->layers[value - w->input_count].kind == DWN_KIND_SLICE
               ? find_sliced(w, value, held, depth - 1, out_word)
               : find_joined(w, value, held, depth - 1, out_word);
}

bool dwn_trace_word(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t *out_word)
{
    enum { DEPTH = 4 };
    return held.value != 0 && find_word(w, value, held, DEPTH, out_word);
}

bool dwn_has_other_names(const dwn_walk *w, uint32_t value)
{
    const dwn_layer_kind kind =
        value < w->input_count ? DWN_KIND_UNKNOWN : w->layers[value - w->input_count].kind;
    return kind == DWN_KIND_CONCATENATION || kind == DWN_KIND_SLICE;
}

// What a word that is read is called where it is written; unknown if it is not of the input.
dwn_held dwn_named(const dwn_walk *w, const dwn_naming *as, dwn_held held)
{
    uint32_t word = held.word;
    const bool is_it =
        as->is_joined ? dwn_trace_word(w, as->input, held, &word) : held.value == as->input + 1;
    return is_it ? (dwn_held){as->output + 1, word} : (dwn_held){0, 0};
}
