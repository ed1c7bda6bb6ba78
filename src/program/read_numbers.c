// Numbers and lists of numbers in the text form: repetitions and ranges of lists are expanded
// within a limit, so that a short text cannot fill the memory.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/read_operands.h"

// Rows are structs of any type; members are written by offset.
void hoist_text_store(void *row, size_t offset, const void *value, size_t size)
{
    memcpy((uint8_t *)row + offset, value, size);
}

// What one text may write as list items: a run of a few bytes can mean billions of them.
#define MAX_ITEMS (UINT64_C(1) << 24)

bool hoist_text_push(hoist_text_reader *r, hoist_text_list *list, const void *item, size_t size)
{
    // For the complete text, not for one list: many lists add up, too.
    if (++r->items > MAX_ITEMS) {
        r->status = HOIST_LIMIT;
        return hoist_text_fail(r, HOIST_PRG_908, r->token.pos,
                               "the lists of the text have more than %" PRIu64 " items", MAX_ITEMS);
    }
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 8;
        // The old array stays in the line's arena, which is emptied with the line.
        uint8_t *items = hoist_arena_array(&r->line, capacity, size);
        if (!items) {
            return hoist_text_no_memory(r);
        }
        if (list->count) {
            memcpy(items, list->items, list->count * size);
        }
        list->items = items;
        list->capacity = capacity;
    }
    memcpy((uint8_t *)list->items + list->count * size, item, size);
    list->count++;
    return true;
}

// Also an empty list, whose pointer is NULL.
void hoist_text_store_list(void *row, const hoist_field *field, const hoist_text_list *list)
{
    hoist_text_store(row, field->offset, &list->items, sizeof list->items);
    hoist_text_store(row, field->also, &list->count, sizeof list->count);
}

// After an item: true when another one follows. The closing bracket is taken.
// False also when neither a comma nor a bracket is there, which is reported.
bool hoist_text_list_goes_on(hoist_text_reader *r)
{
    if (hoist_text_is_mark(r, ',')) {
        (void)hoist_text_take(r);
        return true;
    }
    (void)hoist_text_want_mark(r, ']');
    return false;
}

// The opening bracket; false when the list is empty (then it is taken whole) or not there.
bool hoist_text_list_begins(hoist_text_reader *r)
{
    if (!hoist_text_want_mark(r, '[')) {
        return false;
    }
    if (hoist_text_is_mark(r, ']')) {
        (void)hoist_text_take(r);
        return false;
    }
    return true;
}

// Numbers ----------------------------------------------------------------------------------------

// Decimal, or hexadecimal after 0x; no sign, no blanks. False: anything else, or beyond 64
// bits.
bool hoist_text_to_u64(hoist_str s, uint64_t *out)
{
    const bool hex = s.size > 2 && s.data[0] == '0' && s.data[1] == 'x';
    const unsigned base = hex ? 16 : 10;
    *out = 0;
    for (size_t i = hex ? 2 : 0; i < s.size; i++) {
        const char c = s.data[i];
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                      : 16;
        if (digit >= base || hoist_ckd_mul(out, *out, base) || hoist_ckd_add(out, *out, digit)) {
            return false;
        }
    }
    return s.size > 0;
}

// `max` is that of 32 or 64 bits, which the message names.
bool hoist_text_u64(hoist_text_reader *r, uint64_t max, uint64_t *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !hoist_text_to_u64(r->token.text, out) || *out > max) {
        return hoist_text_unexpected(r, max == UINT64_MAX ? "a number, 0 or more"
                                                          : "a number from 0 to 4294967295");
    }
    (void)hoist_text_take(r);
    return true;
}

// Decimal only: hexadecimal is for addresses.
bool hoist_text_i64(hoist_text_reader *r, int64_t *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !hoist_str_to_i64(r->token.text, false, out)) {
        return hoist_text_unexpected(r, "a number");
    }
    (void)hoist_text_take(r);
    return true;
}

// inf, nan with its bits, or a decimal; of float when `single`.
// Infinity only as the word: a decimal that overflows is a mistake.
static bool to_number(hoist_str s, bool single, double *out)
{
    uint64_t bits = 0;
    if (hoist_str_equal_c(s, "inf") || hoist_str_equal_c(s, "-inf")) {
        *out = s.data[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    if (hoist_str_starts_with(s, "nan_")) {
        char text[24] = "0x";
        // At most 64 bits of payload.
        if (s.size - 4 > 16 || s.size == 4) {
            return false;
        }
        memcpy(text + 2, s.data + 4, s.size - 4);
        if (!hoist_text_to_u64(hoist_str_from(text), &bits)) {
            return false;
        }
        // A float's payload goes through here as bits, see read_float.
        memcpy(out, &bits, sizeof bits);
        return isnan(*out) || (single && bits <= UINT32_MAX);
    }
    return hoist_str_to_f64(s, out) && isfinite(single ? (double)(float)*out : *out);
}

// The payload of a NaN is given by its bits, as arithmetic would not keep it.
bool hoist_text_float(hoist_text_reader *r, float *out)
{
    double number = 0;
    if (r->token.kind != HOIST_TOKEN_WORD || !to_number(r->token.text, true, &number)) {
        return hoist_text_unexpected(r, "a number that a float32 can hold");
    }
    *out = (float)number;
    if (hoist_str_starts_with(r->token.text, "nan_")) {
        uint64_t bits = 0;
        memcpy(&bits, &number, sizeof bits);
        const uint32_t low = (uint32_t)bits;
        memcpy(out, &low, sizeof low);
        if (!isnan(*out)) {
            return hoist_text_unexpected(r, "the bits of a NaN");
        }
    }
    (void)hoist_text_take(r);
    return true;
}

// A double's NaN has 64 bits of its own.
bool hoist_text_double(hoist_text_reader *r, double *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !to_number(r->token.text, false, out)) {
        return hoist_text_unexpected(r, "a number");
    }
    (void)hoist_text_take(r);
    return true;
}

bool hoist_text_i64s(hoist_text_reader *r, int64_t out[HOIST_MAX_RANK], uint32_t *out_count)
{
    *out_count = 0;
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        if (*out_count == HOIST_MAX_RANK) {
            return hoist_text_unexpected(r, "at most 8 dimensions");
        }
        if (!hoist_text_i64(r, &out[*out_count])) {
            return false;
        }
        (*out_count)++;
    }
    return !r->line_failed;
}

