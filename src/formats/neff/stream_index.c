// Functions of a stream, and the blocks that its triggers release (neff reference 4.7, 5.2): in
// goes an engine that was read, out come sorted tables, searched by bisection. check_triggers.c,
// check_functions.c and lower/neff look blocks up here.
//
// Tables instead of lists per queue: a file may have a million blocks on one ring, and every
// trigger asks for its id.
#include "formats/neff/stream_index.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/neff/neff.h"

// Functions --------------------------------------------------------------------------------------

neff_record neff_stream_at(const neff_stream *stream, uint32_t i)
{
    HOIST_ASSERT(i < stream->record_count);
    return neff_record_decode(stream->bytes.data + (size_t)i * NEFF_RECORD_SIZE,
                              stream->generation);
}

// Generation 1 has no functions: its 0xd1 is unassigned.
static bool begins_function(const neff_stream *stream, uint32_t i)
{
    HOIST_ASSERT(i < stream->record_count);
    return stream->generation != NEFF_GEN1 &&
           stream->bytes.data[(size_t)i * NEFF_RECORD_SIZE] == NEFF_FUNCTION_BEGIN;
}

// Records before the first FUNCTION_BEGIN are the main program, those after a FUNCTION_BEGIN belong
// to its function until the next one or the end. A return does not end a function.
static hoist_status find_routines(neff_stream *s, hoist_arena *arena)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < s->record_count; i++) {
        count += begins_function(s, i);
    }
    s->routines = hoist_arena_array(arena, count, sizeof(*s->routines));
    HOIST_TRY_MEMORY(s->routines);
    s->routines[s->routine_count++] =
        (neff_routine){.begin = NEFF_NONE, .section = NEFF_NONE, .end = s->record_count};
    for (uint32_t i = 0; i < s->record_count; i++) {
        if (begins_function(s, i)) {
            const neff_record record = neff_stream_at(s, i);
            s->routines[s->routine_count - 1].end = i;
            s->routines[s->routine_count++] = (neff_routine){.name = neff_function_of(&record).name,
                                                             .begin = i,
                                                             .first = i + 1,
                                                             .end = s->record_count,
                                                             .section = NEFF_NO_SECTION};
        }
    }
    return HOIST_OK;
}

// Names to functions, and functions to the `function_start` that names them. Of functions of one
// name the first counts; rule 70a reports the others.
static hoist_status name_routines(neff_stream *s)
{
    size_t found = 0;
    for (uint32_t i = 1; i < s->routine_count; i++) {
        const hoist_status status =
            hoist_map_add(&s->routine_names, s->routines[i].name, i, &found);
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
    }
    for (size_t i = 0; i < s->engine->function_count; i++) {
        if (hoist_map_find(&s->routine_names, s->engine->functions[i], &found)) {
            s->routines[found].section = (uint32_t)i;
        }
    }
    return HOIST_OK;
}

// Sections ---------------------------------------------------------------------------------------

// A block with the section that it belongs to; what is sorted.
typedef struct placed {
    neff_section key; // `first` is the block, or its position
    int64_t id;
} placed;

// Sections are by queue set, ring and function, in this order.
static int order_sections(const neff_section *a, const neff_section *b)
{
    int order = hoist_order_u64(a->queue, b->queue);
    order = order ? order : hoist_order_u64(a->instance, b->instance);
    return order ? order : hoist_order_u64(a->function, b->function);
}

static int by_position(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    const int order = order_sections(&x->key, &y->key);
    return order ? order : hoist_order_u64(x->key.first, y->key.first);
}

// qsort is not stable: the position is the last key, so that equal ids stay in the order of `dma`.
static int by_id(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    int order = order_sections(&x->key, &y->key);
    order = order ? order : hoist_order_i64(x->id, y->id);
    return order ? order : hoist_order_u64(x->key.first, y->key.first);
}

// Blocks of declared queue sets, with their keys; the others were reported (rule 46a).
static uint32_t collect(const neff_engine *engine, placed *all)
{
    uint32_t count = 0;
    for (size_t i = 0; i < engine->block_count; i++) {
        const neff_block *block = &engine->blocks[i];
        if (block->queue != NEFF_NONE) {
            all[count++] = (placed){
                {block->queue, block->instance, block->function, (uint32_t)i, 0}, block->id};
        }
    }
    HOIST_ASSERT(count <= engine->block_count);
    return count;
}

// Two orders of the same blocks: `order` has them as the rings do, by_id by id, for looking up.
// Both are cut into the same sections, so section->first and count are valid in either.
static hoist_status find_sections(neff_stream *s, hoist_arena *arena)
{
    const size_t most = s->engine->block_count;
    placed *all = hoist_arena_array(arena, most, sizeof(*all));
    s->sections = hoist_arena_array(arena, most, sizeof(*s->sections));
    s->order = hoist_arena_array(arena, most, sizeof(*s->order));
    s->by_id = hoist_arena_array(arena, most, sizeof(*s->by_id));
    HOIST_TRY_MEMORY(all && s->sections && s->order && s->by_id);
    const uint32_t count = collect(s->engine, all);
    qsort(all, count, sizeof(*all), by_position);
    // Runs of equal keys are the sections; `first` of the key is the block until here.
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || order_sections(&all[i - 1].key, &all[i].key) != 0) {
            neff_section *section = &s->sections[s->section_count++];
            *section = all[i].key;
            section->first = i;
        }
        HOIST_ASSERT(s->section_count > 0);
        s->sections[s->section_count - 1].count++;
        s->order[i] = all[i].key.first;
    }
    // From here on `first` is the position in `order`, which by_id refers to.
    for (uint32_t i = 0; i < count; i++) {
        all[i].key.first = i;
    }
    qsort(all, count, sizeof(*all), by_id);
    for (uint32_t i = 0; i < count; i++) {
        s->by_id[i] = all[i].key.first;
    }
    return HOIST_OK;
}

