// formats/buda/program_testing.h - for the tests of the program checks: a netlist whose queues and
// graphs are always the same, with the programs of a row, and the place of the finding marked `@`.
#ifndef HOIST_SRC_FORMATS_BUDA_PROGRAM_TESTING_H
#define HOIST_SRC_FORMATS_BUDA_PROGRAM_TESTING_H

#include <string.h>

#include "base/buffer.h"
#include "formats/buda/buda.h"
#include "formats/buda/check.h"
#include "formats/buda/program.h"
#include "testing/test.h"

typedef struct program_queue {
    const char *name;
    const char *input;
    const char *type;
    int entries;
    const char *devices;
    unsigned address;
} program_queue;

// One op in a graph of its own.
typedef struct program_graph {
    const char *name;
    const char *devices;
    int input_count;
    const char *op;
    const char *type;
    const char *inputs;
    const char *extra; // further keys of the op
} program_graph;

// Which queues and graphs there are, after the worked cases of buda-netlist reference section 10.
// clang-format off
static const program_queue program_queues[] = {
    {"a",   "HOST", "queue", 4,  "0",      0x10000000},
    {"a6",  "HOST", "queue", 6,  "0",      0x10100000},
    {"w",   "HOST", "ram",   2,  "0",      0x10200000},
    {"al",  "HOST", "queue", 2,  "[0, 1]", 0x10300000},
    {"tab", "HOST", "ram",   1,  "0",      0x10400000},
    {"idx", "HOST", "queue", 4,  "0",      0x10500000},
    {"far", "HOST", "queue", 4,  "1",      0x10600000},
    {"o",   "x",    "queue", 4,  "0",      0x11000000},
    {"o1",  "x1",   "queue", 1,  "0",      0x11100000},
    {"o2",  "x2",   "queue", 8,  "0",      0x11200000},
    {"os",  "xs",   "queue", 8,  "0",      0x11300000},
    {"os8", "xs8",  "queue", 8,  "0",      0x11400000},
    {"ow",  "xw",   "queue", 8,  "0",      0x11500000},
    {"v",   "xv",   "ram",   4,  "0",      0x11600000}, // by an op
    {"dw",  "xd",   "ram",   1,  "0",      0x11700000}, // by a gradient op
    {"m",   "xm",   "queue", 4,  "0",      0x11800000}, // from m2 to n2
    {"on",  "xn",   "queue", 64, "0",      0x11900000},
    {"q",   "xm1",  "queue", 4,  "0",      0x11a00000}, // from m1 to n1
    {"on1", "xn1",  "queue", 64, "0",      0x11b00000},
    {"oc",  "y1",   "queue", 2,  "1",      0x11c00000},
    {"ol",  "xl",   "queue", 2,  "[0, 1]", 0x11d00000},
    {"oe",  "xe",   "queue", 4,  "0",      0x11e00000},
    {"of",  "xf",   "queue", 4,  "0",      0x11f00000},
    {"kd",  "xk",   "queue", 2,  "0",      0x20000000}, // dynamic, at one address with ke
    {"ke",  "xke",  "queue", 2,  "0",      0x20000000},
    {"kr",  "xkr",  "queue", 4,  "0",      0x12000000},
};

static const program_graph program_graphs[] = {
    {"g",  "0",      1, "x",   "nop", "a",  ""},
    {"g1", "0",      1, "x1",  "nop", "a",  ""},
    {"g2", "0",      2, "x2",  "nop", "a",  ""},
    {"s4", "0",      4, "xs",  "nop", "a6", ""},
    {"s8", "0",      8, "xs8", "nop", "a",  ""},
    {"w2", "0",      2, "xw",  "add", "a, w", ""},
    {"v2", "0",      2, "xv",  "nop", "a",  ""},
    {"d1", "0",      1, "xd",  "nop", "a",  ", gradient_op: true"},
    {"m2", "0",      2, "xm",  "nop", "a",  ""},
    {"n2", "0",      2, "xn",  "nop", "m",  ""},
    {"m1", "0",      1, "xm1", "nop", "a",  ""},
    {"n1", "0",      1, "xn1", "nop", "q",  ""},
    {"c0", "0",      1, "y0",  "nop", "a",  ""},
    {"c1", "1",      1, "y1",  "nop", "y0", ""}, // one temporal epoch with c0
    {"l",  "[0, 1]", 1, "xl",  "nop", "al", ""},
    {"e",  "0",      1, "xe",  "embedding", "tab, idx", ", attributes: {num_indices: 32}"},
    {"f",  "0",      1, "xf",  "nop", "far", ""},
    {"k",  "0",      1, "xk",  "nop", "a",  ""},
    {"h",  "0",      1, "xke", "nop", "a",  ""},
    {"r",  "0",      1, "xkr", "nop", "ke", ""},
};
// clang-format on

