// base/size_text.h - sizes as people read them: "512 B", "4.6 MiB".
#ifndef HOIST_SRC_BASE_SIZE_TEXT_H
#define HOIST_SRC_BASE_SIZE_TEXT_H

#include <stdint.h>

typedef struct hoist_size_text {
    char number[8];   // "512", "1023.9"
    const char *unit; // "B", "KiB" to "EiB"
} hoist_size_text;

// Below 1,024 the bytes; else in the largest unit of which there is one or more, rounded to the
// nearest tenth, a half upwards.
hoist_size_text hoist_size_text_of(uint64_t bytes);

#endif // HOIST_SRC_BASE_SIZE_TEXT_H
