// hoist-docgen DIR: writes the manual pages and the shell completions from the tables of commands
// and options, and docs/rules.md and a page for each rule from the tables of rules. Run by the
// build; never installed.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "parse.h"
#include "report/rules.h"
#include "tool.h"

// Plain stdio, not hoist_output_create(): a build that is interrupted is repeated.
static bool write_file(const char *folder, const char *name, const hoist_buffer *text)
{
    char path[4096];
    const int size = snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = size > 0 && (size_t)size < sizeof(path) ? fopen(path, "wb") : NULL;
    if (!file) {
        perror(name);
        return false;
    }
    const bool written = !text->failed && fwrite(text->data, 1, text->size, file) == text->size;
    return fclose(file) == 0 && written;
}

// Text for roff: a backslash, a leading dot or quote and hyphens are escaped.
// See groff_man(7): '\e' prints a backslash, '\-' the hyphen that can be copied into a shell,
// '\&' is nothing and hides what would begin a request.
static void roff_part(hoist_buffer *out, const char *text, size_t size)
{
    bool line_start = true;
    for (const char *c = text; c < text + size; c++) {
        if (*c == '\\') {
            hoist_buffer_c(out, "\\e");
        } else if (*c == '-') {
            hoist_buffer_c(out, "\\-");
        } else {
            if (line_start && (*c == '.' || *c == '\'')) {
                hoist_buffer_c(out, "\\&");
            }
            hoist_buffer_char(out, *c);
        }
        // A dot or a quote is a request only at the beginning of a line.
        line_start = *c == '\n';
    }
}

static void roff(hoist_buffer *out, const char *text)
{
    roff_part(out, text, strlen(text));
}

// ".PP" begins each paragraph but the first, which the heading begins.
static void roff_paragraphs(hoist_buffer *out, const char *text)
{
    for (const char *start = text; *start;) {
        const char *end = strstr(start, "\n\n");
        const size_t size = end ? (size_t)(end - start) : strlen(start);
        hoist_buffer_c(out, start == text ? "" : ".PP\n");
        roff_part(out, start, size);
        hoist_buffer_char(out, '\n');
        start += size + (end ? 2 : 0);
    }
}

// Without a date: the same sources make the same pages.
static void man_head(hoist_buffer *out, const char *name, const char *summary)
{
    hoist_buffer_c(out, ".\\\" Made by hoist-docgen from the command's own tables.\n.TH ");
    for (const char *c = name; *c; c++) {
        hoist_buffer_char(out, (char)toupper((unsigned char)*c));
    }
    hoist_buffer_format(out, " 1 \"\" \"hoist %s\" \"User commands\"\n.SH NAME\n",
                        HOIST_VERSION_TEXT);
    roff(out, name);
    hoist_buffer_c(out, " \\- ");
    roff(out, summary);
    hoist_buffer_char(out, '\n');
}

// ".TP" is a paragraph with a hanging tag: the tag line, then the text.
static void man_option(hoist_buffer *out, const tool_option *option)
{
    hoist_buffer_c(out, ".TP\n.B ");
    if (option->letter) {
        hoist_buffer_format(out, "\\-%c, ", option->letter);
    }
    hoist_buffer_c(out, "\\-\\-");
    roff(out, option->name);
    if (option->value) {
        hoist_buffer_format(out, " \\fI%s\\fR", option->value);
    }
    hoist_buffer_char(out, '\n');
    hoist_buffer help;
    hoist_buffer_init(&help, hoist_allocator_system());
    tool_option_help(option, &help);
    hoist_buffer_char(&help, '\0');
    roff(out, (const char *)help.data);
    hoist_buffer_deinit(&help);
    if (option->variable) {
        hoist_buffer_format(out, "; else the environment variable \\fB%s\\fR", option->variable);
    }
    hoist_buffer_c(out, ".\n");
}

