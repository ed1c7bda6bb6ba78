// Opaque steps: the result without a callback, what a callback is given, what is unknown
// afterwards.
#include <string.h>

#include "base/buffer.h"
#include "runtime/runtime_testing.h"

#define MEMORY                                                                                     \
    "program p\n"                                                                                  \
    "space m\n"                                                                                    \
    "buffer one in m size 16 lifetime constant contents pattern data 01\n"                         \
    "buffer x in m size 16 lifetime session output contents zero\n"                                \
    "buffer y in m size 16 lifetime session output contents zero\n"                                \
    "buffer z in m size 16 lifetime run output contents zero\n"

#define ENTRY "entry e {\nstart t\n}\n"

static hoist_session *open_with(hoist_test *t, const hoist_program *program, hoist_unknown policy,
                                hoist_opaque_call call, void *self)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .threads = 2,
                                           .on_unknown = policy,
                                           .on_opaque = call,
                                           .on_opaque_self = self};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

static uint64_t unknown(hoist_test *t, hoist_session *session, const char *name)
{
    uint64_t bytes = 99;
    HOIST_EXPECT_EQ(t, hoist_session_unknown(session, name, 0, &bytes), HOIST_OK);
    return bytes;
}

static void read_bytes(hoist_test *t, hoist_session *session, const char *name, uint8_t out[16])
{
    HOIST_EXPECT_EQ(
        t, hoist_session_read(session, name, 0, HOIST_DTYPE_U8, (hoist_mut_bytes){out, 16}),
        HOIST_OK);
}

// Unknown bytes of x, y and z after the thread `text`.
static const struct {
    const char *name;
    const char *text;
    uint64_t x, y, z;
} poisoned[] = {
    {"what a step writes", "opaque P record 00 writes [x u8[5], z f32[2] by [8]]\n", 5, 0, 8},
    {"nothing that it reads", "opaque P record 00 reads [x u8[5]] writes [y u8[1]]\n", 0, 1, 0},
    {"a step that writes nothing", "opaque P record 00 reads [x u8[5]]\n", 0, 0, 0},
    {"a copy of some",
     "opaque P record 00 writes [x u8[4]]\nmove copy from [x u8[6] + 2] to y u8[6]\n", 4, 2, 0},
    {"an element made of one byte",
     "opaque P record 00 writes [x u8[1] + 5]\nmove cast from [x f32[4]] to y f32[4]\n", 1, 4, 0},
    {"an element that is narrowed",
     "opaque P record 00 writes [x u8[1] + 5]\nmove copy from [x f32[4]] to y bf16[4]\n", 1, 2, 0},
    {"known bytes over it",
     "opaque P record 00 writes [x u8[16]]\nmove copy from [one u8[8]] to x u8[8] + 4\n", 8, 0, 0},
    {"the sum of a known and an unknown one",
     "opaque P record 00 writes [x f32[1]]\nmove add from [x f32[2], one f32[2]] to z f32[2]\n", 4,
     0, 4},
    {"all of an op's result",
     "opaque P record 00 writes [x u8[1]]\n"
     "compute ieee.add from [x f32[4], one f32[4]] to [y f32[4]]\n",
     1, 16, 0},
    {"an op's result over it",
     "opaque P record 00 writes [y u8[16]]\n"
     "compute ieee.add from [x f32[4], one f32[4]] to [y f32[4]]\n",
     0, 0, 0},
};