hoist_status neff_stream_index(const neff_module *module, const neff_engine *engine, int generation,
                               hoist_arena *arena, neff_stream *out_stream)
{
    neff_stream *s = out_stream;
    *s = (neff_stream){.generation = generation, .engine = engine};
    hoist_map_init(&s->routine_names, module->base.alloc);
    if (engine->instr != NEFF_NONE) {
        const hoist_bytes bytes = module->members[engine->instr].bytes;
        const size_t count = bytes.size / NEFF_RECORD_SIZE;
        // Record numbers have to stay below the two values with a meaning (NEFF_NONE,
        // NEFF_NO_SECTION). Bytes after the last complete record are rule 66's, not part of the
        // stream.
        s->record_count = count < NEFF_NO_SECTION ? (uint32_t)count : NEFF_NO_SECTION - 1;
        s->bytes = (hoist_bytes){bytes.data, (size_t)s->record_count * NEFF_RECORD_SIZE};
    }
    HOIST_TRY(find_routines(s, arena));
    HOIST_TRY(name_routines(s));
    return find_sections(s, arena);
}

void neff_stream_deinit(neff_stream *stream)
{
    hoist_map_deinit(&stream->routine_names);
}

// Looking up -------------------------------------------------------------------------------------

const neff_section *neff_section_find(const neff_stream *stream, uint32_t queue, uint32_t instance,
                                      uint32_t function)
{
    // `first` and `count` are not compared.
    const neff_section key = {queue, instance, function, 0, 0};
    uint32_t first = 0;
    // Lower bound: the first section that is not less than the key.
    for (uint32_t count = stream->section_count; count > 0;) {
        const uint32_t half = count / 2;
        if (order_sections(&stream->sections[first + half], &key) < 0) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    const bool found =
        first < stream->section_count && order_sections(&stream->sections[first], &key) == 0;
    return found ? &stream->sections[first] : NULL;
}

const neff_section *neff_section_of(const neff_stream *stream, const neff_subgraph *subgraph,
                                    uint32_t queue, uint32_t function)
{
    const neff_queue_set *set = &subgraph->queues[queue];
    const neff_section *section = NULL;
    HOIST_ASSERT(queue < subgraph->queue_count);
    // A set with instances may still have blocks that name the set itself; they count when the
    // instance has none in this function.
    if (set->instances.count > 0) {
        section = neff_section_find(stream, queue, set->first_instance, function);
    }
    return section ? section : neff_section_find(stream, queue, NEFF_NONE, function);
}

static int64_t id_at(const neff_stream *stream, uint32_t position)
{
    HOIST_ASSERT(stream->order[position] < stream->engine->block_count);
    return stream->engine->blocks[stream->order[position]].id;
}

// The first position of the section, from `least` on, of a block with that id; NEFF_NONE. Lower
// bound of (id, position) in by_id.
static uint32_t find_id(const neff_stream *stream, const neff_section *section, uint32_t least,
                        uint32_t id)
{
    uint32_t first = section->first;
    for (uint32_t count = section->count; count > 0;) {
        const uint32_t half = count / 2;
        const uint32_t position = stream->by_id[first + half];
        const int order = hoist_order_i64(id_at(stream, position), id);
        if (order < 0 || (order == 0 && position < least)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    const bool found = first < section->first + section->count &&
                       id_at(stream, stream->by_id[first]) == (int64_t)id;
    return found ? stream->by_id[first] : NEFF_NONE;
}

uint32_t neff_section_release(const neff_stream *stream, const neff_section *section,
                              uint32_t *cursor, uint32_t id, bool *out_in_order)
{
    const uint32_t next = section->first + *cursor;
    // Positions below the cursor are released already: an id that occurred earlier is not found
    // again.
    const uint32_t position = find_id(stream, section, next, id);
    *out_in_order = position == next;
    if (position == NEFF_NONE) {
        return NEFF_NONE;
    }
    *cursor = position - section->first + 1;
    return stream->order[position];
}

// Looking again ----------------------------------------------------------------------------------

hoist_status neff_reuse_init(neff_reuse *reuse, const neff_module *module, hoist_arena *arena)
{
    // The limit on what is read again: twice what the file has, as when both cores share streams,
    // and a little more for small files.
    enum { AT_LEAST = 1 << 16 };
    uint64_t records = AT_LEAST;
    for (uint32_t i = 0; i < module->member_count; i++) {
        records += 2 * (module->members[i].bytes.size / NEFF_RECORD_SIZE);
    }
    *reuse = (neff_reuse){.left = records};
    reuse->seen = hoist_arena_array(arena, module->member_count, sizeof(*reuse->seen));
    return reuse->seen ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status neff_reuse_stream(neff_reuse *reuse, const neff_module *module,
                               const neff_engine *engine, const hoist_rule *rule, hoist_diag *diag)
{
    // The first look at a member is free, since the file has paid for it with its size.
    const neff_member *member = &module->members[engine->instr];
    const uint64_t records = member->bytes.size / NEFF_RECORD_SIZE;
    if (!reuse->seen[engine->instr]) {
        reuse->seen[engine->instr] = true;
        return HOIST_OK;
    }
    if (records <= reuse->left) {
        reuse->left -= records;
        return HOIST_OK;
    }
    if (rule) {
        neff_enter(module, diag, NEFF_NONE);
        hoist_report(diag, rule, hoist_loc_none(),
                     "too many engines have the same streams, '%.*s' is not looked at again",
                     HOIST_STR_ARGS(member->name));
    }
    return HOIST_LIMIT;
}
