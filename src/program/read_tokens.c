// Tokens of a line, findings with what is expected, and the table of names of the text reader.
#include <string.h>

#include "base/span.h"
#include "program/reader.h"

// Only the first of a line is reported; what follows is mostly its consequence.
bool hoist_text_fail(hoist_text_reader *r, hoist_program_rule rule, hoist_pos pos,
                     const char *format, ...)
{
    // The first pass leaves to the second one what that sees as well.
    if (!r->line_failed && (r->b || rule == HOIST_PRG_904)) {
        va_list args;
        va_start(args, format);
        hoist_vreport(r->diag, hoist_program_rule_get(rule), hoist_loc_pos(pos), format, args);
        va_end(args);
        r->failures++;
    }
    r->line_failed = true;
    return false;
}

bool hoist_text_no_memory(hoist_text_reader *r)
{
    r->status = HOIST_NO_MEMORY;
    r->line_failed = true;
    return false;
}

// The deadline is looked at once per token.
hoist_token hoist_text_take(hoist_text_reader *r)
{
    const hoist_token taken = r->token;
    const hoist_status time = hoist_deadline_look(r->deadline);
    r->token = hoist_lexer_next(&r->lexer);
    if (time != HOIST_OK && r->status == HOIST_OK) {
        r->status = time;
        r->line_failed = true;
    } else if (r->lexer.failed) {
        (void)hoist_text_no_memory(r);
    } else if (r->token.kind == HOIST_TOKEN_BAD) {
        (void)hoist_text_fail(r, HOIST_PRG_901, r->token.pos, "%.*s",
                              HOIST_STR_ARGS(r->token.text));
    }
    return taken;
}

bool hoist_text_is_mark(const hoist_text_reader *r, char mark)
{
    const hoist_token *t = &r->token;
    return t->kind == HOIST_TOKEN_MARK && t->text.size == 1 && t->text.data[0] == mark;
}

bool hoist_text_is_word(const hoist_text_reader *r, const char *word)
{
    return r->token.kind == HOIST_TOKEN_WORD && hoist_str_equal_c(r->token.text, word);
}

bool hoist_text_want_mark(hoist_text_reader *r, char mark)
{
    if (!hoist_text_is_mark(r, mark)) {
        const char text[] = {'`', mark, '`', 0};
        return hoist_text_unexpected(r, text);
    }
    (void)hoist_text_take(r);
    return !r->line_failed;
}

bool hoist_text_unexpected(hoist_text_reader *r, const char *expected)
{
    if (r->token.kind == HOIST_TOKEN_LINE_END) {
        return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "the line ends, expected %s",
                               expected);
    }
    return hoist_text_fail(r, HOIST_PRG_905, r->token.pos, "found '%.*s', expected %s",
                           HOIST_STR_ARGS(r->token.text), expected);
}

// Names ------------------------------------------------------------------------------------------

// The key's numbers, then the name; in the reader's buffer, until the next call.
// Numbers as bytes in front of the name make one map of all tables and scopes.
static hoist_str make_key(hoist_text_reader *r, hoist_text_key key, hoist_str name)
{
    const uint32_t head[3] = {key.table, key.scope, key.row};
    r->key.size = 0;
    hoist_buffer_add(&r->key, (hoist_bytes){(const uint8_t *)head, sizeof head});
    hoist_buffer_str(&r->key, name);
    if (r->key.failed) {
        (void)hoist_text_no_memory(r);
        return (hoist_str){NULL, 0};
    }
    return hoist_buffer_text(&r->key);
}

hoist_status hoist_text_add_name(hoist_text_reader *r, hoist_text_key key, hoist_str name,
                                 uint32_t value)
{
    const hoist_str text = make_key(r, key, name);
    size_t other = 0;
    if (text.data && hoist_map_find(&r->names, text, &other)) {
        return HOIST_BUSY;
    }
    // The map borrows its keys.
    const hoist_str owned = hoist_arena_str(&r->arena, text);
    return text.data && owned.data ? hoist_map_add(&r->names, owned, value, NULL) : HOIST_NO_MEMORY;
}

bool hoist_text_find_name(hoist_text_reader *r, hoist_text_key key, hoist_str name,
                          uint32_t *out_value)
{
    const hoist_str text = make_key(r, key, name);
    size_t value = 0;
    const bool found = text.data && hoist_map_find(&r->names, text, &value);
    *out_value = found ? (uint32_t)value : HOIST_NO_REF;
    return found;
}
