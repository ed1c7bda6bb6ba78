#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "exchange/npy.h"
#include "testing/test.h"

// A file of version `major` with `header`, as it stands, and `data`.
static hoist_bytes make_file(hoist_test *t, unsigned major, const char *header, hoist_bytes data)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    const hoist_str text = hoist_str_from(header);
    const size_t size = text.size;
    const size_t start = major == 1 ? 10 : 12;
    uint8_t *file = hoist_arena_alloc(&t->arena, start + size + data.size);
    memcpy(file, magic, sizeof magic);
    file[6] = (uint8_t)major;
    file[8] = (uint8_t)(size & 0xff);
    file[9] = (uint8_t)(size >> 8);
    memcpy(file + start, text.data, text.size);
    if (data.size) {
        memcpy(file + start + size, data.data, data.size);
    }
    return hoist_test_exact(t, (hoist_bytes){file, start + size + data.size});
}

static const uint8_t counting[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static hoist_bytes first_bytes(size_t size)
{
    return (hoist_bytes){counting, size};
}

// clang-format off
static const struct {
    const char *name;
    unsigned major;
    const char *header;
    size_t data_size;  // bytes 0, 1, 2 ...
    hoist_dtype dtype;
    const char *shape; // extents with a space after each
    const char *data;  // in hexadecimal, as read
    bool is_copy;
} good[] = {
    {"float32", 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }  \n", 8,
     HOIST_DTYPE_F32, "1 2 ", "0001020304050607", false},
    {"version 2", 2, "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }\n", 4,
     HOIST_DTYPE_U16, "2 ", "00010203", false},
    {"version 3", 3, "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }\n", 4,
     HOIST_DTYPE_U16, "2 ", "00010203", false},
    {"scalar", 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n", 8,
     HOIST_DTYPE_F64, "", "0001020304050607", false},
    {"empty", 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }\n", 0,
     HOIST_DTYPE_F64, "3 0 ", "", false},
    {"empty, big-endian, huge", 1, "{'descr': '>f8', 'fortran_order': True, 'shape': (9223372036854775807, 9223372036854775807, 0)}", 0,
     HOIST_DTYPE_F64, "9223372036854775807 9223372036854775807 0 ", "", false},
    {"big-endian u2", 1, "{'descr': '>u2', 'fortran_order': False, 'shape': (3,), }\n", 6,
     HOIST_DTYPE_U16, "3 ", "010003020504", true},
    {"big-endian f8", 1, "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }\n", 8,
     HOIST_DTYPE_F64, "1 ", "0706050403020100", true},
    {"big-endian byte", 1, "{'descr': '>u1', 'fortran_order': False, 'shape': (2,), }\n", 2,
     HOIST_DTYPE_U8, "2 ", "0001", false},
    {"Fortran order", 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 6,
     HOIST_DTYPE_U8, "2 3 ", "000204010305", true},
    {"Fortran order, rank 3", 1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3, 2), }\n", 12,
     HOIST_DTYPE_I8, "2 3 2 ", "00060208040a01070309050b", true},
    {"Fortran order, as many dimensions as may be", 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3), }\n", 6,
     HOIST_DTYPE_U8, "2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 3 ", "000204010305", true},
    {"Fortran order, big-endian", 1, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n", 8,
     HOIST_DTYPE_I16, "2 2 ", "0100050403020706", true},
    {"Fortran order, rank 1", 1, "{'descr': '<i4', 'fortran_order': True, 'shape': (1,), }\n", 4,
     HOIST_DTYPE_I32, "1 ", "00010203", false},
    {"keys in another order", 1, "{'shape':(2,),'fortran_order':False,'descr':'|b1'}", 2,
     HOIST_DTYPE_BOOL, "2 ", "0001", false},
    {"double quotes and spaces", 1, " { \"descr\" : \"<i8\" ,\n\t\"fortran_order\":False,\"shape\":( 1 , ) , } ", 8,
     HOIST_DTYPE_I64, "1 ", "0001020304050607", false},
    {"Python 2 integers", 1, "{'descr': '<u4', 'fortran_order': False, 'shape': (1L, 2L), }", 8,
     HOIST_DTYPE_U32, "1 2 ", "0001020304050607", false},
    {"shape without last comma", 1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1)}", 8,
     HOIST_DTYPE_U64, "1 1 ", "0001020304050607", false},
    {"half", 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }\n", 4,
     HOIST_DTYPE_F16, "2 ", "00010203", false},
};
// clang-format on

