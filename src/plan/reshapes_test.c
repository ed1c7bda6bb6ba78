// Which buffers of a call are read through tables: one function, and the letters of its buffers
// that are not stored.
#include <string.h>

#include "plan/calls.h"
#include "program/text.h"
#include "testing/test.h"

// x is the session's, a to d are of the call, w is a window of b; 4 tiles each. q is a queue.
#define BEGIN                                                                                      \
    "program p\nspace m\nbuffer x in m size 16384 lifetime session contents zero\n"                \
    "buffer a in m size 16384\nbuffer b in m size 16384\nbuffer c in m size 16384\n"               \
    "buffer d in m size 16384\nbuffer w in m size 4096 window b offset 4096\n"                     \
    "buffer q.memory in m size 16384 lifetime session\n"                                           \
    "fifo q queue of f32 tiled(t 4) slots 1 in [q.memory] slot_bytes 16512 tile_alignment 32\n"    \
    "function f {\n"
#define END "}\nthread t {\ncall f\n}\nentry e {\nstart t\n}\n"
#define FOUR "f32 tiled(t 4)"
#define TWOS "f32 tiled(t 2 mblock 1x2)"
#define MAKE_A "compute golden.reciprocal(vector 0) from [x " FOUR "] to [a " FOUR "]\n"
#define MOVE_B "move copy from [a " FOUR "] to b " TWOS " table [3, 2, 1, 0]\n"
#define SLOT_B "move copy from [read(q) " FOUR "] to b " TWOS " table [0, 0, 2, 0]\n"
#define READ_B "compute golden.reciprocal(vector 0) from [b " TWOS "] to [c " TWOS "]\n"

// clang-format off
static const struct {
    const char *name;
    const char *code;
    const char *reshaped;
} cases[] = {
    {"by a table",               MAKE_A MOVE_B READ_B, "b"},
    {"in other blocks",          MAKE_A "move copy from [a " FOUR "] to b " FOUR "\ncompute golden.add from [b " FOUR ", a " FOUR "] to [c " FOUR "]\n", "b"},
    {"read twice",               MAKE_A MOVE_B READ_B "move copy from [b " TWOS "] to x " FOUR "\n", "b"},
    {"never read",               MAKE_A MOVE_B, ""},
    {"of the session",           "move copy from [x " FOUR "] to b " TWOS " table [3, 2, 1, 0]\n" READ_B, ""},
    {"source written later",     MAKE_A MOVE_B MAKE_A READ_B, ""},
    {"source written in place",  MAKE_A "move copy from [a " FOUR "] to b " FOUR " table [3, 2, 1, 0]\ncompute golden.add from [a " FOUR ", b " FOUR "] to [a " FOUR "]\n", ""},
    {"written twice",            MAKE_A MOVE_B MOVE_B READ_B, ""},
    {"written in place",         MAKE_A MOVE_B "compute golden.reciprocal(vector 0) from [b " TWOS "] to [b " TWOS "]\n" READ_B, ""},
    {"written through a window", MAKE_A MOVE_B "move copy from [x f32 tiled()] to w f32 tiled()\n" READ_B, ""},
    {"a part is read",           MAKE_A MOVE_B "compute golden.reciprocal(vector 0) from [b f32 tiled() + 1] to [c f32 tiled()]\n", ""},
    {"read as other blocks",     MAKE_A MOVE_B "compute golden.reciprocal(vector 0) from [b " FOUR "] to [c " FOUR "]\n", ""},
    {"elements are read",        MAKE_A MOVE_B "compute ieee.add from [b f32[4], b f32[4]] to [c f32[4]]\n", ""},
    {"filled in part",           MAKE_A "move copy from [a " FOUR "] to b " TWOS " table [3, -1, 1, 0] fill 1\n" READ_B, ""},
    {"two sources",              MAKE_A "move copy from [a " FOUR ", x " FOUR "] to b " TWOS " table [3, 5, 1, 0]\n" READ_B, ""},
    {"a chain",                  MAKE_A MOVE_B "move copy from [b " TWOS "] to d " FOUR " table [1, 1, 1, 1]\ncompute golden.reciprocal(vector 0) from [d " FOUR "] to [c " FOUR "]\n", "b"},
    {"a slot",                   "await q\n" SLOT_B READ_B, "b"},
    {"a slot that is popped",    "await q\n" SLOT_B "pop q by 1\n" READ_B, ""},
    {"a slot, other memory",     "await q\n" SLOT_B "move copy from [b " TWOS "] to x " FOUR "\n" READ_B, ""},
    {"in a loop",                "loop 2\n" MAKE_A MOVE_B READ_B "end\n", ""},
    {"before an opaque step",    MAKE_A MOVE_B READ_B "opaque P record 00 reads [c f32[4]]\n", ""},
};
// clang-format on

HOIST_TEST_TABLE(what_is_not_stored, cases)
{
    const hoist_str text = hoist_arena_format(&t->arena, BEGIN "%s" END, row->code);
    hoist_program *program = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    if (!program) {
        return;
    }
    hoist_call_plan plan;
    HOIST_EXPECT_EQ(t, hoist_call_plan_build(program, NULL, hoist_allocator_system(), &plan),
                    HOIST_OK);
    char found[8] = "";
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_str name = program->buffers[i].name;
        if (plan.reshapes[i].move && strlen(found) < sizeof found - 1) {
            found[strlen(found)] = name.data[0];
            HOIST_EXPECT_EQ(t, plan.offset[i], UINT64_MAX);
        }
    }
    HOIST_EXPECT_STR(t, hoist_str_from(found), row->reshaped);
    hoist_call_plan_deinit(&plan);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_not_stored))
