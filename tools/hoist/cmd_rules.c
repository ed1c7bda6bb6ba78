// hoist rules: lists the rules that check enforces, or explains those that the arguments select by
// id or prefix. The rows are those of the rule sets (base/rules.h); report/rules.h writes them.
#include <string.h>

#include "nearest.h"
#include "report/rules.h"
#include "tool.h"

// "BUDA-036" selects BUDA-036a and BUDA-036b; "BUDA" selects all of the set. Case does not matter.
// An id goes on with the letter of a clause ("036a") or, after the name of a set, with '-': a
// shorter number ("BUDA-03") selects nothing.
static bool selects(const char *wanted, const hoist_rule *rule)
{
    const size_t size = strlen(wanted);
    if (size == 0 || strncasecmp(rule->id, wanted, size) != 0) {
        return false;
    }
    const char next = rule->id[size];
    return next == '\0' || next == '-' || (next >= 'a' && next <= 'z');
}

// Without arguments all rules are.
static bool selected(const tool *t, const hoist_rule *rule)
{
    for (size_t i = 0; i < t->argument_count; i++) {
        if (selects(t->arguments[i], rule)) {
            return true;
        }
    }
    return t->argument_count == 0;
}

// True when a rule of the set is selected.
static bool set_selected(const tool *t, const hoist_rule_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (selected(t, &set->rules[i])) {
            return true;
        }
    }
    return false;
}

// Complains about arguments that name no rule.
static tool_exit check_arguments(tool *t)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < t->argument_count; i++) {
        bool known = false;
        // One pass finds whether the argument names a rule, and the closest id for the message
        // when not.
        tool_nearest nearest = tool_nearest_begin(t->arguments[i], strlen(t->arguments[i]));
        for (size_t s = 0; s < hoist_rule_set_count(); s++) {
            const hoist_rule_set *set = hoist_rule_set_at(s);
            for (size_t r = 0; r < set->count; r++) {
                known = known || selects(t->arguments[i], &set->rules[r]);
                tool_nearest_try(&nearest, set->rules[r].id);
            }
        }
        const char *const meant = tool_nearest_name(&nearest);
        if (!known && meant) {
            tool_complain(t, "there is no rule '%s'; did you mean '%s'?", t->arguments[i], meant);
        } else if (!known) {
            tool_complain(t, "there is no rule '%s'; 'hoist rules' lists them", t->arguments[i]);
        }
        code = known ? code : TOOL_USAGE;
    }
    return code;
}

// Sets without a selected rule are left out.
static tool_exit print_json(tool *t)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_list(&doc.sink, "sets");
    for (size_t s = 0; s < hoist_rule_set_count(); s++) {
        const hoist_rule_set *set = hoist_rule_set_at(s);
        if (!set_selected(t, set)) {
            continue;
        }
        hoist_tree_map(&doc.sink, "");
        hoist_tree_c(&doc.sink, "name", set->name);
        hoist_tree_c(&doc.sink, "title", set->title);
        hoist_tree_list(&doc.sink, "rules");
        for (size_t i = 0; i < set->count; i++) {
            if (selected(t, &set->rules[i])) {
                hoist_rule_tree(&set->rules[i], "", &doc.sink);
            }
        }
        hoist_tree_end(&doc.sink);
        hoist_tree_end(&doc.sink);
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(&doc);
}

// A list when all are asked for, else an explanation of each rule that is selected.
static void print_set(const tool *t, const hoist_rule_set *set, hoist_buffer *out)
{
    if (t->argument_count == 0) {
        hoist_buffer_c(out, out->size ? "\n" : "");
        hoist_rules_text(set, t->width, t->color, out);
        return;
    }
    for (size_t i = 0; i < set->count; i++) {
        if (selected(t, &set->rules[i])) {
            hoist_buffer_c(out, out->size ? "\n" : "");
            hoist_rule_text(&set->rules[i], t->width, t->color, out);
        }
    }
}

tool_exit cmd_rules(tool *t)
{
    // All arguments are checked before anything is printed: a list without one of them would
    // look complete.
    const tool_exit code = check_arguments(t);
    if (code != TOOL_OK) {
        return code;
    }
    // Programs get all that is known of each rule, also in the list of all.
    if (tool_given(t, OPT_JSON)) {
        return print_json(t);
    }
    hoist_buffer text;
    hoist_buffer_init(&text, t->alloc);
    for (size_t s = 0; s < hoist_rule_set_count(); s++) {
        print_set(t, hoist_rule_set_at(s), &text);
    }
    return tool_print(t, &text);
}
