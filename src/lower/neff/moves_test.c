// Descriptors of NEFFs as moves: access patterns as strided views, elements in pieces by way of
// scratch, arithmetic, transposes (neff reference sections 4.4 and 4.5).
#include <string.h>

#include "base/buffer.h"
#include "lower/neff/job_testing.h"
#include "lower/program_text_testing.h"

#define PORTS                                                                                      \
    "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 4096}, "                            \
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 4096}"
#define SIDE(side, name, off, sizes, steps)                                                        \
    "\"" side "\": \"" name "\", \"" side "_off\": " off ", \"" side "_sizes\": [" sizes           \
    "], \"" side "_steps\": [" steps "]"
#define FROM(off, sizes, steps) SIDE("from", "input", off, sizes, steps)
#define TO(off, sizes, steps) SIDE("to", "output", off, sizes, steps)
#define SOURCE(off, sizes, steps, more) "{" FROM(off, sizes, steps) "" more "}"
#define TRIGGER "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
#define TYPES(from, to) "\"from_dtype\": \"" from "\", \"to_dtype\": \"" to "\", "
#define ROW(name, desc, expected)                                                                  \
    {                                                                                              \
        (name),                                                                                    \
            {.vars = PORTS,                                                                        \
             .blocks = "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{" desc "}]}",                   \
             .records = TRIGGER},                                                                  \
            .heads = "buffer sp|function sp", .text = (expected)                                   \
    }

