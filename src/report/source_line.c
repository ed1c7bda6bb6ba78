// Lines of a text (source_line.h), which end with \n, \r or both.
#include "report/source_line.h"

#include "base/utf8.h"

// First byte at or after `at` that is a line break, else the text's size.
static size_t find_break(hoist_bytes text, size_t at)
{
    while (at < text.size && text.data[at] != '\n' && text.data[at] != '\r') {
        at++;
    }
    return at;
}

bool hoist_source_find_line(hoist_source_cursor *cursor, uint32_t line, hoist_str *out_line)
{
    if (line < cursor->line) {
        cursor->line = 1;
        cursor->start = 0;
    }
    size_t end = find_break(cursor->text, cursor->start);
    while (cursor->line < line) {
        if (end == cursor->text.size) {
            return false;
        }
        const bool pair = end + 1 < cursor->text.size && cursor->text.data[end] == '\r' &&
                          cursor->text.data[end + 1] == '\n';
        cursor->start = end + (pair ? 2 : 1);
        cursor->line++;
        end = find_break(cursor->text, cursor->start);
    }
    *out_line = (hoist_str){(const char *)cursor->text.data + cursor->start, end - cursor->start};
    return true;
}

uint32_t hoist_source_character(hoist_source_cursor *cursor, hoist_pos pos)
{
    hoist_str line;
    if (cursor->text.size == 0 || pos.column == 0 ||
        !hoist_source_find_line(cursor, pos.line, &line) || pos.column > line.size + 1) {
        return 0;
    }
    uint32_t characters = 1;
    for (size_t at = 0; at + 1 < pos.column; characters++) {
        const size_t size = hoist_utf8_size(line, at);
        at += size ? size : 1;
    }
    return characters;
}
