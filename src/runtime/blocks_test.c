// Sessions that do groups of steps block by block against sessions that do every step by itself:
// the same bytes, whoever works and in whatever order.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "program/text.h"
#include "program/verify.h"
#include "runtime/blocks.h"
#include "runtime/runtime_testing.h"

// Matrices of float32 in rows of 256 elements, so that views may be moved in them. The caller has
// all bytes of the first buffers, and none of the others.
enum { NAMED = 4, BUFFERS = 8, PITCH = 1024 };

typedef struct generator {
    hoist_buffer out;
    uint64_t random;
    uint64_t rows;
    uint64_t columns;
} generator;

static uint64_t choose(generator *g, uint64_t count)
{
    return hoist_test_random(&g->random) % count;
}

static void add_buffers(generator *g, unsigned long long size)
{
    hoist_buffer_format(&g->out, "program p\nspace m\n");
    for (int i = 0; i < BUFFERS; i++) {
        hoist_buffer_format(&g->out, "buffer x%d in m size %llu lifetime %s contents zero\n", i,
                            size, i < NAMED ? "session" : "run");
    }
    for (int i = 0; i < NAMED; i++) {
        hoist_buffer_format(&g->out, "port x%d in x%d of u8[%llu] result\n", i, i, size);
    }
}

typedef struct place {
    uint64_t buffer;
    uint64_t shift; // bytes
} place;

static place choose_place(generator *g)
{
    return (place){choose(g, BUFFERS), choose(g, 6) > 0 ? 0 : 4 * choose(g, 3)};
}

static void add_view(generator *g, place at, uint64_t columns, int row, int column)
{
    hoist_buffer_format(&g->out, "x%d f32[%llu, %llu] by [%d, %d] + %llu", (int)at.buffer,
                        (unsigned long long)g->rows, (unsigned long long)columns, row, column,
                        (unsigned long long)at.shift);
}

// The elements, one for each row, or the same row or element for all. What is written where it is
// read is read as it is written, or not at all.
static void add_input(generator *g, place to, uint64_t columns, bool folds)
{
    place from = choose_place(g);
    uint64_t kind = choose(g, 4) > 0 ? 0 : 1 + choose(g, 3);
    if (from.buffer == to.buffer) {
        kind = 0;
        from.shift = to.shift;
        from.buffer = folds ? (to.buffer + 1) % BUFFERS : to.buffer;
    }
    add_view(g, from, columns, kind == 1 || kind == 3 ? 0 : PITCH, kind >= 2 ? 0 : 4);
}

// A product of matrices in two other buffers.
static void add_product(generator *g)
{
    const place to = choose_place(g);
    const unsigned long long terms = 1 + choose(g, g->rows < 40 ? g->rows : 40);
    const int first = (int)((to.buffer + 1 + choose(g, BUFFERS - 1)) % BUFFERS);
    const int second = (int)((to.buffer + 1 + choose(g, BUFFERS - 1)) % BUFFERS);
    hoist_buffer_format(&g->out,
                        "compute ark.matmul(transpose_a 0, transpose_b 0) from [x%d f32[%llu, "
                        "%llu] by [%d, 4], x%d f32[%llu, %llu] by [%d, 4]] to [",
                        first, (unsigned long long)g->rows, terms, PITCH, second, terms,
                        (unsigned long long)g->columns, PITCH);
    add_view(g, to, g->columns, PITCH, 4);
    hoist_buffer_c(&g->out, "]\n");
}

static void add_step(generator *g)
{
    static const char *const unary[] = {"exp", "gelu", "relu", "sigmoid", "sqrt", "rsqrt"};
    static const char *const binary[] = {"add", "subtract", "multiply", "divide", "rope"};
    static const char *const folds[] = {"sum", "mean", "max"};
    const uint64_t kind = choose(g, 8);
    if (choose(g, 6) == 0) {
        add_product(g);
        return;
    }
    const place to = choose_place(g);
    const uint64_t columns = kind == 3 ? 1 : g->columns; // of a value for each row
    if (kind < 3) {
        hoist_buffer_format(&g->out, "compute ark.%s from [", unary[choose(g, 6)]);
    } else if (kind < 7) {
        hoist_buffer_format(&g->out, "compute ark.%s from [", binary[choose(g, kind == 3 ? 4 : 5)]);
        add_input(g, to, columns, false);
        hoist_buffer_c(&g->out, ", ");
    } else {
        hoist_buffer_format(&g->out, "compute ark.reduce_%s(axis 1, keep_dims 1) from [",
                            folds[choose(g, 3)]);
    }
    add_input(g, to, columns, kind == 7);
    hoist_buffer_c(&g->out, "] to [");
    add_view(g, to, kind == 7 ? 1 : columns, PITCH, 4);
    hoist_buffer_c(&g->out, "]\n");
}

