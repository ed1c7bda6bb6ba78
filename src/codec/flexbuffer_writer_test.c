// Writing: the bytes of small values, random values there and back, and the maps of compiled models
// from their values to the same bytes.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "codec/flexbuffer_testing.h"
#include "testing/test.h"
#include "testing/trace.h"

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (const uint8_t *)(literal), sizeof(literal) - 1                                            \
    }

static void put_null(hoist_flex_writer *w)
{
    hoist_flex_put_null(w);
}
static void put_true(hoist_flex_writer *w)
{
    hoist_flex_put_bool(w, true);
}
static void put_small(hoist_flex_writer *w)
{
    hoist_flex_put_int(w, -128);
}
static void put_less(hoist_flex_writer *w)
{
    hoist_flex_put_int(w, -129);
}
static void put_large(hoist_flex_writer *w)
{
    hoist_flex_put_uint(w, UINT64_MAX);
}
static void put_float(hoist_flex_writer *w)
{
    hoist_flex_put_float(w, 1.5);
}
static void put_double(hoist_flex_writer *w)
{
    hoist_flex_put_float(w, 0.1);
}
static void put_text(hoist_flex_writer *w)
{
    hoist_flex_put_string(w, (hoist_bytes)BYTES("ab"));
}
static void put_empty(hoist_flex_writer *w)
{
    hoist_flex_put_string(w, (hoist_bytes){NULL, 0});
}
static void put_blob(hoist_flex_writer *w)
{
    hoist_flex_put_blob(w, (hoist_bytes)BYTES("ab"));
}
static void put_name(hoist_flex_writer *w)
{
    hoist_flex_put_key(w, HOIST_STR("ab"));
}

static void put_indirect(hoist_flex_writer *w)
{
    hoist_flex_put_cell(w, (hoist_flex_cell){HOIST_FLEX_INDIRECT_INT, 1, 7});
}

static void put_vector(hoist_flex_writer *w)
{
    const size_t mark = hoist_flex_open(w);
    hoist_flex_put_int(w, 1);
    hoist_flex_put_int(w, 256);
    hoist_flex_close(w, mark, HOIST_FLEX_VECTOR);
}

static void put_ints(hoist_flex_writer *w)
{
    const size_t mark = hoist_flex_open(w);
    hoist_flex_put_int(w, 1);
    hoist_flex_put_int(w, 2);
    hoist_flex_close(w, mark, HOIST_FLEX_VECTOR_INT);
}

static void put_pair(hoist_flex_writer *w)
{
    const size_t mark = hoist_flex_open(w);
    hoist_flex_put_float(w, 1);
    hoist_flex_put_float(w, 2);
    hoist_flex_close(w, mark, HOIST_FLEX_VECTOR_FLOAT2);
}

static void put_map(hoist_flex_writer *w)
{
    const size_t mark = hoist_flex_open(w);
    hoist_flex_put_key(w, HOIST_STR("b"));
    hoist_flex_put_int(w, 2);
    hoist_flex_put_key(w, HOIST_STR("a"));
    hoist_flex_put_int(w, 1);
    hoist_flex_close(w, mark, HOIST_FLEX_MAP);
}

static void put_shared(hoist_flex_writer *w)
{
    const size_t mark = hoist_flex_open(w);
    hoist_flex_put_key(w, HOIST_STR("a"));
    hoist_flex_put_key(w, HOIST_STR("a"));
    hoist_flex_close(w, mark, HOIST_FLEX_VECTOR_KEY);
}

