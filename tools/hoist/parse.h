#ifndef HOIST_TOOLS_PARSE_H
#define HOIST_TOOLS_PARSE_H

#include "tool.h"

// Fills command, options, arguments and limits from argv. `t->arguments` and `t->repeated`
// have room for argc items.
// Complains on standard error and returns TOOL_USAGE when the command line is wrong.
tool_exit tool_parse(tool *t, int argc, char **argv);

// "4096", "64K", "512M", "2G", "1T"; false for anything else, for 0 and for what does not fit.
bool tool_parse_size(const char *text, size_t *out_size);

// The value of `id` as a whole number from `least` on, or `fallback` when it is not given (the
// option's variable counts). False, with a complaint, for anything else.
bool tool_count_of(tool *t, tool_option_id id, uint64_t least, uint64_t fallback,
                   uint64_t *out_count);
// The same for a decimal number of 0 or more.
bool tool_number_of(tool *t, tool_option_id id, double fallback, double *out_number);

// Splits "NAME=VALUE" of --param; the name borrows. False when it is none.
bool tool_split_parameter(const char *text, hoist_str *out_name, int64_t *out_value);
// The same, with a complaint.
bool tool_parameter(tool *t, const char *text, hoist_str *out_name, int64_t *out_value);

#endif // HOIST_TOOLS_PARSE_H
