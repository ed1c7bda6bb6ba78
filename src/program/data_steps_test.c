// How many data steps a run does: known where code says it, 0 where something else decides.
#include "program/data_steps.h"
#include "program/program_testing.h"

#define BEGIN                                                                                      \
    "program p\nspace m\nbuffer x in m size 64 lifetime session contents zero\nunit u depth 1\n"   \
    "unit v depth 1\n"

#define MOVE "move copy from [x f32[4]] to x f32[4] + 16\n"

#define TWO "function two {\n" MOVE MOVE "}\n"

#define THREAD(steps) "thread main {\nregister n lifetime run\nregister k\n" steps "}\n"

#define ENTRY "entry run {\nstart main\nparameter $n thread main register n\n}\n"

static const struct {
    const char *name;
    const char *text;
    int64_t parameter;
    uint64_t count;
} cases[] = {
    {"no steps", BEGIN THREAD("") ENTRY, 1, 0},
    {"only control", BEGIN THREAD("alu k = set 5\ndrain u\n") ENTRY, 1, 0},
    {"one after the other", BEGIN THREAD(MOVE "alu k = set 5\n" MOVE) ENTRY, 1, 2},
    {"a loop", BEGIN THREAD("loop 3\n" MOVE MOVE "end\n" MOVE) ENTRY, 1, 7},
    {"a loop in a loop", BEGIN THREAD("loop 3\nloop 4\n" MOVE "end\n" MOVE "end\n") ENTRY, 1, 15},
    {"a loop that does not run", BEGIN THREAD("loop -3\n" MOVE "end\n" MOVE) ENTRY, 1, 1},
    {"a parameter of the entry", BEGIN THREAD("loop n\n" MOVE "end\n") ENTRY, 5, 5},
    {"a parameter below 0", BEGIN THREAD("loop n\n" MOVE "end\n") ENTRY, -5, 0},
    {"a parameter that changes", BEGIN THREAD("alu n = add n 1\nloop n\n" MOVE "end\n") ENTRY, 5,
     0},
    {"a computed count", BEGIN THREAD("alu k = set 5\nloop k\n" MOVE "end\n") ENTRY, 1, 0},
    {"a computed count of nothing", BEGIN THREAD("loop k\nend\n" MOVE) ENTRY, 1, 1},
    {"a branch", BEGIN THREAD(MOVE "branch k < 4 to 0\n") ENTRY, 1, 0},
    {"calls and posted calls",
     BEGIN TWO THREAD("call two\nloop 10\npost u two\npost v two\nend\n") ENTRY, 1, 42},
    {"calls of calls",
     BEGIN TWO "function four {\ncall two\ncall two\n}\n" THREAD("post u four\n") ENTRY, 1, 4},
    {"a table of functions", BEGIN TWO THREAD("post u [two, two] at k\n") ENTRY, 1, 0},
    {"a function's own parameter",
     BEGIN "function f {\nparameter n\nloop n\n" MOVE "end\n}\n" THREAD("call f with [3]\n") ENTRY,
     1, 0},
    {"more than fits",
     BEGIN THREAD("loop 9223372036854775807\nloop 9223372036854775807\n" MOVE "end\nend\n") ENTRY,
     1, 0},
    {"loops nested too deep",
     BEGIN THREAD("loop 1\nloop 1\nloop 1\nloop 1\nloop 1\nloop 1\nloop 1\nloop 1\nloop 1\n" MOVE
                  "end\nend\nend\nend\nend\nend\nend\nend\nend\n") ENTRY,
     1, 0},
    {"a function that calls itself",
     BEGIN "function f {\n" MOVE "call f\n}\n" THREAD("call f\n") ENTRY, 1, 0},
    {"several threads",
     BEGIN THREAD(MOVE) "thread other {\n" MOVE MOVE "}\n"
                        "entry run {\nstart main\nstart other\n"
                        "parameter $n thread main register n\n}\n",
     1, 3},
    {"steps of ranks together do not count",
     BEGIN THREAD(MOVE "collective barrier group 0 members 1 rank 0\n") ENTRY, 1, 1},
};

HOIST_TEST_TABLE(counts, cases)
{
    hoist_program *const p = hoist_test_program(t, hoist_str_from(row->text), HOIST_OK);
    if (p) {
        HOIST_EXPECT_EQ(t,
                        hoist_program_data_steps(p, 0, &row->parameter, hoist_allocator_system()),
                        row->count);
    }
    hoist_program_destroy(p);
}

static void *no_memory(void *self, void *old, size_t old_size, size_t new_size)
{
    (void)self;
    (void)old;
    (void)old_size;
    (void)new_size;
    return NULL;
}

HOIST_TEST(without_memory_the_count_is_not_known)
{
    static const char text[] = BEGIN THREAD(MOVE) ENTRY;
    const int64_t parameter = 1;
    hoist_program *const p = hoist_test_program(t, hoist_str_from(text), HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_program_data_steps(p, 0, &parameter, (hoist_allocator){.resize = no_memory}), 0);
    hoist_program_destroy(p);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(counts), HOIST_TEST_ROW(without_memory_the_count_is_not_known))
