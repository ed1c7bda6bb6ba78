// Rules 45 to 48, 62 and 65 of blocks: each clause with a bad file, its place and its object, and
// good files near by.
#include "base/buffer.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define Q0 "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}"
#define HEAD "\"id\": 0, \"queue\": \"q0\""
#define COPY(offset, sizes, steps)                                                                 \
    "{\"from\": \"input\", \"from_off\": " offset ", \"from_sizes\": " sizes                       \
    ", \"from_steps\": " steps ", \"to\": \"output\", \"to_off\": " offset                         \
    ", \"to_sizes\": " sizes ", \"to_steps\": " steps "}"
// The keys of the first block before `desc`, and blocks after it.
#define KEYS(text)                                                                                 \
    {                                                                                              \
        SP, HEAD, text                                                                             \
    }
#define MORE(text)                                                                                 \
    {                                                                                              \
        SP, "[1]}]}\n  ]", "[1]}]},\n    " text "\n  ]"                                            \
    }
// Queue sets in place of the one.
#define QUEUES(text)                                                                               \
    {                                                                                              \
        DEF, Q0, text                                                                              \
    }
#define INSTANCES                                                                                  \
    "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"queue_instances\": [\"i0\", \"i1\"]}"
#define BLOCK(keys, descs) "{" keys ", \"desc\": [" descs "]}"
#define ONE COPY("0", "[64]", "[1]")
#define ROWS COPY("0", "[4, 16]", "[1, 4]")
#define FUNCTION "d1 10 00 00 00 00 00 00 00 00 00 00 'twice'\n"

