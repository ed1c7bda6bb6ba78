// What a file sends to a device is that of the package in it, and so are the findings.
#include <string.h>

#include "hoist/load.h"

#include "edgetpu/nested_testing.h"
#include "testing/test.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes, const char *name)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, &options, t->diag, &job), HOIST_OK);
    return job;
}

static hoist_stream *stream_of(hoist_test *t, const hoist_job *job, const char *input, size_t size,
                               hoist_status want)
{
    static const uint8_t zeros[1 << 16];
    const hoist_stream_input inputs[] = {{input, {zeros, size}}};
    const hoist_stream_options options = {
        .struct_size = sizeof(options), .inputs = inputs, .input_count = 1};
    hoist_stream *stream = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_stream(job, &options, t->diag, &stream), want);
    return stream;
}

enum { IMAGE_SIZE = 60 };

HOIST_TEST(a_model_sends_what_its_package_sends)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    hoist_job *model = open_job(t, hoist_test_edgetpu_file_of(&draft), "model.tflite");
    hoist_job *bare = open_job(t, dwn_draft_package(&draft), "package.bin");
    hoist_stream *whole = stream_of(t, model, "image", IMAGE_SIZE, HOIST_OK);
    hoist_stream *part = stream_of(t, bare, "image", IMAGE_SIZE, HOIST_OK);
    if (whole && part) {
        HOIST_EXPECT(t, part->bytes.size > IMAGE_SIZE);
        HOIST_EXPECT_EQ(t, whole->bytes.size, part->bytes.size);
        HOIST_EXPECT(t, memcmp(whole->bytes.data, part->bytes.data, part->bytes.size) == 0);
    }
    hoist_stream_destroy(part);
    hoist_stream_destroy(whole);
    hoist_job_close(bare);
    hoist_job_close(model);
}

HOIST_TEST(findings_name_the_operator_and_the_file)
{
    hoist_job *job = open_job(t, hoist_test_edgetpu_file(t), "model.tflite");
    HOIST_EXPECT(t, stream_of(t, job, "depth", IMAGE_SIZE, HOIST_NOT_FOUND) == NULL);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    const hoist_finding *finding = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, finding->message, "there is no input 'depth'");
    HOIST_EXPECT_STR(t, finding->object, "subgraphs/0/operators/0");
    HOIST_EXPECT_STR(t, finding->file, "model.tflite");
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_model_sends_what_its_package_sends),
                HOIST_TEST_ROW(findings_name_the_operator_and_the_file))
