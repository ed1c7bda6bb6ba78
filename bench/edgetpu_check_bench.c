// Opens and fully checks compiled Edge TPU models of 3 MB, beside libcrypto's SHA-256 of the same
// bytes: one made here, and the three largest of the corpus where that is; and opens, checks and
// recovers those of the corpus with 4 MB. Arguments: other files, for both.
#include <stdio.h>
#include <stdlib.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "bench/bench.h"
#include "codec/hash.h"
#include "edgetpu/nested_testing.h"

enum { CACHED = 2000000 / 64 * 64, STREAMED = 1000000 / 64 * 64, ROUNDS = 40 };

// Of the speed of SHA-256.
#define WANT (1.0 / 6.0)
#define WANT_RECOVERED (1.0 / 30.0)

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "edgetpu_check_bench: %s\n", what);
        exit(2);
    }
}

// What a recovery gives, taken and left.
static hoist_status take_array(void *self, const hoist_recovered *array)
{
    (void)self;
    hoist_bench_use(array->bytes.data);
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

static void open_and(hoist_bytes file, bool recovers)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    const hoist_recovery_sink sink = {NULL, take_array, take_missing};
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    must(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK, "no memory");
    must(hoist_job_open_bytes(file, "model.tflite", &options, diag, &job) == HOIST_OK,
         "the model cannot be opened");
    must(hoist_job_check(job, diag) == HOIST_OK && hoist_diag_count(diag, HOIST_ERROR) == 0,
         "the model has errors");
    must(!recovers || hoist_job_recover(job, diag, &sink) == HOIST_OK,
         "the model cannot be recovered");
    hoist_job_close(job);
    hoist_diag_destroy(diag);
}

static void open_and_check(void *self)
{
    open_and(*(const hoist_bytes *)self, false);
}

static void open_and_recover(void *self)
{
    open_and(*(const hoist_bytes *)self, true);
}

static void hash(void *self)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    must(hoist_hash(HOIST_HASH_SHA256, *(const hoist_bytes *)self, NULL, digest) == HOIST_OK,
         "no SHA-256");
    hoist_bench_use(digest);
}

static bool compare(const char *name, hoist_bytes file, bool recovers)
{
    char what[256];
    must(file.data != NULL, name);
    (void)snprintf(what, sizeof what, "open%s check%s of %s, %.1f MB, vs SHA-256",
                   recovers ? "," : " and", recovers ? " and recover" : "", name,
                   (double)file.size / 1e6);
    const hoist_bench_pair pair = {.what = what,
                                   .ours = recovers ? open_and_recover : open_and_check,
                                   .theirs = hash,
                                   .self = &file,
                                   .want = recovers ? WANT_RECOVERED : WANT,
                                   .rounds = ROUNDS};
    return hoist_bench_compare(&pair);
}

// A pair of executables, most of it parameters, as in real ones.
static hoist_bytes made_file(hoist_test *t)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    const uint64_t token = draft.executables[1]->parameter_caching_token;
    const dwn_plan run = {.type = DWN_EXECUTION_ONLY, .token = token, .parameters = STREAMED};
    const dwn_plan load = {.type = DWN_PARAMETER_CACHING, .token = token, .parameters = CACHED};
    draft.executables[0] = dwn_draft_executable(t, &run);
    draft.executables[1] = dwn_draft_executable(t, &load);
    return hoist_test_edgetpu_file_of(&draft);
}

static bool measure_corpus(hoist_test *t)
{
    static const struct {
        const char *name;
        bool recovers;
    } files[] = {
        {"darwinn/compiled/deeplab_mobilenet_edgetpu_slim_cityscapes_quant_edgetpu.tflite", false},
        {"darwinn/compiled/movenet_single_pose_lightning_ptq_edgetpu.tflite", false},
        {"darwinn/pairs/mobilenet_v1_1.0_224_quant_embedding_extractor_edgetpu.tflite", false},
        {"edgetpu-field/compiled/EdgeTPU-MOT--yamnet_spectra_in_edgetpu.tflite", true},
        {"edgetpu-field/compiled/"
         "EdgeTPU_Analysis--model_mobilenet_v2_w_fc_224x224x3_edgetpu.tflite",
         true},
        {"edgetpu-field/compiled/edgetpu--mobilenet_v2_1.0_224_quant_edgetpu.tflite", true},
    };
    bool good = true;
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        const char *const path = hoist_test_corpus(t, files[i].name);
        if (path) {
            good = compare(files[i].name, hoist_test_file(t, path), files[i].recovers) && good;
        }
    }
    return good;
}

int main(int argc, char **argv)
{
    hoist_test t;
    bool good = true;
    hoist_test_begin(&t);
    if (argc == 1) {
        good = compare("a model made here", made_file(&t), false);
        good = measure_corpus(&t) && good;
    }
    for (int i = 1; i < argc; i++) {
        good = compare(argv[i], hoist_test_file(&t, argv[i]), false) && good;
        good = compare(argv[i], hoist_test_file(&t, argv[i]), true) && good;
    }
    hoist_test_end(&t);
    return good ? 0 : 1;
}
