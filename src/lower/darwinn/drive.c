// The driver's walk (drive.h): what a model needs for it before code is built, and the steps of its
// requests in the thread. drive_memory.c has the buffers, drive_items.c the items, drive_chip.c the
// functions of units.
#include "lower/darwinn/drive.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"

// Preparing -------------------------------------------------------------------------------------

static hoist_ref add_unit(darwinn_lower_chip *chip, const char *name)
{
    return hoist_builder_unit(chip->c->b, &(hoist_prog_unit){.name = hoist_str_from(name),
                                                             .loc = hoist_loc_none(),
                                                             .depth = DARWINN_LOWER_UNIT_DEPTH});
}

// One set of units for all models: they share the chip, and requests do not overlap.
static void make_units(darwinn_lower_chip *chip)
{
    if (chip->infeed == HOIST_NO_REF) {
        chip->infeed = add_unit(chip, "infeed");
        chip->outfeed = add_unit(chip, "outfeed");
        chip->path = add_unit(chip, "parameter_path");
        chip->cores = add_unit(chip, "cores");
        chip->next_range = 1; // no buffer is at 0
    }
}

// An executable with its memory and items, in this order: items refer to twins. False: reported.
static bool begin_walk(darwinn_lower_model *model, uint32_t image, const char *role,
                       darwinn_lower_walk *walk)
{
    *walk = (darwinn_lower_walk){.model = model,
                                 .image = &model->contents->images[image],
                                 .role = role,
                                 .program = HOIST_NO_REF};
    walk->rows = walk->image->rows;
    walk->loc = DWN_FIELD_PLACE(model->module, walk->image->bytes, executable, walk->rows, version);
    walk->loc.source = model->source;
    const int32_t batch = walk->rows->batch_size;
    if (batch < 1 || batch > HOIST_MAX_BATCH) {
        return darwinn_lower_refuse(
            model, RUN_008, "the %s executable has a batch of %" PRId32 ", expected 1 to %d", role,
            batch, (int)HOIST_MAX_BATCH);
    }
    walk->batch = (uint32_t)batch;
    return darwinn_lower_walk_memory(walk) && darwinn_lower_walk_list(walk);
}

// Input layers, then output layers, as twins and borders are numbered.
static const dwn_layer *layer_of(const darwinn_lower_model *model, uint32_t index)
{
    const dwn_executable *const e = model->main;
    const uint32_t inputs = e->input_layers.count;
    return index < inputs ? &e->input_layers.items[index] : &e->output_layers.items[index - inputs];
}

// Bounds the steps of the chip's function: calls of the layers and moves after them.
static bool check_calls(darwinn_lower_model *model)
{
    const uint64_t calls = (uint64_t)model->executions * model->drive->main.batch;
    if (calls > DARWINN_LOWER_MAX_CALLS ||
        calls * (model->drive->boxes + 1) > DARWINN_LOWER_MAX_STEPS) {
        return darwinn_lower_refuse(
            model, RUN_008,
            "layers are executed %" PRIu32 " times for each of %" PRIu32 " elements, with %" PRIu64
            " moves each; at most %d times and %d moves",
            model->executions, model->drive->main.batch, model->drive->boxes,
            (int)DARWINN_LOWER_MAX_CALLS, (int)DARWINN_LOWER_MAX_STEPS);
    }
    return true;
}

// Boxes of all layers; counted while they are made, so that hostile layouts end early.
static bool make_borders(darwinn_lower_model *model, uint32_t layers)
{
    darwinn_lower_drive *const drive = model->drive;
    drive->borders = hoist_lower_array(model->c, (size_t)layers + 1, sizeof *drive->borders);
    if (!drive->borders) {
        return false;
    }
    for (uint32_t i = 0; i < layers; i++) {
        if (!darwinn_lower_border_of(model, layer_of(model, i), &drive->borders[i])) {
            return false;
        }
        drive->boxes += drive->borders[i].count;
        if (drive->boxes > DARWINN_LOWER_MAX_STEPS && !check_calls(model)) {
            return false;
        }
    }
    return true;
}

