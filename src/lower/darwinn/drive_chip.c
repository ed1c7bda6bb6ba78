// The functions of an executable (drive.h): one for each transfer, which its unit runs, and the
// chip's program. In: the items of drive_items.c. Out: functions and counters of the walk.
#include <inttypes.h>

#include "base/span.h"
#include "lower/darwinn/drive.h"

// Steps -----------------------------------------------------------------------------------------

static void add_step(const darwinn_lower_walk *walk, const char *label, hoist_prog_step step)
{
    step.loc = walk->loc;
    step.label = hoist_str_from(label);
    (void)hoist_builder_step(walk->model->c->b, &step);
}

static void add_alu(const darwinn_lower_walk *walk, hoist_ref to, hoist_alu_op op,
                    hoist_prog_value a, int64_t b)
{
    add_step(walk, "",
             (hoist_prog_step){
                 .kind = HOIST_STEP_ALU,
                 .as.alu = {.op = op, .destination = to, .a = a, .b = hoist_lower_number(b)}});
}

// Counters only grow in a run, so a target is runs * total + upto: a number in the thread, where
// `runs` is known, a register in functions of units.
hoist_prog_value darwinn_lower_target(darwinn_lower_walk *walk, hoist_prog_value runs,
                                      hoist_ref spare, uint32_t total, uint32_t upto)
{
    if (runs.reg == HOIST_NO_REF) {
        return hoist_lower_number(runs.number * total + upto);
    }
    add_alu(walk, spare, HOIST_ALU_MUL, runs, total);
    add_alu(walk, spare, HOIST_ALU_ADD, hoist_lower_register(spare), upto);
    return hoist_lower_register(spare);
}

// >= and never ==: monotone waits are what makes orders exact to check.
void darwinn_lower_await(darwinn_lower_walk *walk, hoist_ref counter, hoist_prog_value target,
                         const char *label)
{
    add_step(walk, label,
             (hoist_prog_step){
                 .kind = HOIST_STEP_WAIT,
                 .as.wait = {.semaphore = counter, .compare = HOIST_CMP_GE, .value = target}});
}

static void signal_one(const darwinn_lower_walk *walk, hoist_ref counter, const char *label)
{
    add_step(walk, label,
             (hoist_prog_step){.kind = HOIST_STEP_SIGNAL,
                               .as.signal = {.semaphore = counter,
                                             .op = HOIST_SIGNAL_ADD,
                                             .value = hoist_lower_number(1)}});
}

// A view of `size` bytes.
static hoist_ref bytes_of(const darwinn_lower_walk *walk, hoist_ref buffer, uint64_t offset,
                          uint64_t size)
{
    const hoist_shape shape = {.rank = 1, .dim = {(int64_t)size}};
    hoist_lower_view view = hoist_lower_view_dense(buffer, HOIST_DTYPE_U8, &shape);
    view.offset = (int64_t)offset;
    return hoist_lower_view_ref(walk->model->c->b, &view);
}

static void add_copy(const darwinn_lower_walk *walk, hoist_ref from, hoist_ref to)
{
    const hoist_move_source source = {.view = from, .scale = 1};
    add_step(walk, "",
             (hoist_prog_step){.kind = HOIST_STEP_MOVE,
                               .as.move = &(hoist_prog_move){.op = HOIST_MOVE_COPY,
                                                             .destination = to,
                                                             .sources = &source,
                                                             .source_count = 1}});
}

// Begins a function whose register 0 is how often the executable was run before. HOIST_NO_REF: a
// name could not be made, which the context or the builder's arena knows.
static hoist_ref begin(darwinn_lower_walk *walk, const char *part, uint32_t number)
{
    static const hoist_prog_parameter runs = {.name = {"runs", 4}, .layout = HOIST_NO_REF};
    darwinn_lower_chip *const chip = walk->model->chip;
    const hoist_str name =
        hoist_lower_name(chip->c, walk->model->name, "/%s/%s%" PRIu32, walk->role, part, number);
    if (!name.data) {
        return HOIST_NO_REF;
    }
    return hoist_builder_begin_function(
        chip->c->b, &(hoist_prog_function){
                        .name = name, .loc = walk->loc, .parameters = &runs, .parameter_count = 1});
}

