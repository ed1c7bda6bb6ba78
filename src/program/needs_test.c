// Which ports are missing: bytes that given ports supply together, and the name under which the
// rest is reported.
#include <string.h>

#include "program/needs.h"
#include "program/program_testing.h"
#include "program/verify.h"

enum { MOST = 16 };

#define BEGIN                                                                                      \
    "program p\nspace m\nbuffer x in m size 64 lifetime session contents zero\n"                   \
    "buffer y in m size 64 lifetime session contents zero\n"

// A matrix [4, 4] of float32 and parts of it.
#define MATRIX                                                                                     \
    BEGIN "port all in x of f32[4, 4]\nport top in x of f32[2, 4]\n"                               \
          "port low in x of f32[2, 4] offset 32\nport left in x of f32[4, 2] by [16, 4]\n"         \
          "port right in x of f32[4, 2] by [16, 4] offset 8\nport other in y of f32[4, 4]\n"

static const struct {
    const char *name;
    const char *text;
    const char *given;   // names of ports, each with a blank after
    const char *missing; // the same, in order
} cases[] = {
    {"nothing is needed", MATRIX, "", ""},
    {"nothing is given", MATRIX "need top from 0 to 64\n", "", "top "},
    {"all is given", MATRIX "need all from 0 to 64\n", "all ", ""},
    {"all is given under another name", MATRIX "need top from 0 to 64\n", "all ", ""},
    {"two halves", MATRIX "need all from 0 to 64\n", "top low ", ""},
    {"two halves in columns", MATRIX "need all from 0 to 64\n", "left right ", ""},
    {"halves that overlap", MATRIX "need all from 0 to 64\n", "top left ", "all "},
    {"and the rest of them", MATRIX "need all from 0 to 64\n", "top left low ", ""},
    {"columns next to the given ones", MATRIX "need all from 0 to 64\n", "right ", "all "},
    {"the first of two ports", MATRIX "need top from 0 to 64\n", "top ", "all "},
    {"the first that helps", MATRIX "need low from 0 to 32\n", "low ", "all "},
    {"the first that helps, where a port before it does not",
     BEGIN "port a in x of f32[4]\nport b in x of f32[4]\nport c in x of f32[4] offset 16\n"
           "need a from 0 to 32\n",
     "a ", "c "},
    {"none helps", BEGIN "port a in x of f32[4]\nneed a from 12 to 20\n", "a ", "a "},
    {"no more than is needed", MATRIX "need low from 32 to 64\n", "low ", ""},
    {"a byte before", MATRIX "need low from 31 to 64\n", "low ", "all "},
    {"a byte behind", MATRIX "need top from 0 to 33\n", "top ", "all "},
    {"gaps are not needed", MATRIX "need left from 16 to 24\nneed left from 32 to 40\n", "left ",
     ""},
    {"a gap is", MATRIX "need left from 16 to 25\n", "left ", "all "},
    {"another buffer does not count", MATRIX "need all from 0 to 64\n", "other ", "all "},
    {"two buffers", MATRIX "need other from 0 to 4\nneed top from 0 to 4\n", "", "top other "},
    {"one of two", MATRIX "need other from 0 to 4\nneed top from 0 to 4\n", "all ", "other "},
    {"each name once", MATRIX "need top from 0 to 4\nneed top from 8 to 12\nneed top from 4 to 8\n",
     "", "top "},
    {"rows that do not ascend", MATRIX "need top from 32 to 64\nneed top from 0 to 32\n", "all ",
     ""},
    {"rows that meet", MATRIX "need top from 0 to 32\nneed top from 32 to 64\n", "left right ", ""},
    {"one of two names of a buffer", MATRIX "need top from 0 to 32\nneed low from 32 to 64\n",
     "top ", "low "},
    {"negative and mixed strides",
     BEGIN "port a in x of f32[2, 4] by [-4, 8] offset 36\nneed a from 32 to 64\n", "a ", ""},
    {"of the reversed port",
     BEGIN "port a in x of f32[2, 4] by [-4, 8] offset 36\nneed a from 31 to 64\n", "a ", "a "},
    {"three dimensions with gaps",
     BEGIN "port a in x of u8[2, 3, 2] by [32, 8, 2] offset 1\nport b in x of u8[64]\n"
           "need a from 1 to 2\nneed a from 3 to 4\nneed a from 17 to 18\nneed a from 51 to 52\n",
     "a ", ""},
    {"behind its last row",
     BEGIN "port a in x of u8[2, 3, 2] by [32, 8, 2] offset 1\nport b in x of u8[64]\n"
           "need a from 25 to 26\n",
     "a ", "b "},
    {"a window is its memory",
     BEGIN "buffer w in m size 32 window x offset 32 lifetime session\n"
           "port a in w of f32[8]\nport b in x of f32[8]\nneed b from 0 to 64\n",
     "a b ", ""},
    {"a need of a window",
     BEGIN "buffer w in m size 32 window x offset 32 lifetime session\n"
           "port a in w of f32[8]\nport b in x of f32[8]\nneed a from 0 to 4\n",
     "b ", "a "},
    {"far into many rows",
     "program p\nspace m\nbuffer x in m size 1152921504606846976 lifetime session contents zero\n"
     "port a in x of u8[1073741824, 268435456] by [1073741824, 4]\nport b in x of u8[4]\n"
     "port c in x of u8[1073741824, 268435456] by [1073741824, 4] offset 3\n"
     "need a from 1152921504606846972 to 1152921504606846973\n"
     "need b from 1152921504606846974 to 1152921504606846976\n",
     "a b ", "c "},
    // Other ports.
    {"a buffer of the caller", BEGIN "buffer b in m size 4 lifetime run contents caller\n", "",
     "b "},
    {"which is given", BEGIN "buffer b in m size 4 lifetime run contents caller\n", "b ", ""},
    {"which a view covers",
     BEGIN "buffer b in m size 4 lifetime run contents caller\nport a in b of f32[1]\n", "a ", ""},
    {"which a view does not cover",
     BEGIN "buffer b in m size 4 lifetime run contents caller\nport a in b of u8[3]\n", "a ", "b "},
    {"which covers a view",
     BEGIN "buffer b in m size 4 lifetime run contents caller\nport a in b of u8[3]\n"
           "need a from 0 to 3\n",
     "b ", ""},
    {"a buffer to take is not missing", BEGIN "buffer b in m size 4 lifetime run output\n", "", ""},
    {"a queue that the host fills",
     BEGIN "fifo q queue of u8[1] slots 1 in [y] slot_bytes 1 host_push\n"
           "fifo r queue of u8[1] slots 1 in [y] slot_bytes 1 host_pop\n",
     "", "q "},
    {"which is given", BEGIN "fifo q queue of u8[1] slots 1 in [y] slot_bytes 1 host_push\n", "q ",
     ""},
};

