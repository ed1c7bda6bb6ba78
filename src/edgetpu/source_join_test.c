// Concatenations whose inputs are scaled, other scales and logistic functions of the source, and
// their layers.
#include "base/alloc.h"
#include "edgetpu/seen_testing.h"
#include "edgetpu/source.h"
#include "formats/tflite/tflite_testing.h"

// Two inputs, of which one has another scale than what is made of both; that is scaled and goes
// through a logistic function.
enum { FIRST, SECOND, JOINED, SCALED, CURVE, TENSORS };
enum { OP_JOIN, OP_SCALE, OP_CURVE, OPS };
enum { L_FIRST, L_JOIN, L_SCALE, L_CURVE, LAYERS };

static const struct {
    int32_t channels;
    float scale;
    int64_t zero;
} tensor_rows[TENSORS] = {
    [FIRST] = {3, 0.5F, 10},  [SECOND] = {2, 0.25F, 4},      [JOINED] = {5, 0.25F, 4},
    [SCALED] = {5, 2.0F, 99}, [CURVE] = {5, 0.00390625F, 0},
};

static const struct {
    int8_t code;
    int32_t inputs[2];
    uint8_t count;
    int32_t output;
} op_rows[OPS] = {
    [OP_JOIN] = {TFLITE_OP_CONCATENATION, {FIRST, SECOND}, 2, JOINED},
    [OP_SCALE] = {TFLITE_OP_QUANTIZE, {JOINED}, 1, SCALED},
    [OP_CURVE] = {TFLITE_OP_LOGISTIC, {SCALED}, 1, CURVE},
};

typedef struct fixture {
    tflite_module module;
    tflite_model model;
    tflite_subgraph graph;
    tflite_tensor tensors[TENSORS];
    tflite_quantization quantizations[TENSORS];
    tflite_operator ops[OPS];
    tflite_operator_code codes[OPS];
    dwn_recovered layers[LAYERS];
} fixture;

static void fill_model(fixture *f, hoist_arena *arena)
{
    for (uint32_t i = 0; i < TENSORS; i++) {
        const int32_t shape[4] = {1, 2, 2, tensor_rows[i].channels};
        f->quantizations[i].scale = tflite_test_floats(arena, 1, &tensor_rows[i].scale);
        f->quantizations[i].zero_point = tflite_test_longs(arena, 1, &tensor_rows[i].zero);
        f->tensors[i] = (tflite_tensor){.shape = tflite_test_ints(arena, 4, shape),
                                        .type = TFLITE_UINT8,
                                        .quantization = &f->quantizations[i]};
    }
    for (uint32_t i = 0; i < OPS; i++) {
        f->codes[i] = (tflite_operator_code){.deprecated_builtin_code = op_rows[i].code,
                                             .builtin_code = op_rows[i].code};
        f->ops[i] = (tflite_operator){
            .opcode_index = i,
            .inputs = tflite_test_ints(arena, op_rows[i].count, op_rows[i].inputs),
            .outputs = tflite_test_ints(arena, 1, &op_rows[i].output)};
    }
    f->graph.tensors.items = f->tensors;
    f->graph.tensors.count = TENSORS;
    f->graph.operators.items = f->ops;
    f->graph.operators.count = OPS;
    f->graph.outputs = TEST_INTS(arena, CURVE);
    f->model.operator_codes.items = f->codes;
    f->model.operator_codes.count = OPS;
    f->model.subgraphs.items = &f->graph;
    f->model.subgraphs.count = 1;
    f->module.base.alloc = hoist_allocator_system();
    f->module.model = &f->model;
}

static void fill_layers(fixture *f)
{
    static const uint32_t inputs[LAYERS][2] = {
        {DWN_MODEL_INPUT}, {L_FIRST, DWN_MODEL_INPUT + 1}, {L_JOIN}, {L_SCALE}};
    static const dwn_layer_kind kinds[LAYERS] = {DWN_KIND_QUANTIZE, DWN_KIND_CONCATENATION,
                                                 DWN_KIND_QUANTIZE, DWN_KIND_LOGISTIC};
    static const uint8_t zeros[LAYERS][2] = {{10, 4}, {4, 4}, {4, 99}, {99, 0}};
    static const float multipliers[LAYERS] = {2, 1, 0.125F, 2};
    for (uint32_t i = 0; i < LAYERS; i++) {
        f->layers[i] = (dwn_recovered){.kind = kinds[i],
                                       .inputs = inputs[i],
                                       .input_count = i == L_JOIN ? 2 : 1,
                                       .input = {2, 2, i == L_FIRST ? 3 : 5},
                                       .output = {2, 2, i == L_FIRST ? 3 : 5},
                                       .multiplier = multipliers[i],
                                       .low = -(float)zeros[i][1],
                                       .high = 255 - (float)zeros[i][1],
                                       .input_zero = zeros[i][0],
                                       .output_zero = zeros[i][1]};
    }
}

static void break_nothing(fixture *f)
{
    (void)f;
}

static void break_scaling(fixture *f)
{
    f->layers[L_FIRST].multiplier = 2.5F;
}

