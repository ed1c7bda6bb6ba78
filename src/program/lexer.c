// The text form of programs as tokens: bytes in, one token per call out, with line and column.
// read_tokens.c is the only caller.
#include "program/lexer.h"

#include <string.h>

#include "base/span.h"
#include "program/names.h"

hoist_lexer hoist_lexer_init(hoist_str source, hoist_arena *arena)
{
    return (hoist_lexer){.source = source, .line = 1, .arena = arena};
}

// A comment ends the line; a '#' in quotes never gets here.
static bool at_end(const hoist_lexer *l)
{
    return l->at >= l->source.size || l->source.data[l->at] == '\n' || l->source.data[l->at] == '#';
}

// memchr(), as lines of constants may have megabytes.
bool hoist_lexer_next_line(hoist_lexer *l)
{
    const hoist_str s = l->source;
    const char *end = l->at < s.size ? memchr(s.data + l->at, '\n', s.size - l->at) : NULL;
    if (!end) {
        l->at = s.size;
        return false;
    }
    l->at = (size_t)(end - s.data) + 1;
    l->line_start = l->at;
    l->line++;
    return true;
}

// Lower case only, as the printer writes them: one spelling for each name.
static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// What the text between two quotes means, in the arena. False: it cannot be read.
// Three escapes: \\ \" \xHH. Newlines and control characters are always \xHH, so a name is one
// line.
static bool unescape(hoist_lexer *l, hoist_str raw, hoist_str *out_text)
{
    // Escapes only make a text shorter.
    char *text = hoist_arena_alloc(l->arena, raw.size);
    size_t size = 0;
    if (!text) {
        l->failed = true;
        return false;
    }
    for (size_t i = 0; i < raw.size; i++) {
        char c = raw.data[i];
        if (c == '\\' && i + 1 < raw.size && raw.data[i + 1] == 'x') {
            const int high = i + 3 < raw.size ? hex_digit(raw.data[i + 2]) : -1;
            const int low = i + 3 < raw.size ? hex_digit(raw.data[i + 3]) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            c = (char)(high * 16 + low);
            i += 3;
        } else if (c == '\\') {
            c = raw.data[++i];
            if (c != '\\' && c != '"') {
                return false;
            }
        }
        text[size++] = c;
    }
    *out_text = (hoist_str){text, size};
    return true;
}

// A name without escapes is a slice of the text.
static hoist_token quoted(hoist_lexer *l, hoist_token token)
{
    const size_t start = ++l->at;
    const hoist_str s = l->source;
    bool escapes = false;
    // A control character, a line end among them, ends a name that was not closed.
    while (l->at < s.size && s.data[l->at] != '"' && (unsigned char)s.data[l->at] >= 0x20) {
        const bool escape =
            s.data[l->at] == '\\' && l->at + 1 < s.size && s.data[l->at + 1] != '\n';
        escapes |= escape;
        l->at += escape ? 2 : 1;
    }
    token.kind = HOIST_TOKEN_BAD;
    if (l->at >= s.size || s.data[l->at] != '"') {
        token.text = HOIST_STR("a name in quotes does not end on its line");
        return token;
    }
    const hoist_str raw = hoist_str_slice(s, start, l->at - start);
    l->at++;
    token.text = raw;
    if (escapes && !unescape(l, raw, &token.text)) {
        token.text = HOIST_STR("a backslash is followed by neither x and two hexadecimal digits, "
                               "nor a backslash, nor a quote");
        return token;
    }
    token.kind = HOIST_TOKEN_NAME;
    return token;
}

// A single '=' is the mark of `alu` and `set_pointer`.
static bool is_compare(char c)
{
    return c == '<' || c == '>' || c == '=' || c == '!';
}

// '\r' counts as a blank, so texts with the line ends of Windows are read as well.
hoist_token hoist_lexer_next(hoist_lexer *l)
{
    const hoist_str s = l->source;
    while (!at_end(l) && (s.data[l->at] == ' ' || s.data[l->at] == '\t' || s.data[l->at] == '\r')) {
        l->at++;
    }
    const size_t start = l->at;
    hoist_token token = {.pos = {l->line, (uint32_t)(start - l->line_start) + 1}};
    if (at_end(l)) {
        return token;
    }
    const char c = s.data[start];
    if (c == '"') {
        return quoted(l, token);
    }
    // Numbers are words, too: what a word means depends on the operand.
    if (hoist_name_has_char(c) || c == '@') {
        do {
            l->at++;
        } while (!at_end(l) && hoist_name_has_char(s.data[l->at]));
        token.kind = HOIST_TOKEN_WORD;
    } else if (is_compare(c)) {
        // "<=", ">=", "==", "!=": at most two characters.
        l->at += !(start + 1 < s.size) || !is_compare(s.data[start + 1]) ? 1 : 2;
        token.kind = HOIST_TOKEN_MARK;
    } else {
        l->at++;
        token.kind = c && strchr("{}[](),:+*", c) ? HOIST_TOKEN_MARK : HOIST_TOKEN_BAD;
    }
    token.text = hoist_str_slice(s, start, l->at - start);
    if (token.kind == HOIST_TOKEN_BAD) {
        token.text = HOIST_STR("a character that has no meaning here");
    }
    return token;
}
