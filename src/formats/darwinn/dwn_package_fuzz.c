// Reads any bytes as a package and as the custom_options of an operator, checks and shows them, and
// moves the bytes of its outputs, when they are few, from the chip's order and back.
#include <string.h>

#include "base/alloc.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/relayout.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { MOST_BYTES = 1 << 16 };

// What comes from the chip goes back to where it was; elements that no slice has are nowhere.
static void move_output(const dwn_layer *layer, hoist_arena *arena)
{
    const int64_t actual = dwn_layer_actual(layer);
    const int64_t padded = dwn_layer_padded(layer);
    if (actual < 1 || actual > MOST_BYTES || padded < 1 || padded > MOST_BYTES) {
        return;
    }
    const hoist_mut_bytes chip = {hoist_arena_alloc(arena, (size_t)padded), (size_t)padded};
    const hoist_mut_bytes user = {hoist_arena_alloc(arena, (size_t)actual), (size_t)actual};
    const hoist_mut_bytes back = {hoist_arena_alloc(arena, (size_t)actual), (size_t)actual};
    fuzz_require(chip.data && user.data && back.data);
    for (size_t i = 0; i < chip.size; i++) {
        chip.data[i] = (uint8_t)(i * 31 + i / 256);
    }
    if (dwn_from_chip(layer, (hoist_bytes){chip.data, chip.size}, arena, user) == HOIST_OK) {
        fuzz_require(dwn_to_chip(layer, (hoist_bytes){user.data, user.size}, arena, chip) ==
                     HOIST_OK);
        fuzz_require(dwn_from_chip(layer, (hoist_bytes){chip.data, chip.size}, arena, back) ==
                     HOIST_OK);
    }
}

static void move_outputs(const dwn_module *module)
{
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    for (uint32_t i = 0; i < module->packages[0].image_count; i++) {
        const dwn_executable *const e = module->packages[0].images[i].rows;
        for (uint32_t k = 0; e && k < e->output_layers.count && k < 4; k++) {
            move_output(&e->output_layers.items[k], &arena);
        }
    }
    hoist_arena_deinit(&arena);
}

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    (void)self;
    uint64_t size = array->element_size;
    for (uint32_t i = 0; i < array->rank; i++) {
        size *= (uint64_t)array->shape[i];
    }
    fuzz_require(array->name_count == 1 && array->bytes.size == size);
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    fuzz_require(missing->name.size > 0 && missing->reason.size > 0);
    return HOIST_OK;
}

static void try_as(hoist_bytes bytes, const hoist_payload *payload)
{
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = payload};
    const hoist_check_options check = {0};
    const hoist_dump_options dump = {0};
    hoist_diag *diag = NULL;
    hoist_module *module = NULL;
    fuzz_require(hoist_diag_create(options.alloc, NULL, &diag) == HOIST_OK);
    if (dwn_read(bytes, &options, diag, &module) == HOIST_OK) {
        const hoist_status status = dwn_check_all(module, &check, diag);
        fuzz_require(status == HOIST_OK || status == HOIST_LIMIT);
        size_t depth = 0;
        hoist_tree_sink sink = hoist_depth_sink(&depth);
        fuzz_require(dwn_visit(module, &dump, &sink) == HOIST_OK && depth == 0);
        move_outputs(dwn_of(module));
        const hoist_recovery_sink arrays = {NULL, take_array, take_missing};
        const hoist_status recovered = dwn_recover_module(module, &arrays);
        fuzz_require(recovered == HOIST_OK || recovered == HOIST_LIMIT);
    }
    dwn_destroy(module);
    hoist_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t shape[] = {1, 10};
    static const hoist_border_tensor tensors[] = {
        {{"a", 1}, HOIST_DTYPE_U8, 2, shape, true, 0.5F, 1},
        {{"b", 1}, HOIST_DTYPE_I16, 2, shape, false, 0, 0},
    };
    const hoist_payload payload = {.offset = 4096,
                                   .inputs = tensors,
                                   .input_count = 1,
                                   .outputs = tensors,
                                   .output_count = 2,
                                   .neighbours = 1};
    const hoist_bytes bytes = {data, size};
    try_as(bytes, NULL);
    try_as(bytes, &payload);
    return 0;
}
