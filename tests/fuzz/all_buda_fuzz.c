// Any text as a netlist, through all that hoist does with one.
#include "all_steps.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    all_steps(&(hoist_bytes){data, size}, 1, "buda");
    return 0;
}
