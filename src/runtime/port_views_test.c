// Ports that are views: what a caller fills and fetches through strides, and what has to be there
// before the first run.
#include <string.h>

#include "runtime/runtime_testing.h"

#define BEGIN "program p\nspace m\n"

// A matrix of float32, [4, 4], that each run doubles, and ports that share its bytes.
#define MATRIX                                                                                     \
    BEGIN                                                                                          \
    "buffer x in m size 64 lifetime session contents zero\n"                                       \
    "port all in x of f32[4, 4] result note \"buffer 3, FP32 [4,4]\"\n"                            \
    "port top in x of f32[2, 4] note \"buffer 3, FP32 [2,4], first read by add\"\n"                \
    "port low in x of f32[2, 4] offset 32\n"                                                       \
    "port right in x of f32[4, 2] by [16, 4] offset 8\n"                                           \
    "port columns in x of f32[4, 4] by [4, 16]\n"                                                  \
    "port back in x of f32[16] by [-4] offset 60\n"                                                \
    "port odd in x of f32[2, 2] by [32, 8] offset 4\n"                                             \
    "port halves in x of u16[2] by [2] offset 30\n"                                                \
    "thread main {\nmove fma from [x f32[16] scale 2] to x f32[16]\n}\n"                           \
    "entry run {\nstart main\n}\n"

static hoist_session *open_matrix(hoist_test *t, const char *rest, hoist_program **out_program)
{
    *out_program = runtime_program(t, hoist_arena_format(&t->arena, MATRIX "%s", rest).data);
    return *out_program ? runtime_open(t, *out_program, &(runtime_mode){"sequential", 0, true})
                        : NULL;
}

static void close_matrix(hoist_session *session, hoist_program *program)
{
    hoist_session_close(session);
    hoist_program_destroy(program);
}

static hoist_status write_port(hoist_session *session, const char *name, const float *elements,
                               size_t count)
{
    return hoist_session_write(session, name, 0, HOIST_DTYPE_F32,
                               (hoist_bytes){(const uint8_t *)elements, count * sizeof *elements});
}

static hoist_status read_port(hoist_session *session, const char *name, float *elements,
                              size_t count)
{
    return hoist_session_read(session, name, 0, HOIST_DTYPE_F32,
                              (hoist_mut_bytes){(uint8_t *)elements, count * sizeof *elements});
}

