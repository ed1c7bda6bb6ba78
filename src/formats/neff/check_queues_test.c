// Rules 30 and 36 to 42 of queue sets: each clause with a bad file and its place, and good files
// near by. 39c and 39e: check_window_test.c.
#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define Q0 "{\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}"
// The queue set, another one in its place, and one more.
#define Q(text)                                                                                    \
    {                                                                                              \
        DEF, Q0, "{" text "}"                                                                      \
    }
#define MORE(text)                                                                                 \
    {                                                                                              \
        DEF, Q0, Q0 ",\n    \"q1\": {" text "}"                                                    \
    }
#define PATH "dma_queue/q0"
#define SET "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"

// clang-format off
static const neff_test_row cases[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    // 30
    {"unknown path", {Q("\"type\": \"data\", \"owner\": \"sp\", \"fabric_path\": \"left\"")}, "NEFF-030", NULL, "^\"left\"", "neither 'main' nor 'alt'", PATH},
    {"other path", {Q("\"type\": \"data\", \"owner\": \"sp\", \"fabric_path\": \"alt\"")}, NULL, NULL, NULL, NULL, NULL},
    // 36
    {"no type", {Q("\"owner\": \"sp\"")}, "NEFF-036a", NULL, "^{\"owner\"", "without 'type'", PATH},
    {"unknown type", {Q("\"type\": \"date\", \"owner\": \"sp\"")}, "NEFF-036a", NULL, "^\"date\"", "type 'date' is not known", PATH},
    {"type is a number", {Q("\"type\": 3, \"owner\": \"sp\"")}, "NEFF-036a", NULL, "\"type\": ^3", "expected a string", PATH},
    {"no queues", {Q("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 0")}, "NEFF-036a", NULL, "\"num_queues\": ^0", "is 0, expected 1 to 16", PATH},
    {"17 queues", {Q("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 17")}, "NEFF-036a", NULL, "^17", "is 17, expected 1 to 16", PATH},
    {"16 queues", {Q("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 16")}, NULL, NULL, NULL, NULL, NULL},
    {"loads tables", {MORE("\"type\": \"act_load\", \"owner\": \"act\"")}, "NEFF-036b", NULL, "^\"act_load\"", "not documented", "dma_queue/q1"},
    {"updates, with blocks", {Q("\"type\": \"embedding_update\", \"owner\": \"sp\"")}, "NEFF-036c", NULL, "^\"embedding_update\"", "cannot be executed here", PATH},
    {"updates, not in use", {MORE("\"type\": \"embedding_update\", \"owner\": \"sp\"")}, NULL, NULL, NULL, NULL, NULL},
    {"dynamic, with blocks", {Q("\"type\": \"dynamic\", \"owner\": \"sp\"")}, "NEFF-036d", SP, "^{\"id\": 0", "1 block on the dynamic queue set 'q0'", "dma/0"},
    {"dynamic, without", {MORE("\"type\": \"dynamic\", \"owner\": \"sp\"")}, NULL, NULL, NULL, NULL, NULL},
    // 37
    {"owner is no engine", {Q("\"type\": \"data\", \"owner\": \"cpu\"")}, "NEFF-037a", NULL, "^\"cpu\"", "owner 'cpu' is no engine", PATH},
    {"owner is a number", {Q("\"type\": \"data\", \"owner\": 4")}, "NEFF-037a", NULL, "\"owner\": ^4", "expected a string", PATH},
    {"owner is absent", {MORE("\"type\": \"data\", \"owner\": \"act\""), {DEF, "\"act\": \"act.json\", ", ""}}, "NEFF-037a", NULL, "\"owner\": ^\"act\"", "no engine of this subgraph", "dma_queue/q1"},
    {"no owner", {Q("\"type\": \"data\"")}, "NEFF-037b", NULL, "^{\"type\": \"data\"}", "without 'owner'", PATH},
    // 38
    {"in by two queues", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"num_queues\": 2")}, "NEFF-038", NULL, "\"num_queues\": ^2", "type 'in', expected 1", "dma_queue/q1"},
    {"out by two queues", {MORE("\"type\": \"out\", \"owner\": \"sp\", \"num_queues\": 2")}, "NEFF-038", NULL, "\"num_queues\": ^2", "type 'out'", NULL},
    {"updates by two queues", {MORE("\"type\": \"embedding_update\", \"owner\": \"sp\", \"num_queues\": 2")}, "NEFF-038", NULL, "\"num_queues\": ^2", "type 'embedding_update'", NULL},
    {"data by two queues", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 2")}, NULL, NULL, NULL, NULL, NULL},
    {"instances of in", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"queue_instances\": [\"a\"]")}, "NEFF-038", NULL, "^[\"a\"]", "expected none", "dma_queue/q1"},
    {"instances of data", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"a\", \"b\"]")}, NULL, NULL, NULL, NULL, NULL},
    {"no instances of in", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"queue_instances\": []")}, NULL, NULL, NULL, NULL, NULL},
    // 39a, 39b
    {"pinned", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true")}, "NEFF-039a", NULL, "\"pinned\": ^true", "on trn1, expected on inf1 only", "dma_queue/q1"},
    {"not pinned", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": false")}, NULL, NULL, NULL, NULL, NULL},
    {"pinned by a word", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": \"no\"")}, "NEFF-036a", NULL, "\"pinned\": ^\"no\"", "'pinned' is \"no\", expected true or false", "dma_queue/q1"},
    {"pinned by a number", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": 1")}, "NEFF-036a", NULL, "\"pinned\": ^1", "'pinned' is 1, expected true or false", "dma_queue/q1"},
    // 40
    {"semaphore 256", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 256")}, "NEFF-040a", NULL, "^256", "'semaphore' is 256, expected 0 to 255", PATH},
    {"semaphore -1", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": -1")}, "NEFF-040a", NULL, "^-1", "'semaphore' is -1", PATH},
    {"semaphore 255", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 255")}, NULL, NULL, NULL, NULL, NULL},
    {"set with 256", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore_set\": [0, 256]")}, "NEFF-040a", NULL, "[0, ^256]", "item 1 of 'semaphore_set' is 256", PATH},
    {"set of 33", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore_set\": [" SET ",32]")}, "NEFF-040a", NULL, "^[0,1", "has 33 semaphores, expected at most 32", PATH},
    {"set of 32", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore_set\": [" SET "]")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore and set", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1, \"semaphore_set\": [2]")}, "NEFF-040b", NULL, "\"semaphore\": ^1", "both 'semaphore' and 'semaphore_set'", PATH},
    {"semaphore of two queues", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1, \"num_queues\": 2")}, "NEFF-040b", NULL, "\"semaphore\": ^1", "for 2 queues", PATH},
    {"set of two queues", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore_set\": [1], \"num_queues\": 2")}, NULL, NULL, NULL, NULL, NULL},
    // 41
    {"instance of two sets", {Q("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"a\"]}, \"q1\": {\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"b\", \"a\"]")}, "NEFF-041", NULL, "[\"b\", ^\"a\"]", "'a' is an instance of 'q0' already", "dma_queue/q1"},
    {"instance twice", {Q("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"a\", \"a\"]")}, "NEFF-041", NULL, "[\"a\", ^\"a\"]", "already", PATH},
    {"instance and set", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"q0\"]")}, "NEFF-041", NULL, "[^\"q0\"]", "'q0' is the name of a queue set", "dma_queue/q1"},
    {"instance is a number", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [1]")}, "NEFF-041", NULL, "[^1]", "expected a string", "dma_queue/q1"},
};

