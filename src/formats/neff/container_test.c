#include <string.h>

#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "codec/tar.h"
#include "formats/neff/header.h"
#include "formats/neff/neff.h"
#include "testing/test.h"

// Reads header and container of `file`.
static hoist_status read_file(hoist_test *t, hoist_bytes file, const hoist_read_options *options,
                              neff_module **out_module)
{
    neff_module *const m = neff_module_create(hoist_allocator_system(), file);
    HOIST_EXPECT(t, m != NULL);
    neff_reader r = {.module = m,
                     .diag = t->diag,
                     .arena = &m->arena,
                     .options = options,
                     .lenient = options && options->lenient};
    hoist_status status = neff_read_header(&r);
    if (status == HOIST_OK) {
        status = neff_read_container(&r);
    }
    *out_module = m;
    return status;
}

// clang-format off
static const struct {
    const char *name;
    bool gzip;
} corpus[] = {
    {"neff/tiny_allreduce_pkg1_pax.neff", false},
    {"neff/tiny_allreduce_pkg2_gnu.neff", true },
};
static const struct {
    const char *name;
    size_t size;
} tiny_members[] = {
    {"kelf-a.json", 129},    {"sg00/pe.json", 63},  {"sg00/pool.bin", 192},
    {"sg00/pe.bin", 64},     {"sg00/dve.json", 65}, {"sg00/dve.bin", 0},    {"sg00/sp.json", 63},
};
// clang-format on

HOIST_TEST_TABLE(corpus_opens, corpus)
{
    const char *const path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "no corpus");
        return;
    }
    neff_module *m = NULL;
    HOIST_EXPECT_EQ(t, read_file(t, hoist_test_file(t, path), NULL, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    HOIST_EXPECT_EQ(t, m->gzip, row->gzip);
    HOIST_EXPECT_EQ(t, m->member_count, 16);
    for (size_t i = 0; i < HOIST_COUNT_OF(tiny_members); i++) {
        const uint32_t at = neff_member_find(m, hoist_str_from(tiny_members[i].name));
        HOIST_EXPECT(t, at != NEFF_NONE);
        if (at != NEFF_NONE) {
            HOIST_EXPECT_EQ(t, m->members[at].bytes.size, tiny_members[i].size);
        }
    }
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    bool right = false;
    HOIST_EXPECT_EQ(t, neff_verify_hash(m, t->diag, digest, &right), HOIST_OK);
    HOIST_EXPECT(t, right);
    neff_module_free(m);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(corpus_opens))
