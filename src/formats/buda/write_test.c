// The writer: a netlist with every key in the writer's own form comes back byte for byte; other
// spellings come back in that form, and read as the same module.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/buda/netlist_testing.h"
#include "testing/trace.h"

static const char base[] =
    "devices:\n"
    "  arch: [wormhole_b0, blackhole]\n"
    "queues:\n"
    "  qa: {type: queue, input: HOST, entries: 4, grid_size: [1, 2], t: 3, mblock: [2, 5],"
    " ublock: [6, 7], ublock_order: c, tile_dim: [16, 32], df: Bfp8_b, layout: flat, alias: qc,"
    " input_tms: [hslice: 9], target_device: 0, loc: dram,"
    " dram: [[0, 0x10000000], [1, 0xffffffff]], read_ports: [1, 0], write_ports: [2, 0]}\n"
    "  qb: {type: ram, input: opa, entries: 8, grid_size: [1, 2], t: 1, mblock: [1, 1],"
    " ublock: [1, 1], df: Float16, target_device: [0, 1], loc: host,"
    " host: [0x00002000, [3, 0x00000040]], colour: {a: [0x1, 'x: y']}}\n"
    "graphs:\n"
    "  ga:\n"
    "    target_device: [1, 2]\n"
    "    input_count: 2\n"
    "    opa: {type: matmul, grid_loc: [3, 4], grid_size: [1, 2], grid_transpose: true,"
    " inputs: [qa, qx], t: 2, mblock: [1, 3], ublock: [2, 2], buf_size_mb: 4, overlay_size: 64,"
    " input_buf_min_size_tiles: [0, 11], input_dram_io_buf_size_tiles: [12, 0],"
    " forked_dram_inputs: [qa: opb], ublock_order: r, in_df: [Float32, Bfp2_b], out_df: Int8,"
    " intermed_df: Float16_b, acc_df: Int32, math_fidelity: HiFi2_A, untilize_output: true,"
    " gradient_op: false, tile_dim: [32, 32], attributes: {kernel_broadcast: {input_1: 5}, m_k: 8,"
    " bias: true, sfpu_op: gelu, accumulate: true, z: 3, relu_threshold: 1.5, relu_mode: max,"
    " ingress_channels: [1, 2], fused_op_id: 0}, input_0_pad: {rt: 1, ct: 2, pad_value: -1},"
    " input_0_unpad: {rt: 3, ct: 0}, input_1_tms: [broadcast: {r: 5}, transpose,"
    " pad: [0, 1, 2.5], tile_broadcast: rc]}\n"
    "fused_ops:\n"
    "  0:\n"
    "    inputs: 2\n"
    "    intermediates: 1\n"
    "    custom_kernel_path: a/b\n"
    "    schedules:\n"
    "      - - sa: {type: multiply, inputs: [input0, input1], mblock: [8, 9], ublock: [4, 3],"
    " zero_point: 0.5, attributes: {vector: r}, output: intermed0, input_0_tms: []}\n"
    "        - sb: {type: exp, inputs: [intermed0], mblock: [8, 9], ublock: [4, 3],"
    " pop: [intermed0], pop_last: [], output: output}\n"
    "      - []\n"
    "    note: kept\n"
    "programs:\n"
    "  - pa:\n"
    "      - param: [$p_x]\n"
    "      - var: {$v: 5, $w: 0x10}\n"
    "      - staticvar: [$s]\n"
    "      - loop: $p_x\n"
    "      - allocate_queue: [qb]\n"
    "      - execute: {graph_name: ga, queue_settings: {qa: {prologue: true, epilogue: False,"
    " zero: $z, rd_ptr_local: $v, rd_ptr_global: 0, wr_ptr_global: 1, rd_ptr_autoinc: 2,"
    " global_rdptr_autoinc: 3, global_wrptr_autoinc: 4, read_only: false}}}\n"
    "      - execute: {graph_name: ga}\n"
    "      - varinst: [$v, incwrap, 1, 12]\n"
    "      - deallocate_queue: [qb]\n"
    "      - endloop\n"
    "  - pb: []\n"
    "test-config: {comparison-config: {type: Exact, atol: 1e-3}}\n"
    "performance-check:\n"
    "  config-0:\n"
    "    graph-name: ga\n"
    "pipegen: 7\n";

// The fixed form of `base`'s unknown key, whose quotes are not the writer's.
static hoist_bytes canonical(hoist_test *t)
{
    return buda_test_patched(t, base, "'x: y'", "\"x: y\"");
}

typedef struct written {
    const hoist_buda_module *module;
    hoist_str text;   // arena
    hoist_str events; // arena
} written;

static written write_netlist(hoist_test *t, hoist_bytes bytes)
{
    written result = {.module = buda_test_read(t, bytes)};
    hoist_buffer text;
    hoist_buffer events;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&events, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&events);
    if (result.module) {
        HOIST_EXPECT_EQ(t, hoist_buda_format.write(&result.module->base, &text), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_buda_format.visit(&result.module->base, NULL, &sink), HOIST_OK);
    }
    result.text = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    result.events = hoist_arena_str(&t->arena, hoist_buffer_text(&events));
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&events);
    buda_test_destroy(result.module);
    return result;
}

static hoist_bytes bytes_of(hoist_str text)
{
    return (hoist_bytes){(const uint8_t *)text.data, text.size};
}

