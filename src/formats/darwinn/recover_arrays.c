// What `recover` gives of a module: the arrays of each layer, then the bytes and instructions that
// were not understood (darwinn reference section 16).
//
// Names are "layers/12/weights"; "packages/1/" goes before where there are several packages.
#include <string.h>

#include "base/arena.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover_scales.h"

typedef struct sender {
    const dwn_module *module;
    const dwn_contents *contents;
    uint32_t package;
    bool is_signed; // the model is one of int8
    hoist_arena arena;
    const hoist_recovery_sink *sink;
} sender;

// The name of an array, in the arena of the package; data NULL: out of memory.
static hoist_str name_of(sender *s, uint32_t layer, const char *what)
{
    return s->module->package_count > 1
               ? hoist_arena_format(&s->arena, "packages/%u/layers/%u/%s", s->package, layer, what)
               : hoist_arena_format(&s->arena, "layers/%u/%s", layer, what);
}

// Arrays -----------------------------------------------------------------------------------------

typedef struct array {
    const char *what;
    hoist_dtype dtype;
    uint32_t element_size;
    const void *values; // of this machine; NULL: there is none
    uint32_t rank;
    int64_t shape[4];
    uint64_t count;
} array;

// The values in little-endian order; data NULL: out of memory.
static hoist_bytes stored(sender *s, const array *a)
{
    if (a->element_size == 1) { // bytes have no order
        return (hoist_bytes){a->values, (size_t)a->count};
    }
    uint8_t *bytes = hoist_arena_array(&s->arena, (size_t)a->count, sizeof(uint32_t));
    for (uint64_t i = 0; bytes && i < a->count; i++) {
        uint32_t word = 0;
        memcpy(&word, (const uint8_t *)a->values + i * sizeof(word), sizeof(word));
        hoist_store_u32le(bytes + i * sizeof(word), word);
    }
    return (hoist_bytes){bytes, (size_t)a->count * sizeof(uint32_t)};
}

// An array that the layer does not have is left out. The offset is that of the layer's first block:
// all arrays of a layer are in it.
static hoist_status send_array(sender *s, const dwn_recovered *layer, uint32_t index,
                               const array *a)
{
    if (!a->values) {
        return HOIST_OK;
    }
    const hoist_str name = name_of(s, index, a->what);
    const hoist_bytes bytes = stored(s, a);
    if (!name.data || !bytes.data) {
        return HOIST_NO_MEMORY;
    }
    const dwn_piece *const piece = &layer->pieces[0]; // a layer with weights has a block
    const hoist_loc place = dwn_place_in_file(
        s->module, dwn_parameters_of(s->contents, piece->is_cached).data + piece->offset);
    const hoist_recovered recovered = {
        .names = &name,
        .name_count = 1,
        .dtype = a->dtype,
        .element_size = a->element_size,
        .rank = a->rank,
        .shape = a->shape,
        .bytes = bytes,
        .offset = place.offset,
        .dtype_from = a->dtype == HOIST_DTYPE_I8 ? "zero points of weights" : "instructions",
        .shape_from = "instructions"};
    return s->sink->array(s->sink->self, &recovered);
}

const uint8_t *dwn_weights_flipped(hoist_bytes bytes, bool is_signed, hoist_arena *arena)
{
    if (!is_signed) {
        return bytes.data;
    }
    uint8_t *const flipped = hoist_arena_alloc(arena, bytes.size);
    for (size_t i = 0; flipped && i < bytes.size; i++) {
        flipped[i] = bytes.data[i] ^ 0x80;
    }
    return flipped;
}

uint32_t dwn_weights_shape(const dwn_recovered *layer, int64_t out_shape[4])
{
    const bool is_dense = layer->kind == DWN_KIND_DENSE;
    out_shape[0] = layer->kind == DWN_KIND_DEPTHWISE ? 1 : layer->rows;
    out_shape[1] = is_dense ? (int64_t)(layer->weight_count / layer->rows) : layer->kernel[0];
    out_shape[2] = layer->kernel[1];
    out_shape[3] = layer->input.c;
    return is_dense ? 2 : 4;
}

// 8-bit models are of one kind as a whole.
static hoist_dtype type_of(const sender *s)
{
    return s->is_signed ? HOIST_DTYPE_I8 : HOIST_DTYPE_U8;
}

static array weights_of(sender *s, const dwn_recovered *layer)
{
    array a = {.what = "weights",
               .dtype = type_of(s),
               .element_size = 1,
               .values =
                   dwn_weights_flipped((hoist_bytes){layer->weights, (size_t)layer->weight_count},
                                       s->is_signed, &s->arena),
               .count = layer->weight_count};
    a.rank = dwn_weights_shape(layer, a.shape);
    return a;
}

