// formats/tflite/check.h - what the sources of the checks share. Each function reports what is
// wrong with its part and returns HOIST_OK or HOIST_NO_MEMORY.
#ifndef HOIST_SRC_FORMATS_TFLITE_CHECK_H
#define HOIST_SRC_FORMATS_TFLITE_CHECK_H

#include "formats/tflite/rules.h"
#include "formats/tflite/tflite.h"

typedef struct tflite_checker {
    const tflite_module *module; // borrowed
    const tflite_model *model;   // its model
    hoist_diag *diag;
    bool named_twice; // TFL-026 was reported
} tflite_checker;

// Place of a member of an object of the type that is known under that name.
#define TFLITE_PLACE(checker, what, object, member)                                                \
    tflite_place((checker)->module, &tflite_##what##_type, (object),                               \
                 offsetof(tflite_##what, member))

// Those of a subgraph run below its object path.
void tflite_check_tensors(tflite_checker *c, const tflite_subgraph *graph);   // check_tensor.c
void tflite_check_operators(tflite_checker *c, const tflite_subgraph *graph); // check_operator.c
void tflite_check_options(tflite_checker *c, const tflite_operator *op,
                          const tflite_operator_row *row); // check_options.c
// Who writes and who reads the tensors of a subgraph, and their names.
HOIST_NODISCARD hoist_status tflite_check_flow(tflite_checker *c, const tflite_subgraph *graph);
HOIST_NODISCARD hoist_status tflite_check_calls(tflite_checker *c);      // check_calls.c
HOIST_NODISCARD hoist_status tflite_check_external(tflite_checker *c);   // check_external.c
HOIST_NODISCARD hoist_status tflite_check_signatures(tflite_checker *c); // check_signature.c

// The subgraphs that the options of an operator name, at most two; returns how many. check_calls.c
size_t tflite_callees(const tflite_operator *op, int64_t out_callees[2]);

#endif // HOIST_SRC_FORMATS_TFLITE_CHECK_H
