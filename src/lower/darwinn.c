// Packages as parts of a program: what is run of them, and why something is not.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/scalar_hints.h"
#include "lower/darwinn_lower.h"

// Reporting -------------------------------------------------------------------------------------

enum { MOST_FRAMES = 3 }; // of a finding's path

// Pushes where the executable is: of the file, or of the operator that holds the package.
static size_t enter(const hoist_darwinn_model *model, hoist_frame frames[MOST_FRAMES])
{
    hoist_darwinn_chip *chip = model->chip;
    const hoist_payload *payload = model->module->payload;
    size_t count = 0;
    if (payload) {
        hoist_diag_push(chip->diag, &frames[count++], NULL, payload->kind, payload->path);
    }
    if (model->module->is_custom) {
        hoist_diag_push(chip->diag, &frames[count++], NULL, HOIST_STR(""), HOIST_STR("packages/0"));
    }
    if (model->main) {
        const hoist_str path =
            hoist_arena_format(chip->arena, "executables/%" PRIu32, model->roles.main);
        hoist_diag_push(chip->diag, &frames[count++], NULL, HOIST_STR(""), path);
    }
    return count;
}

HOIST_PRINTF(4, 0)
static void report(hoist_darwinn_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                   const char *format, va_list args)
{
    hoist_darwinn_chip *chip = model->chip;
    hoist_frame frames[MOST_FRAMES];
    size_t count = enter(model, frames);
    const hoist_rule *row = hoist_lower_rule(rule);
    hoist_vreport(chip->diag, row, loc, format, args);
    while (count > 0) {
        hoist_diag_pop(chip->diag, &frames[--count]);
    }
    chip->refused = chip->refused || row->severity == HOIST_ERROR;
}

void hoist_darwinn_refuse_at(hoist_darwinn_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(model, rule, loc, format, args);
    va_end(args);
}

void hoist_darwinn_refuse(hoist_darwinn_model *model, hoist_lower_rule_id rule, const char *format,
                          ...)
{
    const hoist_loc loc =
        model->main
            ? DWN_FIELD_PLACE(model->module, model->contents->images[model->roles.main].bytes,
                              executable, model->main, version)
            : hoist_loc_byte(model->module->base_offset);
    va_list args;
    va_start(args, format);
    report(model, rule, loc, format, args);
    va_end(args);
}

void hoist_darwinn_refuse_program(hoist_darwinn_model *model, const dwn_image *image,
                                  const char *role)
{
    size_t links = 0;
    uint64_t bytes = 0;
    if (!dwn_links_count(image->chunks, image->chunk_count, &links)) {
        hoist_darwinn_refuse(model, RUN_008,
                             "the %s executable has more than %d links, or more than %d bytes of "
                             "their names",
                             role, (int)DWN_MAX_LINKS, (int)DWN_MAX_NAMES);
        return;
    }
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        bytes += image->chunks[i].stream.bytes.size;
    }
    hoist_darwinn_refuse(model, RUN_008,
                         "the %s executable has %" PRIu32 " chunks of %" PRIu64
                         " bytes in all, at most %d are run",
                         role, image->chunk_count, bytes, (int)DWN_MAX_PROGRAM);
}

// Memory ----------------------------------------------------------------------------------------

static void make_chip(hoist_darwinn_chip *chip)
{
    if (!chip->is_made) {
        chip->memory = hoist_builder_space(
            chip->b, &(hoist_prog_space){.name = HOIST_STR("chip"), .alignment = 1});
        chip->infeed = chip->outfeed = chip->path = chip->cores = HOIST_NO_REF;
        chip->middles[0] = chip->middles[1] = HOIST_NO_REF;
        chip->is_made = true;
    }
}

