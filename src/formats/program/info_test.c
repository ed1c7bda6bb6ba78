// Summaries of programs: each key counts what its name says, and nothing else.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/program/module.h"
#include "testing/test.h"

#define HEAD "program p\nspace m\n"
#define XY "buffer x in m size 8 lifetime session\nbuffer y in m size 8 lifetime session\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;     // after HEAD
    const char *expected; // a part of the summary
} cases[] = {
    {"rows of each table",
     "space n\nbuffer b in m size 16 lifetime session\nfifo q queue of f32[2] slots 2 in [b] slot_bytes 8 host_push\n"
     "unit u depth 1\nunit v depth 2\nunit w depth 1\nsemaphore s\nsemaphore r\nfunction f {\n}\n"
     "thread t {\n}\nthread o {\n}\nthread l {\n}\nthread k {\n}\n",
     "\"tables\":{\"spaces\":2,\"buffers\":1,\"relocations\":0,\"fifos\":1,\"units\":3,\"semaphores\":2,\"functions\":1,\"threads\":4}"},
    {"bytes by lifetime",
     "buffer a in m size 1\nbuffer b in m size 2 lifetime run\nbuffer c in m size 4 lifetime session\n"
     "buffer d in m size 8 lifetime constant\nbuffer e in m size 16 lifetime run\n",
     "\"memory\":{\"constant_bytes\":8,\"session_bytes\":4,\"run_bytes\":18,\"call_bytes\":1}"},
    {"bytes of windows are those of their buffer",
     "buffer a in m size 8 lifetime run\nbuffer b in m size 4 window a\nbuffer c in m size 4 window a offset 4\n",
     "\"run_bytes\":8,\"call_bytes\":0}"},
    {"entries with parameters",
     "thread t {\nregister i lifetime run\nregister k lifetime run\n}\nthread u {\n}\n"
     "entry first once {\nstart u\n}\n"
     "entry run {\nstart t\nstart u\nparameter $n thread t register i\nparameter $m thread t register k\n}\n",
     "\"entries\":[{\"name\":\"first\",\"once\":true,\"threads\":1,\"parameters\":[]},"
     "{\"name\":\"run\",\"once\":false,\"threads\":2,\"parameters\":[\"$n\",\"$m\"]}]"},
    {"ports of callers only",
     "buffer a in m size 8 contents caller\nbuffer b in m size 8\nbuffer c in m size 8 output\n"
     "buffer d in m size 8 output contents caller\n",
     "\"ports\":[{\"name\":\"a\",\"kind\":\"buffer\",\"input\":true,\"output\":false,\"slots\":1,\"type\":null},"
     "{\"name\":\"c\",\"kind\":\"buffer\",\"input\":false,\"output\":true,\"slots\":1,\"type\":null},"
     "{\"name\":\"d\",\"kind\":\"buffer\",\"input\":true,\"output\":true,\"slots\":1,\"type\":null}]"},
    {"operations by name, then other steps",
     XY "thread t {\nmove copy from [x f32[2]] to y f32[2]\ncompute ieee.add from [x f32[2], x f32[2]] to [y f32[2]]\n"
     "compute ieee.multiply from [x f32[2], x f32[2]] to [y f32[2]]\ncompute ieee.add from [y f32[2], x f32[2]] to [y f32[2]]\n}\n"
     "thread u {\nmove copy from [y f32[2]] to x f32[2]\nloop 2\nloop 3\nend\nend\n}\n",
     "\"steps\":[{\"step\":\"ieee.add\",\"count\":2},{\"step\":\"ieee.multiply\",\"count\":1},"
     "{\"step\":\"loop\",\"count\":2},{\"step\":\"move\",\"count\":2}]"},
    {"of a program that breaks a rule",
     "buffer x in @7 size 3\nthread t {\nmove copy from [@9 f32[2]] to @8 f32[2]\n}\n",
     "\"call_bytes\":3},\"entries\":[],\"ports\":[],\"steps\":[{\"step\":\"move\",\"count\":1}]"},
};
// clang-format on

HOIST_TEST_TABLE(summaries, cases)
{
    const hoist_format *const format = &hoist_program_format;
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_str text = hoist_arena_format(&t->arena, HEAD "%s", row->text);
    hoist_module *module = NULL;
    hoist_json_writer writer;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t,
                    format->read((hoist_bytes){(const uint8_t *)text.data, text.size}, &options,
                                 t->diag, &module),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    HOIST_EXPECT_EQ(t, program_info(module, NULL, t->diag, &sink), HOIST_OK);
    hoist_tree_end(&sink);
    hoist_json_writer_deinit(&writer);
    if (!hoist_str_contains(hoist_buffer_text(&out), row->expected)) {
        HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    }
    hoist_buffer_deinit(&out);
    format->destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(summaries))
