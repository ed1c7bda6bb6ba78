// The summary of packages, as tree events: the package, which runtimes load it, memory on and off
// the chip, and the tensors of the main executable. info_executables.c sends instructions and
// steps, info_layers.c what was recovered.
#include "formats/darwinn/info.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/layer.h"

// Versions of the runtime and what is new in them (2.1, item 3).
static const struct {
    int32_t version;
    const char *news;
} runtimes[] = {
    {10, "the first public runtime"},
    {11, "batches in the chip"},
    {12, "int8 tensors on the host"},
    {13, "16-bit floats"},
    {14, "variable tensors; the last public runtime"},
};

// Negative numbers are unknown and sent as null.
static void send_bytes(hoist_tree_sink *sink, const char *key, int64_t bytes)
{
    hoist_tree_maybe_uint(sink, key, bytes >= 0, (uint64_t)bytes, HOIST_UNIT_BYTES);
}

// The versions of the runtime that load the package, and the reason of the others.
static void send_runtimes(const dwn_package *package, hoist_tree_sink *sink)
{
    char reason[64];
    (void)snprintf(reason, sizeof(reason), "version %" PRId32 " is required",
                   package->min_runtime_version);
    hoist_tree_list(sink, "runtimes");
    for (size_t i = 0; i < HOIST_COUNT_OF(runtimes); i++) {
        const bool loads = runtimes[i].version >= package->min_runtime_version;
        const bool bundle = package->virtual_chip_id == -1;
        hoist_tree_map(sink, "");
        hoist_tree_int(sink, "version", runtimes[i].version);
        hoist_tree_bool(sink, "loads", loads && !bundle);
        if (loads && !bundle) {
            hoist_tree_null(sink, "reason");
        } else {
            hoist_tree_c(sink, "reason", loads ? "bundles are refused" : reason);
        }
        hoist_tree_c(sink, "brings", runtimes[i].news);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// Fields of the executable that is run are shown with the package: others repeat them.
static void send_package(const dwn_contents *contents, hoist_tree_sink *sink)
{
    const dwn_package *const package = contents->rows;
    const dwn_image *const main = dwn_roles_of(contents).main_image;
    hoist_tree_map(sink, "package");
    hoist_tree_uint(sink, "size_bytes", contents->bytes.size, HOIST_UNIT_BYTES);
    hoist_tree_int(sink, "min_runtime_version", package->min_runtime_version);
    hoist_tree_str(sink, "compiler_version", package->compiler_version);
    hoist_tree_str(sink, "model_identifier", package->model_identifier);
    if (package->signature.size) {
        send_bytes(sink, "signature_bytes", (int64_t)package->signature.size);
    }
    if (main) {
        char token[24];
        (void)snprintf(token, sizeof(token), "%016" PRIx64, main->rows->parameter_caching_token);
        hoist_tree_str(sink, "chip", main->rows->chip);
        hoist_tree_int(sink, "batch_size", main->rows->batch_size);
        hoist_tree_c(sink, "parameter_caching_token", token);
    }
    hoist_tree_end(sink);
}

// On-chip and off-chip memory under the names that the compiler prints.
static void send_memory(const dwn_contents *contents, const dwn_executable *main,
                        hoist_tree_sink *sink)
{
    const size_t cached = dwn_parameters_of(contents, true).size;
    hoist_tree_map(sink, "memory");
    hoist_tree_uint(sink, "on_chip_cached_bytes", cached, HOIST_UNIT_BYTES);
    send_bytes(sink, "on_chip_left_at_most_bytes",
               cached < DWN_CHIP_PARAMETERS ? DWN_CHIP_PARAMETERS - (int64_t)cached : 0);
    hoist_tree_uint(sink, "off_chip_streamed_bytes", main->parameters.size, HOIST_UNIT_BYTES);
    send_bytes(sink, "scratch_bytes", main->scratch_size_bytes);
    send_bytes(sink, "narrow_memory_of_a_tile_bytes", main->used_narrow_memory_bytes_per_tile);
    hoist_tree_end(sink);
}

// One tensor of the border; programs also get the padded size.
static void send_layer(const dwn_layer *layer, const char *usage, hoist_tree_sink *sink)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", layer->name);
    hoist_tree_c(sink, "usage", usage);
    hoist_tree_maybe_c(sink, "dtype", type ? hoist_dtype_get(type->dtype)->name : NULL);
    hoist_tree_short_list(sink, "shape");
    if (layer->shape) {
        for (size_t i = 0; i < dwn_shape_rank(layer->shape); i++) {
            hoist_tree_int(sink, "", dwn_shape_extent(layer->shape, i));
        }
    } else {
        hoist_tree_int(sink, "", layer->y_dim);
        hoist_tree_int(sink, "", layer->x_dim);
        hoist_tree_int(sink, "", layer->z_dim);
    }
    hoist_tree_end(sink);
    if (layer->numerics) {
        hoist_tree_float(sink, "scale", (double)layer->numerics->dequantization_factor,
                         HOIST_UNIT_NONE);
        hoist_tree_int(sink, "zero_point", layer->numerics->zero_point);
    } else {
        hoist_tree_unknown(sink, "scale", HOIST_UNIT_NONE);
        hoist_tree_unknown(sink, "zero_point", HOIST_UNIT_NONE);
    }
    send_bytes(sink, "bytes", dwn_layer_actual(layer));
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    send_bytes(sink, "padded_bytes", dwn_layer_padded(layer));
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_end(sink);
}

// States are outputs that become an input of the next run.
static void send_tensors(const dwn_executable *main, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "tensors");
    for (uint32_t i = 0; i < main->input_layers.count; i++) {
        send_layer(&main->input_layers.items[i], "input", sink);
    }
    for (uint32_t i = 0; i < main->output_layers.count; i++) {
        const dwn_layer *const layer = &main->output_layers.items[i];
        send_layer(layer, dwn_layer_is_state(layer, main) ? "state" : "output", sink);
    }
    hoist_tree_end(sink);
}

static hoist_status send_contents(const dwn_contents *contents, hoist_allocator alloc,
                                  hoist_tree_sink *sink);

static hoist_status send_items(const dwn_contents *items, uint32_t count, const char *key,
                               hoist_allocator alloc, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, key);
    for (uint32_t i = 0; i < count; i++) {
        hoist_tree_map(sink, "");
        HOIST_TRY(items[i].rows ? send_contents(&items[i], alloc, sink) : HOIST_OK);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return sink->status;
}

// A package, whose rows were read, as members of the open map. Recursion ends after bundles, which
// are not nested.
static hoist_status send_contents(const dwn_contents *contents, hoist_allocator alloc,
                                  hoist_tree_sink *sink)
{
    send_package(contents, sink);
    send_runtimes(contents->rows, sink);
    if (contents->chips) {
        return send_items(contents->chips, contents->chip_count, "chips", alloc, sink);
    }
    const dwn_image *const main = dwn_roles_of(contents).main_image;
    if (main) {
        send_memory(contents, main->rows, sink);
        send_tensors(main->rows, sink);
    }
    dwn_send_executables(contents, sink);
    return dwn_send_recovered(contents, alloc, sink);
}

// A single package needs no list around it.
hoist_status dwn_info(const hoist_module *module, const hoist_check_options *options,
                      hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)options;
    (void)diag;
    const dwn_module *const m = dwn_of(module);
    if (m->package_count != 1) {
        return send_items(m->packages, m->package_count, "packages", m->base.alloc, sink);
    }
    return m->packages[0].rows ? send_contents(&m->packages[0], m->base.alloc, sink) : sink->status;
}
