// hoist run: the report for people: a table of outputs, a line for each expectation, times.
// run_report.c writes the same as JSON.
#include <stdio.h>
#include <string.h>

#include "base/size_text.h"
#include "base/span.h"
#include "base/tree.h"
#include "report/plain.h"
#include "report/text.h"
#include "run.h"

// Numbers as people compare them: six digits.
static void send_number(hoist_tree_sink *sink, const char *key, const run_figures *f, double number)
{
    hoist_tree_maybe_float(sink, key, f->known, number, HOIST_UNIT_NONE);
}

// A row is narrow by choice: eight columns fit 80 characters for usual names.
static void send_output_row(const run_output *output, hoist_tree_sink *sink)
{
    run_figures f;
    char checksum_text[24];
    run_figures_of(output, &f);
    (void)snprintf(checksum_text, sizeof(checksum_text), "%016llx", (unsigned long long)f.checksum);
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "output", output->port.name);
    hoist_tree_c(sink, "type", hoist_dtype_get(output->port.dtype)->name);
    // "1x3x224x224": an entry, without the number of entries, which has its own column.
    char text[256];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < output->port.rank && used < sizeof(text); i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld", i ? "x" : "",
                                 (long long)output->port.shape[i]);
    }
    hoist_tree_c(sink, "entry", text);
    hoist_tree_uint(sink, "entries", output->entries, HOIST_UNIT_NONE);
    send_number(sink, "least", &f, f.least);
    send_number(sink, "greatest", &f, f.greatest);
    send_number(sink, "mean", &f, f.mean);
    hoist_tree_c(sink, "checksum", checksum_text);
    hoist_tree_end(sink);
}

static hoist_status send_output_rows(const run *r, hoist_tree_sink *sink)
{
    for (size_t i = 0; i < r->output_count; i++) {
        if (r->outputs[i].wanted) {
            send_output_row(&r->outputs[i], sink);
        }
    }
    return HOIST_OK;
}

// A table of the rows that `send` sends.
// `send` sends maps of equal keys; hoist_text makes a table of such a list.
static hoist_status print_table(const run *r,
                                hoist_status (*send)(const run *r, hoist_tree_sink *sink),
                                hoist_buffer *out)
{
    hoist_text text;
    hoist_text_init(&text, out, r->t->width, r->t->color);
    hoist_tree_sink sink = hoist_text_sink(&text);
    hoist_tree_list(&sink, "");
    const hoist_status status = send(r, &sink);
    hoist_tree_end(&sink);
    hoist_text_deinit(&text);
    return status == HOIST_OK ? sink.status : status;
}

// What the numbers of the table of outputs are.
// float32 needs no explanation; other types say whether and how the reference rounded to them.
static void print_meaning(const run *r, hoist_buffer *out)
{
    hoist_buffer_c(
        out, "least, greatest and mean are of the elements; checksum: FNV-1a of their bytes\n");
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *const output = &r->outputs[i];
        char numbers[RUN_NUMBERS];
        if (output->wanted && run_has_numerics(r) && output->port.dtype != HOIST_DTYPE_F32) {
            hoist_buffer_format(out, "%.*s: %s\n", HOIST_STR_ARGS(output->shown),
                                run_numbers(r, output, numbers));
        }
        hoist_port_facts facts = {.struct_size = sizeof(facts)};
        if (output->wanted &&
            hoist_job_port_facts(r->file->job, output->port.name, &facts) == HOIST_OK &&
            facts.is_quantized) {
            // "n - -128" reads badly, so the sign moves into the operator. 0 - x is defined for
            // INT64_MIN as unsigned.
            const bool is_below = facts.zero_point < 0; // of some int64, so the sign is dropped
            hoist_buffer_format(out, "%.*s: a number n stands for %.9g * (n %c %llu)\n",
                                HOIST_STR_ARGS(output->shown), facts.scale, is_below ? '+' : '-',
                                is_below ? 0 - (unsigned long long)facts.zero_point
                                         : (unsigned long long)facts.zero_point);
        }
    }
}

// Lines that may be too long for the window.
// Each line is wrapped only if it does not fit, since wrapping also merges blanks.
static void print_lines(const run *r, const hoist_buffer *lines, hoist_buffer *out)
{
    enum { INDENT = 4 }; // of what is left of a line
    hoist_str rest = hoist_buffer_text(lines);
    while (rest.size) {
        const char *end = memchr(rest.data, '\n', rest.size);
        const size_t size = end ? (size_t)(end - rest.data) : rest.size;
        const hoist_str line = hoist_str_slice(rest, 0, size);
        const bool fits = !r->t->width || hoist_plain_width(line) <= r->t->width;
        hoist_plain_wrap(out, line, INDENT, fits ? 0 : r->t->width);
        hoist_buffer_char(out, '\n');
        rest = hoist_str_slice(rest, size + 1, rest.size);
    }
    out->failed = out->failed || lines->failed;
}

// In place of the table: whoever has the files needs no checksums.
static void print_written(const run *r, const char *folder, hoist_buffer *out)
{
    for (size_t i = 0; i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        if (output->wanted) {
            hoist_buffer_format(out, "%.*s: %llu %s to ", HOIST_STR_ARGS(output->shown),
                                (unsigned long long)output->entries,
                                hoist_plural(output->entries, "entry", "entries"));
            hoist_plain_write(out, hoist_str_from(folder));
            hoist_buffer_char(out, '\n');
        }
    }
}