static void expect_array(hoist_test *t, const hoist_array *array, const char *shape,
                         const char *data)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_buffer_format(&text, "%lld ", (long long)array->shape[i]);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), shape);
    hoist_buffer_deinit(&text);
    for (size_t i = 0; i < array->data.size; i++) {
        hoist_buffer_format(&text, "%02x", array->data.data[i]);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), data);
    hoist_buffer_deinit(&text);
}

HOIST_TEST_TABLE(reads_arrays, good)
{
    const hoist_bytes file = make_file(t, row->major, row->header, first_bytes(row->data_size));
    hoist_array array;
    const hoist_allocator alloc = hoist_allocator_system();
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, alloc, t->diag, &array), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, array.dtype, row->dtype);
    HOIST_EXPECT_EQ(t, array.owned != NULL, row->is_copy);
    expect_array(t, &array, row->shape, row->data);
    hoist_array_deinit(&array, alloc);
}

// clang-format off
static const struct {
    const char *name;
    hoist_array array;
    bool is_big_endian;
    bool is_fortran;
    hoist_status want;
    const char *dense; // NULL: the data themselves
} stored[] = {
    {"dense", {.dtype = HOIST_DTYPE_U16, .rank = 2, .shape = {2, 2}, .data = {.size = 8}}, false, false, HOIST_OK, NULL},
    {"big-endian", {.dtype = HOIST_DTYPE_U16, .rank = 1, .shape = {2}, .data = {.size = 4}}, true, false, HOIST_OK, "01000302"},
    {"big-endian bytes", {.dtype = HOIST_DTYPE_I8, .rank = 1, .shape = {2}, .data = {.size = 2}}, true, false, HOIST_OK, NULL},
    {"Fortran order", {.dtype = HOIST_DTYPE_BF16, .rank = 2, .shape = {2, 2}, .data = {.size = 8}}, false, true, HOIST_OK, "0001040502030607"},
    {"Fortran order of rank 1", {.dtype = HOIST_DTYPE_U16, .rank = 1, .shape = {2}, .data = {.size = 4}}, false, true, HOIST_OK, NULL},
    {"both", {.dtype = HOIST_DTYPE_U16, .rank = 2, .shape = {2, 2}, .data = {.size = 8}}, true, true, HOIST_OK, "0100050403020706"},
    {"empty", {.dtype = HOIST_DTYPE_U16, .rank = 2, .shape = {0, 2}}, true, true, HOIST_OK, NULL},
    {"too few", {.dtype = HOIST_DTYPE_U16, .rank = 1, .shape = {2}, .data = {.size = 3}}, true, false, HOIST_INVALID, NULL},
    {"too many", {.dtype = HOIST_DTYPE_U16, .rank = 1, .shape = {2}, .data = {.size = 5}}, false, false, HOIST_INVALID, NULL},
    {"too large", {.dtype = HOIST_DTYPE_U16, .rank = 2, .shape = {INT64_MAX, 2}, .data = {.size = 4}}, false, false, HOIST_INVALID, NULL},
    {"rank 33", {.dtype = HOIST_DTYPE_U8, .rank = 33}, false, true, HOIST_INVALID, NULL},
    {"no type", {.rank = 1, .shape = {1}, .data = {.size = 1}}, false, false, HOIST_INVALID, NULL},
    {"block floats", {.dtype = HOIST_DTYPE_TT_BFP8B, .rank = 1, .shape = {16}, .data = {.size = 16}}, false, false, HOIST_INVALID, NULL},
};
// clang-format on

HOIST_TEST_TABLE(takes_elements_as_stored, stored)
{
    hoist_array array = row->array;
    const hoist_allocator alloc = hoist_allocator_system();
    const hoist_bytes bytes = first_bytes(row->array.data.size);
    array.data.data = bytes.data;
    HOIST_EXPECT_EQ(t, hoist_array_from_stored(&array, row->is_big_endian, row->is_fortran, alloc),
                    row->want);
    HOIST_EXPECT_EQ(t, array.owned != NULL, row->dense != NULL);
    HOIST_EXPECT(t, row->dense || array.data.data == bytes.data);
    for (size_t i = 0; row->dense && i < array.data.size; i++) {
        char byte[3];
        (void)snprintf(byte, sizeof(byte), "%02x", array.data.data[i]);
        HOIST_EXPECT(t, memcmp(byte, row->dense + 2 * i, 2) == 0);
    }
    hoist_array_deinit(&array, alloc);
}

