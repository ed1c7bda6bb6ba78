// Framing: each fault of a chunk, all faults of one, ids across chunks, and any bytes.
#include <string.h>

#include "formats/darwinn/stream.h"
#include "formats/darwinn/stream_tensor.h"
#include "formats/darwinn/stream_testing.h"

// A chunk with an instruction of each opcode that chunks have inside.
static hoist_bytes plain_chunk(dwn_maker *m)
{
    const dwn_opcode *row = NULL;
    dwn_make_begin(m);
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        if (row->code < DWN_OP_START && row->code != DWN_OP_HALT) {
            (void)dwn_make_add(m, row->code);
        }
    }
    return dwn_make_end(m, false);
}

HOIST_TEST(an_honest_chunk_has_no_fault)
{
    dwn_maker m = {0};
    const dwn_stream stream = dwn_test_stream(t, plain_chunk(&m));
    HOIST_EXPECT_EQ(t, stream.fault_count, 0);
    HOIST_EXPECT_EQ(t, stream.words, m.words);
    HOIST_EXPECT_EQ(t, stream.parsed, m.words);
    HOIST_EXPECT_EQ(t, stream.count, 25 + 4);
    uint32_t word = 0;
    uint16_t id = 0;
    for (size_t i = 0; i < stream.count; i++) {
        const dwn_instruction *instruction = &stream.instructions[i];
        HOIST_EXPECT_EQ(t, instruction->word, word);
        HOIST_EXPECT_EQ(t, instruction->id, instruction->opcode < DWN_OP_TILES ? id++ : DWN_NO_ID);
        HOIST_EXPECT_EQ(t, instruction->tiles, instruction->opcode < DWN_OP_TILES);
        HOIST_EXPECT_EQ(t, dwn_instruction_bytes(&stream, instruction).size,
                        (size_t)instruction->words * DWN_WORD_SIZE);
        HOIST_EXPECT(t, dwn_instruction_find(&stream, word) == instruction);
        word += instruction->words;
    }
    HOIST_EXPECT(t, dwn_instruction_find(&stream, 2) == NULL); // inside the tensor operation
    HOIST_EXPECT(t, dwn_instruction_find(&stream, word) == NULL);
}

// Faults -----------------------------------------------------------------------------------------

// Changes a chunk of start, tensor (words 1 to 17), fence (18), halt (19), four bundles and end
// (24).
typedef void spoil(hoist_mut_bytes chunk, size_t *size);

static hoist_mut_bytes word_of(hoist_mut_bytes chunk, size_t word)
{
    return (hoist_mut_bytes){chunk.data + word * DWN_WORD_SIZE, chunk.size - word * DWN_WORD_SIZE};
}

static void set(hoist_mut_bytes chunk, size_t word, const dwn_field *field, uint32_t bits)
{
    dwn_field_store(field, word_of(chunk, word), 0, bits);
}

static void nothing(hoist_mut_bytes chunk, size_t *size)
{
    (void)chunk;
    (void)size;
}

static void emptied(hoist_mut_bytes chunk, size_t *size)
{
    (void)chunk;
    *size = 0;
}

static void cut_in_a_word(hoist_mut_bytes chunk, size_t *size)
{
    (void)chunk;
    (*size)--;
}

static void first_bytes(hoist_mut_bytes chunk, size_t *size)
{
    (void)chunk;
    *size = 7;
}

static void cut_in_the_tensor(hoist_mut_bytes chunk, size_t *size)
{
    *size = 10 * (size_t)DWN_WORD_SIZE;
    set(chunk, 0, &dwn_frame_rows[DWN_FRAME_BITS], 8 * DWN_WORD_BITS);
}

static void cut_before_the_end(hoist_mut_bytes chunk, size_t *size)
{
    *size -= DWN_WORD_SIZE;
    set(chunk, 0, &dwn_frame_rows[DWN_FRAME_BITS], 22 * DWN_WORD_BITS);
}

