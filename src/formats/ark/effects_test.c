// The effects of each kind of operator, on local memory only.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/effects.h"
#include "formats/ark/sketch_testing.h"

// Of the last operator: r ead, w rite, f ill, p ass, with tensor and operand; after '>' the
// result.
static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} effects[] = {
    {"compute", "Add 0=0:4 1=1:4 > 2=2:4 > 3=2:4", "r0/0 r1/1 w2/0 > 3"},
    {"no input", "ScalarAssign - > 2=2:4 > 3=2:4", "w2/0 > 3"},
    {"a tensor twice", "Add 0=0:4 0 > 0 > 3=0:4", "r0/0 r0/1 w0/0 > 3"},
    {"virtual", "Tensor 0=0:4 > - > 1=0:2x2", ">"},
    {"Reshape", "Reshape 0=0:4 > - > 1=0:2x2", ">"},
    {"Placeholder", "Placeholder - > - > 1=0!:2x2", ">"},
    {"Noop", "Noop 0=0:4 > - > -", ">"},
    {"unknown", "Dropout 0=0:4 > 1=1:4 > 2=1:4", ">"},
    {"too many tensors", "Relu 0=0:4 0 > 1=1:4 > 2=1:4", ">"},
    {"Send", "Send 0=0:4 > 1=1@1:4 > 2=1@1:4", "r0/0 >"},
    {"Send to memory of its own", "Send 0=0:4 > 1=1:4 > 2=1:4", "r0/0 w1/0 > 2"},
    {"SendDone", "SendDone 0=0:4 > - > 1=0:4", ">"},
    {"Recv", "Recv 0=0@1:4 > 1=1:4 > 2=1:4", "w1/0 > 2"},
    {"Recv from memory of its own", "Recv 0=0:4 > 1=1:4 > 2=1:4", "w1/0 > 2"},
    {"SendPacket", "SendPacket 0=0:4 > 1=1@1:u32 > 2=1@1:u32", "r0/0 >"},
    {"RecvPacket", "RecvPacket 0=0@1:u32 1=1:u32 > 2=2:4 > 3=2:4", "f1/1 w2/0 > 3"},
    {"RecvReduceSend", "RecvReduceSend 0=0:4 1=1:4 > 2=2:4 3=3@1:4 4=4@2:4 > 5=2:4",
     "r0/0 f1/1 w2/0 > 5"},
    {"RecvReduceSendPacket", "RecvReduceSendPacket 0=0:4 1=1:u32 > 2=2:4 3=3@1:u32 > 5=2:4",
     "r0/0 f1/1 w2/0 > 5"},
    {"DeviceSync", "DeviceSync 0=0:4 > 1=0:4 > 2=0:4", "p0/0 > 2"},
    {"of several, the last", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 2 > 3=3:4 > 4=3:4", "r2/0 w3/0 > 4"},
};

HOIST_TEST_TABLE(each_type_has_its_effects, effects)
{
    static const char letters[] = "-rwfp";
    ark_test_file file;
    ark_effects found;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, ark_test_open(ark_sketch(t, row->sketch), hoist_allocator_system(), NULL, &file),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_effects_find(&file.graph, &file.arena, &found), HOIST_OK);
    const uint32_t last = file.graph.step_count - 1;
    for (uint32_t i = found.first[last]; i < found.first[last + 1]; i++) {
        const ark_effect *const e = &found.items[i];
        hoist_buffer_format(&out, "%c%" PRId64 "/%" PRIu32 " ", letters[e->kind],
                            file.graph.values[e->value].id, e->operand);
    }
    hoist_buffer_c(&out, ">");
    if (found.results[last] != ARK_NONE) {
        hoist_buffer_format(&out, " %" PRId64, file.graph.values[found.results[last]].id);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->wanted);
    hoist_buffer_deinit(&out);
    ark_test_close(&file);
}

// Every other type computes.
HOIST_TEST(types_without_memory)
{
    static const ark_op_type none[] = {ARK_DEVICE_SYNC, ARK_NOOP,   ARK_PLACEHOLDER, ARK_RESHAPE,
                                       ARK_SEND_DONE,   ARK_TENSOR, ARK_OP_UNKNOWN};
    for (int type = ARK_OP_UNKNOWN; type < ARK_OP_TYPE_COUNT; type++) {
        bool touches = true;
        for (size_t i = 0; i < HOIST_COUNT_OF(none); i++) {
            touches = touches && (int)none[i] != type;
        }
        hoist_test_row(t, type < 0 ? "unknown" : hoist_rec_word_name(&ark_op_types, type));
        HOIST_EXPECT_EQ(t, ark_touches_memory((ark_op_type)type), touches);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_type_has_its_effects), HOIST_TEST_ROW(types_without_memory))
