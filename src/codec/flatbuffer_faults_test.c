// FlatBuffers that are not sound: every rule, every truncation, and seeded damage.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "codec/flatbuffer.h"
#include "codec/flatbuffer_testing.h"
#include "testing/test.h"

enum { MAX_BYTES = 8192 };

typedef struct zoo_bytes {
    uint8_t data[MAX_BYTES];
    size_t size;
} zoo_bytes;

// A sound buffer; the small one has no blob, which takes a page.
static void write_zoo(hoist_test *t, zoo_bytes *out)
{
    zoo *const z = zoo_make(&t->arena);
    z->blob = (hoist_bytes){NULL, 0};
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&zoo_type, z, NULL, &buffer), HOIST_OK);
    HOIST_EXPECT(t, buffer.size <= MAX_BYTES);
    memcpy(out->data, buffer.data, buffer.size);
    out->size = buffer.size;
    hoist_buffer_deinit(&buffer);
}

static uint32_t root_of(const zoo_bytes *b)
{
    return hoist_load_u32le(b->data);
}
static uint32_t field(const zoo_bytes *b, uint16_t slot)
{
    return hoist_fb_place((hoist_bytes){b->data, b->size}, root_of(b), slot);
}
static uint32_t target(const zoo_bytes *b, uint16_t slot)
{
    return field(b, slot) + hoist_load_u32le(b->data + field(b, slot));
}
static uint32_t vtable(const zoo_bytes *b)
{
    return root_of(b) - hoist_load_u32le(b->data + root_of(b));
}

static void too_short(zoo_bytes *b)
{
    b->size = 7;
}
static void root_outside(zoo_bytes *b)
{
    hoist_store_u32le(b->data, (uint32_t)b->size - 3);
}
static void root_in_itself(zoo_bytes *b)
{
    hoist_store_u32le(b->data, 0);
}
static void root_askew(zoo_bytes *b)
{
    hoist_store_u32le(b->data, root_of(b) + 2);
}
static void vtable_before(zoo_bytes *b)
{
    hoist_store_u32le(b->data + root_of(b), root_of(b) + 2);
}
static void vtable_behind(zoo_bytes *b)
{
    hoist_store_u32le(b->data + root_of(b), (uint32_t) - (int32_t)b->size);
}
static void vtable_odd(zoo_bytes *b)
{
    b->data[vtable(b)]++;
}
static void vtable_long(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b), 0xfffe);
}
static void vtable_tiny(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b), 2);
}
static void table_long(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 2, 0xffff);
}
static void table_tiny(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 2, 3);
}
static void field_in_front(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 4, 3);
}
static void field_behind(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 4 + (size_t)2 * 8, 0x7ff0);
}
static void offset_zero(zoo_bytes *b)
{
    hoist_store_u32le(b->data + field(b, 11), 0);
}
static void offset_outside(zoo_bytes *b)
{
    hoist_store_u32le(b->data + field(b, 17), 0x7fffffff);
}
static void item_outside(zoo_bytes *b)
{
    hoist_store_u32le(b->data + target(b, 18) + 4, 0x7fffffff);
}
static void vector_long(zoo_bytes *b)
{
    hoist_store_u32le(b->data + target(b, 13), 0xffffffff);
}
static void tables_long(zoo_bytes *b)
{
    hoist_store_u32le(b->data + target(b, 18), (uint32_t)b->size / 4);
}
static void string_long(zoo_bytes *b)
{
    hoist_store_u32le(b->data + target(b, 11), (uint32_t)b->size);
}
static void string_open(zoo_bytes *b)
{
    b->data[target(b, 11) + 4 + 5] = 'x';
}
static void string_to_the_end(zoo_bytes *b)
{
    hoist_store_u32le(b->data + target(b, 11), (uint32_t)b->size - target(b, 11) - 4);
}
static void scalar_askew(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 4 + (size_t)2 * 6,
                      (uint16_t)(field(b, 7) - root_of(b) + 2)); // natural: inside large
}
static void offset_askew(zoo_bytes *b)
{
    hoist_store_u32le(b->data + field(b, 17), hoist_load_u32le(b->data + field(b, 17)) + 2);
}
static void longs_askew(zoo_bytes *b)
{
    const uint32_t at = target(b, 14);
    hoist_store_u32le(b->data + field(b, 14), at + 4 - field(b, 14));
    hoist_store_u32le(b->data + at + 4, 1);
}
static void union_without_value(zoo_bytes *b)
{
    hoist_store_u16le(b->data + vtable(b) + 4 + (size_t)2 * 21, 0);
}
static void union_without_type(zoo_bytes *b)
{
    b->data[field(b, 20)] = 0;
}
// Each of the list's items is the root table, whose list has ...: more tables than bytes.
static void items_again(zoo_bytes *b)
{
    const uint32_t list = target(b, 13);
    hoist_store_u32le(b->data + field(b, 18), list - field(b, 18));
    const uint32_t count = ((uint32_t)b->size - list - 4) / 4;
    hoist_store_u32le(b->data + list, count);
}

