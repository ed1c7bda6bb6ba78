// Places in texts of more than ASCII: marks count characters, places bytes.
#include "base/span.h"
#include "codec/yaml_pos.h"
#include "testing/test.h"

enum { MOST = 32 };

static const struct {
    const char *name; // the text
} texts[] = {
    {"abc\ndef\n\nghi"},
    {"\xc3\xa4"
     "b\n\xe2\x82\xac\n\xf0\x9f\x98\x80x"},
    {"\xf0\x9f\x98\x80\xf0\x9f\x98\x80"},
    {"a\xc2\x85"
     "b\xe2\x80\xa8\xc3\xa4\xe2\x80\xa9z\r\n\xc3\xa4\rq"},
};

// The mark of each character, and of the end; how many.
static size_t marks_of(hoist_bytes text, yaml_mark_t *marks, size_t *offsets)
{
    size_t count = 0;
    size_t first = 0; // of the line
    for (size_t i = 0; i <= text.size; i++) {
        if (i < text.size && (text.data[i] & 0xc0) == 0x80) {
            continue;
        }
        const hoist_pos pos = hoist_yaml_offset_pos(text, i);
        if (count > 0 && pos.line != marks[count - 1].line + 1) {
            first = count;
        }
        marks[count] = (yaml_mark_t){.index = count, .line = pos.line - 1, .column = count - first};
        offsets[count++] = i;
    }
    return count;
}

// From any mark to any other, forward and back.
HOIST_TEST_TABLE(marks_become_places, texts)
{
    const hoist_str name = hoist_str_from(row->name);
    const hoist_bytes text =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)name.data, name.size});
    yaml_mark_t marks[MOST];
    size_t offsets[MOST];
    const size_t count = marks_of(text, marks, offsets);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            hoist_yaml_cursor cursor = hoist_yaml_cursor_init(text);
            size_t offset = 0;
            (void)hoist_yaml_cursor_pos(&cursor, marks[i], &offset);
            HOIST_EXPECT_EQ(t, offset, offsets[i]);
            const hoist_pos got = hoist_yaml_cursor_pos(&cursor, marks[k], &offset);
            const hoist_pos want = hoist_yaml_offset_pos(text, offsets[k]);
            HOIST_EXPECT_EQ(t, offset, offsets[k]);
            HOIST_EXPECT_EQ(t, got.line, want.line);
            HOIST_EXPECT_EQ(t, got.column, want.column);
        }
    }
}

static const struct {
    const char *name; // the text
    size_t offset;
    hoist_pos want;
} places[] = {
    {"ab\ncd", 4, {2, 2}},        {"ab\r\ncd", 3, {1, 4}},      {"ab\r\ncd", 4, {2, 1}},
    {"ab\rcd", 3, {2, 1}},        {"\xc2\x85x", 2, {2, 1}},     {"\xe2\x80\xa8x", 3, {2, 1}},
    {"\xe2\x80\xa9x", 3, {2, 1}}, {"\xe2\x80\xa7x", 3, {1, 4}}, {"ab", 9, {1, 3}},
};

HOIST_TEST_TABLE(places_of_bytes, places)
{
    const hoist_str text = hoist_str_from(row->name);
    const hoist_pos got = hoist_yaml_offset_pos(
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size}), row->offset);
    HOIST_EXPECT_EQ(t, got.line, row->want.line);
    HOIST_EXPECT_EQ(t, got.column, row->want.column);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(marks_become_places), HOIST_TEST_ROW(places_of_bytes))
