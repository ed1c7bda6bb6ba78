// hoist run: chooses the programs (--program, else all) and gives them their --param.
#include <string.h>

#include "base/alloc.h"
#include "base/name_list.h"
#include "base/span.h"
#include "parse.h"
#include "run.h"

// "$p_x" is also called "p_x".
static bool is_called(hoist_str name, hoist_str given)
{
    return hoist_str_equal(name, given) ||
           (hoist_str_starts_with(name, "$") &&
            hoist_str_equal(hoist_str_slice(name, 1, name.size - 1), given));
}

// The value that the command line gives `name`; the last one counts.
static bool find_value(const run *r, hoist_str name, int64_t *out_value)
{
    bool found = false;
    size_t at = 0;
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
        program->parameter_count += find_value(r, name, &parameter->value);
    }
    return TOOL_OK;
}

// Whether any program that runs has a parameter of this name.
static bool is_used(const run *r, hoist_str given)
{
    for (size_t p = 0; p < r->program_count; p++) {
        for (size_t i = 0; i < r->programs[p].parameter_count; i++) {
            if (is_called(hoist_str_from(r->programs[p].parameters[i].name), given)) {
                return true;
            }
        }
    }
    return false;
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
    return TOOL_OK;
}

// Lists the parameters that were given no value.
static tool_exit check_missing(run *r)
{
    tool_exit code = TOOL_OK;
    for (size_t p = 0; p < r->program_count; p++) {
        size_t entry = 0;
        (void)hoist_program_find_entry(r->program, hoist_str_from(r->programs[p].name), &entry);
        for (size_t i = 0; i < hoist_program_parameter_count(r->program, entry); i++) {
            const hoist_str name = hoist_program_parameter_name(r->program, entry, i);
            int64_t value = 0;
            if (!find_value(r, name, &value)) {
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

static tool_exit add_program(run *r, size_t entry)
{
    run_program *program = &r->programs[r->program_count++];
    program->name = hoist_arena_str(&r->arena, hoist_program_entry_name(r->program, entry)).data;
    return program->name ? give_parameters(r, entry, program) : TOOL_LIMIT;
}

static tool_exit add_named(run *r)
{
    size_t at = 0;
    for (const char *name; (name = tool_next_value(r->t, OPT_PROGRAM, &at));) {
        size_t entry = 0;
        if (!hoist_program_find_entry(r->program, hoist_str_from(name), &entry)) {
            hoist_name_list there;
            hoist_name_list_init(&there, hoist_allocator_system());
            for (size_t i = 0; i < hoist_program_entry_count(r->program); i++) {
                hoist_name_list_add(&there, hoist_program_entry_name(r->program, i));
            }
            tool_complain(r->t, "%s has no program '%s'; there are: %s", r->file->path, name,
                          hoist_name_list_text(&there));
            hoist_name_list_deinit(&there);
            return TOOL_USAGE;
        }
        const tool_exit code = add_program(r, entry);
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

// Of several files that is `run`, which has all of them; of one file all programs.
static tool_exit add_all(run *r)
{
    size_t entry = 0;
    if (r->t->argument_count > 1 &&
        hoist_program_find_entry(r->program, HOIST_STR("run"), &entry)) {
        return add_program(r, entry);
    }
    for (size_t i = 0; i < hoist_program_entry_count(r->program); i++) {
        const tool_exit code = add_program(r, i);
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

tool_exit run_choose_programs(run *r)
{
    const size_t most = hoist_program_entry_count(r->program) + r->t->repeated_count;
    r->programs = hoist_arena_array(&r->arena, most, sizeof(r->programs[0]));
    if (!r->programs) {
        return TOOL_LIMIT;
    }
    tool_exit code = tool_given(r->t, OPT_PROGRAM) ? add_named(r) : add_all(r);
    code = code == TOOL_OK ? check_given(r) : code;
    return code == TOOL_OK ? check_missing(r) : code;
}

static bool is_chosen(const run *r, hoist_str program)
{
    size_t i = 0;
    while (i < r->program_count && !hoist_str_equal_c(program, r->programs[i].name)) {
        i++;
    }
    return i < r->program_count;
}

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
