// The table of the rules PACK-001 ... (pack_rules.inc), which pack.c, pack_assemble.c,
// manifest_read.c and unpack.c report by.
#include "base/rules.h"
#include "formats/neff/pack.h"

static const hoist_rule rules[] = {
#define PACK_RULE(number, name, ...) HOIST_RULE("PACK-" #number, __VA_ARGS__),
#include "formats/neff/pack_rules.inc"
};

const hoist_rule_set hoist_neff_pack_rules = {"pack", "Folders that are packed", rules,
                                              NEFF_PACK_RULE_COUNT};
