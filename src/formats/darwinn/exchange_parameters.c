// Other parameters in place of those that a package has (darwinn reference sections 9 and 13), for
// `hoist pack`: all bytes of a blob, or single arrays of layers by their names in `hoist recover`.
// In: the module and new arrays; out: a copy of the file's bytes, in which only parameters differ.
// Instructions stay, and with them the numbers that are no arrays: clamps, zero points, geometry.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover_block.h"
#include "formats/darwinn/recover_scales.h"
#include "formats/darwinn/rules.h"

// Arrays of a layer, as bits.
enum {
    ARRAY_WEIGHTS = 1,
    ARRAY_BIAS = 2,
    ARRAY_MULTIPLIERS = 4,
    ARRAY_ZEROS = 8,
};

typedef struct exchange {
    const dwn_module *module;
    const dwn_contents *contents; // the first package
    hoist_diag *diag;
    hoist_mut_bytes bytes; // copy of the module's
    hoist_arena arena;
    dwn_recovered *layers; // arena; with the arrays that were given; NULL: not recovered yet
    uint8_t *given;        // arena; by layer: which of its arrays were
    uint32_t count;
    bool is_signed; // weights and their zero points, as the user has them
} exchange;

// DWN_087 with the sentence; returns the status.
static hoist_status refuse(const exchange *x, hoist_status status, const char *format, ...)
    HOIST_PRINTF(3, 4);
static hoist_status refuse(const exchange *x, hoist_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(x->diag, &dwn_rule_table[DWN_087], hoist_loc_none(), format, args);
    va_end(args);
    return status;
}

// The same bytes in the copy.
static hoist_mut_bytes in_copy(const exchange *x, hoist_bytes bytes)
{
    return (hoist_mut_bytes){x->bytes.data + (bytes.data - x->module->bytes.data), bytes.size};
}

// All bytes of the cached or streamed parameters.
static hoist_status put_all(exchange *x, const hoist_new_parameters *item, bool is_cached)
{
    const hoist_bytes was = dwn_parameters_of(x->contents, is_cached);
    const char *const kind = is_cached ? "cached" : "streamed";
    if (!was.size) {
        return refuse(x, HOIST_NOT_FOUND, "the package has no %s parameters", kind);
    }
    if (was.size != item->bytes.size) {
        return refuse(x, HOIST_INVALID, "the %s parameters are %zu bytes, and are given %zu", kind,
                      was.size, item->bytes.size);
    }
    memcpy(in_copy(x, was).data, item->bytes.data, was.size);
    return HOIST_OK;
}

// Arrays -----------------------------------------------------------------------------------------

// Once, at the first array: recovery takes far longer than copying.
static hoist_status recover(exchange *x)
{
    dwn_recovery r;
    if (x->layers) {
        return HOIST_OK;
    }
    const hoist_status status = dwn_recover(x->contents, &x->arena, &r);
    if (status != HOIST_OK) {
        return status == HOIST_UNSUPPORTED
                   ? refuse(x, status, "the package has no executable that is run")
                   : status;
    }
    dwn_scales scales;
    HOIST_TRY(dwn_scales_of(&r, dwn_roles_of(x->contents).main_image->rows, &x->arena, &scales));
    x->is_signed = scales.is_signed;
    x->count = r.count;
    x->layers = hoist_arena_array(&x->arena, r.count, sizeof(x->layers[0]));
    x->given = hoist_arena_array(&x->arena, r.count, sizeof(x->given[0]));
    if (!x->layers || !x->given) {
        return HOIST_NO_MEMORY;
    }
    if (r.count) {
        memcpy(x->layers, r.layers, r.count * sizeof(x->layers[0]));
    }
    return HOIST_OK;
}

