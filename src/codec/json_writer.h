// codec/json_writer.h - writes JSON text, either compact or indented by two spaces, as a sink of
// base/tree.h events and by direct calls. Output is valid JSON whatever bytes the strings hold:
// invalid UTF-8 is written as U+FFFD, NaN and infinities as the strings "NaN", "Infinity" and
// "-Infinity", integers beyond +-2^53 as strings. Key order is the order of the events.
#ifndef HOIST_SRC_CODEC_JSON_WRITER_H
#define HOIST_SRC_CODEC_JSON_WRITER_H

#include "base/buffer.h"
#include "base/tree.h"

typedef struct hoist_json_writer {
    hoist_buffer *out; // borrowed
    bool indent;       // two spaces per level and a line per member; maps and lists with
                       // inline_hint stay on one line
    bool positions;    // dump: a scalar with a position becomes {"value": v, "at": [line, column]},
                       // a map or list with one gets it as its first member "at" (lists: wrapped
                       // as {"at": [l, c], "items": [...]})
    // ... the implementation's own state follows
    void *stack; // owned
    size_t depth;
    size_t stack_capacity;
    size_t inline_depth;
} hoist_json_writer;

void hoist_json_writer_init(hoist_json_writer *w, hoist_buffer *out, bool indent, bool positions);
void hoist_json_writer_deinit(hoist_json_writer *w);

// A sink that writes to `w`. HOIST_NO_MEMORY from the sink when `out` cannot grow.
hoist_tree_sink hoist_json_writer_sink(hoist_json_writer *w);

// Appends `text` as a JSON string with quotes.
void hoist_json_write_string(hoist_buffer *out, hoist_str text);

#endif // HOIST_SRC_CODEC_JSON_WRITER_H
