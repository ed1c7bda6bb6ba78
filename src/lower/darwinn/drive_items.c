// The items of an executable: what the chip does in one run, in its order. The scalar core is run
// (formats/darwinn/scalar_hints.h); with the USB driver the hints of the file are compared with it
// (RUN-038), as the chip would hang where they differ.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/hints.h"
#include "lower/darwinn/drive.h"

enum { HINT_TEXT = 256, WORD = 16 };

// A hint, made or the file's, and its place.
typedef struct step {
    dwn_hint hint;
    bool is_hinted;
    hoist_loc loc;
} step;

typedef struct lister {
    darwinn_lower_walk *walk;
    dwn_program_run run;
    dwn_places places;
    step *steps; // arena
    size_t count;
    size_t capacity;
} lister;

// Steps -----------------------------------------------------------------------------------------

// The array was reserved for all that can come.
static void add_step(lister *l, dwn_hint hint, hoist_loc loc)
{
    l->steps[l->count++] = (step){.hint = hint, .loc = loc};
}

// The instruction that asks for something.
static hoist_loc chunk_place(const darwinn_lower_walk *walk, uint32_t chunk, uint32_t word)
{
    const hoist_bytes bytes = walk->image->chunks[chunk].stream.bytes;
    hoist_loc loc = dwn_place_in_file(walk->model->module, bytes.data);
    loc.offset += (uint64_t)word * WORD;
    loc.source = walk->loc.source;
    return loc;
}

// Chunks from *next to before `end`.
static void add_chunks(lister *l, uint32_t *next, uint32_t end)
{
    for (; *next < end; ++*next) {
        add_step(l, (dwn_hint){.kind = DWN_HINT_INSTRUCTION, .index = (int32_t)*next},
                 chunk_place(l->walk, *next, 0));
    }
}

// All transfers and chunks by the descriptors that the core sends. A chunk is asked for where the
// stream of the one before ends, after all that it sends: there hints have it (reference 4.3).
// Descriptors of instructions have a tag of their own (4.2), but no chip was seen to send them
// [inferred that it would].
static void list_descriptors(lister *l)
{
    uint32_t chunk = 0;
    for (size_t i = 0; i < l->run.transfer_count; i++) {
        const dwn_transfer *const t = &l->run.transfers[i];
        add_chunks(l, &chunk, t->chunk + 1);
        add_step(l, dwn_hint_of(t), chunk_place(l->walk, t->chunk, t->word));
    }
    add_chunks(l, &chunk, l->walk->image->chunk_count);
}

static void refuse_hint(const lister *l, size_t index, const dwn_hint *found,
                        const dwn_hint *expected)
{
    char found_text[HINT_TEXT] = "nothing";
    char expected_text[HINT_TEXT] = "nothing";
    if (found) {
        dwn_hint_text(found, found_text, sizeof found_text);
    }
    if (expected) {
        dwn_hint_text(expected, expected_text, sizeof expected_text);
    }
    darwinn_lower_refuse(l->walk->model, RUN_038,
                         "hint %zu of the %s executable is %s, the chip expects %s", index,
                         l->walk->role, found_text, expected_text);
}

// The hints of the file. Fences may be anywhere; all else has to be what the chip does, in its
// order, or both sides wait for each other for ever. Hints that are not fully deterministic may be
// a prefix: the rest is done when the chip asks for it.
static bool list_hints(lister *l, const dwn_hint *hints, size_t count)
{
    const dwn_hints *const stored = l->walk->rows->dma_hints;
    size_t own = 0; // of the chip's
    for (size_t i = 0; i < count; i++) {
        if (hints[i].kind != DWN_HINT_FENCE) {
            while (own < l->run.hint_count && l->run.hints[own].kind == DWN_HINT_FENCE) {
                own++;
            }
            const dwn_hint *const expected = own < l->run.hint_count ? &l->run.hints[own++] : NULL;
            if (!expected || !dwn_hint_equal(expected, &hints[i])) {
                refuse_hint(l, i, &hints[i], expected);
                return false;
            }
        }
        add_step(l, hints[i], l->walk->loc);
        l->steps[l->count - 1].is_hinted = true;
    }
    for (; own < l->run.hint_count; own++) {
        const dwn_hint *const hint = &l->run.hints[own];
        if (hint->kind == DWN_HINT_FENCE) {
            continue;
        }
        if (stored->fully_deterministic) {
            refuse_hint(l, count, NULL, hint);
            return false;
        }
        add_step(l, *hint, l->walk->loc);
    }
    return true;
}

