// Recovery of layers from any chunk and any parameters: what it says is within what there is.
//
// Bytes 0 to 3: height, width and channels of the input, and its zero point; 4 and 5: bytes of
// cached, 6 and 7: of streamed parameters, which are the next bytes. The rest is the chunk, whose
// first two links are the streamed parameters'.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "base/tree.h"
#include "codec/json_writer.h"
#include "formats/darwinn/recover_send.h"
#include "testing/fuzz.h"

// Sums what the bytes say, so that each is read.
static uint64_t sum_of(const void *bytes, uint64_t count, uint64_t size)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; bytes && i < count * size; i++) {
        sum += ((const uint8_t *)bytes)[i];
    }
    return sum;
}

static void check_layer(const dwn_recovery *r, uint32_t index)
{
    const dwn_recovered *layer = &r->layers[index];
    fuzz_require(layer->kind < DWN_KIND_COUNT && layer->kind != DWN_KIND_MOVE);
    fuzz_require(layer->heuristics < 1u << DWN_GUESS_COUNT);
    fuzz_require(layer->output.h > 0 && layer->output.w > 0 && layer->output.c > 0);
    // Perhaps by no operation.
    const bool is_slice = layer->kind == DWN_KIND_SLICE;
    const bool is_joined = layer->kind == DWN_KIND_CONCATENATION || is_slice;
    fuzz_require(layer->input_count > 0 && (layer->word_count > 0 || is_joined));
    fuzz_require(!is_slice || (layer->first < layer->input.c &&
                               layer->output.c <= layer->input.c - layer->first));
    for (uint32_t i = 0; i < layer->input_count; i++) {
        fuzz_require(layer->inputs[i] < index || layer->inputs[i] == DWN_MODEL_INPUT);
    }
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        const dwn_piece *piece = &layer->pieces[i];
        const uint64_t size = piece->is_cached ? r->cached_size : r->streamed_size;
        fuzz_require(piece->size > 0 && piece->offset <= size &&
                     piece->size <= size - piece->offset);
    }
    fuzz_require(!layer->weights || layer->rows == layer->output.c);
    const uint64_t sum = sum_of(layer->weights, layer->weight_count, 1) +
                         sum_of(layer->bias, layer->rows, sizeof(int32_t)) +
                         sum_of(layer->multipliers, layer->rows, sizeof(float)) +
                         sum_of(layer->weight_zeros, layer->rows, 1);
    fuzz_require(sum < UINT64_MAX);
}

// The list is sent with its maps and lists closed.
static void show(const dwn_recovery *r, const dwn_scales *scales)
{
    hoist_buffer out;
    hoist_json_writer writer;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    (void)fuzz_came(dwn_recovery_send(r, scales, &sink));
    hoist_tree_end(&sink);
    fuzz_require(out.failed || (out.size > 2 && out.data[out.size - 1] == '}'));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

// A scale is a positive number, and weights have theirs where both sides have.
static void check_scales(const dwn_recovery *r, const dwn_scales *scales)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const dwn_layer_scales *own = &scales->layers[i];
        fuzz_require(own->source < DWN_SCALE_SOURCES && own->scale >= 0 && own->scale < INFINITY);
        fuzz_require((own->scale == 0) == (own->source == DWN_SCALE_NONE));
        fuzz_require(own->exact <= own->asked);
        fuzz_require(!own->weights || (r->layers[i].weights && own->weight_count > 0));
        chosen += own->source == DWN_SCALE_FREE;
    }
    fuzz_require(chosen == scales->free);
}

static void check(const dwn_recovery *r, const dwn_scales *scales, uint32_t words)
{
    show(r, scales);
    check_scales(r, scales);
    for (uint32_t i = 0; i < r->count; i++) {
        check_layer(r, i);
    }
    fuzz_require(r->cached_decoded <= r->cached_size && r->streamed_decoded <= r->streamed_size);
    fuzz_require(r->moves + r->unknown <= r->operations);
    for (uint32_t i = 0; i < r->gap_count; i++) {
        const dwn_gap *gap = &r->gaps[i];
        fuzz_require(gap->reason && (gap->words.words > 0 || gap->piece.size > 0 || !gap->output));
        fuzz_require(gap->words.word <= words && gap->words.words <= words - gap->words.word);
    }
}

static void recover(hoist_arena *arena, dwn_executable *main, hoist_bytes cached, hoist_bytes chunk)
{
    static const dwn_stream_options first = {0};
    static const dwn_link links[] = {
        {.offset_bit = 582,
         .desc = DWN_DESC_PARAMETER,
         .position = DWN_POSITION_LOW,
         .has_meta = true},
        {.offset_bit = 710,
         .desc = DWN_DESC_PARAMETER,
         .position = DWN_POSITION_HIGH,
         .has_meta = true},
    };
    dwn_executable caching = {.type = DWN_PARAMETER_CACHING, .parameters = cached};
    dwn_chunk part = {.links = links, .link_count = chunk.size >= 128 ? 2 : 0};
    dwn_image images[] = {{.rows = main, .chunks = &part, .chunk_count = 1}, {.rows = &caching}};
    const dwn_contents contents = {.images = images, .image_count = 2};
    dwn_recovery r;
    dwn_scales scales;
    uint16_t next = 0;
    if (fuzz_came(dwn_stream_read(chunk, &first, arena, &part.stream, &next)) &&
        fuzz_came(dwn_recover(&contents, arena, &r)) &&
        fuzz_came(dwn_scales_of(&r, main, arena, &scales))) {
        check(&r, &scales, part.stream.words);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_reader reader = hoist_reader_init((hoist_bytes){data, size});
    dwn_layer input = {.y_dim = hoist_read_u8(&reader),
                       .x_dim = hoist_read_u8(&reader),
                       .z_dim = hoist_read_u8(&reader)};
    dwn_numerics numerics = {.zero_point = hoist_read_u8(&reader), .dequantization_factor = 0.5F};
    const uint16_t cached_size = hoist_read_u16le(&reader);
    const uint16_t streamed_size = hoist_read_u16le(&reader);
    const hoist_bytes cached = hoist_read_bytes(&reader, cached_size);
    const hoist_bytes streamed = hoist_read_bytes(&reader, streamed_size);
    const hoist_bytes chunk = hoist_read_bytes(&reader, hoist_reader_left(&reader));
    dwn_layer output = input;
    input.numerics = output.numerics = &numerics;
    dwn_executable main = {.type = DWN_EXECUTION_ONLY,
                           .parameters = streamed,
                           .input_layers = {&input, 1},
                           .output_layers = {&output, 1}};
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    if (!reader.failed) {
        recover(&arena, &main, cached, chunk);
    }
    hoist_arena_deinit(&arena);
    return 0;
}
