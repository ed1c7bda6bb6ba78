// Verdicts on the order of small programs.
#include "base/alloc.h"
#include "base/progress.h"
#include "machine/order_testing.h"
#include "program/text.h"

#define COMMON                                                                                     \
    "program p\nspace m\nspace far\n"                                                              \
    "buffer x in m size 64 lifetime session contents zero\n"                                       \
    "buffer y in m size 64 lifetime session contents zero\n"                                       \
    "buffer z in m size 64 lifetime session contents zero\n"                                       \
    "buffer high in m size 32 window x offset 32 lifetime session\n"                               \
    "buffer raw in m size 64 lifetime session\n"                                                   \
    "buffer big in m size 65536 lifetime session contents zero\n"                                  \
    "buffer own in m size 64\n"                                                                    \
    "buffer placed in far size 64 at 0x100 lifetime session contents zero\n"                       \
    "buffer ring in m size 64 lifetime session\n"                                                  \
    "buffer in in m size 64 lifetime session\n"                                                    \
    "buffer out in m size 64 lifetime session\nbuffer last in m size 64 lifetime session\n"        \
    "buffer tiles in m size 16384 lifetime session contents zero\n"                                \
    "fifo q queue of f32[4] slots 2 in [ring] slot_bytes 16\n"                                     \
    "fifo g queue policy golden of f32[4] slots 1 in [out] slot_bytes 16\n"                        \
    "fifo host queue of f32[4] slots 2 in [in] slot_bytes 16 host_push host_pop\n"                 \
    "fifo sink queue of f32[4] slots 2 in [last] slot_bytes 16 host_pop\n"                         \
    "fifo cache ram of f32[4] slots 2 in [cached] slot_bytes 16\n"                                 \
    "fifo given ram of f32[4] slots 2 in [filled] slot_bytes 16 host_push\n"                       \
    "buffer cached in m size 64 lifetime session\nbuffer filled in m size 64 lifetime session\n"   \
    "unit u depth 1\nunit v depth 4\n"                                                             \
    "semaphore s\nsemaphore r\nsemaphore k\nsemaphore one initial 1\nsemaphore e maximum 1\n"      \
    "function write_x {\n" MOVE(                                                                   \
        "x", "y") "}\n"                                                                            \
                  "function read_x {\n" MOVE(                                                      \
                      "z", "x") "}\n"                                                              \
                                "function work {\n" MOVE("own", "y") MOVE(                         \
                                    "own",                                                         \
                                    "own") "}\n"                                                   \
                                           "function look {\n" MOVE(                               \
                                               "y",                                                \
                                               "own") "}\n"                                        \
                                                      "function nothing {\n}\n"                    \
                                                      "function copy {\nparameter to view f32[4] " \
                                                      "written\nparameter from view f32[4]\n"      \
                                                      "move copy from [param(from) f32[4]] to "    \
                                                      "param(to) f32[4]\n}\n"

#define MOVE(to, from) "move copy from [" from " f32[4]] to " to " f32[4]\n"
#define ONE(a) "thread a {\nregister i\n" a "}\nentry main {\nstart a\n}\n"
#define TWO(a, b)                                                                                  \
    "thread a {\nregister i\n" a "}\nthread b {\nregister i\n" b "}\n"                             \
    "entry main {\nstart a\nstart b\n}\n"
#define THREE(a, b, c)                                                                             \
    "thread a {\nregister i\n" a "}\nthread b {\n" b "}\nthread c {\n" c "}\n"                     \
    "entry main {\nstart a\nstart b\nstart c\n}\n"
#define FOUR(a, b, c, d)                                                                           \
    "thread a {\n" a "}\nthread b {\n" b "}\nthread c {\n" c "}\nthread d {\n" d "}\n"             \
    "entry main {\nstart a\nstart b\nstart c\nstart d\n}\n"
#define PRODUCE(f)                                                                                 \
    "reserve " f "\nmove copy from [y f32[4]] to write(" f ") f32[4]\npush " f " by 1\n"
#define CONSUME(f)                                                                                 \
    "await " f "\nmove copy from [read(" f ") f32[4]] to z f32[4]\nadvance " f " by 1\npop " f     \
    " by 1\n"

// A placed buffer.
#define AT(name, address) "buffer " name " in m size 16 at " address " lifetime session\n"

#define WINDOW(name, offset)                                                                       \
    "buffer " name " in m size 16 window z offset " offset " lifetime session\n"

typedef struct order_case {
    const char *name;
    hoist_verdict verdict;
    const char *rule; // NULL: no finding
    const char *says; // in some message; NULL: not looked at
    const char *text; // after COMMON
} order_case;

#define CLEAN HOIST_VERDICT_CLEAN, NULL, NULL
#define UNKNOWN HOIST_VERDICT_UNKNOWN, NULL, NULL
#define RACE HOIST_VERDICT_BAD, "PRG-101"
#define DEADLOCK HOIST_VERDICT_BAD, "PRG-102"
#define FAULT HOIST_VERDICT_BAD, "PRG-103"
#define UNDEFINED HOIST_VERDICT_BAD, "PRG-104"

