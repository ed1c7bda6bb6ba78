// Reading safetensors files; safetensors.c has the layout and writes them. The header is JSON
// (codec/json.h); arrays borrow their data from the file. Everything that the format fixes is
// checked: types, shapes, that the data of all arrays cover the file once.
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/json.h"
#include "exchange/array_set.h"
#include "exchange/exchange_rules.h"

enum {
    LENGTH = 8,
    MOST_HEADER = 100000000, // bytes; the limit of the format's own library
    MOST_DEPTH = 8,          // of the header; 3 are used
};

// Where the data of an array are, after the header.
typedef struct extent {
    uint64_t begin, end;
    size_t item; // of the set
} extent;

typedef struct st_reader {
    const hoist_json *json;
    hoist_bytes data; // after the header
    hoist_array_set *set;
    hoist_diag *diag;
    extent *extents; // arena of the set
    size_t count;
} st_reader;

// Reports that the array `name` is wrong at a token of the header.
static hoist_status fail_entry(const st_reader *r, hoist_json_index at, hoist_str name,
                               const char *found)
{
    return hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_009,
                               LENGTH + r->json->tokens[at].start, "array '%.*s': %s",
                               HOIST_STR_ARGS(name), found);
}

// The type of that code; HOIST_DTYPE_NONE: there is none.
static hoist_dtype dtype_of(const hoist_json *json, hoist_json_index at)
{
    // A scan: codes are few, and each array has one.
    for (int i = 0; i < HOIST_DTYPE_COUNT; i++) {
        const char *const code = hoist_safetensors_code((hoist_dtype)i);
        if (code && hoist_json_kind_of(json, at) == HOIST_JSON_STRING &&
            hoist_json_string_is(json, at, hoist_str_from(code))) {
            return (hoist_dtype)i;
        }
    }
    return HOIST_DTYPE_NONE;
}

static bool read_shape(const hoist_json *json, hoist_json_index at, hoist_array *array)
{
    const bool is_list = hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY;
    // A rank that is too large marks a value that is no list.
    array->rank = is_list ? hoist_json_size(json, at) : UINT32_MAX;
    if (array->rank > HOIST_ARRAY_MAX_RANK) {
        return false;
    }
    hoist_json_index item = array->rank ? hoist_json_first(json, at) : 0;
    for (uint32_t i = 0; i < array->rank; i++, item = hoist_json_next(json, item)) {
        if (!hoist_json_i64(json, item, &array->shape[i]) || array->shape[i] < 0) {
            return false;
        }
    }
    return true;
}

// "[begin, end]" within the data.
static bool read_extent(const st_reader *r, hoist_json_index at, extent *out_extent)
{
    const hoist_json *const json = r->json;
    if (hoist_json_kind_of(json, at) != HOIST_JSON_ARRAY || hoist_json_size(json, at) != 2) {
        return false;
    }
    const hoist_json_index first = hoist_json_first(json, at);
    // Begin after end would wrap in a subtraction; end beyond the data would read past the file.
    return hoist_json_u64(json, first, &out_extent->begin) &&
           hoist_json_u64(json, hoist_json_next(json, first), &out_extent->end) &&
           out_extent->begin <= out_extent->end && out_extent->end <= r->data.size;
}

// Adds the array that is described at `at`.
static hoist_status read_entry(st_reader *r, hoist_str name, hoist_json_index at)
{
    const hoist_json *const json = r->json;
    hoist_json_index dtype = 0;
    hoist_json_index shape = 0;
    hoist_json_index offsets = 0;
    if (!hoist_json_find(json, at, HOIST_STR("dtype"), &dtype) ||
        !hoist_json_find(json, at, HOIST_STR("shape"), &shape) ||
        !hoist_json_find(json, at, HOIST_STR("data_offsets"), &offsets)) {
        return fail_entry(r, at, name, "expected an object with dtype, shape and data_offsets");
    }
    hoist_set_item item = {.name = name, .array.dtype = dtype_of(json, dtype)};
    extent *const place = &r->extents[r->count];
    uint64_t size = 0;
    if (item.array.dtype == HOIST_DTYPE_NONE) {
        // Known to others, perhaps: unsupported rather than invalid.
        (void)fail_entry(r, dtype, name, "dtype is no code of an element type that is known here");
        return HOIST_UNSUPPORTED;
    }
    if (!read_shape(json, shape, &item.array)) {
        return fail_entry(r, shape, name, "shape is no list of at most 32 integers from 0 on");
    }
    if (!read_extent(r, offsets, place)) {
        return fail_entry(r, offsets, name,
                          "data_offsets are no [begin, end] within the bytes after the header");
    }
    // hoist_array_size() is true where the size does not fit: no range of data is that long.
    if (hoist_array_size(&item.array, &size) || size != place->end - place->begin) {
        return fail_entry(r, offsets, name,
                          "data_offsets have not as many bytes as type and shape");
    }
    // Borrowed from the file.
    item.array.data = (hoist_bytes){r->data.data + place->begin, (size_t)size};
    const hoist_status status = hoist_array_set_keep(r->set, &item);
    if (status == HOIST_BUSY) {
        return hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_008,
                                   LENGTH + json->tokens[at].start, "two arrays are called '%.*s'",
                                   HOIST_STR_ARGS(name));
    }
    place->item = r->count++;
    return status;
}

