// Filling and emptying holes, and each thing that can be wrong with them.
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/link.h"
#include "formats/darwinn/stream_testing.h"

enum { HOLES = 6, FIRST_BIT = 128 + DWN_LINK_PHASE, STRIDE = DWN_WORD_BITS, CHUNK = 31 * 128 };

static const char image[] = "image";
static const char scores[] = "scores";

// Both halves of the parameters, of the image and of the scores.
static const dwn_link honest[HOLES] = {
    // clang-format off
    {{NULL, 0},                    0, FIRST_BIT,              DWN_DESC_PARAMETER, 0, true},
    {{NULL, 0},                    0, FIRST_BIT + STRIDE,     DWN_DESC_PARAMETER, 1, true},
    {{image, sizeof(image) - 1},   0, FIRST_BIT + 2 * STRIDE, DWN_DESC_INPUT,     1, true},
    {{image, sizeof(image) - 1},   0, FIRST_BIT + 3 * STRIDE, DWN_DESC_INPUT,     0, true},
    {{scores, sizeof(scores) - 1}, 1, FIRST_BIT + 4 * STRIDE, DWN_DESC_OUTPUT,    0, true},
    {{scores, sizeof(scores) - 1}, 1, FIRST_BIT + 5 * STRIDE, DWN_DESC_OUTPUT,    1, true},
    // clang-format on
};

static const uint64_t addresses[] = {0x1122334455667788, 0x8000000012345000};
static const dwn_place items[] = {
    {{NULL, 0}, DWN_DESC_PARAMETER, 1, &addresses[0]},
    {{image, sizeof(image) - 1}, DWN_DESC_INPUT, 1, &addresses[1]},
    {{scores, sizeof(scores) - 1}, DWN_DESC_OUTPUT, 2, addresses},
};

// A chunk of six bundles that move an immediate, and an empty one.
static hoist_bytes make_chunk(dwn_maker *m)
{
    dwn_make_begin(m);
    for (size_t i = 0; i < HOLES; i++) {
        (void)dwn_make_movi(m, (uint8_t)i, 0);
    }
    (void)dwn_make_add(m, DWN_OP_BUNDLE);
    (void)dwn_make_add(m, DWN_OP_TENSOR);
    return dwn_make_end(m, false);
}

static dwn_places bound(hoist_test *t)
{
    dwn_places places;
    HOIST_EXPECT_EQ(
        t, dwn_places_init(&places, items, HOIST_COUNT_OF(items), hoist_allocator_system()),
        HOIST_OK);
    return places;
}

HOIST_TEST(holes_are_filled_and_emptied)
{
    static const uint32_t want[HOLES] = {0x55667788, 0x11223344, 0x80000000,
                                         0x12345000, 0x12345000, 0x80000000};
    dwn_maker m = {0};
    dwn_maker before = {0};
    const size_t size = make_chunk(&m).size;
    (void)make_chunk(&before);
    const hoist_mut_bytes bytes = {m.bytes, size};
    dwn_places places = bound(t);
    HOIST_EXPECT_EQ(t, dwn_link_apply(bytes, honest, HOLES, &places), HOIST_OK);
    for (size_t i = 0; i < HOLES; i++) {
        HOIST_EXPECT_EQ(t,
                        dwn_bits_load((hoist_bytes){bytes.data, size},
                                      (uint64_t)honest[i].offset_bit, DWN_LINK_BITS),
                        want[i]);
    }
    HOIST_EXPECT_EQ(t, dwn_link_undo(bytes, honest, HOLES), HOIST_OK);
    HOIST_EXPECT(t, memcmp(m.bytes, before.bytes, size) == 0);
    dwn_places_deinit(&places);
}

static const struct {
    const char *name;
    dwn_link link;
    hoist_status apply;
    hoist_status undo;
    uint32_t value; // after
} applications[] = {
    // clang-format off
    {"low half",            {{NULL, 0}, 0, 6, DWN_DESC_PARAMETER, 0, true},  HOIST_OK, HOIST_OK, 0x55667788},
    {"any batch will do",   {{NULL, 0}, 9, 6, DWN_DESC_PARAMETER, 1, true},  HOIST_OK, HOIST_OK, 0x11223344},
    {"not bound",           {{NULL, 0}, 0, 6, DWN_DESC_SCRATCH, 0, true},    HOIST_OK, HOIST_OK, 0},
    {"no such layer",       {{scores, 3}, 0, 6, DWN_DESC_OUTPUT, 0, true},   HOIST_OK, HOIST_OK, 0},
    {"no such kind",        {{NULL, 0}, 0, 6, 17, 0, true},                  HOIST_OK, HOIST_OK, 0},
    {"negative kind",       {{NULL, 0}, 0, 6, -1, 0, true},                  HOIST_OK, HOIST_OK, 0},
    {"no meta",             {{NULL, 0}, 0, 6, DWN_DESC_PARAMETER, 0, false}, HOIST_OK, HOIST_OK, 0},
    {"last bit",            {{NULL, 0}, 0, 96, DWN_DESC_PARAMETER, 0, true}, HOIST_OK, HOIST_OK, 0x55667788},
    {"beyond it",           {{NULL, 0}, 0, 97, DWN_DESC_PARAMETER, 0, true}, HOIST_INVALID, HOIST_INVALID, 0},
    {"negative",            {{NULL, 0}, 0, -1, DWN_DESC_PARAMETER, 0, true}, HOIST_INVALID, HOIST_INVALID, 0},
    {"no such element",     {{scores, 6}, 2, 6, DWN_DESC_OUTPUT, 0, true},   HOIST_INVALID, HOIST_OK, 0},
    {"negative element",    {{scores, 6}, -1, 6, DWN_DESC_OUTPUT, 0, true},  HOIST_INVALID, HOIST_OK, 0},
    // clang-format on
};

