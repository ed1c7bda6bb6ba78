// Hints from instructions, and as rows.
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/stream_rows.h"

static const struct {
    const char *name;
    dwn_kind kind;
} kinds[] = {
    {"pair", DWN_PAIR},
    {"plain", DWN_PLAIN},
    {"batch, scratch, two chunks", DWN_ALONE},
    {"executed twice", DWN_REPEATED},
};

// What is made is what the file has.
HOIST_TEST_TABLE(hints_are_made_again, kinds)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    for (uint32_t i = 0; i < module->packages[0].image_count; i++) {
        const dwn_image *const image = &module->packages[0].images[i];
        dwn_executable copy = *image->rows;
        dwn_program_run run;
        dwn_hint *stored = NULL;
        dwn_hint *again = NULL;
        size_t count = 0;
        size_t again_count = 0;
        bool is_whole = false;
        HOIST_EXPECT_EQ(t, dwn_hints_make(image, &t->arena, &run, &is_whole), HOIST_OK);
        HOIST_EXPECT(t, is_whole);
        HOIST_EXPECT_EQ(
            t, dwn_hints_store(run.hints, run.hint_count, true, &t->arena, &copy.dma_hints),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, dwn_hints_of(image->rows, &t->arena, &stored, &count), HOIST_OK);
        HOIST_EXPECT_EQ(t, dwn_hints_of(&copy, &t->arena, &again, &again_count), HOIST_OK);
        HOIST_EXPECT_EQ(t, again_count, count);
        for (size_t k = 0; k < count && k < again_count; k++) {
            HOIST_EXPECT(t, dwn_hint_equal(&stored[k], &again[k]));
        }
    }
    dwn_destroy(&module->base);
}

// A program of one chunk.
static hoist_status make(hoist_test *t, hoist_bytes bytes, dwn_program_run *run, bool *is_whole)
{
    static const dwn_stream_options options;
    dwn_chunk chunk = {.link_count = 0};
    uint16_t next = 0;
    HOIST_EXPECT_EQ(t, dwn_stream_read(bytes, &options, &t->arena, &chunk.stream, &next), HOIST_OK);
    const dwn_image image = {.chunks = &chunk, .chunk_count = 1};
    return dwn_hints_make(&image, &t->arena, run, is_whole);
}

static void interrupt(dwn_maker *m, uint32_t number)
{
    (void)dwn_make_movi(m, 10, 0);
    (void)dwn_make_movi(m, 11, 0);
    (void)dwn_make_movi(m, 12, 0);
    (void)dwn_make_movi(m, 13, DWN_TAG_INTERRUPT + number);
    dwn_make_send(m);
}

// What comes after a branch depends on what the chip finds.
HOIST_TEST(hints_end_at_a_branch)
{
    dwn_maker m = {.next_id = 0};
    dwn_program_run run;
    bool is_whole = true;
    dwn_make_begin(&m);
    interrupt(&m, 0);
    (void)dwn_make_add(&m, DWN_OP_BRANCH);
    interrupt(&m, 1);
    HOIST_EXPECT_EQ(t, make(t, dwn_make_end(&m, false), &run, &is_whole), HOIST_OK);
    HOIST_EXPECT(t, !is_whole);
    HOIST_EXPECT_EQ(t, run.hint_count, 2);
    HOIST_EXPECT_EQ(t, run.hints[1].kind, DWN_HINT_INTERRUPT);
    HOIST_EXPECT_EQ(t, run.hints[1].index, 0);
}

HOIST_TEST(what_cannot_be_followed_is_refused)
{
    dwn_maker m = {.next_id = 0};
    dwn_program_run run;
    bool is_whole = true;
    const dwn_image nothing = {.chunk_count = 0};
    HOIST_EXPECT_EQ(t, dwn_hints_make(&nothing, &t->arena, &run, &is_whole), HOIST_INVALID);
    dwn_make_begin(&m);
    (void)dwn_make_movi(&m, 12, 64); // of a buffer that there is not
    (void)dwn_make_movi(&m, 13, DWN_TAG_INPUT);
    dwn_make_send(&m);
    HOIST_EXPECT_EQ(t, make(t, dwn_make_end(&m, false), &run, &is_whole), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, run.unknown, 1);
    dwn_maker cut = {.next_id = 0};
    dwn_make_begin(&cut);
    (void)dwn_make_add(&cut, 0x3c); // no opcode
    HOIST_EXPECT_EQ(t, make(t, dwn_make_end(&cut, false), &run, &is_whole), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, run.run.end, DWN_SCALAR_UNPARSED);
}

static const struct {
    const char *name;
    dwn_hint hint;
} misfits[] = {
    {"a large offset", {.kind = DWN_HINT_DMA, .offset = INT64_C(1) << 31}},
    {"a low offset", {.kind = DWN_HINT_DMA, .offset = -(INT64_C(1) << 31) - 1}},
    {"a large size", {.kind = DWN_HINT_DMA, .size = INT64_C(1) << 31}},
    {"an unknown transfer", {.kind = DWN_HINT_NONE}},
};

HOIST_TEST_TABLE(rows_have_32_bits, misfits)
{
    dwn_hints *rows = NULL;
    HOIST_EXPECT_EQ(t, dwn_hints_store(&row->hint, 1, true, &t->arena, &rows), HOIST_INVALID);
}

static hoist_status make_starved(hoist_allocator alloc, const void *self)
{
    const dwn_image *const image = self;
    dwn_program_run run;
    dwn_hints *rows = NULL;
    bool is_whole = false;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    hoist_status status = dwn_hints_make(image, &arena, &run, &is_whole);
    if (status == HOIST_OK) {
        status = dwn_hints_store(run.hints, run.hint_count, is_whole, &arena, &rows);
    }
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    hoist_test_starve(t, make_starved, &module->packages[0].images[0]);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(hints_are_made_again), HOIST_TEST_ROW(hints_end_at_a_branch),
                HOIST_TEST_ROW(what_cannot_be_followed_is_refused),
                HOIST_TEST_ROW(rows_have_32_bits), HOIST_TEST_ROW(gives_memory_back))
