// Images to findings: each rule on both sides, the archive's and those of device.json. Images are
// one good one, of which a row replaces a part.
#include <string.h>

#include "base/alloc.h"
#include "formats/tti/tti_testing.h"

// clang-format off
#define LISTS "\"ordered_input_names\":[\"x\"],\"ordered_output_names\":[\"y\"],"                 \
              "\"ordered_constant_node_names\":[\"c\"],\"ordered_parameter_node_names\":[\"w\"],"
#define ROWS(name, size, shape, format)                                                            \
    "{\"bin\":\"tensors/" name "\",\"itemsize\":" size ",\"shape\":" shape                         \
    ",\"strides\":[8,8,4,4],\"dim\":4,\"format\":\"" format "\"}"
#define GOOD_TENSOR ROWS("w.bin", "4", "[1,1,1,2]", "Float32")
// Constants and parameters begin at column 1 of lines 3 and 5.
#define GRAPH(lists, constants, parameters)                                                        \
    "{\"netlist_filename\":\"unzipped_tti/backend_build_binaries/net.yaml\"," lists                \
    "\"post_const_eval_constants\":\n\n" constants ",\"post_const_eval_parameters\":\n\n"          \
    parameters "}"
#define DEVICE(head, graph)                                                                        \
    "{" head "\"arch\":\"Wormhole_B0\",\"devtype\":{\"__enum__\":\"BackendType.Golden\"},"         \
    "\"compiled_graph_state\":" graph "}"
#define HEAD "\"version\":\"1.1.0\","
#define CONSTANT "{\"c\":\"tensors/c.pkl\"}"
#define WITH(parameters) DEVICE(HEAD, GRAPH(LISTS, CONSTANT, parameters))
#define GOOD WITH("{\"w\":" GOOD_TENSOR "}")
#define PICKLE "3:6: note: 1 tensor is stored in pickles, which are not executed: the first is "    \
               "'tensors/c.pkl' [TTI-013]\n"
#define ROOT "unzipped_tti/"

enum { STATE = 2, NETLIST, CONFIG, BUILT, TENSOR, CONSTANTS, MORE, COUNT };
static const tti_test_entry image[COUNT] = {
    {ROOT, NULL, '5'},
    {ROOT "module_files/m.py", "class M: pass", 0},
    [STATE] = {ROOT "device.json", GOOD, 0},
    [NETLIST] = {ROOT "net.yaml", "devices: {}", 0},
    [CONFIG] = {ROOT "compile_and_runtime_config.json", "{}", 0},
    [BUILT] = {ROOT "backend_build_binaries/net.yaml", "devices: {}", 0},
    [TENSOR] = {ROOT "tensors/w.bin", "12345678", 0},
    [CONSTANTS] = {ROOT "tensors/c.pkl", "\x80\x04N.", 0},
};

