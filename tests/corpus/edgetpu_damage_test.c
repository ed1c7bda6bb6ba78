// Real compiled models that are cut off, and with bits that are flipped: whatever is done with what
// is left of them ends in time and within bounds, says why it does not go on, and keeps no memory.
//
// Every length of three files and 10,000 bits take some minutes with sanitizers: HOIST_TEST_STRESS
// in the environment asks for all; without, it is the lengths around what tables and packages begin
// and end with and a share of the others, and one of twenty bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "edgetpu_testing.h"
#include "testing/trace.h"

enum {
    MEMORY = 1 << 30,   // that one case may take: the largest file has 3.5 MB
    SECONDS = 60,       // of a processor, with sanitizers and under emulators
    PAGE = 4096,        // executables begin at multiples of it
    NEAR = 64,          // lengths from an end, or a page, that are all tried
    STRIDE = 197,       // of the others
    SMALL_FLIPS = 1000, // in a file of at most SMALL bytes,
    SMALL = 250000,     // of which the corpus has 9,
    LARGE_FLIPS = 84,   // and in each of the 12 larger ones: 10,008 together
    FLIPS_SHARE = 20,   // one of so many without HOIST_TEST_STRESS
    PLAIN_BYTES = 16,   // that are looked at to tell tables from parameters
    PLAIN_ZEROS = 4,    // as many of them are 0 in tables and instructions
    TRIES = 32,         // places that are looked at to find one of them
};

// What came of cases.
typedef struct figures {
    const char *format; // that cases are opened as, even without its identifier
    size_t cases;
    size_t opened;
    size_t with_errors;
    size_t recovered;
    size_t lowered;
    double seconds; // of a processor
    double slowest;
    size_t memory; // most bytes of one case
} figures;

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    uint64_t size = array->element_size;
    for (uint32_t i = 0; i < array->rank; i++) {
        size *= (uint64_t)array->shape[i];
    }
    *(uint64_t *)self += array->bytes.size;
    return array->bytes.size == size ? HOIST_OK : HOIST_INTERNAL;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    *(uint64_t *)self += missing->reason.size;
    return missing->reason.size > 0 ? HOIST_OK : HOIST_INTERNAL;
}

static void lower(hoist_test *t, hoist_job *job, hoist_diag *diag, figures *f)
{
    hoist_program *program = NULL;
    const hoist_status status = hoist_job_lower(job, NULL, diag, &program);
    HOIST_EXPECT_EQ(t, program != NULL, status == HOIST_OK);
    HOIST_EXPECT(t, status == HOIST_OK || status == HOIST_INVALID || status == HOIST_UNSUPPORTED ||
                        status == HOIST_LIMIT);
    HOIST_EXPECT(t, status == HOIST_OK || hoist_diag_count(diag, HOIST_ERROR) > 0);
    f->lowered += status == HOIST_OK;
    hoist_program_destroy(program);
}

static void use(hoist_test *t, hoist_job *job, hoist_diag *diag, figures *f)
{
    uint64_t sum = 0;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    const hoist_recovery_sink arrays = {&sum, take_array, take_missing};
    const hoist_status checked = hoist_job_check(job, diag);
    HOIST_EXPECT(t, checked == HOIST_OK || checked == HOIST_LIMIT);
    if (hoist_job_can_show(job)) {
        HOIST_EXPECT_EQ(t, hoist_job_info(job, true, diag, &sink), HOIST_OK);
        HOIST_EXPECT_EQ(t, depth, 0);
    }
    f->with_errors += hoist_diag_count(diag, HOIST_ERROR) > 0;
    const hoist_status recovered = hoist_job_recover(job, diag, &arrays);
    HOIST_EXPECT(t, recovered == HOIST_OK || recovered == HOIST_LIMIT ||
                        recovered == HOIST_UNSUPPORTED); // there is nothing nested any more
    f->recovered += sum > 0;
    lower(t, job, diag, f);
}

