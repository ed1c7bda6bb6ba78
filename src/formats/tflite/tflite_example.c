// Writes examples/tflite/classifier.tflite anew: tflite_example FILE. The test of the format
// compares.
#include <stdio.h>

#include "base/alloc.h"
#include "formats/tflite/tflite_testing.h"

static bool write_file(const char *path, hoist_bytes bytes)
{
    FILE *const file = fopen(path, "wb");
    const bool written = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    return file && fclose(file) == 0 && written;
}

// Exit status 0, 2 for a wrong command line, 3 where the model could not be written.
int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: tflite_example FILE\n");
        return 2;
    }
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    const tflite_model *const model = tflite_test_model(&arena);
    const hoist_status status = hoist_fb_write(&tflite_model_type, model, TFLITE_IDENTIFIER, &out);
    const bool done = status == HOIST_OK && write_file(argv[1], hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    return done ? 0 : 3;
}