static const order_case cases[] = {
    // Semaphores.
    {"nothing between them", RACE, "threads/a/steps/0", TWO(MOVE("x", "y"), MOVE("z", "x"))},
    {"the other step is named too", RACE, "threads/b/steps/0", TWO(MOVE("x", "y"), MOVE("z", "x"))},
    {"two reads", CLEAN, TWO(MOVE("y", "x"), MOVE("z", "x"))},
    {"two writes", RACE, "byte 0 of buffer 'x'", TWO(MOVE("x", "y"), MOVE("x", "z"))},
    {"a signal and its wait", CLEAN,
     TWO(MOVE("x", "y") "signal s add 1\n", "wait s >= 1\n" MOVE("z", "x"))},
    {"the signal stands before", RACE, "no wait orders them",
     TWO("signal s add 1\n" MOVE("x", "y"), "wait s >= 1\n" MOVE("z", "x"))},
    {"the wait stands behind", RACE, NULL,
     TWO(MOVE("x", "y") "signal s add 1\n", MOVE("z", "x") "wait s >= 1\n")},
    {"a wait that passes at once", RACE, NULL,
     TWO(MOVE("x", "y") "signal one add 1\n", "wait one >= 1\n" MOVE("z", "x"))},
    {"an initial count is no signal", CLEAN,
     TWO(MOVE("x", "y") "signal one add 1\n", "wait one >= 2\n" MOVE("z", "x"))},
    {"greater than", CLEAN,
     TWO(MOVE("x", "y") "signal one add 1\n", "wait one > 1\n" MOVE("z", "x"))},
    {"either of two signals", RACE, NULL,
     THREE(MOVE("x", "y") "signal s add 1\n", "signal s add 1\n", "wait s >= 1\n" MOVE("z", "x"))},
    {"both of two signals", CLEAN,
     THREE(MOVE("x", "y") "signal s add 1\n", "signal s add 1\n", "wait s >= 2\n" MOVE("z", "x"))},
    {"the other one is not enough", CLEAN,
     THREE(MOVE("x", "y") "signal s add 2\n", "signal s add 1\n", "wait s >= 2\n" MOVE("z", "x"))},
    {"the other one is enough", RACE, NULL,
     THREE(MOVE("x", "y") "signal s add 1\n", "signal s add 2\n", "wait s >= 2\n" MOVE("z", "x"))},
    {"the first of two", RACE, NULL,
     TWO("signal s add 1\n" MOVE("x", "y") "signal s add 1\n", "wait s >= 1\n" MOVE("z", "x"))},
    {"the second of two", CLEAN,
     TWO("signal s add 1\n" MOVE("x", "y") "signal s add 1\n", "wait s >= 2\n" MOVE("z", "x"))},
    {"whichever signals has waited for it", CLEAN,
     FOUR(MOVE("x", "y") "signal s add 1\n", "wait s >= 1\nsignal r add 1\n",
          "wait s >= 1\nsignal r add 1\n", "wait r >= 1\n" MOVE("z", "x"))},
    {"a signal that comes after the wait cannot help it", CLEAN,
     FOUR(MOVE("x", "y") "signal s add 1\n", "wait s >= 1\nsignal r add 1\n",
          "wait r >= 1\n" MOVE("z", "x") "signal k add 1\n", "wait k >= 1\nsignal r add 1\n")},
    {"what one knew the next knows", CLEAN,
     THREE(MOVE("x", "y") "signal s add 1\n", "wait s >= 1\nsignal r add 1\n",
           "wait r >= 1\n" MOVE("z", "x"))},
    {"a loop hand in hand", CLEAN,
     TWO("loop 4\n" MOVE("x", "y") "signal s add 1\nalu i = add i 1\nwait r >= i\nend\n",
         "loop 4\nalu i = add i 1\nwait s >= i\n" MOVE("z", "x") "signal r add 1\nend\n")},
    {"a loop that runs ahead", RACE, NULL,
     TWO("loop 4\n" MOVE("x", "y") "signal s add 1\nalu i = add i 1\nend\n",
         "loop 4\nalu i = add i 1\nwait s >= i\n" MOVE("z", "x") "signal r add 1\nend\n")},
    // Units.
    {"a call comes after its post", CLEAN, ONE(MOVE("x", "y") "post u read_x\n")},
    {"a step after the post", RACE, "functions/write_x/steps/0",
     ONE("post u write_x\n" MOVE("z", "x"))},
    {"a drain", CLEAN, ONE("post u write_x\ndrain u\n" MOVE("z", "x"))},
    {"a drain of another unit", RACE, NULL, ONE("post u write_x\ndrain v\n" MOVE("z", "x"))},
    {"completion signals", CLEAN,
     ONE("post u write_x then [s add 1]\nwait s >= 1\n" MOVE("z", "x"))},
    {"completion of the call before", RACE, NULL,
     ONE("post u nothing then [s add 1]\npost u write_x then [s add 1]\nwait s >= 1\n" MOVE("z",
                                                                                            "x"))},
    {"a unit is in order", CLEAN, ONE("post u write_x\npost u read_x\n")},
    {"two units are not", RACE, NULL, ONE("post u write_x\npost v read_x\n")},
    {"room in the queue: not yet complete", RACE, NULL,
     ONE("post u write_x\npost u nothing\n" MOVE("z", "x"))},
    {"room in the queue: complete", CLEAN,
     ONE("post u write_x\npost u nothing\npost u nothing\n" MOVE("z", "x"))},
    {"who drains need not have seen the post", RACE, NULL,
     TWO("post u write_x\n", "drain u\n" MOVE("z", "x"))},
    {"who drains may have to wait for another's call", DEADLOCK, NULL,
     "function stuck {\nwait s >= 1\n}\n" TWO(
         "post v nothing\nsignal r add 1\ndrain v\nsignal s add 1\n",
         "wait r >= 1\npost u nothing\ndrain u\npost v stuck\n")},
    {"who drains has seen the post", CLEAN,
     TWO("post u write_x\nsignal s add 1\n", "wait s >= 1\ndrain u\n" MOVE("z", "x"))},
    {"two posters of one unit", UNKNOWN, TWO("post v write_x\n", "post v nothing\n")},
    {"two posters, and a race", RACE, NULL,
     TWO("post v write_x\n", "post v nothing\n" MOVE("z", "x"))},
    {"memory of a call is its own", CLEAN, ONE("post u work\npost v work\n")},
    {"arguments", RACE, "functions/copy/steps/0",
     ONE("post u copy with [x f32[4], y f32[4]]\n" MOVE("z", "x"))},
    // Fifos.
    {"through a fifo", CLEAN,
     TWO(PRODUCE("q") PRODUCE("q") PRODUCE("q"), CONSUME("q") CONSUME("q") CONSUME("q"))},
    {"a push orders what is before it", CLEAN,
     TWO(MOVE("x", "y") PRODUCE("q"), "await q\n" MOVE("z", "x"))},
    {"a pop orders what is before it", CLEAN,
     TWO("loop 2\n" PRODUCE("q") "end\nreserve q\n" MOVE("x", "y"),
         MOVE("z", "x") "await q\npop q by 1\n")},
    {"room that was there", RACE, NULL,
     TWO("loop 1\n" PRODUCE("q") "end\nreserve q\n" MOVE("x", "y"),
         MOVE("z", "x") "await q\npop q by 1\n")},
    {"read without an await", RACE, "slot 0 of fifo 'q'",
     TWO(PRODUCE("q"), "move copy from [read(q) f32[4]] to z f32[4]\n")},
    {"golden holds more than its slots", RACE, NULL,
     TWO(PRODUCE("g") PRODUCE("g"), CONSUME("g") CONSUME("g"))},
    {"two fifos of one buffer", RACE, "byte 0 of buffer 'ring'",
     "fifo twin queue of f32[4] slots 2 in [ring] slot_bytes 16\n" TWO(PRODUCE("q"),
                                                                       PRODUCE("twin"))},
    {"a fifo and a view of its buffer", RACE, "byte 0 of buffer 'ring'",
     TWO(PRODUCE("q"), MOVE("ring", "y"))},
    {"another slot of it", CLEAN,
     TWO(PRODUCE("q"), "move copy from [y f32[4]] to ring f32[4] + 16\n")},
    {"two push", RACE, "the pointers of fifo 'q'", TWO("push q by 1\n", "push q by 1\n")},
    {"the host pushes and pops", CLEAN, ONE("loop 5\n" CONSUME("host") "end\n")},
    {"the host has not pushed yet", RACE, "the host",
     ONE("move copy from [read(host) f32[4]] to z f32[4]\n")},
    {"the host pops what is pushed", CLEAN, ONE("loop 5\n" PRODUCE("sink") "end\n")},
    // Collectives.
    {"a barrier", CLEAN,
     TWO(MOVE("x", "y") "collective barrier group 0 members 2 rank 0\n",
         "collective barrier group 0 members 2 rank 1\n" MOVE("z", "x"))},
    {"the sum may be where the terms are", CLEAN,
     TWO("collective all_reduce add group 0 members 2 rank 0 from x f32[4] to x f32[4]\n",
         "collective all_reduce add group 0 members 2 rank 1 from y f32[4] to y f32[4]\n")},
    {"a member that is done early", RACE, NULL,
     THREE("collective all_reduce add group 0 members 2 rank 0 from x f32[4] to x f32[4]\n",
           "collective all_reduce add group 0 members 2 rank 1 from y f32[4] to y f32[4]\n",
           MOVE("z", "x"))},
    {"more processes than members", UNKNOWN,
     THREE("loop 2\ncollective barrier group 0 members 2 rank 0\nend\n",
           "collective barrier group 0 members 2 rank 1\nsignal s add 1\n",
           "wait s >= 1\ncollective barrier group 0 members 2 rank 1\n")},
    {"members disagree", FAULT, "disagree",
     TWO("collective barrier group 0 members 2 rank 0\n",
         "collective barrier group 0 members 3 rank 1\n")},
    {"members of one rank", FAULT, "same rank",
     TWO("collective barrier group 0 members 2 rank 0\n",
         "collective barrier group 0 members 2 rank 0\n")},
    {"a rank beyond the members", FAULT, "rank",
     ONE("collective barrier group 0 members 1 rank 1\n")},
    // Bytes.
    {"columns side by side", CLEAN,
     TWO("move copy from [y f32[4]] to x f32[4] by [8]\n",
         "move copy from [y f32[4]] to x f32[4] by [8] + 4\n")},
    {"columns that meet", RACE, "byte 8 of buffer 'x'",
     TWO("move copy from [y f32[4]] to x f32[4] by [8]\n",
         "move copy from [y f32[2]] to x f32[2] by [-4] + 12\n")},
    {"rows turned around", CLEAN,
     TWO("move copy from [y f32[2, 2]] to x f32[2, 2] by [-16, 4] + 16\n",
         "move copy from [y f32[2, 2]] to x f32[2, 2] by [16, 4] + 8\n")},
    {"too many runs to be sure", UNKNOWN,
     TWO("move copy from [big f32[2000]] to big f32[2000] by [8] + 16000\n",
         "move copy from [y f32[1]] to big f32[1] + 16004\n")},
    {"a window and its buffer", RACE, "byte 32 of buffer 'x' (byte 0 of 'high')",
     TWO(MOVE("high", "y"), "move copy from [x f32[4] + 32] to z f32[4]\n")},
    {"the other half", CLEAN, TWO(MOVE("high", "y"), "move copy from [x f32[8]] to z f32[8]\n")},
    {"an address and a placed buffer", RACE, "address 0x100 of space 'far'",
     TWO(MOVE("placed", "y"),
         "alu i = set 256\nmove copy from [space(far) f32[4] + i * 1] to z f32[4]\n")},
    {"another address", CLEAN,
     TWO(MOVE("placed", "y"),
         "alu i = set 272\nmove copy from [y f32[4]] to space(far) f32[4] + i * 1\n")},
    {"tiles side by side", CLEAN,
     TWO("move copy from [tiles f32 tiled()] to tiles f32 tiled() + 1\n",
         "move copy from [tiles f32 tiled()] to tiles f32 tiled() + 2\n")},
    {"tiles that meet", RACE, "byte 4096 of buffer 'tiles'",
     TWO("move copy from [tiles f32 tiled()] to tiles f32 tiled() + 1\n",
         "move copy from [tiles f32 tiled(t 2)] to tiles f32 tiled(t 2) + 2\n"
         "move copy from [tiles f32 tiled() + 1] to tiles f32 tiled() + 3\n")},
    {"a table that names all", RACE, NULL,
     TWO("move copy from [tiles f32 tiled(t 2)] to tiles f32 tiled(t 2) + 2 table [1, 0]\n",
         "move copy from [tiles f32 tiled() + 2] to tiles f32 tiled() + 1\n")},
    {"a table that leaves some out: nobody knows", UNKNOWN,
     TWO("move copy from [tiles f32 tiled(t 2)] to tiles f32 tiled(t 2) + 2 table [1, -1]\n",
         "move copy from [y f32[4]] to x f32[4]\nmove copy from [big f32[4]] to big f32[4] + 64\n"
         "move copy from [tiles f32 tiled() + 1] to tiles f32 tiled()\n")},
    {"opaque reads and writes", RACE, NULL,
     TWO("opaque o reads [x f32[4]] writes [z f32[4]]\n", MOVE("x", "y"))},
    // Undefined contents.
    {"nobody wrote it", UNDEFINED, "buffer 'raw'", ONE(MOVE("x", "raw"))},
    {"somebody wrote it", CLEAN, ONE(MOVE("raw", "x") MOVE("x", "raw"))},
    {"somebody wrote a part", UNDEFINED, "byte 16 of buffer 'raw'",
     ONE(MOVE("raw", "x") "move copy from [raw f32[8]] to x f32[8]\n")},
    {"the caller supplies it", CLEAN,
     "port given_raw in raw of f32[4]\nneed given_raw from 0 to 16\n" ONE(MOVE("x", "raw"))},
    {"the caller supplies all but the end", UNDEFINED, "byte 12 of buffer 'raw'",
     "port given_raw in raw of f32[4]\nneed given_raw from 0 to 12\n" ONE(MOVE("x", "raw"))},
    {"the caller supplies all but the begin", UNDEFINED, "byte 0 of buffer 'raw'",
     "port given_raw in raw of f32[4]\nneed given_raw from 4 to 16\n" ONE(MOVE("x", "raw"))},
    {"the caller supplies what comes after", UNDEFINED, "byte 0 of buffer 'raw'",
     "port given_raw in raw of f32[8]\nneed given_raw from 16 to 32\n" ONE(MOVE("x", "raw"))},
    {"the caller supplies other memory", UNDEFINED, "byte 0 of buffer 'raw'",
     "port given_own in own of f32[4]\nneed given_own from 0 to 16\n" ONE(MOVE("x", "raw"))},
    {"a slot that nobody filled", UNDEFINED, "slot 0 of fifo 'cache'",
     ONE("move copy from [read(cache) f32[4]] to z f32[4]\n")},
    {"a slot that somebody filled", CLEAN,
     ONE("move copy from [y f32[4]] to write(cache) f32[4]\npush cache by 1\n"
         "move copy from [read(cache) f32[4]] to z f32[4]\nzero cache\n")},
    {"another slot was filled", UNDEFINED, "slot 1 of fifo 'cache'",
     ONE("move copy from [y f32[4]] to write(cache) f32[4]\npush cache by 1\nadvance cache by 1\n"
         "move copy from [read(cache) f32[4]] to z f32[4]\n")},
    {"what the host fills is full", CLEAN,
     ONE("move copy from [read(given) f32[4]] to z f32[4]\n")},
    {"zeros are written", RACE, "slot 0 of fifo 'given'",
     TWO("move copy from [read(given) f32[4]] to z f32[4]\n", "zero given\n")},
    {"two buffers at one address", RACE, NULL,
     AT("down", "4096") AT("top", "4108") TWO(MOVE("down", "y"), MOVE("top", "y"))},
    {"several windows", RACE,
     "byte 4 of buffer 'z' (byte 4 of 'w1', byte 0 of 'w2', byte 0 of 'w3', and 1 more)",
     WINDOW("w1", "0") WINDOW("w2", "4") WINDOW("w3", "4") WINDOW("w4", "4") WINDOW("w5", "20")
         TWO("move copy from [y f32[4]] to z f32[4] + 4\n", MOVE("w4", "y"))},
    {"a third one lies on both", RACE,
     "address 0x100c of space 'm' (byte 12 of 'down', byte 0 of 'mid')",
     AT("down", "4096") AT("top", "4112") AT("mid", "4108")
         THREE(MOVE("mid", "y"), MOVE("top", "y"), MOVE("down", "y"))},
    {"side by side", CLEAN,
     AT("down", "4096") AT("top", "4112") TWO(MOVE("down", "y"), MOVE("top", "y"))},
    {"one after the other at one address", CLEAN,
     AT("down", "4096") AT("top", "4096")
         TWO(MOVE("down", "y") "signal s add 1\n", "wait s >= 1\n" MOVE("top", "y"))},
    {"memory of a call before", UNDEFINED, "buffer 'own'", ONE("post u work\npost u look\n")},
    // Deadlock and faults.
    {"each waits for the other", DEADLOCK, "they wait for each other: 'a' for 'b' for 'a'",
     TWO("wait s >= 1\nsignal r add 1\n", "wait r >= 1\nsignal s add 1\n")},
    {"who could help is named", DEADLOCK, "who could help waits: 'b'",
     TWO("wait s >= 1\nsignal r add 1\n", "wait r >= 1\nsignal s add 1\n")},
    {"what is waited for is named", DEADLOCK, "semaphore 's', which is 0, expected >= 1",
     ONE("wait s >= 1\n")},
    {"nobody is left", DEADLOCK, "no process that is left could help", ONE("wait s >= 1\n")},
    {"an entry that nobody pushes", DEADLOCK, "an entry of fifo 'q'", ONE("await q\n")},
    {"a slot that nobody frees", DEADLOCK, "a free slot of fifo 'q'",
     ONE("loop 3\n" PRODUCE("q") "end\n")},
    {"a unit that waits for its poster", DEADLOCK, "unit 'v' to complete",
     "function stuck {\nwait s >= 1\n}\n" ONE("post v stuck\ndrain v\nsignal s add 1\n")},
    {"a full unit", DEADLOCK, "space in the queue of unit 'u'",
     "function stuck {\nwait s >= 1\n}\n" ONE("loop 3\npost u stuck\nend\nsignal s add 1\n")},
    {"a member that does not come", DEADLOCK, "the 2 members of group 7",
     ONE("collective barrier group 7 members 2 rank 0\n")},
    {"help behind a call", DEADLOCK, "who could help waits: 'b'",
     "function give {\nsignal s add 1\n}\n" TWO("wait s >= 1\nsignal r add 1\n",
                                                "wait r >= 1\ncall give\n")},
    {"below zero", FAULT, "becomes negative (-1)", ONE("signal s sub 1\n")},
    {"above the maximum", FAULT, "exceeds its maximum (2)",
     ONE("signal e add 1\nsignal e add 1\n")},
    {"above the maximum at completion", FAULT, "exceeds its maximum",
     ONE("post u nothing then [e add 2]\n")},
    {"beyond the table", FAULT, "outside its table", ONE("call [nothing, nothing] at 2\n")},
    {"pop of nothing", FAULT, "pop from an empty fifo (1)", ONE("pop q by 1\n")},
    // Semaphores that fall, or are set.
    {"an event", CLEAN,
     TWO(MOVE("x", "y") "signal e set 1\n", "wait e == 1 then clear\n" MOVE("z", "x"))},
    {"an event, and a step before the wait", RACE, NULL,
     TWO(MOVE("x", "y") "signal e set 1\n", MOVE("z", "x") "wait e == 1 then clear\n")},
    {"an event, there and back", CLEAN,
     TWO("loop 4\n" MOVE("x", "y") "signal e set 1\nwait e == 0\nend\n",
         "loop 4\nwait e == 1\n" MOVE("z", "x") "signal e set 0\nend\n")},
    {"an event that is not awaited back", RACE, NULL,
     TWO("loop 4\n" MOVE("x", "y") "signal e set 1\nend\n",
         "wait e == 1\n" MOVE("z", "x") "signal e set 0\n")},
    {"two events in turn", CLEAN,
     TWO("loop 4\n" MOVE("x", "y") "signal s set 1\nwait r == 1 then clear\nend\n",
         "loop 4\nwait s == 1 then clear\n" MOVE("z", "x") "signal r set 1\nend\n")},
    {"two wait for an event that a third clears", CLEAN,
     FOUR(MOVE("x", "y") "signal s set 1\n", "wait s == 1\n" MOVE("z", "x") "signal r add 1\n",
          "wait s == 1\nsignal r add 1\n", "wait r == 2\nsignal s set 0\n" MOVE("x", "y"))},
    {"an event that is missed", DEADLOCK, NULL,
     TWO("signal s set 1\nsignal s set 0\n", "wait s == 1\n")},
    {"a set that is lost", DEADLOCK, NULL,
     THREE("signal s set 1\n", "signal s set 1\n",
           "wait s == 1 then clear\nwait s == 1 then clear\n")},
    {"set again to the same", CLEAN,
     TWO(MOVE("x", "y") "signal s set 1\nsignal s set 1\n", "wait s == 1\n" MOVE("z", "x"))},
    {"equal", CLEAN,
     TWO(MOVE("x", "y") "signal s add 1\nwait r == 1\nsignal s add 1\n",
         "wait s == 1\n" MOVE("z", "x") "signal r add 1\nwait s == 2\n")},
    {"equal, and past it", DEADLOCK, NULL,
     TWO(MOVE("x", "y") "signal s add 1\nsignal s add 1\n", "wait s == 1\n" MOVE("z", "x"))},
    {"equal to the sum of two", CLEAN,
     THREE(MOVE("x", "y") "signal s add 1\n", "signal s add 1\n", "wait s == 2\n" MOVE("z", "x"))},
    {"not any more", CLEAN,
     TWO(MOVE("x", "y") "signal one sub 1\n", "wait one < 1\n" MOVE("z", "x"))},
    {"takes of one consumer", CLEAN,
     TWO("loop 3\n" MOVE("x", "y") "signal s add 2\nwait r >= 1 then subtract 1\nend\n",
         "loop 3\nwait s >= 2 then subtract 2\n" MOVE("z", "x") "signal r add 1\nend\n")},
    {"less is taken than was added", RACE, NULL,
     TWO("loop 3\n" MOVE("x", "y") "signal s add 2\nwait r >= 1 then subtract 1\nend\n",
         "loop 3\nwait s >= 1 then subtract 1\n" MOVE("z", "x") "signal r add 1\nend\n")},
    {"takes that come after the wait", CLEAN,
     TWO(MOVE("x", "y") "signal s add 1\nwait s == 0\n" MOVE("x", "y"),
         "wait s >= 1\n" MOVE("z", "x") "signal s sub 1\n")},
    {"adds of two between sets", CLEAN,
     THREE(MOVE("x", "y") "signal s add 1\nwait r >= 1\nsignal s add 1\n",
           "signal s add 1\nwait r >= 1\nsignal s add 1\n",
           "wait s == 2\nsignal s set 0\nsignal r add 1\nwait s == 2\n" MOVE("x", "y"))},
    {"nobody waits for what two set", CLEAN, TWO("signal e set 1\n", "signal e set 0\n")},
    {"what two set and a third one adds to", FAULT, "exceeds its maximum",
     THREE("signal e set 1\n", "signal e set 0\n", "signal e add 1\n")},
    {"more than there is", FAULT, "becomes negative", TWO("signal s add 1\n", "signal s sub 1\n")},
    {"more than fits", FAULT, "exceeds its maximum",
     TWO("signal e add 1\nsignal e add 1\n", "wait e >= 1 then subtract 1\n")},
    {"not equal", CLEAN, TWO(MOVE("x", "y") "signal s add 1\n", "wait s != 2\n" MOVE("z", "y"))},
    {"not equal, and passed on the way", CLEAN,
     TWO("signal s add 1\nsignal s add 1\n", "wait s != 1\n")},
    {"less", CLEAN,
     TWO("signal s set 5\nsignal r add 1\n" MOVE("x", "y") "signal s set 2\n",
         "wait r >= 1\nwait s < 5\n" MOVE("z", "x"))},
    {"less, which it is at the start only", DEADLOCK, NULL,
     TWO(MOVE("x", "y") "signal s set 5\n", "wait s < 5\n" MOVE("z", "x"))},
    {"not equal to where it began", CLEAN,
     TWO(MOVE("x", "y") "signal one set 3\n", "wait one != 1\n" MOVE("z", "x"))},
    {"at most", CLEAN,
     TWO("wait one >= 1\n" MOVE("x", "y") "signal one sub 1\n", "wait one <= 0\n" MOVE("z", "x"))},
    {"at most, which it was", RACE, NULL,
     TWO("wait one >= 1\n" MOVE("x", "y") "signal one sub 1\n", "wait one <= 1\n" MOVE("z", "x"))},
    {"taken by what waited for it", CLEAN,
     THREE(MOVE("x", "y") "signal s add 2\n", "wait s >= 2 then subtract 2\nsignal r add 1\n",
           "wait r >= 1\n" MOVE("z", "x"))},
    {"more is awaited than a wait leaves", DEADLOCK, NULL,
     THREE("signal s add 3\n", "wait s >= 1 then subtract 1\n", "wait s >= 3\n")},
    {"the least number is subtracted", FAULT, "exceeds 64 bits",
     ONE("signal s sub -9223372036854775808\n")},
    {"the least number is added", FAULT, "becomes negative",
     ONE("signal s add -9223372036854775808\n")},
    {"a negative add takes", FAULT, "becomes negative (-2)", ONE("signal s add -2\n")},
    {"a negative sub adds", CLEAN,
     TWO(MOVE("x", "y") "signal s sub -2\n", "wait s >= 2\n" MOVE("z", "x"))},
    {"a set to what is awaited, twice", CLEAN,
     TWO(MOVE("x", "y") "signal s set 3\nsignal s set 4\n", "wait s > 2\n" MOVE("z", "x"))},
    {"only the second set is enough", CLEAN,
     TWO("signal s set 3\n" MOVE("x", "y") "signal s set 4\n", "wait s > 3\n" MOVE("z", "x"))},
    {"the first set is enough", RACE, NULL,
     TWO("signal s set 3\n" MOVE("x", "y") "signal s set 4\n", "wait s > 2\n" MOVE("z", "x"))},
    // Counts that no order takes below 0 or beyond the maximum, and those that one may.
    {"a take that an add before it covers, beside another add", CLEAN,
     THREE("signal s add 1\nsignal r add 1\n", "wait r >= 1\nsignal s sub 1\n",
           "signal s add 1\n")},
    {"two takes of two adds", CLEAN,
     THREE("signal s add 2\nsignal r add 1\n", "wait r >= 1\nsignal s sub 1\n",
           "wait r >= 1\nsignal s sub 1\n")},
    {"two takes of one add each, which sums do not show", UNKNOWN,
     TWO("signal s add 1\nsignal s sub 1\n", "signal s add 1\nsignal s sub 1\n")},
    {"a take that only an add of no order covers", FAULT, "becomes negative (-1)",
     THREE("signal s add 1\nsignal r add 1\n", "wait r >= 1\nsignal s sub 2\n",
           "signal s add 1\n")},
    {"takes that one order would cover", UNKNOWN,
     TWO("signal one sub 1\n", "signal one add 1\nsignal one sub 1\n")},
    {"a wait that takes what it has waited for", CLEAN,
     TWO("signal s add 1\nsignal s add 1\n", "wait s >= 1 then subtract 1\n")},
    {"a wait that takes more", FAULT, "becomes negative (-1)",
     TWO("signal s add 1\nsignal s add 1\n", "wait s >= 1 then subtract 2\n")},
    {"a wait that takes more, of which there always is enough", CLEAN,
     TWO("signal s add 2\nsignal r add 1\n", "wait r >= 1\nwait s >= 1 then subtract 2\n")},
    {"a maximum that a take keeps", CLEAN,
     TWO("signal e add 1\nsignal r add 1\nwait k >= 1\nsignal e add 1\n",
         "wait r >= 1\nsignal e sub 1\nsignal k add 1\n")},
    {"a maximum that a take keeps in one order", FAULT, "exceeds its maximum (2)",
     THREE("signal e add 1\nsignal r add 1\n", "wait r >= 1\nsignal e sub 1\n",
           "signal e add 1\n")},
    {"adds that fit together", CLEAN,
     TWO("signal e add 1\nsignal e sub 1\nsignal r add 1\n", "wait r >= 1\nsignal e add 1\n")},
    // Not known.
    {"a lock", UNKNOWN,
     TWO("wait one >= 1 then subtract 1\n" MOVE("x", "y") "signal one add 1\n",
         "wait one >= 1 then subtract 1\n" MOVE("x", "z") "signal one add 1\n")},
    {"a lock, and a step outside", RACE, NULL,
     TWO("wait one >= 1 then subtract 1\n" MOVE("x", "y") "signal one add 1\n",
         "wait one >= 1 then subtract 1\n" MOVE("y", "z") "signal one add 1\n" MOVE("x", "z"))},
    {"a deadlock that some runs reach", DEADLOCK, NULL,
     TWO("wait one >= 1 then subtract 1\nwait k <= 0\nsignal r add 1\n",
         "signal k add 1\nwait r >= 1\n")},
    {"set beside adds", UNKNOWN, THREE("signal s add 1\n", "signal s set 1\n", "wait s >= 1\n")},
    {"a pointer that goes back", UNKNOWN,
     ONE("loop 2\n" PRODUCE("q") "end\nset_pointer q read = 1\nset_pointer q read = 0\n")},
};

