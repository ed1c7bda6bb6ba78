// Layers recovered from compiled models, and those against the models that were compiled: weights,
// biases, zero points, geometry, producers, multipliers and clamps, bit for bit (darwinn reference
// sections 16.5 to 16.8).
#include <stdio.h>

#include "hoist/load.h"

#include "edgetpu_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/info.h"
#include "formats/darwinn/recover.h"
#include "formats/tflite/cost.h"
#include "formats/tflite/tflite.h"

// What is expected of a model; `products` are convolutions, depthwise and dense layers.
typedef struct model_row {
    const char *name;
    const char *compiled;
    const char *source; // NULL: there is none
    uint32_t layers;
    uint32_t products;
    uint32_t unknown;     // operations
    uint64_t left;        // bytes of parameters that no layer has
    uint32_t compared;    // layers that have an operator in the source
    uint64_t values;      // of them that were compared
    uint32_t differences; // constants, and what has no counterpart
} model_row;

#define PAIR(name) "darwinn/pairs/" name "_edgetpu.tflite", "darwinn/pairs/" name ".tflite"
#define COMPILED(name) "darwinn/compiled/" name "_edgetpu.tflite", NULL
#define POSENET "posenet_mobilenet_v1_075_353_481_16_quant_decoder"
#define MOBILENET "mobilenet_v1_0.25_128_quant"
#define TOGETHER(with)                                                                             \
    "darwinn/compiled/" MOBILENET "_cocompiled_with_" with "_edgetpu.tflite",                      \
        "darwinn/pairs/" MOBILENET ".tflite"

// clang-format off
static const model_row rows[] = {
    // name, files, layers, products, unknown, left, compared, values, differences
    {"dense_256", PAIR("dense_256"), 1, 1, 0, 0, 1, 66059, 0},
    {"dense_1024", PAIR("dense_1024"), 1, 1, 0, 0, 1, 1050635, 0},
    {"gabor_64_4o", PAIR("gabor_64x64_7k_4o_2s"), 1, 1, 0, 0, 1, 438, 0},
    {"gabor_128_4o", PAIR("gabor_128x128_7k_4o_2s"), 1, 1, 0, 0, 1, 438, 0},
    {"gabor_64_p4", PAIR("gabor_64x64_p4"), 2, 1, 0, 0, 2, 455, 0},
    {"looming_64", PAIR("looming_64x64_3x3"), 7, 2, 0, 0, 7, 127, 0},
    {"bright_16", PAIR("bright_16x16"), 4, 2, 0, 0, 4, 549, 0},
    {"color_red_64", PAIR("color_red_64x64"), 6, 3, 0, 0, 6, 8261, 0},
    {"mobilenet_0.25", PAIR(MOBILENET), 30, 28, 0, 0, 30, 468274, 0},
    {"mobilenet_0.25 and 0.5", TOGETHER("mobilenet_v1_0.5_160_quant"), 30, 28, 0, 0, 30, 468274, 0},
    {"mobilenet_0.25 streamed", TOGETHER("3quant"), 30, 28, 0, 0, 30, 468274, 0},
    {"mobilenet_1.0", PAIR("mobilenet_v1_1.0_224_quant_embedding_extractor"), 28, 27, 0, 0, 28, 3196695, 0},
    {"posenet", PAIR(POSENET), 32, 31, 0, 0, 32, 1273225, 0},
    {"deeplab_dm05", PAIR("deeplabv3_mnv2_dm05_pascal_quant"), 64, 53, 0, 0, 64, 553048, 0},
    {"keras_lstm", PAIR("keras_lstm_mnist_ptq"), 2, 1, 36, 40448, 0, 0, 15},
    {"split_concat", PAIR("split_concat"), 6, 0, 0, 0, 1, 11, 0},
    {"movenet", COMPILED("movenet_single_pose_lightning_ptq"), 96, 74, 2, 2368, 0, 0, 0},
    {"ssd_0_of_4", COMPILED("ssd_mobilenet_v1_coco_quant_postprocess_segment_0_of_4"), 24, 24, 0, 0, 0, 0, 0},
    {"ssd_1_of_4", COMPILED("ssd_mobilenet_v1_coco_quant_postprocess_segment_1_of_4"), 3, 3, 0, 0, 0, 0, 0},
};
// clang-format on

// Against the source -----------------------------------------------------------------------------

// Numbers of the document that a comparison sends.
typedef struct figures {
    uint64_t count, layers, values;
    char first[64]; // path of the first difference
} figures;

static hoist_status note(void *self, const hoist_tree_event *event)
{
    figures *const f = self;
    if (hoist_str_equal_c(event->key, "count")) {
        f->count = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "compared_layers")) {
        f->layers = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "compared_values")) {
        f->values = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "path") && !f->first[0]) {
        (void)snprintf(f->first, sizeof(f->first), "%.*s", HOIST_STR_ARGS(event->str));
    }
    return HOIST_OK;
}

