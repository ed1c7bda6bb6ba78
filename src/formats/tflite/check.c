// The checks of the model itself (header, buffers, kinds of operators), and the order of all
// checks: tensors (check_tensor.c), operators (check_operator.c, check_options.c), data flow
// (check_flow.c), calls (check_calls.c) and signatures (check_signature.c).
#include "formats/tflite/check.h"

#include <inttypes.h>

#include "base/span.h"

// The first bytes of the file, and what no model can be without.
static void check_header(tflite_checker *c)
{
    const hoist_str identifier = hoist_fb_identifier(c->module->file);
    // A model that was made has no file.
    if (c->module->file.size && !hoist_str_equal_c(identifier, TFLITE_IDENTIFIER)) {
        char shown[4];
        for (size_t i = 0; i < sizeof(shown); i++) {
            // The bytes may be anything; shown in a message.
            const char byte = i < identifier.size ? identifier.data[i] : 0;
            shown[i] = byte >= ' ' && byte <= '~' ? byte : '?';
        }
        tflite_report(c->diag, TFL_001, hoist_loc_byte(4),
                      "the identifier is '%.4s', expected '%s'", shown, TFLITE_IDENTIFIER);
    }
    if (c->model->version != TFLITE_SCHEMA_VERSION) {
        tflite_report(c->diag, TFL_002, TFLITE_PLACE(c, model, c->model, version),
                      "the version of the schema is %" PRIu32 ", expected %d", c->model->version,
                      TFLITE_SCHEMA_VERSION);
    }
    if (c->model->subgraphs.count == 0) {
        tflite_report(c->diag, TFL_003, TFLITE_PLACE(c, model, c->model, subgraphs),
                      "the model has no subgraph");
    }
}

// `offset` above 1 means data after the FlatBuffer (model.c).
static void check_far(tflite_checker *c, hoist_loc place, uint64_t offset, uint64_t size)
{
    if (offset > 1 && !tflite_in_file(c->module, offset, size)) {
        tflite_report(c->diag, TFL_010, place,
                      "%" PRIu64 " bytes of data at byte %" PRIu64 " end past the file of %zu",
                      size, offset, c->module->file.size);
    }
}

// Buffer 0 is the empty one by convention. Offsets and sizes of data outside of the FlatBuffer, and
// the buffers of metadata, are numbers of the file that nothing has compared yet.
static void check_buffers(tflite_checker *c)
{
    const size_t size = tflite_buffer_data(c->module, 0).size; // a missing buffer 0 counts as empty
    if (size > 0) {
        tflite_report(c->diag, TFL_004, TFLITE_PLACE(c, model, c->model, buffers),
                      "buffer 0 has %zu %s, expected none", size,
                      hoist_plural(size, "byte", "bytes"));
    }
    for (uint32_t i = 0; i < c->model->buffers.count; i++) {
        const tflite_buffer *const buffer = &c->model->buffers.items[i];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "buffers", i);
        check_far(c, TFLITE_PLACE(c, buffer, buffer, offset), buffer->offset, buffer->size);
        hoist_diag_pop(c->diag, &frame);
    }
    for (uint32_t i = 0; i < c->model->metadata.count; i++) {
        const tflite_metadata *const metadata = &c->model->metadata.items[i];
        if (metadata->buffer >= c->model->buffers.count) {
            hoist_frame frame;
            hoist_diag_push_item(c->diag, &frame, "metadata", i);
            tflite_report(c->diag, TFL_009, TFLITE_PLACE(c, metadata, metadata, buffer),
                          "metadata '%.*s' has buffer %" PRIu32 ", the model has %" PRIu32,
                          HOIST_STR_ARGS(metadata->name), metadata->buffer,
                          c->model->buffers.count);
            hoist_diag_pop(c->diag, &frame);
        }
    }
}

// Custom options of models above 2 GiB lie after the FlatBuffer, as data do.
static void check_far_options(tflite_checker *c, const tflite_subgraph *graph)
{
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        const tflite_operator *const op = &graph->operators.items[i];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "operators", i);
        check_far(c, TFLITE_PLACE(c, operator, op, large_custom_options_offset),
                  op->large_custom_options_offset, op->large_custom_options_size);
        hoist_diag_pop(c->diag, &frame);
    }
}

// Kinds of operators: an unknown number is a warning only, as the file may be newer than
// operators.inc.
static void check_codes(tflite_checker *c)
{
    for (uint32_t i = 0; i < c->model->operator_codes.count; i++) {
        const tflite_operator_code *const code = &c->model->operator_codes.items[i];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "operator_codes", i);
        const int32_t number = tflite_code_number(code);
        // The byte that old runtimes read holds 127 for every number that does not fit it.
        const int32_t most = TFLITE_OP_PLACEHOLDER_FOR_GREATER_OP_CODES;
        const int32_t old = code->builtin_code > most ? most : code->builtin_code;
        const hoist_loc place = TFLITE_PLACE(c, operator_code, code, builtin_code);
        if (!tflite_operator_get(number)) {
            tflite_report(c->diag, TFL_023, place, "no builtin operator has the number %" PRId32,
                          number);
        }
        // Files from before the new field have 0 there.
        if (code->builtin_code != 0 && code->deprecated_builtin_code != old) {
            tflite_report(c->diag, TFL_025, place,
                          "builtin_code is %" PRId32
                          " and deprecated_builtin_code %d, expected %" PRId32,
                          code->builtin_code, code->deprecated_builtin_code, old);
        }
        if (tflite_code_number(code) == TFLITE_OP_CUSTOM && code->custom_code.size == 0) {
            tflite_report(c->diag, TFL_024, TFLITE_PLACE(c, operator_code, code, custom_code),
                          "a custom operator has no name");
        }
        hoist_diag_pop(c->diag, &frame);
    }
}

// Tensors before operators, and the flow last: its findings assume that indices were reported.
static hoist_status check_graph(tflite_checker *c, const tflite_subgraph *graph)
{
    tflite_check_tensors(c, graph);
    check_far_options(c, graph);
    tflite_check_operators(c, graph);
    HOIST_TRY(hoist_deadline_look(c->module->base.deadline));
    return tflite_check_flow(c, graph);
}

hoist_status tflite_check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag)
{
    (void)options;
    const tflite_module *const m = tflite_of(module);
    tflite_checker c = {.module = m, .model = m->model, .diag = diag};
    check_header(&c);
    // Rules of the model first, then each subgraph by itself, then rules that connect subgraphs. A
    // status other than HOIST_OK is a lack of memory or the deadline, never a finding.
    check_buffers(&c);
    check_codes(&c);
    for (uint32_t i = 0; i < m->model->subgraphs.count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(diag, &frame, "subgraphs", i);
        const hoist_status status = check_graph(&c, &m->model->subgraphs.items[i]);
        hoist_diag_pop(diag, &frame);
        HOIST_TRY(status);
    }
    HOIST_TRY(tflite_check_external(&c));
    HOIST_TRY(tflite_check_calls(&c));
    return tflite_check_signatures(&c);
}
