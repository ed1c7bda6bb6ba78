// The memory of a program as its plan has it (describer.h): where each buffer and queue is, and the
// bytes of each space by what they are for. Input: locals.c, calls.c, pages.c and lanes.c.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/span.h"
#include "plan/describer.h"
#include "program/fields.h"

// Buffers -----------------------------------------------------------------------------------------

// Where a buffer is, in the terms of the document.
typedef struct place {
    const char *kind; // "own", "shared" and so on (docs/man/hoist-dump)
    hoist_str in;     // another buffer, a fifo or a function; data NULL: none
    bool has_offset;
    uint64_t offset;
    bool has_life; // else as its lifetime says
    uint32_t first, last;
} place;

// `life` may be unknown although there is an offset: several functions name the buffer.
static place place_in_call(const hoist_describer *d, uint32_t buffer)
{
    const hoist_call_life *life = &d->calls.life[buffer];
    const hoist_prog_move *move = d->calls.reshapes[buffer].move;
    if (move) {
        const hoist_prog_view *from = &d->program->views[move->sources[0].view];
        return (place){.kind = "tiles",
                       .in = from->base == HOIST_VIEW_BUFFER ? d->program->buffers[from->of].name
                                                             : d->program->fifos[from->of].name};
    }
    if (d->calls.offset[buffer] == UINT64_MAX) {
        return (place){.kind = "none"};
    }
    const bool one = life->function != HOIST_NO_REF;
    return (place){.kind = "call",
                   .in = one ? d->program->functions[life->function].name : (hoist_str){NULL, 0},
                   .has_offset = true,
                   .offset = d->calls.offset[buffer],
                   .has_life = one,
                   .first = life->first,
                   .last = life->last};
}

// A value that lives to the end of the run is shown to the last step.
static place place_in_thread(const hoist_describer *d, uint32_t buffer)
{
    const hoist_reuse_life *life = &d->pages.reuse.life[buffer];
    const hoist_prog_thread *thread = &d->program->threads[life->thread];
    const uint32_t end = thread->code.step_count - 1;
    return (place){.kind = "thread",
                   .in = thread->name,
                   .has_offset = true,
                   .offset = d->pages.reuse.offset[buffer],
                   .has_life = true,
                   .first = life->first,
                   .last = life->last < end ? life->last : end};
}

// The order of questions is that of the session: a window before its root's place, a local before
// any memory.
static place place_of(const hoist_describer *d, uint32_t buffer)
{
    const hoist_program *program = d->program;
    uint64_t inside = 0;
    const hoist_ref root = hoist_prog_root(program, buffer, &inside);
    const hoist_ref leader = d->pages.roots[root].leader;
    if (root != buffer) {
        return (place){.kind = "window",
                       .in = program->buffers[root].name,
                       .has_offset = true,
                       .offset = inside};
    }
    if (d->local_of[buffer] != HOIST_NO_REF) {
        const hoist_group_local *local = &d->groups.locals[d->local_of[buffer]];
        return (place){.kind = "block", .has_offset = true, .offset = local->offset};
    }
    if (program->buffers[buffer].lifetime == HOIST_LIFETIME_CALL) {
        return place_in_call(d, buffer);
    }
    if (d->pages.reuse.offset[buffer] != UINT64_MAX) {
        return place_in_thread(d, buffer);
    }
    if (leader != HOIST_NO_REF) {
        return (place){.kind = "queue", .in = program->fifos[leader].name};
    }
    if (d->pages.equal[buffer] != buffer) {
        return (place){.kind = "shared",
                       .in = program->buffers[d->pages.equal[buffer]].name,
                       .has_offset = true};
    }
    return (place){.kind = d->pages.needed[buffer] ? "own" : "none"};
}

// For people: the same in words, such as "call f + 128, steps 3 to 7".
static void send_words(const hoist_describer *d, uint32_t index, const place *at)
{
    hoist_buffer words;
    hoist_buffer_init(&words, d->alloc);
    hoist_buffer_c(&words, at->kind);
    if (at->in.data) {
        hoist_buffer_format(&words, " %.*s", HOIST_STR_ARGS(at->in));
    }
    if (d->group_of[index] != HOIST_NO_REF) {
        hoist_buffer_format(&words, " of group %u", d->group_of[index]);
    }
    if (at->has_offset) {
        hoist_buffer_format(&words, " + %" PRIu64, at->offset);
    }
    if (at->has_life) {
        hoist_buffer_format(&words, ", steps %u to %u", at->first, at->last);
    }
    d->sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_str(d->sink, "place", hoist_buffer_text(&words));
    d->sink->status = words.failed ? HOIST_NO_MEMORY : d->sink->status;
    d->sink->audience = HOIST_TREE_FOR_ALL;
    hoist_buffer_deinit(&words);
}

