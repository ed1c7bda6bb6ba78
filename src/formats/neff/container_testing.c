#include "formats/neff/container_testing.h"

#include <string.h>

#include "base/span.h"
#include "codec/gzip.h"
#include "codec/tar.h"
#include "formats/neff/header.h"

// A copy in the test's arena; the buffer is freed.
static hoist_mut_bytes take(hoist_test *t, hoist_buffer *buffer)
{
    HOIST_EXPECT(t, !buffer->failed);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, buffer->size);
    memcpy(copy, buffer->data, buffer->size);
    const hoist_mut_bytes bytes = {copy, buffer->size};
    hoist_buffer_deinit(buffer);
    return bytes;
}

hoist_bytes neff_test_tar(hoist_test *t, const neff_test_entry *entries, size_t count)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        const neff_test_entry *const e = &entries[i];
        const char flag = e->flag ? e->flag : '0';
        const hoist_tar_member member = {
            .name = e->name,
            .link = hoist_str_from(e->link),
            .type = flag == '0'                  ? HOIST_TAR_FILE
                    : flag == '5'                ? HOIST_TAR_FOLDER
                    : flag == '1' || flag == '2' ? HOIST_TAR_LINK
                                                 : HOIST_TAR_OTHER,
            .flag = flag,
            .dialect = HOIST_TAR_USTAR,
            .data = {(const uint8_t *)e->text.data, e->text.size},
            .mode = 0644,
        };
        HOIST_EXPECT_EQ(t, hoist_tar_write(&member, &out), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_tar_end(0, 10240, &out), HOIST_OK);
    const hoist_mut_bytes bytes = take(t, &out);
    return (hoist_bytes){bytes.data, bytes.size};
}

hoist_bytes neff_test_gzip(hoist_test *t, hoist_bytes archive)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_gzip_write(archive, 1, NULL, &out), HOIST_OK);
    const hoist_mut_bytes bytes = take(t, &out);
    return (hoist_bytes){bytes.data, bytes.size};
}

hoist_mut_bytes neff_test_file(hoist_test *t, uint32_t pkg_version, hoist_bytes payload)
{
    neff_header header = {
        .pkg_version = pkg_version,
        .header_size = NEFF_HEADER_SIZE,
        .data_size = payload.size,
        .version_major = 1,
        .num_tpb = 1,
        .uuid = {[0] = 1, [6] = 0x40, [8] = 0x80},
        .name = "test",
        .requested_tpb_count = 1,
        .lnc_size = 1,
    };
    const hoist_hash_kind kind = pkg_version == 1 ? HOIST_HASH_SHA256 : HOIST_HASH_MD5;
    HOIST_EXPECT_EQ(t, hoist_hash(kind, payload, NULL, header.hash), HOIST_OK);
    const size_t size = NEFF_HEADER_SIZE + payload.size;
    uint8_t *const file = hoist_arena_alloc(&t->arena, size);
    neff_write_header(&header, file);
    if (payload.size) {
        memcpy(file + NEFF_HEADER_SIZE, payload.data, payload.size);
    }
    return (hoist_mut_bytes){file, size};
}

hoist_mut_bytes neff_test_packed(hoist_test *t, uint32_t pkg_version,
                                 const neff_test_entry *entries, size_t count)
{
    const hoist_bytes archive = neff_test_tar(t, entries, count);
    return neff_test_file(t, pkg_version, pkg_version == 1 ? archive : neff_test_gzip(t, archive));
}

hoist_status neff_test_open(hoist_test *t, hoist_mut_bytes file, const hoist_read_options *options,
                            neff_module **out_module)
{
    neff_module *const m =
        neff_module_create(hoist_allocator_system(), (hoist_bytes){file.data, file.size});
    HOIST_EXPECT(t, m != NULL);
    *out_module = m;
    neff_reader r = {.module = m,
                     .diag = t->diag,
                     .arena = &m->arena,
                     .options = options,
                     .lenient = options && options->lenient};
    const hoist_status status = neff_read_header(&r);
    return status == HOIST_OK ? neff_read_container(&r) : status;
}
