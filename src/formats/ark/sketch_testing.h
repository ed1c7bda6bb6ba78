// formats/ark/sketch_testing.h - models as a few short lines, for tests of what follows from them.
//
// A line is an operator, as a node of its own:
//
//     Add 0=0:4x6 1=1:h4x6/8x12+2,3 > 2=2:4x6 > 3=2:4x6 {"Name":{"TYPE":1}} @ 5
//
// Its reads, writes and results; "-" is an empty list. ID=BUFFER:SHAPE/STRIDES+OFFSETS defines a
// tensor, ID alone names it again. Before the shape is a letter for other types than FP32: h
// FP16, b BYTE, u UINT8, i INT32. After the buffer: @R, of rank R; !, external; s or r and R,T: it
// has the tag [R,T] of sending or receiving. Arguments are JSON; numbers after @ are nodes from
// which there is an edge, beyond those whose results are used. A line "rank R of W" may come first.
#ifndef HOIST_SRC_FORMATS_ARK_SKETCH_TESTING_H
#define HOIST_SRC_FORMATS_ARK_SKETCH_TESTING_H

#include "testing/test.h"

// The text of a model; in the test's arena. A sketch that is wrong fails the test.
const char *ark_sketch(hoist_test *t, const char *sketch);

#endif // HOIST_SRC_FORMATS_ARK_SKETCH_TESTING_H
