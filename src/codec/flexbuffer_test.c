// Reading: every type and width, every rule with the byte of its finding, and hostile shapes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "codec/flexbuffer.h"
#include "codec/flexbuffer_testing.h"
#include "testing/test.h"
#include "testing/trace.h"

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (const uint8_t *)(literal), sizeof(literal) - 1                                            \
    }

// What the buffer shows, in the test's arena.
static hoist_str shown(hoist_test *t, hoist_flex *in, hoist_status *status)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    hoist_flex_value root;
    *status = hoist_flex_root(in, &root);
    if (*status == HOIST_OK) {
        *status = hoist_flex_visit(&root, "", &sink);
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

// clang-format off
static const struct {
    const char *name;
    hoist_bytes bytes;
    const char *shown;
} cases[] = {
    {"null", BYTES("\x00\x00\x01"), "null\n"},
    {"bool", BYTES("\x01\x68\x01"), "true\n"},
    {"bool of two bytes", BYTES("\x00\x01\x69\x02"), "true\n"},
    {"false", BYTES("\x00\x68\x01"), "false\n"},
    {"int", BYTES("\xff\x04\x01"), "int -1\n"},
    {"int of two bytes", BYTES("\x34\x12\x05\x02"), "int 4660\n"},
    {"int of four bytes", BYTES("\x00\x00\x00\x80\x06\x04"), "int -2147483648\n"},
    {"int of eight bytes", BYTES("\x00\x00\x00\x00\x00\x00\x00\x80\x07\x08"),
     "int -9223372036854775808\n"},
    {"uint", BYTES("\xff\x08\x01"), "uint 255\n"},
    {"uint of eight bytes", BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x0b\x08"),
     "uint 18446744073709551615\n"},
    {"half", BYTES("\x00\xc0\x0d\x02"), "float -2\n"},
    {"half, smallest", BYTES("\x01\x00\x0d\x02"), "float 5.9604644775390625e-08\n"},
    {"half, largest", BYTES("\xff\x7b\x0d\x02"), "float 65504\n"},
    {"half, infinite", BYTES("\x00\x7c\x0d\x02"), "float inf\n"},
    {"float", BYTES("\x00\x00\xc0\x3f\x0e\x04"), "float 1.5\n"},
    {"double", BYTES("\x9a\x99\x99\x99\x99\x99\xb9\x3f\x0f\x08"), "float 0.10000000000000001\n"},
    {"indirect int", BYTES("\xfe\xff\x02\x19\x01"), "int -2\n"},
    {"indirect uint", BYTES("\xfe\xff\x02\x1d\x01"), "uint 65534\n"},
    {"indirect float", BYTES("\x00\x00\x80\x3f\x04\x22\x01"), "float 1\n"},
    {"key", BYTES("ab\x00\x03\x10\x01"), "str 2 ab\n"},
    {"string", BYTES("\x02""ab\x00\x03\x14\x01"), "str 2 ab\n"},
    {"empty string", BYTES("\x00\x00\x01\x14\x01"), "str 0 \n"},
    {"string with a wide length", BYTES("\x02\x00""ab\x00\x03\x15\x01"), "str 2 ab\n"},
    {"string with a NUL", BYTES("\x01\x00\x00\x02\x14\x01"),
     "map\nbytes: uint 1\nsha256: str 64 "
     "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d\nend\n"},
    {"string that is no UTF-8", BYTES("\x01\xff\x00\x02\x14\x01"),
     "map\nbytes: uint 1\nsha256: str 64 "
     "a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89\nend\n"},
    {"blob", BYTES("\x01""a\x01\x64\x01"),
     "map\nbytes: uint 1\nsha256: str 64 "
     "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\nend\n"},
    {"vector", BYTES("\x02\x01\x02\x04\x08\x04\x28\x01"), "list\nint 1\nuint 2\nend\n"},
    {"empty vector", BYTES("\x00\x00\x28\x01"), "list\nend\n"},
    {"vector of int", BYTES("\x02\x01\xff\x02\x2c\x01"), "list\nint 1\nint -1\nend\n"},
    {"vector of uint", BYTES("\x02\x01\xff\x02\x30\x01"), "list\nuint 1\nuint 255\nend\n"},
    {"vector of float", BYTES("\x01\x00\x00\x3c\x02\x35\x01"), "list\nfloat 1\nend\n"},
    {"empty vector of float", BYTES("\x00\x00\x34\x01"), "list\nend\n"},
    {"vector of bool", BYTES("\x02\x01\x00\x02\x90\x01"), "list\ntrue\nfalse\nend\n"},
    {"vector of key", BYTES("a\x00\x01\x03\x01\x38\x01"), "list\nstr 1 a\nend\n"},
    {"vector of string", BYTES("\x01""a\x00\x01\x03\x01\x3c\x01"), "list\nstr 1 a\nend\n"},
    {"2 int", BYTES("\x01\xff\x02\x40\x01"), "list\nint 1\nint -1\nend\n"},
    {"2 uint", BYTES("\x01\xff\x02\x44\x01"), "list\nuint 1\nuint 255\nend\n"},
    {"2 float", BYTES("\x00\x3c\x00\x40\x04\x49\x01"), "list\nfloat 1\nfloat 2\nend\n"},
    {"3 int", BYTES("\x01\x02\x03\x03\x4c\x01"), "list\nint 1\nint 2\nint 3\nend\n"},
    {"3 uint", BYTES("\x01\x02\x03\x03\x50\x01"), "list\nuint 1\nuint 2\nuint 3\nend\n"},
    {"3 float", BYTES("\x00\x3c\x00\x3c\x00\x3c\x06\x55\x01"),
     "list\nfloat 1\nfloat 1\nfloat 1\nend\n"},
    {"4 int", BYTES("\x01\x02\x03\x04\x04\x58\x01"), "list\nint 1\nint 2\nint 3\nint 4\nend\n"},
    {"4 uint", BYTES("\x01\x02\x03\x04\x04\x5c\x01"),
     "list\nuint 1\nuint 2\nuint 3\nuint 4\nend\n"},
    {"4 float", BYTES("\x00\x3c\x00\x3c\x00\x3c\x00\x3c\x08\x61\x01"),
     "list\nfloat 1\nfloat 1\nfloat 1\nfloat 1\nend\n"},
    {"map", BYTES("a\x00\x01\x03\x01\x01\x01\x07\x04\x02\x24\x01"), "map\na: int 7\nend\n"},
    {"empty map", BYTES("\x00\x00\x01\x00\x00\x24\x01"), "map\nend\n"},
    {"map with wide keys", BYTES("a\x00\x01\x00\x04\x00\x02\x02\x01\x07\x04\x02\x24\x01"),
     "map\na: int 7\nend\n"},
};
// clang-format on

HOIST_TEST_TABLE(values_are_read, cases)
{
    hoist_flex in = {.bytes = hoist_test_exact(t, row->bytes), .diag = t->diag};
    hoist_flex_value root;
    hoist_status status = HOIST_OK;
    HOIST_EXPECT_STR(t, shown(t, &in, &status), row->shown);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_check(&root), HOIST_OK);
    HOIST_EXPECT_EQ(t, in.faults, 0);
    HOIST_EXPECT_RULE(t, NULL);
}