// Fills a port with 1, 2, 3 ... over a matrix of -1.
static const struct {
    const char *name; // of the port
    size_t count;
    float matrix[16];
} fills[] = {
    {"all", 16, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
    {"top", 8, {1, 2, 3, 4, 5, 6, 7, 8, -1, -1, -1, -1, -1, -1, -1, -1}},
    {"low", 8, {-1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8}},
    {"right", 8, {-1, -1, 1, 2, -1, -1, 3, 4, -1, -1, 5, 6, -1, -1, 7, 8}},
    {"columns", 16, {1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 16}},
    {"back", 16, {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
    {"odd", 4, {-1, 1, -1, 2, -1, -1, -1, -1, -1, 3, -1, 4, -1, -1, -1, -1}},
};

HOIST_TEST_TABLE(elements_go_through_strides, fills)
{
    hoist_program *program = NULL;
    hoist_session *s = open_matrix(t, "", &program);
    float elements[16];
    float back[16] = {0};
    for (int i = 0; i < 16; i++) {
        elements[i] = -1;
    }
    HOIST_EXPECT_EQ(t, write_port(s, "all", elements, 16), HOIST_OK);
    for (int i = 0; i < 16; i++) {
        elements[i] = (float)(i + 1);
    }
    HOIST_EXPECT_EQ(t, write_port(s, row->name, elements, row->count), HOIST_OK);
    HOIST_EXPECT_EQ(t, read_port(s, row->name, back, row->count), HOIST_OK);
    HOIST_EXPECT(t, memcmp(back, elements, row->count * sizeof *back) == 0);
    HOIST_EXPECT_EQ(t, read_port(s, "all", back, 16), HOIST_OK);
    HOIST_EXPECT(t, memcmp(back, row->matrix, sizeof back) == 0);
    HOIST_EXPECT_EQ(t, hoist_session_available(s, row->name), 1);
    // One element less or more, and another slot, are refused and change nothing.
    HOIST_EXPECT_EQ(t, write_port(s, row->name, elements, row->count - 1), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, read_port(s, row->name, back, row->count - 1), HOIST_INVALID);
    const hoist_bytes all = {(const uint8_t *)elements, row->count * sizeof *elements};
    HOIST_EXPECT_EQ(t, hoist_session_write(s, row->name, 1, HOIST_DTYPE_F32, all), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, row->name, 0, HOIST_DTYPE_I32, all), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, read_port(s, "all", back, 16), HOIST_OK);
    HOIST_EXPECT(t, memcmp(back, row->matrix, sizeof back) == 0);
    close_matrix(s, program);
}

// Bytes of one element that others share in part.
HOIST_TEST(ports_share_bytes_of_other_types)
{
    static const uint8_t halves[4] = {0x80, 0x3f, 0x80, 0xbf}; // the upper one of [1][3], then the
                                                               // lower one of [2][0]
    hoist_program *program = NULL;
    hoist_session *s = open_matrix(t, "", &program);
    float all[16] = {0};
    HOIST_EXPECT_EQ(t,
                    hoist_session_write(s, "halves", 0, HOIST_DTYPE_U16, (hoist_bytes){halves, 4}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, read_port(s, "all", all, 16), HOIST_OK);
    uint32_t bits = 0;
    memcpy(&bits, &all[8], sizeof bits);
    HOIST_EXPECT(t, all[7] == 1 && bits == 0xbf80);
    close_matrix(s, program);
}

// Two elements with a gap of one: in the port's type and as float32.
static const struct {
    const char *name;
    hoist_dtype dtype;
    size_t size;
    uint8_t bits[8]; // of 1 and -2
    float back;      // of -2
} types[] = {
    {"bf16", HOIST_DTYPE_BF16, 2, {0x80, 0x3f, 0x00, 0xc0}, -2},
    {"f16", HOIST_DTYPE_F16, 2, {0x00, 0x3c, 0x00, 0xc0}, -2},
    {"f32", HOIST_DTYPE_F32, 4, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, -2},
    {"i32", HOIST_DTYPE_I32, 4, {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}, -2},
    {"i8", HOIST_DTYPE_I8, 1, {1, 0xfe}, -2},
    {"u8", HOIST_DTYPE_U8, 1, {1, 0}, 0},
};

HOIST_TEST_TABLE(elements_convert, types)
{
    static const float given[2] = {1, -2};
    const size_t size = 2 * row->size;
    hoist_program *program = runtime_program(
        t, hoist_arena_format(&t->arena,
                              BEGIN "buffer x in m size 16 lifetime session contents zero\n"
                                    "port a in x of %s[2] by [%d] offset %d\n"
                                    "port bytes in x of u8[16]\n",
                              row->name, (int)size, (int)row->size)
               .data);
    hoist_session *s = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    float floats[2];
    uint8_t bits[8];
    uint8_t bytes[16];
    HOIST_EXPECT_EQ(t, write_port(s, "a", given, 2), HOIST_OK);
    HOIST_EXPECT_EQ(t, read_port(s, "a", floats, 2), HOIST_OK);
    HOIST_EXPECT(t, floats[0] == 1 && floats[1] == row->back);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "a", 0, row->dtype, (hoist_mut_bytes){bits, size}),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(bits, row->bits, size) == 0);
    HOIST_EXPECT_EQ(t,
                    hoist_session_read(s, "bytes", 0, HOIST_DTYPE_U8, (hoist_mut_bytes){bytes, 16}),
                    HOIST_OK);
    for (size_t i = 0; i < 16; i++) { // a gap, an element, a gap, an element, then nothing
        const bool is_element = i / row->size % 2 == 1 && i < 2 * size;
        const size_t at = i / size * row->size + i % row->size;
        HOIST_EXPECT_EQ(t, bytes[i], is_element ? row->bits[at] : 0);
    }
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "a", 0, row->dtype, (hoist_bytes){row->bits, size}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, read_port(s, "a", floats, 2), HOIST_OK);
    HOIST_EXPECT(t, floats[0] == 1 && floats[1] == row->back);
    hoist_session_close(s);
    hoist_program_destroy(program);
}

