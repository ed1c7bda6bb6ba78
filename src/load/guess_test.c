// Files of no known format, files that a name alone gives a format, and files that are cut.
#include <string.h>

#include "hoist/load.h"

#include "base/span.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const char *file; // its name
    const char *bytes;
    size_t size; // 0: up to the first zero
    const char *rule;
    const char *says;
    bool is_open;
} files[] = {
    {"a PNG", "a", "\x89PNG\r\n\x1a\n", 0, "LOAD-001", "by its first bytes, 89 50 4e 47, it looks like a PNG image", false},
    {"a ZIP", "a", "PK\x03\x04\x01", 0, "LOAD-001", "looks like a ZIP archive; unpack it", false},
    {"an empty ZIP", "a", "PK\x05\x06", 0, "LOAD-001", "a ZIP archive", false},
    {"PyTorch's ZIP", "a", "PK\x03\x04 archive/data.pkl", 0, "LOAD-001", "a PyTorch file", false},
    {"a pickle", "a", "\x80\x02}q", 0, "LOAD-001", "a PyTorch file", false},
    {"a pickle of a later version", "a", "\x80\x05}q", 0, "LOAD-001", "a PyTorch file", false},
    {"no pickle, too early", "a", "\x80\x01}q", 0, "LOAD-001", "its first bytes, 80 01 7d 71, say nothing", false},
    {"no pickle, too late", "a", "\x80\x06}q", 0, "LOAD-001", "its first bytes, 80 06 7d 71, say nothing", false},
    {"ONNX", "a", "\x08\x07\x12\x07pytorch", 0, "LOAD-001", "an ONNX model", false},
    {"ONNX without a producer", "a", "\x08\x1f\x3a\x07graph", 0, "LOAD-001", "an ONNX model", false},
    {"no version of ONNX", "a", "\x08\x20\x12\x07pytorch", 0, "LOAD-001", "its first bytes, 08 20 12 07, say nothing", false},
    {"LFS", "a.bin", "version https://git-lfs.github.com/spec/v1\n", 0, "LOAD-001", "a Git LFS pointer; 'git lfs pull'", false},
    {"a page", "a", "<!DOCTYPE html>", 0, "LOAD-001", "a web page", false},
    {"NumPy", "a", "\x93NUMPY\x01", 0, "LOAD-001", "an array; arrays are inputs of a run", false},
    {"ELF", "a", "\x7f" "ELF", 0, "LOAD-001", "an ELF program", false},
    {"gzip", "a", "\x1f\x8b\x08", 0, "LOAD-001", "a compressed file; unpack it first", false},
    {"UTF-16", "a", "\xff\xfe" "d", 0, "LOAD-001", "text in UTF-16; save it as UTF-8", false},
    {"JSON", "a", " [1]", 0, "LOAD-001", "JSON of another kind", false},
    {"zeros", "a", "\0\0\0", 3, "LOAD-001", "nothing but zeros", false},
    {"text", "a", "hello\n", 0, "LOAD-001", "it looks like text; a netlist begins with 'devices:'", false},
    {"anything", "a", "\x01\xfe\x02", 0, "LOAD-001", "its first bytes, 01 fe 02, say nothing; the formats are buda", false},
    {"nothing", "a", "", 0, "LOAD-001", "the file is empty, expected one of format buda", false},
    {"a PNG by another name", "a.tflite", "\x89PNG\r\n\x1a\n....", 0, "LOAD-001", "looks like a PNG image, and its name alone says otherwise", false},
    {"a cut netlist", "a.yaml", "devices: {arch: [gra", 0, "LOAD-007", "it ends after 20 bytes", false},
    {"a cut plan", "a.json", "{\"Rank\": 0, \"Nodes\": [", 0, "LOAD-007", "it ends after 22 bytes", false},
    {"a cut program", "a.hoist", "program p\nfunction f {\n", 0, "LOAD-007", "it ends after 23 bytes", false},
};
// clang-format on

HOIST_TEST_TABLE(what_files_look_like, files)
{
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    const hoist_bytes bytes = hoist_test_exact(
        t, (hoist_bytes){(const uint8_t *)row->bytes, row->size ? row->size : strlen(row->bytes)});
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, row->file, NULL, diag, &job) == HOIST_OK,
                    row->is_open);
    bool found = false;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *const f = hoist_diag_at(diag, i);
        found = found ||
                (strcmp(f->rule->id, row->rule) == 0 && hoist_str_contains(f->message, row->says));
    }
    HOIST_EXPECT(t, found);
    hoist_job_close(job);
    hoist_diag_destroy(diag);
}

// The lengths of a cut FlatBuffer: an offset of its root table leads to byte 24.
HOIST_TEST(a_cut_flatbuffer_has_both_lengths)
{
    static const uint8_t model[] = {16, 0, 0, 0, 'T', 'F', 'L', '3', 8, 0, 12, 0, 4, 0,
                                    8,  0, 8, 0, 0,   0,   3,   0,   0, 0, 8,  0, 0, 0};
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    bool found = false;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    const hoist_bytes bytes = hoist_test_exact(t, (hoist_bytes){model, sizeof(model)});
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "a.tflite", NULL, diag, &job), HOIST_OK);
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *const f = hoist_diag_at(diag, i);
        found = found || hoist_str_equal_c(f->message, "the file is cut or damaged: it has 28 "
                                                       "bytes, expected 36 or more");
    }
    HOIST_EXPECT(t, found);
    hoist_job_close(job);
    hoist_diag_destroy(diag);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_files_look_like),
                HOIST_TEST_ROW(a_cut_flatbuffer_has_both_lengths))
