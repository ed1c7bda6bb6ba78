// What models say of their ports: the scale, and from metadata that tests write the normalization
// of images and the labels in the archive after the model.
#include <stdio.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "formats/tflite/metadata.h"
#include "formats/tflite/tflite_testing.h"

// Metadata of one input and one output, as `draft` has them.
typedef struct draft {
    size_t channels;
    float mean[5];
    float std[5];
    uint8_t unit;    // of the process unit's union
    uint8_t type;    // of the file
    const char *key; // of the row in the model
} draft;

static const draft plain = {.channels = 3,
                            .mean = {1, 2, 3},
                            .std = {4, 5, 6},
                            .unit = TFLITE_META_NORMALIZATION,
                            .type = TFLITE_META_AXIS_LABELS,
                            .key = TFLITE_METADATA_NAME};

static hoist_bytes metadata_of(hoist_test *t, const draft *d)
{
    tflite_meta_normalization normalization = {
        .mean = tflite_test_floats(&t->arena, d->channels, d->mean),
        .std = tflite_test_floats(&t->arena, d->channels, d->std)};
    tflite_meta_unit unit = {.options = {.type = d->unit, .value = &normalization}};
    tflite_meta_file file = {.name = HOIST_STR("labels.txt"), .type = d->type};
    tflite_meta_tensor input = {.process_units = {&unit, 1}};
    tflite_meta_tensor output = {.associated_files = {&file, 1}};
    tflite_meta_graph graph = {.input_tensor_metadata = {&input, 1},
                               .output_tensor_metadata = {&output, 1}};
    const tflite_meta_model model = {.subgraph_metadata = {&graph, 1}};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&tflite_meta_model_type, &model, "M001", &out), HOIST_OK);
    const hoist_bytes bytes = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return bytes;
}

// Appends an archive with one stored member, "labels.txt".
static void add_labels(hoist_buffer *out, const char *text)
{
    static const char name[] = "labels.txt";
    const uint32_t size = (uint32_t)strlen(text);
    const uint32_t name_size = sizeof(name) - 1;
    const uint32_t begin = (uint32_t)out->size;
    uint8_t head[46] = {'P', 'K', 3, 4};
    uint8_t end[22] = {'P', 'K', 5, 6};
    hoist_store_u32le(head + 14, hoist_crc32((hoist_bytes){(const uint8_t *)text, size}));
    hoist_store_u32le(head + 18, size);
    hoist_store_u32le(head + 22, size);
    hoist_store_u16le(head + 26, (uint16_t)name_size);
    hoist_buffer_add(out, (hoist_bytes){head, 30});
    hoist_buffer_c(out, name);
    hoist_buffer_c(out, text);
    uint8_t row[46] = {'P', 'K', 1, 2};
    memcpy(row + 16, head + 14, 14); // sum, sizes, length of the name
    hoist_store_u32le(row + 42, begin);
    const uint32_t directory = (uint32_t)out->size;
    hoist_buffer_add(out, (hoist_bytes){row, 46});
    hoist_buffer_c(out, name);
    hoist_store_u16le(end + 8, 1);
    hoist_store_u16le(end + 10, 1);
    hoist_store_u32le(end + 12, 46 + name_size);
    hoist_store_u32le(end + 16, directory);
    hoist_buffer_add(out, (hoist_bytes){end, sizeof(end)});
}

// A model with the metadata and the labels; text NULL: without them.
static hoist_bytes file_of(hoist_test *t, const draft *d, const char *text)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    model->metadata.items[0].name = hoist_str_from(d->key);
    model->buffers.items[5].data = metadata_of(t, d);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_add(&out, tflite_test_write(t, model));
    if (text) {
        add_labels(&out, text);
    }
    const hoist_bytes file = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return file;
}

static hoist_str name_of(const tflite_module *m, uint32_t tensor)
{
    return m->model->subgraphs.items[0].tensors.items[tensor].name;
}

HOIST_TEST(normalization_is_found)
{
    static const struct {
        draft draft;
        uint32_t channels;
    } rows[] = {
        {{.channels = 3, .mean = {1, 2, 3}, .std = {4, 5, 6}, .unit = 1}, 3},
        {{.channels = 1, .mean = {127.5F}, .std = {127.5F}, .unit = 1}, 1},
        {{.channels = 4, .mean = {1, 2, 3, 4}, .std = {1, 1, 1, 1}, .unit = 1}, 4},
        {{.channels = 0, .unit = 1}, 0},
        {{.channels = 5, .std = {1, 1, 1, 1, 1}, .unit = 1}, 0},
        {{.channels = 1, .mean = {1}, .std = {0}, .unit = 1}, 0},
        {{.channels = 1, .mean = {1}, .std = {-1}, .unit = 1}, 0},
        {{.channels = 2, .mean = {1, 1}, .std = {1, 0}, .unit = 1}, 0},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        draft d = rows[i].draft;
        d.key = TFLITE_METADATA_NAME;
        tflite_module *const m = tflite_test_open(t, file_of(t, &d, NULL));
        hoist_port_facts facts = {.channels = 0};
        HOIST_EXPECT_EQ(t, tflite_facts(&m->base, name_of(m, TEST_INPUT), &facts), HOIST_OK);
        HOIST_EXPECT_EQ(t, facts.channels, rows[i].channels);
        for (uint32_t c = 0; c < facts.channels; c++) {
            HOIST_EXPECT(t, facts.mean[c] == (double)d.mean[c]);
            HOIST_EXPECT(t, facts.deviation[c] == (double)d.std[c]);
        }
        tflite_destroy(&m->base);
    }
}

