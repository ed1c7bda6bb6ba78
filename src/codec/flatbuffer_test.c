// FlatBuffers that are sound: what is written is read alike, changed in place, and shown.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "codec/flatbuffer.h"
#include "codec/flatbuffer_testing.h"
#include "codec/json_writer.h"
#include "testing/test.h"

static hoist_bytes write_zoo(hoist_test *t, const zoo *z)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&zoo_type, z, "ZOO1", &out), HOIST_OK);
    const hoist_bytes bytes = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return bytes;
}

static void *read_as(hoist_test *t, hoist_bytes bytes, const hoist_fb_type *type)
{
    void *object = NULL;
    HOIST_EXPECT_EQ(t, hoist_fb_read(bytes, type, NULL, &t->arena, t->diag, &object), HOIST_OK);
    HOIST_EXPECT(t, object && ((const hoist_fb_table *)object)->faults == 0);
    return object;
}

static hoist_bytes rewrite_as(hoist_test *t, hoist_bytes bytes, const hoist_fb_type *type,
                              const void *object, hoist_status expected)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "abc"); // what is before does not count
    HOIST_EXPECT_EQ(t, hoist_fb_rewrite(bytes, type, object, t->diag, &out), expected);
    const hoist_bytes all = hoist_buffer_bytes(&out);
    const hoist_bytes copy =
        hoist_test_exact(t, (hoist_bytes){all.data + 3, all.size > 3 ? all.size - 3 : 0});
    hoist_buffer_deinit(&out);
    return copy;
}

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

// The object as JSON.
static hoist_str shown(hoist_test *t, hoist_bytes bytes, const hoist_fb_type *type,
                       const void *object)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    HOIST_EXPECT_EQ(t, hoist_fb_visit(bytes, type, object, &sink), HOIST_OK);
    hoist_tree_end(&sink);
    hoist_json_writer_deinit(&writer);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

static void expect_same_animal(hoist_test *t, const animal *got, const animal *expected)
{
    HOIST_EXPECT(t, hoist_str_equal(got->name, expected->name));
    HOIST_EXPECT_EQ(t, got->age, expected->age);
    HOIST_EXPECT_EQ(t, got->tags.count, expected->tags.count);
    HOIST_EXPECT_EQ(t, !got->tags.items, !expected->tags.items);
    if (!got->tags.items || !expected->tags.items) {
        return;
    }
    for (uint32_t i = 0; i < got->tags.count && i < expected->tags.count; i++) {
        HOIST_EXPECT(t, hoist_str_equal(got->tags.items[i], expected->tags.items[i]));
    }
}

