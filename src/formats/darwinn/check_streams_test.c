// Instruction chunks: rules 32 to 38, 83 and 84. Words of a plain package's chunk: 0 start, 1 fence
// of the tiles, 2 to 10 the image, 11 a tensor operation, 28 to 45 the outputs, 46 to 54 the
// interrupt, 55 halt, 56 to 59 empty bundles, 60 end.
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"

#define CHUNK "executables/0/instruction_bitstreams/0"
#define CODE CHUNK "/bitstream"

// clang-format off
static const dwn_case streams[] = {
    {"an empty chunk", DWN_ALONE, {{"executables/0/instruction_bitstreams/1/bitstream", 0, NULL},
     {"executables/0/instruction_bitstreams/1/field_offsets", 0, NULL}}, "DWN-032 DWN-048 DWN-048 DWN-058",
     "executables/0/instruction_bitstreams/1:bitstream/0"},
    {"a chunk without instructions", DWN_ALONE, {{"executables/0/instruction_bitstreams/1/bitstream", -1, NULL},
     {"executables/0/instruction_bitstreams/1/bitstream", 0, NULL},
     {"executables/0/instruction_bitstreams/1/field_offsets", 0, NULL}}, "DWN-032 DWN-048 DWN-048 DWN-058",
     "executables/0/instruction_bitstreams/1:bitstream"},
    {"a byte less", DWN_PLAIN, {{CODE, 61 * 16 - 1, NULL}}, "DWN-033 DWN-035 DWN-035", CHUNK ":bitstream/0"},
    {"a word less", DWN_PLAIN, {{CODE, 60 * 16, NULL}}, "DWN-035 DWN-035", CHUNK ":bitstream/0"},
    {"one word", DWN_PLAIN, {{CODE, 16, NULL}, {CHUNK "/field_offsets", 0, NULL}},
     "DWN-035 DWN-035 DWN-048 DWN-048 DWN-048 DWN-058", CHUNK ":bitstream/0"},
    {"no start", DWN_PLAIN, {{CODE "/1", 0x08, NULL}}, "DWN-035", CHUNK ":bitstream/0"},
    {"wrong count", DWN_PLAIN, {{CODE "/3", 0x00, NULL}}, "DWN-035", CHUNK ":bitstream/0"},
    {"a bit beside the count", DWN_PLAIN, {{CODE "/15", 0x80, NULL}}, "DWN-035", CHUNK ":bitstream/0"},
    {"no end", DWN_PLAIN, {{CODE "/961", 0x08, NULL}, {CODE "/960", 0x00, NULL}}, "DWN-035", CHUNK ":bitstream/960"},
    {"a bit in the end word", DWN_PLAIN, {{CODE "/970", 1, NULL}}, "DWN-035", CHUNK ":bitstream/960"},
    {"end inside", DWN_PLAIN, {{CODE "/897", 0x0f, NULL}, {CODE "/896", 0xc0, NULL}}, "DWN-035 DWN-083", CHUNK ":bitstream/896"},
    {"unknown opcode", DWN_PLAIN, {{CODE "/16", 0xc0, NULL}}, "DWN-036 DWN-058", CHUNK ":bitstream/16"},
    {"unknown opcode behind a tensor operation", DWN_PLAIN, {{CODE "/449", 0x0e, NULL}}, "DWN-036 DWN-058", CHUNK ":bitstream/448"},
    {"too long for what is left", DWN_PLAIN, {{CODE "/881", 0x00, NULL}, {CODE "/880", 0x40, NULL}}, "DWN-036",
     CHUNK ":bitstream/880"},
    {"ids begin at 1", DWN_PLAIN, {{CODE "/19", 0x10, NULL}}, "DWN-037 DWN-037", CHUNK ":bitstream/16"},
    {"an id is left out", DWN_PLAIN, {{CODE "/181", 0x80, NULL}}, "DWN-037", CHUNK ":bitstream/176"},
    {"no tile", DWN_PLAIN, {{CODE "/17", 0x06, NULL}}, "DWN-038", CHUNK ":bitstream/16"},
    {"halt for a chunk with a successor", DWN_PLAIN, {{CODE "/881", 0x48, NULL}, {CODE "/882", 0, NULL}}, "DWN-083",
     CHUNK ":bitstream/960"},
    {"a bundle behind halt", DWN_PLAIN, {{CODE "/910", 1, NULL}}, "DWN-083", CHUNK ":bitstream/960"},
    {"halt of a chunk with a successor", DWN_ALONE, {{"executables/0/instruction_bitstreams", 1, NULL}},
     "DWN-083 DWN-048 DWN-048 DWN-051 DWN-058", NULL},
    // Mode 8, weights from the parameters; the first master loop makes 2 steps, the traversals 1.
    {"traversals that make another number of steps", DWN_PLAIN, {{CODE "/406", 0x08, NULL}, {CODE "/183", 0x40, NULL}},
     "DWN-084 DWN-084 DWN-084 DWN-084", CHUNK ":bitstream/176"},
    // The same, and all traversals make 2 steps, through the weights by 2.
    {"weights that are left out", DWN_PLAIN, {{CODE "/406", 0x08, NULL}, {CODE "/183", 0x40, NULL}, {CODE "/204", 0x10, NULL},
     {CODE "/252", 0x08, NULL}, {CODE "/297", 0x40, NULL}, {CODE "/299", 0x04, NULL}, {CODE "/337", 0x02, NULL}},
     "DWN-088", CHUNK ":bitstream/176"},
};
// clang-format on

HOIST_TEST_TABLE(check_streams, streams)
{
    dwn_test_case(t, row);
}

static const struct {
    const char *name;
    size_t size;
    const char *want;
} large[] = {
    {"the largest chunk", DWN_MAX_CHUNK, ""},
    {"a word more", DWN_MAX_CHUNK + DWN_WORD_SIZE, "DWN-034"},
};

// The chunk is filled with empty bundles before its halt.
HOIST_TEST_TABLE(check_large_chunks, large)
{
    enum { TAIL = DWN_HALT_TAIL * DWN_WORD_SIZE };
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_bitstream *const chunk = &draft.executables[0]->instruction_bitstreams.items[0];
    const hoist_bytes old = chunk->bitstream;
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, row->size);
    memcpy(bytes, old.data, old.size - TAIL);
    for (size_t i = old.size - TAIL; i < row->size - TAIL; i += DWN_WORD_SIZE) {
        bytes[i + 1] = 0x08;
    }
    memcpy(bytes + row->size - TAIL, old.data + old.size - TAIL, TAIL);
    dwn_make_set((hoist_mut_bytes){bytes, DWN_WORD_SIZE}, &dwn_frame_rows[DWN_FRAME_BITS], 0,
                 (uint32_t)(8 * (row->size - (size_t)2 * DWN_WORD_SIZE)));
    chunk->bitstream = (hoist_bytes){bytes, row->size};
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    dwn_test_expect_at(t, CHUNK, dwn_test_place(module, CODE "/0"));
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_streams), HOIST_TEST_ROW(check_large_chunks))
