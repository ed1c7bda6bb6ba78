// What `hoist graph` draws of packages: the layers that were recovered of the program, with what
// they make and where their parameters are, the tensors at the border, and the memory of chip and
// host.
#include "base/order.h"
#include "base/picture.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/info.h"
#include "formats/darwinn/layer.h"

enum { TILE_ROWS = 4, TILE_COLUMNS = 4 };

// One package while its graph is sent.
typedef struct package_sender {
    hoist_picture *picture;
    const dwn_contents *contents;
    const dwn_image *image; // of `main`
    const dwn_executable *main;
    hoist_str name;
    size_t first_input; // its node
    size_t first_output;
} package_sender;

// Layers ------------------------------------------------------------------------------------------

static void send_extents(hoist_picture *p, const int64_t *extents, size_t rank)
{
    int64_t *const copy = hoist_arena_array(&p->arena, rank, sizeof(*copy));
    p->failed = p->failed || !copy;
    for (size_t i = 0; copy && i < rank; i++) {
        copy[i] = extents[i];
    }
    hoist_picture_list(p, "shape", copy, rank, HOIST_PICTURE_COLUMN);
}

static bool is_before_word(const void *instruction, const void *word)
{
    return ((const dwn_instruction *)instruction)->word < *(const uint32_t *)word;
}

// Tiles of the instruction at `word`, as layers name their words; 0: none begins there.
static uint16_t tiles_at(const dwn_stream *stream, uint32_t word)
{
    const size_t begin = hoist_order_first(stream->instructions, stream->count,
                                           sizeof *stream->instructions, is_before_word, &word);
    const bool is_there = begin < stream->count && stream->instructions[begin].word == word;
    return is_there ? stream->instructions[begin].tiles : 0;
}

// The tiles that carry out a layer: the union of those of its instructions.
static uint16_t tiles_of(const dwn_image *image, const dwn_recovered *layer)
{
    uint16_t tiles = 0;
    for (uint32_t i = 0; i < layer->word_count; i++) {
        const dwn_words *const words = &layer->words[i];
        tiles |= tiles_at(&image->chunks[words->chunk].stream, words->word);
    }
    return tiles;
}

// Parameters by where they are: kept on the chip, or sent in every run.
static void send_layer(const package_sender *s, const dwn_recovered *layer)
{
    hoist_picture *const p = s->picture;
    const dwn_extent out = layer->output;
    const int64_t extents[] = {out.h, out.w, out.c};
    const hoist_picture_node node = {.kind = HOIST_PICTURE_LAYER,
                                     .name = hoist_str_from(dwn_layer_kind_name(layer->kind)),
                                     .tiles = tiles_of(s->image, layer)};
    uint64_t bytes[2] = {0, 0}; // streamed and cached
    uint64_t macs = 0;
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        bytes[layer->pieces[i].is_cached] += layer->pieces[i].size;
    }
    (void)hoist_picture_add_node(p, &node);
    send_extents(p, extents, HOIST_COUNT_OF(extents));
    hoist_picture_bytes(p, "size_bytes", (uint64_t)out.h * out.w * out.c, HOIST_PICTURE_EXTRA);
    hoist_picture_bytes(p, "cached_bytes", bytes[1], HOIST_PICTURE_COLUMN);
    hoist_picture_bytes(p, "streamed_bytes", bytes[0], HOIST_PICTURE_COLUMN);
    if (dwn_layer_macs(layer, &macs)) {
        hoist_picture_uint(p, "multiply_accumulates", macs, HOIST_PICTURE_HIDDEN);
    } else {
        hoist_picture_null(p, "multiply_accumulates", HOIST_PICTURE_HIDDEN);
    }
}

// Layers are nodes 0 to count - 1, then inputs, then outputs: edges use these numbers.
static void send_layer_edges(const package_sender *s, const dwn_recovered *layer, size_t number)
{
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t from = layer->inputs[i];
        const bool is_border = from >= DWN_MODEL_INPUT;
        const hoist_picture_edge edge = {
            .kind = HOIST_PICTURE_READS,
            .from = is_border ? s->first_input + (from - DWN_MODEL_INPUT) : from,
            .to = number,
            .number = i};
        if (!is_border || from - DWN_MODEL_INPUT < s->main->input_layers.count) {
            hoist_picture_add_edge(s->picture, &edge);
        }
    }
    if (layer->output_layer < s->main->output_layers.count) {
        hoist_picture_connect(s->picture, HOIST_PICTURE_WRITES, number,
                              s->first_output + layer->output_layer);
    }
}