// 7, 0..31 or -1x4.
// A range or repetition counts against the limit item by item.
static bool read_run(hoist_text_reader *r, hoist_text_list *list)
{
    const hoist_str s = r->token.text;
    size_t cut = 0;
    // The lexer gives "0..31" and "-1x4" as one word.
    while (cut < s.size && s.data[cut] != 'x' && s.data[cut] != '.') {
        cut++;
    }
    const bool times = cut < s.size && s.data[cut] == 'x';
    const bool range = cut + 1 < s.size && s.data[cut] == '.' && s.data[cut + 1] == '.';
    int64_t first = 0;
    int64_t last = 0;
    if (r->token.kind != HOIST_TOKEN_WORD ||
        !hoist_str_to_i64(hoist_str_slice(s, 0, cut), false, &first)) {
        return hoist_text_unexpected(r, "a number, a range 0..31 or a repetition -1x4");
    }
    last = times ? 1 : first;
    const hoist_str rest = hoist_str_slice(s, cut + (range ? 2 : 1), s.size);
    if ((cut < s.size && !times && !range) ||
        ((times || range) && !hoist_str_to_i64(rest, false, &last)) || first < INT32_MIN ||
        // The count of a repetition has to be 1 or more, the end of a range at or above its
        // begin.
        first > INT32_MAX || last > INT32_MAX ||
        last < (range   ? first
                : times ? 1
                        : INT32_MIN)) {
        return hoist_text_unexpected(r, "a number, a range 0..31 or a repetition -1x4");
    }
    for (int64_t i = times ? 1 : first; i <= last; i++) {
        const int32_t item = (int32_t)(times ? first : i);
        if (!hoist_text_push(r, list, &item, sizeof item)) {
            return false;
        }
    }
    (void)hoist_text_take(r);
    return true;
}

bool hoist_text_ints(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_text_list list = {.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        if (!read_run(r, &list)) {
            return false;
        }
    }
    hoist_text_store_list(row, field, &list);
    return !r->line_failed;
}

bool hoist_text_axes(hoist_text_reader *r, const hoist_field *field, void *row)
{
    int64_t numbers[HOIST_MAX_RANK] = {0};
    uint8_t axes[HOIST_MAX_RANK] = {0};
    uint32_t count = 0;
    if (!hoist_text_i64s(r, numbers, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        // That they are a permutation the verifier checks.
        if (numbers[i] < 0 || numbers[i] >= HOIST_MAX_RANK) {
            return hoist_text_unexpected(r, "axes from 0 to 7 before it");
        }
        axes[i] = (uint8_t)numbers[i];
    }
    hoist_text_store(row, field->offset, axes, sizeof axes);
    hoist_text_store(row, field->also, &count, sizeof count);
    return true;
}

// An even number of lower-case hexadecimal digits.
// One token of any length: constants of megabytes are one line.
bool hoist_text_bytes(hoist_text_reader *r, hoist_bytes *out)
{
    const hoist_str s = r->token.text;
    if (r->token.kind != HOIST_TOKEN_WORD || s.size % 2 != 0) {
        return hoist_text_unexpected(r, "bytes as pairs of hexadecimal digits");
    }
    uint8_t *data = hoist_arena_alloc(&r->line, s.size / 2);
    if (!data) {
        return hoist_text_no_memory(r);
    }
    for (size_t i = 0; i < s.size; i++) {
        const char c = s.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return hoist_text_unexpected(r, "bytes as pairs of hexadecimal digits");
        }
        const unsigned digit = (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        data[i / 2] = (uint8_t)((unsigned)data[i / 2] << 4 | digit);
    }
    *out = (hoist_bytes){data, s.size / 2};
    (void)hoist_text_take(r);
    return true;
}

// "2x4".
bool hoist_text_pair(hoist_text_reader *r, uint32_t out[2])
{
    const hoist_str s = r->token.text;
    size_t cut = 0;
    while (cut < s.size && s.data[cut] != 'x') {
        cut++;
    }
    uint64_t a = 0;
    uint64_t b = 0;
    if (r->token.kind != HOIST_TOKEN_WORD || !hoist_text_to_u64(hoist_str_slice(s, 0, cut), &a) ||
        !hoist_text_to_u64(hoist_str_slice(s, cut + 1, s.size), &b) || a > UINT32_MAX ||
        b > UINT32_MAX) {
        return hoist_text_unexpected(r, "two numbers like 2x4");
    }
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    (void)hoist_text_take(r);
    return true;
}