// For programs: every key in every row, null where it has no value.
static void send_place(const hoist_describer *d, uint32_t index, const place *at)
{
    const uint32_t group = d->group_of[index];
    d->sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_c(d->sink, "place", at->kind);
    hoist_tree_maybe_str(d->sink, "in", at->in);
    hoist_tree_maybe_uint(d->sink, "offset", at->has_offset, at->offset, HOIST_UNIT_NONE);
    hoist_tree_maybe_uint(d->sink, "group", group != HOIST_NO_REF, group, HOIST_UNIT_NONE);
    hoist_tree_maybe_uint(d->sink, "first_step", at->has_life, at->first, HOIST_UNIT_NONE);
    hoist_tree_maybe_uint(d->sink, "last_step", at->has_life, at->last, HOIST_UNIT_NONE);
    d->sink->audience = HOIST_TREE_FOR_ALL;
}

static void send_buffer(const hoist_describer *d, uint32_t index)
{
    const hoist_prog_buffer *row = &d->program->buffers[index];
    const place at = place_of(d, index);
    hoist_tree_map(d->sink, "");
    hoist_tree_str(d->sink, "buffer", row->name);
    hoist_tree_str(d->sink, "space", d->program->spaces[row->space].name);
    hoist_tree_c(d->sink, "lifetime", hoist_lifetime_name(row->lifetime));
    hoist_describe_bytes(d, "size_bytes", row->size);
    send_place(d, index, &at);
    send_words(d, index, &at);
    hoist_tree_end(d->sink);
}

// Bytes that a fifo of tiles has for all fifos that share them; 0 for others, which are in a
// buffer.
static uint64_t tile_bytes(const hoist_describer *d, uint32_t fifo)
{
    const hoist_prog_fifo *row = &d->program->fifos[fifo];
    uint64_t tiles = 0;
    const bool tiled = d->program->layouts[row->layout].kind == HOIST_LAYOUT_TILED;
    return tiled && hoist_page_fifo_tiles(&d->pages, fifo, &tiles) ? tiles * HOIST_PAGE_TILE_BYTES
                                                                   : 0;
}

static void send_queue(const hoist_describer *d, uint32_t index)
{
    const hoist_prog_fifo *row = &d->program->fifos[index];
    const hoist_prog_layout *layout = &d->program->layouts[row->layout];
    const bool tiled = layout->kind == HOIST_LAYOUT_TILED;
    const hoist_ref leader = hoist_page_root_of(&d->pages, index)->leader;
    hoist_tree_map(d->sink, "");
    hoist_tree_str(d->sink, "queue", row->name);
    hoist_describe_count(d, "slots", row->slots);
    // Tiles are held as float32, whatever the fifo's type.
    hoist_describe_bytes(d, "slot_bytes",
                         tiled ? hoist_page_entry_tiles(layout) * row->part_count *
                                     HOIST_PAGE_TILE_BYTES
                               : row->slot_bytes);
    hoist_describe_bytes(d, "own_bytes", tile_bytes(d, index));
    hoist_tree_bool(d->sink, "stays", d->pages.stays.stays[index]);
    hoist_tree_maybe_str(d->sink, "in",
                         !tiled            ? d->program->buffers[row->parts[0]].name
                         : leader != index ? d->program->fifos[leader].name
                                           : (hoist_str){NULL, 0});
    hoist_tree_end(d->sink);
}

// One row per buffer and per fifo, in the order of the program.
void hoist_describe_places(const hoist_describer *d)
{
    hoist_tree_list(d->sink, "buffers");
    for (uint32_t i = 0; i < d->program->buffer_count; i++) {
        send_buffer(d, i);
    }
    hoist_tree_end(d->sink);
    hoist_tree_list(d->sink, "queues");
    for (uint32_t i = 0; i < d->program->fifo_count; i++) {
        send_queue(d, i);
    }
    hoist_tree_end(d->sink);
}

// Memory ------------------------------------------------------------------------------------------

// Bytes of a space by what they are for; the sums saturate.
typedef struct classes {
    uint64_t constants;
    uint64_t state; // of the session
    uint64_t run;
    uint64_t queues;
    uint64_t never_stored; // of those above: no step touches them
} classes;

