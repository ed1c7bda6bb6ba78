// Real streams: the bare programs, and the golden model (darwinn reference section 15).
#include <math.h>
#include <string.h>

#include "formats/darwinn/module.h"
#include "formats/darwinn/stream_listing.h"
#include "formats/darwinn/stream_tensor.h"
#include "formats/darwinn/stream_testing.h"

// A bare program is one chunk and nothing else: no header, no links.
static const struct {
    const char *name;
    uint32_t instructions;
    uint32_t tensor_operations;
    uint32_t descriptors;
} programs[] = {
    // clang-format off
    {"add1",                    105,   1,  3},
    {"dense_1_8_mul",           105,   1,  3},
    {"div2",                    105,   1,  3},
    {"div2_10",                 105,   1,  3},
    {"div2_10_aarch64",         105,   1,  3},
    {"div2_20",                 105,   1,  3},
    {"div2_20_aarch64",         105,   1,  3},
    {"div2_40",                 105,   1,  3},
    {"div2_8",                  105,   1,  3},
    {"div2_80",                 110,   2,  3},
    {"div2_8_aarch64",          105,   1,  3},
    {"div4",                    105,   1,  3},
    {"inception_0",            3166, 309, 46},
    {"matmul_256",              135,   4,  3},
    {"mul2",                    105,   1,  3},
    {"mul2_add10",              108,   2,  3},
    {"relu",                    105,   1,  3},
    {"relu_2",                  105,   1,  3},
    {"relu_4",                  105,   1,  3},
    {"relu_sub_1",              152,   2,  4},
    {"sigmoid",                 107,   1,  3},
    {"sub1",                     97,   0,  3},
    {"weight_copy_in_0x100",     52,   0,  2},
    {"weight_copy_in_0x80",      52,   0,  2},
    // clang-format on
};

static uint32_t tensor_operations(const dwn_stream *stream)
{
    uint32_t count = 0;
    for (size_t i = 0; i < stream->count; i++) {
        count += dwn_opcode_find(stream->instructions[i].opcode)->fields->rows == dwn_tensor_rows;
    }
    return count;
}

// As a file: it is recognised, and nothing is found.
static void check_as_file(hoist_test *t, hoist_bytes bytes)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT(t, hoist_darwinn_stream_format.sniff(bytes, HOIST_STR("")) > 0);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.read(bytes, &options, t->diag, &module),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.check(module, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    hoist_darwinn_stream_format.destroy(module);
}

HOIST_TEST_TABLE(bare_programs_have_no_fault, programs)
{
    const hoist_str name = hoist_arena_format(&t->arena, "darwinn/programs/%s.coral", row->name);
    const char *path = hoist_test_corpus(t, name.data);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    // That of inception is the first chunk of several; the others are not in the corpus.
    const dwn_stream_options options = {.has_successor = strcmp(row->name, "inception_0") == 0};
    dwn_chunk chunk = {0};
    uint16_t next = 0;
    HOIST_EXPECT_EQ(
        t, dwn_stream_read(hoist_test_file(t, path), &options, &t->arena, &chunk.stream, &next),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, chunk.stream.fault_count, 0);
    HOIST_EXPECT_EQ(t, chunk.stream.parsed, chunk.stream.words);
    HOIST_EXPECT_EQ(t, chunk.stream.count, row->instructions);
    HOIST_EXPECT_EQ(t, tensor_operations(&chunk.stream), row->tensor_operations);
    dwn_program_run run = {0};
    HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &t->arena, &run), HOIST_OK);
    HOIST_EXPECT_EQ(t, run.run.end, DWN_SCALAR_DONE);
    HOIST_EXPECT_EQ(t, run.transfer_count, row->descriptors);
    check_as_file(t, chunk.stream.bytes);
}

// The golden model -------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t executable;
    uint32_t crc;
    uint32_t linked_crc;
    const char *hints[4];
    size_t hint_count;
} golden[] = {
    // clang-format off
    {"execution only", 0, 0xfab741cb, 0x88d3fd15,
     {"chunk 0", "input 'serving_default_keras_tensor:0' [0, +256] infeed",
      "output 'StatefulPartitionedCall_1:0' [0, +256] outfeed", "interrupt 0"}, 4},
    {"parameter caching", 1, 0xff99bb2e, 0xb5233cca,
     {"chunk 0", "parameter [0, +67584] infeed", "interrupt 0"}, 3},
    // clang-format on
};

