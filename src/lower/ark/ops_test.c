// Each type of operator as steps: types, shapes, strides and overlaps, models and plans; and what
// is refused. Shapes and places of the expected views are worked out by hand from the geometry.
#include <string.h>

#include "lower/ark/job_testing.h"
#include "lower/program_text_testing.h"
#include "program/verify.h"

// clang-format off
#define EACH(type, row) {type, type " f32[2,3]@0 > f32[2,3]@1", "compute " row " from [b0 f32[2, 3]] to [b1 f32[2, 3]]\n"}
#define PAIR(type, row) {type, type " f16[4]@0 f16[4]@1 > f16[4]@2", "compute " row " from [b0 f16[4], b1 f16[4]] to [b2 f16[4]]\n"}
#define KEPT "{\"Axis\":{\"INT\":1},\"KeepDim\":{\"BOOL\":true}}"
#define DROPPED(axis) "{\"Axis\":{\"INT\":" axis "},\"KeepDim\":{\"BOOL\":false}}"
#define FLAGS(a, b) "{\"TransposeInput\":{\"BOOL\":" a "},\"TransposeOther\":{\"BOOL\":" b "}}"
#define NN FLAGS("false", "false")
#define FACTOR(value) "{\"Factor\":{\"FLOAT\":" value "}}"
#define ORDER(axes) "{\"Permutation\":{\"DIMS\":[" axes "]}}"

