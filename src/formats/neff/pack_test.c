#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "formats/neff/container_testing.h"
#include "formats/neff/pack.h"

// Parts -----------------------------------------------------------------------------------------

enum { MAX_PARTS = 64 };

// Takes copies of parts.
typedef struct folder {
    hoist_test *t;
    hoist_part parts[MAX_PARTS];
    size_t count;
} folder;

static hoist_status keep_part(void *self, const hoist_part *part)
{
    folder *const f = self;
    HOIST_EXPECT(f->t, f->count < MAX_PARTS);
    hoist_part *const copy = &f->parts[f->count++];
    *copy = *part;
    copy->path = hoist_arena_str(&f->t->arena, part->path);
    const hoist_str bytes = hoist_arena_str(
        &f->t->arena, (hoist_str){(const char *)part->bytes.data, part->bytes.size});
    copy->bytes = (hoist_bytes){(const uint8_t *)bytes.data, bytes.size};
    return HOIST_OK;
}

static hoist_part *find(folder *f, const char *path)
{
    for (size_t i = 0; i < f->count; i++) {
        if (hoist_str_equal_c(f->parts[i].path, path)) {
            return &f->parts[i];
        }
    }
    return NULL;
}

static void drop(folder *f, const char *path)
{
    hoist_part *const part = find(f, path);
    HOIST_EXPECT(f->t, part != NULL);
    if (part) {
        *part = f->parts[--f->count];
    }
}

static void put(folder *f, const char *path, hoist_str text)
{
    f->parts[f->count++] = (hoist_part){.path = hoist_str_from(path),
                                        .bytes = {(const uint8_t *)text.data, text.size}};
}

static hoist_status unpack_file(hoist_test *t, hoist_bytes file, bool members_only, folder *out)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_unpack_options unpack = {.members_only = members_only};
    hoist_module *module = NULL;
    *out = (folder){.t = t};
    hoist_part_sink sink = {out, keep_part};
    HOIST_EXPECT_EQ(t, neff_read(file, &options, t->diag, &module), HOIST_OK);
    const hoist_status status =
        module ? neff_unpack(module, &unpack, t->diag, &sink) : HOIST_INVALID;
    neff_destroy(module);
    return status;
}

// The packed file, in the test's arena.
static hoist_status pack_folder(hoist_test *t, const folder *f, const hoist_pack_options *options,
                                hoist_bytes *out)
{
    static const hoist_pack_options plain;
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    const hoist_status status =
        neff_pack(f->parts, f->count, options ? options : &plain, t->diag, &buffer);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&buffer));
    *out = (hoist_bytes){(const uint8_t *)copy.data, status == HOIST_OK ? copy.size : 0};
    hoist_buffer_deinit(&buffer);
    return status;
}

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// A folder as unpacking does not write it, unordered.
static void small_folder(hoist_test *t, folder *f)
{
    *f = (folder){.t = t};
    put(f, "sg00/w.npy", HOIST_STR("\x93NUMPY\x01\x00\x02\x00{}weights"));
    put(f, "sg00/sp.json", HOIST_STR("{\"instr\": \"sp.bin\", \"dma\": []}"));
    put(f, "sg00/sp.bin", HOIST_STR(""));
    put(f, "sg00/def.json",
        HOIST_STR("{\"name\": \"sg00\", \"var\": {\"w\": {\"type\": \"file\", \"var_id\": 0, "
                  "\"size\": 7, \"file_name\": \"w.npy\", \"#file-name\": \"/home/me/w.py\"}, "
                  "\"v\": {\"type\": \"file\", \"var_id\": 1, \"size\": 7, \"file_name\": "
                  "\"v.raw\"}}, \"dma_queue\": {}, \"sp\": \"sp.json\"}"));
    put(f, "sg00/v.raw", HOIST_STR("secrets"));
    put(f, "sg00/debug_info_backend_0.dbg", HOIST_STR("debug"));
    put(f, "kelf-0.json",
        HOIST_STR("{\"version\": \"2.0\", \"target\": \"sunda\", \"graphs\": "
                  "[{\"name\": \"sg00\", \"definition\": \"sg00/def.json\"}]}"));
    put(f, "neff.json",
        HOIST_STR(
            "{\"nodes\": [{\"op\": \"tvm_op\", \"name\": \"n\", \"attrs\": {\"func_name\": "
            "\"__kelf\", \"kelf\": \"kelf-0.json\"}, \"inputs\": []}], \"arg_nodes\": [], "
            "\"heads\": [], \"node_row_ptr\": [0, 0], \"attrs\": {\"shape\": [\"list_shape\", "
            "[]], \"dltype\": [\"list_str\", []]}}"));
}

