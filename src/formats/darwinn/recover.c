// The walk over the groups of a program, and the lists that it makes (darwinn reference section
// 16). In: the executables of a package; out: dwn_recovery. recover_group.c decodes the operations,
// recover_layers.c makes a layer of each group; here the outputs of the model get their layers, and
// what was not understood becomes gaps.
#include "formats/darwinn/recover.h"

#include "formats/darwinn/recover_numbers.h"
#include "formats/darwinn/recover_work.h"

// Setting out ------------------------------------------------------------------------------------

static uint32_t extent_of(int32_t dim)
{
    return dim < 1 ? 1 : dim > DWN_MAX_EXTENT ? DWN_MAX_EXTENT : (uint32_t)dim;
}

static uint8_t zero_of(const dwn_layer *layer)
{
    return layer->numerics ? (uint8_t)layer->numerics->zero_point : 0;
}

static dwn_extent layer_extent(const dwn_layer *layer)
{
    return (dwn_extent){extent_of(layer->y_dim), extent_of(layer->x_dim), extent_of(layer->z_dim)};
}

static bool prepare(dwn_walk *w)
{
    const uint32_t groups = w->operations.group_count;
    w->input_count = w->executable->input_layers.count;
    const uint64_t most = (uint64_t)2 * groups; // each layer may read a join that is none
    const uint64_t values = w->input_count + most;
    const uint64_t layers = most + w->executable->output_layers.count;
    w->values = hoist_arena_array(w->arena, (size_t)values, sizeof(*w->values));
    w->layers = hoist_arena_array(w->arena, (size_t)layers, sizeof(*w->layers));
    w->made = hoist_arena_array(w->arena, (size_t)layers, sizeof(*w->made));
    w->owners = hoist_arena_array(w->arena, w->operations.count, sizeof(*w->owners));
    if (!w->values || !w->layers || !w->made || !w->owners) {
        return false;
    }
    for (uint32_t i = 0; i < w->operations.count; i++) {
        w->owners[i] = DWN_NONE;
    }
    for (uint32_t i = 0; i < w->input_count; i++) {
        const dwn_layer *layer = &w->executable->input_layers.items[i];
        w->values[i] = (dwn_value){
            .extent = layer_extent(layer), .zero = zero_of(layer), .source = DWN_MODEL_INPUT + i};
        w->zeros[w->values[i].zero]++;
    }
    return true;
}

// A program that moves its input to its output and does nothing else: a PAD of nothing.
static hoist_status pass_on(dwn_walk *w)
{
    const dwn_operations *all = &w->operations;
    const dwn_executable *executable = w->executable;
    if (w->layer_count > 0 || w->input_count != 1 || executable->output_layers.count != 1 ||
        all->group_count != 1 || all->groups[0].count != all->count || !w->has_layout) {
        return HOIST_OK;
    }
    const dwn_layer *output = &executable->output_layers.items[0];
    const dwn_numerics *from = executable->input_layers.items[0].numerics;
    const dwn_extent extent = layer_extent(output);
    const dwn_value *value = &w->values[0];
    dwn_padded padded;
    const bool is_same = extent.h == value->extent.h && extent.w == value->extent.w &&
                         extent.c == value->extent.c && zero_of(output) == value->zero && from &&
                         output->numerics &&
                         output->numerics->dequantization_factor == from->dequantization_factor;
    return is_same && dwn_padded_value(all, &all->groups[0], value, w->arena, &padded) &&
                   padded.extent.h == extent.h && padded.extent.w == extent.w
               ? dwn_add_pad(w, &all->groups[0], &padded)
               : HOIST_OK;
}

// Sizes of the transfers of parameters to the program, which go through them in order. Those of
// nothing are left out: a file may have very many, and each block is looked for among them.
static hoist_status read_transfers(dwn_walk *w, const dwn_image *image)
{
    const dwn_scalar_options options = {.mode = DWN_SCALAR_FALL_THROUGH};
    dwn_program_run run;
    HOIST_TRY(dwn_program_execute(image->chunks, image->chunk_count, &options, w->arena, &run));
    uint32_t *sizes = hoist_arena_array(w->arena, run.transfer_count, sizeof(*sizes));
    if (!sizes) {
        return HOIST_NO_MEMORY;
    }
    uint64_t at = 0;
    for (size_t i = 0; i < run.transfer_count; i++) {
        const dwn_transfer *transfer = &run.transfers[i];
        if (transfer->is_known && transfer->tag == DWN_TAG_PARAMETER) {
            if (transfer->offset < 0 || (uint64_t)transfer->offset != at) {
                break;
            }
            at += transfer->size;
            sizes[w->sources.transfer_count] = transfer->size;
            w->sources.transfer_count += transfer->size > 0;
        }
    }
    w->sources.transfers = sizes;
    return HOIST_OK;
}

