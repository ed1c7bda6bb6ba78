// Pages: marks of the template, the policy, documents that read back, failures.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tree.h"
#include "codec/gzip.h"
#include "report/page.h"
#include "testing/test.h"

#define MARKS "<{{policy}}|{{style}}|{{script}}|{{data}}>"
// openssl dgst -sha256 -binary of "S" and "J", in base64.
#define STYLE_HASH "'sha256-jeCzxH8RLFl0X3F6YmkyJkxCKnVjlUhy4jeyI69K1kM='"
#define SCRIPT_HASH "'sha256-baQ7lE5JToheaa8CH5PG2TMceKoigIRxFCkWClu9FbU='"
#define POLICY                                                                                     \
    "default-src 'none'; script-src " SCRIPT_HASH "; style-src " STYLE_HASH                        \
    "; img-src data: blob:; base-uri 'none'; form-action 'none'"

typedef void produce_fn(hoist_page *page);

// The page of a template, style "S" and script "J", read back; `*out_status`: of its end.
static hoist_str page_of(hoist_test *t, const char *text, produce_fn *produce,
                         hoist_status *out_status)
{
    FILE *file = tmpfile();
    if (!file) {
        hoist_test_skip(t, "no temporary file");
    }
    hoist_output out;
    hoist_output_init(&out, fileno(file));
    const hoist_page_parts parts = {hoist_str_from(text), HOIST_STR("S"), HOIST_STR("J")};
    hoist_page page;
    hoist_page_open(&page, hoist_allocator_system(), &out, &parts, NULL);
    if (produce) {
        hoist_page_begin(&page, "data-0", false);
        produce(&page);
        *out_status = hoist_page_end(&page, HOIST_OK);
    }
    const hoist_status closed = hoist_page_close(&page);
    *out_status = produce ? *out_status : closed;
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    rewind(file);
    const size_t capacity = 1 << 16;
    char *read = hoist_arena_alloc(&t->arena, capacity);
    const size_t size = read ? fread(read, 1, capacity, file) : 0;
    (void)fclose(file);
    return (hoist_str){read, size};
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    hoist_status expected;
    const char *page; // NULL: not looked at
} templates[] = {
    {"all marks",          MARKS,                                            HOIST_OK,      "<" POLICY "|S|J|>"},
    {"marks alone",        "{{policy}}{{style}}{{script}}{{data}}",          HOIST_OK,      POLICY "SJ"},
    {"other braces",       "{{{policy}}{{x}}{{style}}{{script}}{{data}}}}",  HOIST_OK,      "{" POLICY "{{x}}SJ}}"},
    {"no policy",          "<{{style}}{{script}}{{data}}>",                  HOIST_INVALID, NULL},
    {"no data",            "<{{policy}}{{style}}{{script}}>",                HOIST_INVALID, NULL},
    {"another order",      "<{{style}}{{policy}}{{script}}{{data}}>",        HOIST_INVALID, NULL},
    {"a mark that is cut", "<{{policy}}{{style}}{{script}}{{data}",          HOIST_INVALID, NULL},
    {"empty",              "",                                               HOIST_INVALID, NULL},
};
// clang-format on

HOIST_TEST_TABLE(marks_are_replaced, templates)
{
    hoist_status status = HOIST_INTERNAL;
    const hoist_str page = page_of(t, row->text, NULL, &status);
    HOIST_EXPECT_EQ(t, status, row->expected);
    if (row->page) {
        HOIST_EXPECT_STR(t, page, row->page);
    }
}

// Documents -----------------------------------------------------------------------------------

static void send_text(hoist_page *page, const char *text)
{
    hoist_tree_map(&page->sink, "");
    hoist_tree_c(&page->sink, "t", text);
    hoist_tree_end(&page->sink);
}

static void send_nothing_in_it(hoist_page *page)
{
    send_text(page, "");
}

static void send_one(hoist_page *page)
{
    send_text(page, "1");
}

static void send_two(hoist_page *page)
{
    send_text(page, "12");
}

static void send_markup(hoist_page *page)
{
    send_text(page, "</script><!--\xe2\x80\xae{{data}}");
}

static void send_for_people(hoist_page *page)
{
    hoist_tree_map(&page->sink, "");
    page->sink.audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_list(&page->sink, "words");
    hoist_tree_c(&page->sink, "", "x");
    hoist_tree_end(&page->sink);
    page->sink.audience = HOIST_TREE_FOR_ALL;
    hoist_tree_int(&page->sink, "n", 1);
    hoist_tree_end(&page->sink);
}

static void send_much(hoist_page *page)
{
    hoist_tree_list(&page->sink, "");
    for (int i = 0; i < 5000; i++) {
        hoist_tree_int(&page->sink, "", i * 7919 % 10007);
    }
    hoist_tree_end(&page->sink);
}

static const struct {
    const char *name;
    produce_fn *produce;
    const char *json; // NULL: long
} documents[] = {
    {"no text", send_nothing_in_it, "{\"t\":\"\"}"},
    {"a character", send_one, "{\"t\":\"1\"}"},
    {"two", send_two, "{\"t\":\"12\"}"},
    {"markup", send_markup, "{\"t\":\"</script><!--\\u202e{{data}}\"}"},
    {"for programs", send_for_people, "{\"n\":1}"},
    {"more than a piece of base64", send_much, NULL},
};

static int value_of(char digit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, digit);
    return at && digit ? (int)(at - digits) : -1;
}