// Round trips -----------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t version;
    int level;
} packings[] = {
    {"plain", 1, 1},      {"gzip", 2, 1},    {"gzip, stored", 2, 0},
    {"gzip, best", 2, 9}, {"gzip, 6", 2, 6},
};

// What we packed once, unpacked and packed again, is the same file.
HOIST_TEST_TABLE(our_files_come_back, packings)
{
    const hoist_pack_options options = {
        .pkg_version = row->version, .has_level = true, .level = row->level};
    folder f;
    folder again;
    hoist_bytes first;
    hoist_bytes second;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, &options, &first), HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack_file(t, first, false, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again.count, f.count + 1);
    HOIST_EXPECT_EQ(t, pack_folder(t, &again, NULL, &second), HOIST_OK);
    HOIST_EXPECT(t, same(first, second));
    // In whatever order a folder is read.
    for (size_t i = 0; i + 1 < again.count; i += 2) {
        const hoist_part swapped = again.parts[i];
        again.parts[i] = again.parts[i + 1];
        again.parts[i + 1] = swapped;
    }
    HOIST_EXPECT_EQ(t, pack_folder(t, &again, NULL, &second), HOIST_OK);
    HOIST_EXPECT(t, same(first, second));
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
}

static const struct {
    const char *name;
} corpus[] = {
    {"neff/tiny_allreduce_pkg1_pax.neff"},
    {"neff/tiny_allreduce_pkg2_gnu.neff"},
};

// Others' files come back with the same members, attributes and header, from a folder and, byte for
// byte, from a module.
HOIST_TEST_TABLE(corpus_comes_back, corpus)
{
    const char *const path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes file = hoist_test_file(t, path);
    folder f;
    folder again;
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, unpack_file(t, file, false, &f), HOIST_OK);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &packed), HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack_file(t, packed, false, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, f.count, 17);
    HOIST_EXPECT_EQ(t, again.count, f.count);
    for (size_t i = 0; i + 1 < f.count; i++) {
        HOIST_EXPECT(t, hoist_str_equal(f.parts[i].path, again.parts[i].path));
        HOIST_EXPECT(t, same(f.parts[i].bytes, again.parts[i].bytes));
        HOIST_EXPECT_EQ(t, f.parts[i].executable, again.parts[i].executable);
    }
    HOIST_EXPECT(t, memcmp(file.data + 24, packed.data + 24, 148) == 0);
    HOIST_EXPECT(t, memcmp(file.data + 188, packed.data + 188, 836) == 0 || file.data[0] == 1);
    hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, options.alloc);
    HOIST_EXPECT_EQ(t, neff_read(file, &options, NULL, &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_write(module, &out), HOIST_OK);
    HOIST_EXPECT(t, same(file, hoist_buffer_bytes(&out)));
    hoist_buffer_deinit(&out);
    neff_destroy(module);
}

static neff_module *open_packed(hoist_test *t, hoist_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, neff_read(file, &options, NULL, &module), HOIST_OK);
    return (neff_module *)module;
}

// clang-format off
static const struct {
    const char *name;
    size_t at;     // of the byte that is changed
    uint8_t value; // 0: none is
    size_t more;   // bytes after the archive
} written[] = {
    {"as it was packed",      0,   0,    0},
    {"a wrong hash",          172, 0x5a, 0},
    {"another header size",   8,   8,    0},
    {"another pkg_version",   0,   1,    0},
    {"a text behind its NUL", 330, 'x',  0},
    {"padding",               900, 'x',  0},
    {"bytes behind",          0,   0,    3},
};
// clang-format on