// From the same text as `hoist help`.
static void man_exits(hoist_buffer *out, const tool_command *command)
{
    hoist_str code;
    hoist_str meaning;
    hoist_buffer_c(out, ".SH EXIT STATUS\n");
    for (size_t at = 0; tool_next_exit(command, &at, &code, &meaning);) {
        char text[512];
        (void)snprintf(text, sizeof(text), "%.*s", HOIST_STR_ARGS(meaning));
        hoist_buffer_format(out, ".TP\n.B %.*s\n", HOIST_STR_ARGS(code));
        roff(out, text);
        hoist_buffer_c(out, "\n");
    }
}

// A page of section 1, its sections in the order of man-pages(7).
static void man_command(hoist_buffer *out, const tool_command *command)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "hoist-%s", command->name);
    man_head(out, name, command->summary);
    hoist_buffer_c(out, ".SH SYNOPSIS\n.B ");
    tool_synopsis(command, out);
    hoist_buffer_c(out, "\n.SH DESCRIPTION\n");
    roff_paragraphs(out, command->description);
    hoist_buffer_c(out, ".SH OPTIONS\n");
    const tool_option *option = NULL;
    const char *heading = NULL;
    for (int at = 0, first = true; tool_next_option(command, &at, &option, &heading);
         first = false) {
        if (heading && !first) {
            hoist_buffer_format(out, ".SS %s\n", heading);
        }
        man_option(out, option);
    }
    man_exits(out, command);
    hoist_buffer_c(out, ".SH EXAMPLES\n");
    // Each command has two examples.
    for (size_t i = 0; i < 2; i++) {
        hoist_buffer_c(out, ".TP\n.B ");
        roff(out, command->examples[i].line);
        hoist_buffer_char(out, '\n');
        roff(out, command->examples[i].what);
        hoist_buffer_char(out, '\n');
    }
    hoist_buffer_c(out, ".SH SEE ALSO\n.BR hoist (1)\n");
}

// All codes with their general meaning; the page of a command has those that it gives.
static void man_tool_exits(hoist_buffer *out)
{
    static const struct {
        int code;
        const char *meaning;
    } rows[] = {
        {TOOL_OK, "done"},
        {TOOL_NO, "the answer is no: errors were found, files differ, an expectation failed"},
        {TOOL_USAGE, "the command line is wrong, or names something that the file has not"},
        {TOOL_UNREADABLE, "a file cannot be read or, but for check, is malformed; output failed"},
        {TOOL_UNSUPPORTED, "the file is valid, but this cannot be done with it here"},
        {TOOL_LIMIT, "a limit was hit, or memory ran out"},
        {TOOL_INTERNAL, "a fault of hoist itself"},
        {TOOL_INTERRUPTED, "interrupted"},
    };
    hoist_buffer_c(out, ".SH EXIT STATUS\nThe pages of the commands list which of these they have "
                        "and when.\n");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        hoist_buffer_format(out, ".TP\n.B %d\n", rows[i].code);
        roff(out, rows[i].meaning);
        hoist_buffer_char(out, '\n');
    }
}

// The page hoist(1): commands, form of messages, exit codes, variables.
static void man_tool(hoist_buffer *out)
{
    man_head(out, "hoist", "open, check and explain compiled accelerator programs");
    hoist_buffer_c(out,
                   ".SH SYNOPSIS\n.B hoist\n.I COMMAND\n[OPTION]... [FILE]...\n.SH DESCRIPTION\n"
                   "Works on any machine, with no accelerator in it. A FILE of \\- is standard "
                   "input.\n.SH COMMANDS\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        hoist_buffer_format(out, ".TP\n.BR hoist\\-%s (1)\n", tool_commands[i].name);
        roff(out, tool_commands[i].summary);
        hoist_buffer_char(out, '\n');
    }
    hoist_buffer_c(out,
                   ".SH MESSAGES\nA finding is a line\n.PP\n.RS\nFILE:LINE:COLUMN: "
                   "error|warning|note: sentence [RULE\\-ID]\n.RE\n.PP\nor FILE:+0xOFFSET: for "
                   "bytes; a member of a container follows its file after an exclamation mark. "
                   "Where the sentence does not name the object that is wrong, its path follows in "
                   "parentheses. A finding is one line however narrow the window, for editors and "
                   "grep.\n");
    man_tool_exits(out);
    hoist_buffer_c(out, ".SH ENVIRONMENT\n");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_options[id].variable) {
            hoist_buffer_format(out, ".TP\n.B %s\nused where \\-\\-", tool_options[id].variable);
            roff(out, tool_options[id].name);
            hoist_buffer_c(out, " is not given\n");
        }
    }
    hoist_buffer_c(out, ".TP\n.B COLUMNS\nwidth of text output\n.TP\n.B NO_COLOR\nno color where "
                        "\\-\\-color is auto\n");
}