HOIST_TEST(the_longest_header_has_room)
{
    hoist_array array = {.dtype = HOIST_DTYPE_U8, .rank = HOIST_ARRAY_MAX_RANK};
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t size = 0;
    for (uint32_t i = 0; i < array.rank; i++) {
        array.shape[i] = INT64_MAX;
    }
    const hoist_allocator alloc = hoist_allocator_system();
    HOIST_EXPECT_EQ(t, hoist_npy_begin(&array, alloc, t->diag, header, &size), HOIST_OK);
    HOIST_EXPECT_EQ(t, size % 64, 0);
    HOIST_EXPECT(t, size > 640 && header[size - 1] == '\n');
    array.dtype = HOIST_DTYPE_BF16;
    HOIST_EXPECT_EQ(t, hoist_npy_begin(&array, alloc, t->diag, header, &size), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, size, 0);
}

static hoist_status turn_starved(hoist_allocator alloc, const void *self)
{
    hoist_array array = *(const hoist_array *)self;
    HOIST_TRY(hoist_array_from_stored(&array, true, false, alloc));
    hoist_array_deinit(&array, alloc);
    return HOIST_OK;
}

HOIST_TEST(turning_survives_failed_allocations)
{
    const hoist_array array = {
        .dtype = HOIST_DTYPE_U16, .rank = 1, .shape = {1}, .data = {(const uint8_t *)"ab", 2}};
    hoist_test_starve(t, turn_starved, &array);
}

#define HEAD "{'descr': '<f4', 'fortran_order': False, "

// clang-format off
#define REST ", 'fortran_order': False, 'shape': ()}"