HOIST_TEST_TABLE(what_was_read_is_written, written)
{
    folder f;
    hoist_bytes file;
    hoist_buffer out;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    const size_t size = file.size + row->more;
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, size);
    memset(bytes, 7, size);
    memcpy(bytes, file.data, file.size);
    bytes[row->at] = row->value ? row->value : bytes[row->at];
    const hoist_bytes other = {bytes, size};
    neff_module *const m = open_packed(t, other);
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_write(&m->base, &out), HOIST_OK);
    HOIST_EXPECT(t, same(other, hoist_buffer_bytes(&out)));
    hoist_buffer_deinit(&out);
    neff_destroy(&m->base);
}

// Without a manifest ----------------------------------------------------------------------------

HOIST_TEST(defaults_of_the_recipe)
{
    static const char *const order[] = {"neff.json",     "kelf-0.json",
                                        "sg00/def.json", "sg00/sp.json",
                                        "sg00/sp.bin",   "sg00/debug_info_backend_0.dbg",
                                        "sg00/v.raw",    "sg00/w.npy"};
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    neff_module *const m = open_packed(t, file);
    const neff_header *const h = &m->header;
    HOIST_EXPECT(t, m->gzip && h->pkg_version == 2 && h->header_size == 1024);
    HOIST_EXPECT(t, h->version_major == 1 && h->version_minor == 0 && h->feature_bits == 0);
    HOIST_EXPECT(t, h->num_tpb == 1 && h->requested_tpb_count == 1 && h->lnc_size == 1);
    HOIST_EXPECT_STR(t, neff_header_text(h->name, sizeof(h->name)), "file.neff");
    HOIST_EXPECT(t, h->uuid[6] >> 4 == 4 && h->uuid[8] >> 6 == 2);
    HOIST_EXPECT_EQ(t, m->archive.size % 10240, 0);
    HOIST_EXPECT_EQ(t, m->member_count, HOIST_COUNT_OF(order));
    for (uint32_t i = 0; i < m->member_count; i++) {
        HOIST_EXPECT_STR(t, m->members[i].name, order[i]);
        HOIST_EXPECT(t, m->tar.members[i].mode == 0644 && m->tar.members[i].mtime == 0);
    }
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    bool right = false;
    HOIST_EXPECT_EQ(t, neff_verify_hash(m, t->diag, digest, &right), HOIST_OK);
    HOIST_EXPECT(t, right);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    neff_destroy(&m->base);
}

HOIST_TEST(uuid_follows_the_content)
{
    folder f;
    hoist_bytes a;
    hoist_bytes b;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &a), HOIST_OK);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &b), HOIST_OK);
    HOIST_EXPECT(t, same(a, b));
    put(&f, "more", HOIST_STR("x"));
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &b), HOIST_OK);
    HOIST_EXPECT(t, memcmp(a.data + 204, b.data + 204, 16) != 0);
}

HOIST_TEST(header_fields_of_info_json)
{
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    put(&f, "info.json",
        HOIST_STR("{\"name\": \"net\", \"num_tpb\": 3, \"tpb_per_node\": [1, 2], "
                  "\"other\": null}"));
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    neff_module *m = open_packed(t, file);
    HOIST_EXPECT_STR(t, neff_header_text(m->header.name, 256), "net");
    HOIST_EXPECT(t, m->header.num_tpb == 3 && m->header.requested_tpb_count == 1);
    HOIST_EXPECT(t, m->header.tpb_per_node[0] == 1 && m->header.tpb_per_node[1] == 2);
    neff_destroy(&m->base);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
}

#define EIGHT "1, 1, 1, 1, 1, 1, 1, 1"
#define MOST EIGHT ", " EIGHT ", " EIGHT ", " EIGHT ", " EIGHT ", " EIGHT ", " EIGHT ", " EIGHT

