// One file of a scan (contents.h): by its first bytes it is a file of some format, an archive with
// members, or nothing. In: a path; out: entries. entry.c fills one in, zip.c reads ZIP archives.
#include "scan/contents.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "codec/tar.h"
#include "os/file.h"
#include "os/walk.h"
#include "scan/contents_internal.h"

enum { HEAD = 64 << 10, MOST_NESTED = 4 }; // bytes by which files are known; archives in archives

void hoist_scan_found_init(hoist_scan_found *found, hoist_allocator alloc)
{
    *found = (hoist_scan_found){.alloc = alloc};
    hoist_arena_init(&found->arena, alloc);
}

void hoist_scan_found_deinit(hoist_scan_found *found)
{
    hoist_free(found->alloc, found->entries, found->capacity * sizeof(found->entries[0]));
    hoist_free(found->alloc, found->tokens, found->token_capacity * sizeof(found->tokens[0]));
    hoist_arena_deinit(&found->arena);
}

// Entries only: an archive without any has nothing for a scan.
static bool is_zip(hoist_bytes head)
{
    return head.size >= 4 && memcmp(head.data, "PK\x03\x04", 4) == 0;
}

static bool is_archive(hoist_bytes head)
{
    return hoist_gzip_is(head) || is_zip(head) || hoist_tar_is(head);
}

// The status that goes on: memory that ran out is a fact about the file at hand, and kept as such.
// The deadline is asked first, since it has HOIST_LIMIT, too.
static hoist_status note_limit(hoist_scan_reader *r, hoist_status status)
{
    HOIST_TRY(hoist_deadline_look(r->deadline));
    if (status == HOIST_NO_MEMORY || status == HOIST_LIMIT) {
        r->found->is_limited = true;
        return HOIST_OK;
    }
    return status;
}

static hoist_scan_member read_bytes; // calls itself for what is in an archive

static hoist_status read_tar(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                             unsigned depth)
{
    const hoist_tar_options options = {.deadline = r->deadline};
    hoist_arena arena;
    hoist_tar tar = {.count = 0};
    hoist_arena_init(&arena, r->alloc);
    hoist_status status = hoist_tar_read(bytes, &options, &arena, NULL, &tar);
    status = status == HOIST_INVALID ? HOIST_OK : status; // members before the damage count
    for (size_t i = 0; status == HOIST_OK && i < tar.count; i++) {
        if (tar.members[i].type == HOIST_TAR_FILE) {
            const hoist_str name = hoist_scan_join(r, member, tar.members[i].name);
            status =
                name.data ? read_bytes(r, tar.members[i].data, name, depth + 1) : HOIST_NO_MEMORY;
        }
    }
    hoist_arena_deinit(&arena);
    return note_limit(r, status);
}

// An archive as a gzip file has no member of its own: what is in it is in the file.
static hoist_status read_gzip(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                              unsigned depth)
{
    // A small file may unpack to any size: the memory of the scan is the limit.
    const hoist_gzip_options options = {.max_bytes = r->memory, .deadline = r->deadline};
    hoist_mut_bytes inflated = {NULL, 0};
    hoist_status status = hoist_gzip_read(bytes, &options, r->alloc, NULL, &inflated);
    // What was unpacked before the damage counts.
    if (status == HOIST_OK || status == HOIST_INVALID || status == HOIST_TRUNCATED) {
        const hoist_bytes content = {inflated.data, inflated.size};
        const hoist_str name =
            hoist_tar_is(content) ? member : hoist_scan_join(r, member, HOIST_STR("gunzip"));
        status = name.data ? read_bytes(r, content, name, depth + 1) : HOIST_NO_MEMORY;
    }
    hoist_free(r->alloc, inflated.data, inflated.size);
    return note_limit(r, status);
}

static hoist_status read_bytes(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                               unsigned depth)
{
    const hoist_bytes head = {bytes.data, bytes.size < HEAD ? bytes.size : HEAD};
    const char *const format = bytes.size ? hoist_format_of(head, "") : NULL;
    HOIST_TRY(hoist_deadline_look(r->deadline));
    // A format first: a file of one may be an archive as well.
    if (format) {
        return note_limit(r, hoist_scan_add(r, bytes, member, format));
    }
    // Archives in archives without end are one file of a few bytes that holds itself.
    if (depth == MOST_NESTED || bytes.size == 0) {
        return HOIST_OK;
    }
    if (hoist_gzip_is(head)) {
        return read_gzip(r, bytes, member, depth);
    }
    if (is_zip(head)) {
        return note_limit(r, hoist_scan_read_zip(r, bytes, member, depth, read_bytes));
    }
    return hoist_tar_is(head) ? read_tar(r, bytes, member, depth) : HOIST_OK;
}

// Whether the first bytes are of something that is read completely.
// Most files of a tree are of no format: their first bytes are all that is read.
static hoist_status look(int fd, hoist_allocator alloc, bool *out_matters, int *out_error)
{
    uint8_t *const head = hoist_alloc(alloc, HEAD);
    if (!head) {
        return HOIST_NO_MEMORY;
    }
    hoist_bytes bytes = {head, 0};
    *out_error = hoist_regular_head(fd, head, HEAD, &bytes.size);
    *out_matters = bytes.size && (hoist_format_of(bytes, "") || is_archive(bytes));
    hoist_free(alloc, head, HEAD);
    return HOIST_OK;
}

static hoist_status read_open(hoist_scan_reader *r, int fd)
{
    hoist_file_view view = {.alloc = r->alloc};
    HOIST_TRY(note_limit(r, hoist_file_map_fd(fd, 0, r->alloc, NULL, &view)));
    const hoist_status status = read_bytes(r, view.bytes, HOIST_STR(""), 0);
    hoist_file_unmap(&view);
    return status;
}

hoist_status hoist_scan_read(const char *path, bool follow, size_t memory, hoist_deadline *deadline,
                             hoist_scan_found *found)
{
    // The budget covers work only: what is found is kept for the database and has `found`'s
    // allocator.
    hoist_budget budget = {.parent = found->alloc, .limit = memory};
    hoist_scan_reader r = {.found = found,
                           .path = path,
                           .alloc = hoist_budget_allocator(&budget),
                           .memory = memory,
                           .deadline = deadline};
    int fd = -1;
    // Opened again by its path, and checked by descriptor: it may be another file than the walk
    // met.
    found->error = hoist_regular_open(path, follow, &fd);
    if (found->error) {
        return HOIST_OK;
    }
    bool matters = false;
    hoist_status status = look(fd, found->alloc, &matters, &found->error);
    status = status == HOIST_OK && matters ? read_open(&r, fd) : status;
    hoist_regular_close(fd);
    // A file that changes while it is read is a file that cannot be read.
    if (status == HOIST_IO || status == HOIST_NOT_FOUND) {
        found->error = EIO;
        status = HOIST_OK;
    }
    return status;
}