// clang-format off
static const neff_test_row cases[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    // 45, which reading reports
    {"dma is an object", {{SP, "\"dma\": [", "\"dma\": {\"a\": ["}, {SP, "[1]}]}\n  ]", "[1]}]}\n  ]}"}}, "NEFF-045", NULL, "\"dma\": ^{", "list", NULL},
    {"no id", {KEYS("\"queue\": \"q0\"")}, "NEFF-045", NULL, "^{\"queue\": \"q0\"", "without 'id'", "dma/0"},
    {"no desc", {{SP, "\"desc\"", "\"descs\""}}, "NEFF-045", NULL, "^{\"id\"", "without 'desc'", "dma/0"},
    {"desc is a number", {MORE("{\"id\": 1, \"queue\": \"q0\", \"desc\": 7}")}, "NEFF-045", NULL, "\"desc\": ^7", "expected a list", "dma/1"},
    {"desc is one object", {MORE("{\"id\": 1, \"queue\": \"q0\", \"desc\": " ONE "}")}, NULL, NULL, NULL, NULL, NULL},
    {"a block is a number", {MORE("7")}, "NEFF-045", NULL, "^7\n", "object", "dma/1"},
    {"no blocks", {{SP, "\"dma\"", "\"dms\""}}, NULL, NULL, NULL, NULL, NULL},
    // 46
    {"no queue", {KEYS("\"id\": 0")}, "NEFF-046a", NULL, "^{\"id\"", "neither 'queue' nor 'instance_name'", "dma/0"},
    {"queue is a number", {KEYS("\"id\": 0, \"queue\": 0")}, "NEFF-046a", NULL, "\"queue\": ^0", "expected a string", "dma/0/queue"},
    {"undeclared queue", {KEYS("\"id\": 0, \"queue\": \"q7\"")}, "NEFF-046a", NULL, "^\"q7\"", "queue set 'q7' is not declared", "dma/0/queue"},
    {"undeclared in the second block", {MORE(BLOCK("\"id\": 1, \"queue\": \"q7\"", ONE))}, "NEFF-046a", NULL, "^\"q7\"", "queue set 'q7'", "dma/1/queue"},
    {"a queue by escapes", {KEYS("\"id\": 0, \"queue\": \"q\\u0030\"")}, NULL, NULL, NULL, NULL, NULL},
    {"an instance as queue", {QUEUES(INSTANCES), KEYS("\"id\": 0, \"queue\": \"i0\"")}, "NEFF-046a", SP, "^\"i0\"", "queue set 'i0'", "dma/0/queue"},
    {"an instance", {QUEUES(INSTANCES), KEYS("\"id\": 0, \"instance_name\": \"i1\"")}, NULL, NULL, NULL, NULL, NULL},
    {"undeclared instance", {KEYS("\"id\": 0, \"instance_name\": \"i0\"")}, "NEFF-046a", NULL, "^\"i0\"", "instance 'i0' is not declared", "dma/0/instance_name"},
    {"a queue as instance", {KEYS("\"id\": 0, \"instance_name\": \"q0\"")}, "NEFF-046a", NULL, "^\"q0\"", "instance 'q0'", "dma/0/instance_name"},
    {"queue and instance", {QUEUES(INSTANCES), KEYS("\"id\": 0, \"queue\": \"q0\", \"instance_name\": \"i0\"")}, "NEFF-046b", SP, "^\"q0\"", "both 'queue' and 'instance_name'", "dma/0/queue"},
    // 47
    {"queue of another engine", {QUEUES("\"q0\": {\"type\": \"data\", \"owner\": \"act\"}")}, "NEFF-047", SP, "^\"q0\"", "'q0' for sp, expected in the file of its owner act", "dma/0/queue"},
    {"instance of another engine", {QUEUES("\"q0\": {\"type\": \"data\", \"owner\": \"act\", \"queue_instances\": [\"i0\"]}"), KEYS("\"id\": 0, \"instance_name\": \"i0\"")}, "NEFF-047", SP, "^\"i0\"", "owner act", "dma/0/instance_name"},
    // 48
    {"undefined function", {KEYS(HEAD ", \"function_start\": \"once\"")}, "NEFF-048a", NULL, "^\"once\"", "function 'once' is not in 'sp.bin'", "dma/0/function_start"},
    {"function is a number", {KEYS(HEAD ", \"function_start\": 1")}, "NEFF-048a", NULL, "\"function_start\": ^1", "expected a string", "dma/0/function_start"},
    {"main program", {KEYS(HEAD ", \"function_start\": \"\"")}, NULL, NULL, NULL, NULL, NULL},
    {"section at the start", {KEYS(HEAD ", \"section_start_desc\": true")}, NULL, NULL, NULL, NULL, NULL},
    // 62
    {"event 256", {KEYS(HEAD ", \"event\": 256")}, "NEFF-062a", NULL, "^256", "'event' is 256, expected 0 to 255", "dma/0/event"},
    {"event -1", {KEYS(HEAD ", \"event\": -1")}, "NEFF-062a", NULL, "^-1", "'event' is -1", "dma/0/event"},
    {"event 255", {KEYS(HEAD ", \"event\": 255")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore 256", {KEYS(HEAD ", \"semaphore\": 256")}, "NEFF-062a", NULL, "^256", "'semaphore' is 256, expected 0 to 255", "dma/0/semaphore"},
    {"semaphore -1", {KEYS(HEAD ", \"semaphore\": -1")}, "NEFF-062a", NULL, "^-1", "'semaphore' is -1", "dma/0/semaphore"},
    {"semaphore 255", {KEYS(HEAD ", \"semaphore\": 255")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore is a word", {KEYS(HEAD ", \"semaphore\": \"1\"")}, "NEFF-062a", NULL, "^\"1\"", "expected an integer", "dma/0/semaphore"},
    // 65
    {"unequal amounts", {MORE(BLOCK(HEAD, ROWS))}, "NEFF-065", NULL, "},\n    {\"id\": ^0", "with 32 ring entries, expected 2 as block 0 has", "dma/1/id"},
    {"one more descriptor", {MORE(BLOCK(HEAD, ONE ", " ONE))}, "NEFF-065", NULL, "},\n    {\"id\": ^0", "with 4 ring entries, expected 2", "dma/1/id"},
    {"equal amounts", {MORE(BLOCK(HEAD, COPY("8", "[8, 1]", "[1, 8]")))}, NULL, NULL, NULL, NULL, NULL},
    {"another id", {MORE(BLOCK("\"id\": 1, \"queue\": \"q0\"", ROWS))}, NULL, NULL, NULL, NULL, NULL},
    {"another queue", {MORE(BLOCK("\"id\": 0, \"queue\": \"q1\"", ROWS)), QUEUES(Q0 ", \"q1\": {\"type\": \"data\", \"owner\": \"sp\"}")}, NULL, NULL, NULL, NULL, NULL},
    {"another instance", {{SP, HEAD, "\"id\": 0, \"instance_name\": \"i0\""}, MORE(BLOCK("\"id\": 0, \"instance_name\": \"i1\"", ROWS)), QUEUES(INSTANCES)}, NULL, NULL, NULL, NULL, NULL},
    {"the same instance", {{SP, HEAD, "\"id\": 0, \"instance_name\": \"i0\""}, MORE(BLOCK("\"id\": 0, \"instance_name\": \"i0\"", ROWS)), QUEUES(INSTANCES)}, "NEFF-065", NULL, "},\n    {\"id\": ^0", "on 'q0' with 32", "dma/1/id"},
    {"a pattern that is none", {MORE(BLOCK(HEAD, "{\"from\": \"input\"}"))}, NULL, NULL, NULL, NULL, NULL},
};

