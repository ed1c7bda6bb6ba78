// formats/buda/walk_value.h - the values of fields as tree events, for walk.c.
#ifndef HOIST_SRC_FORMATS_BUDA_WALK_VALUE_H
#define HOIST_SRC_FORMATS_BUDA_WALK_VALUE_H

#include "formats/buda/walk.h"

// Opens a map or list; `key` is empty in a list.
void buda_walk_open(const buda_walk *walk, hoist_tree_kind kind, hoist_str key, hoist_pos pos,
                    bool one_line);
// Sends a text.
void buda_walk_text(const buda_walk *walk, hoist_str key, hoist_str text, hoist_pos pos);
void buda_walk_names(const buda_walk *walk, hoist_str key, const buda_names *names);
// Sends the words of `field`'s set under its key; one word without a list when it was written so.
void buda_walk_words(const buda_walk *walk, const buda_field *field, const buda_words *words);

// Sends the value of `field` in `object` when the file has it; its key follows `prefix`.
void buda_walk_field(const buda_walk *walk, const buda_field *field, hoist_str prefix,
                     const void *object);

// "input_3_"; lives in `text`.
hoist_str buda_input_prefix(int input, char text[32]);

#endif // HOIST_SRC_FORMATS_BUDA_WALK_VALUE_H
