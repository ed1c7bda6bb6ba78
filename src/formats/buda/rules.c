// The set of rules BUDA-..., from rules.inc.
#include "formats/buda/rules.h"

#include "base/rules.h"

enum {
    OURS = HOIST_REFUSER_NONE,
    PARSER = HOIST_REFUSER_PARSER,
    GOLDEN = HOIST_REFUSER_GOLDEN,
    COMPILER = HOIST_REFUSER_COMPILER,
    RUNTIME = HOIST_REFUSER_RUNTIME,
};

static const hoist_rule rules[] = {
#define BUDA_RULE(number, ...) HOIST_RULE_REFUSED("BUDA-" #number, __VA_ARGS__),
#include "formats/buda/rules.inc"
};

const hoist_rule_set hoist_buda_rules = {"buda", "Tenstorrent BUDA netlists", rules,
                                         BUDA_RULE_COUNT};