// The bytes of base64 text, in the test's arena; false: it is no such text.
static bool decode(hoist_test *t, hoist_str text, hoist_bytes *out_bytes)
{
    uint8_t *bytes = hoist_arena_alloc(&t->arena, text.size);
    size_t size = 0;
    for (size_t i = 0; bytes && i + 4 <= text.size; i += 4) {
        uint32_t bits = 0;
        unsigned count = 0;
        for (size_t k = 0; k < 4; k++) {
            const int value = value_of(text.data[i + k]);
            const bool filled = text.data[i + k] == '=' && i + 4 == text.size && k >= 2;
            if (value < 0 && !filled) {
                return false;
            }
            bits = bits << 6 | (uint32_t)(filled ? 0 : value);
            count += !filled;
        }
        for (unsigned k = 0; k + 1 < count; k++) {
            bytes[size++] = (uint8_t)(bits >> (16 - 8 * k));
        }
    }
    *out_bytes = (hoist_bytes){bytes, size};
    return bytes && text.size % 4 == 0;
}

HOIST_TEST_TABLE(documents_read_back, documents)
{
    static const char head[] = "<script type=\"application/gzip\" id=\"data-0\">";
    static const char tail[] = "</script>\n>";
    hoist_status status = HOIST_INTERNAL;
    const hoist_str page =
        page_of(t, "{{policy}}{{style}}{{script}}{{data}}>", row->produce, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    const size_t before = sizeof(POLICY "SJ") - 1 + sizeof(head) - 1;
    HOIST_EXPECT(t, page.size > before + sizeof(tail) - 1);
    const hoist_str packed = {page.data + before, page.size - before - (sizeof(tail) - 1)};
    hoist_bytes bytes = {NULL, 0};
    HOIST_EXPECT(t, decode(t, packed, &bytes));
    const hoist_gzip_options options = {.max_bytes = 0};
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_gzip_read(bytes, &options, hoist_allocator_system(), NULL, &text),
                    HOIST_OK);
    if (row->json) {
        HOIST_EXPECT_STR(t, ((hoist_str){(const char *)text.data, text.size}), row->json);
    } else {
        HOIST_EXPECT(t, text.size > 20000 && packed.size > 4096);
    }
    hoist_free(hoist_allocator_system(), text.data, text.size);
}

HOIST_TEST(pages_in_memory)
{
    hoist_status status = HOIST_INTERNAL;
    const hoist_str written = page_of(t, MARKS, send_much, &status);
    const hoist_page_parts parts = {HOIST_STR(MARKS), HOIST_STR("S"), HOIST_STR("J")};
    hoist_mut_bytes taken = {NULL, 0};
    hoist_page page;
    hoist_page_open(&page, hoist_allocator_system(), NULL, &parts, NULL);
    hoist_page_begin(&page, "data-0", false);
    send_much(&page);
    HOIST_EXPECT_EQ(t, hoist_page_end(&page, HOIST_OK), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_page_take(&page, &taken), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_equal(written, (hoist_str){(const char *)taken.data, taken.size}));
    hoist_free(hoist_allocator_system(), taken.data, taken.size);
    hoist_page_open(&page, hoist_allocator_system(), NULL, &parts, NULL);
    hoist_page_begin(&page, "data-0", false);
    HOIST_EXPECT_EQ(t, hoist_page_end(&page, HOIST_INVALID), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_page_take(&page, &taken), HOIST_INVALID);
    HOIST_EXPECT(t, !taken.data);
}

static void send_half(hoist_page *page)
{
    hoist_tree_map(&page->sink, "");
}

static void send_end(hoist_page *page)
{
    hoist_tree_end(&page->sink);
}

static const struct {
    const char *name;
    produce_fn *produce;
} broken[] = {{"half a document", send_half}, {"an end too many", send_end}};

HOIST_TEST_TABLE(broken_documents_fail, broken)
{
    hoist_status status = HOIST_OK;
    (void)page_of(t, MARKS, row->produce, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_INTERNAL);
}

HOIST_TEST(what_produces_may_fail)
{
    hoist_output out;
    hoist_output_init(&out, -1);
    const hoist_page_parts parts = {HOIST_STR(MARKS), HOIST_STR("S"), HOIST_STR("J")};
    hoist_page page;
    hoist_page_open(&page, hoist_allocator_system(), &out, &parts, NULL);
    hoist_page_begin(&page, "a", false);
    send_half(&page);
    HOIST_EXPECT_EQ(t, hoist_page_end(&page, HOIST_LIMIT), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_page_close(&page), HOIST_LIMIT);
}

static hoist_status page_with(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_output out;
    hoist_output_init(&out, -1);
    const hoist_page_parts parts = {HOIST_STR(MARKS), HOIST_STR("S"), HOIST_STR("J")};
    hoist_page page;
    hoist_page_open(&page, alloc, &out, &parts, NULL);
    hoist_page_begin(&page, "a", false);
    send_much(&page);
    const hoist_status status = hoist_page_end(&page, HOIST_OK);
    const hoist_status closed = hoist_page_close(&page);
    return status == HOIST_OK ? closed : status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, page_with, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(marks_are_replaced), HOIST_TEST_ROW(documents_read_back),
                HOIST_TEST_ROW(pages_in_memory), HOIST_TEST_ROW(broken_documents_fail),
                HOIST_TEST_ROW(what_produces_may_fail), HOIST_TEST_ROW(memory_may_run_out))