// Outputs of the model ---------------------------------------------------------------------------

// Notes of each layer whether another reads it.
static void note_readers(dwn_walk *w)
{
    for (uint32_t i = 0; i < w->layer_count; i++) {
        for (uint32_t k = 0; k < w->layers[i].input_count; k++) {
            const uint32_t input = w->layers[i].inputs[k];
            if (!(input & DWN_MODEL_INPUT)) {
                w->made[input].has_reader = true;
            }
        }
    }
}

static bool makes(const dwn_recovered *layer, const dwn_layer *expected)
{
    const dwn_extent extent = layer_extent(expected);
    return layer->kind != DWN_KIND_UNKNOWN && layer->output_zero == zero_of(expected) &&
           layer->output.h == extent.h && layer->output.w == extent.w &&
           layer->output.c == extent.c;
}

// Whether the clamps are those of the output's scale, to the last bit.
static bool has_clamps_of(const dwn_recovered *layer, const dwn_layer *expected)
{
    const dwn_clamps found = {layer->low, layer->high};
    const float scale = expected->numerics ? expected->numerics->dequantization_factor : 0;
    const dwn_activation activation = dwn_activation_of(found, layer->output_zero);
    const dwn_clamps clamps = dwn_clamps_of(activation, scale, layer->output_zero);
    return activation != DWN_ACTIVATION_OTHER && clamps.low == found.low &&
           clamps.high == found.high;
}

// The layer that makes it, by extents and zero point: the only such one, or of several the only one
// with its scale, or that no layer reads. False: there is none, or nothing says which.
typedef struct makers { // of an output
    dwn_recovered *any, *of_scale, *unread;
    uint32_t count, of_scale_count, unread_count;
} makers;

static dwn_recovered *find_maker(const dwn_walk *w, const dwn_layer *expected, const char **out_why)
{
    enum { MOST = 1 << 22 }; // that are looked at for all outputs; bounds time
    makers m = {.count = 0};
    if (w->layer_count > MOST / w->executable->output_layers.count) {
        *out_why = "too many layers may make one of the outputs";
        return NULL;
    }
    for (uint32_t i = 0; i < w->layer_count; i++) {
        const uint32_t index = w->layer_count - 1 - i;
        dwn_recovered *const layer = &w->layers[index];
        if (makes(layer, expected)) {
            const bool is_of_scale = has_clamps_of(layer, expected);
            const bool is_unread = !w->made[index].has_reader;
            m.any = layer;
            m.count++;
            m.of_scale = is_of_scale ? layer : m.of_scale;
            m.of_scale_count += is_of_scale;
            m.unread = is_unread ? layer : m.unread;
            m.unread_count += is_unread;
        }
    }
    *out_why = m.count == 0 ? "no layer makes the output" : "several layers may make the output";
    return m.count == 1            ? m.any
           : m.of_scale_count == 1 ? m.of_scale
           : m.unread_count == 1   ? m.unread
                                   : NULL;
}

// False: nothing is known to make it, or what makes another.
static bool set_maker(dwn_walk *w, uint32_t output, const char **out_why)
{
    dwn_recovered *maker = find_maker(w, &w->executable->output_layers.items[output], out_why);
    if (!maker) {
        return false;
    }
    if (maker->output_layer != DWN_NONE) {
        *out_why = "the layer that may make the output makes another";
        return false;
    }
    maker->output_layer = output;
    maker->heuristics |= 1u << DWN_GUESS_OUTPUT;
    return true;
}

// Whether a layer may be a part of an output: all of it but the number of channels.
static bool is_part(const dwn_walk *w, uint32_t index, const dwn_layer *expected)
{
    const dwn_recovered *layer = &w->layers[index];
    const dwn_extent extent = layer_extent(expected);
    return layer->output_layer == DWN_NONE && layer->kind != DWN_KIND_UNKNOWN &&
           layer->output_zero == zero_of(expected) && layer->output.h == extent.h &&
           layer->output.w == extent.w && !w->made[index].has_reader;
}

// The neighbours in the list whose channels add up to those of an output; their number, 0: none.
static uint32_t find_parts(const dwn_walk *w, const dwn_layer *expected, uint32_t *out_first)
{
    const uint32_t channels = layer_extent(expected).c;
    const uint32_t least = w->layer_count > DWN_LOOK_BACK ? w->layer_count - DWN_LOOK_BACK : 0;
    uint32_t count = 0;
    uint64_t sum = 0;
    for (uint32_t i = w->layer_count; i > least && sum < channels; i--) {
        const bool fits = is_part(w, i - 1, expected);
        count = fits ? count + 1 : 0;
        sum = fits ? sum + w->layers[i - 1].output.c : 0;
        *out_first = i - 1;
    }
    return sum == channels && count > 1 ? count : 0;
}

