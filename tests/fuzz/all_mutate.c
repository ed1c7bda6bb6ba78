#include "all_mutate.h"

#include <string.h>

#include "all_parts.h"
#include "base/alloc.h"
#include "base/span.h"

enum { GROWTH = 64, MOST_NESTING = 16 };

// Numbers from a seed (SplitMix64).
static uint64_t draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Fields of a FlatBuffer ------------------------------------------------------------------------

// One of all scalars and vectors below an object, each as likely as any other.
typedef struct choice {
    uint64_t state;
    size_t seen;
    uint8_t *scalar; // of `size` bytes; NULL: a vector was chosen last
    size_t size;
    hoist_bytes *vector;
} choice;

static bool is_chosen(choice *c)
{
    c->seen++;
    return draw(&c->state) % c->seen == 0;
}

static void choose(choice *c, const hoist_fb_type *type, void *object, size_t depth);

static void choose_below(choice *c, const hoist_fb_field *field, uint8_t *member, size_t depth)
{
    typedef HOIST_FB_LIST(uint8_t) bytes_list;
    if (field->kind == HOIST_FB_TABLE) {
        choose(c, field->type, *(void **)member, depth + 1);
    } else if (field->kind == HOIST_FB_UNION) {
        const hoist_fb_union *const value = (const hoist_fb_union *)member;
        const hoist_fb_type *const type = hoist_fb_variant_type(field->variants, value->type);
        if (type) {
            choose(c, type, value->value, depth + 1);
        }
    } else if (field->kind == HOIST_FB_TABLES) {
        const bytes_list *const list = (const bytes_list *)member;
        for (uint32_t i = 0; i < list->count; i++) {
            choose(c, field->type, list->items + (size_t)i * field->type->size, depth + 1);
        }
    }
}

static void choose(choice *c, const hoist_fb_type *type, void *object, size_t depth)
{
    for (uint16_t i = 0; object && depth < MOST_NESTING && i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        uint8_t *const member = (uint8_t *)object + field->at;
        if (field->kind < HOIST_FB_SCALARS) {
            if (is_chosen(c)) {
                c->scalar = member;
                c->size = hoist_fb_scalar_size((hoist_fb_kind)field->kind);
            }
        } else if (field->kind == HOIST_FB_VECTOR && ((hoist_bytes *)member)->size) {
            if (is_chosen(c)) {
                c->scalar = NULL;
                c->vector = (hoist_bytes *)member;
            }
        } else {
            choose_below(c, field, member, depth);
        }
    }
}

// A bool has one bit; other numbers become their neighbours, one of the ends, or differ in a bit.
static void change_scalar(uint64_t *state, uint8_t *scalar, size_t size, bool is_bool)
{
    static const int64_t ends[] = {0, 1, -1, INT8_MAX, INT16_MAX, INT32_MAX, INT32_MIN, INT64_MAX};
    uint64_t value = 0;
    memcpy(&value, scalar, size); // of the machine's own order: little-endian where fuzzers run
    const uint64_t way = draw(state);
    if (is_bool) {
        value ^= 1;
    } else if (way % 3 == 0) {
        value += draw(state) % 2 ? 1 : UINT64_MAX;
    } else if (way % 3 == 1) {
        value = (uint64_t)ends[draw(state) % HOIST_COUNT_OF(ends)];
    } else {
        value ^= UINT64_C(1) << draw(state) % (8 * size);
    }
    memcpy(scalar, &value, size);
}

static bool change(choice *c, hoist_arena *arena)
{
    if (c->seen == 0) {
        return false;
    }
    if (c->scalar) {
        change_scalar(&c->state, c->scalar, c->size, c->size == sizeof(bool) && *c->scalar < 2);
        return true;
    }
    uint8_t *const copy = hoist_arena_alloc(arena, c->vector->size);
    if (copy) {
        memcpy(copy, c->vector->data, c->vector->size);
        (void)LLVMFuzzerMutate(copy, c->vector->size, c->vector->size);
        c->vector->data = copy;
    }
    return copy != NULL;
}

// Into `out`; false: it cannot be changed.
static bool mutate_field(hoist_bytes bytes, unsigned seed, const hoist_fb_type *root,
                         hoist_arena *arena, hoist_buffer *out)
{
    choice c = {.state = seed};
    void *object = NULL;
    if (hoist_fb_read(bytes, root, NULL, arena, NULL, &object) != HOIST_OK) {
        return false;
    }
    choose(&c, root, object, 0);
    return change(&c, arena) && hoist_fb_rewrite(bytes, root, object, NULL, out) == HOIST_OK;
}

static size_t put(uint8_t *data, size_t max_size, hoist_bytes made)
{
    if (made.size == 0 || made.size > max_size) {
        return 0;
    }
    memcpy(data, made.data, made.size);
    return made.size;
}

size_t all_mutate_field(uint8_t *data, size_t size, size_t max_size, unsigned seed,
                        const hoist_fb_type *root)
{
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    const bool is_made = mutate_field((hoist_bytes){data, size}, seed, root, &arena, &out);
    const size_t made = is_made ? put(data, max_size, hoist_buffer_bytes(&out)) : 0;
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    return made;
}

// Parts -----------------------------------------------------------------------------------------

static bool mutate_part(all_parts *parts, unsigned seed, const all_part_kind *kind,
                        hoist_buffer *out)
{
    uint64_t state = seed;
    hoist_part *const part = &parts->items[draw(&state) % parts->count];
    if (kind->root && hoist_str_ends_with(part->path, kind->ending) && draw(&state) % 2 &&
        mutate_field(part->bytes, (unsigned)draw(&state), kind->root, &parts->arena, out)) {
        part->bytes = hoist_buffer_bytes(out);
        return true;
    }
    uint8_t *const copy = hoist_arena_alloc(&parts->arena, part->bytes.size + GROWTH);
    if (!copy) {
        return false;
    }
    if (part->bytes.size) {
        memcpy(copy, part->bytes.data, part->bytes.size);
    }
    part->bytes =
        (hoist_bytes){copy, LLVMFuzzerMutate(copy, part->bytes.size, part->bytes.size + GROWTH)};
    return true;
}

static size_t mutate_job(uint8_t *data, size_t max_size, unsigned seed, const hoist_job *job,
                         const all_part_kind *kind)
{
    static all_parts parts; // too large for the stack
    hoist_buffer out;
    hoist_mut_bytes made;
    size_t size = 0;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (all_parts_take(&parts, job, hoist_allocator_system()) == HOIST_OK && parts.count > 0 &&
        mutate_part(&parts, seed, kind, &out) &&
        all_parts_pack(&parts, job, NULL, &made) == HOIST_OK) {
        size = put(data, max_size, (hoist_bytes){made.data, made.size});
        hoist_pack_free(hoist_allocator_system(), made);
    }
    all_parts_drop(&parts);
    hoist_buffer_deinit(&out);
    return size;
}

size_t all_mutate_part(uint8_t *data, size_t size, size_t max_size, unsigned seed,
                       const all_part_kind *kind)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .format = kind->format};
    hoist_job *job = NULL;
    size_t made = 0;
    if (hoist_job_open_bytes((hoist_bytes){data, size}, "fuzz", &options, NULL, &job) == HOIST_OK) {
        made = mutate_job(data, max_size, seed, job, kind);
    }
    hoist_job_close(job);
    return made;
}
