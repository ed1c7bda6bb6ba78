// Any texts, one after the other with a zero byte between them, as the files of
// a job: read, checked one by one and together, and lowered when no rule is
// broken. A job that passes the checks comes to its end in whatever order its
// ranks run.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/ark/module.h"
#include "lower/ark/lower.h"
#include "lower/lower_fuzz_testing.h"

enum { FUZZ_MEMORY = 256 << 20, MAX_FILES = 4 };

static const fuzz_way in_order = {.max_steps = 20000, .never_stuck = true};

static size_t read_files(hoist_bytes input, hoist_allocator alloc, hoist_diag *diag,
                         hoist_file *files)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    size_t count = 0;
    while (count < MAX_FILES && input.size) {
        const uint8_t *end = memchr(input.data, '\0', input.size);
        const size_t size = end ? (size_t)(end - input.data) : input.size;
        hoist_module *module = NULL;
        const hoist_status status = hoist_format_read(
            &hoist_ark_format, (hoist_bytes){input.data, size}, &options, diag, &module);
        fuzz_require((status == HOIST_OK) == (module != NULL));
        if (!module) {
            break;
        }
        files[count++] = (hoist_file){.module = module, .name = HOIST_STR("fuzz")};
        input = (hoist_bytes){input.data + size + (end != NULL), input.size - size - (end != NULL)};
    }
    return count;
}

static bool are_sound(const hoist_file *files, size_t count, hoist_diag *diag)
{
    const hoist_check_options options = {0};
    bool came = true;
    for (size_t i = 0; came && i < count; i++) {
        hoist_module *module = (hoist_module *)(uintptr_t)files[i].module;
        came = fuzz_came(hoist_ark_format.check(module, &options, diag));
    }
    if (!came) {
        return false;
    }
    const hoist_status status = hoist_ark_format.check_job(files, count, &options, diag);
    return status != HOIST_NOT_FOUND && fuzz_came(status) &&
           hoist_diag_count(diag, HOIST_ERROR) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    // Half of the inputs, by their size, with products that are fast.
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .numerics = size % 2 ? HOIST_NUMERICS_FAST
                                                              : HOIST_NUMERICS_REFERENCE};
    hoist_file files[MAX_FILES];
    hoist_diag *diag = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const size_t count =
        read_files((hoist_bytes){data, size}, hoist_budget_allocator(&budget), diag, files);
    if (count && are_sound(files, count, diag)) {
        fuzz_lower_files(ark_lower, files, count, &options, &in_order, diag);
    }
    for (size_t i = 0; i < count; i++) {
        hoist_ark_format.destroy((hoist_module *)(uintptr_t)files[i].module);
    }
    fuzz_require(budget.used == 0);
    hoist_diag_destroy(diag);
    return 0;
}
