// Reading a FlatBuffer into C structs by rows. Every offset, vtable and length is checked before
// it is used; faults are reported by flatbuffer_rules.c and the rest is still read.
// Two traps: offsets may let tables share tables, so a buffer of a kilobyte can unfold to more
// objects than memory holds, and a chain of tables can be as deep as the buffer is long. Hence
// the limits on tables, bytes and depth.
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/flatbuffer_internal.h"

enum {
    MAX_DEPTH = 64,        // nested tables; real schemas nest a handful
    SLOTS_PER_CHARGE = 64, // fields of a table that count as one table more
    BYTES_FACTOR = 16,     // what vectors and strings may have together, in sizes of the buffer
};

typedef struct reader {
    hoist_bytes buffer;
    uint64_t base_offset;
    uint64_t tables_left;     // that may still be read
    uint64_t bytes_left;      // of vectors and strings, which many tables may share
    hoist_deadline *deadline; // NULL: none
    hoist_arena *arena;
    hoist_diag *diag;
    size_t faults;
    unsigned depth;      // tables that are open
    hoist_status status; // not HOIST_OK: nothing more is read
} reader;

static void fault(reader *r, fb_rule rule, uint64_t at, const char *format, ...) HOIST_PRINTF(4, 5);
static void fault(reader *r, fb_rule rule, uint64_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->faults++;
    hoist_vreport(r->diag, fb_rule_row(rule), hoist_loc_byte(r->base_offset + at), format, args);
    va_end(args);
}

// Zeroed memory of the arena; NULL: r->status says why, and all readers stop.
static void *take(reader *r, size_t count, size_t size)
{
    void *const memory = hoist_arena_array(r->arena, count, size);
    if (!memory) {
        r->status = HOIST_NO_MEMORY;
    }
    return memory;
}

// False: a limit was hit or the time is over. The deadline is looked at once per table.
// Counts a table against the limit.
static bool charge(reader *r, uint64_t at, uint64_t tables)
{
    if (r->depth > MAX_DEPTH || r->tables_left < tables) {
        fault(r, FB_010, at, "%s",
              r->depth > MAX_DEPTH ? "tables are nested more than 64 deep"
                                   : "there are more tables than the buffer can hold");
        r->status = HOIST_LIMIT;
        return false;
    }
    r->tables_left -= tables;
    const hoist_status ended = hoist_deadline_look(r->deadline);
    r->status = ended != HOIST_OK ? ended : r->status;
    return ended == HOIST_OK;
}

// Follows the offset stored at `at`. 0: it leads nowhere, which was reported.
static uint64_t follow(reader *r, uint64_t at)
{
    HOIST_ASSERT(at + 4 <= r->buffer.size);
    const uint32_t offset = hoist_load_u32le(r->buffer.data + at);
    // In 64 bits: at and offset are below 2^32.
    const uint64_t target = at + offset;
    if (offset == 0 || target + 4 > r->buffer.size) {
        // Tells a caller with a part of a file how many bytes it would need.
        hoist_diag_lacks(r->diag, target + 4);
        fault(r, FB_005, at, "the offset %" PRIu32 " leads to byte %" PRIu64 " of %zu", offset,
              target, r->buffer.size);
        return 0;
    }
    // All that offsets lead to begins with 32 bits.
    if (target % 4) {
        fault(r, FB_008, at,
              "the offset %" PRIu32 " leads to byte %" PRIu64 ", expected a multiple of 4", offset,
              target);
        return 0;
    }
    return target;
}

// The items of the vector that the offset at `at` leads to; data NULL: it is none. `*out_count`.
static hoist_bytes read_vector(reader *r, uint64_t at, size_t item_size, size_t alignment,
                               uint32_t *out_count)
{
    HOIST_ASSERT(item_size > 0 && alignment > 0);
    *out_count = 0;
    const uint64_t vector = follow(r, at);
    if (vector == 0) {
        return (hoist_bytes){NULL, 0};
    }
    const uint32_t count = hoist_load_u32le(r->buffer.data + vector);
    const uint64_t left = r->buffer.size - vector - 4;
    HOIST_ASSERT(vector + 4 <= r->buffer.size);
    // By division, as the product could overflow; before anything of that size is allocated.
    if (count > left / item_size) {
        fault(r, FB_006, vector, "%" PRIu32 " items of %zu bytes, and %" PRIu64 " bytes are left",
              count, item_size, left);
        return (hoist_bytes){NULL, 0};
    }
    // Reported, not refused: items are loaded byte by byte, so nothing breaks here.
    if (count && (vector + 4) % alignment) {
        fault(r, FB_008, vector + 4, "items at byte %" PRIu64 ", expected a multiple of %zu",
              vector + 4, alignment);
    }
    if (count * item_size > r->bytes_left) {
        fault(r, FB_010, vector, "shared vectors expand to more than the buffer can hold");
        r->status = HOIST_LIMIT;
        return (hoist_bytes){NULL, 0};
    }
    r->bytes_left -= count * item_size;
    *out_count = count;
    return (hoist_bytes){r->buffer.data + vector + 4, count * item_size};
}