static size_t count_ports(const hoist_program *p)
{
    return (size_t)p->fifo_count + p->index.buffer_count + p->port_count;
}

static hoist_str name_of(const hoist_program *p, size_t port)
{
    const size_t views = (size_t)p->fifo_count + p->index.buffer_count;
    return port < p->fifo_count ? p->fifos[port].name
           : port < views       ? p->buffers[p->index.buffers[port - p->fifo_count]].name
                                : p->ports[port - views].name;
}

static void read_given(const hoist_program *p, const char *names, bool given[MOST])
{
    for (size_t at = 0; names[at];) {
        const size_t size = strcspn(names + at, " ");
        size_t port = 0;
        if (hoist_map_find(&p->index.port_names, (hoist_str){names + at, size}, &port)) {
            given[port] = true;
        }
        at += size + 1;
    }
}

HOIST_TEST_TABLE(missing_ports, cases)
{
    bool given[MOST] = {false};
    bool missing[MOST];
    hoist_program *p = hoist_test_program(t, hoist_str_from(row->text), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(p, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    read_given(p, row->given, given);
    HOIST_EXPECT_EQ(t, hoist_program_missing(p, given, missing), HOIST_OK);
    hoist_str found = HOIST_STR("");
    for (size_t i = 0; i < count_ports(p); i++) {
        if (missing[i]) {
            found = hoist_arena_format(&t->arena, "%.*s%.*s ", HOIST_STR_ARGS(found),
                                       HOIST_STR_ARGS(name_of(p, i)));
        }
    }
    HOIST_EXPECT_STR(t, found, row->missing);
    hoist_program_destroy(p);
}

// Against bytes marked one by one: random views of one buffer, random ranges.
static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

static hoist_str random_port(hoist_test *t, uint64_t *state, int number, bool covered[64])
{
    const uint64_t cols = 1 + draw(state, 4);
    const uint64_t step = 1 + draw(state, 2);
    const uint64_t rows = 1 + draw(state, 3);
    const uint64_t pitch = cols * step + draw(state, 5);
    const uint64_t offset = draw(state, 64 - (rows - 1) * pitch - (cols - 1) * step);
    for (uint64_t i = 0; i < rows * cols; i++) {
        covered[offset + i / cols * pitch + i % cols * step] = true;
    }
    return hoist_arena_format(&t->arena, "port p%d in x of u8[%d, %d] by [%d, %d] offset %d\n",
                              number, (int)rows, (int)cols, (int)pitch, (int)step, (int)offset);
}

HOIST_TEST(coverage_is_exact)
{
    uint64_t state = 1;
    for (int round = 0; round < HOIST_TEST_ROUNDS(2000); round++) {
        bool covered[64] = {false};
        const uint64_t begin = draw(&state, 64);
        const uint64_t end = begin + 1 + draw(&state, 64 - begin);
        hoist_str text = HOIST_STR(BEGIN "port none in x of u8[64]\n");
        const int ports = 1 + (int)draw(&state, 6);
        for (int i = 0; i < ports; i++) {
            const hoist_str line = random_port(t, &state, i, covered);
            text = hoist_arena_format(&t->arena, "%.*s%.*s", HOIST_STR_ARGS(text),
                                      HOIST_STR_ARGS(line));
        }
        text = hoist_arena_format(&t->arena, "%.*sneed none from %d to %d\n", HOIST_STR_ARGS(text),
                                  (int)begin, (int)end);
        bool given[MOST] = {false, true, true, true, true, true, true};
        bool missing[MOST];
        bool expected = false;
        for (uint64_t i = begin; i < end; i++) {
            expected |= !covered[i];
        }
        hoist_program *p = hoist_test_program(t, text, HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_verify(p, t->diag), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_missing(p, given, missing), HOIST_OK);
        HOIST_EXPECT_EQ(t, missing[0], expected);
        hoist_program_destroy(p);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

static hoist_status find_starved(hoist_allocator alloc, const void *self)
{
    const bool given[MOST] = {false, true, false, true};
    bool missing[MOST];
    return hoist_prog_find_missing(self, alloc, given, missing);
}

HOIST_TEST(no_memory_is_said)
{
    hoist_program *p = hoist_test_program(t, HOIST_STR(MATRIX "need all from 0 to 64\n"), HOIST_OK);
    hoist_test_starve(t, find_starved, p);
    hoist_program_destroy(p);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(missing_ports), HOIST_TEST_ROW(coverage_is_exact),
                HOIST_TEST_ROW(no_memory_is_said))
