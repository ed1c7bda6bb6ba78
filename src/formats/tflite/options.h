// formats/tflite/options.h - the options of builtin operators: the tables of the union of options
// as C structs, and their rows. Options that have the same fields share a struct; tables without
// any are tflite_no_options.
//
// Facts: TensorFlow Lite's public schema; kernels reference section 6.
#ifndef HOIST_SRC_FORMATS_TFLITE_OPTIONS_H
#define HOIST_SRC_FORMATS_TFLITE_OPTIONS_H

#include "formats/tflite/schema.h"

// Variants of the union: TFLITE_OPTIONS_Conv2D and so on.
typedef enum tflite_options_kind {
    TFLITE_OPTIONS_None = 0,
#define TFLITE_OPTIONS(number, name, fields) TFLITE_OPTIONS_##name = (number),
#include "formats/tflite/options.inc"
#undef TFLITE_OPTIONS
    TFLITE_OPTIONS_COUNT,
} tflite_options_kind;

typedef enum tflite_padding { TFLITE_PADDING_SAME = 0, TFLITE_PADDING_VALID } tflite_padding;

typedef enum tflite_activation {
    TFLITE_ACTIVATION_NONE = 0,
    TFLITE_ACTIVATION_RELU,
    TFLITE_ACTIVATION_RELU_N1_TO_1,
    TFLITE_ACTIVATION_RELU6,
    TFLITE_ACTIVATION_TANH,
    TFLITE_ACTIVATION_SIGN_BIT,
} tflite_activation;

typedef struct tflite_no_options {
    hoist_fb_table table;
} tflite_no_options;

// Convolutions and pools: strides, dilations and filters in elements, 1 or more.
typedef struct tflite_conv2d_options {
    hoist_fb_table table;
    int8_t padding;
    int32_t stride_w;
    int32_t stride_h;
    int8_t fused_activation_function;
    int32_t dilation_w_factor;
    int32_t dilation_h_factor;
    int8_t quantized_bias_type; // of the accumulator, too; 0: as ever
} tflite_conv2d_options;

typedef struct tflite_depthwise_conv2d_options {
    hoist_fb_table table;
    int8_t padding;
    int32_t stride_w;
    int32_t stride_h;
    int32_t depth_multiplier; // output channels for each of the input's
    int8_t fused_activation_function;
    int32_t dilation_w_factor;
    int32_t dilation_h_factor;
} tflite_depthwise_conv2d_options;

typedef struct tflite_conv3d_options {
    hoist_fb_table table;
    int8_t padding;
    int32_t stride_d;
    int32_t stride_w;
    int32_t stride_h;
    int8_t fused_activation_function;
    int32_t dilation_d_factor;
    int32_t dilation_w_factor;
    int32_t dilation_h_factor;
} tflite_conv3d_options;

typedef struct tflite_transpose_conv_options {
    hoist_fb_table table;
    int8_t padding;
    int32_t stride_w;
    int32_t stride_h;
    int8_t fused_activation_function;
    int8_t quantized_bias_type;
} tflite_transpose_conv_options;

typedef struct tflite_pool2d_options {
    hoist_fb_table table;
    int8_t padding;
    int32_t stride_w;
    int32_t stride_h;
    int32_t filter_width;
    int32_t filter_height;
    int8_t fused_activation_function;
} tflite_pool2d_options;

typedef struct tflite_fully_connected_options {
    hoist_fb_table table;
    int8_t fused_activation_function;
    int8_t weights_format; // 0: rows of the weights as they are; 1: shuffled in blocks of 4 x 16
    bool keep_num_dims;
    bool asymmetric_quantize_inputs;
    int8_t quantized_bias_type;
} tflite_fully_connected_options;

typedef struct tflite_softmax_options {
    hoist_fb_table table;
    float beta;
} tflite_softmax_options;

typedef struct tflite_concatenation_options {
    hoist_fb_table table;
    int32_t axis;
    int8_t fused_activation_function;
} tflite_concatenation_options;

typedef struct tflite_add_options { // and Sub
    hoist_fb_table table;
    int8_t fused_activation_function;
    bool pot_scale_int16;
} tflite_add_options;

