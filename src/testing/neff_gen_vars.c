// Variables, constants and the graph's entries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "testing/neff_gen.h"

// The first eleven are also those of neff.json.
const neff_gen_dtype neff_gen_dtypes[GEN_DTYPES] = {
    {"uint64", 8},   {"int8", 1},     {"uint8", 1},    {"int16", 2},    {"uint16", 2},
    {"bfloat16", 2}, {"float16", 2},  {"int32", 4},    {"uint32", 4},   {"float32", 4},
    {"int64", 8},    {"float32r", 4}, {"float8e3", 1}, {"float8e4", 1}, {"float8e5", 1},
};

int64_t gen_variable(neff_gen *g, hoist_neff_variable var)
{
    static const char *const fabrics[] = {NULL, "main", "alt"};
    enum { ALIGNMENTS = 22 };
    var.struct_size = sizeof(var);
    var.has_var_id = true;
    var.var_id = g->vars++ * g->id_step;
    if (!var.fabric_path) {
        var.fabric_path = fabrics[gen_draw_first(g, CELL_FABRIC_NONE, 3, 60)];
    }
    const size_t alignment = gen_draw_first(g, CELL_ALIGNMENT, ALIGNMENTS, 50);
    var.alignment = alignment ? (int64_t)1 << (alignment - 1) : 0;
    if (!var.keys.count) {
        var.keys = gen_keys(g, LEVEL_VAR);
    }
    gen_do(hoist_neff_add_variable(g->neff, g->subgraph, &var));
    return var.var_id;
}

// Inputs and outputs -----------------------------------------------------------------------------

enum { ELEMENTS = 32 };

static void add_entry(neff_gen *g, const char *name, bool is_output, int64_t *out_size)
{
    const int64_t shape[] = {ELEMENTS / 4, 4};
    const neff_gen_dtype *const row =
        &neff_gen_dtypes[gen_draw(g, CELL_GRAPH_DTYPE, GEN_GRAPH_DTYPES)];
    const bool own_name = gen_draw_first(g, CELL_NAMES_EQUAL, 2, 80) == 1;
    const hoist_neff_entry entry = {.struct_size = sizeof(entry),
                                    .name = own_name ? gen_text(g, "graph_%s", name) : name,
                                    .dtype = row->name,
                                    .shape = {shape, 2},
                                    .is_output = is_output,
                                    .keys = gen_keys(g, LEVEL_NODE)};
    gen_do(hoist_neff_add_entry(g->neff, &entry));
    gen_variable(g, (hoist_neff_variable){.name = name,
                                          .type = is_output ? "output" : "input",
                                          .size = ELEMENTS * row->bytes});
    gen_mark(g, CELL_VAR_TYPE + (is_output ? 2 : 1));
    *out_size = ELEMENTS * row->bytes;
}

static void add_inputs_and_outputs(neff_gen *g)
{
    g->inputs = 1 + (int64_t)gen_draw(g, CELL_INPUTS, 8);
    g->outputs = 1 + (int64_t)gen_draw(g, CELL_OUTPUTS, 8);
    for (int64_t i = 0; i < g->inputs; i++) {
        add_entry(g, gen_text(g, "in%lld", (long long)i), false, &g->io_sizes[i]);
    }
    if (gen_draw_first(g, CELL_CPU_NONE, 2, 85) && !gen_is_plain(g)) {
        const int64_t shape[] = {4};
        const hoist_neff_entry cpu = {.struct_size = sizeof(cpu),
                                      .name = "cpu_node",
                                      .dtype = "float32",
                                      .shape = {shape, 1},
                                      .cpu_op = "tvm_op"};
        gen_do(hoist_neff_add_entry(g->neff, &cpu));
    }
    for (int64_t i = 0; i < g->outputs; i++) {
        add_entry(g, gen_text(g, "out%lld", (long long)i), true, &g->io_sizes[g->inputs + i]);
    }
}

// The tensors of the first subgraph, once more for the second core.
static void repeat_inputs_and_outputs(neff_gen *g)
{
    for (int64_t i = 0; i < g->inputs + g->outputs; i++) {
        const bool is_output = i >= g->inputs;
        gen_variable(
            g, (hoist_neff_variable){.name = gen_text(g, is_output ? "out%lld" : "in%lld",
                                                      (long long)(is_output ? i - g->inputs : i)),
                                     .type = is_output ? "output" : "input",
                                     .size = g->io_sizes[i]});
    }
}