// NULL: the verifier refuses the program.
static hoist_program *parse(hoist_test *t, generator *g)
{
    hoist_program *program = NULL;
    const hoist_str text = hoist_buffer_text(&g->out);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    hoist_diag *own = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &own), HOIST_OK);
    if (program && (hoist_program_verify(program, own) != HOIST_OK ||
                    hoist_diag_count(own, HOIST_ERROR) > 0)) {
        hoist_program_destroy(program);
        program = NULL;
    }
    hoist_diag_destroy(own);
    hoist_buffer_deinit(&g->out);
    return program;
}

static hoist_program *generate(hoist_test *t, uint64_t seed)
{
    static const uint64_t rows[] = {1, 3, 70, 200};
    generator g = {.random = seed};
    hoist_buffer_init(&g.out, hoist_allocator_system());
    g.rows = rows[choose(&g, 4)];
    g.columns = 2 + 2 * choose(&g, 120);
    add_buffers(&g, g.rows * PITCH);
    hoist_buffer_c(&g.out, "thread main {\n");
    for (uint64_t i = 2 + choose(&g, 8); i > 0; i--) {
        add_step(&g);
    }
    hoist_buffer_c(&g.out, "}\nentry run {\nstart main\n}\n");
    return parse(t, &g);
}

// A product in batches [2, 3], of numbers of any type, and what goes on with it: from 1 to 5 steps.
typedef struct product_sizes {
    unsigned long long m, n, k;
} product_sizes;

// An operand of the shape of the product: without gaps, or stretched along some dimensions.
static void add_value(generator *g, const char *type, int buffer, const product_sizes *p,
                      uint64_t stretched)
{
    const unsigned long long size = strcmp(type, "f32") == 0 ? 4 : 2;
    const unsigned long long stride[] = {3 * p->m * p->n * size, p->m * p->n * size, p->n * size,
                                         size};
    hoist_buffer_format(&g->out, "x%d %s[2, 3, %llu, %llu] by [", buffer, type, p->m, p->n);
    for (int i = 0; i < 4; i++) {
        hoist_buffer_format(&g->out, "%s%llu", i ? ", " : "", stretched >> i & 1 ? 0 : stride[i]);
    }
    hoist_buffer_c(&g->out, "]");
}

static void add_follower(generator *g, const char *type, int last, int to, const product_sizes *p)
{
    static const char *const unary[] = {"exp", "gelu", "relu", "sigmoid"};
    static const char *const binary[] = {"add", "subtract", "multiply", "divide"};
    const bool is_binary = choose(g, 2) > 0;
    const int other = (int)choose(g, BUFFERS);
    hoist_buffer_format(&g->out, "compute ark.%s from [",
                        is_binary ? binary[choose(g, 4)] : unary[choose(g, 4)]);
    add_value(g, type, last, p, 0);
    if (is_binary) {
        hoist_buffer_c(&g->out, ", ");
        add_value(g, type, other, p, other == to || choose(g, 2) > 0 ? 0 : choose(g, 16));
    }
    hoist_buffer_c(&g->out, "] to [");
    add_value(g, type, to, p, 0);
    hoist_buffer_c(&g->out, "]\n");
}

static void add_cast(generator *g, const char *from, const char *to, int last, int buffer,
                     const product_sizes *p)
{
    hoist_buffer_c(&g->out, "compute ark.cast from [");
    add_value(g, from, last, p, 0);
    hoist_buffer_c(&g->out, "] to [");
    add_value(g, to, buffer, p, 0);
    hoist_buffer_c(&g->out, "]\n");
}

