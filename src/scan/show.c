// An inventory as text and as JSON (show.h). In: rows of the database, one at a time; out: bytes.
// Names come from files and folders of any kind: every text is escaped.
#include "scan/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "report/plain.h"
#include "report/table.h"

// Where rows go.
typedef struct show {
    hoist_scan *scan;
    hoist_output *out;
    hoist_buffer line; // of the row at hand
    hoist_buffer text; // of the value at hand
    uint64_t count;
    uint64_t broken; // with errors
    char last[24];   // the token at hand
    hoist_table_flow table;
    hoist_table_column columns[HOIST_TABLE_FLOW_COLUMNS]; // of the table
    int shown[HOIST_TABLE_FLOW_COLUMNS];                  // which these are
    size_t width;                                         // of lines of text; 0: no limit
    size_t path_width;                                    // of the table's last column
    hoist_buffer file;                                    // of the row before
} show;

static void begin(show *s, hoist_scan *scan, hoist_output *out)
{
    const hoist_allocator alloc = hoist_scan_allocator(scan);
    *s = (show){.scan = scan, .out = out};
    hoist_buffer_init(&s->line, alloc);
    hoist_buffer_init(&s->text, alloc);
    hoist_buffer_init(&s->file, alloc);
}

// Sends the line at hand to the output. HOIST_CANCELLED ends the walk over the rows.
static hoist_status flush(show *s)
{
    const bool failed = s->line.failed || s->text.failed || s->file.failed;
    hoist_output_str(s->out, hoist_buffer_text(&s->line));
    s->line.size = 0;
    // A reader that has gone away has seen enough.
    return failed ? HOIST_NO_MEMORY : hoist_output_error(s->out) ? HOIST_CANCELLED : HOIST_OK;
}

