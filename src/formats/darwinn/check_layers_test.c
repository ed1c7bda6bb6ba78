// Layers and their layouts: rules 31 and 61 to 72.
#include <math.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"

#define IMAGE "executables/0/input_layers/0"
#define GRID "executables/0/output_layers/0"
#define SCORES "executables/0/output_layers/1"
#define LAYOUT "any_layer/layout/"
#define MAP LAYOUT "y_coordinate_to_linear_tile_id_map"
#define SLICES "any_layer/shape_info/"

// clang-format off
static const dwn_case layers[] = {
    {"size below 0", DWN_PLAIN, {{IMAGE "/size_bytes", -64, NULL}}, "DWN-055 DWN-031", "executables/0/dma_hints/hints/1:any_hint"},
    {"rows below 0", DWN_PLAIN, {{IMAGE "/y_dim", -4, NULL}}, "DWN-031", IMAGE ":y_dim"},
    {"columns below 0", DWN_PLAIN, {{IMAGE "/x_dim", -5, NULL}}, "DWN-031", IMAGE ":x_dim"},
    {"channels below 0", DWN_PLAIN, {{IMAGE "/z_dim", -3, NULL}}, "DWN-031", IMAGE ":z_dim"},
    {"an output below 0", DWN_PLAIN, {{GRID "/y_dim", -4, NULL}}, "DWN-031", GRID ":y_dim"},
    {"an output that is an input", DWN_PLAIN, {{SCORES "/any_layer", DWN_LAYER_INPUT, NULL}}, "DWN-061a", SCORES ":any_layer"},
    {"an output that is nothing", DWN_PLAIN, {{SCORES "/any_layer", DWN_LAYER_NONE, NULL}}, "DWN-061a", SCORES ":any_layer"},
    {"an input that is nothing", DWN_PLAIN, {{IMAGE "/any_layer", DWN_LAYER_NONE, NULL}}, "DWN-061b", IMAGE ":any_layer"},
    {"two outputs of one name", DWN_PLAIN, {{SCORES "/name", 0, "grid"}},
     "DWN-041 DWN-041 DWN-048 DWN-055 DWN-062", NULL},
    {"an input may be named as an output", DWN_PLAIN, {{IMAGE "/name", 0, "grid"}}, "DWN-041 DWN-041 DWN-048 DWN-055 DWN-060", NULL},
    {"an element too little", DWN_PLAIN, {{IMAGE "/size_bytes", 59, NULL}}, "DWN-054b DWN-063", "executables/0/dma_hints/hints/1:any_hint"},
    {"a channel more than fits",         DWN_PLAIN, {{SCORES "/z_dim", 17, NULL}, {SCORES "/shape", 0, NULL}}, "DWN-060 DWN-063", NULL},
    {"not rounded up", DWN_PLAIN, {{IMAGE "/size_bytes", 72, NULL}}, "DWN-064", IMAGE ":size_bytes"},
    {"an output not rounded up", DWN_PLAIN, {{SCORES "/size_bytes", 24, NULL}}, "DWN-064", SCORES ":size_bytes"},
    {"an unknown type", DWN_PLAIN, {{SCORES "/data_type", 6, NULL}}, "DWN-065", SCORES ":data_type"},
    {"a type below 0", DWN_PLAIN, {{SCORES "/data_type", -1, NULL}}, "DWN-065", SCORES ":data_type"},
    {"a type above all", DWN_PLAIN, {{IMAGE "/data_type", 10, NULL}}, "DWN-065", IMAGE ":data_type"},
    {"no numerics", DWN_PLAIN, {{IMAGE "/numerics", 0, NULL}}, "DWN-066", IMAGE ":numerics"},
    {"scale 0", DWN_PLAIN, {{IMAGE "/numerics/dequantization_factor", 0, NULL}}, "DWN-067", IMAGE ":numerics/dequantization_factor"},
    {"scale below 0", DWN_PLAIN, {{SCORES "/numerics/dequantization_factor", -0.5, NULL}}, "DWN-067",
     SCORES ":numerics/dequantization_factor"},
    {"an infinite scale", DWN_PLAIN, {{IMAGE "/numerics/dequantization_factor", INFINITY, NULL}}, "DWN-067",
     IMAGE ":numerics/dequantization_factor"},
    {"a scale that is no number", DWN_PLAIN, {{IMAGE "/numerics/dequantization_factor", NAN, NULL}}, "DWN-067",
     IMAGE ":numerics/dequantization_factor"},
    {"executed never", DWN_PLAIN, {{SCORES "/execution_count_per_inference", 0, NULL}}, "DWN-053 DWN-068",
     "executables/0/dma_hints/hints/3:any_hint"},
    {"executed -1 times", DWN_PLAIN, {{SCORES "/execution_count_per_inference", -1, NULL}}, "DWN-055 DWN-068",
     "executables/0/dma_hints/hints/3:any_hint"},
    {"another shape", DWN_PLAIN, {{SCORES "/z_dim", 9, NULL}}, "DWN-072", SCORES ":shape"},
    {"a shape that ends before it starts", DWN_PLAIN, {{SCORES "/shape/dimension/7", -2, NULL}}, "DWN-072", SCORES ":shape"},
    {"no shape", DWN_PLAIN, {{SCORES "/shape", 0, NULL}}, "", NULL},
    {"a shape of too many elements", DWN_PLAIN, {{SCORES "/shape/dimension/1", INT32_MAX, NULL},
     {SCORES "/shape/dimension/3", INT32_MAX, NULL}, {SCORES "/shape/dimension/5", INT32_MAX, NULL}}, "DWN-072", SCORES ":shape"},
};

