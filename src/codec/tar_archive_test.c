// Well-formed archives, with libarchive as the second opinion: what we write it reads alike, what
// it or tar(1) writes we read alike. Gzip comes along.
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "codec/gzip.h"
#include "codec/tar.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "T-ANY", .severity = HOIST_ERROR};
static const hoist_tar_options options = {.rules = {&rule, &rule, &rule}};

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static bool same_text(const char *theirs, hoist_str ours)
{
    return hoist_str_equal(hoist_str_from(theirs ? theirs : ""), ours);
}

static bool same_data(struct archive *archive, hoist_bytes ours)
{
    size_t at = 0;
    char chunk[4096];
    for (;;) {
        const la_ssize_t got = archive_read_data(archive, chunk, sizeof(chunk));
        if (got <= 0) {
            return got == 0 && at == ours.size;
        }
        if ((size_t)got > ours.size - at || memcmp(chunk, ours.data + at, (size_t)got) != 0) {
            return false;
        }
        at += (size_t)got;
    }
}

static void expect_entry(hoist_test *t, struct archive *archive, struct archive_entry *entry,
                         const hoist_tar_member *m)
{
    const char *link = archive_entry_hardlink(entry);
    link = link ? link : archive_entry_symlink(entry);
    HOIST_EXPECT(t, same_text(archive_entry_pathname(entry), m->name));
    HOIST_EXPECT(t, m->type != HOIST_TAR_LINK || same_text(link, m->link));
    HOIST_EXPECT(t, same_text(archive_entry_uname(entry), m->user));
    HOIST_EXPECT(t, same_text(archive_entry_gname(entry), m->group));
    HOIST_EXPECT_EQ(t, archive_entry_perm(entry), m->mode);
    HOIST_EXPECT_EQ(t, archive_entry_uid(entry), m->uid);
    HOIST_EXPECT_EQ(t, archive_entry_gid(entry), m->gid);
    HOIST_EXPECT_EQ(t, archive_entry_mtime(entry), m->mtime);
    HOIST_EXPECT_EQ(t, archive_entry_filetype(entry) == AE_IFDIR, m->type == HOIST_TAR_FOLDER);
    HOIST_EXPECT(t, same_data(archive, m->data));
}

// The members of `tar` are those that libarchive finds in `file`, which may be a gzip file.
static void expect_alike(hoist_test *t, hoist_bytes file, const hoist_tar *tar)
{
    struct archive *archive = archive_read_new();
    struct archive_entry *entry = NULL;
    size_t count = 0;
    HOIST_EXPECT_EQ(t, archive_read_support_format_tar(archive), ARCHIVE_OK);
    HOIST_EXPECT_EQ(t, archive_read_support_filter_gzip(archive), ARCHIVE_OK);
    HOIST_EXPECT_EQ(t, archive_read_open_memory(archive, file.data, file.size), ARCHIVE_OK);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        if (count < tar->count) {
            expect_entry(t, archive, entry, &tar->members[count]);
        }
        count++;
    }
    HOIST_EXPECT_EQ(t, count, tar->count);
    if (archive_errno(archive)) {
        hoist_test_fail(t, __FILE__, __LINE__, "libarchive: %s", archive_error_string(archive));
    }
    HOIST_EXPECT_EQ(t, archive_read_free(archive), ARCHIVE_OK);
}

static hoist_tar read_ours(hoist_test *t, hoist_bytes archive)
{
    hoist_tar tar;
    HOIST_EXPECT_EQ(t, hoist_tar_read(archive, &options, &t->arena, t->diag, &tar), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, tar.end_blocks, 2);
    return tar;
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
    return hoist_test_random(seed) % limit;
}