static const struct {
    const char *name;
    size_t at;           // of the entry that is replaced
    tti_test_entry with; // name NULL: it is left out
    const char *findings;
} cases[] = {
    {"an image", MORE, {0}, PICKLE},
    {"TTI-003: absolute", MORE, {"/etc/passwd", "", 0},
     "+0x1e00: error: the name of member '/etc/passwd' is absolute, expected a relative path "
     "that stays below its folder [TTI-003]\n" PICKLE},
    {"TTI-004: twice", MORE, {ROOT "net.yaml", "", 0},
     "+0x1e00: error: member 'unzipped_tti/net.yaml' is there again, the first is at +0xa00 "
     "[TTI-004]\n" PICKLE},
    {"TTI-005: a link", MORE, {ROOT "l", NULL, '2'},
     "+0x1e00: warning: member 'unzipped_tti/l' is a link, expected files and folders; it is "
     "left out [TTI-005]\n" PICKLE},
    {"TTI-005: a device", MORE, {ROOT "l", NULL, '3'},
     "+0x1e00: warning: member 'unzipped_tti/l' is neither file nor folder, expected files and "
     "folders; it is left out [TTI-005]\n" PICKLE},
    {"TTI-006: none", STATE, {0},
     "+0x0: error: no member is called device.json, which names the netlist and the tensors "
     "[TTI-006]\n"},
    {"TTI-006: no JSON", STATE, {ROOT "device.json", "{", 0},
     "error: device.json is no JSON, expected an object [TTI-006]\n"
     "1:2: error: the text ends inside an object [JSON-002]\n"},
    {"TTI-007: no object", STATE, {ROOT "device.json", "[]", 0},
     "warning: version is '', expected '1.1.0' [TTI-008]\n"
     "1:1: error: 'device.json' is a list, expected a map [TTI-007]\n"},
    {"TTI-007: no keys", STATE, {ROOT "device.json", "{\"version\":\"1.1.0\"}", 0},
     "1:1: error: device.json without 'arch' [TTI-007]\n"
     "1:1: error: device.json without 'devtype' [TTI-007]\n"
     "1:1: error: device.json without 'compiled_graph_state' [TTI-007]\n"},
    {"TTI-007: an enumeration", STATE,
     {ROOT "device.json", "{\"version\":\"1.1.0\",\"arch\":{},\n\"devtype\":1,\n\"compiled_graph_state\":[]}", 0},
     "1:27: error: 'arch' is an object, expected a name [TTI-007]\n"
     "2:11: error: 'devtype' is 1, expected a name [TTI-007]\n"
     "3:24: error: 'compiled_graph_state' is a list, expected a map [TTI-007]\n"},
    {"TTI-007: no tensors", STATE, {ROOT "device.json", DEVICE(HEAD, GRAPH("", "[]", "{}")), 0},
     "1:108: error: compiled_graph_state without 'ordered_input_names' [TTI-007]\n"
     "1:108: error: compiled_graph_state without 'ordered_output_names' [TTI-007]\n"
     "1:108: error: compiled_graph_state without 'ordered_constant_node_names' [TTI-007]\n"
     "1:108: error: compiled_graph_state without 'ordered_parameter_node_names' [TTI-007]\n"
     "3:1: error: compiled_graph_state has no object 'post_const_eval_constants' [TTI-007]\n"},
    {"TTI-007: a tensor", STATE, {ROOT "device.json", WITH("{\"w\":\n{\"bin\":1,\"shape\":2}}"), 0},
     PICKLE
     "6:1: error: a tensor without 'format' [TTI-007]\n"
     "6:8: error: 'bin' is 1, expected a string [TTI-007]\n"
     "6:18: error: 'shape' is 2, expected a list of integers [TTI-007]\n"},
    {"TTI-008", STATE,
     {ROOT "device.json", DEVICE("\"version\":\"1.0\",", GRAPH(LISTS, CONSTANT, "{\"w\":" GOOD_TENSOR "}")), 0},
     "1:12: warning: version is '1.0', expected '1.1.0' [TTI-008]\n" PICKLE},
    {"TTI-009", NETLIST, {0},
     "1:128: error: the archive has no 'unzipped_tti/net.yaml', expected the netlist next to "
     "device.json [TTI-009]\n" PICKLE},
    {"TTI-010", BUILT, {ROOT "backend_build_binaries/net.yaml", "devices: []", 0},
     "1:128: warning: 'unzipped_tti/net.yaml' differs from "
     "'unzipped_tti/backend_build_binaries/net.yaml', of which the binaries were compiled [TTI-010]\n"
     PICKLE},
    {"no built netlist", BUILT, {0}, PICKLE},
    {"TTI-011", TENSOR, {0},
     PICKLE "5:6: error: the archive has no 'unzipped_tti/tensors/w.bin', the file of tensor 'w' "
     "[TTI-011]\n"},
    {"TTI-012: too few", TENSOR, {ROOT "tensors/w.bin", "1234567", 0},
     PICKLE "5:6: error: tensor 'w' has 7 bytes in 'tensors/w.bin', expected 8 [TTI-012]\n"},
    {"TTI-012: below 0", STATE,
     {ROOT "device.json", WITH("{\"w\":" ROWS("w.bin", "4", "[1,1,-1,2]", "Float32") "}"), 0},
     PICKLE "5:6: error: tensor 'w' has a shape or size below 0 or of too many bytes [TTI-012]\n"},
    {"TTI-012: wraps", STATE,
     {ROOT "device.json",
      WITH("{\"w\":" ROWS("w.bin", "4", "[4294967296,4294967296,1,2]", "Float32") "}"), 0},
     PICKLE "5:6: error: tensor 'w' has a shape or size below 0 or of too many bytes [TTI-012]\n"},
    {"tiles", STATE,
     {ROOT "device.json", WITH("{\"w\":{\"bin\":\"tensors/w.tbin\",\"format\":\"Bfp8_b\",\"num_buffers\":2,\"buf_size_bytes\":4}}"), 0},
     PICKLE "5:6: error: the archive has no 'unzipped_tti/tensors/w.tbin', the file of tensor 'w' "
     "[TTI-011]\n"},
    {"TTI-014", STATE, {ROOT "device.json", WITH("\n{}"), 0},
     "1:300: error: parameter 'w' has no tensor [TTI-014]\n" PICKLE},
    {"TTI-015: format", STATE,
     {ROOT "device.json", WITH("{\"w\":\n" ROWS("w.bin", "4", "[1,1,1,2]", "Bfp8") "}"), 0},
     PICKLE "6:92: error: format is 'Bfp8', expected Float32, Float16_b, Float16, Int32, Int8 or "
     "RawUInt32 [TTI-015]\n"},
    {"TTI-015: element size", STATE,
     {ROOT "device.json", WITH("{\"w\":\n" ROWS("w.bin", "4", "[1,1,1,2]", "Float16_b") "}"), 0},
     PICKLE "6:35: error: itemsize is 4, expected 2 for Float16_b [TTI-015]\n"},
    {"TTI-015: another file", STATE,
     {ROOT "device.json", WITH("{\"w\":\n{\"bin\":\"net.yaml\",\"format\":\"Float32\"}}"), 0},
     PICKLE "6:8: error: the file of tensor 'w' is 'net.yaml', expected .bin, .tbin or .pkl "
     "[TTI-015]\n"},
    {"TTI-016", CONFIG, {0},
     "warning: the archive has no 'unzipped_tti/compile_and_runtime_config.json' [TTI-016]\n" PICKLE},
};
// clang-format on

