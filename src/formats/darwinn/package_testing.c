#include "formats/darwinn/package_testing.h"

#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/layers_testing.h"

enum { MAX_LINKS = 32, MAX_HINTS = 32, TOKEN = 0x1234 };

// An executable in the making.
typedef struct maker {
    hoist_test *t;
    const dwn_plan *plan;
    dwn_executable *e;
    dwn_maker *stream;      // of the chunk at hand
    dwn_bitstream *chunk;   // at hand
    dwn_stored_hint *hints; // MAX_HINTS of them
} maker;

static void *take(hoist_test *t, size_t count, size_t size)
{
    void *const made = hoist_arena_array(&t->arena, count, size);
    HOIST_ASSERT(made);
    return made;
}

// Vectors ----------------------------------------------------------------------------------------

static hoist_bytes ints(hoist_test *t, const int32_t *items, size_t count)
{
    uint8_t *const bytes = take(t, count, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + 4 * i, (uint32_t)items[i]);
    }
    return (hoist_bytes){bytes, count * sizeof(*items)};
}

// A shape from 0 on, or of `start` where it is not NULL.
static dwn_tensor_shape *shape_of(hoist_test *t, const int32_t *start, const int32_t *extent,
                                  size_t rank)
{
    dwn_tensor_shape *const shape = take(t, 1, sizeof(*shape));
    int32_t ranges[8];
    for (size_t i = 0; i < rank; i++) {
        ranges[2 * i] = start ? start[i] : 0;
        ranges[2 * i + 1] = ranges[2 * i] + extent[i] - 1;
    }
    shape->dimension = ints(t, ranges, 2 * rank);
    return shape;
}

// Layers -----------------------------------------------------------------------------------------

// The example of the schema: 4 x 5 x 32 on 2 x 2 tiles.
static dwn_output_layout *grid_layout(hoist_test *t)
{
    static const int32_t y_tile[] = {0, 0, 2, 2};
    static const int32_t x_tile[] = {0, 0, 0, 1, 1};
    static const int32_t tiles[] = {0, 192, 320, 512};
    static const int32_t x_offset[] = {0, 32, 64, 0, 32};
    static const int32_t y_local[] = {0, 1, 0, 1};
    static const int32_t x_row[] = {96, 96, 96, 64, 64};
    dwn_output_layout *const layout = take(t, 1, sizeof(*layout));
    layout->y_coordinate_to_linear_tile_id_map = ints(t, y_tile, 4);
    layout->x_coordinate_to_linear_tile_id_map = ints(t, x_tile, 5);
    layout->linearized_tile_byte_offset = ints(t, tiles, 4);
    layout->x_coordinate_to_local_byte_offset = ints(t, x_offset, 5);
    layout->y_coordinate_to_local_y_offset = ints(t, y_local, 4);
    layout->x_coordinate_to_local_y_row_size = ints(t, x_row, 5);
    return layout;
}

// The same four tiles as slices.
static dwn_shape_info *grid_slices(hoist_test *t)
{
    static const struct {
        int32_t start[4];
        int32_t extent[4];
        int32_t stride[4];
    } rows[] = {
        {{0, 0, 0, 0}, {1, 2, 3, 32}, {192, 96, 32, 1}},
        {{0, 0, 3, 0}, {1, 2, 2, 32}, {128, 64, 32, 1}},
        {{0, 2, 0, 0}, {1, 2, 3, 32}, {192, 96, 32, 1}},
        {{0, 2, 3, 0}, {1, 2, 2, 32}, {128, 64, 32, 1}},
    };
    static const int32_t offsets[] = {0, 192, 320, 512};
    dwn_shape_info *const info = take(t, 1, sizeof(*info));
    info->slice_layout.items = take(t, HOIST_COUNT_OF(rows), sizeof(dwn_tensor_layout));
    info->slice_layout.count = HOIST_COUNT_OF(rows);
    info->slice_offset = ints(t, offsets, HOIST_COUNT_OF(offsets));
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        info->slice_layout.items[i].shape = shape_of(t, rows[i].start, rows[i].extent, 4);
        info->slice_layout.items[i].stride = ints(t, rows[i].stride, 4);
    }
    return info;
}

