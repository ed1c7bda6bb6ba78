// From a command line to a command, its options and arguments, or to a complaint.
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "testing/test.h"

enum { MOST_WORDS = 16 };

typedef struct parsed {
    tool run;
    hoist_output err;
    const char *arguments[MOST_WORDS];
    tool_exit code;
} parsed;

// Parses `line`, words separated by blanks ('' is an empty one), with `memory` in the variable of
// --max-memory (NULL: not set).
static void parse(hoist_test *t, const char *line, const char *memory, parsed *out)
{
    static char command[] = "hoist";
    char *argv[MOST_WORDS] = {command};
    int argc = 1;
    hoist_str copy = hoist_arena_format(&t->arena, "%s", line);
    char *rest = hoist_arena_alloc(&t->arena, copy.size + 1);
    memcpy(rest, copy.data, copy.size);
    for (char *word = strtok(rest, " "); word && argc < MOST_WORDS; word = strtok(NULL, " ")) {
        argv[argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
    const char *variable = tool_options[OPT_MAX_MEMORY].variable;
    HOIST_EXPECT_EQ(t, memory ? setenv(variable, memory, 1) : unsetenv(variable), 0);
    hoist_output_init(&out->err, -1);
    out->run = (tool){.commands = tool_commands,
                      .command_count = tool_command_count,
                      .err = &out->err,
                      .arguments = out->arguments};
    out->code = tool_parse(&out->run, argc, argv);
}

// "command argument... --option=value... memory".
static hoist_str shown(hoist_test *t, const tool *run)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, run->command->name);
    for (size_t i = 0; i < run->argument_count; i++) {
        hoist_buffer_format(&text, " '%s'", run->arguments[i]);
    }
    for (int id = 0; id < OPT_COUNT; id++) {
        if (run->values[id]) {
            hoist_buffer_format(&text, " --%s%s%s", tool_options[id].name,
                                tool_options[id].value ? "=" : "", run->values[id]);
        }
    }
    if (run->max_memory) {
        hoist_buffer_format(&text, " %zu", run->max_memory);
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

// clang-format off
static const struct {
    const char *name; // the command line
    const char *memory;
    const char *want;
} right[] = {
    {"check a b",                    NULL, "check 'a' 'b'"},
    {"check - --",                   NULL, "check '-'"},
    {"check -- -q --json --",        NULL, "check '-q' '--json' '--'"},
    {"check ''",                     NULL, "check ''"},
    {"check a -q --json",            NULL, "check 'a' --quiet --json"},
    {"check -q -q a",                NULL, "check 'a' --quiet"},
    {"check -qh",                    NULL, "check --quiet --help"},
    {"check --arch=x a",             NULL, "check 'a' --arch=x"},
    {"check --arch x a",             NULL, "check 'a' --arch=x"},
    {"check --arch=x=y a",           NULL, "check 'a' --arch=x=y"},
    {"check --arch --json a",        NULL, "check 'a' --arch=--json"},
    {"check --arch -- a",            NULL, "check 'a' --arch=--"},
    {"check --arch x a --arch y",    NULL, "check 'a' --arch=y"},
    {"check --color never a",        NULL, "check 'a' --color=never"},
    {"dump a -oout",                 NULL, "dump 'a' --output=out"},
    {"dump a -o out",                NULL, "dump 'a' --output=out"},
    {"dump a -o=out",                NULL, "dump 'a' --output==out"},
    {"dump -o -h a",                 NULL, "dump 'a' --output=-h"},
    {"dump --help",                  NULL, "dump --help"},
    {"dump a b --help",              NULL, "dump 'a' 'b' --help"},
    {"rules",                        NULL, "rules"},
    {"rules a b",                    NULL, "rules 'a' 'b'"},
    {"help",                         NULL, "help"},
    {"help check",                   NULL, "help 'check'"},
    {"-h check",                     NULL, "help 'check'"},
    {"--help",                       NULL, "help"},
    {"--version",                    NULL, "version"},
    {"check a --max-memory 1K",      NULL, "check 'a' --max-memory=1K 1024"},
    {"check a --max-memory=1K",      "2K", "check 'a' --max-memory=1K 1024"},
    {"check a",                      "2K", "check 'a' 2048"},
    {"check a",                      "",   "check 'a'"},
};

static const struct {
    const char *name; // the command line
    const char *memory;
    const char *says;
} wrong[] = {
    {"",                             NULL, "a command is needed"},
    {"''",                           NULL, "there is no command ''"},
    {"Check a",                      NULL, "there is no command 'Check'; did you mean 'check'?"},
    {"chec a",                       NULL, "there is no command 'chec'; did you mean 'check'?"},
    {"checks a",                     NULL, "there is no command 'checks'; did you mean 'check'?"},
    {"-q check a",                   NULL, "there is no command '-q'"},
    {"--arch=x check a",             NULL, "there is no command '--arch=x'"},
    {"-- check a",                   NULL, "there is no command '--'"},
    {"check --",                     NULL, "check needs a file"},
    {"check -q",                     NULL, "check needs a file"},
    {"graph",                        NULL, "graph needs a file"},
    {"graph a b",                    NULL, "graph takes one file"},
    {"disasm -- -a -b",              NULL, "disasm takes one file"},
    {"help check dump",              NULL, "help has a surplus argument 'dump'"},
    {"--version x",                  NULL, "version has a surplus argument 'x'"},
    {"version -- --",                NULL, "version has a surplus argument '--'"},
    {"check --jso a",                NULL, "check has no option '--jso'; did you mean '--json'?"},
    {"check --jsons a",              NULL, "check has no option '--jsons'"}, // --json or --jsonl
    {"check --werrors a",            NULL, "check has no option '--werrors'; did you mean '--werror'?"},
    {"check --JSON a",               NULL, "check has no option '--JSON'; did you mean '--json'?"},
    {"check --=x a",                 NULL, "check has no option '--'"},
    {"check ---q a",                 NULL, "check has no option '---q'"},
    {"check --q a",                  NULL, "check has no option '--q'"},
    {"check --resources a",          NULL, "check has no option '--resources'"},
    {"check --resouces a",           NULL, "check has no option '--resouces'"},
    {"check --formt=buda a",         NULL, "check has no option '--formt'; did you mean '--format'?"},
    {"info --strict a",              NULL, "info has no option '--strict'"},
    {"check -qo a",                  NULL, "check has no option '-o'"},
    {"check -qx a",                  NULL, "check has no option '-x'"},
    {"check -q- a",                  NULL, "check has no option '--'"},
    {"check --json= a",              NULL, "--json takes no value"},
    {"check --quiet=yes a",          NULL, "--quiet takes no value"},
    {"check a --arch",               NULL, "--arch needs a value: ARCH"},
    {"dump a --output",              NULL, "--output needs a value: FILE"},
    {"dump a -o",                    NULL, "-o needs a value: FILE"},
    {"check --arch= a",              NULL, "--arch needs a value: ARCH"},
    {"check --arch '' a",            NULL, "--arch needs a value: ARCH"},
    {"dump -o '' a",                 NULL, "--output needs a value: FILE"},
    {"check --color= a",             NULL, "--color needs a value: WHEN"},
    {"check --color=a a",            NULL, "--color takes auto, always or never, not 'a'"},
    {"pack --pkg-version=3 a",       NULL, "--pkg-version takes 1 or 2, not '3'"},
    {"run --numerics=best a",        NULL, "--numerics takes reference, declared, device or fast, not 'best'"},
    {"check --ranks 0 a",            NULL, "--ranks takes an integer from 1 to 1024, not '0'"},
    {"check --ranks 1025 a",         NULL, "--ranks takes an integer from 1 to 1024, not '1025'"},
    {"run --warmup 16777217 a",      NULL, "--warmup takes an integer from 0 to 16777216, not '16777217'"},
    {"run --max-steps x a",          NULL, "--max-steps takes an integer of 1 or more, not 'x'"},
    {"run --timeout -1 a",           NULL, "--timeout takes a number of 0 or more, not '-1'"},
    {"run --pcc 1.5 a",              NULL, "--pcc takes a number from 0 to 1, not '1.5'"},
    {"run --schedule random: a",     NULL, "--schedule takes in-order, random:SEED or adversarial, not 'random:'"},
    {"run --param x a",              NULL, "--param takes NAME=VALUE with an integer, not 'x'"},
    {"run --expect x=1 a",           NULL, "--expect takes NAME[:DTYPE]=@FILE, not 'x=1'"},
    {"run -i x=random:1:2..1 a",     NULL, "not 'x=random:1:2..1'"},
    {"run -i x=random:1:.. a",       NULL, "not 'x=random:1:..'"},
    {"run -i x=random:1:1 a",        NULL, "not 'x=random:1:1'"},
    {"run -i x=random:1:0..nan a",   NULL, "not 'x=random:1:0..nan'"},
    {"run -i x=random:0..1 a",       NULL, "not 'x=random:0..1'"},
    {"run -i *=@x a",                NULL, ".npz or .safetensors, not '*=@x'"},
    {"check --color=neve a",         NULL, "not 'neve'"},
    {"check --color=nevers a",       NULL, "not 'nevers'"},
    {"check --color Never a",        NULL, "not 'Never'"},
    {"check --max-memory=0 a",       NULL, "such as 512M, not '0'"},
    {"check --max-memory -1 a",      NULL, "such as 512M, not '-1'"},
    {"check --max-memory=1KB a",     "1K", "such as 512M, not '1KB'"},
    {"check a",                      "x",  "HOIST_MAX_MEMORY takes a number of bytes such as 512M, not 'x'"},
};
// clang-format on

HOIST_TEST_TABLE(right_lines, right)
{
    parsed p;
    parse(t, row->name, row->memory, &p);
    HOIST_EXPECT_EQ(t, p.code, TOOL_OK);
    HOIST_EXPECT_EQ(t, p.err.used, 0);
    HOIST_EXPECT_STR(t, shown(t, &p.run), row->want);
}

// Each complaint is one sentence and a hint, and nothing runs.
HOIST_TEST_TABLE(wrong_lines, wrong)
{
    parsed p;
    parse(t, row->name, row->memory, &p);
    HOIST_EXPECT_EQ(t, p.code, TOOL_USAGE);
    const hoist_str said = {(const char *)p.err.buffer, p.err.used};
    const hoist_str command = hoist_str_from(p.run.command ? p.run.command->name : "");
    const hoist_str want =
        hoist_arena_format(&t->arena, "%s\nhoist: try 'hoist help%s%.*s'\n", row->says,
                           command.size ? " " : "", HOIST_STR_ARGS(command));
    HOIST_EXPECT(t, hoist_str_starts_with(said, "hoist: "));
    if (!hoist_str_contains(said, want.data)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected \"%s\", got \"%.*s\"", want.data,
                        HOIST_STR_ARGS(said));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(right_lines), HOIST_TEST_ROW(wrong_lines))
