// Instruction streams as text or as a tree, of the file and of all files nested in it. In: a job
// and the names of --engine and --subgraph. Out: text or events, which the formats write. Where
// nothing matches, the report lists the names that there are.
#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/name_list.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"

// A sink that takes the streams of a file, subgraph by subgraph, and keeps the names of these only.
typedef struct subgraph_names {
    hoist_arena arena;
    hoist_str last; // names come in groups: neighbours suffice
    hoist_name_list list;
} subgraph_names;

static hoist_status take_name(void *self, const hoist_tree_event *event)
{
    subgraph_names *const names = self;
    // The key "subgraph" of a stream's map; everything else is passed over.
    if (event->kind != HOIST_TREE_STR || !hoist_str_equal_c(event->key, "subgraph") ||
        (names->list.count && hoist_str_equal(event->str, names->last))) {
        return HOIST_OK;
    }
    names->last = hoist_arena_str(&names->arena, event->str);
    hoist_name_list_add(&names->list, names->last);
    return names->last.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// Disassembles once more without names, to find those that exist. HOIST_NOT_FOUND, as it is
// reported, or HOIST_NO_MEMORY.
static hoist_status report_subgraph(const hoist_job *job, const char *asked, hoist_diag *diag)
{
    const hoist_disasm_options all = {.struct_size = sizeof(all)};
    subgraph_names names = {.last = {NULL, 0}};
    hoist_tree_sink sink = {.self = &names, .event = take_name};
    hoist_arena_init(&names.arena, job->alloc);
    hoist_name_list_init(&names.list, job->alloc);
    // Findings of streams that the caller did not ask for are dropped: no diag.
    hoist_status status =
        job->module->format->disasm(job->module, &job->options, &all, NULL, NULL, &sink);
    const char *there = hoist_name_list_text(&names.list);
    status =
        names.list.text.failed || status == HOIST_NO_MEMORY ? HOIST_NO_MEMORY : HOIST_NOT_FOUND;
    if (status == HOIST_NOT_FOUND) {
        hoist_report(diag, hoist_load_rule(LOAD_003), hoist_loc_none(),
                     "the file has no streams of a subgraph '%s'; there are: %s", asked, there);
    }
    hoist_name_list_deinit(&names.list);
    hoist_arena_deinit(&names.arena);
    return status;
}

// No stream is of the engine and subgraph that were asked for. HOIST_NOT_FOUND, HOIST_NO_MEMORY.
static hoist_status report_nothing(const hoist_job *job, const hoist_disasm_options *asked,
                                   hoist_diag *diag)
{
    const hoist_rule *const rule = hoist_load_rule(LOAD_003);
    // The outer format has no streams itself: those of nested files have no such names.
    if (!job->module->format->disasm) {
        hoist_report(diag, rule, hoist_loc_none(), "the streams of the file are of no %s",
                     asked->engine ? "engine" : "subgraph");
    } else if (asked->subgraph && asked->engine) {
        hoist_report(diag, rule, hoist_loc_none(), "the file has no engine '%s' in a subgraph '%s'",
                     asked->engine, asked->subgraph);
    } else if (asked->subgraph) {
        return report_subgraph(job, asked->subgraph, diag);
    } else {
        hoist_report(diag, rule, hoist_loc_none(), "the file has no engine '%s'",
                     asked->engine ? asked->engine : "");
    }
    return HOIST_NOT_FOUND;
}

// For hoist_job_count().
static bool disassembles(const hoist_format *format)
{
    return format->disasm != NULL;
}

// Streams of all modules. HOIST_NOT_FOUND when none has an engine and subgraph that the options
// name; one that has is enough.
static hoist_status send_all(const hoist_job *job, const hoist_disasm_options *options,
                             hoist_diag *diag, hoist_buffer *out, hoist_tree_sink *sink)
{
    bool found = false;
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        const hoist_status status =
            module && module->format->disasm
                ? module->format->disasm(module, &job->options, options, diag, out, sink)
                : HOIST_NOT_FOUND;
        if (status != HOIST_NOT_FOUND) { // another module may have the names
            HOIST_TRY(status);
            found = true;
        }
    }
    return found ? HOIST_OK : HOIST_NOT_FOUND;
}

// Either `out` or `sink` is NULL: text or a tree.
static hoist_status send(const hoist_job *job, const hoist_disasm_options *options,
                         hoist_diag *diag, hoist_buffer *out, hoist_tree_sink *sink)
{
    hoist_disasm_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_disasm_options", diag));
    size_t last = 0;
    if (!hoist_job_count(job, disassembles, &last)) {
        return hoist_job_refuse(job, "disassembled", diag);
    }
    if (sink) { // one list over all modules
        hoist_tree_list(sink, "streams");
    }
    const hoist_status status = send_all(job, &own, diag, out, sink);
    if (sink) {
        hoist_tree_end(sink);
    }
    return status == HOIST_NOT_FOUND ? report_nothing(job, &own, diag) : status;
}

static hoist_status disasm(const hoist_job *job, const hoist_disasm_options *options,
                           hoist_diag *diag, hoist_buffer *out, hoist_tree_sink *sink)
{
    const hoist_call call = hoist_job_call(job, diag, sink, "disassembling");
    return hoist_call_end(&call, send(job, options, diag, out, sink));
}

hoist_status hoist_job_disasm(const hoist_job *job, const hoist_disasm_options *options,
                              hoist_diag *diag, hoist_mut_bytes *out_text)
{
    hoist_buffer text;
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer_init(&text, job->alloc);
    return hoist_load_take(&text, disasm(job, options, diag, &text, NULL), out_text);
}

hoist_status hoist_job_disasm_tree(const hoist_job *job, const hoist_disasm_options *options,
                                   hoist_diag *diag, hoist_tree_sink *sink)
{
    return disasm(job, options, diag, NULL, sink);
}
