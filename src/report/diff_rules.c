// Paths of rules (formats.h) against the path of a value. In: a rule set and the rules that are
// still open; out: those that are after one more step. Used by diff_keep.c and content.c.
#include "report/diff_rules.h"

#include <string.h>

#include "base/span.h"

enum { MAX_RULES = 64 };

uint64_t hoist_diff_rules_all(const hoist_diff_rule *rules)
{
    uint64_t all = 0;
    for (size_t i = 0; i < MAX_RULES && rules[i].path; i++) {
        all |= (uint64_t)1 << i;
    }
    return all;
}

// The rest of a path after its first step, which is compared; NULL: it is another one.
static const char *path_behind(const char *path, size_t depth, hoist_str key)
{
    // The rule is open, so that its path has that many steps and one more.
    for (; depth; depth--) {
        path = strchr(path, '/') + 1;
    }
    const char *const end = strchr(path, '/');
    const hoist_str step = {path, end ? (size_t)(end - path) : strlen(path)};
    if (!hoist_str_equal_c(step, "*") && !hoist_str_equal(step, key)) {
        return NULL;
    }
    return path + step.size;
}

uint64_t hoist_diff_rules_after(const hoist_diff_rule *rules, uint64_t open, size_t depth,
                                hoist_str key, const hoist_diff_rule **out_rule)
{
    uint64_t left = 0;
    *out_rule = NULL;
    for (size_t i = 0; open; i++, open >>= 1) {
        const char *const rest = open & 1 ? path_behind(rules[i].path, depth, key) : NULL;
        if (rest && *rest == '\0') {
            *out_rule = &rules[i];
        } else if (rest) {
            left |= (uint64_t)1 << i;
        }
    }
    return left;
}