typedef struct layer_row {
    const char *name;
    int32_t extent[3]; // y, x, z
    int32_t size;
    int16_t type;
    int32_t zero;
} layer_row;

static const layer_row image = {"image", {4, 5, 3}, 64, DWN_FIXED_POINT8, 127};
static const layer_row grid = {"grid", {4, 5, 32}, 640, DWN_FIXED_POINT8, 0};
static const layer_row scores = {"scores", {1, 1, 10}, 16, DWN_SIGNED_FIXED_POINT8, 130};

static void fill_layer(maker *m, dwn_layer *layer, const layer_row *row)
{
    const int32_t executions = m->plan->executions ? m->plan->executions : 1;
    const int32_t extent[] = {1, row->extent[0], row->extent[1], row->extent[2]};
    dwn_numerics *const numerics = take(m->t, 1, sizeof(*numerics));
    *numerics = (dwn_numerics){.zero_point = row->zero, .dequantization_factor = 0.5F};
    *layer = (dwn_layer){.name = hoist_str_from(row->name),
                         .size_bytes = row->size,
                         .y_dim = row->extent[0],
                         .x_dim = row->extent[1],
                         .z_dim = row->extent[2],
                         .numerics = numerics,
                         .data_type = row->type,
                         .execution_count_per_inference = executions,
                         .shape = shape_of(m->t, NULL, extent, 4)};
}

static void fill_output(maker *m, dwn_layer *layer, const layer_row *row)
{
    dwn_output_layer *const output = take(m->t, 1, sizeof(*output));
    fill_layer(m, layer, row);
    layer->any_layer = (hoist_fb_union){.type = DWN_LAYER_OUTPUT, .value = output};
    if (row == &grid && m->plan->slices) {
        output->shape_info = grid_slices(m->t);
    } else if (row == &grid) {
        output->layout = grid_layout(m->t);
    }
}

static void add_layers(maker *m)
{
    dwn_executable *const e = m->e;
    e->input_layers.items = take(m->t, 1, sizeof(dwn_layer));
    e->output_layers.items = take(m->t, 2, sizeof(dwn_layer));
    if (m->plan->type == DWN_PARAMETER_CACHING) {
        return;
    }
    e->input_layers.count = 1;
    e->output_layers.count = 2;
    fill_layer(m, &e->input_layers.items[0], &image);
    e->input_layers.items[0].any_layer =
        (hoist_fb_union){.type = DWN_LAYER_INPUT, .value = take(m->t, 1, sizeof(dwn_input_layer))};
    fill_output(m, &e->output_layers.items[0], &grid);
    fill_output(m, &e->output_layers.items[1], &scores);
}

// Instructions and hints -------------------------------------------------------------------------

static void add_hint(maker *m, uint8_t kind, void *value, int16_t direction)
{
    dwn_hints *const stored = m->e->dma_hints;
    HOIST_ASSERT(stored->hints.count < MAX_HINTS);
    stored->hints.items[stored->hints.count++] =
        (dwn_stored_hint){.any_hint = {.type = kind, .value = value}, .direction = direction};
}

static void begin_chunk(maker *m)
{
    const uint16_t next_id = m->stream ? m->stream->next_id : 0;
    dwn_instruction_hint *const hint = take(m->t, 1, sizeof(*hint));
    hint->instruction_chunk_index = (int32_t)m->e->instruction_bitstreams.count;
    m->stream = take(m->t, 1, sizeof(*m->stream));
    m->stream->next_id = next_id;
    dwn_make_begin(m->stream);
    m->chunk = &m->e->instruction_bitstreams.items[m->e->instruction_bitstreams.count++];
    m->chunk->field_offsets.items = take(m->t, MAX_LINKS, sizeof(dwn_field_offset));
    add_hint(m, DWN_HINT_INSTRUCTION, hint, DWN_INFEED);
}

static void end_chunk(maker *m, bool has_successor)
{
    m->chunk->bitstream = dwn_make_end(m->stream, has_successor);
}

