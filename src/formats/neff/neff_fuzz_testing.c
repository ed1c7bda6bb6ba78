#include "formats/neff/neff_fuzz_testing.h"

#include "base/span.h"
#include "testing/fuzz.h"

const neff_fuzz_member neff_fuzz_graph = NEFF_FUZZ_TEXT(
    "neff.json",
    "{\"nodes\": [{\"op\": \"null\", \"name\": \"input\"}, {\"op\": \"__kelf\", \"name\": "
    "\"sg\", \"attrs\": {\"kelf\": \"kelf-0.json\", \"output\": \"output\"}, \"inputs\": [[0, 0, "
    "0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, 0]], \"node_row_ptr\": [0, 1, 2], \"attrs\": "
    "{\"dltype\": [\"list_str\", [\"float32\", \"uint8\"]], \"shape\": [\"list_shape\", [[2, 8], "
    "[64]]]}}");
const neff_fuzz_member neff_fuzz_kelf = NEFF_FUZZ_TEXT(
    "kelf-0.json", "{\"graphs\": [{\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}], "
                   "\"version\": \"0.5\", \"target\": \"*\"}");

hoist_status neff_fuzz_add_members(neff_module *module, const neff_fuzz_member *members,
                                   size_t count)
{
    module->members = hoist_arena_array(&module->arena, count, sizeof(neff_member));
    if (!module->members) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        neff_member *const own = &module->members[module->member_count++];
        *own = (neff_member){.name = hoist_str_from(members[i].name), .bytes = members[i].bytes};
        HOIST_TRY(hoist_map_add(&module->member_names, own->name, i, NULL));
    }
    return HOIST_OK;
}

void neff_fuzz_check(neff_module *module, hoist_diag *diag, const char *target,
                     neff_fuzz_part *const *parts, size_t count)
{
    const hoist_check_options options = {.arch = hoist_str_from(target)};
    neff_check check = {.module = module, .diag = diag, .options = &options};
    check.generation = neff_generation_for(module, &options, &check.target_given);
    hoist_arena_init(&check.arena, module->base.alloc);
    for (size_t i = 0; i < count; i++) {
        (void)fuzz_came(parts[i](&check));
    }
    hoist_arena_deinit(&check.arena);
}