// A name that no buffer has; data NULL: out of memory.
static hoist_str new_name(const hoist_darwinn_model *model)
{
    hoist_darwinn_chip *chip = model->chip;
    for (size_t i = chip->names->count;; i++) {
        const hoist_str name =
            hoist_arena_format(chip->arena, "%.*s/%zu", HOIST_STR_ARGS(model->name), i);
        const hoist_status status =
            name.data ? hoist_map_add(chip->names, name, 0, NULL) : HOIST_NO_MEMORY;
        if (status != HOIST_BUSY) {
            return status == HOIST_OK ? name : (hoist_str){NULL, 0};
        }
    }
}

hoist_ref hoist_darwinn_memory(hoist_darwinn_model *model, const hoist_quant_view *view)
{
    hoist_darwinn_chip *chip = model->chip;
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape = view->shape};
    const int64_t bytes = hoist_shape_count(&view->shape) * hoist_dtype_get(view->dtype)->bits / 8;
    const hoist_str name = new_name(model);
    if (!name.data) {
        chip->status = HOIST_NO_MEMORY;
        return HOIST_NO_REF;
    }
    for (int i = 0; i < view->shape.rank; i++) {
        layout.stride[i] = view->stride[i];
    }
    return hoist_builder_buffer(
        chip->b, &(hoist_prog_buffer){.name = name,
                                      .space = chip->memory,
                                      .size = (uint64_t)bytes,
                                      .alignment = 1,
                                      .window_of = HOIST_NO_REF,
                                      .typed = true,
                                      .dtype = view->dtype,
                                      .layout = hoist_builder_layout(chip->b, &layout)});
}

void hoist_darwinn_begin_steps(const hoist_darwinn_chip *chip, hoist_ref space,
                               hoist_quant_layers *out_steps)
{
    hoist_quant_init(out_steps, chip->b, chip->arena, chip->names, space);
    out_steps->constants = chip->constants;
}

void hoist_darwinn_end_steps(hoist_darwinn_chip *chip, const hoist_quant_layers *steps)
{
    chip->constants = steps->constants;
}

// Preparing -------------------------------------------------------------------------------------

// The package and executable that are run.
static bool choose(hoist_darwinn_model *model)
{
    const dwn_module *module = model->module;
    const dwn_contents *contents = module->packages;
    if (module->package_count != 1 || contents->chip_count > 0) {
        hoist_darwinn_refuse(model, RUN_033, "%s, one is run",
                             module->package_count == 1 ? "the package has those of several chips"
                                                        : "there are several packages");
        return false;
    }
    const dwn_roles roles = dwn_roles_of(contents);
    if (roles.main == DWN_NONE || !contents->images[roles.main].rows) {
        hoist_darwinn_refuse(model, RUN_033, "the package has no executable to run");
        return false;
    }
    const int32_t batch = contents->images[roles.main].rows->batch_size;
    if (batch < 1 || batch > HOIST_MAX_BATCH) {
        hoist_darwinn_refuse(model, RUN_033, "the batch size is %" PRId32 ", wanted 1 to %d", batch,
                             HOIST_MAX_BATCH);
        return false;
    }
    model->contents = contents;
    model->roles = roles;
    model->main = contents->images[roles.main].rows;
    model->caching = roles.caching == DWN_NONE ? NULL : contents->images[roles.caching].rows;
    return true;
}

static void report_gap(hoist_darwinn_model *model, const dwn_gap *gap)
{
    const hoist_lower_rule_id rule =
        model->chip->options->on_unknown == HOIST_UNKNOWN_STOP ? RUN_032 : RUN_041;
    const dwn_image *image = &model->contents->images[model->roles.main];
    if (gap->words.words > 0) {
        enum { WORD = 16 };
        const hoist_bytes chunk = image->chunks[gap->words.chunk].stream.bytes;
        const uint32_t last = gap->words.word + gap->words.words - 1;
        char layer[32] = "";
        if (gap->has_layer) {
            (void)snprintf(layer, sizeof layer, "layer %" PRIu32 ": ", gap->layer);
        }
        hoist_darwinn_refuse_at(
            model, rule,
            dwn_place_in_file(model->module, chunk.data + (size_t)gap->words.word * WORD),
            "%s%s (chunk %" PRIu32 ", words %" PRIu32 " to %" PRIu32 ")", layer, gap->reason,
            gap->words.chunk, gap->words.word, last);
    } else if (gap->piece.size > 0) {
        const hoist_bytes all =
            gap->piece.is_cached ? model->caching->parameters : model->main->parameters;
        hoist_darwinn_refuse_at(model, rule,
                                dwn_place_in_file(model->module, all.data + gap->piece.offset),
                                "%s (%s parameters, bytes %" PRIu64 " to %" PRIu64 ")", gap->reason,
                                gap->piece.is_cached ? "cached" : "streamed", gap->piece.offset,
                                gap->piece.offset + gap->piece.size - 1);
    } else {
        hoist_darwinn_refuse(model, rule, "%s layer '%.*s'", gap->reason,
                             HOIST_STR_ARGS(model->main->output_layers.items[gap->output].name));
    }
}

