// Chains of tensor manipulations as tables of tiles: what the program moves, and what the caller
// pushes, against manipulations that are made one after the other, tile by tile, of tensors of
// numbers (buda-ops reference section 3).
#include <string.h>

#include "lower/buda/job_testing.h"
#include "program/program.h"

enum { MAX_TILES = 512, MAX_CHAIN = 5 };

// A tensor of tiles, by number.
typedef struct tensor {
    size_t z, rows, cols;
    int32_t tiles[MAX_TILES];
} tensor;

static int32_t *at(tensor *x, size_t z, size_t row, size_t col)
{
    return &x->tiles[(z * x->rows + row) * x->cols + col];
}

static tensor numbered(size_t z, size_t rows, size_t cols)
{
    tensor x = {.z = z, .rows = rows, .cols = cols};
    for (size_t i = 0; i < z * rows * cols; i++) {
        x.tiles[i] = (int32_t)i;
    }
    return x;
}

// A manipulation: puts each tile of `from` where it goes. False: it cannot be made of `from`.
typedef bool manipulation(tensor *from, size_t n, tensor *to);

static bool broadcast_z(tensor *from, size_t n, tensor *to)
{
    *to = (tensor){.z = from->z * n, .rows = from->rows, .cols = from->cols};
    for (size_t k = 0; k < n && from->z * n <= 8; k++) {
        memcpy(at(to, k * from->z, 0, 0), from->tiles,
               from->z * from->rows * from->cols * sizeof(int32_t));
    }
    return to->z <= 8;
}

static bool broadcast_r(tensor *from, size_t n, tensor *to)
{
    *to = (tensor){.z = from->z, .rows = from->rows * n, .cols = from->cols};
    for (size_t z = 0; z < from->z && to->rows <= 8; z++) {
        for (size_t k = 0; k < n; k++) {
            memcpy(at(to, z, k * from->rows, 0), at(from, z, 0, 0),
                   from->rows * from->cols * sizeof(int32_t));
        }
    }
    return to->rows <= 8;
}

static bool broadcast_c(tensor *from, size_t n, tensor *to)
{
    *to = (tensor){.z = from->z, .rows = from->rows, .cols = from->cols * n};
    for (size_t i = 0; i < from->z * from->rows && to->cols <= 8; i++) {
        for (size_t k = 0; k < n; k++) {
            memcpy(&to->tiles[(i * n + k) * from->cols], &from->tiles[i * from->cols],
                   from->cols * sizeof(int32_t));
        }
    }
    return to->cols <= 8;
}

// n slices of columns, one after the other.
static bool hslice(tensor *from, size_t n, tensor *to)
{
    if (from->cols % n != 0 || from->z * n > 8) {
        return false;
    }
    *to = (tensor){.z = from->z * n, .rows = from->rows, .cols = from->cols / n};
    for (size_t z = 0; z < from->z; z++) {
        for (size_t r = 0; r < from->rows; r++) {
            for (size_t c = 0; c < from->cols; c++) {
                *at(to, z * n + c / to->cols, r, c % to->cols) = *at(from, z, r, c);
            }
        }
    }
    return true;
}

static bool vslice(tensor *from, size_t n, tensor *to)
{
    if (from->rows % n != 0 || from->z * n > 8) {
        return false;
    }
    *to = (tensor){.z = from->z * n, .rows = from->rows / n, .cols = from->cols};
    for (size_t z = 0; z < from->z; z++) {
        for (size_t r = 0; r < from->rows; r++) {
            for (size_t c = 0; c < from->cols; c++) {
                *at(to, z * n + r / to->rows, r % to->rows, c) = *at(from, z, r, c);
            }
        }
    }
    return true;
}

