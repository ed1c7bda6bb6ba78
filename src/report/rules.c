// Rule sets as a list, one rule in full, and both as tree events. The rows are those of
// base/rules.h.
#include "report/rules.h"

#include "base/span.h"
#include "report/plain.h"

enum {
    SEVERITY_WIDTH = 7, // "warning"
    BELOW = 4,          // columns before a title that is on a line of its own
};

static size_t widest_id(const hoist_rule_set *set)
{
    size_t widest = 0;
    for (size_t i = 0; i < set->count; i++) {
        const size_t width = hoist_str_from(set->rules[i].id).size;
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void write_severity(hoist_buffer *out, const hoist_rule *rule, bool color)
{
    hoist_plain_styled(out, color, hoist_severity_style(rule->severity),
                       hoist_str_from(hoist_severity_name(rule->severity)));
}

static void write_row(hoist_buffer *out, const hoist_rule *rule, size_t id_width, size_t width,
                      bool color)
{
    const hoist_str id = hoist_str_from(rule->id);
    const hoist_str severity = hoist_str_from(hoist_severity_name(rule->severity));
    hoist_buffer_str(out, id);
    hoist_buffer_fill(out, ' ', id_width - id.size + 2);
    write_severity(out, rule, color);
    hoist_buffer title;
    hoist_buffer_init(&title, out->alloc);
    hoist_buffer_format(&title, "%s%s", rule->title, rule->judged ? "" : " (not checked)");
    const hoist_str words = hoist_buffer_text(&title);
    size_t column = id_width + SEVERITY_WIDTH + 4;
    if (width && column + hoist_plain_longest_word(words) > width) {
        column = BELOW;
        hoist_buffer_char(out, '\n');
        hoist_buffer_fill(out, ' ', column);
    } else {
        hoist_buffer_fill(out, ' ', SEVERITY_WIDTH - severity.size + 2);
    }
    hoist_plain_wrap(out, words, column, width);
    out->failed = out->failed || title.failed;
    hoist_buffer_deinit(&title);
    hoist_buffer_char(out, '\n');
}

void hoist_rules_text(const hoist_rule_set *set, size_t width, bool color, hoist_buffer *out)
{
    const hoist_str name = hoist_str_from(set->name);
    hoist_buffer title;
    hoist_buffer_init(&title, out->alloc);
    hoist_buffer_format(&title, "%s (%zu %s)", set->title, set->count,
                        hoist_plural(set->count, "rule", "rules"));
    hoist_plain_styled(out, color, HOIST_STYLE_BOLD, name);
    hoist_buffer_c(out, ": ");
    hoist_plain_wrap(out, hoist_buffer_text(&title), name.size + 2, width);
    hoist_buffer_char(out, '\n');
    out->failed = out->failed || title.failed;
    hoist_buffer_deinit(&title);
    const size_t id_width = widest_id(set);
    for (size_t i = 0; i < set->count; i++) {
        write_row(out, &set->rules[i], id_width, width, color);
    }
}

// A paragraph after an empty line; nothing for an empty text.
static void write_paragraph(hoist_buffer *out, const char *text, size_t indent, size_t width)
{
    if (text && *text) {
        hoist_plain_wrap(out, hoist_str_from(text), indent, width);
        hoist_buffer_char(out, '\n');
    }
}

void hoist_refusers_text(const hoist_rule *rule, hoist_buffer *out)
{
    const char *between = "";
    for (unsigned bit = HOIST_REFUSER_NONE; bit <= HOIST_REFUSER_RUNTIME; bit *= 2) {
        if (rule->refused_by & bit) {
            hoist_buffer_format(out, "%s%s", between, hoist_refuser_name((hoist_refuser)bit));
            between = ", ";
        }
    }
}

void hoist_refusers_tree(const hoist_rule *rule, hoist_tree_sink *sink)
{
    if (!rule->refused_by) {
        return;
    }
    hoist_tree_list(sink, "refused_by");
    for (unsigned bit = HOIST_REFUSER_PARSER; bit <= HOIST_REFUSER_RUNTIME; bit *= 2) {
        if (rule->refused_by & bit) {
            hoist_tree_c(sink, "", hoist_refuser_name((hoist_refuser)bit));
        }
    }
    hoist_tree_end(sink);
}

// A paragraph after an empty line and its label.
static void write_labeled(hoist_buffer *out, const char *label, hoist_str text, size_t width)
{
    const size_t start = out->size + 1;
    hoist_buffer_format(out, "\n%s: ", label);
    hoist_plain_wrap(out, text, out->size - start, width);
    hoist_buffer_char(out, '\n');
}

void hoist_rule_text(const hoist_rule *rule, size_t width, bool color, hoist_buffer *out)
{
    hoist_plain_styled(out, color, HOIST_STYLE_BOLD, hoist_str_from(rule->id));
    hoist_buffer_c(out, ": ");
    write_severity(out, rule, color);
    const size_t column = hoist_str_from(rule->id).size + 2 +
                          hoist_str_from(hoist_severity_name(rule->severity)).size;
    if (rule->strict_error) {
        hoist_plain_wrap(out, HOIST_STR(", an error with --strict"), column, width);
    }
    hoist_buffer_c(out, rule->judged ? "\n\n" : ", not checked\n\n");
    write_paragraph(out, rule->title, 0, width);
    if (rule->detail && *rule->detail) {
        hoist_buffer_char(out, '\n');
        write_paragraph(out, rule->detail, 0, width);
    }
    if (rule->refused_by) {
        hoist_buffer names;
        hoist_buffer_init(&names, out->alloc);
        hoist_refusers_text(rule, &names);
        write_labeled(out, "Refused by", hoist_buffer_text(&names), width);
        out->failed = out->failed || names.failed;
        hoist_buffer_deinit(&names);
    }
    if (rule->source && *rule->source) {
        write_labeled(out, "Source", hoist_str_from(rule->source), width);
    }
}

void hoist_rule_tree(const hoist_rule *rule, const char *key, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, key);
    hoist_tree_c(sink, "id", rule->id);
    hoist_tree_c(sink, "severity", hoist_severity_name(rule->severity));
    hoist_tree_bool(sink, "strict_error", rule->strict_error);
    hoist_tree_bool(sink, "judged", rule->judged);
    hoist_refusers_tree(rule, sink);
    hoist_tree_c(sink, "title", rule->title);
    hoist_tree_c(sink, "detail", rule->detail);
    hoist_tree_c(sink, "source", rule->source);
    hoist_tree_end(sink);
}
