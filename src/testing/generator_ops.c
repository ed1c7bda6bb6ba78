// Ops of generated netlists: what an op reads, with which TMs, and where its cores are.
// Facts: buda-netlist reference sections 1.5 to 1.7, 1.10, 4.1 and 5.3.
#include "base/span.h"
#include "testing/generator_state.h"

enum {
    DEST_TILES = 8,  // rule 37; half of it for Float32
    MOST_TILES = 16, // of rows, columns and slices, so that shapes stay small
};

// An op being made.
typedef struct plan {
    const char *type;
    gen_source *inputs[GEN_INPUTS];
    hoist_str tms[GEN_INPUTS]; // "" for none
    size_t input_count;
    gen_shape out;
    size_t m_k; // 1 where it does not apply
    hoist_str attributes;
    bool row_order; // ublock_order must be r
    bool may_be_gradient;
    bool is_fused;
    bool is_float32; // DEST holds Float32
} plan;

// Where inputs come from ------------------------------------------------------------------------

static void add_input(plan *p, gen_source *source, hoist_str tms)
{
    source->readers++;
    p->inputs[p->input_count] = source;
    p->tms[p->input_count++] = tms;
}

static gen_source *any_input(generator *g)
{
    gen_source *source = NULL;
    const size_t roll = gen_pick(g, 100);
    if (roll < 60) {
        source = gen_any(g, &g->ops);
    } else if (roll < 85) {
        source = gen_any(g, &g->program_queues);
    }
    source = source ? source : gen_host_queue(g, gen_shape_of(g));
    if (source->is_queue) {
        gen_use_queue(g, source);
    }
    return source;
}

static void append_tm(generator *g, hoist_str *tms, hoist_str tm)
{
    *tms = gen_text(g, "%s%s%s", tms->data, tms->size ? ", " : "", tm.data);
}

typedef enum tm_kind {
    BROADCAST_R,
    BROADCAST_C,
    BROADCAST_Z,
    HSLICE,
    VSLICE,
    HSTACK,
    VSTACK,
    TRANSPOSE,
    TM_COUNT
} tm_kind;

static void broadcast(generator *g, hoist_str *tms, char axis, size_t times)
{
    append_tm(g, tms, gen_text(g, "broadcast: {%c: %zu}", axis, times));
}

// Moves a factor of `*from` to `*to`, which slices and stacks do; no TM when nothing divides.
static void move_factor(generator *g, hoist_str *tms, const char *name, size_t *from, size_t *to)
{
    const size_t n = gen_factor(g, *from, MOST_TILES / *to);
    if (n > 1) {
        *from /= n;
        *to *= n;
        append_tm(g, tms, gen_text(g, "%s: %zu", name, n));
    }
}

static void random_tm(generator *g, gen_shape *s, hoist_str *tms, bool may_transpose)
{
    const size_t times = 2 + gen_pick(g, 2);
    switch ((tm_kind)gen_pick(g, may_transpose ? TM_COUNT : TRANSPOSE)) {
    case BROADCAST_R:
    case BROADCAST_C:
    case BROADCAST_Z: {
        size_t *const axes[] = {&s->r, &s->c, &s->z};
        const size_t axis = gen_pick(g, 3);
        if (*axes[axis] * times <= MOST_TILES) {
            *axes[axis] *= times;
            broadcast(g, tms, "rcz"[axis], times);
        }
        break;
    }
    case HSLICE:
        move_factor(g, tms, "hslice", &s->c, &s->z);
        break;
    case VSLICE:
        move_factor(g, tms, "vslice", &s->r, &s->z);
        break;
    case HSTACK:
        move_factor(g, tms, "hstack", &s->z, &s->c);
        break;
    case VSTACK:
        move_factor(g, tms, "vstack", &s->z, &s->r);
        break;
    case TRANSPOSE:
    case TM_COUNT:
        append_tm(g, tms, HOIST_STR("transpose"));
        *s = (gen_shape){s->z, s->c, s->r};
        break;
    }
}

// Any input after up to two TMs; its shape then.
static gen_shape first_input(generator *g, plan *p, bool may_transpose)
{
    gen_source *source = any_input(g);
    gen_shape shape = source->shape;
    hoist_str tms = HOIST_STR("");
    while (gen_chance(g, 30) && tms.size < 20) {
        random_tm(g, &shape, &tms, may_transpose);
        may_transpose = false;
    }
    add_input(p, source, tms);
    return shape;
}

