// formats/darwinn/recover.h - the layers of a compiled model, recovered from its instructions and
// parameters (darwinn reference sections 9 and 16; 16.8 has which models it is known to be right
// for).
//
// The list is in the order of the program. Recovery stops at the first thing that it does not
// understand; what comes after that is listed as ranges of instructions and of parameters, and
// nothing is guessed without a name: heuristics are bits of `dwn_heuristic`. A layer of which two
// readings of the instructions do not agree is in the list, and a gap says what is not proven.
//
// Values of activations and weights are those of the unsigned form: signed ones have their top bit
// flipped, and zero points are 128 higher (5.3).
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_H

#include "formats/darwinn/module.h"

typedef enum dwn_layer_kind {
#define DWN_KIND(kind, name) DWN_KIND_##kind,
#include "formats/darwinn/recover_kinds.inc"
    DWN_KIND_COUNT,
} dwn_layer_kind;

// Choices that follow from no field but from experience (16.2 to 16.9), as bits.
typedef enum dwn_heuristic {
#define DWN_GUESS(heuristic, ...) DWN_GUESS_##heuristic,
#include "formats/darwinn/recover_guesses.inc"
    DWN_GUESS_COUNT,
} dwn_heuristic;

// Whether layers of a kind are sums of products with weights.
static inline bool dwn_kind_has_products(dwn_layer_kind kind)
{
    return kind == DWN_KIND_CONVOLUTION || kind == DWN_KIND_DEPTHWISE || kind == DWN_KIND_DENSE;
}

typedef struct dwn_extent {
    uint32_t h, w, c;
} dwn_extent;

// The axis of a transpose's input that is axis `index` of its output, by dwn_recovered.order.
static inline uint32_t dwn_order_axis(uint8_t order, uint32_t index)
{
    return (index == 0 ? order / 100u : index == 1 ? order / 10u : order) % 10;
}

// Instructions of a chunk of the main executable, by words.
typedef struct dwn_words {
    uint32_t chunk;
    uint32_t word;
    uint32_t words; // at least 1
} dwn_words;

// Bytes of the parameters of an executable.
typedef struct dwn_piece {
    bool is_cached; // of the caching executable, else of the main one
    uint64_t offset;
    uint64_t size;
} dwn_piece;

#define DWN_MODEL_INPUT                                                                            \
    UINT32_C(0x80000000) // of dwn_recovered.inputs: plus the number of the input

// A block of parameters: its weights, and the arrays before them (9).
typedef struct dwn_block_shape {
    uint32_t rows;          // O; of a diagonal: C in whole words
    uint64_t steps;         // words of weights in a row; of a diagonal: taps
    uint32_t rows_of_group; // 4 of diagonals and of what is stored like them; 0: by the rows
    bool is_diagonal;       // a 4 x 4 matrix for each tap of four channels
    bool has_multipliers, has_bias, has_zeros;
    bool is_brief;  // the weights themselves are not needed
    uint32_t inner; // words of channels before the taps of a window, which divides all; 0: all
    uint32_t period, kept; // of each so many rows only the first ones are channels; 0: all
} dwn_block_shape;

typedef struct dwn_recovered {
    dwn_layer_kind kind;
    uint32_t heuristics;    // bits
    const uint32_t *inputs; // arena: earlier items of the list, or DWN_MODEL_INPUT and more
    uint32_t input_count;
    uint32_t output_layer; // of the executable that it makes; DWN_NONE: none
    // Of the first input; of joined ones that of the output: 1 x 1 x all, or image by image.
    dwn_extent input;
    dwn_extent output;
    uint32_t kernel[2]; // height and width: convolution, depthwise, pool; else 1
    uint32_t stride[2];
    uint32_t dilation[2];
    uint32_t padding[2]; // top and left
    float multiplier;    // 1 where `multipliers` is not NULL
    float low, high;     // clamps, before the output's zero point is added
    uint8_t input_zero;
    uint8_t second_zero; // of multiply: the second input's
    uint8_t weight_zero; // 0 where `weight_zeros` is not NULL
    uint8_t output_zero;
    int32_t factors[2]; // of add: k1, k2
    int32_t constant;   // of add: K
    float scale;        // of softmax: its input's
    bool is_in_passes;  // of an average pool: rows are added up first, and nothing is clamped
    // Of a concatenation, 1: all numbers of its inputs, one input after the other, are the rows of
    // its output; 0: channels of pixels are joined.
    uint8_t is_in_rows;
    // Of a transpose: the axes of its input, 0 for rows, 1 for columns and 2 for channels, as they
    // come in its output, the outermost first, as decimal digits. The output has the numbers in
    // that order and extents of its own.
    uint8_t order;
    uint32_t first; // of a slice: the channel of its input with which it begins
    // Arrays, of the kinds with parameters; NULL: there is none. Output channels O first.
    const uint8_t *weights;      // [O][kh][kw][I], [1][kh][kw][C] or [O][I]
    const int32_t *bias;         // [O]
    const float *multipliers;    // [O]
    const uint8_t *weight_zeros; // [O]
    uint32_t rows;               // O
    uint64_t weight_count;       // bytes of `weights`
    dwn_block_shape block;       // how they are stored; rows 0: there are none
    uint32_t block_channels;     // of a step of weights
    const dwn_piece *pieces;     // of parameters that it has
    uint32_t piece_count;
    const dwn_words *words; // tensor operations that carry it out
    uint32_t word_count;
} dwn_recovered;

