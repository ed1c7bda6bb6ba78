#include "lower/darwinn/bench_testing.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/reader.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/relayout.h"
#include "program/text.h"
#include "program/verify.h"

void darwinn_bench_begin(hoist_test *t, darwinn_bench *bench, hoist_allocator alloc)
{
    *bench = (darwinn_bench){.t = t, .module.base.alloc = alloc};
    bench->options =
        (hoist_lower_options){.struct_size = sizeof bench->options, .driver = HOIST_DRIVER_NONE};
    const hoist_file file = {.module = &bench->module.base};
    darwinn_lower_chip *const chip = &bench->chip;
    *chip = (darwinn_lower_chip){.c = &bench->c};
    hoist_lower_fail(&bench->c, hoist_lower_begin(&bench->c, HOIST_STR("bench"), &file,
                                                  &bench->options, t->diag));
    if (bench->c.b) {
        chip->host = hoist_builder_space(
            bench->c.b, &(hoist_prog_space){.name = HOIST_STR("host"), .alignment = 1});
        chip->memory = hoist_builder_space(
            bench->c.b, &(hoist_prog_space){.name = HOIST_STR("chip"), .alignment = 1});
        chip->infeed = chip->outfeed = chip->path = chip->cores = HOIST_NO_REF;
        chip->middles[0] = chip->middles[1] = HOIST_NO_REF;
    }
    bench->model = (darwinn_lower_model){
        .chip = chip, .c = &bench->c, .module = &bench->module, .name = HOIST_STR("model")};
}

void darwinn_bench_end(darwinn_bench *bench)
{
    for (size_t i = 0; i < bench->module_count; i++) {
        dwn_destroy(&bench->modules[i]->base);
    }
    hoist_lower_deinit(&bench->c);
}

// Models ------------------------------------------------------------------------------------------

static void add_copy(hoist_builder *b, const hoist_lower_view *from, const hoist_lower_view *to)
{
    const hoist_move_source source = {.view = hoist_lower_view_ref(b, from), .scale = 1};
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_MOVE,
                                                   .as.move = &(hoist_prog_move){
                                                       .op = HOIST_MOVE_COPY,
                                                       .destination = hoist_lower_view_ref(b, to),
                                                       .sources = &source,
                                                       .source_count = 1}});
}

// Channels c, c + 3 ... of the grid from channel c of the image.
static void add_channel(hoist_builder *b, const hoist_lower_view parameters[3], int64_t c)
{
    const int64_t n = (32 - c + 2) / 3;
    hoist_lower_view from = parameters[0];
    hoist_lower_view to = parameters[1];
    from.shape.dim[3] = to.shape.dim[3] = n;
    from.stride[3] = 0;
    to.stride[3] = 3;
    from.offset = to.offset = c;
    add_copy(b, &from, &to);
}

static hoist_ref add_layers(hoist_builder *b, hoist_str name)
{
    static const struct {
        hoist_str name;
        hoist_shape shape;
    } rows[] = {{{"image", 5}, {4, {1, 4, 5, 3}}},
                {{"grid", 4}, {4, {1, 4, 5, 32}}},
                {{"scores", 6}, {4, {1, 1, 1, 10}}}};
    hoist_prog_parameter parameters[3];
    hoist_lower_view views[3];
    for (uint32_t i = 0; i < 3; i++) {
        views[i] = hoist_lower_view_dense(i, HOIST_DTYPE_U8, &rows[i].shape);
        views[i].base = HOIST_VIEW_PARAMETER;
        parameters[i] = (hoist_prog_parameter){.name = rows[i].name,
                                               .is_view = true,
                                               .dtype = HOIST_DTYPE_U8,
                                               .layout = hoist_lower_view_layout(b, &views[i]),
                                               .written = i > 0};
    }
    const hoist_ref function = hoist_builder_begin_function(
        b, &(hoist_prog_function){.name = name, .parameters = parameters, .parameter_count = 3});
    for (int64_t c = 0; c < 3; c++) {
        add_channel(b, views, c);
    }
    const hoist_shape ten = {1, {10}};
    hoist_lower_view first = hoist_lower_view_dense(0, HOIST_DTYPE_U8, &ten);
    first.base = HOIST_VIEW_PARAMETER;
    add_copy(b, &first, &views[2]);
    hoist_builder_end_code(b);
    return function;
}

