// Hints made again from runs: whose buffer, merged pieces, chunks, fences, and what is compared.
#include <string.h>

#include "formats/darwinn/scalar_hints.h"
#include "formats/darwinn/stream_testing.h"

enum { MAX_LINKS = 16 };

static const char image[] = "image";
static const char scores[] = "scores";
static const char boxes[] = "boxes";

typedef struct program { // of up to two chunks, with links
    dwn_maker makers[2];
    dwn_link links[2][MAX_LINKS];
    size_t link_counts[2];
    size_t at; // chunk in the making
    dwn_chunk chunks[2];
} program;

static void begin(program *p, size_t chunk)
{
    p->at = chunk;
    p->makers[chunk].next_id = 0;
    dwn_make_begin(&p->makers[chunk]);
}

static void add_link(program *p, uint8_t to, dwn_link link)
{
    link.offset_bit = dwn_make_movi(&p->makers[p->at], to, 0);
    link.has_meta = true;
    p->links[p->at][p->link_counts[p->at]++] = link;
}

// Sends bytes of a buffer: its address to s20 and s21, plus the offset to s10 and s11.
static void transfer(program *p, int16_t desc, const char *name, uint32_t offset, uint32_t size,
                     uint32_t tag)
{
    const hoist_str layer = hoist_str_from(name);
    dwn_maker *m = &p->makers[p->at];
    add_link(p, 20, (dwn_link){.name = layer, .desc = desc, .position = DWN_POSITION_LOW});
    add_link(p, 11, (dwn_link){.name = layer, .desc = desc, .position = DWN_POSITION_HIGH});
    dwn_make_bundle(
        m, &(dwn_bundle){
               .alu = 0x01, .by_immediate = true, .to = 10, .first = 20, .immediate = offset});
    (void)dwn_make_movi(m, 12, size);
    (void)dwn_make_movi(m, 13, tag);
    dwn_make_send(m);
}

static void interrupt(program *p, uint32_t number)
{
    (void)dwn_make_movi(&p->makers[p->at], 10, 0);
    (void)dwn_make_movi(&p->makers[p->at], 11, 0);
    (void)dwn_make_movi(&p->makers[p->at], 12, 0);
    (void)dwn_make_movi(&p->makers[p->at], 13, DWN_TAG_INTERRUPT + number);
    dwn_make_send(&p->makers[p->at]);
}

static void end(hoist_test *t, program *p, bool more)
{
    p->chunks[p->at] = (dwn_chunk){dwn_test_stream(t, dwn_make_end(&p->makers[p->at], more)),
                                   p->links[p->at], p->link_counts[p->at]};
}

static dwn_program_run run(hoist_test *t, const program *p)
{
    dwn_program_run made = {0};
    HOIST_EXPECT_EQ(t, dwn_program_execute(p->chunks, p->at + 1, &t->arena, &made), HOIST_OK);
    HOIST_EXPECT_EQ(t, made.run.end, DWN_SCALAR_DONE);
    return made;
}

// All hints, joined by "; ".
static hoist_str hints_text(hoist_test *t, const dwn_program_run *made)
{
    hoist_str all = HOIST_STR("");
    for (size_t i = 0; i < made->hint_count; i++) {
        char text[200];
        dwn_hint_text(&made->hints[i], text, sizeof(text));
        all = hoist_arena_format(&t->arena, "%.*s%s%s", HOIST_STR_ARGS(all), i ? "; " : "", text);
    }
    return all;
}

typedef struct piece {
    int16_t desc;
    const char *name;
    uint32_t offset;
    uint32_t size;
    uint32_t tag;
} piece;

