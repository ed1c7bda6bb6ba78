// tests/fuzz/all_mutate.h - mutations that leave files in one piece: of a part of what a file
// unpacks to, and of a field of a FlatBuffer by its schema. Only where libFuzzer is.
#ifndef HOIST_TESTS_FUZZ_ALL_MUTATE_H
#define HOIST_TESTS_FUZZ_ALL_MUTATE_H

#include "codec/flatbuffer.h"

// libFuzzer's own mutation, and the function that it asks for one where a target has it.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// What `data` becomes: its new size; 0: it is no such file, or the new one is too large.
//
// A part of what a file of `format` unpacks to; of one whose path ends with `ending` a field of the
// FlatBuffer `root`, every other time (NULL: of none).
typedef struct all_part_kind {
    const char *format;
    const char *ending;
    const hoist_fb_type *root;
} all_part_kind;
size_t all_mutate_part(uint8_t *data, size_t size, size_t max_size, unsigned seed,
                       const all_part_kind *kind);
// A scalar, or an item of a vector, of the FlatBuffer `root`.
size_t all_mutate_field(uint8_t *data, size_t size, size_t max_size, unsigned seed,
                        const hoist_fb_type *root);

#endif // HOIST_TESTS_FUZZ_ALL_MUTATE_H
