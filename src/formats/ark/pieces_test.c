// Into which pieces views cut a memory, and which dimensions are left out because all views have
// them. Bytes of random views: flow_test.c.
#include <inttypes.h>

#include "base/buffer.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/pieces.h"
#include "formats/ark/sketch_testing.h"

// Of buffer 0: ranges "begin-end:piece", then "x count/stride" for each dimension that is left out,
// then the pieces of each tensor in it.
static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} cuts[] = {
    {"one view", "Relu 0=0:2x3 > 1=1:2x3 > 2=1:2x3", "0-24:0 | 0:0"},
    {"one view of rows", "Relu 0=0:4x1/4x3+0,1 > 1=1:4x1 > 2=1:4x1", "4-8:0 x 4/12 | 0:0"},
    {"one view of rows and planes", "Relu 0=0:2x2x1/2x3x4 > 1=1:2x2x1 > 2=1:2x2x1",
     "0-4:0 x 2/48 x 2/16 | 0:0"},
    {"the same view twice", "Add 0=0:2x3 3=0:6 > 1=1:2x3 > 2=1:2x3", "0-24:0 | 0:0 3:0"},
    {"halves", "Add 0=0:2/4 3=0:2/4+2 > 1=1:2 > 2=1:2", "0-8:0 8-16:1 | 0:0 3:1"},
    {"overlapping ranges", "Add 0=0:3/4 3=0:3/4+1 > 1=1:3 > 2=1:3",
     "0-4:0 4-12:1 12-16:2 | 0:0,1 3:1,2"},
    {"all and a part", "Add 0=0:4 3=0:2/4+1 > 1=1:4 > 2=1:4", "0-4:0 4-12:1 12-16:0 | 0:0,1 3:1"},
    {"columns of all rows",
     "Add 0=0:1000000x1/1000000x4+0,1 3=0:1000000x2/1000000x4+0,2 > 1=1:4 > 2=1:4",
     "4-8:0 8-16:1 x 1000000/16 | 0:0 3:1"},
    {"a column and all", "Add 0=0:1000000x1/1000000x4+0,1 3=0:1000000x4 > 1=1:4 > 2=1:4",
     "0-4:0 4-8:1 8-16:0 x 1000000/16 | 0:1 3:0,1"},
    {"a plane of columns and all", "Add 0=0:9x9x1/9x9x2 3=0:9x9x2 > 1=1:4 > 2=1:4",
     "0-4:0 4-8:1 x 81/8 | 0:0 3:0,1"},
    {"blocks in planes", "Add 0=0:5x2x1/5x4x2 3=0:5x2x1/5x4x2+0,2,1 > 1=1:4 > 2=1:4",
     "0-4:0 8-12:0 20-24:1 28-32:1 x 5/32 | 0:0 3:1"},
    {"fewer rows", "Add 0=0:2x1/3x2 3=0:3x1/3x2 > 1=1:4 > 2=1:4",
     "0-4:0 8-12:0 16-20:1 | 0:0 3:0,1"},
    {"a row that wraps", "Add 0=0:2x3/2x4 3=0:2x2/2x4+0,2 > 1=1:4 > 2=1:4",
     "0-8:0 8-12:1 12-16:2 x 2/16 | 0:0,1 3:1,2"},
    {"rows that begin later", "Add 0=0:2x1/4x2 3=0:2x1/4x2+1,0 > 1=1:4 > 2=1:4",
     "0-4:0 8-12:1 16-20:2 | 0:0,1 3:1,2"},
    {"results count", "Relu 9=9:4 > 8=9:4 > 0=0:4\nRelu 9 > 7=9:4 > 3=0:2/4",
     "0-8:1 8-16:2 | 0:1,2 3:1"},
    {"tensors that nothing touches do not", "Tensor - > - > 0=0:4\nRelu 3=0:1x4 > 1=1:4 > 2=1:4",
     "0-16:0 | 0: 3:0"},
};

static void add_memory(hoist_buffer *out, const ark_piece_memory *memory)
{
    for (uint32_t i = 0; i < memory->range_count; i++) {
        hoist_buffer_format(out, "%" PRIu64 "-%" PRIu64 ":%" PRIu32 " ", memory->ranges[i].begin,
                            memory->ranges[i].end, memory->ranges[i].piece);
    }
    for (int i = 0; i < memory->rank; i++) {
        hoist_buffer_format(out, "x %" PRIu64 "/%" PRIu64 " ", memory->count[i], memory->stride[i]);
    }
}

HOIST_TEST_TABLE(views_cut_memory, cuts)
{
    ark_test_file file;
    ark_effects effects;
    ark_pieces pieces;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, ark_test_open(ark_sketch(t, row->sketch), hoist_allocator_system(), NULL, &file),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_effects_find(&file.graph, &file.arena, &effects), HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_pieces_find(&file.graph, &effects, &file.arena, &pieces), HOIST_OK);
    uint32_t memory = 0;
    while (memory < file.graph.memory_count && file.graph.memories[memory].id != 0) {
        memory++;
    }
    add_memory(&out, &pieces.memories[memory]);
    hoist_buffer_c(&out, "|");
    for (uint32_t i = 0; i < file.graph.value_count; i++) {
        if (file.graph.values[i].memory == memory) {
            hoist_buffer_format(&out, " %" PRId64 ":", file.graph.values[i].id);
            for (uint32_t k = 0; k < pieces.of[i].count; k++) {
                hoist_buffer_format(&out, "%s%" PRIu32, k ? "," : "", pieces.of[i].items[k]);
            }
        }
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->wanted);
    hoist_buffer_deinit(&out);
    ark_test_close(&file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(views_cut_memory))
