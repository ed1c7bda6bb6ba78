// Which values a layer reads (darwinn reference section 16.6), and which layer a group continues in
// another strip (16.2). In: the walk so far and a group; out: indices of values, with the heuristic
// that chose them and whether a second reading (addresses, copies) agrees.
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/recover_work.h"

// The value `back` steps before the last one, the current one first of all; NULL: there is none.
static const dwn_value *value_back(const dwn_walk *w, uint32_t back)
{
    const uint32_t count = dwn_value_count(w);
    if (back == 0) {
        return &w->values[w->current];
    }
    return back <= count && back <= DWN_LOOK_BACK ? &w->values[count - back] : NULL;
}

static uint32_t index_of(const dwn_walk *w, const dwn_value *value)
{
    return (uint32_t)(value - w->values);
}

// Padding ----------------------------------------------------------------------------------------

// Whether the padding follows from a place where the value may be.
static bool has_padding(const dwn_walk *w, const dwn_group *group, const dwn_value *value,
                        dwn_geometry *g)
{
    const int32_t consumed = dwn_first_part(&w->operations, group)->a.base;
    const bool is_input = index_of(w, value) < w->input_count;
    return (value->has_base && dwn_padding_of(g, value->extent, value->base, consumed)) ||
           (is_input && w->has_layout &&
            dwn_padding_of(g, value->extent, w->layout_base, consumed)) ||
           (w->has_moved && dwn_padding_of(g, value->extent, w->moved_base, consumed));
}

// Inputs -----------------------------------------------------------------------------------------

// Whether an output that is not the input over the stride is that of windows of a value: the one
// that was made last, with padding before it that addresses show, and after it no window that reads
// nothing else, and none left out.
static bool is_explained(const dwn_walk *w, const dwn_group *group, const dwn_value *value,
                         const dwn_geometry *found)
{
    dwn_geometry g = *found;
    if (index_of(w, value) != w->current || !has_padding(w, group, value, &g)) {
        return false;
    }
    const dwn_recovered layer = {.kind = g.kind,
                                 .input = value->extent,
                                 .output = g.output,
                                 .kernel = {g.kernel[0], g.kernel[1]},
                                 .stride = {g.stride[0], g.stride[1]},
                                 .dilation = {g.dilation[0], g.dilation[1]},
                                 .padding = {g.padding[0], g.padding[1]}};
    const dwn_axis rows = dwn_axis_of(&layer, 0);
    const dwn_axis columns = dwn_axis_of(&layer, 1);
    return dwn_axis_has_windows(&rows) && dwn_axis_has_windows(&columns);
}

// Whether a group can read a value: by zero point (rule 4) and by size.
static bool fits(const dwn_walk *w, const dwn_group *group, const dwn_value *value, dwn_geometry *g)
{
    return value->zero == dwn_widest_of(w, group)->input_zero &&
           dwn_geometry_of(&w->operations, group, value->extent, g) &&
           (!g->is_counted || is_explained(w, group, value, g));
}

// The same words: same first address, as many words.
static bool is_same_range(const dwn_operation *a, const dwn_operation *b)
{
    return a->a.base == b->a.base && dwn_words_read(a) == dwn_words_read(b);
}

// The same words in the same order.
static bool is_same_walk(const dwn_operation *a, const dwn_operation *b)
{
    bool is_same = a->a.base == b->a.base;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        is_same = is_same && a->a.loops[i].count == b->a.loops[i].count &&
                  a->a.loops[i].stride == b->a.loops[i].stride;
    }
    return is_same;
}

// Rule 2: what the last layer read of which the operation reads the same; NULL: there is none.
static const dwn_value *read_before(const dwn_walk *w, const dwn_group *group,
                                    bool (*is_same)(const dwn_operation *, const dwn_operation *))
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    for (uint32_t i = 0; i < w->layer_count && i < DWN_LOOK_BACK; i++) {
        const uint32_t layer = w->layer_count - 1 - i;
        const dwn_group *earlier = &w->operations.groups[w->made[layer].group];
        const dwn_operation *other = dwn_first_part(&w->operations, earlier);
        // A slice has no operations of its own.
        if (w->layers[layer].input_count == 1 && w->layers[layer].kind != DWN_KIND_SLICE &&
            is_same(part, other)) {
            return &w->values[dwn_value_of(w, w->layers[layer].inputs[0])];
        }
    }
    return NULL;
}

