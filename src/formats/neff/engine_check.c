// Findings at blocks and descriptors: in goes a spot (rows only), out come its location and object
// path, for which the object is read again from the engine's text (neff_engine_fragment, text.c).
// check_blocks.c, check_descs.c, check_extras.c and check_effects.c report through it, all of them
// in file order, so that the last object read is often the one needed.
#include "formats/neff/engine_check.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/neff/tape.h"

enum { PATH_BYTES = 160 }; // three numbers, and a key of a table

// Places -----------------------------------------------------------------------------------------

// Byte offset in the engine's text of the block or descriptor.
static uint32_t object_at(const neff_engine_check *e, neff_engine_spot spot)
{
    return spot.desc == NEFF_NONE ? e->engine->blocks[spot.block].at
                                  : e->engine->descs[spot.desc].at;
}

// Reads the object of the spot, unless it is at hand. False when it cannot be; of a lack of memory
// the walk over engines learns by no_memory.
static bool open_fragment(neff_engine_check *e, uint32_t at)
{
    if (e->fragment.count > 0 && e->fragment_at == at) {
        return true;
    }
    hoist_json_free(&e->fragment);
    e->fragment_at = at; // also after a failure: its count is 0
    const hoist_status status = neff_engine_fragment(e->c->module, e->engine, at, &e->fragment);
    e->no_memory = e->no_memory || status == HOIST_NO_MEMORY;
    return status == HOIST_OK;
}

// The index-th item; 0, which no item is, when there is none.
static hoist_json_index item_of(const hoist_json *json, hoist_json_index list, uint32_t index)
{
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY) || index >= hoist_json_size(json, list)) {
        return 0;
    }
    hoist_json_index item = hoist_json_first(json, list);
    for (uint32_t i = 0; i < index; i++) {
        item = hoist_json_next(json, item);
    }
    return item;
}

// The object of the spot in the fragment: the root, or an item of from_arr. An item that is not
// there gives the root.
static hoist_json_index find_object(const hoist_json *json, neff_engine_spot spot)
{
    if (spot.source == NEFF_NONE) {
        return 0;
    }
    return item_of(json, neff_tape_find(json, 0, "from_arr"), spot.source);
}

// The value of the spot's key; 0 when there is none.
static hoist_json_index find_value(const hoist_json *json, neff_engine_spot spot)
{
    return spot.key ? neff_tape_find(json, find_object(json, spot), spot.key) : 0;
}

bool neff_engine_lacks(neff_engine_check *e, neff_engine_spot spot)
{
    if (!open_fragment(e, object_at(e, spot))) {
        return false;
    }
    const hoist_json_index object = find_object(&e->fragment, spot);
    // What is no object has no keys to lack: reading has reported it.
    return hoist_json_kind_of(&e->fragment, object) == HOIST_JSON_OBJECT &&
           !find_value(&e->fragment, spot);
}

hoist_str neff_engine_text(neff_engine_check *e, neff_engine_spot spot)
{
    const bool open = open_fragment(e, object_at(e, spot));
    const hoist_json_index value = open ? find_value(&e->fragment, spot) : 0;
    if (!open || !neff_tape_is(&e->fragment, value, HOIST_JSON_STRING)) {
        return HOIST_STR("");
    }
    const hoist_str text = hoist_json_string(&e->fragment, value, &e->c->arena);
    e->no_memory = e->no_memory || !text.data;
    return text.data ? text : HOIST_STR("");
}

uint32_t neff_engine_items(neff_engine_check *e, neff_engine_spot spot)
{
    const bool open = open_fragment(e, object_at(e, spot));
    const hoist_json_index value = open ? find_value(&e->fragment, spot) : 0;
    return open && neff_tape_is(&e->fragment, value, HOIST_JSON_ARRAY)
               ? hoist_json_size(&e->fragment, value)
               : 0;
}

// Findings ---------------------------------------------------------------------------------------

// dma/3/desc/0/from_arr/1/from_off: the last part only when the key is there.
static hoist_str path_of(const neff_engine_check *e, neff_engine_spot spot, bool has_key,
                         char *buffer)
{
    int used = snprintf(buffer, PATH_BYTES, "dma/%" PRIu32, spot.block);
    if (spot.desc != NEFF_NONE) {
        used += snprintf(buffer + used, PATH_BYTES - (size_t)used, "/desc/%" PRIu32,
                         // Rows count all descriptors of the engine.
                         spot.desc - e->engine->blocks[spot.block].descs);
    }
    if (spot.source != NEFF_NONE) {
        used +=
            snprintf(buffer + used, PATH_BYTES - (size_t)used, "/from_arr/%" PRIu32, spot.source);
    }
    if (has_key) {
        used += snprintf(buffer + used, PATH_BYTES - (size_t)used, "/%s", spot.key);
    }
    return (hoist_str){buffer, (size_t)used};
}

// Where the spot is, and whether its key is there: at the item, else the value, else the object
// that lacks it.
static hoist_loc loc_of(neff_engine_check *e, neff_engine_spot spot, bool *out_has_key)
{
    const hoist_bytes text = e->c->module->members[e->engine->text.member].bytes;
    uint32_t at = object_at(e, spot);
    *out_has_key = false;
    if (open_fragment(e, at)) {
        const hoist_json *json = &e->fragment;
        const hoist_json_index value = find_value(json, spot);
        const hoist_json_index item = spot.item == NEFF_NONE ? 0 : item_of(json, value, spot.item);
        *out_has_key = value != 0;
        at = json->tokens[item ? item : value ? value : find_object(json, spot)].start;
    }
    return hoist_loc_pos(neff_place(&e->cursor, text, at));
}

void neff_engine_report(neff_engine_check *e, neff_rule rule, neff_engine_spot spot,
                        const char *format, ...)
{
    hoist_diag *const diag = e->c->diag;
    if (!diag) {
        return; // before the text is read again for nothing
    }
    char buffer[PATH_BYTES];
    char text[2048]; // names from files are cut here
    bool has_key = false;
    const hoist_loc loc = loc_of(e, spot, &has_key);
    hoist_frame frame;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), path_of(e, spot, has_key, buffer));
    // A warning that --strict does not make an error of.
    if (spot.mild) {
        hoist_warn(diag, neff_rule_row(rule), loc, "%s", text);
    } else {
        neff_report(diag, rule, loc, "%s", text);
    }
    hoist_diag_pop(diag, &frame);
}

// Engines ----------------------------------------------------------------------------------------

static hoist_status check_engine(neff_engine_check *e, hoist_status (*check)(neff_engine_check *e))
{
    neff_enter(e->c->module, e->c->diag, e->engine->text.member);
    const hoist_status status = check(e);
    hoist_json_free(&e->fragment);
    return e->no_memory ? HOIST_NO_MEMORY : status;
}

hoist_status neff_check_each_engine(neff_check *c, hoist_status (*check)(neff_engine_check *e))
{
    // Looked up once for all descriptors.
    const uint64_t size = (uint64_t)1 << hoist_rec_find(&neff_var_table, HOIST_STR("size"), 0);
    for (uint32_t s = 0; s < c->module->subgraph_count; s++) {
        for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
            neff_engine_check e = {.c = c,
                                   .subgraph = &c->module->subgraphs[s],
                                   .engine = &c->module->subgraphs[s].engines[i],
                                   .fragment = {.alloc = c->module->base.alloc},
                                   .var_size = size};
            if (e.engine->block_count > 0) {
                HOIST_TRY(check_engine(&e, check));
            }
        }
    }
    return HOIST_OK;
}
