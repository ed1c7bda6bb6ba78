// Where findings are: the file itself, its inflated archive, or a member. Readers and checks enter
// a member before they report; rules.c has the reporting itself.
#include "base/span.h"
#include "formats/neff/neff.h"

// The diag copies its arguments, and most calls name the place that it is at already.
static void enter(hoist_diag *diag, hoist_str member)
{
    if (!hoist_str_equal(hoist_diag_member(diag), member)) {
        hoist_diag_source(diag, hoist_diag_file(diag), member);
    }
}

void neff_enter(const neff_module *module, hoist_diag *diag, uint32_t member)
{
    enter(diag, member == NEFF_NONE ? HOIST_STR("") : module->members[member].name);
    // Offsets of findings are those of the inflated bytes, which the file does not have.
}

void neff_enter_archive(const neff_module *module, hoist_diag *diag)
{
    enter(diag, module->gzip ? HOIST_STR("archive.tar") : HOIST_STR(""));
}

hoist_str neff_first_error(const hoist_diag *diag, size_t first, hoist_arena *arena)
{
    // `first` skips what was reported before the caller began.
    for (size_t i = first; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *const f = hoist_diag_at(diag, i);
        if (f->severity == HOIST_ERROR) {
            return hoist_arena_format(arena, "%.*s%s%.*s (%s)", HOIST_STR_ARGS(f->member),
                                      f->member.size ? ": " : "", (int)f->message.size,
                                      f->message.data, f->rule->id);
        }
    }
    // The diag keeps only so many findings.
    return hoist_arena_str(arena, HOIST_STR("too much was found to name the first error"));
}
