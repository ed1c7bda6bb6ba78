// hoist run and bench: pushes entries into the session, from arrays or generated. Random entries
// come from SplitMix64 seeded by name, SEED and index, so that they do not depend on the order of
// pushes.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "run.h"

enum { MOST_MADE_UP = 64 }; // entries of a queue in one turn

// FNV-1a over the name, so that an entry depends on nothing but seed, name and its number.
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++) {
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t bits_of(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// Elements of made-up entries are float32 or integers (make_up() in run_inputs.c). The cast of
// a negative number goes through int64_t: the direct one would be undefined.
static uint64_t number_bits(double number, hoist_dtype dtype)
{
    if (hoist_dtype_get(dtype)->kind == HOIST_CLASS_FLOAT) {
        return bits_of((float)number);
    }
    return number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
}

// A number of the range that the user gave, from 53 bits: any integer of it, or float.
static uint64_t range_bits(uint64_t x, const tool_random *random, hoist_dtype dtype)
{
    const double part = (double)(x >> 11) * 0x1p-53; // in [0, 1)
    if (hoist_dtype_get(dtype)->kind == HOIST_CLASS_FLOAT) {
        return number_bits(random->low + part * (random->high - random->low), dtype);
    }
    // The last step guards against rounding up to high + 1 in the product.
    const double number = random->low + floor(part * (random->high - random->low + 1));
    return number_bits(number < random->high ? number : random->high, dtype);
}

// 24 random bits in [-1, 1), or integers; or what the user's range has.
static uint64_t random_bits(uint64_t *state, const tool_random *random, hoist_dtype dtype)
{
    // SplitMix64 (Steele, Lea and Flood, 2014).
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    if (random->has_range) {
        return range_bits(x, random, dtype);
    }
    switch (hoist_dtype_get(dtype)->kind) {
    case HOIST_CLASS_FLOAT:
        // 24 bits fit the mantissa, so each of the 2^24 values is as likely as any other.
        return bits_of((float)(x >> 40) * 0x1p-23f - 1.0f);
    case HOIST_CLASS_SIGNED:
        // Seven bits: -64 to 63, in the range of int8 and small enough for sums of products in
        // int32.
        return (x >> 57) - 64;
    default:
        // Six bits: 0 to 63.
        return x >> 58;
    }
}

hoist_status run_make_numbers(run *r, const run_input *input, uint64_t index)
{
    const hoist_port *port = &input->port;
    const size_t count = (size_t)run_entry_elements(port);
    // The array grows to the largest entry and is used for all.
    if (count > r->number_count) {
        hoist_free(r->t->alloc, r->numbers, r->number_count * sizeof(r->numbers[0]));
        r->numbers = hoist_alloc_zero(r->t->alloc, count, sizeof(r->numbers[0]));
        r->number_count = r->numbers ? count : 0;
    }
    const hoist_test_input entry = {.struct_size = sizeof(entry),
                                    .port = port->name,
                                    .shape = port->shape,
                                    .rank = port->rank,
                                    .dtype = port->host_dtype,
                                    .seed = input->random.seed,
                                    .index = index};
    return r->numbers ? hoist_job_test_input(r->file->job, &entry, r->file->diag, r->numbers)
                      : HOIST_NO_MEMORY;
}

// Entry `index` of an input that is made up: entry_size bytes.
static void make_entry(run *r, const run_input *input, uint64_t index, uint8_t *out_entry)
{
    const size_t element = hoist_array_element_size(input->dtype);
    uint64_t state =
        // Entry `index` has the same numbers whoever makes it and whenever: pushes of several
        // queues may interleave in any order.
        hash_name(input->name) ^ (input->random.seed * UINT64_C(0xd1342543de82ef95) + index);
    const uint64_t number = number_bits(input->number, input->dtype);
    const bool by_test = input->source == RUN_SOURCE_CONFIG;
    const hoist_status made = by_test ? run_make_numbers(r, input, index) : HOIST_OK;
    if (made != HOIST_OK) {
        memset(out_entry, 0, input->entry_size);
        run_fail(r, made);
        return;
    }
    for (size_t at = 0; at < input->entry_size; at += element) {
        const uint64_t bits = by_test ? number_bits(r->numbers[at / element], input->dtype)
                              : input->source == RUN_SOURCE_RANDOM
                                  ? random_bits(&state, &input->random, input->dtype)
                                  : number;
        // Little-endian, as the session takes elements on any machine.
        for (size_t i = 0; i < element; i++) {
            out_entry[at + i] = (uint8_t)(bits >> (8 * i));
        }
    }
}

// Makes the entry that is pushed again and again.
static bool make_once(run *r, run_input *input)
{
    uint8_t *entry = hoist_alloc(r->t->alloc, input->entry_size);
    if (!entry) {
        return false;
    }
    make_entry(r, input, 0, entry);
    input->converted = (hoist_mut_bytes){entry, input->entry_size};
    input->elements = (hoist_bytes){entry, input->entry_size};
    return true;
}

// `bench` makes entries before the run, since making them would be measured; `run` has one
// entry in memory at a time, as a program may read millions.
tool_exit run_make_room(run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        const size_t size = input->entry_size;
        r->scratch_size = size > r->scratch_size ? size : r->scratch_size;
        if (r->command->makes_once && size && input->source != RUN_SOURCE_ARRAY &&
            !make_once(r, input)) {
            return TOOL_LIMIT;
        }
    }
    r->scratch_size = r->command->makes_once ? 0 : r->scratch_size;
    r->scratch = r->scratch_size ? hoist_alloc(r->t->alloc, r->scratch_size) : NULL;
    return r->scratch || !r->scratch_size ? TOOL_OK : TOOL_LIMIT;
}

// Entry `index` of the input: a piece of its array, made before, or made up in the scratch memory.
static hoist_bytes entry_at(run *r, const run_input *input, uint64_t index)
{
    if (input->source == RUN_SOURCE_ARRAY) {
        return (hoist_bytes){input->elements.data + index * input->entry_size, input->entry_size};
    }
    if (input->elements.data) {
        return input->elements;
    }
    // A push that found no space is repeated with the same entry.
    if (r->scratch_of != input || r->scratch_index != index) {
        r->scratch_of = input;
        r->scratch_index = index;
        make_entry(r, input, index, r->scratch);
    }
    return (hoist_bytes){r->scratch, input->entry_size};
}

// Gives back the memory of entries that are made up when none will be made any more: views are
// written once.
static void drop_room(run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].source != RUN_SOURCE_ARRAY && !r->inputs[i].port.is_view) {
            return;
        }
    }
    hoist_free(r->t->alloc, r->scratch, r->scratch_size);
    r->scratch = NULL;
    r->scratch_size = 0;
    r->scratch_of = NULL;
}

