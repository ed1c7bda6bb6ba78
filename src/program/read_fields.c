// The operands of one line of the text form, read as fields.h lists them; print_fields.c is the
// inverse.
#include <string.h>

#include "base/span.h"
#include "program/read_operands.h"

// Lists ------------------------------------------------------------------------------------------

// The caller stores the list, as a target has no field for it.
static bool read_refs(hoist_text_reader *r, hoist_name_table table, hoist_text_list *list)
{
    *list = (hoist_text_list){.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        hoist_ref ref = HOIST_NO_REF;
        if (!hoist_text_ref(r, table, &ref) || !hoist_text_push(r, list, &ref, sizeof ref)) {
            return false;
        }
    }
    return !r->line_failed;
}

// Every view that is read is a row of the builder, shared with equal ones.
static bool read_views(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_text_list list = {.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        hoist_ref view = HOIST_NO_REF;
        if (!hoist_text_view(r, &view) || !hoist_text_push(r, &list, &view, sizeof view)) {
            return false;
        }
    }
    hoist_text_store_list(row, field, &list);
    return !r->line_failed;
}

// Calls, signals, sources ------------------------------------------------------------------------

// f, or [f, g] at i.
static bool read_target(hoist_text_reader *r, hoist_prog_target *target)
{
    if (!hoist_text_is_mark(r, '[')) {
        return hoist_text_ref(r, HOIST_NAMES_FUNCTION, &target->function);
    }
    hoist_text_list list;
    if (!read_refs(r, HOIST_NAMES_FUNCTION, &list)) {
        return false;
    }
    if (!hoist_text_is_word(r, "at")) {
        return hoist_text_unexpected(r, "`at` and the index of the function");
    }
    (void)hoist_text_take(r);
    target->table = list.items;
    target->table_count = list.count;
    return hoist_text_value(r, &target->index);
}

// A number, a register, or a view: that has more after its name.
static bool read_argument(hoist_text_reader *r, hoist_prog_argument *out)
{
    *out = (hoist_prog_argument){.value.reg = HOIST_NO_REF, .view = HOIST_NO_REF};
    if (!hoist_text_is_name(r)) {
        return hoist_text_i64(r, &out->value.number);
    }
    // One token of lookahead: a register ends at a comma or bracket, a view goes on with its
    // type.
    const hoist_lexer before = r->lexer;
    const hoist_token first = r->token;
    (void)hoist_text_take(r);
    out->is_view = !hoist_text_is_mark(r, ',') && !hoist_text_is_mark(r, ']');
    r->lexer = before;
    r->token = first;
    return out->is_view ? hoist_text_view(r, &out->view)
                        : hoist_text_ref(r, HOIST_NAMES_REGISTER, &out->value.reg);
}

// [view, 3, register] in any mixture.
static bool read_arguments(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_text_list list = {.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        hoist_prog_argument argument;
        if (!read_argument(r, &argument) ||
            !hoist_text_push(r, &list, &argument, sizeof argument)) {
            return false;
        }
    }
    hoist_text_store_list(row, field, &list);
    return !r->line_failed;
}

// Written as the step is, without its keyword: [done add 1].
static bool read_signals(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_text_list list = {.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        hoist_prog_signal item;
        memset(&item, 0, sizeof item);
        if (!hoist_text_fields(r, hoist_step_record(HOIST_STEP_SIGNAL), &item) ||
            !hoist_text_push(r, &list, &item, sizeof item)) {
            return false;
        }
    }
    hoist_text_store_list(row, field, &list);
    return !r->line_failed;
}

// The kind of move is read before, as its row comes first.
static bool read_sources(hoist_text_reader *r, const hoist_field *field, hoist_prog_move *move)
{
    hoist_text_list list = {.items = NULL};
    for (bool more = hoist_text_list_begins(r); more; more = hoist_text_list_goes_on(r)) {
        hoist_move_source item = {.view = HOIST_NO_REF, .scale = 1};
        if (!hoist_text_view(r, &item.view)) {
            return false;
        }
        if (move->op == HOIST_MOVE_FMA && hoist_text_is_word(r, "scale")) {
            (void)hoist_text_take(r);
            if (!hoist_text_float(r, &item.scale)) {
                return false;
            }
        }
        if (!hoist_text_push(r, &list, &item, sizeof item)) {
            return false;
        }
    }
    hoist_text_store_list(move, field, &list);
    return !r->line_failed;
}

