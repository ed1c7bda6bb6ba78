// A direct-mapped cache of costs (cost_cache.h). In: a step, and which of its slots count. Out: its
// cost. Neighbours: amount.c and model.c compute what is not there; forecast.c asks.
#include "cost/cost_cache.h"

#include "base/checked.h"
#include "program/program.h"

enum { LEAST_BITS = 10, MOST_BITS = 15 };

static uint64_t count_steps(const hoist_program *program)
{
    uint64_t count = 0;
    for (size_t i = 0; i < hoist_prog_code_count(program); i++) {
        count += hoist_prog_code_at(program, i)->step_count;
    }
    return count;
}

hoist_status hoist_cost_cache_init(hoist_cost_cache *cache, const hoist_cost_model *model,
                                   const hoist_program *program, hoist_arena *arena)
{
    *cache = (hoist_cost_cache){.model = model, .program = program, .bits = LEAST_BITS};
    const uint64_t wanted = count_steps(program);
    while (cache->bits < MOST_BITS && wanted >> cache->bits) {
        cache->bits++;
    }
    cache->entries = hoist_arena_array(arena, (size_t)1 << cache->bits, sizeof(*cache->entries));
    return cache->entries ? HOIST_OK : HOIST_NO_MEMORY;
}

// Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
static hoist_cost_entry *entry_of(const hoist_cost_cache *cache, const hoist_prog_step *step)
{
    const uint64_t hash = (uint64_t)(uintptr_t)step * UINT64_C(0x9e3779b97f4a7c15);
    return &cache->entries[hash >> 32 & (((size_t)1 << cache->bits) - 1)];
}

typedef struct reader {
    const hoist_program *program;
    hoist_cost_entry *entry;
} reader;

// Notes a slot that is read; none counts.
static bool note(void *self, hoist_ref view)
{
    const reader *const r = self;
    if (r->entry->read_count < HOIST_COST_CACHE_READS) {
        r->entry->reads[r->entry->read_count] =
            (hoist_slot_read){view, hoist_amount_of_view(r->program, view)};
    }
    r->entry->read_count++;
    return false;
}

static void look(const hoist_cost_cache *cache, const hoist_prog_step *step,
                 hoist_cost_entry *entry)
{
    *entry = (hoist_cost_entry){.step = step};
    if (hoist_cost_has_amount(cache->program, step)) {
        reader r = {cache->program, entry};
        const hoist_slot_filter filter = {note, &r};
        entry->written = hoist_amount_of(cache->program, step, &filter);
    }
}

// The amount with the slots that count.
static hoist_amount amount_of(const hoist_cost_entry *entry, const hoist_slot_filter *filter)
{
    hoist_amount amount = entry->written;
    for (size_t i = 0; i < entry->read_count; i++) {
        const hoist_slot_read *const read = &entry->reads[i];
        if (filter->counts(filter->self, read->view) &&
            hoist_ckd_add(&amount.slots, amount.slots, read->bytes)) {
            amount.slots = UINT64_MAX;
        }
    }
    return amount;
}

const hoist_cost *hoist_cost_cache_find(hoist_cost_cache *cache, const hoist_prog_step *step,
                                        const hoist_slot_filter *filter)
{
    hoist_cost_entry *const entry = entry_of(cache, step);
    if (entry->step != step) {
        look(cache, step, entry);
    }
    const bool is_long = entry->read_count > HOIST_COST_CACHE_READS;
    const hoist_amount amount =
        is_long ? hoist_amount_of(cache->program, step, filter) : amount_of(entry, filter);
    if (!entry->has_cost || entry->cost_slots != amount.slots) {
        entry->cost = hoist_cost_of(cache->model, cache->program, step, &amount);
        entry->cost_slots = amount.slots;
        entry->has_cost = true;
    }
    return &entry->cost;
}
