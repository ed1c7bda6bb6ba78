// The programs of examples/programs with data: results computed by hand, the same bits however many
// workers there are and however often.
#include <string.h>

#include "runtime/runtime_testing.h"

enum { REPETITIONS = 50, MOST = 4096 };

static hoist_bytes bytes_of(const float *elements, size_t count)
{
    return (hoist_bytes){(const uint8_t *)elements, count * sizeof *elements};
}

static void write_floats(hoist_test *t, hoist_session *session, const char *name,
                         const float *elements, size_t count)
{
    HOIST_EXPECT_EQ(
        t, hoist_session_write(session, name, 0, HOIST_DTYPE_U8, bytes_of(elements, count)),
        HOIST_OK);
}

static void read_floats(hoist_test *t, hoist_session *session, const char *name, float *elements,
                        size_t count)
{
    const hoist_mut_bytes to = {(uint8_t *)elements, count * sizeof *elements};
    HOIST_EXPECT_EQ(t, hoist_session_read(session, name, 0, HOIST_DTYPE_U8, to), HOIST_OK);
}

static float relu(float value)
{
    return value > 0 ? value : 0;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

// Each example fills `out`, checks it, and returns how many elements it has.

// x0[r][c] = 8 r + c - 12 and x1[r][c] = 10 - 8 r - c.
static size_t run_ark(hoist_test *t, hoist_session *session, float *out)
{
    float x0[4][8];
    float x1[4][8];
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 8; c++) {
            x0[r][c] = (float)(8 * r + c - 12);
            x1[r][c] = (float)(10 - 8 * r - c);
        }
    }
    write_floats(t, session, "x0", x0[0], 32);
    write_floats(t, session, "x1", x1[0], 32);
    HOIST_EXPECT_EQ(t, runtime_run(session, "iterate"), HOIST_OK);
    read_floats(t, session, "x0", out, 32);
    read_floats(t, session, "x1", out + 32, 32);
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 8; c++) {
            // x0: left half + right half and relu, then what rank 1 sent is added to the right.
            // x1: relu, then the larger of that and the transposed left half of x0.
            const float left = relu((float)(2 * (8 * r + c) + 4 - 24));
            const float turned = c < 4 ? relu((float)(2 * (8 * c + r) + 4 - 24)) : 0;
            HOIST_EXPECT_EQ(t, out[8 * r + c], c < 4 ? left : x0[r][c] + relu(x1[r][c]));
            HOIST_EXPECT_EQ(t, out[32 + 8 * r + c], larger(turned, relu(x1[r][c])));
        }
    }
    return 64;
}

