#include "base/magic.h"
#include "base/span.h"
#include "testing/test.h"

#define BYTES(text)                                                                                \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    }

static const struct {
    const char *name;
    hoist_bytes head;
    const char *want; // NULL: unknown
} files[] = {
    {"nothing", {(const uint8_t *)"", 0}, NULL},
    {"png", BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "a PNG image"},
    {"png, cut", BYTES("\x89PNG\r\n\x1a"), NULL},
    {"jpeg", BYTES("\xff\xd8\xff\xe0"), "a JPEG image"},
    {"three bytes are enough", BYTES("BZh"), "a bzip2 file"},
    {"npy", BYTES("\x93NUMPY\1\0"), "a NumPy .npy file"},
    {"webp, not at the start", BYTES("RIFF\1\2\3\4WEBP"), "a WebP image"},
    {"webp, cut", BYTES("RIFF\1\2\3\4WEB"), NULL},
    {"tflite", BYTES("\x1c\0\0\0TFL3"), "a TFLite model"},
    {"safetensors", BYTES("\x40\0\0\0\0\0\0\0{\"a\":"), "a safetensors file"},
    {"safetensors of no sane length", BYTES("\x40\0\0\0\0\0\1\0{\"a\":"), NULL},
    {"elements", BYTES("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40"), NULL},
};

HOIST_TEST_TABLE(kinds, files)
{
    const hoist_bytes head = hoist_test_exact(t, row->head);
    const char *found = hoist_magic_find(head);
    HOIST_EXPECT_STR(t, hoist_str_from(found ? found : "(unknown)"),
                     row->want ? row->want : "(unknown)");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(kinds))
