// hoist run: what came out, how it compares, and what it took.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size_text.h"
#include "base/span.h"
#include "report/table.h"
#include "run.h"

// Figures of an output's elements.
typedef struct figures {
    bool known;   // the elements have values, and there are some
    double least; // of those that are numbers
    double greatest;
    double mean;
    uint64_t not_numbers;
    uint64_t checksum; // FNV-1a of the bytes
} figures;

static uint64_t checksum(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void measure(const float *values, size_t count, figures *out)
{
    out->least = INFINITY;
    out->greatest = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = (double)values[i];
        if (isnan(value)) {
            out->not_numbers++;
            continue;
        }
        out->least = value < out->least ? value : out->least;
        out->greatest = value > out->greatest ? value : out->greatest;
        sum += value;
    }
    out->known = count > out->not_numbers;
    out->mean = sum / (double)(count - out->not_numbers);
}

static hoist_status figures_of(const run *r, const run_output *output, figures *out)
{
    *out = (figures){.checksum = checksum(output->data, output->size)};
    const hoist_array array = {.dtype = output->dtype, .data = {output->data, output->size}};
    const size_t count = output->size / hoist_array_element_size(output->dtype);
    float *values = hoist_alloc(r->t->alloc, count * sizeof(float));
    if (!values) {
        return count ? HOIST_NO_MEMORY : HOIST_OK;
    }
    if (hoist_array_floats(&array, values) == HOIST_OK) {
        measure(values, count, out);
    }
    hoist_free(r->t->alloc, values, count * sizeof(float));
    return HOIST_OK;
}

// Text --------------------------------------------------------------------------------------------

enum { COLUMNS = 8 };

static hoist_str shape_text(hoist_arena *arena, const hoist_port *port)
{
    hoist_str text = HOIST_STR("");
    for (uint32_t i = 0; i < port->rank; i++) {
        text = hoist_arena_format(arena, "%.*s%s%lld", HOIST_STR_ARGS(text), i ? "x" : "",
                                  (long long)port->shape[i]);
    }
    return text;
}

static hoist_status fill_row(run *r, const run_output *output, hoist_str *cells)
{
    figures f;
    HOIST_TRY(figures_of(r, output, &f));
    hoist_arena *arena = &r->arena;
    cells[0] = output->shown;
    cells[1] = hoist_str_from(hoist_dtype_get(output->port.dtype)->name);
    cells[2] = shape_text(arena, &output->port);
    cells[3] = hoist_arena_format(arena, "%llu", (unsigned long long)output->entries);
    const double numbers[] = {f.least, f.greatest, f.mean};
    for (size_t i = 0; i < 3; i++) {
        cells[4 + i] = f.known ? hoist_arena_format(arena, "%.6g", numbers[i]) : HOIST_STR("-");
    }
    cells[7] = hoist_arena_format(arena, "%016llx", (unsigned long long)f.checksum);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!cells[i].data) {
            return HOIST_NO_MEMORY;
        }
    }
    return HOIST_OK;
}

static hoist_status print_outputs(run *r, hoist_buffer *out)
{
    const hoist_table_column columns[COLUMNS] = {
        {HOIST_STR("output"), false}, {HOIST_STR("type"), false},     {HOIST_STR("entry"), false},
        {HOIST_STR("entries"), true}, {HOIST_STR("least"), true},     {HOIST_STR("greatest"), true},
        {HOIST_STR("mean"), true},    {HOIST_STR("checksum"), false},
    };
    hoist_str *cells = hoist_arena_array(&r->arena, r->output_count * COLUMNS, sizeof(*cells));
    hoist_table table = {.columns = columns, .column_count = COLUMNS, .cells = cells};
    if (!cells) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < r->output_count; i++) {
        if (r->outputs[i].wanted) {
            HOIST_TRY(fill_row(r, &r->outputs[i], &cells[table.row_count * COLUMNS]));
            table.row_count++;
        }
    }
    return hoist_table_write(&table, 0, r->t->width, r->t->color, &r->arena, out);
}

static void print_written(const run *r, const char *folder, hoist_buffer *out)
{
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        if (output->wanted) {
            hoist_buffer_format(out, "%.*s: %llu %s to %s\n", HOIST_STR_ARGS(output->shown),
                                (unsigned long long)output->entries,
                                hoist_plural(output->entries, "entry", "entries"), folder);
        }
    }
}

static void print_place(const run_expectation *e, hoist_buffer *out)
{
    const hoist_port *port = &e->output->port;
    uint64_t at = e->result.max_at;
    uint64_t size = run_entry_elements(port);
    hoist_buffer_format(out, "[%llu", (unsigned long long)(size ? at / size : 0));
    for (uint32_t i = 0; size && i < port->rank; i++) {
        at %= size;
        size /= (uint64_t)port->shape[i];
        hoist_buffer_format(out, ", %llu", (unsigned long long)(at / size));
    }
    hoist_buffer_c(out, "]");
}

static void print_expectation(const run_expectation *e, hoist_buffer *out)
{
    const run_comparison *c = &e->result;
    hoist_buffer_format(out, "%.*s: %s %s: ", HOIST_STR_ARGS(e->output->shown),
                        c->passed ? "as" : "NOT as", e->path);
    if (!c->same_shape) {
        const uint64_t found = e->output->entries * run_entry_elements(&e->output->port);
        hoist_buffer_format(out, "%zu elements wanted, %llu found in entries of its shape\n",
                            e->count, (unsigned long long)found);
        return;
    }
    hoist_buffer_format(out, "%llu of %llu differ, largest %.6g", (unsigned long long)c->differing,
                        (unsigned long long)c->elements, c->max_abs);
    if (c->max_abs > 0) {
        hoist_buffer_c(out, " at ");
        print_place(e, out);
    }
    hoist_buffer_format(out, ", relative %.6g, pcc ", c->max_rel);
    if (c->pcc_known) {
        hoist_buffer_format(out, "%.9g\n", c->pcc);
    } else {
        hoist_buffer_c(out, "n/a\n");
    }
}

