// The visitor: the events of small netlists as text (testing/trace.h).
#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/buda/netlist_testing.h"
#include "testing/trace.h"

static const char base[] = "devices: {arch: grayskull}\n"
                           "queues:\n"
                           "  q: {t: 1, entries: 2, dram: [[1, 16]], loc: dram}\n"
                           "programs:\n"
                           "- p:\n"
                           "  - endloop\n";

// The events of `base` with one place changed.
static hoist_str events_of(hoist_test *t, const char *find, const char *put, bool positions)
{
    const hoist_buda_module *const module =
        buda_test_read(t, buda_test_patched(t, base, find, put));
    const hoist_dump_options options = {.positions = positions};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&out);
    HOIST_EXPECT_EQ(t, hoist_buda_format.visit(&module->base, &options, &sink), HOIST_OK);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    buda_test_destroy(module);
    return text;
}

HOIST_TEST(sends_the_file)
{
    HOIST_EXPECT_STR(t, events_of(t, NULL, NULL, false),
                     "map\n"
                     "devices: map\narch: str 9 grayskull\nend\n"
                     "queues: map\nq: map\n"
                     "entries: int 2\nt: int 1\nloc: str 4 dram\n"
                     "dram: list\nlist\nint 1\nuint 16\nend\nend\n"
                     "end\nend\n"
                     "programs: list\nmap\np: list\nstr 7 endloop\nend\nend\nend\n"
                     "end\n");
}

HOIST_TEST(sends_places)
{
    HOIST_EXPECT_STR(t, events_of(t, NULL, NULL, true),
                     "map\n"
                     "devices: map @1:1\narch: str 9 grayskull @1:17\nend\n"
                     "queues: map @2:1\nq: map @3:3\n"
                     "entries: int 2 @3:22\nt: int 1 @3:10\nloc: str 4 dram @3:47\n"
                     "dram: list @3:31\nlist @3:32\nint 1 @3:33\nuint 16 @3:36\nend\nend\n"
                     "end\nend\n"
                     "programs: list @4:1\nmap\np: list @5:3\nstr 7 endloop @6:5\nend\nend\nend\n"
                     "end\n");
}