// clang-format off
static const struct {
    const char *name;
    void (*put)(hoist_flex_writer *w);
    hoist_bytes bytes;
} cases[] = {
    {"null", put_null, BYTES("\x00\x00\x01")},
    {"bool", put_true, BYTES("\x01\x68\x01")},
    {"int of one byte", put_small, BYTES("\x80\x04\x01")},
    {"int of two bytes", put_less, BYTES("\x7f\xff\x05\x02")},
    {"uint of eight bytes", put_large, BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x0b\x08")},
    {"float", put_float, BYTES("\x00\x00\xc0\x3f\x0e\x04")},
    {"double", put_double, BYTES("\x9a\x99\x99\x99\x99\x99\xb9\x3f\x0f\x08")},
    {"string", put_text, BYTES("\x02""ab\x00\x03\x14\x01")},
    {"empty string", put_empty, BYTES("\x00\x00\x01\x14\x01")},
    {"blob", put_blob, BYTES("\x02""ab\x02\x64\x01")},
    {"key", put_name, BYTES("ab\x00\x03\x10\x01")},
    {"indirect", put_indirect, BYTES("\x07\x00\x02\x19\x01")},
    {"vector", put_vector, BYTES("\x02\x00\x01\x00\x00\x01\x05\x05\x06\x29\x01")},
    {"vector of int", put_ints, BYTES("\x02\x01\x02\x02\x2c\x01")},
    {"2 float", put_pair, BYTES("\x00\x00\x80\x3f\x00\x00\x00\x40\x08\x4a\x01")},
    {"map", put_map,
     BYTES("b\x00""a\x00\x02\x03\x06\x02\x01\x02\x01\x02\x04\x04\x04\x24\x01")},
    {"a key twice", put_shared, BYTES("a\x00\x02\x03\x04\x02\x38\x01")},
};
// clang-format on

HOIST_TEST_TABLE(values_are_written, cases)
{
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "odd"); // alignment counts from after it
    hoist_flex_writer_init(&w, &out);
    row->put(&w);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size, 3 + row->bytes.size);
    HOIST_EXPECT(t, out.size == 3 + row->bytes.size &&
                        memcmp(out.data + 3, row->bytes.data, row->bytes.size) == 0);
    hoist_buffer_deinit(&out);
}

// The slot of the root has two bytes: it lies at an even place after a text of any length.
HOIST_TEST(the_root_is_aligned)
{
    static const uint8_t text[301] = {0};
    for (size_t size = 300; size <= sizeof(text); size++) {
        hoist_buffer out;
        hoist_flex_writer w;
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_flex_writer_init(&w, &out);
        hoist_flex_put_string(&w, (hoist_bytes){text, size});
        HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
        HOIST_EXPECT_EQ(t, out.size, 2 + 302 + 2 + 2); // its size, with a NUL and padding, the root
        HOIST_EXPECT_EQ(t, out.data[304] | out.data[305] << 8, 302);
        hoist_buffer_deinit(&out);
    }
}

// So does the size of a text after another one.
HOIST_TEST(sizes_are_aligned)
{
    static const uint8_t text[300] = {0};
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t mark = hoist_flex_open(&w);
    hoist_flex_put_string(&w, (hoist_bytes){text, 1}); // 3 bytes: its size, the text, a NUL
    hoist_flex_put_string(&w, (hoist_bytes){text, sizeof(text)});
    hoist_flex_close(&w, mark, HOIST_FLEX_VECTOR);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.data[4] | out.data[5] << 8, 300);
    hoist_buffer_deinit(&out);
}

// A random value, at most `depth` vectors and maps deep.
static void put_random(hoist_test *t, hoist_flex_writer *w, uint64_t *state, unsigned depth);

static void put_random_leaf(hoist_test *t, hoist_flex_writer *w, uint64_t *state)
{
    const uint64_t number = hoist_test_random(state) >> (hoist_test_random(state) % 64);
    const hoist_str text = hoist_arena_format(&t->arena, "%.*s", (int)(number % 300),
                                              "a text of which a random part is taken, "
                                              "sometimes longer than any single byte can tell: "
                                              "0123456789 0123456789 0123456789 0123456789 "
                                              "0123456789 0123456789 0123456789 0123456789 "
                                              "0123456789 0123456789 0123456789 0123456789 ");
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    double real = (double)number / 3;
    hoist_flex_cell cell = {HOIST_FLEX_INDIRECT_INT, 3, number};
    switch (hoist_test_random(state) % 10) {
    case 0:
        hoist_flex_put_null(w);
        break;
    case 1:
        hoist_flex_put_bool(w, number & 1);
        break;
    case 2:
        hoist_flex_put_int(w, -(int64_t)(number >> 1));
        break;
    case 3:
        hoist_flex_put_uint(w, number);
        break;
    case 4:
        hoist_flex_put_float(w, number & 1 ? real : (double)(float)real);
        break;
    case 5:
        hoist_flex_put_key(w, text);
        break;
    case 6:
        hoist_flex_put_blob(w, bytes);
        break;
    case 7:
        cell.type = HOIST_FLEX_INDIRECT_FLOAT;
        memcpy(&cell.raw, &real, sizeof(real));
        hoist_flex_put_cell(w, cell);
        break;
    case 8:
        hoist_flex_put_cell(w, cell);
        break;
    default:
        hoist_flex_put_string(w, bytes);
    }
}