// Needs ----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    const char *needs;
    const char *given[3]; // ports, up to NULL
    const char *findings; // NULL: it runs
} cases[] = {
    {"nothing is needed", "", {NULL}, NULL},
    {"nothing is given",
     "need top from 0 to 64\n",
     {NULL},
     "input 'top' was never written (buffer 3, FP32 [2,4], first read by add)"},
    {"the port that is needed", "need all from 0 to 64\n", {"all"}, NULL},
    {"two shards", "need all from 0 to 64\n", {"top", "low"}, NULL},
    {"one of them",
     "need low from 0 to 64\n",
     {"low"},
     "input 'all' was never written (buffer 3, "
     "FP32 [4,4])"},
    {"a shard without a note",
     "need low from 32 to 64\n",
     {"right"},
     "input 'low' was never written"},
    {"a shard in the other direction", "need low from 32 to 64\n", {"columns"}, NULL},
    {"two names are missing",
     "need low from 32 to 64\nneed top from 0 to 32\n",
     {"odd"},
     "input 'top' was never written (buffer 3, FP32 [2,4], first read by add)\n"
     "input 'low' was never written"},
    {"bytes of no port",
     "buffer y in m size 8 lifetime session contents zero\nport a in y of f32[1]\n"
     "need a from 0 to 5\n",
     {"a"},
     "input 'a' does not have all bytes that are needed"},
    {"and of no port of a note",
     "buffer y in m size 8 lifetime session contents zero\nport a in y of f32[1] note \"y, 4\"\n"
     "need a from 0 to 5\n",
     {"a"},
     "input 'a' does not have all bytes that are needed (y, 4)"},
    {"a buffer of the caller beside",
     "buffer y in m size 8 lifetime session contents caller\n",
     {"all"},
     "input 'y' was never written, expected its 8 bytes"},
};

static hoist_str report_of(hoist_test *t, hoist_session *session)
{
    hoist_str text = HOIST_STR("");
    hoist_session_report(session, t->diag);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        HOIST_EXPECT_STR(t, hoist_str_from(finding->rule->id), "RUN-108");
        text = hoist_arena_format(&t->arena, "%.*s%s%.*s", HOIST_STR_ARGS(text), i ? "\n" : "",
                                  HOIST_STR_ARGS(finding->message));
    }
    return text;
}

HOIST_TEST_TABLE(runs_need_their_inputs, cases)
{
    static const float zeros[16];
    hoist_program *program = NULL;
    hoist_session *s = open_matrix(t, row->needs, &program);
    for (size_t i = 0; i < 3 && row->given[i]; i++) {
        size_t port = 0;
        HOIST_EXPECT(t, hoist_program_find_port(program, hoist_str_from(row->given[i]), &port));
        const hoist_port described = hoist_program_port(program, port);
        HOIST_EXPECT_EQ(t, write_port(s, row->given[i], zeros, runtime_port_size(&described) / 4),
                        HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), row->findings ? HOIST_NOT_FOUND : HOIST_OK);
    HOIST_EXPECT_STR(t, report_of(t, s), row->findings ? row->findings : "");
    close_matrix(s, program);
}

