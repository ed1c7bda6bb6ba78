// JSON texts in parts: the items of one array one by one, and one value of a larger text.
#include <string.h>

#include "base/buffer.h"
#include "codec/json.h"
#include "codec/json_writer.h"
#include "testing/test.h"

// Items ------------------------------------------------------------------------------------------

// Collects the items' texts, with the number of the array before those of a new one.
typedef struct taken {
    hoist_buffer *out;
    hoist_json_index array;
    size_t tape;      // largest tape seen
    hoist_status end; // returned at the item "stop"
} taken;

static hoist_status take(void *self, const hoist_json *json, hoist_json_index array,
                         hoist_json_index item)
{
    taken *t = self;
    const hoist_str text = hoist_json_text(json, item);
    if (array != t->array) {
        hoist_buffer_format(t->out, "@%u ", array);
        t->array = array;
    }
    hoist_buffer_str(t->out, text);
    hoist_buffer_char(t->out, ' ');
    t->tape = json->count > t->tape ? json->count : t->tape;
    return hoist_str_equal_c(text, "\"stop\"") ? t->end : HOIST_OK;
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *items;    // as collected
    hoist_status status;
    const char *findings;
} streams[] = {
    {"objects", "{\"dma\": [{\"a\": 1}, {\"b\": [2]}], \"x\": 1}", "@2 {\"a\": 1} {\"b\": [2]} ",
     HOIST_OK, ""},
    {"scalars", "{\"dma\":[1,\"a\",null,true,-2.5e3]}", "@2 1 \"a\" null true -2.5e3 ", HOIST_OK, ""},
    {"lists", "{\"dma\": [[], [[1]]]}", "@2 [] [[1]] ", HOIST_OK, ""},
    {"no items", "{\"dma\": []}", "", HOIST_OK, ""},
    {"no such key", "{\"dmb\": [1], \"Dma\": [2]}", "", HOIST_OK, ""},
    {"no list", "{\"dma\": {\"dma\": [1]}}", "", HOIST_OK, ""},
    {"not in the root object", "{\"x\": {\"dma\": [1]}, \"y\": [{\"dma\": [2]}]}", "", HOIST_OK, ""},
    {"no object", "[\"dma\", [1, 2]]", "", HOIST_OK, ""},
    {"behind other keys", "{\"x\": [1, 2], \"dma\": [3], \"y\": [4]}", "@6 3 ", HOIST_OK, ""},
    {"twice", "{\"dma\": [1, 2], \"dma\": [3]}", "@2 1 2 @4 3 ", HOIST_OK,
     "1:17: error: key \"dma\" occurs twice in its object [JSON-014]\n"},
    {"a key of escapes", "{\"\\u0064ma\": [1], \"x\": [2]}", "@2 1 ", HOIST_OK, ""},
    {"twice, in disguise", "{\"dma\": [1, 2], \"d\\u006da\": [3]}", "@2 1 2 @4 3 ", HOIST_OK,
     "1:17: error: key \"d\\u006da\" occurs twice in its object [JSON-014]\n"},
    {"keys twice in an item", "{\"dma\": [{\"k\": 1, \"k\": 2}, {\"l\": 1}]}",
     "@2 {\"k\": 1, \"k\": 2} {\"l\": 1} ", HOIST_OK,
     "1:19: error: key \"k\" occurs twice in its object [JSON-014]\n"},
    {"keys twice inside and outside", "{\"x\": 1, \"dma\": [{\"k\": 1, \"k\": 2}], \"x\": 2}",
     "@4 {\"k\": 1, \"k\": 2} ", HOIST_OK,
     "1:27: error: key \"k\" occurs twice in its object [JSON-014]\n"
     "1:37: error: key \"x\" occurs twice in its object [JSON-014]\n"},
    {"the taker fails", "{\"dma\": [1, \"stop\", 2]}", "@2 1 \"stop\" ", HOIST_CANCELLED, ""},
    {"an error behind items", "{\"dma\": [1, 2, }", "@2 1 2 ", HOIST_INVALID,
     "1:16: error: found '}', expected a value [JSON-009]\n"},
    {"an error after an item", "{\"dma\": [1 2]}", "@2 1 ", HOIST_INVALID,
     "1:12: error: found '2', expected ',' or ']' [JSON-010]\n"},
    {"cut behind an item", "{\"dma\": [1,", "@2 1 ", HOIST_TRUNCATED,
     "1:12: error: the text ends inside an array [JSON-002]\n"},
    {"cut in an item", "{\"dma\": [1, {\"a\": ", "@2 1 ", HOIST_TRUNCATED,
     "1:19: error: the text ends before a member's value [JSON-002]\n"},
};
// clang-format on

