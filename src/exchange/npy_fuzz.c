// Any bytes through the .npy reader, one array after the other; what was read must be written and
// read again to the same array.
#include <string.h>

#include "base/diag.h"
#include "exchange/npy.h"
#include "testing/fuzz.h"

static void fuzz_array(const hoist_array *array)
{
    uint64_t size = 0;
    fuzz_require(array->rank <= HOIST_ARRAY_MAX_RANK && !hoist_array_size(array, &size));
    fuzz_require(size == array->data.size);
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_buffer file;
    hoist_buffer_init(&file, alloc);
    fuzz_require(hoist_npy_header_write(array, NULL, &file) == HOIST_OK && !file.failed);
    fuzz_require(file.size % 64 == 0);
    hoist_buffer_add(&file, array->data);
    hoist_array again;
    fuzz_require(hoist_npy_read(hoist_buffer_bytes(&file), alloc, NULL, &again) == HOIST_OK);
    fuzz_require(again.dtype == array->dtype && again.rank == array->rank && !again.owned);
    fuzz_require(memcmp(again.shape, array->shape, sizeof(again.shape)) == 0);
    fuzz_require(size == 0 || memcmp(again.data.data, array->data.data, (size_t)size) == 0);
    hoist_array_deinit(&again, alloc);
    hoist_buffer_deinit(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_diag *diag = NULL;
    fuzz_require(hoist_diag_create(alloc, NULL, &diag) == HOIST_OK);
    hoist_status status = HOIST_OK;
    for (uint64_t offset = 0; offset < size && status == HOIST_OK;) {
        const uint64_t before = offset;
        hoist_array array;
        status = hoist_npy_read_next((hoist_bytes){data, size}, &offset, alloc, diag, &array);
        fuzz_require(status == HOIST_OK ? offset > before && offset <= size : offset == before);
        fuzz_require(status == HOIST_OK || hoist_diag_count(diag, HOIST_ERROR) == 1);
        if (status == HOIST_OK) {
            fuzz_array(&array);
        }
        hoist_array_deinit(&array, alloc);
    }
    hoist_diag_destroy(diag);
    return 0;
}