// One axis of a parameter: whole, or 1 and broadcast.
static size_t narrowed(generator *g, hoist_str *tms, char axis, size_t size)
{
    if (size == 1 || !gen_chance(g, 40)) {
        return size;
    }
    broadcast(g, tms, axis, size);
    return 1;
}

// An operand of exactly `shape`: an op that has it, or a parameter.
static void exact_input(generator *g, plan *p, gen_shape shape)
{
    gen_source *op = gen_any(g, &g->ops);
    hoist_str tms = HOIST_STR("");
    if (op && op->shape.z == shape.z && op->shape.r == shape.r && op->shape.c == shape.c) {
        add_input(p, op, tms);
        return;
    }
    gen_shape s;
    s.r = narrowed(g, &tms, 'r', shape.r);
    s.c = narrowed(g, &tms, 'c', shape.c);
    s.z = narrowed(g, &tms, 'z', shape.z);
    add_input(p, gen_parameter(g, s), tms);
}

// The families --------------------------------------------------------------------------------

static void plan_unary(generator *g, plan *p)
{
    p->type = gen_chance(g, 50) ? "nop" : "datacopy";
    p->out = first_input(g, p, true);
    p->may_be_gradient = true;
}

static void plan_sfpu(generator *g, plan *p)
{
    static const char *const types[] = {"exp",  "gelu", "reciprocal", "sqrt", "sigmoid",
                                        "tanh", "log",  "abs",        "sine", "gelu_derivative"};
    p->type = types[gen_pick(g, HOIST_COUNT_OF(types))];
    p->out = first_input(g, p, true);
    if (gen_chance(g, 50)) {
        p->attributes = gen_text(g, "approximate_mode: %s", gen_chance(g, 50) ? "true" : "false");
    }
}

static void plan_binary(generator *g, plan *p)
{
    static const char *const types[] = {"add", "subtract", "multiply", "maximum"};
    const size_t type = gen_pick(g, HOIST_COUNT_OF(types));
    p->type = types[type];
    p->out = first_input(g, p, false);
    exact_input(g, p, p->out);
    p->may_be_gradient = type == 2; // the one that grayskull has as well
    if (gen_chance(g, 20)) {
        p->attributes = HOIST_STR("relu_en: true, relu_mode: min, relu_threshold: 0.5");
    }
}

static void plan_matmul(generator *g, plan *p)
{
    p->type = "matmul";
    p->row_order = true;
    const gen_shape in = first_input(g, p, false);
    const size_t u_kt = gen_factor(g, in.c, MOST_TILES);
    p->m_k = in.c / u_kt;
    p->out = (gen_shape){in.z, in.r, gen_shape_of(g).c};
    hoist_str tms = HOIST_STR("");
    gen_shape weights = {1, in.c, p->out.c};
    weights.z = narrowed(g, &tms, 'z', in.z);
    add_input(p, gen_parameter(g, weights), tms);
    p->attributes = gen_text(g, "m_k: %zu, u_kt: %zu", p->m_k, u_kt);
    p->may_be_gradient = true;
    if (gen_chance(g, 30)) {
        exact_input(g, p, p->out);
        p->attributes = gen_text(g, "%s, bias: true", p->attributes.data);
    } else if (g->arch->stacks_in_l1 && g->formats->wide_exponent && gen_chance(g, 15)) {
        p->attributes = gen_text(g, "%s, l1_acc: true", p->attributes.data);
    }
}

static void plan_reduce(generator *g, plan *p)
{
    const bool rows = gen_chance(g, 50);
    p->type = "reduce";
    p->row_order = true;
    p->out = first_input(g, p, false);
    size_t *const axis = rows ? &p->out.r : &p->out.c;
    const size_t u_kt = gen_factor(g, *axis, MOST_TILES);
    p->attributes = gen_text(g, "dim: %s, type: max, m_k: %zu, u_kt: %zu", rows ? "r" : "c",
                             *axis / u_kt, u_kt);
    *axis = 1;
}

