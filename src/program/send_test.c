// Programs as tree events: the members of every row and step.
#include "base/span.h"
#include "program/program_testing.h"
#include "program/text.h"
#include "testing/trace.h"

// clang-format off
static const struct {
    const char *name;
    const char *text; // a line, or the lines of a body
    const char *sent; // all members of its map
} cases[] = {
    {"a space", "space n capacity 8 alignment 4 home 1\n",
     "name: str 1 n\ncapacity: uint 8\nalignment: uint 4\nhome: uint 1\nend\n"},
    {"what the text leaves out", "space n capacity 0 alignment 1\n", "name: str 1 n\nend\n"},
    {"a buffer", "buffer z in m size 24 of f32[2, 3] at 0x10 lifetime session output contents bytes data 00ff\n",
     "name: str 1 z\nin: str 1 m\nsize: uint 24\ntyped: true\ntype: str 9 f32[2, 3]\naddress: uint 16\n"
     "lifetime: str 7 session\noutput: true\ncontents: str 5 bytes\ndata: str 4 00ff\nend\n"},
    {"a window, and a name in quotes", "buffer \"a b\" in m size 4 window x offset 32\n",
     "name: str 3 a b\nin: str 1 m\nsize: uint 4\nwindow: str 1 x\noffset: uint 32\nend\n"},
    {"rows that are not there", "buffer z in @9 size 4\n", "name: str 1 z\nin: str 2 @9\nsize: uint 4\nend\n"},
    {"a relocation", "relocation x bit 70 gets low32 of y plus -4\n",
     "buffer: str 1 x\nbit: uint 70\ngets: str 5 low32\nof: str 1 y\nplus: int -4\nend\n"},
    {"a port", "port all in x of u8[128] offset 4 result note \"buffer 3\"\n",
     "name: str 3 all\nin: str 1 x\ntype: str 7 u8[128]\noffset: uint 4\nresult: true\nnote: str 8 buffer 3\nend\n"},
    {"a need", "port all in x of u8[4]\nneed all from 1 to 2\n", "port: str 3 all\nfrom: uint 1\nto: uint 2\nend\n"},
    {"a fifo", "fifo r ram policy golden of f32[2] slots 2 in [x, y] slot_bytes 64 push_shape [1, 32, 64] push_tiles [0..1, -1]\n",
     "name: str 1 r\nkind: str 3 ram\npolicy: str 6 golden\ntype: str 6 f32[2]\nslots: uint 2\nin: list\nstr 1 x\nstr 1 y\nend\n"
     "slot_bytes: uint 64\npush_shape: list\nint 1\nint 32\nint 64\nend\n"
     "push_tiles: list\nint 0\nint 1\nint -1\nend\nend\n"},
    {"a semaphore", "semaphore d initial 1 maximum 2\n", "name: str 1 d\ninitial: int 1\nmaximum: int 2\nend\n"},
    {"a parameter of a view", "function g {\nparameter v view u8[4] written\n}\n",
     "name: str 1 v\nview: true\ntype: str 5 u8[4]\nwritten: true\nend\n"},
    {"integer parameters are no registers", "function g {\nparameter k\nregister i initial 2\n}\n",
     "parameters: list\nmap\nname: str 1 k\nend\nend\nregisters: list\nmap\nname: str 1 i\ninitial: int 2\nend\nend\nsteps: list\nend\nend\n"},
    {"arithmetic", "thread t {\nregister i\nsum: alu i = add i -1\n}\n",
     "step: str 3 alu\nlabel: str 3 sum\nregister: str 1 i\nop: str 3 add\na: str 1 i\nb: int -1\nend\n"},
    {"a loop", "thread t {\nloop 3 must_run\nend\n}\n", "step: str 4 loop\ncount: int 3\nmust_run: true\nend\nmap\nstep: str 3 end\nend\n"},
    {"a branch", "thread t {\nbranch 1 < 2 to 0\n}\n",
     "step: str 6 branch\na: int 1\ncompare: str 1 <\nb: int 2\nto: uint 0\nend\n"},
    {"a post", "thread t {\nregister i\npost u [f] at i with [12, x f32[4]] then [s set i]\n}\n",
     "step: str 4 post\nunit: str 1 u\nfunction: str 8 [f] at i\nwith: list\nint 12\nstr 8 x f32[4]\nend\n"
     "then: list\nmap\nsemaphore: str 1 s\nop: str 3 set\nvalue: str 1 i\nend\nend\nend\n"},
    {"a wait", "thread t {\nwait s >= 4 then subtract 5\n}\n",
     "step: str 4 wait\nsemaphore: str 1 s\ncompare: str 2 >=\nvalue: int 4\nthen: str 8 subtract\nthen_value: int 5\nend\n"},
    {"a signal", "thread t {\nsignal s sub 1\n}\n", "step: str 6 signal\nsemaphore: str 1 s\nop: str 3 sub\nvalue: int 1\nend\n"},
    {"a push", "thread t {\npush q by 1\n}\n", "step: str 4 push\nfifo: str 1 q\nby: int 1\nend\n"},
    {"a pointer", "thread t {\nset_pointer q local = 3\n}\n",
     "step: str 11 set_pointer\nfifo: str 1 q\npointer: str 5 local\nvalue: int 3\nend\n"},
    {"a sum", "thread t {\nmove fma from [x f32[4] scale 0.5] to y f32[4] + 16\n}\n",
     "step: str 4 move\nop: str 3 fma\nfrom: list\nmap\nview: str 8 x f32[4]\nscale: float 0.5\nend\nend\nto: str 13 y f32[4] + 16\nend\n"},
    {"a move", "thread t {\nmove max from [x i32[2, 3]] to y i32[3, 2] in i32 start -1 transpose [1, 0] table [1] fill 2\n}\n",
     "step: str 4 move\nop: str 3 max\nfrom: list\nmap\nview: str 11 x i32[2, 3]\nend\nend\nto: str 11 y i32[3, 2]\n"
     "in: str 3 i32\nstart: float -1\ntranspose: list\nuint 1\nuint 0\nend\ntable: list\nint 1\nend\nfill: float 2\nend\n"},
    {"a computation", "thread t {\ncompute golden.quantize(dtype tt-bfp8b, height 32, width 16) from [x f32 tiled()] to [y f32 tiled()]\n}\n",
     "step: str 7 compute\nop: str 15 golden.quantize\nattributes: map\ndtype: str 8 tt-bfp8b\nheight: int 32\nwidth: int 16\nend\n"
     "from: list\nstr 13 x f32 tiled()\nend\nto: list\nstr 13 y f32 tiled()\nend\nend\n"},
    {"a collective", "thread t {\ncollective all_reduce add group 1 members 2 rank 0 from x f32[4] to y f32[4]\n}\n",
     "step: str 10 collective\nkind: str 10 all_reduce\nop: str 3 add\ngroup: uint 1\nmembers: uint 2\nrank: uint 0\n"
     "from: str 8 x f32[4]\nto: str 8 y f32[4]\nend\n"},
    {"a record", "thread t {\nopaque PE record 01 reads [x u8[8]] writes [view(@99)] skip\n}\n",
     "step: str 6 opaque\nname: str 2 PE\nrecord: str 2 01\nreads: list\nstr 7 x u8[8]\nend\n"
     "writes: list\nstr 9 view(@99)\nend\nskip: true\nend\n"},
    {"an entry", "thread t home 2 {\nregister i lifetime run\n}\nentry e once {\nstart t\nparameter $p thread t register i\n}\n",
     "name: str 1 e\nonce: true\nstart: list\nstr 1 t\nend\nparameters: list\nmap\nname: str 2 $p\nthread: str 1 t\nregister: str 1 i\nend\nend\nend\n"},
};
// clang-format on

