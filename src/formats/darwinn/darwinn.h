// formats/darwinn/darwinn.h - the functions of hoist_darwinn_format, by file.
#ifndef HOIST_SRC_FORMATS_DARWINN_DARWINN_H
#define HOIST_SRC_FORMATS_DARWINN_DARWINN_H

#include "formats/darwinn/module.h"

int dwn_sniff(hoist_bytes head, hoist_str file_name); // format.c
HOIST_NODISCARD hoist_status dwn_read(hoist_bytes bytes, const hoist_read_options *options,
                                      hoist_diag *diag, hoist_module **out_module); // format.c
void dwn_destroy(hoist_module *module);                                             // format.c
// The chip of the first package's main executable. format.c
hoist_target dwn_target(const hoist_module *module, const hoist_check_options *options);
HOIST_NODISCARD hoist_status dwn_check_all(hoist_module *module, const hoist_check_options *options,
                                           hoist_diag *diag); // check.c
HOIST_NODISCARD hoist_status dwn_visit(const hoist_module *module,
                                       const hoist_dump_options *options,
                                       hoist_tree_sink *sink); // visit.c
HOIST_NODISCARD hoist_status dwn_info(const hoist_module *module,
                                      const hoist_check_options *options, hoist_diag *diag,
                                      hoist_tree_sink *sink); // info.c
HOIST_NODISCARD hoist_status dwn_picture(const hoist_module *module,
                                         const hoist_check_options *options, hoist_diag *diag,
                                         hoist_picture *picture); // package_picture.c
HOIST_NODISCARD hoist_status dwn_link_module(const hoist_module *module,
                                             const hoist_link_options *options, hoist_diag *diag,
                                             hoist_mut_bytes bytes,
                                             hoist_link_result *result); // link_module.c
// Puts other parameters into `bytes`, a copy of the module's: all of an executable first, in
// whatever order they are given, and arrays of layers into them. exchange_parameters.c
HOIST_NODISCARD hoist_status dwn_exchange(const hoist_module *module,
                                          const hoist_new_parameters *items, size_t count,
                                          hoist_diag *diag, hoist_mut_bytes bytes);
// Whether a name of the user's means the buffer of a kind and, of layers, a name. link_module.c
bool dwn_link_means(const char *buffer, int16_t desc, hoist_str name);
// Whether every address of the user's is of a buffer that some executable has, by the flags `used`.
// HOIST_OK; HOIST_NOT_FOUND with a finding, DWN-085. link_module.c
HOIST_NODISCARD hoist_status dwn_link_check_used(const hoist_link_address *addresses,
                                                 const bool *used, size_t count, hoist_diag *diag);
// What a run sends over USB. usb_stream.c
HOIST_NODISCARD hoist_status dwn_stream_module(const hoist_module *module,
                                               const hoist_stream_options *options,
                                               hoist_diag *diag, hoist_arena *arena,
                                               hoist_buffer *out, hoist_stream *stream);
HOIST_NODISCARD hoist_status dwn_disasm(const hoist_module *module,
                                        const hoist_check_options *check,
                                        const hoist_disasm_options *options, hoist_diag *diag,
                                        hoist_buffer *out, hoist_tree_sink *sink); // disasm.c
// The arrays of its layers, decoded, and what was not understood. recover_arrays.c
HOIST_NODISCARD hoist_status dwn_recover_module(const hoist_module *module,
                                                const hoist_recovery_sink *sink);
// The tokens of its packages. marks.c
HOIST_NODISCARD hoist_status dwn_marks(const hoist_module *module, hoist_arena *arena,
                                       const hoist_mark **out_marks, size_t *out_count);
uint64_t dwn_token_at(const hoist_module *module, size_t *index); // hoist_format.token. marks.c
// Its members as files, and back. package_unpack.c, package_pack.c
HOIST_NODISCARD hoist_status dwn_unpack(const hoist_module *module,
                                        const hoist_unpack_options *options, hoist_diag *diag,
                                        hoist_part_sink *sink);
HOIST_NODISCARD hoist_status dwn_pack(const hoist_part *parts, size_t count,
                                      const hoist_pack_options *options, hoist_diag *diag,
                                      hoist_buffer *out);
// The bytes that it was read from. format.c
HOIST_NODISCARD hoist_status dwn_write(const hoist_module *module, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_DARWINN_DARWINN_H