// Letters with some slashes between them.
static hoist_str random_name(hoist_test *t, uint64_t *seed, size_t most)
{
    const size_t size = 1 + (size_t)below(seed, below(seed, 3) ? 30 : most);
    char *name = hoist_arena_alloc(&t->arena, size + 1);
    for (size_t i = 0; i < size; i++) {
        const bool inner = i > 0 && i + 1 < size && name[i - 1] != '/';
        name[i] = inner && below(seed, 20) == 0 ? '/' : (char)('a' + (char)below(seed, 26));
    }
    return (hoist_str){name, size};
}

static hoist_tar_member random_member(hoist_test *t, uint64_t *seed)
{
    static const hoist_str users[] = {{"", 0}, {"nobody", 6}};
    hoist_tar_member m = {
        .name = random_name(t, seed, 400),
        .flag = "0002"[below(seed, 4)],
        .dialect = (hoist_tar_dialect)below(seed, 4),
        .mode = (uint32_t)below(seed, 01000),
        .uid = below(seed, 4) ? 1000 : 626188407,
        .gid = below(seed, 4) ? 1000 : 077777777,
        .mtime = below(seed, 4) ? 1700000000 : (int64_t)below(seed, 1ull << 40),
        .user = users[below(seed, 2)],
        .group = users[below(seed, 2)],
    };
    if (m.flag == '2') {
        m.link = random_name(t, seed, 300);
    } else {
        const hoist_str data = random_name(t, seed, 2000);
        m.data = (hoist_bytes){(const uint8_t *)data.data, data.size};
    }
    return m;
}

static void expect_ours_read(hoist_test *t, uint64_t seed)
{
    hoist_buffer out;
    hoist_buffer file;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_init(&file, hoist_allocator_system());
    for (size_t i = below(&seed, 10); i > 0; i--) {
        const hoist_tar_member m = random_member(t, &seed);
        HOIST_EXPECT_EQ(t, hoist_tar_write(&m, &out), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_tar_end(0, 10240, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_gzip_write(hoist_buffer_bytes(&out), 6, NULL, &file), HOIST_OK);
    const hoist_tar tar = read_ours(t, hoist_buffer_bytes(&out));
    expect_alike(t, hoist_buffer_bytes(&out), &tar);
    expect_alike(t, hoist_buffer_bytes(&file), &tar);
    hoist_buffer_deinit(&out);
    hoist_buffer_deinit(&file);
}

HOIST_TEST(ours_are_read_by_libarchive)
{
    for (uint64_t seed = 0; seed < HOIST_TEST_ROUNDS(300); seed++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "seed %u", (unsigned)seed);
        hoist_test_row(t, name);
        expect_ours_read(t, seed);
    }
}

static const struct {
    const char *name;
    size_t longest; // name; below 100 numbers are small as well
} formats[] = {{"ustar", 99}, {"paxr", 400}, {"pax", 400}, {"gnutar", 400}, {"v7", 99}};

static void add_theirs(hoist_test *t, struct archive *archive, const hoist_tar_member *m)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, m->name.data);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (la_int64_t)m->data.size);
    archive_entry_set_perm(entry, m->mode);
    archive_entry_set_uid(entry, m->uid);
    archive_entry_set_gid(entry, m->gid);
    archive_entry_set_mtime(entry, m->mtime, 0);
    archive_entry_set_uname(entry, m->user.data);
    if (m->link.size) {
        archive_entry_set_filetype(entry, AE_IFLNK);
        archive_entry_set_symlink(entry, m->link.data);
        archive_entry_set_size(entry, 0);
    }
    HOIST_EXPECT_EQ(t, archive_write_header(archive, entry), ARCHIVE_OK);
    if (m->data.size) {
        HOIST_EXPECT_EQ(t, archive_write_data(archive, m->data.data, m->data.size), m->data.size);
    }
    archive_entry_free(entry);
}

