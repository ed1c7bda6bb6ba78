// codec/yaml_scalar.h - one YAML scalar as text: plain where that reads back, else double-quoted.
#ifndef HOIST_SRC_CODEC_YAML_SCALAR_H
#define HOIST_SRC_CODEC_YAML_SCALAR_H

#include "base/buffer.h"

// True when `text`, written without quotes anywhere in a map or list, block or flow, reads back as
// the same text. Stricter than YAML: commas and brackets are refused in block form too.
bool hoist_yaml_is_plain_safe(hoist_str text);

// Appends `text` in double quotes, on one line. What is not shown as it is (base/utf8.h) is written
// as an escape, bytes that are no UTF-8 become U+FFFD.
void hoist_yaml_write_quoted(hoist_buffer *out, hoist_str text);

#endif // HOIST_SRC_CODEC_YAML_SCALAR_H