// Memory for outputs whose order on the chip is another: layers compute in the user's order, and
// moves bring the result to its places. One buffer for all elements, as they are computed one after
// the other.
static bool make_numbers(darwinn_lower_model *model)
{
    darwinn_lower_drive *const drive = model->drive;
    const uint32_t inputs = model->main->input_layers.count;
    const uint32_t outputs = model->main->output_layers.count;
    drive->numbers = hoist_lower_array(model->c, (size_t)outputs + 1, sizeof *drive->numbers);
    if (!drive->numbers) {
        return false;
    }
    for (uint32_t i = 0; i < outputs; i++) {
        const darwinn_lower_border *const border = &drive->borders[inputs + i];
        char part[32];
        (void)snprintf(part, sizeof part, "numbers%" PRIu32, i);
        drive->numbers[i] = HOIST_NO_REF;
        if (!border->in_row) {
            drive->numbers[i] = darwinn_lower_walk_buffer(
                &drive->main, part,
                (hoist_prog_buffer){.space = model->chip->memory,
                                    .size = (uint64_t)border->elements * border->type->size,
                                    .alignment = 1,
                                    .lifetime = HOIST_LIFETIME_RUN});
        }
    }
    return true;
}

// Main before caching: models without a caching executable need no token.
static bool prepare_main(darwinn_lower_model *model)
{
    darwinn_lower_drive *const drive = model->drive;
    const uint64_t layers =
        (uint64_t)model->main->input_layers.count + model->main->output_layers.count;
    return begin_walk(model, model->roles.main, "main", &drive->main) &&
           make_borders(model, (uint32_t)layers) && check_calls(model) &&
           darwinn_lower_walk_check(&drive->main, drive->borders) && make_numbers(model) &&
           darwinn_lower_walk_functions(&drive->main, drive);
}

// The function of a caching executable has no layers: it transfers parameters.
static bool prepare_caching(darwinn_lower_model *model)
{
    darwinn_lower_drive *const drive = model->drive;
    if (!model->caching) {
        return true;
    }
    drive->token = darwinn_lower_tokens_add(model, model->caching->parameter_caching_token);
    return drive->token != HOIST_NO_REF &&
           begin_walk(model, model->roles.caching, "caching", &drive->caching) &&
           darwinn_lower_walk_functions(&drive->caching, NULL);
}

// Runs before code is built, since buffers, units and functions cannot be made inside it.
bool darwinn_lower_drive_prepare(darwinn_lower_model *model)
{
    model->drive = hoist_lower_array(model->c, 1, sizeof *model->drive);
    if (!model->drive) {
        return false;
    }
    make_units(model->chip);
    return prepare_main(model) && prepare_caching(model);
}

// Steps of the driver ---------------------------------------------------------------------------

// A call of a unit.
typedef struct posted {
    hoist_ref unit;
    hoist_ref function;
    hoist_ref counter; // that goes up when it is complete; HOIST_NO_REF: none
    hoist_loc loc;
    hoist_str label;
} posted;

// Functions of units take one argument: how often the executable was run before.
static void post(darwinn_lower_walk *walk, const posted *p, hoist_prog_value runs)
{
    const hoist_prog_argument argument = {.value = runs};
    const hoist_prog_signal signal = {
        .semaphore = p->counter, .op = HOIST_SIGNAL_ADD, .value = hoist_lower_number(1)};
    const hoist_prog_target target = {
        .function = p->function, .arguments = &argument, .argument_count = 1};
    (void)hoist_builder_step(
        walk->model->c->b,
        &(hoist_prog_step){.kind = HOIST_STEP_POST,
                           .loc = p->loc,
                           .label = p->label,
                           .as.call = {.unit = p->unit,
                                       .target = target,
                                       .signals = &signal,
                                       .signal_count = p->counter != HOIST_NO_REF}});
}

static void drain(darwinn_lower_walk *walk, hoist_ref unit, const char *label)
{
    (void)hoist_builder_step(walk->model->c->b, &(hoist_prog_step){.kind = HOIST_STEP_DRAIN,
                                                                   .loc = walk->loc,
                                                                   .label = hoist_str_from(label),
                                                                   .as.call.unit = unit});
}

// Waits until all transfers that were started are complete: the driver's fence.
static void drain_transfers(darwinn_lower_walk *walk, const char *label)
{
    const darwinn_lower_chip *const chip = walk->model->chip;
    drain(walk, chip->infeed, label);
    drain(walk, chip->path, "");
    drain(walk, chip->outfeed, "");
}

