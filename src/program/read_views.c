// program/read_views.c - element types, layouts and views in the text form.
#include "base/span.h"
#include "program/read_operands.h"

// Types and views --------------------------------------------------------------------------------

// HOIST_DTYPE_NONE has a spelling as well, for programs that do not verify.
bool hoist_text_dtype(hoist_text_reader *r, hoist_dtype *out)
{
    *out = r->token.kind == HOIST_TOKEN_WORD ? hoist_dtype_find(r->token.text) : HOIST_DTYPE_NONE;
    if (*out == HOIST_DTYPE_NONE &&
        !hoist_text_is_word(r, hoist_dtype_get(HOIST_DTYPE_NONE)->name)) {
        return hoist_text_unexpected(r, "an element type");
    }
    (void)hoist_text_take(r);
    return true;
}

// [4, 4] by [32, 4]: strides in bytes.
static bool read_strided(hoist_text_reader *r, hoist_dtype dtype, hoist_prog_layout *layout)
{
    uint32_t rank = 0;
    layout->kind = HOIST_LAYOUT_STRIDED;
    if (!hoist_text_i64s(r, layout->shape.dim, &rank)) {
        return false;
    }
    layout->shape.rank = (int)rank;
    if (hoist_text_is_word(r, "by")) {
        (void)hoist_text_take(r);
        uint32_t strides = 0;
        if (!hoist_text_i64s(r, layout->stride, &strides)) {
            return false;
        }
        return strides == rank || hoist_text_unexpected(r, "as many strides as dimensions");
    }
    // Without `by` strides are those of a dense array, which an odd shape may not have.
    return hoist_layout_dense(&layout->shape, dtype, layout->stride) ||
           hoist_text_unexpected(r, "`by` and strides, which this shape does not imply,");
}

// f32[4, 4] by [16, 4], bf16 tiled(t 2), f32 @7.
bool hoist_text_type(hoist_text_reader *r, hoist_dtype *out_dtype, hoist_ref *out_layout)
{
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_TILED};
    if (!hoist_text_dtype(r, out_dtype)) {
        return false;
    }
    if (hoist_text_raw_ref(r, out_layout)) {
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
            !hoist_text_record(r, hoist_tiling_record(), hoist_text_scalar, &layout) ||
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
// One token of lookahead tells a name from "read(".
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
        return hoist_text_ref(r, hoist_view_base_get(HOIST_VIEW_BUFFER)->table, &view->of);
    }
    (void)hoist_text_take(r);
    if (hoist_str_equal_c(first.text, "view") && hoist_text_raw_ref(r, out_raw)) {
        // view(@7), as printed of a view that does not exist.
        *is_raw = true;
        (void)hoist_text_take(r);
        return hoist_text_want_mark(r, ')');
    }
    for (uint32_t i = 0; i < HOIST_VIEW_BASE_COUNT; i++) {
        const hoist_view_base_row *base = hoist_view_base_get((hoist_view_base)i);
        if (base->word && hoist_str_equal_c(first.text, base->word)) {
            view->base = (hoist_view_base)i;
            return hoist_text_ref(r, base->table, &view->of) && hoist_text_want_mark(r, ')');
        }
    }
    return hoist_text_fail(r, HOIST_PRG_905, first.pos, "'%.*s(' begins no view",
                           HOIST_STR_ARGS(first.text));
}

bool hoist_text_view(hoist_text_reader *r, hoist_ref *out)
{
    hoist_prog_view view = {.base = HOIST_VIEW_BUFFER, .reg = HOIST_NO_REF};
    bool is_raw = false;
    if (!read_base(r, &view, &is_raw, out) || is_raw) {
        return !r->line_failed;
    }
    if (!hoist_text_type(r, &view.dtype, &view.layout)) {
        return false;
    }
    // + 16 + i * 4: the offset first, then at most one register.
    while (hoist_text_is_mark(r, '+') && view.reg == HOIST_NO_REF) {
        (void)hoist_text_take(r);
        if (!hoist_text_is_name(r)) {
            if (!hoist_text_i64(r, &view.offset)) {
                return false;
            }
        } else if (!hoist_text_ref(r, HOIST_NAMES_REGISTER, &view.reg) ||
                   !hoist_text_want_mark(r, '*') || !hoist_text_i64(r, &view.reg_factor)) {
            return false;
        }
    }
    *out = hoist_builder_view(r->b, &view);
    return true;
}
