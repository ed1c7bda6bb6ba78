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
    const char *records; // of PAX, for all members
    uint32_t version;    // of the packaging; 0: 1
    bool summed;         // the gzip header has a sum, which is wrong
    size_t cut;          // bytes off the payload
    const char *reason;  // NULL: it loads
} rows[] = {
    {"nothing", .reason = NULL},
    {"nothing, in gzip", .version = 2, .reason = NULL},
    {"a cut gzip", .version = 2, .cut = 300, .reason = "the gzip stream ends in its compressed data (NEFF-015a)"},
    {"a gzip header with a wrong sum", .version = 2, .summed = true, .reason = "the gzip header's CRC16 is 0xffff, that of its bytes 0x77a7 (NEFF-015a)"},
    {"a cut tar", .cut = 12512, .reason = "the archive ends with 288 bytes of a header, expected 512 (NEFF-016a)"},
    {"a record of PAX", .records = "13 comment=x\n", .reason = NULL},
    {"a broken record of PAX", .records = "12 comment=x\n", .reason = "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline (NEFF-016a)"},
    {"a tar with little padding", .cut = 1024, .reason = NULL},
    {"no graph", {"neff.json", NULL, NULL}, .reason = "the archive has no 'neff.json', expected the graph that names the rest (NEFF-021a)"},
    {"a broken graph", {"neff.json", NULL, "{\"nodes\": ["}, .reason = "neff.json: no JSON: the text ends inside an array (JSON-002) (NEFF-021a)"},
    {"an empty graph", {"neff.json", NULL, ""}, .reason = "neff.json: no JSON: the text holds no value (JSON-001) (NEFF-021a)"},
    {"a graph of nothing", {"neff.json", NULL, "{}"}, .reason = "neff.json: the graph has no 'nodes', as described (NEFF-022)"},
    {"two graphs", .twice = "neff.json", .reason = "member 'neff.json' is there again, the first is at +0x400 (NEFF-018)"},
    {"two streams", .twice = "sg00/sp.bin", .reason = "member 'sg00/sp.bin' is there again, the first is at +0x3600 (NEFF-018)"},
    {"two others", .twice = "x", .reason = "member 'x' is there again, the first is at +0x3a00 (NEFF-018)"},
    {"no kelf", {"kelf-0.json", NULL, NULL}, .reason = "neff.json: kelf node 'sg0' names 'kelf-0.json', which is not in the archive, as described (NEFF-023a)"},
    {"a broken kelf", {"kelf-0.json", NULL, "{"}, .reason = "kelf-0.json: no JSON: the text ends inside an object (JSON-002) (NEFF-021a)"},
    {"an unknown target", {"kelf-0.json", NULL, "{\"target\": \"x\", \"graphs\": [{\"definition\": \"sg00/def.json\"}]}"}, .reason = "kelf-0.json: target 'x' is not known, expected tonga, sunda, cayman, mariana, their versions v1 to v4, or *, as described (NEFF-024a)"},
    {"a kelf of nothing", {"kelf-0.json", NULL, "{\"graphs\": []}"}, .reason = "kelf-0.json: the kelf has no graphs, expected a list of one or more, as described (NEFF-024a)"},
    {"no definition", {DEF, NULL, NULL}, .reason = "kelf-0.json: definition 'sg00/def.json' is not in the archive, as described (NEFF-024a)"},
    {"a broken definition", {DEF, NULL, "]"}, .reason = "sg00/def.json: no JSON: found ']', expected a value (JSON-009) (NEFF-021a)"},
    {"a variable of a wrong size", {DEF, "\"size\": 64", "\"size\": \"64\""}, .reason = "sg00/def.json: 'size' is \"64\", expected an integer of 64 bits (NEFF-026a)"},
    {"a broken engine", {"sg00/pe.json", NULL, "{\"dma\": [}"}, .reason = "sg00/pe.json: no JSON: found '}', expected a value (JSON-009) (NEFF-021a)"},
    {"no engine", {"sg00/pe.json", NULL, NULL}, .reason = "sg00/def.json: the file of engine 'pe', \"pe.json\", is not in the archive, as described (NEFF-043a)"},
    {"no stream", {"sg00/pe.bin", NULL, NULL}, .reason = "sg00/pe.json: the instruction stream 'pe.bin' is not in the archive, as described (NEFF-066)"},
    {"broken and not referred to", {"y.json", NULL, "{"}, .reason = NULL},
};
// clang-format on

// `payload` in gzip, with a sum over its header that is wrong.
static hoist_bytes sum_header(hoist_test *t, hoist_bytes payload)
{
    enum { FLAGS_AT = 3, HEADER = 10, SUM = 2, HAS_SUM = 2 };
    uint8_t *const copy = hoist_arena_alloc(&t->arena, payload.size + SUM);
    memcpy(copy, payload.data, HEADER);
    memset(copy + HEADER, 0xff, SUM);
    memcpy(copy + HEADER + SUM, payload.data + HEADER, payload.size - HEADER);
    copy[FLAGS_AT] |= HAS_SUM;
    return (hoist_bytes){copy, payload.size + SUM};
}

static hoist_bytes pack(hoist_test *t, const neff_texts *neff, const char *twice,
                        const char *records, uint32_t version)
{
    neff_test_entry entries[NEFF_TEST_MEMBERS + 2];
    size_t count = 0;
    if (records) {
        entries[count++] = (neff_test_entry){
            .name = HOIST_STR("pax"), .text = hoist_str_from(records), .flag = 'g'};
    }
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
    return version == 2 ? neff_test_gzip(t, tar) : tar;
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
    if (row->change.find) {
        neff_test_edit(t, &neff, row->change.member, row->change.find, row->change.put);
    } else if (row->change.put) {
        neff_test_put(t, &neff, row->change.member, hoist_str_from(row->change.put));
    } else if (row->change.member) {
        neff_test_drop(t, &neff, row->change.member);
    }
    const uint32_t version = row->version ? row->version : 1;
    hoist_bytes payload = pack(t, &neff, row->twice, row->records, version);
    payload = row->summed ? sum_header(t, payload) : payload;
    payload.size -= row->cut;
    const hoist_mut_bytes file = neff_test_file(t, version, payload);
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

// Of a file whose kelf cannot be read the target is unknown.
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
