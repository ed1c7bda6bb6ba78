// The tables hold together: no row is empty, no field leaves its instruction or overlaps another.
#include <string.h>

#include "formats/darwinn/stream_rows.h"
#include "testing/test.h"

HOIST_TEST(opcodes_are_those_of_the_reference)
{
    size_t count = 0;
    const dwn_opcode *row = NULL;
    int last = -1;
    for (; (row = dwn_opcode_at(count)) != NULL; count++) {
        hoist_test_row(t, row->mnemonic);
        HOIST_EXPECT(t, row->code > last && row->code < 64);
        HOIST_EXPECT(t, row->words >= 1 && row->words <= DWN_MAX_WORDS);
        HOIST_EXPECT(t, row->title && row->title[0] && row->mnemonic[0] && row->fields);
        HOIST_EXPECT(t, row->unit < DWN_UNIT_COUNT && dwn_unit_name(row->unit)[0]);
        HOIST_EXPECT(t, dwn_opcode_find(row->code) == row);
        last = row->code;
    }
    HOIST_EXPECT_EQ(t, count, 25);
    HOIST_EXPECT(t, dwn_opcode_find(0) == NULL);
    HOIST_EXPECT(t, dwn_opcode_find(0x04) == NULL);
    HOIST_EXPECT(t, dwn_opcode_find(64) == NULL);
}

// Lengths of darwinn reference section 8.1.
static const struct {
    const char *name;
    uint8_t first;
    uint8_t last;
    uint8_t words;
} lengths[] = {
    // clang-format off
    {"tensor",      0x01, 0x03, 17}, {"resize",   0x05, 0x05, 17}, {"ring",   0x10, 0x12, 4},
    {"copies",      0x13, 0x14, 7},  {"mesh",     0x15, 0x18, 6},  {"table",  0x19, 0x19, 13},
    {"fence",       0x1a, 0x1a, 1},  {"scalar",   0x20, 0x23, 1},  {"sfence", 0x24, 0x25, 2},
    {"feeds",       0x26, 0x26, 4},  {"drains",   0x27, 0x27, 2},  {"frame",  0x3e, 0x3f, 1},
    // clang-format on
};

HOIST_TEST_TABLE(opcodes_have_their_lengths, lengths)
{
    for (uint32_t code = row->first; code <= row->last; code++) {
        const dwn_opcode *found = dwn_opcode_find(code);
        HOIST_EXPECT(t, found != NULL);
        HOIST_EXPECT_EQ(t, found->words, row->words);
    }
}

// Marks the bits of a field; false when one is marked already or outside.
static bool mark(const dwn_field *field, uint8_t *taken, size_t bits)
{
    bool is_free = true;
    for (size_t k = 0; k < dwn_field_repeats(field); k++) {
        for (size_t bit = 0; bit < field->width; bit++) {
            const size_t at = field->bit + field->step * k + bit;
            is_free = is_free && at < bits && !taken[at];
            taken[at < bits ? at : 0] = 1;
        }
    }
    return is_free;
}

HOIST_TEST(fields_do_not_overlap)
{
    const dwn_opcode *row = NULL;
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        uint8_t taken[DWN_MAX_WORDS * DWN_WORD_BITS] = {0};
        hoist_test_row(t, row->mnemonic);
        HOIST_EXPECT(t, mark(&dwn_opcode_field, taken, sizeof(taken)));
        for (size_t k = 0; k < row->fields->count; k++) {
            const dwn_field *field = &row->fields->rows[k];
            HOIST_EXPECT(t, field->name && field->title && field->title[0]);
            HOIST_EXPECT(t, field->width >= 1 && field->width <= 32);
            HOIST_EXPECT(t, field->kind < DWN_FIELD_KINDS);
            HOIST_EXPECT(t, field->kind != DWN_FIELD_FLOAT || field->width == 32);
            HOIST_EXPECT(t, mark(field, taken, (size_t)row->words * DWN_WORD_BITS));
        }
    }
}