// Tensors -----------------------------------------------------------------------------------------

// Border tensors, as the executable declares them.
static void send_tensor(hoist_picture *p, const dwn_layer *layer, const char *usage)
{
    const hoist_picture_node node = {.kind = HOIST_PICTURE_TENSOR, .name = layer->name};
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const int64_t bytes = dwn_layer_actual(layer);
    (void)hoist_picture_add_node(p, &node);
    hoist_picture_str(p, "usage", hoist_str_from(usage), HOIST_PICTURE_HIDDEN);
    hoist_picture_str(
        p, "type", type ? hoist_str_from(hoist_dtype_get(type->dtype)->name) : (hoist_str){NULL, 0},
        HOIST_PICTURE_HIDDEN);
    if (layer->shape) {
        const size_t rank = dwn_shape_rank(layer->shape);
        int64_t *const extents = hoist_arena_array(&p->arena, rank, sizeof(*extents));
        p->failed = p->failed || !extents;
        for (size_t i = 0; extents && i < rank; i++) {
            extents[i] = dwn_shape_extent(layer->shape, i);
        }
        hoist_picture_list(p, "shape", extents, rank, HOIST_PICTURE_COLUMN);
    } else {
        const int64_t extents[] = {layer->y_dim, layer->x_dim, layer->z_dim};
        send_extents(p, extents, HOIST_COUNT_OF(extents));
    }
    if (bytes < 0) {
        hoist_picture_null(p, "size_bytes", HOIST_PICTURE_EXTRA);
    } else {
        hoist_picture_bytes(p, "size_bytes", (uint64_t)bytes, HOIST_PICTURE_EXTRA);
    }
}

// Memory ------------------------------------------------------------------------------------------

// One area with its uses; a capacity of 0 is unknown.
static void send_area(const package_sender *s, const char *name, const hoist_picture_use *uses,
                      size_t count, uint64_t capacity)
{
    const hoist_picture_memory memory = {.name = name,
                                         .graph = s->name,
                                         .graph_index = s->picture->graph_count - 1,
                                         .uses = uses,
                                         .use_count = count,
                                         .capacity = capacity};
    hoist_picture_add_memory(s->picture, &memory);
}

static uint64_t tensor_bytes(const dwn_layer *layers, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t bytes = dwn_layer_padded(&layers[i]);
        sum += bytes > 0 ? (uint64_t)bytes : 0;
    }
    return sum;
}

// Cached parameters are on the chip, all else on the host.
static hoist_status send_memory(const package_sender *s)
{
    enum { CACHED, STREAMED, SCRATCH, INSTRUCTIONS, TENSORS, USES };
    const dwn_executable *const main = s->main;
    hoist_picture_use *const uses = hoist_arena_array(&s->picture->arena, USES, sizeof(*uses));
    if (!uses) {
        return HOIST_NO_MEMORY;
    }
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < main->instruction_bitstreams.count; i++) {
        instructions += main->instruction_bitstreams.items[i].bitstream.size;
    }
    const uint64_t scratch = main->scratch_size_bytes > 0 ? (uint64_t)main->scratch_size_bytes : 0;
    uses[CACHED] =
        (hoist_picture_use){"cached_bytes", "cached", dwn_parameters_of(s->contents, true).size};
    uses[STREAMED] = (hoist_picture_use){"streamed_bytes", "streamed", main->parameters.size};
    uses[SCRATCH] = (hoist_picture_use){"scratch_bytes", "scratch", scratch};
    uses[INSTRUCTIONS] = (hoist_picture_use){"instruction_bytes", "instructions", instructions};
    uses[TENSORS] =
        (hoist_picture_use){"tensor_bytes", "tensors",
                            tensor_bytes(main->input_layers.items, main->input_layers.count) +
                                tensor_bytes(main->output_layers.items, main->output_layers.count)};
    send_area(s, "edgetpu", uses, STREAMED, DWN_CHIP_PARAMETERS);
    send_area(s, "host", &uses[STREAMED], USES - STREAMED, 0);
    return hoist_picture_status(s->picture);
}

