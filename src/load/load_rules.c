#include "load/load_rules.h"

static const hoist_rule rules[LOAD_RULE_COUNT] = {
    [LOAD_001] = {.id = "LOAD-001",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "the file is of a format that this build knows",
                  .detail =
                      "No format recognised the first bytes. `hoist version` lists the formats.",
                  .source = "ours"},
    [LOAD_002] = {.id = "LOAD-002",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "what a file stands for is within the built-in limits",
                  .detail = "A short text can stand for millions of objects: a list of devices "
                            "copies every object that has it. The finding names the limit; beyond "
                            "it nothing is judged.",
                  .source = "ours"},
    [LOAD_003] = {.id = "LOAD-003",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "the options of a call are ones that this library knows",
                  .detail = "The program that uses the library names a format that is not built "
                            "in, or a program or parameter that the file has not, or was compiled "
                            "for a library of another version.",
                  .source = "ours"},
    [LOAD_004] = {.id = "LOAD-004",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "what is asked of a file has a meaning for its format",
                  .detail = "A netlist is no container, for instance: there is nothing to unpack.",
                  .source = "ours"},
    [LOAD_005] = {.id = "LOAD-005",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "a compiled model has a form as an ordinary one",
                  .detail = "Every part of the program has to be understood, and every layer to be "
                            "one that the other format has. There is a finding for each that is "
                            "not, with its place; nothing is written.",
                  .source = "ours"},
    [LOAD_006] = {.id = "LOAD-006",
                  .severity = HOIST_ERROR,
                  .judged = true,
                  .title = "what is asked of a file is done before its deadline",
                  .detail = "The caller set a limit of time (`--timeout`). The finding names what "
                            "was going on when it was reached; nothing of it is given out.",
                  .source = "ours"},
};

const hoist_rule_set hoist_load_rules = {"load", "Opening files", rules, LOAD_RULE_COUNT};

const hoist_rule *hoist_load_rule(load_rule rule)
{
    return &rules[rule];
}