// Chunks are sent on the infeed like data.
static void post_item(darwinn_lower_walk *walk, const darwinn_lower_item *item,
                      hoist_prog_value runs)
{
    const darwinn_lower_chip *const chip = walk->model->chip;
    const hoist_ref units[DARWINN_LOWER_PATHS] = {[DARWINN_LOWER_IN] = chip->infeed,
                                                  [DARWINN_LOWER_OUT] = chip->outfeed,
                                                  [DARWINN_LOWER_PARAMETERS] = chip->path};
    const bool is_chunk = item->kind == DARWINN_LOWER_CHUNK;
    const posted p = {.unit = is_chunk ? chip->infeed : units[item->path],
                      .function = item->function,
                      .counter = is_chunk ? walk->chunks : walk->paths[item->path],
                      .loc = item->loc,
                      .label = item->label};
    post(walk, &p, runs);
}

// One run of an executable, while its items are added.
typedef struct stride {
    darwinn_lower_walk *walk;
    hoist_prog_value runs;
    hoist_ref spare;
    uint32_t interrupts[DARWINN_LOWER_INTERRUPTS]; // waited for so far
} stride;

static void await(const stride *s, hoist_ref counter, uint32_t total, uint32_t upto,
                  const char *label)
{
    darwinn_lower_await(s->walk, counter,
                        darwinn_lower_target(s->walk, s->runs, s->spare, total, upto), label);
}

static void await_interrupt(stride *s, uint32_t number)
{
    s->interrupts[number]++;
    await(s, s->walk->interrupts[number], s->walk->interrupt_total[number], s->interrupts[number],
          "interrupt");
}

// USB. Hinted items are started at once, others when the chip asks for them. The chip never asks
// for its first chunk, without which it cannot ask.
static void walk_item(stride *s, const darwinn_lower_item *item)
{
    switch (item->kind) {
    case DARWINN_LOWER_CHUNK:
    case DARWINN_LOWER_TRANSFER:
        if (!item->is_hinted && item->asked) {
            await(s, s->walk->asked, s->walk->asked_total, item->asked, "until it is asked for");
        }
        post_item(s->walk, item, s->runs);
        break;
    case DARWINN_LOWER_INTERRUPT:
        await_interrupt(s, item->index);
        break;
    case DARWINN_LOWER_FENCE:
        drain_transfers(s->walk, "fence");
        break;
    }
}

// PCIe. The host gives all chunks and makes all buffers available; each transfer waits for the chip
// by itself (drive_chip.c). Its interrupts end the run.
static void walk_all(stride *s)
{
    darwinn_lower_walk *const walk = s->walk;
    static const darwinn_lower_item_kind order[] = {DARWINN_LOWER_CHUNK, DARWINN_LOWER_TRANSFER,
                                                    DARWINN_LOWER_INTERRUPT};
    for (size_t k = 0; k < HOIST_COUNT_OF(order); k++) {
        for (uint32_t i = 0; i < walk->count; i++) {
            const darwinn_lower_item *const item = &walk->items[i];
            if (item->kind != order[k]) {
                continue;
            }
            if (item->kind == DARWINN_LOWER_INTERRUPT) {
                await_interrupt(s, item->index);
            } else {
                post_item(walk, item, s->runs);
            }
        }
    }
}

// The chip's program first: it waits for chunk 0, and everything else follows from it.
void darwinn_lower_walk_run(darwinn_lower_walk *walk, hoist_prog_value runs, hoist_ref spare)
{
    stride s = {.walk = walk, .runs = runs, .spare = spare};
    const darwinn_lower_chip *const chip = walk->model->chip;
    const posted program = {.unit = chip->cores,
                            .function = walk->program,
                            .counter = HOIST_NO_REF,
                            .loc = walk->loc,
                            .label = hoist_str_from(walk->role)};
    post(walk, &program, runs);
    if (chip->c->options->driver == HOIST_DRIVER_PCIE) {
        walk_all(&s);
    } else {
        for (uint32_t i = 0; i < walk->count; i++) {
            walk_item(&s, &walk->items[i]);
        }
    }
    // Requests do not overlap.
    drain_transfers(walk, "end of request");
    drain(walk, chip->cores, "");
}

// Requests --------------------------------------------------------------------------------------