// n slices side by side.
static bool hstack(tensor *from, size_t n, tensor *to)
{
    if (from->z % n != 0 || from->cols * n > 8) {
        return false;
    }
    *to = (tensor){.z = from->z / n, .rows = from->rows, .cols = from->cols * n};
    for (size_t z = 0; z < from->z; z++) {
        for (size_t r = 0; r < from->rows; r++) {
            for (size_t c = 0; c < from->cols; c++) {
                *at(to, z / n, r, z % n * from->cols + c) = *at(from, z, r, c);
            }
        }
    }
    return true;
}

static bool vstack(tensor *from, size_t n, tensor *to)
{
    if (from->z % n != 0 || from->rows * n > 8) {
        return false;
    }
    *to = (tensor){.z = from->z / n, .rows = from->rows * n, .cols = from->cols};
    for (size_t z = 0; z < from->z; z++) {
        for (size_t r = 0; r < from->rows; r++) {
            for (size_t c = 0; c < from->cols; c++) {
                *at(to, z / n, z % n * from->rows + r, c) = *at(from, z, r, c);
            }
        }
    }
    return true;
}

static bool transpose(tensor *from, size_t n, tensor *to)
{
    (void)n;
    *to = (tensor){.z = from->z, .rows = from->cols, .cols = from->rows};
    for (size_t z = 0; z < from->z; z++) {
        for (size_t r = 0; r < from->rows; r++) {
            for (size_t c = 0; c < from->cols; c++) {
                *at(to, z, c, r) = *at(from, z, r, c);
            }
        }
    }
    return true;
}

static const struct {
    const char *front; // of the factor, and what follows it
    const char *back;
    manipulation *make;
    bool turns; // the elements of each tile, too
} kinds[] = {
    {"broadcast: {z: ", "}", broadcast_z, false},
    {"broadcast: {r: ", "}", broadcast_r, false},
    {"broadcast: {c: ", "}", broadcast_c, false},
    {"hslice: ", "", hslice, false},
    {"vslice: ", "", vslice, false},
    {"hstack: ", "", hstack, false},
    {"vstack: ", "", vstack, false},
    {"transpose", "", transpose, true}, // the last one: queues have none
};

typedef struct chain {
    hoist_str text;
    tensor from, to;
    bool turned;
} chain;

// Up to MAX_CHAIN manipulations of those of the first `count` kinds that can be made.
static chain random_chain(hoist_test *t, uint64_t *random, size_t count)
{
    chain x = {.text = HOIST_STR("")};
    x.from = numbered(1 + hoist_test_random(random) % 4, 1 + hoist_test_random(random) % 4,
                      1 + hoist_test_random(random) % 4);
    x.to = x.from;
    for (size_t i = 0; i < MAX_CHAIN; i++) {
        const size_t kind = hoist_test_random(random) % count;
        const size_t n = 1 + hoist_test_random(random) % 4;
        tensor next;
        if (!kinds[kind].make(&x.to, n, &next)) {
            continue;
        }
        x.to = next;
        x.turned = x.turned != kinds[kind].turns;
        const char *factor = kinds[kind].turns ? "" : hoist_arena_format(&t->arena, "%zu", n).data;
        x.text = hoist_arena_format(&t->arena, "%s%s%s%s%s", x.text.data, x.text.size ? ", " : "",
                                    kinds[kind].front, factor, kinds[kind].back);
    }
    return x;
}

static bool is_same(const tensor *a, const tensor *b)
{
    return a->z == b->z && a->rows == b->rows && a->cols == b->cols &&
           memcmp(a->tiles, b->tiles, a->z * a->rows * a->cols * sizeof(int32_t)) == 0;
}

