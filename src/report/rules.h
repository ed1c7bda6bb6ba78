// report/rules.h - rule tables: the list of a set, one rule in full, and both for programs.
#ifndef HOIST_SRC_REPORT_RULES_H
#define HOIST_SRC_REPORT_RULES_H

#include "base/buffer.h"
#include "base/tree.h"

// Appends a heading and one row per rule: id, severity, title wrapped at `width` columns (0: no
// limit). Rules that this version does not check say so.
void hoist_rules_text(const hoist_rule_set *set, size_t width, bool color, hoist_buffer *out);

// Appends one rule with everything known of it, wrapped at `width` columns.
void hoist_rule_text(const hoist_rule *rule, size_t width, bool color, hoist_buffer *out);

// Sends one rule as a map of id, severity, strict_error, judged, refused_by?, title, detail,
// source.
void hoist_rule_tree(const hoist_rule *rule, const char *key, hoist_tree_sink *sink);

// Those who refuse what breaks the rule: the list `refused_by`, which is empty where none of them
// does, or their names separated by commas; nothing where it is not known.
void hoist_refusers_tree(const hoist_rule *rule, hoist_tree_sink *sink);
void hoist_refusers_text(const hoist_rule *rule, hoist_buffer *out);

#endif // HOIST_SRC_REPORT_RULES_H
