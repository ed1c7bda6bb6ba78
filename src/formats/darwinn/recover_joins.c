// Where values lie in the memory of tiles. In: the walk and a group; out: the factors of a
// multiplication by their places; and a concatenation of channels for which the program does
// nothing, as their pixels lie next to each other: one more layer of the list, without operations.
#include "formats/darwinn/recover_work.h"

// Follows the current value to where a move puts it, if it reads it where it was.
void dwn_note_move(dwn_walk *w, const dwn_operation *op)
{
    dwn_value *const value = &w->values[w->current];
    if (value->has_place && value->place == op->a.base) {
        value->from = value->place;
        value->place = op->b.base;
        value->pitch = dwn_pitch_of(op, dwn_words_of(value->extent.c));
    }
}

enum { PARTS = 16, LOOK_BACK = 64 }; // bound time

// Values whose channels lie next to each other in each pixel.
typedef struct chain {
    uint32_t values[PARTS];
    uint32_t count;
    dwn_extent extent;
} chain;

// Whether both may be parts of one pixel: same rows, columns, zero point and distance of pixels.
static bool is_like(const dwn_value *a, const dwn_value *b)
{
    return a->has_place && a->zero == b->zero && a->pitch == b->pitch &&
           a->extent.h == b->extent.h && a->extent.w == b->extent.w;
}

// The value made last that is at that place and is like `first`; DWN_NONE: there is none.
static uint32_t find_at(const dwn_walk *w, const dwn_value *first, int64_t place)
{
    const uint32_t count = dwn_value_count(w);
    for (uint32_t back = 1; back <= count && back <= LOOK_BACK; back++) {
        const dwn_value *value = &w->values[count - back];
        if (value->has_place && value->place == place) {
            // If another value was put there later the chain is broken.
            return is_like(value, first) ? count - back : DWN_NONE;
        }
    }
    return DWN_NONE;
}

// All values of the pixels that a value begins. False: some of them are unknown.
static bool follow(const dwn_walk *w, uint32_t first, chain *c)
{
    const dwn_value *value = &w->values[first];
    int64_t words = 0;
    c->count = 0;
    c->extent = (dwn_extent){value->extent.h, value->extent.w, 0};
    while (words < value->pitch && c->count < PARTS) {
        const uint32_t part = find_at(w, value, value->place + words);
        // Parts with channels that fill a word would leave gaps between channels.
        if (part == DWN_NONE || w->values[part].extent.c % DWN_WORD_CHANNELS != 0) {
            return false;
        }
        c->values[c->count++] = part;
        c->extent.c += w->values[part].extent.c;
        words += dwn_words_of(w->values[part].extent.c);
    }
    return words == value->pitch && c->count > 1;
}

// Whether the group reads them, where they are.
static bool reads(const dwn_walk *w, const dwn_group *group, const chain *c)
{
    const int32_t place = w->values[c->values[0]].place;
    const int32_t base = dwn_first_part(&w->operations, group)->a.base;
    dwn_geometry g;
    return dwn_geometry_of(&w->operations, group, c->extent, &g) && g.kind != DWN_KIND_DENSE &&
           dwn_padding_of(&g, c->extent, place, base);
}

// The most recent chain that the group reads.
static bool find(const dwn_walk *w, const dwn_group *group, chain *c)
{
    const uint8_t zero = dwn_widest_of(w, group)->input_zero;
    const uint32_t count = dwn_value_count(w);
    for (uint32_t back = 1; back <= count && back <= LOOK_BACK; back++) {
        const dwn_value *value = &w->values[count - back];
        if (value->has_place && value->zero == zero &&
            value->pitch > dwn_words_of(value->extent.c) && follow(w, count - back, c) &&
            reads(w, group, c)) {
            return true;
        }
    }
    return false;
}

// The join becomes the current value, at the address of its first part.
static hoist_status add_join(dwn_walk *w, const chain *c)
{
    const uint32_t first = w->values[c->values[0]].source;
    uint32_t *inputs = hoist_arena_array(w->arena, c->count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        inputs[i] = w->values[c->values[i]].source;
    }
    dwn_add_join(w, &(dwn_join){inputs, c->count, c->extent, false}, w->made[first].group);
    w->layers[w->layer_count - 1].heuristics = 1u << DWN_GUESS_IN_PLACE;
    return HOIST_OK;
}

