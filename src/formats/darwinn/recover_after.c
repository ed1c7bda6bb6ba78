// Padding at the bottom and the right of a layer (darwinn reference section 16.4). In: a layer
// whose extents, window, stride and padding before the input are known (recover_doubts.c); out:
// what its windows read after the input, and how much more a source may have had.
//
// The compiler leaves out rows and columns that no window reads: tiles store the zero point up to
// the last one that is read. With a stride of s, up to s - 1 more make the same output; of a
// 1 x 1 window of stride 128, 127 more. TFLite's SAME and VALID have one number for them.
#include "formats/darwinn/recover_operation.h"

dwn_axis dwn_axis_of(const dwn_recovered *layer, size_t index)
{
    const uint32_t in[2] = {layer->input.h, layer->input.w};
    const uint32_t out[2] = {layer->output.h, layer->output.w};
    return (dwn_axis){.in = in[index],
                      .out = out[index],
                      .before = layer->padding[index],
                      .stride = layer->stride[index],
                      .reach = ((int64_t)layer->kernel[index] - 1) * layer->dilation[index] + 1};
}

// What the windows cover together, from the first row of padding on.
static int64_t covered_of(const dwn_axis *a)
{
    return (a->out - 1) * a->stride + a->reach;
}

bool dwn_axis_is_same(const dwn_axis *a)
{
    const int64_t total = covered_of(a) - a->in;
    return a->out == (a->in + a->stride - 1) / a->stride &&
           a->before == (total > 0 ? total / 2 : 0);
}

// Rows that windows read after the input; below 0: rows of the input that none reads.
static int64_t read_of(const dwn_axis *a)
{
    return covered_of(a) - a->in - a->before;
}

int64_t dwn_axis_after(const dwn_axis *a)
{
    const int64_t read = read_of(a);
    return read > 0 ? read : 0;
}

bool dwn_axis_has_windows(const dwn_axis *a)
{
    const int64_t read = read_of(a);
    return a->before < a->reach && read < a->reach && read > -a->stride;
}

static bool is_valid(const dwn_axis *a)
{
    const int64_t covered = covered_of(a);
    return a->before == 0 && covered <= a->in && a->in - covered < a->stride;
}

dwn_after dwn_padding_after(const dwn_recovered *layer)
{
    dwn_after after = {{0, 0}, {0, 0}};
    if (layer->kind != DWN_KIND_CONVOLUTION && layer->kind != DWN_KIND_DEPTHWISE) {
        return after;
    }
    const dwn_axis axes[2] = {dwn_axis_of(layer, 0), dwn_axis_of(layer, 1)};
    const bool is_own = (dwn_axis_is_same(&axes[0]) && dwn_axis_is_same(&axes[1])) ||
                        (is_valid(&axes[0]) && is_valid(&axes[1]));
    for (size_t i = 0; i < 2; i++) {
        const dwn_axis *a = &axes[i];
        const int64_t least = dwn_axis_after(a);
        const int64_t most = read_of(a) + a->stride - 1; // one more makes another window
        after.read[i] = (uint32_t)least;
        after.unread[i] = !is_own && most > least ? (uint32_t)(most - least) : 0;
    }
    return after;
}
