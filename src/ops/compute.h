// ops/compute.h - the compute steps of programs: one row per operator. A row is a function for the
// numerics of a profile: element types and shapes of its operands, and its attributes. No data is
// touched here; kernels/ implements the rows.
//
// Names in the text form are PROFILE.FUNCTION or PROFILE.FUNCTION_TYPE:
//   PROFILE   whose arithmetic (hoist_profile)
//   FUNCTION  the name that the field uses: add, matmul, conv, sqrt
//   TYPE      of rows that compute in one type which is not the profile's own: tflite.add is on
//             quantised integers, tflite.add_f32 on float32, tflite.add_i32 on int32
// Which types a row takes is said by its operands, not by more names: tflite.cast is one row.
//
// op.h is about the words of netlists; this table is about what a machine can compute. A
// front end lowers one of its ops to one or more rows: a BUDA matmul with bias, gelu and relu is
// matmul, add_row, gelu, relu_min.
//
// Facts of the golden profile: buda-ops reference sections 3 to 6; of tflite: TFLite kernels
// reference; of edgetpu: darwinn reference section 16.7; of ark: ark reference sections 5 and 7.
#ifndef HOIST_SRC_OPS_COMPUTE_H
#define HOIST_SRC_OPS_COMPUTE_H

#include "tensor/shape.h"

// Whose arithmetic: two rows of one function differ in relu of NaN, identity of max, rounding
// points and the like.
typedef enum hoist_profile {
    HOIST_PROFILE_IEEE = 0, // plain float32, any layout
    HOIST_PROFILE_GOLDEN,   // BUDA's reference model: float32 tiles of 32x32
    HOIST_PROFILE_TFLITE,   // TFLite's reference kernels: integers, views [N, H, W, C]
    HOIST_PROFILE_EDGETPU,  // the same, results scaled in float32 (ops/compute_quant.h)
    HOIST_PROFILE_ARK,      // ARK's operators, rounded once (ops/compute_ark.h)
    HOIST_PROFILE_FAST,     // ark's within a bound: the bits are those of the CPU
    HOIST_PROFILE_DEVICE,   // a Tensix core, bit for bit (ops/compute_device.h)
    HOIST_PROFILE_DECLARED, // golden, rounded to declared types (ops/compute_declared.h)
    HOIST_PROFILE_COUNT,
} hoist_profile;

const char *hoist_profile_name(hoist_profile profile); // "ieee", "golden", ...

