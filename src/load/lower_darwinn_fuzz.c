// A package of any chunk and parameters through the writer, the reader and the lowering of Edge TPU
// packages. What is lowered passes the verifier, prints and reads back as the same, and comes to
// its end without data.
//
// Byte 0: choices (on_unknown, requantization, driver); 1: elements of a batch, at most 3; 2 to 5
// height, width and channels of the input, and its zero point; 6 to 9: the same of the output; 10
// and 11: bytes of cached, 12 and 13: of streamed parameters, which are the next bytes. The rest is
// the chunk.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/write.h"
#include "lower/lower.h"
#include "machine/schedule.h"
#include "program/verify.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20, FUZZ_STEPS = 10000 };

static void run(const hoist_program *program, hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_machine_options options = {.alloc = alloc, .max_steps = FUZZ_STEPS};
    const hoist_schedule in_order = {.kind = HOIST_SCHEDULE_IN_ORDER};
    hoist_machine *machine = NULL;
    hoist_outcome outcome;
    if (fuzz_came(hoist_machine_create(program, &options, &machine)) &&
        fuzz_came(hoist_machine_start(machine, 0, NULL))) {
        (void)fuzz_came(hoist_schedule_run(machine, in_order, NULL, NULL, diag, &outcome));
    }
    hoist_machine_destroy(machine);
}

static void fuzz_module(const hoist_module *module, const hoist_lower_options *options,
                        hoist_diag *diag)
{
    const hoist_lower_file file = {.module = module, .name = HOIST_STR("fuzz")};
    hoist_program *program = NULL;
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = hoist_lower_darwinn(&file, 1, NULL, options, diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    if (status == HOIST_UNSUPPORTED) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) > before); // it says why
    } else if (fuzz_came(status)) {
        fuzz_require(hoist_program_verify(program, diag) != HOIST_INVALID);
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) == before);
        (void)fuzz_read_again(program, module->alloc, diag);
        run(program, module->alloc, diag);
    }
    hoist_program_destroy(program);
}

static void fuzz_file(hoist_bytes file, const hoist_lower_options *options, hoist_diag *diag)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_read_options read = {.alloc = hoist_budget_allocator(&budget), .keep = true};
    hoist_module *module = NULL;
    const hoist_status status = dwn_read(file, &read, diag, &module);
    fuzz_require(status == HOIST_OK || module == NULL);
    if (module) {
        fuzz_module(module, options, diag);
    }
    dwn_destroy(module);
    fuzz_require(budget.used == 0);
}

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
        .requantization = (hoist_requantization)(choice / 3 % 2),
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
    hoist_diag *diag = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    if (!r.failed && dwn_make_package(&package, executables, 2, &out) == HOIST_OK) {
        fuzz_file(hoist_buffer_bytes(&out), &options, diag);
    }
    hoist_buffer_deinit(&out);
    hoist_diag_destroy(diag);
    return 0;
}
