// An inventory as text and as JSON (show.h). In: rows of the database, one at a time; out: bytes.
// Names come from files and folders of any kind: every text is escaped.
#include "scan/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "report/plain.h"

// Where rows go.
typedef struct show {
    hoist_scan *scan;
    hoist_output *out;
    hoist_buffer line; // of the row at hand
    hoist_buffer text; // of the value at hand
    uint64_t count;
    uint64_t broken; // with errors
    uint64_t size;   // of files
    char last[24];   // the token at hand
} show;

static void begin(show *s, hoist_scan *scan, hoist_output *out)
{
    const hoist_allocator alloc = hoist_scan_allocator(scan);
    *s = (show){.scan = scan, .out = out};
    hoist_buffer_init(&s->line, alloc);
    hoist_buffer_init(&s->text, alloc);
}

static hoist_status flush(show *s)
{
    const bool failed = s->line.failed || s->text.failed;
    hoist_output_str(s->out, hoist_buffer_text(&s->line));
    s->line.size = 0;
    // A reader that has gone away has seen enough.
    return failed ? HOIST_NO_MEMORY : hoist_output_error(s->out) ? HOIST_CANCELLED : HOIST_OK;
}

static hoist_status end(show *s, hoist_status status)
{
    hoist_buffer_deinit(&s->line);
    hoist_buffer_deinit(&s->text);
    return status == HOIST_CANCELLED && hoist_output_error(s->out) ? HOIST_OK : status;
}

// The next line of a text of lines; false: there is none.
static bool next_line(hoist_str *text, hoist_str *out_line)
{
    const char *const stop = text->size ? memchr(text->data, '\n', text->size) : NULL;
    if (!stop) {
        return false;
    }
    *out_line = (hoist_str){text->data, (size_t)(stop - text->data)};
    *text = (hoist_str){stop + 1, text->size - out_line->size - 1};
    return true;
}

// Splits "KEY VALUE".
static void split(hoist_str line, hoist_str *out_key, hoist_str *out_value)
{
    const char *const space = line.size ? memchr(line.data, ' ', line.size) : NULL;
    const size_t size = space ? (size_t)(space - line.data) : line.size;
    *out_key = (hoist_str){line.data, size};
    *out_value = space ? (hoist_str){space + 1, line.size - size - 1} : (hoist_str){"", 0};
}

static void add_path(hoist_buffer *out, const hoist_scan_entry *e)
{
    hoist_plain_write(out, e->file);
    if (e->member.size) {
        hoist_buffer_char(out, '!');
        hoist_plain_write(out, e->member);
    }
}

// Text -------------------------------------------------------------------------------------------

static void add_cell(hoist_buffer *out, hoist_str text, size_t width)
{
    const size_t start = out->size;
    hoist_plain_write(out, text);
    const size_t used =
        hoist_plain_width((hoist_str){(char *)out->data + start, out->size - start});
    hoist_buffer_fill(out, ' ', used < width ? width - used + 1 : 1);
}

static hoist_status show_row(void *self, const hoist_scan_entry *e)
{
    enum { SHOWN_DIGITS = 12 };
    show *const s = self;
    const size_t digits = e->content.size < SHOWN_DIGITS ? e->content.size : SHOWN_DIGITS;
    s->count++;
    s->broken += e->errors > 0;
    s->size += e->member.size ? 0 : e->size;
    if (s->count == 1) {
        hoist_buffer_c(
            &s->line,
            "format         target       content            size  errors  warnings  file\n");
    }
    add_cell(&s->line, e->format.size ? e->format : HOIST_STR("-"), 14);
    add_cell(&s->line, e->target.size ? e->target : HOIST_STR("-"), 12);
    add_cell(&s->line, digits ? hoist_str_slice(e->content, 0, digits) : HOIST_STR("-"),
             SHOWN_DIGITS);
    hoist_buffer_format(&s->line, "%10" PRIu64 "  %6" PRIu64 "  %8" PRIu64 "  ", e->size, e->errors,
                        e->warnings);
    add_path(&s->line, e);
    hoist_buffer_char(&s->line, '\n');
    return flush(s);
}

static hoist_status show_token(void *self, hoist_str token, hoist_str file, hoist_str member)
{
    show *const s = self;
    const hoist_scan_entry entry = {.file = file, .member = member};
    if (!hoist_str_equal_c(token, s->last)) {
        const size_t size = token.size < sizeof(s->last) - 1 ? token.size : sizeof(s->last) - 1;
        memcpy(s->last, token.data, size);
        s->last[size] = '\0';
        hoist_buffer_c(&s->line, "\nthe caching token ");
        hoist_plain_write(&s->line, token);
        hoist_buffer_c(&s->line, " is shared by\n");
    }
    hoist_buffer_c(&s->line, "  ");
    add_path(&s->line, &entry);
    hoist_buffer_char(&s->line, '\n');
    return flush(s);
}