static hoist_bytes bytes_of(hoist_test *t, const char *text)
{
    return hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text, strlen(text)});
}

HOIST_TEST_TABLE(items_are_handed_over, streams)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    taken self = {.out = &out, .end = HOIST_CANCELLED};
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = take, .self = &self};
    const hoist_json_limits limits = {.stream = &stream};
    hoist_json json;
    const hoist_status status =
        hoist_json_read(bytes_of(t, row->text), &limits, hoist_allocator_system(), t->diag, &json);
    HOIST_EXPECT_EQ(t, status, row->status);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->items);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_json_index dma = 0;
    if (status == HOIST_OK && self.array && hoist_json_find(&json, 0, HOIST_STR("dma"), &dma)) {
        HOIST_EXPECT_EQ(t, hoist_json_size(&json, dma), 0);
        HOIST_EXPECT_EQ(t, hoist_json_next(&json, dma), dma + 1);
    }
    hoist_json_free(&json);
    hoist_buffer_deinit(&out);
}

static hoist_status count_item(void *self, const hoist_json *json, hoist_json_index array,
                               hoist_json_index item)
{
    taken *t = self;
    (void)array;
    t->array += hoist_json_size(json, item);
    t->tape = json->capacity > t->tape ? json->capacity : t->tape;
    return HOIST_OK;
}

HOIST_TEST(the_tape_holds_one_item)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "{\"x\": [1, 2], \"dma\": [");
    for (unsigned i = 0; i < 20000; i++) {
        hoist_buffer_c(&text, i ? ", [1, 2, 3]" : "[1, 2, 3]");
    }
    hoist_buffer_c(&text, "], \"y\": 3}");
    taken self = {0};
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = count_item, .self = &self};
    const hoist_json_limits limits = {.max_tokens = 16, .stream = &stream};
    hoist_json json;
    HOIST_EXPECT_EQ(t,
                    hoist_json_read(hoist_buffer_bytes(&text), &limits, hoist_allocator_system(),
                                    t->diag, &json),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, self.array, 60000);
    HOIST_EXPECT_EQ(t, self.tape, 16);
    hoist_json_index y = 0;
    HOIST_EXPECT(t, hoist_json_find(&json, 0, HOIST_STR("y"), &y));
    HOIST_EXPECT_STR(t, hoist_json_text(&json, y), "3");
    hoist_json_free(&json);
    hoist_buffer_deinit(&text);
}

static hoist_status stream_run(hoist_allocator alloc, const void *self)
{
    const char *text = self;
    taken state = {0};
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = count_item, .self = &state};
    const hoist_json_limits limits = {.stream = &stream};
    hoist_json json;
    const hoist_status status = hoist_json_read((hoist_bytes){(const uint8_t *)text, strlen(text)},
                                                &limits, alloc, NULL, &json);
    hoist_json_free(&json);
    return status;
}

HOIST_TEST(items_without_memory)
{
    hoist_test_starve(t, stream_run, "{\"dma\": [{\"\\u0061\": 1, \"b\": 2}, 2, 3], \"x\": 1}");
}

// One value --------------------------------------------------------------------------------------

static const char whole[] = "{\n \"a\": [1, {\"b\": \"c\\n\"}],\n \"d\": -2.5e1, \"e\": null,\n"
                            " \"f\": {\"g\": {}, \"h\": [[], [true]]}\n}\n";

