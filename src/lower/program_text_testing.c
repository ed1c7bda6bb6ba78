#include "lower/program_text_testing.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "program/program_testing.h"

static bool begins_with_one(hoist_str line, const char *heads)
{
    for (size_t size = strcspn(heads, "|");; size = strcspn(heads, "|")) {
        if (line.size >= size && memcmp(line.data, heads, size) == 0) {
            return true;
        }
        if (heads[size] == '\0') {
            return false;
        }
        heads += size + 1;
    }
}

// Adds a line to the piece, when it belongs to it; true while the piece is open.
static bool add_line(hoist_buffer *out, hoist_str line, const char *heads, bool open)
{
    const bool begins = !heads || begins_with_one(line, heads);
    if (!begins && !open) {
        return false;
    }
    hoist_buffer_str(out, line);
    hoist_buffer_char(out, '\n');
    return heads && !hoist_str_equal_c(line, "}") && (open || hoist_str_ends_with(line, " {"));
}

hoist_str lower_test_piece(hoist_test *t, const hoist_program *program, const char *heads)
{
    hoist_str rest = hoist_test_program_text(t, program);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (bool open = false; rest.size > 0;) {
        const char *end = memchr(rest.data, '\n', rest.size);
        const size_t size = end ? (size_t)(end - rest.data) : rest.size;
        hoist_str line = {rest.data, size};
        while (line.size > 0 && line.data[0] == ' ') {
            line = (hoist_str){line.data + 1, line.size - 1};
        }
        open = add_line(&out, line, heads, open);
        rest = (hoist_str){rest.data + size + (end ? 1 : 0), rest.size - size - (end ? 1 : 0)};
    }
    const hoist_str piece = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return piece;
}

// Where the texts differ first; then all that was found, which a message does not hold.
static void report_difference(hoist_test *t, hoist_str found, const char *expected)
{
    size_t line = 0;
    size_t same = 0;
    while (same < found.size && expected[same] == found.data[same]) {
        line = found.data[same++] == '\n' ? same : line;
    }
    hoist_test_fail(t, __FILE__, __LINE__, "expected '%.*s', found '%.*s'",
                    (int)strcspn(expected + line, "\n"), expected + line,
                    (int)strcspn(found.data + line, "\n"), found.data + line);
    (void)fwrite(found.data, 1, found.size, stderr);
    (void)fputs("(end)\n", stderr);
}

void lower_test_expect_piece(hoist_test *t, const hoist_program *program, const char *heads,
                             const char *expected)
{
    if (!program) {
        const hoist_str findings = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "there is no program\n%.*s",
                        HOIST_STR_ARGS(findings));
        return;
    }
    const hoist_str piece = lower_test_piece(t, program, heads);
    if (!hoist_str_equal_c(piece, expected)) {
        report_difference(t, piece, expected);
    }
}
