// formats/ark/fields.h - kinds of values that only ARK's files have, and the hooks of their reader;
// the tables of fields are declared in module.h.
#ifndef HOIST_SRC_FORMATS_ARK_FIELDS_H
#define HOIST_SRC_FORMATS_ARK_FIELDS_H

#include "formats/ark/module.h"

typedef enum ark_kind {
    ARK_KIND_TAGS = HOIST_REC_OWN, // ark_tags: [[rank, tag], ...]
    ARK_KIND_OP,                   // ark_ops: one operator, as a list of it
    ARK_KIND_UINT64,               // int64_t: 64 bits without a sign
    ARK_KIND_FLOAT,                // hoist_rec_float: a float32, as ARK's writer spells it
    ARK_KIND_TENSOR,               // ark_tensor *
    ARK_KIND_END,
} ark_kind;

// Objects that the reader looks at once more when all of their keys are there.
typedef enum ark_hooks {
    ARK_HOOKS_NONE = 0,
    ARK_HOOKS_NODE,
    ARK_HOOKS_OP,
    ARK_HOOKS_TENSOR,
    ARK_HOOKS_ARG,
    ARK_HOOKS_COUNT,
} ark_hooks;

extern const hoist_rec_own ark_kinds[]; // by kind - HOIST_REC_OWN

#endif // HOIST_SRC_FORMATS_ARK_FIELDS_H
