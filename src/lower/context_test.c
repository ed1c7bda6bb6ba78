// The context of lowering: names, statuses that stay, findings and their places.
#include "base/alloc.h"
#include "lower/context.h"
#include "testing/test.h"

typedef struct bench {
    hoist_module module; // no file
    hoist_lower_context c;
} bench;

static hoist_status begin(bench *n, hoist_diag *diag, hoist_allocator alloc)
{
    *n = (bench){.module = {.alloc = alloc}};
    const hoist_file file = {.module = &n->module, .name = HOIST_STR("a.bin")};
    hoist_diag_source(diag, file.name, HOIST_STR(""));
    return hoist_lower_begin(&n->c, HOIST_STR("test"), &file, NULL, diag);
}

static void add_buffer(bench *n, hoist_str name, hoist_ref space)
{
    (void)hoist_builder_buffer(n->c.b, &(hoist_prog_buffer){.name = name,
                                                            .loc = hoist_loc_byte(12),
                                                            .space = space,
                                                            .size = 8,
                                                            .alignment = 1,
                                                            .window_of = HOIST_NO_REF,
                                                            .layout = HOIST_NO_REF});
}

static hoist_ref add_space(bench *n)
{
    return hoist_builder_space(n->c.b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1});
}

// Names -----------------------------------------------------------------------------------------

HOIST_TEST(names_have_any_bytes_and_fronts)
{
    bench n;
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    hoist_lower_context *c = &n.c;
    const hoist_str odd = HOIST_STR("a\0b");
    HOIST_EXPECT_STR(t, hoist_lower_format(c, "x%d", 3), "x3");
    HOIST_EXPECT(t, hoist_str_equal(hoist_lower_joined(c, odd, odd), HOIST_STR("a\0ba\0b")));
    HOIST_EXPECT(t, hoist_str_equal(hoist_lower_name(c, odd, "/%u", 7U), HOIST_STR("a\0b/7")));
    HOIST_EXPECT(t, hoist_lower_format(c, "%s", "").data != NULL);
    HOIST_EXPECT_STR(t, hoist_lower_name(c, HOIST_STR("front"), "%s", ""), "front");
    HOIST_EXPECT_EQ(t, hoist_lower_status(c), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_lower_rank(c, 1), "");
    c->rank_count = 1;
    HOIST_EXPECT_STR(t, hoist_lower_rank(c, 0), "");
    c->rank_count = 2;
    HOIST_EXPECT_STR(t, hoist_lower_name(c, hoist_lower_rank(c, 1), "%d", 12), "rank1/12");
    hoist_lower_deinit(c);
}

HOIST_TEST(numbers_go_on_where_names_are_free)
{
    bench n;
    uint64_t next = 0;
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    HOIST_EXPECT(t, hoist_lower_claim(&n.c, HOIST_STR("k/1")));
    HOIST_EXPECT(t, !hoist_lower_claim(&n.c, HOIST_STR("k/1")));
    HOIST_EXPECT_STR(t, hoist_lower_numbered(&n.c, HOIST_STR("k"), &next), "k/0");
    HOIST_EXPECT_STR(t, hoist_lower_numbered(&n.c, HOIST_STR("k"), &next), "k/2");
    HOIST_EXPECT_EQ(t, next, 3);
    next = 0;
    HOIST_EXPECT_STR(t, hoist_lower_numbered(&n.c, HOIST_STR("k"), &next), "k/3");
    HOIST_EXPECT_EQ(t, n.c.status, HOIST_OK); // a name that is taken is no failure
    hoist_lower_deinit(&n.c);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str first, second;
    bool located; // in a member
    hoist_status status;
    const char *findings;
} programs[] = {
    {"different", {"a", 1}, {"b", 1}, false, HOIST_OK, ""},
    {"the same", {"a", 1}, {"a", 1}, false, HOIST_UNSUPPORTED,
     "+0xc: error: two buffers are called 'a' [RUN-010]\n"},
    {"the same in members", {"a", 1}, {"a", 1}, true, HOIST_UNSUPPORTED,
     "error: two buffers are called 'a' [RUN-010]\n"},
    {"none", {"a", 1}, {"", 0}, false, HOIST_UNSUPPORTED,
     "+0xc: error: one of the buffers has an empty name [RUN-010]\n"},
};
// clang-format on

