// formats/tti/tti.h - what the sources of this folder share: reading in its steps, and the
// functions of the format's row (format.c).
#ifndef HOIST_SRC_FORMATS_TTI_TTI_H
#define HOIST_SRC_FORMATS_TTI_TTI_H

#include "formats/tti/module.h"
#include "formats/tti/rules.h"

static inline const tti_module *tti_of(const hoist_module *module)
{
    return (const tti_module *)module;
}

// The archive's members, and the folder of the image in it. HOIST_OK, also with errors reported;
// HOIST_INVALID: the file is no archive; HOIST_LIMIT, HOIST_NO_MEMORY. container.c
HOIST_NODISCARD hoist_status tti_read_container(tti_module *module, hoist_diag *diag);
// device.json into `state` and `tensors`. HOIST_OK, whatever was found; HOIST_LIMIT,
// HOIST_NO_MEMORY. state.c
HOIST_NODISCARD hoist_status tti_read_state(tti_module *module, hoist_diag *diag);

// Names the member that later findings are in; TTI_NONE: the archive. container.c
void tti_enter(const tti_module *module, hoist_diag *diag, uint32_t member);
// The member `name` of a folder ("", "tensors/") in that of the image; `*out_member` TTI_NONE:
// there is none. HOIST_OK, HOIST_NO_MEMORY. container.c
HOIST_NODISCARD hoist_status tti_member_below(tti_module *module, const char *folder,
                                              hoist_str name, uint32_t *out_member);
// The part of a path after its last slash. container.c
hoist_str tti_last_part(hoist_str path);
// Finds the members that device.json names, and gives all their roles. HOIST_OK, HOIST_NO_MEMORY.
// container.c
HOIST_NODISCARD hoist_status tti_name_roles(tti_module *module);

// As the members of hoist_format with these names.
HOIST_NODISCARD hoist_status tti_check(hoist_module *module, const hoist_check_options *options,
                                       hoist_diag *diag);
HOIST_NODISCARD hoist_status tti_info(const hoist_module *module,
                                      const hoist_check_options *options, hoist_diag *diag,
                                      hoist_tree_sink *sink);
HOIST_NODISCARD hoist_status tti_visit(const hoist_module *module,
                                       const hoist_dump_options *options, hoist_tree_sink *sink);
HOIST_NODISCARD hoist_status tti_unpack(const hoist_module *module,
                                        const hoist_unpack_options *options, hoist_diag *diag,
                                        hoist_part_sink *sink);
HOIST_NODISCARD hoist_status tti_recover(const hoist_module *module,
                                         const hoist_recovery_sink *sink);
HOIST_NODISCARD hoist_status tti_held(const hoist_module *module, hoist_held *out_held);

#endif // HOIST_SRC_FORMATS_TTI_TTI_H
