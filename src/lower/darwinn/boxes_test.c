// Slices of outputs as boxes (boxes.c), worked out by hand: dimensions that are joined, steps on
// both sides in bytes; and slices that have no place, with the reason.
#include "base/buffer.h"
#include "base/reader.h"
#include "formats/darwinn/package_testing.h"
#include "lower/darwinn/bench_testing.h"

enum { MAX_DIMS = 8 };

// One slice of a tensor whose indices begin at 0.
typedef struct slice_row {
    const char *name;
    int32_t tensor[MAX_DIMS]; // extents until a 0; none: 1 x 4 x 5 x 32
    int32_t start[MAX_DIMS];
    int32_t extent[MAX_DIMS];
    int32_t stride[MAX_DIMS]; // elements; of as many dimensions as the tensor, but for `fewer`
    int32_t offset;
    int32_t size;   // of the buffer; 0: 640 elements
    bool is_wide;   // of two bytes
    int fewer;      // dimensions that the slice lacks
    const char *is; // its box; NULL: refused
} slice_row;

static hoist_bytes ints(hoist_test *t, const int32_t *items, size_t count)
{
    uint8_t *bytes = hoist_arena_alloc(&t->arena, (count + 1) * sizeof *items);
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + i * sizeof *items, (uint32_t)items[i]);
    }
    return (hoist_bytes){bytes, count * sizeof *items};
}

static dwn_tensor_shape *shape_of(hoist_test *t, const int32_t *start, const int32_t *extent,
                                  size_t rank)
{
    int32_t ranges[2 * MAX_DIMS];
    for (size_t i = 0; i < rank; i++) {
        ranges[2 * i] = start[i];
        ranges[2 * i + 1] = start[i] + extent[i] - 1;
    }
    dwn_tensor_shape *shape = hoist_arena_array(&t->arena, 1, sizeof *shape);
    shape->dimension = ints(t, ranges, 2 * rank);
    return shape;
}

// The layer of 640 elements with that slice alone.
static dwn_layer *layer_of(hoist_test *t, const slice_row *row)
{
    static const int32_t usual[MAX_DIMS] = {1, 4, 5, 32};
    static const int32_t zeros[MAX_DIMS] = {0};
    const int32_t *tensor = row->tensor[0] ? row->tensor : usual;
    size_t rank = 0;
    while (rank < MAX_DIMS && tensor[rank] > 0) {
        rank++;
    }
    dwn_draft draft = dwn_draft_of(t, DWN_SLICES);
    dwn_layer *layer = &draft.executables[0]->output_layers.items[0];
    dwn_shape_info *info = ((dwn_output_layer *)layer->any_layer.value)->shape_info;
    layer->shape = shape_of(t, zeros, tensor, rank);
    layer->data_type = row->is_wide ? DWN_FIXED_POINT16 : DWN_FIXED_POINT8;
    layer->size_bytes = row->size ? row->size : 640 * (row->is_wide ? 2 : 1);
    info->slice_layout.count = 1;
    info->slice_layout.items[0].shape =
        shape_of(t, row->start, row->extent, rank - (size_t)row->fewer);
    info->slice_layout.items[0].stride = ints(t, row->stride, rank - (size_t)row->fewer);
    info->slice_offset = ints(t, &row->offset, 1);
    return layer;
}

// "2x64 user 416 by 160 1 chip 512 by 64 1"
static hoist_str text_of(hoist_test *t, const darwinn_lower_box *box)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->arena.alloc);
    for (int i = 0; i < box->shape.rank; i++) {
        hoist_buffer_format(&text, "%s%lld", i ? "x" : "", (long long)box->shape.dim[i]);
    }
    hoist_buffer_format(&text, " user %lld by", (long long)box->user);
    for (int i = 0; i < box->shape.rank; i++) {
        hoist_buffer_format(&text, " %lld", (long long)box->user_stride[i]);
    }
    hoist_buffer_format(&text, " chip %lld by", (long long)box->chip);
    for (int i = 0; i < box->shape.rank; i++) {
        hoist_buffer_format(&text, " %lld", (long long)box->chip_stride[i]);
    }
    const hoist_str kept = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return kept;
}