typedef enum hoist_compute_op {
    // Plain float32 on views of any layout; element by element.
    HOIST_IEEE_ADD = 0,
    HOIST_IEEE_SUBTRACT,
    HOIST_IEEE_MULTIPLY,
    HOIST_IEEE_MAXIMUM,
    HOIST_IEEE_RELU,
    // Golden, two tensors, tile by tile.
    HOIST_GOLDEN_ADD,
    HOIST_GOLDEN_SUBTRACT,
    HOIST_GOLDEN_MULTIPLY, // +0.0 absorbs
    HOIST_GOLDEN_MAXIMUM,
    HOIST_GOLDEN_ADD_ROW, // row 0 of each tile of the second is added to all rows
    // Golden, one tensor, tile by tile. `vector` chooses the part of each tile that is processed.
    HOIST_GOLDEN_EXP,
    HOIST_GOLDEN_LOG,
    HOIST_GOLDEN_SQRT, // a negative or NaN element is an error
    HOIST_GOLDEN_SQUARE,
    HOIST_GOLDEN_ABS,
    HOIST_GOLDEN_SINE,
    HOIST_GOLDEN_COSINE,
    HOIST_GOLDEN_TANH,
    HOIST_GOLDEN_SIGMOID,
    HOIST_GOLDEN_GELU,
    HOIST_GOLDEN_GELU_DERIVATIVE,
    HOIST_GOLDEN_RECIPROCAL, // a NaN or -Inf result is an error
    HOIST_GOLDEN_LRELU,
    HOIST_GOLDEN_POWER,
    HOIST_GOLDEN_DROPOUT,
    HOIST_GOLDEN_COPY,
    HOIST_GOLDEN_RELU_MAX,
    HOIST_GOLDEN_RELU_MIN,
    HOIST_GOLDEN_ADD_SCALAR,
    HOIST_GOLDEN_QUANTIZE, // to a dtype and back, block floats truncating (in-graph Qt)
    HOIST_GOLDEN_MASK,     // outside `height` x `width` of each tile: Inf to FLT_MAX, then times 0
    HOIST_GOLDEN_TRANSPOSE_TILE, // each tile by itself
    HOIST_GOLDEN_BROADCAST_TILE, // row 0, column 0 or both over each tile
    // Golden, others.
    HOIST_GOLDEN_SUM_Z,          // sums of groups of `z` slices, left to right
    HOIST_GOLDEN_REDUCE,         // max over r, c or groups of `z` slices
    HOIST_GOLDEN_MATMUL,         // 8-lane order of the reference's AVX2 build
    HOIST_GOLDEN_SPARSE_MATMUL,  // identity matmul: sparse tiles, activations, encoding
    HOIST_GOLDEN_SPARSE_INDICES, // the same with an older encoding: a list of indices,
                                 // or strips of bytes (kernels/sparse_older_level.c)
    HOIST_GOLDEN_SPARSE_BYTES,
    HOIST_GOLDEN_DEPTHWISE,
    HOIST_GOLDEN_EMBEDDING,
    HOIST_GOLDEN_TOPK,
    // Quantised integers: operands, attributes and meaning are in ops/compute_quant.h.
    HOIST_TFLITE_CONV,
    HOIST_TFLITE_DEPTHWISE,
    HOIST_TFLITE_DENSE,
    HOIST_TFLITE_CONV_SINGLE, // with one rounding
    HOIST_TFLITE_DENSE_SINGLE,
    HOIST_TFLITE_ADD,
    HOIST_TFLITE_SUBTRACT,
    HOIST_TFLITE_MULTIPLY,
    HOIST_TFLITE_AVERAGE_POOL,
    HOIST_TFLITE_MAX_POOL,
    HOIST_TFLITE_SOFTMAX,
    HOIST_TFLITE_SOFTMAX_SINGLE,
    HOIST_TFLITE_LOGISTIC,
    HOIST_TFLITE_TANH,
    HOIST_TFLITE_RESIZE_BILINEAR,
    HOIST_TFLITE_MEAN,
    HOIST_TFLITE_MEAN_SINGLE,
    HOIST_TFLITE_REQUANTIZE,
    HOIST_TFLITE_QUANTIZE,
    HOIST_TFLITE_DEQUANTIZE,
    HOIST_TFLITE_RESCALE,
    HOIST_TFLITE_WEIGHTED_SUM,
    HOIST_TFLITE_PRELU,
    HOIST_TFLITE_TRANSPOSE_CONV,
    HOIST_TFLITE_CONV_I16,
    HOIST_TFLITE_TRANSPOSE_CONV_I16,
    HOIST_TFLITE_DENSE_I16,
    HOIST_TFLITE_ADD_I16,
    HOIST_TFLITE_MULTIPLY_I16,
    HOIST_TFLITE_MULTIPLY_I16_I8,
    HOIST_TFLITE_DENSE_I16_I8,
    HOIST_TFLITE_LOGISTIC_I16,
    HOIST_TFLITE_TANH_I16,
    HOIST_EDGETPU_CONV,
    HOIST_EDGETPU_DEPTHWISE,
    HOIST_EDGETPU_DENSE,
    HOIST_EDGETPU_MULTIPLY,
    HOIST_EDGETPU_WEIGHTED_SUM,
    // Numbers as they are, choices, lookups: ops/compute_plain.h.
    HOIST_TFLITE_MAXIMUM,
    HOIST_TFLITE_MINIMUM,
    HOIST_TFLITE_ADD_F32,
    HOIST_TFLITE_SUBTRACT_F32,
    HOIST_TFLITE_MULTIPLY_F32,
    HOIST_TFLITE_DIVIDE_F32,
    HOIST_TFLITE_SQRT_F32,
    HOIST_TFLITE_ADD_I32,
    HOIST_TFLITE_SUBTRACT_I32,
    HOIST_TFLITE_MULTIPLY_I32,
    HOIST_TFLITE_FLOOR_DIVIDE_I32,
    HOIST_TFLITE_FLOOR_MOD_I32,
    HOIST_TFLITE_SAME_I32,
    HOIST_TFLITE_CAST,
    HOIST_TFLITE_HARD_SWISH,
    HOIST_TFLITE_ARG_MAX,
    HOIST_TFLITE_ARG_MIN,
    HOIST_TFLITE_GATHER,
    HOIST_TFLITE_GATHER_ND,
    HOIST_TFLITE_RESIZE_NEAREST,
    HOIST_TFLITE_RESIZE_BILINEAR_F32,
    HOIST_TFLITE_CONV_F32,
    HOIST_TFLITE_DEPTHWISE_F32,
    HOIST_TFLITE_DENSE_F32,
    HOIST_TFLITE_AVERAGE_POOL_F32,
    HOIST_TFLITE_MAX_POOL_F32,
    HOIST_TFLITE_SOFTMAX_F32,
    HOIST_TFLITE_LOGISTIC_F32,
    HOIST_TFLITE_TANH_F32,
    HOIST_TFLITE_PRELU_F32,
    HOIST_TFLITE_TRANSPOSE_CONV_F32,
    HOIST_TFLITE_DETECTIONS_F32,
    HOIST_TFLITE_POSE_ROOTS_F32,
    HOIST_TFLITE_POSES_F32,
    HOIST_TFLITE_POSE_MASKS_F32,
    // Floats and integers of ARK: ops/compute_ark.h.
    HOIST_ARK_ADD,
    HOIST_ARK_SUBTRACT,
    HOIST_ARK_MULTIPLY,
    HOIST_ARK_DIVIDE,
    HOIST_ARK_EXP,
    HOIST_ARK_SQRT,
    HOIST_ARK_RSQRT,
    HOIST_ARK_GELU,
    HOIST_ARK_RELU,
    HOIST_ARK_SIGMOID,
    HOIST_ARK_CAST,
    HOIST_ARK_ROPE,
    HOIST_ARK_REDUCE_SUM,
    HOIST_ARK_REDUCE_MEAN,
    HOIST_ARK_REDUCE_MAX,
    HOIST_ARK_MATMUL,
    HOIST_ARK_EMBEDDING,
    HOIST_FAST_MATMUL, // of bf16
    // Tiles of BUDA: ops/compute_device.h, ops/compute_declared.h.
    HOIST_DEVICE_MATMUL,
    HOIST_DEVICE_SPARSE_MATMUL,
    HOIST_DEVICE_ADD,
    HOIST_DEVICE_SUBTRACT,
    HOIST_DEVICE_MULTIPLY,
    HOIST_DEVICE_COPY,
    HOIST_DEVICE_PACK,
    HOIST_DEVICE_MAXIMUM,
    HOIST_DEVICE_ABS,
    HOIST_DEVICE_EXP,
    HOIST_DEVICE_GELU,
    HOIST_DEVICE_GELU_DERIVATIVE,
    HOIST_DEVICE_LOG,
    HOIST_DEVICE_LRELU,
    HOIST_DEVICE_POWER,
    HOIST_DEVICE_RECIPROCAL,
    HOIST_DEVICE_SIGMOID,
    HOIST_DEVICE_SQRT,
    HOIST_DEVICE_SQUARE,
    HOIST_DEVICE_TANH,
    HOIST_DECLARED_MATMUL,
    HOIST_DECLARED_ROUND,
    HOIST_DECLARED_DROPOUT,
    HOIST_COMPUTE_COUNT,
} hoist_compute_op;