// The netlist of an op `x` that reads queue `a` by `op_tms` and feeds `o`; `queue_tms` are those of
// the caller's pushes into `a`. The text ends in zero, so that names of any length stay whole.
static hoist_str netlist_of(hoist_test *t, const tensor *a, const tensor *o, const char *queue_tms,
                            const char *op_tms)
{
    const char *head =
        hoist_arena_format(
            &t->arena,
            "queues:\n"
            "  a: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: %zu, mblock: [%zu, "
            "%zu], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, "
            "0x10000000]], input_tms: [%s]}\n"
            "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: %zu, mblock: [%zu, "
            "%zu], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, "
            "0x20000000]]}\n",
            a->z, a->rows, a->cols, queue_tms, o->z, o->rows, o->cols)
            .data;
    const char *graph =
        hoist_arena_format(
            &t->arena,
            "%sgraphs:\n  g:\n    target_device: 0\n    input_count: 1\n"
            "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: "
            "[Float32], acc_df: Float32, out_df: Float32, intermed_df: Float32, ublock_order: r, "
            "buf_size_mb: 2, math_fidelity: HiFi3, ublock: [1, 1], t: %zu, mblock: [%zu, %zu], "
            "input_0_tms: [%s]}\n",
            head, o->z, o->rows, o->cols, op_tms)
            .data;
    return lower_test_netlist(t, "grayskull", graph,
                              REF_P REF_EXECUTE("g", REF_SET("a", "0", "0")));
}

// The tensor that is written to `o`, as tiles of the entry of `a`: what the moves of the function
// do one after the other. `*out_turned`: each tile's elements are transposed.
static bool written_tiles(hoist_test *t, const hoist_program *program, tensor *from, tensor *to,
                          bool *out_turned)
{
    const hoist_prog_function *f = &program->functions[0];
    tensor held = *from;
    bool writes = false;
    for (uint32_t i = 0; i < f->code.step_count; i++) {
        const hoist_prog_step *step = &f->code.steps[i];
        *out_turned = *out_turned || step->kind == HOIST_STEP_COMPUTE;
        if (step->kind != HOIST_STEP_MOVE) {
            continue;
        }
        const hoist_prog_move *move = step->as.move;
        const hoist_prog_view *target = &program->views[move->destination];
        const hoist_tiling *tiling = &program->layouts[target->layout].tiling;
        tensor moved = {.z = tiling->t,
                        .rows = (size_t)tiling->mblock_m * tiling->ublock_rt,
                        .cols = (size_t)tiling->mblock_n * tiling->ublock_ct};
        const size_t count = moved.z * moved.rows * moved.cols;
        HOIST_EXPECT(t, !move->table || move->table_count == count);
        for (size_t k = 0; k < count; k++) {
            moved.tiles[k] = held.tiles[move->table ? move->table[k] : (int32_t)k];
        }
        held = moved;
        writes = writes || target->base == HOIST_VIEW_WRITE_SLOT;
    }
    *to = held;
    return writes;
}

HOIST_TEST(an_input_is_what_its_chain_makes)
{
    uint64_t random = 7;
    for (int i = 0; i < HOIST_TEST_ROUNDS(200); i++) {
        chain x = random_chain(t, &random, HOIST_COUNT_OF(kinds));
        hoist_test_row(t, x.text.data);
        hoist_program *program =
            lower_test_lower(t, netlist_of(t, &x.from, &x.to, "", x.text.data));
        tensor found;
        bool turned = false;
        if (program) {
            HOIST_EXPECT(t, written_tiles(t, program, &x.from, &found, &turned));
            HOIST_EXPECT(t, is_same(&found, &x.to));
            HOIST_EXPECT_EQ(t, turned, x.turned);
        }
        hoist_program_destroy(program);
    }
}

// The caller gives the tensor in front of the chain; the entry has its tiles as the chain says.
HOIST_TEST(a_push_is_what_its_chain_makes)
{
    uint64_t random = 11;
    for (int i = 0; i < HOIST_TEST_ROUNDS(200); i++) {
        chain x = random_chain(t, &random, HOIST_COUNT_OF(kinds) - 1);
        hoist_test_row(t, x.text.data);
        hoist_program *program = lower_test_lower(t, netlist_of(t, &x.to, &x.to, x.text.data, ""));
        const hoist_prog_fifo *fifo = program ? &program->fifos[0] : NULL;
        if (fifo && x.text.size) {
            const size_t count = x.to.z * x.to.rows * x.to.cols;
            HOIST_EXPECT_EQ(t, fifo->push_shape.rank, 3);
            HOIST_EXPECT_EQ(t, fifo->push_shape.dim[0], x.from.z);
            HOIST_EXPECT_EQ(t, fifo->push_shape.dim[1], x.from.rows * 32);
            HOIST_EXPECT_EQ(t, fifo->push_shape.dim[2], x.from.cols * 32);
            HOIST_EXPECT_EQ(t, fifo->push_tile_count, count);
            HOIST_EXPECT(t, fifo->push_tiles &&
                                memcmp(fifo->push_tiles, x.to.tiles, count * sizeof(int32_t)) == 0);
        }
        hoist_program_destroy(program);
    }
}