static hoist_bytes image_with(hoist_test *t, size_t at, tti_test_entry with)
{
    tti_test_entry entries[COUNT];
    memcpy(entries, image, sizeof(image));
    entries[at] = with;
    return tti_test_archive(t, entries, COUNT);
}

HOIST_TEST_TABLE(findings, cases)
{
    tti_module *m = NULL;
    HOIST_EXPECT_EQ(t, tti_test_read(t, image_with(t, row->at, row->with), false, &m), HOIST_OK);
    HOIST_EXPECT_EQ(t, tti_check(&m->base, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_tti_format.destroy(&m->base);
}

// Rules 1 and 2: what is done to the file.
static const struct {
    const char *name;
    size_t size; // of what is left; 0: all
    const char *head;
    hoist_status want;
    const char *findings;
} damages[] = {
    {"empty", 0, "", HOIST_INVALID,
     "+0x0: error: the file is empty, expected a tar archive [TTI-001]\n"},
    {"no header", 600, "text", HOIST_INVALID,
     "+0x94: error: the tar header's checksum is no octal number, that of its bytes is 60709 "
     "[TTI-001]\n"},
    {"a zip archive", 600, "PK\x03\x04", HOIST_INVALID,
     "+0x0: error: the file is a zip archive, expected a tar archive [TTI-001]\n"},
    {"no end", 2560, NULL, HOIST_OK,
     "+0x0: error: no member is called device.json, which names the netlist and the tensors "
     "[TTI-006]\n"
     "+0xa00: warning: the archive ends with no block of zeros, expected two [TTI-002]\n"},
};

HOIST_TEST_TABLE(broken_archives, damages)
{
    const hoist_bytes whole = image_with(t, STATE, (tti_test_entry){0});
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, whole.size);
    memset(bytes, 'x', whole.size);
    if (row->head) {
        memcpy(bytes, row->head, strlen(row->head));
    } else {
        memcpy(bytes, whole.data, whole.size);
    }
    const hoist_bytes file = hoist_test_exact(t, (hoist_bytes){bytes, row->size});
    tti_module *m = NULL;
    HOIST_EXPECT_EQ(t, tti_test_read(t, file, false, &m), row->want);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_tti_format.destroy(m ? &m->base : NULL);
}

static const struct {
    const char *name;
    const char *first; // name of the first member
    const char *file;
    int bid;
} bids[] = {
    {"the writer's folder", "unzipped_tti/", "a.bin", 95},
    {"packed from its folder", "./unzipped_tti/", "a.bin", 95},
    {"another folder", "image/", "a.tti", 60},
    {"another archive", "image/", "a.tar", 0},
};

HOIST_TEST_TABLE(sniffing, bids)
{
    const tti_test_entry entry = {row->first, NULL, '5'};
    const hoist_bytes file = tti_test_archive(t, &entry, 1);
    HOIST_EXPECT_EQ(t, hoist_tti_format.sniff(file, hoist_str_from(row->file)), row->bid);
    const hoist_bytes text = hoist_test_exact(t, (hoist_bytes){(const uint8_t *)"text", 4});
    HOIST_EXPECT_EQ(t, hoist_tti_format.sniff(text, HOIST_STR("a.tti")), 10);
    HOIST_EXPECT_EQ(t, hoist_tti_format.sniff(text, HOIST_STR("a.txt")), 0);
}

// Another folder than the writer's, as the backend allows it; and descriptors by their usual names.
HOIST_TEST(members_are_found)
{
    static const tti_test_entry entries[] = {
        {"./a/device.json", GOOD, 0},
        {"a/net.yaml", "netlist", 0},
        {"a/backend_build_binaries/cluster_desc.yaml", "cluster", 0},
        {"a/backend_build_binaries/device_desc.yaml", "soc", 0},
        {"a/tensors/w.bin", "12345678", 0},
        {"b", "", 0},
    };
    tti_module *m = NULL;
    const hoist_bytes file = tti_test_archive(t, entries, HOIST_COUNT_OF(entries));
    HOIST_EXPECT_EQ(t, tti_test_read(t, file, false, &m), HOIST_OK);
    HOIST_EXPECT_STR(t, m->root, "a/");
    HOIST_EXPECT_STR(t, m->state.backend.text, "Golden");
    HOIST_EXPECT_EQ(t, m->members[1].role, TTI_ROLE_NETLIST);
    HOIST_EXPECT_EQ(t, m->members[2].role, TTI_ROLE_BINARY);
    HOIST_EXPECT_EQ(t, m->members[5].role, TTI_ROLE_OTHER);
    hoist_held held;
    HOIST_EXPECT_EQ(t, tti_held(&m->base, &held), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(held.format), "buda");
    HOIST_EXPECT_STR(t, held.file.member, "a/net.yaml");
    HOIST_EXPECT_EQ(t, held.cluster.bytes.size, 7);
    HOIST_EXPECT_EQ(t, held.soc.bytes.size, 3);
    hoist_tti_format.destroy(&m->base);
    HOIST_EXPECT_EQ(t, tti_test_read(t, file, true, &m), HOIST_OK);
    HOIST_EXPECT_EQ(t, m->json.count, 0);
    HOIST_EXPECT_EQ(t, tti_held(&m->base, &held), HOIST_NOT_FOUND);
    hoist_tti_format.destroy(&m->base);
}

// Arrays and what is missing, in words.
static hoist_status take_array(void *self, const hoist_recovered *array)
{
    hoist_buffer_format(self, "%.*s: %s, rank %u, %zu bytes of %.*s\n",
                        HOIST_STR_ARGS(array->names[0]), hoist_dtype_get(array->dtype)->name,
                        array->rank, array->bytes.size, HOIST_STR_ARGS(array->member));
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    hoist_buffer_format(self, "%.*s: %.*s\n", HOIST_STR_ARGS(missing->name),
                        HOIST_STR_ARGS(missing->reason));
    return HOIST_OK;
}

static const struct {
    const char *name;
    const char *tensor;
    const char *gives;
} tensors[] = {
    {"elements", GOOD_TENSOR, "w: f32, rank 4, 8 bytes of unzipped_tti/tensors/w.bin\n"},
    {"another size", ROWS("w.bin", "4", "[1,1,1,3]", "Float32"),
     "w: its file has another size than its shape\n"},
    {"no shape", ROWS("w.bin", "4", "[1,1,-1,2]", "Float32"), "w: its shape is no shape\n"},
    {"many extents", ROWS("w.bin", "4", "[1,1,1,1,1,1,1,1,2]", "Float32"),
     "w: its shape has more than 8 extents\n"},
    {"no format", ROWS("w.bin", "4", "[1,1,1,2]", "Bfp8"),
     "w: its format has no elements that are known\n"},
    {"no file", ROWS("v.bin", "4", "[1,1,1,2]", "Float32"), "w: its file is not in the archive\n"},
    {"tiles", ROWS("w.tbin", "4", "[1,1,1,2]", "Float32"),
     "w: it is stored as tiles of its queue\n"},
};

HOIST_TEST_TABLE(recovered, tensors)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        DEVICE(HEAD, "{\"netlist_filename\":\"net.yaml\"," LISTS
                     "\"post_const_eval_constants\":{},\"post_const_eval_parameters\":{\"w\":%s}}"),
        row->tensor);
    tti_module *m = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_recovery_sink sink = {&out, take_array, take_missing};
    const hoist_bytes file =
        image_with(t, STATE, (tti_test_entry){ROOT "device.json", text.data, 0});
    HOIST_EXPECT_EQ(t, tti_test_read(t, file, false, &m), HOIST_OK);
    HOIST_EXPECT_EQ(t, tti_recover(&m->base, &sink), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->gives);
    hoist_buffer_deinit(&out);
    hoist_tti_format.destroy(&m->base);
}

