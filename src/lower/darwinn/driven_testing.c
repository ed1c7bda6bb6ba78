// Packages of recovered layers with all that a driver needs.
#include <stdlib.h>

#include "base/reader.h"
#include "lower/darwinn/job_testing.h"

enum { MAX_LINKS = 32, MAX_HINTS = 32, SCRATCH = 64, TOKEN = 1 };

// An executable in the making.
typedef struct builder {
    hoist_test *t;
    const darwinn_job_plan *plan;
    dwn_executable *e;
    dwn_maker *stream;    // of the chunk at hand
    dwn_bitstream *chunk; // at hand
} builder;

static void *make(hoist_test *t, size_t count, size_t size)
{
    void *items = hoist_arena_array(&t->arena, count, size);
    if (!items) {
        abort();
    }
    return items;
}

// Instructions and hints ------------------------------------------------------------------------

static void add_hint(builder *b, uint8_t kind, void *value, int16_t direction)
{
    dwn_hints *const stored = b->e->dma_hints;
    if (stored->hints.count == MAX_HINTS) {
        abort();
    }
    stored->hints.items[stored->hints.count++] =
        (dwn_stored_hint){.any_hint = {.type = kind, .value = value}, .direction = direction};
}

static void begin_chunk(builder *b)
{
    dwn_instruction_hint *const hint = make(b->t, 1, sizeof *hint);
    const uint16_t next_id = b->stream ? b->stream->next_id : 0;
    hint->instruction_chunk_index = (int32_t)b->e->instruction_bitstreams.count;
    b->stream = make(b->t, 1, sizeof *b->stream);
    b->stream->next_id = next_id;
    dwn_make_begin(b->stream);
    b->chunk = &b->e->instruction_bitstreams.items[b->e->instruction_bitstreams.count++];
    b->chunk->field_offsets.items = make(b->t, MAX_LINKS, sizeof(dwn_field_offset));
    add_hint(b, DWN_HINT_INSTRUCTION, hint, DWN_INFEED);
}

static void end_chunk(builder *b, bool has_successor)
{
    b->chunk->bitstream = dwn_make_end(b->stream, has_successor);
}

static void add_link(builder *b, uint8_t to, const dwn_meta *meta, int16_t position)
{
    dwn_meta *const copy = make(b->t, 1, sizeof *copy);
    if (b->chunk->field_offsets.count == MAX_LINKS) {
        abort();
    }
    *copy = *meta;
    copy->position = position;
    b->chunk->field_offsets.items[b->chunk->field_offsets.count++] =
        (dwn_field_offset){.meta = copy, .offset_bit = dwn_make_movi(b->stream, to, 0)};
}

static void add_transfer(builder *b, dwn_meta meta, int32_t size, uint32_t tag)
{
    dwn_dma_hint *const hint = make(b->t, 1, sizeof *hint);
    hint->meta = make(b->t, 1, sizeof *hint->meta);
    *hint->meta = meta;
    hint->size_in_bytes = size;
    add_link(b, 10, &meta, DWN_POSITION_LOW);
    add_link(b, 11, &meta, DWN_POSITION_HIGH);
    (void)dwn_make_movi(b->stream, 12, (uint32_t)size);
    (void)dwn_make_movi(b->stream, 13, tag);
    dwn_make_send(b->stream);
    add_hint(b, DWN_HINT_DMA, hint, tag == DWN_TAG_OUTPUT ? DWN_OUTFEED : DWN_INFEED);
}

static void add_interrupt(builder *b)
{
    for (uint8_t i = 10; i < 13; i++) {
        (void)dwn_make_movi(b->stream, i, 0);
    }
    (void)dwn_make_movi(b->stream, 13, DWN_TAG_INTERRUPT);
    dwn_make_send(b->stream);
    add_hint(b, DWN_HINT_INTERRUPT, make(b->t, 1, sizeof(dwn_interrupt_hint)), DWN_INFEED);
}

static void add_layers(builder *b, int16_t desc, const dwn_layer *layers, uint32_t count)
{
    const uint32_t tag = desc == DWN_DESC_INPUT ? DWN_TAG_INPUT : DWN_TAG_OUTPUT;
    for (int32_t e = 0; e < b->e->batch_size; e++) {
        for (uint32_t i = 0; i < count; i++) {
            add_transfer(b, (dwn_meta){.desc = desc, .batch = e, .name = layers[i].name},
                         layers[i].size_bytes * layers[i].execution_count_per_inference, tag);
        }
    }
}

static void add_scratch(builder *b)
{
    const dwn_meta scratch = {.desc = DWN_DESC_SCRATCH, .name = HOIST_STR("")};
    add_transfer(b, scratch, SCRATCH, DWN_TAG_OUTPUT);
    if (b->plan->two_chunks) {
        end_chunk(b, true);
        begin_chunk(b);
    }
    add_hint(b, DWN_HINT_FENCE, make(b->t, 1, sizeof(dwn_fence_hint)), DWN_INFEED);
    add_transfer(b, scratch, SCRATCH, DWN_TAG_INPUT);
}

// Layers ----------------------------------------------------------------------------------------

static hoist_bytes ints(hoist_test *t, const int32_t *items, size_t count)
{
    uint8_t *const bytes = make(t, count, sizeof *items);
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + 4 * i, (uint32_t)items[i]);
    }
    return (hoist_bytes){bytes, count * sizeof *items};
}

