// Texts of tensors: what is read and written, and the findings of those that break a rule.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/tensors/module.h"
#include "testing/drawing.h"
#include "testing/test.h"

#define HEAD "tensors 1\n"
#define SMALL HEAD "input a 1x2\nconst b 2x1 1 2\nmatmul c a b\nadd d c c\noutput d\n"

static hoist_bytes bytes_of(hoist_test *t, const char *text)
{
    return hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text, strlen(text)});
}

static hoist_module *open_text(hoist_test *t, const char *text, hoist_status expected)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(
        t, hoist_format_read(&hoist_tensors_format, bytes_of(t, text), &options, t->diag, &module),
        expected);
    HOIST_EXPECT_EQ(t, module != NULL, expected == HOIST_OK);
    return module;
}

// Findings ---------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text; // behind the first line
    const char *findings;
} cases[] = {
    {"nothing", "", ""},
    {"all statements", "input a 2x3\nconst b 3x2 1 -2.5 3e0 4 5 6\nmatmul c a b\nadd d c c\noutput d\n", ""},
    {"no end of the last line", "input a 1\noutput a", ""},
    {"blanks", "  input   a 1 \noutput a\n", ""},
    {"an input that is an output", "input a 8x1x1x1x1x1x1x2\noutput a\n", ""},
    {"batches", "input a 2x3x4\ninput b 2x4x5\nmatmul c a b\noutput c\n", ""},
    {"another word", "inputs a 1\n", "2:1: error: found 'inputs', expected 'input' or another statement [TEN-001]\n"},
    {"an empty line", "\n", "2:1: error: found '', expected 'input' or another statement [TEN-001]\n"},
    {"no name", "input\n", "2:6: error: found '', expected a name [TEN-001]\n"},
    {"a name of other bytes", "input a\xff\"\t 1\noutput a\xff\"\t\n", ""},
    {"no extent", "input a\n", "2:8: error: found '', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"an extent of 0", "input a 2x0\n", "2:9: error: found '2x0', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"an empty extent", "input a 2x\n", "2:9: error: found '2x', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"nine extents", "input a 1x1x1x1x1x1x1x1x1\n", "2:9: error: found '1x1x1x1x1x1x1x1x1', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"as many elements as there may be", "input a 4096x4096\noutput a\n", ""},
    {"one more", "input a 16777217\n", "2:9: error: found '16777217', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"extents that overflow", "input a 4294967296x4294967296\n", "2:9: error: found '4294967296x4294967296', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"a word too many", "input a 1\noutput a b\n", "2:1: warning: 'a' is neither an operand nor an output [TEN-005]\n3:10: error: found 'b', expected the end of the line [TEN-001]\n"},
    {"a name twice", "input a 1\ninput a 2\noutput a\n", "3:7: error: 'a' is defined in a line above [TEN-002]\n"},
    {"a name that is not there", "output b\n", "2:8: error: 'b' is defined in no line above [TEN-002]\n"},
    {"a name that is its own operand", "input a 1\nadd b a b\noutput a\n", "3:9: error: 'b' is defined in no line above [TEN-002]\n"},
    {"what follows from a fault", "input a 0\nadd b a a\noutput b\n", "2:9: error: found '0', expected 1 to 8 extents of at most 16777216 elements [TEN-001]\n"},
    {"no operand", "input a 1\nadd b a\noutput a\n", "3:8: error: '' is defined in no line above [TEN-002]\n"},
    {"a number too few", "const a 3 1 2\noutput a\n", "2:1: error: the line ends before 3 numbers [TEN-003]\n"},
    {"the same in a long line", "const a 3 10 20\noutput a\n", "2:16: error: number 3 of 3 is '', expected a finite float32 [TEN-003]\n"},
    {"more than a line can have", "const a 16777216 1\n", "2:1: error: the line ends before 16777216 numbers [TEN-003]\n"},
    {"a number too many", "const a 2 1 2 3\n", "2:15: error: found '3', expected the end of the line [TEN-001]\n"},
    {"not a number", "const a 2 1 x\n", "2:13: error: number 2 of 2 is 'x', expected a finite float32 [TEN-003]\n"},
    {"the greatest number", "const a 1 -3.4028234663852886e38\noutput a\n", ""},
    {"a greater one", "const a 1 3.5e38\n", "2:11: error: number 1 of 1 is '3.5e38', expected a finite float32 [TEN-003]\n"},
    {"no finite number", "const a 1 .nan\n", "2:11: error: number 1 of 1 is '.nan', expected a finite float32 [TEN-003]\n"},
    {"a sum of two shapes", "input a 2\ninput b 2x1\nadd c a b\noutput a\noutput b\n", "4:1: error: the shapes of both operands are different [TEN-004]\n"},
    {"a product of two lengths", "input a 2x3\ninput b 2x3\nmatmul c a b\noutput a\noutput b\n", "4:1: error: dimension 0 of b is 2, expected 3 (K) [TEN-004]\n"},
    {"a product that is too large", "input a 8192x1\ninput b 1x8192\nmatmul c a b\noutput a\noutput b\n", "4:1: error: the result has more than 16777216 elements [TEN-004]\n"},
    {"what is not used", "input a 1\nadd b a a\n", "3:1: warning: 'b' is neither an operand nor an output [TEN-005]\n"},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    hoist_module *module =
        open_text(t, hoist_arena_format(&t->arena, HEAD "%s", row->text).data, HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_tensors_format.check(module, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_tensors_format.destroy(module);
}

HOIST_TEST(files_are_recognised)
{
    const hoist_str name = HOIST_STR("a.tensors");
    HOIST_EXPECT_EQ(t, hoist_tensors_format.sniff(bytes_of(t, HEAD), HOIST_STR("a")), 100);
    HOIST_EXPECT_EQ(t, hoist_tensors_format.sniff(bytes_of(t, "tensors 2\n"), HOIST_STR("a")), 0);
    HOIST_EXPECT_EQ(t, hoist_tensors_format.sniff(bytes_of(t, ""), name), 10);
    hoist_module *module = open_text(t, "tensors 2\n", HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "1:1: error: found 'tensors 2', expected 'tensors 1' [TEN-001]\n");
    hoist_tensors_format.destroy(module);
}

// Writing and sending ----------------------------------------------------------------------------

typedef enum test_form { WRITTEN, SENT, SUMMED_UP, DRAWN } test_form;

static hoist_status shown(hoist_test *t, const hoist_module *module, test_form form,
                          hoist_buffer *out)
{
    const hoist_format *const format = &hoist_tensors_format;
    const hoist_dump_options options = {.key = NULL};
    hoist_json_writer writer;
    hoist_status status = HOIST_OK;
    if (form == WRITTEN || form == DRAWN) {
        return form == WRITTEN ? format->write(module, out)
                               : hoist_drawing_text(format, module, NULL, t->diag, 80, out);
    }
    hoist_json_writer_init(&writer, out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    if (form == SENT) {
        status = format->visit(module, &options, &sink);
    } else {
        hoist_tree_map(&sink, "");
        status = format->info(module, NULL, t->diag, &sink);
        hoist_tree_end(&sink);
    }
    hoist_json_writer_deinit(&writer);
    return status;
}

// clang-format off
static const struct {
    const char *name;
    const char *text; // behind the first line
    test_form form;
    const char *shown;
} shows[] = {
    {"written as it was", "input a 1x2\nconst b 2x1 0.100000001 -3.00000001e+38\nmatmul c a b\nadd d c c\noutput d\n", WRITTEN,
     HEAD "input a 1x2\nconst b 2x1 0.100000001 -3.00000001e+38\nmatmul c a b\nadd d c c\noutput d\n"},
    {"written as is the habit", "  const  b 02 1.0 0.1", WRITTEN, HEAD "const b 2 1 0.100000001\n"},
    {"without what has a fault", "input a 2\ninput b\noutput b\noutput a\n", WRITTEN, HEAD "input a 2\noutput a\n"},
    {"all of it", "const b 2 1 0.5\nadd c b b\noutput c\n", SENT,
     "{\"statements\":["
     "{\"statement\":\"const\",\"name\":\"b\",\"shape\":[2],\"data\":[1,0.5],\"operands\":[]},"
     "{\"statement\":\"add\",\"name\":\"c\",\"shape\":[2],\"data\":[],\"operands\":[\"b\",\"b\"]},"
     "{\"statement\":\"output\",\"name\":\"c\",\"shape\":[2],\"data\":[],\"operands\":[\"c\"]}]}"},
    {"a summary", "input a 1x2\nconst b 1x2 1 2\nadd c a b\noutput c\n", SUMMED_UP,
     "{\"ops\":1,\"inputs\":[{\"name\":\"a\",\"shape\":[1,2]}],\"outputs\":[{\"name\":\"c\",\"shape\":[1,2]}]}"},
    {"a picture", "input a 1x2\ninput b 1x2\nadd c a b\noutput c\n", DRAWN,
     "graph tensors\n=============\n\n"
     "     name        reads  type    shape\n"
     "  a  a                  input   1x2\n"
     "  b  b                  input   1x2\n"
     "  0  c           a b    add     1x2\n"
     "  c  c           0      output  1x2\n"},
};
// clang-format on

HOIST_TEST_TABLE(what_is_shown, shows)
{
    hoist_module *module =
        open_text(t, hoist_arena_format(&t->arena, HEAD "%s", row->text).data, HOIST_OK);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, shown(t, module, row->form, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->shown);
    hoist_buffer_deinit(&out);
    hoist_tensors_format.destroy(module);
}

// Limits -----------------------------------------------------------------------------------------

static hoist_status read_and_check(hoist_allocator alloc, const void *self)
{
    const char *text = self;
    const hoist_read_options options = {.alloc = alloc};
    hoist_module *module = NULL;
    hoist_status status = hoist_tensors_format.read(
        (hoist_bytes){(const uint8_t *)text, strlen(text)}, &options, NULL, &module);
    if (status == HOIST_OK) {
        status = hoist_tensors_format.check(module, NULL, NULL);
    }
    hoist_tensors_format.destroy(module);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, read_and_check, SMALL);
}

HOIST_TEST(reading_ends_with_its_time)
{
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .deadline = deadline};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_tensors_format.read(bytes_of(t, SMALL), &options, t->diag, &module),
                    HOIST_LIMIT);
    HOIST_EXPECT(t, module == NULL);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(files_are_recognised),
                HOIST_TEST_ROW(what_is_shown), HOIST_TEST_ROW(memory_may_run_out),
                HOIST_TEST_ROW(reading_ends_with_its_time))