// clang-format off
static const neff_job_case cases[] = {
    ROW("bytes in a row", FROM("0", "64", "1") ", " TO("8", "64", "1"), "function sp/dma/0 {\n"
     "copy: move copy from [input u8[64]] to output u8[64] + 8\n"
     "}\n"),
    ROW("rows with a gap, innermost first in the file", FROM("5", "4, 3, 2", "1, 16, 256") ", " TO("0", "24", "1"), "function sp/dma/0 {\n"
     "copy: move copy from [input u8[2, 3, 4] by [256, 16, 1] + 5] to output u8[24]\n"
     "}\n"),
    ROW("backwards, and one byte over and over", FROM("63", "8, 2", "-1, 0") ", " TO("0", "16", "2"), "function sp/dma/0 {\n"
     "copy: move copy from [input u8[2, 8] by [0, -1] + 63] to output u8[16] by [2]\n"
     "}\n"),
    ROW("a cast of elements that lie together", "\"op\": \"cast\", " TYPES("float32", "bfloat16") FROM("0", "64, 2", "1, 128") ", " TO("0", "64", "1"), "function sp/dma/0 {\n"
     "cast: move cast from [input f32[2, 16] by [128, 4]] to output bf16[32]\n"
     "}\n"),
    ROW("to larger elements", "\"op\": \"cast\", " TYPES("int8", "float32") FROM("0", "16", "3") ", " TO("0", "64", "1"), "function sp/dma/0 {\n"
     "cast: move cast from [input i8[16] by [3]] to output f32[16]\n"
     "}\n"),
    ROW("sources in pieces are gathered first", "\"op\": \"cast\", " TYPES("int16", "int32") FROM("0", "8", "2") ", " TO("0", "16", "1"), "buffer sp/dma/0/desc/0.0 in chip size 8 alignment 8\n"
     "function sp/dma/0 {\n"
     "cast: move copy from [input u8[8] by [2]] to sp/dma/0/desc/0.0 u8[8]\n"
     "cast: move cast from [sp/dma/0/desc/0.0 i16[4]] to output i32[4]\n"
     "}\n"),
    ROW("results in pieces are spread afterwards", "\"op\": \"cast\", " TYPES("int32", "int16") FROM("0", "16", "1") ", " TO("0", "8", "3"), "buffer sp/dma/0/desc/0.0 in chip size 8 alignment 8\n"
     "function sp/dma/0 {\n"
     "cast: move cast from [input i32[4]] to sp/dma/0/desc/0.0 i16[4]\n"
     "cast: move copy from [sp/dma/0/desc/0.0 u8[8]] to output u8[8] by [3]\n"
     "}\n"),
    ROW("both in pieces", "\"op\": \"cast\", " TYPES("float32", "float32") FROM("0", "2, 8", "1, 7") ", " TO("16", "2, 8", "1, 9"), "buffer sp/dma/0/desc/0.0 in chip size 16 alignment 8\n"
     "buffer sp/dma/0/desc/0.1 in chip size 16 alignment 8\n"
     "function sp/dma/0 {\n"
     "cast: move copy from [input u8[8, 2] by [7, 1]] to sp/dma/0/desc/0.0 u8[16]\n"
     "cast: move cast from [sp/dma/0/desc/0.0 f32[4]] to sp/dma/0/desc/0.1 f32[4]\n"
     "cast: move copy from [sp/dma/0/desc/0.1 u8[16]] to output u8[8, 2] by [9, 1] + 16\n"
     "}\n"),
    ROW("a row that is no number of elements long is in pieces", "\"op\": \"cast\", " TYPES("float32", "float32") FROM("0", "6, 2", "1, 8") ", " TO("0", "12", "1"), "buffer sp/dma/0/desc/0.0 in chip size 12 alignment 8\n"
     "function sp/dma/0 {\n"
     "cast: move copy from [input u8[2, 6] by [8, 1]] to sp/dma/0/desc/0.0 u8[12]\n"
     "cast: move cast from [sp/dma/0/desc/0.0 f32[3]] to output f32[3]\n"
     "}\n"),
    ROW("the sum of two", "\"op\": \"add\", \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"float32\"") ", " SOURCE("16", "8", "1", ", \"from_dtype\": \"float16\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"float32\"", "function sp/dma/0 {\n"
     "add: move add from [input f32[4], input f16[4] + 16] to output f32[4]\n"
     "}\n"),
    ROW("factors, of a source before that of all", "\"op\": \"fma\", \"scale_dtype\": \"float32\", \"scale\": 3.0, \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"float32\", \"scale\": 0.5") ", " SOURCE("16", "16", "1", ", \"from_dtype\": \"float32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"float32\"", "function sp/dma/0 {\n"
     "fma: move fma from [input f32[4] scale 0.5, input f32[4] + 16 scale 3] to output f32[4]\n"
     "}\n"),
    ROW("no factor is 1", "\"op\": \"fma\", \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"float32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"float32\"", "function sp/dma/0 {\n"
     "fma: move fma from [input f32[4] scale 1] to output f32[4]\n"
     "}\n"),
    ROW("the least, beginning with a constant", "\"op\": \"min\", \"constant_dtype\": \"float32\", \"constant\": 2.5, \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"float32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"float32\"", "function sp/dma/0 {\n"
     "min: move min from [input f32[4]] to output f32[4] start 2.5\n"
     "}\n"),
    ROW("the greatest of uint32", "\"op\": \"max\", \"constant_dtype\": \"uint32\", \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"uint32\"") ", " SOURCE("16", "16", "1", ", \"from_dtype\": \"uint32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"uint32\"", "function sp/dma/0 {\n"
     "max: move max from [input u32[4], input u32[4] + 16] to output u32[4] in u32\n"
     "}\n"),
    ROW("the least of int32", "\"op\": \"min\", \"constant_dtype\": \"int32\", \"constant\": -7, \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"int32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"int32\"", "function sp/dma/0 {\n"
     "min: move min from [input i32[4]] to output i32[4] in i32 start -7\n"
     "}\n"),
    ROW("one source of another type is compared as float32", "\"op\": \"max\", \"constant_dtype\": \"int32\", \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"int32\"") ", " SOURCE("16", "16", "1", ", \"from_dtype\": \"uint32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"int32\"", "function sp/dma/0 {\n"
     "max: move max from [input i32[4], input u32[4] + 16] to output i32[4]\n"
     "}\n"),
    ROW("and so is a result of another type", "\"op\": \"max\", \"constant_dtype\": \"int32\", \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"int32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"float32\"", "function sp/dma/0 {\n"
     "max: move max from [input i32[4]] to output f32[4]\n"
     "}\n"),
    ROW("a constant of no type is none", "\"op\": \"max\", \"constant\": 3, \"from_arr\": [" SOURCE("0", "16", "1", ", \"from_dtype\": \"int32\"") "], " TO("0", "16", "1") ", \"to_dtype\": \"int32\"", "function sp/dma/0 {\n"
     "max: move max from [input i32[4]] to output i32[4]\n"
     "}\n"),
    ROW("a square of bytes", "\"op\": \"transpose\", " FROM("0", "4, 4", "1, 16") ", " TO("0", "16", "1"), "buffer sp/dma/0/desc/0.0 in chip size 16 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[4, 4] by [16, 1]] to sp/dma/0/desc/0.0 u8[16]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[4, 1, 1, 4, 1]] to output u8[16] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
    ROW("a square of two bytes each", "\"op\": \"transpose\", \"transpose_element_size\": 2, " FROM("0", "8, 4", "1, 16") ", " TO("0", "32", "1"), "buffer sp/dma/0/desc/0.0 in chip size 32 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[4, 8] by [16, 1]] to sp/dma/0/desc/0.0 u8[32]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[4, 1, 1, 4, 2]] to output u8[32] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
    ROW("elements of the type's size", "\"op\": \"transpose\", \"from_dtype\": \"float32\", " FROM("0", "8, 2", "1, 16") ", " TO("0", "16", "1"), "buffer sp/dma/0/desc/0.0 in chip size 16 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[2, 8] by [16, 1]] to sp/dma/0/desc/0.0 u8[16]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[2, 1, 1, 2, 4]] to output u8[16] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
    ROW("the outermost of three and the innermost", "\"op\": \"transpose\", " FROM("0", "3, 5, 3", "1, 16, 80") ", " TO("0", "45", "1"), "buffer sp/dma/0/desc/0.0 in chip size 45 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[3, 5, 3] by [80, 16, 1]] to sp/dma/0/desc/0.0 u8[45]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[3, 5, 1, 3, 1]] to output u8[45] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
    ROW("of four", "\"op\": \"transpose\", " FROM("0", "2, 5, 7, 2", "1, 2, 10, 70") ", " TO("0", "140", "1"), "buffer sp/dma/0/desc/0.0 in chip size 140 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[2, 7, 5, 2]] to sp/dma/0/desc/0.0 u8[140]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[2, 7, 5, 2, 1]] to output u8[140] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
    ROW("a given shape, outermost first, of the result", "\"op\": \"transpose\", \"transpose_shape\": [6, 2, 3, 4], \"transpose_element_size\": 8, " FROM("0", "1152", "1") ", " TO("0", "1152", "1"), "buffer sp/dma/0/desc/0.0 in chip size 1152 alignment 8\n"
     "function sp/dma/0 {\n"
     "transpose: move copy from [input u8[1152]] to sp/dma/0/desc/0.0 u8[1152]\n"
     "transpose: move copy from [sp/dma/0/desc/0.0 u8[4, 2, 3, 6, 8]] to output u8[1152] transpose [3, 1, 2, 0, 4]\n"
     "}\n"),
};
// clang-format on

HOIST_TEST_TABLE(descriptors_are_moves, cases)
{
    neff_job_expect(t, row);
}

// Sixteen sources, and one more.
HOIST_TEST(moves_have_so_many_sources)
{
    for (uint32_t count = 0; count <= HOIST_MOVE_MAX_SOURCES + 1; count++) {
        hoist_buffer block;
        hoist_buffer_init(&block, hoist_allocator_system());
        hoist_buffer_c(&block, "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{\"op\": \"add\", " TO(
                                   "0", "4", "1") ", \"to_dtype\": \"float32\", \"from_arr\": [");
        for (uint32_t i = 0; i < count; i++) {
            hoist_buffer_c(&block, i ? ", " : "");
            hoist_buffer_c(&block, SOURCE("0", "4", "1", ", \"from_dtype\": \"float32\""));
        }
        hoist_buffer_c(&block, "]}]}");
        hoist_buffer_char(&block, '\0');
        const neff_job_parts parts = {
            .vars = PORTS, .blocks = hoist_buffer_text(&block).data, .records = TRIGGER};
        hoist_program *program = NULL;
        neff_texts neff;
        neff_job_texts(t, &parts, &neff);
        const bool good = count >= 1 && count <= HOIST_MOVE_MAX_SOURCES;
        HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program),
                        good ? HOIST_OK : HOIST_UNSUPPORTED);
        if (good && program) {
            const hoist_str text = lower_test_piece(t, program, "function sp");
            size_t found = 0;
            for (const char *at = text.data; (at = strstr(at, "input f32[1]")); at++) {
                found++;
            }
            HOIST_EXPECT_EQ(t, found, count);
        }
        hoist_program_destroy(program);
        hoist_buffer_deinit(&block);
    }
    HOIST_EXPECT_RULE(t, "RUN-025");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 2);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(descriptors_are_moves), HOIST_TEST_ROW(moves_have_so_many_sources))