static void plan_fused(generator *g, plan *p)
{
    p->type = "fused_op";
    p->out = first_input(g, p, false);
    exact_input(g, p, p->out);
    p->attributes = gen_text(g, "fused_op_id: f%zu", g->op_count);
    p->is_fused = true;
}

static const struct {
    void (*make)(generator *g, plan *p);
    size_t weight;
} families[] = {
    {plan_unary, 20},  {plan_sfpu, 20},  {plan_binary, 25},
    {plan_matmul, 20}, {plan_reduce, 8}, {plan_fused, 7},
};

static void plan_any(generator *g, plan *p)
{
    size_t roll = gen_pick(g, 100);
    size_t i = 0;
    while (roll >= families[i].weight) {
        roll -= families[i++].weight;
    }
    families[i].make(g, p);
}

// Places ----------------------------------------------------------------------------------------

static bool is_free(const generator *g, size_t row, size_t column, size_t rows, size_t columns)
{
    if (row + rows > GEN_ROWS || column + columns > GEN_COLUMNS) {
        return false;
    }
    for (size_t r = row; r < row + rows; r++) {
        for (size_t c = column; c < column + columns; c++) {
            if (g->taken[r][c]) {
                return false;
            }
        }
    }
    return true;
}

// Takes the first free rectangle from a random cell on; false when there is none.
static bool take_cells(generator *g, size_t rows, size_t columns, size_t *out_cell)
{
    const size_t start = gen_pick(g, (size_t)GEN_ROWS * GEN_COLUMNS);
    for (size_t i = 0; i < (size_t)GEN_ROWS * GEN_COLUMNS; i++) {
        const size_t cell = (start + i) % ((size_t)GEN_ROWS * GEN_COLUMNS);
        if (!is_free(g, cell / GEN_COLUMNS, cell % GEN_COLUMNS, rows, columns)) {
            continue;
        }
        for (size_t k = 0; k < rows * columns; k++) {
            g->taken[cell / GEN_COLUMNS + k / columns][cell % GEN_COLUMNS + k % columns] = true;
        }
        *out_cell = cell;
        return true;
    }
    return false;
}

static void place_op(generator *g, const plan *p, gen_source *op)
{
    const size_t dest = p->is_float32 ? DEST_TILES / 2 : DEST_TILES;
    const bool transposed = gen_chance(g, 10);
    size_t cell = 0;
    op->block = gen_cut(g, p->out, 4, dest);
    const gen_block *b = &op->block;
    if (!take_cells(g, transposed ? b->columns : b->rows, transposed ? b->rows : b->columns,
                    &cell)) {
        op->block = gen_cut(g, p->out, 1, dest);
        (void)take_cells(g, 1, 1, &cell); // gen_op saw that one is free
    }
    hoist_text_set(g->arena, op->node, "grid_loc", "[%zu, %zu]", cell / GEN_COLUMNS,
                   cell % GEN_COLUMNS);
    hoist_text_set(g->arena, op->node, "grid_size", "[%zu, %zu]", b->rows, b->columns);
    if (transposed) {
        hoist_text_set(g->arena, op->node, "grid_transpose", "true");
    }
}

// Writing ---------------------------------------------------------------------------------------

static void write_inputs(generator *g, const plan *p, hoist_text_node *node)
{
    hoist_str names = HOIST_STR("");
    hoist_str dfs = HOIST_STR("");
    for (size_t i = 0; i < p->input_count; i++) {
        append_tm(g, &names, p->inputs[i]->name);
        append_tm(g, &dfs, hoist_str_from(p->inputs[i]->df));
        if (p->tms[i].size) {
            const hoist_str key = gen_text(g, "input_%zu_tms", i);
            hoist_text_set(g->arena, node, key.data, "[%s]", p->tms[i].data);
        }
    }
    hoist_text_set(g->arena, node, "inputs", "[%s]", names.data);
    hoist_text_set(g->arena, node, "in_df", "[%s]", dfs.data);
}

static void write_formats(generator *g, const plan *p, gen_source *op, bool gradient)
{
    const char *const wide = g->formats->wide;
    op->df = gradient || gen_chance(g, 70) ? wide : g->formats->narrow;
    hoist_text_set(g->arena, op->node, "acc_df", "%s", p->is_float32 ? "Float32" : wide);
    hoist_text_set(g->arena, op->node, "out_df", "%s", op->df);
    hoist_text_set(g->arena, op->node, "intermed_df", "%s", wide);
}

