// Program texts as files: which are recognised, the findings of those that break a rule, and what
// is written, sent, summed up and drawn of them.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/program/module.h"
#include "testing/drawing.h"
#include "testing/test.h"

#define HEAD "program p\nspace m\n"

static hoist_bytes bytes_of(hoist_test *t, const char *text)
{
    return hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text, strlen(text)});
}

static hoist_module *open_text(hoist_test *t, const char *text, hoist_status expected)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(
        t, hoist_format_read(&hoist_program_format, bytes_of(t, text), &options, t->diag, &module),
        expected);
    HOIST_EXPECT_EQ(t, module != NULL, expected == HOIST_OK);
    return module;
}

// Recognition ------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *file;
    int bid;
} heads[] = {
    {"a title", "program p\n", "a", 90},
    {"no end of the line", "program p", "a", 90},
    {"comments, blanks and empty lines before it", "# one\n\n \t# two\r\n  program\tp # three\n", "a", 90},
    {"a name in quotes", "program \"a \\\" b\" # c\n", "a", 90},
    {"a name of one byte in quotes", "program \" \"\n", "a", 90},
    {"no name", "program\n", "a", 0},
    {"a comment for a name", "program # p\n", "a", 0},
    {"an empty name", "program \"\"\n", "a", 0},
    {"quotes that do not end", "program \"a", "a", 90},
    {"a longer word", "programs p\n", "a", 0},
    {"a key of YAML", "program: p\n", "a", 0},
    {"a key with a blank", "program : p\n", "a", 0},
    {"more than a name", "program p q\n", "a", 0},
    {"another statement first", "space m\nprogram p\n", "a", 0},
    {"the same by its name", "space m\nprogram p\n", "a.hoist", 10},
    {"a title and a name", "program p\n", "a.hoist", 90},
    {"nothing", "", "a.hoist", 10},
    {"nothing by another name", "", "hoist", 0},
    {"comments alone", "# program p\n#", "a", 0},
};
// clang-format on

HOIST_TEST_TABLE(texts_are_recognised, heads)
{
    HOIST_EXPECT_EQ(
        t, hoist_program_format.sniff(bytes_of(t, row->text), hoist_str_from(row->file)), row->bid);
}