HOIST_TEST_TABLE(names_of_programs, programs)
{
    static const hoist_name_table unique[] = {HOIST_NAMES_BUFFER};
    bench n;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    const hoist_ref space = add_space(&n);
    add_buffer(&n, row->first, space);
    if (row->located) {
        const hoist_source member = {HOIST_STR("a.bin"), HOIST_STR("m.json"), 0};
        hoist_loc loc = hoist_loc_byte(12);
        loc.source = hoist_builder_source(n.c.b, member);
        (void)hoist_builder_buffer(n.c.b, &(hoist_prog_buffer){.name = row->second,
                                                               .loc = loc,
                                                               .space = space,
                                                               .size = 8,
                                                               .alignment = 1,
                                                               .window_of = HOIST_NO_REF,
                                                               .layout = HOIST_NO_REF});
    } else {
        add_buffer(&n, row->second, space);
    }
    HOIST_EXPECT_EQ(t, hoist_lower_finish(&n.c, unique, 1, &program), row->status);
    HOIST_EXPECT_EQ(t, program != NULL, row->status == HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_program_destroy(program);
    hoist_lower_deinit(&n.c);
}

// Findings --------------------------------------------------------------------------------------

HOIST_TEST(findings_say_where_and_what)
{
    bench n;
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    hoist_lower_place place = {.loc = hoist_loc_byte(16),
                               .file = HOIST_STR("b.bin"),
                               .member = HOIST_STR("m"),
                               .path = {HOIST_STR("x"), HOIST_STR(""), HOIST_STR("y/3")},
                               .front = HOIST_STR("op 3: "),
                               .part = HOIST_STR(" (record 3)")};
    place.loc.source = 5; // that of a step
    hoist_lower_refuse(&n.c, RUN_001, &place, "is %d", 9);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "+0x10: error: op 3: is 9 (record 3) [RUN-001]\n");
    const hoist_finding *finding = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, finding->file, "b.bin");
    HOIST_EXPECT_STR(t, finding->member, "m");
    HOIST_EXPECT_STR(t, finding->object, "x/y/3");
    HOIST_EXPECT_EQ(t, finding->loc.source, 0);
    HOIST_EXPECT_STR(t, hoist_diag_file(t->diag), "a.bin"); // back in the first file
    HOIST_EXPECT_STR(t, hoist_diag_member(t->diag), "");
    HOIST_EXPECT_EQ(t, hoist_lower_status(&n.c), HOIST_UNSUPPORTED);
    n.c.invalid = true;
    HOIST_EXPECT_EQ(t, hoist_lower_status(&n.c), HOIST_INVALID);
    hoist_lower_deinit(&n.c);
}

HOIST_TEST(notes_end_nothing)
{
    bench n;
    const hoist_lower_place place = {.part = HOIST_STR(" (record 3)")};
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    hoist_lower_refuse(&n.c, RUN_026, &place, "nothing");
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "note: nothing [RUN-026]\n"); // without the part
    HOIST_EXPECT(t, hoist_lower_goes_on(&n.c));
    HOIST_EXPECT_EQ(t, hoist_lower_status(&n.c), HOIST_OK);
    hoist_lower_deinit(&n.c);
}

HOIST_TEST(errors_end_the_work_unless_they_are_ignored)
{
    bench n;
    const hoist_lower_place place = {0};
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    hoist_lower_refuse(&n.c, RUN_001, &place, "one");
    HOIST_EXPECT(t, !hoist_lower_goes_on(&n.c));
    n.c.ignored = n.c.errors;
    HOIST_EXPECT(t, hoist_lower_goes_on(&n.c));
    hoist_lower_refuse(&n.c, RUN_001, &place, "two");
    HOIST_EXPECT(t, !hoist_lower_goes_on(&n.c));
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 2);
    hoist_lower_deinit(&n.c);
}

