// Any bytes as a model or a plan: read, shown, written in each dialect, and read again.
#include "formats/ark/module.h"
#include "testing/format_fuzz.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_text_format(&hoist_ark_format, data, size);
}
