// What `hoist info` says of files that nothing can load.
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/container_testing.h"
#include "formats/neff/neff_testing.h"
#include "testing/trace.h"

#define DEF "sg00/def.json"

// clang-format off
static const struct {
    const char *name;
    neff_test_change change;
    const char *twice;   // a member that is there again
    uint32_t version;    // of the packaging; 0: 1
    size_t cut;          // bytes off the payload
    const char *reason;  // NULL: it loads
} rows[] = {
    {"nothing", .reason = NULL},
    {"nothing, in gzip", .version = 2, .reason = NULL},
    {"a cut gzip", .version = 2, .cut = 300, .reason = "the gzip data is broken (NEFF-015a)"},
    {"a cut tar", .cut = 12512, .reason = "the tar archive is broken (NEFF-016a)"},
    {"a tar with little padding", .cut = 1024, .reason = NULL},
    {"no graph", {"neff.json", NULL, NULL}, .reason = "there is no neff.json (NEFF-021a)"},
    {"a broken graph", {"neff.json", NULL, "{\"nodes\": ["}, .reason = "'neff.json' is no JSON (NEFF-021a)"},
    {"an empty graph", {"neff.json", NULL, ""}, .reason = "'neff.json' is no JSON (NEFF-021a)"},
    {"a graph of nothing", {"neff.json", NULL, "{}"}, .reason = "neff.json names no kelf (NEFF-023a)"},
    {"two graphs", .twice = "neff.json", .reason = "'neff.json' is there twice (NEFF-018)"},
    {"two streams", .twice = "sg00/sp.bin", .reason = "'sg00/sp.bin' is there twice (NEFF-018)"},
    {"two others", .twice = "x", .reason = NULL},
    {"no kelf", {"kelf-0.json", NULL, NULL}, .reason = "the kelf 'kelf-0.json' is not there (NEFF-023a)"},
    {"a broken kelf", {"kelf-0.json", NULL, "{"}, .reason = "'kelf-0.json' is no JSON (NEFF-021a)"},
    {"an unknown target", {"kelf-0.json", NULL, "{\"target\": \"x\", \"graphs\": [{\"definition\": \"sg00/def.json\"}]}"}, .reason = "nobody knows the target 'x' (NEFF-024a)"},
    {"a kelf of nothing", {"kelf-0.json", NULL, "{\"graphs\": []}"}, .reason = "no kelf lists a subgraph (NEFF-024a)"},
    {"no definition", {DEF, NULL, NULL}, .reason = "subgraph 'sg00' has no definition (NEFF-024a)"},
    {"a broken definition", {DEF, NULL, "]"}, .reason = "'sg00/def.json' is no JSON (NEFF-021a)"},
    {"a broken engine", {"sg00/pe.json", NULL, "{\"dma\": [}"}, .reason = "'sg00/pe.json' is no JSON (NEFF-021a)"},
    {"no engine", {"sg00/pe.json", NULL, NULL}, .reason = "'sg00/pe.json' is not there (NEFF-043a)"},
    {"no stream", {"sg00/pe.bin", NULL, NULL}, .reason = "'sg00/pe.bin' is not there (NEFF-066)"},
    {"broken and not referred to", {"y.json", NULL, "{"}, .reason = NULL},
};
// clang-format on

static hoist_mut_bytes pack(hoist_test *t, const neff_texts *neff, const char *twice,
                            uint32_t version, size_t cut)
{
    neff_test_entry entries[NEFF_TEST_MEMBERS + 1];
    size_t count = 0;
    for (size_t i = 0; i < neff->count; i++) {
        const neff_test_member *const member = &neff->members[i];
        entries[count++] =
            (neff_test_entry){.name = hoist_str_from(member->name), .text = member->text};
    }
    if (twice) {
        entries[count++] =
            (neff_test_entry){.name = hoist_str_from(twice), .text = HOIST_STR("{}")};
    }
    const hoist_bytes tar = neff_test_tar(t, entries, count);
    hoist_bytes payload = version == 2 ? neff_test_gzip(t, tar) : tar;
    payload.size -= cut;
    return neff_test_file(t, version, payload);
}

static void count_verdicts(hoist_str shown, const char *reason, size_t *out_yes, size_t *out_flawed)
{
    char flawed[160];
    static const char yes[] = "loads: true";
    const int size = snprintf(flawed, sizeof(flawed), "loads: false\nreason: str %zu %s\n",
                              reason ? strlen(reason) : 0, reason ? reason : "");
    for (size_t i = 0; i < shown.size; i++) {
        const hoist_str rest = hoist_str_slice(shown, i, shown.size - i);
        *out_yes += hoist_str_starts_with(rest, yes);
        *out_flawed += size > 0 && hoist_str_starts_with(rest, flawed);
    }
}

HOIST_TEST_TABLE(flaws, rows)
{
    enum { RUNTIMES = 4, DEVICES = 4 };
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    neff_texts neff;
    hoist_buffer out;
    hoist_module *module = NULL;
    size_t yes = 0;
    size_t flawed = 0;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "x", HOIST_STR("x"));
    if (row->change.put) {
        neff_test_put(t, &neff, row->change.member, hoist_str_from(row->change.put));
    } else if (row->change.member) {
        neff_test_drop(t, &neff, row->change.member);
    }
    const hoist_mut_bytes file =
        pack(t, &neff, row->twice, row->version ? row->version : 1, row->cut);
    hoist_buffer_init(&out, options.alloc);
    hoist_tree_sink sink = hoist_trace_sink(&out);
    HOIST_EXPECT_EQ(t, neff_read((hoist_bytes){file.data, file.size}, &options, NULL, &module),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_info(module, NULL, NULL, &sink), HOIST_OK);
    count_verdicts(hoist_buffer_text(&out), row->reason, &yes, &flawed);
    HOIST_EXPECT_EQ(t, yes, row->reason ? 0 : RUNTIMES + 1);
    HOIST_EXPECT_EQ(t, flawed, row->reason ? RUNTIMES + DEVICES : 0);
    hoist_buffer_deinit(&out);
    neff_destroy(module);
}

// Of a file whose kelf cannot be read nobody knows the target.
HOIST_TEST(target_of_nothing)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "kelf-0.json", HOIST_STR("{"));
    neff_module *const module = neff_test_read(t, &neff);
    HOIST_EXPECT_EQ(t, neff_generation_of_file(module), -1);
    HOIST_EXPECT(t, neff_target(&module->base, NULL).arch == NULL);
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(flaws), HOIST_TEST_ROW(target_of_nothing))
