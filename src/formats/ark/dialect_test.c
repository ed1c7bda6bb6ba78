// Models in other dialects: what was read from one text is the text of another.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "formats/ark/ark.h"
#include "testing/test.h"

// clang-format off
#define BUFFER(id) "{\"Id\":" id ",\"Rank\":-1,\"SendTags\":[],\"RecvTags\":[]}"
#define D3_TENSOR(id, dims, padded)                                                                \
    "{\"Id\":" id ",\"DataType\":\"FP32\",\"Shape\":" dims ",\"Strides\":" padded                  \
    ",\"Offsets\":[0,0],\"PaddedShape\":" padded ",\"Buffer\":" BUFFER(id) "}"
#define D2A_TENSOR(id, dims, padded)                                                               \
    "{\"Id\":" id                                                                                  \
    ",\"DataType\":\"FP32\",\"Buffer\":" BUFFER(id) ",\"Shape\":" dims ",\"Strides\":" padded      \
                                                    ",\"Offsets\":[0,0],\"PaddedShape\":" padded   \
                                                    "}"
#define D1_TENSOR(id, dims, strides, pads)                                                         \
    "{\"Id\":" id                                                                                  \
    ",\"DataType\":\"FP32\",\"Buffer\":" BUFFER(id) ",\"Shape\":" dims ",\"Strides\":" strides     \
                                                    ",\"Offsets\":[0,0],\"Pads\":" pads "}"
#define OP(type, reads, writes, args)                                                              \
    "{\"Type\":\"" type "\",\"Name\":\"n\",\"IsVirtual\":false,\"ReadTensors\":[" reads            \
    "],\"WriteTensors\":[" writes "],\"ResultTensors\":[],\"Args\":{" args "}}"
#define NODE(id, from, to, ops)                                                                    \
    "{\"Id\":" id ",\"ProducerNodeIds\":[" from "],\"ConsumerNodeIds\":[" to "]," ops "}"
#define MODEL(nodes) "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[" nodes "]}"
#define D3(op) MODEL(NODE("0", "", "", "\"Op\":" op))
#define OLD(op) MODEL(NODE("0", "", "", "\"Ops\":[" op "]"))

#define FLAGS(a, b) "\"TransposeInput\":{\"BOOL\":" a "},\"TransposeOther\":{\"BOOL\":" b "}"
#define DIMS(name, dims) "\"" name "\":{\"DIMS\":" dims "},"
#define REDUNDANT(nc, onc, mnk, acdb)                                                              \
    DIMS("InputDimNC", nc) DIMS("OtherDimNC", onc) DIMS("ShapeMNK", mnk) DIMS("StridesACDB", acdb)

