// Hints of executables whose instructions have changed, for `hoist pack`: made anew by
// hints_make.c, and written into the executable where they differ from the stored ones.
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/package_parts.h"
#include "formats/darwinn/read.h"

// FOLD_006: the instructions are at fault, not the hints.
static hoist_status refuse(hoist_diag *diag, const char *why)
{
    return hoist_fail(diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_006), hoist_loc_none(),
                      "hints cannot be made of the instructions: %s", why);
}

static const char *reason_of(const dwn_program_run *run)
{
    if (run->run.end != DWN_SCALAR_DONE) {
        return dwn_scalar_end_text(run->run.end);
    }
    return run->unknown ? "they send what is of no known buffer" : "there are none";
}

// Equal hints are not written again, so that packing what was unpacked gives the same bytes.
static bool is_same(const dwn_executable *rows, const dwn_hint *stored, size_t count,
                    const dwn_program_run *run, bool is_whole)
{
    bool same = rows->dma_hints && rows->dma_hints->fully_deterministic == is_whole &&
                count == run->hint_count;
    for (size_t i = 0; same && i < count; i++) {
        same = dwn_hint_equal(&stored[i], &run->hints[i]);
    }
    return same;
}

// A transfer of parameters beyond those that there are: the address of a chunk that was linked, or
// was never meant for this executable.
static bool sends_nothing(const dwn_executable *rows, const dwn_program_run *run)
{
    bool found = false;
    for (size_t i = 0; i < run->hint_count && !found; i++) {
        const dwn_hint *const hint = &run->hints[i];
        found = hint->kind == DWN_HINT_DMA && hint->desc == DWN_DESC_PARAMETER &&
                (hint->offset < 0 || hint->size > (int64_t)rows->parameters.size - hint->offset);
    }
    return found;
}

// Makes the hints of an executable and puts them into its rows; `*out_same`: they are what it has.
static hoist_status make(const dwn_image *image, hoist_arena *arena, hoist_diag *diag,
                         bool *out_same)
{
    dwn_program_run run;
    dwn_hint *stored = NULL;
    size_t count = 0;
    bool is_whole = false;
    HOIST_TRY(dwn_hints_of(image->rows, arena, &stored, &count));
    hoist_status status = dwn_hints_make(image, arena, &run, &is_whole);
    *out_same = status == HOIST_OK && is_same(image->rows, stored, count, &run, is_whole);
    if (status == HOIST_INVALID) {
        return refuse(diag, reason_of(&run));
    }
    if (status == HOIST_OK && sends_nothing(image->rows, &run)) {
        return refuse(diag, "they send parameters that the executable does not have");
    }
    if (status == HOIST_OK && !*out_same) {
        status =
            dwn_hints_store(run.hints, run.hint_count, is_whole, arena, &image->rows->dma_hints);
        return status == HOIST_INVALID ? refuse(diag, "a number in them is too large") : status;
    }
    return status == HOIST_LIMIT ? refuse(diag, "they are too many") : status;
}

// `*out_bytes` is the executable itself, or a new one in the arena.
hoist_status dwn_frame_make_hints(hoist_bytes executable, hoist_arena *arena, hoist_diag *diag,
                                  hoist_bytes *out_bytes)
{
    dwn_frame frame;
    bool same = true;
    *out_bytes = executable;
    HOIST_TRY(dwn_frame_read(DWN_LEVEL_EXECUTABLE, executable, arena, &frame));
    if (!frame.rows || !frame.count) {
        return refuse(diag, "the executable cannot be read");
    }
    // Reading chunks needs a module for places, which nothing reports here.
    dwn_module module = {.bytes = executable};
    dwn_reader reader = {.module = &module, .arena = arena};
    dwn_image image = {.rows = frame.rows, .bytes = executable};
    HOIST_TRY(dwn_read_chunks(&reader, &image));
    HOIST_TRY(make(&image, arena, diag, &same));
    if (same) {
        return HOIST_OK;
    }
    hoist_buffer out;
    hoist_buffer_init(&out, arena->alloc);
    hoist_status status = dwn_frame_write_rows(&frame, arena, diag, &out);
    if (status == HOIST_OK) {
        status = hoist_buffer_keep(&out, arena, out_bytes);
    }
    hoist_buffer_deinit(&out);
    return status;
}