typedef struct tflite_fused_options { // Mul, Div, L2Norm
    hoist_fb_table table;
    int8_t fused_activation_function;
} tflite_fused_options;

typedef struct tflite_local_response_options {
    hoist_fb_table table;
    int32_t radius;
    float bias;
    float alpha;
    float beta;
} tflite_local_response_options;

// Shapes -----------------------------------------------------------------------------------------

typedef struct tflite_resize_bilinear_options {
    hoist_fb_table table;
    int32_t new_height; // deprecated
    int32_t new_width;  // deprecated
    bool align_corners;
    bool half_pixel_centers;
} tflite_resize_bilinear_options;

typedef struct tflite_resize_nearest_options {
    hoist_fb_table table;
    bool align_corners;
    bool half_pixel_centers;
} tflite_resize_nearest_options;

typedef struct tflite_reshape_options {
    hoist_fb_table table;
    hoist_bytes new_shape; // int32
} tflite_reshape_options;

typedef struct tflite_block_options { // SpaceToDepth, DepthToSpace
    hoist_fb_table table;
    int32_t block_size;
} tflite_block_options;

typedef struct tflite_gather_options {
    hoist_fb_table table;
    int32_t axis;
    int32_t batch_dims;
} tflite_gather_options;

typedef struct tflite_reducer_options {
    hoist_fb_table table;
    bool keep_dims;
} tflite_reducer_options;

typedef struct tflite_squeeze_options {
    hoist_fb_table table;
    hoist_bytes squeeze_dims; // int32
} tflite_squeeze_options;

typedef struct tflite_strided_slice_options { // bit i of a mask: dimension i
    hoist_fb_table table;
    int32_t begin_mask;
    int32_t end_mask;
    int32_t ellipsis_mask;
    int32_t new_axis_mask;
    int32_t shrink_axis_mask;
    bool offset;
} tflite_strided_slice_options;

typedef struct tflite_split_options { // and SplitV
    hoist_fb_table table;
    int32_t num_splits;
} tflite_split_options;

typedef struct tflite_cast_options {
    hoist_fb_table table;
    int8_t in_data_type;
    int8_t out_data_type;
} tflite_cast_options;

typedef struct tflite_output_type_options { // ArgMax, ArgMin
    hoist_fb_table table;
    int8_t output_type;
} tflite_output_type_options;

typedef struct tflite_shape_options {
    hoist_fb_table table;
    int8_t out_type;
} tflite_shape_options;

typedef struct tflite_unique_options {
    hoist_fb_table table;
    int8_t idx_out_type;
} tflite_unique_options;

typedef struct tflite_pack_options {
    hoist_fb_table table;
    int32_t values_count;
    int32_t axis;
} tflite_pack_options;

typedef struct tflite_unpack_options {
    hoist_fb_table table;
    int32_t num;
    int32_t axis;
} tflite_unpack_options;

typedef struct tflite_axis_options { // OneHot
    hoist_fb_table table;
    int32_t axis;
} tflite_axis_options;

typedef struct tflite_reverse_sequence_options {
    hoist_fb_table table;
    int32_t seq_dim;
    int32_t batch_dim;
} tflite_reverse_sequence_options;

typedef struct tflite_sparse_to_dense_options {
    hoist_fb_table table;
    bool validate_indices;
} tflite_sparse_to_dense_options;

// Others -----------------------------------------------------------------------------------------

typedef struct tflite_leaky_relu_options {
    hoist_fb_table table;
    float alpha;
} tflite_leaky_relu_options;

typedef struct tflite_gelu_options {
    hoist_fb_table table;
    bool approximate;
} tflite_gelu_options;

typedef struct tflite_mirror_pad_options {
    hoist_fb_table table;
    int8_t mode;
} tflite_mirror_pad_options;

typedef struct tflite_fake_quant_options {
    hoist_fb_table table;
    float min;
    float max;
    int32_t num_bits;
    bool narrow_range;
} tflite_fake_quant_options;

typedef struct tflite_batch_matmul_options {
    hoist_fb_table table;
    bool adj_x;
    bool adj_y;
    bool asymmetric_quantize_inputs;
} tflite_batch_matmul_options;

