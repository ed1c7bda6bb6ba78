// The walk over the groups of a program, and the lists that it makes (darwinn reference section
// 16). In: the executables of a package; out: dwn_recovery. recover_group.c decodes the operations,
// recover_layers.h makes a layer of each group, recover_outputs.c gives the outputs of the model
// theirs; here what was not understood becomes gaps.
#include "formats/darwinn/recover.h"

#include "formats/darwinn/recover_layers.h"

// Setting out ------------------------------------------------------------------------------------

// Memory for what the walk makes of most programs: each group makes a layer at the most and a join
// before it; at the end each output of the model may need one more join. What makes more than that
// asks for space (dwn_reserve_layers()). False: out of memory.
static bool prepare(dwn_walk *w)
{
    const uint32_t groups = w->operations.group_count;
    w->input_count = w->executable->input_layers.count;
    const uint64_t most = (uint64_t)2 * groups; // each layer may read a join that is none
    const uint64_t layers = most + w->executable->output_layers.count;
    const uint64_t values = w->input_count + layers;
    w->layer_most = (uint32_t)layers;
    w->values = hoist_arena_array(w->scratch, (size_t)values, sizeof(*w->values));
    w->layers = hoist_arena_array(w->scratch, (size_t)layers, sizeof(*w->layers));
    w->made = hoist_arena_array(w->scratch, (size_t)layers, sizeof(*w->made));
    w->owners = hoist_arena_array(w->scratch, w->operations.count, sizeof(*w->owners));
    if (!w->values || !w->layers || !w->made || !w->owners) {
        return false;
    }
    for (uint32_t i = 0; i < w->operations.count; i++) { // of no layer so far
        w->owners[i] = DWN_NONE;
    }
    for (uint32_t i = 0; i < w->input_count; i++) {
        const dwn_layer *layer = &w->executable->input_layers.items[i];
        w->values[i] = (dwn_value){.extent = dwn_layer_extent(layer),
                                   .zero = dwn_layer_zero(layer),
                                   .source = DWN_MODEL_INPUT + i};
        w->zeros[w->values[i].zero]++; // as dwn_add_layer() counts them
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
    const dwn_extent extent = dwn_layer_extent(output);
    const dwn_value *value = &w->values[0];
    dwn_padded padded;
    const bool is_same = extent.h == value->extent.h && extent.w == value->extent.w &&
                         extent.c == value->extent.c && dwn_layer_zero(output) == value->zero &&
                         from && output->numerics &&
                         output->numerics->dequantization_factor == from->dequantization_factor;
    return is_same && dwn_padded_value(all, &all->groups[0], value, w->scratch, &padded) &&
                   padded.extent.h == extent.h && padded.extent.w == extent.w
               ? dwn_add_pad(w, &all->groups[0], &padded)
               : HOIST_OK;
}

// Sizes of the transfers of parameters to the program, which go through them in order. Those of
// nothing are left out: a file may have very many, and each block is looked for among them.
// Then what else the run of the scalar core says: drains, receipts, and what is unclear.
static hoist_status read_transfers(dwn_walk *w, const dwn_roles *roles)
{
    const dwn_image *const image = roles->main_image;
    dwn_program_run run;
    HOIST_TRY(dwn_program_execute(image->chunks, image->chunk_count, w->scratch, &run));
    uint32_t *sizes = hoist_arena_array(w->scratch, run.transfer_count, sizeof(*sizes));
    w->sent = hoist_arena_array(w->scratch, w->executable->output_layers.count, sizeof(*w->sent));
    if (!sizes || !w->sent) {
        return HOIST_NO_MEMORY;
    }
    uint64_t at = 0;
    for (size_t i = 0; i < run.transfer_count; i++) {
        const dwn_transfer *transfer = &run.transfers[i];
        if (transfer->is_known && transfer->tag == DWN_TAG_PARAMETER) {
            // Parameters are read from the first byte on, or the order of blocks is unknown.
            if (transfer->offset < 0 || (uint64_t)transfer->offset != at) {
                break;
            }
            at += transfer->size;
            sizes[w->sources.transfer_count] = transfer->size;
            w->sources.transfer_count += transfer->size > 0;
        }
    }
    w->sources.transfers = sizes;
    dwn_set_drains(w, &run);
    HOIST_TRY(dwn_set_receipts(w, &run));
    return w->is_undoubted ? HOIST_OK : dwn_list_unclear(w, roles, &run);
}

// The lists of the result ------------------------------------------------------------------------

// The operations of each layer, in one array that all share.
static bool list_words(dwn_walk *w)
{
    dwn_words *words = hoist_arena_array(w->arena, w->operations.count, sizeof(*words));
    uint32_t *starts = hoist_arena_array(w->scratch, (size_t)w->layer_count + 1, sizeof(*starts));
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
            w->layers[w->owners[i]].heuristics |=
                w->operations.items[i].has_spare ? 1u << DWN_GUESS_SPARE : 0;
        }
    }
    return true;
}

