// JPEG images by libjpeg, loaded while it is used, as libarchive is (zip_library.h). Input: a file
// in memory; output: RGB, 8 bits each. libjpeg ends by longjmp() where a file is damaged: locals
// that are used after it are members of `decoder`. A build without jpeglib.h has no such reader.
#include "exchange/exchange_rules.h"
#include "exchange/image.h"

#ifdef HOIST_LIBJPEG
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
// clang-format off
#include <jpeglib.h> // needs stdio.h before it
#include <jerror.h>  // needs jpeglib.h before it
// clang-format on

#include "os/library.h"
// A progressive image of a few bytes may have any number of scans, each of all pixels.
enum { MOST_SCANS = 500 };

typedef struct jpeg_library {
    void *handle; // owned
    struct jpeg_error_mgr *(*std_error)(struct jpeg_error_mgr *errors);
    void (*create)(j_decompress_ptr jpeg, int version, size_t size);
    void (*mem_src)(j_decompress_ptr jpeg, const unsigned char *bytes, unsigned long size);
    int (*read_header)(j_decompress_ptr jpeg, boolean is_required);
    boolean (*start)(j_decompress_ptr jpeg);
    JDIMENSION (*read_lines)(j_decompress_ptr jpeg, JSAMPARRAY lines, JDIMENSION most);
    // FALSE asks for more input, which a file in memory never has.
    boolean (*finish)(j_decompress_ptr jpeg);
    void (*destroy)(j_decompress_ptr jpeg);
} jpeg_library;

static const struct {
    const char *name;
    size_t offset; // in jpeg_library
} symbols[] = {
    {"jpeg_std_error", offsetof(jpeg_library, std_error)},
    {"jpeg_CreateDecompress", offsetof(jpeg_library, create)},
    {"jpeg_mem_src", offsetof(jpeg_library, mem_src)},
    {"jpeg_read_header", offsetof(jpeg_library, read_header)},
    {"jpeg_start_decompress", offsetof(jpeg_library, start)},
    {"jpeg_read_scanlines", offsetof(jpeg_library, read_lines)},
    {"jpeg_finish_decompress", offsetof(jpeg_library, finish)},
    {"jpeg_destroy_decompress", offsetof(jpeg_library, destroy)},
};

// The first three are found by libjpeg's pointers to them.
// An instance is on the stack of hoist_jpeg_read(): after longjmp() its members have their values,
// while locals of decode() that changed would not.
typedef struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    char message[JMSG_LENGTH_MAX]; // of libjpeg, or of on_progress()
    jpeg_library library;
    const hoist_image_reader *reader;
    hoist_array *image;
    hoist_status status; // of what ended it
} decoder;

static bool load(jpeg_library *out_library, const char **out_reason)
{
    *out_library = (jpeg_library){.handle = hoist_library_open("libjpeg.so.62", out_reason)};
    for (size_t i = 0; out_library->handle && i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        // The function's address is copied as bytes: C has no cast from void * to a function.
        void *const function = hoist_library_find(out_library->handle, symbols[i].name);
        memcpy((char *)out_library + symbols[i].offset, &function, sizeof(function));
        if (!function) {
            *out_reason = "libjpeg.so.62 lacks a function";
            hoist_library_close(out_library->handle);
            out_library->handle = NULL;
        }
    }
    return out_library->handle != NULL;
}

// `client_data` is kept by libjpeg for its user.
static decoder *decoder_of(j_common_ptr jpeg)
{
    return (decoder *)jpeg->client_data;
}

_Noreturn static void stop(decoder *d, hoist_status status)
{
    d->status = status;
    longjmp(d->failed, 1);
}

// libjpeg must not go on after an error: this replaces its exit().
_Noreturn static void on_error(j_common_ptr jpeg)
{
    decoder *const d = decoder_of(jpeg);
    jpeg->err->format_message(jpeg, d->message);
    stop(d, HOIST_INVALID);
}

