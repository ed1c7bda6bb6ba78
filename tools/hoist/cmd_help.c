// hoist help: the help of a command, as text or JSON.
#include <stdlib.h>

#include "tool.h"

static void send_option(hoist_tree_sink *sink, const tool_option *option)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "name", option->name);
    const char letter[] = {option->letter, '\0'};
    hoist_tree_c(sink, "letter", letter);
    hoist_tree_c(sink, "value", option->value ? option->value : "");
    hoist_tree_c(sink, "help", option->help);
    hoist_tree_end(sink);
}

static void send_exits(hoist_tree_sink *sink, const tool_command *command)
{
    hoist_str code;
    hoist_str meaning;
    hoist_tree_list(sink, "exits");
    for (size_t at = 0; tool_next_exit(command, &at, &code, &meaning);) {
        hoist_tree_map(sink, "");
        hoist_tree_int(sink, "code", strtol(code.data, NULL, 10));
        hoist_tree_str(sink, "meaning", meaning);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

static void send_command(hoist_tree_sink *sink, const tool_command *command)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "name", command->name);
    hoist_tree_c(sink, "summary", command->summary);
    hoist_tree_c(sink, "description", command->description);
    hoist_tree_list(sink, "options");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id)) {
            send_option(sink, &tool_options[id]);
        }
    }
    hoist_tree_end(sink);
    send_exits(sink, command);
    hoist_tree_end(sink);
}

static tool_exit print_json(tool *t, const tool_command *only)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "commands");
    for (size_t i = 0; i < tool_command_count; i++) {
        if (!only || only == &tool_commands[i]) {
            send_command(&doc.sink, &tool_commands[i]);
        }
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(t, &doc);
}

tool_exit cmd_help(tool *t)
{
    const tool_command *command = NULL;
    if (t->argument_count) {
        command = tool_command_find(t->arguments[0]);
        if (!command) {
            tool_complain(t, "there is no command '%s'; 'hoist help' lists them", t->arguments[0]);
            return TOOL_USAGE;
        }
    }
    if (tool_given(t, OPT_JSON)) {
        return print_json(t, command);
    }
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    tool_help(command, t->width, &text);
    const tool_exit code = tool_print(t, &text);
    hoist_buffer_deinit(&text);
    return code;
}
