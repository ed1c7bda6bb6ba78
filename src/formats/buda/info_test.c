// The summary of a netlist as golden text, and its estimates.
#include <inttypes.h>

#include "base/buffer.h"
#include "formats/buda/buda.h"
#include "formats/buda/netlist_testing.h"
#include "formats/buda/resources.h"
#include "testing/trace.h"

// Renders events as one line each, a list of maps as one line per map; ~key is for people, #key for
// programs.
typedef struct plain_sink {
    hoist_buffer out;
    size_t depth;
} plain_sink;

static void plain_value(hoist_buffer *out, const hoist_tree_event *event)
{
    switch (event->kind) {
    case HOIST_TREE_STR:
        hoist_buffer_format(out, "'%.*s'", HOIST_STR_ARGS(event->str));
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "%" PRId64, event->integer);
        break;
    case HOIST_TREE_UINT:
        hoist_buffer_format(out, event->unit == HOIST_UNIT_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
                            event->uinteger);
        break;
    case HOIST_TREE_FLOAT:
        hoist_buffer_format(out, event->unit == HOIST_UNIT_PERCENT ? "%.3f%%" : "%.3f",
                            event->number);
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, event->boolean ? "true" : "false");
        break;
    default:
        hoist_buffer_c(out, "null");
        break;
    }
}

static hoist_status plain_event(void *self, const hoist_tree_event *event)
{
    plain_sink *sink = self;
    hoist_buffer *out = &sink->out;
    if (event->kind == HOIST_TREE_END) {
        sink->depth--;
        hoist_buffer_c(out, sink->depth == 0 ? "\n" : ")");
        return HOIST_OK;
    }
    static const char *const marks[] = {"", "~", "#"}; // by audience
    hoist_buffer_format(out, "%s%s%.*s%s", sink->depth == 0 ? "" : " ",
                        event->key.size ? marks[event->audience] : "", HOIST_STR_ARGS(event->key),
                        event->key.size ? "=" : "");
    if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        hoist_buffer_c(out, sink->depth == 0 ? "" : event->key.size ? "(" : "\n  (");
        sink->depth++;
    } else {
        plain_value(out, event);
        hoist_buffer_c(out, sink->depth == 0 ? "\n" : "");
    }
    return HOIST_OK;
}