HOIST_TEST_TABLE(marks_after_a_run, poisoned)
{
    const hoist_str text =
        hoist_arena_format(&t->arena, MEMORY "thread t {\n%s}\n" ENTRY, row->text);
    hoist_program *program = runtime_program(t, text.data);
    hoist_session *session =
        program ? open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        HOIST_EXPECT_EQ(t, unknown(t, session, "x"), row->x);
        HOIST_EXPECT_EQ(t, unknown(t, session, "y"), row->y);
        HOIST_EXPECT_EQ(t, unknown(t, session, "z"), row->z);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Collectives of two threads: x of thread 0 has 4 unknown bytes at 4, thread 1 gives `one`.
static const struct {
    const char *name;
    const char *kind;
    const char *to[2]; // of both
    uint64_t y, z;
} collectives[] = {
    {"a sum of all", "all_reduce add", {"y f32[4]", "z f32[4]"}, 4, 4},
    {"shares of a sum", "reduce_scatter max", {"y f32[2]", "z f32[2]"}, 4, 0},
    {"all of all", "all_gather", {"y f32[2]", "z f32[2]"}, 4, 4},
    {"the first one's", "broadcast", {"y f32[4]", "z f32[4]"}, 4, 4},
    {"converted", "broadcast", {"y bf16[4]", "z f32[4]"}, 2, 4},
};

HOIST_TEST_TABLE(collectives_carry_marks, collectives)
{
    const bool gathers = strcmp(row->kind, "all_gather") == 0;
    const hoist_str text = hoist_arena_format(
        &t->arena,
        MEMORY "thread t {\nopaque P record 00 writes [x u8[4] + 4]\n"
               "collective %s group 0 members 2 rank 0 from x f32[%d]%s to %s\n}\n"
               "thread u {\ncollective %s group 0 members 2 rank 1 from one f32[%d] to %s\n}\n"
               "entry e {\nstart t\nstart u\n}\n",
        row->kind, gathers ? 1 : 4, gathers ? " + 4" : "", row->to[0], row->kind, gathers ? 1 : 4,
        row->to[1]);
    hoist_program *program = runtime_program(t, text.data);
    hoist_session *session =
        program ? open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        HOIST_EXPECT_EQ(t, unknown(t, session, "y"), row->y);
        HOIST_EXPECT_EQ(t, unknown(t, session, "z"), row->z);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Two threads that meet when all that they give is known again: y of before is overwritten.
HOIST_TEST(collectives_of_known_elements_clear_marks)
{
    hoist_program *program = runtime_program(
        t,
        MEMORY "thread t {\nopaque P record 00 writes [y u8[16], z u8[4] + 8]\n"
               "collective barrier group 1 members 2 rank 0\n"
               "collective all_reduce add group 0 members 2 rank 0 from x f32[2] to y f32[2]\n}\n"
               "thread u {\ncollective barrier group 1 members 2 rank 1\n"
               "collective all_reduce add group 0 members 2 rank 1 from one f32[2] to z f32[2]\n"
               "}\nentry e {\nstart t\nstart u\n}\n");
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 0);
    HOIST_EXPECT_EQ(t, unknown(t, session, "y"), 8); // after the two that were written
    HOIST_EXPECT_EQ(t, unknown(t, session, "z"), 4); // as before
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Unknown bytes of slots 0 and 1 of k, of tiles or elements, after the thread `text`.
#define STORE                                                                                      \
    "program p\nspace m\nbuffer a in m size 16384 lifetime session\n"                              \
    "buffer b in m size 16384 lifetime session\n"                                                  \
    "buffer x in m size 4096 lifetime constant contents pattern data 0000803f\n"                   \
    "buffer y in m size 4096 lifetime session\n"                                                   \
    "fifo k ram of f32 tiled() slots 2 in [a] slot_bytes 4128 tile_alignment 32 host_pop\n"        \
    "fifo l ram of u8[16] slots 2 in [b] slot_bytes 16 host_pop\n"                                 \
    "thread t {\n%s}\n" ENTRY

#define MARK_K "set_pointer k write = 1\nopaque P record 00 writes [write(k) f32 tiled()]\n"
#define MARK_L "set_pointer l write = 1\nopaque P record 00 writes [write(l) u8[16]]\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    uint64_t k[2], l[2];
} slots[] = {
    {"one slot of each", MARK_K MARK_L, {0, 4096}, {0, 16}},
    {"zeros are known", MARK_K MARK_L "zero k\n", {0, 0}, {0, 16}},
    {"zeros of elements, too", MARK_K MARK_L "zero l\n", {0, 4096}, {0, 0}},
    {"a copy of unknown tiles", MARK_K "set_pointer k begin = 1\nset_pointer k write = 0\n"
     "move copy from [read(k) f32 tiled()] to write(k) f32 tiled()\n", {4096, 4096}, {0, 0}},
    {"a copy of known tiles over it", MARK_K "move copy from [x f32 tiled()] to write(k) f32 tiled()\n", {0, 0}, {0, 0}},
    {"an op of unknown tiles", MARK_K "set_pointer k begin = 1\nset_pointer k write = 0\n"
     "compute golden.exp from [read(k) f32 tiled()] to [write(k) f32 tiled()]\n", {4096, 4096}, {0, 0}},
    {"an op of known tiles over it", MARK_K "compute golden.exp from [x f32 tiled()] to [write(k) f32 tiled()]\n", {0, 0}, {0, 0}},
    {"an op of known and unknown ones", MARK_K "set_pointer k begin = 1\nset_pointer k write = 0\n"
     "compute golden.add from [x f32 tiled(), read(k) f32 tiled()] to [write(k) f32 tiled()]\n", {4096, 4096}, {0, 0}},
    {"a copy of unknown elements", MARK_L "set_pointer l begin = 1\nset_pointer l write = 0\n"
     "move copy from [read(l) u8[4]] to write(l) u8[4] + 4\n", {0, 0}, {4, 16}},
    {"known elements over some", MARK_L "move copy from [x u8[4]] to write(l) u8[4] + 4\n", {0, 0}, {0, 12}},
};
// clang-format on

HOIST_TEST_TABLE(marks_of_slots, slots)
{
    hoist_program *program =
        runtime_program(t, hoist_arena_format(&t->arena, STORE, row->text).data);
    hoist_session *session =
        program ? open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL) : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        for (uint32_t i = 0; i < 2; i++) {
            uint64_t bytes[2] = {99, 99};
            HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "k", i, &bytes[0]), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "l", i, &bytes[1]), HOIST_OK);
            HOIST_EXPECT_EQ(t, bytes[0], row->k[i]);
            HOIST_EXPECT_EQ(t, bytes[1], row->l[i]);
        }
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

