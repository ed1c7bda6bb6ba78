// hoist run: chooses the programs (--program, --call, else all) and gives them their parameters.
#include <string.h>

#include "base/alloc.h"
#include "base/name_list.h"
#include "base/span.h"
#include "parse.h"
#include "run.h"

// "$p_x" is also called "p_x".
// Netlists write variables with a dollar sign, which a shell would expand.
static bool is_called(hoist_str name, hoist_str given)
{
    return hoist_str_equal(name, given) ||
           (hoist_str_starts_with(name, "$") &&
            hoist_str_equal(hoist_str_slice(name, 1, name.size - 1), given));
}

// The value that the command line gives `name` of a program: of its call, else of --param; the last
// one counts.
// The last of several values counts, so a script's default can be overridden behind it.
static bool find_value(const run *r, const run_program *program, hoist_str name, int64_t *out_value)
{
    bool found = false;
    hoist_str own;
    int64_t own_value = 0;
    for (size_t at = 0;
         program->call && tool_next_call_parameter(program->call, &at, &own, &own_value);) {
        if (is_called(name, own)) {
            *out_value = own_value;
            found = true;
        }
    }
    size_t at = 0;
    if (found) {
        return true;
    }
    for (const char *text; (text = tool_next_value(r->t, OPT_PARAM, &at));) {
        hoist_str given;
        int64_t value = 0;
        if (tool_parse_parameter(text, &given, &value) && is_called(name, given)) {
            *out_value = value;
            found = true;
        }
    }
    return found;
}

// Parameters without a value are left out of the list; check_missing() reports them.
static tool_exit give_parameters(run *r, size_t entry, run_program *program)
{
    const size_t count = hoist_program_parameter_count(r->program, entry);
    program->parameters = hoist_arena_array(&r->arena, count, sizeof(program->parameters[0]));
    if (!program->parameters) {
        return TOOL_LIMIT;
    }
    for (size_t i = 0; i < count; i++) {
        const hoist_str name = hoist_program_parameter_name(r->program, entry, i);
        hoist_parameter *parameter = &program->parameters[program->parameter_count];
        parameter->name = hoist_arena_str(&r->arena, name).data;
        if (!parameter->name) {
            return TOOL_LIMIT;
        }
        // The row is kept if a value was found, else the next name overwrites it.
        program->parameter_count += find_value(r, program, name, &parameter->value);
    }
    return TOOL_OK;
}

// Whether a program was given a parameter of this name.
// By the names under which parameters were given, with or without the dollar sign.
static bool has_parameter(const run_program *program, hoist_str given)
{
    bool has = false;
    for (size_t i = 0; i < program->parameter_count; i++) {
        has = has || is_called(hoist_str_from(program->parameters[i].name), given);
    }
    return has;
}

// Whether any program that runs has a parameter of this name.
static bool is_used(const run *r, hoist_str given)
{
    bool used = false;
    for (size_t p = 0; p < r->program_count; p++) {
        used = used || has_parameter(&r->programs[p], given);
    }
    return used;
}

// Complains about a --param, and says which parameters there are.
static void refuse_parameter(const run *r, hoist_str name)
{
    hoist_name_list there;
    hoist_name_list_init(&there, hoist_allocator_system());
    for (size_t p = 0; p < r->program_count; p++) {
        size_t entry = 0;
        (void)hoist_program_find_entry(r->program, hoist_str_from(r->programs[p].name), &entry);
        for (size_t i = 0; i < hoist_program_parameter_count(r->program, entry); i++) {
            hoist_name_list_add(&there, hoist_program_parameter_name(r->program, entry, i));
        }
    }
    tool_complain(r->t, "no program that runs has a parameter '%.*s'; there are: %s",
                  HOIST_STR_ARGS(name), hoist_name_list_text(&there));
    hoist_name_list_deinit(&there);
}

// A misspelled --param must not pass: the program would run with another value, or none.
static tool_exit check_given(run *r)
{
    size_t at = 0;
    for (const char *text; (text = tool_next_value(r->t, OPT_PARAM, &at));) {
        hoist_str name;
        int64_t value = 0;
        (void)tool_parse_parameter(text, &name, &value);
        if (!is_used(r, name)) {
            refuse_parameter(r, name);
            return TOOL_USAGE;
        }
    }
    for (size_t i = 0; i < r->program_count; i++) {
        const run_program *program = &r->programs[i];
        hoist_str name;
        int64_t value = 0;
        for (at = 0;
             program->call && tool_next_call_parameter(program->call, &at, &name, &value);) {
            if (!has_parameter(program, name)) {
                tool_complain(r->t, "program '%s' has no parameter '%.*s' (--call)", program->name,
                              HOIST_STR_ARGS(name));
                return TOOL_USAGE;
            }
        }
    }
    return TOOL_OK;
}