// Findings ---------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text; // after HEAD
    hoist_status status;
    const char *findings;
} cases[] = {
    {"nothing more", "", HOIST_OK, ""},
    {"an unknown line", "sapce n\n", HOIST_INVALID,
     "3:1: error: no line outside functions, threads and entries begins with 'sapce' [PRG-902]\n"},
    {"a number that is none", "space n capacity x\n", HOIST_INVALID,
     "3:18: error: found 'x', expected a number, 0 or more [PRG-905]\n"},
    {"all lines in one go", "bufer x\nthread t {\nloop\n", HOIST_INVALID,
     "3:1: error: no line outside functions, threads and entries begins with 'bufer' [PRG-902]\n"
     "5:5: error: the line ends, expected a number or a register [PRG-905]\n"
     "6:1: error: the text ends inside a body, `}` is missing [PRG-907]\n"},
    {"a rule of programs", "buffer x in m size 4\nbuffer y in m size 4 window x offset 2\n", HOIST_OK,
     "4:1: error: 4 bytes at offset 2 go beyond the end of 'x', which has 4 [PRG-008]\n"},
    {"a row that is not there", "buffer x in @3 size 4\n", HOIST_OK,
     "3:1: error: space 3 does not exist, there are 1 [PRG-001]\n"},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    hoist_module *module =
        open_text(t, hoist_arena_format(&t->arena, HEAD "%s", row->text).data, row->status);
    if (module) {
        HOIST_EXPECT_EQ(t, hoist_program_format.check(module, NULL, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_program_format.destroy(module);
}

// Writing and sending ----------------------------------------------------------------------------

typedef enum test_form { WRITTEN, SENT, SUMMED_UP, DRAWN } test_form;

static hoist_status form_of(const hoist_module *module, test_form form, hoist_diag *diag,
                            hoist_buffer *out)
{
    const hoist_format *const format = &hoist_program_format;
    const hoist_dump_options options = {.positions = true};
    hoist_json_writer writer;
    hoist_status status = HOIST_OK;
    if (form == WRITTEN || form == DRAWN) {
        return form == WRITTEN ? format->write(module, out)
                               : hoist_drawing_text(format, module, NULL, diag, 80, out);
    }
    hoist_json_writer_init(&writer, out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    if (form == SENT) {
        status = format->visit(module, &options, &sink);
    } else {
        hoist_tree_map(&sink, "");
        status = format->info(module, NULL, diag, &sink);
        hoist_tree_end(&sink);
    }
    hoist_json_writer_deinit(&writer);
    return status;
}

#define SMALL                                                                                      \
    "buffer x in m size 8 of f32[2] lifetime session contents caller\n"                            \
    "buffer k in m size 8 lifetime constant contents bytes data 01\n"                              \
    "buffer y in m size 8 lifetime run output\n"                                                   \
    "thread main {\n"                                                                              \
    "    compute ieee.add from [x f32[2], k f32[2]] to [y f32[2]]\n"                               \
    "}\n"                                                                                          \
    "entry run {\n"                                                                                \
    "    start main\n"                                                                             \
    "}\n"

#define NO_TABLES                                                                                  \
    "\"relocations\":0,\"fifos\":0,\"units\":0,\"semaphores\":0,\"functions\":0,\"threads\":"
#define NO_BYTES "\"constant_bytes\":0,\"session_bytes\":0,\"run_bytes\":0,\"call_bytes\":"

// clang-format off
static const struct {
    const char *name;
    const char *text; // after HEAD
    test_form form;
    const char *expected;
} forms[] = {
    {"written as it was", SMALL, WRITTEN, HEAD SMALL},
    {"written as is the habit", "# a\n  buffer x size 0x10 # b\n", WRITTEN, NULL},
    {"rows that are not there", "buffer x in @9 size 16\n", WRITTEN, HEAD "buffer x in @9 size 16\n"},
    {"all of it", "", SENT,
     "{\"name\":\"p\",\"spaces\":[{\"name\":\"m\"}],\"buffers\":[],\"relocations\":[],"
     "\"ports\":[],\"needs\":[],\"fifos\":[],\"units\":[],\"semaphores\":[],\"functions\":[],\"threads\":[],\"entries\":[]}"},
    {"a summary", SMALL, SUMMED_UP,
     "{\"program\":\"p\",\"tables\":{\"spaces\":1,\"buffers\":3," NO_TABLES "1},"
     "\"memory\":{\"constant_bytes\":8,\"session_bytes\":8,\"run_bytes\":8,\"call_bytes\":0},"
     "\"entries\":[{\"name\":\"run\",\"once\":false,\"threads\":1,\"parameters\":[]}],"
     "\"ports\":[{\"name\":\"x\",\"kind\":\"buffer\",\"input\":true,\"output\":false,\"slots\":1,\"type\":\"f32[2]\"},"
     "{\"name\":\"y\",\"kind\":\"buffer\",\"input\":false,\"output\":true,\"slots\":1,\"type\":null}],"
     "\"steps\":[{\"step\":\"ieee.add\",\"count\":1}]}"},
    {"ports of all kinds",
     "buffer x in m size 64 lifetime session\nport v in x of f32[1] result\nbuffer b in m size 64\n"
     "fifo q queue of f32[2] slots 2 in [b] slot_bytes 8 host_push\n"
     "fifo r ram of f32[2] slots 3 in [b] slot_bytes 8 host_pop\n"
     "fifo s queue of f32[2] slots 2 in [b] slot_bytes 8\n", SUMMED_UP,
     "{\"program\":\"p\",\"tables\":{\"spaces\":1,\"buffers\":2,\"relocations\":0,\"fifos\":3,\"units\":0,\"semaphores\":0,"
     "\"functions\":0,\"threads\":0},\"memory\":{\"constant_bytes\":0,\"session_bytes\":64,\"run_bytes\":0,\"call_bytes\":64},"
     "\"entries\":[],\"ports\":["
     "{\"name\":\"q\",\"kind\":\"queue\",\"input\":true,\"output\":false,\"slots\":2,\"type\":\"f32[2]\"},"
     "{\"name\":\"r\",\"kind\":\"ram\",\"input\":false,\"output\":true,\"slots\":3,\"type\":\"f32[2]\"},"
     "{\"name\":\"v\",\"kind\":\"view\",\"input\":true,\"output\":true,\"slots\":1,\"type\":\"f32[1]\"}],\"steps\":[]}"},
    {"sums that are too large",
     "buffer x in m size 0xffffffffffffffff\nbuffer y in m size 2\nbuffer z in m size 1 window y\n", SUMMED_UP,
     "{\"program\":\"p\",\"tables\":{\"spaces\":1,\"buffers\":3," NO_TABLES "0},"
     "\"memory\":{" NO_BYTES "\"18446744073709551615\"},\"entries\":[],\"ports\":[],\"steps\":[]}"},
    {"steps of functions and threads",
     "function f {\nparameter i\nloop i\nalu i = set 1\nend\n}\nthread t {\ncall f with [2]\ncall f with [3]\n}\n", SUMMED_UP,
     "{\"program\":\"p\",\"tables\":{\"spaces\":1,\"buffers\":0,\"relocations\":0,\"fifos\":0,\"units\":0,\"semaphores\":0,"
     "\"functions\":1,\"threads\":1},\"memory\":{" NO_BYTES "0},\"entries\":[],\"ports\":[],"
     "\"steps\":[{\"step\":\"alu\",\"count\":1},{\"step\":\"loop\",\"count\":1},{\"step\":\"call\",\"count\":2}]}"},
    {"a picture", SMALL, DRAWN,
     "thread main\n===========\n\n"
     "     name        reads  type      dtype  shape  size\n"
     "  a  x                  session   f32    2       8 B\n"
     "  b  k                  constant                 8 B\n"
     "  0  compute     a b    ieee.add  f32    2\n"
     "  c  y           0      run                      8 B\n"},
    {"a picture of calls, fifos and parameters",
     "buffer b in m size 16 lifetime session\nbuffer x in m size 8 lifetime session output\n"
     "fifo q queue of f32[2] slots 2 in [b] slot_bytes 8 host_push\nunit u depth 1\n"
     "function f {\nparameter a view f32[2]\nparameter z view f32[2] written\n"
     "one: move copy from [param(a) f32[2]] to param(z) f32[2]\n}\n"
     "thread t {\nawait q\npost u f with [read(q) f32[2], x f32[2]]\nposted: post u [f] at 0 with [read(q) f32[2], x f32[2]]\n"
     "drain u\nadvance q by 1\npop q by 1\nopaque PE skip\n"
     "collective all_reduce add group 0 members 1 rank 0 from x f32[2] to x f32[2]\n}\n"
     "entry run {\nstart t\n}\n", DRAWN,
     "thread t\n========\n\n"
     "     name        reads  type                dtype  shape  size\n"
     "  a  q                  queue               f32    2\n"
     "  0  post        a      post f              f32    2\n"
     "  1  posted      a      post .. of a table  f32    2\n"
     "  2  opaque             opaque PE\n"
     "  3  collective  b      colle.. all_reduce  f32    2\n"
     "  b  x           0 1 3  session                            8 B\n\n"
     "function f\n==========\n\n"
     "     name        reads  type       dtype  shape\n"
     "  a  a                  parameter  f32    2\n"
     "  0  one         a      move copy  f32    2\n"
     "  b  z           0      parameter  f32    2\n"},
    {"no picture of control alone", "semaphore s\nthread t {\nsignal s add 1\n}\n", DRAWN, ""},
    {"no picture of what breaks a rule", "buffer x in @9 size 16\n", DRAWN, ""},
};
// clang-format on

HOIST_TEST_TABLE(forms_of_a_program, forms)
{
    hoist_module *module = open_text(t, hoist_arena_format(&t->arena, HEAD "%s", row->text).data,
                                     row->expected ? HOIST_OK : HOIST_INVALID);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (module) {
        HOIST_EXPECT_EQ(t, form_of(module, row->form, t->diag, &out), HOIST_OK);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    }
    hoist_buffer_deinit(&out);
    hoist_program_format.destroy(module);
}

// Limits -----------------------------------------------------------------------------------------

static hoist_status do_all(hoist_allocator alloc, const void *self)
{
    const hoist_format *const format = &hoist_program_format;
    const char *text = self;
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    hoist_picture picture;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    hoist_picture_init(&picture, alloc);
    hoist_status status =
        format->read((hoist_bytes){(const uint8_t *)text, strlen(text)}, &options, NULL, &module);
    if (status == HOIST_OK) {
        status = format->check(module, NULL, NULL);
    }
    if (status == HOIST_OK) {
        status = format->picture(module, NULL, NULL, &picture);
    }
    if (status == HOIST_OK) {
        status = form_of(module, SENT, NULL, &out);
    }
    if (status == HOIST_OK) {
        status = form_of(module, SUMMED_UP, NULL, &out);
    }
    hoist_picture_deinit(&picture);
    hoist_buffer_deinit(&out);
    format->destroy(module);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, do_all, HEAD SMALL);
}

HOIST_TEST(reading_ends_with_its_time)
{
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .deadline = deadline, .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_format.read(bytes_of(t, HEAD SMALL), &options, t->diag, &module),
                    HOIST_LIMIT);
    HOIST_EXPECT(t, module == NULL);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(the_bytes_have_to_stay)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_format.read(bytes_of(t, HEAD), &options, t->diag, &module),
                    HOIST_INTERNAL);
    HOIST_EXPECT(t, module == NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts_are_recognised), HOIST_TEST_ROW(findings),
                HOIST_TEST_ROW(forms_of_a_program), HOIST_TEST_ROW(memory_may_run_out),
                HOIST_TEST_ROW(reading_ends_with_its_time), HOIST_TEST_ROW(the_bytes_have_to_stay))