// The NUL is not counted by the length, so it is checked apart: C++ readers rely on it.
static hoist_str read_string(reader *r, uint64_t at)
{
    uint32_t size = 0;
    const hoist_bytes bytes = read_vector(r, at, 1, 1, &size);
    if (!bytes.data) {
        return (hoist_str){NULL, 0};
    }
    const uint64_t end = (uint64_t)(bytes.data - r->buffer.data) + size;
    if (end >= r->buffer.size || r->buffer.data[end] != 0) {
        fault(r, FB_007, end, "a string of %" PRIu32 " bytes has no NUL after it", size);
        return (hoist_str){NULL, 0};
    }
    return (hoist_str){(const char *)bytes.data, size};
}

static void read_table(reader *r, uint64_t at, const hoist_fb_type *type, void *object);

// A new object of the table that the offset at `at` leads to; NULL: there is none.
// Arena memory of a table that turns out to be none is left unused.
static void *read_child(reader *r, uint64_t at, const hoist_fb_type *type)
{
    const uint64_t table = follow(r, at);
    HOIST_ASSERT(type && type->size >= sizeof(hoist_fb_table));
    void *const object = table ? take(r, 1, type->size) : NULL;
    if (!object) {
        return NULL;
    }
    read_table(r, table, type, object);
    // `at` is set by read_table() once the table is known to be one.
    return ((hoist_fb_table *)object)->at ? object : NULL;
}

static void read_tables(reader *r, uint64_t at, const hoist_fb_type *type, void *member)
{
    HOIST_ASSERT(type && type->size >= sizeof(hoist_fb_table));
    fb_list list = {NULL, 0};
    const hoist_bytes offsets = read_vector(r, at, 4, 4, &list.count);
    // All items are charged before they are allocated: an object is many times as large as the
    // four bytes of its offset.
    if (!offsets.data || !charge(r, at, list.count)) {
        return;
    }
    list.items = take(r, list.count, type->size);
    if (!list.items) {
        return;
    }
    uint8_t *item = list.items;
    for (uint32_t i = 0; i < list.count && r->status == HOIST_OK; i++, item += type->size) {
        hoist_frame frame;
        hoist_diag_push_item(r->diag, &frame, "", i);
        const uint64_t table = follow(r, (uint64_t)(offsets.data - r->buffer.data) + 4ULL * i);
        // An item whose offset is broken stays zero, with place 0, so that indices of others
        // keep.
        if (table) {
            read_table(r, table, type, item);
        }
        hoist_diag_pop(r->diag, &frame);
    }
    memcpy(member, &list, sizeof(list));
}

static void read_strings(reader *r, uint64_t at, void *member)
{
    HOIST_FB_LIST(hoist_str) list = {NULL, 0};
    const hoist_bytes offsets = read_vector(r, at, 4, 4, &list.count);
    if (!offsets.data) {
        return;
    }
    list.items = take(r, list.count, sizeof(hoist_str));
    for (uint32_t i = 0; list.items && i < list.count && r->status == HOIST_OK; i++) {
        list.items[i] = read_string(r, (uint64_t)(offsets.data - r->buffer.data) + 4ULL * i);
    }
    if (list.items) {
        memcpy(member, &list, sizeof(list));
    }
}

