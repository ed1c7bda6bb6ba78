// The header block: POSIX.1-2017, pax, "ustar Interchange Format"; V7 ends before the magic. Base
// 256 is GNU's way to store what octal digits cannot.
#include "codec/tar_block.h"

#include <string.h>

// clang-format off
const hoist_tar_field_place hoist_tar_fields[] = {
    [HOIST_TAR_NAME]     = {0,   100, "name"},
    [HOIST_TAR_MODE]     = {100, 8,   "mode"},
    [HOIST_TAR_UID]      = {108, 8,   "uid"},
    [HOIST_TAR_GID]      = {116, 8,   "gid"},
    [HOIST_TAR_SIZE]     = {124, 12,  "size"},
    [HOIST_TAR_MTIME]    = {136, 12,  "mtime"},
    [HOIST_TAR_CHECKSUM] = {148, 8,   "checksum"},
    [HOIST_TAR_FLAG]     = {156, 1,   "typeflag"},
    [HOIST_TAR_LINKNAME] = {157, 100, "linkname"},
    [HOIST_TAR_MAGIC]    = {257, 8,   "magic"},
    [HOIST_TAR_USER]     = {265, 32,  "uname"},
    [HOIST_TAR_GROUP]    = {297, 32,  "gname"},
    [HOIST_TAR_DEVMAJOR] = {329, 8,   "devmajor"},
    [HOIST_TAR_DEVMINOR] = {337, 8,   "devminor"},
    [HOIST_TAR_PREFIX]   = {345, 155, "prefix"},
};
// clang-format on

const uint8_t hoist_tar_zeros[HOIST_TAR_BLOCK];

bool hoist_tar_block_is_zero(const uint8_t *block)
{
    return memcmp(block, hoist_tar_zeros, HOIST_TAR_BLOCK) == 0;
}

uint32_t hoist_tar_block_sum(const uint8_t *block)
{
    const hoist_tar_field_place f = hoist_tar_fields[HOIST_TAR_CHECKSUM];
    uint32_t sum = (uint32_t)' ' * f.size;
    // 256 bytes sum to 16 bits, of which vectors hold twice as many as of 32.
    for (size_t at = 0; at < HOIST_TAR_BLOCK; at += 256) {
        uint16_t part = 0;
        for (size_t i = 0; i < 256; i++) {
            part = (uint16_t)(part + block[at + i]);
        }
        sum += part;
    }
    for (size_t i = f.at; i < (size_t)f.at + f.size; i++) {
        // The field counts as eight spaces, as the sum was made before it was written.
        sum -= block[i];
    }
    return sum;
}

// Bytes from 128 on, which count 256 less when bytes are signed.
static uint32_t tar_block_high(const uint8_t *block)
{
    const hoist_tar_field_place f = hoist_tar_fields[HOIST_TAR_CHECKSUM];
    uint32_t high = 0;
    for (size_t i = 0; i < HOIST_TAR_BLOCK; i++) {
        high += (i < f.at || i >= (size_t)f.at + f.size) && block[i] >= 0x80;
    }
    return high;
}

bool hoist_tar_block_is_valid(const uint8_t *block)
{
    int64_t stored = 0;
    // Only what may be octal: data that is looked through for a header rarely is.
    if (block[hoist_tar_fields[HOIST_TAR_CHECKSUM].at] & 0x80 ||
        !hoist_tar_number(block, HOIST_TAR_CHECKSUM, &stored)) {
        return false;
    }
    const int64_t sum = hoist_tar_block_sum(block);
    // Historic tars on machines with signed chars summed bytes from 128 on as negative numbers.
    return stored == sum || stored == sum - 256 * (int64_t)tar_block_high(block);
}

hoist_str hoist_tar_text(const uint8_t *block, hoist_tar_field field)
{
    const hoist_tar_field_place f = hoist_tar_fields[field];
    const char *text = (const char *)block + f.at;
    return (hoist_str){text, strnlen(text, f.size)};
}

