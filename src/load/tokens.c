// Tokens of compiled models: which of them share the chip's memory.
#include "formats/darwinn/module.h"
#include "load/job.h"

// The token of a package's main executable; 0: it has none.
static uint64_t token_of(const dwn_contents *contents)
{
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_executable *main = roles.main == DWN_NONE ? NULL : contents->images[roles.main].rows;
    return main ? main->parameter_caching_token : 0;
}

uint64_t hoist_job_token(const hoist_job *job, size_t index)
{
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *module = hoist_job_module(job, i);
        if (!module || module->format != &hoist_darwinn_format) {
            continue;
        }
        const dwn_module *packages = dwn_of(module);
        for (uint32_t k = 0; k < packages->package_count; k++) {
            const uint64_t token = token_of(&packages->packages[k]);
            if (token && index-- == 0) {
                return token;
            }
        }
    }
    return 0;
}