// An archive of libarchive's, of `*out_used` bytes.
static void write_theirs(hoist_test *t, const char *format, size_t longest, uint64_t seed,
                         hoist_mut_bytes buffer, size_t *out_used)
{
    struct archive *archive = archive_write_new();
    HOIST_EXPECT_EQ(t, archive_write_set_format_by_name(archive, format), ARCHIVE_OK);
    HOIST_EXPECT_EQ(t, archive_write_open_memory(archive, buffer.data, buffer.size, out_used),
                    ARCHIVE_OK);
    for (size_t i = 1 + below(&seed, 9); i > 0; i--) {
        hoist_tar_member m = random_member(t, &seed);
        m.name = random_name(t, &seed, longest);
        m.link = m.flag == '2' ? random_name(t, &seed, longest) : (hoist_str){0};
        m.uid = longest < 100 ? m.uid & 0777777 : m.uid;
        m.gid = longest < 100 ? m.gid & 0777777 : m.gid;
        m.mtime = longest < 100 ? m.mtime & 07777777777 : m.mtime;
        add_theirs(t, archive, &m);
    }
    HOIST_EXPECT_EQ(t, archive_write_close(archive), ARCHIVE_OK);
    HOIST_EXPECT_EQ(t, archive_write_free(archive), ARCHIVE_OK);
}

HOIST_TEST_TABLE(theirs_are_read, formats)
{
    enum { ROOM = 256 << 10 };
    const hoist_mut_bytes buffer = {hoist_arena_alloc(&t->arena, ROOM), ROOM};
    for (uint64_t seed = 0; seed < HOIST_TEST_ROUNDS(60); seed++) {
        size_t used = 0;
        write_theirs(t, row->name, row->longest, seed, buffer, &used);
        const hoist_bytes archive = {buffer.data, used};
        const hoist_tar tar = read_ours(t, archive);
        expect_alike(t, archive, &tar);
    }
}

// A folder, a long name, both kinds of link and a file of more than a block.
#define PACK_FOLDER                                                                                \
    "d=$(mktemp -d) && cd $d && mkdir sub && printf hello >sub/short && ln -s short sub/link && "  \
    "ln sub/short sub/hard && seq 1000 >seq && mkdir $(printf %%080d 0) && "                       \
    "date >$(printf %%080d 0)/$(printf %%060d 0); "                                                \
    "tar --format=%s -cf - %s * 2>/dev/null; cd /; rm -rf $d"

static const struct {
    const char *name; // as tar(1) calls it
    const char *flags;
    hoist_tar_dialect dialect;
    size_t count;
} programs[] = {
    {"gnu", "", HOIST_TAR_GNU, 7},
    {"oldgnu", "", HOIST_TAR_GNU, 7},
    {"pax", "", HOIST_TAR_PAX, 7},
    {"ustar", "", HOIST_TAR_USTAR, 7},
    {"v7", "--exclude '000*'", HOIST_TAR_V7, 5},
};

static hoist_bytes packed_by_tar(hoist_test *t, const char *format, const char *flags)
{
    enum { ROOM = 64 << 10 };
    uint8_t *data = hoist_arena_alloc(&t->arena, ROOM);
    FILE *pipe = popen(hoist_arena_format(&t->arena, PACK_FOLDER, format, flags).data, "r");
    if (!pipe) {
        return (hoist_bytes){NULL, 0};
    }
    const size_t size = fread(data, 1, ROOM, pipe);
    (void)pclose(pipe);
    return (hoist_bytes){data, size};
}

HOIST_TEST_TABLE(archives_of_tar_are_read, programs)
{
    const hoist_bytes archive = packed_by_tar(t, row->name, row->flags);
    if (archive.size == 0) {
        hoist_test_skip(t, "there is no GNU tar");
    }
    const hoist_tar tar = read_ours(t, archive);
    HOIST_EXPECT_EQ(t, tar.count, row->count);
    for (size_t i = 0; i < tar.count; i++) {
        HOIST_EXPECT_EQ(t, tar.members[i].dialect, row->dialect);
    }
    expect_alike(t, archive, &tar);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ours_are_read_by_libarchive), HOIST_TEST_ROW(theirs_are_read),
                HOIST_TEST_ROW(archives_of_tar_are_read))