// Every type goes through the writer and is the same value then.
HOIST_TEST_TABLE(values_are_copied, cases)
{
    hoist_flex in = {.bytes = row->bytes, .diag = t->diag};
    hoist_flex_value root;
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_status status = HOIST_OK;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    hoist_flex_put_value(&w, &root);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    hoist_flex again = {.bytes = hoist_test_exact(t, hoist_buffer_bytes(&out)), .diag = t->diag};
    HOIST_EXPECT_STR(t, shown(t, &again, &status), row->shown);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_EQ(t, again.faults, 0);
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    hoist_bytes bytes;
    const char *rule;
    uint64_t at;
} broken[] = {
    {"nothing", {NULL, 0}, "FX-001", 0},
    {"two bytes", BYTES("\x04\x01"), "FX-001", 0},
    {"root does not fit", BYTES("\x00\x00\x00\x06\x04"), "FX-001", 0},
    {"root of no bytes", BYTES("\x00\x04\x00"), "FX-002", 2},
    {"root of three bytes", BYTES("\x00\x00\x00\x04\x03"), "FX-002", 4},
    {"keys of three bytes", BYTES("a\x00\x01\x03\x01\x03\x01\x07\x04\x02\x24\x01"), "FX-002", 5},
    {"type 27", BYTES("\x00\x6c\x01"), "FX-003", 1},
    {"type 37", BYTES("\x00\x94\x01"), "FX-003", 1},
    {"type of an item", BYTES("\x02\x01\x02\x04\xff\x04\x28\x01"), "FX-003", 4},
    {"offset of the root", BYTES("a\x00\x03\x10\x01"), "FX-004", 2},
    {"offset of an item", BYTES("\x01\x02\x10\x02\x28\x01"), "FX-004", 1},
    {"offset of a key", BYTES("a\x00\x01\x04\x01\x01\x01\x07\x04\x02\x24\x01"), "FX-004", 3},
    {"offset of keys", BYTES("a\x00\x01\x03\x05\x01\x01\x07\x04\x02\x24\x01"), "FX-004", 4},
    {"string too long", BYTES("\x09""ab\x00\x03\x14\x01"), "FX-005", 1},
    {"string without a length", BYTES("\x00\x01\x15\x01"), "FX-005", 0},
    {"blob too long", BYTES("\x05""a\x01\x64\x01"), "FX-005", 1},
    {"blob of all there is", BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x00\x67\x01"), "FX-005", 8},
    {"vector too long", BYTES("\x09\x01\x02\x04\x08\x04\x28\x01"), "FX-005", 1},
    {"vector without a length", BYTES("\x00\x28\x01"), "FX-005", 0},
    {"vector whose size wraps",
     BYTES("\x00\x00\x00\x00\x00\x00\x00\x20\x00\x2f\x01"), "FX-005", 8},
    {"vector of int too long", BYTES("\x06\x01\xff\x02\x2c\x01"), "FX-005", 1},
    {"indirect beyond the end", BYTES("\x00\x1b\x01"), "FX-005", 0},
    {"fixed beyond the end", BYTES("\x00\x5a\x01"), "FX-005", 0},
    {"map without keys", BYTES("\x00\x00\x24\x01"), "FX-005", 1},
    {"map too long", BYTES("a\x00\x01\x03\x01\x01\x09\x07\x04\x02\x24\x01"), "FX-005", 7},
    {"keys without a length", BYTES("\x00\x01\x00\x00\x24\x01"), "FX-005", 0},
    {"keys too long",
     BYTES("\x02\x00\x00\x00\x00\x00\x00\x00\x00\x08\x02\x07\x08\x04\x04\x04\x24\x01"),
     "FX-005", 8},
    {"string without NUL", BYTES("\x02""abc\x03\x14\x01"), "FX-006", 3},
    {"string up to the end", BYTES("\x03\x00\x14\x01"), "FX-006", 4},
    {"key without NUL", BYTES("a\x01\x10\x01"), "FX-007", 0},
    {"more keys", BYTES("a\x00\x02\x03\x01\x01\x01\x07\x04\x02\x24\x01"), "FX-008", 2},
    {"keys out of order",
     BYTES("b\x00""a\x00\x02\x05\x04\x02\x01\x02\x07\x08\x04\x04\x04\x24\x01"), "FX-009", 2},
    {"a key twice", BYTES("a\x00\x02\x03\x04\x02\x01\x02\x07\x08\x04\x04\x04\x24\x01"),
     "FX-009", 0},
    {"float of one byte", BYTES("\x01\x0c\x01"), "FX-010", 0},
    {"indirect float of one byte", BYTES("\x01\x01\x20\x01"), "FX-010", 0},
    {"floats of one byte", BYTES("\x01\x01\x01\x34\x01"), "FX-010", 1},
    {"2 floats of one byte", BYTES("\x01\x01\x02\x48\x01"), "FX-010", 0},
};
// clang-format on

HOIST_TEST_TABLE(broken_rules_are_found, broken)
{
    hoist_flex in = {
        .bytes = hoist_test_exact(t, row->bytes), .base_offset = 1000, .diag = t->diag};
    hoist_flex_value root;
    hoist_status status = hoist_flex_root(&in, &root);
    HOIST_EXPECT(t, status == HOIST_OK ? root.in != NULL : root.in == NULL);
    if (status == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_flex_check(&root), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, in.faults, 1);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.offset, 1000 + row->at);
}

