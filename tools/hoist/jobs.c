// The files of the command line as one job: opened one after the other, added to the first, closed
// together. run_files.c and cmd_dump.c work on the job.
#include "base/alloc.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "parse.h"
#include "tool.h"

// One file may stand for all ranks; several files are one for each.
tool_exit tool_check_ranks(tool *t)
{
    const uint64_t count = tool_count_of(t, OPT_RANKS, t->argument_count);
    if (t->argument_count == 1 || count == t->argument_count) {
        return TOOL_OK;
    }
    tool_complain(t, "--ranks %llu and %zu files: expected one file, or one for each rank",
                  (unsigned long long)count, t->argument_count);
    return TOOL_USAGE;
}

tool_exit tool_open_job(tool *t, tool_input **out_files)
{
    // Not of the budget: the message about the limit needs it.
    tool_input *files = hoist_alloc_zero(t->budget.parent, t->argument_count, sizeof(files[0]));
    *out_files = files;
    for (size_t i = 0; files && i < t->argument_count; i++) {
        // All stay open: the job borrows from their bytes until it is closed.
        hoist_status status = tool_open(t, t->arguments[i], &files[i]);
        if (status == HOIST_OK && i > 0) {
            status = hoist_job_add(files[0].job, files[i].job, files[i].diag);
            files[i].job = status == HOIST_OK ? NULL : files[i].job;
        }
        const tool_exit code = files[i].diag ? tool_report(t, status, &files[i]) : TOOL_LIMIT;
        if (code != TOOL_OK) {
            return code;
        }
        // Warnings of later files are reported with those of the job.
        for (size_t k = 0; i > 0 && k < hoist_diag_kept(files[i].diag); k++) {
            hoist_diag_add(files[0].diag, hoist_diag_at(files[i].diag, k)); // the job's
        }
    }
    return files ? TOOL_OK : TOOL_LIMIT;
}

void tool_close_job(tool *t, tool_input *files, tool_exit code)
{
    // The first one has the job, which is made of the bytes of all.
    for (size_t i = 0; files && i < t->argument_count; i++) {
        if (files[i].path) {
            tool_close(t, &files[i], code);
        }
    }
    hoist_free(t->budget.parent, files, files ? t->argument_count * sizeof(files[0]) : 0);
}

// Both lists borrow from argv, but for names of parameters, which are cut out of NAME=VALUE.
tool_exit tool_read_names(const tool *t, hoist_arena *arena, tool_names *out_names)
{
    *out_names = (tool_names){.program_count = 0};
    // As many as there are values of repeatable options, of which these are a part.
    const char **programs = hoist_arena_array(arena, t->repeated_count, sizeof(programs[0]));
    hoist_parameter *parameters =
        hoist_arena_array(arena, t->repeated_count, sizeof(parameters[0]));
    if (!programs || !parameters) {
        return TOOL_LIMIT;
    }
    size_t at = 0;
    for (const char *name; (name = tool_next_value(t, OPT_PROGRAM, &at));) {
        programs[out_names->program_count++] = name;
    }
    at = 0;
    for (const char *text; (text = tool_next_value(t, OPT_PARAM, &at));) {
        hoist_str name;
        hoist_parameter *parameter = &parameters[out_names->parameter_count++];
        (void)tool_parse_parameter(text, &name, &parameter->value);
        // The arena ends strings with a NUL, which the name in "NAME=VALUE" lacks.
        parameter->name = hoist_arena_str(arena, name).data;
        if (!parameter->name) {
            return TOOL_LIMIT;
        }
    }
    out_names->programs = out_names->program_count ? programs : NULL;
    out_names->parameters = parameters;
    return TOOL_OK;
}

const char **tool_list_reads(tool *t, const hoist_program *program, hoist_arena *arena,
                             size_t *out_count)
{
    const size_t ports = hoist_program_port_count(program);
    // One more than ports: NULL means out of memory, also for a program without ports.
    const char **names = hoist_arena_array(arena, ports + 1, sizeof(*names));
    *out_count = 0;
    for (size_t i = 0; names && i < ports; i++) {
        const hoist_port port = hoist_program_port(program, i);
        bool reads = port.result && !tool_given(t, OPT_FETCH);
        size_t at = 0;
        for (const char *name; (name = tool_next_value(t, OPT_FETCH, &at));) {
            reads = reads || hoist_str_equal_c(port.name, name);
        }
        if (port.is_view && reads) {
            names[*out_count] = hoist_arena_format(arena, "%.*s", HOIST_STR_ARGS(port.name)).data;
            if (!names[(*out_count)++]) {
                return NULL;
            }
        }
    }
    return names;
}

// float32 holds every small float exactly. Integers of tensors stay integers: int32 has values
// that float32 has not. Bits without a type, as those of block floats in a buffer, cannot be
// converted.
hoist_dtype tool_read_dtype(const tool *t, const hoist_port *port)
{
    const hoist_dtype_class kind = hoist_dtype_get(port->host_dtype)->kind;
    const bool whole = kind == HOIST_CLASS_SIGNED || kind == HOIST_CLASS_UNSIGNED;
    const bool given = tool_takes(t->command, OPT_RAW_BITS) && tool_given(t, OPT_RAW_BITS);
    const bool raw = given || kind == HOIST_CLASS_RAW || (port->is_buffer && whole);
    return raw ? port->host_dtype : HOIST_DTYPE_F32;
}