// Operations that move data are part of no layer and yet no gap.
static bool is_unknown(const dwn_walk *w, uint32_t operation)
{
    const uint32_t owner = w->owners[operation];
    return owner == DWN_NONE ? w->operations.items[operation].kind != DWN_KIND_MOVE
                             : w->layers[owner].kind == DWN_KIND_UNKNOWN;
}

// Without a layer recovery had stopped; operations of an unknown layer were passed over
// (GUESS_PASS).
static const char *reason_of(const dwn_walk *w, uint32_t operation)
{
    if (w->operations.items[operation].selection) {
        return "no layer was found that puts the numbers into this order";
    }
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
        // Operations of layers between them end a run.
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

// Instructions that are unclear whatever layers they are of.
static void list_unclear(const dwn_walk *w, dwn_gap *gaps, dwn_recovery *out)
{
    for (uint32_t i = 0; i < w->unclear_count; i++) {
        gaps[out->gap_count++] = w->unclear[i];
    }
    if (w->has_misfit) {
        gaps[out->gap_count++] =
            (dwn_gap){.reason = "what tiles send before the operation is not what others take",
                      .words = w->operations.items[w->misfit].at};
    }
}

// What is left behind the last block that was taken. Blocks are taken in order, so it is one range.
static void list_rest(const dwn_source *source, bool is_cached, dwn_gap *gaps, dwn_recovery *out)
{
    const uint64_t rest = source->bytes.size - source->at;
    if (rest > 0) {
        gaps[out->gap_count++] = (dwn_gap){.reason = "no layer was found that uses these bytes",
                                           .piece = {is_cached, source->at, rest}};
    }
}

// The bytes of parameters that layers have.
static void count_decoded(const dwn_walk *w, dwn_recovery *out)
{
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
}

// The lists of the walk, which are as long as they might have become, into the arena of the result.
static hoist_status keep(const dwn_walk *w, const dwn_gap *gaps, dwn_recovery *out)
{
    dwn_recovered *layers = hoist_arena_array(w->arena, w->layer_count, sizeof(*layers));
    dwn_gap *kept = hoist_arena_array(w->arena, out->gap_count, sizeof(*kept));
    if (!layers || !kept) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->layer_count; i++) {
        layers[i] = w->layers[i];
    }
    for (uint32_t i = 0; i < out->gap_count; i++) {
        kept[i] = gaps[i];
    }
    out->layers = layers;
    out->count = w->layer_count;
    out->gaps = kept;
    return HOIST_OK;
}