typedef enum hoist_compute_attr_kind {
    HOIST_COMPUTE_INT = 0,
    HOIST_COMPUTE_FLOAT,
    HOIST_COMPUTE_DTYPE,
} hoist_compute_attr_kind;

#define HOIST_COMPUTE_MAX_ATTRS 21
#define HOIST_COMPUTE_MAX_INPUTS 4
#define HOIST_COMPUTE_MAX_OUTPUTS 1
#define HOIST_TOPK_MAX_K 64 // what the device's kernels sort in registers

typedef struct hoist_compute_attr_def {
    const char *name; // in the text form
    hoist_compute_attr_kind kind;
    int64_t min; // INT
    int64_t max;
    // INT: the letter of patterns that it gives, the extent of "A" or the rank of "a"; 0: none.
    char letter;
} hoist_compute_attr_def;

typedef union hoist_compute_value {
    int64_t integer;
    float number;
    hoist_dtype dtype;
} hoist_compute_value;

// Values in the order of the row's attribute definitions; the rest is zero.
typedef struct hoist_compute_attrs {
    hoist_compute_value value[HOIST_COMPUTE_MAX_ATTRS];
} hoist_compute_attrs;

// Which part of a tile a golden unary op processes: attribute `vector`.
typedef enum hoist_tile_part {
    HOIST_TILE_ALL = 0,
    HOIST_TILE_ROWS,    // rows 0..3 ("r"); the rest of the result is 0
    HOIST_TILE_COLUMNS, // columns 0..15 ("c")
} hoist_tile_part;

