// program/read_fields.c - the operands of one line of the text form, as fields.h lists them.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/reader.h"

// What one text may write as list items: a run of a few bytes can stand for billions of them.
#define MAX_ITEMS (UINT64_C(1) << 24)

// A list that grows in the line's arena.
typedef struct text_list {
    void *items;
    uint32_t count;
    uint32_t capacity;
} text_list;

static void store(void *row, size_t offset, const void *value, size_t size)
{
    memcpy((uint8_t *)row + offset, value, size);
}

static bool push(hoist_text_reader *r, text_list *list, const void *item, size_t size)
{
    if (++r->items > MAX_ITEMS) {
        r->status = HOIST_LIMIT;
        return hoist_text_fail(r, HOIST_PRG_908, r->token.pos,
                               "the lists of the text have more than %" PRIu64 " items", MAX_ITEMS);
    }
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 8;
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

static void store_list(void *row, const hoist_field *field, const text_list *list)
{
    store(row, field->offset, &list->items, sizeof list->items);
    store(row, field->also, &list->count, sizeof list->count);
}

// After an item: true when another one follows. The closing bracket is taken.
static bool list_goes_on(hoist_text_reader *r)
{
    if (hoist_text_is_mark(r, ',')) {
        (void)hoist_text_take(r);
        return true;
    }
    (void)hoist_text_want_mark(r, ']');
    return false;
}

// The opening bracket; false when the list is empty (then it is taken whole) or not there.
static bool list_begins(hoist_text_reader *r)
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

static bool to_u64(hoist_str s, uint64_t *out)
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

static bool read_u64(hoist_text_reader *r, uint64_t max, uint64_t *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !to_u64(r->token.text, out) || *out > max) {
        return hoist_text_unexpected(r, max == UINT64_MAX ? "a number, 0 or more"
                                                          : "a number from 0 to 4294967295");
    }
    (void)hoist_text_take(r);
    return true;
}

static bool read_i64(hoist_text_reader *r, int64_t *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !hoist_str_to_i64(r->token.text, false, out)) {
        return hoist_text_unexpected(r, "a number");
    }
    (void)hoist_text_take(r);
    return true;
}

