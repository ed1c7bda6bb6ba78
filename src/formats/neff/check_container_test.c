#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/features.h"
#include "formats/neff/header.h"
#include "formats/neff/neff_testing.h"
#include "formats/neff/pack.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"

// Rule 14: content without its bit. Rule 19: members that nothing names.
// clang-format off
static const neff_test_row rows[] = {
    {"as it is", {{0}}, NULL, NULL, NULL, NULL, NULL},
    {"instances", {{DEF, "\"type\": \"data\"", "\"type\": \"data\", \"queue_instances\": [\"i0\"]"}},
     "NEFF-014", "", NULL, "there is a queue set with queue_instances (queue set 'q0' of sg00), but feature bit 4 (neff_queue_set_instances) is not set", NULL},
    {"act_load", {{DEF, "\"type\": \"data\"", "\"type\": \"act_load\""}},
     "NEFF-014", "", NULL, "queue set of type act_load (queue set 'q0' of sg00), but feature bit 6", NULL},
    {"dynamic", {{DEF, "\"type\": \"data\"", "\"type\": \"dynamic\""}},
     "NEFF-014", "", NULL, "feature bit 12 (DGE) or 21 (hardware_DGE) is not set", NULL},
    {"function_start", {{SP, "\"id\": 0", "\"id\": 0, \"function_start\": \"f\""}},
     "NEFF-014", "", NULL, "there is a function (engine 'sp' of sg00), but feature bit 5 (neff_has_functions) is not set", NULL},
    {"remote semaphores", {{SP, "\"id\": 0", "\"id\": 0, \"remote_semaphores\": [1]"}},
     "NEFF-014", "", NULL, "feature bit 14 (neff_feature_remote_sem) is not set", NULL},
    {"a name without its bit", {{DEF, "\"name\"", "\"neff_features\": [\"neff_coalesced_ccops\"], \"name\""}},
     "NEFF-014", DEF, "[^\"neff_coalesced_ccops\"]", "neff_features names 'neff_coalesced_ccops', but feature bit 3 is not set", NULL},
    {"a member that nothing names", {{"sg00/extra.bin", NULL, "x"}},
     "NEFF-019", "", NULL, "nothing refers to member 'sg00/extra.bin'", NULL},
    {"known metadata", {{"info.json", NULL, "{}"}, {"sg00/tensor_map.json", NULL, "{}"}, {"sg00/pe.asm", NULL, ""}}, NULL, NULL, NULL, NULL, NULL},
    {"debug and metrics", {{"sg00/debug_info_backend_3.dbg", NULL, ""}, {"sg00/wavegraph-bin.json", NULL, "{}"}, {"hlo_stats.json", NULL, "{}"}}, NULL, NULL, NULL, NULL, NULL},
};
// clang-format on

HOIST_TEST_TABLE(content_and_references, rows)
{
    neff_test_run_row(t, NEFF_TEST_COPY, NULL, neff_check_container, row, false);
    if (!row->rule) {
        HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    }
}

// What a file refers to is not known when it cannot be read, which another finding reports.
HOIST_TEST(references_of_broken_files)
{
    static const struct {
        const char *member;
        const char *text; // NULL: the member goes
        const char *rule;
    } broken[] = {
        {"neff.json", NULL, "NEFF-021a"},
        {"neff.json", "{", "NEFF-021a"},
        {"neff.json", "{}", NULL},
        {"kelf-0.json", NULL, "NEFF-023a"},
        {"kelf-0.json", "{", "NEFF-021a"},
        {"kelf-0.json", "{\"graphs\": []}", NULL},
        {"sg00/def.json", NULL, "NEFF-024a"},
        {"sg00/def.json", "[", "NEFF-021a"},
        {"sg00/pool.json", "[", "NEFF-021a"},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(broken); i++) {
        neff_texts neff;
        const size_t before = neff_test_count(t->diag, broken[i].rule ? broken[i].rule : "");
        neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
        if (broken[i].text) {
            neff_test_put(t, &neff, broken[i].member, hoist_str_from(broken[i].text));
        } else {
            neff_test_drop(t, &neff, broken[i].member);
        }
        neff_module *const m = neff_test_read(t, &neff);
        neff_test_check(t, m, NULL, neff_check_container);
        HOIST_EXPECT(t, !broken[i].rule || neff_test_count(t->diag, broken[i].rule) > before);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-019"), 0);
        neff_test_destroy(m);
    }
}

// Findings of the copy program with these bits.
static void check_bits(hoist_test *t, uint64_t bits, uint32_t lnc, const neff_texts *neff)
{
    neff_module *const m = neff_test_read(t, neff);
    m->header.feature_bits = bits;
    m->header.lnc_size = lnc;
    neff_test_check(t, m, NULL, neff_check_container);
    neff_test_destroy(m);
}

