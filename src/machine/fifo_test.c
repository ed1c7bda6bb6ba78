// The pointers of one fifo: traces of buda-netlist reference section 10 that concern one queue, and
// what is refused.
#include <stdlib.h>
#include <string.h>

#include "machine/fifo.h"
#include "testing/test.h"

// A script has words: an action, its number (left out: 1), and what it must answer: nothing for
// done, '~' for "wait", '!' for "wrong".
//
//     +N push   -N pop   h host pop   >N advance   ?N N awaits with an advance each
//     a await   f reserve   r w l b: set a pointer   z zero   A allocate   F free   R a run begins
//     =R,W,L    the pointers are these, modulo 2 * slots for a queue
//     sN        the slot that a read means is N
typedef struct fifo_case {
    const char *name;
    hoist_fifo_kind kind;
    hoist_fifo_policy policy;
    uint32_t slots;
    bool dynamic;
    const char *script;
} fifo_case;

#define QUEUE HOIST_FIFO_QUEUE
#define RAM HOIST_FIFO_RAM
#define STRICT HOIST_FIFO_STRICT
#define GOLDEN HOIST_FIFO_GOLDEN

// clang-format off
static const fifo_case cases[] = {
    {"C02 strict", QUEUE, STRICT, 4, false, "+4 =0,4,0 r0 l0 ?2 l0 r2 =2,4,0 l2 =2,4,2 r2 ?2 l2 r4 =4,4,2 l4 =4,4,4"},
    {"C02 golden", QUEUE, GOLDEN, 4, false, "+4 =0,4,0 r0 l0 ?2 l0 r2 =2,4,0 l2 =2,4,2 r2 ?2 l2 r4 =4,4,2 l4 =4,4,4"},
    {"C03 strict", QUEUE, STRICT, 4, false, "+4 r4 l4 a~ =4,4,4 -1!"},
    {"C03 golden", QUEUE, GOLDEN, 4, false, "+4 r4 l4 a~ =4,4,4 -1!"},
    {"C04 strict", QUEUE, STRICT, 2, false, "+2 r0 l0 a r1 l1 =1,2,1 a r2 l2 =2,2,2 +2 =2,4,2 a r3 l3 =3,4,3 a r0 l0 =0,0,0 a~ +1 =0,1,0 a r1 l1 =1,1,1"},
    {"C04 golden", QUEUE, GOLDEN, 2, false, "+2 r0 l0 a r1 l1 =1,2,1 a r2 l2 =2,2,2 +2 =2,4,2 a r3 l3 =3,4,3 a r0 l0 =0,0,0 a~ +1 =0,1,0 a r1 l1 =1,1,1"},
    {"C05 strict", QUEUE, STRICT, 2, false, "+2 =0,2,0 h =1,2,1 +1 =1,3,1 h =2,3,2 +1 =2,4,2 h =3,4,3 h =4,0,4 +1 =0,1,4"},
    {"C05 golden", QUEUE, GOLDEN, 2, false, "+2 =0,2,0 h =1,2,1 +1 =1,3,1 h =2,3,2 +1 =2,4,2 h =3,4,3 h =4,0,4 h! a~ +1 =0,1,4"},
    {"C06 strict", QUEUE, STRICT, 4, false, "+2 r0 l0 a r5 =5,5,0"},
    {"C06 golden", QUEUE, GOLDEN, 4, false, "+2 r0 l0 a r5 =5,5,0"},
    {"C07 strict", QUEUE, STRICT, 4, false, "+4 h h +2 =2,6,2 r0 l3 =0,6,3 a s3 r3 =3,6,3 r5 =5,6,3"},
    {"C07 golden", QUEUE, GOLDEN, 4, false, "+4 h h +2 =2,6,2 r0 l3 =0,6,3 a s3 r3 =3,6,3 r5 =5,6,3"},
    {"C08", QUEUE, GOLDEN, 4, false, "+4 r1 l0 =1,4,0 a s0 r1 =1,4,0 r2 =2,4,0"},
    {"C08 strict: slot 0 was popped", QUEUE, STRICT, 4, false, "+4 r1 l0 =1,4,0 a~"},
    {"C09", QUEUE, GOLDEN, 4, false, "+3 r0 l0 ?1 l0 r1 =1,3,0 r1 l1 ?1 l1 =1,3,1 r1 l0 ?1 l0 r2 =2,3,0"},
    {"C21 a ram steps per input and wraps", RAM, STRICT, 2, false, "r0 w0 s0 >1 s1 >1 s0 =0,0,0"},
    {"C22 write pointer of a ram", RAM, STRICT, 4, false, "w3 +1 =0,0,0 +1 =0,1,0 w1 +1 +1 =0,3,0"},
    {"C23 no step: the last input wins", RAM, STRICT, 4, false, "w2 +0 =0,2,0 +0 =0,2,0"},
    {"C25 beyond the slots", RAM, STRICT, 4, false, "w4! r4! l4! w3 r3 =3,3,0"},
    {"C28 pops of each input", QUEUE, STRICT, 4, false, "+4 r0 l0 ?1 -1 ?1 -1 l0 =2,4,0 r0 =0,4,0 l2 ?1 -1 ?1 -1 l2 =2,4,2"},
    {"C29 steps of 0", QUEUE, STRICT, 4, false, "+4 l1 a s1 >0 a s1"},
    {"C29 steps of 2", QUEUE, STRICT, 4, false, "+4 l0 a s0 >2 a s2"},
    {"C31 strict waits", QUEUE, STRICT, 4, false, "+1 l0 ?1 a~"},
    {"C31 golden: never written", QUEUE, GOLDEN, 4, false, "+1 l0 ?1 a!"},
    {"C32 strict waits", QUEUE, STRICT, 4, false, "+3 h h =2,3,2 l0 a~"},
    {"C32 golden reads the old slot", QUEUE, GOLDEN, 4, false, "+3 h h =2,3,2 l0 a s0"},
    {"C33 strict", QUEUE, STRICT, 2, false, "+2 =0,2,0 f~ +1! =0,2,0"},
    {"C33 golden holds 2E", QUEUE, GOLDEN, 2, false, "+2 f +1 =0,3,0 f +1 f~ +1!"},
    {"golden is full one behind the read pointer", QUEUE, GOLDEN, 2, false, "+2 h h +2 =2,4,2 +1 =2,1,2 f~ +1! h f"},
    {"C43 local of 2E and more", QUEUE, STRICT, 4, false, "+2 l9 =0,2,1 a s1 l8 =0,2,0 a s0"},
    {"C44 negative", QUEUE, STRICT, 4, false, "l-1! r-1! w-1!"},
    {"negative counts", QUEUE, STRICT, 4, false, "+-1! >-1! --1!"},
    {"negative counts of a ram", RAM, STRICT, 4, false, "+-1! >-1! --1!"},
    {"a local pointer behind the end reads slot 0", QUEUE, STRICT, 2, false, "+2 h h +2 l3 >2 s0 =2,4,5"},
    {"several at a time", QUEUE, STRICT, 4, false, "+3 -2 =2,3,0 +3 =2,6,0 +1! -4 =6,6,0 -1! +0 -0 =6,6,0"},
    {"a ram is never full or empty", RAM, STRICT, 1, false, "a f +1 f +1 a -3 =0,0,0"},
    {"dynamic: allocate", QUEUE, STRICT, 2, true, "f! a! +1! -1! >1! r1 z! F! A =0,0,0 A! +1 -1 =1,1,0 F A =0,0,0 z F"},
    {"dynamic: counts of 0 are none of a fifo that is not there", QUEUE, STRICT, 2, true, "+0! -0! >0! A +0 -0 >0"},
    {"a fifo that is not dynamic", QUEUE, STRICT, 2, false, "A! F! z"},
    {"the first pointer of a run pops nothing", QUEUE, STRICT, 4, false, "+2 b5 =5,2,0 l5 a s1"},
    {"the second does", QUEUE, STRICT, 4, false, "+2 b0 =0,2,0 b5 =5,5,0 a~"},
    {"golden: the first and the second", QUEUE, GOLDEN, 4, false, "+2 b5 =5,2,0 l5 a s1 b0 =0,2,5 b5 =5,5,5 a~"},
    {"every run has a first one", QUEUE, STRICT, 4, false, "+2 b0 R =0,2,0 b5 =5,2,0 R b5 =5,2,0 b0 =0,2,0 b4 =4,4,0"},
    {"a varinst is never the first", QUEUE, STRICT, 4, false, "+2 r5 =5,5,0 b0 =0,5,0"},
    {"the first one of a ram", RAM, STRICT, 4, false, "b3 =3,0,0 b4! b0 =0,0,0 b-1!"},
    {"the write pointer can be set", QUEUE, STRICT, 4, false, "w9 =0,1,0 a"},
};
// clang-format on

