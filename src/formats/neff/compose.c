// Header and archive put together: data_size and hash follow from the payload (neff reference 10).
// pack.c, write.c and build.c come here with members in their order; what is written depends on
// nothing but its arguments, so that packing is reproducible.
#include <string.h>

#include "codec/gzip.h"
#include "formats/neff/pack.h"

hoist_tar_member neff_plain_member(void)
{
    // No owner and no time (10): nothing of the machine that packs.
    return (hoist_tar_member){
        .type = HOIST_TAR_FILE, .flag = '0', .dialect = HOIST_TAR_USTAR, .mode = 0644};
}

// The hash is over the payload as stored (1.3), so it comes last.
static hoist_status finish(neff_header *header, size_t start, hoist_deadline *deadline,
                           hoist_buffer *out)
{
    HOIST_TRY_MEMORY(!out->failed);
    hoist_hash_kind kind = HOIST_HASH_MD5;
    // The buffer may have moved while it grew.
    const hoist_bytes payload = {out->data + start + NEFF_HEADER_SIZE,
                                 out->size - start - NEFF_HEADER_SIZE};
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    HOIST_TRY(neff_hash_kind(header->pkg_version, &kind));
    HOIST_TRY(hoist_hash(kind, payload, deadline, digest));
    header->data_size = payload.size;
    // What is after an MD5 stays: no reader checks it, and writers differ there.
    memcpy(header->hash, digest, hoist_hash_size(kind));
    neff_write_header(header, out->data + start);
    return HOIST_OK;
}

// Members in their order, end blocks, zeros up to a multiple of the record.
static hoist_status add_tar(const neff_archive *archive, hoist_buffer *out)
{
    const size_t start = out->size;
    for (size_t i = 0; i < archive->count; i++) {
        HOIST_TRY(hoist_deadline_look(archive->deadline));
        HOIST_TRY(hoist_tar_write(&archive->members[i], out));
    }
    return hoist_tar_end(start, archive->record, out);
}

// The tar is made in full first: gzip's trailer needs its size and CRC.
static hoist_status add_gzip(const neff_archive *archive, hoist_buffer *out)
{
    hoist_buffer tar;
    const size_t start = out->size;
    hoist_buffer_init(&tar, out->alloc);
    hoist_status status = add_tar(archive, &tar);
    if (status == HOIST_OK) {
        status = hoist_gzip_write(hoist_buffer_bytes(&tar), archive->level, archive->deadline, out);
    }
    hoist_buffer_deinit(&tar);
    // Zeros after the gzip trailer, as libarchive leaves them in records of 10,240 bytes (2.1).
    const size_t rest = (out->size - start) % archive->payload_record;
    hoist_buffer_fill(out, '\0', rest ? archive->payload_record - rest : 0);
    return status;
}

hoist_status neff_compose(neff_header *header, const neff_archive *archive, hoist_buffer *out)
{
    const size_t start = out->size;
    hoist_buffer_fill(out, '\0', NEFF_HEADER_SIZE); // written when the payload after it is there
    HOIST_TRY(archive->gzip ? add_gzip(archive, out) : add_tar(archive, out));
    return finish(header, start, archive->deadline, out);
}

void neff_make_uuid(neff_header *header)
{
    memcpy(header->uuid, header->hash, sizeof(header->uuid));
    header->uuid[6] = (uint8_t)((header->uuid[6] & 0x0f) | 0x40); // version 4 in the high nibble
    header->uuid[8] = (uint8_t)((header->uuid[8] & 0x3f) | 0x80); // the variant in the high bits
}
