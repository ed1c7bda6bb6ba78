// report/diff_rules.h - which rules of a comparison meet a value, step by step along its path; for
// diff_keep.c and content.c.
#ifndef HOIST_SRC_REPORT_DIFF_RULES_H
#define HOIST_SRC_REPORT_DIFF_RULES_H

#include "hoist/formats.h"

// The rules that a path may still lead to: bit i is rule i. At the root, all of the first 64.
uint64_t hoist_diff_rules_all(const hoist_diff_rule *rules);
// Of those of `open`, whose first `depth` steps lead to a map or list, the ones that go on with its
// member `key`; `*out_rule` is the one that ends there, or NULL.
uint64_t hoist_diff_rules_after(const hoist_diff_rule *rules, uint64_t open, size_t depth,
                                hoist_str key, const hoist_diff_rule **out_rule);

#endif // HOIST_SRC_REPORT_DIFF_RULES_H
