// formats/tensors/module.h - the typed model of a text of tensors: each line defines a float32
// tensor under a new name, or names one that is an output.
//
//     tensors 1
//     input a 2x3
//     const b 3x2 1 2 3 4 5 6
//     matmul c a b
//     add d c c
//     output d
//
// Words have blanks between them, and any of them may be a name. matmul multiplies the last two
// dimensions of tensors whose other ones are equal; add takes two of one shape. read.c makes
// modules, format.c does all else; lower/tensors makes programs of them.
#ifndef HOIST_SRC_FORMATS_TENSORS_MODULE_H
#define HOIST_SRC_FORMATS_TENSORS_MODULE_H

#include "base/arena.h"
#include "formats/format.h"
#include "ops/compute.h"

#define TENSORS_HEAD "tensors 1"
// Elements of a tensor at most: a line of some bytes must not stand for terabytes.
#define TENSORS_MAX_ELEMENTS (INT64_C(1) << 24)
enum { TENSORS_MAX_OPERANDS = 2 };

typedef enum tensors_kind {
    TENSORS_INPUT = 0,
    TENSORS_CONST,
    TENSORS_MATMUL,
    TENSORS_ADD,
    TENSORS_OUTPUT,
    TENSORS_KIND_COUNT,
} tensors_kind;

// The parts of a statement behind its word, in this order.
typedef struct tensors_kind_row {
    const char *word;
    bool has_name;       // of the tensor that it defines
    bool has_shape;      // 1 to 8 extents with "x" between them
    bool has_data;       // a number for each element
    size_t operands;     // names of tensors above
    hoist_compute_op op; // HOIST_COMPUTE_COUNT: it computes nothing
} tensors_kind_row;
extern const tensors_kind_row tensors_kinds[TENSORS_KIND_COUNT];

typedef struct tensors_statement {
    const tensors_kind_row *kind;
    hoist_loc loc;                         // of its word
    hoist_str name;                        // of the tensor, or of the one that is an output; arena
    hoist_shape shape;                     // of the same: 1 to TENSORS_MAX_ELEMENTS elements
    hoist_bytes data;                      // of a const: little-endian float32; arena
    size_t operands[TENSORS_MAX_OPERANDS]; // indices of statements above
} tensors_statement;

typedef struct tensors_module {
    hoist_module base;
    hoist_arena arena;
    tensors_statement *statements; // owned; those without a fault
    size_t count, capacity;
} tensors_module;

static inline const tensors_module *tensors_of(const hoist_module *module)
{
    return (const tensors_module *)module; // the base is the first member
}

typedef enum ten_rule {
#define TEN_RULE(number, ...) TEN_##number,
#include "formats/tensors/rules.inc"
    TEN_RULE_COUNT,
} ten_rule;
const hoist_rule *tensors_rule(ten_rule rule); // static

// Those of hoist_format. read.c
hoist_status tensors_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                          hoist_module **out_module);
void tensors_destroy(hoist_module *module);

extern const hoist_format hoist_tensors_format;

#endif // HOIST_SRC_FORMATS_TENSORS_MODULE_H