static const struct {
    const char *name;
    const char *ops;
    const char *steps;
} cases[] = {
    // Element by element.
    PAIR("Add", "ark.add"), PAIR("Sub", "ark.subtract"), PAIR("Mul", "ark.multiply"), PAIR("Div", "ark.divide"), PAIR("Rope", "ark.rope"),
    EACH("Exp", "ark.exp"), EACH("Sqrt", "ark.sqrt"), EACH("Rsqrt", "ark.rsqrt"), EACH("Gelu", "ark.gelu"), EACH("Relu", "ark.relu"), EACH("Sigmoid", "ark.sigmoid"),
    {"broadcast of both", "Add i32[2,1]@0 i32[3]@1 > i32[2,3]@2", "compute ark.add from [b0 i32[2, 3] by [4, 0], b1 i32[2, 3] by [0, 4]] to [b2 i32[2, 3]]\n"},
    {"broadcast of one", "Exp f32[1,3]@0 > f32[4,2,3]@1", "compute ark.exp from [b0 f32[4, 2, 3] by [0, 0, 4]] to [b1 f32[4, 2, 3]]\n"},
    {"strides and offsets", "Relu b16[2,3:8,12+2,3]@0 > b16[2,3/4,4]@1", "compute ark.relu from [b0 bf16[2, 3] by [24, 2] + 54] to [b1 bf16[2, 3] by [8, 2]]\n"},
    {"in place, by other strides of one row", "Exp f32[1,2:2,4]@0 > f32[1,1,2]@0", "compute ark.exp from [b0 f32[1, 1, 2]] to [b0 f32[1, 1, 2]]\n"},
    {"integers", "Mul u8[4]@0 u8[4]@1 > u8[4]@2", "compute ark.multiply from [b0 u8[4], b1 u8[4]] to [b2 u8[4]]\n"},
    {"bytes are chars", "Add byte[4]@0 byte[4]@1 > byte[4]@2", "compute ark.add from [b0 i8[4], b1 i8[4]] to [b2 i8[4]]\n"},
    // Copies.
    {"Copy", "Copy f16[2,2]@0 > f16[2,2:4,4]@1", "move copy from [b0 f16[2, 2]] to b1 f16[2, 2] by [8, 2]\n"},
    {"Copy, broadcast", "Copy i8[3]@0 > i8[2,3]@1", "move copy from [b0 i8[2, 3] by [0, 1]] to b1 i8[2, 3]\n"},
    {"Cast", "Cast f32[4]@0 > i32[4]@1", "compute ark.cast from [b0 f32[4]] to [b1 i32[4]]\n"},
    {"Cast to the same", "Cast b16[4]@0 > b16[4]@1", "move copy from [b0 bf16[4]] to b1 bf16[4]\n"},
    {"Cast from bytes", "Cast byte[4]@0 > f32[4]@1", "compute ark.cast from [b0 i8[4]] to [b1 f32[4]]\n"},
    {"Cast to bytes", "Cast f16[4]@0 > byte[4]@1", "compute ark.cast from [b0 f16[4]] to [b1 i8[4]]\n"},
    {"Transpose", "Transpose f32[2,3,4]@0 > f32[4,2,3]@1 " ORDER("2,0,1"), "move copy from [b0 f32[4, 2, 3] by [4, 48, 16]] to b1 f32[4, 2, 3]\n"},
    {"Transpose of nothing", "Transpose f32[2,3]@0 > f32[2,3]@1 " ORDER("0,1"), "move copy from [b0 f32[2, 3]] to b1 f32[2, 3]\n"},
    // Constants.
    {"ScalarAdd", "ScalarAdd f32[2,2]@0 > f32[2,2]@1 " FACTOR("0.5"), "compute ark.add from [b0 f32[2, 2], constant/0 f32[2, 2] by [0, 0]] to [b1 f32[2, 2]]\n"},
    {"ScalarMul", "ScalarMul f16[2]@0 > f16[2]@1 " FACTOR("2.0"), "compute ark.multiply from [b0 f16[2], constant/0 f16[2] by [0]] to [b1 f16[2]]\n"},
    {"ScalarMul of documents", "ScalarMul f16[2]@0 > f16[2]@1 {\"Value\":{\"FLOAT\":2.0}}", "compute ark.multiply from [b0 f16[2], constant/0 f16[2] by [0]] to [b1 f16[2]]\n"},
    {"one constant for both", "ScalarAdd f16[2]@0 > f16[2]@1 " FACTOR("2.0") ";ScalarMul f16[2]@1 > f16[2]@2 " FACTOR("2.0") ";ScalarMul f16[2]@2 > f16[2]@1 " FACTOR("3.0"),
     "compute ark.add from [b0 f16[2], constant/0 f16[2] by [0]] to [b1 f16[2]]\n"
     "compute ark.multiply from [b1 f16[2], constant/0 f16[2] by [0]] to [b2 f16[2]]\n"
     "compute ark.multiply from [b2 f16[2], constant/1 f16[2] by [0]] to [b1 f16[2]]\n"},
    {"ScalarAssign", "ScalarAssign > f32[2,2:2,4]@0 {\"Value\":{\"FLOAT\":1.5}}", "move copy from [constant/0 f32[2, 2] by [0, 0]] to b0 f32[2, 2] by [16, 4]\n"},
    // Reductions.
    {"ReduceSum", "ReduceSum f32[2,3,4]@0 > f32[2,1,4]@1 " KEPT, "compute ark.reduce_sum(axis 1, keep_dims 1) from [b0 f32[2, 3, 4]] to [b1 f32[2, 1, 4]]\n"},
    {"ReduceMean", "ReduceMean f32[2,3,4]@0 > f32[2,4]@1 " DROPPED("1"), "compute ark.reduce_mean(axis 1, keep_dims 0) from [b0 f32[2, 3, 4]] to [b1 f32[2, 4]]\n"},
    {"ReduceMax", "ReduceMax i32[2,3]@0 > i32[3]@1 " DROPPED("0"), "compute ark.reduce_max(axis 0, keep_dims 0) from [b0 i32[2, 3]] to [b1 i32[3]]\n"},
    {"ReduceSum of a vector", "ReduceSum f32[5]@0 > f32[1]@1 " DROPPED("0"), "compute ark.reduce_sum(axis 0, keep_dims 1) from [b0 f32[5]] to [b1 f32[1]]\n"},
    {"an axis from the end", "ReduceSum f32[2,3]@0 > f32[2]@1 " DROPPED("-1"), "compute ark.reduce_sum(axis 1, keep_dims 0) from [b0 f32[2, 3]] to [b1 f32[2]]\n"},
    // Products.
    {"Matmul", "Matmul f32[2,3]@0 f32[3,4]@1 > f32[2,4]@2 " NN, "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[2, 3], b1 f32[3, 4]] to [b2 f32[2, 4]]\n"},
    {"Matmul, both transposed", "Matmul f32[3,2]@0 f32[4,3]@1 > f32[2,4]@2 " FLAGS("true", "true"), "compute ark.matmul(transpose_a 1, transpose_b 1) from [b0 f32[3, 2], b1 f32[4, 3]] to [b2 f32[2, 4]]\n"},
    {"a row", "Matmul f32[3]@0 f32[3,4]@1 > f32[1,4]@2 " NN, "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[1, 3] by [0, 4], b1 f32[3, 4]] to [b2 f32[1, 4]]\n"},
    {"a column", "Matmul f32[2,3]@0 f32[3]@1 > f32[2,1]@2 " NN, "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[2, 3], b1 f32[3, 1] by [4, 0]] to [b2 f32[2, 1]]\n"},
    {"batches", "Matmul f16[5,2,3]@0 f16[5,3,4]@1 > f16[5,2,4]@2 " NN, "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f16[5, 2, 3], b1 f16[5, 3, 4]] to [b2 f16[5, 2, 4]]\n"},
    {"batches with one", "Matmul f32[5,2,3]@0 f32[3,4]@1 > f32[5,2,4]@2 " NN, "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[5, 2, 3], b1 f32[5, 3, 4] by [0, 16, 4]] to [b2 f32[5, 2, 4]]\n"},
    {"batches of both", "Matmul f32[2,1,2,3]@0 f32[6,3,4]@1 > f32[2,6,2,4]@2 " NN,
     "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[2, 6, 2, 3] by [24, 0, 12, 4], b1 f32[2, 6, 3, 4] by [0, 48, 16, 4]] to [b2 f32[2, 6, 2, 4]]\n"},
    // Lookups.
    {"Embedding", "Embedding i32[5]@0 f32[10,3]@1 > f32[1,1,5,3]@2", "compute ark.embedding from [b0 i32[1, 1, 5] by [0, 0, 4], b1 f32[10, 3]] to [b2 f32[1, 1, 5, 3]]\n"},
    {"Embedding, other shape", "Embedding u32[2,5]@0 f16[10,3]@1 > f16[2,5,3]@2", "compute ark.embedding from [b0 i32[1, 2, 5] by [0, 20, 4], b1 f16[10, 3]] to [b2 f16[1, 2, 5, 3] by [0, 30, 6, 2]]\n"},
    // Nothing.
    {"Noop", "Noop f32[2]@0", ""},
    {"Tensor", "Tensor f32[2]@0", ""},
    {"Reshape", "Reshape f32[2]@0", ""},
    // In place, and over parts of the inputs.
    {"in place", "Add f32[4]@0 f32[4]@1 > f32[4]@0", "compute ark.add from [b0 f32[4], b1 f32[4]] to [b0 f32[4]]\n"},
    {"in place, other type", "Cast i32[4]@0 > f32[4]@0", "compute ark.cast from [b0 i32[4]] to [b0 f32[4]]\n"},
    {"over a broadcast input", "Add f32[1,4:2,4]@0 f32[2,4]@1 > f32[2,4]@0",
     "compute ark.add from [b0 f32[2, 4] by [0, 4], b1 f32[2, 4]] to [temporary/0 f32[2, 4]]\nmove copy from [temporary/0 f32[2, 4]] to b0 f32[2, 4]\n"},
    {"one element on", "Exp f32[3:4]@0 > f32[3:4+1]@0", "compute ark.exp from [b0 f32[3]] to [temporary/0 f32[3]]\nmove copy from [temporary/0 f32[3]] to b0 f32[3] + 4\n"},
    {"halves are apart", "Exp f32[2,2:2,4]@0 > f32[2,2:2,4+0,2]@0", "compute ark.exp from [b0 f32[2, 2] by [16, 4]] to [b0 f32[2, 2] by [16, 4] + 8]\n"},
    {"other size in place", "Cast f32[4]@0 > f16[4:8]@0", "compute ark.cast from [b0 f32[4]] to [temporary/0 f16[4]]\nmove copy from [temporary/0 f16[4]] to b0 f16[4]\n"},
    {"Matmul over its input", "Matmul f32[2,2]@0 f32[2,2]@1 > f32[2,2]@0 " NN,
     "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[2, 2], b1 f32[2, 2]] to [temporary/0 f32[2, 2]]\nmove copy from [temporary/0 f32[2, 2]] to b0 f32[2, 2]\n"},
    {"Transpose in place", "Transpose f32[2,2]@0 > f32[2,2]@0 " ORDER("1,0"), "move copy from [b0 f32[2, 2] by [4, 8]] to b0 f32[2, 2]\n"},
    {"temporary memory is used again", "Exp f32[4:5]@0 > f32[4:5+1]@0;Exp f16[4:5]@1 > f16[4:5+1]@1;Exp f32[5:6]@2 > f32[5:6+1]@2",
     "compute ark.exp from [b0 f32[4]] to [temporary/0 f32[4]]\nmove copy from [temporary/0 f32[4]] to b0 f32[4] + 4\n"
     "compute ark.exp from [b1 f16[4]] to [temporary/0 f16[4]]\nmove copy from [temporary/0 f16[4]] to b1 f16[4] + 2\n"
     "compute ark.exp from [b2 f32[5]] to [temporary/1 f32[5]]\nmove copy from [temporary/1 f32[5]] to b2 f32[5] + 4\n"},
};