// Channels lie in the order of their addresses, whatever is computed first.
static void order_parts(const dwn_walk *w, uint32_t *parts, uint32_t count)
{
    const dwn_value *values = w->values + w->input_count;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t part = parts[i];
        uint32_t at = i;
        for (; at > 0 && values[parts[at - 1]].base > values[part].base; at--) {
            parts[at] = parts[at - 1];
        }
        parts[at] = part;
    }
}

// The last layers that none reads and that may make it together, which becomes a layer of the list.
static hoist_status join_parts(dwn_walk *w, uint32_t output, bool *out_found)
{
    const dwn_layer *expected = &w->executable->output_layers.items[output];
    uint32_t first = 0;
    const uint32_t count = find_parts(w, expected, &first);
    *out_found = count > 0;
    if (count == 0) {
        return HOIST_OK;
    }
    uint32_t *inputs = hoist_arena_array(w->arena, count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] = first + i;
        w->made[first + i].has_reader = true;
    }
    order_parts(w, inputs, count);
    w->made[w->layer_count] = (dwn_made){0};
    w->layers[w->layer_count++] = (dwn_recovered){.kind = DWN_KIND_CONCATENATION,
                                                  .heuristics = 1u << DWN_GUESS_PARTS,
                                                  .inputs = inputs,
                                                  .input_count = count,
                                                  .output_layer = output,
                                                  .input = layer_extent(expected),
                                                  .output = layer_extent(expected),
                                                  .kernel = {1, 1},
                                                  .stride = {1, 1},
                                                  .dilation = {1, 1},
                                                  .multiplier = 1,
                                                  .low = w->layers[first].low,
                                                  .high = w->layers[first].high,
                                                  .input_zero = zero_of(expected),
                                                  .output_zero = zero_of(expected)};
    return HOIST_OK;
}

// The lists of the result ------------------------------------------------------------------------

// The operations of each layer, in one array that all share.
static bool list_words(dwn_walk *w)
{
    dwn_words *words = hoist_arena_array(w->arena, w->operations.count, sizeof(*words));
    uint32_t *starts = hoist_arena_array(w->arena, (size_t)w->layer_count + 1, sizeof(*starts));
    if (!words || !starts) {
        return false;
    }
    for (uint32_t i = 0; i < w->operations.count; i++) {
        if (w->owners[i] != DWN_NONE) {
            w->layers[w->owners[i]].word_count++;
        }
    }
    for (uint32_t i = 0; i < w->layer_count; i++) {
        starts[i + 1] = starts[i] + w->layers[i].word_count;
        w->layers[i].words = words + starts[i];
    }
    for (uint32_t i = 0; i < w->operations.count; i++) {
        if (w->owners[i] != DWN_NONE) {
            words[starts[w->owners[i]]++] = w->operations.items[i].at;
        }
    }
    return true;
}

static bool is_unknown(const dwn_walk *w, uint32_t operation)
{
    const uint32_t owner = w->owners[operation];
    return owner == DWN_NONE ? w->operations.items[operation].kind != DWN_KIND_MOVE
                             : w->layers[owner].kind == DWN_KIND_UNKNOWN;
}

static const char *reason_of(const dwn_walk *w, uint32_t operation)
{
    return w->owners[operation] == DWN_NONE ? w->stopped : "the kind of the operation is unknown";
}

// Runs of operations that are not understood.
static void list_unknown(const dwn_walk *w, dwn_gap *gaps, dwn_recovery *out)
{
    bool goes_on = false;
    for (uint32_t i = 0; i < w->operations.count; i++) {
        const dwn_operation *op = &w->operations.items[i];
        out->moves += w->owners[i] == DWN_NONE && op->kind == DWN_KIND_MOVE;
        if (w->owners[i] == DWN_NONE && op->kind == DWN_KIND_MOVE) {
            continue;
        }
        if (!is_unknown(w, i)) {
            goes_on = false;
            continue;
        }
        out->unknown++;
        dwn_gap *last = goes_on ? &gaps[out->gap_count - 1] : NULL;
        if (last && last->words.chunk == op->at.chunk && last->reason == reason_of(w, i)) {
            last->words.words = op->at.word + op->at.words - last->words.word;
        } else {
            gaps[out->gap_count++] = (dwn_gap){.reason = reason_of(w, i), .words = op->at};
        }
        goes_on = true;
    }
}

// Sums of products that begin with more than a bias (16.1).
static void list_constants(const dwn_walk *w, dwn_gap *gaps, dwn_recovery *out)
{
    for (uint32_t i = 0; i < w->operations.count; i++) {
        const dwn_operation *op = &w->operations.items[i];
        if (op->constant != 0 && w->owners[i] != DWN_NONE &&
            dwn_kind_has_products(w->layers[w->owners[i]].kind)) {
            gaps[out->gap_count++] =
                (dwn_gap){.reason = "sums of products begin with a constant", .words = op->at};
        }
    }
}

