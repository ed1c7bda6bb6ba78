// Functions and sections of streams: engines built by hand, streams from assembly text.
#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/stream_index.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "ASM", .severity = HOIST_ERROR, .title = "assembler"};

// An engine with these blocks on the stream of `text`.
typedef struct made {
    neff_module module;
    neff_member member;
    neff_engine engine;
    neff_stream stream;
    hoist_buffer bytes;
} made;

// `set` 0 is "q"; 1 has the instances 0 and 1.
static neff_queue_set sets[2] = {{.pinned = false}, {.instances = {.count = 2}}};
static const neff_subgraph subgraph = {.queues = sets, .queue_count = 2};

static void make(hoist_test *t, const char *text, int generation, made *m)
{
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_buffer_init(&m->bytes, alloc);
    HOIST_EXPECT_EQ(t, neff_assemble(hoist_str_from(text), generation, &rule, t->diag, &m->bytes),
                    HOIST_OK);
    m->member.bytes = hoist_buffer_bytes(&m->bytes);
    m->module.base.alloc = alloc;
    m->module.members = &m->member;
    m->module.member_count = 1;
    HOIST_EXPECT_EQ(t, neff_stream_index(&m->module, &m->engine, generation, &t->arena, &m->stream),
                    HOIST_OK);
}

static void unmake(made *m)
{
    neff_stream_deinit(&m->stream);
    hoist_buffer_deinit(&m->bytes);
}

static const struct {
    const char *name;
    int generation;
    const char *text;
    const char *routines; // NAME:BEGIN:FIRST-END:SECTION ...
} routine_cases[] = {
    // clang-format off
    {"nothing", 2, "", ":-:0-0:main "},
    {"no function", 2, "NOP;\nNOP;\n", ":-:0-2:main "},
    {"two", 2,
     "NOP;\nPSEUDO_FUNCTION_BEGIN f reset_semaphores=0 return=$R[0],$R[1];\nNOP;\nPSEUDO_FUNCTION_RETURN;\n"
     "PSEUDO_FUNCTION_BEGIN g reset_semaphores=0 return=$R[0],$R[1];\n",
     ":-:0-1:main f:1:2-4:1 g:4:5-5:none "},
    {"the same twice", 2,
     "PSEUDO_FUNCTION_BEGIN f reset_semaphores=0 return=$R[0],$R[1];\n"
     "PSEUDO_FUNCTION_BEGIN f reset_semaphores=0 return=$R[0],$R[1];\nNOP;\n",
     ":-:0-0:main f:0:1-1:1 f:1:2-3:none "},
    {"no functions on generation 1", 1, "NOP;\n.record d1 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00;", ":-:0-2:main "},
    // clang-format on
};

HOIST_TEST_TABLE(routines, routine_cases)
{
    hoist_str functions[] = {HOIST_STR("x"), HOIST_STR("f")};
    made m = {.engine = {.functions = functions, .function_count = 2}};
    hoist_buffer got;
    hoist_buffer_init(&got, hoist_allocator_system());
    make(t, row->text, row->generation, &m);
    for (uint32_t i = 0; i < m.stream.routine_count; i++) {
        const neff_routine *r = &m.stream.routines[i];
        hoist_buffer_str(&got, r->name);
        hoist_buffer_format(&got, r->begin == NEFF_NONE ? ":-" : ":%u", r->begin);
        hoist_buffer_format(&got, ":%u-%u:", r->first, r->end);
        if (r->section < NEFF_NO_SECTION) {
            hoist_buffer_format(&got, "%u ", r->section);
        } else {
            hoist_buffer_c(&got, r->section == NEFF_NONE ? "main " : "none ");
        }
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&got), row->routines);
    hoist_buffer_deinit(&got);
    unmake(&m);
}

// Blocks: set, instance, function, id.
static neff_block blocks[] = {
    {.queue = 0, .instance = NEFF_NONE, .function = NEFF_NONE, .id = 5},
    {.queue = 1, .instance = 1, .function = NEFF_NONE, .id = 1},
    {.queue = 0, .instance = NEFF_NONE, .function = 0, .id = 5},
    {.queue = 0, .instance = NEFF_NONE, .function = NEFF_NONE, .id = 3},
    {.queue = NEFF_NONE, .instance = NEFF_NONE, .function = NEFF_NONE, .id = 5},
    {.queue = 0, .instance = NEFF_NONE, .function = NEFF_NONE, .id = 5},
    {.queue = 1, .instance = 0, .function = NEFF_NONE, .id = 2},
    {.queue = 0, .instance = NEFF_NONE, .function = NEFF_NONE, .id = -1},
    {.queue = 1, .instance = NEFF_NONE, .function = 0, .id = 9},
};