// A reader that closed its end is no failure of the command.
static hoist_status end(show *s, hoist_status status)
{
    hoist_buffer_deinit(&s->line);
    hoist_buffer_deinit(&s->text);
    hoist_buffer_deinit(&s->file);
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

enum {
    FORMAT,
    TARGET,
    CONTENT,
    SIZE,
    ERRORS,
    WARNINGS,
    FILE_NAME,
    COLUMNS,
    LEAST_PATH = 20,   // columns of a window that paths have; other columns give way before
    SHORT_DIGEST = 8,  // digits in a window,
    LONGER_DIGEST = 12 // and else
};

static const hoist_table_column titles[COLUMNS] = {
    [FORMAT] = {{"format", 6}, false},   [TARGET] = {{"target", 6}, false},
    [CONTENT] = {{"content", 7}, false}, [SIZE] = {{"size", 4}, true},
    [ERRORS] = {{"errors", 6}, true},    [WARNINGS] = {{"warnings", 8}, true},
    [FILE_NAME] = {{"file", 4}, false},
};

// Columns that narrow windows lack, the first one first; `--jsonl` has all.
static const int dispensable[] = {WARNINGS, CONTENT, SIZE, TARGET, ERRORS};

// Plain text at the end of the row's own buffer, as a place in it: cells are found when all are
// there.
typedef struct cell_place {
    size_t start;
    size_t size;
} cell_place;

// Appends the last `width` columns of plain text after three dots, from a "/" on where that leaves
// half of them.
static void add_tail(hoist_buffer *out, hoist_str text, size_t width)
{
    enum { DOTS = 3 };
    size_t left = hoist_plain_width(text) + DOTS - width; // columns to pass over
    size_t start = 0;
    for (; start < text.size && left > 0; left--) {
        size_t next = 0;
        // One character at a time: a character may take two columns, and several bytes.
        (void)hoist_plain_line(hoist_str_slice(text, start, text.size - start), 1, true, &next);
        start += next;
    }
    const hoist_str tail = hoist_str_slice(text, start, text.size - start);
    const char *const slash = tail.size ? memchr(tail.data, '/', tail.size) : NULL;
    const size_t skipped = slash ? (size_t)(slash - tail.data) : 0;
    hoist_buffer_c(out, "...");
    // A "/" so late would leave too little of the name.
    hoist_buffer_str(out, hoist_str_slice(tail, skipped <= width / 2 ? skipped : 0, tail.size));
}

// The path of an entry in at most `width` columns (0: no limit): a member without its file where
// the line before has that, then the end of what is too long.
static void add_short_path(show *s, hoist_buffer *out, const hoist_scan_entry *e, size_t width)
{
    hoist_buffer path;
    hoist_buffer_init(&path, out->alloc);
    // With a limit only: without one each line has to be complete by itself.
    const bool follows =
        width && e->member.size && hoist_str_equal(hoist_buffer_text(&s->file), e->file);
    const hoist_scan_entry shown = {.file = follows ? HOIST_STR("") : e->file, .member = e->member};
    add_path(&path, &shown);
    if (width && hoist_plain_width(hoist_buffer_text(&path)) > width) {
        add_tail(out, hoist_buffer_text(&path), width);
    } else {
        hoist_buffer_str(out, hoist_buffer_text(&path));
    }
    out->failed = out->failed || path.failed;
    hoist_buffer_deinit(&path);
    // For the next row.
    s->file.size = 0;
    hoist_buffer_str(&s->file, e->file);
}

static void add_cell(hoist_buffer *out, int column, const hoist_scan_entry *e, size_t digits)
{
    const hoist_str text =
        column == FORMAT   ? e->format
        : column == TARGET ? e->target
        : column == CONTENT
            ? hoist_str_slice(e->content, 0, e->content.size < digits ? e->content.size : digits)
            : (hoist_str){"", 0};
    if (column <= CONTENT) { // these are texts, the others numbers
        hoist_plain_write(out, text.size ? text : HOIST_STR("-"));
    } else {
        hoist_buffer_format(out, "%" PRIu64,
                            column == SIZE     ? e->size
                            : column == ERRORS ? e->errors
                                               : e->warnings);
    }
}

// The cells of a row; those of columns that are not shown are left out. They are in s->text.
static void make_cells(show *s, const hoist_scan_entry *e, bool with_path, hoist_str *out_cells)
{
    cell_place places[COLUMNS];
    s->text.size = 0;
    for (size_t i = 0; i < s->table.column_count; i++) {
        places[i].start = s->text.size;
        if (s->shown[i] != FILE_NAME) {
            add_cell(&s->text, s->shown[i], e, s->width ? SHORT_DIGEST : LONGER_DIGEST);
        } else if (with_path) {
            add_short_path(s, &s->text, e, s->path_width);
        }
        places[i].size = s->text.size - places[i].start;
    }
    for (size_t i = 0; i < s->table.column_count; i++) {
        out_cells[i] =
            hoist_str_slice(hoist_buffer_text(&s->text), places[i].start, places[i].size);
    }
}

static hoist_status measure_row(void *self, const hoist_scan_entry *e)
{
    show *const s = self;
    hoist_str cells[COLUMNS];
    // Without paths: their column takes what is left.
    make_cells(s, e, false, cells);
    hoist_table_flow_measure(&s->table, cells);
    return s->text.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static void drop_column(show *s, int column)
{
    size_t at = 0;
    while (s->shown[at] != column) {
        at++;
    }
    s->table.column_count--;
    for (size_t i = at; i < s->table.column_count; i++) {
        s->shown[i] = s->shown[i + 1];
        s->columns[i] = s->columns[i + 1];
        s->table.widths[i] = s->table.widths[i + 1];
    }
}

// Makes the table as wide as its cells, without the columns that a narrow window has no space for.
static hoist_status fit_table(show *s, size_t width)
{
    s->width = width;
    s->table = (hoist_table_flow){.columns = s->columns, .column_count = COLUMNS};
    for (int i = 0; i < COLUMNS; i++) {
        s->shown[i] = i;
        s->columns[i] = titles[i];
    }
    hoist_table_flow_measure(&s->table, NULL); // the titles
    HOIST_TRY(hoist_scan_each(s->scan, measure_row, s));
    const size_t title = s->table.widths[FILE_NAME];
    // Until the paths have LEAST_PATH columns, or nothing is left to leave out.
    for (size_t i = 0; width && i < HOIST_COUNT_OF(dispensable); i++) {
        if (hoist_table_flow_width(&s->table) - title + LEAST_PATH > width) {
            drop_column(s, dispensable[i]);
        }
    }
    const size_t others = hoist_table_flow_width(&s->table) - title;
    s->path_width = width == 0 ? 0 : width > others + title ? width - others : title;
    // The last column: without a limit it never wraps.
    s->table.widths[s->table.column_count - 1] = width ? s->path_width : SIZE_MAX / 2;
    return HOIST_OK;
}

static hoist_status show_row(void *self, const hoist_scan_entry *e)
{
    show *const s = self;
    hoist_str cells[COLUMNS];
    s->count++;
    s->broken += e->errors > 0;
    // The head, before the first row only: an empty inventory has none.
    if (s->count == 1) {
        hoist_table_flow_row(&s->table, NULL, 0, false, &s->line);
    }
    make_cells(s, e, true, cells);
    hoist_table_flow_row(&s->table, cells, 0, false, &s->line);
    return flush(s);
}

static hoist_status show_token(void *self, hoist_str token, hoist_str file, hoist_str member)
{
    enum { INDENT = 2 };
    show *const s = self;
    const hoist_scan_entry entry = {.file = file, .member = member};
    // Rows come by token, so that a new one begins a group.
    if (!hoist_str_equal_c(token, s->last)) {
        // A token has 16 digits; a longer one is cut for the comparison only.
        const size_t size = token.size < sizeof(s->last) - 1 ? token.size : sizeof(s->last) - 1;
        memcpy(s->last, token.data, size);
        s->last[size] = '\0';
        hoist_buffer_c(&s->line, "\nthe caching token ");
        hoist_plain_write(&s->line, token);
        hoist_buffer_c(&s->line, " is shared by\n");
        s->file.size = 0;
    }
    hoist_buffer_fill(&s->line, ' ', INDENT);
    add_short_path(s, &s->line, &entry, s->width ? s->width - INDENT : 0);
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
    hoist_buffer *const text = &s->text;
    text->size = 0;
    hoist_buffer_format(text, "%" PRIu64 " %s", s->count,
                        hoist_plural(s->count, "entry", "entries"));
    add_count(text, s->broken, "with errors");
    hoist_buffer_format(text, "; %" PRIu64 " %s looked at", counts->files,
                        hoist_plural(counts->files, "file", "files"));
    add_count(text, counts->known, "of them known");
    add_count(text, counts->links,
              hoist_plural(counts->links, "link not followed", "links not followed"));
    add_count(text, counts->special, "not opened, for they are no regular files");
    add_count(text, counts->unreadable, "unreadable");
    hoist_buffer_c(&s->line, s->count ? "\n" : "");
    hoist_plain_wrap(&s->line, hoist_buffer_text(text), 0, s->width);
    hoist_buffer_char(&s->line, '\n');
}

hoist_status hoist_scan_table(hoist_scan *scan, const hoist_scan_counts *counts, size_t width,
                              hoist_output *out)
{
    show s;
    begin(&s, scan, out);
    hoist_status status = fit_table(&s, width);
    status = status == HOIST_OK ? hoist_scan_each(scan, show_row, &s) : status;
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

// Counts as the database has them; anything else stays a text in JSON.
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

// One object per line: readers of JSON lines need no end of a list.
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

// Empty values are left out: CycloneDX has no null for properties.
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
    // The file's own name; the path is in "evidence".
    const char *const slash = e->file.size ? memrchr(e->file.data, '/', e->file.size) : NULL;
    const size_t start = slash ? (size_t)(slash + 1 - e->file.data) : 0;
    const hoist_scan_entry base = {.file = hoist_str_slice(e->file, start, e->file.size - start),
                                   .member = e->member};
    hoist_buffer path;
    hoist_buffer_init(&path, s->line.alloc);
    // bom-ref must be unique within the document: the number of the entry.
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
    // Also after a failure, so that the document stays JSON.
    hoist_buffer_format(&s.line, "%s]\n}\n", s.count ? "\n  " : "");
    status = status == HOIST_OK ? flush(&s) : status;
    return end(&s, status);
}
