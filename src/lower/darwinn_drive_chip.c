// Functions of an executable: the transfers, and what the chip does.
#include <inttypes.h>

#include "base/span.h"
#include "lower/darwinn_drive.h"

// Steps -----------------------------------------------------------------------------------------

static void add_step(const hoist_darwinn_walk *walk, const char *label, hoist_prog_step step)
{
    step.loc = walk->loc;
    step.label = hoist_str_from(label);
    (void)hoist_builder_step(walk->model->chip->b, &step);
}

static hoist_prog_value in_register(hoist_ref reg)
{
    return (hoist_prog_value){.reg = reg};
}

static void add_alu(const hoist_darwinn_walk *walk, hoist_ref to, hoist_alu_op op,
                    hoist_prog_value a, int64_t b)
{
    add_step(walk, "",
             (hoist_prog_step){
                 .kind = HOIST_STEP_ALU,
                 .as.alu = {.op = op, .destination = to, .a = a, .b = hoist_darwinn_number(b)}});
}

hoist_prog_value hoist_darwinn_target(hoist_darwinn_walk *walk, hoist_prog_value runs,
                                      hoist_ref spare, uint32_t total, uint32_t upto)
{
    if (runs.reg == HOIST_NO_REF) {
        return hoist_darwinn_number(runs.number * total + upto);
    }
    add_alu(walk, spare, HOIST_ALU_MUL, runs, total);
    add_alu(walk, spare, HOIST_ALU_ADD, in_register(spare), upto);
    return in_register(spare);
}

void hoist_darwinn_await(hoist_darwinn_walk *walk, hoist_ref counter, hoist_prog_value target,
                         const char *label)
{
    add_step(walk, label,
             (hoist_prog_step){
                 .kind = HOIST_STEP_WAIT,
                 .as.wait = {.semaphore = counter, .compare = HOIST_CMP_GE, .value = target}});
}

static void signal_one(const hoist_darwinn_walk *walk, hoist_ref counter, const char *label)
{
    add_step(walk, label,
             (hoist_prog_step){.kind = HOIST_STEP_SIGNAL,
                               .as.signal = {.semaphore = counter,
                                             .op = HOIST_SIGNAL_ADD,
                                             .value = hoist_darwinn_number(1)}});
}

// Bytes of a buffer.
static hoist_ref bytes_of(const hoist_darwinn_walk *walk, hoist_ref buffer, uint64_t offset,
                          uint64_t size)
{
    const hoist_shape shape = {.rank = 1, .dim = {(int64_t)size}};
    hoist_quant_view view = hoist_quant_dense(buffer, HOIST_DTYPE_U8, &shape);
    view.offset = (int64_t)offset;
    return hoist_quant_ref(walk->model->chip->b, &view);
}

static void add_copy(const hoist_darwinn_walk *walk, hoist_ref from, hoist_ref to)
{
    const hoist_move_source source = {.view = from, .scale = 1};
    add_step(walk, "",
             (hoist_prog_step){.kind = HOIST_STEP_MOVE,
                               .as.move = &(hoist_prog_move){.op = HOIST_MOVE_COPY,
                                                             .destination = to,
                                                             .sources = &source,
                                                             .source_count = 1}});
}

