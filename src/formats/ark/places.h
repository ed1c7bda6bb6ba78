// formats/ark/places.h - how findings name the parts of an ARK file: object paths such as
// "nodes/3/op/read/0", and numbers as the file has them.
#ifndef HOIST_SRC_FORMATS_ARK_PLACES_H
#define HOIST_SRC_FORMATS_ARK_PLACES_H

#include "base/diag.h"
#include "formats/ark/graph.h"

// The lists of tensors of an operator.
typedef enum ark_role {
    ARK_READS = 0,
    ARK_WRITES,
    ARK_RESULTS,
    ARK_ROLE_COUNT,
} ark_role;

// "ReadTensors" of the file.
const char *ark_role_key(ark_role role);
const ark_tensors *ark_role_rows(const ark_op *op, ark_role role);
ark_operands ark_role_operands(const ark_step *step, ark_role role);

// Whether the file has this list or object, and it is one: else the reader reported it.
bool ark_op_has(const ark_op *op, const char *key);

// Frames of the object path; on the caller's stack until it leaves.
typedef struct ark_place {
    hoist_frame owner, op;
} ark_place;

// Operator `index` of node or task `owner`.
void ark_enter_op(hoist_diag *diag, const ark_module *module, uint32_t owner, uint32_t index,
                  ark_place *out_place);
void ark_enter_step(hoist_diag *diag, const ark_graph *graph, const ark_step *step,
                    ark_place *out_place);
void ark_leave(hoist_diag *diag, const ark_place *place);

// A tensor of the operator at hand; left by hoist_diag_pop.
void ark_enter_tensor(hoist_diag *diag, ark_role role, uint32_t index, hoist_frame *out_frame);

// The place of the tensor where the step names it.
hoist_pos ark_operand_pos(const ark_step *step, ark_role role, uint32_t index);

// "[1,512,4096]", for messages; of lists that are longer than any tensor's the begin.
typedef struct ark_dims_text {
    char text[144];
} ark_dims_text;
ark_dims_text ark_dims_shown(const int64_t *dims, int rank);
ark_dims_text ark_ints_shown(const hoist_rec_ints *list);

// "FP32"
const char *ark_dtype_shown(int dtype);

#endif // HOIST_SRC_FORMATS_ARK_PLACES_H
