// hoist run: an image as the array that an input takes: scaled to its extents, sample by sample as
// the file says (hoist_job_port_facts), and in its type. What was done is printed.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "run.h"

// Where the pixels are in the input's entry.
typedef struct pixels {
    int64_t height, width;
    uint32_t channels; // 1 or 3
    bool is_planar;    // all of a channel, then the next
} pixels;

// How a sample s of a channel, 0 to 255, becomes a number: (s - mean) / deviation; quantized that
// by the scale; else s + shift.
typedef struct conversion {
    hoist_port_facts facts;
    bool is_float;      // the input's type; else it is of bytes
    double shift;       // of integers without a normalization
    double least, most; // of the type
} conversion;

static bool is_channels(int64_t extent)
{
    return extent == 1 || extent == 3;
}

// One image of 1 or 3 channels, which are the last dimension or before the last two; or two
// dimensions of gray. All others are 1.
// NHWC is looked at first, which TFLite has: [1, 224, 224, 3]. [1, 3, 224, 224] is NCHW.
static bool find_pixels(const hoist_port *port, pixels *out_pixels)
{
    const uint32_t rank = port->rank;
    const int64_t *const shape = port->shape;
    const bool has_three = rank >= 3;
    if (rank < 2) {
        return false;
    }
    *out_pixels = (pixels){.height = shape[rank - 2], .width = shape[rank - 1], .channels = 1};
    // A width of 1 in this place would mean that the last dimension is a column, not channels.
    if (has_three && is_channels(shape[rank - 1]) && shape[rank - 2] > 1) {
        *out_pixels = (pixels){shape[rank - 3], shape[rank - 2], (uint32_t)shape[rank - 1], false};
    } else if (has_three && is_channels(shape[rank - 3])) {
        *out_pixels = (pixels){shape[rank - 2], shape[rank - 1], (uint32_t)shape[rank - 3], true};
    }
    // Holds only when all other dimensions are 1.
    return run_entry_elements(port) ==
           (uint64_t)(out_pixels->height * out_pixels->width * out_pixels->channels);
}

static bool find_conversion(const run *r, const hoist_port *port, conversion *out_conversion)
{
    const hoist_dtype_info *const type = hoist_dtype_get(port->host_dtype);
    const bool is_signed = type->kind == HOIST_CLASS_SIGNED;
    *out_conversion = (conversion){.facts = {.struct_size = sizeof(hoist_port_facts)},
                                   .is_float = type->kind == HOIST_CLASS_FLOAT,
                                   // int8 models of images take uint8 samples shifted by 128,
                                   // which is what quantization of 0 to 255 gives.
                                   .shift = is_signed ? -128 : 0,
                                   .least = is_signed ? -128 : 0,
                                   .most = is_signed ? 127 : 255};
    const hoist_status status =
        hoist_job_port_facts(r->file->job, port->name, &out_conversion->facts);
    const bool is_byte = port->host_dtype == HOIST_DTYPE_U8 || port->host_dtype == HOIST_DTYPE_I8;
    return status != HOIST_NO_MEMORY && (out_conversion->is_float || is_byte);
}

// Metadata of the file (normalization, quantization) decides; without it a float is s / 255 and
// an integer the sample itself.
static double convert(const conversion *c, uint32_t channel, uint8_t sample)
{
    const hoist_port_facts *const f = &c->facts;
    // One mean and deviation may stand for all channels.
    const uint32_t at = f->channels > 1 ? channel % f->channels : 0;
    const double value = f->channels ? (sample - f->mean[at]) / f->deviation[at] : sample / 255.0;
    if (c->is_float) {
        return value;
    }
    const bool is_scaled = f->channels && f->is_quantized && f->scale > 0;
    const double number =
        // rint(): to nearest, ties to even, as the default rounding mode has it.
        is_scaled ? rint(value / f->scale) + (double)f->zero_point : (double)sample + c->shift;
    return number < c->least ? c->least : number > c->most ? c->most : number;
}

