// Text of --help and of `hoist help`, from the tables of commands and options.
#include <string.h>

#include "tool.h"

// Appends `text` wrapped to `width` columns (0: not wrapped), each line after `indent` blanks; the
// first line is assumed to be indented already.
static void wrapped(hoist_buffer *out, const char *text, size_t indent, size_t width)
{
    size_t column = indent;
    for (const char *word = text; *word;) {
        const size_t size = strcspn(word, " \n");
        if (column > indent && width && column + 1 + size > width) {
            hoist_buffer_char(out, '\n');
            hoist_buffer_fill(out, ' ', indent);
            column = indent;
        } else if (column > indent) {
            hoist_buffer_char(out, ' ');
            column++;
        }
        hoist_buffer_str(out, (hoist_str){word, size});
        column += size;
        word += size;
        if (word[0] == '\n') {
            const size_t breaks = strspn(word, "\n");
            hoist_buffer_fill(out, '\n', breaks);
            hoist_buffer_fill(out, ' ', indent);
            column = indent;
            word += breaks;
        }
        word += *word == ' ';
    }
    hoist_buffer_char(out, '\n');
}

void tool_synopsis(const tool_command *command, hoist_buffer *out)
{
    static const char *const arguments[] = {
        [ARG_FILE] = " FILE",     [ARG_PAIR] = " OLD NEW",    [ARG_FOLDER] = " DIR",
        [ARG_FILES] = " FILE...", [ARG_RULES] = " [RULE]...", [ARG_COMMAND] = " [COMMAND]",
        [ARG_NOTHING] = "",
    };
    hoist_buffer_format(out, "hoist %s [OPTION]...%s", command->name, arguments[command->argument]);
}

static void help_option(const tool_option *option, size_t width, hoist_buffer *out)
{
    enum { HELP_COLUMN = 26, NARROW = 60, NARROW_COLUMN = 10 };
    const bool narrow = width && width < NARROW;
    const size_t column = narrow ? NARROW_COLUMN : HELP_COLUMN;
    const size_t start = out->size;
    if (option->letter) {
        hoist_buffer_format(out, "  -%c, ", option->letter);
    } else {
        hoist_buffer_c(out, "      ");
    }
    hoist_buffer_format(out, "--%s", option->name);
    if (option->value) {
        hoist_buffer_format(out, " %s", option->value);
    }
    const size_t used = out->size - start;
    hoist_buffer_c(out, narrow ? "\n" : "");
    hoist_buffer_fill(out, ' ', narrow ? column : used < column ? column - used : 1);
    wrapped(out, option->help, column, width);
}

static void help_command(const tool_command *command, size_t width, hoist_buffer *out)
{
    hoist_buffer_c(out, "Usage: ");
    tool_synopsis(command, out);
    hoist_buffer_format(out, "\n\n");
    wrapped(out, command->description, 0, width);
    hoist_buffer_c(out, "\nOptions:\n");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id)) {
            help_option(&tool_options[id], width, out);
        }
    }
    hoist_buffer_c(out, "\nExit status:\n");
    for (const char *line = command->exits; *line;) {
        const size_t size = strcspn(line, "\n");
        char text[256];
        const size_t kept = size < sizeof(text) ? size : sizeof(text) - 1;
        memcpy(text, line, kept);
        text[kept] = '\0';
        const size_t code = strcspn(text, " ");
        hoist_buffer_format(out, "  %-4.*s", (int)code, text);
        wrapped(out, text + code + (text[code] == ' '), 6, width);
        line += size + (line[size] == '\n');
    }
    hoist_buffer_c(out, "\nExamples:\n");
    for (size_t i = 0; i < 2; i++) {
        hoist_buffer_format(out, "  %s\n      ", command->examples[i].line);
        wrapped(out, command->examples[i].what, 6, width);
    }
}

void tool_help(const tool_command *command, size_t width, hoist_buffer *out)
{
    if (command) {
        help_command(command, width, out);
        return;
    }
    hoist_buffer_c(out, "Usage: hoist COMMAND [OPTION]... [FILE]...\n\n");
    wrapped(out,
            "Opens, checks and explains compiled accelerator programs on any machine, with no "
            "accelerator in it.",
            0, width);
    hoist_buffer_c(out, "\nCommands:\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        hoist_buffer_format(out, "  %-10s", tool_commands[i].name);
        wrapped(out, tool_commands[i].summary, 12, width);
    }
    hoist_buffer_char(out, '\n');
    wrapped(out,
            "'hoist help COMMAND' explains one of them. A FILE of - is standard input.\n"
            "'hoist --version' prints the version.",
            0, width);
}
