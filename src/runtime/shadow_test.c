// Marks of unknown bytes against a slow model: random programs of opaque steps and moves between
// buffers, byte by byte.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
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

// With `more` dimensions of one element around it.
static void write_view_of(model *m, const model_view *v, unsigned more)
{
    static const char ones[] = "1, 1, 1, 1, 1, 1, ";
    HOIST_ASSERT(more <= HOIST_MAX_RANK - 2);
    hoist_buffer_format(m->text, "b%u %s[%.*s%lld, %lld] by [%.*s%lld, %lld] + %lld", v->buffer,
                        hoist_dtype_get(v->dtype)->name, (int)(3 * more), ones, (long long)v->rows,
                        (long long)v->cols, (int)(3 * more), ones, (long long)v->row_stride,
                        (long long)v->col_stride, (long long)v->offset);
}

static void write_view(model *m, const model_view *v)
{
    write_view_of(m, v, 0);
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
    write_view_of(m, &to, (unsigned)below(m, HOIST_MAX_RANK - 1));
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

// Memory ------------------------------------------------------------------------------------------

enum { MOST_PAGES = 32 };

// What the system has lent to a session.
typedef struct lent {
    hoist_mut_bytes pages[MOST_PAGES];
    size_t count;
} lent;

static void note_pages(lent *l, hoist_mut_bytes pages)
{
    HOIST_ASSERT(l->count < MOST_PAGES);
    l->pages[l->count] = pages;
    l->count += pages.size > 0;
}

static bool is_mapped(hoist_mut_bytes pages)
{
    unsigned char resident = 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return mincore(pages.data - (uintptr_t)pages.data % page, 1, &resident) == 0;
}

// Of buffers, of tiles, of calls, and of the marks of each; none of them is malloc()'s, so that no
// sanitizer sees what is lost.
HOIST_TEST(a_closed_session_has_given_all_pages_back)
{
    hoist_program *program = runtime_program(
        t, "program p\nspace m\nbuffer a in m size 8192 lifetime session\n"
           "buffer b in m size 8256 lifetime session\nbuffer c in m size 64 lifetime session\n"
           "buffer d in m size 64 lifetime constant contents zero\n"
           "fifo k ram of f32 tiled() slots 2 in [b] slot_bytes 4128 tile_alignment 32 host_pop\n"
           "fifo q queue of u8[16] slots 2 in [c] slot_bytes 16 host_pop\n"
           "thread t {\nopaque x record 00 writes [a u8[8192]]\n"
           "opaque x record 00 writes [write(k) f32 tiled()]\n"
           "reserve q\nopaque x record 00 writes [write(q) u8[16]]\npush q by 1\n"
           "move copy from [d u8[64]] to a u8[64]\n}\n"
           "entry e {\nstart t\n}\n");
    for (int sequential = 0; program && sequential < 2; sequential++) {
        hoist_session *session = open_poisoned(t, program, sequential);
        lent l = {.count = 0};
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        for (uint32_t i = 0; i < program->buffer_count; i++) {
            note_pages(&l, session->store.buffers[i]);
        }
        for (uint32_t i = 0; i < program->fifo_count; i++) {
            note_pages(&l, session->store.fifos[i].pages);
        }
        for (size_t i = 0; i < session->shadow.count; i++) {
            note_pages(&l, session->shadow.regions[i].marks);
        }
        HOIST_EXPECT_EQ(t, l.count, 3 + 1 + 3); // b is but the tiles of k; d is known
        for (size_t i = 0; i < l.count; i++) {
            HOIST_EXPECT(t, is_mapped(l.pages[i]));
        }
        hoist_session_close(session);
        for (size_t i = 0; i < l.count; i++) {
            HOIST_EXPECT(t, !is_mapped(l.pages[i]));
        }
    }
    hoist_program_destroy(program);
}

// Views of nothing -------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *move;   // after an opaque step that writes all of a
    uint64_t unknown;   // bytes of c
} nothing[] = {
    {"from no byte beside",    "move copy from [b u8[0], a u8[4]] to c u8[4] table [0, 3, 2, 1]", 4},
    {"from no element beside", "move copy from [b f32[0], a f32[2]] to c f16[2] table [1, 0]", 4},
    {"from no byte",           "move copy from [b u8[0]] to c u8[4] table [-1, -1, -1, -1]", 0},
    {"no byte to no byte",     "move copy from [b u8[0]] to b u8[0]", 0},
    {"no step of no byte",     "opaque x record 00 writes [b u8[0]]", 0},
};
// clang-format on

// b, of which no byte is ever touched, gets no marks.
HOIST_TEST_TABLE(no_byte_has_no_marks, nothing)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "program p\nspace m\nbuffer a in m size 8 lifetime session\n"
        "buffer b in m size 8 lifetime session contents zero\n"
        "buffer c in m size 8 lifetime session contents zero\n"
        "thread t {\nopaque x record 00 writes [a u8[8]]\n%s\n}\nentry e {\nstart t\n}\n",
        row->move);
    hoist_program *program = runtime_program(t, text.data);
    hoist_session *session = program ? open_poisoned(t, program, true) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        const hoist_view c = {.memory = session->store.buffers[2],
                              .dtype = HOIST_DTYPE_U8,
                              .shape = {.rank = 1, .dim = {8}},
                              .stride = {1}};
        HOIST_EXPECT_EQ(t, hoist_shadow_count(&session->shadow, &c), row->unknown);
        for (size_t i = 0; i < session->shadow.count; i++) {
            const hoist_shadow_region *region = &session->shadow.regions[i];
            const bool is_b = region->base == session->store.buffers[1].data;
            HOIST_EXPECT(t, !is_b || region->marks.data == NULL);
        }
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(marks_are_those_of_a_slow_model),
                HOIST_TEST_ROW(a_closed_session_has_given_all_pages_back),
                HOIST_TEST_ROW(no_byte_has_no_marks))
