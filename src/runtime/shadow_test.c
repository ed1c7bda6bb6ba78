// Marks of unknown bytes against a slow model: random programs of opaque steps and moves between
// buffers, byte by byte.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "runtime/runtime_testing.h"

enum { BUFFERS = 4, SIZE = 96, STEPS = 30, MOST = 12 };

// Buffer BUFFERS is a constant.
typedef struct model {
    uint64_t random;
    hoist_buffer *text;
    bool unknown[BUFFERS + 1][SIZE];
} model;

// A view of `count` elements: rows of columns.
typedef struct model_view {
    unsigned buffer;
    hoist_dtype dtype;
    int64_t size;
    int64_t rows, cols;
    int64_t row_stride, col_stride, offset; // bytes
} model_view;

static uint64_t below(model *m, uint64_t limit)
{
    return hoist_test_random(&m->random) % limit;
}

static model_view random_view(model *m, unsigned buffer, int64_t count, bool written)
{
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_U8, HOIST_DTYPE_BF16, HOIST_DTYPE_F32};
    model_view v = {.buffer = buffer, .dtype = dtypes[below(m, 3)]};
    v.size = hoist_dtype_get(v.dtype)->bits / 8;
    v.rows = count % 2 == 0 && below(m, 2) ? 2 : 1;
    v.cols = count / v.rows;
    const bool gaps = v.cols * v.rows * v.size * 2 <= SIZE && below(m, 2);
    v.col_stride = gaps ? 2 * v.size : v.size;
    v.row_stride = v.cols * v.col_stride;
    if (!written && below(m, 8) == 0) {
        v.col_stride = 0;
    }
    const int64_t extent = (v.rows - 1) * v.row_stride + (v.cols - 1) * v.col_stride + v.size;
    v.offset = (int64_t)below(m, (uint64_t)(SIZE - extent + 1));
    if (below(m, 4) == 0) { // backwards
        v.offset += (v.cols - 1) * v.col_stride;
        v.col_stride = -v.col_stride;
    }
    return v;
}

static void write_view(model *m, const model_view *v)
{
    hoist_buffer_format(m->text, "b%u %s[%lld, %lld] by [%lld, %lld] + %lld", v->buffer,
                        hoist_dtype_get(v->dtype)->name, (long long)v->rows, (long long)v->cols,
                        (long long)v->row_stride, (long long)v->col_stride, (long long)v->offset);
}

static bool *bytes_at(model *m, const model_view *v, int64_t element)
{
    return &m->unknown[v->buffer][v->offset + element / v->cols * v->row_stride +
                                  element % v->cols * v->col_stride];
}

static void make_opaque(model *m)
{
    model_view to = random_view(m, (unsigned)below(m, BUFFERS), 1 + (int64_t)below(m, MOST), true);
    if (below(m, 3) == 0) { // all of it
        to = (model_view){to.buffer, HOIST_DTYPE_U8, 1, 1, SIZE, SIZE, 1, 0};
    }
    hoist_buffer_c(m->text, "opaque x record 00 writes [");
    write_view(m, &to);
    hoist_buffer_c(m->text, "]\n");
    for (int64_t i = 0; i < to.rows * to.cols; i++) {
        memset(bytes_at(m, &to, i), true, (size_t)to.size);
    }
}

// A move of one source: what element of the source each one of the destination is.
static void carry_copy(model *m, const model_view *from, const model_view *to, const int64_t *map,
                       bool converts)
{
    bool moved[MOST][4];
    const int64_t count = to->rows * to->cols;
    for (int64_t i = 0; i < count; i++) {
        memset(moved[i], false, sizeof moved[i]);
        if (map[i] < 0) {
            continue;
        }
        const bool *source = bytes_at(m, from, map[i]);
        bool any = false;
        for (int64_t k = 0; k < from->size; k++) {
            any = any || source[k];
        }
        for (int64_t k = 0; k < to->size; k++) {
            moved[i][k] = converts ? any : source[k];
        }
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(bytes_at(m, to, i), moved[i], (size_t)to->size);
    }
}

