// Recovered layers in the summary: what the compiler put on the chip, and how much work it is.
#include "base/arena.h"
#include "base/checked.h"
#include "base/tree.h"
#include "formats/darwinn/info.h"
#include "formats/darwinn/recover_scales.h"
#include "formats/darwinn/recover_send.h"

// Products of weights and pixels: each weight is used once for each pixel of the output.
bool dwn_layer_macs(const dwn_recovered *layer, uint64_t *out_macs)
{
    uint64_t macs = 0;
    const uint64_t pixels = (uint64_t)layer->output.h * layer->output.w;
    const bool is_known =
        dwn_kind_has_products(layer->kind) && !hoist_ckd_mul(&macs, layer->weight_count, pixels);
    *out_macs = is_known ? macs : 0;
    return is_known;
}

// Bytes of blocks, which tiles may have several copies of.
static uint64_t bytes_of(const dwn_recovered *layer)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        bytes += layer->pieces[i].size;
    }
    return bytes;
}

// What layers of a kind, or all, come to.
typedef struct work {
    uint64_t layers;
    uint64_t macs; // saturates
    uint64_t bytes;
} work;

static void add_work(work *sum, const dwn_recovered *layer)
{
    uint64_t macs = 0;
    (void)dwn_layer_macs(layer, &macs);
    sum->layers++;
    sum->bytes += bytes_of(layer);
    if (hoist_ckd_add(&sum->macs, sum->macs, macs)) {
        sum->macs = UINT64_MAX;
    }
}

static void send_work(const work *sum, hoist_tree_sink *sink)
{
    hoist_tree_uint(sink, "layers", sum->layers, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "parameter_bytes", sum->bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "multiply_accumulates", sum->macs, HOIST_UNIT_NONE);
}

static void send_summary(const dwn_recovery *r, const dwn_scales *scales, hoist_tree_sink *sink)
{
    work sum = {.layers = 0};
    for (uint32_t i = 0; i < r->count; i++) {
        add_work(&sum, &r->layers[i]);
    }
    hoist_tree_map(sink, "recovered");
    send_work(&sum, sink);
    hoist_tree_c(sink, "element_type", scales->is_signed ? "int8" : "uint8");
    hoist_tree_bool(sink, "complete", r->gap_count == 0);
    hoist_tree_uint(sink, "gaps", r->gap_count, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

// The compiler's table of operators: what is done on the chip, by kind.
static void send_kinds(const dwn_recovery *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "on_chip");
    for (int kind = 0; kind < DWN_KIND_COUNT; kind++) {
        work sum = {.layers = 0};
        for (uint32_t i = 0; i < r->count; i++) {
            if (r->layers[i].kind == (dwn_layer_kind)kind) {
                add_work(&sum, &r->layers[i]);
            }
        }
        if (sum.layers > 0) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "kind", dwn_layer_kind_name((dwn_layer_kind)kind));
            send_work(&sum, sink);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// One row for each layer; an unknown scale is shown as such.
static void send_layer(const dwn_recovered *layer, uint32_t number, const dwn_layer_scales *scales,
                       hoist_tree_sink *sink)
{
    uint64_t macs = 0;
    hoist_tree_map(sink, "");
    hoist_tree_uint(sink, "layer", number, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "kind", dwn_layer_kind_name(layer->kind));
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    dwn_extent_send("input", layer->input, sink);
    sink->audience = HOIST_TREE_FOR_ALL;
    dwn_extent_send("output", layer->output, sink);
    hoist_tree_maybe_float(sink, "scale", scales->source != DWN_SCALE_NONE, (double)scales->scale,
                           HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "zero_point", layer->output_zero, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "parameter_bytes", bytes_of(layer), HOIST_UNIT_BYTES);
    if (dwn_layer_macs(layer, &macs)) {
        hoist_tree_uint(sink, "multiply_accumulates", macs, HOIST_UNIT_NONE);
    } else {
        hoist_tree_unknown(sink, "multiply_accumulates", HOIST_UNIT_NONE);
    }
    hoist_tree_end(sink);
}

// Without a program there is no section; programs beyond the limits have none either.
static hoist_status send_recovery(const dwn_contents *contents, hoist_arena *arena,
                                  hoist_tree_sink *sink)
{
    dwn_recovery r;
    dwn_scales scales;
    const hoist_status status = dwn_recover(contents, arena, &r);
    if (status == HOIST_UNSUPPORTED || status == HOIST_LIMIT) {
        return HOIST_OK; // no program, or one that is too large to be looked through
    }
    HOIST_TRY(status);
    HOIST_TRY(dwn_scales_of(&r, dwn_roles_of(contents).main_image->rows, arena, &scales));
    send_summary(&r, &scales, sink);
    send_kinds(&r, sink);
    hoist_tree_list(sink, "layers");
    for (uint32_t i = 0; i < r.count; i++) {
        send_layer(&r.layers[i], i, &scales.layers[i], sink);
    }
    hoist_tree_end(sink);
    return sink->status;
}

hoist_status dwn_send_recovered(const dwn_contents *contents, hoist_allocator alloc,
                                hoist_tree_sink *sink)
{
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = send_recovery(contents, &arena, sink);
    hoist_arena_deinit(&arena);
    return status;
}