static const struct {
    const char *name;
    void (*damage)(zoo_bytes *b);
    const char *rule;
    hoist_status status;
} damages[] = {
    {"too short", too_short, "FB-001", HOIST_TRUNCATED},
    {"root outside", root_outside, "FB-001", HOIST_INVALID},
    {"root in itself", root_in_itself, "FB-001", HOIST_INVALID},
    {"root askew", root_askew, "FB-002", HOIST_INVALID},
    {"vtable before the buffer", vtable_before, "FB-002", HOIST_INVALID},
    {"vtable behind the buffer", vtable_behind, "FB-002", HOIST_INVALID},
    {"vtable of odd size", vtable_odd, "FB-003", HOIST_INVALID},
    {"vtable too long", vtable_long, "FB-003", HOIST_INVALID},
    {"vtable too short", vtable_tiny, "FB-003", HOIST_INVALID},
    {"table too long", table_long, "FB-002", HOIST_INVALID},
    {"table too short", table_tiny, "FB-002", HOIST_INVALID},
    {"field in its table's head", field_in_front, "FB-004", HOIST_OK},
    {"field behind its table", field_behind, "FB-004", HOIST_OK},
    {"offset of 0", offset_zero, "FB-005", HOIST_OK},
    {"offset that leads out", offset_outside, "FB-005", HOIST_OK},
    {"offset of an item that leads out", item_outside, "FB-005", HOIST_OK},
    {"vector too long", vector_long, "FB-006", HOIST_OK},
    {"list too long", tables_long, "FB-006", HOIST_OK},
    {"string too long", string_long, "FB-006", HOIST_OK},
    {"string without NUL", string_open, "FB-007", HOIST_OK},
    {"string without NUL at the end", string_to_the_end, "FB-007", HOIST_OK},
    {"scalar askew", scalar_askew, "FB-008", HOIST_OK},
    {"table askew", offset_askew, "FB-008", HOIST_OK},
    {"vector of longs askew", longs_askew, "FB-008", HOIST_OK},
    {"union without value", union_without_value, "FB-009", HOIST_OK},
    {"union without type", union_without_type, "FB-009", HOIST_OK},
    {"more tables than bytes", items_again, "FB-010", HOIST_LIMIT},
};

static hoist_status read_zoo(hoist_test *t, hoist_bytes bytes, const hoist_fb_options *options,
                             uint32_t *out_faults)
{
    void *object = NULL;
    const hoist_status status =
        hoist_fb_read(bytes, &zoo_type, options, &t->arena, t->diag, &object);
    HOIST_EXPECT_EQ(t, status == HOIST_OK, object != NULL);
    *out_faults = object ? ((const hoist_fb_table *)object)->faults : 0;
    return status;
}

