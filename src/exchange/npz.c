// Writing NumPy's .npz files: ZIP archives of .npy files. Only what they need is written: entries
// that are not compressed, with their sizes in the local header, below 4 GiB. Little-endian.
//
// Local header: signature, 5 fields of 16 bits (version needed, flags, method, time, date), CRC-32,
// both sizes, lengths of name and extra field; then the name and the data. The directory at the end
// has the same for each entry, and where it is. Facts: PKWARE APPNOTE sections 4.3.7, 4.3.12,
// 4.3.16.
#include "base/map.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "exchange/array_set.h"
#include "exchange/exchange_rules.h"
#include "exchange/npy.h"

enum {
    LOCAL_SIGNATURE = 0x04034b50,
    ENTRY_SIGNATURE = 0x02014b50,
    END_SIGNATURE = 0x06054b50,
    VERSION = 20,   // 2.0: folders
    UTF8 = 1 << 11, // flag: the name is UTF-8
    DATE = 33,      // 1980-01-01, the first there is: equal arrays give equal bytes
    // The end of the directory counts entries in 16 bits; more take ZIP64.
    MAX_ENTRIES = UINT16_MAX,
};

static void u16(hoist_buffer *out, uint32_t value)
{
    uint8_t bytes[2];
    hoist_store_u16le(bytes, (uint16_t)value);
    hoist_buffer_add(out, (hoist_bytes){bytes, sizeof(bytes)});
}

static void u32(hoist_buffer *out, uint32_t value)
{
    uint8_t bytes[4];
    hoist_store_u32le(bytes, value);
    hoist_buffer_add(out, (hoist_bytes){bytes, sizeof(bytes)});
}

// What local header and directory both have of an entry.
typedef struct entry {
    size_t at; // of its local header
    uint32_t crc;
    uint32_t size;
    hoist_str name; // in the arena of the archive
    size_t copies;  // entries whose names would be this one
} entry;

static void write_head(hoist_buffer *out, const entry *e)
{
    u16(out, VERSION);
    u16(out, UTF8);
    u16(out, 0); // stored
    u16(out, 0); // time 0:00
    u16(out, DATE);
    u32(out, e->crc);
    // Compressed and plain size are the same for entries that are stored.
    u32(out, e->size);
    u32(out, e->size);
    u16(out, (uint32_t)e->name.size);
    u16(out, 0); // no extra field
}

// The name of an entry, with ".npy". '/' at its begin, '.' at the begin of a part, and bytes that
// file systems treat in their own ways become '_', so that unpacking never leaves its folder.
static hoist_str name_of(hoist_arena *arena, hoist_str name)
{
    enum { MAX_NAME = 4096 };
    // Cut between characters of UTF-8.
    const hoist_str kept = {name.data, hoist_str_cut(name, MAX_NAME)};
    char *const text = hoist_arena_alloc(arena, kept.size + sizeof(".npy"));
    bool begins = true; // a part
    for (size_t i = 0; text && i < kept.size; i++) {
        const char c = kept.data[i];
        const bool is_plain = (unsigned char)c >= ' ' && c != '\\' && c != ':';
        text[i] = !is_plain || (begins && (c == '.' || c == '/')) ? '_' : c;
        begins = c == '/';
    }
    if (!text) {
        return (hoist_str){NULL, 0};
    }
    for (size_t i = 0; i < sizeof(".npy"); i++) {
        text[kept.size + i] = ".npy"[i];
    }
    return (hoist_str){text, kept.size + sizeof(".npy") - 1};
}

// Appends an array as a .npy file with its local header.
static hoist_status add_entry(const hoist_set_item *item, hoist_diag *diag, hoist_buffer *out,
                              entry *e)
{
    // Offsets in the local header: its CRC, and where it ends.
    enum { CRC_AT = 14, HEAD = 30 };
    // CRC and sizes are 0 at first and put in when the data are there: no copy of an array is made.
    e->at = out->size;
    u32(out, LOCAL_SIGNATURE);
    write_head(out, e);
    hoist_buffer_str(out, e->name);
    const size_t begin = out->size;
    HOIST_TRY(hoist_npy_header_write(&item->array, diag, out));
    hoist_buffer_add(out, item->array.data);
    if (out->failed) {
        return HOIST_NO_MEMORY;
    }
    // Sizes and places have 32 bits without ZIP64.
    if (out->size > UINT32_MAX) {
        return hoist_exchange_fail(diag, HOIST_LIMIT, HOIST_RAW_003, 0,
                                   "the arrays have more than 4 GiB");
    }
    e->crc = hoist_crc32((hoist_bytes){out->data + begin, out->size - begin});
    e->size = (uint32_t)(out->size - begin);
    uint8_t *const head = out->data + e->at;
    hoist_store_u32le(head + CRC_AT, e->crc);
    hoist_store_u32le(head + CRC_AT + 4, e->size);
    hoist_store_u32le(head + CRC_AT + 8, e->size);
    return HOIST_OK;
}

