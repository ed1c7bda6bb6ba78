// The file of a module: of what was read the bytes that it was read from, whatever is wrong with
// them; a module that was built (build.c) gets a canonical one, by compose.c.
#include "base/alloc.h"
#include "formats/neff/pack.h"

static hoist_status write_built(const neff_module *m, neff_header *header, hoist_buffer *out)
{
    hoist_tar_member *const members = // borrows names and bytes of the module
        hoist_alloc_zero(out->alloc, m->member_count, sizeof(members[0]));
    if (!members && m->member_count) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < m->member_count; i++) {
        members[i] = neff_plain_member();
        members[i].name = m->members[i].name;
        members[i].data = m->members[i].bytes;
    }
    const neff_archive archive = {.members = members,
                                  .deadline = m->base.deadline,
                                  .count = m->member_count,
                                  // As 1.2 has it: packaging 2 is gzip, 1 a plain tar.
                                  .gzip = header->pkg_version == 2,
                                  .level = NEFF_LEVEL,
                                  .record = NEFF_RECORD,
                                  .payload_record = 1};
    const hoist_status status = neff_compose(header, &archive, out);
    hoist_free(out->alloc, members, m->member_count * sizeof(members[0]));
    return status;
}

hoist_status neff_write(const hoist_module *module, hoist_buffer *out)
{
    const neff_module *const m = neff_of(module);
    neff_header header = m->header;
    if (!m->file.size) { // no bytes: it was built
        return write_built(m, &header, out);
    }
    hoist_buffer_add(out, m->file);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}
