// Findings of a diagnostic as text with the source line, as tree events, and as a summary line.
// Every text passes through plain.c, since names come from files.
#include "report/findings.h"

#include <inttypes.h>
#include <string.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "report/finding_groups.h"
#include "report/plain.h"
#include "report/rules.h"
#include "report/source_line.h"

enum {
    EXCERPT_SIZE = 100,  // bytes of a source line that are shown at most
    EXCERPT_LEAST = 30,  // and at least, however narrow the window
    EXCERPT_MARGIN = 17, // columns of the line's number and of the dots where it is cut
    EXCERPT_TAB = 4,     // columns of a tab
};

// Moves back from the middle of a UTF-8 sequence to its start.
static size_t character_start(hoist_str line, size_t at)
{
    while (at > 0 && at < line.size && ((uint8_t)line.data[at] & 0xc0u) == 0x80u) {
        at--;
    }
    return at;
}

// Appends part of a source line and returns the columns it takes.
static size_t write_source(hoist_buffer *out, hoist_str part)
{
    const size_t before = out->size;
    while (part.size) {
        const char *tab = memchr(part.data, '\t', part.size);
        const size_t size = tab ? (size_t)(tab - part.data) : part.size;
        hoist_plain_write(out, hoist_str_slice(part, 0, size));
        hoist_buffer_fill(out, ' ', tab ? EXCERPT_TAB : 0);
        part = hoist_str_slice(part, size + (tab ? 1 : 0), part.size);
    }
    return hoist_plain_width(hoist_str_slice(hoist_buffer_text(out), before, out->size));
}

// Bytes of a source line that fit a window of `width` columns (0: any).
static size_t excerpt_size(size_t width)
{
    if (width == 0 || width >= EXCERPT_SIZE + EXCERPT_MARGIN) {
        return EXCERPT_SIZE;
    }
    return width < EXCERPT_LEAST + EXCERPT_MARGIN ? EXCERPT_LEAST : width - EXCERPT_MARGIN;
}

static void write_excerpt(hoist_buffer *out, hoist_source_cursor *cursor, hoist_pos pos,
                          const hoist_findings_options *options)
{
    const size_t size = excerpt_size(options->width);
    // More of the line before the column than after it: what led there explains it.
    const size_t before = size * 3 / 5;
    hoist_str line = {NULL, 0};
    if (!hoist_source_find_line(cursor, pos.line, &line)) {
        return;
    }
    size_t column = pos.column ? pos.column - 1 : 0;
    column = column < line.size ? column : line.size;
    size_t start = 0;
    size_t end = line.size;
    // Of a long line a part around the column is shown, cut between characters.
    if (line.size > size) {
        start = column > before ? character_start(line, column - before) : 0;
        end = line.size - start > size ? character_start(line, start + size) : end;
    }
    hoist_buffer_format(out, "%8" PRIu32 " | %s", pos.line, start ? "..." : "");
    // The caret is below the column: as far to the right as what is written before it.
    size_t caret = start ? 3 : 0;
    caret += write_source(out, hoist_str_slice(line, start, column - start));
    (void)write_source(out, hoist_str_slice(line, column, end - column));
    hoist_buffer_c(out, end < line.size ? "...\n" : "\n");
    hoist_buffer_format(out, "%8s | ", "");
    hoist_buffer_fill(out, ' ', caret);
    hoist_plain_styled(out, options->color, HOIST_STYLE_CARET, HOIST_STR("^"));
    hoist_buffer_char(out, '\n');
}

// "net.yaml:12:9: ", "model.neff!def.json:+0x10: ", "net.yaml: "; nothing without file and place.
static void write_place(hoist_buffer *out, const hoist_finding *f, bool color)
{
    if (f->file.size + f->member.size == 0 && f->loc.kind == HOIST_LOC_NONE) {
        return;
    }
    hoist_buffer_c(out, color ? "\x1b[1m" : "");
    hoist_plain_write(out, f->file);
    if (f->member.size) {
        hoist_buffer_char(out, '!');
        hoist_plain_write(out, f->member);
    }
    hoist_buffer_c(out, f->file.size || f->member.size ? ":" : "");
    if (f->loc.kind == HOIST_LOC_TEXT) {
        hoist_buffer_format(out, "%" PRIu32 ":%" PRIu32 ":", f->loc.pos.line, f->loc.pos.column);
    } else if (f->loc.kind == HOIST_LOC_BYTE) {
        hoist_buffer_format(out, "+0x%" PRIx64 ":", f->loc.offset);
    }
    hoist_buffer_c(out, color ? "\x1b[0m " : " ");
}

