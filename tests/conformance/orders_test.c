// What lowering owes to chips that meet at one queue or one memory: small netlists for several
// chips, whose programs must be right in every order that their waits permit. The last program of
// each is judged, after the one before it.
#include "base/alloc.h"
#include "lower/buda/job_testing.h"
#include "machine/order.h"

#define P REF_P
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define SET(queue) REF_SET(queue, "0", "0")
#define GRAPH REF_GRAPH_ON
#define ON(device, name, input, entries, address)                                                  \
    REF_STORE(name, "queue", input, entries, device, address, ", t: 1")

// Chip 0 copies a to o by way of d, chip 1 copies b to p by way of e; `v` keeps it busy meanwhile.
#define PIPES(d, e)                                                                                \
    "queues:\n" ON("0", "a", "HOST", "2", "0x10100000") ON("1", "b", "HOST", "2", "0x10100000")    \
        d e ON("0", "o", "x", "1", "0x10300000") ON("1", "p", "z", "1", "0x10300000")              \
            ON("1", "q", "v", "1", "0x10400000") "graphs:\n" GRAPH("0", "g", "1")                  \
                REF_NOP("w", "a") GRAPH("0", "h", "1") REF_NOP("x", "d") GRAPH("1", "k", "1")      \
                    REF_NOP("v", "b") GRAPH("1", "l", "1") REF_NOP("y", "b") GRAPH("1", "m", "1")  \
                        REF_NOP("z", "e")
#define ONE_AFTER_THE_OTHER                                                                        \
    P LINE("allocate_queue: [d]") EXECUTE("g", SET("a")) EXECUTE("h", SET("d"))                    \
        EXECUTE("k", SET("b")) LINE("deallocate_queue: [d]") LINE("allocate_queue: [e]")           \
            EXECUTE("l", SET("b")) EXECUTE("m", SET("e")) LINE("deallocate_queue: [e]")

// A program that pops what it has read, and one that goes back and reads it again.
#define AGAIN                                                                                      \
    "queues:\n" ON("0", "a", "HOST", "2", "0x10100000") ON("0", "o", "x", "2", "0x10300000")       \
        ON("0", "p", "y", "2", "0x10400000") "graphs:\n" GRAPH("0", "g", "1") REF_NOP("x", "a")    \
            GRAPH("0", "h", "1") REF_NOP("y", "a")
#define READ_AGAIN                                                                                 \
    P LINE("var: {$l: 0}") EXECUTE("g", REF_SET("a", "$l", "$l")) LINE("varinst: [$l, set, 1]")    \
        REF_R EXECUTE("h", SET("a"))

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *programs;
    bool host_fills_once;
    hoist_verdict verdict;
} cases[] = {
    {"two queues at one address of chip 0, for two chips",
     PIPES(ON("0", "d", "w", "1", "0x10200000"), ON("0", "e", "y", "1", "0x10200000")),
     ONE_AFTER_THE_OTHER, false, HOIST_VERDICT_CLEAN},
    {"part of a queue at the address of another one",
     PIPES(ON("0", "d", "w", "2", "0x10200000"), ON("0", "e", "y", "1", "0x10200820")),
     ONE_AFTER_THE_OTHER, false, HOIST_VERDICT_CLEAN},
    {"a queue on another chip than those who use it",
     PIPES(ON("1", "d", "w", "1", "0x10200000"), ON("0", "e", "y", "1", "0x10200000")),
     ONE_AFTER_THE_OTHER, false, HOIST_VERDICT_CLEAN},
    {"a queue from chip to chip that comes and goes",
     "queues:\n" ON("0", "a", "HOST", "2", "0x10100000") ON("0", "d", "w", "1", "0x10200000") ON("1", "o", "x", "4", "0x10300000")
     "graphs:\n" GRAPH("0", "g", "1") REF_NOP("w", "a") GRAPH("1", "h", "1") REF_NOP("x", "d"),
     P LINE("loop: 3") LINE("allocate_queue: [d]") EXECUTE("g", SET("a")) LINE("endloop")
     , false, HOIST_VERDICT_BAD},
    {"a slot is read after it was popped", AGAIN, READ_AGAIN, true, HOIST_VERDICT_UNKNOWN},
    {"and the host has filled it anew", AGAIN, READ_AGAIN, false, HOIST_VERDICT_BAD},
};
// clang-format on

HOIST_TEST_TABLE(orders, cases)
{
    const hoist_str text = lower_test_netlist(t, "wormhole_b0", row->head, row->programs);
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    const hoist_ref first = 0;
    hoist_order_options options = {.alloc = hoist_allocator_system(),
                                   .before = &first,
                                   .host_fills_once = row->host_fills_once};
    hoist_program *program = NULL;
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    HOIST_EXPECT_EQ(t, lower_test_netlist_with(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    if (program) {
        options.before_count = program->entry_count - 1;
        HOIST_EXPECT_EQ(
            t,
            hoist_program_check_order(program, options.before_count, &options, t->diag, &verdict),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, verdict, row->verdict);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(orders))
