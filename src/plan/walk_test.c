// Where views lie, and which of their parts share bytes.
#include <string.h>

#include "plan/walk.h"
#include "program/builder.h"
#include "testing/test.h"

// A view of a buffer of 4,096 bytes; a window of it begins at byte 1,024.
typedef struct view {
    hoist_ref of; // 0: the buffer, 1: its window, 2: another buffer
    int64_t offset;
    hoist_shape shape;
    int64_t stride[HOIST_MAX_RANK];
} view;

// `refs`: of the views, of which equal ones are one.
static hoist_program *program_of(hoist_test *t, const view *views, size_t count, hoist_ref *refs)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    for (uint32_t i = 0; i < 3; i++) {
        (void)hoist_builder_buffer(b, &(hoist_prog_buffer){.size = i == 1 ? 1024 : 4096,
                                                           .window_of = i == 1 ? 0 : HOIST_NO_REF,
                                                           .window_offset = i == 1 ? 1024 : 0});
    }
    for (size_t i = 0; i < count; i++) {
        hoist_prog_layout layout = {.shape = views[i].shape};
        memcpy(layout.stride, views[i].stride, sizeof layout.stride);
        refs[i] =
            hoist_builder_view(b, &(hoist_prog_view){.of = views[i].of,
                                                     .dtype = HOIST_DTYPE_F32,
                                                     .layout = hoist_builder_layout(b, &layout),
                                                     .offset = views[i].offset,
                                                     .reg = HOIST_NO_REF});
    }
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

// clang-format off
static const struct {
    const char *name;
    view view;
    int rank;
    int64_t low, high;
    int lead;       // of parts
    int64_t part[2]; // bytes that the part at index 0 spans
    uint64_t bytes; // of its values
} walks[] = {
    {"a number",              {0, 8, {0}, {0}},                       0, 8, 12,      0, {8, 12},      4},
    {"a line",                {0, 4, {1, {5}}, {4}},                  1, 4, 24,      1, {4, 8},       4},
    {"all of it",             {0, 4, {1, {5}}, {4}},                  1, 4, 24,      0, {4, 24},      20},
    {"of a window",           {1, 4, {1, {5}}, {4}},                  1, 1028, 1048, 1, {1028, 1032}, 4},
    {"backwards",             {0, 16, {1, {5}}, {-4}},                1, 0, 20,      0, {0, 20},      20},
    {"ones are left out",     {0, 0, {4, {1, 3, 1, 2}}, {9, 8, 9, 4}}, 2, 0, 24,     1, {0, 8},       8},
    {"gaps",                  {0, 0, {2, {3, 2}}, {32, 4}},           2, 0, 72,      1, {0, 8},       8},
    {"one for all",           {0, 0, {2, {3, 2}}, {4, 0}},            2, 0, 12,      1, {0, 4},       8},
};
// clang-format on

HOIST_TEST_TABLE(walk_of_a_view, walks)
{
    hoist_ref ref = HOIST_NO_REF;
    hoist_program *program = program_of(t, &row->view, 1, &ref);
    hoist_walk walk;
    HOIST_EXPECT(t, hoist_walk_init(program, ref, true, &walk));
    HOIST_EXPECT_EQ(t, walk.root, 0);
    HOIST_EXPECT_EQ(t, walk.rank, row->rank);
    HOIST_EXPECT_EQ(t, walk.low, row->low);
    HOIST_EXPECT_EQ(t, walk.high, row->high);
    HOIST_EXPECT(t, walk.written);
    const hoist_walk_part part = hoist_walk_part_of(&walk, row->lead);
    HOIST_EXPECT_EQ(t, part.low, row->part[0]);
    HOIST_EXPECT_EQ(t, part.high, row->part[1]);
    HOIST_EXPECT_EQ(t, hoist_walk_part_bytes(&walk, row->lead), row->bytes);
    hoist_program_destroy(program);
}

HOIST_TEST(walk_of_no_elements)
{
    hoist_ref ref = HOIST_NO_REF;
    hoist_program *program = program_of(t, &(view){0, 0, {2, {3, 0}}, {4, 4}}, 1, &ref);
    hoist_walk walk;
    HOIST_EXPECT(t, !hoist_walk_init(program, ref, true, &walk));
    hoist_program_destroy(program);
}

HOIST_TEST(walk_lead_counts_no_ones)
{
    hoist_ref ref = HOIST_NO_REF;
    hoist_program *program = program_of(t, &(view){0, 0, {4, {1, 3, 1, 2}}, {9, 8, 9, 4}}, 1, &ref);
    static const int leads[] = {0, 0, 1, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        HOIST_EXPECT_EQ(t, hoist_walk_lead(program, ref, i), leads[i]);
    }
    hoist_program_destroy(program);
}

