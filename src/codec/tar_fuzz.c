// Reads any bytes as tar; the members that are found are written, read and written again: the same
// members, the same bytes.
//
// Checksums would keep nearly all changes from getting anywhere, so a block that has '!' where its
// checksum begins gets the right one first.
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "codec/tar.h"
#include "codec/tar_block.h"
#include "testing/fuzz.h"

static const hoist_rule rule = {.id = "F", .severity = HOIST_ERROR};
static const hoist_tar_options options = {.rules = {&rule, &rule, &rule}, .max_members = 100};

static void mend_checksums(hoist_buffer *archive)
{
    for (size_t at = 0; archive->size - at >= HOIST_TAR_BLOCK; at += HOIST_TAR_BLOCK) {
        if (archive->data[at + hoist_tar_fields[HOIST_TAR_CHECKSUM].at] == '!') {
            hoist_tar_put_sum(archive->data + at);
        }
    }
}

// Members follow each other; their data lie in the archive.
static void require_places(hoist_bytes archive, const hoist_tar *tar)
{
    uint64_t at = 0;
    for (size_t i = 0; i < tar->count; i++) {
        const hoist_tar_member *m = &tar->members[i];
        fuzz_require(m->header_at >= at && m->header_at + HOIST_TAR_BLOCK <= m->data_at);
        fuzz_require(m->data_at <= archive.size && m->data.size <= archive.size - m->data_at);
        fuzz_require(m->data.data == archive.data + m->data_at);
        at = m->data_at + m->data.size;
    }
    fuzz_require(tar->content_end >= at && tar->content_end <= archive.size);
    fuzz_require(tar->end_blocks <= 2 &&
                 tar->content_end + (uint64_t)512 * tar->end_blocks <= archive.size);
}

static void write_all(const hoist_tar *tar, hoist_buffer *out)
{
    hoist_buffer_init(out, hoist_allocator_system());
    for (size_t i = 0; i < tar->count; i++) {
        fuzz_require(hoist_tar_write(&tar->members[i], out) == HOIST_OK);
    }
    fuzz_require(hoist_tar_end(0, HOIST_TAR_BLOCK, out) == HOIST_OK);
}

static void require_same(const hoist_tar_member *a, const hoist_tar_member *b)
{
    fuzz_require(hoist_str_equal(a->name, b->name) && hoist_str_equal(a->link, b->link));
    fuzz_require(hoist_str_equal(a->user, b->user) && hoist_str_equal(a->group, b->group));
    fuzz_require(a->type == b->type && a->flag == b->flag && a->mode == b->mode);
    fuzz_require(a->uid == b->uid && a->gid == b->gid && a->mtime == b->mtime);
    fuzz_require(a->data.size == b->data.size);
    fuzz_require(a->data.size == 0 || memcmp(a->data.data, b->data.data, a->data.size) == 0);
}

static void round_trip(const hoist_tar *tar, hoist_arena *arena)
{
    hoist_buffer out;
    hoist_buffer again;
    hoist_tar back;
    hoist_diag *diag = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    write_all(tar, &out);
    fuzz_require(hoist_tar_read(hoist_buffer_bytes(&out), &options, arena, diag, &back) ==
                 HOIST_OK);
    fuzz_require(hoist_diag_kept(diag) == 0 && back.end_blocks == 2 && back.count == tar->count);
    for (size_t i = 0; i < back.count; i++) {
        require_same(&tar->members[i], &back.members[i]);
    }
    write_all(&back, &again);
    fuzz_require(hoist_str_equal(hoist_buffer_text(&out), hoist_buffer_text(&again)));
    hoist_buffer_deinit(&out);
    hoist_buffer_deinit(&again);
    hoist_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_buffer archive;
    hoist_arena arena;
    hoist_diag *diag = NULL;
    hoist_tar tar;
    hoist_buffer_init(&archive, hoist_allocator_system());
    hoist_buffer_add(&archive, (hoist_bytes){data, size});
    hoist_arena_init(&arena, hoist_allocator_system());
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    mend_checksums(&archive);
    const hoist_bytes bytes = hoist_buffer_bytes(&archive);
    const hoist_status status = hoist_tar_read(bytes, &options, &arena, diag, &tar);
    fuzz_require(status == HOIST_OK || hoist_diag_count(diag, HOIST_ERROR) > 0);
    if (status == HOIST_OK) {
        require_places(bytes, &tar);
        round_trip(&tar, &arena);
    }
    hoist_diag_destroy(diag);
    hoist_arena_deinit(&arena);
    hoist_buffer_deinit(&archive);
    return 0;
}
