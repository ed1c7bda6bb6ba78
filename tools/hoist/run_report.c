// hoist run: the report as JSON: outputs, expectations, times. run_text.c writes the same for
// people.
// Keys and their order are those of schemas/run.json; `hoist bench` uses the parts for programs
// and inputs.
#include <stdio.h>

#include "base/alloc.h"
#include "base/span.h"
#include "run.h"

// `type` is what the program computes with, `host_type` what the host reads and writes.
static void send_port(const hoist_port *port, const char *name, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "name", name);
    hoist_tree_c(sink, "kind", port->is_queue ? "queue" : "ram");
    hoist_tree_c(sink, "type", hoist_dtype_get(port->dtype)->name);
    hoist_tree_c(sink, "host_type", hoist_dtype_get(port->host_dtype)->name);
    hoist_tree_short_list(sink, "shape");
    for (uint32_t i = 0; i < port->rank; i++) {
        hoist_tree_int(sink, "", port->shape[i]);
    }
    hoist_tree_end(sink);
}

void run_send_inputs(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "inputs");
    for (size_t i = 0; i < r->input_count; i++) {
        const run_input *input = &r->inputs[i];
        hoist_tree_map(sink, "");
        send_port(&input->port, input->name, sink);
        // As given on the command line, such as "@in.npy" or "random:1".
        hoist_tree_c(sink, "source", input->spec);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// null: there is no element with a value.
static void send_figures(const run_figures *f, hoist_tree_sink *sink)
{
    if (f->known) {
        hoist_tree_float(sink, "least", f->least, HOIST_UNIT_NONE);
        hoist_tree_float(sink, "greatest", f->greatest, HOIST_UNIT_NONE);
        hoist_tree_float(sink, "mean", f->mean, HOIST_UNIT_NONE);
    } else {
        hoist_tree_null(sink, "least");
        hoist_tree_null(sink, "greatest");
        hoist_tree_null(sink, "mean");
    }
    hoist_tree_uint(sink, "nan", f->not_numbers, HOIST_UNIT_NONE);
    char text[24];
    (void)snprintf(text, sizeof(text), "%016llx", (unsigned long long)f->checksum);
    hoist_tree_c(sink, "checksum", text);
}

// One item for each output of this process; under a launcher those of rank 0.
static void send_outputs(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "outputs");
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        run_figures f;
        if (!output->wanted) {
            continue;
        }
        run_figures_of(output, &f);
        hoist_tree_map(sink, "");
        send_port(&output->port, output->name, sink);
        char numbers[RUN_NUMBERS];
        hoist_tree_c(sink, "numbers", run_numbers(r, output, numbers));
        hoist_tree_uint(sink, "entries", output->entries, HOIST_UNIT_NONE);
        // More than 0 only after --on-unknown=poison.
        hoist_tree_uint(sink, "unknown_bytes", output->unknown, HOIST_UNIT_BYTES);
        send_figures(&f, sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// All figures are 0 where the shapes differ: nothing was compared.
static void send_expectations(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "expectations");
    for (size_t i = 0; i < r->expectation_count; i++) {
        const run_expectation *e = &r->expectations[i];
        const run_comparison *c = &e->result;
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "name", e->output->name);
        hoist_tree_c(sink, "file", e->path);
        hoist_tree_bool(sink, "passed", c->passed);
        hoist_tree_bool(sink, "same_shape", c->same_shape);
        hoist_tree_uint(sink, "elements", c->elements, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "differing", c->differing, HOIST_UNIT_NONE);
        hoist_tree_float(sink, "max_abs", c->max_abs, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "max_abs_at", c->max_at, HOIST_UNIT_NONE);
        hoist_tree_float(sink, "max_rel", c->max_rel, HOIST_UNIT_NONE);
        hoist_tree_maybe_float(sink, "pcc", c->pcc_known, c->pcc, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// Parameters are those that the program really got, by their complete names.
void run_send_programs(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "programs");
    for (size_t i = 0; i < r->program_count; i++) {
        const run_program *program = &r->programs[i];
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "name", program->name);
        hoist_tree_map(sink, "parameters");
        for (size_t k = 0; k < program->parameter_count; k++) {
            hoist_tree_int(sink, program->parameters[k].name, program->parameters[k].value);
        }
        hoist_tree_end(sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

void run_send_fast(const run *r, hoist_tree_sink *sink)
{
    if (r->counts.fast) {
        hoist_tree_c(sink, "fast_products", r->counts.fast);
    }
}

// Counts are of the session, over all its runs, warm-up included; times are of measured
// iterations.
static void send_summary(run *r, hoist_tree_sink *sink)
{
    const hoist_session_counts *c = &r->counts;
    const run_times t = run_times_of(r->seconds, (size_t)r->iterations);
    hoist_tree_map(sink, "summary");
    hoist_tree_uint(sink, "iterations", r->iterations, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "seconds", t.total, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "least_seconds", t.least, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "median_seconds", t.median, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "mean_seconds", t.mean, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "calls", c->calls, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "compute_steps", c->computes, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "moves", c->moves, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "control_steps", c->control_steps, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "memory_bytes", c->memory_bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "commands", c->commands, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "full_waits", c->full_waits, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "idle_waits", c->idle_waits, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cache_hits", c->cache_hits, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cache_misses", c->cache_misses, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cache_evictions", c->cache_evictions, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "threads", c->threads, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "cpu_level", c->cpu_level);
    hoist_tree_bool(sink, "exact", c->exact);
    run_send_fast(r, sink);
    hoist_tree_end(sink);
}

// "top" is there with --top only, as it can be long.
static tool_exit report_json(run *r)
{
    hoist_document doc;
    tool_document(r->t, &doc, false);
    tool_send_file(r->file, &doc.sink);
    run_send_programs(r, &doc.sink);
    run_send_inputs(r, &doc.sink);
    hoist_status status = HOIST_OK;
    send_outputs(r, &doc.sink);
    if (r->top) {
        hoist_tree_list(&doc.sink, "top");
        status = run_send_top(r, &doc.sink);
        hoist_tree_end(&doc.sink);
    }
    send_expectations(r, &doc.sink);
    tool_send_warnings(r->t, r->file, &doc.sink);
    send_summary(r, &doc.sink);
    return tool_worse(tool_exit_of(status), tool_document_end(&doc));
}

// The last thing a run does: outputs and traces are written by then.
tool_exit run_report(run *r)
{
    return tool_given(r->t, OPT_JSON) ? report_json(r) : run_report_text(r);
}