static void list_rest(const dwn_source *source, bool is_cached, dwn_gap *gaps, dwn_recovery *out)
{
    const uint64_t rest = source->bytes.size - source->at;
    if (rest > 0) {
        gaps[out->gap_count++] = (dwn_gap){.reason = "no layer that was recovered has them",
                                           .piece = {is_cached, source->at, rest}};
    }
}

// The layers that make the outputs of the model, and gaps of those that none makes.
static hoist_status make_outputs(dwn_walk *w, dwn_gap *gaps, dwn_recovery *out)
{
    const uint32_t outputs = w->executable->output_layers.count;
    const char **whys = hoist_arena_array(w->arena, outputs, sizeof(*whys));
    if (!whys) {
        return HOIST_NO_MEMORY;
    }
    note_readers(w);
    for (uint32_t i = 0; i < outputs; i++) {
        bool is_made = set_maker(w, i, &whys[i]);
        if (!is_made) {
            HOIST_TRY(join_parts(w, i, &is_made));
        }
        whys[i] = is_made ? NULL : whys[i];
    }
    HOIST_TRY(dwn_join_outputs(w, whys));
    for (uint32_t i = 0; i < outputs; i++) {
        if (whys[i]) {
            gaps[out->gap_count++] = (dwn_gap){.reason = whys[i], .output = i};
        }
    }
    return HOIST_OK;
}

static hoist_status finish(dwn_walk *w, dwn_recovery *out)
{
    const uint32_t outputs = w->executable->output_layers.count;
    const size_t most = (size_t)2 * w->operations.count + 2 + outputs +
                        DWN_DOUBT_COUNT * ((size_t)w->layer_count + outputs);
    dwn_gap *gaps = hoist_arena_array(w->arena, most, sizeof(*gaps));
    if (!gaps || !list_words(w)) {
        return HOIST_NO_MEMORY;
    }
    out->gaps = gaps;
    out->operations = w->operations.count;
    list_unknown(w, gaps, out);
    list_constants(w, gaps, out);
    list_rest(&w->sources.cached, true, gaps, out);
    list_rest(&w->sources.streamed, false, gaps, out);
    HOIST_TRY(make_outputs(w, gaps, out));
    dwn_doubt_layers(w);
    out->gap_count += dwn_list_doubts(w, gaps + out->gap_count);
    out->layers = w->layers;
    out->count = w->layer_count;
    out->cached_size = w->sources.cached.bytes.size;
    out->streamed_size = w->sources.streamed.bytes.size;
    for (uint32_t i = 0; i < w->layer_count; i++) {
        for (uint32_t k = 0; k < w->layers[i].piece_count; k++) {
            const dwn_piece *piece = &w->layers[i].pieces[k];
            const bool counts = w->layers[i].kind != DWN_KIND_UNKNOWN;
            out->cached_decoded += counts && piece->is_cached ? piece->size : 0;
            out->streamed_decoded += counts && !piece->is_cached ? piece->size : 0;
        }
    }
    return HOIST_OK;
}

static hoist_status recover(const dwn_contents *contents, bool is_brief, hoist_arena *arena,
                            dwn_recovery *out)
{
    *out = (dwn_recovery){0};
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_image *image = roles.main_image;
    if (!image) {
        return HOIST_UNSUPPORTED;
    }
    dwn_walk w = {.arena = arena, .executable = image->rows, .is_brief = is_brief};
    w.sources.streamed.bytes = image->rows->parameters;
    w.sources.cached.bytes = dwn_parameters_of(contents, true);
    HOIST_TRY(dwn_operations_of(image->chunks, image->chunk_count, arena, &w.operations));
    HOIST_TRY(dwn_supply_operations(image, roles.caching_image, arena, &w.operations));
    HOIST_TRY(read_transfers(&w, image));
    if (!prepare(&w)) {
        return HOIST_NO_MEMORY;
    }
    w.stopped = w.input_count == 0 ? "the model has no input" : NULL;
    for (uint32_t i = 0; i < w.operations.group_count && !w.stopped;) {
        HOIST_TRY(dwn_take_group(&w, i, &i));
    }
    HOIST_TRY(pass_on(&w));
    return finish(&w, out);
}

hoist_status dwn_recover(const dwn_contents *contents, hoist_arena *arena, dwn_recovery *out)
{
    return recover(contents, false, arena, out);
}

hoist_status dwn_recover_places(const dwn_contents *contents, hoist_arena *arena, dwn_recovery *out)
{
    return recover(contents, true, arena, out);
}