// Other variables --------------------------------------------------------------------------------

static void add_odd_sizes(neff_gen *g)
{
    static const int64_t sizes[] = {0, 1, 8, ((int64_t)1 << 32) + 8};
    enum { CONTENT_LARGE = 8 };
    const size_t size = gen_draw_first(g, CELL_VAR_SIZE, HOIST_COUNT_OF(sizes), 30);
    if (size == 3) {
        gen_mark(g, CELL_CONTENT + CONTENT_LARGE);
    }
    gen_variable(g, (hoist_neff_variable){.name = "odd", .type = "tmp-buf", .size = sizes[size]});
}

static void add_virtuals(neff_gen *g)
{
    // Offset and size of the second; the first has 256 bytes at 0.
    static const int64_t seconds[][2] = {{512, 128}, {64, 64}, {128, 256}, {0, 256}};
    const size_t kind = gen_draw(g, CELL_VIRTUAL, 8);
    const char *const fabric = kind >= 4 ? "alt" : "main";
    gen_mark(g, CELL_VAR_TYPE + 5);
    gen_variable(g, (hoist_neff_variable){
                        .name = "v0", .type = "virtual", .size = 256, .fabric_path = fabric});
    gen_variable(g, (hoist_neff_variable){.name = "v1",
                                          .type = "virtual",
                                          .size = seconds[kind % 4][1],
                                          .backing_variable_off = seconds[kind % 4][0],
                                          .fabric_path = fabric});
}

// Each documented type, as a pointer points to it.
static const char *const types[] = {"state-buffer", "input",   "output",    "file", "tmp-buf",
                                    "virtual",      "pointer", "dge-table", "list", "remote",
                                    "shared",       "sharded", "local",     "pipe"};

static void add_pointers(neff_gen *g)
{
    const size_t kind = gen_draw(g, CELL_POINTER, 8);
    const int64_t target =
        gen_variable(g, (hoist_neff_variable){.name = "pointed",
                                              .type = types[kind],
                                              .size = kind == 3 || kind == 7 ? 0 : 8,
                                              .file_name = kind == 3 ? "pointed.raw" : NULL,
                                              .referenced_var_id = 0});
    if (kind == 3) {
        gen_do(hoist_neff_add_member(g->neff, gen_path(g, "pointed.raw"), (hoist_bytes){NULL, 0}));
    }
    gen_mark(g, CELL_VAR_TYPE + kind);
    gen_mark(g, CELL_VAR_TYPE + 6);
    gen_variable(g,
                 (hoist_neff_variable){
                     .name = "pointer", .type = "pointer", .size = 8, .referenced_var_id = target});
}

static void add_table(neff_gen *g)
{
    int64_t list[64];
    const size_t count = gen_draw(g, CELL_DGE_TABLE, 65);
    for (size_t i = 0; i < count; i++) {
        list[i] = (int64_t)gen_pick(g, (size_t)g->vars) * g->id_step;
    }
    gen_mark(g, CELL_VAR_TYPE + 7);
    gen_variable(g, (hoist_neff_variable){.name = "table",
                                          .type = "dge-table",
                                          .size = 8 * (int64_t)count,
                                          .list = {list, count}});
}

void gen_variables(neff_gen *g)
{
    enum { DOCUMENTED = 8, TYPES = 14 };
    g->id_step = gen_draw_first(g, CELL_IDS_DENSE, 2, 70) ? 3 : 1;
    if (g->subgraph == 0) {
        add_inputs_and_outputs(g);
    } else {
        repeat_inputs_and_outputs(g);
    }
    gen_mark(g, CELL_VAR_TYPE);
    gen_mark(g, CELL_VAR_TYPE + 4);
    gen_variable(g, (hoist_neff_variable){.name = "sb", .type = "state-buffer"});
    gen_variable(g, (hoist_neff_variable){.name = "tmp", .type = "tmp-buf", .size = 1024});
    add_odd_sizes(g);
    add_virtuals(g);
    if (gen_is_plain(g)) {
        return; // addresses of what has none cannot be written
    }
    add_pointers(g);
    add_table(g);
    if (gen_chance(g, 30)) {
        const size_t type = DOCUMENTED + gen_pick(g, TYPES - DOCUMENTED);
        gen_mark(g, CELL_VAR_TYPE + type);
        gen_variable(g, (hoist_neff_variable){.name = "other", .type = types[type], .size = 16});
    }
}

