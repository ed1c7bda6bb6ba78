// encoder_reference DIR: makes the inputs of buda/transformer_encoder.yaml and what must come out.
//
// Plain C in double precision, written from the layer's definition; it shares nothing with hoist.
// DIR/NAME.npy are the inputs, DIR/expected.npy the outputs of `ENTRIES` activations. See
// scripts/demo.sh for its use.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 4,
    N = 128,
    HIDDEN = 128,
    INNER = 512,
    HEADS = 4,
    HEAD = HIDDEN / HEADS,
    TILE = 32
};

static const double EPSILON = 0.0009765625; // 2^-10

static const char *folder;

// Numbers ----------------------------------------------------------------------------------------

static uint64_t state = 2026;

// Uniform in [-1, 1), of 16 bits so that float32 holds it.
static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 48) / 32768 - 1;
}

static double *numbers(size_t count)
{
    double *values = malloc(count * sizeof(double));
    if (!values) {
        abort();
    }
    return values;
}

static double *random_numbers(size_t count, double middle, double spread)
{
    double *values = numbers(count);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)(middle + spread * uniform());
    }
    return values;
}

// Files ------------------------------------------------------------------------------------------

// Writes float32 of shape [entries, t = 1, rows, columns].
static void save(const char *name, const double *values, int entries, int rows, int columns)
{
    char path[512];
    char header[128];
    (void)snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    const int size =
        snprintf(header, sizeof header,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 1, %d, %d), }", entries,
                 rows, columns);
    memset(header + size, ' ', sizeof header - (size_t)size);
    header[117] = '\n'; // magic, version and length take 10 of the first 128 bytes
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    (void)fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    (void)fwrite(header, 1, 118, file);
    for (size_t i = 0; i < (size_t)entries * (size_t)rows * (size_t)columns; i++) {
        const float value = (float)values[i];
        (void)fwrite(&value, sizeof value, 1, file);
    }
    if (fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static double *weights(const char *name, int rows, int columns)
{
    double *values = random_numbers((size_t)rows * (size_t)columns, 0, sqrt(3.0 / rows));
    save(name, values, 1, rows, columns);
    return values;
}

// A vector, of which the file holds a row of tiles: 32 times the same.
static double *vector(const char *name, int columns, double middle, double spread)
{
    double *values = random_numbers((size_t)columns, middle, spread);
    double *rows = numbers((size_t)TILE * (size_t)columns);
    for (int r = 0; r < TILE; r++) {
        memcpy(rows + (size_t)r * (size_t)columns, values, (size_t)columns * sizeof(double));
    }
    save(name, rows, 1, TILE, columns);
    free(rows);
    return values;
}

// The layer --------------------------------------------------------------------------------------

// out [N, columns] = in [N, inner] * matrix [inner, columns] + bias
static double *linear(const double *in, const double *matrix, const double *bias, int inner,
                      int columns)
{
    double *out = numbers((size_t)N * (size_t)columns);
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < columns; c++) {
            double sum = bias[c];
            for (int k = 0; k < inner; k++) {
                sum += in[r * inner + k] * matrix[k * columns + c];
            }
            out[r * columns + c] = sum;
        }
    }
    return out;
}

// Row `r` of head `h`: shares of all positions by softmax(q . k / sqrt(HEAD)), then their v.
static void attend(const double *q, const double *k, const double *v, int r, int h, double *out)
{
    double share[N];
    double sum = 0;
    for (int other = 0; other < N; other++) {
        double product = 0;
        for (int i = h * HEAD; i < (h + 1) * HEAD; i++) {
            product += q[r * HIDDEN + i] * k[other * HIDDEN + i];
        }
        share[other] = exp(product / sqrt(HEAD));
        sum += share[other];
    }
    for (int i = h * HEAD; i < (h + 1) * HEAD; i++) {
        out[r * HIDDEN + i] = 0;
        for (int other = 0; other < N; other++) {
            out[r * HIDDEN + i] += share[other] / sum * v[other * HIDDEN + i];
        }
    }
}

