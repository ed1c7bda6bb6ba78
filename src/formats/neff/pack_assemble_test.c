// Streams of a folder that are assembled from text.
#include "base/span.h"
#include "formats/neff/pack.h"
#include "formats/neff/stream.h"
#include "testing/test.h"

static const char graph[] =
    "{\"nodes\": [{\"op\": \"tvm_op\", \"name\": \"n\", \"attrs\": {\"func_name\": \"__kelf\", "
    "\"kelf\": \"kelf-0.json\"}, \"inputs\": []}], \"arg_nodes\": [], \"heads\": [], "
    "\"node_row_ptr\": [0, 0], \"attrs\": {\"shape\": [\"list_shape\", []], \"dltype\": "
    "[\"list_str\", []]}}";

static hoist_part part_of(const char *path, const char *text)
{
    return (hoist_part){.path = hoist_str_from(path),
                        .bytes = {(const uint8_t *)text, hoist_str_from(text).size}};
}

// neff.json, a kelf for `target`, `path` with `text`, and perhaps the stream sg00/pe.bin.
typedef struct folder {
    hoist_part parts[4];
    size_t count;
} folder;

static void make(hoist_test *t, const char *target, const char *path, const char *text,
                 const char *stream, folder *out)
{
    const hoist_str kelf = hoist_arena_format(
        &t->arena, "{\"version\": \"0.5\", \"target\": \"%s\", \"graphs\": []}", target);
    *out = (folder){.parts = {part_of("neff.json", graph), part_of("kelf-0.json", kelf.data),
                              part_of(path, text)},
                    .count = 3};
    if (stream) {
        out->parts[out->count++] = part_of("sg00/pe.bin", stream);
    }
}

#define FOUR(text) text text text text

static const struct {
    const char *name;
    const char *target;
    const char *path;
    const char *text;
    const char *stream; // that is there already; NULL: none
    hoist_status status;
    int opcode; // first byte of the stream that is made; -1: none is, 0: an empty one
    const char *findings;
} cases[] = {
    // clang-format off
    {"text becomes a stream", "*", "sg00/pe.asm", "NOP;\n", NULL, HOIST_OK, 0xa4, ""},
    {"for the kelf's generation", "tonga", "sg00/pe.asm", "NOP;\n", NULL, HOIST_OK, 0x68, ""},
    {"for any when the kelf's is unknown", "v9", "sg00/pe.asm", "LDTAGS;\n", NULL, HOIST_OK, 0x06, ""},
    {"an empty text is an empty stream", "*", "sg00/pe.asm", "", NULL, HOIST_OK, 0, ""},
    {"a stream that is there stays", "*", "sg00/pe.asm", "", "", HOIST_OK, -1, ""},
    {"an empty text says nothing of it", "*", "sg00/pe.asm", "", "x", HOIST_OK, -1, ""},
    {"a comment says it is empty", "*", "sg00/pe.asm", "# none\n", "", HOIST_OK, -1, ""},
    {"both say the same", "tonga", "sg00/pe.asm", ".record" FOUR(FOUR(FOUR(" 41"))) ";\n", FOUR(FOUR(FOUR("A"))), HOIST_OK, -1, ""},
    {"both say something else", "*", "sg00/pe.asm", "NOP;\n", "x", HOIST_INVALID, -1,
     "error: 'sg00/pe.bin' does not match 'sg00/pe.asm', expected equal ones or only one of them [PACK-006]\n"},
    {"the text says less", "*", "sg00/pe.asm", "#\n", "x", HOIST_INVALID, -1,
     "error: 'sg00/pe.bin' does not match 'sg00/pe.asm', expected equal ones or only one of them [PACK-006]\n"},
    {"text of another form", "*", "sg00/pe.asm", "\n  NOT OURS", "", HOIST_INVALID, -1,
     "2:3: error: found 'NOT', expected an instruction of generations 2 to 5, or .record; 'sg00/pe.bin' is not packed instead [PACK-006]\n"},
    {"other names are no text", "*", "sg00/pe.txt", "NOT READ", NULL, HOIST_OK, -1, ""},
    {"wrong text", "sunda", "sg00/pe.asm", "NOP;\nLDTAGS;\n", NULL, HOIST_INVALID, -1,
     "2:1: error: found 'LDTAGS', expected an instruction of generation 2, or .record [PACK-005]\n"},
    // clang-format on
};

HOIST_TEST_TABLE(streams, cases)
{
    folder f;
    make(t, row->target, row->path, row->text, row->stream, &f);
    hoist_diag_source(t->diag, HOIST_STR("folder"), HOIST_STR(""));
    const hoist_part *parts = f.parts;
    size_t count = f.count;
    HOIST_EXPECT_EQ(t, neff_assemble_parts(&t->arena, t->diag, &parts, &count), row->status);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    HOIST_EXPECT_STR(t, hoist_diag_file(t->diag), "folder");
    if (row->status != HOIST_OK) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, row->path);
        return;
    }
    HOIST_EXPECT_EQ(t, count, f.count + (row->opcode >= 0));
    if (row->opcode >= 0 && count == 4) {
        HOIST_EXPECT_STR(t, parts[2].path, "sg00/pe.asm"); // which stays
        HOIST_EXPECT_STR(t, parts[3].path, "sg00/pe.bin");
        HOIST_EXPECT_EQ(t, parts[3].bytes.size, row->opcode ? NEFF_RECORD_SIZE : 0);
        HOIST_EXPECT_EQ(t, row->opcode ? parts[3].bytes.data[0] : 0, row->opcode);
    }
}

// The packed file holds the assembled stream.
HOIST_TEST(packing_assembles)
{
    static const hoist_pack_options plain;
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    folder f;
    hoist_buffer file;
    hoist_module *module = NULL;
    make(t, "*", "sg00/pe.asm", "PSEUDO_INST EXIT;\n", NULL, &f);
    hoist_buffer_init(&file, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_pack(f.parts, f.count, &plain, t->diag, &file), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_read(hoist_buffer_bytes(&file), &options, t->diag, &module), HOIST_OK);
    if (module) {
        const uint32_t at = neff_member_find(neff_of(module), HOIST_STR("sg00/pe.bin"));
        HOIST_EXPECT(t, at != NEFF_NONE);
        HOIST_EXPECT(t, at != NEFF_NONE && neff_of(module)->members[at].bytes.size == 64);
    }
    neff_destroy(module);
    hoist_buffer_deinit(&file);
}

static hoist_status assemble_some(hoist_allocator alloc, const void *self)
{
    const folder *f = self;
    const hoist_part *parts = f->parts;
    size_t count = f->count;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = neff_assemble_parts(&arena, NULL, &parts, &count);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    folder f;
    make(t, "sunda", "sg00/pe.asm", "NOP;\n", NULL, &f);
    hoist_test_starve(t, assemble_some, &f);
    make(t, "sunda", "sg00/pe.asm", ".record" FOUR(FOUR(FOUR(" 41"))) ";\n", FOUR(FOUR(FOUR("A"))),
         &f);
    hoist_test_starve(t, assemble_some, &f);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(streams), HOIST_TEST_ROW(packing_assembles),
                HOIST_TEST_ROW(memory_runs_out))
