// Instruction streams as text or as a tree.
#include "base/buffer.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"

// No stream is of the engine and subgraph that were asked for.
static void report_nothing(const hoist_disasm_options *asked, hoist_diag *diag)
{
    const hoist_rule *const rule = hoist_load_rule(LOAD_003);
    if (asked->engine && asked->subgraph) {
        hoist_report(diag, rule, hoist_loc_none(), "the file has no engine '%s' in a subgraph '%s'",
                     asked->engine, asked->subgraph);
    } else if (asked->subgraph) {
        hoist_report(diag, rule, hoist_loc_none(), "the file has no subgraph '%s'",
                     asked->subgraph);
    } else {
        hoist_report(diag, rule, hoist_loc_none(), "the file has no engine%s%s%s",
                     asked->engine ? " '" : "", asked->engine ? asked->engine : "",
                     asked->engine ? "'" : "");
    }
}

// Either `out` or `sink` is NULL.
static hoist_status disasm(const hoist_job *job, const hoist_disasm_options *options,
                           hoist_diag *diag, hoist_buffer *out, hoist_tree_sink *sink)
{
    hoist_disasm_options own;
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &own, sizeof(own)),
                                  options ? options->struct_size : 0, "hoist_disasm_options",
                                  diag));
    const hoist_format *format = job->module->format;
    if (!format->disasm) {
        return hoist_job_refuse(job, "disassembled", diag);
    }
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    const hoist_status status = format->disasm(job->module, &job->options, &own, diag, out, sink);
    if (status == HOIST_NOT_FOUND) {
        report_nothing(&own, diag);
    }
    return status;
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