// inf, nan with its bits, or a decimal; of float when `single`.
static bool to_number(hoist_str s, bool single, double *out)
{
    uint64_t bits = 0;
    if (hoist_str_equal_c(s, "inf") || hoist_str_equal_c(s, "-inf")) {
        *out = s.data[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    if (hoist_str_starts_with(s, "nan_")) {
        char text[24] = "0x";
        if (s.size - 4 > 16 || s.size == 4) {
            return false;
        }
        memcpy(text + 2, s.data + 4, s.size - 4);
        if (!to_u64(hoist_str_from(text), &bits)) {
            return false;
        }
        // A float's payload goes through here as bits, see read_float.
        memcpy(out, &bits, sizeof bits);
        return isnan(*out) || (single && bits <= UINT32_MAX);
    }
    return hoist_str_to_f64(s, out) && isfinite(single ? (double)(float)*out : *out);
}

static bool read_float(hoist_text_reader *r, float *out)
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

static bool read_double(hoist_text_reader *r, double *out)
{
    if (r->token.kind != HOIST_TOKEN_WORD || !to_number(r->token.text, false, out)) {
        return hoist_text_unexpected(r, "a number");
    }
    (void)hoist_text_take(r);
    return true;
}

// Names ------------------------------------------------------------------------------------------

static bool is_name(const hoist_text_reader *r)
{
    const hoist_token *t = &r->token;
    return t->kind == HOIST_TOKEN_NAME ||
           (t->kind == HOIST_TOKEN_WORD && t->text.data[0] != '-' && t->text.data[0] != '.' &&
            t->text.data[0] != '/' && (t->text.data[0] < '0' || t->text.data[0] > '9'));
}

// @N: a row by its number, whether or not there is one.
static bool raw_ref(const hoist_text_reader *r, uint32_t *out)
{
    uint64_t number = 0;
    const hoist_str text = r->token.text;
    if (r->token.kind != HOIST_TOKEN_WORD || text.data[0] != '@' ||
        !to_u64(hoist_str_slice(text, 1, text.size), &number) || number > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool read_ref_in(hoist_text_reader *r, hoist_text_key key, hoist_ref *out)
{
    const char *table = hoist_name_table_text((hoist_name_table)key.table);
    if (raw_ref(r, out)) {
        (void)hoist_text_take(r);
        return true;
    }
    if (!is_name(r)) {
        return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "the name of a %s is missing here",
                               table);
    }
    const hoist_token token = hoist_text_take(r);
    if (!hoist_text_find_name(r, key, token.text, out)) {
        return hoist_text_fail(r, HOIST_PRG_903, token.pos, "no %s is called '%.*s'", table,
                               HOIST_STR_ARGS(token.text));
    }
    return true;
}

static hoist_text_key key_of(const hoist_text_reader *r, hoist_name_table table)
{
    const bool local = table == HOIST_NAMES_PARAMETER || table == HOIST_NAMES_REGISTER;
    return (hoist_text_key){.table = table,
                            .scope = local ? r->scope : HOIST_SCOPE_TOP,
                            .row = local ? r->scope_row : 0};
}

static bool read_ref(hoist_text_reader *r, hoist_name_table table, hoist_ref *out)
{
    return read_ref_in(r, key_of(r, table), out);
}

static bool read_value(hoist_text_reader *r, hoist_prog_value *out)
{
    *out = (hoist_prog_value){.reg = HOIST_NO_REF};
    if (r->token.kind == HOIST_TOKEN_NAME || (is_name(r) && r->token.kind == HOIST_TOKEN_WORD)) {
        return read_ref(r, HOIST_NAMES_REGISTER, &out->reg);
    }
    return read_i64(r, &out->number);
}

static bool read_choice(hoist_text_reader *r, const hoist_words *words, uint32_t *out)
{
    for (uint32_t i = 0; r->token.kind != HOIST_TOKEN_NAME && i < words->count; i++) {
        if (hoist_str_equal_c(r->token.text, words->names[i])) {
            *out = i;
            (void)hoist_text_take(r);
            return true;
        }
    }
    return hoist_text_unexpected(r, words->what);
}

static bool read_step(hoist_text_reader *r, uint32_t *out)
{
    uint64_t number = 0;
    if (!is_name(r)) {
        const bool ok = read_u64(r, UINT32_MAX, &number);
        *out = (uint32_t)number;
        return ok;
    }
    const hoist_token token = hoist_text_take(r);
    hoist_text_key key = {.table = HOIST_NAMES_LABEL, .scope = r->scope, .row = r->scope_row};
    if (!hoist_text_find_name(r, key, token.text, out)) {
        return hoist_text_fail(r, HOIST_PRG_903, token.pos, "no step here has the label '%.*s'",
                               HOIST_STR_ARGS(token.text));
    }
    key.table = HOIST_NAMES_LABEL_TWICE;
    uint32_t other = 0;
    if (hoist_text_find_name(r, key, token.text, &other)) {
        return hoist_text_fail(r, HOIST_PRG_904, token.pos,
                               "steps %" PRIu32 " and %" PRIu32 " both have the label '%.*s'", *out,
                               other, HOIST_STR_ARGS(token.text));
    }
    return true;
}

// Lists ------------------------------------------------------------------------------------------

static bool read_i64s(hoist_text_reader *r, int64_t out[HOIST_MAX_RANK], uint32_t *out_count)
{
    *out_count = 0;
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        if (*out_count == HOIST_MAX_RANK) {
            return hoist_text_unexpected(r, "at most 8 dimensions");
        }
        if (!read_i64(r, &out[*out_count])) {
            return false;
        }
        (*out_count)++;
    }
    return !r->line_failed;
}

// 7, 0..31 or -1x4.
static bool read_run(hoist_text_reader *r, text_list *list)
{
    const hoist_str s = r->token.text;
    size_t cut = 0;
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
        first > INT32_MAX || last > INT32_MAX ||
        last < (range   ? first
                : times ? 1
                        : INT32_MIN)) {
        return hoist_text_unexpected(r, "a number, a range 0..31 or a repetition -1x4");
    }
    for (int64_t i = times ? 1 : first; i <= last; i++) {
        const int32_t item = (int32_t)(times ? first : i);
        if (!push(r, list, &item, sizeof item)) {
            return false;
        }
    }
    (void)hoist_text_take(r);
    return true;
}

static bool read_ints(hoist_text_reader *r, const hoist_field *field, void *row)
{
    text_list list = {.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        if (!read_run(r, &list)) {
            return false;
        }
    }
    store_list(row, field, &list);
    return !r->line_failed;
}

static bool read_refs(hoist_text_reader *r, hoist_name_table table, text_list *list)
{
    *list = (text_list){.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        hoist_ref ref = HOIST_NO_REF;
        if (!read_ref(r, table, &ref) || !push(r, list, &ref, sizeof ref)) {
            return false;
        }
    }
    return !r->line_failed;
}

static bool read_axes(hoist_text_reader *r, const hoist_field *field, void *row)
{
    int64_t numbers[HOIST_MAX_RANK] = {0};
    uint8_t axes[HOIST_MAX_RANK] = {0};
    uint32_t count = 0;
    if (!read_i64s(r, numbers, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] < 0 || numbers[i] > UINT8_MAX) {
            return hoist_text_unexpected(r, "axes from 0 to 7 before it");
        }
        axes[i] = (uint8_t)numbers[i];
    }
    store(row, field->offset, axes, sizeof axes);
    store(row, field->also, &count, sizeof count);
    return true;
}

