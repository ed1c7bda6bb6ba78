#include <stdio.h>
#include <string.h>

#include "formats/neff/fields.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const hoist_rec_table *table;
} tables[] = {
    {"def",    &neff_def_table},
    {"var",    &neff_var_table},
    {"queue",  &neff_queue_table},
    {"engine", &neff_engine_table},
    {"block",  &neff_block_table},
    {"desc",   &neff_desc_table},
    {"extra",  &neff_extra_table},
};
// clang-format on

// Fills `slots` for a multiplier; false when two keys share one.
static bool fill_slots(const hoist_rec_table *table, uint32_t multiplier, uint8_t *slots)
{
    memset(slots, 0, HOIST_REC_SLOTS);
    for (size_t i = 0; i < table->count; i++) {
        uint8_t *slot = &slots[hoist_rec_slot(hoist_str_from(table->fields[i].key), multiplier)];
        if (*slot) {
            return false;
        }
        *slot = (uint8_t)(i + 1);
    }
    return true;
}

// What a table that has changed should have, ready to be pasted.
static void print_slots(const char *name, const hoist_rec_table *table)
{
    uint8_t slots[HOIST_REC_SLOTS];
    uint32_t multiplier = 1;
    uint64_t state = 1;
    for (unsigned i = 0; i < 10000000 && !fill_slots(table, multiplier, slots); i++) {
        multiplier = (uint32_t)hoist_test_random(&state) | 1;
    }
    (void)printf("%s_slots[HOIST_REC_SLOTS] = {", name);
    for (unsigned i = 0; i < HOIST_REC_SLOTS; i++) {
        if (slots[i]) {
            (void)printf("[%u] = %u, ", i, slots[i]);
        }
    }
    (void)printf("}; .multiplier = 0x%08x\n", multiplier);
}

HOIST_TEST_TABLE(keys_have_slots_of_their_own, tables)
{
    uint8_t slots[HOIST_REC_SLOTS];
    const bool apart = fill_slots(row->table, row->table->multiplier, slots);
    if (!apart || memcmp(slots, row->table->slots, HOIST_REC_SLOTS) != 0) {
        print_slots(row->name, row->table);
        hoist_test_fail(t, __FILE__, __LINE__, "these are not the slots of the keys; see above");
    }
}

HOIST_TEST_TABLE(finds_every_key, tables)
{
    for (size_t i = 0; i < row->table->count; i++) {
        const hoist_str key = hoist_str_from(row->table->fields[i].key);
        HOIST_EXPECT_EQ(t, row->table->fields[i].key_size, key.size);
        HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, key, 0), i);
        HOIST_EXPECT(t, neff_has(row->table, (uint64_t)1 << i, key.data));
        HOIST_EXPECT(t, !neff_has(row->table, ~((uint64_t)1 << i), key.data));
    }
}

HOIST_TEST_TABLE(finds_no_other_key, tables)
{
    HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, HOIST_STR(""), 0), -1);
    HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, (hoist_str){0}, 0), -1);
    for (size_t i = 0; i < row->table->count; i++) {
        const hoist_str key = hoist_str_from(row->table->fields[i].key);
        char other[64];
        // Same slot, another key: only bytes that the slot does not depend on are changed.
        (void)snprintf(other, sizeof(other), "%s", key.data);
        other[key.size / 2] = '!';
        HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, (hoist_str){other, key.size}, 0), -1);
        HOIST_EXPECT_EQ(
            t, hoist_rec_find(row->table, hoist_str_slice(key, 1, key.size), 0) == (int)i, false);
        // A size that is the same in one byte only.
        char longer[64 + 256] = {0};
        memcpy(longer, key.data, key.size);
        HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, (hoist_str){longer, key.size + 256}, 0), -1);
    }
}

HOIST_TEST_TABLE(rows_are_complete, tables)
{
    HOIST_EXPECT(t, row->table->count <= 64 && row->table->what);
    for (size_t i = 0; i < row->table->count; i++) {
        const hoist_rec_field *field = &row->table->fields[i];
        const bool word = field->kind == HOIST_REC_WORD || field->kind == HOIST_REC_SMALL_WORD;
        HOIST_EXPECT(t, field->summary && field->summary[0]);
        HOIST_EXPECT_EQ(t, word, field->words != NULL);
        HOIST_EXPECT(t, field->kind != HOIST_REC_ANY || field->at == HOIST_REC_NONE);
        HOIST_EXPECT(t, !field->has || field->at != HOIST_REC_NONE);
        HOIST_EXPECT(t, field->kind <= NEFF_KIND_SIZES && field->since <= NEFF_SINCE_GEN3);
        HOIST_EXPECT(t, (field->wrong < NEFF_RULE_COUNT || field->wrong == HOIST_REC_NONE) &&
                            field->missing < NEFF_RULE_COUNT);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(keys_have_slots_of_their_own), HOIST_TEST_ROW(finds_every_key),
                HOIST_TEST_ROW(finds_no_other_key), HOIST_TEST_ROW(rows_are_complete))
