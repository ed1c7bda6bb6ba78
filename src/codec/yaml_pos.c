// Positions for yaml.c: libyaml's marks count characters, hoist_pos counts bytes. A cursor walks
// the text once, forward; texts of ASCII alone need no walk.
#include "codec/yaml_pos.h"

#include <string.h>

// Eight bytes at a time; the high bits are gathered and looked at once.
static bool yaml_is_ascii(hoist_bytes text)
{
    size_t i = 0;
    uint64_t high = 0;
    for (; i + 8 <= text.size; i += 8) {
        uint64_t word;
        memcpy(&word, text.data + i, sizeof(word));
        high |= word;
    }
    for (; i < text.size; i++) {
        high |= text.data[i];
    }
    return (high & 0x8080808080808080u) == 0;
}

hoist_yaml_cursor hoist_yaml_cursor_init(hoist_bytes text)
{
    return (hoist_yaml_cursor){.text = text, .ascii = yaml_is_ascii(text)};
}

// True inside a character, after its first byte.
static bool yaml_is_inside(hoist_bytes text, size_t offset)
{
    return offset < text.size && (text.data[offset] & 0xc0) == 0x80;
}

// Forward or backward by whole characters.
static void yaml_cursor_move(hoist_yaml_cursor *c, size_t characters)
{
    while (c->characters < characters && c->offset < c->text.size) {
        do {
            c->offset++;
        } while (yaml_is_inside(c->text, c->offset));
        c->characters++;
    }
    while (c->characters > characters && c->offset > 0) {
        do {
            c->offset--;
        } while (c->offset > 0 && yaml_is_inside(c->text, c->offset));
        c->characters--;
    }
}

// Lines and columns have 32 bits; a longer line gets the largest.
static uint32_t yaml_clamp(size_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

hoist_pos hoist_yaml_cursor_pos(hoist_yaml_cursor *cursor, yaml_mark_t mark, size_t *out_offset)
{
    size_t offset = mark.index;
    size_t column = mark.column;
    if (!cursor->ascii) {
        // Within a line the cursor goes from mark to mark, so that a long line with many values is
        // walked once.
        const size_t line = mark.index - mark.column;
        if (cursor->line_characters != line) {
            yaml_cursor_move(cursor, line);
            cursor->line_characters = line;
            cursor->line_offset = cursor->offset;
        }
        yaml_cursor_move(cursor, mark.index);
        offset = cursor->offset;
        column = offset - cursor->line_offset;
    }
    if (out_offset) {
        *out_offset = offset;
    }
    return (hoist_pos){yaml_clamp(mark.line + 1), yaml_clamp(column + 1)};
}

// Bytes of the line end at `offset`; 0 when none is there. A CR counts alone when LF follows: the
// LF then ends the line.
static size_t yaml_break_size(hoist_bytes text, size_t offset)
{
    const uint8_t *p = text.data + offset;
    const size_t left = text.size - offset;
    if (p[0] == '\n' || (p[0] == '\r' && !(left > 1 && p[1] == '\n'))) {
        return 1;
    }
    if (left > 1 && p[0] == 0xc2 && p[1] == 0x85) {
        return 2;
    }
    // U+2028 and U+2029, line and paragraph separator; U+0085 above is NEL.
    return left > 2 && p[0] == 0xe2 && p[1] == 0x80 && (p[2] & 0xfe) == 0xa8 ? 3 : 0;
}

hoist_pos hoist_yaml_offset_pos(hoist_bytes text, size_t offset)
{
    const size_t end = offset < text.size ? offset : text.size;
    size_t line = 1;
    size_t line_offset = 0;
    for (size_t i = 0; i < end;) {
        const size_t size = yaml_break_size(text, i);
        i += size ? size : 1;
        if (size && i <= end) {
            line++;
            line_offset = i;
        }
    }
    return (hoist_pos){yaml_clamp(line), yaml_clamp(end - line_offset + 1)};
}
