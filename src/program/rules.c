#include "program/rules.h"

#include "program/program.h"
#include "program/verify.h"

// clang-format off
static const hoist_rule rules[HOIST_PRG_COUNT] = {
#define PRG_RULE(number, level, text, why, from)                                                   \
    [HOIST_PRG_##number] = {.id = "PRG-" #number, .severity = HOIST_##level, .judged = true,        \
                            .title = (text), .detail = (why), .source = (from)},
#include "program/rules.inc"
#undef PRG_RULE
};
// clang-format on

const hoist_rule_set hoist_program_rules = {"program", "programs", rules, HOIST_PRG_COUNT};

const hoist_rule *hoist_program_rule_get(hoist_program_rule rule)
{
    return &rules[rule];
}

const hoist_rule *hoist_program_rule_of(const hoist_program *program, hoist_program_rule rule)
{
    const hoist_rule *own = program->rules ? program->rules[rule] : NULL;
    return own ? own : &rules[rule];
}
