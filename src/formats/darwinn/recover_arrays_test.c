// What recover gives of a whole package: arrays with their types and places, and what is missing.
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/recover_testing.h"

typedef struct seen {
    hoist_buffer text;   // a line of each
    hoist_status answer; // to each
} seen;

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    seen *s = self;
    hoist_buffer_format(&s->text, "%.*s", HOIST_STR_ARGS(array->names[0]));
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_buffer_format(&s->text, "%c%d", i ? ',' : ' ', (int)array->shape[i]);
    }
    hoist_buffer_format(&s->text, " %s:", hoist_dtype_get(array->dtype)->name);
    for (size_t i = 0; i < array->bytes.size && i < 4; i++) {
        hoist_buffer_format(&s->text, " %u", array->bytes.data[i]);
    }
    hoist_buffer_char(&s->text, '\n');
    return s->answer;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    seen *s = self;
    hoist_buffer_format(&s->text, "%.*s: %.*s\n", HOIST_STR_ARGS(missing->name),
                        HOIST_STR_ARGS(missing->reason));
    return s->answer;
}

static hoist_str recover_from(hoist_test *t, const dwn_module *module, hoist_status answer,
                              hoist_status want)
{
    seen s = {.answer = answer};
    const hoist_recovery_sink sink = {&s, take_array, take_missing};
    hoist_buffer_init(&s.text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_recover_module(&module->base, &sink), want);
    const hoist_str said = hoist_arena_str(&t->arena, hoist_buffer_text(&s.text));
    hoist_buffer_deinit(&s.text);
    return said;
}

// A package whose main program has these operations on the image of 4 x 5 x 3, and parameters of
// which byte i is i.
static dwn_module *module_of(hoist_test *t, const dwn_sketch *sketches, size_t count,
                             uint32_t parameters)
{
    static dwn_maker m;
    static uint8_t blob[1024];
    dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    dwn_module *module = NULL;
    m.next_id = 0;
    dwn_make_begin(&m);
    for (size_t i = 0; i < count; i++) {
        dwn_make_operation(&m, &sketches[i]);
    }
    for (size_t i = 0; i < sizeof(blob); i++) {
        blob[i] = (uint8_t)i;
    }
    for (size_t i = 0; i < draft.count; i++) {
        dwn_executable *e = draft.executables[i];
        if (e->type == DWN_PARAMETER_CACHING) {
            e->parameters = (hoist_bytes){blob, parameters};
        } else {
            e->instruction_bitstreams.items[0].bitstream = dwn_make_end(&m, false);
            e->instruction_bitstreams.items[0].field_offsets.count = 0;
            e->parameters = (hoist_bytes){blob, 0};
            e->dma_hints = NULL; // nothing is sent any more
        }
    }
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    return module;
}

// 1 x 1 from 3 channels to 8 on all tiles: 2 x 2 pixels each, strips of one; 16 rows are stored.
#define POINTS                                                                                     \
    {                                                                                              \
        .tiles = 0xffff, .reduction = 1, .rest = 2, .input_zero = 127, .full_rows = 8,             \
        .last_rows = 8, .has_multipliers = true, .has_bias = true, .has_weight_zeros = true,       \
        .a = {                                                                                     \
            {2, 1}                                                                                 \
        }                                                                                          \
    }

HOIST_TEST(arrays_of_layers)
{
    static const dwn_sketch points[] = {POINTS};
    dwn_module *module = module_of(t, points, 1, 256);
    HOIST_EXPECT_STR(t, recover_from(t, module, HOIST_OK, HOIST_OK),
                     "layers/0/weights 8,1,1,3 u8: 192 193 194 196\n"
                     "layers/0/bias 8 i32: 64 65 66 67\n"
                     "layers/0/multipliers 8 f32: 0 1 2 3\n"
                     "layers/0/weight_zero_points 8 u8: 128 132 136 140\n"
                     "grid: no layer was found that makes the output\n"
                     "scores: no layer was found that makes the output\n"
                     "layers/0: no instruction takes these parameters to the layer\n"
                     "layers/0: the tiles of the layer make more than its output\n"
                     "layers/0: the number of last channels that are padding is unknown\n"
                     "layers/0: the values that the layer reads are unknown\n"
                     "layers/0: no layer was found that reads the output\n");
    dwn_destroy(&module->base);
}