// A register for the target of a wait.
static hoist_ref add_spare(const darwinn_lower_walk *walk)
{
    return hoist_builder_register(walk->model->c->b,
                                  &(hoist_prog_register){.name = HOIST_STR("count")});
}

// Transfers -------------------------------------------------------------------------------------

// The unit waits until the chip asks; with hints (USB) the driver decides when input is sent.
// Output always waits: it does not exist before.
static bool waits_for_chip(const darwinn_lower_walk *walk, const darwinn_lower_item *item)
{
    return item->path == DARWINN_LOWER_OUT || walk->model->c->options->driver == HOIST_DRIVER_PCIE;
}

// Work of the step that follows: bytes over the link. An executable's first chunk begins a request;
// parameters of the main executable are streamed, those of a caching one cached.
static void note_bytes(const darwinn_lower_walk *walk, const darwinn_lower_item *item,
                       uint64_t bytes)
{
    const bool begins = item->kind == DARWINN_LOWER_CHUNK && item->index == 0;
    const hoist_prog_work work = {.device = DARWINN_LOWER_DEVICE,
                                  .requests = begins,
                                  .bytes = bytes,
                                  .streamed = item->desc == DWN_DESC_PARAMETER &&
                                              walk == &walk->model->drive->main};
    hoist_builder_work(walk->model->c->b, &work);
}

// Chunks are copied to one place of the chip, one after the other.
static void add_chunk(darwinn_lower_walk *walk, const darwinn_lower_item *item)
{
    const uint64_t size = walk->image->chunks[item->index].stream.bytes.size;
    note_bytes(walk, item, size);
    add_copy(walk, bytes_of(walk, walk->chunk_buffers[item->index], 0, size),
             bytes_of(walk, walk->code, 0, size));
}

// Bytes land at the offset from which they come, on the twin.
static void add_transfer(darwinn_lower_walk *walk, const darwinn_lower_item *item)
{
    const darwinn_lower_twin *const twin = &walk->twins[item->twin];
    const uint64_t at = item->index * twin->stride + item->offset;
    if (waits_for_chip(walk, item)) {
        const hoist_ref spare = add_spare(walk);
        const hoist_prog_value target = darwinn_lower_target(walk, hoist_lower_register(0), spare,
                                                             walk->asked_total, item->asked);
        darwinn_lower_await(walk, walk->asked, target, "until the chip is there");
    }
    if (item->size > 0) {
        const hoist_ref host = bytes_of(walk, twin->host, at, item->size);
        const hoist_ref chip = bytes_of(walk, twin->chip, at, item->size);
        const bool comes = item->path == DARWINN_LOWER_OUT;
        note_bytes(walk, item, item->size);
        add_copy(walk, comes ? chip : host, comes ? host : chip);
    }
}

