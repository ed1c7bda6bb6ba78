// The text of --help and of `hoist help`, from the tables of commands.c and options.c, wrapped to
// the terminal. docgen.c writes the manual pages from the same tables.
#include <string.h>

#include "base/span.h"
#include "report/plain.h"
#include "tool.h"

// Appends `text`, lines and paragraphs, wrapped to `width` columns (0: not wrapped), each line
// after `indent` blanks; the first one is assumed to be indented already.
// An empty line in the text stays empty: no indentation follows it.
static void wrapped(hoist_buffer *out, hoist_str text, size_t indent, size_t width)
{
    while (text.size) {
        const char *end = memchr(text.data, '\n', text.size);
        const size_t size = end ? (size_t)(end - text.data) : text.size;
        hoist_plain_wrap(out, hoist_str_slice(text, 0, size), indent, width);
        hoist_buffer_char(out, '\n');
        text = hoist_str_slice(text, size + (end ? 1 : 0), text.size);
        const bool follows = text.size && text.data[0] != '\n';
        hoist_buffer_fill(out, ' ', follows ? indent : 0);
    }
}

// The size of the first word of a command line; blanks between quotes belong to it.
// Single quotes only: examples of the table have no others around blanks.
static size_t shell_word(const char *line)
{
    bool quoted = false;
    size_t size = 0;
    for (; line[size] && (quoted || line[size] != ' '); size++) {
        quoted = quoted != (line[size] == '\'');
    }
    return size;
}

// Appends a command line that a shell takes as it is, broken with backslashes.
// A line that was broken can be pasted: the backslash is the last character, and never inside
// quotes.
static void write_example(hoist_buffer *out, const char *line, size_t width)
{
    enum { INDENT = 2, DEEPER = 6 };
    size_t column = INDENT;
    hoist_buffer_fill(out, ' ', INDENT);
    for (const char *word = line; *word;) {
        const size_t size = shell_word(word);
        const bool last = !word[size];
        // Two columns are kept for the " \" of a line that goes on.
        if (word != line && width && column + 1 + size + (last ? 0 : 2) > width) {
            hoist_buffer_c(out, " \\\n");
            hoist_buffer_fill(out, ' ', DEEPER);
            column = DEEPER;
        } else if (word != line) {
            hoist_buffer_char(out, ' ');
            column++;
        }
        hoist_buffer_str(out, (hoist_str){word, size});
        column += size;
        word += size + (last ? 0 : 1);
    }
    hoist_buffer_char(out, '\n');
}

// "hoist run [OPTION]... FILE...", with the argument in the notation of man pages.
void tool_synopsis(const tool_command *command, hoist_buffer *out)
{
    static const char *const arguments[] = {
        [ARG_FILE] = " FILE",     [ARG_PAIR] = " OLD NEW",     [ARG_FOLDER] = " DIR",
        [ARG_FILES] = " FILE...", [ARG_RULES] = " [RULE]...",  [ARG_COMMAND] = " [COMMAND]",
        [ARG_NOTHING] = "",       [ARG_FOLDERS] = " [DIR]...",
    };
    hoist_buffer_format(out, "hoist %s [OPTION]...%s", command->name, arguments[command->argument]);
}

// `exits` is a text of lines "CODE meaning"; `*at` is an offset in it.
bool tool_next_exit(const tool_command *command, size_t *at, hoist_str *out_code,
                    hoist_str *out_meaning)
{
    const char *line = command->exits + *at;
    const size_t size = strcspn(line, "\n");
    const size_t code = strcspn(line, " ");
    if (size == 0) {
        return false;
    }
    *out_code = (hoist_str){line, code};
    *out_meaning = (hoist_str){line + code + 1, size - code - 1};
    *at += size + (line[size] == '\n');
    return true;
}

// Headings help where a list does not fit on a screen and would get in the way of a short one.
static bool is_grouped(const tool_command *command)
{
    enum { FEW = 20 };
    int count = 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        count += tool_takes(command, id);
    }
    return count > FEW;
}