// Batches [1 2 3; 4 5 6] and [-1 0 1; 2 2 2], with something in the padding.
static size_t run_ark_layer(hoist_test *t, hoist_session *session, float *out)
{
    static const float padding[] = {99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99};
    static const float x[] = {1, 2, 3, 4, 5, 6, -1, 0, 1, 2, 2, 2};
    static const float expected[] = {6, 8, 15, 17, 0, 2,  6, 6,  21, 25,
                                     6, 8, 14, 32, 2, 12, 8, 17, 2,  6};
    HOIST_EXPECT_EQ(
        t, hoist_session_write(session, "buffer:0", 0, HOIST_DTYPE_F32, bytes_of(padding, 16)),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_write(session, "0", 0, HOIST_DTYPE_F32, bytes_of(x, 12)),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    read_floats(t, session, "y", out, 8);
    read_floats(t, session, "columns", out + 8, 4);
    read_floats(t, session, "rows", out + 12, 4);
    const hoist_mut_bytes second = {(uint8_t *)(out + 16), 16};
    HOIST_EXPECT_EQ(t, hoist_session_read(session, "4", 0, HOIST_DTYPE_F32, second), HOIST_OK);
    HOIST_EXPECT(t, memcmp(out, expected, sizeof expected) == 0);
    return 20;
}

static size_t run_neff(hoist_test *t, hoist_session *session, float *out)
{
    float in[2][32];
    for (int i = 0; i < 32; i++) {
        in[0][i] = (float)i;
        in[1][i] = 0.5f * (float)(i * i);
    }
    write_floats(t, session, "input0", in[0], 32);
    write_floats(t, session, "input1", in[1], 32);
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    read_floats(t, session, "output0", out, 32);
    read_floats(t, session, "output1", out + 32, 32);
    for (int i = 0; i < 64; i++) {
        HOIST_EXPECT(t, out[i] == in[0][i % 32] + in[1][i % 32]);
    }
    // The addresses of gradient_out0 (0x1000000100) and gradient_out1 (0x101000000100).
    read_floats(t, session, "address0", out + 64, 2);
    read_floats(t, session, "address1", out + 66, 2);
    HOIST_EXPECT(
        t, memcmp((const void *)(out + 64), "\0\1\0\0\x10\0\0\0\0\1\0\0\x10\x10\0\0", 16) == 0);
    return 68;
}

// The parameters are 1 2 3 4 0 ... for a, which works on its input twice, and 0.5 0.5 0 ... for b.
static size_t run_edgetpu(hoist_test *t, hoist_session *session, float *out)
{
    float a[16];
    float b[16];
    for (int i = 0; i < 16; i++) {
        a[i] = (float)(i - 1); // -1 0 1 2 ...
        b[i] = (float)(7 - 8 * i);
    }
    write_floats(t, session, "input_a", a, 16);
    write_floats(t, session, "input_b", b, 16);
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    read_floats(t, session, "output_a", out, 16);
    read_floats(t, session, "output_b", out + 16, 16);
    const float expected_a[16] = {0, 0, 9, 32};
    const float expected_b[16] = {3.5f};
    for (int i = 0; i < 16; i++) {
        HOIST_EXPECT(t, out[i] == expected_a[i]);
        HOIST_EXPECT(t, out[16 + i] == expected_b[i]);
    }
    return 32;
}

static void push_diagonal(hoist_test *t, hoist_session *session, float value)
{
    float tile[32][32] = {{0}};
    for (int i = 0; i < 32; i++) {
        tile[i][i] = value;
    }
    HOIST_EXPECT_EQ(t,
                    hoist_session_push(session, "activations", HOIST_DTYPE_F32,
                                       bytes_of(tile[0], 1024), HOIST_FOREVER),
                    HOIST_OK);
}

// Weights w, activations 2 I and I, one microbatch in each of two steps:
//   loss 2 w, gradient 2 I * 2 w = 4 w, weights w - 4 w = -3 w;
//   loss -3 w, gradient -3 w, weights 0.
static size_t run_buda(hoist_test *t, hoist_session *session, float *out)
{
    float w[32][64];
    for (int r = 0; r < 32; r++) {
        for (int c = 0; c < 64; c++) {
            w[r][c] = (float)((3 * r + c) % 7 - 2);
        }
    }
    HOIST_EXPECT_EQ(
        t, hoist_session_write(session, "weights", 0, HOIST_DTYPE_F32, bytes_of(w[0], 2048)),
        HOIST_OK);
    push_diagonal(t, session, 2);
    push_diagonal(t, session, 1);
    const hoist_parameter parameters[] = {{"p_steps", 2}, {"$p_microbatches", 1}};
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "train", parameters, 2), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, HOIST_FOREVER), HOIST_OK);
    static const float factors[] = {2, -3};
    for (int step = 0; step < 2; step++) {
        const hoist_mut_bytes to = {(uint8_t *)out, 2048 * sizeof *out};
        HOIST_EXPECT_EQ(t, hoist_session_pop(session, "loss", HOIST_DTYPE_F32, to, HOIST_FOREVER),
                        HOIST_OK);
        for (int i = 0; i < 2048; i++) {
            HOIST_EXPECT(t, out[i] == factors[step] * w[i / 64][i % 64]);
        }
    }
    const hoist_mut_bytes to = {(uint8_t *)(out + 2048), 2048 * sizeof *out};
    HOIST_EXPECT_EQ(t, hoist_session_read(session, "weights", 0, HOIST_DTYPE_F32, to), HOIST_OK);
    for (int i = 0; i < 2048; i++) {
        HOIST_EXPECT(t, out[2048 + i] == 0);
    }
    return 4096;
}