// A file that is cut would give gray; other warnings are of bytes between the parts.
// `level`: -1 for warnings, 0 and above for traces.
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0 && jpeg->err->msg_code == JWRN_JPEG_EOF) {
        on_error(jpeg);
    }
}

// Called by libjpeg between lines and scans: the only place to end a long image.
static void on_progress(j_common_ptr jpeg)
{
    decoder *const d = decoder_of(jpeg);
    if (d->jpeg.input_scan_number > MOST_SCANS) {
        (void)snprintf(d->message, sizeof(d->message), "it has more than %d scans", MOST_SCANS);
        stop(d, HOIST_INVALID);
    }
    const hoist_status status = hoist_deadline_look(d->reader->deadline);
    if (status != HOIST_OK) {
        stop(d, status);
    }
}

static void on_output(j_common_ptr jpeg)
{
    (void)jpeg; // the library prints nothing
}

static void read_pixels(decoder *d)
{
    const jpeg_library *const library = &d->library;
    library->mem_src(&d->jpeg, d->reader->file.data, (unsigned long)d->reader->file.size);
    // TRUE: a file of tables alone is an error.
    (void)library->read_header(&d->jpeg, TRUE);
    const hoist_status status =
        hoist_image_begin(d->reader, d->jpeg.image_width, d->jpeg.image_height, d->image);
    if (status != HOIST_OK) {
        stop(d, status);
    }
    d->jpeg.out_color_space = JCS_RGB; // gray becomes three equal samples
    d->jpeg.dct_method = JDCT_ISLOW;   // exact integers: the same pixels on every machine
    (void)library->start(&d->jpeg);
    while (d->jpeg.output_scanline < d->jpeg.output_height) {
        JSAMPROW line =
            d->image->owned + (size_t)d->jpeg.output_scanline * d->jpeg.output_width * 3;
        // One line at a time: a library may give fewer than were asked for.
        (void)library->read_lines(&d->jpeg, &line, 1);
    }
    (void)library->finish(&d->jpeg);
}

static hoist_status decode(decoder *d)
{
    d->jpeg.err = d->library.std_error(&d->errors);
    // All of these have to be set before create(), which may fail itself.
    d->errors.error_exit = on_error;
    d->errors.emit_message = on_message;
    d->errors.output_message = on_output;
    d->jpeg.client_data = d;
    if (setjmp(d->failed)) {
        d->library.destroy(&d->jpeg); // of a decoder that was not created: zeros, nothing to free
        return d->status;
    }
    d->library.create(&d->jpeg, JPEG_LIB_VERSION, sizeof(d->jpeg));
    // After create(), which zeroes all members but `err` and `client_data`.
    d->progress.progress_monitor = on_progress;
    d->jpeg.progress = &d->progress;
    read_pixels(d);
    d->library.destroy(&d->jpeg);
    return HOIST_OK;
}

hoist_status hoist_jpeg_read(const hoist_image_reader *reader, hoist_array *out_image)
{
    // Zeros: destroy() may come before create().
    decoder d = {.reader = reader, .image = out_image};
    const char *reason = "";
    if (!load(&d.library, &reason)) {
        return hoist_exchange_fail(reader->diag, HOIST_UNSUPPORTED, HOIST_RAW_013, 0,
                                   "libjpeg is needed to read this file: %s", reason);
    }
    const hoist_status status = decode(&d);
    hoist_library_close(d.library.handle);
    // Without a message the finding was reported where it was found.
    if (status == HOIST_INVALID && d.message[0]) {
        return hoist_exchange_fail(reader->diag, status, HOIST_RAW_011, 0,
                                   "the JPEG image cannot be read: %s", d.message);
    }
    return status;
}
#else
hoist_status hoist_jpeg_read(const hoist_image_reader *reader, hoist_array *out_image)
{
    (void)out_image;
    return hoist_exchange_fail(reader->diag, HOIST_UNSUPPORTED, HOIST_RAW_013, 0,
                               "libjpeg is needed to read this file: hoist was built without it");
}
#endif