HOIST_TEST(what_is_broken_is_shown_as_null)
{
    hoist_flex in = {.bytes = BYTES("\x02\x01\x02\x04\xff\x04\x28\x01")};
    hoist_status status = HOIST_INTERNAL;
    HOIST_EXPECT_STR(t, shown(t, &in, &status), "list\nint 1\nnull\nend\n");
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_EQ(t, in.faults, 1);
}

HOIST_TEST(no_value_is_shown_as_null)
{
    const hoist_flex_value none = {0};
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, hoist_flex_check(&none), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_visit(&none, "key", &sink), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), "key: null\n");
    hoist_buffer_deinit(&text);
}

HOIST_TEST(a_place_beyond_64_bits_is_the_last)
{
    hoist_flex in = {.bytes = BYTES("\x00\x6c\x01"), .base_offset = UINT64_MAX, .diag = t->diag};
    hoist_flex_value root;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_INVALID);
    HOIST_EXPECT(t, hoist_diag_at(t->diag, 0)->loc.offset == UINT64_MAX);
}

// A buffer of members "key%03zu": number, for lookups.
static void write_members(hoist_test *t, size_t count, hoist_buffer *out)
{
    hoist_flex_writer w;
    hoist_flex_writer_init(&w, out);
    const size_t map = hoist_flex_open(&w);
    for (size_t i = 0; i < count; i++) {
        hoist_flex_put_key(&w, hoist_arena_format(&t->arena, "key%03zu", i));
        hoist_flex_put_uint(&w, i);
    }
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
}

