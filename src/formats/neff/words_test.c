// The closed sets: no empty rows, words that find themselves, codes and spellings as documented.
#include "formats/neff/words.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const neff_words *words;
    size_t count;
} sets[] = {
    {"var types",   &neff_var_types,    NEFF_VAR_TYPE_COUNT},
    {"queue types", &neff_queue_types,  NEFF_QUEUE_TYPE_COUNT},
    {"fabrics",     &neff_fabrics,      NEFF_FABRIC_COUNT},
    {"ops",         &neff_ops,          NEFF_OP_COUNT},
    {"engines",     &neff_engine_words, NEFF_ENGINE_COUNT},
    {"dtypes",      &neff_dtype_words,  NEFF_DTYPE_COUNT},
};

static const struct {
    const char *name;
    hoist_dtype dtype;
    unsigned bytes;
    unsigned isa_code; // 0: none
} dtypes[] = {
    {"uint64",           HOIST_DTYPE_U64,    8, 1 },
    {"int8",             HOIST_DTYPE_I8,     1, 2 },
    {"uint8",            HOIST_DTYPE_U8,     1, 3 },
    {"int16",            HOIST_DTYPE_I16,    2, 4 },
    {"uint16",           HOIST_DTYPE_U16,    2, 5 },
    {"bfloat16",         HOIST_DTYPE_BF16,   2, 6 },
    {"float16",          HOIST_DTYPE_F16,    2, 7 },
    {"int32",            HOIST_DTYPE_I32,    4, 8 },
    {"uint32",           HOIST_DTYPE_U32,    4, 9 },
    {"float32",          HOIST_DTYPE_F32,    4, 10},
    {"float32r",         HOIST_DTYPE_F32,    4, 11},
    {"int64",            HOIST_DTYPE_I64,    8, 12},
    {"float8e3",         HOIST_DTYPE_F8E3M4, 1, 13},
    {"float8e4",         HOIST_DTYPE_F8E4M3, 1, 14},
    {"float8e5",         HOIST_DTYPE_F8E5M2, 1, 15},
    {"float8_e4m3fn",    HOIST_DTYPE_F8E4M3, 1, 0 },
    {"float8_e4m3fn_x4", HOIST_DTYPE_U32,    4, 0 },
    {"float8_e5m2_x4",   HOIST_DTYPE_U32,    4, 0 },
    {"float4_e2m1fn_x4", HOIST_DTYPE_U16,    2, 0 },
};

static const struct {
    const char *name;
    int by_target;
    int by_spelling;
} generations[] = {
    {"",        -1,        NEFF_GEN2         },
    {"*",       -1,        NEFF_ANY_GENERATION},
    {"inf1",    NEFF_GEN1, NEFF_GEN1         },
    {"tonga",   NEFF_GEN1, NEFF_GEN1         },
    {"v1",      NEFF_GEN1, NEFF_GEN1         },
    {"trn1",    NEFF_GEN2, -1                },
    {"inf2",    NEFF_GEN2, -1                },
    {"sunda",   NEFF_GEN2, NEFF_GEN2         },
    {"v2",      NEFF_GEN2, NEFF_GEN2         },
    {"trn2",    NEFF_GEN3, -1                },
    {"cayman",  NEFF_GEN3, NEFF_GEN3         },
    {"v3",      NEFF_GEN3, NEFF_GEN3         },
    {"trn3",    NEFF_GEN4, -1                },
    {"mariana", NEFF_GEN4, NEFF_GEN4         },
    {"v4",      NEFF_GEN4, NEFF_GEN4         },
    {"gen5",    NEFF_GEN5, -1                },
    {"v5",      -1,        -1                },
    {"Sunda",   -1,        -1                },
    {"trn",     -1,        -1                },
};

static const struct {
    const char *name;
    unsigned bit;
    bool in_json;
} features[] = {
    {"collective_has_offset", 1, true}, {"neff_feature_custom_ops", 2, true},
    {"neff_coalesced_ccops", 3, true}, {"neff_queue_set_instances", 4, true},
    {"neff_has_functions", 5, true}, {"neff_feature_dynamic_pwp", 6, true},
    {"neff_feature_vnc", 10, true}, {"DGE", 12, false}, {"neff_feature_remote_sem", 14, false},
    {"embedding_stride32", 17, false}, {"hardware_DGE", 21, false},
    {"large_tensor_support", 25, false},
};
// clang-format on