// clang-format off
static const struct {
    const char *name;
    const char *text;
    hoist_status want;
    const char *finding; // NULL: none
} infos[] = {
    {"no JSON", "{\"num\n", HOIST_INVALID, "1:6: error: "},
    {"cut off", "{\"name\": ", HOIST_TRUNCATED, "error: "},
    {"a list", "[1]", HOIST_INVALID, "1:1: error: info.json is [1], expected an object [PACK-004]"},
    {"a word as a number", "{\n\"num_tpb\": \"1\"}", HOIST_INVALID, "2:12: error: num_tpb is \"1\", expected a number from 0 to 4294967295 [PACK-004]"},
    {"a negative number", "{\"num_tpb\": -1}", HOIST_INVALID, "1:13: error: num_tpb is -1, "},
    {"a number too large", "{\"requested_tpb_count\": 4294967296}", HOIST_INVALID, "requested_tpb_count is 4294967296, "},
    {"a number as a name", "{\"name\": 1}", HOIST_INVALID, "1:10: error: name is 1, expected a string [PACK-004]"},
    {"no list of cores", "{\"tpb_per_node\": 1}", HOIST_INVALID, "1:18: error: tpb_per_node is 1, expected a list of at most 64 numbers [PACK-004]"},
    {"a full list of cores", "{\"tpb_per_node\": [" MOST "]}", HOIST_OK, NULL},
    {"one core too many", "{\"tpb_per_node\": [" MOST ", 1]}", HOIST_INVALID, "expected a list of at most 64 numbers"},
    {"a core that is no number", "{\"tpb_per_node\": [1, null]}", HOIST_INVALID, "1:22: error: tpb_per_node is null, expected numbers from 0 to 255 in it [PACK-004]"},
    {"a core too large", "{\"tpb_per_node\": [256]}", HOIST_INVALID, "tpb_per_node is 256, "},
    {"other keys", "{\"other\": -1}", HOIST_OK, NULL},
};
// clang-format on

HOIST_TEST_TABLE(checks_info_json, infos)
{
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    put(&f, "info.json", hoist_str_from(row->text));
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), row->want);
    const hoist_str findings = hoist_test_findings(t);
    if (row->finding ? !hoist_str_contains(findings, row->finding) : findings.size > 0) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", findings.data);
    }
    if (row->finding) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, "info.json");
    }
}

// A manifest with the whole header leaves nothing to ask info.json for.
HOIST_TEST(info_json_beside_a_manifest)
{
    folder f;
    folder again;
    hoist_bytes file;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack_file(t, file, false, &again), HOIST_OK);
    put(&again, "info.json", HOIST_STR("{"));
    HOIST_EXPECT_EQ(t, pack_folder(t, &again, NULL, &file), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
}

HOIST_TEST(times_and_modes)
{
    const hoist_pack_options options = {.has_time = true, .time = 1700000000, .pkg_version = 1};
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    find(&f, "sg00/v.raw")->executable = true;
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, &options, &file), HOIST_OK);
    neff_module *const m = open_packed(t, file);
    for (size_t i = 0; i < m->tar.count; i++) {
        const bool executable = hoist_str_equal_c(m->tar.members[i].name, "sg00/v.raw");
        HOIST_EXPECT_EQ(t, m->tar.members[i].mtime, 1700000000);
        HOIST_EXPECT_EQ(t, m->tar.members[i].mode, executable ? 0755 : 0644);
    }
    neff_destroy(&m->base);
}

// Changed folders: what is new comes last, what is gone is gone, the rest stays as it was.
HOIST_TEST(changes_to_an_unpacked_folder)
{
    folder f;
    folder again;
    hoist_bytes file;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    uint8_t uuid[16];
    memcpy(uuid, file.data + 204, sizeof(uuid));
    HOIST_EXPECT_EQ(t, unpack_file(t, file, false, &again), HOIST_OK);
    drop(&again, "sg00/v.raw");
    put(&again, "a-new-one", HOIST_STR("new"));
    find(&again, "sg00/sp.bin")->bytes = (hoist_bytes){(const uint8_t *)"xyz", 3};
    HOIST_EXPECT_EQ(t, pack_folder(t, &again, NULL, &file), HOIST_OK);
    HOIST_EXPECT(t, memcmp(uuid, file.data + 204, sizeof(uuid)) == 0);
    neff_module *const m = open_packed(t, file);
    HOIST_EXPECT_EQ(t, m->member_count, 8);
    HOIST_EXPECT_STR(t, m->members[0].name, "neff.json");
    HOIST_EXPECT_STR(t, m->members[7].name, "a-new-one");
    HOIST_EXPECT_EQ(t, neff_member_find(m, HOIST_STR("sg00/v.raw")), NEFF_NONE);
    HOIST_EXPECT_EQ(t, m->members[4].bytes.size, 3);
    neff_destroy(&m->base);
}

