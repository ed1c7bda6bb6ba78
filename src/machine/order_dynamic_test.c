// Orders of queues that come and go, of pointers that are set, and of moves by tables: which bytes
// and which pointers of two threads meet.
#include "base/alloc.h"
#include "machine/order_testing.h"
#include "program/text.h"

static const char memory[] =
    "program p\nspace m\n"
    "buffer x in m size 64 lifetime session contents zero\n"
    "buffer z in m size 64 lifetime session contents zero\n"
    "buffer tiles in m size 16384 lifetime session contents zero\n"
    "buffer more in m size 16384 lifetime session contents zero\n"
    "buffer ring in m size 64 at 0x100 lifetime session\n"
    "buffer same in m size 64 at 0x100 lifetime session\n"
    "buffer kept in m size 64 lifetime session\n"
    "fifo d queue of f32[4] slots 2 in [ring] slot_bytes 16 dynamic\n"
    "fifo e queue of f32[4] slots 2 in [same] slot_bytes 16 dynamic\n"
    "fifo q queue of f32[4] slots 2 in [kept] slot_bytes 16\n"
    "unit u depth 4\nunit v depth 4\nsemaphore s\nsemaphore r\n"
    "function open {\nallocate d\n}\nfunction close {\nfree d\n}\n"
    "function put {\nreserve d\nmove copy from [x f32[4]] to write(d) f32[4]\npush d by 1\n}\n"
    "function get {\nawait d\nmove copy from [read(d) f32[4]] to z f32[4]\nadvance d by 1\n"
    "pop d by 1\n}\n";

#define PUT(f) "reserve " f "\nmove copy from [x f32[4]] to write(" f ") f32[4]\npush " f " by 1\n"
#define GET(f)                                                                                     \
    "await " f "\nmove copy from [read(" f ") f32[4]] to z f32[4]\nadvance " f " by 1\npop " f     \
    " by 1\n"
#define TILES(from, to, more) "move copy from [" from "] to " to more "\n"

typedef struct order_row {
    const char *name;
    hoist_verdict verdict;
    const char *a, *b;    // of two threads
    const char *findings; // all of them
} order_row;

// clang-format off
#define CLEAN HOIST_VERDICT_CLEAN
#define BAD HOIST_VERDICT_BAD
#define UNKNOWN HOIST_VERDICT_UNKNOWN
static const order_row dynamics[] = {
    {"one thread", CLEAN, "allocate d\n" PUT("d") GET("d") "free d\nallocate d\n" PUT("d") GET("d") "free d\n", "", ""},
    {"the other one uses what was allocated", CLEAN, "allocate d\nsignal s add 1\n", "wait s >= 1\n" PUT("d") GET("d"), ""},
    {"nothing orders allocation and use", BAD, "allocate d\n", PUT("d"),
     "39:1: error: allocate (threads/a/steps/0, 36:1) writes the pointers of fifo 'd' and reserve (threads/b/steps/0, 39:1) reads it, and no wait orders them [PRG-101]\n"
     "40:1: error: allocate (threads/a/steps/0, 36:1) writes the pointers of fifo 'd' and move (threads/b/steps/1, 40:1) reads it, and no wait orders them [PRG-101]\n"
     "41:1: error: allocate (threads/a/steps/0, 36:1) writes the pointers of fifo 'd' and push (threads/b/steps/2, 41:1) writes it, and no wait orders them [PRG-101]\n"},
    {"freed when it was used", CLEAN, "allocate d\n" PUT("d") "signal s add 1\nwait r >= 1\nfree d\n", "wait s >= 1\n" GET("d") "signal r add 1\n", ""},
    {"freed while it is used", BAD, "allocate d\n" PUT("d") "signal s add 1\nfree d\n", "wait s >= 1\n" GET("d"),
     "45:1: error: 'b' fails at await (threads/b/steps/1, 45:1): the fifo is not allocated (0) [PRG-103]\n"},
    {"bytes of the next queue", CLEAN, "allocate d\n" PUT("d") GET("d") "free d\nallocate e\n" PUT("e") GET("e"), "", ""},
    {"of another thread, in order", CLEAN, "allocate d\n" PUT("d") GET("d") "free d\nsignal s add 1\n", "wait s >= 1\nallocate e\n" PUT("e") GET("e"), ""},
    {"of another thread, out of order", BAD, "allocate d\n" PUT("d") "free d\n", "allocate e\n" PUT("e"),
     "45:1: error: move (threads/a/steps/2, 38:1) writes address 0x100 of space 'm' (byte 0 of 'ring', byte 0 of 'same') and move (threads/b/steps/2, 45:1) writes it, and no wait orders them [PRG-101]\n"},
    {"a unit that opens, fills and closes", CLEAN, "post u open\npost u put\npost u get\npost u close\n", "", ""},
    {"another unit fills", BAD, "post u open\npost v put\n", "",
     "24:1: error: allocate (functions/open/steps/0, 18:1) writes the pointers of fifo 'd' and reserve (functions/put/steps/0, 24:1) reads it, and no wait orders them [PRG-101]\n"
     "25:1: error: allocate (functions/open/steps/0, 18:1) writes the pointers of fifo 'd' and move (functions/put/steps/1, 25:1) reads it, and no wait orders them [PRG-101]\n"
     "26:1: error: allocate (functions/open/steps/0, 18:1) writes the pointers of fifo 'd' and push (functions/put/steps/2, 26:1) writes it, and no wait orders them [PRG-101]\n"},
    {"another unit fills what is there", CLEAN, "post u open then [s add 1]\nwait s >= 1\npost v put\n", "", ""},
    {"another unit closes", BAD, "post u open then [s add 1]\nwait s >= 1\npost v put\npost u close\n", "",
     "24:1: error: 'v' fails at reserve (functions/put/steps/0, 24:1): the fifo is not allocated (0) [PRG-103]\n"},
    {"a drain before it is closed", CLEAN, "post u open then [s add 1]\nwait s >= 1\npost v put\ndrain v\npost u close\n", "", ""},
    {"entries go from thread to thread", CLEAN, "allocate d\nsignal s add 1\nloop 4\n" PUT("d") "end\n", "wait s >= 1\nloop 4\n" GET("d") "end\n", ""},
    {"allocated again it is empty", BAD, "allocate d\n" PUT("d") "free d\nallocate d\nawait d\n", "",
     "42:1: error: 'a' waits for ever at await (threads/a/steps/6, 42:1) for an entry of fifo 'd'; no process that is left could help [PRG-102]\n"},
};