// The host's buffer of an element of a layer, from which a border starts.
static hoist_lower_view buffer_of(const darwinn_lower_drive *drive, uint32_t twin, uint32_t element)
{
    const darwinn_lower_twin *const t = &drive->main.twins[twin];
    return (hoist_lower_view){.base = HOIST_VIEW_BUFFER,
                              .of = t->host,
                              .dtype = HOIST_DTYPE_U8,
                              .offset = (int64_t)(element * t->stride)};
}

static void bring_inputs(darwinn_lower_model *model, const hoist_lower_view *inputs,
                         uint32_t elements)
{
    const darwinn_lower_drive *const drive = model->drive;
    const uint32_t count = model->main->input_layers.count;
    for (uint32_t e = 0; e < elements; e++) {
        for (uint32_t i = 0; i < count; i++) {
            const hoist_lower_view buffer = buffer_of(drive, i, e);
            darwinn_lower_to_chip(model, &drive->borders[i], &inputs[(size_t)e * count + i],
                                  &buffer);
        }
    }
}

static void bring_outputs(darwinn_lower_model *model, const hoist_lower_view *outputs,
                          uint32_t elements)
{
    const darwinn_lower_drive *const drive = model->drive;
    const uint32_t inputs = model->main->input_layers.count;
    const uint32_t count = model->main->output_layers.count;
    for (uint32_t e = 0; e < elements; e++) {
        for (uint32_t i = 0; i < count; i++) {
            const hoist_lower_view buffer = buffer_of(drive, inputs + i, e);
            darwinn_lower_from_chip(model, &drive->borders[inputs + i], &buffer,
                                    &outputs[(size_t)e * count + i]);
        }
    }
}

// The caching executable inside a condition on the token, then the main one. A thread counts its
// runs from 0, since counters are zero at the start of a run.
static void run_chip(darwinn_lower_model *model)
{
    darwinn_lower_chip *const chip = model->chip;
    darwinn_lower_drive *const drive = model->drive;
    darwinn_lower_tokens_compare(chip, model->main->parameter_caching_token);
    if (chip->c->status != HOIST_OK) {
        return;
    }
    const hoist_ref spare = darwinn_lower_tokens_spare(chip);
    if (model->caching) {
        darwinn_lower_tokens_enter(chip, drive->token);
        darwinn_lower_walk_run(&drive->caching, darwinn_lower_tokens_runs(chip, drive->token),
                               spare);
        darwinn_lower_tokens_leave(chip, drive->token);
    }
    if (drive->thread != chip->thread) {
        drive->thread = chip->thread;
        drive->runs = 0;
    }
    darwinn_lower_walk_run(&drive->main, hoist_lower_number(drive->runs++), spare);
}

// Bounds the steps of a request, which grow with its elements.
static bool check_request(darwinn_lower_model *model, uint32_t elements)
{
    const darwinn_lower_drive *const drive = model->drive;
    const uint64_t runs = (elements + (uint64_t)drive->main.batch - 1) / drive->main.batch;
    const uint64_t items = (uint64_t)drive->main.count + drive->caching.count;
    if (runs * items + elements * drive->boxes > DARWINN_LOWER_MAX_STEPS) {
        return darwinn_lower_refuse(
            model, RUN_008,
            "a request of %" PRIu32 " elements is %" PRIu64 " runs of %" PRIu64
            " transfers and %" PRIu64 " moves for each element, at most %d in all",
            elements, runs, items, drive->boxes, (int)DARWINN_LOWER_MAX_STEPS);
    }
    return true;
}

// As many runs of the chip as batches of its own size hold the elements. Missing elements of the
// last batch are whatever the buffers hold, and their results are not read (reference 4.4).
void darwinn_lower_drive_run(darwinn_lower_model *model, const darwinn_lower_request *request)
{
    const uint32_t batch = model->drive->main.batch;
    const size_t inputs = model->main->input_layers.count;
    const size_t outputs = model->main->output_layers.count;
    if (!check_request(model, request->elements)) {
        return;
    }
    const hoist_prog_work none = darwinn_lower_cycles(model, 0);
    hoist_builder_work(model->c->b, &none); // copies of the driver belong to its request
    for (uint32_t i = 0; i < request->elements && model->c->status == HOIST_OK; i += batch) {
        const uint32_t left = request->elements - i;
        const uint32_t elements = left < batch ? left : batch;
        bring_inputs(model, request->inputs + i * inputs, elements);
        run_chip(model);
        bring_outputs(model, request->outputs + i * outputs, elements);
    }
    hoist_builder_work(model->c->b, NULL);
}