// Where every zero point of weights is 128 the model is one of int8.
HOIST_TEST(signed_models)
{
    static const dwn_sketch points[] = {{.tiles = 0xffff,
                                         .reduction = 1,
                                         .rest = 2,
                                         .input_zero = 127,
                                         .weight_zero = 128,
                                         .full_rows = 8,
                                         .last_rows = 8,
                                         .a = {{2, 1}}}};
    dwn_module *module = module_of(t, points, 1, 64);
    HOIST_EXPECT_STR(t, recover_from(t, module, HOIST_OK, HOIST_OK),
                     "layers/0/weights 8,1,1,3 i8: 128 129 130 132\n"
                     "layers/0/multipliers 1 f32: 0 0 0 63\n"
                     "layers/0/weight_zero_points 1 i8: 0\n"
                     "grid: no layer was found that makes the output\n"
                     "scores: no layer was found that makes the output\n"
                     "layers/0: no instruction takes these parameters to the layer\n"
                     "layers/0: the tiles of the layer make more than its output\n"
                     "layers/0: the number of last channels that are padding is unknown\n"
                     "layers/0: the values that the layer reads are unknown\n"
                     "layers/0: no layer was found that reads the output\n");
    dwn_destroy(&module->base);
}

HOIST_TEST(gaps_are_missing)
{
    static const dwn_sketch unknown[] = {{.mode = 0x1000}, POINTS};
    dwn_module *module = module_of(t, unknown, 2, 64);
    HOIST_EXPECT_STR(
        t, recover_from(t, module, HOIST_OK, HOIST_OK),
        "instructions: 272 bytes: the kind of the operation is unknown\n"
        "instructions: 272 bytes: parameters of the layer are not where they should be\n"
        "parameters: 64 bytes: no layer was found that uses these bytes\n"
        "grid: no layer was found that makes the output\n"
        "scores: no layer was found that makes the output\n");
    dwn_destroy(&module->base);
}

HOIST_TEST(sinks_may_end_it)
{
    static const dwn_sketch points[] = {POINTS};
    dwn_module *module = module_of(t, points, 1, 256);
    HOIST_EXPECT_STR(t, recover_from(t, module, HOIST_CANCELLED, HOIST_CANCELLED),
                     "layers/0/weights 8,1,1,3 u8: 192 193 194 196\n");
    dwn_destroy(&module->base);
    module = module_of(t, points, 1, 64);
    HOIST_EXPECT_EQ(t, recover_from(t, module, HOIST_CANCELLED, HOIST_CANCELLED).size > 0, true);
    dwn_destroy(&module->base);
}

HOIST_TEST(packages_that_do_not_run)
{
    dwn_module module = {.package_count = 1, .base.alloc = hoist_allocator_system()};
    dwn_contents contents = {0};
    module.packages = &contents;
    HOIST_EXPECT_STR(t, recover_from(t, &module, HOIST_OK, HOIST_OK),
                     "package: the package has no executable that is run\n");
}

static hoist_status accept_array(void *self, const hoist_recovered *array)
{
    (void)self;
    (void)array;
    return HOIST_OK;
}

static hoist_status accept_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

static hoist_status recover_all(hoist_allocator alloc, const void *self)
{
    const hoist_recovery_sink sink = {NULL, accept_array, accept_missing};
    dwn_module module = *(const dwn_module *)self;
    module.base.alloc = alloc;
    return dwn_recover_module(&module.base, &sink);
}

HOIST_TEST(memory_runs_out)
{
    static const dwn_sketch points[] = {POINTS, {.mode = 0x1000}};
    dwn_module *module = module_of(t, points, 2, 512);
    hoist_test_starve(t, recover_all, module);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(arrays_of_layers), HOIST_TEST_ROW(signed_models),
                HOIST_TEST_ROW(gaps_are_missing), HOIST_TEST_ROW(sinks_may_end_it),
                HOIST_TEST_ROW(packages_that_do_not_run), HOIST_TEST_ROW(memory_runs_out))
