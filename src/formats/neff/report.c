// Where findings are: the file itself, its inflated archive, or a member.
#include "base/span.h"
#include "formats/neff/neff.h"

// The diag copies what it is told, and most calls name the place that it is at already.
static void enter(hoist_diag *diag, hoist_str member)
{
    if (!hoist_str_equal(hoist_diag_member(diag), member)) {
        hoist_diag_source(diag, hoist_diag_file(diag), member);
    }
}

void neff_enter(const neff_module *module, hoist_diag *diag, uint32_t member)
{
    enter(diag, member == NEFF_NONE ? HOIST_STR("") : module->members[member].name);
}

void neff_enter_archive(const neff_module *module, hoist_diag *diag)
{
    enter(diag, module->gzip ? HOIST_STR("archive.tar") : HOIST_STR(""));
}
