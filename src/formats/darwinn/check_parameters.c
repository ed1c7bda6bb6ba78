// Rule 82, a note: bytes of the parameters that no recovered layer has (darwinn reference section
// 9). In: a package; recovery (recover.h) finds which bytes layers have. Out: one finding for each
// executable.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/check.h"
#include "formats/darwinn/recover.h"

// Bytes of the parameters of an executable that are not understood.
typedef struct unknown_bytes {
    uint64_t count;
    uint64_t first;
} unknown_bytes;

static void add_piece(const dwn_piece *piece, bool is_cached, unknown_bytes *unknown)
{
    if (piece->size && piece->is_cached == is_cached) {
        unknown->first =
            unknown->count && unknown->first < piece->offset ? unknown->first : piece->offset;
        unknown->count += piece->size;
    }
}

// Bytes of layers of unknown kind, and of gaps; the first of them is the finding's place.
static unknown_bytes unknown_of(const dwn_recovery *recovery, bool is_cached)
{
    unknown_bytes unknown = {0, 0};
    for (uint32_t i = 0; i < recovery->count; i++) {
        const dwn_recovered *const layer = &recovery->layers[i];
        for (uint32_t k = 0; layer->kind == DWN_KIND_UNKNOWN && k < layer->piece_count; k++) {
            add_piece(&layer->pieces[k], is_cached, &unknown);
        }
    }
    for (uint32_t i = 0; i < recovery->gap_count; i++) {
        add_piece(&recovery->gaps[i].piece, is_cached, &unknown);
    }
    return unknown;
}

// One finding per executable: the count, and the first byte.
static void report(dwn_check *c, uint32_t image, const dwn_recovery *recovery, bool is_cached)
{
    const unknown_bytes unknown = unknown_of(recovery, is_cached);
    if (image == DWN_NONE || !unknown.count) {
        return;
    }
    const hoist_bytes parameters = c->contents->images[image].rows->parameters;
    hoist_frame frame;
    hoist_diag_push_item(c->diag, &frame, "executables", image);
    dwn_report(c->diag, DWN_082, dwn_place_in_file(c->module, parameters.data + unknown.first),
               "%" PRIu64 " of %zu bytes of the parameters, from byte %" PRIu64
               " on, are of no layer that is understood",
               unknown.count, parameters.size, unknown.first);
    hoist_diag_pop(c->diag, &frame);
}

hoist_status dwn_check_parameters(dwn_check *c)
{
    const dwn_roles roles = dwn_roles_of(c->contents);
    dwn_recovery recovery;
    hoist_arena arena;
    hoist_arena_init(&arena, c->arena.alloc); // recoveries are large, so they go at once
    // In most files layers have all parameters without their words being followed, which takes ten
    // times as long.
    hoist_status status = dwn_recover_parameters(c->contents, &arena, &recovery);
    if (status == HOIST_OK &&
        (unknown_of(&recovery, true).count || unknown_of(&recovery, false).count)) {
        status = dwn_recover_layers(c->contents, &arena, &recovery);
    }
    if (status == HOIST_OK) {
        report(c, roles.caching, &recovery, true);
        report(c, roles.main, &recovery, false);
    }
    hoist_arena_deinit(&arena);
    // Programs that are too long to be followed are no fault of the parameters.
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}