// Padding ----------------------------------------------------------------------------------------

#define STORE(name, input, t, mblock, address)                                                     \
    "  " name ": {type: queue, input: " input ", entries: 4, grid_size: [1, 1], t: " t             \
    ", mblock: [" mblock                                                                           \
    "], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, " address "]]}\n"
#define OP(t, mblock, keys)                                                                        \
    "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float32], "      \
    "acc_df: Float32, out_df: Float32, intermed_df: Float32, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, ublock: [1, 1], t: " t ", mblock: [" mblock "], " keys "}\n"
#define NET(in_t, in_block, out_t, out_block, keys)                                                \
    "queues:\n" STORE("a", "HOST", in_t, in_block, "0x10000000")                                   \
        STORE("o", "x", out_t, out_block, "0x20000000") "graphs:\n" REF_GRAPH("g", "1")            \
            OP(out_t, out_block, keys)

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *wanted;
} pads[] = {
    {"a row below", NET("1", "1, 2", "1", "2, 2", "input_0_pad: {rt: 1, ct: 0, pad_value: 0.5}"),
     "x: move copy from [read(a) f32 tiled(mblock 1x2)] to x/0 f32 tiled(ublock 2x2) table [0, 1, -1x2] fill 0.5\n"},
    {"a column on the right", NET("1", "2, 1", "1", "2, 2", "input_0_pad: {rt: 0, ct: 1, pad_value: 0}"),
     "table [0, -1, 1, -1]"},
    {"of each slice", NET("2", "1, 1", "2", "2, 2", "input_0_pad: {rt: 1, ct: 1, pad_value: -2}"),
     "table [0, -1x3, 1, -1x3] fill -2\n"},
    {"a row less", NET("1", "3, 2", "1", "2, 2", "input_0_unpad: {rt: 1, ct: 0}"), "table [0..3]"},
    {"a column less", NET("2", "1, 3", "2", "1, 2", "input_0_unpad: {rt: 0, ct: 1}"), "table [0, 1, 3, 4]"},
    {"less, turned about, and more", NET("1", "2, 3", "1", "3, 2", "input_0_unpad: {rt: 0, ct: 1}, input_0_tms: [transpose], input_0_pad: {rt: 1, ct: 0, pad_value: 3}"),
     "table [0, 3, 1, 4, -1x2] fill 3\n"},
    {"by the chain", NET("1", "1, 2", "1", "2, 2", "input_0_tms: [pad: [1, 0, 0.5]]"), "table [0, 1, -1x2] fill 0.5\n"},
    {"twice, with one value", NET("1", "1, 1", "1", "2, 2", "input_0_tms: [pad: [1, 0, 0.5]], input_0_pad: {rt: 0, ct: 1, pad_value: 0.5}"),
     "table [0, -1x3] fill 0.5\n"},
    {"by nothing", NET("1", "1, 2", "1", "1, 2", "input_0_pad: {rt: 0, ct: 0, pad_value: 0.5}"), "x: await a\nx: reserve o\n"},
    {"as many tiles as there may be", NET("1", "1, 1", "1", "4096, 1024", "input_0_tms: [broadcast: {r: 4096}, broadcast: {c: 1024}]"), "table [0x4194304]\n"},
};

