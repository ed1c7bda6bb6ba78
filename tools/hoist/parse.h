#ifndef HOIST_TOOLS_PARSE_H
#define HOIST_TOOLS_PARSE_H

#include "tool.h"

// Fills command, options, arguments and limits from argv. `t->arguments` has room for argc items.
// Complains on standard error and returns TOOL_USAGE when the command line is wrong.
tool_exit tool_parse(tool *t, int argc, char **argv);

// "4096", "64K", "512M", "2G", "1T"; false for anything else, for 0 and for what does not fit.
bool tool_parse_size(const char *text, size_t *out_size);

#endif // HOIST_TOOLS_PARSE_H
