// hoist help: the help of a command. Text is that of help.c, which --help prints, too; JSON has
// the rows of commands.c and options.c.
#include <stdlib.h>

#include "parse.h"
#include "tool.h"

// Written from the same rows as the manual pages, hence by construction in agreement with them.
static void send_command(hoist_tree_sink *sink, const tool_command *command)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "name", command->name);
    hoist_tree_c(sink, "summary", command->summary);
    hoist_tree_c(sink, "description", command->description);
    hoist_tree_list(sink, "options");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id)) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "name", tool_options[id].name);
            // An option without a short form has the letter "".
            const char letter[] = {tool_options[id].letter, '\0'};
            hoist_tree_c(sink, "letter", letter);
            hoist_tree_c(sink, "value", tool_options[id].value ? tool_options[id].value : "");
            hoist_tree_c(sink, "help", tool_options[id].help);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
    hoist_str code;
    hoist_str meaning;
    hoist_tree_list(sink, "exits");
    for (size_t at = 0; tool_next_exit(command, &at, &code, &meaning);) {
        hoist_tree_map(sink, "");
        // A blank ends the digits.
        hoist_tree_int(sink, "code", strtol(code.data, NULL, 10));
        hoist_tree_str(sink, "meaning", meaning);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

// `only` NULL: all commands.
static tool_exit print_json(tool *t, const tool_command *only)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "commands");
    for (size_t i = 0; i < t->command_count; i++) {
        if (!only || only == &t->commands[i]) {
            send_command(&doc.sink, &t->commands[i]);
        }
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(&doc);
}

tool_exit cmd_help(tool *t)
{
    const tool_command *command = NULL;
    if (t->argument_count) {
        // The nearest name is a hint only; nothing is explained in place of what was asked for.
        command = tool_find_command(t, t->arguments[0]);
        if (!command) {
            const char *const meant = tool_nearest_command(t, t->arguments[0]);
            if (meant) {
                tool_complain(t, "there is no command '%s'; did you mean '%s'?", t->arguments[0],
                              meant);
            } else {
                tool_complain(t, "there is no command '%s'; 'hoist help' lists them",
                              t->arguments[0]);
            }
            return TOOL_USAGE;
        }
    }
    if (tool_given(t, OPT_JSON)) {
        return print_json(t, command);
    }
    return tool_print_help(t, command);
}