// Images that are brighter to the right, below, and the same all over.
static size_t run_tflite(hoist_test *t, hoist_session *session, float *out)
{
    static const uint8_t images[3][16] = {
        {0, 0, 200, 200, 0, 0, 200, 200, 0, 0, 200, 200, 0, 0, 200, 200},
        {10, 10, 10, 10, 10, 10, 10, 10, 240, 240, 240, 240, 240, 240, 240, 240},
        {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
    };
    static const uint8_t expected[3][3] = {{179, 19, 58}, {13, 199, 44}, {54, 54, 147}};
    for (size_t i = 0; i < 3; i++) {
        uint8_t answer[3];
        const hoist_bytes image = {images[i], sizeof images[i]};
        const hoist_mut_bytes to = {answer, sizeof answer};
        HOIST_EXPECT_EQ(t, hoist_session_write(session, "image", 0, HOIST_DTYPE_U8, image),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_read(session, "answer", 0, HOIST_DTYPE_U8, to), HOIST_OK);
        for (size_t k = 0; k < 3; k++) {
            HOIST_EXPECT_EQ(t, answer[k], expected[i][k]);
            out[3 * i + k] = answer[k];
        }
    }
    return 9;
}

static const struct {
    const char *name;
    size_t (*run)(hoist_test *t, hoist_session *session, float *out);
} examples[] = {{"ark_ranks", run_ark},        {"ark_layer", run_ark_layer},
                {"neff_all_reduce", run_neff}, {"edgetpu_token", run_edgetpu},
                {"buda_training", run_buda},   {"tflite_edges", run_tflite}};

static const runtime_mode modes[] = RUNTIME_MODES;

HOIST_TEST_TABLE(results_are_the_same_in_all_ways, examples)
{
    static float first[MOST];
    static float again[MOST];
    hoist_program *program = runtime_example(t, row->name);
    size_t count = 0;
    for (size_t m = 0; program && m < HOIST_COUNT_OF(modes); m++) {
        for (int i = 0; i < HOIST_TEST_ROUNDS(REPETITIONS); i++) {
            hoist_session *session = runtime_open(t, program, &modes[m]);
            float *out = count ? again : first;
            const size_t got = row->run(t, session, out);
            hoist_session_close(session);
            HOIST_EXPECT(t, count == 0 || memcmp(first, again, got * sizeof *again) == 0);
            count = got;
        }
    }
    hoist_program_destroy(program);
}

// What a session keeps: the cached parameters, and pointers of queues.
HOIST_TEST_TABLE(runs_follow_each_other, examples)
{
    static float out[MOST];
    hoist_program *program = runtime_example(t, row->name);
    hoist_session *session = program ? runtime_open(t, program, &modes[1]) : NULL;
    for (int i = 0; session && i < 9; i++) {
        (void)row->run(t, session, out);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Opens, runs and closes with every allocation refused once. A run that begins ends, well or not.
static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    const hoist_session_options options = {
        .struct_size = sizeof options, .alloc = alloc, .sequential = true};
    static const float nothing[1024];
    const hoist_parameter parameters[] = {{"p_steps", 1}, {"p_microbatches", 1}};
    static float loss[2048];
    hoist_session *session = NULL;
    HOIST_TRY(hoist_session_open(self, &options, NULL, &session));
    hoist_status status = hoist_session_push(session, "activations", HOIST_DTYPE_F32,
                                             bytes_of(nothing, 1024), HOIST_FOREVER);
    if (status == HOIST_OK) {
        status = hoist_session_run(session, "train", parameters, 2);
    }
    if (status == HOIST_OK) {
        status = hoist_session_wait_idle(session, HOIST_FOREVER);
    }
    if (status == HOIST_OK) {
        const hoist_mut_bytes to = {(uint8_t *)loss, sizeof loss};
        status = hoist_session_pop(session, "loss", HOIST_DTYPE_F32, to, HOIST_FOREVER);
    }
    hoist_session_close(session);
    return status;
}

HOIST_TEST(no_memory_is_said)
{
    hoist_program *program = runtime_example(t, "buda_training");
    if (program) {
        hoist_test_starve(t, run_starved, program);
    }
    hoist_program_destroy(program);
}

static hoist_status run_network_starved(hoist_allocator alloc, const void *self)
{
    const hoist_session_options options = {
        .struct_size = sizeof options, .alloc = alloc, .sequential = true};
    static const uint8_t image[16];
    hoist_session *session = NULL;
    HOIST_TRY(hoist_session_open(self, &options, NULL, &session));
    hoist_status status =
        hoist_session_write(session, "image", 0, HOIST_DTYPE_U8, (hoist_bytes){image, 16});
    if (status == HOIST_OK) {
        status = runtime_run(session, "run");
    }
    hoist_session_close(session);
    return status;
}

HOIST_TEST(no_memory_for_a_network_is_said)
{
    hoist_program *program = runtime_example(t, "tflite_edges");
    if (program) {
        hoist_test_starve(t, run_network_starved, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(results_are_the_same_in_all_ways),
                HOIST_TEST_ROW(runs_follow_each_other), HOIST_TEST_ROW(no_memory_is_said),
                HOIST_TEST_ROW(no_memory_for_a_network_is_said))
