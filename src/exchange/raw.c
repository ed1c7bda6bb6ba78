// Files of bare elements: type and shape come from the caller, the size has to fit.
#include "exchange/raw.h"

#include "base/span.h"
#include "exchange/exchange_rules.h"

hoist_status hoist_raw_read(hoist_bytes file, hoist_diag *diag, hoist_array *array)
{
    uint64_t size = 0;
    array->data = (hoist_bytes){NULL, 0};
    array->owned = NULL;
    if (hoist_array_size(array, &size)) {
        return hoist_exchange_fail(diag, HOIST_INVALID, HOIST_RAW_001, 0,
                                   "the size of the tensor does not fit 63 bits");
    }
    if (size != file.size) {
        return hoist_exchange_fail(
            diag, HOIST_INVALID, HOIST_RAW_001, 0, "the file has %zu %s, the tensor needs %llu",
            file.size, hoist_plural(file.size, "byte", "bytes"), (unsigned long long)size);
    }
    array->data = file;
    return HOIST_OK;
}

void hoist_raw_write(const hoist_array *array, hoist_output *out)
{
    hoist_output_add(out, array->data);
}
