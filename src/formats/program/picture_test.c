// Pictures of programs: the nodes of a thread or function are its steps, then the places that they
// use in the order of their first use; edges say what is read as which operand, and what is
// written.
#include <string.h>

#include "base/buffer.h"
#include "base/picture.h"
#include "base/span.h"
#include "formats/program/module.h"
#include "testing/test.h"

#define HEAD "program p\nspace m\n"
#define PLACES                                                                                     \
    "buffer x in m size 8 lifetime session\nbuffer y in m size 8 lifetime session\n"               \
    "buffer z in m size 8 lifetime session\n"
#define MOVE(from, to) "move copy from [" from " f32[2]] to " to " f32[2]\n"
#define ADD(a, b, to) "compute ieee.add from [" a " f32[2], " b " f32[2]] to [" to " f32[2]]\n"

static hoist_module *open_text(hoist_test *t, const char *text)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_format.read(bytes, &options, t->diag, &module), HOIST_OK);
    return module;
}

// "thread t: copy x y | x>copy#0 copy>y": nodes, then edges.
static void list_graph(const hoist_picture_graph *graph, hoist_buffer *out)
{
    hoist_buffer_format(out, "%s %.*s:", graph->title, HOIST_STR_ARGS(graph->name));
    for (size_t i = 0; i < graph->node_count; i++) {
        hoist_buffer_format(out, " %.*s", HOIST_STR_ARGS(graph->nodes[i].name));
    }
    hoist_buffer_c(out, " |");
    for (size_t i = 0; i < graph->edge_count; i++) {
        const hoist_picture_edge *const edge = &graph->edges[i];
        hoist_buffer_format(out, " %.*s>%.*s", HOIST_STR_ARGS(graph->nodes[edge->from].name),
                            HOIST_STR_ARGS(graph->nodes[edge->to].name));
        if (edge->kind == HOIST_PICTURE_READS) {
            hoist_buffer_format(out, "#%u", (unsigned)edge->number);
        }
    }
    hoist_buffer_c(out, "\n");
}

// clang-format off
static const struct {
    const char *name;
    const char *text; // after HEAD
    const char *expected;
} cases[] = {
    {"operands are numbered by step",
     PLACES "thread t {\na: " ADD("x", "y", "z") "b: " ADD("z", "x", "y") "}\n",
     "thread t: a b x y z | x>a#0 y>a#1 a>z z>b#0 x>b#1 b>y\n"},
    {"one place twice",
     PLACES "thread t {\na: " ADD("x", "x", "x") "}\n",
     "thread t: a x | x>a#0 x>a#1 a>x\n"},
    {"each thread has its own places",
     PLACES "thread t {\na: " MOVE("x", "y") "}\nthread u {\nb: " MOVE("y", "z") "c: " MOVE("z", "x") "}\n",
     "thread t: a x y | x>a#0 a>y\n"
     "thread u: b c y z x | y>b#0 b>z z>c#0 c>x\n"},
    {"threads come before functions",
     PLACES "function f {\na: " MOVE("x", "y") "}\nthread t {\nb: call f with []\n}\n",
     "thread t: b |\n"
     "function f: a x y | x>a#0 a>y\n"},
    {"parameters of each function",
     PLACES "function f {\nparameter v view f32[2]\nparameter w view f32[2] written\na: " MOVE("param(v)", "param(w)") "}\n"
     "function g {\nparameter o view f32[2] written\nb: " MOVE("x", "param(o)") "}\n",
     "function f: a v w | v>a#0 a>w\n"
     "function g: b x o | x>b#0 b>o\n"},
    {"a window is a place of its own",
     PLACES "buffer half in m size 4 window x offset 4\nthread t {\na: move copy from [half f32[1]] to y f32[1]\nb: " MOVE("x", "z") "}\n",
     "thread t: a b half y x z | half>a#0 a>y x>b#0 b>z\n"},
    {"steps without a label have the name of their kind",
     PLACES "thread t {\n" MOVE("x", "y") "}\n",
     "thread t: move x y | x>move#0 move>y\n"},
    {"loops are no nodes",
     PLACES "semaphore s\nthread t {\nregister i\nloop 3\nalu i = add i 1\na: " MOVE("x", "y") "end\nsignal s add 1\n}\n",
     "thread t: a x y | x>a#0 a>y\n"},
    {"threads of control alone are left out",
     PLACES "semaphore s\nthread t {\nsignal s add 1\n}\nthread u {\na: " MOVE("x", "y") "}\n",
     "thread u: a x y | x>a#0 a>y\n"},
    {"slots of fifos",
     "buffer b in m size 16 lifetime session\nfifo q queue of f32[2] slots 2 in [b] slot_bytes 8 host_pop\n" PLACES
     "thread t {\na: " MOVE("x", "write(q)") "push q by 1\n}\n",
     "thread t: a x q | x>a#0 a>q\n"},
};
// clang-format on

HOIST_TEST_TABLE(nodes_and_edges, cases)
{
    hoist_module *const module =
        open_text(t, hoist_arena_format(&t->arena, HEAD "%s", row->text).data);
    hoist_picture picture;
    hoist_buffer out;
    hoist_picture_init(&picture, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_format.check(module, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    HOIST_EXPECT_EQ(t, program_picture(module, NULL, t->diag, &picture), HOIST_OK);
    for (size_t i = 0; i < picture.graph_count; i++) {
        list_graph(&picture.graphs[i], &out);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&picture);
    hoist_program_format.destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(nodes_and_edges))