static void only_a_start(hoist_mut_bytes chunk, size_t *size)
{
    *size = DWN_WORD_SIZE;
    set(chunk, 0, &dwn_frame_rows[DWN_FRAME_BITS], 0);
}

static void no_start(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 0, &dwn_opcode_field, DWN_OP_BUNDLE);
}

static void wrong_count(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 0, &dwn_frame_rows[DWN_FRAME_BITS], 1);
}

static void wrong_end_count(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 24, &dwn_frame_rows[DWN_FRAME_BITS], 129);
}

static void odd_start(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    chunk.data[0] |= 1;
}

static void odd_end(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    word_of(chunk, 24).data[15] = 0x80;
}

static void no_end(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 24, &dwn_opcode_field, DWN_OP_BUNDLE);
}

static void start_inside(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    memset(word_of(chunk, 18).data, 0, DWN_WORD_SIZE);
    set(chunk, 18, &dwn_opcode_field, DWN_OP_START);
}

static void end_inside(hoist_mut_bytes chunk, size_t *size)
{
    start_inside(chunk, size);
    set(chunk, 18, &dwn_opcode_field, DWN_OP_END);
}

static void zero_opcode(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    memset(word_of(chunk, 18).data, 0, DWN_WORD_SIZE);
}

static void unknown_opcode(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 18, &dwn_opcode_field, 0x30);
}

static void past_the_end(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 23, &dwn_opcode_field, 0x26);
}

static void wrong_id(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 18, &dwn_opcode_find(DWN_OP_FENCE)->fields->rows[DWN_HEADER_ID], 5);
}

static void no_tile(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_TILES], 0);
}

static void no_halt(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    memset(word_of(chunk, 19).data, 0, DWN_WORD_SIZE);
    set(chunk, 19, &dwn_opcode_field, DWN_OP_BUNDLE);
}

static void halt_of_another_kind(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 19, &dwn_halt_rows[DWN_HALT_MORE], 1);
}

static void work_after_halt(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    word_of(chunk, 22).data[12] = 1;
}

static void loops_of_a(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_MODE], 0x8);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_A_COUNT], 3);
}

static void loops_of_c(hoist_mut_bytes chunk, size_t *size)
{
    (void)size;
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_MODE], 0x8);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_MASTER], 1);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_A_COUNT], 1);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_B_COUNT], 1);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_C_COUNT], 1);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_D_COUNT], 1);
    set(chunk, 1, &dwn_tensor_rows[DWN_TENSOR_C_INCREMENT], 2);
}