// Unpacked members are all files, and one with an unsafe name ends it.
static hoist_status count_part(void *self, const hoist_part *part)
{
    (void)part;
    ++*(int *)self;
    return HOIST_OK;
}

HOIST_TEST(unpacked)
{
    const hoist_unpack_options options = {.members_only = true};
    int count = 0;
    hoist_part_sink sink = {&count, count_part};
    tti_module *m = NULL;
    HOIST_EXPECT_EQ(t, tti_test_read(t, image_with(t, MORE, (tti_test_entry){0}), true, &m),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, tti_unpack(&m->base, &options, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, count, 7);
    hoist_tti_format.destroy(&m->base);
    const tti_test_entry climbs = {"../x", "", 0};
    HOIST_EXPECT_EQ(t, tti_test_read(t, image_with(t, MORE, climbs), true, &m), HOIST_OK);
    HOIST_EXPECT_EQ(t, tti_unpack(&m->base, &options, t->diag, &sink), HOIST_INVALID);
    hoist_tti_format.destroy(&m->base);
}

static hoist_status read_starving(hoist_allocator alloc, const void *self)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    hoist_status status =
        hoist_format_read(&hoist_tti_format, *(const hoist_bytes *)self, &options, NULL, &module);
    if (status == HOIST_OK) {
        status = tti_check(module, NULL, NULL);
        hoist_tti_format.destroy(module);
    }
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    const hoist_bytes file = image_with(t, MORE, (tti_test_entry){0});
    hoist_test_starve(t, read_starving, &file);
}

HOIST_TEST(ends_with_its_deadline)
{
    hoist_deadline *const deadline = hoist_test_deadline(t, 0);
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .deadline = deadline};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_format_read(&hoist_tti_format, image_with(t, MORE, (tti_test_entry){0}),
                                      &options, t->diag, &module),
                    HOIST_LIMIT);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(broken_archives), HOIST_TEST_ROW(sniffing),
                HOIST_TEST_ROW(members_are_found), HOIST_TEST_ROW(recovered),
                HOIST_TEST_ROW(unpacked), HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(ends_with_its_deadline))