static void break_zero(fixture *f)
{
    f->layers[L_FIRST].input_zero = 11;
}

static void break_order(fixture *f)
{
    static const uint32_t other[] = {DWN_MODEL_INPUT + 1, L_FIRST};
    f->layers[L_JOIN].inputs = other;
}

static void drop_scaling(fixture *f)
{
    static const uint32_t other[] = {DWN_MODEL_INPUT, DWN_MODEL_INPUT + 1};
    f->layers[L_JOIN].inputs = other;
}

static void scale_both(fixture *f)
{
    static const uint32_t other[] = {L_FIRST, L_FIRST};
    f->layers[L_JOIN].inputs = other;
}

static void break_quantize(fixture *f)
{
    f->layers[L_SCALE].multiplier = 0.25F;
}

static void break_logistic(fixture *f)
{
    f->layers[L_CURVE].multiplier = 1;
}

static void break_kind(fixture *f)
{
    f->layers[L_CURVE].kind = DWN_KIND_QUANTIZE;
}

static void join_rows(fixture *f)
{
    f->layers[L_JOIN].is_in_rows = 1;
}

// The axis of the concatenation, and how many images there are.
static void set_axis(fixture *f, int32_t axis)
{
    static tflite_concatenation_options options;
    options.axis = axis;
    f->ops[OP_JOIN].builtin_options =
        (hoist_fb_union){.type = TFLITE_OPTIONS_Concatenation, .value = &options};
}

static void set_last_axis(fixture *f)
{
    set_axis(f, 3);
}

static void count_axis_from_the_end(fixture *f)
{
    set_axis(f, -1);
}

static void set_rows(fixture *f)
{
    set_axis(f, 1);
}

static void set_and_join_rows(fixture *f)
{
    set_axis(f, -3);
    join_rows(f);
}

static void set_columns(fixture *f)
{
    set_axis(f, 2);
    join_rows(f);
}

// clang-format off
static const struct {
    const char *name;
    void (*damage)(fixture *f);
    const char *want; // paths
} damages[] = {
    {"nothing",                      break_nothing,  ""},
    {"factor of an input",           break_scaling,  "layers/0/multiplier;"},
    {"zero point of an input",       break_zero,     "layers/0/input_zero_point;"},
    {"inputs exchanged",             break_order,    "operators/0/inputs/0;layers/1/inputs;layers/0;"},
    {"an input that is not scaled",  drop_scaling,   "operators/0/inputs/0;layers/0;"},
    {"the other one is scaled, too", scale_both,     "layers/1/inputs;"},
    {"factor of an operator",        break_quantize, "layers/2/multiplier;"},
    {"factor of a logistic",         break_logistic, "layers/3/multiplier;"},
    {"another kind",                 break_kind,     "operators/2;layers/3;"},
    {"rows are joined",              join_rows,      "layers/1/joined_in_rows;"},
    {"channels are joined",          set_last_axis,  ""},
    {"channels are joined, the last axis", count_axis_from_the_end, ""},
    {"rows are to be joined",        set_rows,       "layers/1/joined_in_rows;"},
    {"rows are joined and are to be", set_and_join_rows, ""},
    {"columns of several rows",      set_columns,    "layers/1/joined_in_rows;"},
};
// clang-format on

HOIST_TEST_TABLE(scaled_inputs, damages)
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

// The compiled model has an operator that makes a tensor of this name.
static const struct {
    const char *name;
    const char *output;
    uint32_t code; // of f->codes
    bool is_left;
} rests[] = {
    {"the same", "curve", OP_CURVE, true},
    {"another operator", "curve", OP_SCALE, false},
    {"of another tensor", "curves", OP_CURVE, false},
    {"of a tensor without a name", "", OP_CURVE, false},
};

HOIST_TEST_TABLE(operators_of_the_compiled_model_are_left, rests)
{
    fixture *f = hoist_arena_array(&t->arena, 1, sizeof(*f));
    fill_model(f, &t->arena);
    fill_layers(f);
    f->tensors[CURVE].name = HOIST_STR("curve");
    tflite_tensor tensors[TENSORS] = {[CURVE] = {.name = hoist_str_from(row->output)}};
    tflite_operator op = {.opcode_index = row->code, .outputs = f->ops[OP_CURVE].outputs};
    tflite_subgraph graph = {.tensors = {tensors, TENSORS}, .operators = {&op, 1}};
    tflite_model model = f->model;
    model.subgraphs.items = &graph;
    const tflite_module compiled = {.base = f->module.base, .model = &model};
    hoist_edgetpu_source_pair source = {.arena = &t->arena,
                                        .module = &f->module,
                                        .compiled = &compiled,
                                        .graph = &f->graph,
                                        .layers = f->layers,
                                        .layer_count = LAYERS - 1};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_match(&source), HOIST_OK);
    HOIST_EXPECT_EQ(t, source.operators[OP_CURVE].state == HOIST_EDGETPU_SOURCE_LEFT, row->is_left);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(scaled_inputs),
                HOIST_TEST_ROW(operators_of_the_compiled_model_are_left))