// An even number of lower-case hexadecimal digits.
static bool read_bytes(hoist_text_reader *r, hoist_bytes *out)
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

static bool read_pair(hoist_text_reader *r, uint32_t out[2])
{
    const hoist_str s = r->token.text;
    size_t cut = 0;
    while (cut < s.size && s.data[cut] != 'x') {
        cut++;
    }
    uint64_t a = 0;
    uint64_t b = 0;
    if (r->token.kind != HOIST_TOKEN_WORD || !to_u64(hoist_str_slice(s, 0, cut), &a) ||
        !to_u64(hoist_str_slice(s, cut + 1, s.size), &b) || a > UINT32_MAX || b > UINT32_MAX) {
        return hoist_text_unexpected(r, "two numbers like 2x4");
    }
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    (void)hoist_text_take(r);
    return true;
}

// Types and views --------------------------------------------------------------------------------

static bool read_dtype(hoist_text_reader *r, hoist_dtype *out)
{
    *out = r->token.kind == HOIST_TOKEN_WORD ? hoist_dtype_find(r->token.text) : HOIST_DTYPE_NONE;
    if (*out == HOIST_DTYPE_NONE &&
        !hoist_text_is_word(r, hoist_dtype_get(HOIST_DTYPE_NONE)->name)) {
        return hoist_text_unexpected(r, "an element type");
    }
    (void)hoist_text_take(r);
    return true;
}

static bool read_strided(hoist_text_reader *r, hoist_dtype dtype, hoist_prog_layout *layout)
{
    uint32_t rank = 0;
    layout->kind = HOIST_LAYOUT_STRIDED;
    if (!read_i64s(r, layout->shape.dim, &rank)) {
        return false;
    }
    layout->shape.rank = (int)rank;
    if (hoist_text_is_word(r, "by")) {
        (void)hoist_text_take(r);
        uint32_t strides = 0;
        if (!read_i64s(r, layout->stride, &strides)) {
            return false;
        }
        return strides == rank || hoist_text_unexpected(r, "as many strides as dimensions");
    }
    return hoist_layout_dense(&layout->shape, dtype, layout->stride) ||
           hoist_text_unexpected(r, "`by` and strides, which this shape does not imply,");
}

// f32[4, 4] by [16, 4], bf16 tiled(t 2), f32 @7.
static bool read_type(hoist_text_reader *r, hoist_dtype *out_dtype, hoist_ref *out_layout)
{
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_TILED};
    if (!read_dtype(r, out_dtype)) {
        return false;
    }
    if (raw_ref(r, out_layout)) {
        (void)hoist_text_take(r);
        return true;
    }
    if (hoist_text_is_mark(r, '[')) {
        if (!read_strided(r, *out_dtype, &layout)) {
            return false;
        }
    } else if (hoist_text_is_word(r, hoist_tiling_record()->keyword)) {
        (void)hoist_text_take(r);
        if (!hoist_text_want_mark(r, '(') ||
            !hoist_text_fields(r, hoist_tiling_record(), &layout) ||
            !hoist_text_want_mark(r, ')')) {
            return false;
        }
    } else {
        return hoist_text_unexpected(r, "a shape in brackets or `tiled(...)`");
    }
    *out_layout = hoist_builder_layout(r->b, &layout);
    return true;
}