static hoist_program *generate_product(hoist_test *t, uint64_t seed)
{
    static const unsigned long long sizes[] = {1, 2, 17, 70, 130, 270};
    static const char *const types[] = {"f32", "f16", "bf16"};
    generator g = {.random = seed};
    const product_sizes p = {sizes[choose(&g, 6)], sizes[choose(&g, 6)], sizes[choose(&g, 4)]};
    const char *type = types[choose(&g, 3)];
    const unsigned long long most = p.m > p.n ? p.m : p.n;
    const bool is_fast = strcmp(type, "bf16") == 0 && choose(&g, 2) > 0;
    int last = (int)(2 + choose(&g, BUFFERS - 2));
    hoist_buffer_init(&g.out, hoist_allocator_system());
    add_buffers(&g, 6 * (p.m * p.n + most * p.k) * 4);
    hoist_buffer_format(&g.out,
                        "thread main {\ncompute %s.matmul(transpose_a 0, transpose_b 1) from "
                        "[x0 %s[2, 3, %llu, %llu], x1 %s[2, 3, %llu, %llu]] to [",
                        is_fast ? "fast" : "ark", type, p.m, p.k, type, p.n, p.k);
    add_value(&g, type, last, &p, 0);
    hoist_buffer_c(&g.out, "]\n");
    for (uint64_t i = 1 + choose(&g, 5); i > 0; i--) {
        const int to = choose(&g, 3) > 0 ? (int)(2 + choose(&g, BUFFERS - 2)) : last;
        const char *next = types[choose(&g, 3)];
        if (to != last && choose(&g, 4) == 0 && next != type) {
            add_cast(&g, type, next, last, to, &p);
            type = next;
        } else {
            add_follower(&g, type, last, to, &p);
        }
        last = to;
    }
    hoist_buffer_c(&g.out, "}\nentry run {\nstart main\n}\n");
    return parse(t, &g);
}

// A message from one thread to another, or to itself, that lands without gaps, with gaps between
// its rows, or transposed, and what goes on with it before its slot is given back.
static hoist_program *generate_message(hoist_test *t, uint64_t seed)
{
    static const char *const types[] = {"f32", "bf16"};
    enum { ROWS = 90, COLUMNS = 70, STEPS = 3 };
    generator g = {.random = seed};
    const bool is_own = choose(&g, 3) == 0;
    const int kind = (int)choose(&g, 3);
    const char *type = types[choose(&g, 2)];
    const int size = strcmp(type, "f32") == 0 ? 4 : 2;
    const int row = kind == 2 ? size : (COLUMNS + kind) * size;
    const int column = kind == 2 ? ROWS * size : size;
    const uint64_t landing = 1 + choose(&g, BUFFERS - 1);
    hoist_buffer_init(&g.out, hoist_allocator_system());
    add_buffers(&g, ROWS * (COLUMNS + 1) * 4);
    hoist_buffer_format(&g.out, "buffer w in m size %d lifetime run\n", ROWS * COLUMNS * size);
    hoist_buffer_format(&g.out, "fifo q queue of %s[%d, %d] slots 1 in [w] slot_bytes %d\n", type,
                        ROWS, COLUMNS, ROWS * COLUMNS * size);
    hoist_buffer_format(&g.out,
                        "thread main {\nreserve q\nmove copy from [x0 %s[%d, %d]] to write(q) "
                        "%s[%d, %d]\npush q by 1\n",
                        type, ROWS, COLUMNS, type, ROWS, COLUMNS);
    hoist_buffer_c(&g.out, is_own ? "" : "}\nthread second {\n");
    hoist_buffer_format(
        &g.out, "await q\nmove copy from [read(q) %s[%d, %d]] to x%d %s[%d, %d] by [%d, %d]\n",
        type, ROWS, COLUMNS, (int)landing, type, ROWS, COLUMNS, row, column);
    for (uint64_t i = 1 + choose(&g, STEPS); i > 0; i--) {
        const int first = is_own ? 0 : 1;
        const int to = first + (int)choose(&g, BUFFERS - (uint64_t)first);
        hoist_buffer_format(&g.out,
                            "compute ark.add from [x%d %s[%d, %d] by [%d, %d], x%d %s[%d, %d] by "
                            "[%d, %d]] to [x%d %s[%d, %d] by [%d, %d]]\n",
                            (int)landing, type, ROWS, COLUMNS, row, column, to, type, ROWS, COLUMNS,
                            row, column, to, type, ROWS, COLUMNS, row, column);
    }
    hoist_buffer_format(&g.out, "advance q by 1\npop q by 1\n}\nentry run {\nstart main\n%s}\n",
                        is_own ? "" : "start second\n");
    return parse(t, &g);
}

