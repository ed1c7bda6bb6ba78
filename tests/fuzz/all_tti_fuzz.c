// Any bytes as a PyBuda device image, through all that hoist does with one: the netlist in it above
// all.
#include "all_steps.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    all_steps(&(hoist_bytes){data, size}, 1, "tti");
    return 0;
}
