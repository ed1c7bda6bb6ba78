// codec/tar_block.h - one header block of a tar archive: fields, numbers and the checksum. Shared
// by the reader and the writer.
#ifndef HOIST_SRC_CODEC_TAR_BLOCK_H
#define HOIST_SRC_CODEC_TAR_BLOCK_H

#include "hoist/base.h"

enum { HOIST_TAR_BLOCK = 512 };

typedef enum hoist_tar_field {
    HOIST_TAR_NAME = 0,
    HOIST_TAR_MODE,
    HOIST_TAR_UID,
    HOIST_TAR_GID,
    HOIST_TAR_SIZE,
    HOIST_TAR_MTIME,
    HOIST_TAR_CHECKSUM,
    HOIST_TAR_FLAG,
    HOIST_TAR_LINKNAME,
    HOIST_TAR_MAGIC, // and version
    HOIST_TAR_USER,
    HOIST_TAR_GROUP,
    HOIST_TAR_DEVMAJOR,
    HOIST_TAR_DEVMINOR,
    HOIST_TAR_PREFIX,
} hoist_tar_field;

typedef struct hoist_tar_field_place {
    uint16_t at;
    uint16_t size;
    const char *name;
} hoist_tar_field_place;

// By hoist_tar_field.
extern const hoist_tar_field_place hoist_tar_fields[];

extern const uint8_t hoist_tar_zeros[HOIST_TAR_BLOCK];

// Every `block` below is HOIST_TAR_BLOCK bytes.

bool hoist_tar_block_is_zero(const uint8_t *block);
// Sum of the bytes, those of the checksum itself taken as spaces.
uint32_t hoist_tar_block_sum(const uint8_t *block);
// True when the stored checksum is the sum of unsigned bytes, or of signed ones as some tars had
// it.
bool hoist_tar_block_is_valid(const uint8_t *block);

// The text of a field up to its first NUL; borrowed from the block.
hoist_str hoist_tar_text(const uint8_t *block, hoist_tar_field field);
// The number of a field: octal digits between spaces or NULs, or base 256 when bit 7 of the first
// byte is set; a blank field is 0. False when it is neither or beyond 64 bits; then it is 0.
bool hoist_tar_number(const uint8_t *block, hoist_tar_field field, int64_t *out_number);

// As much of `text` as the field holds, zeros after it.
void hoist_tar_put_text(uint8_t *block, hoist_tar_field field, hoist_str text);
// Octal digits and a NUL; false, and nothing written, when `number` is negative or too large.
bool hoist_tar_put_octal(uint8_t *block, hoist_tar_field field, int64_t number);
// Big-endian two's complement under the mark; false, and nothing written, when it does not fit.
bool hoist_tar_put_base256(uint8_t *block, hoist_tar_field field, int64_t number);
// The checksum, when all else is there.
void hoist_tar_put_sum(uint8_t *block);

// True for types of member that have data after the header: links, devices, folders and FIFOs do
// not, whatever their size says.
bool hoist_tar_has_data(char flag);

#endif // HOIST_SRC_CODEC_TAR_BLOCK_H