static const struct {
    const char *name;
    spoil *spoil;
    dwn_fault_code code; // of the first fault; DWN_FAULT_COUNT: none
    uint32_t word;
    uint64_t found;
    uint64_t expected;
    size_t count;
} faults[] = {
    // clang-format off
    {"none",                        nothing,              DWN_FAULT_COUNT,    0,  0,          0,    0},
    {"no bytes",                    emptied,              DWN_FAULT_EMPTY,    0,  0,          16,   1},
    {"last byte missing",           cut_in_a_word,        DWN_FAULT_SIZE,     0,  25 * 16 - 1, 16,  3},
    {"less than a word",            first_bytes,          DWN_FAULT_SIZE,     0,  7,          16,   1},
    {"cut in an instruction",       cut_in_the_tensor,    DWN_FAULT_PAST_END, 1,  9,          17,   1},
    {"end word missing",            cut_before_the_end,   DWN_FAULT_END,      23, 0x20,       0x3f, 1},
    {"start word alone",            only_a_start,         DWN_FAULT_END,      0,  0x3e,       0x3f, 1},
    {"no start word",               no_start,             DWN_FAULT_START,    0,  0x20,       0x3e, 1},
    {"wrong count of bits",         wrong_count,          DWN_FAULT_BITS,     0,  1,          2944, 1},
    {"wrong count in the end word", wrong_end_count,      DWN_FAULT_BITS,     24, 129,        128,  1},
    {"other bits in the start",     odd_start,            DWN_FAULT_FRAME,    0,  0,          0,    1},
    {"other bits in the end",       odd_end,              DWN_FAULT_FRAME,    24, 0,          0,    1},
    {"no end word",                 no_end,               DWN_FAULT_END,      24, 0x20,       0x3f, 1},
    {"start inside",                start_inside,         DWN_FAULT_INSIDE,   18, 0x3e,       0,    1},
    {"end inside",                  end_inside,           DWN_FAULT_INSIDE,   18, 0x3f,       0,    1},
    {"opcode 0",                    zero_opcode,          DWN_FAULT_OPCODE,   18, 0,          0,    1},
    {"unknown opcode",              unknown_opcode,       DWN_FAULT_OPCODE,   18, 0x30,       0,    1},
    {"instruction past the end",    past_the_end,         DWN_FAULT_PAST_END, 23, 2,          4,    1},
    {"wrong id",                    wrong_id,             DWN_FAULT_ID,       18, 5,          1,    1},
    {"no tile",                     no_tile,              DWN_FAULT_TILES,    1,  0,          0,    1},
    {"no halt",                     no_halt,              DWN_FAULT_HALT,     24, 0,          0,    1},
    {"halt of another kind",        halt_of_another_kind, DWN_FAULT_HALT,     24, 0,          0,    1},
    {"work after the halt",         work_after_halt,      DWN_FAULT_HALT,     24, 0,          0,    1},
    {"loops that do not agree",     loops_of_a,           DWN_FAULT_COUNTS,   1,  4,          1,    1},
    {"weights that are left out",   loops_of_c,           DWN_FAULT_STEPS,    1,  0,          0,    1},
    // clang-format on
};

HOIST_TEST_TABLE(each_fault_is_found, faults)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    (void)dwn_make_add(&m, DWN_OP_TENSOR);
    (void)dwn_make_add(&m, DWN_OP_FENCE);
    size_t size = dwn_make_end(&m, false).size;
    row->spoil((hoist_mut_bytes){m.bytes, size}, &size);
    const dwn_stream stream = dwn_test_stream(t, (hoist_bytes){m.bytes, size});
    HOIST_EXPECT_EQ(t, stream.fault_count, row->count);
    HOIST_EXPECT_EQ(t, dwn_test_first(&stream), row->code);
    if (stream.fault_count > 0) {
        char text[160];
        HOIST_EXPECT_EQ(t, stream.faults[0].word, row->word);
        HOIST_EXPECT_EQ(t, stream.faults[0].found, row->found);
        HOIST_EXPECT_EQ(t, stream.faults[0].expected, row->expected);
        dwn_fault_text(&stream.faults[0], text, sizeof(text));
        HOIST_EXPECT(t, strlen(text) > 10 && strpbrk(text, "#%@") == NULL);
    }
}

HOIST_TEST(a_chunk_may_be_too_large)
{
    const size_t size = DWN_MAX_CHUNK + DWN_WORD_SIZE;
    uint8_t *bytes = hoist_arena_alloc(&t->arena, size);
    for (size_t at = 0; at < size; at += DWN_WORD_SIZE) {
        dwn_field_store(&dwn_opcode_field, (hoist_mut_bytes){bytes + at, DWN_WORD_SIZE}, 0,
                        DWN_OP_BUNDLE);
    }
    const dwn_stream stream = dwn_test_stream(t, (hoist_bytes){bytes, size});
    HOIST_EXPECT_EQ(t, stream.fault_count, 3); // and neither start nor end
    HOIST_EXPECT_EQ(t, dwn_test_first(&stream), DWN_FAULT_LARGE);
    HOIST_EXPECT_EQ(t, stream.faults[0].found, size);
    HOIST_EXPECT_EQ(t, stream.count, stream.words);
}