static void print_count(uint64_t count, const char *one, const char *many, hoist_buffer *out)
{
    hoist_buffer_format(out, "%llu %s", (unsigned long long)count, hoist_plural(count, one, many));
}

static void print_summary(run *r, hoist_buffer *out)
{
    const hoist_session_counts *c = &r->counts;
    const run_times t = run_times_of(r->seconds, (size_t)r->iterations);
    print_count(r->program_count, "program", "programs", out);
    hoist_buffer_c(out, ", ");
    print_count(c->calls, "call", "calls", out);
    hoist_buffer_c(out, ", ");
    print_count(c->computes, "compute step", "compute steps", out);
    hoist_buffer_c(out, ", ");
    print_count(c->moves, "move", "moves", out);
    if (r->iterations > 1) {
        hoist_buffer_format(out, "\n%llu iterations: least %.6f s, median %.6f s, mean %.6f s\n",
                            (unsigned long long)r->iterations, t.least, t.median, t.mean);
    } else {
        hoist_buffer_format(out, " in %.6f s\n", t.total);
    }
    const hoist_size_text memory = hoist_size_text_of(c->memory_bytes);
    hoist_buffer_format(out, "%s %s", memory.number, memory.unit);
    hoist_buffer_c(out, " of tensors, code cache ");
    print_count(c->cache_hits, "hit", "hits", out);
    hoist_buffer_c(out, ", ");
    print_count(c->cache_misses, "miss", "misses", out);
    hoist_buffer_c(out, ", ");
    print_count(c->cache_evictions, "eviction", "evictions", out);
    hoist_buffer_c(out, ", ");
    print_count(c->threads, "thread", "threads", out);
    hoist_buffer_format(out, ", %s\n", c->cpu_level);
    if (!c->exact) {
        hoist_buffer_c(out, "this CPU or C library does not give the reference's bits in every "
                            "function; last digits may differ\n");
    }
}

static tool_exit report_text(run *r)
{
    hoist_buffer text;
    hoist_buffer_init(&text, r->t->alloc);
    const char *folder = r->t->values[OPT_OUTPUT_DIR];
    hoist_status status = HOIST_OK;
    if (folder) {
        print_written(r, folder, &text);
    } else {
        status = print_outputs(r, &text);
    }
    for (size_t i = 0; i < r->expectation_count; i++) {
        print_expectation(&r->expectations[i], &text);
    }
    if (!tool_given(r->t, OPT_QUIET)) {
        print_summary(r, &text);
    }
    const tool_exit code = tool_print(r->t, &text);
    hoist_buffer_deinit(&text);
    return tool_worse(code, tool_exit_of(status));
}

// JSON --------------------------------------------------------------------------------------------

static void send_shape(const hoist_port *port, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, "shape");
    for (uint32_t i = 0; i < port->rank; i++) {
        hoist_tree_int(sink, "", port->shape[i]);
    }
    hoist_tree_end(sink);
}

static void send_port(const hoist_port *port, const char *name, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "name", name);
    hoist_tree_c(sink, "kind", port->is_queue ? "queue" : "ram");
    hoist_tree_c(sink, "type", hoist_dtype_get(port->dtype)->name);
    hoist_tree_c(sink, "host_type", hoist_dtype_get(port->host_dtype)->name);
    send_shape(port, sink);
}

void run_send_inputs(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "inputs");
    for (size_t i = 0; i < r->input_count; i++) {
        const run_input *input = &r->inputs[i];
        hoist_tree_map(sink, "");
        send_port(&input->port, input->name, sink);
        hoist_tree_c(sink, "source", input->spec);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

static void send_figures(const figures *f, hoist_tree_sink *sink)
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

static hoist_status send_outputs(run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "outputs");
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        figures f;
        if (!output->wanted) {
            continue;
        }
        HOIST_TRY(figures_of(r, output, &f));
        hoist_tree_map(sink, "");
        send_port(&output->port, output->name, sink);
        hoist_tree_uint(sink, "entries", output->entries, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "unknown_bytes", output->unknown, HOIST_UNIT_BYTES);
        send_figures(&f, sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

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
        if (c->pcc_known) {
            hoist_tree_float(sink, "pcc", c->pcc, HOIST_UNIT_NONE);
        } else {
            hoist_tree_null(sink, "pcc");
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

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
    hoist_tree_uint(sink, "cache_hits", c->cache_hits, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cache_misses", c->cache_misses, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cache_evictions", c->cache_evictions, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "threads", c->threads, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "cpu_level", c->cpu_level);
    hoist_tree_bool(sink, "exact", c->exact);
    hoist_tree_end(sink);
}

static tool_exit report_json(run *r)
{
    hoist_document doc;
    tool_document(r->t, &doc, false);
    hoist_tree_c(&doc.sink, "file", r->file->path);
    hoist_tree_c(&doc.sink, "format", hoist_job_format(r->file->job));
    run_send_programs(r, &doc.sink);
    run_send_inputs(r, &doc.sink);
    const hoist_status status = send_outputs(r, &doc.sink);
    send_expectations(r, &doc.sink);
    send_summary(r, &doc.sink);
    return tool_worse(tool_exit_of(status), tool_document_end(r->t, &doc));
}

tool_exit run_report(run *r)
{
    return tool_given(r->t, OPT_JSON) ? report_json(r) : report_text(r);
}