HOIST_TEST(members_are_found)
{
    for (size_t count = 0; count < 20; count++) {
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        write_members(t, count, &out);
        hoist_flex in = {.bytes = hoist_buffer_bytes(&out), .diag = t->diag};
        hoist_flex_value root;
        hoist_flex_value member;
        HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
        for (size_t i = 0; i < count; i++) {
            const hoist_str key = hoist_arena_format(&t->arena, "key%03zu", i);
            uint64_t number = 0;
            HOIST_EXPECT_EQ(t, hoist_flex_find(&root, key.data, &member), HOIST_OK);
            HOIST_EXPECT(t, hoist_flex_u64(&member, &number) && number == i);
        }
        static const char *const absent[] = {"", "key", "key0001", "key999", "z"};
        for (size_t i = 0; i < HOIST_COUNT_OF(absent); i++) {
            HOIST_EXPECT_EQ(t, hoist_flex_find(&root, absent[i], &member), HOIST_NOT_FOUND);
            HOIST_EXPECT(t, member.in == NULL);
        }
        hoist_buffer_deinit(&out);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(members_of_what_is_no_map_are_not_found)
{
    hoist_flex in = {.bytes = BYTES("\x02\x01\xff\x02\x2c\x01")};
    hoist_flex_value root;
    hoist_flex_value member;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_find(&root, "1", &member), HOIST_NOT_FOUND);
}

HOIST_TEST(numbers_fit_or_are_refused)
{
    int64_t i = 0;
    uint64_t u = 0;
    double f = 0;
    bool truth = true;
    hoist_flex_value v;
    hoist_flex big = {.bytes = BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\x0b\x08")};
    HOIST_EXPECT_EQ(t, hoist_flex_root(&big, &v), HOIST_OK);
    HOIST_EXPECT(t, !hoist_flex_i64(&v, &i) && i == 0);
    HOIST_EXPECT(t, hoist_flex_u64(&v, &u) && u == UINT64_MAX);
    HOIST_EXPECT(t, !hoist_flex_bool(&v, &truth) && !truth);
    hoist_flex small = {.bytes = BYTES("\xff\x04\x01")};
    HOIST_EXPECT_EQ(t, hoist_flex_root(&small, &v), HOIST_OK);
    HOIST_EXPECT(t, hoist_flex_i64(&v, &i) && i == -1);
    HOIST_EXPECT(t, !hoist_flex_u64(&v, &u) && u == 0);
    HOIST_EXPECT(t, !hoist_flex_f64(&v, &f) && f == 0);
    HOIST_EXPECT(t, hoist_flex_bytes(&v).data == NULL);
    hoist_flex nan = {.bytes = BYTES("\x01\x7c\x0d\x02")};
    HOIST_EXPECT_EQ(t, hoist_flex_root(&nan, &v), HOIST_OK);
    HOIST_EXPECT(t, hoist_flex_f64(&v, &f) && isnan(f));
    // What is no integer leaves nothing of what was there.
    i = -7;
    u = 7;
    truth = true;
    HOIST_EXPECT(t, !hoist_flex_i64(&v, &i) && i == 0);
    HOIST_EXPECT(t, !hoist_flex_u64(&v, &u) && u == 0);
    HOIST_EXPECT(t, !hoist_flex_bool(&v, &truth) && !truth);
}

HOIST_TEST(types_have_names)
{
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_flex_type_name(HOIST_FLEX_VECTOR_BOOL)),
                     "vector of bool");
    size_t named = 0;
    for (unsigned i = 0; i < 64; i++) {
        named += hoist_flex_type_name(i) != NULL;
    }
    HOIST_EXPECT_EQ(t, named, 28);
}