// Lists the parameters that were given no value.
// All of them are reported, so that one run shows what a command line needs.
static tool_exit check_missing(run *r)
{
    tool_exit code = TOOL_OK;
    for (size_t p = 0; p < r->program_count; p++) {
        size_t entry = 0;
        (void)hoist_program_find_entry(r->program, hoist_str_from(r->programs[p].name), &entry);
        for (size_t i = 0; i < hoist_program_parameter_count(r->program, entry); i++) {
            const hoist_str name = hoist_program_parameter_name(r->program, entry, i);
            int64_t value = 0;
            if (!find_value(r, &r->programs[p], name, &value)) {
                const size_t skip = hoist_str_starts_with(name, "$"); // a shell would take it away
                tool_complain(r->t, "program '%s' needs the parameter '%.*s': --param %.*s=VALUE",
                              r->programs[p].name, HOIST_STR_ARGS(name),
                              HOIST_STR_ARGS(hoist_str_slice(name, skip, name.size - skip)));
                code = TOOL_USAGE;
            }
        }
    }
    return code;
}

// A program may be called several times, each time with parameters of its own.
static tool_exit add_program(run *r, size_t entry, const char *call)
{
    run_program *program = &r->programs[r->program_count++];
    program->name = hoist_arena_str(&r->arena, hoist_program_entry_name(r->program, entry)).data;
    program->call = call;
    return program->name ? give_parameters(r, entry, program) : TOOL_LIMIT;
}

// Programs are named once by the format (BUDA: programs, NEFF: subgraphs, TFLite: one), so a
// list helps.
static tool_exit refuse_program(const run *r, hoist_str name)
{
    hoist_name_list there;
    hoist_name_list_init(&there, hoist_allocator_system());
    for (size_t i = 0; i < hoist_program_entry_count(r->program); i++) {
        hoist_name_list_add(&there, hoist_program_entry_name(r->program, i));
    }
    tool_complain(r->t, "%s has no program '%.*s'; there are: %s", r->file->path,
                  HOIST_STR_ARGS(name), hoist_name_list_text(&there));
    hoist_name_list_deinit(&there);
    return TOOL_USAGE;
}

// Those of an option, in its order: --program or --call.
// --call gives each program its text, from which its parameters are read later.
static tool_exit add_named(run *r, tool_option_id option)
{
    size_t at = 0;
    tool_exit code = TOOL_OK;
    for (const char *text; code == TOOL_OK && (text = tool_next_value(r->t, option, &at));) {
        const bool is_call = option == OPT_CALL;
        const hoist_str name = is_call ? tool_call_program(text) : hoist_str_from(text);
        size_t entry = 0;
        code = hoist_program_find_entry(r->program, name, &entry)
                   ? add_program(r, entry, is_call ? text : NULL)
                   : refuse_program(r, name);
    }
    return code;
}

// Of several files that are loaded together the entry `run` has all of them, in order; of one
// file all programs.
static tool_exit add_all(run *r)
{
    size_t entry = 0;
    if (r->t->argument_count > 1 &&
        hoist_program_find_entry(r->program, HOIST_STR("run"), &entry)) {
        return add_program(r, entry, NULL);
    }
    for (size_t i = 0; i < hoist_program_entry_count(r->program); i++) {
        const tool_exit code = add_program(r, i, NULL);
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

tool_exit run_choose_programs(run *r)
{
    // All entries, or one for each --program or --call.
    const size_t most = hoist_program_entry_count(r->program) + r->t->repeated_count;
    r->programs = hoist_arena_array(&r->arena, most, sizeof(r->programs[0]));
    if (!r->programs) {
        return TOOL_LIMIT;
    }
    if (tool_given(r->t, OPT_PROGRAM) && tool_given(r->t, OPT_CALL)) {
        tool_complain(r->t, "--program and --call both choose what runs; give one of them");
        return TOOL_USAGE;
    }
    tool_exit code = tool_given(r->t, OPT_CALL)      ? add_named(r, OPT_CALL)
                     : tool_given(r->t, OPT_PROGRAM) ? add_named(r, OPT_PROGRAM)
                                                     : add_all(r);
    code = code == TOOL_OK ? check_given(r) : code;
    return code == TOOL_OK ? check_missing(r) : code;
}

// By name, so programs that are called several times count once.
static bool is_chosen(const run *r, hoist_str program)
{
    size_t i = 0;
    while (i < r->program_count && !hoist_str_equal_c(program, r->programs[i].name)) {
        i++;
    }
    return i < r->program_count;
}

// Ports of a single file's programs are used by any of them, as far as names tell.
bool run_uses_port(const run *r, const hoist_port *port)
{
    const size_t programs = r->t->argument_count > 1 ? hoist_program_entry_count(r->program) : 0;
    for (size_t i = 0; i < programs; i++) {
        const hoist_str name = hoist_program_entry_name(r->program, i);
        if (port->name.size > name.size && port->name.data[name.size] == '/' &&
            hoist_str_equal(hoist_str_slice(port->name, 0, name.size), name)) {
            return is_chosen(r, name) || is_chosen(r, HOIST_STR("run"));
        }
    }
    return true;
}
