// picture/xml_text.h - names of files in drawings that are XML (SVG) or DOT: what is not text is
// escaped, long names lose their middle.
//
// A column is what a character of a monospaced font takes; characters that may be wide take two.
// Bytes that are not UTF-8, and characters that are obeyed instead of shown (control characters,
// those that change the direction of text) are written as \xNN, which takes four.
#ifndef HOIST_SRC_PICTURE_XML_TEXT_H
#define HOIST_SRC_PICTURE_XML_TEXT_H

#include "base/buffer.h"

// What a text is written into.
typedef enum hoist_markup {
    HOIST_MARKUP_XML, // text, or a value in double quotes
    HOIST_MARKUP_DOT, // a string in double quotes
} hoist_markup;

// Columns of `text`, as many as `most` are counted.
size_t hoist_markup_columns(hoist_str text, size_t most);

// Appends `text` in at most `most` columns (at least 4) and returns how many: a longer one is its
// first third, a sign of omission and its end. Only the parts that are written are looked at.
size_t hoist_markup_name(hoist_buffer *out, hoist_markup markup, hoist_str text, size_t most);

#endif // HOIST_SRC_PICTURE_XML_TEXT_H