// Lists of copies have DWN_COPIES addresses at most.
static bool has_copied(const dwn_copies *copies, int64_t address)
{
    for (uint32_t i = 0; i < copies->count; i++) {
        if (copies->at[i] == address) {
            return true;
        }
    }
    return false;
}

void dwn_note_copies(dwn_walk *w, const dwn_group *group)
{
    w->values[w->current].copies = w->operations.items[group->first].copies;
}

// Whether the group reads where the value is, or where it was moved, or after it was copied out.
static bool is_at(const dwn_walk *w, const dwn_group *group, const dwn_value *value)
{
    const int32_t base = dwn_first_part(&w->operations, group)->a.base;
    return (value->has_base &&
            (value->base == base ||
             has_copied(&w->operations.items[group->first].copies, value->base))) ||
           (w->has_moved && w->moved_base == base);
}

bool dwn_is_read_there(const dwn_walk *w, const dwn_group *group, uint32_t value,
                       const dwn_geometry *g)
{
    return g->is_read || is_at(w, group, &w->values[value]);
}

// Whether channels of a value, as many as another one has, could be read in its place.
static bool may_be_cut(const dwn_value *value, const dwn_value *other)
{
    return value->zero == other->zero && value->extent.h == other->extent.h &&
           value->extent.w == other->extent.w && value->extent.c > other->extent.c;
}

// What the tiles of all strips had to make at the least if a value other than the chosen one were
// read; UINT64_MAX: none can be, as they make more than they had to; 0: nothing excludes others.
static uint64_t least_other(const dwn_walk *w, const dwn_group *group, const dwn_value *chosen)
{
    const dwn_value *value = NULL;
    uint64_t least = UINT64_MAX;
    for (uint32_t back = 0; (value = value_back(w, back)) != NULL && least > 0; back++) {
        dwn_geometry g;
        if (value != chosen && may_be_cut(value, chosen)) {
            least = 0;
        }
        if (!fits(w, group, value, &g)) {
            continue;
        }
        const bool is_dense = g.kind == DWN_KIND_DENSE;
        const uint64_t needed = dwn_times((uint64_t)g.output.h * g.output.w, g.groups);
        const bool is_possible = is_dense || group->produced <= needed;
        if (value == chosen ? !is_possible : is_dense) {
            least = 0;
        } else if (value != chosen && is_possible && needed < least) {
            least = needed;
        }
    }
    return least;
}

// Whether an input of the model was laid out elsewhere than where a group without a window reads
// it: something is around it that the group reads, too.
static bool is_around(const dwn_walk *w, const dwn_group *group, const dwn_value *value)
{
    return index_of(w, value) < w->input_count && w->has_layout &&
           dwn_first_part(&w->operations, group)->a.base != w->layout_base &&
           !is_at(w, group, value);
}

// Whether a group reads the words of a value, by what was written there last: its first pixel,
// after the padding that was read.
static dwn_written is_written(const dwn_walk *w, const dwn_group *group, const dwn_value *value,
                              const dwn_geometry *g)
{
    const bool has_taps = g->kernel[0] > 1 || g->kernel[1] > 1;
    const int64_t before = g->is_read ? g->padding[0] * g->pitch +
                                            (int64_t)g->padding[1] * dwn_words_of(value->extent.c)
                                      : 0;
    return has_taps && !g->is_read
               ? DWN_WRITTEN_UNKNOWN
               : dwn_is_written(w, group, dwn_first_part(&w->operations, group)->a.base + before,
                                index_of(w, value));
}

// Completes the geometry of a value that was chosen: padding, and whether anything but the rule
// says that it is this value. Gives its index.
static uint32_t chosen(const dwn_walk *w, const dwn_group *group, const dwn_value *value,
                       dwn_heuristic heuristic, dwn_geometry *g)
{
    g->heuristics |= 1u << heuristic;
    const bool has_taps = g->kernel[0] > 1 || g->kernel[1] > 1;
    g->is_read = has_taps && has_padding(w, group, value, g);
    if (has_taps && !g->is_read) {
        const dwn_sides same = dwn_padding_same(g, value->extent);
        g->padding[0] = same.top;
        g->padding[1] = same.left;
        g->heuristics |= 1u << DWN_GUESS_SAME;
    }
    const dwn_written written = is_written(w, group, value, g);
    g->is_sure = written != DWN_WRITTEN_NOT_SO &&
                 (written == DWN_WRITTEN_SO || g->is_read || heuristic == DWN_GUESS_ADDRESS ||
                  is_at(w, group, value) || read_before(w, group, is_same_range) == value);
    if (!g->is_sure && written != DWN_WRITTEN_NOT_SO && (has_taps || !is_around(w, group, value))) {
        g->other = least_other(w, group, value);
        g->is_sure = g->other == UINT64_MAX;
    }
    return index_of(w, value);
}

