// Which semaphores of a subgraph there are, who raises each and who waits for it: for
// neff_picture.c, whose nodes and edges they are. In go streams and queue sets, out come bits by
// semaphore.
#include "formats/neff/neff_picture.h"
#include "formats/neff/stream.h"

// Numbers out of range are passed over: rules 40a and 62a report them.
static void note(neff_semaphore_set *set, int64_t semaphore)
{
    if (semaphore >= 0 && semaphore < NEFF_SEMAPHORES) {
        set->bits[semaphore / 8] |= (uint8_t)(1u << (semaphore % 8));
    }
}

// Semaphores only: events are no part of the picture.
static void note_wait(neff_semaphores *all, neff_engine_id engine, const neff_wait *wait)
{
    if (wait->kind == NEFF_WAIT_SEMAPHORE) {
        // Any comparison, with a value or a register.
        all->awaited[wait->index] |= (uint8_t)(1u << engine);
        note(&all->used, wait->index);
    }
}

static void note_update(neff_semaphores *all, neff_engine_id engine, const neff_update *update)
{
    const neff_update_kind kind = update->kind;
    // Lowering a semaphore counts as raising it, too.
    if (kind == NEFF_UPDATE_ADD || kind == NEFF_UPDATE_SUB || kind == NEFF_UPDATE_SET) {
        all->raised[update->index] |= (uint8_t)(1u << engine);
        note(&all->used, update->index);
    }
}

static void note_record(const neff_scene *scene, neff_semaphores *all, neff_engine_id engine,
                        const uint8_t *bytes)
{
    const neff_opcode *const row = neff_opcode_find(bytes[0], scene->generation);
    if (!row) { // an unassigned opcode has no known events
        return;
    }
    const neff_record record = neff_record_decode(bytes, scene->generation);
    note_wait(all, engine, &record.wait);
    note_update(all, engine, &record.update);
    // The only form with a second wait and update.
    if (row->form == NEFF_FORM_EVENT_SEMAPHORE) {
        const neff_second second = neff_second_of(&record);
        if (second.present) {
            note_wait(all, engine, &second.wait);
            note_update(all, engine, &second.update);
        }
    }
}

// The loop condition subtracts, so that no size makes it wrap.
static void note_stream(const neff_scene *scene, neff_semaphores *all, neff_engine_id e)
{
    const neff_engine *const engine = &scene->subgraph->engines[e];
    const hoist_bytes bytes = engine->instr != NEFF_NONE
                                  ? scene->module->members[engine->instr].bytes
                                  : (hoist_bytes){NULL, 0};
    for (size_t at = 0; bytes.size - at >= NEFF_RECORD_SIZE; at += NEFF_RECORD_SIZE) {
        note_record(scene, all, e, bytes.data + at);
    }
}

// Of a queue set: its rings signal when a transfer completes.
static void note_queue(neff_semaphores *all, uint32_t queue, int64_t semaphore)
{
    note(&all->queues[queue], semaphore);
    note(&all->used, semaphore);
}

// The semaphores that a queue set signals for its blocks, and those that blocks name themselves.
static void note_queues(const neff_subgraph *s, neff_semaphores *all)
{
    for (uint32_t i = 0; i < s->queue_count; i++) {
        const neff_queue_set *const queue = &s->queues[i];
        if (neff_has(&neff_queue_table, queue->present, "semaphore")) {
            note_queue(all, i, queue->semaphore);
        }
        for (uint32_t k = 0; k < queue->semaphore_set.count; k++) {
            note_queue(all, i, queue->semaphore_set.items[k]);
        }
    }
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) { // any block of the set may signal it
        for (size_t i = 0; i < s->engines[e].block_count; i++) {
            const neff_block *const block = &s->engines[e].blocks[i];
            if (block->queue != NEFF_NONE &&
                neff_has(&neff_block_table, block->present, "semaphore")) {
                note_queue(all, block->queue, block->semaphore);
            }
        }
    }
}

// What the blocks of the other core raise in this one: remote_semaphores.
static void note_peer(const neff_subgraph *peer, neff_semaphores *all)
{
    for (int e = 0; peer && e < NEFF_ENGINE_COUNT; e++) {
        for (size_t i = 0; i < peer->engines[e].block_count; i++) {
            const neff_block *const block = &peer->engines[e].blocks[i];
            for (uint32_t k = 0; block->queue != NEFF_NONE && k < block->remote_semaphores.count;
                 k++) {
                note(&all->remote[block->queue], block->remote_semaphores.items[k]);
                note(&all->used, block->remote_semaphores.items[k]);
            }
        }
    }
}

hoist_status neff_semaphores_read(const neff_scene *scene, neff_semaphores *out)
{
    const size_t remote = scene->peer ? scene->peer->queue_count : 0; // 0: there is no other core
    *out = (neff_semaphores){
        .queues =
            hoist_arena_array(scene->arena, scene->subgraph->queue_count, sizeof(*out->queues)),
        .remote = hoist_arena_array(scene->arena, remote, sizeof(*out->remote)),
    };
    HOIST_TRY_MEMORY(out->queues && out->remote);
    note_queues(scene->subgraph, out);
    note_peer(scene->peer, out);
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        note_stream(scene, out, (neff_engine_id)e);
    }
    return HOIST_OK;
}