static hoist_fifo_result act(hoist_fifo *fifo, char action, int64_t number)
{
    switch (action) {
    case '+':
        return hoist_fifo_push(fifo, number);
    case '-':
        return hoist_fifo_pop(fifo, number);
    case 'h':
        return hoist_fifo_host_pop(fifo);
    case '>':
        return hoist_fifo_advance(fifo, number);
    case 'a':
        return hoist_fifo_await(fifo);
    case 'f':
        return hoist_fifo_reserve(fifo);
    case 'r':
        return hoist_fifo_set_pointer(fifo, HOIST_POINTER_READ, number);
    case 'w':
        return hoist_fifo_set_pointer(fifo, HOIST_POINTER_WRITE, number);
    case 'l':
        return hoist_fifo_set_pointer(fifo, HOIST_POINTER_LOCAL, number);
    case 'b':
        return hoist_fifo_set_pointer(fifo, HOIST_POINTER_BEGIN, number);
    case 'R':
        hoist_fifo_begin_run(fifo);
        return (hoist_fifo_result){HOIST_FIFO_DONE, NULL};
    case 'z':
        return hoist_fifo_zero(fifo);
    case 'A':
        return hoist_fifo_allocate(fifo);
    default:
        return hoist_fifo_free(fifo);
    }
}