// By what was made last, what was read before and zero points.
static uint32_t find_by_rules(const dwn_walk *w, const dwn_group *group, dwn_geometry *g)
{
    const dwn_value *current = &w->values[w->current];
    if (fits(w, group, current, g)) {
        dwn_geometry other;
        const dwn_value *before = NULL;
        if (g->has_window && !has_padding(w, group, current, g)) {
            before = read_before(w, group, is_same_walk);
        }
        if (before && before != current && fits(w, group, before, &other)) {
            *g = other;
            return chosen(w, group, before, DWN_GUESS_ADDRESS, g);
        }
        return chosen(w, group, current, DWN_GUESS_LAST, g);
    }
    const dwn_value *value = NULL;
    for (uint32_t back = 1; (value = value_back(w, back)) != NULL; back++) {
        if (fits(w, group, value, g) && g->is_whole) { // a strip says too little about the size
            const bool is_dense = g->kind == DWN_KIND_DENSE;
            return chosen(w, group, value, is_dense ? DWN_GUESS_SIZE : DWN_GUESS_ZERO_POINT, g);
        }
    }
    return DWN_NONE;
}

// The most recent value that fits and whose words are where the group reads; DWN_NONE: none is.
static uint32_t find_by_words(const dwn_walk *w, const dwn_group *group, dwn_geometry *g)
{
    const dwn_value *value = NULL;
    for (uint32_t back = 0; (value = value_back(w, back)) != NULL; back++) {
        if (!fits(w, group, value, g) || (back > 0 && !g->is_whole)) {
            continue;
        }
        const bool has_taps = g->kernel[0] > 1 || g->kernel[1] > 1;
        g->is_read = has_taps && has_padding(w, group, value, g);
        if (is_written(w, group, value, g) == DWN_WRITTEN_SO) {
            return chosen(w, group, value, DWN_GUESS_ADDRESS, g);
        }
    }
    return DWN_NONE;
}

uint32_t dwn_find_input(const dwn_walk *w, const dwn_group *group, dwn_geometry *g)
{
    const uint32_t found = find_by_rules(w, group, g);
    if (found == DWN_NONE || is_written(w, group, &w->values[found], g) != DWN_WRITTEN_NOT_SO) {
        return found;
    }
    dwn_geometry other;
    const uint32_t value = find_by_words(w, group, &other);
    if (value == DWN_NONE) {
        return found; // in doubt
    }
    *g = other;
    return value;
}

// Extents of 0 fit any; channels are compared in words of 4, since padding is not distinguished.
static bool is_extent(dwn_extent found, dwn_extent expected)
{
    return (expected.h == 0 || found.h == expected.h) &&
           (expected.w == 0 || found.w == expected.w) &&
           (expected.c == 0 || dwn_words_of(found.c) == dwn_words_of(expected.c));
}

uint32_t dwn_find_value(const dwn_walk *w, uint8_t zero, dwn_extent extent)
{
    const dwn_value *value = NULL;
    for (uint32_t back = 0; (value = value_back(w, back)) != NULL; back++) {
        if (value->zero == zero && is_extent(value->extent, extent)) {
            return index_of(w, value);
        }
    }
    return DWN_NONE;
}