// Made-up slots of rams, and views, one after the other: views overlap, so their order counts.
// Slots that run_write_arrays() leaves out.
static hoist_status write_rest(run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        for (; !input->port.is_queue && input->next < input->entries; input->next++) {
            HOIST_TRY(hoist_session_write(r->session, input->name, (uint32_t)input->next,
                                          input->dtype, entry_at(r, input, input->next)));
        }
    }
    return HOIST_OK;
}

// Rams are written again in each iteration, views in the first one only: they may cover bytes
// that the program changes.
hoist_status run_rewind_inputs(run *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        if (input->port.is_queue && input->source != RUN_SOURCE_ARRAY) {
            continue; // goes on: what is read then never depends on how much was pushed ahead
        }
        if (input->port.is_view && input->next > 0) {
            continue; // state from the first iteration on
        }
        input->next = 0;
        input->ended = false;
    }
    HOIST_TRY(run_write_arrays(r));
    HOIST_TRY(write_rest(r));
    drop_room(r);
    return HOIST_OK;
}

// Pushes one entry. False: no space within the time, or nothing can be pushed any more.
// A failure of the run is not the pusher's to report: the thread that runs it does.
static bool push_one(run *r, run_input *input, double timeout)
{
    const hoist_status status = hoist_session_push(r->session, input->name, input->dtype,
                                                   entry_at(r, input, input->next), timeout);
    switch (status) {
    case HOIST_OK:
        input->next++;
        return true;
    case HOIST_LIMIT:     // full
    case HOIST_BUSY:      // full, and nothing runs
    case HOIST_CANCELLED: // the run's own thread reports it
    case HOIST_INVALID:   // the run has failed: likewise; the entry itself was checked
        return false;
    default:
        run_fail(r, status);
        return false;
    }
}

// Tells the session when an array is at its end.
// Where the end of an array is known, a program that wants more is reported as waiting for
// ever, instead of waiting.
static bool has_more(run *r, run_input *input)
{
    if (!input->port.is_queue || input->ended) {
        return false;
    }
    if (input->next == input->entries) {
        hoist_session_end_input(r->session, input->name);
        input->ended = true;
        return false;
    }
    return true;
}

// Looked at first, because an entry may have to be made up.
static bool has_room(run *r, const run_input *input)
{
    return hoist_session_available(r->session, input->name) < input->port.slots;
}

bool run_push(run *r)
{
    bool moved = false;
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        // One queue's turn ends when it was filled once, so that the others get theirs; and what is
        // made up is not made by the thousand for a program that reads two.
        const uint32_t slots = input->port.slots;
        const uint32_t most =
            input->source == RUN_SOURCE_ARRAY || slots < MOST_MADE_UP ? slots : MOST_MADE_UP;
        for (uint32_t k = 0; k < most && has_more(r, input); k++) {
            if (!has_room(r, input) || !push_one(r, input, 0)) {
                break;
            }
            r->lately = input;
            moved = true;
        }
        (void)has_more(r, input);
    }
    return moved;
}

bool run_push_waiting(run *r, double seconds)
{
    // A golden queue takes more than its entries, over those that were not read yet.
    const bool can_wait = !r->is_golden || (r->lately && has_room(r, r->lately));
    return r->lately && can_wait && has_more(r, r->lately) && push_one(r, r->lately, seconds);
}