// On Inferentia 1.
static const neff_test_row inf1[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    {"two queues", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 2")}, "NEFF-036a", NULL, "\"num_queues\": ^2", "is 2, expected 1", "dma_queue/q1"},
    {"semaphore 32", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 32")}, "NEFF-040a", NULL, "\"semaphore\": ^32", "expected 0 to 31", PATH},
    {"semaphore 31", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 31")}, NULL, NULL, NULL, NULL, NULL},
    {"set with 32", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore_set\": [32]")}, "NEFF-040a", NULL, "[^32]", "expected 0 to 31", PATH},
    {"instances", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"a\"]")}, "NEFF-041", NULL, "^[\"a\"]", "on inf1", "dma_queue/q1"},
    {"no instances", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": []")}, NULL, NULL, NULL, NULL, NULL},
    {"pinned", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true")}, NULL, NULL, NULL, NULL, NULL},
    {"pinned with a semaphore", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true, \"semaphore\": 3")}, "NEFF-039b", NULL, "\"semaphore\": ^3", "with 'semaphore'", "dma_queue/q1"},
    {"pinned with a set", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true, \"semaphore_set\": [3]")}, "NEFF-039b", NULL, "^[3]", "with 'semaphore_set'", "dma_queue/q1"},
};

// On no generation in particular.
static const neff_test_row any[] = {
    {"pinned", {MORE("\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true")}, NULL, NULL, NULL, NULL, NULL},
    {"16 queues", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 16")}, NULL, NULL, NULL, NULL, NULL},
    {"instances", {MORE("\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"a\"]")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore 255", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 255")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore 256", {Q("\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 256")}, "NEFF-040a", NULL, "^256", NULL, PATH},
};

// 42: sets besides q0.
static const struct {
    const char *name;
    const char *keys; // of each
    unsigned count;
    const char *says; // NULL: no finding
} totals[] = {
    {"32 rings",             "",                                              31, NULL},
    {"33 rings",             "",                                              32, "33 rings, expected at most 32"},
    {"32 rings of instances", ", \"queue_instances\": [\"%ua\", \"%ub\", \"%uc\"]", 10, NULL},
    {"34 rings of instances", ", \"queue_instances\": [\"%ua\", \"%ub\", \"%uc\"]", 11, "34 rings, expected at most 32"},
    {"161 queues",           ", \"num_queues\": 16",                          10, NULL},
    {"as many as there may be", ", \"num_queues\": 7",                     25, NULL},
    {"177 queues",           ", \"num_queues\": 16",                          11, "177 queues, expected at most 176"},
};
// clang-format on

HOIST_TEST_TABLE(queue_rules, cases)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_queues, row, true);
}