HOIST_TEST_TABLE(one_hole, applications)
{
    uint8_t buffer[DWN_WORD_SIZE] = {0};
    const hoist_mut_bytes bytes = {buffer, sizeof(buffer)};
    const hoist_bytes view = {buffer, sizeof(buffer)};
    dwn_places places = bound(t);
    HOIST_EXPECT_EQ(t, dwn_link_apply(bytes, &row->link, 1, &places), row->apply);
    if (row->undo == HOIST_OK) {
        HOIST_EXPECT_EQ(t, dwn_bits_load(view, (uint64_t)row->link.offset_bit, DWN_LINK_BITS),
                        row->value);
    }
    HOIST_EXPECT_EQ(t, dwn_link_undo(bytes, &row->link, 1), row->undo);
    HOIST_EXPECT_EQ(t, hoist_load_u64le(buffer) | hoist_load_u64le(buffer + 8), 0);
    dwn_places_deinit(&places);
}

// Faults -----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t link; // of `honest`, which is changed to:
    dwn_link changed;
    dwn_link_code code;
    int64_t found;
    size_t count; // of faults, this one included
} faults[] = {
    // clang-format off
    {"outside",            5, {{scores, 6}, 1, 1 << 30, DWN_DESC_OUTPUT, 1, true},    DWN_LINK_OUTSIDE, CHUNK, 1},
    {"ends outside",       5, {{scores, 6}, 1, CHUNK - 31, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_OUTSIDE, CHUNK, 1},
    {"negative",           5, {{scores, 6}, 1, -5, DWN_DESC_OUTPUT, 1, true},         DWN_LINK_OUTSIDE, CHUNK, 1},
    {"no meta",            5, {{NULL, 0}, 0, FIRST_BIT + 5 * STRIDE, 0, 0, false},    DWN_LINK_NO_META, 0, 2},
    {"no such layer",      5, {{scores, 5}, 1, FIRST_BIT + 5 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_NO_PLACE, 0, 3},
    {"other direction",    5, {{scores, 6}, 1, FIRST_BIT + 5 * STRIDE, DWN_DESC_INPUT, 1, true}, DWN_LINK_NO_PLACE, 0, 3},
    {"parameters' name",   1, {{image, 5}, 0, FIRST_BIT + STRIDE, DWN_DESC_PARAMETER, 1, true}, DWN_LINK_NAMED, 0, 1},
    {"no such element",    5, {{scores, 6}, 2, FIRST_BIT + 5 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_BATCH, 2, 3},
    {"negative element",   5, {{scores, 6}, -1, FIRST_BIT + 5 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_BATCH, 2, 3},
    {"other bit",          5, {{scores, 6}, 1, FIRST_BIT + 5 * STRIDE + 1, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_PHASE_WRONG, 71, 1},
    {"no immediate moved", 5, {{scores, 6}, 1, FIRST_BIT + 6 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_TARGET, 0x20, 1},
    {"no bundle",          5, {{scores, 6}, 1, FIRST_BIT + 7 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_TARGET, 1, 1},
    {"in an instruction",  5, {{scores, 6}, 1, FIRST_BIT + 9 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_TARGET, 0, 1},
    {"two low halves",     5, {{scores, 6}, 1, FIRST_BIT + 5 * STRIDE, DWN_DESC_OUTPUT, 0, true}, DWN_LINK_ALONE, 0, 1},
    {"overlap",            5, {{scores, 6}, 1, FIRST_BIT + 4 * STRIDE, DWN_DESC_OUTPUT, 1, true}, DWN_LINK_OVERLAP, FIRST_BIT + 4 * STRIDE, 1},
    {"no such kind",       1, {{NULL, 0}, 0, FIRST_BIT + STRIDE, 4, 1, true},         DWN_LINK_DESC, 4, 3},
    {"no such half",       1, {{NULL, 0}, 0, FIRST_BIT + STRIDE, DWN_DESC_PARAMETER, 2, true}, DWN_LINK_POSITION, 2, 1},
    // clang-format on
};

HOIST_TEST_TABLE(each_fault_is_found, faults)
{
    dwn_link links[HOLES];
    dwn_maker m = {0};
    memcpy(links, honest, sizeof(links));
    links[row->link] = row->changed;
    const dwn_chunk chunk = {dwn_test_stream(t, make_chunk(&m)), links, HOLES};
    dwn_places places = bound(t);
    dwn_link_faults found = {0};
    HOIST_EXPECT_EQ(t, dwn_link_check(&chunk, 1, &places, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, found.count, row->count);
    HOIST_EXPECT(t, found.count > 0 && found.items[0].code == row->code);
    if (found.count > 0) {
        char text[160];
        HOIST_EXPECT_EQ(t, found.items[0].found, row->found);
        HOIST_EXPECT(t, found.items[0].link == row->link || row->code == DWN_LINK_ALONE);
        dwn_link_fault_text(&found.items[0], text, sizeof(text));
        HOIST_EXPECT(t, strlen(text) > 10 && strchr(text, '#') == NULL);
    }
    dwn_places_deinit(&places);
}

HOIST_TEST(honest_links_have_no_fault)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = {dwn_test_stream(t, make_chunk(&m)), honest, HOLES};
    dwn_places places = bound(t);
    dwn_link_faults found = {0};
    HOIST_EXPECT_EQ(t, dwn_link_check(&chunk, 1, &places, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, found.count, 0);
    dwn_places_deinit(&places);
}

HOIST_TEST(what_was_linked_before_is_told)
{
    dwn_maker m = {0};
    const hoist_bytes bytes = make_chunk(&m);
    dwn_bits_store((hoist_mut_bytes){m.bytes, bytes.size}, FIRST_BIT, DWN_LINK_BITS, 0x10000000);
    const dwn_chunk chunk = {dwn_test_stream(t, bytes), honest, HOLES};
    dwn_places places = bound(t);
    dwn_link_faults found = {0};
    HOIST_EXPECT_EQ(t, dwn_link_check(&chunk, 1, &places, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, found.count, 1);
    HOIST_EXPECT(t, found.count == 1 && found.items[0].code == DWN_LINK_FILLED);
    HOIST_EXPECT(t, found.count == 1 && found.items[0].found == 0x10000000);
    dwn_places_deinit(&places);
}

// Halves may be in different chunks; what nothing links to comes last.
HOIST_TEST(links_are_checked_over_all_chunks)
{
    dwn_maker m = {0};
    const dwn_stream stream = dwn_test_stream(t, make_chunk(&m));
    const dwn_chunk chunks[] = {{stream, honest, 3}, {stream, honest + 3, 1}};
    dwn_places places = bound(t);
    dwn_link_faults found = {0};
    HOIST_EXPECT_EQ(t, dwn_link_check(chunks, 2, &places, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, found.count, 1);
    HOIST_EXPECT(t, found.count == 1 && found.items[0].code == DWN_LINK_UNUSED);
    HOIST_EXPECT(t, found.count == 1 && found.items[0].link == 2);
    HOIST_EXPECT_STR(t, hoist_str_from(dwn_link_fault_name(DWN_LINK_UNUSED)), "unused");
    dwn_places_deinit(&places);
}

HOIST_TEST(names_without_end_are_refused)
{
    static char name[1 << 20];
    const size_t count = DWN_MAX_NAMES / sizeof(name) + 1;
    dwn_link *links = hoist_arena_array(&t->arena, count, sizeof(*links));
    for (size_t i = 0; i < count; i++) {
        links[i] = (dwn_link){.name = {name, sizeof(name)}, .has_meta = true};
    }
    const dwn_chunk chunk = {.links = links, .link_count = count};
    dwn_places places = bound(t);
    dwn_link_faults found = {0};
    size_t counted = 0;
    HOIST_EXPECT_EQ(t, dwn_link_check(&chunk, 1, &places, &t->arena, &found), HOIST_LIMIT);
    HOIST_EXPECT(t, !dwn_links_count(&chunk, 1, &counted));
    dwn_places_deinit(&places);
}

static hoist_status check_starved(hoist_allocator alloc, const void *self)
{
    const dwn_chunk *chunk = self;
    dwn_link_faults found = {0};
    dwn_places places;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    hoist_status status = dwn_places_init(&places, items, HOIST_COUNT_OF(items), alloc);
    if (status == HOIST_OK) {
        status = dwn_link_check(chunk, 1, &places, &arena, &found);
    }
    dwn_places_deinit(&places);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = {dwn_test_stream(t, make_chunk(&m)), honest, HOLES};
    hoist_test_starve(t, check_starved, &chunk);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(holes_are_filled_and_emptied), HOIST_TEST_ROW(one_hole),
                HOIST_TEST_ROW(each_fault_is_found), HOIST_TEST_ROW(honest_links_have_no_fault),
                HOIST_TEST_ROW(what_was_linked_before_is_told),
                HOIST_TEST_ROW(links_are_checked_over_all_chunks),
                HOIST_TEST_ROW(names_without_end_are_refused), HOIST_TEST_ROW(memory_may_run_out))
