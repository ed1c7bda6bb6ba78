// Headers of .npy arrays: what they say, and where bad ones are wrong. exchange/npy_test.c has the
// table of all clauses.
#include <string.h>

#include "codec/npy_header.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const char *dict;
    unsigned version;
    hoist_status status;
    const char *rule; // NULL: no finding
    uint64_t item_size;
    uint32_t rank;
    bool is_fortran;
} cases[] = {
    {"float32",         "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 1, HOIST_OK, NULL, 4, 2, false},
    {"scalar",          "{'descr': '<f8', 'fortran_order': False, 'shape': ()}\n",       1, HOIST_OK, NULL, 8, 0, false},
    {"bfloat16",        "{'descr': '|V2', 'fortran_order': False, 'shape': (3,)}\n",     1, HOIST_OK, NULL, 2, 1, false},
    {"big, by columns", "{'descr': '>u2', 'fortran_order': True, 'shape': (3, 1)}\n",    1, HOIST_OK, NULL, 2, 2, true },
    {"version 2",       "{'descr': '|u1', 'fortran_order': False, 'shape': (9,)}\n",     2, HOIST_OK, NULL, 1, 1, false},
    {"no digits",       "{'descr': '|O', 'fortran_order': False, 'shape': (9,)}\n",      1, HOIST_OK, NULL, 0, 1, false},
    {"many digits",     "{'descr': '|V99999999999999999999', 'fortran_order': False, 'shape': ()}\n",
                                                                                         1, HOIST_OK, NULL, 0, 0, false},
    {"records",         "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}\n", 1, HOIST_UNSUPPORTED, "NPY-010", 0, 0, false},
    {"no byte order",   "{'descr': 'f4', 'fortran_order': False, 'shape': ()}\n",        1, HOIST_INVALID, "NPY-009", 0, 0, false},
    {"empty descr",     "{'descr': '', 'fortran_order': False, 'shape': ()}\n",          1, HOIST_INVALID, "NPY-009", 0, 0, false},
    {"no shape",        "{'descr': '<f4', 'fortran_order': False}\n",                    1, HOIST_INVALID, "NPY-006", 0, 0, false},
    {"no elements",     "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 10)}\n",  1, HOIST_OK, NULL, 4, 2, false},
    {"zero in front",   "{'descr': '<f4', 'fortran_order': False, 'shape': (07,)}\n",   1, HOIST_INVALID, "NPY-012", 0, 0, false},
    {"no extent",       "{'descr': '<f4', 'fortran_order': False, 'shape': (L,)}\n",    1, HOIST_INVALID, "NPY-012", 0, 0, false},
    {"Python 2's long", "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 2L)}\n", 1, HOIST_OK, NULL, 4, 2, false},
    {"negative extent", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}\n",    1, HOIST_INVALID, "NPY-012", 0, 0, false},
    {"more after the map", "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x\n", 1, HOIST_INVALID, "NPY-005", 0, 0, false},
    {"version 4",       "{}\n",                                                          4, HOIST_UNSUPPORTED, "NPY-002", 0, 0, false},
};
// clang-format on

HOIST_TEST_TABLE(npy_headers, cases)
{
    uint8_t file[256] = {0x93, 'N', 'U', 'M', 'P', 'Y', (uint8_t)row->version, 0};
    const size_t size = strlen(row->dict);
    const size_t start = row->version == 1 ? 10 : 12;
    file[8] = (uint8_t)size;
    memcpy(file + start, row->dict, size);
    hoist_npy_header header;
    const hoist_bytes bytes = hoist_test_exact(t, (hoist_bytes){file, start + size});
    HOIST_EXPECT_EQ(t, hoist_npy_header_read(bytes, 0, t->diag, &header), row->status);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->status == HOIST_OK) {
        HOIST_EXPECT_EQ(t, header.version, row->version);
        HOIST_EXPECT_EQ(t, header.item_size, row->item_size);
        HOIST_EXPECT_EQ(t, header.rank, row->rank);
        HOIST_EXPECT_EQ(t, header.is_fortran, row->is_fortran);
        HOIST_EXPECT_EQ(t, header.data_offset, start + size);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(npy_headers))