// Axes: attribute `dim` of reduce, `axis` of broadcast_tile.
typedef enum hoist_tile_axis {
    HOIST_AXIS_ROW = 0,
    HOIST_AXIS_COLUMN,
    HOIST_AXIS_BOTH,
    HOIST_AXIS_Z,
} hoist_tile_axis;

// z slices of rows x cols tiles.
typedef struct hoist_tile_shape {
    uint64_t z;
    uint64_t rows;
    uint64_t cols;
} hoist_tile_shape;

// Indexes of attributes that are read by name: HOIST_ATTR_OF_... of the row that has them.
enum {
    HOIST_UNARY_VECTOR = 0, // hoist_tile_part; first of every golden unary
    HOIST_LRELU_SLOPE = 1,  // float
    HOIST_POWER_EXPONENT = 1,
    HOIST_DROPOUT_P = 1,      // float
    HOIST_RELU_THRESHOLD = 0, // float
    HOIST_ADD_SCALAR_VALUE = 0,
    HOIST_QUANTIZE_DTYPE = 0,
    HOIST_QUANTIZE_HEIGHT = 1, // tile height and width: they decide the blocks of block floats
    HOIST_QUANTIZE_WIDTH = 2,
    HOIST_MASK_HEIGHT = 0,
    HOIST_MASK_WIDTH = 1,
    HOIST_BROADCAST_AXIS = 0, // hoist_tile_axis: ROW, COLUMN, BOTH
    HOIST_SUM_Z_GROUP = 0,
    HOIST_REDUCE_DIM = 0,   // hoist_tile_axis: ROW (rows collapse), COLUMN, Z
    HOIST_REDUCE_GROUP = 1, // slices; dim Z
    // sparse_matmul: what buda-ops reference 5.1.2 names.
    HOIST_SPARSE_GRID_ROWS = 0,
    HOIST_SPARSE_GRID_COLS,
    HOIST_SPARSE_T,
    HOIST_SPARSE_MBLOCK_M,
    HOIST_SPARSE_MBLOCK_N,
    HOIST_SPARSE_UBLOCK_RT,
    HOIST_SPARSE_UBLOCK_CT,
    HOIST_SPARSE_U_KT,
    HOIST_SPARSE_TILES,    // num_sparse_tiles
    HOIST_SPARSE_PTR_BITS, // sparse_tile_ptr_bits
    HOIST_SPARSE_IDX_BITS, // sparse_ublock_idx_bits
    HOIST_SPARSE_FRACTURE, // fracture_factor
    // sparse_indices and sparse_bytes
    HOIST_OLDER_MBLOCK_M = 0,
    HOIST_OLDER_MBLOCK_N,
    HOIST_OLDER_UBLOCK_RT,
    HOIST_OLDER_UBLOCK_CT,
    HOIST_OLDER_U_KT,          // sparse_bytes
    HOIST_OLDER_LENGTH = 4,    // sparse_indices: indices_len
    HOIST_OLDER_FIRST_ROW = 5, // sparse_indices: starting_row
    HOIST_DEPTHWISE_M_K = 0,
    HOIST_EMBEDDING_INDICES = 0, // num_indices
    HOIST_EMBEDDING_GRID_ROWS,
    HOIST_EMBEDDING_ROWS, // tile rows of the output
    HOIST_TOPK_K = 0,
    HOIST_TOPK_ARGMAX,  // 1: returns the indices, else the values
    HOIST_TOPK_KREDUCE, // 0 or 1
    HOIST_TOPK_GRID_COLS,
};