HOIST_TEST_TABLE(rules, damages)
{
    zoo_bytes b;
    write_zoo(t, &b);
    row->damage(&b);
    uint32_t faults = 0;
    const hoist_fb_options few = {.max_tables = 4};
    const hoist_bytes bytes = hoist_test_exact(t, (hoist_bytes){b.data, b.size});
    HOIST_EXPECT_EQ(t, read_zoo(t, bytes, row->status == HOIST_LIMIT ? &few : NULL, &faults),
                    row->status);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, faults > 0, row->status == HOIST_OK);
}

HOIST_TEST(faults_say_where)
{
    zoo_bytes b;
    write_zoo(t, &b);
    item_outside(&b);
    const hoist_fb_options options = {.base_offset = 1000};
    uint32_t faults = 0;
    (void)read_zoo(t, (hoist_bytes){b.data, b.size}, &options, &faults);
    const hoist_finding *const finding = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, finding->object, "animals/0");
    HOIST_EXPECT_EQ(t, finding->loc.offset, 1000 + target(&b, 18) + 4);
}

HOIST_TEST(two_gigabytes_are_too_much)
{
    const uint8_t byte = 0;
    uint32_t faults = 0;
    HOIST_EXPECT_EQ(t, read_zoo(t, (hoist_bytes){&byte, (size_t)INT32_MAX + 1}, NULL, &faults),
                    HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FB-012");
}

// A buffer with faults is not changed: nothing says what it would become.
HOIST_TEST(faults_are_not_rewritten)
{
    zoo_bytes b;
    write_zoo(t, &b);
    const hoist_bytes bytes = {b.data, b.size};
    void *object = NULL;
    string_open(&b);
    HOIST_EXPECT_EQ(t, hoist_fb_read(bytes, &zoo_type, NULL, &t->arena, NULL, &object), HOIST_OK);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_rewrite(bytes, &zoo_type, object, t->diag, &out), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FB-013");
    hoist_buffer_deinit(&out);
}

// A string that is cut off, and everything else: whatever is left is read or refused.
HOIST_TEST(every_truncation)
{
    zoo_bytes b;
    write_zoo(t, &b);
    for (size_t size = 0; size < b.size; size++) {
        uint32_t faults = 0;
        const hoist_bytes cut = hoist_test_exact(t, (hoist_bytes){b.data, size});
        const hoist_status status = read_zoo(t, cut, NULL, &faults);
        // Padding may go unnoticed.
        HOIST_EXPECT(t, status != HOIST_OK || faults > 0 || size + 4 > b.size);
    }
}

HOIST_TEST(damaged_bytes_do_no_harm)
{
    zoo_bytes sound;
    write_zoo(t, &sound);
    uint64_t seed = 1;
    for (int round = 0; round < HOIST_TEST_ROUNDS(20000); round++) {
        zoo_bytes b = sound;
        for (int i = 0; i < 1 + round % 4; i++) {
            b.data[hoist_test_random(&seed) % b.size] ^=
                (uint8_t)(1U << hoist_test_random(&seed) % 8);
        }
        hoist_arena arena;
        hoist_arena_init(&arena, hoist_allocator_system());
        void *object = NULL;
        const hoist_bytes bytes = {b.data, b.size};
        const hoist_status status = hoist_fb_read(bytes, &zoo_type, NULL, &arena, NULL, &object);
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_allocator_system());
        if (status == HOIST_OK && ((const hoist_fb_table *)object)->faults == 0) {
            HOIST_EXPECT_EQ(t, hoist_fb_rewrite(bytes, &zoo_type, object, NULL, &out), HOIST_OK);
            HOIST_EXPECT(t, out.size == b.size && memcmp(out.data, b.data, b.size) == 0);
        }
        hoist_buffer_deinit(&out);
        hoist_arena_deinit(&arena);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rules), HOIST_TEST_ROW(faults_say_where),
                HOIST_TEST_ROW(two_gigabytes_are_too_much),
                HOIST_TEST_ROW(faults_are_not_rewritten), HOIST_TEST_ROW(every_truncation),
                HOIST_TEST_ROW(damaged_bytes_do_no_harm))