#define CONFIG(tile) "{\"Tile\":[" tile "]}"
static const struct {
    const char *name;
    const char *ops;
    const char *steps;
} plans[] = {
    {"all tasks", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (0,4)", "compute ark.exp from [b0 f32[4, 4]] to [b1 f32[4, 4]]\n"},
    {"in two groups", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (0,1) (1,4)", "compute ark.exp from [b0 f32[4, 4]] to [b1 f32[4, 4]]\n"},
    {"more than there are", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (0,9)", "compute ark.exp from [b0 f32[4, 4]] to [b1 f32[4, 4]]\n"},
    {"none", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (2,2)", ""},
    {"some", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (1,3)",
     "compute ark.exp from [b0 f32[2, 2] by [16, 4] + 8] to [b1 f32[2, 2] by [16, 4] + 8]\ncompute ark.exp from [b0 f32[2, 2] by [16, 4] + 32] to [b1 f32[2, 2] by [16, 4] + 32]\n"},
    {"every second", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (1,4,2)",
     "compute ark.exp from [b0 f32[2, 2] by [16, 4] + 8] to [b1 f32[2, 2] by [16, 4] + 8]\ncompute ark.exp from [b0 f32[2, 2] by [16, 4] + 40] to [b1 f32[2, 2] by [16, 4] + 40]\n"},
    {"below the first", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (-5,1)", "compute ark.exp from [b0 f32[2, 2] by [16, 4]] to [b1 f32[2, 2] by [16, 4]]\n"},
    {"below the first, by steps", "Exp f32[4,4]@0 > f32[4,4]@1 {} " CONFIG("2,2") " (-5,4,8)", "compute ark.exp from [b0 f32[2, 2] by [16, 4] + 40] to [b1 f32[2, 2] by [16, 4] + 40]\n"},
    {"a tile of one entry", "Copy f32[2,4]@0 > f32[2,4]@1 {} " CONFIG("4") " (1,2)", "move copy from [b0 f32[1, 4] + 16] to b1 f32[1, 4] + 16\n"},
    {"broadcast inputs", "Add f32[4]@0 f32[2,1]@1 > f32[2,4]@2 {} " CONFIG("1,2") " (3,4)",
     "compute ark.add from [b0 f32[1, 2] by [0, 4] + 8, b1 f32[1, 2] by [4, 0] + 4] to [b2 f32[1, 2] by [16, 4] + 24]\n"},
    {"Matmul: tiles of M and N", "Matmul f32[4,3]@0 f32[6,3]@1 > f32[4,6]@2 " FLAGS("false", "true") " {\"TileShapeMNK\":[2,3,3]} (1,2)",
     "compute ark.matmul(transpose_a 0, transpose_b 1) from [b0 f32[2, 3], b1 f32[3, 3] + 36] to [b2 f32[2, 3] by [24, 4] + 12]\n"},
    {"Matmul: the other sides", "Matmul f32[3,4]@0 f32[3,6]@1 > f32[4,6]@2 " FLAGS("true", "false") " {\"TileShapeMNK\":[2,3,3]} (2,3)",
     "compute ark.matmul(transpose_a 1, transpose_b 0) from [b0 f32[3, 2] by [16, 4] + 8, b1 f32[3, 3] by [24, 4]] to [b2 f32[2, 3] by [24, 4] + 48]\n"},
    {"Matmul: padding", "Matmul f32[3,3]@0 f32[3,3]@1 > f32[3,3/4,4]@2 " NN " {\"TileShapeMNK\":[2,2,3]} (3,4)",
     "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[1, 3] + 24, b1 f32[3, 1] by [12, 4] + 8] to [b2 f32[1, 1] by [16, 4] + 40]\n"},
    {"Matmul: Tile of D4", "Matmul f32[4,3]@0 f32[3,6]@1 > f32[4,6]@2 " NN " {\"Tile\":[4,3]} (1,2)",
     "compute ark.matmul(transpose_a 0, transpose_b 0) from [b0 f32[4, 3], b1 f32[3, 3] by [24, 4] + 12] to [b2 f32[4, 3] by [24, 4] + 12]\n"},
    {"Reduce: elements of the result", "ReduceSum f32[2,3,4]@0 > f32[2,4]@1 " DROPPED("1") " {\"ImplType\":\"ElementWise\"} (5,7)",
     "compute ark.reduce_sum(axis 1, keep_dims 0) from [b0 f32[1, 3, 2] by [48, 16, 4] + 52] to [b1 f32[1, 2] by [16, 4] + 20]\n"},
    {"Embedding: rows", "Embedding i32[5]@0 f32[9,3]@1 > f32[1,1,5,3]@2 {} {} (1,3)",
     "compute ark.embedding from [b0 i32[1, 1, 2] by [0, 0, 4] + 4, b1 f32[9, 3]] to [b2 f32[1, 1, 2, 3] by [60, 60, 12, 4] + 12]\n"},
    {"Transpose", "Transpose f32[2,4]@0 > f32[4,2]@1 " ORDER("1,0") " " CONFIG("2,2") " (1,2)", "move copy from [b0 f32[2, 2] by [4, 16] + 8] to b1 f32[2, 2] + 16\n"},
    {"Rope: pairs", "Rope f32[4]@0 f32[4]@1 > f32[4]@2 {} " CONFIG("1,2") " (1,2)", "compute ark.rope from [b0 f32[2] + 8, b1 f32[2] + 8] to [b2 f32[2] + 8]\n"},
    {"Rope: all pairs of a row", "Rope f32[2]@0 f32[2]@1 > f32[2]@2 {} " CONFIG("1,3"), "compute ark.rope from [b0 f32[2], b1 f32[2]] to [b2 f32[2]]\n"},
    {"Rope: all tiles of one column", "Rope f32[3,2]@0 f32[3,2]@1 > f32[3,2]@2 {} " CONFIG("64,1") " (0,1) (1,2)",
     "compute ark.rope from [b0 f32[3, 2], b1 f32[3, 2]] to [b2 f32[3, 2]]\n"},
    {"a copy over its source", "Transpose f32[2,2]@0 > f32[2,2]@0 " ORDER("1,0") " " CONFIG("1,2") " (0,1) (1,2,3)",
     "move copy from [b0 f32[1, 2] by [4, 8]] to temporary/0 f32[1, 2]\nmove copy from [b0 f32[1, 2] by [4, 8] + 4] to temporary/0 f32[1, 2] + 8\n"
     "move copy from [temporary/0 f32[1, 2]] to b0 f32[1, 2]\nmove copy from [temporary/0 f32[1, 2] + 8] to b0 f32[1, 2] + 8\n"},
    {"order of first use", "Exp f32[2]@0 > f32[2]@1 {} {};Relu f32[2]@1 > f32[2]@2 {} {}",
     "compute ark.exp from [b0 f32[2]] to [b1 f32[2]]\ncompute ark.relu from [b1 f32[2]] to [b2 f32[2]]\n"},
};

static const struct {
    const char *name;
    const char *ops;
    const char *says;
} refusals[] = {
    {"Exp of integers", "Exp:e i32[2]@0 > i32[2]@1", "e (Exp): x is i32, expected f32 or f16 or bf16"},
    {"Matmul of integers", "Matmul i32[2,2]@0 i32[2,2]@1 > i32[2,2]@2 " NN, "Matmul: a is i32"},
    {"two types", "Add f32[2]@0 f16[2]@1 > f32[2]@2", "Add: b is f16"},
    {"no broadcast", "Add f32[2]@0 f32[3]@1 > f32[3]@2", "Add: input 0 cannot be broadcast to the shape of the output"},
    {"too few tensors", "Add f32[2]@0 > f32[2]@1", "Add: it has not the tensors that its type takes"},
    {"no destination", "Exp f32[2]@0", "Exp: it has not the tensors that its type takes"},
    {"another rank's memory", "Exp f32[2]@0>1 > f32[2]@1", "Exp: tensor 0 is memory of another rank"},
    {"a sum of another rank's", "ReduceSum f32[2]@0>1 > f32[1]@1 " DROPPED("0"), "ReduceSum: tensor 0 is memory of another rank"},
    {"a product of another rank's", "Matmul f32[2,2]@0 f32[2,2]@1>1 > f32[2,2]@2 " NN, "Matmul: tensor 1 is memory of another rank"},
    {"rows of another rank's", "Embedding i32[2]@0 f32[3,4]@1>1 > f32[1,1,2,4]@2", "Embedding: tensor 1 is memory of another rank"},
    {"a transpose to another rank's", "Transpose f32[2,2]@0 > f32[2,2]@1>1 " ORDER("1,0"), "Transpose: tensor 1 is memory of another rank"},
    {"no factor", "ScalarAdd f32[2]@0 > f32[2]@1", "ScalarAdd: there is no argument 'Factor'"},
    {"no value", "ScalarAssign > f32[2]@1", "ScalarAssign: there is no argument 'Value'"},
    {"a permutation of others", "Transpose f32[2,3]@0 > f32[3,2]@1 " ORDER("1,1"), "Transpose: 'Permutation' is no permutation of the 2 dimensions of the input"},
    {"of too many", "Transpose f32[2,3]@0 > f32[3,2]@1 " ORDER("1,0,2"), "Transpose: 'Permutation' is no permutation"},
    {"to another shape", "Transpose f32[2,3]@0 > f32[2,3]@1 " ORDER("1,0"), "Transpose: the shape of the output is not that of the permuted input"},
    {"an axis that is not there", "ReduceSum f32[2,3]@0 > f32[2]@1 " DROPPED("2"), "ReduceSum: 'Axis' and 'KeepDim' name none of the 2 dimensions of the input"},
    {"a sum of another shape", "ReduceSum f32[2,3]@0 > f32[3]@1 " DROPPED("1"), "ReduceSum: "},
    {"other inner dimensions", "Matmul f32[2,3]@0 f32[4,5]@1 > f32[2,5]@2 " NN, "Matmul: dimension 0 of b is 4, expected 3 (K)"},
    {"other batches", "Matmul f32[2,2,3]@0 f32[3,3,4]@1 > f32[2,2,4]@2 " NN, "Matmul: the batches of input 1 are not those of the output"},
    {"more dimensions than the result", "Matmul f32[1,2,3]@0 f32[3,4]@1 > f32[2,4]@2 " NN, "Matmul: the batches of input 0 are not those of the output"},
    {"indices of four dimensions", "Embedding i32[1,1,1,2]@0 f32[3,4]@1 > f32[1,1,2,4]@2", "Embedding: the indices have 4 dimensions and the weights 2, expected at most 3 and 2"},
    {"indices of 16 bits", "Embedding f16[2]@0 f32[3,4]@1 > f32[1,1,2,4]@2", "Embedding: indices is f16"},
    {"odd pairs", "Rope f32[3]@0 f32[3]@1 > f32[3]@2", "Rope: rope expects an even last dimension"},
};
static const struct {
    const char *name;
    const char *ops;
    const char *says;
} plan_refusals[] = {
    {"a tile of nothing", "Exp f32[2]@0 > f32[2]@1 {} " CONFIG("1,0"), "Exp: entry 1 of Tile is 0, expected 1 or more"},
    {"a tile of five", "Exp f32[2]@0 > f32[2]@1 {} " CONFIG("1,1,1,1,1"), "Exp: Tile has 5 entries, expected at most 4"},
    {"a tile of no rows", "Matmul f32[2,3]@0 f32[3,4]@1 > f32[2,4]@2 " NN " {\"TileShapeMNK\":[0,2,3]}", "Matmul: entry 0 of TileShapeMNK is 0"},
    {"pairs apart, each", "Rope f32[4]@0 f32[4]@1 > f32[4]@2 {} " CONFIG("1,1"), "Rope: tiles of 1 elements separate pairs"},
    {"pairs apart, the second first", "Rope f32[2]@0 f32[2]@1 > f32[2]@2 {} " CONFIG("1,1") " (1,2) (0,1)", "Rope: tiles of 1 elements separate pairs"},
    {"pairs apart, all but the last", "Rope f32[4]@0 f32[4]@1 > f32[4]@2 {} " CONFIG("1,1") " (0,3)", "Rope: tiles of 1 elements separate pairs"},
    {"pairs apart, every other", "Rope f32[2]@0 f32[2]@1 > f32[2]@2 {} " CONFIG("1,1") " (0,2,2)", "Rope: tiles of 1 elements separate pairs"},
    {"pairs apart", "Rope f32[4]@0 f32[4]@1 > f32[4]@2 {} " CONFIG("1,3"), "Rope: tiles of 3 elements separate pairs"},
};
static const struct {
    const char *name;
    hoist_numerics numerics;
    const char *ops;
    const char *steps; // begin so
} fast[] = {
    {"bf16", HOIST_NUMERICS_FAST, "Matmul b16[2,3]@0 b16[4,3]@1 > b16[2,4]@2 " FLAGS("false", "true"), "compute fast.matmul(transpose_a 0, transpose_b 1) from"},
    {"bf16, reference", HOIST_NUMERICS_REFERENCE, "Matmul b16[2,3]@0 b16[3,4]@1 > b16[2,4]@2 " NN, "compute ark.matmul"},
    {"f32", HOIST_NUMERICS_FAST, "Matmul f32[2,3]@0 f32[3,4]@1 > f32[2,4]@2 " NN, "compute ark.matmul"},
    {"f16", HOIST_NUMERICS_FAST, "Matmul f16[2,3]@0 f16[3,4]@1 > f16[2,4]@2 " NN, "compute ark.matmul"},
    {"a sum", HOIST_NUMERICS_FAST, "ReduceSum b16[2,3]@0 > b16[2,1]@1 " KEPT, "compute ark.reduce_sum"},
};
// clang-format on

HOIST_TEST_TABLE(operators_are_steps, cases)
{
    const ark_job_text job = {.ops = {row->ops}};
    ark_job_expect(t, &job, "compute|move", row->steps);
}

HOIST_TEST_TABLE(tasks_of_plans_are_parts, plans)
{
    const ark_job_text job = {.ops = {row->ops}, .is_plan = true};
    ark_job_expect(t, &job, "compute|move", row->steps);
}

HOIST_TEST_TABLE(products_are_fast_where_they_may, fast)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .numerics = row->numerics};
    const ark_job_text job = {.ops = {row->ops}};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, &options, &program), HOIST_OK);
    if (program) {
        const hoist_str line = lower_test_piece(t, program, "compute");
        HOIST_EXPECT_STR(t, hoist_str_slice(line, 0, strlen(row->steps)), row->steps);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    hoist_program_destroy(program);
}

// Expects that the only operator, in line 2, is refused with a message that begins so.
static void expect_refusal(hoist_test *t, const ark_job_text *job, const char *says)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, ark_job_lower(t, job, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-043");
    if (hoist_diag_kept(t->diag)) {
        const hoist_finding *found = hoist_diag_at(t->diag, 0);
        HOIST_EXPECT_STR(t, hoist_str_slice(found->message, 0, strlen(says)), says);
        HOIST_EXPECT_EQ(t, found->loc.pos.line, 2);
    }
    HOIST_EXPECT(t, !program);
}

HOIST_TEST_TABLE(what_has_no_meaning_is_refused, refusals)
{
    const ark_job_text job = {.ops = {row->ops}};
    expect_refusal(t, &job, row->says);
}

HOIST_TEST_TABLE(tiles_that_have_no_meaning_are_refused, plan_refusals)
{
    const ark_job_text job = {.ops = {row->ops}, .is_plan = true};
    expect_refusal(t, &job, row->says);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operators_are_steps), HOIST_TEST_ROW(tasks_of_plans_are_parts),
                HOIST_TEST_ROW(products_are_fast_where_they_may),
                HOIST_TEST_ROW(what_has_no_meaning_is_refused),
                HOIST_TEST_ROW(tiles_that_have_no_meaning_are_refused))