// Packages ----------------------------------------------------------------------------------------

// The graph of a package with a program; `r` is empty where layers cannot be recovered: then only
// the border is drawn.
static hoist_status send_graph(package_sender *s, const dwn_recovery *r)
{
    hoist_picture *const p = s->picture;
    const hoist_picture_graph graph = {.title = "package",
                                       .name = s->name,
                                       .tile_rows = TILE_ROWS,
                                       .tile_columns = TILE_COLUMNS,
                                       .is_list = true};
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_str(p, "target", s->main->chip, HOIST_PICTURE_NAMED);
    hoist_picture_uint(p, "layer_count", r->count, HOIST_PICTURE_COUNT);
    hoist_picture_uint(p, "gap_count", r->gap_count, HOIST_PICTURE_SOME);
    for (uint32_t i = 0; i < r->count; i++) {
        send_layer(s, &r->layers[i]);
    }
    const dwn_executable *const main = s->main;
    s->first_input = r->count;
    s->first_output = r->count + main->input_layers.count;
    for (uint32_t i = 0; i < main->input_layers.count; i++) {
        send_tensor(s->picture, &main->input_layers.items[i], "input");
    }
    for (uint32_t i = 0; i < main->output_layers.count; i++) {
        const dwn_layer *const layer = &main->output_layers.items[i];
        send_tensor(s->picture, layer, dwn_layer_is_state(layer, main) ? "state" : "output");
    }
    for (uint32_t i = 0; i < r->count; i++) {
        send_layer_edges(s, &r->layers[i], i);
    }
    HOIST_TRY(hoist_picture_status(p));
    hoist_picture_end_graph(p);
    return send_memory(s);
}

// dwn_recover_places() is enough: scales and arrays are not drawn.
static hoist_status send_package(hoist_picture *p, const dwn_contents *contents, hoist_str name)
{
    const dwn_image *const main = dwn_roles_of(contents).main_image;
    dwn_recovery r = {.count = 0};
    hoist_arena arena;
    if (!main) {
        return HOIST_OK;
    }
    hoist_arena_init(&arena, p->arena.alloc);
    hoist_status status = dwn_recover_places(contents, &arena, &r);
    if (status == HOIST_UNSUPPORTED || status == HOIST_LIMIT) {
        r = (dwn_recovery){.count = 0}; // no program, or one that is too large to be looked through
        status = HOIST_OK;
    }
    package_sender s = {
        .picture = p, .contents = contents, .image = main, .main = main->rows, .name = name};
    if (status == HOIST_OK) {
        status = send_graph(&s, &r);
    }
    hoist_arena_deinit(&arena);
    return status;
}

// Packages of a list below `path`, and those of bundles among them.
static hoist_status send_items(hoist_picture *p, const dwn_contents *items, uint32_t count,
                               const char *what, hoist_str path)
{
    for (uint32_t i = 0; i < count; i++) {
        const hoist_str name = hoist_arena_format(&p->arena, "%.*s%s%s/%u", HOIST_STR_ARGS(path),
                                                  path.size ? "/" : "", what, i);
        if (!name.data) {
            return HOIST_NO_MEMORY;
        }
        HOIST_TRY(items[i].chips ? send_items(p, items[i].chips, items[i].chip_count, "chips", name)
                                 : send_package(p, &items[i], name));
    }
    return HOIST_OK;
}

hoist_status dwn_picture(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_picture *picture)
{
    (void)options;
    (void)diag;
    const dwn_module *const m = dwn_of(module);
    if (m->payload && m->package_count == 1 && !m->packages->chips) {
        return send_package(picture, m->packages, m->payload->path);
    }
    return send_items(picture, m->packages, m->package_count, "packages",
                      m->payload ? m->payload->path : HOIST_STR(""));
}