static void add_link(maker *m, uint8_t to, dwn_meta meta)
{
    HOIST_ASSERT(m->chunk->field_offsets.count < MAX_LINKS);
    dwn_meta *const copy = take(m->t, 1, sizeof(*copy));
    *copy = meta;
    m->chunk->field_offsets.items[m->chunk->field_offsets.count++] =
        (dwn_field_offset){.meta = copy, .offset_bit = dwn_make_movi(m->stream, to, 0)};
}

// Sends a whole buffer: the descriptor, and the hint for it.
static void add_transfer(maker *m, dwn_meta meta, int32_t size, uint32_t tag)
{
    dwn_dma_hint *const hint = take(m->t, 1, sizeof(*hint));
    dwn_meta *const copy = take(m->t, 1, sizeof(*copy));
    *copy = meta;
    *hint = (dwn_dma_hint){.meta = copy, .size_in_bytes = size};
    meta.position = DWN_POSITION_LOW;
    add_link(m, 10, meta);
    meta.position = DWN_POSITION_HIGH;
    add_link(m, 11, meta);
    (void)dwn_make_movi(m->stream, 12, (uint32_t)size);
    (void)dwn_make_movi(m->stream, 13, tag);
    dwn_make_send(m->stream);
    add_hint(m, DWN_HINT_DMA, hint, tag == DWN_TAG_OUTPUT ? DWN_OUTFEED : DWN_INFEED);
}

static void add_interrupt(maker *m)
{
    for (uint8_t i = 10; i < 13; i++) {
        (void)dwn_make_movi(m->stream, i, 0);
    }
    (void)dwn_make_movi(m->stream, 13, DWN_TAG_INTERRUPT);
    dwn_make_send(m->stream);
    add_hint(m, DWN_HINT_INTERRUPT, take(m->t, 1, sizeof(dwn_interrupt_hint)), DWN_INFEED);
}

static void add_layer_transfers(maker *m, dwn_desc desc, const dwn_layer *layers, uint32_t count)
{
    const bool is_output = desc == DWN_DESC_OUTPUT;
    for (int32_t b = 0; b < m->e->batch_size; b++) {
        for (uint32_t i = 0; i < count; i++) {
            add_transfer(m, (dwn_meta){.desc = (int16_t)desc, .batch = b, .name = layers[i].name},
                         layers[i].size_bytes * layers[i].execution_count_per_inference,
                         is_output ? DWN_TAG_OUTPUT : DWN_TAG_INPUT);
        }
    }
}

static void add_program(maker *m)
{
    const dwn_meta parameters = {.desc = DWN_DESC_PARAMETER, .name = HOIST_STR("")};
    const dwn_meta scratch = {.desc = DWN_DESC_SCRATCH, .name = HOIST_STR("")};
    dwn_executable *const e = m->e;
    begin_chunk(m);
    (void)dwn_make_add(m->stream, DWN_OP_FENCE);
    if (e->parameters.size) {
        add_transfer(m, parameters, (int32_t)e->parameters.size, DWN_TAG_PARAMETER);
    }
    add_layer_transfers(m, DWN_DESC_INPUT, e->input_layers.items, e->input_layers.count);
    if (m->plan->scratch) {
        add_transfer(m, scratch, DWN_DRAFT_SCRATCH, DWN_TAG_OUTPUT);
    }
    if (m->plan->two_chunks) {
        end_chunk(m, true);
        begin_chunk(m);
    }
    if (m->plan->scratch) {
        add_hint(m, DWN_HINT_FENCE, take(m->t, 1, sizeof(dwn_fence_hint)), DWN_INFEED);
        add_transfer(m, scratch, DWN_DRAFT_SCRATCH, DWN_TAG_INPUT);
    }
    if (m->plan->operations) {
        m->plan->operations(m->stream);
    } else {
        (void)dwn_make_add(m->stream, DWN_OP_TENSOR);
    }
    add_layer_transfers(m, DWN_DESC_OUTPUT, e->output_layers.items, e->output_layers.count);
    add_interrupt(m);
    end_chunk(m, false);
}

