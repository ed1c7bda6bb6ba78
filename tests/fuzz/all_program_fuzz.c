// Any text as a program of its own, through all that hoist does with one, runs with data included.
#include "all_steps.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_bytes file = {data, size};
    all_steps(&file, 1, "program");
    return 0;
}