static const neff_test_row remote[] = {
    {"one core", {KEYS(HEAD ", \"remote_semaphores\": [1]")}, "NEFF-062b", NULL, "^[1]", "with an lnc_size of 1, expected 2", "dma/0/remote_semaphores"},
    {"none", {KEYS(HEAD ", \"remote_semaphores\": []")}, NULL, NULL, NULL, NULL, NULL},
};

static const neff_test_row inf1[] = {
    {"good", {{0}}, NULL, NULL, NULL, NULL, NULL},
    {"function", {KEYS(HEAD ", \"function_start\": \"\"")}, "NEFF-048b", NULL, "^\"\"", "'function_start' is not there on inf1", "dma/0/function_start"},
    {"section", {KEYS(HEAD ", \"section_start_desc\": true")}, "NEFF-048b", NULL, "^true", "'section_start_desc'", "dma/0/section_start_desc"},
    {"instance", {QUEUES(INSTANCES), KEYS("\"id\": 0, \"instance_name\": \"i0\"")}, "NEFF-048b", SP, "^\"i0\"", "'instance_name'", "dma/0/instance_name"},
    {"semaphore 32", {KEYS(HEAD ", \"semaphore\": 32")}, "NEFF-062a", NULL, "^32", "is 32, expected 0 to 31", "dma/0/semaphore"},
    {"semaphore 31", {KEYS(HEAD ", \"semaphore\": 31")}, NULL, NULL, NULL, NULL, NULL},
    {"event 255", {KEYS(HEAD ", \"event\": 255")}, NULL, NULL, NULL, NULL, NULL},
};

// Clauses of one generation are silent when the file is for any.
static const neff_test_row any[] = {
    {"section", {KEYS(HEAD ", \"section_start_desc\": true")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore 32", {KEYS(HEAD ", \"semaphore\": 32")}, NULL, NULL, NULL, NULL, NULL},
    {"semaphore 256", {KEYS(HEAD ", \"semaphore\": 256")}, "NEFF-062a", NULL, "^256", "expected 0 to 255", NULL},
};
// clang-format on

HOIST_TEST_TABLE(block_rules, cases)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "sunda", neff_check_blocks, row, true);
}

HOIST_TEST_TABLE(block_rules_of_remote_semaphores, remote)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "cayman", neff_check_blocks, row, true);
}

HOIST_TEST_TABLE(block_rules_of_inf1, inf1)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "tonga", neff_check_blocks, row, true);
}

HOIST_TEST_TABLE(block_rules_of_any, any)
{
    neff_test_run_row(t, NEFF_TEST_COPY, "*", neff_check_blocks, row, true);
}

// Functions and pairs of cores
// ---------------------------------------------------------------------

static neff_module *read_edited(hoist_test *t, neff_texts *neff, const char *target,
                                const char *find, const char *put)
{
    neff_test_base(t, NEFF_TEST_COPY, target, neff);
    neff_test_edit(t, neff, SP, find, put);
    return neff_test_read(t, neff);
}

HOIST_TEST(function_of_the_stream)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, SP, HEAD, HEAD ", \"function_start\": \"twice\"");
    neff_test_stream(t, &neff, "sg00/sp.bin", FUNCTION "d2 10\n");
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_blocks);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, NULL);
}

// Without instructions functions are not checked: NEFF-066 reports the member.
HOIST_TEST(function_without_a_stream)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, SP, HEAD, HEAD ", \"function_start\": \"twice\"");
    neff_test_drop(t, &neff, "sg00/sp.bin");
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_blocks);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, NULL);
}