// What the view is of; `*is_raw` when it is view(@N), which is then the view itself.
static bool read_base(hoist_text_reader *r, hoist_prog_view *view, bool *is_raw, hoist_ref *out_raw)
{
    *is_raw = false;
    const hoist_lexer before = r->lexer;
    const hoist_token first = r->token;
    (void)hoist_text_take(r);
    const bool wrapped = first.kind == HOIST_TOKEN_WORD && hoist_text_is_mark(r, '(');
    if (!wrapped) {
        r->lexer = before;
        r->token = first;
        return read_ref(r, hoist_view_base_get(HOIST_VIEW_BUFFER)->table, &view->of);
    }
    (void)hoist_text_take(r);
    if (hoist_str_equal_c(first.text, "view") && raw_ref(r, out_raw)) {
        *is_raw = true;
        (void)hoist_text_take(r);
        return hoist_text_want_mark(r, ')');
    }
    for (uint32_t i = 0; i < HOIST_VIEW_BASE_COUNT; i++) {
        const hoist_view_base_row *base = hoist_view_base_get((hoist_view_base)i);
        if (base->word && hoist_str_equal_c(first.text, base->word)) {
            view->base = (hoist_view_base)i;
            return read_ref(r, base->table, &view->of) && hoist_text_want_mark(r, ')');
        }
    }
    return hoist_text_fail(r, HOIST_PRG_905, first.pos, "'%.*s(' begins no view",
                           HOIST_STR_ARGS(first.text));
}

static bool read_view(hoist_text_reader *r, hoist_ref *out)
{
    hoist_prog_view view = {.base = HOIST_VIEW_BUFFER, .reg = HOIST_NO_REF};
    bool is_raw = false;
    if (!read_base(r, &view, &is_raw, out) || is_raw) {
        return !r->line_failed;
    }
    if (!read_type(r, &view.dtype, &view.layout)) {
        return false;
    }
    while (hoist_text_is_mark(r, '+') && view.reg == HOIST_NO_REF) {
        (void)hoist_text_take(r);
        if (!is_name(r)) {
            if (!read_i64(r, &view.offset)) {
                return false;
            }
        } else if (!read_ref(r, HOIST_NAMES_REGISTER, &view.reg) || !hoist_text_want_mark(r, '*') ||
                   !read_i64(r, &view.reg_factor)) {
            return false;
        }
    }
    *out = hoist_builder_view(r->b, &view);
    return true;
}

static bool read_views(hoist_text_reader *r, const hoist_field *field, void *row)
{
    text_list list = {.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        hoist_ref view = HOIST_NO_REF;
        if (!read_view(r, &view) || !push(r, &list, &view, sizeof view)) {
            return false;
        }
    }
    store_list(row, field, &list);
    return !r->line_failed;
}

// Calls, signals, sources ------------------------------------------------------------------------

static bool read_target(hoist_text_reader *r, hoist_prog_target *target)
{
    if (!hoist_text_is_mark(r, '[')) {
        return read_ref(r, HOIST_NAMES_FUNCTION, &target->function);
    }
    text_list list;
    if (!read_refs(r, HOIST_NAMES_FUNCTION, &list)) {
        return false;
    }
    if (!hoist_text_is_word(r, "at")) {
        return hoist_text_unexpected(r, "`at` and the index of the function");
    }
    (void)hoist_text_take(r);
    target->table = list.items;
    target->table_count = list.count;
    return read_value(r, &target->index);
}

