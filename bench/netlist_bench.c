// netlist to checked module against libyaml's bare events on the same text.
//
// The text is a chain of feed-forward layers in the vendor's habit, one queue or op per line, as
// long as the biggest netlist of a real model (about 1 MB).
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "hoist/load.h"

#include "base/buffer.h"
#include "bench.h"

enum { LAYERS = 1000 };

static void add_queue(hoist_buffer *out, const char *name, int layer, const char *shape)
{
    hoist_buffer_format(out,
                        "  %s%d: {type: ram, input: HOST, entries: 1, grid_size: [1, 1], t: 1, %s, "
                        "df: Bfp8_b, target_device: 0, loc: dram, dram: [[%d, 0x%x]]}\n",
                        name, layer, shape, layer % 6, 0x10000000 + (layer / 6) * 0x100000);
}

static void add_op(hoist_buffer *out, int layer, const char *input)
{
    hoist_buffer_format(out,
                        "    mm%d: {type: matmul, grid_loc: [%d, %d], grid_size: [1, 1], inputs: "
                        "[%s, w%d], in_df: [Float16_b, Bfp8_b], acc_df: Float16_b, out_df: "
                        "Float16_b, intermed_df: Float16_b, ublock_order: r, buf_size_mb: 2, "
                        "math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [2, 1], "
                        "ublock: [2, 4], attributes: {m_k: 1, u_kt: 4}}\n",
                        layer, layer / 8 % 10, layer % 8, input, layer);
}

static void add_graph(hoist_buffer *out, int graph)
{
    char input[32];
    hoist_buffer_format(out, "  g%d:\n    target_device: 0\n    input_count: 2\n", graph);
    for (int i = 0; i < 8; i++) {
        const int layer = graph * 8 + i;
        (void)snprintf(input, sizeof(input), i == 0 ? "x%d" : "mm%d", i == 0 ? graph : layer - 1);
        add_op(out, layer, input);
    }
}

static void add_execute(hoist_buffer *out, int graph)
{
    hoist_buffer_format(out,
                        "    - execute: {graph_name: g%d, queue_settings: {x%d: {prologue: false, "
                        "epilogue: false, zero: false, rd_ptr_local: $l, rd_ptr_global: $g}",
                        graph, graph);
    for (int i = 0; i < 8; i++) {
        hoist_buffer_format(out,
                            ", w%d: {prologue: true, epilogue: false, zero: false, "
                            "rd_ptr_global: 0, wr_ptr_global: 0}",
                            graph * 8 + i);
    }
    hoist_buffer_c(out, "}}\n");
}

static void make_netlist(hoist_buffer *out)
{
    hoist_buffer_c(out, "devices:\n  arch: wormhole_b0\nqueues:\n");
    for (int layer = 0; layer < LAYERS; layer++) {
        add_queue(out, "w", layer, "mblock: [2, 1], ublock: [2, 4]");
    }
    for (int graph = 0; graph <= LAYERS / 8; graph++) {
        char input[32] = "HOST";
        if (graph > 0) {
            (void)snprintf(input, sizeof(input), "mm%d", graph * 8 - 1);
        }
        hoist_buffer_format(out,
                            "  x%d: {type: queue, input: %s, entries: 4, grid_size: [1, 1], t: 1, "
                            "mblock: [2, 1], ublock: [2, 4], df: Float16_b, target_device: 0, loc: "
                            "dram, dram: [[%d, 0x%x]]}\n",
                            graph, input, graph % 6, 0x40000000 + (graph / 6) * 0x100000);
    }
    hoist_buffer_c(out, "graphs:\n");
    for (int graph = 0; graph < LAYERS / 8; graph++) {
        add_graph(out, graph);
    }
    hoist_buffer_c(out, "programs:\n  - run:\n    - staticvar: {$l: 0, $g: 0}\n");
    for (int graph = 0; graph < LAYERS / 8; graph++) {
        add_execute(out, graph);
    }
    hoist_buffer_c(out, "    - varinst: [$l, incwrap, 2, 8]\n    - varinst: [$g, incwrap, 2, 8]\n");
}

static void check_netlist(void *context)
{
    const hoist_buffer *text = context;
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK ||
        hoist_job_open_bytes(hoist_buffer_bytes(text), "bench", NULL, diag, &job) != HOIST_OK ||
        hoist_job_check(job, diag) != HOIST_OK || hoist_diag_count(diag, HOIST_ERROR)) {
        (void)fprintf(stderr, "the netlist of the bench is not clean\n");
        exit(1);
    }
    hoist_job_close(job);
    hoist_diag_destroy(diag);
}

static void bare_events(void *context)
{
    const hoist_buffer *text = context;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        exit(1);
    }
    yaml_parser_set_input_string(&parser, text->data, text->size);
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            exit(1);
        }
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

int main(void)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    make_netlist(&text);
    hoist_bench_figure("netlist", (double)text.size / 1e6, "MB");
    const hoist_bench_pair pair = {.what = "netlist to checked module vs libyaml's bare events",
                                   .ours = check_netlist,
                                   .theirs = bare_events,
                                   .self = &text,
                                   .want = 1.0 / 3.0,
                                   .rounds = 15};
    const bool reached = hoist_bench_compare(&pair);
    hoist_buffer_deinit(&text);
    return reached ? 0 : 1;
}