// One operand of a row. Shapes are patterns, a character for each dimension, outermost first:
//   A to Z  a dimension; equal letters of a row are equal extents
//   0 to 9  a dimension of that extent
//   a to z  any number of dimensions; equal letters of a row are equal shapes
//   #       alone: any shape, with as many elements as operand 0
//   |       between patterns: the value of attribute `by` chooses, from 0 on
// Attributes may give letters, too (hoist_compute_attr_def). Rows on tiles: [Z, R, C], in tiles.
typedef struct hoist_compute_operand_def {
    const char *name;
    uint64_t types;    // the set: bit 1 << dtype
    bool alike;        // all such operands of a row have one type
    const char *dims;  // the pattern
    uint16_t integers; // the attributes, by bit, that if INT are numbers of the operand's type
    uint8_t by;        // the attribute that chooses between patterns
} hoist_compute_operand_def;

// An operand as a shape rule sees it.
typedef struct hoist_compute_operand {
    hoist_dtype dtype;
    hoist_shape shape;
} hoist_compute_operand;

// A step that is checked against its row.
typedef struct hoist_compute_case {
    const struct hoist_compute_def *def;
    const hoist_compute_attrs *attrs;
    const hoist_compute_operand *operands; // inputs, then the output
    int64_t extent[26];                    // by letter, "A" first; 0: none yet
    struct {
        int rank; // -1: none yet
        const int64_t *dim;
    } run[26]; // by letter, "a" first
} hoist_compute_case;

// What patterns cannot say. Both return what is expected (static); NULL: all is well.
// Letters of the output that follow from inputs and attributes otherwise than by being equal.
typedef const char *hoist_compute_derive_fn(hoist_compute_case *c);
// What has to hold between extents, types and attributes.
typedef const char *hoist_compute_rule_fn(const hoist_compute_case *c);

// The parts of a step that may be done each by itself, with the same bits: those of equal indices
// in the first dimensions of all operands.
typedef enum hoist_compute_parts {
    HOIST_PARTS_ONE = 0,  // the complete step
    HOIST_PARTS_ELEMENTS, // each element
    HOIST_PARTS_LINES,    // each line of the last dimension
    HOIST_PARTS_AXIS,     // what is before the dimension that attribute 0 names
    HOIST_PARTS_PRODUCT,  // the complete step, of which rows and columns are complete one by one
} hoist_compute_parts;

