// Texts of tensors to programs: a buffer for each tensor, a compute step for each op.
#include "lower/tensors/lower.h"

#include "base/span.h"
#include "formats/tensors/module.h"
#include "lower/context.h"
#include "lower/views.h"

typedef struct job {
    hoist_lower_context c;
    const tensors_module *m;
    hoist_ref *views; // arena; by statement: all of its tensor
} job;

static void add_buffer(job *j, hoist_ref space, size_t index, bool is_output)
{
    const tensors_statement *s = &j->m->statements[index];
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, HOIST_DTYPE_F32, &s->shape);
    hoist_prog_buffer row = {.name = s->name,
                             .loc = s->loc,
                             .space = space,
                             .size = (uint64_t)hoist_shape_count(&s->shape) * sizeof(float),
                             .alignment = 1,
                             .window_of = HOIST_NO_REF,
                             .lifetime = HOIST_LIFETIME_RUN,
                             .output = is_output,
                             .typed = true,
                             .dtype = HOIST_DTYPE_F32,
                             .layout = hoist_lower_view_layout(j->c.b, &view)};
    if (s->kind == &tensors_kinds[TENSORS_INPUT]) {
        row.lifetime = HOIST_LIFETIME_SESSION;
        row.contents = HOIST_CONTENTS_CALLER;
    } else if (s->kind == &tensors_kinds[TENSORS_CONST]) {
        const bool zeros = j->c.options->control_only;
        row.lifetime = HOIST_LIFETIME_CONSTANT;
        row.contents = zeros ? HOIST_CONTENTS_ZERO : HOIST_CONTENTS_BYTES;
        row.bytes = zeros ? (hoist_bytes){NULL, 0} : s->data;
    }
    view.of = hoist_builder_buffer(j->c.b, &row);
    j->views[index] = hoist_lower_view_ref(j->c.b, &view);
}

static void add_step(job *j, size_t index)
{
    const tensors_statement *s = &j->m->statements[index];
    const hoist_ref inputs[TENSORS_MAX_OPERANDS] = {j->views[s->operands[0]],
                                                    j->views[s->operands[1]]};
    const hoist_prog_compute compute = {.op = s->kind->op,
                                        .inputs = inputs,
                                        .input_count = TENSORS_MAX_OPERANDS,
                                        .outputs = &j->views[index],
                                        .output_count = 1};
    (void)hoist_builder_step(j->c.b, &(hoist_prog_step){.kind = HOIST_STEP_COMPUTE,
                                                        .loc = s->loc,
                                                        .label = s->name,
                                                        .as.compute = &compute});
}

static void lower_statements(job *j, bool *is_output)
{
    const tensors_statement *s = j->m->statements;
    const hoist_ref space = hoist_builder_space(
        j->c.b, &(hoist_prog_space){.name = HOIST_STR("memory"), .alignment = 1});
    for (size_t i = 0; i < j->m->count; i++) {
        is_output[s[i].operands[0]] |= s[i].kind == &tensors_kinds[TENSORS_OUTPUT];
    }
    for (size_t i = 0; i < j->m->count; i++) {
        if (s[i].kind->has_name) {
            add_buffer(j, space, i, is_output[i]);
        }
    }
    const hoist_ref thread =
        hoist_builder_begin_thread(j->c.b, &(hoist_prog_thread){.name = HOIST_STR("main")});
    for (size_t i = 0; i < j->m->count; i++) {
        if (s[i].kind->op != HOIST_COMPUTE_COUNT) {
            add_step(j, i);
        }
    }
    hoist_builder_end_code(j->c.b);
    (void)hoist_builder_entry(
        j->c.b,
        &(hoist_prog_entry){.name = HOIST_STR("run"), .threads = &thread, .thread_count = 1});
}

hoist_status tensors_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                           const hoist_lower_options *options, hoist_diag *diag,
                           hoist_program **out_program)
{
    job j = {.m = tensors_of(files->module)};
    (void)count; // one: files of this format do not make jobs together
    (void)check; // nothing in them is about tensors
    *out_program = NULL;
    hoist_status status = hoist_lower_begin(&j.c, HOIST_STR("tensors"), files, options, diag);
    if (status == HOIST_OK) {
        bool *is_output = hoist_lower_array(&j.c, j.m->count, sizeof(*is_output));
        j.views = hoist_lower_array(&j.c, j.m->count, sizeof(*j.views));
        if (is_output && j.views) {
            lower_statements(&j, is_output);
        }
        status = hoist_lower_finish(&j.c, NULL, 0, out_program);
    }
    hoist_lower_deinit(&j.c);
    return status;
}