static const struct {
    const char *name;
    piece pieces[4];  // size 0: no more
    const char *want; // between "chunk 0; " and "; interrupt 0"
    size_t unknown;
} cases[] = {
    // clang-format off
    {"input", {{DWN_DESC_INPUT, image, 0, 256, 1}}, "input 'image' [0, +256] infeed", 0},
    {"output", {{DWN_DESC_OUTPUT, scores, 64, 16, 3}}, "output 'scores' [64, +16] outfeed", 0},
    {"parameters in pieces", {{DWN_DESC_PARAMETER, "", 0, 640, 2}, {DWN_DESC_PARAMETER, "", 640, 192, 2},
        {DWN_DESC_PARAMETER, "", 832, 64, 2}}, "parameter [0, +896] infeed", 0},
    {"pieces that overlap", {{DWN_DESC_INPUT, image, 0, 100, 1}, {DWN_DESC_INPUT, image, 90, 100, 1}},
     "input 'image' [0, +100] infeed; input 'image' [90, +100] infeed", 0},
    {"pieces with others between", {{DWN_DESC_PARAMETER, "", 0, 64, 2}, {DWN_DESC_INPUT, image, 0, 8, 1},
        {DWN_DESC_PARAMETER, "", 64, 64, 2}},
     "parameter [0, +64] infeed; input 'image' [0, +8] infeed; parameter [64, +64] infeed", 0},
    {"pieces of two layers", {{DWN_DESC_OUTPUT, scores, 0, 16, 3}, {DWN_DESC_OUTPUT, boxes, 16, 16, 3}},
     "output 'scores' [0, +16] outfeed; output 'boxes' [16, +16] outfeed", 0},
    {"scratch", {{DWN_DESC_SCRATCH, "", 0, 24, 3}, {DWN_DESC_SCRATCH, "", 24, 24, 3},
        {DWN_DESC_SCRATCH, "", 0, 48, 1}, {DWN_DESC_SCRATCH, "", 0, 48, 1}},
     "scratch [0, +48] outfeed; fence; scratch [0, +48] infeed; fence; scratch [0, +48] infeed", 0},
    {"scratch goes on both ways", {{DWN_DESC_SCRATCH, "", 0, 24, 3}, {DWN_DESC_SCRATCH, "", 24, 24, 1}},
     "scratch [0, +24] outfeed; fence; scratch [24, +24] infeed", 0},
    {"before the buffer", {{DWN_DESC_INPUT, image, 0xfffffff8, 8, 1}}, "input 'image' [-8, +8] infeed", 0},
    {"a tag of another kind", {{DWN_DESC_INPUT, image, 0, 256, 2}}, "unknown transfer", 1},
    {"an input sent out", {{DWN_DESC_INPUT, image, 0, 256, 3}}, "unknown transfer", 1},
    {"a tag that does not exist", {{DWN_DESC_INPUT, image, 0, 256, 8}}, "unknown transfer", 1},
    {"instructions", {{DWN_DESC_INPUT, image, 0, 256, 0}}, "unknown transfer", 1},
    // clang-format on
};

HOIST_TEST_TABLE(hints_are_made_of_transfers, cases)
{
    program p = {0};
    begin(&p, 0);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->pieces) && row->pieces[i].size > 0; i++) {
        const piece *x = &row->pieces[i];
        transfer(&p, x->desc, x->name, x->offset, x->size, x->tag);
    }
    interrupt(&p, 0);
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made),
                     hoist_arena_format(&t->arena, "chunk 0; %s; interrupt 0", row->want).data);
    HOIST_EXPECT_EQ(t, made.unknown, row->unknown);
    HOIST_EXPECT_EQ(t, made.transfer_count, made.run.count);
}

HOIST_TEST(chunks_stand_where_they_begin_to_send)
{
    program p = {0};
    begin(&p, 0);
    transfer(&p, DWN_DESC_INPUT, image, 0, 8, 1);
    transfer(&p, DWN_DESC_SCRATCH, "", 0, 8, 3);
    end(t, &p, true);
    begin(&p, 1);
    transfer(&p, DWN_DESC_SCRATCH, "", 0, 8, 1);
    interrupt(&p, 3);
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made),
                     "chunk 0; input 'image' [0, +8] infeed; scratch [0, +8] outfeed; chunk 1; "
                     "fence; scratch [0, +8] infeed; interrupt 3");
}

HOIST_TEST(chunks_that_send_nothing_have_a_hint)
{
    program p = {0};
    begin(&p, 0);
    end(t, &p, true);
    begin(&p, 1);
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made), "chunk 0; chunk 1");
}

