// Facts of layers: sizes that overflow, names of states, shapes.
#include "formats/darwinn/layout.h"
#include "formats/darwinn/package_testing.h"

#define LAYER "executables/0/output_layers/0/"

// clang-format off
static const struct {
    const char *name;
    dwn_change changes[4];
    int64_t elements;
    int64_t plain;
    int64_t actual; // bytes
    int64_t padded;
} sizes[] = {
    {"grid", {{0}}, 640, 640, 640, 640},
    {"16 bits", {{LAYER "data_type", DWN_SIGNED_FIXED_POINT16, NULL}}, 640, 640, 1280, 640},
    {"32 bits, executed 3 times", {{LAYER "data_type", DWN_SINGLE, NULL}, {LAYER "execution_count_per_inference", 3, NULL}},
     640, 640, 7680, 1920},
    {"an unknown type", {{LAYER "data_type", 7, NULL}}, 640, 640, -1, 640},
    {"the shape counts", {{LAYER "shape/dimension/7", 15, NULL}}, 320, 640, 320, 640},
    {"without a shape", {{LAYER "shape", 0, NULL}, {LAYER "z_dim", 31, NULL}}, 620, 620, 620, 640},
    {"an empty range", {{LAYER "shape/dimension/7", -1, NULL}}, -1, 640, -1, 640},
    {"a shape from below 0", {{LAYER "shape/dimension/6", -32, NULL}}, 1280, 640, 1280, 640},
    {"an extent below 0", {{LAYER "shape", 0, NULL}, {LAYER "x_dim", -1, NULL}}, -1, -1, -1, 640},
    {"too many elements", {{LAYER "shape", 0, NULL}, {LAYER "y_dim", INT32_MAX, NULL}, {LAYER "x_dim", INT32_MAX, NULL},
     {LAYER "z_dim", INT32_MAX, NULL}}, -1, -1, -1, 640},
    {"too many executions", {{LAYER "execution_count_per_inference", -2, NULL}}, 640, 640, -1, -1},
    {"a size below 0", {{LAYER "size_bytes", -8, NULL}}, 640, 640, 640, -1},
};
// clang-format on

HOIST_TEST_TABLE(layer_sizes, sizes)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].path; i++) {
        dwn_draft_set(&draft, row->changes[i].path, row->changes[i].value);
    }
    const dwn_layer *const layer = &draft.executables[0]->output_layers.items[0];
    HOIST_EXPECT_EQ(t, dwn_layer_elements(layer), row->elements);
    HOIST_EXPECT_EQ(t, dwn_layer_plain(layer), row->plain);
    HOIST_EXPECT_EQ(t, dwn_layer_actual(layer), row->actual);
    HOIST_EXPECT_EQ(t, dwn_layer_padded(layer), row->padded);
}

static const struct {
    const char *name; // of the output
    bool is_state;
} states[] = {
    {"image_variable_output", true},
    {"imag_variable_output", false},
    {"image_variable_outpu", false},
    {"_variable_output", false},
    {"image", false},
    {"", false},
};

HOIST_TEST_TABLE(layer_states, states)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_name(&draft, LAYER "name", row->name);
    const dwn_executable *const e = draft.executables[0];
    HOIST_EXPECT_EQ(t, dwn_layer_is_state(&e->output_layers.items[0], e), row->is_state);
}

// Each type once, with the size of the tensor's type.
HOIST_TEST(layer_types)
{
    size_t found = 0;
    for (int type = INT16_MIN; type <= INT16_MAX; type++) {
        const dwn_type_row *const row = dwn_type_of((int16_t)type);
        found += row != NULL;
        HOIST_EXPECT(t, !row || row->type == type);
        HOIST_EXPECT(t, !row || hoist_dtype_get(row->dtype)->bits == 8 * row->size);
        HOIST_EXPECT(t, !row || row->is_flipped == (row->zero_shift != 0));
    }
    HOIST_EXPECT_EQ(t, found, 8);
}

HOIST_TEST(layer_slices)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_SLICES);
    const dwn_layer *const layer = &draft.executables[0]->output_layers.items[0];
    const dwn_output_layer *const output = layer->any_layer.value;
    static const int64_t offsets[] = {0, 192, 320, 512};
    static const int64_t spans[] = {192, 128, 192, 128};
    for (uint32_t i = 0; i < 4; i++) {
        dwn_slice slice;
        HOIST_EXPECT(t, dwn_slice_of(output->shape_info, i, &slice));
        HOIST_EXPECT_EQ(t, slice.rank, 4);
        HOIST_EXPECT_EQ(t, slice.offset, offsets[i]);
        HOIST_EXPECT_EQ(t, slice.span, spans[i]);
        HOIST_EXPECT(t, dwn_slice_is_inside(&slice, layer->shape));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(layer_sizes), HOIST_TEST_ROW(layer_states),
                HOIST_TEST_ROW(layer_types), HOIST_TEST_ROW(layer_slices))
