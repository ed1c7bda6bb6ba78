// The summary of a program (`hoist info`): its entries and ports, the steps by kind, and how many
// bytes and rows it has. In: a module, also of a program that breaks rules. Out: tree events.
#include <stdio.h>

#include "base/checked.h"
#include "base/span.h"
#include "base/tree.h"
#include "formats/program/module.h"
#include "program/fields.h"
#include "program/printer.h"

// Counts of rows have no unit.
static void send_count(hoist_tree_sink *sink, const char *key, uint64_t count)
{
    hoist_tree_uint(sink, key, count, HOIST_UNIT_NONE);
}

// Rows and bytes ---------------------------------------------------------------------------------

static void send_tables(const hoist_program *g, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "tables");
    send_count(sink, "spaces", g->space_count);
    send_count(sink, "buffers", g->buffer_count);
    send_count(sink, "relocations", g->relocation_count);
    send_count(sink, "fifos", g->fifo_count);
    send_count(sink, "units", g->unit_count);
    send_count(sink, "semaphores", g->semaphore_count);
    send_count(sink, "functions", g->function_count);
    send_count(sink, "threads", g->thread_count);
    hoist_tree_end(sink);
}

// Of buffers with memory of their own, by lifetime; sums saturate. What sessions really take is
// less: `dump --plan` has that.
static void send_bytes(const hoist_program *g, hoist_tree_sink *sink)
{
    static const struct {
        const char *key;
        hoist_lifetime lifetime;
    } sums[] = {
        {"constant_bytes", HOIST_LIFETIME_CONSTANT},
        {"session_bytes", HOIST_LIFETIME_SESSION},
        {"run_bytes", HOIST_LIFETIME_RUN},
        {"call_bytes", HOIST_LIFETIME_CALL},
    };
    hoist_tree_map(sink, "memory");
    for (size_t k = 0; k < HOIST_COUNT_OF(sums); k++) {
        uint64_t bytes = 0;
        // Windows are inside their base and would count twice.
        for (uint32_t i = 0; i < g->buffer_count; i++) {
            const hoist_prog_buffer *const buffer = &g->buffers[i];
            if (buffer->lifetime == sums[k].lifetime && buffer->window_of == HOIST_NO_REF &&
                hoist_ckd_add(&bytes, bytes, buffer->size)) {
                bytes = UINT64_MAX;
            }
        }
        hoist_tree_uint(sink, sums[k].key, bytes, HOIST_UNIT_BYTES);
    }
    hoist_tree_end(sink);
}

// Steps ------------------------------------------------------------------------------------------

// Compute steps are counted by op, all others by kind.
typedef struct step_counts {
    uint64_t steps[HOIST_STEP_COUNT];
    uint64_t computes[HOIST_COMPUTE_COUNT];
} step_counts;

// Each step counts once, however often a loop or a call executes it.
static void count_steps(step_counts *counts, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *const step = &code->steps[i];
        if (step->kind != HOIST_STEP_COMPUTE) {
            counts->steps[step->kind]++;
            // An op out of range is a finding of check, not of info.
        } else if ((uint32_t)step->as.compute->op < HOIST_COMPUTE_COUNT) {
            counts->computes[step->as.compute->op]++;
        }
    }
}