HOIST_TEST(elements_of_a_batch_are_buffers_of_their_own)
{
    program p = {0};
    begin(&p, 0);
    transfer(&p, DWN_DESC_INPUT, image, 0, 8, 1);
    transfer(&p, DWN_DESC_INPUT, image, 8, 8, 1);
    p.links[0][2].batch = p.links[0][3].batch = 1;
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made),
                     "chunk 0; input 'image' [0, +8] infeed; input 'image' element 1 [8, +8] "
                     "infeed");
    HOIST_EXPECT_EQ(t, made.hints[2].batch, 1);
}

// Files list links in any order, and each has a text of its own for the name of its layer.
HOIST_TEST(links_of_a_buffer_are_one_wherever_they_are_listed)
{
    static const char image_again[] = "image";
    program p = {0};
    begin(&p, 0);
    transfer(&p, DWN_DESC_INPUT, image, 0, 8, 1);
    transfer(&p, DWN_DESC_INPUT, image_again, 8, 8, 1);
    transfer(&p, DWN_DESC_INPUT, boxes, 0, 8, 1);
    for (size_t i = 2; i < 4; i++) {
        const dwn_link second = p.links[0][i];
        p.links[0][i] = p.links[0][i + 2];
        p.links[0][i + 2] = second;
    }
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made),
                     "chunk 0; input 'image' [0, +16] infeed; input 'boxes' [0, +8] infeed");
}

// A hole that is not linked, or not known: its transfer is of no buffer.
HOIST_TEST(what_is_not_linked_is_unknown)
{
    program p = {0};
    begin(&p, 0);
    transfer(&p, DWN_DESC_INPUT, image, 0, 8, 1);
    p.links[0][1].has_meta = false;
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_STR(t, hints_text(t, &made), "chunk 0; unknown transfer");
    HOIST_EXPECT_EQ(t, made.unknown, 1);
}

HOIST_TEST(holes_outside_are_left_alone)
{
    program p = {0};
    begin(&p, 0);
    transfer(&p, 9, "", 0, 8, 1);
    transfer(&p, DWN_DESC_INPUT, image, 0, 8, 1);
    p.links[0][3].offset_bit = INT32_MAX;
    p.links[0][2].offset_bit = -1;
    end(t, &p, false);
    const dwn_program_run made = run(t, &p);
    HOIST_EXPECT_EQ(t, made.unknown, 2);
}

HOIST_TEST(programs_without_end_are_refused)
{
    static uint8_t zeros[1 << 20];
    enum { COUNT = DWN_MAX_PROGRAM / sizeof(zeros) + 1 };
    dwn_chunk *chunks = hoist_arena_array(&t->arena, COUNT, sizeof(*chunks));
    for (size_t i = 0; i < COUNT; i++) {
        chunks[i].stream.bytes = (hoist_bytes){zeros, sizeof(zeros)};
    }
    dwn_program_run made = {0};
    HOIST_EXPECT_EQ(t, dwn_program_execute(chunks, COUNT, &t->arena, &made), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, made.hint_count, 0);
}

// Comparing --------------------------------------------------------------------------------------

static const dwn_hint dma = {.kind = DWN_HINT_DMA,
                             .desc = DWN_DESC_INPUT,
                             .name = {image, sizeof(image) - 1},
                             .offset = 8,
                             .size = 16};

static const struct {
    const char *name;
    dwn_hint a;
    dwn_hint b;
    bool equal;
} pairs[] = {
    // clang-format off
    {"chunks",          {.kind = DWN_HINT_INSTRUCTION, .index = 1}, {.kind = DWN_HINT_INSTRUCTION, .index = 1}, true},
    {"other chunks",    {.kind = DWN_HINT_INSTRUCTION, .index = 1}, {.kind = DWN_HINT_INSTRUCTION, .index = 2}, false},
    {"interrupts",      {.kind = DWN_HINT_INTERRUPT},               {.kind = DWN_HINT_INTERRUPT, .index = 1},   false},
    {"fences",          {.kind = DWN_HINT_FENCE},                   {.kind = DWN_HINT_FENCE, .index = 4},       true},
    {"other kinds",     {.kind = DWN_HINT_FENCE},                   {.kind = DWN_HINT_INTERRUPT},               false},
    {"unknown ones",    {.kind = DWN_HINT_NONE},                    {.kind = DWN_HINT_NONE},                    false},
    {"kinds not known", {.kind = 9},                                {.kind = 9},                                false},
    {"parameters' names and batches do not count",
     {.kind = DWN_HINT_DMA, .desc = DWN_DESC_PARAMETER, .batch = 3}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_PARAMETER}, true},
    {"other sizes", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_PARAMETER, .size = 3}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_PARAMETER}, false},
    {"other offsets", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_SCRATCH, .offset = 3}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_SCRATCH}, false},
    {"other buffers", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_SCRATCH}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_PARAMETER}, false},
    {"other directions", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_SCRATCH, .direction = 1}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_SCRATCH}, false},
    {"other elements", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_INPUT, .batch = 1}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_INPUT}, false},
    {"other names", {.kind = DWN_HINT_DMA, .desc = DWN_DESC_INPUT, .name = {image, 5}}, {.kind = DWN_HINT_DMA, .desc = DWN_DESC_INPUT, .name = {image, 4}}, false},
    // clang-format on
};