// Layers of whatever size: each output has the first number of the first input everywhere.
static hoist_ref add_stand_in(hoist_builder *b, const darwinn_lower_model *model,
                              hoist_arena *arena)
{
    const dwn_executable *const e = model->main;
    const uint32_t inputs = e->input_layers.count;
    const uint32_t count = inputs + e->output_layers.count;
    hoist_prog_parameter *const parameters =
        hoist_arena_array(arena, (size_t)count + 1, sizeof *parameters);
    hoist_lower_view *const views = hoist_arena_array(arena, (size_t)count + 1, sizeof *views);
    HOIST_ASSERT(parameters && views);
    for (uint32_t i = 0; i < count; i++) {
        const dwn_layer *const layer =
            i < inputs ? &e->input_layers.items[i] : &e->output_layers.items[i - inputs];
        const hoist_shape shape = {4, {1, layer->y_dim, layer->x_dim, layer->z_dim}};
        const bool is_wide = dwn_type_of(layer->data_type)->size == 2;
        views[i] = hoist_lower_view_dense(i, is_wide ? HOIST_DTYPE_U16 : HOIST_DTYPE_U8, &shape);
        views[i].base = HOIST_VIEW_PARAMETER;
        parameters[i] = (hoist_prog_parameter){.name = hoist_arena_format(arena, "layer%u", i),
                                               .is_view = true,
                                               .dtype = views[i].dtype,
                                               .layout = hoist_lower_view_layout(b, &views[i]),
                                               .written = i >= inputs};
    }
    const hoist_ref function = hoist_builder_begin_function(
        b, &(hoist_prog_function){
               .name = model->name, .parameters = parameters, .parameter_count = count});
    for (uint32_t i = inputs; i < count; i++) {
        hoist_lower_view from = views[0];
        from.shape = views[i].shape;
        memset(from.stride, 0, sizeof from.stride);
        add_copy(b, &from, &views[i]);
    }
    hoist_builder_end_code(b);
    return function;
}

static hoist_status open_model(darwinn_bench *bench, hoist_bytes package, const char *name,
                               darwinn_lower_model *out_model)
{
    dwn_module *module = NULL;
    HOIST_ASSERT(bench->module_count < DARWINN_BENCH_MODELS);
    *out_model =
        (darwinn_lower_model){.chip = &bench->chip, .c = &bench->c, .name = hoist_str_from(name)};
    HOIST_TRY(dwn_test_read(bench->t, package, &module));
    bench->modules[bench->module_count++] = module;
    const dwn_contents *const contents = &module->packages[0];
    const dwn_roles roles = dwn_roles_of(contents);
    HOIST_ASSERT(roles.main != DWN_NONE);
    out_model->module = module;
    out_model->contents = contents;
    out_model->roles = roles;
    out_model->main = contents->images[roles.main].rows;
    out_model->caching = roles.caching == DWN_NONE ? NULL : contents->images[roles.caching].rows;
    return darwinn_lower_count_executions(out_model) ? HOIST_OK : HOIST_UNSUPPORTED;
}

hoist_status darwinn_bench_open(darwinn_bench *bench, hoist_bytes package, const char *name,
                                darwinn_lower_model *out_model)
{
    HOIST_TRY(open_model(bench, package, name, out_model));
    out_model->layers = add_layers(bench->c.b, hoist_str_from(name));
    return HOIST_OK;
}

hoist_status darwinn_bench_open_any(darwinn_bench *bench, hoist_bytes package, const char *name,
                                    darwinn_lower_model *out_model)
{
    HOIST_TRY(open_model(bench, package, name, out_model));
    out_model->layers = add_stand_in(bench->c.b, out_model, &bench->c.arena);
    return HOIST_OK;
}

// Layers ------------------------------------------------------------------------------------------

hoist_bytes darwinn_bench_ramp(hoist_test *t, size_t count, int32_t step)
{
    uint8_t *const bytes = hoist_arena_array(&t->arena, count, sizeof(int32_t));
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + 4 * i, (uint32_t)((int32_t)i * step));
    }
    return (hoist_bytes){bytes, 4 * count};
}

dwn_layer *darwinn_bench_scattered(hoist_test *t, int32_t side)
{
    dwn_layer *const layer = hoist_arena_array(&t->arena, 1, sizeof *layer);
    dwn_output_layer *const output = hoist_arena_array(&t->arena, 1, sizeof *output);
    dwn_output_layout *const layout = hoist_arena_array(&t->arena, 1, sizeof *layout);
    const size_t tiles = (size_t)side * (size_t)side;
    uint8_t *const places = hoist_arena_array(&t->arena, tiles, sizeof(int32_t));
    for (size_t i = 0; i < tiles; i++) {
        hoist_store_u32le(places + 4 * i, (uint32_t)(i * i * 7 % 65537));
    }
    layout->y_coordinate_to_linear_tile_id_map = darwinn_bench_ramp(t, (size_t)side, side);
    layout->x_coordinate_to_linear_tile_id_map = darwinn_bench_ramp(t, (size_t)side, 1);
    layout->linearized_tile_byte_offset = (hoist_bytes){places, 4 * tiles};
    layout->x_coordinate_to_local_byte_offset = darwinn_bench_ramp(t, (size_t)side, 0);
    layout->y_coordinate_to_local_y_offset = darwinn_bench_ramp(t, (size_t)side, 0);
    layout->x_coordinate_to_local_y_row_size = darwinn_bench_ramp(t, (size_t)side, 0);
    output->layout = layout;
    *layer = (dwn_layer){.name = HOIST_STR("scattered"),
                         .size_bytes = 65537,
                         .y_dim = side,
                         .x_dim = side,
                         .z_dim = 1,
                         .any_layer = {.type = DWN_LAYER_OUTPUT, .value = output},
                         .execution_count_per_inference = 1};
    return layer;
}

