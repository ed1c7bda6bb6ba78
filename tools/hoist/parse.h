// parse.h - the command line as values: parsing (parse.c), checking values (values.c), forms of
// values (forms.c). In: argv and the environment; out: a `tool` whose values all fit their
// options.
#ifndef HOIST_TOOLS_PARSE_H
#define HOIST_TOOLS_PARSE_H

#include "tool.h"

// Fills command, options, arguments and limits from argv. `t->arguments` and `t->repeated`
// have space for argc items.
// Complains on standard error and returns TOOL_USAGE when the command line is wrong; every value
// then is one that its option takes, as far as that can be said without a file.
tool_exit tool_parse(tool *t, int argc, char **argv);

// The command of that name; NULL: there is none.
const tool_command *tool_find_command(const tool *t, const char *name);
// The name of the one command that a mistyped word was meant to be; NULL: none is near enough.
const char *tool_nearest_command(const tool *t, const char *word);

// Whether the option takes this value, that of its variable when `from_variable`; complains when
// not.
bool tool_check_value(tool *t, const tool_option *option, const char *text, bool from_variable);
// The words of an option of COMPLETE_WORDS by number; data NULL from their number on. values.c
hoist_str tool_word_at(const tool_option *option, size_t index);
// Appends all of them, with `between` between two and `last` before the last one.
void tool_write_words(const tool_option *option, const char *between, const char *last,
                      hoist_buffer *out);
// Appends the values that the option takes: "an integer from 1 to 1024".
void tool_write_wanted(const tool_option *option, hoist_buffer *out);

// Values of WANTS_FORM, for the table of options. forms.c, as all that begins with tool_parse_.
bool tool_fits_size(const char *text);
bool tool_parse_shard(const char *text, uint64_t *out_shard, uint64_t *out_shards); // "2/8"
bool tool_fits_shard(const char *text);
bool tool_fits_schedule(const char *text);
bool tool_fits_parameter(const char *text);
bool tool_fits_call(const char *text);
bool tool_fits_address(const char *text);
bool tool_fits_input(const char *text);
bool tool_fits_expected(const char *text);
bool tool_fits_path(const char *text);

// An integer in decimal digits, and nothing else.
bool tool_parse_count(const char *text, uint64_t *out_count);
// A decimal number of 0 or more.
bool tool_parse_number(const char *text, double *out_number);
// "4096", "64K", "512M", "2G", "1T"; false for anything else, for 0 and for what does not fit.
bool tool_parse_size(const char *text, size_t *out_size);
// "random:SEED"; false when it is none.
bool tool_parse_random(const char *text, uint64_t *out_seed);
// "random:SEED" or "random:SEED:LOW..HIGH", of numbers with LOW <= HIGH.
typedef struct tool_random {
    uint64_t seed;
    bool has_range;
    double low;
    double high;
} tool_random;
bool tool_parse_random_input(const char *text, tool_random *out_random);
// "config" or "config:SEED".
bool tool_parse_config(const char *text, uint64_t *out_seed);
// "zeros" or a decimal number.
bool tool_parse_scalar(const char *text, double *out_number);
// "BUFFER[ELEMENT]=ADDRESS": the last sign counts, and the last brackets with digits before it;
// ADDRESS is decimal, or hexadecimal after 0x.
bool tool_parse_address(const char *text, hoist_str *out_buffer, uint32_t *out_element,
                        uint64_t *out_address);
// "NAME=VALUE" of --param; the name borrows.
bool tool_parse_parameter(const char *text, hoist_str *out_name, int64_t *out_value);
// PROGRAM of the "PROGRAM[,NAME=VALUE]..." of --call; borrows.
hoist_str tool_call_program(const char *text);
// The next parameter of a call from `*at` on (0 at first); false: no more, or it is none, and then
// `*at` is not the end of the text. The name borrows.
bool tool_next_call_parameter(const char *text, size_t *at, hoist_str *out_name,
                              int64_t *out_value);

// "NAME[:DTYPE]=SOURCE" in its parts. False when there is no '='.
typedef struct tool_binding {
    hoist_str name;
    hoist_dtype dtype; // HOIST_DTYPE_NONE: not said
    const char *source;
} tool_binding;
bool tool_parse_binding(const char *text, tool_binding *out_binding);
// "NAME[:DTYPE]" in its parts.
tool_binding tool_split_name(hoist_str text);
// The path after "raw:", by which the bytes of a file are elements, whatever they look like; else
// `path` itself.
const char *tool_after_raw(const char *path);
// Whether the value of an --input is "@FILE", a file of several arrays.
bool tool_is_set(const char *text);

// The value of `id`, an option of WANTS_COUNT or WANTS_NUMBER, or of its variable; `fallback` when
// neither is given.
uint64_t tool_count_of(const tool *t, tool_option_id id, uint64_t fallback);
double tool_number_of(const tool *t, tool_option_id id, double fallback);

#endif // HOIST_TOOLS_PARSE_H