static hoist_fifo_result read_several(hoist_fifo *fifo, int64_t count)
{
    hoist_fifo_result result = {HOIST_FIFO_DONE, NULL};
    for (int64_t i = 0; i < count && result.answer == HOIST_FIFO_DONE; i++) {
        result = hoist_fifo_await(fifo);
        if (result.answer == HOIST_FIFO_DONE) {
            result = hoist_fifo_advance(fifo, 1);
        }
    }
    return result;
}

// Compares the pointers with "R,W,L"; the script after them.
static const char *expect_pointers(hoist_test *t, const hoist_fifo *fifo, const char *at)
{
    const uint64_t turns = fifo->def->kind == HOIST_FIFO_RAM ? 1 : 2;
    const uint64_t ring = turns * fifo->def->slots;
    const uint64_t pointers[] = {fifo->state.read, fifo->state.write, fifo->state.local};
    for (size_t i = 0; i < HOIST_COUNT_OF(pointers); i++) {
        char *end = NULL;
        const uint64_t expected = strtoull(at, &end, 10);
        HOIST_EXPECT_EQ(t, pointers[i] % ring, expected % ring);
        at = *end == ',' ? end + 1 : end;
    }
    return at;
}

// One word of the script; what is after it.
static const char *play(hoist_test *t, hoist_fifo *fifo, const char *at)
{
    const char action = *at++;
    if (action == '=') {
        return expect_pointers(t, fifo, at);
    }
    int64_t number = 1;
    if (*at == '-' || (*at >= '0' && *at <= '9')) {
        char *end = NULL;
        number = strtoll(at, &end, 10);
        at = end;
    }
    if (action == 's') {
        HOIST_EXPECT_EQ(t, hoist_fifo_read_slot(fifo), number);
        return at;
    }
    const hoist_fifo_result result =
        action == '?' ? read_several(fifo, number) : act(fifo, action, number);
    const hoist_fifo_answer expected = *at == '~'   ? HOIST_FIFO_WAIT
                                       : *at == '!' ? HOIST_FIFO_WRONG
                                                    : HOIST_FIFO_DONE;
    if (result.answer != expected) {
        hoist_test_fail(t, __FILE__, __LINE__, "'%c%lld' answers %d (%s)", action,
                        (long long)number, result.answer, result.fault ? result.fault : "");
    }
    HOIST_EXPECT_EQ(t, result.fault != NULL, expected == HOIST_FIFO_WRONG);
    return at + (expected != HOIST_FIFO_DONE);
}

