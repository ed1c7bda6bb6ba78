// Writing YAML scalars for yaml_writer.c: a scalar is plain where it reads back as the same text,
// in block and in flow form; everything else is double-quoted.
#include "codec/yaml_scalar.h"

#include <string.h>

#include "base/span.h"
#include "base/utf8.h"

// Besides letters and digits. A first character must not be an indicator of YAML; `-` may come
// first before what cannot make it one.
static const char first_marks[] = "_./$+(^;\\";
static const char inner_marks[] = "_./$+(^;\\-)~<>=@%*&!|'";

static bool is_one_of(char c, const char *marks)
{
    return c != '\0' && strchr(marks, c) != NULL;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// What may be unescaped beyond ASCII: what is shown as it is, less what YAML 1.1 takes for no
// character.
static bool is_printable(uint32_t code)
{
    return code >= 0x80 && hoist_utf8_is_shown(code) && code != 0xfffe && code != 0xffff;
}

// Bytes of the character at `i` when it may be inside a plain scalar, else 0.
// 0: not even inside. `#` is not among the marks: after a blank it would begin a comment.
static size_t plain_size(hoist_str text, size_t i)
{
    const char c = text.data[i];
    if ((uint8_t)c >= 0x80) {
        const size_t size = hoist_utf8_size(text, i);
        return size && is_printable(hoist_utf8_decode(text, i, size)) ? size : 0;
    }
    // `: ` ends a key, and so does `:` before an indicator in flow form.
    const bool last = i + 1 == text.size;
    if (c == ':') {
        return !last && (is_word(text.data[i + 1]) || text.data[i + 1] == ':') ? 1 : 0;
    }
    if (c == ' ') {
        return last ? 0 : 1;
    }
    return is_word(c) || is_one_of(c, inner_marks) ? 1 : 0;
}

// "- x" would be a list item, "---" a new document.
static bool is_first(hoist_str text)
{
    const char c = text.data[0];
    if (c == '-') {
        return text.size > 1 && (is_word(text.data[1]) || text.data[1] == '.');
    }
    // `...` ends a document.
    return !hoist_str_starts_with(text, "..") &&
           (is_word(c) || is_one_of(c, first_marks) || (uint8_t)c >= 0x80);
}

bool hoist_yaml_is_plain_safe(hoist_str text)
{
    if (text.size == 0 || !is_first(text)) {
        return false;
    }
    size_t i = 0;
    size_t size = 1;
    while (i < text.size && size) {
        size = plain_size(text, i);
        i += size;
    }
    return size != 0;
}

// \x, \u and \U take two, four and eight digits; YAML has no surrogates.
static void write_escape(hoist_buffer *out, uint32_t code)
{
    static const struct {
        uint32_t code;
        char letter;
    } names[] = {{'\n', 'n'}, {'\t', 't'}, {'\r', 'r'}, {'"', '"'}, {'\\', '\\'}};
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        if (names[i].code == code) {
            hoist_buffer_char(out, '\\');
            hoist_buffer_char(out, names[i].letter);
            return;
        }
    }
    hoist_buffer_format(out,
                        code < 0x100     ? "\\x%02x"
                        : code < 0x10000 ? "\\u%04x"
                                         : "\\U%08x",
                        (unsigned)code);
}

void hoist_yaml_write_quoted(hoist_buffer *out, hoist_str text)
{
    hoist_buffer_char(out, '"');
    for (size_t i = 0; i < text.size;) {
        const size_t size = hoist_utf8_size(text, i);
        const uint32_t code = size ? hoist_utf8_decode(text, i, size) : 0xfffd;
        const bool ascii = code >= 0x20 && code < 0x7f && code != '"' && code != '\\';
        if (!size) {
            hoist_buffer_c(out, "\xef\xbf\xbd");
        } else if (ascii || is_printable(code)) {
            hoist_buffer_str(out, hoist_str_slice(text, i, size));
        } else {
            write_escape(out, code);
        }
        i += size ? size : 1;
    }
    hoist_buffer_char(out, '"');
}
