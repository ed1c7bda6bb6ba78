// A package of any chunk and parameters through the writer, the reader and the lowering of Edge TPU
// packages. What is lowered passes the verifier, prints and reads back as the same, and comes to
// its end without data.
//
// Byte 0: choices (on_unknown, rounding, driver); 1: elements of a batch, at most 3; 2 to 5
// height, width and channels of the input, and its zero point; 6 to 9: the same of the output; 10
// and 11: bytes of cached, 12 and 13: of streamed parameters, which are the next bytes. The rest is
// the chunk.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/write_testing.h"
#include "lower/lower_fuzz_testing.h"

static const fuzz_way in_order = {.max_steps = 10000};

static void read_layer(hoist_reader *r, dwn_layer *layer, dwn_numerics *numerics)
{
    layer->y_dim = hoist_read_u8(r);
    layer->x_dim = hoist_read_u8(r);
    layer->z_dim = hoist_read_u8(r);
    layer->size_bytes = (layer->y_dim * layer->x_dim * layer->z_dim + 7) / 8 * 8;
    layer->execution_count_per_inference = 1;
    layer->numerics = numerics;
    *numerics = (dwn_numerics){.zero_point = hoist_read_u8(r), .dequantization_factor = 0.5F};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_reader r = hoist_reader_init((hoist_bytes){data, size});
    const uint8_t choice = hoist_read_u8(&r);
    const hoist_lower_options options = {
        .struct_size = sizeof options,
        .on_unknown = (hoist_unknown)(choice % 3),
        .requantization = choice / 3 % 2    ? HOIST_REQUANTIZE_FLOAT
                          : choice / 24 % 2 ? HOIST_REQUANTIZE_SINGLE
                                            : HOIST_REQUANTIZE_DOUBLE,
        .driver = (hoist_driver)(choice / 6 % 4),
        .batch = hoist_read_u8(&r) % 4,
    };
    dwn_layer input = {.name = HOIST_STR("x")};
    dwn_layer output = {.name = HOIST_STR("y")};
    dwn_numerics numerics[2];
    read_layer(&r, &input, &numerics[0]);
    read_layer(&r, &output, &numerics[1]);
    const uint16_t cached_size = hoist_read_u16le(&r);
    const uint16_t streamed_size = hoist_read_u16le(&r);
    dwn_executable caching = {
        .batch_size = 1, .type = DWN_PARAMETER_CACHING, .parameter_caching_token = 1};
    caching.parameters = hoist_read_bytes(&r, cached_size);
    dwn_executable main = {.batch_size = 1,
                           .type = DWN_EXECUTION_ONLY,
                           .parameter_caching_token = 1,
                           .input_layers = {&input, 1},
                           .output_layers = {&output, 1}};
    main.parameters = hoist_read_bytes(&r, streamed_size);
    dwn_bitstream chunk = {.bitstream = hoist_read_bytes(&r, hoist_reader_left(&r))};
    main.instruction_bitstreams.items = &chunk;
    main.instruction_bitstreams.count = 1;
    const dwn_executable *const executables[] = {&main, &caching};
    const dwn_package package = {.min_runtime_version = 13};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (!r.failed && dwn_make_package(&package, executables, 2, &out) == HOIST_OK) {
        fuzz_lower_package(hoist_buffer_bytes(&out), &options, &in_order);
    }
    hoist_buffer_deinit(&out);
    return 0;
}
