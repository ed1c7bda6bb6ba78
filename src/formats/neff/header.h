// formats/neff/header.h - the fields of the 1,024-byte header (neff reference 1.1): one row each,
// from which it is read, written, shown, packed and documented.
#ifndef HOIST_SRC_FORMATS_NEFF_HEADER_H
#define HOIST_SRC_FORMATS_NEFF_HEADER_H

#include "formats/neff/module.h"

typedef enum neff_header_field {
    NEFF_H_PKG_VERSION = 0,
    NEFF_H_HEADER_SIZE,
    NEFF_H_DATA_SIZE,
    NEFF_H_VERSION_MAJOR,
    NEFF_H_VERSION_MINOR,
    NEFF_H_BUILD_VERSION,
    NEFF_H_NUM_TPB,
    NEFF_H_HASH,
    NEFF_H_UUID,
    NEFF_H_NAME,
    NEFF_H_REQUESTED_TPB_COUNT,
    NEFF_H_TPB_PER_NODE,
    NEFF_H_FEATURE_BITS,
    NEFF_H_LNC_SIZE,
    NEFF_H_PAD,
    NEFF_H_COUNT,
} neff_header_field;

typedef enum neff_header_kind {
    NEFF_HEADER_U64 = 0,
    NEFF_HEADER_U32,
    NEFF_HEADER_TEXT,  // NUL-padded
    NEFF_HEADER_BYTES, // shown as hexadecimal digits
    NEFF_HEADER_LIST,  // one number per byte
} neff_header_kind;

typedef struct neff_header_row {
    const char *name; // of the vendor's struct
    uint16_t offset;  // in the file
    uint16_t size;    // bytes in the file; of TEXT, BYTES and LIST in neff_header, too
    uint16_t slot;    // offset in neff_header
    uint8_t kind;     // neff_header_kind
    const char *summary;
} neff_header_row;

extern const neff_header_row neff_header_rows[NEFF_H_COUNT];

// The value of a U64 or U32 field.
uint64_t neff_header_number(const neff_header *header, neff_header_field field);
void neff_header_set_number(neff_header *header, neff_header_field field, uint64_t value);
// The bytes of a TEXT, BYTES or LIST field; as many as its row says.
const uint8_t *neff_header_bytes(const neff_header *header, neff_header_field field);
uint8_t *neff_header_mut_bytes(neff_header *header, neff_header_field field);

// Cores of the logical core: lnc_size as it is meant, an old writer's 0 being 1.
static inline uint32_t neff_header_lnc(const neff_header *header)
{
    return header->lnc_size ? header->lnc_size : 1;
}

#endif // HOIST_SRC_FORMATS_NEFF_HEADER_H