// The layer of "layers/3/weights", and "weights"; NULL: there is no such layer, or it has no
// weights.
static dwn_recovered *find_layer(exchange *x, const char *name, const char **out_what)
{
    static const char prefix[] = "layers/";
    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0) {
        return NULL;
    }
    const char *const digits = name + sizeof(prefix) - 1;
    char *end = NULL;
    const unsigned long long index =
        *digits >= '0' && *digits <= '9' ? strtoull(digits, &end, 10) : x->count;
    // `count` for what is no number.
    if (index >= x->count || *end != '/' || !x->layers[index].weights) {
        return NULL;
    }
    *out_what = end + 1;
    return &x->layers[index];
}

// Little-endian words of the file in this machine's order, whatever their type; NULL: out of
// memory.
static void *words_of(exchange *x, hoist_bytes bytes)
{
    uint8_t *const words =
        hoist_arena_array(&x->arena, bytes.size / sizeof(uint32_t), sizeof(uint32_t));
    for (size_t i = 0; words && i < bytes.size / sizeof(uint32_t); i++) {
        const uint32_t word = hoist_load_u32le(bytes.data + i * sizeof(word));
        memcpy(words + i * sizeof(word), &word, sizeof(word));
    }
    return words;
}

// Type and shape have to be those that `hoist recover` gives.
static bool is_of(const hoist_new_parameters *item, hoist_dtype dtype, uint32_t rank,
                  const int64_t *shape)
{
    bool same = item->dtype == dtype && item->rank == rank;
    for (uint32_t i = 0; same && i < rank; i++) {
        same = item->shape[i] == shape[i];
    }
    return same;
}

// Puts an array into the copy of the layer. HOIST_NOT_FOUND: the layer has no array of that name;
// HOIST_INVALID: another type, shape or size.
static hoist_status take_array(exchange *x, const hoist_new_parameters *item, const char *what,
                               dwn_recovered *layer)
{
    const hoist_dtype weight_type = x->is_signed ? HOIST_DTYPE_I8 : HOIST_DTYPE_U8;
    const hoist_str name = hoist_str_from(what);
    const bool is_weights = hoist_str_equal_c(name, "weights");
    const bool is_bias = hoist_str_equal_c(name, "bias") && layer->bias;
    const bool is_scale = hoist_str_equal_c(name, "multipliers") && layer->multipliers;
    const bool is_zero = hoist_str_equal_c(name, "weight_zero_points") && layer->weight_zeros;
    const hoist_dtype dtype = is_bias ? HOIST_DTYPE_I32 : is_scale ? HOIST_DTYPE_F32 : weight_type;
    if (!is_weights && !is_bias && !is_scale && !is_zero) {
        return HOIST_NOT_FOUND;
    }
    const bool has_words = is_bias || is_scale;
    int64_t shape[4] = {layer->rows};
    const uint32_t rank = is_weights ? dwn_weights_shape(layer, shape) : 1;
    const uint64_t count = is_weights ? layer->weight_count : layer->rows;
    if (!is_of(item, dtype, rank, shape) ||
        item->bytes.size != count * (has_words ? sizeof(uint32_t) : 1)) {
        return HOIST_INVALID;
    }
    void *const words = has_words ? words_of(x, item->bytes) : NULL;
    const uint8_t *const bytes =
        has_words ? NULL : dwn_weights_flipped(item->bytes, x->is_signed, &x->arena);
    if (!words && !bytes) {
        return HOIST_NO_MEMORY;
    }
    layer->weights = is_weights ? bytes : layer->weights;
    layer->weight_zeros = is_zero ? bytes : layer->weight_zeros;
    layer->bias = is_bias ? words : layer->bias;
    layer->multipliers = is_scale ? words : layer->multipliers;
    x->given[layer - x->layers] |= is_weights ? ARRAY_WEIGHTS
                                   : is_zero  ? ARRAY_ZEROS
                                   : is_bias  ? ARRAY_BIAS
                                              : ARRAY_MULTIPLIERS;
    return HOIST_OK;
}