// A number, a register, or a view: that has more behind its name.
static bool read_argument(hoist_text_reader *r, hoist_prog_argument *out)
{
    *out = (hoist_prog_argument){.value.reg = HOIST_NO_REF, .view = HOIST_NO_REF};
    if (!is_name(r)) {
        return read_i64(r, &out->value.number);
    }
    const hoist_lexer before = r->lexer;
    const hoist_token first = r->token;
    (void)hoist_text_take(r);
    out->is_view = !hoist_text_is_mark(r, ',') && !hoist_text_is_mark(r, ']');
    r->lexer = before;
    r->token = first;
    return out->is_view ? read_view(r, &out->view)
                        : read_ref(r, HOIST_NAMES_REGISTER, &out->value.reg);
}

static bool read_arguments(hoist_text_reader *r, const hoist_field *field, void *row)
{
    text_list list = {.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        hoist_prog_argument argument;
        if (!read_argument(r, &argument) || !push(r, &list, &argument, sizeof argument)) {
            return false;
        }
    }
    store_list(row, field, &list);
    return !r->line_failed;
}

static bool read_signals(hoist_text_reader *r, const hoist_field *field, void *row)
{
    text_list list = {.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        hoist_prog_signal item;
        memset(&item, 0, sizeof item);
        if (!hoist_text_fields(r, hoist_step_record(HOIST_STEP_SIGNAL), &item) ||
            !push(r, &list, &item, sizeof item)) {
            return false;
        }
    }
    store_list(row, field, &list);
    return !r->line_failed;
}

static bool read_sources(hoist_text_reader *r, const hoist_field *field, hoist_prog_move *move)
{
    text_list list = {.items = NULL};
    for (bool more = list_begins(r); more; more = list_goes_on(r)) {
        hoist_move_source item = {.view = HOIST_NO_REF, .scale = 1};
        if (!read_view(r, &item.view)) {
            return false;
        }
        if (move->op == HOIST_MOVE_FMA && hoist_text_is_word(r, "scale")) {
            (void)hoist_text_take(r);
            if (!read_float(r, &item.scale)) {
                return false;
            }
        }
        if (!push(r, &list, &item, sizeof item)) {
            return false;
        }
    }
    store_list(move, field, &list);
    return !r->line_failed;
}

// An attribute of `def`: name and value.
static bool read_attr(hoist_text_reader *r, const hoist_compute_def *def,
                      hoist_compute_attrs *attrs)
{
    for (uint8_t i = 0; r->token.kind == HOIST_TOKEN_WORD && i < def->attr_count; i++) {
        if (!hoist_str_equal_c(r->token.text, def->attrs[i].name)) {
            continue;
        }
        (void)hoist_text_take(r);
        switch (def->attrs[i].kind) {
        case HOIST_COMPUTE_INT:
            return read_i64(r, &attrs->value[i].integer);
        case HOIST_COMPUTE_FLOAT:
            return read_float(r, &attrs->value[i].number);
        case HOIST_COMPUTE_DTYPE:
            return read_dtype(r, &attrs->value[i].dtype);
        }
    }
    return hoist_text_unexpected(r, "an attribute of the operation");
}

// Attributes that are not written are zero.
static bool read_compute(hoist_text_reader *r, hoist_compute_op *out_op, hoist_compute_attrs *attrs)
{
    memset(attrs, 0, sizeof *attrs);
    *out_op =
        r->token.kind == HOIST_TOKEN_WORD ? hoist_compute_find(r->token.text) : HOIST_COMPUTE_COUNT;
    if (*out_op == HOIST_COMPUTE_COUNT) {
        return hoist_text_unexpected(r, "an operation like golden.exp");
    }
    (void)hoist_text_take(r);
    if (!hoist_text_is_mark(r, '(')) {
        return true;
    }
    do {
        (void)hoist_text_take(r);
        if (!read_attr(r, hoist_compute_get(*out_op), attrs)) {
            return false;
        }
    } while (hoist_text_is_mark(r, ','));
    return hoist_text_want_mark(r, ')');
}

// Operands ---------------------------------------------------------------------------------------

