// One constant of a compiled model is changed: the comparison with its source names that constant
// of that layer, and nothing else.
#include <stdio.h>
#include <string.h>

#include "hoist/load.h"

#include "edgetpu/seen_testing.h"
#include "edgetpu_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/darwinn/stream_rows.h"
#include "formats/tflite/tflite.h"

// Where the changed constant is: in the block of parameters of the layer, or in all of its tensor
// operations.
typedef struct damage_row {
    const char *name;
    const char *model;
    uint32_t layer;
    int field;        // dwn_tensor_field; -1: a byte of the block
    uint64_t at;      // that byte
    const char *want; // path of the only difference, and ';'
} damage_row;

#define DENSE "dense_256"
#define MOBILENET "mobilenet_v1_0.25_128_quant"

enum { IN_BLOCK = -1 };

// clang-format off
static const damage_row rows[] = {
    {"multiplier of a row",  DENSE,     0,  IN_BLOCK,                  0,   "layers/0/multiplier[0];"},
    {"weight zero point",    DENSE,     0,  IN_BLOCK,                  256, "layers/0/weight_zero_point[0];"},
    {"weight",               DENSE,     0,  IN_BLOCK,                  512, "layers/0/weights[0];"},
    {"another weight",       DENSE,     0,  IN_BLOCK,                  517, "layers/0/weights[257];"},
    {"clamp of a dense one", DENSE,     0,  DWN_TENSOR_LOW,            0,   "layers/0/low;"},
    {"zero point at the end", DENSE,    0,  DWN_TENSOR_OUTPUT_ZERO,    0,   "layers/0/output_zero_point;gaps/0;gaps/1;"},
    {"bias",                 MOBILENET, 3,  IN_BLOCK,                  4,   "layers/3/bias[1];"},
    {"bias of the first",    MOBILENET, 0,  IN_BLOCK,                  0,   "layers/0/bias[0];"},
    {"multiplier",           MOBILENET, 7,  DWN_TENSOR_MULTIPLIER,     0,   "layers/7/multiplier;"},
    {"high clamp",           MOBILENET, 12, DWN_TENSOR_HIGH,           0,   "layers/12/high;"},
    {"low clamp",            MOBILENET, 26, DWN_TENSOR_LOW,            0,   "layers/26/low;"},
    {"weight zero of all",   MOBILENET, 6,  DWN_TENSOR_WEIGHT_ZERO,    0,   "layers/6/weight_zero_point;"},
    {"constant",             MOBILENET, 3,  DWN_TENSOR_CONSTANT,       0,   "gaps/0;"},
    {"a tile less",          MOBILENET, 3,  DWN_TENSOR_TILES,          0,   "gaps/0;gaps/1;gaps/2;"}, // those after it read what it lacks
    {"zero point in front",  DENSE,     0,  DWN_TENSOR_INPUT_ZERO,     0,   "operators/1;gaps/0;gaps/1;gaps/2;"}, // not recovered
};
// clang-format on

static hoist_mut_bytes copy_of(hoist_test *t, hoist_bytes file)
{
    uint8_t *copy = hoist_arena_alloc(&t->arena, file.size);
    HOIST_EXPECT(t, copy != NULL);
    memcpy(copy, file.data, file.size);
    return (hoist_mut_bytes){copy, file.size};
}

// The bytes of the copy that a slice of the file is.
static hoist_mut_bytes same_in(hoist_mut_bytes copy, hoist_bytes file, const uint8_t *at,
                               size_t size)
{
    return (hoist_mut_bytes){copy.data + (at - file.data), size};
}

static void damage_operations(const damage_row *row, const dwn_image *image,
                              const dwn_recovered *layer, hoist_bytes file, hoist_mut_bytes copy)
{
    enum { WORD_BYTES = 16 };
    const dwn_field *field = &dwn_tensor_rows[row->field];
    for (uint32_t i = 0; i < layer->word_count; i++) {
        const dwn_words *words = &layer->words[i];
        const hoist_bytes chunk = image->chunks[words->chunk].stream.bytes;
        const hoist_bytes op = {chunk.data + (size_t)words->word * WORD_BYTES,
                                (size_t)words->words * WORD_BYTES};
        const uint32_t value = dwn_bits_load(op, field->bit, field->width);
        dwn_bits_store(same_in(copy, file, op.data, op.size), field->bit, field->width, value ^ 1);
    }
}

