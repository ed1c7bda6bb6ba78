// Any bytes through the readers of .npz and safetensors files; what was read must be written as a
// safetensors file, and read again to the same arrays.
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "exchange/array_set.h"
#include "exchange/zip_library.h"
#include "testing/fuzz.h"

static void require_same(const hoist_array_set *set, const hoist_array_set *again)
{
    fuzz_require(hoist_array_set_count(again) == hoist_array_set_count(set));
    for (size_t i = 0; i < hoist_array_set_count(again); i++) {
        hoist_array a;
        hoist_array b = {0};
        const hoist_str name = hoist_array_set_at(again, i, &a);
        bool found = false;
        for (size_t k = 0; !found && k < hoist_array_set_count(set); k++) {
            found = hoist_str_equal(hoist_array_set_at(set, k, &b), name);
        }
        fuzz_require(found && a.dtype == b.dtype && a.rank == b.rank && a.data.size == b.data.size);
        fuzz_require(memcmp(a.shape, b.shape, sizeof(a.shape)) == 0);
        fuzz_require(a.data.size == 0 || memcmp(a.data.data, b.data.data, a.data.size) == 0);
    }
}

// Bit patterns without a type, and names that are no UTF-8, have no place in such a file.
static void write_and_read(const hoist_array_set *set, hoist_diag *diag)
{
    hoist_mut_bytes file;
    if (hoist_array_set_safetensors(set, NULL, &file) != HOIST_OK) {
        return;
    }
    hoist_array_set *again = NULL;
    const hoist_bytes bytes = {file.data, file.size};
    if (hoist_array_set_read(bytes, NULL, hoist_allocator_system(), diag, &again) == HOIST_OK) {
        require_same(set, again);
    }
    hoist_array_set_destroy(again);
    hoist_array_set_free_bytes(set, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hoist_zip_library stays; // loaded once for all inputs
    const char *reason = NULL;
    if (!stays.handle) {
        (void)hoist_zip_load(&stays, &reason);
    }
    hoist_diag *diag = NULL;
    hoist_array_set *set = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status =
        hoist_array_set_read((hoist_bytes){data, size}, NULL, hoist_allocator_system(), diag, &set);
    fuzz_require(status == HOIST_OK ? set != NULL
                                    : !set && hoist_diag_count(diag, HOIST_ERROR) > 0);
    if (set) {
        write_and_read(set, diag);
    }
    hoist_array_set_destroy(set);
    hoist_diag_destroy(diag);
    return 0;
}