static void put_random_typed(hoist_flex_writer *w, uint64_t *state)
{
    static const hoist_flex_type types[] = {HOIST_FLEX_VECTOR_INT,   HOIST_FLEX_VECTOR_INT3,
                                            HOIST_FLEX_VECTOR_UINT,  HOIST_FLEX_VECTOR_UINT3,
                                            HOIST_FLEX_VECTOR_FLOAT, HOIST_FLEX_VECTOR_FLOAT3};
    static const hoist_flex_type items[] = {HOIST_FLEX_INT, HOIST_FLEX_UINT, HOIST_FLEX_FLOAT};
    const size_t which = hoist_test_random(state) % HOIST_COUNT_OF(types);
    const uint8_t type = (uint8_t)items[which / 2];
    const size_t count = which % 2 ? 3 : hoist_test_random(state) % 5 + 1;
    const size_t mark = hoist_flex_open(w);
    for (size_t i = 0; i < count; i++) {
        const uint8_t bits = type == HOIST_FLEX_FLOAT ? 2 : 1;
        hoist_flex_put_cell(w, (hoist_flex_cell){type, bits, type == HOIST_FLEX_FLOAT ? 0 : i});
    }
    hoist_flex_close(w, mark, types[which]);
}

static void put_random(hoist_test *t, hoist_flex_writer *w, uint64_t *state, unsigned depth)
{
    const uint64_t kind = depth ? hoist_test_random(state) % 4 : 3;
    const uint64_t count = hoist_test_random(state) % 6;
    const size_t mark = hoist_flex_open(w);
    if (kind == 2) {
        put_random_typed(w, state);
        return;
    }
    if (kind == 3) {
        put_random_leaf(t, w, state);
        return;
    }
    const bool is_map = kind == 0;
    for (uint64_t i = 0; i < count; i++) {
        if (is_map) {
            // Keys of its own, so that the order in the buffer is that of writing.
            hoist_flex_put_key(w, hoist_arena_format(&t->arena, "k%llx",
                                                     (unsigned long long)hoist_test_random(state)));
        }
        put_random(t, w, state, depth - 1);
    }
    hoist_flex_close(w, mark, is_map ? HOIST_FLEX_MAP : HOIST_FLEX_VECTOR);
}

// The buffer has no fault, and its values make the same bytes.
static void expect_same_again(hoist_test *t, hoist_bytes bytes)
{
    hoist_flex in = {.bytes = bytes, .diag = t->diag};
    hoist_flex_value root;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_check(&root), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    hoist_flex_put_value(&w, &root);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    HOIST_EXPECT(t, out.size == bytes.size && memcmp(out.data, bytes.data, out.size) == 0);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(random_values_come_back)
{
    for (uint64_t seed = 0; seed < HOIST_TEST_ROUNDS(2000); seed++) {
        hoist_buffer out;
        hoist_flex_writer w;
        uint64_t state = seed;
        char name[32];
        (void)snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
        hoist_test_row(t, name);
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_flex_writer_init(&w, &out);
        put_random(t, &w, &state, 5);
        HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
        expect_same_again(t, hoist_buffer_bytes(&out));
        hoist_buffer_deinit(&out);
    }
}

// Offsets and lengths around the sizes at which they need another byte: before a text, after it,
// and in a map, whose keys lie far from it then.
static void put_around(hoist_test *t, hoist_flex_writer *w, size_t size)
{
    uint8_t *const text = hoist_arena_alloc(&t->arena, size + 1);
    memset(text, 'x', size);
    const size_t map = hoist_flex_open(w);
    hoist_flex_put_key(w, HOIST_STR("first"));
    hoist_flex_put_string(w, (hoist_bytes){text, size});
    hoist_flex_put_key(w, HOIST_STR("second"));
    const size_t list = hoist_flex_open(w);
    hoist_flex_put_int(w, (int64_t)size);
    hoist_flex_put_int(w, -(int64_t)size);
    hoist_flex_put_key(w, HOIST_STR("first"));
    hoist_flex_close(w, list, HOIST_FLEX_VECTOR);
    hoist_flex_close(w, map, HOIST_FLEX_MAP);
}

HOIST_TEST(widths_change_where_they_must)
{
    static const size_t borders[] = {UINT8_MAX, UINT16_MAX};
    for (size_t i = 0; i < HOIST_COUNT_OF(borders); i++) {
        for (size_t size = borders[i] - 40; size < borders[i] + 10; size++) {
            hoist_buffer out;
            hoist_flex_writer w;
            hoist_test_row(t, hoist_arena_format(&t->arena, "%zu bytes", size).data);
            hoist_buffer_init(&out, hoist_allocator_system());
            hoist_flex_writer_init(&w, &out);
            put_around(t, &w, size);
            HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
            hoist_flex in = {.bytes = hoist_buffer_bytes(&out), .diag = t->diag};
            hoist_flex_value root;
            hoist_flex_value found;
            HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_flex_find(&root, "first", &found), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_flex_text(&found).size, size);
            HOIST_EXPECT_EQ(t, hoist_flex_find(&root, "second", &found), HOIST_OK);
            HOIST_EXPECT_EQ(t, found.count, 3);
            HOIST_EXPECT_EQ(t, hoist_flex_at(&found, 2, &found), HOIST_OK);
            HOIST_EXPECT_STR(t, hoist_flex_text(&found), "first");
            expect_same_again(t, hoist_buffer_bytes(&out));
            hoist_buffer_deinit(&out);
        }
    }
}