// Big-endian. False: beyond 64 bits, which a field of 12 bytes can hold.
static bool tar_base256(const uint8_t *bytes, size_t size, int64_t *out_number)
{
    // Two's complement of 8 * size - 1 bits: bit 6 of the first byte is the sign.
    const bool negative = bytes[0] & 0x40;
    int64_t number = (int64_t)(bytes[0] & 0x3f) - (negative ? 0x40 : 0);
    for (size_t i = 1; i < size; i++) {
        if (number > INT64_MAX / 256 || number < INT64_MIN / 256) {
            return false;
        }
        number = number * 256 + bytes[i]; // multiples of 256 leave space for the byte
    }
    *out_number = number;
    return true;
}

// Leading blanks, octal digits, then a blank or NUL or the end of the field. Twelve digits fit.
static bool tar_octal(const uint8_t *bytes, size_t size, int64_t *out_number)
{
    int64_t number = 0;
    size_t i = 0;
    while (i < size && (bytes[i] == ' ' || bytes[i] == '\0')) {
        i++;
    }
    for (; i < size && bytes[i] >= '0' && bytes[i] <= '7'; i++) {
        number = number * 8 + (bytes[i] - '0');
    }
    if (i < size && bytes[i] != ' ' && bytes[i] != '\0') {
        return false;
    }
    *out_number = number;
    return true;
}

bool hoist_tar_number(const uint8_t *block, hoist_tar_field field, int64_t *out_number)
{
    const hoist_tar_field_place f = hoist_tar_fields[field];
    const uint8_t *bytes = block + f.at;
    *out_number = 0;
    return bytes[0] & 0x80 ? tar_base256(bytes, f.size, out_number)
                           : tar_octal(bytes, f.size, out_number);
}

void hoist_tar_put_text(uint8_t *block, hoist_tar_field field, hoist_str text)
{
    const hoist_tar_field_place f = hoist_tar_fields[field];
    const size_t size = text.size < f.size ? text.size : f.size;
    memset(block + f.at, 0, f.size);
    if (size) {
        memcpy(block + f.at, text.data, size);
    }
}

bool hoist_tar_put_octal(uint8_t *block, hoist_tar_field field, int64_t number)
{
    const hoist_tar_field_place f = hoist_tar_fields[field];
    const unsigned digits = f.size - 1u;
    // One byte of the field is the NUL.
    if (number < 0 || (3 * digits < 63 && number >> (3 * digits))) {
        return false;
    }
    for (unsigned i = digits; i-- > 0; number >>= 3) {
        block[f.at + i] = (uint8_t)('0' + (number & 7));
    }
    block[f.at + digits] = '\0';
    return true;
}

bool hoist_tar_put_base256(uint8_t *block, hoist_tar_field field, int64_t number)
{
    const hoist_tar_field_place f = hoist_tar_fields[field];
    // The mark takes bit 63 of a field of 8 bytes.
    const int64_t most = f.size > 8 ? INT64_MAX : INT64_MAX / 2;
    if (number > most || number < -most - 1) {
        return false;
    }
    // Bytes before the number's own repeat its sign.
    const int64_t sign = number < 0 ? -1 : 0;
    for (unsigned i = f.size, byte = 0; i-- > 0; byte++) {
        const uint64_t bits = (uint64_t)(byte < 8 ? number : sign);
        block[f.at + i] = (uint8_t)(bits >> 8 * (byte % 8) & 0xff);
    }
    block[f.at] |= 0x80;
    return true;
}

// Six digits, NUL, space: the form that POSIX shows and all tars write.
void hoist_tar_put_sum(uint8_t *block)
{
    const hoist_tar_field_place f = hoist_tar_fields[HOIST_TAR_CHECKSUM];
    uint32_t sum = hoist_tar_block_sum(block);
    for (unsigned i = 6; i-- > 0; sum >>= 3) {
        block[f.at + i] = (uint8_t)('0' + (sum & 7));
    }
    block[f.at + 6] = '\0';
    block[f.at + 7] = ' ';
}

// '1' to '6': links, devices, folders, FIFOs. Unknown types have data, so that they can be
// skipped.
bool hoist_tar_has_data(char flag)
{
    return flag < '1' || flag > '6';
}