static const struct {
    const char *name;
    const char *head;
    const char *rule;
    const char *says;
} refusals[] = {
    {"as many rows less as there are", NET("1", "2, 2", "1", "1, 2", "input_0_unpad: {rt: 2, ct: 0}"), "RUN-004", "input 0 has 2 x 2 tiles, it cannot lose 2 x 0"},
    {"as many columns less as there are", NET("1", "2, 2", "1", "2, 1", "input_0_unpad: {rt: 0, ct: 2}"), "RUN-004", "input 0 has 2 x 2 tiles, it cannot lose 0 x 2"},
    {"a slice that does not divide", NET("1", "1, 3", "2", "1, 2", "input_0_tms: [hslice: 2]"), "RUN-004", "cannot be applied to 1 x 1 x 3 tiles"},
    {"a stack that does not divide", NET("3", "1, 1", "1", "2, 1", "input_0_tms: [vstack: 2]"), "RUN-004", "cannot be applied to 3 x 1 x 1 tiles"},
    {"a result of another shape", NET("1", "1, 2", "1", "1, 3", "input_0_tms: []"), "RUN-003", "op 'x' gives 1 x 1 x 2 tiles, its queue 'o' has 1 x 1 x 3"},
    {"of other rows", NET("1", "1, 2", "1", "2, 2", "input_0_tms: []"), "RUN-003", "op 'x' gives 1 x 1 x 2 tiles, its queue 'o' has 1 x 2 x 2"},
    {"of more slices", NET("1", "1, 2", "2", "1, 2", "input_0_tms: []"), "RUN-003", "op 'x' gives 1 x 1 x 2 tiles, its queue 'o' has 2 x 1 x 2"},
    {"padded with two values", NET("1", "1, 1", "1", "2, 2", "input_0_tms: [pad: [1, 0, 0.5]], input_0_pad: {rt: 0, ct: 1, pad_value: 1}"), "RUN-002", "input 0 is padded twice, with different values"},
    {"zeros of two signs are two values", NET("1", "1, 1", "1", "2, 2", "input_0_tms: [pad: [1, 0, 0.0]], input_0_pad: {rt: 0, ct: 1, pad_value: -0.0}"), "RUN-002", "input 0 is padded twice"},
    {"a broadcast within tiles", NET("1", "1, 1", "1", "1, 1", "input_0_tms: [tile_broadcast: r]"), "RUN-004", "input 0 has the manipulation 'tile_broadcast'"},
    {"more rows than there may be", NET("1", "1, 1", "1", "1, 1", "input_0_pad: {rt: 4194304, ct: 0, pad_value: 0}"), "RUN-008", "input 0 has 1 x 4194305 x 1 tiles, more than 4194304"},
    {"more tiles than there may be", NET("1", "1, 1", "1", "4097, 1024", "input_0_tms: [broadcast: {r: 4097}, broadcast: {c: 1024}]"), "RUN-008", "input 0 has 1 x 4097 x 1024 tiles, more than 4194304"},
};
// clang-format on

static const char run_a[] = REF_P REF_EXECUTE("g", REF_SET("a", "0", "0"));

HOIST_TEST_TABLE(padding_fills, pads)
{
    lower_test_expect(t, lower_test_print(t, lower_test_netlist(t, "grayskull", row->head, run_a)),
                      row->wanted);
}

HOIST_TEST_TABLE(chains_that_cannot_be_are_refused, refusals)
{
    const hoist_str text = lower_test_netlist(t, "grayskull", row->head, run_a);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    lower_test_netlist_with((hoist_bytes){(const uint8_t *)text.data, text.size},
                                            hoist_allocator_system(), t->diag, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, row->rule);
    if (!hoist_diag_kept(t->diag) ||
        !hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->says)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected '%s' in\n%s", row->says,
                        hoist_test_findings(t).data);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(an_input_is_what_its_chain_makes),
                HOIST_TEST_ROW(a_push_is_what_its_chain_makes), HOIST_TEST_ROW(padding_fills),
                HOIST_TEST_ROW(chains_that_cannot_be_are_refused))
