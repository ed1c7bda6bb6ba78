// For tests: programs from text, and the findings that a good and a bad text give.
#include "program/program_testing.h"

#include "base/buffer.h"
#include "base/span.h"
#include "program/text.h"
#include "program/verify.h"

hoist_program *hoist_test_program(hoist_test *t, hoist_str text, hoist_status expected)
{
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size});
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program),
                    expected);
    HOIST_EXPECT_EQ(t, program != NULL, expected == HOIST_OK);
    return program;
}

// What `text` holds, which is freed.
static hoist_str take_text(hoist_test *t, hoist_buffer *text)
{
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(text));
    hoist_buffer_deinit(text);
    return copy;
}

hoist_str hoist_test_program_text(hoist_test *t, const hoist_program *program)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &out), HOIST_OK);
    return take_text(t, &out);
}

hoist_str hoist_test_places(hoist_test *t, uint32_t skip)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_diag_sort(t->diag);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        hoist_buffer_c(&out, i ? "\n" : "");
        if (f->loc.kind == HOIST_LOC_TEXT) {
            hoist_buffer_format(&out, "%u:%u ", f->loc.pos.line - skip, f->loc.pos.column);
        }
        if (f->object.size) {
            hoist_buffer_format(&out, "%.*s: ", HOIST_STR_ARGS(f->object));
        }
        hoist_buffer_format(&out, "%.*s [%s]", HOIST_STR_ARGS(f->message), f->rule->id);
    }
    return take_text(t, &out);
}

static uint32_t count_lines(const char *text)
{
    uint32_t count = 0;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

// What HOIST_COMMON_ROWS and `text` read as.
static hoist_program *read_behind(hoist_test *t, const char *text, hoist_status expected)
{
    return hoist_test_program(t, hoist_arena_format(&t->arena, "%s%s", HOIST_COMMON_ROWS, text),
                              expected);
}

static void check(hoist_test *t, const char *text)
{
    hoist_program *program = read_behind(t, text, HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        hoist_program_destroy(program);
    }
}

static void expect_findings(hoist_test *t, const char *expected)
{
    const hoist_str found = hoist_test_places(t, count_lines(HOIST_COMMON_ROWS));
    HOIST_EXPECT_STR(t, found, expected);
}

void hoist_expect_verified(hoist_test *t, const hoist_verify_case *row)
{
    check(t, row->good);
    HOIST_EXPECT_RULE(t, NULL);
    check(t, row->bad);
    expect_findings(t, row->findings);
}

void hoist_expect_unreadable(hoist_test *t, const hoist_read_case *row)
{
    hoist_program_destroy(read_behind(t, row->text, HOIST_INVALID));
    expect_findings(t, row->findings);
}
