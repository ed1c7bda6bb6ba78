// Recovered layers in the summary, and the work that they are.
#include <string.h>

#include "base/tree.h"
#include "codec/json_writer.h"
#include "formats/darwinn/info.h"
#include "formats/darwinn/recover_testing.h"
#include "testing/trace.h"

// clang-format off
static const struct {
    const char *name;
    dwn_layer_kind kind;
    uint64_t weights;
    dwn_extent output;
    bool is_known;
    uint64_t macs;
} works[] = {
    {"convolution",   DWN_KIND_CONVOLUTION,   54,        {4, 5, 2},           true,  1080},
    {"depthwise",     DWN_KIND_DEPTHWISE,     18,        {8, 8, 2},           true,  1152},
    {"dense",         DWN_KIND_DENSE,         640,       {1, 1, 10},          true,  640},
    {"pool",          DWN_KIND_AVERAGE_POOL,  0,         {2, 2, 8},           false, 0},
    {"concatenation", DWN_KIND_CONCATENATION, 16,        {1, 1, 4},           false, 0},
    {"unknown",       DWN_KIND_UNKNOWN,       16,        {1, 1, 4},           false, 0},
    {"too many",      DWN_KIND_CONVOLUTION,   1ULL << 40, {1 << 20, 1 << 20, 1}, false, 0},
};
// clang-format on

HOIST_TEST_TABLE(multiply_accumulates, works)
{
    const dwn_recovered layer = {
        .kind = row->kind, .weight_count = row->weights, .output = row->output};
    uint64_t macs = 1;
    HOIST_EXPECT_EQ(t, dwn_layer_macs(&layer, &macs), row->is_known);
    HOIST_EXPECT_EQ(t, macs, row->macs);
}

// A dense layer of 4 rows, and an unknown operation.
static void make_model(hoist_test *t, dwn_maker *m, dwn_model *model)
{
    static const dwn_sketch dense = {
        .reduction = 2, .input_zero = 3, .output_zero = 5, .a = {{2, 1}}};
    static const dwn_sketch unknown = {.mode = 0x1000, .input_zero = 5};
    enum { BLOB = 192 };
    uint8_t *blob = hoist_arena_alloc(&t->arena, BLOB);
    memset(blob, 1, BLOB);
    dwn_make_begin(m);
    dwn_make_operation(m, &dense);
    dwn_make_supply(m, false, 0);
    dwn_make_operation(m, &unknown);
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){1, 1, 8}, 3);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){1, 1, 1}, 0);
    dwn_test_model(t, model, dwn_make_end(m, false), (hoist_bytes){blob, BLOB});
    dwn_maker runs = {.next_id = 0};
    dwn_make_begin(&runs);
    dwn_make_run(&runs, 0);
    dwn_test_runs(t, model, dwn_make_end(&runs, false));
}

HOIST_TEST(layers_are_summed_up)
{
    static const char expected[] =
        "{\"recovered\":{\"layers\":2,\"parameter_bytes\":128,\"multiply_accumulates\":32,"
        "\"element_type\":\"uint8\",\"complete\":false,\"gaps\":3},"
        "\"on_chip\":[{\"kind\":\"unknown\",\"layers\":1,\"parameter_bytes\":0,"
        "\"multiply_accumulates\":0},{\"kind\":\"dense\",\"layers\":1,\"parameter_bytes\":128,"
        "\"multiply_accumulates\":32}],"
        "\"layers\":[{\"layer\":0,\"kind\":\"dense\",\"input\":[1,1,8],\"output\":[1,1,4],";
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    hoist_buffer out;
    hoist_json_writer writer;
    make_model(t, &m, &model);
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    HOIST_EXPECT_EQ(t, dwn_send_recovered(&model.contents, hoist_allocator_system(), &sink),
                    HOIST_OK);
    hoist_tree_end(&sink);
    const hoist_str text = hoist_buffer_text(&out);
    const hoist_str head = {text.data,
                            text.size < sizeof(expected) ? text.size : sizeof(expected) - 1};
    HOIST_EXPECT_STR(t, head, expected);
    HOIST_EXPECT(t,
                 hoist_str_contains(text, "\"parameter_bytes\":0,\"multiply_accumulates\":null}"));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(nothing_without_a_program)
{
    const dwn_contents empty = {0};
    size_t left = 0;
    hoist_tree_sink sink = hoist_refusing_sink(&left);
    HOIST_EXPECT_EQ(t, dwn_send_recovered(&empty, hoist_allocator_system(), &sink), HOIST_OK);
}

static hoist_status send(hoist_allocator alloc, const void *self)
{
    const dwn_model *model = self;
    hoist_tree_sink sink = hoist_dropping_tree();
    return dwn_send_recovered(&model->contents, alloc, &sink);
}

HOIST_TEST(memory_runs_out)
{
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    make_model(t, &m, &model);
    hoist_test_starve(t, send, &model);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(multiply_accumulates), HOIST_TEST_ROW(layers_are_summed_up),
                HOIST_TEST_ROW(nothing_without_a_program), HOIST_TEST_ROW(memory_runs_out))