HOIST_TEST(redacted)
{
    const hoist_pack_options options = {.redact = true, .pkg_version = 1};
    folder f;
    folder out;
    hoist_bytes file;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, &options, &file), HOIST_OK);
    const hoist_str bytes = {(const char *)file.data, file.size};
    HOIST_EXPECT_EQ(t, unpack_file(t, file, true, &out), HOIST_OK);
    HOIST_EXPECT(t, !hoist_str_contains(bytes, "weights") && !hoist_str_contains(bytes, "secrets"));
    HOIST_EXPECT(t, !hoist_str_contains(bytes, "/home/me"));
    HOIST_EXPECT(t, find(&out, "sg00/debug_info_backend_0.dbg") == NULL);
    HOIST_EXPECT_EQ(t, find(&out, "sg00/v.raw")->bytes.size, 7);
    const hoist_bytes npy = find(&out, "sg00/w.npy")->bytes;
    HOIST_EXPECT(t, npy.size == 19 && memcmp(npy.data + 10, "{}\0\0\0\0\0\0\0", 9) == 0);
    const hoist_bytes def = find(&out, "sg00/def.json")->bytes;
    const hoist_str text = {(const char *)def.data, def.size};
    HOIST_EXPECT(t, hoist_str_contains(text, "\"#file-name\": \"redacted\""));
    HOIST_EXPECT(t, hoist_str_contains(text, "\"file_name\": \"w.npy\""));
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
}

// Bad folders -----------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *path;
    size_t size;
    const char *rule;
} bad_names[] = {
    {"absolute",       "/etc/passwd",  11, "PACK-002"},
    {"up",             "../x",         4,  "PACK-002"},
    {"up later",       "a/../../x",    9,  "PACK-002"},
    {"a NUL",          "a\0b",         3,  "PACK-002"},
    {"a backslash",    "a\\b",         3,  "PACK-002"},
    {"empty",          "",             0,  "PACK-002"},
    {"there already",  "neff.json",    9,  "PACK-002"},
};
// clang-format on

HOIST_TEST_TABLE(refuses_bad_names, bad_names)
{
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    f.parts[f.count++] = (hoist_part){.path = {row->path, row->size}};
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST(a_folder_without_a_graph_is_packed_with_a_warning)
{
    folder f = {.t = t};
    hoist_bytes file;
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    HOIST_EXPECT_RULE(t, "PACK-003");
    HOIST_EXPECT(t, file.size > 1024);
}

static const struct {
    const char *name;
    hoist_pack_options options;
} bad_options[] = {
    {"pkg_version 3", {.pkg_version = 3}},
    {"level 10", {.has_level = true, .level = 10}},
    {"level -1", {.has_level = true, .level = -1}},
};

HOIST_TEST_TABLE(refuses_bad_options, bad_options)
{
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, &row->options, &file), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "PACK-004");
}