// Long and short forms; which of them take a value the shell needs not know here.
static void completion_words(hoist_buffer *out, const tool_command *command)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id)) {
            hoist_buffer_format(out, " --%s", tool_options[id].name);
            if (tool_options[id].letter) {
                hoist_buffer_format(out, " -%c", tool_options[id].letter);
            }
        }
    }
}

// All commands, with blanks between them; `before` the first.
static void command_names(hoist_buffer *out, const char *before)
{
    for (size_t i = 0; i < tool_command_count; i++) {
        hoist_buffer_format(out, "%s%s", i ? " " : before, tool_commands[i].name);
    }
}

// One function with two levels of case: after an option with words those, else by the command,
// options where the word begins with '-' and files where not.
static void bash_completion(hoist_buffer *out)
{
    hoist_buffer_c(
        out, "# bash completion for hoist, made from the command's own tables\n_hoist() {\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
             "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    command_names(out, "");
    hoist_buffer_c(out,
                   "\"\n        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n        return\n"
                   "    fi\n    case $prev in\n");
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_options[id].completion == COMPLETE_WORDS) {
            hoist_buffer_format(out, "    --%s) COMPREPLY=($(compgen -W \"", tool_options[id].name);
            tool_write_words(&tool_options[id], " ", " ", out);
            hoist_buffer_c(out, "\" -- \"$cur\")); return ;;\n");
        }
    }
    hoist_buffer_c(out, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        const bool names = tool_commands[i].argument == ARG_COMMAND;
        hoist_buffer_format(out, "    %s) words=\"", tool_commands[i].name);
        completion_words(out, &tool_commands[i]);
        if (names) {
            command_names(out, " ");
        }
        hoist_buffer_c(out, names ? "\"\n        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                                    "        return ;;\n"
                                  : "\" ;;\n");
    }
    hoist_buffer_c(out, "    esac\n    case $cur in\n"
                        "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
                        "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
                        "    esac\n}\ncomplete -o filenames -F _hoist hoist\n");
}

// Text inside single quotes of a shell; zsh's _arguments also needs brackets and colons escaped.
// A quote is closed, escaped and opened again: don't becomes 'don'\''t'.
static void quoted(hoist_buffer *out, const char *text, bool zsh)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            hoist_buffer_c(out, "'\\''");
        } else {
            hoist_buffer_c(out, zsh && (*c == '[' || *c == ']' || *c == ':') ? "\\" : "");
            hoist_buffer_char(out, *c);
        }
    }
}

// The grammar of _arguments: '*--name=[help]:message:action', '*' for a repeatable one.
static void zsh_option(hoist_buffer *out, const tool_option *option)
{
    hoist_buffer_format(out, " \\\n            '%s--%s%s[", option->repeatable ? "*" : "",
                        option->name, option->value ? "=" : "");
    quoted(out, option->help, true);
    hoist_buffer_char(out, ']');
    if (option->value) {
        hoist_buffer_format(out, ":%s:", option->value);
    }
    if (option->completion == COMPLETE_FILE) {
        hoist_buffer_c(out, "_files");
    } else if (option->completion == COMPLETE_WORDS) {
        hoist_buffer_char(out, '(');
        tool_write_words(option, " ", " ", out);
        hoist_buffer_char(out, ')');
    }
    hoist_buffer_char(out, '\'');
}