// An attribute of `def`: name and value.
// Any order; an attribute that is given twice has the last value.
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
            return hoist_text_i64(r, &attrs->value[i].integer);
        case HOIST_COMPUTE_FLOAT:
            return hoist_text_float(r, &attrs->value[i].number);
        case HOIST_COMPUTE_DTYPE:
            return hoist_text_dtype(r, &attrs->value[i].dtype);
        }
    }
    return hoist_text_unexpected(r, "an attribute of the operation");
}

// Attributes that are not written are zero.
// The name is one word: the lexer takes the point as part of it.
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

// At most HOIST_MAX_RANK dimensions, which hoist_text_i64s() sees to.
static bool read_shape(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_shape shape = {.rank = 0};
    uint32_t rank = 0;
    const bool ok = hoist_text_i64s(r, shape.dim, &rank);
    shape.rank = (int)rank;
    hoist_text_store(row, field->offset, &shape, sizeof shape);
    return ok;
}

// Registers that an entry names are those of the thread that it has named just before.
static bool read_register(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_ref ref = HOIST_NO_REF;
    hoist_text_key key = hoist_text_key_of(r, field->table);
    if (r->scope == HOIST_SCOPE_ENTRY && field->table == HOIST_NAMES_REGISTER) {
        key.scope = HOIST_SCOPE_THREAD;
        key.row = ((const hoist_prog_entry_parameter *)row)->thread;
    }
    const bool ok = hoist_text_ref_in(r, key, &ref);
    hoist_text_store(row, field->offset, &ref, sizeof ref);
    return ok;
}

// Both are stored in any case, so that the row has no undefined members.
static bool read_type_field(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_dtype dtype = HOIST_DTYPE_NONE;
    hoist_ref layout = HOIST_NO_REF;
    const bool ok = hoist_text_type(r, &dtype, &layout);
    hoist_text_store(row, field->offset, &dtype, sizeof dtype);
    hoist_text_store(row, field->also, &layout, sizeof layout);
    return ok;
}

// Kinds that are made of others; single tokens are hoist_text_scalar()'s.
static bool read_operand(hoist_text_reader *r, const hoist_field *field, void *row)
{
    uint8_t *at = (uint8_t *)row + field->offset;
    hoist_ref ref = HOIST_NO_REF;
    hoist_text_list list;
    hoist_prog_target target;
    hoist_compute_attrs attrs;
    hoist_compute_op op = HOIST_COMPUTE_COUNT;
    bool ok = false;
    switch (field->type) {
    case HOIST_FIELD_REF:
        return read_register(r, field, row);
    case HOIST_FIELD_REFS:
        ok = read_refs(r, field->table, &list);
        hoist_text_store_list(row, field, &list);
        return ok;
    case HOIST_FIELD_TYPE:
        return read_type_field(r, field, row);
    case HOIST_FIELD_VIEW:
        ok = hoist_text_view(r, &ref);
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
        return hoist_text_ints(r, field, row);
    case HOIST_FIELD_AXES:
        return hoist_text_axes(r, field, row);
    case HOIST_FIELD_SHAPE:
        return read_shape(r, field, row);
    case HOIST_FIELD_COMPUTE:
        ok = read_compute(r, &op, &attrs);
        memcpy(at, &op, sizeof op);
        hoist_text_store(row, field->also, &attrs, sizeof attrs);
        return ok;
    default:
        return hoist_text_scalar(r, field, row);
    }
}

bool hoist_text_fields(hoist_text_reader *r, const hoist_record *record, void *row)
{
    return hoist_text_record(r, record, read_operand, row);
}