HOIST_TEST(reads_what_it_writes)
{
    const zoo *const made = zoo_make(&t->arena);
    const hoist_bytes bytes = write_zoo(t, made);
    HOIST_EXPECT_STR(t, hoist_fb_identifier(bytes), "ZOO1");
    const zoo *const z = read_as(t, bytes, &zoo_type);
    HOIST_EXPECT_EQ(t, memcmp(&z->flag, &made->flag, offsetof(zoo, title) - offsetof(zoo, flag)),
                    0);
    HOIST_EXPECT(t, hoist_str_equal(z->title, made->title));
    HOIST_EXPECT(t, same(z->blob, made->blob) && same(z->ints, made->ints));
    HOIST_EXPECT(t, same(z->longs, made->longs) && same(z->floats, made->floats));
    HOIST_EXPECT(t, same(z->ranges, made->ranges));
    HOIST_EXPECT_EQ(t, hoist_fb_i32(z->ints, 1), -2);
    HOIST_EXPECT_EQ(t, hoist_fb_i64(z->longs, 1), -2);
    HOIST_EXPECT(t, hoist_fb_f32(z->floats, 1) == -2.0F);
    expect_same_animal(t, z->first, made->first);
    HOIST_EXPECT_EQ(t, z->animals.count, 2);
    for (uint32_t i = 0; i < z->animals.count; i++) {
        expect_same_animal(t, &z->animals.items[i], &made->animals.items[i]);
    }
    HOIST_EXPECT_EQ(t, z->thing.type, 1);
    expect_same_animal(t, z->thing.value, made->thing.value);
    HOIST_EXPECT_EQ(t, (size_t)(z->blob.data - bytes.data) % 4096, 0);
    HOIST_EXPECT(t, hoist_fb_is_known(&zoo_type, z));
    HOIST_EXPECT(t, same(write_zoo(t, z), bytes));
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(absent_fields_have_their_fallback)
{
    const zoo empty = {.number = 7};
    const hoist_bytes bytes = write_zoo(t, &empty);
    const zoo *const z = read_as(t, bytes, &zoo_type);
    HOIST_EXPECT_EQ(t, z->head.present, 0);
    HOIST_EXPECT_EQ(t, z->number, 7);
    HOIST_EXPECT(t, !z->title.data && !z->blob.data && !z->animals.items && !z->first);
    // Present and empty is not absent; a scalar with its bit is stored.
    const zoo hollow = {.head = {.present = 1ULL << 5},
                        .number = 7,
                        .title = HOIST_STR(""),
                        .animals = {.items = (animal[1]){{.age = 0}}, .count = 0}};
    const zoo *const other = read_as(t, write_zoo(t, &hollow), &zoo_type);
    HOIST_EXPECT(t, other->title.data && other->animals.items);
    HOIST_EXPECT(t, other->head.present >> 5 & 1);
}

// A page's worth of other things is after the blob, a few bytes before it.
HOIST_TEST(large_alignment_wastes_little)
{
    zoo *const z = zoo_make(&t->arena);
    HOIST_EXPECT_EQ(t, write_zoo(t, z).size, 4096 + z->blob.size);
    static const uint8_t zeros[9000];
    z->ints = (hoist_bytes){zeros, sizeof(zeros)};
    const hoist_bytes bytes = write_zoo(t, z);
    const zoo *const read = read_as(t, bytes, &zoo_type);
    HOIST_EXPECT_EQ(t, (size_t)(read->blob.data - bytes.data), 4096);
    HOIST_EXPECT(t, bytes.size < 4096 + sizeof(zeros) + 1000);
}

HOIST_TEST(rewrites_the_same_bytes_without_changes)
{
    const hoist_bytes bytes = write_zoo(t, zoo_make(&t->arena));
    HOIST_EXPECT(
        t, same(rewrite_as(t, bytes, &zoo_type, read_as(t, bytes, &zoo_type), HOIST_OK), bytes));
    HOIST_EXPECT(
        t, same(rewrite_as(t, bytes, &old_zoo_type, read_as(t, bytes, &old_zoo_type), HOIST_OK),
                bytes));
}

// Each makes one change; `size` is how the buffer may grow.
static void change_scalar(zoo *z)
{
    z->natural = 1;
}
static void change_text(zoo *z)
{
    z->title = HOIST_STR("a park");
}
static void change_vector(zoo *z)
{
    static const uint8_t other[5] = "54321";
    z->blob = (hoist_bytes){other, 5};
}
static void change_item(zoo *z)
{
    z->animals.items[1].age = 77;
}
static void change_tag(zoo *z)
{
    z->animals.items[0].tags.items[1] = HOIST_STR("new");
}
static void change_length(zoo *z)
{
    z->animals.count = 1;
}
static void change_union(zoo *z)
{
    ((animal *)z->thing.value)->name = HOIST_STR("fern");
}
static void change_first(zoo *z)
{
    z->first = NULL;
}
static void change_words(zoo *z)
{
    z->words.count = 1;
}

static const struct {
    const char *name;
    void (*change)(zoo *z);
    bool in_place;
} changes[] = {
    {"a scalar", change_scalar, true},       {"a text", change_text, false},
    {"a vector", change_vector, true},       {"an item", change_item, true},
    {"a text of a list", change_tag, false}, {"fewer items", change_length, false},
    {"a union", change_union, false},        {"a table that goes", change_first, false},
    {"fewer words", change_words, false},
};

HOIST_TEST_TABLE(rewrites_changes, changes)
{
    const hoist_bytes bytes = write_zoo(t, zoo_make(&t->arena));
    zoo *const z = read_as(t, bytes, &zoo_type);
    row->change(z);
    const hoist_bytes changed = rewrite_as(t, bytes, &zoo_type, z, HOIST_OK);
    HOIST_EXPECT_EQ(t, changed.size == bytes.size, row->in_place);
    HOIST_EXPECT(t, !same(changed, bytes));
    // Made anew, both say the same.
    HOIST_EXPECT(t, same(write_zoo(t, read_as(t, changed, &zoo_type)), write_zoo(t, z)));
}

HOIST_TEST(keeps_what_it_does_not_know)
{
    const hoist_bytes bytes = write_zoo(t, zoo_make(&t->arena));
    zoo *const old = read_as(t, bytes, &old_zoo_type);
    HOIST_EXPECT_RULE(t, "FB-011");
    HOIST_EXPECT_EQ(t, old->head.unknowns, 11);
    HOIST_EXPECT(t, !hoist_fb_is_known(&old_zoo_type, old));
    old->title = HOIST_STR("another name");
    old->large = 5;
    const hoist_bytes changed = rewrite_as(t, bytes, &old_zoo_type, old, HOIST_OK);
    const zoo *const z = read_as(t, changed, &zoo_type);
    HOIST_EXPECT_STR(t, z->title, "another name");
    HOIST_EXPECT_EQ(t, z->large, 5);
    HOIST_EXPECT_STR(t, z->animals.items[0].tags.items[0], "old");
    HOIST_EXPECT_EQ(t, z->kind, 3);
    // There is no space for a field that was not stored.
    old->title = (hoist_str){NULL, 0};
    (void)rewrite_as(t, bytes, &old_zoo_type, old, HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "FB-013");
}

// Both fields refer to one table: a change to one must not be one to the other.
HOIST_TEST(a_shared_table_is_parted_by_a_change)
{
    const hoist_bytes bytes = write_zoo(t, zoo_make(&t->arena));
    const zoo *const first = read_as(t, bytes, &zoo_type);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    const uint32_t field = hoist_fb_place(bytes, first->head.at, 17);
    hoist_store_u32le(copy + field, first->animals.items[0].head.at - field);
    const hoist_bytes shared = {copy, bytes.size};
    zoo *const z = read_as(t, shared, &zoo_type);
    HOIST_EXPECT(t, same(rewrite_as(t, shared, &zoo_type, z, HOIST_OK), shared));
    z->first->age = 99;
    const zoo *const parted = read_as(t, rewrite_as(t, shared, &zoo_type, z, HOIST_OK), &zoo_type);
    HOIST_EXPECT_EQ(t, parted->first->age, 99);
    HOIST_EXPECT_EQ(t, parted->animals.items[0].age, 3);
}

HOIST_TEST(members_have_places)
{
    zoo *const made = zoo_make(&t->arena);
    made->title = (hoist_str){NULL, 0};
    const hoist_bytes bytes = write_zoo(t, made);
    const zoo *const z = read_as(t, bytes, &zoo_type);
    const uint32_t number = hoist_fb_member_place(bytes, &zoo_type, z, offsetof(zoo, number));
    HOIST_EXPECT_EQ(t, (int32_t)hoist_load_u32le(bytes.data + number), -70000);
    // What is absent, or no member, is where the table is; what was made is nowhere.
    HOIST_EXPECT_EQ(t, hoist_fb_member_place(bytes, &zoo_type, z, offsetof(zoo, title)),
                    z->head.at);
    HOIST_EXPECT_EQ(t, hoist_fb_member_place(bytes, &zoo_type, z, sizeof(zoo)), z->head.at);
    HOIST_EXPECT_EQ(t, hoist_fb_member_place(bytes, &zoo_type, made, offsetof(zoo, number)), 0);
}

HOIST_TEST(shows_every_field)
{
    zoo *const made = zoo_make(&t->arena);
    const hoist_bytes bytes = write_zoo(t, made);
    HOIST_EXPECT_STR(
        t, shown(t, bytes, &zoo_type, read_as(t, bytes, &zoo_type)),
        "{\"flag\":true,\"tiny\":-5,\"byte\":200,\"low\":-300,\"half\":60000,\"number\":-70000,"
        "\"natural\":4000000000,\"large\":-5000000000,\"mask\":\"18222165349331120056\","
        "\"ratio\":0.5,\"exact\":-0.125,\"title\":\"a zoo\",\"blob\":\"0102030405\","
        "\"ints\":[1,-2,3],\"longs\":[1,-2],\"floats\":[1,-2],"
        "\"ranges\":[{\"start\":0,\"end\":9}],\"first\":{\"name\":\"emu\",\"tags\":[\"old\"]},"
        "\"animals\":[{\"name\":\"ox\",\"age\":3,\"tags\":[\"old\",\"\"]},"
        "{\"name\":\"\",\"age\":-1}],\"words\":[\"hay\",\"water\"],\"thing_type\":\"Animal\","
        "\"thing\":{\"name\":\"ox\",\"age\":3,\"tags\":[\"old\",\"\"]},\"kind\":\"PRIVATE\"}");
    made->title = HOIST_STR("no\xff text");
    const hoist_bytes odd = write_zoo(t, made);
    HOIST_EXPECT(t, hoist_str_contains(shown(t, odd, &zoo_type, read_as(t, odd, &zoo_type)),
                                       "\"title\":\"6e6fff2074657874\""));
    const zoo *const old = read_as(t, bytes, &old_zoo_type);
    const hoist_str text = shown(t, bytes, &old_zoo_type, old);
    HOIST_EXPECT(t, hoist_str_contains(text, "\"slot 20\":\"01"));
    HOIST_EXPECT(t, hoist_str_contains(text, "\"slot 22\":\"0300"));
}

static hoist_status read_write_rewrite(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const bytes = self;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    void *object = NULL;
    hoist_status status = hoist_fb_read(*bytes, &zoo_type, NULL, &arena, NULL, &object);
    if (status == HOIST_OK) {
        change_text(object);
        status = hoist_fb_write(&zoo_type, object, NULL, &out);
    }
    if (status == HOIST_OK) {
        status = hoist_fb_rewrite(*bytes, &zoo_type, object, NULL, &out);
    }
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const hoist_bytes bytes = write_zoo(t, zoo_make(&t->arena));
    hoist_test_starve(t, read_write_rewrite, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads_what_it_writes),
                HOIST_TEST_ROW(absent_fields_have_their_fallback),
                HOIST_TEST_ROW(large_alignment_wastes_little),
                HOIST_TEST_ROW(rewrites_the_same_bytes_without_changes),
                HOIST_TEST_ROW(rewrites_changes), HOIST_TEST_ROW(keeps_what_it_does_not_know),
                HOIST_TEST_ROW(a_shared_table_is_parted_by_a_change),
                HOIST_TEST_ROW(members_have_places), HOIST_TEST_ROW(shows_every_field),
                HOIST_TEST_ROW(gives_memory_back))
