// Containers as other writers make them: the members that the builder made, in other tar dialects
// and orders, after other gzip headers; and what is in the header and after the payload.
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "codec/gzip.h"
#include "codec/hash.h"
#include "codec/tar.h"
#include "testing/neff_gen.h"

enum { HEADER = 1024, AT_DATA_SIZE = 16, AT_HASH = 0xac, BLOCK = 512, PADDED = 10240 };

void gen_put_u64(uint8_t *at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

// Tar --------------------------------------------------------------------------------------------

static const char *long_name(neff_gen *g, size_t size)
{
    // Compilers leave such files; they need no reference. Parts of 50 bytes suit a prefix field.
    const hoist_str head = HOIST_STR("sg00/debug_info_backend_");
    const hoist_str tail = HOIST_STR(".dbg");
    char *const name = hoist_arena_alloc(&g->arena, size + 1);
    if (!name) {
        gen_fail(HOIST_NO_MEMORY);
    }
    memset(name, 'n', size);
    memcpy(name, head.data, head.size);
    for (size_t i = 50; i + 50 < size; i += 50) {
        name[i] = 'm';
    }
    memcpy(name + size - tail.size, tail.data, tail.size);
    return name;
}

static hoist_tar_member plain(hoist_str name, hoist_bytes data)
{
    return (hoist_tar_member){
        .name = name, .flag = '0', .dialect = HOIST_TAR_USTAR, .mode = 0644, .data = data};
}

static void write_tar(const hoist_tar_member *member, hoist_buffer *out)
{
    gen_do(hoist_tar_write(member, out));
}

// A record that belongs to the next member: 'x', 'L' or 'K'.
static void write_record(char flag, const char *name, const char *text, size_t size,
                         hoist_buffer *out)
{
    hoist_tar_member record =
        plain(hoist_str_from(name), (hoist_bytes){(const uint8_t *)text, size});
    record.flag = flag;
    record.dialect = flag == 'x' ? HOIST_TAR_USTAR : HOIST_TAR_GNU;
    write_tar(&record, out);
}

// A member with a long name in every way to store one.
static void write_long(neff_gen *g, hoist_buffer *out)
{
    static const size_t sizes[] = {0, 100, 101, 256};
    const size_t size = sizes[gen_draw(g, CELL_TAR_NAME_SHORT, HOIST_COUNT_OF(sizes))];
    hoist_tar_member member;
    if (size == 0) {
        return;
    }
    member = plain(hoist_str_from(long_name(g, size)), (hoist_bytes){(const uint8_t *)"{}", 2});
    switch (gen_pick(g, 3)) {
    case 0:
        member.dialect = HOIST_TAR_GNU;
        if (size > 100) {
            gen_mark(g, CELL_TAR_GNU_L);
        }
        break;
    case 1:
        member.dialect = HOIST_TAR_PAX;
        if (size > 100) {
            gen_mark(g, CELL_TAR_PAX_PATH);
        }
        break;
    default:
        break;
    }
    write_tar(&member, out);
}

// A member below a folder of 120 bytes, which ustar holds in its prefix field.
static void write_prefixed(neff_gen *g, hoist_buffer *out)
{
    char name[160];
    memset(name, 'p', sizeof(name));
    memcpy(name + 120, "/global_metric_store.json", 26);
    const hoist_tar_member member =
        plain(hoist_str_from(gen_text(g, "%s", name)), (hoist_bytes){(const uint8_t *)"{}", 2});
    gen_mark(g, CELL_TAR_PREFIX);
    write_tar(&member, out);
}

// Records that repeat what the header says, as some writers have them.
static void write_records(neff_gen *g, hoist_buffer *out)
{
    const hoist_bytes data = {(const uint8_t *)"{}", 2};
    hoist_tar_member member = plain(HOIST_STR("hlo_stats.json"), data);
    gen_mark(g, CELL_TAR_PAX_SIZE);
    write_record('x', "PaxHeaders/hlo_stats.json", "9 size=2\n", 9, out);
    write_tar(&member, out);
    member.name = HOIST_STR("icMetadata.json");
    member.dialect = HOIST_TAR_GNU;
    gen_mark(g, CELL_TAR_GNU_K);
    write_record('K', "././@LongLink", "nowhere", 8, out);
    write_tar(&member, out);
}

static void write_folder(const char *name, hoist_buffer *out)
{
    hoist_tar_member folder = plain(hoist_str_from(name), (hoist_bytes){NULL, 0});
    folder.type = HOIST_TAR_FOLDER;
    folder.flag = '5';
    folder.mode = 0755;
    write_tar(&folder, out);
}

enum { GNU = 2, PAX = 3 };

static void set_dialect(hoist_tar_member *member, size_t dialect)
{
    enum { LARGE = 1 << 22 }; // needs base-256 in GNU's numbers of 7 octal digits
    static const hoist_tar_dialect dialects[] = {HOIST_TAR_USTAR, HOIST_TAR_V7, HOIST_TAR_GNU,
                                                 HOIST_TAR_PAX};
    member->dialect = dialects[dialect];
    if (dialect == GNU) {
        member->uid = member->gid = LARGE;
    } else if (dialect == PAX) {
        member->user = member->group = HOIST_STR("nobody");
    }
}

static void shuffle(neff_gen *g, hoist_tar_member *members, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = gen_pick(g, i);
        const hoist_tar_member kept = members[i - 1];
        members[i - 1] = members[other];
        members[other] = kept;
    }
}