// Rows `from` to `to` of a layer, packed.
static dwn_tensor_layout rows_of(hoist_test *t, const dwn_layer *layer, int32_t from, int32_t to)
{
    const int32_t row = layer->x_dim * layer->z_dim;
    const int32_t ranges[] = {from, to - 1, 0, layer->x_dim - 1, 0, layer->z_dim - 1};
    const int32_t strides[] = {row, layer->z_dim, 1};
    dwn_tensor_shape *const shape = make(t, 1, sizeof *shape);
    shape->dimension = ints(t, ranges, 6);
    return (dwn_tensor_layout){.shape = shape, .stride = ints(t, strides, 3)};
}

// The lower half of the rows, then the upper one.
static void fill_output(builder *b, dwn_layer *layer)
{
    dwn_output_layer *const output = make(b->t, 1, sizeof *output);
    layer->any_layer = (hoist_fb_union){.type = DWN_LAYER_OUTPUT, .value = output};
    if (!b->plan->slices) {
        return;
    }
    const int32_t half = layer->y_dim / 2;
    const int32_t offsets[] = {0, (layer->y_dim - half) * layer->x_dim * layer->z_dim};
    output->shape_info = make(b->t, 1, sizeof *output->shape_info);
    output->shape_info->slice_layout.items = make(b->t, 2, sizeof(dwn_tensor_layout));
    output->shape_info->slice_layout.count = 2;
    output->shape_info->slice_layout.items[0] = rows_of(b->t, layer, half, layer->y_dim);
    output->shape_info->slice_layout.items[1] = rows_of(b->t, layer, 0, half);
    output->shape_info->slice_offset = ints(b->t, offsets, 2);
    layer->shape = rows_of(b->t, layer, 0, layer->y_dim).shape;
}

// Executables -----------------------------------------------------------------------------------

static builder begin(hoist_test *t, const darwinn_job_plan *plan, int16_t type)
{
    dwn_executable *const e = make(t, 1, sizeof *e);
    *e = (dwn_executable){.name = HOIST_STR("model"),
                          .batch_size = plan->batch ? plan->batch : 1,
                          .scratch_size_bytes = plan->scratch ? SCRATCH : 0,
                          .chip = HOIST_STR("beagle"),
                          .type = type,
                          .parameters = {make(t, 1, 1), 0},
                          .parameter_caching_token = type == DWN_STAND_ALONE ? 0 : TOKEN};
    e->dma_hints = make(t, 1, sizeof *e->dma_hints);
    e->dma_hints->hints.items = make(t, MAX_HINTS, sizeof(dwn_stored_hint));
    e->dma_hints->fully_deterministic = true;
    e->instruction_bitstreams.items = make(t, 2, sizeof(dwn_bitstream));
    builder b = {.t = t, .plan = plan, .e = e};
    begin_chunk(&b);
    return b;
}

static void add_parameters(builder *b)
{
    uint8_t *const blob = make(b->t, b->plan->cached, 1);
    for (uint32_t i = 0; i < b->plan->cached; i++) {
        blob[i] = (uint8_t)(b->plan->fill + i % 7);
    }
    b->e->parameters = (hoist_bytes){blob, b->plan->cached};
    add_transfer(b, (dwn_meta){.desc = DWN_DESC_PARAMETER, .name = HOIST_STR("")},
                 (int32_t)b->plan->cached, DWN_TAG_PARAMETER);
}

static dwn_executable *finish(builder *b)
{
    add_interrupt(b);
    end_chunk(b, false);
    return b->e;
}

static dwn_executable *main_of(hoist_test *t, const darwinn_job_plan *plan)
{
    builder b = begin(t, plan, plan->is_alone ? DWN_STAND_ALONE : DWN_EXECUTION_ONLY);
    dwn_executable *const e = b.e;
    e->input_layers.items = darwinn_job_layers(t, plan->inputs, &e->input_layers.count);
    e->output_layers.items = darwinn_job_layers(t, plan->outputs, &e->output_layers.count);
    for (uint32_t i = 0; i < e->input_layers.count; i++) {
        e->input_layers.items[i].any_layer =
            (hoist_fb_union){.type = DWN_LAYER_INPUT, .value = make(t, 1, sizeof(dwn_input_layer))};
    }
    for (uint32_t i = 0; i < e->output_layers.count; i++) {
        fill_output(&b, &e->output_layers.items[i]);
    }
    if (plan->is_alone) {
        add_parameters(&b);
    }
    add_layers(&b, DWN_DESC_INPUT, e->input_layers.items, e->input_layers.count);
    if (plan->scratch) {
        add_scratch(&b);
    }
    darwinn_job_operations(plan, b.stream);
    add_layers(&b, DWN_DESC_OUTPUT, e->output_layers.items, e->output_layers.count);
    return finish(&b);
}

static dwn_executable *caching_of(hoist_test *t, const darwinn_job_plan *plan)
{
    builder b = begin(t, plan, DWN_PARAMETER_CACHING);
    b.e->batch_size = 1;
    b.e->scratch_size_bytes = 0;
    add_parameters(&b);
    darwinn_job_runs(plan, b.stream);
    return finish(&b);
}

hoist_bytes darwinn_driven_package(hoist_test *t, const darwinn_job_plan *plan)
{
    dwn_draft draft = dwn_draft_of(t, plan->is_alone ? DWN_PLAIN : DWN_PAIR);
    draft.executables[0] = main_of(t, plan);
    if (!plan->is_alone) {
        draft.executables[1] = caching_of(t, plan);
    }
    return dwn_draft_package(&draft);
}
