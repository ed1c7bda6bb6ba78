// Every packed tile of the golden vectors, byte for byte.
#include <stdio.h>
#include <string.h>

#include "kernels/pack_testing.h"
#include "vectors.h"

#define TILE_EDGE 32

// One line of the index: "Bfp8_b_16x32_special_trunc bytes=... ok".
typedef struct vector {
    hoist_str name;
    hoist_tile_format format;
    bool truncate;
} vector;

// Splits "<Format>_<h>x<w>_<kind>[_trunc]".
static bool parse_name(hoist_str name, vector *out_vector)
{
    char format[32];
    char kind[32];
    unsigned height = 0;
    unsigned width = 0;
    for (size_t cut = 0; cut < name.size; cut++) {
        const hoist_str rest = hoist_str_slice(name, cut, name.size);
        char text[128];
        (void)snprintf(text, sizeof text, "%.*s", HOIST_STR_ARGS(rest));
        if (sscanf(text, "_%ux%u_%31s", &height, &width, kind) == 3) {
            (void)snprintf(format, sizeof format, "%.*s", (int)cut, name.data);
            *out_vector = (vector){.name = name, .truncate = strstr(kind, "_trunc") != NULL};
            out_vector->format =
                (hoist_tile_format){vectors_dtype(hoist_str_from(format)), height, width, 32};
            return true;
        }
    }
    return false;
}

static const char *vector_path(hoist_test *t, hoist_str name, const char *suffix)
{
    const hoist_str path = hoist_arena_format(&t->arena, "buda-golden/formats_and_tms/%.*s%s",
                                              HOIST_STR_ARGS(name), suffix);
    return hoist_test_corpus(t, path.data);
}

// The tile as a queue of its own, with the kernels of every level that the machine has.
static void check_fast(hoist_test *t, const vector *v, hoist_bytes packed, const float *in,
                       const float *out)
{
    const uint32_t height = v->format.height;
    const uint32_t width = v->format.width;
    const hoist_queue_layout layout = {
        {1, 1, 1, 1, 1, 1, 1, false, height, width}, v->format.dtype, 32, false, v->truncate};
    const size_t count = (size_t)height * width;
    float rows[TILE_EDGE * TILE_EDGE];
    float wanted[TILE_EDGE * TILE_EDGE];
    for (size_t i = 0; i < count; i++) {
        rows[i] = in[i / width * TILE_EDGE + i % width];
        wanted[i] = out[i / width * TILE_EDGE + i % width];
    }
    uint8_t image[HOIST_TILE_MAX_SIZE];
    const hoist_mut_bytes buffer = {image, packed.size};
    const hoist_cpu_level machine = hoist_cpu_detect();
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= machine; level++) {
        const hoist_pack_kernels *kernels = hoist_pack_kernels_at(level);
        HOIST_EXPECT_EQ(t, hoist_pack_queue(kernels, &layout, rows, &buffer, 1), HOIST_OK);
        vectors_compare(t, hoist_pack_kernels_name(kernels), (hoist_bytes){image, packed.size},
                        packed);
        float unpacked[TILE_EDGE * TILE_EDGE];
        HOIST_EXPECT_EQ(t, hoist_unpack_queue(kernels, &layout, &buffer, 1, unpacked), HOIST_OK);
        vectors_compare_floats(t, hoist_pack_kernels_name(kernels), unpacked, wanted, count);
    }
}

static void check_vector(hoist_test *t, const vector *v)
{
    const char *packed_path = vector_path(t, v->name, ".packed");
    HOIST_EXPECT(t, packed_path && hoist_tile_format_ok(&v->format));
    if (!packed_path || !hoist_tile_format_ok(&v->format)) {
        return;
    }
    const hoist_bytes packed = hoist_test_file(t, packed_path);
    const size_t count = (size_t)TILE_EDGE * TILE_EDGE;
    const float *in = vectors_floats(t, vector_path(t, v->name, ".in.npy"), count);
    const float *out = vectors_floats(t, vector_path(t, v->name, ".out.npy"), count);
    HOIST_EXPECT(t, in && out);
    check_fast(t, v, packed, in, out);
    uint8_t image[HOIST_TILE_MAX_SIZE];
    hoist_tile_pack(&v->format, in, TILE_EDGE, v->truncate, image);
    vectors_compare(t, "packed", (hoist_bytes){image, hoist_tile_size(&v->format)}, packed);
    // Elements outside a small tile are zero.
    float unpacked[TILE_EDGE * TILE_EDGE] = {0};
    hoist_tile_unpack(&v->format, packed.data, unpacked, TILE_EDGE);
    vectors_compare_floats(t, "unpacked", unpacked, out, count);
}

HOIST_TEST(packed_tiles)
{
    const char *index_path = hoist_test_corpus(t, "buda-golden/formats_and_tms/index.txt");
    if (!index_path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes index = hoist_test_file(t, index_path);
    size_t seen = 0;
    for (size_t start = 0; start < index.size;) {
        const char *line = (const char *)index.data + start;
        const char *end = memchr(line, '\n', index.size - start);
        const size_t size = end ? (size_t)(end - line) : index.size - start;
        const char *space = memchr(line, ' ', size);
        vector v;
        if (space && parse_name((hoist_str){line, (size_t)(space - line)}, &v)) {
            hoist_test_row(t, hoist_arena_str(&t->arena, v.name).data);
            check_vector(t, &v);
            seen++;
        }
        start += size + 1;
    }
    HOIST_EXPECT_EQ(t, seen, 278);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(packed_tiles))
