// The text form as tokens, with lines and columns; and which names need quotes.
#include "base/buffer.h"
#include "base/span.h"
#include "program/lexer.h"
#include "program/names.h"
#include "testing/test.h"

static const struct {
    const char *name;
    const char *source;
    const char *tokens; // COLUMN, kind and text of each; lines are parted by /
} cases[] = {
    {"nothing", "", ""},
    {"blanks", " \t\r", ""},
    {"a comment", "# a b", ""},
    {"a comment behind a word", "a#b", "1w=a"},
    {"a word", "space", "1w=space"},
    {"words", "a  b\tc", "1w=a 4w=b 6w=c"},
    {"every letter of a word", "aZ_$09.-/", "1w=aZ_$09.-/"},
    {"a number", "-12", "1w=-12"},
    {"a range", "0..31", "1w=0..31"},
    {"a reference", "@7", "1w=@7"},
    {"a reference ends a word", "a@7", "1w=a 2w=@7"},
    {"two references", "@@", "1w=@ 2w=@"},
    {"marks", "{}[](),:+*", "1m={ 2m=} 3m=[ 4m=] 5m=( 6m=) 7m=, 8m=: 9m=+ 10m=*"},
    {"a mark ends a word", "a:b", "1w=a 2m=: 3w=b"},
    {"comparisons", "== != <= >= < > =", "1m=== 4m=!= 7m=<= 10m=>= 13m=< 15m=> 17m=="},
    {"a comparison between words", "a<b", "1w=a 2m=< 3w=b"},
    {"at most two marks of a comparison", "<=<", "1m=<= 3m=<"},
    {"a comparison at the end", "a=", "1w=a 2m=="},
    {"a name", "\"a b\"", "1n=a b"},
    {"an empty name", "\"\"", "1n="},
    {"a name with a comment", "\"a#b\"", "1n=a#b"},
    {"names without a blank", "\"a\"\"b\"", "1n=a 4n=b"},
    {"a word behind a name", "\"a\"b", "1n=a 4w=b"},
    {"a quote in a name", "\"\\\"\"", "1n=\""},
    {"a backslash in a name", "\"\\\\\"", "1n=\\"},
    {"a byte in a name", "\"\\x41\\x7a\"", "1n=Az"},
    {"bytes beyond ASCII", "\"\xc3\xa4\"", "1n=\xc3\xa4"},
    {"columns count bytes", "\"\xc3\xa4\" b", "1n=\xc3\xa4 6w=b"},
    {"a name that does not end", "\"a", "1b=a name in quotes does not end on its line"},
    {"a name that ends with a backslash", "\"a\\", "1b=a name in quotes does not end on its line"},
    {"a name over two lines", "\"a\nb\"",
     "1b=a name in quotes does not end on its line / 1w=b 2b=a name in quotes does not end on its "
     "line"},
    {"a control character in a name", "\"\x1f\"", "1b=a name in quotes does not end on its line"},
    {"an unknown escape", "\"\\n\"",
     "1b=a backslash is followed by neither x and two hexadecimal digits, nor a backslash, nor a "
     "quote"},
    {"half a byte", "\"\\x1\"",
     "1b=a backslash is followed by neither x and two hexadecimal digits, nor a backslash, nor a "
     "quote"},
    {"capital digits", "\"\\xFF\"",
     "1b=a backslash is followed by neither x and two hexadecimal digits, nor a backslash, nor a "
     "quote"},
    {"a character without meaning", "a ; b", "1w=a 3b=a character that has no meaning here"},
    {"bytes outside of quotes", "\xc3", "1b=a character that has no meaning here"},
    {"a control character", "\x01", "1b=a character that has no meaning here"},
    {"lines", "a\n  b\n\nc", "1w=a / 3w=b / / 1w=c"},
    {"a line end behind the last line", "a\n", "1w=a /"},
    {"lines of Windows", "a\r\nb\r\n", "1w=a / 1w=b /"},
    {"a comment ends with its line", "# a\nb", "/ 1w=b"},
};

static void add(hoist_buffer *out, hoist_str text)
{
    hoist_buffer_c(out, out->size ? " " : "");
    hoist_buffer_str(out, text);
}

