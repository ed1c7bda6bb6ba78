// program/read_fields.c - the operands of one line of the text form, as fields.h lists them.
#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "program/read_operands.h"

// Names ------------------------------------------------------------------------------------------

bool hoist_text_is_name(const hoist_text_reader *r)
{
    const hoist_token *t = &r->token;
    return t->kind == HOIST_TOKEN_NAME ||
           (t->kind == HOIST_TOKEN_WORD && t->text.data[0] != '-' && t->text.data[0] != '.' &&
            t->text.data[0] != '/' && (t->text.data[0] < '0' || t->text.data[0] > '9'));
}

// @N: a row by its number, whether or not there is one.
bool hoist_text_raw_ref(const hoist_text_reader *r, uint32_t *out)
{
    uint64_t number = 0;
    const hoist_str text = r->token.text;
    if (r->token.kind != HOIST_TOKEN_WORD || text.data[0] != '@' ||
        !hoist_text_to_u64(hoist_str_slice(text, 1, text.size), &number) || number > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool read_ref_in(hoist_text_reader *r, hoist_text_key key, hoist_ref *out)
{
    const char *table = hoist_name_table_text((hoist_name_table)key.table);
    if (hoist_text_raw_ref(r, out)) {
        (void)hoist_text_take(r);
        return true;
    }
    if (!hoist_text_is_name(r)) {
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

bool hoist_text_ref(hoist_text_reader *r, hoist_name_table table, hoist_ref *out)
{
    return read_ref_in(r, key_of(r, table), out);
}

static bool read_value(hoist_text_reader *r, hoist_prog_value *out)
{
    *out = (hoist_prog_value){.reg = HOIST_NO_REF};
    if (hoist_text_is_name(r)) {
        return hoist_text_ref(r, HOIST_NAMES_REGISTER, &out->reg);
    }
    if (r->token.kind != HOIST_TOKEN_WORD) {
        return hoist_text_unexpected(r, "a number or a register");
    }
    return hoist_text_i64(r, &out->number);
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
    if (!hoist_text_is_name(r)) {
        const bool ok = hoist_text_u64(r, UINT32_MAX, &number);
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
    return read_value(r, &target->index);
}

// A number, a register, or a view: that has more behind its name.
static bool read_argument(hoist_text_reader *r, hoist_prog_argument *out)
{
    *out = (hoist_prog_argument){.value.reg = HOIST_NO_REF, .view = HOIST_NO_REF};
    if (!hoist_text_is_name(r)) {
        return hoist_text_i64(r, &out->value.number);
    }
    const hoist_lexer before = r->lexer;
    const hoist_token first = r->token;
    (void)hoist_text_take(r);
    out->is_view = !hoist_text_is_mark(r, ',') && !hoist_text_is_mark(r, ']');
    r->lexer = before;
    r->token = first;
    return out->is_view ? hoist_text_view(r, &out->view)
                        : hoist_text_ref(r, HOIST_NAMES_REGISTER, &out->value.reg);
}

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
        ok = hoist_text_u64(r, UINT32_MAX, &wide);
        narrow = (uint32_t)wide;
        hoist_text_store(row, field->offset, &narrow, sizeof narrow);
        return ok;
    case HOIST_FIELD_STEP:
        ok = read_step(r, &narrow);
        hoist_text_store(row, field->offset, &narrow, sizeof narrow);
        return ok;
    case HOIST_FIELD_I64:
        ok = hoist_text_i64(r, &integer);
        hoist_text_store(row, field->offset, &integer, sizeof integer);
        return ok;
    default:
        ok = hoist_text_u64(r, UINT64_MAX, &wide);
        hoist_text_store(row, field->offset, &wide, sizeof wide);
        return ok;
    }
}

static bool read_name(hoist_text_reader *r, hoist_str *out)
{
    if (!hoist_text_is_name(r) ||
        (r->token.kind == HOIST_TOKEN_WORD && r->token.text.data[0] == '@')) {
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
        hoist_text_store(row, field->offset, &present, sizeof present);
        return true;
    }
    hoist_text_store(row, field->also, &present, sizeof present);
    if (field->type == HOIST_FIELD_ADDRESS) {
        return read_integer(r, field, row);
    }
    const bool ok = hoist_text_double(r, &number);
    hoist_text_store(row, field->offset, &number, sizeof number);
    return ok;
}

static bool read_shape(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_shape shape = {.rank = 0};
    uint32_t rank = 0;
    const bool ok = hoist_text_i64s(r, shape.dim, &rank);
    shape.rank = (int)rank;
    hoist_text_store(row, field->offset, &shape, sizeof shape);
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
        ok = hoist_text_float(r, &single);
        memcpy(at, &single, sizeof single);
        return ok;
    case HOIST_FIELD_CHOICE:
        ok = read_choice(r, field->words, &pair[0]);
        memcpy(at, pair, sizeof pair[0]);
        return ok;
    case HOIST_FIELD_PAIR:
        ok = hoist_text_pair(r, pair);
        memcpy(at, pair, sizeof pair);
        return ok;
    case HOIST_FIELD_VALUE:
        ok = read_value(r, &value);
        memcpy(at, &value, sizeof value);
        return ok;
    case HOIST_FIELD_BYTES:
        ok = hoist_text_bytes(r, &bytes);
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
    hoist_text_store(row, field->offset, &ref, sizeof ref);
    return ok;
}

static bool read_type_field(hoist_text_reader *r, const hoist_field *field, void *row)
{
    hoist_dtype dtype = HOIST_DTYPE_NONE;
    hoist_ref layout = HOIST_NO_REF;
    const bool ok = hoist_text_type(r, &dtype, &layout);
    hoist_text_store(row, field->offset, &dtype, sizeof dtype);
    hoist_text_store(row, field->also, &layout, sizeof layout);
    return ok;
}

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
    case HOIST_FIELD_FLAG:
    case HOIST_FIELD_ADDRESS:
    case HOIST_FIELD_DOUBLE:
        return read_present(r, field, row);
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
        hoist_text_store(row, field->offset, &none, sizeof none);
        break;
    case HOIST_FIELD_TYPE:
        hoist_text_store(row, field->also, &none, sizeof none);
        break;
    case HOIST_FIELD_VALUE:
        hoist_text_store(row, field->offset, &zero, sizeof zero);
        break;
    case HOIST_FIELD_TARGET:
        hoist_text_store(row, field->offset, &target, sizeof target);
        break;
    case HOIST_FIELD_U32:
    case HOIST_FIELD_CHOICE:
        hoist_text_store(row, field->offset, &low, sizeof low);
        break;
    case HOIST_FIELD_U64:
    case HOIST_FIELD_I64:
        hoist_text_store(row, field->offset, &field->usual, sizeof field->usual);
        break;
    case HOIST_FIELD_PAIR:
        hoist_text_store(row, field->offset, pair, sizeof pair);
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