HOIST_TEST_TABLE(hints_are_compared_by_what_counts, pairs)
{
    HOIST_EXPECT_EQ(t, dwn_hint_equal(&row->a, &row->b), row->equal);
    HOIST_EXPECT_EQ(t, dwn_hint_equal(&row->b, &row->a), row->equal);
}

static const struct {
    const char *name;
    dwn_hint file[4];
    size_t count;
    bool is_prefix;
    bool agrees;
    size_t at;
} lists[] = {
    // clang-format off
    {"same",                 {{.kind = 2}, {.kind = 4}, {.kind = 3}}, 3, false, true,  3},
    {"same, not all known",  {{.kind = 2}, {.kind = 4}, {.kind = 3}}, 3, true,  true,  3},
    {"fewer",                {{.kind = 2}, {.kind = 4}},              2, false, false, 2},
    {"a prefix",             {{.kind = 2}, {.kind = 4}},              2, true,  true,  2},
    {"none",                 {{0}},                                   0, true,  true,  0},
    {"more",                 {{.kind = 2}, {.kind = 4}, {.kind = 3}, {.kind = 4}}, 4, true, false, 3},
    {"one differs",          {{.kind = 2}, {.kind = 3}, {.kind = 3}}, 3, false, false, 1},
    // clang-format on
};

HOIST_TEST_TABLE(lists_agree_or_not, lists)
{
    static const dwn_hint made[] = {{.kind = 2}, {.kind = 4}, {.kind = 3}};
    const dwn_program_run x = {.hints = made, .hint_count = HOIST_COUNT_OF(made)};
    size_t at = 99;
    HOIST_EXPECT_EQ(t, dwn_hints_agree(&x, row->file, row->count, row->is_prefix, &at),
                    row->agrees);
    HOIST_EXPECT_EQ(t, at, row->at);
    char text[64];
    dwn_hint_text(&dma, text, sizeof(text));
    HOIST_EXPECT_STR(t, hoist_str_from(text), "input 'image' [8, +16] infeed");
}

static hoist_status execute_starved(hoist_allocator alloc, const void *self)
{
    const program *p = self;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    dwn_program_run made = {0};
    const hoist_status status = dwn_program_execute(p->chunks, 1, &arena, &made);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    program p = {0};
    begin(&p, 0);
    for (uint32_t i = 0; i < 6; i++) {
        transfer(&p, DWN_DESC_INPUT, image, 16 * i, 8, 1);
    }
    end(t, &p, false);
    hoist_test_starve(t, execute_starved, &p);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(hints_are_made_of_transfers),
                HOIST_TEST_ROW(chunks_stand_where_they_begin_to_send),
                HOIST_TEST_ROW(chunks_that_send_nothing_have_a_hint),
                HOIST_TEST_ROW(elements_of_a_batch_are_buffers_of_their_own),
                HOIST_TEST_ROW(links_of_a_buffer_are_one_wherever_they_are_listed),
                HOIST_TEST_ROW(what_is_not_linked_is_unknown),
                HOIST_TEST_ROW(holes_outside_are_left_alone),
                HOIST_TEST_ROW(programs_without_end_are_refused),
                HOIST_TEST_ROW(hints_are_compared_by_what_counts),
                HOIST_TEST_ROW(lists_agree_or_not), HOIST_TEST_ROW(memory_may_run_out))