static hoist_str info(hoist_test *t, hoist_bytes text, const hoist_check_options *options)
{
    const hoist_buda_module *module = buda_test_read(t, text);
    plain_sink plain = {.depth = 0};
    hoist_buffer_init(&plain.out, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &plain, .event = plain_event};
    HOIST_EXPECT_EQ(t, buda_info(&module->base, options, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, plain.depth, 0);
    const hoist_str shown = hoist_arena_str(&t->arena, hoist_buffer_text(&plain.out));
    hoist_buffer_deinit(&plain.out);
    buda_test_destroy(module);
    return shown;
}

static const char summary[] =
    "architecture= chosen='wormhole_b0' source='first listed' listed=( 'wormhole_b0' 'grayskull') "
    "descriptor='wormhole_b0_80_arch' worker_rows=10 worker_columns=8 "
    "worker_l1_bytes=1499136 dram_channels=6 dram_channel_size_bytes=2147483648 "
    "ethernet_channels=16\n"
    "contents= chips=2 queues=3 graphs=2 temporal_epochs=1 ops=3 fused_ops=1 programs=1\n"
    "memory= \n"
    "  ( chip=0 ~place='dram 0' #memory='dram' #channel=0 buffers=2 bytes=71104 "
    "used_percent=0.003% end_address=0x310011a0) \n"
    "  ( chip=0 ~place='dram 1' #memory='dram' #channel=1 buffers=1 bytes=4512 "
    "used_percent=0.000% end_address=0x310011a0) \n"
    "  ( chip=0 ~place='host 0' #memory='host' #channel=0 buffers=1 bytes=33312 "
    "used_percent=0.003% end_address=0x9220)\n"
    "queues= \n"
    "  ( name='in' type='queue' input='HOST' entries=4 ~shape='t1 128x64 Float16' "
    "~location='chip 0 dram 0' #shape=( 1 128 64) #df='Float16' #grid_size=( 1 1) #t=1 "
    "#mblock=( 2 1) #ublock=( 2 2) #ublock_order='r' #tile_dim=( 32 32) #layout='tilized' "
    "#chip=0 #memory='dram' #alias=null #buffers=( \n"
    "  ( #channel=0 #address=0x30000000)) #entry_bytes=16640 #buffer_bytes=66592 "
    "bytes=66592) \n"
    "  ( name='w' type='ram' input='HOST' entries=1 ~shape='t1 64x128 Bfp8_b' "
    "~location='chip 0 dram 0,1' #shape=( 1 64 128) #df='Bfp8_b' #grid_size=( 1 2) #t=1 "
    "#mblock=( 1 1) #ublock=( 2 2) #ublock_order='r' #tile_dim=( 32 32) #layout='tilized' "
    "#chip=0 #memory='dram' #alias=null #buffers=( \n"
    "  ( #channel=0 #address=0x31000000) \n"
    "  ( #channel=1 #address=0x31000000)) #entry_bytes=4480 #buffer_bytes=4512 bytes=9024) \n"
    "  ( name='out' type='queue' input='act' entries=4 ~shape='t1 64x64 Float16' "
    "~location='chip 0 host 0' #shape=( 1 64 64) #df='Float16' #grid_size=( 1 1) #t=1 "
    "#mblock=( 1 1) #ublock=( 2 2) #ublock_order='r' #tile_dim=( 32 32) #layout='tilized' "
    "#chip=0 #memory='host' #alias=null #buffers=( \n"
    "  ( #channel=0 #address=0x1000)) #entry_bytes=8320 #buffer_bytes=33312 bytes=33312)\n"
    "graphs= \n"
    "  ( name='fwd' chip=0 epoch=0 input_count=2 ops=2 cores=6 #grid_cores=80 "
    "grid_used_percent=7.500%) \n"
    "  ( name='side' chip=1 epoch=0 input_count=2 ops=1 cores=1 #grid_cores=80 "
    "grid_used_percent=1.250%)\n"
    "op_types= \n"
    "  ( type='nop' count=1) \n"
    "  ( type='matmul' count=1) \n"
    "  ( type='fused_op' count=1)\n"
    "fused_ops= \n"
    "  ( name='f0' inputs=2 intermediates=1 schedules=1 sub_ops=2)\n"
    "programs= \n"
    "  ( name='run' instructions=5 ~loops=1 ~executes=2 #instruction_kinds=( #var=0 "
    "#staticvar=0 #param=1 #loop=1 #endloop=1 #varinst=0 #execute=2 #allocate_queue=0 "
    "#deallocate_queue=0 #endprogram=0) params=( '$p_loops'))\n"
    "test_config= comparison='AllClose'\n";

static const char estimates[] =
    "resources_estimate= note='estimates; the compiler's placement of streams is not known' "
    "l1_room_per_core_bytes=1290176 limit_reads=8 limit_writes=8 limit_fork=16 "
    "overlay_blob_limit_bytes=65408 dram_reserved_up_to_address=0x67a0000 ops=( \n"
    "  ( op='mm' l1_bytes=85760 room_used_percent=6.647% reads=2 writes=0 fork=3 join=2 "
    "pipes=2) \n"
    "  ( op='act' l1_bytes=99840 room_used_percent=7.738% reads=0 writes=1 fork=1 join=2 "
    "pipes=3) \n"
    "  ( op='copy' l1_bytes=49920 room_used_percent=3.869% reads=0 writes=0 fork=0 join=1 "
    "pipes=1))\n";

HOIST_TEST(summary_of_a_netlist)
{
    HOIST_EXPECT_STR(t, info(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL), NULL),
                     summary);
    HOIST_EXPECT_RULE(t, "BUDA-003d");
}

HOIST_TEST(resources_follow_when_asked)
{
    const hoist_check_options options = {.resources = true};
    const hoist_str shown =
        info(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL), &options);
    HOIST_EXPECT(t, hoist_str_starts_with(shown, summary));
    HOIST_EXPECT_STR(t, hoist_str_slice(shown, sizeof(summary) - 1, shown.size), estimates);
}

