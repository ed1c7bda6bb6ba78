// formats/buda/buda.h - the functions of hoist_buda_format (format.c), one file each.
#ifndef HOIST_SRC_FORMATS_BUDA_BUDA_H
#define HOIST_SRC_FORMATS_BUDA_BUDA_H

#include "formats/buda/module.h"

// An empty module with an arena of its own; NULL when out of memory. model.c
hoist_buda_module *buda_module_create(hoist_allocator alloc);
// Frees it and all it holds; NULL is allowed. model.c
void buda_module_destroy(hoist_module *base);

// The functions of hoist_format, as formats/format.h describes them.
int buda_sniff(hoist_bytes head, hoist_str file_name); // format.c
HOIST_NODISCARD hoist_status buda_read(hoist_bytes bytes, const hoist_read_options *options,
                                       hoist_diag *diag, hoist_module **out_module); // read.c
hoist_target buda_target(const hoist_module *module,
                         const hoist_check_options *options); // net_arch.c
const hoist_arch_verdict *buda_verdicts(const hoist_module *module,
                                        size_t *out_count); // check_archs.c
HOIST_NODISCARD hoist_status buda_visit(const hoist_module *module,
                                        const hoist_dump_options *options,
                                        hoist_tree_sink *sink); // visit.c
HOIST_NODISCARD hoist_status buda_info(const hoist_module *module,
                                       const hoist_check_options *options, hoist_diag *diag,
                                       hoist_tree_sink *sink); // info.c
HOIST_NODISCARD hoist_status buda_picture(const hoist_module *module,
                                          const hoist_check_options *options, hoist_diag *diag,
                                          hoist_picture *picture); // netlist_picture.c
HOIST_NODISCARD hoist_status buda_write(const hoist_module *module, hoist_buffer *out); // write.c

#endif // HOIST_SRC_FORMATS_BUDA_BUDA_H
