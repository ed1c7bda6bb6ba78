// Packages as parts of a program (model.h): chooses the executables, recovers the layers and
// reports gaps, has their function made (layers.c) and the driver's walk prepared (drive.c). Users:
// lower.c here, custom.c of lower/tflite.
#include "lower/darwinn/model.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/scalar_hints.h"

// The chip --------------------------------------------------------------------------------------

// The space of the chip's memory; units come with the first driven model.
static void make_chip(darwinn_lower_chip *chip)
{
    if (!chip->is_made) {
        chip->memory = hoist_builder_space(
            chip->c->b, &(hoist_prog_space){.name = HOIST_STR("chip"), .alignment = 1});
        chip->infeed = chip->outfeed = chip->path = chip->cores = HOIST_NO_REF;
        chip->middles[0] = chip->middles[1] = HOIST_NO_REF;
        chip->is_made = true;
    }
}

// Preparing -------------------------------------------------------------------------------------

// One package of one chip with an executable to run; false: it is another, which was reported.
static bool choose(darwinn_lower_model *model)
{
    const dwn_module *module = model->module;
    const dwn_contents *contents = module->packages;
    if (module->package_count != 1) {
        return darwinn_lower_refuse(model, RUN_033, "the file has %" PRIu32 " packages, expected 1",
                                    module->package_count);
    }
    if (contents->chip_count > 0) {
        return darwinn_lower_refuse(
            model, RUN_033, "the package has executables of several chips, expected those of one");
    }
    const dwn_roles roles = dwn_roles_of(contents);
    if (roles.main == DWN_NONE || !contents->images[roles.main].rows) {
        return darwinn_lower_refuse(model, RUN_033, "the package has no executable to run");
    }
    const int32_t batch = contents->images[roles.main].rows->batch_size;
    if (batch < 1 || batch > HOIST_MAX_BATCH) {
        return darwinn_lower_refuse(model, RUN_033,
                                    "the batch size is %" PRId32 ", expected 1 to %d", batch,
                                    HOIST_MAX_BATCH);
    }
    model->contents = contents;
    model->roles = roles;
    model->main = contents->images[roles.main].rows;
    model->caching = roles.caching == DWN_NONE ? NULL : contents->images[roles.caching].rows;
    return true;
}

// RUN_032 refuses the file; with on_unknown it is the note RUN_041. A gap is in instructions, in
// parameters, or an output that no layer makes.
static void report_gap(darwinn_lower_model *model, const dwn_gap *gap)
{
    const hoist_lower_rule_id rule =
        model->c->options->on_unknown == HOIST_UNKNOWN_STOP ? RUN_032 : RUN_041;
    const dwn_image *image = &model->contents->images[model->roles.main];
    if (gap->words.words > 0) {
        enum { WORD = 16 };
        const hoist_bytes chunk = image->chunks[gap->words.chunk].stream.bytes;
        const uint32_t last = gap->words.word + gap->words.words - 1;
        char layer[32] = "";
        if (gap->has_layer) {
            (void)snprintf(layer, sizeof layer, "layer %" PRIu32 ": ", gap->layer);
        }
        darwinn_lower_refuse_at(
            model, rule,
            dwn_place_in_file(model->module, chunk.data + (size_t)gap->words.word * WORD),
            "%s%s (chunk %" PRIu32 ", words %" PRIu32 " to %" PRIu32 ")", layer, gap->reason,
            gap->words.chunk, gap->words.word, last);
    } else if (gap->piece.size > 0) {
        const hoist_bytes all =
            gap->piece.is_cached ? model->caching->parameters : model->main->parameters;
        darwinn_lower_refuse_at(model, rule,
                                dwn_place_in_file(model->module, all.data + gap->piece.offset),
                                "%s (%s parameters, bytes %" PRIu64 " to %" PRIu64 ")", gap->reason,
                                gap->piece.is_cached ? "cached" : "streamed", gap->piece.offset,
                                gap->piece.offset + gap->piece.size - 1);
    } else {
        darwinn_lower_refuse(model, rule, "%s layer '%.*s'", gap->reason,
                             HOIST_STR_ARGS(model->main->output_layers.items[gap->output].name));
    }
}