HOIST_TEST(the_first_failure_stays_and_silences)
{
    bench n;
    hoist_program *program = NULL;
    const hoist_lower_place place = {0};
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    hoist_lower_fail(&n.c, HOIST_OK);
    HOIST_EXPECT(t, hoist_lower_goes_on(&n.c));
    hoist_lower_fail(&n.c, HOIST_LIMIT);
    hoist_lower_fail(&n.c, HOIST_NO_MEMORY);
    HOIST_EXPECT(t, !hoist_lower_goes_on(&n.c));
    hoist_lower_refuse(&n.c, RUN_001, &place, "one");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 0);
    HOIST_EXPECT_EQ(t, hoist_lower_finish(&n.c, NULL, 0, &program), HOIST_LIMIT);
    HOIST_EXPECT(t, !program);
    hoist_lower_deinit(&n.c);
}

// What fails in the builder is a failure of the context, too.
HOIST_TEST(builders_fail_for_the_context)
{
    bench n;
    const hoist_lower_place place = {0};
    HOIST_EXPECT_EQ(t, begin(&n, t->diag, t->arena.alloc), HOIST_OK);
    (void)hoist_builder_step(n.c.b, &(hoist_prog_step){.kind = HOIST_STEP_END}); // no code
    hoist_lower_refuse(&n.c, RUN_001, &place, "one");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 0);
    HOIST_EXPECT_EQ(t, hoist_lower_status(&n.c), HOIST_INTERNAL);
    hoist_lower_deinit(&n.c);
}

// Memory ----------------------------------------------------------------------------------------

static hoist_status use_all(hoist_allocator alloc, const void *self)
{
    bench n;
    hoist_program *program = NULL;
    static const char long_front[1 << 17]; // more than an arena has left
    uint32_t *items = NULL;
    size_t count = 0;
    size_t capacity = 0;
    uint64_t next = 0;
    const uint32_t five = 5;
    const hoist_lower_place place = {.part = HOIST_STR("!")};
    (void)self;
    hoist_status status = begin(&n, NULL, alloc);
    if (status == HOIST_OK) {
        (void)add_space(&n);
        (void)hoist_lower_array(&n.c, 3, 4);
        (void)hoist_lower_scratch(&n.c, 3, 4);
        hoist_lower_clean(&n.c);
        (void)hoist_lower_add(&n.c, (void **)&items, &count, &capacity, &five, sizeof five);
        (void)hoist_lower_joined(&n.c, (hoist_str){long_front, sizeof long_front}, HOIST_STR("b"));
        (void)hoist_lower_numbered(&n.c, HOIST_STR("k"), &next);
        hoist_lower_refuse(&n.c, RUN_026, &place, "one");
        status = hoist_lower_finish(&n.c, NULL, 0, &program);
    }
    hoist_free(alloc, items, capacity * sizeof *items);
    hoist_program_destroy(program);
    hoist_lower_deinit(&n.c);
    return status;
}

HOIST_TEST(without_memory)
{
    hoist_test_starve(t, use_all, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(names_have_any_bytes_and_fronts),
                HOIST_TEST_ROW(numbers_go_on_where_names_are_free),
                HOIST_TEST_ROW(names_of_programs), HOIST_TEST_ROW(findings_say_where_and_what),
                HOIST_TEST_ROW(notes_end_nothing),
                HOIST_TEST_ROW(errors_end_the_work_unless_they_are_ignored),
                HOIST_TEST_ROW(the_first_failure_stays_and_silences),
                HOIST_TEST_ROW(builders_fail_for_the_context), HOIST_TEST_ROW(without_memory))
