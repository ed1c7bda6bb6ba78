#include "formats/darwinn/stream_testing.h"

#include <string.h>

#include "base/assert.h"

void dwn_make_begin(dwn_maker *m)
{
    const uint16_t next_id = m->next_id;
    *m = (dwn_maker){.next_id = next_id};
    (void)dwn_make_add(m, DWN_OP_START);
}

void dwn_make_set(hoist_mut_bytes instruction, const dwn_field *field, size_t index, uint32_t bits)
{
    dwn_field_store(field, instruction, index, bits);
}

hoist_mut_bytes dwn_make_add(dwn_maker *m, uint8_t opcode)
{
    const dwn_opcode *row = dwn_opcode_find(opcode);
    const uint32_t words = row ? row->words : 1;
    HOIST_ASSERT(m->words + words <= DWN_TEST_WORDS);
    const hoist_mut_bytes made = {m->bytes + (size_t)m->words * DWN_WORD_SIZE,
                                  (size_t)words * DWN_WORD_SIZE};
    dwn_make_set(made, &dwn_opcode_field, 0, opcode);
    if (row && opcode < DWN_OP_TILES) {
        dwn_make_set(made, &row->fields->rows[DWN_HEADER_TILES], 0, 1);
        dwn_make_set(made, &row->fields->rows[DWN_HEADER_ID], 0, m->next_id++);
    }
    m->words += words;
    return made;
}

void dwn_make_bundle(dwn_maker *m, const dwn_bundle *b)
{
    const uint32_t bits[DWN_BUNDLE_FIELDS] = {
        [DWN_BUNDLE_PREDICATED] = b->predicated,
        [DWN_BUNDLE_PREDICATE] = b->predicate,
        [DWN_BUNDLE_SENSE] = b->sense,
        [DWN_BUNDLE_LOAD] = b->load,
        [DWN_BUNDLE_LOAD_TO] = b->load_to,
        [DWN_BUNDLE_LOAD_FROM] = b->load_from,
        [DWN_BUNDLE_STORE] = b->store,
        [DWN_BUNDLE_STORE_TO] = b->store_to,
        [DWN_BUNDLE_STORE_FROM] = b->store_from,
        [DWN_BUNDLE_ALU] = b->alu,
        [DWN_BUNDLE_IMMEDIATE_USED] = b->by_immediate,
        [DWN_BUNDLE_TO] = b->to,
        [DWN_BUNDLE_FIRST] = b->first,
        [DWN_BUNDLE_IMMEDIATE] = b->immediate,
        [DWN_BUNDLE_FUNCTION] = b->function,
        [DWN_BUNDLE_FUNCTION_TO] = b->function_to,
        [DWN_BUNDLE_FUNCTION_OF] = b->function_of,
    };
    const hoist_mut_bytes made = dwn_make_add(m, DWN_OP_BUNDLE);
    for (size_t i = 0; i < DWN_BUNDLE_FIELDS; i++) {
        dwn_make_set(made, &dwn_bundle_rows[i], 0, bits[i]);
    }
}

int32_t dwn_make_movi(dwn_maker *m, uint8_t to, uint32_t immediate)
{
    const uint32_t word = m->words;
    const dwn_bundle b = {.alu = 0x0f, .by_immediate = true, .to = to, .immediate = immediate};
    dwn_make_bundle(m, &b);
    return (int32_t)(word * DWN_WORD_BITS + DWN_LINK_PHASE);
}

void dwn_make_send(dwn_maker *m)
{
    for (uint32_t i = 0; i < DWN_DESCRIPTOR_WORDS; i++) {
        const dwn_bundle b = {.store = DWN_STORE_DESCRIPTOR,
                              .store_to = (uint16_t)i,
                              .store_from = (uint8_t)(10 + i)};
        dwn_make_bundle(m, &b);
    }
    dwn_make_bundle(m, &(dwn_bundle){.store = DWN_STORE_SEND});
}

