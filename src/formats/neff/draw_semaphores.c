// Semaphores: who raises each, who waits for it.
//
//   semaphores
//      10  q_gradient_in            -> pe
//      11  sg01/q0                  -> sp        of the other core (remote_semaphores)
#include "base/span.h"
#include "formats/neff/draw.h"
#include "formats/neff/stream.h"

enum { SEMAPHORES = 256, MOST_NAMES = 3 };

typedef struct queue_list {
    uint32_t count; // MOST_NAMES + 1: or more
    uint32_t items[MOST_NAMES];
} queue_list;

typedef struct semaphore_use {
    uint8_t raised; // bit: by that engine
    uint8_t awaited;
    queue_list queues; // sets that raise it
    queue_list remote; // sets of the other core that do
} semaphore_use;

static void note_wait(semaphore_use *uses, neff_engine_id engine, const neff_wait *wait)
{
    if (wait->kind == NEFF_WAIT_SEMAPHORE) {
        uses[wait->index].awaited |= (uint8_t)(1u << engine);
    }
}

static void note_update(semaphore_use *uses, neff_engine_id engine, const neff_update *update)
{
    const neff_update_kind kind = update->kind;
    if (kind == NEFF_UPDATE_ADD || kind == NEFF_UPDATE_SUB || kind == NEFF_UPDATE_SET) {
        uses[update->index].raised |= (uint8_t)(1u << engine);
    }
}

static void note_record(const neff_drawing *d, semaphore_use *uses, neff_engine_id engine,
                        const uint8_t *bytes)
{
    const neff_opcode *const row = neff_opcode_find(bytes[0], d->generation);
    if (!row) {
        return;
    }
    const neff_record record = neff_record_decode(bytes, d->generation);
    note_wait(uses, engine, &record.wait);
    note_update(uses, engine, &record.update);
    if (row->form == NEFF_FORM_EVENT_SEMAPHORE) {
        const neff_second second = neff_second_of(&record);
        if (second.present) {
            note_wait(uses, engine, &second.wait);
            note_update(uses, engine, &second.update);
        }
    }
}

static void add_queue(queue_list *list, uint32_t queue)
{
    for (uint32_t i = 0; i < list->count && i < MOST_NAMES; i++) {
        if (list->items[i] == queue) {
            return;
        }
    }
    if (list->count < MOST_NAMES) {
        list->items[list->count] = queue;
    }
    list->count += list->count <= MOST_NAMES;
}

static void note_queue(semaphore_use *uses, int64_t semaphore, uint32_t queue)
{
    if (semaphore >= 0 && semaphore < SEMAPHORES) {
        add_queue(&uses[semaphore].queues, queue);
    }
}

static void note_remote(semaphore_use *uses, const neff_block *block)
{
    for (uint32_t i = 0; i < block->remote_semaphores.count; i++) {
        const int64_t semaphore = block->remote_semaphores.items[i];
        if (semaphore >= 0 && semaphore < SEMAPHORES && block->queue != NEFF_NONE) {
            add_queue(&uses[semaphore].remote, block->queue);
        }
    }
}

// What the blocks of the other core raise in this one.
static void note_peer(const neff_subgraph *peer, semaphore_use *uses)
{
    for (int e = 0; peer && e < NEFF_ENGINE_COUNT; e++) {
        for (size_t i = 0; i < peer->engines[e].block_count; i++) {
            note_remote(uses, &peer->engines[e].blocks[i]);
        }
    }
}

static void note_queues(const neff_subgraph *s, semaphore_use *uses)
{
    for (uint32_t i = 0; i < s->queue_count; i++) {
        const neff_queue_set *const queue = &s->queues[i];
        if (neff_has(&neff_queue_table, queue->present, "semaphore")) {
            note_queue(uses, queue->semaphore, i);
        }
        for (uint32_t k = 0; k < queue->semaphore_set.count; k++) {
            note_queue(uses, queue->semaphore_set.items[k], i);
        }
    }
}