static const struct {
    const char *name;
    const char *from;
    const char *dialect;
    const char *want;
} cases[] = {
    {"the same", D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,3]"), "", "")), "d3",
     D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,3]"), "", ""))},
    {"d3 to d2", D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,3]"), "", "")), "d2",
     OLD(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,3]"), "", ""))},
    {"d2a to d3", OLD(OP("Exp", D2A_TENSOR("0", "[2,3]", "[2,4]"), "", "")), "d3",
     D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,4]"), "", ""))},
    // A padded extent is a multiple of itself.
    {"d3 to d1, padded", D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,4]"), "", "")), "d1",
     OLD(OP("Exp", D1_TENSOR("0", "[2,3]", "[2,4]", "[1,4]"), "", ""))},
    {"d1 to d2, multiples", OLD(OP("Exp", D1_TENSOR("0", "[2,5]", "[2,8]", "[1,4]"), "", "")), "d2",
     OLD(OP("Exp", D3_TENSOR("0", "[2,5]", "[2,8]"), "", ""))},
    {"d1 to d2, a multiple of nothing", OLD(OP("Exp", D1_TENSOR("0", "[2,5]", "[2,5]", "[0,5]"), "", "")), "d2",
     OLD(OP("Exp", D3_TENSOR("0", "[2,5]", "[2,5]"), "", ""))},
    {"matmul to d1", D3(OP("Matmul", D3_TENSOR("0", "[2,3]", "[2,7]") "," D3_TENSOR("1", "[5,3]", "[5,3]"), D3_TENSOR("2", "[2,5]", "[2,6]"), FLAGS("false", "true"))), "d1",
     OLD(OP("Matmul", D1_TENSOR("0", "[2,3]", "[2,7]", "[1,7]") "," D1_TENSOR("1", "[5,3]", "[5,3]", "[1,1]"), D1_TENSOR("2", "[2,5]", "[2,6]", "[1,6]"),
            REDUNDANT("[1,1]", "[1,1]", "[2,5,3]", "[7,6,6,3]") FLAGS("false", "true")))},
    {"matmul of transposed and batched ones", D3(OP("Matmul", D3_TENSOR("0", "[8,9,3,2]", "[8,9,3,2]") "," D3_TENSOR("1", "[9,3,5]", "[9,3,5]"), D3_TENSOR("2", "[8,9,2,5]", "[8,9,2,5]"), FLAGS("true", "false"))), "d1",
     OLD(OP("Matmul", D1_TENSOR("0", "[8,9,3,2]", "[8,9,3,2]", "[1,1,1,1]") "," D1_TENSOR("1", "[9,3,5]", "[9,3,5]", "[1,1,1]"), D1_TENSOR("2", "[8,9,2,5]", "[8,9,2,5]", "[1,1,1,1]"),
            REDUNDANT("[8,9]", "[1,9]", "[2,5,3]", "[2,5,5,5]") FLAGS("true", "false")))},
    {"matmul by a vector", D3(OP("Matmul", D3_TENSOR("0", "[2,3]", "[2,3]") "," D3_TENSOR("1", "[3]", "[3]"), D3_TENSOR("2", "[2,1]", "[2,1]"), FLAGS("false", "false"))), "d1",
     OLD(OP("Matmul", D1_TENSOR("0", "[2,3]", "[2,3]", "[1,1]") "," D1_TENSOR("1", "[3]", "[3]", "[1]"), D1_TENSOR("2", "[2,1]", "[2,1]", "[1,1]"),
            REDUNDANT("[1,1]", "[1,1]", "[2,1,3]", "[3,1,1,3]") FLAGS("false", "false")))},
    {"matmul from d1", OLD(OP("Matmul", D1_TENSOR("0", "[2,3]", "[2,3]", "[1,1]"), "", REDUNDANT("[1,1]", "[1,1]", "[2,5,3]", "[3,5,5,3]") FLAGS("true", "false"))), "d2",
     OLD(OP("Matmul", D3_TENSOR("0", "[2,3]", "[2,3]"), "", FLAGS("true", "false")))},
    // Two operators of a node become two nodes, a chain; others point at its ends.
    {"nodes with several operators", MODEL(NODE("0", "", "1", "\"Ops\":[" OP("Exp", "", "", "") "," OP("Relu", "", "", "") "," OP("Sqrt", "", "", "") "]") ","
                                           NODE("1", "0", "", "\"Ops\":[" OP("Copy", "", "", "") "]")), "d3",
     MODEL(NODE("0", "", "1", "\"Op\":" OP("Exp", "", "", "")) "," NODE("1", "0", "2", "\"Op\":" OP("Relu", "", "", "")) ","
           NODE("2", "1", "3", "\"Op\":" OP("Sqrt", "", "", "")) "," NODE("3", "2", "", "\"Op\":" OP("Copy", "", "", "")))},
    {"external buffers are the rank's", D3(OP("Placeholder", "{\"Id\":0,\"DataType\":\"BYTE\",\"Shape\":[1],\"Strides\":[1],\"Offsets\":[0],\"PaddedShape\":[1],\"Buffer\":{\"Id\":0,\"Rank\":-1,\"IsExternal\":true,\"SendTags\":[],\"RecvTags\":[]}}", "", "")), "d2",
     OLD(OP("Tensor", "{\"Id\":0,\"DataType\":\"BYTE\",\"Shape\":[1],\"Strides\":[1],\"Offsets\":[0],\"PaddedShape\":[1],\"Buffer\":" BUFFER("0") "}", "", ""))},
    {"a tensor among the arguments, and keys that no table knows", D3(OP("Exp", "", "", "\"t\":{\"TENSOR\":" D3_TENSOR("0", "[2,3]", "[2,3]") "}")), "d1",
     OLD(OP("Exp", "", "", "\"t\":{\"TENSOR\":" D1_TENSOR("0", "[2,3]", "[2,3]", "[1,1]") "}"))},
};
// clang-format on

