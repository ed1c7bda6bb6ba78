// formats/ark/ops_table.h - what is known of each type of operator, a row each: how many tensors
// and which arguments it has, how shapes and element types follow from each other (ark reference
// sections 5 and 8.1).
//
// The checks go by these rows (check_args.c, check_ops.c), and so may lowering and planning. The
// spelling of types is in words.c.
#ifndef HOIST_SRC_FORMATS_ARK_OPS_TABLE_H
#define HOIST_SRC_FORMATS_ARK_OPS_TABLE_H

#include "formats/ark/module.h"

// Numbers of tensors: at least and at most. ARK_MANY: no limit. A list of tensors that has another
// length is M50.
enum { ARK_MANY = UINT8_MAX };
typedef struct ark_arity {
    uint8_t least, most;
} ark_arity;

typedef enum ark_class {
    ARK_CLASS_COMPUTE = 0, // from memory of this rank to memory of this rank
    ARK_CLASS_VIRTUAL,     // names memory; nothing is executed
    ARK_CLASS_MESSAGE,     // involves other ranks
    ARK_CLASS_NOTHING,     // Noop
} ark_class;

// How the shape of write 0 follows; extents are aligned at the last dimension to broadcast.
typedef enum ark_shape_rule {
    ARK_SHAPE_ANY = 0,
    ARK_SHAPE_PAIR, // what reads 0 and 1 broadcast to
    ARK_SHAPE_ROPE, // the same, with even and equal last dimensions
    ARK_SHAPE_INTO, // one to which read 0 broadcasts
    ARK_SHAPE_REDUCE,
    ARK_SHAPE_TRANSPOSE,
    ARK_SHAPE_MATMUL,
    ARK_SHAPE_EMBEDDING,
    ARK_SHAPE_VIEW, // result 0: another geometry in the buffer of read 0
} ark_shape_rule;

typedef struct ark_arg_def {
    const char *name;
    ark_arg_kind kind;
    uint8_t dialects;   // that require it, a bit each (1 << ark_dialect); others may have it
    const char *former; // the name that ARK's documentation has, which is accepted; or NULL
} ark_arg_def;

// `dtypes` are a matter of meaning, `kernels` one of ARK alone (M63).
typedef struct ark_op_def {
    ark_arity reads, writes, results;
    ark_class class;
    ark_shape_rule shape;
    bool one_dtype;   // all reads and writes have the same
    uint16_t dtypes;  // of write 0 that are possible, a bit each (1 << ark_dtype)
    uint16_t kernels; // of write 0 for which ARK has a kernel
    uint8_t arg_count;
    const ark_arg_def *args;
} ark_op_def;

// The row of a type; NULL for ARK_OP_UNKNOWN.
const ark_op_def *ark_op_def_of(int type);

// The argument of a type called `name`, by its former name too; NULL: it has none.
const ark_arg_def *ark_arg_def_find(const ark_op_def *def, hoist_str name);

static inline bool ark_arity_has(ark_arity arity, size_t count)
{
    return count >= arity.least && (arity.most == ARK_MANY || count <= arity.most);
}

#endif // HOIST_SRC_FORMATS_ARK_OPS_TABLE_H
