// The index of a program: entries and ports in their order, and by name; made once when the builder
// finishes.
#include "program/index.h"

// A buffer without either is no business of the caller's.
static bool is_port(const hoist_prog_buffer *buffer)
{
    return buffer->output || buffer->contents == HOIST_CONTENTS_CALLER;
}

static bool list_entries(hoist_program *p)
{
    hoist_ref *entries = hoist_arena_array(&p->arena, p->entry_count, sizeof *entries);
    p->index.entries = entries;
    for (uint32_t i = 0; entries && i < p->entry_count; i++) {
        if (!p->entries[i].once) {
            entries[p->index.entry_count++] = i;
        }
    }
    // An array of no items is not NULL in an arena.
    return entries != NULL;
}

static bool list_buffers(hoist_program *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        count += is_port(&p->buffers[i]);
    }
    hoist_ref *buffers = hoist_arena_array(&p->arena, count, sizeof *buffers);
    p->index.buffers = buffers;
    for (uint32_t i = 0; buffers && i < p->buffer_count; i++) {
        if (is_port(&p->buffers[i])) {
            buffers[p->index.buffer_count++] = i;
        }
    }
    return buffers != NULL;
}

// By row of `ports`: whether any need names it.
static bool list_needed(hoist_program *p)
{
    bool *needed = hoist_arena_array(&p->arena, p->port_count, sizeof *needed);
    p->index.needed = needed;
    for (uint32_t i = 0; needed && i < p->need_count; i++) {
        if (p->needs[i].port < p->port_count) { // the verifier reports others
            needed[p->needs[i].port] = true;
        }
    }
    return needed != NULL;
}

// HOIST_BUSY is no failure here: the first row of a name counts, and the verifier reports the
// other.
static hoist_status add_name(hoist_map *map, hoist_str name, size_t value)
{
    const hoist_status status = hoist_map_add(map, name, value, NULL);
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}

// Ports count in one sequence: fifos, buffers, views.
hoist_status hoist_prog_index_init(hoist_program *program)
{
    hoist_prog_index *index = &program->index;
    hoist_map_init(&index->entry_names, program->arena.alloc);
    hoist_map_init(&index->port_names, program->arena.alloc);
    if (!list_entries(program) || !list_buffers(program) || !list_needed(program)) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < index->entry_count; i++) {
        HOIST_TRY(add_name(&index->entry_names, program->entries[index->entries[i]].name, i));
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        HOIST_TRY(add_name(&index->port_names, program->fifos[i].name, i));
    }
    for (uint32_t i = 0; i < index->buffer_count; i++) {
        HOIST_TRY(add_name(&index->port_names, program->buffers[index->buffers[i]].name,
                           (size_t)program->fifo_count + i));
    }
    for (uint32_t i = 0; i < program->port_count; i++) {
        HOIST_TRY(add_name(&index->port_names, program->ports[i].name,
                           (size_t)program->fifo_count + index->buffer_count + i));
    }
    return HOIST_OK;
}

void hoist_prog_index_deinit(hoist_program *program)
{
    hoist_map_deinit(&program->index.entry_names);
    hoist_map_deinit(&program->index.port_names);
}