static void write_engines(hoist_buffer *out, uint8_t engines, const char *before)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        if (engines >> e & 1) {
            hoist_buffer_format(out, "%s%s", before, neff_engines[e].key);
            before = ", ";
        }
    }
}

// Queue sets of the subgraph, or by its name those of the other one.
static void write_queues(const neff_subgraph *s, const queue_list *list, bool is_remote,
                         hoist_buffer *out)
{
    const uint32_t shown = list->count < MOST_NAMES ? list->count : MOST_NAMES;
    for (uint32_t i = 0; i < shown; i++) {
        hoist_buffer_c(out, out->size ? ", " : "");
        if (is_remote) {
            hoist_buffer_str(out, s->name);
            hoist_buffer_char(out, '/');
        }
        hoist_buffer_str(out, s->queues[list->items[i]].name);
    }
    hoist_buffer_c(out, shown < list->count ? " and more" : "");
}

// "q0, q1, sg01/q0, pe"
static void write_raisers(const neff_drawing *d, const semaphore_use *use, hoist_buffer *out)
{
    write_queues(d->subgraph, &use->queues, false, out);
    write_queues(d->peer, &use->remote, true, out);
    write_engines(out, use->raised, out->size ? ", " : "");
}

static void draw_use(const neff_drawing *d, int number, const semaphore_use *use,
                     hoist_buffer *words)
{
    enum { INDENT = 4, NUMBER_WIDTH = 3, WAITER_WIDTH = 12 };
    static const char arrow[] = " -> ";
    const size_t raisers =
        d->width - INDENT - NUMBER_WIDTH - 2 - (sizeof(arrow) - 1) - WAITER_WIDTH;
    words->size = 0;
    write_raisers(d, use, words);
    hoist_buffer_format(d->out, "%*s%*d  ", INDENT, "", NUMBER_WIDTH, number);
    hoist_draw_padded(d->out, words->size ? hoist_buffer_text(words) : HOIST_STR("nobody"), raisers,
                      false);
    hoist_buffer_c(d->out, arrow);
    words->size = 0;
    write_engines(words, use->awaited, "");
    (void)hoist_draw_name(d->out, words->size ? hoist_buffer_text(words) : HOIST_STR("nobody"),
                          WAITER_WIDTH);
    hoist_draw_end_line(d->out);
}

static void draw_uses(const neff_drawing *d, const semaphore_use *uses)
{
    bool any = false;
    hoist_buffer words;
    hoist_buffer_init(&words, d->module->base.alloc);
    for (int i = 0; i < SEMAPHORES; i++) {
        const semaphore_use *const use = &uses[i];
        if (use->raised || use->awaited || use->queues.count || use->remote.count) {
            hoist_buffer_c(d->out, any ? "" : "\n  semaphores: who raises, who waits\n");
            draw_use(d, i, use, &words);
            any = true;
        }
    }
    d->out->failed = d->out->failed || words.failed;
    hoist_buffer_deinit(&words);
}

hoist_status neff_draw_semaphores(const neff_drawing *d)
{
    semaphore_use *const uses = hoist_arena_array(d->arena, SEMAPHORES, sizeof(*uses));
    if (!uses) {
        return HOIST_NO_MEMORY;
    }
    note_queues(d->subgraph, uses);
    note_peer(d->peer, uses);
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *const engine = &d->subgraph->engines[e];
        const hoist_bytes bytes = engine->instr != NEFF_NONE
                                      ? d->module->members[engine->instr].bytes
                                      : (hoist_bytes){NULL, 0};
        for (size_t at = 0; bytes.size - at >= NEFF_RECORD_SIZE; at += NEFF_RECORD_SIZE) {
            note_record(d, uses, (neff_engine_id)e, bytes.data + at);
        }
        for (size_t i = 0; i < engine->block_count; i++) {
            const neff_block *const block = &engine->blocks[i];
            if (block->queue != NEFF_NONE &&
                neff_has(&neff_block_table, block->present, "semaphore")) {
                note_queue(uses, block->semaphore, block->queue);
            }
        }
    }
    draw_uses(d, uses);
    return HOIST_OK;
}
