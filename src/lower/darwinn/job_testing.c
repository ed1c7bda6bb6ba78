#include "lower/darwinn/job_testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "program/text.h"

static void *make(hoist_test *t, size_t count, size_t size)
{
    void *items = hoist_arena_array(&t->arena, count, size);
    if (!items) {
        abort();
    }
    return items;
}

dwn_layer *darwinn_job_layers(hoist_test *t, const darwinn_job_layer *plan, uint32_t *out_count)
{
    dwn_layer *layers = make(t, DARWINN_JOB_LAYERS, sizeof *layers);
    uint32_t count = 0;
    for (; count < DARWINN_JOB_LAYERS && plan[count].name; count++) {
        const darwinn_job_layer *row = &plan[count];
        dwn_numerics *numerics = make(t, 1, sizeof *numerics);
        dwn_test_border(&layers[count], numerics, row->extent, row->zero);
        layers[count].name = hoist_str_from(row->name);
        layers[count].data_type = row->type;
        layers[count].execution_count_per_inference = row->executions ? row->executions : 1;
        layers[count].size_bytes = (int32_t)(row->extent.h * row->extent.w * row->extent.c);
        if (row->rank > 0) {
            uint8_t *const ranges = make(t, 2 * row->rank, sizeof *row->ranges);
            for (size_t i = 0; i < 2 * row->rank; i++) {
                hoist_store_u32le(ranges + i * sizeof *row->ranges, (uint32_t)row->ranges[i]);
            }
            layers[count].shape = make(t, 1, sizeof *layers[count].shape);
            layers[count].shape->dimension =
                (hoist_bytes){ranges, 2 * row->rank * sizeof *row->ranges};
        }
    }
    *out_count = count;
    return layers;
}

static dwn_shared shared_of(const darwinn_job_plan *plan)
{
    dwn_shared shared = {
        .sketches = plan->sketches, .size = plan->cached, .is_streamed = plan->is_alone};
    while (shared.count < DARWINN_JOB_SKETCHES &&
           (plan->sketches[shared.count].reduction || plan->sketches[shared.count].mode ||
            plan->sketches[shared.count].opcode || plan->sketches[shared.count].code)) {
        shared.count++;
    }
    return shared;
}

void darwinn_job_operations(const darwinn_job_plan *plan, dwn_maker *m)
{
    const dwn_shared shared = shared_of(plan);
    for (size_t i = 0; i < shared.count; i++) {
        for (size_t k = 0; i + 1 == shared.count && plan->constants[0] && k < DARWINN_JOB_CONSTANTS;
             k++) {
            dwn_make_constant(m, plan->constants[k]);
        }
        dwn_make_shared(m, &shared, i);
    }
}

void darwinn_job_runs(const darwinn_job_plan *plan, dwn_maker *m)
{
    const dwn_shared shared = shared_of(plan);
    dwn_make_runs(m, &shared);
}

// An executable of one chunk: of the program that is run, or that caches parameters.
static dwn_executable *executable_of(hoist_test *t, const darwinn_job_plan *plan, bool is_main,
                                     hoist_bytes parameters)
{
    dwn_executable *e = make(t, 1, sizeof *e);
    dwn_maker *maker = make(t, 1, sizeof *maker);
    dwn_make_begin(maker);
    if (is_main) {
        darwinn_job_operations(plan, maker);
    } else {
        darwinn_job_runs(plan, maker);
    }
    *e = (dwn_executable){.name = HOIST_STR("model"),
                          .batch_size = plan->batch ? plan->batch : 1,
                          .chip = HOIST_STR("beagle"),
                          .type = is_main ? DWN_EXECUTION_ONLY : DWN_PARAMETER_CACHING,
                          .parameters = parameters,
                          .parameter_caching_token = 1};
    e->instruction_bitstreams.items = make(t, 1, sizeof(dwn_bitstream));
    e->instruction_bitstreams.items[0].bitstream = dwn_make_end(maker, false);
    e->instruction_bitstreams.count = 1;
    if (is_main) {
        e->input_layers.items = darwinn_job_layers(t, plan->inputs, &e->input_layers.count);
        e->output_layers.items = darwinn_job_layers(t, plan->outputs, &e->output_layers.count);
    }
    return e;
}

// Two words of 16 rows: row r has its 1 at input r.
static void make_one_hot(uint8_t *block, uint32_t rows)
{
    enum { ROWS = 16, WORD = 4, BLOCK = 2 * ROWS * WORD };
    memset(block, 0, BLOCK);
    for (uint32_t r = 0; r < rows; r++) {
        block[(r / WORD * ROWS + r) * WORD + r % WORD] = 1;
    }
}

hoist_bytes darwinn_job_package(hoist_test *t, const darwinn_job_plan *plan)
{
    uint8_t *blob = make(t, plan->cached + 1, 1);
    memset(blob, plan->fill, plan->cached);
    if (plan->one_hot) {
        make_one_hot(blob + plan->cached - 128, plan->one_hot);
    }
    dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    draft.executables[0] = executable_of(t, plan, true, (hoist_bytes){blob, 0});
    draft.executables[1] = executable_of(t, plan, false, (hoist_bytes){blob, plan->cached});
    return dwn_draft_package(&draft);
}

hoist_status darwinn_job_lower(hoist_test *t, hoist_bytes package,
                               const hoist_lower_options *options, hoist_program **out_program)
{
    static const hoist_lower_options usual = {.struct_size = sizeof usual,
                                              .driver = HOIST_DRIVER_NONE};
    dwn_module *module = NULL;
    *out_program = NULL;
    const hoist_status status = dwn_test_read(t, package, &module);
    if (status != HOIST_OK) {
        return status;
    }
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.bin")};
    const hoist_status lowered =
        darwinn_lower(&file, 1, NULL, options ? options : &usual, t->diag, out_program);
    dwn_destroy(&module->base);
    return lowered;
}

hoist_str darwinn_job_steps(hoist_test *t, const hoist_program *program, const char *function)
{
    hoist_buffer text;
    hoist_buffer out;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
    hoist_buffer_char(&text, '\0');
    const hoist_str head = hoist_arena_format(&t->arena, "function %s {\n", function);
    const char *at = strstr(hoist_buffer_text(&text).data, head.data);
    const char *end = at ? strstr(at, "\n}") : NULL;
    for (at = at ? strchr(at, '\n') + 1 : NULL; at && at < end; at = strchr(at, '\n') + 1) {
        const char *line = at + strspn(at, " ");
        if (strncmp(line, "parameter ", strlen("parameter ")) == 0) {
            continue;
        }
        hoist_buffer_format(&out, "%s%.*s", out.size ? "\n" : "", (int)strcspn(line, "\n"), line);
    }
    const hoist_str steps = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&out);
    return steps;
}