// A part of a path that begins with a digit, which is a place in a list.
static bool has_numbered_part(hoist_str path)
{
    for (size_t i = 0; i < path.size; i++) {
        const bool starts = i == 0 || path.data[i - 1] == '/';
        if (starts && path.data[i] >= '0' && path.data[i] <= '9') {
            return true;
        }
    }
    return false;
}

// Whether the sentence holds `name` between quotes.
static bool quotes(hoist_str sentence, hoist_str name)
{
    for (size_t i = 0; i + name.size + 2 <= sentence.size; i++) {
        if (sentence.data[i] == '\'' && sentence.data[i + name.size + 1] == '\'' &&
            memcmp(sentence.data + i + 1, name.data, name.size) == 0) {
            return true;
        }
    }
    return false;
}

static bool contains(hoist_str sentence, hoist_str part)
{
    return memmem(sentence.data, sentence.size, part.data, part.size) != NULL;
}

// Whether a reader of the sentence knows which object it is about: it has the object's path, or
// what is at its end: a name, in quotes, or "record 3". Of things that have a number alone,
// inside of others, only the path is enough.
static bool names_object(const hoist_finding *f)
{
    // The part of a path after its last '/'.
    size_t start = f->object.size;
    while (start > 0 && f->object.data[start - 1] != '/') {
        start--;
    }
    const hoist_str last = hoist_str_slice(f->object, start, f->object.size - start);
    const bool is_path = last.size < f->object.size;
    if (f->object.size == 0 || (is_path && contains(f->message, f->object))) {
        return true;
    }
    return memchr(last.data, ' ', last.size)
               ? contains(f->message, last)
               : !has_numbered_part(f->object) && quotes(f->message, last);
}

static void write_finding(hoist_buffer *out, const hoist_finding *f, bool color)
{
    write_place(out, f, color);
    hoist_plain_styled(out, color, hoist_severity_style(f->severity),
                       hoist_str_from(hoist_severity_name(f->severity)));
    hoist_buffer_c(out, ": ");
    hoist_plain_write(out, f->message);
    if (!names_object(f)) {
        hoist_buffer_c(out, " (");
        hoist_plain_write(out, f->object);
        hoist_buffer_char(out, ')');
    }
    // By the id people find the rule with `hoist rules`.
    hoist_buffer_format(out, " [%s]\n", f->rule->id);
    if (f->context.size) {
        hoist_buffer_c(out, "    ");
        hoist_plain_write(out, f->context);
        hoist_buffer_char(out, '\n');
    }
}

static bool is_of(const hoist_rule *rule, const hoist_rule_set *set)
{
    bool found = false;
    for (size_t i = 0; !found && i < set->count; i++) {
        found = rule == &set->rules[i];
    }
    return found;
}

// Notes are left out when it is quiet, and those of other rules when a set is given.
static bool is_shown(const hoist_finding *f, bool quiet, const hoist_rule_set *notes)
{
    return f->severity != HOIST_NOTE || (!quiet && (!notes || is_of(f->rule, notes)));
}

// A line below a finding, its text aligned behind the margin.
static void write_remark(hoist_buffer *out, hoist_str text, size_t width)
{
    static const char margin[] = "         = ";
    hoist_buffer_c(out, margin);
    hoist_plain_wrap(out, text, sizeof(margin) - 1, width);
    hoist_buffer_char(out, '\n');
}

// The rule of a finding: what holds, why, and what to do; then who else refuses the file.
static void write_rule(hoist_buffer *out, const hoist_rule *rule, size_t width)
{
    hoist_buffer text;
    hoist_buffer_init(&text, out->alloc);
    hoist_buffer_format(&text, "rule: %s%s%s", rule->title, *rule->detail ? ". " : "",
                        rule->detail);
    write_remark(out, hoist_buffer_text(&text), width);
    if (rule->refused_by) {
        const size_t begun = text.size;
        hoist_buffer_c(&text, "refused by: ");
        hoist_refusers_text(rule, &text);
        const hoist_str both = hoist_buffer_text(&text);
        write_remark(out, hoist_str_slice(both, begun, both.size - begun), width);
    }
    out->failed = out->failed || text.failed;
    hoist_buffer_deinit(&text);
}

