// The golden vectors of single ops, bit for bit, at every CPU level that the machine has.
#include "kernels/compute.h"
#include "vectors.h"

#define INTEGER(n)                                                                                 \
    {                                                                                              \
        .integer = (n)                                                                             \
    }
#define NUMBER(x)                                                                                  \
    {                                                                                              \
        .number = (x)                                                                              \
    }

typedef struct vector {
    const char *name; // file of the output
    const char *inputs[2];
    hoist_compute_op op;
    hoist_compute_attrs attrs;
} vector;

// clang-format off
static const vector unary[] = {
    {"out_o_exp",             {"in_x"},   HOIST_GOLDEN_EXP,             {{{0}}}},
    {"out_o_log",             {"in_pos"}, HOIST_GOLDEN_LOG,             {{{0}}}},
    {"out_o_sqrt",            {"in_pos"}, HOIST_GOLDEN_SQRT,            {{{0}}}},
    {"out_o_gelu",            {"in_x"},   HOIST_GOLDEN_GELU,            {{{0}}}},
    {"out_o_gelu_derivative", {"in_x"},   HOIST_GOLDEN_GELU_DERIVATIVE, {{{0}}}},
    {"out_o_reciprocal",      {"in_x"},   HOIST_GOLDEN_RECIPROCAL,      {{{0}}}},
    {"out_o_sigmoid",         {"in_x"},   HOIST_GOLDEN_SIGMOID,         {{{0}}}},
    {"out_o_tanh",            {"in_x"},   HOIST_GOLDEN_TANH,            {{{0}}}},
    {"out_o_square",          {"in_x"},   HOIST_GOLDEN_SQUARE,          {{{0}}}},
    {"out_o_sine",            {"in_x"},   HOIST_GOLDEN_SINE,            {{{0}}}},
    {"out_o_cosine",          {"in_x"},   HOIST_GOLDEN_COSINE,          {{{0}}}},
    {"out_o_abs",             {"in_x"},   HOIST_GOLDEN_ABS,             {{{0}}}},
    {"out_o_lrelu",           {"in_x"},   HOIST_GOLDEN_LRELU,           {{INTEGER(0), NUMBER(0.125F)}}},
    {"out_o_power",           {"in_x"},   HOIST_GOLDEN_POWER,           {{INTEGER(0), INTEGER(3)}}},
    {"out_o_dropout",         {"in_x"},   HOIST_GOLDEN_DROPOUT,         {{INTEGER(0), NUMBER(0.3F)}}},
    {"out_ov_exp_r",          {"in_x"},   HOIST_GOLDEN_EXP,             {{INTEGER(HOIST_TILE_ROWS)}}},
    {"out_ov_exp_c",          {"in_x"},   HOIST_GOLDEN_EXP,             {{INTEGER(HOIST_TILE_COLUMNS)}}},
    {"out_ov_abs_r",          {"in_x"},   HOIST_GOLDEN_ABS,             {{INTEGER(HOIST_TILE_ROWS)}}},
    {"out_o_relu_min_0p5",    {"in_x"},   HOIST_GOLDEN_RELU_MIN,        {{NUMBER(0.5F)}}},
    {"out_o_relu_max_0p5",    {"in_x"},   HOIST_GOLDEN_RELU_MAX,        {{NUMBER(0.5F)}}},
    {"out_o_relu_min_0p0",    {"in_x"},   HOIST_GOLDEN_RELU_MIN,        {{NUMBER(0)}}},
};
static const vector binary[] = {
    {"out_o_add",      {"in_a", "in_b"}, HOIST_GOLDEN_ADD,      {{{0}}}},
    {"out_o_subtract", {"in_a", "in_b"}, HOIST_GOLDEN_SUBTRACT, {{{0}}}},
    {"out_o_multiply", {"in_a", "in_b"}, HOIST_GOLDEN_MULTIPLY, {{{0}}}},
    {"out_o_maximum",  {"in_a", "in_b"}, HOIST_GOLDEN_MAXIMUM,  {{{0}}}},
};
// clang-format on

