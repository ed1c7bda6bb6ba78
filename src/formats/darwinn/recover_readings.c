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

void dwn_note_readings(dwn_walk *w, const dwn_group *group, const dwn_geometry *g, bool is_agreed)
{
    dwn_made *made = &w->made[w->layer_count - 1];
    made->is_read = g->is_read;
    made->is_agreed = is_agreed;
    made->doubts |= is_square(w, group, g) ? 0 : 1u << DWN_DOUBT_WINDOW;
    made->doubts |= g->is_sure ? 0 : 1u << DWN_DOUBT_INPUTS;
}

static bool is_same_padding(const dwn_geometry *g, dwn_extent input)
{
    const dwn_sides same = dwn_padding_same(g, input);
    return g->padding[0] == same.top && g->padding[1] == same.left;
}

bool dwn_is_padding_agreed(const dwn_walk *w, const dwn_group *group, const dwn_geometry *g,
                           uint32_t value, bool is_after_pad)
{
    const dwn_extent input = w->values[value].extent;
    return g->is_padded ||
           (g->is_read && w->has_moved &&
            dwn_tiles_agree(&w->operations, &w->operations.groups[w->moved], group, g, input)) ||
           (is_after_pad && is_same_padding(g, input));
}
