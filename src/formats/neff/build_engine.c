// Engines of a subgraph that is built: descriptor blocks (neff reference 4.3, 4.4) and instructions
// (5). In go the caller's structs and text, out come trees under the keys of fields.c and bytes of
// streams.
#include <string.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/neff/build.h"
#include "formats/neff/stream.h"

// NULL: no such subgraph or engine, or one that was given as absent.
static neff_build_engine *engine_at(hoist_neff *neff, size_t subgraph, hoist_neff_engine engine)
{
    neff_build_subgraph *const sub = neff_build_subgraph_at(neff, subgraph);
    const bool known = (unsigned)engine < NEFF_ENGINE_COUNT;
    return sub && known && sub->engines[engine].blocks ? &sub->engines[engine] : NULL;
}

// Descriptors ------------------------------------------------------------------------------------

// Keys of the two sides, in the order in which hoist_neff_pattern has them.
typedef struct side_keys {
    const char *variable, *off, *sizes, *steps, *dtype;
} side_keys;
static const side_keys from_keys = {"from", "from_off", "from_sizes", "from_steps", "from_dtype"};
static const side_keys to_keys = {"to", "to_off", "to_sizes", "to_steps", "to_dtype"};

enum { USUAL_DIMENSIONS = 4 }; // more need feature bit 9

// All keys of a side are written: absent offsets, sizes and steps are rule 54.
static void put_side(hoist_neff *neff, neff_made *map, const side_keys *keys,
                     const hoist_neff_pattern *p)
{
    neff_maker *const m = &neff->maker;
    neff_put_text(m, map, keys->variable, p->variable);
    neff_put_int(m, map, keys->off, p->off);
    neff_put_ints(m, map, keys->sizes, p->sizes);
    neff_put_ints(m, map, keys->steps, p->steps);
    neff_put_text(m, map, keys->dtype, p->dtype);
    if (p->sizes.count > USUAL_DIMENSIONS) {
        neff_build_feature(neff, NEFF_BIT_MANY_DIMENSIONS);
    }
}

// One source next to `to`, or a list, which fma, add, min and max need: the caller decides with
// from_arr.
static void put_sources(hoist_neff *neff, neff_made *map, const hoist_neff_desc *d)
{
    neff_maker *const m = &neff->maker;
    if (d->from_count == 1 && !d->from_arr) {
        put_side(neff, map, &from_keys, &d->from[0]);
        if (d->from[0].has_scale) { // which rule 58 has checked for fma only
            neff_put_number(m, map, "scale", d->from[0].scale);
        }
        return;
    }
    neff_made *const list = neff_make_list(m);
    for (size_t i = 0; i < d->from_count; i++) {
        // Items have keys of both tables.
        neff_made *const item = neff_make_map(m, &neff_desc_table, &neff_extra_table);
        put_side(neff, item, &from_keys, &d->from[i]);
        if (d->from[i].has_scale) {
            neff_put_number(m, item, "scale", d->from[i].scale);
        }
        neff_put_keys(m, item, d->from[i].keys);
        neff_made_add(m, list, HOIST_STR(""), item);
    }
    neff_put(m, map, "from_arr", list);
}

// Keys in the order of calls; build_write.c puts them in the order of the tables.
static neff_made *make_desc(hoist_neff *neff, const hoist_neff_desc *d)
{
    neff_maker *const m = &neff->maker;
    neff_made *const map = neff_make_map(m, &neff_desc_table, &neff_extra_table);
    neff_put_text(m, map, "op", d->op);
    if (d->from_count) {
        put_sources(neff, map, d);
    }
    put_side(neff, map, &to_keys, &d->to);
    neff_put_text(m, map, "scale_dtype", d->scale_dtype);
    neff_put_text(m, map, "constant_dtype", d->constant_dtype);
    if (d->has_constant) {
        neff_put_number(m, map, "constant", d->constant);
    }
    if (d->transpose_shape.count) {
        neff_put_ints(m, map, "transpose_shape", d->transpose_shape);
    }
    neff_put_given(m, map, "transpose_element_size", d->transpose_element_size,
                   d->transpose_element_size);
    neff_put_given(m, map, "num_tiling_dimensions", d->has_num_tiling_dimensions,
                   d->num_tiling_dimensions);
    neff_put_keys(m, map, d->keys);
    return map;
}

// Items of the caller's version of the struct, one after another: each begins with its size, which
// is the distance to the next. One alone may be written without the list.
static hoist_status put_descs(hoist_neff *neff, neff_made *map, const hoist_neff_block *b)
{
    neff_maker *const m = &neff->maker;
    neff_made *const list = neff_make_list(m);
    const char *item = (const char *)b->desc;
    neff_made *desc = NULL;
    for (size_t i = 0; i < b->desc_count; i++) {
        hoist_neff_desc own;
        size_t stride = 0;
        HOIST_TRY(hoist_options_read(item, &own, sizeof(own)));
        memcpy(&stride, item, sizeof(stride)); // struct_size, the first member
        desc = make_desc(neff, &own);
        // An object in place of the list is not in it.
        if (!b->desc_is_object || b->desc_count > 1) {
            neff_made_add(m, list, HOIST_STR(""), desc);
        }
        item += stride;
    }
    neff_put(m, map, "desc", b->desc_is_object && b->desc_count == 1 ? desc : list);
    return m->status;
}