// Flips the lowest bit of the constant in the copy.
static void damage(hoist_test *t, const damage_row *row, const dwn_module *module, hoist_bytes file,
                   hoist_mut_bytes copy)
{
    const dwn_contents *package = &module->packages[0];
    const dwn_roles roles = dwn_roles_of(package);
    dwn_recovery recovery;
    HOIST_EXPECT_EQ(t, dwn_recover(package, &t->arena, &recovery), HOIST_OK);
    HOIST_EXPECT(t, recovery.count > row->layer);
    const dwn_recovered *layer = &recovery.layers[row->layer];
    if (row->field == IN_BLOCK) {
        const hoist_bytes cached = package->images[roles.caching].rows->parameters;
        const uint8_t *at = cached.data + layer->pieces[0].offset + row->at;
        same_in(copy, file, at, 1).data[0] ^= 1;
    } else {
        damage_operations(row, &package->images[roles.main], layer, file, copy);
    }
}

// A copy of the model with the constant changed.
static hoist_bytes damaged_file(hoist_test *t, const damage_row *row, hoist_bytes file)
{
    const hoist_mut_bytes copy = copy_of(t, file);
    size_t count = 0;
    hoist_module *const outer = edgetpu_model(t, file);
    const hoist_payload *const payloads = edgetpu_payloads(t, outer, &count);
    HOIST_EXPECT_EQ(t, count, 1);
    hoist_module *const module = edgetpu_read(t, payloads);
    damage(t, row, dwn_of(module), file, copy);
    dwn_destroy(module);
    tflite_destroy(outer);
    return (hoist_bytes){copy.data, copy.size};
}

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "m.tflite", &options, t->diag, &job), HOIST_OK);
    return job;
}

HOIST_TEST_TABLE(damaged_models, rows)
{
    char name[128];
    (void)snprintf(name, sizeof(name), "darwinn/pairs/%s.tflite", row->model);
    const char *source_path = hoist_test_corpus(t, name);
    if (!source_path) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    hoist_job *source = open_job(t, hoist_test_file(t, source_path));
    (void)snprintf(name, sizeof(name), "darwinn/pairs/%s_edgetpu.tflite", row->model);
    const hoist_bytes file = hoist_test_file(t, hoist_test_corpus(t, name));
    hoist_job *compiled = open_job(t, damaged_file(t, row, file));
    load_seen seen;
    load_seen_init(&seen);
    hoist_tree_sink sink = load_seen_sink(&seen);
    size_t count = 0;
    HOIST_EXPECT_EQ(t, hoist_job_compare(source, compiled, &sink, &count), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&seen.paths), row->want);
    size_t wanted = 0;
    for (const char *c = row->want; *c; c++) {
        wanted += *c == ';';
    }
    HOIST_EXPECT_EQ(t, count, wanted);
    load_seen_deinit(&seen);
    hoist_job_close(compiled);
    hoist_job_close(source);
}

// A model compiled alone and together with another differs in places of parameters only.
HOIST_TEST(models_compiled_together)
{
    static const char wanted[] = "executables/0/chunks/0/words/245/ring0/tiles;"
                                 "executables/0/chunks/0/words/245/ring0/address;"
                                 "executables/0/chunks/0/words/2587/nw1/address;"
                                 "executables/0/chunks/0/words/2594/tensor/c.base;"
                                 "executables/1/chunks/0/words/29/ring1/tiles;"
                                 "executables/1/chunks/0/words/29/ring1/address;"
                                 "executables/1/chunks/0/words/33/sdma2/tiles;"
                                 "executables/1/chunks/0/words/245/ring1/unknown_bits;";
    const char *alone = hoist_test_corpus(t, "darwinn/pairs/" MOBILENET "_edgetpu.tflite");
    const char *together =
        hoist_test_corpus(t, "darwinn/compiled/" MOBILENET
                             "_cocompiled_with_mobilenet_v1_0.5_160_quant_edgetpu.tflite");
    if (!alone || !together) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    hoist_job *old = open_job(t, hoist_test_file(t, alone));
    hoist_job *now = open_job(t, hoist_test_file(t, together));
    load_seen seen;
    load_seen_init(&seen);
    hoist_tree_sink sink = load_seen_sink(&seen);
    size_t count = 0;
    HOIST_EXPECT_EQ(t, hoist_job_comparison(old, now), HOIST_COMPARISON_COMPILED);
    HOIST_EXPECT_EQ(t, hoist_job_compare(old, now, &sink, &count), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&seen.paths), wanted);
    HOIST_EXPECT_EQ(t, count, 8);
    load_seen_deinit(&seen);
    hoist_job_close(now);
    hoist_job_close(old);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(damaged_models), HOIST_TEST_ROW(models_compiled_together))