static void zsh_completion(hoist_buffer *out)
{
    hoist_buffer_c(out, "#compdef hoist\n# zsh completion for hoist, made from the command's own "
                        "tables\n_hoist() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        hoist_buffer_format(out, "        '%s:", tool_commands[i].name);
        quoted(out, tool_commands[i].summary, true);
        hoist_buffer_c(out, "'\n");
    }
    hoist_buffer_c(out,
                   "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                   "        return\n    fi\n    case ${words[2]} in\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        hoist_buffer_format(out, "    %s)\n        _arguments", tool_commands[i].name);
        for (int id = 0; id < OPT_COUNT; id++) {
            if (tool_takes(&tool_commands[i], id)) {
                zsh_option(out, &tool_options[id]);
            }
        }
        // The argument of help is a command, and no file.
        if (tool_commands[i].argument == ARG_COMMAND) {
            hoist_buffer_c(out, " \\\n            '2:command:(");
            command_names(out, "");
            hoist_buffer_c(out, ")'\n        ;;\n");
            continue;
        }
        hoist_buffer_c(out, " \\\n            '*:file:_files'\n        ;;\n");
    }
    hoist_buffer_c(out, "    esac\n}\n_hoist \"$@\"\n");
}

// -x: takes a value, and no files; -r: takes a value; -f: no files.
static void fish_completion(hoist_buffer *out)
{
    hoist_buffer_c(out, "# fish completion for hoist, made from the command's own tables\n");
    for (size_t i = 0; i < tool_command_count; i++) {
        const tool_command *command = &tool_commands[i];
        hoist_buffer_format(out, "complete -c hoist -n __fish_use_subcommand -f -a %s -d '",
                            command->name);
        quoted(out, command->summary, false);
        hoist_buffer_c(out, "'\n");
        if (command->argument == ARG_COMMAND) {
            hoist_buffer_format(out,
                                "complete -c hoist -n '__fish_seen_subcommand_from %s' -f -a '",
                                command->name);
            command_names(out, "");
            hoist_buffer_c(out, "'\n");
        }
        for (int id = 0; id < OPT_COUNT; id++) {
            const tool_option *option = &tool_options[id];
            if (!tool_takes(command, id)) {
                continue;
            }
            hoist_buffer_format(out, "complete -c hoist -n '__fish_seen_subcommand_from %s' -l %s",
                                command->name, option->name);
            if (option->letter) {
                hoist_buffer_format(out, " -s %c", option->letter);
            }
            if (option->completion == COMPLETE_WORDS) {
                hoist_buffer_c(out, " -x -a '");
                tool_write_words(option, " ", " ", out);
                hoist_buffer_char(out, '\'');
            } else if (option->value) {
                hoist_buffer_c(out, " -r");
            }
            hoist_buffer_c(out, " -d '");
            quoted(out, option->help, false);
            hoist_buffer_c(out, "'\n");
        }
    }
}

// Formats with several refusers (parser, model, compiler, runtime) get a column for them.
static bool names_refusers(const hoist_rule_set *set)
{
    bool found = false;
    for (size_t i = 0; i < set->count; i++) {
        found = found || set->rules[i].refused_by;
    }
    return found;
}

// A row of a Markdown table. Titles and details have no '|' in them.
static void rules_row(const hoist_rule *rule, bool refusers, hoist_buffer *out)
{
    static const char *const letters[] = {"N", "W", "E"};
    hoist_buffer_format(out, "| [%s](rules/%s.md) | %s%s | %s | %s | ", rule->id, rule->id,
                        letters[rule->severity], rule->strict_error ? "*" : "", rule->title,
                        rule->detail);
    hoist_refusers_text(rule, out);
    hoist_buffer_format(out, "%s%s |\n", refusers ? " | " : "", rule->source);
}

