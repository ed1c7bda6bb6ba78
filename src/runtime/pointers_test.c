// The pointers of queues and rams between runs, and which slots were written.
#include "runtime/pointers.h"
#include "runtime/runtime_testing.h"

// Each run reads one entry of q, writes it to slot 2 of r, and pushes it to o.
static const char text[] = "program p\nspace m\n"
                           "buffer q.0 in m size 65536 lifetime session\n"
                           "buffer r.0 in m size 65536 lifetime session\n"
                           "buffer o.0 in m size 65536 lifetime session\n"
                           "fifo q queue of u8[4] slots 2 in [q.0] slot_bytes 4 host_push\n"
                           "fifo r ram of u8[4] slots 3 in [r.0] slot_bytes 4 host_pop\n"
                           "fifo o queue of u8[4] slots 2 in [o.0] slot_bytes 4 host_pop\n"
                           "thread main {\n"
                           "set_pointer r write = 2\n"
                           "await q\nreserve o\n"
                           "move copy from [read(q) u8[4]] to write(r) u8[4]\n"
                           "move copy from [read(q) u8[4]] to write(o) u8[4]\n"
                           "push r by 1\npush o by 1\nadvance q by 1\npop q by 1\n"
                           "}\n"
                           "entry run {\nstart main\n}\n";

// Pointers and written slots of a fifo: "1 1 yn".
static hoist_str state_of(hoist_test *t, hoist_session *session, hoist_ref fifo, uint32_t slots)
{
    hoist_fifo_pointers p;
    bool written[4] = {0};
    char marks[5] = "";
    HOIST_EXPECT_EQ(t, hoist_session_pointers(session, fifo, &p, written), HOIST_OK);
    for (uint32_t i = 0; i < slots; i++) {
        marks[i] = written[i] ? 'y' : 'n';
    }
    return hoist_arena_format(&t->arena, "%u %u %s", p.read, p.write, marks);
}

static const uint8_t entry[] = {1, 2, 3, 4};

static void push(hoist_test *t, hoist_session *session)
{
    HOIST_EXPECT_EQ(
        t, hoist_session_push(session, "q", HOIST_DTYPE_U8, (hoist_bytes){entry, sizeof entry}, 0),
        HOIST_OK);
}

HOIST_TEST(pointers_between_runs)
{
    hoist_program *program = runtime_program(t, text);
    hoist_session *session = runtime_open(t, program, &(runtime_mode){"sequential", 0, true});
    HOIST_EXPECT_STR(t, state_of(t, session, 0, 2), "0 0 nn");
    HOIST_EXPECT_STR(t, state_of(t, session, 1, 3), "0 0 nnn");
    push(t, session);
    push(t, session);
    HOIST_EXPECT_STR(t, state_of(t, session, 0, 2), "0 2 yy");
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    HOIST_EXPECT_STR(t, state_of(t, session, 0, 2), "1 2 yy");
    HOIST_EXPECT_STR(t, state_of(t, session, 1, 3), "0 0 nny"); // after slot 2 comes slot 0
    HOIST_EXPECT_STR(t, state_of(t, session, 2, 2), "0 1 yn");
    uint8_t popped[4];
    HOIST_EXPECT_EQ(t,
                    hoist_session_pop(session, "o", HOIST_DTYPE_U8,
                                      (hoist_mut_bytes){popped, sizeof popped}, 0),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, state_of(t, session, 2, 2), "1 1 yn"); // the slot keeps what was popped
    push(t, session);
    HOIST_EXPECT_EQ(t, runtime_run(session, "run"), HOIST_OK);
    push(t, session);
    // Twice the slots is the place of 0.
    HOIST_EXPECT_STR(t, state_of(t, session, 0, 2), "2 0 yy");
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pointers_between_runs))