// What a number of operations is for each of.
typedef enum hoist_flops_basis {
    HOIST_FLOPS_NONE = 0,  // numbers are chosen, moved or converted; or nothing is counted
    HOIST_FLOPS_OUTPUT,    // element of the output
    HOIST_FLOPS_INPUT,     // element of input 0
    HOIST_FLOPS_PRODUCTS,  // product: of matrices, attribute 0 (if any) transposes the first
    HOIST_FLOPS_WEIGHTS,   // product: of weights, input 1, whose first dimension is the output's
    HOIST_FLOPS_DEPTHWISE, // product: of weights whose last dimension is the output's
    HOIST_FLOPS_SCATTERED, // product: of input 0 with weights whose last dimension is its own
    HOIST_FLOPS_WINDOW,    // element of the windows, whose height and width attributes 0 and 1 are
} hoist_flops_basis;

// A function such as exp counts as one operation, whatever a machine makes of it.
typedef struct hoist_compute_flops_def {
    hoist_flops_basis basis;
    uint8_t each;
    // The attribute, from 1 on, that is the lower limit of what is stored; the upper one is next to
    // it. Each that is finite is one operation more for each element of the output. 0: none.
    uint8_t limits;
} hoist_compute_flops_def;

typedef struct hoist_compute_def {
    const char *name; // "exp"; the text form writes golden.exp
    hoist_profile profile;
    bool tiled; // operands are tensors of 32x32 tiles, else views of elements
    // Tile (views: element) i of the output depends on tile i of each input only, or on few of them
    // that are done together: the output may be an input.
    bool tilewise;
    hoist_compute_parts parts; // of views
    hoist_compute_flops_def flops;
    uint8_t inputs;
    uint8_t attr_count;
    const hoist_compute_attr_def *attrs;       // static
    const hoist_compute_operand_def *operands; // static; the inputs, then the output
    hoist_compute_derive_fn *derive;           // NULL: nothing
    hoist_compute_rule_fn *rule;               // NULL: nothing
} hoist_compute_def;

typedef enum hoist_compute_fit {
    HOIST_FIT_OK = 0,
    HOIST_FIT_TYPES,
    HOIST_FIT_ATTRIBUTES,
    HOIST_FIT_SHAPES,
} hoist_compute_fit;

#define HOIST_COMPUTE_WHY 192 // bytes, with the terminator

// Checks attributes and operands of a step, as many as its row has, inputs first. `why`, of
// HOIST_COMPUTE_WHY bytes, says what was found and what is expected.
HOIST_NODISCARD hoist_compute_fit hoist_compute_fits(hoist_compute_op op,
                                                     const hoist_compute_attrs *attrs,
                                                     const hoist_compute_operand *operands,
                                                     char *why);
// The same for a step without an output: `operands` has its type, and gets the shape that it has to
// have. HOIST_FIT_SHAPES, too: that does not follow from the inputs (windows over an image).
HOIST_NODISCARD hoist_compute_fit hoist_compute_infer(hoist_compute_op op,
                                                      const hoist_compute_attrs *attrs,
                                                      hoist_compute_operand *operands, char *why);

// The number of leading dimensions that cut a step into parts (hoist_compute_parts); `rank` is that
// of input 0.
int hoist_compute_lead(hoist_compute_op op, const hoist_compute_attrs *attrs, int rank);

// Operations of a step: additions, multiplications and so on, of integers, too. Operands as of
// hoist_compute_fits(), which they need not have passed. UINT64_MAX: it does not fit.
uint64_t hoist_compute_flops(hoist_compute_op op, const hoist_compute_attrs *attrs,
                             const hoist_compute_operand *operands);

// A tensor of tiles as an operand.
hoist_compute_operand hoist_compute_tiles(hoist_tile_shape shape);

// The row of `op`, which is below HOIST_COMPUTE_COUNT. Static.
const hoist_compute_def *hoist_compute_get(hoist_compute_op op);
// Finds "golden.exp"; HOIST_COMPUTE_COUNT when unknown.
hoist_compute_op hoist_compute_find(hoist_str name);

#endif // HOIST_SRC_OPS_COMPUTE_H