// Ops in the order of their table, then other kinds; what does not occur has no row.
static void send_steps(const hoist_program *g, hoist_tree_sink *sink)
{
    step_counts counts = {.steps = {0}};
    for (uint32_t i = 0; i < g->function_count; i++) {
        count_steps(&counts, &g->functions[i].code);
    }
    for (uint32_t i = 0; i < g->thread_count; i++) {
        count_steps(&counts, &g->threads[i].code);
    }
    hoist_tree_list(sink, "steps");
    for (uint32_t i = 0; i < HOIST_COMPUTE_COUNT; i++) {
        const hoist_compute_def *const def = hoist_compute_get((hoist_compute_op)i);
        char op[64];
        if (counts.computes[i]) {
            (void)snprintf(op, sizeof op, "%s.%s", hoist_profile_name(def->profile), def->name);
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "step", op);
            send_count(sink, "count", counts.computes[i]);
            hoist_tree_end(sink);
        }
    }
    for (uint32_t i = 0; i < HOIST_STEP_COUNT; i++) {
        if (counts.steps[i] && i != HOIST_STEP_END) { // an END is part of its loop
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "step", hoist_step_record((hoist_step_kind)i)->keyword);
            send_count(sink, "count", counts.steps[i]);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// Entries and ports ------------------------------------------------------------------------------

// What a caller can run, with the names of parameters.
static void send_entries(const hoist_program *g, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "entries");
    for (uint32_t i = 0; i < g->entry_count; i++) {
        const hoist_prog_entry *const entry = &g->entries[i];
        hoist_tree_map(sink, "");
        hoist_tree_str(sink, "name", entry->name);
        hoist_tree_bool(sink, "once", entry->once);
        send_count(sink, "threads", entry->thread_count);
        hoist_tree_short_list(sink, "parameters");
        for (uint32_t k = 0; k < entry->parameter_count; k++) {
            hoist_tree_str(sink, "", entry->parameters[k].name);
        }
        hoist_tree_end(sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// A port of any kind, so that all have the same keys.
typedef struct port_row {
    hoist_str name;
    const char *kind;
    bool input;
    bool output;
    uint64_t slots;
    bool typed;
    hoist_dtype dtype;
    hoist_ref layout;
} port_row;

// The printer writes types; its buffer is reused.
typedef struct port_sender {
    hoist_printer printer;
    hoist_tree_sink *sink;
} port_sender;

// The type is text, as the file has it; null of plain bytes.
static void send_port(const port_sender *s, const port_row *row)
{
    hoist_buffer *const text = s->printer.out;
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "name", row->name);
    hoist_tree_c(s->sink, "kind", row->kind);
    hoist_tree_bool(s->sink, "input", row->input);
    hoist_tree_bool(s->sink, "output", row->output);
    send_count(s->sink, "slots", row->slots);
    text->size = 0;
    if (row->typed) {
        hoist_print_type(&s->printer, row->dtype, row->layout);
    }
    hoist_tree_maybe_str(s->sink, "type",
                         row->typed ? hoist_buffer_text(text) : (hoist_str){NULL, 0});
    hoist_tree_end(s->sink);
}

// What callers fill and fetch, in the order of hoist_program_port().
static void send_ports(const port_sender *s)
{
    const hoist_program *const g = s->printer.program;
    hoist_tree_list(s->sink, "ports"); // fifos that the caller pushes to or pops from
    for (uint32_t i = 0; i < g->fifo_count; i++) {
        const hoist_prog_fifo *const f = &g->fifos[i];
        const port_row row = {f->name,      f->kind == HOIST_FIFO_QUEUE ? "queue" : "ram",
                              f->host_push, f->host_pop,
                              f->slots,     true,
                              f->dtype,     f->layout};
        if (f->host_push || f->host_pop) {
            send_port(s, &row);
        }
    }
    // Buffers that the caller fills or fetches.
    for (uint32_t i = 0; i < g->index.buffer_count; i++) {
        const hoist_prog_buffer *const b = &g->buffers[g->index.buffers[i]];
        const port_row row = {b->name,   "buffer", b->contents == HOIST_CONTENTS_CALLER,
                              b->output, 1,        b->typed,
                              b->dtype,  b->layout};
        send_port(s, &row);
    }
    for (uint32_t i = 0; i < g->port_count; i++) { // views of buffers by name: both ways
        const hoist_prog_port *const p = &g->ports[i];
        const port_row row = {p->name, "view", true, true, 1, true, p->dtype, p->layout};
        send_port(s, &row);
    }
    hoist_tree_end(s->sink);
}

// A program that breaks rules is summed up as well, so no reference is followed here but layouts
// of ports.
hoist_status program_info(const hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)options; // nothing in them is about programs
    (void)diag;
    const program_module *const m = program_of(module);
    hoist_buffer text;
    hoist_buffer_init(&text, module->alloc);
    hoist_tree_str(sink, "program", m->program->name);
    send_tables(m->program, sink);
    send_bytes(m->program, sink);
    send_entries(m->program, sink);
    send_ports(&(port_sender){{.program = m->program, .out = &text}, sink});
    const bool failed = text.failed;
    hoist_buffer_deinit(&text);
    send_steps(m->program, sink);
    return failed ? HOIST_NO_MEMORY : sink->status;
}