// Constants --------------------------------------------------------------------------------------

// A .npy file of `size` bytes of data (neff reference 6.2).
static hoist_bytes npy(neff_gen *g, size_t version, const char *descr, bool fortran,
                       const char *shape, size_t size)
{
    enum { ALIGN = 64, LEAD_1 = 10, LEAD_2 = 12 };
    const size_t lead = version == 1 ? LEAD_1 : LEAD_2;
    const char *const dict = gen_text(g, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
                                      descr, fortran ? "True" : "False", shape);
    const size_t end = (lead + strlen(dict) + 1 + ALIGN - 1) / ALIGN * ALIGN;
    uint8_t *const bytes = gen_bytes(g, end + size);
    const size_t text = end - lead;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (uint8_t)version;
    bytes[7] = 0;
    for (size_t i = 8; i < lead; i++) {
        bytes[i] = (uint8_t)(text >> (8 * (i - 8)));
    }
    memset(bytes + lead, ' ', text);
    memcpy(bytes + lead, dict, strlen(dict));
    bytes[end - 1] = '\n';
    return (hoist_bytes){bytes, end + size};
}

static void add_npy(neff_gen *g, const char *name)
{
    static const struct {
        const char *descr;
        bool fortran;
        const char *shape;
        size_t size;
    } kinds[] = {{"<f4", false, "(4, 8)", 128}, {"<i8", false, "()", 8},
                 {"|u1", false, "(0, 3)", 0},   {"<f4", true, "(4, 8)", 128},
                 {">i2", false, "(5,)", 10},    {"<V2", false, "(3,)", 6}};
    const size_t version = 1 + gen_draw_first(g, CELL_NPY_VERSION, 3, 60);
    const size_t kind = gen_draw(g, CELL_NPY_PLAIN, HOIST_COUNT_OF(kinds));
    const char *const file = gen_text(g, "%s.npy", name);
    gen_do(hoist_neff_add_member(g->neff, gen_path(g, file),
                                 npy(g, version, kinds[kind].descr, kinds[kind].fortran,
                                     kinds[kind].shape, kinds[kind].size)));
    gen_variable(
        g, (hoist_neff_variable){
               .name = name, .type = "file", .size = (int64_t)kinds[kind].size, .file_name = file});
}

// Zeros mostly: archives of 500 MB are for reading, not for packing.
static void add_large(neff_gen *g, size_t index, size_t size)
{
    const char *const file = gen_text(g, "large%zu.bin", index);
    uint8_t *const bytes = malloc(size);
    gen_do(bytes ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(i * 31 + index + (i >> 12));
    }
    gen_do(hoist_neff_add_member(g->neff, gen_path(g, file), (hoist_bytes){bytes, size}));
    free(bytes);
    gen_variable(g, (hoist_neff_variable){.name = gen_text(g, "large%zu", index),
                                          .type = "file",
                                          .size = (int64_t)size,
                                          .file_name = file});
}

void gen_constants(neff_gen *g)
{
    enum { RAW_SIZE = 96 };
    const size_t large[] = {0, (size_t)480 << 10, (size_t)59 << 20};
    gen_mark(g, CELL_VAR_TYPE + 3);
    add_npy(g, "c0");
    if (g->subgraph != 0) {
        return;
    }
    add_npy(g, "c1");
    if (gen_chance(g, 60)) {
        gen_mark(g, CELL_RAW);
        gen_do(hoist_neff_add_member(g->neff, gen_path(g, "raw.bin"),
                                     (hoist_bytes){gen_bytes(g, RAW_SIZE), RAW_SIZE}));
        gen_variable(g,
                     (hoist_neff_variable){
                         .name = "raw", .type = "file", .size = RAW_SIZE, .file_name = "raw.bin"});
        if (gen_chance(g, 50)) {
            gen_mark(g, CELL_SHARED_MEMBER);
            gen_variable(g, (hoist_neff_variable){.name = "raw_again",
                                                  .type = "file",
                                                  .size = RAW_SIZE,
                                                  .file_name = "raw.bin"});
        }
    }
    for (size_t i = 0; i < 8 && large[g->size]; i++) {
        add_large(g, i, large[g->size]);
    }
}
