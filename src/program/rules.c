// The rules of programs from rules.inc, and the rule of a format that a program maps one of them
// to.
#include "program/rules.h"

#include "base/rules.h"
#include "program/program.h"
#include "program/verify.h"

static const hoist_rule rules[] = {
#define PRG_RULE(number, ...) HOIST_RULE("PRG-" #number, __VA_ARGS__),
#include "program/rules.inc"
};

const hoist_rule_set hoist_program_rules = {"program", "programs", rules, HOIST_PRG_COUNT};

const hoist_rule *hoist_program_rule_get(hoist_program_rule rule)
{
    return &rules[rule];
}

// A format that has a rule of its own for the same fact reports it under that.
const hoist_rule *hoist_program_rule_of(const hoist_program *program, hoist_program_rule rule)
{
    const hoist_rule *own = program->rules ? program->rules[rule] : NULL;
    return own ? own : &rules[rule];
}
