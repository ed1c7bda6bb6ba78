// Rule 31 with .npy arrays: what the members of `file` variables hold.
#include <string.h>

#include "formats/neff/constant.h"
#include "formats/neff/neff_testing.h"

#define DEF "sg00/def.json"
#define OUT "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"
#define DICT(descr, order, shape)                                                                  \
    "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }\n"

// clang-format off
static const struct {
    const char *name;
    unsigned version;
    const char *dict;
    size_t data;      // bytes after the header
    const char *size; // of the variable
    const char *rule; // NULL: no finding
    const char *key;  // at whose value it is
    const char *says;
} cases[] = {
    {"float32",        1, DICT("<f4", "False", "(2, 3)"), 24, "24", NULL, NULL, NULL},
    {"bfloat16",       1, DICT("|V2", "False", "(5,)"),   10, "10", NULL, NULL, NULL},
    {"scalar",         1, DICT("<i8", "False", "()"),     8,  "8",  NULL, NULL, NULL},
    {"nothing",        1, DICT("<i8", "False", "(0, 9)"), 0,  "0",  NULL, NULL, NULL},
    {"bytes, big",     1, DICT(">V2", "False", "(2,)"),   4,  "4",  NULL, NULL, NULL},
    {"one column",     1, DICT("<f4", "True", "(1, 3)"),  12, "12", NULL, NULL, NULL},
    {"size too large", 1, DICT("<f4", "False", "(2, 3)"), 24, "28", "NEFF-031a", "size", "'size' is 28, 'w.npy' has 24 bytes"},
    {"size too small", 1, DICT("<f4", "False", "(2, 3)"), 24, "20", "NEFF-031a", "size", "'size' is 20"},
    {"size of a raw file", 1, DICT("<f4", "False", "(2, 3)"), 24, "92", "NEFF-031a", "size", "'size' is 92"},
    {"cut off",        1, DICT("<f4", "False", "(2, 3)"), 23, "24", "NEFF-031a", "file_name", "'w.npy' is cut off: 23 bytes of its array's 24"},
    {"overflow",       1, DICT("<f4", "False", "(4294967296, 4294967296)"), 4, "4", "NEFF-031a", "file_name", "does not fit 63 bits"},
    {"records",        1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}\n", 4, "4", "NEFF-031a", "file_name", "no .npy array: descr '[...]' means records"},
    {"no size of an element", 1, DICT("|O", "False", "(2,)"), 8, "8", "NEFF-031a", "file_name", "descr '|O' has no size"},
    {"no dict",        1, "nothing\n",                    8,  "8",  "NEFF-031a", "file_name", "is no .npy array"},
    {"version 9",      9, DICT("<f4", "False", "(1,)"),   4,  "4",  "NEFF-031a", "file_name", "version 9.0 is not known"},
    {"big-endian",     1, DICT(">f4", "False", "(1,)"),   4,  "4",  "NEFF-031b", "file_name", "'w.npy' is big-endian ('>f4')"},
    {"one byte, big",  1, DICT("|u1", "False", "(4,)"),   4,  "4",  NULL, NULL, NULL},
    {"Fortran order",  1, DICT("<f4", "True", "(2, 3)"),  24, "24", "NEFF-031b", "file_name", "'w.npy' is in Fortran order"},
    {"version 2",      2, DICT("<f4", "False", "(1,)"),   4,  "4",  "NEFF-031b", "file_name", "version 2 of the .npy format, expected 1"},
    {"version 3",      3, DICT("<f4", "False", "(1,)"),   4,  "4",  "NEFF-031b", "file_name", "version 3"},
};
// clang-format on

// A member of magic, version, header and `data` bytes.
static hoist_str array_of(hoist_test *t, unsigned version, const char *dict, size_t data)
{
    const hoist_str magic = HOIST_STR("\x93NUMPY");
    const hoist_str text = hoist_str_from(dict);
    const size_t start = version == 1 ? 10 : 12;
    char *const file = hoist_arena_alloc(&t->arena, start + text.size + data);
    memcpy(file, magic.data, magic.size);
    file[6] = (char)version;
    file[8] = (char)text.size;
    memcpy(file + start, text.data, text.size);
    return (hoist_str){file, start + text.size + data};
}

HOIST_TEST_TABLE(arrays_of_files, cases)
{
    neff_texts neff;
    const hoist_str var = hoist_arena_format(
        &t->arena,
        OUT ", \"x\": {\"var_id\": 2, \"type\": \"file\", \"size\": %s, \"file_name\": "
            "\"w.npy\"}, \"y\": {\"var_id\": 3, \"type\": \"tmp-buf\", \"size\": 1}",
        row->size);
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, DEF, OUT, var.data);
    neff_test_put(t, &neff, "sg00/w.npy", array_of(t, row->version, row->dict, row->data));
    neff_module *const module = neff_test_read(t, &neff);
    neff_test_check(t, module, NULL, neff_check_def);
    HOIST_EXPECT_EQ(t, module->members[module->subgraphs[0].vars[2].member].role,
                    NEFF_ROLE_CONSTANT);
    neff_test_destroy(module);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->rule ? 1 : 0);
    if (row->rule) {
        const hoist_str at = hoist_str_equal_c(hoist_str_from(row->key), "size")
                                 ? hoist_arena_format(&t->arena, "\"size\": ^%s,", row->size)
                                 : HOIST_STR("^\"w.npy\"");
        neff_test_expect(t, &neff, row->rule, DEF, at.data, row->says);
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "var/x");
    }
}

HOIST_TEST(constants_give_their_elements)
{
    neff_texts neff;
    neff_constant constant;
    neff_test_base(t, NEFF_TEST_COPY, NULL, &neff);
    neff_test_put(t, &neff, "w.npy", array_of(t, 1, DICT("<f4", "False", "(2,)"), 9));
    neff_test_put(t, &neff, "w.bin", HOIST_STR("abc"));
    neff_module *const module = neff_test_read(t, &neff);
    const uint32_t npy = neff_member_find(module, HOIST_STR("w.npy"));
    const uint32_t raw = neff_member_find(module, HOIST_STR("w.bin"));
    HOIST_EXPECT_EQ(t, neff_constant_read(module, npy, &t->arena, &constant), HOIST_OK);
    HOIST_EXPECT_EQ(t, constant.is_npy, true);
    HOIST_EXPECT_EQ(t, constant.size, 8);
    HOIST_EXPECT_EQ(t, constant.data.size, 8);
    HOIST_EXPECT(t, constant.data.data ==
                        module->members[npy].bytes.data + constant.header.data_offset);
    HOIST_EXPECT_EQ(t, neff_constant_read(module, raw, &t->arena, &constant), HOIST_OK);
    HOIST_EXPECT_EQ(t, constant.is_npy, false);
    HOIST_EXPECT_EQ(t, constant.data.size, 3);
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(arrays_of_files), HOIST_TEST_ROW(constants_give_their_elements))