hoist_bytes dwn_make_end(dwn_maker *m, bool has_successor)
{
    const hoist_mut_bytes halt = dwn_make_add(m, DWN_OP_HALT);
    dwn_make_set(halt, &dwn_halt_rows[has_successor ? DWN_HALT_MORE : DWN_HALT_LAST], 0, 1);
    for (size_t i = 0; i < 4; i++) {
        (void)dwn_make_add(m, DWN_OP_BUNDLE);
    }
    const hoist_mut_bytes end = dwn_make_add(m, DWN_OP_END);
    dwn_make_set(end, &dwn_frame_rows[DWN_FRAME_BITS], 0, DWN_WORD_BITS);
    dwn_make_set((hoist_mut_bytes){m->bytes, DWN_WORD_SIZE}, &dwn_frame_rows[DWN_FRAME_BITS], 0,
                 DWN_WORD_BITS * (m->words - 2));
    return (hoist_bytes){m->bytes, (size_t)m->words * DWN_WORD_SIZE};
}

dwn_stream dwn_test_stream(hoist_test *t, hoist_bytes bytes)
{
    static const dwn_stream_options first = {0};
    dwn_stream stream = {0};
    uint16_t next = 0;
    HOIST_EXPECT_EQ(t,
                    dwn_stream_read(hoist_test_exact(t, bytes), &first, &t->arena, &stream, &next),
                    HOIST_OK);
    return stream;
}

dwn_fault_code dwn_test_first(const dwn_stream *stream)
{
    return stream->fault_count ? stream->faults[0].code : DWN_FAULT_COUNT;
}

// Offsets are those of the reference: custom_options, package, the executables, their chunks.
dwn_chunk dwn_golden_chunk(hoist_test *t, size_t executable)
{
    enum { PACKAGE = 288 + 8, EXECUTABLES = PACKAGE + 4096 };
    static const char input[] = "serving_default_keras_tensor:0";
    static const char output[] = "StatefulPartitionedCall_1:0";
    static const struct {
        size_t at;
        size_t size;
        size_t link_count;
        dwn_link links[8];
    } rows[] = {
        // clang-format off
        {EXECUTABLES + 81920 + 8064, 4224, 8, {
            {{NULL, 0}, 0, 582, DWN_DESC_PARAMETER, DWN_POSITION_LOW, true},
            {{NULL, 0}, 0, 710, DWN_DESC_PARAMETER, DWN_POSITION_HIGH, true},
            {{NULL, 0}, 0, 838, DWN_DESC_SCRATCH, DWN_POSITION_LOW, true},
            {{NULL, 0}, 0, 966, DWN_DESC_SCRATCH, DWN_POSITION_HIGH, true},
            {{input, sizeof(input) - 1}, 0, 1862, DWN_DESC_INPUT, DWN_POSITION_HIGH, true},
            {{input, sizeof(input) - 1}, 0, 1990, DWN_DESC_INPUT, DWN_POSITION_LOW, true},
            {{output, sizeof(output) - 1}, 0, 25414, DWN_DESC_OUTPUT, DWN_POSITION_HIGH, true},
            {{output, sizeof(output) - 1}, 0, 25542, DWN_DESC_OUTPUT, DWN_POSITION_LOW, true},
        }},
        {EXECUTABLES + 4096 + 72656, 1072, 2, {
            {{NULL, 0}, 0, 582, DWN_DESC_PARAMETER, DWN_POSITION_LOW, true},
            {{NULL, 0}, 0, 710, DWN_DESC_PARAMETER, DWN_POSITION_HIGH, true},
        }},
        // clang-format on
    };
    const char *path = hoist_test_corpus(t, "darwinn/pairs/dense_256_edgetpu.tflite");
    const hoist_bytes file = path ? hoist_test_file(t, path) : (hoist_bytes){0};
    if (file.size < rows[executable].at + rows[executable].size) {
        return (dwn_chunk){0};
    }
    const hoist_bytes bytes = {file.data + rows[executable].at, rows[executable].size};
    return (dwn_chunk){dwn_test_stream(t, bytes), rows[executable].links,
                       rows[executable].link_count};
}

uint32_t dwn_test_crc(hoist_bytes bytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes.size; i++) {
        crc ^= bytes.data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
        }
    }
    return ~crc;
}