// The function of a chunk or transfer; fences and interrupts have none. Transfers are numbered by
// their item.
static bool add_item(darwinn_lower_walk *walk, uint32_t index)
{
    darwinn_lower_item *const item = &walk->items[index];
    const bool is_chunk = item->kind == DARWINN_LOWER_CHUNK;
    if (!is_chunk && item->kind != DARWINN_LOWER_TRANSFER) {
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
    hoist_builder_end_code(walk->model->c->b);
    return true;
}

// The chip --------------------------------------------------------------------------------------

// The chip's program while its items are added.
typedef struct cores {
    darwinn_lower_walk *walk;
    const darwinn_lower_drive *drive;
    hoist_ref spare;
    uint32_t done[DARWINN_LOWER_PATHS];   // transfers asked for so far
    uint32_t waited[DARWINN_LOWER_PATHS]; // and those that are known to be complete
    bool *computed;                       // arena; by element
} cores;

// Adds a wait for all transfers of a path that were asked for, unless the last wait was for the
// same.
static void settle(cores *c, darwinn_lower_path path)
{
    darwinn_lower_walk *const walk = c->walk;
    if (c->waited[path] == c->done[path]) {
        return;
    }
    c->waited[path] = c->done[path];
    const hoist_prog_value target = darwinn_lower_target(walk, hoist_lower_register(0), c->spare,
                                                         walk->path_total[path], c->done[path]);
    darwinn_lower_await(walk, walk->paths[path], target, "");
}

static void settle_all(cores *c)
{
    for (int i = 0; i < DARWINN_LOWER_PATHS; i++) {
        settle(c, (darwinn_lower_path)i);
    }
}

// The chip's bytes of one execution of a layer, as a tensor.
static hoist_lower_view image_of(const cores *c, uint32_t twin, uint32_t element,
                                 uint32_t execution)
{
    const darwinn_lower_border *const border = &c->drive->borders[twin];
    const darwinn_lower_twin *const t = &c->walk->twins[twin];
    const dwn_layer *const layer = border->layer;
    const hoist_shape shape = {.rank = 4, .dim = {1, layer->y_dim, layer->x_dim, layer->z_dim}};
    hoist_lower_view view =
        hoist_lower_view_dense(t->chip, darwinn_lower_chip_type(border), &shape);
    view.offset = (int64_t)(element * t->stride) + (int64_t)execution * layer->size_bytes;
    return view;
}

// Where the layers write an output: its place on the chip, or a buffer in the user's order.
static hoist_lower_view made_of(const cores *c, uint32_t twin, const hoist_lower_view *image)
{
    const hoist_ref numbers = c->drive->numbers[twin - c->walk->rows->input_layers.count];
    hoist_lower_view view = *image;
    if (numbers != HOIST_NO_REF) {
        view.of = numbers;
        view.offset = 0;
    }
    return view;
}

// One call of the layers' function, and moves of outputs whose order differs. Cycles of the call
// are in its steps; the moves cost nothing on the chip.
static void compute_once(cores *c, uint32_t element, uint32_t execution,
                         hoist_prog_argument *arguments)
{
    darwinn_lower_walk *const walk = c->walk;
    hoist_builder *const b = walk->model->c->b;
    const uint32_t inputs = walk->rows->input_layers.count;
    const uint32_t layers = inputs + walk->rows->output_layers.count;
    for (uint32_t i = 0; i < layers; i++) {
        const hoist_lower_view image = image_of(c, i, element, execution);
        const hoist_lower_view view = i < inputs ? image : made_of(c, i, &image);
        arguments[i] =
            (hoist_prog_argument){.is_view = true, .view = hoist_lower_view_ref(b, &view)};
    }
    add_step(walk, "layers",
             (hoist_prog_step){.kind = HOIST_STEP_CALL,
                               .as.call = {.unit = HOIST_NO_REF,
                                           .target = {.function = walk->model->layers,
                                                      .arguments = arguments,
                                                      .argument_count = layers}}});
    const hoist_prog_work none = darwinn_lower_cycles(walk->model, 0);
    hoist_builder_work(b, &none);
    for (uint32_t i = inputs; i < layers; i++) {
        const hoist_lower_view image = image_of(c, i, element, execution);
        const hoist_lower_view made = made_of(c, i, &image);
        if (made.of != image.of) {
            darwinn_lower_order(walk->model, &c->drive->borders[i], &made, &image);
        }
    }
}

// All executions of one element, at its first output.
static void compute(cores *c, uint32_t element)
{
    const darwinn_lower_walk *const walk = c->walk;
    const size_t layers = (size_t)walk->twin_count; // and two more
    hoist_prog_argument *const arguments =
        hoist_lower_array(walk->model->c, layers, sizeof *arguments);
    c->computed[element] = true;
    if (!arguments) {
        return;
    }
    for (uint32_t i = 0; i < walk->model->executions; i++) {
        compute_once(c, element, i, arguments);
    }
}

// One transfer: before an output the inputs and parameters have to be there, and the layers
// computed. Scratch is read back after all that was sent, and written after all that came.
static void do_transfer(cores *c, const darwinn_lower_item *item)
{
    if (item->desc == DWN_DESC_SCRATCH) {
        settle(c, item->path == DARWINN_LOWER_OUT ? DARWINN_LOWER_IN : DARWINN_LOWER_OUT);
    }
    if (item->desc == DWN_DESC_OUTPUT && c->drive && !c->computed[item->index]) {
        settle(c, DARWINN_LOWER_IN);
        settle(c, DARWINN_LOWER_PARAMETERS);
        compute(c, item->index);
    }
    c->done[item->path]++;
    signal_one(c->walk, c->walk->asked, "");
}

static void do_item(cores *c, const darwinn_lower_item *item)
{
    darwinn_lower_walk *const walk = c->walk;
    switch (item->kind) {
    case DARWINN_LOWER_CHUNK:
        if (item->asked) {
            signal_one(walk, walk->asked, "");
        }
        darwinn_lower_await(walk, walk->chunks,
                            darwinn_lower_target(walk, hoist_lower_register(0), c->spare,
                                                 walk->chunk_total, item->index + 1),
                            "");
        break;
    case DARWINN_LOWER_TRANSFER:
        do_transfer(c, item);
        break;
    case DARWINN_LOWER_INTERRUPT:
        settle_all(c);
        signal_one(walk, walk->interrupts[item->index], "interrupt");
        break;
    case DARWINN_LOWER_FENCE: // the driver's
        break;
    }
}

// Everything the chip does, in its order; at the end all its transfers are complete.
static bool add_program(darwinn_lower_walk *walk, const darwinn_lower_drive *drive)
{
    cores c = {.walk = walk, .drive = drive};
    c.computed = hoist_lower_array(walk->model->c, walk->batch, sizeof *c.computed);
    if (!c.computed) {
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
    hoist_builder_end_code(walk->model->c->b);
    return true;
}

// Counters --------------------------------------------------------------------------------------

// A counter; HOIST_NO_REF where nothing raises it, which is no failure.
static hoist_ref add_counter(darwinn_lower_walk *walk, const char *part, uint32_t total)
{
    darwinn_lower_chip *const chip = walk->model->chip;
    if (total == 0) {
        return HOIST_NO_REF;
    }
    const hoist_str name = hoist_lower_name(chip->c, walk->model->name, "/%s/%s", walk->role, part);
    if (!name.data) {
        return HOIST_NO_REF;
    }
    return hoist_builder_semaphore(chip->c->b,
                                   &(hoist_prog_semaphore){.name = name, .loc = walk->loc});
}

static void add_counters(darwinn_lower_walk *walk)
{
    static const char *const paths[DARWINN_LOWER_PATHS] = {
        [DARWINN_LOWER_IN] = "data_in",
        [DARWINN_LOWER_OUT] = "data_out",
        [DARWINN_LOWER_PARAMETERS] = "parameters_in",
    };
    static const char *const interrupts[DARWINN_LOWER_INTERRUPTS] = {"interrupt0", "interrupt1",
                                                                     "interrupt2", "interrupt3"};
    walk->chunks = add_counter(walk, "code_in", walk->chunk_total);
    walk->asked = add_counter(walk, "asked", walk->asked_total);
    for (int i = 0; i < DARWINN_LOWER_PATHS; i++) {
        walk->paths[i] = add_counter(walk, paths[i], walk->path_total[i]);
    }
    for (int i = 0; i < DARWINN_LOWER_INTERRUPTS; i++) {
        walk->interrupts[i] = add_counter(walk, interrupts[i], walk->interrupt_total[i]);
    }
}

// Counters before functions, which wait for them.
bool darwinn_lower_walk_functions(darwinn_lower_walk *walk, const darwinn_lower_drive *drive)
{
    add_counters(walk);
    for (uint32_t i = 0; i < walk->count; i++) {
        if (!add_item(walk, i)) {
            return false;
        }
    }
    return add_program(walk, drive) && walk->model->c->status == HOIST_OK;
}
