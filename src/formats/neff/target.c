// The generation that a file is checked for (neff reference 3.1.1): --target, else the kelf's
// target. Opcodes, limits of queues and semaphores and several rules depend on it (words.c).
#include "base/span.h"
#include "formats/neff/neff.h"

int neff_generation_of_file(const neff_module *module)
{
    for (uint32_t i = 0; i < module->kelf_count; i++) { // a kelf that is no JSON names none
        if (module->kelfs[i].text.json.count > 0) {
            return module->kelfs[i].generation;
        }
    }
    return -1;
}

int neff_generation_for(const neff_module *module, const hoist_check_options *options,
                        bool *out_given)
{
    // -1 also for a name that is none of ours.
    const int asked = options ? neff_generation_of_target(options->arch) : -1;
    *out_given = asked >= 0;
    if (asked >= 0) {
        return asked;
    }
    const int own = neff_generation_of_file(module);
    // An unknown spelling is rule 24a's; the other rules apply as for "*", which is the mildest.
    return own < 0 ? NEFF_ANY_GENERATION : own;
}

hoist_target neff_target(const hoist_module *module, const hoist_check_options *options)
{
    bool given = false;
    const int generation = neff_generation_for(neff_of(module), options, &given);
    const neff_generation_row *const row = &neff_generations[generation];
    if (given) {
        const bool alias = row->alias && hoist_str_equal_c(options->arch, row->alias);
        return (hoist_target){alias ? row->alias : row->target, "option"};
    }
    // --target was given, but not understood: no target is better than the file's.
    if (options && options->arch.size > 0) {
        return (hoist_target){NULL, NULL};
    }
    return neff_generation_of_file(neff_of(module)) < 0 ? (hoist_target){NULL, NULL}
                                                        : (hoist_target){row->target, "file"};
}