HOIST_TEST(all_faults_of_a_chunk_come_at_once)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < 3; i++) {
        const hoist_mut_bytes fence = dwn_make_add(&m, DWN_OP_FENCE);
        dwn_make_set(fence, &dwn_opcode_find(DWN_OP_FENCE)->fields->rows[DWN_HEADER_TILES], 0, 0);
    }
    const hoist_mut_bytes tensor = dwn_make_add(&m, DWN_OP_TENSOR);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_ID], 0, 77);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_MODE], 0, 8);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_MASTER], 2, 5);
    (void)dwn_make_add(&m, 0x15); // has id 4, not 78
    const hoist_bytes bytes = dwn_make_end(&m, true);
    static const struct {
        dwn_fault_code code;
        uint32_t word;
    } want[] = {
        // clang-format off
        {DWN_FAULT_TILES, 1}, {DWN_FAULT_TILES, 2}, {DWN_FAULT_TILES, 3}, {DWN_FAULT_ID, 4},
        {DWN_FAULT_COUNTS, 4}, {DWN_FAULT_COUNTS, 4}, {DWN_FAULT_COUNTS, 4}, {DWN_FAULT_COUNTS, 4},
        {DWN_FAULT_ID, 21}, {DWN_FAULT_HALT, 32},
        // clang-format on
    };
    const dwn_stream stream = dwn_test_stream(t, bytes);
    HOIST_EXPECT_EQ(t, stream.fault_count, HOIST_COUNT_OF(want));
    for (size_t i = 0; i < HOIST_COUNT_OF(want) && i < stream.fault_count; i++) {
        HOIST_EXPECT_EQ(t, stream.faults[i].code, want[i].code);
        HOIST_EXPECT_EQ(t, stream.faults[i].word, want[i].word);
    }
    HOIST_EXPECT_EQ(t, stream.faults[5].traversal, DWN_TRAVERSAL_B);
    HOIST_EXPECT_EQ(t, stream.faults[5].expected, 6);
}

static const struct {
    const char *name; // the text of that fault
    dwn_fault fault;
    const char *code;
} texts[] = {
    // clang-format off
    {"chunk has 17 bytes, expected a multiple of 16",
     {.code = DWN_FAULT_SIZE, .found = 17, .expected = 16}, "size"},
    {"opcode 0x30 is unknown; what follows is not read",
     {.code = DWN_FAULT_OPCODE, .found = 0x30}, "opcode"},
    {"counts of the output loops make 1 steps, the master loops 6",
     {.code = DWN_FAULT_COUNTS, .traversal = DWN_TRAVERSAL_B, .found = 1, .expected = 6}, "counts"},
    {"loop 2 of the parameters leaves a gap, or goes back",
     {.code = DWN_FAULT_STEPS, .traversal = DWN_TRAVERSAL_C, .found = 2}, "steps"},
    {"instruction has 17 words, the chunk has only 9 more",
     {.code = DWN_FAULT_PAST_END, .found = 9, .expected = 17}, "past-end"},
    // clang-format on
};

HOIST_TEST_TABLE(faults_are_told_in_words, texts)
{
    char text[160];
    char small[10];
    dwn_fault_text(&row->fault, text, sizeof(text));
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->name);
    dwn_fault_text(&row->fault, small, sizeof(small));
    HOIST_EXPECT_EQ(t, strlen(small), sizeof(small) - 1);
    HOIST_EXPECT_STR(t, hoist_str_from(dwn_fault_name(row->fault.code)), row->code);
}

// Programs of several chunks ---------------------------------------------------------------------

static const struct {
    const char *name;
    uint16_t first_id; // the chunk's own begin at 3
    bool more;
    bool has_successor;
    dwn_fault_code code;
} seconds[] = {
    // clang-format off
    {"goes on",                     3, false, false, DWN_FAULT_COUNT},
    {"goes on and is not the last", 3, true,  true,  DWN_FAULT_COUNT},
    {"begins anew",                 7, false, false, DWN_FAULT_ID},
    {"ends a program too early",    3, false, true,  DWN_FAULT_HALT},
    {"does not end the program",    3, true,  false, DWN_FAULT_HALT},
    // clang-format on
};

