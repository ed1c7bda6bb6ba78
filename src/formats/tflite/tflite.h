// formats/tflite/tflite.h - what the sources of this folder share: the functions of the format.
#ifndef HOIST_SRC_FORMATS_TFLITE_TFLITE_H
#define HOIST_SRC_FORMATS_TFLITE_TFLITE_H

#include "formats/tflite/module.h"

// Those of hoist_format (formats/format.h).
// formats/format.h states the contract of each: what is given, who frees, which statuses.
int tflite_sniff(hoist_bytes head, hoist_str file_name);
hoist_status tflite_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                         hoist_module **out_module);
hoist_status tflite_check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag);
hoist_status tflite_visit(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink);
hoist_status tflite_info(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_tree_sink *sink);
hoist_status tflite_picture(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_picture *picture);
hoist_status tflite_payloads(const hoist_module *module, hoist_arena *arena,
                             hoist_payload **out_payloads, size_t *out_count);
hoist_status tflite_text(const hoist_module *module, const hoist_piece_sink *sink);
hoist_status tflite_write(const hoist_module *module, hoist_buffer *out);
hoist_status tflite_facts(const hoist_module *module, hoist_str port, hoist_port_facts *out_facts);
hoist_status tflite_labels(const hoist_module *module, hoist_str port, hoist_buffer *out);

// recover.c
hoist_status tflite_recover(const hoist_module *module, const hoist_recovery_sink *sink);

// The file of a folder that holds the model without its payloads. model_parts.c
#define TFLITE_FRAME_NAME "model.tflite"
hoist_status tflite_unpack(const hoist_module *module, const hoist_unpack_options *options,
                           hoist_diag *diag, hoist_part_sink *sink);
hoist_status tflite_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                         hoist_diag *diag, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_TFLITE_TFLITE_H