HOIST_TEST(sections_hold_their_blocks_in_order)
{
    made m = {.engine = {.blocks = blocks, .block_count = HOIST_COUNT_OF(blocks)}};
    make(t, "NOP;", NEFF_GEN3, &m);
    HOIST_EXPECT_EQ(t, m.stream.section_count, 5);
    const neff_section *section = neff_section_of(&m.stream, &subgraph, 0, NEFF_NONE);
    static const uint32_t expected[] = {0, 3, 5, 7};
    HOIST_EXPECT(t, section && section->count == 4);
    for (uint32_t i = 0; section && i < section->count; i++) {
        HOIST_EXPECT_EQ(t, m.stream.order[section->first + i], expected[i]);
    }
    section = neff_section_of(&m.stream, &subgraph, 1, NEFF_NONE); // the first instance
    HOIST_EXPECT(t, section && section->count == 1 && m.stream.order[section->first] == 6);
    section = neff_section_find(&m.stream, 1, 1, NEFF_NONE);
    HOIST_EXPECT(t, section && section->count == 1 && m.stream.order[section->first] == 1);
    section = neff_section_of(&m.stream, &subgraph, 1, 0); // the set itself
    HOIST_EXPECT(t, section && section->count == 1 && m.stream.order[section->first] == 8);
    HOIST_EXPECT(t, neff_section_of(&m.stream, &subgraph, 1, 1) == NULL);
    HOIST_EXPECT(t, neff_section_find(&m.stream, 2, NEFF_NONE, NEFF_NONE) == NULL);
    unmake(&m);
}

static const struct {
    const char *name;
    uint32_t ids[5];
    uint32_t blocks[5]; // NEFF_NONE: none
    bool in_order[5];
    size_t count;
} release_cases[] = {
    // clang-format off
    {"in order", {5, 3, 5, 5}, {0, 3, 5, NEFF_NONE}, {true, true, true, false}, 4},
    {"one is skipped", {3, 5, 3}, {3, 5, NEFF_NONE}, {false, true, false}, 3},
    {"none of that id", {4, 5}, {NEFF_NONE, 0}, {false, true}, 2},
    {"an id below 0 is never met", {UINT32_MAX}, {NEFF_NONE}, {false}, 1},
    // clang-format on
};

HOIST_TEST_TABLE(triggers_release_blocks, release_cases)
{
    made m = {.engine = {.blocks = blocks, .block_count = HOIST_COUNT_OF(blocks)}};
    make(t, "NOP;", NEFF_GEN3, &m);
    const neff_section *section = neff_section_find(&m.stream, 0, NEFF_NONE, NEFF_NONE);
    uint32_t cursor = 0;
    for (size_t i = 0; section && i < row->count; i++) {
        bool in_order = false;
        const uint32_t block =
            neff_section_release(&m.stream, section, &cursor, row->ids[i], &in_order);
        HOIST_EXPECT_EQ(t, block, row->blocks[i]);
        HOIST_EXPECT_EQ(t, in_order, row->in_order[i]);
    }
    HOIST_EXPECT(t, section);
    unmake(&m);
}

HOIST_TEST(an_engine_without_a_stream_has_an_empty_main_program)
{
    made m = {.module = {.base = {.alloc = hoist_allocator_system()}},
              .engine = {.instr = NEFF_NONE}};
    HOIST_EXPECT_EQ(t, neff_stream_index(&m.module, &m.engine, NEFF_GEN2, &t->arena, &m.stream),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, m.stream.routine_count, 1);
    HOIST_EXPECT(t, m.stream.routines && m.stream.routines[0].end == 0);
    neff_stream_deinit(&m.stream);
}

HOIST_TEST(bytes_of_half_a_record_are_left_out)
{
    static const uint8_t bytes[100] = {0xa4, 0x10};
    neff_member member = {.bytes = {bytes, sizeof(bytes)}};
    made m = {.module = {.base = {.alloc = hoist_allocator_system()}, .members = &member}};
    HOIST_EXPECT_EQ(t, neff_stream_index(&m.module, &m.engine, NEFF_GEN2, &t->arena, &m.stream),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, m.stream.record_count, 1);
    HOIST_EXPECT_EQ(t, neff_stream_at(&m.stream, 0).opcode, 0xa4);
    neff_stream_deinit(&m.stream);
}

static hoist_status index_some(hoist_allocator alloc, const void *self)
{
    static const uint8_t bytes[2 * NEFF_RECORD_SIZE] = {NEFF_FUNCTION_BEGIN, 0x10};
    neff_member member = {.bytes = {bytes, sizeof(bytes)}};
    made m = {.module = {.base = {.alloc = alloc}, .members = &member},
              .engine = {.blocks = blocks, .block_count = HOIST_COUNT_OF(blocks)}};
    hoist_arena arena;
    (void)self;
    hoist_arena_init(&arena, alloc);
    const hoist_status status =
        neff_stream_index(&m.module, &m.engine, NEFF_GEN2, &arena, &m.stream);
    neff_stream_deinit(&m.stream);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_test_starve(t, index_some, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(routines), HOIST_TEST_ROW(sections_hold_their_blocks_in_order),
                HOIST_TEST_ROW(triggers_release_blocks),
                HOIST_TEST_ROW(an_engine_without_a_stream_has_an_empty_main_program),
                HOIST_TEST_ROW(bytes_of_half_a_record_are_left_out),
                HOIST_TEST_ROW(memory_runs_out))