static inline void program_frame(hoist_buffer *out)
{
    hoist_buffer_format(out, "devices: {arch: wormhole_b0}\nqueues:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(program_queues); i++) {
        const program_queue *q = &program_queues[i];
        hoist_buffer_format(out,
                            "  %s: {type: %s, input: %s, entries: %d, grid_size: [1, 1], t: 1, "
                            "mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: %s, "
                            "loc: dram, dram: [[0, 0x%x]]}\n",
                            q->name, q->type, q->input, q->entries, q->devices, q->address);
    }
    hoist_buffer_format(out, "graphs:\n");
    for (size_t i = 0; i < HOIST_COUNT_OF(program_graphs); i++) {
        const program_graph *g = &program_graphs[i];
        hoist_buffer_format(out,
                            "  %s:\n    target_device: %s\n    input_count: %d\n"
                            "    %s: {type: %s, grid_loc: [0, 0], grid_size: [1, 1], inputs: [%s], "
                            "in_df: [Float32%s], acc_df: Float32, out_df: Float32, "
                            "intermed_df: Float32, ublock_order: r, buf_size_mb: 2, "
                            "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]%s}\n",
                            g->name, g->devices, g->input_count, g->op, g->type, g->inputs,
                            strchr(g->inputs, ',') ? ", Float32" : "", g->extra);
    }
    hoist_buffer_format(out, "programs:\n");
}

// What rows are written with: programs p and r, an instruction, an execute, settings of `a`.
#define PROGRAM_P "- p:\n"
#define PROGRAM_R "- r:\n"
#define PROGRAM_LINE(text) "    - " text "\n"
#define PROGRAM_EXECUTE(graph, settings)                                                           \
    "    - execute: {graph_name: " graph ", queue_settings: {" settings "}}\n"
#define PROGRAM_A00 "a: {rd_ptr_local: 0, rd_ptr_global: 0}"
#define PROGRAM_ALL "a: {rd_ptr_local: $l, rd_ptr_global: $l}"

// The frame and `programs` without its `@`; `*out_mark` is where that stood, line 0 when nowhere.
static inline hoist_bytes program_text(hoist_test *t, const char *programs, hoist_pos *out_mark)
{
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    program_frame(&buffer);
    hoist_buffer_format(&buffer, "%s", programs);
    const hoist_str whole = hoist_buffer_text(&buffer);
    char *text = hoist_arena_alloc(&t->arena, whole.size + 1);
    memcpy(text, whole.data, whole.size);
    hoist_buffer_deinit(&buffer);
    *out_mark = (hoist_pos){0, 0};
    char *mark = strchr(text, '@');
    if (mark) {
        *out_mark = (hoist_pos){1, 1};
        for (const char *p = text; p < mark; p++) {
            out_mark->column++;
            if (*p == '\n') {
                *out_mark = (hoist_pos){out_mark->line + 1, 1};
            }
        }
        memmove(mark, mark + 1, strlen(mark));
    }
    return (hoist_bytes){(const uint8_t *)text, strlen(text)};
}

// Reads `text` and runs the program checks over it with `alloc`, for the netlist's own arch. What
// reading finds goes to `read_diag`.
static inline hoist_status program_check(hoist_bytes text, hoist_allocator alloc,
                                         hoist_diag *read_diag, hoist_diag *diag)
{
    const hoist_read_options read_options = {.alloc = alloc};
    const hoist_check_options options = {0};
    hoist_module *base = NULL;
    hoist_status status = buda_read(text, &read_options, read_diag, &base);
    if (status != HOIST_OK) {
        return status;
    }
    const hoist_buda_module *module = (const hoist_buda_module *)base;
    buda_net net;
    status = buda_net_build(module, (buda_arch)module->arch.items[0].value, &net);
    hoist_arena scratch;
    hoist_arena_init(&scratch, alloc);
    const buda_check check = {.module = module,
                              .net = &net,
                              .options = &options,
                              .diag = diag,
                              .scratch = &scratch,
                              .arch = net.arch};
    if (status == HOIST_OK) {
        status = buda_check_programs(&check);
        buda_net_deinit(&net);
    }
    hoist_arena_deinit(&scratch);
    buda_module_destroy(base);
    return status;
}

// Expects exactly one finding, of `rule` at the mark; with `rule` NULL none at all.
static inline void program_expect(hoist_test *t, const char *programs, const char *rule)
{
    hoist_pos mark;
    const hoist_bytes text = program_text(t, programs, &mark);
    HOIST_EXPECT_EQ(t, program_check(text, hoist_allocator_system(), t->diag, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), rule != NULL);
    if (rule && hoist_diag_kept(t->diag)) {
        const hoist_finding *finding = hoist_diag_at(t->diag, 0);
        HOIST_EXPECT_EQ(t, finding->loc.pos.line, mark.line);
        HOIST_EXPECT_EQ(t, finding->loc.pos.column, mark.column);
    }
}

#endif // HOIST_SRC_FORMATS_BUDA_PROGRAM_TESTING_H