static bool recover(hoist_darwinn_model *model)
{
    hoist_darwinn_chip *chip = model->chip;
    const hoist_status status = dwn_recover(model->contents, chip->arena, &model->recovery);
    if (status == HOIST_LIMIT) {
        hoist_darwinn_refuse_program(model, &model->contents->images[model->roles.main], "main");
    } else if (status != HOIST_OK) {
        chip->status = status;
    }
    if (status != HOIST_OK) {
        return false;
    }
    for (uint32_t i = 0; i < model->recovery.gap_count; i++) {
        report_gap(model, &model->recovery.gaps[i]);
    }
    return !chip->refused;
}

// All layers are executed as often, and none goes on with what the one before left.
bool hoist_darwinn_count_executions(hoist_darwinn_model *model)
{
    const dwn_executable *e = model->main;
    const uint32_t inputs = e->input_layers.count;
    const uint32_t layers = inputs + e->output_layers.count;
    model->executions = 1;
    for (uint32_t i = 0; i < layers; i++) {
        const dwn_layer *layer =
            i < inputs ? &e->input_layers.items[i] : &e->output_layers.items[i - inputs];
        const int32_t count = layer->execution_count_per_inference;
        const bool is_state = i >= inputs && dwn_layer_is_state(layer, e);
        if (count < 1 || count > HOIST_DARWINN_MAX_EXECUTIONS || (is_state && count > 1) ||
            (i > 0 && (uint32_t)count != model->executions)) {
            hoist_darwinn_refuse(model, RUN_033,
                                 "layer '%.*s' is executed %" PRId32
                                 " times for an inference, wanted all as often%s",
                                 HOIST_STR_ARGS(layer->name), count,
                                 is_state ? ", and states once" : "");
            return false;
        }
        model->executions = (uint32_t)count;
    }
    return true;
}

bool hoist_darwinn_prepare(hoist_darwinn_chip *chip, const dwn_module *module, hoist_str name,
                           hoist_darwinn_model *out_model)
{
    *out_model = (hoist_darwinn_model){.chip = chip,
                                       .module = module,
                                       .name = name,
                                       .requantization = chip->options->requantization,
                                       .source = chip->source,
                                       .layers = HOIST_NO_REF};
    make_chip(chip);
    if (!choose(out_model) || !recover(out_model)) {
        return false;
    }
    out_model->layers = hoist_darwinn_layers(out_model);
    if (out_model->layers == HOIST_NO_REF || !hoist_darwinn_count_executions(out_model)) {
        return false;
    }
    return chip->options->driver == HOIST_DRIVER_NONE || hoist_darwinn_drive_prepare(out_model);
}

int64_t hoist_darwinn_elements(const dwn_layer *layer)
{
    int64_t elements = dwn_layer_elements(layer);
    return elements < 0 ||
                   hoist_ckd_mul_i64(&elements, elements, layer->execution_count_per_inference)
               ? -1
               : elements;
}

void hoist_darwinn_run(hoist_darwinn_model *model, const hoist_darwinn_request *request)
{
    if (model->drive) {
        hoist_darwinn_drive_run(model, request);
    } else {
        hoist_darwinn_plain_run(model, request);
    }
}