uint32_t dwn_find_mapped(const dwn_walk *w, const dwn_group *group, bool *out_is_sure)
{
    const uint32_t written = dwn_written_at(w, group, 0);
    const uint8_t zero = dwn_widest_of(w, group)->input_zero;
    const int32_t base = dwn_first_part(&w->operations, group)->a.base;
    const dwn_value *found = NULL;
    const dwn_value *there = NULL;
    const dwn_value *value = NULL;
    uint32_t count = 0;
    for (uint32_t back = 0; (value = value_back(w, back)) != NULL; back++) {
        const uint64_t words =
            (uint64_t)value->extent.h * value->extent.w * dwn_words_of(value->extent.c);
        // The current value was the first.
        const bool is_again = back > 0 && index_of(w, value) == w->current;
        if (value->zero != zero || words != group->produced || is_again) {
            continue;
        }
        count++;
        found = found ? found : value;
        const bool is_moved = value->has_place && (value->place == base || value->from == base);
        const bool is_there = written == DWN_NONE ? is_moved || is_at(w, group, value)
                                                  : dwn_is_part(w, written, index_of(w, value));
        there = !there && is_there ? value : there;
    }
    *out_is_sure = // of an input of the model there is no address
        there || (written == DWN_NONE && count == 1 && !found->has_base);
    return count == 0 ? DWN_NONE : index_of(w, there ? there : found);
}

uint32_t dwn_find_joined(const dwn_walk *w, const dwn_group *group, uint32_t most,
                         uint32_t *out_values)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    uint64_t words = 0;
    uint32_t count = 0;
    if (dwn_words_read(op) != op->reduction) {
        return 0;
    }
    while (words < op->reduction && count < most && count < w->layer_count) {
        const uint32_t value = dwn_value_count(w) - 1 - count;
        const dwn_extent extent = w->values[value].extent;
        if (w->values[value].zero != op->input_zero || extent.h != 1 || extent.w != 1) {
            return 0;
        }
        words += dwn_words_of(extent.c);
        out_values[count++] = value;
    }
    // Found from the last to the first, and the oldest is to come first.
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t value = out_values[i];
        out_values[i] = out_values[count - 1 - i];
        out_values[count - 1 - i] = value;
    }
    return words == op->reduction && count > 1 ? count : 0;
}

// Additions --------------------------------------------------------------------------------------

// K = -(k1 * z1 + k2 * z2), the equation that identifies operands (16.6, rule 5).
static bool is_constant(const int32_t factors[2], const dwn_value *first, const dwn_value *second,
                        int32_t constant)
{
    const int64_t sum = (int64_t)factors[0] * first->zero + (int64_t)factors[1] * second->zero;
    return sum == -(int64_t)constant;
}

// Whether a value is at an address: it was made there, or copied there before anything else was
// made.
static bool is_kept_at(const dwn_value *value, int64_t address)
{
    return value->has_base && (value->base == address || has_copied(&value->copies, address));
}

// Whether the operands are where the loops read them: the second is one step of loop 1 after.
static bool is_read_at(const dwn_operation *op, const dwn_value *first, const dwn_value *second)
{
    return is_kept_at(first, op->a.base) &&
           is_kept_at(second, op->a.base + op->a.loops[1].stride + 1);
}

// What is known of where an addition reads: values, DWN_NONE where it is unknown.
typedef struct reading {
    const dwn_operation *op;
    const int32_t *factors;
    uint32_t written[2];
} reading;

// Whether a value that was written where an operand is read is that, or what it is cut from: then
// words say whether these channels are read (recover_addends.c).
static bool may_have(const dwn_walk *w, uint32_t written, uint32_t value)
{
    const uint32_t whole = dwn_cut_from(w, value);
    return written == DWN_NONE || dwn_is_part(w, written, value) ||
           (whole != value && dwn_is_part(w, written, whole));
}

// Whether nothing else was written where both are read.
static bool may_be_read(const dwn_walk *w, const reading *r, const uint32_t values[2])
{
    return may_have(w, r->written[0], values[0]) && may_have(w, r->written[1], values[1]);
}

// Whether both addresses were written by known layers.
static bool are_known(const reading *r)
{
    return r->written[0] != DWN_NONE && r->written[1] != DWN_NONE;
}

// The operands in the order that the constant says; where it says none, in that of the addresses.
static bool put_in_order(const dwn_walk *w, const reading *r, dwn_operands *o)
{
    const dwn_operation *op = r->op;
    const dwn_value *first = &w->values[o->values[0]];
    const dwn_value *second = &w->values[o->values[1]];
    const uint32_t exchanged[2] = {o->values[1], o->values[0]};
    const bool is_so = is_constant(r->factors, first, second, op->constant);
    const bool is_exchanged = is_constant(r->factors, second, first, op->constant);
    if (!is_so && !is_exchanged) {
        return false;
    }
    const bool is_read_so =
        are_known(r) ? may_be_read(w, r, o->values) : is_read_at(op, first, second);
    const bool is_read_exchanged =
        are_known(r) ? may_be_read(w, r, exchanged) : is_read_at(op, second, first);
    // Different factors, and the constant fits both orders.
    const bool is_either = is_so && is_exchanged && r->factors[0] != r->factors[1];
    o->heuristics = 1u << DWN_GUESS_CONSTANT;
    bool exchange = !is_so;
    if (is_so && is_exchanged && first->zero == second->zero) {
        o->heuristics |= 1u << DWN_GUESS_ADDRESS;
        exchange = is_read_exchanged;
    }
    o->is_sure = is_read_so || is_read_exchanged || !is_either;
    if (exchange) {
        memcpy(o->values, exchanged, sizeof(exchanged));
    }
    return true;
}