static void write_directory(const entry *entries, size_t count, hoist_buffer *out)
{
    const size_t begin = out->size;
    for (size_t i = 0; i < count; i++) {
        u32(out, ENTRY_SIGNATURE);
        u16(out, VERSION);
        write_head(out, &entries[i]);
        u16(out, 0); // comment
        u16(out, 0); // disk
        u16(out, 0); // attributes
        u32(out, 0);
        u32(out, (uint32_t)entries[i].at);
        hoist_buffer_str(out, entries[i].name);
    }
    const size_t size = out->size - begin;
    u32(out, END_SIGNATURE);
    u32(out, 0);               // this disk, and that of the directory
    u16(out, (uint32_t)count); // entries on this disk, and of all
    u16(out, (uint32_t)count);
    u32(out, (uint32_t)size);
    u32(out, (uint32_t)begin);
    u16(out, 0); // comment
}

// Different names may lose what tells them apart ("a:b" and "a_b"), and readers take one of entries
// that have the same name: later ones get a number.
static hoist_status make_unique(entry *entries, size_t i, hoist_map *names, hoist_arena *arena)
{
    const hoist_str full = entries[i].name;
    if (!full.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_str stem = hoist_str_slice(full, 0, full.size - (sizeof(".npy") - 1));
    hoist_status status = HOIST_BUSY;
    while (entries[i].name.data && status == HOIST_BUSY) {
        size_t first = 0; // that has the name as it was
        status = hoist_map_add(names, entries[i].name, i, NULL);
        if (status == HOIST_BUSY && hoist_map_find(names, full, &first)) {
            entries[i].name = hoist_arena_format(arena, "%.*s_%zu.npy", HOIST_STR_ARGS(stem),
                                                 ++entries[first].copies + 1);
        }
    }
    return entries[i].name.data ? status : HOIST_NO_MEMORY;
}

static hoist_status write_archive(const hoist_array_set *set, hoist_arena *arena, hoist_map *names,
                                  hoist_diag *diag, hoist_buffer *out)
{
    entry *const entries = hoist_arena_array(arena, set->count, sizeof(*entries));
    if (!entries) {
        return HOIST_NO_MEMORY;
    }
    // Before the first entry: no bytes are written for an archive that cannot be.
    if (set->count > MAX_ENTRIES) {
        return hoist_exchange_fail(diag, HOIST_LIMIT, HOIST_RAW_003, 0,
                                   "%zu arrays, and a .npz file has at most %d", set->count,
                                   (int)MAX_ENTRIES);
    }
    for (size_t i = 0; i < set->count; i++) {
        entries[i] = (entry){.name = name_of(arena, set->items[i].name)};
        HOIST_TRY(make_unique(entries, i, names, arena));
        HOIST_TRY(add_entry(&set->items[i], diag, out, &entries[i]));
    }
    write_directory(entries, set->count, out);
    // The directory adds to the arrays.
    if (!out->failed && out->size > UINT32_MAX) {
        return hoist_exchange_fail(diag, HOIST_LIMIT, HOIST_RAW_003, 0,
                                   "the arrays have more than 4 GiB");
    }
    return HOIST_OK;
}

hoist_status hoist_array_set_npz(const hoist_array_set *set, hoist_diag *diag,
                                 hoist_mut_bytes *out_bytes)
{
    hoist_arena arena;
    hoist_map names;
    hoist_buffer out;
    hoist_arena_init(&arena, set->alloc);
    hoist_buffer_init(&out, set->alloc);
    hoist_map_init(&names, set->alloc);
    const hoist_status status = write_archive(set, &arena, &names, diag, &out);
    hoist_map_deinit(&names);
    hoist_arena_deinit(&arena);
    return hoist_array_set_take(&out, status, out_bytes);
}
