// Any bytes as a netlist: read, shown, written, and read again.
#include "formats/buda/module.h"
#include "testing/format_fuzz.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text_format(&hoist_buda_format, data, size);
}
