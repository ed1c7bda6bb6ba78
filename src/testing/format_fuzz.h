// testing/format_fuzz.h - what fuzz targets of formats that are text have in common.
#ifndef HOIST_SRC_TESTING_FORMAT_FUZZ_H
#define HOIST_SRC_TESTING_FORMAT_FUZZ_H

#include "formats/format.h"

// Any bytes through the reader of `format`; what it makes is visited, written and read again. A
// file without errors must come back as the same module, and be written the same the second time;
// so in each dialect. For LLVMFuzzerTestOneInput: 0.
int fuzz_text_format(const hoist_format *format, const uint8_t *data, size_t size);

#endif // HOIST_SRC_TESTING_FORMAT_FUZZ_H
