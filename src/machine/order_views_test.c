// Races between views: two threads touch bytes of buffers by strided views of any steps, and the
// verdict is bad exactly when some byte is touched by both and written by one. The bytes are found
// one element after the other.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "machine/order_testing.h"
#include "program/text.h"

enum { MAX_RANK = 3, BYTES = 1024, ADDRESSED = 512 };

// Where bytes of a buffer are among those of all memories here.
static const struct {
    const char *name;
    int64_t begin;
    int64_t size;
} buffers[] = {
    {"x", 0, 256},
    {"w", 32, 128},                  // a window of x
    {"p", ADDRESSED, 256},           // placed, as is
    {"q", ADDRESSED + 192, 256},     // one that overlaps it
    {"alone", ADDRESSED - 256, 256}, // neither
};

static const char memory[] = "program views\nspace m\nspace far\n"
                             "buffer x in m size 256 lifetime session contents zero\n"
                             "buffer w in m size 128 window x offset 32 lifetime session\n"
                             "buffer p in far size 256 at 0x100 lifetime session contents zero\n"
                             "buffer q in far size 256 at 0x1c0 lifetime session contents zero\n"
                             "buffer alone in m size 256 lifetime session contents zero\n"
                             "buffer from in m size 4096 lifetime session contents zero\n"
                             "buffer to in m size 4096 lifetime session contents zero\n";

typedef struct view {
    size_t buffer;
    int64_t element; // bytes
    int rank;
    int64_t dim[MAX_RANK];
    int64_t stride[MAX_RANK];
    int64_t offset;
} view;

// The bytes before and after the first element that the view touches, in its buffer.
static void reach_of(const view *v, int64_t *out_low, int64_t *out_high)
{
    *out_low = 0;
    *out_high = v->element;
    for (int i = 0; i < v->rank; i++) {
        const int64_t far = v->stride[i] * (v->dim[i] - 1);
        *out_low += far < 0 ? far : 0;
        *out_high += far > 0 ? far : 0;
    }
}

static view random_view(uint64_t *random)
{
    static const int64_t elements[] = {1, 2, 4};
    for (;;) {
        view v = {.buffer = (size_t)(hoist_test_random(random) % HOIST_COUNT_OF(buffers)),
                  .element = elements[hoist_test_random(random) % HOIST_COUNT_OF(elements)],
                  .rank = 1 + (int)(hoist_test_random(random) % MAX_RANK)};
        for (int i = 0; i < v.rank; i++) {
            v.dim[i] = 1 + (int64_t)(hoist_test_random(random) % 4);
            v.stride[i] = ((int64_t)(hoist_test_random(random) % 25) - 12) * v.element;
        }
        int64_t low = 0;
        int64_t high = 0;
        reach_of(&v, &low, &high);
        const int64_t size = buffers[v.buffer].size;
        if (high - low <= size) {
            v.offset =
                -low + (int64_t)(hoist_test_random(random) % (uint64_t)(size - high + low + 1));
            v.offset -= v.offset % v.element + low % v.element;
            if (v.offset + low >= 0 && v.offset + high <= size) {
                return v;
            }
        }
    }
}

static void mark_bytes(const view *v, bool touched[BYTES])
{
    int64_t count = 1;
    for (int i = 0; i < v->rank; i++) {
        count *= v->dim[i];
    }
    for (int64_t flat = 0; flat < count; flat++) {
        int64_t rest = flat;
        int64_t at = buffers[v->buffer].begin + v->offset;
        for (int i = v->rank - 1; i >= 0; i--) {
            at += rest % v->dim[i] * v->stride[i];
            rest /= v->dim[i];
        }
        for (int64_t k = 0; k < v->element; k++) {
            touched[at + k] = true;
        }
    }
}

static const char *list_of(hoist_test *t, const int64_t *numbers, int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++) {
        text = hoist_arena_format(&t->arena, "%s%s%d", text, i ? ", " : "", (int)numbers[i]).data;
    }
    return text;
}

static const char *type_of(const view *v)
{
    return v->element == 1 ? "u8" : v->element == 2 ? "u16" : "u32";
}

// "x u8[2, 3] by [16, -1] + 7", and the same elements without gaps at another place.
static const char *text_of(hoist_test *t, const view *v, const char *dense)
{
    const char *shape = list_of(t, v->dim, v->rank);
    if (dense) {
        return hoist_arena_format(&t->arena, "%s %s[%s]", dense, type_of(v), shape).data;
    }
    return hoist_arena_format(&t->arena, "%s %s[%s] by [%s] + %d", buffers[v->buffer].name,
                              type_of(v), shape, list_of(t, v->stride, v->rank), (int)v->offset)
        .data;
}

static hoist_program *program_of(hoist_test *t, const view *a, const view *b, bool both_write)
{
    const char *writes = hoist_arena_format(&t->arena, "move copy from [%s] to %s\n",
                                            text_of(t, a, "from"), text_of(t, a, NULL))
                             .data;
    const char *other = both_write ? hoist_arena_format(&t->arena, "move copy from [%s] to %s\n",
                                                        text_of(t, b, "from"), text_of(t, b, NULL))
                                         .data
                                   : hoist_arena_format(&t->arena, "move copy from [%s] to %s\n",
                                                        text_of(t, b, NULL), text_of(t, b, "to"))
                                         .data;
    const hoist_str text = hoist_arena_format(
        &t->arena, "%sthread a {\n%s}\nthread b {\n%s}\nentry main {\nstart a\nstart b\n}\n",
        memory, writes, other);
    hoist_test_row(t, hoist_arena_format(&t->arena, "%s%s", writes, other).data);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text.data, text.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    return program;
}

HOIST_TEST(views_race_where_their_bytes_meet)
{
    uint64_t random = 5;
    int races = 0;
    for (int round = 0; round < HOIST_TEST_ROUNDS(600); round++) {
        const view a = random_view(&random);
        const view b = random_view(&random);
        bool touched[2][BYTES] = {{false}};
        bool meets = false;
        hoist_program *program = program_of(t, &a, &b, round % 2 == 0);
        mark_bytes(&a, touched[0]);
        mark_bytes(&b, touched[1]);
        for (size_t i = 0; i < BYTES; i++) {
            meets = meets || (touched[0][i] && touched[1][i]);
        }
        if (program) {
            HOIST_EXPECT_EQ(t, order_verdict(t, program, 0),
                            meets ? HOIST_VERDICT_BAD : HOIST_VERDICT_CLEAN);
            HOIST_EXPECT_RULE(t, meets ? "PRG-101" : NULL);
        }
        races += meets;
        hoist_program_destroy(program);
    }
    HOIST_EXPECT(t, races > HOIST_TEST_ROUNDS(600) / 20);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(views_race_where_their_bytes_meet))