static hoist_str sent(hoist_test *t, const hoist_program *program, bool positions)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, hoist_program_send(program, positions, &sink), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

HOIST_TEST_TABLE(rows_have_what_the_text_has, cases)
{
    hoist_program *program = hoist_test_program(
        t, hoist_arena_format(&t->arena, HOIST_COMMON_ROWS "%s", row->text), HOIST_OK);
    const hoist_str found = program ? sent(t, program, false) : HOIST_STR("");
    const char *const item = hoist_arena_format(&t->arena, "map\n%s", row->sent).data;
    const char *const member = hoist_arena_format(&t->arena, "\n%s", row->sent).data;
    if (!hoist_str_contains(found, item) && !hoist_str_contains(found, member)) {
        hoist_test_fail(t, __FILE__, __LINE__, "no %s in\n%s", row->sent, found.data);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(places_are_those_of_the_lines)
{
    hoist_program *program = hoist_test_program(
        t, HOIST_STR("program p\n space m\nthread t {\n  a: drain @0\n}\nentry e {\n}\n"),
        HOIST_OK);
    HOIST_EXPECT_STR(
        t, sent(t, program, true),
        "name: str 1 p\nspaces: list\nmap @2:2\nname: str 1 m\nend\nend\n"
        "buffers: list\nend\nrelocations: list\nend\nports: list\nend\nneeds: list\nend\n"
        "fifos: list\nend\nunits: list\nend\nsemaphores: list\nend\nfunctions: list\nend\n"
        "threads: list\nmap @3:1\nname: str 1 t\nregisters: list\nend\nsteps: list\n"
        "map @4:6\nstep: str 5 drain\nlabel: str 1 a\nunit: str 2 @0\nend\nend\nend\nend\n"
        "entries: list\nmap @6:1\nname: str 1 e\nstart: list\nend\n"
        "parameters: list\nend\nend\nend\n");
    hoist_program_destroy(program);
}

HOIST_TEST(a_sink_may_end_it)
{
    hoist_program *program =
        hoist_test_program(t, HOIST_STR(HOIST_COMMON_ROWS "entry e {\n}\n"), HOIST_OK);
    hoist_status status = HOIST_IO;
    for (size_t n = 0; status == HOIST_IO && n < 1000; n++) {
        size_t left = n;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        status = hoist_program_send(program, true, &sink);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    hoist_program_destroy(program);
}

static hoist_status send_starved(hoist_allocator alloc, const void *self)
{
    const hoist_str text = hoist_str_from(self);
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    hoist_program *program = NULL;
    HOIST_TRY(hoist_program_parse((hoist_bytes){(const uint8_t *)text.data, text.size}, alloc, NULL,
                                  &program));
    const hoist_status status = hoist_program_send(program, true, &sink);
    hoist_program_destroy(program);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, send_starved, HOIST_COMMON_ROWS "entry e {\n}\n");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_have_what_the_text_has),
                HOIST_TEST_ROW(places_are_those_of_the_lines), HOIST_TEST_ROW(a_sink_may_end_it),
                HOIST_TEST_ROW(memory_may_run_out))
