// base/rules.h - tables of rules from X-macro files, the one way in which every set is made.
//
// A set is a file X_rules.inc with a row for each rule, X_RULE(number, level, title, detail,
// source), from which the numbers and the table come in the same order:
//
//     typedef enum buda_rule {
//     #define BUDA_RULE(number, ...) BUDA_##number,
//     #include "formats/buda/rules.inc"
//         BUDA_RULE_COUNT,
//     } buda_rule;
//
//     static const hoist_rule rules[] = {
//     #define BUDA_RULE(number, ...) HOIST_RULE("BUDA-" #number, __VA_ARGS__),
//     #include "formats/buda/rules.inc"
//     };
//
// The .inc undefines its macro at the end. A set whose source is always the same, or whose
// enumerators have names, says so in these two macros. scripts/check_rules.py reads the rows.
#ifndef HOIST_SRC_BASE_RULES_H
#define HOIST_SRC_BASE_RULES_H

#include "hoist/base.h"

// The levels of rows: severity, whether --strict makes it an error, whether `check` looks for it.
#define HOIST_RULE_ERROR HOIST_ERROR, false, true
#define HOIST_RULE_WARNING HOIST_WARNING, false, true
#define HOIST_RULE_NOTE HOIST_NOTE, false, true
#define HOIST_RULE_STRICT HOIST_WARNING, true, true
#define HOIST_RULE_UNJUDGED HOIST_ERROR, false, false // found in other ways than by checking a file

#define HOIST_RULE(id, level, title, detail, source)                                               \
    HOIST_RULE_REFUSED(id, level, 0, title, detail, source)
// The same with `refused_by`: bits of hoist_refuser.
#define HOIST_RULE_REFUSED(id, level, refused_by, title, detail, source)                           \
    {                                                                                              \
        id, HOIST_RULE_##level, refused_by, title, detail, source                                  \
    }

#endif // HOIST_SRC_BASE_RULES_H