// Halves become floats, and strings in a typed vector keys: the values stay.
HOIST_TEST(what_is_never_written_changes_its_type)
{
    static const hoist_bytes before[] = {BYTES("\x00\xc0\x0d\x02"),
                                         BYTES("\x01"
                                               "a\x00\x01\x03\x01\x3c\x01"),
                                         BYTES("\x01\x00\x00\x3c\x02\x35\x01")};
    static const hoist_bytes after[] = {BYTES("\x00\x00\x00\xc0\x0e\x04"),
                                        BYTES("a\x00\x01\x03\x01\x38\x01"),
                                        BYTES("\x01\x00\x00\x00\x00\x00\x80\x3f\x04\x36\x01")};
    for (size_t i = 0; i < HOIST_COUNT_OF(before); i++) {
        hoist_flex in = {.bytes = before[i]};
        hoist_flex_value root;
        hoist_buffer out;
        hoist_flex_writer w;
        hoist_buffer_init(&out, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
        hoist_flex_writer_init(&w, &out);
        hoist_flex_put_value(&w, &root);
        HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
        HOIST_EXPECT(t,
                     out.size == after[i].size && memcmp(out.data, after[i].data, out.size) == 0);
        hoist_buffer_deinit(&out);
    }
}

HOIST_TEST(what_was_not_checked_is_refused)
{
    hoist_flex in = {.bytes = BYTES("\x02\x01\x02\x04\xff\x04\x28\x01")};
    hoist_flex_value root;
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    hoist_flex_writer_init(&w, &out);
    hoist_flex_put_value(&w, &root);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_INVALID);
    hoist_buffer_deinit(&out);
}

// Where the options of the custom operators lie in real files; of dense_256 as DarwiNN reference
// section 15 has it.
// clang-format off
static const struct {
    const char *name;
    uint32_t at;
    uint32_t size;
} corpus[] = {
    {"darwinn/compiled/deeplab_mobilenet_edgetpu_slim_cityscapes_quant_edgetpu.tflite",
     512, 3059796},
    {"darwinn/compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_3quant_edgetpu.tflite",
     980, 786516},
    {"darwinn/compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_mobilenet_v1_0.5_160_quant_edgetpu.tflite",
     980, 778324},
    {"darwinn/compiled/mobilenet_v1_0.5_160_quant_cocompiled_with_mobilenet_v1_0.25_128_quant_edgetpu.tflite",
     980, 1720404},
    {"darwinn/compiled/movenet_single_pose_lightning_ptq_edgetpu.tflite",
     8768, 3072084},
    {"darwinn/compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_0_of_4_edgetpu.tflite",
     288, 1871956},
    {"darwinn/compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_1_of_4_edgetpu.tflite",
     288, 1671252},
    {"darwinn/model_invoking_error.tflite",
     356, 22},
    {"darwinn/pairs/bright_16x16_edgetpu.tflite",
     288, 57398},
    {"darwinn/pairs/color_red_64x64_edgetpu.tflite",
     288, 217172},
    {"darwinn/pairs/deeplabv3_mnv2_dm05_pascal_quant_edgetpu.tflite",
     138592, 966740},
    {"darwinn/pairs/dense_1024_edgetpu.tflite",
     288, 1097812},
    {"darwinn/pairs/dense_256_edgetpu.tflite",
     288, 102484},
    {"darwinn/pairs/gabor_128x128_7k_4o_2s_edgetpu.tflite",
     288, 41014},
    {"darwinn/pairs/gabor_64x64_7k_4o_2s_edgetpu.tflite",
     288, 41014},
    {"darwinn/pairs/gabor_64x64_p4_edgetpu.tflite",
     288, 36918},
    {"darwinn/pairs/keras_lstm_mnist_ptq_edgetpu.tflite",
     288, 139348},
    {"darwinn/pairs/looming_64x64_3x3_edgetpu.tflite",
     288, 53302},
    {"darwinn/pairs/mobilenet_v1_0.25_128_quant_edgetpu.tflite",
     980, 778324},
    {"darwinn/pairs/mobilenet_v1_1.0_224_quant_embedding_extractor_edgetpu.tflite",
     288, 3485780},
    {"darwinn/pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder.tflite",
     1248, 165},
    {"darwinn/pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder_edgetpu.tflite",
     532, 1597524},
    {"darwinn/pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder_edgetpu.tflite",
     292, 165},
    {"darwinn/pairs/split_concat_edgetpu.tflite",
     284, 57380},
};
// clang-format on

