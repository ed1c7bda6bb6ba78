// codec/yaml_writer.h - writes YAML text as a sink of base/tree.h events.
//
// Maps and lists with inline_hint, and all inside them, are written in flow form ({a: 1}, [1, 2]);
// others in block form, two spaces per level. Text is quoted only where YAML needs it. What is
// written reads back as the same texts, and writing that again gives the same bytes.
#ifndef HOIST_SRC_CODEC_YAML_WRITER_H
#define HOIST_SRC_CODEC_YAML_WRITER_H

#include "base/buffer.h"
#include "base/tree.h"
#include "codec/yaml.h"

typedef struct hoist_yaml_frame hoist_yaml_frame;

typedef struct hoist_yaml_writer {
    hoist_buffer *out;        // borrowed
    hoist_yaml_frame *frames; // owned: maps and lists that are open, outermost first
    size_t depth;
    size_t capacity;
    bool fresh; // the next block entry is on this line: at the start, and after "- "
} hoist_yaml_writer;

void hoist_yaml_writer_init(hoist_yaml_writer *w, hoist_buffer *out);
void hoist_yaml_writer_deinit(hoist_yaml_writer *w);

// A sink that writes to `w`. HOIST_NO_MEMORY from the sink when `out` cannot grow. Addresses are
// written as 0x and eight hexadecimal digits. Numbers that are text are the caller's business: a
// string event "12" is written 12.
hoist_tree_sink hoist_yaml_writer_sink(hoist_yaml_writer *w);

// Writes a tree as it was read, forms included: the value of a map's entry with its key, a list's
// item without.
HOIST_NODISCARD hoist_status hoist_yaml_write_node(hoist_yaml_writer *w,
                                                   const hoist_yaml_node *node);

// What a plain scalar is taken for where no table says what it is: null, true or false, an integer
// or a number of base/span.h, else a string.
hoist_tree_kind hoist_yaml_plain_kind(hoist_str text);

// A scalar as an event of that kind, with its key and without a place. What is quoted is a string.
hoist_tree_event hoist_yaml_scalar_event(const hoist_yaml_node *node);

#endif // HOIST_SRC_CODEC_YAML_WRITER_H