static void add_count(hoist_buffer *out, uint64_t count, const char *what)
{
    if (count) {
        hoist_buffer_format(out, ", %" PRIu64 " %s", count, what);
    }
}

static void add_summary(show *s, const hoist_scan_counts *counts)
{
    hoist_buffer_format(&s->line, "%s%" PRIu64 " %s", s->count ? "\n" : "", s->count,
                        hoist_plural(s->count, "entry", "entries"));
    add_count(&s->line, s->broken, "with errors");
    hoist_buffer_format(&s->line, "; %" PRIu64 " %s looked at", counts->files,
                        hoist_plural(counts->files, "file", "files"));
    add_count(&s->line, counts->known, "of them known");
    add_count(&s->line, counts->links,
              hoist_plural(counts->links, "link not followed", "links not followed"));
    add_count(&s->line, counts->special, "not opened, for they are no regular files");
    add_count(&s->line, counts->unreadable, "unreadable");
    hoist_buffer_char(&s->line, '\n');
}

hoist_status hoist_scan_table(hoist_scan *scan, const hoist_scan_counts *counts, hoist_output *out)
{
    show s;
    begin(&s, scan, out);
    hoist_status status = hoist_scan_each(scan, show_row, &s);
    status = status == HOIST_OK ? hoist_scan_tokens(scan, true, show_token, &s) : status;
    if (status == HOIST_OK) {
        add_summary(&s, counts);
        status = flush(&s);
    }
    return end(&s, status);
}

// JSON -------------------------------------------------------------------------------------------

// A value that is a text; what is not shown as it is is escaped as in texts for people, which
// keeps different names different.
static void add_json(show *s, hoist_str text)
{
    s->text.size = 0;
    hoist_plain_write(&s->text, text);
    hoist_json_write_string(&s->line, hoist_buffer_text(&s->text));
}

static void add_member(show *s, const char *key, hoist_str text)
{
    hoist_buffer_format(&s->line, ", \"%s\": ", key);
    if (text.size) {
        add_json(s, text);
    } else {
        hoist_buffer_c(&s->line, "null");
    }
}

static bool is_number(hoist_str text)
{
    size_t i = 0;
    while (i < text.size && text.data[i] >= '0' && text.data[i] <= '9') {
        i++;
    }
    return i == text.size && text.size > 0;
}

// Lines as a map of texts ('m') or of numbers ('n'), or as a list ('l').
static void add_lines(show *s, const char *key, hoist_str lines, char kind)
{
    hoist_str line;
    bool first = true;
    hoist_buffer_format(&s->line, ", \"%s\": %c", key, kind == 'l' ? '[' : '{');
    while (next_line(&lines, &line)) {
        hoist_str name = line;
        hoist_str value = {"", 0};
        if (kind != 'l') {
            split(line, &name, &value);
        }
        hoist_buffer_c(&s->line, first ? "" : ", ");
        first = false;
        add_json(s, name);
        if (kind == 'l') {
            continue;
        }
        hoist_buffer_c(&s->line, ": ");
        if (kind == 'n' && is_number(value)) {
            hoist_buffer_str(&s->line, value);
        } else {
            add_json(s, value);
        }
    }
    hoist_buffer_char(&s->line, kind == 'l' ? ']' : '}');
}

static hoist_status show_line(void *self, const hoist_scan_entry *e)
{
    show *const s = self;
    hoist_buffer_c(&s->line, "{\"schema\": \"hoist.scan/1\", \"file\": ");
    add_json(s, e->file);
    add_member(s, "member", e->member);
    add_member(s, "format", e->format);
    add_member(s, "title", e->title);
    add_member(s, "target", e->target);
    hoist_buffer_format(&s->line, ", \"size_bytes\": %" PRIu64, e->size);
    add_member(s, "sha256", e->container);
    add_member(s, "content_sha256", e->content);
    hoist_buffer_format(&s->line,
                        ", \"errors\": %" PRIu64 ", \"warnings\": %" PRIu64 ", \"notes\": %" PRIu64,
                        e->errors, e->warnings, e->notes);
    add_lines(s, "rules", e->rules, 'n');
    add_lines(s, "versions", e->versions, 'm');
    add_lines(s, "loaded_by", e->loads, 'l');
    add_member(s, "cache", e->cache);
    hoist_buffer_c(&s->line, "}\n");
    return flush(s);
}

static hoist_status show_token_line(void *self, hoist_str token, hoist_str file, hoist_str member)
{
    show *const s = self;
    hoist_buffer_c(&s->line, "{\"schema\": \"hoist.scan/1\", \"token\": ");
    add_json(s, token);
    hoist_buffer_c(&s->line, ", \"file\": ");
    add_json(s, file);
    add_member(s, "member", member);
    hoist_buffer_c(&s->line, "}\n");
    return flush(s);
}