// Bounds the items, each of which becomes a function.
static bool reserve(lister *l, size_t count)
{
    if (count > DARWINN_LOWER_MAX_ITEMS) {
        return darwinn_lower_refuse(
            l->walk->model, RUN_008,
            "the %s executable has %zu transfers and chunks, at most %d are run", l->walk->role,
            count, (int)DARWINN_LOWER_MAX_ITEMS);
    }
    l->steps = hoist_lower_array(l->walk->model->c, count + 1, sizeof *l->steps);
    return l->steps;
}

// PCIe and USB without hints follow the descriptors alone.
static bool list_steps(lister *l)
{
    darwinn_lower_walk *const walk = l->walk;
    const darwinn_lower_chip *const chip = walk->model->chip;
    if (chip->c->options->driver != HOIST_DRIVER_USB) {
        if (!reserve(l, l->run.transfer_count + walk->image->chunk_count)) {
            return false;
        }
        list_descriptors(l);
        return true;
    }
    dwn_hint *hints = NULL;
    size_t count = 0;
    if (!walk->rows->dma_hints) {
        return darwinn_lower_refuse(walk->model, RUN_038, "the %s executable has no hints",
                                    walk->role);
    }
    const hoist_status status = dwn_hints_of(walk->rows, &chip->c->arena, &hints, &count);
    if (status != HOIST_OK) {
        hoist_lower_fail(walk->model->c, status);
        return false;
    }
    return reserve(l, count + l->run.hint_count) && list_hints(l, hints, count);
}

// Items -----------------------------------------------------------------------------------------

// With the transfer in the words that hints have: "output 'probs' [0, +10] outfeed".
static bool refuse_transfer(const lister *l, const dwn_hint *hint, const char *why)
{
    char text[HINT_TEXT];
    dwn_hint_text(hint, text, sizeof text);
    return darwinn_lower_refuse(l->walk->model, RUN_037, "transfer of the %s executable, %s: %s",
                                l->walk->role, text, why);
}

// A transfer by its buffer and range. Its offset and size are numbers that the core computed from
// the file's instructions: both are compared with the buffer without adding them.
static bool make_transfer(const lister *l, const dwn_hint *hint, darwinn_lower_item *item)
{
    const dwn_link link = {.name = hint->name, .desc = hint->desc, .has_meta = true};
    const dwn_place *const place = dwn_place_of(&l->places, &link);
    if (!place) {
        return refuse_transfer(l, hint, "there is no such buffer");
    }
    item->twin = (uint32_t)(place - l->places.items);
    const darwinn_lower_twin *const twin = &l->walk->twins[item->twin];
    if (hint->batch < 0 || (uint32_t)hint->batch >= twin->count) {
        return refuse_transfer(l, hint, "the batch has no such element");
    }
    if (hint->offset < 0 || hint->size < 0 || (uint64_t)hint->offset > twin->reach ||
        (uint64_t)hint->size > twin->reach - (uint64_t)hint->offset) {
        return refuse_transfer(l, hint, "it goes beyond the buffer");
    }
    item->kind = DARWINN_LOWER_TRANSFER;
    item->desc = hint->desc;
    item->path = hint->direction == DWN_OUTFEED     ? DARWINN_LOWER_OUT
                 : hint->desc == DWN_DESC_PARAMETER ? DARWINN_LOWER_PARAMETERS
                                                    : DARWINN_LOWER_IN;
    item->index = (uint32_t)hint->batch;
    item->offset = (uint64_t)hint->offset;
    item->size = (uint64_t)hint->size;
    return true;
}

// A kind that hints do not have is a fence.
static bool make_item(const lister *l, const step *s, darwinn_lower_item *item)
{
    *item =
        (darwinn_lower_item){.is_hinted = s->is_hinted, .loc = s->loc, .function = HOIST_NO_REF};
    switch (s->hint.kind) {
    case DWN_HINT_DMA:
        return make_transfer(l, &s->hint, item);
    case DWN_HINT_INSTRUCTION:
        item->kind = DARWINN_LOWER_CHUNK;
        item->index = (uint32_t)s->hint.index;
        return true;
    case DWN_HINT_INTERRUPT:
        item->kind = DARWINN_LOWER_INTERRUPT;
        item->index = (uint32_t)s->hint.index;
        return true;
    default:
        item->kind = DARWINN_LOWER_FENCE;
        return true;
    }
}

