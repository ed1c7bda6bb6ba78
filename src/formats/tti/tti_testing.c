// Archives for tests, by the writer of the codec.
#include "formats/tti/tti_testing.h"

#include "base/alloc.h"
#include "base/buffer.h"

hoist_bytes tti_test_archive(hoist_test *t, const tti_test_entry *entries, size_t count)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        const hoist_str text = hoist_str_from(entries[i].text ? entries[i].text : "");
        const hoist_tar_member member = {.name = hoist_str_from(entries[i].name),
                                         .flag = entries[i].flag ? entries[i].flag : '0',
                                         .dialect = HOIST_TAR_GNU,
                                         .mode = 0644,
                                         .data = {(const uint8_t *)text.data, text.size}};
        if (entries[i].name) {
            HOIST_EXPECT_EQ(t, hoist_tar_write(&member, &out), HOIST_OK);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_tar_end(0, 10240, &out), HOIST_OK);
    const hoist_bytes file = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return file;
}

hoist_status tti_test_read(hoist_test *t, hoist_bytes file, bool container_only,
                           tti_module **out_module)
{
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .container_only = container_only};
    hoist_module *module = NULL;
    const hoist_status status =
        hoist_format_read(&hoist_tti_format, file, &options, t->diag, &module);
    *out_module = (tti_module *)module;
    return status;
}