HOIST_TEST(every_value_can_be_read_alone)
{
    const hoist_bytes text = bytes_of(t, whole);
    hoist_json all;
    HOIST_EXPECT_EQ(t, hoist_json_read(text, NULL, hoist_allocator_system(), t->diag, &all),
                    HOIST_OK);
    for (hoist_json_index i = 0; i < all.count; i++) {
        hoist_json one;
        HOIST_EXPECT_EQ(t,
                        hoist_json_read_at(text, all.tokens[i].start, NULL,
                                           hoist_allocator_system(), t->diag, &one),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, one.count, hoist_json_next(&all, i) - i);
        for (hoist_json_index k = 0; k < one.count; k++) {
            HOIST_EXPECT_EQ(t, one.tokens[k].start, all.tokens[i + k].start);
            HOIST_EXPECT_EQ(t, one.tokens[k].size, all.tokens[i + k].size);
            HOIST_EXPECT_EQ(t, one.tokens[k].bits, all.tokens[i + k].bits);
            HOIST_EXPECT_EQ(t, one.tokens[k].next + i, all.tokens[i + k].next);
            HOIST_EXPECT_EQ(t, hoist_json_pos(&one, k).column, hoist_json_pos(&all, i + k).column);
            HOIST_EXPECT_EQ(t, hoist_json_pos(&one, k).line, hoist_json_pos(&all, i + k).line);
        }
        hoist_json_free(&one);
    }
    HOIST_EXPECT_RULE(t, NULL);
    hoist_json_free(&all);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    size_t at;
    hoist_status status;
    const char *findings;
} fragments[] = {
    {"text behind it", "x 12]]", 2, HOIST_OK, ""},
    {"space before it", "x  [1] x", 1, HOIST_OK, ""},
    {"at the end", "[1, 23", 4, HOIST_OK, ""},
    {"nothing there", "[1, 23", 6, HOIST_INVALID,
     "1:1: error: the text holds no value [JSON-001]\n"},
    {"no value there", "[1, 23]", 2, HOIST_INVALID,
     "1:3: error: found ',', expected a value [JSON-009]\n"},
    {"cut", "x\n[1, ", 2, HOIST_TRUNCATED, "2:5: error: the text ends inside an array [JSON-002]\n"},
};
// clang-format on

HOIST_TEST_TABLE(only_the_value_counts, fragments)
{
    hoist_json json;
    HOIST_EXPECT_EQ(t,
                    hoist_json_read_at(bytes_of(t, row->text), row->at, NULL,
                                       hoist_allocator_system(), t->diag, &json),
                    row->status);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    hoist_json_free(&json);
}

// Places -----------------------------------------------------------------------------------------

// Line and column counted byte by byte.
static hoist_pos slow_place(hoist_bytes text, size_t at)
{
    hoist_pos pos = {1, 1};
    for (size_t i = 0; i < at; i++) {
        const uint8_t c = text.data[i];
        const bool end =
            c == '\n' || (c == '\r' && (i + 1 == text.size || text.data[i + 1] != '\n'));
        pos.column = end ? 1 : pos.column + 1;
        pos.line += end ? 1 : 0;
    }
    return pos;
}

HOIST_TEST(places_in_any_order)
{
    static const char bytes[] = "a\n\r";
    uint64_t state = 3;
    for (unsigned round = 0; round < HOIST_TEST_ROUNDS(200); round++) {
        uint8_t data[40];
        for (size_t i = 0; i < sizeof(data); i++) {
            const uint64_t bits = hoist_test_random(&state);
            data[i] = (uint8_t)bytes[bits % 7 < 3 ? bits % 7 : 0];
        }
        const hoist_bytes text = {data, (size_t)(hoist_test_random(&state) % sizeof(data)) + 1};
        hoist_json_cursor cursor = {0};
        for (unsigned i = 0; i < 50; i++) {
            const size_t at = (size_t)(hoist_test_random(&state) % (text.size + 1));
            const hoist_pos got = hoist_json_place(&cursor, text, at);
            const hoist_pos expected = slow_place(text, at);
            HOIST_EXPECT_EQ(t, got.line, expected.line);
            HOIST_EXPECT_EQ(t, got.column, expected.column);
        }
    }
}