// `depth` vectors, each the only item of the one around it.
static hoist_status check_nested(hoist_test *t, size_t depth)
{
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    for (size_t i = 0; i < depth; i++) {
        hoist_flex_close(&w, 0, HOIST_FLEX_VECTOR);
    }
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    hoist_flex in = {.bytes = hoist_buffer_bytes(&out), .diag = t->diag};
    hoist_flex_value root;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    const hoist_status status = hoist_flex_check(&root);
    hoist_flex_writer_init(&w, &out);
    hoist_flex_put_value(&w, &root);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), status);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(nesting_has_a_cap)
{
    HOIST_EXPECT_EQ(t, check_nested(t, HOIST_FLEX_MAX_DEPTH), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, check_nested(t, HOIST_FLEX_MAX_DEPTH + 1), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "FX-011");
}

// Vectors of two items, both of which are the vector before: 2^40 values in 200 bytes.
HOIST_TEST(few_bytes_do_not_stand_for_many_values)
{
    uint8_t bytes[5 * 41 + 3] = {2};
    for (size_t level = 1; level <= 40; level++) {
        const uint8_t vector[5] = {2, 5, 6, 0x28, 0x28};
        memcpy(bytes + 5 * level, vector, sizeof(vector));
    }
    const uint8_t tail[3] = {4, 0x28, 1};
    memcpy(bytes + (size_t)5 * 41, tail, sizeof(tail));
    hoist_flex in = {.bytes = {bytes, sizeof(bytes)}, .diag = t->diag};
    hoist_flex_value root;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_check(&root), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "FX-012");
    hoist_status status = HOIST_OK;
    const hoist_str text = shown(t, &in, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_LIMIT);
    HOIST_EXPECT(t, hoist_str_ends_with(text, "end\nend\nend\n")); // what was opened is closed
}

// A vector whose items all lead to one text: it is checked, since the length is enough, and not
// shown.
HOIST_TEST(one_text_does_not_stand_for_many)
{
    enum { TEXT = 200, ITEMS = 50 };
    uint8_t bytes[1 + TEXT + 1 + 1 + 2 * ITEMS + 3] = {TEXT};
    const size_t items = 1 + TEXT + 1 + 1;
    memset(bytes + 1, 'x', TEXT);
    bytes[items - 1] = ITEMS;
    for (size_t i = 0; i < ITEMS; i++) {
        bytes[items + i] = (uint8_t)(items + i - 1);
        bytes[items + ITEMS + i] = HOIST_FLEX_STRING << 2;
    }
    const uint8_t tail[3] = {2 * ITEMS, HOIST_FLEX_VECTOR << 2, 1};
    memcpy(bytes + items + (size_t)2 * ITEMS, tail, sizeof(tail));
    hoist_flex in = {.bytes = {bytes, sizeof(bytes)}, .diag = t->diag};
    hoist_flex_value root;
    hoist_status status = HOIST_OK;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_check(&root), HOIST_OK);
    HOIST_EXPECT_EQ(t, root.count, ITEMS);
    HOIST_EXPECT_RULE(t, NULL);
    (void)shown(t, &in, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "FX-012");
}

