// The convention of hoist/base.h: what out_ parameters point to is NULL, 0, false or empty after a
// failure, whatever was there before.
#include "hoist/hoist.h"

#include "testing/test.h"

static char before; // something that pointers may point to

static hoist_job *netlist(hoist_test *t)
{
    static const char text[] = "devices: {arch: grayskull}\n";
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "n", NULL, NULL, &job), HOIST_OK);
    return job;
}

static void *left_by_diag_create(hoist_test *t)
{
    const hoist_diag_options options = {.struct_size = 1};
    hoist_diag *out = (hoist_diag *)&before;
    HOIST_EXPECT(t, hoist_diag_create(hoist_allocator_system(), &options, &out) != HOIST_OK);
    return out;
}

static void *left_by_open(hoist_test *t)
{
    hoist_job *out = (hoist_job *)&before;
    HOIST_EXPECT(t, hoist_job_open("/nonexistent", NULL, NULL, &out) != HOIST_OK);
    return out;
}

static void *left_by_open_bytes(hoist_test *t)
{
    hoist_job *out = (hoist_job *)&before;
    HOIST_EXPECT(t,
                 hoist_job_open_bytes((hoist_bytes){NULL, 0}, "n", NULL, NULL, &out) != HOIST_OK);
    return out;
}

static void *left_by_lower(hoist_test *t)
{
    hoist_job *job = netlist(t);
    hoist_program *out = (hoist_program *)&before;
    HOIST_EXPECT(t, hoist_job_lower(job, NULL, NULL, &out) != HOIST_OK);
    hoist_job_close(job);
    return out;
}

static void *left_by_order(hoist_test *t)
{
    const hoist_order_check options = {.struct_size = 1};
    hoist_job *job = netlist(t);
    hoist_verdict out = HOIST_VERDICT_CLEAN;
    HOIST_EXPECT(t, hoist_job_check_order(job, &options, NULL, &out) != HOIST_OK);
    hoist_job_close(job);
    return out == HOIST_VERDICT_NONE ? NULL : &before;
}

static void *left_by_disasm(hoist_test *t)
{
    hoist_job *job = netlist(t);
    hoist_mut_bytes out = {(uint8_t *)&before, 1};
    HOIST_EXPECT(t, hoist_job_disasm(job, NULL, NULL, &out) != HOIST_OK);
    hoist_job_close(job);
    return out.size || out.data ? &before : NULL;
}

static void *left_by_verify(hoist_test *t)
{
    hoist_job *job = netlist(t);
    bool out = true;
    HOIST_EXPECT(t, hoist_job_verify(job, NULL, &out) != HOIST_OK);
    hoist_job_close(job);
    return out ? &before : NULL;
}

static void *left_by_pack(hoist_test *t)
{
    const hoist_pack_options options = {.struct_size = sizeof(options), .format = "none"};
    hoist_mut_bytes out = {(uint8_t *)&before, 1};
    HOIST_EXPECT(t, hoist_pack(NULL, 0, &options, NULL, &out) != HOIST_OK);
    return out.size || out.data ? &before : NULL;
}

static void *left_by_neff_create(hoist_test *t)
{
    const hoist_neff_options options = {.struct_size = sizeof(options), .pkg_version = 3};
    hoist_neff *out = (hoist_neff *)&before;
    HOIST_EXPECT(t, hoist_neff_create(&options, &out) != HOIST_OK);
    return out;
}

// Of a file that cannot be made, and of a member that it lacks.
static void *left_by_neff(hoist_test *t, bool finish)
{
    hoist_neff *neff = NULL;
    hoist_bytes out = {(const uint8_t *)&before, 1};
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, "/x", (hoist_bytes){NULL, 0}), HOIST_OK);
    const hoist_status status =
        finish ? hoist_neff_finish(neff, NULL, &out) : hoist_neff_member(neff, "y", &out);
    HOIST_EXPECT(t, status != HOIST_OK);
    hoist_neff_destroy(neff);
    return out.size || out.data ? &before : NULL;
}

static void *left_by_neff_finish(hoist_test *t)
{
    return left_by_neff(t, true);
}

static void *left_by_neff_member(hoist_test *t)
{
    return left_by_neff(t, false);
}

static void *left_by_npy_read(hoist_test *t)
{
    hoist_array out = {.rank = 1, .owned = (uint8_t *)&before};
    HOIST_EXPECT(t, hoist_npy_read((hoist_bytes){NULL, 0}, hoist_allocator_system(), NULL, &out) !=
                        HOIST_OK);
    return out.rank || out.owned ? &before : NULL;
}

static void *left_by_npy_begin(hoist_test *t)
{
    const hoist_array array = {.dtype = HOIST_DTYPE_TT_BFP8A, .rank = 1, .shape = {16}};
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t out = 1;
    HOIST_EXPECT(t,
                 hoist_npy_begin(&array, hoist_allocator_system(), NULL, header, &out) != HOIST_OK);
    return out ? &before : NULL;
}

static const struct {
    const char *name;
    void *(*call)(hoist_test *t); // what a call that failed left; NULL: nothing
} calls[] = {
    {"hoist_diag_create", left_by_diag_create},   {"hoist_job_open", left_by_open},
    {"hoist_job_open_bytes", left_by_open_bytes}, {"hoist_job_lower", left_by_lower},
    {"hoist_job_check_order", left_by_order},     {"hoist_job_disasm", left_by_disasm},
    {"hoist_job_verify", left_by_verify},         {"hoist_pack", left_by_pack},
    {"hoist_neff_create", left_by_neff_create},   {"hoist_neff_finish", left_by_neff_finish},
    {"hoist_neff_member", left_by_neff_member},   {"hoist_npy_read", left_by_npy_read},
    {"hoist_npy_begin", left_by_npy_begin},
};

HOIST_TEST_TABLE(nothing_is_left, calls)
{
    HOIST_EXPECT(t, row->call(t) == NULL);
}

HOIST_TEST(nothing_is_left_by_sessions)
{
    static const char text[] = "PSEUDO_INST EXIT;\n";
    hoist_neff *neff = NULL;
    hoist_bytes bytes = {NULL, 0};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    const hoist_neff_variable out = {
        .struct_size = sizeof(out), .name = "y", .type = "output", .size = 4};
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &out), HOIST_OK);
    for (int i = 0; i < HOIST_NEFF_ENGINE_COUNT; i++) {
        HOIST_EXPECT_EQ(t, hoist_neff_add_code(neff, 0, (hoist_neff_engine)i, text, t->diag),
                        HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "n", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_lower(job, NULL, t->diag, &program), HOIST_OK);

    const hoist_session_options options = {.struct_size = sizeof(options),
                                           .schedule = (hoist_run_schedule)9};
    hoist_session *session = (hoist_session *)&before;
    HOIST_EXPECT(t, hoist_session_open(program, &options, t->diag, &session) != HOIST_OK);
    HOIST_EXPECT(t, session == NULL);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, NULL, t->diag, &session), HOIST_OK);
    uint64_t unknown = 1;
    HOIST_EXPECT_EQ(t, hoist_session_unknown(session, "x", 0, &unknown), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, unknown, 0);

    hoist_session_close(session);
    hoist_program_destroy(program);
    hoist_job_close(job);
    hoist_neff_destroy(neff);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(nothing_is_left), HOIST_TEST_ROW(nothing_is_left_by_sessions))
