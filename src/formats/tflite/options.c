// size: table
// The rows of the options of builtin operators.
#include "formats/tflite/options.h"

#include "base/span.h"

static const hoist_fb_word padding_words[] = {{"SAME", 0}, {"VALID", 1}, {NULL, 0}};
static const hoist_fb_word activation_words[] = {
    {"NONE", TFLITE_ACTIVATION_NONE},
    {"RELU", TFLITE_ACTIVATION_RELU},
    {"RELU_N1_TO_1", TFLITE_ACTIVATION_RELU_N1_TO_1},
    {"RELU6", TFLITE_ACTIVATION_RELU6},
    {"TANH", TFLITE_ACTIVATION_TANH},
    {"SIGN_BIT", TFLITE_ACTIVATION_SIGN_BIT},
    {NULL, 0},
};
static const hoist_fb_word weights_words[] = {{"DEFAULT", 0}, {"SHUFFLED4x16INT8", 1}, {NULL, 0}};
static const hoist_fb_word mirror_words[] = {{"REFLECT", 0}, {"SYMMETRIC", 1}, {NULL, 0}};
static const hoist_fb_word cell_words[] = {{"FULL", 0}, {"BASIC", 1}, {NULL, 0}};
static const hoist_fb_word combiner_words[] = {{"SUM", 0}, {"MEAN", 1}, {"SQRTN", 2}, {NULL, 0}};
static const hoist_fb_word projection_words[] = {
    {"UNKNOWN", 0}, {"SPARSE", 1}, {"DENSE", 2}, {NULL, 0}};