static const dwn_case layouts[] = {
    {"no layout", DWN_PLAIN, {{GRID "/any_layer/layout", 0, NULL}}, "DWN-069", GRID ":any_layer/layout"},
    {"a pixel needs none", DWN_PLAIN, {{SCORES "/any_layer/layout", 0, NULL}}, "", NULL},
    {"no columns", DWN_PLAIN, {{GRID "/x_dim", 0, NULL}, {GRID "/shape", 0, NULL},
     {GRID "/" LAYOUT "x_coordinate_to_linear_tile_id_map", 0, NULL},
     {GRID "/" LAYOUT "x_coordinate_to_local_byte_offset", 0, NULL},
     {GRID "/" LAYOUT "x_coordinate_to_local_y_row_size", 0, NULL}}, "DWN-064", GRID ":size_bytes"},
    {"a row too little", DWN_PLAIN, {{GRID "/" MAP, 12, NULL}}, "DWN-070", GRID ":" MAP},
    {"no rows", DWN_PLAIN, {{GRID "/" MAP, -1, NULL}}, "DWN-070", GRID ":" MAP},
    {"a local row too little", DWN_PLAIN, {{GRID "/" LAYOUT "y_coordinate_to_local_y_offset", 12, NULL}}, "DWN-070", GRID ":" MAP},
    {"a column too little", DWN_PLAIN, {{GRID "/" LAYOUT "x_coordinate_to_linear_tile_id_map", 16, NULL}}, "DWN-070", GRID ":" MAP},
    {"a local column too little", DWN_PLAIN, {{GRID "/" LAYOUT "x_coordinate_to_local_byte_offset", 16, NULL}}, "DWN-070", GRID ":" MAP},
    {"a row size too little", DWN_PLAIN, {{GRID "/" LAYOUT "x_coordinate_to_local_y_row_size", 16, NULL}}, "DWN-070", GRID ":" MAP},
    {"no such tile", DWN_PLAIN, {{GRID "/" MAP "/3", 3, NULL}}, "DWN-070", GRID ":" MAP},
    {"a tile below 0", DWN_PLAIN, {{GRID "/" MAP "/3", -1, NULL}}, "DWN-070", GRID ":" MAP},
    {"a tile less", DWN_PLAIN, {{GRID "/" LAYOUT "linearized_tile_byte_offset", 12, NULL}}, "DWN-070", GRID ":" MAP},
    {"an offset below 0", DWN_PLAIN, {{GRID "/" LAYOUT "linearized_tile_byte_offset/0", -1, NULL}}, "DWN-070", GRID ":" MAP},
    {"the last pixel a byte too far", DWN_PLAIN, {{GRID "/" LAYOUT "linearized_tile_byte_offset/3", 513, NULL}}, "DWN-070",
     GRID ":" MAP},
    {"far behind the buffer", DWN_PLAIN, {{GRID "/" LAYOUT "x_coordinate_to_local_y_row_size/4", INT32_MAX, NULL},
     {GRID "/" LAYOUT "y_coordinate_to_local_y_offset/3", INT32_MAX, NULL}}, "DWN-070", GRID ":" MAP},
    {"tiles that overlap", DWN_PLAIN, {{GRID "/" LAYOUT "linearized_tile_byte_offset/3", 511, NULL}}, "DWN-070", GRID ":" MAP},
    {"pixels that overlap", DWN_PLAIN, {{GRID "/" LAYOUT "x_coordinate_to_local_byte_offset/1", 31, NULL}}, "DWN-070", GRID ":" MAP},
    {"slices of a layer that is executed twice", DWN_SLICES, {{GRID "/execution_count_per_inference", 2, NULL}}, "DWN-060 DWN-071",
     NULL},
    {"slices without a shape", DWN_SLICES, {{GRID "/shape", 0, NULL}}, "DWN-071", GRID ":" SLICES "slice_layout"},
    {"an offset less than slices", DWN_SLICES, {{GRID "/" SLICES "slice_offset", 12, NULL}}, "DWN-071", GRID ":" SLICES "slice_layout"},
    {"a slice of no shape", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/shape", 0, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/1/shape"},
    {"a stride less", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/stride", 12, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/1/shape"},
    {"another rank", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/stride", 12, NULL},
     {GRID "/" SLICES "slice_layout/1/shape/dimension", 24, NULL}}, "DWN-071", GRID ":" SLICES "slice_layout/1/shape"},
    {"a stride too small", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/stride/2", 31, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/1/shape"},
    {"a stride of 0", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/stride/3", 0, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/1/shape"},
    {"a range that ends before it starts", DWN_SLICES, {{GRID "/" SLICES "slice_layout/1/shape/dimension/7", -1, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/1/shape"},
    {"a row that the layer does not have", DWN_SLICES,
     {{GRID "/" SLICES "slice_layout/3/shape/dimension/2", 3, NULL},
      {GRID "/" SLICES "slice_layout/3/shape/dimension/3", 4, NULL}},
     "DWN-071",
     GRID ":" SLICES "slice_layout/3/shape"},
    {"a column before the first", DWN_SLICES,
     {{GRID "/" SLICES "slice_layout/0/shape/dimension/4", -1, NULL},
      {GRID "/" SLICES "slice_layout/0/shape/dimension/5", 1, NULL}},
     "DWN-071",
     GRID ":" SLICES "slice_layout/0/shape"},
    {"an offset below 0", DWN_SLICES, {{GRID "/" SLICES "slice_offset/1", -1, NULL}}, "DWN-071", GRID ":" SLICES "slice_layout/1/shape"},
    {"an element behind the buffer", DWN_SLICES, {{GRID "/" SLICES "slice_offset/3", 513, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/3/shape"},
    {"a stride that leads out", DWN_SLICES, {{GRID "/" SLICES "slice_layout/3/stride/1", 512, NULL}}, "DWN-071",
     GRID ":" SLICES "slice_layout/3/shape"},
};
// clang-format on

HOIST_TEST_TABLE(check_layers, layers)
{
    dwn_test_case(t, row);
}

HOIST_TEST_TABLE(check_layouts, layouts)
{
    dwn_test_case(t, row);
}

// Sorting the pixels of a layout that stands for far more than the file has would take long.
HOIST_TEST(check_layout_limit)
{
    enum { SIDE = 4097 };
    static uint8_t zeros[4 * SIDE];
    const hoist_bytes map = {zeros, sizeof(zeros)};
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_layer *const layer = &draft.executables[0]->output_layers.items[0];
    dwn_output_layer *const output = layer->any_layer.value;
    *output->layout = (dwn_output_layout){.y_coordinate_to_linear_tile_id_map = map,
                                          .x_coordinate_to_linear_tile_id_map = map,
                                          .linearized_tile_byte_offset = map,
                                          .x_coordinate_to_local_byte_offset = map,
                                          .y_coordinate_to_local_y_offset = map,
                                          .x_coordinate_to_local_y_row_size = map};
    layer->y_dim = layer->x_dim = SIDE;
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_LIMIT);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_layers), HOIST_TEST_ROW(check_layouts),
                HOIST_TEST_ROW(check_layout_limit))