// clang-format off
static const struct {
    const char *name;
    const char *find, *put;
    const char *shows;
} cases[] = {
    {"unknown shape",        "t: 1, mblock: [2, 1]", "t: 1, mblock: [0, 1]", "~shape='t1 ?x64 Float16'"},
    {"unknown shape, numbers", "t: 1, mblock: [2, 1]", "t: 1, mblock: [0, 1]", "#shape=( 1 null 64)"},
    {"unknown address",      "0x30000000", "-1", "#address=null"},
    {"eight channels",       "[[0, 0x31000000], [1, 0x31000000]]", "[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [1, 0], [6, 0], [7, 0]]", "dram 0,1,2,3,4,5,6,7'"},
    {"nine channels",        "[[0, 0x31000000], [1, 0x31000000]]", "[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [7, 0], [8, 0], [9, 0]]", "dram 0,1,2,3,4,5,6,7,...'"},
    {"unknown format",       "df: Float16, target_device: 0, loc: dram", "df: Float99, target_device: 0, loc: dram", "#df=null"},
    {"alias",                "type: ram", "alias: in, type: ram", "#alias='in'"},
    {"host buffers after each other", "target_device: 0, loc: host", "target_device: [0, 1], loc: host", "#address=0x9220"},
    {"no parameters",        "param: [$p_loops]", "var: [$p_loops]", "params=()"},
    {"no share of what is not known", "[wormhole_b0, grayskull]", "tpu", "#grid_cores=null grid_used_percent=null"},
    {"no fused ops, for programs", "fused_ops:", "other:", "#fused_ops="},
    {"unknown bytes",        "t: 1, mblock: [2, 1]", "t: 1, mblock: [0, 1]", "bytes=null"},
    {"size overflows",       "mblock: [2, 1]", "mblock: [4611686018427387904, 4]", "shape='t1 ?x256 Float16'"},
    {"grid unusable",        "grid_size: [2, 2], inputs: [in, w]", "grid_size: [0, 2], inputs: [in, w]", "cores=null"},
    {"grid overflows",       "grid_size: [2, 2], inputs: [in, w]",
     "grid_size: [9223372036854775807, 9223372036854775807], inputs: [in, w]", "cores=null"},
    {"unknown op type",      "type: nop", "type: conv", "type='unknown' count=1"},
    {"unknown architecture", "[wormhole_b0, grayskull]", "tpu", "chosen=null listed=( 'tpu')"},
    {"shared bytes once",    "[1, 0x31000000]", "[0, 0x31000000]", "#channel=0 buffers=3 bytes=71104"},
    {"no test-config",       "test-config", "test_config", "params=( '$p_loops'))\n"},
    {"tolerances",           "{type: AllClose}", "{type: Exact, atol: 0.01, rtol: 1e-3, check_pct: 1, check_pcc: x, overrides: {q: {}, r: {}}}",
     "test_config= comparison='Exact' atol=0.010 rtol=0.001 check_pct=1 check_pcc='x' comparison_overrides=2\n"},
    {"stimulus",             "  comparison-config: {type: AllClose}",
     "  stimulus-config: {type: Normal, normal_mean: 0, normal_stddev: 2, overrides: {q: {}}}\n  test-args: {a: 1, b: True}\n  io-config: {inputs: [in, w], outputs: [out]}",
     "test_config= stimulus='Normal' stimulus_values=( normal_mean=0 normal_stddev=2) stimulus_overrides=1 "
     "arguments=( a=1 b=true) inputs=( 'in' 'w') outputs=( 'out')\n"},
    {"performance",          "test-config:", "performance-check:\n  config-0: {graph-name: fwd, program-name: run, tensors-per-second: {expected: 10, rtol: 0.1}, "
     "target-ops: [mm], output-bw: {min_bound: 7}}\n  config-1: 7\ntest-config:",
     "performance_check= \n  ( name='config-0' program='run' graph='fwd' measure='tensors-per-second' expected=10 rtol=0.100) "
     "\n  ( name='config-0' program='run' graph='fwd' measure='output-bw' min_bound=7)\n"},
    {"sections of no maps",  "test-config:\n  comparison-config: {type: AllClose}", "test-config: [1]\nperformance-check: 7", "test_config=\nperformance_check=\n"},
    {"configs of no maps",   "{type: AllClose}", "Exact", "test_config=\n"},
};
// clang-format on

HOIST_TEST_TABLE(odd_netlists, cases)
{
    const hoist_str shown =
        info(t, buda_test_patched(t, buda_test_show_netlist, row->find, row->put), NULL);
    if (!hoist_str_contains(shown, row->shows)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no '%s' in\n%.*s", row->shows,
                        HOIST_STR_ARGS(shown));
    }
}

HOIST_TEST(failed_sink_ends_it)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL));
    const hoist_check_options options = {.resources = true};
    for (size_t n = 0; n < 100; n += 9) {
        size_t left = n;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        HOIST_EXPECT_EQ(t, buda_info(&module->base, &options, NULL, &sink), HOIST_IO);
    }
    buda_test_destroy(module);
}

static hoist_status info_with(hoist_allocator alloc, const void *module)
{
    hoist_buda_module copy = *(const hoist_buda_module *)module;
    copy.base.alloc = alloc;
    size_t left = SIZE_MAX;
    hoist_tree_sink sink = hoist_refusing_sink(&left);
    return buda_info(&copy.base, NULL, NULL, &sink);
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL));
    hoist_test_starve(t, info_with, module);
    buda_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(summary_of_a_netlist), HOIST_TEST_ROW(resources_follow_when_asked),
                HOIST_TEST_ROW(odd_netlists), HOIST_TEST_ROW(failed_sink_ends_it),
                HOIST_TEST_ROW(memory_may_run_out))