HOIST_TEST_TABLE(ids_go_on_across_chunks, seconds)
{
    dwn_maker m = {.next_id = 3};
    dwn_make_begin(&m);
    (void)dwn_make_add(&m, DWN_OP_FENCE);
    (void)dwn_make_add(&m, DWN_OP_TENSOR);
    const hoist_bytes bytes = dwn_make_end(&m, row->more);
    const dwn_stream_options options = {row->has_successor, row->first_id};
    dwn_stream stream = {0};
    uint16_t next = 0;
    HOIST_EXPECT_EQ(t, dwn_stream_read(bytes, &options, &t->arena, &stream, &next), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_first(&stream), row->code);
    HOIST_EXPECT_EQ(t, next, 5);
}

HOIST_TEST(ids_begin_anew_after_the_last)
{
    dwn_maker m = {.next_id = DWN_ID_COUNT - 1};
    dwn_make_begin(&m);
    (void)dwn_make_add(&m, DWN_OP_FENCE);
    (void)dwn_make_add(&m, DWN_OP_FENCE);
    const dwn_stream_options options = {.first_id = DWN_ID_COUNT - 1};
    dwn_stream stream = {0};
    uint16_t next = 0;
    HOIST_EXPECT_EQ(
        t, dwn_stream_read(dwn_make_end(&m, false), &options, &t->arena, &stream, &next), HOIST_OK);
    HOIST_EXPECT_EQ(t, stream.fault_count, 0);
    HOIST_EXPECT_EQ(t, next, 1);
}

// Any bytes --------------------------------------------------------------------------------------

HOIST_TEST(any_words_are_framed_or_told_why_not)
{
    uint64_t seed = 99;
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(300); round++) {
        uint8_t bytes[64 * DWN_WORD_SIZE];
        for (size_t i = 0; i < sizeof(bytes); i++) {
            bytes[i] = (uint8_t)hoist_test_random(&seed);
        }
        for (size_t at = 0; at < sizeof(bytes); at += DWN_WORD_SIZE) { // mostly known opcodes
            const dwn_opcode *row = dwn_opcode_at(hoist_test_random(&seed) % 28);
            if (row) {
                dwn_field_store(&dwn_opcode_field, (hoist_mut_bytes){bytes + at, DWN_WORD_SIZE}, 0,
                                row->code);
            }
        }
        const size_t size = hoist_test_random(&seed) % (sizeof(bytes) + 1);
        const dwn_stream stream = dwn_test_stream(t, (hoist_bytes){bytes, size});
        uint32_t word = 0;
        for (size_t i = 0; i < stream.count; i++) {
            HOIST_EXPECT_EQ(t, stream.instructions[i].word, word);
            word += stream.instructions[i].words;
        }
        HOIST_EXPECT_EQ(t, stream.parsed, word);
        HOIST_EXPECT(t, stream.parsed == stream.words || stream.fault_count > 0);
    }
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *bytes = self;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    dwn_stream stream = {0};
    uint16_t next = 0;
    const dwn_stream_options options = {0};
    const hoist_status status = dwn_stream_read(*bytes, &options, &arena, &stream, &next);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    dwn_maker m = {0};
    const hoist_bytes bytes = plain_chunk(&m);
    hoist_test_starve(t, read_starved, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(an_honest_chunk_has_no_fault), HOIST_TEST_ROW(each_fault_is_found),
                HOIST_TEST_ROW(a_chunk_may_be_too_large),
                HOIST_TEST_ROW(all_faults_of_a_chunk_come_at_once),
                HOIST_TEST_ROW(faults_are_told_in_words), HOIST_TEST_ROW(ids_go_on_across_chunks),
                HOIST_TEST_ROW(ids_begin_anew_after_the_last),
                HOIST_TEST_ROW(any_words_are_framed_or_told_why_not),
                HOIST_TEST_ROW(memory_may_run_out))
