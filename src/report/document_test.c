// Documents: who gets what, and output that grows beyond one flush.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/tree.h"
#include "report/document.h"
#include "testing/test.h"

// What comes out of a document, read back from a file.
static hoist_str rendered(hoist_test *t, const hoist_document_style *style,
                          void (*produce)(hoist_tree_sink *sink))
{
    FILE *file = tmpfile();
    if (!file) {
        hoist_test_skip(t, "no temporary file");
    }
    hoist_output out;
    hoist_output_init(&out, fileno(file));
    hoist_document doc;
    hoist_document_open(&doc, hoist_allocator_system(), &out, style);
    produce(&doc.sink);
    HOIST_EXPECT_EQ(t, hoist_document_close(&doc), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    rewind(file);
    const size_t room = (size_t)1 << 20;
    char *text = hoist_arena_alloc(&t->arena, room);
    const size_t size = text ? fread(text, 1, room, file) : 0;
    (void)fclose(file);
    return (hoist_str){text, size};
}

static void send_room(hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_uint(sink, "size_bytes", 2048, HOIST_UNIT_BYTES);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_c(sink, "place", "dram 0");
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_map(sink, "exact");
    hoist_tree_list(sink, "channels");
    hoist_tree_int(sink, "", 0);
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_PEOPLE; // does not matter inside
    hoist_tree_null(sink, "inside");
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_int(sink, "buffers", 2);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_end(sink); // an end is for whom its map is for
}

static const hoist_document_style as_text = {.json = false};
static const hoist_document_style as_json = {.json = true};

HOIST_TEST(text_is_for_people)
{
    HOIST_EXPECT_STR(t, rendered(t, &as_text, send_room),
                     "size:    2,048 (2.0 KiB)\nplace:   dram 0\nbuffers: 2\n");
}

HOIST_TEST(json_is_for_programs)
{
    HOIST_EXPECT_STR(t, rendered(t, &as_json, send_room),
                     "{\n"
                     "  \"size_bytes\": 2048,\n"
                     "  \"exact\": {\n"
                     "    \"channels\": [\n"
                     "      0\n"
                     "    ]\n"
                     "  },\n"
                     "  \"buffers\": 2\n"
                     "}\n");
}

enum { MANY = 20000 };

static void send_many(hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, "");
    for (int i = 0; i < MANY; i++) {
        hoist_tree_int(sink, "", 1234567);
    }
    hoist_tree_end(sink);
}

HOIST_TEST(long_documents_are_whole)
{
    const hoist_str text = rendered(t, &as_json, send_many);
    HOIST_EXPECT_EQ(t, text.size, 9 * MANY + 1);
}

static void send_end(hoist_tree_sink *sink)
{
    hoist_tree_end(sink);
}

HOIST_TEST(an_end_too_many_fails)
{
    hoist_output out;
    hoist_output_init(&out, -1);
    hoist_document doc;
    hoist_document_open(&doc, hoist_allocator_system(), &out, &as_json);
    send_end(&doc.sink);
    HOIST_EXPECT_EQ(t, hoist_document_close(&doc), HOIST_INTERNAL);
}

// What was not sent yet is dropped, and everything is freed.
HOIST_TEST(what_is_abandoned_is_not_sent)
{
    const hoist_document_style *const styles[] = {&as_text, &as_json};
    for (size_t i = 0; i < 2; i++) {
        hoist_output out;
        hoist_output_init(&out, -1);
        hoist_document doc;
        hoist_document_open(&doc, hoist_allocator_system(), &out, styles[i]);
        hoist_tree_map(&doc.sink, "");
        hoist_tree_c(&doc.sink, "file", "a.neff");
        HOIST_EXPECT_EQ(t, hoist_document_abandon(&doc), HOIST_OK);
        HOIST_EXPECT_EQ(t, out.used, 0);
    }
}

// Without an output a document of any size is kept, and given as bytes.
HOIST_TEST(what_is_kept_is_given)
{
    const hoist_str sent = rendered(t, &as_json, send_many);
    hoist_document doc;
    hoist_mut_bytes bytes;
    hoist_document_open(&doc, hoist_allocator_system(), NULL, &as_json);
    send_many(&doc.sink);
    HOIST_EXPECT_EQ(t, hoist_document_take(&doc, &bytes), HOIST_OK);
    HOIST_EXPECT(t, bytes.data && sent.data && bytes.size == sent.size &&
                        memcmp(bytes.data, sent.data, sent.size) == 0);
    hoist_free(hoist_allocator_system(), bytes.data, bytes.size);
    hoist_document_open(&doc, hoist_allocator_system(), NULL, &as_json);
    hoist_document_head(&doc, "info");
    hoist_tree_end(&doc.sink);
    HOIST_EXPECT_EQ(t, hoist_document_take(&doc, &bytes), HOIST_OK);
    const hoist_str text = {(const char *)bytes.data, bytes.size};
    HOIST_EXPECT(t, hoist_str_starts_with(text, "{\n  \"schema\": \"hoist.info/1\",\n"));
    hoist_free(hoist_allocator_system(), bytes.data, bytes.size);
    hoist_document_open(&doc, hoist_allocator_system(), NULL, &as_json);
    send_end(&doc.sink);
    HOIST_EXPECT_EQ(t, hoist_document_take(&doc, &bytes), HOIST_INTERNAL);
    HOIST_EXPECT(t, !bytes.data);
}

static hoist_status send_with(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_output out;
    hoist_output_init(&out, -1);
    hoist_document doc;
    hoist_document_open(&doc, alloc, &out, &as_text);
    send_room(&doc.sink);
    return hoist_document_close(&doc);
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, send_with, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(text_is_for_people), HOIST_TEST_ROW(json_is_for_programs),
                HOIST_TEST_ROW(long_documents_are_whole), HOIST_TEST_ROW(an_end_too_many_fails),
                HOIST_TEST_ROW(what_is_abandoned_is_not_sent),
                HOIST_TEST_ROW(what_is_kept_is_given), HOIST_TEST_ROW(memory_may_run_out))
