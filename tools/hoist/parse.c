// From argv and the environment to a `tool`: command, options, arguments. Everything that can be
// checked without opening a file is checked here; values.c has the single values.
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include "nearest.h"

_Static_assert((int)OPT_COUNT <= UINT8_MAX, "rows of commands have options as bytes");

// The command's option named by the first `size` bytes of `name`, or OPT_COUNT.
// Complete names only: an abbreviation that is unique today would be ambiguous with the next
// option.
static tool_option_id find_long(const tool_command *command, const char *name, size_t size)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id) && strlen(tool_options[id].name) == size &&
            memcmp(tool_options[id].name, name, size) == 0) {
            return (tool_option_id)id;
        }
    }
    return OPT_COUNT;
}

// Commands reuse letters, so the search is among the options of this command.
static tool_option_id find_short(const tool_command *command, char letter)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id) && tool_options[id].letter == letter) {
            return (tool_option_id)id;
        }
    }
    return OPT_COUNT;
}

// Every complaint about the command line ends with this line, and gives TOOL_USAGE.
static tool_exit usage_hint(tool *t)
{
    tool_complain(t, "try 'hoist help%s%s'", t->command ? " " : "",
                  t->command ? t->command->name : "");
    return TOOL_USAGE;
}

// Complains about a word that no option of the command is called, and proposes the nearest.
static tool_exit unknown_option(tool *t, const char *name, size_t size)
{
    tool_nearest nearest = tool_nearest_begin(name, size);
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(t->command, id)) {
            tool_nearest_try(&nearest, tool_options[id].name);
        }
    }
    const char *const meant = tool_nearest_name(&nearest);
    tool_complain(t, "%s has no option '--%.*s'%s%s%s", t->command->name, (int)size, name,
                  meant ? "; did you mean '--" : "", meant ? meant : "", meant ? "'?" : "");
    return usage_hint(t);
}

// The same of commands.
static tool_exit unknown_command(tool *t, const char *word)
{
    const char *const meant = tool_nearest_command(t, word);
    tool_complain(t, "there is no command '%s'%s%s%s", word, meant ? "; did you mean '" : "",
                  meant ? meant : "", meant ? "'?" : "");
    return usage_hint(t);
}

// Stores one option; `value` NULL for a flag.
// Of an option that is not repeatable the last value counts, so an alias can be overridden.
static tool_exit set_option(tool *t, tool_option_id id, const char *value)
{
    const tool_option *option = &tool_options[id];
    if (value && !tool_check_value(t, option, value, false)) {
        return usage_hint(t);
    }
    t->values[id] = value ? value : "";
    if (option->repeatable) {
        t->repeated[t->repeated_count++] = (tool_value){id, value};
    }
    return TOOL_OK;
}

// `--name`, `--name=value` or `--name value`. `*i` is the index of the argument and moves over a
// value that is an argument of its own.
// The next argument is the value even where it begins with '-'.
static tool_exit parse_long(tool *t, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2;
    const size_t size = strcspn(name, "=");
    const tool_option_id id = find_long(t->command, name, size);
    if (id == OPT_COUNT) {
        return unknown_option(t, name, size);
    }
    const char *value = name[size] == '=' ? name + size + 1 : NULL;
    if (!tool_options[id].value && value) {
        tool_complain(t, "--%s takes no value", tool_options[id].name);
        return usage_hint(t);
    }
    if (tool_options[id].value && !value) {
        if (*i + 1 >= argc) {
            tool_complain(t, "--%s needs a value: %s", tool_options[id].name,
                          tool_options[id].value);
            return usage_hint(t);
        }
        *i += 1;
        value = argv[*i];
    }
    return set_option(t, id, value);
}

// `-q`, `-oFILE`, `-o FILE`, and several letters in one argument.
// The first letter that takes a value takes all that follows it in the argument.
static tool_exit parse_short(tool *t, int argc, char **argv, int *i)
{
    for (const char *letter = argv[*i] + 1; *letter; letter++) {
        const tool_option_id id = find_short(t->command, *letter);
        if (id == OPT_COUNT) {
            tool_complain(t, "%s has no option '-%c'", t->command->name, *letter);
            return usage_hint(t);
        }
        if (!tool_options[id].value) {
            (void)set_option(t, id, NULL);
            continue;
        }
        const char *value = letter + 1;
        if (!*value) {
            if (*i + 1 >= argc) {
                tool_complain(t, "-%c needs a value: %s", *letter, tool_options[id].value);
                return usage_hint(t);
            }
            *i += 1;
            value = argv[*i];
        }
        return set_option(t, id, value);
    }
    return TOOL_OK;
}

