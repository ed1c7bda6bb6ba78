// Which level of compression a gzip was written with: found by trying, on its beginning. manifest.c
// writes it down, so that packing gives the bytes that were unpacked. Only zlib's own output can be
// found; of other compressors the result is -1.
#include <string.h>

#include "base/alloc.h"
#include "codec/gzip.h"
#include "formats/neff/pack.h"

enum {
    TRIED_BYTES = 256 * 1024, // of the archive
    // At its end a shorter stream differs from a longer one of the same data: by its last block and
    // the trailer.
    LAST_BYTES = 64 * 1024,
};

// Whether `archive` at `level` begins as `payload` does. A complete trial is compared completely;
// of a partial one the end is left out, which differs because the data ends there.
static hoist_status fits(hoist_bytes archive, hoist_bytes payload, int level, hoist_allocator alloc,
                         bool *out_fits)
{
    const bool all = archive.size <= TRIED_BYTES;
    const hoist_bytes part = {archive.data, all ? archive.size : TRIED_BYTES};
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = hoist_gzip_write(part, level, NULL, &out);
    const size_t kept = all ? out.size : out.size > LAST_BYTES ? out.size - LAST_BYTES : 0;
    *out_fits =
        status == HOIST_OK && kept <= payload.size && memcmp(out.data, payload.data, kept) == 0;
    hoist_buffer_deinit(&out);
    return status;
}

hoist_status neff_find_level(hoist_bytes archive, hoist_bytes payload, hoist_allocator alloc,
                             int *out_level)
{
    // Likely ones first: the compiler's, zlib's own, the best.
    static const int levels[] = {NEFF_LEVEL, 6, 9, 2, 3, 4, 5, 7, 8, 0};
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        bool found = false;
        HOIST_TRY(fits(archive, payload, levels[i], alloc, &found));
        if (found) {
            *out_level = levels[i];
            return HOIST_OK;
        }
    }
    *out_level = -1;
    return HOIST_OK;
}
