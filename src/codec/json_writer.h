// codec/json_writer.h - writes JSON text, either compact or indented by two spaces, as a sink of
// base/tree.h events. Output is valid JSON whatever bytes the strings hold: each byte that is no
// UTF-8 is written as U+FFFD, what is not shown as it is (base/utf8.h) as \uXXXX, NaN and
// infinities as the strings "NaN", "Infinity" and
// "-Infinity", integers beyond +-2^53 as strings of their digits unless they are `wide`. Key order
// is the order of the events.
//
// With `positions` every value that has a place becomes {"at": [line, column], "value": v}: one
// form for scalars, lists and maps, so that no key of a map can be mistaken for its place.
#ifndef HOIST_SRC_CODEC_JSON_WRITER_H
#define HOIST_SRC_CODEC_JSON_WRITER_H

#include "base/buffer.h"
#include "base/tree.h"

typedef struct hoist_json_writer {
    hoist_buffer *out; // borrowed
    bool indent;       // two spaces per level and a line per member; maps and lists with
                       // inline_hint stay on one line, with all they hold
    bool positions;
    bool wide; // integers of any size are numbers; the caller may set it after init
    // 0: as above. Else maps and lists inside `levels` others are compact, as are lists that begin
    // with a number; the caller may set it at any time (nlohmann's pretty text in ARK's files).
    unsigned levels;
    bool done;      // the root value is complete
    uint8_t *stack; // owned; one set of flags per open map or list
    size_t depth;
    size_t stack_capacity;
    size_t inline_depth; // open maps and lists from the outermost inline one on
} hoist_json_writer;

// Memory for the stack comes from out's allocator. Free with hoist_json_writer_deinit.
void hoist_json_writer_init(hoist_json_writer *w, hoist_buffer *out, bool indent, bool positions);
void hoist_json_writer_deinit(hoist_json_writer *w);

// A sink that writes to `w`; no line break follows the root value. It returns HOIST_NO_MEMORY when
// `out` or the stack cannot grow, HOIST_INTERNAL when events break the grammar of hoist/base.h
// (an END too many, a second root value).
hoist_tree_sink hoist_json_writer_sink(hoist_json_writer *w);

// Appends `text` as a JSON string with quotes.
void hoist_json_write_string(hoist_buffer *out, hoist_str text);
// Appends any double: the shortest form that reads back the same, or one of the three strings.
void hoist_json_write_double(hoist_buffer *out, double value);

#endif // HOIST_SRC_CODEC_JSON_WRITER_H