// Gaps are listed in this order: instructions, constants, unclear ones, parameters, outputs,
// doubts. `most` is what all of these together could need.
static hoist_status finish(dwn_walk *w, dwn_recovery *out)
{
    const uint32_t outputs = w->executable->output_layers.count;
    const size_t most = (size_t)2 * w->operations.count + 3 + outputs + w->unclear_count +
                        DWN_DOUBT_COUNT * ((size_t)w->layer_count + outputs);
    dwn_gap *gaps = hoist_arena_array(w->scratch, most, sizeof(*gaps));
    if (!gaps) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_make_outputs(w));
    if (!list_words(w)) {
        return HOIST_NO_MEMORY;
    }
    out->operations = w->operations.count;
    list_unknown(w, gaps, out);
    list_constants(w, gaps, out);
    list_unclear(w, gaps, out);
    list_rest(&w->sources.cached, true, gaps, out);
    list_rest(&w->sources.streamed, false, gaps, out);
    out->gap_count += dwn_list_outputs(w, gaps + out->gap_count);
    dwn_doubt_layers(w);
    out->gap_count += dwn_list_doubts(w, gaps + out->gap_count);
    count_decoded(w, out);
    return keep(w, gaps, out);
}

// Operations first, then what each gets and sends, then layer after layer until a group is not
// understood.
static hoist_status walk(dwn_walk *w, const dwn_roles *roles, dwn_recovery *out)
{
    const dwn_image *image = roles->main_image;
    HOIST_TRY(dwn_operations_of(image->chunks, image->chunk_count, w->scratch, &w->operations));
    HOIST_TRY(dwn_supply_operations(image, roles->caching_image, w->scratch, &w->operations));
    HOIST_TRY(read_transfers(w, roles));
    if (!prepare(w)) {
        return HOIST_NO_MEMORY;
    }
    w->stopped = w->input_count == 0 ? "the model has no input" : NULL;
    for (uint32_t i = 0; i < w->operations.group_count && !w->stopped;) {
        HOIST_TRY(dwn_take_group(w, i, &i));
    }
    HOIST_TRY(pass_on(w));
    return finish(w, out);
}

// What of a program is recovered, from most to least: the entry points of recover.h.
typedef enum extent { EVERYTHING, PLACES, PARAMETERS, LAYERS } extent;

// The memory of the walk ends with it: it may be several times the file, while a result may stay
// as long as its module, and a command may have two.
static hoist_status recover(const dwn_contents *contents, extent of, hoist_arena *arena,
                            dwn_recovery *out)
{
    *out = (dwn_recovery){0};
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_image *image = roles.main_image;
    if (!image) {
        return HOIST_UNSUPPORTED;
    }
    hoist_arena scratch;
    hoist_arena_init(&scratch, arena->alloc);
    scratch.has_large_pages = true; // of the memories of tiles; small ones took 30 to 45 % longer
    dwn_walk w = {.arena = arena,
                  .scratch = &scratch,
                  .executable = image->rows,
                  .is_brief = of != EVERYTHING,
                  .is_untraced = of == PARAMETERS,
                  .is_undoubted = of == PARAMETERS || of == LAYERS};
    w.sources.streamed.bytes = image->rows->parameters;
    w.sources.cached.bytes = dwn_parameters_of(contents, true);
    const hoist_status status = walk(&w, &roles, out);
    hoist_arena_deinit(&scratch);
    return status;
}

hoist_status dwn_recover(const dwn_contents *contents, hoist_arena *arena, dwn_recovery *out)
{
    return recover(contents, EVERYTHING, arena, out);
}

hoist_status dwn_recover_places(const dwn_contents *contents, hoist_arena *arena, dwn_recovery *out)
{
    return recover(contents, PLACES, arena, out);
}

hoist_status dwn_recover_layers(const dwn_contents *contents, hoist_arena *arena, dwn_recovery *out)
{
    return recover(contents, LAYERS, arena, out);
}

hoist_status dwn_recover_parameters(const dwn_contents *contents, hoist_arena *arena,
                                    dwn_recovery *out)
{
    return recover(contents, PARAMETERS, arena, out);
}
