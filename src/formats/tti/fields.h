// formats/tti/fields.h - the keys of device.json that hoist reads, as rows (codec/record.h). Others
// stay in the JSON text, which `visit` sends as it is.
#ifndef HOIST_SRC_FORMATS_TTI_FIELDS_H
#define HOIST_SRC_FORMATS_TTI_FIELDS_H

#include "formats/tti/module.h"

// A name of an enumeration: "Silicon", or as older writers have it, {"__enum__":
// "BackendType.Silicon"}. The slot is a hoist_rec_str with the last part of the name.
enum { TTI_KIND_ENUM = HOIST_REC_OWN };
extern const hoist_rec_own tti_kinds[];

extern const hoist_rec_table tti_state_table;
extern const hoist_rec_table
    tti_tensor_table; // a value of post_const_eval_constants or _parameters

#endif // HOIST_SRC_FORMATS_TTI_FIELDS_H
