// What memory programs get, what it begins with, and which programs are refused.
#include <string.h>

#include "base/poison.h"
#include "program/builder.h"
#include "runtime/runtime_testing.h"

#define SPACE "program p\nspace m\n"
#define DATA " lifetime session contents "
#define OUTPUT " lifetime session output contents "

// The bytes of the buffer `x` when a session begins.
static const struct {
    const char *name;
    const char *text;
    const char *expected; // hexadecimal
} contents[] = {
    {"zero", "buffer x in m size 3 lifetime session output contents zero\n", "000000"},
    {"bytes, then zeros", "buffer x in m size 3" OUTPUT "bytes data 0102\n", "010200"},
    {"bytes that fill it", "buffer x in m size 2" OUTPUT "bytes data 0102\n", "0102"},
    {"a pattern that does not fit", "buffer x in m size 5" OUTPUT "pattern data 0102\n",
     "0102010201"},
    {"a window over what its base has",
     "buffer x in m size 4" OUTPUT "pattern data ff\n"
     "buffer w in m size 2 window x offset 1" DATA "bytes data 01\n",
     "ff0100ff"},
    {"a window that stands above its base",
     "buffer w in m size 2 window x offset 1" DATA "bytes data 01\n"
     "buffer x in m size 4" OUTPUT "pattern data ff\n",
     "ff0100ff"},
    {"a window of a window",
     "buffer x in m size 4" OUTPUT "zero\n"
     "buffer v in m size 3 window x offset 1 lifetime session\n"
     "buffer w in m size 2 window v offset 1" DATA "bytes data 0102\n",
     "00000102"},
    {"a whole address",
     "buffer x in m size 8" OUTPUT "zero\n"
     "buffer y in m size 1 at 0x123456789abcdef0 lifetime session\n"
     "relocation x bit 0 gets whole of y\n",
     "f0debc9a78563412"},
    {"an address behind the target",
     "buffer x in m size 8" OUTPUT "zero\n"
     "buffer y in m size 1 at 0x100 lifetime session\nrelocation x bit 0 gets whole of y plus -1\n",
     "ff00000000000000"},
    {"the high half in the last bits",
     "buffer x in m size 5" OUTPUT "pattern data ff\n"
     "buffer y in m size 1 at 0x123456789abcdef0 lifetime session\n"
     "relocation x bit 8 gets high32 of y\n",
     "ff78563412"},
    {"the low half at an odd bit",
     "buffer x in m size 5" OUTPUT "zero\n"
     "buffer y in m size 1 at 0x80000001 lifetime session\nrelocation x bit 7 gets low32 of y\n",
     "8000000040"},
    {"around a field nothing changes",
     "buffer x in m size 5" OUTPUT "pattern data ff\n"
     "buffer y in m size 1 at 0x0 lifetime session\nrelocation x bit 3 gets low32 of y\n",
     "07000000f8"},
};

static hoist_str hex(hoist_test *t, hoist_mut_bytes bytes)
{
    char *text = hoist_arena_alloc(&t->arena, 2 * bytes.size + 1);
    for (size_t i = 0; i < bytes.size; i++) {
        text[2 * i] = "0123456789abcdef"[bytes.data[i] / 16];
        text[2 * i + 1] = "0123456789abcdef"[bytes.data[i] % 16];
    }
    return (hoist_str){text, 2 * bytes.size};
}

static hoist_program *program_of(hoist_test *t, const char *text)
{
    return runtime_program(t, hoist_arena_format(&t->arena, SPACE "%s", text).data);
}

static uint32_t buffer_called(const hoist_program *program, const char *name)
{
    uint32_t i = 0;
    while (!hoist_str_equal_c(program->buffers[i].name, name)) {
        i++;
    }
    return i;
}

