// Operators of the source that cut and join channels, and the layers that do the same in another
// way.
#include "base/alloc.h"
#include "edgetpu/seen_testing.h"
#include "edgetpu/source.h"
#include "formats/tflite/tflite_testing.h"

// An image is split in two, and its halves exchanged; of these a slice has a part of each, and
// another one half, of which a logistic function is computed; the halves are joined again.
enum { IMAGE, LOW, HIGH, SWAPPED, MIDDLE, LAST, CURVE, AGAIN, OTHER, AXIS, SIZES, TENSORS };
enum { OP_SPLIT, OP_SWAP, OP_MIDDLE, OP_LAST, OP_CURVE, OP_AGAIN, OP_OTHER, OPS };
enum { BEGIN = TENSORS, END, STEP, ALL };
enum { L_HIGH, L_LOW, L_SWAP, L_END, L_START, L_MIDDLE, L_CURVE, L_OTHER, LAYERS };

static const struct {
    int32_t channels; // 0: a constant
    float scale;
    int64_t zero;
} tensor_rows[ALL] = {
    [IMAGE] = {8, 0.5F, 10},       [LOW] = {4, 0.5F, 10},    [HIGH] = {4, 0.5F, 10},
    [SWAPPED] = {8, 0.5F, 10},     [MIDDLE] = {4, 0.5F, 10}, [LAST] = {4, 0.5F, 10},
    [CURVE] = {4, 0.00390625F, 0}, [AGAIN] = {8, 0.5F, 10},  [OTHER] = {8, 0.00390625F, 0},
};

static const struct {
    int8_t code;
    int32_t inputs[4];
    uint8_t count;
    int32_t outputs[2];
    uint8_t made;
} op_rows[OPS] = {
    [OP_SPLIT] = {TFLITE_OP_SPLIT, {AXIS, IMAGE}, 2, {LOW, HIGH}, 2},
    [OP_SWAP] = {TFLITE_OP_CONCATENATION, {HIGH, LOW}, 2, {SWAPPED}, 1},
    [OP_MIDDLE] = {TFLITE_OP_SLICE, {SWAPPED, BEGIN, SIZES}, 3, {MIDDLE}, 1},
    [OP_LAST] = {TFLITE_OP_STRIDED_SLICE, {SWAPPED, END, SIZES, STEP}, 4, {LAST}, 1},
    [OP_CURVE] = {TFLITE_OP_LOGISTIC, {LAST}, 1, {CURVE}, 1},
    [OP_AGAIN] = {TFLITE_OP_CONCATENATION, {LOW, HIGH}, 2, {AGAIN}, 1},
    [OP_OTHER] = {TFLITE_OP_LOGISTIC, {AGAIN}, 1, {OTHER}, 1},
};

typedef struct fixture {
    tflite_module module;
    tflite_model model;
    tflite_subgraph graph;
    tflite_tensor tensors[ALL];
    tflite_quantization quantizations[ALL];
    tflite_buffer buffers[ALL + 1];
    tflite_operator ops[OPS];
    tflite_operator_code codes[OPS];
    tflite_concatenation_options join;
    tflite_strided_slice_options strides;
    dwn_recovered layers[LAYERS];
} fixture;

static void fill_tensors(fixture *f, hoist_arena *arena)
{
    for (uint32_t i = 0; i < ALL; i++) {
        const int32_t shape[4] = {1, 2, 2, tensor_rows[i].channels};
        const bool is_constant = tensor_rows[i].channels == 0;
        f->quantizations[i].scale = tflite_test_floats(arena, 1, &tensor_rows[i].scale);
        f->quantizations[i].zero_point = tflite_test_longs(arena, 1, &tensor_rows[i].zero);
        f->tensors[i] = (tflite_tensor){.shape = tflite_test_ints(arena, 4, shape),
                                        .type = is_constant ? TFLITE_INT32 : TFLITE_UINT8,
                                        .buffer = i + 1,
                                        .quantization = is_constant ? NULL : &f->quantizations[i]};
    }
    f->buffers[1 + AXIS].data = TEST_INTS(arena, 3);
    f->buffers[1 + BEGIN].data = TEST_INTS(arena, 0, 0, 0, 2);
    f->buffers[1 + END].data = TEST_INTS(arena, 0, 0, 0, -4);
    f->buffers[1 + SIZES].data = TEST_INTS(arena, 1, 2, 2, 8);
    f->buffers[1 + STEP].data = TEST_INTS(arena, 1, 1, 1, 1);
}