// The type is a byte in the slot before the value's; both are there or neither (FB-009).
static void read_union(reader *r, const fb_raw *raw, uint64_t at, const hoist_fb_field *field,
                       hoist_fb_union *value)
{
    HOIST_ASSERT(field->slot > 0 && field->variants);
    const uint16_t type_at = fb_field_offset(r->buffer, raw, field->slot - 1U);
    value->type = type_at && type_at < raw->size ? r->buffer.data[raw->at + type_at] : 0;
    if (!value->type != !at) {
        fault(r, FB_009, at ? at : raw->at,
              value->type ? "the union has a type and no value"
                          : "the union has a value and no type");
        return;
    }
    if (!at) {
        return;
    }
    const hoist_fb_type *const type = hoist_fb_variant_type(field->variants, value->type);
    if (type) {
        value->value = read_child(r, at, type);
        value->at = value->value ? ((hoist_fb_table *)value->value)->at : 0;
        return;
    }
    // A variant of a newer schema: its place is kept, so that a dump can show its bytes.
    const uint64_t table = follow(r, at);
    value->at = (uint32_t)table;
}

// Loads a scalar into a member of its own width.
// The byte order is the buffer's, whatever the machine's. A bool may be any byte but 0 in a
// file; as a C bool it has to be 1.
static void load_scalar(const uint8_t *p, hoist_fb_kind kind, void *member)
{
    switch (hoist_fb_scalar_size(kind)) {
    case 1: {
        const uint8_t value = kind == HOIST_FB_BOOL ? *p != 0 : *p;
        memcpy(member, &value, sizeof(value));
        break;
    }
    case 2: {
        const uint16_t value = hoist_load_u16le(p);
        memcpy(member, &value, sizeof(value));
        break;
    }
    case 4: {
        const uint32_t value = hoist_load_u32le(p);
        memcpy(member, &value, sizeof(value));
        break;
    }
    default: {
        const uint64_t value = hoist_load_u64le(p);
        memcpy(member, &value, sizeof(value));
        break;
    }
    }
}

// Reads the field that is stored at `at` of the buffer, as its row says.
static void read_stored(reader *r, const fb_raw *raw, uint64_t at, const hoist_fb_field *field,
                        void *member)
{
    // locate() has seen to it.
    HOIST_ASSERT(at >= raw->at && at + fb_inline_size(field) <= (uint64_t)raw->at + raw->size);
    HOIST_ASSERT((uint64_t)raw->at + raw->size <= r->buffer.size);
    uint32_t count = 0;
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
        *(hoist_str *)member = read_string(r, at);
        break;
    case HOIST_FB_VECTOR:
        *(hoist_bytes *)member =
            read_vector(r, at, fb_item_size(field), fb_item_size(field), &count);
        break;
    case HOIST_FB_STRUCTS:
        // Structs of 32-bit members, as all of the formats here have.
        *(hoist_bytes *)member = read_vector(r, at, fb_item_size(field), 4, &count);
        break;
    case HOIST_FB_TABLE:
        *(void **)member = read_child(r, at, field->type);
        break;
    case HOIST_FB_STRINGS:
        read_strings(r, at, member);
        break;
    case HOIST_FB_TABLES:
        read_tables(r, at, field->type, member);
        break;
    case HOIST_FB_UNION:
        read_union(r, raw, at, field, member);
        break;
    default:
        load_scalar(r->buffer.data + at, (hoist_fb_kind)field->kind, member);
        break;
    }
}

// Where a field is stored; 0: nowhere, or outside its table, which was reported.
static uint64_t locate(reader *r, const fb_raw *raw, const hoist_fb_field *field)
{
    const uint16_t offset = fb_field_offset(r->buffer, raw, field->slot);
    const size_t size = fb_inline_size(field);
    if (offset == 0) {
        return 0;
    }
    // The first four bytes of a table are the distance to its vtable.
    if (offset < 4 || offset + size > raw->size) {
        fault(r, FB_004, raw->at, "%zu bytes at byte %u of a table of %u", size, offset, raw->size);
        return 0;
    }
    const uint64_t at = (uint64_t)raw->at + offset;
    if (at % size) {
        fault(r, FB_008, at, "a field of %zu bytes at byte %" PRIu64, size, at);
        // A misaligned scalar can be read, an offset there is not followed.
        return field->kind < HOIST_FB_SCALARS ? at : 0;
    }
    return at;
}