// Sizes are a file's: a sum beyond 64 bits stays at its greatest value.
static void add(uint64_t *sum, uint64_t bytes)
{
    *sum = hoist_ckd_add(sum, *sum, bytes) ? UINT64_MAX : *sum;
}

static uint64_t sum_of(const classes *c)
{
    uint64_t sum = c->constants;
    add(&sum, c->state);
    add(&sum, c->run);
    add(&sum, c->queues);
    return sum;
}

// Bytes are counted once: not those of windows, equal constants, or values inside a thread's
// memory.
static void count_buffer(const hoist_describer *d, uint32_t index, classes *space)
{
    const hoist_prog_buffer *row = &d->program->buffers[index];
    if (!d->pages.needed[index] || d->pages.equal[index] != index ||
        d->pages.reuse.offset[index] != UINT64_MAX) {
        return;
    }
    add(d->is_queue[index]                         ? &space->queues
        : row->lifetime == HOIST_LIFETIME_CONSTANT ? &space->constants
        : row->lifetime == HOIST_LIFETIME_SESSION  ? &space->state
                                                   : &space->run,
        d->pages.held[index]);
    // Locals of groups have no pages of their own.
    add(&space->never_stored, d->local_of[index] != HOIST_NO_REF ? row->size : 0);
}

// Buffers, then values of threads as a whole, then tiles of fifos.
static void count_spaces(const hoist_describer *d, classes *spaces)
{
    const hoist_program *program = d->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        count_buffer(d, i, &spaces[program->buffers[i].space]);
    }
    for (uint32_t i = 0; i < program->thread_count; i++) {
        if (d->pages.reuse.bytes[i] > 0) {
            add(&spaces[d->pages.reuse.space[i]].run, d->pages.reuse.bytes[i]);
        }
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        const hoist_ref first = program->fifos[i].parts[0];
        add(&spaces[program->buffers[first].space].queues, tile_bytes(d, i));
    }
}

// One space of the program, with the rank that has it.
static void send_space(const hoist_describer *d, uint32_t index, const classes *space)
{
    hoist_tree_map(d->sink, "");
    hoist_tree_str(d->sink, "space", d->program->spaces[index].name);
    hoist_describe_count(d, "rank", d->program->spaces[index].home);
    hoist_describe_bytes(d, "constants_bytes", space->constants);
    hoist_describe_bytes(d, "session_bytes", space->state);
    hoist_describe_bytes(d, "run_bytes", space->run);
    hoist_describe_bytes(d, "queues_bytes", space->queues);
    hoist_describe_bytes(d, "never_stored_bytes", space->never_stored);
    hoist_describe_bytes(d, "peak_bytes", sum_of(space) - space->never_stored);
    hoist_tree_end(d->sink);
}

// Memory of calls is of no space: it is the processes'.
static void send_sums(const hoist_describer *d, const classes *spaces)
{
    uint64_t total = 0;
    uint64_t calls = 0;
    uint64_t never = 0;
    for (size_t i = 0; i < d->lanes.count; i++) {
        add(&calls, d->lanes.bytes[i]);
    }
    for (uint32_t i = 0; i < d->program->space_count; i++) {
        add(&total, sum_of(&spaces[i]));
        add(&never, spaces[i].never_stored);
    }
    add(&total, calls);
    hoist_tree_map(d->sink, "memory");
    hoist_describe_bytes(d, "calls_bytes", calls);
    hoist_describe_bytes(d, "total_bytes", total);
    hoist_describe_bytes(d, "never_stored_bytes", never);
    // What is never stored is in the sums above and leaves them here.
    hoist_describe_bytes(d, "peak_bytes", total - never);
    hoist_describe_bytes(d, "worker_bytes", d->groups.scratch);
    hoist_tree_end(d->sink);
    hoist_tree_list(d->sink, "spaces");
    for (uint32_t i = 0; i < d->program->space_count; i++) {
        send_space(d, i, &spaces[i]);
    }
    hoist_tree_end(d->sink);
}

hoist_status hoist_describe_memory(const hoist_describer *d)
{
    const size_t rows = (size_t)d->program->space_count + 1; // one more: no request for 0 bytes
    classes *spaces = hoist_alloc_zero(d->alloc, rows, sizeof *spaces);
    if (!spaces) {
        return HOIST_NO_MEMORY;
    }
    count_spaces(d, spaces);
    send_sums(d, spaces);
    hoist_free(d->alloc, spaces, rows * sizeof *spaces);
    return HOIST_OK;
}
