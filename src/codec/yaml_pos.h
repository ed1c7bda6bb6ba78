// codec/yaml_pos.h - libyaml's marks as byte positions of the source text.
//
// A mark counts characters, hoist_pos counts bytes. In a text of ASCII alone both are the same; in
// others a cursor follows the marks, which grow nearly always, so that the whole conversion is
// linear in the text. Lines are YAML 1.1's: they end with LF, CR LF, CR, NEL, LS or PS.
#ifndef HOIST_SRC_CODEC_YAML_POS_H
#define HOIST_SRC_CODEC_YAML_POS_H

#include <yaml.h>

#include "hoist/base.h"

typedef struct hoist_yaml_cursor {
    hoist_bytes text;       // borrowed; without a byte order mark
    bool ascii;             // every byte is below 0x80: the rest is not used
    size_t characters;      // before the cursor
    size_t offset;          // bytes before the cursor
    size_t line_characters; // before the line that the cursor is in
    size_t line_offset;     // bytes before that line
} hoist_yaml_cursor;

hoist_yaml_cursor hoist_yaml_cursor_init(hoist_bytes text);

// Position of `mark`, which libyaml made from exactly this text. `*out_offset` (may be NULL) gets
// its byte offset.
hoist_pos hoist_yaml_cursor_pos(hoist_yaml_cursor *cursor, yaml_mark_t mark, size_t *out_offset);

// Position of the byte at `offset` (clamped to the text), found by counting from the start.
hoist_pos hoist_yaml_offset_pos(hoist_bytes text, size_t offset);

#endif // HOIST_SRC_CODEC_YAML_POS_H
