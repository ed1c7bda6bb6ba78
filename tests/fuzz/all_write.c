// What is made of a file, and opened again.
#include <string.h>

#include "all_parts.h"
#include "all_steps.h"
#include "base/alloc.h"
#include "base/span.h"
#include "testing/fuzz.h"

// Opens what was written; it must be a file of the same content.
static void open_again(const all_file *file, hoist_mut_bytes bytes)
{
    all_file again;
    const hoist_bytes written = {bytes.data, bytes.size};
    if (all_open(written, hoist_job_format(file->job), file->alloc, &again)) {
        fuzz_require(again.is_sound);
        if (!hoist_job_container(file->job)) { // the text is that of the file in it alone
            all_require_same(file, &again);
        }
    } else {
        fuzz_require(hoist_diag_count(again.diag, HOIST_ERROR) == 0); // too little memory
    }
    all_close(&again);
}

void all_write_again(const all_file *file)
{
    hoist_mut_bytes bytes;
    const hoist_status status = hoist_job_write(file->job, &bytes);
    if (status == HOIST_UNSUPPORTED || status == HOIST_INVALID) {
        fuzz_require(status == HOIST_UNSUPPORTED || !file->is_sound);
    } else if (fuzz_came(status)) {
        if (file->is_sound) {
            open_again(file, bytes);
        }
        hoist_job_free_text(file->job, bytes);
    }
}

// In each dialect of its format, and as a plan: what is written opens again without an error.
void all_convert(const all_file *file)
{
    static const char *const dialects[] = {"d1", "d2", "d3"};
    for (size_t i = 0; i <= HOIST_COUNT_OF(dialects); i++) {
        const bool plans = i == HOIST_COUNT_OF(dialects);
        hoist_mut_bytes bytes;
        const hoist_status status =
            plans ? hoist_job_plan(file->job, NULL, file->diag, &bytes)
                  : hoist_job_convert(file->job, dialects[i], file->diag, &bytes);
        if (status != HOIST_UNSUPPORTED && status != HOIST_INVALID && fuzz_came(status)) {
            all_file again;
            const hoist_bytes written = {bytes.data, bytes.size};
            if (all_open(written, hoist_job_format(file->job), file->alloc, &again)) {
                fuzz_require(again.is_sound || !file->is_sound);
            }
            all_close(&again);
            hoist_job_free_text(file->job, bytes);
        }
    }
}

// What was packed opens, and unpacks to the same parts again: what the container says beside them,
// as a wrong hash, is made anew.
static void unpack_again(const all_file *file, const all_parts *parts, hoist_mut_bytes bytes)
{
    all_file again;
    all_parts others;
    const hoist_bytes packed = {bytes.data, bytes.size};
    if (all_open(packed, hoist_job_format(file->job), file->alloc, &again)) {
        const hoist_status status = all_parts_take(&others, again.job, file->alloc);
        if (fuzz_came(status)) {
            fuzz_require(all_parts_same(parts, &others));
        }
        all_parts_drop(&others);
    } else {
        fuzz_require(hoist_diag_count(again.diag, HOIST_ERROR) == 0); // too little memory
    }
    all_close(&again);
}

void all_unpack(const all_file *file)
{
    all_parts parts;
    hoist_mut_bytes bytes;
    const hoist_status status = all_parts_take(&parts, file->job, file->alloc);
    const hoist_status packed =
        status == HOIST_OK ? all_parts_pack(&parts, file->job, file->diag, &bytes) : status;
    if (packed != HOIST_INVALID && packed != HOIST_UNSUPPORTED && fuzz_came(packed)) {
        if (file->is_sound) {
            unpack_again(file, &parts, bytes);
        }
        hoist_pack_free(file->alloc, bytes);
    }
    all_parts_drop(&parts);
}