HOIST_TEST_TABLE(what_memory_begins_with, contents)
{
    hoist_program *program = program_of(t, row->text);
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    const hoist_mut_bytes x = store.buffers[buffer_called(program, "x")];
    HOIST_EXPECT_STR(t, hex(t, x), row->expected);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

#define TILED "queue of f32 tiled() slots 2 in "
#define TILES " slot_bytes 4128 tile_alignment 32\n"
#define WIDE "queue of f32 tiled(grid 1x2) slots 2 in "
#define PARTS "buffer a in m size 8256 lifetime session\nbuffer b in m size 8256 lifetime session\n"
#define WINDOWS                                                                                    \
    "buffer v in m size 8256 window a lifetime session\n"                                          \
    "buffer w in m size 8256 window b lifetime session\n"
#define CODE(view) "thread t {\nmove copy from [" view "] to " view "\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    uint64_t limit;
    hoist_status status;
    const char *why; // part of the refusal; NULL: none
} taken[] = {
    {"nothing", "", 0, HOIST_OK, NULL},
    {"a fifo of tiles", PARTS "fifo f " TILED "[a]" TILES, 0, HOIST_OK, NULL},
    {"two parts", PARTS "fifo f " WIDE "[a, b]" TILES, 0, HOIST_OK, NULL},
    {"an alias", PARTS WINDOWS "fifo f " WIDE "[a, b]" TILES "fifo g " WIDE "[v, w]" TILES, 0, HOIST_OK, NULL},
    {"two fifos on one memory", PARTS "fifo f " TILED "[a]" TILES "fifo g " TILED "[a]" TILES, 0, HOIST_OK, NULL},
    {"an alias with other parts", PARTS WINDOWS "fifo f " WIDE "[a, b]" TILES "fifo g " TILED "[v]" TILES, 0, HOIST_UNSUPPORTED, "other numbers of parts"},
    {"an alias with more parts", PARTS WINDOWS "fifo f " TILED "[a]" TILES "fifo g " WIDE "[v, b]" TILES, 0, HOIST_UNSUPPORTED, "other numbers of parts"},
    {"parts in another order", PARTS WINDOWS "fifo f " WIDE "[a, b]" TILES "fifo g " WIDE "[w, v]" TILES, 0, HOIST_UNSUPPORTED, "each with its own"},
    {"an alias of the second part", PARTS WINDOWS "fifo f " WIDE "[a, b]" TILES "fifo g " TILED "[w]" TILES, 0, HOIST_UNSUPPORTED, "other numbers of parts"},
    {"a part that is new", PARTS "buffer c in m size 8256 lifetime session\n" "fifo f " WIDE "[a, b]" TILES "fifo g " WIDE "[a, c]" TILES, 0, HOIST_UNSUPPORTED, "each with its own"},
    {"a part that is known", PARTS "buffer c in m size 8256 lifetime session\n" "fifo f " TILED "[a]" TILES "fifo g " WIDE "[c, a]" TILES, 0, HOIST_UNSUPPORTED, "each with its own"},
    {"one part twice", PARTS "fifo f " WIDE "[a, a]" TILES, 0, HOIST_UNSUPPORTED, "each with its own"},
    {"a window that begins later", "buffer a in m size 8320 lifetime session\nbuffer v in m size 8256 window a offset 64 lifetime session\nfifo f " TILED "[v]" TILES, 0, HOIST_UNSUPPORTED, "does not begin where"},
    {"a second part that begins later", PARTS "buffer c in m size 8320 lifetime session\nbuffer v in m size 8256 window c offset 64 lifetime session\nfifo f " WIDE "[a, v]" TILES, 0, HOIST_UNSUPPORTED, "does not begin where"},
    {"a view of tiles of a fifo", PARTS "fifo f " TILED "[a]" TILES CODE("a f32[4]"), 0, HOIST_UNSUPPORTED, "also named as bytes"},
    {"plain bytes under a fifo of tiles", PARTS "fifo f " TILED "[a]" TILES "fifo g queue of f32[4] slots 1 in [a] slot_bytes 16\n", 0, HOIST_UNSUPPORTED, "also named as bytes"},
    {"an output under a fifo of tiles", "buffer a in m size 8256 lifetime session output\nfifo f " TILED "[a]" TILES, 0, HOIST_UNSUPPORTED, "also named as bytes"},
    {"zeros under a fifo of tiles", "buffer a in m size 8256 lifetime session contents zero\nfifo f " TILED "[a]" TILES, 0, HOIST_OK, NULL},
    {"bytes under a fifo of tiles", "buffer a in m size 8256" DATA "bytes data 01\nfifo f " TILED "[a]" TILES, 0, HOIST_UNSUPPORTED, "also named as bytes"},
    {"a fifo in memory of a call", "buffer a in m size 16\nfifo f queue of f32[4] slots 1 in [a] slot_bytes 16\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"a call that begins with zeros", "buffer a in m size 16 contents zero\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"a call that begins with bytes", "buffer a in m size 16 contents bytes data 01\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"a call that the caller fills", "buffer a in m size 16 contents caller\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"an output of a call", "buffer a in m size 16 output\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"an address in memory of a call", "buffer a in m size 8\nbuffer b in m size 8 at 0x0 lifetime session\nrelocation a bit 0 gets whole of b\n", 0, HOIST_UNSUPPORTED, "one call"},
    {"a caller's tensor in parts of tiles", PARTS "fifo f " TILED "[a]" " slot_bytes 4128 tile_alignment 32 host_push push_shape [1, 33, 32] push_tiles [1]\n", 0, HOIST_UNSUPPORTED, "complete tiles"},
    {"just enough", PARTS "fifo f " TILED "[a]" TILES, 8192, HOIST_OK, NULL},
    {"a byte too little", PARTS "fifo f " TILED "[a]" TILES, 8191, HOIST_LIMIT, NULL},
    {"a fifo of 2^31 slots", "buffer a in m size 2147483648 lifetime session\nfifo f queue of f32 tiled() slots 2147483648 in [a] slot_bytes 1 tile_alignment 32\n", 1 << 20, HOIST_LIMIT, NULL},
    {"tiles that wrap", "buffer a in m size 2147483648 lifetime session\nfifo f queue of f32 tiled(t 32768 mblock 1024x1024 tile 1x32) slots 2147483648 in [a] slot_bytes 1 tile_alignment 32\n", 0, HOIST_LIMIT, NULL},
    {"a table that is too large", "buffer a in m size 1 lifetime session\nfifo f queue of f32 tiled(t 1024 mblock 1024x1024 tile 1x32) slots 1 in [a] slot_bytes 1 tile_alignment 32\n", 0, HOIST_LIMIT, NULL},
    {"a table beyond the limit", "buffer a in m size 1 lifetime session\nfifo f queue of f32 tiled(mblock 4x4 column_major) slots 1 in [a] slot_bytes 1 tile_alignment 32\n", 65536, HOIST_LIMIT, NULL},
};
// clang-format on

HOIST_TEST_TABLE(what_is_taken, taken)
{
    hoist_program *program = program_of(t, row->text);
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), row->limit),
                    row->status);
    HOIST_EXPECT_EQ(t, store.refused.why != NULL, row->why != NULL);
    if (row->why && store.refused.why) {
        HOIST_EXPECT(t, hoist_str_contains(hoist_str_from(store.refused.why), row->why));
    }
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