// The pairs of values that fit: how many, at most two, and the most recent. Where it is known what
// was written where the operands are read it is of these.
// Two are enough to know that it is not the only one.
static uint32_t find_pairs(const dwn_walk *w, const reading *r, dwn_operands *out)
{
    const dwn_extent extent = w->values[w->current].extent;
    const dwn_value *second = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; (second = value_back(w, i)) != NULL && count < 2; i++) {
        const dwn_value *first = NULL;
        if (!is_extent(second->extent, extent) || (i > 0 && index_of(w, second) == w->current)) {
            continue;
        }
        for (uint32_t k = i + 1; (first = value_back(w, k)) != NULL && count < 2; k++) {
            dwn_operands pair = {.values = {index_of(w, first), index_of(w, second)}};
            if (first != second && index_of(w, first) != w->current &&
                is_extent(first->extent, extent) && put_in_order(w, r, &pair) &&
                may_be_read(w, r, pair.values)) {
                *out = count == 0 ? pair : *out;
                count++;
            }
        }
    }
    return count;
}

// Whether the loops read one address for both operands: then both are the value that was made last.
static bool reads_twice(const dwn_operation *op)
{
    return op->a.loops[1].count == 2 && op->a.loops[1].stride == -1;
}

// Both operands are one value: what was written there, else the value that was made last.
static bool find_twice(const dwn_walk *w, const reading *r, dwn_operands *out)
{
    const bool is_known = r->written[0] != DWN_NONE;
    const uint32_t value = is_known ? r->written[0] : w->current;
    const dwn_value *v = &w->values[value];
    *out = (dwn_operands){{value, value}, 1u << DWN_GUESS_CONSTANT | 1u << DWN_GUESS_LAST, true};
    return (is_known || is_kept_at(v, r->op->a.base)) &&
           is_constant(r->factors, v, v, r->op->constant);
}

// Whether channels of another value could be added in place of an operand, where nothing says what
// is read there.
static bool may_add_cuts(const dwn_walk *w, const reading *r, const dwn_operands *o)
{
    const dwn_value *operands[2] = {&w->values[o->values[0]], &w->values[o->values[1]]};
    if (is_read_at(r->op, operands[0], operands[1])) {
        return false;
    }
    const dwn_value *value = NULL;
    for (uint32_t back = 0; (value = value_back(w, back)) != NULL; back++) {
        for (size_t i = 0; i < 2; i++) {
            if (r->written[i] == DWN_NONE && may_be_cut(value, operands[i])) {
                return true;
            }
        }
    }
    return false;
}

bool dwn_find_operands(const dwn_walk *w, const dwn_group *group, const int32_t factors[2],
                       dwn_operands *out)
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    reading r = {dwn_widest_of(w, group), factors, {DWN_NONE, DWN_NONE}};
    if (!part->is_elsewhere && part->a.loops[1].count == 2) {
        r.written[0] = dwn_written_at(w, group, 0);
        r.written[1] = dwn_written_at(w, group, part->a.loops[1].stride + 1);
    }
    if (reads_twice(r.op)) {
        return find_twice(w, &r, out);
    }
    uint32_t count = find_pairs(w, &r, out);
    const bool is_so = count > 0;
    if (!is_so) {
        r.written[0] = r.written[1] = DWN_NONE; // nothing fits what was written: in doubt
        count = find_pairs(w, &r, out);
    }
    if (count > 1) {
        const dwn_value *first = &w->values[out->values[0]];
        const dwn_value *second = &w->values[out->values[1]];
        out->is_sure =
            are_known(&r) || is_read_at(r.op, first, second) || is_read_at(r.op, second, first);
    }
    out->is_sure = out->is_sure && is_so && (count == 0 || !may_add_cuts(w, &r, out));
    return count > 0;
}