// `values` += `added`, then each row to mean 0 and variance 1, times gain plus offset.
static void add_and_norm(double *values, const double *added, const double *gain,
                         const double *offset)
{
    for (int r = 0; r < N; r++) {
        double *row = values + (size_t)r * HIDDEN;
        double mean = 0;
        double variance = 0;
        for (int c = 0; c < HIDDEN; c++) {
            row[c] += added[r * HIDDEN + c];
            mean += row[c] / HIDDEN;
        }
        for (int c = 0; c < HIDDEN; c++) {
            variance += (row[c] - mean) * (row[c] - mean) / HIDDEN;
        }
        for (int c = 0; c < HIDDEN; c++) {
            row[c] = (row[c] - mean) / sqrt(variance + EPSILON) * gain[c] + offset[c];
        }
    }
}

typedef struct layer {
    double *wq, *wk, *wv, *wo, *w1, *w2;
    double *bq, *bk, *bv, *bo, *b1, *b2;
    double *gain1, *offset1, *gain2, *offset2;
} layer;

// x [N, HIDDEN] becomes y.
static void encode(const layer *l, double *x)
{
    double *q = linear(x, l->wq, l->bq, HIDDEN, HIDDEN);
    double *k = linear(x, l->wk, l->bk, HIDDEN, HIDDEN);
    double *v = linear(x, l->wv, l->bv, HIDDEN, HIDDEN);
    double *mixed = numbers((size_t)N * HIDDEN);
    for (int r = 0; r < N; r++) {
        for (int h = 0; h < HEADS; h++) {
            attend(q, k, v, r, h, mixed);
        }
    }
    double *attention = linear(mixed, l->wo, l->bo, HIDDEN, HIDDEN);
    add_and_norm(x, attention, l->gain1, l->offset1);
    double *up = linear(x, l->w1, l->b1, HIDDEN, INNER);
    for (int i = 0; i < N * INNER; i++) {
        up[i] = up[i] * (1 + erf(up[i] / sqrt(2))) / 2;
    }
    double *down = linear(up, l->w2, l->b2, INNER, HIDDEN);
    add_and_norm(x, down, l->gain2, l->offset2);
    double *const used[] = {q, k, v, mixed, attention, up, down};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        free(used[i]);
    }
}

static layer make_layer(void)
{
    return (layer){
        .wq = weights("wq", HIDDEN, HIDDEN),
        .wk = weights("wk", HIDDEN, HIDDEN),
        .wv = weights("wv", HIDDEN, HIDDEN),
        .wo = weights("wo", HIDDEN, HIDDEN),
        .w1 = weights("w1", HIDDEN, INNER),
        .w2 = weights("w2", INNER, HIDDEN),
        .bq = vector("bq", HIDDEN, 0, 0.1),
        .bk = vector("bk", HIDDEN, 0, 0.1),
        .bv = vector("bv", HIDDEN, 0, 0.1),
        .bo = vector("bo", HIDDEN, 0, 0.1),
        .b1 = vector("b1", INNER, 0, 0.1),
        .b2 = vector("b2", HIDDEN, 0, 0.1),
        .gain1 = vector("gain1", HIDDEN, 1, 0.1),
        .offset1 = vector("offset1", HIDDEN, 0, 0.1),
        .gain2 = vector("gain2", HIDDEN, 1, 0.1),
        .offset2 = vector("offset2", HIDDEN, 0, 0.1),
    };
}

static void free_layer(const layer *l)
{
    double *const all[] = {l->wq, l->wk, l->wv, l->wo, l->w1,    l->w2,      l->bq,    l->bk,
                           l->bv, l->bo, l->b1, l->b2, l->gain1, l->offset1, l->gain2, l->offset2};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: encoder_reference DIR\n");
        return 2;
    }
    folder = argv[1];
    const layer l = make_layer();
    double *x = random_numbers((size_t)ENTRIES * N * HIDDEN, 0, 1);
    save("x", x, ENTRIES, N, HIDDEN);
    for (size_t i = 0; i < ENTRIES; i++) {
        encode(&l, x + i * N * HIDDEN);
    }
    save("expected", x, ENTRIES, N, HIDDEN);
    free(x);
    free_layer(&l);
    return 0;
}