// clang-format off
static const struct {
    const char *name;
    const char *find;
    const char *put;
    const char *want; // occurs in the events
} parts[] = {
    {"unknown queue key", "t: 1", "t: 1, k: 5", "extra: map\nk: int 5\nend\nend\n"},
    {"unknown section", "programs:", "other: [a, 1]\nprograms:",
     "extra: map\nother: list\nstr 1 a\nint 1\nend\nend\nend\n"},
    {"integer and text in a tree", "programs:", "other: {a: 0x10, b: '0x10'}\nprograms:",
     "a: int 16\nb: str 4 0x10\n"},
    {"number and null in a tree", "programs:", "other: {a: 1.5, b: }\nprograms:",
     "a: float 1.5\nb: null\n"},
    {"booleans in a tree", "programs:", "other: {a: True, b: false, c: yes}\nprograms:",
     "a: true\nb: false\nc: str 3 yes\n"},
    {"test-config", "programs:", "test-config: {x: {y: 1}}\nprograms:",
     "test-config: map\nx: map\ny: int 1\nend\nend\n"},
    {"performance-check", "programs:", "performance-check: {c: 1}\nprograms:",
     "performance-check: map\nc: int 1\nend\n"},
    {"device list", "t: 1", "target_device: [3, 4]", "target_device: list\nint 3\nint 4\nend\n"},
    {"one device", "t: 1", "target_device: 3", "target_device: int 3\n"},
    {"arch list", "grayskull", "[wormhole, blackhole]",
     "arch: list\nstr 8 wormhole\nstr 9 blackhole\nend\n"},
    {"pair", "t: 1", "mblock: [2, 3]", "mblock: list\nint 2\nint 3\nend\n"},
    {"words", "t: 1", "ublock_order: c", "ublock_order: str 1 c\n"},
    {"unknown word", "loc: dram", "loc: l1", "loc: str 2 l1\n"},
    {"bare host address", "t: 1", "host: [32]", "host: list\nuint 32\nend\n"},
    {"TMs", "t: 1",
     "input_tms: [transpose, hslice: 4, broadcast: {z: 2}, pad: [1, 2, 0.5], tile_broadcast: r]",
     "input_tms: list\nstr 9 transpose\nmap\nhslice: int 4\nend\nmap\nbroadcast: map\nz: int 2\n"
     "end\nend\n"
     "map\npad: list\nint 1\nint 2\nfloat 0.5\nend\nend\nmap\ntile_broadcast: str 1 r\nend\nend\n"},
    {"attributes in table order", "programs:",
     "graphs: {g: {o: {type: nop, attributes: {z: 1, bias: y, zz: 2}}}}\nprograms:",
     "attributes: map\nbias: true\nz: int 1\nzz: int 2\nend\n"},
    {"attribute kinds", "programs:",
     "graphs: {g: {o: {attributes: {zero_point: 0.5, vector: r, ingress_channels: [1], "
     "kernel_broadcast: {input_0: 2}}}}}\nprograms:",
     "attributes: map\nkernel_broadcast: map\ninput_0: int 2\nend\nvector: str 1 r\n"
     "zero_point: float 0.5\ningress_channels: list\nint 1\nend\nend\n"},
    {"input keys", "programs:",
     "graphs: {g: {o: {input_1_unpad: {rt: 1, ct: 2}, input_0_tms: [], input_1_pad: {rt: 3, ct: "
     "4, pad_value: 5}}}}\nprograms:",
     "input_0_tms: list\nend\ninput_1_pad: map\nrt: int 3\nct: int 4\npad_value: float 5\nend\n"
     "input_1_unpad: map\nrt: int 1\nct: int 2\nend\n"},
    {"forks", "programs:", "graphs: {g: {o: {forked_dram_inputs: [a: b]}}}\nprograms:",
     "forked_dram_inputs: list\nmap\na: str 1 b\nend\nend\n"},
    {"fused op", "programs:",
     "fused_ops: {0: {inputs: 1, note: x, schedules: [[s: {output: dest, inputs: [input0]}]]}}\n"
     "programs:",
     "fused_ops: map\n0: map\ninputs: int 1\nschedules: list\nlist\nmap\ns: map\ninputs: list\n"
     "str 6 input0\nend\noutput: str 4 dest\nend\nend\nend\nend\n"
     "extra: map\nnote: str 1 x\nend\nend\nend\n"},
    {"declarations", "- endloop", "- var: {$a: 1}\n  - staticvar: [$b]",
     "map\nvar: map\n$a: str 1 1\nend\nend\nmap\nstaticvar: list\nstr 2 $b\nend\nend\n"},
    {"varinst", "- endloop", "- varinst: [$a, set, 0x1]",
     "varinst: list\nstr 2 $a\nstr 3 set\nstr 3 0x1\nend\n"},
    {"loop", "- endloop", "- loop: $n", "map\nloop: str 2 $n\nend\n"},
    {"allocate", "- endloop", "- allocate_queue: [q]", "allocate_queue: list\nstr 1 q\nend\n"},
    {"execute", "- endloop", "- execute: {graph_name: g, queue_settings: {q: {zero: $z, k: 1}}}",
     "execute: map\ngraph_name: str 1 g\nqueue_settings: map\nq: map\nzero: str 2 $z\n"
     "extra: map\nk: int 1\nend\nend\nend\nend\n"},
    {"unknown instruction", "- endloop", "- {a: 1, b: 2}",
     "p: list\nmap\na: int 1\nb: int 2\nend\nend\n"},
};
// clang-format on

HOIST_TEST_TABLE(sends, parts)
{
    const hoist_str events = events_of(t, row->find, row->put, false);
    if (!hoist_str_contains(events, row->want)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no\n%s in\n%s", row->want, events.data);
    }
}

// A sink that refuses ends the walk with its status.
HOIST_TEST(stops_with_the_sink)
{
    const hoist_buda_module *const module =
        buda_test_read(t, buda_test_patched(t, base, NULL, NULL));
    for (size_t n = 0; n < 10; n++) {
        size_t left = n;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        HOIST_EXPECT_EQ(t, hoist_buda_format.visit(&module->base, NULL, &sink), HOIST_IO);
    }
    buda_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sends_the_file), HOIST_TEST_ROW(sends_places), HOIST_TEST_ROW(sends),
                HOIST_TEST_ROW(stops_with_the_sink))