// Tokens of a line up to its end or the first that is bad.
static void scan_line(hoist_test *t, hoist_lexer *lexer, hoist_buffer *out, uint32_t line)
{
    static const char kinds[] = {[HOIST_TOKEN_WORD] = 'w',
                                 [HOIST_TOKEN_NAME] = 'n',
                                 [HOIST_TOKEN_MARK] = 'm',
                                 [HOIST_TOKEN_BAD] = 'b'};
    for (;;) {
        const hoist_token token = hoist_lexer_next(lexer);
        HOIST_EXPECT_EQ(t, token.pos.line, line);
        if (token.kind == HOIST_TOKEN_LINE_END) {
            return;
        }
        add(out, hoist_arena_format(&t->arena, "%u%c=%.*s", token.pos.column, kinds[token.kind],
                                    HOIST_STR_ARGS(token.text)));
        if (token.kind == HOIST_TOKEN_BAD) {
            return;
        }
    }
}

HOIST_TEST_TABLE(texts_become_tokens, cases)
{
    const hoist_str source = hoist_str_from(row->source);
    const hoist_bytes exact =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)source.data, source.size});
    hoist_lexer lexer =
        hoist_lexer_init((hoist_str){(const char *)exact.data, exact.size}, &t->arena);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    uint32_t line = 1;
    scan_line(t, &lexer, &out, line);
    while (hoist_lexer_next_line(&lexer)) {
        add(&out, HOIST_STR("/"));
        scan_line(t, &lexer, &out, ++line);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->tokens);
    HOIST_EXPECT(t, !lexer.failed);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(the_end_of_a_line_stays)
{
    hoist_lexer lexer = hoist_lexer_init(HOIST_STR("a\nb"), &t->arena);
    (void)hoist_lexer_next(&lexer);
    for (int i = 0; i < 3; i++) {
        HOIST_EXPECT_EQ(t, hoist_lexer_next(&lexer).kind, HOIST_TOKEN_LINE_END);
    }
    HOIST_EXPECT(t, hoist_lexer_next_line(&lexer));
    HOIST_EXPECT_EQ(t, hoist_lexer_next(&lexer).kind, HOIST_TOKEN_WORD);
    HOIST_EXPECT(t, !hoist_lexer_next_line(&lexer));
    HOIST_EXPECT_EQ(t, hoist_lexer_next(&lexer).kind, HOIST_TOKEN_LINE_END);
}

HOIST_TEST(escapes_need_memory)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_failing_allocator(&failing, 1));
    hoist_lexer lexer = hoist_lexer_init(HOIST_STR("\"a\" \"\\x41\""), &arena);
    HOIST_EXPECT_EQ(t, hoist_lexer_next(&lexer).kind, HOIST_TOKEN_NAME);
    HOIST_EXPECT(t, !lexer.failed);
    HOIST_EXPECT_EQ(t, hoist_lexer_next(&lexer).kind, HOIST_TOKEN_BAD);
    HOIST_EXPECT(t, lexer.failed);
    hoist_arena_deinit(&arena);
}

static const struct {
    const char *name;
    bool bare;
} names[] = {
    {"a", true},    {"Z", true},    {"_", true},     {"$", true},      {"$p_loop", true},
    {"a0", true},   {"a.b", true},  {"a/b", true},   {"a-b", true},    {"queue_0.x/y-z", true},
    {"", false},    {"0", false},   {"0a", false},   {".a", false},    {"-a", false},
    {"/a", false},  {"a b", false}, {"a:b", false},  {"a@b", false},   {"@1", false},
    {"a\"", false}, {"a,", false},  {"a\n", false},  {"a[0]", false},  {"a(b)", false},
    {"a#", false},  {"a=b", false}, {"\xc3", false}, {"a\x7f", false}, {"{", false},
};

HOIST_TEST_TABLE(names_are_bare_or_quoted, names)
{
    HOIST_EXPECT_EQ(t, hoist_name_is_bare(hoist_str_from(row->name)), row->bare);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts_become_tokens), HOIST_TEST_ROW(the_end_of_a_line_stays),
                HOIST_TEST_ROW(escapes_need_memory), HOIST_TEST_ROW(names_are_bare_or_quoted))
