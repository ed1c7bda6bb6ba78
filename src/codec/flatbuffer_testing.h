// codec/flatbuffer_testing.h - a schema with every kind of field, for tests and fuzzing.
#ifndef HOIST_SRC_CODEC_FLATBUFFER_TESTING_H
#define HOIST_SRC_CODEC_FLATBUFFER_TESTING_H

#include "codec/flatbuffer.h"

typedef struct animal {
    hoist_fb_table head;
    hoist_str name;
    int16_t age;
    HOIST_FB_LIST(hoist_str) tags;
} animal;

typedef struct zoo {
    hoist_fb_table head;
    bool flag;
    int8_t tiny;
    uint8_t byte;
    int16_t low;
    uint16_t half;
    int32_t number; // 7 unless given
    uint32_t natural;
    int64_t large;
    uint64_t mask;
    float ratio;
    double exact;
    hoist_str title;
    hoist_bytes blob; // aligned to 4,096
    hoist_bytes ints;
    hoist_bytes longs;
    hoist_bytes floats;
    hoist_bytes ranges;
    animal *first;
    HOIST_FB_LIST(animal) animals;
    HOIST_FB_LIST(hoist_str) words;
    hoist_fb_union thing; // 1: an animal; 2: a plant, which has no row
    int16_t kind;         // zoo_kinds
} zoo;

extern const hoist_fb_type zoo_type;
// The same with fewer rows: what a reader of an older schema knows.
extern const hoist_fb_type old_zoo_type;
// The schema as flatc reads it.
extern const char zoo_schema[];

// An object in `arena` that uses every field.
zoo *zoo_make(hoist_arena *arena);

#endif // HOIST_SRC_CODEC_FLATBUFFER_TESTING_H