HOIST_TEST_TABLE(words_find_themselves, sets)
{
    HOIST_EXPECT_EQ(t, row->words->count, row->count);
    for (size_t i = 0; i < row->words->count; i++) {
        const char *const word = hoist_rec_word_name(row->words, (int)i);
        HOIST_EXPECT(t, word && word[0]);
        HOIST_EXPECT_EQ(t, hoist_rec_word_find(row->words, hoist_str_from(word)), (int)i);
    }
    HOIST_EXPECT_EQ(t, hoist_rec_word_find(row->words, HOIST_STR("")), -1);
    HOIST_EXPECT_EQ(t, hoist_rec_word_find(row->words, HOIST_STR("nonsense")), -1);
}

HOIST_TEST_TABLE(dtypes_have_their_codes, dtypes)
{
    const int found = hoist_rec_word_find(&neff_dtype_words, hoist_str_from(row->name));
    HOIST_EXPECT_EQ(t, found, (int)(row - dtypes));
    const neff_dtype_row *const dtype = &neff_dtypes[found];
    HOIST_EXPECT_STR(t, hoist_str_from(dtype->name), row->name);
    HOIST_EXPECT_EQ(t, dtype->dtype, row->dtype);
    HOIST_EXPECT_EQ(t, dtype->bytes, row->bytes);
    HOIST_EXPECT_EQ(t, dtype->bytes * 8u, hoist_dtype_get(dtype->dtype)->bits);
    HOIST_EXPECT_EQ(t, dtype->isa_code, row->isa_code);
    HOIST_EXPECT(t, dtype->mnemonic && dtype->mnemonic[0]);
    HOIST_EXPECT(t, row->isa_code == 0 || neff_dtype_of_isa(row->isa_code) == dtype);
}

HOIST_TEST(codes_outside_have_no_dtype)
{
    HOIST_EXPECT(t, neff_dtype_of_isa(0) == NULL);
    HOIST_EXPECT(t, neff_dtype_of_isa(16) == NULL);
    HOIST_EXPECT_STR(t, hoist_str_from(neff_dtypes[NEFF_DTYPE_UINT8].name), "uint8");
}

HOIST_TEST_TABLE(generations_by_name, generations)
{
    const hoist_str name = hoist_str_from(row->name);
    HOIST_EXPECT_EQ(t, neff_generation_of_target(name), row->by_target);
    HOIST_EXPECT_EQ(t, neff_generation_of_spelling(name), row->by_spelling);
}

HOIST_TEST_TABLE(features_by_bit, features)
{
    const neff_feature_row *const feature = &neff_features[row->bit];
    HOIST_EXPECT_STR(t, hoist_str_from(feature->name), row->name);
    HOIST_EXPECT_EQ(t, feature->in_json, row->in_json);
}

HOIST_TEST(unknown_features_have_nothing)
{
    for (unsigned i = 0; i < 64; i++) {
        const bool known = (i >= 1 && i <= 17) || (i >= 20 && i <= 22) || i == 24 || i == 25;
        HOIST_EXPECT_EQ(t, neff_features[i].name || neff_features[i].summary, known);
    }
}

HOIST_TEST(engines_have_keys)
{
    for (size_t i = 0; i < NEFF_ENGINE_COUNT; i++) {
        const hoist_str key = hoist_str_from(neff_engines[i].key);
        HOIST_EXPECT(t, hoist_str_starts_with(hoist_str_from(neff_engines[i].instr_key),
                                              neff_engines[i].key));
        HOIST_EXPECT_EQ(t, hoist_rec_word_find(&neff_engine_words, key), (int)i);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(words_find_themselves), HOIST_TEST_ROW(dtypes_have_their_codes),
                HOIST_TEST_ROW(codes_outside_have_no_dtype), HOIST_TEST_ROW(generations_by_name),
                HOIST_TEST_ROW(features_by_bit), HOIST_TEST_ROW(unknown_features_have_nothing),
                HOIST_TEST_ROW(engines_have_keys))