HOIST_TEST(scales_are_found)
{
    tflite_module *const m = tflite_test_open(t, file_of(t, &plain, NULL));
    hoist_port_facts facts = {.channels = 0};
    float scale = 0;
    int64_t zero = 0;
    const tflite_tensor *const tensors = m->model->subgraphs.items[0].tensors.items;
    HOIST_EXPECT(t, tflite_quantity(&tensors[TEST_SOFTMAX], &scale, &zero));
    HOIST_EXPECT_EQ(t, tflite_facts(&m->base, tensors[TEST_SOFTMAX].name, &facts), HOIST_OK);
    HOIST_EXPECT(t, facts.is_quantized && facts.scale == (double)scale && facts.zero_point == zero);
    HOIST_EXPECT_EQ(t, facts.channels, 0);
    // A tensor between operators is no port.
    HOIST_EXPECT_EQ(t, tflite_facts(&m->base, tensors[TEST_CONV].name, &facts), HOIST_NOT_FOUND);
    tflite_destroy(&m->base);
}

static hoist_status labels_of(hoist_test *t, hoist_bytes file, uint32_t tensor,
                              const char *expected)
{
    tflite_module *const m = tflite_test_open(t, file);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    const hoist_status status = tflite_labels(&m->base, name_of(m, tensor), &text);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), expected);
    hoist_buffer_deinit(&text);
    tflite_destroy(&m->base);
    return status;
}

HOIST_TEST(labels_are_found)
{
    draft other = plain;
    draft elsewhere = plain;
    other.type = 3; // labels of values
    elsewhere.key = "min_runtime_version";
    static const char text[] = "cat\ndog\n";
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &plain, text), TEST_SOFTMAX, text), HOIST_OK);
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &plain, NULL), TEST_SOFTMAX, ""), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &plain, text), TEST_INPUT, ""), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &plain, text), TEST_CONV, ""), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &other, text), TEST_SOFTMAX, ""), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, labels_of(t, file_of(t, &elsewhere, text), TEST_SOFTMAX, ""),
                    HOIST_NOT_FOUND);
}

// Metadata with a byte changed are read or count as none.
HOIST_TEST(damaged_metadata)
{
    const hoist_bytes sound = metadata_of(t, &plain);
    for (size_t i = 0; i < sound.size; i++) {
        uint8_t copy[1024];
        HOIST_EXPECT(t, sound.size < sizeof(copy));
        memcpy(copy, sound.data, sound.size);
        copy[i] ^= 0xff;
        tflite_model *const model = tflite_test_model(&t->arena);
        model->metadata.items[0].name = HOIST_STR(TFLITE_METADATA_NAME);
        model->buffers.items[5].data = hoist_test_exact(t, (hoist_bytes){copy, sound.size});
        tflite_module *const m = tflite_test_open(t, tflite_test_write(t, model));
        hoist_port_facts facts = {.channels = 0};
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, tflite_facts(&m->base, name_of(m, TEST_INPUT), &facts), HOIST_OK);
        HOIST_EXPECT(t, facts.channels <= HOIST_COUNT_OF(facts.mean));
        HOIST_EXPECT_EQ(t, tflite_labels(&m->base, name_of(m, TEST_SOFTMAX), &text),
                        HOIST_NOT_FOUND);
        hoist_buffer_deinit(&text);
        tflite_destroy(&m->base);
    }
}

// The model of tests/cli: made as above, so it is made again when this changes.
HOIST_TEST(model_of_the_command_is_this)
{
    static const char path[] = HOIST_SOURCE_DIR "/tests/cli/data/labeled.tflite";
    const hoist_bytes made =
        file_of(t, &plain, "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n\x1b[31mnine\n");
    uint8_t bytes[8192];
    FILE *const file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    HOIST_EXPECT(t, size == made.size && memcmp(bytes, made.data, size) == 0);
    HOIST_EXPECT(t, file && fclose(file) == 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(normalization_is_found), HOIST_TEST_ROW(scales_are_found),
                HOIST_TEST_ROW(labels_are_found), HOIST_TEST_ROW(damaged_metadata),
                HOIST_TEST_ROW(model_of_the_command_is_this))