hoist_status hoist_scan_lines(hoist_scan *scan, hoist_output *out)
{
    show s;
    begin(&s, scan, out);
    hoist_status status = hoist_scan_each(scan, show_line, &s);
    status = status == HOIST_OK ? hoist_scan_tokens(scan, false, show_token_line, &s) : status;
    return end(&s, status);
}

// A bill of materials -----------------------------------------------------------------------------

static void add_property(show *s, bool *first, const char *name, hoist_str key, hoist_str value)
{
    if (value.size == 0) {
        return;
    }
    hoist_buffer_format(&s->line, "%s\n        {\"name\": ", *first ? "" : ",");
    *first = false;
    s->text.size = 0;
    hoist_buffer_format(&s->text, "hoist:%s%s", name, key.size ? ":" : "");
    hoist_plain_write(&s->text, key);
    hoist_json_write_string(&s->line, hoist_buffer_text(&s->text));
    hoist_buffer_c(&s->line, ", \"value\": ");
    add_json(s, value);
    hoist_buffer_char(&s->line, '}');
}

static void add_number(show *s, bool *first, const char *name, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRIu64, value);
    add_property(s, first, name, HOIST_STR(""), hoist_str_from(text));
}

static void add_properties(show *s, const hoist_scan_entry *e)
{
    static const hoist_str none = {"", 0};
    bool first = true;
    hoist_str lines = e->versions;
    hoist_str line;
    hoist_str key;
    hoist_str value;
    add_property(s, &first, "format", none, e->format);
    add_property(s, &first, "target", none, e->target);
    add_property(s, &first, "content-sha256", none, e->content);
    add_number(s, &first, "size-bytes", e->size);
    add_number(s, &first, "errors", e->errors);
    add_number(s, &first, "warnings", e->warnings);
    add_property(s, &first, "neuron-cache", none, e->cache);
    while (next_line(&lines, &line)) {
        split(line, &key, &value);
        add_property(s, &first, "version", key, value);
    }
    for (lines = e->loads; next_line(&lines, &line);) {
        add_property(s, &first, "loaded-by", none, line);
    }
    for (lines = e->rules; next_line(&lines, &line);) {
        split(line, &key, &value);
        add_property(s, &first, "rule", key, value);
    }
}

static hoist_status show_component(void *self, const hoist_scan_entry *e)
{
    show *const s = self;
    const char *const slash = e->file.size ? memrchr(e->file.data, '/', e->file.size) : NULL;
    const size_t start = slash ? (size_t)(slash + 1 - e->file.data) : 0;
    const hoist_scan_entry base = {.file = hoist_str_slice(e->file, start, e->file.size - start),
                                   .member = e->member};
    hoist_buffer path;
    hoist_buffer_init(&path, s->line.alloc);
    hoist_buffer_format(
        &s->line,
        "%s\n    {\n      \"type\": \"machine-learning-model\",\n      \"bom-ref\": "
        "\"model-%" PRIu64 "\",\n      \"name\": ",
        s->count ? "," : "", s->count + 1);
    s->count++;
    add_path(&path, &base);
    hoist_json_write_string(&s->line, hoist_buffer_text(&path));
    hoist_buffer_c(&s->line, ",\n      \"description\": ");
    add_json(s, e->title.size ? e->title : HOIST_STR("of no known format"));
    if (e->container.size) {
        hoist_buffer_c(&s->line, ",\n      \"hashes\": [{\"alg\": \"SHA-256\", \"content\": ");
        add_json(s, e->container);
        hoist_buffer_c(&s->line, "}]");
    }
    path.size = 0;
    add_path(&path, e);
    hoist_buffer_c(&s->line, ",\n      \"evidence\": {\"occurrences\": [{\"location\": ");
    hoist_json_write_string(&s->line, hoist_buffer_text(&path));
    hoist_buffer_c(&s->line, "}]},\n      \"properties\": [");
    add_properties(s, e);
    hoist_buffer_c(&s->line, "\n      ]\n    }");
    const bool failed = path.failed;
    hoist_buffer_deinit(&path);
    const hoist_status status = flush(s);
    return failed ? HOIST_NO_MEMORY : status;
}

hoist_status hoist_scan_bom(hoist_scan *scan, hoist_output *out)
{
    show s;
    begin(&s, scan, out);
    hoist_buffer_format(
        &s.line,
        "{\n  \"$schema\": \"http://cyclonedx.org/schema/bom-1.6.schema.json\",\n"
        "  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.6\",\n  \"version\": 1,\n"
        "  \"metadata\": {\n    \"tools\": {\"components\": [{\"type\": \"application\", \"name\": "
        "\"hoist\", \"version\": \"%s\"}]}\n  },\n  \"components\": [",
        hoist_version());
    hoist_status status = hoist_scan_each(scan, show_component, &s);
    hoist_buffer_format(&s.line, "%s]\n}\n", s.count ? "\n  " : "");
    status = status == HOIST_OK ? flush(&s) : status;
    return end(&s, status);
}