// `*at` counts through groups and, within each, options: group * OPT_COUNT + id. Groups without
// an option of the command are skipped together with their headings, as a heading is only given
// out with an option.
bool tool_next_option(const tool_command *command, int *at, const tool_option **out_option,
                      const char **out_heading)
{
    const bool grouped = is_grouped(command);
    const int end = grouped ? GROUP_COUNT * OPT_COUNT : OPT_COUNT;
    *out_heading = *at == 0 ? tool_group_titles[GROUP_USUAL] : NULL;
    for (; *at < end; (*at)++) {
        const int group = *at / OPT_COUNT;
        const int id = *at % OPT_COUNT;
        // Kept until an option of the group is found.
        *out_heading = id == 0 ? tool_group_titles[group] : *out_heading;
        if (tool_takes(command, id) && (!grouped || (int)tool_options[id].group == group)) {
            *out_option = &tool_options[id];
            (*at)++;
            return true;
        }
    }
    return false;
}

// Limits are added from the row, so help and check agree.
void tool_option_help(const tool_option *option, hoist_buffer *out)
{
    hoist_buffer_c(out, option->help);
    if ((option->wants == WANTS_COUNT || option->wants == WANTS_NUMBER) && option->most) {
        hoist_buffer_format(out, " (%llu to %llu)", (unsigned long long)option->least,
                            (unsigned long long)option->most);
    }
}

// "  -o, --output FILE   help": the help begins below where the left part is too long for its
// column or the terminal is narrow.
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
    const bool below = narrow || used >= column;
    hoist_buffer_c(out, below ? "\n" : "");
    hoist_buffer_fill(out, ' ', below ? column : column - used);
    hoist_buffer help;
    hoist_buffer_init(&help, out->alloc);
    tool_option_help(option, &help);
    wrapped(out, hoist_buffer_text(&help), column, width);
    // A text that is cut off must not look complete.
    out->failed = out->failed || help.failed;
    hoist_buffer_deinit(&help);
}

// The sections and their order are those of the manual page (docgen.c).
static void help_command(const tool_command *command, size_t width, hoist_buffer *out)
{
    hoist_buffer_c(out, "Usage: ");
    tool_synopsis(command, out);
    hoist_buffer_format(out, "\n\n");
    wrapped(out, hoist_str_from(command->description), 0, width);
    const tool_option *option = NULL;
    const char *heading = NULL;
    for (int at = 0; tool_next_option(command, &at, &option, &heading);) {
        if (heading) {
            hoist_buffer_format(out, "\n%s:\n", heading);
        }
        help_option(option, width, out);
    }
    hoist_buffer_c(out, "\nExit status:\n");
    hoist_str code;
    hoist_str meaning;
    for (size_t at = 0; tool_next_exit(command, &at, &code, &meaning);) {
        hoist_buffer_format(out, "  %-4.*s", HOIST_STR_ARGS(code));
        wrapped(out, meaning, 6, width);
    }
    hoist_buffer_c(out, "\nExamples:\n");
    for (size_t i = 0; i < 2; i++) {
        write_example(out, command->examples[i].line, width);
        hoist_buffer_fill(out, ' ', 6);
        wrapped(out, hoist_str_from(command->examples[i].what), 6, width);
    }
}

// Without a command: what the command is for, and the list of all.
void tool_help(const tool *t, const tool_command *command, size_t width, hoist_buffer *out)
{
    if (command) {
        help_command(command, width, out);
        return;
    }
    hoist_buffer_c(out, "Usage: ");
    wrapped(out, HOIST_STR("hoist COMMAND [OPTION]... [FILE]..."), 7, width);
    hoist_buffer_char(out, '\n');
    wrapped(out,
            HOIST_STR("Opens, checks and explains compiled accelerator programs on any machine, "
                      "with no accelerator in it."),
            0, width);
    hoist_buffer_c(out, "\nCommands:\n");
    for (size_t i = 0; i < t->command_count; i++) {
        hoist_buffer_format(out, "  %-10s", t->commands[i].name);
        wrapped(out, hoist_str_from(t->commands[i].summary), 12, width);
    }
    hoist_buffer_char(out, '\n');
    wrapped(out,
            HOIST_STR("'hoist help COMMAND' explains one of them. A FILE of - is standard input.\n"
                      "'hoist --version' prints the version."),
            0, width);
}

tool_exit tool_print_help(tool *t, const tool_command *command)
{
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    tool_help(t, command, t->width, &text);
    return tool_print(t, &text);
}
