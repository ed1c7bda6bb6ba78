#include "runtime/routes.h"
#include "runtime/runtime_testing.h"

#define FIFO(rest)                                                                                 \
    "program p\nspace r0\nspace r1 home 1\nspace wire\n"                                           \
    "buffer m in wire size 32 lifetime run\n"                                                      \
    "fifo a queue of f32[4] slots 2 in [m] slot_bytes 16\n" rest
#define ENTRY "entry e {\nstart t0\nstart t1\n}\n"
#define FILL "reserve a\npush a by 1\n"
#define EMPTY "await a\nadvance a by 1\npop a by 1\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    hoist_status status;
    size_t fifos;
    size_t meetings;
} cases[] = {
    {"from 0 to 1",              FIFO("thread t0 {\n" FILL "}\nthread t1 home 1 {\n" EMPTY "}\n" ENTRY),                          HOIST_OK, 1, 0},
    {"from 1 to 0",              FIFO("thread t0 {\n" EMPTY "}\nthread t1 home 1 {\n" FILL "}\n" ENTRY),                          HOIST_OK, 1, 0},
    {"within a home",            FIFO("thread t0 {\n" FILL EMPTY "}\nthread t1 home 1 {\n}\n" ENTRY),                             HOIST_OK, 0, 0},
    {"never emptied",            FIFO("thread t0 {\n" FILL "}\nthread t1 home 1 {\n}\n" ENTRY),                                   HOIST_OK, 0, 0},
    {"by a function",            FIFO("function f {\n" FILL "}\nthread t0 {\ncall f\n}\nthread t1 home 1 {\n" EMPTY "}\n" ENTRY), HOIST_OK, 1, 0},
    {"by a function of two",     FIFO("function f {\n" FILL "}\nthread t0 {\ncall f\n" EMPTY "}\nthread t1 home 1 {\ncall f\n}\n" ENTRY), HOIST_UNSUPPORTED, 0, 0},
    {"emptied by two",           FIFO("thread t0 {\n" FILL EMPTY "}\nthread t1 home 1 {\n" EMPTY "}\n" ENTRY),                    HOIST_UNSUPPORTED, 0, 0},
    {"a pointer that is set",    FIFO("thread t0 {\n" FILL "set_pointer a read = 0\n}\nthread t1 home 1 {\n" EMPTY "}\n" ENTRY), HOIST_UNSUPPORTED, 0, 0},
    {"slots that others have",   FIFO("fifo b queue of f32[4] slots 2 in [m] slot_bytes 16\nthread t0 {\n" FILL "}\nthread t1 home 1 {\n" EMPTY "}\n" ENTRY), HOIST_UNSUPPORTED, 0, 0},
    {"a group of two homes",     FIFO("thread t0 {\nloop 2\ncollective barrier group 3 members 2 rank 0\nend\n}\nthread t1 home 1 {\nloop 2\ncollective barrier group 3 members 2 rank 1\nend\n}\n" ENTRY), HOIST_OK, 0, 2},
    {"groups of one home each",  FIFO("thread t0 {\ncollective barrier group 3 members 1 rank 0\n}\nthread t1 home 1 {\ncollective barrier group 4 members 1 rank 0\n}\n" ENTRY), HOIST_OK, 0, 2},
};
// clang-format on

HOIST_TEST_TABLE(routes_of_programs, cases)
{
    hoist_program *program = runtime_program(t, row->text);
    hoist_routes routes;
    HOIST_EXPECT_EQ(t, hoist_routes_init(&routes, program, hoist_allocator_system()), row->status);
    HOIST_EXPECT_EQ(t, routes.refused, row->status == HOIST_OK ? HOIST_NO_REF : 0);
    HOIST_EXPECT_EQ(t, routes.fifo_count, row->fifos);
    HOIST_EXPECT_EQ(t, routes.meeting_count, row->meetings);
    for (size_t i = 0; i < routes.fifo_count; i++) {
        HOIST_EXPECT(t, routes.fifos[i].writer != routes.fifos[i].reader);
    }
    HOIST_EXPECT_EQ(t, hoist_routes_homes(program), 2);
    hoist_routes_deinit(&routes);
    hoist_program_destroy(program);
}

HOIST_TEST(who_meets)
{
    hoist_program *program = runtime_program(t, cases[9].text);
    hoist_routes routes;
    HOIST_EXPECT_EQ(t, hoist_routes_init(&routes, program, hoist_allocator_system()), HOIST_OK);
    HOIST_EXPECT(t, hoist_routes_meets(&routes, 3, 0));
    HOIST_EXPECT(t, hoist_routes_meets(&routes, 3, 1));
    HOIST_EXPECT(t, !hoist_routes_meets(&routes, 4, 0));
    hoist_routes_deinit(&routes);
    hoist_program_destroy(program);
}

HOIST_TEST(a_fifo_knows_its_ends)
{
    hoist_program *program = runtime_program(t, cases[1].text);
    hoist_routes routes;
    HOIST_EXPECT_EQ(t, hoist_routes_init(&routes, program, hoist_allocator_system()), HOIST_OK);
    HOIST_EXPECT_EQ(t, routes.fifos[0].writer, 1);
    HOIST_EXPECT_EQ(t, routes.fifos[0].reader, 0);
    hoist_routes_deinit(&routes);
    hoist_program_destroy(program);
}

static hoist_status starved(hoist_allocator alloc, const void *self)
{
    hoist_routes routes;
    const hoist_status status = hoist_routes_init(&routes, self, alloc);
    hoist_routes_deinit(&routes);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_program *program = runtime_program(t, cases[9].text);
    hoist_test_starve(t, starved, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(routes_of_programs), HOIST_TEST_ROW(who_meets),
                HOIST_TEST_ROW(a_fifo_knows_its_ends), HOIST_TEST_ROW(memory_runs_out))