// Gaps are reported all at once; errors among them end the work here.
static bool recover(darwinn_lower_model *model)
{
    darwinn_lower_chip *chip = model->chip;
    const hoist_status status = dwn_recover(model->contents, &chip->c->arena, &model->recovery);
    if (status == HOIST_LIMIT) {
        darwinn_lower_refuse_program(model, &model->contents->images[model->roles.main], "main");
    } else {
        hoist_lower_fail(chip->c, status);
    }
    if (status != HOIST_OK) {
        return false;
    }
    hoist_lower_fail(chip->c, dwn_count_cycles(&model->contents->images[model->roles.main],
                                               &model->recovery, &chip->c->arena, &model->cycles));
    if (chip->c->status != HOIST_OK) {
        return false;
    }
    for (uint32_t i = 0; i < model->recovery.gap_count; i++) {
        report_gap(model, &model->recovery.gaps[i]);
    }
    return chip->c->errors == model->errors;
}

// One number of executions for all layers, since the function runs all of them together. A state of
// several executions would need the order between them. False: reported.
bool darwinn_lower_count_executions(darwinn_lower_model *model)
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
        if (count < 1 || count > DARWINN_LOWER_MAX_EXECUTIONS || (is_state && count > 1) ||
            (i > 0 && (uint32_t)count != model->executions)) {
            return darwinn_lower_refuse(model, RUN_033,
                                        "layer '%.*s' is executed %" PRId32
                                        " times for an inference, expected all as often%s",
                                        HOIST_STR_ARGS(layer->name), count,
                                        is_state ? ", and states once" : "");
        }
        model->executions = (uint32_t)count;
    }
    return true;
}

// RUN_044, a note: in integers layers round as TFLite does, but with the multipliers of 24 bits
// that the file has. What TFLite took from scales is not in it.
static void report_multipliers(darwinn_lower_model *model)
{
    const hoist_lower_options *options = model->c->options;
    uint64_t channels = 0;
    for (uint32_t i = 0; i < model->recovery.count; i++) {
        channels += model->recovery.layers[i].weights ? model->recovery.layers[i].rows : 0;
    }
    if (channels && options->notes_multipliers && model->requantization != HOIST_REQUANTIZE_FLOAT) {
        darwinn_lower_refuse(model, RUN_044,
                             "multipliers of %" PRIu64
                             " channels have 24 bits, those of TFLite 31: results may be a step "
                             "away from the source's",
                             channels);
    }
}

bool darwinn_lower_prepare(darwinn_lower_chip *chip, const dwn_module *module, hoist_str name,
                           darwinn_lower_model *out_model)
{
    // A model that was refused half way adds nothing to the program: errors keep it from being
    // made.
    *out_model = (darwinn_lower_model){.chip = chip,
                                       .c = chip->c,
                                       .errors = chip->c->errors,
                                       .module = module,
                                       .name = name,
                                       .requantization = chip->c->options->requantization,
                                       .source = chip->source,
                                       .layers = HOIST_NO_REF};
    make_chip(chip);
    if (!choose(out_model) || !recover(out_model)) {
        return false;
    }
    out_model->layers = darwinn_lower_layers(out_model);
    if (out_model->layers == HOIST_NO_REF || !darwinn_lower_count_executions(out_model)) {
        return false;
    }
    if (chip->c->options->driver != HOIST_DRIVER_NONE && !darwinn_lower_drive_prepare(out_model)) {
        return false;
    }
    report_multipliers(out_model);
    return true;
}

void darwinn_lower_run(darwinn_lower_model *model, const darwinn_lower_request *request)
{
    if (model->drive) {
        darwinn_lower_drive_run(model, request);
    } else {
        darwinn_lower_plain_run(model, request);
    }
}