HOIST_TEST_TABLE(queue_rules_of_inf1, inf1)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "tonga", neff_check_queues, row, true);
}

HOIST_TEST_TABLE(queue_rules_of_any, any)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "*", neff_check_queues, row, true);
}

// Appends `text`, with `i` for each "%u".
static void add_numbered(hoist_buffer *out, const char *text, unsigned i)
{
    for (; *text; text++) {
        if (text[0] == '%' && text[1] == 'u') {
            hoist_buffer_format(out, "%u", i);
            text++;
        } else {
            hoist_buffer_char(out, *text);
        }
    }
}

HOIST_TEST_TABLE(totals_of_queues, totals)
{
    neff_texts neff;
    hoist_buffer sets;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    hoist_buffer_init(&sets, hoist_allocator_system());
    hoist_buffer_c(&sets, Q0);
    for (unsigned i = 1; i <= row->count; i++) {
        hoist_buffer_format(&sets, ",\n\"q%u\": {\"type\": \"data\", \"owner\": \"sp\"", i);
        add_numbered(&sets, row->keys, i);
        hoist_buffer_c(&sets, "}");
    }
    hoist_buffer_char(&sets, '\0');
    neff_test_edit(t, &neff, DEF, Q0, hoist_buffer_text(&sets).data);
    hoist_buffer_deinit(&sets);
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_queues);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, row->says ? "NEFF-042" : NULL);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->says ? 1 : 0);
    if (row->says) {
        neff_test_expect(t, &neff, "NEFF-042", DEF, "\"dma_queue\": ^{", row->says);
    }
}

// --target goes before what the file says.
HOIST_TEST(clauses_of_inf1_when_it_is_asked_for)
{
    static const char *const targets[] = {NULL, "trn1", "inf1"};
    for (size_t i = 0; i < HOIST_COUNT_OF(targets); i++) {
        neff_texts neff;
        neff_test_base(t, NEFF_TEST_COPY, "*", &neff);
        neff_test_edit(t, &neff, DEF, "\"semaphore\": 1", "\"semaphore\": 32");
        neff_module *const module = neff_test_read(t, &neff);
        neff_test_check(t, module, targets[i], neff_check_queues);
        neff_test_destroy(module);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-040a"), i == 2);
    }
}

// 39d: the records are at fault.
HOIST_TEST(pinned_sets_are_not_triggered)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "tonga", &neff);
    neff_test_edit(t, &neff, DEF, Q0,
                   Q0 ",\n \"q1\": {\"type\": \"in\", \"owner\": \"sp\", \"pinned\": true}");
    neff_test_stream(t, &neff, "sg00/sp.bin",
                     "c1 10 00 00 00 00 00 00 'q0'\n" // 4 bytes of events
                     "c1 10 00 00 00 00 00 00 'q1'\n");
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_queues);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, "NEFF-039d");
    if (hoist_diag_kept(t->diag) != 1) {
        return;
    }
    const hoist_finding *const f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, hoist_str_from(f->rule->id), "NEFF-039d");
    HOIST_EXPECT_STR(t, f->member, "sg00/sp.bin");
    HOIST_EXPECT_STR(t, f->object, "record 1");
    HOIST_EXPECT_EQ(t, f->loc.kind, HOIST_LOC_BYTE);
    HOIST_EXPECT_EQ(t, f->loc.offset, 64);
    HOIST_EXPECT(t, hoist_str_contains(f->message, "a trigger of 'q1', which is pinned"));
}

// 36c: a set without blocks that a stream triggers.
HOIST_TEST(updates_in_use_by_a_trigger)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "*", &neff);
    neff_test_edit(t, &neff, DEF, Q0,
                   Q0 ",\n \"q1\": {\"type\": \"embedding_update\", \"owner\": \"sp\"}");
    neff_test_stream(t, &neff, "sg00/sp.bin", "c1 10 00 00 00 00 00 00 00 00 00 00 'q1'\n");
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_queues);
    neff_test_destroy(module);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    neff_test_expect(t, &neff, "NEFF-036c", DEF, "^\"embedding_update\"", "in use");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queue_rules), HOIST_TEST_ROW(queue_rules_of_inf1),
                HOIST_TEST_ROW(queue_rules_of_any), HOIST_TEST_ROW(totals_of_queues),
                HOIST_TEST_ROW(clauses_of_inf1_when_it_is_asked_for),
                HOIST_TEST_ROW(pinned_sets_are_not_triggered),
                HOIST_TEST_ROW(updates_in_use_by_a_trigger))