#define SCHEMA "{\"schema\": \"hoist.neff-folder/1\", "
static const struct {
    const char *name;
    const char *text;
    hoist_status want;
    const char *finding; // part of it; NULL: none
} manifests[] = {
    {"only the schema", SCHEMA "\"x\": 0}", HOIST_OK, NULL},
    {"no JSON", "{", HOIST_TRUNCATED, "JSON-"},
    {"a list", "[]", HOIST_INVALID, "1:1: error: the manifest is []"},
    {"another schema", "{\"schema\": \"hoist.neff-folder/2\"}", HOIST_INVALID,
     "1:12: error: schema is \"hoist.neff-folder/2\", expected \"hoist.neff-folder/1\" [PACK-001]"},
    {"a number too large", SCHEMA "\"header\": {\"num_tpb\": 4294967296}}", HOIST_INVALID,
     "num_tpb is 4294967296, expected one of 32 bits [PACK-001]"},
    {"a number as text", SCHEMA "\"header\": {\"feature_bits\": \"18446744073709551615\"}}",
     HOIST_OK, NULL},
    {"text beyond 64 bits", SCHEMA "\"header\": {\"feature_bits\": \"18446744073709551616\"}}",
     HOIST_INVALID, "[PACK-001]"},
    {"a negative number", SCHEMA "\"header\": {\"lnc_size\": -1}}", HOIST_INVALID,
     "lnc_size is -1"},
    {"odd digits", SCHEMA "\"header\": {\"uuid\": \"abc\"}}", HOIST_INVALID, "uuid is \"abc\""},
    {"no digits", SCHEMA "\"header\": {\"uuid\": \"zz\"}}", HOIST_INVALID, "uuid is \"zz\""},
    {"too many digits", SCHEMA "\"header\": {\"uuid\": \"0011223344556677889900112233445566\"}}",
     HOIST_INVALID, "[PACK-001]"},
    {"text as hex", SCHEMA "\"header\": {\"name\": {\"hex\": [\"61\", \"ff\"]}}}", HOIST_OK, NULL},
    {"hex that is none", SCHEMA "\"header\": {\"name\": {\"hex\": [\"6\"]}}}", HOIST_INVALID,
     "[PACK-001]"},
    {"a list too long for text", SCHEMA "\"header\": {\"name\": []}}", HOIST_INVALID, "name is []"},
    {"a byte too large", SCHEMA "\"header\": {\"tpb_per_node\": [256]}}", HOIST_INVALID,
     "tpb_per_node is [256]"},
    {"unknown packing", SCHEMA "\"header\": {\"pkg_version\": 7}}", HOIST_INVALID, "[PACK-004]"},
    {"gzip or not", SCHEMA "\"archive\": {}}", HOIST_INVALID, "gzip is {}"},
    {"a level too high", SCHEMA "\"archive\": {\"gzip\": true, \"level\": 10}}", HOIST_INVALID,
     "level is 10"},
    {"a record of no blocks", SCHEMA "\"archive\": {\"gzip\": true, \"record\": 100}}",
     HOIST_INVALID, "record is 100"},
    {"a record of nothing", SCHEMA "\"archive\": {\"gzip\": true, \"payload_record\": 0}}",
     HOIST_INVALID, "payload_record is 0"},
    {"members that are no list", SCHEMA "\"members\": {}}", HOIST_INVALID, "members is {}"},
    {"a member without a name", SCHEMA "\"members\": [{\"mode\": 420}]}", HOIST_INVALID,
     "a member's name is"},
    {"an empty name", SCHEMA "\"members\": [\"\"]}", HOIST_INVALID, "a member's name is \"\""},
    {"a member that is not there", SCHEMA "\"members\": [\"gone\"]}", HOIST_OK,
     "warning: the member 'gone' is not in the folder and is left out [PACK-007]"},
    {"a member that climbs", SCHEMA "\"members\": [\"../x\"]}", HOIST_INVALID, "[PACK-002]"},
    {"a member twice", SCHEMA "\"members\": [\"neff.json\", \"./neff.json\"]}", HOIST_INVALID,
     "error: the member './neff.json' is listed twice [PACK-001]"},
    {"its own name, which is no member", SCHEMA "\"members\": [\"hoist-neff.json\"]}", HOIST_OK,
     NULL},
    {"a mode too large", SCHEMA "\"plain\": {\"mode\": 4096}}", HOIST_INVALID, "mode is 4096"},
    {"an unknown dialect", SCHEMA "\"plain\": {\"dialect\": \"zip\"}}", HOIST_INVALID,
     "dialect is \"zip\""},
    {"an unknown type", SCHEMA "\"plain\": {\"type\": \"link\"}}", HOIST_INVALID,
     "type is \"link\""},
    {"a number that is none", SCHEMA "\"plain\": {\"uid\": true}}", HOIST_INVALID, "uid is true"},
    {"a large number as text", SCHEMA "\"plain\": {\"uid\": \"9007199254740993\"}}", HOIST_OK,
     NULL},
};

HOIST_TEST_TABLE(checks_manifests, manifests)
{
    folder f;
    hoist_bytes file;
    small_folder(t, &f);
    put(&f, NEFF_MANIFEST_NAME, hoist_str_from(row->text));
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), row->want);
    const hoist_str findings = hoist_test_findings(t);
    HOIST_EXPECT(t, row->finding ? hoist_str_contains(findings, row->finding) : !findings.size);
    if (row->finding && !hoist_str_contains(findings, row->finding)) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", findings.data);
    }
}