static const char *const formats[] = {"Float32", "Float16", "Float16_b"};

// A set of vectors: matrices one tile high.
typedef struct vector_set {
    const char *name;
    size_t tiles;
} vector_set;

static const vector_set unary_set = {"unary", 1};
static const vector_set binary_set = {"binary", 2};

static float *read_tiles(hoist_test *t, const vector_set *set, const char *format,
                         const char *queue, const char *suffix)
{
    const hoist_str path = hoist_arena_format(&t->arena, "buda-golden/custom_%s_%s/%s%s", set->name,
                                              format, queue, suffix);
    const char *file = hoist_test_corpus(t, path.data);
    if (!file) {
        hoist_test_skip(t, "the corpus is absent");
    }
    const size_t count = set->tiles * HOIST_TILE_FLOATS;
    const float *matrix = vectors_floats(t, file, count);
    float *tiles = hoist_arena_array(&t->arena, count, sizeof *tiles);
    HOIST_EXPECT(t, matrix != NULL);
    for (size_t i = 0; matrix && i < count; i++) {
        const size_t row = i / (set->tiles * HOIST_TILE_DIM);
        const size_t col = i % (set->tiles * HOIST_TILE_DIM);
        const size_t tile = col / HOIST_TILE_DIM;
        tiles[tile * HOIST_TILE_FLOATS + row * HOIST_TILE_DIM + col % HOIST_TILE_DIM] = matrix[i];
    }
    return tiles;
}

static void run(hoist_test *t, const hoist_compute_kernels *kernels, hoist_compute_call *call)
{
    hoist_compute_fault fault;
    const size_t work = hoist_compute_work(call);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, call, 0, work, &fault), HOIST_OK);
}

// The vectors were made for Wormhole, which reads Float32 as Tf32 (buda-ops reference 4.2.2).
static void quantise_input(hoist_test *t, const hoist_compute_kernels *kernels, hoist_tiles tiles)
{
    hoist_compute_call call = {
        .op = HOIST_GOLDEN_QUANTIZE, .inputs = {tiles}, .output = tiles, .input_count = 1};
    call.attrs.value[HOIST_QUANTIZE_DTYPE].dtype = HOIST_DTYPE_TF32;
    call.attrs.value[HOIST_QUANTIZE_HEIGHT].integer = 32;
    call.attrs.value[HOIST_QUANTIZE_WIDTH].integer = 32;
    run(t, kernels, &call);
}

static void check_level(hoist_test *t, const vector_set *set, const char *format, const vector *v,
                        const hoist_compute_kernels *kernels)
{
    const hoist_tile_shape shape = {1, 1, set->tiles};
    const size_t count = set->tiles * HOIST_TILE_FLOATS;
    float *out = hoist_arena_array(&t->arena, count, sizeof *out);
    hoist_compute_call call = {.op = v->op, .attrs = v->attrs, .output = {out, NULL, shape}};
    for (size_t i = 0; i < 2 && v->inputs[i]; i++) {
        float *in = read_tiles(t, set, format, v->inputs[i], ".e0.f32.npy");
        call.inputs[i] = (hoist_tiles){in, NULL, shape};
        call.input_count++;
        quantise_input(t, kernels, call.inputs[i]);
    }
    run(t, kernels, &call);
    const float *wanted = read_tiles(t, set, format, v->name, ".f32.npy");
    HOIST_EXPECT_EQ(t, vectors_compare_floats(t, format, out, wanted, count), 0);
}

static void check(hoist_test *t, const vector_set *set, const vector *v)
{
    for (size_t f = 0; f < HOIST_COUNT_OF(formats); f++) {
        for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
            check_level(t, set, formats[f], v, hoist_compute_kernels_at(level));
        }
    }
}

HOIST_TEST_TABLE(unary_vectors, unary)
{
    check(t, &unary_set, row);
}

HOIST_TEST_TABLE(binary_vectors, binary)
{
    check(t, &binary_set, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(unary_vectors), HOIST_TEST_ROW(binary_vectors))
