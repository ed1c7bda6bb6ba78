// Reads any bytes as gzip, within limits; what was accepted without a finding comes back when it is
// written and read again. The bytes themselves, written, come back as well.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "codec/gzip.h"
#include "testing/fuzz.h"

static const hoist_rule rule = {.id = "F", .severity = HOIST_ERROR};
static const hoist_gzip_options options = {
    .rules = {&rule, &rule, &rule}, .max_bytes = 1 << 20, .max_ratio = 100};

static void round_trip(hoist_bytes bytes, int level)
{
    static const hoist_gzip_options unlimited = {.rules = {&rule, &rule, &rule}};
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_buffer out;
    hoist_mut_bytes back;
    hoist_buffer_init(&out, alloc);
    fuzz_require(hoist_gzip_write(bytes, level, NULL, &out) == HOIST_OK);
    fuzz_require(hoist_gzip_is(hoist_buffer_bytes(&out)));
    fuzz_require(hoist_gzip_read(hoist_buffer_bytes(&out), &unlimited, alloc, NULL, &back) ==
                 HOIST_OK);
    fuzz_require(back.size == bytes.size);
    fuzz_require(back.size == 0 || memcmp(back.data, bytes.data, back.size) == 0);
    hoist_free(alloc, back.data, back.size);
    hoist_buffer_deinit(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_allocator alloc = hoist_allocator_system();
    const hoist_bytes input = {data, size};
    hoist_diag *diag = NULL;
    hoist_mut_bytes result;
    if (hoist_diag_create(alloc, NULL, &diag) != HOIST_OK) {
        return 0;
    }
    const hoist_status status = hoist_gzip_read(input, &options, alloc, diag, &result);
    fuzz_require(status == HOIST_OK || hoist_diag_count(diag, HOIST_ERROR) > 0);
    fuzz_require(status != HOIST_LIMIT || result.size == 0);
    fuzz_require(result.size <= options.max_bytes);
    if (hoist_diag_count(diag, HOIST_ERROR) == 0) {
        round_trip((hoist_bytes){result.data, result.size}, 1);
    }
    round_trip(input, size ? data[0] % 10 : 0);
    hoist_free(alloc, result.data, result.size);
    hoist_diag_destroy(diag);
    return 0;
}
