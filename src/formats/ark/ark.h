// formats/ark/ark.h - the functions of hoist_ark_format (format.c), by the files that have them.
#ifndef HOIST_SRC_FORMATS_ARK_ARK_H
#define HOIST_SRC_FORMATS_ARK_ARK_H

#include "formats/ark/module.h"

// read.c
HOIST_NODISCARD hoist_status ark_read(hoist_bytes bytes, const hoist_read_options *options,
                                      hoist_diag *diag, hoist_module **out_module);
void ark_destroy(hoist_module *module);

// visit.c
HOIST_NODISCARD hoist_status ark_visit(const hoist_module *module,
                                       const hoist_dump_options *options, hoist_tree_sink *sink);
HOIST_NODISCARD hoist_status ark_write(const hoist_module *module, hoist_buffer *out);

// dialect.c
extern const char *const ark_written_dialects[]; // NULL ends them
HOIST_NODISCARD hoist_status ark_convert(const hoist_module *module, const char *dialect,
                                         hoist_buffer *out);
// The same as a module, which refers to `from`; what is new in it is in `arena`. Its rows are
// those of `from` where nothing changes.
HOIST_NODISCARD hoist_status ark_in_dialect(const ark_module *from, ark_dialect to,
                                            hoist_arena *arena, ark_module *out_module);

// planner.c; statuses as of hoist_job_plan().
HOIST_NODISCARD hoist_status ark_plan(const hoist_module *module, const hoist_plan_options *options,
                                      hoist_diag *diag, hoist_buffer *out);

// info.c
HOIST_NODISCARD hoist_status ark_info(const hoist_module *module,
                                      const hoist_check_options *options, hoist_diag *diag,
                                      hoist_tree_sink *sink);

// Reports, by the rule of options, that a status is one of too many pieces of memory and not of the
// time; any other status is passed over.
void ark_explain_limit(const hoist_module *module, hoist_status status,
                       const hoist_check_options *options, hoist_diag *diag);

// ark_picture.c
HOIST_NODISCARD hoist_status ark_picture(const hoist_module *module,
                                         const hoist_check_options *options, hoist_diag *diag,
                                         hoist_picture *picture);

#endif // HOIST_SRC_FORMATS_ARK_ARK_H