HOIST_TEST_TABLE(traces, cases)
{
    uint8_t written[8] = {0};
    const hoist_prog_fifo def = {
        .kind = row->kind, .policy = row->policy, .slots = row->slots, .dynamic = row->dynamic};
    hoist_fifo fifo;
    hoist_fifo_init(&fifo, &def, written);
    for (const char *at = row->script; *at;) {
        at = *at == ' ' ? at + 1 : play(t, &fifo, at);
    }
}

HOIST_TEST(slots_that_were_written)
{
    uint8_t written[8] = {0};
    const hoist_prog_fifo def = {.kind = RAM, .slots = 12};
    hoist_fifo fifo;
    hoist_fifo_init(&fifo, &def, written);
    HOIST_EXPECT_EQ(t, hoist_fifo_set_pointer(&fifo, HOIST_POINTER_WRITE, 9).answer,
                    HOIST_FIFO_DONE);
    HOIST_EXPECT_EQ(t, hoist_fifo_push(&fifo, 2).answer, HOIST_FIFO_DONE);
    hoist_fifo_put(&fifo, 3);
    for (uint32_t i = 0; i < def.slots; i++) {
        HOIST_EXPECT_EQ(t, hoist_fifo_was_written(&fifo, i), i == 9 || i == 3);
    }
}

// Whatever is done to a strict queue of any size, its pointers stay what they are said to be.
HOIST_TEST(random_traces_keep_the_pointers_in_range)
{
    static const char actions[] = "+-h>afrlzbR";
    uint64_t state = 1;
    for (uint32_t slots = 1; slots <= 40; slots++) {
        for (int policy = 0; policy < 2; policy++) {
            uint8_t written[8] = {0};
            const hoist_prog_fifo def = {.slots = slots, .policy = policy ? GOLDEN : STRICT};
            hoist_fifo fifo;
            hoist_fifo_init(&fifo, &def, written);
            for (int i = 0; i < 300; i++) {
                const char action = actions[hoist_test_random(&state) % (sizeof actions - 1)];
                const int64_t number = (int64_t)(hoist_test_random(&state) % (UINT64_C(3) * slots));
                (void)act(&fifo, action, number);
                HOIST_EXPECT(t, fifo.state.read <= 2 * (uint64_t)slots);
                HOIST_EXPECT(t, fifo.state.write <= 2 * (uint64_t)slots);
                HOIST_EXPECT(t, hoist_fifo_read_slot(&fifo) < slots);
                HOIST_EXPECT(t, hoist_fifo_write_slot(&fifo) < slots);
                HOIST_EXPECT(t, hoist_fifo_occupancy(&fifo) <= 2 * (uint64_t)slots);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(traces), HOIST_TEST_ROW(slots_that_were_written),
                HOIST_TEST_ROW(random_traces_keep_the_pointers_in_range))