HOIST_TEST(another_text_is_begun_anew)
{
    hoist_json_cursor cursor = {0};
    const hoist_bytes one = bytes_of(t, "\n\n\nabc");
    const hoist_bytes two = bytes_of(t, "abcdef");
    HOIST_EXPECT_EQ(t, hoist_json_place(&cursor, one, 5).line, 4);
    HOIST_EXPECT_EQ(t, hoist_json_place(&cursor, two, 5).line, 1);
    HOIST_EXPECT_EQ(t, hoist_json_place(&cursor, two, 2).column, 3);
    HOIST_EXPECT_EQ(t, hoist_json_place(&cursor, (hoist_bytes){0}, 0).column, 1);
}

// Values as events -------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want; // as a compact document; NULL: the text itself
    bool places;
} sent[] = {
    {"a scalar", "-5", NULL, false},
    {"scalars", "[null,true,false,1.5,\"a\",-9007199254740992]", NULL, false},
    {"beyond 64 bits", "[18446744073709551615,18446744073709551616]", NULL, false},
    {"digits as they are", "[1.50,1E400,0.1e-05]", NULL, false},
    {"escapes in keys and values", "{\"\\u0041\":\"\\n\"}", "{\"A\":\"\\n\"}", false},
    {"empty ones", "{\"a\":[],\"b\":{}}", NULL, false},
    {"nested", "[{\"a\":[[1],[2,{\"b\":3}]]},4]", NULL, false},
    {"places", "{\n \"a\": [1]}",
     "{\"at\":[1,1],\"value\":{\"a\":{\"at\":[2,7],\"value\":[{\"at\":[2,8],\"value\":1}]}}}", true},
};
// clang-format on

static hoist_status send_text(hoist_allocator alloc, hoist_bytes text, bool places,
                              hoist_buffer *out)
{
    hoist_json json;
    hoist_json_writer w;
    hoist_arena arena;
    hoist_json_cursor cursor = {0};
    HOIST_TRY(hoist_json_read(text, NULL, alloc, NULL, &json));
    hoist_arena_init(&arena, alloc);
    hoist_json_writer_init(&w, out, false, places);
    w.wide = true;
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    const hoist_json_sending how = {
        .arena = &arena, .cursor = places ? &cursor : NULL, .digits = !places};
    const hoist_status status = hoist_json_send(&json, 0, HOIST_STR(""), &how, &sink);
    hoist_json_writer_deinit(&w);
    hoist_arena_deinit(&arena);
    hoist_json_free(&json);
    return status == HOIST_OK ? sink.status : status;
}

HOIST_TEST_TABLE(values_are_sent, sent)
{
    hoist_buffer out;
    const hoist_bytes text = {(const uint8_t *)row->text, strlen(row->text)};
    hoist_buffer_init(&out, t->arena.alloc);
    HOIST_EXPECT_EQ(t, send_text(t->arena.alloc, text, row->places, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want ? row->want : row->text);
    hoist_buffer_deinit(&out);
}

static hoist_status send_starved(hoist_allocator alloc, const void *self)
{
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = send_text(alloc, *(const hoist_bytes *)self, true, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(values_are_sent_without_memory)
{
    static const char text[] = "{\"\\u0041\":[\"\\u0042\",1]}";
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    hoist_test_starve(t, send_starved, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(values_are_sent), HOIST_TEST_ROW(values_are_sent_without_memory),
                HOIST_TEST_ROW(items_are_handed_over), HOIST_TEST_ROW(the_tape_holds_one_item),
                HOIST_TEST_ROW(items_without_memory), HOIST_TEST_ROW(every_value_can_be_read_alone),
                HOIST_TEST_ROW(only_the_value_counts), HOIST_TEST_ROW(places_in_any_order),
                HOIST_TEST_ROW(another_text_is_begun_anew))
