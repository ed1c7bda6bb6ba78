// Tokens of compiled models: which of them share the chip's memory.
#include "formats/darwinn/module.h"
#include "load/job.h"

// Counts `*index` down by the tokens of a package and of the chips of a bundle; the one where it is
// 0, or 0.
static uint64_t token_in(const dwn_contents *contents, size_t *index)
{
    uint64_t token = dwn_token_of(contents);
    token = token && (*index)-- == 0 ? token : 0;
    for (uint32_t i = 0; i < contents->chip_count && !token; i++) {
        token = dwn_token_of(&contents->chips[i]);
        token = token && (*index)-- == 0 ? token : 0;
    }
    return token;
}

uint64_t hoist_job_token(const hoist_job *job, size_t index)
{
    uint64_t token = 0;
    for (size_t i = 0; i <= job->nested_count && !token; i++) {
        const hoist_module *module = hoist_job_module(job, i);
        if (!module || module->format != &hoist_darwinn_format) {
            continue;
        }
        const dwn_module *packages = dwn_of(module);
        for (uint32_t k = 0; k < packages->package_count && !token; k++) {
            token = token_in(&packages->packages[k], &index);
        }
    }
    return token;
}
