#include <string.h>

#include "report/findings.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "T-001", .severity = HOIST_ERROR, .title = "e"};
static const hoist_rule other_rule = {.id = "T-002", .severity = HOIST_WARNING, .title = "w"};

typedef void fill_fn(hoist_diag *diag);

// Lines 1 to 5, with a column each.
static void lines(hoist_diag *diag)
{
    for (uint32_t i = 1; i <= 5; i++) {
        hoist_report(diag, &rule, hoist_loc_pos((hoist_pos){i, 2}), "queue 'q%u' has %u items", i,
                     i * 7);
        hoist_report(diag, &other_rule, hoist_loc_none(), "another %s", i % 2 ? "odd" : "even");
    }
}

static void three(hoist_diag *diag)
{
    for (uint64_t i = 0; i < 3; i++) {
        hoist_report(diag, &rule, hoist_loc_byte(i * 16), "byte %d", (int)i);
    }
}

static void one_place(hoist_diag *diag)
{
    for (int i = 0; i < 6; i++) {
        hoist_report(diag, &rule, hoist_loc_byte(32), "move (dma/0.%d, a:1) and read 'x%d'", i, i);
    }
}

static void equal(hoist_diag *diag)
{
    for (int i = 0; i < 4; i++) {
        hoist_report(diag, &rule, hoist_loc_none(), "it's odd");
    }
}

static void bytes(hoist_diag *diag)
{
    for (uint64_t i = 0; i < 4; i++) {
        hoist_report(diag, &rule, hoist_loc_byte(i / 2 * 16), "a record");
    }
}

static void members(hoist_diag *diag)
{
    static const char *const names[] = {"a", "b"};
    for (int i = 0; i < 6; i++) {
        hoist_diag_source(diag, HOIST_STR("f"), hoist_str_from(names[i % 2]));
        hoist_report(diag, &rule, hoist_loc_none(), "odd %d", i);
    }
}

// clang-format off
static const struct {
    const char *name;
    fill_fn *fill;
    const char *expected;
} groups[] = {
    {"places", lines,
     "1:2: error: queue 'q1' has 7 items [T-001]\n"
     "    4 more like it, at 2:2, 3:2, 4:2 ...; --all lists them\n"
     "warning: another odd [T-002]\nwarning: another even [T-002]\nwarning: another odd [T-002]\n"
     "warning: another even [T-002]\nwarning: another odd [T-002]\n"},
    {"three are no group", three,
     "+0x0: error: byte 0 [T-001]\n+0x10: error: byte 1 [T-001]\n+0x20: error: byte 2 [T-001]\n"},
    {"one place", one_place,
     "+0x20: error: move (dma/0.0, a:1) and read 'x0' [T-001]\n"
     "    5 more like it: dma/0.1, dma/0.2, dma/0.3 ...; --all lists them\n"},
    {"nothing differs", equal,
     "error: it's odd [T-001]\n    3 more like it; --all lists them\n"},
    {"a place is named once", bytes,
     "+0x0: error: a record [T-001]\n    3 more like it, at +0x10; --all lists them\n"},
    {"members are apart", members,
     "f!a: error: odd 0 [T-001]\nf!b: error: odd 1 [T-001]\nf!a: error: odd 2 [T-001]\n"
     "f!b: error: odd 3 [T-001]\nf!a: error: odd 4 [T-001]\nf!b: error: odd 5 [T-001]\n"},
};
// clang-format on

static hoist_status write(hoist_allocator alloc, fill_fn *fill, hoist_buffer *out)
{
    hoist_diag *diag = NULL;
    HOIST_TRY(hoist_diag_create(alloc, NULL, &diag));
    fill(diag);
    const hoist_findings_options options = {.grouped = true};
    hoist_findings_text(diag, &options, out);
    const bool incomplete = out->failed || hoist_diag_incomplete(diag);
    hoist_diag_destroy(diag);
    return incomplete ? HOIST_NO_MEMORY : HOIST_OK;
}

HOIST_TEST_TABLE(findings_are_grouped, groups)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, write(hoist_allocator_system(), row->fill, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
}

static hoist_status starve(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = write(alloc, lines, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    hoist_test_starve(t, starve, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings_are_grouped),
                HOIST_TEST_ROW(survives_every_failed_allocation))