static void fill_model(fixture *f, hoist_arena *arena)
{
    fill_tensors(f, arena);
    f->join.axis = 3;
    for (uint32_t i = 0; i < OPS; i++) {
        f->codes[i] = (tflite_operator_code){.deprecated_builtin_code = op_rows[i].code,
                                             .builtin_code = op_rows[i].code};
        f->ops[i] = (tflite_operator){
            .opcode_index = i,
            .inputs = tflite_test_ints(arena, op_rows[i].count, op_rows[i].inputs),
            .outputs = tflite_test_ints(arena, op_rows[i].made, op_rows[i].outputs)};
        if (op_rows[i].code == TFLITE_OP_CONCATENATION) {
            f->ops[i].builtin_options =
                (hoist_fb_union){.type = TFLITE_OPTIONS_Concatenation, .value = &f->join};
        }
    }
    f->ops[OP_LAST].builtin_options =
        (hoist_fb_union){.type = TFLITE_OPTIONS_StridedSlice, .value = &f->strides};
    f->graph.tensors.items = f->tensors;
    f->graph.tensors.count = ALL;
    f->graph.operators.items = f->ops;
    f->graph.operators.count = OPS;
    f->graph.outputs = TEST_INTS(arena, SWAPPED, MIDDLE, CURVE, OTHER);
    f->model.operator_codes.items = f->codes;
    f->model.operator_codes.count = OPS;
    f->model.buffers.items = f->buffers;
    f->model.buffers.count = ALL + 1;
    f->model.subgraphs.items = &f->graph;
    f->model.subgraphs.count = 1;
    f->module.base.alloc = hoist_allocator_system();
    f->module.model = &f->model;
}

// What recovery finds: slices of the image, joins of these, and what is computed.
static void fill_layers(fixture *f)
{
    static const struct {
        dwn_layer_kind kind;
        uint32_t inputs[2], count, first, channels;
    } rows[LAYERS] = {
        [L_HIGH] = {DWN_KIND_SLICE, {DWN_MODEL_INPUT}, 1, 4, 4},
        [L_LOW] = {DWN_KIND_SLICE, {DWN_MODEL_INPUT}, 1, 0, 4},
        [L_SWAP] = {DWN_KIND_CONCATENATION, {L_HIGH, L_LOW}, 2, 0, 8},
        [L_END] = {DWN_KIND_SLICE, {DWN_MODEL_INPUT}, 1, 6, 2},
        [L_START] = {DWN_KIND_SLICE, {L_LOW}, 1, 0, 2},
        [L_MIDDLE] = {DWN_KIND_CONCATENATION, {L_END, L_START}, 2, 0, 4},
        [L_CURVE] = {DWN_KIND_LOGISTIC, {L_LOW}, 1, 0, 4},
        [L_OTHER] = {DWN_KIND_LOGISTIC, {DWN_MODEL_INPUT}, 1, 0, 8},
    };
    for (uint32_t i = 0; i < LAYERS; i++) {
        const bool is_curve = rows[i].kind == DWN_KIND_LOGISTIC;
        const bool is_slice = rows[i].kind == DWN_KIND_SLICE;
        const uint8_t zero = is_curve ? 0 : 10;
        f->layers[i] = (dwn_recovered){.kind = rows[i].kind,
                                       .inputs = rows[i].inputs,
                                       .input_count = rows[i].count,
                                       .first = rows[i].first,
                                       .input = {2, 2, is_slice ? 8 : rows[i].channels},
                                       .output = {2, 2, rows[i].channels},
                                       .multiplier = is_curve ? 0.5F : 1,
                                       .low = -(float)zero,
                                       .high = 255 - (float)zero,
                                       .input_zero = 10,
                                       .output_zero = zero};
    }
    f->layers[L_START].input.c = 4;
}

static void break_nothing(fixture *f)
{
    (void)f;
}

static void split_with_sizes(fixture *f)
{
    static const uint8_t inputs[] = {IMAGE, 0, 0, 0, SIZES, 0, 0, 0, AXIS, 0, 0, 0};
    f->codes[OP_SPLIT].deprecated_builtin_code = TFLITE_OP_SPLIT_V;
    f->codes[OP_SPLIT].builtin_code = TFLITE_OP_SPLIT_V;
    f->ops[OP_SPLIT].inputs = (hoist_bytes){inputs, sizeof(inputs)};
}

static void mask_begin(fixture *f)
{
    static const uint8_t begin[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0};
    f->buffers[1 + END].data = (hoist_bytes){begin, sizeof(begin)};
}

static void set_mask(fixture *f)
{
    f->strides.begin_mask = 8;
}