// A function whose parameter is how often the executable was run before; its first register. A name
// that could not be made is a failure of the builder's arena.
static hoist_ref begin(hoist_darwinn_walk *walk, const char *part, uint32_t number)
{
    static const hoist_prog_parameter runs = {.name = {"runs", 4}, .layout = HOIST_NO_REF};
    hoist_darwinn_chip *const chip = walk->model->chip;
    const hoist_str name =
        hoist_arena_format(chip->arena, "%.*s/%s/%s%" PRIu32, HOIST_STR_ARGS(walk->model->name),
                           walk->role, part, number);
    if (!name.data) {
        hoist_darwinn_fail(walk->model, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    return hoist_builder_begin_function(
        chip->b, &(hoist_prog_function){
                     .name = name, .loc = walk->loc, .parameters = &runs, .parameter_count = 1});
}

static hoist_ref add_spare(const hoist_darwinn_walk *walk)
{
    return hoist_builder_register(walk->model->chip->b,
                                  &(hoist_prog_register){.name = HOIST_STR("count")});
}

// Transfers -------------------------------------------------------------------------------------

// Whether the chip begins it, not the driver.
static bool waits_for_chip(const hoist_darwinn_walk *walk, const hoist_darwinn_item *item)
{
    return item->path == HOIST_DARWINN_OUT ||
           walk->model->chip->options->driver == HOIST_DRIVER_PCIE;
}

static void add_chunk(hoist_darwinn_walk *walk, const hoist_darwinn_item *item)
{
    const uint64_t size = walk->image->chunks[item->index].stream.bytes.size;
    add_copy(walk, bytes_of(walk, walk->chunk_buffers[item->index], 0, size),
             bytes_of(walk, walk->code, 0, size));
}

static void add_transfer(hoist_darwinn_walk *walk, const hoist_darwinn_item *item)
{
    const hoist_darwinn_twin *const twin = &walk->twins[item->twin];
    const uint64_t at = item->index * twin->stride + item->offset;
    if (waits_for_chip(walk, item)) {
        const hoist_ref spare = add_spare(walk);
        const hoist_prog_value target =
            hoist_darwinn_target(walk, in_register(0), spare, walk->asked_total, item->asked);
        hoist_darwinn_await(walk, walk->asked, target, "until the chip is there");
    }
    if (item->size > 0) {
        const hoist_ref host = bytes_of(walk, twin->host, at, item->size);
        const hoist_ref chip = bytes_of(walk, twin->chip, at, item->size);
        const bool comes = item->path == HOIST_DARWINN_OUT;
        add_copy(walk, comes ? chip : host, comes ? host : chip);
    }
}

// Transfers have the number of their item.
static bool add_item(hoist_darwinn_walk *walk, uint32_t index)
{
    hoist_darwinn_item *const item = &walk->items[index];
    const bool is_chunk = item->kind == HOIST_DARWINN_CHUNK;
    if (!is_chunk && item->kind != HOIST_DARWINN_TRANSFER) {
        return true;
    }
    item->function = begin(walk, is_chunk ? "chunk" : "transfer", is_chunk ? item->index : index);
    if (item->function == HOIST_NO_REF) {
        return false;
    }
    if (is_chunk) {
        add_chunk(walk, item);
    } else {
        add_transfer(walk, item);
    }
    hoist_builder_end_code(walk->model->chip->b);
    return true;
}

// The chip --------------------------------------------------------------------------------------

typedef struct cores {
    hoist_darwinn_walk *walk;
    const hoist_darwinn_drive *drive;
    hoist_ref spare;
    uint32_t done[HOIST_DARWINN_PATHS];   // transfers asked for so far
    uint32_t waited[HOIST_DARWINN_PATHS]; // and those that are known to be complete
    bool *computed;                       // arena; by element
} cores;

// Until all transfers of a path that were asked for are complete.
static void settle(cores *c, hoist_darwinn_path path)
{
    hoist_darwinn_walk *const walk = c->walk;
    if (c->waited[path] == c->done[path]) {
        return;
    }
    c->waited[path] = c->done[path];
    const hoist_prog_value target =
        hoist_darwinn_target(walk, in_register(0), c->spare, walk->path_total[path], c->done[path]);
    hoist_darwinn_await(walk, walk->paths[path], target, "");
}

static void settle_all(cores *c)
{
    for (int i = 0; i < HOIST_DARWINN_PATHS; i++) {
        settle(c, (hoist_darwinn_path)i);
    }
}

// What the chip has of an execution of a layer of an element.
static hoist_quant_view image_of(const cores *c, uint32_t twin, uint32_t element,
                                 uint32_t execution)
{
    const hoist_darwinn_border *const border = &c->drive->borders[twin];
    const hoist_darwinn_twin *const t = &c->walk->twins[twin];
    const dwn_layer *const layer = border->layer;
    const hoist_shape shape = {.rank = 4, .dim = {1, layer->y_dim, layer->x_dim, layer->z_dim}};
    hoist_quant_view view = hoist_quant_dense(t->chip, hoist_darwinn_chip_type(border), &shape);
    view.offset = (int64_t)(element * t->stride) + (int64_t)execution * layer->size_bytes;
    return view;
}

// What the layers make of an output: there, or apart from it.
static hoist_quant_view made_of(const cores *c, uint32_t twin, const hoist_quant_view *image)
{
    const hoist_ref numbers = c->drive->numbers[twin - c->walk->rows->input_layers.count];
    hoist_quant_view view = *image;
    if (numbers != HOIST_NO_REF) {
        view.of = numbers;
        view.offset = 0;
    }
    return view;
}

static void compute_once(cores *c, uint32_t element, uint32_t execution,
                         hoist_prog_argument *arguments)
{
    hoist_darwinn_walk *const walk = c->walk;
    hoist_builder *const b = walk->model->chip->b;
    const uint32_t inputs = walk->rows->input_layers.count;
    const uint32_t layers = inputs + walk->rows->output_layers.count;
    for (uint32_t i = 0; i < layers; i++) {
        const hoist_quant_view image = image_of(c, i, element, execution);
        const hoist_quant_view view = i < inputs ? image : made_of(c, i, &image);
        arguments[i] = (hoist_prog_argument){.is_view = true, .view = hoist_quant_ref(b, &view)};
    }
    add_step(walk, "layers",
             (hoist_prog_step){.kind = HOIST_STEP_CALL,
                               .as.call = {.unit = HOIST_NO_REF,
                                           .target = {.function = walk->model->layers,
                                                      .arguments = arguments,
                                                      .argument_count = layers}}});
    for (uint32_t i = inputs; i < layers; i++) {
        const hoist_quant_view image = image_of(c, i, element, execution);
        const hoist_quant_view made = made_of(c, i, &image);
        if (made.of != image.of) {
            hoist_darwinn_order(walk->model, &c->drive->borders[i], &made, &image);
        }
    }
}

static void compute(cores *c, uint32_t element)
{
    const hoist_darwinn_walk *const walk = c->walk;
    const size_t layers = (size_t)walk->twin_count; // and two more
    hoist_prog_argument *const arguments =
        hoist_arena_array(walk->model->chip->arena, layers, sizeof *arguments);
    c->computed[element] = true;
    if (!arguments) {
        hoist_darwinn_fail(walk->model, HOIST_NO_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < walk->model->executions; i++) {
        compute_once(c, element, i, arguments);
    }
}

// Scratch comes back behind all that was sent, and is sent behind all that came.
static void do_transfer(cores *c, const hoist_darwinn_item *item)
{
    if (item->desc == DWN_DESC_SCRATCH) {
        settle(c, item->path == HOIST_DARWINN_OUT ? HOIST_DARWINN_IN : HOIST_DARWINN_OUT);
    }
    if (item->desc == DWN_DESC_OUTPUT && c->drive && !c->computed[item->index]) {
        settle(c, HOIST_DARWINN_IN);
        settle(c, HOIST_DARWINN_PARAMETERS);
        compute(c, item->index);
    }
    c->done[item->path]++;
    signal_one(c->walk, c->walk->asked, "");
}

static void do_item(cores *c, const hoist_darwinn_item *item)
{
    hoist_darwinn_walk *const walk = c->walk;
    switch (item->kind) {
    case HOIST_DARWINN_CHUNK:
        if (item->asked) {
            signal_one(walk, walk->asked, "");
        }
        hoist_darwinn_await(walk, walk->chunks,
                            hoist_darwinn_target(walk, in_register(0), c->spare, walk->chunk_total,
                                                 item->index + 1),
                            "");
        break;
    case HOIST_DARWINN_TRANSFER:
        do_transfer(c, item);
        break;
    case HOIST_DARWINN_INTERRUPT:
        settle_all(c);
        signal_one(walk, walk->interrupts[item->index], "interrupt");
        break;
    case HOIST_DARWINN_FENCE: // the driver's
        break;
    }
}

static bool add_program(hoist_darwinn_walk *walk, const hoist_darwinn_drive *drive)
{
    cores c = {.walk = walk, .drive = drive};
    c.computed = hoist_arena_array(walk->model->chip->arena, walk->batch, sizeof *c.computed);
    if (!c.computed) {
        hoist_darwinn_fail(walk->model, HOIST_NO_MEMORY);
        return false;
    }
    walk->program = begin(walk, "program", 0);
    if (walk->program == HOIST_NO_REF) {
        return false;
    }
    c.spare = add_spare(walk);
    for (uint32_t i = 0; i < walk->count; i++) {
        do_item(&c, &walk->items[i]);
    }
    settle_all(&c);
    hoist_builder_end_code(walk->model->chip->b);
    return true;
}

// Counters --------------------------------------------------------------------------------------

// HOIST_NO_REF: nothing raises it.
static hoist_ref add_counter(hoist_darwinn_walk *walk, const char *part, uint32_t total)
{
    hoist_darwinn_chip *const chip = walk->model->chip;
    if (total == 0) {
        return HOIST_NO_REF;
    }
    const hoist_str name = hoist_arena_format(chip->arena, "%.*s/%s/%s",
                                              HOIST_STR_ARGS(walk->model->name), walk->role, part);
    if (!name.data) {
        hoist_darwinn_fail(walk->model, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    return hoist_builder_semaphore(chip->b,
                                   &(hoist_prog_semaphore){.name = name, .loc = walk->loc});
}

static void add_counters(hoist_darwinn_walk *walk)
{
    static const char *const paths[HOIST_DARWINN_PATHS] = {
        [HOIST_DARWINN_IN] = "data_in",
        [HOIST_DARWINN_OUT] = "data_out",
        [HOIST_DARWINN_PARAMETERS] = "parameters_in",
    };
    static const char *const interrupts[HOIST_DARWINN_INTERRUPTS] = {"interrupt0", "interrupt1",
                                                                     "interrupt2", "interrupt3"};
    walk->chunks = add_counter(walk, "code_in", walk->chunk_total);
    walk->asked = add_counter(walk, "asked", walk->asked_total);
    for (int i = 0; i < HOIST_DARWINN_PATHS; i++) {
        walk->paths[i] = add_counter(walk, paths[i], walk->path_total[i]);
    }
    for (int i = 0; i < HOIST_DARWINN_INTERRUPTS; i++) {
        walk->interrupts[i] = add_counter(walk, interrupts[i], walk->interrupt_total[i]);
    }
}

bool hoist_darwinn_walk_functions(hoist_darwinn_walk *walk, const hoist_darwinn_drive *drive)
{
    add_counters(walk);
    for (uint32_t i = 0; i < walk->count; i++) {
        if (!add_item(walk, i)) {
            return false;
        }
    }
    return add_program(walk, drive) && walk->model->chip->status == HOIST_OK;
}