// `groups` NULL: each finding is for itself.
static void write_findings(const hoist_diag *diag, const hoist_findings_options *options,
                           const hoist_finding_groups *groups, hoist_buffer *out)
{
    // Findings are sorted, so that the text is scanned once.
    hoist_source_cursor cursor = {options->source, 1, 0};
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        if (!is_shown(f, options->quiet, options->notes) || (groups && groups->head[i] != i)) {
            continue;
        }
        write_finding(out, f, options->color);
        if (f->loc.kind == HOIST_LOC_TEXT && options->source.size && f->member.size == 0 &&
            hoist_str_equal(f->file, options->source_file)) {
            write_excerpt(out, &cursor, f->loc.pos, options);
        }
        if (groups) {
            hoist_finding_groups_write(groups, diag, i, options->width, out);
        }
        if (options->explain) {
            write_rule(out, f->rule, options->width);
        }
    }
}

void hoist_findings_text(const hoist_diag *diag, const hoist_findings_options *options,
                         hoist_buffer *out)
{
    hoist_finding_groups groups;
    hoist_arena arena;
    hoist_arena_init(&arena, out->alloc);
    const hoist_status status =
        options->grouped ? hoist_finding_groups_find(diag, &arena, &groups) : HOIST_OK;
    out->failed = out->failed || status != HOIST_OK;
    const bool grouped = options->grouped && status == HOIST_OK;
    write_findings(diag, options, grouped ? &groups : NULL, out);
    hoist_arena_deinit(&arena);
    // Findings counted but not kept; those dropped may be of any severity.
    const size_t all = hoist_diag_count(diag, HOIST_ERROR) + hoist_diag_count(diag, HOIST_WARNING) +
                       hoist_diag_count(diag, HOIST_NOTE);
    const size_t dropped = all - hoist_diag_kept(diag);
    if (dropped) {
        hoist_buffer_format(out, "... and %zu more, not shown\n", dropped);
    }
    if (hoist_diag_incomplete(diag)) {
        hoist_buffer_c(out, "memory ran out: findings are missing\n");
    }
}

// A number and its word, after a comma where something is before; nothing for none.
static void add_count(hoist_buffer *out, size_t count, const char *one, const char *many,
                      bool *first)
{
    if (count) {
        hoist_buffer_format(out, "%s%zu %s", *first ? "" : ", ", count,
                            hoist_plural(count, one, many));
        *first = false;
    }
}

void hoist_findings_summary(const hoist_arch_verdict *counts, bool quiet, const char *good,
                            hoist_buffer *out)
{
    bool first = counts->errors + counts->warnings > 0;
    hoist_buffer_c(out, first ? "" : good);
    add_count(out, counts->errors, "error", "errors", &first);
    add_count(out, counts->warnings, "warning", "warnings", &first);
    add_count(out, quiet ? 0 : counts->notes, "note", "notes", &first);
    if (counts->arch) {
        hoist_buffer_format(out, " (%s)", counts->arch);
    }
    hoist_buffer_char(out, '\n');
}

static void send_text(hoist_tree_sink *sink, const char *key, hoist_str text)
{
    if (text.size) {
        hoist_tree_str(sink, key, text);
    }
}

void hoist_finding_tree(const hoist_finding *f, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "rule", f->rule->id);
    hoist_tree_c(sink, "severity", hoist_severity_name(f->severity));
    hoist_refusers_tree(f->rule, sink);
    hoist_tree_str(sink, "file", f->file);
    send_text(sink, "member", f->member);
    if (f->loc.kind == HOIST_LOC_TEXT) {
        hoist_tree_uint(sink, "line", f->loc.pos.line, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "column", f->loc.pos.column, HOIST_UNIT_NONE);
    } else if (f->loc.kind == HOIST_LOC_BYTE) {
        hoist_tree_uint(sink, "offset", f->loc.offset, HOIST_UNIT_NONE);
    }
    send_text(sink, "object", f->object);
    hoist_tree_str(sink, "message", f->message);
    send_text(sink, "context", f->context);
    hoist_tree_end(sink);
}

hoist_status hoist_finding_json(const hoist_finding *finding, hoist_buffer *out)
{
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_finding_tree(finding, &sink);
    hoist_json_writer_deinit(&writer);
    return out->failed ? HOIST_NO_MEMORY : sink.status;
}

void hoist_findings_tree(const hoist_diag *diag, const char *key,
                         const hoist_findings_options *options, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, key);
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        if (is_shown(f, options->quiet, options->notes)) {
            hoist_finding_tree(f, sink);
        }
    }
    hoist_tree_end(sink);
}