// clang-format off
#define LINE(at, count, pace) {0, at, {1, {count}}, {pace}}
#define ROWS(at, pitch) {0, at, {2, {3, 2}}, {pitch, 4}}
static const struct {
    const char *name;
    view a, b;
    int lead;
    bool apart;
} pairs[] = {
    {"the same",                     LINE(0, 5, 4),   LINE(0, 5, 4),   1, true},
    {"other buffers",                LINE(0, 5, 4),   {2, 4, {1, {5}}, {4}}, 1, true},
    {"one behind the other",         LINE(0, 5, 4),   LINE(20, 5, 4),  1, true},
    {"one byte in common",           LINE(0, 5, 4),   LINE(19, 5, 4),  1, false},
    {"an element further",           LINE(0, 5, 4),   LINE(4, 5, 4),   1, false},
    {"within the stride",            LINE(0, 5, 8),   LINE(4, 5, 8),   1, true},
    {"beyond the stride",            LINE(0, 5, 8),   LINE(5, 5, 8),   1, false},
    {"another stride",               LINE(0, 5, 4),   LINE(0, 5, 8),   1, false},
    {"one for all",                  LINE(0, 5, 4),   LINE(0, 5, 0),   1, false},
    {"all write one",                LINE(0, 5, 0),   LINE(0, 5, 0),   1, false},
    {"elements that overlap",        LINE(0, 5, 3),   LINE(0, 5, 3),   1, false},
    {"both backwards",               LINE(16, 5, -4), LINE(16, 5, -4), 1, true},
    {"against each other",           LINE(16, 5, -4), LINE(0, 5, 4),   1, false},
    {"windows of one memory",        LINE(1024, 5, 4), {1, 0, {1, {5}}, {4}}, 1, true},
    {"a window, moved",              LINE(1024, 5, 4), {1, 4, {1, {5}}, {4}}, 1, false},
    {"rows",                         ROWS(0, 8),      ROWS(0, 8),      2, true},
    {"moved in rows",                ROWS(0, 16),     ROWS(4, 16),     2, false},
    {"moved in rows that are parts", ROWS(0, 16),     ROWS(4, 16),     1, true},
    {"moved out of the row",         ROWS(0, 16),     ROWS(12, 16),    1, false},
    {"the row's end",                ROWS(0, 16),     ROWS(8, 16),     1, true},
    {"rows and their sums",          ROWS(0, 8),      {0, 4, {2, {3, 1}}, {8, 4}}, 1, true},
    {"rows that are one",            ROWS(0, 0),      ROWS(0, 0),      1, false},
    {"all is one part",              ROWS(0, 8),      ROWS(4, 8),      0, true},
};
// clang-format on

HOIST_TEST_TABLE(parts_are_apart, pairs)
{
    const view views[] = {row->a, row->b};
    hoist_ref refs[2];
    hoist_program *program = program_of(t, views, 2, refs);
    hoist_walk a;
    hoist_walk b;
    HOIST_EXPECT(t, hoist_walk_init(program, refs[0], true, &a));
    HOIST_EXPECT(t, hoist_walk_init(program, refs[1], false, &b));
    HOIST_EXPECT_EQ(t, hoist_walks_apart(&a, &b, row->lead), row->apart);
    HOIST_EXPECT_EQ(t, hoist_walks_apart(&b, &a, row->lead), row->apart);
    hoist_program_destroy(program);
}

// As many dimensions as there may be, some of them backwards: the last one is no other than the
// rest.
HOIST_TEST(parts_of_all_dimensions)
{
    hoist_walk walk = {.offset = 1000, .size = 4, .rank = HOIST_MAX_RANK};
    for (int i = 0; i < HOIST_MAX_RANK; i++) {
        walk.count[i] = 3;
        walk.stride[i] = i % 2 ? -10 : 100;
    }
    for (int lead = 0; lead <= HOIST_MAX_RANK; lead++) {
        const int even = (HOIST_MAX_RANK + 1) / 2 - (lead + 1) / 2;
        const int odd = HOIST_MAX_RANK - lead - even;
        const hoist_walk_part part = hoist_walk_part_of(&walk, lead);
        uint64_t bytes = 4;
        for (int i = lead; i < HOIST_MAX_RANK; i++) {
            bytes *= 3;
        }
        HOIST_EXPECT_EQ(t, part.low, 1000 - 20 * odd);
        HOIST_EXPECT_EQ(t, part.high, 1004 + 200 * even);
        HOIST_EXPECT(t, hoist_walk_part_bytes(&walk, lead) == bytes);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(walk_of_a_view), HOIST_TEST_ROW(walk_of_no_elements),
                HOIST_TEST_ROW(walk_lead_counts_no_ones), HOIST_TEST_ROW(parts_are_apart),
                HOIST_TEST_ROW(parts_of_all_dimensions))