static hoist_job *open_job(hoist_test *t, const char *relative)
{
    const char *path = hoist_test_corpus(t, relative);
    hoist_job *job = NULL;
    HOIST_EXPECT(t, path != NULL);
    if (path) {
        HOIST_EXPECT_EQ(t, hoist_job_open(path, NULL, t->diag, &job), HOIST_OK);
    }
    return job;
}

// In both orders: the same.
static figures compare(hoist_test *t, const model_row *row)
{
    hoist_job *source = open_job(t, row->source);
    hoist_job *compiled = open_job(t, row->compiled);
    figures found[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 2 && source && compiled; i++) {
        hoist_tree_sink sink = {.self = &found[i], .event = note};
        hoist_job *const old = i ? compiled : source;
        hoist_job *const now = i ? source : compiled;
        size_t count = 0;
        HOIST_EXPECT_EQ(t, hoist_job_comparison(old, now), HOIST_COMPARISON_SOURCE);
        HOIST_EXPECT_EQ(t, hoist_job_compare(old, now, &sink, &count), HOIST_OK);
        HOIST_EXPECT_EQ(t, count, found[i].count);
    }
    HOIST_EXPECT_EQ(t, found[0].count, found[1].count);
    HOIST_EXPECT_EQ(t, found[0].values, found[1].values);
    hoist_job_close(compiled);
    hoist_job_close(source);
    return found[0];
}

// Files
// ---------------------------------------------------------------------------------------------

static hoist_module *open_tflite(hoist_test *t, const char *relative)
{
    const char *path = hoist_test_corpus(t, relative);
    return path ? edgetpu_model(t, hoist_test_file(t, path)) : NULL;
}

static hoist_module *open_package(hoist_test *t, const hoist_module *outer)
{
    size_t count = 0;
    const hoist_payload *const payloads = edgetpu_payloads(t, outer, &count);
    return count ? edgetpu_read(t, payloads) : NULL;
}

static uint32_t products_of(const dwn_recovery *r)
{
    uint32_t products = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        products += r->layers[i].weights != NULL;
    }
    return products;
}

static uint64_t macs_of_operators(const tflite_module *module)
{
    const tflite_subgraph *graph = &module->model->subgraphs.items[0];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        uint64_t macs = 0;
        (void)tflite_macs(module->model, graph, &graph->operators.items[i], &macs);
        sum += macs;
    }
    return sum;
}

// What the chip does and what is left to the CPU is what the source does.
static void compare_work(hoist_test *t, const model_row *row, const hoist_module *compiled,
                         const dwn_recovery *r)
{
    hoist_module *source = open_tflite(t, row->source);
    uint64_t sum = macs_of_operators(tflite_of(compiled));
    for (uint32_t i = 0; i < r->count; i++) {
        uint64_t macs = 0;
        (void)dwn_layer_macs(&r->layers[i], &macs);
        sum += macs;
    }
    HOIST_EXPECT_EQ(t, sum, macs_of_operators(tflite_of(source)));
    tflite_destroy(source);
}

static void judge(hoist_test *t, const model_row *row, const dwn_recovery *r)
{
    const uint64_t size = r->cached_size + r->streamed_size;
    const uint64_t decoded = r->cached_decoded + r->streamed_decoded;
    const figures found = row->source ? compare(t, row) : (figures){.count = 0};
    HOIST_EXPECT_EQ(t, r->count, row->layers);
    HOIST_EXPECT_EQ(t, products_of(r), row->products);
    HOIST_EXPECT_EQ(t, r->unknown, row->unknown);
    HOIST_EXPECT_EQ(t, size - decoded, row->left);
    HOIST_EXPECT_EQ(t, found.layers, row->compared);
    HOIST_EXPECT_EQ(t, found.values, row->values);
    HOIST_EXPECT_EQ(t, found.count, row->differences);
    printf("%s: %u layers, %u with weights; %llu against the source, %llu values, %llu differences "
           "%s; %u of %u operations unknown; %.1f %% of %llu bytes decoded\n",
           row->name, r->count, products_of(r), (unsigned long long)found.layers,
           (unsigned long long)found.values, (unsigned long long)found.count, found.first,
           r->unknown, r->operations, size ? 100.0 * (double)decoded / (double)size : 100.0,
           (unsigned long long)size);
}

HOIST_TEST_TABLE(recover_corpus, rows)
{
    hoist_module *outer = open_tflite(t, row->compiled);
    if (!outer) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    hoist_module *module = open_package(t, outer);
    dwn_recovery recovery;
    HOIST_EXPECT(t, module != NULL);
    if (module) {
        HOIST_EXPECT_EQ(t, dwn_recover(&dwn_of(module)->packages[0], &t->arena, &recovery),
                        HOIST_OK);
        judge(t, row, &recovery);
        if (row->source && row->differences == 0) {
            compare_work(t, row, outer, &recovery);
        }
    }
    dwn_destroy(module);
    tflite_destroy(outer);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(recover_corpus))