// A run that was refused can be begun when the rest is there, and nothing is needed again.
HOIST_TEST(state_stays_from_run_to_run)
{
    static const float top[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const float low[8] = {-1, -2, -3, -4, -5, -6, -7, -8};
    static const float new_right[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    static const float expected[16] = {8, 16, 0, 0, 40, 48, 2, 2, -8, -16, 0, 0, -40, -48, 2, 2};
    hoist_program *program = NULL;
    hoist_session *s = open_matrix(t, "need all from 0 to 64\n", &program);
    float all[16];
    HOIST_EXPECT_EQ(t, write_port(s, "top", top, 8), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, write_port(s, "low", low, 8), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, write_port(s, "right", new_right, 8), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, read_port(s, "all", all, 16), HOIST_OK);
    HOIST_EXPECT(t, memcmp(all, expected, sizeof all) == 0);
    close_matrix(s, program);
}

// Of a run: contents come back, and what a caller gives a buffer without contents stays.
HOIST_TEST(buffers_of_a_run)
{
    static const char text[] =
        BEGIN "buffer zero in m size 4 lifetime run contents zero\n"
              "buffer kept in m size 4 lifetime run\n"
              "port a in zero of i32[1]\nport b in kept of i32[1]\nneed b from 0 to 4\n"
              "thread main {\n}\nentry run {\nstart main\n}\n";
    const int32_t given = 7;
    int32_t found = 0;
    const hoist_bytes in = {(const uint8_t *)&given, 4};
    const hoist_mut_bytes out = {(uint8_t *)&found, 4};
    hoist_program *program = runtime_program(t, text);
    hoist_session *s = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "a", 0, HOIST_DTYPE_I32, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_write(s, "b", 0, HOIST_DTYPE_I32, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "b", 0, HOIST_DTYPE_I32, out), HOIST_OK);
    HOIST_EXPECT_EQ(t, found, 7);
    HOIST_EXPECT_EQ(t, hoist_session_read(s, "a", 0, HOIST_DTYPE_I32, out), HOIST_OK);
    HOIST_EXPECT_EQ(t, found, 0);
    close_matrix(s, program);
}

// Unknown bytes between the elements of a port are not its own.
HOIST_TEST(unknown_bytes_are_those_of_the_elements)
{
    static const float zeros[16];
    static const char text[] =
        BEGIN "buffer x in m size 64 lifetime session contents zero\nport all in x of f32[4, 4]\n"
              "port left in x of f32[4, 1] by [16, 4]\nport low in x of f32[2, 4] offset 32\n"
              "thread main {\nopaque o writes [x f32[2, 2] by [16, 4]]\n}\n"
              "entry run {\nstart main\n}\n";
    hoist_program *program = runtime_program(t, text);
    const hoist_session_options options = {
        .struct_size = sizeof options, .sequential = true, .on_unknown = HOIST_UNKNOWN_POISON};
    hoist_session *s = NULL;
    uint64_t bytes = 77;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &s), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(s, "run"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(s, "all", 0, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 16);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(s, "left", 0, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 8);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(s, "low", 0, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 0);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(s, "low", 1, &bytes), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, write_port(s, "left", zeros, 4), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(s, "all", 0, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 8);
    close_matrix(s, program);
}

// Opens, fills, runs and fetches with every allocation refused once.
static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    static const float elements[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const hoist_session_options options = {
        .struct_size = sizeof options, .alloc = alloc, .sequential = true};
    hoist_session *s = NULL;
    float back[16];
    HOIST_TRY(hoist_session_open(self, &options, NULL, &s));
    hoist_status status = write_port(s, "right", elements, 8);
    status = status == HOIST_OK ? write_port(s, "top", elements, 8) : status;
    status = status == HOIST_OK ? write_port(s, "low", elements, 8) : status;
    status = status == HOIST_OK ? runtime_run(s, "run") : status;
    status = status == HOIST_OK ? read_port(s, "columns", back, 16) : status;
    hoist_session_close(s);
    return status;
}

HOIST_TEST(no_memory_is_said)
{
    hoist_program *program = runtime_program(t, MATRIX "need all from 0 to 64\n");
    hoist_test_starve(t, run_starved, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(elements_go_through_strides),
                HOIST_TEST_ROW(ports_share_bytes_of_other_types), HOIST_TEST_ROW(elements_convert),
                HOIST_TEST_ROW(runs_need_their_inputs), HOIST_TEST_ROW(state_stays_from_run_to_run),
                HOIST_TEST_ROW(buffers_of_a_run),
                HOIST_TEST_ROW(unknown_bytes_are_those_of_the_elements),
                HOIST_TEST_ROW(no_memory_is_said))