// Runs twice, as buffers are kept, and gives all bytes of the ports; NULL: the run failed.
static uint8_t *run(hoist_test *t, const hoist_program *program,
                    const hoist_session_options *options, size_t size, hoist_group_plan *out_plan)
{
    hoist_session *session = NULL;
    uint8_t *bytes = hoist_alloc_zero(hoist_allocator_system(), NAMED, size);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &session), HOIST_OK);
    if (!session || !bytes) {
        hoist_free(hoist_allocator_system(), bytes, NAMED * size);
        return NULL;
    }
    for (size_t i = 0; i < NAMED; i++) {
        const hoist_port port = hoist_program_port(program, program->fifo_count + i);
        runtime_write_noise(t, session, &port, i);
    }
    hoist_status status = runtime_run(session, "run");
    status = status == HOIST_OK ? runtime_run(session, "run") : status;
    for (size_t i = 0; status == HOIST_OK && i < NAMED; i++) {
        const hoist_port port = hoist_program_port(program, program->fifo_count + i);
        const hoist_str name = hoist_arena_str(&t->arena, port.name);
        HOIST_EXPECT_EQ(t,
                        hoist_session_read(session, name.data, 0, HOIST_DTYPE_U8,
                                           (hoist_mut_bytes){bytes + i * size, size}),
                        HOIST_OK);
    }
    *out_plan = session->groups; // for its counts
    hoist_session_close(session);
    if (status != HOIST_OK) {
        hoist_free(hoist_allocator_system(), bytes, NAMED * size);
        return NULL;
    }
    return bytes;
}

#define OPTIONS(...)                                                                               \
    {                                                                                              \
        .struct_size = sizeof(hoist_session_options), __VA_ARGS__                                  \
    }

// Without fusion there is no group; with it all bytes are those.
static void expect_same(hoist_test *t, const char *kind, uint64_t seed,
                        const hoist_program *program, hoist_group_plan *plan)
{
    const hoist_prog_step *first = &program->threads[0].code.steps[0];
    const bool is_fast =
        first->kind == HOIST_STEP_COMPUTE && first->as.compute->op == HOIST_FAST_MATMUL;
    static const hoist_session_options alone = OPTIONS(.sequential = true, .no_fusion = true);
    static const char *const reads[] = {"x0", "x1", "x2", "x3"};
    static const hoist_session_options others[] = {
        OPTIONS(.threads = 2, .reads = reads, .read_count = HOIST_COUNT_OF(reads)),
        OPTIONS(.sequential = true),
        OPTIONS(.threads = 1),
        OPTIONS(.threads = 2),
        OPTIONS(.threads = 4),
        OPTIONS(.schedule = HOIST_RUN_RANDOM, .seed = 7),
        OPTIONS(.sequential = true, .max_cpu_level = 1),
    };
    // The bits of the profile fast are those of the level.
    const size_t ways = HOIST_COUNT_OF(others) - (is_fast ? 1 : 0);
    const size_t size = (size_t)program->buffers[0].size;
    hoist_group_plan none = {.count = 0};
    uint8_t *expected = run(t, program, &alone, size, &none);
    HOIST_EXPECT_EQ(t, none.count, 0);
    for (size_t i = 0; i < ways; i++) {
        hoist_test_row(t, hoist_arena_format(&t->arena, "%s, seed %llu, way %zu", kind,
                                             (unsigned long long)seed, i)
                              .data);
        uint8_t *found = run(t, program, &others[i], size, plan);
        HOIST_EXPECT_EQ(t, found != NULL, expected != NULL);
        HOIST_EXPECT(t, !found || !expected || memcmp(found, expected, NAMED * size) == 0);
        hoist_free(hoist_allocator_system(), found, found ? NAMED * size : 0);
    }
    hoist_free(hoist_allocator_system(), expected, expected ? NAMED * size : 0);
}

// clang-format off
// Kinds of programs; more than one in `grouped` has a group, one in `local` a value that is not stored.
static const struct {
    const char *name;
    hoist_program *(*generate)(hoist_test *t, uint64_t seed);
    size_t count;
    bool is_short; // all seeds, also where HOIST_TEST_ROUNDS has fewer: those few need not have a group
    size_t grouped, local;
} kinds[] = {
    {"chains",   generate,         60, false, 4, 30},
    {"products", generate_product, 30, false, 2,  4},
    {"messages", generate_message, 20, true,  2, 10},
};
// clang-format on

