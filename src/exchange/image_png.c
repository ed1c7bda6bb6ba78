// PNG images by libpng's interface for whole images, loaded while it is used, as libarchive is
// (zip_library.h). Input: a file in memory; output: RGB, 8 bits each, transparent pixels over
// black. A build without png.h has no such reader.
#include "exchange/exchange_rules.h"
#include "exchange/image.h"

#ifdef HOIST_LIBPNG
#include <png.h>
#include <string.h>

#include "os/library.h"

// libpng's simplified interface: one function for the header, one for the pixels.
typedef struct png_library {
    void *handle; // owned
    int (*begin)(png_imagep image, png_const_voidp bytes, size_t size);
    int (*finish)(png_imagep image, png_const_colorp background, void *pixels, png_int_32 stride,
                  void *colors);
    void (*end)(png_imagep image);
} png_library;

// By bytes: `out_function` is the address of a function pointer of any type.
static void find(void *handle, const char *name, void *out_function)
{
    void *const function = hoist_library_find(handle, name);
    memcpy(out_function, &function, sizeof(function));
}

static bool load(png_library *out_png, const char **out_reason)
{
    *out_png = (png_library){.handle = hoist_library_open("libpng16.so.16", out_reason)};
    if (!out_png->handle) {
        return false;
    }
    find(out_png->handle, "png_image_begin_read_from_memory", &out_png->begin);
    find(out_png->handle, "png_image_finish_read", &out_png->finish);
    find(out_png->handle, "png_image_free", &out_png->end);
    *out_reason = "libpng16.so.16 lacks a function";
    return out_png->begin && out_png->finish && out_png->end;
}

// Deflate packs at most 1,032 bytes into one, and a pixel has at least a bit. A header alone could
// otherwise ask for all the pixels that are allowed.
static bool can_hold(hoist_bytes file, const png_image *image)
{
    return (uint64_t)image->width * image->height / 8 / 1032 <= file.size;
}

static hoist_status damaged(const hoist_image_reader *reader, const png_image *image)
{
    return hoist_exchange_fail(reader->diag, HOIST_INVALID, HOIST_RAW_011, 0,
                               "the PNG image cannot be read: %s", image->message);
}

static hoist_status read_pixels(const hoist_image_reader *reader, const png_library *png,
                                png_image *image, hoist_array *out_image)
{
    if (!png->begin(image, reader->file.data, reader->file.size)) {
        return damaged(reader, image);
    }
    if (!can_hold(reader->file, image)) {
        return hoist_exchange_fail(reader->diag, HOIST_INVALID, HOIST_RAW_011, 0,
                                   "the image is %u by %u, which %zu bytes cannot hold",
                                   image->width, image->height, reader->file.size);
    }
    // Before the format is set: the extents are the file's in any format.
    HOIST_TRY(hoist_image_begin(reader, image->width, image->height, out_image));
    HOIST_TRY(hoist_deadline_look(reader->deadline));
    image->format = PNG_FORMAT_RGB;
    image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // 16 bits are no other scale than 8
    // Background NULL: blends into what is in the memory, which is black (image_pixels.c). Stride
    // 0: lines without padding.
    if (!png->finish(image, NULL, out_image->owned, 0, NULL)) {
        return damaged(reader, image);
    }
    return HOIST_OK;
}

hoist_status hoist_png_read(const hoist_image_reader *reader, hoist_array *out_image)
{
    png_library png;
    const char *reason = "";
    if (!load(&png, &reason)) {
        hoist_library_close(png.handle); // NULL is allowed
        return hoist_exchange_fail(reader->diag, HOIST_UNSUPPORTED, HOIST_RAW_013, 0,
                                   "libpng is needed to read this file: %s", reason);
    }
    // The library checks that it knows this version.
    png_image image = {.version = PNG_IMAGE_VERSION};
    const hoist_status status = read_pixels(reader, &png, &image, out_image);
    png.end(&image); // frees what begin() took; also after a failure
    hoist_library_close(png.handle);
    return status;
}
#else
hoist_status hoist_png_read(const hoist_image_reader *reader, hoist_array *out_image)
{
    (void)out_image;
    return hoist_exchange_fail(reader->diag, HOIST_UNSUPPORTED, HOIST_RAW_013, 0,
                               "libpng is needed to read this file: hoist was built without it");
}
#endif