static void set_step(fixture *f)
{
    static const uint8_t step[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    f->buffers[1 + STEP].data = (hoist_bytes){step, sizeof(step)};
}

static void shrink(fixture *f)
{
    f->strides.shrink_axis_mask = 1;
}

static void set_axis(fixture *f)
{
    static const uint8_t axis[] = {2, 0, 0, 0};
    f->buffers[1 + AXIS].data = (hoist_bytes){axis, sizeof(axis)};
}

static void set_join(fixture *f)
{
    f->join.axis = 2;
}

static void move_slice(fixture *f)
{
    f->layers[L_HIGH].first = 3;
}

static void move_part(fixture *f)
{
    f->layers[L_END].first = 5;
}

static void exchange(fixture *f)
{
    static const uint32_t inputs[] = {L_LOW, L_HIGH};
    f->layers[L_SWAP].inputs = inputs;
}

static void read_other(fixture *f)
{
    static const uint32_t inputs[] = {L_HIGH};
    f->layers[L_CURVE].inputs = inputs;
}

static void read_half(fixture *f)
{
    f->layers[L_OTHER].inputs = f->layers[L_CURVE].inputs;
}

static void change_scale(fixture *f)
{
    f->tensors[HIGH].quantization = &f->quantizations[CURVE];
}

// clang-format off
static const struct {
    const char *name;
    void (*damage)(fixture *f);
    const char *want; // paths
} damages[] = {
    {"nothing",                      break_nothing,    ""},
    {"a split into sizes",           split_with_sizes, ""},
    {"a begin that is not from the end", mask_begin,   ""},
    {"a begin that does not count",  set_mask,         "layers/6/inputs;"},
    {"every other channel",          set_step,         "operators/3;"},
    {"an axis that goes",            shrink,           "operators/3;"},
    {"a split along columns",        set_axis,         "operators/0;layers/2/inputs;operators/2;operators/5;layers/3;layers/4;layers/5;"},
    {"a join along columns",         set_join,         "layers/2/joined_in_rows;operators/2;operators/3;layers/3;layers/4;layers/5;"},
    {"another scale",                change_scale,     "operators/0;operators/1/inputs/0;operators/2;operators/3;operators/5;layers/3;layers/4;layers/5;"},
    {"a slice of other channels",    move_slice,       "layers/2/inputs;"},
    {"a part of other channels",     move_part,        "operators/2;layers/3;layers/4;layers/5;"},
    {"parts exchanged",              exchange,         "operators/1;layers/7/inputs;"},
    {"the other half is read",       read_other,       "layers/6/inputs;"},
    {"a half is read",               read_half,        "layers/7/inputs;"},
};
// clang-format on

HOIST_TEST_TABLE(channels_are_moved, damages)
{
    fixture *f = hoist_arena_array(&t->arena, 1, sizeof(*f));
    hoist_status status = HOIST_OK;
    fill_model(f, &t->arena);
    fill_layers(f);
    row->damage(f);
    hoist_edgetpu_source_pair source = {.arena = &t->arena,
                                        .module = &f->module,
                                        .graph = &f->graph,
                                        .layers = f->layers,
                                        .layer_count = LAYERS};
    load_seen seen = load_seen_source(&source, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&seen.paths), row->want);
    load_seen_deinit(&seen);
}

// Joins of 16 cuts each, in 32 levels, read each other: paths are more than could be followed.
HOIST_TEST(many_paths_take_little_time)
{
    enum { LEVELS = 32, WIDTH = 16 };
    fixture *f = hoist_arena_array(&t->arena, 1, sizeof(*f));
    tflite_tensor *tensors = hoist_arena_array(&t->arena, LEVELS + 2, sizeof(*tensors));
    tflite_operator *ops = hoist_arena_array(&t->arena, LEVELS, sizeof(*ops));
    fill_model(f, &t->arena);
    for (int32_t i = 0; i < LEVELS; i++) {
        int32_t inputs[WIDTH];
        const int32_t made = i + 1;
        for (size_t k = 0; k < WIDTH; k++) {
            inputs[k] = i;
        }
        ops[i] = f->ops[OP_SWAP];
        ops[i].inputs = tflite_test_ints(&t->arena, WIDTH, inputs);
        ops[i].outputs = tflite_test_ints(&t->arena, 1, &made);
        tensors[i] = f->tensors[IMAGE];
    }
    tensors[LEVELS] = tensors[LEVELS + 1] = f->tensors[IMAGE];
    f->graph.tensors.items = tensors;
    f->graph.tensors.count = LEVELS + 2;
    f->graph.operators.items = ops;
    f->graph.operators.count = LEVELS;
    f->graph.outputs = TEST_INTS(&t->arena, LEVELS);
    fill_layers(f);
    hoist_edgetpu_source_pair source = {.arena = &t->arena,
                                        .module = &f->module,
                                        .graph = &f->graph,
                                        .layers = f->layers,
                                        .layer_count = LAYERS};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_match(&source), HOIST_OK);
    HOIST_EXPECT(t, !hoist_edgetpu_source_is_route(&source, LEVELS, &f->layers[L_SWAP]));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(channels_are_moved), HOIST_TEST_ROW(many_paths_take_little_time))