static void write_block(generator *g, const plan *p, const gen_source *op)
{
    static const char *const fidelities[] = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
    const gen_block *b = &op->block;
    // Rule 60b: half the buffer divides t or is divided by it.
    const size_t buffers = b->t % 2 == 0 && gen_chance(g, 20) ? 4 : 1 + gen_pick(g, 2);
    hoist_text_set(g->arena, op->node, "math_fidelity", "%s",
                   fidelities[gen_pick(g, HOIST_COUNT_OF(fidelities))]);
    hoist_text_set(g->arena, op->node, "buf_size_mb", "%zu", buffers);
    hoist_text_set(g->arena, op->node, "ublock_order", "%s",
                   p->row_order || gen_chance(g, 70) ? "r" : "c");
    hoist_text_set(g->arena, op->node, "t", "%zu", b->t);
    hoist_text_set(g->arena, op->node, "mblock", "[%zu, %zu]", b->m, b->n);
    hoist_text_set(g->arena, op->node, "ublock", "[%zu, %zu]", b->rt, b->ct);
    if (p->attributes.size) {
        hoist_text_set(g->arena, op->node, "attributes", "{%s}", p->attributes.data);
    }
}

// Two sub-ops that pass on through dest, each with the base op's block.
static void write_fused(generator *g, const gen_source *op)
{
    static const char *const binary[] = {"add", "subtract", "multiply"};
    static const char *const unary[] = {"exp", "sqrt", "sigmoid", "nop"};
    const gen_block *b = &op->block;
    const hoist_str block =
        gen_text(g, "mblock: [%zu, %zu], ublock: [%zu, %zu]", b->m, b->n, b->rt, b->ct);
    if (!g->fused) {
        g->fused = hoist_text_add(g->arena, g->root, HOIST_TEXT_MAP, HOIST_STR("fused_ops"));
    }
    hoist_text_node *node =
        hoist_text_add(g->arena, g->fused, HOIST_TEXT_FLOW_MAP, gen_text(g, "f%zu", g->op_count));
    hoist_text_set(g->arena, node, "inputs", "2");
    hoist_text_set(g->arena, node, "intermediates", "0");
    hoist_text_set(g->arena, node, "schedules",
                   "[[a: {type: %s, inputs: [input0, input1], %s, output: dest}, "
                   "b: {type: %s, inputs: [dest], %s, output: output}]]",
                   binary[gen_pick(g, HOIST_COUNT_OF(binary))], block.data,
                   unary[gen_pick(g, HOIST_COUNT_OF(unary))], block.data);
}

bool gen_op(generator *g)
{
    bool space = false;
    for (size_t i = 0; i < (size_t)GEN_ROWS * GEN_COLUMNS; i++) {
        space = space || !g->taken[i / GEN_COLUMNS][i % GEN_COLUMNS];
    }
    if (!space) {
        return false;
    }
    plan p = {.m_k = 1, .attributes = HOIST_STR("")};
    plan_any(g, &p);
    const bool gradient = p.may_be_gradient && gen_chance(g, 12);
    p.is_float32 = g->arch->float32 && g->formats->wide_exponent && !p.is_fused && !gradient &&
                   !hoist_str_contains(p.attributes, "l1_acc") && gen_chance(g, 15);
    gen_source *op = gen_add_source(g, &g->ops, gen_text(g, "%s_%zu", p.type, g->op_count), p.out);
    op->m_k = p.m_k;
    op->node = hoist_text_add(g->arena, g->graph, HOIST_TEXT_FLOW_MAP, op->name);
    hoist_text_set(g->arena, op->node, "type", "%s", p.type);
    place_op(g, &p, op);
    write_inputs(g, &p, op->node);
    write_formats(g, &p, op, gradient);
    write_block(g, &p, op);
    if (p.is_fused) {
        write_fused(g, op);
    }
    if (gradient) {
        hoist_text_set(g->arena, op->node, "gradient_op", "true");
        gen_gradient_ram(g, op);
    }
    g->op_count++;
    return true;
}