// clang-format off
static const struct {
    const char *name;
    uint64_t bits;
    uint32_t lnc;
    const char *want;
} bits[] = {
    {"none", 0, 1, ""},
    {"instances", 1 << 4, 1,
     "+0x220: warning: feature bit 4 (neff_queue_set_instances) is set, but there is no queue set with queue_instances [NEFF-014]\n"},
    {"functions", 1 << 5, 1,
     "+0x220: warning: feature bit 5 (neff_has_functions) is set, but there is no function [NEFF-014]\n"},
    {"act_load", 1 << 6, 1,
     "+0x220: warning: feature bit 6 (neff_feature_dynamic_pwp) is set, but there is no queue set of type act_load [NEFF-014]\n"},
    {"remote", 1 << 14, 1,
     "+0x220: warning: feature bit 14 (neff_feature_remote_sem) is set, but there is no block with remote_semaphores [NEFF-014]\n"},
    {"generation needs no content", 1 << 12 | 1 << 21, 1, ""},
    {"core of two", 1 << 10, 2, ""},
    {"core of one with the bit", 1 << 10, 1,
     "+0x220: warning: feature bit 10 (neff_feature_vnc) is set, but there is no logical core of two [NEFF-014]\n"},
    {"core of two without the bit", 0, 2,
     "+0x220: warning: there is a logical core of two (lnc_size is 2), but feature bit 10 (neff_feature_vnc) is not set [NEFF-014]\n"},
    {"bits that stand for nothing here", 1 << 1 | 1 << 25, 1, ""},
};
// clang-format on

HOIST_TEST_TABLE(bits_without_content, bits)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    check_bits(t, row->bits, row->lnc, &neff);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
}

static const struct {
    const char *name;
    const char *records;
    uint64_t bits; // that fit
} streams[] = {
    {"a function", "d1 10 00 00 00 00 00 00 00 00 00 00 'f'\n", 1 << 5},
    {"descriptors made at run time", "b8 10\n", 1 << 21},
};

HOIST_TEST_TABLE(content_of_streams, streams)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_stream(t, &neff, "sg00/pe.bin", row->records);
    check_bits(t, row->bits, 1, &neff);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    check_bits(t, 0, 1, &neff);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "(stream 'sg00/pe.bin' of sg00)"));
    HOIST_EXPECT_RULE(t, "NEFF-014");
}

// The texts as a packed file; free the buffer.
static hoist_buffer pack(hoist_test *t, const neff_texts *neff, uint32_t version)
{
    hoist_part parts[NEFF_TEST_MEMBERS];
    for (size_t i = 0; i < neff->count; i++) {
        const neff_test_member *const m = &neff->members[i];
        parts[i] = (hoist_part){.path = hoist_str_from(m->name),
                                .bytes = {(const uint8_t *)m->text.data, m->text.size}};
    }
    const hoist_pack_options options = {.pkg_version = version};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_pack(parts, neff->count, &options, t->diag, &out), HOIST_OK);
    return out;
}

// A whole file: rule 6, and places of rule 19 in both kinds of archive.
static void check_file(hoist_test *t, hoist_mut_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, neff_read((hoist_bytes){file.data, file.size}, &options, t->diag, &module),
                    HOIST_OK);
    neff_test_check(t, (neff_module *)module, NULL, neff_check_container);
    neff_destroy(module);
}

static const struct {
    const char *name;
    uint32_t version;
    const char *member;
} files[] = {{"raw", 1, ""}, {"gzip", 2, "archive.tar"}};

HOIST_TEST_TABLE(whole_files, files)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_put(t, &neff, "zz", HOIST_STR("never"));
    hoist_buffer out = pack(t, &neff, row->version);
    const hoist_mut_bytes file = {out.data, out.size};
    check_file(t, file);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, hoist_str_from(f->rule->id), "NEFF-019");
    HOIST_EXPECT_STR(t, f->member, row->member);
    HOIST_EXPECT_EQ(t, f->loc.offset % 512, 0);
    if (row->version == 1) {
        HOIST_EXPECT(t, memcmp(file.data + f->loc.offset, "zz", 3) == 0);
    }
    file.data[neff_header_rows[NEFF_H_HASH].offset] ^= 1;
    check_file(t, file);
    HOIST_EXPECT_RULE(t, "NEFF-006");
    f = hoist_diag_at(t->diag, 1);
    HOIST_EXPECT_STR(t, f->member, "");
    HOIST_EXPECT_EQ(t, f->loc.offset, 172);
    hoist_buffer_deinit(&out);
}

// What has no manifest gets the bits that its content calls for, and then version 2.0.
HOIST_TEST(packing_finds_the_bits)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_edit(t, &neff, DEF, "\"type\": \"data\"", "\"type\": \"dynamic\"");
    hoist_buffer out = pack(t, &neff, 1);
    HOIST_EXPECT_EQ(t, out.data[24], 2);
    HOIST_EXPECT_EQ(t, out.data[545], 0x10);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(references_of_broken_files), HOIST_TEST_ROW(content_and_references),
                HOIST_TEST_ROW(bits_without_content), HOIST_TEST_ROW(content_of_streams),
                HOIST_TEST_ROW(whole_files), HOIST_TEST_ROW(packing_finds_the_bits))
