// Computes and collectives: PRG-032 to PRG-036, PRG-041.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Computes.
    {"inputs", HOIST_STEPS("compute ieee.add from [x f32[4], x f32[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute ieee.add from [x f32[4]] to [y f32[4]]\n"),
     "3:1 threads/main/steps/0: 1 inputs and 1 outputs, expected 2 and 1 [PRG-032]"},
    {"not more inputs", HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4], x f32[4]] to [y f32[4]]\n"),
     "3:1 threads/main/steps/0: 2 inputs and 1 outputs, expected 1 and 1 [PRG-032]"},
    {"an output", HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to []\n"),
     "3:1 threads/main/steps/0: 1 inputs and 0 outputs, expected 1 and 1 [PRG-032]"},
    {"one output", HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4], y f32[4] + 16]\n"),
     "3:1 threads/main/steps/0: 1 inputs and 2 outputs, expected 1 and 1 [PRG-032]"},
    {"golden works on tiles",
     HOIST_STEPS("compute golden.exp from [t f32 tiled()] to [t f32 tiled()]\n"),
     HOIST_STEPS("compute golden.exp from [x f32[1024]] to [t f32 tiled()]\n"),
     "3:1 threads/main/steps/0: operand 0 is strided, expected tiled views [PRG-032]"},
    {"and makes tiles", HOIST_STEPS("compute golden.exp from [t f32 tiled()] to [t f32 tiled()]\n"),
     HOIST_STEPS("compute golden.exp from [t f32 tiled()] to [x f32[1024]]\n"),
     "3:1 threads/main/steps/0: operand 1 is strided, expected tiled views [PRG-032]"},
    {"ieee does not", HOIST_STEPS("compute ieee.relu from [x f32[4]] to [x f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [t f32 tiled()] to [t f32 tiled()]\n"),
     "3:1 threads/main/steps/0: operand 0 is tiled, expected strided views [PRG-032]"},
    {"the upper end of a range",
     HOIST_STEPS("compute golden.exp(vector 2) from [t f32 tiled()] to [t f32 tiled()]\n"),
     HOIST_STEPS("compute golden.exp(vector 3) from [t f32 tiled()] to [t f32 tiled()]\n"),
     "3:1 threads/main/steps/0: vector is 3, expected 0 to 2 [PRG-033]"},
    {"the lower end of a range",
     HOIST_STEPS("compute golden.exp(vector 0) from [t f32 tiled()] to [t f32 tiled()]\n"),
     HOIST_STEPS("compute golden.exp(vector -1) from [t f32 tiled()] to [t f32 tiled()]\n"),
     "3:1 threads/main/steps/0: vector is -1, expected 0 to 2 [PRG-033]"},
    {"the second attribute",
     HOIST_STEPS(
         "compute golden.mask(height 32, width 16) from [t f32 tiled()] to [t f32 tiled()]\n"),
     HOIST_STEPS(
         "compute golden.mask(height 32, width 15) from [t f32 tiled()] to [t f32 tiled()]\n"),
     "3:1 threads/main/steps/0: width is 15, expected 16 to 32 [PRG-033]"},
    {"an element type",
     HOIST_STEPS(
         "compute golden.quantize(dtype bf16, height 32, width 32) from [t f32 tiled()] to [t "
         "f32 tiled()]\n"),
     HOIST_STEPS(
         "compute golden.quantize(dtype none, height 32, width 32) from [t f32 tiled()] to [t "
         "f32 tiled()]\n"),
     "3:1 threads/main/steps/0: dtype is no element type [PRG-033]"},
    {"inputs of one shape",
     HOIST_STEPS(
         "compute golden.add from [t f32 tiled(t 2), t f32 tiled(t 2)] to [t f32 tiled(t 2) + "
         "4]\n"),
     HOIST_STEPS("compute golden.add from [t f32 tiled(t 2), t f32 tiled(ublock 1x2)] to [t f32 "
                 "tiled(t 2) + 4]\n"),
     "3:1 threads/main/steps/0: dimension 0 of b is 1, expected 2 (Z) [PRG-034]"},
    {"an output of that shape",
     HOIST_STEPS("compute golden.exp from [t f32 tiled(t 2)] to [t f32 tiled(t 2) + 4]\n"),
     HOIST_STEPS("compute golden.exp from [t f32 tiled(t 2)] to [t f32 tiled(ublock 2x1) + 4]\n"),
     "3:1 threads/main/steps/0: dimension 0 of y is 1, expected 2 (Z) [PRG-034]"},
    {"the shape of a product",
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(ublock 2x3), t f32 tiled(ublock 3x1) + 6] "
         "to [t f32 tiled(ublock 2x1) + 9]\n"),
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(ublock 2x3), t f32 tiled(ublock 3x1) + 6] "
         "to [t f32 tiled(ublock 1x2) + 9]\n"),
     "3:1 threads/main/steps/0: dimension 1 of y is 1, expected 2 (M) [PRG-034]"},
    {"the inputs of a product",
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(ublock 1x2), t f32 tiled(ublock 2x1) + 2] "
         "to [t f32 tiled() + 4]\n"),
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(ublock 1x2), t f32 tiled(ublock 1x2) + 2] "
         "to [t f32 tiled() + 4]\n"),
     "3:1 threads/main/steps/0: dimension 1 of b is 1, expected 2 (K) [PRG-034]"},
    {"the slices of a product",
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(), t f32 tiled(t 2) + 1] to [t f32 tiled() "
         "+ 4]\n"),
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(t 2), t f32 tiled() + 2] to [t f32 tiled(t "
         "2) + 4]\n"),
     "3:1 threads/main/steps/0: matmul expects at least as many slices in input 1 as in input 0 "
     "[PRG-034]"},
    {"groups of slices",
     HOIST_STEPS(
         "compute golden.sum_z(group 2) from [t f32 tiled(t 4)] to [t f32 tiled(t 2) + 4]\n"),
     HOIST_STEPS(
         "compute golden.sum_z(group 3) from [t f32 tiled(t 4)] to [t f32 tiled(t 2) + 4]\n"),
     "3:1 threads/main/steps/0: sum_z expects a number of slices that the group divides "
     "[PRG-034]"},
    {"rows that collapse",
     HOIST_STEPS(
         "compute golden.reduce(dim 0) from [t f32 tiled(ublock 2x2)] to [t f32 tiled(ublock "
         "1x2) + 4]\n"),
     HOIST_STEPS(
         "compute golden.reduce(dim 0) from [t f32 tiled(ublock 2x2)] to [t f32 tiled(ublock "
         "2x1) + 4]\n"),
     "3:1 threads/main/steps/0: dimension 1 of y is 2, expected 1 [PRG-034]"},
    {"columns that collapse",
     HOIST_STEPS(
         "compute golden.reduce(dim 1) from [t f32 tiled(ublock 2x2)] to [t f32 tiled(ublock "
         "2x1) + 4]\n"),
     HOIST_STEPS(
         "compute golden.reduce(dim 1) from [t f32 tiled(ublock 2x2)] to [t f32 tiled(ublock "
         "1x2) + 4]\n"),
     "3:1 threads/main/steps/0: dimension 1 of y is 1, expected 2 (R) [PRG-034]"},
    {"k is a power of two",
     HOIST_STEPS(
         "compute golden.topk(k 32, grid_cols 1) from [t f32 tiled(), t f32 tiled() + 1] to "
         "[t f32 tiled() + 2]\n"),
     HOIST_STEPS(
         "compute golden.topk(k 31, grid_cols 1) from [t f32 tiled(), t f32 tiled() + 1] to "
         "[t f32 tiled() + 2]\n"),
     "3:1 threads/main/steps/0: topk expects k of a power of two up to 64 [PRG-034]"},
    {"k fits the columns",
     HOIST_STEPS(
         "compute golden.topk(k 32, grid_cols 1) from [t f32 tiled(), t f32 tiled() + 1] to "
         "[t f32 tiled() + 2]\n"),
     HOIST_STEPS(
         "compute golden.topk(k 64, grid_cols 1) from [t f32 tiled(), t f32 tiled() + 1] to "
         "[t f32 tiled() + 2]\n"),
     "3:1 threads/main/steps/0: topk expects columns that divide over the grid's, k or more for "
     "each [PRG-034]"},
    {"the rows of a depthwise product",
     HOIST_STEPS(
         "compute golden.depthwise(m_k 2) from [t f32 tiled(ublock 1x4), t f32 tiled(ublock "
         "2x2) + 4] to [t f32 tiled(ublock 1x2) + 8]\n"),
     HOIST_STEPS(
         "compute golden.depthwise(m_k 4) from [t f32 tiled(ublock 1x4), t f32 tiled(ublock "
         "2x2) + 4] to [t f32 tiled(ublock 1x2) + 8]\n"),
     "3:1 threads/main/steps/0: dimension 1 of weights is 2, expected 4 (K) [PRG-034]"},
    {"the place of indices",
     HOIST_STEPS("compute golden.embedding(indices 32, grid_rows 1, rows 1) from [t f32 tiled(), t "
                 "f32 tiled() + 1] to [t f32 tiled() + 2]\n"),
     HOIST_STEPS("compute golden.embedding(indices 33, grid_rows 1, rows 1) from [t f32 tiled(), t "
                 "f32 tiled() + 1] to [t f32 tiled() + 2]\n"),
     "3:1 threads/main/steps/0: embedding expects rows of output and indices that divide "
     "over the grid's rows, with place for all indices [PRG-034]"},
    {"as many elements as the output",
     HOIST_STEPS("compute ieee.add from [x f32[4], x f32[2, 2]] to [y f32[4]]\n"),
     HOIST_STEPS("compute ieee.add from [x f32[4], x f32[2, 3]] to [y f32[4]]\n"),
     "3:1 threads/main/steps/0: b has 6 elements, a has 4 [PRG-034]"},
    {"element by element in place",
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [x f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [x f32[4] + 4]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"tile by tile in place",
     HOIST_STEPS("compute golden.exp from [t f32 tiled(t 2)] to [t f32 tiled(t 2)]\n"),
     HOIST_STEPS("compute golden.exp from [t f32 tiled(t 2)] to [t f32 tiled(t 2) + 1]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"a product in place of its second input",
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(), t f32 tiled() + 1] to [t f32 tiled() + "
         "2]\n"),
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(), t f32 tiled() + 1] to [t f32 tiled() + "
         "1]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 1 [PRG-035]"},
    {"in another order of tiles",
     HOIST_STEPS(
         "compute golden.exp from [t f32 tiled(ublock 2x2)] to [t f32 tiled(ublock 2x2)]\n"),
     HOIST_STEPS(
         "compute golden.exp from [t f32 tiled(ublock 2x2)] to [t f32 tiled(mblock 2x2)]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"views with gaps lie between each other",
     HOIST_STEPS(
         "compute ieee.relu from [x f32[4, 2] by [16, 4]] to [x f32[4, 2] by [16, 4] + 8]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4, 2] by [8, 4]] to [x f32[4, 2] by [8, 4] + 8]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    // Element types, extents and the rules of rows.
    {"types of operands",
     HOIST_STEPS("compute tflite.dequantize(scale 0.5) from [x u8[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute tflite.dequantize(scale 0.5) from [x u16[4]] to [y f32[4]]\n"),
     "3:1 threads/main/steps/0: x is u16, expected i8 or i16 or u8 [PRG-032]"},
    {"zero points of operands",
     HOIST_STEPS("compute tflite.dequantize(scale 0.5, zero 127) from [x i8[4]] to [y f32[4]]\n"),
     HOIST_STEPS("compute tflite.dequantize(scale 0.5, zero 128) from [x i8[4]] to [y f32[4]]\n"),
     "3:1 threads/main/steps/0: zero is 128, and x is i8 [PRG-033]"},
    {"extents of operands",
     HOIST_STEPS("compute tflite.mean from [x u8[2, 3, 3, 4]] to [y u8[2, 1, 1, 4]]\n"),
     HOIST_STEPS("compute tflite.mean from [x u8[2, 3, 3, 4]] to [y u8[2, 1, 1, 5]]\n"),
     "3:1 threads/main/steps/0: dimension 3 of y is 5, expected 4 (C) [PRG-034]"},
    {"sums of operands",
     HOIST_STEPS("compute tflite.dense(zero_in 128, zero_weight 128) from [x u8[1, 131071] by [0, "
                 "0], x u8[1, 131071] by [0, 0], x i32[1], x i32[1, 2]] to [y u8[1, 1]]\n"),
     HOIST_STEPS("compute tflite.dense(zero_in 128, zero_weight 128) from [x u8[1, 131072] by [0, "
                 "0], x u8[1, 131072] by [0, 0], x i32[1], x i32[1, 2]] to [y u8[1, 1]]\n"),
     "3:1 threads/main/steps/0: dense expects fewer products: their sum could leave the 32 bits it "
     "is "
     "kept in [PRG-034]"},
    {"batches of products",
     HOIST_STEPS(
         "compute ark.matmul(transpose_b 1) from [x f32[2, 3, 4] by [0, 16, 4], x f32[2, 5, 4]] to "
         "[y f32[2, 3, 5]]\n"),
     HOIST_STEPS("compute ark.matmul(transpose_b 1) from [x f32[3, 4], x f32[2, 5, 4]] to "
                 "[y f32[2, 3, 5]]\n"),
     "3:1 threads/main/steps/0: b has 3 dimensions, expected [N, K] [PRG-034]"},
    {"the terms of products",
     HOIST_STEPS(
         "compute ark.matmul(transpose_a 1) from [x f32[4, 3], x f32[4, 5]] to [y f32[3, 5]]\n"),
     HOIST_STEPS(
         "compute ark.matmul(transpose_a 0) from [x f32[4, 3], x f32[4, 5]] to [y f32[3, 5]]\n"),
     "3:1 threads/main/steps/0: dimension 0 of b is 4, expected 3 (K) [PRG-034]"},
    {"the axis of a sum",
     HOIST_STEPS(
         "compute ark.reduce_sum(axis 1) from [x f32[2, 3, 4] by [64, 4, 12]] to [y f32[2, 4]]\n"),
     HOIST_STEPS(
         "compute ark.reduce_sum(axis 2) from [x f32[2, 3, 4] by [64, 4, 12]] to [y f32[2, 4]]\n"),
     "3:1 threads/main/steps/0: dimension 1 of y is 4, expected 3 [PRG-034]"},
    {"sums of one type",
     HOIST_STEPS("compute ark.reduce_sum(axis 0, keep_dims 1) from [x f32[4]] to [y f32[1]]\n"),
     HOIST_STEPS("compute ark.reduce_sum(axis 0, keep_dims 1) from [x i32[4]] to [y f32[1]]\n"),
     "3:1 threads/main/steps/0: y is f32, x is i32 [PRG-032]"},
    {"pairs in place",
     HOIST_STEPS("compute ark.rope from [x f32[2, 2], y f32[2, 2]] to [x f32[2, 2]]\n"),
     HOIST_STEPS("compute ark.rope from [x f32[2, 2], y f32[2, 2]] to [x f32[4, 1]]\n"),
     "3:1 threads/main/steps/0: dimension 0 of z is 4, expected 2 [PRG-034]"},
    {"a sum is not in place",
     HOIST_STEPS("compute ark.reduce_sum(axis 0, keep_dims 1) from [x f32[1]] to [y f32[1]]\n"),
     HOIST_STEPS("compute ark.reduce_sum(axis 0, keep_dims 1) from [x f32[1]] to [x f32[1]]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"views, not tiles", HOIST_STEPS("compute tflite.softmax from [x u8[4]] to [y u8[4]]\n"),
     HOIST_STEPS("compute tflite.softmax from [t u8 tiled()] to [y u8[4]]\n"),
     "3:1 threads/main/steps/0: operand 0 is tiled, expected strided views [PRG-032]"},
    {"element by element in place, of one size",
     HOIST_STEPS("compute tflite.requantize from [x u8[4]] to [x i8[4]]\n"),
     HOIST_STEPS("compute tflite.requantize from [x u8[4]] to [x i16[4] by [1]]\n"),
     "3:1 threads/main/steps/0: elements of the output share bytes [PRG-041]"},
    {"other sizes overlap",
     HOIST_STEPS("compute tflite.requantize from [x i16[4]] to [x i16[4]]\n"),
     HOIST_STEPS("compute tflite.requantize from [x i16[4]] to [x i8[4]]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"rows do not go in place",
     HOIST_STEPS("compute tflite.softmax from [x u8[4]] to [x u8[4] + 4]\n"),
     HOIST_STEPS("compute tflite.softmax from [x u8[4]] to [x u8[4]]\n"),
     "3:1 threads/main/steps/0: the output overlaps input 0 [PRG-035]"},
    {"elements of an output lie apart",
     HOIST_STEPS("compute ieee.relu from [x f32[2, 3]] to [y f32[2, 3] by [4, 8]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[2, 3]] to [y f32[2, 3] by [4, 4]]\n"),
     "3:1 threads/main/steps/0: elements of the output share bytes [PRG-041]"},
    {"each by all its bytes",
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4] by [-4] + 12]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [y f32[4] by [-3] + 9]\n"),
     "3:1 threads/main/steps/0: elements of the output share bytes [PRG-041]"},
    {"none for two indices",
     HOIST_STEPS("compute ieee.relu from [x f32[1, 4]] to [y f32[1, 4] by [0, 4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[2, 4]] to [y f32[2, 4] by [0, 4]]\n"),
     "3:1 threads/main/steps/0: elements of the output share bytes [PRG-041]"},
    // Collectives.
    {"the rank", HOIST_STEPS("collective barrier group 0 members 2 rank 1\n"),
     HOIST_STEPS("collective barrier group 0 members 2 rank 2\n"),
     "3:1 threads/main/steps/0: rank 2 of 2 members [PRG-036]"},
    {"members", HOIST_STEPS("collective barrier group 0 members 1 rank 0\n"),
     HOIST_STEPS("collective barrier group 0 members 0 rank 0\n"),
     "3:1 threads/main/steps/0: rank 0 of 0 members [PRG-036]"},
    {"a barrier moves nothing", HOIST_STEPS("collective barrier group 0 members 1 rank 0\n"),
     HOIST_STEPS("collective barrier group 0 members 1 rank 0 from x f32[4] to y f32[4]\n"),
     "3:1 threads/main/steps/0: a barrier moves nothing [PRG-036]"},
    {"a destination",
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[4] to y f32[4]\n"),
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[4]\n"),
     "3:1 threads/main/steps/0: the source or the destination is missing [PRG-036]"},
    {"a source",
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[4] to y f32[4]\n"),
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 to y f32[4]\n"),
     "3:1 threads/main/steps/0: the source or the destination is missing [PRG-036]"},
    {"a sum",
     HOIST_STEPS("collective all_reduce add group 0 members 2 rank 0 from x f32[4] to y f32[4]\n"),
     HOIST_STEPS("collective all_reduce mul group 0 members 2 rank 0 from x f32[4] to y f32[2]\n"),
     "3:1 threads/main/steps/0: 4 elements become 2 with 2 members [PRG-036]"},
    {"a minimum",
     HOIST_STEPS(
         "collective reduce_scatter min group 0 members 2 rank 0 from x f32[4] to y f32[2]\n"),
     HOIST_STEPS(
         "collective reduce_scatter max group 0 members 2 rank 0 from x f32[2] to y f32[2]\n"),
     "3:1 threads/main/steps/0: 2 elements become 2 with 2 members [PRG-036]"},
    {"a sum of as many elements",
     HOIST_STEPS(
         "collective all_reduce max group 0 members 2 rank 0 from x f32[4] to y f32[2, 2]\n"),
     HOIST_STEPS(
         "collective all_reduce max group 0 members 2 rank 0 from x f32[4] to y f32[2, 3]\n"),
     "3:1 threads/main/steps/0: 4 elements become 6 with 2 members [PRG-036]"},
    {"a gather of all",
     HOIST_STEPS("collective all_gather group 0 members 3 rank 0 from x f32[4] to y f32[12]\n"),
     HOIST_STEPS("collective all_gather group 0 members 3 rank 0 from x f32[4] to y f32[8]\n"),
     "3:1 threads/main/steps/0: 4 elements become 8 with 3 members [PRG-036]"},
    {"a scatter of all",
     HOIST_STEPS(
         "collective reduce_scatter add group 0 members 3 rank 0 from x f32[12] to y f32[4]\n"),
     HOIST_STEPS(
         "collective reduce_scatter add group 0 members 3 rank 0 from x f32[4] to y f32[12]\n"),
     "3:1 threads/main/steps/0: 4 elements become 12 with 3 members [PRG-036]"},
    {"both in tiles",
     HOIST_STEPS(
         "collective broadcast group 0 members 1 rank 0 from t f32 tiled() to t f32 tiled() + "
         "1\n"),
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[1] to t f32 tiled()\n"),
     "3:1 threads/main/steps/0: 1 elements become 1 with 1 members [PRG-036]"},
    {"counts that wrap",
     HOIST_STEPS("collective all_gather group 0 members 2 rank 0 from x u8[2] by [0] to y u8[4]\n"),
     HOIST_STEPS("collective all_gather group 0 members 4 rank 0 from x u8[4611686018427387904] by "
                 "[0] to y u8[0]\n"),
     "3:1 threads/main/steps/0: 4611686018427387904 elements become 0 with 4 members "
     "[PRG-036]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