// Of each row, or the one that all have.
static array zeros_of(sender *s, const dwn_recovered *layer)
{
    const uint32_t count = layer->weight_zeros ? layer->rows : 1;
    const uint8_t *zeros = layer->weight_zeros ? layer->weight_zeros : &layer->weight_zero;
    return (array){.what = "weight_zero_points",
                   .dtype = type_of(s),
                   .element_size = 1,
                   .values =
                       dwn_weights_flipped((hoist_bytes){zeros, count}, s->is_signed, &s->arena),
                   .rank = 1,
                   .shape = {count},
                   .count = count};
}

// Of each row, or the one that all have.
static array multipliers_of(const dwn_recovered *layer)
{
    const uint32_t count = layer->multipliers ? layer->rows : 1;
    return (array){.what = "multipliers",
                   .dtype = HOIST_DTYPE_F32,
                   .element_size = 4,
                   .values = layer->multipliers ? layer->multipliers : &layer->multiplier,
                   .rank = 1,
                   .shape = {count},
                   .count = count};
}

// Four arrays, the same for all layers with weights, so that programs need not ask.
static hoist_status send_layer(sender *s, const dwn_recovered *layer, uint32_t index)
{
    const uint32_t rows = layer->rows;
    if (!layer->weights) {
        return HOIST_OK;
    }
    const array arrays[] = {
        weights_of(s, layer),
        {"bias", HOIST_DTYPE_I32, 4, layer->bias, 1, {rows}, rows},
        multipliers_of(layer),
        zeros_of(s, layer),
    };
    if (!arrays[0].values || !arrays[3].values) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(arrays); i++) {
        HOIST_TRY(send_array(s, layer, index, &arrays[i]));
    }
    return HOIST_OK;
}

// Gaps -------------------------------------------------------------------------------------------

// A gap by its kind: an output, a layer in doubt, or a range of instructions or parameters.
static hoist_status send_gap(sender *s, const dwn_gap *gap)
{
    const bool is_code = gap->words.words > 0;
    if (!is_code && gap->piece.size == 0) {
        const dwn_executable *main = dwn_roles_of(s->contents).main_image->rows;
        const hoist_unrecovered lost = {.name = main->output_layers.items[gap->output].name,
                                        .loc = dwn_gap_place(s->module, s->contents, gap),
                                        .reason = hoist_str_from(gap->reason)};
        return s->sink->missing(s->sink->self, &lost);
    }
    if (gap->has_layer) {
        const hoist_unrecovered doubt = {.name =
                                             hoist_arena_format(&s->arena, "layers/%u", gap->layer),
                                         .loc = dwn_gap_place(s->module, s->contents, gap),
                                         .reason = hoist_str_from(gap->reason)};
        return doubt.name.data ? s->sink->missing(s->sink->self, &doubt) : HOIST_NO_MEMORY;
    }
    const uint64_t size = is_code ? (uint64_t)gap->words.words * DWN_WORD_SIZE : gap->piece.size;
    const hoist_unrecovered missing = {
        .name = is_code ? HOIST_STR("instructions") : HOIST_STR("parameters"),
        .loc = dwn_gap_place(s->module, s->contents, gap),
        .reason =
            hoist_arena_format(&s->arena, "%llu bytes: %s", (unsigned long long)size, gap->reason)};
    return missing.reason.data ? s->sink->missing(s->sink->self, &missing) : HOIST_NO_MEMORY;
}

// A package that cannot be run is one that is missing, no error.
static hoist_status send_package(sender *s)
{
    dwn_recovery r;
    const hoist_status status = dwn_recover(s->contents, &s->arena, &r);
    if (status == HOIST_UNSUPPORTED) {
        const hoist_unrecovered missing = {
            .name = HOIST_STR("package"),
            .loc = dwn_place_in_file(s->module, s->contents->bytes.data),
            .reason = HOIST_STR("the package has no executable that is run")};
        return s->sink->missing(s->sink->self, &missing);
    }
    HOIST_TRY(status);
    dwn_scales scales;
    const dwn_executable *main = dwn_roles_of(s->contents).main_image->rows;
    HOIST_TRY(dwn_scales_of(&r, main, &s->arena, &scales));
    s->is_signed = scales.is_signed;
    for (uint32_t i = 0; i < r.count; i++) {
        HOIST_TRY(send_layer(s, &r.layers[i], i));
    }
    for (uint32_t i = 0; i < r.gap_count; i++) {
        HOIST_TRY(send_gap(s, &r.gaps[i]));
    }
    return HOIST_OK;
}

// Packages are independent; each has an arena that ends with it.
hoist_status dwn_recover_module(const hoist_module *module, const hoist_recovery_sink *sink)
{
    const dwn_module *const m = dwn_of(module);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < m->package_count && status == HOIST_OK; i++) {
        sender s = {.module = m, .contents = &m->packages[i], .package = i, .sink = sink};
        hoist_arena_init(&s.arena, module->alloc);
        status = send_package(&s);
        hoist_arena_deinit(&s.arena);
    }
    return status;
}