// Numbers the item among announcements and counts the totals. The chip announces transfers, and
// chunks but the first.
static void count_item(darwinn_lower_walk *walk, darwinn_lower_item *item)
{
    switch (item->kind) {
    case DARWINN_LOWER_CHUNK:
        walk->chunk_total++;
        item->asked = item->index > 0 ? ++walk->asked_total : 0;
        break;
    case DARWINN_LOWER_TRANSFER:
        walk->path_total[item->path]++;
        item->asked = ++walk->asked_total;
        break;
    case DARWINN_LOWER_INTERRUPT:
        walk->interrupt_total[item->index]++;
        break;
    case DARWINN_LOWER_FENCE:
        break;
    }
}

// Labels name the transfers in traces and messages.
static bool make_items(lister *l)
{
    darwinn_lower_walk *const walk = l->walk;
    walk->items = hoist_lower_array(walk->model->c, l->count + 1, sizeof *walk->items);
    if (!walk->items) {
        return false;
    }
    for (size_t i = 0; i < l->count; i++) {
        darwinn_lower_item *const item = &walk->items[walk->count];
        char text[HINT_TEXT];
        if (!make_item(l, &l->steps[i], item)) {
            return false;
        }
        dwn_hint_text(&l->steps[i].hint, text, sizeof text);
        item->label = hoist_lower_joined(walk->model->c, HOIST_STR(""), hoist_str_from(text));
        if (!item->label.data) {
            return false;
        }
        count_item(walk, item);
        walk->count++;
    }
    return true;
}

// Input layers, output layers, parameters, scratch: the order of the twins.
static dwn_place *list_places(const darwinn_lower_walk *walk, size_t *out_count)
{
    const dwn_executable *const e = walk->rows;
    dwn_place *const places =
        hoist_lower_array(walk->model->c, walk->twin_count + 1, sizeof *places);
    size_t count = 0;
    for (uint32_t i = 0; places && i < e->input_layers.count; i++) {
        places[count++] =
            (dwn_place){.name = e->input_layers.items[i].name, .desc = DWN_DESC_INPUT};
    }
    for (uint32_t i = 0; places && i < e->output_layers.count; i++) {
        places[count++] =
            (dwn_place){.name = e->output_layers.items[i].name, .desc = DWN_DESC_OUTPUT};
    }
    if (places) {
        places[count++] = (dwn_place){.name = HOIST_STR(""), .desc = DWN_DESC_PARAMETER};
        places[count++] = (dwn_place){.name = HOIST_STR(""), .desc = DWN_DESC_SCRATCH};
    }
    *out_count = count;
    return places;
}

hoist_status darwinn_lower_walk_places(const darwinn_lower_walk *walk, dwn_places *out_places)
{
    size_t count = 0;
    const dwn_place *const places = list_places(walk, &count); // NULL: none of them
    const hoist_status status =
        dwn_places_init(out_places, places, count, walk->model->c->arena.alloc);
    return places ? status : HOIST_NO_MEMORY;
}

// Runs the scalar core. Its transfers have to be known, one by one: unknown values are those of
// special loads, which depend on the device.
static bool execute(lister *l)
{
    darwinn_lower_walk *const walk = l->walk;
    const hoist_status status = dwn_program_execute(walk->image->chunks, walk->image->chunk_count,
                                                    &walk->model->c->arena, &l->run);
    if (status == HOIST_LIMIT) {
        darwinn_lower_refuse_program(walk->model, walk->image, walk->role);
        return false;
    }
    if (status != HOIST_OK) {
        hoist_lower_fail(walk->model->c, status);
        return false;
    }
    if (l->run.run.end != DWN_SCALAR_DONE) {
        return darwinn_lower_refuse(walk->model, RUN_037,
                                    "the scalar core of the %s executable stops at word %" PRIu32
                                    " of chunk %" PRIu32 ": %s",
                                    walk->role, l->run.run.word, l->run.run.chunk,
                                    dwn_scalar_end_text(l->run.run.end));
    }
    for (size_t i = 0; l->run.unknown && i < l->run.transfer_count; i++) {
        const dwn_transfer *const t = &l->run.transfers[i];
        if (!t->is_known) {
            return darwinn_lower_refuse_at(
                walk->model, RUN_037, chunk_place(walk, t->chunk, t->word),
                "what the %s executable transfers here is not known", walk->role);
        }
    }
    return true;
}

// In two steps, as places need the arena and are freed again.
bool darwinn_lower_walk_list(darwinn_lower_walk *walk)
{
    lister l = {.walk = walk};
    if (!execute(&l) || !list_steps(&l)) {
        return false;
    }
    hoist_lower_fail(walk->model->c, darwinn_lower_walk_places(walk, &l.places));
    const bool listed = walk->model->c->status == HOIST_OK && make_items(&l);
    dwn_places_deinit(&l.places);
    return listed;
}