static const order_row pointers[] = {
    {"a read pointer that another sets", BAD, "set_pointer q begin = 0\n" PUT("q"), "set_pointer q begin = 0\n",
     "42:1: error: set_pointer (threads/a/steps/0, 36:1) writes the pointers of fifo 'q' and set_pointer (threads/b/steps/0, 42:1) writes it, and no wait orders them [PRG-101]\n"},
    {"a read pointer that another pops", BAD, PUT("q") "signal s add 1\nset_pointer q begin = 0\n", "wait s >= 1\n" GET("q"),
     "47:1: error: set_pointer (threads/a/steps/4, 40:1) writes the pointers of fifo 'q' and pop (threads/b/steps/4, 47:1) writes it, and no wait orders them [PRG-101]\n"},
    {"a local pointer that another sets", BAD, PUT("q") "signal s add 1\nset_pointer q local = 0\n", "wait s >= 1\nawait q\n",
     "44:1: error: set_pointer (threads/a/steps/4, 40:1) writes the pointers of fifo 'q' and await (threads/b/steps/1, 44:1) reads it, and no wait orders them [PRG-101]\n"},
    {"a write pointer that another pushes", BAD, PUT("q") "signal s add 1\n" PUT("q"), "wait s >= 1\nset_pointer q write = 1\n",
     "46:1: error: push (threads/a/steps/6, 42:1) writes the pointers of fifo 'q' and set_pointer (threads/b/steps/1, 46:1) writes it, and no wait orders them [PRG-101]\n"},
    {"pointers of two kinds", CLEAN, PUT("q") "signal s add 1\nset_pointer q write = 1\n", "wait s >= 1\nset_pointer q local = 0\n", ""},
    {"in order", CLEAN, PUT("q") "set_pointer q local = 1\nsignal s add 1\n", "wait s >= 1\nset_pointer q local = 0\nset_pointer q begin = 1\n", ""},
};