// A document with most shapes, to be damaged.
static void write_sample(hoist_buffer *out)
{
    hoist_flex_writer w;
    hoist_flex_writer_init(&w, out);
    const size_t map = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("number"));
    hoist_flex_put_int(&w, -300);
    hoist_flex_put_key(&w, HOIST_STR("text"));
    hoist_flex_put_string(&w, (hoist_bytes)BYTES("hello"));
    hoist_flex_put_key(&w, HOIST_STR("list"));
    const size_t list = hoist_flex_open(&w);
    hoist_flex_put_blob(&w, (hoist_bytes)BYTES("\x01\x02"));
    hoist_flex_put_float(&w, 0.1);
    const size_t typed = hoist_flex_open(&w);
    hoist_flex_put_float(&w, 1);
    hoist_flex_put_float(&w, 2);
    hoist_flex_close(&w, typed, HOIST_FLEX_VECTOR_FLOAT2);
    hoist_flex_close(&w, list, HOIST_FLEX_VECTOR);
    hoist_flex_put_key(&w, HOIST_STR("map"));
    const size_t inner = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("text"));
    hoist_flex_put_null(&w);
    hoist_flex_close(&w, inner, HOIST_FLEX_MAP);
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    if (hoist_flex_finish(&w) != HOIST_OK) {
        abort();
    }
}

// Whatever the bytes are, looking at them ends, and shows what was found to be wrong.
static void expect_harmless(hoist_test *t, hoist_bytes bytes)
{
    hoist_flex in = {.bytes = bytes};
    hoist_flex_value root;
    hoist_flex_value member;
    if (hoist_flex_root(&in, &root) == HOIST_OK) {
        const hoist_status status = hoist_flex_check(&root);
        HOIST_EXPECT(t, status == HOIST_OK || status == HOIST_LIMIT);
        const hoist_status found = hoist_flex_find(&root, "text", &member);
        HOIST_EXPECT(t, (found == HOIST_OK) == (member.in != NULL));
    } else {
        HOIST_EXPECT_EQ(t, in.faults, 1);
    }
    hoist_status status = HOIST_OK;
    (void)shown(t, &in, &status);
}

HOIST_TEST(damage_does_no_harm)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    write_sample(&out);
    for (size_t size = 0; size < out.size; size++) {
        expect_harmless(t, hoist_test_exact(t, (hoist_bytes){out.data, size}));
        expect_harmless(t, hoist_test_exact(t, (hoist_bytes){out.data + size, out.size - size}));
    }
    static const uint8_t values[] = {0, 1, 2, 3, 0x24, 0x28, 0x7f, 0x80, 0xfe, 0xff};
    for (size_t i = 0; i < out.size * HOIST_COUNT_OF(values); i++) {
        const uint8_t before = out.data[i / HOIST_COUNT_OF(values)];
        out.data[i / HOIST_COUNT_OF(values)] = values[i % HOIST_COUNT_OF(values)];
        expect_harmless(t, hoist_test_exact(t, hoist_buffer_bytes(&out)));
        out.data[i / HOIST_COUNT_OF(values)] = before;
    }
    hoist_buffer_deinit(&out);
}

HOIST_TEST(a_sink_that_refuses_is_asked_no_more)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    write_sample(&out);
    hoist_flex in = {.bytes = hoist_buffer_bytes(&out)};
    hoist_flex_value root;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    for (size_t events = 0; events < 22; events++) {
        size_t left = events;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        HOIST_EXPECT_EQ(t, hoist_flex_visit(&root, "x", &sink), HOIST_OK);
        HOIST_EXPECT_EQ(t, sink.status, events < 18 ? HOIST_IO : HOIST_OK);
    }
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(values_are_read), HOIST_TEST_ROW(values_are_copied),
    HOIST_TEST_ROW(broken_rules_are_found), HOIST_TEST_ROW(what_is_broken_is_shown_as_null),
    HOIST_TEST_ROW(no_value_is_shown_as_null), HOIST_TEST_ROW(a_place_beyond_64_bits_is_the_last),
    HOIST_TEST_ROW(members_are_found), HOIST_TEST_ROW(members_of_what_is_no_map_are_not_found),
    HOIST_TEST_ROW(numbers_fit_or_are_refused), HOIST_TEST_ROW(types_have_names),
    HOIST_TEST_ROW(nesting_has_a_cap), HOIST_TEST_ROW(few_bytes_do_not_stand_for_many_values),
    HOIST_TEST_ROW(one_text_does_not_stand_for_many), HOIST_TEST_ROW(damage_does_no_harm),
    HOIST_TEST_ROW(a_sink_that_refuses_is_asked_no_more))