// Programs ----------------------------------------------------------------------------------------

hoist_status darwinn_bench_status(const darwinn_bench *bench)
{
    return bench->c.status != HOIST_OK || !bench->c.b ? bench->c.status
                                                      : hoist_builder_status(bench->c.b);
}

hoist_lower_view darwinn_bench_buffer(darwinn_bench *bench, const char *name, hoist_dtype dtype,
                                      int64_t elements)
{
    hoist_builder *const b = bench->c.b;
    const hoist_shape shape = {.rank = 1, .dim = {elements}};
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, dtype, &shape);
    const hoist_prog_layout layout = {
        .kind = HOIST_LAYOUT_STRIDED, .shape = shape, .stride = {view.stride[0]}};
    const hoist_str own = hoist_arena_str(&bench->c.arena, hoist_str_from(name));
    HOIST_EXPECT(bench->t, hoist_lower_claim(&bench->c, own));
    view.of =
        hoist_builder_buffer(b, &(hoist_prog_buffer){.name = own,
                                                     .space = bench->chip.host,
                                                     .size = (uint64_t)(elements * view.stride[0]),
                                                     .alignment = 1,
                                                     .window_of = HOIST_NO_REF,
                                                     .contents = HOIST_CONTENTS_ZERO,
                                                     .lifetime = HOIST_LIFETIME_SESSION,
                                                     .output = true,
                                                     .typed = true,
                                                     .dtype = dtype,
                                                     .layout = hoist_builder_layout(b, &layout)});
    return view;
}

void darwinn_bench_thread(darwinn_bench *bench)
{
    (void)hoist_builder_begin_thread(bench->c.b, &(hoist_prog_thread){.name = HOIST_STR("driver")});
}

hoist_program *darwinn_bench_finish(darwinn_bench *bench)
{
    static const hoist_ref first = 0;
    hoist_builder *const b = bench->c.b;
    hoist_program *program = NULL;
    hoist_builder_end_code(b);
    (void)hoist_builder_entry(
        b, &(hoist_prog_entry){.name = HOIST_STR("run"), .threads = &first, .thread_count = 1});
    HOIST_EXPECT_EQ(bench->t, bench->c.status, HOIST_OK);
    bench->c.b = NULL; // gone, whatever comes of it
    HOIST_EXPECT_EQ(bench->t, hoist_builder_finish(b, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(bench->t, hoist_program_verify(program, bench->t->diag), HOIST_OK);
    }
    return program;
}

hoist_str darwinn_bench_steps(darwinn_bench *bench)
{
    hoist_buffer text;
    hoist_buffer out;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_program *const program = darwinn_bench_finish(bench);
    HOIST_EXPECT_EQ(bench->t, program ? hoist_program_print(program, &text) : HOIST_INVALID,
                    HOIST_OK);
    hoist_buffer_char(&text, '\0');
    const char *at = strstr(hoist_buffer_text(&text).data, "thread driver {\n");
    const char *const end = at ? strstr(at, "\n}") : NULL;
    for (at = at ? strchr(at, '\n') + 1 : NULL; at && at < end; at = strchr(at, '\n') + 1) {
        const char *const line = at + strspn(at, " ");
        const char *const step = strstr(line, ": ");
        const char *const begin = step && step < strchr(line, '\n') ? step + 2 : line;
        hoist_buffer_format(&out, "%.*s\n", (int)strcspn(begin, "\n"), begin);
    }
    const hoist_str steps = hoist_arena_str(&bench->t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
    return steps;
}

// Elements of a box, one by one: their places in the tensor and in the buffer.
static void expect_box(hoist_test *t, const darwinn_lower_box *box, int64_t element,
                       const dwn_order *order, bool *seen)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    do {
        int64_t user = box->user;
        int64_t chip = box->chip;
        for (int i = 0; i < box->shape.rank; i++) {
            user += index[i] * box->user_stride[i];
            chip += index[i] * box->chip_stride[i];
        }
        const int64_t at = user / element;
        if (user % element || at < 0 || at >= order->count || seen[at] ||
            chip != order->at[at] * element) {
            HOIST_EXPECT_EQ(t, user, -1);
            return;
        }
        seen[at] = true;
    } while (hoist_shape_next(&box->shape, index));
}

void darwinn_expect_order(hoist_test *t, const darwinn_lower_border *border)
{
    dwn_order order;
    HOIST_EXPECT_EQ(t, dwn_order_of(border->layer, &t->arena, &order), HOIST_OK);
    HOIST_EXPECT_EQ(t, border->elements, order.count);
    bool *const seen = hoist_arena_array(&t->arena, (size_t)order.count, sizeof *seen);
    for (uint32_t i = 0; i < border->count; i++) {
        expect_box(t, &border->boxes[i], border->type->size, &order, seen);
    }
    int64_t wrong = 0;
    for (int64_t i = 0; i < order.count; i++) {
        wrong += seen[i] != (order.at[i] >= 0);
    }
    HOIST_EXPECT_EQ(t, wrong, 0);
}
