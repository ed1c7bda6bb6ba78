// codec/utf8.h - UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above
// U+10FFFF.
#ifndef HOIST_SRC_CODEC_UTF8_H
#define HOIST_SRC_CODEC_UTF8_H

#include "hoist/base.h"

// Bytes (1 to 4) of the well-formed sequence that starts at `at`; 0 when there is none, be it
// malformed or cut short, or `at` is not inside `text`.
size_t hoist_utf8_size(hoist_str text, size_t at);

// Whether all of it is well formed and none of it NUL.
bool hoist_utf8_is_text(hoist_str text);

// Writes `code_point` (at most 0x10FFFF, no surrogate) to `out` and returns its bytes, 1 to 4.
size_t hoist_utf8_encode(uint32_t code_point, char out[4]);

#endif // HOIST_SRC_CODEC_UTF8_H
