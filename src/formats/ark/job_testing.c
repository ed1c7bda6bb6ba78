// Small jobs (job_testing.h): texts in, files and findings out.
#include "formats/ark/job_testing.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/ark/ark.h"
#include "formats/ark/check_job.h"

hoist_status ark_test_job_open(const char *const *texts, hoist_allocator alloc,
                               hoist_deadline *deadline, hoist_diag *diag, ark_test_job *out_job)
{
    static const char *const names[JOB_TEST_FILES] = {"0", "1", "2", "3"};
    *out_job = (ark_test_job){.count = 0};
    for (size_t i = 0; i < JOB_TEST_FILES && texts[i]; i++) {
        const hoist_str text = hoist_str_from(texts[i]);
        const hoist_read_options options = {.alloc = alloc, .deadline = deadline, .keep = true};
        hoist_module *module = NULL;
        HOIST_TRY(ark_read((hoist_bytes){(const uint8_t *)text.data, text.size}, &options, diag,
                           &module));
        out_job->files[out_job->count++] =
            (hoist_file){.module = module, .name = hoist_str_from(names[i])};
    }
    return HOIST_OK;
}

void ark_test_job_close(ark_test_job *job)
{
    for (size_t i = 0; i < job->count; i++) {
        hoist_module *module; // of the test, which may change its own
        memcpy(&module, &job->files[i].module, sizeof(hoist_module *));
        ark_destroy(module);
    }
}

// The findings of the test, with the names of their files where `files`.
static hoist_str shown(hoist_test *t, bool files)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_diag_sort(t->diag);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        hoist_buffer_c(&out, i ? "; " : "");
        if (files) {
            hoist_buffer_format(&out, "%.*s:", HOIST_STR_ARGS(f->file));
        }
        hoist_buffer_format(&out, "%" PRIu32 ":%" PRIu32 " %s %.*s", f->loc.pos.line,
                            f->loc.pos.column, strchr(f->rule->id, '-') + 1,
                            HOIST_STR_ARGS(f->message));
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

hoist_str ark_test_job_findings(hoist_test *t, const char *const *texts)
{
    ark_test_job job;
    HOIST_EXPECT_EQ(t, ark_test_job_open(texts, hoist_allocator_system(), NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    const hoist_status status = ark_check_job(job.files, job.count, NULL, t->diag);
    ark_test_job_close(&job);
    const hoist_str findings = shown(t, true);
    HOIST_EXPECT_EQ(t, status,
                    findings.size && strstr(findings.data, " X01 ") ? HOIST_NOT_FOUND : HOIST_OK);
    return findings;
}

hoist_str ark_test_sentences(hoist_test *t, const char *text, ark_check_part *part)
{
    ark_test_file file;
    HOIST_EXPECT_EQ(t, ark_test_open(text, hoist_allocator_system(), t->diag, &file), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, part(&file.graph, &file.arena, t->diag), HOIST_OK);
    ark_test_close(&file);
    return shown(t, false);
}