#define ONE_STEP                                                                                   \
    MEMORY "thread t {\nopaque P record 0a0b reads [x u8[2]] writes [x u8[4], z "                  \
           "u8[16]]\n}\n" ENTRY

HOIST_TEST(without_a_callback_a_run_stops)
{
    hoist_program *program = runtime_program(t, ONE_STEP);
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_STOP, NULL, NULL);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_UNSUPPORTED);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-103");
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "'P' of 't' cannot be done"));
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(a_step_that_is_skipped_changes_nothing)
{
    hoist_program *program = runtime_program(t, ONE_STEP);
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_SKIP, NULL, NULL);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 0);
    HOIST_EXPECT(t, !hoist_shadow_is_open(&session->shadow));
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Whatever the session does with others, and when the callback declines.
HOIST_TEST(a_step_with_skip_is_passed_over)
{
    hoist_program *program = runtime_program(
        t, MEMORY "thread t {\nopaque P record 00 writes [x u8[4]] skip\n}\n" ENTRY);
    for (hoist_unknown policy = HOIST_UNKNOWN_STOP; policy <= HOIST_UNKNOWN_POISON; policy++) {
        hoist_session *session = open_with(t, program, policy, NULL, NULL);
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
        HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 0);
        hoist_session_close(session);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(what_a_host_writes_and_a_run_begins_with_is_known)
{
    hoist_program *program =
        runtime_program(t, MEMORY "thread t {\nopaque P record 00 writes [x u8[4], z u8[16]]\n}\n"
                                  "thread u {\nmove copy from [x u8[4]] to y u8[4]\n}\n" ENTRY
                                  "entry f {\nstart u\n}\n");
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL);
    const uint8_t zeros[16] = {0};
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "z"), 16);
    HOIST_EXPECT_EQ(t, runtime_run(session, "f"), HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 4); // of the session
    HOIST_EXPECT_EQ(t, unknown(t, session, "y"), 4);
    HOIST_EXPECT_EQ(t, unknown(t, session, "z"), 0); // zeros of the run
    HOIST_EXPECT_EQ(t,
                    hoist_session_write(session, "x", 0, HOIST_DTYPE_U8, (hoist_bytes){zeros, 16}),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 0);
    uint64_t bytes = 0;
    HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "x", 1, &bytes), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "q", 0, &bytes), HOIST_NOT_FOUND);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Queues: one of bytes, one of tiles.
