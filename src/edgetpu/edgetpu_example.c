// Writes the compiled models of examples/tflite anew: edgetpu_example small|layers FILE.
// load/nested compares.
#include <stdio.h>
#include <string.h>

#include "edgetpu/nested_testing.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: edgetpu_example small|layers FILE\n");
        // The models are those of the tests, so that examples change with them only.
        return 2;
    }
    hoist_test t;
    hoist_test_begin(&t);
    const bool has_layers = strcmp(argv[1], "layers") == 0;
    const hoist_bytes bytes = has_layers ? hoist_test_layers_file(&t) : hoist_test_edgetpu_file(&t);
    FILE *const file = fopen(argv[2], "wb");
    const bool written = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    const bool closed = file && fclose(file) == 0;
    hoist_test_end(&t);
    return written && closed ? 0 : 3;
}
