// program/read_scalars.c - operands without parts in the text form, names among them, and records
// of operands.
#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "program/read_operands.h"

// Names ------------------------------------------------------------------------------------------

// Words that begin with a digit, '-', '.' or '/' are numbers; quoted names are names whatever
// they hold.
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

// @N is taken unchecked: whether the row exists is the verifier's question.
bool hoist_text_ref_in(hoist_text_reader *r, hoist_text_key key, hoist_ref *out)
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

// Parameters and registers belong to the body at hand, other names to the program.
hoist_text_key hoist_text_key_of(const hoist_text_reader *r, hoist_name_table table)
{
    const bool local = table == HOIST_NAMES_PARAMETER || table == HOIST_NAMES_REGISTER;
    return (hoist_text_key){.table = table,
                            .scope = local ? r->scope : HOIST_SCOPE_TOP,
                            .row = local ? r->scope_row : 0};
}

bool hoist_text_ref(hoist_text_reader *r, hoist_name_table table, hoist_ref *out)
{
    return hoist_text_ref_in(r, hoist_text_key_of(r, table), out);
}

// A number, or the name of a register of this code.
bool hoist_text_value(hoist_text_reader *r, hoist_prog_value *out)
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

// A quoted word is a name, never a choice.
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

// A number, or a label of this code, which may be further down.
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

// Scalars ----------------------------------------------------------------------------------------

// What is read is stored also after a failure: the line is dropped then.
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

// "@7" refers to a row and cannot be one's name.
static bool read_name(hoist_text_reader *r, hoist_str *out)
{
    if (!hoist_text_is_name(r) ||
        (r->token.kind == HOIST_TOKEN_WORD && r->token.text.data[0] == '@')) {
        return hoist_text_unexpected(r, "a name");
    }
    *out = hoist_text_take(r).text;
    return true;
}

// An operand that has a word only when it is there: the bool next to it is set.
// The word was read by hoist_text_record(): the operand is there.
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

// The opposite of print_scalar() and of the single tokens of print_operand().
bool hoist_text_scalar(hoist_text_reader *r, const hoist_field *field, void *row)
{
    void *at = (uint8_t *)row + field->offset;
    hoist_prog_value value;
    hoist_bytes bytes = {NULL, 0};
    hoist_str name = {NULL, 0};
    float single = 0;
    uint32_t pair[2] = {0, 0};
    bool ok = false;
    switch (field->type) {
    case HOIST_FIELD_FLAG:
    case HOIST_FIELD_ADDRESS:
    case HOIST_FIELD_DOUBLE:
        return read_present(r, field, row);
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
        ok = hoist_text_value(r, &value);
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

// Records ----------------------------------------------------------------------------------------

// What a field holds when nothing is written; `row` is zeroed.
// The opposite of has_usual_value() in print_fields.c; kinds that are not here are zero.
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

// Usual values of all operands come first, because `used` of a later one may look at an earlier
// one that is left out.
bool hoist_text_record(hoist_text_reader *r, const hoist_record *record,
                       hoist_text_operand_fn *read, void *row)
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
            // The word is the operand's mark: without it the operand is left out.
            if (!there && field->optional) {
                continue;
            }
            if (!there) {
                return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "'%s' is missing here",
                                       field->word);
            }
            (void)hoist_text_take(r);
        }
        if (!read(r, field, row)) {
            return false;
        }
    }
    return true;
}