static const struct {
    const char *name;
    const char *header;
    size_t data_size;
    hoist_status want;
    const char *rule;
    uint64_t offset; // of the finding
} bad[] = {
    {"not ASCII",          "{'d\xc3\xa9': 1}",                   0, HOIST_INVALID, "NPY-004", 13},
    {"empty header",       "",                                   0, HOIST_INVALID, "NPY-005", 10},
    {"no dict",            "[1]",                                0, HOIST_INVALID, "NPY-005", 10},
    {"key without quotes", "{descr: 1}",                         0, HOIST_INVALID, "NPY-005", 11},
    {"key never ends",     "{'descr",                            0, HOIST_INVALID, "NPY-005", 17},
    {"escape in a key",    "{'de\\x73cr': '<f4'}",               0, HOIST_INVALID, "NPY-005", 14},
    {"no colon",           "{'descr' '<f4'}",                    0, HOIST_INVALID, "NPY-005", 19},
    {"no comma",           "{'descr': '<f4' 'shape': ()}",       0, HOIST_INVALID, "NPY-005", 26},
    {"dict never ends",    HEAD "'shape': ()",                   0, HOIST_INVALID, "NPY-005", 62},
    {"text behind",        HEAD "'shape': ()} x",                4, HOIST_INVALID, "NPY-005", 64},
    {"descr is a number",  "{'descr': 4}",                       0, HOIST_INVALID, "NPY-005", 20},
    {"empty dict",         "{}",                                 0, HOIST_INVALID, "NPY-006", 10},
    {"no shape",           HEAD "}",                             4, HOIST_INVALID, "NPY-006", 10},
    {"no descr",           "{'fortran_order': False, 'shape': ()}", 4, HOIST_INVALID, "NPY-006", 10},
    {"unknown key",        HEAD "'shape': (), 'x': 1}",          4, HOIST_INVALID, "NPY-007", 64},
    {"key occurs again",   HEAD "'descr': '<f4'}",               4, HOIST_INVALID, "NPY-008", 51},
    {"empty descr",        "{'descr': ''}",                      0, HOIST_INVALID, "NPY-009", 20},
    {"no byte order",      "{'descr': 'f4'}",                    0, HOIST_INVALID, "NPY-009", 20},
    {"native byte order",  "{'descr': '=f4'}",                   0, HOIST_INVALID, "NPY-009", 20},
    {"order is missing",   "{'descr': '|f4'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"only an order",      "{'descr': '<'" REST, 0, HOIST_INVALID, "NPY-009", 20},
    {"unknown kind",       "{'descr': '<q8'" REST, 0, HOIST_INVALID, "NPY-009", 20},
    {"size is no number",  "{'descr': '<fx'" REST, 0, HOIST_INVALID, "NPY-009", 20},
    {"objects",            "{'descr': '|O'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"record",             "{'descr': [('a', '<f4')]}",          0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"complex",            "{'descr': '<c8'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"text",               "{'descr': '<U5'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"bytes",              "{'descr': '|S5'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"dates",              "{'descr': '<M8[ns]'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"float128",           "{'descr': '<f16'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"void of three",      "{'descr': '|V3'" REST, 0, HOIST_UNSUPPORTED, "NPY-010", 20},
    {"order is a number",  "{'fortran_order': 0}",               0, HOIST_INVALID, "NPY-011", 28},
    {"order in lower case", "{'fortran_order': true}",           0, HOIST_INVALID, "NPY-011", 28},
    {"shape is a number",  "{'shape': 3}",                       0, HOIST_INVALID, "NPY-012", 20},
    {"shape is a list",    "{'shape': [3]}",                     0, HOIST_INVALID, "NPY-012", 20},
    {"tuple without comma", "{'shape': (3)}",                    0, HOIST_INVALID, "NPY-012", 23},
    {"negative extent",    "{'shape': (2, -3)}",                 0, HOIST_INVALID, "NPY-012", 24},
    {"extent with zero",   "{'shape': (03,)}",                   0, HOIST_INVALID, "NPY-012", 21},
    {"extent is a float",  "{'shape': (1.5,)}",                  0, HOIST_INVALID, "NPY-012", 22},
    {"extent is missing",  "{'shape': (,)}",                     0, HOIST_INVALID, "NPY-012", 21},
    {"shape never ends",   "{'shape': (1,",                      0, HOIST_INVALID, "NPY-012", 23},
    {"rank 33", "{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
     0, HOIST_INVALID, "NPY-012", 85},
    {"extent overflows",   "{'shape': (9223372036854775808,)}",  0, HOIST_INVALID, "NPY-013", 21},
    {"product overflows",  HEAD "'shape': (4294967296, 4294967296)}", 4, HOIST_INVALID, "NPY-013", 0},
    {"bytes overflow",     HEAD "'shape': (4611686018427387904,)}",   4, HOIST_INVALID, "NPY-013", 0},
    {"data too short",     HEAD "'shape': (2,)}",               7, HOIST_TRUNCATED, "NPY-014", 65},
    {"no data",            HEAD "'shape': ()}",                  0, HOIST_TRUNCATED, "NPY-014", 63},
    {"huge shape",         HEAD "'shape': (1152921504606846976,)}", 8, HOIST_TRUNCATED, "NPY-014", 83},
};
// clang-format on

static void expect_finding(hoist_test *t, const char *rule, uint64_t offset)
{
    HOIST_EXPECT_RULE(t, rule);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_EQ(t, f->loc.kind, HOIST_LOC_BYTE);
    HOIST_EXPECT_EQ(t, f->loc.offset, offset);
}

HOIST_TEST_TABLE(refuses_malformed_headers, bad)
{
    const hoist_bytes file = make_file(t, 1, row->header, first_bytes(row->data_size));
    hoist_array array;
    hoist_failing counting_alloc;
    const hoist_allocator alloc = hoist_failing_allocator(&counting_alloc, 0);
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, alloc, t->diag, &array), row->want);
    HOIST_EXPECT_EQ(t, counting_alloc.requests, 0);
    HOIST_EXPECT(t, array.rank == 0 && !array.owned && !array.data.data);
    expect_finding(t, row->rule, row->offset);
}

// clang-format off
static const struct {
    const char *name;
    const char *file;
    size_t size;
    hoist_status want;
    const char *rule;
    uint64_t offset;
} starts[] = {
    {"empty file",        "",                        0,  HOIST_INVALID,     "NPY-001", 0},
    {"half a magic",      "\x93NUM",                 4,  HOIST_INVALID,     "NPY-001", 0},
    {"wrong magic",       "\x93NUMPX\x01\0\0\0",     10, HOIST_INVALID,     "NPY-001", 0},
    {"version 0",         "\x93NUMPY\0\0\0\0",       10, HOIST_UNSUPPORTED, "NPY-002", 6},
    {"version 4",         "\x93NUMPY\x04\0\0\0\0\0", 12, HOIST_UNSUPPORTED, "NPY-002", 6},
    {"version 1.1",       "\x93NUMPY\x01\x01\0\0",   10, HOIST_UNSUPPORTED, "NPY-002", 6},
    {"no version",        "\x93NUMPY",               6,  HOIST_TRUNCATED,   "NPY-003", 8},
    {"no length",         "\x93NUMPY\x01\0\0",       9,  HOIST_TRUNCATED,   "NPY-003", 8},
    {"short length",      "\x93NUMPY\x02\0\0\0\0",   11, HOIST_TRUNCATED,   "NPY-003", 8},
    {"header cut off",    "\x93NUMPY\x01\0\x03\0{}", 12, HOIST_TRUNCATED,   "NPY-003", 8},
    {"huge header",       "\x93NUMPY\x03\0\xff\xff\xff\xff{}", 14, HOIST_TRUNCATED, "NPY-003", 8},
    {"version 3, not UTF-8", "\x93NUMPY\x03\0\x02\0\0\0{\xff", 14, HOIST_INVALID, "NPY-004", 13},
    {"version 3, cut UTF-8", "\x93NUMPY\x03\0\x02\0\0\0{\xc3", 14, HOIST_INVALID, "NPY-004", 13},
    {"NUL in the header", "\x93NUMPY\x01\0\x02\0{\0", 12, HOIST_INVALID,    "NPY-005", 11},
};
// clang-format on

HOIST_TEST_TABLE(refuses_malformed_starts, starts)
{
    const hoist_bytes file =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)row->file, row->size});
    hoist_array array;
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, hoist_allocator_system(), t->diag, &array), row->want);
    expect_finding(t, row->rule, row->offset);
}