static const struct {
    const char *name;
    const char *target;
    const char *items;
    uint32_t lnc_size;
    const char *rule; // NULL: none
    const char *at;
    const char *says;
} pairs[] = {
    {"two cores of generation 3", "cayman", "[3, 255]", 2, NULL, NULL, NULL},
    {"two cores of any", "*", "[3]", 2, NULL, NULL, NULL},
    {"two cores of generation 2", "sunda", "[3]", 2, "NEFF-062b", "^[3]", "on trn1, expected trn2"},
    {"two cores of generation 1", "tonga", "[3]", 2, "NEFF-062b", "^[3]", "on inf1"},
    {"an old writer's 0 is one core", "cayman", "[3]", 0, "NEFF-062b", "^[3]", "lnc_size of 0"},
    {"semaphore 256", "cayman", "[3, 256]", 2, "NEFF-062a", "^256", "is 256, expected 0 to 255"},
    {"a word", "cayman", "[3, \"4\"]", 2, "NEFF-062a", "^\"4\"", "expected an integer"},
};

HOIST_TEST_TABLE(remote_semaphores, pairs)
{
    neff_texts neff;
    const hoist_str put =
        hoist_arena_format(&t->arena, HEAD ", \"remote_semaphores\": %s", row->items);
    neff_module *module = read_edited(t, &neff, row->target, HEAD, put.data);
    module->header.lnc_size = row->lnc_size;
    neff_test_check(t, module, NULL, neff_check_blocks);
    neff_test_destroy(module);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->rule ? 1 : 0);
    if (row->rule) {
        neff_test_expect(t, &neff, row->rule, SP, row->at, row->says);
    }
}

// Blocks of other functions are not compared; those after a function_start are in its function.
HOIST_TEST(amounts_of_functions)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, SP, "[1]}]}\n  ]",
                   "[1]}]},\n" BLOCK(HEAD ", \"function_start\": \"twice\"", ROWS) ",\n" BLOCK(
                       HEAD, ROWS) ",\n" BLOCK("\"id\": 0, \"queue\": \"q0\" ", ONE) "]");
    neff_test_stream(t, &neff, "sg00/sp.bin", FUNCTION "d2 10\n");
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_blocks);
    neff_test_destroy(module);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    neff_test_expect(t, &neff, "NEFF-065", SP, "{\"id\": ^0, \"queue\": \"q0\" ,",
                     "with 2 ring entries, expected 32 as block 1 has");
}

// Large files
// --------------------------------------------------------------------------------------

enum { MANY = 20000 };

static hoist_status check_starved(hoist_allocator alloc, const void *self)
{
    neff_module *module = (neff_module *)(uintptr_t)self;
    neff_check check = {.module = module, .generation = NEFF_GEN2};
    const hoist_allocator own = module->base.alloc;
    module->base.alloc = alloc;
    hoist_arena_init(&check.arena, alloc);
    const hoist_status status = neff_check_blocks(&check);
    hoist_arena_deinit(&check.arena);
    module->base.alloc = own;
    return status;
}

HOIST_TEST(lack_of_memory_is_told)
{
    neff_texts neff;
    neff_module *module = read_edited(t, &neff, "sunda", HEAD, "\"id\": 0, \"queue\": \"q7\"");
    hoist_test_starve(t, check_starved, module);
    neff_test_destroy(module);
}

// Every block is odd, and all are reported in the order of the file.
HOIST_TEST(many_odd_blocks)
{
    hoist_buffer text;
    neff_texts neff;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "{\"instr\": \"sp.bin\", \"dma\": [\n" BLOCK(HEAD, ONE));
    for (size_t i = 0; i < MANY; i++) {
        hoist_buffer_c(&text, ",\n" BLOCK(HEAD, ROWS));
    }
    hoist_buffer_c(&text, "]}");
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, SP, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    neff_module *module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_blocks);
    neff_test_destroy(module);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), MANY);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) < MANY);
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 100)->loc.pos.line, 103);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 100)->object, "dma/101/id");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(block_rules), HOIST_TEST_ROW(block_rules_of_remote_semaphores),
                HOIST_TEST_ROW(block_rules_of_inf1), HOIST_TEST_ROW(block_rules_of_any),
                HOIST_TEST_ROW(function_of_the_stream), HOIST_TEST_ROW(function_without_a_stream),
                HOIST_TEST_ROW(remote_semaphores), HOIST_TEST_ROW(amounts_of_functions),
                HOIST_TEST_ROW(lack_of_memory_is_told), HOIST_TEST_ROW(many_odd_blocks))