// Strips -----------------------------------------------------------------------------------------

// What strips of one layer have in common (16.2).
static bool is_signature(const dwn_operation *a, const dwn_operation *b)
{
    return dwn_is_same_layer(a, b) && a->full_rows == b->full_rows &&
           a->last_rows == b->last_rows && a->reduction == b->reduction;
}

// Groups of output channels as the loops have them: those that stand still, and the last that steps
// from word to word, of layers with 4 rows.
static uint64_t groups_of(const dwn_operation *op)
{
    uint64_t groups = 1;
    uint64_t last = 1;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->a.loops[i];
        groups = loop->stride == 0 ? dwn_times(groups, loop->count) : groups;
        last = loop->stride == 1 && loop->count > 1 ? loop->count : last;
    }
    // Loops that stand still are no groups there.
    return op->full_rows == 4 && groups < UINT64_MAX ? last : groups;
}

// Strips of a layer get the same parameters; where nothing says what they get, that is a doubt of
// its own.
static bool has_its_parameters(const dwn_recovered *layer, const dwn_supply *supply)
{
    return layer->piece_count == 0 || supply->source == DWN_SUPPLY_NONE ||
           dwn_supply_is(supply, &layer->pieces[0]);
}

// Strips that overlap may make all of an output, and more, before the last one: its parameters say
// that it is one.
static bool goes_on(const dwn_recovered *layer, const dwn_made *made, const dwn_supply *supply)
{
    return dwn_is_short(made) || (made->strips > 1 && made->strip && layer->piece_count > 0 &&
                                  supply->source != DWN_SUPPLY_NONE);
}

bool dwn_is_short(const dwn_made *made)
{
    return made->produced < made->needed;
}

// Nothing but what it reads tells a strip of an addition from one of the next, which may have the
// same constants: where it is known what was written there it is an input of the layer. And what
// makes all of an output is no strip.
static bool reads_inputs_of(const dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    const int64_t second = dwn_first_part(&w->operations, group)->a.loops[1].stride + 1;
    bool is_so = l->piece_count > 0 || group->produced < w->made[layer].needed;
    for (size_t i = 0; i < 2 && is_so && l->piece_count == 0; i++) {
        const uint32_t written = dwn_written_at(w, group, i == 0 ? 0 : second);
        bool is_input = written == DWN_NONE;
        for (uint32_t k = 0; k < l->input_count; k++) {
            is_input = is_input || dwn_is_part(w, written, dwn_value_of(w, l->inputs[k]));
        }
        is_so = is_input;
    }
    return is_so;
}

uint32_t dwn_find_strip(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const dwn_supply supply = dwn_group_supply(&w->operations, group);
    for (uint32_t i = 0; i < w->layer_count && i < DWN_LOOK_BACK; i++) {
        const uint32_t layer = w->layer_count - 1 - i;
        const dwn_made *made = &w->made[layer];
        const dwn_group *first = &w->operations.groups[made->group];
        if (goes_on(&w->layers[layer], made, &supply) &&
            is_signature(op, dwn_widest_of(w, first)) &&
            groups_of(op) == groups_of(dwn_widest_of(w, first)) &&
            has_its_parameters(&w->layers[layer], &supply) && reads_inputs_of(w, group, layer)) {
            return layer;
        }
    }
    return DWN_NONE;
}

void dwn_read_strip(dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    dwn_recovered *l = &w->layers[layer];
    dwn_made *made = &w->made[layer];
    const uint32_t source = l->input_count > 0 ? l->inputs[0] : DWN_NONE;
    const uint32_t value = dwn_value_of(w, source);
    dwn_geometry g;
    if (source == DWN_NONE || (l->kernel[0] == 1 && l->kernel[1] == 1) ||
        !dwn_geometry_of(&w->operations, group, w->values[value].extent, &g) ||
        !has_padding(w, group, &w->values[value], &g)) {
        return;
    }
    for (size_t axis = 0; axis < 2; axis++) {
        const bool is_more = !made->is_read || g.padding[axis] > l->padding[axis];
        made->is_agreed = made->is_agreed && !is_more; // it was of the padding before
        l->padding[axis] = is_more ? g.padding[axis] : l->padding[axis];
    }
    made->is_read = true;
    l->heuristics &= ~(1u << DWN_GUESS_SAME);
}
