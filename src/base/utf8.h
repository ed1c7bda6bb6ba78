// base/utf8.h - UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above
// U+10FFFF; and which characters are shown as they are.
#ifndef HOIST_SRC_BASE_UTF8_H
#define HOIST_SRC_BASE_UTF8_H

#include "hoist/base.h"

// Bytes (1 to 4) of the well-formed sequence that starts at `at`; 0 when there is none, be it
// malformed or cut short, or `at` is not inside `text`.
size_t hoist_utf8_size(hoist_str text, size_t at);

// Whether all of it is well formed and none of it NUL.
bool hoist_utf8_is_text(hoist_str text);

// Writes `code_point` (at most 0x10FFFF, no surrogate) to `out` and returns its bytes, 1 to 4.
size_t hoist_utf8_encode(uint32_t code_point, char out[4]);

// The code point of the well-formed sequence of `size` bytes at `at`.
uint32_t hoist_utf8_decode(hoist_str text, size_t at, size_t size);

// Whether text for people may hold the character as it is. False for what a terminal or an editor
// obeys, or hides, instead of showing it: control characters, format characters (those that change
// the direction of text among them), separators of lines and of paragraphs; that is, the general
// categories Cc, Cf, Zl and Zp of Unicode 16.
bool hoist_utf8_is_shown(uint32_t code_point);

// hoist_utf8_size() of a character that is shown as it is, else 0.
size_t hoist_utf8_shown_size(hoist_str text, size_t at);

#endif // HOIST_SRC_BASE_UTF8_H