static void make_copy(model *m)
{
    const int64_t count = 1 + (int64_t)below(m, MOST);
    const model_view from = random_view(m, (unsigned)below(m, BUFFERS + 1), count, false);
    const model_view to = random_view(m, (unsigned)below(m, BUFFERS), count, true);
    const bool cast = below(m, 4) == 0;
    const uint64_t way = cast ? 2 * below(m, 2) : below(m, 3); // 1: a table, 2: a transpose
    int64_t map[MOST] = {0};
    hoist_buffer_format(m->text, "move %s from [", cast ? "cast" : "copy");
    write_view(m, &from);
    hoist_buffer_c(m->text, "] to ");
    write_view(m, &to);
    hoist_buffer_c(m->text, way == 1 ? " table [" : way == 2 ? " transpose [1, 0]" : "");
    for (int64_t i = 0; i < count; i++) {
        map[i] = way == 1   ? (int64_t)below(m, (uint64_t)count + 1) - 1
                 : way == 2 ? i % from.rows * from.cols + i / from.rows
                            : i;
        if (way == 1) {
            hoist_buffer_format(m->text, "%s%lld", i ? ", " : "", (long long)map[i]);
        }
    }
    hoist_buffer_c(m->text, way == 1 ? "]\n" : "\n");
    carry_copy(m, &from, &to, map, cast || from.dtype != to.dtype);
}

static void make_sum(model *m)
{
    static const char *const ops[] = {"fma", "add", "min", "max"};
    const int64_t count = 1 + (int64_t)below(m, MOST);
    const size_t sources = 1 + (size_t)below(m, 3);
    bool any[MOST] = {false};
    hoist_buffer_format(m->text, "move %s from [", ops[below(m, 4)]);
    for (size_t s = 0; s < sources; s++) {
        const model_view from = random_view(m, (unsigned)below(m, BUFFERS + 1), count, false);
        hoist_buffer_c(m->text, s ? ", " : "");
        write_view(m, &from);
        for (int64_t i = 0; i < count; i++) {
            const bool *source = bytes_at(m, &from, i);
            for (int64_t k = 0; k < from.size; k++) {
                any[i] = any[i] || source[k];
            }
        }
    }
    const model_view to = random_view(m, (unsigned)below(m, BUFFERS), count, true);
    hoist_buffer_c(m->text, "] to ");
    write_view(m, &to);
    hoist_buffer_c(m->text, "\n");
    for (int64_t i = 0; i < count; i++) {
        memset(bytes_at(m, &to, i), any[i], (size_t)to.size);
    }
}

static void make_program(model *m)
{
    hoist_buffer_c(m->text, "program p\nspace m\n");
    for (unsigned i = 0; i <= BUFFERS; i++) {
        hoist_buffer_format(m->text, "buffer b%u in m size %d lifetime %s contents zero\n", i, SIZE,
                            i < BUFFERS ? "session output" : "constant");
    }
    hoist_buffer_c(m->text, "thread t {\n");
    make_opaque(m);
    for (int i = 0; i < STEPS; i++) {
        const uint64_t kind = below(m, 8);
        if (kind == 0) {
            make_opaque(m);
        } else if (kind < 5) {
            make_copy(m);
        } else {
            make_sum(m);
        }
    }
    hoist_buffer_c(m->text, "}\nentry e {\nstart t\n}\n");
}

static hoist_session *open_poisoned(hoist_test *t, const hoist_program *program, bool sequential)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = 2,
                                           .sequential = sequential,
                                           .on_unknown = HOIST_UNKNOWN_POISON};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

// Bytes of the session's buffers whose marks are not the model's.
static int differing(const hoist_session *session, const model *m)
{
    int count = 0;
    for (unsigned i = 0; i <= BUFFERS; i++) {
        for (int64_t k = 0; k < SIZE; k++) {
            const hoist_view byte = {
                .memory = session->store.buffers[i], .dtype = HOIST_DTYPE_U8, .offset = k};
            count += session->store.buffers[i].data &&
                     (hoist_shadow_count(&session->shadow, &byte) == 1) != m->unknown[i][k];
        }
    }
    return count;
}

HOIST_TEST(marks_are_those_of_a_slow_model)
{
    const unsigned rounds = HOIST_TEST_ROUNDS(400);
    for (unsigned round = 0; round < rounds && t->failures == 0; round++) {
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        model m = {.random = round, .text = &text};
        make_program(&m);
        const hoist_str all = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
        hoist_program *program = runtime_program(t, all.data);
        hoist_session *session = program ? open_poisoned(t, program, round % 2) : NULL;
        if (session) {
            HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
            HOIST_EXPECT_EQ(t, differing(session, &m), 0);
        }
        if (t->failures) {
            const hoist_str found = hoist_test_findings(t);
            hoist_test_fail(t, __FILE__, __LINE__, "round %u:\n%s%.*s", round, all.data,
                            HOIST_STR_ARGS(found));
        }
        hoist_session_close(session);
        hoist_program_destroy(program);
        hoist_buffer_deinit(&text);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(marks_are_those_of_a_slow_model))