// Absent scalars get their fallback, everything else stays NULL or empty.
static void read_field(reader *r, const fb_raw *raw, const hoist_fb_type *type, size_t row,
                       void *object)
{
    HOIST_ASSERT(row < type->count && type->count <= 64);
    const hoist_fb_field *const field = &type->fields[row];
    void *const member = (uint8_t *)object + field->at;
    hoist_frame frame;
    hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), hoist_str_from(field->name));
    const uint64_t at = locate(r, raw, field);
    if (at) {
        ((hoist_fb_table *)object)->present |= 1ULL << row;
        read_stored(r, raw, at, field, member);
    } else if (field->kind < HOIST_FB_SCALARS) {
        uint8_t stored[8];
        hoist_store_u64le(stored, fb_fallback_bits(field));
        load_scalar(stored, (hoist_fb_kind)field->kind, member);
    } else if (field->kind == HOIST_FB_UNION) {
        read_union(r, raw, 0, field, member);
    }
    hoist_diag_pop(r->diag, &frame);
}

// The object stays zero where there is no table.
static void read_table(reader *r, uint64_t at, const hoist_fb_type *type, void *object)
{
    HOIST_ASSERT(at < r->buffer.size);
    fb_raw raw;
    const fb_rule broken = fb_open(r->buffer, at, &raw);
    if (broken != FB_RULE_COUNT) {
        fault(r, broken, at, "there is no table of type %s here", type->name);
        return;
    }
    const size_t before = r->faults;
    r->depth++;
    // Vtables may be shared, so thousands of tables may each have thousands of slots to look
    // at.
    if (charge(r, at, 1 + raw.slots / SLOTS_PER_CHARGE)) {
        hoist_fb_table *const head = object;
        head->at = (uint32_t)at;
        // Counts the stored fields that have no row.
        uint32_t unknowns = 0;
        for (uint32_t slot = 0; slot < raw.slots; slot++) {
            unknowns += fb_field_offset(r->buffer, &raw, slot) && !fb_knows(type, slot);
        }
        if (unknowns) {
            hoist_report(r->diag, fb_rule_row(FB_011), hoist_loc_byte(r->base_offset + raw.at),
                         "a table of type %s has %" PRIu32 " fields without a row", type->name,
                         unknowns);
        }
        head->unknowns = unknowns;
        for (size_t i = 0; i < type->count && r->status == HOIST_OK; i++) {
            read_field(r, &raw, type, i, object);
        }
        // Those of tables below it are counted, too: whoever rewrites the object wants all of
        // it sound.
        head->faults = (uint32_t)(r->faults - before);
    }
    r->depth--;
}

// Byte of the root table; 0: there is none, which was reported.
static uint64_t find_root(reader *r)
{
    if (r->buffer.size < 8 || r->buffer.size > INT32_MAX) {
        fault(r, r->buffer.size < 8 ? FB_001 : FB_012, 0, "%zu bytes, expected 8 bytes to 2 GiB",
              r->buffer.size);
        return 0;
    }
    const uint32_t root = hoist_load_u32le(r->buffer.data);
    // At least 4: the offset itself is in the first four bytes.
    if (root < 4 || root > r->buffer.size - 4) {
        fault(r, FB_001, 0, "the root table is at byte %" PRIu32 " of %zu", root, r->buffer.size);
        return 0;
    }
    return root;
}

hoist_status hoist_fb_read(hoist_bytes buffer, const hoist_fb_type *root,
                           const hoist_fb_options *options, hoist_arena *arena, hoist_diag *diag,
                           void **out_object)
{
    *out_object = NULL;
    reader r = {.buffer = buffer,
                .base_offset = options ? options->base_offset : 0,
                // A table has 4 bytes of its own, and 4 of an offset to it. Those of lists count
                // twice: when their objects are made, and when they are read.
                .tables_left = 2 * (options && options->max_tables ? options->max_tables
                                                                   : buffer.size / 8 + 64),
                .bytes_left = BYTES_FACTOR * (uint64_t)buffer.size,
                .deadline = options ? options->deadline : NULL,
                .arena = arena,
                .diag = diag};
    const uint64_t at = find_root(&r);
    void *const object = at ? take(&r, 1, root->size) : NULL;
    if (object) {
        read_table(&r, at, root, object);
    }
    if (r.status != HOIST_OK) {
        return r.status;
    }
    if (!object || !((hoist_fb_table *)object)->at) {
        return buffer.size < 8 ? HOIST_TRUNCATED : HOIST_INVALID;
    }
    *out_object = object;
    return HOIST_OK;
}