static hoist_program *read_text(hoist_test *t, const char *text, hoist_allocator alloc)
{
    const hoist_str whole = hoist_arena_format(&t->arena, "%s%s", COMMON, text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)whole.data, whole.size},
                                        alloc, t->diag, &program),
                    HOIST_OK);
    return program;
}

static void expect_message(hoist_test *t, const char *says)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        if (hoist_str_contains(hoist_diag_at(t->diag, i)->message, says)) {
            return;
        }
    }
    const hoist_str all = hoist_test_findings(t);
    hoist_test_fail(t, __FILE__, __LINE__, "no message says '%s': %.*s", says, HOIST_STR_ARGS(all));
}

HOIST_TEST_TABLE(verdicts, cases)
{
    hoist_program *program = read_text(t, row->text, hoist_allocator_system());
    if (!program) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", HOIST_STR_ARGS(all));
        return;
    }
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), row->verdict);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->says) {
        expect_message(t, row->says);
    }
    hoist_program_destroy(program);
}

// Verdict of `text` with `options`, whose allocator is filled in.
static hoist_verdict verdict_with(hoist_test *t, const char *text, hoist_order_options options)
{
    hoist_program *program = read_text(t, text, hoist_allocator_system());
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    options.alloc = hoist_allocator_system();
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, t->diag, &verdict),
                    HOIST_OK);
    hoist_program_destroy(program);
    return verdict;
}