static void write_members(neff_gen *g, const hoist_tar *tar, hoist_buffer *out)
{
    hoist_tar_member *const members = hoist_arena_array(&g->arena, tar->count, sizeof(members[0]));
    gen_do(members ? HOIST_OK : HOIST_NO_MEMORY);
    memcpy(members, tar->members, tar->count * sizeof(members[0]));
    const size_t dialect = gen_draw(g, CELL_TAR_USTAR, 4);
    const bool dotted = gen_draw(g, CELL_TAR_BARE, 2) == 1;
    if (gen_draw(g, CELL_TAR_ORDER_OWN, 2)) {
        shuffle(g, members, tar->count);
    }
    for (size_t i = 0; i < tar->count; i++) {
        if (members[i].data.size == 0) {
            gen_mark(g, CELL_TAR_EMPTY);
        }
        if (dotted) {
            members[i].name = hoist_str_from(
                gen_text(g, "./%.*s", (int)members[i].name.size, members[i].name.data));
        }
        // Extended records double a small member; every fourth has them.
        set_dialect(&members[i], dialect == PAX && i % 4 ? 0 : dialect);
        write_tar(&members[i], out);
    }
}

static void write_end(neff_gen *g, hoist_buffer *out)
{
    const size_t blocks[] = {2, 1, 0};
    const size_t chosen = gen_draw(g, CELL_TAR_END_2, 3);
    hoist_buffer_fill(out, '\0', blocks[chosen] * BLOCK);
    if (chosen) {
        gen_mark(g, CELL_TAR_UNPADDED);
    } else if (gen_draw(g, CELL_TAR_PADDED, 2) == 0) {
        hoist_buffer_fill(out, '\0', (PADDED - out->size % PADDED) % PADDED);
    }
}

static void rewrite_tar(neff_gen *g, hoist_bytes built, hoist_buffer *out)
{
    const hoist_tar_options options = {.max_members = 0};
    hoist_tar tar;
    gen_do(hoist_tar_read(built, &options, &g->arena, NULL, &tar));
    if (gen_draw(g, CELL_TAR_NO_FOLDERS, 2)) {
        write_folder("sg00/", out);
    }
    write_members(g, &tar, out);
    write_long(g, out);
    if (gen_chance(g, 30)) {
        write_prefixed(g, out);
    }
    if (gen_chance(g, 30)) {
        write_records(g, out);
    }
    write_end(g, out);
}

// Gzip -------------------------------------------------------------------------------------------

// CRC-32 of gzip (RFC 1952), a bit at a time.
static uint32_t crc32_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (size_t bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
        }
    }
    return ~crc;
}

// One gzip member with the fields of one header flag.
static void write_gzip_member(neff_gen *g, hoist_bytes bytes, size_t kind, hoist_buffer *out)
{
    enum { FIXED = 10, AT_FLAGS = 3 };
    static const uint8_t flags[] = {0, 4, 8, 16, 2};
    hoist_buffer packed;
    hoist_buffer_init(&packed, hoist_allocator_system());
    gen_do(hoist_gzip_write(bytes, g->options.level, NULL, &packed));
    const size_t start = out->size;
    packed.data[AT_FLAGS] = flags[kind];
    hoist_buffer_add(out, (hoist_bytes){packed.data, FIXED});
    if (kind == 1) {
        hoist_buffer_add(out, (hoist_bytes){(const uint8_t *)"\x05\0hi\x01\0x", 7});
    } else if (kind == 2 || kind == 3) {
        hoist_buffer_add(out, (hoist_bytes){(const uint8_t *)"archive.tar", 12});
    } else if (kind == 4) {
        const uint32_t crc = crc32_of(out->data + start, FIXED);
        hoist_buffer_char(out, (char)(crc & 0xff));
        hoist_buffer_char(out, (char)(crc >> 8 & 0xff));
    }
    hoist_buffer_add(out, (hoist_bytes){packed.data + FIXED, packed.size - FIXED});
    hoist_buffer_deinit(&packed);
}