// "needs" where there are too few, "takes" where there are too many.
static tool_exit check_argument_count(tool *t)
{
    static const struct {
        size_t least, most;
        const char *few, *many; // what the command takes; NULL: the last argument is surplus
    } limits[] = {
        [ARG_FILE] = {1, 1, "needs a file", "takes one file"},
        [ARG_PAIR] = {2, 2, "takes two files", "takes two files"},
        [ARG_FILES] = {1, SIZE_MAX, "needs a file", NULL},
        [ARG_FOLDER] = {1, 1, "needs a folder", "takes one folder"},
        [ARG_FOLDERS] = {0, SIZE_MAX, NULL, NULL},
        [ARG_RULES] = {0, SIZE_MAX, NULL, NULL},
        [ARG_COMMAND] = {0, 1, NULL, NULL},
        [ARG_NOTHING] = {0, 0, NULL, NULL},
    };
    // A list of files stands for the file that the command needs.
    const size_t n = t->argument_count + (tool_given(t, OPT_FILES0_FROM) ? 1 : 0);
    const tool_argument kind = t->command->argument;
    if (n >= limits[kind].least && n <= limits[kind].most) {
        return TOOL_OK;
    }
    const char *const words = n > limits[kind].most ? limits[kind].many : limits[kind].few;
    if (words) {
        tool_complain(t, "%s %s", t->command->name, words);
    } else {
        tool_complain(t, "%s has a surplus argument '%s'", t->command->name, t->arguments[n - 1]);
    }
    return usage_hint(t);
}

// What the environment says instead of options that are not given; an empty text says nothing.
// A variable that is malformed is an error even where the command would never use its value:
// silence would look as if it had been used.
static tool_exit check_variables(tool *t)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        const tool_option *option = &tool_options[id];
        const bool reads = option->variable && tool_takes(t->command, id) && !t->values[id];
        // Options win over variables, which are not even looked at then.
        const char *text = reads ? getenv(option->variable) : NULL;
        if (text && *text && !tool_check_value(t, option, text, true)) {
            return usage_hint(t);
        }
    }
    return TOOL_OK;
}

// Options in place of a command: --help, --version.
static const char *command_word(const char *argument)
{
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        return "help";
    }
    return strcmp(argument, "--version") == 0 ? "version" : argument;
}

// "--" ends the options; "-" alone is an argument, standard input.
static tool_exit parse_rest(tool *t, int argc, char **argv)
{
    bool options = true;
    for (int i = 2; i < argc; i++) {
        const char *argument = argv[i];
        tool_exit code = TOOL_OK;
        if (options && strcmp(argument, "--") == 0) {
            options = false;
        } else if (options && argument[0] == '-' && argument[1] == '-') {
            code = parse_long(t, argc, argv, &i);
        } else if (options && argument[0] == '-' && argument[1]) {
            code = parse_short(t, argc, argv, &i);
        } else {
            t->arguments[t->argument_count++] = argument;
        }
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

const tool_command *tool_find_command(const tool *t, const char *name)
{
    for (size_t i = 0; i < t->command_count; i++) {
        if (strcmp(t->commands[i].name, name) == 0) {
            return &t->commands[i];
        }
    }
    return NULL;
}

const char *tool_nearest_command(const tool *t, const char *word)
{
    tool_nearest nearest = tool_nearest_begin(word, strlen(word));
    for (size_t i = 0; i < t->command_count; i++) {
        tool_nearest_try(&nearest, t->commands[i].name);
    }
    return tool_nearest_name(&nearest);
}

// On success all of `t` that depends on the command line is set, max_memory included.
tool_exit tool_parse(tool *t, int argc, char **argv)
{
    if (argc < 2) {
        tool_complain(t, "a command is needed");
        return usage_hint(t);
    }
    t->command = tool_find_command(t, command_word(argv[1]));
    if (!t->command) {
        return unknown_command(t, argv[1]);
    }
    tool_exit code = parse_rest(t, argc, argv);
    // --help works without the arguments that the command needs.
    if (code == TOOL_OK && !tool_given(t, OPT_HELP)) {
        code = check_argument_count(t);
    }
    code = code == TOOL_OK ? check_variables(t) : code;
    // --max-memory, or its variable.
    const char *text = t->values[OPT_MAX_MEMORY];
    if (!text && tool_takes(t->command, OPT_MAX_MEMORY)) {
        text = getenv(tool_options[OPT_MAX_MEMORY].variable);
    }
    if (text && *text) {
        (void)tool_parse_size(text, &t->max_memory);
    }
    return code;
}