HOIST_TEST(limits_leave_it_unknown)
{
    static const char endless[] = ONE("loop 1000000000\nalu i = add i 1\nend\n");
    HOIST_EXPECT_EQ(t, verdict_with(t, endless, (hoist_order_options){.max_steps = 1000}),
                    HOIST_VERDICT_UNKNOWN);
    HOIST_EXPECT_RULE(t, NULL);
    static const char races[] = TWO(MOVE("x", "y") MOVE("x", "y") MOVE("x", "y"),
                                    MOVE("z", "x") MOVE("z", "x") MOVE("z", "x"));
    HOIST_EXPECT_EQ(t, verdict_with(t, races, (hoist_order_options){.max_findings = 2}),
                    HOIST_VERDICT_BAD);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 2);
}

// What the search for races looks at: each range in each of its cells, of which the host's two
// pushes have four, and the epochs of waits.
static const struct {
    const char *name;
    const char *text;
    uint64_t visits; // all that there are
} looks[] = {
    {"nothing", ONE(""), 4},
    {"a read and a write", ONE(MOVE("x", "y")), 4 + 2},
    {"reads of two cells", ONE(MOVE("x", "y") "move copy from [y f32[8]] to z f32[8]\n"), 4 + 5},
    {"a wait", TWO(MOVE("x", "y") "signal s add 1\n", "wait s >= 1\n" MOVE("z", "x")), 4 + 4 + 4},
};