static const struct {
    const char *name;
    const char *type;
    unsigned slot_bytes;
    const char *aligned;
    size_t entry; // bytes of the caller's
    uint64_t unknown;
} queues[] = {
    {"bytes", "u8[16]", 16, "", 16, 16},
    {"tiles", "f32 tiled()", 4128, "tile_alignment 32", 4096, 4096},
};

HOIST_TEST_TABLE(marks_go_through_queues, queues)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "program p\nspace m\n"
        "buffer a in m size %u lifetime session\nbuffer b in m size %u lifetime session\n"
        "fifo q queue of %s slots 2 in [a] slot_bytes %u %s host_push\n"
        "fifo r queue of %s slots 2 in [b] slot_bytes %u %s host_pop\n"
        "thread t {\nawait q\nopaque P record 00 writes [read(q) %s]\nreserve r\n"
        "move copy from [read(q) %s] to write(r) %s\npush r by 1\nadvance q by 1\npop q by 1\n}\n"
        "thread u {\nawait q\nreserve r\n"
        "move copy from [read(q) %s] to write(r) %s\npush r by 1\nadvance q by 1\npop q by "
        "1\n}\n" ENTRY "entry f {\nstart u\n}\n",
        2 * row->slot_bytes, 2 * row->slot_bytes, row->type, row->slot_bytes, row->aligned,
        row->type, row->slot_bytes, row->aligned, row->type, row->type, row->type, row->type,
        row->type);
    hoist_program *program = runtime_program(t, text.data);
    hoist_session *session =
        program ? open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL) : NULL;
    uint8_t entry[4096] = {0};
    const hoist_dtype dtype = row->entry == 16 ? HOIST_DTYPE_U8 : HOIST_DTYPE_F32;
    for (int i = 0; session && i < 4;
         i++) { // u's entries, which come through the same slots, are known
        uint64_t bytes = 99;
        HOIST_EXPECT_EQ(
            t, hoist_session_push(session, "q", dtype, (hoist_bytes){entry, row->entry}, 0),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, runtime_run(session, i < 2 ? "e" : "f"), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "r", (uint32_t)i % 2, &bytes), HOIST_OK);
        HOIST_EXPECT_EQ(t, bytes, i < 2 ? row->unknown : 0);
        HOIST_EXPECT_EQ(
            t, hoist_session_pop(session, "r", dtype, (hoist_mut_bytes){entry, row->entry}, 0),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "r", HOIST_POPPED, &bytes), HOIST_OK);
        HOIST_EXPECT_EQ(t, bytes, (uint64_t)(i < 1 ? 1 : 2) * row->unknown);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Callbacks -------------------------------------------------------------------------------------

typedef struct callee {
    hoist_test *t;
    hoist_status answer;
    int calls;
} callee;