// clang-format off
#define EIGHT {2, 2, 2, 2, 2, 2, 2, 5}
static const slice_row rows[] = {
    {"all of it is one row", .extent = {1, 4, 5, 32}, .stride = {640, 160, 32, 1}, .is = "640 user 0 by 1 chip 0 by 1"},
    {"rows of a part", .start = {0, 2, 3, 0}, .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = 512, .is = "2x64 user 416 by 160 1 chip 512 by 64 1"},
    {"a gap behind pixels", .extent = {1, 2, 2, 32}, .stride = {256, 128, 40, 1}, .is = "2x2x32 user 0 by 160 32 1 chip 0 by 128 40 1"},
    {"a gap behind rows", .extent = {1, 2, 5, 32}, .stride = {400, 200, 32, 1}, .is = "2x160 user 0 by 160 1 chip 0 by 200 1"},
    {"one channel of all pixels", .start = {0, 0, 0, 5}, .extent = {1, 4, 5, 1}, .stride = {20, 5, 1, 1}, .is = "20 user 5 by 32 chip 0 by 1"},
    {"some channels", .start = {0, 0, 0, 8}, .extent = {1, 4, 5, 4}, .stride = {80, 20, 4, 1}, .offset = 560, .is = "20x4 user 8 by 32 1 chip 560 by 4 1"},
    {"one pixel", .start = {0, 3, 4, 0}, .extent = {1, 1, 1, 32}, .stride = {32, 32, 32, 1}, .is = "32 user 608 by 1 chip 0 by 1"},
    {"one element", .start = {0, 1, 2, 3}, .extent = {1, 1, 1, 1}, .stride = {1, 1, 1, 1}, .offset = 7, .is = "1 user 227 by 640 chip 7 by 1"},
    {"a column", .start = {0, 0, 2, 0}, .extent = {1, 4, 1, 32}, .stride = {128, 32, 32, 1}, .is = "4x32 user 64 by 160 1 chip 0 by 32 1"},
    {"elements of two bytes", .start = {0, 2, 3, 0}, .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = 1024, .is_wide = true, .is = "2x64 user 832 by 320 2 chip 1024 by 128 2"},
    {"up to the end of the buffer", .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = 512, .is = "2x64 user 0 by 160 1 chip 512 by 64 1"},
    {"as many dimensions as a box has", {2, 2, 2, 2, 2, 4, 5}, .extent = {2, 2, 2, 2, 2, 4, 5}, .stride = {899, 449, 224, 111, 55, 6, 1}, .size = 2000,
     .is = "2x2x2x2x2x4x5 user 0 by 320 160 80 40 20 5 1 chip 0 by 899 449 224 111 55 6 1"},
    {"a dimension more", EIGHT, .extent = EIGHT, .stride = {447, 223, 111, 55, 27, 13, 6, 1}, .size = 2000},
    {"a dimension more, of which two are joined", EIGHT, .extent = EIGHT, .stride = {446, 222, 110, 54, 26, 12, 5, 1}, .size = 2000,
     .is = "2x2x2x2x2x2x10 user 0 by 320 160 80 40 20 10 1 chip 0 by 446 222 110 54 26 12 1"},
    {"before the first row", .start = {0, -1, 0, 0}, .extent = {1, 2, 5, 32}, .stride = {640, 160, 32, 1}},
    {"behind the last row", .start = {0, 3, 0, 0}, .extent = {1, 2, 5, 32}, .stride = {640, 160, 32, 1}},
    {"behind the last channel", .start = {0, 0, 0, 1}, .extent = {1, 4, 5, 32}, .stride = {640, 160, 32, 1}},
    {"before the buffer", .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = -1},
    {"a byte behind the buffer", .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = 513},
    {"between two elements", .extent = {1, 2, 2, 32}, .stride = {128, 64, 32, 1}, .offset = 511, .is_wide = true},
    {"over itself", .extent = {1, 2, 2, 32}, .stride = {128, 64, 31, 1}},
    {"of nothing", .extent = {1, 2, 0, 32}, .stride = {128, 64, 32, 1}},
    {"fewer dimensions", .extent = {1, 4, 5, 32}, .stride = {640, 160, 32, 1}, .fewer = 1},
};
// clang-format on

HOIST_TEST_TABLE(slices_are_boxes, rows)
{
    darwinn_bench bench;
    darwinn_lower_border border;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    const bool done = darwinn_lower_border_of(&bench.model, layer_of(t, row), &border);
    HOIST_EXPECT_EQ(t, done, row->is != NULL);
    if (row->is) {
        HOIST_EXPECT_EQ(t, border.count, 1);
        HOIST_EXPECT_STR(t, text_of(t, &border.boxes[0]), row->is);
        HOIST_EXPECT(t, border.may_miss && !border.in_row);
    } else {
        const bool is_long = row->tensor[MAX_DIMS - 1] > 0;
        const hoist_str text = hoist_arena_format(
            &t->arena,
            "+0x0: error: the elements of layer 'grid' have no order: a slice %s [RUN-036]\n",
            is_long ? "has too many dimensions" : "is not inside the tensor and the buffer");
        HOIST_EXPECT_STR(t, hoist_test_findings(t), text.data);
    }
    darwinn_bench_end(&bench);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(slices_are_boxes))