HOIST_TEST(bit_patterns_suggest_their_tag)
{
    const hoist_bytes file =
        make_file(t, 1, "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}", first_bytes(4));
    hoist_array array;
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, hoist_allocator_system(), t->diag, &array), HOIST_OK);
    HOIST_EXPECT_EQ(t, array.dtype, HOIST_DTYPE_TT_RAW16);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "+0x0: note: the elements are bit patterns of type V2, name their type with "
                     "':bf16' or the like [NPY-017]\n");
}

HOIST_TEST(arrays_follow_one_another)
{
    hoist_buffer both;
    hoist_buffer_init(&both, hoist_allocator_system());
    const char *header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}";
    for (int i = 0; i < 2; i++) {
        hoist_buffer_add(&both, make_file(t, 1, header, (hoist_bytes){counting + i, 3}));
    }
    uint64_t offset = 0;
    for (unsigned i = 0; i < 2; i++) {
        hoist_array array;
        HOIST_EXPECT_EQ(t,
                        hoist_npy_read_next(hoist_buffer_bytes(&both), &offset,
                                            hoist_allocator_system(), t->diag, &array),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, array.data.data[0], i);
    }
    HOIST_EXPECT_EQ(t, offset, both.size);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_array array;
    HOIST_EXPECT_EQ(
        t, hoist_npy_read(hoist_buffer_bytes(&both), hoist_allocator_system(), t->diag, &array),
        HOIST_OK);
    expect_finding(t, "NPY-015", both.size / 2);
    hoist_buffer_deinit(&both);
}

HOIST_TEST(an_offset_beyond_the_file_holds_no_array)
{
    uint64_t offset = UINT64_MAX;
    hoist_array array;
    HOIST_EXPECT_EQ(
        t, hoist_npy_read_next(first_bytes(12), &offset, hoist_allocator_system(), t->diag, &array),
        HOIST_INVALID);
    HOIST_EXPECT_EQ(t, offset == UINT64_MAX, true);
    expect_finding(t, "NPY-001", UINT64_MAX);
}