// clang-format off
#define F(options, member, id, what)                                                               \
    .name = #member, .slot = (id), .kind = HOIST_FB_##what,                                        \
    .at = offsetof(tflite_##options##_options, member)
#define COUNT(options) enum { options##_count = HOIST_COUNT_OF(options##_fields) }

static const hoist_fb_field conv2d_fields[] = {
    {F(conv2d, padding, 0, I8), .words = padding_words,
     .summary = "how the border is padded"},
    {F(conv2d, stride_w, 1, I32),
     .summary = "columns from one window to the next, 1 or more"},
    {F(conv2d, stride_h, 2, I32),
     .summary = "rows from one window to the next, 1 or more"},
    {F(conv2d, fused_activation_function, 3, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(conv2d, dilation_w_factor, 4, I32), .fallback = 1,
     .summary = "columns from one tap to the next, 1 or more"},
    {F(conv2d, dilation_h_factor, 5, I32), .fallback = 1,
     .summary = "rows from one tap to the next, 1 or more"},
    {F(conv2d, quantized_bias_type, 6, I8), .words = tflite_type_words,
     .summary = "type of bias and accumulator; FLOAT32: as ever"},
};
COUNT(conv2d);

static const hoist_fb_field depthwise_conv2d_fields[] = {
    {F(depthwise_conv2d, padding, 0, I8), .words = padding_words,
     .summary = "how the border is padded"},
    {F(depthwise_conv2d, stride_w, 1, I32),
     .summary = "columns from one window to the next, 1 or more"},
    {F(depthwise_conv2d, stride_h, 2, I32),
     .summary = "rows from one window to the next, 1 or more"},
    {F(depthwise_conv2d, depth_multiplier, 3, I32),
     .summary = "output channels for each of the input"},
    {F(depthwise_conv2d, fused_activation_function, 4, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(depthwise_conv2d, dilation_w_factor, 5, I32), .fallback = 1,
     .summary = "columns from one tap to the next, 1 or more"},
    {F(depthwise_conv2d, dilation_h_factor, 6, I32), .fallback = 1,
     .summary = "rows from one tap to the next, 1 or more"},
};
COUNT(depthwise_conv2d);

static const hoist_fb_field conv3d_fields[] = {
    {F(conv3d, padding, 0, I8), .words = padding_words,
     .summary = "how the border is padded"},
    {F(conv3d, stride_d, 1, I32),
     .summary = "planes from one window to the next, 1 or more"},
    {F(conv3d, stride_w, 2, I32),
     .summary = "columns from one window to the next, 1 or more"},
    {F(conv3d, stride_h, 3, I32),
     .summary = "rows from one window to the next, 1 or more"},
    {F(conv3d, fused_activation_function, 4, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(conv3d, dilation_d_factor, 5, I32), .fallback = 1,
     .summary = "planes from one tap to the next, 1 or more"},
    {F(conv3d, dilation_w_factor, 6, I32), .fallback = 1,
     .summary = "columns from one tap to the next, 1 or more"},
    {F(conv3d, dilation_h_factor, 7, I32), .fallback = 1,
     .summary = "rows from one tap to the next, 1 or more"},
};
COUNT(conv3d);

static const hoist_fb_field transpose_conv_fields[] = {
    {F(transpose_conv, padding, 0, I8), .words = padding_words,
     .summary = "how the border is padded"},
    {F(transpose_conv, stride_w, 1, I32),
     .summary = "columns from one window to the next, 1 or more"},
    {F(transpose_conv, stride_h, 2, I32),
     .summary = "rows from one window to the next, 1 or more"},
    {F(transpose_conv, fused_activation_function, 3, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(transpose_conv, quantized_bias_type, 4, I8), .words = tflite_type_words,
     .summary = "type of bias and accumulator; FLOAT32: as ever"},
};
COUNT(transpose_conv);

static const hoist_fb_field pool2d_fields[] = {
    {F(pool2d, padding, 0, I8), .words = padding_words,
     .summary = "how the border is padded"},
    {F(pool2d, stride_w, 1, I32),
     .summary = "columns from one window to the next, 1 or more"},
    {F(pool2d, stride_h, 2, I32),
     .summary = "rows from one window to the next, 1 or more"},
    {F(pool2d, filter_width, 3, I32),
     .summary = "columns of the window, 1 or more"},
    {F(pool2d, filter_height, 4, I32),
     .summary = "rows of the window, 1 or more"},
    {F(pool2d, fused_activation_function, 5, I8), .words = activation_words,
     .summary = "applied to the result"},
};
COUNT(pool2d);

static const hoist_fb_field fully_connected_fields[] = {
    {F(fully_connected, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(fully_connected, weights_format, 1, I8), .words = weights_words,
     .summary = "order of the weights"},
    {F(fully_connected, keep_num_dims, 2, BOOL),
     .summary = "whether the leading dimensions stay apart"},
    {F(fully_connected, asymmetric_quantize_inputs, 3, BOOL),
     .summary = "how float inputs are quantised at run time"},
    {F(fully_connected, quantized_bias_type, 4, I8), .words = tflite_type_words,
     .summary = "type of bias and accumulator; FLOAT32: as ever"},
};
COUNT(fully_connected);

static const hoist_fb_field softmax_fields[] = {
    {F(softmax, beta, 0, F32),
     .summary = "factor of the input or, in normalisation, exponent"},
};
COUNT(softmax);

static const hoist_fb_field concatenation_fields[] = {
    {F(concatenation, axis, 0, I32),
     .summary = "dimension, counted from the end when negative"},
    {F(concatenation, fused_activation_function, 1, I8), .words = activation_words,
     .summary = "applied to the result"},
};
COUNT(concatenation);

static const hoist_fb_field add_fields[] = {
    {F(add, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(add, pot_scale_int16, 1, BOOL), .fallback = 1,
     .summary = "whether 16-bit scales are powers of two"},
};
COUNT(add);

static const hoist_fb_field fused_fields[] = {
    {F(fused, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
};
COUNT(fused);

static const hoist_fb_field local_response_fields[] = {
    {F(local_response, radius, 0, I32),
     .summary = "channels to each side"},
    {F(local_response, bias, 1, F32),
     .summary = "added to the sum"},
    {F(local_response, alpha, 2, F32),
     .summary = "factor"},
    {F(local_response, beta, 3, F32),
     .summary = "factor of the input or, in normalisation, exponent"},
};
COUNT(local_response);

static const hoist_fb_field resize_bilinear_fields[] = {
    {F(resize_bilinear, new_height, 0, I32),
     .summary = "deprecated: the second input has it"},
    {F(resize_bilinear, new_width, 1, I32),
     .summary = "deprecated: the second input has it"},
    {F(resize_bilinear, align_corners, 2, BOOL),
     .summary = "whether corner pixels lie on each other"},
    {F(resize_bilinear, half_pixel_centers, 3, BOOL),
     .summary = "whether pixels are sampled in their middle"},
};
COUNT(resize_bilinear);

static const hoist_fb_field resize_nearest_fields[] = {
    {F(resize_nearest, align_corners, 0, BOOL),
     .summary = "whether corner pixels lie on each other"},
    {F(resize_nearest, half_pixel_centers, 1, BOOL),
     .summary = "whether pixels are sampled in their middle"},
};
COUNT(resize_nearest);

static const hoist_fb_field reshape_fields[] = {
    {F(reshape, new_shape, 0, VECTOR), .item = HOIST_FB_I32,
     .summary = "where there is no second input; -1: what is left"},
};
COUNT(reshape);

static const hoist_fb_field block_fields[] = {
    {F(block, block_size, 0, I32),
     .summary = "side of a block, 2 or more"},
};
COUNT(block);

static const hoist_fb_field gather_fields[] = {
    {F(gather, axis, 0, I32),
     .summary = "dimension, counted from the end when negative"},
    {F(gather, batch_dims, 1, I32),
     .summary = "leading dimensions that indices and data share"},
};
COUNT(gather);

static const hoist_fb_field reducer_fields[] = {
    {F(reducer, keep_dims, 0, BOOL),
     .summary = "whether reduced dimensions stay as 1"},
};
COUNT(reducer);

static const hoist_fb_field squeeze_fields[] = {
    {F(squeeze, squeeze_dims, 0, VECTOR), .item = HOIST_FB_I32,
     .summary = "dimensions of size 1 to remove; empty: all"},
};
COUNT(squeeze);

static const hoist_fb_field strided_slice_fields[] = {
    {F(strided_slice, begin_mask, 0, I32),
     .summary = "bit i: dimension i begins at its start"},
    {F(strided_slice, end_mask, 1, I32),
     .summary = "bit i: dimension i ends at its end"},
    {F(strided_slice, ellipsis_mask, 2, I32),
     .summary = "bit i: entry i is all dimensions between"},
    {F(strided_slice, new_axis_mask, 3, I32),
     .summary = "bit i: entry i is a new dimension"},
    {F(strided_slice, shrink_axis_mask, 4, I32),
     .summary = "bit i: dimension i is taken at one index and removed"},
    {F(strided_slice, offset, 5, BOOL),
     .summary = "whether ends count from the begins"},
};
COUNT(strided_slice);

static const hoist_fb_field split_fields[] = {
    {F(split, num_splits, 0, I32),
     .summary = "outputs, 1 or more"},
};
COUNT(split);

static const hoist_fb_field cast_fields[] = {
    {F(cast, in_data_type, 0, I8), .words = tflite_type_words,
     .summary = "type of the input"},
    {F(cast, out_data_type, 1, I8), .words = tflite_type_words,
     .summary = "type of the output"},
};
COUNT(cast);

static const hoist_fb_field output_type_fields[] = {
    {F(output_type, output_type, 0, I8), .words = tflite_type_words,
     .summary = "type of the indices"},
};
COUNT(output_type);

static const hoist_fb_field shape_fields[] = {
    {F(shape, out_type, 0, I8), .words = tflite_type_words,
     .summary = "type of the output"},
};
COUNT(shape);

static const hoist_fb_field unique_fields[] = {
    {F(unique, idx_out_type, 0, I8), .words = tflite_type_words, .fallback = 2,
     .summary = "type of the indices"},
};
COUNT(unique);

static const hoist_fb_field pack_fields[] = {
    {F(pack, values_count, 0, I32),
     .summary = "inputs"},
    {F(pack, axis, 1, I32),
     .summary = "dimension, counted from the end when negative"},
};
COUNT(pack);

static const hoist_fb_field unpack_fields[] = {
    {F(unpack, num, 0, I32),
     .summary = "outputs"},
    {F(unpack, axis, 1, I32),
     .summary = "dimension, counted from the end when negative"},
};
COUNT(unpack);

static const hoist_fb_field axis_fields[] = {
    {F(axis, axis, 0, I32),
     .summary = "dimension, counted from the end when negative"},
};
COUNT(axis);

static const hoist_fb_field reverse_sequence_fields[] = {
    {F(reverse_sequence, seq_dim, 0, I32),
     .summary = "dimension that is reversed"},
    {F(reverse_sequence, batch_dim, 1, I32),
     .summary = "dimension of the batch"},
};
COUNT(reverse_sequence);

static const hoist_fb_field sparse_to_dense_fields[] = {
    {F(sparse_to_dense, validate_indices, 0, BOOL),
     .summary = "whether indices are checked"},
};
COUNT(sparse_to_dense);

static const hoist_fb_field leaky_relu_fields[] = {
    {F(leaky_relu, alpha, 0, F32),
     .summary = "factor"},
};
COUNT(leaky_relu);

static const hoist_fb_field gelu_fields[] = {
    {F(gelu, approximate, 0, BOOL),
     .summary = "by tanh instead of erf"},
};
COUNT(gelu);

static const hoist_fb_field mirror_pad_fields[] = {
    {F(mirror_pad, mode, 0, I8), .words = mirror_words,
     .summary = "whether the border itself is repeated"},
};
COUNT(mirror_pad);

static const hoist_fb_field fake_quant_fields[] = {
    {F(fake_quant, min, 0, F32),
     .summary = "least value"},
    {F(fake_quant, max, 1, F32),
     .summary = "greatest value"},
    {F(fake_quant, num_bits, 2, I32),
     .summary = "bits of the quantised type"},
    {F(fake_quant, narrow_range, 3, BOOL),
     .summary = "whether the least value is left out"},
};
COUNT(fake_quant);

static const hoist_fb_field batch_matmul_fields[] = {
    {F(batch_matmul, adj_x, 0, BOOL),
     .summary = "whether the first operand is transposed"},
    {F(batch_matmul, adj_y, 1, BOOL),
     .summary = "whether the second operand is transposed"},
    {F(batch_matmul, asymmetric_quantize_inputs, 2, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(batch_matmul);

static const hoist_fb_field cumsum_fields[] = {
    {F(cumsum, exclusive, 0, BOOL),
     .summary = "whether an element itself is left out"},
    {F(cumsum, reverse, 1, BOOL),
     .summary = "from the end"},
};
COUNT(cumsum);

static const hoist_fb_field random_fields[] = {
    {F(random, seed, 0, I64),
     .summary = "of the generator"},
    {F(random, seed2, 1, I64),
     .summary = "of the generator"},
};
COUNT(random);

static const hoist_fb_field bucketize_fields[] = {
    {F(bucketize, boundaries, 0, VECTOR), .item = HOIST_FB_F32,
     .summary = "of the buckets, ascending"},
};
COUNT(bucketize);

static const hoist_fb_field rnn_fields[] = {
    {F(rnn, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(rnn, asymmetric_quantize_inputs, 1, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(rnn);

static const hoist_fb_field sequence_rnn_fields[] = {
    {F(sequence_rnn, time_major, 0, BOOL),
     .summary = "whether time is the first dimension, else the batch"},
    {F(sequence_rnn, fused_activation_function, 1, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(sequence_rnn, asymmetric_quantize_inputs, 2, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(sequence_rnn);

static const hoist_fb_field bidirectional_rnn_fields[] = {
    {F(bidirectional_rnn, time_major, 0, BOOL),
     .summary = "whether time is the first dimension, else the batch"},
    {F(bidirectional_rnn, fused_activation_function, 1, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(bidirectional_rnn, merge_outputs, 2, BOOL),
     .summary = "whether both directions go to the first output"},
    {F(bidirectional_rnn, asymmetric_quantize_inputs, 3, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(bidirectional_rnn);

static const hoist_fb_field lstm_fields[] = {
    {F(lstm, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(lstm, cell_clip, 1, F32),
     .summary = "bound of the cell state; 0: none"},
    {F(lstm, proj_clip, 2, F32),
     .summary = "bound of the projection; 0: none"},
    {F(lstm, kernel_type, 3, I8), .words = cell_words,
     .summary = "full or basic cell"},
    {F(lstm, asymmetric_quantize_inputs, 4, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(lstm);

static const hoist_fb_field unidirectional_lstm_fields[] = {
    {F(unidirectional_lstm, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(unidirectional_lstm, cell_clip, 1, F32),
     .summary = "bound of the cell state; 0: none"},
    {F(unidirectional_lstm, proj_clip, 2, F32),
     .summary = "bound of the projection; 0: none"},
    {F(unidirectional_lstm, time_major, 3, BOOL),
     .summary = "whether time is the first dimension, else the batch"},
    {F(unidirectional_lstm, asymmetric_quantize_inputs, 4, BOOL),
     .summary = "how float inputs are quantised at run time"},
    {F(unidirectional_lstm, diagonal_recurrent_tensors, 5, BOOL),
     .summary = "whether recurrent weights are diagonals"},
};
COUNT(unidirectional_lstm);

static const hoist_fb_field bidirectional_lstm_fields[] = {
    {F(bidirectional_lstm, fused_activation_function, 0, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(bidirectional_lstm, cell_clip, 1, F32),
     .summary = "bound of the cell state; 0: none"},
    {F(bidirectional_lstm, proj_clip, 2, F32),
     .summary = "bound of the projection; 0: none"},
    {F(bidirectional_lstm, merge_outputs, 3, BOOL),
     .summary = "whether both directions go to the first output"},
    {F(bidirectional_lstm, time_major, 4, BOOL), .fallback = 1,
     .summary = "whether time is the first dimension, else the batch"},
    {F(bidirectional_lstm, asymmetric_quantize_inputs, 5, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(bidirectional_lstm);

static const hoist_fb_field svdf_fields[] = {
    {F(svdf, rank, 0, I32),
     .summary = "of the filters"},
    {F(svdf, fused_activation_function, 1, I8), .words = activation_words,
     .summary = "applied to the result"},
    {F(svdf, asymmetric_quantize_inputs, 2, BOOL),
     .summary = "how float inputs are quantised at run time"},
};
COUNT(svdf);

static const hoist_fb_field call_fields[] = {
    {F(call, subgraph, 0, U32),
     .summary = "index of the subgraph that is called"},
};
COUNT(call);

static const hoist_fb_field call_once_fields[] = {
    {F(call_once, init_subgraph_index, 0, I32),
     .summary = "subgraph that is called once"},
};
COUNT(call_once);

static const hoist_fb_field if_fields[] = {
    {F(if, then_subgraph_index, 0, I32),
     .summary = "subgraph that is called when true"},
    {F(if, else_subgraph_index, 1, I32),
     .summary = "subgraph that is called when false"},
};
COUNT(if);

static const hoist_fb_field while_fields[] = {
    {F(while, cond_subgraph_index, 0, I32),
     .summary = "subgraph that decides whether to go on"},
    {F(while, body_subgraph_index, 1, I32),
     .summary = "subgraph that is repeated"},
};
COUNT(while);

static const hoist_fb_field var_handle_fields[] = {
    {F(var_handle, container, 0, STRING),
     .summary = "of the variable"},
    {F(var_handle, shared_name, 1, STRING),
     .summary = "of the variable"},
};
COUNT(var_handle);

static const hoist_fb_field hashtable_fields[] = {
    {F(hashtable, table_id, 0, I32),
     .summary = "which table"},
    {F(hashtable, key_dtype, 1, I8), .words = tflite_type_words,
     .summary = "type of the keys"},
    {F(hashtable, value_dtype, 2, I8), .words = tflite_type_words,
     .summary = "type of the values"},
};
COUNT(hashtable);

static const hoist_fb_field skip_gram_fields[] = {
    {F(skip_gram, ngram_size, 0, I32),
     .summary = "words of a gram"},
    {F(skip_gram, max_skip_size, 1, I32),
     .summary = "words that may be left out"},
    {F(skip_gram, include_all_ngrams, 2, BOOL),
     .summary = "whether shorter grams count"},
};
COUNT(skip_gram);

static const hoist_fb_field lookup_sparse_fields[] = {
    {F(lookup_sparse, combiner, 0, I8), .words = combiner_words,
     .summary = "how rows are combined"},
};
COUNT(lookup_sparse);

static const hoist_fb_field projection_fields[] = {
    {F(projection, type, 0, I8), .words = projection_words,
     .summary = "of the projection"},
};
COUNT(projection);

static const hoist_fb_field concat_embeddings_fields[] = {
    {F(concat_embeddings, num_channels, 0, I32),
     .summary = "channels"},
    {F(concat_embeddings, num_columns_per_channel, 1, VECTOR), .item = HOIST_FB_I32,
     .summary = "columns"},
    {F(concat_embeddings, embedding_dim_per_channel, 2, VECTOR), .item = HOIST_FB_I32,
     .summary = "dimensions"},
};
COUNT(concat_embeddings);

#define no_fields NULL
enum { no_count = 0 };

#define TFLITE_OPTIONS(number, name, fields)                                                       \
    [TFLITE_OPTIONS_##name] = {#name "Options", fields##_fields, fields##_count,                   \
                               sizeof(tflite_##fields##_options)},
static const hoist_fb_type types[TFLITE_OPTIONS_COUNT] = {
#include "formats/tflite/options.inc"
};
#undef TFLITE_OPTIONS

#define TFLITE_OPTIONS(number, name, fields) {TFLITE_OPTIONS_##name, &types[TFLITE_OPTIONS_##name]},
const hoist_fb_variant tflite_options_variants[] = {
#include "formats/tflite/options.inc"
    {0, NULL}};
#undef TFLITE_OPTIONS

#define TFLITE_OPTIONS(number, name, fields) {#name "Options", TFLITE_OPTIONS_##name},
const hoist_fb_word tflite_options_words[] = {
#include "formats/tflite/options.inc"
    {NULL, 0}};
#undef TFLITE_OPTIONS
// clang-format on