dwn_executable *dwn_draft_executable(hoist_test *t, const dwn_plan *plan)
{
    dwn_executable *const e = take(t, 1, sizeof(*e));
    *e = (dwn_executable){.name = HOIST_STR("model"),
                          .batch_size = plan->batch ? plan->batch : 1,
                          .scratch_size_bytes = plan->scratch ? DWN_DRAFT_SCRATCH : 0,
                          .chip = HOIST_STR("beagle"),
                          .type = plan->type,
                          .parameter_caching_token = plan->token};
    uint8_t *const parameters = take(t, plan->parameters, 1);
    if (plan->parameters == DWN_TEST_BLOB) {
        dwn_test_fill_blob(parameters);
    }
    e->parameters = (hoist_bytes){parameters, plan->parameters};
    e->dma_hints = take(t, 1, sizeof(*e->dma_hints));
    e->dma_hints->hints.items = take(t, MAX_HINTS, sizeof(dwn_stored_hint));
    e->dma_hints->fully_deterministic = true;
    e->instruction_bitstreams.items = take(t, 2, sizeof(dwn_bitstream));
    maker m = {.t = t, .plan = plan, .e = e};
    add_layers(&m);
    add_program(&m);
    return e;
}

// Packages ---------------------------------------------------------------------------------------

static const dwn_plan plans[DWN_KINDS][DWN_DRAFT_IMAGES + 1] = {
    // clang-format off
    [DWN_PAIR] = {{.type = DWN_EXECUTION_ONLY, .token = TOKEN, .parameters = 64},
                  {.type = DWN_PARAMETER_CACHING, .token = TOKEN, .parameters = 128}},
    [DWN_PLAIN] = {{.type = DWN_STAND_ALONE}},
    [DWN_ALONE] = {{.type = DWN_STAND_ALONE, .parameters = 64, .batch = 2, .scratch = true,
                    .two_chunks = true}},
    [DWN_SLICES] = {{.type = DWN_STAND_ALONE, .slices = true}},
    [DWN_REPEATED] = {{.type = DWN_STAND_ALONE, .executions = 2}},
    [DWN_TRIPLE] = {{.type = DWN_EXECUTION_ONLY, .token = TOKEN},
                    {.type = DWN_PARAMETER_CACHING, .token = TOKEN, .parameters = 128},
                    {.type = DWN_STAND_ALONE, .token = TOKEN, .parameters = 128}},
    [DWN_LAYERS] = {{.type = DWN_EXECUTION_ONLY, .token = TOKEN, .operations = dwn_test_layers},
                    {.type = DWN_PARAMETER_CACHING, .token = TOKEN, .parameters = DWN_TEST_BLOB,
                     .operations = dwn_test_layers_runs}},
    // clang-format on
};
static const size_t plan_counts[DWN_KINDS] = {
    [DWN_LAYERS] = 2, [DWN_PAIR] = 2,     [DWN_PLAIN] = 1,  [DWN_ALONE] = 1,
    [DWN_SLICES] = 1, [DWN_REPEATED] = 1, [DWN_TRIPLE] = 3,
};

dwn_draft dwn_draft_of(hoist_test *t, dwn_kind kind)
{
    dwn_draft draft = {.t = t, .count = plan_counts[kind]};
    draft.rows = (dwn_package){.min_runtime_version = 13,
                               .signature = {take(t, 0, 1), 0},
                               .compiler_version = HOIST_STR("1.0"),
                               .model_identifier = HOIST_STR("")};
    draft.rows.head.present = UINT64_MAX; // scalars are stored, whatever they are
    for (size_t i = 0; i < draft.count; i++) {
        draft.executables[i] = dwn_draft_executable(t, &plans[kind][i]);
    }
    return draft;
}

// What `out` holds, in the arena; `out` is freed.
static hoist_bytes keep(hoist_test *t, hoist_buffer *out)
{
    uint8_t *const bytes = take(t, out->size, 1);
    if (out->size) {
        memcpy(bytes, out->data, out->size);
    }
    const hoist_bytes kept = {bytes, out->size};
    hoist_buffer_deinit(out);
    return kept;
}

