// Boxes of the tiles of a plan: as few as their order allows, cut off at the result, none twice.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "lower/ark/state.h"
#include "testing/test.h"

#define GRID(a, b, c, d)                                                                           \
    {                                                                                              \
        a, b, c, d                                                                                 \
    }

// clang-format off
static const struct {
    const char *name;
    int64_t extent[ARK_LOWER_AXES], padded[ARK_LOWER_AXES], tile[ARK_LOWER_AXES];
    int64_t begin, end; // tasks; end 0: all
    const char *boxes;  // "0+4" of each axis that has more than one element
} cases[] = {
    {"all is one box",         GRID(2, 3, 4, 5), GRID(2, 3, 4, 5), GRID(1, 1, 2, 2), 0, 0, "0+2 0+3 0+4 0+5"},
    {"one tile",               GRID(2, 3, 4, 4), GRID(2, 3, 4, 4), GRID(1, 1, 2, 2), 7, 8, "0+1 1+1 2+2 2+2"},
    {"the last, cut off",      GRID(1, 1, 3, 5), GRID(1, 1, 3, 5), GRID(1, 1, 2, 2), 5, 6, "2+1 4+1"},
    {"a part of a row",        GRID(1, 1, 4, 8), GRID(1, 1, 4, 8), GRID(1, 1, 2, 2), 1, 3, "0+2 2+4"},
    {"rows",                   GRID(1, 1, 8, 4), GRID(1, 1, 8, 4), GRID(1, 1, 2, 2), 2, 6, "2+4 0+4"},
    {"a part, rows, a part",   GRID(1, 1, 8, 6), GRID(1, 1, 8, 6), GRID(1, 1, 2, 2), 2, 10, "0+2 4+2; 2+4 0+6; 6+2 0+2"},
    {"over all axes",          GRID(2, 2, 2, 2), GRID(2, 2, 2, 2), GRID(1, 1, 1, 1), 1, 15,
     "0+1 0+1 0+1 1+1; 0+1 0+1 1+1 0+2; 0+1 1+1 0+2 0+2; 1+1 0+1 0+2 0+2; 1+1 1+1 0+1 0+2; 1+1 1+1 1+1 0+1"},
    {"axes of one tile",       GRID(4, 1, 1, 3), GRID(4, 1, 1, 3), GRID(1, 1, 1, 3), 1, 3, "1+2 0+3"},
    {"a tile beyond all",      GRID(1, 1, 2, 2), GRID(1, 1, 2, 2), GRID(1, 1, 64, 64), 0, 1, "0+2 0+2"},
    {"padding has no result",  GRID(1, 1, 3, 3), GRID(1, 1, 8, 8), GRID(1, 1, 4, 4), 0, 0, "0+3 0+3"},
    {"a tile of padding",      GRID(1, 1, 3, 3), GRID(1, 1, 8, 8), GRID(1, 1, 4, 4), 1, 2, ""},
    {"between tiles of padding", GRID(1, 1, 8, 3), GRID(1, 1, 8, 8), GRID(1, 1, 4, 4), 1, 3, "4+4 0+3"},
    {"the largest tile",       GRID(1, 1, 2, 3), GRID(1, 1, 2, 3), GRID(1, 1, 1, INT64_MAX), 1, 2, "1+1 0+3"},
};
// clang-format on

static void write_box(hoist_buffer *out, const ark_lower_work *work, const ark_lower_box *box)
{
    const char *between = out->size ? "; " : "";
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        if (work->extent[i] > 1) {
            hoist_buffer_format(out, "%s%" PRId64 "+%" PRId64, between, box->begin[i],
                                box->count[i]);
            between = " ";
        }
    }
}

HOIST_TEST_TABLE(tiles_are_boxes, cases)
{
    ark_lower_work work = {.inputs = 1};
    hoist_buffer out;
    ark_lower_box box;
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        work.extent[i] = row->extent[i];
        work.padded[i] = row->padded[i];
        work.tile[i] = row->tile[i];
    }
    ark_lower_tiles tiles = ark_lower_tiles_of(&work);
    hoist_buffer_init(&out, hoist_allocator_system());
    tiles.at = row->begin;
    tiles.end = row->end ? row->end : tiles.total;
    while (ark_lower_next_box(&tiles, &box)) {
        write_box(&out, &work, &box);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->boxes);
    hoist_buffer_deinit(&out);
}

// Every range of tasks of a grid: each element of its tiles in exactly one box.
HOIST_TEST(no_element_is_left_out_or_done_twice)
{
    static const ark_lower_work work = {
        .extent = GRID(2, 3, 3, 5), .padded = GRID(2, 3, 4, 6), .tile = GRID(1, 1, 2, 2)};
    const ark_lower_tiles all = ark_lower_tiles_of(&work);
    HOIST_EXPECT_EQ(t, all.total, 36);
    for (int64_t begin = 0; begin < all.total; begin++) {
        for (int64_t end = begin + 1; end <= all.total; end++) {
            uint8_t done[2][3][3][5] = {0};
            ark_lower_tiles tiles = all;
            ark_lower_box box;
            uint32_t boxes = 0;
            tiles.at = begin;
            tiles.end = end;
            for (; ark_lower_next_box(&tiles, &box); boxes++) {
                for (int64_t e = 0; e < box.count[0] * box.count[1] * box.count[2] * box.count[3];
                     e++) {
                    const int64_t w = box.begin[3] + e % box.count[3];
                    const int64_t h = box.begin[2] + e / box.count[3] % box.count[2];
                    const int64_t c =
                        box.begin[1] + e / (box.count[3] * box.count[2]) % box.count[1];
                    const int64_t n =
                        box.begin[0] + e / (box.count[3] * box.count[2] * box.count[1]);
                    done[n][c][h][w]++;
                }
            }
            HOIST_EXPECT(t, boxes <= 7);
            for (int64_t e = 0; e < 90; e++) {
                const int64_t w = e % 5;
                const int64_t h = e / 5 % 3;
                const int64_t task = ((e / 15 * 2) + h / 2) * 3 + w / 2;
                HOIST_EXPECT_EQ(t, (&done[0][0][0][0])[e], task >= begin && task < end);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tiles_are_boxes),
                HOIST_TEST_ROW(no_element_is_left_out_or_done_twice))