typedef struct tflite_cumsum_options {
    hoist_fb_table table;
    bool exclusive;
    bool reverse;
} tflite_cumsum_options;

typedef struct tflite_random_options {
    hoist_fb_table table;
    int64_t seed;
    int64_t seed2;
} tflite_random_options;

typedef struct tflite_bucketize_options {
    hoist_fb_table table;
    hoist_bytes boundaries; // float
} tflite_bucketize_options;

// Recurrent networks -----------------------------------------------------------------------------

typedef struct tflite_rnn_options {
    hoist_fb_table table;
    int8_t fused_activation_function;
    bool asymmetric_quantize_inputs;
} tflite_rnn_options;

typedef struct tflite_sequence_rnn_options {
    hoist_fb_table table;
    bool time_major;
    int8_t fused_activation_function;
    bool asymmetric_quantize_inputs;
} tflite_sequence_rnn_options;

typedef struct tflite_bidirectional_rnn_options {
    hoist_fb_table table;
    bool time_major;
    int8_t fused_activation_function;
    bool merge_outputs;
    bool asymmetric_quantize_inputs;
} tflite_bidirectional_rnn_options;

typedef struct tflite_lstm_options {
    hoist_fb_table table;
    int8_t fused_activation_function;
    float cell_clip; // 0: none
    float proj_clip; // 0: none
    int8_t kernel_type;
    bool asymmetric_quantize_inputs;
} tflite_lstm_options;

typedef struct tflite_unidirectional_lstm_options {
    hoist_fb_table table;
    int8_t fused_activation_function;
    float cell_clip;
    float proj_clip;
    bool time_major;
    bool asymmetric_quantize_inputs;
    bool diagonal_recurrent_tensors;
} tflite_unidirectional_lstm_options;

typedef struct tflite_bidirectional_lstm_options {
    hoist_fb_table table;
    int8_t fused_activation_function;
    float cell_clip;
    float proj_clip;
    bool merge_outputs;
    bool time_major;
    bool asymmetric_quantize_inputs;
} tflite_bidirectional_lstm_options;

typedef struct tflite_svdf_options {
    hoist_fb_table table;
    int32_t rank;
    int8_t fused_activation_function;
    bool asymmetric_quantize_inputs;
} tflite_svdf_options;

// Other subgraphs, and lookups -------------------------------------------------------------------

typedef struct tflite_call_options {
    hoist_fb_table table;
    uint32_t subgraph;
} tflite_call_options;

typedef struct tflite_call_once_options {
    hoist_fb_table table;
    int32_t init_subgraph_index;
} tflite_call_once_options;

typedef struct tflite_if_options {
    hoist_fb_table table;
    int32_t then_subgraph_index;
    int32_t else_subgraph_index;
} tflite_if_options;

typedef struct tflite_while_options {
    hoist_fb_table table;
    int32_t cond_subgraph_index;
    int32_t body_subgraph_index;
} tflite_while_options;

typedef struct tflite_var_handle_options {
    hoist_fb_table table;
    hoist_str container;
    hoist_str shared_name;
} tflite_var_handle_options;

typedef struct tflite_hashtable_options {
    hoist_fb_table table;
    int32_t table_id;
    int8_t key_dtype;
    int8_t value_dtype;
} tflite_hashtable_options;

typedef struct tflite_skip_gram_options {
    hoist_fb_table table;
    int32_t ngram_size;
    int32_t max_skip_size;
    bool include_all_ngrams;
} tflite_skip_gram_options;

typedef struct tflite_lookup_sparse_options {
    hoist_fb_table table;
    int8_t combiner;
} tflite_lookup_sparse_options;

typedef struct tflite_projection_options {
    hoist_fb_table table;
    int8_t type;
} tflite_projection_options;

typedef struct tflite_concat_embeddings_options {
    hoist_fb_table table;
    int32_t num_channels;
    hoist_bytes num_columns_per_channel;   // int32
    hoist_bytes embedding_dim_per_channel; // int32
} tflite_concat_embeddings_options;

extern const hoist_fb_variant tflite_options_variants[];
// "Conv2DOptions" and its number.
extern const hoist_fb_word tflite_options_words[];

#endif // HOIST_SRC_FORMATS_TFLITE_OPTIONS_H
