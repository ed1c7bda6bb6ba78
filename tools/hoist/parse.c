// From argv to a tool: which command, which options, which arguments.
#include "parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)OPT_COUNT <= 64, "options are bits of a uint64_t");

// The command's option named by the first `size` bytes of `name`, or OPT_COUNT.
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

static tool_option_id find_short(const tool_command *command, char letter)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (tool_takes(command, id) && tool_options[id].letter == letter) {
            return (tool_option_id)id;
        }
    }
    return OPT_COUNT;
}

// True when `value` is one of the option's words, or the option takes any.
static bool word_fits(const tool_option *option, const char *value)
{
    if (!option->closed) {
        return true;
    }
    const size_t size = strlen(value);
    for (const char *word = option->words; *word;) {
        const size_t length = strcspn(word, " ");
        if (length == size && memcmp(word, value, size) == 0) {
            return true;
        }
        word += length + (word[length] == ' ');
    }
    return false;
}

static tool_exit usage_hint(tool *t)
{
    tool_complain(t, "try 'hoist help%s%s'", t->command ? " " : "",
                  t->command ? t->command->name : "");
    return TOOL_USAGE;
}

// Stores one option; `value` NULL for a flag.
static tool_exit set_option(tool *t, tool_option_id id, const char *value)
{
    const tool_option *option = &tool_options[id];
    if (value && !word_fits(option, value)) {
        tool_complain(t, "--%s takes one of: %s; not '%s'", option->name, option->words, value);
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
static tool_exit parse_long(tool *t, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2;
    const size_t size = strcspn(name, "=");
    const tool_option_id id = find_long(t->command, name, size);
    if (id == OPT_COUNT) {
        tool_complain(t, "%s has no option '--%.*s'", t->command->name, (int)size, name);
        return usage_hint(t);
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

static tool_exit check_argument_count(tool *t)
{
    const size_t n = t->argument_count;
    switch (t->command->argument) {
    case ARG_FILE:
        if (n == 1) {
            return TOOL_OK;
        }
        tool_complain(t, n ? "%s takes one file" : "%s needs a file", t->command->name);
        return usage_hint(t);
    case ARG_PAIR:
        if (n == 2) {
            return TOOL_OK;
        }
        tool_complain(t, "%s takes two files", t->command->name);
        return usage_hint(t);
    case ARG_FOLDER:
        if (n == 1) {
            return TOOL_OK;
        }
        tool_complain(t, n ? "%s takes one folder" : "%s needs a folder", t->command->name);
        return usage_hint(t);
    case ARG_FILES:
        if (n >= 1) {
            return TOOL_OK;
        }
        tool_complain(t, "%s needs a file", t->command->name);
        return usage_hint(t);
    case ARG_COMMAND:
    case ARG_NOTHING:
        if (n <= (t->command->argument == ARG_COMMAND)) {
            return TOOL_OK;
        }
        tool_complain(t, "%s has a surplus argument '%s'", t->command->name, t->arguments[n - 1]);
        return usage_hint(t);
    case ARG_RULES:
        return TOOL_OK;
    }
    return TOOL_INTERNAL;
}

bool tool_parse_size(const char *text, size_t *out_size)
{
    *out_size = 0;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    static const char suffixes[] = "KMGT";
    unsigned shift = 0;
    if (*end) {
        const char *suffix = strchr(suffixes, *end);
        if (!suffix || end[1]) {
            return false;
        }
        shift = 10u * (unsigned)(suffix - suffixes + 1);
    }
    if (end == text || errno != 0 || text[0] < '0' || text[0] > '9' ||
        number > (SIZE_MAX >> shift)) {
        return false;
    }
    *out_size = (size_t)number << shift;
    return *out_size != 0;
}

static const char *given_or_variable(const tool *t, tool_option_id id)
{
    const char *text = t->values[id];
    const char *variable = tool_options[id].variable;
    text = text || !variable ? text : getenv(variable);
    return text && *text ? text : NULL;
}

bool tool_count_of(tool *t, tool_option_id id, uint64_t least, uint64_t fallback,
                   uint64_t *out_count)
{
    const char *text = given_or_variable(t, id);
    *out_count = fallback;
    if (!text) {
        return true;
    }
    char *end = NULL;
    errno = 0;
    *out_count = strtoull(text, &end, 10);
    if (errno == 0 && !*end && text[0] >= '0' && text[0] <= '9' && *out_count >= least) {
        return true;
    }
    tool_complain(t, "--%s wants a whole number of %llu or more, not '%s'", tool_options[id].name,
                  (unsigned long long)least, text);
    return false;
}

bool tool_split_parameter(const char *text, hoist_str *out_name, int64_t *out_value)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1]) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    *out_name = (hoist_str){text, (size_t)(sign - text)};
    *out_value = strtoll(sign + 1, &end, 0);
    return errno == 0 && !*end;
}

bool tool_parameter(tool *t, const char *text, hoist_str *out_name, int64_t *out_value)
{
    if (tool_split_parameter(text, out_name, out_value)) {
        return true;
    }
    tool_complain(t, "--param wants NAME=VALUE with a whole number, not '%s'", text);
    return false;
}

bool tool_number_of(tool *t, tool_option_id id, double fallback, double *out_number)
{
    const char *text = given_or_variable(t, id);
    *out_number = fallback;
    if (!text) {
        return true;
    }
    char *end = NULL;
    *out_number = strtod(text, &end);
    if (end != text && !*end && *out_number >= 0 && *out_number <= 1e300) {
        return true;
    }
    tool_complain(t, "--%s wants a number of 0 or more, not '%s'", tool_options[id].name, text);
    return false;
}

// --max-memory, or its variable.
static tool_exit parse_max_memory(tool *t)
{
    const char *text = t->values[OPT_MAX_MEMORY];
    if (!text && tool_takes(t->command, OPT_MAX_MEMORY)) {
        text = getenv(tool_options[OPT_MAX_MEMORY].variable);
    }
    if (!text || !*text || tool_parse_size(text, &t->max_memory)) {
        return TOOL_OK;
    }
    tool_complain(t, "--max-memory wants a number of bytes such as 512M, not '%s'", text);
    return usage_hint(t);
}

// Options that stand in place of a command: --help, --version.
static const char *command_word(const char *argument)
{
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        return "help";
    }
    return strcmp(argument, "--version") == 0 ? "version" : argument;
}

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

tool_exit tool_parse(tool *t, int argc, char **argv)
{
    if (argc < 2) {
        tool_complain(t, "a command is needed");
        return usage_hint(t);
    }
    t->command = tool_command_find(command_word(argv[1]));
    if (!t->command) {
        tool_complain(t, "there is no command '%s'", argv[1]);
        return usage_hint(t);
    }
    tool_exit code = parse_rest(t, argc, argv);
    if (code == TOOL_OK && !tool_given(t, OPT_HELP)) {
        code = check_argument_count(t);
    }
    return code == TOOL_OK ? parse_max_memory(t) : code;
}
