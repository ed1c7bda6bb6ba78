// The tables of words and fields: no empty rows, spellings that find themselves, slots apart.
#include "formats/buda/fields.h"
#include "formats/buda/words.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const hoist_rec_words *set;
} sets[] = {
    {"arch", &buda_arch_words}, {"type", &buda_queue_type_words}, {"loc", &buda_loc_words},
    {"order", &buda_order_words}, {"layout", &buda_layout_words},
    {"fidelity", &buda_fidelity_words}, {"df", &buda_df_words},
};

static const struct {
    const char *name;
    const hoist_rec_table *table;
} tables[] = {
    {"queue", &buda_queue_table}, {"graph", &buda_graph_table}, {"op", &buda_op_table},
    {"input keys", &buda_input_keys_table}, {"pad", &buda_pad_table},
    {"unpad", &buda_unpad_table}, {"fused", &buda_fused_table}, {"sub-op", &buda_sub_op_table},
    {"setting", &buda_setting_table}, {"execute", &buda_execute_table},
};

// Values of the device enumeration (section 1.8).
static const struct {
    const char *name;
    int code;
    char family;
} codes[] = {
    {"Float32", 0, 0}, {"Float16", 1, 'A'}, {"Bfp8", 2, 'A'}, {"Bfp4", 3, 'A'},
    {"Float16_b", 5, 'B'}, {"Bfp8_b", 6, 'B'}, {"Bfp4_b", 7, 'B'}, {"Int32", 8, 0},
    {"UInt16", 9, 0}, {"Lf8", 10, 0}, {"Bfp2", 11, 'A'}, {"Int8", 14, 0}, {"Bfp2_b", 15, 'B'},
    {"UInt8", 30, 0}, {"Fp8_e4m3", 0x1a, 0}, {"RawUInt8", 0xf0, 0}, {"RawUInt16", 0xf1, 0},
    {"RawUInt32", 0xf2, 0},
};

static const struct {
    const char *name;
    int64_t h;
    int64_t w;
    bool exists;
} dims[] = {
    {"32x32", 32, 32, true}, {"16x32", 16, 32, true}, {"32x16", 32, 16, true},
    {"8x32", 8, 32, true}, {"4x32", 4, 32, true}, {"2x32", 2, 32, true}, {"1x32", 1, 32, true},
    {"16x16", 16, 16, false}, {"0x32", 0, 32, false}, {"32x8", 32, 8, false},
};
// clang-format on

HOIST_TEST_TABLE(words_find_themselves, sets)
{
    for (size_t i = 0; i < row->set->count; i++) {
        const char *const word = hoist_rec_word_name(row->set, (int)i);
        HOIST_EXPECT(t, word != NULL && word[0]);
        const int found = hoist_rec_word_find(row->set, hoist_str_from(word));
        const bool accepted = !row->set->accepted || row->set->accepted((int)i);
        HOIST_EXPECT_EQ(t, found, accepted ? (int)i : -1);
    }
    HOIST_EXPECT(t, hoist_rec_word_name(row->set, -1) == NULL);
    HOIST_EXPECT(t, hoist_rec_word_name(row->set, (int)row->set->count) == NULL);
    HOIST_EXPECT_EQ(t, hoist_rec_word_find(row->set, HOIST_STR("")), -1);
}

HOIST_TEST_TABLE(fields_are_whole, tables)
{
    for (size_t i = 0; i < row->table->count; i++) {
        const hoist_rec_field *const field = &row->table->fields[i];
        const bool words = field->kind == HOIST_REC_WORD || field->kind == HOIST_REC_WORDS;
        HOIST_EXPECT(t, field->key && field->summary && field->summary[0]);
        HOIST_EXPECT_EQ(t, field->words != NULL, words);
        HOIST_EXPECT(t, field->min <= field->max);
        HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, hoist_str_from(field->key), 0), i);
        HOIST_EXPECT_EQ(t, field->key_size, hoist_str_from(field->key).size);
        for (size_t j = 0; j < i; j++) {
            HOIST_EXPECT(t, row->table->fields[j].at != field->at);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_rec_find(row->table, HOIST_STR(""), 0), -1);
}

HOIST_TEST_TABLE(formats_have_their_codes, codes)
{
    const int df = hoist_rec_word_find(&buda_df_words, hoist_str_from(row->name));
    HOIST_EXPECT(t, df >= 0);
    HOIST_EXPECT_EQ(t, buda_formats[df].code, row->code);
    HOIST_EXPECT_EQ(t, buda_formats[df].family, row->family);
    HOIST_EXPECT(t, buda_formats[df].dtype != HOIST_DTYPE_NONE);
}

HOIST_TEST_TABLE(tile_dims_exist, dims)
{
    HOIST_EXPECT_EQ(t, buda_tile_dim_exists(row->h, row->w), row->exists);
}

HOIST_TEST(archs_ignore_case)
{
    HOIST_EXPECT_EQ(t, hoist_rec_word_find(&buda_arch_words, HOIST_STR("WorMhole_B0")),
                    BUDA_WORMHOLE_B0);
    HOIST_EXPECT_EQ(t, buda_arch_alias_find(HOIST_STR("WORMHOLE_B"))->arch, BUDA_WORMHOLE_B0);
    HOIST_EXPECT(t, buda_arch_alias_find(HOIST_STR("wormhole")) == NULL);
    HOIST_EXPECT_EQ(t, hoist_rec_word_find(&buda_fidelity_words, HOIST_STR("hifi3")), -1);
}

HOIST_TEST(programs_have_words)
{
    for (int i = BUDA_I_VAR; i <= BUDA_I_ENDPROGRAM; i++) {
        const char *const word = buda_instr_name((buda_instr_kind)i);
        HOIST_EXPECT_EQ(t, buda_instr_find(hoist_str_from(word)), i);
    }
    HOIST_EXPECT(t, buda_instr_name(BUDA_I_UNKNOWN) == NULL);
    for (int i = BUDA_V_SET; i <= BUDA_V_INCWRAP; i++) {
        const buda_var_op_row *const row = buda_var_op_get((buda_var_op)i);
        HOIST_EXPECT_EQ(t, buda_var_op_find(hoist_str_from(row->name)), i);
        HOIST_EXPECT(t, row->operands == 1 || row->operands == 2);
    }
    HOIST_EXPECT(t, buda_var_op_get(BUDA_V_UNKNOWN) == NULL);
    for (int i = BUDA_TM_BROADCAST; i <= BUDA_TM_TILE_BROADCAST; i++) {
        const buda_tm_row *const row = buda_tm_get((buda_tm_kind)i);
        HOIST_EXPECT_EQ(t, buda_tm_find(hoist_str_from(row->name)), i);
    }
    HOIST_EXPECT(t, buda_tm_get(BUDA_TM_NONE) == NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(words_find_themselves), HOIST_TEST_ROW(fields_are_whole),
                HOIST_TEST_ROW(formats_have_their_codes), HOIST_TEST_ROW(tile_dims_exist),
                HOIST_TEST_ROW(archs_ignore_case), HOIST_TEST_ROW(programs_have_words))