// docs/rules.md: one table for each set of rules, in the order of the sets.
static void rules_page(hoist_buffer *out)
{
    hoist_buffer_c(out,
                   "# Rules\n\nMade from the tables that `hoist check` enforces. `hoist rules "
                   "ID` prints the same.\nE error, W warning, W* warning that `--strict` makes "
                   "into an error, N note.\n");
    for (size_t s = 0; s < hoist_rule_set_count(); s++) {
        const hoist_rule_set *set = hoist_rule_set_at(s);
        const bool refusers = names_refusers(set);
        hoist_buffer_format(out,
                            "\n## %s\n\n| Rule | | What holds | Why, and what to do |%s Source |\n"
                            "|---|---|---|---|%s---|\n",
                            set->title, refusers ? " Refused by |" : "", refusers ? "---|" : "");
        for (size_t i = 0; i < set->count; i++) {
            rules_row(&set->rules[i], refusers, out);
        }
    }
}

// The page of one rule, which a link to it opens.
// A page has one rule, so a link can point to it; docs/rules.md has all of them in tables.
static void rule_page(const hoist_rule_set *set, const hoist_rule *rule, hoist_buffer *out)
{
    static const char *const words[] = {
        [HOIST_NOTE] = "note", [HOIST_WARNING] = "warning", [HOIST_ERROR] = "error"};
    hoist_buffer_format(out, "# %s\n\n%s: %s%s.\n\nWhat holds: **%s.**\n\n", rule->id, set->title,
                        words[rule->severity],
                        rule->strict_error ? ", with `--strict` an error" : "", rule->title);
    if (*rule->detail) {
        hoist_buffer_format(out, "%s\n\n", rule->detail);
    }
    if (rule->refused_by) {
        hoist_buffer_c(out, "Refused by: ");
        hoist_refusers_text(rule, out);
        hoist_buffer_c(out, ".\n\n");
    }
    hoist_buffer_format(
        out,
        "Source: %s.\n\n`hoist rules %s` prints the same. [All rules](../rules.md), "
        "[words](../glossary.md).\n",
        rule->source, rule->id);
}

// Names of files are ids, which have no '/' in them.
static bool rule_pages(const char *folder)
{
    bool written = true;
    for (size_t s = 0; s < hoist_rule_set_count(); s++) {
        const hoist_rule_set *const set = hoist_rule_set_at(s);
        for (size_t i = 0; i < set->count; i++) {
            char name[80];
            (void)snprintf(name, sizeof(name), "rules/%s.md", set->rules[i].id);
            hoist_buffer text;
            hoist_buffer_init(&text, hoist_allocator_system());
            rule_page(set, &set->rules[i], &text);
            written = write_file(folder, name, &text) && written;
            hoist_buffer_deinit(&text);
        }
    }
    return written;
}

// `make` appends the text; a buffer that ran out of memory is not written.
static bool page(const char *folder, const char *name, void (*make)(hoist_buffer *))
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    make(&text);
    const bool written = write_file(folder, name, &text);
    hoist_buffer_deinit(&text);
    return written;
}

// Every command has a page, also those that only print.
static bool command_pages(const char *folder)
{
    bool written = true;
    for (size_t i = 0; i < tool_command_count; i++) {
        char name[80];
        (void)snprintf(name, sizeof(name), "man/hoist-%s.1", tool_commands[i].name);
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        man_command(&text, &tool_commands[i]);
        written = write_file(folder, name, &text) && written;
        hoist_buffer_deinit(&text);
    }
    return written;
}

// The folders in DIR have to be there: the build makes them (scripts/docs.sh).
int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr,
                      "usage: hoist-docgen DIR (with man/, completions/ and rules/ in it)\n");
        return 2;
    }
    const char *folder = argv[1];
    bool written = page(folder, "man/hoist.1", man_tool);
    // The call is on the left, so that one failure does not hide the others.
    written = command_pages(folder) && written;
    written = page(folder, "completions/hoist.bash", bash_completion) && written;
    written = page(folder, "completions/_hoist", zsh_completion) && written;
    written = page(folder, "completions/hoist.fish", fish_completion) && written;
    written = page(folder, "rules.md", rules_page) && written;
    written = rule_pages(folder) && written;
    return written ? 0 : 1;
}