hoist_status dwn_join_in_place(dwn_walk *w, const dwn_group *group, bool *out_is_joined)
{
    chain c;
    *out_is_joined = find(w, group, &c);
    if (!*out_is_joined) {
        return HOIST_OK;
    }
    const dwn_value *first = &w->values[c.values[0]];
    const uint32_t before = dwn_joined_before(w, c.values, c.count);
    if (before == DWN_NONE) {
        HOIST_TRY(add_join(w, &c));
    }
    w->current = before == DWN_NONE ? w->current : before;
    w->values[w->current].has_base = true;
    w->values[w->current].base = first->place;
    return HOIST_OK;
}

// Factors ----------------------------------------------------------------------------------------

// The same extents, channels in whole words.
static bool is_extent(const dwn_value *a, const dwn_value *b)
{
    return a->extent.h == b->extent.h && a->extent.w == b->extent.w &&
           dwn_words_of(a->extent.c) == dwn_words_of(b->extent.c);
}

// The last value of that zero point and the extents of the current one that was made at one of
// these addresses; DWN_NONE: there is none.
static uint32_t find_made_at(const dwn_walk *w, uint8_t zero, const dwn_copies *addresses)
{
    const uint32_t count = dwn_value_count(w);
    for (uint32_t back = 1; back <= count && back <= DWN_LOOK_BACK; back++) {
        const dwn_value *value = &w->values[count - back];
        for (uint32_t i = 0; i < addresses->count && value->has_base; i++) {
            if (value->base == addresses->at[i] && value->zero == zero &&
                is_extent(value, &w->values[w->current])) {
                return count - back;
            }
        }
    }
    return DWN_NONE;
}

// What was written last where a factor is read, or the most recent value of its zero point; with
// whether it is sure. DWN_NONE: none fits.
static uint32_t find_factor(const dwn_walk *w, uint32_t written, uint8_t zero, uint32_t kept,
                            bool *is_sure)
{
    const dwn_extent extent = w->values[w->current].extent;
    const uint32_t last = dwn_find_value(w, zero, extent);
    const uint32_t count = dwn_value_count(w);
    for (uint32_t back = 0; written != DWN_NONE && back <= count && back <= DWN_LOOK_BACK; back++) {
        const uint32_t value = back == 0 ? w->current : count - back;
        const dwn_value *v = &w->values[value];
        if (v->zero == zero && is_extent(v, &w->values[w->current]) &&
            dwn_is_part(w, written, value)) {
            return value;
        }
    }
    *is_sure = *is_sure && written == DWN_NONE && (kept != DWN_NONE || w->zeros[zero] == 1);
    return kept != DWN_NONE && written == DWN_NONE ? kept : last;
}

// The first factor is read at an address; the second is copied from one while the operation runs,
// so that the copies before the next operation have it.
bool dwn_find_factors(const dwn_walk *w, const dwn_group *group, dwn_operands *out)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const uint32_t next = group->first + group->count;
    const dwn_copies first = {{(uint16_t)dwn_first_part(&w->operations, group)->a.base}, 1};
    const dwn_copies none = {.count = 0};
    const dwn_copies *second =
        next < w->operations.count ? &w->operations.items[next].copies : &none;
    const uint32_t kept[2] = {find_made_at(w, op->input_zero, &first),
                              find_made_at(w, op->weight_zero, second)};
    *out = (dwn_operands){.is_sure = true};
    out->values[0] =
        find_factor(w, dwn_written_at(w, group, 0), op->input_zero, kept[0], &out->is_sure);
    out->values[1] =
        find_factor(w, dwn_written_copied(w, group), op->weight_zero, kept[1], &out->is_sure);
    out->heuristics = 1u << (out->is_sure ? DWN_GUESS_ADDRESS : DWN_GUESS_LAST);
    return out->values[0] != DWN_NONE && out->values[1] != DWN_NONE;
}
