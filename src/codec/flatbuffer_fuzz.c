// Reads any bytes as a FlatBuffer of a known and of an older schema; shows what was read, and
// writes what has no faults: in place, which must give the same bytes, and anew, twice.
#include <string.h>

#include "base/alloc.h"
#include "codec/flatbuffer_testing.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

static void show(hoist_bytes bytes, const hoist_fb_type *type, const void *object)
{
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    fuzz_require(hoist_fb_visit(bytes, type, object, &sink) == HOIST_OK && depth == 0);
}

static uint32_t faults_of(const void *object)
{
    return ((const hoist_fb_table *)object)->faults;
}

// Writes `object`, reads that, and writes it again: alike.
static void write_twice(const void *object, hoist_arena *arena)
{
    hoist_buffer first;
    hoist_buffer second;
    hoist_buffer_init(&first, hoist_allocator_system());
    hoist_buffer_init(&second, hoist_allocator_system());
    fuzz_require(hoist_fb_write(&zoo_type, object, NULL, &first) == HOIST_OK);
    void *again = NULL;
    fuzz_require(hoist_fb_read(hoist_buffer_bytes(&first), &zoo_type, NULL, arena, NULL, &again) ==
                 HOIST_OK);
    fuzz_require(faults_of(again) == 0 &&
                 hoist_fb_write(&zoo_type, again, NULL, &second) == HOIST_OK);
    fuzz_require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    hoist_buffer_deinit(&first);
    hoist_buffer_deinit(&second);
}

static void try_as(hoist_bytes bytes, const hoist_fb_type *type)
{
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    void *object = NULL;
    const hoist_status status = hoist_fb_read(bytes, type, NULL, &arena, NULL, &object);
    if (status == HOIST_OK) {
        show(bytes, type, object);
    }
    if (status == HOIST_OK && faults_of(object) == 0) {
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        fuzz_require(hoist_fb_rewrite(bytes, type, object, NULL, &out) == HOIST_OK);
        fuzz_require(out.size == bytes.size && memcmp(out.data, bytes.data, bytes.size) == 0);
        hoist_buffer_deinit(&out);
        if (type == &zoo_type) {
            write_twice(object, &arena);
        }
    }
    hoist_arena_deinit(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_bytes bytes = {data, size};
    try_as(bytes, &zoo_type);
    try_as(bytes, &old_zoo_type);
    return 0;
}