static void open_and_use(hoist_test *t, hoist_bytes file, hoist_allocator alloc, figures *f)
{
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .format = f->format, .bytes_stay = true};
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(alloc, NULL, &diag), HOIST_OK);
    const hoist_status status = hoist_job_open_bytes(file, "damaged", &options, diag, &job);
    HOIST_EXPECT_EQ(t, job != NULL, status == HOIST_OK);
    if (job) {
        f->opened++;
        use(t, job, diag, f);
    } else {
        HOIST_EXPECT(t, status == HOIST_INVALID || status == HOIST_TRUNCATED);
        HOIST_EXPECT(t, hoist_diag_count(diag, HOIST_ERROR) > 0);
    }
    hoist_job_close(job);
    hoist_diag_destroy(diag);
}

static void expect_harmless(hoist_test *t, hoist_bytes file, figures *f)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = MEMORY};
    const clock_t begun = clock();
    open_and_use(t, file, hoist_budget_allocator(&budget), f);
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    HOIST_EXPECT_EQ(t, budget.used, 0);
    HOIST_EXPECT(t, seconds < SECONDS);
    f->cases++;
    f->seconds += seconds;
    f->slowest = seconds > f->slowest ? seconds : f->slowest;
    f->memory = budget.peak > f->memory ? budget.peak : f->memory;
}

static void print_figures(const char *name, const figures *f)
{
    (void)printf("%s: %zu cases, %zu opened, %zu of them with errors, %zu recovered from, %zu "
                 "lowered; %.1f s, the slowest %.3f s, at most %.1f MB\n",
                 name, f->cases, f->opened, f->with_errors, f->recovered, f->lowered, f->seconds,
                 f->slowest, (double)f->memory / 1e6);
}

// The file, or data NULL.
static hoist_bytes corpus_file(hoist_test *t, const char *name)
{
    const char *const path = hoist_test_corpus(t, name);
    return path ? hoist_test_file(t, path) : (hoist_bytes){NULL, 0};
}

static bool does_all(void)
{
    return getenv("HOIST_TEST_STRESS") != NULL;
}

// Lengths ----------------------------------------------------------------------------------------

// Each has an executable that loads parameters and one that does not.
static const struct {
    const char *name;
} cut[] = {
    {"darwinn/pairs/gabor_64x64_p4_edgetpu.tflite"},
    {"darwinn/pairs/bright_16x16_edgetpu.tflite"},
    {"darwinn/pairs/split_concat_edgetpu.tflite"},
};

static bool is_tried(size_t length, size_t whole)
{
    const size_t past = length % PAGE;
    return does_all() || length % STRIDE == 0 || length < NEAR || whole - length < NEAR ||
           past < NEAR / HOIST_TEST_SHARE || PAGE - past < NEAR / HOIST_TEST_SHARE;
}

static void cut_off(hoist_test *t, const char *name, hoist_bytes file, const char *format)
{
    figures f = {.format = format};
    for (size_t length = 0; length < file.size; length++) {
        if (is_tried(length, file.size)) {
            // A block of its own, so that a sanitizer sees who reads beyond.
            uint8_t *const copy = hoist_alloc(hoist_allocator_system(), length);
            if (copy) {
                memcpy(copy, file.data, length);
            }
            expect_harmless(t, (hoist_bytes){copy, length}, &f);
            hoist_free(hoist_allocator_system(), copy, length);
        }
    }
    print_figures(name, &f);
    HOIST_EXPECT(t, f.cases > (size_t)2 * NEAR + file.size / STRIDE);
}

HOIST_TEST_TABLE(files_that_are_cut_off, cut)
{
    const hoist_bytes file = corpus_file(t, row->name);
    if (!file.data) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    cut_off(t, row->name, file, "tflite");
}

// From where its package begins on: its root and identifier. A file that was cut off has none.
HOIST_TEST_TABLE(packages_that_are_cut_off, cut)
{
    const hoist_bytes file = corpus_file(t, row->name);
    if (!file.data) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    cut_off(t, row->name, edgetpu_package_in(file), "darwinn");
}