HOIST_TEST(families_have_names_of_their_own)
{
    const dwn_fields *family = NULL;
    for (size_t i = 0; (family = dwn_fields_at(i)) != NULL; i++) {
        hoist_test_row(t, family->name);
        for (size_t k = 0; k < family->count; k++) {
            for (size_t other = 0; other < k; other++) {
                HOIST_EXPECT(t, strcmp(family->rows[k].name, family->rows[other].name) != 0);
            }
        }
        HOIST_EXPECT(t, i == 0 || strcmp(family->name, dwn_fields_at(i - 1)->name) != 0);
    }
}

static const struct {
    const char *name;
    dwn_field field;
    uint32_t bits;
    int64_t value;
} values[] = {
    // clang-format off
    {"number",            {.width = 8},                              0xff,       255},
    {"hex",               {.width = 16, .kind = DWN_FIELD_HEX},      0xffff,     0xffff},
    {"count",             {.width = 18, .kind = DWN_FIELD_COUNT},    0x3ffff,    0x40000},
    {"count of one",      {.width = 14, .kind = DWN_FIELD_COUNT},    0,          1},
    {"negative",          {.width = 17, .kind = DWN_FIELD_SIGNED},   0x1ffff,    -1},
    {"most negative",     {.width = 13, .kind = DWN_FIELD_SIGNED},   0x1000,     -4096},
    {"positive",          {.width = 13, .kind = DWN_FIELD_SIGNED},   0x0fff,     4095},
    {"whole word",        {.width = 32, .kind = DWN_FIELD_SIGNED},   0x80000000, INT32_MIN},
    {"float, its bits",   {.width = 32, .kind = DWN_FIELD_FLOAT},    0xbf800000, 0xbf800000},
    // clang-format on
};

HOIST_TEST_TABLE(values_are_read_by_kind, values)
{
    uint8_t bytes[DWN_WORD_SIZE] = {0};
    dwn_field_store(&row->field, (hoist_mut_bytes){bytes, sizeof(bytes)}, 0, row->bits);
    HOIST_EXPECT_EQ(t, dwn_field_load(&row->field, (hoist_bytes){bytes, sizeof(bytes)}, 0),
                    row->bits);
    HOIST_EXPECT_EQ(t, dwn_field_value(&row->field, (hoist_bytes){bytes, sizeof(bytes)}, 0),
                    row->value);
}

// Of any bits, the rest and the fields together are the instruction.
HOIST_TEST(rest_and_fields_are_the_whole)
{
    uint64_t seed = 7;
    const dwn_opcode *row = NULL;
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        hoist_test_row(t, row->mnemonic);
        uint8_t bytes[DWN_MAX_WORDS * DWN_WORD_SIZE];
        uint8_t rest[sizeof(bytes)];
        const size_t size = (size_t)row->words * DWN_WORD_SIZE;
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (uint8_t)hoist_test_random(&seed);
        }
        const hoist_bytes whole = {bytes, size};
        dwn_rest_of(row, whole, (hoist_mut_bytes){rest, size});
        HOIST_EXPECT_EQ(t, dwn_field_load(&dwn_opcode_field, (hoist_bytes){rest, size}, 0), 0);
        dwn_field_store(&dwn_opcode_field, (hoist_mut_bytes){rest, size}, 0,
                        dwn_field_load(&dwn_opcode_field, whole, 0));
        for (size_t k = 0; k < row->fields->count; k++) {
            const dwn_field *field = &row->fields->rows[k];
            for (size_t n = 0; n < dwn_field_repeats(field); n++) {
                HOIST_EXPECT_EQ(t, dwn_field_load(field, (hoist_bytes){rest, size}, n), 0);
                dwn_field_store(field, (hoist_mut_bytes){rest, size}, n,
                                dwn_field_load(field, whole, n));
            }
        }
        HOIST_EXPECT(t, memcmp(rest, bytes, size) == 0);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(opcodes_are_those_of_the_reference),
                HOIST_TEST_ROW(opcodes_have_their_lengths), HOIST_TEST_ROW(fields_do_not_overlap),
                HOIST_TEST_ROW(families_have_names_of_their_own),
                HOIST_TEST_ROW(values_are_read_by_kind),
                HOIST_TEST_ROW(rest_and_fields_are_the_whole))