static bool read_integer(hoist_text_reader *r, const hoist_field *field, void *row)
{
    uint64_t wide = 0;
    int64_t integer = 0;
    uint32_t narrow = 0;
    bool ok = false;
    switch (field->type) {
    case HOIST_FIELD_U32:
        ok = read_u64(r, UINT32_MAX, &wide);
        narrow = (uint32_t)wide;
        store(row, field->offset, &narrow, sizeof narrow);
        return ok;
    case HOIST_FIELD_STEP:
        ok = read_step(r, &narrow);
        store(row, field->offset, &narrow, sizeof narrow);
        return ok;
    case HOIST_FIELD_I64:
        ok = read_i64(r, &integer);
        store(row, field->offset, &integer, sizeof integer);
        return ok;
    default:
        ok = read_u64(r, UINT64_MAX, &wide);
        store(row, field->offset, &wide, sizeof wide);
        return ok;
    }
}

static bool read_name(hoist_text_reader *r, hoist_str *out)
{
    if (!is_name(r) || (r->token.kind == HOIST_TOKEN_WORD && r->token.text.data[0] == '@')) {
        return hoist_text_unexpected(r, "a name");
    }
    *out = hoist_text_take(r).text;
    return true;
}

// An operand that has a word only when it is there: the bool beside it is set.
static bool read_present(hoist_text_reader *r, const hoist_field *field, void *row)
{
    const bool present = true;
    double number = 0;
    if (field->type == HOIST_FIELD_FLAG) {
        store(row, field->offset, &present, sizeof present);
        return true;
    }
    store(row, field->also, &present, sizeof present);
    if (field->type == HOIST_FIELD_ADDRESS) {
        return read_integer(r, field, row);
    }
    const bool ok = read_double(r, &number);
    store(row, field->offset, &number, sizeof number);
    return ok;
}

static bool read_shape(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_shape shape = {.rank = 0};
    uint32_t rank = 0;
    const bool ok = read_i64s(r, shape.dim, &rank);
    shape.rank = (int)rank;
    store(row, field->offset, &shape, sizeof shape);
    return ok;
}

static bool read_small(hoist_text_reader *r, const hoist_field *field, void *row)
{
    void *at = (uint8_t *)row + field->offset;
    hoist_prog_value value;
    hoist_bytes bytes = {NULL, 0};
    hoist_str name = {NULL, 0};
    float single = 0;
    uint32_t pair[2] = {0, 0};
    bool ok = false;
    switch (field->type) {
    case HOIST_FIELD_NAME:
        ok = read_name(r, &name);
        memcpy(at, &name, sizeof name);
        return ok;
    case HOIST_FIELD_FLOAT:
        ok = read_float(r, &single);
        memcpy(at, &single, sizeof single);
        return ok;
    case HOIST_FIELD_CHOICE:
        ok = read_choice(r, field->words, &pair[0]);
        memcpy(at, pair, sizeof pair[0]);
        return ok;
    case HOIST_FIELD_PAIR:
        ok = read_pair(r, pair);
        memcpy(at, pair, sizeof pair);
        return ok;
    case HOIST_FIELD_VALUE:
        ok = read_value(r, &value);
        memcpy(at, &value, sizeof value);
        return ok;
    case HOIST_FIELD_BYTES:
        ok = read_bytes(r, &bytes);
        memcpy(at, &bytes, sizeof bytes);
        return ok;
    default:
        return read_integer(r, field, row);
    }
}

// Registers that an entry names are those of the thread that it has named just before.
static bool read_register(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_ref ref = HOIST_NO_REF;
    hoist_text_key key = key_of(r, field->table);
    if (r->scope == HOIST_SCOPE_ENTRY && field->table == HOIST_NAMES_REGISTER) {
        key.scope = HOIST_SCOPE_THREAD;
        key.row = ((const hoist_prog_entry_parameter *)row)->thread;
    }
    const bool ok = read_ref_in(r, key, &ref);
    store(row, field->offset, &ref, sizeof ref);
    return ok;
}

static bool read_type_field(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_dtype dtype = HOIST_DTYPE_NONE;
    hoist_ref layout = HOIST_NO_REF;
    const bool ok = read_type(r, &dtype, &layout);
    store(row, field->offset, &dtype, sizeof dtype);
    store(row, field->also, &layout, sizeof layout);
    return ok;
}