// Adds up what it reads, and writes the sum to every element.
static hoist_status add_up(void *self, const hoist_opaque_step *step)
{
    callee *c = self;
    hoist_test *t = c->t;
    c->calls++;
    HOIST_EXPECT(t, hoist_str_equal_c(step->name, "P"));
    HOIST_EXPECT_EQ(t, step->record.size, 2);
    HOIST_EXPECT_EQ(t, step->record.data[1], 0x0b);
    uint8_t sum = 0;
    for (size_t i = 0; i < step->read_count; i++) {
        for (size_t k = 0; k < step->reads[i].elements.size; k++) {
            sum = (uint8_t)(sum + step->reads[i].elements.data[k]);
        }
    }
    for (size_t i = 0; i < step->write_count; i++) {
        memset(step->writes[i].elements.data, sum, step->writes[i].elements.size);
    }
    const hoist_opaque_view *to = &step->writes[0];
    HOIST_EXPECT(t, hoist_str_equal_c(to->name, "y"));
    HOIST_EXPECT_EQ(t, to->offset, 1);
    HOIST_EXPECT_EQ(t, to->dtype, HOIST_DTYPE_U8);
    HOIST_EXPECT_EQ(t, to->rank, 2);
    HOIST_EXPECT_EQ(t, to->shape[0] * to->shape[1], 4);
    return c->answer;
}

#define CALLS                                                                                      \
    MEMORY "thread t {\n"                                                                          \
           "opaque P record 0a0b reads [one u8[3], one u8[2] by [4]] "                             \
           "writes [y u8[2, 2] by [8, 2] + 1]\n}\n" ENTRY

HOIST_TEST(a_callback_is_given_the_elements)
{
    hoist_program *program = runtime_program(t, CALLS);
    callee c = {t, HOIST_OK, 0};
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_STOP, add_up, &c);
    uint8_t y[16];
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    read_bytes(t, session, "y", y);
    const uint8_t expected[16] = {[1] = 5, [3] = 5, [9] = 5, [11] = 5};
    HOIST_EXPECT(t, memcmp(y, expected, sizeof y) == 0);
    HOIST_EXPECT_EQ(t, c.calls, 1);
    HOIST_EXPECT_EQ(t, unknown(t, session, "y"), 0);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

static const struct {
    const char *name;
    hoist_status answer;
    hoist_unknown policy;
    hoist_status expected;
    uint64_t unknown;
} answers[] = {
    {"done", HOIST_OK, HOIST_UNKNOWN_POISON, HOIST_OK, 0},
    {"not done, stop", HOIST_UNSUPPORTED, HOIST_UNKNOWN_STOP, HOIST_UNSUPPORTED, 0},
    {"not done, skip", HOIST_UNSUPPORTED, HOIST_UNKNOWN_SKIP, HOIST_OK, 0},
    {"not done, poison", HOIST_UNSUPPORTED, HOIST_UNKNOWN_POISON, HOIST_OK, 4},
    {"stop", HOIST_CANCELLED, HOIST_UNKNOWN_POISON, HOIST_CANCELLED, 0},
    {"wrong", HOIST_INVALID, HOIST_UNKNOWN_POISON, HOIST_INVALID, 0},
};