// clang-format off
// The headers as numpy.save of NumPy 1.24 writes them.
static const struct {
    const char *name;
    hoist_array array;
    const char *dict;
    size_t size; // of everything before the data
} written[] = {
    {"scalar", {.dtype = HOIST_DTYPE_F64},
     "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 128},
    {"vector", {.dtype = HOIST_DTYPE_F32, .rank = 1, .shape = {3}},
     "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 128},
    {"matrix", {.dtype = HOIST_DTYPE_BOOL, .rank = 2, .shape = {0, 128}},
     "{'descr': '|b1', 'fortran_order': False, 'shape': (0, 128), }", 128},
    {"bit patterns", {.dtype = HOIST_DTYPE_TT_RAW16, .rank = 1, .shape = {0}},
     "{'descr': '|V2', 'fortran_order': False, 'shape': (0,), }", 128},
    {"room to grow just fits", {.dtype = HOIST_DTYPE_I8, .rank = 6, .shape = {0, 100, 1000, 10000, 1000000, 12345678901}},
     "{'descr': '|i1', 'fortran_order': False, 'shape': (0, 100, 1000, 10000, 1000000, 12345678901), }", 128},
    {"room to grow needs more", {.dtype = HOIST_DTYPE_I8, .rank = 6, .shape = {0, 100, 1000, 10000, 1000000, 123456789012}},
     "{'descr': '|i1', 'fortran_order': False, 'shape': (0, 100, 1000, 10000, 1000000, 123456789012), }", 192},
};
// clang-format on

HOIST_TEST_TABLE(writes_headers_as_numpy, written)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_npy_header_write(&row->array, t->diag, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size, row->size);
    const hoist_str text = hoist_str_slice(hoist_buffer_text(&out), 10, out.size);
    HOIST_EXPECT(t, hoist_str_starts_with(text, row->dict));
    HOIST_EXPECT_EQ(t, text.data[text.size - 1], '\n');
    for (size_t i = strlen(row->dict); i + 1 < text.size; i++) {
        HOIST_EXPECT_EQ(t, text.data[i], ' ');
    }
    HOIST_EXPECT_EQ(t, out.data[8] + 256 * out.data[9], row->size - 10);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(types_without_a_code_are_refused)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_array array = {.dtype = HOIST_DTYPE_BF16};
    HOIST_EXPECT_EQ(t, hoist_npy_header_write(&array, t->diag, &out), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "NPY-016");
    HOIST_EXPECT_EQ(t, out.size, 0);
}

// Writes `array` to a file and gives its bytes.
static hoist_bytes write_file(hoist_test *t, const hoist_array *array)
{
    char path[] = "/tmp/hoist-npy-XXXXXX";
    HOIST_EXPECT_EQ(t, close(mkstemp(path)), 0);
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, path, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_npy_write(array, hoist_allocator_system(), t->diag, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
    const hoist_bytes file = hoist_test_file(t, path);
    HOIST_EXPECT_EQ(t, unlink(path), 0);
    return file;
}

// Every type, rank and extent comes back as it went.
HOIST_TEST(arrays_survive_the_round_trip)
{
    uint64_t random = 1;
    uint8_t data[8 * 60];
    for (size_t i = 0; i < sizeof(data); i++) {
        data[i] = (uint8_t)hoist_test_random(&random);
    }
    for (int dtype = 0; dtype < HOIST_DTYPE_COUNT; dtype++) {
        hoist_test_row(t, hoist_dtype_get((hoist_dtype)dtype)->name);
        hoist_buffer probe;
        hoist_buffer_init(&probe, hoist_allocator_system());
        hoist_array array = {.dtype = (hoist_dtype)dtype, .rank = 3, .shape = {3, 4, 5}};
        const hoist_status status = hoist_npy_header_write(&array, NULL, &probe);
        hoist_buffer_deinit(&probe);
        if (status != HOIST_OK) {
            continue;
        }
        array.data = (hoist_bytes){data, 60 * hoist_array_element_size(array.dtype)};
        const hoist_bytes file = write_file(t, &array);
        hoist_array got;
        HOIST_EXPECT_EQ(t, hoist_npy_read(file, hoist_allocator_system(), NULL, &got), HOIST_OK);
        HOIST_EXPECT_EQ(t, got.dtype, array.dtype);
        HOIST_EXPECT(t, memcmp(got.shape, array.shape, sizeof(got.shape)) == 0);
        HOIST_EXPECT(t, got.data.size == array.data.size &&
                            memcmp(got.data.data, data, got.data.size) == 0);
    }
}

HOIST_TEST(survives_every_failed_allocation)
{
    const hoist_bytes file = make_file(
        t, 1, "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3)}", first_bytes(12));
    hoist_failing failing;
    hoist_array array;
    hoist_allocator alloc = hoist_failing_allocator(&failing, 1);
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, alloc, t->diag, &array), HOIST_NO_MEMORY);
    HOIST_EXPECT(t, !array.owned);
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, hoist_allocator_system(), t->diag, &array), HOIST_OK);
    for (size_t n = 1; n < 4; n++) {
        hoist_output out;
        hoist_output_init(&out, -1);
        alloc = hoist_failing_allocator(&failing, n);
        const hoist_status status = hoist_npy_write(&array, alloc, NULL, &out);
        HOIST_EXPECT_EQ(t, status, failing.requests < n ? HOIST_OK : HOIST_NO_MEMORY);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    hoist_array_deinit(&array, hoist_allocator_system());
}

