// The checks of the model itself: header, buffers, kinds of operators; and the order of all checks.
#include "formats/tflite/check.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"

static void push(hoist_diag *diag, tflite_scope *scope)
{
    hoist_diag_push(diag, &scope->frame, NULL, (hoist_str){NULL, 0}, hoist_str_from(scope->path));
}

void tflite_enter(hoist_diag *diag, tflite_scope *scope, const char *list, uint32_t index)
{
    (void)snprintf(scope->path, sizeof(scope->path), "%s/%" PRIu32, list, index);
    push(diag, scope);
}

void tflite_enter_part(hoist_diag *diag, tflite_scope *scope, uint32_t graph, const char *list,
                       uint32_t index)
{
    (void)snprintf(scope->path, sizeof(scope->path), "subgraphs/%" PRIu32 "/%s/%" PRIu32, graph,
                   list, index);
    push(diag, scope);
}

void tflite_leave(hoist_diag *diag, const tflite_scope *scope)
{
    hoist_diag_pop(diag, &scope->frame);
}

static void check_header(tflite_checker *c)
{
    const hoist_str identifier = hoist_fb_identifier(c->module->file);
    if (c->module->file.size && !hoist_str_equal_c(identifier, TFLITE_IDENTIFIER)) {
        char shown[4];
        for (size_t i = 0; i < sizeof(shown); i++) {
            const char byte = i < identifier.size ? identifier.data[i] : 0;
            shown[i] = byte >= ' ' && byte <= '~' ? byte : '?';
        }
        tflite_report(c->diag, TFL_001, hoist_loc_byte(4), "the identifier is '%.4s', wanted '%s'",
                      shown, TFLITE_IDENTIFIER);
    }
    if (c->model->version != TFLITE_SCHEMA_VERSION) {
        tflite_report(c->diag, TFL_002, TFLITE_PLACE(c, model, c->model, version),
                      "the version of the schema is %" PRIu32 ", wanted %d", c->model->version,
                      TFLITE_SCHEMA_VERSION);
    }
    if (c->model->subgraphs.count == 0) {
        tflite_report(c->diag, TFL_003, TFLITE_PLACE(c, model, c->model, subgraphs),
                      "the model has no subgraph");
    }
}

static void check_first_buffer(tflite_checker *c)
{
    const size_t size = tflite_buffer_data(c->module, 0).size;
    if (size > 0) {
        tflite_report(c->diag, TFL_004, TFLITE_PLACE(c, model, c->model, buffers),
                      "buffer 0 has %zu %s, wanted none", size,
                      hoist_plural(size, "byte", "bytes"));
    }
}

static void check_far(tflite_checker *c, hoist_loc place, uint64_t offset, uint64_t size)
{
    if (offset > 1 && !tflite_in_file(c->module, offset, size)) {
        tflite_report(c->diag, TFL_010, place,
                      "%" PRIu64 " bytes of data at byte %" PRIu64 " end behind the file of %zu",
                      size, offset, c->module->file.size);
    }
}

static void check_buffers(tflite_checker *c)
{
    check_first_buffer(c);
    for (uint32_t i = 0; i < c->model->buffers.count; i++) {
        const tflite_buffer *const buffer = &c->model->buffers.items[i];
        tflite_scope scope;
        tflite_enter(c->diag, &scope, "buffers", i);
        check_far(c, TFLITE_PLACE(c, buffer, buffer, offset), buffer->offset, buffer->size);
        tflite_leave(c->diag, &scope);
    }
    for (uint32_t i = 0; i < c->model->metadata.count; i++) {
        const tflite_metadata *const metadata = &c->model->metadata.items[i];
        if (metadata->buffer >= c->model->buffers.count) {
            tflite_scope scope;
            tflite_enter(c->diag, &scope, "metadata", i);
            tflite_report(c->diag, TFL_009, TFLITE_PLACE(c, metadata, metadata, buffer),
                          "metadata '%.*s' has buffer %" PRIu32 ", the model has %" PRIu32,
                          HOIST_STR_ARGS(metadata->name), metadata->buffer,
                          c->model->buffers.count);
            tflite_leave(c->diag, &scope);
        }
    }
}

// Custom options of models above 2 GiB lie behind the FlatBuffer, as data do.
static void check_far_options(tflite_checker *c, uint32_t graph_index)
{
    const tflite_subgraph *const graph = &c->model->subgraphs.items[graph_index];
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        const tflite_operator *const op = &graph->operators.items[i];
        tflite_scope scope;
        tflite_enter_part(c->diag, &scope, graph_index, "operators", i);
        check_far(c, TFLITE_PLACE(c, operator, op, large_custom_options_offset),
                  op->large_custom_options_offset, op->large_custom_options_size);
        tflite_leave(c->diag, &scope);
    }
}

static void check_numbers(tflite_checker *c, const tflite_operator_code *code)
{
    const int32_t number = tflite_code_number(code);
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
                      "builtin_code is %" PRId32 " and deprecated_builtin_code %d, wanted %" PRId32,
                      code->builtin_code, code->deprecated_builtin_code, old);
    }
}

static void check_codes(tflite_checker *c)
{
    for (uint32_t i = 0; i < c->model->operator_codes.count; i++) {
        const tflite_operator_code *const code = &c->model->operator_codes.items[i];
        tflite_scope scope;
        tflite_enter(c->diag, &scope, "operator_codes", i);
        check_numbers(c, code);
        if (tflite_code_number(code) == TFLITE_OP_CUSTOM && code->custom_code.size == 0) {
            tflite_report(c->diag, TFL_024, TFLITE_PLACE(c, operator_code, code, custom_code),
                          "a custom operator has no name");
        }
        tflite_leave(c->diag, &scope);
    }
}

hoist_status tflite_check(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag)
{
    (void)options;
    const tflite_module *const m = tflite_of(module);
    tflite_checker c = {.module = m, .model = m->model, .diag = diag};
    check_header(&c);
    check_buffers(&c);
    check_codes(&c);
    for (uint32_t i = 0; i < m->model->subgraphs.count; i++) {
        tflite_check_tensors(&c, i);
        check_far_options(&c, i);
        tflite_check_operators(&c, i);
        HOIST_TRY(hoist_deadline_look(module->deadline));
        HOIST_TRY(tflite_check_flow(&c, i));
    }
    HOIST_TRY(tflite_check_external(&c));
    HOIST_TRY(tflite_check_calls(&c));
    return tflite_check_signatures(&c);
}