// What was not understood: instructions, parameters, or an output of the model.
typedef struct dwn_gap {
    const char *reason; // static: a sentence part
    dwn_words words;    // of instructions; words 0: none
    dwn_piece piece;    // of parameters; size 0: none
    uint32_t output;    // where both are none: the output layer that no layer makes
    bool has_layer;     // it is of one that is in the list, but not proven
    uint32_t layer;
} dwn_gap;

typedef struct dwn_recovery {
    const dwn_recovered *layers; // arena
    uint32_t count;
    const dwn_gap *gaps; // arena
    uint32_t gap_count;
    uint32_t operations;     // tensor operations of the main executable
    uint32_t moves;          // of them that only move data
    uint32_t unknown;        // of them that no layer has
    uint64_t cached_size;    // bytes of parameters of the caching executable
    uint64_t cached_decoded; // of them in layers, padding included
    uint64_t streamed_size;  // the same of the main one
    uint64_t streamed_decoded;
} dwn_recovery;

// Recovers the layers of a package: of the executable that is run, with the parameters of the one
// that fills the chip's memory. Everything is in the arena, or a slice of the package. HOIST_OK,
// however little is understood, HOIST_UNSUPPORTED: there is no executable to run; HOIST_LIMIT as
// dwn_program_execute(); HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_recover(const dwn_contents *contents, hoist_arena *arena,
                                         dwn_recovery *out_recovery);

// The same but for the weights, which are NULL: what is where, in a fraction of the time.
HOIST_NODISCARD hoist_status dwn_recover_places(const dwn_contents *contents, hoist_arena *arena,
                                                dwn_recovery *out_recovery);

// The same without what following words through the memories of tiles would tell, which takes most
// of the time. Layers that it gives parameters have them; of others, and of all else that is said
// of layers, less may be known than dwn_recover() finds.
HOIST_NODISCARD hoist_status dwn_recover_parameters(const dwn_contents *contents,
                                                    hoist_arena *arena, dwn_recovery *out_recovery);

// The layers of dwn_recover(), found by their words where nothing else says what they read, without
// what takes words only to doubt them: outputs of the model, and what is compared with layers.
HOIST_NODISCARD hoist_status dwn_recover_layers(const dwn_contents *contents, hoist_arena *arena,
                                                dwn_recovery *out_recovery);

// Whether the model had 8-bit signed numbers: all its weights have the zero point 128, or it has
// none and its first input is signed. recover_scales.c
bool dwn_is_signed_model(const dwn_recovery *recovery, const dwn_executable *executable);

// The byte of the file where the instructions of a layer of a package begin; of one that has none
// the package's. recover_gap.c
hoist_loc dwn_recovered_place(const dwn_module *module, const dwn_contents *contents,
                              const dwn_recovered *layer);
// The byte of the file where a gap of a package is: of an output the package's.
hoist_loc dwn_gap_place(const dwn_module *module, const dwn_contents *contents, const dwn_gap *gap);
// "17 words of instructions from word 35 of chunk 0 on: the kind of the operation is unknown", into
// the arena. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_gap_describe(const dwn_gap *gap, hoist_arena *arena,
                                              hoist_str *out_text);

// Writes the arrays of a layer that has weights into its block, which has at least the bytes of
// one; rows that are not the layer's stay. recover_parameters.c
void dwn_block_write(const dwn_recovered *layer, hoist_mut_bytes block);

// Rows, columns and channels of an input or output of the model, each from 1 to 2^20.
// recover_list.c
dwn_extent dwn_layer_extent(const dwn_layer *layer);

// The shape of a layer's weights: [O][kh][kw][I], of a depthwise layer [1][kh][kw][C], of a dense
// one [O][I]. Gives the rank; of rank 2 the last two extents mean nothing. recover_arrays.c
uint32_t dwn_weights_shape(const dwn_recovered *layer, int64_t out_shape[4]);
// Weights or their zero points, from the chip's form to the model's or back: where the model is
// signed the top bit of each byte is flipped, in a copy in the arena, else they are `bytes.data`.
// NULL: out of memory. recover_arrays.c
const uint8_t *dwn_weights_flipped(hoist_bytes bytes, bool is_signed, hoist_arena *arena);

// Rows or columns of a layer with a window.
typedef struct dwn_axis {
    int64_t in, out, before, stride; // before: padding
    int64_t reach;                   // of a window, with its dilation
} dwn_axis;
// 0: rows; 1: columns. recover_after.c
dwn_axis dwn_axis_of(const dwn_recovered *layer, size_t index);
// Whether the padding is TFLite's SAME. recover_after.c
bool dwn_axis_is_same(const dwn_axis *axis);
// Whether each window reads a row of the input, and no more windows would. recover_after.c
bool dwn_axis_has_windows(const dwn_axis *axis);
// Padding after the input that windows read. recover_after.c
int64_t dwn_axis_after(const dwn_axis *axis);

// Padding at the bottom and the right. Where the padding is neither TFLite's SAME nor VALID there
// was a PAD, and with a stride it may have had more than the windows read.
typedef struct dwn_after {
    uint32_t read[2];   // rows and columns after the input that windows read
    uint32_t unread[2]; // at most so many more, which no window reads; 0: there are none
} dwn_after;
// That of a layer with a window; of others zeros. recover_after.c
dwn_after dwn_padding_after(const dwn_recovered *layer);

// How kinds and heuristics are written: "average pool", "same padding".
const char *dwn_layer_kind_name(dwn_layer_kind kind);
typedef struct dwn_heuristic_row {
    char letter; // for tables
    const char *name;
    const char *section; // of the darwinn reference
    const char *meaning; // what is assumed
} dwn_heuristic_row;
extern const dwn_heuristic_row dwn_heuristics[DWN_GUESS_COUNT];

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_H