static void write_gzip(neff_gen *g, hoist_bytes tar, hoist_buffer *out)
{
    enum { ZEROS = 9 << 10 };
    const size_t kind = gen_draw(g, CELL_GZIP_PLAIN, 5);
    const size_t split = gen_draw(g, CELL_GZIP_ONE, 2) ? tar.size / 3 : tar.size;
    write_gzip_member(g, (hoist_bytes){tar.data, split}, kind, out);
    if (split < tar.size) {
        write_gzip_member(g, (hoist_bytes){tar.data + split, tar.size - split}, 0, out);
    }
    switch (gen_draw(g, CELL_BEHIND_NONE, 3)) {
    case 1:
        hoist_buffer_fill(out, '\0', ZEROS);
        break;
    case 2:
        hoist_buffer_c(out, "behind");
        break;
    default:
        break;
    }
}

// The file ---------------------------------------------------------------------------------------

void gen_seal(neff_gen *g)
{
    hoist_buffer *const file = &g->file->bytes;
    const hoist_bytes payload = {file->data + HEADER, file->size - HEADER};
    const hoist_hash_kind kind = g->options.pkg_version == 1 ? HOIST_HASH_SHA256 : HOIST_HASH_MD5;
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    gen_do(hoist_hash(kind, payload, NULL, digest));
    gen_put_u64(file->data + AT_DATA_SIZE, payload.size);
    memcpy(file->data + AT_HASH, digest, hoist_hash_size(kind));
}

static void repack(neff_gen *g, hoist_bytes built)
{
    const hoist_gzip_options options = {.base_offset = HEADER};
    hoist_bytes payload = {built.data + HEADER, built.size - HEADER};
    hoist_mut_bytes inflated = {NULL, 0};
    hoist_buffer tar;
    if (g->options.pkg_version == 2) {
        gen_do(hoist_gzip_read(payload, &options, hoist_allocator_system(), NULL, &inflated));
        payload = (hoist_bytes){inflated.data, inflated.size};
    }
    hoist_buffer_init(&tar, hoist_allocator_system());
    rewrite_tar(g, payload, &tar);
    hoist_buffer_add(&g->file->bytes, (hoist_bytes){built.data, HEADER});
    if (g->options.pkg_version == 2) {
        write_gzip(g, hoist_buffer_bytes(&tar), &g->file->bytes);
    } else {
        hoist_buffer_add(&g->file->bytes, hoist_buffer_bytes(&tar));
    }
    gen_do(g->file->bytes.failed ? HOIST_NO_MEMORY : HOIST_OK);
    hoist_buffer_deinit(&tar);
    free(inflated.data);
    gen_seal(g);
}

static void change_hash(neff_gen *g)
{
    uint8_t *const hash = g->file->bytes.data + AT_HASH;
    const size_t kind = gen_draw(g, CELL_HASH_RIGHT, 3);
    if (kind == 1) {
        hash[0] ^= 1;
    } else if (kind == 2 && g->options.pkg_version == 2) {
        memset(hash + 16, '0', 16);
    }
}

void gen_container(neff_gen *g, hoist_bytes built)
{
    g->file->canonical = gen_chance(g, 40) || (g->mutation && g->mutation->pkg_version);
    if (g->file->canonical) {
        gen_mark(g, CELL_GZIP_PLAIN);
        gen_mark(g, CELL_TAR_USTAR);
        gen_mark(g, CELL_HASH_RIGHT);
        gen_mark(g, CELL_TRAILING_NONE);
        hoist_buffer_add(&g->file->bytes, built);
        gen_do(g->file->bytes.failed ? HOIST_NO_MEMORY : HOIST_OK);
        return;
    }
    repack(g, built);
    change_hash(g);
    if (gen_draw(g, CELL_TRAILING_NONE, 2)) {
        hoist_buffer_c(&g->file->bytes, "trailing");
    }
}