static bool read_operand(hoist_text_reader *r, const hoist_field *field, void *row)
{
    uint8_t *at = (uint8_t *)row + field->offset;
    hoist_ref ref = HOIST_NO_REF;
    text_list list;
    hoist_prog_target target;
    hoist_compute_attrs attrs;
    hoist_compute_op op = HOIST_COMPUTE_COUNT;
    bool ok = false;
    switch (field->type) {
    case HOIST_FIELD_FLAG:
    case HOIST_FIELD_ADDRESS:
    case HOIST_FIELD_DOUBLE:
        return read_present(r, field, row);
    case HOIST_FIELD_REF:
        return read_register(r, field, row);
    case HOIST_FIELD_REFS:
        ok = read_refs(r, field->table, &list);
        store_list(row, field, &list);
        return ok;
    case HOIST_FIELD_TYPE:
        return read_type_field(r, field, row);
    case HOIST_FIELD_VIEW:
        ok = read_view(r, &ref);
        memcpy(at, &ref, sizeof ref);
        return ok;
    case HOIST_FIELD_VIEWS:
        return read_views(r, field, row);
    case HOIST_FIELD_TARGET:
        memcpy(&target, at, sizeof target);
        ok = read_target(r, &target);
        memcpy(at, &target, sizeof target);
        return ok;
    case HOIST_FIELD_ARGUMENTS:
        return read_arguments(r, field, row);
    case HOIST_FIELD_SIGNALS:
        return read_signals(r, field, row);
    case HOIST_FIELD_SOURCES:
        return read_sources(r, field, row);
    case HOIST_FIELD_INTS:
        return read_ints(r, field, row);
    case HOIST_FIELD_AXES:
        return read_axes(r, field, row);
    case HOIST_FIELD_SHAPE:
        return read_shape(r, field, row);
    case HOIST_FIELD_COMPUTE:
        ok = read_compute(r, &op, &attrs);
        memcpy(at, &op, sizeof op);
        store(row, field->also, &attrs, sizeof attrs);
        return ok;
    default:
        return read_small(r, field, row);
    }
}

// What a field holds when nothing is written; `row` is cleared.
static void store_usual(const hoist_field *field, void *row)
{
    const hoist_ref none = HOIST_NO_REF;
    const hoist_prog_value zero = {.reg = HOIST_NO_REF};
    const hoist_prog_target target = {.function = HOIST_NO_REF, .index.reg = HOIST_NO_REF};
    const uint32_t low = (uint32_t)field->usual;
    const uint32_t pair[2] = {(uint32_t)((uint64_t)field->usual >> 32), low};
    switch (field->type) {
    case HOIST_FIELD_REF:
    case HOIST_FIELD_VIEW:
        store(row, field->offset, &none, sizeof none);
        break;
    case HOIST_FIELD_TYPE:
        store(row, field->also, &none, sizeof none);
        break;
    case HOIST_FIELD_VALUE:
        store(row, field->offset, &zero, sizeof zero);
        break;
    case HOIST_FIELD_TARGET:
        store(row, field->offset, &target, sizeof target);
        break;
    case HOIST_FIELD_U32:
    case HOIST_FIELD_CHOICE:
        store(row, field->offset, &low, sizeof low);
        break;
    case HOIST_FIELD_U64:
    case HOIST_FIELD_I64:
        store(row, field->offset, &field->usual, sizeof field->usual);
        break;
    case HOIST_FIELD_PAIR:
        store(row, field->offset, pair, sizeof pair);
        break;
    default:
        break;
    }
}

bool hoist_text_fields(hoist_text_reader *r, const hoist_record *record, void *row)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        store_usual(&record->fields[i], row);
    }
    for (uint32_t i = 0; i < record->field_count; i++) {
        const hoist_field *field = &record->fields[i];
        if (field->used && !field->used(row)) {
            continue;
        }
        if (field->word) {
            const bool there =
                r->token.kind != HOIST_TOKEN_NAME && hoist_str_equal_c(r->token.text, field->word);
            if (!there && field->optional) {
                continue;
            }
            if (!there) {
                return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "'%s' is missing here",
                                       field->word);
            }
            (void)hoist_text_take(r);
        }
        if (!read_operand(r, field, row)) {
            return false;
        }
    }
    return true;
}