// clang-format off
static const struct {
    const char *name;
    const char *find; // in `base`
    const char *put;
    const char *want; // occurs in what is written
} spellings[] = {
    {"nothing changed", NULL, NULL, "dram: [[0, 0x10000000], [1, 0xffffffff]]"},
    {"decimal address", "0x10000000", "16", "[0, 0x00000010]"},
    {"hexadecimal number", "entries: 4", "entries: 0x10", "entries: 16,"},
    {"octal number", "entries: 4", "entries: 010", "entries: 8,"},
    {"quoted number", "entries: 4", "entries: '4'", "entries: 4,"},
    {"one device in a list", "target_device: 0,", "target_device: [5],", "target_device: [5],"},
    {"one arch", "[wormhole_b0, blackhole]", "WorMhole_B0", "arch: wormhole_b0\n"},
    {"old arch", "[wormhole_b0, blackhole]", "wormhole_b", "arch: wormhole_b0\n"},
    {"boolean word", "untilize_output: true", "untilize_output: ON", "untilize_output: true"},
    {"empty tms", "input_0_tms: []", "input_0_tms: None", "input_0_tms: []"},
    {"null tms", "input_0_tms: []", "input_0_tms: ", "input_0_tms: []"},
    {"endloop as a map", "- endloop\n", "- endloop:\n", "- endloop\n"},
    {"interm", "inputs: [intermed0]", "inputs: [interm0]", "inputs: [intermed0]"},
    {"attribute order", "bias: true, sfpu_op: gelu, accumulate: true, z: 3",
     "z: 3, accumulate: true", "accumulate: true, z: 3,"},
    {"attribute twice", "bias: true", "bias: false, bias: true", "bias: true, sfpu_op"},
    {"input map twice", "m_k: 8", "kernel_broadcast: {input_0: 3}",
     "kernel_broadcast: {input_1: 5, input_0: 3}"},
    {"tms twice", "input_1_tms: [", "input_1_tms: [vslice: 2], input_1_tms: [",
     "input_1_tms: [vslice: 2, broadcast"},
    {"broadcast of two axes", "{r: 5}", "{r: 5, c: 6}", "[broadcast: {r: 5, c: 6}, transpose"},
    {"unknown attribute", "bias: true", "extra: {deep: [1, '2']}", "extra: {deep: [1, \"2\"]}}"},
    {"unknown setting", "zero: $z", "one: $z", "one: $z}"},
    {"unknown key of execute", "{graph_name: ga}", "{graph_name: ga, when: now}", "when: now}"},
    {"unknown word", "math_fidelity: HiFi2_A", "math_fidelity: HiFi9", "math_fidelity: HiFi9"},
    {"unknown TM", "}, transpose, ", "}, twist, ", "}, twist, pad"},
    {"unknown instruction", "- endloop", "- halt: [1]", "- halt: [1]"},
    {"two instructions in a map", "- endloop", "- {loop: 1, endloop: }",
     "- {loop: 1, endloop: null}"},
    {"endprogram", "      - endloop\n", "      - endloop\n      - endprogram\n", "- endprogram\n"},
    {"name with a comma", "qc,", "'q, c',", "alias: \"q, c\","},
    {"name with colons", "qc,", "a::b,", "alias: a::b,"},
    {"name that looks like null", "qc,", "'~',", "alias: \"~\","},
    {"name that looks like a number", "qc,", "'0x10',", "alias: 0x10,"},
    {"empty name", "qc,", "'',", "alias: \"\","},
    {"name with an escape", "qc,", "\"a\\tb\\x01\",", "alias: \"a\\tb\\x01\","},
    {"name with UTF-8", "qc,", "gr\xc3\xbc" "n,", "alias: gr\xc3\xbc" "n,"},
    {"queue name with a space", "  qb:", "  q b:", "\n  q b: {type"},
    {"queue name with a colon", "  qb:", "  'q: b':", "\n  \"q: b\": {type"},
    {"pad of a third", "-1}", "0.33333333333333331}", "pad_value: 0.3333333333333333}"},
    {"infinite padding", "-1}", "-.inf}", "pad_value: -.inf}"},
    {"comment", "      - endloop\n", "      - endloop # done\n", "      - endloop\n"},
};
// clang-format on

HOIST_TEST(keeps_its_own_form)
{
    const hoist_bytes text = canonical(t);
    const written w = write_netlist(t, text);
    HOIST_EXPECT(t, hoist_str_equal(w.text, (hoist_str){(const char *)text.data, text.size}));
}

HOIST_TEST_TABLE(writes, spellings)
{
    const written once = write_netlist(t, buda_test_patched(t, base, row->find, row->put));
    if (!hoist_str_contains(once.text, row->want)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no '%s' in\n%s", row->want, once.text.data);
    }
    const written twice = write_netlist(t, bytes_of(once.text));
    HOIST_EXPECT_STR(t, twice.text, once.text.data);
    HOIST_EXPECT_STR(t, twice.events, once.events.data);
}

// Sections that the file does not have are not invented.
HOIST_TEST(writes_nothing_that_is_absent)
{
    const written w = write_netlist(t, bytes_of(HOIST_STR("graphs: {}\nqueues: ~\nx: 1\n")));
    HOIST_EXPECT_STR(t, w.text, "queues: {}\ngraphs: {}\nx: 1\n");
    HOIST_EXPECT_STR(t, write_netlist(t, bytes_of(HOIST_STR("{}"))).text, "{}\n");
}

static hoist_status write_with(hoist_allocator alloc, const void *module)
{
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = hoist_buda_format.write(module, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(survives_failed_allocations)
{
    const hoist_buda_module *module = buda_test_read(t, canonical(t));
    hoist_test_starve(t, write_with, module);
    buda_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(keeps_its_own_form), HOIST_TEST_ROW(writes),
                HOIST_TEST_ROW(writes_nothing_that_is_absent),
                HOIST_TEST_ROW(survives_failed_allocations))