// "y: as y.npy: 0 of 4096 differ, largest 0, relative 0, pcc 1".
static void print_expectation(const run_expectation *e, hoist_buffer *out)
{
    const run_comparison *c = &e->result;
    hoist_buffer_format(out, "%.*s: %s %s: ", HOIST_STR_ARGS(e->output->shown),
                        c->passed ? "as" : "NOT as", e->path);
    if (!c->same_shape) {
        const uint64_t found = e->output->entries * run_entry_elements(&e->output->port);
        hoist_buffer_format(out, "%zu elements expected, %llu found in entries of its shape\n",
                            e->count, (unsigned long long)found);
        return;
    }
    // For people six digits do; JSON has all.
    hoist_buffer_format(out, "%llu of %llu differ, largest %.6g", (unsigned long long)c->differing,
                        (unsigned long long)c->elements, c->max_abs);
    if (c->max_abs > 0) {
        hoist_buffer_c(out, " at ");
        const hoist_port *port = &e->output->port;
        // From the number of an element to its indices, the entry first: "[0, 12, 7]".
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
    hoist_buffer_format(out, ", relative %.6g, pcc ", c->max_rel);
    if (c->pcc_known) {
        hoist_buffer_format(out, "%.9g\n", c->pcc);
    } else {
        hoist_buffer_c(out, "n/a\n");
    }
}

// "1 call, " but "2 calls, ".
static void print_count(uint64_t count, const char *one, const char *many, const char *after,
                        hoist_buffer *out)
{
    hoist_buffer_format(out, "%llu %s%s", (unsigned long long)count, hoist_plural(count, one, many),
                        after);
}

// Counts of the program's work, then its times, then the memory and the machine.
static void print_summary(run *r, hoist_buffer *out)
{
    const hoist_session_counts *c = &r->counts;
    const run_times t = run_times_of(r->seconds, (size_t)r->iterations);
    print_count(r->program_count, "program", "programs", ", ", out);
    print_count(c->calls, "call", "calls", ", ", out);
    print_count(c->computes, "compute step", "compute steps", ", ", out);
    print_count(c->moves, "move", "moves", "", out);
    if (r->iterations > 1) {
        hoist_buffer_format(out, "\n%llu iterations: least %.6f s, median %.6f s, mean %.6f s\n",
                            (unsigned long long)r->iterations, t.least, t.median, t.mean);
    } else {
        hoist_buffer_format(out, " in %.6f s\n", t.total);
    }
    const hoist_size_text memory = hoist_size_text_of(c->memory_bytes);
    hoist_buffer_format(out, "%s %s of tensors, code cache ", memory.number, memory.unit);
    print_count(c->cache_hits, "hit", "hits", ", ", out);
    print_count(c->cache_misses, "miss", "misses", ", ", out);
    print_count(c->cache_evictions, "eviction", "evictions", ", ", out);
    print_count(c->threads, "thread", "threads", "", out);
    hoist_buffer_format(out, ", %s\n", c->cpu_level);
    if (c->commands > 0) {
        print_count(c->commands, "command", "commands", ", ", out);
        print_count(c->full_waits, "wait", "waits", " for a free slot, ", out);
        hoist_buffer_format(out, "%llu until all were done\n", (unsigned long long)c->idle_waits);
    }
    if (c->fast) {
        hoist_buffer_format(
            out, "fast products: %s%s\n", c->fast,
            strcmp(c->fast, "none") == 0
                ? ": this CPU has no faster instructions, results are the reference's"
                : "");
    } else if (tool_word_of(r->t, OPT_NUMERICS) == HOIST_NUMERICS_FAST) {
        hoist_buffer_c(out, "fast products: none in this program, results are the reference's\n");
    }
    // The promise of bits is checked at start, by CPU and C library; where it does not hold the
    // user has to know.
    if (!c->exact) {
        hoist_buffer_c(out, "this CPU or C library does not give the reference's bits in every "
                            "function; last digits may differ\n");
    }
}

// Tables go to `text` as they are, sentences to `lines`, which are wrapped at the end.
tool_exit run_report_text(run *r)
{
    hoist_buffer text;
    hoist_buffer lines;
    hoist_buffer_init(&text, r->t->alloc);
    hoist_buffer_init(&lines, r->t->alloc);
    const char *folder = r->t->values[OPT_OUTPUT_DIR];
    hoist_status status = HOIST_OK;
    if (folder) {
        print_written(r, folder, &lines);
    } else {
        status = print_table(r, send_output_rows, &text);
    }
    if (r->top && status == HOIST_OK) {
        hoist_buffer_char(&text, '\n');
        status = print_table(r, run_send_top, &text);
    }
    for (size_t i = 0; i < r->expectation_count; i++) {
        print_expectation(&r->expectations[i], &lines);
    }
    if (!tool_given(r->t, OPT_QUIET)) {
        if (!folder) {
            print_meaning(r, &lines);
        }
        if (r->top) {
            hoist_buffer_c(&lines,
                           "index: in the entry, without dimensions of 1; value: the element "
                           "as it is stored\n");
        }
        print_summary(r, &lines);
    }
    print_lines(r, &lines, &text);
    hoist_buffer_deinit(&lines);
    return tool_worse(tool_print(r->t, &text), tool_exit_of(status));
}