HOIST_TEST_TABLE(a_callback_answers, answers)
{
    hoist_program *program = runtime_program(t, CALLS);
    callee c = {t, row->answer, 0};
    hoist_session *session = open_with(t, program, row->policy, add_up, &c);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), row->expected);
    HOIST_EXPECT_EQ(t, unknown(t, session, "y"), row->unknown);
    hoist_session_report(session, t->diag);
    if (row->expected != HOIST_OK) {
        HOIST_EXPECT_RULE(t, "RUN-103");
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Steps whose views have no place, and those that a callback cannot be shown.
// clang-format off
static const struct {
    const char *name;
    const char *step;
    bool called;
    hoist_status status;
    const char *why;
} misplaced[] = {
    {"up to the end", "opaque P record 0a0b writes [x u8[4] + r * 12]", false, HOIST_OK, NULL},
    {"a byte behind the end", "opaque P record 0a0b writes [x u8[4] + r * 13]", false, HOIST_INVALID, "step 'P' of 't' cannot be done: a view leads outside its memory"},
    {"before the start", "opaque P record 0a0b writes [x u8[4] + r * -1]", false, HOIST_INVALID, "a view leads outside its memory"},
    {"a tile behind the end", "opaque P record 0a0b writes [y f32 tiled() + r * 1]", false, HOIST_INVALID, "a view leads outside its memory"},
    {"reads are not looked at", "opaque P record 0a0b reads [x u8[4] + r * 13]", false, HOIST_OK, NULL},
    {"but by a callback", "opaque P record 0a0b reads [x u8[4] + r * 13]", true, HOIST_INVALID, "a view leads outside its memory"},
    {"a callback's bytes", "opaque P record 0a0b reads [x u8[4] + r * 12]", true, HOIST_OK, NULL},
    {"tiles for a callback", "opaque P record 0a0b reads [y f32 tiled()]", true, HOIST_UNSUPPORTED, "a view of it is of tiles"},
};
// clang-format on

static hoist_status count_calls(void *self, const hoist_opaque_step *step)
{
    (void)step;
    ++*(int *)self;
    return HOIST_OK;
}

HOIST_TEST_TABLE(views_that_have_no_place, misplaced)
{
    const hoist_str text =
        hoist_arena_format(&t->arena,
                           "program p\nspace m\nbuffer x in m size 16 lifetime session\n"
                           "buffer y in m size 4096 lifetime session\n"
                           "thread t {\nregister r initial 1\n%s\n}\n" ENTRY,
                           row->step);
    hoist_program *program = runtime_program(t, text.data);
    int calls = 0;
    hoist_session *session = program ? open_with(t, program, HOIST_UNKNOWN_POISON,
                                                 row->called ? count_calls : NULL, &calls)
                                     : NULL;
    if (session) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), row->status);
        HOIST_EXPECT_EQ(t, calls, row->called && row->status == HOIST_OK);
        hoist_session_report(session, t->diag);
        HOIST_EXPECT_RULE(t, row->why ? "RUN-103" : NULL);
        HOIST_EXPECT(t, !row->why || hoist_str_contains(hoist_test_findings(t), row->why));
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Names of what views are of: a buffer, a slot of a fifo, no name for an address.
static hoist_status note_views(void *self, const hoist_opaque_step *step)
{
    hoist_buffer *text = self;
    for (size_t i = 0; i < step->read_count; i++) {
        const hoist_opaque_view *v = &step->reads[i];
        hoist_buffer_format(text, "'%.*s' slot %u + %llu, %zu bytes\n", HOIST_STR_ARGS(v->name),
                            v->slot, (unsigned long long)v->offset, v->elements.size);
    }
    return HOIST_OK;
}

