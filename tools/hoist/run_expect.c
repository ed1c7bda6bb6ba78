// hoist run: --expect. Reads the expected arrays before the run and compares after it, by
// run_compare.c.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "ranks.h"
#include "run.h"

static run_limits read_limits(const tool *t)
{
    return (run_limits){.atol = tool_number_of(t, OPT_ATOL, -1), // negative: not given
                        .rtol = tool_number_of(t, OPT_RTOL, -1),
                        .pcc = tool_number_of(t, OPT_PCC, -1),
                        .exact = tool_given(t, OPT_EXACT)};
}

// Everything is compared as float32, which is exact for all types of 24 bits and less.
static tool_exit read_floats(run *r, run_expectation *expectation)
{
    const hoist_array *array = &expectation->array;
    expectation->count = array->data.size / hoist_array_element_size(array->dtype);
    expectation->floats = hoist_alloc(r->t->alloc, expectation->count * sizeof(float));
    if (!expectation->floats && expectation->count) {
        return TOOL_LIMIT;
    }
    if (hoist_array_floats(array, expectation->floats) != HOIST_OK) {
        tool_complain(r->t,
                      "%s holds bit patterns: expected a type, for instance --expect "
                      "%s:bf16=@%s",
                      expectation->path, expectation->output->name, expectation->path);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}

// The name may have a type of its bits, as an input's has.
static tool_exit open_expectation(run *r, const char *text)
{
    const tool_binding binding = run_read_binding(r, text);
    run_output *output = run_find_output(r, binding.name);
    // A ram that only the host writes is no output unless --fetch names it.
    if (!output || !(output->port.output || output->wanted)) {
        return run_refuse_output(r, binding.name, true);
    }
    if (!ranks_have(r->t->ranks, output->port.home)) {
        return TOOL_OK; // another process compares it
    }
    // Also without --fetch: what is compared has to be kept.
    output->wanted = true;
    run_expectation *expectation = &r->expectations[r->expectation_count++];
    expectation->output = output;
    expectation->path = binding.source + 1;
    array_file f;
    const hoist_status status =
        run_read_array(r, expectation->path, binding.dtype, HOIST_DTYPE_F32, false, &f);
    // Taken over whatever the status, for run_close_expectations().
    expectation->file = f.file;
    expectation->array = f.array;
    if (status != HOIST_OK) {
        return tool_report(r->t, status, r->file);
    }
    return read_floats(r, expectation);
}

tool_exit run_open_expectations(run *r)
{
    r->expectations =
        hoist_arena_array(&r->arena, r->t->repeated_count, sizeof(r->expectations[0]));
    if (!r->expectations) {
        return TOOL_LIMIT;
    }
    r->limits = read_limits(r->t);
    tool_exit code = TOOL_OK;
    size_t at = 0;
    for (const char *text; code == TOOL_OK && (text = tool_next_value(r->t, OPT_EXPECT, &at));) {
        code = open_expectation(r, text);
    }
    return code;
}

void run_close_expectations(run *r)
{
    const hoist_allocator alloc = r->t->alloc;
    for (size_t i = 0; i < r->expectation_count; i++) {
        run_expectation *expectation = &r->expectations[i];
        hoist_free(alloc, expectation->floats, expectation->count * sizeof(float));
        hoist_array_deinit(&expectation->array, alloc);
        hoist_file_unmap(&expectation->file);
    }
}

// Dense files have no shape: their size decides. One entry may come without its rank.
static bool same_shape(const run_expectation *expectation)
{
    const run_output *output = expectation->output;
    const hoist_array *array = &expectation->array;
    const uint32_t rank = output->port.rank;
    if (expectation->count != output->entries * run_entry_elements(&output->port)) {
        return false;
    }
    if (array->rank == 0) {
        return true;
    }
    // The last `rank` dimensions are those of an entry; the number of entries follows from the
    // count.
    return (array->rank == rank || array->rank == rank + 1) &&
           memcmp(&array->shape[array->rank - rank], output->port.shape,
                  rank * sizeof(array->shape[0])) == 0;
}

// The limits of the file's own test for an output, where inputs are from it and the user gives
// none.
// HOIST_NOT_FOUND: the file has no test for this output, and the limits of its type hold.
static tool_exit choose_limits(run *r, const run_output *output, run_pair *pair,
                               run_limits *out_limits)
{
    const bool by_test =
        !r->limits.exact && r->limits.atol < 0 && r->limits.rtol < 0 && r->limits.pcc < 0;
    bool from_test = false;
    hoist_test_limits test = {.struct_size = sizeof(test)};
    *out_limits = r->limits;
    for (size_t i = 0; i < r->input_count; i++) {
        from_test = from_test || r->inputs[i].source == RUN_SOURCE_CONFIG;
    }
    if (!by_test || !from_test) {
        return TOOL_OK;
    }
    const hoist_status status =
        hoist_job_test_limits(r->file->job, output->port.name, r->file->diag, &test);
    if (status == HOIST_OK) {
        *out_limits = (run_limits){.atol = test.atol,
                                   .rtol = test.rtol,
                                   .pcc = test.by_pcc ? test.pcc : -1,
                                   .exact = test.exact};
        pair->by_test = !test.exact;
        pair->share = test.share;
    }
    return status == HOIST_NOT_FOUND ? TOOL_OK : tool_report(r->t, status, r->file);
}

// TOOL_NO also where the shape is another: the report says so.
static tool_exit compare(run *r, run_expectation *expectation)
{
    const run_output *output = expectation->output;
    if (!same_shape(expectation)) {
        return TOOL_NO;
    }
    run_limits limits;
    run_pair pair = {.expected = expectation->floats, .count = expectation->count};
    const tool_exit chosen = choose_limits(r, output, &pair, &limits);
    if (chosen != TOOL_OK) {
        return chosen;
    }
    const size_t count = expectation->count;
    float *found = hoist_alloc(r->t->alloc, count * sizeof(float));
    if (count && !found) {
        return TOOL_LIMIT;
    }
    const hoist_array array = {.dtype = output->dtype, .data = {output->data, output->size}};
    // Bit patterns have no values to compare.
    tool_exit code = TOOL_UNSUPPORTED;
    if (hoist_array_floats(&array, found) == HOIST_OK) {
        pair.found = found;
        // Blocks of block floats lie along the last dimension.
        pair.columns = (size_t)output->port.shape[output->port.rank - 1];
        pair.declared = output->port.dtype;
        run_compare_floats(&pair, &limits, &expectation->result);
        code = expectation->result.passed ? TOOL_OK : TOOL_NO;
    }
    hoist_free(r->t->alloc, found, count * sizeof(float));
    return code;
}

// All expectations are compared whatever the first ones gave.
tool_exit run_compare(run *r)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < r->expectation_count; i++) {
        code = tool_worse(code, compare(r, &r->expectations[i]));
    }
    return code;
}