HOIST_TEST_TABLE(so_much_is_looked_at, looks)
{
    const char *why = NULL;
    for (uint64_t visits = 1; visits <= row->visits + 1; visits++) {
        const hoist_order_options options = {.max_visits = visits, .out_why = &why};
        const bool enough = visits >= row->visits;
        HOIST_EXPECT_EQ(t, verdict_with(t, row->text, options),
                        enough ? HOIST_VERDICT_CLEAN : HOIST_VERDICT_UNKNOWN);
        HOIST_EXPECT(t, enough || hoist_str_equal_c(HOIST_STR("a run is longer than what was "
                                                              "looked at"),
                                                    why));
    }
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(parameters_are_1_unless_given)
{
    static const char text[] = "thread a {\nregister n\nbranch n == 1 to last\n" MOVE(
        "x", "y") "last: alu n = set 0\n}\nthread b {\n" MOVE("z", "x") "}\n"
                                                                        "entry main {\nstart "
                                                                        "a\nstart b\nparameter $n "
                                                                        "thread a register n\n}\n";
    HOIST_EXPECT_EQ(t, verdict_with(t, text, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_CLEAN);
    const int64_t two = 2;
    HOIST_EXPECT_EQ(t, verdict_with(t, text, (hoist_order_options){.parameters = &two}),
                    HOIST_VERDICT_BAD);
}

HOIST_TEST(what_ran_before_is_there)
{
    static const char text[] = "thread a {\n" PRODUCE("q")
        MOVE("raw", "y") "post u write_x then [s add 1]\nwait s >= 1\n}\n"
                         "thread b {\n" CONSUME("q") MOVE(
                             "y", "raw") "wait s <= 0\n}\n"
                                         "entry main {\nstart b\n}\nentry first {\nstart a\n}\n";
    HOIST_EXPECT_EQ(t, verdict_with(t, text, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_BAD);
    HOIST_EXPECT_RULE(t, "PRG-102");
    static const char second[] = "thread a {\n" PRODUCE("q")
        MOVE("raw",
             "y") "signal s add 1\nwait s >= 1\n}\n"
                  "thread b {\n" MOVE("x", "raw") "signal s add 1\n}\nthread c {\n" CONSUME(
                      "q") "wait s >= 1\n" MOVE("y", "x")
                      PRODUCE("q") "}\n"
                                   "entry main {\nstart b\nstart c\n}\nentry first {\nstart a\n}\n";
    hoist_test_row(t, "after the first");
    const hoist_ref first[] = {1, 1};
    HOIST_EXPECT_EQ(
        t, verdict_with(t, second, (hoist_order_options){.before = first, .before_count = 2}),
        HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(
        t, verdict_with(t, second, (hoist_order_options){.before = first, .before_count = 0}),
        HOIST_VERDICT_BAD);
}

// Main, after a run of first.
#define BEHIND(main, first)                                                                        \
    "thread a {\n" main "}\nthread b {\n" first "}\nentry main {\nstart a\n}\nentry first {\n"     \
    "start b\n}\n"

// clang-format off
static const order_case behind[] = {
    {"a call is of this run", CLEAN, BEHIND(MOVE("x", "y") "post u read_x\ndrain u\n" MOVE("x", "y"), "post u nothing\ndrain u\n")},
    {"calls of this run", CLEAN, BEHIND(MOVE("x", "y") "post u read_x\npost u nothing\ndrain u\n" MOVE("x", "y"), "post u nothing\npost u write_x\ndrain u\n")},
    {"a call beside what follows", RACE, NULL, BEHIND(MOVE("x", "y") "post u read_x\n" MOVE("x", "y"), "post u nothing\ndrain u\n")},
    {"a call beside no call", CLEAN, BEHIND(MOVE("x", "y"), "post u read_x\n")},
    {"entries that were left", CLEAN, BEHIND(CONSUME("q"), PRODUCE("q"))},
    {"more than were left", DEADLOCK, NULL, BEHIND(CONSUME("q") CONSUME("q") CONSUME("q"), PRODUCE("q"))},
    {"what it left makes it full", DEADLOCK, NULL, BEHIND(PRODUCE("q") PRODUCE("q"), PRODUCE("q"))},
    {"what it took makes space", CLEAN, BEHIND(PRODUCE("q") PRODUCE("q"), PRODUCE("q") CONSUME("q"))},
    {"the host fills in both", CLEAN, BEHIND(CONSUME("host") CONSUME("host") CONSUME("host"), CONSUME("host"))},
    {"the host empties in both", CLEAN, BEHIND(PRODUCE("sink") PRODUCE("sink") PRODUCE("sink"), PRODUCE("sink"))},
    {"semaphores begin anew", DEADLOCK, NULL, BEHIND("wait s >= 1\n", "signal s add 1\n")},
    {"an event begins anew", CLEAN, BEHIND("signal e set 1\nwait e == 1 then clear\n", "signal e set 1\n")},
    {"what it wrote for the session", CLEAN, BEHIND(MOVE("z", "raw"), MOVE("raw", "y"))},
    {"what it wrote for the run", UNDEFINED, NULL, BEHIND(MOVE("z", "own"), MOVE("own", "y"))},
    {"memory of the session counts as defined", CLEAN, BEHIND(MOVE("z", "raw"), MOVE("x", "y"))},
};
// clang-format on

HOIST_TEST_TABLE(a_run_leaves_what_is_of_the_session, behind)
{
    const hoist_ref first = 1;
    const hoist_order_options once = {.before = &first, .before_count = 1};
    HOIST_EXPECT_EQ(t, verdict_with(t, row->text, once), row->verdict);
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST(long_runs_are_checked_in_time)
{
    static const char text[] =
        TWO("loop 5000\n" MOVE("x", "y") "signal s add 1\nalu i = add i 1\nwait r >= i\nend\n",
            "loop 5000\nalu i = add i 1\nwait s >= i\n" MOVE("z", "x") "signal r add 1\nend\n");
    HOIST_EXPECT_EQ(t, verdict_with(t, text, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_CLEAN);
}

HOIST_TEST(races_beside_events_need_no_schedule)
{
    // The first schedule makes both signals before the wait.
    static const char text[] =
        TWO("signal e set 1\nsignal s add 1\n" MOVE("x", "y") "signal s add 1\n",
            "wait e == 1\nwait s >= 1\n" MOVE("z", "x"));
    HOIST_EXPECT_EQ(t, verdict_with(t, text, (hoist_order_options){.max_schedules = 1}),
                    HOIST_VERDICT_BAD);
    HOIST_EXPECT_RULE(t, "PRG-101");
}

HOIST_TEST(long_handshakes_are_checked_in_time)
{
    static const char events[] =
        TWO("loop 5000\n" MOVE("x", "y") "signal s set 1\nwait r == 1 then clear\nend\n",
            "loop 5000\nwait s == 1 then clear\n" MOVE("z", "x") "signal r set 1\nend\n");
    static const char takes[] =
        TWO("loop 5000\n" MOVE("x", "y") "signal s add 1\nwait s == 0\nend\n",
            "loop 5000\nwait s == 1\n" MOVE("z", "x") "signal s sub 1\nend\n");
    static const char late[] = THREE(
        "loop 5000\nsignal s set 1\nwait r == 1 then clear\nend\nsignal k set 1\n",
        "loop 5000\nwait s == 1 then clear\nsignal r set 1\nend\nwait k == 1\nsignal s set 2\n",
        "loop 5000\nwait s >= 2\nend\n");
    HOIST_EXPECT_EQ(t, verdict_with(t, events, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_EQ(t, verdict_with(t, takes, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_EQ(t, verdict_with(t, late, (hoist_order_options){.max_steps = 0}),
                    HOIST_VERDICT_CLEAN);
}

static hoist_status check_with(hoist_allocator alloc, const void *self)
{
    const hoist_order_options options = {.alloc = alloc};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    return hoist_program_check_order(self, 0, &options, NULL, &verdict);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    static const char text[] =
        FOUR("move copy from [y f32[4]] to x f32[4] table [3, 2, 1, 0]\n" MOVE(
                 "x", "y") "post u write_x then [s add 1]\nwait s >= 2\ndrain u\n" PRODUCE("q"),
             "signal s add 1\n" CONSUME("q") CONSUME("host"),
             "collective barrier group 0 members 2 rank 0\nloop 2\ncall copy with [big f32[4], y "
             "f32[4]]\nend\n",
             "collective barrier group 0 members 2 rank 1\nwait k >= 0\nsignal k set 2\nwait k == "
             "2 then "
             "subtract 1\nsignal r set 0\n");
    hoist_program *program = read_text(t, text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
    hoist_test_starve(t, check_with, program);
    hoist_program_destroy(program);
}

static void keep_done(void *self, const hoist_progress *progress)
{
    uint64_t *const done = self;
    *done = progress->stage == HOIST_STAGE_ORDERS ? progress->done : *done;
}

HOIST_TEST(steps_count_as_progress)
{
    uint64_t done = 0;
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), -1, &deadline), HOIST_OK);
    hoist_deadline_watch(deadline, keep_done, &done);
    hoist_deadline_report_all(deadline);
    const bool is_own = hoist_stage_begin(deadline, HOIST_STAGE_ORDERS, 0);
    HOIST_EXPECT_EQ(t,
                    verdict_with(t, ONE("loop 10\nalu i = add i 1\nend\n"),
                                 (hoist_order_options){.deadline = deadline}),
                    HOIST_VERDICT_CLEAN);
    hoist_stage_end(deadline, is_own);
    HOIST_EXPECT_EQ(t, done, 10 * 3); // the loop, the sum and the end, ten times
    hoist_deadline_destroy(deadline);
}

// So many queues through which the host fills and empties the thread's; both ends of each are
// processes of their own.
static const struct {
    const char *name;
    int queues;
    bool fills, empties;
} hosts[] = {
    {"one", 1, true, true},
    {"one that the host fills", 1, true, false},
    {"one that the host empties", 1, false, true},
    {"as many processes as there is space for", 4, true, true},
    {"eight that the host fills", 8, true, false},
    {"eight that the host empties", 8, false, true},
};

HOIST_TEST_TABLE(the_host_has_memory_for_its_ends, hosts)
{
    const char *text = "";
    for (int i = 0; i < row->queues; i++) {
        text = hoist_arena_format(&t->arena,
                                  "%sbuffer p%d in m size 16 lifetime session\n"
                                  "buffer q%d in m size 16 lifetime session\n"
                                  "fifo f%d queue of f32[4] slots 1 in [p%d] slot_bytes 16%s\n"
                                  "fifo g%d queue of f32[4] slots 1 in [q%d] slot_bytes 16%s\n",
                                  text, i, i, i, i, row->fills ? " host_push" : "", i, i,
                                  row->empties ? " host_pop" : "")
                   .data;
    }
    text = hoist_arena_format(&t->arena, "%sthread a {\n", text).data;
    for (int i = 0; i < row->queues && row->fills; i++) {
        text = hoist_arena_format(&t->arena,
                                  "%sloop 2\nawait f%d\nmove copy from [read(f%d) f32[4]] to z "
                                  "f32[4]\nadvance f%d by 1\npop f%d by 1\nend\n",
                                  text, i, i, i, i)
                   .data;
    }
    for (int i = 0; i < row->queues && row->empties; i++) {
        text = hoist_arena_format(&t->arena,
                                  "%sloop 2\nreserve g%d\nmove copy from [y f32[4]] to write(g%d) "
                                  "f32[4]\npush g%d by 1\nend\n",
                                  text, i, i, i)
                   .data;
    }
    text = hoist_arena_format(&t->arena, "%s}\nentry main {\nstart a\n}\n", text).data;
    hoist_program *program = read_text(t, text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
    hoist_test_starve(t, check_with, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(verdicts), HOIST_TEST_ROW(limits_leave_it_unknown),
                HOIST_TEST_ROW(so_much_is_looked_at), HOIST_TEST_ROW(parameters_are_1_unless_given),
                HOIST_TEST_ROW(what_ran_before_is_there),
                HOIST_TEST_ROW(a_run_leaves_what_is_of_the_session),
                HOIST_TEST_ROW(long_runs_are_checked_in_time),
                HOIST_TEST_ROW(races_beside_events_need_no_schedule),
                HOIST_TEST_ROW(long_handshakes_are_checked_in_time),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory),
                HOIST_TEST_ROW(steps_count_as_progress),
                HOIST_TEST_ROW(the_host_has_memory_for_its_ends))