// Blocks -----------------------------------------------------------------------------------------

// A block of `dma`, whose keys are those of neff_block_table.
static hoist_status make_block(hoist_neff *neff, const hoist_neff_block *b, neff_made **out_map)
{
    neff_maker *const m = &neff->maker;
    neff_made *const map = neff_make_map(m, &neff_block_table, NULL);
    neff_put_int(m, map, "id", b->id);
    neff_put_text(m, map, "queue", b->queue);
    neff_put_text(m, map, "instance_name", b->instance_name);
    neff_put_text(m, map, "function_start", b->function_start);
    neff_put_true(m, map, "section_start_desc", b->section_start_desc);
    neff_put_given(m, map, "event", b->has_event, b->event);
    neff_put_given(m, map, "semaphore", b->has_semaphore, b->semaphore);
    if (b->remote_semaphores.count) {
        neff_put_ints(m, map, "remote_semaphores", b->remote_semaphores);
    }
    HOIST_TRY(m->status);
    HOIST_TRY(put_descs(neff, map, b));
    neff_put_keys(m, map, b->keys);
    *out_map = map;
    return m->status;
}

hoist_status hoist_neff_add_block(hoist_neff *neff, size_t subgraph, hoist_neff_engine engine,
                                  const hoist_neff_block *block)
{
    hoist_neff_block own;
    neff_made *map = NULL;
    HOIST_TRY(hoist_options_read(block, &own, sizeof(own)));
    neff_build_engine *const at = engine_at(neff, subgraph, engine); // its JSON has the list `dma`
    if (!at) {
        return HOIST_INVALID;
    }
    neff_maker *const m = neff_build_begin(neff);
    HOIST_TRY(make_block(neff, &own, &map));
    neff_made_add(m, at->blocks, HOIST_STR(""), map);
    // Features of the block; those of instructions are noted with the code.
    if (own.function_start) {
        neff_build_feature(neff, NEFF_BIT_FUNCTIONS);
    }
    if (own.remote_semaphores.count) {
        neff_build_feature(neff, NEFF_BIT_REMOTE);
    }
    return m->status;
}

// Instructions -----------------------------------------------------------------------------------

// The generation by which instructions are read and written: that of the kelf's target.
static int generation_of(const hoist_neff *neff)
{
    const char *const target = neff->options.target;
    const int generation =
        target ? neff_generation_of_spelling(hoist_str_from(target)) : NEFF_ANY_GENERATION;
    return generation < 0 ? NEFF_ANY_GENERATION : generation;
}

// Features that an instruction makes necessary; generation 1 has no feature bits for them.
static void note_features(hoist_neff *neff, const uint8_t *bytes)
{
    const int generation = generation_of(neff);
    const neff_record record = neff_record_decode(bytes, generation);
    const neff_opcode *const opcode = neff_opcode_find(record.opcode, generation);
    if (!opcode || generation == NEFF_GEN1) {
        return;
    }
    if (record.opcode == NEFF_FUNCTION_BEGIN) {
        neff_build_feature(neff, NEFF_BIT_FUNCTIONS);
    }
    if (opcode->kind == NEFF_CLASS_DGE) {
        neff_build_feature(neff, NEFF_BIT_DGE);
    }
    if (opcode->form == NEFF_FORM_COLLECTIVE) {
        const neff_collective collective = neff_collective_of(&record);
        if (collective.input_offset || collective.output_offset) {
            neff_build_feature(neff, NEFF_BIT_COLLECTIVE_OFFSET);
        }
    }
}

// From byte `start` on, which is where the new records begin.
static hoist_status note_records(hoist_neff *neff, const hoist_buffer *stream, size_t start)
{
    HOIST_TRY_MEMORY(!stream->failed);
    for (size_t at = start; stream->size - at >= NEFF_RECORD_SIZE; at += NEFF_RECORD_SIZE) {
        note_features(neff, stream->data + at);
    }
    return HOIST_OK;
}

// Text in the form of `hoist disasm`: all of it or nothing.
hoist_status hoist_neff_add_code(hoist_neff *neff, size_t subgraph, hoist_neff_engine engine,
                                 const char *text, hoist_diag *diag)
{
    neff_build_engine *const at = engine_at(neff, subgraph, engine);
    if (!at || !text) {
        return HOIST_INVALID;
    }
    const size_t start = at->stream.size;
    const hoist_status status =
        neff_assemble(hoist_str_from(text), generation_of(neff),
                      &hoist_neff_pack_rules.rules[NEFF_PACK_TEXT], diag, &at->stream);
    if (status != HOIST_OK) {
        at->stream.size = start; // what was assembled before the wrong line
        return status;
    }
    return note_records(neff, &at->stream, start);
}

// Bytes as they are, also such as are no complete records: tests make broken streams.
hoist_status hoist_neff_add_record(hoist_neff *neff, size_t subgraph, hoist_neff_engine engine,
                                   hoist_bytes records)
{
    neff_build_engine *const at = engine_at(neff, subgraph, engine);
    if (!at) {
        return HOIST_INVALID;
    }
    const size_t start = at->stream.size;
    hoist_buffer_add(&at->stream, records);
    return note_records(neff, &at->stream, start);
}
