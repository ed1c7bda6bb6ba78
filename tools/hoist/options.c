// The table of options. A command's row says which of them it takes.
#include "tool.h"

// clang-format off
const tool_option tool_options[OPT_COUNT] = {
    [OPT_FORMAT]     = {.name = "format", .value = "NAME", .completion = COMPLETE_WORDS,
                        .words = "buda", .closed = true,
                        .help = "read files as of this format, whatever they look like"},
    [OPT_ARCH]       = {.name = "arch", .value = "ARCH", .completion = COMPLETE_WORDS,
                        .words = "grayskull wormhole wormhole_b0 blackhole", .variable = "ARCH_NAME",
                        .help = "judge for this architecture; must be one that the file lists"},
    [OPT_SOC]        = {.name = "soc", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "take device facts from this SoC descriptor"},
    [OPT_CLUSTER]    = {.name = "cluster", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "take chips and links from this cluster descriptor"},
    [OPT_STRICT]     = {.name = "strict",
                        .help = "warnings marked strict become errors"},
    [OPT_WERROR]     = {.name = "werror",
                        .help = "exit 1 when there are warnings"},
    [OPT_QUIET]      = {.name = "quiet", .letter = 'q',
                        .help = "do not print notes"},
    [OPT_EXPLAIN]    = {.name = "explain",
                        .help = "show the source line and the rule behind each finding"},
    [OPT_RESOURCES]  = {.name = "resources",
                        .help = "add estimates of what the file needs on a device"},
    [OPT_JSON]       = {.name = "json",
                        .help = "write JSON (schemas are installed beside the command)"},
    [OPT_OUTPUT]     = {.name = "output", .letter = 'o', .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "write to FILE instead of standard output"},
    [OPT_MAX_MEMORY] = {.name = "max-memory", .value = "SIZE", .variable = "HOIST_MAX_MEMORY",
                        .help = "stop with exit 5 beyond SIZE bytes of memory (suffixes K, M, "
                                "G); else beyond 56M and twice the file"},
    [OPT_COLOR]      = {.name = "color", .value = "WHEN", .completion = COMPLETE_WORDS,
                        .words = "auto always never", .closed = true,
                        .help = "color the output: auto, always or never"},
    [OPT_HELP]       = {.name = "help", .letter = 'h',
                        .help = "print this help and exit"},
};
// clang-format on