static hoist_status convert(hoist_allocator alloc, const char *text, const char *dialect,
                            hoist_buffer *out)
{
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    HOIST_TRY(ark_read(bytes, &options, NULL, &module));
    const hoist_status status = ark_convert(module, dialect, out);
    ark_destroy(module);
    return status;
}

// The text without what lays it out: no string of these has blanks.
static hoist_str compact(hoist_buffer *text)
{
    size_t size = 0;
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] != ' ' && text->data[i] != '\n') {
            text->data[size++] = text->data[i];
        }
    }
    return (hoist_str){(const char *)text->data, size};
}

HOIST_TEST_TABLE(dialects, cases)
{
    hoist_buffer out;
    hoist_buffer_init(&out, t->arena.alloc);
    HOIST_EXPECT_EQ(t, convert(t->arena.alloc, row->from, row->dialect, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, compact(&out), row->want);
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    const char *value;
    const char *want;
} numbers[] = {
    {"an integer", "1", "1.0"},
    {"a fraction", "0.1", "0.10000000149011612"},
    {"small", "1e-5", "9.999999747378752e-06"},
    {"the least without an exponent", "0.0001220703125", "0.0001220703125"},
    {"below it", "0.000030517578125", "3.0517578125e-05"},
    {"large", "100000", "100000.0"},
    {"the largest without an exponent", "999999986991104", "999999986991104.0"},
    {"above it", "1e15", "999999986991104.0"},
    {"with an exponent", "1e16", "1.0000000272564224e+16"},
    {"one digit and an exponent", "1e22", "9.999999778196308e+21"},
    {"minus zero", "-0.0", "-0.0"},
    {"the least float32", "1e-45", "1.401298464324817e-45"},
    {"the largest", "-3.4028234663852886e38", "-3.4028234663852886e+38"},
};
// clang-format on

HOIST_TEST_TABLE(numbers_are_spelled_as_ark_does, numbers)
{
    char text[1024];
    const hoist_str head = HOIST_STR("\"Factor\": {\"FLOAT\":");
    hoist_buffer out;
    hoist_buffer_init(&out, t->arena.alloc);
    (void)snprintf(text, sizeof(text), D3(OP("ScalarAdd", "", "", "\"Factor\":{\"FLOAT\":%s}")),
                   row->value);
    HOIST_EXPECT_EQ(t, convert(t->arena.alloc, text, "d3", &out), HOIST_OK);
    const hoist_str all = hoist_buffer_text(&out);
    const char *const found = memmem(all.data, all.size, head.data, head.size);
    HOIST_EXPECT(t, found != NULL);
    if (found) {
        const size_t at = (size_t)(found - all.data) + head.size;
        const char *const end = memchr(found, '}', all.size - (size_t)(found - all.data));
        HOIST_EXPECT_STR(t, hoist_str_slice(all, at, (size_t)(end - all.data) - at), row->want);
    }
    hoist_buffer_deinit(&out);
}

// How many levels are broken over lines, of models in each dialect.
HOIST_TEST(lines)
{
    static const char *const want[] = {
        "\n            {\n              \"Id\": 0,\n", // d1: a line for each key of a tensor
        "\n            {\"Id\":0,",                    // d2 and d3: a line for each tensor
        "\n          {\"Id\":0,",
    };
    for (size_t i = 0; ark_written_dialects[i]; i++) {
        hoist_buffer out;
        hoist_buffer_init(&out, t->arena.alloc);
        const char *const from = D3(OP("Exp", D3_TENSOR("0", "[2,3]", "[2,3]"), "", ""));
        HOIST_EXPECT_EQ(t, convert(t->arena.alloc, from, ark_written_dialects[i], &out), HOIST_OK);
        const hoist_str text = hoist_buffer_text(&out);
        HOIST_EXPECT(t, memmem(text.data, text.size, want[i], strlen(want[i])) != NULL);
        HOIST_EXPECT_EQ(t, text.data[text.size - 1], '\n');
        hoist_buffer_deinit(&out);
    }
}

static hoist_status convert_starved(hoist_allocator alloc, const void *text)
{
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = convert(alloc, text, "d3", &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(without_memory)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        hoist_test_starve(t, convert_starved, cases[i].from);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(dialects), HOIST_TEST_ROW(numbers_are_spelled_as_ark_does),
                HOIST_TEST_ROW(lines), HOIST_TEST_ROW(without_memory))