// The corpus was not written by NumPy: its tuples have no spaces and always a last comma. So the
// headers differ in that, and nothing else may.
static void rewrite_file(hoist_test *t, const char *path, void *self)
{
    (void)self;
    const hoist_bytes file = hoist_test_file(t, path);
    hoist_array array;
    hoist_array again;
    HOIST_EXPECT_EQ(t, hoist_npy_read(file, hoist_allocator_system(), t->diag, &array), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_buffer copy;
    hoist_buffer_init(&copy, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_npy_header_write(&array, t->diag, &copy), HOIST_OK);
    hoist_buffer_add(&copy, array.data);
    HOIST_EXPECT_EQ(t, copy.size, file.size);
    HOIST_EXPECT(t, copy.size == file.size && memcmp(copy.data, file.data, 58) == 0 &&
                        memcmp(copy.data + 128, file.data + 128, file.size - 128) == 0);
    HOIST_EXPECT_EQ(
        t, hoist_npy_read(hoist_buffer_bytes(&copy), hoist_allocator_system(), t->diag, &again),
        HOIST_OK);
    HOIST_EXPECT(t, again.dtype == array.dtype && again.rank == array.rank &&
                        memcmp(again.shape, array.shape, sizeof(again.shape)) == 0);
    hoist_buffer_deinit(&copy);
}

HOIST_TEST(rewrites_the_corpus)
{
    const char *folder = hoist_test_corpus(t, "buda-golden/formats_and_tms");
    if (!folder) {
        hoist_test_skip(t, "the corpus is absent");
    }
    HOIST_EXPECT(t, hoist_test_each_file(t, folder, ".npy", rewrite_file, NULL) > 0);
}

// NumPy itself as the check, where this machine has it: the system's Python comes first.
HOIST_TEST(numpy_writes_the_same)
{
    static const char script[] =
        "PATH=/usr/bin:$PATH python3 -c \"import sys, numpy; numpy.save(sys.stdout.buffer, "
        "numpy.arange(6, dtype='<i2').reshape(2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))\" 2>/dev/null";
    FILE *pipe = popen(script, "r");
    uint8_t want[1024];
    const size_t size = pipe ? fread(want, 1, sizeof(want), pipe) : 0;
    if (pipe && pclose(pipe) != 0) {
        hoist_test_skip(t, "no NumPy here");
        return;
    }
    const uint8_t data[] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
    const hoist_array array = {.dtype = HOIST_DTYPE_I16,
                               .rank = 12,
                               .shape = {2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                               .data = {data, sizeof(data)}};
    const hoist_bytes got = write_file(t, &array);
    HOIST_EXPECT(t, got.size == size && memcmp(got.data, want, size) == 0);
}

// Elements of every kind as float32; bit patterns have no value.
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint8_t bytes[8];
    hoist_status status;
    float wanted;
} elements[] = {
    {"float64 is rounded", HOIST_DTYPE_F64, {1, 0, 0, 0, 0, 0, 0xf0, 0x3f}, HOIST_OK, 1},
    {"float32", HOIST_DTYPE_F32, {0, 0, 0xc0, 0xbf}, HOIST_OK, -1.5f},
    {"float16", HOIST_DTYPE_F16, {0, 0x3e}, HOIST_OK, 1.5f},
    {"bfloat16", HOIST_DTYPE_BF16, {0xc0, 0x3f}, HOIST_OK, 1.5f},
    {"a negative byte", HOIST_DTYPE_I8, {0xff}, HOIST_OK, -1},
    {"a byte", HOIST_DTYPE_U8, {0xff}, HOIST_OK, 255},
    {"a large integer", HOIST_DTYPE_U64, {0, 0, 0, 0, 0, 0, 0, 0x80}, HOIST_OK, 0x1p63f},
    {"true", HOIST_DTYPE_BOOL, {1}, HOIST_OK, 1},
    {"bits", HOIST_DTYPE_TT_RAW16, {1, 2}, HOIST_UNSUPPORTED, 7},
};

HOIST_TEST_TABLE(elements_become_floats, elements)
{
    const hoist_array array = {.dtype = row->dtype,
                               .data = {row->bytes, hoist_array_element_size(row->dtype)}};
    float value = 7;
    HOIST_EXPECT_EQ(t, hoist_array_floats(&array, &value), row->status);
    HOIST_EXPECT(t, value == row->wanted);
}

HOIST_TEST(arrays_are_saved_to_files)
{
    static const uint8_t data[4] = {1, 2, 3, 4};
    hoist_array array = {.dtype = HOIST_DTYPE_U8, .rank = 2, .shape = {2, 2}, .data = {data, 4}};
    const hoist_allocator alloc = hoist_allocator_system();
    char folder[] = "/tmp/hoist-npy-XXXXXX";
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    char path[64];
    (void)snprintf(path, sizeof(path), "%s/a.npy", folder);
    HOIST_EXPECT_EQ(t, hoist_npy_save(&array, path, alloc, t->diag), HOIST_OK);
    uint8_t file[256];
    FILE *stream = fopen(path, "rb");
    const size_t size = stream ? fread(file, 1, sizeof(file), stream) : 0;
    HOIST_EXPECT(t, stream && fclose(stream) == 0);
    hoist_array again;
    HOIST_EXPECT_EQ(t, hoist_npy_read((hoist_bytes){file, size}, alloc, t->diag, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again.rank, 2);
    HOIST_EXPECT(t, again.data.size == 4 && memcmp(again.data.data, data, 4) == 0);
    hoist_array_deinit(&again, alloc);
    array.dtype = HOIST_DTYPE_BF16; // refused before the file is touched
    array.shape[1] = 1;
    HOIST_EXPECT_EQ(t, hoist_npy_save(&array, path, alloc, t->diag), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "NPY-016");
    HOIST_EXPECT_EQ(t, hoist_test_file(t, path).size, size);
    HOIST_EXPECT(t, unlink(path) == 0 && rmdir(folder) == 0);
    array.dtype = HOIST_DTYPE_U16;
    HOIST_EXPECT_EQ(t, hoist_npy_save(&array, path, alloc, NULL), HOIST_NOT_FOUND);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads_arrays), HOIST_TEST_ROW(takes_elements_as_stored),
                HOIST_TEST_ROW(the_longest_header_has_room),
                HOIST_TEST_ROW(turning_survives_failed_allocations),
                HOIST_TEST_ROW(refuses_malformed_headers), HOIST_TEST_ROW(refuses_malformed_starts),
                HOIST_TEST_ROW(bit_patterns_suggest_their_tag),
                HOIST_TEST_ROW(arrays_follow_one_another),
                HOIST_TEST_ROW(an_offset_beyond_the_file_holds_no_array),
                HOIST_TEST_ROW(writes_headers_as_numpy),
                HOIST_TEST_ROW(types_without_a_code_are_refused),
                HOIST_TEST_ROW(arrays_survive_the_round_trip),
                HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(rewrites_the_corpus), HOIST_TEST_ROW(numpy_writes_the_same),
                HOIST_TEST_ROW(elements_become_floats), HOIST_TEST_ROW(arrays_are_saved_to_files))