HOIST_TEST(a_callback_is_told_where_views_are)
{
    hoist_program *program =
        runtime_program(t, "program p\nspace m\nbuffer x in m size 16 at 0x100 lifetime session\n"
                           "buffer b in m size 64 at 0x200 lifetime session\n"
                           "fifo l ram of u8[16] slots 4 in [b] slot_bytes 16\n"
                           "thread t {\nset_pointer l begin = 3\n"
                           "opaque P record 00 reads [x u8[3] + 5, read(l) u8[4] + 2, space(m) "
                           "u8[2] + 260]\n}\n" ENTRY);
    hoist_buffer text;
    hoist_buffer_init(&text, t->arena.alloc);
    hoist_session *session =
        program ? open_with(t, program, HOIST_UNKNOWN_STOP, note_views, &text) : NULL;
    HOIST_EXPECT_EQ(t, session ? runtime_run(session, "e") : HOIST_INTERNAL, HOIST_OK);
    HOIST_EXPECT_STR(
        t, hoist_buffer_text(&text),
        "'x' slot 0 + 5, 3 bytes\n'l' slot 3 + 2, 4 bytes\n'' slot 0 + 260, 2 bytes\n");
    hoist_buffer_deinit(&text);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

static hoist_status nothing(void *self, const hoist_opaque_step *step)
{
    (void)self;
    (void)step;
    return HOIST_OK;
}

// What is computed of unknown bytes is unknown, whoever computes.
HOIST_TEST(a_callback_carries_marks)
{
    hoist_program *program = runtime_program(
        t, MEMORY "thread t {\nopaque P record 00 writes [x u8[1] + 3]\n}\n"
                  "thread u {\nopaque Q record 00 reads [x u8[3]] writes [y u8[2]]\n"
                  "opaque Q record 00 reads [x u8[4]] writes [z u8[8]]\n}\n" ENTRY
                  "entry f {\nstart u\n}\n");
    hoist_session *session = open_with(t, program, HOIST_UNKNOWN_POISON, NULL, NULL);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    session->options.on_opaque = nothing;
    HOIST_EXPECT_EQ(t, runtime_run(session, "f"), HOIST_OK);
    HOIST_EXPECT_EQ(t, unknown(t, session, "x"), 1);
    HOIST_EXPECT_EQ(t, unknown(t, session, "y"), 0);
    HOIST_EXPECT_EQ(t, unknown(t, session, "z"), 8);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST(marks_count_to_the_memory_of_a_program)
{
    hoist_program *program = runtime_program(t, ONE_STEP);
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .sequential = true,
                                           .max_memory = 80,
                                           .on_unknown = HOIST_UNKNOWN_POISON};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_LIMIT);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-105");
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t),
                                       "needs at least 96 bytes of memory, more than its limit of "
                                       "80: raise max_memory (--max-memory)"));
    hoist_session_close(session);
    hoist_program_destroy(program);
}

typedef struct starved {
    const hoist_program *program;
    callee *callee;
} starved;

static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    const starved *given = self;
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .alloc = alloc,
                                           .sequential = true,
                                           .on_unknown = HOIST_UNKNOWN_POISON,
                                           .on_opaque = add_up,
                                           .on_opaque_self = given->callee};
    hoist_session *session = NULL;
    HOIST_TRY(hoist_session_open(given->program, &options, NULL, &session));
    const hoist_status status = runtime_run(session, "e");
    hoist_session_close(session);
    return status;
}

HOIST_TEST_TABLE(memory_that_runs_out_ends_the_run, answers)
{
    hoist_program *program = runtime_program(t, CALLS);
    callee c = {t, row->answer, 0};
    const starved given = {program, &c};
    if (row->expected == HOIST_OK && row->policy == HOIST_UNKNOWN_POISON) {
        hoist_test_starve(t, run_starved, &given);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(marks_after_a_run), HOIST_TEST_ROW(collectives_carry_marks),
                HOIST_TEST_ROW(collectives_of_known_elements_clear_marks),
                HOIST_TEST_ROW(marks_of_slots), HOIST_TEST_ROW(views_that_have_no_place),
                HOIST_TEST_ROW(a_callback_is_told_where_views_are),
                HOIST_TEST_ROW(without_a_callback_a_run_stops),
                HOIST_TEST_ROW(a_step_that_is_skipped_changes_nothing),
                HOIST_TEST_ROW(a_step_with_skip_is_passed_over),
                HOIST_TEST_ROW(what_a_host_writes_and_a_run_begins_with_is_known),
                HOIST_TEST_ROW(marks_go_through_queues),
                HOIST_TEST_ROW(a_callback_is_given_the_elements),
                HOIST_TEST_ROW(a_callback_answers), HOIST_TEST_ROW(a_callback_carries_marks),
                HOIST_TEST_ROW(marks_count_to_the_memory_of_a_program),
                HOIST_TEST_ROW(memory_that_runs_out_ends_the_run))
