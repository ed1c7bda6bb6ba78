// The table of the rules of Edge TPU packages. In: rules.inc; out: rows by dwn_rule, and the set
// that `hoist rules` and the reports name.
#include "formats/darwinn/rules.h"

#include "base/rules.h"

const hoist_rule dwn_rule_table[DWN_RULE_COUNT] = {
#define DWN_RULE(number, ...) HOIST_RULE("DWN-" #number, __VA_ARGS__),
#include "formats/darwinn/rules.inc"
};

const hoist_rule_set hoist_darwinn_rules = {"darwinn", "Edge TPU packages (DarwiNN)",
                                            dwn_rule_table, DWN_RULE_COUNT};