// Red, green and blue as they are, or as gray by ITU-R BT.601.
static uint8_t sample_of(const uint8_t *rgb, uint32_t channels, uint32_t channel)
{
    // Weights in thousandths, rounded by the 500.
    return channels == 3 ? rgb[channel]
                         : (uint8_t)((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
}

// `image` has 3 bytes a pixel, row by row.
static void fill(const hoist_array *image, const pixels *p, const conversion *c, hoist_array *array)
{
    const size_t count = (size_t)(p->height * p->width);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < p->channels; k++) {
            const size_t at = p->is_planar ? k * count + i : i * p->channels + k;
            const double number =
                convert(c, k, sample_of(image->data.data + 3 * i, p->channels, k));
            if (c->is_float) {
                const float value = (float)number;
                memcpy(array->owned + at * sizeof(value), &value, sizeof(value));
            } else {
                array->owned[at] = (uint8_t)(int)number;
            }
        }
    }
}

// What is done to a sample.
static void write_conversion(const conversion *c, const hoist_port *port, hoist_buffer *out)
{
    const hoist_port_facts *const f = &c->facts;
    const char *const name = hoist_dtype_get(port->host_dtype)->name;
    if (f->channels) {
        hoist_buffer_c(out, "a sample s is (s - mean) / deviation with");
        for (uint32_t i = 0; i < f->channels; i++) {
            hoist_buffer_format(out, "%s %.6g / %.6g", i ? "," : "", f->mean[i], f->deviation[i]);
        }
        hoist_buffer_c(out, ", as the file says");
    } else if (c->is_float) {
        hoist_buffer_c(out, "a sample s is s / 255");
    } else {
        hoist_buffer_c(out, c->shift < 0 ? "a sample s is s - 128" : "a sample s is s");
    }
    hoist_buffer_format(out, ", in %s", name);
    if (!c->is_float && f->is_quantized) {
        hoist_buffer_format(out, " of scale %.9g and zero point %lld", f->scale,
                            (long long)f->zero_point);
    }
}

// On standard error, since it is about how the input was read: a wrong guess about an image
// changes results without any error.
static void report(const run *r, const run_input *input, const hoist_array *image, const pixels *p,
                   const conversion *c)
{
    hoist_buffer text;
    if (tool_given(r->t, OPT_QUIET)) {
        return;
    }
    hoist_buffer_init(&text, r->t->alloc);
    write_conversion(c, &input->port, &text);
    tool_complain(r->t, "%s: %lld x %lld pixels are scaled to %lld x %lld as %s for '%s': %.*s",
                  input->spec + 1, (long long)image->shape[1], (long long)image->shape[0],
                  (long long)p->width, (long long)p->height, p->channels == 3 ? "RGB" : "gray",
                  input->name, HOIST_STR_ARGS(hoist_buffer_text(&text)));
    hoist_buffer_deinit(&text);
}

static hoist_status make(run *r, const run_input *input, const hoist_array *image, const pixels *p,
                         const conversion *c, hoist_array *out_array)
{
    hoist_array scaled;
    const hoist_port *const port = &input->port;
    // Each axis is scaled on its own: the image is not cropped.
    HOIST_TRY(hoist_image_resize(image, p->height, p->width, r->t->deadline, r->t->alloc, &scaled));
    hoist_array array = {.dtype = c->is_float ? HOIST_DTYPE_F32 : port->host_dtype,
                         .rank = port->rank};
    const size_t size = (size_t)run_entry_elements(port) * hoist_array_element_size(array.dtype);
    memcpy(array.shape, port->shape, port->rank * sizeof(port->shape[0]));
    array.owned = hoist_alloc(r->t->alloc, size);
    array.data = (hoist_bytes){array.owned, array.owned ? size : 0};
    if (array.owned) {
        fill(&scaled, p, c, &array);
    }
    hoist_array_deinit(&scaled, r->t->alloc);
    *out_array = array;
    return array.owned ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status run_fit_image(run *r, const run_input *input, hoist_array *image)
{
    pixels p;
    conversion c;
    hoist_array array = {.dtype = HOIST_DTYPE_NONE};
    if (!find_pixels(&input->port, &p) || !find_conversion(r, &input->port, &c)) {
        tool_complain(r->t,
                      "%s is an image, and '%s' takes none: expected one of height x width x 1 or "
                      "3 channels, of floats or bytes",
                      input->spec + 1, input->name);
        return HOIST_INVALID;
    }
    const hoist_status status = make(r, input, image, &p, &c, &array);
    if (status == HOIST_OK) {
        report(r, input, image, &p, &c);
    }
    hoist_array_deinit(image, r->t->alloc);
    *image = array;
    return status;
}