static hoist_bytes write_package(hoist_test *t, const dwn_package *rows,
                                 const dwn_executable *const *executables, size_t count)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_make_package(rows, executables, count, &out), HOIST_OK);
    return keep(t, &out);
}

hoist_bytes dwn_draft_package(const dwn_draft *draft)
{
    const dwn_executable *executables[DWN_DRAFT_IMAGES];
    memcpy(executables, draft->executables, sizeof(executables));
    return write_package(draft->t, &draft->rows, executables, draft->count);
}

hoist_bytes dwn_draft_bundle(hoist_test *t, const hoist_bytes *packages, uint32_t count)
{
    dwn_serialized_package *const chips = take(t, count, sizeof(*chips));
    for (uint32_t i = 0; i < count; i++) {
        chips[i].serialized_package = packages[i];
    }
    dwn_package rows = {.min_runtime_version = 13,
                        .virtual_chip_id = -1,
                        .multi_chip_package = {.items = chips, .count = count}};
    rows.head.present = UINT64_MAX;
    return write_package(t, &rows, NULL, 0);
}

hoist_bytes dwn_draft_custom(hoist_test *t, const hoist_bytes *packages, uint32_t count)
{
    int64_t *const chips = take(t, count, sizeof(*chips));
    for (uint32_t i = 0; i < count; i++) {
        chips[i] = 18;
    }
    const dwn_custom custom = {.preference = -1, .chips = chips, .chip_count = count};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_make_custom(&custom, packages, count, &out), HOIST_OK);
    return keep(t, &out);
}

hoist_status dwn_test_read(hoist_test *t, hoist_bytes bytes, dwn_module **out_module)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    const hoist_status status = dwn_read(hoist_test_exact(t, bytes), &options, t->diag, &module);
    *out_module = (dwn_module *)module;
    return status;
}

hoist_status dwn_test_check(hoist_test *t, dwn_module *module)
{
    const hoist_check_options options = {0};
    return dwn_check_all(&module->base, &options, t->diag);
}

// Findings ---------------------------------------------------------------------------------------

static bool is_counted(const hoist_finding *finding)
{
    return strcmp(finding->rule->id, "DWN-078") != 0 && strcmp(finding->rule->id, "DWN-082") != 0;
}

hoist_str dwn_test_rules(hoist_test *t)
{
    hoist_str all = HOIST_STR("");
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const finding = hoist_diag_at(t->diag, i);
        if (is_counted(finding)) {
            all = hoist_arena_format(&t->arena, "%.*s%s%s", HOIST_STR_ARGS(all),
                                     all.size ? " " : "", finding->rule->id);
        }
    }
    return all;
}

void dwn_test_expect_at(hoist_test *t, const char *object, uint64_t offset)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const finding = hoist_diag_at(t->diag, i);
        if (is_counted(finding)) {
            HOIST_EXPECT_STR(t, finding->object, object);
            HOIST_EXPECT_EQ(t, finding->loc.kind, HOIST_LOC_BYTE);
            HOIST_EXPECT_EQ(t, finding->loc.offset, offset);
            return;
        }
    }
}

void dwn_test_case(hoist_test *t, const dwn_case *row)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].path; i++) {
        const dwn_change *const change = &row->changes[i];
        if (change->text) {
            dwn_draft_name(&draft, change->path, change->text);
        } else {
            dwn_draft_set(&draft, change->path, change->value);
        }
    }
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    if (!module) {
        return;
    }
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    if (row->at) {
        const char *const colon = strchr(row->at, ':');
        HOIST_ASSERT(colon);
        const hoist_str object =
            hoist_arena_format(&t->arena, "%.*s", (int)(colon - row->at), row->at);
        const hoist_str path =
            hoist_arena_format(&t->arena, "%s%s%s", object.data, object.size ? "/" : "", colon + 1);
        dwn_test_expect_at(t, object.data, dwn_test_place(module, path.data));
    }
    dwn_destroy(&module->base);
}
