// program/rules.h - the rules of programs: PRG-001 ... (rules.inc); 9xx are those of the text form.
#ifndef HOIST_SRC_PROGRAM_RULES_H
#define HOIST_SRC_PROGRAM_RULES_H

#include "hoist/program.h"

typedef enum hoist_program_rule {
#define PRG_RULE(number, ...) HOIST_PRG_##number,
#include "program/rules.inc"
    HOIST_PRG_COUNT,
} hoist_program_rule;

const hoist_rule *hoist_program_rule_get(hoist_program_rule rule); // static
// The rule under which `program` reports `rule`: its format's, else the program's own.
const hoist_rule *hoist_program_rule_of(const hoist_program *program, hoist_program_rule rule);

#endif // HOIST_SRC_PROGRAM_RULES_H