HOIST_TEST_TABLE(generated, kinds)
{
    const size_t count = row->is_short ? row->count : (size_t)HOIST_TEST_ROUNDS(row->count);
    size_t grouped = 0;
    size_t with_locals = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        hoist_program *program = row->generate(t, seed);
        hoist_group_plan plan = {.count = 0};
        if (program) {
            expect_same(t, row->name, seed, program, &plan);
        }
        grouped += plan.count > 0;
        with_locals += plan.local_count > 0;
        hoist_program_destroy(program);
    }
    hoist_test_row(t, row->name);
    HOIST_EXPECT(t, grouped > count / row->grouped);
    HOIST_EXPECT(t, with_locals > count / row->local);
}

#define CHAIN                                                                                      \
    "program p\nspace m\n"                                                                         \
    "buffer x in m size 16384 lifetime session contents zero\n"                                    \
    "buffer y in m size 16384 lifetime session contents zero\n"                                    \
    "buffer z in m size 16384 lifetime session contents zero\n"                                    \
    "port x in x of f32[4096]\n"                                                                   \
    "port y in y of f32[4096]\n"                                                                   \
    "port z in z of f32[4096] result\n"                                                            \
    "thread main {\n"                                                                              \
    "compute ark.exp from [x f32[4096]] to [y f32[4096]]\n"                                        \
    "compute ark.relu from [y f32[4096]] to [z f32[4096]]\n"                                       \
    "}\nentry run {\nstart main\n}\n"

// clang-format off
static const struct {
    const char *name;
    const char *reads[2];
    size_t count;
    hoist_status opened;
    size_t locals;
    hoist_status read[3]; // of x, y and z
} choices[] = {
    {"the end of the chain", {"z"},      1, HOIST_OK,      1, {HOIST_NOT_FOUND, HOIST_NOT_FOUND, HOIST_OK}},
    {"and what is between",  {"z", "y"}, 2, HOIST_OK,      0, {HOIST_NOT_FOUND, HOIST_OK, HOIST_OK}},
    {"the input",            {"x"},      1, HOIST_OK,      2, {HOIST_OK, HOIST_NOT_FOUND, HOIST_NOT_FOUND}},
    {"nothing",              {"x"},      0, HOIST_OK,      2, {HOIST_NOT_FOUND, HOIST_NOT_FOUND, HOIST_NOT_FOUND}},
    {"no such port",         {"z", "w"}, 2, HOIST_INVALID, 0, {HOIST_OK}},
};
// clang-format on

HOIST_TEST_TABLE(ports_that_are_read, choices)
{
    static const char *const ports[] = {"x", "y", "z"};
    hoist_program *program = runtime_program(t, CHAIN);
    hoist_session *session = NULL;
    const hoist_session_options options =
        OPTIONS(.sequential = true, .reads = row->reads, .read_count = row->count);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), row->opened);
    if (session) {
        HOIST_EXPECT_EQ(t, session->groups.local_count, row->locals);
        HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
        for (size_t i = 0; i < HOIST_COUNT_OF(ports); i++) {
            float values[4096] = {-1};
            const hoist_mut_bytes bytes = {(uint8_t *)values, sizeof values};
            HOIST_EXPECT_EQ(t, hoist_session_read(session, ports[i], 0, HOIST_DTYPE_F32, bytes),
                            row->read[i]);
            HOIST_EXPECT(t, row->read[i] != HOIST_OK || values[0] == (i > 0 ? 1 : 0));
        }
    } else {
        HOIST_EXPECT_RULE(t, "RUN-107");
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A limit of memory that leaves none for blocks: everything is stored.
HOIST_TEST(blocks_without_memory)
{
    hoist_program *program = runtime_program(t, CHAIN);
    static const char *const reads[] = {"z"};
    for (int i = 0; program && i < 2; i++) {
        hoist_session *session = NULL;
        float values[4096] = {-1};
        const hoist_session_options options =
            OPTIONS(.sequential = true, .reads = reads, .read_count = 1,
                    .max_memory = i ? 3 * 16384 : 0);
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
        if (session) {
            HOIST_EXPECT_EQ(t, session->scratch.each, i ? 0 : 16384);
            HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
            HOIST_EXPECT_EQ(t,
                            hoist_session_read(session, "z", 0, HOIST_DTYPE_F32,
                                               (hoist_mut_bytes){(uint8_t *)values, sizeof values}),
                            HOIST_OK);
            HOIST_EXPECT(t, values[0] == 1 && values[4095] == 1);
        }
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(generated), HOIST_TEST_ROW(ports_that_are_read),
                HOIST_TEST_ROW(blocks_without_memory))