HOIST_TEST(an_alias_shares_its_tiles)
{
    hoist_program *program =
        program_of(t, PARTS WINDOWS "fifo f " WIDE "[a, b]" TILES
                                    "fifo g queue of f32 tiled(t 2 grid 1x2) slots 1 in [v, w] "
                                    "slot_bytes 8256 tile_alignment 32\n");
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    HOIST_EXPECT(t, store.fifos[0].base == store.fifos[1].base);
    HOIST_EXPECT_EQ(t, store.bytes, 4 * HOIST_TILE_BYTES);
    // f: tile 1 of a slot is in the second part, two tiles on. g: tiles 0, 1 are of the first
    // slice.
    HOIST_EXPECT_EQ(t, store.fifos[0].tiles[1], 2);
    const uint32_t expected[4] = {0, 2, 1, 3};
    HOIST_EXPECT(t, memcmp(store.fifos[1].tiles, expected, sizeof expected) == 0);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

HOIST_TEST(a_run_begins_with_its_contents)
{
    hoist_program *program =
        program_of(t, "buffer a in m size 2 lifetime run output contents zero\n"
                      "buffer b in m size 2" OUTPUT "zero\n"
                      "buffer c in m size 2 lifetime run contents caller\n"
                      "buffer d in m size 9 lifetime run contents zero\n"
                      "buffer e in m size 1 at 0x7f lifetime session\n"
                      "relocation d bit 8 gets whole of e\n");
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    for (int i = 0; i < 4; i++) {
        memset(store.buffers[i].data, 0xee, store.buffers[i].size);
    }
    hoist_store_begin_run(&store);
    static const char *const expected[] = {"0000", "eeee", "eeee", "007f00000000000000"};
    for (int i = 0; i < 4; i++) {
        HOIST_EXPECT_STR(t, hex(t, store.buffers[i]), expected[i]);
    }
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

// Buffers of 8,192 bytes: which of them lie where the first does.
// clang-format off
static const struct {
    const char *name;
    bool other;                  // bytes from another place, which are equal
    hoist_lifetime lifetime;
    bool output;
    bool relocated;
    bool window;                 // onto it
    uint64_t size;
    bool shared;
} constants[] = {
    {"a constant",            false, HOIST_LIFETIME_CONSTANT, false, false, false, 8192, true},
    {"equal, but another",    true,  HOIST_LIFETIME_CONSTANT, false, false, false, 8192, false},
    {"what may be written",   false, HOIST_LIFETIME_SESSION,  false, false, false, 8192, false},
    {"of each run",           false, HOIST_LIFETIME_RUN,      false, false, false, 8192, false},
    {"an output",             false, HOIST_LIFETIME_CONSTANT, true,  false, false, 8192, false},
    {"with an address in it", false, HOIST_LIFETIME_CONSTANT, false, true,  false, 8192, false},
    {"below a window",        false, HOIST_LIFETIME_CONSTANT, false, false, true,  8192, false},
    {"zeros behind it",       false, HOIST_LIFETIME_CONSTANT, false, false, false, 8200, false},
};
// clang-format on

// Buffers "first" and "second", and what the row asks for.
static hoist_program *program_of_constants(hoist_test *t, size_t at)
{
    static uint8_t bytes[2][8192];
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    memset(bytes, 7, sizeof bytes);
    const hoist_ref space =
        hoist_builder_space(b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1});
    hoist_prog_buffer row = {.name = HOIST_STR("first"),
                             .space = space,
                             .size = sizeof bytes[0],
                             .alignment = 1,
                             .window_of = HOIST_NO_REF,
                             .lifetime = HOIST_LIFETIME_CONSTANT,
                             .contents = HOIST_CONTENTS_BYTES,
                             .bytes = {bytes[0], sizeof bytes[0]}};
    (void)hoist_builder_buffer(b, &row);
    row.name = HOIST_STR("second");
    row.bytes.data = bytes[constants[at].other];
    row.lifetime = constants[at].lifetime;
    row.output = constants[at].output;
    row.size = constants[at].size;
    const hoist_ref second = hoist_builder_buffer(b, &row);
    if (constants[at].relocated) {
        hoist_builder_relocation(b, &(hoist_prog_relocation){.buffer = second, .target = second});
    }
    if (constants[at].window) {
        row.name = HOIST_STR("window");
        row.window_of = second;
        (void)hoist_builder_buffer(b, &row);
    }
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

HOIST_TEST_TABLE(equal_constants_share_their_memory, constants)
{
    hoist_program *program = program_of_constants(t, (size_t)(row - constants));
    hoist_store store;
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, store.buffers[0].data == store.buffers[1].data, row->shared);
    HOIST_EXPECT_EQ(t, store.bytes < 2 * 8192, row->shared);
    HOIST_EXPECT(t, row->relocated || store.buffers[1].data[8191] == 7);
    HOIST_EXPECT_EQ(t, program->buffers[0].bytes.data == program->buffers[1].bytes.data,
                    !row->other);
    hoist_store_deinit(&store);
    hoist_program_destroy(program);
}

// Each begins where a line of a cache does, none is in another one, and between them there are
// bytes that nothing may touch.
HOIST_TEST(tensors_are_apart_in_one_mapping)
{
    hoist_program *program =
        program_of(t, "buffer x in m size 3" OUTPUT "zero\nbuffer y in m size 4096" OUTPUT "zero\n"
                      "buffer z in m size 65" OUTPUT "zero\n");
    hoist_store store;
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_store_init(&store, program, hoist_allocator_system(), 0), HOIST_OK);
    const uint8_t *free_from = store.pages.data;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_mut_bytes part = store.buffers[i];
        HOIST_EXPECT_EQ(t, part.size, program->buffers[i].size);
        HOIST_EXPECT_EQ(t, (uintptr_t)part.data % 64, 0);
        HOIST_EXPECT(t, part.data >= free_from);
        free_from = part.data + part.size;
        HOIST_EXPECT_EQ(t, hoist_is_poisoned(free_from), HOIST_POISONS != 0);
    }
    const hoist_mut_bytes pages = store.pages;
    HOIST_EXPECT(t, free_from <= pages.data + pages.size);
    HOIST_EXPECT_EQ(t, store.bytes, 3 + 4096 + 65);
    hoist_store_deinit(&store);
    HOIST_EXPECT(t, !hoist_is_poisoned(free_from));
    hoist_program_destroy(program);
}

static hoist_status init_and_end(hoist_allocator alloc, const void *self)
{
    hoist_store store;
    const hoist_status status = hoist_store_init(&store, self, alloc, 0);
    hoist_store_deinit(&store);
    return status;
}

HOIST_TEST(no_memory_is_said)
{
    hoist_program *program =
        program_of(t, PARTS "buffer x in m size 8192 lifetime session\nfifo f " WIDE
                            "[a, b]" TILES CODE("x f32 tiled(mblock 2x1 column_major)"));
    if (program) {
        hoist_test_starve(t, init_and_end, program);
    }
    hoist_program_destroy(program);
    program = program_of_constants(t, 0);
    hoist_test_starve(t, init_and_end, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_memory_begins_with), HOIST_TEST_ROW(what_is_taken),
                HOIST_TEST_ROW(an_alias_shares_its_tiles),
                HOIST_TEST_ROW(tensors_are_apart_in_one_mapping),
                HOIST_TEST_ROW(a_run_begins_with_its_contents), HOIST_TEST_ROW(no_memory_is_said),
                HOIST_TEST_ROW(equal_constants_share_their_memory))