// A member that has the manifest's own name, and two that are one file on disk.
// Levels give streams of their own, by which they are distinguished.
HOIST_TEST(every_level_is_found)
{
    const hoist_allocator alloc = hoist_allocator_system();
    uint64_t seed = 1;
    hoist_buffer text;
    hoist_buffer_init(&text, alloc);
    while (text.size < 60000) {
        hoist_buffer_format(&text, "%" PRIu64 " descriptors of queue %" PRIu64 "\n",
                            hoist_test_random(&seed) % 1000, hoist_test_random(&seed) % 7);
    }
    for (int level = 0; level <= 9; level++) {
        hoist_buffer packed;
        hoist_buffer again;
        int found = -2;
        hoist_buffer_init(&packed, alloc);
        hoist_buffer_init(&again, alloc);
        HOIST_EXPECT_EQ(t, hoist_gzip_write(hoist_buffer_bytes(&text), level, NULL, &packed),
                        HOIST_OK);
        HOIST_EXPECT_EQ(
            t,
            neff_find_level(hoist_buffer_bytes(&text), hoist_buffer_bytes(&packed), alloc, &found),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_gzip_write(hoist_buffer_bytes(&text), found, NULL, &again),
                        HOIST_OK);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&packed), hoist_buffer_text(&again)));
        packed.data[packed.size / 2] ^= 1;
        HOIST_EXPECT_EQ(
            t,
            neff_find_level(hoist_buffer_bytes(&text), hoist_buffer_bytes(&packed), alloc, &found),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, found, -1);
        hoist_buffer_deinit(&again);
        hoist_buffer_deinit(&packed);
    }
    hoist_buffer_deinit(&text);
}

HOIST_TEST(members_that_cannot_be_files)
{
    static const neff_test_entry own[] = {NEFF_TEST_ENTRY("hoist-neff.json", "{}")};
    static const neff_test_entry twice[] = {NEFF_TEST_ENTRY("a/b", "1"),
                                            NEFF_TEST_ENTRY("a//b", "2")};
    folder f;
    hoist_mut_bytes file = neff_test_packed(t, 1, own, 1);
    HOIST_EXPECT_EQ(t, unpack_file(t, (hoist_bytes){file.data, file.size}, false, &f),
                    HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "PACK-002");
    file = neff_test_packed(t, 1, twice, 2);
    HOIST_EXPECT_EQ(t, unpack_file(t, (hoist_bytes){file.data, file.size}, false, &f),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(t, f.count, 1);
}

static hoist_status pack_starved(hoist_allocator alloc, const void *self)
{
    const folder *const f = self;
    const hoist_pack_options options = {.pkg_version = 2, .redact = true};
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    hoist_status status = neff_pack(f->parts, f->count, &options, NULL, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    folder f;
    folder again;
    hoist_bytes file;
    small_folder(t, &f);
    hoist_test_starve(t, pack_starved, &f);
    HOIST_EXPECT_EQ(t, pack_folder(t, &f, NULL, &file), HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack_file(t, file, false, &again), HOIST_OK);
    hoist_test_starve(t, pack_starved, &again);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(our_files_come_back), HOIST_TEST_ROW(corpus_comes_back),
                HOIST_TEST_ROW(what_was_read_is_written), HOIST_TEST_ROW(defaults_of_the_recipe),
                HOIST_TEST_ROW(uuid_follows_the_content),
                HOIST_TEST_ROW(header_fields_of_info_json), HOIST_TEST_ROW(checks_info_json),
                HOIST_TEST_ROW(info_json_beside_a_manifest), HOIST_TEST_ROW(times_and_modes),
                HOIST_TEST_ROW(changes_to_an_unpacked_folder), HOIST_TEST_ROW(redacted),
                HOIST_TEST_ROW(refuses_bad_names),
                HOIST_TEST_ROW(a_folder_without_a_graph_is_packed_with_a_warning),
                HOIST_TEST_ROW(refuses_bad_options), HOIST_TEST_ROW(checks_manifests),
                HOIST_TEST_ROW(every_level_is_found), HOIST_TEST_ROW(members_that_cannot_be_files),
                HOIST_TEST_ROW(survives_every_failed_allocation))