static int compare_extents(const void *a, const void *b)
{
    const extent *const x = a;
    const extent *const y = b;
    const int order = hoist_order_u64(x->begin, y->begin);
    return order ? order : hoist_order_u64(x->end, y->end);
}

// The data of all arrays cover the bytes after the header, each once: no bytes are hidden between
// arrays, and none belong to two. Sorted by their begin, each has to begin where the one before
// ends.
static hoist_status check_cover(const st_reader *r)
{
    uint64_t end = 0;
    if (r->count > 0) {
        qsort(r->extents, r->count, sizeof(r->extents[0]), compare_extents);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->extents[i].begin != end) {
            return hoist_exchange_fail(
                r->diag, HOIST_INVALID, HOIST_RAW_010, 0,
                "the data of '%.*s' begin at byte %llu after the header, expected %llu",
                HOIST_STR_ARGS(r->set->items[r->extents[i].item].name),
                (unsigned long long)r->extents[i].begin, (unsigned long long)end);
        }
        end = r->extents[i].end;
    }
    return end == r->data.size
               ? HOIST_OK
               : hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_010, 0,
                                     "the arrays have %llu bytes of %zu after the header",
                                     (unsigned long long)end, r->data.size);
}

static hoist_status read_header(st_reader *r, hoist_deadline *deadline)
{
    const hoist_json *const json = r->json;
    // Key and value of each are tokens of their own.
    const uint32_t members = hoist_json_size(json, 0);
    r->extents = hoist_arena_array(&r->set->arena, members, sizeof(r->extents[0]));
    if (!r->extents) {
        return HOIST_NO_MEMORY;
    }
    hoist_json_index key = members ? hoist_json_first(json, 0) : 0;
    for (uint32_t i = 0; i < members; i++) {
        HOIST_TRY(hoist_deadline_look(deadline));
        const hoist_json_index value = hoist_json_next(json, key);
        // Notes of the writer: not read.
        if (!hoist_json_string_is(json, key, HOIST_STR("__metadata__"))) {
            const hoist_str name = hoist_json_string(json, key, &r->set->arena);
            HOIST_TRY(name.data ? read_entry(r, name, value) : HOIST_NO_MEMORY);
        }
        key = hoist_json_next(json, value);
    }
    return check_cover(r);
}

// Reads the header as JSON; findings of that have line and column in it.
static hoist_status parse(hoist_bytes header, hoist_deadline *deadline, const hoist_array_set *set,
                          hoist_diag *diag, hoist_json *out_json)
{
    const hoist_json_limits limits = {.max_depth = MOST_DEPTH, .deadline = deadline};
    const hoist_str path = hoist_diag_file(diag);
    const hoist_str member = hoist_diag_member(diag);
    hoist_diag_source(diag, path, HOIST_STR("header"));
    const hoist_status status = hoist_json_read(header, &limits, set->alloc, diag, out_json);
    hoist_diag_source(diag, path, member);
    return status;
}

hoist_status hoist_safetensors_read(hoist_bytes file, hoist_deadline *deadline, hoist_diag *diag,
                                    hoist_array_set *set)
{
    if (file.size < LENGTH + 2 || file.data[LENGTH] != '{') {
        return hoist_exchange_fail(
            diag, HOIST_INVALID, HOIST_RAW_004, 0,
            "the file begins neither as a ZIP archive nor with the header of a "
            "safetensors file");
    }
    // May be any number: compared before it is added to.
    const uint64_t size = hoist_load_u64le(file.data);
    if (size > MOST_HEADER) {
        return hoist_exchange_fail(diag, HOIST_LIMIT, HOIST_RAW_004, 0,
                                   "a header of %llu bytes, expected at most %d",
                                   (unsigned long long)size, (int)MOST_HEADER);
    }
    if (size > file.size - LENGTH) {
        return hoist_exchange_fail(diag, HOIST_TRUNCATED, HOIST_RAW_004, 0,
                                   "a header of %llu bytes, and %zu are left",
                                   (unsigned long long)size, file.size - LENGTH);
    }
    hoist_json json;
    HOIST_TRY(parse((hoist_bytes){file.data + LENGTH, (size_t)size}, deadline, set, diag, &json));
    st_reader r = {.json = &json, .set = set, .diag = diag};
    r.data = (hoist_bytes){file.data + LENGTH + size, file.size - LENGTH - (size_t)size};
    const hoist_status status = read_header(&r, deadline);
    hoist_json_free(&json);
    return status;
}