// Skips the test where the corpus is absent.
static dwn_chunk golden_chunk(hoist_test *t, size_t executable)
{
    const dwn_chunk chunk = dwn_golden_chunk(t, executable);
    if (!chunk.stream.bytes.data) {
        hoist_test_skip(t, "the corpus is absent");
    }
    return chunk;
}

HOIST_TEST_TABLE(linking_gives_the_golden_bytes, golden)
{
    static const uint64_t addresses[] = {0xddeeff0140000000, 0x99aabbcc30000000, 0x1122334410000000,
                                         0x5566778820000000};
    static const uint8_t words[] = {0x00, 0x08, 0, 0,    0,    0,    0xc0, 0x1b, 0, 0, 0,
                                    0,    0x04, 0, 0,    0,    0,    0x08, 0,    0, 0, 0,
                                    0xc0, 0x0b, 0, 0xd1, 0x8c, 0x48, 0x04, 0,    0, 0};
    const dwn_chunk chunk = golden_chunk(t, row->executable);
    if (!chunk.stream.bytes.data) {
        return;
    }
    const dwn_place items[] = {
        {.desc = DWN_DESC_PARAMETER, .count = 1, .addresses = &addresses[2]},
        {.desc = DWN_DESC_SCRATCH, .count = 1, .addresses = &addresses[3]},
        {hoist_str_from("serving_default_keras_tensor:0"), DWN_DESC_INPUT, 1, &addresses[1]},
        {hoist_str_from("StatefulPartitionedCall_1:0"), DWN_DESC_OUTPUT, 1, &addresses[0]},
    };
    const size_t size = chunk.stream.bytes.size;
    uint8_t *copy = hoist_arena_alloc(&t->arena, size);
    memcpy(copy, chunk.stream.bytes.data, size);
    const hoist_bytes bytes = {copy, size};
    dwn_places places;
    HOIST_EXPECT_EQ(t, dwn_test_crc(bytes), row->crc);
    HOIST_EXPECT_EQ(t, dwn_places_init(&places, items, 4, hoist_allocator_system()), HOIST_OK);
    HOIST_EXPECT_EQ(
        t, dwn_link_apply((hoist_mut_bytes){copy, size}, chunk.links, chunk.link_count, &places),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_crc(bytes), row->linked_crc);
    HOIST_EXPECT(t, memcmp(copy + (size_t)4 * DWN_WORD_SIZE, words, sizeof(words)) == 0);
    HOIST_EXPECT_EQ(t, dwn_link_undo((hoist_mut_bytes){copy, size}, chunk.links, chunk.link_count),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_crc(bytes), row->crc);
    dwn_link_faults faults = {0};
    HOIST_EXPECT_EQ(t, dwn_link_check(&chunk, 1, &places, &t->arena, &faults), HOIST_OK);
    HOIST_EXPECT_EQ(t, faults.count, row->executable == 0 ? 0 : 2); // that one has no layers
    dwn_places_deinit(&places);
}

HOIST_TEST_TABLE(the_run_gives_the_golden_hints, golden)
{
    const dwn_chunk chunk = golden_chunk(t, row->executable);
    if (chunk.stream.bytes.data) {
        dwn_program_run run = {0};
        char text[200];
        HOIST_EXPECT_EQ(t, chunk.stream.fault_count, 0);
        HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &t->arena, &run), HOIST_OK);
        HOIST_EXPECT_EQ(t, run.hint_count, row->hint_count);
        for (size_t i = 0; i < run.hint_count && i < row->hint_count; i++) {
            dwn_hint_text(&run.hints[i], text, sizeof(text));
            HOIST_EXPECT_STR(t, hoist_str_from(text), row->hints[i]);
        }
    }
}

