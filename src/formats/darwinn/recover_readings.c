// Readings of a layer that are a second look at its geometry (darwinn reference section 16.4):
// other tiles, what they send and what they store. In: a group, the value that it reads, and how;
// out: what of it agrees, for recover_doubts.c.
#include "formats/darwinn/recover_work.h"

static bool is_prime(uint32_t number)
{
    for (uint32_t i = 2; i <= number / i; i++) {
        if (number % i == 0) {
            return false;
        }
    }
    return number > 1;
}

// A window in one loop has taps above and next to each other where tiles send data both ways
// before it, and then it is square where no other product gives its taps.
static bool is_square(const dwn_walk *w, const dwn_group *group, const dwn_geometry *g)
{
    const dwn_operation *first = &w->operations.items[group->first];
    return !(g->heuristics >> DWN_GUESS_SQUARE & 1) ||
           (first->has_rows_sent && first->has_columns_sent && is_prime(g->kernel[0]));
}

// As TFLite's SAME has it: a second reading in itself.
static bool is_same_padding(const dwn_geometry *g, dwn_extent input)
{
    const dwn_sides same = dwn_padding_same(g, input);
    return g->padding[0] == same.top && g->padding[1] == same.left;
}

// The group that wrote a value where a layer reads it: that which moved it last, or made it, in one
// piece. NULL: nothing says which.
static const dwn_group *writer_of(const dwn_walk *w, uint32_t value)
{
    const dwn_group *groups = w->operations.groups;
    if (w->has_moved) {
        return &groups[w->moved];
    }
    const dwn_made *made = value < w->input_count ? NULL : &w->made[value - w->input_count];
    return made && value == w->current && made->strips == 1 ? &groups[made->group] : NULL;
}

// Whether other tiles agree with the padding: where the value was written last, or where an input
// was laid out, whose last rows may have been moved on their own.
static bool do_tiles_agree(const dwn_walk *w, const dwn_group *group, const dwn_geometry *g,
                           uint32_t value)
{
    const dwn_operations *all = &w->operations;
    const dwn_group *written = writer_of(w, value);
    const dwn_group *layout = w->has_layout ? &all->groups[w->layout] : NULL;
    const dwn_extent input = w->values[value].extent;
    return written && (dwn_tiles_agree(all, written, NULL, group, g, input) ||
                       (layout && written != layout && value < w->input_count &&
                        dwn_tiles_agree(all, layout, written, group, g, input)));
}

static void add_around(const dwn_walk *w, const dwn_group *written, const dwn_group *group,
                       dwn_around *around)
{
    if (written) {
        const dwn_around more =
            dwn_around_of(&w->operations, written, group, dwn_widest_of(w, group)->input_zero);
        around->has_zero = around->has_zero || more.has_zero;
        around->has_other = around->has_other || more.has_other;
    }
}

// What agrees: padding that was found with a PAD, or read on tile 0 and on others.
dwn_readings dwn_readings_of(const dwn_walk *w, const dwn_group *group, const dwn_geometry *g,
                             uint32_t value, bool is_after_pad)
{
    dwn_around around = {.has_zero = is_after_pad};
    add_around(w, is_after_pad ? NULL : writer_of(w, value), group, &around);
    return (dwn_readings){.is_agreed =
                              g->is_padded || (g->is_read && do_tiles_agree(w, group, g, value)) ||
                              (is_after_pad && is_same_padding(g, w->values[value].extent)),
                          .around = around};
}

// Notes for recover_doubts.c; a trace of all words agrees with everything.
void dwn_note_readings(dwn_walk *w, const dwn_group *group, const dwn_geometry *g,
                       const dwn_readings *readings)
{
    dwn_made *made = &w->made[w->layer_count - 1];
    made->is_read = g->is_read;
    made->is_agreed = readings->is_agreed || g->is_traced;
    made->around = readings->around;
    made->is_sure = g->is_sure;
    made->other = g->other;
    made->doubts |= g->is_traced || is_square(w, group, g) ? 0 : 1u << DWN_DOUBT_WINDOW;
}

// A strip may be moved anew, with stores around it.
void dwn_note_around(const dwn_walk *w, const dwn_group *group, dwn_made *made)
{
    add_around(w, w->has_moved ? &w->operations.groups[w->moved] : NULL, group, &made->around);
}