// One array of `hoist recover`.
static hoist_status put_array(exchange *x, const hoist_new_parameters *item)
{
    const char *what = NULL;
    HOIST_TRY(recover(x));
    dwn_recovered *const layer = find_layer(x, item->name, &what);
    const hoist_status status = layer ? take_array(x, item, what, layer) : HOIST_NOT_FOUND;
    if (status == HOIST_NOT_FOUND) {
        return refuse(x, status, "no array is called '%s': hoist recover lists them", item->name);
    }
    return status == HOIST_INVALID
               ? refuse(x, status, "'%s' is of another type or shape than in the model", item->name)
               : status;
}

// Writes the arrays that were given into a block. The others keep the bytes of the block, be they
// of the file or of new parameters for the entire blob. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status write_block(exchange *x, uint32_t index, hoist_mut_bytes block)
{
    const dwn_recovered *const layer = &x->layers[index];
    const uint32_t given = x->given[index];
    dwn_recovered now = *layer;
    HOIST_TRY(dwn_block_read(&layer->block, (hoist_bytes){block.data, block.size},
                             layer->block_channels, &x->arena, &now));
    now.rows = layer->rows; // however many rows of the block are padding now
    now.weight_count = layer->weight_count;
    now.weights = given & ARRAY_WEIGHTS ? layer->weights : now.weights;
    now.bias = given & ARRAY_BIAS ? layer->bias : now.bias;
    now.multipliers = given & ARRAY_MULTIPLIERS ? layer->multipliers : now.multipliers;
    now.weight_zeros = given & ARRAY_ZEROS ? layer->weight_zeros : now.weight_zeros;
    dwn_block_write(&now, block);
    return HOIST_OK;
}

// The bytes of a block in the file; {NULL, 0}: its parameters are not in the package.
static hoist_bytes piece_of(const exchange *x, const dwn_piece *piece)
{
    const hoist_bytes all = dwn_parameters_of(x->contents, piece->is_cached);
    return all.data ? (hoist_bytes){all.data + piece->offset, (size_t)piece->size} : all;
}

// Writes a layer into all its blocks: tiles have copies, which have to be equal before.
static hoist_status write_layer(exchange *x, uint32_t index)
{
    const dwn_recovered *const layer = &x->layers[index];
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        const hoist_bytes first = piece_of(x, &layer->pieces[0]);
        const hoist_bytes block = piece_of(x, &layer->pieces[i]);
        if (!block.data || !first.data || block.size != first.size ||
            memcmp(block.data, first.data, block.size) != 0) {
            return refuse(x, HOIST_INVALID,
                          "layer %" PRIu32 " has blocks of parameters that differ", index);
        }
        HOIST_TRY(write_block(x, index, in_copy(x, block)));
    }
    return HOIST_OK;
}

// "cached" and "streamed" name a blob, "" the one that there is; all else is an array.
static hoist_status put(exchange *x, const hoist_new_parameters *item)
{
    const hoist_str name = hoist_str_from(item->name);
    const bool is_cached = hoist_str_equal_c(name, "cached") ||
                           (!name.size && dwn_parameters_of(x->contents, true).size);
    return is_cached || !name.size || hoist_str_equal_c(name, "streamed")
               ? put_all(x, item, is_cached)
               : put_array(x, item);
}

// All arrays are collected first: several may belong to one block.
hoist_status dwn_exchange(const hoist_module *module, const hoist_new_parameters *items,
                          size_t count, hoist_diag *diag, hoist_mut_bytes bytes)
{
    exchange x = {.module = dwn_of(module), .diag = diag, .bytes = bytes};
    x.contents = x.module->packages;
    hoist_arena_init(&x.arena, module->alloc);
    hoist_status status =
        x.module->package_count == 1
            ? HOIST_OK
            : refuse(&x, HOIST_UNSUPPORTED, "there are %" PRIu32 " packages, expected one",
                     x.module->package_count);
    for (size_t i = 0; status == HOIST_OK && i < count; i++) {
        status = put(&x, &items[i]);
    }
    for (uint32_t i = 0; status == HOIST_OK && i < x.count; i++) {
        status = x.given[i] ? write_layer(&x, i) : HOIST_OK;
    }
    hoist_arena_deinit(&x.arena);
    return status;
}
