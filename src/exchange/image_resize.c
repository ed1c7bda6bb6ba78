// Images of other extents, by a triangle filter as wide as the step between the new pixels, and no
// narrower than two old ones: linear between pixels where an image grows, a mean weighted by
// distance where it shrinks. Pixels have their centres at 0.5, 1.5 and so on.
#include <math.h>

#include "hoist/exchange.h"

#include "base/alloc.h"

// The old pixels that make up one new one, along an axis: cut at the edges of the image, hence
// weights are divided by their sum.
typedef struct window {
    int64_t begin;
    int64_t end;
    double centre; // in old pixels
    double width;  // at which the weight is 0
} window;

static window window_of(int64_t index, int64_t from, int64_t to)
{
    // Old pixels per new one: above 1 the image shrinks.
    const double step = (double)from / (double)to;
    window w = {.centre = ((double)index + 0.5) * step, .width = step > 1 ? step : 1};
    // Pixel i has its centre at i + 0.5: the first within the width, and the one after the last.
    const double begin = floor(w.centre - w.width + 0.5);
    const double end = floor(w.centre + w.width + 0.5);
    w.begin = begin > 0 ? (int64_t)begin : 0;
    w.end = end < (double)from ? (int64_t)end : from;
    return w;
}

static double weight(const window *w, int64_t pixel)
{
    const double part = 1 - fabs((double)pixel + 0.5 - w->centre) / w->width;
    return part > 0 ? part : 0;
}

static double total(const window *w)
{
    double sum = 0;
    for (int64_t i = w->begin; i < w->end; i++) {
        sum += weight(w, i);
    }
    return sum;
}

// The lines of the window as one, `count` samples.
static void mix_lines(const uint8_t *pixels, size_t count, const window *w, double *out_line)
{
    // The weights of a window at the edge do not add up to the same as inside.
    const double sum = total(w);
    for (size_t i = 0; i < count; i++) {
        out_line[i] = 0;
    }
    for (int64_t y = w->begin; y < w->end; y++) {
        const uint8_t *const line = pixels + (size_t)y * count;
        const double share = weight(w, y) / sum;
        for (size_t i = 0; i < count; i++) {
            out_line[i] += share * line[i];
        }
    }
}

static void mix_pixels(const double *line, size_t channels, const window *w, uint8_t *out_pixel)
{
    const double sum = total(w);
    for (size_t c = 0; c < channels; c++) {
        double value = 0;
        for (int64_t x = w->begin; x < w->end; x++) {
            value += weight(w, x) / sum * line[(size_t)x * channels + c];
        }
        // Rounded to nearest; 255 by itself, since sums of rounded weights may be a little above
        // it.
        out_pixel[c] = (uint8_t)(value < 255 ? value + 0.5 : 255);
    }
}

// Separable: first all lines of a window become one, then the pixels of that line. A scratch line
// of doubles is all the memory that it takes.
static hoist_status resize(const hoist_array *image, double *line, hoist_deadline *deadline,
                           hoist_array *out_image)
{
    const int64_t height = out_image->shape[0];
    const int64_t width = out_image->shape[1];
    const size_t channels = (size_t)image->shape[2];
    const size_t samples = (size_t)image->shape[1] * channels;
    for (int64_t y = 0; y < height; y++) {
        const window rows = window_of(y, image->shape[0], height);
        uint8_t *const to = out_image->owned + (size_t)(y * width) * channels;
        HOIST_TRY(hoist_deadline_look(deadline));
        mix_lines(image->data.data, samples, &rows, line);
        for (int64_t x = 0; x < width; x++) {
            const window columns = window_of(x, image->shape[1], width);
            mix_pixels(line, channels, &columns, to + (size_t)x * channels);
        }
    }
    return HOIST_OK;
}

static bool is_image(const hoist_array *image)
{
    uint64_t size = 0;
    return image->dtype == HOIST_DTYPE_U8 && image->rank == 3 && image->shape[0] > 0 &&
           image->shape[1] > 0 && image->shape[2] > 0 && !hoist_array_size(image, &size) &&
           // A line of doubles can be counted in size_t.
           size == image->data.size && size <= SIZE_MAX / sizeof(double);
}

hoist_status hoist_image_resize(const hoist_array *image, int64_t height, int64_t width,
                                hoist_deadline *deadline, hoist_allocator alloc,
                                hoist_array *out_image)
{
    uint64_t size = 0;
    hoist_array made = {
        .dtype = HOIST_DTYPE_U8, .rank = 3, .shape = {height, width, image->shape[2]}};
    *out_image = (hoist_array){.dtype = HOIST_DTYPE_NONE};
    if (!is_image(image) || height < 1 || width < 1 || hoist_array_size(&made, &size) ||
        size > SIZE_MAX / 2) {
        return HOIST_INVALID;
    }
    const size_t samples = (size_t)(image->shape[1] * image->shape[2]);
    double *const line = hoist_alloc(alloc, samples * sizeof(*line));
    made.owned = hoist_alloc(alloc, (size_t)size);
    made.data = (hoist_bytes){made.owned, made.owned ? (size_t)size : 0};
    const hoist_status status =
        line && made.owned ? resize(image, line, deadline, &made) : HOIST_NO_MEMORY;
    // Free with the size it was taken with.
    hoist_free(alloc, line, line ? samples * sizeof(*line) : 0);
    if (status != HOIST_OK) {
        hoist_array_deinit(&made, alloc);
        return status;
    }
    *out_image = made;
    return HOIST_OK;
}