// Bits -------------------------------------------------------------------------------------------

// Pairs of executables, files with several, graphs with operators before and behind.
static const char *const flipped[] = {
    "pairs/gabor_64x64_p4",
    "pairs/gabor_64x64_7k_4o_2s",
    "pairs/gabor_128x128_7k_4o_2s",
    "pairs/looming_64x64_3x3",
    "pairs/bright_16x16",
    "pairs/split_concat",
    "pairs/dense_256",
    "pairs/keras_lstm_mnist_ptq",
    "pairs/color_red_64x64",
    "pairs/mobilenet_v1_0.25_128_quant",
    "pairs/dense_1024",
    "pairs/deeplabv3_mnv2_dm05_pascal_quant",
    "pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder",
    "pairs/mobilenet_v1_1.0_224_quant_embedding_extractor",
    "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_3quant",
    "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_mobilenet_v1_0.5_160_quant",
    "compiled/mobilenet_v1_0.5_160_quant_cocompiled_with_mobilenet_v1_0.25_128_quant",
    "compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_0_of_4",
    "compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_1_of_4",
    "compiled/deeplab_mobilenet_edgetpu_slim_cityscapes_quant",
    "compiled/movenet_single_pose_lightning_ptq",
};

// Whether the bytes from `at` on are of a table or of instructions: these are rich in zeros, and
// parameters are not.
static bool is_plain(hoist_bytes file, size_t at)
{
    size_t zeros = 0;
    for (size_t i = at; i < file.size && i < at + PLAIN_BYTES; i++) {
        zeros += file.data[i] == 0;
    }
    return zeros >= PLAIN_ZEROS && zeros < PLAIN_BYTES;
}

// Three of four are in tables and instructions, if there are such.
static size_t place_of(hoist_bytes file, size_t flip, uint64_t *state)
{
    size_t at = hoist_test_random(state) % file.size;
    for (int i = 0; i < TRIES && flip % 4 && !is_plain(file, at); i++) {
        at = hoist_test_random(state) % file.size;
    }
    return at;
}

static void flip_bits(hoist_test *t, hoist_bytes file, uint64_t seed, figures *f)
{
    const size_t full = file.size <= SMALL ? SMALL_FLIPS : LARGE_FLIPS;
    const size_t flips = HOIST_TEST_ROUNDS(does_all() ? full : full / FLIPS_SHARE);
    uint64_t state = seed;
    uint8_t *const copy = hoist_alloc(hoist_allocator_system(), file.size);
    memcpy(copy, file.data, file.size);
    for (size_t flip = 0; flip < flips; flip++) {
        const size_t at = place_of(file, flip, &state);
        const uint8_t mask = (uint8_t)(1U << (hoist_test_random(&state) & 7));
        copy[at] ^= mask;
        expect_harmless(t, (hoist_bytes){copy, file.size}, f);
        copy[at] ^= mask;
    }
    hoist_free(hoist_allocator_system(), copy, file.size);
}

HOIST_TEST(files_with_flipped_bits)
{
    figures f = {.format = "tflite"};
    for (size_t i = 0; i < HOIST_COUNT_OF(flipped); i++) {
        const hoist_str name =
            hoist_arena_format(&t->arena, "darwinn/%s_edgetpu.tflite", flipped[i]);
        hoist_test_row(t, name.data);
        const hoist_bytes file = corpus_file(t, name.data);
        if (!file.data) {
            hoist_test_skip(t, "no compiled models here");
            return;
        }
        flip_bits(t, file, i, &f);
    }
    print_figures("flipped bits", &f);
    HOIST_EXPECT(t, f.opened * 5 > f.cases && f.recovered > 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(files_that_are_cut_off), HOIST_TEST_ROW(packages_that_are_cut_off),
                HOIST_TEST_ROW(files_with_flipped_bits))
