// What the summary says of activation tables that are loaded, and of libraries of custom
// operations.
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/neff_testing.h"
#include "testing/trace.h"

#define DEF "sg00/def.json"
#define SP "sg00/sp.json"
#define LIBRARY(value)                                                                             \
    {                                                                                              \
        DEF, "\"name\"", "\"ucode_lib\": " value ", \"name\""                                      \
    }
#define NO_LOADS "activation_loads: list\nend\n"
#define NO_LIBRARIES "custom_op_libraries: list\nend\n"
#define SHOWN(name, version, bytes, functions)                                                     \
    "map\nlibrary: " name "\nucode_version: " version "\nbytes: " bytes                            \
    "\nfunctions: list\n" functions "end\nend\n"
#define ONE "{\"library\": \"l.so\", \"ulib_to_ucode_version\": \"1.21.1.0\"}"
#define ONE_SHOWN SHOWN("str 4 l.so", "str 8 1.21.1.0", "uint 5", "")

// clang-format off
static const struct {
    const char *name;
    neff_test_change changes[2];
    const char *want;
} rows[] = {
    {"neither", {{0}}, NO_LOADS NO_LIBRARIES},
    {"a queue set of tables", {{DEF, "\"type\": \"data\"", "\"type\": \"act_load\""}},
     "activation_loads: list\nmap\nqueue: str 2 q0\nfrom: str 5 input\nmember: null\ndma_bytes: uint 64\nend\nend\n" NO_LIBRARIES},
    {"tables of a member", {{DEF, "\"type\": \"data\"", "\"type\": \"act_load\""},
                            {DEF, "\"type\": \"input\"", "\"type\": \"file\", \"file_name\": \"l.so\""}},
     "activation_loads: list\nmap\nqueue: str 2 q0\nfrom: str 5 input\nmember: str 9 sg00/l.so\ndma_bytes: uint 64\nend\nend\n" NO_LIBRARIES},
    {"tables of nothing", {{DEF, "\"type\": \"data\"", "\"type\": \"act_load\""}, {SP, "\"from\": \"input\"", "\"from\": \"x\""}},
     "activation_loads: list\nmap\nqueue: str 2 q0\nfrom: null\nmember: null\ndma_bytes: uint 64\nend\nend\n" NO_LIBRARIES},
    {"a library", {LIBRARY(ONE)}, NO_LOADS "custom_op_libraries: list\n" ONE_SHOWN "end\n"},
    {"a list of libraries", {LIBRARY("[" ONE ", 7, " ONE "]")},
     NO_LOADS "custom_op_libraries: list\n" ONE_SHOWN ONE_SHOWN "end\n"},
    {"libraries by name", {LIBRARY("{\"a\": " ONE ", \"b\": 7, \"c\": " ONE "}")},
     NO_LOADS "custom_op_libraries: list\n" ONE_SHOWN ONE_SHOWN "end\n"},
    {"one of the whole file", {LIBRARY("{\"library\": \"top.so\"}")},
     NO_LOADS "custom_op_libraries: list\n" SHOWN("str 6 top.so", "null", "uint 3", "") "end\n"},
    {"a missing one", {LIBRARY("{\"library\": \"no.so\"}")},
     NO_LOADS "custom_op_libraries: list\n" SHOWN("str 5 no.so", "null", "null", "") "end\n"},
    {"without a file", {LIBRARY("[{}]")},
     NO_LOADS "custom_op_libraries: list\n" SHOWN("null", "null", "null", "") "end\n"},
    {"functions", {LIBRARY("{\"library\": \"l.so\", \"functions\": [{\"name\": \"f\", \"opcode\": 1}, {\"name\": \"g\"}, 3]}")},
     NO_LOADS "custom_op_libraries: list\n" SHOWN("str 4 l.so", "null", "uint 5", "str 1 f\nstr 1 g\nstr 0 \n") "end\n"},
    {"a number", {LIBRARY("5")}, NO_LOADS NO_LIBRARIES},
    {"of an extended set", {{DEF, "\"name\"", "\"ext_isa_ucode_lib_def\": [" ONE "], \"name\""}},
     NO_LOADS "custom_op_libraries: list\n" ONE_SHOWN "end\n"},
};
// clang-format on

HOIST_TEST_TABLE(loaded, rows)
{
    neff_texts neff;
    hoist_buffer out;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_put(t, &neff, "sg00/l.so", HOIST_STR("12345"));
    neff_test_put(t, &neff, "top.so", HOIST_STR("123"));
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].member; i++) {
        neff_test_edit(t, &neff, row->changes[i].member, row->changes[i].find, row->changes[i].put);
    }
    neff_module *const module = neff_test_read(t, &neff);
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&out);
    HOIST_EXPECT_EQ(t, neff_info(&module->base, NULL, NULL, &sink), HOIST_OK);
    hoist_buffer_char(&out, '\0');
    const char *const at = out.failed ? NULL : strstr((const char *)out.data, "activation_loads");
    HOIST_EXPECT(t, at != NULL);
    HOIST_EXPECT_STR(t, hoist_str_slice(hoist_str_from(at), 0, strlen(row->want)), row->want);
    hoist_buffer_deinit(&out);
    neff_test_destroy(module);
}

// Texts with an escape, which takes memory for each, and more than the arena has left of a block.
static hoist_str long_library(hoist_test *t)
{
    char *const text = hoist_arena_alloc(&t->arena, 20000);
    memset(text, 'x', 19999);
    return hoist_arena_format(&t->arena,
                              "\"ucode_lib\": {\"library\": \"\\u002e%s\", "
                              "\"ulib_to_ucode_version\": \"\\u002e%s%s\", "
                              "\"functions\": [{\"name\": \"\\u002e%s%s%s%s\"}]}, \"name\"",
                              text, text, text, text, text, text, text);
}

static hoist_status inform(hoist_allocator alloc, const void *self)
{
    neff_module module = *(const neff_module *)self;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    module.base.alloc = alloc;
    return neff_info(&module.base, NULL, NULL, &sink);
}

HOIST_TEST(memory_runs_out)
{
    neff_texts neff;
    neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
    neff_test_edit(t, &neff, DEF, "\"name\"", long_library(t).data);
    neff_module *const module = neff_test_read(t, &neff);
    if (module) {
        hoist_test_starve(t, inform, module);
    }
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(loaded), HOIST_TEST_ROW(memory_runs_out))