static const struct {
    const char *name;
    size_t row;
    double value;
} constants[] = {
    // clang-format off
    {"tiles",       DWN_TENSOR_TILES,       0x000f}, {"multiplier", DWN_TENSOR_MULTIPLIER, 1},
    {"high",        DWN_TENSOR_HIGH,        126},    {"low",        DWN_TENSOR_LOW,        -129},
    {"weight zero", DWN_TENSOR_WEIGHT_ZERO, 0},      {"input zero", DWN_TENSOR_INPUT_ZERO, 127},
    {"output zero", DWN_TENSOR_OUTPUT_ZERO, 129},    {"full rows",  DWN_TENSOR_FULL_ROWS,  64},
    {"last rows",   DWN_TENSOR_LAST_ROWS,   64},     {"bias",       DWN_TENSOR_HAS_BIAS,   0},
    {"multipliers", DWN_TENSOR_HAS_MULTIPLIERS, 1},  {"weight zeros", DWN_TENSOR_HAS_WEIGHT_ZEROS, 1},
    // clang-format on
};

HOIST_TEST_TABLE(the_tensor_operation_has_the_golden_constants, constants)
{
    const dwn_chunk chunk = golden_chunk(t, 0);
    const dwn_instruction *tensor =
        chunk.stream.bytes.data ? dwn_instruction_find(&chunk.stream, 174) : NULL;
    if (!tensor) {
        HOIST_EXPECT(t, !chunk.stream.bytes.data);
        return;
    }
    const dwn_field *field = &dwn_tensor_rows[row->row];
    const hoist_bytes bytes = dwn_instruction_bytes(&chunk.stream, tensor);
    const uint32_t bits = dwn_field_load(field, bytes, 0);
    float number = 0;
    memcpy(&number, &bits, sizeof(number));
    const double value =
        field->kind == DWN_FIELD_FLOAT ? (double)number : (double)dwn_field_value(field, bytes, 0);
    HOIST_EXPECT(t, fabs(row->value - value) < 1e-4); // the clamps are products of float32
}

// Damage ------------------------------------------------------------------------------------------

// Parses, runs and shows; whatever the bytes are, each of it comes to an end.
static size_t read_broken(hoist_test *t, const dwn_chunk *honest, hoist_bytes bytes)
{
    const dwn_stream_options options = {0};
    dwn_chunk chunk = {.links = honest->links, .link_count = honest->link_count};
    dwn_program_run run = {0};
    uint16_t next = 0;
    hoist_arena arena;
    hoist_buffer text;
    hoist_arena_init(&arena, hoist_allocator_system());
    hoist_buffer_init(&text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_stream_read(bytes, &options, &arena, &chunk.stream, &next), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &arena, &run), HOIST_OK);
    const dwn_listing listing = {&chunk, 1, &run, false};
    HOIST_EXPECT_EQ(t, dwn_listing_write(&listing, &text), HOIST_OK);
    const size_t faults = chunk.stream.fault_count;
    hoist_buffer_deinit(&text);
    hoist_arena_deinit(&arena);
    return faults;
}

HOIST_TEST(a_cut_chunk_has_faults)
{
    const dwn_chunk chunk = golden_chunk(t, 1);
    for (size_t size = 0; size < chunk.stream.bytes.size; size++) {
        const hoist_bytes cut = {chunk.stream.bytes.data, size};
        HOIST_EXPECT(t, read_broken(t, &chunk, cut) > 0);
    }
}

HOIST_TEST(flipped_bits_do_no_harm)
{
    const dwn_chunk chunk = golden_chunk(t, 0);
    const size_t size = chunk.stream.bytes.size;
    uint64_t seed = 2026;
    uint8_t *copy = hoist_arena_alloc(&t->arena, size);
    for (size_t round = 0; size > 0 && round < HOIST_TEST_ROUNDS(1000); round++) {
        memcpy(copy, chunk.stream.bytes.data, size);
        for (size_t i = 0; i <= round % 4; i++) {
            const uint64_t bit = hoist_test_random(&seed) % (8 * size);
            copy[bit / 8] = (uint8_t)(copy[bit / 8] ^ 1u << bit % 8);
        }
        (void)read_broken(t, &chunk, (hoist_bytes){copy, size});
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bare_programs_have_no_fault),
                HOIST_TEST_ROW(linking_gives_the_golden_bytes),
                HOIST_TEST_ROW(the_run_gives_the_golden_hints),
                HOIST_TEST_ROW(the_tensor_operation_has_the_golden_constants),
                HOIST_TEST_ROW(a_cut_chunk_has_faults), HOIST_TEST_ROW(flipped_bits_do_no_harm))