// The options, or nothing where the file is absent or another.
static hoist_bytes options_of(hoist_test *t, const char *name, size_t at, size_t size)
{
    const char *const path = hoist_test_corpus(t, name);
    const hoist_bytes file = path ? hoist_test_file(t, path) : (hoist_bytes){NULL, 0};
    return at + size <= file.size ? (hoist_bytes){file.data + at, size} : (hoist_bytes){NULL, 0};
}

HOIST_TEST(real_maps_come_back)
{
    size_t found = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(corpus); i++) {
        const hoist_bytes bytes = options_of(t, corpus[i].name, corpus[i].at, corpus[i].size);
        hoist_test_row(t, corpus[i].name);
        if (bytes.data) {
            expect_same_again(t, hoist_test_exact(t, bytes));
            found++;
        }
    }
    if (found == 0) {
        hoist_test_skip(t, "the corpus is absent");
    }
}

// DarwiNN reference section 15; written anew from what the reference says of the keys.
HOIST_TEST(the_map_of_a_compiled_model_is_built)
{
    const hoist_bytes expected =
        options_of(t, "darwinn/pairs/dense_256_edgetpu.tflite", 288, 102484);
    if (!expected.data) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t map = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("1"));
    hoist_flex_put_int(&w, 0);
    hoist_flex_put_key(&w, HOIST_STR("4"));
    hoist_flex_put_string(&w, (hoist_bytes){expected.data + 8, 102400});
    hoist_flex_put_key(&w, HOIST_STR("5"));
    hoist_flex_put_int(&w, -1);
    hoist_flex_put_key(&w, HOIST_STR("6"));
    const size_t chips = hoist_flex_open(&w);
    hoist_flex_put_int(&w, 18);
    hoist_flex_close(&w, chips, HOIST_FLEX_VECTOR);
    hoist_flex_put_key(&w, HOIST_STR("7"));
    hoist_flex_close(&w, hoist_flex_open(&w), HOIST_FLEX_VECTOR);
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    HOIST_EXPECT(t, out.size == expected.size && memcmp(out.data, expected.data, out.size) == 0);
    hoist_buffer_deinit(&out);
}

static hoist_status write_again(hoist_allocator alloc, const void *self)
{
    hoist_flex in = {.bytes = *(const hoist_bytes *)self};
    hoist_flex_value root;
    HOIST_TRY(hoist_flex_root(&in, &root));
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, alloc);
    hoist_flex_writer_init(&w, &out);
    const size_t mark = hoist_flex_open(&w);
    hoist_flex_put_value(&w, &root);
    hoist_flex_put_value(&w, &root);
    hoist_flex_close(&w, mark, HOIST_FLEX_VECTOR);
    const hoist_status status = hoist_flex_finish(&w);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(want_of_memory_is_told)
{
    hoist_buffer out;
    hoist_flex_writer w;
    uint64_t state = 11;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t mark = hoist_flex_open(&w);
    for (size_t i = 0; i < 6; i++) {
        put_random(t, &w, &state, 4);
    }
    put_map(&w);
    hoist_flex_close(&w, mark, HOIST_FLEX_VECTOR);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    const hoist_bytes bytes = hoist_buffer_bytes(&out);
    hoist_test_starve(t, write_again, &bytes);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(values_are_written), HOIST_TEST_ROW(the_root_is_aligned),
                HOIST_TEST_ROW(sizes_are_aligned), HOIST_TEST_ROW(random_values_come_back),
                HOIST_TEST_ROW(widths_change_where_they_must),
                HOIST_TEST_ROW(what_is_never_written_changes_its_type),
                HOIST_TEST_ROW(what_was_not_checked_is_refused),
                HOIST_TEST_ROW(real_maps_come_back),
                HOIST_TEST_ROW(the_map_of_a_compiled_model_is_built),
                HOIST_TEST_ROW(want_of_memory_is_told))
