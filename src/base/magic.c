// Signatures of files (magic.h): a table row for each, compared with the first bytes in order. The
// signatures are those that the formats' own documents give.
#include "base/magic.h"

#include <string.h>

#include "base/span.h"

typedef struct magic {
    const char *name;
    const char *bytes;
    size_t size;
    size_t at; // offset of the signature in the file
} magic;

#define SIGNATURE(text) (text), sizeof(text) - 1

// clang-format off
static const magic magics[] = {
    {"a NumPy .npy file",           SIGNATURE("\x93NUMPY"), 0},
    {"a ZIP archive, as .npz files and PyTorch's are", SIGNATURE("PK\x03\x04"), 0},
    {"a PNG image",                 SIGNATURE("\x89PNG\r\n\x1a\n"), 0},
    {"a JPEG image",                SIGNATURE("\xff\xd8\xff"), 0},
    {"a GIF image",                 SIGNATURE("GIF8"), 0},
    {"a WebP image",                SIGNATURE("WEBP"), 8},
    {"a WAV sound",                 SIGNATURE("WAVE"), 8},
    {"a TIFF image",                SIGNATURE("II*\0"), 0},
    {"a TIFF image",                SIGNATURE("MM\0*"), 0},
    {"a PDF document",              SIGNATURE("%PDF-"), 0},
    {"an ELF program or library",   SIGNATURE("\x7f" "ELF"), 0},
    {"a TFLite model",              SIGNATURE("TFL3"), 4},
    {"an HDF5 file",                SIGNATURE("\x89HDF\r\n\x1a\n"), 0},
    {"a GGUF model",                SIGNATURE("GGUF"), 0},
    {"a gzip file",                 SIGNATURE("\x1f\x8b\x08"), 0},
    {"a bzip2 file",                SIGNATURE("BZh"), 0},
    {"an xz file",                  SIGNATURE("\xfd" "7zXZ\0"), 0},
    {"a Zstandard file",            SIGNATURE("\x28\xb5\x2f\xfd"), 0},
    {"an SQLite database",          SIGNATURE("SQLite format 3\0"), 0},
    {"a MATLAB file",               SIGNATURE("MATLAB 5.0 MAT-file"), 0},
    // The length of the header, which is JSON, is of 8 bytes; no header has 2^40.
    {"a safetensors file",          SIGNATURE("\0\0\0{\""), 5},
};
// clang-format on

const char *hoist_magic_find(hoist_bytes head)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(magics); i++) {
        const magic *m = &magics[i];
        if (head.size >= m->at + m->size && memcmp(head.data + m->at, m->bytes, m->size) == 0) {
            return m->name;
        }
    }
    return NULL;
}
