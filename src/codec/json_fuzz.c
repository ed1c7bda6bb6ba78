// Reads any bytes as JSON, with and without numbers that are not finite, then every value of what
// was accepted: kinds, children, decoded strings, numbers and places.
#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/utf8.h"
#include "codec/json.h"
#include "testing/fuzz.h"

static void visit_string(const hoist_json *json, hoist_json_index at, hoist_arena *arena)
{
    const hoist_str text = hoist_json_string(json, at, arena);
    for (size_t i = 0; i < text.size;) {
        const size_t step = hoist_utf8_size(text, i);
        fuzz_require(step > 0);
        i += step;
    }
}

// Walks the children with hoist_json_next; their number and their end must be the container's.
static void visit_children(const hoist_json *json, hoist_json_index at)
{
    const bool object = hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT;
    const uint32_t count = hoist_json_size(json, at);
    hoist_json_index child = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        fuzz_require(!object || hoist_json_kind_of(json, child) == HOIST_JSON_STRING);
        child += object;
        child = hoist_json_next(json, child);
    }
    fuzz_require(child == hoist_json_next(json, at));
}

static void visit(const hoist_json *json, hoist_json_index at, hoist_arena *arena)
{
    int64_t integer = 0;
    uint64_t natural = 0;
    double number = 0;
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    fuzz_require(hoist_json_text(json, at).size > 0 && hoist_json_pos(json, at).line > 0);
    if (kind == HOIST_JSON_STRING) {
        visit_string(json, at, arena);
    } else if (kind == HOIST_JSON_NUMBER) {
        const bool small = hoist_json_i64(json, at, &integer);
        fuzz_require(hoist_json_f64(json, at, &number));
        fuzz_require(!small || (double)integer == number);
        fuzz_require(!hoist_json_u64(json, at, &natural) || (double)natural == number);
    } else if (kind == HOIST_JSON_ARRAY || kind == HOIST_JSON_OBJECT) {
        visit_children(json, at);
    }
}

static hoist_status read_all(hoist_bytes text, bool nonfinite)
{
    const hoist_json_limits limits = {.max_depth = 64, .nonfinite = nonfinite};
    hoist_diag *diag = NULL;
    hoist_json json;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status =
        hoist_json_read(text, &limits, hoist_allocator_system(), diag, &json);
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY ||
                 hoist_diag_count(diag, HOIST_ERROR) > 0);
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    // Places are counted from the start each time, so only so many values are visited.
    for (hoist_json_index i = 0; i < json.count && i < 2000; i++) {
        visit(&json, i, &arena);
    }
    hoist_arena_deinit(&arena);
    hoist_json_free(&json);
    hoist_diag_destroy(diag);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_status strict = read_all((hoist_bytes){data, size}, false);
    const hoist_status lenient = read_all((hoist_bytes){data, size}, true);
    fuzz_require(strict != HOIST_OK || lenient == HOIST_OK || lenient == HOIST_NO_MEMORY);
    return 0;
}