static const order_row tables[] = {
    {"a tile that the table names", UNKNOWN, TILES("tiles f32 tiled()", "tiles f32 tiled() + 1", ""), TILES("tiles f32 tiled(t 3)", "more f32 tiled(t 2)", " table [0, 1]"), ""},
    {"a tile that it does not name", UNKNOWN, TILES("more f32 tiled()", "tiles f32 tiled() + 2", ""), TILES("tiles f32 tiled(t 3)", "more f32 tiled(t 2) + 1", " table [0, 1]"), ""},
    {"all tiles, in another order", BAD, TILES("more f32 tiled() + 3", "tiles f32 tiled() + 2", ""), TILES("tiles f32 tiled(t 3)", "more f32 tiled(t 3)", " table [2, 0, 1]"),
     "39:1: error: move (threads/a/steps/0, 36:1) writes byte 8192 of buffer 'tiles' and move (threads/b/steps/0, 39:1) reads it, and no wait orders them [PRG-101]\n"},
    {"all tiles and zeros", BAD, TILES("more f32 tiled() + 3", "tiles f32 tiled() + 1", ""), TILES("tiles f32 tiled(t 2)", "more f32 tiled(t 3)", " table [1, -1, 0]"),
     "39:1: error: move (threads/a/steps/0, 36:1) writes byte 4096 of buffer 'tiles' and move (threads/b/steps/0, 39:1) reads it, and no wait orders them [PRG-101]\n"},
    {"the second source by its tiles", BAD, TILES("more f32 tiled() + 3", "tiles f32 tiled() + 3", ""), "move copy from [tiles f32 tiled(t 2), tiles f32 tiled(t 2) + 2] to more f32 tiled(t 2) table [3, 2]\n",
     "39:1: error: move (threads/a/steps/0, 36:1) writes byte 12288 of buffer 'tiles' and move (threads/b/steps/0, 39:1) reads it, and no wait orders them [PRG-101]\n"},
    {"the first source, of which nothing is read", UNKNOWN, TILES("more f32 tiled() + 3", "tiles f32 tiled()", ""), "move copy from [tiles f32 tiled(t 2), tiles f32 tiled(t 2) + 2] to more f32 tiled(t 2) table [3, 2]\n", ""},
    {"elements that the table names", BAD, "move copy from [z f32[1]] to x f32[1] + 4\n", "move copy from [x f32[4]] to z f32[4] + 16 table [3, 2, 1, 0]\n",
     "39:1: error: move (threads/a/steps/0, 36:1) writes byte 4 of buffer 'x' and move (threads/b/steps/0, 39:1) reads it, and no wait orders them [PRG-101]\n"},
    {"elements that it may not name", UNKNOWN, "move copy from [z f32[1]] to x f32[1] + 4\n", "move copy from [x f32[4]] to z f32[2] + 16 table [3, 2]\n", ""},
    {"an element named twice is not all", UNKNOWN, "move copy from [z f32[1]] to x f32[1] + 4\n", "move copy from [x f32[2]] to z f32[2] + 16 table [0, 0]\n", ""},
    {"written by a table", BAD, "move copy from [z f32[1]] to x f32[1] + 4\n", "move copy from [z f32[4] + 16] to x f32[4] table [3, 2, 1, 0]\n",
     "39:1: error: move (threads/a/steps/0, 36:1) writes byte 4 of buffer 'x' and move (threads/b/steps/0, 39:1) writes it, and no wait orders them [PRG-101]\n"},
    {"next to what a table writes", CLEAN, "move copy from [z f32[1]] to x f32[1] + 16\n", "move copy from [z f32[4] + 16] to x f32[4] table [3, 2, 1, 0]\n", ""},
};
// clang-format on

static void expect_row(hoist_test *t, const order_row *row)
{
    const hoist_str text = hoist_arena_format(
        &t->arena,
        "%sthread a {\nregister i\n%s}\nthread b {\n%s}\nentry main {\nstart a\nstart b\n}\n",
        memory, row->a, row->b);
    hoist_program *program = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    if (program) {
        const hoist_verdict verdict = order_verdict(t, program, 0);
        HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
        HOIST_EXPECT_EQ(t, verdict, row->verdict);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(queues_that_come_and_go, dynamics)
{
    expect_row(t, row);
}

HOIST_TEST_TABLE(pointers_are_touched, pointers)
{
    expect_row(t, row);
}

HOIST_TEST_TABLE(tables_touch_what_they_name, tables)
{
    expect_row(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queues_that_come_and_go), HOIST_TEST_ROW(pointers_are_touched),
                HOIST_TEST_ROW(tables_touch_what_they_name))
